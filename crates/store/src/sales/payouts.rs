//! What payment providers paid out.

use crate::{
    ListFilter, ListPart, Page, StoreError, SyncFilter, Tx,
    engine::{
        filter::Filter,
        record::{self, Record, columns_by_name, record},
    },
    params,
};
use jiff::{Timestamp, civil::Date};
use ledger::{money::Cents, payout::FeeVat};

/// A payout as it is stored.
#[derive(Debug, Clone)]
pub struct Payout {
    /// Unique inside the account.
    pub id: i64,
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// The day on which it reached the bank.
    pub date: Date,
    /// What reached the bank; negative when the provider took money back.
    pub amount: Cents,
    /// What the provider kept, its VAT included where it charged any.
    pub fee: Cents,
    /// How the VAT on the fee is treated.
    pub fee_vat_treatment: FeeVat,
    /// The VAT on the fee: charged, or due by the buyer.
    pub fee_vat: Cents,
    /// The provider's name.
    pub provider: Option<String>,
    /// Its journal entry.
    pub entry_id: i64,
    /// When it was recorded.
    pub created_at: Timestamp,
    /// The entry that takes it back.
    pub undoing_entry_id: Option<i64>,
    /// The day on which it is taken back.
    pub undone_on: Option<Date>,
    /// When it was taken back.
    pub undone_at: Option<Timestamp>,
}

impl Payout {
    /// When it last changed: it is made and perhaps taken back.
    #[must_use]
    pub fn updated_at(&self) -> Timestamp {
        self.undone_at.unwrap_or(self.created_at)
    }
}

columns_by_name!(FeeVat);
record! {
    Payout {
        "id": id,
        "external_id": external_id,
        "date": date,
        "amount": amount,
        "fee": fee,
        "fee_vat_treatment": fee_vat_treatment,
        "fee_vat": fee_vat,
        "provider": provider,
        "entry_id": entry_id,
        "created_at": created_at,
        "undoing_entry_id": undoing_entry_id,
        "undone_on": undone_on,
        "undone_at": undone_at,
    }
}

/// Stores a new payout.
///
/// # Errors
/// The storage failed.
pub fn insert(tx: &mut Tx<'_>, account: i64, payout: &Payout) -> Result<(), StoreError> {
    record::insert(tx, "payouts", Payout::COLUMNS, &payout.values(account))
}

/// Writes a payout anew.
///
/// # Errors
/// The storage failed.
pub fn update(tx: &mut Tx<'_>, account: i64, payout: &Payout) -> Result<(), StoreError> {
    record::update(tx, "payouts", Payout::COLUMNS, &payout.values(account))
}

/// The payout with that id.
///
/// # Errors
/// The storage failed.
pub fn by_id(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Option<Payout>, StoreError> {
    let sql = format!("SELECT {} FROM payouts WHERE account_id = ?1 AND id = ?2", Payout::COLUMNS);
    tx.query_opt(&sql, &params![account, id], Payout::read)
}

/// The payout with that external id.
///
/// # Errors
/// The storage failed.
pub fn by_external_id(tx: &mut Tx<'_>, account: i64, external_id: &str) -> Result<Option<Payout>, StoreError> {
    let sql = format!("SELECT {} FROM payouts WHERE account_id = ?1 AND external_id = ?2", Payout::COLUMNS);
    tx.query_opt(&sql, &params![account, external_id], Payout::read)
}

/// Payouts with an id below `before`, the last one first.
///
/// # Errors
/// The storage failed.
pub fn list(tx: &mut Tx<'_>, account: i64, filter: &SyncFilter, before: i64, limit: i64) -> Result<Page<Payout>, StoreError> {
    let mut wanted = filter.of_undoable(account);
    wanted.with("id <", before);
    let rows = wanted.bind(limit.saturating_add(1));
    let sql = format!("SELECT {} FROM payouts WHERE {wanted} ORDER BY id DESC LIMIT {rows}", Payout::COLUMNS);
    Ok(Page::of(tx.query(&sql, wanted.values(), Payout::read)?, limit))
}

/// The sums of a list of payouts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PayoutSums {
    /// How many there are, those that were taken back too.
    pub count: i64,
    /// What reached the bank with those that were not.
    pub amount: Cents,
    /// What the providers kept of these.
    pub fee: Cents,
}

fn listed(account: i64, filter: &ListFilter) -> Filter<'_> {
    let mut wanted = Filter::of(account);
    filter.narrow(&mut wanted, &["LOWER(COALESCE(provider, ''))"], "amount");
    wanted
}

/// A part of the payouts that a filter lets through.
///
/// # Errors
/// The storage failed.
pub fn table(tx: &mut Tx<'_>, account: i64, filter: &ListFilter, part: ListPart) -> Result<Vec<Payout>, StoreError> {
    let mut wanted = listed(account, filter);
    let (limit, offset) = (wanted.bind(part.limit), wanted.bind(part.offset));
    let (columns, order) = (Payout::COLUMNS, part.order.0.order(part.order.1));
    let sql = format!("SELECT {columns} FROM payouts WHERE {wanted} ORDER BY {order} LIMIT {limit} OFFSET {offset}");
    tx.query(&sql, wanted.values(), Payout::read)
}

/// The sums of all of these.
///
/// # Errors
/// The storage failed.
pub fn sums(tx: &mut Tx<'_>, account: i64, filter: &ListFilter) -> Result<PayoutSums, StoreError> {
    let wanted = listed(account, filter);
    let sql = format!(
        "SELECT COUNT(*), CAST(COALESCE(SUM(CASE WHEN undone_at IS NULL THEN amount ELSE 0 END), 0) AS BIGINT),
         CAST(COALESCE(SUM(CASE WHEN undone_at IS NULL THEN fee ELSE 0 END), 0) AS BIGINT) FROM payouts WHERE {wanted}"
    );
    tx.query_one(&sql, wanted.values(), |row| {
        Ok(PayoutSums { count: row.int(0)?, amount: Cents::new(row.int(1)?), fee: Cents::new(row.int(2)?) })
    })
}
