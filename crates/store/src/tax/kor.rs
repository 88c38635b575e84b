//! Turnover under the small businesses scheme, read from the lines of invoices. A credit note
//! belongs to its invoice.

use crate::{StoreError, Tx, params};
use jiff::civil::Date;
use ledger::{
    money::Cents,
    vat::{Supply, VatCategory},
};

/// SQL expression for the last day of supply of an invoice, or else its invoice date. A credit note
/// has the day of the invoice that it credits.
const DAY: &str = "COALESCE(c.supply_until, c.supply_date, c.invoice_date, i.supply_until, i.supply_date, i.invoice_date)";
/// SQL join of documents with their lines and, for a credit note, the invoice that it credits.
const DOCUMENTS: &str =
    "invoices i JOIN invoice_items l ON l.account_id = ?1 AND l.invoice_id = i.id
    LEFT JOIN invoices c ON c.account_id = ?1 AND c.id = i.credited_invoice_id";

/// Total amount of the lines with one category and supply, on an invoice and its credit notes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvoiceSupply {
    /// Id of the invoice.
    pub invoice: i64,
    /// Last day of supply, or else the invoice date.
    pub day: Date,
    /// VAT category.
    pub category: VatCategory,
    /// Type of supply.
    pub supply: Supply,
    /// Sum of the lines in cents, excluding VAT.
    pub amount: Cents,
}

/// Supplies between two days, less credited amounts, ordered by day and invoice. Excludes cancelled
/// drafts, invoices from before the books began, and credit notes on such invoices.
pub fn supplies(
    tx: &mut Tx<'_>,
    account: i64,
    (from, until): (Date, Date),
) -> Result<Vec<InvoiceSupply>, StoreError> {
    let sql = format!(
        "SELECT COALESCE(i.credited_invoice_id, i.id), {DAY}, l.vat_category, l.supply, CAST(SUM(l.amount) AS BIGINT) FROM {DOCUMENTS}
         WHERE i.account_id = ?1 AND i.status <> 'cancelled' AND {DAY} BETWEEN ?2 AND ?3
         AND COALESCE(c.source, i.source) <> 'opening'
         GROUP BY 1, 2, 3, 4 ORDER BY 2, 1, 3, 4"
    );
    tx.query(&sql, &params![account, from, until], |row| {
        Ok(InvoiceSupply {
            invoice: row.int(0)?,
            day: row.date(1)?,
            category: row.parsed(2, VatCategory::parse)?,
            supply: row.parsed(3, Supply::parse)?,
            amount: Cents::new(row.int(4)?),
        })
    })
}

/// Ids of the invoices supplied between two days that have a line of the given category. Excludes
/// cancelled drafts and fully credited invoices.
pub fn invoices_with(
    tx: &mut Tx<'_>,
    account: i64,
    (from, until): (Date, Date),
    category: VatCategory,
) -> Result<Vec<i64>, StoreError> {
    tx.query(
        "SELECT i.id FROM invoices i WHERE i.account_id = ?1 AND i.kind = 'invoice' AND i.status <> 'cancelled'
         AND COALESCE(i.supply_until, i.supply_date, i.invoice_date) BETWEEN ?2 AND ?3
         AND i.total <> i.amount_credited
         AND EXISTS (SELECT 1 FROM invoice_items l WHERE l.account_id = ?1 AND l.invoice_id = i.id AND l.vat_category = ?4)
         ORDER BY i.id",
        &params![account, from, until, category.as_str()],
        |row| row.int(0),
    )
}

/// Records that an email warned the owner about the limit in a year. Returns whether it is the first
/// one for that year or a later one.
pub fn warn(tx: &mut Tx<'_>, account: i64, year: i16) -> Result<bool, StoreError> {
    let known = tx.query_opt(
        "SELECT COALESCE(kor_warned_year, 0) FROM accounts WHERE id = ?1",
        &params![account],
        |row| row.int(0),
    )?;
    let is_first = known.is_some_and(|known| known < i64::from(year));
    if is_first {
        tx.execute(
            "UPDATE accounts SET kor_warned_year = ?2 WHERE id = ?1",
            &params![account, i64::from(year)],
        )?;
    }
    Ok(is_first)
}
