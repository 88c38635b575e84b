//! Logs: one JSON object per line, on standard error.

use anyhow::Context;
use std::{
    io::Write,
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::JoinHandle,
    time::Duration,
};
use tracing_subscriber::{EnvFilter, fmt, prelude::*};

/// Interval at which lines are written; a wake-up per line would cost more than writing the line
/// itself.
const EVERY: Duration = Duration::from_millis(50);
/// Maximum size of the waiting lines, in bytes. If standard error blocks, the service continues and
/// lines are lost.
const WAITING: usize = 8 * 1024 * 1024;

/// Runs the log; dropping it writes the remaining lines.
pub(crate) struct Logging {
    lines: Arc<Lines>,
    writer: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Lines {
    waiting: Mutex<Vec<u8>>,
    wake: Condvar,
    ended: AtomicBool,
}

/// Starts logging; `RUST_LOG` sets the filter.
pub(crate) fn start() -> anyhow::Result<Logging> {
    start_with("info,tokio_postgres=warn,rmcp=error")
}

/// Starts logging for a person at a terminal, with warnings and errors only.
pub(crate) fn start_quiet() -> anyhow::Result<Logging> {
    start_with("warn,rmcp=error")
}

fn start_with(default: &str) -> anyhow::Result<Logging> {
    let lines = Arc::new(Lines::default());
    let (for_layer, for_thread) = (Arc::clone(&lines), Arc::clone(&lines));
    let chosen = std::env::var(EnvFilter::DEFAULT_ENV).unwrap_or_default();
    let filter = EnvFilter::try_new(if chosen.is_empty() { default } else { &chosen }).with_context(|| {
        format!("RUST_LOG={chosen} cannot be read; write a level, such as warn, or several such as info,request=off")
    })?;
    let layer = fmt::layer()
        .json()
        .flatten_event(true)
        .with_current_span(false)
        .with_writer(move || Line(Arc::clone(&for_layer)));
    // A second start in the same process keeps the first subscriber.
    let _ = tracing_subscriber::registry().with(filter).with(layer).try_init();
    let writer =
        std::thread::Builder::new().name("log".into()).spawn(move || for_thread.write_out()).ok();
    Ok(Logging { lines, writer })
}

impl Drop for Logging {
    fn drop(&mut self) {
        self.lines.ended.store(true, Ordering::Release);
        self.lines.wake.notify_all();
        if let Some(writer) = self.writer.take() {
            drop(writer.join());
        }
    }
}

impl Lines {
    fn write_out(&self) {
        loop {
            let ended = self.ended.load(Ordering::Acquire);
            let taken =
                std::mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner));
            if !taken.is_empty() {
                // If standard error is closed, the failure cannot be reported anywhere.
                let _ = std::io::stderr().write_all(&taken);
            }
            if ended {
                return;
            }
            let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            drop(self.wake.wait_timeout(waiting, EVERY));
        }
    }
}

/// Writer that appends a line to the buffer.
struct Line(Arc<Lines>);

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut waiting = self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() + bytes.len() <= WAITING {
            waiting.extend_from_slice(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
