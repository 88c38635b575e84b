//! VAT returns, ICP declarations and the year.

mod icp;
mod vat;
mod year;
