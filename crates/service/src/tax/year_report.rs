//! Data for the year page in addition to its summary: cash flow, investments, private deposits and
//! drawings, and open tasks.

use super::{vat_filings, years};
use crate::{
    Context, Error,
    events::{self, EventDetails},
};
use jiff::civil::Date;
use ledger::{
    bank_account::BankAccountKind,
    chart::{AccountCode, Class, codes},
    money::Cents,
    own_account::{OwnAccount, OwnAccounts},
    vat_period::VatPeriod,
};
use std::collections::BTreeMap;
use store::{Tx, assets, journal};

/// Minimum cost in cents at which a business asset qualifies for the investment deduction (art.
/// 3.41 Wet IB 2001).
pub const LEAST_INVESTMENT: Cents = Cents::new(45_000);

/// Cash flow of a year, in cents.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CashFlow {
    /// Cash and bank balances at the start.
    pub opening: Cents,
    /// Profit.
    pub profit: Cents,
    /// Depreciation, which is a cost without a payment.
    pub depreciation: Cents,
    /// Change in working capital, including VAT: positive if less is receivable or more is owed.
    pub working_capital: Cents,
    /// Investments; negative.
    pub investments: Cents,
    /// Loans received less repayments.
    pub loans: Cents,
    /// Private deposits less drawings, tax and premiums.
    pub private: Cents,
    /// Cash and bank balances at the end: the sum of the above.
    pub closing: Cents,
}

/// Data about a year in addition to its summary.
#[derive(Debug, Clone)]
pub struct YearReport {
    /// Cash flow.
    pub cash_flow: CashFlow,
    /// Private deposits, drawings, tax and premiums of the year, by account; drawings are negative.
    pub private: Vec<(AccountCode, Cents)>,
    /// VAT periods of the year with an open return that is due or not empty.
    pub open_returns: Vec<VatPeriod>,
    /// Balances of the accounts for unresolved items (1190, 1640), debit minus credit.
    pub unsettled: Vec<(AccountCode, Cents)>,
    /// Whether no depreciation was booked although there are assets to depreciate.
    pub depreciation_missing: bool,
    /// Whether the previous year has entries and is still open.
    pub year_before_open: bool,
}

/// Branches of RGS with assets that have no small-scale investment deduction: means of transport,
/// land and goodwill (art. 3.45(1) Wet IB 2001).
const EXCLUDED: [&str; 3] = ["BMvaTev", "BMvaTer", "BIvaGoo"];

/// Debits less credits by account.
type Debited = BTreeMap<AccountCode, Cents>;

fn is_money(code: AccountCode) -> bool {
    BankAccountKind::of(code).is_some_and(|kind| kind != BankAccountKind::PaymentProvider)
}

/// Own accounts of the balance sheet that begin with 0 are fixed assets or long-term debts.
fn is_own_and_fixed(code: AccountCode, class: Class) -> bool {
    code.is_own() && code.get() < 1000 && code.class() == Some(class)
}

fn is_written_off(code: AccountCode) -> bool {
    let of_program = [
        codes::ACCUMULATED_AMORTISATION,
        codes::ACCUMULATED_DEPRECIATION,
        codes::ACCUMULATED_CAR_DEPRECIATION,
    ];
    of_program.contains(&code) || code.is_accumulated()
}

fn is_fixed_asset(code: AccountCode) -> bool {
    [codes::INTANGIBLES, codes::EQUIPMENT, codes::CAR].contains(&code)
        || (is_own_and_fixed(code, Class::Asset) && !code.is_accumulated())
}

fn is_loan(code: AccountCode) -> bool {
    [codes::BANK_LOAN, codes::OTHER_LOANS].contains(&code)
        || is_own_and_fixed(code, Class::Liability)
}

/// Sum of the accounts that `is_one` selects.
fn sum(of: &Debited, is_one: fn(AccountCode) -> bool) -> Cents {
    of.iter().filter(|(code, _)| is_one(**code)).map(|(_, debited)| *debited).sum()
}

/// Returns the data about a year in addition to its summary.
///
/// # Errors
/// The storage failed.
pub fn read(tx: &mut Tx<'_>, cx: &Context, year: i16) -> Result<YearReport, Error> {
    let (mut within, mut until) = (Debited::new(), Debited::new());
    for of in journal::month_totals(tx, cx.actor.account, (year, 12))? {
        let debited = of.debit - of.credit;
        *until.entry(of.account).or_default() += debited;
        if of.year == year {
            *within.entry(of.account).or_default() += debited;
        }
    }
    // The opening balance existed before the year, so it is not a movement of the year.
    if let Some(opening) = opening_of(tx, cx, year)? {
        for posting in opening.postings() {
            *within.entry(posting.account()).or_default() -= posting.debited() - posting.credited();
        }
    }
    let private: Vec<(AccountCode, Cents)> = within
        .iter()
        .filter(|(code, _)| is_private(**code))
        .map(|(code, debited)| (*code, -*debited))
        .collect();
    let unsettled = [codes::MONEY_IN_TRANSIT, codes::SUSPENSE];
    let unsettled = unsettled
        .iter()
        .filter_map(|code| Some((*code, *until.get(code)?)))
        .filter(|(_, amount)| !amount.is_zero());
    let mut open_returns = Vec::new();
    for period in vat_filings::returns(tx, cx)?
        .into_iter()
        .rev()
        .filter(|period| period.calendar_year() == year)
    {
        let details = vat_filings::read(tx, cx, period)?;
        let is_asked_for = details.is_asked_for() && period.last_day() < cx.today();
        if details.filed().is_none() && (is_asked_for || !details.is_empty()) {
            open_returns.push(period);
        }
    }
    let before = year - 1;
    let has_before = journal::month_totals(tx, cx.actor.account, (before, 12))?
        .iter()
        .any(|of| of.year == before);
    Ok(YearReport {
        cash_flow: cash_flow(&within, &until),
        private,
        open_returns,
        unsettled: unsettled.collect(),
        depreciation_missing: sum(&until, is_fixed_asset) > Cents::ZERO
            && sum(&within, is_written_off).is_zero(),
        year_before_open: has_before && !years::read(tx, cx, before)?.is_closed,
    })
}

/// Opening balance of the books, if it is dated in the year.
fn opening_of(tx: &mut Tx<'_>, cx: &Context, year: i16) -> Result<Option<EventDetails>, Error> {
    Ok(events::opening(tx, cx)?.filter(|opening| opening.stored.date.year() == year))
}

/// Cost in cents of the business assets bought in a year that qualify for the deduction for
/// small-scale investments. Excludes assets from the opening balance, assets below 450 euros, cars,
/// land and goodwill (art. 3.45 Wet IB 2001).
///
/// # Errors
/// The storage failed.
pub fn investments(tx: &mut Tx<'_>, cx: &Context, year: i16) -> Result<Cents, Error> {
    let (Ok(first), Ok(last)) = (Date::new(year, 1, 1), Date::new(year, 12, 31)) else {
        return Ok(Cents::ZERO);
    };
    let own = cx.actor.own_accounts.all().iter();
    let accounts = own.map(|account| account.code).chain([codes::CAR]);
    let excluded: Vec<AccountCode> =
        accounts.filter(|account| is_excluded(&cx.actor.own_accounts, *account)).collect();
    Ok(assets::bought(tx, cx.actor.account, (first, last), &excluded, LEAST_INVESTMENT)?)
}

/// Whether an asset qualifies for the small-scale investment deduction.
pub(super) fn is_investment(own: &OwnAccounts, account: AccountCode, cost: Cents) -> bool {
    !is_excluded(own, account) && cost >= LEAST_INVESTMENT
}

/// Whether an account records assets without a small-scale investment deduction: the program's
/// account of cars, or an own one in an excluded branch of RGS.
fn is_excluded(own: &OwnAccounts, account: AccountCode) -> bool {
    let is_in = |own: &OwnAccount| EXCLUDED.iter().any(|branch| own.rgs.starts_with(branch));
    account == codes::CAR || own.find(account).is_some_and(is_in)
}

fn cash_flow(within: &Debited, until: &Debited) -> CashFlow {
    let closing = sum(until, is_money);
    let opening = closing - sum(within, is_money);
    let is_result = |code: &AccountCode| matches!(code.class(), Some(Class::Revenue | Class::Cost));
    let profit: Cents =
        within.iter().filter(|(code, _)| is_result(code)).map(|(_, debited)| -*debited).sum();
    let private: Cents = within
        .iter()
        .filter(|(code, _)| code.class() == Some(Class::Equity))
        .map(|(_, debited)| -*debited)
        .sum();
    let (depreciation, investments, loans) =
        (-sum(within, is_written_off), -sum(within, is_fixed_asset), -sum(within, is_loan));
    let working_capital = closing - opening - profit - depreciation - investments - loans - private;
    CashFlow {
        opening,
        profit,
        depreciation,
        working_capital,
        investments,
        loans,
        private,
        closing,
    }
}

/// Whether an account records private deposits or drawings.
fn is_private(code: AccountCode) -> bool {
    (codes::PRIVATE_DEPOSITS..codes::RESULT).contains(&code)
}
