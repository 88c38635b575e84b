//! Filing and payment deadlines of tax returns, computed from rules.

use crate::{
    status::Status,
    words::{Choice, Words},
};
use jiff::{
    Span,
    civil::{Date, Weekday, date},
};
use ledger::calendar::Quarter;
use std::fmt;

/// Filing frequency of the VAT return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VatPeriod {
    /// Monthly.
    Month,
    /// Quarterly, the usual frequency.
    Quarter,
    /// Annually, by permission of the tax office.
    Year,
}

impl VatPeriod {
    /// All frequencies.
    pub const ALL: [Self; 3] = [Self::Month, Self::Quarter, Self::Year];

    /// Code in a query.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Month => "month",
            Self::Quarter => "quarter",
            Self::Year => "year",
        }
    }

    /// Parses the code of a frequency.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|period| period.as_str() == text)
    }
}

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

/// Values of `kind`.
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
    pub const fn source(self, period: Period) -> &'static str {
        match (self, period) {
            (Self::VatReturn, Period::Year(_)) => "belastingdienst-btw-jaar",
            (Self::VatReturn, _) => "awr-10",
            (Self::Icp, _) => "wet-ob-37a",
            (Self::IncomeTaxReturn, _) => "belastingdienst-ib-aangifte",
        }
    }

    /// Condition for filers to whom the return applies (art. 37a Wet OB 1968); `None` if it applies
    /// to all.
    #[must_use]
    pub const fn note(self, period: Period) -> Option<Words> {
        match (self, period) {
            (Self::Icp, Period::Month { .. }) => Some(Words::new(
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
    pub const fn status(self, period: Period) -> Status {
        match (self, period) {
            (Self::VatReturn, Period::Year(_)) | (Self::IncomeTaxReturn, _) => Status::Secondary,
            (Self::VatReturn | Self::Icp, _) => Status::Law,
        }
    }
}

/// Period covered by a return.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Period {
    /// A calendar year.
    Year(i16),
    /// A quarter, 1 to 4, of a year.
    Quarter(i16, i8),
    /// A month, 1 to 12, of a year.
    Month(i16, i8),
}

impl Period {
    /// Last day of the period.
    #[must_use]
    pub fn last_day(self) -> Date {
        match self {
            Self::Year(year) => date(year, 12, 31),
            Self::Quarter(year, quarter) => date(year, quarter * 3, 1).last_of_month(),
            Self::Month(year, month) => date(year, month, 1).last_of_month(),
        }
    }
}

impl From<Quarter> for Period {
    fn from(quarter: Quarter) -> Self {
        Self::Quarter(quarter.year(), quarter.number().cast_signed())
    }
}

/// `2026`, `2026-Q4`, `2026-11`.
impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Year(year) => write!(f, "{year}"),
            Self::Quarter(year, quarter) => write!(f, "{year}-Q{quarter}"),
            Self::Month(year, month) => write!(f, "{year}-{month:02}"),
        }
    }
}

/// Deadline of a return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// Kind of return.
    pub kind: DeadlineKind,
    /// Period covered by the return.
    pub period: Period,
    /// First day on which the return can be filed.
    pub opens: Date,
    /// Last day for filing on time; weekends do not move it.
    pub file_by: Date,
    /// Last day on which a payment arrives on time: the last weekday on or before the due date.
    /// `None` if an assessment follows or there is nothing to pay.
    pub pay_by: Option<Date>,
}

impl Deadline {
    /// Computes the deadline of a return for a period.
    ///
    /// ```
    /// use ledger::calendar::parse_date;
    /// use tax::deadline::{Deadline, DeadlineKind, Period};
    ///
    /// let deadline = Deadline::of(DeadlineKind::VatReturn, Period::Quarter(2026, 4));
    /// assert_eq!(deadline.file_by, parse_date("2027-01-31")?);
    /// // The 31st is a Sunday.
    /// assert_eq!(deadline.pay_by, Some(parse_date("2027-01-29")?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(kind: DeadlineKind, period: Period) -> Self {
        let after = period.last_day().saturating_add(Span::new().days(1));
        let (opens, file_by) = match (kind, period) {
            (DeadlineKind::IncomeTaxReturn, _) => {
                (date(after.year(), 3, 1), date(after.year(), 5, 1))
            }
            (_, Period::Year(_)) => (after, date(after.year(), 3, 31)),
            _ => (after, after.last_of_month()),
        };
        let pay_by = (kind == DeadlineKind::VatReturn).then(|| weekday_on_or_before(file_by));
        Self { kind, period, opens, file_by, pay_by }
    }
}

/// The day itself, or the Friday before a weekend: payments do not arrive at weekends, and art.
/// 19(5) AWR disapplies the Algemene termijnenwet, which would extend the term. Public holidays are
/// ignored.
#[must_use]
pub fn weekday_on_or_before(day: Date) -> Date {
    let days_back = match day.weekday() {
        Weekday::Saturday => 1,
        Weekday::Sunday => 2,
        _ => 0,
    };
    day.saturating_sub(Span::new().days(days_back))
}

/// Deadlines with a filing date from `first` to `last`, in order of that date.
///
/// ```
/// use ledger::calendar::parse_date;
/// use tax::deadline::{VatPeriod, between};
///
/// let (first, last) = (parse_date("2026-04-01")?, parse_date("2026-05-31")?);
/// let found = between(VatPeriod::Quarter, first, last);
/// let codes: Vec<&str> = found.iter().map(|deadline| deadline.kind.as_str()).collect();
/// assert_eq!(codes, ["vatReturn", "icp", "incomeTaxReturn"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn between(vat_period: VatPeriod, first: Date, last: Date) -> Vec<Deadline> {
    let years = first.year().saturating_sub(1)..=last.year();
    let mut deadlines: Vec<Deadline> = years.flat_map(|year| of_year(vat_period, year)).collect();
    deadlines.retain(|deadline| (first..=last).contains(&deadline.file_by));
    deadlines.sort_by_key(|deadline| (deadline.file_by, deadline.kind));
    deadlines
}

/// Deadlines of the periods of a year. EC sales lists are filed as often as VAT returns, but
/// quarterly by annual VAT filers.
fn of_year(vat_period: VatPeriod, year: i16) -> Vec<Deadline> {
    let months = || (1..=12).map(|month| Period::Month(year, month)).collect::<Vec<_>>();
    let quarters = || (1..=4).map(|quarter| Period::Quarter(year, quarter)).collect::<Vec<_>>();
    let (vat, icp) = match vat_period {
        VatPeriod::Month => (months(), months()),
        VatPeriod::Quarter => (quarters(), quarters()),
        VatPeriod::Year => (vec![Period::Year(year)], quarters()),
    };
    let vat = vat.into_iter().map(|period| Deadline::of(DeadlineKind::VatReturn, period));
    let icp = icp.into_iter().map(|period| Deadline::of(DeadlineKind::Icp, period));
    vat.chain(icp)
        .chain([Deadline::of(DeadlineKind::IncomeTaxReturn, Period::Year(year))])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pay_by(period: Period) -> (Date, Option<Date>) {
        let deadline = Deadline::of(DeadlineKind::VatReturn, period);
        (deadline.file_by, deadline.pay_by)
    }

    /// The weekdays were looked up in a calendar.
    #[test]
    fn money_arrives_on_the_last_weekday_and_the_return_on_the_last_day() {
        let cases = [
            (Period::Quarter(2025, 4), date(2026, 1, 31), date(2026, 1, 30)),
            (Period::Quarter(2026, 1), date(2026, 4, 30), date(2026, 4, 30)),
            (Period::Quarter(2026, 2), date(2026, 7, 31), date(2026, 7, 31)),
            (Period::Quarter(2026, 3), date(2026, 10, 31), date(2026, 10, 30)),
            (Period::Quarter(2026, 4), date(2027, 1, 31), date(2027, 1, 29)),
            (Period::Quarter(2027, 1), date(2027, 4, 30), date(2027, 4, 30)),
            (Period::Quarter(2027, 2), date(2027, 7, 31), date(2027, 7, 30)),
            (Period::Quarter(2027, 3), date(2027, 10, 31), date(2027, 10, 29)),
            (Period::Quarter(2027, 4), date(2028, 1, 31), date(2028, 1, 31)),
            (Period::Month(2025, 12), date(2026, 1, 31), date(2026, 1, 30)),
            (Period::Month(2026, 1), date(2026, 2, 28), date(2026, 2, 27)),
            (Period::Month(2026, 4), date(2026, 5, 31), date(2026, 5, 29)),
            (Period::Month(2027, 1), date(2027, 2, 28), date(2027, 2, 26)),
            (Period::Month(2027, 6), date(2027, 7, 31), date(2027, 7, 30)),
            (Period::Year(2026), date(2027, 3, 31), date(2027, 3, 31)),
        ];
        for (period, file, pay) in cases {
            assert_eq!(pay_by(period), (file, Some(pay)), "{period}");
        }
    }

    #[test]
    fn a_quarterly_filer_has_four_returns_four_lists_and_one_income_tax_return_a_year() {
        let year = between(VatPeriod::Quarter, date(2026, 1, 1), date(2026, 12, 31));
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
            (Period::Year(2025), date(2026, 5, 1), None)
        );
        assert_eq!(between(VatPeriod::Month, date(2026, 1, 1), date(2026, 12, 31)).len(), 25);
    }
}
