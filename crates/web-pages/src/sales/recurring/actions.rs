//! Actions on the page of a recurring invoice.

use super::{form::done_with, show};
use crate::{
    done::Done,
    form::Form,
    id::{Id, Ids},
    page::Authenticated,
};
use axum::response::Response;
use ledger::schedule::Missed;
use service::{
    Context, Error,
    recurring::{self, OccurrenceDetails, RecurringDetails},
};
use store::Tx;
use web_core::{
    input::{self, Parsed, resumption},
    problem::Problem,
};

/// Executes a command from the page of a recurring invoice. If the form is rejected, shows that page
/// again.
async fn act<C: Send + 'static>(
    page: &Authenticated,
    id: i64,
    form: Form,
    parsed: Parsed<C>,
    run: impl Fn(&mut Tx<'_>, &Context, &C) -> Result<String, Error> + Send + 'static,
) -> Result<Response, Problem> {
    page.carry_out(form, parsed, run, async |form, status| {
        show::show_with(page, id, form, status).await
    })
    .await
}

/// Executes a command without fields.
async fn press(
    page: &Authenticated,
    id: i64,
    form: Form,
    code: &'static str,
    command: fn(&mut Tx<'_>, &Context, i64) -> Result<RecurringDetails, Error>,
) -> Result<Response, Problem> {
    let run =
        move |tx: &mut Tx<'_>, cx: &Context, (): &()| Ok(done_with(code, &command(tx, cx, id)?));
    act(page, id, form, Parsed::new(None, Some(())), run).await
}

/// `POST /recurring/{id}/pause`
pub(super) async fn pause(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    press(&page, id, form, "recurring-paused", recurring::pause).await
}

/// `POST /recurring/{id}/end`
pub(super) async fn end(page: Authenticated, Id(id): Id, form: Form) -> Result<Response, Problem> {
    press(&page, id, form, "recurring-ended", recurring::end).await
}

/// `POST /recurring/{id}/resume`
pub(super) async fn resume(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let parsed = input::form(form.pairs(), page.texts.language, resumption);
    let run = move |tx: &mut Tx<'_>, cx: &Context, missed: &Missed| {
        Ok(done_with("recurring-resumed", &recurring::resume(tx, cx, id, *missed)?))
    };
    act(&page, id, form, parsed, run).await
}

/// Executes a command on an occurrence.
async fn decide(
    page: &Authenticated,
    (id, number): (i64, i64),
    form: Form,
    code: &'static str,
    command: fn(&mut Tx<'_>, &Context, i64, i64) -> Result<OccurrenceDetails, Error>,
) -> Result<Response, Problem> {
    let run = move |tx: &mut Tx<'_>, cx: &Context, (): &()| {
        let occurrence = command(tx, cx, id, number)?;
        let done = Done { code: code.into(), name: number.to_string(), ..Done::default() };
        let path = match occurrence.invoice_id {
            Some(invoice) => format!("/invoices/{invoice}"),
            None => format!("/recurring/{id}"),
        };
        Ok(done.at(&path))
    };
    let answer = act(page, id, form, Parsed::new(None, Some(())), run).await;
    page.app.wake_outbox();
    answer
}

/// `POST /recurring/{id}/occurrences/{n}/make`
pub(super) async fn make(
    page: Authenticated,
    Ids(id, number): Ids,
    form: Form,
) -> Result<Response, Problem> {
    decide(&page, (id, number), form, "occurrence-made", recurring::make).await
}

/// `POST /recurring/{id}/occurrences/{n}/skip`
pub(super) async fn skip(
    page: Authenticated,
    Ids(id, number): Ids,
    form: Form,
) -> Result<Response, Problem> {
    decide(&page, (id, number), form, "occurrence-skipped", recurring::skip).await
}
