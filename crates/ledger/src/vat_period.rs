//! VAT periods: the month, quarter or year of a return, and the unit in which an account files (art.
//! 10 Algemene wet inzake rijksbelastingen; art. 14 Wet OB 1968).

use crate::{
    calendar::{Month, Quarter},
    language::Language,
    named::named,
};
use jiff::civil::{self, Date};
use std::{cmp::Ordering, fmt, iter};

named! {
    /// Length of VAT periods.
    VatUnit {
        /// Calendar month.
        Month => "month",
        /// Calendar quarter, the usual unit.
        Quarter => "quarter",
        /// Calendar year, by permission of the tax office.
        Year => "year",
    }
}

/// Dutch and English names of the months.
const MONTHS: [(&str, &str); 12] = [
    ("januari", "January"),
    ("februari", "February"),
    ("maart", "March"),
    ("april", "April"),
    ("mei", "May"),
    ("juni", "June"),
    ("juli", "July"),
    ("augustus", "August"),
    ("september", "September"),
    ("oktober", "October"),
    ("november", "November"),
    ("december", "December"),
];

/// Period of a VAT return: a calendar month, quarter or year from 2000 to 2099.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VatPeriod {
    unit: VatUnit,
    year: i16,
    /// Month, 1 to 12; quarter, 1 to 4; 1 for a year.
    number: u8,
}

impl VatPeriod {
    /// Returns month `number` (1 to 12) of a year from 2000 to 2099.
    #[must_use]
    pub fn month(year: i16, number: u8) -> Option<Self> {
        Self::new(VatUnit::Month, year, number)
    }

    /// Returns quarter `number` (1 to 4) of a year from 2000 to 2099.
    #[must_use]
    pub fn quarter(year: i16, number: u8) -> Option<Self> {
        Self::new(VatUnit::Quarter, year, number)
    }

    /// Returns a year from 2000 to 2099.
    #[must_use]
    pub fn year(year: i16) -> Option<Self> {
        Self::new(VatUnit::Year, year, 1)
    }

    fn new(unit: VatUnit, year: i16, number: u8) -> Option<Self> {
        let is_real = (2000..=2099).contains(&year) && (1..=count(unit)).contains(&number);
        is_real.then_some(Self { unit, year, number })
    }

    /// Returns the month, quarter or year, according to `unit`, that contains a date.
    #[must_use]
    pub fn of(date: Date, unit: VatUnit) -> Self {
        let month = date.month().unsigned_abs();
        Self { unit, year: date.year(), number: (month - 1) / months_in(unit) + 1 }
    }

    /// Returns the periods of a year from 2000 to 2099, in order.
    pub fn of_year(year: i16, unit: VatUnit) -> impl Iterator<Item = Self> {
        (1..=count(unit)).filter_map(move |number| Self::new(unit, year, number))
    }

    /// Returns the month, the quarter and the year that contain a date.
    #[must_use]
    pub fn all_of(date: Date) -> [Self; 3] {
        [VatUnit::Month, VatUnit::Quarter, VatUnit::Year].map(|unit| Self::of(date, unit))
    }

    /// Parses an id: `2026-05`, `2026-Q2` or `2026`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let Some((year, rest)) = text.split_once('-') else {
            return Self::year(digits(text, 4)?);
        };
        let year = digits(year, 4)?;
        match rest.strip_prefix('Q') {
            Some(quarter) => Self::quarter(year, digits(quarter, 1)?.try_into().ok()?),
            None => Self::month(year, digits(rest, 2)?.try_into().ok()?),
        }
    }

    /// Number of the period, used as the source id of entries and in the change feed: `202605`,
    /// `20262` or `2026`.
    #[must_use]
    pub fn id(self) -> i64 {
        let (year, number) = (i64::from(self.year), i64::from(self.number));
        match self.unit {
            VatUnit::Month => year * 100 + number,
            VatUnit::Quarter => year * 10 + number,
            VatUnit::Year => year,
        }
    }

    /// Returns the period that an [`id`](Self::id) identifies.
    #[must_use]
    pub fn from_id(id: i64) -> Option<Self> {
        let (unit, factor) = match id {
            0..10_000 => (VatUnit::Year, 1),
            10_000..100_000 => (VatUnit::Quarter, 10),
            _ => (VatUnit::Month, 100),
        };
        let number = if unit == VatUnit::Year { 1 } else { u8::try_from(id % factor).ok()? };
        Self::new(unit, i16::try_from(id / factor).ok()?, number)
    }

    /// Unit.
    #[must_use]
    pub const fn unit(self) -> VatUnit {
        self.unit
    }

    /// Calendar year.
    #[must_use]
    pub fn calendar_year(self) -> i16 {
        self.year
    }

    /// Month, 1 to 12, or quarter, 1 to 4; 1 for a year.
    #[must_use]
    pub fn number(self) -> u8 {
        self.number
    }

    /// First month.
    #[must_use]
    pub fn first_month(self) -> Month {
        Month::of(self.first_day())
    }

    /// Last month.
    #[must_use]
    pub fn last_month(self) -> Month {
        Month::of(self.last_day())
    }

    /// First day.
    #[must_use]
    pub fn first_day(self) -> Date {
        civil::date(self.year, ((self.number - 1) * months_in(self.unit) + 1).cast_signed(), 1)
    }

    /// Last day.
    #[must_use]
    pub fn last_day(self) -> Date {
        civil::date(self.year, (self.number * months_in(self.unit)).cast_signed(), 1)
            .last_of_month()
    }

    /// Name in the given language: `mei 2026`, `2e kwartaal 2026` or `2026`; `May 2026`, `2026
    /// quarter 2` or `2026`.
    #[must_use]
    pub fn words(self, language: Language) -> String {
        let Self { unit, year, number } = self;
        let month = || MONTHS.get(usize::from(number).wrapping_sub(1)).copied().unwrap_or_default();
        match (unit, language) {
            (VatUnit::Month, Language::Dutch) => format!("{} {year}", month().0),
            (VatUnit::Month, Language::English) => format!("{} {year}", month().1),
            (VatUnit::Quarter, Language::Dutch) => format!("{number}e kwartaal {year}"),
            (VatUnit::Quarter, Language::English) => format!("{year} quarter {number}"),
            (VatUnit::Year, _) => year.to_string(),
        }
    }

    /// Whether a date is in the period.
    #[must_use]
    pub fn contains(self, date: Date) -> bool {
        (self.first_day()..=self.last_day()).contains(&date)
    }

    /// Calendar quarter of the last day.
    #[must_use]
    pub fn last_quarter(self) -> Quarter {
        Quarter::of(self.last_day())
    }

    /// Returns the calendar quarter, if the period is one.
    #[must_use]
    pub fn as_quarter(self) -> Option<Quarter> {
        (self.unit == VatUnit::Quarter).then(|| self.last_quarter())
    }

    /// Returns the following period of the same unit.
    #[must_use]
    pub fn next(self) -> Self {
        if self.number == count(self.unit) {
            Self { year: self.year + 1, number: 1, ..self }
        } else {
            Self { number: self.number + 1, ..self }
        }
    }
}

/// Parses a number of exactly `length` ASCII digits.
fn digits(text: &str, length: usize) -> Option<i16> {
    let is_number = text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

/// Number of periods of the given unit in a year.
const fn count(unit: VatUnit) -> u8 {
    12 / months_in(unit)
}

const fn months_in(unit: VatUnit) -> u8 {
    match unit {
        VatUnit::Month => 1,
        VatUnit::Quarter => 3,
        VatUnit::Year => 12,
    }
}

impl From<Quarter> for VatPeriod {
    fn from(quarter: Quarter) -> Self {
        Self { unit: VatUnit::Quarter, year: quarter.year(), number: quarter.number() }
    }
}

impl From<Month> for VatPeriod {
    fn from(month: Month) -> Self {
        Self { unit: VatUnit::Month, year: month.year(), number: month.number().unsigned_abs() }
    }
}

/// Chronological order. If two periods begin on the same day, the shorter one comes first.
impl Ord for VatPeriod {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.first_day(), self.unit).cmp(&(other.first_day(), other.unit))
    }
}

impl PartialOrd for VatPeriod {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Formats the id: `2026-05`, `2026-Q2` or `2026`.
impl fmt::Display for VatPeriod {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { unit, year, number } = self;
        match unit {
            VatUnit::Month => write!(formatter, "{year}-{number:02}"),
            VatUnit::Quarter => write!(formatter, "{year}-Q{number}"),
            VatUnit::Year => write!(formatter, "{year}"),
        }
    }
}

/// Units in which an account files over time: quarters until the first change to another unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VatUnits {
    /// First day and unit of each change, in order.
    changes: Vec<(Date, VatUnit)>,
}

/// Change of unit that falls inside a period of the old or the new unit, not on its first day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misplaced {
    /// First day of the invalid change, either the new change or a later one.
    pub from: Date,
}

impl VatUnits {
    /// Creates the units from a list of changes in any order. Each change is a unit and the first
    /// day on which it applies.
    #[must_use]
    pub fn new(mut changes: Vec<(Date, VatUnit)>) -> Self {
        changes.sort_unstable();
        Self { changes }
    }

    /// Unit in force on a date.
    #[must_use]
    pub fn on(&self, date: Date) -> VatUnit {
        let change = self.changes.iter().rev().find(|(from, _)| *from <= date);
        change.map_or(VatUnit::Quarter, |(_, unit)| *unit)
    }

    /// Period whose return declares the VAT due on a date.
    #[must_use]
    pub fn period_of(&self, date: Date) -> VatPeriod {
        VatPeriod::of(date, self.on(date))
    }

    /// Whether the account files a return for this period.
    #[must_use]
    pub fn has(&self, period: VatPeriod) -> bool {
        self.period_of(period.first_day()) == period
    }

    /// Periods from the one that contains `first` to the one that contains `last`, in order.
    pub fn periods(&self, first: Date, last: Date) -> impl Iterator<Item = VatPeriod> + use<'_> {
        let following = |period: &VatPeriod| Some(self.period_of(period.next().first_day()));
        iter::successors(Some(self.period_of(first)), following)
            .take_while(move |period| period.first_day() <= last)
    }

    /// Returns the units with an additional change that takes effect on `from`. It replaces any
    /// earlier change that takes effect on the same day.
    ///
    /// # Errors
    /// `from`, or the day of a later change, falls inside a period of the old or the new unit, not
    /// on its first day.
    pub fn with(&self, from: Date, unit: VatUnit) -> Result<Self, Misplaced> {
        let mut changes = self.changes.clone();
        changes.retain(|(day, _)| *day != from);
        changes.push((from, unit));
        let units = Self::new(changes);
        let mut before = VatUnit::Quarter;
        for (from, unit) in &units.changes {
            let begins = |unit| VatPeriod::of(*from, unit).first_day() == *from;
            if !begins(before) || !begins(*unit) {
                return Err(Misplaced { from: *from });
            }
            before = *unit;
        }
        Ok(units)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn period(text: &str) -> VatPeriod {
        VatPeriod::parse(text).unwrap_or_else(|| panic!("{text} is a period"))
    }

    #[test]
    fn ids_are_written_and_read_back() {
        for (text, id, first, last) in [
            ("2026-05", 202_605, date(2026, 5, 1), date(2026, 5, 31)),
            ("2024-02", 202_402, date(2024, 2, 1), date(2024, 2, 29)),
            ("2026-12", 202_612, date(2026, 12, 1), date(2026, 12, 31)),
            ("2026-Q1", 20_261, date(2026, 1, 1), date(2026, 3, 31)),
            ("2026-Q4", 20_264, date(2026, 10, 1), date(2026, 12, 31)),
            ("2026", 2026, date(2026, 1, 1), date(2026, 12, 31)),
        ] {
            let period = period(text);
            assert_eq!((period.to_string().as_str(), period.id()), (text, id));
            assert_eq!((period.first_day(), period.last_day()), (first, last), "{text}");
            assert_eq!(VatPeriod::from_id(id), Some(period));
            assert!(VatPeriod::all_of(first).contains(&period) && period.contains(last));
            assert_eq!(period.next().first_day(), last.tomorrow().unwrap());
        }
        for bad in [
            "",
            "2026-",
            "2026-0",
            "2026-00",
            "2026-13",
            "2026-5",
            "2026-Q",
            "2026-Q0",
            "2026-Q5",
            "2026-q2",
            "1999",
            "2100",
            "26",
            "2026-05-01",
            "+026",
            "2026 ",
            "20261",
            "2026-Q01",
            "２０２６",
        ] {
            assert_eq!(VatPeriod::parse(bad), None, "{bad}");
        }
        for bad in [-1, 0, 5, 1999, 2100, 20_260, 20_265, 202_600, 202_613, 2_026_051] {
            assert_eq!(VatPeriod::from_id(bad), None, "{bad}");
        }
    }

    #[test]
    fn periods_of_changing_units_follow_one_another_without_a_gap() {
        let units = VatUnits::default();
        let units = units.with(date(2025, 4, 1), VatUnit::Month).unwrap();
        let units = units.with(date(2026, 1, 1), VatUnit::Year).unwrap();
        let units = units.with(date(2027, 1, 1), VatUnit::Quarter).unwrap();
        let periods: Vec<String> = units
            .periods(date(2025, 2, 3), date(2027, 4, 1))
            .map(|period| period.to_string())
            .collect();
        let expected = "2025-Q1 2025-04 2025-05 2025-06 2025-07 2025-08 2025-09 2025-10 2025-11 2025-12 2026 2027-Q1 2027-Q2";
        assert_eq!(periods.join(" "), expected);
        assert!(
            units.has(period("2026"))
                && !units.has(period("2026-Q1"))
                && !units.has(period("2025"))
        );
        let sorted = units.periods(date(2025, 2, 3), date(2027, 4, 1)).is_sorted();
        assert!(sorted);
    }

    #[test]
    fn a_change_begins_a_period_of_both_units() {
        let quarters = VatUnits::default();
        assert_eq!(
            quarters.with(date(2026, 2, 1), VatUnit::Month),
            Err(Misplaced { from: date(2026, 2, 1) })
        );
        assert_eq!(
            quarters.with(date(2026, 4, 1), VatUnit::Year),
            Err(Misplaced { from: date(2026, 4, 1) })
        );
        assert_eq!(
            quarters.with(date(2026, 4, 2), VatUnit::Month),
            Err(Misplaced { from: date(2026, 4, 2) })
        );
        let months = quarters.with(date(2026, 4, 1), VatUnit::Month).unwrap();
        // The later change would then not begin on the first day of a year.
        assert_eq!(
            months.with(date(2026, 1, 1), VatUnit::Year),
            Err(Misplaced { from: date(2026, 4, 1) })
        );
        let replaced = months.with(date(2026, 4, 1), VatUnit::Quarter).unwrap();
        assert_eq!(replaced.on(date(2026, 5, 1)), VatUnit::Quarter);
    }
}
