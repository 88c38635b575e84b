//! What a command or query takes from outside of the books: the moment, chance, and from where it is asked. All is handed in: nothing in
//! the program reads the clock or draws random bytes by itself.

use jiff::Timestamp;
use std::sync::Arc;

/// Tells the time.
pub trait Clock: Send + Sync {
    /// This moment, to the microsecond: that is how finely it is stored.
    fn now(&self) -> Timestamp;
}

/// Draws random bytes.
pub trait Random: Send + Sync {
    /// Fills the bytes with what nobody can guess.
    ///
    /// # Errors
    /// The machine has no randomness to give.
    fn fill(&self, bytes: &mut [u8]) -> Result<(), NoRandomness>;
}

/// The machine has no randomness to give.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("no_randomness")]
pub struct NoRandomness;

/// The machine's clock and random source.
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

/// From where a request comes, for the records.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Visitor {
    /// The client's address; empty at the command line.
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

/// What is handed into every command and query beside the books.
#[derive(Clone)]
pub struct Environment {
    /// What the server's clock says.
    pub now: Timestamp,
    /// Draws random bytes.
    pub random: Arc<dyn Random>,
    /// From where the request comes.
    pub client: Visitor,
}

impl Environment {
    /// That of the machine at a moment, without a client: of jobs, the command line and tests.
    #[must_use]
    pub fn at(now: Timestamp) -> Self {
        Self { now, random: Arc::new(System), client: Visitor::default() }
    }

    /// The same with another client.
    #[must_use]
    pub fn from_client(self, client: Visitor) -> Self {
        Self { client, ..self }
    }

    /// Draws random bytes.
    #[must_use]
    pub fn random(&self) -> &dyn Random {
        &*self.random
    }
}

/// The moment without what is finer than a microsecond.
#[must_use]
pub fn to_microsecond(moment: Timestamp) -> Timestamp {
    // Rounding down a moment that exists gives a moment that exists.
    Timestamp::from_microsecond(moment.as_microsecond()).unwrap_or(moment)
}
