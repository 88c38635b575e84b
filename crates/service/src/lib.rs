//! Commands and queries on the books, for people and programs: one folder per area, one function
//! per command or query.
//!
//! Each function runs inside one transaction that the caller opens ([`store::Store::write`] or
//! [`store::Store::read`]), so that a command is atomic. All interfaces call the same functions, so
//! the API and the web application cannot behave differently.

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
pub mod unfinished;

pub use self::tax::{
    closing_steps, corrections, estimate, icp, kor, oss, oss_turnover, scheme_changes,
    settings as tax_settings, summary, vat_accounting, vat_checks, vat_filings, vat_payments,
    vat_reconciliation, vat_revisions, vat_schemes, vat_units, year_report, years,
};
pub use access::{idempotency, oauth, secrets, test_accounts, webhooks};
pub use actor::Actor;
pub use context::Context;
pub use documents::sheet;
pub use environment::Environment;
pub use error::{
    AccessError, BankError, BookingError, Error, InvoiceError, PeriodError, TimeTrackingError,
    VatError,
};
pub use fault::{Fault, Figure, FilePlace, Reason};
pub use hours::{hours_log, invoicing, projects, time_entries, timer, week};
pub use identity::{EmailAddress, accounts, passwords, people};
pub use journal::{
    audit_files, bank_accounts, bank_allocations, bank_booking, bank_lines, bank_mappings,
    bank_repeats, bank_rule_runs, bank_rules, bank_statements, bank_suggestions, days, duties,
    entries, events, ledger_accounts, ledger_cards, manual_entries, open_items, source_documents,
    unresolved, verify,
};
pub use purchases::{assets, expenses, mileage, payment_batches, receipts};
pub use sales::{
    articles, contact_edits, contacts, customer_links, invoice_documents, invoice_settings,
    invoices, messages, numbering, payments, payouts, quotes, recurring, reminders, vat_moves,
    write_offs,
};
pub(crate) use sales::{cash_accounting, document_snapshots, quote_invoices};

/// Result of a creation.
#[derive(Debug, Clone)]
pub enum Created<T> {
    /// The resource was created.
    New(T),
    /// A resource with the external id already existed; nothing was created.
    Existing(T),
}

impl<T> Created<T> {
    /// Returns the resource, new or existing.
    pub fn into_inner(self) -> T {
        match self {
            Self::New(resource) | Self::Existing(resource) => resource,
        }
    }
}

/// Result of a replacement by external id.
#[derive(Debug, Clone)]
pub enum Upserted<T> {
    /// No resource had the external id, so a new one was created.
    New(T),
    /// The resource existed and was replaced.
    Replaced(T),
}
