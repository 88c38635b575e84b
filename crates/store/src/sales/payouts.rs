//! Payouts from payment providers.

use crate::{
    ListFilter, ListPart, Page, StoreError, SyncFilter, Tx,
    engine::{
        filter::Filter,
        record::{columns_by_name, record},
        table::{self, table_functions},
    },
};
use jiff::{Timestamp, civil::Date};
use ledger::{chart::AccountCode, money::Cents, payout::FeeVat};

/// Stored payout.
#[derive(Debug, Clone)]
pub struct Payout {
    /// Unique within the account.
    pub id: i64,
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// Date on which the payout reached the bank.
    pub date: Date,
    /// Amount that reached the bank; negative if the provider withdrew money.
    pub amount: Cents,
    /// Fee withheld by the provider, including any VAT that the provider charged.
    pub fee: Cents,
    /// VAT treatment of the fee.
    pub fee_vat_treatment: FeeVat,
    /// VAT on the fee: charged by the provider, or payable by the business (reverse charge).
    pub fee_vat: Cents,
    /// Name of the provider.
    pub provider: Option<String>,
    /// Bank account that the payout reached, unless it is 1100.
    pub bank_account: Option<AccountCode>,
    /// Account at the provider, unless it is 1130.
    pub provider_account: Option<AccountCode>,
    /// Id of the journal entry for the payout.
    pub entry_id: i64,
    /// Time of recording.
    pub created_at: Timestamp,
    /// Id of the journal entry that reverses the payout.
    pub undoing_entry_id: Option<i64>,
    /// Date of the reversal.
    pub undone_on: Option<Date>,
    /// Time at which the payout was undone.
    pub undone_at: Option<Timestamp>,
}

impl Payout {
    /// Time of the last change: when the payout was undone, or else when it was recorded.
    #[must_use]
    pub fn updated_at(&self) -> Timestamp {
        self.undone_at.unwrap_or(self.created_at)
    }
}

columns_by_name!(FeeVat);
record! {
    "payouts": Payout {
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
        "bank_code": bank_account,
        "provider_code": provider_account,
    }
}
table_functions!(Payout: insert, update, by_id, by_external_id);

/// Payouts with an id below `before`, newest first.
///
/// # Errors
/// The storage failed.
pub fn list(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &SyncFilter,
    before: i64,
    limit: i64,
) -> Result<Page<Payout>, StoreError> {
    let mut wanted = filter.of_undoable(account);
    wanted.with("id <", before);
    table::page(tx, wanted, "id DESC", limit)
}

/// Payouts dated `from` or later with VAT on the fee, ordered by id. Excludes undone payouts.
///
/// # Errors
/// The storage failed.
pub fn with_vat_since(
    tx: &mut Tx<'_>,
    account: i64,
    from: Date,
) -> Result<Vec<Payout>, StoreError> {
    let mut wanted = Filter::of(account);
    wanted.with("date >=", from);
    wanted.and("fee_vat <> 0 AND undone_at IS NULL");
    table::first(tx, wanted, "id", i64::MAX)
}

/// Totals of a list of payouts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PayoutSums {
    /// Number of payouts, including undone ones.
    pub count: i64,
    /// Total amount that reached the bank, excluding undone payouts.
    pub amount: Cents,
    /// Total fees, excluding those of undone payouts.
    pub fee: Cents,
}

fn listed(account: i64, filter: &ListFilter) -> Filter<'_> {
    let mut wanted = Filter::of(account);
    filter.narrow(&mut wanted, &["LOWER(COALESCE(provider, ''))"], "amount");
    wanted
}

/// Section of the filtered list of payouts.
///
/// # Errors
/// The storage failed.
pub fn table(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &ListFilter,
    part: ListPart,
) -> Result<Vec<Payout>, StoreError> {
    table::part(tx, listed(account, filter), part)
}

/// Totals of the filtered list of payouts.
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
        Ok(PayoutSums {
            count: row.int(0)?,
            amount: Cents::new(row.int(1)?),
            fee: Cents::new(row.int(2)?),
        })
    })
}
