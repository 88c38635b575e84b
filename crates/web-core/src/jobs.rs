//! What the server does now and then by itself: sweeping, and writing down what callers did.

use crate::AppState;
use service::{Error, environment::Visitor, oauth, people, webhooks};
use std::sync::atomic::Ordering;
use store::Lane;
use tracing::warn;

impl AppState {
    /// Removes what nobody needs any more (ended sessions, links and tokens, rows of closed accounts), a few at a time so that others get their
    /// turn in between.
    ///
    /// # Errors
    /// The storage failed; what is left goes the next time.
    pub async fn sweep(&self) -> Result<(), Error> {
        const ROWS: i64 = 200;
        loop {
            let env = self.environment(Visitor::default());
            let asked = env.clone();
            let people = self.execute(Lane::NO_ACCOUNT, move |tx| people::sweep(tx, &asked, ROWS)).await?;
            let asked = env.clone();
            let connections = self.execute(Lane::NO_ACCOUNT, move |tx| oauth::sweep(tx, &asked, ROWS)).await?;
            let messages = self.execute(Lane::NO_ACCOUNT, move |tx| webhooks::sweep(tx, &env, ROWS)).await?;
            if people + connections + messages > 0 {
                self.checkpoint_due().store(true, Ordering::Relaxed);
            }
            if people.max(connections).max(messages) < ROWS {
                return self.checkpoint().await;
            }
        }
    }

    /// Takes what was swept away out of the database's log; what cannot be done now is done the next time.
    async fn checkpoint(&self) -> Result<(), Error> {
        if self.checkpoint_due().load(Ordering::Relaxed) {
            let app = self.clone();
            let checkpointed = tokio::task::spawn_blocking(move || app.store().checkpoint()).await;
            let checkpointed = checkpointed.map_err(|trouble| Error::Internal(trouble.to_string()))??;
            self.checkpoint_due().store(!checkpointed, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Writes down the last calls, and when keys and connections were last used. Called every now and then, so that a call does not
    /// cost a write.
    ///
    /// # Errors
    /// The storage failed; what could not be written down is kept for the next time.
    pub async fn save_calls(&self) -> Result<(), Error> {
        self.save(None).await
    }

    /// Writes down one account's last calls, for its owner to see them. A failure is no reason to show nothing.
    pub async fn save_calls_of(&self, account: i64) {
        let app = self.clone();
        // By itself, so that a person who leaves does not take the calls along.
        let saved = tokio::spawn(async move { app.save(Some(account)).await });
        if let Ok(Err(error)) = saved.await {
            warn!(%error, "the last calls were not written down");
        }
    }

    async fn save(&self, account: Option<i64>) -> Result<(), Error> {
        let recent = self.recent_calls();
        let _saving = recent.saving.lock().await;
        let mut saved = Ok(());
        for batch in recent.take(account) {
            let (uses, calls) = (batch.uses(), batch.calls());
            let written = self.execute(Lane::NO_ACCOUNT, move |tx| service::access::record_calls(tx, &uses, &calls)).await;
            if written.is_err() {
                recent.put_back(&batch);
                saved = written;
            }
        }
        saved
    }

    /// Forgets what the rate limiter no longer needs to know.
    pub fn tidy(&self) {
        for limiter in self.limiter().into_iter().chain(self.form_limiter()) {
            limiter.tidy(self.now());
        }
    }
}
