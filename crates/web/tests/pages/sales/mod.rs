//! Contacts, and invoices with their payments and credit notes.

mod articles;
mod contacts;
mod customer_links;
mod customers;
mod discounts;
pub(crate) mod documents;
mod invoices;
mod opening_items;
mod quotes;
mod recurring;
mod reminders;
