//! Expenses, payment batches, receipts, assets.

mod expenses;
mod payment_batches;
mod usual_vat;
