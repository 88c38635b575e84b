//! Chart of accounts: the program's accounts, those that the owner adds, renames and hides, and those
//! of bank accounts.

use super::ledger_cards;
use crate::{BookingError, Context, Error, Fault, Reason, context};
use ledger::{
    chart::{self, AccountCode, CHART, Class},
    language::Language,
    money::Cents,
    own_account::{MOST, OwnAccount, OwnAccounts, Unsuitable},
    purchase,
};
use std::collections::BTreeMap;
use store::{Tx, own_accounts as rows};

/// Command that adds an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAccount {
    /// Four digits.
    pub number: u16,
    /// Name.
    pub name: String,
    /// Code in the Referentie GrootboekSchema.
    pub rgs: String,
    /// Whether the VAT of purchases on the account may be deducted.
    pub vat_deductible: bool,
}

/// Command that renames, hides or shows an own account; absent values stay unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EditAccount {
    /// New name.
    pub name: Option<String>,
    /// Whether the account is hidden: no longer offered for new bookings.
    pub hidden: Option<bool>,
}

/// Account of the books.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerAccount {
    /// Code.
    pub code: AccountCode,
    /// Name.
    pub name: String,
    /// Code in the Referentie GrootboekSchema.
    pub rgs: String,
    /// Class.
    pub class: Class,
    /// Whether the account is no longer offered for new bookings.
    pub hidden: bool,
    /// Whether a manual entry may use the account.
    pub bookable: bool,
    /// Whether the VAT of purchases on the account may be deducted.
    pub vat_deductible: bool,
    /// Balance, debit less credit. For revenue, costs and private accounts, that of the current
    /// year.
    pub balance: Cents,
}

impl LedgerAccount {
    fn new(code: AccountCode, class: Class, (name, rgs): (&str, &str), hidden: bool) -> Self {
        Self {
            code,
            name: name.to_owned(),
            rgs: rgs.to_owned(),
            class,
            hidden,
            bookable: !chart::is_kept_by_program(code),
            vat_deductible: !purchase::is_never_deductible(code),
            balance: Cents::ZERO,
        }
    }

    fn own(account: &OwnAccount) -> Option<Self> {
        let class = account.code.class()?;
        Some(Self::new(account.code, class, (&account.name, &account.rgs), account.hidden))
    }
}

/// Returns all accounts of the books with their balances, ordered by code. The names of the
/// program's accounts are in `language`.
///
/// # Errors
/// The storage failed.
pub fn list(
    tx: &mut Tx<'_>,
    cx: &Context,
    language: Language,
) -> Result<Vec<LedgerAccount>, Error> {
    let of_program = CHART.iter().map(|account| {
        let words = (account.name(language), account.rgs);
        LedgerAccount::new(account.code, account.class, words, false)
    });
    let all = &cx.actor.own_accounts;
    let of_program = of_program.map(|account| named(all, account, language));
    let own = all.all().iter().filter_map(LedgerAccount::own);
    let banks = all.banks().all().iter().filter(|account| account.code.is_own());
    let banks = banks.map(|account| {
        let words = (account.name(language), account.kind().rgs());
        LedgerAccount::new(account.code, Class::Asset, words, account.is_archived)
    });
    let mut accounts: Vec<LedgerAccount> = of_program.chain(own).chain(banks).collect();
    accounts.sort_by_key(|account| account.code);
    let balances = balances(tx, cx)?;
    for account in &mut accounts {
        account.balance = balances.get(&account.code).copied().unwrap_or_default();
    }
    Ok(accounts)
}

/// Returns an account of the program as the owner's bank account with its code has it: with its
/// name, if the owner gave one, and hidden if it is archived.
fn named(own: &OwnAccounts, account: LedgerAccount, language: Language) -> LedgerAccount {
    let name = own.name(account.code, language).to_owned();
    let hidden = own.banks().find(account.code).is_some_and(|of| of.is_archived);
    LedgerAccount { name, hidden, ..account }
}

/// Returns the account with the given code.
///
/// # Errors
/// The books have no such ledger account.
pub fn read(
    tx: &mut Tx<'_>,
    cx: &Context,
    number: u16,
    language: Language,
) -> Result<LedgerAccount, Error> {
    let accounts = list(tx, cx, language)?;
    let is_it = |account: &LedgerAccount| account.code.get() == number;
    accounts.into_iter().find(is_it).ok_or(Error::NotFound("ledger account"))
}

fn balances(tx: &mut Tx<'_>, cx: &Context) -> Result<BTreeMap<AccountCode, Cents>, Error> {
    let sums = ledger_cards::trial_balance(tx, cx, cx.today().year())?;
    Ok(sums.into_iter().map(|of| (of.code, of.closing())).collect())
}

/// Adds an account.
///
/// # Errors
/// The account is not Dutch, the code is reserved, taken or does not fit the class of the RGS code,
/// the RGS code is unknown, or the books have the maximum number of own accounts.
pub fn add(tx: &mut Tx<'_>, cx: &Context, command: &NewAccount) -> Result<LedgerAccount, Error> {
    context::transact(tx, cx, |tx, _, cx| {
        cx.actor.require_dutch()?;
        let own = &cx.actor.own_accounts;
        let code = own
            .check(command.number, &command.rgs, command.vat_deductible)
            .map_err(|unsuitable| Error::Invalid(unsuitable.into_iter().map(fault).collect()))?;
        if own.all().len() >= MOST {
            return Err(Error::fault("/code", Reason::TooManyAccounts { most: MOST }));
        }
        let account = OwnAccount {
            code,
            name: command.name.clone(),
            rgs: command.rgs.clone(),
            hidden: false,
        };
        let accounts = own.all().iter().cloned().chain([account.clone()]).collect();
        rows::put(tx, cx.actor.account, &OwnAccounts::new(accounts))?;
        LedgerAccount::own(&account).ok_or(Error::NotFound("ledger account"))
    })
}

fn fault(unsuitable: Unsuitable) -> Fault {
    match unsuitable {
        Unsuitable::Taken => Fault::new("/code", Reason::AccountTaken),
        Unsuitable::Reserved => Fault::new("/code", Reason::ReservedAccount),
        Unsuitable::OtherDigit(digits) => Fault::new("/code", Reason::OtherDigit { digits }),
        Unsuitable::UnknownRgs => Fault::new("/rgsCode", Reason::UnknownRgsCode),
    }
}

/// Renames, hides or shows an own account. An account with a balance cannot be hidden. `expected`
/// checks the preconditions on the stored account, whose name it gets in the language.
///
/// # Errors
/// The account is not Dutch, the books have no such ledger account, it is one of the program's, it
/// has changed since the caller read it, or it has a balance and would be hidden.
pub fn edit(
    tx: &mut Tx<'_>,
    cx: &Context,
    number: u16,
    command: &EditAccount,
    (language, expected): (Language, &dyn Fn(&LedgerAccount) -> bool),
) -> Result<LedgerAccount, Error> {
    context::transact(tx, cx, |tx, _, cx| {
        cx.actor.require_dutch()?;
        let stored = read(tx, cx, number, language)?;
        if !expected(&stored) {
            return Err(Error::Changed);
        }
        let own = &cx.actor.own_accounts;
        let (code, balance) = (stored.code, stored.balance);
        let Some(old) = own.find(code) else {
            return Err(BookingError::AccountOfProgram(number).into());
        };
        let mut new = old.clone();
        new.name = command.name.clone().unwrap_or(new.name);
        new.hidden = command.hidden.unwrap_or(new.hidden);
        if new.hidden && !old.hidden && !balance.is_zero() {
            return Err(BookingError::AccountInUse { code: number, balance }.into());
        }
        if new != *old {
            let others = own.all().iter().filter(|other| other.code != new.code).cloned();
            let accounts = OwnAccounts::new(others.chain([new.clone()]).collect());
            rows::put(tx, cx.actor.account, &accounts)?;
        }
        let account = LedgerAccount::own(&new).ok_or(Error::NotFound("ledger account"))?;
        Ok(LedgerAccount { balance, ..account })
    })
}
