//! Batches of payments of bills: payment files for the bank, and codes for its app.
//!
//! Nothing here moves money or books anything. A bill is paid when a bank line says so.

pub use documents::{
    epc::{png as code_as_png, svg as code_as_svg},
    payment_file::{Version, end_to_end_id},
};

use crate::{BankError, Context, Created, Error, Fault, Reason, context, expenses};
use documents::{
    epc::{self, Transfer},
    payment_file::{self, Party, Payment, PaymentFile, PaymentFileError},
    remittance::Remittance,
};
use jiff::{ToSpan, civil::Date};
use ledger::{
    bank_account::{BankAccount, BankAccountKind},
    bank_line::AllocationKind,
    calendar::amsterdam_time,
    entry::SourceType,
    identifiers::{Bic, Iban},
    money::Cents,
    payment_batch::BatchStatus,
};
use store::{
    Page, Tx, accounts,
    bank_allocations::BankAllocation,
    books::IdSequence,
    changes::{ResourceKind, Topic},
    contacts as contact_rows,
    expense_table::{self, Column, State, TableFilter},
    expenses::{self as expense_rows, Expense},
    journal,
    payment_batches::{self as rows, BatchFilter, BatchItem, PaymentBatch},
};

/// Maximum number of items of a batch.
pub const MOST_ITEMS: usize = 500;
/// Maximum number of days from today to the day on which the bank executes a batch.
const MOST_DAYS_AHEAD: i64 = 365;
/// Maximum number of characters of a name in a payment.
const LONGEST_NAME: usize = 70;
/// Maximum number of characters of a reference in a payment.
const LONGEST_REFERENCE: usize = 140;

/// Command that makes a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewBatch {
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// Checking account that pays; by default the default one.
    pub bank_account_id: Option<i64>,
    /// Day on which the bank executes the payments; by default today.
    pub execution_date: Option<Date>,
    /// Payments; at least one.
    pub items: Vec<NewBatchItem>,
}

/// Payment of a bill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewBatchItem {
    /// Bill.
    pub expense_id: i64,
    /// Amount; by default the amount due.
    pub amount: Option<Cents>,
}

/// Batch with its warnings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchDetails {
    /// The batch.
    pub batch: PaymentBatch,
    /// Warnings, in the order of the items.
    pub warnings: Vec<BatchWarning>,
}

/// Warning about an item of a batch that the bank may still execute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchWarning {
    /// Bill.
    pub expense_id: i64,
    /// Name of the payee.
    pub payee: String,
    /// Kind.
    pub kind: BatchWarningKind,
}

/// Kind of warning about an item of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BatchWarningKind {
    /// The last payment to the supplier went to another account.
    IbanChanged {
        /// Day of that payment.
        day: Date,
        /// Account that it went to.
        iban: String,
    },
    /// The bill is due after the bank executes the payment.
    DueLater {
        /// Last day to pay.
        day: Date,
    },
    /// The bill is due before the bank executes the payment.
    Overdue {
        /// Last day to pay.
        day: Date,
    },
}

impl BatchWarningKind {
    /// Stable code in `snake_case`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::IbanChanged { .. } => "iban_changed",
            Self::DueLater { .. } => "due_later",
            Self::Overdue { .. } => "overdue",
        }
    }

    /// Day that the warning names.
    #[must_use]
    pub const fn day(&self) -> Date {
        match self {
            Self::IbanChanged { day, .. } | Self::DueLater { day } | Self::Overdue { day } => *day,
        }
    }
}

/// Party that is paid for a bill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payee {
    /// Name of the account holder.
    pub name: String,
    /// Account.
    pub iban: Iban,
    /// BIC of the bank.
    pub bic: Option<Bic>,
    /// Reference or text.
    pub reference: String,
}

impl Payee {
    /// Returns the remittance information.
    #[must_use]
    pub fn remittance(&self) -> Remittance {
        remittance(&self.reference)
    }
}

fn remittance(reference: &str) -> Remittance {
    Remittance::of(Some(reference), "")
}

/// Returns the party that is paid for a bill: the one that the bill names, or else its contact.
/// `None` if neither has an IBAN.
///
/// # Errors
/// The storage failed.
pub fn payee(tx: &mut Tx<'_>, cx: &Context, bill: &Expense) -> Result<Option<Payee>, Error> {
    let mut contact = match bill.contact_id {
        Some(id) => contact_rows::by_id(tx, cx.actor.account, id)?,
        None => None,
    };
    if let Some(into) = contact.as_ref().and_then(|contact| contact.merged_into) {
        contact = contact_rows::by_id(tx, cx.actor.account, into)?;
    }
    let named = &bill.bill.pay_to;
    let of_contact = contact.as_ref().map(|contact| contact.party.name.clone());
    let (iban, bic, name) = match (&named.iban, contact) {
        (Some(iban), _) => (iban.clone(), named.bic.clone(), bill.supplier.clone().or(of_contact)),
        (None, Some(contact)) => match contact.account.iban {
            Some(iban) => (iban, contact.account.bic, of_contact),
            None => return Ok(None),
        },
        (None, None) => return Ok(None),
    };
    let name = named.name.clone().or(name).unwrap_or_default();
    let text = || bill.description.as_deref().and_then(|text| text.lines().next());
    let reference = named.reference.as_deref().or(bill.bill.number.as_deref()).or_else(text);
    Ok(Some(Payee {
        name: name.chars().take(LONGEST_NAME).collect(),
        iban,
        bic,
        reference: reference.unwrap_or_default().chars().take(LONGEST_REFERENCE).collect(),
    }))
}

/// Bill that can be paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToPay {
    /// The bill.
    pub expense: Expense,
    /// Last day to pay.
    pub due: Date,
    /// Party that is paid, if it has an IBAN.
    pub payee: Option<Payee>,
    /// Batch that is to pay the bill.
    pub in_batch: Option<i64>,
}

/// Returns the unpaid bills, at most [`MOST_ITEMS`], by due date.
///
/// # Errors
/// The storage failed.
pub fn to_pay(tx: &mut Tx<'_>, cx: &Context) -> Result<Vec<ToPay>, Error> {
    let account = cx.actor.account;
    let filter = TableFilter { state: State::Open, ..TableFilter::default() };
    let limit = i64::try_from(MOST_ITEMS).unwrap_or(i64::MAX);
    let found = expense_table::rows(tx, account, &filter, (Column::Date, false), (0, limit))?;
    let mut bills = Vec::with_capacity(found.len());
    for expense in found.into_iter().filter(|bill| bill.amount_due() > Cents::ZERO) {
        bills.push(ToPay {
            due: expense.bill.due_date.unwrap_or_else(|| expenses::usual_due_date(expense.date)),
            payee: payee(tx, cx, &expense)?,
            in_batch: rows::pending_of(tx, account, expense.id)?,
            expense,
        });
    }
    bills.sort_by_key(|bill| (bill.due, bill.expense.id));
    Ok(bills)
}

/// Makes a batch.
///
/// # Errors
/// The account is not Dutch; the bank account is no checking account with an IBAN; the day is not
/// between today and a year from now; a bill is unknown, undone, paid or a credit note, has no
/// payee, or less is due on it; or it is in another batch that is to be paid.
pub fn create(
    tx: &mut Tx<'_>,
    cx: &Context,
    command: &NewBatch,
) -> Result<Created<BatchDetails>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        if let Some(existing) = find_by_external_id(tx, cx, command.external_id.as_deref())? {
            return Ok(Created::Existing(existing));
        }
        let faults = validate(tx, cx, command)?;
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        for item in &command.items {
            if let Some(batch) = rows::pending_of(tx, cx.actor.account, item.expense_id)? {
                let expense = item.expense_id;
                return Err(BankError::AlreadyInBatch { expense, batch }.into());
            }
        }
        let bank = bank(cx, command).map_err(Error::Invalid)?;
        let payer_iban =
            bank.iban.clone().ok_or_else(|| Error::Internal("no IBAN to pay from".into()))?;
        let mut items = Vec::with_capacity(command.items.len());
        for (line, item) in (1_i64..).zip(&command.items) {
            let bill = expense_rows::by_id(tx, cx.actor.account, item.expense_id)?
                .ok_or(Error::NotFound("expense"))?;
            let payee = payee(tx, cx, &bill)?
                .ok_or_else(|| Error::Internal("a bill has no payee".into()))?;
            items.push(BatchItem {
                line,
                expense_id: bill.id,
                amount: item.amount.unwrap_or_else(|| bill.amount_due()),
                name: payee.name,
                iban: payee.iban,
                bic: payee.bic,
                reference: payee.reference,
                paid_amount: Cents::ZERO,
                paid_by_line: None,
            });
        }
        let batch = PaymentBatch {
            id: books.next_id(IdSequence::PaymentBatch),
            external_id: command.external_id.clone(),
            bank_account_id: bank.id,
            payer_name: payer_name(tx, cx)?,
            payer_iban,
            execution_date: command.execution_date.unwrap_or_else(|| cx.today()),
            status: BatchStatus::Open,
            total: items.iter().map(|item| item.amount).sum(),
            created_at: cx.now(),
            updated_at: cx.now(),
            items,
        };
        // A batch whose file cannot be written must not exist.
        file_of(&batch, Version::V09).map_err(|error| Error::Invalid(vec![fault_of(&error)]))?;
        rows::insert(tx, cx.actor.account, &batch)?;
        detailed(tx, cx, batch).map(Created::New)
    })
}

fn payer_name(tx: &mut Tx<'_>, cx: &Context) -> Result<String, Error> {
    let account = accounts::by_id(tx, cx.actor.account)?.ok_or(Error::NotFound("account"))?;
    Ok(account.name)
}

/// Returns the bank account that pays, or the fault.
fn bank<'c>(cx: &'c Context, command: &NewBatch) -> Result<&'c BankAccount, Vec<Fault>> {
    let banks = cx.actor.own_accounts.banks();
    let bank = match command.bank_account_id {
        Some(id) => banks.by_id(id),
        None => banks.default_of(BankAccountKind::Checking),
    };
    let fault = |reason| vec![Fault::new("/bankAccountId", reason)];
    let is_usable =
        |bank: &&BankAccount| bank.kind() == BankAccountKind::Checking && !bank.is_archived;
    let bank = bank.filter(is_usable).ok_or_else(|| fault(Reason::NoCheckingAccount))?;
    if bank.iban.is_none() {
        return Err(fault(Reason::BankAccountWithoutIban));
    }
    Ok(bank)
}

/// Returns the faults of a new batch, except that a bill is in another batch.
///
/// # Errors
/// The storage failed.
pub fn validate(tx: &mut Tx<'_>, cx: &Context, command: &NewBatch) -> Result<Vec<Fault>, Error> {
    let mut faults = bank(cx, command).err().unwrap_or_default();
    let (today, date) = (cx.today(), command.execution_date.unwrap_or_else(|| cx.today()));
    let last = today.saturating_add(MOST_DAYS_AHEAD.days());
    if date < today {
        faults.push(Fault::new("/executionDate", Reason::DayBefore { day: today }));
    } else if date > last {
        faults.push(Fault::new("/executionDate", Reason::DayAfter { day: last }));
    }
    for (place, item) in command.items.iter().enumerate() {
        let is_twice =
            command.items[..place].iter().any(|other| other.expense_id == item.expense_id);
        let fault = if is_twice {
            Some(("expenseId", Reason::BillInBatchTwice))
        } else {
            item_fault(tx, cx, item)?
        };
        if let Some((field, reason)) = fault {
            faults.push(Fault::new(format!("/items/{place}/{field}"), reason));
        }
    }
    Ok(faults)
}

/// Returns the fault of an item, with its field.
fn item_fault(
    tx: &mut Tx<'_>,
    cx: &Context,
    item: &NewBatchItem,
) -> Result<Option<(&'static str, Reason)>, Error> {
    let bill = expense_rows::by_id(tx, cx.actor.account, item.expense_id)?;
    let Some(bill) = bill else { return Ok(Some(("expenseId", Reason::UnknownExpense))) };
    let due = bill.amount_due();
    let reason = if bill.undone_at.is_some() {
        Some(Reason::BillUndone)
    } else if bill.total.is_negative() {
        Some(Reason::CreditNoteNotPayable)
    } else if due.is_zero() {
        Some(Reason::BillSettled)
    } else if payee(tx, cx, &bill)?.is_none() {
        Some(Reason::NoPayee)
    } else {
        None
    };
    if let Some(reason) = reason {
        return Ok(Some(("expenseId", reason)));
    }
    let asked = item.amount.unwrap_or(due);
    let is_too_much = asked > due || asked <= Cents::ZERO;
    Ok(is_too_much.then_some(("amount", Reason::ExceedsOutstanding { asked, remaining: due })))
}

/// Returns the fault of a value that a payment file cannot hold.
fn fault_of(error: &PaymentFileError) -> Fault {
    match error {
        PaymentFileError::PayeeName(at) | PaymentFileError::Bic(Some(at)) => {
            Fault::new(format!("/items/{at}/expenseId"), Reason::NoPayee)
        }
        PaymentFileError::Amount(at) => Fault::new(
            format!("/items/{at}/amount"),
            Reason::AmountOutOfRange { most: Cents::new(99_999_999_999) },
        ),
        _ => Fault::new("/bankAccountId", Reason::PayerWithoutName),
    }
}

/// Returns a batch by its id.
///
/// # Errors
/// The account is not Dutch, or has no such batch.
pub fn read(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<BatchDetails, Error> {
    cx.actor.require_dutch()?;
    let batch = rows::by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("payment batch"))?;
    detailed(tx, cx, batch)
}

/// Returns the batch with the given external id.
///
/// # Errors
/// The storage failed.
pub fn find_by_external_id(
    tx: &mut Tx<'_>,
    cx: &Context,
    external_id: Option<&str>,
) -> Result<Option<BatchDetails>, Error> {
    let Some(external_id) = external_id else { return Ok(None) };
    match rows::by_external_id(tx, cx.actor.account, external_id)? {
        Some(batch) => detailed(tx, cx, batch).map(Some),
        None => Ok(None),
    }
}

/// Lists batches with an id below `before`, newest first.
///
/// # Errors
/// The account is not Dutch, or the storage failed.
pub fn list(
    tx: &mut Tx<'_>,
    cx: &Context,
    filter: &BatchFilter,
    before: i64,
    limit: i64,
) -> Result<Page<BatchDetails>, Error> {
    cx.actor.require_dutch()?;
    let Page { rows: found, more } = rows::list(tx, cx.actor.account, filter, before, limit)?;
    let rows = found.into_iter().map(|batch| detailed(tx, cx, batch)).collect::<Result<_, _>>()?;
    Ok(Page { rows, more })
}

fn detailed(tx: &mut Tx<'_>, cx: &Context, batch: PaymentBatch) -> Result<BatchDetails, Error> {
    let mut warnings = Vec::new();
    if batch.status.is_pending() {
        for item in batch.items.iter().filter(|item| !item.is_paid()) {
            let kinds = warnings_of(tx, cx, &batch, item)?;
            warnings.extend(kinds.into_iter().map(|kind| BatchWarning {
                expense_id: item.expense_id,
                payee: item.name.clone(),
                kind,
            }));
        }
    }
    Ok(BatchDetails { batch, warnings })
}

fn warnings_of(
    tx: &mut Tx<'_>,
    cx: &Context,
    batch: &PaymentBatch,
    item: &BatchItem,
) -> Result<Vec<BatchWarningKind>, Error> {
    let account = cx.actor.account;
    let bill = expense_rows::by_id(tx, account, item.expense_id)?;
    let Some(bill) = bill else { return Ok(Vec::new()) };
    let mut kinds = Vec::new();
    let supplier = bill.supplier.clone().unwrap_or_default();
    if let Some((day, iban)) = rows::last_payee(tx, account, (bill.contact_id, &supplier))?
        && iban != item.iban.as_str()
    {
        kinds.push(BatchWarningKind::IbanChanged { day, iban });
    }
    let due = bill.bill.due_date.unwrap_or_else(|| expenses::usual_due_date(bill.date));
    if due > batch.execution_date {
        kinds.push(BatchWarningKind::DueLater { day: due });
    } else if due < batch.execution_date {
        kinds.push(BatchWarningKind::Overdue { day: due });
    }
    Ok(kinds)
}

/// Returns the payment file of a batch, and marks an open batch as downloaded. The bytes are always
/// the same, so that the bank recognises a file that it has.
///
/// # Errors
/// The account is not Dutch; it has no such batch; the batch is cancelled; or before the first
/// download, less is due on a bill than the batch pays.
pub fn download(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    version: Version,
) -> Result<Vec<u8>, Error> {
    context::transact(tx, cx, |tx, _, cx| {
        let BatchDetails { mut batch, .. } = read(tx, cx, id)?;
        if batch.status == BatchStatus::Cancelled {
            return Err(BankError::BatchCancelled(id).into());
        }
        let file = file_of(&batch, version)
            .map_err(|error| Error::Internal(format!("payment batch {id}: {error}")))?;
        if batch.status == BatchStatus::Open {
            require_due(tx, cx, &batch)?;
            batch.status = BatchStatus::Downloaded;
            batch.updated_at = cx.now();
            rows::update(tx, cx.actor.account, &batch)?;
        }
        Ok(file)
    })
}

/// Refuses a batch that pays a bill that is undone, or more than is due.
fn require_due(tx: &mut Tx<'_>, cx: &Context, batch: &PaymentBatch) -> Result<(), Error> {
    for item in &batch.items {
        let bill = expense_rows::by_id(tx, cx.actor.account, item.expense_id)?;
        let is_due =
            bill.is_some_and(|bill| bill.undone_at.is_none() && bill.amount_due() >= item.amount);
        if !is_due {
            return Err(BankError::BatchOutdated { expense: item.expense_id }.into());
        }
    }
    Ok(())
}

/// Message id of the payment file, by which a bank may name the whole batch on a line.
pub(crate) fn message_id(batch: &PaymentBatch) -> String {
    let created_at = amsterdam_time(batch.created_at);
    format!("GB{}-{}", batch.id, created_at.strftime("%Y%m%d%H%M%S"))
}

fn file_of(batch: &PaymentBatch, version: Version) -> Result<Vec<u8>, PaymentFileError> {
    let created_at = amsterdam_time(batch.created_at);
    let payments = batch.items.iter().map(|item| Payment {
        end_to_end_id: end_to_end_id(batch.id, item.line),
        payee: Party {
            name: item.name.clone(),
            iban: item.iban.clone(),
            bic: item.bic.as_ref().map(ToString::to_string),
        },
        amount: item.amount,
        remittance: remittance(&item.reference),
    });
    let file = PaymentFile {
        message_id: message_id(batch),
        created_at,
        payer: Party { name: batch.payer_name.clone(), iban: batch.payer_iban.clone(), bic: None },
        execution_date: batch.execution_date,
        payments: payments.collect(),
    };
    payment_file::write(&file, version)
}

/// Cancels a batch, so that its bills can be paid otherwise. Does nothing if it was cancelled before.
/// A file that the bank has stays there.
///
/// # Errors
/// The account is not Dutch; it has no such batch; or a bank line paid an item.
pub fn cancel(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<BatchDetails, Error> {
    context::transact(tx, cx, |tx, _, cx| {
        let BatchDetails { mut batch, .. } = read(tx, cx, id)?;
        let is_paid = batch.items.iter().any(|item| !item.paid_amount.is_zero());
        if is_paid || batch.status == BatchStatus::Paid {
            return Err(BankError::BatchPaid(id).into());
        }
        if batch.status != BatchStatus::Cancelled {
            batch.status = BatchStatus::Cancelled;
            batch.updated_at = cx.now();
            rows::update(tx, cx.actor.account, &batch)?;
        }
        detailed(tx, cx, batch)
    })
}

/// Counts again what bank lines paid of the bills of these allocations, after the allocations were
/// made or removed. The books must be locked.
pub(crate) fn recount(
    tx: &mut Tx<'_>,
    cx: &Context,
    allocations: &[BankAllocation],
) -> Result<(), Error> {
    let mut bills = Vec::new();
    for allocation in allocations {
        match allocation.kind {
            AllocationKind::Bill => bills.extend(allocation.parent_id),
            AllocationKind::Existing => {
                for entry in &allocation.entry_ids {
                    let entry = journal::by_id(tx, cx.actor.account, *entry)?;
                    let source = entry.map(|stored| stored.entry.source());
                    let source = source.filter(|source| source.kind == SourceType::Expense);
                    bills.extend(source.map(|source| source.id));
                }
            }
            _ => {}
        }
    }
    bills.sort_unstable();
    bills.dedup();
    for bill in bills {
        for counted in counted(tx, cx, bill)? {
            let Counted { before, after } = counted;
            if before == after {
                continue;
            }
            if after.status == BatchStatus::Paid && before.status != BatchStatus::Paid {
                tx.record_topic(ResourceKind::PaymentBatch, after.id, Topic::Paid);
            }
            let after = PaymentBatch { updated_at: cx.now(), ..after };
            rows::update(tx, cx.actor.account, &after)?;
        }
    }
    Ok(())
}

/// Batch as it is stored, and with what bank lines paid on one bill.
pub(crate) struct Counted {
    pub(crate) before: PaymentBatch,
    pub(crate) after: PaymentBatch,
}

/// Counts what bank lines paid on a bill, for each batch with the bill that is not cancelled: the
/// payments recorded since the batch was made, and before the next one was.
pub(crate) fn counted(tx: &mut Tx<'_>, cx: &Context, bill: i64) -> Result<Vec<Counted>, Error> {
    let account = cx.actor.account;
    let batches = rows::of_expense(tx, account, bill)?;
    if batches.is_empty() {
        return Ok(Vec::new());
    }
    let payments = rows::payments_by_lines(tx, account, bill)?;
    let mut counted = Vec::new();
    for (place, before) in batches.iter().enumerate() {
        if before.status == BatchStatus::Cancelled {
            continue;
        }
        let until = batches.get(place + 1).map(|next| next.created_at);
        let own = payments.iter().filter(|paid| {
            paid.at >= before.created_at && until.is_none_or(|until| paid.at < until)
        });
        let mut after = before.clone();
        for item in after.items.iter_mut().filter(|item| item.expense_id == bill) {
            item.paid_amount = own.clone().map(|paid| paid.amount).sum();
            item.paid_by_line = own.clone().next_back().map(|paid| paid.line_id);
        }
        let is_paid = after.items.iter().all(BatchItem::is_paid);
        after.status = match before.status {
            _ if is_paid => BatchStatus::Paid,
            BatchStatus::Paid => BatchStatus::Downloaded,
            status => status,
        };
        counted.push(Counted { before: before.clone(), after });
    }
    Ok(counted)
}

/// Returns the content of the code with which a bank's app pays what is due on a bill (EPC069-12).
///
/// # Errors
/// The account is not Dutch; it has no such expense; nothing is due on it; or it has no payee.
pub fn code(tx: &mut Tx<'_>, cx: &Context, expense: i64) -> Result<String, Error> {
    cx.actor.require_dutch()?;
    let bill = expense_rows::by_id(tx, cx.actor.account, expense)?;
    let bill = bill.ok_or(Error::NotFound("expense"))?;
    let amount = bill.amount_due();
    if amount <= Cents::ZERO {
        return Err(BankError::NothingDue.into());
    }
    let payee = payee(tx, cx, &bill)?.ok_or(BankError::NoPayee)?;
    let transfer = Transfer {
        name: &payee.name,
        iban: &payee.iban,
        bic: payee.bic.as_ref().map(Bic::as_str),
        amount,
        remittance: &payee.remittance(),
    };
    epc::transfer_payload(&transfer).ok_or_else(|| BankError::NothingDue.into())
}
