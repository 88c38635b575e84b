//! Checks before a VAT return is filed. They are advisory: none prevents filing.

use super::{
    corrections,
    icp::{self, IcpDetails},
    vat_filings::VatReturnDetails,
    years,
};
use crate::{
    Context, Error,
    duties::{self, YearOld},
    unresolved,
};
use ledger::{money::Cents, vat::VatBox, vat_period::VatPeriod};
use store::{
    Tx,
    checks::{self as rows, DueDraft, WaitingInvoice},
    filings, receipts,
};

/// Maximum number of drafts listed.
const NAMED: i64 = 20;

/// Results of the checks.
#[derive(Debug, Clone)]
pub struct Checks {
    /// First drafts on the return, at most [`NAMED`].
    pub drafts: Vec<DueDraft>,
    /// Invoices whose VAT should move into or out of this period, because of a payment in another
    /// period, but did not because a return was filed; at most [`NAMED`].
    pub waiting_moves: Vec<WaitingInvoice>,
    /// Number of receipts without an expense, from any period. Zero if the return has been filed:
    /// they can no longer be added to it.
    pub waiting_receipts: i64,
    /// Boxes with a negative amount.
    pub negative: Vec<&'static str>,
    /// EC sales lists that end in the period, for comparison with box 3b.
    pub lists: Vec<IcpDetails>,
    /// Latest earlier period that has entries and whose return is still open.
    pub open_before: Option<VatPeriod>,
    /// Whether this is the last return of a year and has no amount for private use (box 1d).
    pub private_use_missing: bool,
    /// Year to close: set for the last period of a year that is not closed, from 1 December on.
    pub closing_year: Option<i16>,
    /// Invoices and bills that have been unpaid for a year by the end of the period (or today, if
    /// earlier): their VAT belongs on this return. Empty if the return has been filed.
    pub year_old: YearOld,
    /// Number and total of the amounts up to the end of the period that wait for an explanation: they
    /// may belong on this return. Zero if the return has been filed.
    pub unexplained: (usize, Cents),
    /// Corrections to this return: entry id, and change in the VAT due (negative if less is due).
    pub corrections: Vec<(i64, Cents)>,
}

impl Checks {
    /// Number of checks that need attention.
    #[must_use]
    pub fn open(&self) -> usize {
        usize::from(!self.drafts.is_empty())
            + usize::from(!self.waiting_moves.is_empty())
            + usize::from(self.waiting_receipts > 0)
            + usize::from(!self.negative.is_empty())
            + usize::from(self.lists.iter().any(|list| !list.declaration.difference.is_zero()))
            + usize::from(self.open_before.is_some())
            + usize::from(!self.year_old.debtors.is_empty())
            + usize::from(!self.year_old.bills.is_empty())
            + usize::from(self.unexplained.0 > 0)
    }
}

/// Runs the checks for the return of a period.
///
/// # Errors
/// The storage failed.
pub fn read(tx: &mut Tx<'_>, cx: &Context, details: &VatReturnDetails) -> Result<Checks, Error> {
    let (account, period) = (cx.actor.account, details.period);
    let lines = &details.vat_return.lines;
    let below_nothing = |amount: Option<Cents>| amount.is_some_and(Cents::is_negative);
    let negative = lines.iter().filter(|line| {
        line.vat_box != "5g" && (below_nothing(line.turnover) || below_nothing(line.vat))
    });
    let mut corrected = Vec::new();
    for (id, entry) in corrections::of_period(tx, account, period)? {
        corrected
            .push((id, ledger::correction::split(&entry, period, period.next().first_day()).vat()));
    }
    Ok(Checks {
        drafts: rows::due_drafts(tx, account, period, NAMED)?,
        waiting_moves: rows::waiting_moves(tx, account, period, NAMED)?,
        waiting_receipts: if details.filed().is_some() {
            0
        } else {
            receipts::count_waiting(tx, account)?
        },
        negative: negative.map(|line| line.vat_box).collect(),
        lists: lists(tx, cx, details)?,
        open_before: open_before(tx, cx, period)?,
        year_old: year_old(tx, cx, details)?,
        unexplained: match details.filed() {
            Some(_) => (0, Cents::ZERO),
            None => unresolved::total_unexplained(tx, cx, Some(period.last_day()))?,
        },
        private_use_missing: period.last_month().number() == 12
            && turnover(details, VatBox::B1d).is_zero(),
        corrections: corrected,
        closing_year: closing_year(tx, cx, period)?,
    })
}

fn closing_year(tx: &mut Tx<'_>, cx: &Context, period: VatPeriod) -> Result<Option<i16>, Error> {
    let last = period.last_day();
    if (last.month(), last.day()) != (12, 31) || cx.today() < last.first_of_month() {
        return Ok(None);
    }
    Ok((!years::read(tx, cx, last.year())?.is_closed).then_some(last.year()))
}

fn year_old(tx: &mut Tx<'_>, cx: &Context, details: &VatReturnDetails) -> Result<YearOld, Error> {
    if details.filed().is_some() || details.period.first_day() > cx.today() {
        return Ok(YearOld::default());
    }
    duties::year_old(tx, cx, details.period.last_day().min(cx.today()))
}

/// EC sales lists that end in the period.
fn lists(
    tx: &mut Tx<'_>,
    cx: &Context,
    details: &VatReturnDetails,
) -> Result<Vec<IcpDetails>, Error> {
    let lists = icp::Books::load(tx, cx, icp::since(details.period))?;
    Ok(lists.ending_in(details.period))
}

fn turnover(details: &VatReturnDetails, vat_box: VatBox) -> Cents {
    let line = details.vat_return.lines.iter().find(|line| line.vat_box == vat_box.as_str());
    line.and_then(|line| line.turnover).unwrap_or_default()
}

/// Latest earlier period that has entries and whose return is still open.
fn open_before(
    tx: &mut Tx<'_>,
    cx: &Context,
    period: VatPeriod,
) -> Result<Option<VatPeriod>, Error> {
    let account = cx.actor.account;
    let months = filings::months(tx, account)?.into_iter().rev().map(|month| month.first_day());
    for day in months.filter(|day| *day < period.first_day()) {
        if filings::filed_on(tx, account, day)?.is_none() {
            return Ok(Some(cx.actor.vat_units.period_of(day)));
        }
    }
    Ok(None)
}
