//! Jobs: commands on their way to an engine's thread, and their results on the way back.

use crate::{Access, StoreError, Tx, watch::Watchers};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    time::Duration,
};
use tokio::sync::oneshot;

/// A command with its type erased, so that all commands share one queue.
pub(crate) struct Job {
    pub(crate) access: Access,
    /// Time limit for the command.
    pub(crate) limit: Option<Duration>,
    command: Box<dyn ErasedCommand>,
    /// Accounts whose change feeds have new rows. Their watchers are notified after the commit.
    reported: Vec<i64>,
    watchers: Watchers,
}

trait ErasedCommand: Send {
    fn run(&mut self, tx: &mut Tx<'_>, reported: &mut Vec<i64>) -> bool;
    fn answer(self: Box<Self>, committed: Result<(), StoreError>);
    fn is_abandoned(&self) -> bool;
}

struct Command<T, E, F> {
    command: F,
    outcome: Option<Result<T, E>>,
    reply: oneshot::Sender<Result<T, E>>,
}

impl Job {
    pub(crate) fn new<T, E, F>(
        access: Access,
        limit: Option<Duration>,
        watchers: &Watchers,
        command: F,
    ) -> (Self, oneshot::Receiver<Result<T, E>>)
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let command = Box::new(Command { command, outcome: None, reply });
        (Self { access, limit, command, reported: Vec::new(), watchers: watchers.clone() }, answer)
    }

    /// Runs the command and stores its result; returns whether to commit. A panic fails the
    /// command, not the thread.
    pub(crate) fn run(&mut self, tx: &mut Tx<'_>) -> bool {
        self.command.run(tx, &mut self.reported)
    }

    /// Sends the result, or the failure to commit it, to the caller.
    pub(crate) fn answer(self, committed: Result<(), StoreError>) {
        if committed.is_ok() {
            for account in &self.reported {
                self.watchers.report(*account);
            }
        }
        self.command.answer(committed);
    }

    /// Whether the caller is no longer waiting (timeout, closed connection), so that the command
    /// need not start.
    pub(crate) fn is_abandoned(&self) -> bool {
        self.command.is_abandoned()
    }
}

impl<T, E, F> ErasedCommand for Command<T, E, F>
where
    F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send,
    T: Send,
    E: From<StoreError> + Send,
{
    fn run(&mut self, tx: &mut Tx<'_>, reported: &mut Vec<i64>) -> bool {
        // Unwind safety: after a panic the transaction is rolled back and the command dropped, so
        // no partial state is visible.
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let done = (self.command)(tx)?;
            *reported = tx.reported();
            Ok(done)
        }));
        let outcome = outcome.unwrap_or_else(|_| Err(StoreError::Panicked.into()));
        let wants_commit = outcome.is_ok();
        self.outcome = Some(outcome);
        wants_commit
    }

    fn answer(self: Box<Self>, committed: Result<(), StoreError>) {
        let outcome = match (self.outcome, committed) {
            // Nothing had to be committed, so the caller gets the command's own error.
            (Some(Err(refusal)), Ok(())) => Err(refusal),
            (_, Err(trouble)) => Err(trouble.into()),
            (Some(outcome), Ok(())) => outcome,
            (None, Ok(())) => Err(StoreError::closing().into()),
        };
        // A failure only means that the caller is no longer waiting.
        drop(self.reply.send(outcome));
    }

    fn is_abandoned(&self) -> bool {
        self.reply.is_closed()
    }
}
