//! Data for an audit file apart from the entries themselves: number of lines, and balances of
//! customers and suppliers.

use super::read_code;
use crate::{StoreError, Tx, param::Param, params, tx::id_list};
use jiff::civil::Date;
use ledger::{chart::AccountCode, money::Cents};

/// Number of postings in a period.
pub fn lines(tx: &mut Tx<'_>, account: i64, first: Date, last: Date) -> Result<i64, StoreError> {
    let sql = "SELECT COUNT(*) FROM postings WHERE account_id = ?1 AND date BETWEEN ?2 AND ?3";
    tx.query_one(sql, &params![account, first, last], |row| row.int(0))
}

/// Balances of a customer or supplier on a ledger account at the start and at the end of a period;
/// negative if the business owes the amount.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owed {
    /// The contact; `None` if the supplier is known by name only.
    pub contact: Option<i64>,
    /// Name of a supplier who is not a contact.
    pub supplier: Option<String>,
    /// Ledger account.
    pub account: AccountCode,
    /// Balance before the first day.
    pub opening: Cents,
    /// Balance at the end of the last day.
    pub closing: Cents,
}

/// Balances of customers and suppliers on the given ledger accounts, computed from the entries of
/// invoices, bills, payments and write-offs up to the last day.
pub fn owed(
    tx: &mut Tx<'_>,
    account: i64,
    codes: &[i64],
    first: Date,
    last: Date,
) -> Result<Vec<Owed>, StoreError> {
    let mut values: Vec<Param<'_>> = params![account, first, last].into();
    let (places, codes) = id_list(codes, 4);
    values.extend(codes.into_iter().map(Param::Int));
    let part = |party: &str, types: &str, joined: &str| {
        format!(
            "SELECT {party}, p.account_code AS code, p.date AS date, p.debit - p.credit AS amount
             FROM postings p JOIN entries e ON e.account_id = ?1 AND e.id = p.entry_id {joined}
             WHERE p.account_id = ?1 AND p.account_code IN ({places}) AND p.date <= ?3 AND e.source_type IN ({types})"
        )
    };
    let customer = "i.contact_id AS contact, CAST(NULL AS TEXT) AS supplier";
    let invoice =
        |document: &str| format!("JOIN invoices i ON i.account_id = ?1 AND i.id = {document}");
    let by = |table: &str| {
        format!(
            "JOIN {table} d ON d.account_id = ?1 AND d.id = e.source_id {}",
            invoice("d.invoice_id")
        )
    };
    let supplier =
        "x.contact_id AS contact, CASE WHEN x.contact_id IS NULL THEN x.supplier END AS supplier";
    let parts = [
        part(customer, "'invoice', 'creditNote'", &invoice("e.source_id")),
        part(customer, "'payment', 'refund'", &by("payments")),
        part(customer, "'writeOff'", &by("write_offs")),
        part(supplier, "'expense'", "JOIN expenses x ON x.account_id = ?1 AND x.id = e.source_id"),
    ];
    let sql = format!(
        "SELECT contact, supplier, code, CAST(SUM(CASE WHEN date < ?2 THEN amount ELSE 0 END) AS BIGINT), CAST(SUM(amount) AS BIGINT)
         FROM ({}) b GROUP BY contact, supplier, code ORDER BY contact, supplier, code",
        parts.join(" UNION ALL ")
    );
    tx.query(&sql, &values, |row| {
        Ok(Owed {
            contact: row.opt_int(0)?,
            supplier: row.opt_text(1)?,
            account: read_code(row, 2)?,
            opening: Cents::new(row.int(3)?),
            closing: Cents::new(row.int(4)?),
        })
    })
}

/// Expense id, contact id of the supplier, and name of a supplier who is not a contact.
pub type ExpenseSupplier = (i64, Option<i64>, Option<String>);

/// Suppliers of the given expenses.
///
/// # Errors
/// The storage failed.
pub fn suppliers(
    tx: &mut Tx<'_>,
    account: i64,
    expenses: &[i64],
) -> Result<Vec<ExpenseSupplier>, StoreError> {
    let (places, ids) = id_list(expenses, 2);
    let mut values: Vec<Param<'_>> = params![account].into();
    values.extend(ids.into_iter().map(Param::Int));
    let sql = format!(
        "SELECT id, contact_id, supplier FROM expenses WHERE account_id = ?1 AND id IN ({places})"
    );
    tx.query(&sql, &values, |row| Ok((row.int(0)?, row.opt_int(1)?, row.opt_text(2)?)))
}

/// Payers of the given payments: pairs of payment id and contact id.
pub fn payers(
    tx: &mut Tx<'_>,
    account: i64,
    payments: &[i64],
) -> Result<Vec<(i64, i64)>, StoreError> {
    let (places, ids) = id_list(payments, 2);
    let mut values: Vec<Param<'_>> = params![account].into();
    values.extend(ids.into_iter().map(Param::Int));
    let sql = format!(
        "SELECT y.id, i.contact_id FROM payments y JOIN invoices i ON i.account_id = ?1 AND i.id = y.invoice_id
         WHERE y.account_id = ?1 AND y.id IN ({places})"
    );
    tx.query(&sql, &values, |row| Ok((row.int(0)?, row.int(1)?)))
}

/// Customers of the given invoices: pairs of invoice id and contact id.
pub fn customers(
    tx: &mut Tx<'_>,
    account: i64,
    invoices: &[i64],
) -> Result<Vec<(i64, i64)>, StoreError> {
    let (places, ids) = id_list(invoices, 2);
    let mut values: Vec<Param<'_>> = params![account].into();
    values.extend(ids.into_iter().map(Param::Int));
    let sql =
        format!("SELECT id, contact_id FROM invoices WHERE account_id = ?1 AND id IN ({places})");
    tx.query(&sql, &values, |row| Ok((row.int(0)?, row.int(1)?)))
}

/// Debtors of the given write-offs: pairs of write-off id and contact id.
pub fn debtors(
    tx: &mut Tx<'_>,
    account: i64,
    write_offs: &[i64],
) -> Result<Vec<(i64, i64)>, StoreError> {
    let (places, ids) = id_list(write_offs, 2);
    let mut values: Vec<Param<'_>> = params![account].into();
    values.extend(ids.into_iter().map(Param::Int));
    let sql = format!(
        "SELECT w.id, i.contact_id FROM write_offs w JOIN invoices i ON i.account_id = ?1 AND i.id = w.invoice_id
         WHERE w.account_id = ?1 AND w.id IN ({places})"
    );
    tx.query(&sql, &values, |row| Ok((row.int(0)?, row.int(1)?)))
}
