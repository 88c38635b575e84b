//! Notifications of changes in an account's change feed: a watch is woken as soon as a command that
//! wrote to the feed has been committed on this node. Writes by other nodes and programs wake no
//! watch, so the watch's owner must also poll.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::sync::{Notify, futures::Notified};

/// Maximum number of watches per account; [`MOST`] limits their total.
const MOST_OF_ACCOUNT: usize = 10;
const MOST: usize = 512;

/// Watches by account, and the notification for all accounts.
#[derive(Clone, Default)]
pub(crate) struct Watchers(Arc<Mutex<HashMap<i64, Watched>>>, Arc<Notify>);

#[derive(Default)]
struct Watched {
    waiting: usize,
    reported: Arc<Notify>,
}

/// A watch on the change feed of an account; dropping the watch makes room for another.
pub struct Watch {
    watchers: Watchers,
    account: i64,
    reported: Arc<Notify>,
}

impl Watchers {
    fn all(&self) -> MutexGuard<'_, HashMap<i64, Watched>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a watch; `None` if there are too many.
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

    /// Returns the notification that fires whenever rows are added to the feed of any account.
    pub(crate) fn of_all(&self) -> Arc<Notify> {
        Arc::clone(&self.1)
    }

    /// Wakes the watches on an account's feed.
    pub(crate) fn report(&self, account: i64) {
        self.1.notify_one();
        if let Some(watched) = self.all().get(&account) {
            watched.reported.notify_waiters();
        }
    }
}

impl Watch {
    /// Completes when rows are added to the feed after this call.
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
    fn watches_are_limited_per_account_and_freed_when_dropped() {
        let watchers = Watchers::default();
        let mut waiting: Vec<Watch> =
            (0..MOST_OF_ACCOUNT).map(|_| watchers.watch(1).unwrap()).collect();
        assert!(watchers.watch(1).is_none());
        assert!(watchers.watch(2).is_some(), "another account has its own limit");
        waiting.pop();
        assert!(watchers.watch(1).is_some());
        drop(waiting);
        assert!(watchers.all().is_empty());
    }
}
