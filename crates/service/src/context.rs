//! What every command and query on books is told: who asks, and what comes from outside of the books.

use crate::{
    Actor, Error,
    environment::{Environment, Random},
};
use jiff::{Timestamp, civil::Date};
use ledger::calendar::amsterdam_today;
use store::{
    Tx,
    accounts::Account,
    books::{self, Books},
};

/// Who asks, when, and from where.
#[derive(Clone)]
pub struct Context {
    /// Who asks, and what they may do.
    pub actor: Actor,
    /// The server's clock, chance, and the client.
    pub env: Environment,
    /// Given while the books are locked.
    locked: Option<Locked>,
}

/// The moments of books that are locked.
#[derive(Clone, Copy)]
struct Locked {
    /// What their clock says.
    clock: Timestamp,
    /// What is written.
    now: Timestamp,
}

impl Context {
    /// That of somebody who asks something.
    #[must_use]
    pub fn new(actor: Actor, env: Environment) -> Self {
        Self { actor, env, locked: None }
    }

    /// That of the account's owner.
    #[must_use]
    pub fn of_owner(account: &Account, env: Environment) -> Self {
        Self::new(Actor::owner(account), env)
    }

    /// The same at another moment.
    #[must_use]
    pub fn at(&self, now: Timestamp) -> Self {
        Self::new(self.actor.clone(), Environment { now, ..self.env.clone() })
    }

    /// The moment of what is done: the server's, and while the books are locked the one that is to be written.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.locked.map_or(self.env.now, |locked| locked.now)
    }

    /// What time it is in the books: the server's, or in a test account what was set.
    #[must_use]
    pub fn clock(&self) -> Timestamp {
        self.locked.map_or_else(|| self.actor.clock(self.env.now), |locked| locked.clock)
    }

    /// What day it is in the books, in the Netherlands.
    #[must_use]
    pub fn today(&self) -> Date {
        amsterdam_today(self.clock())
    }

    /// Draws random bytes.
    #[must_use]
    pub fn random(&self) -> &dyn Random {
        self.env.random()
    }

    /// The same while the books are locked: with the account's settings as they are. Those that came with the key or the session may be older,
    /// and what is written must go by the settings of its own moment.
    fn within(&self, books: &Books, now: Timestamp) -> Self {
        Self { actor: self.actor.within(books), env: self.env.clone(), locked: Some(Locked { clock: books.clock(), now }) }
    }
}

/// Lets a command write to the account's books; see [`books::transact`]. The context that it gets is that of the moment: its settings are those
/// that the account has while its books are locked, and [`Context::now`] is the moment that is to be written.
///
/// # Errors
/// Those of the command; the account is closed, or the books cannot be read or written.
pub fn transact<T>(
    tx: &mut Tx<'_>,
    cx: &Context,
    command: impl FnOnce(&mut Tx<'_>, &mut Books, &Context) -> Result<T, Error>,
) -> Result<T, Error> {
    transact_with_prefetch(tx, cx, |_| {}, command)
}

/// [`transact`] for a command that knows what it will ask before it writes; see [`Tx::prefetch`].
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
