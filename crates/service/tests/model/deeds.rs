//! What can be done with the books, and what the model says that it does.

use crate::{
    books::{Account, Done, Entry, Filing, Key, Money, Posting, Project, at, code, last},
    pricing::{fault, vat_of},
};
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use ledger::{
    booking::{MoneyAccount, PurchaseVat, ReverseChargeKind},
    calendar::Quarter,
    entry::SourceType,
    hours::Hours,
    money::Cents,
};
use service::{
    Error, Fault,
    accounts::OpenAccount,
    expenses::NewExpense,
    hours_log::NewLoggedHours,
    invoices::{EditInvoice, NewCreditNote, NewInvoice},
    manual::ManualBooking,
    payments::NewPayment,
    projects::NewProject,
    time_entries::NewTimeEntry,
};
use std::collections::BTreeSet;
use store::{accounts::Plan, keys::Scopes};

/// Something that is done to the books.
#[derive(Debug, Clone)]
pub(crate) enum Deed {
    Open(OpenAccount),
    Plan(String, Plan),
    Key(String, Scopes),
    Revoke(i64),
    Invoice(NewInvoice),
    Edit(i64, EditInvoice),
    Credit(NewCreditNote),
    Pay(NewPayment),
    Spend(NewExpense),
    Manual(Date, ManualBooking),
    Project(NewProject),
    Archive(i64, bool),
    Work(NewTimeEntry),
    Log(NewLoggedHours),
    File(Quarter),
    Reopen(Quarter),
}

impl Deed {
    /// Its kind, for the counts.
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
            Self::Spend(_) => "expense",
            Self::Manual(..) => "manual booking",
            Self::Project(_) => "create project",
            Self::Archive(..) => "archive project",
            Self::Work(_) => "time entry",
            Self::Log(_) => "hours log",
            Self::File(_) => "file return",
            Self::Reopen(_) => "reopen return",
        }
    }
}

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Made {
    /// Something new with this id.
    New(i64),
    /// The external id named this already.
    Known(i64),
    /// No thing of its own.
    Nothing,
}

/// What a deed may have changed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Touched {
    pub(crate) invoices: BTreeSet<i64>,
    pub(crate) quarters: BTreeSet<Quarter>,
    pub(crate) days: BTreeSet<Date>,
    pub(crate) projects: BTreeSet<i64>,
}

/// The place of what has that external id.
pub(crate) fn known<T>(list: &[T], external_id: Option<&String>, own: impl Fn(&T) -> Option<&String>) -> Option<i64> {
    let place = list.iter().position(|item| external_id.is_some() && own(item) == external_id)?;
    Some(i64::try_from(place).unwrap() + 1)
}

pub(crate) fn cents(amount: Cents) -> Money {
    amount.get().into()
}

/// Where that much money comes in (below zero: goes out). What comes into the owner's own pocket is drawn, what goes out of it
/// was put in.
pub(crate) fn money(place: MoneyAccount, amount: Money) -> u16 {
    match place {
        MoneyAccount::Bank => 1100,
        MoneyAccount::Savings => 1110,
        MoneyAccount::Cash => 1000,
        MoneyAccount::Card => 1120,
        MoneyAccount::Private if amount > 0 => code::PRIVATE_DRAWINGS,
        MoneyAccount::Private => code::PRIVATE_DEPOSITS,
    }
}

pub(crate) fn two_sided(debit: u16, credit: u16, amount: Money) -> Vec<Posting> {
    vec![(debit, "", amount), (credit, "", -amount)]
}

/// The model of all accounts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Model {
    pub(crate) accounts: Vec<Account>,
}

impl Model {
    /// Does a deed; `place` is whose. Without a change when it is refused.
    pub(crate) fn apply(&mut self, place: usize, now: Timestamp, deed: &Deed, touched: &mut Touched) -> Result<Made, Error> {
        match deed {
            Deed::Open(command) => self.open(command),
            Deed::Plan(email, plan) => {
                let account = self.accounts.iter_mut().find(|account| account.email == *email);
                account.ok_or(Error::NotFound("account"))?.plan = *plan;
                Ok(Made::Nothing)
            }
            _ => self.accounts[place].apply(now, deed, touched),
        }
    }

    fn open(&mut self, command: &OpenAccount) -> Result<Made, Error> {
        let email = command.email.trim().to_lowercase();
        let mut faults = Vec::new();
        if !email.contains('@') {
            faults.push(Fault::new("/email", "invalid_format", ""));
        }
        if command.name.trim().is_empty() {
            faults.push(Fault::new("/name", "invalid_format", ""));
        }
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        if self.accounts.iter().any(|account| account.email == email) {
            return Err(Error::EmailTaken);
        }
        // The id is the store's to choose; it is taken over when the account is there.
        self.accounts.push(Account::new(0, &email, command.country, command.plan));
        Ok(Made::New(0))
    }
}

impl Account {
    fn apply(&mut self, now: Timestamp, deed: &Deed, touched: &mut Touched) -> Result<Made, Error> {
        let anywhere = matches!(
            deed,
            Deed::Key(..)
                | Deed::Revoke(_)
                | Deed::Project(_)
                | Deed::Archive(..)
                | Deed::Work(_)
                | Deed::Open(_)
                | Deed::Plan(..)
        );
        if !anywhere && self.country.as_str() != "NL" {
            return Err(Error::DutchAccountRequired);
        }
        match deed {
            Deed::Open(_) | Deed::Plan(..) => unreachable!("not about one account's books"),
            Deed::Key(name, scopes) => self.key(name, *scopes),
            Deed::Revoke(id) => {
                let key = usize::try_from(*id - 1).ok().and_then(|place| self.keys.get_mut(place));
                key.filter(|key| !key.revoked).ok_or(Error::NotFound("unrevoked API key"))?.revoked = true;
                Ok(Made::Nothing)
            }
            Deed::Invoice(command) => self.invoice(command, touched),
            Deed::Edit(id, edit) => self.edit(*id, edit, touched),
            Deed::Credit(command) => self.credit(command, touched),
            Deed::Pay(command) => self.pay(command, touched),
            Deed::Spend(command) => self.spend(command, touched),
            Deed::Manual(date, booking) => self.by_hand(*date, booking, touched),
            Deed::Project(command) => self.project(command),
            Deed::Archive(id, archived) => {
                touched.projects.insert(*id);
                let project = usize::try_from(*id - 1).ok().and_then(|place| self.projects.get_mut(place));
                project.ok_or(Error::NotFound("project"))?.archived = *archived;
                Ok(Made::Nothing)
            }
            Deed::Work(command) => self.work(command, touched),
            Deed::Log(command) => self.log(command, touched),
            Deed::File(quarter) => self.file(*quarter, now, touched),
            Deed::Reopen(quarter) => {
                touched.quarters.insert(*quarter);
                let filing = self.filings.get(quarter).filter(|filing| filing.filed).cloned();
                let filing = filing.ok_or(Error::PeriodNotFiled(*quarter))?;
                self.reverse(filing.entry, "Reopened");
                self.filings.insert(*quarter, Filing { filed: false, ..filing });
                Ok(Made::Nothing)
            }
        }
    }

    fn key(&mut self, name: &str, scopes: Scopes) -> Result<Made, Error> {
        let no_name = name.trim().is_empty().then(|| Fault::new("/name", "required", ""));
        let no_scope = (!scopes.read && !scopes.write).then(|| Fault::new("/scopes", "required", ""));
        let faults: Vec<_> = no_name.into_iter().chain(no_scope).collect();
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        // The hash is known when the store has drawn the key.
        self.keys.push(Key { name: name.trim().to_owned(), scopes, revoked: false, hash: [0; 32] });
        Ok(Made::New(last(&self.keys)))
    }

    fn spend(&mut self, command: &NewExpense, touched: &mut Touched) -> Result<Made, Error> {
        touched.quarters.insert(Quarter::of(command.date));
        let external_id = command.external_id.as_ref();
        if let Some(id) = known(&self.expenses, external_id, |expense| expense.command.external_id.as_ref()) {
            return Ok(Made::Known(id));
        }
        let purchase = &command.purchase;
        let (cost, net) = (purchase.cost.get(), cents(purchase.net));
        if net.abs() > cents(Cents::MAX) {
            return Err(fault("/net", "out_of_range"));
        }
        self.require_open(command.date)?;
        let against = |paid: Money| (purchase.paid_from.map_or(code::PAYABLES, |place| money(place, -paid)), "", -paid);
        let postings = match purchase.vat {
            PurchaseVat::None => vec![(cost, "", net), against(net)],
            PurchaseVat::Deductible { rate, vat } => {
                let input = if rate.basis_points() == 900 { 1510 } else { 1500 };
                vec![(cost, "", net), (input, "5b", cents(vat)), against(net + cents(vat))]
            }
            PurchaseVat::ReverseCharged { kind, rate, deductible } => {
                let (vat_box, due) = match kind {
                    ReverseChargeKind::Domestic => ("2a", 1740),
                    ReverseChargeKind::OutsideEu => ("4a", 1750),
                    ReverseChargeKind::Eu => ("4b", 1760),
                };
                let vat = vat_of(net, rate);
                let own = if deductible { (1520, "5b", vat) } else { (cost, "", vat) };
                vec![(cost, vat_box, net), own, (due, vat_box, -vat), against(net)]
            }
        };
        let id = last(&self.expenses) + 1;
        let entry = self.book(Entry {
            date: command.date,
            description: purchase.description.clone(),
            source: (SourceType::Expense, id),
            reverses: None,
            postings,
        });
        self.expenses.push(Done { command: command.clone(), entry });
        Ok(Made::New(id))
    }

    fn by_hand(&mut self, date: Date, booking: &ManualBooking, touched: &mut Touched) -> Result<Made, Error> {
        touched.quarters.insert(Quarter::of(date));
        let (description, postings) = match booking {
            ManualBooking::PrivateDrawing { amount, from } => {
                let amount = cents(*amount);
                ("Private drawing", two_sided(code::PRIVATE_DRAWINGS, money(*from, -amount), amount))
            }
            ManualBooking::PrivateDeposit { amount, into } => {
                // Out of the owner's own pocket into it: that stays where private money is put in.
                let into = if *into == MoneyAccount::Private { code::PRIVATE_DEPOSITS } else { money(*into, 1) };
                ("Private deposit", two_sided(into, code::PRIVATE_DEPOSITS, cents(*amount)))
            }
            ManualBooking::PrivateUse { base, rate } => {
                let (base, vat) = (cents(*base), vat_of(cents(*base), *rate));
                let sides = [(code::PRIVATE_DRAWINGS, "", base + vat), (code::PRIVATE_USE, "1d", -base), (1730, "1d", -vat)];
                ("Private use", sides.to_vec())
            }
            ManualBooking::Depreciation { amount } => {
                let postings = two_sided(code::DEPRECIATION, code::ACCUMULATED_DEPRECIATION, cents(*amount));
                ("Depreciation of equipment", postings)
            }
            ManualBooking::VatPayment { amount, from } => {
                let amount = cents(*amount);
                ("VAT payment", two_sided(code::VAT_SETTLEMENT, money(*from, -amount), amount))
            }
        };
        let (ManualBooking::PrivateDrawing { amount, .. }
        | ManualBooking::PrivateDeposit { amount, .. }
        | ManualBooking::PrivateUse { base: amount, .. }
        | ManualBooking::Depreciation { amount }
        | ManualBooking::VatPayment { amount, .. }) = booking;
        let refund = matches!(booking, ManualBooking::VatPayment { .. });
        if amount.is_zero() || (amount.is_negative() && !refund) {
            return Err(fault("/amount", "out_of_range"));
        }
        self.require_open(date)?;
        self.manual += 1;
        let source = (SourceType::Manual, self.manual);
        Ok(Made::New(self.book(Entry { date, description: description.to_owned(), source, reverses: None, postings })))
    }

    fn project(&mut self, command: &NewProject) -> Result<Made, Error> {
        if command.name.trim().is_empty() {
            return Err(fault("/name", "required"));
        }
        if command.hourly_rate.is_some_and(Cents::is_negative) {
            return Err(fault("/hourlyRate", "out_of_range"));
        }
        let hourly_rate = command.hourly_rate.map(cents);
        self.projects.push(Project { name: command.name.trim().to_owned(), hourly_rate, archived: false });
        Ok(Made::New(last(&self.projects)))
    }

    /// The fault of more than 24 hours on a day.
    fn day_fault(&self, date: Date, hours: Hours) -> Option<Fault> {
        let (project, logged) = self.hours_on_day(date);
        (project.get() + logged.get() + hours.get() > 2400).then(|| Fault::new("/hours", "out_of_range", ""))
    }

    fn work(&mut self, command: &NewTimeEntry, touched: &mut Touched) -> Result<Made, Error> {
        touched.days.insert(command.date);
        touched.projects.insert(command.project_id);
        if let Some(id) = known(&self.time, command.external_id.as_ref(), |entry| entry.external_id.as_ref()) {
            return Ok(Made::Known(id));
        }
        let project = at(&self.projects, command.project_id);
        let unknown = project.is_none().then(|| Fault::new("/projectId", "unknown_project", ""));
        let faults: Vec<Fault> = unknown.into_iter().chain(self.day_fault(command.date, command.hours)).collect();
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        if project.is_some_and(|project| project.archived) {
            return Err(Error::ProjectArchived);
        }
        self.time.push(command.clone());
        Ok(Made::New(last(&self.time)))
    }

    fn log(&mut self, command: &NewLoggedHours, touched: &mut Touched) -> Result<Made, Error> {
        touched.days.insert(command.date);
        if let Some(id) = known(&self.logged, command.external_id.as_ref(), |entry| entry.external_id.as_ref()) {
            return Ok(Made::Known(id));
        }
        if let Some(fault) = self.day_fault(command.date, command.hours) {
            return Err(Error::Invalid(vec![fault]));
        }
        self.logged.push(command.clone());
        Ok(Made::New(last(&self.logged)))
    }

    fn file(&mut self, quarter: Quarter, now: Timestamp, touched: &mut Touched) -> Result<Made, Error> {
        touched.quarters.insert(quarter);
        if self.is_filed(quarter.first_day()) {
            return Err(Error::PeriodFiled(quarter));
        }
        if today(now) <= quarter.last_day() {
            return Err(Error::PeriodNotOver(quarter));
        }
        self.settle(quarter, now);
        Ok(Made::Nothing)
    }
}

/// The day in Amsterdam.
pub(crate) fn today(now: Timestamp) -> Date {
    now.to_zoned(TimeZone::get("Europe/Amsterdam").unwrap()).date()
}
