//! The annual summary: result, balance sheet, VAT, invoices and hours of a year.

use crate::{Actor, Error};
use jiff::civil;
use ledger::{
    hours::{self, HoursCriterion},
    money::Cents,
    summary::{self, AnnualSummary},
};
use store::{Tx, books, journal, time};

/// The summary of a year.
#[derive(Debug, Clone)]
pub struct SummaryView {
    /// The year.
    pub year: i16,
    /// Result, VAT and balance sheet.
    pub summary: AnnualSummary,
    /// Invoices of the year.
    pub invoices: InvoiceCounts,
    /// Hours of the year.
    pub hours: HoursCriterion,
}

/// Counts of a year's invoices and credit notes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct InvoiceCounts {
    /// Invoices and credit notes.
    pub count: i64,
    /// Of these, drafts.
    pub drafts: i64,
    /// Invoices that are paid.
    pub paid: i64,
    /// Still to be received on invoices of the year.
    pub outstanding: Cents,
}

/// The summary of a year; it costs the same after ten entries and after ten million.
///
/// # Errors
/// The storage failed.
pub fn read(tx: &mut Tx<'_>, actor: &Actor, year: i16) -> Result<SummaryView, Error> {
    let totals = journal::month_totals(tx, actor.account, year)?;
    let mut invoices = InvoiceCounts::default();
    for (_, sums) in books::quarter_totals(tx, actor.account, year)? {
        invoices.count += sums.invoices;
        invoices.drafts += sums.drafts;
        invoices.paid += sums.paid;
        invoices.outstanding += sums.outstanding;
    }
    let worked = time::in_year(tx, actor.account, civil::date(year, 1, 1), civil::date(year, 12, 31))?;
    Ok(SummaryView {
        year,
        summary: summary::annual_summary(year, &totals),
        invoices,
        hours: hours::criterion(worked.project, worked.logged),
    })
}
