//! Which rows of a data set are wanted: all, those of a day, those of a year.

use super::{Dataset, Row};
use crate::{fault::Fault, words::Words};
use jiff::civil::{Date, date};
use ledger::calendar::parse_date;

/// Which rows are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// All.
    All,
    /// Those that hold on a day.
    On(Date),
    /// Those that hold on at least one day of a year.
    Year(i16),
}

impl Selection {
    /// Whether the row is wanted.
    #[must_use]
    pub fn takes(self, row: &Row) -> bool {
        match self {
            Self::All => true,
            Self::On(day) => row.holds_on(day),
            Self::Year(year) => row.valid_from <= date(year, 12, 31) && row.valid_to.is_none_or(|last| last >= date(year, 1, 1)),
        }
    }

    /// Reads the parameters `on` and `year` of a query.
    ///
    /// # Errors
    /// All faults at once: an unknown parameter, one given twice, both of them, no such day, or a day or year of which the data set
    /// has nothing.
    pub fn read(dataset: &Dataset, parameters: &[(&str, &str)]) -> Result<Self, Vec<Fault>> {
        let mut faults = crate::calculator::repeated_or_unknown(parameters, &["on", "year"]);
        let given = |wanted: &str| parameters.iter().find(|(name, _)| *name == wanted).map(|(_, text)| *text);
        let on = given("on").map(|text| read_day(dataset, text)).transpose();
        let year = given("year").map(|text| read_year(dataset, text)).transpose();
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

fn read_day(dataset: &Dataset, text: &str) -> Result<Date, Fault> {
    let day = parse_date(text).map_err(|_| Fault::invalid_date("on"))?;
    if dataset.rows.iter().any(|row| row.holds_on(day)) {
        return Ok(day);
    }
    let (first, last) = dataset.days();
    Err(Fault::out_of_range("on", first, last.unwrap_or(date(2099, 12, 31))))
}

fn read_year(dataset: &Dataset, text: &str) -> Result<i16, Fault> {
    // What still holds, holds in years to come.
    let unknown = || match dataset.days() {
        (first, None) => Fault::year_before("year", first.year().max(2000)),
        _ => Fault::unknown_year("year", &dataset.years()),
    };
    let year = text.parse().ok().filter(|year| (2000..=2099).contains(year) && text.len() == 4).ok_or_else(unknown)?;
    if dataset.rows.iter().any(|row| Selection::Year(year).takes(row)) { Ok(year) } else { Err(unknown()) }
}
