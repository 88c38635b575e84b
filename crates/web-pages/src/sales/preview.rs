//! PDF of an invoice, quote or recurring invoice while its form is filled in: marked as a draft, without a number, and
//! not kept.

use super::{
    choices,
    document::{Of, validate},
    proposals, recurring as recurring_pages,
};
use crate::{form::Form, page::Authenticated, texts::Phrase};
use askama::Template;
use axum::{
    body::Body,
    http::{HeaderValue, StatusCode, header},
    response::Response,
};
use ledger::calendar::amsterdam_today;
use service::{
    Context, Error,
    contacts::CustomerInput,
    invoice_documents::{self, Unmade},
    invoices::{self, InvoiceDetails, SupplyDays},
    quotes, recurring,
};
use store::{Tx, documents::Format};
use web_core::{
    capacity::Asker,
    catalogue::RATE_LIMITED,
    documents,
    http::entity_tags::with,
    input::{
        self, Parsed, edited_invoice, edited_quote, edited_recurring, new_invoice, new_quote,
        new_recurring,
    },
    problem::Problem,
};

/// Content security policy of a preview: only a page of this server can show it in a frame.
const POLICY: &str = "default-src 'none'; style-src 'self'; font-src 'self'; frame-ancestors 'self'; \
                      form-action 'none'; base-uri 'none'; object-src 'none'";

/// Content of the frame in place of a preview.
#[derive(Template)]
#[template(path = "sales/preview-missing.html")]
struct Missing<'a> {
    page: &'a Authenticated,
    reason: Phrase<'static>,
    faults: Vec<String>,
}

/// Result of a request for a preview.
pub(super) enum Preview {
    /// The PDF.
    Made(Response),
    /// The form has faults.
    Refused(Box<Form>),
}

/// Counts a preview of the person.
///
/// # Errors
/// The person asked for too many within a minute; contains the seconds until the next one.
fn count(page: &Authenticated) -> Result<(), i64> {
    page.app.previews().take(page.who.account.owner.id.0, page.app.now())
}

/// Returns the PDF of the document in a form, unless the person asked for too many previews.
pub(super) async fn counted(
    page: &Authenticated,
    form: Form,
    of: Of<'_>,
) -> Result<Preview, Problem> {
    if let Err(seconds) = count(page) {
        return Err(Problem::new(RATE_LIMITED, "too many previews were made")
            .with_header(header::RETRY_AFTER, &seconds.to_string()));
    }
    preview(page, form, of).await
}

async fn preview(page: &Authenticated, mut form: Form, of: Of<'_>) -> Result<Preview, Problem> {
    match unmade(page, &mut form, of).await? {
        Some(unmade) => pdf(page, unmade).await.map(Preview::Made),
        None => Ok(Preview::Refused(Box::new(form))),
    }
}

/// Rehearses the command of a form; adds its faults to the form if it has any.
// Long: one case for each kind of document.
async fn unmade(
    page: &Authenticated,
    form: &mut Form,
    of: Of<'_>,
) -> Result<Option<Unmade>, Problem> {
    let read = proposals::as_read(form);
    let fields: Vec<(&str, &str)> = read.pairs().filter(|(name, _)| *name != "status").collect();
    let fields = fields.into_iter();
    let (cx, account, language) = (page.context(), page.who.account.id, page.texts.language);
    let today = amsterdam_today(page.app.now());
    let rehearsed = match of {
        Of::NewInvoice => {
            let parsed = input::form(fields, language, |fields| new_invoice(fields, today));
            let Some(command) = command(page, form, parsed).await? else { return Ok(None) };
            let rehearse = move |tx: &mut Tx<'_>| {
                let made = invoices::preview(tx, &cx, &command)?.into_inner();
                invoice_documents::concept(tx, &cx, made.details).map(Some)
            };
            page.app.rehearse(account, rehearse).await
        }
        Of::Invoice(draft) => {
            let invoice = &draft.invoice;
            let (id, dated) = (invoice.id, invoice.invoice_date);
            let supply = SupplyDays { first: invoice.supply_date, last: invoice.supply_until };
            let parsed =
                input::form(fields, language, |fields| edited_invoice(fields, dated, supply));
            let Some(command) = command(page, form, parsed).await? else { return Ok(None) };
            let rehearse = move |tx: &mut Tx<'_>| {
                let made = invoices::preview_edit(tx, &cx, id, &command, &|_| true)?;
                invoice_documents::concept(tx, &cx, made.details).map(Some)
            };
            page.app.rehearse(account, rehearse).await
        }
        Of::NewQuote => {
            let parsed = input::form(fields, language, |fields| new_quote(fields, today));
            let Some(command) = command(page, form, parsed).await? else { return Ok(None) };
            let rehearse = move |tx: &mut Tx<'_>| {
                let made = quotes::preview(tx, &cx, &command)?.into_inner();
                quotes::concept(tx, &cx, made.details).map(Some)
            };
            page.app.rehearse(account, rehearse).await
        }
        Of::Quote(draft) => {
            let (id, dated) = (draft.quote.id, draft.quote.quote_date);
            let parsed = input::form(fields, language, |fields| edited_quote(fields, dated));
            let Some(command) = command(page, form, parsed).await? else { return Ok(None) };
            let rehearse = move |tx: &mut Tx<'_>| {
                let made = quotes::preview_edit(tx, &cx, id, &command)?;
                quotes::concept(tx, &cx, made.details).map(Some)
            };
            page.app.rehearse(account, rehearse).await
        }
        Of::NewRecurring => {
            let parsed = input::form(fields, language, |fields| new_recurring(fields, today));
            let Some(command) = command(page, form, parsed).await? else { return Ok(None) };
            let rehearse = move |tx: &mut Tx<'_>| {
                let made = recurring::preview(tx, &cx, &command)?.into_inner();
                next_invoice(tx, &cx, made.invoice)
            };
            page.app.rehearse(account, rehearse).await
        }
        Of::Recurring(stored) => {
            let (id, dated) = (stored.recurring.id, recurring_pages::dated(&stored.recurring));
            let parsed = input::form(fields, language, |fields| edited_recurring(fields, dated));
            let Some(command) = command(page, form, parsed).await? else { return Ok(None) };
            let rehearse = move |tx: &mut Tx<'_>| {
                let invoice = recurring::preview_edit(tx, &cx, id, &command)?;
                next_invoice(tx, &cx, invoice)
            };
            page.app.rehearse(account, rehearse).await
        }
    };
    match rehearsed {
        Ok(unmade) => Ok(unmade),
        Err(error) => {
            form.take(error, page.texts)?;
            Ok(None)
        }
    }
}

/// Returns the invoice of the next occurrence of a recurring invoice, unless it would be refused.
fn next_invoice(
    tx: &mut Tx<'_>,
    cx: &Context,
    invoice: Option<InvoiceDetails>,
) -> Result<Option<Unmade>, Error> {
    invoice.map(|invoice| invoice_documents::concept(tx, cx, invoice)).transpose()
}

/// Returns the command of a form; adds its faults to the form if it has any.
async fn command<C>(
    page: &Authenticated,
    form: &mut Form,
    parsed: Parsed<C, Option<CustomerInput>>,
) -> Result<Option<C>, Problem> {
    if parsed.command.is_some() {
        return Ok(parsed.command);
    }
    let (cx, customer, mut faults) = (page.context(), parsed.partial, parsed.faults);
    let check = move |tx: &mut Tx<'_>| validate(tx, &cx, &customer);
    faults.extend(page.app.query(page.who.account.id, check).await?);
    form.take_faults(&faults, page.texts);
    Ok(None)
}

async fn pdf(page: &Authenticated, unmade: Unmade) -> Result<Response, Problem> {
    let account = page.who.account.id;
    let made = documents::make(&page.app, account, Box::new(unmade), Asker::Visitor).await?;
    let mut response = Response::new(Body::from(made.bytes(Format::Pdf)?));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/pdf"));
    headers.insert(header::CONTENT_DISPOSITION, HeaderValue::from_static("inline"));
    Ok(response)
}

/// Response that a page of this server can show in a frame.
fn framed(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("SAMEORIGIN"));
    response
}

/// Preview for a frame: the PDF, or what it lacks.
async fn in_frame(page: &Authenticated, form: Form, of: Of<'_>) -> Result<Response, Problem> {
    let missing = |status: StatusCode, reason, faults| {
        page.show_as(status, &Missing { page, reason, faults }).map(framed)
    };
    if let Err(seconds) = count(page) {
        let reason = page.texts.t("preview-too-many");
        let response = missing(StatusCode::TOO_MANY_REQUESTS, reason, Vec::new())?;
        return Ok(with(response, header::RETRY_AFTER, &seconds.to_string()));
    }
    match preview(page, choices::settled(form), of).await? {
        Preview::Made(response) => Ok(framed(response)),
        Preview::Refused(form) => {
            let faults = form.faults().iter().map(|fault| fault.message.clone()).collect();
            missing(form.refused_status(), page.texts.t("preview-missing"), faults)
        }
    }
}

/// `POST /invoices/preview`; the query `of` is the id of the draft being edited.
pub(super) async fn invoice(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let Some(id) = page.query("of").and_then(|id| id.parse().ok()) else {
        return in_frame(&page, form, Of::NewInvoice).await;
    };
    let cx = page.context();
    let read = move |tx: &mut Tx<'_>| invoices::read(tx, &cx, id);
    let draft = page.app.query(page.who.account.id, read).await?;
    in_frame(&page, form, Of::Invoice(&draft)).await
}

/// `POST /quotes/preview`; the query `of` is the id of the draft being edited.
pub(super) async fn quote(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let Some(id) = page.query("of").and_then(|id| id.parse().ok()) else {
        return in_frame(&page, form, Of::NewQuote).await;
    };
    let cx = page.context();
    let read = move |tx: &mut Tx<'_>| quotes::read(tx, &cx, id);
    let draft = page.app.query(page.who.account.id, read).await?;
    in_frame(&page, form, Of::Quote(&draft)).await
}

/// `POST /recurring/preview`: the invoice of the next occurrence; the query `of` is the id of the
/// recurring invoice being edited.
pub(super) async fn recurring(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let Some(id) = page.query("of").and_then(|id| id.parse().ok()) else {
        return in_frame(&page, form, Of::NewRecurring).await;
    };
    let cx = page.context();
    let read = move |tx: &mut Tx<'_>| recurring::read(tx, &cx, id);
    let stored = page.app.query(page.who.account.id, read).await?;
    in_frame(&page, form, Of::Recurring(&stored)).await
}
