//! The queue of the workers: the accounts that want something take turns, one thing at each, and little of one account is at work at a time.
//!
//! What an account writes and what it reads wait in lanes of their own, so that neither waits for the other. On PostgreSQL writers of one
//! account follow one another anyway (`books::transact` locks the account's row), and each that waits for the lock keeps a connection from
//! all others, as each reader does; on SQLite all commands that are run together are committed together, so that each waits for all of them.
//! So only so many of one lane are with the workers at once, and whoever asks for little waits for one thing of each other lane at the most,
//! however much those ask for. Nor can one lane take all the room that there is to wait.

use crate::StoreError;
use std::{
    collections::{HashMap, VecDeque},
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// What of the room one lane may take: a quarter, and this many in any case.
const SMALLEST_SHARE: usize = 16;

/// What takes turns: what one account reads, and what it writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    Reads(i64),
    Writes(i64),
}

/// How many of one lane may be with the workers at once.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) reads: usize,
    pub(crate) writes: usize,
}

impl Limits {
    /// As many whether it reads or writes.
    pub(crate) fn both(limit: usize) -> Self {
        Self { reads: limit, writes: limit }
    }

    fn of(self, key: Key) -> usize {
        match key {
            Key::Reads(_) => self.reads,
            Key::Writes(_) => self.writes,
        }
    }
}

pub(crate) struct FairQueue<T> {
    state: Mutex<State<T>>,
    /// Something can be taken, or nothing will come any more.
    changed: Condvar,
    limits: Limits,
    /// How many may wait.
    length: usize,
    /// How many in one lane.
    share: usize,
}

/// What there is to take.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Taken<T> {
    /// This. [`FairQueue::done`] must follow.
    Next(Option<Key>, T),
    /// Nothing yet.
    Nothing,
    /// Nothing, and nothing will come.
    Closed,
}

struct State<T> {
    turns: VecDeque<Turn<T>>,
    lanes: HashMap<Key, Asked<T>>,
    waiting: usize,
    closed: bool,
}

/// Whose turn it is.
enum Turn<T> {
    /// An account's, for the first that waits in this lane of it.
    Lane(Key),
    /// Of something that is no account's.
    Other(T),
}

/// What one account has asked for, to read or to write.
struct Asked<T> {
    /// How many are with the workers.
    running: usize,
    waiting: VecDeque<T>,
    /// Whether it stands among the turns: once, while something waits and it has not as many running as it may.
    has_turn: bool,
}

impl<T> Asked<T> {
    /// Whether it asks for more than it may have at work at once.
    fn is_loud(&self, limit: usize) -> bool {
        self.running + self.waiting.len() > limit
    }
}

impl<T> State<T> {
    /// The next whose turn it is; of accounts that are not loud, if others are to wait.
    fn next(&mut self, limits: Limits, loud_ones_wait: bool) -> Option<(Option<Key>, T)> {
        let may_come = |turn: &Turn<T>| match turn {
            Turn::Lane(key) => !self.lanes.get(key).is_some_and(|lane| lane.is_loud(limits.of(*key))),
            Turn::Other(_) => true,
        };
        let place = if loud_ones_wait { self.turns.iter().position(may_come)? } else { 0 };
        let taken = match self.turns.remove(place)? {
            Turn::Other(item) => (None, item),
            Turn::Lane(key) => {
                let lane = self.lanes.get_mut(&key)?;
                let item = lane.waiting.pop_front()?;
                lane.running += 1;
                lane.has_turn = !lane.waiting.is_empty() && lane.running < limits.of(key);
                if lane.has_turn {
                    self.turns.push_back(Turn::Lane(key));
                }
                (Some(key), item)
            }
        };
        self.waiting -= 1;
        Some(taken)
    }
}

impl<T> FairQueue<T> {
    pub(crate) fn new(limits: Limits, length: usize) -> Self {
        let state = State { turns: VecDeque::new(), lanes: HashMap::new(), waiting: 0, closed: false };
        Self { state: Mutex::new(state), changed: Condvar::new(), limits, length, share: (length / 4).max(SMALLEST_SHARE) }
    }

    /// Puts something at the end: of its account's lane, if it is of one account.
    ///
    /// # Errors
    /// Too much waits already, or the queue is closed.
    pub(crate) fn put(&self, key: Option<Key>, item: T) -> Result<(), StoreError> {
        let mut state = self.state();
        if state.closed {
            return Err(StoreError::closing());
        }
        if state.waiting >= self.length {
            return Err(StoreError::too_many());
        }
        let turn = match key {
            None => Turn::Other(item),
            Some(key) => {
                let nothing = || Asked { running: 0, waiting: VecDeque::new(), has_turn: false };
                let lane = state.lanes.entry(key).or_insert_with(nothing);
                if lane.waiting.len() >= self.share {
                    return Err(StoreError::too_many());
                }
                lane.waiting.push_back(item);
                let has_turn = lane.has_turn || lane.running >= self.limits.of(key);
                if has_turn {
                    state.waiting += 1;
                    return Ok(());
                }
                lane.has_turn = true;
                Turn::Lane(key)
            }
        };
        state.waiting += 1;
        state.turns.push_back(turn);
        self.changed.notify_one();
        Ok(())
    }

    /// The next, waiting for it; none when the queue is closed and empty. [`FairQueue::done`] must follow.
    pub(crate) fn take(&self) -> Option<(Option<Key>, T)> {
        let mut state = self.state();
        loop {
            if let Some(next) = state.next(self.limits, false) {
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
    pub(crate) fn take_within(&self, timeout: Duration) -> Taken<T> {
        let state = self.state();
        let nothing = |state: &mut State<T>| state.turns.is_empty() && !state.closed;
        let (mut state, _) = self.changed.wait_timeout_while(state, timeout, nothing).unwrap_or_else(PoisonError::into_inner);
        match state.next(self.limits, false) {
            Some((key, next)) => {
                self.call_another(&state);
                Taken::Next(key, next)
            }
            None if state.closed => Taken::Closed,
            None => Taken::Nothing,
        }
    }

    /// The next that is there already; nothing of lanes that ask for more than they may have at work at once, if those are to wait.
    pub(crate) fn take_at_once(&self, loud_ones_wait: bool) -> Option<(Option<Key>, T)> {
        self.state().next(self.limits, loud_ones_wait)
    }

    /// The next of a lane that does not ask for more than it may have at work at once, if there is one before so much time is over. For a queue with
    /// one worker: others are not called for what this one leaves.
    pub(crate) fn take_quiet_within(&self, timeout: Duration) -> Option<(Option<Key>, T)> {
        let end = Instant::now() + timeout;
        let mut state = self.state();
        loop {
            if let Some(next) = state.next(self.limits, true) {
                return Some(next);
            }
            let remaining = end.saturating_duration_since(Instant::now());
            if remaining.is_zero() || state.closed {
                return None;
            }
            (state, _) = self.changed.wait_timeout(state, remaining).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Whether a lane asks for more than it may have at work at once.
    pub(crate) fn is_loud(&self, key: Option<Key>) -> bool {
        let state = self.state();
        key.and_then(|key| Some((key, state.lanes.get(&key)?))).is_some_and(|(key, lane)| lane.is_loud(self.limits.of(key)))
    }

    /// Something that was taken is done: the next of its lane can come.
    pub(crate) fn done(&self, key: Option<Key>) {
        let Some(key) = key else { return };
        let mut state = self.state();
        let Some(lane) = state.lanes.get_mut(&key) else { return };
        lane.running -= 1;
        if lane.has_turn {
            return;
        }
        if !lane.waiting.is_empty() {
            lane.has_turn = true;
            state.turns.push_back(Turn::Lane(key));
            self.changed.notify_one();
        } else if lane.running == 0 {
            state.lanes.remove(&key);
        }
    }

    /// How many wait.
    pub(crate) fn waiting(&self) -> usize {
        self.state().waiting
    }

    /// Takes nothing more; what waits is still given out. Whoever is done with one of a lane takes the next of it too.
    pub(crate) fn close(&self) {
        self.state().closed = true;
        self.changed.notify_all();
    }

    /// Lets another worker look too: a lane that has more to do was put among the turns again by who took from it.
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

    const LOUD: Option<Key> = Some(Key::Writes(1));
    const QUIET: Option<Key> = Some(Key::Writes(2));

    fn limited(limit: usize, length: usize) -> FairQueue<u32> {
        FairQueue::new(Limits::both(limit), length)
    }

    fn put(queue: &FairQueue<u32>, key: Option<Key>, items: std::ops::Range<u32>) {
        for item in items {
            queue.put(key, item).unwrap();
        }
    }

    #[test]
    fn what_an_account_reads_waits_neither_for_what_it_writes_nor_takes_the_turns_of_others() {
        let (reads, writes, others) = (Some(Key::Reads(1)), Some(Key::Writes(1)), Some(Key::Reads(2)));
        let queue = FairQueue::new(Limits { reads: 3, writes: 1 }, 1000);
        put(&queue, writes, 0..200);
        put(&queue, reads, 300..500);
        put(&queue, others, 500..501);
        let taken: Vec<_> = std::iter::from_fn(|| queue.take_at_once(false)).collect();
        // One of the writes and three of the reads are at work, each in turn; with any more workers there is nothing for them.
        assert_eq!(taken, [(writes, 0), (reads, 300), (others, 500), (reads, 301), (reads, 302)]);
        queue.done(writes);
        assert_eq!(queue.take(), Some((writes, 1)), "the next write comes though reads wait");
        queue.done(reads);
        assert_eq!(queue.take(), Some((reads, 303)), "the next read comes though writes wait");
        // Each lane has its own share of the room: where no more writes may wait, the same account may still read.
        put(&queue, writes, 0..52);
        assert!(matches!(queue.put(writes, 9), Err(StoreError::Unavailable(_))));
        put(&queue, reads, 0..1);
    }

    #[test]
    fn one_account_never_has_more_than_its_share_of_the_workers() {
        let queue = limited(2, 1000);
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
        let queue = limited(2, 1000);
        put(&queue, LOUD, 0..200);
        put(&queue, QUIET, 500..503);
        put(&queue, None, 600..601);
        // With one worker that takes, does and takes again.
        let order: Vec<u32> = (0..204)
            .map(|_| {
                let (key, item) = queue.take().unwrap();
                queue.done(key);
                item
            })
            .collect();
        assert_eq!(order[..8], [0, 500, 600, 1, 501, 2, 502, 3]);
        let of_loud: Vec<u32> = order.iter().copied().filter(|item| *item < 200).collect();
        assert!(of_loud.is_sorted(), "those of one account keep their order");
        assert!(queue.state().lanes.is_empty(), "nothing is kept of who asks for nothing");
    }

    #[test]
    fn beside_who_asks_for_little_nothing_more_is_taken_of_who_is_loud() {
        let queue = limited(2, 1000);
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
    fn who_is_loud_waits_for_one_of_the_others_but_not_for_ever() {
        let queue = limited(1, 100);
        put(&queue, LOUD, 0..3);
        assert_eq!(queue.take(), Some((LOUD, 0)));
        assert_eq!(queue.take_quiet_within(Duration::ZERO), None);
        let moment = || std::thread::sleep(Duration::from_millis(20));
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| queue.take_quiet_within(Duration::from_secs(60)));
            moment();
            queue.done(LOUD);
            moment();
            put(&queue, QUIET, 500..501);
            assert_eq!(waiting.join().unwrap(), Some((QUIET, 500)), "though the loud one's turn comes first");
            let waiting = scope.spawn(|| queue.take_quiet_within(Duration::from_secs(60)));
            moment();
            queue.close();
            assert_eq!(waiting.join().unwrap(), None);
        });
    }

    #[test]
    fn only_so_many_wait_and_those_who_wait_behind_count_too() {
        let queue = limited(1, 3);
        put(&queue, LOUD, 0..3);
        assert!(matches!(queue.put(QUIET, 9), Err(StoreError::Unavailable(_))));
        assert_eq!(queue.take(), Some((LOUD, 0)));
        put(&queue, QUIET, 9..10);
    }

    #[test]
    fn one_account_cannot_take_all_the_room_there_is_to_wait() {
        let queue = limited(2, 100);
        put(&queue, LOUD, 0..25);
        assert!(matches!(queue.put(LOUD, 99), Err(StoreError::Unavailable(_))));
        put(&queue, QUIET, 500..501);
        assert_eq!(queue.take(), Some((LOUD, 0)));
        put(&queue, LOUD, 25..26);
    }

    #[test]
    fn who_takes_may_have_to_wait_but_not_for_ever() {
        let queue = limited(2, 10);
        assert_eq!(queue.take_within(Duration::ZERO), Taken::Nothing);
        put(&queue, QUIET, 1..2);
        assert_eq!(queue.take_within(Duration::ZERO), Taken::Next(QUIET, 1));
        queue.close();
        assert_eq!(queue.take_within(Duration::from_secs(60)), Taken::Closed);
    }

    #[test]
    fn a_closed_queue_is_emptied_and_takes_nothing_more() {
        let queue = limited(1, 10);
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
