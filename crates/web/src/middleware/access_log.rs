//! Access log: a log line and a metrics count for every request, and an entry in the account's list
//! of recent calls.

use axum::{
    extract::{MatchedPath, Request},
    http::Method,
};
use service::actor::Credential;
use std::{sync::Arc, time::Instant};
use tracing::info;
use web_core::{
    AppState,
    address::ClientAddress,
    caller::{Caller, CallerPlace},
    calls::Call,
};

/// Methods that are logged by name; any other method is arbitrary client input.
const STANDARD: &[&str] =
    &["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"];

/// Log entry for a request in progress.
pub(super) struct Entry {
    begun: Instant,
    method: Method,
    route: Option<MatchedPath>,
    caller: CallerPlace,
}

impl Entry {
    /// Starts the entry. Inserts a slot into the request, in which admission stores the caller.
    pub(super) fn begin(request: &mut Request) -> Self {
        let caller = CallerPlace::default();
        request.extensions_mut().insert(Arc::clone(&caller));
        let route = request.extensions().get::<MatchedPath>().cloned();
        Self { begun: Instant::now(), method: request.method().clone(), route, caller }
    }

    /// Writes the entry.
    pub(super) fn write(
        self,
        app: &AppState,
        request_id: String,
        address: ClientAddress,
        status: u16,
        code: &'static str,
    ) {
        let took = self.begun.elapsed();
        let route = self.route.as_ref().map_or("unknown", MatchedPath::as_str);
        app.metrics().count(route, status, code, took);
        let caller = self.caller.get();
        let account = caller.map(|caller| caller.account);
        let (key, grant) = by(caller);
        let method = STANDARD
            .iter()
            .find(|standard| **standard == self.method.as_str())
            .copied()
            .unwrap_or("OTHER");
        // Path, query, headers and body are not logged, since they may contain personal data. The
        // route and the ids suffice.
        info!(target: "request", %request_id, method, route, status, code, micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX), account, key, grant);
        if let Some(caller) = caller {
            let caller = caller.clone();
            app.recent_calls().record_call(Call {
                caller,
                request_id,
                method,
                route: self.route,
                status,
                code,
                address,
            });
        }
    }
}

/// Returns the id of the caller's API key, or the caller's OAuth grant.
fn by(caller: Option<&Caller>) -> (Option<i64>, Option<&str>) {
    match caller.map(|caller| &caller.credential) {
        Some(Credential::Key(key)) => (Some(*key), None),
        Some(Credential::Grant(grant)) => (None, Some(grant.as_str())),
        Some(Credential::Owner) | None => (None, None),
    }
}
