//! Contacts, invoices and what follows them.

mod contacts;
pub(crate) mod documents;
mod invoices;
