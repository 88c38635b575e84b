//! Pages of customers: a quote, `/q/{token}`, and an invoice, `/i/{token}`. They need no sign-in and
//! no script, set no cookie, and load nothing from elsewhere.

mod invoice;
mod quote;

use crate::{
    context::PageContext,
    sales::in_cents,
    session,
    texts::{self, Phrase},
};
use askama::Template;
use axum::{
    Router,
    body::Body,
    extract::Request,
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header, request::Parts},
    response::Response,
    routing::get,
};
use ledger::decimal::Decimal;
use service::{
    Context,
    customer_links::{self, LinkedKind},
};
use store::Lane;
use tracing::warn;
use web_core::{AppState, address::ClientAddress, problem::Problem};

/// Content security policy: no scripts, and nothing from elsewhere.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; \
                      form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/// Headers of every response: the address is a secret, so it is sent to no other site, and neither
/// stored nor indexed.
const HEADERS: [(HeaderName, &str); 6] = [
    (header::CACHE_CONTROL, "no-store"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("x-robots-tag"), "noindex"),
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Router of the pages of customers. They have no visit and no session.
pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .route("/q/{token}", get(quote::show).post(quote::decide))
        .route("/q/{token}/pdf", get(quote::pdf))
        .route("/i/{token}", get(invoice::show))
        .route("/i/{token}/pdf", get(invoice::pdf))
        .route("/i/{token}/ubl", get(invoice::ubl))
}

#[derive(Template)]
#[template(path = "sales/customer-nothing.html")]
struct NothingView<'a> {
    page: &'a PageContext,
    title: Phrase<'a>,
    text: Phrase<'a>,
}

/// Document that a link leads to.
struct Linked {
    /// Context of the account's owner.
    cx: Context,
    kind: LinkedKind,
    id: i64,
    page: PageContext,
}

/// Adds the headers of the pages of customers.
fn with_headers(mut response: Response) -> Response {
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Page without a document.
fn nothing(
    page: &PageContext,
    status: StatusCode,
    (title, text): (Phrase<'_>, Phrase<'_>),
) -> Result<Response, Problem> {
    Ok(with_headers(page.show_as(status, &NothingView { page, title, text })?))
}

/// Page about a link that leads nowhere. It is the same for every link, and depends on nothing but
/// the language of the browser.
fn missing(page: &PageContext) -> Result<Response, Problem> {
    let texts = (page.t("customer-missing-title"), page.t("customer-missing-text"));
    nothing(page, StatusCode::NOT_FOUND, texts)
}

/// Looks up the document of a link.
///
/// # Errors
/// The response to return instead: there is no such link, or the client has tried too many.
async fn find(
    app: &AppState,
    parts: &Parts,
    address: ClientAddress,
    kind: LinkedKind,
    token: &str,
) -> Result<Result<Linked, Response>, Problem> {
    let mut request = Request::new(Body::empty());
    *request.uri_mut() = parts.uri.clone();
    let mut page = PageContext::of_stranger(app, &request);
    page.texts = texts::negotiated(&parts.headers);
    let now = app.now();
    if app.misses().is_some_and(|misses| misses.are_too_many(address, now)) {
        let texts = (page.t("failure-often-title"), page.t("failure-often-text"));
        let mut response = nothing(&page, StatusCode::TOO_MANY_REQUESTS, texts)?;
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("60"));
        return Ok(Err(response));
    }
    let env = app.environment(session::visitor(parts));
    let (asking, secret) = (env.clone(), token.to_owned());
    let find = move |tx: &mut store::Tx<'_>| customer_links::find(tx, &asking, kind, &secret);
    let Some((account, id)) = app.query(Lane::NO_ACCOUNT.single(), find).await? else {
        if let Some(misses) = app.misses() {
            misses.count(address, now);
        }
        return Ok(Err(missing(&page)?));
    };
    Ok(Ok(Linked { cx: Context::of_owner(&account, env), kind, id, page }))
}

/// Counts a navigation to the page by a visitor other than the owner.
async fn count_opening(linked: &Linked, parts: &Parts) {
    let (app, account) = (&linked.page.app, linked.cx.actor.account);
    if !is_navigation(&parts.method, &parts.headers) || is_owner(app, parts, account).await {
        return;
    }
    let (cx, kind, id) = (linked.cx.clone(), linked.kind, linked.id);
    let counted = app.execute(account, move |tx| customer_links::open(tx, &cx, kind, id)).await;
    if let Err(error) = counted {
        warn!(%error, "failed to record that the page of a customer was opened");
    }
}

/// Whether a request is a navigation: no prefetch, no HEAD, and no other mode that the browser
/// states.
fn is_navigation(method: &Method, headers: &HeaderMap) -> bool {
    let is = |name: &str, value: &str| {
        headers.get(name).and_then(|found| found.to_str().ok()).is_none_or(|found| found == value)
    };
    let is_prefetch = ["sec-purpose", "purpose", "x-moz"].iter().any(|name| {
        let purpose = headers.get(*name).and_then(|value| value.to_str().ok());
        purpose.is_some_and(|purpose| purpose.contains("prefetch"))
    });
    *method == Method::GET && !is_prefetch && is("sec-fetch-mode", "navigate")
}

/// Whether the visitor is signed in as the owner of the account.
async fn is_owner(app: &AppState, parts: &Parts, account: i64) -> bool {
    let Some(token) = app.cookies().read_session(&parts.headers) else { return false };
    let known = session::find(app, token).await;
    known.is_ok_and(|known| known.is_some_and(|known| known.account.id == account))
}

/// Unit price in euros, as an amount if it has no fractions of a cent.
fn price(page: &PageContext, price: &Decimal) -> String {
    in_cents(price)
        .map_or_else(|| page.texts.number(price.normalize()), |cents| page.texts.money(cents))
}
