//! VAT returns, ICP declarations and the year.

mod icp;
mod kor;
mod revision;
mod vat;
mod year;
