//! Union scheme, the one-stop shop (OSS): supplies to non-businesses that are taxed in other member
//! states and declared in the Netherlands (art. 28q to 28sj Wet OB 1968; art. 369a to 369k
//! Directive 2006/112/EC).

use crate::{
    calendar::Quarter,
    country::CountryCode,
    kor::Turnover,
    money::Cents,
    named::named,
    vat::{Supply, VatCategory, VatRate},
};
use jiff::{
    ToSpan,
    civil::{Date, date},
};
use std::collections::{BTreeMap, BTreeSet};

/// First day of the Union scheme in its present form, which includes goods (art. 2 Directive (EU)
/// 2017/2455, with the date of Decision (EU) 2020/1109).
pub const FIRST_DAY: Date = date(2021, 7, 1);

/// Number of years after the due date of a return in which a later return can correct it (art.
/// 28se(8) Wet OB 1968).
const YEARS_OF_CORRECTION: i32 = 3;

/// Whether a line for a non-business in another member state is part of the turnover that decides
/// where such supplies are taxed: goods that are dispatched there, and telecommunications,
/// broadcasting and electronic services (art. 6k(1) Wet OB 1968).
///
/// A line whose tax country is the Netherlands was handed over here. A supply to a business, an
/// exempt one and one outside the scope of VAT are not part of it.
///
/// ```
/// use ledger::{
///     country::CountryCode,
///     oss,
///     vat::{Supply, VatCategory},
/// };
///
/// assert!(oss::counts(VatCategory::Standard, Supply::Goods, None));
/// assert!(!oss::counts(VatCategory::Standard, Supply::Services, None));
/// assert!(!oss::counts(VatCategory::Standard, Supply::Goods, Some(CountryCode::NL)));
/// ```
#[must_use]
pub fn counts(category: VatCategory, supply: Supply, tax_country: Option<CountryCode>) -> bool {
    let is_sale = matches!(
        category,
        VatCategory::Standard | VatCategory::Zero | VatCategory::SmallBusiness | VatCategory::Oss
    );
    is_sale && is_counted_kind(supply) && tax_country.is_none_or(|country| !country.is_dutch())
}

/// Whether the kind of supply is taxed in the country of a non-business above the threshold.
#[must_use]
pub const fn is_counted_kind(supply: Supply) -> bool {
    matches!(supply, Supply::Goods | Supply::Electronic)
}

/// Returns the member state, other than the Netherlands, that can tax a supply for a customer in a
/// country on a date. Monaco belongs to the VAT territory of France (art. 7 Directive 2006/112/EC).
#[must_use]
pub fn member_state(country: CountryCode, on: Date) -> Option<CountryCode> {
    match country.as_str() {
        "MC" => CountryCode::parse("FR").ok(),
        _ => Some(country).filter(|country| !country.is_dutch() && country.in_eu(on)),
    }
}

named! {
    /// Ground on which an account uses the scheme.
    Ground {
        /// The turnover passed the threshold (art. 6k(2) Wet OB 1968).
        Limit => "limit",
        /// By choice (art. 6k(4) Wet OB 1968).
        Choice => "choice",
    }
}

/// Period in which supplies are taxed in the country of the customer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registration {
    /// First day.
    pub from: Date,
    /// Last day, if the registration ends.
    pub until: Option<Date>,
}

/// Whether a registration is in force on a day, given all registrations in order. A registration
/// replaces an earlier one from its own first day on.
#[must_use]
pub fn is_registered(registrations: &[Registration], day: Date) -> bool {
    let last = registrations.iter().rev().find(|registration| registration.from <= day);
    last.is_some_and(|registration| registration.until.is_none_or(|until| day <= until))
}

/// Earliest last day of a registration: the end of the calendar year after the one in which it
/// begins (art. 6k(4) Wet OB 1968; a turnover above the threshold also counts in the next year, art.
/// 6k(1)).
#[must_use]
pub fn earliest_end(from: Date) -> Date {
    date(from.year().saturating_add(1).min(9999), 12, 31)
}

/// Returns the day of the supply from which the tax of the country of the customer is due: the
/// first one above the threshold in the previous year, or else in this one (art. 6k(1) and (2) Wet
/// OB 1968).
#[must_use]
pub fn obliged_from(previous: &Turnover, current: &Turnover) -> Option<Date> {
    previous.passing().or_else(|| current.passing()).map(|invoice| invoice.day)
}

/// Last day for filing and paying the return of a quarter: the end of the next month, also in a
/// weekend (art. 28sd and 28sg Wet OB 1968).
///
/// ```
/// use ledger::{calendar::{Quarter, parse_date}, oss};
///
/// let fourth = Quarter::new(2026, 4).expect("a quarter");
/// assert_eq!(oss::due_date(fourth), parse_date("2027-01-31")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn due_date(quarter: Quarter) -> Date {
    quarter.next().first_day().last_of_month()
}

/// Whether the return of a quarter can no longer be corrected by a later return on a day.
#[must_use]
pub fn is_too_old(quarter: Quarter, day: Date) -> bool {
    day > due_date(quarter).saturating_add(YEARS_OF_CORRECTION.years())
}

/// Part of a document that the scheme declares: one rate, one country, goods or services.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Supplied {
    /// Quarter of the supply; that of the invoice on a credit note.
    pub quarter: Quarter,
    /// Quarter to which the document belongs: that of the supply, or the later one of a credit note.
    pub declared_in: Quarter,
    /// Declared amounts.
    pub row: Row,
}

impl Supplied {
    /// Creates a part of a document. `credited_on` is the date of a credit note.
    #[must_use]
    pub fn new(supplied_on: Date, credited_on: Option<Date>, row: Row) -> Self {
        let quarter = Quarter::of(supplied_on);
        let declared_in = credited_on.map_or(quarter, |day| Quarter::of(day).max(quarter));
        Self { quarter, declared_in, row }
    }
}

/// Row of a return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Country that taxes the supplies.
    pub country: CountryCode,
    /// Goods or services.
    pub supply: Supply,
    /// Rate.
    pub rate: VatRate,
    /// Amount excluding VAT, in cents.
    pub base: Cents,
    /// VAT, in cents.
    pub vat: Cents,
}

/// Correction of an earlier return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Correction {
    /// Quarter of the corrected return.
    pub quarter: Quarter,
    /// Country.
    pub country: CountryCode,
    /// VAT in cents; negative if less is due.
    pub vat: Cents,
}

/// VAT of one country on a return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Balance {
    /// Country.
    pub country: CountryCode,
    /// VAT of the rows, in cents.
    pub supplies: Cents,
    /// VAT of the corrections, in cents.
    pub corrections: Cents,
}

impl Balance {
    /// Total, in cents. The country pays back a negative one.
    #[must_use]
    pub fn total(&self) -> Cents {
        self.supplies + self.corrections
    }
}

/// Rows and corrections of a return.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declaration {
    /// Rows by country, supply and rate (highest first).
    pub rows: Vec<Row>,
    /// Corrections of earlier returns, by quarter and country.
    pub corrections: Vec<Correction>,
}

impl Declaration {
    /// Whether nothing is declared. Such a return must be filed too (art. 28sd Wet OB 1968).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.corrections.is_empty()
    }

    /// VAT by country.
    #[must_use]
    pub fn balances(&self) -> Vec<Balance> {
        let mut sums: BTreeMap<CountryCode, (Cents, Cents)> = BTreeMap::new();
        for row in &self.rows {
            sums.entry(row.country).or_default().0 += row.vat;
        }
        for correction in &self.corrections {
            sums.entry(correction.country).or_default().1 += correction.vat;
        }
        let balance =
            |(country, (supplies, corrections))| Balance { country, supplies, corrections };
        sums.into_iter().map(balance).collect()
    }

    /// Amount to pay, in cents: the sum of the balances above zero. A balance below zero is not
    /// settled against another country (Implementing Regulation (EU) 2020/194, annex III).
    #[must_use]
    pub fn payable(&self) -> Cents {
        self.balances().iter().map(|balance| balance.total().max(Cents::ZERO)).sum()
    }

    /// Amount that countries pay back, in cents, as a positive number.
    #[must_use]
    pub fn reclaimed(&self) -> Cents {
        self.balances().iter().map(|balance| (-balance.total()).max(Cents::ZERO)).sum()
    }
}

/// Returns of an account, computed from the documents and the filed returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Returns(BTreeMap<Quarter, Declaration>);

impl Returns {
    /// Computes the returns of `quarters`, and of all quarters that have a document or a filed
    /// return.
    ///
    /// A filed return stays as it was filed. What was declared differently for a quarter than the
    /// documents show now is corrected on the first open return after that quarter.
    #[must_use]
    pub fn new(
        quarters: impl IntoIterator<Item = Quarter>,
        supplied: &[Supplied],
        filed: BTreeMap<Quarter, Declaration>,
    ) -> Self {
        let mut all: BTreeSet<Quarter> = quarters.into_iter().collect();
        all.extend(supplied.iter().map(|part| part.declared_in));
        all.extend(filed.keys().copied());
        let mut filed = filed;
        // VAT declared so far, by quarter and country.
        let mut declared: BTreeMap<(Quarter, CountryCode), Cents> = BTreeMap::new();
        let mut returns = BTreeMap::new();
        for quarter in all {
            let declaration = filed
                .remove(&quarter)
                .unwrap_or_else(|| open_declaration(quarter, supplied, &declared));
            for row in &declaration.rows {
                *declared.entry((quarter, row.country)).or_default() += row.vat;
            }
            for correction in &declaration.corrections {
                *declared.entry((correction.quarter, correction.country)).or_default() +=
                    correction.vat;
            }
            returns.insert(quarter, declaration);
        }
        Self(returns)
    }

    /// Quarters that have a return, in order.
    pub fn quarters(&self) -> impl DoubleEndedIterator<Item = Quarter> {
        self.0.keys().copied()
    }

    /// Return of a quarter.
    #[must_use]
    pub fn of(&self, quarter: Quarter) -> Option<&Declaration> {
        self.0.get(&quarter)
    }
}

fn open_declaration(
    quarter: Quarter,
    supplied: &[Supplied],
    declared: &BTreeMap<(Quarter, CountryCode), Cents>,
) -> Declaration {
    let mut rows: BTreeMap<_, (Cents, Cents)> = BTreeMap::new();
    let mut differences: BTreeMap<(Quarter, CountryCode), Cents> = BTreeMap::new();
    for Supplied { quarter: of, declared_in, row } in supplied {
        if *declared_in == quarter && *of == quarter {
            let key = (row.country, row.supply, std::cmp::Reverse(row.rate));
            let sum = rows.entry(key).or_default();
            *sum = (sum.0 + row.base, sum.1 + row.vat);
        } else if *declared_in <= quarter {
            *differences.entry((*of, row.country)).or_default() += row.vat;
        }
    }
    for (key, vat) in declared.iter().filter(|((of, _), _)| *of < quarter) {
        *differences.entry(*key).or_default() -= *vat;
    }
    let row = |((country, supply, rate), (base, vat)): ((_, _, std::cmp::Reverse<_>), _)| Row {
        country,
        supply,
        rate: rate.0,
        base,
        vat,
    };
    let is_something = |row: &Row| !row.base.is_zero() || !row.vat.is_zero();
    let correction = |((quarter, country), vat)| Correction { quarter, country, vat };
    Declaration {
        rows: rows.into_iter().map(row).filter(is_something).collect(),
        corrections: differences
            .into_iter()
            .filter(|(_, vat)| !vat.is_zero())
            .map(correction)
            .collect(),
    }
}

#[cfg(test)]
mod tests;
