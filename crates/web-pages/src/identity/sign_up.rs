//! `/signup` and `/confirm`: opening an account and confirming its email address.

use crate::{
    confirmation_mail,
    form::Form,
    page::{PageContext, see_other},
    sign_in,
};
use askama::Template;
use axum::{
    http::{StatusCode, header},
    response::Response,
};
use mail::Mail;
use service::{
    Error, accounts,
    people::{Refusal, sign_in as signing_in, sign_up, throttle::MailKind},
};
use store::{Lane, accounts::Plan};
use tracing::warn;
use web_core::{input, outbox::AccountMails, problem::Problem};

#[derive(Template)]
#[template(path = "identity/sign-up.html")]
struct SignUpView<'a> {
    page: &'a PageContext,
    form: &'a Form,
    is_open: bool,
}

#[derive(Template)]
#[template(path = "identity/confirm-again.html")]
struct AgainView<'a> {
    page: &'a PageContext,
    form: &'a Form,
}

#[derive(Template)]
#[template(path = "identity/confirm.html")]
struct ConfirmView<'a> {
    page: &'a PageContext,
    form: &'a Form,
    /// Secret in the link; `None` if the link is no longer valid.
    token: Option<&'a str>,
    email: &'a str,
}

/// `GET /signup`
pub(crate) async fn show(page: PageContext) -> Result<Response, Problem> {
    if page.signed_in().is_some() {
        return Ok(see_other("/"));
    }
    let form = Form::of([("country", "NL")]);
    page.show(&SignUpView {
        page: &page,
        form: &form,
        is_open: page.app.config().sign_up_plan.is_some(),
    })
}

/// `POST /signup`: the response is the same whether or not the email address has an account. The
/// owner of an existing account gets an email.
pub(crate) async fn send(page: PageContext, mut form: Form) -> Result<Response, Problem> {
    let Some(plan) = page.app.config().sign_up_plan else {
        return page.show_as(
            StatusCode::FORBIDDEN,
            &SignUpView { page: &page, form: &form, is_open: false },
        );
    };
    let Some(given) = form.command(page.texts, input::sign_up) else {
        return page.show_refused(&SignUpView { page: &page, form: &form, is_open: true });
    };
    if let Err(throttled) = page.app.throttle().admit_form(page.app.now(), &page.visitor.address) {
        let form = form.refused("", sign_in::wait_text(&page, throttled));
        let view = SignUpView { page: &page, form: &form, is_open: true };
        return sign_in::with_retry_after(
            throttled,
            page.show_as(StatusCode::TOO_MANY_REQUESTS, &view),
        );
    }
    let input::SignUp { email, password, name, country } = given;
    let password_hash = page.app.hasher().hash_for_stranger(&password).await?;
    // Checks that the database responds. The remaining work takes longer for some email addresses
    // than for others, so it runs in the background.
    page.app.query(Lane::NO_ACCOUNT.single(), accounts::any).await?;
    let kind = MailKind::SignUp { from: &page.visitor.address };
    if page.app.throttle().admit_mail(page.app.now(), kind, email.as_str()) {
        let given =
            sign_up::SignUp { email, password_hash, name, country, language: page.texts.language };
        page.app.in_background(open(page.clone(), given, plan));
    }
    Ok(see_other("/signup/sent"))
}

async fn open(page: PageContext, given: sign_up::SignUp, plan: Plan) {
    let (mails, env) = (page.mails(), page.env());
    let app = page.app.clone();
    let opened =
        app.execute(Lane::NO_ACCOUNT, move |tx| match sign_up::sign_up(tx, &env, &given, plan)? {
            sign_up::SignUpOutcome::Mailed(sent) => {
                let link = page.app.link("/confirm", &sent.secret);
                mails.to_new_address(
                    tx,
                    sent.account.id,
                    &sent.email,
                    &Mail::ConfirmSignUp { link },
                )
            }
            sign_up::SignUpOutcome::Taken(account) => {
                let link = page.app.address("/login");
                mails.to_owner(tx, &account, &Mail::SignUpTaken { link })
            }
        });
    if let Err(error) = opened.await {
        warn!(%error, "sign-up failed");
    }
}

/// `GET /confirm/again`
pub(crate) async fn show_again(page: PageContext) -> Result<Response, Problem> {
    page.show(&AgainView { page: &page, form: &Form::default() })
}

/// `POST /confirm/again`: resends a lost link.
pub(crate) async fn send_again(page: PageContext, mut form: Form) -> Result<Response, Problem> {
    let Some(email) = form.command(page.texts, input::email) else {
        return page.show_refused(&AgainView { page: &page, form: &form });
    };
    if let Err(throttled) = page.app.throttle().admit_form(page.app.now(), &page.visitor.address) {
        let form = form.refused("email", sign_in::wait_text(&page, throttled));
        return sign_in::with_retry_after(
            throttled,
            page.show_as(StatusCode::TOO_MANY_REQUESTS, &AgainView { page: &page, form: &form }),
        );
    }
    page.app.query(Lane::NO_ACCOUNT.single(), accounts::any).await?;
    confirmation_mail::mail_again(page, email);
    Ok(see_other("/signup/sent"))
}

/// `GET /confirm?token=…`: asks for the password chosen at sign-up. Someone who signs up with
/// another person's email address thus gains nothing if that person follows the link.
pub(crate) async fn show_confirm(page: PageContext) -> Result<Response, Problem> {
    let token = page.query("token").unwrap_or_default();
    let (asked, env) = (token.clone(), page.env());
    match page.app.query(Lane::NO_ACCOUNT.single(), move |tx| sign_up::find(tx, &env, &asked)).await
    {
        Ok(found) => {
            let email = &found.account.owner.email;
            page.show(&ConfirmView {
                page: &page,
                form: &Form::default(),
                token: Some(&token),
                email,
            })
        }
        Err(Error::Refused(Refusal::LinkSpent)) => spent(&page),
        Err(error) => Err(error.into()),
    }
}

fn spent(page: &PageContext) -> Result<Response, Problem> {
    page.show_as(
        StatusCode::GONE,
        &ConfirmView { page, form: &Form::default(), token: None, email: "" },
    )
}

/// `POST /confirm`: confirms the email address and signs in.
pub(crate) async fn confirm(page: PageContext, mut form: Form) -> Result<Response, Problem> {
    let (token, env) = (form.value("token").to_owned(), page.env());
    let (asked, asking) = (token.clone(), env.clone());
    let found = match page
        .app
        .query(Lane::NO_ACCOUNT.single(), move |tx| sign_up::find(tx, &asking, &asked))
        .await
    {
        Ok(found) => found,
        Err(Error::Refused(Refusal::LinkSpent)) => return spent(&page),
        Err(error) => return Err(error.into()),
    };
    let email = found.account.owner.email.clone();
    let refuse = |form: Form, status: StatusCode, message: String| {
        let form = form.refused("password", message);
        page.show_as(
            status,
            &ConfirmView { page: &page, form: &form, token: Some(&token), email: &email },
        )
    };
    let tried = match page.app.throttle().admit(env.now, &email, &page.visitor.address) {
        Ok(tried) => tried,
        Err(throttled) => {
            return sign_in::with_retry_after(
                throttled,
                refuse(form, StatusCode::TOO_MANY_REQUESTS, sign_in::wait_text(&page, throttled)),
            );
        }
    };
    let given = form.command(page.texts, input::password).unwrap_or_default();
    if !sign_in::compare(&page, tried, &given, found.password_hash.as_deref()).await?.is_right() {
        let message = page.t("fault-confirm-password").to_string();
        return refuse(form, StatusCode::UNPROCESSABLE_ENTITY, message);
    }
    let (used, now) = (token.clone(), env.now);
    let begun = page.app.execute(Lane::NO_ACCOUNT, move |tx| {
        sign_up::confirm(tx, &env, &used)?;
        signing_in::begin(tx, &env, &found)
    });
    match begun.await {
        Ok((session, _)) => {
            page.app.throttle().succeeded(now, tried);
            let mut response = page.with_flash(see_other("/?done=confirmed"));
            response
                .headers_mut()
                .append(header::SET_COOKIE, page.app.cookies().session(session.as_str()));
            Ok(response)
        }
        Err(Error::Refused(_)) => spent(&page),
        Err(error) => Err(error.into()),
    }
}

impl PageContext {
    /// Queue to which commands add emails about accounts.
    pub(crate) fn mails(&self) -> AccountMails {
        AccountMails::new(&self.app, self.texts.language)
    }
}
