//! How many requests an account may make: per account, not per key, so that more keys do not buy more.

use axum::http::{HeaderMap, HeaderValue};
use governor::{
    Quota, RateLimiter,
    clock::{Clock, DefaultClock},
    middleware::StateInformationMiddleware,
    state::keyed::DefaultKeyedStateStore,
};
use std::{num::NonZeroU32, time::Duration};

/// A rate with a burst.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimit {
    /// Requests a minute that are sustained.
    pub per_minute: NonZeroU32,
    /// Requests that may come at once.
    pub burst: NonZeroU32,
}

pub(crate) struct Limiter {
    limit: RateLimit,
    state: RateLimiter<i64, DefaultKeyedStateStore<i64>, DefaultClock, StateInformationMiddleware>,
}

/// What remains to an account, told in the headers of every answer (draft-ietf-httpapi-ratelimit-headers).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Allowance {
    limit: RateLimit,
    remaining: u32,
    /// How long to wait; nothing when the request may go on.
    pub(crate) wait: Option<Duration>,
}

impl Limiter {
    pub(crate) fn new(limit: RateLimit) -> Self {
        let quota = Quota::per_minute(limit.per_minute).allow_burst(limit.burst);
        let state = RateLimiter::keyed(quota).with_middleware::<StateInformationMiddleware>();
        Self { limit, state }
    }

    pub(crate) fn take(&self, account: i64) -> Allowance {
        match self.state.check_key(&account) {
            Ok(snapshot) => Allowance { limit: self.limit, remaining: snapshot.remaining_burst_capacity(), wait: None },
            Err(until) => {
                let wait = until.wait_time_from(self.state.clock().now());
                Allowance { limit: self.limit, remaining: 0, wait: Some(wait) }
            }
        }
    }

    pub(crate) fn tidy(&self) {
        self.state.retain_recent();
    }
}

impl Allowance {
    /// Whole seconds until all of the burst is there again.
    fn seconds_until_full(self) -> u64 {
        let missing = u64::from(self.limit.burst.get() - self.remaining.min(self.limit.burst.get()));
        (missing * 60).div_ceil(u64::from(self.limit.per_minute.get()))
    }

    /// Whole seconds until the next request will be let through.
    pub(crate) fn retry_after(self) -> u64 {
        self.wait.map_or(0, |wait| wait.as_secs() + u64::from(wait.subsec_nanos() > 0))
    }

    pub(crate) fn write_headers(self, headers: &mut HeaderMap) {
        let policy = format!("\"default\";q={};w=60", self.limit.per_minute);
        let left = format!("\"default\";r={};t={}", self.remaining, self.seconds_until_full());
        for (name, value) in [("ratelimit-policy", policy), ("ratelimit", left)] {
            if let Ok(value) = HeaderValue::from_str(&value) {
                headers.insert(name, value);
            }
        }
    }
}
