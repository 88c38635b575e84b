//! The change feed: what happened to the resources of an account, in the order in which it was committed. Rows are only ever appended, by
//! [`crate::books::transact`] while it holds the account's books, so that whoever read up to a sequence number has missed nothing before it.

pub use crate::change_kinds::{Event, ResourceKind, Topic, WEBHOOK_TYPES};
use crate::{
    StoreError, Tx,
    engine::record::{self, Record, columns_by_name, record},
    params,
};
use jiff::Timestamp;

columns_by_name!(ResourceKind, Event);

/// A row of the feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    /// Counts from 1 inside the account.
    pub sequence: i64,
    /// What it is a change of.
    pub kind: ResourceKind,
    /// Of which.
    pub id: i64,
    /// What became of it.
    pub event: Event,
    /// When.
    pub at: Timestamp,
}

record! {
    Change {
        "sequence": sequence,
        "kind": kind,
        "resource_id": id,
        "event": event,
        "at": at,
    }
}

/// Appends to the feed.
pub(crate) fn append(tx: &mut Tx<'_>, account: i64, changes: &[Change]) -> Result<(), StoreError> {
    record::insert(tx, "changes", Change::COLUMNS, &record::rows(account, changes))
}

/// A row of the feed, with the invoice of a payment: without it nobody could read the payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChangeRow {
    /// The change.
    pub change: Change,
    /// Of a payment, its invoice.
    pub invoice_id: Option<i64>,
}

/// What follows a sequence number, `limit` rows at the most.
///
/// # Errors
/// The storage failed.
pub fn after(tx: &mut Tx<'_>, account: i64, sequence: i64, limit: i64) -> Result<Vec<ChangeRow>, StoreError> {
    let sql = format!(
        "SELECT {}, p.invoice_id FROM changes c
         LEFT JOIN payments p ON c.kind = 'payment' AND p.account_id = ?1 AND p.id = c.resource_id
         WHERE c.account_id = ?1 AND c.sequence > ?2 ORDER BY c.sequence LIMIT ?3",
        record::of("c", Change::COLUMNS)
    );
    tx.query(&sql, &params![account, sequence, limit], |row| {
        let (change, invoice_id) = record::read(row)?;
        Ok(ChangeRow { change, invoice_id })
    })
}
