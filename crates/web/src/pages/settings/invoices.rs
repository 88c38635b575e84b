//! `/settings/invoices`: how invoices look and what they say, with an example of what is filled in.

use crate::{
    input::{self, update_look},
    pages::{
        form::Form,
        page::Authenticated,
        submit::{SUBMISSION, Submitted},
    },
    problem::Problem,
};
use askama::Template;
use axum::{
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use jiff::Timestamp;
use ledger::calendar::amsterdam_today;
use service::{
    Actor, invoice_documents,
    invoice_settings::{self, UpdateLook},
};
use store::{
    Tx,
    documents::{Format, Look},
};

/// The colour of documents unless another was chosen.
const ACCENT: &str = "#115e59";

#[derive(Template)]
#[template(path = "settings/invoices.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    has_logo: bool,
}

fn fill(look: &Look) -> Form {
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    Form::of([
        ("accent", look.accent.clone().unwrap_or_else(|| ACCENT.to_owned())),
        ("window", look.window.clone().unwrap_or_else(|| "right".to_owned())),
        ("opening", text(&look.opening)),
        ("closing", text(&look.closing)),
    ])
}

async fn show_with(page: &Authenticated, form: Option<Form>, status: StatusCode) -> Result<Response, Problem> {
    let actor = Actor::owner(&page.who.account);
    let look = page.app.read(move |tx| invoice_settings::read(tx, &actor)).await?;
    let form = match form {
        Some(form) => form,
        None => fill(&look).with(SUBMISSION, page.new_submission()?),
    };
    page.show_as(status, &View { page, form: &form, has_logo: look.logo.is_some() })
}

/// `GET /settings/invoices`
pub(crate) async fn show(page: Authenticated) -> Result<Response, Problem> {
    show_with(&page, None, StatusCode::OK).await
}

/// `POST /settings/invoices`
pub(crate) async fn send(page: Authenticated, mut form: Form) -> Result<Response, Problem> {
    let parsed = input::form(form.pairs(), page.texts.language, update_look);
    let run = |tx: &mut Tx<'_>, actor: &Actor, _: Timestamp, command: &UpdateLook| {
        invoice_settings::update(tx, actor, command, None)?;
        Ok("/settings/invoices?done=saved".to_owned())
    };
    match page.submit(&mut form, parsed, |_, _, ()| Ok(Vec::new()), run).await? {
        Submitted::Done(response) => Ok(response),
        Submitted::Refused => show_with(&page, Some(form), StatusCode::UNPROCESSABLE_ENTITY).await,
        Submitted::Changed => show_with(&page, Some(form), StatusCode::CONFLICT).await,
    }
}

/// `POST /settings/invoices/preview`: an example as a PDF, of what is filled in; nothing is kept.
pub(crate) async fn preview(page: Authenticated, mut form: Form) -> Result<Response, Problem> {
    let parsed = input::form(form.pairs(), page.texts.language, update_look);
    let Some(command) = parsed.command else {
        form.take_faults(&parsed.faults, page.texts);
        return show_with(&page, Some(form), StatusCode::UNPROCESSABLE_ENTITY).await;
    };
    let (actor, today) = (Actor::owner(&page.who.account), amsterdam_today(page.app.now()));
    let unmade = page.app.read(move |tx| invoice_settings::preview(tx, &actor, &command, today)).await?;
    let made = tokio::task::spawn_blocking(move || invoice_documents::make(&unmade)?.bytes(Format::Pdf)).await;
    let bytes = made.map_err(|_| Problem::internal())??;
    let headers = [(header::CONTENT_TYPE, "application/pdf"), (header::CONTENT_DISPOSITION, "inline; filename=\"example.pdf\"")];
    Ok((headers, bytes).into_response())
}
