//! Bookkeeping data for the income tax estimate, other than profit and hours: investments, disposed
//! assets, and premiums paid by the owner.

use super::{summary::SummaryDetails, year_report};
use crate::{Context, Error};
use ::tax::calculators::income_tax::{Disinvestment, Disposal, Input};
use jiff::civil::Date;
use ledger::{
    chart::codes, decimal::Decimal, event::PremiumKind, money::Cents, summary::MonthTotal,
};
use store::{
    Tx,
    assets::{self, Asset},
    events, journal,
};

/// Premiums that the owner paid in a year, in cents; negative if more was refunded than paid.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Premiums {
    /// Premiums for disability insurance.
    pub disability: Cents,
    /// Annuity premiums.
    pub annuity: Cents,
    /// Premiums of an unknown kind: the rest of the balance of account 0540 for the year.
    pub unknown: Cents,
}

/// Asset that was sold or written off in the year.
#[derive(Debug, Clone)]
pub struct DisposedAsset {
    /// The asset.
    pub asset: Asset,
    /// Total investments in the year of purchase, in cents. Zero if the asset did not qualify as an
    /// investment (art. 3.45 Wet IB 2001), `None` if it was bought before the books began.
    pub investments: Option<Cents>,
}

impl DisposedAsset {
    /// Whether the asset was written off without proceeds. If the owner keeps it privately, its
    /// market value is the proceeds for tax (art. 3.47(4) Wet IB 2001).
    #[must_use]
    pub fn is_without_proceeds(&self) -> bool {
        self.asset.proceeds.is_none_or(Cents::is_zero)
    }

    /// Returns the disposal with the given proceeds. If the investments are unknown, they are zero,
    /// so that there is no disinvestment addition.
    #[must_use]
    pub fn disposal(&self, proceeds: Cents) -> Disposal {
        Disposal {
            year: self.asset.date.year(),
            investments: euros(self.investments.unwrap_or_default()),
            cost: euros(self.asset.cost),
            proceeds: euros(proceeds),
        }
    }
}

/// Bookkeeping data for the estimate.
#[derive(Debug, Clone)]
pub struct EstimateData {
    /// Investments that qualify for the small-scale investment deduction, in cents.
    pub investments: Cents,
    /// Assets disposed of in the year.
    pub disposed: Vec<DisposedAsset>,
    /// Premiums paid in the year.
    pub premiums: Premiums,
}

impl EstimateData {
    /// Returns the input for the estimate, as far as it follows from the books.
    #[must_use]
    pub fn input(&self, year: &SummaryDetails) -> Input {
        let proceeds = |of: &DisposedAsset| of.asset.proceeds.unwrap_or_default();
        let disposals: Vec<Disposal> =
            self.disposed.iter().map(|of| of.disposal(proceeds(of))).collect();
        Input {
            year: year.year,
            profit: euros(year.fiscal_profit()),
            hours_criterion: year.hours.met,
            starter: year.is_starter,
            investments: euros(self.investments),
            disinvestment_addition: Disinvestment::of(year.year, &disposals).total(),
            disability_premiums: euros(self.premiums.disability.max(Cents::ZERO)),
            annuity_premiums: euros(self.premiums.annuity.max(Cents::ZERO)),
            ..Input::default()
        }
    }
}

fn euros(amount: Cents) -> Decimal {
    Decimal::new(amount.get(), 2)
}

/// Reads the data for a year.
///
/// # Errors
/// The storage failed.
pub fn read(tx: &mut Tx<'_>, cx: &Context, year: i16) -> Result<EstimateData, Error> {
    let investments = year_report::investments(tx, cx, year)?;
    let (Ok(first), Ok(last)) = (Date::new(year, 1, 1), Date::new(year, 12, 31)) else {
        let premiums = Premiums::default();
        return Ok(EstimateData { investments, disposed: Vec::new(), premiums });
    };
    let mut disposed = Vec::new();
    for asset in assets::disposed(tx, cx.actor.account, (first, last))? {
        let own = &cx.actor.own_accounts;
        let investments = if !year_report::is_investment(own, asset.account, asset.cost) {
            Some(Cents::ZERO)
        } else if asset.expense_id.is_none() {
            None
        } else {
            Some(year_report::investments(tx, cx, asset.date.year())?)
        };
        disposed.push(DisposedAsset { asset, investments });
    }
    let premiums = premiums(tx, cx, (first, last))?;
    Ok(EstimateData { investments, disposed, premiums })
}

/// Premiums in a year: by kind from the private bookings, and the remainder from the ledger.
fn premiums(tx: &mut Tx<'_>, cx: &Context, (first, last): (Date, Date)) -> Result<Premiums, Error> {
    let account = cx.actor.account;
    let booked: Cents = journal::month_totals(tx, account, (last.year(), 12))?
        .iter()
        .filter(|of| of.year == last.year() && of.account == codes::PRIVATE_PREMIUMS)
        .map(|of: &MonthTotal| of.debit - of.credit)
        .sum();
    let mut premiums = Premiums::default();
    for (kind, sum) in events::premiums(tx, account, (first, last))? {
        match kind {
            PremiumKind::Disability => premiums.disability = sum,
            PremiumKind::Annuity => premiums.annuity = sum,
        }
    }
    premiums.unknown = booked - premiums.disability - premiums.annuity;
    Ok(premiums)
}
