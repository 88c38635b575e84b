//! Union scheme (OSS): registrations, turnover with consumers in other member states, documents that
//! the scheme declares, and filed returns.

use crate::{
    StoreError, Tx,
    changes::{Event, ResourceKind, Topic},
    engine::record::{self, Record, Table, columns_by_name, overwriting, record},
    invoices::Invoice,
    params,
};
use jiff::{Timestamp, civil::Date};
use ledger::{
    calendar::Quarter,
    country::CountryCode,
    money::Cents,
    oss::{Correction, Declaration, Ground, Row},
    vat::{Supply, VatCategory, VatRate},
    vat_period::VatPeriod,
};
use std::collections::BTreeMap;

/// Stored registration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Registration {
    /// First day.
    pub from: Date,
    /// Ground.
    pub ground: Ground,
    /// Last day, if the registration ends.
    pub until: Option<Date>,
    /// Time of recording.
    pub noted_at: Timestamp,
}

columns_by_name!(Ground);
record! {
    Registration {
        "valid_from": from,
        "ground": ground,
        "valid_until": until,
        "noted_at": noted_at,
    }
}

/// All registrations, ordered by first day.
pub fn registrations(tx: &mut Tx<'_>, account: i64) -> Result<Vec<Registration>, StoreError> {
    let sql = format!(
        "SELECT {} FROM oss_registrations WHERE account_id = ?1 ORDER BY valid_from",
        Registration::COLUMNS
    );
    tx.query(&sql, &params![account], Registration::read)
}

/// Records a registration, replacing any earlier record with the same first day.
pub fn register(
    tx: &mut Tx<'_>,
    account: i64,
    registration: &Registration,
) -> Result<(), StoreError> {
    let columns = format!("account_id, {}", Registration::COLUMNS);
    let tail = overwriting("account_id, valid_from", "ground, valid_until, noted_at");
    let values = registration.values(account);
    record::insert_into(tx, "oss_registrations", &columns, &values, &tail)
}

/// SQL expression for the last day of supply of an invoice, or else its invoice date. A credit note
/// has the day of the invoice that it credits.
const DAY: &str = "COALESCE(c.supply_until, c.supply_date, c.invoice_date, i.supply_until, i.supply_date, i.invoice_date)";

/// Total amount of the lines with one category, supply and tax country, on an invoice and its credit
/// notes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConsumerSupply {
    /// Id of the invoice.
    pub invoice: i64,
    /// Last day of supply, or else the invoice date.
    pub day: Date,
    /// Country of the customer.
    pub country: CountryCode,
    /// Category.
    pub category: VatCategory,
    /// Supply.
    pub supply: Supply,
    /// Country that taxes the supply, if the lines state one.
    pub tax_country: Option<CountryCode>,
    /// Sum of the lines in cents, excluding VAT.
    pub amount: Cents,
}

/// Supplies of goods and electronic services between two days to customers without a VAT number or
/// Dutch register number, who are abroad or whose supplies are taxed abroad, ordered by day and
/// invoice. Excludes cancelled drafts and documents from before the books began.
pub fn consumer_supplies(
    tx: &mut Tx<'_>,
    account: i64,
    (from, until): (Date, Date),
) -> Result<Vec<ConsumerSupply>, StoreError> {
    let sql = format!(
        "SELECT COALESCE(i.credited_invoice_id, i.id), {DAY}, i.customer_country, l.vat_category, l.supply, COALESCE(l.tax_country, ''),
                CAST(SUM(l.amount) AS BIGINT)
         FROM invoices i JOIN invoice_items l ON l.account_id = ?1 AND l.invoice_id = i.id
         LEFT JOIN invoices c ON c.account_id = ?1 AND c.id = i.credited_invoice_id
         WHERE i.account_id = ?1 AND i.status <> 'cancelled' AND {DAY} BETWEEN ?2 AND ?3
         AND COALESCE(c.source, i.source) <> 'opening' AND (i.customer_country <> 'NL' OR l.vat_category = 'oss')
         AND COALESCE(i.customer_kind, CASE WHEN i.customer_vat_number IS NULL AND i.customer_kvk_number IS NULL THEN '' ELSE 'business' END) <> 'business' AND l.supply IN ('goods', 'electronic')
         GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 2, 1, 3, 4, 5, 6"
    );
    tx.query(&sql, &params![account, from, until], |row| {
        Ok(ConsumerSupply {
            invoice: row.int(0)?,
            day: row.date(1)?,
            country: row.parsed(2, |text| CountryCode::parse(text).ok())?,
            category: row.parsed(3, VatCategory::parse)?,
            supply: row.parsed(4, Supply::parse)?,
            tax_country: row.parsed(5, optional_country)?,
            amount: Cents::new(row.int(6)?),
        })
    })
}

/// Parses the column of a country; an empty text means no country.
pub(crate) fn optional_country(text: &str) -> Option<Option<CountryCode>> {
    if text.is_empty() { Some(None) } else { CountryCode::parse(text).ok().map(Some) }
}

/// Documents with lines of the scheme, oldest first. Cancelled drafts are not included.
pub fn documents(tx: &mut Tx<'_>, account: i64) -> Result<Vec<Invoice>, StoreError> {
    let sql = Invoice::select(format_args!(
        "account_id = ?1 AND status <> 'cancelled' AND id IN
         (SELECT invoice_id FROM invoice_items WHERE account_id = ?1 AND vat_category = 'oss') ORDER BY id"
    ));
    tx.query(&sql, &params![account], Invoice::read)
}

/// Filed version of a return.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OssFiling {
    /// Quarter of the return.
    pub period: VatPeriod,
    /// Number of the version within the quarter, from 1.
    pub version: i64,
    /// Time of filing.
    pub filed_at: Timestamp,
    /// Time of reopening.
    pub reopened_at: Option<Timestamp>,
}

impl OssFiling {
    /// Whether this is the current version: filed and not reopened.
    #[must_use]
    pub fn is_filed(&self) -> bool {
        self.reopened_at.is_none()
    }
}

record! {
    OssFiling {
        "period": period,
        "version": version,
        "filed_at": filed_at,
        "reopened_at": reopened_at,
    }
}

/// All filed versions of all returns, oldest quarter and version first.
pub fn filings(tx: &mut Tx<'_>, account: i64) -> Result<Vec<OssFiling>, StoreError> {
    let sql = format!(
        "SELECT {} FROM oss_filings WHERE account_id = ?1 ORDER BY period, version",
        OssFiling::COLUMNS
    );
    tx.query(&sql, &params![account], OssFiling::read)
}

/// Columns of a row besides its period and version.
const ROW: &str = "corrects_period, country, supply, vat_basis_points, base, vat";

/// Content of all filed versions, by quarter and version.
pub fn declarations(
    tx: &mut Tx<'_>,
    account: i64,
) -> Result<BTreeMap<(Quarter, i64), Declaration>, StoreError> {
    let sql = format!(
        "SELECT period, version, {ROW} FROM oss_filing_rows WHERE account_id = ?1
         ORDER BY period, version, corrects_period, country, supply, vat_basis_points DESC"
    );
    let quarter = |text: &str| VatPeriod::parse(text).and_then(VatPeriod::as_quarter);
    let mut all: BTreeMap<(Quarter, i64), Declaration> = BTreeMap::new();
    tx.query(&sql, &params![account], |row| {
        let own = all.entry((row.parsed(0, quarter)?, row.int(1)?)).or_default();
        let country = row.parsed(3, |text| CountryCode::parse(text).ok())?;
        let vat = Cents::new(row.int(7)?);
        if row.text(2)?.is_empty() {
            own.rows.push(Row {
                country,
                supply: row.parsed(4, Supply::parse)?,
                rate: VatRate::from_basis_points(row.narrow(5)?),
                base: Cents::new(row.int(6)?),
                vat,
            });
        } else {
            own.corrections.push(Correction { quarter: row.parsed(2, quarter)?, country, vat });
        }
        Ok(())
    })?;
    for declaration in all.values_mut() {
        declaration.rows.sort_by_key(|row| (row.country, row.supply, std::cmp::Reverse(row.rate)));
    }
    Ok(all)
}

/// Stores a filed version of a return.
pub fn file(
    tx: &mut Tx<'_>,
    account: i64,
    filing: &OssFiling,
    declaration: &Declaration,
) -> Result<(), StoreError> {
    let id = filing.period.id();
    let event = if filing.version == 1 { Event::Created } else { Event::Updated };
    tx.record(ResourceKind::OssReturn, id, event);
    tx.record_topic(ResourceKind::OssReturn, id, Topic::Filed);
    record::insert(tx, "oss_filings", OssFiling::COLUMNS, &filing.values(account))?;
    let period = filing.period.to_string();
    let corrected: Vec<String> =
        declaration.corrections.iter().map(|of| VatPeriod::from(of.quarter).to_string()).collect();
    let mut values = Vec::new();
    for Row { country, supply, rate, base, vat } in &declaration.rows {
        values.extend(params![
            account,
            period.as_str(),
            filing.version,
            "",
            country.as_str(),
            supply.as_str(),
            i64::from(rate.basis_points()),
            base.get(),
            vat.get(),
        ]);
    }
    for (Correction { country, vat, .. }, corrects) in
        declaration.corrections.iter().zip(&corrected)
    {
        values.extend(params![
            account,
            period.as_str(),
            filing.version,
            corrects.as_str(),
            country.as_str(),
            "",
            0_i64,
            0_i64,
            vat.get(),
        ]);
    }
    record::insert(tx, "oss_filing_rows", &format!("period, version, {ROW}"), &values)
}

/// Reopens the filed version of a return; its figures remain readable.
pub fn reopen(
    tx: &mut Tx<'_>,
    account: i64,
    period: VatPeriod,
    now: Timestamp,
) -> Result<(), StoreError> {
    tx.record_topic(ResourceKind::OssReturn, period.id(), Topic::Reopened);
    tx.execute(
        "UPDATE oss_filings SET reopened_at = ?3 WHERE account_id = ?1 AND period = ?2 AND reopened_at IS NULL",
        &params![account, period.to_string(), now],
    )
}
