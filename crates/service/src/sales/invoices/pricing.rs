//! What is given for an invoice, made into lines with their amounts and into a due date; or all that is wrong with it.

use super::{Due, LineInput};
use crate::{Context, Error, Fault, Reason};
use jiff::{ToSpan, civil::Date};
use ledger::{
    country::CountryCode,
    decimal::{self, Decimal},
    invoice::{self, Line, Priced, Prices, PricingError},
    money::Cents,
    vat::{SalesDefaults, Supply, VatCategory},
    vat_date::vat_date,
};

/// An amount as a line: one piece, or a hundred when a unit price cannot be that large.
pub(super) fn as_quantity_and_price(amount: Cents) -> (Decimal, Decimal) {
    let one = Decimal::new(amount.get(), 2);
    if one.abs() <= decimal::max() { (Decimal::ONE, one) } else { (Decimal::ONE_HUNDRED, Decimal::new(amount.get(), 4)) }
}

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

/// First and last day of supply, where they are given.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SupplyDays {
    /// The first.
    pub first: Option<Date>,
    /// The last, when it took more than one.
    pub last: Option<Date>,
}

impl SupplyDays {
    /// The last day that is known.
    pub(super) fn known_last(self) -> Option<Date> {
        self.last.or(self.first)
    }

    /// The last day alone says nothing of when the supply began, which the invoice must show (art. 35a(1)(g) Wet OB 1968).
    pub(super) fn check(self) -> Result<Self, Error> {
        match (self.first, self.last) {
            (None, Some(_)) => Err(Error::fault("/supplyDate", Reason::SupplyDateRequired)),
            (Some(first), Some(last)) if last < first => {
                Err(Error::fault("/supplyUntil", Reason::SupplyUntilBefore { supply_date: first }))
            }
            _ => Ok(self),
        }
    }
}

/// The day on which the VAT on an invoice is due.
pub(super) fn vat_date_of(invoice_date: Date, supply: SupplyDays, lines: &[Line]) -> Date {
    vat_date(invoice_date, supply.known_last(), lines.iter().map(|line| (line.vat_category, line.supply)))
}

/// Prices the lines of an invoice, with those that set prepayments off at their end; `on` is the day whose rates count.
pub(super) fn price(
    defaults: SalesDefaults,
    country: CountryCode,
    given: &[LineInput],
    prices: Prices,
    set_off: &[Line],
    on: Date,
) -> Result<(Vec<Line>, Priced), Error> {
    let mut lines = classified(defaults, country, given, on);
    let misplaced = |(place, line): (usize, &Line)| {
        (line.supply == Supply::Triangular && line.vat_category != VatCategory::IntraCommunity)
            .then(|| Fault::new(format!("/items/{place}/supply"), Reason::TriangularNotEu))
    };
    let faults: Vec<Fault> = lines.iter().enumerate().filter_map(misplaced).collect();
    if !faults.is_empty() {
        return Err(Error::Invalid(faults));
    }
    lines.extend_from_slice(set_off);
    let priced = invoice::price(&lines, on, prices).map_err(pricing_error)?;
    Ok((lines, priced))
}

/// The lines with their categories and supplies.
pub(super) fn classified(defaults: SalesDefaults, country: CountryCode, given: &[LineInput], on: Date) -> Vec<Line> {
    let classify = |line: &LineInput| {
        let (vat_category, supply) = defaults.classify(line.vat_rate, line.vat_category, line.supply, country, on);
        Line {
            description: line.description.clone(),
            quantity: line.quantity,
            unit_price: line.unit_price,
            vat_rate: line.vat_rate,
            vat_category,
            supply,
            sets_off: None,
            rounding: Cents::ZERO,
        }
    };
    given.iter().map(classify).collect()
}

pub(super) fn pricing_error(error: PricingError) -> Error {
    let fault = match error {
        PricingError::LineOutOfRange { line } => Fault::new(format!("/items/{line}"), Reason::LineOutOfRange),
        PricingError::RateWithCategory { line } => Fault::new(format!("/items/{line}/vatCategory"), Reason::CategoryOfRate),
        PricingError::NegativeVatGroup { rate } => Fault::new("/items", Reason::NegativeVatGroup { rate: rate.percent() }),
        PricingError::TotalOutOfRange => Fault::new("/items", Reason::TotalOutOfRange),
        PricingError::NegativeTotal => Fault::new("/items", Reason::NegativeTotal),
    };
    Error::Invalid(vec![fault])
}

/// An invoice to be priced and not to be made.
#[derive(Debug, Clone)]
pub struct InvoiceQuote {
    /// The day of the invoice; the rates are those of that day unless a supply is given.
    pub invoice_date: Date,
    /// When it was supplied.
    pub supply: SupplyDays,
    /// Where the customer is established.
    pub country: CountryCode,
    /// The lines.
    pub lines: Vec<LineInput>,
    /// Whether their prices include VAT.
    pub prices_include_vat: bool,
}

/// What an invoice would come to, by the function that prices invoices that are made. Nothing is read from the books.
///
/// # Errors
/// The faults of the lines and of their sum.
pub fn quote(quote: &InvoiceQuote) -> Result<Priced, Error> {
    let rates_on = quote.supply.check()?.known_last().unwrap_or(quote.invoice_date);
    let prices = if quote.prices_include_vat { Prices::Gross } else { Prices::Net };
    price(SalesDefaults::default(), quote.country, &quote.lines, prices, &[], rates_on).map(|(_, priced)| priced)
}

/// `term` is the field that a number of days came from.
pub(super) fn due_date(cx: &Context, invoice_date: Date, due: Due, term: &str) -> Result<Date, Error> {
    let after = |days: i64, field: &str| {
        let date = invoice_date.checked_add(days.days()).ok().filter(|date| date.year() <= 2099);
        date.ok_or_else(|| Error::fault(field, Reason::DueTooLate { days, invoice_date }))
    };
    match due {
        Due::AccountTerm => after(cx.actor.payment_term_days, "/invoiceDate"),
        Due::Days(days) => after(days, term),
        Due::On(date) if date < invoice_date => Err(Error::fault("/dueDate", Reason::DueBeforeInvoice { invoice_date })),
        Due::On(date) => Ok(date),
    }
}
