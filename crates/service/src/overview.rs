//! The overview: how a business stands today, and what waits to be done.

use crate::{
    Context, Error,
    duties::{self, YearOld},
    messages,
    tax::{
        summary::{self, SummaryDetails},
        vat_filings::{self, VatReturnDetails},
        vat_payments, year_report,
    },
};
use ::tax::calculators::income_tax::{Input, Tariff};
use jiff::civil::Date;
use ledger::{
    calendar::Quarter,
    chart::{self, Class},
    decimal::{self, Decimal},
    money::Cents,
};
use store::{
    Tx,
    invoices::Invoice,
    journal,
    receivables::{self, Aging, OpenInvoice},
};

/// How many quarters back a return is looked for that was not filed.
const QUARTERS_BACK: usize = 8;
/// How many overdue invoices are named.
const NAMED: i64 = 3;
/// How many invoices with an undelivered mail are named.
const UNDELIVERED: i64 = 20;

/// How a business stands on a day.
#[derive(Debug, Clone)]
pub struct Overview {
    /// Files that wait for their expense.
    pub waiting_receipts: i64,
    /// Bills of suppliers that are to be paid: how many, and what is left to pay of them.
    pub bills: (i64, Cents),
    /// Invoices whose mail did not reach the customer.
    pub undelivered: Vec<Invoice>,
    /// Debtors and bills that are unpaid for a year.
    pub year_old: YearOld,
    /// The day.
    pub today: Date,
    /// The year so far.
    pub year: SummaryDetails,
    /// Its months, from January.
    pub months: [MonthResult; 12],
    /// The return of this quarter, so far.
    pub quarter: VatReturnDetails,
    /// Earlier returns that were not filed and have something in them, the oldest first.
    pub to_file: Vec<VatReturnDetails>,
    /// Returns that were filed and are not paid, the oldest first, with what is left to pay.
    pub to_pay: Vec<(VatReturnDetails, Cents)>,
    /// What is still to be received on sent invoices.
    pub aging: Aging,
    /// The invoices that are longest late.
    pub overdue: Vec<OpenInvoice>,
    /// Income tax and health insurance contribution over the profit so far, where the year's figures are known.
    pub income_tax: Option<Cents>,
}

/// The result of a month, in euros.
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

/// The overview on a day. It reads kept sums: it costs the same after ten invoices and after a hundred thousand that are paid.
///
/// # Errors
/// The storage failed.
pub fn read(tx: &mut Tx<'_>, cx: &Context) -> Result<Overview, Error> {
    let today = cx.today();
    let quarter = Quarter::of(today);
    let (mut to_file, mut to_pay) = (Vec::new(), Vec::new());
    let earlier = vat_filings::returns(tx, cx)?.into_iter().filter(|of| *of < quarter);
    for before in earlier.take(QUARTERS_BACK) {
        let details = vat_filings::read(tx, cx, before)?;
        if details.filed().is_some() {
            let remaining = vat_payments::remaining(&details, &vat_payments::of_period(tx, cx, before)?);
            if remaining > Cents::ZERO {
                to_pay.push((details, remaining));
            }
        } else if details.is_asked_for() {
            to_file.push(details);
        }
    }
    to_file.reverse();
    to_pay.reverse();
    let year = summary::read(tx, cx, today.year(), today, None)?;
    Ok(Overview {
        waiting_receipts: store::receipts::count_waiting(tx, cx.actor.account)?,
        bills: store::expense_table::to_pay(tx, cx.actor.account)?,
        undelivered: messages::undelivered(tx, cx, UNDELIVERED)?,
        year_old: duties::year_old(tx, cx, today)?,
        today,
        income_tax: income_tax(tx, cx, &year)?,
        year,
        months: months(tx, cx, today.year())?,
        quarter: vat_filings::read(tx, cx, quarter)?,
        to_file,
        to_pay,
        aging: receivables::aging(tx, cx.actor.account, today)?,
        overdue: receivables::overdue(tx, cx.actor.account, today, NAMED)?,
    })
}

/// The estimate of the page of the year, as far as the books tell: without other income.
fn income_tax(tx: &mut Tx<'_>, cx: &Context, year: &SummaryDetails) -> Result<Option<Cents>, Error> {
    let input = Input {
        year: year.year,
        profit: Decimal::new(year.fiscal_profit().get(), 2),
        hours_criterion: year.hours.met,
        starter: year.is_starter,
        other_income: Decimal::ZERO,
        investments: Decimal::new(year_report::investments(tx, cx, year.year)?.get(), 2),
    };
    let total = Tariff::of(input.year).map(|tariff| tariff.assess(&input).total());
    Ok(total.and_then(|total| decimal::multiply_to_cents(&total, &Decimal::ONE).ok()))
}

fn months(tx: &mut Tx<'_>, cx: &Context, year: i16) -> Result<[MonthResult; 12], Error> {
    let mut months = [MonthResult::default(); 12];
    for total in journal::month_totals(tx, cx.actor.account, (year, 12))?.into_iter().filter(|total| total.year == year) {
        // A month is 1 to 12.
        let month = &mut months[usize::from(total.month.unsigned_abs().clamp(1, 12) - 1)];
        let credited = total.credit - total.debit;
        match chart::account(total.account).class {
            Class::Revenue => month.revenue += credited,
            Class::Cost => month.costs += -credited,
            Class::Asset | Class::Equity | Class::Liability => {}
        }
    }
    Ok(months)
}
