//! The API of VAT returns, payments of VAT and of the summary of a year.

pub(crate) mod audit_files;
pub(crate) mod summary;
pub(crate) mod vat_filings;
pub(crate) mod vat_payments;
pub(crate) mod vat_scheme;
pub(crate) mod years;
