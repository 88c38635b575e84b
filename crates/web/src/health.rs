//! Whether the process lives, and whether it can do its work.

use axum::{extract::State, http::header, response::IntoResponse};
use jiff::Timestamp;
use service::{mails, maintenance};
use std::time::Duration;
use store::Lane;
use web_core::{AppState, Build, metrics::Observed, problem::Problem};

/// How long the database has to answer: whoever asks whether we are ready does not wait for long.
const READY_WITHIN: Duration = Duration::from_secs(3);

/// The process answers.
pub(crate) async fn healthz() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], "ok\n")
}

/// The database answers too, in time. While it can be read but not written we are ready, as readers are served, and say so.
pub(crate) async fn readyz(State(app): State<AppState>) -> Result<impl IntoResponse, Problem> {
    let asked = tokio::time::timeout(READY_WITHIN, app.query(Lane::NO_ACCOUNT.single(), service::accounts::any)).await;
    asked.map_err(|_| Problem::unavailable())??;
    let Build { version, commit } = app.config().build;
    let ready = if app.store().status().reads_only { "ready for reading only" } else { "ready" };
    let body = format!("{ready}\ngrootboek {version} ({commit}, schema {})\n", store::known_schema());
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], body))
}

/// Looks at what is told but not counted: the database's queues, when the operator's tasks were last done, and what the process uses.
pub async fn observe(app: &AppState) {
    // PostgreSQL is copied by its own tools, of which nothing is known here.
    let is_copied_elsewhere = app.store().has_nodes();
    let asked = app.query(Lane::NO_ACCOUNT, move |tx| {
        let done = maintenance::last_done(tx)?;
        let outbox = mails::standing(tx)?;
        Ok(Observed {
            backup: done.backup.or((!is_copied_elsewhere).then_some(Timestamp::UNIX_EPOCH)),
            verify: done.verify.unwrap_or(Timestamp::UNIX_EPOCH),
            mails_waiting: outbox.waiting,
            mails_failed: outbox.failed,
            mails_oldest: outbox.oldest,
        })
    });
    let observed = asked.await.ok();
    app.metrics().observe(app.store().status(), observed);
}
