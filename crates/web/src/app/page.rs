//! Who looks at a page and what they are shown: found out before every page, put right after it.

use crate::{
    App,
    app::{
        assets,
        cookies::Cookies,
        failure, flash, forgery,
        form::Form,
        next,
        session::{self, SignedIn, Stage, Visitor},
        texts::{Phrase, Texts},
    },
    problem::{self, Problem},
};
use askama::Template;
use axum::{
    body::{self, Body},
    extract::{FromRequestParts, Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use service::people::sessions;
use std::{
    ops::Deref,
    sync::{Arc, OnceLock},
};

/// How large a form may be, in bytes.
const FORM_SIZE: usize = 64 * 1024;

/// Headers of every page, unless the page says otherwise (security: OWASP ASVS 5.0, 3.4).
const DRESS: [(&str, &str); 6] = [
    ("cache-control", "no-store"),
    // With less, browsers leave out the origin by which a foreign form is known.
    ("referrer-policy", "strict-origin-when-cross-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    (
        "permissions-policy",
        "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()",
    ),
    ("vary", "Cookie, Accept-Language"),
];

/// What a page may load and where its forms may lead: only this server, and `form_targets` (origins, each after a space).
///
/// Chromium also holds the answer to a form against `form-action`: a page whose form ends in a redirect elsewhere must name that place.
pub(crate) fn policy(form_targets: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; \
         form-action 'self'{form_targets}; frame-ancestors 'none'; base-uri 'none'; object-src 'none'"
    )
}

/// A visit to a page: who, from where, in which language.
#[derive(Clone)]
pub(crate) struct Page {
    pub(crate) app: App,
    pub(crate) visitor: Visitor,
    pub(crate) texts: Texts,
    visit: Arc<Visit>,
}

struct Visit {
    address: Uri,
    /// Somebody who showed who they are, wholly or in part.
    known: Option<SignedIn>,
    /// What was just done, if this is the page that tells it.
    told: Option<String>,
    secret: Secret,
}

/// What forms are bound to: the cookie that came, or one that is drawn when a form is first shown.
struct Secret {
    came: Option<String>,
    drawn: OnceLock<String>,
}

/// Finds out who comes, lets only our own forms in, and dresses the answer.
pub(crate) async fn around(State(app): State<App>, request: Request, next: Next) -> Response {
    let mut response = match arrive(app, request).await {
        Ok((page, request)) => {
            let response = next.run(request).await;
            if response.extensions().get::<Problem>().is_some() && page.has_ended().await {
                see_other(&next::with_next("/login", page.path_and_query()))
            } else {
                page.leave(response)
            }
        }
        Err(answer) => answer.into_response(),
    };
    dress(response.headers_mut());
    response
}

/// Nothing is at the address.
pub(crate) async fn nowhere(State(app): State<App>, request: Request) -> Response {
    tell(app, request, problem::unknown_route().await).await
}

/// What is at the address does not know the method.
pub(crate) async fn wrong_method(State(app): State<App>, request: Request) -> Response {
    let problem = problem::method_not_allowed(request.method().clone()).await;
    tell(app, request, problem).await
}

/// Where no page answers; whoever is signed in is told so with their menu beside it.
async fn tell(app: App, request: Request, problem: Problem) -> Response {
    if !failure::is_told_in_a_page(request.uri().path()) {
        return problem.into_response();
    }
    let (parts, _) = request.into_parts();
    let mut response = match find(app, &parts).await {
        Ok(page) => page.leave(problem.into_response()),
        Err(answer) => answer.into_response(),
    };
    dress(response.headers_mut());
    response
}

/// Puts on what every page wears.
pub(crate) fn dress(headers: &mut HeaderMap) {
    for (name, value) in DRESS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if let Ok(policy) = HeaderValue::from_str(&policy("")) {
        headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(policy);
    }
}

async fn find(app: App, parts: &Parts) -> Result<Page, Answer> {
    let cookies = app.cookies();
    if parts.method == Method::GET
        && let Some(answer) = switch_language(cookies, &parts.uri)
    {
        return Err(Answer::of(answer));
    }
    let came = cookies.read_session(&parts.headers).filter(|value| is_secret(value)).map(str::to_owned);
    let known = match &came {
        Some(token) => session::find(&app, token).await.map_err(|trouble| Answer::of(Problem::from(trouble)))?,
        None => None,
    };
    // Whose second factor is waited for cannot change the account's language yet: what they choose here counts.
    let set = known.as_ref().filter(|known| known.session.stage == Stage::SignedIn).and_then(session::language);
    let texts = set.unwrap_or_else(|| Texts::chosen(cookies, &parts.headers));
    let told = flash::told_at(cookies, &parts.uri, &parts.headers);
    let secret = Secret { came, drawn: OnceLock::new() };
    let visit = Arc::new(Visit { address: parts.uri.clone(), known, told, secret });
    Ok(Page { app, visitor: session::visitor(parts), texts, visit })
}

async fn arrive(app: App, request: Request) -> Result<(Page, Request), Answer> {
    let (mut parts, body) = request.into_parts();
    let page = find(app, &parts).await?;
    // No page knows another method that changes something; the router refuses them.
    if parts.method == Method::POST {
        let form =
            page.read_form(&parts.headers, body).await.map_err(|problem| Answer::of(page.leave(problem.into_response())))?;
        parts.extensions.insert(form);
        parts.extensions.insert(page.clone());
        return Ok((page, Request::from_parts(parts, Body::empty())));
    }
    parts.extensions.insert(page.clone());
    Ok((page, Request::from_parts(parts, body)))
}

/// Whether it has the form of a session's token or a visitor's secret.
fn is_secret(value: &str) -> bool {
    value.len() == 43 && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

/// `?lang=nl` and `?lang=en` on any page are remembered by the browser; then the page is shown without it.
fn switch_language(cookies: Cookies, address: &Uri) -> Option<Response> {
    let query = address.query()?;
    let (chosen, rest): (Vec<&str>, Vec<&str>) = query.split('&').partition(|pair| pair.starts_with("lang="));
    let texts = Texts::of_tag(chosen.last()?.strip_prefix("lang=")?)?;
    let there = if rest.is_empty() { address.path().to_owned() } else { format!("{}?{}", address.path(), rest.join("&")) };
    let mut response = see_other(next::local(&there).unwrap_or("/"));
    response.headers_mut().append(header::SET_COOKIE, cookies.language(texts.tag()));
    Some(response)
}

/// Leads to another page, which is fetched with GET.
pub(crate) fn see_other(location: &str) -> Response {
    // Addresses are made of plain characters: our own paths, and what came in as an address.
    let location = HeaderValue::from_str(location).unwrap_or(HeaderValue::from_static("/"));
    (StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response()
}

impl Page {
    /// A page for somebody of whom nothing is known, for telling of a failure when nothing else works.
    pub(crate) fn of_stranger(app: &App, request: &Request) -> Self {
        let secret = Secret { came: None, drawn: OnceLock::new() };
        let visit = Arc::new(Visit { address: request.uri().clone(), known: None, told: None, secret });
        Self { app: app.clone(), visitor: Visitor::default(), texts: Texts::chosen(app.cookies(), request.headers()), visit }
    }

    /// The form, if it is one and comes from a page of ours.
    async fn read_form(&self, headers: &HeaderMap, body: Body) -> Result<Form, Problem> {
        if forgery::is_foreign(headers, &self.app.settings().base_url) {
            return Err(Problem::new(failure::FOREIGN_FORM, "another site sent the form"));
        }
        let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("");
        let kind = kind.split(';').next().unwrap_or("").trim();
        if !kind.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
            return Err(Problem::new(failure::NOT_A_FORM, "the body is not a form"));
        }
        let body =
            body::to_bytes(body, FORM_SIZE).await.map_err(|_| Problem::new(failure::FORM_TOO_LARGE, "the form is too large"))?;
        let form = Form::read(&body).map_err(|_| Problem::new(failure::MALFORMED_FORM, "the form is not UTF-8"))?;
        let came = self.visit.secret.came.as_deref().filter(|secret| forgery::is_token(secret, form.raw(forgery::FIELD)));
        if came.is_none() {
            return Err(Problem::new(failure::STALE_FORM, "the form is not of this session"));
        }
        Ok(form)
    }

    /// Gives the browser the secret that the page's forms are bound to, where it has none yet.
    fn leave(&self, mut response: Response) -> Response {
        // For a failure, which is put into words by the outermost layer.
        response.extensions_mut().insert(self.clone());
        if let Some(drawn) = self.visit.secret.drawn.get()
            && !response.headers().contains_key(header::SET_COOKIE)
        {
            response.headers_mut().append(header::SET_COOKIE, self.app.cookies().session(drawn));
        }
        if self.visit.told.is_some() && !response.status().is_redirection() {
            response.headers_mut().append(header::SET_COOKIE, self.app.cookies().no_done());
        }
        response
    }

    /// The page.
    pub(crate) fn show(&self, view: &impl Template) -> Result<Response, Problem> {
        self.show_as(StatusCode::OK, view)
    }

    /// The page again, with what is wrong with its form.
    pub(crate) fn show_refused(&self, view: &impl Template) -> Result<Response, Problem> {
        self.show_as(StatusCode::UNPROCESSABLE_ENTITY, view)
    }

    /// The page with another status.
    pub(crate) fn show_as(&self, status: StatusCode, view: &impl Template) -> Result<Response, Problem> {
        let html = view.render().map_err(|trouble| {
            tracing::error!(%trouble, "a page could not be made");
            Problem::internal()
        })?;
        Ok((status, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], html).into_response())
    }

    /// A text in the visitor's language.
    pub(crate) fn t<'a>(&self, id: &'a str) -> Phrase<'a> {
        self.texts.t(id)
    }

    /// The language's tag, for `<html lang>`.
    pub(crate) fn tag(&self) -> &'static str {
        self.texts.tag()
    }

    /// Names of the style sheet and the like.
    #[expect(clippy::unused_self, reason = "a template reaches it by its page")]
    pub(crate) fn assets(&self) -> assets::Names {
        assets::names()
    }

    /// For the hidden field of a form.
    pub(crate) fn csrf(&self) -> Result<String, askama::Error> {
        let secret = &self.visit.secret;
        if let Some(came) = &secret.came {
            return Ok(forgery::token(came));
        }
        if secret.drawn.get().is_none() {
            let mut bytes = [0; 32];
            self.app.random().fill(&mut bytes).map_err(|trouble| askama::Error::Custom(Box::new(trouble)))?;
            // Two draws at once cannot be: a page is made by one thread. The first would stay.
            let _ = secret.drawn.set(URL_SAFE_NO_PAD.encode(bytes));
        }
        Ok(forgery::token(secret.drawn.get().map_or("", String::as_str)))
    }

    /// Binds a text that a form carries to this browser.
    pub(crate) fn seal(&self, text: &str) -> String {
        self.visit.secret.came.as_deref().map_or_else(String::new, |secret| forgery::seal(secret, text))
    }

    /// Whether a text came back as it was sealed.
    pub(crate) fn is_sealed(&self, text: &str, seal: &str) -> bool {
        self.visit.secret.came.as_deref().is_some_and(|secret| forgery::is_sealed(secret, text, seal))
    }

    /// Who is signed in, wholly: with the second factor where there is one.
    pub(crate) fn signed_in(&self) -> Option<&SignedIn> {
        self.visit.known.as_ref().filter(|known| known.session.stage == Stage::SignedIn)
    }

    /// Whether somebody came with a session that is gone by now: it was ended, or its account closed, in that moment.
    async fn has_ended(&self) -> bool {
        let (Some(_), Some(token)) = (&self.visit.known, &self.visit.secret.came) else { return false };
        matches!(session::find(&self.app, token).await, Ok(None))
    }

    /// Whose second factor is waited for.
    pub(crate) fn half_signed_in(&self) -> Option<&SignedIn> {
        self.visit.known.as_ref().filter(|known| known.session.stage == Stage::SecondFactor)
    }

    /// What was just done and is told here.
    pub(crate) fn told(&self) -> Option<&str> {
        self.visit.told.as_deref()
    }

    /// Whether the account has a language, so that another is chosen by changing it.
    pub(crate) fn has_set_language(&self) -> bool {
        self.signed_in().and_then(session::language).is_some()
    }

    /// The hash of the cookie that came.
    pub(crate) fn session_hash(&self) -> Option<[u8; 32]> {
        self.visit.secret.came.as_deref().map(sessions::hash)
    }

    /// The page's own path.
    pub(crate) fn path(&self) -> &str {
        self.visit.address.path()
    }

    /// The page's path and query.
    pub(crate) fn path_and_query(&self) -> &str {
        self.visit.address.path_and_query().map_or("/", |address| address.as_str())
    }

    /// A value from the page's query.
    pub(crate) fn query(&self, name: &str) -> Option<String> {
        let query = self.visit.address.query().unwrap_or("");
        form_urlencoded::parse(query.as_bytes()).find(|(found, _)| found == name).map(|(_, value)| value.into_owned())
    }

    /// This page in another language; the first page, where the address is one that a browser takes for another host.
    pub(crate) fn in_language(&self, tag: &str) -> String {
        let address = next::local(self.path_and_query()).unwrap_or("/");
        format!("{address}{}lang={tag}", if address.contains('?') { '&' } else { '?' })
    }

    /// Whether a link of the navigation leads to this page or to the pages above it.
    pub(crate) fn is_under(&self, path: &str) -> bool {
        let here = self.path();
        here == path || (path != "/" && here.strip_prefix(path).is_some_and(|rest| rest.starts_with('/')))
    }
}

/// An answer given before the page's own.
pub(crate) struct Answer(Box<Response>);

impl Answer {
    pub(crate) fn of(answer: impl IntoResponse) -> Self {
        Self(Box::new(answer.into_response()))
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        *self.0
    }
}

impl<S: Sync> FromRequestParts<S> for Page {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        parts.extensions.get::<Self>().cloned().ok_or_else(Problem::internal)
    }
}

/// The form that was sent. It is read, and known to come from our own page, before the handler begins.
impl<S: Sync> FromRequestParts<S> for Form {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        parts.extensions.remove::<Self>().ok_or_else(Problem::internal)
    }
}

/// A page for those who are signed in; others sign in first and are led back.
#[derive(Clone)]
pub(crate) struct SignedInPage {
    pub(crate) page: Page,
    pub(crate) who: SignedIn,
}

impl Deref for SignedInPage {
    type Target = Page;

    fn deref(&self) -> &Page {
        &self.page
    }
}

impl<S: Sync> FromRequestParts<S> for SignedInPage {
    type Rejection = Answer;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Answer> {
        let page = Page::from_request_parts(parts, state).await.map_err(Answer::of)?;
        match page.signed_in().cloned() {
            Some(who) => Ok(Self { page, who }),
            None => {
                let first = if page.half_signed_in().is_some() { "/login/code" } else { "/login" };
                let response = see_other(&next::with_next(first, page.path_and_query()));
                Err(Answer::of(if parts.method == Method::POST { page.nothing_saved(response) } else { response }))
            }
        }
    }
}

/// A page for those who gave their password within the last ten minutes; others give it again and are led back.
#[derive(Clone)]
pub(crate) struct FreshPage {
    pub(crate) page: SignedInPage,
}

impl Deref for FreshPage {
    type Target = SignedInPage;

    fn deref(&self) -> &SignedInPage {
        &self.page
    }
}

impl<S: Sync> FromRequestParts<S> for FreshPage {
    type Rejection = Answer;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Answer> {
        let page = SignedInPage::from_request_parts(parts, state).await?;
        if page.who.is_fresh(page.app.now()) {
            Ok(Self { page })
        } else {
            Err(Answer::of(see_other(&next::with_next("/password/confirm", page.path_and_query()))))
        }
    }
}
