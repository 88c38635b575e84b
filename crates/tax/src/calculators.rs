//! All calculators, one per file.

pub mod car_benefit;
pub mod deadlines;
pub mod depreciation;
pub mod hourly_rate;
pub mod hours_criterion;
pub mod identifiers;
pub mod income_tax;
pub mod investment_deduction;
pub mod invoice;
pub mod kor;
pub mod late_payment;
pub mod mileage;
pub mod vat;

#[cfg(test)]
mod tests;

use crate::calculator::Calculator;

/// All calculators, in the order of the index.
const ALL: &[&Calculator] = &[
    &vat::CALCULATOR,
    &invoice::CALCULATOR,
    &income_tax::CALCULATOR,
    &hourly_rate::CALCULATOR,
    &investment_deduction::CALCULATOR,
    &hours_criterion::CALCULATOR,
    &kor::CALCULATOR,
    &late_payment::CALCULATOR,
    &depreciation::CALCULATOR,
    &mileage::CALCULATOR,
    &car_benefit::CALCULATOR,
    &deadlines::CALCULATOR,
    &identifiers::VAT_NUMBER,
    &identifiers::KVK_NUMBER,
    &identifiers::IBAN,
];

/// Returns all calculators, in the order of the index.
#[must_use]
pub fn all() -> &'static [&'static Calculator] {
    ALL
}

/// Returns the calculator with this id.
///
/// ```
/// use tax::{Language, calculators};
///
/// let mileage = calculators::find("mileage").expect("it exists");
/// let outcome = mileage.calculate(&[("year", "2026"), ("km", "120")]).expect("valid parameters");
/// assert_eq!(outcome.get("amount").expect("an output").plain(Language::English), "30.00");
/// ```
#[must_use]
pub fn find(id: &str) -> Option<&'static Calculator> {
    all().iter().copied().find(|calculator| calculator.id == id)
}
