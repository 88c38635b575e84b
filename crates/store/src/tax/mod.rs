//! Tables of tax returns: filed VAT returns, EC sales lists, VAT payments, checks before filing, VAT
//! schemes, year closings, VAT units.

pub mod checks;
pub mod filings;
pub mod icp;
pub mod payments;
pub mod schemes;
pub mod units;
pub mod years;
