//! API resources for VAT returns, VAT payments, year closings, audit files and the annual summary.

pub(crate) mod audit_files;
pub(crate) mod closing_steps;
pub(crate) mod icp;
pub(crate) mod kor;
pub(crate) mod oss;
pub(crate) mod summary;
pub(crate) mod vat_accounting;
pub(crate) mod vat_boxes;
pub(crate) mod vat_filings;
pub(crate) mod vat_payments;
pub(crate) mod vat_periods;
pub(crate) mod vat_returns;
pub(crate) mod vat_revisions;
pub(crate) mod vat_scheme;
pub(crate) mod years;
