//! Payments on invoices.

use crate::{StoreError, Tx, params, row::Row};
use jiff::{Timestamp, civil::Date};
use ledger::{booking::MoneyAccount, money::Cents};

/// A payment as it is stored.
#[derive(Debug, Clone)]
pub struct Payment {
    /// Unique inside the account.
    pub id: i64,
    /// The invoice that it is on.
    pub invoice_id: i64,
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// The day of the payment.
    pub date: Date,
    /// What was received.
    pub amount: Cents,
    /// Where it was received.
    pub method: MoneyAccount,
    /// The payer's reference.
    pub reference: Option<String>,
    /// Its journal entry.
    pub entry_id: i64,
    /// When it was recorded.
    pub created_at: Timestamp,
}

const COLUMNS: &str = "id, invoice_id, external_id, date, amount, method, reference, entry_id, created_at";

fn read(row: &Row<'_>) -> Result<Payment, StoreError> {
    Ok(Payment {
        id: row.int(0)?,
        invoice_id: row.int(1)?,
        external_id: row.opt_text(2)?,
        date: row.date(3)?,
        amount: Cents::new(row.int(4)?),
        method: row.parsed(5, MoneyAccount::parse)?,
        reference: row.opt_text(6)?,
        entry_id: row.int(7)?,
        created_at: row.time(8)?,
    })
}

/// Stores a new payment.
pub fn insert(tx: &mut Tx<'_>, account: i64, payment: &Payment) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO payments (account_id, id, invoice_id, external_id, date, amount, method, reference, entry_id, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        &params![
            account,
            payment.id,
            payment.invoice_id,
            &payment.external_id,
            payment.date,
            payment.amount.get(),
            payment.method.as_str(),
            &payment.reference,
            payment.entry_id,
            payment.created_at,
        ],
    )
}

/// The payment with that external id.
pub fn by_external_id(tx: &mut Tx<'_>, account: i64, external_id: &str) -> Result<Option<Payment>, StoreError> {
    tx.query_opt(
        &format!("SELECT {COLUMNS} FROM payments WHERE account_id = ?1 AND external_id = ?2"),
        &params![account, external_id],
        read,
    )
}

/// All payments on an invoice, oldest first.
pub fn by_invoice(tx: &mut Tx<'_>, account: i64, invoice: i64) -> Result<Vec<Payment>, StoreError> {
    tx.query(
        &format!("SELECT {COLUMNS} FROM payments WHERE account_id = ?1 AND invoice_id = ?2 ORDER BY id"),
        &params![account, invoice],
        read,
    )
}

/// The payments on an invoice with an id above `after`, oldest first.
pub fn page_of_invoice(tx: &mut Tx<'_>, account: i64, invoice: i64, after: i64, limit: i64) -> Result<Vec<Payment>, StoreError> {
    tx.query(
        &format!("SELECT {COLUMNS} FROM payments WHERE account_id = ?1 AND invoice_id = ?2 AND id > ?3 ORDER BY id LIMIT ?4"),
        &params![account, invoice, after, limit],
        read,
    )
}

/// The payment with that id.
pub fn by_id(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Option<Payment>, StoreError> {
    tx.query_opt(&format!("SELECT {COLUMNS} FROM payments WHERE account_id = ?1 AND id = ?2"), &params![account, id], read)
}

/// The latest day of a payment on an invoice or of a credit note that takes it back.
pub fn last_settled_on(tx: &mut Tx<'_>, account: i64, invoice: i64) -> Result<Option<Date>, StoreError> {
    let paid = by_invoice(tx, account, invoice)?.into_iter().map(|payment| payment.date).max();
    let credited = tx.query(
        "SELECT invoice_date FROM invoices WHERE account_id = ?1 AND credited_invoice_id = ?2",
        &params![account, invoice],
        |row| row.date(0),
    )?;
    Ok(paid.into_iter().chain(credited).max())
}
