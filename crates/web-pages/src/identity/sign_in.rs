//! `/login`, `/login/code` and `/logout`.

use crate::{
    code_fault::code_fault,
    confirmation_mail,
    form::Form,
    frame::kept::KEPT,
    page::{Authenticated, PageContext, see_other},
    return_to,
};
use askama::Template;
use axum::{
    http::{HeaderValue, StatusCode, header},
    response::Response,
};
use mail::Mail;
use service::{
    Error,
    passwords::Verdict,
    people::{
        Credentials, Refusal, SessionToken, Stage, password,
        second_factor::Code,
        sessions, sign_in,
        throttle::{Attempt, RetryAfter},
    },
};
use store::{Lane, Tx, accounts::Account};
use tracing::warn;
use web_core::{
    input::{self, SignIn},
    metrics::SignIn as SignInOutcome,
    problem::Problem,
};

#[derive(Template)]
#[template(path = "identity/sign-in.html")]
struct SignInView<'a> {
    page: &'a PageContext,
    form: &'a Form,
    next: &'a str,
    /// Whether a password was compared and rejected.
    compared: bool,
}

#[derive(Template)]
#[template(path = "identity/sign-in-code.html")]
struct CodeView<'a> {
    page: &'a PageContext,
    form: &'a Form,
    next: &'a str,
    /// CSRF token for the session that awaits the code.
    csrf: String,
}

/// Time to wait, in words.
pub(crate) fn wait_text(page: &PageContext, throttled: RetryAfter) -> String {
    if throttled.retry_after > 90 {
        page.t("fault-wait-minutes")
            .with("minutes", &((throttled.retry_after + 59) / 60))
            .to_string()
    } else {
        page.t("fault-wait-seconds").with("seconds", &throttled.retry_after).to_string()
    }
}

/// Adds the `Retry-After` header to the page (RFC 9110, section 10.2.3).
pub(crate) fn with_retry_after(
    throttled: RetryAfter,
    response: Result<Response, Problem>,
) -> Result<Response, Problem> {
    let mut response = response?;
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(throttled.retry_after));
    Ok(response)
}

/// Redirects, and sets the cookie of a new session.
pub(crate) fn with_session(page: &PageContext, location: &str, token: &SessionToken) -> Response {
    let mut response = see_other(location);
    response.headers_mut().append(header::SET_COOKIE, page.app.cookies().session(token.as_str()));
    response
}

/// Adds the cookie of a new session to a response.
fn with_cookie(page: &PageContext, mut response: Response, token: &SessionToken) -> Response {
    response.headers_mut().append(header::SET_COOKIE, page.app.cookies().session(token.as_str()));
    response
}

/// Sets the new session's cookie. If a form was carried along, offers to submit it, or leads to
/// where it can be finished; otherwise redirects.
async fn signed_in_with(
    page: &PageContext,
    form: &Form,
    next: &str,
    (account, token): (&Account, &SessionToken),
) -> Result<Response, Problem> {
    if let Some(address) = page.keep_carried(form, account).await? {
        return Ok(with_cookie(page, page.see_with_flash(&address), token));
    }
    match page.send_again(form, (account.id, token.as_str())) {
        Some(page_again) => Ok(with_cookie(page, page_again?, token)),
        None => Ok(with_session(page, next, token)),
    }
}

/// `GET /login`
pub(crate) async fn show(page: PageContext) -> Result<Response, Problem> {
    let next = page.next_from_query();
    if page.signed_in().is_some() {
        return Ok(see_other(&next));
    }
    page.show(&SignInView { page: &page, form: &Form::default(), next: &next, compared: false })
}

/// `POST /login`: the response and the work are the same for an unknown email address, a wrong
/// password and an unconfirmed account. An unconfirmed account with the right password gets an
/// email: anyone can sign up with a password of their own, and would otherwise learn here whether
/// the email address already had an account.
// Long: the steps of a sign-in in order.
pub(crate) async fn send(page: PageContext, mut form: Form) -> Result<Response, Problem> {
    let next = return_to::local(form.raw("next")).unwrap_or("/").to_owned();
    let given = form.command(page.texts, input::sign_in).ok_or_else(Problem::internal)?;
    let (SignIn { typed, email, password: given }, now) = (given, page.app.now());
    let refuse = |form: Form, status: StatusCode, message: String| {
        let form = form.refused("", message);
        let compared = status == StatusCode::UNPROCESSABLE_ENTITY;
        page.show_as(status, &SignInView { page: &page, form: &form, next: &next, compared })
    };
    let tried = match page.app.throttle().admit(now, &typed, &page.visitor.address) {
        Ok(tried) => tried,
        Err(throttled) => {
            page.app.metrics().signed_in(SignInOutcome::Throttled);
            return with_retry_after(
                throttled,
                refuse(form, StatusCode::TOO_MANY_REQUESTS, wait_text(&page, throttled)),
            );
        }
    };
    let asked = email.clone();
    let find =
        move |tx: &mut Tx<'_>| asked.as_ref().map_or(Ok(None), |email| sign_in::find(tx, email));
    let found = page.app.query(Lane::NO_ACCOUNT.single(), find).await;
    let found = found.inspect_err(|_| page.app.throttle().take_back(tried))?;
    let stored = found.as_ref().and_then(|found| found.password_hash.as_deref());
    let verdict = compare(&page, tried, &given, stored).await?;
    if !verdict.is_right() {
        page.app.metrics().signed_in(SignInOutcome::WrongPassword);
        record_failure(&page, found.as_ref());
    } else if found.as_ref().is_some_and(|found| found.account.owner.email_confirmed_at.is_none()) {
        page.app.metrics().signed_in(SignInOutcome::Unconfirmed);
        if let Some(email) = email {
            confirmation_mail::mail_again(page.clone(), email);
        }
    }
    let Some(found) = found
        .filter(|found| verdict.is_right() && found.account.owner.email_confirmed_at.is_some())
    else {
        return refuse(form, StatusCode::UNPROCESSABLE_ENTITY, page.t("fault-sign-in").to_string());
    };
    page.app.throttle().succeeded(now, tried);
    let (verified, env, account) = (found.clone(), page.env(), found.account.clone());
    match page.app.execute(Lane::NO_ACCOUNT, move |tx| sign_in::begin(tx, &env, &verified)).await {
        Ok((token, session)) => {
            if verdict == Verdict::RightButWeaklyHashed {
                rehash(&page, &given, found).await;
            }
            let came_of_it = if session.stage == Stage::SignedIn {
                SignInOutcome::Succeeded
            } else {
                SignInOutcome::CodeAsked
            };
            page.app.metrics().signed_in(came_of_it);
            Ok(match session.stage {
                Stage::SignedIn => signed_in_with(&page, &form, &next, (&account, &token)).await?,
                Stage::SecondFactor if !form.raw(KEPT).is_empty() => {
                    // The code is requested in this response, so that the form can be carried
                    // along.
                    let csrf = page.csrf_of(token.as_str()).map_err(|_| Problem::internal())?;
                    let view = CodeView { page: &page, form: &form, next: &next, csrf };
                    with_cookie(&page, page.show(&view)?, &token)
                }
                Stage::SecondFactor => {
                    with_session(&page, &return_to::with_next("/login/code", &next), &token)
                }
            })
        }
        Err(
            Error::Refused(Refusal::EmailUnconfirmed | Refusal::PasswordChanged)
            | Error::NotFound(_),
        ) => refuse(form, StatusCode::UNPROCESSABLE_ENTITY, page.t("fault-sign-in").to_string()),
        Err(error) => Err(error.into()),
    }
}

/// Compares a password for a sign-in attempt. If the comparison fails to run, the attempt is not
/// counted.
pub(crate) async fn compare(
    page: &PageContext,
    tried: Attempt,
    given: &str,
    stored: Option<&str>,
) -> Result<Verdict, Error> {
    page.app
        .hasher()
        .verify(given, stored, tried.is_known_client())
        .await
        .inspect_err(|_| page.app.throttle().take_back(tried))
}

/// Records a wrong password if the email address has an account. Runs in the background, so that
/// the response time reveals nothing.
fn record_failure(page: &PageContext, found: Option<&Credentials>) {
    let Some(person) = found.map(|found| found.account.owner.id) else { return };
    let page = page.clone();
    tokio::spawn(async move {
        let env = page.env();
        if let Err(error) =
            page.app.execute(Lane::NO_ACCOUNT, move |tx| sign_in::failed(tx, &env, person)).await
        {
            warn!(%error, "failed to record a failed sign-in");
        }
    });
}

/// Rehashes the password with the current parameters; if that fails, the next sign-in tries again.
async fn rehash(page: &PageContext, given: &str, verified: Credentials) {
    let hashed = page.app.hasher().hash(given).await;
    let stored = match hashed {
        Ok(hash) => {
            page.app
                .execute(Lane::NO_ACCOUNT, move |tx| password::rehash(tx, &verified, &hash))
                .await
        }
        Err(error) => Err(error),
    };
    if let Err(error) = stored {
        warn!(%error, "failed to rehash a password");
    }
}

fn own_csrf(page: &PageContext) -> Result<String, Problem> {
    page.csrf().map_err(|_| Problem::internal())
}

/// `GET /login/code`
pub(crate) async fn show_code(page: PageContext) -> Result<Response, Problem> {
    let next = page.next_from_query();
    if page.signed_in().is_some() {
        return Ok(see_other(&next));
    }
    if page.awaiting_second_factor().is_none() {
        return Ok(see_other(&return_to::with_next("/login", &next)));
    }
    page.show(&CodeView {
        page: &page,
        form: &Form::default(),
        next: &next,
        csrf: own_csrf(&page)?,
    })
}

/// `POST /login/code`
pub(crate) async fn send_code(page: PageContext, form: Form) -> Result<Response, Problem> {
    let next = return_to::local(form.raw("next")).unwrap_or("/").to_owned();
    let (Some(person), Some(hash)) =
        (page.awaiting_second_factor().map(|half| half.account.owner.id), page.session_hash())
    else {
        return Ok(see_other(&return_to::with_next("/login", &next)));
    };
    let now = page.app.now();
    let refuse = |status: StatusCode, message: String| {
        let form = Form::of([(KEPT, form.raw(KEPT))]).refused("code", message);
        page.show_as(
            status,
            &CodeView { page: &page, form: &form, next: &next, csrf: own_csrf(&page)? },
        )
    };
    let parsed = input::form(form.pairs(), page.texts.language, input::code);
    let Some(code) = parsed.command.clone() else {
        return refuse(StatusCode::UNPROCESSABLE_ENTITY, code_fault(&page, &parsed));
    };
    if let Err(throttled) = page.app.throttle().admit_code(now, person) {
        return with_retry_after(
            throttled,
            refuse(StatusCode::TOO_MANY_REQUESTS, wait_text(&page, throttled)),
        );
    }
    let (app, env) = (page.app.clone(), page.env());
    let recovered = page.awaiting_second_factor().filter(|_| matches!(code, Code::Recovery(_)));
    let account = page.awaiting_second_factor().map(|half| half.account.clone());
    let (mails, recovered) = (page.mails(), recovered.map(|half| half.account.clone()));
    let finished = page.app.execute(Lane::NO_ACCOUNT, move |tx| {
        let finished = sign_in::finish(tx, &env, app.encryption_key(), &hash, &code)?;
        if let (sign_in::Finished::SignedIn(_), Some(owner)) = (&finished, &recovered) {
            mails.to_owner(
                tx,
                owner,
                &Mail::RecoveryCodeUsed { link: app.address("/password/forgot") },
            )?;
        }
        Ok(finished)
    });
    match finished.await {
        Ok(sign_in::Finished::SignedIn(token)) => {
            page.app.metrics().signed_in(SignInOutcome::Succeeded);
            page.app.throttle().forget_codes(person);
            match account {
                Some(account) => signed_in_with(&page, &form, &next, (&account, &token)).await,
                None => Ok(with_session(&page, &next, &token)),
            }
        }
        Ok(sign_in::Finished::WrongCode) => {
            page.app.metrics().signed_in(SignInOutcome::WrongCode);
            refuse(StatusCode::UNPROCESSABLE_ENTITY, code_fault(&page, &parsed))
        }
        Err(Error::Refused(Refusal::NoEncryptionKey)) => {
            warn!(
                person = person.0,
                "failed to decrypt a second factor: it was encrypted with another secret file"
            );
            refuse(StatusCode::SERVICE_UNAVAILABLE, page.t("fault-no-seal-key").to_string())
        }
        Err(Error::Refused(_)) => Ok(see_other(&return_to::with_next("/login", &next))),
        Err(error) => Err(error.into()),
    }
}

/// Redirects without a session.
///
/// Chromium keeps pages for its Back button despite `no-store`, and discards them when an
/// `HttpOnly` cookie changes. For the page to which a sign-in redirected, Chromium ignores the
/// cookie change made by that sign-in, so signing out must change the cookie twice.
pub(crate) fn signed_out(page: &PageContext, location: &str) -> Response {
    let mut response = see_other(location);
    let cookies = page.app.cookies();
    for line in [cookies.session("signed-out"), cookies.no_session()] {
        response.headers_mut().append(header::SET_COOKIE, line);
    }
    response
}

/// `POST /logout`
pub(crate) async fn sign_out(page: PageContext) -> Result<Response, Problem> {
    if let Some(hash) = page.session_hash() {
        let env = page.env();
        page.app.execute(Lane::NO_ACCOUNT, move |tx| sessions::sign_out(tx, &env, &hash)).await?;
    }
    Ok(page.with_flash(signed_out(&page, "/?done=signed-out")))
}

#[derive(Template)]
#[template(path = "identity/password-confirm.html")]
struct ConfirmView<'a> {
    page: &'a PageContext,
    form: &'a Form,
    next: &'a str,
}

/// Asks for the password before a submitted form is carried out. The form is carried along, and can
/// be submitted again afterwards.
pub(crate) fn confirm_first(page: &Authenticated, form: &Form) -> Result<Response, Problem> {
    let (next, form) = (page.shown_address(), Form::of([(KEPT, page.carried(form))]));
    page.show_as(StatusCode::FORBIDDEN, &ConfirmView { page, form: &form, next: &next })
}

/// `GET /password/confirm`
pub(crate) async fn show_confirm(page: Authenticated) -> Result<Response, Problem> {
    let next = page.next_from_query();
    page.show(&ConfirmView { page: &page, form: &Form::default(), next: &next })
}

/// `POST /password/confirm`: requires the password again before sensitive actions, to protect an
/// unattended session.
pub(crate) async fn confirm(page: Authenticated, mut form: Form) -> Result<Response, Problem> {
    let next = return_to::local(form.raw("next")).unwrap_or("/").to_owned();
    let kept = form.raw(KEPT).to_owned();
    let refuse = |status: StatusCode, message: String| {
        let form = Form::of([(KEPT, kept.as_str())]).refused("password", message);
        page.show_as(status, &ConfirmView { page: &page, form: &form, next: &next })
    };
    let given = form.command(page.texts, input::password).unwrap_or_default();
    match check_password(&page, &given).await? {
        PasswordCheck::Right(verified) => {
            let env = page.env();
            let Some(hash) = page.session_hash() else { return Ok(see_other("/login")) };
            match page
                .app
                .execute(Lane::NO_ACCOUNT, move |tx| sessions::rotate(tx, &env, &hash, &verified))
                .await
            {
                Ok(token) => signed_in_with(&page, &form, &next, (&page.who.account, &token)).await,
                Err(Error::Refused(_)) => Ok(see_other(&return_to::with_next("/login", &next))),
                Err(error) => Err(error.into()),
            }
        }
        PasswordCheck::Incorrect => {
            refuse(StatusCode::UNPROCESSABLE_ENTITY, page.t("fault-password").to_string())
        }
        PasswordCheck::Throttled(throttled) => with_retry_after(
            throttled,
            refuse(StatusCode::TOO_MANY_REQUESTS, wait_text(&page, throttled)),
        ),
    }
}

/// Result of checking a signed-in user's password.
pub(crate) enum PasswordCheck {
    Right(Box<Credentials>),
    Incorrect,
    Throttled(RetryAfter),
}

/// Verifies the password of the signed-in user, with the same throttling as at sign-in.
pub(crate) async fn check_password(
    page: &Authenticated,
    given: &str,
) -> Result<PasswordCheck, Problem> {
    let (now, person, email) =
        (page.app.now(), page.who.account.owner.id, page.who.account.owner.email.clone());
    let tried = match page.app.throttle().admit(now, &email, &page.visitor.address) {
        Ok(tried) => tried,
        Err(throttled) => return Ok(PasswordCheck::Throttled(throttled)),
    };
    let found = page.app.query(Lane::NO_ACCOUNT.single(), move |tx| sign_in::own(tx, person)).await;
    let found = found.inspect_err(|_| page.app.throttle().take_back(tried))?;
    if !compare(page, tried, given, found.password_hash.as_deref()).await?.is_right() {
        record_failure(page, Some(&found));
        return Ok(PasswordCheck::Incorrect);
    }
    page.app.throttle().succeeded(now, tried);
    Ok(PasswordCheck::Right(Box::new(found)))
}

impl PageContext {
    /// Return path in the query; the home page if it is missing or not on this server.
    pub(crate) fn next_from_query(&self) -> String {
        self.query("next").as_deref().and_then(return_to::local).unwrap_or("/").to_owned()
    }
}
