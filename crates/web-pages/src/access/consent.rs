//! `/oauth/authorize`: an application requests access to the books, and the user approves or denies
//! it (RFC 6749, section 4.1.1).

use crate::{
    csrf,
    form::{BOOKS, Form},
    form_problems,
    page::{Answer, Authenticated, PageContext, policy, see_other},
    return_to,
    table::Page,
    texts::Phrase,
};
use askama::Template;
use axum::{
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::Response,
};
use service::{
    AccessError, Error,
    oauth::{
        GRANT_LIFE,
        authorize::{self, Approval, ErrorRedirect, PageFault, Request},
        redirect::{self, Destination},
    },
    test_accounts,
};
use store::accounts::Plan;
use web_core::authorization::{Shown, error_address, send_back, shown};
use web_core::{
    input::{self, Decision},
    problem::Problem,
};

const PATH: &str = "/oauth/authorize";
/// Names of the fields in the page's form.
const FIELDS: [&str; 6] = [csrf::FIELD, BOOKS, "request", "seal", "decision", "account"];

/// The consent page and the target of its form. Public: the error of a request without a valid
/// redirect URI is shown even to visitors who are not signed in; every other request requires
/// sign-in.
pub(crate) fn pages() -> Vec<Page> {
    vec![Page::at(PATH).public().get(ask).post(decide)]
}

#[derive(Template)]
#[template(path = "access/consent.html")]
struct View<'a> {
    page: &'a Authenticated,
    request: &'a Request,
    destination: Destination,
    /// Query of the original request; `signature` binds the query to this browser.
    query: &'a str,
    signature: String,
    /// Reason why this account cannot be connected, if any.
    refusal: Option<Error>,
    /// Whether a test account exists that can be connected instead.
    has_test_account: bool,
    until: jiff::civil::Date,
}

#[derive(Template)]
#[template(path = "access/authorization-error.html")]
struct AuthorizationError<'a> {
    page: &'a PageContext,
    fault: PageFault,
}

#[derive(Template)]
#[template(path = "access/redirecting.html")]
struct Redirecting<'a> {
    page: &'a PageContext,
    there: &'a str,
    destination: Destination,
}

/// `GET /oauth/authorize`
async fn ask(
    page: PageContext,
    signed_in: Result<Authenticated, Answer>,
    headers: HeaderMap,
) -> Result<Response, Answer> {
    let query = page.path_and_query().split_once('?').map_or("", |(_, query)| query);
    let answer = match shown(&page.app, Some(query)).await.map_err(Answer::of)? {
        Shown::ErrorPage(fault) => authorization_error(&page, fault),
        Shown::SendBack(error) => {
            signed_in?;
            redirect_error(&page, &headers, &error)
        }
        Shown::Consent(request) => show(&signed_in?, &request, query, StatusCode::OK).await,
    };
    answer.map_err(Answer::of)
}

/// `POST /oauth/authorize`
async fn decide(
    page: PageContext,
    signed_in: Result<Authenticated, Answer>,
    form: Form,
) -> Result<Response, Answer> {
    let query = form.raw("request");
    if !page.is_signed(query, form.raw("seal")) {
        return Err(Answer::of(Problem::new(
            form_problems::STALE_FORM,
            "the request is not the one that was shown",
        )));
    }
    let Ok(signed_in) = signed_in else {
        // The user has signed out in the meantime. The consent page is shown again after sign-in.
        let first = if page.awaiting_second_factor().is_some() { "/login/code" } else { "/login" };
        return Ok(see_other(&return_to::with_next(first, &format!("{PATH}?{query}"))));
    };
    let answer = match shown(&page.app, Some(query)).await.map_err(Answer::of)? {
        Shown::ErrorPage(fault) => authorization_error(&page, fault),
        Shown::SendBack(error) => Ok(send_back(&error_address(&error, issuer(&page)))),
        Shown::Consent(request) => {
            let parsed = input::form(form.pairs(), page.texts.language, input::decision);
            match parsed.command {
                _ if !is_as_shown(&form, &signed_in.books_mark()) => Err(Problem::new(
                    form_problems::STALE_FORM,
                    "the form is not the one that was shown",
                )),
                Some(Decision::Approve { in_test }) => {
                    approve(&signed_in, *request, query, in_test).await
                }
                Some(Decision::Deny) => {
                    Ok(send_back(&error_address(&authorize::deny(&request), issuer(&page))))
                }
                None if parsed.faults.iter().any(|fault| fault.path == "/account") => {
                    Err(Problem::new(form_problems::STALE_FORM, "account is live or test"))
                }
                None => show(&signed_in, &request, query, StatusCode::UNPROCESSABLE_ENTITY).await,
            }
        }
    };
    answer.map_err(Answer::of)
}

/// Whether a form is unambiguous: no field of the page is repeated, `account` is not blank if
/// present, and `books`, if present, identifies the books of the signed-in account. Other fields
/// are ignored.
fn is_as_shown(form: &Form, books: &str) -> bool {
    let count = |field: &str| form.pairs().filter(|(name, _)| *name == field).count();
    let are_fields = FIELDS.iter().all(|field| count(field) <= 1);
    let is_right = |(name, value): (&str, &str)| match name {
        BOOKS => value == books,
        "account" => !value.trim().is_empty(),
        _ => true,
    };
    are_fields && form.pairs().all(is_right)
}

async fn approve(
    page: &Authenticated,
    request: Request,
    query: &str,
    in_test: bool,
) -> Result<Response, Problem> {
    let (account, asked) = (page.who.account.clone(), request.clone());
    let (app, env) = (page.app.clone(), page.env());
    let approved = page.app.execute(page.who.account.id, move |tx| {
        let settings = app.config();
        let test = if in_test { Some(test_accounts::open(tx, &env, account.id)?) } else { None };
        let (account, request) = (test.as_ref().unwrap_or(&account), &asked);
        let approval = Approval {
            account,
            request,
            min_plan: settings.api_min_plan,
            issuer: &settings.base_url,
        };
        authorize::approve(tx, &env, &approval)
    });
    match approved.await {
        Ok(there) => Ok(send_back(&there)),
        // The operator removed the client while the request ran.
        Err(Error::Changed) => authorization_error(page, PageFault::UnknownClient),
        // The page shows which of these requirements is not met.
        Err(
            Error::Access(AccessError::PlanRequired { .. })
            | Error::Access(AccessError::DutchAccountRequired),
        ) => show(page, &request, query, StatusCode::FORBIDDEN).await,
        Err(trouble) => Err(trouble.into()),
    }
}

fn issuer(page: &PageContext) -> &str {
    &page.app.config().base_url
}

/// Renders the consent page, or the reason why consent is not possible.
async fn show(
    page: &Authenticated,
    request: &Request,
    query: &str,
    status: StatusCode,
) -> Result<Response, Problem> {
    let destination = redirect::destination(&request.redirect_uri);
    // Chromium also applies this policy to the redirect after the form, and to redirects by the
    // application itself, whose hosts are often unpredictable.
    let policy = policy(&format!(" {} https:", destination.csp_source));
    let refusal = authorize::may_approve(&page.who.account, page.app.config().api_min_plan).err();
    let until = page.app.now().saturating_add(GRANT_LIFE).unwrap_or(jiff::Timestamp::MAX);
    let until = ledger::calendar::amsterdam_today(until);
    let live = page.who.account.id;
    let has_test_account = page
        .app
        .query(page.who.account.id, move |tx| test_accounts::find(tx, live))
        .await?
        .is_some();
    let view = View {
        page,
        request,
        destination,
        query,
        signature: page.sign(query),
        refusal,
        has_test_account,
        until,
    };
    let mut response = page.show_as(status, &view)?;
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    Ok(without_referrer(response))
}

fn authorization_error(page: &PageContext, fault: PageFault) -> Result<Response, Problem> {
    Ok(without_referrer(
        page.show_as(StatusCode::BAD_REQUEST, &AuthorizationError { page, fault })?,
    ))
}

/// Redirects back to the application with the error of its request.
fn redirect_error(
    page: &PageContext,
    headers: &HeaderMap,
    error: &ErrorRedirect,
) -> Result<Response, Problem> {
    let there = error_address(error, issuer(page));
    // Straight after our sign-in form, Chromium would apply that form's policy to the redirect and
    // block it. So an intermediate page performs the redirect.
    if headers.get("sec-fetch-site").is_some_and(|site| site == "same-origin") {
        let view = Redirecting {
            page,
            there: &there,
            destination: redirect::destination(&error.redirect_uri),
        };
        return Ok(without_referrer(page.show(&view)?));
    }
    Ok(send_back(&there))
}

/// Prevents a URL that contains a request or a code from leaking as a referrer (RFC 9700, section
/// 4.2.4).
fn without_referrer(mut response: Response) -> Response {
    response.headers_mut().insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

impl View<'_> {
    /// Plan that the account needs, if the plan is the reason for the refusal.
    fn plan_needed(&self) -> Option<Plan> {
        match self.refusal {
            Some(Error::Access(AccessError::PlanRequired { minimum })) => Some(minimum),
            _ => None,
        }
    }
}

impl AuthorizationError<'_> {
    fn reason(&self) -> Phrase<'static> {
        let texts = self.page.texts;
        match self.fault {
            PageFault::Unreadable => texts.t("lost-unreadable"),
            PageFault::MissingClient | PageFault::RepeatedClient => texts.t("lost-client-missing"),
            PageFault::UnknownClient => texts.t("lost-client-unknown"),
            PageFault::MissingRedirectUri | PageFault::RepeatedRedirectUri => {
                texts.t("lost-redirect-missing")
            }
            PageFault::UnregisteredRedirectUri => texts.t("lost-redirect-unknown"),
        }
    }
}
