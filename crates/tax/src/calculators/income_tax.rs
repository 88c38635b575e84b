//! Income tax and health insurance contribution of a sole trader for a year.

mod assessment;
mod description;
mod steps;
#[cfg(test)]
mod tests;

pub(crate) use assessment::investment_deduction;
pub use assessment::{Assessment, Input, MOST, Tariff, years};
pub use description::CALCULATOR;
pub(crate) use description::{HOURS_CRITERION, STARTER, YEAR};
