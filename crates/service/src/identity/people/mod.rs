//! People: how they sign up and in, and what they decide about their account.
//!
//! Passwords are hashed and compared outside of these functions ([`crate::passwords`]): that takes long, and a transaction must not.

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

/// Days that an account waits for its e-mail address to be confirmed.
const CONFIRM_WITHIN: SignedDuration = SignedDuration::from_hours(7 * 24);
/// How long events are kept.
const EVENTS_KEPT: SignedDuration = SignedDuration::from_hours(366 * 24);
/// Unused links for one purpose that an account can have been sent within [`LINK_PERIOD`]: nobody's mailbox is flooded through us.
/// Links of further sign-ups with an address have limits of their own ([`throttle::MailKind::SignUp`]).
const LINKS_PER_PERIOD: i64 = 5;
const LINK_PERIOD: SignedDuration = SignedDuration::from_hours(1);

/// The language that an account's owner chose, if any.
#[must_use]
pub fn language_of(account: &Account) -> Option<Language> {
    account.owner.language.as_deref().and_then(Language::parse)
}

/// A link to send by mail: the only moment at which its secret is known.
#[derive(Clone)]
pub struct MailToken {
    /// What the link carries.
    pub secret: String,
    /// The address to send it to.
    pub email: String,
    /// The account that it is for.
    pub account: Account,
}

/// As long as the secret of a link, and none: for a mail that is written as if there were an account, and goes to nobody.
pub const NO_SECRET: &str = "...........................................";

/// 256 bits that nobody can guess, for links and sessions: 43 characters of base64url.
fn draw(random: &dyn Random) -> Result<String, Error> {
    Ok(URL_SAFE_NO_PAD.encode(draw_bytes::<32>(random)?))
}

fn draw_bytes<const N: usize>(random: &dyn Random) -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    random.fill(&mut bytes).map_err(|trouble| Error::Internal(trouble.to_string()))?;
    Ok(bytes)
}

/// What is stored of such a secret.
fn hash(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}

/// Makes a link for an account; none when it was sent enough of them.
fn make_link(
    tx: &mut Tx<'_>,
    env: &Environment,
    account: &Account,
    purpose: Purpose,
    email: &str,
) -> Result<Option<MailToken>, Error> {
    if mail_tokens::made_since(tx, account.owner.id, purpose, env.now - LINK_PERIOD)? >= LINKS_PER_PERIOD {
        return Ok(None);
    }
    let sent = mail_tokens::Sent { person: account.owner.id, email: email.to_owned(), details: None };
    make_link_for(tx, env, account, purpose, sent).map(Some)
}

/// Makes a link, however many there are, with all that is stored of it.
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

/// Writes as much as [`make_link_for`], and leaves nothing: on SQLite the next write waits for this one, and whoever sends it must not learn
/// from that who has an account.
fn make_no_link(tx: &mut Tx<'_>, env: &Environment, purpose: Purpose) -> Result<(), Error> {
    if let Some(person) = store::people::any(tx)? {
        let token = hash(&draw(env.random())?);
        let sent = mail_tokens::Sent { person, email: String::new(), details: None };
        mail_tokens::insert(tx, &token, purpose, &sent, env.now, env.now)?;
        mail_tokens::forget(tx, &token)?;
    }
    Ok(())
}

/// Removes what is no longer needed, about `limit` rows at the most; tells how many. Call it again while it removes that many.
///
/// # Errors
/// The storage failed.
pub fn sweep(tx: &mut Tx<'_>, env: &Environment, limit: i64) -> Result<i64, Error> {
    let mut gone = 0;
    // First, as it takes accounts.
    for person in store::people::unconfirmed_until(tx, env.now - CONFIRM_WITHIN, env.now, limit)? {
        gone += i64::from(store::closing::close(tx, person, env.now)?);
    }
    gone += store::sessions::sweep(tx, sessions::alive(env.now), limit - gone)?;
    gone += mail_tokens::sweep(tx, env.now, limit - gone)?;
    gone += person_events::sweep(tx, env.now - EVENTS_KEPT, limit - gone)?;
    gone += store::submissions::sweep(tx, env.now - crate::submissions::KEPT, limit - gone)?;
    gone += store::idempotency::sweep(tx, env.now - crate::idempotency::KEPT, limit - gone)?;
    Ok(gone + data::erase_batch(tx, env, limit - gone)?)
}
