//! The outbox of emails. An email is stored in the transaction of the command that causes it,
//! claimed by a node under a lease, and sent at least once.

use crate::{
    StoreError, Tx,
    engine::record::{self, Record, columns_by_name, record},
    params,
};
use jiff::{SignedDuration, Timestamp};
use ledger::language::Language;

/// Kind of an email.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageKind {
    /// Email about the account; deleted after it has been sent.
    Account,
    /// Email with an invoice or credit note attached.
    Invoice,
    /// Reminder, with the late invoice attached.
    Reminder,
    /// Copy of an email for the owner.
    Copy,
    /// Email with a quote attached.
    Quote,
}

impl MessageKind {
    /// Name in the database.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Account => "account",
            Self::Invoice => "invoice",
            Self::Reminder => "reminder",
            Self::Copy => "copy",
            Self::Quote => "quote",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        [Self::Account, Self::Invoice, Self::Reminder, Self::Copy, Self::Quote]
            .into_iter()
            .find(|kind| kind.as_str() == text)
    }
}

/// Status of an email.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Waiting for its first or next attempt.
    Queued,
    /// Accepted by the mail server.
    Sent,
    /// Rejected permanently, or not sent within two days.
    Failed,
}

impl State {
    /// Name in the API and in the database.
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

/// A stored email.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mail {
    /// Unique id, also used as the Message-ID.
    pub id: String,
    /// Kind.
    pub kind: MessageKind,
    /// Attached invoice.
    pub invoice: Option<i64>,
    /// Attached quote.
    pub quote: Option<i64>,
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// Address of the recipient.
    pub recipient: String,
    /// Addresses of further recipients, separated by commas.
    pub cc: Option<String>,
    /// Language.
    pub language: Language,
    /// Display name of the sender, if it differs from the server's.
    pub sender: Option<String>,
    /// Address for replies.
    pub reply_to: Option<String>,
    /// Subject.
    pub subject: String,
    /// Body.
    pub body: String,
    /// Status.
    pub state: State,
    /// Cause of the last failed attempt.
    pub cause: Option<String>,
    /// Number of failed attempts.
    pub attempts: i64,
    /// Time of creation.
    pub created_at: Timestamp,
    /// Time at which the mail server accepted the email.
    pub sent_at: Option<Timestamp>,
}

impl Mail {
    /// Addresses of further recipients.
    pub fn further_recipients(&self) -> impl Iterator<Item = &str> {
        self.cc.iter().flat_map(|addresses| addresses.split(','))
    }
}

columns_by_name!(MessageKind, State);
record! {
    Mail {
        "id": id,
        "kind": kind,
        "invoice_id": invoice,
        "quote_id": quote,
        "external_id": external_id,
        "recipient": recipient,
        "cc": cc,
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

/// Numbers of undelivered emails in all accounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Waiting emails.
    pub waiting: i64,
    /// Failed emails.
    pub failed: i64,
    /// Creation time of the oldest waiting email.
    pub oldest: Option<Timestamp>,
}

/// Adds an email, to be sent at `due` or later.
pub fn insert(
    tx: &mut Tx<'_>,
    account: i64,
    mail: &Mail,
    due: Timestamp,
) -> Result<(), StoreError> {
    let mut values = mail.values(account);
    values.push(due.into());
    record::insert(tx, "mails", &format!("{}, next_at", Mail::COLUMNS), &values)
}

/// Returns the email with the given external id.
pub fn by_external_id(
    tx: &mut Tx<'_>,
    account: i64,
    external_id: &str,
) -> Result<Option<Mail>, StoreError> {
    let sql =
        format!("SELECT {} FROM mails WHERE account_id = ?1 AND external_id = ?2", Mail::COLUMNS);
    tx.query_opt(&sql, &params![account, external_id], Mail::read)
}

/// Returns the email with the given id.
pub fn by_id(tx: &mut Tx<'_>, account: i64, id: &str) -> Result<Option<Mail>, StoreError> {
    let sql = format!("SELECT {} FROM mails WHERE account_id = ?1 AND id = ?2", Mail::COLUMNS);
    tx.query_opt(&sql, &params![account, id], Mail::read)
}

/// Returns the emails about an invoice, oldest first, including a letter about several.
pub fn of_invoice(tx: &mut Tx<'_>, account: i64, invoice: i64) -> Result<Vec<Mail>, StoreError> {
    let sql = format!(
        "SELECT {} FROM mails WHERE account_id = ?1 AND (invoice_id = ?2
             OR id IN (SELECT r.mail_id FROM reminders r WHERE r.account_id = ?1 AND r.invoice_id = ?2))
         ORDER BY created_at, id",
        Mail::COLUMNS
    );
    tx.query(&sql, &params![account, invoice], Mail::read)
}

/// Returns the emails about a quote, oldest first.
pub fn of_quote(tx: &mut Tx<'_>, account: i64, quote: i64) -> Result<Vec<Mail>, StoreError> {
    let sql = format!(
        "SELECT {} FROM mails WHERE account_id = ?1 AND quote_id = ?2 ORDER BY created_at, id",
        Mail::COLUMNS
    );
    tx.query(&sql, &params![account, quote], Mail::read)
}

/// Returns the number of waiting emails in an account.
pub fn waiting(tx: &mut Tx<'_>, account: i64) -> Result<i64, StoreError> {
    let sql = "SELECT COUNT(*) FROM mails WHERE account_id = ?1 AND status = 'queued'";
    tx.query_one(sql, &params![account], |row| row.int(0))
}

/// Counts the emails about invoices and quotes that were queued for an account's customers since a
/// given time, up to `most`. Excludes copies for the owner.
pub fn to_customers_since(
    tx: &mut Tx<'_>,
    account: i64,
    since: Timestamp,
    most: i64,
) -> Result<i64, StoreError> {
    let sql = "SELECT COUNT(*) FROM (SELECT id FROM mails WHERE account_id = ?1 AND (invoice_id IS NOT NULL OR quote_id IS NOT NULL) AND kind <> ?4 AND created_at >= ?2 LIMIT ?3) mailed";
    tx.query_one(sql, &params![account, since, most, MessageKind::Copy.as_str()], |row| row.int(0))
}

/// Returns at most `limit` waiting or failed emails from an account, oldest first.
pub fn undelivered(tx: &mut Tx<'_>, account: i64, limit: i64) -> Result<Vec<Mail>, StoreError> {
    let sql = format!(
        "SELECT {} FROM mails WHERE account_id = ?1 AND status <> 'sent' ORDER BY created_at, id LIMIT ?2",
        Mail::COLUMNS
    );
    tx.query(&sql, &params![account, limit], Mail::read)
}

/// Returns failed emails about invoices, newest first. Excludes copies for the owner. Also excludes
/// an email if a later one about the same invoice was addressed to the customer.
pub fn failed_about_invoices(
    tx: &mut Tx<'_>,
    account: i64,
    limit: i64,
) -> Result<Vec<Mail>, StoreError> {
    let sql = format!(
        "SELECT {} FROM mails WHERE account_id = ?1 AND status = 'failed' AND invoice_id IS NOT NULL AND kind <> ?2
         AND NOT EXISTS (SELECT 1 FROM mails l WHERE l.account_id = ?1 AND l.invoice_id = mails.invoice_id AND l.kind <> ?2
                         AND l.created_at > mails.created_at)
         ORDER BY created_at DESC, id LIMIT ?3",
        Mail::COLUMNS
    );
    tx.query(&sql, &params![account, MessageKind::Copy.as_str(), limit], Mail::read)
}

/// Returns the accounts with waiting or failed emails, for the operator; reads all accounts.
pub fn accounts_with_undelivered(tx: &mut Tx<'_>) -> Result<Vec<i64>, StoreError> {
    let sql = "SELECT account_id FROM mails WHERE status = 'queued' UNION SELECT account_id FROM mails WHERE status = 'failed' ORDER BY 1";
    tx.query(sql, &[], |row| row.int(0))
}

/// Counts the waiting and failed emails across all accounts, for the metrics.
pub fn standing(tx: &mut Tx<'_>) -> Result<Standing, StoreError> {
    let sql = "SELECT COUNT(*), MIN(created_at) FROM mails WHERE status = 'queued'";
    let (waiting, oldest) = tx.query_one(sql, &[], |row| Ok((row.int(0)?, row.opt_time(1)?)))?;
    let failed =
        tx.query_one("SELECT COUNT(*) FROM mails WHERE status = 'failed'", &[], |row| row.int(0))?;
    Ok(Standing { waiting, failed, oldest })
}

/// Returns the accounts with a due email, in the order of their oldest due email. Reads all
/// accounts without locks; each node calls it at most once a second.
pub fn due(tx: &mut Tx<'_>, now: Timestamp, limit: i64) -> Result<Vec<i64>, StoreError> {
    tx.query(
        "SELECT account_id FROM mails WHERE status = 'queued' AND next_at <= ?1 AND (claimed_until IS NULL OR claimed_until <= ?1)
         GROUP BY account_id ORDER BY MIN(next_at) LIMIT ?2",
        &params![now, limit],
        |row| row.int(0),
    )
}

/// An email on which a node holds the lease.
#[derive(Debug, Clone)]
pub struct Claimed {
    /// The email.
    pub mail: Mail,
    /// Whether an earlier lease expired without a result. In that case the email may already have
    /// been sent.
    pub again: bool,
}

/// Leases the account's oldest due email to the node `by`; returns `None` if no email is due.
pub fn claim(
    tx: &mut Tx<'_>,
    account: i64,
    by: &str,
    now: Timestamp,
    until: Timestamp,
) -> Result<Option<Claimed>, StoreError> {
    let due = "status = 'queued' AND (claimed_until IS NULL OR claimed_until <= ?2)";
    let sql = format!(
        "SELECT id, claimed_by FROM mails WHERE account_id = ?1 AND next_at <= ?2 AND {due} ORDER BY next_at, id LIMIT 1"
    );
    let found =
        tx.query_opt(&sql, &params![account, now], |row| Ok((row.text(0)?, row.opt_text(1)?)))?;
    let Some((id, before)) = found else { return Ok(None) };
    // The statement returns no row if another node was faster.
    let sql = format!(
        "UPDATE mails SET claimed_by = ?4, claimed_until = ?5 WHERE account_id = ?1 AND id = ?3 AND {due} RETURNING {}",
        Mail::COLUMNS
    );
    let mail = tx.query_opt(&sql, &params![account, now, id, by, until], Mail::read)?;
    Ok(mail.map(|mail| Claimed { mail, again: before.is_some() }))
}

/// Records that the mail server accepted an email.
pub fn sent(
    tx: &mut Tx<'_>,
    account: i64,
    id: &str,
    by: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    tx.execute(
        "DELETE FROM mails WHERE account_id = ?1 AND id = ?2 AND kind = 'account'",
        &params![account, id],
    )?;
    tx.execute(
        "UPDATE mails SET status = 'sent', sent_at = ?4, cause = NULL, claimed_by = NULL, claimed_until = NULL
         WHERE account_id = ?1 AND id = ?2 AND claimed_by = ?3",
        &params![account, id, by, now],
    )
}

/// Releases the lease on an email after a failed attempt and schedules the next attempt.
pub fn again(
    tx: &mut Tx<'_>,
    account: i64,
    id: &str,
    by: &str,
    next: Timestamp,
    cause: &str,
) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE mails SET attempts = attempts + 1, next_at = ?4, cause = ?5, claimed_by = NULL, claimed_until = NULL
         WHERE account_id = ?1 AND id = ?2 AND claimed_by = ?3",
        &params![account, id, by, next, cause],
    )
}

/// Records that sending an email failed for good, and why. Clears the body of an email about the
/// account, which may contain a sign-in link.
pub fn failed(
    tx: &mut Tx<'_>,
    account: i64,
    id: &str,
    by: &str,
    cause: &str,
) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE mails SET status = 'failed', attempts = attempts + 1, cause = ?4, claimed_by = NULL, claimed_until = NULL,
         body = CASE WHEN kind = 'account' THEN '' ELSE body END
         WHERE account_id = ?1 AND id = ?2 AND claimed_by = ?3",
        &params![account, id, by, cause],
    )
}

/// Brings the time at which waiting emails of an account are sent forward, at most to `now`.
pub fn bring_forward(
    tx: &mut Tx<'_>,
    account: i64,
    by: SignedDuration,
    now: Timestamp,
) -> Result<(), StoreError> {
    let waiting = tx.query(
        "SELECT id, next_at FROM mails WHERE account_id = ?1 AND status = 'queued' AND next_at > ?2",
        &params![account, now],
        |row| Ok((row.text(0)?, row.time(1)?)),
    )?;
    for (id, next_at) in waiting {
        let next_at = next_at.saturating_sub(by).map_or(now, |earlier| earlier.max(now));
        tx.execute(
            "UPDATE mails SET next_at = ?3 WHERE account_id = ?1 AND id = ?2",
            &params![account, id, next_at],
        )?;
    }
    Ok(())
}

/// Removes an email.
pub fn remove(tx: &mut Tx<'_>, account: i64, id: &str) -> Result<(), StoreError> {
    tx.execute("DELETE FROM mails WHERE account_id = ?1 AND id = ?2", &params![account, id])
}

/// Removes failed emails about the account that were created before a given time.
pub fn forget_failures(tx: &mut Tx<'_>, account: i64, before: Timestamp) -> Result<(), StoreError> {
    tx.execute(
        "DELETE FROM mails WHERE account_id = ?1 AND kind = 'account' AND status = 'failed' AND created_at < ?2",
        &params![account, before],
    )
}
