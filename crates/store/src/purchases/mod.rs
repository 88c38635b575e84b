//! Tables of purchases: expenses, payments of bills, batches of these, receipts, assets, trips with a private
//! vehicle.

pub mod assets;
pub mod expense_table;
pub mod expenses;
pub mod payment_batches;
pub mod receipts;
pub mod trips;
