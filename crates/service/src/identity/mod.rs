//! Accounts and people: who they are and how they sign in.

pub mod accounts;
mod email_address;
pub mod passwords;
pub mod people;

pub use email_address::EmailAddress;
