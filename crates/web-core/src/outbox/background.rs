//! What is done after the answer, and may put mails into the outbox.

use crate::AppState;
use std::sync::atomic::Ordering;

impl AppState {
    /// Lets the outbox's worker look at once, after a mail was put there.
    pub fn wake_outbox(&self) {
        self.outbox().wake();
    }

    /// Does what a visitor does not wait for, as they would learn from the time that it takes who has an account.
    pub fn in_background(&self, work: impl Future<Output = ()> + Send + 'static) {
        let under_way = UnderWay::begin(self);
        tokio::spawn(async move {
            work.await;
            drop(under_way);
        });
    }
}

/// Something that is done in the background, until it is dropped.
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
