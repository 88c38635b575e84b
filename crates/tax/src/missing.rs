//! Which figures the coming year still lacks.

use crate::dataset::{self, Dataset, Row, Status};
use jiff::civil::{Date, date};

/// A figure without a successor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The data set.
    pub dataset: &'static str,
    /// The figure: the values of the data set's key, such as `bracket 1`; empty where the data set has one figure.
    pub figure: String,
    /// The first day for which there is none.
    pub from: Date,
    /// Whether there is a proposal for that day, which does not count.
    pub proposed: bool,
}

/// The figures that have no successor on 1 January of the year after `on`: those that end with its year, and those that have ended
/// already.
#[must_use]
pub fn after(on: Date) -> Vec<Missing> {
    dataset::all().iter().filter(|dataset| !dataset.may_end).flat_map(|dataset| of(dataset, on)).collect()
}

/// From this day on the figures of the year after `on` are required: they are published by then.
#[must_use]
pub fn required_from(on: Date) -> Date {
    date(on.year(), 12, 1)
}

fn of(dataset: &'static Dataset, on: Date) -> Vec<Missing> {
    let new_year = date(on.year() + 1, 1, 1);
    let mut missing: Vec<Missing> = Vec::new();
    // The last row of each figure that began by then; one that reaches the new year has nothing missing.
    let begun = || dataset.rows().iter().filter(|row| row.status != Status::Proposal && row.valid_from <= new_year);
    for row in begun() {
        let figure = name(dataset, row);
        let succeeded = begun().any(|other| other.valid_from > row.valid_from && name(dataset, other) == figure);
        let Some(last) = row.valid_to.filter(|last| *last < new_year && !succeeded) else { continue };
        let Ok(from) = last.tomorrow() else { continue };
        let proposed = dataset
            .rows()
            .iter()
            .any(|other| other.status == Status::Proposal && other.holds_on(from) && name(dataset, other) == figure);
        missing.push(Missing { dataset: &dataset.id, figure, from, proposed });
    }
    missing
}

/// What a row is about: the names and values of the key.
fn name(dataset: &Dataset, row: &Row) -> String {
    let parts = dataset.key.iter().filter_map(|column| {
        let value = row.get(column)?;
        Some(format!("{column} {}", value.plain(ledger::language::Language::English)))
    });
    parts.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_year_with_all_figures_lacks_none_and_the_year_after_the_last_lacks_its_own() {
        // 2025 and 2026 are complete; of 2027 only the self-employed deduction is law.
        let lacking = |on| after(on).into_iter().filter(|missing| missing.dataset == "income-tax-brackets").collect::<Vec<_>>();
        assert_eq!(lacking(date(2025, 12, 1)), []);
        let figures: Vec<_> =
            lacking(date(2026, 12, 1)).into_iter().map(|missing| (missing.figure, missing.from, missing.proposed)).collect();
        let new_year = date(2027, 1, 1);
        assert_eq!(figures, [1, 2, 3].map(|bracket| (format!("bracket {bracket}"), new_year, true)));
        assert!(!after(date(2026, 12, 1)).iter().any(|missing| missing.figure == "deduction selfEmployed"));
    }
}
