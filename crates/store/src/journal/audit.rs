//! What an audit file tells beside the entries: how many lines there are, and what customers owe.

use crate::{StoreError, Tx, param::Param, params, tx::id_list};
use jiff::civil::Date;
use ledger::money::Cents;

/// How many postings the entries of a period have.
pub fn lines(tx: &mut Tx<'_>, account: i64, first: Date, last: Date) -> Result<i64, StoreError> {
    let sql = "SELECT COUNT(*) FROM postings WHERE account_id = ?1 AND date BETWEEN ?2 AND ?3";
    tx.query_one(sql, &params![account, first, last], |row| row.int(0))
}

/// What a customer owed before a period and at its end; negative where they were owed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owed {
    /// The contact.
    pub contact: i64,
    /// Before the first day.
    pub opening: Cents,
    /// At the end of the last.
    pub closing: Cents,
}

/// What customers owed by the entries of their invoices and payments, on some accounts; those who have such entries until the last day.
pub fn owed(tx: &mut Tx<'_>, account: i64, codes: &[i64], first: Date, last: Date) -> Result<Vec<Owed>, StoreError> {
    let mut values: Vec<Param<'_>> = params![account, first, last].into();
    let (places, codes) = id_list(codes, 4);
    values.extend(codes.into_iter().map(Param::Int));
    let part = |document: &str, types: &str, joined: &str| {
        format!(
            "SELECT i.contact_id AS contact, p.date AS date, p.debit - p.credit AS amount
             FROM postings p JOIN entries e ON e.account_id = ?1 AND e.id = p.entry_id {joined}
             JOIN invoices i ON i.account_id = ?1 AND i.id = {document}
             WHERE p.account_id = ?1 AND p.account_code IN ({places}) AND p.date <= ?3 AND e.source_type IN ({types})"
        )
    };
    let invoices = part("e.source_id", "'invoice', 'creditNote'", "");
    let payments = part("y.invoice_id", "'payment', 'refund'", "JOIN payments y ON y.account_id = ?1 AND y.id = e.source_id");
    let write_offs = part("w.invoice_id", "'writeOff'", "JOIN write_offs w ON w.account_id = ?1 AND w.id = e.source_id");
    let sql = format!(
        "SELECT contact, CAST(SUM(CASE WHEN date < ?2 THEN amount ELSE 0 END) AS BIGINT), CAST(SUM(amount) AS BIGINT)
         FROM ({invoices} UNION ALL {payments} UNION ALL {write_offs}) b GROUP BY contact ORDER BY contact"
    );
    tx.query(&sql, &values, |row| {
        Ok(Owed { contact: row.int(0)?, opening: Cents::new(row.int(1)?), closing: Cents::new(row.int(2)?) })
    })
}

/// Whom payments are from: payment and contact.
pub fn payers(tx: &mut Tx<'_>, account: i64, payments: &[i64]) -> Result<Vec<(i64, i64)>, StoreError> {
    let (places, ids) = id_list(payments, 2);
    let mut values: Vec<Param<'_>> = params![account].into();
    values.extend(ids.into_iter().map(Param::Int));
    let sql = format!(
        "SELECT y.id, i.contact_id FROM payments y JOIN invoices i ON i.account_id = ?1 AND i.id = y.invoice_id
         WHERE y.account_id = ?1 AND y.id IN ({places})"
    );
    tx.query(&sql, &values, |row| Ok((row.int(0)?, row.int(1)?)))
}

/// Whose invoices are: invoice and contact.
pub fn customers(tx: &mut Tx<'_>, account: i64, invoices: &[i64]) -> Result<Vec<(i64, i64)>, StoreError> {
    let (places, ids) = id_list(invoices, 2);
    let mut values: Vec<Param<'_>> = params![account].into();
    values.extend(ids.into_iter().map(Param::Int));
    let sql = format!("SELECT id, contact_id FROM invoices WHERE account_id = ?1 AND id IN ({places})");
    tx.query(&sql, &values, |row| Ok((row.int(0)?, row.int(1)?)))
}

/// Whose invoices were written off: write-off and contact.
pub fn debtors(tx: &mut Tx<'_>, account: i64, write_offs: &[i64]) -> Result<Vec<(i64, i64)>, StoreError> {
    let (places, ids) = id_list(write_offs, 2);
    let mut values: Vec<Param<'_>> = params![account].into();
    values.extend(ids.into_iter().map(Param::Int));
    let sql = format!(
        "SELECT w.id, i.contact_id FROM write_offs w JOIN invoices i ON i.account_id = ?1 AND i.id = w.invoice_id
         WHERE w.account_id = ?1 AND w.id IN ({places})"
    );
    tx.query(&sql, &values, |row| Ok((row.int(0)?, row.int(1)?)))
}
