//! Documents generated from the books: invoices as PDF files and as e-invoices, the audit file, the
//! EC sales list, payment files for banks, and lists for spreadsheets.
//!
//! Everything here is a pure function of its input: no clock, no file, no randomness. The same read
//! model yields the same bytes on every machine and at any time. Even years later, a document can
//! therefore be compared with its recorded SHA-256.

pub mod csv;
pub mod epc;
pub mod icp;
pub mod invoice;
pub mod legal;
pub mod letters;
pub mod logo;
pub mod mail_templates;
pub mod oss;
pub mod payment_file;
pub mod pdf;
pub mod period_fields;
mod png;
pub mod receipt;
pub mod remittance;
mod sepa;
pub mod sheet;
pub mod ubl;
mod words;
pub mod xaf;
mod xlsx;
mod xml;
