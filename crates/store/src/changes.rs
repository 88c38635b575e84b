//! The change feed: events of an account's resources in commit order. [`crate::books::transact`]
//! appends rows while it holds the lock on the account's books, so that no row is ever added below
//! a sequence number that a reader has already seen.

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
    /// Sequence number in the account, from 1.
    pub sequence: i64,
    /// Kind of the resource.
    pub kind: ResourceKind,
    /// Id of the resource.
    pub id: i64,
    /// Kind of event.
    pub event: Event,
    /// Time of the event.
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

/// Appends changes to the feed.
pub(crate) fn append(tx: &mut Tx<'_>, account: i64, changes: &[Change]) -> Result<(), StoreError> {
    record::insert(tx, "changes", Change::COLUMNS, &record::rows(account, changes))
}

/// A row of the feed. For a payment, it also names the invoice, whose id is part of the payment's
/// API path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChangeRow {
    /// The row as stored.
    pub change: Change,
    /// Invoice that the payment belongs to; `None` for other resources.
    pub invoice_id: Option<i64>,
}

/// Returns at most `limit` rows after a sequence number.
///
/// # Errors
/// The storage failed.
pub fn after(
    tx: &mut Tx<'_>,
    account: i64,
    sequence: i64,
    limit: i64,
) -> Result<Vec<ChangeRow>, StoreError> {
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
