//! A command on its way to an engine's thread, and its answer on the way back.

use crate::{Access, StoreError, Tx, watch::Watchers};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    time::Duration,
};
use tokio::sync::oneshot;

/// A command with its type erased, so that commands of every kind wait in one queue.
pub(crate) struct Job {
    pub(crate) access: Access,
    /// How long it may take.
    pub(crate) limit: Option<Duration>,
    command: Box<dyn ErasedCommand>,
    /// The accounts whose feeds have more to report once it is committed, and who waits for that.
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

    /// Runs the command and keeps its outcome; true when it wants to be committed. A panic is the command's failure, not the thread's.
    pub(crate) fn run(&mut self, tx: &mut Tx<'_>) -> bool {
        self.command.run(tx, &mut self.reported)
    }

    /// Sends the outcome, or the failure to commit it, to whoever waits.
    pub(crate) fn answer(self, committed: Result<(), StoreError>) {
        if committed.is_ok() {
            for account in &self.reported {
                self.watchers.report(*account);
            }
        }
        self.command.answer(committed);
    }

    /// Whether the asker has gone (a time-out, a closed connection): then the command need not begin.
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
        // Unwind safety: after a panic the transaction is rolled back and the command is dropped, so nobody sees a half-done state.
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
            // The command's own refusal says more than the trouble that followed it.
            (Some(Err(refusal)), Ok(())) => Err(refusal),
            (_, Err(trouble)) => Err(trouble.into()),
            (Some(outcome), Ok(())) => outcome,
            (None, Ok(())) => Err(StoreError::closing().into()),
        };
        // The asker may have gone; then there is nobody to answer.
        drop(self.reply.send(outcome));
    }

    fn is_abandoned(&self) -> bool {
        self.reply.is_closed()
    }
}
