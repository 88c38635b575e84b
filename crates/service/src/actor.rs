//! Who asks, and what they may do.

use crate::Error;
use jiff::Timestamp;
use ledger::{country::CountryCode, language::Language, vat::SalesDefaults};
use store::{
    accounts::{Plan, Supplier, TestMode},
    books::Books,
    invoices::Origin,
    keys::{Holder, Scopes},
};

/// By what somebody is known.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Credential {
    /// The owner, at the command line or signed in to the application.
    Owner,
    /// An API key, by its id in the account.
    Key(i64),
    /// An access token of an application that the owner connected, by the id of the grant.
    Grant(String),
}

/// Whoever asks for something: a program with a key or a token, or a person.
#[derive(Debug, Clone)]
pub struct Actor {
    /// Whose books.
    pub account: i64,
    /// By what they are known.
    pub credential: Credential,
    /// What the key or token was given; a person has everything.
    pub scopes: Scopes,
    /// The account's plan.
    pub plan: Plan,
    /// Where the account's owner is established.
    pub country: CountryCode,
    /// Days between invoice date and due date unless an invoice says otherwise.
    pub payment_term_days: i64,
    /// How invoice numbers look.
    pub number_pattern: String,
    /// What the sales are as long as a line does not say.
    pub sales: SalesDefaults,
    /// The language that the books speak to programs.
    pub language: Language,
    /// What of the seller is known that must stand on invoices.
    pub supplier: Supplier,
    /// Which interface they use.
    pub origin: Origin,
    /// What makes the account a test account, if it is one.
    pub test: Option<TestMode>,
}

/// The scopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Every GET.
    Read,
    /// Every other POST, PATCH and DELETE.
    Write,
    /// Filing a VAT return, and opening one again.
    File,
}

impl Actor {
    /// The account's owner at the command line or in the application.
    #[must_use]
    pub fn owner(account: &store::accounts::Account) -> Self {
        Self {
            account: account.id,
            credential: Credential::Owner,
            scopes: Scopes { read: true, write: true, file: true },
            plan: account.plan,
            country: account.country,
            payment_term_days: account.payment_term_days,
            number_pattern: account.number_pattern.clone(),
            sales: account.sales,
            language: account.books_language(),
            supplier: account.supplier(),
            origin: Origin::App,
            test: account.test,
        }
    }

    /// The program that has a key or an access token.
    pub(crate) fn program<C>(holder: Holder<C>, credential: impl FnOnce(C) -> Credential) -> Self {
        Self {
            account: holder.account,
            credential: credential(holder.credential),
            scopes: holder.scopes,
            plan: holder.plan,
            country: holder.country,
            payment_term_days: holder.payment_term_days,
            number_pattern: holder.number_pattern,
            sales: holder.sales,
            language: holder.language,
            supplier: holder.supplier,
            origin: Origin::Api,
            test: holder.test,
        }
    }

    /// What time it is in the books: the server's, or in a test account what was set.
    #[must_use]
    pub(crate) fn clock(&self, now: Timestamp) -> Timestamp {
        self.test.map_or(now, |test| test.clock(now))
    }

    /// By what its calls are counted: a test account that is emptied is another account, and its caller the same.
    #[must_use]
    pub fn counted_as(&self) -> i64 {
        self.test.map_or(self.account, |test| -test.of)
    }

    /// # Errors
    /// The account is no test account.
    pub fn require_test_account(&self) -> Result<TestMode, Error> {
        self.test.ok_or(Error::TestAccountRequired)
    }

    /// The same, with the account's settings as they are while its books are locked. Those that came with the key or the session may be
    /// older, and what is written must go by the settings of its own moment.
    pub(crate) fn within(&self, books: &Books) -> Self {
        let account = &books.terms().account;
        Self {
            country: account.country,
            plan: account.plan,
            payment_term_days: account.payment_term_days,
            number_pattern: account.number_pattern.clone(),
            ..self.clone()
        }
    }

    /// # Errors
    /// The account's plan is below the minimum.
    pub fn require_plan(&self, minimum: Plan) -> Result<(), Error> {
        if self.plan >= minimum { Ok(()) } else { Err(Error::PlanRequired { minimum }) }
    }

    /// # Errors
    /// The key was not given this scope. `write` does not include `read`.
    pub fn require_scope(&self, scope: Scope) -> Result<(), Error> {
        let (has, name) = match scope {
            Scope::Read => (self.scopes.read, "read"),
            Scope::Write => (self.scopes.write, "write"),
            Scope::File => (self.scopes.file, "file"),
        };
        if has { Ok(()) } else { Err(Error::InsufficientScope(name)) }
    }

    /// # Errors
    /// The account is not Dutch.
    pub fn require_dutch(&self) -> Result<(), Error> {
        if self.country.is_dutch() { Ok(()) } else { Err(Error::DutchAccountRequired) }
    }
}
