//! Purchases: expenses, receipts, assets, mileage.

pub(super) mod assets;
pub(super) mod expenses;
pub(super) mod mileage;
pub(super) mod receipts;
