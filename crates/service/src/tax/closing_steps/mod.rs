//! Closing of a year as a checklist: the state of each step, and the rows that it can book.

mod carry_out;
mod cut_off;
mod rows;

pub use carry_out::{DoStep, GoodsUse, carry_out, undo};

use super::{vat_filings, years};
use crate::{Context, Error, events};
use jiff::civil::Date;
use ledger::{
    chart::{AccountCode, codes},
    closing_step::ClosingStep,
    cut_off::{Days, TICKED_FROM},
    event::AccrualKind,
    hours::Hours,
    money::Cents,
    summary::MonthTotal,
    vat::VatRate,
};
use sha2::{Digest, Sha256};
use store::{
    Tx,
    closing_steps::{self as stored, ClosingBooking},
    journal, receipts,
};

/// State of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepStatus {
    /// The owner has something to do.
    ToDo,
    /// Nothing is left to do.
    Done,
    /// There is nothing that the step could book.
    NotApplicable,
    /// The step cannot be done now: the year is closed, or not over yet.
    Blocked,
}

impl StepStatus {
    /// All states.
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

/// Kind of resource from which a row follows.
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

/// Reason for a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// Supplied in the year, at least in part, and invoiced later.
    InvoicedLater {
        /// First and last day of supply.
        supplied: Days,
        /// Invoice date.
        invoiced: Date,
    },
    /// Hours of the year that were not invoiced in it.
    Hours {
        /// Number of hours.
        hours: Hours,
    },
    /// The expense covers days of another year.
    Period {
        /// First and last day of the period.
        period: Days,
    },
    /// The booking of the row no longer follows from its source.
    SourceChanged,
    /// Depreciation up to a day.
    Depreciation {
        /// Last day.
        until: Date,
    },
    /// Goods taken for private use.
    PrivateUse,
    /// The turnover with the right to deduct differs from the deducted VAT.
    VatRevision,
}

/// Row that a step can book, or has booked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepRow {
    /// Identifies the row within its step; does not change with its content.
    pub key: String,
    /// Resource that the row follows from, if it still exists.
    pub source: Option<(RowSource, i64)>,
    /// Kind of accrual, for the cut-off.
    pub kind: Option<AccrualKind>,
    /// Account of the revenue, the cost or the asset.
    pub account: AccountCode,
    /// Number of the invoice, name of the project or supplier, or description.
    pub description: String,
    /// Amount still to be booked, in cents; negative if too much was booked.
    pub amount: Cents,
    /// Amount that the step has booked, in cents.
    pub booked: Cents,
    /// Day on which the accrual is reversed.
    pub reverse_on: Option<Date>,
    /// Value and VAT rate of goods for private use.
    pub goods: Option<(Cents, VatRate)>,
    /// Reason.
    pub why: Why,
}

impl StepRow {
    /// Id that covers the content: it changes if the row would be booked in another way.
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

    /// Part of the id that names the row.
    fn label(&self) -> &str {
        // The key of goods contains their description.
        self.key.split('/').next().unwrap_or_default()
    }

    /// Whether the row is booked by default: from [`TICKED_FROM`], or if something was booked for
    /// it before.
    #[must_use]
    pub fn is_ticked(&self) -> bool {
        let is_large = self.kind.is_none() || self.amount.abs() >= TICKED_FROM;
        !self.amount.is_zero() && (is_large || !self.booked.is_zero())
    }
}

/// Warning of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepWarning {
    /// The year is or can be closed although these steps are left.
    StepsRemaining(Vec<ClosingStep>),
    /// The limits of gifts are not checked; the amount booked in cents.
    GiftsNotChecked(Cents),
    /// The costs of a car have no private use; their amount in cents.
    CarWithoutPrivateUse(Cents),
    /// Receipts without an expense; their number.
    ReceiptsWaiting(i64),
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
        }
    }
}

/// A step with its state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The step.
    pub step: ClosingStep,
    /// State.
    pub status: StepStatus,
    /// Amount that the step would book by default or, once it is done, that it booked; in cents.
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

    /// Creates a step from its rows. With `is_done`, it is done even if it has booked nothing.
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

    /// Whether the step has booked something that its undo takes back.
    #[must_use]
    pub fn has_booked(&self) -> bool {
        self.rows.iter().any(|row| !row.booked.is_zero())
            || (self.step == ClosingStep::Close && self.status == StepStatus::Done)
    }
}

/// Data of a year that several steps use.
struct YearBooks {
    days: Days,
    bookings: Vec<ClosingBooking>,
    totals: Vec<MonthTotal>,
    /// Whether the books began after the year, or on its last day.
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

    /// Movement of accounts in the year, debit minus credit.
    fn debited(&self, accounts: &[AccountCode]) -> Cents {
        let of = self.totals.iter().filter(|total| accounts.contains(&total.account));
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
    if is_closed {
        for step in steps.iter_mut().filter(|step| step.status == StepStatus::ToDo) {
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

/// Returns the year that the owner should close: the current one from 1 December on, otherwise the
/// previous one; `None` if it is closed or has no entries.
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

/// Accounts of the costs of a car of the business, including its depreciation.
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
        ClosingStep::BankLines | ClosingStep::Close => nothing,
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
            Step::without_rows(step, status, last.vat_return.payable)
        }
    })
}

/// Private use of goods. Only a business that buys goods has to book it, or state that there was
/// none.
fn goods(tx: &mut Tx<'_>, cx: &Context, books: &YearBooks) -> Result<Step, Error> {
    let kind = ClosingStep::GoodsPrivateUse;
    let is_done =
        books.of(kind).next().is_some() || !books.debited(&[codes::PRIVATE_USE]).is_zero();
    let step = Step::with_rows(kind, rows::goods(tx, cx, books)?, is_done);
    let buys = !books.debited(&[codes::PURCHASES]).is_zero();
    let is_open = step.status == StepStatus::NotApplicable && buys;
    Ok(if is_open { Step { status: StepStatus::ToDo, ..step } } else { step })
}

/// Private use of a car: to do if there are costs of a car, and none of it is booked.
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
