//! One line in the log for every request, one count in the metrics, and the list of an account's recent calls.

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

/// Methods that are logged by their name; others are whatever a client wrote.
const STANDARD: &[&str] = &["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"];

/// What is recorded of a request before it is answered.
pub(super) struct Entry {
    begun: Instant,
    method: Method,
    route: Option<MatchedPath>,
    caller: CallerPlace,
}

impl Entry {
    /// Begins the entry, and leaves a place in the request where admission notes who asks.
    pub(super) fn begin(request: &mut Request) -> Self {
        let caller = CallerPlace::default();
        request.extensions_mut().insert(Arc::clone(&caller));
        let route = request.extensions().get::<MatchedPath>().cloned();
        Self { begun: Instant::now(), method: request.method().clone(), route, caller }
    }

    /// Writes it.
    pub(super) fn write(self, app: &AppState, request_id: String, address: ClientAddress, status: u16, code: &'static str) {
        let took = self.begun.elapsed();
        let route = self.route.as_ref().map_or("unknown", MatchedPath::as_str);
        app.metrics().count(route, status, code, took);
        let caller = self.caller.get();
        let account = caller.map(|caller| caller.account);
        let (key, grant) = by(caller);
        let method = STANDARD.iter().find(|standard| **standard == self.method.as_str()).copied().unwrap_or("OTHER");
        // No path, query, header or body: they may hold personal data. The route and the ids say enough.
        info!(target: "request", %request_id, method, route, status, code, micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX), account, key, grant);
        if let Some(caller) = caller {
            let caller = caller.clone();
            app.recent_calls().record_call(Call { caller, request_id, method, route: self.route, status, code, address });
        }
    }
}

/// The key or the grant by which the caller was let in.
fn by(caller: Option<&Caller>) -> (Option<i64>, Option<&str>) {
    match caller.map(|caller| &caller.credential) {
        Some(Credential::Key(key)) => (Some(*key), None),
        Some(Credential::Grant(grant)) => (None, Some(grant.as_str())),
        Some(Credential::Owner) | None => (None, None),
    }
}
