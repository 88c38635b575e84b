//! Names and choices of bank accounts on pages, and of the money that a booking uses.

use crate::page::Authenticated;
use ledger::{
    bank_account::{BankAccount, BankAccountKind, BankAccounts},
    booking::MoneyAccount,
};
use std::borrow::Borrow;

impl Authenticated {
    /// Bank accounts of the books.
    pub fn bank_accounts(&self) -> &BankAccounts {
        self.own_accounts().banks()
    }

    /// Name of a bank account.
    pub fn bank_account_name(&self, account: &BankAccount) -> String {
        account.name(self.texts.language).to_owned()
    }

    /// Bank accounts of a kind that are offered for new bookings, the default first: id and name.
    pub fn bank_account_choices(&self, kind: BankAccountKind) -> Vec<(String, String)> {
        let accounts = self.bank_accounts().offered(kind).into_iter();
        accounts.map(|account| (account.id.to_string(), self.bank_account_name(account))).collect()
    }

    /// Whether pages name the bank accounts of a kind: the owner has more than one, or named the
    /// only one.
    fn names_accounts(&self, kind: BankAccountKind) -> bool {
        let mut of_kind = self.bank_accounts().all().iter().filter(|of| of.kind() == kind);
        of_kind.clone().count() > 1 || of_kind.any(|account| account.name.is_some())
    }

    /// Name of the account that money is received on or paid from. A method that is only a place,
    /// such as `bank`, is named after its bank account if the owner has several or named it.
    pub fn money_account(&self, money: impl Borrow<MoneyAccount>) -> String {
        let money = *money.borrow();
        let account = self.bank_accounts().find(money.code()).filter(|_| is_place(money));
        match account.filter(|account| self.names_accounts(account.kind())) {
            Some(account) => self.bank_account_name(account),
            None => self.method(money).to_string(),
        }
    }

    /// Choices of money accounts: value and name of each. A place of which the owner has several
    /// accounts is offered once for each of them, the default first.
    pub fn money_accounts(&self, methods: &[MoneyAccount]) -> Vec<(String, String)> {
        let of_method = |method: &MoneyAccount| {
            let kind = method.kind().filter(|_| is_place(*method));
            let accounts = kind.map(|kind| self.bank_accounts().offered(kind)).unwrap_or_default();
            if accounts.len() < 2 {
                let money = self.own_accounts().money(*method).unwrap_or(*method);
                return vec![(method.as_str().to_owned(), self.money_account(money))];
            }
            let choice =
                |account: &BankAccount| (account.code.to_string(), self.bank_account_name(account));
            accounts.into_iter().map(choice).collect()
        };
        methods.iter().flat_map(of_method).collect()
    }

    /// Value of stored money among [`Self::money_accounts`].
    pub fn money_value(&self, money: MoneyAccount) -> String {
        let several = |kind| self.bank_accounts().offered(kind).len() > 1;
        let is_default = self.own_accounts().money(money.method()) == Some(money);
        if is_default && !(is_place(money) && money.kind().is_some_and(several)) {
            return money.as_str().to_owned();
        }
        money.kind().map_or_else(|| money.as_str().to_owned(), |_| money.code().to_string())
    }
}

/// Whether a method says only where the money is, not how it was paid.
fn is_place(money: MoneyAccount) -> bool {
    !matches!(
        money.method(),
        MoneyAccount::Private
            | MoneyAccount::DirectDebit
            | MoneyAccount::Ideal
            | MoneyAccount::Paypal
    )
}
