//! Sales: customers, articles, invoices and credit notes, payments, write-offs, payouts, quotes,
//! recurring invoices, reminders and emails.

pub mod articles;
pub(crate) mod cash_accounting;
pub mod contact_edits;
pub mod contacts;
pub mod customer_links;
pub(crate) mod document_snapshots;
pub mod invoice_documents;
pub mod invoice_settings;
pub mod invoices;
pub mod messages;
pub mod numbering;
pub mod payments;
pub mod payouts;
pub(crate) mod quote_invoices;
pub mod quotes;
pub mod recurring;
pub mod reminders;
pub mod vat_moves;
pub mod write_offs;
