//! The queue of the workers: the accounts that want something take turns, a command at each, and few of one account are at work at a time.
//!
//! On PostgreSQL writers of one account follow one another anyway (`books::transact` locks the account's row), and each that waits for the
//! lock keeps a connection from all others; on SQLite all commands that are run together are committed together, so that each waits for all
//! of them. So only so many of one account are with the workers at once, and whoever asks for little waits for one command of each other
//! account at the most, however much those ask for. Nor can one account take all the room that there is to wait.

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
    /// How many of one account may be with the workers at once.
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
    turns: VecDeque<Turn<T>>,
    accounts: HashMap<i64, AccountQueue<T>>,
    waiting: usize,
    closed: bool,
}

/// Whose turn it is.
enum Turn<T> {
    /// An account's, for the first that waits of it.
    Account(i64),
    /// Of something that is no account's.
    Other(T),
}

/// What one account has asked for.
struct AccountQueue<T> {
    /// How many are with the workers.
    running: usize,
    waiting: VecDeque<T>,
    /// Whether it stands among the turns: once, while something waits and it has not as many running as it may.
    has_turn: bool,
}

impl<T> AccountQueue<T> {
    /// Whether it asks for more than it may have at work at once.
    fn is_loud(&self, limit: usize) -> bool {
        self.running + self.waiting.len() > limit
    }
}

impl<T> State<T> {
    /// The next whose turn it is; of accounts that are not loud, if others are to wait.
    fn next(&mut self, limit: usize, loud_ones_wait: bool) -> Option<(Option<i64>, T)> {
        let may_come = |turn: &Turn<T>| match turn {
            Turn::Account(account) => !self.accounts.get(account).is_some_and(|of_account| of_account.is_loud(limit)),
            Turn::Other(_) => true,
        };
        let place = if loud_ones_wait { self.turns.iter().position(may_come)? } else { 0 };
        let taken = match self.turns.remove(place)? {
            Turn::Other(item) => (None, item),
            Turn::Account(account) => {
                let of_account = self.accounts.get_mut(&account)?;
                let item = of_account.waiting.pop_front()?;
                of_account.running += 1;
                of_account.has_turn = !of_account.waiting.is_empty() && of_account.running < limit;
                if of_account.has_turn {
                    self.turns.push_back(Turn::Account(account));
                }
                (Some(account), item)
            }
        };
        self.waiting -= 1;
        Some(taken)
    }
}

impl<T> FairQueue<T> {
    pub(crate) fn new(limit: usize, length: usize) -> Self {
        let state = State { turns: VecDeque::new(), accounts: HashMap::new(), waiting: 0, closed: false };
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
        let turn = match account {
            None => Turn::Other(item),
            Some(account) => {
                let nothing = || AccountQueue { running: 0, waiting: VecDeque::new(), has_turn: false };
                let of_account = state.accounts.entry(account).or_insert_with(nothing);
                if of_account.waiting.len() >= self.share {
                    return Err(StoreError::too_many());
                }
                of_account.waiting.push_back(item);
                let has_turn = of_account.has_turn || of_account.running >= self.limit;
                if has_turn {
                    state.waiting += 1;
                    return Ok(());
                }
                of_account.has_turn = true;
                Turn::Account(account)
            }
        };
        state.waiting += 1;
        state.turns.push_back(turn);
        self.changed.notify_one();
        Ok(())
    }

    /// The next, waiting for it; none when the queue is closed and empty. [`FairQueue::done`] must follow.
    pub(crate) fn take(&self) -> Option<(Option<i64>, T)> {
        let mut state = self.state();
        loop {
            if let Some(next) = state.next(self.limit, false) {
                self.call_another(&state);
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
        let nothing = |state: &mut State<T>| state.turns.is_empty() && !state.closed;
        let (mut state, _) = self.changed.wait_timeout_while(state, patience, nothing).unwrap_or_else(PoisonError::into_inner);
        match state.next(self.limit, false) {
            Some((account, next)) => {
                self.call_another(&state);
                Taken::Next(account, next)
            }
            None if state.closed => Taken::Closed,
            None => Taken::Nothing,
        }
    }

    /// The next that is there already; nothing of accounts that ask for more than they may have at work at once, if those are to wait.
    pub(crate) fn take_at_once(&self, loud_ones_wait: bool) -> Option<(Option<i64>, T)> {
        self.state().next(self.limit, loud_ones_wait)
    }

    /// Whether an account asks for more than it may have at work at once.
    pub(crate) fn is_loud(&self, account: Option<i64>) -> bool {
        let state = self.state();
        account.and_then(|account| state.accounts.get(&account)).is_some_and(|of_account| of_account.is_loud(self.limit))
    }

    /// Something that was taken is done: the next of its account can come.
    pub(crate) fn done(&self, account: Option<i64>) {
        let Some(account) = account else { return };
        let mut state = self.state();
        let Some(of_account) = state.accounts.get_mut(&account) else { return };
        of_account.running -= 1;
        if of_account.has_turn {
            return;
        }
        if !of_account.waiting.is_empty() {
            of_account.has_turn = true;
            state.turns.push_back(Turn::Account(account));
            self.changed.notify_one();
        } else if of_account.running == 0 {
            state.accounts.remove(&account);
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

    /// Lets another worker look too: an account that has more to do was put among the turns again by who took from it.
    fn call_another(&self, state: &State<T>) {
        if !state.turns.is_empty() {
            self.changed.notify_one();
        }
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
        assert!(queue.state().turns.is_empty());
        put(&queue, QUIET, 500..501);
        put(&queue, None, 600..601);
        assert_eq!([queue.take(), queue.take()], [Some((QUIET, 500)), Some((None, 600))]);
        queue.done(LOUD);
        assert_eq!(queue.take(), Some((LOUD, 2)));
        assert!(queue.state().turns.is_empty());
    }

    #[test]
    fn accounts_take_turns_however_much_one_of_them_wants() {
        let queue = FairQueue::new(2, 1000);
        put(&queue, LOUD, 0..200);
        put(&queue, QUIET, 500..503);
        put(&queue, None, 600..601);
        // With one worker that takes, does and takes again.
        let order: Vec<u32> = (0..204)
            .map(|_| {
                let (account, item) = queue.take().unwrap();
                queue.done(account);
                item
            })
            .collect();
        assert_eq!(order[..8], [0, 500, 600, 1, 501, 2, 502, 3]);
        let of_loud: Vec<u32> = order.iter().copied().filter(|item| *item < 200).collect();
        assert!(of_loud.is_sorted(), "those of one account keep their order");
        assert!(queue.state().accounts.is_empty(), "nothing is kept of who asks for nothing");
    }

    #[test]
    fn beside_who_asks_for_little_nothing_more_is_taken_of_who_is_loud() {
        let queue = FairQueue::new(2, 1000);
        put(&queue, LOUD, 0..3);
        put(&queue, QUIET, 500..502);
        assert_eq!(queue.take(), Some((LOUD, 0)));
        assert!(queue.is_loud(LOUD) && !queue.is_loud(QUIET) && !queue.is_loud(None));
        assert_eq!(queue.take_at_once(true), Some((QUIET, 500)));
        assert_eq!(queue.take_at_once(true), Some((QUIET, 501)));
        assert_eq!(queue.take_at_once(true), None);
        // Whose turn comes first of all the next time.
        put(&queue, None, 600..601);
        assert_eq!(queue.take_at_once(false), Some((LOUD, 1)));
        queue.done(LOUD);
        assert!(!queue.is_loud(LOUD), "the two that are left are what it may have at work");
        assert_eq!(queue.take_at_once(true), Some((None, 600)));
        assert_eq!(queue.take_at_once(true), Some((LOUD, 2)));
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
        put(&queue, LOUD, 0..25);
        assert!(matches!(queue.put(LOUD, 99), Err(StoreError::Unavailable(_))));
        put(&queue, QUIET, 500..501);
        assert_eq!(queue.take(), Some((LOUD, 0)));
        put(&queue, LOUD, 25..26);
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
