//! Payments of VAT to the tax office, and refunds from it.

use crate::{
    ListFilter, ListPart, Page, StoreError, SyncFilter, Tx,
    engine::{
        filter::Filter,
        record::record,
        table::{self, table_functions},
    },
    params,
};
use jiff::{Timestamp, civil::Date};
use ledger::{booking::MoneyAccount, chart::AccountCode, money::Cents, vat_period::VatPeriod};

/// Stored VAT payment.
#[derive(Debug, Clone)]
pub struct VatPayment {
    /// Unique within the account, among all manual bookings.
    pub id: i64,
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// Date of the payment.
    pub date: Date,
    /// Amount paid; negative for a refund.
    pub amount: Cents,
    /// Account from which the payment was made, or into which the refund was received.
    pub method: MoneyAccount,
    /// Description by the owner.
    pub description: Option<String>,
    /// VAT period to whose return the payment belongs, if given.
    pub period: Option<VatPeriod>,
    /// Quarter of the return of the Union scheme (OSS) to which the payment belongs, if any.
    pub oss_period: Option<VatPeriod>,
    /// Id of the journal entry for the payment.
    pub entry_id: i64,
    /// Time at which the payment was undone.
    pub undone_at: Option<Timestamp>,
    /// Time of recording.
    pub created_at: Timestamp,
}

impl VatPayment {
    /// Time of the last change: when the payment was undone, or else when it was recorded.
    #[must_use]
    pub fn updated_at(&self) -> Timestamp {
        self.undone_at.unwrap_or(self.created_at)
    }
}

record! {
    "vat_payments": VatPayment {
        "id": id,
        "external_id": external_id,
        "date": date,
        "amount": amount,
        "method": method,
        "description": description,
        "period": period,
        "oss_period": oss_period,
        "entry_id": entry_id,
        "undone_at": undone_at,
        "created_at": created_at,
    }
}
table_functions!(VatPayment: insert, by_id, by_external_id);

/// Records that a payment was undone.
pub fn undo(tx: &mut Tx<'_>, account: i64, id: i64, now: Timestamp) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE vat_payments SET undone_at = ?3 WHERE account_id = ?1 AND id = ?2",
        &params![account, id, now],
    )
}

/// Payments with an id above `after`, oldest first.
pub fn page(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &SyncFilter,
    after: i64,
    limit: i64,
) -> Result<Page<VatPayment>, StoreError> {
    let mut wanted = filter.of_undoable(account);
    wanted.with("id >", after);
    table::page(tx, wanted, "id", limit)
}

/// Payments for the return of the Union scheme of a quarter, including undone ones, oldest first.
pub fn of_oss_period(
    tx: &mut Tx<'_>,
    account: i64,
    period: VatPeriod,
) -> Result<Vec<VatPayment>, StoreError> {
    table::all(tx, account, "oss_period", period.to_string())
}

/// Payments for the return of a period, including undone ones, oldest first.
pub fn of_period(
    tx: &mut Tx<'_>,
    account: i64,
    period: VatPeriod,
) -> Result<Vec<VatPayment>, StoreError> {
    table::all(tx, account, "period", period.to_string())
}

/// Amount paid on the VAT account `code` without naming a return, in cents: its debit other than by
/// filed returns, less the payments for a return. Negative if that account began with a debt.
pub fn without_period(
    tx: &mut Tx<'_>,
    account: i64,
    code: AccountCode,
) -> Result<Cents, StoreError> {
    let sum = |row: &crate::row::Row<'_>| Ok(Cents::new(row.int(0)?));
    let booked = tx.query_one(
        "SELECT CAST(COALESCE(SUM(p.debit - p.credit), 0) AS BIGINT) FROM postings p
         JOIN entries e ON e.account_id = ?1 AND e.id = p.entry_id
         WHERE p.account_id = ?1 AND p.account_code = ?2 AND e.source_type <> 'vatFiling'",
        &params![account, i64::from(code.stored())],
        sum,
    )?;
    let of_returns = tx.query_one(
        "SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM vat_payments
         WHERE account_id = ?1 AND period IS NOT NULL AND undone_at IS NULL",
        &params![account],
        sum,
    )?;
    Ok(booked - of_returns)
}

fn listed(account: i64, filter: &ListFilter) -> Filter<'_> {
    let mut wanted = Filter::of(account);
    filter.narrow(
        &mut wanted,
        &["LOWER(COALESCE(description, ''))", "LOWER(COALESCE(period, oss_period, ''))"],
        "amount",
    );
    wanted
}

/// Part of the filtered list of payments, including undone ones.
pub fn table(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &ListFilter,
    part: ListPart,
) -> Result<Vec<VatPayment>, StoreError> {
    table::part(tx, listed(account, filter), part)
}

/// Number of payments in the filtered list, and the total of those that are not undone.
pub fn sums(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &ListFilter,
) -> Result<(i64, Cents), StoreError> {
    let wanted = listed(account, filter);
    let sql = format!(
        "SELECT COUNT(*), CAST(COALESCE(SUM(CASE WHEN undone_at IS NULL THEN amount ELSE 0 END), 0) AS BIGINT)
         FROM vat_payments WHERE {wanted}"
    );
    tx.query_one(&sql, wanted.values(), |row| Ok((row.int(0)?, Cents::new(row.int(1)?))))
}
