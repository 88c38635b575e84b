//! What payment providers paid out.

use crate::{
    Page, StoreError, SyncFilter, Tx,
    engine::record::{self, columns_by_name, record},
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
