//! Tasks for a careful bookkeeper: statutory deadlines, and accounts that should have a zero
//! balance but do not.

use crate::{
    Context, Error, events, expenses, invoices,
    kor::{self, KorYear},
    unresolved::{self, Unresolved},
    vat_schemes,
};
use jiff::{
    ToSpan,
    civil::{Date, date},
};
use ledger::{
    bank_account::BankAccountKind,
    chart::{AccountCode, codes},
    event::{DAYS_OF_TRANSFER, Event, TransferHalf},
    money::Cents,
    vat_date::invoice_deadline,
};
use store::{
    Tx,
    events::StoredEvent,
    expense_table::{self, TableFilter},
    expenses::Expense,
    invoice_table::{self, Column, State},
    invoices::Invoice,
    ledger_cards as rows,
};

/// Maximum number of documents in a list.
const MOST: i64 = 200;
/// Lower bound of dates: earlier than any document, and storable in both database engines.
const FIRST_DAY: Date = date(1900, 1, 1);

/// Cost of gifts to one person in a year, in cents excluding VAT, up to which the VAT on the gifts
/// is deductible (art. 1 and 4 Besluit uitsluiting aftrek omzetbelasting 1968).
pub const GIFTS: Cents = Cents::new(22_700);

/// Open tasks, by kind.
#[derive(Debug, Clone)]
pub struct Duties {
    /// Invoices that are at least a year past due, each with the date one year after its due date.
    /// The return for the period that contains this date is the last one in which the VAT can be
    /// reclaimed (art. 29(2) Wet OB 1968).
    pub old_debtors: Vec<(Invoice, Date)>,
    /// Bills that are still unpaid a year after their date, each with the date on which that year
    /// ended and the VAT to repay. Deducted VAT is owed again a year after the bill was due (art.
    /// 29(7) Wet OB 1968).
    pub old_bills: Vec<(Expense, Date, Cents)>,
    /// Draft invoices with a date of supply, each with the deadline for sending the invoice (art.
    /// 34g Wet OB 1968).
    pub to_invoice: Vec<(Invoice, Date)>,
    /// Invoices without VAT because of the small businesses scheme that were supplied after its end.
    pub after_kor: Vec<Invoice>,
    /// Total cost of gifts this year, if it exceeds [`GIFTS`].
    pub gifts: Option<Cents>,
    /// Transfers of which one half is awaited for more than [`DAYS_OF_TRANSFER`] days.
    pub awaited: Vec<AwaitedTransfer>,
    /// Accounts 1785, 1130 and 1190, which should have a zero balance, with their balances: debit
    /// minus credit. Accounts whose balance is zero are omitted.
    pub unsettled: Vec<(AccountCode, Cents)>,
    /// Amounts without an explanation, and those owed to customers.
    pub unresolved: Unresolved,
    /// Revenue under the small businesses scheme; `None` if the account does not use the scheme.
    /// This is a figure to watch rather than a task.
    pub kor: Option<KorYear>,
}

/// Transfer of which one half is not booked, because the line of its bank account has not come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AwaitedTransfer {
    /// Id of the transfer.
    pub id: i64,
    /// Date of the other half.
    pub date: Date,
    /// Ledger account of the bank account whose line is awaited.
    pub account: AccountCode,
    /// Amount.
    pub amount: Cents,
}

impl Duties {
    /// Whether there is nothing to do.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.old_debtors.is_empty()
            && self.old_bills.is_empty()
            && self.to_invoice.is_empty()
            && self.after_kor.is_empty()
            && self.gifts.is_none()
            && self.awaited.is_empty()
            && self.unsettled.is_empty()
            && self.unresolved.is_empty()
    }
}

/// Reads the open tasks as of today.
///
/// # Errors
/// The storage failed.
pub fn read(tx: &mut Tx<'_>, cx: &Context) -> Result<Duties, Error> {
    let today = cx.today();
    let YearOld { debtors: old_debtors, bills: old_bills } = year_old(tx, cx, today)?;
    let drafts = documents(tx, cx, State::Draft, Column::Date, today)?;
    let to_invoice = drafts.into_iter().filter_map(|draft| {
        let deadline = invoice_deadline(draft.last_day_of_supply()?);
        Some((draft, deadline))
    });
    let mut unsettled = Vec::new();
    let banks = cx.actor.own_accounts.banks().all().iter();
    let providers = banks.filter(|account| account.kind() == BankAccountKind::PaymentProvider);
    let providers = providers.map(|account| account.code);
    let codes = [codes::VAT_CORRECTIONS].into_iter().chain(providers);
    for code in codes.chain([codes::MONEY_IN_TRANSIT]) {
        let balance = balance(tx, cx, code, today)?;
        if !balance.is_zero() {
            unsettled.push((code, balance));
        }
    }
    let (debit, credit) =
        rows::moved_until(tx, cx.actor.account, codes::GIFTS, (today, i64::MAX, i64::MAX))?;
    Ok(Duties {
        after_kor: kor::exempt_after_end(tx, cx.actor.account)?,
        old_debtors,
        old_bills,
        to_invoice: to_invoice.collect(),
        gifts: Some(debit - credit).filter(|gifts| *gifts > GIFTS),
        awaited: awaited(tx, cx, today)?,
        unsettled,
        unresolved: unresolved::read(tx, cx)?,
        kor: kor_year(tx, cx)?,
    })
}

/// Invoices and bills that have been unpaid for a year, with VAT to reclaim and VAT to repay
/// respectively.
#[derive(Debug, Clone, Default)]
pub struct YearOld {
    /// See [`Duties::old_debtors`].
    pub debtors: Vec<(Invoice, Date)>,
    /// See [`Duties::old_bills`].
    pub bills: Vec<(Expense, Date, Cents)>,
}

impl YearOld {
    /// Returns the total amount due on the invoices.
    #[must_use]
    pub fn owed(&self) -> Cents {
        self.debtors.iter().map(|(invoice, _)| invoices::amount_due(invoice)).sum()
    }

    /// Returns the total VAT to repay on the bills.
    #[must_use]
    pub fn vat(&self) -> Cents {
        self.bills.iter().map(|(.., vat)| *vat).sum()
    }
}

/// Reads the transfers of which one half has been awaited for too long on the given day.
fn awaited(tx: &mut Tx<'_>, cx: &Context, on: Date) -> Result<Vec<AwaitedTransfer>, Error> {
    let last = on.saturating_sub(i64::from(DAYS_OF_TRANSFER).days());
    let old = |stored: StoredEvent| {
        let Event::Transfer { from, to, amount, awaited: Some(half), .. } = stored.event else {
            return None;
        };
        let money = if half == TransferHalf::Departure { from } else { to };
        let (id, date, account) = (stored.id, stored.date, money.code());
        (date < last).then_some(AwaitedTransfer { id, date, account, amount })
    };
    Ok(events::awaited(tx, cx)?.into_iter().filter_map(old).collect())
}

/// Reads the invoices and bills that, on the given day, have been unpaid for a year. The cost
/// depends on the number of these documents, not on the number of all open invoices and bills.
///
/// # Errors
/// The storage failed.
pub fn year_old(tx: &mut Tx<'_>, cx: &Context, on: Date) -> Result<YearOld, Error> {
    let year_later = |day: Date| day.saturating_add(1.year());
    // One year after 29 February is 28 February. The query therefore selects up to two days too
    // many, and each document is then checked by its own date.
    let bound = on.saturating_sub(1.year()).saturating_add(2.days());
    let overdue = documents(tx, cx, State::Overdue, Column::DueDate, bound)?.into_iter();
    // VAT that is not due yet cannot be reclaimed.
    let overdue = overdue.filter(|invoice| invoice.vat_deferred.is_zero());
    let debtors = overdue.map(|of| (year_later(of.due_date), of)).filter(|(since, _)| *since <= on);
    let debtors = debtors.map(|(since, of)| (of, since)).collect();
    let mut bills = Vec::new();
    let unpaid = TableFilter {
        state: expense_table::State::Open,
        days: Some((FIRST_DAY, bound)),
        ..TableFilter::default()
    };
    let by_date = (expense_table::Column::Date, false);
    for bill in expense_table::rows(tx, cx.actor.account, &unpaid, by_date, (0, MOST))? {
        let since = year_later(bill.date);
        if since > on {
            continue;
        }
        let vat = expenses::to_repay(&expenses::price_again(tx, cx.actor.account, &bill)?, &bill);
        if vat > Cents::ZERO {
            bills.push((bill, since, vat));
        }
    }
    Ok(YearOld { debtors, bills })
}

/// Turnover of the current year under the small businesses scheme; `None` if it does not apply.
///
/// # Errors
/// The storage failed.
pub fn kor_year(tx: &mut Tx<'_>, cx: &Context) -> Result<Option<KorYear>, Error> {
    if vat_schemes::kor_since(tx, cx.actor.account, cx.today())?.is_none() {
        return Ok(None);
    }
    kor::read(tx, cx, None).map(Some)
}

fn documents(
    tx: &mut Tx<'_>,
    cx: &Context,
    state: State,
    order: Column,
    today: Date,
) -> Result<Vec<Invoice>, Error> {
    let filter = invoice_table::TableFilter {
        state,
        age: None,
        contact_id: None,
        text: None,
        amount: None,
        today,
        days: None,
    };
    Ok(invoice_table::rows(tx, cx.actor.account, &filter, (order, false), (0, MOST))?)
}

/// Returns the balance of a balance-sheet account at the end of the given day: debit minus credit.
fn balance(tx: &mut Tx<'_>, cx: &Context, code: AccountCode, today: Date) -> Result<Cents, Error> {
    let before = rows::sums(tx, cx.actor.account, i16::MIN, today.year() - 1)?;
    let opening: Cents =
        before.iter().filter(|of| of.code == code).map(|of| of.debit - of.credit).sum();
    let (debit, credit) =
        rows::moved_until(tx, cx.actor.account, code, (today, i64::MAX, i64::MAX))?;
    Ok(opening + debit - credit)
}
