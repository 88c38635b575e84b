//! VAT paid to the tax office, or paid back by it.

use crate::{
    ListFilter, ListPart, Page, StoreError, SyncFilter, Tx,
    engine::{
        filter::Filter,
        record::{self, Record, record},
    },
    params,
};
use jiff::{Timestamp, civil::Date};
use ledger::{booking::MoneyAccount, calendar::Quarter, money::Cents};

/// A payment of VAT as it is stored.
#[derive(Debug, Clone)]
pub struct VatPayment {
    /// Unique inside the account, among all that is booked by hand.
    pub id: i64,
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// The day of the payment.
    pub date: Date,
    /// What was paid; negative when the tax office paid it back.
    pub amount: Cents,
    /// From which account, or into which.
    pub method: MoneyAccount,
    /// The owner's own words.
    pub description: Option<String>,
    /// The return that it pays, where that was said.
    pub period: Option<Quarter>,
    /// Its journal entry.
    pub entry_id: i64,
    /// When it was taken back.
    pub undone_at: Option<Timestamp>,
    /// When it was recorded.
    pub created_at: Timestamp,
}

impl VatPayment {
    /// When it last changed: it is made and perhaps taken back.
    #[must_use]
    pub fn updated_at(&self) -> Timestamp {
        self.undone_at.unwrap_or(self.created_at)
    }
}

record! {
    VatPayment {
        "id": id,
        "external_id": external_id,
        "date": date,
        "amount": amount,
        "method": method,
        "description": description,
        "period": period,
        "entry_id": entry_id,
        "undone_at": undone_at,
        "created_at": created_at,
    }
}

/// Stores a new payment.
pub fn insert(tx: &mut Tx<'_>, account: i64, payment: &VatPayment) -> Result<(), StoreError> {
    record::insert(tx, "vat_payments", VatPayment::COLUMNS, &payment.values(account))
}

/// Notes that a payment was taken back.
pub fn undo(tx: &mut Tx<'_>, account: i64, id: i64, now: Timestamp) -> Result<(), StoreError> {
    tx.execute("UPDATE vat_payments SET undone_at = ?3 WHERE account_id = ?1 AND id = ?2", &params![account, id, now])
}

/// The payment with that external id.
pub fn by_external_id(tx: &mut Tx<'_>, account: i64, external_id: &str) -> Result<Option<VatPayment>, StoreError> {
    let sql = format!("SELECT {} FROM vat_payments WHERE account_id = ?1 AND external_id = ?2", VatPayment::COLUMNS);
    tx.query_opt(&sql, &params![account, external_id], VatPayment::read)
}

/// The payment with that id.
pub fn by_id(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Option<VatPayment>, StoreError> {
    let sql = format!("SELECT {} FROM vat_payments WHERE account_id = ?1 AND id = ?2", VatPayment::COLUMNS);
    tx.query_opt(&sql, &params![account, id], VatPayment::read)
}

/// The payments after an id, oldest first.
pub fn page(tx: &mut Tx<'_>, account: i64, filter: &SyncFilter, after: i64, limit: i64) -> Result<Page<VatPayment>, StoreError> {
    let mut wanted = filter.of_undoable(account);
    wanted.with("id >", after);
    let rows = wanted.bind(limit.saturating_add(1));
    let sql = format!("SELECT {} FROM vat_payments WHERE {wanted} ORDER BY id LIMIT {rows}", VatPayment::COLUMNS);
    Ok(Page::of(tx.query(&sql, wanted.values(), VatPayment::read)?, limit))
}

/// The payments on the return of a period, also those that were taken back, oldest first.
pub fn of_period(tx: &mut Tx<'_>, account: i64, period: Quarter) -> Result<Vec<VatPayment>, StoreError> {
    let sql = format!("SELECT {} FROM vat_payments WHERE account_id = ?1 AND period = ?2 ORDER BY id", VatPayment::COLUMNS);
    tx.query(&sql, &params![account, period.to_string()], VatPayment::read)
}

fn listed(account: i64, filter: &ListFilter) -> Filter<'_> {
    let mut wanted = Filter::of(account);
    filter.narrow(&mut wanted, &["LOWER(COALESCE(description, ''))", "LOWER(COALESCE(period, ''))"], "amount");
    wanted
}

/// A part of the payments that a filter lets through, also of those that were taken back.
pub fn table(tx: &mut Tx<'_>, account: i64, filter: &ListFilter, part: ListPart) -> Result<Vec<VatPayment>, StoreError> {
    let mut wanted = listed(account, filter);
    let (limit, offset) = (wanted.bind(part.limit), wanted.bind(part.offset));
    let (columns, order) = (VatPayment::COLUMNS, part.order.0.order(part.order.1));
    let sql = format!("SELECT {columns} FROM vat_payments WHERE {wanted} ORDER BY {order} LIMIT {limit} OFFSET {offset}");
    tx.query(&sql, wanted.values(), VatPayment::read)
}

/// How many these are, and what those of them come to that were not taken back.
pub fn sums(tx: &mut Tx<'_>, account: i64, filter: &ListFilter) -> Result<(i64, Cents), StoreError> {
    let wanted = listed(account, filter);
    let sql = format!(
        "SELECT COUNT(*), CAST(COALESCE(SUM(CASE WHEN undone_at IS NULL THEN amount ELSE 0 END), 0) AS BIGINT)
         FROM vat_payments WHERE {wanted}"
    );
    tx.query_one(&sql, wanted.values(), |row| Ok((row.int(0)?, Cents::new(row.int(1)?))))
}
