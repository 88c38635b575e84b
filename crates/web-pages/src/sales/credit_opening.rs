//! Credit of an invoice that was open when the books began. Its lines are unknown, so the form asks
//! for an amount per VAT rate.

use super::form::done_with;
use crate::{form::Form, page::Authenticated, submit::SUBMISSION, texts};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use ledger::{calendar::amsterdam_today, credit_note, invoice::VatGroup, money::Cents};
use service::{
    Context,
    invoices::{self, InvoiceDetails, NewCreditNote},
};
use store::Tx;
use web_core::{
    input::{self, new_credit_note},
    problem::Problem,
};

/// Amount to credit at one VAT rate.
struct Row {
    /// Name of the amount's field.
    amount: String,
    /// Names and values of the row's hidden fields.
    hidden: [(String, String); 2],
    label: String,
    /// Remainder in cents, excluding VAT, if it is known.
    remaining: Option<Cents>,
}

#[derive(Template)]
#[template(path = "sales/credit-opening.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    invoice: &'a InvoiceDetails,
    rows: &'a [Row],
}

impl View<'_> {
    /// Amount that remains to be credited, including VAT.
    fn most(&self) -> String {
        let remaining = self.invoice.creditable_total() - self.invoice.invoice.amount_credited;
        self.page.texts.money(remaining)
    }
}

/// Returns the rows of the form: the rates of the invoice if its VAT is known, otherwise all rates
/// on its date.
fn rows(page: &Authenticated, invoice: &InvoiceDetails, notes: &[InvoiceDetails]) -> Vec<Row> {
    let known = invoice.brought_forward.as_ref().map_or(&[][..], |known| &known.groups);
    let credited: Vec<VatGroup> = notes.iter().flat_map(|note| note.groups.clone()).collect();
    let rates: Vec<(String, String, Option<Cents>)> = if known.is_empty() {
        let rates = texts::vat_rates(page.texts, invoice.invoice.rates_on());
        rates.into_iter().map(|(value, text)| (value, text, None)).collect()
    } else {
        let row = |group: &VatGroup| {
            let percent = group.rate.percent();
            (page.texts.number_field(percent), page.texts.percent(percent), Some(group.base))
        };
        credit_note::remaining_of(known, &credited).iter().map(row).collect()
    };
    let description =
        page.texts.t("credit-opening-line").with("number", &invoice.invoice.number).to_string();
    let row = |(place, (rate, text, remaining)): (usize, (String, String, Option<Cents>))| Row {
        amount: format!("items.{place}.amount"),
        hidden: [
            (format!("items.{place}.description"), description.clone()),
            (format!("items.{place}.vatRate"), rate),
        ],
        label: page.texts.t("credit-opening-amount").with("rate", &text).to_string(),
        remaining,
    };
    rates.into_iter().enumerate().map(row).collect()
}

/// Shows the new form.
pub(super) fn show(
    page: &Authenticated,
    invoice: &InvoiceDetails,
    notes: &[InvoiceDetails],
) -> Result<Response, Problem> {
    let rows = rows(page, invoice, notes);
    let mut pairs = vec![
        (SUBMISSION.to_owned(), page.new_submission()?),
        ("date".to_owned(), amsterdam_today(page.app.now()).to_string()),
    ];
    for row in &rows {
        let amount = row.remaining.filter(|remaining| !remaining.is_zero());
        let text = amount.map_or_else(String::new, |amount| page.texts.money_field(amount));
        pairs.push((row.amount.clone(), text));
    }
    let form = Form::of(pairs);
    page.show_as(StatusCode::OK, &View { page, form: &form, invoice, rows: &rows })
}

/// Creates the credit note. Rates without an amount are left out.
pub(super) async fn send(
    page: Authenticated,
    form: Form,
    invoice: InvoiceDetails,
    notes: Vec<InvoiceDetails>,
) -> Result<Response, Problem> {
    let rows = rows(&page, &invoice, &notes);
    let given = form.pairs().filter(|(name, _)| matches!(*name, "date" | "reason" | "correction"));
    let mut pairs: Vec<(&str, &str)> = given.collect();
    for row in rows.iter().filter(|row| !form.value(&row.amount).is_empty()) {
        pairs.push((&row.amount, form.value(&row.amount)));
        pairs.extend(row.hidden.iter().map(|(name, value)| (name.as_str(), value.as_str())));
    }
    let (id, dated) = (invoice.invoice.id, (invoice.invoice.rates_on(), false));
    let parsed =
        input::form(pairs, page.texts.language, |fields| new_credit_note(fields, id, dated));
    let run = |tx: &mut Tx<'_>, cx: &Context, command: &NewCreditNote| {
        Ok(done_with("credit-note-made", &invoices::credit(tx, cx, command)?.into_inner()))
    };
    page.carry_out_if_valid(
        form.clone(),
        parsed,
        move |tx, cx, partial| invoices::validate_credit(tx, cx, id, partial),
        run,
        async |form, status| {
            page.show_as(status, &View { page: &page, form: &form, invoice: &invoice, rows: &rows })
        },
    )
    .await
}
