//! `/password/forgot` and `/password/reset`: resetting a forgotten password through a mailed link.

use crate::{
    form::Form,
    page::{PageContext, see_other},
    sign_in,
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use mail::Mail;
use service::{
    Error, accounts,
    people::{NO_SECRET, Refusal, password},
};
use store::Lane;
use tracing::warn;
use web_core::{input, problem::Problem};

#[derive(Template)]
#[template(path = "identity/password-forgot.html")]
struct ForgotView<'a> {
    page: &'a PageContext,
    form: &'a Form,
}

#[derive(Template)]
#[template(path = "identity/password-reset.html")]
struct ResetView<'a> {
    page: &'a PageContext,
    form: &'a Form,
    /// Secret in the link; `None` if the link is no longer valid.
    token: Option<&'a str>,
    email: &'a str,
}

/// `GET /password/forgot`
pub(crate) async fn show_forgot(page: PageContext) -> Result<Response, Problem> {
    page.show(&ForgotView { page: &page, form: &Form::default() })
}

/// `POST /password/forgot`: the response and its timing are the same whether or not the email
/// address has an account.
pub(crate) async fn send_forgot(page: PageContext, mut form: Form) -> Result<Response, Problem> {
    let Some(email) = form.command(page.texts, input::email) else {
        return page.show_refused(&ForgotView { page: &page, form: &form });
    };
    // The number of links per mailbox is limited where the links are created.
    if let Err(throttled) = page.app.throttle().admit_form(page.app.now(), &page.visitor.address) {
        let form = form.refused("email", sign_in::wait_text(&page, throttled));
        return sign_in::with_retry_after(
            throttled,
            page.show_as(StatusCode::TOO_MANY_REQUESTS, &ForgotView { page: &page, form: &form }),
        );
    }
    page.app.query(Lane::NO_ACCOUNT.single(), accounts::any).await?;
    page.app.clone().in_background(async move {
        let (mails, app, env) = (page.mails(), page.app.clone(), page.env());
        let mailed = app.execute(Lane::NO_ACCOUNT, move |tx| {
            let link = |secret: &str| Mail::ResetPassword {
                link: page.app.link("/password/reset", secret),
            };
            match password::reset_request(tx, &env, &email)? {
                Some(sent) => mails.to_owner(tx, &sent.account, &link(&sent.secret)),
                None => mails.to_nobody(tx, email.as_str(), &link(NO_SECRET)),
            }
        });
        if let Err(error) = mailed.await {
            warn!(%error, "failed to create a password reset link");
        }
    });
    Ok(see_other("/password/sent"))
}

fn spent(page: &PageContext) -> Result<Response, Problem> {
    page.show_as(
        StatusCode::GONE,
        &ResetView { page, form: &Form::default(), token: None, email: "" },
    )
}

/// `GET /password/reset?token=…`
pub(crate) async fn show_reset(page: PageContext) -> Result<Response, Problem> {
    let token = page.query("token").unwrap_or_default();
    let (asked, env) = (token.clone(), page.env());
    match page
        .app
        .query(Lane::NO_ACCOUNT.single(), move |tx| password::reset_find(tx, &env, &asked))
        .await
    {
        Ok(account) => page.show(&ResetView {
            page: &page,
            form: &Form::default(),
            token: Some(&token),
            email: &account.owner.email,
        }),
        Err(Error::Refused(Refusal::LinkSpent)) => spent(&page),
        Err(error) => Err(error.into()),
    }
}

/// `POST /password/reset`: sets the password and ends all sessions. The user is not signed in
/// automatically, so a second factor is still required.
pub(crate) async fn send_reset(page: PageContext, mut form: Form) -> Result<Response, Problem> {
    let (token, env) = (form.value("token").to_owned(), page.env());
    let (asked, asking) = (token.clone(), env.clone());
    let account = match page
        .app
        .query(Lane::NO_ACCOUNT.single(), move |tx| password::reset_find(tx, &asking, &asked))
        .await
    {
        Ok(account) => account,
        Err(Error::Refused(Refusal::LinkSpent)) => return spent(&page),
        Err(error) => return Err(error.into()),
    };
    let personal = [account.owner.email.as_str(), &account.name];
    let Some(password) = form.command(page.texts, |fields| input::new_password(fields, &personal))
    else {
        return page.show_refused(&ResetView {
            page: &page,
            form: &form,
            token: Some(&token),
            email: &account.owner.email,
        });
    };
    if let Err(throttled) = page.app.throttle().admit_form(env.now, &page.visitor.address) {
        let form = form.refused("password", sign_in::wait_text(&page, throttled));
        let view = ResetView {
            page: &page,
            form: &form,
            token: Some(&token),
            email: &account.owner.email,
        };
        return sign_in::with_retry_after(
            throttled,
            page.show_as(StatusCode::TOO_MANY_REQUESTS, &view),
        );
    }
    let hash = page.app.hasher().hash(&password).await?;
    let mails = page.mails();
    let mail = Mail::PasswordChanged { link: page.app.address("/password/forgot") };
    let set = page.app.execute(Lane::NO_ACCOUNT, move |tx| {
        let account = password::reset(tx, &env, &token, &hash)?;
        mails.to_owner(tx, &account, &mail)?;
        Ok(account)
    });
    match set.await {
        Ok(account) => {
            page.app.throttle().forget_codes(account.owner.id);
            Ok(page.with_flash(see_other("/login?done=password-set")))
        }
        Err(Error::Refused(Refusal::LinkSpent)) => spent(&page),
        Err(error) => Err(error.into()),
    }
}
