//! Figures still missing for the coming year.

use crate::dataset::{self, Dataset, Row, Status};
use jiff::civil::{Date, date};
use std::fmt::Write;

/// A figure whose validity has ended, or ends this year, without a successor.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Missing {
    /// Id of the data set.
    dataset: &'static str,
    /// Names and values of the data set's key columns, such as `bracket 1`; empty if the data set
    /// has a single figure.
    figure: String,
    /// First day without a figure.
    from: Date,
    /// Whether a proposal covers that day. A proposal does not replace the missing figure.
    proposed: bool,
}

/// Lists the figures missing for the year after `on`, as text, and returns whether no figure is
/// overdue. Figures of the coming year are overdue from 1 December on, and figures that have
/// already ended are always overdue.
#[must_use]
pub fn report(on: Date) -> (String, bool) {
    let (year, missing) = (on.year() + 1, after(on));
    if missing.is_empty() {
        return (format!("all figures of {year} are present\n"), true);
    }
    let required_from = required_from(on);
    let overdue = on >= required_from || missing.iter().any(|figure| figure.from <= on);
    let count = missing.len();
    let mut text = if overdue {
        format!(
            "{count} figures are missing; to add them, see CONTRIBUTING.md, \"How to update a figure\":\n"
        )
    } else {
        format!(
            "{count} figures of {year} are missing; they are required from {required_from} on:\n"
        )
    };
    for Missing { dataset, figure, from, proposed } in &missing {
        let note = if *proposed { " (there is a proposal)" } else { "" };
        let _ = writeln!(
            text,
            "  {dataset}: {}from {from} on{note}",
            if figure.is_empty() { String::new() } else { format!("{figure} ") }
        );
    }
    (text, !overdue)
}

/// Figures that have no value on 1 January of the year after `on`, because their validity ends
/// before that day.
fn after(on: Date) -> Vec<Missing> {
    dataset::all()
        .iter()
        .filter(|dataset| !dataset.may_end)
        .flat_map(|dataset| of(dataset, on))
        .collect()
}

/// Date from which the figures of the year after `on` are required, because they should have been
/// published by then.
fn required_from(on: Date) -> Date {
    date(on.year(), 12, 1)
}

fn of(dataset: &'static Dataset, on: Date) -> Vec<Missing> {
    let new_year = date(on.year() + 1, 1, 1);
    let mut missing: Vec<Missing> = Vec::new();
    // Rows that begin on or before 1 January of the next year, without proposals. A figure is
    // missing if the last such row ends before that day.
    let begun = || {
        dataset
            .rows()
            .iter()
            .filter(|row| row.status != Status::Proposal && row.valid_from <= new_year)
    };
    for row in begun() {
        let figure = name(dataset, row);
        let succeeded = begun()
            .any(|other| other.valid_from > row.valid_from && name(dataset, other) == figure);
        let Some(last) = row.valid_to.filter(|last| *last < new_year && !succeeded) else {
            continue;
        };
        let Ok(from) = last.tomorrow() else { continue };
        let proposed = dataset.rows().iter().any(|other| {
            other.status == Status::Proposal
                && other.holds_on(from)
                && name(dataset, other) == figure
        });
        missing.push(Missing { dataset: &dataset.id, figure, from, proposed });
    }
    missing
}

/// Names and values of the row's key columns.
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
    fn only_the_year_after_the_last_complete_one_lacks_figures() {
        // 2025 and 2026 are complete. For 2027 only a few figures are law, such as the
        // self-employed deduction.
        let lacking = |on| {
            after(on)
                .into_iter()
                .filter(|missing| missing.dataset == "income-tax-brackets")
                .collect::<Vec<_>>()
        };
        assert_eq!(lacking(date(2025, 12, 1)), []);
        let figures: Vec<_> = lacking(date(2026, 12, 1))
            .into_iter()
            .map(|missing| (missing.figure, missing.from, missing.proposed))
            .collect();
        let new_year = date(2027, 1, 1);
        assert_eq!(
            figures,
            [1, 2, 3].map(|bracket| (format!("bracket {bracket}"), new_year, true))
        );
        assert!(
            !after(date(2026, 12, 1))
                .iter()
                .any(|missing| missing.figure == "deduction selfEmployed")
        );
    }

    #[test]
    fn the_year_to_come_is_required_from_december_on() {
        // 2026 is complete; most figures of 2027 are not law yet.
        assert_eq!(
            report(date(2025, 12, 31)),
            ("all figures of 2026 are present\n".to_owned(), true)
        );
        let (before, complete) = report(date(2026, 11, 30));
        assert!(complete && before.contains("required from 2026-12-01 on"), "{before}");
        let (after, complete) = report(date(2026, 12, 1));
        assert!(
            !complete
                && after.contains(
                    "  income-tax-brackets: bracket 1 from 2027-01-01 on (there is a proposal)\n"
                ),
            "{after}"
        );
        assert!(
            after.contains("  statutory-interest: kind commercial from 2027-01-01 on\n"),
            "{after}"
        );
        assert!(
            !after.contains("selfEmployed"),
            "figures that are already law for 2027 are not missing: {after}"
        );
    }

    #[test]
    fn a_figure_that_has_ended_is_missing_in_any_month() {
        let (text, complete) = report(date(2027, 2, 1));
        assert!(
            !complete
                && text.contains("  statutory-interest: kind commercial from 2027-01-01 on\n"),
            "{text}"
        );
    }
}
