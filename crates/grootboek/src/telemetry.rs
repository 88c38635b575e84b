//! Logs: one JSON object a line, on standard error.

use tracing_appender::non_blocking::WorkerGuard;
use tracing_subscriber::{EnvFilter, fmt, prelude::*};

/// Begins to log; what is logged reaches standard error until the guard is dropped. `RUST_LOG` chooses what is logged.
pub(crate) fn start() -> WorkerGuard {
    start_with("info")
}

/// The same for a person at a terminal: only what went wrong.
pub(crate) fn start_quiet() -> WorkerGuard {
    start_with("warn")
}

fn start_with(usual: &str) -> WorkerGuard {
    let (writer, guard) = tracing_appender::non_blocking(std::io::stderr());
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(usual));
    let lines = fmt::layer().json().flatten_event(true).with_current_span(false).with_writer(writer);
    // A second start (in tests) keeps the first.
    let _ = tracing_subscriber::registry().with(filter).with(lines).try_init();
    guard
}
