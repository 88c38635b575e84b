//! A fair semaphore: each account can hold only a few permits, and waiting accounts take turns, one
//! permit at a time.

use service::Error;
use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::sync::oneshot;

/// Limits of a semaphore.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Total number of permits.
    pub(super) in_all: usize,
    /// Maximum number of permits per account.
    pub(super) of_one: usize,
    /// Maximum number of waiting requests; requests by the server itself may exceed it.
    pub(super) waiting: usize,
    /// Maximum number of waiting requests per account, with the same exception.
    pub(super) waiting_of_one: usize,
    /// Maximum time that a client waits.
    pub(super) timeout: Duration,
}

/// Origin of a request for a permit. Within one account, the server's own requests come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Asker {
    /// The server itself, which makes few requests at once. They are never rejected.
    Server,
    /// A client that waits for a response.
    Visitor,
}

/// Permits and the queues for them.
#[derive(Debug)]
pub struct FairSemaphore {
    /// Name of the limited work, for the log.
    what: &'static str,
    limits: Limits,
    state: Mutex<State>,
}

/// Position in an account's queue; tickets sort in the order of service.
type Ticket = (Asker, u64);

#[derive(Debug, Default)]
struct State {
    /// Number of permits in use by account; accounts without permits are absent.
    given: HashMap<i64, usize>,
    /// Queue of each account; accounts without a queue are absent.
    lines: HashMap<i64, BTreeMap<Ticket, oneshot::Sender<Permit>>>,
    /// Accounts with a queue, in the order of their turns.
    turns: VecDeque<i64>,
    /// Total length of the queues.
    waiting: usize,
    next_ticket: u64,
}

/// A permit; released on drop.
#[derive(Debug)]
pub struct Permit {
    semaphore: Arc<FairSemaphore>,
    account: i64,
}

/// An entry in a queue; removed on drop.
struct Waiting<'s> {
    semaphore: &'s FairSemaphore,
    account: i64,
    ticket: Ticket,
}

impl State {
    fn given(&self, account: i64) -> usize {
        self.given.get(&account).copied().unwrap_or(0)
    }

    /// Whether a permit is available to an account.
    fn is_free(&self, account: i64, limits: Limits) -> bool {
        self.given.values().sum::<usize>() < limits.in_all && self.given(account) < limits.of_one
    }

    /// Removes an entry from its queue; `None` if the queue no longer contains the entry.
    fn remove(&mut self, account: i64, ticket: Ticket) -> Option<oneshot::Sender<Permit>> {
        let line = self.lines.get_mut(&account)?;
        let asker = line.remove(&ticket)?;
        self.waiting -= 1;
        if line.is_empty() {
            self.lines.remove(&account);
            self.turns.retain(|turn| *turn != account);
        }
        Some(asker)
    }
}

impl FairSemaphore {
    pub(super) fn new(what: &'static str, limits: Limits) -> Arc<Self> {
        Arc::new(Self { what, limits, state: Mutex::default() })
    }

    /// Returns a permit without waiting.
    ///
    /// # Errors
    /// No permit is available, in total or to this account.
    pub fn try_acquire(self: &Arc<Self>, account: i64) -> Result<Permit, Error> {
        self.permit(&mut self.state(), account).ok_or(Error::Busy(self.what))
    }

    /// Waits for a permit. Dropping the future removes the request from the queue.
    ///
    /// # Errors
    /// Too many clients are waiting, or the wait timed out.
    pub async fn acquire(self: &Arc<Self>, account: i64, asker: Asker) -> Result<Permit, Error> {
        let busy = || Error::Busy(self.what);
        let (sender, granted) = oneshot::channel();
        let _waiting = {
            let mut state = self.state();
            // If a permit is available to this account, all waiting accounts are at their own
            // limit, so none is overtaken.
            if let Some(permit) = self.permit(&mut state, account) {
                return Ok(permit);
            }
            let of_one = state.lines.get(&account).map_or(0, BTreeMap::len);
            if asker == Asker::Visitor
                && (state.waiting >= self.limits.waiting || of_one >= self.limits.waiting_of_one)
            {
                return Err(busy());
            }
            let ticket = (asker, state.next_ticket);
            state.next_ticket += 1;
            state.waiting += 1;
            if of_one == 0 {
                state.turns.push_back(account);
            }
            state.lines.entry(account).or_default().insert(ticket, sender);
            Waiting { semaphore: self, account, ticket }
        };
        let granted = match asker {
            Asker::Server => granted.await.ok(),
            Asker::Visitor => {
                tokio::time::timeout(self.limits.timeout, granted).await.ok().and_then(Result::ok)
            }
        };
        granted.ok_or_else(busy)
    }

    /// Waits for a permit and runs `work` on a thread for blocking work. The permit is released
    /// when the work ends, even if the caller has disconnected.
    ///
    /// # Errors
    /// As for [`FairSemaphore::acquire`], or the work panicked.
    pub async fn run<T: Send + 'static>(
        self: &Arc<Self>,
        account: i64,
        asker: Asker,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        let permit = self.acquire(account, asker).await?;
        let done = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        done.await.map_err(|trouble| Error::Internal(trouble.to_string()))
    }

    fn permit(self: &Arc<Self>, state: &mut State, account: i64) -> Option<Permit> {
        let is_free = state.is_free(account, self.limits);
        is_free.then(|| {
            *state.given.entry(account).or_default() += 1;
            Permit { semaphore: Arc::clone(self), account }
        })
    }

    /// Releases a permit of an account and grants free ones to the accounts whose turn it is.
    fn give_back(self: &Arc<Self>, account: i64) {
        // Permits whose receiver has just disconnected. They are dropped after the lock is
        // released, because dropping a permit acquires the lock again.
        let mut returned = Vec::new();
        let mut state = self.state();
        match state.given.get_mut(&account) {
            Some(given) if *given > 1 => *given -= 1,
            _ => drop(state.given.remove(&account)),
        }
        while let Some(place) =
            state.turns.iter().position(|account| state.is_free(*account, self.limits))
        {
            let Some(account) = state.turns.remove(place) else { break };
            // The account moves to the end of `turns`, so that its next entry waits for the other
            // accounts.
            state.turns.push_back(account);
            let first = state.lines.get(&account).and_then(|line| line.keys().next().copied());
            let Some(sender) = first.and_then(|ticket| state.remove(account, ticket)) else {
                break;
            };
            let Some(permit) = self.permit(&mut state, account) else { break };
            returned.extend(sender.send(permit).err());
        }
        drop(state);
        drop(returned);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of permits in use and the total length of the queues.
    #[cfg(test)]
    pub fn usage(&self) -> (usize, usize) {
        let state = self.state();
        (state.given.values().sum(), state.waiting)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.semaphore.give_back(self.account);
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.semaphore.state().remove(self.account, self.ticket);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::{FutureExt, future::BoxFuture};

    const LIMITS: Limits = Limits {
        in_all: 2,
        of_one: 1,
        waiting: 5,
        waiting_of_one: 3,
        timeout: Duration::from_secs(10),
    };

    type Asking = BoxFuture<'static, Result<Permit, Error>>;

    /// Polls a request for a permit once; returns its result, if any, and the request.
    fn asking(
        semaphore: &Arc<FairSemaphore>,
        account: i64,
        asker: Asker,
    ) -> (Option<Result<Permit, Error>>, Asking) {
        let semaphore = Arc::clone(semaphore);
        let mut asking = async move { semaphore.acquire(account, asker).await }.boxed();
        let answered = (&mut asking).now_or_never();
        (answered, asking)
    }

    fn in_line(semaphore: &Arc<FairSemaphore>, account: i64, asker: Asker) -> Asking {
        let (answered, asking) = asking(semaphore, account, asker);
        assert!(answered.is_none(), "account {account} waits");
        asking
    }

    fn answered(asking: &mut Asking) -> Option<Permit> {
        asking.now_or_never().map(Result::unwrap)
    }

    #[tokio::test]
    async fn accounts_take_turns_regardless_of_queue_length() {
        let semaphore = FairSemaphore::new("tests", LIMITS);
        let first = semaphore.try_acquire(1).unwrap();
        let mut loud: Vec<_> = (0..3).map(|_| in_line(&semaphore, 1, Asker::Visitor)).collect();
        // One permit is free, but not for account 1, which holds one already.
        let second = semaphore.acquire(2, Asker::Visitor).await.unwrap();
        let mut quiet = in_line(&semaphore, 3, Asker::Visitor);
        assert!(semaphore.try_acquire(4).is_err());
        drop(second);
        let third = answered(&mut quiet).unwrap();
        assert!(loud.iter_mut().all(|asking| answered(asking).is_none()));
        let mut quiet = in_line(&semaphore, 2, Asker::Visitor);
        drop(first);
        let first = answered(&mut loud[0]).unwrap();
        drop(first);
        let second = answered(&mut quiet).unwrap();
        assert!(answered(&mut loud[1]).is_none(), "it was another account's turn");
        drop((second, third));
        drop(answered(&mut loud[1]).unwrap());
        drop(answered(&mut loud[2]).unwrap());
        assert_eq!(semaphore.usage(), (0, 0));
        assert!(semaphore.state().given.is_empty() && semaphore.state().turns.is_empty());
    }

    #[tokio::test]
    async fn a_client_is_rejected_if_the_queue_or_the_wait_is_too_long() {
        let semaphore =
            FairSemaphore::new("tests", Limits { timeout: Duration::from_millis(20), ..LIMITS });
        let taken = [semaphore.try_acquire(1).unwrap(), semaphore.try_acquire(2).unwrap()];
        let of_one: Vec<_> = (0..3).map(|_| in_line(&semaphore, 1, Asker::Visitor)).collect();
        assert!(matches!(asking(&semaphore, 1, Asker::Visitor).0, Some(Err(Error::Busy("tests")))));
        let of_others: Vec<_> =
            (2..4).map(|account| in_line(&semaphore, account, Asker::Visitor)).collect();
        assert!(matches!(asking(&semaphore, 4, Asker::Visitor).0, Some(Err(Error::Busy(_)))));
        let server = in_line(&semaphore, 1, Asker::Server);
        for asking in of_one.into_iter().chain(of_others) {
            assert!(matches!(asking.await, Err(Error::Busy(_))));
        }
        assert_eq!(semaphore.usage(), (2, 1));
        // The server's own request does not time out.
        drop(taken);
        drop(server.await.unwrap());
        assert_eq!(semaphore.usage(), (0, 0));
    }

    #[tokio::test]
    async fn a_client_that_disconnects_leaves_the_queue_and_releases_its_permit() {
        let semaphore = FairSemaphore::new("tests", LIMITS);
        let taken = semaphore.try_acquire(1).unwrap();
        let waiting = [0; 3].map(|_| in_line(&semaphore, 1, Asker::Visitor));
        assert_eq!(semaphore.usage(), (1, 3));
        drop(waiting);
        assert_eq!(semaphore.usage(), (1, 0));
        assert!(semaphore.state().turns.is_empty());
        let [given, mut next] = [0; 2].map(|_| in_line(&semaphore, 1, Asker::Visitor));
        drop(taken);
        drop(given);
        drop(answered(&mut next).unwrap());
        assert_eq!(semaphore.usage(), (0, 0));
    }

    #[tokio::test]
    async fn within_an_account_the_server_comes_first_within_the_same_limit() {
        let semaphore = FairSemaphore::new("tests", LIMITS);
        let taken = semaphore.try_acquire(1).unwrap();
        let mut visitor = in_line(&semaphore, 1, Asker::Visitor);
        let mut server = in_line(&semaphore, 1, Asker::Server);
        drop(taken);
        assert!(answered(&mut visitor).is_none());
        drop(answered(&mut server).unwrap());
        drop(answered(&mut visitor).unwrap());
    }
    #[tokio::test]
    async fn started_work_keeps_its_permit_after_its_client_disconnects() {
        let semaphore = FairSemaphore::new("tests", LIMITS);
        let (begins, begun) = oneshot::channel();
        let (end, ends) = std::sync::mpsc::channel::<()>();
        let work = move || {
            begins.send(()).unwrap();
            assert!(ends.recv().is_err(), "the end is a closed channel");
        };
        let mut asking = semaphore.run(1, Asker::Visitor, work).boxed();
        assert!((&mut asking).now_or_never().is_none());
        begun.await.unwrap();
        drop(asking);
        assert!(semaphore.try_acquire(1).is_err());
        drop(end);
        drop(semaphore.acquire(1, Asker::Visitor).await.unwrap());
    }
}
