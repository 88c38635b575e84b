//! Tables of sales: contacts, articles, invoices and credit notes, payments, payouts, write-offs.

pub mod articles;
pub mod contacts;
pub mod customer_links;
pub mod documents;
pub mod invoice_lines;
pub mod invoice_table;
pub mod invoices;
pub mod payments;
pub mod payouts;
pub mod prepayments;
pub mod quotes;
pub mod receivables;
pub mod recurring;
pub mod reminders;
pub mod sales_totals;
pub mod vat_corrections;
pub mod write_offs;
