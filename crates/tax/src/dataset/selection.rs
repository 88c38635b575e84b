//! Row selection in a data set: all rows, or those valid on a day or in a year.

use super::table::{Dataset, Row};
use crate::{
    fault::{Fault, repeated_or_unknown},
    words::Words,
};
use jiff::civil::{Date, date};
use ledger::calendar::parse_date;

/// Selects rows by their validity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// All rows.
    All,
    /// Rows valid on the given day.
    On(Date),
    /// Rows valid on at least one day of the given year.
    Year(i16),
}

impl Selection {
    /// Whether the row is selected.
    #[must_use]
    pub fn takes(self, row: &Row) -> bool {
        match self {
            Self::All => true,
            Self::On(day) => row.holds_on(day),
            Self::Year(year) => {
                row.valid_from <= date(year, 12, 31)
                    && row.valid_to.is_none_or(|last| last >= date(year, 1, 1))
            }
        }
    }

    /// Parses the query parameters `on` and `year`.
    ///
    /// # Errors
    /// All faults at once: an unknown or repeated parameter, both parameters together, an invalid
    /// date, or a day or year without rows.
    pub fn read(dataset: &Dataset, parameters: &[(&str, &str)]) -> Result<Self, Vec<Fault>> {
        let mut faults = repeated_or_unknown(parameters, &["on", "year"]);
        let parameter =
            |name: &str| parameters.iter().find(|(other, _)| *other == name).map(|(_, text)| *text);
        let on = parameter("on").map(|text| read_day(dataset, text)).transpose();
        let year = parameter("year").map(|text| read_year(dataset, text)).transpose();
        let selection = match (&on, &year) {
            (Ok(Some(_)), Ok(Some(_))) => {
                faults.push(Fault::new(
                    "year",
                    "unknown_field",
                    Words::new("Geef on of year op, niet allebei.", "Give on or year, not both."),
                ));
                Self::All
            }
            (Ok(Some(day)), _) => Self::On(*day),
            (_, Ok(Some(year))) => Self::Year(*year),
            _ => Self::All,
        };
        faults.extend(on.err());
        faults.extend(year.err());
        if faults.is_empty() { Ok(selection) } else { Err(faults) }
    }
}

impl Dataset {
    /// Returns the selected rows.
    pub fn select(&self, selection: Selection) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| selection.takes(row))
    }
}

fn read_day(dataset: &Dataset, text: &str) -> Result<Date, Fault> {
    let day = parse_date(text).map_err(|_| Fault::invalid_date("on"))?;
    if dataset.rows.iter().any(|row| row.holds_on(day)) {
        return Ok(day);
    }
    let (first, last) = dataset.days();
    Err(Fault::out_of_range("on", first, last.unwrap_or(date(2099, 12, 31))))
}

fn read_year(dataset: &Dataset, text: &str) -> Result<i16, Fault> {
    // If a row has no end, all future years are valid, so they cannot be listed in the fault.
    let unknown = || match dataset.days() {
        (first, None) => Fault::year_before("year", first.year().max(2000)),
        _ => Fault::unknown_year("year", &dataset.years()),
    };
    let year = text
        .parse()
        .ok()
        .filter(|year| (2000..=2099).contains(year) && text.len() == 4)
        .ok_or_else(unknown)?;
    if dataset.rows.iter().any(|row| Selection::Year(year).takes(row)) {
        Ok(year)
    } else {
        Err(unknown())
    }
}
