//! Revision ("herziening") of the VAT deducted on movable assets when the share of the turnover
//! that gives a right to deduct changes (art. 15(4) Wet OB 1968; art. 11 to 14
//! Uitvoeringsbeschikking omzetbelasting 1968).

use crate::{
    decimal::{Decimal, divide_half_away},
    money::Cents,
    vat::VatCategory,
};

/// Number of calendar years after the year of first use in which the VAT on an asset can be
/// revised, a fifth of it each year (art. 13(3) Uitvoeringsbeschikking omzetbelasting 1968, movable
/// goods).
pub const YEARS: i16 = 4;

/// Number of equal parts into which the VAT on an asset is divided: one for the year of first use
/// and one for each later year.
const PARTS: i64 = 5;

/// Whether supplies of a category give a right to deduct VAT; `None` if they are not part of the
/// turnover. `is_kor` is true if the small businesses scheme applies on the day of supply. Under
/// the scheme there is no right to deduct (art. 25a Wet OB 1968), not even for supplies that are
/// taxed abroad. Otherwise supplies at the zero rate and supplies abroad give the right (art. 15(2)
/// Wet OB 1968).
#[must_use]
pub const fn gives_right(category: VatCategory, is_kor: bool) -> Option<bool> {
    match category {
        VatCategory::OutOfScope => None,
        // Also under the scheme: the supply that exceeds its limit is taxed.
        VatCategory::Standard => Some(true),
        VatCategory::Exempt
        | VatCategory::ExemptCounted
        | VatCategory::SmallBusiness
        | VatCategory::SmallBusinessEu => Some(false),
        VatCategory::Zero
        | VatCategory::ReverseCharge
        | VatCategory::IntraCommunity
        | VatCategory::Export
        | VatCategory::ServiceOutsideEu
        | VatCategory::Oss => Some(!is_kor),
    }
}

/// Share of the VAT that may be deducted: the turnover with the right to deduct, divided by all
/// turnover, not rounded (art. 11(1)(c) Uitvoeringsbeschikking omzetbelasting 1968).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    with_right: i64,
    total: i64,
}

impl Share {
    /// All VAT may be deducted.
    pub const WHOLE: Self = Self { with_right: 1, total: 1 };
    /// No VAT may be deducted.
    pub const NOTHING: Self = Self { with_right: 0, total: 1 };

    /// Creates a share from the turnover with and without the right to deduct; `None` if there is
    /// no turnover. Negative turnover (more credited than invoiced) is treated as zero.
    #[must_use]
    pub fn of(with_right: Cents, without: Cents) -> Option<Self> {
        let with_right = with_right.get().max(0);
        let total = with_right.saturating_add(without.get().max(0));
        (total > 0).then_some(Self { with_right, total })
    }

    /// Returns the share as a percentage, rounded to six decimals.
    #[must_use]
    pub fn percent(self) -> Decimal {
        let millionths = i128::from(self.with_right) * 100_000_000;
        let rounded = divide_half_away(millionths, i128::from(self.total));
        Decimal::from_i128_with_scale(rounded, 6).normalize()
    }
}

/// VAT on the purchase of an asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AssetVat {
    /// VAT on the part of the asset that is used for the business.
    pub vat: Cents,
    /// Part of `vat` that has been deducted.
    pub deducted: Cents,
}

impl AssetVat {
    /// Amount to pay back for `parts` of the `whole` equal parts of the VAT, given a share;
    /// negative if it is to be deducted.
    fn revised(self, share: Share, parts: i64, whole: i64) -> Cents {
        let total = i128::from(share.total);
        let difference = i128::from(self.deducted.get()) * total
            - i128::from(self.vat.get()) * i128::from(share.with_right);
        let exact = divide_half_away(difference * i128::from(parts), total * i128::from(whole));
        Cents::new(i64::try_from(exact).expect("no larger than the VAT, which is an amount"))
    }

    /// Revision in the year of first use, which covers all VAT (art. 12(3) Uitvoeringsbeschikking
    /// omzetbelasting 1968).
    ///
    /// ```
    /// use ledger::{
    ///     money::Cents,
    ///     vat_revision::{AssetVat, Share},
    /// };
    ///
    /// // The scheme began on 1 April: a quarter of the turnover has VAT.
    /// let camera = AssetVat { vat: Cents::new(210_000), deducted: Cents::new(210_000) };
    /// let share = Share::of(Cents::new(500_000), Cents::new(1_500_000)).expect("turnover");
    /// assert_eq!(camera.of_first_year(share), Cents::new(157_500));
    /// assert_eq!(camera.of_later_year(share), Cents::new(31_500));
    /// ```
    #[must_use]
    pub fn of_first_year(self, share: Share) -> Cents {
        self.revised(share, 1, 1)
    }

    /// Revision in one of the [`YEARS`] after the year of first use, which covers a fifth of the
    /// VAT (art. 13(3)).
    #[must_use]
    pub fn of_later_year(self, share: Share) -> Cents {
        self.revised(share, 1, PARTS)
    }

    /// Revision `years` after the year of first use; zero before that year and after the term.
    #[must_use]
    pub fn of_year(self, years: i16, share: Share) -> Cents {
        match years {
            0 => self.of_first_year(share),
            1..=YEARS => self.of_later_year(share),
            _ => Cents::ZERO,
        }
    }

    /// Revision when the asset is sold `years` after the year of first use. It covers all remaining
    /// years, including the year of the sale (art. 13a). After a sale with VAT, the asset is
    /// treated as used for taxed supplies until the end of the term; otherwise, for exempt
    /// supplies. A sale in the year of first use covers the four later years only: that year has
    /// its own revision (art. 12(3)).
    #[must_use]
    pub fn of_sale(self, years: i16, is_taxed: bool) -> Cents {
        let remaining = match years {
            0 => YEARS,
            1..=YEARS => YEARS + 1 - years,
            _ => 0,
        };
        let share = if is_taxed { Share::WHOLE } else { Share::NOTHING };
        self.revised(share, remaining.into(), PARTS)
    }

    /// Whether the VAT that may be deducted at a share differs from the deducted VAT by at most a
    /// tenth of the deducted VAT. A later year is then not revised (art. 13(4)).
    #[must_use]
    pub fn is_within_tolerance(self, share: Share) -> bool {
        let deducted = i128::from(self.deducted.get()) * i128::from(share.total);
        let deductible = i128::from(self.vat.get()) * i128::from(share.with_right);
        (deductible - deducted).abs() * 10 <= deducted.abs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(with_right: i64, without: i64) -> Share {
        Share::of(Cents::new(with_right * 100), Cents::new(without * 100)).unwrap()
    }

    fn deducted(vat: i64, deducted: i64) -> AssetVat {
        AssetVat { vat: Cents::new(vat), deducted: Cents::new(deducted) }
    }

    #[test]
    fn the_law_names_the_turnover_that_gives_a_right_to_deduct() {
        use VatCategory::{
            Exempt, ExemptCounted, Export, IntraCommunity, Oss, OutOfScope, ReverseCharge,
            ServiceOutsideEu, SmallBusiness, SmallBusinessEu, Standard, Zero,
        };
        // Category; right to deduct without the small businesses scheme, and under it.
        let cases = [
            (Standard, Some(true), Some(true)),
            (Zero, Some(true), Some(false)),
            (ReverseCharge, Some(true), Some(false)),
            (IntraCommunity, Some(true), Some(false)),
            (Export, Some(true), Some(false)),
            (ServiceOutsideEu, Some(true), Some(false)),
            (Oss, Some(true), Some(false)),
            (Exempt, Some(false), Some(false)),
            (ExemptCounted, Some(false), Some(false)),
            (SmallBusiness, Some(false), Some(false)),
            (SmallBusinessEu, Some(false), Some(false)),
            (OutOfScope, None, None),
        ];
        for (category, usually, under_kor) in cases {
            assert_eq!(gives_right(category, false), usually, "{category:?}");
            assert_eq!(gives_right(category, true), under_kor, "{category:?} under the scheme");
        }
    }

    #[test]
    fn the_share_is_the_turnover_with_the_right_over_all_turnover() {
        let percent = |with_right, without| share(with_right, without).percent().to_string();
        assert_eq!(percent(5_000, 15_000), "25");
        assert_eq!(percent(1, 2), "33.333333");
        assert_eq!(percent(2, 1), "66.666667");
        assert_eq!(Share::of(Cents::ZERO, Cents::ZERO), None);
        assert_eq!(Share::of(Cents::new(-100), Cents::ZERO), None);
        let credited = Share::of(Cents::new(-100), Cents::new(1)).unwrap();
        assert_eq!(credited, Share::NOTHING);
        assert_eq!(Share::WHOLE.percent().to_string(), "100");
        assert_eq!(Share::NOTHING.percent().to_string(), "0");
    }

    /// Equipment of 20 000.00 with 4 200.00 of VAT. The amounts are computed by hand: the
    /// difference between the deducted VAT and the VAT that may be deducted at the year's share;
    /// all of it in the first year, a fifth in a later year.
    #[test]
    fn the_first_year_is_revised_whole_and_each_later_one_for_a_fifth() {
        let cases = [
            // All VAT was deducted; none, a quarter, three quarters or all of it may be deducted.
            (deducted(420_000, 420_000), share(0, 1), 420_000, 84_000),
            (deducted(420_000, 420_000), share(1, 3), 315_000, 63_000),
            (deducted(420_000, 420_000), share(3, 1), 105_000, 21_000),
            (deducted(420_000, 420_000), share(1, 0), 0, 0),
            // A share of a third is not rounded: exactly 2 800.00 and 560.00.
            (deducted(420_000, 420_000), share(1, 2), 280_000, 56_000),
            // Bought under the scheme: nothing was deducted.
            (deducted(420_000, 0), share(1, 0), -420_000, -84_000),
            (deducted(420_000, 0), share(1, 1), -210_000, -42_000),
            (deducted(420_000, 0), share(0, 1), 0, 0),
            // A quarter remains deducted after the first year.
            (deducted(420_000, 105_000), share(0, 1), 105_000, 21_000),
            (deducted(420_000, 105_000), share(1, 0), -315_000, -63_000),
            // Half cents are rounded away from zero: 2.5 and -2.5 cents.
            (deducted(5, 5), share(1, 1), 3, 1),
            (deducted(5, 0), share(1, 1), -3, -1),
        ];
        for (of, share, first, later) in cases {
            assert_eq!(of.of_first_year(share).get(), first, "{of:?} {share:?}");
            assert_eq!(of.of_later_year(share).get(), later, "{of:?} {share:?}");
        }
    }

    #[test]
    fn the_term_is_the_year_of_first_use_and_four_years() {
        let camera = deducted(420_000, 420_000);
        let of = |years| camera.of_year(years, Share::NOTHING).get();
        assert_eq!([-1, 0, 1, 4, 5].map(of), [0, 420_000, 84_000, 84_000, 0]);
    }

    #[test]
    fn a_difference_of_at_most_a_tenth_is_not_revised() {
        let cases = [
            // All deducted: 90.00 % is exactly a tenth less, 89.99 % is more than a tenth less.
            (deducted(420_000, 420_000), share(9_000, 1_000), true),
            (deducted(420_000, 420_000), share(8_999, 1_001), false),
            (deducted(420_000, 420_000), share(1, 0), true),
            // Half deducted: 55 % and 45 % differ by exactly a tenth of it, 56 % and 44 % by more.
            (deducted(420_000, 210_000), share(55, 45), true),
            (deducted(420_000, 210_000), share(56, 44), false),
            (deducted(420_000, 210_000), share(45, 55), true),
            (deducted(420_000, 210_000), share(44, 56), false),
            // Nothing deducted: any difference is more than a tenth.
            (deducted(420_000, 0), share(1, 99), false),
            (deducted(420_000, 0), share(0, 1), true),
        ];
        for (of, share, within) in cases {
            assert_eq!(of.is_within_tolerance(share), within, "{of:?} {share:?}");
        }
    }

    /// VAT of 4 200.00: a fifth is 840.00.
    #[test]
    fn a_sale_revises_all_years_that_remain() {
        let (all, nothing) = (deducted(420_000, 420_000), deducted(420_000, 0));
        let cases =
            [(0, 336_000), (1, 336_000), (2, 252_000), (3, 168_000), (4, 84_000), (5, 0), (-1, 0)];
        for (years, amount) in cases {
            assert_eq!(all.of_sale(years, false).get(), amount, "exempt after {years}");
            assert_eq!(all.of_sale(years, true).get(), 0, "taxed after {years}");
            assert_eq!(nothing.of_sale(years, true).get(), -amount, "taxed after {years}");
            assert_eq!(nothing.of_sale(years, false).get(), 0, "exempt after {years}");
        }
    }
}
