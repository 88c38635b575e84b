//! Tables for tax returns: filed VAT returns, EC sales lists, VAT payments, checks before filing,
//! VAT schemes, cash accounting, the Union scheme (OSS), turnover under the small businesses scheme,
//! revisions of the VAT on assets, year-end steps, year closings, lengths of VAT periods.

pub mod cash_accounting;
pub mod checks;
pub mod closing_steps;
pub mod filings;
pub mod icp;
pub mod kor;
pub mod oss;
pub mod payments;
pub mod schemes;
pub mod units;
pub mod vat_revisions;
pub mod years;
