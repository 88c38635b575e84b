//! Names and choices of ledger accounts on pages: those of the program, and those of the owner.

use crate::page::Authenticated;
use ledger::{
    chart::{AccountCode, CHART},
    own_account::OwnAccounts,
};
use std::{borrow::Borrow, collections::BTreeSet};

impl Authenticated {
    /// Ledger accounts that the owner added.
    pub fn own_accounts(&self) -> &OwnAccounts {
        &self.who.account.own_accounts
    }

    /// Name of a ledger account.
    pub fn name_of_account(&self, code: AccountCode) -> &str {
        self.own_accounts().name(code, self.texts.language)
    }

    /// Code and name of a ledger account.
    pub fn account_name(&self, code: impl Borrow<AccountCode>) -> String {
        let code = *code.borrow();
        format!("{code} {}", self.name_of_account(code))
    }

    /// Code of the account of the books with these four digits.
    pub fn account_code(&self, text: &str) -> Option<AccountCode> {
        let code = self.own_accounts().resolve(AccountCode::named(text)?);
        code.is_known().then_some(code)
    }

    /// All accounts of the books, ordered by code.
    pub fn all_accounts(&self) -> impl Iterator<Item = AccountCode> {
        let own = self.own_accounts().codes();
        let codes: BTreeSet<AccountCode> =
            CHART.iter().map(|account| account.code).chain(own).collect();
        codes.into_iter()
    }

    /// Own accounts that are offered for new bookings, ordered by code.
    pub fn offered_own_accounts(&self) -> impl Iterator<Item = AccountCode> {
        self.own_accounts().offered().map(|account| account.code)
    }

    /// Accounts that are offered for new bookings, ordered by code.
    pub fn offered_accounts(&self) -> impl Iterator<Item = AccountCode> {
        let own = self.own_accounts();
        self.all_accounts().filter(|code| {
            own.find(*code).is_none_or(|account| !account.hidden)
                && own.banks().find(*code).is_none_or(|account| !account.is_archived)
        })
    }

    /// Choices of accounts: digits, and code with name.
    pub fn account_choices(
        &self,
        codes: impl Iterator<Item = AccountCode>,
    ) -> Vec<(String, String)> {
        codes.map(|code| (code.to_string(), self.account_name(code))).collect()
    }
}
