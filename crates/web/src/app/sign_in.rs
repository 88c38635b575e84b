//! `/login`, `/login/code` and `/logout`.

use crate::{
    app::{
        form::Form,
        next,
        page::{Page, SignedInPage, see_other},
        second_factor::code_fault,
        sign_up,
    },
    mail::Mail,
    problem::Problem,
};
use askama::Template;
use axum::{
    http::{HeaderValue, StatusCode, header},
    response::Response,
};
use service::{
    Error,
    passwords::Verdict,
    people::{
        Credentials, Refusal, SessionToken, Stage, password, second_factor, sessions, sign_in,
        throttle::{SlowDown, Try},
    },
};
use tracing::warn;

#[derive(Template)]
#[template(path = "sign-in.html")]
struct SignInView<'a> {
    page: &'a Page,
    form: &'a Form,
    next: &'a str,
}

#[derive(Template)]
#[template(path = "sign-in-code.html")]
struct CodeView<'a> {
    page: &'a Page,
    form: &'a Form,
    next: &'a str,
}

/// How long to wait, in words.
pub(crate) fn wait_text(page: &Page, slow: SlowDown) -> String {
    if slow.retry_after > 90 {
        page.t("fault-wait-minutes").with("minutes", &((slow.retry_after + 59) / 60)).to_string()
    } else {
        page.t("fault-wait-seconds").with("seconds", &slow.retry_after).to_string()
    }
}

/// The page with how long to wait in its head (RFC 9110, section 10.2.3).
pub(crate) fn slowed(slow: SlowDown, response: Result<Response, Problem>) -> Result<Response, Problem> {
    let mut response = response?;
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(slow.retry_after));
    Ok(response)
}

/// Leads on with another session in the browser.
pub(crate) fn with_session(page: &Page, location: &str, token: &SessionToken) -> Response {
    let mut response = see_other(location);
    response.headers_mut().append(header::SET_COOKIE, page.app.cookies().session(token.as_str()));
    response
}

/// `GET /login`
pub(crate) async fn show(page: Page) -> Result<Response, Problem> {
    let next = page.next_from_query();
    if page.signed_in().is_some() {
        return Ok(see_other(&next));
    }
    page.show(&SignInView { page: &page, form: &Form::default(), next: &next })
}

/// `POST /login`: one answer for an unknown address, a wrong password and an account that waits for confirmation, after the same work.
/// Who waits with the right password is told by mail: anybody can open an account with a password of their own, and would learn here
/// whether there was one before.
pub(crate) async fn send(page: Page, form: Form) -> Result<Response, Problem> {
    let next = next::local(form.raw("next")).unwrap_or("/").to_owned();
    let (email, now) = (form.value("email").to_owned(), page.app.now());
    let refuse = |form: Form, status: StatusCode, message: String| {
        let form = form.refused("", message);
        page.show_as(status, &SignInView { page: &page, form: &form, next: &next })
    };
    let tried = match page.app.throttle().admit(now, &email, &page.visitor.address) {
        Ok(tried) => tried,
        Err(slow) => return slowed(slow, refuse(form, StatusCode::TOO_MANY_REQUESTS, wait_text(&page, slow))),
    };
    let found = page.app.look_up(move |tx| sign_in::find(tx, &email)).await;
    let found = found.inspect_err(|_| page.app.throttle().take_back(tried))?;
    let stored = found.as_ref().and_then(|found| found.password_hash.as_deref());
    let verdict = compare(&page, tried, form.raw("password"), stored).await?;
    if !verdict.is_right() {
        note_failure(&page, found.as_ref());
    } else if let Some(waiting) = found.as_ref().filter(|found| found.account.email_confirmed_at.is_none()) {
        sign_up::mail_again(page.clone(), waiting.account.email.clone());
    }
    let Some(found) = found.filter(|found| verdict.is_right() && found.account.email_confirmed_at.is_some()) else {
        return refuse(form, StatusCode::UNPROCESSABLE_ENTITY, page.t("fault-sign-in").to_string());
    };
    page.app.throttle().succeeded(now, tried);
    let (random, visitor, verified) = (page.app.random(), page.visitor.clone(), found.clone());
    match page.app.write(move |tx| sign_in::begin(tx, &*random, now, &verified, &visitor)).await {
        Ok((token, session)) => {
            if verdict == Verdict::RightButWeaklyHashed {
                rehash(&page, form.raw("password"), found).await;
            }
            Ok(match session.stage {
                Stage::SignedIn => with_session(&page, &next, &token),
                Stage::SecondFactor => with_session(&page, &next::with_next("/login/code", &next), &token),
            })
        }
        Err(Error::Refused(Refusal::EmailUnconfirmed | Refusal::PasswordChanged) | Error::NotFound(_)) => {
            refuse(form, StatusCode::UNPROCESSABLE_ENTITY, page.t("fault-sign-in").to_string())
        }
        Err(error) => Err(error.into()),
    }
}

/// Compares a password for a try; one that could not be compared does not count.
pub(crate) async fn compare(page: &Page, tried: Try, given: &str, stored: Option<&str>) -> Result<Verdict, Error> {
    page.app.hasher().verify(given, stored).await.inspect_err(|_| page.app.throttle().take_back(tried))
}

/// Notes a wrong password where an account has the address; by itself, so that nobody learns from the time it takes.
fn note_failure(page: &Page, found: Option<&Credentials>) {
    let Some(account) = found.map(|found| found.account.id) else { return };
    let page = page.clone();
    tokio::spawn(async move {
        let (random, now, visitor) = (page.app.random(), page.app.now(), page.visitor.clone());
        if let Err(error) = page.app.write(move |tx| sign_in::failed(tx, &*random, now, account, &visitor)).await {
            warn!(%error, "a failed sign-in was not written down");
        }
    });
}

/// Stores the password with the parameters of today; if that fails, the next sign-in does it.
async fn rehash(page: &Page, given: &str, verified: Credentials) {
    let hashed = page.app.hasher().hash(given).await;
    let stored = match hashed {
        Ok(hash) => page.app.write(move |tx| password::rehash(tx, &verified, &hash)).await,
        Err(error) => Err(error),
    };
    if let Err(error) = stored {
        warn!(%error, "a password was not hashed anew");
    }
}

/// `GET /login/code`
pub(crate) async fn show_code(page: Page) -> Result<Response, Problem> {
    let next = page.next_from_query();
    if page.signed_in().is_some() {
        return Ok(see_other(&next));
    }
    if page.half_signed_in().is_none() {
        return Ok(see_other(&next::with_next("/login", &next)));
    }
    page.show(&CodeView { page: &page, form: &Form::default(), next: &next })
}

/// `POST /login/code`
pub(crate) async fn send_code(page: Page, form: Form) -> Result<Response, Problem> {
    let next = next::local(form.raw("next")).unwrap_or("/").to_owned();
    let (Some(account), Some(hash)) = (page.half_signed_in().map(|half| half.account.id), page.session_hash()) else {
        return Ok(see_other(&next::with_next("/login", &next)));
    };
    let now = page.app.now();
    let refuse = |status: StatusCode, message: String| {
        let form = Form::default().refused("code", message);
        page.show_as(status, &CodeView { page: &page, form: &form, next: &next })
    };
    if form.value("code").is_empty() {
        return refuse(StatusCode::UNPROCESSABLE_ENTITY, code_fault(&page, "").to_string());
    }
    if let Err(slow) = page.app.throttle().admit_code(now, account) {
        return slowed(slow, refuse(StatusCode::TOO_MANY_REQUESTS, wait_text(&page, slow)));
    }
    let (app, random, visitor, code) = (page.app.clone(), page.app.random(), page.visitor.clone(), form.value("code").to_owned());
    let finished = page.app.write(move |tx| sign_in::finish(tx, &*random, app.seal_key(), now, &hash, &code, &visitor));
    match finished.await {
        Ok(sign_in::Finished::SignedIn(token)) => {
            page.app.throttle().forget_codes(account);
            if let Some(half) = page.half_signed_in().filter(|_| second_factor::is_like_recovery_code(form.value("code"))) {
                page.mail(&half.account, &Mail::RecoveryCodeUsed { link: page.app.address("/password/forgot") });
            }
            Ok(with_session(&page, &next, &token))
        }
        Ok(sign_in::Finished::WrongCode) => {
            refuse(StatusCode::UNPROCESSABLE_ENTITY, code_fault(&page, form.value("code")).to_string())
        }
        Err(Error::Refused(Refusal::NoSealKey)) => {
            warn!(account, "a second factor could not be unsealed: the secret file is not the one that it was sealed with");
            refuse(StatusCode::SERVICE_UNAVAILABLE, page.t("fault-no-seal-key").to_string())
        }
        Err(Error::Refused(_)) => Ok(see_other(&next::with_next("/login", &next))),
        Err(error) => Err(error.into()),
    }
}

/// Leads on without a session.
///
/// Chromium keeps pages for its Back button in spite of `no-store`, and forgets them when a cookie that scripts cannot read changes. Of
/// the page that a sign-in led to it takes one change off for that sign-in's own cookie, so that signing out must change it twice.
pub(crate) fn signed_out(page: &Page, location: &str) -> Response {
    let mut response = see_other(location);
    let cookies = page.app.cookies();
    for line in [cookies.session("signed-out"), cookies.no_session()] {
        response.headers_mut().append(header::SET_COOKIE, line);
    }
    response
}

/// `POST /logout`
pub(crate) async fn leave(page: Page) -> Result<Response, Problem> {
    if let Some(hash) = page.session_hash() {
        let (random, now, visitor) = (page.app.random(), page.app.now(), page.visitor.clone());
        page.app.write(move |tx| sessions::sign_out(tx, &*random, now, &hash, &visitor)).await?;
    }
    Ok(page.noted(signed_out(&page, "/?done=signed-out")))
}

#[derive(Template)]
#[template(path = "password-confirm.html")]
struct ConfirmView<'a> {
    page: &'a Page,
    form: &'a Form,
    next: &'a str,
}

/// `GET /password/confirm`
pub(crate) async fn show_confirm(page: SignedInPage) -> Result<Response, Problem> {
    let next = page.next_from_query();
    page.show(&ConfirmView { page: &page, form: &Form::default(), next: &next })
}

/// `POST /password/confirm`: the password again, before something that a passer-by at an open screen must not do.
pub(crate) async fn confirm(page: SignedInPage, form: Form) -> Result<Response, Problem> {
    let next = next::local(form.raw("next")).unwrap_or("/").to_owned();
    let refuse = |status: StatusCode, message: String| {
        let form = Form::default().refused("password", message);
        page.show_as(status, &ConfirmView { page: &page, form: &form, next: &next })
    };
    match prove(&page, form.raw("password")).await? {
        Proof::Right(verified) => {
            let (random, now) = (page.app.random(), page.app.now());
            let Some(hash) = page.session_hash() else { return Ok(see_other("/login")) };
            match page.app.write(move |tx| sessions::rotate(tx, &*random, now, &hash, &verified)).await {
                Ok(token) => Ok(with_session(&page, &next, &token)),
                Err(Error::Refused(_)) => Ok(see_other(&next::with_next("/login", &next))),
                Err(error) => Err(error.into()),
            }
        }
        Proof::Wrong => refuse(StatusCode::UNPROCESSABLE_ENTITY, page.t("fault-password").to_string()),
        Proof::Slow(slow) => slowed(slow, refuse(StatusCode::TOO_MANY_REQUESTS, wait_text(&page, slow))),
    }
}

/// What asking a signed-in person for their password gave.
pub(crate) enum Proof {
    Right(Box<Credentials>),
    Wrong,
    Slow(SlowDown),
}

/// Compares a password with that of who is signed in, as slowly as at the front door.
pub(crate) async fn prove(page: &SignedInPage, given: &str) -> Result<Proof, Problem> {
    let (now, account, email) = (page.app.now(), page.who.account.id, page.who.account.email.clone());
    let tried = match page.app.throttle().admit(now, &email, &page.visitor.address) {
        Ok(tried) => tried,
        Err(slow) => return Ok(Proof::Slow(slow)),
    };
    let found = page.app.look_up(move |tx| sign_in::own(tx, account)).await;
    let found = found.inspect_err(|_| page.app.throttle().take_back(tried))?;
    if !compare(page, tried, given, found.password_hash.as_deref()).await?.is_right() {
        note_failure(page, Some(&found));
        return Ok(Proof::Wrong);
    }
    page.app.throttle().succeeded(now, tried);
    Ok(Proof::Right(Box::new(found)))
}

impl Page {
    /// Where the address says to go afterwards; home when it says nothing that is ours.
    pub(crate) fn next_from_query(&self) -> String {
        self.query("next").as_deref().and_then(next::local).unwrap_or("/").to_owned()
    }
}
