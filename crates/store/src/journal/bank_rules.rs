//! Rules for bank lines, and the accounts whose lines wait for automatic rules.

use crate::{
    Page, StoreError, SyncFilter, Tx,
    contacts::archived,
    engine::{
        filter::Filter,
        record::{columns_by_name, record},
        table::{self, table_functions},
    },
    params,
};
use jiff::Timestamp;
use ledger::{bank_line::LineDirection, identifiers::Iban, money::Cents};

/// Rule: conditions on a line, and the booking that follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BankRule {
    /// Unique within the account.
    pub id: i64,
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// Name.
    pub name: String,
    /// Position: the lowest one that fits a line wins.
    pub position: i64,
    /// Bank account of the line.
    pub bank_account_id: Option<i64>,
    /// Direction of the line.
    pub direction: LineDirection,
    /// IBAN of the counterparty.
    pub iban: Option<Iban>,
    /// Creditor identifier of a direct debit.
    pub creditor_id: Option<String>,
    /// Part of the name of the counterparty.
    pub name_contains: Option<String>,
    /// Part of the text.
    pub text_contains: Option<String>,
    /// Minimum amount, without sign.
    pub amount_from: Option<Cents>,
    /// Maximum amount, without sign.
    pub amount_to: Option<Cents>,
    /// Booking: its kind and fields, separated by tabs.
    pub outcome: String,
    /// Whether the program books new lines without asking.
    pub automatic: bool,
    /// Whether the rule is archived and no longer applied.
    pub archived: bool,
    /// Time of creation.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

columns_by_name!(LineDirection);

record! {
    "bank_rules": BankRule {
        "id": id,
        "external_id": external_id,
        "name": name,
        "position": position,
        "bank_account_id": bank_account_id,
        "direction": direction,
        "iban": iban,
        "creditor_id": creditor_id,
        "name_contains": name_contains,
        "text_contains": text_contains,
        "amount_from": amount_from,
        "amount_to": amount_to,
        "outcome": outcome,
        "automatic": automatic,
        "status": archived with archived,
        "created_at": created_at,
        "updated_at": updated_at,
    }
}
table_functions!(BankRule: insert, update, by_id, by_external_id);

/// Rules with an id above `after`, ordered by id.
///
/// # Errors
/// The storage failed.
pub fn list(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &SyncFilter,
    after: i64,
    limit: i64,
) -> Result<Page<BankRule>, StoreError> {
    let mut wanted = Filter::of(account);
    wanted.given("external_id =", filter.external_id.as_deref());
    wanted.updated(filter.updated);
    wanted.with("id >", after);
    table::page(tx, wanted, "id", limit)
}

/// Active rules, the first one that fits a line first.
///
/// # Errors
/// The storage failed.
pub fn active(tx: &mut Tx<'_>, account: i64) -> Result<Vec<BankRule>, StoreError> {
    let mut wanted = Filter::of(account);
    wanted.and("status = 'active'");
    table::first(tx, wanted, "position, id", i64::MAX)
}

/// Puts an account into the queue of those whose new lines wait for automatic rules.
///
/// # Errors
/// The storage failed.
pub fn queue(tx: &mut Tx<'_>, account: i64, now: Timestamp) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO bank_rule_runs (account_id, queued_at) VALUES (?1, ?2)
         ON CONFLICT (account_id) DO UPDATE SET queued_at = excluded.queued_at",
        &params![account, now],
    )
}

/// Queues an account as [`queue`] does, if it has an automatic rule.
///
/// # Errors
/// The storage failed.
pub fn queue_if_automatic(tx: &mut Tx<'_>, account: i64, now: Timestamp) -> Result<(), StoreError> {
    if active(tx, account)?.iter().any(|rule| rule.automatic) {
        queue(tx, account, now)?;
    }
    Ok(())
}

/// Accounts in the queue that no node works on, the longest waiting first.
///
/// # Errors
/// The storage failed.
pub fn queued(tx: &mut Tx<'_>, now: Timestamp, limit: i64) -> Result<Vec<i64>, StoreError> {
    tx.query(
        "SELECT account_id FROM bank_rule_runs WHERE leased_until IS NULL OR leased_until <= ?1
         ORDER BY queued_at, account_id LIMIT ?2",
        &params![now, limit],
        |row| row.int(0),
    )
}

/// Leases an account to a node. Returns the time at which it was queued, or `None` if another node
/// was faster.
///
/// # Errors
/// The storage failed.
pub fn claim(
    tx: &mut Tx<'_>,
    account: i64,
    node: &str,
    now: Timestamp,
    until: Timestamp,
) -> Result<Option<Timestamp>, StoreError> {
    tx.query_opt(
        "UPDATE bank_rule_runs SET node = ?2, leased_until = ?4
         WHERE account_id = ?1 AND (leased_until IS NULL OR leased_until <= ?3) RETURNING queued_at",
        &params![account, node, now, until],
        |row| row.time(0),
    )
}

/// Removes an account from the queue. If it was queued again meanwhile, only the lease ends.
///
/// # Errors
/// The storage failed.
pub fn finish(
    tx: &mut Tx<'_>,
    account: i64,
    node: &str,
    queued_at: Timestamp,
) -> Result<(), StoreError> {
    tx.execute(
        "DELETE FROM bank_rule_runs WHERE account_id = ?1 AND node = ?2 AND queued_at = ?3",
        &params![account, node, queued_at],
    )?;
    tx.execute(
        "UPDATE bank_rule_runs SET node = NULL, leased_until = NULL WHERE account_id = ?1 AND node = ?2",
        &params![account, node],
    )
}
