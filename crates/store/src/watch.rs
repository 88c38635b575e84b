//! Who waits for the change feed of an account on this node: they are woken as soon as a command that wrote to it is committed here. What
//! other nodes and programs write wakes nobody; who waits looks from time to time.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::sync::{Notify, futures::Notified};

/// How many may wait at once for one account, and for all accounts together.
const MOST_OF_ACCOUNT: usize = 10;
const MOST: usize = 512;

/// Those who wait, by their accounts, and who wants to know of all accounts.
#[derive(Clone, Default)]
pub(crate) struct Watchers(Arc<Mutex<HashMap<i64, Watched>>>, Arc<Notify>);

#[derive(Default)]
struct Watched {
    waiting: usize,
    reported: Arc<Notify>,
}

/// One who waits; it gives its place back when it is dropped.
pub struct Watch {
    watchers: Watchers,
    account: i64,
    reported: Arc<Notify>,
}

impl Watchers {
    fn all(&self) -> MutexGuard<'_, HashMap<i64, Watched>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place to wait; none while too many do.
    pub(crate) fn watch(&self, account: i64) -> Option<Watch> {
        let mut all = self.all();
        if all.values().map(|watched| watched.waiting).sum::<usize>() >= MOST {
            return None;
        }
        let watched = all.entry(account).or_default();
        if watched.waiting >= MOST_OF_ACCOUNT {
            return None;
        }
        watched.waiting += 1;
        Some(Watch { watchers: self.clone(), account, reported: Arc::clone(&watched.reported) })
    }

    /// Notified whenever the feed of some account has more to report.
    pub(crate) fn of_all(&self) -> Arc<Notify> {
        Arc::clone(&self.1)
    }

    /// The feed of an account has more to report.
    pub(crate) fn report(&self, account: i64) {
        self.1.notify_one();
        if let Some(watched) = self.all().get(&account) {
            watched.reported.notify_waiters();
        }
    }
}

impl Watch {
    /// Ends when the feed has more to report than when this was called.
    pub fn reported(&self) -> Notified<'_> {
        self.reported.notified()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let mut all = self.watchers.all();
        if let Some(watched) = all.get_mut(&self.account) {
            watched.waiting -= 1;
            if watched.waiting == 0 {
                all.remove(&self.account);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_to_wait_comes_free_again_and_an_account_has_only_so_many() {
        let watchers = Watchers::default();
        let mut waiting: Vec<Watch> = (0..MOST_OF_ACCOUNT).map(|_| watchers.watch(1).unwrap()).collect();
        assert!(watchers.watch(1).is_none());
        assert!(watchers.watch(2).is_some(), "another account has its own");
        waiting.pop();
        assert!(watchers.watch(1).is_some());
        drop(waiting);
        assert!(watchers.all().is_empty());
    }
}
