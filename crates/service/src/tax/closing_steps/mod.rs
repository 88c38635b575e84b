//! Checklist for closing a year: the status of each step, and the rows that it can book.

mod carry_out;
mod cut_off;
mod rows;

pub use carry_out::{DoStep, GoodsUse, carry_out, undo};

use super::{vat_filings, years};
use crate::{Context, Error, events};
use jiff::civil::Date;
use ledger::{
    chart::{self, AccountCode, codes},
    closing_step::ClosingStep,
    cut_off::{Days, TICKED_FROM},
    event::AccrualKind,
    hours::Hours,
    money::Cents,
    own_account::OwnAccounts,
    summary::MonthTotal,
    vat::VatRate,
    vat_period::VatPeriod,
};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use store::{
    Tx, bank_lines,
    closing_steps::{self as stored, ClosingBooking},
    filings::{self, Filing},
    journal, receipts,
};

/// Status of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepStatus {
    /// The owner has something to do.
    ToDo,
    /// Nothing remains to be done.
    Done,
    /// The step has nothing to book in this year.
    NotApplicable,
    /// The step cannot be done now: the year is closed, or the year to close is not over.
    Blocked,
}

impl StepStatus {
    /// All statuses.
    pub const ALL: [Self; 4] = [Self::ToDo, Self::Done, Self::NotApplicable, Self::Blocked];

    /// Name in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ToDo => "toDo",
            Self::Done => "done",
            Self::NotApplicable => "notApplicable",
            Self::Blocked => "blocked",
        }
    }
}

/// Kind of resource from which a row is derived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowSource {
    /// Invoice.
    Invoice,
    /// Project with hours.
    Project,
    /// Expense.
    Expense,
    /// Asset.
    Asset,
    /// Private use.
    PrivateUse,
}

impl RowSource {
    /// All kinds.
    pub const ALL: [Self; 5] =
        [Self::Invoice, Self::Project, Self::Expense, Self::Asset, Self::PrivateUse];

    /// Name in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Invoice => "invoice",
            Self::Project => "project",
            Self::Expense => "expense",
            Self::Asset => "asset",
            Self::PrivateUse => "privateUse",
        }
    }
}

/// Reason why a row exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// Supplied at least partly in the year, and invoiced after it.
    InvoicedLater {
        /// First and last day of supply.
        supplied: Days,
        /// Invoice date.
        invoiced: Date,
    },
    /// Hours worked in the year or earlier but not invoiced by its end.
    Hours {
        /// Number of hours.
        hours: Hours,
    },
    /// An expense covers days of another year.
    Period {
        /// First and last day of the period.
        period: Days,
    },
    /// The row was booked, but no longer follows from its source.
    SourceChanged,
    /// Depreciation is due up to and including a day.
    Depreciation {
        /// Last day.
        until: Date,
    },
    /// Goods taken for private use.
    PrivateUse,
    /// The share of the turnover that gives a right to deduct VAT differs from the deducted share.
    VatRevision,
}

/// Row that a step can book or has booked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepRow {
    /// Key of the row within its step. Remains the same if only the amounts change.
    pub key: String,
    /// Resource from which the row is derived; `None` if the row no longer follows from it.
    pub source: Option<(RowSource, i64)>,
    /// Kind of accrual; only for rows of the cut-off.
    pub kind: Option<AccrualKind>,
    /// Account of the revenue, the cost or the asset.
    pub account: AccountCode,
    /// Description: for example the invoice number and customer, the project or the supplier.
    pub description: String,
    /// Amount still to be booked, in cents; negative if too much was booked.
    pub amount: Cents,
    /// Amount that the step has booked, in cents.
    pub booked: Cents,
    /// Day on which the accrual is reversed; only for rows of the cut-off.
    pub reverse_on: Option<Date>,
    /// Value excluding VAT, and VAT rate, of goods taken for private use.
    pub goods: Option<(Cents, VatRate)>,
    /// Reason why the row exists.
    pub why: Why,
}

impl StepRow {
    /// Id with a hash of the content: it changes if the row would be booked differently.
    #[must_use]
    pub fn id(&self) -> String {
        let content = format!(
            "{}/{:?}/{}/{}/{:?}/{:?}",
            self.key,
            self.kind.map(AccrualKind::as_str),
            self.account,
            self.amount + self.booked,
            self.reverse_on,
            self.goods
        );
        let hash = Sha256::digest(content);
        let hash: String = hash.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
        format!("{}.{hash}", self.label())
    }

    /// Part of the id that identifies the row, without the hash.
    fn label(&self) -> &str {
        // The keys of goods also contain a description, after the first slash.
        self.key.split('/').next().unwrap_or_default()
    }

    /// Whether the row is booked by default. That requires an amount still to be booked. For a row
    /// of the cut-off, the amount must also be at least [`TICKED_FROM`], unless part of it was
    /// booked before.
    #[must_use]
    pub fn is_ticked(&self) -> bool {
        let is_large = self.kind.is_none() || self.amount.abs() >= TICKED_FROM;
        !self.amount.is_zero() && (is_large || !self.booked.is_zero())
    }
}

/// Warning about a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepWarning {
    /// The year can be closed, or is closed, although these steps are not done.
    StepsRemaining(Vec<ClosingStep>),
    /// Amount booked for gifts, in cents. Whether the gifts exceed the limit for deducting VAT is
    /// not checked.
    GiftsNotChecked(Cents),
    /// Costs of a car, in cents, for which no private use is booked.
    CarWithoutPrivateUse(Cents),
    /// Number of receipts without an expense.
    ReceiptsWaiting(i64),
    /// Number of bank lines of the year that are neither booked nor ignored.
    BankLinesWaiting(i64),
    /// Earlier VAT returns of the year that are not filed.
    ReturnsOpen(Vec<VatPeriod>),
}

impl StepWarning {
    /// Code of the warning.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::StepsRemaining(_) => "steps_left",
            Self::GiftsNotChecked(_) => "gifts_not_checked",
            Self::CarWithoutPrivateUse(_) => "car_without_private_use",
            Self::ReceiptsWaiting(_) => "receipts_waiting",
            Self::BankLinesWaiting(_) => "bank_lines_waiting",
            Self::ReturnsOpen(_) => "returns_open",
        }
    }
}

/// A step with its status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The step.
    pub step: ClosingStep,
    /// Status.
    pub status: StepStatus,
    /// Amount that the step would book by default or, once it is done, has booked; in cents. For
    /// gifts, the amount on their account; for the last VAT return, the amount payable.
    pub amount: Cents,
    /// Rows.
    pub rows: Vec<StepRow>,
    /// Warnings.
    pub warnings: Vec<StepWarning>,
}

impl Step {
    fn without_rows(step: ClosingStep, status: StepStatus, amount: Cents) -> Self {
        Self { step, status, amount, rows: Vec::new(), warnings: Vec::new() }
    }

    /// Creates a step from its rows. With `is_done`, a step without bookings is done rather than
    /// not applicable.
    fn with_rows(step: ClosingStep, rows: Vec<StepRow>, is_done: bool) -> Self {
        let remaining = rows.iter().filter(|row| row.is_ticked()).map(|row| row.amount);
        let booked: Cents = rows.iter().map(|row| row.booked).sum();
        let (status, amount) = if rows.iter().any(StepRow::is_ticked) {
            (StepStatus::ToDo, remaining.sum())
        } else if is_done || rows.iter().any(|row| !row.booked.is_zero()) {
            (StepStatus::Done, booked)
        } else {
            (StepStatus::NotApplicable, Cents::ZERO)
        };
        Self { step, status, amount, rows, warnings: Vec::new() }
    }

    /// Whether there is something to undo: bookings of the step, or the closing of the year.
    #[must_use]
    pub fn has_booked(&self) -> bool {
        self.rows.iter().any(|row| !row.booked.is_zero())
            || (self.step == ClosingStep::Close && self.status == StepStatus::Done)
    }
}

/// Data about a year that several steps use.
struct YearBooks {
    days: Days,
    bookings: Vec<ClosingBooking>,
    totals: Vec<MonthTotal>,
    own_accounts: OwnAccounts,
    /// Whether the opening balance is dated on the last day of the year or later.
    is_before_books: bool,
}

impl YearBooks {
    fn read(tx: &mut Tx<'_>, cx: &Context, year: i16) -> Result<Self, Error> {
        let days = days_of(year)?;
        let opening = events::opening(tx, cx)?.map(|opening| opening.stored.date);
        let totals = journal::month_totals(tx, cx.actor.account, (year, 12))?;
        Ok(Self {
            days,
            bookings: stored::in_force(tx, cx.actor.account, year)?,
            totals: totals.into_iter().filter(|total| total.year == year).collect(),
            own_accounts: cx.actor.own_accounts.clone(),
            is_before_books: opening.is_some_and(|opening| opening >= days.1),
        })
    }

    fn last(&self) -> Date {
        self.days.1
    }

    fn of(&self, step: ClosingStep) -> impl Iterator<Item = &ClosingBooking> {
        self.bookings.iter().filter(move |booking| booking.step == step)
    }

    fn booked(&self, step: ClosingStep, key: &str) -> Cents {
        self.of(step).filter(|booking| booking.row_key == key).map(|booking| booking.amount).sum()
    }

    /// Total debited to accounts in the year, less the amounts credited. Includes own accounts with
    /// the same RGS code.
    fn debited(&self, accounts: &[AccountCode]) -> Cents {
        let is_one_of = |account: AccountCode| {
            let rgs = self.own_accounts.find(account).map(|own| own.rgs.as_str());
            let is_same = |code: &AccountCode| {
                rgs.is_some() && chart::account(*code).map(|account| account.rgs) == rgs
            };
            accounts.contains(&account) || accounts.iter().any(is_same)
        };
        let of = self.totals.iter().filter(|total| is_one_of(total.account));
        of.map(|total| total.debit - total.credit).sum()
    }
}

fn days_of(year: i16) -> Result<Days, Error> {
    match (Date::new(year, 1, 1), Date::new(year, 12, 31)) {
        (Ok(first), Ok(last)) => Ok((first, last)),
        _ => Err(Error::NotFound("year")),
    }
}

/// Returns the steps of a year in the order in which they are done.
///
/// # Errors
/// The storage failed.
pub fn read(tx: &mut Tx<'_>, cx: &Context, year: i16) -> Result<Vec<Step>, Error> {
    let books = YearBooks::read(tx, cx, year)?;
    let is_closed = years::read(tx, cx, year)?.is_closed;
    let mut steps = Vec::with_capacity(ClosingStep::ALL.len());
    for step in ClosingStep::ALL.iter().filter(|step| **step != ClosingStep::Close) {
        steps.push(read_step(tx, cx, &books, *step)?);
    }
    let remaining = steps.iter().filter(|step| step.status == StepStatus::ToDo);
    let remaining: Vec<ClosingStep> = remaining.map(|step| step.step).collect();
    let status = match (is_closed, cx.today() > books.last()) {
        (true, _) => StepStatus::Done,
        (false, true) => StepStatus::ToDo,
        (false, false) => StepStatus::Blocked,
    };
    let mut close = Step::without_rows(ClosingStep::Close, status, Cents::ZERO);
    if !remaining.is_empty() {
        close.warnings.push(StepWarning::StepsRemaining(remaining));
    }
    let is_begun = years::require_begun(cx, year).is_ok();
    for step in steps.iter_mut().filter(|step| step.status == StepStatus::ToDo) {
        // A return can be filed after its year is closed.
        if !is_begun || (is_closed && step.step != ClosingStep::LastReturn) {
            step.status = StepStatus::Blocked;
        }
    }
    steps.push(close);
    Ok(steps)
}

/// Returns one step of a year.
///
/// # Errors
/// The storage failed.
pub fn read_one(
    tx: &mut Tx<'_>,
    cx: &Context,
    year: i16,
    step: ClosingStep,
) -> Result<Step, Error> {
    let found = read(tx, cx, year)?.into_iter().find(|found| found.step == step);
    found.ok_or(Error::NotFound("closing step"))
}

/// Returns the year that the owner should close: in December the current year, otherwise the
/// previous one. `None` if that year is closed or has no entries, or if the account is not Dutch.
///
/// # Errors
/// The storage failed.
pub fn year_to_close(tx: &mut Tx<'_>, cx: &Context) -> Result<Option<i16>, Error> {
    if cx.actor.require_dutch().is_err() {
        return Ok(None);
    }
    let today = cx.today();
    let year = if today.month() == 12 { today.year() } else { today.year() - 1 };
    let totals = journal::month_totals(tx, cx.actor.account, (year, 12))?;
    let has_entries = totals.iter().any(|total| total.year == year);
    Ok((has_entries && !years::read(tx, cx, year)?.is_closed).then_some(year))
}

/// Accounts for the costs of a business car, including its depreciation.
const CAR: [AccountCode; 7] = [
    codes::CAR_COSTS,
    codes::FUEL,
    codes::CAR_MAINTENANCE,
    codes::CAR_INSURANCE,
    codes::CAR_TAX,
    codes::CAR_LEASE,
    codes::CAR_DEPRECIATION,
];

fn read_step(
    tx: &mut Tx<'_>,
    cx: &Context,
    books: &YearBooks,
    step: ClosingStep,
) -> Result<Step, Error> {
    let nothing = Step::without_rows(step, StepStatus::NotApplicable, Cents::ZERO);
    if books.is_before_books {
        return Ok(nothing);
    }
    Ok(match step {
        ClosingStep::Close => nothing,
        ClosingStep::BankLines => {
            let year = (books.last().first_of_year(), books.last());
            match bank_lines::count(tx, cx.actor.account, year)? {
                (0, _) => nothing,
                (_, 0) => Step { status: StepStatus::Done, ..nothing },
                (_, waiting) => Step {
                    status: StepStatus::ToDo,
                    warnings: vec![StepWarning::BankLinesWaiting(waiting)],
                    ..nothing
                },
            }
        }
        ClosingStep::Receipts => match receipts::count_waiting(tx, cx.actor.account)? {
            0 => Step { status: StepStatus::Done, ..nothing },
            waiting => Step {
                status: StepStatus::ToDo,
                warnings: vec![StepWarning::ReceiptsWaiting(waiting)],
                ..nothing
            },
        },
        ClosingStep::Depreciation => {
            let (rows, has_assets) = rows::depreciation(tx, cx, books)?;
            Step::with_rows(step, rows, has_assets)
        }
        ClosingStep::CutOff => Step::with_rows(step, cut_off::rows(tx, cx, books)?, false),
        ClosingStep::GoodsPrivateUse => goods(tx, cx, books)?,
        ClosingStep::CarPrivateUse => car(books),
        ClosingStep::Gifts => {
            let gifts = books.debited(&[codes::GIFTS]);
            let warning = (!gifts.is_zero()).then_some(StepWarning::GiftsNotChecked(gifts));
            Step { amount: gifts, warnings: warning.into_iter().collect(), ..nothing }
        }
        ClosingStep::VatRevision => {
            Step::with_rows(step, rows::vat_revision(tx, cx, books)?, false)
        }
        ClosingStep::LastReturn => {
            let period = cx.actor.vat_units.period_of(books.last());
            let last = vat_filings::read(tx, cx, period)?;
            let status = match (last.filed().is_some(), last.is_asked_for()) {
                (true, _) => StepStatus::Done,
                (false, true) => StepStatus::ToDo,
                (false, false) => StepStatus::NotApplicable,
            };
            let open = earlier_returns_open(tx, cx, books)?;
            let warning = (!open.is_empty()).then_some(StepWarning::ReturnsOpen(open));
            let warnings = warning.into_iter().collect();
            Step { warnings, ..Step::without_rows(step, status, last.vat_return.payable) }
        }
    })
}

/// Earlier VAT periods of the year whose return is asked for and not filed.
fn earlier_returns_open(
    tx: &mut Tx<'_>,
    cx: &Context,
    books: &YearBooks,
) -> Result<Vec<VatPeriod>, Error> {
    let last = cx.actor.vat_units.period_of(books.last());
    let filings = filings::all(tx, cx.actor.account)?.into_iter();
    let filed: BTreeSet<VatPeriod> =
        filings.filter(Filing::is_filed).map(|filing| filing.period).collect();
    let is_earlier =
        |period: &VatPeriod| *period != last && period.last_day().year() == books.last().year();
    let mut open = Vec::new();
    for period in vat_filings::returns(tx, cx)?.into_iter().rev().filter(is_earlier) {
        if !filed.contains(&period) && vat_filings::read(tx, cx, period)?.is_asked_for() {
            open.push(period);
        }
    }
    Ok(open)
}

/// Step for private use of goods. To do only if the business buys goods, and neither private use
/// nor a statement that there was none is recorded.
fn goods(tx: &mut Tx<'_>, cx: &Context, books: &YearBooks) -> Result<Step, Error> {
    let kind = ClosingStep::GoodsPrivateUse;
    let is_done =
        books.of(kind).next().is_some() || !books.debited(&[codes::PRIVATE_USE]).is_zero();
    let step = Step::with_rows(kind, rows::goods(tx, cx, books)?, is_done);
    let buys = !books.debited(&[codes::PURCHASES]).is_zero();
    let is_open = step.status == StepStatus::NotApplicable && buys;
    Ok(if is_open { Step { status: StepStatus::ToDo, ..step } } else { step })
}

/// Step for private use of a car. To do if there are car costs, but no private use is booked.
fn car(books: &YearBooks) -> Step {
    let step = Step::without_rows(ClosingStep::CarPrivateUse, StepStatus::Done, Cents::ZERO);
    let private = [codes::PRIVATE_USE_CAR, codes::VAT_PRIVATE_USE_CAR];
    if private.iter().any(|account| !books.debited(&[*account]).is_zero()) {
        return step;
    }
    let costs = books.debited(&CAR);
    if costs.is_zero() {
        return Step { status: StepStatus::NotApplicable, ..step };
    }
    let warnings = vec![StepWarning::CarWithoutPrivateUse(costs)];
    Step { status: StepStatus::ToDo, warnings, ..step }
}
