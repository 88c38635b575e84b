//! Mails of whatever area: about an account they are put into the outbox in the transaction of the command that they tell of; which of them
//! did not arrive, an operator can ask.

use crate::{Environment, Error, environment::Random};
use jiff::SignedDuration;
use ledger::language::Language;
use std::fmt::Write as _;
use store::{
    Tx, accounts,
    outbox::{self, Mail, MessageKind, State},
};

/// No account has this id. A mail that outlives its account, as it tells of its end, is kept under it.
pub const NOBODY: i64 = 0;
/// How long it is told that a mail about an account could not be sent.
const FAILURES_KEPT: SignedDuration = SignedDuration::from_hours(30 * 24);

/// A mail about an account, in words.
#[derive(Debug, Clone)]
pub struct AccountMail {
    /// To whom: one address.
    pub to: String,
    /// The language that it is in.
    pub language: Language,
    /// What it is about.
    pub subject: String,
    /// What it says.
    pub body: String,
}

/// Puts a mail about an account on its way, with the transaction that it tells of.
///
/// # Errors
/// The storage failed, or there is no randomness.
pub fn put(tx: &mut Tx<'_>, env: &Environment, account: i64, mail: &AccountMail) -> Result<(), Error> {
    insert(tx, env, account, mail)?;
    Ok(outbox::forget_failures(tx, account, env.now - FAILURES_KEPT)?)
}

/// Writes as much as [`put`], and leaves nothing: on SQLite the next write waits for this one, and whoever sends it must not learn from that
/// who has an account.
///
/// # Errors
/// As for [`put`].
pub fn put_and_discard(tx: &mut Tx<'_>, env: &Environment, mail: &AccountMail) -> Result<(), Error> {
    let id = insert(tx, env, NOBODY, mail)?;
    outbox::remove(tx, NOBODY, &id)?;
    Ok(outbox::forget_failures(tx, NOBODY, env.now - FAILURES_KEPT)?)
}

fn insert(tx: &mut Tx<'_>, env: &Environment, account: i64, mail: &AccountMail) -> Result<String, Error> {
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

/// The id of a new mail: 32 hexadecimal digits that no other has.
///
/// # Errors
/// The machine has no randomness to give.
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

/// The mails of an account that wait or failed, the oldest first, `limit` at the most.
///
/// # Errors
/// The storage failed.
pub fn undelivered(tx: &mut Tx<'_>, account: i64, limit: i64) -> Result<Vec<Mail>, Error> {
    Ok(outbox::undelivered(tx, account, limit)?)
}

/// How many mails of all accounts wait and failed.
///
/// # Errors
/// The storage failed.
pub fn standing(tx: &mut Tx<'_>) -> Result<outbox::Standing, Error> {
    Ok(outbox::standing(tx)?)
}

/// The mails of all accounts that wait or failed, each with the address of its account, if that is still there: by account, the oldest first,
/// `limit` at the most.
///
/// # Errors
/// The storage failed.
pub fn undelivered_of_all(tx: &mut Tx<'_>, limit: i64) -> Result<Vec<(Option<String>, Mail)>, Error> {
    let mut found = Vec::new();
    for account in outbox::accounts_with_undelivered(tx)? {
        let remaining = limit - i64::try_from(found.len()).unwrap_or(limit);
        if remaining <= 0 {
            break;
        }
        let address = accounts::by_id(tx, account)?.map(|account| account.owner.email);
        found.extend(undelivered(tx, account, remaining)?.into_iter().map(|mail| (address.clone(), mail)));
    }
    Ok(found)
}
