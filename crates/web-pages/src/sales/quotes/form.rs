//! `/quotes/new` and `/quotes/{id}/edit`: the form for a quote.

use crate::{
    done::Done,
    form::Form,
    frame::lines::is_reshaping,
    id::Id,
    page::Authenticated,
    sales::{
        choices::is_choosing,
        document::{NEW_QUOTE, Of, validate},
        form::{arranged, foresee, show_preview, show_with, unknown_action},
        lines::{self, LINES},
        proposals, warnings,
    },
    submit::{SUBMISSION, VERSION},
};
use axum::{http::StatusCode, response::Response};
use ledger::{calendar::amsterdam_today, decimal::Decimal, quote::QuoteStatus};
use service::{
    Context, Error, contacts,
    quotes::{self, EditQuote, NewQuote, QuoteDetails},
};
use store::{Tx, contacts::Contact};
use web_core::{
    input::{self, edited_quote, new_quote},
    problem::Problem,
};

/// `GET /quotes/new`
pub(super) async fn show_new(page: Authenticated) -> Result<Response, Problem> {
    let today = amsterdam_today(page.app.now());
    let mut pairs = vec![
        (SUBMISSION.to_owned(), page.new_submission()?),
        ("customer.contactId".to_owned(), page.query("contactId").unwrap_or_default()),
        ("quoteDate".to_owned(), today.to_string()),
        ("validUntil".to_owned(), quotes::usual_validity(today).to_string()),
    ];
    pairs.extend(LINES.blank(0));
    let form = LINES.opened(page.open(NEW_QUOTE, Form::of(pairs)).await?);
    show_with(&page, &form, Of::NewQuote, StatusCode::OK, None).await
}

/// `POST /quotes`: `action` determines whether the quote is saved as a draft, sent, or only
/// recalculated.
pub(super) async fn create(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let action = form.value("action").to_owned();
    let mut form = arranged(form, &action);
    if is_reshaping(&action) || is_choosing(&action) {
        return show_with(&page, &form, Of::NewQuote, StatusCode::OK, None).await;
    }
    if action == "preview" {
        return show_preview(&page, form, Of::NewQuote).await;
    }
    if let Some(fault) = unknown_action(&action) {
        form.take_faults(&[fault], page.texts);
        let form = page.keep_refused(form).await;
        return show_with(&page, &form, Of::NewQuote, StatusCode::UNPROCESSABLE_ENTITY, None).await;
    }
    let today = amsterdam_today(page.app.now());
    let read = proposals::as_read(&form);
    let parsed = input::form(read.pairs(), page.texts.language, |fields| new_quote(fields, today));
    let has_new_warnings = is_unseen(&page, &form, Of::NewQuote).await?;
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &NewQuote| {
        if has_new_warnings {
            return Err(Error::Changed);
        }
        let made = quotes::create(tx, cx, command)?.into_inner();
        finish(tx, cx, made, &action, "quote-created")
    };
    page.carry_out_if_valid(form, parsed, validate, run, async |form, status| {
        show_with(&page, &form, Of::NewQuote, status, None).await
    })
    .await
}

/// Whether the pressed button would mark a quote as sent that has a warning which the form had not
/// shown.
async fn is_unseen(page: &Authenticated, form: &Form, of: Of<'_>) -> Result<bool, Problem> {
    if !form.has("action", "sent") {
        return Ok(false);
    }
    Ok(warnings::has_unseen(form, &foresee(page, form, of).await?))
}

/// Sends a saved draft if the pressed button says so, and returns the next page.
fn finish(
    tx: &mut Tx<'_>,
    cx: &Context,
    saved: QuoteDetails,
    action: &str,
    code: &str,
) -> Result<String, Error> {
    let (saved, code, below) = match action {
        "sent" => (quotes::mark_sent(tx, cx, saved.quote.id)?, "quote-sent", ""),
        "mail" => (saved, code, "/send"),
        _ => (saved, code, ""),
    };
    Ok(done_at(code, &saved, below))
}

/// URL of a quote's page with the message about an action.
pub(super) fn done_with(code: &str, details: &QuoteDetails) -> String {
    done_at(code, details, "")
}

fn done_at(code: &str, details: &QuoteDetails, below: &str) -> String {
    let done = Done {
        code: code.into(),
        amount: Some(details.quote.total),
        name: details.quote.number.clone(),
        ..Done::default()
    };
    done.at(&format!("/quotes/{}{below}", details.quote.id))
}

/// Version of a quote, for detecting concurrent edits.
pub(super) fn version(details: &QuoteDetails) -> String {
    details.quote.updated_at.to_string()
}

/// Form filled from a draft.
fn fill(
    page: &Authenticated,
    details: &QuoteDetails,
    contact: Option<&Contact>,
) -> Result<Form, Problem> {
    let (quote, texts) = (&details.quote, page.texts);
    let known: Vec<_> =
        contact.map(|contact| contact.party.form_fields().collect()).unwrap_or_default();
    // Only values in which the quote differs from the contact are filled in.
    let own = |field: &(&str, &str)| {
        if known.contains(field) { String::new() } else { field.1.to_owned() }
    };
    let number = |number: Option<i64>| number.map(|number| number.to_string()).unwrap_or_default();
    let percent = quote.prepayment_percent.map(|hundredths| Decimal::new(hundredths, 2));
    let mut pairs: Vec<(String, String)> = vec![
        (SUBMISSION.to_owned(), page.new_submission()?),
        (VERSION.to_owned(), version(details)),
        ("customer.contactId".to_owned(), quote.contact_id.to_string()),
    ];
    pairs.extend(
        quote.customer.form_fields().map(|field| (format!("customer.{}", field.0), own(&field))),
    );
    let rest = [
        ("quoteDate", quote.quote_date.to_string()),
        ("validUntil", quote.valid_until.to_string()),
        ("pricesIncludeVat", if quote.prices_include_vat { "true".into() } else { String::new() }),
        (
            "prepaymentPercent",
            percent.map(|percent| texts.number_field(percent.normalize())).unwrap_or_default(),
        ),
        ("paymentTermDays", number(quote.payment_term_days)),
        ("onAccept", quote.on_accept.as_str().to_owned()),
        ("reference", quote.reference.clone().unwrap_or_default()),
        ("notes", quote.notes.clone().unwrap_or_default()),
    ];
    pairs.extend(rest.map(|(name, value)| (name.to_owned(), value)));
    pairs.extend(lines::fields_of_document(texts, &quote.particulars, quote.language));
    pairs.extend(lines::fields_of(texts, page.who.account.sales.supply, &quote.content.lines));
    Ok(Form::of(pairs))
}

/// Quote with its contact.
async fn read_draft(
    page: &Authenticated,
    id: i64,
) -> Result<(QuoteDetails, Option<Contact>), Problem> {
    let cx = page.context();
    let read = move |tx: &mut Tx<'_>| {
        let details = quotes::read(tx, &cx, id)?;
        let contact = match contacts::read(tx, &cx, details.quote.contact_id) {
            Ok(contact) => Some(contact),
            Err(Error::NotFound(_)) => None,
            Err(other) => return Err(other),
        };
        Ok((details, contact))
    };
    Ok(page.app.query(page.who.account.id, read).await?)
}

/// `GET /quotes/{id}/edit`: a quote that is no draft redirects to its page.
pub(super) async fn show_edit(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    let (details, contact) = read_draft(&page, id).await?;
    if details.status != QuoteStatus::Draft {
        let code = "quote-not-a-draft".into();
        let done = Done { code, name: details.quote.number.clone(), ..Done::default() };
        return Ok(page.see_done(&format!("/quotes/{id}"), &done));
    }
    let stored = fill(&page, &details, contact.as_ref())?;
    let form = LINES.opened(page.open(&format!("/quotes/{id}/edit"), stored).await?);
    show_with(&page, &form, Of::Quote(&details), StatusCode::OK, None).await
}

/// `POST /quotes/{id}`: edits a draft; `action=sent` also sends it.
pub(super) async fn update(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let (before, _) = read_draft(&page, id).await?;
    let action = form.value("action").to_owned();
    let mut form = arranged(form, &action);
    if is_reshaping(&action) || is_choosing(&action) {
        return show_with(&page, &form, Of::Quote(&before), StatusCode::OK, None).await;
    }
    if action == "preview" {
        return show_preview(&page, form, Of::Quote(&before)).await;
    }
    if let Some(fault) = unknown_action(&action) {
        form.take_faults(&[fault], page.texts);
        let form = page.keep_refused(form).await;
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        return show_with(&page, &form, Of::Quote(&before), status, None).await;
    }
    let dated = before.quote.quote_date;
    let read = proposals::as_read(&form);
    let parsed =
        input::form(read.pairs(), page.texts.language, |fields| edited_quote(fields, dated));
    let seen = form.value(VERSION).to_owned();
    let has_new_warnings = is_unseen(&page, &form, Of::Quote(&before)).await?;
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &EditQuote| {
        if has_new_warnings {
            return Err(Error::Changed);
        }
        let as_seen = |now: &QuoteDetails| seen.is_empty() || version(now) == seen;
        let edited = quotes::edit(tx, cx, id, command, &as_seen)?;
        finish(tx, cx, edited, &action, "quote-edited")
    };
    page.carry_out_if_valid(form, parsed, validate, run, async |form, status| {
        let (stored, contact) = read_draft(&page, id).await?;
        if !form.is_outdated() {
            return show_with(&page, &form, Of::Quote(&stored), status, None).await;
        }
        let now = fill(&page, &stored, contact.as_ref())?;
        // The page shows the stored version next to the input. Submitting the form again
        // overwrites the stored version.
        if form.value(VERSION) == version(&stored) && stored.status == QuoteStatus::Draft {
            return show_with(&page, &form, Of::Quote(&stored), status, None).await;
        }
        let mut form = form.with(VERSION, version(&stored));
        if stored.status != QuoteStatus::Draft {
            let text = page.t("done-quote-not-a-draft").with("number", &stored.quote.number);
            form.refuse("", text.to_string());
            return show_with(&page, &form, Of::Quote(&stored), status, None).await;
        }
        show_with(&page, &form, Of::Quote(&stored), status, Some(&now)).await
    })
    .await
}
