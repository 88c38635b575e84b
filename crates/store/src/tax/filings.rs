//! Filed VAT returns, in versions. A version is never changed; reopening it only records the time.

use crate::{
    StoreError, Tx,
    changes::{Event, ResourceKind, Topic},
    engine::record::{self, Record, record},
    params,
};
use jiff::Timestamp;
use ledger::{calendar::Quarter, money::Cents, vat_return::BoxLine};

/// A filed version of a return.
#[derive(Debug, Clone)]
pub struct Filing {
    /// Period of the return.
    pub quarter: Quarter,
    /// Number of the version within the period, from 1.
    pub version: i64,
    /// Time of filing.
    pub filed_at: Timestamp,
    /// Time of reopening; from then on the period accepts bookings again.
    pub reopened_at: Option<Timestamp>,
    /// Settlement entry.
    pub entry_id: i64,
    /// Amount to pay, exact.
    pub payable: Cents,
    /// Amount to pay as declared, in whole euros.
    pub declared_payable: i64,
}

impl Filing {
    /// Whether it is the current version: filed and not reopened.
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
        "year, quarter": quarter,
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

/// Id of a quarter's return: year and quarter as digits, so 20261 is the first quarter of 2026.
#[must_use]
pub fn id_of(quarter: Quarter) -> i64 {
    i64::from(quarter.year()) * 10 + i64::from(quarter.number())
}

/// Quarter of a return's id.
#[must_use]
pub fn quarter_of(id: i64) -> Option<Quarter> {
    Quarter::new(i16::try_from(id / 10).ok()?, u8::try_from(id % 10).ok()?)
}

/// Whether the quarter's return is filed, so that it accepts no postings with a box.
pub fn is_filed(tx: &mut Tx<'_>, account: i64, quarter: Quarter) -> Result<bool, StoreError> {
    let version = tx.query_opt(
        "SELECT version FROM vat_filings WHERE account_id = ?1 AND year = ?2 AND quarter = ?3 AND reopened_at IS NULL",
        &params![account, i64::from(quarter.year()), i64::from(quarter.number())],
        |row| row.int(0),
    )?;
    Ok(version.is_some())
}

/// All versions of a quarter's return, oldest first.
pub fn versions(
    tx: &mut Tx<'_>,
    account: i64,
    quarter: Quarter,
) -> Result<Vec<Filing>, StoreError> {
    let columns = Filing::COLUMNS;
    let sql = format!(
        "SELECT {columns} FROM vat_filings WHERE account_id = ?1 AND year = ?2 AND quarter = ?3 ORDER BY version"
    );
    tx.query(
        &sql,
        &params![account, i64::from(quarter.year()), i64::from(quarter.number())],
        Filing::read,
    )
}

/// All versions of all returns, oldest period and version first.
pub fn all(tx: &mut Tx<'_>, account: i64) -> Result<Vec<Filing>, StoreError> {
    let sql = format!(
        "SELECT {} FROM vat_filings WHERE account_id = ?1 ORDER BY year, quarter, version",
        Filing::COLUMNS
    );
    tx.query(&sql, &params![account], Filing::read)
}

/// Stores a filed version of a return.
pub fn file(
    tx: &mut Tx<'_>,
    account: i64,
    filing: &Filing,
    lines: &[BoxLine],
) -> Result<(), StoreError> {
    tx.record(
        ResourceKind::VatFiling,
        id_of(filing.quarter),
        if filing.version == 1 { Event::Created } else { Event::Updated },
    );
    tx.record_topic(ResourceKind::VatFiling, id_of(filing.quarter), Topic::Filed);
    record::insert(tx, "vat_filings", Filing::COLUMNS, &filing.values(account))?;
    let mut values = Vec::with_capacity(lines.len() * 10);
    for (place, line) in (1_i64..).zip(lines) {
        values.extend(params![
            account,
            i64::from(filing.quarter.year()),
            i64::from(filing.quarter.number()),
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
        &format!("year, quarter, version, line, {}", FiledBox::COLUMNS),
        &values,
    )
}

/// Reopens the filed version of a quarter; its figures remain readable.
pub fn reopen(
    tx: &mut Tx<'_>,
    account: i64,
    quarter: Quarter,
    now: Timestamp,
) -> Result<(), StoreError> {
    tx.record_topic(ResourceKind::VatFiling, id_of(quarter), Topic::Reopened);
    tx.execute(
        "UPDATE vat_filings SET reopened_at = ?4 WHERE account_id = ?1 AND year = ?2 AND quarter = ?3 AND reopened_at IS NULL",
        &params![account, i64::from(quarter.year()), i64::from(quarter.number()), now],
    )
}

/// Boxes of a version as filed, in the order of the form.
pub fn boxes(
    tx: &mut Tx<'_>,
    account: i64,
    quarter: Quarter,
    version: i64,
) -> Result<Vec<FiledBox>, StoreError> {
    let sql = format!(
        "SELECT {} FROM vat_filing_boxes
         WHERE account_id = ?1 AND year = ?2 AND quarter = ?3 AND version = ?4 ORDER BY line",
        FiledBox::COLUMNS
    );
    let values = params![account, i64::from(quarter.year()), i64::from(quarter.number()), version];
    tx.query(&sql, &values, FiledBox::read)
}

/// Quarters with journal entries, with postings in a box, or with a filing, newest first; at most a
/// few hundred.
pub fn periods(tx: &mut Tx<'_>, account: i64) -> Result<Vec<Quarter>, StoreError> {
    tx.query(
        "SELECT year, quarter FROM quarter_totals WHERE account_id = ?1 AND entries > 0
         UNION SELECT year, quarter FROM vat_totals WHERE account_id = ?1
         UNION SELECT year, quarter FROM vat_filings WHERE account_id = ?1 ORDER BY 1 DESC, 2 DESC",
        &params![account],
        record::read,
    )
}
