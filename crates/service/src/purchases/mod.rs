//! Purchases: expenses (including bills), batches of payments, receipts, assets and mileage.

pub mod assets;
pub mod expenses;
pub mod mileage;
pub mod payment_batches;
pub mod receipts;
