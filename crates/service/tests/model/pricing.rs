//! What invoices and purchases come to, and where a sale is booked.

use crate::books::{Line, Money, Posting, Sums, code};
use ledger::{
    country::CountryCode,
    decimal::Decimal,
    vat::{VatCategory, VatRate},
};
use service::{Error, Fault, invoices::LineGiven};

/// The largest amount of a document.
const LIMIT: Money = 9_999_999_999_999;

/// Half away from zero.
fn rounded(dividend: i128, divisor: i128) -> i128 {
    dividend.signum() * ((2 * dividend.abs() + divisor) / (2 * divisor))
}

pub(crate) fn vat_of(base: Money, rate: VatRate) -> Money {
    rounded(base * i128::from(rate.basis_points()), 10_000)
}

fn product(a: Decimal, b: Decimal) -> Money {
    rounded(a.mantissa() * b.mantissa() * 100, 10_i128.pow(a.scale() + b.scale()))
}

pub(crate) fn fault(pointer: &str, code: &'static str) -> Error {
    Error::Invalid(vec![Fault::new(pointer, code, "")])
}

/// What a line is when only its rate and the customer's country are known.
pub(crate) fn by_country(rate: VatRate, customer: CountryCode) -> VatCategory {
    match customer.as_str() {
        _ if !rate.is_zero() => VatCategory::Standard,
        "NL" => VatCategory::Zero,
        "DE" | "BE" => VatCategory::IntraCommunity,
        _ => VatCategory::Export,
    }
}

/// What lines come to; of a credit note all of it is below zero.
pub(crate) fn price(given: &[LineGiven], customer: CountryCode, credit_note: bool) -> Result<(Vec<Line>, Sums), Error> {
    let mut lines = Vec::new();
    let mut sums = Sums::default();
    for (place, given) in given.iter().enumerate() {
        let mut given = given.clone();
        if credit_note {
            given.quantity = -given.quantity;
        }
        let category = given.vat_category.unwrap_or_else(|| by_country(given.vat_rate, customer));
        if given.vat_rate.is_zero() == (category == VatCategory::Standard) {
            return Err(fault(&format!("/items/{place}/vatCategory"), "unknown_value"));
        }
        let amount = product(given.quantity, given.unit_price);
        if amount.abs() > LIMIT {
            return Err(fault(&format!("/items/{place}"), "out_of_range"));
        }
        sums.groups.entry((given.vat_rate, category)).or_default().0 += amount;
        lines.push(Line { given, category, amount });
    }
    for ((rate, _), (base, vat)) in &mut sums.groups {
        *vat = vat_of(*base, *rate);
        sums.subtotal += *base;
        sums.vat += *vat;
    }
    sums.total = sums.subtotal + sums.vat;
    let wrong_way = if credit_note { sums.total > 0 } else { sums.total < 0 };
    if wrong_way || sums.total.abs() > LIMIT || sums.groups.values().any(|(base, _)| base.abs() > LIMIT) {
        return Err(fault("/items", "out_of_range"));
    }
    Ok((lines, sums))
}

/// Where a sale is booked: receivables, then revenue and VAT of each kind.
pub(crate) fn sale(sums: &Sums) -> Vec<Posting> {
    let mut postings = vec![(code::RECEIVABLES, "", sums.total)];
    for ((rate, category), (base, vat)) in &sums.groups {
        let (revenue, due, vat_box) = match (category, rate.basis_points()) {
            (VatCategory::Standard, 2100) => (8000, 1700, "1a"),
            (VatCategory::Standard, 900) => (8010, 1710, "1b"),
            (VatCategory::Standard, other) => panic!("the generator knows no rate of {other}"),
            (VatCategory::Zero, _) => (8030, 0, "1e"),
            (VatCategory::ReverseCharge, _) => (8040, 0, "1e"),
            (VatCategory::IntraCommunity, _) => (8050, 0, "3b"),
            (VatCategory::Export, _) => (8060, 0, "3a"),
            (VatCategory::Exempt, _) => (8070, 0, ""),
            (VatCategory::OutOfScope, _) => (8080, 0, ""),
        };
        postings.push((revenue, vat_box, -base));
        if *vat != 0 {
            postings.push((due, vat_box, -vat));
        }
    }
    postings
}
