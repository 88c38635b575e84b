//! Figures of one year from the data sets, for the calculators.

use crate::{
    dataset::{self, Row},
    value::Value,
};
use jiff::civil::{Date, date};
use ledger::decimal::Decimal;

/// A band of tax brackets, tax credits, the small-scale investment deduction or collection costs. A
/// field is zero if its column is missing or empty.
#[derive(Clone, Debug)]
pub(crate) struct Band {
    pub(crate) from: Decimal,
    pub(crate) to: Option<Decimal>,
    /// Value of the column `rate`. The fields from here to `maximum` are read in the same way, each
    /// from the column of its name.
    pub(crate) rate: Decimal,
    pub(crate) base: Decimal,
    pub(crate) percent: Decimal,
    pub(crate) amount: Decimal,
    pub(crate) reduction_percent: Decimal,
    pub(crate) minimum: Decimal,
    pub(crate) maximum: Decimal,
    /// Source row.
    pub(crate) row: &'static Row,
}

impl Band {
    fn of(row: &'static Row) -> Self {
        let number = |column: &str| number(row, column);
        Self {
            from: number("from"),
            to: row.get("to").and_then(Value::number),
            rate: number("rate"),
            base: number("base"),
            percent: number("percent"),
            amount: number("amount"),
            reduction_percent: number("reductionPercent"),
            minimum: number("minimum"),
            maximum: number("maximum"),
            row,
        }
    }

    /// The part of an amount that falls in the band.
    pub(crate) fn part_of(&self, amount: Decimal) -> Decimal {
        let top = self.to.map_or(amount, |to| amount.min(to));
        (top - self.from).max(Decimal::ZERO)
    }
}

/// Returns the bands of a data set on the given day, lowest first.
pub(crate) fn bands(dataset: &str, on: Date) -> Vec<Band> {
    let mut bands: Vec<Band> = rows(dataset, on).into_iter().map(Band::of).collect();
    bands.sort_by_key(|band| band.from);
    bands
}

/// Returns the band that contains an amount: above the band's lower bound, and at most its upper
/// bound.
pub(crate) fn band_of(bands: &[Band], amount: Decimal) -> Option<&Band> {
    bands.iter().find(|band| band.to.is_none_or(|to| amount <= to))
}

/// Returns the rows of a data set that apply on the given day. Proposals are included only for
/// figures that are not settled.
pub(crate) fn rows(dataset: &str, on: Date) -> Vec<&'static Row> {
    dataset::find(dataset).map(|dataset| dataset.applicable_on(on).collect()).unwrap_or_default()
}

/// Returns the row that applies on the given day and has these values in the given columns.
pub(crate) fn row(dataset: &str, on: Date, cells: &[(&str, &str)]) -> Option<&'static Row> {
    let fits = |row: &&Row| {
        cells.iter().all(|(column, text)| {
            row.get(column).and_then(Value::text).unwrap_or_default() == *text
        })
    };
    rows(dataset, on).into_iter().find(fits)
}

/// Number in a column; zero if the cell is empty.
pub(crate) fn number(row: &Row, column: &str) -> Decimal {
    row.get(column).and_then(Value::number).unwrap_or_default()
}

/// Last day of a year: the day for which the figures of that year are looked up.
pub(crate) fn last_day(year: i16) -> Date {
    date(year, 12, 31)
}

/// Years for which each of the data sets has figures on both the first and the last day. The
/// figures may be proposals.
pub(crate) fn years_of(datasets: &[&str]) -> Vec<i16> {
    let has = |id: &str, year: i16| {
        let dataset = dataset::find(id);
        let on = |day| dataset.is_some_and(|dataset| dataset.applicable_on(day).next().is_some());
        on(date(year, 1, 1)) && on(last_day(year))
    };
    (2000..=2099).filter(|year| datasets.iter().all(|id| has(id, *year))).collect()
}
