//! `/quotes/{id}/send`: the email with a quote.

use crate::{
    done::Done,
    form::Form,
    id::Id,
    page::Authenticated,
    sales::{send::addressed, warnings},
    submit::SUBMISSION,
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use service::{
    Context, Created, Error,
    quotes::{self, QuoteDetails, SendQuote},
};
use store::Tx;
use web_core::{
    input::{self, sent_quote},
    problem::Problem,
};

#[derive(Template)]
#[template(path = "sales/quote-send.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    details: QuoteDetails,
    /// Warnings about a draft.
    warnings: Vec<warnings::Shown>,
    /// Whether the quote was not sent because of a warning that the page had not shown.
    has_new_warnings: bool,
}

impl View<'_> {
    fn place(&self) -> String {
        place(self.details.quote.id)
    }

    /// Value of the hidden field with the codes of the warnings.
    fn seen(&self) -> String {
        warnings::seen("", &self.warnings)
    }

    fn is_draft(&self) -> bool {
        self.details.quote.sent_at.is_none()
    }
}

/// Path of the page with the form.
fn place(id: i64) -> String {
    format!("/quotes/{id}/send")
}

async fn show_with(
    page: &Authenticated,
    id: i64,
    form: Option<Form>,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let read = move |tx: &mut Tx<'_>| quotes::propose(tx, &cx, id);
    let proposal = page.app.query(page.who.account.id, read).await?;
    let form = match form {
        Some(form) => form,
        None => {
            let proposed = Form::of([
                (SUBMISSION, page.new_submission()?),
                ("to", proposal.to.unwrap_or_default()),
                ("cc", proposal.cc.join(", ")),
                ("subject", proposal.letter.subject),
                ("message", proposal.letter.text),
            ]);
            page.open(&place(id), proposed).await?
        }
    };
    let warnings = warnings::of_stored_quote(page, id).await?;
    let has_new_warnings = status == StatusCode::CONFLICT && form.is_outdated();
    let view = View { page, form: &form, details: proposal.details, warnings, has_new_warnings };
    page.show_as(status, &view)
}

/// `GET /quotes/{id}/send`
pub(super) async fn show(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    show_with(&page, id, None, StatusCode::OK).await
}

/// `POST /quotes/{id}/send`
pub(super) async fn send(page: Authenticated, Id(id): Id, form: Form) -> Result<Response, Problem> {
    let parsed = addressed(
        &form,
        input::form(form.pairs(), page.texts.language, |fields| sent_quote(fields, id)),
    );
    let has_new_warnings =
        warnings::has_unseen(&form, &warnings::of_stored_quote(&page, id).await?);
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &SendQuote| {
        if has_new_warnings {
            return Err(Error::Changed);
        }
        Ok(match quotes::send(tx, cx, command)? {
            Created::New(mail) => {
                let code = "quote-mailed".to_owned();
                Done { code, name: mail.recipient, ..Done::default() }.at(&format!("/quotes/{id}"))
            }
            Created::Existing(_) => format!("/quotes/{id}"),
        })
    };
    let show_again = async |form, status| show_with(&page, id, Some(form), status).await;
    let response = page.carry_out(form, parsed, run, show_again).await;
    page.app.wake_outbox();
    response
}
