//! A semaphore whose permits are shared among accounts: each has few at once, and those who wait take turns, one permit an account.

use service::Error;
use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::sync::oneshot;

/// How many permits there are, and who may wait for one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Permits.
    pub(super) in_all: usize,
    /// Permits that one account has at once.
    pub(super) of_one: usize,
    /// Visitors who wait.
    pub(super) waiting: usize,
    /// Visitors of one account who wait.
    pub(super) waiting_of_one: usize,
    /// How long a visitor waits.
    pub(super) timeout: Duration,
}

/// Who asks for a permit. Of one account the server's own comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Asker {
    /// The server by itself, which asks for few at once, and is not sent away.
    Server,
    /// Somebody who waits for an answer.
    Visitor,
}

/// Permits, and who waits for them.
#[derive(Debug)]
pub struct FairSemaphore {
    /// What is done with a permit, for the log.
    what: &'static str,
    limits: Limits,
    state: Mutex<State>,
}

/// Who waits, in the order in which they come.
type Ticket = (Asker, u64);

#[derive(Debug, Default)]
struct State {
    /// Permits that are given out, by account; an account that has none is not there.
    given: HashMap<i64, usize>,
    /// Those of each account who wait; an account of which nobody waits is not there.
    lines: HashMap<i64, BTreeMap<Ticket, oneshot::Sender<Permit>>>,
    /// The accounts that have a line, in the order of their turns.
    turns: VecDeque<i64>,
    /// How many wait in all lines.
    waiting: usize,
    next_ticket: u64,
}

/// Permission to do something, given back when it is dropped.
#[derive(Debug)]
pub struct Permit {
    semaphore: Arc<FairSemaphore>,
    account: i64,
}

/// Somebody in a line, who is removed from it when this is dropped.
struct Waiting<'s> {
    semaphore: &'s FairSemaphore,
    account: i64,
    ticket: Ticket,
}

impl State {
    fn given(&self, account: i64) -> usize {
        self.given.get(&account).copied().unwrap_or(0)
    }

    /// Whether an account may have another permit now.
    fn is_free(&self, account: i64, limits: Limits) -> bool {
        self.given.values().sum::<usize>() < limits.in_all && self.given(account) < limits.of_one
    }

    /// Removes somebody from the line; none if they are no longer in it.
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

    /// A permit, if there is one at once.
    ///
    /// # Errors
    /// All are given out, or as many as an account has at once.
    pub fn try_acquire(self: &Arc<Self>, account: i64) -> Result<Permit, Error> {
        self.permit(&mut self.state(), account).ok_or(Error::Busy(self.what))
    }

    /// Waits for a permit; who goes away meanwhile is no longer in the line.
    ///
    /// # Errors
    /// Too many visitors wait already, or this one has waited too long.
    pub async fn acquire(self: &Arc<Self>, account: i64, asker: Asker) -> Result<Permit, Error> {
        let busy = || Error::Busy(self.what);
        let (sender, granted) = oneshot::channel();
        let _waiting = {
            let mut state = self.state();
            // Where there is one, those who wait may not have it.
            if let Some(permit) = self.permit(&mut state, account) {
                return Ok(permit);
            }
            let of_one = state.lines.get(&account).map_or(0, BTreeMap::len);
            if asker == Asker::Visitor && (state.waiting >= self.limits.waiting || of_one >= self.limits.waiting_of_one) {
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
            Asker::Visitor => tokio::time::timeout(self.limits.timeout, granted).await.ok().and_then(Result::ok),
        };
        granted.ok_or_else(busy)
    }

    /// Waits for a permit, and does something on a thread that serves nobody. The permit is given back when that is done, also if who asked for it
    /// has gone away meanwhile.
    ///
    /// # Errors
    /// As for [`FairSemaphore::acquire`], or it panicked.
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

    /// Takes a permit back, and gives those that there are to whose turn it is.
    fn give_back(self: &Arc<Self>, account: i64) {
        // Of who went away at this moment; given back when the state is free again.
        let mut returned = Vec::new();
        let mut state = self.state();
        match state.given.get_mut(&account) {
            Some(given) if *given > 1 => *given -= 1,
            _ => drop(state.given.remove(&account)),
        }
        while let Some(place) = state.turns.iter().position(|account| state.is_free(*account, self.limits)) {
            let Some(account) = state.turns.remove(place) else { break };
            // Behind the others, for the next of its line.
            state.turns.push_back(account);
            let first = state.lines.get(&account).and_then(|line| line.keys().next().copied());
            let Some(sender) = first.and_then(|ticket| state.remove(account, ticket)) else { break };
            let Some(permit) = self.permit(&mut state, account) else { break };
            returned.extend(sender.send(permit).err());
        }
        drop(state);
        drop(returned);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many permits are given out, and how many wait for one.
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

    const LIMITS: Limits = Limits { in_all: 2, of_one: 1, waiting: 5, waiting_of_one: 3, timeout: Duration::from_secs(10) };

    type Asking = BoxFuture<'static, Result<Permit, Error>>;

    /// Somebody who stands in line, or was answered at once.
    fn asking(semaphore: &Arc<FairSemaphore>, account: i64, asker: Asker) -> (Option<Result<Permit, Error>>, Asking) {
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
    async fn accounts_take_turns_however_many_of_one_wait() {
        let semaphore = FairSemaphore::new("tests", LIMITS);
        let first = semaphore.try_acquire(1).unwrap();
        let mut loud: Vec<_> = (0..3).map(|_| in_line(&semaphore, 1, Asker::Visitor)).collect();
        // One permit is left, but not for who has one.
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
        assert!(answered(&mut loud[1]).is_none(), "the turn was another's");
        drop((second, third));
        drop(answered(&mut loud[1]).unwrap());
        drop(answered(&mut loud[2]).unwrap());
        assert_eq!(semaphore.usage(), (0, 0));
        assert!(semaphore.state().given.is_empty() && semaphore.state().turns.is_empty());
    }

    #[tokio::test]
    async fn who_would_wait_in_too_long_a_line_or_too_long_is_sent_away() {
        let semaphore = FairSemaphore::new("tests", Limits { timeout: Duration::from_millis(20), ..LIMITS });
        let taken = [semaphore.try_acquire(1).unwrap(), semaphore.try_acquire(2).unwrap()];
        let of_one: Vec<_> = (0..3).map(|_| in_line(&semaphore, 1, Asker::Visitor)).collect();
        assert!(matches!(asking(&semaphore, 1, Asker::Visitor).0, Some(Err(Error::Busy("tests")))));
        let of_others: Vec<_> = (2..4).map(|account| in_line(&semaphore, account, Asker::Visitor)).collect();
        assert!(matches!(asking(&semaphore, 4, Asker::Visitor).0, Some(Err(Error::Busy(_)))));
        let server = in_line(&semaphore, 1, Asker::Server);
        for asking in of_one.into_iter().chain(of_others) {
            assert!(matches!(asking.await, Err(Error::Busy(_))));
        }
        assert_eq!(semaphore.usage(), (2, 1));
        // Whoever waits before a permit is given out is not forgotten after that time.
        drop(taken);
        drop(server.await.unwrap());
        assert_eq!(semaphore.usage(), (0, 0));
    }

    #[tokio::test]
    async fn who_goes_away_is_out_of_the_line_and_gives_back_what_was_just_given() {
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
    async fn of_one_account_the_server_comes_first_and_takes_no_permit_more() {
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
    async fn work_that_has_begun_counts_until_it_ends_though_its_visitor_has_left() {
        let semaphore = FairSemaphore::new("tests", LIMITS);
        let (begins, begun) = oneshot::channel();
        let (end, ends) = std::sync::mpsc::channel::<()>();
        let work = move || {
            begins.send(()).unwrap();
            assert!(ends.recv().is_err(), "it is told by an end without a word");
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
