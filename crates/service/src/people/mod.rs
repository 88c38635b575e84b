//! People: how they sign up and in, and what they decide about their account.
//!
//! Passwords are hashed and compared outside of these functions ([`crate::passwords`]): that takes long, and a transaction must not.

pub mod data;
pub mod email;
pub mod events;
pub mod password;
mod sealing;
pub mod second_factor;
pub mod sessions;
pub mod settings;
pub mod sign_in;
pub mod sign_up;
pub mod throttle;

pub use sealing::SealKey;
pub use sessions::{SessionToken, SignedIn};
pub use store::{
    accounts::Account,
    mail_tokens::Purpose,
    people::Credentials,
    sessions::{Session, Stage},
};

use crate::{Error, outside::Random};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};
use store::{Tx, account_events, mail_tokens};
use thiserror::Error as ThisError;

/// Days that an account waits for its e-mail address to be confirmed.
const CONFIRM_WITHIN: SignedDuration = SignedDuration::from_hours(7 * 24);
/// How long events are kept.
const EVENTS_KEPT: SignedDuration = SignedDuration::from_hours(366 * 24);
/// Unused links for one purpose that an account can have been sent within [`LINK_PERIOD`]: nobody's mailbox is flooded through us.
/// Links of further sign-ups with an address have limits of their own ([`throttle::MailKind::SignUp`]).
const LINKS_PER_PERIOD: i64 = 5;
const LINK_PERIOD: SignedDuration = SignedDuration::from_hours(1);

/// Where a request comes from: texts without control characters, of 255 characters at the most.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Visitor {
    /// The client's address.
    pub address: String,
    /// What the browser calls itself.
    pub user_agent: String,
}

impl Visitor {
    /// Where a request comes from; what is too long is cut off.
    #[must_use]
    pub fn new(address: &str, user_agent: &str) -> Self {
        let cut = |text: &str| text.chars().filter(|c| !c.is_control()).take(255).collect();
        Self { address: cut(address), user_agent: cut(user_agent) }
    }
}

/// The languages that the pages and mails speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// Nederlands.
    Dutch,
    /// English.
    English,
}

impl Language {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Dutch, Self::English];

    /// Its code (ISO 639-1).
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Dutch => "nl",
            Self::English => "en",
        }
    }

    /// The language with that code.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.as_str() == text)
    }

    /// The language that an account's owner chose, if any.
    #[must_use]
    pub fn of(account: &Account) -> Option<Self> {
        account.language.as_deref().and_then(Self::parse)
    }
}

/// Why a person cannot do something just now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ThisError)]
pub enum Refusal {
    /// The link was used, has expired, or never was.
    #[error("this link does not work any more: it was used before, or is too old; ask for a new one")]
    LinkSpent,
    /// The address that the account was opened with is not confirmed.
    #[error("confirm your e-mail address first; the link to do so is in your mailbox")]
    EmailUnconfirmed,
    /// The password was changed between being compared and being used.
    #[error("the password was changed meanwhile; sign in again")]
    PasswordChanged,
    /// The session ended meanwhile.
    #[error("you are signed out; sign in again")]
    SignedOut,
    /// The code of the second factor is wrong, or was used before.
    #[error("this code is not right, or was used before; wait for the next one")]
    WrongCode,
    /// There is a second factor already.
    #[error("a second factor is set up already")]
    SecondFactorOn,
    /// There is no second factor.
    #[error("no second factor is set up")]
    SecondFactorOff,
    /// The server has no key to seal a second factor with, or another one than it was sealed with.
    #[error("the second factor is not available: the operator must give the server its secret file")]
    NoSealKey,
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

/// 256 bits that nobody can guess, for links and sessions: 43 characters of base64url.
fn draw(random: &dyn Random) -> Result<String, Error> {
    Ok(URL_SAFE_NO_PAD.encode(draw_bytes::<32>(random)?))
}

fn draw_bytes<const N: usize>(random: &dyn Random) -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    random.fill(&mut bytes).map_err(|trouble| Error::Broken(trouble.to_string()))?;
    Ok(bytes)
}

/// What is stored of such a secret.
fn hash(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}

/// Makes a link for an account; none when it was sent enough of them.
fn make_link(
    tx: &mut Tx<'_>,
    random: &dyn Random,
    now: Timestamp,
    account: &Account,
    purpose: Purpose,
    email: &str,
) -> Result<Option<MailToken>, Error> {
    if mail_tokens::made_since(tx, account.id, purpose, now - LINK_PERIOD)? >= LINKS_PER_PERIOD {
        return Ok(None);
    }
    let sent = mail_tokens::Sent { account: account.id, email: email.to_owned(), details: None };
    make_link_for(tx, random, now, account, purpose, sent).map(Some)
}

/// Makes a link, however many there are, with all that is stored of it.
fn make_link_for(
    tx: &mut Tx<'_>,
    random: &dyn Random,
    now: Timestamp,
    account: &Account,
    purpose: Purpose,
    sent: mail_tokens::Sent,
) -> Result<MailToken, Error> {
    let lifetime = match purpose {
        Purpose::Confirm | Purpose::ChangeEmail => SignedDuration::from_hours(24),
        Purpose::Reset => SignedDuration::from_hours(1),
    };
    let secret = draw(random)?;
    mail_tokens::insert(tx, &hash(&secret), purpose, &sent, now, now + lifetime)?;
    Ok(MailToken { secret, email: sent.email, account: account.clone() })
}

/// Removes what is no longer needed, about `limit` rows at the most; tells how many. Call it again while it removes that many.
///
/// # Errors
/// The storage failed.
pub fn sweep(tx: &mut Tx<'_>, now: Timestamp, limit: i64) -> Result<i64, Error> {
    let mut gone = 0;
    // First, as it takes accounts.
    for account in store::people::unconfirmed_until(tx, now - CONFIRM_WITHIN, now, limit)? {
        gone += i64::from(store::closing::close(tx, account, now)?);
    }
    gone += store::sessions::sweep(tx, sessions::alive(now), limit - gone)?;
    gone += mail_tokens::sweep(tx, now, limit - gone)?;
    gone += account_events::sweep(tx, now - EVENTS_KEPT, limit - gone)?;
    Ok(gone + data::erase_batch(tx, now, limit - gone)?)
}
