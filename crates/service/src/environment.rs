//! Inputs of a command or query from outside the books: time, random bytes, and the client. They
//! are always passed in: no other code in this crate reads the clock or generates random bytes.

use jiff::Timestamp;
use ledger::{language::Language, money::Cents};
use std::sync::Arc;
use store::customer_links::LinkedKind;

/// Source of the current time.
pub trait Clock: Send + Sync {
    /// Returns the current time to the microsecond, the precision with which times are stored.
    fn now(&self) -> Timestamp;
}

/// Source of random bytes.
pub trait Random: Send + Sync {
    /// Fills the buffer with cryptographically secure random bytes.
    ///
    /// # Errors
    /// The random number generator of the operating system failed.
    fn fill(&self, bytes: &mut [u8]) -> Result<(), NoRandomness>;
}

/// Texts of emails that commands of the books send to the account's owner.
pub trait Letters: Send + Sync {
    /// Returns the subject and the text of the email about a turnover of `year` near the limit of
    /// the small businesses scheme (KOR).
    fn kor_limit_near(&self, language: Language, year: i16) -> (String, String);

    /// Returns the subject and the text of the email about a customer's decision on a quote.
    fn quote_decided(&self, language: Language, decision: &QuoteDecision<'_>) -> (String, String);

    /// Returns the subject and the text of the email about a recurring invoice that was paused
    /// automatically.
    fn recurring_stopped(
        &self,
        language: Language,
        stopped: &StoppedRecurringInvoice<'_>,
    ) -> (String, String);

    /// Returns the subject and the text of the email about recurring invoices that wait for the
    /// limit of emails.
    fn recurring_postponed(&self, language: Language) -> (String, String);

    /// Returns the subject and the text of the email about reminders that wait for the limit of
    /// emails.
    fn reminders_postponed(&self, language: Language) -> (String, String);
}

/// Recurring invoice that was paused automatically, for the email to the owner.
#[derive(Debug, Clone, Copy)]
pub struct StoppedRecurringInvoice<'d> {
    /// Id of the recurring invoice.
    pub id: i64,
    /// Name of the customer.
    pub customer: &'d str,
    /// Code of the refusal; `None` if emails did not reach the customer.
    pub cause: Option<&'d str>,
}

/// Decision of a customer on a quote, for the email to the owner.
#[derive(Debug, Clone, Copy)]
pub struct QuoteDecision<'d> {
    /// Id of the quote.
    pub id: i64,
    /// Number of the quote.
    pub number: &'d str,
    /// Name of the customer.
    pub customer: &'d str,
    /// Total including VAT.
    pub total: Cents,
    /// Whether the quote was accepted.
    pub is_accepted: bool,
    /// Name of the person who decided.
    pub name: &'d str,
    /// Note of the person.
    pub note: Option<&'d str>,
    /// Whether the automatic step after the acceptance was refused.
    pub is_step_refused: bool,
}

/// Contents of the token of a link to the page of a customer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkTarget {
    /// Account of the document.
    pub account: u32,
    /// Id of the document.
    pub document: u32,
    /// Number of the link among those of the document.
    pub number: u32,
    /// Creation time of the document in microseconds, modulo 2³².
    pub created_at: u32,
}

/// Links to the pages of customers, encrypted by the server's secret.
pub trait Links: Send + Sync {
    /// Returns the address of the page of a document.
    fn url(&self, kind: LinkedKind, target: LinkTarget) -> String;

    /// Returns the contents of a token of this server. A text that is no token of it leads to no
    /// document, or is refused here.
    fn target(&self, kind: LinkedKind, token: &str) -> Option<LinkTarget>;
}

/// The random number generator of the operating system failed.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("no_randomness")]
pub struct NoRandomness;

/// Clock and random source of the operating system.
#[derive(Debug, Clone, Copy, Default)]
pub struct System;

impl Clock for System {
    fn now(&self) -> Timestamp {
        to_microsecond(Timestamp::now())
    }
}

impl Random for System {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), NoRandomness> {
        getrandom::fill(bytes).map_err(|_| NoRandomness)
    }
}

/// Client of a request, for the logs of sign-ins and events.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Visitor {
    /// IP address of the client; empty at the command line.
    pub address: String,
    /// User-Agent header.
    pub user_agent: String,
}

impl Visitor {
    /// Creates a client, with control characters removed and each value cut off after 255
    /// characters.
    #[must_use]
    pub fn new(address: &str, user_agent: &str) -> Self {
        let cut = |text: &str| text.chars().filter(|c| !c.is_control()).take(255).collect();
        Self { address: cut(address), user_agent: cut(user_agent) }
    }
}

/// Inputs of every command and query in addition to the books.
#[derive(Clone)]
pub struct Environment {
    /// Time of the server's clock.
    pub now: Timestamp,
    /// Source of random bytes.
    pub random: Arc<dyn Random>,
    /// Texts of emails; `None` if commands send none.
    pub letters: Option<Arc<dyn Letters>>,
    /// Links to the pages of customers; `None` without the server's secret.
    pub links: Option<Arc<dyn Links>>,
    /// Client of the request.
    pub client: Visitor,
}

impl Environment {
    /// Creates an environment with the given time, the system's random source, no client and no
    /// emails, for jobs, the command line and tests.
    #[must_use]
    pub fn at(now: Timestamp) -> Self {
        Self {
            now,
            random: Arc::new(System),
            letters: None,
            links: None,
            client: Visitor::default(),
        }
    }

    /// Returns this environment with the given client.
    #[must_use]
    pub fn from_client(self, client: Visitor) -> Self {
        Self { client, ..self }
    }

    /// Source of random bytes.
    #[must_use]
    pub fn random(&self) -> &dyn Random {
        &*self.random
    }
}

/// Truncates a timestamp to microseconds.
#[must_use]
pub fn to_microsecond(moment: Timestamp) -> Timestamp {
    // Truncating cannot make a valid timestamp invalid, so the fallback is never used.
    Timestamp::from_microsecond(moment.as_microsecond()).unwrap_or(moment)
}
