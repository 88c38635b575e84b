//! `/invoices/{id}/credit`: credits an invoice in full or in part.

use super::{credit_opening, form::done_with, in_cents};
use crate::{done::Done, form::Form, id::Id, page::Authenticated, submit::SUBMISSION};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use ledger::{
    calendar::amsterdam_today, credit_lines::Credited, decimal::Decimal, invoice::Line,
    vat::Exemption,
};
use service::{
    Context, Fault, Reason,
    invoices::{self, InvoiceDetails, NewCreditNote},
};
use store::{
    Tx,
    invoices::{InvoiceKind, Status},
};
use web_core::{
    input::{self, new_credit_note},
    problem::Problem,
};

#[derive(Template)]
#[template(path = "sales/credit.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    invoice: &'a InvoiceDetails,
    /// For each line of the invoice: the name of its field, the line, and its remaining quantity.
    lines: Vec<(String, &'a Line, Decimal)>,
}

impl View<'_> {
    /// Price per unit in euros, formatted as an amount if it is exact to the cent.
    fn price(&self, price: &Decimal) -> String {
        let texts = self.page.texts;
        in_cents(price).map_or_else(|| texts.number(price), |amount| texts.money(amount))
    }
}

/// Invoice with its credit notes.
async fn read(
    page: &Authenticated,
    id: i64,
) -> Result<(InvoiceDetails, Vec<InvoiceDetails>), Problem> {
    let cx = page.context();
    let dossier =
        page.app.query(page.who.account.id, move |tx| invoices::dossier(tx, &cx, id)).await?;
    Ok((dossier.details, dossier.credit_notes))
}

/// Remaining quantity of each line after earlier credit notes.
fn remaining_of(invoice: &InvoiceDetails, notes: &[InvoiceDetails]) -> Vec<Decimal> {
    let credited = notes.iter().flat_map(|note| &note.lines).map(|(line, _)| line);
    Credited::less_discounts(invoice.charged(), credited).remaining()
}

fn fill(page: &Authenticated, remaining: &[Decimal]) -> Result<Form, Problem> {
    let today = amsterdam_today(page.app.now());
    let mut pairs = vec![
        (SUBMISSION.to_owned(), page.new_submission()?),
        ("date".to_owned(), today.to_string()),
    ];
    let quantity = |(line, remaining): (usize, &Decimal)| {
        (format!("items.{line}.quantity"), page.texts.number_field(remaining))
    };
    pairs.extend(remaining.iter().enumerate().map(quantity));
    Ok(Form::of(pairs))
}

fn show_with(
    page: &Authenticated,
    form: &Form,
    invoice: &InvoiceDetails,
    remaining: &[Decimal],
    status: StatusCode,
) -> Result<Response, Problem> {
    let lines = invoice
        .lines
        .iter()
        .zip(remaining)
        .enumerate()
        .map(|(number, ((line, _), remaining))| {
            (format!("items.{number}.quantity"), line, *remaining)
        })
        .collect();
    page.show_as(status, &View { page, form, invoice, lines })
}

/// Reason why the invoice cannot be credited, as the code of a message on the invoice's page.
fn why_not(details: &InvoiceDetails) -> Option<&'static str> {
    let invoice = &details.invoice;
    match (invoice.kind, invoice.status) {
        (InvoiceKind::CreditNote, _) => Some("invoice-is-credit-note"),
        (_, Status::Draft) => Some("invoice-is-draft"),
        (_, Status::Cancelled) => Some("invoice-is-cancelled"),
        (_, Status::Sent)
            if details.creditable_total() <= invoice.amount_credited
                && !invoice.amount_credited.is_zero() =>
        {
            Some("invoice-is-credited")
        }
        (_, Status::Sent) => None,
    }
}

/// `GET /invoices/{id}/credit`: if the invoice cannot be credited, redirects to the invoice's page,
/// which gives the reason.
pub(super) async fn show(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    let (invoice, notes) = read(&page, id).await?;
    if let Some(code) = why_not(&invoice) {
        let done =
            Done { code: code.into(), name: invoice.invoice.number.clone(), ..Done::default() };
        return Ok(page.see_done(&format!("/invoices/{}", invoice.invoice.id), &done));
    }
    if invoice.invoice.is_opening_item() {
        return credit_opening::show(&page, &invoice, &notes);
    }
    let remaining = remaining_of(&invoice, &notes);
    show_with(&page, &fill(&page, &remaining)?, &invoice, &remaining, StatusCode::OK)
}

/// Lines to credit, as fields named as in the API's body; none if the whole remainder is credited.
/// The error holds the faults of the quantities.
// Long: the checks of the quantities, and the fields of the lines.
fn asked(
    page: &Authenticated,
    form: &Form,
    invoice: &InvoiceDetails,
    remaining: &[Decimal],
) -> Result<Vec<(String, String)>, Vec<Fault>> {
    let texts = page.texts;
    let is_given =
        |line: usize| form.pairs().any(|(name, _)| name == format!("items.{line}.quantity"));
    // Without quantities the whole remainder is credited; if nothing is left, the command reports
    // that.
    if !(0..remaining.len()).any(is_given) || remaining.iter().all(Decimal::is_zero) {
        return Ok(Vec::new());
    }
    let mut faults = Vec::new();
    let mut quantities = Vec::with_capacity(remaining.len());
    for (line, remaining) in remaining.iter().enumerate() {
        let text = form.value(&format!("items.{line}.quantity"));
        let quantity = if text.is_empty() {
            Ok(Decimal::ZERO)
        } else {
            i18n::read_number(text, form.language(texts.language))
        };
        match quantity {
            Ok(quantity) if is_within(quantity, *remaining) => quantities.push(quantity),
            Ok(_) => faults.push(Fault::new(
                format!("/items/{line}/quantity"),
                Reason::OutOfRange {
                    least: Decimal::ZERO.min(*remaining),
                    most: Decimal::ZERO.max(*remaining),
                },
            )),
            Err(_) => {
                faults.push(Fault::new(format!("/items/{line}/quantity"), Reason::NotANumber))
            }
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    if quantities == remaining {
        return Ok(Vec::new());
    }
    if quantities.iter().all(Decimal::is_zero) {
        return Err(vec![Fault::new("/items", Reason::TooFew { least: 1 })]);
    }
    let mut pairs = Vec::new();
    for (number, (quantity, (line, _))) in quantities.iter().zip(&invoice.lines).enumerate() {
        let place = number + 1;
        if quantity.is_zero() {
            continue;
        }
        let fields = [
            ("description", line.description.clone()),
            ("quantity", texts.number_field(*quantity)),
            ("unitPrice", texts.number_field(line.unit_price)),
            ("vatRate", texts.number_field(line.vat_rate.percent())),
            ("vatCategory", line.vat_category.public().as_str().to_owned()),
            ("exemption", line.vat_category.exemption().map_or("", Exemption::as_str).to_owned()),
            ("supply", line.supply.as_str().to_owned()),
            ("taxCountry", line.tax_country.map(|of| of.to_string()).unwrap_or_default()),
            // A line that sets off a prepayment is found by its values.
            (
                "invoiceItem",
                if line.sets_off.is_none() { place.to_string() } else { String::new() },
            ),
        ];
        pairs.extend(
            fields.into_iter().map(|(name, value)| (format!("items.{number}.{name}"), value)),
        );
    }
    Ok(pairs)
}

/// Whether a quantity lies between zero and the remainder of a line, which is negative for a
/// discount.
fn is_within(quantity: Decimal, remaining: Decimal) -> bool {
    (Decimal::ZERO.min(remaining)..=Decimal::ZERO.max(remaining)).contains(&quantity)
}

/// `POST /invoices/{id}/credit`
pub(super) async fn send(
    page: Authenticated,
    Id(id): Id,
    mut form: Form,
) -> Result<Response, Problem> {
    let (invoice, notes) = read(&page, id).await?;
    let remaining = remaining_of(&invoice, &notes);
    // If the form has already created a credit note, the response redirects to that credit note,
    // even if nothing remains to be credited.
    if let Some(known) = page.known_submission(&form).await? {
        return Ok(known);
    }
    if invoice.invoice.is_opening_item() {
        return credit_opening::send(page, form, invoice, notes).await;
    }
    let (lines, mut faults) = match asked(&page, &form, &invoice, &remaining) {
        Ok(lines) => (lines, Vec::new()),
        Err(faults) => (Vec::new(), faults),
    };
    let given = form.pairs().filter(|(name, _)| matches!(*name, "date" | "reason" | "correction"));
    let lines = lines.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let dated = (invoice.invoice.rates_on(), invoice.has_foreign_vat());
    let parsed = input::form(given.chain(lines), page.texts.language, |fields| {
        new_credit_note(fields, id, dated)
    });
    if !faults.is_empty() {
        // Report the other faults at the same time.
        faults.extend(parsed.faults);
        form.take_faults(&faults, page.texts);
        return show_with(&page, &form, &invoice, &remaining, StatusCode::UNPROCESSABLE_ENTITY);
    }
    let run = |tx: &mut Tx<'_>, cx: &Context, command: &NewCreditNote| {
        Ok(done_with("credit-note-made", &invoices::credit(tx, cx, command)?.into_inner()))
    };
    page.carry_out_if_valid(
        form,
        parsed,
        move |tx, cx, partial| invoices::validate_credit(tx, cx, id, partial),
        run,
        async |form, status| show_with(&page, &form, &invoice, &remaining, status),
    )
    .await
}
