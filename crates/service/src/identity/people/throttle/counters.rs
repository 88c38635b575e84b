//! Attempt counters with exponential backoff, and the set of known clients.

use jiff::{SignedDuration, Timestamp};
use std::collections::HashMap;

/// Period without attempts after which a counter is forgotten.
const MEMORY: SignedDuration = SignedDuration::from_hours(1);
/// Period during which a client address stays known after a success.
pub(super) const KNOWN_FOR: SignedDuration = SignedDuration::from_hours(30 * 24);
/// Maximum number of entries of one kind.
pub(super) const CAPACITY: usize = 50_000;

/// Rejection of an attempt that came too early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryAfter {
    /// Whole seconds to wait, at least one: the value of `Retry-After` (RFC 9110, section 10.2.3).
    pub retry_after: i64,
}

/// Backoff: the number of attempts without delay, and the delay in seconds after each further
/// attempt. The delay starts at `first` and doubles with each attempt, up to `longest`.
#[derive(Clone, Copy)]
pub(super) struct Backoff {
    pub(super) free: u32,
    pub(super) first: i64,
    pub(super) longest: i64,
}

impl Backoff {
    pub(super) fn wait_after(self, tries: u32) -> SignedDuration {
        let over = tries.saturating_sub(self.free);
        let seconds = if over == 0 { 0 } else { self.first << (over - 1).min(30) };
        SignedDuration::from_secs(seconds.min(self.longest))
    }
}

#[derive(Clone, Copy)]
pub(super) struct Counter {
    pub(super) tries: u32,
    pub(super) last: Timestamp,
    pub(super) not_before: Timestamp,
}

/// Counters of one kind. Each kind has its own table, so that many entries of one kind do not evict
/// those of another.
pub(super) struct Counters {
    backoff: Backoff,
    pub(super) counters: HashMap<u128, Counter>,
}

impl Counters {
    pub(super) fn new(backoff: Backoff) -> Self {
        Self { backoff, counters: HashMap::new() }
    }

    pub(super) fn get(&self, key: u128, now: Timestamp) -> Option<Counter> {
        self.counters.get(&key).copied().filter(|counter| counter.last + MEMORY > now)
    }

    pub(super) fn wait(&mut self, key: u128, now: Timestamp) -> Result<(), RetryAfter> {
        if let Some(counter) = self.counters.get_mut(&key).filter(|counter| counter.last > now) {
            // The clock was set back: the time by which it went back is subtracted, so that the
            // remaining wait does not become longer.
            counter.not_before -= counter.last.duration_since(now);
            counter.last = now;
        }
        let remaining = self
            .get(key, now)
            .map_or(SignedDuration::ZERO, |counter| counter.not_before.duration_since(now));
        if remaining <= SignedDuration::ZERO {
            return Ok(());
        }
        Err(RetryAfter {
            retry_after: remaining.as_secs() + i64::from(remaining.subsec_nanos() > 0),
        })
    }

    pub(super) fn admit(&mut self, key: u128, now: Timestamp) -> Result<(), RetryAfter> {
        self.wait(key, now)?;
        self.count(key, now);
        Ok(())
    }

    pub(super) fn count(&mut self, key: u128, now: Timestamp) {
        let tries = self.get(key, now).map_or(0, |counter| counter.tries).saturating_add(1);
        self.insert(
            key,
            Counter { tries, last: now, not_before: now + self.backoff.wait_after(tries) },
        );
    }

    pub(super) fn forget(&mut self, key: u128) {
        self.counters.remove(&key);
    }

    pub(super) fn uncount(&mut self, key: u128) {
        if let Some(counter) = self.counters.get_mut(&key) {
            counter.tries = counter.tries.saturating_sub(1);
        }
    }

    pub(super) fn take_back(&mut self, key: u128) {
        self.uncount(key);
        if let Some(counter) = self.counters.get_mut(&key) {
            counter.not_before =
                counter.not_before.min(counter.last + self.backoff.wait_after(counter.tries));
        }
    }

    pub(super) fn insert(&mut self, key: u128, counter: Counter) {
        if !self.counters.contains_key(&key) {
            self.make_room(counter.last);
        }
        self.counters.insert(key, counter);
    }

    /// Evicts entries when the table is full: expired entries first, then those with the fewest
    /// attempts, oldest first. A full table therefore never locks anyone out. To evict its own
    /// entry, a throttled client would have to make at least as many attempts for most other
    /// entries.
    fn make_room(&mut self, now: Timestamp) {
        if self.counters.len() < CAPACITY {
            return;
        }
        self.counters.retain(|_, counter| counter.last + MEMORY > now);
        if self.counters.len() < CAPACITY {
            return;
        }
        let mut all: Vec<_> = self
            .counters
            .iter()
            .map(|(key, counter)| (counter.tries, counter.last, *key))
            .collect();
        // A quarter is evicted at once, so that a full table adds little to the cost of each
        // request.
        all.select_nth_unstable(CAPACITY / 4);
        for (_, _, key) in all.into_iter().take(CAPACITY / 4) {
            self.counters.remove(&key);
        }
    }
}

/// Pairs of a client address and an account or application that has authenticated from it, with the
/// time of the last success.
#[derive(Default)]
pub(super) struct KnownClients(HashMap<u128, Timestamp>);

impl KnownClients {
    pub(super) fn knows(&self, key: u128, now: Timestamp) -> bool {
        self.0.get(&key).is_some_and(|since| *since + KNOWN_FOR > now)
    }

    pub(super) fn remember(&mut self, key: u128, now: Timestamp) {
        self.make_room(now);
        self.0.insert(key, now);
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Evicts entries when full: expired ones first, then the older half.
    fn make_room(&mut self, now: Timestamp) {
        if self.0.len() < CAPACITY {
            return;
        }
        self.0.retain(|_, since| *since + KNOWN_FOR > now);
        if self.0.len() < CAPACITY {
            return;
        }
        let mut ages: Vec<Timestamp> = self.0.values().copied().collect();
        let (_, middle, _) = ages.select_nth_unstable(CAPACITY / 2);
        let middle = *middle;
        self.0.retain(|_, since| *since > middle);
    }
}
