//! VAT: rates by date, categories, and the boxes of the return.

use crate::{
    country::CountryCode,
    decimal::{Decimal, divide_half_away},
    money::Cents,
};
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
#[error("the VAT rates on {on} are {} per cent", list(.valid))]
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
        let known = Self::all_on(on).into_iter().find(|rate| rate.percent() == *percent);
        known.ok_or_else(|| UnknownVatRate { on, valid: Self::known_on(on) })
    }

    /// The rates on a day, highest first.
    #[must_use]
    pub fn known_on(on: Date) -> Vec<Self> {
        Self::all_on(on).to_vec()
    }

    fn all_on(on: Date) -> [Self; 3] {
        [Self::high_on(on), Self::low_on(on), Self::ZERO]
    }

    /// The high rate on a day (art. 9, first paragraph, Wet OB 1968): 21 % since 2012-10-01, 19 % before.
    #[must_use]
    pub fn high_on(on: Date) -> Self {
        Self {
            basis_points: if on >= date(2012, 10, 1) {
                2100
            } else if on >= date(2001, 1, 1) {
                1900
            } else {
                1750
            },
        }
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

    /// The VAT on an amount excluding VAT, in euros, rounded to cents: up from a third decimal of 5 on (art. 5a Uitvoeringsbesluit
    /// omzetbelasting 1968). A negative amount carries the negative of that, so that a credit note takes back to the cent what its
    /// invoice charged.
    #[must_use]
    pub fn of(self, base: Cents) -> Cents {
        let exact = i128::from(base.get()) * i128::from(self.basis_points);
        let vat = i64::try_from(divide_half_away(exact, 10_000));
        Cents::new(
            vat.expect("at most 655.35 % of an amount within the limit of a document, or of 100 000 of them, fits 64 bits"),
        )
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
    /// A box ("rubriek") of the VAT return that a posting can belong to.
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

impl VatBox {
    /// Which part of the return it belongs to.
    #[must_use]
    pub const fn side(self) -> Side {
        match self {
            Self::B1a | Self::B1b | Self::B1c | Self::B1d | Self::B1e | Self::B3a | Self::B3b | Self::B3c => Side::Sales,
            Self::B2a | Self::B4a | Self::B4b => Side::Purchases,
            Self::B5b => Side::InputVat,
        }
    }

    /// Whether the form asks for an amount of VAT there, and not for turnover alone.
    #[must_use]
    pub const fn asks_for_vat(self) -> bool {
        !matches!(self, Self::B1e | Self::B3a | Self::B3b | Self::B3c)
    }

    /// What the form says beside it: in Dutch the words of the form, in English what they mean.
    #[must_use]
    pub const fn description(self, language: Language) -> &'static str {
        match language {
            Language::Dutch => match self {
                Self::B1a => "Leveringen/diensten belast met hoog tarief",
                Self::B1b => "Leveringen/diensten belast met laag tarief",
                Self::B1c => "Leveringen/diensten belast met overige tarieven, behalve 0%",
                Self::B1d => "Privégebruik",
                Self::B1e => "Leveringen/diensten belast met 0% of niet bij u belast",
                Self::B2a => "Leveringen/diensten waarbij de omzetbelasting naar u is verlegd",
                Self::B3a => "Leveringen naar landen buiten de EU (uitvoer)",
                Self::B3b => "Leveringen naar of diensten in landen binnen de EU",
                Self::B3c => "Installatie/afstandsverkopen binnen de EU",
                Self::B4a => "Leveringen/diensten uit landen buiten de EU",
                Self::B4b => "Leveringen/diensten uit landen binnen de EU",
                Self::B5b => "Voorbelasting",
            },
            Language::English => match self {
                Self::B1a => "Supplies taxed at the high rate",
                Self::B1b => "Supplies taxed at the low rate",
                Self::B1c => "Supplies taxed at other rates, except 0%",
                Self::B1d => "Private use",
                Self::B1e => "Supplies taxed at 0%, or on which the VAT is not due by you",
                Self::B2a => "Supplies to you on which the VAT is reverse-charged",
                Self::B3a => "Supplies to countries outside the EU (export)",
                Self::B3b => "Supplies to, or services in, EU countries",
                Self::B3c => "Installation and distance sales inside the EU",
                Self::B4a => "Supplies to you from countries outside the EU",
                Self::B4b => "Supplies to you from EU countries",
                Self::B5b => "Input VAT",
            },
        }
    }
}

/// A part of the VAT return.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// What you supply: turnover grows on the credit side.
    Sales,
    /// What is supplied to you with the VAT due by you: it grows on the debit side.
    Purchases,
    /// The VAT that you may deduct.
    InputVat,
}

named! {
    /// The languages of the program.
    Language {
        /// Dutch.
        Dutch => "nl",
        /// English.
        English => "en",
    }
}

/// The box that a sale belongs to. None for what is out of scope, and none for what is exempt: the form has no box for it (the
/// tax office's SBR taxonomy of 2026, entry point `bd-rpt-ob-aangifte-2026`, lists every amount of the return, and none is exempt).
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
        assert_eq!(unknown.to_string(), "the VAT rates on 2026-03-15 are 21, 9, 0 per cent");
        // A rate is known from its first day and no longer known after its last (19 and 6 % went, 21 and 9 % came).
        let changes = [(19, date(2012, 9, 30), date(2012, 10, 1), 21), (6, date(2018, 12, 31), date(2019, 1, 1), 9)];
        for (percent, last_of_old, first_of_new, came) in changes {
            let known = |percent: i64, on| VatRate::from_percent(&Decimal::new(percent, 0), on).is_ok();
            assert_eq!((known(percent, last_of_old), known(came, last_of_old)), (true, false), "{percent}");
            assert_eq!((known(percent, first_of_new), known(came, first_of_new)), (false, true), "{came}");
        }
        assert!(VatRate::from_percent(&Decimal::new(-21, 0), today).is_err());
        assert_eq!(VatRate::from_percent(&Decimal::new(0, 5), date(2001, 1, 1)), Ok(VatRate::ZERO));
    }

    #[test]
    fn vat_is_rounded_half_away_from_zero() {
        let rate = VatRate::from_basis_points(2100);
        for (base, vat) in [(100, 21), (50, 11), (-50, -11), (2, 0), (-2, 0), (3, 1), (-3, -1), (0, 0), (150, 32), (-150, -32)] {
            assert_eq!(rate.of(Cents::new(base)), Cents::new(vat), "{base}");
        }
        assert_eq!(rate.of(Cents::MAX), Cents::new(2_100_000_000_000));
        assert_eq!(VatRate::from_basis_points(u16::MAX).of(Cents::new(50)), Cents::new(328));
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
    fn boxes_know_their_side_and_their_words() {
        use Side::{InputVat, Purchases, Sales};
        let cases = [
            ("1a", Sales, true),
            ("1b", Sales, true),
            ("1c", Sales, true),
            ("1d", Sales, true),
            ("1e", Sales, false),
            ("2a", Purchases, true),
            ("3a", Sales, false),
            ("3b", Sales, false),
            ("3c", Sales, false),
            ("4a", Purchases, true),
            ("4b", Purchases, true),
            ("5b", InputVat, true),
        ];
        assert_eq!(cases.len(), VatBox::ALL.len());
        for (name, side, asks_for_vat) in cases {
            let vat_box = VatBox::parse(name).unwrap();
            assert_eq!((vat_box.side(), vat_box.asks_for_vat()), (side, asks_for_vat), "{name}");
            assert_ne!(vat_box.description(Language::Dutch), vat_box.description(Language::English));
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
        use VatCategory::{Export, IntraCommunity, Zero};
        for (code, category) in [("NL", Zero), ("DE", IntraCommunity), ("US", Export), ("GB", Export)] {
            assert_eq!(VatCategory::default_for(VatRate::ZERO, country(code), on), category, "{code}");
            assert_eq!(VatCategory::default_for(VatRate::high_on(on), country(code), on), VatCategory::Standard);
        }
    }
}
