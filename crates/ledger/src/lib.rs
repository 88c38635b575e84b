//! The rules of Dutch double-entry bookkeeping for the self-employed: pure, exact and without I/O.
//!
//! Nothing here reads a clock, a file or a random source. Amounts are whole euro cents, rates and quantities exact decimals;
//! binary floating point does not occur.

pub mod booking;
pub mod calendar;
pub mod chain;
pub mod chart;
pub mod country;
pub mod decimal;
pub mod entry;
pub mod hours;
pub mod identifiers;
pub mod invoice;
pub mod money;
pub mod summary;
pub mod vat;
pub mod vat_return;
