//! Documents generated from the books: invoices as PDF and as e-invoice, the audit file, the EC
//! sales list, lists.
//!
//! Everything here is a pure function of its input: no clock, no file, no randomness. The same read
//! model yields the same bytes on every machine and at any time, so that a document can be compared
//! with its SHA-256 years later.

pub mod csv;
pub mod epc;
pub mod icp;
pub mod invoice;
pub mod legal;
pub mod letters;
pub mod logo;
pub mod pdf;
mod png;
pub mod receipt;
pub mod sheet;
pub mod ubl;
mod words;
pub mod xaf;
mod xlsx;
mod xml;
