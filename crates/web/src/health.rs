//! Liveness and readiness of the process, and its gauges.

use axum::{extract::State, http::header, response::IntoResponse};
use jiff::Timestamp;
use service::{mails, maintenance};
use std::time::Duration;
use store::Lane;
use web_core::{AppState, Build, metrics::Observed, problem::Problem};

/// Time limit for the database in a readiness check; short, because probers soon give up.
const READY_WITHIN: Duration = Duration::from_secs(3);

/// Liveness: the process responds.
pub(crate) async fn healthz() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], "ok\n")
}

/// Readiness: the database responds in time. A read-only database is also ready, because it still
/// serves reads; the response body then reports this.
pub(crate) async fn readyz(State(app): State<AppState>) -> Result<impl IntoResponse, Problem> {
    let probe = tokio::time::timeout(
        READY_WITHIN,
        app.query(Lane::NO_ACCOUNT.single(), service::accounts::any),
    )
    .await;
    probe.map_err(|_| Problem::unavailable())??;
    let Build { version, commit } = app.config().build;
    let ready = if app.store().status().reads_only { "ready for reading only" } else { "ready" };
    let body =
        format!("{ready}\ngrootboek {version} ({commit}, schema {})\n", store::known_schema());
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], body))
}

/// Updates the gauges: the database's queues, the last backup and verification, the outbox, and the
/// resource usage of the process.
pub async fn observe(app: &AppState) {
    // PostgreSQL is backed up with its own tools, so the server does not know the time of the last
    // backup.
    let has_own_backups = app.store().has_nodes();
    let query = app.query(Lane::NO_ACCOUNT, move |tx| {
        let done = maintenance::last_done(tx)?;
        let outbox = mails::standing(tx)?;
        Ok(Observed {
            backup: done.backup.or((!has_own_backups).then_some(Timestamp::UNIX_EPOCH)),
            verify: done.verify.unwrap_or(Timestamp::UNIX_EPOCH),
            mails_waiting: outbox.waiting,
            mails_failed: outbox.failed,
            mails_oldest: outbox.oldest,
        })
    });
    let observed = query.await.ok();
    app.metrics().observe(app.store().status(), observed);
}
