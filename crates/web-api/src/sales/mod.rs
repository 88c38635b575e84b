//! Sales: customers, articles, invoices and credit notes, payments, write-offs, payouts, quotes,
//! recurring invoices, reminders.

pub(crate) mod articles;
pub(crate) mod contacts;
mod customer_links;
pub(crate) mod invoice_body;
pub(crate) mod invoice_documents;
pub(crate) mod invoices;
pub(crate) mod messages;
pub(crate) mod payments;
pub(crate) mod payouts;
pub(crate) mod quotes;
pub(crate) mod recurring;
pub(crate) mod reminders;
pub(crate) mod write_offs;
