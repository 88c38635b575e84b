//! Income tax and health insurance contribution of a sole trader for a year.

mod assessment;
mod description;
mod disinvestment;
mod steps;
#[cfg(test)]
mod tests;

pub(crate) use assessment::investment_deduction;
pub use assessment::{Assessment, Input, MOST, Tariff, years};
pub use description::{CALCULATOR, NOT_INCLUDED};
pub(crate) use description::{HOURS_CRITERION, STARTER, YEAR};
pub use disinvestment::{Disinvestment, Disposal, Part, YEARS as DISINVESTMENT_YEARS};
#[cfg(test)]
pub(crate) use steps::PROVISIONS;
