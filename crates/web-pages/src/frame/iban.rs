//! IBANs as pages show them.

pub use ledger::identifiers::in_fours as grouped;
