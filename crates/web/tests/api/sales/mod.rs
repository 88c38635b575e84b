//! Contacts, and invoices with their messages, payments and credit notes.

mod articles;
mod contacts;
mod credit_note_limits;
mod credit_notes;
mod customer_links;
mod customers;
mod discounts;
mod edits;
mod invoice_documents;
mod invoice_lists;
mod invoices;
mod messages;
mod payments;
mod proposals;
mod quotes;
mod recurring;
mod reminders;
mod settlements;
mod warnings;
