//! Purchases: expenses, receipts, assets.

mod assets;
pub(crate) mod expenses;
pub(crate) mod receipts;
