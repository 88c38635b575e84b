//! Business assets: accounts and depreciation (art. 3.30 Wet IB 2001).

use crate::{
    chart::{AccountCode, Class, codes},
    money::Cents,
    purchase::{ASSET_ACCOUNTS, proportion},
};
use jiff::civil::Date;

/// Whether the code belongs to an own account of class asset; bank accounts are none.
fn is_own_asset(code: AccountCode) -> bool {
    code.is_own() && code.class() == Some(Class::Asset) && !code.is_of_bank()
}

/// Minimum depreciation period in years: at most 20 % of the cost a year (art. 3.30(2) Wet IB
/// 2001).
pub const LEAST_YEARS: i64 = 5;
/// Minimum depreciation period of goodwill in years: at most 10 % of the cost a year (art. 3.30(2)
/// Wet IB 2001).
const LEAST_YEARS_OF_GOODWILL: i64 = 10;
/// Branch of RGS with the codes of goodwill.
const GOODWILL: &str = "BIvaGoo";
/// Maximum depreciation period in years.
pub const MOST_YEARS: i64 = 50;

/// Accounts on which an asset is booked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AssetAccounts {
    /// Purchase cost.
    pub asset: AccountCode,
    /// Accumulated depreciation.
    pub accumulated: AccountCode,
    /// Depreciation expense.
    pub depreciation: AccountCode,
    /// Result on disposal.
    pub result: AccountCode,
}

impl AssetAccounts {
    /// Returns the accounts that belong to an asset account of the program. Those of an own account
    /// are the accounts of equipment.
    #[must_use]
    pub fn of(asset: AccountCode) -> Self {
        let (accumulated, depreciation, result) = if asset == codes::CAR {
            (codes::ACCUMULATED_CAR_DEPRECIATION, codes::CAR_DEPRECIATION, codes::CAR_DISPOSAL)
        } else if asset == codes::INTANGIBLES {
            (codes::ACCUMULATED_AMORTISATION, codes::AMORTISATION, codes::EQUIPMENT_DISPOSAL)
        } else {
            (codes::ACCUMULATED_DEPRECIATION, codes::DEPRECIATION, codes::EQUIPMENT_DISPOSAL)
        };
        Self { asset, accumulated, depreciation, result }
    }

    /// Replaces the accounts of the depreciation by those that the owner chose.
    #[must_use]
    pub fn depreciated_on(
        self,
        accumulated: Option<AccountCode>,
        depreciation: Option<AccountCode>,
    ) -> Self {
        Self {
            accumulated: accumulated.unwrap_or(self.accumulated),
            depreciation: depreciation.unwrap_or(self.depreciation),
            ..self
        }
    }
}

/// Whether assets can be booked on the account: one of [`ASSET_ACCOUNTS`], or an own account of the
/// assets that does not record accumulated depreciation.
#[must_use]
pub fn is_account(code: AccountCode) -> bool {
    ASSET_ACCOUNTS.contains(&code) || (is_own_asset(code) && !code.is_accumulated())
}

/// Minimum depreciation period in years of an asset on an account with the given RGS code.
///
/// ```
/// use ledger::asset::least_years;
///
/// assert_eq!(["BIvaGooVvp", "BMvaBeiVvp"].map(least_years), [10, 5]);
/// ```
#[must_use]
pub fn least_years(rgs: &str) -> i64 {
    if rgs.starts_with(GOODWILL) { LEAST_YEARS_OF_GOODWILL } else { LEAST_YEARS }
}

/// Accounts of the program for accumulated depreciation.
const ACCUMULATED: [AccountCode; 3] = [
    codes::ACCUMULATED_AMORTISATION,
    codes::ACCUMULATED_DEPRECIATION,
    codes::ACCUMULATED_CAR_DEPRECIATION,
];

/// Accounts of the program for the cost of depreciation.
const DEPRECIATION: [AccountCode; 3] =
    [codes::DEPRECIATION, codes::CAR_DEPRECIATION, codes::AMORTISATION];

/// Whether the depreciation of assets can accumulate on the account: an account of accumulated
/// depreciation, or another own account of the assets.
#[must_use]
pub fn is_accumulated_account(code: AccountCode) -> bool {
    ACCUMULATED.contains(&code) || is_own_asset(code)
}

/// Whether the depreciation of assets can be a cost on the account: an account of depreciation, or
/// an own cost account.
#[must_use]
pub fn is_depreciation_account(code: AccountCode) -> bool {
    DEPRECIATION.contains(&code) || (code.is_own() && code.class() == Some(Class::Cost))
}

/// Straight-line depreciation accumulated at the end of the month of `until`, in cents. The months
/// of `bought` and `until` count in full; depreciation stops at the residual value.
///
/// ```
/// use ledger::{asset, calendar::parse_date, money::Cents};
///
/// // A laptop of 1 899.00, of which 189.90 remains after five years: 341.82 a year.
/// let (cost, residual) = (Cents::new(189_900), Cents::new(18_990));
/// let until = |day| asset::depreciated(cost, residual, 5, parse_date("2026-01-15").unwrap(), day);
/// assert_eq!(until(parse_date("2026-12-31")?), Cents::new(34_182));
/// assert_eq!(until(parse_date("2027-12-31")?), Cents::new(68_364));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn depreciated(cost: Cents, residual: Cents, years: i64, bought: Date, until: Date) -> Cents {
    proportion(cost - residual, months(bought, until).clamp(0, 12 * years), 12 * years)
}

/// Like [`depreciated`], for an asset that is in the opening balance dated `opening` and was
/// already depreciated by `before`. The rest is spread over the remaining months of the period,
/// or over more months if a year would otherwise exceed a fifth of the cost (art. 3.30(2) Wet IB
/// 2001).
#[must_use]
pub fn depreciated_further(
    (cost, residual): (Cents, Cents),
    years: i64,
    bought: Date,
    (opening, before): (Date, Cents),
    until: Date,
) -> Cents {
    let gone = months(bought, opening.yesterday().unwrap_or(opening)).max(0);
    let rest = (cost - residual - before).max(Cents::ZERO);
    let slowest = (60 * i128::from(rest.get()))
        .unsigned_abs()
        .div_ceil(i128::from(cost.get().max(1)).unsigned_abs());
    let remaining = (12 * years - gone).max(i64::try_from(slowest).unwrap_or(i64::MAX)).max(1);
    before + proportion(rest, (months(bought, until) - gone).clamp(0, remaining), remaining)
}

/// Number of calendar months from the month of `from` to the month of `to`, both included.
fn months(from: Date, to: Date) -> i64 {
    12 * (i64::from(to.year()) - i64::from(from.year())) + i64::from(to.month())
        - i64::from(from.month())
        + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn what_was_left_in_the_opening_balance_is_spread_over_the_months_that_are_left() {
        let of = |before, until| {
            depreciated_further(
                (Cents::new(1_200_000), Cents::ZERO),
                5,
                date(2024, 1, 15),
                (date(2026, 1, 1), Cents::new(before)),
                until,
            )
            .get()
        };
        let cases = [
            // Depreciated on schedule so far: the monthly amount stays the same.
            (480_000, date(2026, 12, 31), 720_000),
            (480_000, date(2028, 12, 31), 1_200_000),
            // Depreciated less than scheduled so far: a year is limited to a fifth of the cost, so
            // the depreciation takes longer.
            (0, date(2026, 1, 31), 20_000),
            (0, date(2026, 12, 31), 240_000),
            (0, date(2030, 12, 31), 1_200_000),
            // Depreciated more than scheduled so far: the monthly amount is lower.
            (840_000, date(2026, 12, 31), 960_000),
            (1_200_000, date(2026, 12, 31), 1_200_000),
        ];
        for (before, until, whole) in cases {
            assert_eq!(of(before, until), whole, "{before} until {until}");
        }
    }

    #[test]
    fn an_asset_is_depreciated_by_the_month_and_by_as_much_each_year() {
        let of = |until| {
            depreciated(Cents::new(189_900), Cents::new(18_990), 5, date(2026, 1, 15), until).get()
        };
        let cases = [
            (date(2025, 12, 31), 0),
            (date(2026, 1, 1), 2_849),
            (date(2026, 12, 31), 34_182),
            (date(2027, 12, 31), 68_364),
            (date(2030, 12, 31), 170_910),
            (date(2040, 1, 1), 170_910),
        ];
        for (until, amount) in cases {
            assert_eq!(of(until), amount, "{until}");
        }
        // The month of purchase counts in full: October to December are three of sixty.
        let late =
            depreciated(Cents::new(120_000), Cents::ZERO, 5, date(2026, 10, 31), date(2026, 12, 1));
        assert_eq!(late, Cents::new(6_000));
    }
}
