//! Documents that leave the books: invoices on paper and as e-invoice, the audit file, the ICP declaration, lists.
//!
//! Everything here is a pure function of what is handed in: no clock, no file, no chance. The same read model gives the same bytes, on every
//! machine and at every time, so that a document can be compared with its SHA-256 years later.

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
