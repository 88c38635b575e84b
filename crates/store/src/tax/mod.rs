//! Tables of tax returns: filed VAT returns, VAT payments, checks before filing, VAT schemes, year
//! closings, VAT units.

pub mod checks;
pub mod filings;
pub mod payments;
pub mod schemes;
pub mod units;
pub mod years;
