//! Admission to the API: authentication, rate limit and authorization.

use super::api_rate;
use axum::{
    Extension,
    extract::{MatchedPath, Request, State},
    http::{HeaderMap, Method, header},
    middleware::Next,
    response::Response,
};
use percent_encoding::percent_decode_str;
use service::{Context, environment::Visitor};
use web_api::credentials;
use web_core::{
    AppState,
    address::ClientAddress,
    caller::{Caller, CallerPlace},
    catalogue,
    limits::{Allowance, Refusal},
    problem::{self, Problem},
};

/// Checks a request in the contract's order: credentials, rate limit, plan, scopes, country,
/// `Accept`. Routing comes last, so that without valid credentials every path gets the same
/// response.
// Long: the checks in the order of the contract.
pub(super) async fn admit(
    State(app): State<AppState>,
    address: ClientAddress,
    Extension(place): Extension<CallerPlace>,
    route: Option<MatchedPath>,
    mut request: Request,
    next: Next,
) -> Response {
    let mut allowance = None;
    let answered = async {
        let env = app.environment(Visitor::new(&address.to_string(), ""));
        let (actor, books) = credentials::authenticate(&app, &env, request.headers()).await?;
        let cx = Context::new(actor, env);
        let caller = place.get_or_init(|| Caller {
            account: cx.actor.account,
            credential: cx.actor.credential.clone(),
            at: cx.env.now,
        });
        app.recent_calls().record_use(caller, address);
        allowance = api_rate::count(&app, cx.actor.counted_as()).await;
        if let (Some(limiter), Some(spent)) =
            (app.limiter(), allowance.filter(|allowance| allowance.is_spent()))
        {
            books.give_back();
            let delayed = limiter.delay().await;
            return Err(rate_limited(spent, delayed));
        }
        cx.actor.require_plan(app.config().api_min_plan)?;
        let reads = matches!(*request.method(), Method::GET | Method::HEAD);
        let route = route.as_ref().map(MatchedPath::as_str);
        let required = web_api::requirements(request.method(), route, request.uri().path());
        for &scope in required.scopes {
            cx.actor
                .require_scope(scope)
                .map_err(|error| credentials::lacks_scope(&app, &cx.actor, error))?;
        }
        if required.dutch {
            cx.actor.require_dutch()?;
        }
        accepts(request.headers(), required.media_types)?;
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
            // A write first waits for its body, which may take a long time, so its snapshot is
            // released.
            books.give_back();
        }
        request.extensions_mut().insert(books.clone());
        let response = next.run(request).await;
        // The credentials were valid at admission. Either they were revoked while the request ran,
        // or the test account is being emptied, in which case they are still valid.
        match response.extensions().get::<Problem>() {
            Some(problem) if problem.kind == catalogue::INVALID_API_KEY && in_test => {
                Err(Problem::being_emptied())
            }
            Some(problem) if problem.kind == catalogue::INVALID_API_KEY => {
                Err(credentials::ended(&app, &caller.credential))
            }
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
    let detail =
        format!("The account has used up its requests for now; try again in {seconds} {unit}.");
    let problem = Problem::new(catalogue::RATE_LIMITED, detail)
        .with_header(header::RETRY_AFTER, &seconds.to_string());
    match delayed {
        Refusal::Delayed => problem,
        Refusal::AtOnce => problem.with_header(header::CONNECTION, "close"),
    }
}

/// Checks that the header `Accept` admits the media type of the response (RFC 9110, section
/// 12.5.1). JSON is admitted for every operation, since a problem is always sent as JSON.
fn accepts(headers: &HeaderMap, media_types: &[&str]) -> Result<(), Problem> {
    // The type of a stored file is not known yet, so any `Accept` is admitted.
    let &[media_type] = media_types else { return Ok(()) };
    let mut asked = false;
    for value in headers.get_all(header::ACCEPT) {
        for range in value.to_str().unwrap_or("").split(',') {
            let mut parts = range.split(';').map(str::trim);
            let kind = parts.next().unwrap_or("");
            asked = true;
            let refused =
                parts.any(|parameter| matches!(parameter, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"));
            let fits = [
                "*/*",
                "application/*",
                "application/json",
                "application/problem+json",
                media_type,
            ];
            if !refused
                && (kind.is_empty() || fits.iter().any(|fit| kind.eq_ignore_ascii_case(fit)))
            {
                return Ok(());
            }
        }
    }
    if asked {
        Err(Problem::new(
            catalogue::NOT_ACCEPTABLE,
            "Only application/json can be given; add it to the header Accept.",
        ))
    } else {
        Ok(())
    }
}
