//! Tax: VAT returns with their corrections and payments, and the annual summary.

pub mod closing_steps;
pub mod corrections;
pub mod estimate;
pub mod icp;
pub mod kor;
pub mod oss;
pub mod oss_turnover;
pub mod scheme_changes;
pub mod settings;
pub mod summary;
pub mod vat_accounting;
pub mod vat_checks;
pub mod vat_filings;
pub mod vat_payments;
pub mod vat_reconciliation;
pub mod vat_revisions;
pub mod vat_schemes;
pub mod vat_units;
pub mod year_report;
pub mod years;
