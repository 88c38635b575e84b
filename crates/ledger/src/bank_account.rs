//! Bank accounts of the books: places of money at banks and payment providers, credit cards, and
//! cash. Each has a ledger account of its own.

use crate::{
    chart::{self, AccountCode, codes},
    identifiers::Iban,
    language::Language,
    named::named,
};
use jiff::Timestamp;
use std::{ops::RangeInclusive, sync::Arc};

/// Maximum number of identifiers of a bank account.
pub const MOST_IDENTIFIERS: usize = 10;

named! {
    /// Kind of bank account; it never changes.
    BankAccountKind {
        /// Account for payments.
        Checking => "checking",
        /// Savings account.
        Savings => "savings",
        /// Credit card.
        CreditCard => "creditCard",
        /// Cash box.
        Cash => "cash",
        /// Balance at a payment provider.
        PaymentProvider => "paymentProvider",
    }
}

impl BankAccountKind {
    /// Returns the kind of a bank account by its code; `None` if no bank account has the code.
    #[must_use]
    pub fn of(code: AccountCode) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.range().contains(&code.get()))
    }

    /// Ledger account of the first bank account of the kind.
    #[must_use]
    pub const fn first(self) -> AccountCode {
        match self {
            Self::Checking => codes::BANK,
            Self::Savings => codes::SAVINGS,
            Self::CreditCard => codes::CARD,
            Self::Cash => codes::CASH,
            Self::PaymentProvider => codes::PROVIDER_CLEARING,
        }
    }

    /// Codes of the bank accounts of the kind.
    const fn range(self) -> RangeInclusive<u16> {
        let first = self.first().get();
        first..=first + 9
    }

    /// Code in the Referentie GrootboekSchema, that of the first account.
    #[must_use]
    pub fn rgs(self) -> &'static str {
        chart::account(self.first()).map_or("", |account| account.rgs)
    }

    /// Name of a bank account that its owner has not named.
    #[must_use]
    pub const fn name(self, language: Language) -> &'static str {
        match (self, language) {
            (Self::Checking, _) => "Bank",
            (Self::Savings, Language::Dutch) => "Spaarrekening",
            (Self::Savings, Language::English) => "Savings account",
            (Self::CreditCard, Language::Dutch) => "Creditcard",
            (Self::CreditCard, Language::English) => "Credit card",
            (Self::Cash, Language::Dutch) => "Kas",
            (Self::Cash, Language::English) => "Cash",
            (Self::PaymentProvider, Language::Dutch) => "Betaalprovider",
            (Self::PaymentProvider, Language::English) => "Payment provider",
        }
    }
}

/// Bank account of the books.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BankAccount {
    /// Unique within the account.
    pub id: i64,
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// Ledger account, of this bank account for ever.
    pub code: AccountCode,
    /// Name, if the owner gave one.
    pub name: Option<String>,
    /// IBAN.
    pub iban: Option<Iban>,
    /// Other names of the account in files of banks, such as the old account number.
    pub identifiers: Vec<String>,
    /// Whether a payment method without a code uses the account.
    pub is_default: bool,
    /// Whether the account is no longer offered for new bookings.
    pub is_archived: bool,
    /// Time of creation.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

impl BankAccount {
    /// Kind, which follows from the code.
    #[must_use]
    pub fn kind(&self) -> BankAccountKind {
        BankAccountKind::of(self.code).unwrap_or(BankAccountKind::Checking)
    }

    /// Returns the name: the owner's, or else that of the kind.
    #[must_use]
    pub fn name(&self, language: Language) -> &str {
        self.name.as_deref().unwrap_or_else(|| self.kind().name(language))
    }

    /// Whether a file of a bank calls the account by this name: its IBAN, the account number in that
    /// IBAN, or one of the identifiers.
    fn is_called(&self, name: &str) -> bool {
        let compact = |text: &str| {
            let kept = text.chars().filter(|c| !c.is_whitespace() && *c != '.');
            kept.collect::<String>().to_uppercase()
        };
        let number = |text: &str| text.trim_start_matches('0').to_owned();
        let is_number_of = |iban: &Iban| {
            let digits = iban.as_str().get(iban.as_str().len().saturating_sub(10)..);
            digits.is_some_and(|digits| {
                digits.bytes().all(|byte| byte.is_ascii_digit()) && number(digits) == number(name)
            })
        };
        let has_it = |iban: &Iban| iban.as_str() == name || is_number_of(iban);
        self.iban.as_ref().is_some_and(has_it)
            || self.identifiers.iter().any(|own| compact(own) == name)
    }

    /// Whether the account has this name, in either language; case does not count.
    fn is_named(&self, name: &str) -> bool {
        let is_it = |own: &str| own.to_lowercase() == name.to_lowercase();
        match &self.name {
            Some(own) => is_it(own),
            None => Language::ALL.iter().any(|language| is_it(self.kind().name(*language))),
        }
    }
}

/// Bank accounts of the books, ordered by id. A copy is cheap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BankAccounts(Arc<[BankAccount]>);

impl BankAccounts {
    /// Returns the bank accounts with which books begin: one of each kind, with the ids 1 to 5.
    #[must_use]
    pub fn first(at: Timestamp) -> Self {
        let one = |(kind, id): (&BankAccountKind, i64)| BankAccount {
            id,
            external_id: None,
            code: kind.first(),
            name: None,
            iban: None,
            identifiers: Vec::new(),
            is_default: true,
            is_archived: false,
            created_at: at,
            updated_at: at,
        };
        Self(BankAccountKind::ALL.iter().zip(1..).map(one).collect())
    }

    /// Orders accounts by id. `None` unless ids count from 1, codes are those of bank accounts and
    /// differ, and each kind has one default, which is not archived.
    #[must_use]
    pub fn new(mut accounts: Vec<BankAccount>) -> Option<Self> {
        accounts.sort_by_key(|account| account.id);
        let are_counted = accounts.iter().zip(1..).all(|(account, id)| account.id == id);
        let mut codes: Vec<u16> = accounts.iter().map(|account| account.code.get()).collect();
        codes.sort_unstable();
        let are_distinct = codes.windows(2).all(|pair| pair[0] != pair[1]);
        let are_of_banks =
            accounts.iter().all(|account| BankAccountKind::of(account.code).is_some());
        let has_default = |kind: &BankAccountKind| {
            let of_kind = accounts.iter().filter(|of| of.kind() == *kind && of.is_default);
            let defaults: Vec<&BankAccount> = of_kind.collect();
            matches!(defaults[..], [one] if !one.is_archived)
        };
        let is_valid = are_counted
            && are_distinct
            && are_of_banks
            && BankAccountKind::ALL.iter().all(has_default);
        is_valid.then(|| Self(accounts.into()))
    }

    /// Returns all bank accounts, ordered by id.
    #[must_use]
    pub fn all(&self) -> &[BankAccount] {
        &self.0
    }

    /// Returns the bank account with the given id.
    #[must_use]
    pub fn by_id(&self, id: i64) -> Option<&BankAccount> {
        self.0.iter().find(|account| account.id == id)
    }

    /// Returns the bank account with the four digits of the code.
    #[must_use]
    pub fn find(&self, code: AccountCode) -> Option<&BankAccount> {
        self.0.iter().find(|account| account.code.get() == code.get())
    }

    /// Returns the bank account that a file of a bank calls by this name, in upper case and without
    /// blanks and dots. An account in use precedes an archived one.
    ///
    /// ```
    /// use jiff::Timestamp;
    /// use ledger::{
    ///     bank_account::{BankAccount, BankAccounts},
    ///     identifiers::Iban,
    /// };
    ///
    /// let accounts = BankAccounts::first(Timestamp::UNIX_EPOCH);
    /// let iban = Iban::parse("NL20INGB0001234567").ok();
    /// let accounts = accounts.with(BankAccount { iban, ..accounts.all()[1].clone() });
    /// for name in ["NL20INGB0001234567", "1234567", "0001234567"] {
    ///     assert_eq!(accounts.called(name).map(|account| account.id), Some(2));
    /// }
    /// assert_eq!(accounts.called("234567"), None);
    /// ```
    #[must_use]
    pub fn called(&self, name: &str) -> Option<&BankAccount> {
        let accounts = self.0.iter().filter(|account| account.is_called(name));
        accounts.min_by_key(|account| account.is_archived)
    }

    /// Returns the default bank account of a kind.
    #[must_use]
    pub fn default_of(&self, kind: BankAccountKind) -> Option<&BankAccount> {
        self.0.iter().find(|account| account.kind() == kind && account.is_default)
    }

    /// Returns the accounts of a kind that are offered for new bookings, the default first.
    #[must_use]
    pub fn offered(&self, kind: BankAccountKind) -> Vec<&BankAccount> {
        let of_kind = self.0.iter().filter(|of| of.kind() == kind && !of.is_archived);
        let mut accounts: Vec<&BankAccount> = of_kind.collect();
        accounts.sort_by_key(|account| (!account.is_default, account.code));
        accounts
    }

    /// Returns the lowest free code of a kind; `None` if ten bank accounts have one.
    ///
    /// ```
    /// use jiff::Timestamp;
    /// use ledger::bank_account::{BankAccounts, BankAccountKind};
    ///
    /// let accounts = BankAccounts::first(Timestamp::UNIX_EPOCH);
    /// let code = accounts.free_code(BankAccountKind::Savings);
    /// assert_eq!(code.map(|code| code.to_string()).as_deref(), Some("1111"));
    /// ```
    #[must_use]
    pub fn free_code(&self, kind: BankAccountKind) -> Option<AccountCode> {
        let is_free = |code: &AccountCode| self.find(*code).is_none();
        kind.range().filter_map(AccountCode::of_bank).find(is_free)
    }

    /// Whether an account that is not archived, other than the one with the id, has the name.
    #[must_use]
    pub fn has_name(&self, name: &str, except: i64) -> bool {
        self.0.iter().any(|of| of.id != except && !of.is_archived && of.is_named(name))
    }

    /// Whether an account other than the one with the id has the IBAN.
    #[must_use]
    pub fn has_iban(&self, iban: &Iban, except: i64) -> bool {
        self.0.iter().any(|of| of.id != except && of.iban.as_ref() == Some(iban))
    }

    /// Returns the accounts with a changed or new one. If that is a default, the other accounts of
    /// its kind no longer are, and change at the same time.
    #[must_use]
    pub fn with(&self, changed: BankAccount) -> Self {
        let mut accounts: Vec<BankAccount> = self.0.to_vec();
        for other in accounts.iter_mut().filter(|other| other.id != changed.id) {
            if changed.is_default && other.is_default && other.kind() == changed.kind() {
                other.is_default = false;
                other.updated_at = changed.updated_at;
            }
        }
        match accounts.iter_mut().find(|account| account.id == changed.id) {
            Some(account) => *account = changed,
            None => accounts.push(changed),
        }
        Self(accounts.into())
    }
}

impl Default for BankAccounts {
    fn default() -> Self {
        Self::first(Timestamp::UNIX_EPOCH)
    }
}

#[cfg(test)]
mod tests;
