//! Actions on the page of a quote.

use super::{form::done_with, show};
use crate::{
    done::Done,
    form::Form,
    id::Id,
    page::Authenticated,
    sales::{link, warnings},
};
use axum::response::Response;
use service::{
    Context, Error,
    customer_links::LinkedKind,
    quotes::{self, Decision, InvoiceQuotePart, QuoteDetails},
};
use store::Tx;
use web_core::{
    input::{self, Parsed, quote_acceptance, quote_refusal, quote_to_invoice},
    problem::Problem,
    quotes::StepRefusal,
};

/// Executes a command from the page of a quote. If the form is rejected, shows that page again.
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
    command: fn(&mut Tx<'_>, &Context, i64) -> Result<QuoteDetails, Error>,
) -> Result<Response, Problem> {
    let run =
        move |tx: &mut Tx<'_>, cx: &Context, (): &()| Ok(done_with(code, &command(tx, cx, id)?));
    act(page, id, form, Parsed::new(None, Some(())), run).await
}

/// `POST /quotes/{id}/mark-sent`
pub(super) async fn mark_sent(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let shown = warnings::of_stored_quote(&page, id).await?;
    let has_new_warnings = warnings::has_unseen(&form, &shown);
    let run = move |tx: &mut Tx<'_>, cx: &Context, (): &()| {
        if has_new_warnings {
            return Err(Error::Changed);
        }
        Ok(done_with("quote-sent", &quotes::mark_sent(tx, cx, id)?))
    };
    act(&page, id, form, Parsed::new(None, Some(())), run).await
}

/// `POST /quotes/{id}/withdraw`
pub(super) async fn withdraw(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    press(&page, id, form, "quote-withdrawn", quotes::withdraw).await
}

/// `POST /quotes/{id}/reopen`
pub(super) async fn reopen(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    press(&page, id, form, "quote-reopened", quotes::reopen).await
}

/// `POST /quotes/{id}/revise`: makes the draft that is to replace the quote.
pub(super) async fn revise(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let revise = |tx: &mut Tx<'_>, cx: &Context, id| {
        quotes::revise(tx, cx, id).map(service::Created::into_inner)
    };
    press(&page, id, form, "quote-revised", revise).await
}

/// `POST /quotes/{id}/accept`: the owner accepts on the customer's behalf. If the step after that
/// is refused, the quote is accepted without it.
pub(super) async fn accept(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let parsed = input::form(form.pairs(), page.texts.language, quote_acceptance);
    let Some(decision) = parsed.command.clone() else {
        return act(&page, id, form, parsed, |_, _, _: &Decision| Ok(String::new())).await;
    };
    let refusal = StepRefusal::default();
    let attempt = |decision: Decision| {
        let refusal = refusal.clone();
        page.once(&form, move |tx, cx| {
            Ok(done_with("quote-accepted", &refusal.accept(tx, cx, id, &decision)?))
        })
    };
    let accepted = match (attempt(decision.clone()).await, refusal.code()) {
        (Err(_), Some(code)) => attempt(Decision { refused_step: Some(code), ..decision }).await,
        (accepted, _) => accepted,
    };
    page.app.wake_outbox();
    match accepted {
        Ok(response) => Ok(response),
        Err(error) => {
            let mut form = form.clone();
            form.take(error, page.texts)?;
            let status = form.refused_status();
            show::show_with(&page, id, form, status).await
        }
    }
}

/// `POST /quotes/{id}/refuse`
pub(super) async fn refuse(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let parsed = input::form(form.pairs(), page.texts.language, quote_refusal);
    let run = move |tx: &mut Tx<'_>, cx: &Context, decision: &Decision| {
        Ok(done_with("quote-refused", &quotes::refuse(tx, cx, id, decision)?))
    };
    act(&page, id, form, parsed, run).await
}

/// `POST /quotes/{id}/invoice`
pub(super) async fn invoice(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let parsed = input::form(form.pairs(), page.texts.language, quote_to_invoice);
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &InvoiceQuotePart| {
        let made = quotes::invoice(tx, cx, id, command)?.into_inner();
        let done = Done {
            code: "invoice-created".into(),
            amount: Some(made.invoice.total),
            name: made.invoice.number.clone(),
            entry: made.entry_ids.last().copied(),
            undo: None,
        };
        Ok(done.at(&format!("/invoices/{}", made.invoice.id)))
    };
    act(&page, id, form, parsed, run).await
}

/// `POST /quotes/{id}/link`
pub(super) async fn link(page: Authenticated, Id(id): Id, form: Form) -> Result<Response, Problem> {
    let run = link::change(LinkedKind::Quote, id, &form);
    page.press(form, run, async |form, status| show::show_with(&page, id, form, status).await).await
}
