//! `/recurring/new` and `/recurring/{id}/edit`: the form for a recurring invoice.

use super::dated;
use crate::{
    done::Done,
    form::Form,
    frame::lines::is_reshaping,
    id::Id,
    page::Authenticated,
    sales::{
        choices::is_choosing,
        document::{NEW_RECURRING, Of, validate},
        form::{arranged, show_preview, show_with, unknown_action_of},
        lines::{self, LINES},
        proposals,
    },
    submit::{SUBMISSION, VERSION},
};
use axum::{http::StatusCode, response::Response};
use jiff::civil::Date;
use ledger::{
    calendar::amsterdam_today, invoice::Line, language::Language, money::Cents,
    schedule::RecurringStatus,
};
use service::{
    Context, Error, contacts, invoices,
    recurring::{self, EditRecurring, NewRecurring, RecurringDetails},
};
use store::{Tx, contacts::Contact, invoices::Particulars};
use web_core::{
    input::{self, edited_recurring, new_recurring},
    problem::Problem,
};

/// Buttons of the form.
const ACTIONS: &[&str] = &["save"];

fn ticked(ticked: bool) -> String {
    if ticked { "true".to_owned() } else { String::new() }
}

/// Fields and lines that an invoice has in common with the form.
fn common(
    page: &Authenticated,
    (reference, notes): (Option<&str>, Option<&str>),
    (particulars, language): (&Particulars, Option<Language>),
    includes_vat: bool,
    of_lines: &[(Line, Cents)],
) -> Vec<(String, String)> {
    let mut pairs = vec![
        ("reference".to_owned(), reference.unwrap_or_default().to_owned()),
        ("notes".to_owned(), notes.unwrap_or_default().to_owned()),
        ("pricesIncludeVat".to_owned(), ticked(includes_vat)),
    ];
    pairs.extend(lines::fields_of_document(page.texts, particulars, language));
    pairs.extend(lines::fields_of(page.texts, page.who.account.sales.supply, of_lines));
    pairs
}

/// `GET /recurring/new`; `from` is the id of an invoice whose content is taken over.
pub(super) async fn show_new(page: Authenticated) -> Result<Response, Problem> {
    let today = amsterdam_today(page.app.now());
    let from: Option<i64> = page.query("from").and_then(|id| id.parse().ok());
    let invoice = match from {
        Some(id) => {
            let cx = page.context();
            let read = move |tx: &mut Tx<'_>| invoices::read(tx, &cx, id);
            Some(page.app.query(page.who.account.id, read).await?)
        }
        None => None,
    };
    let contact = invoice.as_ref().map(|details| details.invoice.contact_id.to_string());
    let contact = contact.or_else(|| page.query("contactId")).unwrap_or_default();
    let mut pairs = vec![
        (SUBMISSION.to_owned(), page.new_submission()?),
        ("customer.contactId".to_owned(), contact),
        ("every.count".to_owned(), "1".to_owned()),
        ("every.unit".to_owned(), "month".to_owned()),
        ("firstDate".to_owned(), today.to_string()),
        ("deliver".to_owned(), "draft".to_owned()),
        ("supplyPeriod".to_owned(), "none".to_owned()),
    ];
    match &invoice {
        Some(details) => {
            let of = &details.invoice;
            let texts = (of.reference.as_deref(), of.notes.as_deref());
            let document = (&of.particulars, of.language);
            pairs.extend(common(&page, texts, document, of.prices_include_vat, &details.lines));
        }
        None => pairs.extend(LINES.blank(0)),
    }
    let form = LINES.opened(page.open(NEW_RECURRING, Form::of(pairs)).await?);
    show_with(&page, &form, Of::NewRecurring, StatusCode::OK, None).await
}

/// `POST /recurring`: `action` determines whether the recurring invoice is saved or only
/// recalculated.
pub(super) async fn create(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let action = form.value("action").to_owned();
    let mut form = arranged(form, &action);
    if is_reshaping(&action) || is_choosing(&action) {
        return show_with(&page, &form, Of::NewRecurring, StatusCode::OK, None).await;
    }
    if action == "preview" {
        return show_preview(&page, form, Of::NewRecurring).await;
    }
    if let Some(fault) = unknown_action_of(&action, ACTIONS) {
        form.take_faults(&[fault], page.texts);
        let form = page.keep_refused(form).await;
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        return show_with(&page, &form, Of::NewRecurring, status, None).await;
    }
    let today = amsterdam_today(page.app.now());
    let read = proposals::as_read(&form);
    let parsed =
        input::form(read.pairs(), page.texts.language, |fields| new_recurring(fields, today));
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &NewRecurring| {
        let made = recurring::create(tx, cx, command)?.into_inner();
        Ok(done_with("recurring-created", &made))
    };
    page.carry_out_if_valid(form, parsed, validate, run, async |form, status| {
        show_with(&page, &form, Of::NewRecurring, status, None).await
    })
    .await
}

/// URL of a recurring invoice's page with the message about an action.
pub(super) fn done_with(code: &str, details: &RecurringDetails) -> String {
    let recurring = &details.recurring;
    let done = Done {
        code: code.into(),
        amount: Some(recurring.total),
        name: recurring.customer.name.clone(),
        ..Done::default()
    };
    done.at(&format!("/recurring/{}", recurring.id))
}

/// Version of a recurring invoice, for detecting concurrent edits.
fn version(details: &RecurringDetails) -> String {
    details.recurring.updated_at.to_string()
}

/// Form filled from a recurring invoice.
fn fill(
    page: &Authenticated,
    details: &RecurringDetails,
    contact: Option<&Contact>,
) -> Result<Form, Problem> {
    let recurring = &details.recurring;
    let known: Vec<_> =
        contact.map(|contact| contact.party.form_fields().collect()).unwrap_or_default();
    // Only values in which it differs from the contact are filled in.
    let own = |field: &(&str, &str)| {
        if known.contains(field) { String::new() } else { field.1.to_owned() }
    };
    let number = |number: Option<i64>| number.map(|number| number.to_string()).unwrap_or_default();
    let day = |day: Option<Date>| day.map(|day| day.to_string()).unwrap_or_default();
    let mut pairs: Vec<(String, String)> = vec![
        (SUBMISSION.to_owned(), page.new_submission()?),
        (VERSION.to_owned(), version(details)),
        ("customer.contactId".to_owned(), recurring.contact_id.to_string()),
    ];
    pairs.extend(
        recurring
            .customer
            .form_fields()
            .map(|field| (format!("customer.{}", field.0), own(&field))),
    );
    let rest = [
        ("every.count", recurring.every_count.to_string()),
        ("every.unit", recurring.every_unit.as_str().to_owned()),
        ("firstDate", recurring.first_date.to_string()),
        ("lastDate", day(recurring.last_date)),
        ("count", number(recurring.occurrence_count)),
        ("lastDayOfMonth", ticked(recurring.last_day_of_month)),
        ("deliver", recurring.deliver.as_str().to_owned()),
        ("supplyPeriod", recurring.supply_period.as_str().to_owned()),
        ("paymentTermDays", number(recurring.payment_term_days)),
    ];
    pairs.extend(rest.map(|(name, value)| (name.to_owned(), value)));
    let texts = (recurring.reference.as_deref(), recurring.notes.as_deref());
    let document = (&recurring.particulars, recurring.language);
    let lines = &recurring.content.lines;
    pairs.extend(common(page, texts, document, recurring.prices_include_vat, lines));
    Ok(Form::of(pairs))
}

/// Recurring invoice with its contact.
async fn read(
    page: &Authenticated,
    id: i64,
) -> Result<(RecurringDetails, Option<Contact>), Problem> {
    let cx = page.context();
    let read = move |tx: &mut Tx<'_>| {
        let details = recurring::read(tx, &cx, id)?;
        let contact = match contacts::read(tx, &cx, details.recurring.contact_id) {
            Ok(contact) => Some(contact),
            Err(Error::NotFound(_)) => None,
            Err(other) => return Err(other),
        };
        Ok((details, contact))
    };
    Ok(page.app.query(page.who.account.id, read).await?)
}

/// `GET /recurring/{id}/edit`: one that has ended redirects to its page.
pub(super) async fn show_edit(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    let (details, contact) = read(&page, id).await?;
    if details.recurring.status == RecurringStatus::Ended {
        let name = details.recurring.customer.name.clone();
        let done = Done { code: "recurring-ended-already".into(), name, ..Done::default() };
        return Ok(page.see_done(&format!("/recurring/{id}"), &done));
    }
    let stored = fill(&page, &details, contact.as_ref())?;
    let form = LINES.opened(page.open(&format!("/recurring/{id}/edit"), stored).await?);
    show_with(&page, &form, Of::Recurring(&details), StatusCode::OK, None).await
}

/// `POST /recurring/{id}`: edits a recurring invoice.
pub(super) async fn update(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let (before, _) = read(&page, id).await?;
    let action = form.value("action").to_owned();
    let mut form = arranged(form, &action);
    if is_reshaping(&action) || is_choosing(&action) {
        return show_with(&page, &form, Of::Recurring(&before), StatusCode::OK, None).await;
    }
    if action == "preview" {
        return show_preview(&page, form, Of::Recurring(&before)).await;
    }
    if let Some(fault) = unknown_action_of(&action, ACTIONS) {
        form.take_faults(&[fault], page.texts);
        let form = page.keep_refused(form).await;
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        return show_with(&page, &form, Of::Recurring(&before), status, None).await;
    }
    let day = dated(&before.recurring);
    let as_read = proposals::as_read(&form);
    let parsed =
        input::form(as_read.pairs(), page.texts.language, |fields| edited_recurring(fields, day));
    let seen = form.value(VERSION).to_owned();
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &EditRecurring| {
        let as_seen = |now: &RecurringDetails| seen.is_empty() || version(now) == seen;
        let edited = recurring::edit(tx, cx, id, command, &as_seen)?;
        Ok(done_with("recurring-edited", &edited))
    };
    page.carry_out_if_valid(form, parsed, validate, run, async |form, status| {
        let (stored, contact) = read(&page, id).await?;
        if !form.is_outdated() {
            return show_with(&page, &form, Of::Recurring(&stored), status, None).await;
        }
        let now = fill(&page, &stored, contact.as_ref())?;
        // The page shows the stored version next to the input. Submitting the form again
        // overwrites the stored version.
        let form = form.with(VERSION, version(&stored));
        show_with(&page, &form, Of::Recurring(&stored), status, Some(&now)).await
    })
    .await
}
