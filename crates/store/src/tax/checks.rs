//! Data for the checks before a VAT return is filed: drafts and corrections.

use crate::{StoreError, Tx, params};
use ledger::{chart::codes, money::Cents, vat_period::VatPeriod};

/// A draft whose VAT is due in the period.
#[derive(Debug, Clone)]
pub struct DueDraft {
    /// Id of the draft.
    pub id: i64,
    /// Invoice number.
    pub number: String,
    /// Name of the customer.
    pub customer: String,
    /// VAT on the draft.
    pub vat: Cents,
}

/// Drafts whose VAT is due in a period, at most `limit`.
pub fn due_drafts(
    tx: &mut Tx<'_>,
    account: i64,
    period: VatPeriod,
    limit: i64,
) -> Result<Vec<DueDraft>, StoreError> {
    tx.query(
        "SELECT id, number, customer_name, vat_total FROM invoices
         WHERE account_id = ?1 AND status <> 'sent' AND status = 'draft' AND vat_method <> 'cash' AND vat_date BETWEEN ?2 AND ?3 ORDER BY id LIMIT ?4",
        &params![account, period.first_day(), period.last_day(), limit],
        |row| Ok(DueDraft { id: row.int(0)?, number: row.text(1)?, customer: row.text(2)?, vat: Cents::new(row.int(3)?) }),
    )
}

/// Invoice whose VAT should move to the date of a payment.
#[derive(Debug, Clone)]
pub struct WaitingInvoice {
    /// Id of the invoice.
    pub id: i64,
    /// Invoice number.
    pub number: String,
    /// Name of the customer.
    pub customer: String,
}

/// Invoices whose VAT should move into or out of a period; at most `limit`.
pub fn waiting_moves(
    tx: &mut Tx<'_>,
    account: i64,
    period: VatPeriod,
    limit: i64,
) -> Result<Vec<WaitingInvoice>, StoreError> {
    tx.query(
        "SELECT id, number, customer_name FROM invoices i WHERE account_id = ?1 AND vat_waiting > 0 AND (vat_date BETWEEN ?2 AND ?3
           OR EXISTS (SELECT 1 FROM payments p WHERE p.account_id = ?1 AND p.invoice_id = i.id AND p.vat_move = 'waiting'
                      AND p.undone_at IS NULL AND p.date BETWEEN ?2 AND ?3)) ORDER BY id LIMIT ?4",
        &params![account, period.first_day(), period.last_day(), limit],
        |row| Ok(WaitingInvoice { id: row.int(0)?, number: row.text(1)?, customer: row.text(2)? }),
    )
}

/// Net VAT that the corrections of a period have booked on account 1785, disregarding undone
/// corrections: positive if more VAT is due, negative if less.
pub fn corrected_vat(
    tx: &mut Tx<'_>,
    account: i64,
    period: VatPeriod,
) -> Result<Cents, StoreError> {
    let sum = tx.query_one(
        "SELECT CAST(SUM(p.credit - p.debit) AS BIGINT) FROM entries e JOIN postings p ON p.account_id = ?1 AND p.entry_id = e.id
         WHERE e.account_id = ?1 AND e.corrects_period = ?2 AND p.account_code = ?3
         AND NOT EXISTS (SELECT 1 FROM postings b WHERE b.account_id = ?1 AND b.entry_id = e.id AND b.vat_box <> '')",
        &params![account, period.to_string(), i64::from(codes::VAT_CORRECTIONS.stored())],
        |row| row.opt_int(0),
    )?;
    Ok(Cents::new(sum.unwrap_or(0)))
}

/// Ids of the entries that correct a period or carry the VAT of a correction to a later return,
/// oldest first.
pub fn corrections(
    tx: &mut Tx<'_>,
    account: i64,
    period: VatPeriod,
) -> Result<Vec<i64>, StoreError> {
    tx.query(
        "SELECT id FROM entries WHERE account_id = ?1 AND corrects_period = ?2 ORDER BY id",
        &params![account, period.to_string()],
        |row| row.int(0),
    )
}

/// Replaces the id of an entry by that of its new booking, `by`, in all records that refer to it.
pub fn rebooked(tx: &mut Tx<'_>, account: i64, entry: i64, by: i64) -> Result<(), StoreError> {
    let naming = [
        ("expenses", "entry_id"),
        ("expense_payments", "entry_id"),
        ("payments", "entry_id"),
        ("payments", "undoing_entry_id"),
        ("payouts", "entry_id"),
        ("payouts", "undoing_entry_id"),
        ("write_offs", "entry_id"),
        ("write_offs", "undoing_entry_id"),
    ];
    for (table, column) in naming {
        let sql =
            format!("UPDATE {table} SET {column} = ?3 WHERE account_id = ?1 AND {column} = ?2");
        tx.execute(&sql, &params![account, entry, by])?;
    }
    Ok(())
}
