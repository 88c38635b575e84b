//! Expenses, receipts, assets.

mod expenses;
