//! People: sign-up, sign-in, and management of their accounts.
//!
//! Passwords are hashed and compared outside these functions ([`crate::passwords`]), because
//! hashing takes long and a transaction must be short.

mod credentials;
pub mod data;
pub mod email;
mod encryption;
pub mod events;
pub mod password;
mod refusal;
pub mod second_factor;
pub mod sessions;
pub mod settings;
pub mod sign_in;
pub mod sign_up;
pub mod throttle;

pub use encryption::EncryptionKey;
pub use refusal::Refusal;
pub use sessions::{SessionToken, SignedIn};
pub use store::{
    accounts::Account,
    mail_tokens::Purpose,
    people::{Credentials, PersonId},
    sessions::{Session, Stage},
};

use crate::{Environment, Error, environment::Random};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jiff::SignedDuration;
pub use ledger::language::Language;
use sha2::{Digest, Sha256};
use store::{Tx, mail_tokens, person_events};

/// Period within which a new account's email address has to be confirmed.
const CONFIRM_WITHIN: SignedDuration = SignedDuration::from_hours(7 * 24);
/// Retention period of events.
const EVENTS_KEPT: SignedDuration = SignedDuration::from_hours(366 * 24);
/// Retention period of an unfinished form after its last save.
pub(crate) const UNFINISHED_FORMS_KEPT: SignedDuration = SignedDuration::from_hours(90 * 24);
/// Retention period of an unfinished form that was discarded, or that a command received.
pub(crate) const ENDED_FORMS_KEPT: SignedDuration = SignedDuration::from_hours(24);
/// Rate limit for emailed links: maximum number of unused links for one purpose that can be sent to
/// an account within [`LINK_PERIOD`], so that nobody can use the server to flood a mailbox. Links
/// for further sign-ups with the same address have their own limits
/// ([`throttle::MailKind::SignUp`]).
const LINKS_PER_PERIOD: i64 = 5;
const LINK_PERIOD: SignedDuration = SignedDuration::from_hours(1);

/// Returns the language that the account's owner chose, if any.
#[must_use]
pub fn language_of(account: &Account) -> Option<Language> {
    account.owner.language.as_deref().and_then(Language::parse)
}

/// A link to send by email. Only a hash of its secret is stored, so the link cannot be recovered
/// later.
#[derive(Clone)]
pub struct MailToken {
    /// Secret of the link.
    pub secret: String,
    /// Recipient.
    pub email: String,
    /// Account for which the link was made.
    pub account: Account,
}

/// Placeholder of the same length as a link's secret. If there is no account, an email is composed
/// with this placeholder but not sent.
pub const NO_SECRET: &str = "...........................................";

/// Generates a 256-bit secret for links and sessions: 43 characters of base64url.
fn draw(random: &dyn Random) -> Result<String, Error> {
    Ok(URL_SAFE_NO_PAD.encode(draw_bytes::<32>(random)?))
}

fn draw_bytes<const N: usize>(random: &dyn Random) -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    random.fill(&mut bytes).map_err(|error| Error::Internal(error.to_string()))?;
    Ok(bytes)
}

/// Returns the hash that is stored for the secret of a link or session.
fn hash(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}

/// Makes a link for an account; `None` if the rate limit is reached.
fn make_link(
    tx: &mut Tx<'_>,
    env: &Environment,
    account: &Account,
    purpose: Purpose,
    email: &str,
) -> Result<Option<MailToken>, Error> {
    if mail_tokens::made_since(tx, account.owner.id, purpose, env.now - LINK_PERIOD)?
        >= LINKS_PER_PERIOD
    {
        return Ok(None);
    }
    let sent =
        mail_tokens::Sent { person: account.owner.id, email: email.to_owned(), details: None };
    make_link_for(tx, env, account, purpose, sent).map(Some)
}

/// Makes a link without checking the rate limit.
fn make_link_for(
    tx: &mut Tx<'_>,
    env: &Environment,
    account: &Account,
    purpose: Purpose,
    sent: mail_tokens::Sent,
) -> Result<MailToken, Error> {
    let lifetime = match purpose {
        Purpose::Confirm | Purpose::ChangeEmail => SignedDuration::from_hours(24),
        Purpose::Reset => SignedDuration::from_hours(1),
    };
    let secret = draw(env.random())?;
    mail_tokens::insert(tx, &hash(&secret), purpose, &sent, env.now, env.now + lifetime)?;
    Ok(MailToken { secret, email: sent.email, account: account.clone() })
}

/// Performs the same writes as [`make_link_for`], and removes the link again. On SQLite the next
/// write has to wait for these writes; if they were omitted, the duration of that write would
/// reveal whether an account exists.
fn make_no_link(tx: &mut Tx<'_>, env: &Environment, purpose: Purpose) -> Result<(), Error> {
    if let Some(person) = store::people::any(tx)? {
        let token = hash(&draw(env.random())?);
        let sent = mail_tokens::Sent { person, email: String::new(), details: None };
        mail_tokens::insert(tx, &token, purpose, &sent, env.now, env.now)?;
        mail_tokens::forget(tx, &token)?;
    }
    Ok(())
}

/// Removes at most about `limit` expired rows; returns their number. Callers repeat the call until
/// it removes fewer than `limit`.
///
/// # Errors
/// The storage failed.
pub fn sweep(tx: &mut Tx<'_>, env: &Environment, limit: i64) -> Result<i64, Error> {
    let mut removed = 0;
    // This step comes first: it closes accounts, whose rows are erased below.
    for person in store::people::unconfirmed_until(tx, env.now - CONFIRM_WITHIN, env.now, limit)? {
        removed += i64::from(store::closing::close(tx, person, env.now)?);
    }
    removed += store::sessions::sweep(tx, sessions::alive(env.now), limit - removed)?;
    removed += mail_tokens::sweep(tx, env.now, limit - removed)?;
    removed += person_events::sweep(tx, env.now - EVENTS_KEPT, limit - removed)?;
    removed += store::submissions::sweep(tx, env.now - crate::submissions::KEPT, limit - removed)?;
    removed += store::idempotency::sweep(tx, env.now - crate::idempotency::KEPT, limit - removed)?;
    removed +=
        store::quotes::sweep_visitors(tx, env.now - crate::quotes::VISITORS_KEPT, limit - removed)?;
    removed += store::bank_uploads::sweep(
        tx,
        env.now - crate::bank_statements::UPLOADS_KEPT,
        limit - removed,
    )?;
    let ends = (env.now - UNFINISHED_FORMS_KEPT, env.now - ENDED_FORMS_KEPT);
    removed += store::unfinished::sweep(tx, ends, limit - removed)?;
    Ok(removed + data::erase_batch(tx, env, limit - removed)?)
}
