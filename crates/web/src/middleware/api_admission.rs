//! Admission to the API: who asks, how often, and what they may do.

use super::api_rate;
use axum::{
    Extension,
    extract::{Request, State},
    http::{HeaderMap, Method, header},
    middleware::Next,
    response::Response,
};
use percent_encoding::percent_decode_str;
use service::{Context, actor::Scope, environment::Visitor};
use web_api::{credentials, operation};
use web_core::{
    AppState,
    address::ClientAddress,
    caller::{Caller, CallerPlace},
    catalogue,
    limits::{Allowance, Refusal},
    problem::{self, Problem},
};

/// Lets a request in, in the contract's order: credentials, rate, plan, scope. Only then is it looked at what is asked for, so that
/// without valid credentials everything answers alike.
pub(super) async fn admit(
    State(app): State<AppState>,
    address: ClientAddress,
    Extension(asks): Extension<CallerPlace>,
    mut request: Request,
    next: Next,
) -> Response {
    let mut allowance = None;
    let answered = async {
        let env = app.environment(Visitor::new(&address.to_string(), ""));
        let (actor, books) = credentials::authenticate(&app, &env, request.headers()).await?;
        let cx = Context::new(actor, env);
        let caller =
            asks.get_or_init(|| Caller { account: cx.actor.account, credential: cx.actor.credential.clone(), at: cx.env.now });
        app.recent_calls().record_use(caller, address);
        allowance = api_rate::count(&app, cx.actor.counted_as()).await;
        if let (Some(limiter), Some(spent)) = (app.limiter(), allowance.filter(|allowance| allowance.is_spent())) {
            books.give_back();
            let delayed = limiter.delay().await;
            return Err(rate_limited(spent, delayed));
        }
        cx.actor.require_plan(app.config().api_min_plan)?;
        let reads = matches!(*request.method(), Method::GET | Method::HEAD);
        let scope = match request.uri().path().strip_prefix("/api/v1") {
            _ if reads => Scope::Read,
            Some(path) if operation::files_returns(path) => Scope::File,
            _ => Scope::Write,
        };
        cx.actor.require_scope(scope).map_err(|error| credentials::lacks_scope(&app, &cx.actor, error))?;
        if !reads && is_for_dutch_accounts(request.uri().path()) {
            cx.actor.require_dutch()?;
        }
        accepts(request.headers(), request.uri().path())?;
        if percent_decode_str(request.uri().path()).decode_utf8().is_err() {
            return Err(problem::unknown_route().await);
        }
        if reads && !app.answers().has_room(caller.account) {
            books.give_back();
            app.answers().room(caller.account).await;
        }
        let in_test = cx.actor.test.is_some();
        request.extensions_mut().insert(cx);
        if !reads {
            // A write waits for its body, which may take long.
            books.give_back();
        }
        request.extensions_mut().insert(books.clone());
        let response = next.run(request).await;
        // Whoever was let in and then heard that the account is closed has had their credentials taken meanwhile; or it is a test account
        // that was emptied, and they still hold.
        match response.extensions().get::<Problem>() {
            Some(problem) if problem.kind == catalogue::INVALID_API_KEY && in_test => Err(Problem::being_emptied()),
            Some(problem) if problem.kind == catalogue::INVALID_API_KEY => Err(credentials::ended(&app, &caller.credential)),
            _ => Ok(app.answers().counted(caller.account, response, books.take_room()).await),
        }
    };
    let mut response = answered.await.unwrap_or_else(axum::response::IntoResponse::into_response);
    if let Some(allowance) = allowance {
        allowance.write_headers(response.headers_mut());
    }
    response
}

fn rate_limited(spent: Allowance, delayed: Refusal) -> Problem {
    let seconds = spent.retry_after();
    let unit = if seconds == 1 { "second" } else { "seconds" };
    let detail = format!("The account has used up its requests for now; try again in {seconds} {unit}.");
    let problem = Problem::new(catalogue::RATE_LIMITED, detail).with_header(header::RETRY_AFTER, &seconds.to_string());
    match delayed {
        Refusal::Delayed => problem,
        Refusal::AtOnce => problem.with_header(header::CONNECTION, "close"),
    }
}

/// What only accounts in the Netherlands may write.
const DUTCH_ONLY: &[&str] = &[
    "invoices",
    "contacts",
    "hours-log",
    "payouts",
    // Purchases
    "expenses",
    "receipts",
    "assets",
    "mileage",
    // Tax
    "vat-filings",
    "vat-payments",
    "years",
    "vat-scheme",
    // Journal
    "manual-entries",
    "transfers",
    "private-bookings",
    "accruals",
    "loans",
    "private-use",
    "opening-balance",
];

/// What an account elsewhere may not write, whether there is such an address and method or not.
fn is_for_dutch_accounts(path: &str) -> bool {
    let first = path.strip_prefix("/api/v1/").and_then(|path| path.split('/').next());
    // Hours are everybody's; what they are invoiced with is not.
    let invoices_hours = first == Some("projects") && path.ends_with("/invoice");
    invoices_hours || first.is_some_and(|first| DUTCH_ONLY.contains(&first))
}

/// Whether what is at this path may be answered: JSON, or the kind of document that it is (RFC 9110, section 12.5.1). A problem is always
/// answered as JSON.
fn accepts(headers: &HeaderMap, path: &str) -> Result<(), Problem> {
    let mut asked = false;
    let document = match path.rsplit('/').next() {
        Some("pdf") => "application/pdf",
        Some("ubl") => "application/xml",
        _ if path.starts_with("/api/v1/audit-files/") => "application/xml",
        // Whatever kind of file it is.
        Some("file") => return Ok(()),
        _ => "application/json",
    };
    for value in headers.get_all(header::ACCEPT) {
        for range in value.to_str().unwrap_or("").split(',') {
            let mut parts = range.split(';').map(str::trim);
            let kind = parts.next().unwrap_or("");
            asked = true;
            let refused = parts.any(|parameter| matches!(parameter, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"));
            let fits = ["*/*", "application/*", "application/json", "application/problem+json", document];
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
