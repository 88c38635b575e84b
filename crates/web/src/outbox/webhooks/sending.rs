//! Places to send from: so many messages at once, and so many to one webhook.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use store::webhooks::Due;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Messages that are sent at once to receivers that take them, and to those that did not take the last one.
const HEALTHY: usize = 24;
const FAILING: usize = 8;
/// Of these, to one webhook at once, and to all of one account.
const AT_ONCE: usize = 4;
const OF_ACCOUNT: usize = 8;

/// What is sent at this moment.
pub(crate) struct Sending {
    healthy: Arc<Semaphore>,
    failing: Arc<Semaphore>,
    /// How many messages to each webhook, by account and id.
    under_way: Mutex<HashMap<(i64, i64), usize>>,
}

impl Default for Sending {
    fn default() -> Self {
        Self {
            healthy: Arc::new(Semaphore::new(HEALTHY)),
            failing: Arc::new(Semaphore::new(FAILING)),
            under_way: Mutex::default(),
        }
    }
}

impl Sending {
    /// Whether nothing is sent.
    pub(super) fn is_idle(&self) -> bool {
        self.under_way().is_empty()
    }

    fn under_way(&self) -> MutexGuard<'_, HashMap<(i64, i64), usize>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place to send from; given back when it is dropped.
pub(super) struct Place {
    sending: Arc<Sending>,
    /// To which webhook, by account and id.
    pub(super) key: (i64, i64),
    _permit: OwnedSemaphorePermit,
}

impl Place {
    /// A place for what is due, if there is one.
    pub(super) fn take(sending: &Arc<Sending>, due: Due) -> Option<Self> {
        let key = (due.account, due.webhook);
        let (places, most) = if due.healthy { (&sending.healthy, AT_ONCE) } else { (&sending.failing, 1) };
        let mut under_way = sending.under_way();
        let of_account: usize =
            under_way.iter().filter(|((account, _), _)| *account == due.account).map(|(_, count)| count).sum();
        if of_account >= OF_ACCOUNT || under_way.get(&key).is_some_and(|count| *count >= most) {
            return None;
        }
        let permit = Arc::clone(places).try_acquire_owned().ok()?;
        *under_way.entry(key).or_default() += 1;
        drop(under_way);
        Some(Self { sending: Arc::clone(sending), key, _permit: permit })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut under_way = self.sending.under_way();
        if let Some(count) = under_way.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                under_way.remove(&self.key);
            }
        }
    }
}
