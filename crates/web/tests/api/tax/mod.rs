//! VAT returns, corrections and closed years.

mod audit_files;
mod cash;
mod closing;
mod corrections;
mod filed_quarters;
pub(crate) mod filing_and_paying;
mod filings;
mod icp;
mod kor;
mod late;
mod oss;
mod oss_rates;
mod periods;
mod recorded;
mod revision;
mod switches;
