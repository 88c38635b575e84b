//! Tables of tax returns: filed VAT returns, VAT paid, what a return is checked for, closed years.

pub mod checks;
pub mod filings;
pub mod payments;
pub mod schemes;
pub mod years;
