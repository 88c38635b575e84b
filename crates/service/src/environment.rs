//! Time and chance, handed in: nothing in the program reads the clock or draws random bytes by itself.

use jiff::Timestamp;

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
#[error("the machine's random source failed")]
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

/// The moment without what is finer than a microsecond.
#[must_use]
pub fn to_microsecond(moment: Timestamp) -> Timestamp {
    // Rounding down a moment that exists gives a moment that exists.
    Timestamp::from_microsecond(moment.as_microsecond()).unwrap_or(moment)
}
