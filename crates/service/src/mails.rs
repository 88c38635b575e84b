//! Mails of all areas. Mails about an account enter the outbox in the transaction that they report
//! on. Operators can query undelivered ones.

use crate::{Environment, Error, environment::Random};
use jiff::SignedDuration;
use ledger::language::Language;
use std::fmt::Write as _;
use store::{
    Tx, accounts,
    outbox::{self, Mail, MessageKind, State},
};

/// Id that no account has. A mail that announces the end of its account outlives it, and is stored
/// under this id.
pub const NOBODY: i64 = 0;
/// Period during which a failure to send a mail about an account is kept and shown.
const FAILURES_KEPT: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Content of a mail about an account.
#[derive(Debug, Clone)]
pub struct AccountMail {
    /// Recipient: one address.
    pub to: String,
    /// Language of the text.
    pub language: Language,
    /// Subject line.
    pub subject: String,
    /// Text of the body.
    pub body: String,
}

/// Queues a mail about an account in the transaction that it reports on.
///
/// # Errors
/// The storage failed, or there is no randomness.
pub fn put(
    tx: &mut Tx<'_>,
    env: &Environment,
    account: i64,
    mail: &AccountMail,
) -> Result<(), Error> {
    insert(tx, env, account, mail)?;
    Ok(outbox::forget_failures(tx, account, env.now - FAILURES_KEPT)?)
}

/// Performs the same writes as [`put`], and removes the mail again. On SQLite the next write waits
/// for this one, so the duration would otherwise reveal whether an account exists.
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
        external_id: None,
        recipient: mail.to.clone(),
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

/// Generates the unique id of a new mail: 32 hexadecimal digits.
///
/// # Errors
/// The operating system has no randomness available.
pub fn new_id(random: &dyn Random) -> Result<String, Error> {
    let mut bytes = [0; 16];
    random.fill(&mut bytes).map_err(|error| Error::Internal(error.to_string()))?;
    let mut id = String::with_capacity(32);
    for byte in bytes {
        // Writing to a String cannot fail.
        let _ = write!(id, "{byte:02x}");
    }
    Ok(id)
}

/// Returns up to `limit` mails of an account that are queued or failed, oldest first.
///
/// # Errors
/// The storage failed.
pub fn undelivered(tx: &mut Tx<'_>, account: i64, limit: i64) -> Result<Vec<Mail>, Error> {
    Ok(outbox::undelivered(tx, account, limit)?)
}

/// Counts the queued and the failed mails of all accounts.
///
/// # Errors
/// The storage failed.
pub fn standing(tx: &mut Tx<'_>) -> Result<outbox::Standing, Error> {
    Ok(outbox::standing(tx)?)
}

/// Returns up to `limit` mails of all accounts that are queued or failed, by account and oldest
/// first, each with the owner's address if the account still exists.
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
