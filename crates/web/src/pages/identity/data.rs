//! `/settings/data`: taking all data along, and closing the account.

use crate::{
    pages::{
        form::Form,
        page::{Authenticated, RecentlyAuthenticated},
        sign_in,
    },
    problem::Problem,
};
use askama::Template;
use axum::{
    http::header,
    response::{IntoResponse, Response},
};
use ledger::calendar::amsterdam_today;
use mail::Mail;
use service::{
    Error,
    people::{data, events},
};
use store::Lane;

#[derive(Template)]
#[template(path = "identity/data.html")]
struct View<'a> {
    page: &'a Authenticated,
    this_year: i16,
}

impl View<'_> {
    /// This year and the two before, as texts.
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
    page: &'a RecentlyAuthenticated,
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

/// `POST /settings/data/export`: everything, as a file of JSON.
pub(crate) async fn send_export(page: RecentlyAuthenticated) -> Result<Response, Problem> {
    let (account, owner, env) = (page.who.account.id, page.who.account.owner.id, page.env());
    let today = amsterdam_today(env.now);
    let file = page.app.export(account)?;
    page.app.execute(Lane::NO_ACCOUNT, move |tx| events::record(tx, &env, owner, events::EventKind::DataExported, "")).await?;
    let name = format!("attachment; filename=\"grootboek-{}.json\"", today);
    let headers = [(header::CONTENT_TYPE, "application/json".to_owned()), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, file).into_response())
}

/// `GET /settings/data/close`
pub(crate) async fn show_close(page: RecentlyAuthenticated) -> Result<Response, Problem> {
    page.show(&CloseView { page: &page, form: &Form::default() })
}

/// `POST /settings/data/close`: the e-mail address is typed to show that it is meant.
pub(crate) async fn send_close(page: RecentlyAuthenticated, mut form: Form) -> Result<Response, Problem> {
    if !form.value("email").eq_ignore_ascii_case(&page.who.account.owner.email) {
        form.refuse("email", page.t("fault-close-email"));
    }
    if !form.has("kept", "yes") {
        form.refuse("kept-yes", page.t("fault-close-kept"));
    }
    if !form.faults().is_empty() {
        return page.show_refused(&CloseView { page: &page, form: &form });
    }
    let (account, mails, env) = (page.who.account.clone(), page.mails(), page.env());
    let closed = page.app.execute(Lane::NO_ACCOUNT, move |tx| {
        data::close(tx, &env, account.owner.id)?;
        mails.to_former_owner(tx, &account, &Mail::AccountClosed)
    });
    match closed.await {
        // In another window.
        Ok(()) | Err(Error::NotFound(_)) => {}
        Err(error) => return Err(error.into()),
    }
    Ok(page.with_flash(sign_in::signed_out(&page, "/?done=closed")))
}
