//! Webhooks: where an account wants to be sent what happens to its resources, and what is on its way there. What is to be sent is written in the
//! transaction of the command, claimed by a lease, and sent at least once.

use crate::engine::filter::Filter;
use crate::{
    Page, StoreError, Tx, Updated,
    changes::Change,
    engine::record::{self, Record, columns_by_name, record},
    params,
    row::Row,
};
use jiff::Timestamp;

/// A webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    /// Unique inside the account.
    pub id: i64,
    /// Begins the ids of its messages; drawn at random, so that no two messages of any account are called alike.
    pub token: String,
    /// Where to.
    pub url: String,
    /// The names of what it is sent, as they were given; all where none is named.
    pub types: Types,
    /// What its owner says of it.
    pub description: Option<String>,
    /// What it signs with, encrypted.
    pub secret: String,
    /// What it signed with before, encrypted.
    pub former_secret: Option<String>,
    /// Until when it signs with both.
    pub former_until: Option<Timestamp>,
    /// Since when nothing was taken; none if the last message was.
    pub failing_since: Option<Timestamp>,
    /// Since when nothing is sent.
    pub disabled_at: Option<Timestamp>,
    /// Why nothing is sent.
    pub disabled_because: Option<Disabled>,
    /// The API key that it was made with, or last switched on or led elsewhere with.
    pub key_id: Option<i64>,
    /// Or the grant of a connected application, if it was one of its tokens.
    pub grant_id: Option<String>,
    /// What that key or application is called; none where it was the owner.
    pub made_by: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

record! {
    Webhook {
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

/// Names of what is sent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Types(pub Vec<String>);

impl record::Column for Types {
    fn take(row: &Row<'_>, at: &mut usize) -> Result<Self, StoreError> {
        let stored = row.text(record::next(at))?;
        Ok(Self(stored.split_ascii_whitespace().map(str::to_owned).collect()))
    }

    fn put<'v>(&'v self, values: &mut Vec<crate::param::Param<'v>>) {
        // A space before and after each, by which one is found.
        let stored: String = self.0.iter().map(|name| format!(" {name} ")).collect();
        values.push(stored.into());
    }
}

/// Why a webhook is sent nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disabled {
    /// Its owner wants it so.
    ByOwner,
    /// A message was not taken for three days.
    Failing,
    /// The receiver said that it is gone for good (410).
    Gone,
    /// The API key that it was made with was revoked.
    KeyRevoked,
    /// The application that made it is not connected any more.
    Disconnected,
}

/// A program that makes webhooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program<'p> {
    /// An API key, by its id.
    Key(i64),
    /// A grant of a connected application, by its id.
    Grant(&'p str),
}

/// What became of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryStatus {
    /// It is on its way, or tried again.
    Pending,
    /// The receiver took it.
    Delivered,
    /// It is not tried any more.
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
    /// Whose it is.
    pub webhook_id: i64,
    /// Unique inside the webhook.
    pub id: i64,
    /// What happened, such as `invoice.paid`.
    pub kind: String,
    /// To which resource; none for a test.
    pub resource_id: Option<i64>,
    /// The change of the feed that it belongs to.
    pub sequence: i64,
    /// When it happened.
    pub at: Timestamp,
    /// What became of it.
    pub status: DeliveryStatus,
    /// How often it was tried.
    pub attempts: i64,
    /// Since when it is tried: since the first attempt, or the first after somebody asked for it again.
    pub since: Timestamp,
    /// How often it was tried since then.
    pub tries: i64,
    /// When it is tried next, after the first attempt; while it is sent, when another node may think that the one that does so is gone.
    pub next_at: Option<Timestamp>,
    /// Which node sends it.
    pub claimed_by: Option<String>,
    /// When it was last tried.
    pub attempted_at: Option<Timestamp>,
    /// The status of the last answer.
    pub answer_status: Option<i64>,
    /// How the last answer began.
    pub answer: Option<String>,
    /// Why there was no answer.
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
    /// A message, by its webhook and id, that is to be sent from a moment on: what happened, to which resource, by which change and when.
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

    /// When it is tried next; the first attempt is at once.
    #[must_use]
    pub fn due_at(&self) -> Option<Timestamp> {
        self.next_at.or((self.status == DeliveryStatus::Pending).then_some(self.since))
    }
}

/// Stores a new webhook.
pub fn insert(tx: &mut Tx<'_>, account: i64, webhook: &Webhook) -> Result<(), StoreError> {
    record::insert(tx, "webhooks", Webhook::COLUMNS, &webhook.values(account))
}

/// Writes a webhook anew.
pub fn update(tx: &mut Tx<'_>, account: i64, webhook: &Webhook) -> Result<(), StoreError> {
    record::update(tx, "webhooks", Webhook::COLUMNS, &webhook.values(account))
}

/// Removes a webhook with all that was to be sent to it.
pub fn remove(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<(), StoreError> {
    tx.execute("DELETE FROM webhook_deliveries WHERE account_id = ?1 AND webhook_id = ?2", &params![account, id])?;
    tx.execute("DELETE FROM webhooks WHERE account_id = ?1 AND id = ?2", &params![account, id])
}

/// The webhooks of an account after an id, `limit` at the most.
pub fn after(tx: &mut Tx<'_>, account: i64, id: i64, limit: i64) -> Result<Vec<Webhook>, StoreError> {
    let sql = format!("SELECT {} FROM webhooks WHERE account_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3", Webhook::COLUMNS);
    tx.query(&sql, &params![account, id, limit], Webhook::read)
}

/// A page of them, without those that did not change since a moment.
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
    let rows = wanted.bind(limit.saturating_add(1));
    let sql = format!("SELECT {} FROM webhooks WHERE {wanted} ORDER BY id LIMIT {rows}", Webhook::COLUMNS);
    Ok(Page::of(tx.query(&sql, wanted.values(), Webhook::read)?, limit))
}

/// The webhook with that id.
pub fn by_id(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Option<Webhook>, StoreError> {
    let sql = format!("SELECT {} FROM webhooks WHERE account_id = ?1 AND id = ?2", Webhook::COLUMNS);
    tx.query_opt(&sql, &params![account, id], Webhook::read)
}

/// The same, locked until the end of the transaction.
pub fn lock(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Option<Webhook>, StoreError> {
    let sql = format!("SELECT {} FROM webhooks WHERE account_id = ?1 AND id = ?2", Webhook::COLUMNS);
    tx.query_opt_for_update(&sql, &params![account, id], Webhook::read)
}

/// What is to be sent to whoever wants it.
pub(crate) struct Message<'m> {
    /// Unique inside the account.
    pub(crate) id: i64,
    /// What happened, such as `invoice.paid`.
    pub(crate) name: &'m str,
    /// The change that it belongs to.
    pub(crate) change: &'m Change,
    /// Since when it is to be sent.
    pub(crate) since: Timestamp,
}

/// Writes a message down for every webhook that wants it. It asks nothing, so that a command does not wait for it.
pub(crate) fn report(tx: &mut Tx<'_>, account: i64, message: &Message<'_>) -> Result<(), StoreError> {
    let Message { id, name, change, since } = *message;
    let (one, all_of_kind) = (format!("% {name} %"), format!("% {}.* %", change.kind.as_str()));
    let delivery = Delivery::new((0, id), name, Some(change.id), (change.sequence, change.at), since);
    let mut values = delivery.values(account);
    // The id of the webhook is that of its row.
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
pub fn insert_delivery(tx: &mut Tx<'_>, account: i64, delivery: &Delivery) -> Result<(), StoreError> {
    record::insert(tx, "webhook_deliveries", Delivery::COLUMNS, &delivery.values(account))
}

/// Writes down what became of a message, as long as `by` has the lease on it. Whether it has.
pub fn settle(tx: &mut Tx<'_>, account: i64, delivery: &Delivery, by: &str) -> Result<bool, StoreError> {
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

/// Lets a message be sent once more from now on.
pub fn again(tx: &mut Tx<'_>, account: i64, webhook: i64, id: i64, now: Timestamp) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE webhook_deliveries SET status = 'pending', since = ?4, tries = 0, next_at = ?4, claimed_by = NULL
         WHERE account_id = ?1 AND webhook_id = ?2 AND id = ?3",
        &params![account, webhook, id, now],
    )
}

/// What a program made and is not switched off, by id.
pub fn enabled_of(tx: &mut Tx<'_>, account: i64, program: Program<'_>) -> Result<Vec<i64>, StoreError> {
    let (column, id) = match program {
        Program::Key(id) => ("key_id", id.into()),
        Program::Grant(id) => ("grant_id", id.into()),
    };
    let sql = format!("SELECT id FROM webhooks WHERE account_id = ?1 AND {column} = ?2 AND disabled_at IS NULL ORDER BY id");
    tx.query(&sql, &[account.into(), id], |row| row.int(0))
}

/// Gives up what is still to be sent to a webhook, which must be locked.
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

/// The messages to a webhook before an id, the latest first, `limit` at the most; only those of a status where one is named.
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

/// The message with that id.
pub fn delivery(tx: &mut Tx<'_>, account: i64, webhook: i64, id: i64) -> Result<Option<Delivery>, StoreError> {
    let columns = Delivery::COLUMNS;
    let sql = format!("SELECT {columns} FROM webhook_deliveries WHERE account_id = ?1 AND webhook_id = ?2 AND id = ?3");
    tx.query_opt(&sql, &params![account, webhook, id], Delivery::read)
}

/// A webhook with something to send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Due {
    /// Whose it is.
    pub account: i64,
    /// The account that takes turns with others: that one, or the live one that it is the test account of.
    pub turns_as: i64,
    /// Which.
    pub webhook: i64,
    /// Whether it took the last message.
    pub healthy: bool,
}

/// The webhooks with a message that is due, `limit` of those that take messages and as many of those that do not. Of each account first the one that
/// waits longest, then of each its second, and so on: one account with many keeps none out. It asks about all accounts: it locks nothing, and a node
/// asks it a few times a second at the most. What it costs grows with the webhooks, not with what waits for them.
pub fn due(tx: &mut Tx<'_>, now: Timestamp, limit: i64) -> Result<Vec<Due>, StoreError> {
    let mut found = Vec::new();
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
        found.extend(tx.query(&sql, &params![now, limit], |row| {
            Ok(Due { account: row.int(0)?, turns_as: row.int(1)?, webhook: row.int(2)?, healthy })
        })?);
    }
    Ok(found)
}

/// Takes the lease on a message to a webhook, if one is due: one that was tried and waits longest, or else the first new one. A new one stands in no
/// index of what is due, which whoever writes it would pay for: it is found behind the last that was claimed.
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
    let Some(id) = tried.map_or_else(|| claim_new(tx, account, webhook), |id| Ok(Some(id)))? else { return Ok(None) };
    // Nothing comes back where another node was faster.
    let sql = format!(
        "UPDATE webhook_deliveries SET claimed_by = ?5, next_at = ?6, attempts = attempts + 1, attempted_at = ?3,
         since = CASE WHEN tries = 0 THEN ?3 ELSE since END, tries = tries + 1
         WHERE account_id = ?1 AND webhook_id = ?2 AND id = ?4 AND status = 'pending' AND (next_at IS NULL OR next_at <= ?3) RETURNING {}",
        Delivery::COLUMNS
    );
    tx.query_opt(&sql, &params![account, webhook, now, id, by, until], Delivery::read)
}

/// The first new message to a webhook, which is nobody else's from then on.
fn claim_new(tx: &mut Tx<'_>, account: i64, webhook: i64) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT id FROM webhook_deliveries WHERE account_id = ?1 AND webhook_id = ?2
               AND id > (SELECT w.last_claimed FROM webhooks w WHERE w.account_id = ?1 AND w.id = ?2) ORDER BY id LIMIT 1";
    let Some(id) = tx.query_opt(sql, &params![account, webhook], |row| row.int(0))? else { return Ok(None) };
    let sql =
        "UPDATE webhooks SET last_claimed = ?3 WHERE account_id = ?1 AND id = ?2 AND last_claimed < ?3 RETURNING last_claimed";
    tx.query_opt(sql, &params![account, webhook, id], |row| row.int(0))
}

/// What a message says, if that was made and is kept.
pub fn body(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Option<String>, StoreError> {
    let sql = "SELECT body FROM webhook_messages WHERE account_id = ?1 AND id = ?2";
    tx.query_opt(sql, &params![account, id], |row| row.text(0))
}

/// Writes down what a message says; gives what it says then: what another node was faster with, if one was.
pub fn insert_body(tx: &mut Tx<'_>, account: i64, id: i64, body: &str, now: Timestamp) -> Result<String, StoreError> {
    tx.query_one(
        "INSERT INTO webhook_messages (account_id, id, body, since) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (account_id, id) DO UPDATE SET body = webhook_messages.body RETURNING body",
        &params![account, id, body, now],
        |row| row.text(0),
    )
}

/// Keeps what a message says longer, from now on; whether it is still kept.
pub fn keep_body(tx: &mut Tx<'_>, account: i64, id: i64, now: Timestamp) -> Result<bool, StoreError> {
    let sql = "UPDATE webhook_messages SET since = ?3 WHERE account_id = ?1 AND id = ?2 RETURNING id";
    Ok(tx.query_opt(sql, &params![account, id, now], |row| row.int(0))?.is_some())
}

/// Removes what messages say that is kept since before a moment and that no webhook waits for, `limit` at the most; returns how many.
pub fn sweep_bodies(tx: &mut Tx<'_>, before: Timestamp, limit: i64) -> Result<i64, StoreError> {
    let sql = "SELECT m.account_id, m.id FROM webhook_messages m WHERE m.since < ?1 AND NOT EXISTS (
                   SELECT 1 FROM webhooks w JOIN webhook_deliveries d ON d.account_id = w.account_id AND d.webhook_id = w.id
                   WHERE w.account_id = m.account_id AND d.id = m.id AND d.status = 'pending')
               ORDER BY m.since LIMIT ?2";
    let old = tx.query(sql, &params![before, limit], |row| Ok((row.int(0)?, row.int(1)?)))?;
    for (account, id) in &old {
        // Unless somebody asked for it again meanwhile.
        let sql = "DELETE FROM webhook_messages WHERE account_id = ?1 AND id = ?2 AND since < ?3";
        tx.execute(sql, &params![*account, *id, before])?;
    }
    Ok(i64::try_from(old.len()).unwrap_or(i64::MAX))
}

/// Notes since when a webhook takes nothing, or that it took something.
pub fn set_failing(tx: &mut Tx<'_>, account: i64, id: i64, since: Option<Timestamp>) -> Result<(), StoreError> {
    tx.execute("UPDATE webhooks SET failing_since = ?3 WHERE account_id = ?1 AND id = ?2", &params![account, id, since])
}

/// Removes messages that came to an end and happened before a moment, `limit` at the most; returns how many.
pub fn sweep(tx: &mut Tx<'_>, before: Timestamp, limit: i64) -> Result<i64, StoreError> {
    let sql =
        "SELECT account_id, webhook_id, id FROM webhook_deliveries WHERE status <> 'pending' AND at < ?1 ORDER BY at LIMIT ?2";
    let old = tx.query(sql, &params![before, limit], |row| Ok((row.int(0)?, row.int(1)?, row.int(2)?)))?;
    for (account, webhook, id) in &old {
        tx.execute(
            "DELETE FROM webhook_deliveries WHERE account_id = ?1 AND webhook_id = ?2 AND id = ?3",
            &params![*account, *webhook, *id],
        )?;
    }
    Ok(i64::try_from(old.len()).unwrap_or(i64::MAX))
}
