//! Pricing of submitted lines, days of supply and due dates. All faults are collected.

use super::{Due, LineInput, one_stop_shop};
use crate::{Context, Error, Fault, Reason};
use jiff::{ToSpan, civil::Date};
use ledger::{
    chart::{AccountCode, Class, codes},
    country::CountryCode,
    decimal::{self, Decimal},
    discount::Discount,
    invoice::{self, Line, Priced, Prices, PricingError},
    money::Cents,
    own_account::OwnAccounts,
    vat::{Buyer, SalesDefaults, Supply, VatCategory},
    vat_date::vat_date,
};

/// Returns a quantity and unit price that make up an amount: one unit, or a hundred if the unit
/// price would exceed its limit.
pub(super) fn as_quantity_and_price(amount: Cents) -> (Decimal, Decimal) {
    let unit_price = Decimal::new(amount.get(), 2);
    if unit_price.abs() <= decimal::max() {
        (Decimal::ONE, unit_price)
    } else {
        (Decimal::ONE_HUNDRED, Decimal::new(amount.get(), 4))
    }
}

/// Combines three results. If any of them is invalid, returns the faults of all of them.
pub(crate) fn all_of<A, B, C>(
    a: Result<A, Error>,
    b: Result<B, Error>,
    c: Result<C, Error>,
) -> Result<(A, B, C), Error> {
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

/// First and last day of supply, if specified.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SupplyDays {
    /// First day.
    pub first: Option<Date>,
    /// Last day, if it differs from the first.
    pub last: Option<Date>,
}

impl SupplyDays {
    /// Returns the last day of supply, or else the first, if specified.
    pub(super) fn known_last(self) -> Option<Date> {
        self.last.or(self.first)
    }

    /// Rejects a last day without a first, since an invoice must show when the supply began (art.
    /// 35a(1)(g) Wet OB 1968), and a last day before the first.
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

/// Returns the date on which the VAT on an invoice is due.
pub(super) fn vat_date_of(invoice_date: Date, supply: SupplyDays, lines: &[Line]) -> Date {
    vat_date(
        invoice_date,
        supply.known_last(),
        lines.iter().map(|line| (line.vat_category, line.supply)),
    )
}

/// Prices `inputs` followed by `set_off`, the lines that set off prepayments, less a discount on the
/// former. `on` determines the VAT rates.
pub(super) fn price(
    own: &OwnAccounts,
    defaults: SalesDefaults,
    buyer: Buyer,
    inputs: &[LineInput],
    (prices, discount): (Prices, Discount),
    set_off: &[Line],
    on: Date,
) -> Result<(Vec<Line>, Priced), Error> {
    let mut lines = classified(own, defaults, buyer, inputs, on);
    let misplaced = |(place, line): (usize, &Line)| {
        (line.supply == Supply::Triangular
            && line.vat_category.public() != VatCategory::IntraCommunity)
            .then(|| Fault::new(format!("/items/{place}/supply"), Reason::TriangularNotEu))
    };
    let mut faults: Vec<Fault> = lines.iter().enumerate().filter_map(misplaced).collect();
    faults.extend(not_revenue(&lines));
    if !faults.is_empty() {
        return Err(Error::Invalid(faults));
    }
    lines.extend_from_slice(set_off);
    let priced = invoice::price_less(discount, &lines, on, prices)
        .map_err(|error| pricing_error_of(error, &lines, discount))?;
    Ok((lines, priced))
}

/// Returns the faults of lines whose account is not a revenue account. The result of private use is
/// no revenue of an invoice, and turnover taxed in other member states has its own lines.
pub(super) fn not_revenue(lines: &[Line]) -> Vec<Fault> {
    let is_revenue = |account: AccountCode| {
        account.class() == Some(Class::Revenue) && account != codes::PRIVATE_USE
    };
    let is_wrong = |line: &Line| {
        line.account.is_some_and(|account| {
            let is_misplaced =
                account == codes::REVENUE_OSS && line.vat_category != VatCategory::Oss;
            !is_revenue(account) || is_misplaced
        })
    };
    let fault =
        |place: usize| Fault::new(format!("/items/{place}/account"), Reason::UnknownAccount);
    (0..lines.len()).filter(|place| is_wrong(&lines[*place])).map(fault).collect()
}

/// Returns the lines, with category and supply filled in from the defaults and the customer's
/// place, and with the codes of own accounts.
pub(super) fn classified(
    own: &OwnAccounts,
    defaults: SalesDefaults,
    buyer: Buyer,
    inputs: &[LineInput],
    on: Date,
) -> Vec<Line> {
    let classify = |line: &LineInput| {
        // A supply that was handed over in the Netherlands is domestic.
        let is_here = line.place.country.is_some_and(CountryCode::is_dutch);
        let buyer = if is_here { CountryCode::NL.into() } else { buyer };
        let (vat_category, supply) = defaults.classify(
            line.vat_rate,
            (line.vat_category, line.exemption),
            line.supply,
            buyer,
            on,
        );
        Line {
            description: line.description.clone(),
            quantity: line.quantity,
            unit_price: line.unit_price,
            vat_rate: line.vat_rate,
            vat_category,
            supply,
            tax_country: line.place.country,
            sets_off: None,
            account: line.account.map(|account| own.resolve(account)),
            rounding: Cents::ZERO,
            unit: line.unit.clone(),
            discount: line.discount,
            credits: line.credits.map(|credited| credited.number),
        }
    };
    inputs.iter().map(classify).collect()
}

/// Error of lines that cannot be priced with a discount on all of them.
fn pricing_error_of(error: PricingError, lines: &[Line], discount: Discount) -> Error {
    let field = |discount: Discount| {
        if discount.percent().is_some() { "discountPercent" } else { "discountAmount" }
    };
    let range = |discount: Discount, most: Cents| {
        let most = if discount.percent().is_some() && most > Cents::ZERO {
            Decimal::ONE_HUNDRED
        } else {
            Decimal::new(most.get(), 2)
        };
        Reason::OutOfRange { least: Decimal::ZERO, most }
    };
    match error {
        PricingError::LineDiscountOutOfRange { line: place, most } => {
            let of_line = lines[place].discount;
            let path = format!("/items/{place}/{}", field(of_line));
            Error::fault(&path, range(of_line, most))
        }
        PricingError::DiscountOutOfRange => {
            let path = format!("/{}", field(discount));
            Error::fault(&path, range(discount, Cents::ZERO))
        }
        other => pricing_error(other),
    }
}

pub(super) fn pricing_error(error: PricingError) -> Error {
    let fault = match error {
        PricingError::LineDiscountOutOfRange { line, most } => {
            let (least, most) = (Decimal::ZERO, Decimal::new(most.get(), 2));
            let field = format!("/items/{line}/discountAmount");
            Fault::new(field, Reason::OutOfRange { least, most })
        }
        PricingError::DiscountOutOfRange => Fault::new(
            "/discountAmount",
            Reason::OutOfRange { least: Decimal::ZERO, most: Decimal::ZERO },
        ),
        PricingError::LineOutOfRange { line } => {
            Fault::new(format!("/items/{line}"), Reason::LineOutOfRange)
        }
        PricingError::RateWithCategory { line } => {
            Fault::new(format!("/items/{line}/vatCategory"), Reason::CategoryOfRate)
        }
        PricingError::NegativeVatGroup { rate } => {
            Fault::new("/items", Reason::NegativeVatGroup { rate: rate.percent() })
        }
        PricingError::TotalOutOfRange => Fault::new("/items", Reason::TotalOutOfRange),
        PricingError::NegativeTotal => Fault::new("/items", Reason::NegativeTotal),
    };
    Error::Invalid(vec![fault])
}

/// Invoice to price without creating it.
#[derive(Debug, Clone)]
pub struct InvoiceQuote {
    /// Invoice date. Determines the VAT rates, unless a day of supply is specified.
    pub invoice_date: Date,
    /// Days of supply.
    pub supply: SupplyDays,
    /// Country of the customer.
    pub country: CountryCode,
    /// Lines.
    pub lines: Vec<LineInput>,
    /// Whether the prices include VAT.
    pub prices_include_vat: bool,
}

/// Prices an invoice like [`create`](fn@super::create) does, without reading the books. Revenue
/// accounts of lines are ignored.
///
/// # Errors
/// A line, the total or the days of supply are invalid.
pub fn quote(quote: &InvoiceQuote) -> Result<Priced, Error> {
    let rates_on = quote.supply.check()?.known_last().unwrap_or(quote.invoice_date);
    let prices = if quote.prices_include_vat { Prices::Gross } else { Prices::Net };
    let lines: Vec<LineInput> =
        quote.lines.iter().map(|line| LineInput { account: None, ..line.clone() }).collect();
    let lines = one_stop_shop::resolve_quote(quote.country, &lines, rates_on)?;
    price(
        &OwnAccounts::default(),
        SalesDefaults::default(),
        quote.country.into(),
        &lines,
        (prices, Discount::None),
        &[],
        rates_on,
    )
    .map(|(_, priced)| priced)
}

/// Returns the due date. `term` is the path of the field that contains the number of days.
pub(super) fn due_date(
    cx: &Context,
    invoice_date: Date,
    due: Due,
    term: &str,
) -> Result<Date, Error> {
    let after = |days: i64, field: &str| {
        let date = invoice_date.checked_add(days.days()).ok().filter(|date| date.year() <= 2099);
        date.ok_or_else(|| Error::fault(field, Reason::DueTooLate { days, invoice_date }))
    };
    match due {
        Due::AccountTerm => after(cx.actor.payment_term_days, "/invoiceDate"),
        Due::Days(days) => after(days, term),
        Due::On(date) if date < invoice_date => {
            Err(Error::fault("/dueDate", Reason::DueBeforeInvoice { invoice_date }))
        }
        Due::On(date) => Ok(date),
    }
}
