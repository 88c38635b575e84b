//! Inputs of a command or query from outside the books: time, random bytes, and the client. They
//! are always passed in: no other code in this crate reads the clock or generates random bytes.

use jiff::Timestamp;
use ledger::language::Language;
use std::sync::Arc;

/// Source of the current time.
pub trait Clock: Send + Sync {
    /// Returns the current time to the microsecond, the precision with which times are stored.
    fn now(&self) -> Timestamp;
}

/// Source of random bytes.
pub trait Random: Send + Sync {
    /// Fills the buffer with cryptographically secure random bytes.
    ///
    /// # Errors
    /// The random number generator of the operating system failed.
    fn fill(&self, bytes: &mut [u8]) -> Result<(), NoRandomness>;
}

/// Texts of emails that commands of the books send to the account's owner.
pub trait Letters: Send + Sync {
    /// Returns the subject and the text of the email about a turnover of `year` near the limit of
    /// the small businesses scheme (KOR).
    fn kor_limit_near(&self, language: Language, year: i16) -> (String, String);
}

/// The random number generator of the operating system failed.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("no_randomness")]
pub struct NoRandomness;

/// Clock and random source of the operating system.
#[derive(Debug, Clone, Copy, Default)]
pub struct System;

impl Clock for System {
    fn now(&self) -> Timestamp {
        to_microsecond(Timestamp::now())
    }
}

impl Random for System {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), NoRandomness> {
        getrandom::fill(bytes).map_err(|_| NoRandomness)
    }
}

/// Client of a request, for the logs of sign-ins and events.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Visitor {
    /// IP address of the client; empty at the command line.
    pub address: String,
    /// User-Agent header.
    pub user_agent: String,
}

impl Visitor {
    /// Creates a client, with control characters removed and each value cut off after 255
    /// characters.
    #[must_use]
    pub fn new(address: &str, user_agent: &str) -> Self {
        let cut = |text: &str| text.chars().filter(|c| !c.is_control()).take(255).collect();
        Self { address: cut(address), user_agent: cut(user_agent) }
    }
}

/// Inputs of every command and query in addition to the books.
#[derive(Clone)]
pub struct Environment {
    /// Time of the server's clock.
    pub now: Timestamp,
    /// Source of random bytes.
    pub random: Arc<dyn Random>,
    /// Texts of emails; `None` if commands send none.
    pub letters: Option<Arc<dyn Letters>>,
    /// Client of the request.
    pub client: Visitor,
}

impl Environment {
    /// Creates an environment with the given time, the system's random source, no client and no
    /// emails, for jobs, the command line and tests.
    #[must_use]
    pub fn at(now: Timestamp) -> Self {
        Self { now, random: Arc::new(System), letters: None, client: Visitor::default() }
    }

    /// Returns this environment with the given client.
    #[must_use]
    pub fn from_client(self, client: Visitor) -> Self {
        Self { client, ..self }
    }

    /// Source of random bytes.
    #[must_use]
    pub fn random(&self) -> &dyn Random {
        &*self.random
    }
}

/// Truncates a timestamp to microseconds.
#[must_use]
pub fn to_microsecond(moment: Timestamp) -> Timestamp {
    // Truncating cannot make a valid timestamp invalid, so the fallback is never used.
    Timestamp::from_microsecond(moment.as_microsecond()).unwrap_or(moment)
}
