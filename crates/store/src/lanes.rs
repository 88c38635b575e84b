//! The queue of the PostgreSQL workers: commands in the order in which they came, but few of one account at a time.
//!
//! Writers of one account follow one another anyway (`books::change` locks the account's row), and each that waits for the lock keeps
//! a connection from all others. So only so many of one account are with the workers at once. The rest wait here, and each goes to
//! the end of the queue when one before it is done, behind what others asked meanwhile.

use crate::StoreError;
use std::{
    collections::{HashMap, VecDeque},
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
};

pub(crate) struct Lanes<T> {
    state: Mutex<State<T>>,
    /// Something can be taken, or nothing will come any more.
    changed: Condvar,
    /// How many of one account may be with the workers, or next for them, at once.
    abreast: usize,
    /// How many may wait.
    length: usize,
}

struct State<T> {
    ready: VecDeque<(Option<i64>, T)>,
    lanes: HashMap<i64, Lane<T>>,
    waiting: usize,
    closed: bool,
}

/// What one account has asked for.
struct Lane<T> {
    /// How many are with the workers, or next for them.
    ahead: usize,
    behind: VecDeque<T>,
}

impl<T> Lanes<T> {
    pub(crate) fn new(abreast: usize, length: usize) -> Self {
        let state = State { ready: VecDeque::new(), lanes: HashMap::new(), waiting: 0, closed: false };
        Self { state: Mutex::new(state), changed: Condvar::new(), abreast, length }
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
        state.waiting += 1;
        if let Some(account) = account {
            let lane = state.lanes.entry(account).or_insert_with(|| Lane { ahead: 0, behind: VecDeque::new() });
            if lane.ahead == self.abreast {
                lane.behind.push_back(item);
                return Ok(());
            }
            lane.ahead += 1;
        }
        state.ready.push_back((account, item));
        self.changed.notify_one();
        Ok(())
    }

    /// The next, waiting for it; none when the queue is closed and empty. [`Lanes::done`] must follow.
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

    /// Something that was taken is done: the next of its account can come.
    pub(crate) fn done(&self, account: Option<i64>) {
        let Some(account) = account else { return };
        let mut state = self.state();
        let Some(lane) = state.lanes.get_mut(&account) else { return };
        match lane.behind.pop_front() {
            Some(next) => {
                state.ready.push_back((Some(account), next));
                self.changed.notify_one();
            }
            None if lane.ahead == 1 => drop(state.lanes.remove(&account)),
            None => lane.ahead -= 1,
        }
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

    fn put(lanes: &Lanes<u32>, account: Option<i64>, items: std::ops::Range<u32>) {
        for item in items {
            lanes.put(account, item).unwrap();
        }
    }

    #[test]
    fn one_account_never_has_more_than_its_share_of_the_workers() {
        let lanes = Lanes::new(2, 1000);
        put(&lanes, LOUD, 0..200);
        // Two workers have the first two; for a third there is nothing until someone else asks.
        assert_eq!([lanes.take(), lanes.take()], [Some((LOUD, 0)), Some((LOUD, 1))]);
        assert!(lanes.state().ready.is_empty());
        put(&lanes, QUIET, 500..501);
        put(&lanes, None, 600..601);
        assert_eq!([lanes.take(), lanes.take()], [Some((QUIET, 500)), Some((None, 600))]);
        lanes.done(LOUD);
        assert_eq!(lanes.take(), Some((LOUD, 2)));
        assert!(lanes.state().ready.is_empty());
    }

    #[test]
    fn who_asks_little_goes_before_what_the_loud_one_still_wants() {
        let lanes = Lanes::new(2, 1000);
        put(&lanes, LOUD, 0..200);
        put(&lanes, QUIET, 500..503);
        // With one worker that takes, does and takes again.
        let order: Vec<u32> = (0..203)
            .map(|_| {
                let (account, item) = lanes.take().unwrap();
                lanes.done(account);
                item
            })
            .collect();
        assert_eq!(order[..8], [0, 1, 500, 501, 2, 3, 502, 4]);
        let of_loud: Vec<u32> = order.iter().copied().filter(|item| *item < 200).collect();
        assert!(of_loud.is_sorted(), "those of one account keep their order");
        assert!(lanes.state().lanes.is_empty(), "nothing is kept of who asks for nothing");
    }

    #[test]
    fn only_so_many_wait_and_those_who_wait_behind_count_too() {
        let lanes = Lanes::new(1, 3);
        put(&lanes, LOUD, 0..3);
        assert!(matches!(lanes.put(QUIET, 9), Err(StoreError::Unavailable(_))));
        assert_eq!(lanes.take(), Some((LOUD, 0)));
        put(&lanes, QUIET, 9..10);
    }

    #[test]
    fn a_closed_queue_is_emptied_and_takes_nothing_more() {
        let lanes = Lanes::new(1, 10);
        put(&lanes, LOUD, 0..2);
        lanes.close();
        assert!(lanes.put(QUIET, 9).is_err());
        assert_eq!(lanes.take(), Some((LOUD, 0)));
        assert_eq!(lanes.take(), None, "a second worker goes");
        lanes.done(LOUD);
        assert_eq!(lanes.take(), Some((LOUD, 1)));
        lanes.done(LOUD);
        assert_eq!(lanes.take(), None);
    }
}
