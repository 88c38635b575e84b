//! Queue of what falls due by itself: per account and kind of work, the time at which the next of it
//! is due. A node leases the work of an account; what must happen once is guarded by the rows that
//! the work writes, so a lost lease does no harm.

use crate::{
    StoreError, Tx,
    engine::record::{self, columns_by_name},
    params,
};
use jiff::Timestamp;

/// Kind of work that falls due by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DueKind {
    /// Invoices of recurring invoices.
    RecurringInvoice,
    /// Reminders about overdue invoices.
    Reminder,
}

impl DueKind {
    /// All kinds.
    pub const ALL: [Self; 2] = [Self::RecurringInvoice, Self::Reminder];

    /// Name in the database and at the command line.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::RecurringInvoice => "recurringInvoice",
            Self::Reminder => "reminder",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

columns_by_name!(DueKind);

/// Sets the time of the server at which the next work of a kind is due; `None` if there is none. A
/// lease stays.
///
/// # Errors
/// The storage failed.
pub fn plan(
    tx: &mut Tx<'_>,
    account: i64,
    kind: DueKind,
    due_at: Option<Timestamp>,
) -> Result<(), StoreError> {
    match due_at {
        Some(due_at) => tx.execute(
            "INSERT INTO due_work (account_id, kind, due_at) VALUES (?1, ?2, ?3)
             ON CONFLICT (account_id, kind) DO UPDATE SET due_at = excluded.due_at",
            &params![account, kind.as_str(), due_at],
        ),
        None => tx.execute(
            "DELETE FROM due_work WHERE account_id = ?1 AND kind = ?2",
            &params![account, kind.as_str()],
        ),
    }
}

/// Time of the server at which the next work of a kind is due; `None` if there is none.
///
/// # Errors
/// The storage failed.
pub fn due_at(
    tx: &mut Tx<'_>,
    account: i64,
    kind: DueKind,
) -> Result<Option<Timestamp>, StoreError> {
    let sql = "SELECT due_at FROM due_work WHERE account_id = ?1 AND kind = ?2";
    tx.query_opt(sql, &params![account, kind.as_str()], |row| row.time(0))
}

/// Accounts with work that is due and that no node works on, the longest due first. Reads all
/// accounts without locks; each node calls it at most once a second.
///
/// # Errors
/// The storage failed.
pub fn due(tx: &mut Tx<'_>, now: Timestamp, limit: i64) -> Result<Vec<(i64, DueKind)>, StoreError> {
    tx.query(
        "SELECT account_id, kind FROM due_work WHERE due_at <= ?1 AND (leased_until IS NULL OR leased_until <= ?1)
         ORDER BY due_at, account_id LIMIT ?2",
        &params![now, limit],
        record::read,
    )
}

/// Accounts that have work of a kind, due or not, for the operator; reads all accounts.
///
/// # Errors
/// The storage failed.
pub fn accounts(tx: &mut Tx<'_>, kind: DueKind) -> Result<Vec<i64>, StoreError> {
    let sql = "SELECT account_id FROM due_work WHERE kind = ?1 ORDER BY account_id";
    tx.query(sql, &params![kind.as_str()], |row| row.int(0))
}

/// Leases the due work of an account to a node; returns whether it did.
///
/// # Errors
/// The storage failed.
pub fn claim(
    tx: &mut Tx<'_>,
    (account, kind): (i64, DueKind),
    node: &str,
    now: Timestamp,
    until: Timestamp,
) -> Result<bool, StoreError> {
    let claimed = tx.query_opt(
        "UPDATE due_work SET node = ?3, leased_until = ?5
         WHERE account_id = ?1 AND kind = ?2 AND due_at <= ?4 AND (leased_until IS NULL OR leased_until <= ?4)
         RETURNING account_id",
        &params![account, kind.as_str(), node, now, until],
        |row| row.int(0),
    )?;
    Ok(claimed.is_some())
}

/// Ends the lease of a node.
///
/// # Errors
/// The storage failed.
pub fn release(
    tx: &mut Tx<'_>,
    (account, kind): (i64, DueKind),
    node: &str,
) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE due_work SET node = NULL, leased_until = NULL WHERE account_id = ?1 AND kind = ?2 AND node = ?3",
        &params![account, kind.as_str(), node],
    )
}
