//! Overview: the state of a business today, and its open tasks.

use crate::{
    Context, Error,
    duties::{self, YearOld},
    kor::KorYear,
    messages, quotes,
    recurring::{self, Attention},
    reminders,
    tax::{
        closing_steps, estimate,
        icp::{self, IcpDetails},
        oss::{self, OssReturnDetails},
        summary::{self, SummaryDetails},
        vat_filings::{self, VatReturnDetails},
        vat_payments,
    },
    unresolved,
};
use ::tax::calculators::income_tax::Tariff;
use jiff::civil::Date;
use ledger::{
    chart::Class,
    decimal::{self, Decimal},
    money::Cents,
};
use std::collections::BTreeMap;
use store::{
    Tx,
    invoices::Invoice,
    journal,
    quotes::Quote,
    receivables::{self, Aging, OpenInvoice},
};

/// Number of past periods searched for unfiled or unpaid returns.
const PERIODS_BACK: usize = 24;
/// Maximum number of overdue invoices listed.
const NAMED: i64 = 3;
/// Maximum number of listed invoices whose email did not reach the customer.
const UNDELIVERED: i64 = 20;

/// State of a business on one day.
#[derive(Debug, Clone)]
pub struct Overview {
    /// Number of receipts without an expense.
    pub waiting_receipts: i64,
    /// Number of unpaid bills from suppliers, and the total amount due in cents.
    pub bills: (i64, Cents),
    /// Number of bank lines that wait to be booked.
    pub bank_lines: i64,
    /// Number and total of the amounts that wait for an explanation, on suspense (1640).
    pub unexplained: (usize, Cents),
    /// Amount owed to customers (1630).
    pub owed_to_customers: Cents,
    /// Total of the latest balances that the banks stated; `None` without bank statements.
    pub bank_balance: Option<Cents>,
    /// Invoices whose email did not reach the customer, at most [`UNDELIVERED`].
    pub undelivered: Vec<Invoice>,
    /// Invoices and bills that have been unpaid for at least a year.
    pub year_old: YearOld,
    /// Date of the overview.
    pub today: Date,
    /// The year so far.
    pub year: SummaryDetails,
    /// Result per month, from January.
    pub months: [MonthResult; 12],
    /// VAT return of the current period so far.
    pub current: VatReturnDetails,
    /// Returns of earlier periods that still have to be filed, oldest first.
    pub to_file: Vec<VatReturnDetails>,
    /// EC sales lists that still have to be filed although the return of their period is filed,
    /// oldest first.
    pub icp_to_file: Vec<IcpDetails>,
    /// Returns of the Union scheme (OSS) that still have to be filed, oldest first.
    pub oss_to_file: Vec<OssReturnDetails>,
    /// Filed returns that are not fully paid, oldest first, with the unpaid amount in cents.
    pub to_pay: Vec<(VatReturnDetails, Cents)>,
    /// Amounts due on sent invoices, by age.
    pub aging: Aging,
    /// Turnover under the small businesses scheme; `None` if it does not apply.
    pub kor: Option<KorYear>,
    /// Year that the owner should close, as returned by [`closing_steps::year_to_close`].
    pub closing_year: Option<i16>,
    /// Quotes on which customers decided in the last two weeks and that wait for the owner, at most
    /// [`UNDELIVERED`].
    pub decided_quotes: Vec<Quote>,
    /// Recurring invoices of the coming days, and those that wait for the owner.
    pub recurring: Attention,
    /// Number of reminders that are due, and whether they wait for the limit of emails.
    pub reminders: (usize, bool),
    /// Invoices that have been overdue the longest, at most [`NAMED`].
    pub overdue: Vec<OpenInvoice>,
    /// Income tax and health insurance contribution on the profit so far, in cents; `None` if the
    /// tax rates of the year are unknown.
    pub income_tax: Option<Cents>,
}

/// Result of a month, in cents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MonthResult {
    /// Revenue, excluding VAT.
    pub revenue: Cents,
    /// Costs, excluding deductible VAT.
    pub costs: Cents,
}

impl MonthResult {
    /// Revenue less costs.
    #[must_use]
    pub fn profit(self) -> Cents {
        self.revenue - self.costs
    }
}

/// Reads today's overview from stored sums, so that its cost does not depend on the number of paid
/// invoices.
///
/// # Errors
/// The storage failed.
pub fn read(tx: &mut Tx<'_>, cx: &Context) -> Result<Overview, Error> {
    let today = cx.today();
    let current = cx.actor.vat_units.period_of(today);
    let (mut to_file, mut to_pay, mut filed) = (Vec::new(), Vec::new(), Vec::new());
    let earlier = vat_filings::returns(tx, cx)?.into_iter().filter(|period| *period < current);
    for before in earlier.take(PERIODS_BACK) {
        let details = vat_filings::read(tx, cx, before)?;
        if details.filed().is_some() {
            if declares_eu_supplies(&details) {
                filed.push(before);
            }
            let remaining =
                vat_payments::remaining(&details, &vat_payments::of_period(tx, cx, before)?);
            if remaining > Cents::ZERO {
                to_pay.push((details, remaining));
            }
        } else if details.is_asked_for() {
            to_file.push(details);
        }
    }
    to_file.reverse();
    to_pay.reverse();
    vat_payments::settle_oldest(tx, cx, &mut to_pay)?;
    filed.reverse();
    let year = summary::read(tx, cx, today.year(), today, None)?;
    Ok(Overview {
        waiting_receipts: store::receipts::count_waiting(tx, cx.actor.account)?,
        bills: store::expense_table::to_pay(tx, cx.actor.account)?,
        bank_lines: store::bank_lines::count_new(tx, cx.actor.account)?,
        unexplained: unresolved::total_unexplained(tx, cx, None)?,
        owed_to_customers: unresolved::owed_to_customers(tx, cx)?,
        bank_balance: bank_balance(tx, cx)?,
        undelivered: messages::undelivered(tx, cx, UNDELIVERED)?,
        year_old: duties::year_old(tx, cx, today)?,
        today,
        income_tax: income_tax(tx, cx, &year)?,
        year,
        months: months(tx, cx, today.year())?,
        current: vat_filings::read(tx, cx, current)?,
        to_file,
        icp_to_file: icp::to_file(tx, cx, &filed)?,
        oss_to_file: oss::to_file(tx, cx)?,
        to_pay,
        aging: receivables::aging(tx, cx.actor.account, today)?,
        kor: duties::kor_year(tx, cx)?,
        closing_year: closing_steps::year_to_close(tx, cx)?,
        decided_quotes: quotes::decided(tx, cx, UNDELIVERED)?,
        recurring: recurring::attention(tx, cx)?,
        reminders: reminders(tx, cx)?,
        overdue: receivables::overdue(tx, cx.actor.account, today, NAMED)?,
    })
}

/// Number of reminders that are due, and whether they wait for the limit of emails. Accounts outside
/// the Netherlands have none.
fn reminders(tx: &mut Tx<'_>, cx: &Context) -> Result<(usize, bool), Error> {
    if cx.actor.require_dutch().is_err() {
        return Ok((0, false));
    }
    Ok((reminders::count_due(tx, cx)?, reminders::are_postponed(tx, cx)?))
}

/// Total of the latest balances that the banks stated.
fn bank_balance(tx: &mut Tx<'_>, cx: &Context) -> Result<Option<Cents>, Error> {
    let balances = store::bank_statements::latest_balances(tx, cx.actor.account)?;
    // Several statements can state a balance of the day; the last one counts.
    let of_accounts: BTreeMap<i64, Cents> =
        balances.into_iter().map(|(id, _, amount)| (id, amount)).collect();
    Ok((!of_accounts.is_empty()).then(|| of_accounts.into_values().sum()))
}

/// Whether a return declares supplies to EU businesses, which belong on an EC sales list too.
fn declares_eu_supplies(details: &VatReturnDetails) -> bool {
    let mut lines = details.vat_return.lines.iter();
    lines.any(|line| line.vat_box == "3b" && line.turnover.is_some_and(|base| !base.is_zero()))
}

/// Estimates the income tax as on the year page, but without income from outside the books.
fn income_tax(
    tx: &mut Tx<'_>,
    cx: &Context,
    year: &SummaryDetails,
) -> Result<Option<Cents>, Error> {
    let input = estimate::read(tx, cx, year.year)?.input(year);
    let total = Tariff::of(input.year).map(|tariff| tariff.assess(&input).total());
    Ok(total.and_then(|total| decimal::multiply_to_cents(&total, &Decimal::ONE).ok()))
}

fn months(tx: &mut Tx<'_>, cx: &Context, year: i16) -> Result<[MonthResult; 12], Error> {
    let mut months = [MonthResult::default(); 12];
    for total in journal::month_totals(tx, cx.actor.account, (year, 12))?
        .into_iter()
        .filter(|total| total.year == year)
    {
        // `month` is 1 to 12.
        let month = &mut months[usize::from(total.month.unsigned_abs().clamp(1, 12) - 1)];
        let credited = total.credit - total.debit;
        match total.account.class() {
            Some(Class::Revenue) => month.revenue += credited,
            Some(Class::Cost) => month.costs += -credited,
            _ => {}
        }
    }
    Ok(months)
}
