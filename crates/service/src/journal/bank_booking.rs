//! Booking of bank lines: each allocation is the existing command for its kind, dated on the line and
//! on its bank account, all in one transaction.
//!
//! The commands lock the books one after another, so nothing here runs inside
//! [`context::transact`] while it calls them.

pub use crate::bank_allocations::{Allocation, BookLine, LineBooking, LineExpense};

use crate::{
    BankError, Context, Created, Error, Fault, Reason, bank_accounts,
    bank_lines::{self, LineDetails},
    bank_repeats::RepeatedBooking,
    context,
    corrections::{self, IfFiled},
    entries,
    events::{self, NewEvent},
    expenses::{self, ExpenseDetails, NewExpensePayment, Supplier},
    invoices, payment_batches,
    payments::{self, NewPayment, UndoPayment, day_of_undoing},
    payouts::{self, NewPayout, UndoPayout},
    vat_payments::{self, NewVatPayment},
};
use jiff::{ToSpan, civil::Date};
use ledger::{
    bank_account::{BankAccount, BankAccountKind},
    bank_line::{AllocationKind, BookedBy, IgnoreReason, LineState},
    booking::MoneyAccount,
    chart::{AccountCode, codes},
    entry::{Posting, Source, SourceType},
    event::{DAYS_OF_TRANSFER, Event, PrivateKind, TransferHalf},
    identifiers::Iban,
    money::Cents,
};
use std::collections::BTreeSet;
use store::{
    Tx,
    bank_allocations::{self as rows, BankAllocation},
    bank_lines::{self as line_rows, BankLine, LineFilter},
    bank_statements,
    books::{self, IdSequence},
    changes::{ResourceKind, Topic},
    contacts::{self, Contact, PayeeAccount},
    events::StoredEvent,
    invoices::Origin,
    journal,
};

/// Maximum number of characters of a description.
const LONGEST_DESCRIPTION: usize = 255;
/// Maximum number of allocations of a line.
pub const MOST_ALLOCATIONS: usize = 50;

/// Origin of a booking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BookingSource {
    /// The caller's own allocations.
    Caller,
    /// Accepted suggestion.
    Suggestion(String),
    /// Rule of the owner, applied by the program.
    Rule(i64),
}

/// Books a line. Either all allocations are booked, or none.
///
/// # Errors
/// The account is not Dutch, or has no such line; the line is booked or ignored; another line is
/// booked under the external id; the allocations do not add up to its amount, or link one entry
/// twice; or the command of an allocation refuses it.
pub fn book(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    command: &BookLine,
) -> Result<Created<LineDetails>, Error> {
    book_from(tx, cx, id, command, &BookingSource::Caller)
}

/// Books a line like [`book`], on behalf of a suggestion or rule.
pub(crate) fn book_from(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    command: &BookLine,
    source: &BookingSource,
) -> Result<Created<LineDetails>, Error> {
    let account = cx.actor.account;
    let prepared = context::transact(tx, cx, |tx, _, cx| prepare(tx, cx, id, command))?;
    let Prepared { details, bank, amounts, cx } = match prepared {
        Ok(prepared) => prepared,
        Err(repeated) => return Ok(Created::Existing(repeated)),
    };
    let (line, cx) = (&details.line, &cx);
    let mut booked = Vec::new();
    let mut halves = Vec::new();
    for (place, (allocation, amount)) in command.allocations.iter().zip(amounts).enumerate() {
        let before = last_entry(tx, account)?;
        let part = Part { line, bank: &bank, amount };
        let booked_part = part.book(tx, cx, allocation);
        let (target, other) =
            booked_part.map_err(|error| at(unknown(error, &allocation.booking), place))?;
        let entry_ids = match target {
            Target::Entry(entry) => vec![entry],
            _ => (before + 1..=last_entry(tx, account)?).collect(),
        };
        let (parent_id, target_id) = match target {
            Target::Entry(entry) => (None, Some(entry)),
            Target::Document { parent, id } => (parent, id),
        };
        let number = i64::try_from(place + 1).unwrap_or(i64::MAX);
        let in_line_direction = if line.amount.is_negative() { -amount } else { amount };
        let row = BankAllocation {
            line_id: id,
            line: number,
            kind: allocation.booking.kind(),
            amount: in_line_direction,
            parent_id,
            target_id,
            entry_ids,
            template: RepeatedBooking::learned(&allocation.booking).map(|of| of.to_text()),
        };
        if let Some(other) = other {
            halves.push((other, row.clone()));
        }
        booked.push(row);
    }
    context::transact(tx, cx, |tx, _, cx| {
        let line = BankLine { external_id: command.external_id.clone(), ..details.line };
        learn_iban(tx, cx, &line, source, &booked)?;
        store_booking(tx, cx, &line, &bank, source, booked)?;
        for (other, row) in halves {
            let other_bank = cx.actor.own_accounts.banks().by_id(other.bank_account_id).cloned();
            let other_bank = other_bank.ok_or_else(|| without_bank(other.id))?;
            let template = RepeatedBooking::Transfer { bank_account_id: bank.id }.to_text();
            let row = BankAllocation {
                line_id: other.id,
                line: 1,
                amount: other.amount.abs(),
                parent_id: Some(bank.id),
                template: Some(template),
                ..row
            };
            store_booking(tx, cx, &other, &other_bank, source, vec![row])?;
        }
        bank_lines::read(tx, cx, id).map(Created::New)
    })
}

/// Gives the contact of a document that a person booked the line on the IBAN of the counterparty, if
/// the contact has none.
fn learn_iban(
    tx: &mut Tx<'_>,
    cx: &Context,
    line: &BankLine,
    source: &BookingSource,
    booked: &[BankAllocation],
) -> Result<(), Error> {
    let is_by_person = cx.actor.origin != Origin::Api && !matches!(source, BookingSource::Rule(_));
    let iban = line.iban.as_deref().and_then(|iban| Iban::parse(iban).ok());
    let Some(iban) = iban.filter(|_| is_by_person) else { return Ok(()) };
    let account = cx.actor.account;
    for allocation in booked {
        let Some(parent) = allocation.parent_id else { continue };
        let contact = match allocation.kind {
            AllocationKind::Invoice | AllocationKind::Refund => {
                store::invoices::by_id(tx, account, parent)?.map(|invoice| invoice.contact_id)
            }
            AllocationKind::Bill | AllocationKind::Expense => {
                store::expenses::by_id(tx, account, parent)?.and_then(|expense| expense.contact_id)
            }
            _ => None,
        };
        let Some(id) = contact else { continue };
        let Some(contact) = contacts::by_id(tx, account, id)? else { continue };
        if contact.account.iban.is_none() {
            let payee = PayeeAccount { iban: Some(iban.clone()), ..contact.account.clone() };
            contacts::update(
                tx,
                account,
                &Contact { account: payee, updated_at: cx.now(), ..contact },
            )?;
        }
    }
    Ok(())
}

/// Line that can be booked.
struct Prepared {
    details: LineDetails,
    bank: BankAccount,
    /// Amount of each allocation.
    amounts: Vec<Cents>,
    /// Context with the current settings of the account.
    cx: Context,
}

/// Reads a line and what its booking needs, under the lock of the books, which lasts until the end
/// of the transaction. The inner error is a line that is booked under the same external id.
fn prepare(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    command: &BookLine,
) -> Result<Result<Prepared, LineDetails>, Error> {
    let details = bank_lines::read(tx, cx, id)?;
    let line = &details.line;
    let is_booked = line.state == LineState::Booked;
    if is_booked && command.external_id.is_some() && line.external_id == command.external_id {
        return Ok(Err(details));
    }
    bank_lines::require_new(line)?;
    if find_by_external_id(tx, cx, command.external_id.as_deref())?.is_some() {
        return Err(Error::fault("/externalId", Reason::ExternalIdTaken));
    }
    let bank = cx.actor.own_accounts.banks().by_id(details.line.bank_account_id).cloned();
    let bank = bank.ok_or_else(|| without_bank(id))?;
    require_distinct_entries(&command.allocations)?;
    let amounts = amounts(&details.line, &command.allocations)?;
    Ok(Ok(Prepared { details, bank, amounts, cx: cx.clone() }))
}

/// Returns the booked line whose booking has the external id, if there is one.
///
/// # Errors
/// The account is not Dutch, or the storage failed.
pub fn find_by_external_id(
    tx: &mut Tx<'_>,
    cx: &Context,
    external_id: Option<&str>,
) -> Result<Option<LineDetails>, Error> {
    let Some(external_id) = external_id else { return Ok(None) };
    let filter = LineFilter { external_id: Some(external_id.to_owned()), ..LineFilter::default() };
    Ok(bank_lines::list(tx, cx, &filter, i64::MAX, 1)?.rows.into_iter().next())
}

fn without_bank(id: i64) -> Error {
    Error::Internal(format!("bank line {id} belongs to no bank account"))
}

/// Stores the allocations of a line, and checks that their entries move the amount of the line.
fn store_booking(
    tx: &mut Tx<'_>,
    cx: &Context,
    line: &BankLine,
    bank: &BankAccount,
    source: &BookingSource,
    allocations: Vec<BankAllocation>,
) -> Result<(), Error> {
    let account = cx.actor.account;
    rows::insert(tx, account, &allocations)?;
    payment_batches::recount(tx, cx, &allocations)?;
    let moved = rows::moved(tx, account, line.id, bank.code)?;
    if moved != line.amount {
        let (id, amount) = (line.id, line.amount);
        return Err(Error::Internal(format!("bank line {id} of {amount} was booked as {moved}")));
    }
    let by = match source {
        BookingSource::Rule(_) => BookedBy::Rule,
        _ if cx.actor.origin == Origin::Api => BookedBy::Api,
        _ => BookedBy::Person,
    };
    let (rule_id, accepted) = match source {
        BookingSource::Rule(rule) => (Some(*rule), None),
        BookingSource::Suggestion(id) => (line.rule_id, Some(id.clone())),
        BookingSource::Caller => (line.rule_id, None),
    };
    let line = BankLine {
        state: LineState::Booked,
        state_reason: None,
        duplicate_of: None,
        booked_by: Some(by),
        rule_id,
        accepted,
        updated_at: cx.now(),
        ..line.clone()
    };
    line_rows::update(tx, account, &line)?;
    tx.record_topic(ResourceKind::BankLine, line.id, Topic::Booked);
    Ok(())
}

fn last_entry(tx: &mut Tx<'_>, account: i64) -> Result<i64, Error> {
    Ok(books::heads(tx, account)?.0[IdSequence::Entry as usize])
}

/// Refuses an entry that two allocations of a line link.
fn require_distinct_entries(allocations: &[Allocation]) -> Result<(), Error> {
    let mut linked = BTreeSet::new();
    for (place, allocation) in allocations.iter().enumerate() {
        if let LineBooking::Existing { entry_id } = allocation.booking
            && !linked.insert(entry_id)
        {
            let path = format!("/allocations/{place}/entryId");
            return Err(Error::fault(&path, Reason::EntryLinked));
        }
    }
    Ok(())
}

/// Returns the amount of each allocation, with the sign of money that comes in.
fn amounts(line: &BankLine, allocations: &[Allocation]) -> Result<Vec<Cents>, Error> {
    let given: Cents = allocations.iter().filter_map(|of| of.amount).sum();
    let rest = line.amount.abs() - given;
    if rest.abs() > Cents::MAX {
        return Err(Error::fault("/allocations", Reason::LineUnbalanced { missing: rest }));
    }
    let mut open = allocations.iter().enumerate().filter(|(_, of)| of.amount.is_none());
    let (first, second) = (open.next(), open.next());
    if let Some((place, _)) = second {
        return Err(Error::fault(&format!("/allocations/{place}/amount"), Reason::Required));
    }
    match first {
        None if !rest.is_zero() => {
            return Err(Error::fault("/allocations", Reason::LineUnbalanced { missing: rest }));
        }
        Some((place, _)) if rest.is_zero() => {
            let reason = Reason::LineUnbalanced { missing: rest };
            return Err(Error::fault(&format!("/allocations/{place}/amount"), reason));
        }
        _ => {}
    }
    let signed = |amount: Cents| if line.amount.is_negative() { -amount } else { amount };
    Ok(allocations.iter().map(|of| signed(of.amount.unwrap_or(rest))).collect())
}

/// Moves the faults of an allocation's command to the allocation.
fn at(error: Error, place: usize) -> Error {
    match error {
        Error::Invalid(faults) => {
            let moved = |fault: Fault| Fault {
                path: format!("/allocations/{place}{}", fault.path),
                ..fault
            };
            Error::Invalid(faults.into_iter().map(moved).collect())
        }
        other => other,
    }
}

/// Replaces the error that the document of an allocation does not exist by a fault of its id.
fn unknown(error: Error, booking: &LineBooking) -> Error {
    let (path, reason) = match (&error, booking) {
        (Error::NotFound(_), LineBooking::Invoice { .. } | LineBooking::Refund { .. }) => {
            ("/invoiceId", Reason::UnknownInvoice)
        }
        (Error::NotFound(_), LineBooking::Bill { .. }) => ("/expenseId", Reason::UnknownExpense),
        (Error::NotFound(_), LineBooking::LoanRepayment { .. }) => ("/loanId", Reason::UnknownLoan),
        _ => return error,
    };
    Error::fault(path, reason)
}

/// Booking that an allocation made.
enum Target {
    /// Entry that was there.
    Entry(i64),
    /// Payment, event or payout, with the id of its invoice, expense or other bank account. An expense
    /// that was paid at once has no payment.
    Document { parent: Option<i64>, id: Option<i64> },
}

/// Part of a line that is booked by one command.
struct Part<'l> {
    line: &'l BankLine,
    bank: &'l BankAccount,
    /// Amount; negative if money goes out.
    amount: Cents,
}

impl Part<'_> {
    fn method(&self) -> Result<MoneyAccount, Error> {
        let code = self.bank.code.get();
        MoneyAccount::named(code)
            .ok_or_else(|| Error::Internal(format!("{code} is no account for money")))
    }

    /// Description of a manual entry: the text of the bank, or else the name of the counterparty.
    fn words(&self) -> Option<String> {
        let text = Some(&self.line.text).filter(|text| !text.is_empty());
        let words = text.or(self.line.name.as_ref())?;
        Some(words.chars().take(LONGEST_DESCRIPTION).collect())
    }

    fn require(&self, comes_in: bool) -> Result<(), Error> {
        if self.amount.is_negative() == comes_in {
            let direction = if comes_in { "in" } else { "out" };
            return Err(Error::fault("/kind", Reason::OtherDirection { direction }));
        }
        Ok(())
    }

    /// Executes the command; returns its document, and the other line of a transfer.
    // Long: one match over all kinds of bookings.
    fn book(
        &self,
        tx: &mut Tx<'_>,
        cx: &Context,
        allocation: &Allocation,
    ) -> Result<(Target, Option<BankLine>), Error> {
        let (date, if_filed, method) = (self.line.date, allocation.if_filed, self.method()?);
        let event = |event, description: Option<&String>, parent_id| NewEvent {
            external_id: None,
            date,
            description: description.cloned(),
            event,
            parent_id,
            open_items: Vec::new(),
            if_filed,
        };
        let words = self.words();
        let document = |parent, id| Ok((Target::Document { parent, id: Some(id) }, None));
        match &allocation.booking {
            LineBooking::Invoice { invoice_id, keeps_surplus } => {
                self.require(true)?;
                let paid = self.payment(*invoice_id, *keeps_surplus, method, if_filed);
                let payment = payments::record(tx, cx, &paid)?.into_inner();
                document(Some(payment.invoice_id), payment.id)
            }
            LineBooking::Refund { invoice_id } => {
                self.require(false)?;
                let invoice = invoices::read(tx, cx, *invoice_id)?.invoice;
                let id = invoice.credited_invoice_id.unwrap_or(invoice.id);
                let paid = self.payment(id, false, method, if_filed);
                let payment = payments::record(tx, cx, &paid)?.into_inner();
                document(Some(payment.invoice_id), payment.id)
            }
            LineBooking::Bill { expense_id } => {
                let paid = NewExpensePayment {
                    external_id: None,
                    expense_id: *expense_id,
                    date: Some(date),
                    amount: Some(-self.amount),
                    method,
                    if_filed,
                };
                let payment = expenses::pay(tx, cx, &paid)?.into_inner();
                document(Some(*expense_id), payment.id)
            }
            LineBooking::Expense(new) => self.expense(tx, cx, new, if_filed),
            LineBooking::Vat { period, oss_period } => {
                let paid = NewVatPayment {
                    external_id: None,
                    date,
                    amount: -self.amount,
                    method,
                    description: None,
                    period: *period,
                    oss_period: *oss_period,
                };
                document(None, vat_payments::record(tx, cx, &paid)?.into_inner().id)
            }
            LineBooking::Private { kind, premium } => {
                let amount = if *kind == PrivateKind::Deposit { self.amount } else { -self.amount };
                let private = Event::Private { kind: *kind, amount, method, premium: *premium };
                self.event(tx, cx, &event(private, None, None))
            }
            LineBooking::Transfer { bank_account_id, line_id } => {
                self.transfer(tx, cx, (*bank_account_id, *line_id), if_filed)
            }
            LineBooking::Payout { provider_account, fee, fee_vat_treatment, fee_vat, provider } => {
                let paid = NewPayout {
                    external_id: None,
                    date,
                    amount: self.amount,
                    fee: *fee,
                    fee_vat_treatment: *fee_vat_treatment,
                    fee_vat: *fee_vat,
                    provider: provider.clone(),
                    bank_account: Some(self.bank.id),
                    provider_account: *provider_account,
                    if_filed,
                };
                document(None, payouts::record(tx, cx, &paid)?.into_inner().id)
            }
            LineBooking::BankCosts => {
                self.event(tx, cx, &event(self.by_hand(codes::BANK_COSTS), words.as_ref(), None))
            }
            LineBooking::Interest => {
                let account = if self.amount.is_negative() {
                    codes::INTEREST
                } else {
                    codes::INTEREST_RECEIVED
                };
                self.event(tx, cx, &event(self.by_hand(account), words.as_ref(), None))
            }
            LineBooking::Loan { account } => {
                self.require(true)?;
                let loan = Event::Loan { account: *account, amount: self.amount, method };
                self.event(tx, cx, &event(loan, None, None))
            }
            LineBooking::LoanRepayment { loan_id, interest } => {
                self.require(false)?;
                if *interest > -self.amount {
                    let most = -self.amount;
                    return Err(Error::fault("/interest", Reason::AmountOutOfRange { most }));
                }
                let repaid = Event::LoanRepayment {
                    account: codes::OTHER_LOANS,
                    principal: -self.amount - *interest,
                    interest: *interest,
                    method,
                };
                self.event(tx, cx, &event(repaid, None, Some(*loan_id)))
            }
            LineBooking::Ledger { account, description } => {
                let account = cx.actor.own_accounts.resolve(*account);
                if BankAccountKind::of(account).is_some() {
                    let account = account.to_string();
                    return Err(Error::fault("/account", Reason::KeptByProgram { account }));
                }
                let booked =
                    event(self.by_hand(account), description.as_ref().or(words.as_ref()), None);
                self.event(tx, cx, &booked).map_err(to_account)
            }
            LineBooking::Existing { entry_id } => {
                self.require_fitting(tx, cx, *entry_id)?;
                Ok((Target::Entry(*entry_id), None))
            }
        }
    }

    /// Books an expense: paid by the line or, if it has another date, a bill that the line pays.
    fn expense(
        &self,
        tx: &mut Tx<'_>,
        cx: &Context,
        new: &LineExpense,
        if_filed: IfFiled,
    ) -> Result<(Target, Option<BankLine>), Error> {
        let (total, method) = (-self.amount, self.method()?);
        let date = new.date.unwrap_or(self.line.date);
        let is_paid_at_once = date == self.line.date;
        let mut command = new.command(date, total, if_filed);
        command.paid_from = is_paid_at_once.then_some(method);
        if command.supplier == Supplier::default() && command.description.is_none() {
            command.supplier.name.clone_from(&self.line.name);
            command.description = self.words().filter(|_| self.line.name.is_none());
        }
        let Created::New(expense) = expenses::record(tx, cx, &command)? else {
            return Err(Error::fault("/externalId", Reason::ExternalIdTaken));
        };
        let ExpenseDetails { expense, .. } = expense;
        if expense.total != total {
            let reason = Reason::LineUnbalanced { missing: total - expense.total };
            return Err(Error::fault("/items", reason));
        }
        let mut payment = None;
        if !is_paid_at_once {
            let paid = NewExpensePayment {
                external_id: None,
                expense_id: expense.id,
                date: Some(self.line.date),
                amount: Some(total),
                method,
                if_filed,
            };
            payment = Some(expenses::pay(tx, cx, &paid)?.into_inner().id);
        }
        Ok((Target::Document { parent: Some(expense.id), id: payment }, None))
    }

    fn payment(
        &self,
        invoice_id: i64,
        keeps_surplus: bool,
        method: MoneyAccount,
        if_filed: IfFiled,
    ) -> NewPayment {
        NewPayment {
            external_id: None,
            invoice_id,
            date: self.line.date,
            amount: Some(self.amount),
            method,
            reference: None,
            keeps_surplus,
            if_filed,
        }
    }

    /// Manual entry between the bank account and another ledger account.
    fn by_hand(&self, account: AccountCode) -> Event {
        let amount = self.amount;
        let postings = vec![
            Posting::debit(self.bank.code, amount, None),
            Posting::credit(account, amount, None),
        ];
        Event::ByHand { postings }
    }

    fn event(
        &self,
        tx: &mut Tx<'_>,
        cx: &Context,
        command: &NewEvent,
    ) -> Result<(Target, Option<BankLine>), Error> {
        let stored = events::record(tx, cx, command)?.into_inner().stored;
        Ok((Target::Document { parent: None, id: Some(stored.id) }, None))
    }

    /// Books a transfer, together with its other half if that is a line.
    fn transfer(
        &self,
        tx: &mut Tx<'_>,
        cx: &Context,
        (bank_account, line_id): (i64, Option<i64>),
        if_filed: IfFiled,
    ) -> Result<(Target, Option<BankLine>), Error> {
        let unknown = || Error::fault("/bankAccountId", Reason::UnknownBankAccount);
        let other = cx.actor.own_accounts.banks().by_id(bank_account).ok_or_else(unknown)?;
        if other.id == self.bank.id {
            return Err(Error::fault("/bankAccountId", Reason::SameAccount));
        }
        bank_accounts::require_active("/bankAccountId", other)?;
        let half = match line_id {
            None => None,
            Some(id) => {
                let line = line_rows::by_id(tx, cx.actor.account, id)?;
                let fits = |line: &BankLine| {
                    line.bank_account_id == other.id
                        && line.state == LineState::New
                        && line.amount == -self.line.amount
                        && self.amount == self.line.amount
                        && days_between(self.line.date, line.date) <= DAYS_OF_TRANSFER
                };
                let unfit = || Error::fault("/lineId", Reason::OtherHalfUnfit);
                Some(line.filter(fits).ok_or_else(unfit)?)
            }
        };
        if half.is_none()
            && let Some(id) = self.awaited(tx, cx, other)?
        {
            events::complete(tx, cx, id, self.line.date, if_filed)?;
            return Ok((Target::Document { parent: Some(other.id), id: Some(id) }, None));
        }
        // The line of the other bank account books the other half when it comes.
        let is_awaited =
            half.is_none() && bank_statements::has_statements(tx, cx.actor.account, other.id)?;
        let other_code = other.code.get();
        let other_method = MoneyAccount::named(other_code)
            .ok_or_else(|| Error::Internal(format!("{other_code} is no account for money")))?;
        let other_day = half.as_ref().map_or(self.line.date, |line| line.date);
        let goes_out = self.amount.is_negative();
        let (from, to) =
            if goes_out { (self.method()?, other_method) } else { (other_method, self.method()?) };
        let (date, arrived) =
            if goes_out { (self.line.date, other_day) } else { (other_day, self.line.date) };
        let other_half = if goes_out { TransferHalf::Arrival } else { TransferHalf::Departure };
        let awaited = is_awaited.then_some(other_half);
        let transfer = Event::Transfer { from, to, amount: self.amount.abs(), arrived, awaited };
        let command = NewEvent {
            external_id: None,
            date,
            description: None,
            event: transfer,
            parent_id: None,
            open_items: Vec::new(),
            if_filed,
        };
        let stored = events::record_of_lines(tx, cx, &command)?;
        Ok((Target::Document { parent: Some(other.id), id: Some(stored.id) }, half))
    }

    /// Returns the transfer of which this is the awaited half: of this amount between both bank
    /// accounts, and booked at most ten days before or after; the nearest if there are several.
    fn awaited(
        &self,
        tx: &mut Tx<'_>,
        cx: &Context,
        other: &BankAccount,
    ) -> Result<Option<i64>, Error> {
        let fits = |stored: StoredEvent| {
            let Event::Transfer { from, to, amount, awaited: Some(half), .. } = stored.event else {
                return None;
            };
            let accounts = match half {
                TransferHalf::Departure => (to.code(), from.code()),
                TransferHalf::Arrival => (from.code(), to.code()),
            };
            let signed = if half == TransferHalf::Departure { -amount } else { amount };
            let days = days_between(stored.date, self.line.date);
            let is_it = accounts == (other.code, self.bank.code)
                && signed == self.amount
                && days <= DAYS_OF_TRANSFER;
            is_it.then_some((days, stored.id))
        };
        let found = events::awaited(tx, cx)?.into_iter().filter_map(fits).min();
        Ok(found.map(|(_, id)| id))
    }

    /// Requires an entry in force with a posting of exactly this amount on the bank account that
    /// belongs to no line.
    fn require_fitting(&self, tx: &mut Tx<'_>, cx: &Context, entry: i64) -> Result<(), Error> {
        let account = cx.actor.account;
        let fault = |reason| Err(Error::fault("/entryId", reason));
        let stored = match entries::read(tx, cx, entry) {
            Err(Error::NotFound(_)) => return fault(Reason::UnknownEntry),
            other => other?,
        };
        if stored.entry.source().kind == SourceType::OpeningBalance {
            return fault(Reason::EntryOfOpeningBalance);
        }
        let postings = stored.entry.postings();
        let on_bank: Vec<&Posting> =
            postings.iter().filter(|of| of.account() == self.bank.code).collect();
        if on_bank.is_empty() {
            return fault(Reason::EntryOfOtherBankAccount);
        }
        let moved: Cents = on_bank.iter().map(|of| of.debited() - of.credited()).sum();
        let is_reversed =
            stored.entry.reverses().is_some() || rows::is_reversed(tx, account, entry)?;
        if moved != self.amount || is_reversed {
            return fault(Reason::EntryOfOtherAmount { amount: moved });
        }
        if rows::is_linked(tx, account, entry, self.bank.id)? {
            return fault(Reason::EntryLinked);
        }
        Ok(())
    }
}

/// Maximum number of counterparts that [`counterparts`] returns of each kind.
const MOST_COUNTERPARTS: i64 = 50;
const MOST_ENTRIES: usize = 50;

/// Records that a line can be booked against without a new booking, or with its other half.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counterparts {
    /// New lines of other bank accounts with the opposite amount, at most ten days away.
    pub halves: Vec<BankLine>,
    /// Entries of the same amount that belong to no line, at most ten days away: id and date.
    pub entries: Vec<(i64, Date)>,
}

/// Returns the records that a line can be booked against.
///
/// # Errors
/// The storage failed.
pub fn counterparts(tx: &mut Tx<'_>, cx: &Context, line: &BankLine) -> Result<Counterparts, Error> {
    let Some(bank) = cx.actor.own_accounts.banks().by_id(line.bank_account_id) else {
        return Ok(Counterparts::default());
    };
    let span = i64::from(DAYS_OF_TRANSFER).days();
    let (from, to) = (line.date.saturating_sub(span), line.date.saturating_add(span));
    let opposite = Some(-line.amount);
    let filter = LineFilter {
        state: Some(LineState::New),
        days: (Some(from), Some(to)),
        amounts: (opposite, opposite),
        ..LineFilter::default()
    };
    let account = cx.actor.account;
    let mut halves = line_rows::section(tx, account, &filter, (0, MOST_COUNTERPARTS))?;
    halves.retain(|other| other.bank_account_id != line.bank_account_id);
    let of_bank = (bank.id, bank.code);
    let unlinked = rows::unlinked(tx, account, of_bank, (from, to))?.into_iter().rev();
    let equal = unlinked.filter(|entry| entry.amount == line.amount);
    let entries = equal.map(|entry| (entry.entry_id, entry.date)).take(MOST_ENTRIES).collect();
    Ok(Counterparts { halves, entries })
}

fn days_between(one: Date, other: Date) -> i32 {
    one.until(other).map_or(i32::MAX, |span| span.get_days().abs())
}

/// Moves a fault of a posting to the field `account`.
fn to_account(error: Error) -> Error {
    match error {
        Error::Invalid(faults) => {
            let moved = |fault: Fault| match &*fault.path {
                "/lines/1/account" => Fault { path: "/account".to_owned(), ..fault },
                _ => fault,
            };
            Error::Invalid(faults.into_iter().map(moved).collect())
        }
        other => other,
    }
}

/// Command that undoes a line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UndoLine {
    /// Date of all reversals; by default each entry is reversed on its own date, so that the two
    /// halves of a transfer keep their days.
    pub date: Option<Date>,
    /// Handling of reversals in a period whose VAT return is filed.
    pub if_filed: IfFiled,
}

/// Makes a booked or ignored line new again: undoes all allocations, or none. Undoing one half of a
/// transfer undoes both, and all other allocations of the other line.
///
/// # Errors
/// The account is not Dutch; it has no such line; the line is new, or moves no money; the date is before that of the
/// line or of an entry to reverse, or after tomorrow; or the command that undoes an allocation
/// refuses it.
pub fn undo(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    command: UndoLine,
) -> Result<LineDetails, Error> {
    let account = cx.actor.account;
    books::lock(tx, account)?;
    let details = bank_lines::read(tx, cx, id)?;
    if details.line.state == LineState::New {
        return Err(BankError::NotBooked(id).into());
    }
    if details.line.state_reason == Some(IgnoreReason::ZeroAmount) {
        return Err(BankError::NothingToBook(id).into());
    }
    // The links go first, so that undoing the bookings does not touch the lines.
    let allocations = context::transact(tx, cx, |tx, books, cx| {
        let mut allocations = details.allocations;
        let (mut lines, mut seen) = (BTreeSet::from([id]), 0);
        while let Some(allocation) = allocations.get(seen) {
            seen += 1;
            let (AllocationKind::Transfer, Some(transfer)) =
                (allocation.kind, allocation.target_id)
            else {
                continue;
            };
            let source = Source { kind: SourceType::Transfer, id: transfer };
            let entries = journal::ids_by_source(tx, account, source)?;
            for other in rows::lines_of_entries(tx, account, &entries)? {
                if lines.insert(other.line_id) {
                    allocations.extend(rows::of_line(tx, account, other.line_id)?);
                }
            }
        }
        let mut earliest = details.line.date;
        for allocation in &allocations {
            earliest = earliest.max(last_day(tx, account, allocation)?.unwrap_or(earliest));
        }
        day_of_undoing(books.clock(), earliest, command.date)?;
        for line in lines {
            bank_lines::set_new(tx, cx, line)?;
        }
        Ok(allocations)
    })?;
    let mut transfers = BTreeSet::new();
    for allocation in allocations.iter().rev() {
        let is_transfer = allocation.kind == AllocationKind::Transfer;
        if !is_transfer || transfers.insert(allocation.target_id) {
            undo_allocation(tx, cx, allocation, command)?;
        }
    }
    bank_lines::read(tx, cx, id)
}

/// Date of the last entry that undoing an allocation reverses; `None` if it reverses none.
fn last_day(
    tx: &mut Tx<'_>,
    account: i64,
    allocation: &BankAllocation,
) -> Result<Option<Date>, Error> {
    let source = match (allocation.kind, allocation.parent_id, allocation.target_id) {
        (AllocationKind::Existing, ..) => return Ok(None),
        (AllocationKind::Transfer, _, Some(id)) => Some(Source { kind: SourceType::Transfer, id }),
        (AllocationKind::Expense, Some(id), _) => Some(Source { kind: SourceType::Expense, id }),
        _ => None,
    };
    let mut ids = allocation.entry_ids.clone();
    if let Some(source) = source {
        ids.extend(journal::ids_by_source(tx, account, source)?);
    }
    let mut last = None;
    for id in corrections::not_taken_back(tx, account, &ids)? {
        last = last.max(journal::by_id(tx, account, id)?.map(|stored| stored.entry.date()));
    }
    Ok(last)
}

fn undo_allocation(
    tx: &mut Tx<'_>,
    cx: &Context,
    allocation: &BankAllocation,
    UndoLine { date, if_filed }: UndoLine,
) -> Result<(), Error> {
    let id = allocation.target_id.unwrap_or_default();
    let parent = allocation.parent_id.unwrap_or_default();
    let event =
        |tx: &mut Tx<'_>, kind| events::undo_on(tx, cx, (kind, id), date, if_filed).map(drop);
    match allocation.kind {
        AllocationKind::Invoice | AllocationKind::Refund => {
            let undone = UndoPayment { date, if_filed };
            payments::undo(tx, cx, (parent, id), undone, &|_| true).map(drop)
        }
        AllocationKind::Bill => {
            expenses::undo_payment_on(tx, cx, (parent, id), date, if_filed).map(drop)
        }
        AllocationKind::Expense => expenses::undo_on(tx, cx, parent, date, if_filed).map(drop),
        AllocationKind::Vat => vat_payments::undo_on(tx, cx, id, date).map(drop),
        AllocationKind::Payout => {
            payouts::undo(tx, cx, id, UndoPayout { date, if_filed }).map(drop)
        }
        AllocationKind::Private => event(tx, SourceType::PrivateBooking),
        AllocationKind::Transfer => event(tx, SourceType::Transfer),
        AllocationKind::Loan => event(tx, SourceType::Loan),
        AllocationKind::LoanRepayment => event(tx, SourceType::LoanRepayment),
        AllocationKind::BankCosts | AllocationKind::Interest | AllocationKind::Ledger => {
            event(tx, SourceType::Manual)
        }
        AllocationKind::Existing => Ok(()),
    }
}
