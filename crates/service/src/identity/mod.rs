//! Accounts and people: who they are and how they sign in.

pub mod accounts;
pub mod passwords;
pub mod people;
