//! Contacts, and invoices with their payments and credit notes.

mod contacts;
mod customer_links;
mod invoices;
mod reminders;
