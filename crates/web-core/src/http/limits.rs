//! How many requests an account may make: per account, not per key, so that more keys do not buy more.
//!
//! A refusal costs as much to answer as a small read, and a client that asks again at once would get as many refusals as the machine
//! can give, at everyone's cost. So refusals are delayed for a moment: a client that hammers over so many connections gets two a
//! second on each.

use crate::http::shared_counts::SharedCounts;
use axum::http::{HeaderMap, HeaderValue};
use governor::{
    Quota, RateLimiter,
    clock::{Clock, DefaultClock},
    middleware::StateInformationMiddleware,
    state::keyed::DefaultKeyedStateStore,
};
use jiff::Timestamp;
use std::{
    num::NonZeroU32,
    time::{Duration, Instant},
};
use tokio::sync::Semaphore;

/// How long a refusal is delayed.
const DELAY: Duration = Duration::from_millis(500);
/// How many refusals are delayed at once, of all accounts together. Each keeps its connection's place among those of the server
/// and a few kilobytes.
const DELAYED_AT_MOST: usize = 1024;

/// A rate with a burst.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimit {
    /// Requests a minute that are sustained.
    pub per_minute: NonZeroU32,
    /// Requests that may come at once.
    pub burst: NonZeroU32,
}

/// Rate limiter of the API, per account.
pub struct Limiter {
    limit: RateLimit,
    counts: Counts,
    /// Room for refusals that are delayed.
    delayed: Semaphore,
}

/// Where requests are counted.
enum Counts {
    /// On this node.
    Own(RateLimiter<i64, DefaultKeyedStateStore<i64>, DefaultClock, StateInformationMiddleware>),
    /// On all nodes.
    Shared(SharedCounts),
}

/// What remains to an account, told in the headers of every answer (draft-ietf-httpapi-ratelimit-headers), as it was when the request
/// was counted: while a refusal is delayed only more can come free.
#[derive(Debug, Clone, Copy)]
pub struct Allowance {
    limit: RateLimit,
    remaining: u32,
    /// When the next request will be let through; nothing when this one was.
    until: Option<Instant>,
}

/// How a refusal goes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// It was delayed; the connection may stay.
    Delayed,
    /// Too many were delayed already: the connection ends with it, so that asking again costs the client something too.
    AtOnce,
}

impl Limiter {
    /// Counts on this node, or over all of them.
    pub fn new(limit: RateLimit, shared: bool) -> Self {
        let counts = if shared {
            Counts::Shared(SharedCounts::new(limit.per_minute, limit.burst))
        } else {
            let quota = Quota::per_minute(limit.per_minute).allow_burst(limit.burst);
            Counts::Own(RateLimiter::keyed(quota).with_middleware::<StateInformationMiddleware>())
        };
        Self { limit, counts, delayed: Semaphore::new(DELAYED_AT_MOST) }
    }

    /// What is counted over all nodes.
    pub fn shared(&self) -> Option<&SharedCounts> {
        if let Counts::Shared(counts) = &self.counts { Some(counts) } else { None }
    }

    /// Takes one request from an account's allowance.
    pub fn take(&self, account: i64, now: Timestamp) -> Allowance {
        let taken = match &self.counts {
            Counts::Own(counts) => counts
                .check_key(&account)
                .map(|snapshot| snapshot.remaining_burst_capacity())
                .map_err(|until| until.wait_time_from(counts.clock().now())),
            Counts::Shared(counts) => counts.take(account, now),
        };
        match taken {
            Ok(remaining) => Allowance { limit: self.limit, remaining, until: None },
            Err(wait) => Allowance { limit: self.limit, remaining: 0, until: Some(Instant::now() + wait) },
        }
    }

    /// Delays a refusal for a moment, if there is room. Nothing that others wait for may be held meanwhile.
    pub async fn delay(&self) -> Refusal {
        let Ok(_room) = self.delayed.try_acquire() else { return Refusal::AtOnce };
        tokio::time::sleep(DELAY).await;
        Refusal::Delayed
    }

    /// Removes accounts whose allowance is full again.
    pub fn tidy(&self, now: Timestamp) {
        match &self.counts {
            Counts::Own(counts) => counts.retain_recent(),
            Counts::Shared(counts) => counts.tidy(now),
        }
    }
}

impl Allowance {
    /// Whole seconds until all of the burst is there again.
    fn seconds_until_full(self) -> u64 {
        let missing = u64::from(self.limit.burst.get() - self.remaining.min(self.limit.burst.get()));
        (missing * 60).div_ceil(u64::from(self.limit.per_minute.get()))
    }

    /// Whether the request is refused.
    pub fn is_spent(self) -> bool {
        self.until.is_some()
    }

    /// Whole seconds, from now, until the next request will be let through; one at least.
    pub fn retry_after(self) -> u64 {
        let wait = self.until.map_or(Duration::ZERO, |until| until.saturating_duration_since(Instant::now()));
        (wait.as_secs() + u64::from(wait.subsec_nanos() > 0)).max(1)
    }

    /// Adds the `RateLimit` headers.
    pub fn write_headers(self, headers: &mut HeaderMap) {
        let policy = format!("\"default\";q={};w=60", self.limit.per_minute);
        let remaining = format!("\"default\";r={};t={}", self.remaining, self.seconds_until_full());
        for (name, value) in [("ratelimit-policy", policy), ("ratelimit", remaining)] {
            if let Ok(value) = HeaderValue::from_str(&value) {
                headers.insert(name, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    fn limiter() -> Limiter {
        Limiter::new(RateLimit { per_minute: NonZeroU32::new(6).unwrap(), burst: NonZeroU32::MIN }, false)
    }

    #[tokio::test]
    async fn only_so_many_refusals_are_held_back_and_their_room_comes_free_again() {
        let limiter = limiter();
        let mut waiting: Vec<_> = (0..DELAYED_AT_MOST).map(|_| Box::pin(limiter.delay())).collect();
        for delayed in &mut waiting {
            assert_eq!(delayed.as_mut().now_or_never(), None);
        }
        assert_eq!(limiter.delay().await, Refusal::AtOnce);
        // As when a client does not wait for its answer.
        waiting.pop();
        assert_eq!(limiter.delay().now_or_never(), None);
    }

    #[test]
    fn what_remains_to_wait_is_told_from_when_it_is_told() {
        let limiter = limiter();
        let now = Timestamp::UNIX_EPOCH;
        assert!(!limiter.take(1, now).is_spent());
        let refused = limiter.take(1, now);
        assert!(refused.is_spent());
        assert_eq!(refused.retry_after(), 10);
        let half = Allowance { until: refused.until.map(|until| until - Duration::from_millis(9_500)), ..refused };
        assert_eq!(half.retry_after(), 1);
        assert!(!limiter.take(2, now).is_spent(), "another account's are its own");
    }
}
