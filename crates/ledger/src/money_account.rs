//! Sources and destinations of money: a method of payment on a bank account, or private money.

use crate::{
    bank_account::BankAccountKind,
    chart::{AccountCode, codes},
    money::Cents,
    named::Named,
};

/// Source or destination of money.
///
/// The methods of the API are on the first bank account of their kind, so `Bank` is account 1100
/// for ever. A method on another bank account is [`MoneyAccount::Other`], made by
/// [`MoneyAccount::on`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MoneyAccount {
    /// Business bank account.
    Bank,
    /// Business savings account.
    Savings,
    /// Cash box.
    Cash,
    /// Business credit card.
    Card,
    /// The owner's private money.
    Private,
    /// Bank account, by direct debit authorised by the payer.
    DirectDebit,
    /// Payment provider, by iDEAL.
    Ideal,
    /// PayPal.
    Paypal,
    /// Payment provider, by another payment method such as the customer's card.
    Provider,
    /// A method on another bank account than the first of its kind.
    Other(OtherAccount),
}

/// Method on another bank account than the first of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OtherAccount {
    method: &'static MoneyAccount,
    code: AccountCode,
}

impl MoneyAccount {
    /// All methods, each on the first bank account of its kind.
    pub const ALL: &'static [Self] = &[
        Self::Bank,
        Self::Savings,
        Self::Cash,
        Self::Card,
        Self::Private,
        Self::DirectDebit,
        Self::Ideal,
        Self::Paypal,
        Self::Provider,
    ];

    /// Name of the method in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Bank => "bank",
            Self::Savings => "savings",
            Self::Cash => "cash",
            Self::Card => "card",
            Self::Private => "private",
            Self::DirectDebit => "directDebit",
            Self::Ideal => "ideal",
            Self::Paypal => "paypal",
            Self::Provider => "provider",
            Self::Other(other) => other.method.as_str(),
        }
    }

    /// Returns the method with the given name, on the first bank account of its kind.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|method| method.as_str() == text)
    }

    /// Text in the database: the method, followed by the code of the bank account unless it is the
    /// first of its kind.
    ///
    /// ```
    /// use ledger::{chart::AccountCode, money_account::MoneyAccount};
    ///
    /// let second = AccountCode::of_bank(1101).map(|code| MoneyAccount::DirectDebit.on(code));
    /// assert_eq!(second.map(MoneyAccount::stored).as_deref(), Some("directDebit 1101"));
    /// assert_eq!(MoneyAccount::restore("directDebit 1101"), second);
    /// assert_eq!(MoneyAccount::Bank.stored(), "bank");
    /// ```
    #[must_use]
    pub fn stored(self) -> String {
        match self {
            Self::Other(other) => format!("{} {}", other.method.as_str(), other.code),
            method => method.as_str().to_owned(),
        }
    }

    /// Reads the text of [`MoneyAccount::stored`].
    #[must_use]
    pub fn restore(text: &str) -> Option<Self> {
        let Some((method, digits)) = text.split_once(' ') else { return Self::parse(text) };
        let method = Self::parse(method)?;
        let code = AccountCode::of_bank(AccountCode::digits(digits)?)?;
        let other = method.on(code);
        (method.kind() == BankAccountKind::of(code) && other != method).then_some(other)
    }

    /// Returns the bank account that a caller named by its code, to be found by
    /// [`crate::own_account::OwnAccounts::money`]; `None` if no bank account can have the code.
    #[must_use]
    pub fn named(number: u16) -> Option<Self> {
        let kind = BankAccountKind::of(AccountCode::of_bank(number)?)?;
        let method = Self::of_kind(kind);
        Some(Self::Other(OtherAccount { method, code: AccountCode::unresolved(number) }))
    }

    /// Returns the method of a transfer to or from a bank account of the kind.
    pub(crate) const fn of_kind(kind: BankAccountKind) -> &'static Self {
        match kind {
            BankAccountKind::Checking => &Self::Bank,
            BankAccountKind::Savings => &Self::Savings,
            BankAccountKind::CreditCard => &Self::Card,
            BankAccountKind::Cash => &Self::Cash,
            BankAccountKind::PaymentProvider => &Self::Provider,
        }
    }

    /// Returns the method on a bank account of its kind.
    #[must_use]
    pub fn on(self, code: AccountCode) -> Self {
        let method = self.method();
        match Self::ALL.iter().find(|of| **of == method) {
            Some(method) if method.code() != code => Self::Other(OtherAccount { method, code }),
            _ => method,
        }
    }

    /// Returns the method, on the first bank account of its kind.
    #[must_use]
    pub const fn method(self) -> Self {
        match self {
            Self::Other(other) => *other.method,
            method => method,
        }
    }

    /// Kind of the bank account; `None` for private money.
    #[must_use]
    pub const fn kind(self) -> Option<BankAccountKind> {
        Some(match self.method() {
            Self::Bank | Self::DirectDebit => BankAccountKind::Checking,
            Self::Ideal | Self::Paypal | Self::Provider => BankAccountKind::PaymentProvider,
            Self::Savings => BankAccountKind::Savings,
            Self::Cash => BankAccountKind::Cash,
            Self::Card => BankAccountKind::CreditCard,
            Self::Private | Self::Other(_) => return None,
        })
    }

    /// Returns the account in the chart. Private money maps to private deposits, the account for
    /// business costs that the owner pays.
    #[must_use]
    pub const fn code(self) -> AccountCode {
        match self {
            Self::Other(other) => other.code,
            method => match method.kind() {
                Some(kind) => kind.first(),
                None => codes::PRIVATE_DEPOSITS,
            },
        }
    }

    /// Returns the account for receiving `amount` (negative: paying it). Money received privately
    /// is a drawing.
    pub(crate) fn receiving(self, amount: Cents) -> AccountCode {
        if self == Self::Private && amount > Cents::ZERO {
            codes::PRIVATE_DRAWINGS
        } else {
            self.code()
        }
    }
}

impl Named for MoneyAccount {
    const NAMED: &'static [(&'static str, Self)] = &[
        ("bank", Self::Bank),
        ("savings", Self::Savings),
        ("cash", Self::Cash),
        ("card", Self::Card),
        ("private", Self::Private),
        ("directDebit", Self::DirectDebit),
        ("ideal", Self::Ideal),
        ("paypal", Self::Paypal),
        ("provider", Self::Provider),
    ];

    fn name(self) -> &'static str {
        self.as_str()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(method: MoneyAccount, number: u16) -> MoneyAccount {
        method.on(AccountCode::of_bank(number).unwrap())
    }

    #[test]
    fn names_and_methods_agree() {
        assert_eq!(MoneyAccount::NAMED.len(), MoneyAccount::ALL.len());
        for ((name, method), of) in MoneyAccount::NAMED.iter().zip(MoneyAccount::ALL) {
            assert_eq!((*name, *method), (of.as_str(), *of));
            assert_eq!(MoneyAccount::parse(name), Some(*method));
            assert_eq!(MoneyAccount::restore(&method.stored()), Some(*method));
        }
    }

    #[test]
    fn a_method_is_on_the_account_that_it_is_placed_on() {
        let other = on(MoneyAccount::Ideal, 1131);
        assert_eq!((other.code().get(), other.as_str()), (1131, "ideal"));
        assert_eq!(other.method(), MoneyAccount::Ideal);
        assert_eq!(on(other, 1130), MoneyAccount::Ideal);
        assert_eq!(on(MoneyAccount::Bank, 1100), MoneyAccount::Bank);
    }

    #[test]
    fn texts_that_belong_to_no_account_are_not_restored() {
        let texts = ["", "bank ", "bank 1100", "bank 1110", "bank 1140", "private 1101", "cheque"];
        for text in texts {
            assert_eq!(MoneyAccount::restore(text), None, "{text}");
        }
    }

    #[test]
    fn a_named_code_is_not_known_before_it_is_found() {
        for number in [1100, 1101, 1000, 1139] {
            let named = MoneyAccount::named(number).unwrap();
            assert_eq!((named.code().get(), named.code().is_known()), (number, false));
        }
        assert_eq!(MoneyAccount::named(1140), None);
        assert_eq!(MoneyAccount::named(500), None);
    }
}
