//! What a person or a program can do with the books: one folder per area, one function per command or query.
//!
//! Each function runs inside one transaction that the caller opens ([`store::Store::write`] or [`store::Store::read`]), so that a
//! command takes effect wholly or not at all. Every interface calls the same functions: what the API does and what the application
//! does cannot differ.

pub mod access;
pub mod actor;
pub mod changes;
pub mod context;
pub mod environment;
pub mod error;
pub mod fault;
pub mod hours;
pub mod identity;
pub mod journal;
pub mod mails;
pub mod maintenance;
pub mod overview;
pub mod purchases;
pub mod sales;
pub mod search;
pub mod submissions;
pub mod tax;
pub mod text;

pub use self::tax::{
    corrections, icp, settings as tax_settings, summary, vat_checks, vat_filings, vat_payments, vat_schemes, year_report, years,
};
pub use access::{idempotency, oauth, secrets, test_accounts, webhooks};
pub use actor::Actor;
pub use context::Context;
pub use documents::sheet;
pub use environment::Environment;
pub use error::Error;
pub use fault::{Fault, Figure, Reason};
pub use hours::{hours_log, invoicing, projects, time_entries, timer, week};
pub use identity::{EmailAddress, accounts, passwords, people};
pub use journal::{
    audit_files, days, duties, entries, events, ledger_cards, manual_entries, open_items, source_documents, verify,
};
pub use purchases::{assets, expenses, mileage, receipts};
pub(crate) use sales::document_snapshots;
pub use sales::{
    contact_edits, contacts, invoice_documents, invoice_settings, invoices, messages, numbering, payments, payouts, write_offs,
};

/// The answer to a create.
#[derive(Debug, Clone)]
pub enum Created<T> {
    /// It was made now.
    New(T),
    /// Its external id was known: this is what it names, and nothing was made.
    Existing(T),
}

impl<T> Created<T> {
    /// The resource, new or known.
    pub fn into_inner(self) -> T {
        match self {
            Self::New(resource) | Self::Existing(resource) => resource,
        }
    }
}

/// The answer to a replacement by external id.
#[derive(Debug, Clone)]
pub enum Upserted<T> {
    /// There was none with the external id, so it was made.
    New(T),
    /// It was there, and is now as was given.
    Replaced(T),
}
