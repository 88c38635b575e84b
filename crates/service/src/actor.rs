//! The caller of a command or query, and its permissions.

use crate::{AccessError, Error};
use jiff::Timestamp;
use ledger::{
    country::CountryCode, language::Language, own_account::OwnAccounts, vat::SalesDefaults,
    vat_period::VatUnits,
};
use store::{
    accounts::{Plan, Supplier, TestMode},
    books::Books,
    invoices::Origin,
    keys::{Holder, Scopes},
    vat_units,
};

/// Credential that identifies a caller.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Credential {
    /// The owner, at the command line or signed in to the web application.
    Owner,
    /// An API key, by its id in the account.
    Key(i64),
    /// Access token of an application that the owner connected, identified by the id of its grant.
    Grant(String),
}

/// Caller: a person, or a program with a key or a token.
#[derive(Debug, Clone)]
pub struct Actor {
    /// Account whose books the caller uses.
    pub account: i64,
    /// Credential of the caller.
    pub credential: Credential,
    /// Scopes of the key or token; a person has all of them.
    pub scopes: Scopes,
    /// Plan of the account.
    pub plan: Plan,
    /// Country in which the owner is established.
    pub country: CountryCode,
    /// Days between invoice date and due date unless an invoice has its own term.
    pub payment_term_days: i64,
    /// Pattern for invoice numbers.
    pub number_pattern: String,
    /// Default classification of sales, for lines that do not specify their own.
    pub sales: SalesDefaults,
    /// Language of generated texts, such as the descriptions of entries in the API.
    pub language: Language,
    /// Language of documents for customers without a language of their own.
    pub document_language: Language,
    /// Presence of each of the supplier details that invoices must state.
    pub supplier: Supplier,
    /// Unit of the account's VAT periods (month, quarter or year), by date.
    pub vat_units: VatUnits,
    /// Ledger accounts that the owner added.
    pub own_accounts: OwnAccounts,
    /// Interface that the caller uses.
    pub origin: Origin,
    /// Test mode, if the account is a test account.
    pub test: Option<TestMode>,
}

/// Scope of an API key or access token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// All GET requests.
    Read,
    /// All other methods (POST, PUT, PATCH and DELETE), except requests that need `File`.
    Write,
    /// Filing and reopening VAT returns.
    File,
}

impl Scope {
    /// Name in the API and in OAuth.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::File => "file",
        }
    }
}

impl Actor {
    /// Creates the caller for the account's owner, at the command line or in the web application.
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
            document_language: account.document_language(),
            supplier: account.supplier(),
            vat_units: vat_units::units(&account.vat_units),
            own_accounts: account.own_accounts.clone(),
            origin: Origin::App,
            test: account.test,
        }
    }

    /// Creates the caller for a program that holds an API key or an access token.
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
            language: holder.language.unwrap_or(Language::English),
            document_language: holder.language.unwrap_or(Language::Dutch),
            supplier: holder.supplier,
            vat_units: vat_units::units(&holder.vat_units),
            own_accounts: holder.own_accounts,
            origin: Origin::Api,
            test: holder.test,
        }
    }

    /// Current time of the books: server time or, in a test account, the time of its own clock.
    #[must_use]
    pub(crate) fn clock(&self, now: Timestamp) -> Timestamp {
        self.test.map_or(now, |test| test.clock(now))
    }

    /// Key of the caller's rate limit. Resetting a test account replaces the account, but this key
    /// stays the same.
    #[must_use]
    pub fn counted_as(&self) -> i64 {
        self.test.map_or(self.account, |test| -test.of)
    }

    /// Requires a test account; returns its test mode.
    ///
    /// # Errors
    /// The account is not a test account.
    pub fn require_test_account(&self) -> Result<TestMode, Error> {
        self.test.ok_or(AccessError::TestAccountRequired.into())
    }

    /// Returns the caller with the account's settings as read
    /// under the lock of the books. The values loaded with the credential may be outdated by then,
    /// and a write has to use the current ones.
    pub(crate) fn within(&self, books: &Books) -> Self {
        let account = &books.terms().account;
        Self {
            country: account.country,
            plan: account.plan,
            payment_term_days: account.payment_term_days,
            number_pattern: account.number_pattern.clone(),
            document_language: account.document_language(),
            vat_units: vat_units::units(&account.vat_units),
            own_accounts: account.own_accounts.clone(),
            ..self.clone()
        }
    }

    /// Requires at least the given plan.
    ///
    /// # Errors
    /// The account's plan is below the minimum.
    pub fn require_plan(&self, minimum: Plan) -> Result<(), Error> {
        if self.plan >= minimum {
            Ok(())
        } else {
            Err(AccessError::PlanRequired { minimum }.into())
        }
    }

    /// Requires a scope. `write` does not include `read`.
    ///
    /// # Errors
    /// The credential lacks this scope.
    pub fn require_scope(&self, scope: Scope) -> Result<(), Error> {
        let has = match scope {
            Scope::Read => self.scopes.read,
            Scope::Write => self.scopes.write,
            Scope::File => self.scopes.file,
        };
        if has { Ok(()) } else { Err(AccessError::InsufficientScope(scope.name()).into()) }
    }

    /// Requires a Dutch account.
    ///
    /// # Errors
    /// The account is not Dutch.
    pub fn require_dutch(&self) -> Result<(), Error> {
        if self.country.is_dutch() { Ok(()) } else { Err(AccessError::DutchAccountRequired.into()) }
    }
}
