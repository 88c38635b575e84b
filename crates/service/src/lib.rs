//! What a person or a program can do with the books: one file per noun, one function per deed.
//!
//! Each function runs inside one transaction that the caller opens ([`store::Store::write`] or [`store::Store::read`]), so that a
//! deed is done wholly or not at all. Every door calls the same functions: what the API does and what the application
//! does cannot differ.

pub mod access;
pub mod accounts;
pub mod actor;
pub mod contacts;
pub mod entries;
pub mod error;
pub mod expenses;
pub mod hours_log;
pub mod invoices;
pub mod manual;
pub mod numbering;
pub mod oauth;
pub mod outside;
pub mod passwords;
pub mod payments;
pub mod people;
pub mod projects;
pub mod secrets;
pub mod summary;
pub mod time_entries;
pub mod vat_filings;
pub mod verify;

pub use actor::Actor;
pub use error::{Error, Fault};

/// The answer to a create.
#[derive(Debug, Clone)]
pub enum Created<T> {
    /// It was made now.
    New(T),
    /// Its external id was known: this is what it names, and nothing was made.
    Known(T),
}

impl<T> Created<T> {
    /// The resource, new or known.
    pub fn into_inner(self) -> T {
        match self {
            Self::New(resource) | Self::Known(resource) => resource,
        }
    }
}
