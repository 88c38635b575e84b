//! Purchases: expenses, receipts, assets.

mod assets;
pub(crate) mod expenses;
mod payment_batches;
pub(crate) mod receipts;
