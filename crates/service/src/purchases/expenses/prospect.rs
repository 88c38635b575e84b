//! Preview of an expense that is being entered, checked against the books.

use super::{ExpenseWarning, Supplier, identify, warnings};
use crate::{
    Context, Error, PeriodError,
    corrections::{self, IfFiled},
    days,
};
use jiff::civil::Date;
use ledger::{
    booking::{self, Purchase},
    entry::{Source, SourceType},
    purchase::PricedPurchase,
    vat_period::VatPeriod,
};
use store::{
    Tx,
    expenses::{self as rows, Expense},
};

/// VAT return that will include an expense.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountsIn {
    /// The open return of the expense's own period.
    Own(VatPeriod),
    /// A correction on a later return, because the return of the expense's own period is filed.
    Correction {
        /// The expense's own period, whose return is filed.
        filed: VatPeriod,
        /// Period whose return includes the correction.
        carried_by: VatPeriod,
    },
    /// The return of the expense's own period is filed, and the correction would exceed the limit.
    TooLarge(VatPeriod),
    /// No return: the expense has no VAT, and the return of its own period is filed.
    NoReturn,
}

/// Result of checking an expense against the books before it is booked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prospect {
    /// VAT return that will include the expense.
    pub counts_in: CountsIn,
    /// Warnings about entries that are legal but probably wrong, or could be improved.
    pub warnings: Vec<ExpenseWarning>,
}

/// Determines the VAT return that will include an expense that is being entered, and the warnings
/// about the expense. When a stored expense is being edited, `own` is its id.
///
/// # Errors
/// The storage failed.
pub fn prospect(
    tx: &mut Tx<'_>,
    cx: &Context,
    (date, supplier): (Date, &Supplier),
    priced: &PricedPurchase,
    own: Option<i64>,
) -> Result<Prospect, Error> {
    let account = cx.actor.account;
    let supplier = match identify(tx, account, supplier) {
        Ok(supplier) => supplier,
        Err(Error::Invalid(_)) => Supplier::default(),
        Err(other) => return Err(other),
    };
    let duplicates = rows::on_day_of_amount(tx, account, date, priced.total)?;
    let duplicates =
        duplicates.iter().filter(|other| Some(other.id) != own && is_of_supplier(other, &supplier));
    let duplicates: Vec<i64> = duplicates.map(|other| other.id).collect();
    let unusual = days::unusual_on(tx, cx, date)?;
    Ok(Prospect {
        counts_in: counts_in(tx, cx, date, priced)?,
        warnings: warnings(priced, unusual, &duplicates),
    })
}

fn counts_in(
    tx: &mut Tx<'_>,
    cx: &Context,
    date: Date,
    priced: &PricedPurchase,
) -> Result<CountsIn, Error> {
    let purchase = Purchase {
        party: None,
        description: None,
        priced: priced.clone(),
        paid_from: None,
        receipts: Vec::new(),
    };
    let entry = booking::expense(Source { kind: SourceType::Expense, id: 0 }, date, &purchase);
    let has_boxes = entry.has_boxes();
    let (account, units) = (cx.actor.account, &cx.actor.vat_units);
    let own = units.period_of(date);
    Ok(match corrections::plan(tx, account, entry, IfFiled::Correct) {
        Ok(entries) => match entries.get(1) {
            Some(correction) => CountsIn::Correction {
                filed: correction.corrects_period().unwrap_or(own),
                carried_by: units.period_of(correction.vat_date()),
            },
            None if !has_boxes && corrections::filed_on(tx, account, date)?.is_some() => {
                CountsIn::NoReturn
            }
            None => CountsIn::Own(own),
        },
        Err(Error::Period(PeriodError::CorrectionTooLarge { period, .. })) => {
            CountsIn::TooLarge(period)
        }
        Err(other) => return Err(other),
    })
}

/// Returns the ids of other expenses with the same supplier, date and amount, oldest first. Empty
/// if the expense has no supplier or was undone.
pub(super) fn duplicates(
    tx: &mut Tx<'_>,
    account: i64,
    expense: &Expense,
) -> Result<Vec<i64>, Error> {
    if expense.undone_at.is_some() {
        return Ok(Vec::new());
    }
    let supplier = Supplier { contact_id: expense.contact_id, name: expense.supplier.clone() };
    let others = rows::on_day_of_amount(tx, account, expense.date, expense.total)?;
    Ok(others
        .iter()
        .filter(|other| other.id != expense.id && is_of_supplier(other, &supplier))
        .map(|other| other.id)
        .collect())
}

/// Whether an expense is from a supplier: the same contact if both have one, otherwise the same
/// name, ignoring case and whitespace.
fn is_of_supplier(expense: &Expense, supplier: &Supplier) -> bool {
    if let (Some(contact), Some(other)) = (expense.contact_id, supplier.contact_id) {
        return contact == other;
    }
    let normalized = |name: &str| {
        name.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect::<String>()
    };
    match (&expense.supplier, &supplier.name) {
        (Some(name), Some(other)) => normalized(name) == normalized(other),
        _ => false,
    }
}
