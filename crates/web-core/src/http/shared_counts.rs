//! Requests counted over all nodes. Each node counts those that it lets through, and settles them with the others by the database when they
//! are a twentieth of what may come at once: most requests ask nothing of the database, and all nodes together let through no more than one
//! alone and what each has not settled yet. Where the database does not answer in time, a node goes by what it knows.

use jiff::Timestamp;
use std::{
    collections::HashMap,
    num::NonZeroU32,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use store::request_limits::Spent;

/// What part of all that may come at once a node lets through before it settles.
const PART: u32 = 20;
/// How far the clocks of nodes may be apart, in microseconds.
const CLOCKS: i64 = 60_000_000;

/// Request counts that the nodes share.
pub struct SharedCounts {
    /// The microseconds in which one request comes free.
    step: i64,
    /// How far ahead of now they may be paid for.
    room: i64,
    /// How many are let through before they are settled.
    batch: u32,
    accounts: Mutex<HashMap<i64, Count>>,
}

/// What a node knows of an account, in microseconds since 1970.
struct Count {
    /// Until when its requests are paid for.
    used_until: i64,
    /// How many were let through here that the others do not know of, and when the first was.
    unsettled: u32,
    since: i64,
    /// Held by who settles.
    settling: Arc<tokio::sync::Mutex<()>>,
}

impl SharedCounts {
    /// So many a minute, and so many at once.
    pub fn new(per_minute: NonZeroU32, burst: NonZeroU32) -> Self {
        let step = (60_000_000 / i64::from(per_minute.get())).max(1);
        let room = step * i64::from(burst.get());
        Self { step, room, batch: (burst.get() / PART).max(1), accounts: Mutex::default() }
    }

    /// Counts a request: how many more may come at once, or how long until one may.
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

    /// Whether the others are to be asked before another request is let through, and in which turn; not where it is refused anyway.
    pub fn is_due(&self, account: i64, now: Timestamp) -> Option<Arc<tokio::sync::Mutex<()>>> {
        let now = now.as_microsecond();
        let accounts = self.accounts();
        let count = accounts.get(&account).filter(|count| count.unsettled >= self.batch)?;
        let is_refused = count.used_until_at(now, self.latest(now)) + self.step > now + self.room;
        (!is_refused).then(|| Arc::clone(&count.settling))
    }

    /// What is to be settled now; nothing if somebody else just did. What cannot be settled is forgotten: the node itself knows it.
    pub fn to_settle(&self, account: i64, now: Timestamp) -> Option<Spent> {
        let mut accounts = self.accounts();
        let count = accounts.get_mut(&account).filter(|count| count.unsettled >= self.batch)?;
        let time = self.step * i64::from(std::mem::take(&mut count.unsettled));
        Some(Spent { since: count.since, time, latest: self.latest(now.as_microsecond()) })
    }

    /// Takes over what all nodes let through, until which it is paid for.
    pub fn settled(&self, account: i64, used_until: i64) {
        if let Some(count) = self.accounts().get_mut(&account) {
            count.used_until = count.used_until.max(used_until + self.step * i64::from(count.unsettled));
        }
    }

    /// Forgets the accounts that may do everything again, and with them what little was not settled.
    pub fn tidy(&self, now: Timestamp) {
        let now = now.as_microsecond();
        self.accounts().retain(|_, count| count.used_until > now || (count.unsettled > 0 && count.since > now - CLOCKS));
    }

    /// What is later than this was counted by a clock that was set back since.
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

    /// Until when the requests are paid for, as of now.
    fn used_until_at(&self, now: i64, latest: i64) -> i64 {
        if self.used_until > latest { now } else { self.used_until.max(now) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six a minute, forty at once: two are let through before they are settled.
    fn counts() -> SharedCounts {
        SharedCounts::new(NonZeroU32::new(6).unwrap(), NonZeroU32::new(40).unwrap())
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_790_000_000 + second).unwrap()
    }

    #[test]
    fn a_node_by_itself_lets_through_what_the_limit_says() {
        let counts = counts();
        assert_eq!((0..40).filter_map(|_| counts.take(1, at(0)).ok()).collect::<Vec<_>>(), (0..40).rev().collect::<Vec<_>>());
        assert_eq!(counts.take(1, at(0)), Err(Duration::from_secs(10)));
        assert_eq!(counts.take(1, at(7)), Err(Duration::from_secs(3)));
        assert_eq!([counts.take(1, at(10)), counts.take(2, at(10))], [Ok(0), Ok(39)], "another account's are its own");
        // The clock is set back by a day: what was counted after that does not keep the account out until then.
        assert_eq!(counts.take(1, at(-86_400)), Ok(39));
    }

    #[test]
    fn what_others_let_through_counts_once_it_is_known() {
        let counts = counts();
        assert!(counts.is_due(1, at(0)).is_none());
        assert_eq!([counts.take(1, at(0)), counts.take(1, at(1))], [Ok(39), Ok(38)]);
        assert!(counts.is_due(1, at(1)).is_some());
        let spent = counts.to_settle(1, at(1)).unwrap();
        assert_eq!((spent.since, spent.time), (at(0).as_microsecond(), 20_000_000));
        assert!(counts.is_due(1, at(1)).is_none() && counts.to_settle(1, at(1)).is_none(), "once");
        // One more comes while the database is asked, where others have let through thirty more.
        assert_eq!(counts.take(1, at(1)), Ok(37));
        counts.settled(1, at(0).as_microsecond() + 320_000_000);
        assert_eq!(counts.take(1, at(1)), Ok(6));
        counts.tidy(at(300));
        assert_eq!(counts.take(1, at(300)), Ok(35), "ten are spent for five minutes, thirty came free");
        counts.tidy(at(10_000));
        assert!(counts.accounts().is_empty());
    }

    #[test]
    fn who_is_refused_anyway_asks_nobody() {
        let counts = counts();
        for _ in 0..40 {
            counts.take(1, at(0)).unwrap();
        }
        assert!(counts.is_due(1, at(0)).is_none());
        assert!(counts.is_due(1, at(10)).is_some());
    }
}
