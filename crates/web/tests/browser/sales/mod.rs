//! Contacts, and invoices with their payments and credit notes.

mod contacts;
mod invoices;
