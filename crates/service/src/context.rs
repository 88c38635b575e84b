//! Context of every command and query on the books: the caller and the inputs from outside the
//! books.

use crate::{
    Actor, Error,
    environment::{Environment, Random},
};
use jiff::{Timestamp, civil::Date};
use ledger::calendar::amsterdam_today;
use std::sync::{Arc, Mutex, PoisonError};
use store::{
    Tx,
    accounts::Account,
    books::{self, Books},
};

/// Caller, time, and client of a command or query.
#[derive(Clone)]
pub struct Context {
    /// Caller and the caller's permissions.
    pub actor: Actor,
    /// Server time, random source, and client.
    pub env: Environment,
    /// Timestamps of the books while they are locked; otherwise `None`.
    locked: Option<Locked>,
}

/// Timestamps of locked books.
#[derive(Clone, Copy)]
struct Locked {
    /// Time of the books' clock.
    clock: Timestamp,
    /// Timestamp for the rows that the command writes.
    now: Timestamp,
}

impl Context {
    /// Creates the context of a caller.
    #[must_use]
    pub fn new(actor: Actor, env: Environment) -> Self {
        Self { actor, env, locked: None }
    }

    /// Creates the context of the account's owner.
    #[must_use]
    pub fn of_owner(account: &Account, env: Environment) -> Self {
        Self::new(Actor::owner(account), env)
    }

    /// Returns a copy of the context with another server time; its books are not locked.
    #[must_use]
    pub fn at(&self, now: Timestamp) -> Self {
        Self::new(self.actor.clone(), Environment { now, ..self.env.clone() })
    }

    /// Time of the command: server time or, while the books are locked, the timestamp for written
    /// rows.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.locked.map_or(self.env.now, |locked| locked.now)
    }

    /// Current time of the books: server time or, in a test account, the time of its own clock.
    #[must_use]
    pub fn clock(&self) -> Timestamp {
        self.locked.map_or_else(|| self.actor.clock(self.env.now), |locked| locked.clock)
    }

    /// Current date of the books, in the Netherlands.
    #[must_use]
    pub fn today(&self) -> Date {
        amsterdam_today(self.clock())
    }

    /// Source of random bytes.
    #[must_use]
    pub fn random(&self) -> &dyn Random {
        self.env.random()
    }

    /// Returns the context for locked books, with the account's current country, plan and invoice
    /// terms. The values loaded with the key or the session may be outdated, and a write has to use
    /// the current ones.
    fn within(&self, books: &Books, now: Timestamp) -> Self {
        Self {
            actor: self.actor.within(books),
            env: self.env.clone(),
            locked: Some(Locked { clock: books.clock(), now }),
        }
    }
}

/// Runs a command that writes to the account's books; see [`books::transact`]. The command gets a
/// context whose account settings were read under the lock, and whose [`Context::now`] is the
/// timestamp for the rows that it writes.
///
/// # Errors
/// The command failed, the account is closed, or the books cannot be read or written.
pub fn transact<T>(
    tx: &mut Tx<'_>,
    cx: &Context,
    command: impl FnOnce(&mut Tx<'_>, &mut Books, &Context) -> Result<T, Error>,
) -> Result<T, Error> {
    transact_with_prefetch(tx, cx, |_| {}, command)
}

/// Result of a rehearsed command, once it is executed.
pub type Rehearsed<T> = Arc<Mutex<Option<T>>>;

/// Returns a command that fails after `command` succeeded, so that its transaction is rolled back,
/// and the place of the result of `command`.
pub fn rehearse<T: Send + 'static>(
    mut command: impl FnMut(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
) -> (impl FnMut(&mut Tx<'_>) -> Result<(), Error> + Send + 'static, Rehearsed<T>) {
    let rehearsed = Rehearsed::<T>::default();
    let result = Arc::clone(&rehearsed);
    let failing = move |tx: &mut Tx<'_>| {
        let done = command(tx)?;
        *result.lock().unwrap_or_else(PoisonError::into_inner) = Some(done);
        // Any error rolls the transaction back.
        Err(Error::Changed)
    };
    (failing, rehearsed)
}

/// Returns the result of a rehearsed command, or the error of the command itself.
///
/// # Errors
/// The command failed.
pub fn rehearsed<T>(failed: Result<(), Error>, result: &Rehearsed<T>) -> Result<T, Error> {
    let done = result.lock().unwrap_or_else(PoisonError::into_inner).take();
    done.ok_or_else(|| failed.err().unwrap_or(Error::Changed))
}

/// Like [`transact`], for a command that knows in advance which rows it will read; see
/// [`Tx::prefetch`].
///
/// # Errors
/// As for [`transact`].
pub(crate) fn transact_with_prefetch<T>(
    tx: &mut Tx<'_>,
    cx: &Context,
    questions: impl FnOnce(&mut Tx<'_>),
    command: impl FnOnce(&mut Tx<'_>, &mut Books, &Context) -> Result<T, Error>,
) -> Result<T, Error> {
    books::transact_with_prefetch(tx, cx.actor.account, cx.env.now, questions, |tx, books, now| {
        let cx = cx.within(books, now);
        command(tx, books, &cx)
    })
}
