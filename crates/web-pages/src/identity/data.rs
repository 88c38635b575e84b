//! `/settings/data`: exporting all data and closing the account.

use crate::{
    code_fault::code_fault,
    form::Form,
    page::{Authenticated, RecentlyAuthenticated, see_other},
    sign_in::{self, PasswordCheck},
};
use askama::Template;
use axum::{
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use ledger::calendar::amsterdam_today;
use mail::Mail;
use service::{
    Error,
    people::{Refusal, data, events, second_factor::Code},
};
use store::Lane;
use web_core::{input, problem::Problem};

#[derive(Template)]
#[template(path = "identity/data.html")]
struct View<'a> {
    page: &'a Authenticated,
    this_year: i16,
}

impl View<'_> {
    /// This year and the two years before it, as text.
    fn years(&self) -> Vec<String> {
        (0..3).map(|back| (self.this_year - back).to_string()).collect()
    }
}

#[derive(Template)]
#[template(path = "identity/data-export.html")]
struct ExportView<'a> {
    page: &'a RecentlyAuthenticated,
}

#[derive(Template)]
#[template(path = "identity/data-close.html")]
struct CloseView<'a> {
    page: &'a Authenticated,
    form: &'a Form,
}

/// `GET /settings/data`
pub(crate) async fn show(page: Authenticated) -> Result<Response, Problem> {
    let this_year = amsterdam_today(page.app.now()).year();
    page.show(&View { page: &page, this_year })
}

/// `GET /settings/data/export`
pub(crate) async fn show_export(page: RecentlyAuthenticated) -> Result<Response, Problem> {
    page.show(&ExportView { page: &page })
}

/// `POST /settings/data/export`: everything, as a JSON file.
pub(crate) async fn send_export(page: RecentlyAuthenticated) -> Result<Response, Problem> {
    let (account, owner, env) = (page.who.account.id, page.who.account.owner.id, page.env());
    let today = amsterdam_today(env.now);
    let file = page.app.export(account)?;
    page.app
        .execute(Lane::NO_ACCOUNT, move |tx| {
            events::record(tx, &env, owner, events::EventKind::DataExported, "")
        })
        .await?;
    let name = format!("attachment; filename=\"grootboek-{}.json\"", today);
    let headers = [
        (header::CONTENT_TYPE, "application/json".to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, file).into_response())
}

/// `GET /settings/data/close`
pub(crate) async fn show_close(page: Authenticated) -> Result<Response, Problem> {
    page.show(&CloseView { page: &page, form: &Form::default() })
}

/// `POST /settings/data/close`: requires the email address, the password and, if set up, the second
/// factor in this form, because an open session alone must not suffice to erase the books.
pub(crate) async fn send_close(page: Authenticated, mut form: Form) -> Result<Response, Problem> {
    let again = |form: &Form, status| page.show_as(status, &CloseView { page: &page, form });
    let owner = page.who.account.owner.clone();
    if !form.value("email").eq_ignore_ascii_case(&owner.email) {
        form.refuse("email", page.t("fault-close-email"));
    }
    if !form.has("kept", "yes") {
        form.refuse("kept-yes", page.t("fault-close-kept"));
    }
    let password = form.command(page.texts, input::password).unwrap_or_default();
    let verified = match sign_in::check_password(&page, &password).await? {
        PasswordCheck::Right(verified) => Some(verified),
        PasswordCheck::Incorrect => {
            form.refuse("password", page.t("fault-password"));
            None
        }
        PasswordCheck::Throttled(throttled) => {
            form.refuse("password", sign_in::wait_text(&page, throttled));
            return sign_in::with_retry_after(
                throttled,
                again(&form, StatusCode::TOO_MANY_REQUESTS),
            );
        }
    };
    let code = input::form(form.pairs(), page.texts.language, input::code);
    if owner.second_factor && code.command.is_none() {
        form.refuse("code", code_fault(&page, &code));
    }
    let Some(verified) = verified.filter(|_| form.faults().is_empty()) else {
        return again(&form, StatusCode::UNPROCESSABLE_ENTITY);
    };
    if owner.second_factor
        && let Err(throttled) = page.app.throttle().admit_code(page.app.now(), owner.id)
    {
        form.refuse("code", sign_in::wait_text(&page, throttled));
        return sign_in::with_retry_after(throttled, again(&form, StatusCode::TOO_MANY_REQUESTS));
    }
    let given = code.command.clone().unwrap_or(Code::Other);
    let (app, mails, env) = (page.app.clone(), page.mails(), page.env());
    let closed = page.app.execute(Lane::NO_ACCOUNT, move |tx| {
        let is_closed = data::close_own(tx, &env, app.encryption_key(), &verified, &given)?;
        if is_closed {
            mails.to_former_owner(tx, &verified.account, &Mail::AccountClosed)?;
        }
        Ok(is_closed)
    });
    match closed.await {
        // The account has just been closed, by this request or in another window.
        Ok(true) | Err(Error::NotFound(_)) => {
            Ok(page.with_flash(sign_in::signed_out(&page, "/?done=closed")))
        }
        Ok(false) => {
            form.refuse("code", code_fault(&page, &code));
            again(&form, StatusCode::UNPROCESSABLE_ENTITY)
        }
        Err(Error::Refused(Refusal::NoEncryptionKey)) => {
            form.refuse("code", page.t("fault-no-seal-key"));
            again(&form, StatusCode::SERVICE_UNAVAILABLE)
        }
        Err(Error::Refused(_)) => Ok(see_other("/login")),
        Err(error) => Err(error.into()),
    }
}
