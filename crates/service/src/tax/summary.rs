//! Annual summary: result, balance sheet, VAT, invoices and hours of a year.

use crate::{Context, Error, hours::week};
use jiff::civil::Date;
use ledger::{
    hours::HoursCriterion,
    money::Cents,
    summary::{self, AnnualSummary, MonthTotal},
};
use store::{
    StoreError, Tx, accounts,
    books::{self, Drafts},
    journal,
};

/// Annual summary with invoice counts and hours.
#[derive(Debug, Clone)]
pub struct SummaryDetails {
    /// The year.
    pub year: i16,
    /// Result, VAT and balance sheet.
    pub summary: AnnualSummary,
    /// Invoices of the year.
    pub invoices: InvoiceCounts,
    /// Hours of the year.
    pub hours: HoursCriterion,
    /// Whether the owner is a starter, according to the settings.
    pub is_starter: bool,
}

impl SummaryDetails {
    /// Profit for income tax before income tax deductions: the profit in the books plus
    /// non-deductible costs.
    #[must_use]
    pub fn fiscal_profit(&self) -> Cents {
        let costs = self.summary.costs_by_account.iter().map(|costs| (costs.account, costs.amount));
        self.summary.profit + tax::costs::not_deductible(costs)
    }
}

/// Counts of a year's invoices and credit notes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct InvoiceCounts {
    /// Number of invoices and credit notes.
    pub count: i64,
    /// Drafts among the invoices and credit notes.
    pub drafts: Drafts,
    /// Number of paid invoices.
    pub paid: i64,
    /// Amount still due on invoices of the year, in cents.
    pub outstanding: Cents,
}

/// Reads the summary of a year as of `today`; hours on later days are counted separately. The
/// result and balance sheet cover the year, or the year up to and including `as_of`. VAT, invoices
/// and hours always cover the whole year. The cost does not depend on the number of entries.
///
/// # Errors
/// The storage failed.
pub fn read(
    tx: &mut Tx<'_>,
    cx: &Context,
    year: i16,
    today: Date,
    as_of: Option<Date>,
) -> Result<SummaryDetails, Error> {
    let totals = totals(tx, cx.actor.account, (year, as_of))?;
    let vat = journal::vat_totals(tx, cx.actor.account, Some(year))?;
    let mut invoices = InvoiceCounts::default();
    for (_, sums) in books::document_totals(tx, cx.actor.account, year)? {
        invoices.count += sums.invoices;
        invoices.drafts += sums.drafts;
        invoices.paid += sums.paid;
        invoices.outstanding += sums.outstanding;
    }
    let account =
        accounts::by_id(tx, cx.actor.account)?.ok_or(Error::Store(StoreError::AccountClosed))?;
    let hours = week::criterion(tx, cx, year, today)?;
    Ok(SummaryDetails {
        year,
        summary: summary::annual_summary(year, &totals, &vat),
        invoices,
        hours: hours.said(account.majority_of_time, account.starter),
        is_starter: account.starter,
    })
}

/// Sums of postings per month and account up to the end of a year, or up to and including `as_of`.
pub(super) fn totals(
    tx: &mut Tx<'_>,
    account: i64,
    (year, as_of): (i16, Option<Date>),
) -> Result<Vec<MonthTotal>, Error> {
    match as_of {
        None => Ok(journal::month_totals(tx, account, (year, 12))?),
        Some(day) => totals_until(tx, account, day),
    }
}

/// Sums of postings per month and account, with the last month cut off after `day`.
fn totals_until(tx: &mut Tx<'_>, account: i64, day: Date) -> Result<Vec<MonthTotal>, Error> {
    let whole_months = match day.month() {
        1 => (day.year() - 1, 12),
        month => (day.year(), month - 1),
    };
    let mut totals = journal::month_totals(tx, account, whole_months)?;
    totals.extend(journal::day_totals(tx, account, day.first_of_month(), day)?);
    Ok(totals)
}
