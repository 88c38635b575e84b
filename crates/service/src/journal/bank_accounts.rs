//! Bank accounts of the books: creating, editing and archiving them, and finding the one that a
//! command names.

use crate::{
    AccessError, BookingError, Context, Created, Environment, Error, Fault, Reason, context,
};
use jiff::civil::Date;
use ledger::{
    bank_account::{BankAccount, BankAccountKind, BankAccounts},
    booking::MoneyAccount,
    chart::AccountCode,
    identifiers::Iban,
    language::Language,
    money::Cents,
};
use std::collections::BTreeMap;
use store::{
    Tx, bank_accounts as rows, bank_lines, bank_statements, books, invoices::Origin, ledger_cards,
};

pub use store::bank_lines::LineFigures;

/// Number of bank accounts that a kind can have.
const MOST_OF_KIND: usize = 10;

/// Command that creates a bank account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewBankAccount {
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// Name.
    pub name: String,
    /// Kind, which never changes.
    pub kind: BankAccountKind,
    /// IBAN.
    pub iban: Option<Iban>,
    /// Other names of the account in files of banks.
    pub identifiers: Vec<String>,
    /// Whether the account becomes the default of its kind.
    pub is_default: bool,
}

/// Edit of a bank account. Fields that are `None` stay unchanged; `Some(None)` clears a field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EditBankAccount {
    /// The caller's own identifier.
    pub external_id: Option<Option<String>>,
    /// New name.
    pub name: Option<String>,
    /// New IBAN.
    pub iban: Option<Option<Iban>>,
    /// New identifiers.
    pub identifiers: Option<Vec<String>>,
    /// Whether the account is the default of its kind.
    pub is_default: Option<bool>,
    /// Whether the account is archived: no longer offered for new bookings.
    pub archived: Option<bool>,
}

/// Bank account with its balance in the books.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BankAccountDetails {
    /// The bank account.
    pub account: BankAccount,
    /// Debit less credit of all entries.
    pub balance: Cents,
    /// Whether an entry has ever used the account.
    pub is_used: bool,
    /// Latest balance according to the bank, if a bank statement stated one.
    pub bank_balance: Option<BankBalance>,
    /// Lines of bank statements.
    pub lines: LineFigures,
}

/// Balance according to the bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BankBalance {
    /// Day at the end of which the account had the balance.
    pub date: Date,
    /// Balance.
    pub amount: Cents,
    /// Balance less that in the books on the day.
    pub difference: Cents,
}

/// Returns the place of the money that the caller named, and the fault if no bank account has the
/// code.
pub(crate) fn money(
    cx: &Context,
    path: &str,
    named: MoneyAccount,
) -> (MoneyAccount, Option<Fault>) {
    match cx.actor.own_accounts.money(named) {
        Some(money) => (money, None),
        None => (named, Some(Fault::new(path, Reason::UnknownBankAccount))),
    }
}

/// Like [`money`], for the field `paidFrom`, in which an unpaid bill has no account.
pub(crate) fn paid_from(
    cx: &Context,
    named: Option<MoneyAccount>,
) -> (Option<MoneyAccount>, Option<Fault>) {
    match named {
        None => (None, None),
        Some(named) => {
            let (money, fault) = money(cx, "/paidFrom", named);
            (Some(money), fault)
        }
    }
}

/// Returns the ledger account of the bank account with the id, or of the default of the kind.
///
/// # Errors
/// The books have no bank account with the id; or it is at a payment provider where one at a bank
/// is needed, or the reverse.
pub(crate) fn of_kind(
    cx: &Context,
    path: &str,
    id: Option<i64>,
    kind: BankAccountKind,
) -> Result<AccountCode, Fault> {
    let banks = cx.actor.own_accounts.banks();
    let account = match id {
        Some(id) => banks.by_id(id),
        None => banks.default_of(kind),
    };
    let is_of_provider = |kind| kind == BankAccountKind::PaymentProvider;
    let account = account.filter(|of| is_of_provider(of.kind()) == is_of_provider(kind));
    account.map(|of| of.code).ok_or_else(|| Fault::new(path, Reason::UnknownBankAccount))
}

/// Requires a bank account that is not archived.
///
/// # Errors
/// The bank account is archived.
pub(crate) fn require_active(path: &str, bank: &BankAccount) -> Result<(), Fault> {
    if bank.is_archived {
        let code = bank.code.to_string();
        return Err(Fault::new(path, Reason::BankAccountArchived { code }));
    }
    Ok(())
}

/// Returns all bank accounts with their balances, ordered by id.
///
/// # Errors
/// The account is not Dutch, or the storage failed.
pub fn list(tx: &mut Tx<'_>, cx: &Context) -> Result<Vec<BankAccountDetails>, Error> {
    cx.actor.require_dutch()?;
    let sums = ledger_cards::sums(tx, cx.actor.account, i16::MIN, i16::MAX)?;
    let balances: BTreeMap<AccountCode, Cents> =
        sums.into_iter().map(|of| (of.code, of.debit - of.credit)).collect();
    let banks = cx.actor.own_accounts.banks();
    let mut stated: BTreeMap<i64, BankBalance> = BTreeMap::new();
    for (id, date, amount) in bank_statements::latest_balances(tx, cx.actor.account)? {
        let Some(account) = banks.by_id(id) else { continue };
        let days = ledger_cards::days(tx, cx.actor.account, account.code, date)?;
        let books: Cents = days.into_iter().map(|(_, amount)| amount).sum();
        stated.insert(id, BankBalance { date, amount, difference: amount - books });
    }
    let figures = bank_lines::figures(tx, cx.actor.account)?;
    let details = |account: &BankAccount| BankAccountDetails {
        account: account.clone(),
        balance: balances.get(&account.code).copied().unwrap_or_default(),
        is_used: balances.contains_key(&account.code),
        bank_balance: stated.get(&account.id).copied(),
        lines: figures.get(&account.id).copied().unwrap_or_default(),
    };
    Ok(banks.all().iter().map(details).collect())
}

/// Returns the bank account with the given id.
///
/// # Errors
/// The account is not Dutch, or the books have no such bank account.
pub fn read(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<BankAccountDetails, Error> {
    let accounts = list(tx, cx)?;
    accounts.into_iter().find(|of| of.account.id == id).ok_or(Error::NotFound("bank account"))
}

/// Returns the bank account with the given external id.
///
/// # Errors
/// The account is not Dutch, or the storage failed.
pub fn find_by_external_id(
    tx: &mut Tx<'_>,
    cx: &Context,
    external_id: Option<&str>,
) -> Result<Option<BankAccountDetails>, Error> {
    let Some(external_id) = external_id else { return Ok(None) };
    let accounts = list(tx, cx)?;
    let is_it = |of: &BankAccountDetails| of.account.external_id.as_deref() == Some(external_id);
    Ok(accounts.into_iter().find(is_it))
}

/// Creates a bank account on the lowest free code of its kind.
///
/// # Errors
/// The account is not Dutch; the kind has the maximum number of bank accounts; another one has the
/// name or the IBAN; cash would get an IBAN; or a program would change the default checking account.
pub fn create(
    tx: &mut Tx<'_>,
    cx: &Context,
    command: &NewBankAccount,
) -> Result<Created<BankAccountDetails>, Error> {
    context::transact(tx, cx, |tx, _, cx| {
        if let Some(existing) = find_by_external_id(tx, cx, command.external_id.as_deref())? {
            return Ok(Created::Existing(existing));
        }
        cx.actor.require_dutch()?;
        let banks = cx.actor.own_accounts.banks();
        let id = banks.all().last().map_or(1, |last| last.id + 1);
        let code = banks.free_code(command.kind);
        let account = BankAccount {
            id,
            external_id: command.external_id.clone(),
            code: code.unwrap_or(command.kind.first()),
            name: Some(command.name.clone()),
            iban: command.iban.clone(),
            identifiers: command.identifiers.clone(),
            is_default: command.is_default,
            is_archived: false,
            created_at: cx.now(),
            updated_at: cx.now(),
        };
        let full = Reason::TooManyBankAccounts { most: MOST_OF_KIND };
        let full = code.is_none().then(|| Fault::new("/kind", full));
        let faults: Vec<Fault> = full.into_iter().chain(faults(banks, None, &account)).collect();
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        if command.is_default && command.kind == BankAccountKind::Checking {
            require_page(cx)?;
        }
        rows::put(tx, cx.actor.account, banks, &banks.with(account.clone()))?;
        let details = BankAccountDetails {
            account,
            balance: Cents::ZERO,
            is_used: false,
            bank_balance: None,
            lines: LineFigures::default(),
        };
        Ok(Created::New(details))
    })
}

/// Edits a bank account. `expected` checks the preconditions on the stored one.
///
/// # Errors
/// The account is not Dutch; the books have no such bank account, or it has changed since the
/// caller read it; another one has the name, the IBAN or the external id; it would be archived with
/// a balance or as the default; or a program would change what only the owner may.
pub fn edit(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    command: &EditBankAccount,
    expected: &dyn Fn(&BankAccountDetails) -> bool,
) -> Result<BankAccountDetails, Error> {
    context::transact(tx, cx, |tx, _, cx| {
        let stored = read(tx, cx, id)?;
        if !expected(&stored) {
            return Err(Error::Changed);
        }
        let banks = cx.actor.own_accounts.banks();
        let old = &stored.account;
        let account = edited(old, command);
        if account == *old {
            return Ok(stored);
        }
        let faults = faults(banks, Some(old), &account);
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        let prints_iban = old.kind() == BankAccountKind::Checking && old.is_default;
        if needs_password(banks, id, command) || (prints_iban && account.iban != old.iban) {
            require_page(cx)?;
        }
        let loses_default = old.is_default && !account.is_default;
        if loses_default || (account.is_default && account.is_archived) {
            return Err(BookingError::IsDefault.into());
        }
        if account.is_archived && !old.is_archived && !stored.balance.is_zero() {
            return Err(BookingError::BankAccountInUse(stored.balance).into());
        }
        if account.is_archived && !old.is_archived && stored.lines.new > 0 {
            return Err(BookingError::BankAccountHasLines(stored.lines.new).into());
        }
        let account = BankAccount { updated_at: cx.now(), ..account };
        rows::put(tx, cx.actor.account, banks, &banks.with(account.clone()))?;
        Ok(BankAccountDetails { account, ..stored })
    })
}

fn edited(old: &BankAccount, command: &EditBankAccount) -> BankAccount {
    let name = command.name.clone().filter(|name| !is_name_of_kind(old, name));
    BankAccount {
        external_id: command.external_id.clone().unwrap_or_else(|| old.external_id.clone()),
        name: name.or_else(|| old.name.clone()),
        iban: command.iban.clone().unwrap_or_else(|| old.iban.clone()),
        identifiers: command.identifiers.clone().unwrap_or_else(|| old.identifiers.clone()),
        is_default: command.is_default.unwrap_or(old.is_default),
        is_archived: command.archived.unwrap_or(old.is_archived),
        ..old.clone()
    }
}

/// Whether an account without a name of its own is shown by this name already, so that a form
/// returns it unchanged.
fn is_name_of_kind(account: &BankAccount, name: &str) -> bool {
    account.name.is_none() && Language::ALL.iter().any(|of| account.kind().name(*of) == name)
}

/// Returns the faults of a new or changed account beside the others.
fn faults(banks: &BankAccounts, old: Option<&BankAccount>, account: &BankAccount) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut say = |path: &str, reason| faults.push(Fault::new(path, reason));
    let is_renamed = old.is_none_or(|old| old.name != account.name || old.is_archived);
    let names: Vec<&str> = match &account.name {
        Some(name) => vec![name],
        None => Language::ALL.iter().map(|language| account.name(*language)).collect(),
    };
    let mut taken = names.into_iter().filter(|name| banks.has_name(name, account.id));
    if let Some(name) = taken.next().filter(|_| is_renamed && !account.is_archived) {
        say("/name", Reason::BankNameTaken { name: name.to_owned() });
    }
    if let Some(iban) = &account.iban {
        if account.kind() == BankAccountKind::Cash {
            say("/iban", Reason::CashWithoutIban);
        } else if banks.has_iban(iban, account.id) {
            say("/iban", Reason::IbanTaken { iban: iban.to_string() });
        }
    }
    if let Some(external_id) = &account.external_id {
        let has_it = |of: &&BankAccount| of.external_id.as_ref() == Some(external_id);
        if banks.all().iter().filter(has_it).any(|of| of.id != account.id) {
            say("/externalId", Reason::ExternalIdTaken);
        }
    }
    faults
}

/// Whether a person needs a recent password for an edit: it changes an IBAN that is set, or makes
/// another account the default checking account, whose IBAN invoices print.
#[must_use]
pub fn needs_password(banks: &BankAccounts, id: i64, command: &EditBankAccount) -> bool {
    let Some(account) = banks.by_id(id) else { return false };
    let changes_iban =
        account.iban.is_some() && command.iban.as_ref().is_some_and(|iban| *iban != account.iban);
    let becomes_default = command.is_default == Some(true) && !account.is_default;
    changes_iban || (becomes_default && account.kind() == BankAccountKind::Checking)
}

/// Requires a person: a stolen key must not redirect the payments of customers.
fn require_page(cx: &Context) -> Result<(), Error> {
    if cx.actor.origin == Origin::Api { Err(AccessError::PageOnly.into()) } else { Ok(()) }
}

/// Returns the fault if another bank account has the IBAN that invoices would print.
pub(crate) fn iban_fault(banks: &BankAccounts, iban: Option<&Iban>) -> Option<Fault> {
    let iban = iban?;
    let checking = banks.default_of(BankAccountKind::Checking).map_or(0, |account| account.id);
    let reason = Reason::IbanTaken { iban: iban.to_string() };
    banks.has_iban(iban, checking).then(|| Fault::new("/iban", reason))
}

/// Records a change of the default checking account, after the settings changed its IBAN.
pub(crate) fn iban_changed(tx: &mut Tx<'_>, env: &Environment, account: i64) -> Result<(), Error> {
    books::transact(tx, account, env.now, |tx, books, now| {
        let banks = books.terms().account.own_accounts.banks();
        let Some(checking) = banks.default_of(BankAccountKind::Checking) else { return Ok(()) };
        let changed = BankAccount { updated_at: now, ..checking.clone() };
        Ok(rows::put(tx, account, banks, &banks.with(changed))?)
    })
}
