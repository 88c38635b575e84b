//! Accounts that the owner adds to the program's chart: ledger accounts, and those of bank accounts.

use crate::{
    bank_account::BankAccounts,
    chart::{self, AccountCode, first_digits, fits, is_reserved},
    language::Language,
    money_account::MoneyAccount,
    rgs,
};
use std::sync::Arc;
use thiserror::Error;

/// Maximum number of own accounts in the books.
pub const MOST: usize = 200;

/// Account that the owner added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnAccount {
    /// Code.
    pub code: AccountCode,
    /// Name, in the owner's language.
    pub name: String,
    /// Code in the Referentie GrootboekSchema; it determines the class.
    pub rgs: String,
    /// Whether the account is no longer offered for new bookings.
    pub hidden: bool,
}

/// Reason why an account cannot be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Unsuitable {
    /// Another account has the code.
    #[error("taken")]
    Taken,
    /// The code is reserved for an account with a fixed function.
    #[error("reserved_account")]
    Reserved,
    /// The code does not begin with a digit of the class.
    #[error("out_of_range: {0}")]
    OtherDigit(&'static str),
    /// The RGS code is not in the list.
    #[error("unknown_rgs_code")]
    UnknownRgs,
}

/// Returns the code of an account with the given number and RGS code, whether or not the list still
/// has that code. `None` if the RGS code belongs to no class.
#[must_use]
pub fn code(number: u16, rgs: &str, vat_deductible: bool) -> Option<AccountCode> {
    let accumulated = rgs::is_accumulated_depreciation(rgs);
    (number < 10_000)
        .then(|| rgs::class(rgs))
        .flatten()
        .map(|class| AccountCode::own(number, class, vat_deductible, accumulated))
}

/// Own accounts of the books, ordered by code, and the bank accounts. A copy is cheap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnAccounts {
    own: Arc<[OwnAccount]>,
    banks: BankAccounts,
}

impl OwnAccounts {
    /// Orders accounts by code.
    #[must_use]
    pub fn new(mut accounts: Vec<OwnAccount>) -> Self {
        accounts.sort_by_key(|account| account.code);
        Self { own: accounts.into(), banks: BankAccounts::default() }
    }

    /// Returns the same own accounts with other bank accounts.
    #[must_use]
    pub fn with_banks(self, banks: BankAccounts) -> Self {
        Self { banks, ..self }
    }

    /// Returns the bank accounts.
    #[must_use]
    pub const fn banks(&self) -> &BankAccounts {
        &self.banks
    }

    /// Returns the codes of all accounts that the program's chart lacks, ordered.
    pub fn codes(&self) -> impl Iterator<Item = AccountCode> {
        let banks = self.banks.all().iter().map(|account| account.code);
        let own = self.own.iter().map(|account| account.code);
        let mut codes: Vec<AccountCode> = banks.filter(|code| code.is_own()).chain(own).collect();
        codes.sort_unstable();
        codes.into_iter()
    }

    /// Returns all own ledger accounts, ordered by code; bank accounts are not among them.
    #[must_use]
    pub fn all(&self) -> &[OwnAccount] {
        &self.own
    }

    /// Returns the accounts that are offered for new bookings, ordered by code.
    pub fn offered(&self) -> impl Iterator<Item = &OwnAccount> {
        self.own.iter().filter(|account| !account.hidden)
    }

    /// Returns the own account with the four digits of the code.
    #[must_use]
    pub fn find(&self, code: AccountCode) -> Option<&OwnAccount> {
        let place = self.own.binary_search_by_key(&code.get(), |account| account.code.get());
        place.ok().map(|place| &self.own[place])
    }

    /// Returns the code of the own account or bank account that a caller named. Any other code is
    /// returned unchanged.
    #[must_use]
    pub fn resolve(&self, code: AccountCode) -> AccountCode {
        self.code_of(code).filter(|_| !code.is_known()).unwrap_or(code)
    }

    /// Returns the code of the own account or bank account with the same four digits.
    #[must_use]
    pub fn code_of(&self, code: AccountCode) -> Option<AccountCode> {
        let bank = || self.banks.find(code).map(|account| account.code);
        self.find(code).map(|account| account.code).or_else(bank)
    }

    /// Returns the place of the money that a caller named: a method is on the default bank account
    /// of its kind, and a code names its bank account. `None` if no bank account has the code.
    #[must_use]
    pub fn money(&self, named: MoneyAccount) -> Option<MoneyAccount> {
        let Some(kind) = named.kind() else { return Some(named) };
        let account = match named {
            MoneyAccount::Other(_) => self.banks.find(named.code()),
            _ => self.banks.default_of(kind),
        };
        account.map(|account| named.on(account.code))
    }

    /// Returns the name of an account: that of the owner, or else that of the program.
    #[must_use]
    pub fn name(&self, code: AccountCode, language: Language) -> &str {
        let bank = self.banks.find(code).and_then(|account| account.name.as_deref());
        match (bank, chart::account(code)) {
            (Some(name), _) => name,
            (None, Some(account)) => account.name(language),
            (None, None) => self.find(code).map_or("", |account| &account.name),
        }
    }

    /// Returns the RGS code of an account.
    #[must_use]
    pub fn rgs(&self, code: AccountCode) -> &str {
        match (chart::account(code), self.banks.find(code)) {
            (Some(account), _) => account.rgs,
            (None, Some(account)) => account.kind().rgs(),
            (None, None) => self.find(code).map_or("", |account| &account.rgs),
        }
    }

    /// Returns the code of a new account, or every reason why it cannot be added.
    ///
    /// ```
    /// use ledger::own_account::{OwnAccounts, Unsuitable};
    ///
    /// let none = OwnAccounts::default();
    /// assert_eq!(none.check(4105, "WBedKanOka", true).map(|code| code.to_string()), Ok("4105".into()));
    /// assert_eq!(none.check(8105, "WBedKanOka", true), Err(vec![Unsuitable::OtherDigit("4, 7")]));
    /// ```
    ///
    /// # Errors
    /// The code is reserved, taken or does not fit the class, or the RGS code is unknown.
    pub fn check(
        &self,
        number: u16,
        rgs: &str,
        vat_deductible: bool,
    ) -> Result<AccountCode, Vec<Unsuitable>> {
        let code = rgs::find(rgs).and_then(|of| code(number, of.code, vat_deductible));
        let class = code.and_then(AccountCode::class);
        let is_taken = AccountCode::new(number).is_some()
            || self.own.iter().any(|account| account.code.get() == number);
        let of_code = if is_reserved(number) {
            Some(Unsuitable::Reserved)
        } else if is_taken {
            Some(Unsuitable::Taken)
        } else {
            class
                .filter(|class| !fits(*class, number))
                .map(|class| Unsuitable::OtherDigit(first_digits(class)))
        };
        match (code, of_code) {
            (Some(code), None) => Ok(code),
            (code, of_code) => {
                let of_rgs = code.is_none().then_some(Unsuitable::UnknownRgs);
                Err(of_code.into_iter().chain(of_rgs).collect())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chart::{Class, Role, codes},
        money::Cents,
        purchase,
        summary::{AmountOf, MonthTotal, annual_summary, begins_at_nought},
    };

    fn own(number: u16, rgs: &str) -> AccountCode {
        code(number, rgs, true).unwrap()
    }

    fn some() -> OwnAccounts {
        let of = |number, rgs: &str, hidden| OwnAccount {
            code: own(number, rgs),
            name: format!("Account {number}"),
            rgs: rgs.to_owned(),
            hidden,
        };
        OwnAccounts::new(vec![of(8105, "WOmzNodOdh", true), of(4105, "WBedKanOka", false)])
    }

    #[test]
    fn an_account_is_added_where_the_chart_has_room() {
        use Unsuitable::{OtherDigit, Reserved, Taken, UnknownRgs};
        let cases: &[(u16, &str, &[Unsuitable])] = &[
            (4106, "WBedKanOka", &[]),
            (7010, "WKprInhInh", &[]),
            (8110, "WOmzNodOdh", &[]),
            (250, "BMvaBeiVvp", &[]),
            (1650, "BSchOpaNtb", &[]),
            (650, "BEivKapPro", &[]),
            (1140, "BLimBanRba", &[]),
            (1530, "BSchOpaNtb", &[]),
            // Accounts of the program, and an own one.
            (600, "BEivKapPro", &[Taken]),
            (4100, "WBedKanOka", &[Taken]),
            (4105, "WBedKanOka", &[Taken]),
            (500, "BEivKapOnd", &[Reserved]),
            (599, "BEivKapOnd", &[Reserved]),
            (1000, "BLimKasKas", &[Reserved]),
            (1139, "BLimBanRba", &[Reserved]),
            (1300, "BVorDebHad", &[Reserved]),
            (1500, "BSchBepBtwVoo", &[Reserved]),
            (1529, "BSchBepBtwVoo", &[Reserved]),
            (1600, "BSchCreHac", &[Reserved]),
            (1640, "BSchTusTov", &[Reserved]),
            (1700, "BSchBepBtwOla", &[Reserved]),
            (1799, "BSchBepBtwOla", &[Reserved]),
            // The first digit fits the class.
            (4106, "BMvaBeiVvp", &[OtherDigit("0, 1")]),
            (4106, "WOmzNodOdh", &[OtherDigit("8")]),
            (8106, "WBedKanOka", &[OtherDigit("4, 7")]),
            (2000, "BMvaBeiVvp", &[OtherDigit("0, 1")]),
            (9999, "WBedKanOka", &[OtherDigit("4, 7")]),
            // Unknown, of the third level, and of another case.
            (4106, "WBedKanXxx", &[UnknownRgs]),
            (4106, "WBedKan", &[UnknownRgs]),
            (4106, "wbedkanoka", &[UnknownRgs]),
            (4100, "", &[Taken, UnknownRgs]),
        ];
        for (number, rgs, refused) in cases {
            let expected = if refused.is_empty() { None } else { Some(refused.to_vec()) };
            assert_eq!(some().check(*number, rgs, true).err(), expected, "{number} {rgs}");
        }
    }

    #[test]
    fn a_code_carries_the_class_and_prints_four_digits() {
        for (number, rgs, class) in [
            (250, "BMvaBeiVvp", Class::Asset),
            (260, "BMvaBeiCae", Class::Asset),
            (1650, "BSchOpaNtb", Class::Liability),
            (650, "BEivKapPro", Class::Equity),
            (8105, "WOmzNodOdh", Class::Revenue),
            (4105, "WBedKanOka", Class::Cost),
        ] {
            for deductible in [true, false] {
                let code = code(number, rgs, deductible).unwrap();
                assert_eq!((code.class(), code.get()), (Some(class), number));
                assert_eq!(code.to_string(), format!("{number:04}"));
                assert_eq!(AccountCode::restore(code.stored()), Some(code));
                assert_eq!(code.role(), Role::Ordinary);
                assert!(code.is_own() && code.is_known());
                let is_excluded = !deductible && rgs != "BMvaBeiCae";
                assert_eq!(purchase::is_never_deductible(code), is_excluded, "{rgs}");
            }
        }
        assert_eq!(AccountCode::restore(124_105), None);
        assert_eq!(AccountCode::restore(9_999), None);
    }

    #[test]
    fn accounts_are_ordered_by_their_digits() {
        let mut codes =
            [codes::REVENUE_HIGH, own(4105, "WBedKanOka"), codes::OFFICE, codes::SOFTWARE];
        codes.sort_unstable();
        assert_eq!(codes.map(AccountCode::get), [4100, 4105, 4110, 8000]);
    }

    #[test]
    fn a_named_code_has_a_class_once_it_is_found() {
        let accounts = some();
        let named = AccountCode::named("4105").unwrap();
        assert_eq!((named.class(), named.is_known(), named.is_own()), (None, false, false));
        assert!(!purchase::is_category(named));
        let found = accounts.resolve(named);
        assert_eq!(found.class(), Some(Class::Cost));
        assert!(purchase::is_category(found));
        assert_eq!(accounts.name(found, Language::English), "Account 4105");
        assert_eq!(accounts.rgs(found), "WBedKanOka");
        // Another code stays unknown, and one of the program is itself.
        let other = AccountCode::named("4107").unwrap();
        assert_eq!(accounts.resolve(other), other);
        assert_eq!(AccountCode::named("4100"), Some(codes::OFFICE));
        assert_eq!(accounts.resolve(codes::OFFICE), codes::OFFICE);
        assert_eq!(accounts.name(codes::OFFICE, Language::Dutch), "Kantoorkosten");
        // No class has such a code, or it is reserved.
        for text in ["410", "41050", "41O5", " 4105", "+410", "2000", "9999", "1799", "0599"] {
            assert_eq!(AccountCode::named(text), None, "{text}");
        }
        assert_eq!(accounts.offered().count(), 1);
    }

    /// Own accounts in the summary of the second year: costs and revenue begin at nought, equity
    /// and the balance sheet go on, and accumulated depreciation reduces the assets.
    #[test]
    fn own_accounts_are_part_of_the_summary_by_their_class() {
        let (cost, revenue) = (own(4105, "WBedKanOka"), own(8105, "WOmzNodOdh"));
        let (asset, accumulated) = (own(250, "BMvaBeiVvp"), own(260, "BMvaBeiCae"));
        let equity = own(650, "BEivKapPro");
        let total = |year, account, debit: i64| MonthTotal {
            year,
            month: 6,
            account,
            debit: Cents::new(debit.max(0)),
            credit: Cents::new((-debit).max(0)),
        };
        let months = [
            total(2026, asset, 100_000),
            total(2026, accumulated, -20_000),
            total(2026, revenue, -300_000),
            total(2026, cost, 20_000),
            total(2026, equity, -10_000),
            total(2026, codes::BANK, 210_000),
            total(2027, cost, 5_000),
            total(2027, accumulated, -20_000),
            total(2027, codes::BANK, 15_000),
        ];
        let summary = annual_summary(2027, &months, &[]);
        assert_eq!(
            summary.costs_by_account,
            [AmountOf { account: cost, amount: Cents::new(5_000) }]
        );
        assert!(summary.revenue_by_account.is_empty());
        let sheet = &summary.balance_sheet;
        let lines = |of: &[AmountOf]| -> Vec<(u16, i64)> {
            of.iter().map(|of| (of.account.get(), of.amount.get())).collect()
        };
        assert_eq!(lines(&sheet.assets), [(250, 100_000), (260, -40_000), (1100, 225_000)]);
        assert_eq!(lines(&sheet.equity), [(500, 280_000), (590, -5_000), (650, 10_000)]);
        assert!(sheet.liabilities.is_empty());
        assert_eq!(sheet.total, Cents::new(285_000));
        assert!(begins_at_nought(cost) && begins_at_nought(revenue));
        assert!(!begins_at_nought(equity) && !begins_at_nought(asset));
    }
}
