//! Client of Mollie's API, version 2: payments with their refunds and chargebacks, and settlements.
//!
//! It uses only what Mollie publishes (`mollie/openapi`), and only reads, except for creating
//! payments: it cannot move money. Amounts are read as exact decimals. Redirects are not followed,
//! and addresses in answers are not called.

mod client;
mod host;
mod read;
#[cfg(feature = "stand-in")]
pub mod stand_in;

pub use client::Client;
pub use host::{Host, HostError};

use ledger::{
    language::Language,
    money::Cents,
    provider_payment::{FetchedPayment, FetchedSettlement, SettledPart},
};
use std::{fmt, pin::Pin};
use thiserror::Error;

/// API key or access token. It is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Creates a secret. Characters that a header cannot carry make every call fail.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Its text, for encryption.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// Payment to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPayment {
    /// Key under which Mollie creates it once, however often the call is repeated.
    pub idempotency_key: String,
    /// Amount in cents.
    pub amount: Cents,
    /// Description on the customer's bank statement.
    pub description: String,
    /// Address to which the customer returns.
    pub redirect_url: String,
    /// Address of the messages about this payment; `None` if Mollie cannot reach the server.
    pub webhook_url: Option<String>,
    /// Language of the checkout.
    pub language: Language,
}

/// Payment that was created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreatedPayment {
    /// Id: `tr_…`.
    pub id: String,
    /// Address where the customer pays.
    pub checkout_url: String,
}

/// Page of settlements, newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settlements {
    /// Settlements. Their costs are complete only if they are fetched by id.
    pub settlements: Vec<FetchedSettlement>,
    /// Id from which the next page begins.
    pub next: Option<String>,
}

/// Reason why a call failed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MollieError {
    /// Mollie does not answer, or answers with an error of its own or with "too many requests".
    #[error("Mollie does not answer: {0}")]
    Away(String),
    /// The key or token is wrong, or lacks a right.
    #[error("Mollie does not accept the key: {0}")]
    KeyRefused(String),
    /// There is no such payment or settlement.
    #[error("Mollie does not know it")]
    NotFound,
    /// Mollie refuses the request.
    #[error("Mollie refuses the request: {0}")]
    Refused(String),
    /// The answer is not as published.
    #[error("Mollie's answer cannot be read: {0}")]
    Unreadable(String),
}

impl MollieError {
    /// Whether the same call may succeed later.
    #[must_use]
    pub const fn is_away(&self) -> bool {
        matches!(self, Self::Away(_))
    }
}

/// Future answer of Mollie.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, MollieError>> + Send + 'a>>;

/// Calls to Mollie that the program makes.
pub trait Mollie: Send + Sync {
    /// Creates a payment.
    fn create<'a>(&'a self, key: &'a Secret, new: &'a NewPayment) -> Answer<'a, CreatedPayment>;

    /// Fetches a payment with its refunds and chargebacks.
    fn payment<'a>(&'a self, key: &'a Secret, id: &'a str) -> Answer<'a, FetchedPayment>;

    /// Lists settlements, newest first, from the one with the given id.
    fn settlements<'a>(
        &'a self,
        token: &'a Secret,
        from: Option<&'a str>,
    ) -> Answer<'a, Settlements>;

    /// Fetches a settlement with its costs.
    fn settlement<'a>(&'a self, token: &'a Secret, id: &'a str) -> Answer<'a, FetchedSettlement>;

    /// Fetches all payments, refunds and chargebacks of a settlement.
    fn parts<'a>(&'a self, token: &'a Secret, id: &'a str) -> Answer<'a, Vec<SettledPart>>;

    /// Checks an API key.
    fn check_key<'a>(&'a self, key: &'a Secret) -> Answer<'a, ()>;

    /// Checks an access token for settlements.
    fn check_token<'a>(&'a self, token: &'a Secret) -> Answer<'a, ()>;
}

/// Whether a text has the form of an id with the given prefix. Only such ids become part of an
/// address.
///
/// ```
/// assert!(mollie::is_id("tr_", "tr_7UhSN1zuXS"));
/// assert!(!mollie::is_id("tr_", "tr_7/../settlements"));
/// ```
#[must_use]
pub fn is_id(prefix: &str, text: &str) -> bool {
    text.strip_prefix(prefix).is_some_and(|rest| {
        (1..=64).contains(&rest.len())
            && rest.bytes().all(|sign| sign.is_ascii_alphanumeric() || sign == b'_')
    })
}
