//! A credit note: what of an invoice it takes back, and that it is no more than is left.

use super::{
    InvoiceView, LineGiven, book, line_as_given,
    pricing::{pricing_error, with_categories},
    print_number, read, settle,
};
use crate::{Actor, Created, Error, Fault};
use jiff::{Timestamp, civil::Date};
use ledger::{
    calendar::Quarter,
    decimal::{self, Decimal},
    invoice::{self, Line, Priced, VatGroup},
    money::Cents,
};
use store::{
    Tx,
    books::{self, Noun},
    invoices::{self as rows, Invoice, Kind, Status, VatCorrection},
};

/// What is needed to credit an invoice.
#[derive(Debug, Clone)]
pub struct NewCreditNote {
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// The invoice to credit.
    pub invoice_id: i64,
    /// The credit note's own date; decides its VAT period.
    pub date: Date,
    /// Lines to credit, with positive amounts; none credits all that remains.
    pub lines: Option<Vec<LineGiven>>,
    /// Printed on the credit note.
    pub reason: Option<String>,
}

/// Credits a sent invoice, wholly or in part, with a document in the same number series.
///
/// # Errors
/// There is no such invoice, it is a draft, wholly credited, or less of it remains than is asked; the period is filed.
pub fn credit(tx: &mut Tx<'_>, actor: &Actor, now: Timestamp, command: &NewCreditNote) -> Result<Created<InvoiceView>, Error> {
    actor.require_dutch()?;
    books::change(tx, actor.account, |tx, books| {
        let ground = rows::ground(tx, actor.account, Kind::CreditNote, command.external_id.as_deref(), command.date)?;
        if let Some(known) = ground.known {
            return read(tx, actor, known).map(Created::Known);
        }
        let credited = read(tx, actor, command.invoice_id)?;
        let remaining = credited.invoice.total - credited.invoice.amount_credited;
        if credited.invoice.kind == Kind::CreditNote {
            return Err(Error::IsACreditNote);
        }
        if credited.invoice.status == Status::Draft {
            return Err(Error::IsADraft);
        }
        if remaining <= Cents::ZERO {
            return Err(Error::AlreadyCredited);
        }
        let (lines, mut priced, left) = credit_lines(tx, actor, &credited, command)?;
        if lines.is_empty() {
            // What remains are cents of VAT that earlier credit notes rounded away; there is nothing left to put on a line.
            return Err(Error::AlreadyCredited);
        }
        let strange = strange_rates(&lines, &credited.groups);
        if !strange.is_empty() {
            return Err(Error::Invalid(strange));
        }
        let corrections = closing_corrections(&priced, &left);
        for correction in &corrections {
            priced.correct_vat(correction.rate, correction.category, correction.by);
        }
        if -priced.total > remaining {
            let message = format!("this would credit {}, but only {remaining} of the invoice remains", -priced.total);
            return Err(Error::fault("/items", "exceeds_outstanding", message));
        }
        let beyond = beyond_what_is_left(&priced, &left);
        if !beyond.is_empty() {
            return Err(Error::Invalid(beyond));
        }
        if ground.filed {
            return Err(Error::PeriodFiled(Quarter::of(command.date)));
        }
        let number_year = command.date.year();
        let number_in_year = books.next_number(number_year, ground.last_number);
        let note = Invoice {
            id: books.next_id(Noun::Invoice),
            external_id: command.external_id.clone(),
            kind: Kind::CreditNote,
            number: print_number(actor, number_year, number_in_year)?,
            number_year,
            number_in_year,
            status: Status::Sent,
            invoice_date: command.date,
            due_date: command.date,
            notes: command.reason.clone(),
            subtotal: priced.subtotal,
            vat_total: priced.vat_total,
            total: priced.total,
            amount_paid: Cents::ZERO,
            amount_credited: Cents::ZERO,
            paid_at: Some(command.date),
            credited_invoice_id: Some(credited.invoice.id),
            source: actor.door,
            created_at: now,
            updated_at: now,
            ..credited.invoice.clone()
        };
        let mut after = credited.invoice.clone();
        after.amount_credited -= note.total;
        settle(tx, books, now, &credited.invoice, after, command.date)?;
        let made = book(tx, books, now, note, lines, priced, Some(&credited.invoice.number))?;
        rows::insert_vat_corrections(tx, actor.account, made.invoice.id, &corrections)?;
        Ok(Created::New(made))
    })
}

/// The lines of a credit note, those asked for or all that remains of the invoice; and what is left before it.
fn credit_lines(
    tx: &mut Tx<'_>,
    actor: &Actor,
    credited: &InvoiceView,
    command: &NewCreditNote,
) -> Result<(Vec<Line>, Priced, Vec<VatGroup>), Error> {
    let left = left_of(tx, actor, credited)?;
    let given: Vec<LineGiven> = match &command.lines {
        Some(lines) => lines.clone(),
        None if credited.invoice.amount_credited.is_zero() => {
            credited.lines.iter().map(|(line, _)| line_as_given(line)).collect()
        }
        None => remainder(&credited.invoice.number, &left),
    };
    // The rates are those of the invoice's own date: a credit note takes back what was charged then.
    let mut lines = with_categories(credited.invoice.customer.country, &given, credited.invoice.invoice_date);
    for line in &mut lines {
        line.quantity = -line.quantity;
    }
    let priced = invoice::price_credit_note(&lines, credited.invoice.invoice_date).map_err(pricing_error)?;
    Ok((lines, priced, left))
}

/// What earlier credit notes left of an invoice, per rate and category.
fn left_of(tx: &mut Tx<'_>, actor: &Actor, credited: &InvoiceView) -> Result<Vec<VatGroup>, Error> {
    let mut left = credited.groups.clone();
    if credited.invoice.amount_credited.is_zero() {
        return Ok(left);
    }
    for id in rows::credit_notes_of(tx, actor.account, credited.invoice.id)? {
        for group in read(tx, actor, id)?.groups {
            match left.iter_mut().find(|left| (left.rate, left.category) == (group.rate, group.category)) {
                Some(left) => {
                    left.base += group.base;
                    left.amount += group.amount;
                }
                None => left.push(group),
            }
        }
    }
    Ok(left)
}

/// Lines of a credit note at a rate or category that the invoice does not have: they would take back VAT that was never charged.
fn strange_rates(lines: &[Line], invoiced: &[VatGroup]) -> Vec<Fault> {
    let known = |line: &Line| invoiced.iter().any(|group| (group.rate, group.category) == (line.vat_rate, line.vat_category));
    let told = |(place, line): (usize, &Line)| {
        let has: Vec<String> =
            invoiced.iter().map(|group| format!("{} ({})", group.rate.percent(), group.category.as_str())).collect();
        let (rate, category) = (line.vat_rate.percent(), line.vat_category.as_str());
        let message = format!("the invoice has no line at {rate} per cent ({category}); it has {}", has.join(", "));
        Fault::new(format!("/items/{place}/vatRate"), "unknown_value", message)
    };
    lines.iter().enumerate().filter(|(_, line)| !known(line)).map(told).collect()
}

/// Rates and categories of which more would be taken back than is left: whatever the total, VAT that was never charged must not
/// come back.
fn beyond_what_is_left(note: &Priced, left: &[VatGroup]) -> Vec<Fault> {
    let told = |group: &VatGroup| {
        let left = left.iter().find(|left| (left.rate, left.category) == (group.rate, group.category))?;
        let (least, most) = (left.base.min(Cents::ZERO), left.base.max(Cents::ZERO));
        let (rate, category) = (group.rate.percent(), group.category.as_str());
        let message =
            format!("at {rate} per cent ({category}) {} of the invoice remains, excluding VAT, not {}", left.base, -group.base);
        let fits = (least..=most).contains(&-group.base);
        (!fits).then(|| Fault::new("/items", "exceeds_outstanding", message))
    };
    note.groups.iter().filter_map(told).collect()
}

/// By how much the VAT of a credit note differs where it takes back the last of a rate's base, so that no cent of VAT stays.
fn closing_corrections(note: &Priced, left: &[VatGroup]) -> Vec<VatCorrection> {
    let correction = |group: &VatGroup| {
        let left = left.iter().find(|left| (left.rate, left.category) == (group.rate, group.category))?;
        let by = -left.amount - group.amount;
        let closes = (left.base + group.base).is_zero() && !by.is_zero();
        closes.then_some(VatCorrection { rate: group.rate, category: group.category, by })
    };
    note.groups.iter().filter_map(correction).collect()
}

/// What is left of an invoice as lines, one per rate and category.
fn remainder(number: &str, left: &[VatGroup]) -> Vec<LineGiven> {
    let left = left.iter().filter(|group| !group.base.is_zero());
    left.map(|group| {
        let (quantity, unit_price) = as_quantity_and_price(group.base);
        let description = format!("Remainder of invoice {number}");
        LineGiven { description, quantity, unit_price, vat_rate: group.rate, vat_category: Some(group.category) }
    })
    .collect()
}

/// An amount as a line: one piece, or a hundred when a unit price cannot be that large.
fn as_quantity_and_price(amount: Cents) -> (Decimal, Decimal) {
    let one = Decimal::new(amount.get(), 2);
    if one.abs() <= decimal::max() { (Decimal::ONE, one) } else { (Decimal::ONE_HUNDRED, Decimal::new(amount.get(), 4)) }
}
