//! Rate limits per account rather than per key, so that more keys do not allow more requests.
//!
//! A rejection costs as much as a small read, so a client that retries immediately would take
//! capacity from everyone else. Rejections are therefore delayed: such a client gets two rejections
//! per second on each connection.

use crate::http::shared_counts::SharedCounts;
use axum::http::{HeaderMap, HeaderValue};
use governor::{
    Quota, RateLimiter,
    clock::{Clock, DefaultClock},
    middleware::StateInformationMiddleware,
    state::keyed::DefaultKeyedStateStore,
};
use jiff::{SignedDuration, Timestamp};
use std::{
    collections::HashMap,
    num::NonZeroU32,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};
use tokio::sync::Semaphore;

/// Delay of a rejection.
const DELAY: Duration = Duration::from_millis(500);
/// Maximum number of rejections delayed at once across all accounts. Each occupies one of the
/// server's connections and a few kilobytes.
const DELAYED_AT_MOST: usize = 1024;
/// Period of [`PerMinute`].
const MINUTE: SignedDuration = SignedDuration::from_secs(60);

/// A rate with a burst.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimit {
    /// Sustained requests per minute.
    pub per_minute: NonZeroU32,
    /// Requests that may arrive at once.
    pub burst: NonZeroU32,
}

/// Rate limiter of the API, per account.
pub struct Limiter {
    limit: RateLimit,
    counts: Counts,
    /// Permits for delayed rejections.
    delayed: Semaphore,
}

/// Scope of the counts.
enum Counts {
    /// This node.
    Own(RateLimiter<i64, DefaultKeyedStateStore<i64>, DefaultClock, StateInformationMiddleware>),
    /// All nodes.
    Shared(SharedCounts),
}

/// Remaining allowance of an account, sent in the headers of every response
/// (draft-ietf-httpapi-ratelimit-headers). It was computed when the request was counted; while a
/// rejection is delayed, the actual allowance can only grow.
#[derive(Debug, Clone, Copy)]
pub struct Allowance {
    limit: RateLimit,
    remaining: u32,
    /// Time at which the next request is allowed; `None` if the current request was allowed.
    until: Option<Instant>,
}

/// Handling of a rejection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The rejection was delayed; the connection may stay open.
    Delayed,
    /// Too many other rejections are being delayed. So the rejection is sent at once, and the
    /// connection is closed to make a retry cost the client something too.
    AtOnce,
}

impl Limiter {
    /// Creates a limiter that counts on this node, or across all nodes if `shared`.
    pub fn new(limit: RateLimit, shared: bool) -> Self {
        let counts = if shared {
            Counts::Shared(SharedCounts::new(limit.per_minute, limit.burst))
        } else {
            let quota = Quota::per_minute(limit.per_minute).allow_burst(limit.burst);
            Counts::Own(RateLimiter::keyed(quota).with_middleware::<StateInformationMiddleware>())
        };
        Self { limit, counts, delayed: Semaphore::new(DELAYED_AT_MOST) }
    }

    /// Returns the counts shared by all nodes, if the limiter uses them.
    pub fn shared(&self) -> Option<&SharedCounts> {
        if let Counts::Shared(counts) = &self.counts { Some(counts) } else { None }
    }

    /// Deducts one request from an account's allowance.
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
            Err(wait) => {
                Allowance { limit: self.limit, remaining: 0, until: Some(Instant::now() + wait) }
            }
        }
    }

    /// Delays a rejection, unless too many are being delayed already. The caller must not hold
    /// resources that others wait for.
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
    /// Returns the whole seconds until the full burst is available again.
    fn seconds_until_full(self) -> u64 {
        let missing =
            u64::from(self.limit.burst.get() - self.remaining.min(self.limit.burst.get()));
        (missing * 60).div_ceil(u64::from(self.limit.per_minute.get()))
    }

    /// Whether the request is rejected.
    pub fn is_spent(self) -> bool {
        self.until.is_some()
    }

    /// Returns the whole seconds from now until the next request is allowed; at least one.
    pub fn retry_after(self) -> u64 {
        let wait = self
            .until
            .map_or(Duration::ZERO, |until| until.saturating_duration_since(Instant::now()));
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

/// Maximum of events per key in a minute, which begins with the first of them.
pub struct PerMinute {
    most: u32,
    /// Beginning of each key's minute, and the events counted in it.
    counts: Mutex<HashMap<i64, (Timestamp, u32)>>,
}

impl PerMinute {
    /// Creates a limiter that allows `most` events in a minute.
    pub fn new(most: u32) -> Self {
        Self { most, counts: Mutex::default() }
    }

    /// Counts an event.
    ///
    /// # Errors
    /// The key has no event left; contains the seconds until its next minute begins.
    pub fn take(&self, key: i64, now: Timestamp) -> Result<(), i64> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let (since, count) = counts.entry(key).or_insert((now, 0));
        let passed = now.duration_since(*since);
        // A clock that was set back begins another minute.
        if passed >= MINUTE || passed.is_negative() {
            (*since, *count) = (now, 0);
        }
        if *count >= self.most {
            return Err((MINUTE - now.duration_since(*since)).as_secs().max(1));
        }
        *count += 1;
        Ok(())
    }

    /// Removes keys whose minute is over.
    pub fn tidy(&self, now: Timestamp) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.retain(|_, (since, _)| now.duration_since(*since) < MINUTE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    fn limiter() -> Limiter {
        Limiter::new(
            RateLimit { per_minute: NonZeroU32::new(6).unwrap(), burst: NonZeroU32::MIN },
            false,
        )
    }

    #[tokio::test]
    async fn delayed_rejections_are_limited_and_release_their_room() {
        let limiter = limiter();
        let mut waiting: Vec<_> = (0..DELAYED_AT_MOST).map(|_| Box::pin(limiter.delay())).collect();
        for delayed in &mut waiting {
            assert_eq!(delayed.as_mut().now_or_never(), None);
        }
        assert_eq!(limiter.delay().await, Refusal::AtOnce);
        // Simulates a client that disconnects.
        waiting.pop();
        assert_eq!(limiter.delay().now_or_never(), None);
    }

    #[test]
    fn retry_after_counts_from_the_time_of_the_response() {
        let limiter = limiter();
        let now = Timestamp::UNIX_EPOCH;
        assert!(!limiter.take(1, now).is_spent());
        let refused = limiter.take(1, now);
        assert!(refused.is_spent());
        assert_eq!(refused.retry_after(), 10);
        let half = Allowance {
            until: refused.until.map(|until| until - Duration::from_millis(9_500)),
            ..refused
        };
        assert_eq!(half.retry_after(), 1);
        assert!(!limiter.take(2, now).is_spent(), "other accounts have their own allowance");
    }

    #[test]
    fn a_minute_allows_so_many_events_per_key() {
        let limit = PerMinute::new(2);
        let at = |seconds: i64| Timestamp::from_second(1_000 + seconds).unwrap();
        assert_eq!([limit.take(1, at(0)), limit.take(1, at(20))], [Ok(()); 2]);
        assert_eq!((limit.take(1, at(45)), limit.take(2, at(45))), (Err(15), Ok(())));
        limit.tidy(at(59));
        assert_eq!((limit.take(1, at(59)), limit.take(1, at(60))), (Err(1), Ok(())));
        assert_eq!(limit.take(1, at(-10)), Ok(()));
    }
}
