//! Purchases: expenses (including bills), receipts, assets and mileage.

pub mod assets;
pub mod expenses;
pub mod mileage;
pub mod receipts;
