//! VAT: rates by date, categories, and the boxes of the return.

use crate::{country::CountryCode, decimal::{Decimal, divide_half_away}, money::Cents};
use jiff::civil::{Date, date};
use std::fmt;
use thiserror::Error;

/// A VAT rate, a percentage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VatRate {
    basis_points: u16,
}

/// Dutch law does not know that rate on that day.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the VAT rates on {on} are {}", list(.valid))]
pub struct UnknownVatRate {
    /// The day.
    pub on: Date,
    /// The rates that there are, highest first.
    pub valid: Vec<VatRate>,
}

fn list(rates: &[VatRate]) -> String {
    rates.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

impl VatRate {
    /// No VAT.
    pub const ZERO: Self = Self { basis_points: 0 };

    /// The rate of that percentage, if Dutch law knows it on that day. Zero is always known.
    ///
    /// # Errors
    /// The rate does not exist on that day; tells which do.
    pub fn from_percent(percent: &Decimal, on: Date) -> Result<Self, UnknownVatRate> {
        let valid = Self::known_on(on);
        let found = valid.iter().find(|rate| rate.percent() == *percent).copied();
        found.ok_or(UnknownVatRate { on, valid })
    }

    /// The rates on a day, highest first.
    #[must_use]
    pub fn known_on(on: Date) -> Vec<Self> {
        vec![Self::high_on(on), Self::low_on(on), Self::ZERO]
    }

    /// The high rate on a day (art. 9, first paragraph, Wet OB 1968): 21 % since 2012-10-01, 19 % before.
    #[must_use]
    pub fn high_on(on: Date) -> Self {
        Self { basis_points: if on >= date(2012, 10, 1) { 2100 } else if on >= date(2001, 1, 1) { 1900 } else { 1750 } }
    }

    /// The low rate on a day (art. 9, second paragraph, Wet OB 1968): 9 % since 2019-01-01, 6 % before.
    #[must_use]
    pub fn low_on(on: Date) -> Self {
        Self { basis_points: if on >= date(2019, 1, 1) { 900 } else { 600 } }
    }

    /// A rate from storage; one basis point is a hundredth of a per cent.
    #[must_use]
    pub const fn from_basis_points(basis_points: u16) -> Self {
        Self { basis_points }
    }

    /// The rate in hundredths of a per cent.
    #[must_use]
    pub const fn basis_points(self) -> u16 {
        self.basis_points
    }

    /// The rate as a percentage.
    #[must_use]
    pub fn percent(self) -> Decimal {
        Decimal::new(i64::from(self.basis_points), 2).normalize()
    }

    /// Whether it is no VAT.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.basis_points == 0
    }

    /// The VAT on an amount, rounded half away from zero to cents.
    #[must_use]
    pub fn of(self, base: Cents) -> Cents {
        let exact = i128::from(base.get()) * i128::from(self.basis_points);
        // A rate is below 656 %, so the VAT on 64 bits of cents divided by 10 000 fits again for every amount within the limit.
        Cents::new(i64::try_from(divide_half_away(exact, 10_000)).unwrap_or(i64::MAX))
    }
}

/// Prints the percentage: `21`, `9`, `17.5`.
impl fmt::Display for VatRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.percent())
    }
}

macro_rules! named {
    ($(#[$doc:meta])* $kind:ident { $($(#[$variant_doc:meta])* $variant:ident => $name:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $kind { $($(#[$variant_doc])* $variant),* }

        impl $kind {
            /// All of them, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The name in the API and on disk.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            /// What has that name.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                match text { $($name => Some(Self::$variant),)* _ => None }
            }
        }
    };
}
pub(crate) use named;

named! {
    /// Why a line carries the VAT that it does.
    VatCategory {
        /// A rate above zero.
        Standard => "standard",
        /// The zero rate inside the Netherlands (table II Wet OB 1968).
        Zero => "zero",
        /// Exempt (art. 11 Wet OB 1968); not declared.
        Exempt => "exempt",
        /// VAT due by a Dutch customer, "btw verlegd" (art. 12 Wet OB 1968).
        ReverseCharge => "reverseCharge",
        /// To a business in another member state.
        IntraCommunity => "intraCommunity",
        /// Out of the European Union.
        Export => "export",
        /// Not a supply for VAT, such as a deposit or a disbursement.
        OutOfScope => "outOfScope",
    }
}

impl VatCategory {
    /// The category that a rate has by itself: above zero standard; at zero by the customer's country.
    #[must_use]
    pub fn default_for(rate: VatRate, customer: CountryCode, on: Date) -> Self {
        if !rate.is_zero() {
            Self::Standard
        } else if customer.is_dutch() {
            Self::Zero
        } else if customer.in_eu(on) {
            Self::IntraCommunity
        } else {
            Self::Export
        }
    }
}

named! {
    /// A box of the VAT return that a posting can belong to (Belastingdienst, "Toelichting bij de digitale aangifte omzetbelasting").
    VatBox {
        /// Domestic supplies at the high rate.
        B1a => "1a",
        /// Domestic supplies at the low rate.
        B1b => "1b",
        /// Domestic supplies at other rates, except 0 %.
        B1c => "1c",
        /// Private use.
        B1d => "1d",
        /// Domestic supplies at 0 %, or on which the VAT is not due by you.
        B1e => "1e",
        /// Domestic purchases on which the VAT is due by you.
        B2a => "2a",
        /// Supplies to countries outside the EU.
        B3a => "3a",
        /// Supplies to, or services in, EU countries.
        B3b => "3b",
        /// Installation and distance sales inside the EU.
        B3c => "3c",
        /// Purchases from outside the EU on which the VAT is due by you.
        B4a => "4a",
        /// Purchases from EU countries on which the VAT is due by you.
        B4b => "4b",
        /// Input VAT.
        B5b => "5b",
    }
}

/// The box that a sale belongs to; none for what is not declared: exempt (Belastingdienst, "Vrijgestelde omzet hoeft u niet aan te
/// geven") and out of scope.
#[must_use]
pub fn sales_box(category: VatCategory, rate: VatRate, on: Date) -> Option<VatBox> {
    match category {
        VatCategory::Standard if rate == VatRate::high_on(on) => Some(VatBox::B1a),
        VatCategory::Standard if rate == VatRate::low_on(on) => Some(VatBox::B1b),
        VatCategory::Standard => Some(VatBox::B1c),
        VatCategory::Zero | VatCategory::ReverseCharge => Some(VatBox::B1e),
        VatCategory::IntraCommunity => Some(VatBox::B3b),
        VatCategory::Export => Some(VatBox::B3a),
        VatCategory::Exempt | VatCategory::OutOfScope => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_law_knows_these_rates() {
        let cases = [
            (date(2000, 12, 31), "17.5, 6, 0"),
            (date(2001, 1, 1), "19, 6, 0"),
            (date(2012, 9, 30), "19, 6, 0"),
            (date(2012, 10, 1), "21, 6, 0"),
            (date(2018, 12, 31), "21, 6, 0"),
            (date(2019, 1, 1), "21, 9, 0"),
            (date(2026, 3, 15), "21, 9, 0"),
        ];
        for (on, rates) in cases {
            assert_eq!(list(&VatRate::known_on(on)), rates, "{on}");
        }
        let today = date(2026, 3, 15);
        assert_eq!(VatRate::from_percent(&Decimal::new(2100, 2), today), Ok(VatRate::high_on(today)));
        let unknown = VatRate::from_percent(&Decimal::new(19, 0), today).unwrap_err();
        assert_eq!(unknown.to_string(), "the VAT rates on 2026-03-15 are 21, 9, 0");
    }

    #[test]
    fn vat_is_rounded_half_away_from_zero() {
        let rate = VatRate::from_basis_points(2100);
        for (base, vat) in [(100, 21), (50, 11), (-50, -11), (2, 0), (3, 1), (-3, -1), (0, 0)] {
            assert_eq!(rate.of(Cents::new(base)), Cents::new(vat), "{base}");
        }
    }

    #[test]
    fn each_category_has_its_box() {
        let on = date(2026, 3, 15);
        let (high, low) = (VatRate::high_on(on), VatRate::low_on(on));
        let cases = [
            (VatCategory::Standard, high, Some(VatBox::B1a)),
            (VatCategory::Standard, low, Some(VatBox::B1b)),
            (VatCategory::Standard, VatRate::from_basis_points(1900), Some(VatBox::B1c)),
            (VatCategory::Zero, VatRate::ZERO, Some(VatBox::B1e)),
            (VatCategory::ReverseCharge, VatRate::ZERO, Some(VatBox::B1e)),
            (VatCategory::IntraCommunity, VatRate::ZERO, Some(VatBox::B3b)),
            (VatCategory::Export, VatRate::ZERO, Some(VatBox::B3a)),
            (VatCategory::Exempt, VatRate::ZERO, None),
            (VatCategory::OutOfScope, VatRate::ZERO, None),
        ];
        for (category, rate, wanted) in cases {
            assert_eq!(sales_box(category, rate, on), wanted, "{category:?}");
        }
    }

    #[test]
    fn names_are_read_back() {
        assert!(VatBox::ALL.iter().all(|vat_box| VatBox::parse(vat_box.as_str()) == Some(*vat_box)));
        assert!(VatCategory::ALL.iter().all(|category| VatCategory::parse(category.as_str()) == Some(*category)));
        assert_eq!((VatBox::parse("1A"), VatCategory::parse("")), (None, None));
    }

    #[test]
    fn the_customers_country_decides_at_zero() {
        let on = date(2026, 3, 15);
        let country = |code| CountryCode::parse(code).unwrap();
        for (code, category) in [("NL", VatCategory::Zero), ("DE", VatCategory::IntraCommunity), ("US", VatCategory::Export), ("GB", VatCategory::Export)] {
            assert_eq!(VatCategory::default_for(VatRate::ZERO, country(code), on), category, "{code}");
            assert_eq!(VatCategory::default_for(VatRate::high_on(on), country(code), on), VatCategory::Standard);
        }
    }
}
