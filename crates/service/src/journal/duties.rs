//! Lists that a careful bookkeeper keeps: what the law sets a day for, and what stands on accounts that should come to nought.

use crate::{Actor, Error, expenses};
use jiff::{ToSpan, civil::Date};
use ledger::{
    chart::{AccountCode, codes},
    money::Cents,
    vat_date::invoice_deadline,
};
use store::{
    Tx,
    expense_table::{self, TableFilter},
    expenses::Expense,
    invoice_table::{self, Column, State},
    invoices::Invoice,
    ledger_cards as rows,
};

/// Documents of a list at the most.
const MOST: i64 = 200;

/// What the VAT on gifts to one person is deductible up to, per year and excluding VAT (art. 1 and 4 Besluit uitsluiting aftrek
/// omzetbelasting 1968).
pub const GIFTS: Cents = Cents::new(22_700);

/// What there is to do.
#[derive(Debug, Clone)]
pub struct Duties {
    /// Invoices that are a year past due: their VAT is given back, at the latest in the return of that day (art. 29(2) Wet OB 1968). With
    /// the day from which it can be asked back.
    pub old_debtors: Vec<(Invoice, Date)>,
    /// Bills that are unpaid a year after their day: the VAT that was deducted on them is owed again, a year after they were due (art. 29(7) Wet
    /// OB 1968). With the day on which the year was over, and the VAT.
    pub old_bills: Vec<(Expense, Date, Cents)>,
    /// Drafts of what was supplied, with the day by which each must be out (art. 34g Wet OB 1968).
    pub to_invoice: Vec<(Invoice, Date)>,
    /// Costs of gifts of the year, where they are above [`GIFTS`].
    pub gifts: Option<Cents>,
    /// Accounts on which something stands that should come to nought: 1785, 1130 and 1190. Debit minus credit.
    pub unsettled: Vec<(AccountCode, Cents)>,
}

impl Duties {
    /// Whether there is nothing to do.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.old_debtors.is_empty()
            && self.old_bills.is_empty()
            && self.to_invoice.is_empty()
            && self.gifts.is_none()
            && self.unsettled.is_empty()
    }
}

/// The lists as they are on a day.
///
/// # Errors
/// The storage failed.
pub fn read(tx: &mut Tx<'_>, actor: &Actor, today: Date) -> Result<Duties, Error> {
    let year_later = |day: Date| day.saturating_add(1.year());
    // Overdue on the day of a year ago, or a day too many where that is 29 February.
    let a_year_ago = today.saturating_sub(1.year()).saturating_add(1.day());
    let overdue = documents(tx, actor, State::Overdue, Column::DueDate, a_year_ago)?;
    let old_debtors = overdue.into_iter().filter(|of| year_later(of.due_date) <= today);
    let mut old_bills = Vec::new();
    let unpaid = TableFilter { state: expense_table::State::Open, ..TableFilter::default() };
    let by_date = (expense_table::Column::Date, false);
    for bill in expense_table::rows(tx, actor.account, &unpaid, by_date, (0, MOST))? {
        let since = year_later(bill.date);
        let vat = expenses::to_repay(&expenses::price_again(tx, actor.account, &bill)?, &bill);
        if since <= today && vat > Cents::ZERO {
            old_bills.push((bill, since, vat));
        }
    }
    let drafts = documents(tx, actor, State::Draft, Column::Date, today)?;
    let to_invoice = drafts.into_iter().filter_map(|draft| {
        let deadline = invoice_deadline(draft.last_day_of_supply()?);
        Some((draft, deadline))
    });
    let mut unsettled = Vec::new();
    for code in [codes::VAT_CORRECTIONS, codes::PROVIDER_CLEARING, codes::MONEY_IN_TRANSIT] {
        let balance = balance(tx, actor, code, today)?;
        if !balance.is_zero() {
            unsettled.push((code, balance));
        }
    }
    let (debit, credit) = rows::moved_until(tx, actor.account, codes::GIFTS, (today, i64::MAX, i64::MAX))?;
    Ok(Duties {
        old_debtors: old_debtors
            .map(|of| {
                let since = year_later(of.due_date);
                (of, since)
            })
            .collect(),
        old_bills,
        to_invoice: to_invoice.collect(),
        gifts: Some(debit - credit).filter(|gifts| *gifts > GIFTS),
        unsettled,
    })
}

fn documents(tx: &mut Tx<'_>, actor: &Actor, state: State, order: Column, today: Date) -> Result<Vec<Invoice>, Error> {
    let filter = invoice_table::TableFilter { state, age: None, contact_id: None, text: None, amount: None, today };
    Ok(invoice_table::rows(tx, actor.account, &filter, (order, false), (0, MOST))?)
}

/// What stands on an account of the balance sheet at the end of a day.
fn balance(tx: &mut Tx<'_>, actor: &Actor, code: AccountCode, today: Date) -> Result<Cents, Error> {
    let before = rows::sums(tx, actor.account, i16::MIN, today.year() - 1)?;
    let opening: Cents = before.iter().filter(|of| of.code == code).map(|of| of.debit - of.credit).sum();
    let (debit, credit) = rows::moved_until(tx, actor.account, code, (today, i64::MAX, i64::MAX))?;
    Ok(opening + debit - credit)
}
