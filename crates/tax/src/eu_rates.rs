//! VAT rates of the member states on a day, from the data set `vat-rates-eu`, and the threshold
//! above which supplies to consumers abroad are taxed there.

use crate::{
    dataset::{self, Row},
    value::Value,
    year::{last_day, number, row},
};
use jiff::civil::Date;
use ledger::{
    country::CountryCode,
    decimal::{Decimal, to_cents},
    money::Cents,
    vat::VatRate,
};

/// Kind of rate, as the return of the Union scheme distinguishes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RateType {
    /// The standard rate.
    Standard,
    /// A reduced rate of any kind.
    Reduced,
}

impl RateType {
    /// All kinds.
    pub const ALL: [Self; 2] = [Self::Standard, Self::Reduced];

    /// Name in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Reduced => "reduced",
        }
    }
}

fn rows(country: CountryCode, on: Date) -> impl Iterator<Item = &'static Row> {
    let rows = dataset::find("vat-rates-eu").into_iter().flat_map(move |set| set.in_force_on(on));
    rows.filter(move |row| text(row, "country") == Some(country.as_str()))
}

fn text(row: &'static Row, column: &str) -> Option<&'static str> {
    row.get(column).and_then(Value::text)
}

fn rate(row: &Row) -> Option<VatRate> {
    let hundredths = number(row, "rate") * Decimal::ONE_HUNDRED;
    u16::try_from(hundredths).ok().map(VatRate::from_basis_points)
}

/// Rates of a member state on a day, highest first, each once.
///
/// ```
/// use ledger::{calendar::parse_date, country::CountryCode};
///
/// let finland = CountryCode::parse("FI")?;
/// let rates = tax::eu_rates::on(finland, parse_date("2026-03-15")?);
/// assert_eq!(rates.iter().map(ToString::to_string).collect::<Vec<_>>(), ["25.5", "13.5", "10"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn on(country: CountryCode, on: Date) -> Vec<VatRate> {
    let mut rates: Vec<VatRate> = rows(country, on).filter_map(rate).collect();
    rates.sort_unstable_by(|one, other| other.cmp(one));
    rates.dedup();
    rates
}

/// Standard rate of a member state on a day; `None` before the data set begins.
#[must_use]
pub fn standard(country: CountryCode, on: Date) -> Option<VatRate> {
    rows(country, on).find(|row| text(row, "kind") == Some("standard")).and_then(rate)
}

/// Whether any member state has this rate on a day.
#[must_use]
pub fn is_known(rate: VatRate, day: Date) -> bool {
    let set = dataset::find("vat-rates-eu").into_iter();
    set.flat_map(|set| set.in_force_on(day)).any(|row| self::rate(row) == Some(rate))
}

/// Kind of a rate of a member state in a period, given its first and last day: the standard rate
/// can change within the period.
#[must_use]
pub fn rate_type(country: CountryCode, rate: VatRate, (first, last): (Date, Date)) -> RateType {
    let is_standard = [first, last].into_iter().any(|day| standard(country, day) == Some(rate));
    if is_standard { RateType::Standard } else { RateType::Reduced }
}

/// Turnover in a year up to which supplies to consumers in other member states are taxed in the
/// Netherlands (art. 6k(1) Wet OB 1968); `None` before July 2021.
#[must_use]
pub fn threshold(year: i16) -> Option<Cents> {
    let row = row("thresholds", last_day(year), &[("id", "ossTurnover")])?;
    to_cents(&number(row, "value")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn country(code: &str) -> CountryCode {
        CountryCode::parse(code).unwrap()
    }

    /// Written by hand, not taken from the data. Rates that did not change: European Commission, "VAT
    /// Rates Applied in the Member States of the European Union", list I. Changes: the announcement
    /// of the Finnish tax administration (vero.fi, "The general VAT rate is 25.5% as of 1 September
    /// 2024"), circular 812-1 of Luxembourg (27 December 2023), and the acts of Estonia
    /// (käibemaksuseadus, section 15), Slovakia (278/2024 Z. z.) and Romania (Legea 141/2025).
    #[test]
    fn the_standard_rate_is_that_of_the_day() {
        let cases = [
            ("AT", date(2025, 6, 30), "20"),
            ("BE", date(2026, 3, 15), "21"),
            ("DE", date(2024, 1, 1), "19"),
            ("DK", date(2025, 1, 1), "25"),
            ("ES", date(2024, 6, 30), "21"),
            ("FR", date(2026, 11, 21), "20"),
            ("GR", date(2025, 12, 31), "24"),
            ("HU", date(2026, 3, 15), "27"),
            ("IE", date(2026, 7, 1), "23"),
            ("IT", date(2024, 12, 31), "22"),
            ("MT", date(2025, 3, 31), "18"),
            ("PL", date(2026, 1, 1), "23"),
            ("LU", date(2024, 1, 1), "17"),
            ("FI", date(2024, 8, 31), "24"),
            ("FI", date(2024, 9, 1), "25.5"),
            ("SK", date(2024, 12, 31), "20"),
            ("SK", date(2025, 1, 1), "23"),
            ("EE", date(2024, 1, 1), "22"),
            ("EE", date(2025, 6, 30), "22"),
            ("EE", date(2025, 7, 1), "24"),
            ("RO", date(2025, 7, 31), "19"),
            ("RO", date(2025, 8, 1), "21"),
        ];
        for (code, day, wanted) in cases {
            let found = standard(country(code), day).map(|rate| rate.to_string());
            assert_eq!(found.as_deref(), Some(wanted), "{code} {day}");
        }
        assert_eq!(standard(country("DE"), date(2023, 12, 31)), None);
        assert_eq!(standard(country("US"), date(2026, 3, 15)), None);
    }

    #[test]
    fn all_member_states_have_a_standard_rate_above_their_other_rates() {
        let day = date(2026, 3, 15);
        let members: Vec<CountryCode> =
            CountryCode::all().filter(|country| standard(*country, day).is_some()).collect();
        assert_eq!(members.len(), 27);
        for country in members {
            assert_eq!(on(country, day).first().copied(), standard(country, day), "{country}");
        }
    }

    #[test]
    fn a_rate_is_standard_if_it_was_so_in_the_period() {
        let third = (date(2024, 7, 1), date(2024, 9, 30));
        let points = VatRate::from_basis_points;
        for (rate, wanted) in [
            (2_400, RateType::Standard),
            (2_550, RateType::Standard),
            (1_400, RateType::Reduced),
            (1_000, RateType::Reduced),
        ] {
            assert_eq!(rate_type(country("FI"), points(rate), third), wanted, "{rate}");
        }
        assert!(is_known(points(2_700), third.0) && !is_known(points(2_600), third.0));
        assert_eq!(threshold(2026), Some(Cents::new(1_000_000)));
        assert_eq!(threshold(2020), None);
    }
}
