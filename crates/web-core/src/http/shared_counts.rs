//! Rate-limit counts shared by all nodes. Each node counts the requests that it allows, and settles
//! them through the database once they amount to a twentieth of the burst. So most requests need no
//! database access, and all nodes together exceed the limit only by their unsettled requests. If
//! the database does not respond in time, a node relies on its own counts.

use jiff::Timestamp;
use std::{
    collections::HashMap,
    num::NonZeroU32,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use store::request_limits::Spent;

/// Divisor of the burst: a node settles after a twentieth of the burst.
const PART: u32 = 20;
/// Maximum difference between the clocks of nodes, in microseconds.
const CLOCKS: i64 = 60_000_000;

/// Request counts that the nodes share.
pub struct SharedCounts {
    /// Microseconds per request at the sustained rate.
    step: i64,
    /// Duration of a full burst at the sustained rate, in microseconds: the maximum by which
    /// `used_until` may lie in the future.
    room: i64,
    /// Number of allowed requests after which a node settles.
    batch: u32,
    accounts: Mutex<HashMap<i64, Count>>,
}

/// Count of an account on this node (generic cell rate algorithm). Times are in microseconds since
/// 1970.
struct Count {
    /// Time at which the full burst is available again: each request adds `step` to it.
    used_until: i64,
    /// Number of requests allowed on this node and not yet settled; `since` is the time of the
    /// first.
    unsettled: u32,
    since: i64,
    /// Lock held while settling.
    settling: Arc<tokio::sync::Mutex<()>>,
}

impl SharedCounts {
    /// Creates counts with this sustained rate and burst.
    pub fn new(per_minute: NonZeroU32, burst: NonZeroU32) -> Self {
        let step = (60_000_000 / i64::from(per_minute.get())).max(1);
        let room = step * i64::from(burst.get());
        Self { step, room, batch: (burst.get() / PART).max(1), accounts: Mutex::default() }
    }

    /// Counts a request. Returns the remaining burst, or the time until the next request is
    /// allowed.
    pub fn take(&self, account: i64, now: Timestamp) -> Result<u32, Duration> {
        let now = now.as_microsecond();
        let mut accounts = self.accounts();
        let count = accounts.entry(account).or_insert_with(|| Count::new(now));
        let used_until = count.used_until_at(now, self.latest(now)) + self.step;
        let remaining = now + self.room - used_until;
        if remaining < 0 {
            return Err(Duration::from_micros(remaining.unsigned_abs()));
        }
        if count.unsettled == 0 {
            count.since = now;
        }
        (count.used_until, count.unsettled) = (used_until, count.unsettled + 1);
        Ok(u32::try_from(remaining / self.step).unwrap_or(u32::MAX))
    }

    /// Returns the settlement lock if the node must settle before the next request; `None` if it
    /// need not, or if the request would be rejected anyway.
    pub fn is_due(&self, account: i64, now: Timestamp) -> Option<Arc<tokio::sync::Mutex<()>>> {
        let now = now.as_microsecond();
        let accounts = self.accounts();
        let count = accounts.get(&account).filter(|count| count.unsettled >= self.batch)?;
        let is_refused = count.used_until_at(now, self.latest(now)) + self.step > now + self.room;
        (!is_refused).then(|| Arc::clone(&count.settling))
    }

    /// Takes the unsettled requests; `None` if another task has just settled them. If settling
    /// fails, other nodes never count these requests, but this node still does.
    pub fn to_settle(&self, account: i64, now: Timestamp) -> Option<Spent> {
        let mut accounts = self.accounts();
        let count = accounts.get_mut(&account).filter(|count| count.unsettled >= self.batch)?;
        let time = self.step * i64::from(std::mem::take(&mut count.unsettled));
        Some(Spent { since: count.since, time, latest: self.latest(now.as_microsecond()) })
    }

    /// Merges the count of all nodes: the time at which their full burst is available again.
    pub fn settled(&self, account: i64, used_until: i64) {
        if let Some(count) = self.accounts().get_mut(&account) {
            count.used_until =
                count.used_until.max(used_until + self.step * i64::from(count.unsettled));
        }
    }

    /// Removes accounts with a full burst, unless they have unsettled requests from the last
    /// minute.
    pub fn tidy(&self, now: Timestamp) {
        let now = now.as_microsecond();
        self.accounts().retain(|_, count| {
            count.used_until > now || (count.unsettled > 0 && count.since > now - CLOCKS)
        });
    }

    /// Latest plausible `used_until`: a later time stems from a clock that has since been set back.
    fn latest(&self, now: i64) -> i64 {
        now + self.room + CLOCKS
    }

    fn accounts(&self) -> MutexGuard<'_, HashMap<i64, Count>> {
        self.accounts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Count {
    fn new(now: i64) -> Self {
        Self { used_until: now, unsettled: 0, since: now, settling: Arc::default() }
    }

    /// Returns `used_until`, but at least `now`; an implausible time later than `latest` is
    /// ignored.
    fn used_until_at(&self, now: i64, latest: i64) -> i64 {
        if self.used_until > latest { now } else { self.used_until.max(now) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six requests per minute with a burst of forty: a node settles after two.
    fn counts() -> SharedCounts {
        SharedCounts::new(NonZeroU32::new(6).unwrap(), NonZeroU32::new(40).unwrap())
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_790_000_000 + second).unwrap()
    }

    #[test]
    fn a_single_node_allows_the_limit() {
        let counts = counts();
        assert_eq!(
            (0..40).filter_map(|_| counts.take(1, at(0)).ok()).collect::<Vec<_>>(),
            (0..40).rev().collect::<Vec<_>>()
        );
        assert_eq!(counts.take(1, at(0)), Err(Duration::from_secs(10)));
        assert_eq!(counts.take(1, at(7)), Err(Duration::from_secs(3)));
        assert_eq!(
            [counts.take(1, at(10)), counts.take(2, at(10))],
            [Ok(0), Ok(39)],
            "other accounts have their own count"
        );
        // After the clock has been set back by a day, counts from the future do not block the
        // account.
        assert_eq!(counts.take(1, at(-86_400)), Ok(39));
    }

    #[test]
    fn requests_on_other_nodes_count_after_settling() {
        let counts = counts();
        assert!(counts.is_due(1, at(0)).is_none());
        assert_eq!([counts.take(1, at(0)), counts.take(1, at(1))], [Ok(39), Ok(38)]);
        assert!(counts.is_due(1, at(1)).is_some());
        let spent = counts.to_settle(1, at(1)).unwrap();
        assert_eq!((spent.since, spent.time), (at(0).as_microsecond(), 20_000_000));
        assert!(counts.is_due(1, at(1)).is_none() && counts.to_settle(1, at(1)).is_none(), "once");
        // Another request arrives while the counts are being settled; other nodes have allowed
        // thirty.
        assert_eq!(counts.take(1, at(1)), Ok(37));
        counts.settled(1, at(0).as_microsecond() + 320_000_000);
        assert_eq!(counts.take(1, at(1)), Ok(6));
        counts.tidy(at(300));
        assert_eq!(
            counts.take(1, at(300)),
            Ok(35),
            "ten are spent for five minutes, thirty came free"
        );
        counts.tidy(at(10_000));
        assert!(counts.accounts().is_empty());
    }

    #[test]
    fn a_rejected_request_does_not_settle() {
        let counts = counts();
        for _ in 0..40 {
            counts.take(1, at(0)).unwrap();
        }
        assert!(counts.is_due(1, at(0)).is_none());
        assert!(counts.is_due(1, at(10)).is_some());
    }
}
