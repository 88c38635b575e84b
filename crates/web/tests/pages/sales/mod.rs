//! Contacts, and invoices with their payments and credit notes.

mod contacts;
mod customers;
pub(crate) mod documents;
mod invoices;
mod opening_items;
mod quotes;
