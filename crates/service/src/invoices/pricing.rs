//! What is given for an invoice, made into lines with their amounts and into a due date; or all that is wrong with it.

use super::{Due, LineGiven};
use crate::{Actor, Error, Fault};
use jiff::{ToSpan, civil::Date};
use ledger::{
    country::CountryCode,
    invoice::{self, Line, Priced, PricingError},
    vat::VatCategory,
};

/// All three, or the faults of all three together.
pub(super) fn all_of<A, B, C>(a: Result<A, Error>, b: Result<B, Error>, c: Result<C, Error>) -> Result<(A, B, C), Error> {
    match (a, b, c) {
        (Ok(a), Ok(b), Ok(c)) => Ok((a, b, c)),
        (a, b, c) => {
            let mut faults = Vec::new();
            for error in [a.err(), b.err(), c.err()].into_iter().flatten() {
                match error {
                    Error::Invalid(more) => faults.extend(more),
                    other => return Err(other),
                }
            }
            Err(Error::Invalid(faults))
        }
    }
}

pub(super) fn price(country: CountryCode, given: &[LineGiven], on: Date) -> Result<(Vec<Line>, Priced), Error> {
    let lines = with_categories(country, given, on);
    let priced = invoice::price(&lines, on).map_err(pricing_error)?;
    Ok((lines, priced))
}

pub(super) fn with_categories(country: CountryCode, given: &[LineGiven], on: Date) -> Vec<Line> {
    given
        .iter()
        .map(|line| Line {
            description: line.description.clone(),
            quantity: line.quantity,
            unit_price: line.unit_price,
            vat_rate: line.vat_rate,
            vat_category: line.vat_category.unwrap_or_else(|| VatCategory::default_for(line.vat_rate, country, on)),
        })
        .collect()
}

pub(super) fn pricing_error(error: PricingError) -> Error {
    let message = error.to_string();
    let fault = match error {
        PricingError::LineOutOfRange { line } => Fault::new(format!("/items/{line}"), "out_of_range", message),
        PricingError::RateWithCategory { line } => Fault::new(format!("/items/{line}/vatCategory"), "unknown_value", message),
        PricingError::TotalOutOfRange | PricingError::NegativeTotal => Fault::new("/items", "out_of_range", message),
    };
    Error::Invalid(vec![fault])
}

/// `term` is the field that a number of days came from.
pub(super) fn due_date(actor: &Actor, invoice_date: Date, due: Due, term: &str) -> Result<Date, Error> {
    let after = |days: i64, field: &str| {
        let date = invoice_date.checked_add(days.days()).ok().filter(|date| date.year() <= 2099);
        let message = format!("{days} days after {invoice_date} is beyond the year 2099; the due date must be before 2100");
        date.ok_or_else(|| Error::fault(field, "out_of_range", message))
    };
    match due {
        Due::AccountTerm => after(actor.payment_term_days, "/invoiceDate"),
        Due::Days(days) => after(days, term),
        Due::On(date) if date < invoice_date => {
            let message = format!("give a due date on or after the invoice date, {invoice_date}");
            Err(Error::fault("/dueDate", "out_of_range", message))
        }
        Due::On(date) => Ok(date),
    }
}
