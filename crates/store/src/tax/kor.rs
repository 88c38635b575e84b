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

/// Total amount of the lines with one category and supply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CategorySum {
    /// Category.
    pub category: VatCategory,
    /// Supply.
    pub supply: Supply,
    /// Sum, excluding VAT.
    pub amount: Cents,
}

/// Total amount of the lines with one category and supply, on an invoice and its credit notes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvoiceSum {
    /// Id of the invoice.
    pub invoice: i64,
    /// Last day of supply, or else the invoice date.
    pub day: Date,
    /// Sum of the lines.
    pub sum: CategorySum,
}

/// Sums of the lines supplied between two days, by category and supply. Cancelled drafts are not
/// included.
pub fn sums(
    tx: &mut Tx<'_>,
    account: i64,
    (from, until): (Date, Date),
) -> Result<Vec<CategorySum>, StoreError> {
    let sql = format!(
        "SELECT l.vat_category, l.supply, CAST(SUM(l.amount) AS BIGINT) FROM {DOCUMENTS}
         WHERE i.account_id = ?1 AND i.status <> 'cancelled' AND {DAY} BETWEEN ?2 AND ?3
         GROUP BY l.vat_category, l.supply ORDER BY l.vat_category, l.supply"
    );
    tx.query(&sql, &params![account, from, until], |row| {
        Ok(CategorySum {
            category: row.parsed(0, VatCategory::parse)?,
            supply: row.parsed(1, Supply::parse)?,
            amount: Cents::new(row.int(2)?),
        })
    })
}

/// Like [`sums`], but for each invoice, in the order of supply.
pub fn sums_by_invoice(
    tx: &mut Tx<'_>,
    account: i64,
    (from, until): (Date, Date),
) -> Result<Vec<InvoiceSum>, StoreError> {
    let sql = format!(
        "SELECT COALESCE(i.credited_invoice_id, i.id), {DAY}, l.vat_category, l.supply, CAST(SUM(l.amount) AS BIGINT) FROM {DOCUMENTS}
         WHERE i.account_id = ?1 AND i.status <> 'cancelled' AND {DAY} BETWEEN ?2 AND ?3
         GROUP BY 1, 2, 3, 4 ORDER BY 2, 1, 3, 4"
    );
    tx.query(&sql, &params![account, from, until], |row| {
        Ok(InvoiceSum {
            invoice: row.int(0)?,
            day: row.date(1)?,
            sum: CategorySum {
                category: row.parsed(2, VatCategory::parse)?,
                supply: row.parsed(3, Supply::parse)?,
                amount: Cents::new(row.int(4)?),
            },
        })
    })
}

/// Ids of the invoices supplied between two days that charge VAT. Excludes cancelled drafts and
/// fully credited invoices.
pub fn taxed_invoices(
    tx: &mut Tx<'_>,
    account: i64,
    (from, until): (Date, Date),
) -> Result<Vec<i64>, StoreError> {
    tx.query(
        "SELECT i.id FROM invoices i WHERE i.account_id = ?1 AND i.kind = 'invoice' AND i.status <> 'cancelled'
         AND COALESCE(i.supply_until, i.supply_date, i.invoice_date) BETWEEN ?2 AND ?3
         AND i.total <> i.amount_credited
         AND EXISTS (SELECT 1 FROM invoice_items l WHERE l.account_id = ?1 AND l.invoice_id = i.id AND l.vat_category = 'standard')
         ORDER BY i.id",
        &params![account, from, until],
        |row| row.int(0),
    )
}
