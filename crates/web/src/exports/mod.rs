//! Room for exports: few at once on a server, and one of an account at a time.

mod stream;

use service::Error;
use std::{
    collections::HashSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Exports that run at once on a server: each holds a connection to the database for as long as the visitor takes to read.
const AT_ONCE: usize = 2;

/// Exports that run.
pub(crate) struct Exports {
    places: Arc<Semaphore>,
    accounts: Mutex<HashSet<i64>>,
}

impl Default for Exports {
    fn default() -> Self {
        Self { places: Arc::new(Semaphore::new(AT_ONCE)), accounts: Mutex::default() }
    }
}

impl Exports {
    fn accounts(&self) -> MutexGuard<'_, HashSet<i64>> {
        self.accounts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Room for an export of an account, which has one at a time.
    pub(crate) fn enter(self: &Arc<Self>, account: i64) -> Result<Place, Error> {
        let busy = || Error::Busy("exports");
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| busy())?;
        if !self.accounts().insert(account) {
            return Err(busy());
        }
        Ok(Place { exports: Arc::clone(self), account, _place: place })
    }
}

/// Room for an export, given back when it is dropped.
pub(crate) struct Place {
    exports: Arc<Exports>,
    account: i64,
    _place: OwnedSemaphorePermit,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.exports.accounts().remove(&self.account);
    }
}
