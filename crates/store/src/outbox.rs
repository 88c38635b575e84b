//! The outbox: mails on their way. They are written in the transaction of what they tell of, claimed by a lease, and sent at least once.

use crate::{
    StoreError, Tx,
    engine::record::{self, Record, columns_by_name, record},
    params,
};
use jiff::Timestamp;
use ledger::language::Language;

/// What a mail is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageKind {
    /// The account itself: its row goes once it is sent.
    Account,
    /// An invoice or credit note, which is attached.
    Invoice,
    /// An invoice that is late, which is attached.
    Reminder,
    /// A copy of another for the owner.
    Copy,
}

impl MessageKind {
    /// The name in the database.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Account => "account",
            Self::Invoice => "invoice",
            Self::Reminder => "reminder",
            Self::Copy => "copy",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        [Self::Account, Self::Invoice, Self::Reminder, Self::Copy].into_iter().find(|kind| kind.as_str() == text)
    }
}

/// What became of a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It is on its way, or tried again.
    Queued,
    /// The mail server took it.
    Sent,
    /// It was refused for good, or could not be sent for two days.
    Failed,
}

impl State {
    /// The name in the API and in the database.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Sent => "sent",
            Self::Failed => "failed",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        [Self::Queued, Self::Sent, Self::Failed].into_iter().find(|state| state.as_str() == text)
    }
}

/// A mail as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mail {
    /// Unique; also its Message-ID.
    pub id: String,
    /// What it is about.
    pub kind: MessageKind,
    /// The invoice that is attached.
    pub invoice: Option<i64>,
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// To whom it goes.
    pub recipient: String,
    /// Its language.
    pub language: Language,
    /// Who writes, where that is not the server.
    pub sender: Option<String>,
    /// Where answers go.
    pub reply_to: Option<String>,
    /// What it is about, in words.
    pub subject: String,
    /// What it says.
    pub body: String,
    /// What became of it.
    pub state: State,
    /// Why it was not sent, or not yet.
    pub cause: Option<String>,
    /// How often it was tried in vain.
    pub attempts: i64,
    /// When it was written.
    pub created_at: Timestamp,
    /// When the mail server took it.
    pub sent_at: Option<Timestamp>,
}

columns_by_name!(MessageKind, State);
record! {
    Mail {
        "id": id,
        "kind": kind,
        "invoice_id": invoice,
        "external_id": external_id,
        "recipient": recipient,
        "language": language,
        "sender": sender,
        "reply_to": reply_to,
        "subject": subject,
        "body": body,
        "status": state,
        "cause": cause,
        "attempts": attempts,
        "created_at": created_at,
        "sent_at": sent_at,
    }
}

/// What is in the outbox of all accounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Mails that wait.
    pub waiting: i64,
    /// Mails that were not delivered in the end.
    pub failed: i64,
    /// When the one that waits longest was written.
    pub oldest: Option<Timestamp>,
}

/// Puts a mail on its way, which is sent from a moment of the server on.
pub fn insert(tx: &mut Tx<'_>, account: i64, mail: &Mail, due: Timestamp) -> Result<(), StoreError> {
    let mut values = mail.values(account);
    values.push(due.into());
    record::insert(tx, "mails", &format!("{}, next_at", Mail::COLUMNS), &values)
}

/// The mail with that external id.
pub fn by_external_id(tx: &mut Tx<'_>, account: i64, external_id: &str) -> Result<Option<Mail>, StoreError> {
    let sql = format!("SELECT {} FROM mails WHERE account_id = ?1 AND external_id = ?2", Mail::COLUMNS);
    tx.query_opt(&sql, &params![account, external_id], Mail::read)
}

/// The mail with that id.
pub fn by_id(tx: &mut Tx<'_>, account: i64, id: &str) -> Result<Option<Mail>, StoreError> {
    let sql = format!("SELECT {} FROM mails WHERE account_id = ?1 AND id = ?2", Mail::COLUMNS);
    tx.query_opt(&sql, &params![account, id], Mail::read)
}

/// The mails about an invoice, the oldest first.
pub fn of_invoice(tx: &mut Tx<'_>, account: i64, invoice: i64) -> Result<Vec<Mail>, StoreError> {
    let sql = format!("SELECT {} FROM mails WHERE account_id = ?1 AND invoice_id = ?2 ORDER BY created_at, id", Mail::COLUMNS);
    tx.query(&sql, &params![account, invoice], Mail::read)
}

/// How many mails of an account are on their way.
pub fn waiting(tx: &mut Tx<'_>, account: i64) -> Result<i64, StoreError> {
    let sql = "SELECT COUNT(*) FROM mails WHERE account_id = ?1 AND status = 'queued'";
    tx.query_one(sql, &params![account], |row| row.int(0))
}

/// How many mails about invoices an account wrote to its customers from a moment on, `most` at the most; copies for its owner are none.
pub fn to_customers_since(tx: &mut Tx<'_>, account: i64, since: Timestamp, most: i64) -> Result<i64, StoreError> {
    let sql = "SELECT COUNT(*) FROM (SELECT id FROM mails WHERE account_id = ?1 AND invoice_id IS NOT NULL AND kind <> ?4 AND created_at >= ?2 LIMIT ?3) mailed";
    tx.query_one(sql, &params![account, since, most, MessageKind::Copy.as_str()], |row| row.int(0))
}

/// The mails of an account that wait or failed, the oldest first, `limit` at the most.
pub fn undelivered(tx: &mut Tx<'_>, account: i64, limit: i64) -> Result<Vec<Mail>, StoreError> {
    let sql = format!(
        "SELECT {} FROM mails WHERE account_id = ?1 AND status <> 'sent' ORDER BY created_at, id LIMIT ?2",
        Mail::COLUMNS
    );
    tx.query(&sql, &params![account, limit], Mail::read)
}

/// The mails about invoices that failed, without copies for the owner, and without those after which another one to the customer went or
/// is on its way; the newest first.
pub fn failed_about_invoices(tx: &mut Tx<'_>, account: i64, limit: i64) -> Result<Vec<Mail>, StoreError> {
    let sql = format!(
        "SELECT {} FROM mails WHERE account_id = ?1 AND status = 'failed' AND invoice_id IS NOT NULL AND kind <> ?2
         AND NOT EXISTS (SELECT 1 FROM mails l WHERE l.account_id = ?1 AND l.invoice_id = mails.invoice_id AND l.kind <> ?2
                         AND l.created_at > mails.created_at)
         ORDER BY created_at DESC, id LIMIT ?3",
        Mail::COLUMNS
    );
    tx.query(&sql, &params![account, MessageKind::Copy.as_str(), limit], Mail::read)
}

/// The accounts with mails that wait or failed. It asks about all accounts, for the operator.
pub fn accounts_with_undelivered(tx: &mut Tx<'_>) -> Result<Vec<i64>, StoreError> {
    let sql = "SELECT account_id FROM mails WHERE status = 'queued' UNION SELECT account_id FROM mails WHERE status = 'failed' ORDER BY 1";
    tx.query(sql, &[], |row| row.int(0))
}

/// What is in the outbox of all accounts, for the metrics.
pub fn standing(tx: &mut Tx<'_>) -> Result<Standing, StoreError> {
    let sql = "SELECT COUNT(*), MIN(created_at) FROM mails WHERE status = 'queued'";
    let (waiting, oldest) = tx.query_one(sql, &[], |row| Ok((row.int(0)?, row.opt_time(1)?)))?;
    let failed = tx.query_one("SELECT COUNT(*) FROM mails WHERE status = 'failed'", &[], |row| row.int(0))?;
    Ok(Standing { waiting, failed, oldest })
}

/// The accounts with a mail that is due, whose mail waits longest first. It asks about all accounts: it locks nothing, and a node asks it once a
/// second at the most.
pub fn due(tx: &mut Tx<'_>, now: Timestamp, limit: i64) -> Result<Vec<i64>, StoreError> {
    tx.query(
        "SELECT account_id FROM mails WHERE status = 'queued' AND next_at <= ?1 AND (claimed_until IS NULL OR claimed_until <= ?1)
         GROUP BY account_id ORDER BY MIN(next_at) LIMIT ?2",
        &params![now, limit],
        |row| row.int(0),
    )
}

/// A mail on which a node has the lease.
#[derive(Debug, Clone)]
pub struct Claimed {
    /// The mail.
    pub mail: Mail,
    /// Whether another lease ran out before it was recorded what became of the mail: it may be sent a second time.
    pub again: bool,
}

/// Takes the lease on an account's mail that waits longest, if one is due.
pub fn claim(tx: &mut Tx<'_>, account: i64, by: &str, now: Timestamp, until: Timestamp) -> Result<Option<Claimed>, StoreError> {
    let due = "status = 'queued' AND (claimed_until IS NULL OR claimed_until <= ?2)";
    let sql = format!(
        "SELECT id, claimed_by FROM mails WHERE account_id = ?1 AND next_at <= ?2 AND {due} ORDER BY next_at, id LIMIT 1"
    );
    let found = tx.query_opt(&sql, &params![account, now], |row| Ok((row.text(0)?, row.opt_text(1)?)))?;
    let Some((id, before)) = found else { return Ok(None) };
    // Nothing comes back where another node was faster.
    let sql = format!(
        "UPDATE mails SET claimed_by = ?4, claimed_until = ?5 WHERE account_id = ?1 AND id = ?3 AND {due} RETURNING {}",
        Mail::COLUMNS
    );
    let mail = tx.query_opt(&sql, &params![account, now, id, by, until], Mail::read)?;
    Ok(mail.map(|mail| Claimed { mail, again: before.is_some() }))
}

/// Notes that the mail server took a mail.
pub fn sent(tx: &mut Tx<'_>, account: i64, id: &str, by: &str, now: Timestamp) -> Result<(), StoreError> {
    tx.execute("DELETE FROM mails WHERE account_id = ?1 AND id = ?2 AND kind = 'account'", &params![account, id])?;
    tx.execute(
        "UPDATE mails SET status = 'sent', sent_at = ?4, cause = NULL, claimed_by = NULL, claimed_until = NULL
         WHERE account_id = ?1 AND id = ?2 AND claimed_by = ?3",
        &params![account, id, by, now],
    )
}

/// Gives the lease on a mail back; it is tried again later.
pub fn again(tx: &mut Tx<'_>, account: i64, id: &str, by: &str, next: Timestamp, cause: &str) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE mails SET attempts = attempts + 1, next_at = ?4, cause = ?5, claimed_by = NULL, claimed_until = NULL
         WHERE account_id = ?1 AND id = ?2 AND claimed_by = ?3",
        &params![account, id, by, next, cause],
    )
}

/// Records that a mail is not sent any more, and why. What a mail about an account said goes, as it may hold a link that lets somebody in.
pub fn failed(tx: &mut Tx<'_>, account: i64, id: &str, by: &str, cause: &str) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE mails SET status = 'failed', attempts = attempts + 1, cause = ?4, claimed_by = NULL, claimed_until = NULL,
         body = CASE WHEN kind = 'account' THEN '' ELSE body END
         WHERE account_id = ?1 AND id = ?2 AND claimed_by = ?3",
        &params![account, id, by, cause],
    )
}

/// Removes a mail.
pub fn remove(tx: &mut Tx<'_>, account: i64, id: &str) -> Result<(), StoreError> {
    tx.execute("DELETE FROM mails WHERE account_id = ?1 AND id = ?2", &params![account, id])
}

/// Removes the mails about an account that were written before a moment and failed.
pub fn forget_failures(tx: &mut Tx<'_>, account: i64, before: Timestamp) -> Result<(), StoreError> {
    tx.execute(
        "DELETE FROM mails WHERE account_id = ?1 AND kind = 'account' AND status = 'failed' AND created_at < ?2",
        &params![account, before],
    )
}
