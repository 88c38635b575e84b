//! Expenses, receipts, assets.

mod assets;
pub(crate) mod expenses;
mod receipts;
