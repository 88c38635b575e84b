//! What is bought: expenses, the bills among them, receipts, assets, and mileage.

pub mod assets;
pub mod expenses;
pub mod mileage;
pub mod receipts;
