//! VAT filings: returns as they were filed, frozen.

use crate::{StoreError, Tx, params};
use jiff::Timestamp;
use ledger::{calendar::Quarter, money::Cents, vat_return::BoxLine};

/// A filed return as it is stored.
#[derive(Debug, Clone)]
pub struct Filing {
    /// Its period.
    pub quarter: Quarter,
    /// False when it was opened again after filing.
    pub filed: bool,
    /// When it was filed.
    pub filed_at: Timestamp,
    /// The settlement entry.
    pub entry_id: i64,
    /// To pay, exact.
    pub payable: Cents,
    /// To pay as declared, whole euros.
    pub declared_payable: i64,
}

/// One box of a filed return, as it was filed.
#[derive(Debug, Clone)]
pub struct FiledBox {
    /// The box's name, such as `1a`.
    pub vat_box: String,
    /// Turnover, exact.
    pub turnover: Option<Cents>,
    /// VAT, exact.
    pub vat: Option<Cents>,
    /// Turnover as declared, whole euros.
    pub declared_turnover: Option<i64>,
    /// VAT as declared, whole euros.
    pub declared_vat: Option<i64>,
}

/// Whether bookings in the quarter are closed.
pub fn is_filed(tx: &mut Tx<'_>, account: i64, quarter: Quarter) -> Result<bool, StoreError> {
    let status = tx.query_opt(
        "SELECT status FROM vat_filings WHERE account_id = ?1 AND year = ?2 AND quarter = ?3",
        &params![account, i64::from(quarter.year()), i64::from(quarter.number())],
        |row| row.text(0),
    )?;
    Ok(status.as_deref() == Some("filed"))
}

/// The filing of a quarter, if it was ever filed.
pub fn by_quarter(tx: &mut Tx<'_>, account: i64, quarter: Quarter) -> Result<Option<Filing>, StoreError> {
    tx.query_opt(
        "SELECT status, filed_at, entry_id, payable, declared_payable FROM vat_filings
         WHERE account_id = ?1 AND year = ?2 AND quarter = ?3",
        &params![account, i64::from(quarter.year()), i64::from(quarter.number())],
        |row| {
            Ok(Filing {
                quarter,
                filed: row.text(0)? == "filed",
                filed_at: row.time(1)?,
                entry_id: row.int(2)?,
                payable: Cents::new(row.int(3)?),
                declared_payable: row.int(4)?,
            })
        },
    )
}

/// Freezes a return; one that was opened again is replaced.
pub fn file(tx: &mut Tx<'_>, account: i64, filing: &Filing, lines: &[BoxLine]) -> Result<(), StoreError> {
    let (year, quarter) = (i64::from(filing.quarter.year()), i64::from(filing.quarter.number()));
    tx.execute(
        "DELETE FROM vat_filing_boxes WHERE account_id = ?1 AND year = ?2 AND quarter = ?3",
        &params![account, year, quarter],
    )?;
    tx.execute(
        "INSERT INTO vat_filings (account_id, year, quarter, status, filed_at, entry_id, payable, declared_payable)
         VALUES (?1, ?2, ?3, 'filed', ?4, ?5, ?6, ?7)
         ON CONFLICT (account_id, year, quarter) DO UPDATE SET status = 'filed', filed_at = excluded.filed_at,
         entry_id = excluded.entry_id, payable = excluded.payable, declared_payable = excluded.declared_payable",
        &params![account, year, quarter, filing.filed_at, filing.entry_id, filing.payable.get(), filing.declared_payable],
    )?;
    let mut values = Vec::with_capacity(lines.len() * 9);
    for (place, line) in (1_i64..).zip(lines) {
        values.extend(params![
            account,
            year,
            quarter,
            place,
            line.vat_box,
            line.turnover.map(Cents::get),
            line.vat.map(Cents::get),
            line.declared_turnover,
            line.declared_vat,
        ]);
    }
    tx.insert_rows(
        "INSERT INTO vat_filing_boxes (account_id, year, quarter, line, vat_box, turnover, vat, declared_turnover, declared_vat)",
        9,
        &values,
        "",
    )
}

/// Opens a filed quarter again for bookings; what was filed stays readable until it is filed anew.
pub fn reopen(tx: &mut Tx<'_>, account: i64, quarter: Quarter) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE vat_filings SET status = 'open' WHERE account_id = ?1 AND year = ?2 AND quarter = ?3",
        &params![account, i64::from(quarter.year()), i64::from(quarter.number())],
    )
}

/// The boxes of a return as it was filed, in the order of the form.
pub fn boxes(tx: &mut Tx<'_>, account: i64, quarter: Quarter) -> Result<Vec<FiledBox>, StoreError> {
    tx.query(
        "SELECT vat_box, turnover, vat, declared_turnover, declared_vat FROM vat_filing_boxes
         WHERE account_id = ?1 AND year = ?2 AND quarter = ?3 ORDER BY line",
        &params![account, i64::from(quarter.year()), i64::from(quarter.number())],
        |row| {
            Ok(FiledBox {
                vat_box: row.text(0)?,
                turnover: row.opt_int(1)?.map(Cents::new),
                vat: row.opt_int(2)?.map(Cents::new),
                declared_turnover: row.opt_int(3)?,
                declared_vat: row.opt_int(4)?,
            })
        },
    )
}

/// The quarters that are filed, oldest first.
pub fn filed(tx: &mut Tx<'_>, account: i64) -> Result<Vec<Filing>, StoreError> {
    let rows = tx.query(
        "SELECT year, quarter, status, filed_at, entry_id, payable, declared_payable FROM vat_filings
         WHERE account_id = ?1 AND status = 'filed' ORDER BY year, quarter",
        &params![account],
        |row| {
            let (year, quarter): (i16, u8) = (row.narrow(0)?, row.narrow(1)?);
            Ok(Filing {
                quarter: Quarter::new(year, quarter)
                    .ok_or_else(|| StoreError::Unreadable(format!("{year} quarter {quarter} is not a quarter")))?,
                filed: true,
                filed_at: row.time(3)?,
                entry_id: row.int(4)?,
                payable: Cents::new(row.int(5)?),
                declared_payable: row.int(6)?,
            })
        },
    )?;
    Ok(rows)
}
