//! Public interfaces without an account: the open data with its calculators, and the documentation.

pub mod docs;
pub mod open_data;
