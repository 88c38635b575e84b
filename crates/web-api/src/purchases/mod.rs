//! Purchases: expenses, batches of payments, receipts, assets, mileage.

pub(super) mod assets;
pub(super) mod expenses;
pub(super) mod mileage;
pub(super) mod payment_batches;
pub(super) mod receipts;
