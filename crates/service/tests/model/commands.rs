//! Commands on the books, and their effect on the model.

use crate::{
    books::{Account, Bill, Entry, Key, Money, Posting, Project, at, code, last},
    pricing::{fault, fault_at, vat_of},
    purchases::{divided, rounded_share},
};
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use ledger::{
    booking::MoneyAccount, entry::SourceType, hours::Hours, money::Cents, vat_period::VatPeriod,
};
use service::{
    AccessError, BookingError, Error, Fault, PeriodError, TimeTrackingError,
    accounts::OpenAccount,
    assets::{DisposeAsset, NewAsset},
    corrections::IfFiled,
    events::NewEvent,
    expenses::{NewExpense, NewExpensePayment},
    hours_log::NewLoggedHours,
    invoices::{EditInvoice, NewCreditNote, NewInvoice},
    manual_entries::ManualBooking,
    mileage::NewTrip,
    oss::Register,
    payments::NewPayment,
    payouts::NewPayout,
    projects::NewProject,
    scheme_changes::ChangeScheme,
    time_entries::{EditTimeEntry, NewTimeEntry},
    vat_accounting::ChangeMethod,
    vat_payments::NewVatPayment,
    vat_units::ChangeUnit,
    write_offs::NewWriteOff,
};
use std::collections::BTreeSet;
use store::{accounts::Plan, keys::Scopes};

/// Date of the reversal, and the handling of a filed period.
pub(crate) type UndoneOn = (Option<Date>, IfFiled);

/// A command on the books.
#[derive(Debug, Clone)]
pub(crate) enum Command {
    Open(OpenAccount),
    Plan(String, Plan),
    Key(String, Scopes),
    Revoke(i64),
    Invoice(NewInvoice),
    Edit(i64, EditInvoice),
    Credit(NewCreditNote),
    Pay(NewPayment),
    /// Undoes the payment with this id on this invoice.
    Undo((i64, i64), UndoneOn),
    WriteOff(NewWriteOff),
    UndoWriteOff((i64, i64), UndoneOn),
    /// Moves the VAT on payments that were received before the invoice with this id.
    MoveVat(i64, IfFiled),
    Cancel(i64, IfFiled),
    Spend(NewExpense),
    PayBill(NewExpensePayment),
    RepayVat(i64, Option<Date>, IfFiled),
    UndoExpense(i64, IfFiled),
    Buy(NewAsset),
    Depreciate(i64, Date),
    Dispose(i64, DisposeAsset),
    ReviseVat(i64, UndoneOn),
    UndoAsset(i64, IfFiled),
    PayVat(NewVatPayment),
    UndoVatPayment(i64),
    Manual(Date, ManualBooking),
    Payout(NewPayout),
    UndoPayout(i64, UndoneOn),
    Trip(NewTrip),
    UndoTrip(i64),
    Event(NewEvent),
    UndoEvent(SourceType, i64, IfFiled),
    Project(NewProject),
    Archive(i64, bool),
    Work(NewTimeEntry),
    Rework(i64, EditTimeEntry),
    Unwork(i64),
    Log(NewLoggedHours),
    File(VatPeriod),
    Reopen(VatPeriod),
    Unit(ChangeUnit),
    Scheme(ChangeScheme),
    Method(ChangeMethod),
    Register(Register),
    FileOss(VatPeriod),
    ReopenOss(VatPeriod),
    CloseYear(i16),
    ReopenYear(i16),
}

impl Command {
    /// Kind of command, for the statistics.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Open(_) => "open account",
            Self::Plan(..) => "set plan",
            Self::Key(..) => "create key",
            Self::Revoke(_) => "revoke key",
            Self::Invoice(_) => "create invoice",
            Self::Edit(..) => "edit invoice",
            Self::Credit(_) => "credit",
            Self::Pay(_) => "pay",
            Self::Undo(..) => "undo payment",
            Self::WriteOff(_) => "write off",
            Self::UndoWriteOff(..) => "undo write-off",
            Self::MoveVat(..) => "move VAT",
            Self::Cancel(..) => "cancel draft",
            Self::Spend(_) => "expense",
            Self::PayBill(_) => "pay bill",
            Self::RepayVat(..) => "repay VAT",
            Self::UndoExpense(..) => "undo expense",
            Self::Buy(_) => "buy asset",
            Self::Depreciate(..) => "depreciate",
            Self::Dispose(..) => "dispose",
            Self::ReviseVat(..) => "revise VAT",
            Self::UndoAsset(..) => "undo asset",
            Self::PayVat(_) => "pay VAT",
            Self::UndoVatPayment(_) => "undo VAT payment",
            Self::Manual(..) => "manual booking",
            Self::Payout(_) => "payout",
            Self::UndoPayout(..) => "undo payout",
            Self::Trip(_) => "trip",
            Self::UndoTrip(_) => "undo trip",
            Self::Event(_) => "event",
            Self::UndoEvent(..) => "undo event",
            Self::Project(_) => "create project",
            Self::Archive(..) => "archive project",
            Self::Work(_) => "time entry",
            Self::Rework(..) => "edit time entry",
            Self::Unwork(_) => "delete time entry",
            Self::Log(_) => "hours log",
            Self::File(_) => "file return",
            Self::Reopen(_) => "reopen return",
            Self::Unit(_) => "change unit",
            Self::Scheme(_) => "change scheme",
            Self::Method(_) => "change method",
            Self::Register(_) => "register for OSS",
            Self::FileOss(_) => "file OSS return",
            Self::ReopenOss(_) => "reopen OSS return",
            Self::CloseYear(_) => "close year",
            Self::ReopenYear(_) => "reopen year",
        }
    }
}

/// Result of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Made {
    /// A new item with this id.
    New(i64),
    /// The item that already has the external id.
    Existing(i64),
    /// No item.
    Nothing,
}

/// Items that a command may have changed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Touched {
    pub(crate) invoices: BTreeSet<i64>,
    /// Days whose VAT may have changed.
    pub(crate) vat_days: BTreeSet<Date>,
    pub(crate) days: BTreeSet<Date>,
    pub(crate) projects: BTreeSet<i64>,
}

/// Position of the item with the given external id, from 1.
pub(crate) fn known<T>(
    list: &[T],
    external_id: Option<&String>,
    own: impl Fn(&T) -> Option<&String>,
) -> Option<i64> {
    let place = list.iter().position(|item| external_id.is_some() && own(item) == external_id)?;
    Some(i64::try_from(place).unwrap() + 1)
}

pub(crate) fn cents(amount: Cents) -> Money {
    amount.get().into()
}

/// Account for money received (negative: paid). Money into the owner's own pocket is a drawing,
/// money out of it a deposit.
pub(crate) fn money(place: MoneyAccount, amount: Money) -> u16 {
    match place {
        MoneyAccount::Bank | MoneyAccount::DirectDebit => 1100,
        MoneyAccount::Ideal | MoneyAccount::Paypal | MoneyAccount::Provider => 1130,
        MoneyAccount::Savings => 1110,
        MoneyAccount::Cash => 1000,
        MoneyAccount::Other(_) => place.code().get(),
        MoneyAccount::Card => 1120,
        MoneyAccount::Private if amount > 0 => code::PRIVATE_DRAWINGS,
        MoneyAccount::Private => code::PRIVATE_DEPOSITS,
    }
}

pub(crate) fn two_sided(debit: u16, credit: u16, amount: Money) -> Vec<Posting> {
    vec![(debit, "", amount), (credit, "", -amount)]
}

/// Model of all accounts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Model {
    pub(crate) accounts: Vec<Account>,
}

impl Model {
    /// Runs a command on the account at `place`. A rejected command changes nothing.
    pub(crate) fn apply(
        &mut self,
        place: usize,
        now: Timestamp,
        command: &Command,
        touched: &mut Touched,
    ) -> Result<Made, Error> {
        match command {
            Command::Open(command) => self.open(command),
            Command::Plan(email, plan) => {
                let account = self.accounts.iter_mut().find(|account| account.email == *email);
                account.ok_or(Error::NotFound("account"))?.plan = *plan;
                Ok(Made::Nothing)
            }
            _ => {
                // A command rejected halfway changes nothing.
                let account = &mut self.accounts[place];
                let before = account.clone();
                let outcome = account.apply(now, command, touched);
                if outcome.is_err() {
                    *account = before;
                    touched.invoices.retain(|id| at(&account.invoices, *id).is_some());
                    return outcome;
                }
                for entry in &account.journal[before.journal.len()..] {
                    touched.vat_days.insert(entry.vat_date);
                    let (kind, id) = entry.source;
                    if [SourceType::Invoice, SourceType::VatDue].contains(&kind) {
                        touched.invoices.insert(id);
                    }
                }
                outcome
            }
        }
    }

    fn open(&mut self, command: &OpenAccount) -> Result<Made, Error> {
        let email = command.email.trim().to_lowercase();
        let mut faults = Vec::new();
        if !email.contains('@') {
            faults.push(fault_at("/email", "invalid_format"));
        }
        if command.name.trim().is_empty() {
            faults.push(fault_at("/name", "invalid_format"));
        }
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        if self.accounts.iter().any(|account| account.email == email) {
            return Err(AccessError::EmailTaken.into());
        }
        // The store chooses the id; the caller fills it in once the account exists.
        self.accounts.push(Account::new(0, &email, command.country, command.plan));
        Ok(Made::New(0))
    }
}

impl Account {
    // Long: one match over all commands.
    fn apply(
        &mut self,
        now: Timestamp,
        command: &Command,
        touched: &mut Touched,
    ) -> Result<Made, Error> {
        let anywhere = matches!(
            command,
            Command::Key(..)
                | Command::Revoke(_)
                | Command::Project(_)
                | Command::Archive(..)
                | Command::Work(_)
                | Command::Rework(..)
                | Command::Unwork(_)
                | Command::Open(_)
                | Command::Plan(..)
        );
        if !anywhere && self.country.as_str() != "NL" {
            return Err(AccessError::DutchAccountRequired.into());
        }
        match command {
            Command::Open(_) | Command::Plan(..) => unreachable!("not about one account's books"),
            Command::Key(name, scopes) => self.key(name, *scopes),
            Command::Revoke(id) => {
                let key = usize::try_from(*id - 1).ok().and_then(|place| self.keys.get_mut(place));
                key.filter(|key| !key.revoked)
                    .ok_or(Error::NotFound("unrevoked API key"))?
                    .revoked = true;
                Ok(Made::Nothing)
            }
            Command::Invoice(command) => self.invoice(command, today(now), touched),
            Command::Edit(id, edit) => self.edit(*id, edit, today(now), touched),
            Command::Credit(command) => self.credit(command, today(now), touched),
            Command::Pay(command) => self.pay(command, today(now), touched),
            Command::Undo(ids, on) => self.undo(*ids, *on, today(now), touched),
            Command::WriteOff(command) => self.write_off(command, today(now), touched),
            Command::MoveVat(id, how) => self.move_waiting(*id, *how, touched),
            Command::UndoWriteOff(ids, on) => self.undo_write_off(*ids, *on, today(now), touched),
            Command::Cancel(id, how) => self.cancel(*id, *how, touched),
            Command::Spend(command) => self.spend(command, touched),
            Command::PayBill(command) => self.pay_bill(command, today(now), touched),
            Command::RepayVat(id, on, how) => self.repay_vat(*id, (*on, *how), today(now), touched),
            Command::UndoExpense(id, how) => self.undo_expense(*id, *how, touched),
            Command::Buy(command) => self.buy(command, touched),
            Command::Depreciate(id, until) => self.depreciate(*id, *until, touched),
            Command::Dispose(id, command) => self.dispose(*id, command, touched),
            Command::ReviseVat(id, on) => self.revise_vat(*id, *on, today(now), touched),
            Command::UndoAsset(id, how) => self.undo_asset(*id, *how, touched),
            Command::PayVat(command) => self.pay_vat(command, today(now), touched),
            Command::UndoVatPayment(id) => self.undo_vat_payment(*id, touched),
            Command::Manual(date, booking) => self.by_hand(*date, booking, touched),
            Command::Payout(command) => self.payout(command, today(now), touched),
            Command::UndoPayout(id, on) => self.undo_payout(*id, *on, today(now), touched),
            Command::Trip(command) => self.trip(command, touched),
            Command::UndoTrip(id) => self.undo_trip(*id, touched),
            Command::Event(command) => self.event(command, touched),
            Command::UndoEvent(kind, id, how) => self.undo_event((*kind, *id), *how, touched),
            Command::Project(command) => self.project(command),
            Command::Archive(id, archived) => {
                touched.projects.insert(*id);
                let project =
                    usize::try_from(*id - 1).ok().and_then(|place| self.projects.get_mut(place));
                project.ok_or(Error::NotFound("project"))?.archived = *archived;
                Ok(Made::Nothing)
            }
            Command::Work(command) => self.work(command, touched),
            Command::Rework(id, edit) => self.rework(*id, edit, touched),
            Command::Unwork(id) => {
                let old = self.worked(*id)?.clone();
                touched.days.insert(old.date);
                touched.projects.insert(old.project_id);
                let gone = NewTimeEntry { external_id: None, hours: Hours::new(0), ..old };
                self.time[usize::try_from(*id - 1).unwrap()] = gone;
                Ok(Made::Nothing)
            }
            Command::Log(command) => self.log(command, touched),
            Command::File(period) => self.file(*period, now, touched),
            Command::Reopen(period) => {
                touched.vat_days.insert(period.first_day());
                self.reopen(*period, now)?;
                Ok(Made::Nothing)
            }
            Command::Unit(command) => self.change_unit(*command),
            Command::Scheme(command) => self.change_scheme(*command),
            Command::Method(command) => self.change_method(*command),
            Command::Register(command) => self.register(*command),
            Command::FileOss(period) => self.file_oss(*period, now),
            Command::ReopenOss(period) => self.reopen_oss(*period, now),
            Command::CloseYear(year) => self.close_year(*year, today(now)),
            Command::ReopenYear(year) => self.reopen_year(*year),
        }
    }

    fn key(&mut self, name: &str, scopes: Scopes) -> Result<Made, Error> {
        let no_name = name.trim().is_empty().then(|| fault_at("/name", "required"));
        let no_scope = (!scopes.read && !scopes.write && !scopes.file)
            .then(|| fault_at("/scopes", "required"));
        let faults: Vec<_> = no_name.into_iter().chain(no_scope).collect();
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        // The hash is filled in once the store has generated the key.
        self.keys.push(Key { name: name.trim().to_owned(), scopes, revoked: false, hash: [0; 32] });
        Ok(Made::New(last(&self.keys)))
    }

    fn spend(&mut self, command: &NewExpense, touched: &mut Touched) -> Result<Made, Error> {
        touched.vat_days.insert(command.date);
        let external_id = command.external_id.as_ref();
        if let Some(id) =
            known(&self.expenses, external_id, |expense| expense.command.external_id.as_ref())
        {
            return Ok(Made::Existing(id));
        }
        self.purchase(command, false).map(Made::New)
    }

    fn bill(&mut self, id: i64) -> Result<&mut Bill, Error> {
        let place = usize::try_from(id - 1).ok();
        place.and_then(|place| self.bills.get_mut(place)).ok_or(Error::NotFound("expense"))
    }

    fn pay_bill(
        &mut self,
        command: &NewExpensePayment,
        today: Date,
        touched: &mut Touched,
    ) -> Result<Made, Error> {
        let bill = self.bill(command.expense_id)?;
        if bill.undone {
            return Err(BookingError::AlreadyUndone.into());
        }
        let date = command.date.unwrap_or(today);
        let late = (date > today.tomorrow().unwrap()).then(|| fault_at("/date", "out_of_range"));
        let due = bill.owed - bill.paid;
        let amount = command.amount.map_or(due, cents);
        let wrong =
            due == 0 || amount == 0 || amount.signum() != due.signum() || amount.abs() > due.abs();
        let faults: Vec<_> = wrong
            .then(|| fault_at("/amount", "exceeds_outstanding"))
            .into_iter()
            .chain(late)
            .collect();
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        // The share of the repaid VAT that is deducted again equals the payment's share of the
        // unpaid amount.
        let vat = rounded_share(bill.repaid, amount, due);
        let deducted = divided(&bill.repayable, vat);
        bill.paid += amount;
        bill.repaid -= vat;
        touched.vat_days.insert(date);
        let description =
            at(&self.expenses, command.expense_id).unwrap().command.description.clone().unwrap();
        let mut postings =
            vec![(code::PAYABLES, "", amount), (money(command.method, -amount), "", -amount)];
        postings.extend(deducted.into_iter().map(|(account, vat)| (account, "5b", vat)));
        postings.push((code::VAT_NOT_DEDUCTIBLE, "", -vat));
        let entry = Entry {
            date,
            vat_date: date,
            description: format!("Payment: {description}"),
            source: (SourceType::Expense, command.expense_id),
            reverses: None,
            corrects: None,
            postings,
        };
        self.book_as(entry, command.if_filed)?;
        Ok(Made::Nothing)
    }

    fn repay_vat(
        &mut self,
        id: i64,
        (on, how): UndoneOn,
        today: Date,
        touched: &mut Touched,
    ) -> Result<Made, Error> {
        let bill = self.bill(id)?.clone();
        if bill.undone {
            return Err(BookingError::AlreadyUndone.into());
        }
        let command = at(&self.expenses, id).unwrap().command.clone();
        let date = on.unwrap_or(today);
        touched.vat_days.insert(date);
        if date < command.date {
            return Err(fault("/date", "out_of_range"));
        }
        let whole: Money = bill.repayable.iter().map(|(_, vat)| vat).sum();
        let open = if bill.owed == bill.paid {
            0
        } else {
            rounded_share(whole, bill.owed - bill.paid, bill.owed) - bill.repaid
        };
        if open == 0 {
            return Err(fault("", "exceeds_outstanding"));
        }
        let mut postings = vec![(code::VAT_NOT_DEDUCTIBLE, "", open)];
        postings.extend(
            divided(&bill.repayable, open).into_iter().map(|(account, vat)| (account, "5b", -vat)),
        );
        let description = format!("VAT paid back, bill unpaid: {}", command.description.unwrap());
        let source = (SourceType::Expense, id);
        self.book_as(
            Entry {
                date,
                vat_date: date,
                description,
                source,
                reverses: None,
                corrects: None,
                postings,
            },
            how,
        )?;
        self.bill(id)?.repaid += open;
        Ok(Made::Nothing)
    }

    fn undo_expense(
        &mut self,
        id: i64,
        how: IfFiled,
        touched: &mut Touched,
    ) -> Result<Made, Error> {
        let bill = self.bill(id)?;
        if bill.undone {
            return Ok(Made::Nothing);
        }
        if bill.opening {
            return Err(BookingError::IsOpeningItem.into());
        }
        if bill.asset {
            return Err(BookingError::IsAnAsset.into());
        }
        self.take_back_purchase(id, how, touched)?;
        Ok(Made::Nothing)
    }

    fn by_hand(
        &mut self,
        date: Date,
        booking: &ManualBooking,
        touched: &mut Touched,
    ) -> Result<Made, Error> {
        touched.vat_days.insert(date);
        let (description, postings) = match booking {
            ManualBooking::PrivateDrawing { amount, from } => {
                let amount = cents(*amount);
                (
                    "Private drawing",
                    two_sided(code::PRIVATE_DRAWINGS, money(*from, -amount), amount),
                )
            }
            ManualBooking::PrivateDeposit { amount, into } => {
                // A transfer from the owner's own pocket back into it stays on the deposits
                // account.
                let into = if *into == MoneyAccount::Private {
                    code::PRIVATE_DEPOSITS
                } else {
                    money(*into, 1)
                };
                ("Private deposit", two_sided(into, code::PRIVATE_DEPOSITS, cents(*amount)))
            }
            ManualBooking::PrivateUse { base, rate } => {
                let (base, vat) = (cents(*base), vat_of(cents(*base), *rate));
                let sides = [
                    (code::PRIVATE_DRAWINGS, "", base + vat),
                    (code::PRIVATE_USE, "1d", -base),
                    (1730, "1d", -vat),
                ];
                ("Private use", sides.to_vec())
            }
            ManualBooking::Depreciation { amount } => {
                let postings =
                    two_sided(code::DEPRECIATION, code::ACCUMULATED_DEPRECIATION, cents(*amount));
                ("Depreciation of equipment", postings)
            }
        };
        let (ManualBooking::PrivateDrawing { amount, .. }
        | ManualBooking::PrivateDeposit { amount, .. }
        | ManualBooking::PrivateUse { base: amount, .. }
        | ManualBooking::Depreciation { amount }) = booking;
        if amount.is_zero() || amount.is_negative() {
            return Err(fault("/amount", "out_of_range"));
        }
        self.manual += 1;
        let source = (SourceType::Manual, self.manual);
        let entry = Entry {
            date,
            vat_date: date,
            description: description.to_owned(),
            source,
            reverses: None,
            corrects: None,
            postings,
        };
        self.book_as(entry, IfFiled::Refuse).map(Made::New)
    }

    fn project(&mut self, command: &NewProject) -> Result<Made, Error> {
        let mut faults = Vec::new();
        faults.extend(command.name.trim().is_empty().then(|| fault_at("/name", "required")));
        faults.extend(
            command
                .hourly_rate
                .is_some_and(Cents::is_negative)
                .then(|| fault_at("/hourlyRate", "out_of_range")),
        );
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        let hourly_rate = command.hourly_rate.map(cents);
        self.projects.push(Project {
            name: command.name.trim().to_owned(),
            hourly_rate,
            archived: false,
        });
        Ok(Made::New(last(&self.projects)))
    }

    /// Fault if the hours would bring a day to more than 24 hours.
    fn day_fault(&self, date: Date, hours: Hours) -> Option<Fault> {
        let (project, logged) = self.hours_on_day(date);
        (project.get() + logged.get() + hours.get() > 2400)
            .then(|| fault_at("/hours", "out_of_range"))
    }

    fn work(&mut self, command: &NewTimeEntry, touched: &mut Touched) -> Result<Made, Error> {
        touched.days.insert(command.date);
        touched.projects.insert(command.project_id);
        if let Some(id) =
            known(&self.time, command.external_id.as_ref(), |entry| entry.external_id.as_ref())
        {
            return Ok(Made::Existing(id));
        }
        let project = at(&self.projects, command.project_id);
        let unknown = project.is_none().then(|| fault_at("/projectId", "unknown_project"));
        let faults: Vec<Fault> =
            unknown.into_iter().chain(self.day_fault(command.date, command.hours)).collect();
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        if project.is_some_and(|project| project.archived) {
            return Err(TimeTrackingError::ProjectArchived.into());
        }
        self.time.push(command.clone());
        Ok(Made::New(last(&self.time)))
    }

    /// Returns a time entry by its id, unless it was deleted; deleted entries have no hours.
    fn worked(&self, id: i64) -> Result<&NewTimeEntry, Error> {
        at(&self.time, id)
            .filter(|entry| entry.hours.get() > 0)
            .ok_or(Error::NotFound("time entry"))
    }

    fn rework(
        &mut self,
        id: i64,
        edit: &EditTimeEntry,
        touched: &mut Touched,
    ) -> Result<Made, Error> {
        let old = self.worked(id)?.clone();
        let mut new = old.clone();
        new.project_id = edit.project_id.unwrap_or(old.project_id);
        new.date = edit.date.unwrap_or(old.date);
        new.hours = edit.hours.unwrap_or(old.hours);
        new.external_id = edit.external_id.clone().unwrap_or(new.external_id);
        touched.days.extend([old.date, new.date]);
        touched.projects.extend([old.project_id, new.project_id]);
        let project = at(&self.projects, new.project_id);
        let mut faults: Vec<Fault> = project
            .is_none()
            .then(|| fault_at("/projectId", "unknown_project"))
            .into_iter()
            .collect();
        if new.external_id != old.external_id
            && known(&self.time, new.external_id.as_ref(), |entry| entry.external_id.as_ref())
                .is_some()
        {
            faults.push(fault_at("/externalId", "taken"));
        }
        let (on_projects, logged) = self.hours_on_day(new.date);
        let own = if old.date == new.date { old.hours.get() } else { 0 };
        let changes =
            (new.project_id, new.date, new.hours) != (old.project_id, old.date, old.hours);
        if (changes || new.external_id != old.external_id)
            && on_projects.get() + logged.get() - own + new.hours.get() > 2400
        {
            faults.push(fault_at("/hours", "out_of_range"));
        }
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        if new.project_id != old.project_id && project.is_some_and(|project| project.archived) {
            return Err(TimeTrackingError::ProjectArchived.into());
        }
        self.time[usize::try_from(id - 1).unwrap()] = new;
        Ok(Made::Nothing)
    }

    fn log(&mut self, command: &NewLoggedHours, touched: &mut Touched) -> Result<Made, Error> {
        touched.days.insert(command.date);
        if let Some(id) =
            known(&self.logged, command.external_id.as_ref(), |entry| entry.external_id.as_ref())
        {
            return Ok(Made::Existing(id));
        }
        if let Some(fault) = self.day_fault(command.date, command.hours) {
            return Err(Error::Invalid(vec![fault]));
        }
        self.logged.push(command.clone());
        Ok(Made::New(last(&self.logged)))
    }

    fn file(
        &mut self,
        period: VatPeriod,
        now: Timestamp,
        touched: &mut Touched,
    ) -> Result<Made, Error> {
        touched.vat_days.insert(period.first_day());
        let first = self.period_of(period.first_day());
        if first != period {
            let last = self.period_of(period.last_day());
            return Err(PeriodError::NotFiledBy { period, first, last }.into());
        }
        if self.filed(period).is_some() {
            return Err(PeriodError::FiledAlready(period).into());
        }
        if today(now) <= period.last_day() {
            return Err(PeriodError::NotOver(period).into());
        }
        self.settle(period, now)?;
        Ok(Made::Nothing)
    }
}

/// Date in Amsterdam at the given time.
pub(crate) fn today(now: Timestamp) -> Date {
    now.to_zoned(TimeZone::get("Europe/Amsterdam").unwrap()).date()
}
