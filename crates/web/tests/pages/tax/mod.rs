//! VAT returns, ICP declarations and the year.

mod cash;
mod icp;
mod kor;
mod oss;
mod revision;
mod vat;
mod year;
