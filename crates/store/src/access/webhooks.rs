//! Webhooks: the endpoints that receive an account's events, and the outgoing messages. A message
//! is written in the transaction of the command, claimed by a lease, and delivered at least once.

use crate::engine::filter::Filter;
use crate::{
    Page, StoreError, Tx, Updated,
    changes::Change,
    engine::{
        record::{self, Record, Table, columns_by_name, record},
        table::{self, table_functions},
    },
    params,
    row::Row,
};
use jiff::Timestamp;

/// A webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    /// Unique within the account.
    pub id: i64,
    /// Random prefix that makes the ids of the webhook's messages unique across accounts.
    pub token: String,
    /// URL of the endpoint.
    pub url: String,
    /// Subscribed event types, as the client listed them; empty for all.
    pub types: Types,
    /// Description by the owner.
    pub description: Option<String>,
    /// Signing secret, encrypted.
    pub secret: String,
    /// Previous signing secret, encrypted.
    pub former_secret: Option<String>,
    /// Time until which messages are signed with both secrets.
    pub former_until: Option<Timestamp>,
    /// Time since which no message has been accepted; `None` if the last one was accepted.
    pub failing_since: Option<Timestamp>,
    /// Time since which the webhook has been disabled.
    pub disabled_at: Option<Timestamp>,
    /// Reason why the webhook is disabled.
    pub disabled_because: Option<Disabled>,
    /// The API key that created the webhook, or last enabled it or changed its URL.
    pub key_id: Option<i64>,
    /// Grant with which a connected application created the webhook, or last enabled it or changed
    /// its URL.
    pub grant_id: Option<String>,
    /// Name of the API key or application; `None` if the owner made or last changed the webhook.
    pub made_by: Option<String>,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

record! {
    "webhooks": Webhook {
        "id": id,
        "token": token,
        "url": url,
        "types": types,
        "description": description,
        "secret": secret,
        "former_secret": former_secret,
        "former_until": former_until,
        "failing_since": failing_since,
        "disabled_at": disabled_at,
        "disabled_because": disabled_because,
        "key_id": key_id,
        "grant_id": grant_id,
        "made_by": made_by,
        "created_at": created_at,
        "updated_at": updated_at,
    }
}
table_functions!(Webhook: insert, update, by_id, after);

/// Event types.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Types(pub Vec<String>);

impl record::Column for Types {
    fn take(row: &Row<'_>, at: &mut usize) -> Result<Self, StoreError> {
        let stored = row.text(record::next(at))?;
        Ok(Self(stored.split_ascii_whitespace().map(str::to_owned).collect()))
    }

    fn put<'v>(&'v self, values: &mut Vec<crate::param::Param<'v>>) {
        // Each name is surrounded by spaces, so that a search for ` name ` never matches part of a
        // longer name.
        let stored: String = self.0.iter().map(|name| format!(" {name} ")).collect();
        values.push(stored.into());
    }
}

/// Reason why a webhook is disabled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disabled {
    /// Disabled by the owner.
    ByOwner,
    /// The attempts to deliver a message have failed for three days.
    Failing,
    /// The receiver answered 410 (Gone).
    Gone,
    /// The API key in [`Webhook::key_id`] was revoked.
    KeyRevoked,
    /// The application with the grant in [`Webhook::grant_id`] is no longer connected.
    Disconnected,
}

/// Credential of a program that creates webhooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program<'p> {
    /// An API key, by its id.
    Key(i64),
    /// A grant of a connected application, by its id.
    Grant(&'p str),
}

/// Status of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryStatus {
    /// In progress or waiting for a retry.
    Pending,
    /// Accepted by the receiver.
    Delivered,
    /// Given up: no more attempts are scheduled.
    Failed,
}

macro_rules! names {
    ($kind:ident { $($variant:ident => $name:literal),+ $(,)? }) => {
        impl $kind {
            /// Every name in the API and in the database.
            pub const NAMES: &[&str] = &[$($name),+];

            /// The name in the API and in the database.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            fn parse(text: &str) -> Option<Self> {
                match text { $($name => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}
names!(Disabled {
    ByOwner => "byOwner",
    Failing => "failing",
    Gone => "gone",
    KeyRevoked => "keyRevoked",
    Disconnected => "disconnected",
});
names!(DeliveryStatus { Pending => "pending", Delivered => "delivered", Failed => "failed" });
columns_by_name!(DeliveryStatus);

impl record::Column for Option<Disabled> {
    fn take(row: &Row<'_>, at: &mut usize) -> Result<Self, StoreError> {
        Ok(row.opt_text(record::next(at))?.as_deref().and_then(Disabled::parse))
    }

    fn put<'v>(&'v self, values: &mut Vec<crate::param::Param<'v>>) {
        values.push(self.map(Disabled::as_str).into());
    }
}

/// A message to a webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// Id of the webhook to which the message is sent.
    pub webhook_id: i64,
    /// Unique within the webhook.
    pub id: i64,
    /// Event type, such as `invoice.paid`.
    pub kind: String,
    /// Resource of the event; `None` for a test message.
    pub resource_id: Option<i64>,
    /// Sequence number of the change that the message reports.
    pub sequence: i64,
    /// Time of the event.
    pub at: Timestamp,
    /// Status of the message.
    pub status: DeliveryStatus,
    /// Number of attempts.
    pub attempts: i64,
    /// Start of the current series of attempts: the first attempt, or the first one after a resend
    /// was requested. Until that attempt is made: time from which the message is due.
    pub since: Timestamp,
    /// Number of attempts in the current series.
    pub tries: i64,
    /// Time of the next attempt, if any; `None` before the first attempt. While an attempt is
    /// running: end of the lease.
    pub next_at: Option<Timestamp>,
    /// Node that holds the lease on the message.
    pub claimed_by: Option<String>,
    /// Time of the last attempt.
    pub attempted_at: Option<Timestamp>,
    /// Status of the last response.
    pub answer_status: Option<i64>,
    /// Beginning of the last response body.
    pub answer: Option<String>,
    /// Reason why there was no response.
    pub cause: Option<String>,
}

record! {
    Delivery {
        "webhook_id": webhook_id,
        "id": id,
        "kind": kind,
        "resource_id": resource_id,
        "sequence": sequence,
        "at": at,
        "status": status,
        "attempts": attempts,
        "since": since,
        "tries": tries,
        "next_at": next_at,
        "claimed_by": claimed_by,
        "attempted_at": attempted_at,
        "answer_status": answer_status,
        "answer": answer,
        "cause": cause,
    }
}

impl Delivery {
    /// Creates a message that is due from `since`. Takes the ids of the webhook and the message,
    /// the event type, the resource, and the sequence number and time of the change.
    #[must_use]
    pub fn new(
        (webhook_id, id): (i64, i64),
        kind: &str,
        resource_id: Option<i64>,
        (sequence, at): (i64, Timestamp),
        since: Timestamp,
    ) -> Self {
        Self {
            webhook_id,
            id,
            kind: kind.to_owned(),
            resource_id,
            sequence,
            at,
            status: DeliveryStatus::Pending,
            attempts: 0,
            since,
            tries: 0,
            next_at: None,
            claimed_by: None,
            attempted_at: None,
            answer_status: None,
            answer: None,
            cause: None,
        }
    }

    /// Time of the next attempt; `None` if no attempt will follow.
    #[must_use]
    pub fn due_at(&self) -> Option<Timestamp> {
        self.next_at.or((self.status == DeliveryStatus::Pending).then_some(self.since))
    }
}

/// Removes a webhook with its messages.
pub fn remove(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<(), StoreError> {
    tx.execute(
        "DELETE FROM webhook_deliveries WHERE account_id = ?1 AND webhook_id = ?2",
        &params![account, id],
    )?;
    tx.execute("DELETE FROM webhooks WHERE account_id = ?1 AND id = ?2", &params![account, id])
}

/// Page of the webhooks of an account, optionally only those that changed since a given time.
pub fn page(
    tx: &mut Tx<'_>,
    account: i64,
    updated: Option<Updated>,
    after: i64,
    limit: i64,
) -> Result<Page<Webhook>, StoreError> {
    let mut wanted = Filter::of(account);
    wanted.with("id >", after);
    wanted.updated(updated);
    table::page(tx, wanted, "id", limit)
}

/// Like [`by_id`], and locks the row until the end of the transaction.
pub fn lock(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Option<Webhook>, StoreError> {
    let sql = Webhook::select("account_id = ?1 AND id = ?2");
    tx.query_opt_for_update(&sql, &params![account, id], Webhook::read)
}

/// A message to all webhooks that subscribe to its event.
pub(crate) struct Message<'m> {
    /// Unique within the account.
    pub(crate) id: i64,
    /// Event type, such as `invoice.paid`.
    pub(crate) name: &'m str,
    /// Change that the message reports.
    pub(crate) change: &'m Change,
    /// Time from which the message is due.
    pub(crate) since: Timestamp,
}

/// Stores a message for each webhook that subscribes to the event. Uses a single statement and no
/// preceding query, so that the command does not have to wait for an answer.
pub(crate) fn report(
    tx: &mut Tx<'_>,
    account: i64,
    message: &Message<'_>,
) -> Result<(), StoreError> {
    let Message { id, name, change, since } = *message;
    let (one, all_of_kind) = (format!("% {name} %"), format!("% {}.* %", change.kind.as_str()));
    let delivery =
        Delivery::new((0, id), name, Some(change.id), (change.sequence, change.at), since);
    let mut values = delivery.values(account);
    // The query supplies the webhook id of each row, so this value is not needed.
    values.remove(1);
    let places: Vec<String> = (2..=values.len()).map(|place| format!("?{place}")).collect();
    values.extend(params![one, all_of_kind]);
    let sql = format!(
        "INSERT INTO webhook_deliveries (account_id, {}) SELECT ?1, id, {} FROM webhooks
         WHERE account_id = ?1 AND disabled_at IS NULL AND (types = '' OR types LIKE ?{} OR types LIKE ?{})",
        Delivery::COLUMNS,
        places.join(", "),
        values.len() - 1,
        values.len()
    );
    tx.execute(&sql, &values)
}

/// Stores a message.
pub fn insert_delivery(
    tx: &mut Tx<'_>,
    account: i64,
    delivery: &Delivery,
) -> Result<(), StoreError> {
    record::insert(tx, "webhook_deliveries", Delivery::COLUMNS, &delivery.values(account))
}

/// Stores the result of an attempt if `by` still holds the lease; returns whether it does.
pub fn settle(
    tx: &mut Tx<'_>,
    account: i64,
    delivery: &Delivery,
    by: &str,
) -> Result<bool, StoreError> {
    let sql =
        "UPDATE webhook_deliveries SET status = ?5, next_at = ?6, answer_status = ?7, answer = ?8, cause = ?9, claimed_by = NULL
               WHERE account_id = ?1 AND webhook_id = ?2 AND id = ?3 AND claimed_by = ?4 AND attempts = ?10 RETURNING id";
    let values = params![
        account,
        delivery.webhook_id,
        delivery.id,
        by,
        delivery.status.as_str(),
        delivery.next_at,
        delivery.answer_status,
        &delivery.answer,
        &delivery.cause,
        delivery.attempts,
    ];
    Ok(tx.query_opt(sql, &values, |row| row.int(0))?.is_some())
}

/// Makes a message due at `now`, as the start of a new series of attempts.
pub fn again(
    tx: &mut Tx<'_>,
    account: i64,
    webhook: i64,
    id: i64,
    now: Timestamp,
) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE webhook_deliveries SET status = 'pending', since = ?4, tries = 0, next_at = ?4, claimed_by = NULL
         WHERE account_id = ?1 AND webhook_id = ?2 AND id = ?3",
        &params![account, webhook, id, now],
    )
}

/// Ids of the enabled webhooks that refer to a program's credential.
pub fn enabled_of(
    tx: &mut Tx<'_>,
    account: i64,
    program: Program<'_>,
) -> Result<Vec<i64>, StoreError> {
    let (column, id) = match program {
        Program::Key(id) => ("key_id", id.into()),
        Program::Grant(id) => ("grant_id", id.into()),
    };
    let sql = format!(
        "SELECT id FROM webhooks WHERE account_id = ?1 AND {column} = ?2 AND disabled_at IS NULL ORDER BY id"
    );
    tx.query(&sql, &[account.into(), id], |row| row.int(0))
}

/// Gives up the pending messages of a webhook, which must be locked.
pub fn give_up(tx: &mut Tx<'_>, account: i64, webhook: i64) -> Result<(), StoreError> {
    let new = "id > (SELECT w.last_claimed FROM webhooks w WHERE w.account_id = ?1 AND w.id = ?2) AND status = 'pending'";
    for waiting in ["next_at IS NOT NULL", new] {
        let sql = format!(
            "UPDATE webhook_deliveries SET status = 'failed', next_at = NULL, claimed_by = NULL
             WHERE account_id = ?1 AND webhook_id = ?2 AND {waiting}"
        );
        tx.execute(&sql, &params![account, webhook])?;
    }
    tx.execute(
        "UPDATE webhooks SET last_claimed = COALESCE(
             (SELECT MAX(d.id) FROM webhook_deliveries d WHERE d.account_id = ?1 AND d.webhook_id = ?2), last_claimed)
         WHERE account_id = ?1 AND id = ?2",
        &params![account, webhook],
    )
}

/// Messages to a webhook with an id below `before`, newest first, at most `limit`; optionally only
/// those with a given status.
pub fn deliveries(
    tx: &mut Tx<'_>,
    account: i64,
    webhook: i64,
    status: Option<DeliveryStatus>,
    before: i64,
    limit: i64,
) -> Result<Vec<Delivery>, StoreError> {
    let sql = format!(
        "SELECT {} FROM webhook_deliveries WHERE account_id = ?1 AND webhook_id = ?2 AND id < ?3 AND (?4 = '' OR status = ?4)
         ORDER BY id DESC LIMIT ?5",
        Delivery::COLUMNS
    );
    let status = status.map_or("", DeliveryStatus::as_str);
    tx.query(&sql, &params![account, webhook, before, status, limit], Delivery::read)
}

/// Message with this id.
pub fn delivery(
    tx: &mut Tx<'_>,
    account: i64,
    webhook: i64,
    id: i64,
) -> Result<Option<Delivery>, StoreError> {
    let columns = Delivery::COLUMNS;
    let sql = format!(
        "SELECT {columns} FROM webhook_deliveries WHERE account_id = ?1 AND webhook_id = ?2 AND id = ?3"
    );
    tx.query_opt(&sql, &params![account, webhook, id], Delivery::read)
}

/// A webhook with a message that is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Due {
    /// The account.
    pub account: i64,
    /// Account whose turn in the fair queue is used: the account itself, or the live account if
    /// this is a test account.
    pub turns_as: i64,
    /// The webhook.
    pub webhook: i64,
    /// Whether the last message, if any, was accepted.
    pub healthy: bool,
}

/// Webhooks with a message that is due: at most `limit` healthy and `limit` failing ones. The
/// longest-waiting webhook of every account comes before the second one of any account, and so on,
/// so that an account with many webhooks does not shut out the others.
///
/// The query covers all accounts. It locks nothing, and a node runs it at most a few times a
/// second. Its cost grows with the number of webhooks, not with that of waiting messages.
pub fn due(tx: &mut Tx<'_>, now: Timestamp, limit: i64) -> Result<Vec<Due>, StoreError> {
    let mut webhooks = Vec::new();
    for (healthy, are) in [(true, "IS NULL"), (false, "IS NOT NULL")] {
        let sql = format!(
            "SELECT account_id, turns_as, id FROM (
                 SELECT account_id, turns_as, id, next_at, ROW_NUMBER() OVER (PARTITION BY account_id ORDER BY next_at, id) AS place FROM (
                     SELECT w.account_id, w.turns_as, w.id, CASE WHEN w.retry_at <= ?1 THEN w.retry_at ELSE n.since END AS next_at FROM (
                         SELECT w.account_id, COALESCE(a.test_of, a.id) AS turns_as, w.id,
                             (SELECT MIN(d.next_at) FROM webhook_deliveries d
                              WHERE d.account_id = w.account_id AND d.webhook_id = w.id AND d.next_at IS NOT NULL) AS retry_at,
                             (SELECT MIN(d.id) FROM webhook_deliveries d
                              WHERE d.account_id = w.account_id AND d.webhook_id = w.id AND d.id > w.last_claimed) AS new_id
                         FROM webhooks w JOIN accounts a ON a.id = w.account_id
                         WHERE w.disabled_at IS NULL AND w.failing_since {are}) w
                     LEFT JOIN webhook_deliveries n ON n.account_id = w.account_id AND n.webhook_id = w.id AND n.id = w.new_id) waiting
                 WHERE next_at <= ?1) placed
             ORDER BY place, next_at, account_id, id LIMIT ?2"
        );
        webhooks.extend(tx.query(&sql, &params![now, limit], |row| {
            Ok(Due { account: row.int(0)?, turns_as: row.int(1)?, webhook: row.int(2)?, healthy })
        })?);
    }
    Ok(webhooks)
}

/// Takes the lease on a due message to a webhook: the longest-waiting retry, or else the first new
/// message. New messages are those after the last claimed id. They are not in the index of due
/// messages, because maintaining it would slow down every command that writes a message.
pub fn claim(
    tx: &mut Tx<'_>,
    account: i64,
    webhook: i64,
    by: &str,
    now: Timestamp,
    until: Timestamp,
) -> Result<Option<Delivery>, StoreError> {
    let sql = "SELECT id FROM webhook_deliveries WHERE account_id = ?1 AND webhook_id = ?2 AND next_at <= ?3 ORDER BY next_at, id LIMIT 1";
    let tried = tx.query_opt(sql, &params![account, webhook, now], |row| row.int(0))?;
    let Some(id) = tried.map_or_else(|| claim_new(tx, account, webhook), |id| Ok(Some(id)))? else {
        return Ok(None);
    };
    // No row is returned if another node was faster.
    let sql = format!(
        "UPDATE webhook_deliveries SET claimed_by = ?5, next_at = ?6, attempts = attempts + 1, attempted_at = ?3,
         since = CASE WHEN tries = 0 THEN ?3 ELSE since END, tries = tries + 1
         WHERE account_id = ?1 AND webhook_id = ?2 AND id = ?4 AND status = 'pending' AND (next_at IS NULL OR next_at <= ?3) RETURNING {}",
        Delivery::COLUMNS
    );
    tx.query_opt(&sql, &params![account, webhook, now, id, by, until], Delivery::read)
}

/// Claims the first new message to a webhook.
fn claim_new(tx: &mut Tx<'_>, account: i64, webhook: i64) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT id FROM webhook_deliveries WHERE account_id = ?1 AND webhook_id = ?2
               AND id > (SELECT w.last_claimed FROM webhooks w WHERE w.account_id = ?1 AND w.id = ?2) ORDER BY id LIMIT 1";
    let Some(id) = tx.query_opt(sql, &params![account, webhook], |row| row.int(0))? else {
        return Ok(None);
    };
    let sql = "UPDATE webhooks SET last_claimed = ?3 WHERE account_id = ?1 AND id = ?2 AND last_claimed < ?3 RETURNING last_claimed";
    tx.query_opt(sql, &params![account, webhook, id], |row| row.int(0))
}

/// Body of a message, if it has been rendered and is still stored.
pub fn body(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Option<String>, StoreError> {
    let sql = "SELECT body FROM webhook_messages WHERE account_id = ?1 AND id = ?2";
    tx.query_opt(sql, &params![account, id], |row| row.text(0))
}

/// Stores the body of a message, unless another node was faster; returns the stored body.
pub fn insert_body(
    tx: &mut Tx<'_>,
    account: i64,
    id: i64,
    body: &str,
    now: Timestamp,
) -> Result<String, StoreError> {
    tx.query_one(
        "INSERT INTO webhook_messages (account_id, id, body, since) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (account_id, id) DO UPDATE SET body = webhook_messages.body RETURNING body",
        &params![account, id, body, now],
        |row| row.text(0),
    )
}

/// Restarts the retention period of a body; returns whether the body is still stored.
pub fn keep_body(
    tx: &mut Tx<'_>,
    account: i64,
    id: i64,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let sql =
        "UPDATE webhook_messages SET since = ?3 WHERE account_id = ?1 AND id = ?2 RETURNING id";
    Ok(tx.query_opt(sql, &params![account, id, now], |row| row.int(0))?.is_some())
}

/// Removes at most `limit` bodies whose retention began before `before`, except those that a
/// pending message needs; returns their number.
pub fn sweep_bodies(tx: &mut Tx<'_>, before: Timestamp, limit: i64) -> Result<i64, StoreError> {
    let sql = "SELECT m.account_id, m.id FROM webhook_messages m WHERE m.since < ?1 AND NOT EXISTS (
                   SELECT 1 FROM webhooks w JOIN webhook_deliveries d ON d.account_id = w.account_id AND d.webhook_id = w.id
                   WHERE w.account_id = m.account_id AND d.id = m.id AND d.status = 'pending')
               ORDER BY m.since LIMIT ?2";
    let old = tx.query(sql, &params![before, limit], |row| Ok((row.int(0)?, row.int(1)?)))?;
    for (account, id) in &old {
        // A resend may have restarted the body's retention period in the meantime; the body is then
        // kept.
        let sql = "DELETE FROM webhook_messages WHERE account_id = ?1 AND id = ?2 AND since < ?3";
        tx.execute(sql, &params![*account, *id, before])?;
    }
    Ok(i64::try_from(old.len()).unwrap_or(i64::MAX))
}

/// Sets the time since which a webhook has accepted no message; `None` once it has accepted one.
pub fn set_failing(
    tx: &mut Tx<'_>,
    account: i64,
    id: i64,
    since: Option<Timestamp>,
) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE webhooks SET failing_since = ?3 WHERE account_id = ?1 AND id = ?2",
        &params![account, id, since],
    )
}

/// Removes at most `limit` finished messages about events that occurred before `before`; returns
/// the number removed.
pub fn sweep(tx: &mut Tx<'_>, before: Timestamp, limit: i64) -> Result<i64, StoreError> {
    let sql = "SELECT account_id, webhook_id, id FROM webhook_deliveries WHERE status <> 'pending' AND at < ?1 ORDER BY at LIMIT ?2";
    let old =
        tx.query(sql, &params![before, limit], |row| Ok((row.int(0)?, row.int(1)?, row.int(2)?)))?;
    for (account, webhook, id) in &old {
        tx.execute(
            "DELETE FROM webhook_deliveries WHERE account_id = ?1 AND webhook_id = ?2 AND id = ?3",
            &params![*account, *webhook, *id],
        )?;
    }
    Ok(i64::try_from(old.len()).unwrap_or(i64::MAX))
}
