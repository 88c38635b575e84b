//! Cleanup on signals: servers, process groups and folders that must be removed if the program is
//! interrupted.

use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    iterator::Signals,
};
use std::{
    sync::{Mutex, PoisonError},
    thread,
};

type Undo = Box<dyn FnOnce() + Send>;

static LEFTOVERS: Mutex<Leftovers> = Mutex::new(Leftovers { last: 0, undo: Vec::new() });

struct Leftovers {
    last: u64,
    undo: Vec<(u64, Undo)>,
}

/// Registered cleanup: a signal runs it while this value lives. Dropping the value only unregisters
/// it, as the owner then cleans up.
#[must_use]
pub struct Leftover(u64);

impl Leftover {
    /// Registers a cleanup. `undo` must not register or drop a [`Leftover`], because it runs
    /// under the lock.
    pub fn new(undo: impl FnOnce() + Send + 'static) -> Self {
        let mut leftovers = LEFTOVERS.lock().unwrap_or_else(PoisonError::into_inner);
        leftovers.last += 1;
        let id = leftovers.last;
        leftovers.undo.push((id, Box::new(undo)));
        Self(id)
    }
}

impl Drop for Leftover {
    fn drop(&mut self) {
        LEFTOVERS
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .undo
            .retain(|(id, _)| *id != self.0);
    }
}

/// Makes Ctrl-C, SIGTERM and SIGHUP run the registered cleanups, newest first, and end the program.
///
/// # Errors
/// The signal handlers cannot be installed.
pub fn undo_on_signals() -> anyhow::Result<()> {
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
    thread::spawn(move || {
        signals.forever().next();
        // The lock is held until the end, so that no other thread starts or stops anything.
        let mut leftovers = LEFTOVERS.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some((_, undo)) = leftovers.undo.pop() {
            undo();
        }
        std::process::exit(130);
    });
    Ok(())
}
