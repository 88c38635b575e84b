//! Expenses, receipts, assets.

mod expenses;
mod receipts;
