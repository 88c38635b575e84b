//! How often applications failed to prove who they are, so that nobody tries secrets one after the other (RFC 6749, section 2.3.1).
//!
//! Counted per application and address, so that a stranger who knows a client id cannot shut the application out, and per address
//! alone, so that trying many ids does not help.

use crate::address::ClientAddress;
use jiff::{SignedDuration, Timestamp};
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

/// Failures that an application may have from one address within the window.
const OF_CLIENT: u32 = 10;
/// Failures that an address may have within the window, whatever application it names.
const OF_ADDRESS: u32 = 50;
/// How long failures count, from the first of them.
const WINDOW: SignedDuration = SignedDuration::from_mins(1);
/// How many counts are held at the most. When there are more than fit, all begin anew: nobody guesses 256 bits meanwhile.
const HELD: usize = 20_000;

/// What is counted: the failures of an address with an application, or with any.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Whose(ClientAddress, Option<String>);

struct Count {
    since: Timestamp,
    failures: u32,
}

/// Failures within the last minute.
#[derive(Default)]
pub(crate) struct Failures {
    counts: Mutex<HashMap<Whose, Count>>,
}

impl Failures {
    /// Whole seconds that this application must wait at this address; nothing when it need not.
    pub(crate) fn wait(&self, client: &str, address: ClientAddress, now: Timestamp) -> Option<u64> {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let waits = limits(client, address).into_iter().filter_map(|(whose, most)| {
            let count = counts.get(&whose).filter(|count| count.failures >= most)?;
            let left = WINDOW - now.duration_since(count.since);
            // Whole seconds, and what is left of one counts as one.
            u64::try_from(left.as_secs() + i64::from(left.subsec_nanos() > 0)).ok().filter(|seconds| *seconds > 0)
        });
        waits.max()
    }

    /// Notes a failure.
    pub(crate) fn note(&self, client: &str, address: ClientAddress, now: Timestamp) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.len() + 2 > HELD {
            counts.retain(|_, count| is_fresh(count, now));
            if counts.len() + 2 > HELD {
                counts.clear();
            }
        }
        for (whose, _) in limits(client, address) {
            let count = counts.entry(whose).or_insert(Count { since: now, failures: 0 });
            if !is_fresh(count, now) {
                *count = Count { since: now, failures: 0 };
            }
            count.failures = count.failures.saturating_add(1);
        }
    }

    /// Forgets what no longer counts.
    pub(crate) fn tidy(&self, now: Timestamp) {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).retain(|_, count| is_fresh(count, now));
    }
}

fn limits(client: &str, address: ClientAddress) -> [(Whose, u32); 2] {
    // No id is longer; so nobody fills the memory with long ones.
    let client = client.chars().take(255).collect();
    let address = address.subscriber();
    [(Whose(address, Some(client)), OF_CLIENT), (Whose(address, None), OF_ADDRESS)]
}

fn is_fresh(count: &Count, now: Timestamp) -> bool {
    now.duration_since(count.since) < WINDOW
}
