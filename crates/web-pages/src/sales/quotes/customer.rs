//! `/q/{token}`: the page on which a customer reads a quote and decides. It needs no sign-in and no
//! script, sets no cookie, and loads nothing from elsewhere.

use crate::{
    context::PageContext,
    form::Form,
    render::see_other,
    sales::in_cents,
    session,
    texts::{self, Phrase, Texts},
};
use askama::Template;
use axum::{
    Router,
    body::{self, Body},
    extract::{Extension, Path, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header, request::Parts},
    response::Response,
    routing::get,
};
use data_encoding::HEXLOWER;
use ledger::{
    chain::Hash,
    decimal::Decimal,
    invoice::{Line, LineAmounts},
    quote::QuoteStatus,
};
use service::{
    Context, Error, InvoiceError,
    invoice_documents::Seller,
    quotes::{self, Decision, Face, QuoteDetails, Shown},
};
use sha2::{Digest, Sha256};
use store::{Lane, Tx};
use tracing::warn;
use web_core::{
    AppState,
    address::ClientAddress,
    capacity::Asker,
    http::entity_tags,
    input::{self, customer_decision},
    problem::Problem,
};

/// Maximum size of the form in bytes.
const FORM_SIZE: usize = 64 * 1024;

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
    Router::new().route("/q/{token}", get(show).post(decide)).route("/q/{token}/pdf", get(pdf))
}

#[derive(Template)]
#[template(path = "sales/customer-quote.html")]
struct View<'a> {
    page: &'a PageContext,
    form: &'a Form,
    token: &'a str,
    details: &'a QuoteDetails,
    seller: &'a Seller,
    is_test: bool,
    /// SHA-256 of the PDF, in hexadecimal digits.
    seen: String,
    /// Reason why the decision was not taken.
    refusal: Option<Phrase<'a>>,
}

#[derive(Template)]
#[template(path = "sales/customer-nothing.html")]
struct NothingView<'a> {
    page: &'a PageContext,
    title: Phrase<'a>,
    text: Phrase<'a>,
}

impl View<'_> {
    fn title(&self) -> Phrase<'_> {
        self.page.t("quote-title").with("number", &self.details.quote.number)
    }

    fn is_open(&self) -> bool {
        self.details.status == QuoteStatus::Sent
    }

    fn is_accepted(&self) -> bool {
        matches!(self.details.status, QuoteStatus::Accepted | QuoteStatus::Invoiced)
    }

    fn is_refused(&self) -> bool {
        self.details.status == QuoteStatus::Refused
    }

    fn lines(&self) -> impl Iterator<Item = (&Line, &LineAmounts)> {
        let lines = self.details.quote.content.lines.iter().map(|(line, _)| line);
        lines.zip(&self.details.shown.lines)
    }

    fn price(&self, price: &Decimal) -> String {
        in_cents(price).map_or_else(
            || self.page.texts.number(price.normalize()),
            |cents| self.page.texts.money(cents),
        )
    }
}

/// Quote that a link leads to.
struct Found {
    cx: Context,
    details: QuoteDetails,
    face: Face,
    page: PageContext,
}

impl Found {
    fn id(&self) -> i64 {
        self.details.quote.id
    }

    /// Whether the quote can no longer be read, because it expired or was withdrawn.
    fn is_over(&self) -> bool {
        matches!(self.details.status, QuoteStatus::Expired | QuoteStatus::Withdrawn)
    }

    /// Reads the quote again, after a decision was refused.
    async fn again(self) -> Result<Self, Problem> {
        let (cx, id) = (self.cx.clone(), self.id());
        let details =
            self.page.app.query(cx.actor.account, move |tx| quotes::read(tx, &cx, id)).await?;
        Ok(Self { details, ..self })
    }
}

/// Adds the headers of the pages of customers.
fn with_headers(mut response: Response) -> Response {
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Page about a link without a quote. It is the same for every link, and depends on nothing but the
/// language of the browser.
fn nothing(
    page: &PageContext,
    status: StatusCode,
    (title, text): (Phrase<'_>, Phrase<'_>),
) -> Result<Response, Problem> {
    Ok(with_headers(page.show_as(status, &NothingView { page, title, text })?))
}

/// Looks up the quote of a link.
///
/// # Errors
/// The response to return instead: there is no such link, or the client has tried too many.
async fn find(
    app: &AppState,
    parts: &Parts,
    address: ClientAddress,
    token: &str,
) -> Result<Result<Found, Response>, Problem> {
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
    let secret = token.to_owned();
    let found = app
        .query(Lane::NO_ACCOUNT.single(), move |tx| {
            let Some((account, quote)) = quotes::customer_page(tx, &secret)? else {
                return Ok(None);
            };
            Ok(store::accounts::by_id(tx, account)?.map(|account| (account, quote)))
        })
        .await?;
    let Some((account, quote)) = found else {
        if let Some(misses) = app.misses() {
            misses.count(address, now);
        }
        let texts = (page.t("customer-missing-title"), page.t("customer-missing-text"));
        return Ok(Err(nothing(&page, StatusCode::NOT_FOUND, texts)?));
    };
    let cx = Context::of_owner(&account, app.environment(session::visitor(parts)));
    let asking = cx.clone();
    let read = move |tx: &mut Tx<'_>| {
        let details = quotes::read(tx, &asking, quote)?;
        let face = quotes::face(tx, &asking, &details.quote)?;
        Ok((details, face))
    };
    let (details, face) = app.query(account.id, read).await?;
    page.texts = Texts { language: face.language };
    Ok(Ok(Found { cx, details, face, page }))
}

/// Page of a quote that expired or was withdrawn.
fn over(found: &Found) -> Result<Response, Problem> {
    let page = &found.page;
    let (number, seller) = (&found.details.quote.number, &found.face.seller.name);
    let (title, text) = match found.details.status {
        QuoteStatus::Expired => (
            page.t("customer-expired-title").with("number", number),
            page.t("customer-expired-text").with("seller", seller),
        ),
        _ => (
            page.t("customer-withdrawn-title").with("number", number),
            page.t("customer-withdrawn-text").with("seller", seller),
        ),
    };
    nothing(page, StatusCode::CONFLICT, (title, text))
}

/// Shows a quote, with the faults of a form.
async fn show_with(
    found: &Found,
    token: &str,
    form: &Form,
    (status, refusal): (StatusCode, Option<Phrase<'_>>),
) -> Result<Response, Problem> {
    if found.is_over() {
        return over(found);
    }
    let page = &found.page;
    let (_, bytes) =
        web_core::quotes::document(&page.app, found.cx.clone(), found.id(), Asker::Visitor).await?;
    let view = View {
        page,
        form,
        token,
        details: &found.details,
        seller: &found.face.seller,
        is_test: found.face.is_test,
        seen: HEXLOWER.encode(&Sha256::digest(&bytes)),
        refusal,
    };
    Ok(with_headers(page.show_as(status, &view)?))
}

/// `GET /q/{token}`
async fn show(
    State(app): State<AppState>,
    Extension(address): Extension<ClientAddress>,
    Path(token): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let (parts, _) = request.into_parts();
    let found = match find(&app, &parts, address, &token).await? {
        Ok(found) => found,
        Err(response) => return Ok(response),
    };
    count_opening(&found, &parts).await;
    show_with(&found, &token, &Form::default(), (StatusCode::OK, None)).await
}

/// Counts a navigation to the page by somebody other than the owner.
async fn count_opening(found: &Found, parts: &Parts) {
    let (app, account) = (&found.page.app, found.cx.actor.account);
    if !is_navigation(&parts.method, &parts.headers) || is_owner(app, parts, account).await {
        return;
    }
    let (cx, id) = (found.cx.clone(), found.id());
    let counted = app.execute(account, move |tx| quotes::open_by_customer(tx, &cx, id)).await;
    if let Err(error) = counted {
        warn!(%error, "failed to record that the page of a quote was opened");
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

/// `GET /q/{token}/pdf`
async fn pdf(
    State(app): State<AppState>,
    Extension(address): Extension<ClientAddress>,
    Path(token): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let (parts, _) = request.into_parts();
    let found = match find(&app, &parts, address, &token).await? {
        Ok(found) => found,
        Err(response) => return Ok(response),
    };
    if found.is_over() {
        return over(&found);
    }
    let (number, bytes) =
        web_core::quotes::document(&app, found.cx.clone(), found.id(), Asker::Visitor).await?;
    let name = quotes::file_name(&number);
    Ok(with_headers(entity_tags::file(&parts.headers, bytes, "application/pdf", &name)))
}

/// `POST /q/{token}`: `action=accept` or `action=refuse`, with the name of the person, a note and
/// the hash of the document that the page showed.
async fn decide(
    State(app): State<AppState>,
    Extension(address): Extension<ClientAddress>,
    Path(token): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    let found = match find(&app, &parts, address, &token).await? {
        Ok(found) => found,
        Err(response) => return Ok(response),
    };
    let bytes = body::to_bytes(body, FORM_SIZE).await.unwrap_or_default();
    let mut form = Form::read(&bytes).unwrap_or_default();
    if found.details.status != QuoteStatus::Sent {
        return refused(found, &token, &form).await;
    }
    let parsed = input::form(form.pairs(), found.page.texts.language, customer_decision);
    let Some(given) = parsed.command else {
        form.take_faults(&parsed.faults, found.page.texts);
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        return show_with(&found, &token, &form, (status, None)).await;
    };
    let decision = Decision {
        name: Some(given.name),
        note: given.note,
        shown: Some(Shown { sha256: hash_in(&given.seen) }),
        refused_step: None,
    };
    let (cx, id) = (found.cx.clone(), found.id());
    let decided = if given.accepts {
        web_core::quotes::accept(&app, &cx, id, &decision).await
    } else {
        app.execute(cx.actor.account, move |tx| quotes::refuse(tx, &cx, id, &decision)).await
    };
    app.wake_outbox();
    match decided {
        Ok(_) => Ok(with_headers(see_other(&format!("/q/{token}")))),
        Err(Error::Changed | Error::Invoice(InvoiceError::QuoteNotOpen(_))) => {
            refused(found.again().await?, &token, &form).await
        }
        Err(error) => Err(error.into()),
    }
}

/// Page after a decision that came too late, or on another document.
async fn refused(found: Found, token: &str, form: &Form) -> Result<Response, Problem> {
    let page = found.page.clone();
    let text = match found.details.status {
        QuoteStatus::Sent => page.t("customer-changed"),
        _ => page.t("customer-too-late"),
    };
    show_with(&found, token, form, (StatusCode::CONFLICT, Some(text))).await
}

/// Hash in hexadecimal digits; an unreadable one becomes that of no document.
fn hash_in(digits: &str) -> Hash {
    let bytes = HEXLOWER.decode(digits.as_bytes()).ok();
    bytes.and_then(|bytes| bytes.try_into().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_written_and_read() {
        let hash: Hash = Sha256::digest(b"a quote").into();
        assert_eq!(hash_in(&HEXLOWER.encode(&hash)), hash);
        for other in ["", "00", &"g".repeat(64), &"é".repeat(32)] {
            assert_eq!(hash_in(other), Hash::default(), "{other}");
        }
    }
}
