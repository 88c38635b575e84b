//! Recording of expenses.

use super::{
    Covered, ExpenseDetails, ExpenseLine, Supplier, due_fault, entry, identify, priced,
    prospect::duplicates, read, receipts_of, take_sums, usual_due_date,
};
use crate::{
    Context, Created, Error, Fault, Reason, bank_accounts, context,
    corrections::{self, IfFiled},
    days, vat_schemes,
};
use jiff::civil::Date;
use ledger::{
    booking::MoneyAccount,
    chart::AccountCode,
    money::Cents,
    own_account::OwnAccounts,
    purchase::{self, BusinessShare, Deduction, PricedPurchase},
};
use store::{
    Tx,
    books::{Books, IdSequence},
    expenses::{self as rows, Bill, Expense},
    receipts as receipt_rows,
};

/// Input for a new expense.
#[derive(Debug, Clone)]
pub struct NewExpense {
    /// Caller's own identifier.
    pub external_id: Option<String>,
    /// Date of the document; determines the VAT period.
    pub date: Date,
    /// Supplier.
    pub supplier: Supplier,
    /// Description of the purchase.
    pub description: Option<String>,
    /// Lines.
    pub lines: Vec<ExpenseLine>,
    /// Account that the expense was paid from; `None` for an unpaid bill.
    pub paid_from: Option<MoneyAccount>,
    /// Share of the purchase that is for the business.
    pub business_share: BusinessShare,
    /// Ids of the receipts.
    pub receipt_ids: Vec<i64>,
    /// Period that the purchase covers, if any.
    pub period: Covered,
    /// Number of the document, and how it is paid. A bill without due date is due 30 days after
    /// its date.
    pub bill: Bill,
    /// Handling of an expense in a period whose VAT return has already been filed.
    pub if_filed: IfFiled,
}

/// Prices an expense without recording it.
///
/// # Errors
/// The lines cannot be booked.
pub fn price(
    own: &OwnAccounts,
    lines: &[ExpenseLine],
    share: BusinessShare,
    deduction: Deduction,
    on: Date,
) -> Result<PricedPurchase, Error> {
    priced(own, lines, (share, deduction), on, purchase::is_category)
}

/// Records an expense.
///
/// # Errors
/// The account is not Dutch, the purchase cannot be booked, or its period is filed and `if_filed`
/// does not allow a correction.
pub fn record(
    tx: &mut Tx<'_>,
    cx: &Context,
    command: &NewExpense,
) -> Result<Created<ExpenseDetails>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        if let Some(external_id) = &command.external_id
            && let Some(existing) = rows::by_external_id(tx, cx.actor.account, external_id)?
        {
            return read(tx, cx, existing.id).map(Created::Existing);
        }
        book(tx, books, cx, command, None, purchase::is_category).map(Created::New)
    })
}

/// Books a purchase. `allowed` selects the accounts that the lines may use; `asset_id` is the asset
/// that was bought, if any.
// Long: it fills every field of an expense.
pub(crate) fn book(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    command: &NewExpense,
    asset_id: Option<i64>,
    allowed: fn(AccountCode) -> bool,
) -> Result<ExpenseDetails, Error> {
    let nameless = command.description.is_none()
        && command.supplier.name.is_none()
        && command.supplier.contact_id.is_none();
    let nameless = nameless.then(|| Fault::new("/description", Reason::Required));
    let early = days::before_opening(books, "/date", command.date);
    let (paid_from, unknown) = bank_accounts::paid_from(cx, command.paid_from);
    let own_faults = early.into_iter().chain(nameless).chain(unknown);
    let due_fault = due_fault(&command.bill, command.date);
    let own_faults = no_faults(own_faults.chain(command.period.fault()).chain(due_fault));
    let supplier = identify(tx, cx.actor.account, &command.supplier);
    let receipts = receipts_of(tx, cx.actor.account, &command.receipt_ids);
    let deduction = vat_schemes::deduction(vat_schemes::kor_in(tx, books, command.date)?);
    let priced = priced(
        &cx.actor.own_accounts,
        &command.lines,
        (command.business_share, deduction),
        command.date,
        allowed,
    );
    let ((), supplier, receipts, priced) = all_of(own_faults, supplier, receipts, priced)?;
    let mut expense = Expense {
        id: books.next_id(IdSequence::Expense),
        external_id: command.external_id.clone(),
        date: command.date,
        contact_id: supplier.contact_id,
        supplier: supplier.name,
        description: command.description.clone(),
        paid_from,
        business_share: command.business_share,
        net: Cents::ZERO,
        vat: Cents::ZERO,
        deductible: Cents::ZERO,
        total: Cents::ZERO,
        amount_paid: Cents::ZERO,
        vat_repaid: Cents::ZERO,
        entry_id: books.upcoming_entry(),
        asset_id,
        deduction,
        undone_at: None,
        source: cx.actor.origin,
        created_at: cx.now(),
        updated_at: cx.now(),
        date_unusual: days::unusual(books, command.date),
        period_from: command.period.from,
        period_until: command.period.until,
        bill: command.bill.clone(),
    };
    if paid_from.is_none() && expense.bill.due_date.is_none() {
        expense.bill.due_date = Some(usual_due_date(command.date));
    }
    take_sums(&mut expense, &priced);
    let entry = entry(&expense, &priced, &receipts);
    let entry_ids = corrections::append(tx, books, cx, entry, command.if_filed)?;
    let lines: Vec<_> = priced.lines.iter().map(|(line, _)| line.clone()).collect();
    rows::insert(tx, cx.actor.account, &expense, &lines)?;
    let ids: Vec<i64> = receipts.iter().map(|(id, _)| *id).collect();
    if !ids.is_empty() {
        receipt_rows::set_of_expense(tx, cx.actor.account, expense.id, &ids, cx.now())?;
    }
    let duplicates = duplicates(tx, cx.actor.account, &expense)?;
    Ok(ExpenseDetails {
        due_date: expense.bill.due_date,
        expense,
        priced,
        receipts,
        entry_ids,
        duplicates,
        first_paid_on: None,
        in_batch: None,
    })
}

/// Returns an error if there are faults.
pub(super) fn no_faults(faults: impl Iterator<Item = Fault>) -> Result<(), Error> {
    let faults: Vec<Fault> = faults.collect();
    if faults.is_empty() { Ok(()) } else { Err(Error::Invalid(faults)) }
}

/// Combines four results. If any of them is invalid, returns the faults of all of them.
pub(super) fn all_of<A, B, C, D>(
    a: Result<A, Error>,
    b: Result<B, Error>,
    c: Result<C, Error>,
    d: Result<D, Error>,
) -> Result<(A, B, C, D), Error> {
    let mut faults = Vec::new();
    let (a, b, c, d) = (
        unless_invalid(a, &mut faults)?,
        unless_invalid(b, &mut faults)?,
        unless_invalid(c, &mut faults)?,
        unless_invalid(d, &mut faults)?,
    );
    match (a, b, c, d) {
        (Some(a), Some(b), Some(c), Some(d)) => Ok((a, b, c, d)),
        _ => Err(Error::Invalid(faults)),
    }
}

fn unless_invalid<T>(
    outcome: Result<T, Error>,
    faults: &mut Vec<Fault>,
) -> Result<Option<T>, Error> {
    match outcome {
        Ok(value) => Ok(Some(value)),
        Err(Error::Invalid(invalid)) => {
            faults.extend(invalid);
            Ok(None)
        }
        Err(other) => Err(other),
    }
}
