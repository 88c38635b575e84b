//! The queue of the workers: commands in the order in which they came, but few of one account at a time.
//!
//! On PostgreSQL writers of one account follow one another anyway (`books::transact` locks the account's row), and each that waits for the
//! lock keeps a connection from all others; on SQLite all commands that are run together are committed together, so that each waits for all
//! of them. So only so many of one account are with the workers at once. The rest wait here, and each goes to the end of the queue when one
//! before it is done, behind what others asked meanwhile. Nor can one account take all the room that there is to wait.

use crate::StoreError;
use std::{
    collections::{HashMap, VecDeque},
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// What of the room one account may take: a quarter, and this many in any case.
const SMALLEST_SHARE: usize = 16;

pub(crate) struct FairQueue<T> {
    state: Mutex<State<T>>,
    /// Something can be taken, or nothing will come any more.
    changed: Condvar,
    /// How many of one account may be with the workers, or next for them, at once.
    limit: usize,
    /// How many may wait.
    length: usize,
    /// How many of one account.
    share: usize,
}

/// What there is to take.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Taken<T> {
    /// This. [`FairQueue::done`] must follow.
    Next(Option<i64>, T),
    /// Nothing yet.
    Nothing,
    /// Nothing, and nothing will come.
    Closed,
}

struct State<T> {
    ready: VecDeque<(Option<i64>, T)>,
    accounts: HashMap<i64, AccountQueue<T>>,
    waiting: usize,
    closed: bool,
}

/// What one account has asked for.
struct AccountQueue<T> {
    /// How many are with the workers, or next for them.
    running: usize,
    waiting: VecDeque<T>,
}

impl<T> FairQueue<T> {
    pub(crate) fn new(limit: usize, length: usize) -> Self {
        let state = State { ready: VecDeque::new(), accounts: HashMap::new(), waiting: 0, closed: false };
        Self { state: Mutex::new(state), changed: Condvar::new(), limit, length, share: (length / 4).max(SMALLEST_SHARE) }
    }

    /// Puts something at the end: of its account's lane, if it writes into one account's books.
    ///
    /// # Errors
    /// Too much waits already, or the queue is closed.
    pub(crate) fn put(&self, account: Option<i64>, item: T) -> Result<(), StoreError> {
        let mut state = self.state();
        if state.closed {
            return Err(StoreError::closing());
        }
        if state.waiting >= self.length {
            return Err(StoreError::too_many());
        }
        if let Some(account) = account {
            let of_account =
                state.accounts.entry(account).or_insert_with(|| AccountQueue { running: 0, waiting: VecDeque::new() });
            if of_account.waiting.len() >= self.share {
                return Err(StoreError::too_many());
            }
            if of_account.running == self.limit {
                of_account.waiting.push_back(item);
                state.waiting += 1;
                return Ok(());
            }
            of_account.running += 1;
        }
        state.waiting += 1;
        state.ready.push_back((account, item));
        self.changed.notify_one();
        Ok(())
    }

    /// The next, waiting for it; none when the queue is closed and empty. [`FairQueue::done`] must follow.
    pub(crate) fn take(&self) -> Option<(Option<i64>, T)> {
        let mut state = self.state();
        loop {
            if let Some(next) = state.ready.pop_front() {
                state.waiting -= 1;
                return Some(next);
            }
            if state.closed {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The next, if there is one before so much time is over.
    pub(crate) fn take_within(&self, patience: Duration) -> Taken<T> {
        let state = self.state();
        let nothing = |state: &mut State<T>| state.ready.is_empty() && !state.closed;
        let (mut state, _) = self.changed.wait_timeout_while(state, patience, nothing).unwrap_or_else(PoisonError::into_inner);
        match state.ready.pop_front() {
            Some((account, next)) => {
                state.waiting -= 1;
                Taken::Next(account, next)
            }
            None if state.closed => Taken::Closed,
            None => Taken::Nothing,
        }
    }

    /// Something that was taken is done: the next of its account can come.
    pub(crate) fn done(&self, account: Option<i64>) {
        let Some(account) = account else { return };
        let mut state = self.state();
        let Some(of_account) = state.accounts.get_mut(&account) else { return };
        match of_account.waiting.pop_front() {
            Some(next) => {
                state.ready.push_back((Some(account), next));
                self.changed.notify_one();
            }
            None if of_account.running == 1 => drop(state.accounts.remove(&account)),
            None => of_account.running -= 1,
        }
    }

    /// How many wait.
    pub(crate) fn waiting(&self) -> usize {
        self.state().waiting
    }

    /// Takes nothing more; what waits is still given out. Whoever is done with one of an account takes the next of it too.
    pub(crate) fn close(&self) {
        self.state().closed = true;
        self.changed.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOUD: Option<i64> = Some(1);
    const QUIET: Option<i64> = Some(2);

    fn put(queue: &FairQueue<u32>, account: Option<i64>, items: std::ops::Range<u32>) {
        for item in items {
            queue.put(account, item).unwrap();
        }
    }

    #[test]
    fn one_account_never_has_more_than_its_share_of_the_workers() {
        let queue = FairQueue::new(2, 1000);
        put(&queue, LOUD, 0..200);
        // Two workers have the first two; for a third there is nothing until someone else asks.
        assert_eq!([queue.take(), queue.take()], [Some((LOUD, 0)), Some((LOUD, 1))]);
        assert!(queue.state().ready.is_empty());
        put(&queue, QUIET, 500..501);
        put(&queue, None, 600..601);
        assert_eq!([queue.take(), queue.take()], [Some((QUIET, 500)), Some((None, 600))]);
        queue.done(LOUD);
        assert_eq!(queue.take(), Some((LOUD, 2)));
        assert!(queue.state().ready.is_empty());
    }

    #[test]
    fn who_asks_little_goes_before_what_the_loud_one_still_wants() {
        let queue = FairQueue::new(2, 1000);
        put(&queue, LOUD, 0..200);
        put(&queue, QUIET, 500..503);
        // With one worker that takes, does and takes again.
        let order: Vec<u32> = (0..203)
            .map(|_| {
                let (account, item) = queue.take().unwrap();
                queue.done(account);
                item
            })
            .collect();
        assert_eq!(order[..8], [0, 1, 500, 501, 2, 3, 502, 4]);
        let of_loud: Vec<u32> = order.iter().copied().filter(|item| *item < 200).collect();
        assert!(of_loud.is_sorted(), "those of one account keep their order");
        assert!(queue.state().accounts.is_empty(), "nothing is kept of who asks for nothing");
    }

    #[test]
    fn only_so_many_wait_and_those_who_wait_behind_count_too() {
        let queue = FairQueue::new(1, 3);
        put(&queue, LOUD, 0..3);
        assert!(matches!(queue.put(QUIET, 9), Err(StoreError::Unavailable(_))));
        assert_eq!(queue.take(), Some((LOUD, 0)));
        put(&queue, QUIET, 9..10);
    }

    #[test]
    fn one_account_cannot_take_all_the_room_there_is_to_wait() {
        let queue = FairQueue::new(2, 100);
        // Two of them are next for the workers.
        put(&queue, LOUD, 0..27);
        assert!(matches!(queue.put(LOUD, 99), Err(StoreError::Unavailable(_))));
        put(&queue, QUIET, 500..501);
        queue.take();
        queue.done(LOUD);
        put(&queue, LOUD, 27..28);
    }

    #[test]
    fn who_takes_may_have_to_wait_but_not_for_ever() {
        let queue = FairQueue::new(2, 10);
        assert_eq!(queue.take_within(Duration::ZERO), Taken::Nothing);
        put(&queue, QUIET, 1..2);
        assert_eq!(queue.take_within(Duration::ZERO), Taken::Next(QUIET, 1));
        queue.close();
        assert_eq!(queue.take_within(Duration::from_secs(60)), Taken::Closed);
    }

    #[test]
    fn a_closed_queue_is_emptied_and_takes_nothing_more() {
        let queue = FairQueue::new(1, 10);
        put(&queue, LOUD, 0..2);
        queue.close();
        assert!(queue.put(QUIET, 9).is_err());
        assert_eq!(queue.take(), Some((LOUD, 0)));
        assert_eq!(queue.take(), None, "a second worker goes");
        queue.done(LOUD);
        assert_eq!(queue.take(), Some((LOUD, 1)));
        queue.done(LOUD);
        assert_eq!(queue.take(), None);
    }
}
