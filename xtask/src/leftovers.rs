//! Cleanup on signals: servers, process groups and folders that must be removed if the program is
//! interrupted.

use std::{
    sync::{Mutex, PoisonError},
    thread,
};
use tokio::signal::unix::{SignalKind, signal};

type Undo = Box<dyn FnOnce() + Send>;

static LEFTOVERS: Mutex<Leftovers> = Mutex::new(Leftovers { last: 0, undo: Vec::new() });

struct Leftovers {
    last: u64,
    undo: Vec<(u64, Undo)>,
}

/// Something that is cleaned up on a signal while this value lives; otherwise its owner cleans it
/// up.
#[must_use]
pub struct Leftover(u64);

impl Leftover {
    /// Registers a cleanup. `undo` must not use leftovers itself.
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
        LEFTOVERS.lock().unwrap_or_else(PoisonError::into_inner).undo.retain(|(id, _)| *id != self.0);
    }
}

/// Makes Ctrl-C, SIGTERM and SIGHUP run the registered cleanups, newest first, and end the program.
///
/// # Errors
/// The signal handlers cannot be installed.
pub fn undo_on_signals() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (mut interrupt, mut terminate, mut hang_up) = {
        let _inside = runtime.enter();
        (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?, signal(SignalKind::hangup())?)
    };
    thread::spawn(move || {
        runtime.block_on(async {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
                _ = hang_up.recv() => {}
            }
        });
        // The lock is held until the end, so that no other thread starts or stops anything.
        let mut leftovers = LEFTOVERS.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some((_, undo)) = leftovers.undo.pop() {
            undo();
        }
        std::process::exit(130);
    });
    Ok(())
}
