//! Tables about taxes: filed VAT returns, EC sales lists, VAT payments, VAT schemes, year closings
//! and VAT units; also the data for the checks before filing.

pub mod checks;
pub mod filings;
pub mod icp;
pub mod payments;
pub mod schemes;
pub mod units;
pub mod years;
