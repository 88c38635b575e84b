//! `/settings/security`: password, email address, sessions and the account's security log.

use crate::{
    form::Form,
    id::Name,
    page::{Authenticated, PageContext, RecentlyAuthenticated, see_other},
    sign_in::{self, PasswordCheck},
    texts::{Phrase, Texts},
    user_agent,
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use jiff::Timestamp;
use mail::Mail;
use service::{
    AccessError, EmailAddress, Error, accounts,
    people::{
        Refusal, Session, email, events, password, second_factor, sessions, throttle::MailKind,
    },
};
use store::Lane;
use tracing::warn;
use web_core::{input, problem::Problem};

#[derive(Template)]
#[template(path = "identity/security.html")]
struct View<'a> {
    page: &'a Authenticated,
    sessions: Vec<SessionRow>,
    events: Vec<EventRow>,
    codes_remaining: i64,
    has_encryption_key: bool,
}

struct SessionRow {
    session: Session,
    device: String,
    is_this: bool,
}

struct EventRow {
    at: Timestamp,
    times: usize,
    what: Phrase<'static>,
    detail: String,
    address: String,
}

/// Row of the security log as text. For some events, the detail includes the browser.
fn event_row(happened: events::Happened, texts: Texts) -> EventRow {
    let events::Happened { event, times } = happened;
    let kind = events::EventKind::ALL.into_iter().find(|kind| kind.as_str() == event.kind);
    use events::EventKind;
    let what = match kind {
        Some(EventKind::SignedUp) => texts.t("event-signed-up"),
        Some(EventKind::EmailConfirmed) => texts.t("event-email-confirmed"),
        Some(EventKind::SignedIn) => texts.t("event-signed-in"),
        Some(EventKind::SignInFailed) => texts.t("event-sign-in-failed"),
        Some(EventKind::CodeFailed) => texts.t("event-code-failed"),
        Some(EventKind::RecoveryCodeUsed) => texts.t("event-recovery-code-used"),
        Some(EventKind::SignedOut) => texts.t("event-signed-out"),
        Some(EventKind::SessionEnded) => texts.t("event-session-ended"),
        Some(EventKind::SessionsEnded) => texts.t("event-sessions-ended"),
        Some(EventKind::PasswordChanged) => texts.t("event-password-changed"),
        Some(EventKind::PasswordResetRequested) => texts.t("event-password-reset-requested"),
        Some(EventKind::PasswordReset) => texts.t("event-password-reset"),
        Some(EventKind::EmailChangeRequested) => texts.t("event-email-change-requested"),
        Some(EventKind::EmailChanged) => texts.t("event-email-changed"),
        Some(EventKind::SecondFactorOn) => texts.t("event-second-factor-on"),
        Some(EventKind::SecondFactorOff) => texts.t("event-second-factor-off"),
        Some(EventKind::RecoveryCodesMade) => texts.t("event-recovery-codes-made"),
        Some(EventKind::SettingsChanged) => texts.t("event-settings-changed"),
        Some(EventKind::DataExported) => texts.t("event-data-exported"),
        Some(EventKind::KeyCreated) => texts.t("event-key-created"),
        Some(EventKind::KeyRevoked) => texts.t("event-key-revoked"),
        Some(EventKind::WebhookCreated) => texts.t("event-webhook-created"),
        Some(EventKind::WebhookChanged) => texts.t("event-webhook-changed"),
        Some(EventKind::WebhookRemoved) => texts.t("event-webhook-removed"),
        Some(EventKind::ApplicationConnected) => texts.t("event-application-connected"),
        Some(EventKind::ApplicationDisconnected) => texts.t("event-application-disconnected"),
        Some(EventKind::TokenReused) => texts.t("event-token-reused"),
        // Recorded by a later version of the program.
        None => texts.t("event-other"),
    };
    let by_browser = matches!(
        kind,
        Some(
            EventKind::SignedIn
                | EventKind::SignInFailed
                | EventKind::CodeFailed
                | EventKind::SessionEnded
        )
    );
    let detail = match (kind, event.detail) {
        (
            Some(EventKind::PasswordReset | EventKind::SecondFactorOff | EventKind::EmailConfirmed),
            detail,
        ) if detail == "operator" => texts.t("event-by-operator").into(),
        (_, detail) if by_browser => user_agent::name(&detail),
        (_, detail) => detail,
    };
    EventRow { at: event.at, times, what, detail, address: event.address }
}

/// `GET /settings/security`
pub(crate) async fn show(page: Authenticated) -> Result<Response, Problem> {
    let (person, texts, env) = (page.who.account.owner.id, page.texts, page.env());
    let asked = page.app.query(Lane::NO_ACCOUNT, move |tx| {
        Ok((
            sessions::list(tx, &env, person)?,
            events::overview(tx, &env, person)?,
            second_factor::remaining_recovery_codes(tx, person)?,
        ))
    });
    let (found, events, codes_remaining) = asked.await?;
    let sessions = found.into_iter().map(|session| SessionRow {
        device: user_agent::name(&session.user_agent),
        is_this: session.id == page.who.session.id,
        session,
    });
    let view = View {
        page: &page,
        sessions: sessions.collect(),
        events: events.into_iter().map(|event| event_row(event, texts)).collect(),
        codes_remaining,
        has_encryption_key: page.app.encryption_key().is_some(),
    };
    page.show(&view)
}

/// `POST /settings/sessions/end-others`
pub(crate) async fn end_others(page: Authenticated) -> Result<Response, Problem> {
    let Some(kept) = page.session_hash() else { return Ok(see_other("/login")) };
    let (person, env) = (page.who.account.owner.id, page.env());
    page.app
        .execute(Lane::NO_ACCOUNT, move |tx| sessions::end_others(tx, &env, person, &kept))
        .await?;
    Ok(page.with_flash(see_other("/settings/security?done=sessions-ended")))
}

/// `POST /settings/sessions/{id}/end`
pub(crate) async fn end(page: Authenticated, Name(id): Name) -> Result<Response, Problem> {
    let person = page.who.account.owner.id;
    page.end_once("/settings/security?done=session-ended", move |tx, cx| {
        sessions::end(tx, &cx.env, person, &id)
    })
    .await
}

#[derive(Template)]
#[template(path = "identity/password-change.html")]
struct PasswordView<'a> {
    page: &'a Authenticated,
    form: &'a Form,
}

/// `GET /settings/password`
pub(crate) async fn show_password(page: Authenticated) -> Result<Response, Problem> {
    page.show(&PasswordView { page: &page, form: &Form::default() })
}

/// `POST /settings/password`: requires the current password in the form, and ends all other
/// sessions.
pub(crate) async fn send_password(
    page: Authenticated,
    mut form: Form,
) -> Result<Response, Problem> {
    let again = |form: &Form, status| page.show_as(status, &PasswordView { page: &page, form });
    let account = &page.who.account;
    let personal = [account.owner.email.as_str(), &account.name];
    let parsed = input::form(form.pairs(), page.texts.language, |fields| {
        input::changed_password(fields, &personal)
    });
    let checked = sign_in::check_password(&page, &parsed.partial).await?;
    if matches!(checked, PasswordCheck::Incorrect) {
        form.refuse("password", page.t("fault-password"));
    }
    form.take_faults(&parsed.faults, page.texts);
    let (verified, password) = match (checked, parsed.command) {
        (PasswordCheck::Throttled(throttled), _) => {
            form.refuse("password", sign_in::wait_text(&page, throttled));
            return sign_in::with_retry_after(
                throttled,
                again(&form, StatusCode::TOO_MANY_REQUESTS),
            );
        }
        (PasswordCheck::Right(verified), Some(password)) => (verified, password),
        _ => return again(&form, StatusCode::UNPROCESSABLE_ENTITY),
    };
    let Some(session) = page.session_hash() else { return Ok(see_other("/login")) };
    let hash = page.app.hasher().hash(&password).await?;
    let (mails, env) = (page.mails(), page.env());
    let mail = Mail::PasswordChanged { link: page.app.address("/password/forgot") };
    let changed = page.app.execute(Lane::NO_ACCOUNT, move |tx| {
        let token = password::change(tx, &env, &verified, &hash, &session)?;
        mails.to_owner(tx, &verified.account, &mail)?;
        Ok(token)
    });
    match changed.await {
        Ok(token) => Ok(page.with_flash(sign_in::with_session(
            &page,
            "/settings/security?done=password-changed",
            &token,
        ))),
        Err(Error::Refused(_)) => Ok(see_other("/login")),
        Err(error) => Err(error.into()),
    }
}

#[derive(Template)]
#[template(path = "identity/email-change.html")]
struct EmailView<'a> {
    page: &'a Authenticated,
    form: &'a Form,
}

#[derive(Template)]
#[template(path = "identity/email-confirm.html")]
struct EmailConfirmView<'a> {
    page: &'a PageContext,
    /// Secret in the link; `None` if the link is no longer valid.
    token: Option<&'a str>,
    /// New email address.
    email: &'a str,
}

/// `GET /settings/email`
pub(crate) async fn show_email(page: RecentlyAuthenticated) -> Result<Response, Problem> {
    page.show(&EmailView { page: &page, form: &Form::default() })
}

/// `POST /settings/email`: the response and its timing are the same whether or not the new email
/// address has an account.
pub(crate) async fn send_email(
    page: RecentlyAuthenticated,
    mut form: Form,
) -> Result<Response, Problem> {
    let Some(email) = form.command(page.texts, input::email) else {
        return page.show_refused(&EmailView { page: &page, form: &form });
    };
    if let Err(error) = email::check(&page.who.account, &email) {
        form.take(error, page.texts)?;
        return page.show_refused(&EmailView { page: &page, form: &form });
    }
    let Some(session) = page.session_hash() else { return Ok(see_other("/login")) };
    page.app.query(Lane::NO_ACCOUNT.single(), accounts::any).await?;
    let answer = page.with_flash(see_other("/settings/security?done=email-mailed"));
    if page.app.throttle().admit_mail(page.app.now(), MailKind::ChangeEmail, email.as_str()) {
        page.app.clone().in_background(mail_change(page, session, email));
    }
    Ok(answer)
}

async fn mail_change(page: RecentlyAuthenticated, session: [u8; 32], email: EmailAddress) {
    let (mails, app, env) = (page.mails(), page.app.clone(), page.env());
    let mailed = app.execute(Lane::NO_ACCOUNT, move |tx| {
        match email::change_request(tx, &env, &page.who.account, &session, &email)? {
            email::ChangeRequested::Mailed(sent) => {
                let link = page.app.link("/email/confirm", &sent.secret);
                mails.to_new_address(
                    tx,
                    sent.account.id,
                    &sent.email,
                    &Mail::ConfirmEmailChange { link },
                )
            }
            email::ChangeRequested::Taken(other) => {
                mails.to_owner(tx, &other, &Mail::EmailChangeTaken)
            }
            email::ChangeRequested::Enough => Ok(()),
        }
    });
    if let Err(error) = mailed.await {
        warn!(%error, "failed to create an email change link");
    }
}

/// `GET /email/confirm?token=…`: shows a button, because mail scanners follow links and must not
/// change anything.
pub(crate) async fn show_email_confirm(page: PageContext) -> Result<Response, Problem> {
    let token = page.query("token").unwrap_or_default();
    let (asked, env) = (token.clone(), page.env());
    match page
        .app
        .query(Lane::NO_ACCOUNT.single(), move |tx| email::change_find(tx, &env, &asked))
        .await
    {
        Ok(email) => {
            page.show(&EmailConfirmView { page: &page, token: Some(&token), email: &email })
        }
        Err(Error::Refused(Refusal::LinkSpent)) => email_spent(&page),
        Err(error) => Err(error.into()),
    }
}

fn email_spent(page: &PageContext) -> Result<Response, Problem> {
    page.show_as(StatusCode::GONE, &EmailConfirmView { page, token: None, email: "" })
}

/// `POST /email/confirm`
pub(crate) async fn send_email_confirm(page: PageContext, form: Form) -> Result<Response, Problem> {
    let (token, env) = (form.value("token").to_owned(), page.env());
    let mails = page.mails();
    let changed = page.app.execute(Lane::NO_ACCOUNT, move |tx| {
        let changed = email::change_confirm(tx, &env, &token)?;
        let mail = Mail::EmailChanged { email: changed.account.owner.email.clone() };
        mails.to_old_address(tx, &changed.account, &changed.old, &mail)
    });
    match changed.await {
        Ok(()) => {
            let signed_in = page.signed_in().is_some();
            let there = if signed_in {
                "/settings/security?done=email-changed"
            } else {
                "/login?done=email-changed"
            };
            Ok(page.with_flash(see_other(there)))
        }
        Err(Error::Refused(Refusal::LinkSpent) | Error::Access(AccessError::EmailTaken)) => {
            email_spent(&page)
        }
        Err(error) => Err(error.into()),
    }
}
