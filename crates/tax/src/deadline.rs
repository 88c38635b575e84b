//! Filing and payment deadlines of tax returns, computed from rules.

use crate::{
    status::Status,
    words::{Choice, Words},
};
use jiff::{
    Span,
    civil::{Date, Weekday, date},
};
use ledger::vat_period::{VatPeriod, VatUnit};

/// Values of the parameter `vatPeriod`.
pub static VAT_PERIODS: &[Choice] = &[
    Choice::new("month", "maand", "month"),
    Choice::new("quarter", "kwartaal", "quarter"),
    Choice::new("year", "jaar", "year"),
];

/// Kind of return.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DeadlineKind {
    /// The VAT return.
    VatReturn,
    /// The EC sales list (opgaaf ICP).
    Icp,
    /// The income tax return.
    IncomeTaxReturn,
}

/// Values of the parameter `kind`.
pub static KINDS: &[Choice] = &[
    Choice::new("vatReturn", "btw-aangifte", "VAT return"),
    Choice::new("icp", "opgaaf ICP", "ICP declaration"),
    Choice::new("incomeTaxReturn", "aangifte inkomstenbelasting", "income tax return"),
];

impl DeadlineKind {
    /// Code in JSON and CSV.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::VatReturn => "vatReturn",
            Self::Icp => "icp",
            Self::IncomeTaxReturn => "incomeTaxReturn",
        }
    }

    /// Label for readers.
    #[must_use]
    pub const fn label(self) -> Words {
        match self {
            Self::VatReturn => Words::new("Btw-aangifte", "VAT return"),
            Self::Icp => Words::new("Opgaaf ICP", "ICP declaration"),
            Self::IncomeTaxReturn => Words::new("Aangifte inkomstenbelasting", "Income tax return"),
        }
    }

    /// Id of the rule's source in `data/sources.toml`.
    #[must_use]
    pub const fn source(self, period: VatPeriod) -> &'static str {
        match (self, period.unit()) {
            (Self::VatReturn, VatUnit::Year) => "belastingdienst-btw-jaar",
            (Self::VatReturn, _) => "awr-10",
            (Self::Icp, _) => "wet-ob-37a",
            (Self::IncomeTaxReturn, _) => "belastingdienst-ib-aangifte",
        }
    }

    /// Condition under which a filer must file the return (art. 37a Wet OB 1968); `None` if every
    /// filer must.
    #[must_use]
    pub const fn note(self, period: VatPeriod) -> Option<Words> {
        match (self, period.unit()) {
            (Self::Icp, VatUnit::Month) => Some(Words::new(
                "Alleen als je die maand aan ondernemers in andere EU-landen leverde, en per maand pas als je goederen voor meer dan € 50.000 per kwartaal \
                 levert; anders mag het per kwartaal.",
                "Only if you supplied businesses in other EU countries that month, and monthly only if you supply goods for more than €50,000 a quarter; \
                 otherwise it may be quarterly.",
            )),
            (Self::Icp, _) => Some(Words::new(
                "Alleen als je dat kwartaal aan ondernemers in andere EU-landen leverde.",
                "Only if you supplied businesses in other EU countries that quarter.",
            )),
            _ => None,
        }
    }

    /// Reliability of the rule.
    #[must_use]
    pub const fn status(self, period: VatPeriod) -> Status {
        match (self, period.unit()) {
            (Self::VatReturn, VatUnit::Year) | (Self::IncomeTaxReturn, _) => Status::Secondary,
            (Self::VatReturn | Self::Icp, _) => Status::Law,
        }
    }
}

/// Deadline of a return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// Kind of return.
    pub kind: DeadlineKind,
    /// Period covered by the return.
    pub period: VatPeriod,
    /// First day on which the return can be filed.
    pub opens: Date,
    /// Last day for filing on time; a weekend does not change the date.
    pub file_by: Date,
    /// Last day on which a payment arrives on time: the due date, or the last weekday before it if
    /// that date falls on a weekend. `None` if an assessment follows or there is nothing to pay.
    pub pay_by: Option<Date>,
}

impl Deadline {
    /// Computes the deadline of a return for a period.
    ///
    /// ```
    /// use ledger::calendar::parse_date;
    /// use ledger::vat_period::{VatPeriod, VatUnit};
    /// use tax::deadline::{Deadline, DeadlineKind};
    ///
    /// let quarter = VatPeriod::of(parse_date("2026-11-01")?, VatUnit::Quarter);
    /// let deadline = Deadline::of(DeadlineKind::VatReturn, quarter);
    /// assert_eq!(deadline.file_by, parse_date("2027-01-31")?);
    /// // The 31st is a Sunday.
    /// assert_eq!(deadline.pay_by, Some(parse_date("2027-01-29")?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(kind: DeadlineKind, period: VatPeriod) -> Self {
        let after = period.last_day().saturating_add(Span::new().days(1));
        let (opens, file_by) = match (kind, period.unit()) {
            (DeadlineKind::IncomeTaxReturn, _) => {
                (date(after.year(), 3, 1), date(after.year(), 5, 1))
            }
            (_, VatUnit::Year) => (after, date(after.year(), 3, 31)),
            _ => (after, after.last_of_month()),
        };
        let pay_by = (kind == DeadlineKind::VatReturn).then(|| weekday_on_or_before(file_by));
        Self { kind, period, opens, file_by, pay_by }
    }
}

/// Returns the day itself, or the Friday before if the day falls on a weekend. Payments do not
/// arrive at weekends, and art. 19(5) AWR excludes the Algemene termijnenwet, which would extend
/// the term. Public holidays are ignored.
#[must_use]
pub fn weekday_on_or_before(day: Date) -> Date {
    let days_back = match day.weekday() {
        Weekday::Saturday => 1,
        Weekday::Sunday => 2,
        _ => 0,
    };
    day.saturating_sub(Span::new().days(days_back))
}

/// Deadlines with a filing date from `first` to `last` for a business that files VAT returns by
/// `unit`, in order of that date.
///
/// ```
/// use ledger::calendar::parse_date;
/// use ledger::vat_period::VatUnit;
/// use tax::deadline::between;
///
/// let (first, last) = (parse_date("2026-04-01")?, parse_date("2026-05-31")?);
/// let found = between(VatUnit::Quarter, first, last);
/// let codes: Vec<&str> = found.iter().map(|deadline| deadline.kind.as_str()).collect();
/// assert_eq!(codes, ["vatReturn", "icp", "incomeTaxReturn"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn between(unit: VatUnit, first: Date, last: Date) -> Vec<Deadline> {
    let years = first.year().saturating_sub(1)..=last.year();
    let mut deadlines: Vec<Deadline> = years.flat_map(|year| of_year(unit, year)).collect();
    deadlines.retain(|deadline| (first..=last).contains(&deadline.file_by));
    deadlines.sort_by_key(|deadline| (deadline.file_by, deadline.kind));
    deadlines
}

/// Deadlines for the periods of a year. EC sales lists are filed as often as VAT returns, except
/// that annual VAT filers submit them quarterly.
fn of_year(unit: VatUnit, year: i16) -> Vec<Deadline> {
    let icp = if unit == VatUnit::Year { VatUnit::Quarter } else { unit };
    let deadlines =
        |kind, unit| VatPeriod::of_year(year, unit).map(move |period| Deadline::of(kind, period));
    deadlines(DeadlineKind::VatReturn, unit)
        .chain(deadlines(DeadlineKind::Icp, icp))
        .chain(deadlines(DeadlineKind::IncomeTaxReturn, VatUnit::Year))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pay_by(period: &str) -> (Date, Option<Date>) {
        let period = VatPeriod::parse(period).unwrap();
        let deadline = Deadline::of(DeadlineKind::VatReturn, period);
        (deadline.file_by, deadline.pay_by)
    }

    /// The weekdays of the expected dates were looked up in a calendar.
    #[test]
    fn money_arrives_on_the_last_weekday_and_the_return_on_the_last_day() {
        let cases = [
            ("2025-Q4", date(2026, 1, 31), date(2026, 1, 30)),
            ("2026-Q1", date(2026, 4, 30), date(2026, 4, 30)),
            ("2026-Q2", date(2026, 7, 31), date(2026, 7, 31)),
            ("2026-Q3", date(2026, 10, 31), date(2026, 10, 30)),
            ("2026-Q4", date(2027, 1, 31), date(2027, 1, 29)),
            ("2027-Q1", date(2027, 4, 30), date(2027, 4, 30)),
            ("2027-Q2", date(2027, 7, 31), date(2027, 7, 30)),
            ("2027-Q3", date(2027, 10, 31), date(2027, 10, 29)),
            ("2027-Q4", date(2028, 1, 31), date(2028, 1, 31)),
            ("2025-12", date(2026, 1, 31), date(2026, 1, 30)),
            ("2026-01", date(2026, 2, 28), date(2026, 2, 27)),
            ("2026-04", date(2026, 5, 31), date(2026, 5, 29)),
            ("2027-01", date(2027, 2, 28), date(2027, 2, 26)),
            ("2027-06", date(2027, 7, 31), date(2027, 7, 30)),
            ("2026", date(2027, 3, 31), date(2027, 3, 31)),
        ];
        for (period, file, pay) in cases {
            assert_eq!(pay_by(period), (file, Some(pay)), "{period}");
        }
    }

    #[test]
    fn a_quarterly_filer_has_four_returns_four_lists_and_one_income_tax_return_a_year() {
        let year = between(VatUnit::Quarter, date(2026, 1, 1), date(2026, 12, 31));
        let count = |kind| year.iter().filter(|deadline| deadline.kind == kind).count();
        assert_eq!(
            (
                count(DeadlineKind::VatReturn),
                count(DeadlineKind::Icp),
                count(DeadlineKind::IncomeTaxReturn)
            ),
            (4, 4, 1)
        );
        let income_tax =
            year.iter().find(|deadline| deadline.kind == DeadlineKind::IncomeTaxReturn).unwrap();
        assert_eq!(
            (income_tax.period, income_tax.file_by, income_tax.pay_by),
            (VatPeriod::year(2025).unwrap(), date(2026, 5, 1), None)
        );
        assert_eq!(between(VatUnit::Month, date(2026, 1, 1), date(2026, 12, 31)).len(), 25);
    }
}
