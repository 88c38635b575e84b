//! Contacts, invoices and what follows them.

mod contacts;
mod invoices;
