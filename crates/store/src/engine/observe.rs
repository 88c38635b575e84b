//! For tests: which statements are sent.

use std::sync::OnceLock;

static OBSERVER: OnceLock<fn(&str)> = OnceLock::new();

/// Shows every statement to `observer` from now on, as the program writes it; the first observer of a process stays.
pub fn statements(observer: fn(&str)) {
    // Another one is there already.
    let _ = OBSERVER.set(observer);
}

pub(crate) fn sent(sql: &str) {
    if let Some(observer) = OBSERVER.get() {
        observer(sql);
    }
}
