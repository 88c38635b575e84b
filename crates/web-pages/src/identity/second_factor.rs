//! `/settings/second-factor`: setup, recovery codes and removal.

use crate::{
    code_fault::code_fault,
    form::Form,
    page::{RecentlyAuthenticated, see_other},
    sign_in::{wait_text, with_retry_after},
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use mail::Mail;
use qrcode::{EcLevel, QrCode, render::svg};
use service::{
    Error,
    people::{
        Refusal,
        second_factor::{self, Code},
    },
};
use store::{Lane, Tx};
use web_core::{input, problem::Problem};

#[derive(Template)]
#[template(path = "identity/second-factor.html")]
struct View<'a> {
    page: &'a RecentlyAuthenticated,
    form: &'a Form,
    secret: &'a str,
    encrypted: &'a str,
    /// QR code as SVG; contains no user text.
    qr: String,
}

#[derive(Template)]
#[template(path = "identity/recovery-codes.html")]
struct CodesView<'a> {
    page: &'a RecentlyAuthenticated,
    codes: &'a [String],
    is_first: bool,
}

#[derive(Template)]
#[template(path = "identity/recovery-codes-new.html")]
struct NewCodesView<'a> {
    page: &'a RecentlyAuthenticated,
    form: &'a Form,
}

#[derive(Template)]
#[template(path = "identity/second-factor-off.html")]
struct OffView<'a> {
    page: &'a RecentlyAuthenticated,
    form: &'a Form,
}

fn qr(address: &str) -> Result<String, Problem> {
    let code = QrCode::with_error_correction_level(address, EcLevel::L)
        .map_err(|trouble| Error::Internal(trouble.to_string()))?;
    let drawn = code.render::<svg::Color<'_>>().min_dimensions(200, 200).quiet_zone(false).build();
    // Inline SVG needs no XML declaration.
    Ok(drawn.split_once("?>").map_or(drawn.clone(), |(_, svg)| svg.to_owned()))
}

/// Returns a function that emails the owner about a change. The command that makes the change calls
/// the function. The email links to the page for a forgotten password.
fn of_change(
    page: &RecentlyAuthenticated,
    mail: fn(String) -> Mail,
) -> impl Fn(&mut Tx<'_>) -> Result<(), Error> + Send + 'static {
    let (mails, account, mail) =
        (page.mails(), page.who.account.clone(), mail(page.app.address("/password/forgot")));
    move |tx| mails.to_owner(tx, &account, &mail)
}

fn back() -> Response {
    see_other("/settings/security")
}

/// `GET /settings/second-factor`
pub(crate) async fn show(page: RecentlyAuthenticated) -> Result<Response, Problem> {
    let begun = second_factor::enrol_begin(
        &*page.app.random(),
        page.app.encryption_key(),
        page.app.now(),
        &page.who.account,
    );
    match begun {
        Ok(begun) => {
            let qr = qr(&begun.otpauth_url)?;
            let view = View {
                page: &page,
                form: &Form::default(),
                secret: &begun.secret,
                encrypted: &begun.encrypted,
                qr,
            };
            page.show(&view)
        }
        Err(Error::Refused(_)) => Ok(back()),
        Err(error) => Err(error.into()),
    }
}

/// `POST /settings/second-factor`: the first code shows that the app has the key. Then the
/// recovery codes are shown, once.
pub(crate) async fn send(page: RecentlyAuthenticated, form: Form) -> Result<Response, Problem> {
    let (app, now, env) = (page.app.clone(), page.app.now(), page.env());
    let Some(session) = page.session_hash() else { return Ok(see_other("/login")) };
    let parsed = input::form(form.pairs(), page.texts.language, input::code);
    // The command runs even without a code, so that an expired setup is reported first.
    let code = parsed.command.clone().unwrap_or(Code::Other);
    let (person, encrypted) = (page.who.account.owner.id, form.raw("sealed").to_owned());
    let mail = of_change(&page, |link| Mail::SecondFactorOn { link });
    let finished = page.app.execute(Lane::NO_ACCOUNT, move |tx| {
        let key = app.encryption_key();
        let codes =
            second_factor::enrol_finish(tx, &env, key, person, &session, &encrypted, &code)?;
        mail(tx)?;
        Ok(codes)
    });
    match finished.await {
        Ok(codes) => page.show(&CodesView { page: &page, codes: &codes, is_first: true }),
        Err(Error::Refused(Refusal::WrongCode)) => {
            let encrypted = form.raw("sealed");
            let again = second_factor::enrol_again(
                page.app.encryption_key(),
                now,
                &page.who.account,
                encrypted,
            )?;
            let wrong = Form::default().refused("code", code_fault(&page, &parsed));
            let qr = qr(&again.otpauth_url)?;
            page.show_refused(&View {
                page: &page,
                form: &wrong,
                secret: &again.secret,
                encrypted,
                qr,
            })
        }
        // The setup has expired, or was completed in another window, so it starts again.
        Err(Error::Refused(_)) => Ok(see_other("/settings/second-factor")),
        Err(error) => Err(error.into()),
    }
}

/// `GET /settings/recovery-codes`
pub(crate) async fn show_codes(page: RecentlyAuthenticated) -> Result<Response, Problem> {
    if !page.who.account.owner.second_factor {
        return Ok(back());
    }
    page.show(&NewCodesView { page: &page, form: &Form::default() })
}

/// `POST /settings/recovery-codes`: requires a code, since knowing the password is not enough.
pub(crate) async fn send_codes(
    page: RecentlyAuthenticated,
    form: Form,
) -> Result<Response, Problem> {
    let again = |form: &Form, status| page.show_as(status, &NewCodesView { page: &page, form });
    let (now, person) = (page.app.now(), page.who.account.owner.id);
    let parsed = input::form(form.pairs(), page.texts.language, input::code);
    let wrong = Form::default().refused("code", code_fault(&page, &parsed));
    let Some(code) = parsed.command else { return again(&wrong, StatusCode::UNPROCESSABLE_ENTITY) };
    if let Err(throttled) = page.app.throttle().admit_code(now, person) {
        let form = Form::default().refused("code", wait_text(&page, throttled));
        return with_retry_after(throttled, again(&form, StatusCode::TOO_MANY_REQUESTS));
    }
    let (app, env) = (page.app.clone(), page.env());
    let mail = of_change(&page, |link| Mail::RecoveryCodesMade { link });
    let made = page.app.execute(Lane::NO_ACCOUNT, move |tx| {
        let key = app.encryption_key();
        let made = second_factor::new_recovery_codes(tx, &env, key, person, &code)?;
        if made.is_some() {
            mail(tx)?;
        }
        Ok(made)
    });
    match made.await {
        Ok(Some(codes)) => {
            page.app.throttle().forget_codes(person);
            page.show(&CodesView { page: &page, codes: &codes, is_first: false })
        }
        Ok(None) => again(&wrong, StatusCode::UNPROCESSABLE_ENTITY),
        Err(error) => not_shown(&page, error, again),
    }
}

/// Response after an error other than a wrong code.
fn not_shown(
    page: &RecentlyAuthenticated,
    error: Error,
    again: impl Fn(&Form, StatusCode) -> Result<Response, Problem>,
) -> Result<Response, Problem> {
    match error {
        Error::Refused(Refusal::NoEncryptionKey) => again(
            &Form::default().refused("code", page.t("fault-no-seal-key")),
            StatusCode::SERVICE_UNAVAILABLE,
        ),
        Error::Refused(_) => Ok(back()),
        error => Err(error.into()),
    }
}

/// `GET /settings/second-factor/off`
pub(crate) async fn show_off(page: RecentlyAuthenticated) -> Result<Response, Problem> {
    if !page.who.account.owner.second_factor {
        return Ok(back());
    }
    page.show(&OffView { page: &page, form: &Form::default() })
}

/// `POST /settings/second-factor/off`: requires a code, because knowing the password must not be
/// enough to turn off the second factor.
pub(crate) async fn send_off(page: RecentlyAuthenticated, form: Form) -> Result<Response, Problem> {
    let again = |form: &Form, status| page.show_as(status, &OffView { page: &page, form });
    let (now, person) = (page.app.now(), page.who.account.owner.id);
    let parsed = input::form(form.pairs(), page.texts.language, input::code);
    let wrong = Form::default().refused("code", code_fault(&page, &parsed));
    let Some(code) = parsed.command else { return again(&wrong, StatusCode::UNPROCESSABLE_ENTITY) };
    if let Err(throttled) = page.app.throttle().admit_code(now, person) {
        let form = Form::default().refused("code", wait_text(&page, throttled));
        return with_retry_after(throttled, again(&form, StatusCode::TOO_MANY_REQUESTS));
    }
    let (app, env) = (page.app.clone(), page.env());
    let mail = of_change(&page, |link| Mail::SecondFactorOff { link });
    let off = page.app.execute(Lane::NO_ACCOUNT, move |tx| {
        let is_off = second_factor::disable(tx, &env, app.encryption_key(), person, &code)?;
        if is_off {
            mail(tx)?;
        }
        Ok(is_off)
    });
    match off.await {
        Ok(true) => {
            page.app.throttle().forget_codes(person);
            Ok(page.with_flash(see_other("/settings/security?done=second-factor-off")))
        }
        Ok(false) => again(&wrong, StatusCode::UNPROCESSABLE_ENTITY),
        Err(error) => not_shown(&page, error, again),
    }
}
