//! Periodic jobs of the server: sweeping expired rows, and saving recent API calls.

use crate::AppState;
use service::{Error, environment::Visitor, oauth, people, webhooks};
use std::sync::atomic::Ordering;
use store::Lane;
use tracing::warn;

impl AppState {
    /// Removes expired rows (ended sessions, links and tokens, rows of closed accounts) in small
    /// batches, so that other commands run in between.
    ///
    /// # Errors
    /// The storage failed; the next run removes the remaining rows.
    pub async fn sweep(&self) -> Result<(), Error> {
        const ROWS: i64 = 200;
        loop {
            let env = self.environment(Visitor::default());
            let environment = env.clone();
            let people = self
                .execute(Lane::NO_ACCOUNT, move |tx| people::sweep(tx, &environment, ROWS))
                .await?;
            let environment = env.clone();
            let connections = self
                .execute(Lane::NO_ACCOUNT, move |tx| oauth::sweep(tx, &environment, ROWS))
                .await?;
            let messages =
                self.execute(Lane::NO_ACCOUNT, move |tx| webhooks::sweep(tx, &env, ROWS)).await?;
            if people + connections + messages > 0 {
                self.checkpoint_due().store(true, Ordering::Relaxed);
            }
            if people.max(connections).max(messages) < ROWS {
                return self.checkpoint().await;
            }
        }
    }

    /// Checkpoints the database's log, so that swept rows disappear from the log. If a checkpoint
    /// is not possible now, the next run retries it.
    async fn checkpoint(&self) -> Result<(), Error> {
        if self.checkpoint_due().load(Ordering::Relaxed) {
            let app = self.clone();
            let checkpointed = tokio::task::spawn_blocking(move || app.store().checkpoint()).await;
            let checkpointed =
                checkpointed.map_err(|trouble| Error::Internal(trouble.to_string()))??;
            self.checkpoint_due().store(!checkpointed, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Saves the latest calls, and the last use of keys and connections. Runs periodically, so that
    /// an API call needs no write of its own.
    ///
    /// # Errors
    /// The storage failed; unsaved data is kept for the next run.
    pub async fn save_calls(&self) -> Result<(), Error> {
        self.save(None).await
    }

    /// Saves one account's latest calls before its owner views them. An error is only logged; the
    /// page then shows the calls saved earlier.
    pub async fn save_calls_of(&self, account: i64) {
        let app = self.clone();
        // The calls are saved in a task of their own, so that they are not lost when the visitor
        // disconnects.
        let saved = tokio::spawn(async move { app.save(Some(account)).await });
        if let Ok(Err(error)) = saved.await {
            warn!(%error, "the latest calls could not be saved");
        }
    }

    async fn save(&self, account: Option<i64>) -> Result<(), Error> {
        let recent = self.recent_calls();
        let _saving = recent.saving.lock().await;
        let mut saved = Ok(());
        for batch in recent.take(account) {
            let (uses, calls) = (batch.uses(), batch.calls());
            let written = self
                .execute(Lane::NO_ACCOUNT, move |tx| {
                    service::access::record_calls(tx, &uses, &calls)
                })
                .await;
            if written.is_err() {
                recent.put_back(&batch);
                saved = written;
            }
        }
        saved
    }

    /// Removes rate-limit counters that are no longer needed.
    pub fn tidy(&self) {
        for limiter in self.limiter().into_iter().chain(self.form_limiter()) {
            limiter.tidy(self.now());
        }
        self.saves().tidy(self.now());
        self.previews().tidy(self.now());
    }
}
