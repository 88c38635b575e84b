//! The REST API under `/api/v1`: who asks, what they may do, and where it goes.

mod account;
mod body;
mod contacts;
mod credentials;
mod entries;
mod examples;
mod fields;
mod hours_log;
mod invoice_fields;
mod invoices;
mod links;
mod number;
pub(crate) mod openapi;
pub(crate) mod operation;
mod payments;
mod projects;
mod query;
mod reply;
mod summary;
mod time_entries;
mod vat_filings;

use crate::{
    App, Reading,
    address::ClientAddress,
    catalogue,
    limits::{Allowance, Held},
    problem::{self, Problem},
};
use axum::{
    Extension, Router,
    extract::{Request, State},
    http::{HeaderMap, Method, header},
    middleware::{self, Next},
    response::Response,
    routing::any,
};
use jiff::Timestamp;
use operation::Operation;
use percent_encoding::percent_decode_str;
use service::actor::{Credential, Scope};
use std::sync::{Arc, OnceLock};

/// Who asked, for the logs.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    pub(crate) account: i64,
    pub(crate) credential: Credential,
    /// When they were let in.
    pub(crate) at: Timestamp,
}

/// Where the outermost layer is told who asks, so that it knows also when there is no answer from further in.
pub(crate) type CallerPlace = Arc<OnceLock<Caller>>;

/// All operations of the API.
pub(crate) fn operations() -> Vec<Operation> {
    let groups = [
        account::operations(),
        invoices::operations(),
        payments::operations(),
        contacts::operations(),
        projects::operations(),
        time_entries::operations(),
        hours_log::operations(),
        entries::operations(),
        vat_filings::operations(),
        summary::operations(),
    ];
    groups.into_iter().flatten().collect()
}

pub(crate) fn router(app: &App) -> Router<App> {
    let mut under = Router::new();
    for operation in operations() {
        under = under.route(operation.path, operation.route);
    }
    let under = under.fallback(problem::unknown_route).method_not_allowed_fallback(problem::method_not_allowed);
    // A nest does not reach its own address with a slash at the end.
    let root = Router::new().route("/api/v1/", any(problem::unknown_route));
    Router::new().nest("/api/v1", under).merge(root).layer(middleware::from_fn_with_state(app.clone(), admit))
}

/// Lets a request in, in the contract's order: credentials, rate, plan, scope. Only then is it looked at what is asked for, so that
/// without valid credentials everything answers alike.
async fn admit(
    State(app): State<App>,
    address: ClientAddress,
    Extension(asks): Extension<CallerPlace>,
    mut request: Request,
    next: Next,
) -> Response {
    let mut allowance = None;
    let answered = async {
        let (actor, snapshot) = credentials::authenticate(&app, request.headers()).await?;
        let caller = asks.get_or_init(|| Caller { account: actor.account, credential: actor.credential.clone(), at: app.now() });
        app.recent_calls().note_use(caller, address);
        allowance = app.limiter().map(|limiter| limiter.take(actor.account));
        if let (Some(limiter), Some(spent)) = (app.limiter(), allowance.filter(|allowance| allowance.is_spent())) {
            drop(snapshot);
            let held = limiter.hold_back().await;
            return Err(rate_limited(spent, held));
        }
        actor.require_plan(app.settings().api_min_plan)?;
        let reads = matches!(*request.method(), Method::GET | Method::HEAD);
        let scope = if reads { Scope::Read } else { Scope::Write };
        actor.require_scope(scope).map_err(|error| credentials::lacks_scope(&app, &actor, error))?;
        if !reads && is_for_dutch_accounts(request.uri().path()) {
            actor.require_dutch()?;
        }
        accepts_json(request.headers())?;
        if percent_decode_str(request.uri().path()).decode_utf8().is_err() {
            return Err(problem::unknown_route().await);
        }
        request.extensions_mut().insert(actor);
        // A write waits for its body, which may take long: it gives the picture back first.
        request.extensions_mut().insert(Reading::of(&app, snapshot.filter(|_| reads)));
        let response = next.run(request).await;
        // Whoever was let in and then heard that the account is closed has had their credentials taken meanwhile.
        match response.extensions().get::<Problem>() {
            Some(problem) if problem.kind == catalogue::INVALID_API_KEY => Err(credentials::ended(&app, &caller.credential)),
            _ => Ok(response),
        }
    };
    let mut response = answered.await.unwrap_or_else(axum::response::IntoResponse::into_response);
    if let Some(allowance) = allowance {
        allowance.write_headers(response.headers_mut());
    }
    response
}

fn rate_limited(spent: Allowance, held: Held) -> Problem {
    let seconds = spent.retry_after().to_string();
    let detail = format!("The account has used up its requests for now; try again in {seconds} seconds.");
    let problem = Problem::new(catalogue::RATE_LIMITED, detail).with_header(header::RETRY_AFTER, &seconds);
    match held {
        Held::Back => problem,
        Held::Not => problem.with_header(header::CONNECTION, "close"),
    }
}

/// What an account elsewhere may not write (contract, §3), whether there is such an address and method or not.
fn is_for_dutch_accounts(path: &str) -> bool {
    let first = path.strip_prefix("/api/v1/").and_then(|path| path.split('/').next());
    matches!(first, Some("invoices" | "contacts" | "hours-log"))
}

/// Whether JSON may be answered (RFC 9110, section 12.5.1). A problem is always answered as JSON.
fn accepts_json(headers: &HeaderMap) -> Result<(), Problem> {
    let mut asked = false;
    for value in headers.get_all(header::ACCEPT) {
        for range in value.to_str().unwrap_or("").split(',') {
            let mut parts = range.split(';').map(str::trim);
            let kind = parts.next().unwrap_or("");
            asked = true;
            let refused = parts.any(|parameter| matches!(parameter, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"));
            let fits = ["*/*", "application/*", "application/json", "application/problem+json"];
            if !refused && (kind.is_empty() || fits.iter().any(|fit| kind.eq_ignore_ascii_case(fit))) {
                return Ok(());
            }
        }
    }
    if asked {
        Err(Problem::new(catalogue::NOT_ACCEPTABLE, "Only application/json can be given; add it to the header Accept."))
    } else {
        Ok(())
    }
}

/// Reads any bytes as the body of every request; for the fuzz targets.
#[cfg(fuzzing)]
pub(crate) fn read_bodies(bytes: &[u8]) {
    let Ok(json) = body::parse(bytes) else { return };
    let day = jiff::civil::date(2026, 3, 15);
    contacts::try_body(&json);
    hours_log::try_body(&json);
    invoices::try_body(&json, day);
    payments::try_body(&json, day);
    time_entries::try_body(&json);
}
