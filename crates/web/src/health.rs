//! Whether the process lives, and whether it can do its work.

use crate::{AppState, Build, metrics::Observed, problem::Problem};
use axum::{extract::State, http::header, response::IntoResponse};
use service::{mails, maintenance};

/// The process answers.
pub(crate) async fn healthz() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], "ok\n")
}

/// The database answers too.
pub(crate) async fn readyz(State(app): State<AppState>) -> Result<impl IntoResponse, Problem> {
    app.look_up(service::accounts::any).await?;
    let Build { version, commit } = app.config().build;
    let body = format!("ready\ngrootboek {version} ({commit}, schema {})\n", store::known_schema());
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], body))
}

impl AppState {
    /// Looks at what is told but not counted: the database's queues, when the operator's tasks were last done, and what the process uses.
    pub async fn observe(&self) {
        let asked = self.read(|tx| {
            let done = maintenance::last_done(tx)?;
            let outbox = mails::standing(tx)?;
            Ok(Observed {
                backup: done.backup,
                verify: done.verify,
                mails_waiting: outbox.waiting,
                mails_failed: outbox.failed,
                mails_oldest: outbox.oldest,
            })
        });
        let observed = asked.await.ok();
        self.metrics().observe(self.store().status(), observed);
    }
}
