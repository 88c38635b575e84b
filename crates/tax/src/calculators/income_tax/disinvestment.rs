//! Disinvestment addition: repayment of the investment deduction when an asset is disposed of (art.
//! 3.47 Wet IB 2001).

use super::assessment::investment_deduction;
use crate::{
    dataset::Row,
    year::{band_of, bands, last_day, number, row, years_of},
};
use ledger::decimal::Decimal;
use std::sync::LazyLock;

/// Number of calendar years, including the year of purchase, in which a disposal leads to an
/// addition (art. 3.47(2)).
pub const YEARS: i16 = 5;

/// Business asset that was sold, taken over privately or returned to its supplier for a credit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disposal {
    /// Year of the purchase.
    pub year: i16,
    /// All investments in that year that qualified for the small-scale investment deduction, in
    /// euros; zero if the asset itself did not qualify (art. 3.45).
    pub investments: Decimal,
    /// Cost of the asset, in euros.
    pub cost: Decimal,
    /// Proceeds or, for an asset that was taken over privately, its market value, in euros.
    pub proceeds: Decimal,
}

/// Addition for one disposal.
#[derive(Clone, Debug)]
pub struct Part {
    /// The disposal.
    pub disposal: Disposal,
    /// Lower of proceeds and cost, in euros.
    pub base: Decimal,
    /// Deduction for the year of purchase, as a percentage of the investments in that year. Zero if
    /// the conditions for an addition are not met, or the figures are unknown.
    pub percent: Decimal,
    /// Amount in euros; zero if the disposal does not lead to an addition, `None` if there are no
    /// figures for the year of purchase.
    pub amount: Option<Decimal>,
    /// Data set row with the deduction for the year of purchase.
    pub(super) row: Option<&'static Row>,
}

/// Disinvestment addition for a year.
#[derive(Clone, Debug)]
pub struct Disinvestment {
    /// Total proceeds of the disposals in the year, in euros.
    pub proceeds: Decimal,
    /// Total proceeds up to which there is no addition, in euros.
    pub threshold: Decimal,
    /// Addition for each disposal, in the given order.
    pub parts: Vec<Part>,
    pub(super) threshold_row: Option<&'static Row>,
}

impl Disinvestment {
    /// Computes the addition for the disposals in a year.
    ///
    /// The percentage follows the rules of the year of purchase (art. 3.51).
    #[must_use]
    pub fn of(year: i16, disposals: &[Disposal]) -> Self {
        let on = last_day(year);
        let threshold_row = row("thresholds", on, &[("id", "disinvestment")]);
        let least = row("thresholds", on, &[("id", "businessAssetMinimum")]);
        let least = least.map(|row| number(row, "value")).unwrap_or_default();
        let threshold = threshold_row.map(|row| number(row, "value")).unwrap_or_default();
        let proceeds: Decimal = disposals.iter().map(|disposal| disposal.proceeds).sum();
        let is_above = proceeds > threshold;
        let counts = |disposal: &Disposal| {
            is_above
                && (0..YEARS).contains(&(year - disposal.year))
                && disposal.cost >= least
                && disposal.investments > Decimal::ZERO
        };
        let parts = disposals.iter().map(|disposal| part(*disposal, counts(disposal))).collect();
        Self { proceeds, threshold, parts, threshold_row }
    }

    /// Sum of the known additions, in euros.
    #[must_use]
    pub fn total(&self) -> Decimal {
        self.parts.iter().filter_map(|part| part.amount).sum()
    }
}

/// Years with figures for the small-scale investment deduction.
pub(super) fn years() -> &'static [i16] {
    static YEARS: LazyLock<Vec<i16>> = LazyLock::new(|| years_of(&["investment-deduction"]));
    &YEARS
}

fn part(disposal: Disposal, counts: bool) -> Part {
    let base = disposal.proceeds.min(disposal.cost);
    let none = Part { disposal, base, percent: Decimal::ZERO, amount: None, row: None };
    if !counts {
        return Part { amount: Some(Decimal::ZERO), ..none };
    }
    let bands = bands("investment-deduction", last_day(disposal.year));
    if bands.is_empty() {
        return none;
    }
    let deduction = investment_deduction(&bands, disposal.investments);
    Part {
        percent: deduction * Decimal::ONE_HUNDRED / disposal.investments,
        amount: Some(base * deduction / disposal.investments),
        row: band_of(&bands, disposal.investments).map(|band| band.row),
        ..none
    }
}
