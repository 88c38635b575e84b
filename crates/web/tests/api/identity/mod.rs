//! Accounts and people.

mod erasure;
mod export;
