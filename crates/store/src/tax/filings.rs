//! Filed VAT returns, in versions. A version is never changed; reopening only records a time.

use crate::{
    StoreError, Tx,
    changes::{Event, ResourceKind, Topic},
    engine::record::{self, Record, record},
    params,
};
use jiff::{Timestamp, civil::Date};
use ledger::{calendar::Month, money::Cents, vat_period::VatPeriod, vat_return::BoxLine};

/// A filed version of a return.
#[derive(Debug, Clone)]
pub struct Filing {
    /// Period of the return.
    pub period: VatPeriod,
    /// Number of the version within the period, from 1.
    pub version: i64,
    /// Time of filing.
    pub filed_at: Timestamp,
    /// Time of reopening; from then on the period accepts bookings again.
    pub reopened_at: Option<Timestamp>,
    /// Id of the settlement entry.
    pub entry_id: i64,
    /// Amount to pay, exact.
    pub payable: Cents,
    /// Amount to pay as declared, in whole euros.
    pub declared_payable: i64,
}

impl Filing {
    /// Whether this version is filed and has not been reopened.
    #[must_use]
    pub fn is_filed(&self) -> bool {
        self.reopened_at.is_none()
    }
}

/// A box of a filed return.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FiledBox {
    /// Name of the box, such as `1a`.
    pub vat_box: String,
    /// Turnover, exact.
    pub turnover: Option<Cents>,
    /// VAT, exact.
    pub vat: Option<Cents>,
    /// Turnover as declared, in whole euros.
    pub declared_turnover: Option<i64>,
    /// VAT as declared, in whole euros.
    pub declared_vat: Option<i64>,
}

record! {
    Filing {
        "period": period,
        "version": version,
        "filed_at": filed_at,
        "reopened_at": reopened_at,
        "entry_id": entry_id,
        "payable": payable,
        "declared_payable": declared_payable,
    }
}
record! {
    FiledBox {
        "vat_box": vat_box,
        "turnover": turnover,
        "vat": vat,
        "declared_turnover": declared_turnover,
        "declared_vat": declared_vat,
    }
}

/// Returns the period that contains a date and whose return is filed, if any. Such a period accepts
/// no more postings with a VAT box.
pub fn filed_on(
    tx: &mut Tx<'_>,
    account: i64,
    date: Date,
) -> Result<Option<VatPeriod>, StoreError> {
    let [month, quarter, year] = VatPeriod::all_of(date).map(|period| period.to_string());
    tx.query_opt(
        "SELECT period FROM vat_filings WHERE account_id = ?1 AND period IN (?2, ?3, ?4) AND reopened_at IS NULL",
        &params![account, month, quarter, year],
        record::read,
    )
}

/// Whether the return of a period is filed.
pub fn is_filed(tx: &mut Tx<'_>, account: i64, period: VatPeriod) -> Result<bool, StoreError> {
    Ok(filed_on(tx, account, period.first_day())? == Some(period))
}

/// SQL expression for the last month, such as `2026-06`, of the period in the column `period`. The
/// result sorts chronologically.
pub(crate) const LAST_MONTH: &str = "CASE WHEN length(period) = 4 THEN period || '-12'
    WHEN substr(period, 6, 1) = 'Q' THEN substr(period, 1, 5) || substr('03060912', 2 * CAST(substr(period, 7, 1) AS INTEGER) - 1, 2)
    ELSE period END";

/// All versions of a period's return, oldest first.
pub fn versions(
    tx: &mut Tx<'_>,
    account: i64,
    period: VatPeriod,
) -> Result<Vec<Filing>, StoreError> {
    let columns = Filing::COLUMNS;
    let sql = format!(
        "SELECT {columns} FROM vat_filings WHERE account_id = ?1 AND period = ?2 ORDER BY version"
    );
    tx.query(&sql, &params![account, period.to_string()], Filing::read)
}

/// All versions of all returns, oldest period and version first.
pub fn all(tx: &mut Tx<'_>, account: i64) -> Result<Vec<Filing>, StoreError> {
    let sql = format!(
        "SELECT {} FROM vat_filings WHERE account_id = ?1 ORDER BY period, version",
        Filing::COLUMNS
    );
    let mut filings = tx.query(&sql, &params![account], Filing::read)?;
    filings.sort_by_key(|filing| (filing.period, filing.version));
    Ok(filings)
}

/// Resource kinds under which the change feed reports the return for a period.
fn kinds(period: VatPeriod) -> impl Iterator<Item = ResourceKind> {
    let quarter = period.as_quarter().map(|_| ResourceKind::VatFiling);
    quarter.into_iter().chain([ResourceKind::VatReturn])
}

/// Stores a new version of a return as filed.
pub fn file(
    tx: &mut Tx<'_>,
    account: i64,
    filing: &Filing,
    lines: &[BoxLine],
) -> Result<(), StoreError> {
    for kind in kinds(filing.period) {
        let event = if filing.version == 1 { Event::Created } else { Event::Updated };
        tx.record(kind, filing.period.id(), event);
        tx.record_topic(kind, filing.period.id(), Topic::Filed);
    }
    record::insert(tx, "vat_filings", Filing::COLUMNS, &filing.values(account))?;
    let mut values = Vec::with_capacity(lines.len() * 9);
    for (place, line) in (1_i64..).zip(lines) {
        values.extend(params![
            account,
            filing.period.to_string(),
            filing.version,
            place,
            line.vat_box,
            line.turnover.map(Cents::get),
            line.vat.map(Cents::get),
            line.declared_turnover,
            line.declared_vat,
        ]);
    }
    record::insert(
        tx,
        "vat_filing_boxes",
        &format!("period, version, line, {}", FiledBox::COLUMNS),
        &values,
    )
}

/// Reopens the filed version of a period; its figures remain readable.
pub fn reopen(
    tx: &mut Tx<'_>,
    account: i64,
    period: VatPeriod,
    now: Timestamp,
) -> Result<(), StoreError> {
    for kind in kinds(period) {
        tx.record_topic(kind, period.id(), Topic::Reopened);
    }
    tx.execute(
        "UPDATE vat_filings SET reopened_at = ?3 WHERE account_id = ?1 AND period = ?2 AND reopened_at IS NULL",
        &params![account, period.to_string(), now],
    )
}

/// Boxes of a version as filed, in the order of the form.
pub fn boxes(
    tx: &mut Tx<'_>,
    account: i64,
    period: VatPeriod,
    version: i64,
) -> Result<Vec<FiledBox>, StoreError> {
    let sql = format!(
        "SELECT {} FROM vat_filing_boxes WHERE account_id = ?1 AND period = ?2 AND version = ?3 ORDER BY line",
        FiledBox::COLUMNS
    );
    tx.query(&sql, &params![account, period.to_string(), version], FiledBox::read)
}

/// Months that have journal entries or postings with a VAT box, oldest first; at most a few
/// hundred.
pub fn months(tx: &mut Tx<'_>, account: i64) -> Result<Vec<Month>, StoreError> {
    tx.query(
        "SELECT year, month FROM document_totals WHERE account_id = ?1 AND entries > 0
         UNION SELECT year, month FROM vat_totals WHERE account_id = ?1 ORDER BY 1, 2",
        &params![account],
        record::read,
    )
}

/// Periods with a filing, reopened or not, oldest first.
pub fn periods(tx: &mut Tx<'_>, account: i64) -> Result<Vec<VatPeriod>, StoreError> {
    let sql = "SELECT DISTINCT period FROM vat_filings WHERE account_id = ?1";
    let mut periods: Vec<VatPeriod> = tx.query(sql, &params![account], record::read)?;
    periods.sort_unstable();
    Ok(periods)
}
