//! `cargo xtask figures`: figures of tax law still missing for the coming year.

use clap::Args;
use jiff::civil::Date;
use std::{fmt::Write, process::ExitCode};
use tax::missing::{self, Missing};

/// Options of `figures`
#[derive(Args)]
pub struct Options {
    /// Today's date, as YYYY-MM-DD
    #[arg(long, value_name = "DATE")]
    pub on: Date,
}

/// Prints the figures missing for the year after the given date. Fails if they are required: from 1
/// December on, and whenever a figure has already ended.
#[must_use]
pub fn run(options: &Options) -> ExitCode {
    let (text, complete) = report(options.on);
    print!("{text}");
    if complete { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Returns the text to print, and whether all figures required by that date are present.
#[must_use]
pub fn report(on: Date) -> (String, bool) {
    let (year, missing) = (on.year() + 1, missing::after(on));
    if missing.is_empty() {
        return (format!("all figures of {year} are present\n"), true);
    }
    let required_from = missing::required_from(on);
    let overdue = on >= required_from || missing.iter().any(|figure| figure.from <= on);
    let count = missing.len();
    let mut text = if overdue {
        format!("{count} figures are missing; to add them, see CONTRIBUTING.md, \"How to update a figure\":\n")
    } else {
        format!("{count} figures of {year} are missing; they are required from {required_from} on:\n")
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

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn the_year_to_come_is_required_from_december_on() {
        // 2026 is complete; most figures of 2027 are not law yet.
        assert_eq!(report(date(2025, 12, 31)), ("all figures of 2026 are present\n".to_owned(), true));
        let (before, complete) = report(date(2026, 11, 30));
        assert!(complete && before.contains("required from 2026-12-01 on"), "{before}");
        let (after, complete) = report(date(2026, 12, 1));
        assert!(
            !complete && after.contains("  income-tax-brackets: bracket 1 from 2027-01-01 on (there is a proposal)\n"),
            "{after}"
        );
        assert!(after.contains("  statutory-interest: kind commercial from 2027-01-01 on\n"), "{after}");
        assert!(!after.contains("selfEmployed"), "figures that are already law for 2027 are not missing: {after}");
    }

    #[test]
    fn a_figure_that_has_ended_is_missing_in_any_month() {
        let (text, complete) = report(date(2027, 2, 1));
        assert!(!complete && text.contains("  statutory-interest: kind commercial from 2027-01-01 on\n"), "{text}");
    }
}
