//! Emails from all parts of the service. An email about an account is queued in the same
//! transaction as the change that it reports. Operators can list undelivered emails.

use crate::{Environment, Error, environment::Random};
use jiff::SignedDuration;
use ledger::language::Language;
use std::fmt::Write as _;
use store::{
    Tx, accounts,
    outbox::{self, Mail, MessageKind, State},
};

/// Id that no account has. An email that announces the closing of an account is stored under this
/// id, because it must outlive the account.
pub const NOBODY: i64 = 0;
/// Period during which a failed email about an account is kept and shown.
const FAILURES_KEPT: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Content of an email about an account.
#[derive(Debug, Clone)]
pub struct AccountMail {
    /// Recipient: a single address.
    pub to: String,
    /// Language of the text.
    pub language: Language,
    /// Subject line.
    pub subject: String,
    /// Text of the body.
    pub body: String,
}

/// Queues an email about an account, in the transaction of the change that the email reports.
///
/// # Errors
/// The storage failed, or the random number generator failed.
pub fn put(
    tx: &mut Tx<'_>,
    env: &Environment,
    account: i64,
    mail: &AccountMail,
) -> Result<(), Error> {
    insert(tx, env, account, mail)?;
    Ok(outbox::forget_failures(tx, account, env.now - FAILURES_KEPT)?)
}

/// Performs the same writes as [`put`], and removes the email again. On SQLite the next write has
/// to wait for these writes; if they were omitted, the duration of that write would reveal whether
/// an account exists.
///
/// # Errors
/// Those of [`put`].
pub fn put_and_discard(
    tx: &mut Tx<'_>,
    env: &Environment,
    mail: &AccountMail,
) -> Result<(), Error> {
    let id = insert(tx, env, NOBODY, mail)?;
    outbox::remove(tx, NOBODY, &id)?;
    Ok(outbox::forget_failures(tx, NOBODY, env.now - FAILURES_KEPT)?)
}

fn insert(
    tx: &mut Tx<'_>,
    env: &Environment,
    account: i64,
    mail: &AccountMail,
) -> Result<String, Error> {
    let id = new_id(env.random())?;
    let new = Mail {
        id: id.clone(),
        kind: MessageKind::Account,
        invoice: None,
        quote: None,
        external_id: None,
        recipient: mail.to.clone(),
        cc: None,
        language: mail.language,
        sender: None,
        reply_to: None,
        subject: mail.subject.clone(),
        body: mail.body.clone(),
        state: State::Queued,
        cause: None,
        attempts: 0,
        created_at: env.now,
        sent_at: None,
    };
    outbox::insert(tx, account, &new, env.now)?;
    Ok(id)
}

/// Generates the unique id of a new email: 32 hexadecimal digits.
///
/// # Errors
/// The random number generator of the operating system failed.
pub fn new_id(random: &dyn Random) -> Result<String, Error> {
    let mut bytes = [0; 16];
    random.fill(&mut bytes).map_err(|error| Error::Internal(error.to_string()))?;
    let mut id = String::with_capacity(32);
    for byte in bytes {
        // Writing to a `String` cannot fail.
        let _ = write!(id, "{byte:02x}");
    }
    Ok(id)
}

/// Returns up to `limit` emails of an account that are queued or failed, oldest first.
///
/// # Errors
/// The storage failed.
pub fn undelivered(tx: &mut Tx<'_>, account: i64, limit: i64) -> Result<Vec<Mail>, Error> {
    Ok(outbox::undelivered(tx, account, limit)?)
}

/// Counts the queued and the failed emails across all accounts.
///
/// # Errors
/// The storage failed.
pub fn standing(tx: &mut Tx<'_>) -> Result<outbox::Standing, Error> {
    Ok(outbox::standing(tx)?)
}

/// Returns up to `limit` queued or failed emails across all accounts, grouped by account, oldest
/// first. Each has the owner's address, if the account still exists.
///
/// # Errors
/// The storage failed.
pub fn undelivered_of_all(
    tx: &mut Tx<'_>,
    limit: i64,
) -> Result<Vec<(Option<String>, Mail)>, Error> {
    let mut mails = Vec::new();
    for account in outbox::accounts_with_undelivered(tx)? {
        let remaining = limit - i64::try_from(mails.len()).unwrap_or(limit);
        if remaining <= 0 {
            break;
        }
        let address = accounts::by_id(tx, account)?.map(|account| account.owner.email);
        mails.extend(
            undelivered(tx, account, remaining)?.into_iter().map(|mail| (address.clone(), mail)),
        );
    }
    Ok(mails)
}
