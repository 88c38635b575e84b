//! Background work that runs after the response and may queue emails.

use crate::AppState;
use std::sync::atomic::Ordering;

impl AppState {
    /// Wakes the outbox's worker after an email has been queued.
    pub fn wake_outbox(&self) {
        self.outbox().wake();
    }

    /// Runs work in the background, so that its duration does not reveal to the visitor whether an
    /// account exists.
    pub fn in_background(&self, work: impl Future<Output = ()> + Send + 'static) {
        let under_way = UnderWay::begin(self);
        tokio::spawn(async move {
            work.await;
            drop(under_way);
        });
    }
}

/// Guard that counts a background task as running until the guard is dropped.
struct UnderWay(AppState);

impl UnderWay {
    fn begin(app: &AppState) -> Self {
        app.outbox().under_way.fetch_add(1, Ordering::SeqCst);
        Self(app.clone())
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.outbox().under_way.fetch_sub(1, Ordering::SeqCst);
        self.0.wake_outbox();
    }
}
