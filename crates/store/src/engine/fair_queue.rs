//! Fair queue between tenants: accounts take turns, one job per turn, and each lane has a limit of
//! concurrently running jobs.
//!
//! Each account has two lanes, one for its reads and one for its writes, so that neither waits for
//! the other. On PostgreSQL, the writers of an account run one after the other anyway
//! (`books::transact` locks the account's row), and each one that waits for the lock occupies a
//! connection, as each reader does. On SQLite, the commands of a group are committed together, so
//! the caller of each command waits for the whole group. The limit per lane means that an account
//! with few requests waits for at most one job from each other lane, however many jobs are queued
//! there. Each lane may also fill only a share of the queue.

use crate::StoreError;
use std::{
    collections::{HashMap, VecDeque},
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// Number of jobs that a lane may always queue, even if its usual share, a quarter of the queue, is
/// smaller.
const SMALLEST_SHARE: usize = 16;

/// Lane of a job: the reads or the writes of one account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    Reads(i64),
    Writes(i64),
}

/// Maximum number of concurrently running jobs per lane.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) reads: usize,
    pub(crate) writes: usize,
}

impl Limits {
    /// Returns the same limit for reads and writes.
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
    /// Signals that a job can be taken, or that the queue is closed.
    changed: Condvar,
    limits: Limits,
    /// Maximum number of waiting jobs.
    length: usize,
    /// Maximum number of waiting jobs per lane.
    share: usize,
}

/// Result of [`FairQueue::take_within`].
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Taken<T> {
    /// A job; the caller must call [`FairQueue::done`] afterwards.
    Next(Option<Key>, T),
    /// No job within the timeout.
    Nothing,
    /// No job, because the queue is closed.
    Closed,
}

struct State<T> {
    turns: VecDeque<Turn<T>>,
    lanes: HashMap<Key, Lane<T>>,
    waiting: usize,
    closed: bool,
}

/// An entry in the order of turns.
enum Turn<T> {
    /// The first waiting job of a lane.
    Lane(Key),
    /// A job that belongs to no account.
    Other(T),
}

/// State of a lane.
struct Lane<T> {
    /// Number of jobs that have been taken and are not done.
    running: usize,
    waiting: VecDeque<T>,
    /// Whether the lane has an entry in the order of turns. It has one while it has waiting jobs
    /// and runs fewer jobs than its limit.
    has_turn: bool,
}

impl<T> Lane<T> {
    /// Whether the lane's waiting and running jobs together exceed the number that it may run at
    /// once.
    fn is_loud(&self, limit: usize) -> bool {
        self.running + self.waiting.len() > limit
    }
}

impl<T> State<T> {
    /// Takes the next job in turn; skips loud lanes if `loud_ones_wait`.
    fn next(&mut self, limits: Limits, loud_ones_wait: bool) -> Option<(Option<Key>, T)> {
        let is_allowed = |turn: &Turn<T>| match turn {
            Turn::Lane(key) => {
                !self.lanes.get(key).is_some_and(|lane| lane.is_loud(limits.of(*key)))
            }
            Turn::Other(_) => true,
        };
        let place = if loud_ones_wait { self.turns.iter().position(is_allowed)? } else { 0 };
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
        let state =
            State { turns: VecDeque::new(), lanes: HashMap::new(), waiting: 0, closed: false };
        Self {
            state: Mutex::new(state),
            changed: Condvar::new(),
            limits,
            length,
            share: (length / 4).max(SMALLEST_SHARE),
        }
    }

    /// Appends a job, to the lane `key` if it belongs to an account.
    ///
    /// # Errors
    /// The queue or the lane's share of it is full, or the queue is closed.
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
                let empty = || Lane { running: 0, waiting: VecDeque::new(), has_turn: false };
                let lane = state.lanes.entry(key).or_insert_with(empty);
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

    /// Waits for the next job and takes it; `None` once the queue is closed and no job can be
    /// taken. The caller must call [`FairQueue::done`] afterwards.
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

    /// Takes the next job, waiting for at most `timeout`.
    pub(crate) fn take_within(&self, timeout: Duration) -> Taken<T> {
        let state = self.state();
        let is_idle = |state: &mut State<T>| state.turns.is_empty() && !state.closed;
        let (mut state, _) = self
            .changed
            .wait_timeout_while(state, timeout, is_idle)
            .unwrap_or_else(PoisonError::into_inner);
        match state.next(self.limits, false) {
            Some((key, next)) => {
                self.call_another(&state);
                Taken::Next(key, next)
            }
            None if state.closed => Taken::Closed,
            None => Taken::Nothing,
        }
    }

    /// Takes the next job without waiting; skips loud lanes if `loud_ones_wait`.
    pub(crate) fn take_at_once(&self, loud_ones_wait: bool) -> Option<(Option<Key>, T)> {
        self.state().next(self.limits, loud_ones_wait)
    }

    /// Takes the next job of a lane that is not loud, waiting for at most `timeout`. Requires a
    /// queue with a single worker, because no other worker is woken for the skipped jobs.
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
            (state, _) =
                self.changed.wait_timeout(state, remaining).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Whether the lane's waiting and running jobs together exceed the number that it may run at
    /// once.
    pub(crate) fn is_loud(&self, key: Option<Key>) -> bool {
        let state = self.state();
        key.and_then(|key| Some((key, state.lanes.get(&key)?)))
            .is_some_and(|(key, lane)| lane.is_loud(self.limits.of(key)))
    }

    /// Reports a taken job as done, so that the next job of its lane can run.
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

    /// Number of waiting jobs.
    pub(crate) fn waiting(&self) -> usize {
        self.state().waiting
    }

    /// Closes the queue: it accepts no more jobs, and workers still take the waiting ones. The
    /// worker that finishes a job of a lane also takes the lane's next one.
    pub(crate) fn close(&self) {
        self.state().closed = true;
        self.changed.notify_all();
    }

    /// Wakes another worker if a job can be taken: the lane that was just served may have another
    /// turn, for which no worker has been woken.
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
    fn reads_and_writes_of_an_account_have_separate_lanes() {
        let (reads, writes, others) =
            (Some(Key::Reads(1)), Some(Key::Writes(1)), Some(Key::Reads(2)));
        let queue = FairQueue::new(Limits { reads: 3, writes: 1 }, 1000);
        put(&queue, writes, 0..200);
        put(&queue, reads, 300..500);
        put(&queue, others, 500..501);
        let taken: Vec<_> = std::iter::from_fn(|| queue.take_at_once(false)).collect();
        // Account 1 runs one write and three reads at once; a further worker would find no job.
        assert_eq!(taken, [(writes, 0), (reads, 300), (others, 500), (reads, 301), (reads, 302)]);
        queue.done(writes);
        assert_eq!(queue.take(), Some((writes, 1)), "the next write comes though reads wait");
        queue.done(reads);
        assert_eq!(queue.take(), Some((reads, 303)), "the next read comes though writes wait");
        // Each lane has its own share of the queue: while the share for writes is full, the same
        // account can still queue reads.
        put(&queue, writes, 0..52);
        assert!(matches!(queue.put(writes, 9), Err(StoreError::Unavailable(_))));
        put(&queue, reads, 0..1);
    }

    #[test]
    fn one_account_never_has_more_than_its_share_of_the_workers() {
        let queue = limited(2, 1000);
        put(&queue, LOUD, 0..200);
        // Two workers take the first two jobs; a third finds none until another account queues one.
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
    fn accounts_take_turns_however_much_one_of_them_queues() {
        let queue = limited(2, 1000);
        put(&queue, LOUD, 0..200);
        put(&queue, QUIET, 500..503);
        put(&queue, None, 600..601);
        // Simulates a single worker, which finishes each job before it takes the next.
        let order: Vec<u32> = (0..204)
            .map(|_| {
                let (key, item) = queue.take().unwrap();
                queue.done(key);
                item
            })
            .collect();
        assert_eq!(order[..8], [0, 500, 600, 1, 501, 2, 502, 3]);
        let of_loud: Vec<u32> = order.iter().copied().filter(|item| *item < 200).collect();
        assert!(of_loud.is_sorted(), "the jobs of one account keep their order");
        assert!(queue.state().lanes.is_empty(), "idle lanes are removed");
    }

    #[test]
    fn a_take_can_skip_loud_lanes() {
        let queue = limited(2, 1000);
        put(&queue, LOUD, 0..3);
        put(&queue, QUIET, 500..502);
        assert_eq!(queue.take(), Some((LOUD, 0)));
        assert!(queue.is_loud(LOUD) && !queue.is_loud(QUIET) && !queue.is_loud(None));
        assert_eq!(queue.take_at_once(true), Some((QUIET, 500)));
        assert_eq!(queue.take_at_once(true), Some((QUIET, 501)));
        assert_eq!(queue.take_at_once(true), None);
        // The next take that does not skip loud lanes serves the skipped lane first.
        put(&queue, None, 600..601);
        assert_eq!(queue.take_at_once(false), Some((LOUD, 1)));
        queue.done(LOUD);
        assert!(!queue.is_loud(LOUD), "the two remaining jobs are within its limit");
        assert_eq!(queue.take_at_once(true), Some((None, 600)));
        assert_eq!(queue.take_at_once(true), Some((LOUD, 2)));
    }

    #[test]
    fn waiting_for_a_quiet_lane_ends_at_the_timeout_or_on_close() {
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
            assert_eq!(
                waiting.join().unwrap(),
                Some((QUIET, 500)),
                "although the loud lane is first in turn"
            );
            let waiting = scope.spawn(|| queue.take_quiet_within(Duration::from_secs(60)));
            moment();
            queue.close();
            assert_eq!(waiting.join().unwrap(), None);
        });
    }

    #[test]
    fn the_length_limits_all_waiting_jobs() {
        let queue = limited(1, 3);
        put(&queue, LOUD, 0..3);
        assert!(matches!(queue.put(QUIET, 9), Err(StoreError::Unavailable(_))));
        assert_eq!(queue.take(), Some((LOUD, 0)));
        put(&queue, QUIET, 9..10);
    }

    #[test]
    fn one_account_cannot_fill_the_queue() {
        let queue = limited(2, 100);
        put(&queue, LOUD, 0..25);
        assert!(matches!(queue.put(LOUD, 99), Err(StoreError::Unavailable(_))));
        put(&queue, QUIET, 500..501);
        assert_eq!(queue.take(), Some((LOUD, 0)));
        put(&queue, LOUD, 25..26);
    }

    #[test]
    fn a_timed_take_ends_at_the_timeout_or_on_close() {
        let queue = limited(2, 10);
        assert_eq!(queue.take_within(Duration::ZERO), Taken::Nothing);
        put(&queue, QUIET, 1..2);
        assert_eq!(queue.take_within(Duration::ZERO), Taken::Next(QUIET, 1));
        queue.close();
        assert_eq!(queue.take_within(Duration::from_secs(60)), Taken::Closed);
    }

    #[test]
    fn a_closed_queue_is_emptied_and_accepts_no_more_jobs() {
        let queue = limited(1, 10);
        put(&queue, LOUD, 0..2);
        queue.close();
        assert!(queue.put(QUIET, 9).is_err());
        assert_eq!(queue.take(), Some((LOUD, 0)));
        assert_eq!(queue.take(), None, "a second worker stops");
        queue.done(LOUD);
        assert_eq!(queue.take(), Some((LOUD, 1)));
        queue.done(LOUD);
        assert_eq!(queue.take(), None);
    }
}
