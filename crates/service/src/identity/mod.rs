//! Accounts and people: identity and sign-in.

pub mod accounts;
mod email_address;
pub mod passwords;
pub mod people;

pub use email_address::EmailAddress;
