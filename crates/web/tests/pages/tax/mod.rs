//! VAT returns, ICP declarations and the year.

mod icp;
mod kor;
mod vat;
mod year;
