//! VAT: rates by date, categories, and the boxes of the return.

use crate::{
    country::CountryCode,
    decimal::{self, Decimal, divide_half_away},
    language::Language,
    money::Cents,
    named::named,
};
use jiff::civil::Date;
use rust_decimal::RoundingStrategy;
use serde::Deserialize;
use std::{fmt, sync::LazyLock};
use thiserror::Error;

/// Rates by kind (`standard`, `reduced`, `zero`) and date, as TOML: the only source of VAT rates.
pub const RATES: &str = include_str!("../data/vat-rates.toml");

/// Rates in the order of the file.
static PERIODS: LazyLock<Vec<Period>> =
    LazyLock::new(|| read_periods(RATES).expect("the file is compiled in, and the tests read it"));

/// Rate and its first day of validity.
struct Period {
    kind: String,
    rate: VatRate,
    from: Date,
}

fn read_periods(text: &str) -> Option<Vec<Period>> {
    #[derive(Deserialize)]
    struct File {
        rows: Vec<Row>,
    }
    #[derive(Deserialize)]
    struct Row {
        kind: String,
        rate: String,
        #[serde(rename = "validFrom")]
        valid_from: Date,
    }

    let period = |row: Row| {
        let hundredths = decimal::parse(&row.rate).ok()? * Decimal::ONE_HUNDRED;
        let basis_points = u16::try_from(hundredths).ok().filter(|_| hundredths.is_integer())?;
        Some(Period { kind: row.kind, rate: VatRate { basis_points }, from: row.valid_from })
    };
    toml::from_str::<File>(text).ok()?.rows.into_iter().map(period).collect()
}

/// VAT rate, a percentage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VatRate {
    basis_points: u16,
}

/// The rate does not exist in Dutch law on the given date.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown_vat_rate on {on}: {} per cent are known", list(.valid))]
pub struct UnknownVatRate {
    /// Date.
    pub on: Date,
    /// Rates that exist on that date, highest first.
    pub valid: Vec<VatRate>,
}

fn list(rates: &[VatRate]) -> String {
    rates.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

impl VatRate {
    /// No VAT.
    pub const ZERO: Self = Self { basis_points: 0 };

    /// Returns the rate for a percentage, if that rate exists in Dutch law on the date. Zero always
    /// exists.
    ///
    /// ```
    /// use ledger::{calendar::parse_date, decimal, vat::VatRate};
    ///
    /// let (six, nine) = (decimal::parse("6")?, decimal::parse("9")?);
    /// // The low rate was 6 % until 2018.
    /// assert_eq!(VatRate::from_percent(&six, parse_date("2018-12-31")?)?.basis_points(), 600);
    /// assert_eq!(VatRate::from_percent(&nine, parse_date("2019-01-01")?)?.basis_points(), 900);
    /// assert!(VatRate::from_percent(&six, parse_date("2019-01-01")?).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The rate does not exist on that date; the error lists the rates that do.
    pub fn from_percent(percent: &Decimal, on: Date) -> Result<Self, UnknownVatRate> {
        let known = Self::all_on(on).into_iter().find(|rate| rate.percent() == *percent);
        known.ok_or_else(|| UnknownVatRate { on, valid: Self::known_on(on) })
    }

    /// Returns the rates on a date, highest first.
    #[must_use]
    pub fn known_on(on: Date) -> Vec<Self> {
        Self::all_on(on).to_vec()
    }

    fn all_on(on: Date) -> [Self; 3] {
        [Self::high_on(on), Self::low_on(on), Self::ZERO]
    }

    /// Returns the high rate on a date (art. 9, first paragraph, Wet OB 1968).
    #[must_use]
    pub fn high_on(on: Date) -> Self {
        Self::of_kind("standard", on)
    }

    /// Returns the low rate on a date (art. 9, second paragraph, Wet OB 1968).
    #[must_use]
    pub fn low_on(on: Date) -> Self {
        Self::of_kind("reduced", on)
    }

    fn of_kind(kind: &str, on: Date) -> Self {
        let rates = || PERIODS.iter().filter(|period| period.kind == kind);
        // No document is dated before the table begins (1992); such a date would get the first
        // rate.
        let period = rates().rfind(|period| period.from <= on).or_else(|| rates().next());
        period.map_or(Self::ZERO, |period| period.rate)
    }

    /// Restores a stored rate. A basis point is a hundredth of a per cent.
    #[must_use]
    pub const fn from_basis_points(basis_points: u16) -> Self {
        Self { basis_points }
    }

    /// Returns the rate in basis points (hundredths of a per cent).
    #[must_use]
    pub const fn basis_points(self) -> u16 {
        self.basis_points
    }

    /// Returns the rate as a percentage.
    #[must_use]
    pub fn percent(self) -> Decimal {
        Decimal::new(i64::from(self.basis_points), 2).normalize()
    }

    /// Whether the rate is zero.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.basis_points == 0
    }

    /// Computes the VAT on an amount excluding VAT, rounded to cents: a third decimal of 5 or more
    /// is rounded up (art. 5a Uitvoeringsbesluit omzetbelasting 1968). A negative amount is rounded
    /// like the same positive amount, so a credit note cancels exactly the VAT that its invoice
    /// charged.
    ///
    /// ```
    /// use ledger::{money::Cents, vat::VatRate};
    ///
    /// // 21 % of 15.75 is 3.3075.
    /// assert_eq!(VatRate::from_basis_points(2_100).of(Cents::new(1_575)), Cents::new(331));
    /// ```
    #[must_use]
    pub fn of(self, base: Cents) -> Cents {
        let exact = i128::from(base.get()) * i128::from(self.basis_points);
        let vat = i64::try_from(divide_half_away(exact, 10_000));
        Cents::new(
            vat.expect("at most 655.35 % of an amount within the limit of a document, or of 100 000 of them, fits 64 bits"),
        )
    }

    /// Returns the VAT included in a gross amount, rounded as in [`VatRate::of`].
    ///
    /// ```
    /// use ledger::{money::Cents, vat::VatRate};
    ///
    /// // 30.00 × 21 ÷ 121 = 5.2066…
    /// assert_eq!(VatRate::from_basis_points(2_100).within(Cents::new(3_000)), Cents::new(521));
    /// ```
    #[must_use]
    pub fn within(self, gross: Cents) -> Cents {
        let points = i128::from(self.basis_points);
        let vat =
            i64::try_from(divide_half_away(i128::from(gross.get()) * points, 10_000 + points));
        Cents::new(vat.expect("a part of an amount is no larger than the amount"))
    }

    /// Converts a price that includes VAT to the price excluding VAT, in euros, rounded to the
    /// cent, half away from zero. An invoice to a business has to show the price excluding VAT
    /// (art. 35a(1)(h) Wet OB 1968). Totals are computed from the prices that include VAT, so
    /// quantity × net price can differ from the invoiced amount by a few cents.
    #[must_use]
    pub fn net_price(self, gross: &Decimal) -> Decimal {
        let (hundred, rate) = (Decimal::ONE_HUNDRED, self.percent());
        (gross / (hundred + rate) * hundred)
            .round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero)
    }
}

impl VatRate {
    /// Returns the amount excluding VAT on which `vat` is due, rounded to cents; zero if the rate
    /// is zero.
    #[must_use]
    pub fn base_of(self, vat: Cents) -> Cents {
        if self.is_zero() {
            return Cents::ZERO;
        }
        let base = i64::try_from(divide_half_away(
            i128::from(vat.get()) * 10_000,
            i128::from(self.basis_points),
        ));
        Cents::new(base.expect(
            "at most ten thousand times an amount within the limit of a document fits 64 bits",
        ))
    }

    /// Determines the rate from the VAT and its base, which is not zero. Documents round line by
    /// line, so the quotient of VAT and base is inexact. The result is therefore the rate in force
    /// on the date that gives the closest VAT, if that is within five cents; otherwise the
    /// quotient.
    #[must_use]
    pub fn nearest(base: Cents, vat: Cents, on: Date) -> Self {
        let distance = |rate: &Self| (rate.of(base).abs() - vat.abs()).abs();
        let known = Self::known_on(on).into_iter().min_by_key(distance);
        known.filter(|rate| distance(rate) <= Cents::new(5)).unwrap_or_else(|| {
            let points = divide_half_away(
                i128::from(vat.abs().get()) * 10_000,
                i128::from(base.abs().get()),
            );
            Self::from_basis_points(u16::try_from(points).unwrap_or(u16::MAX))
        })
    }
}

/// Formats as a percentage: `21`, `9`, `17.5`.
impl fmt::Display for VatRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.percent())
    }
}

named! {
    /// VAT category: the reason why a line has this VAT treatment.
    VatCategory {
        /// Taxed at a rate above zero.
        Standard => "standard",
        /// Zero rate within the Netherlands (table II Wet OB 1968).
        Zero => "zero",
        /// Exempt (art. 11 Wet OB 1968); not declared.
        Exempt => "exempt",
        /// Exempt (art. 11(1)(a)(b)(i)(j) Wet OB 1968, or insurance), but part of the turnover of
        /// the small businesses scheme (art. 25(2)).
        ExemptCounted => "exemptCounted",
        /// Exempt under the small businesses scheme (art. 25 Wet OB 1968).
        SmallBusiness => "kor",
        /// VAT owed by a Dutch customer, "btw verlegd" (art. 12 Wet OB 1968).
        ReverseCharge => "reverseCharge",
        /// Supply to a business in another member state.
        IntraCommunity => "intraCommunity",
        /// Service to a business in another member state, under the small businesses scheme: neither
        /// in box 3b nor on the EC sales list (art. 37a(1) Wet OB 1968).
        SmallBusinessEu => "korIntraCommunity",
        /// Export: goods that leave the European Union.
        Export => "export",
        /// Service to a business outside the European Union: the place of supply is there (art.
        /// 6(1) Wet OB 1968), so it is not declared.
        ServiceOutsideEu => "serviceOutsideEu",
        /// Outside the scope of VAT, such as a deposit or a disbursement.
        OutOfScope => "outOfScope",
        /// Supply to a non-business, taxed in another member state and declared by the Union
        /// scheme, the one-stop shop (art. 28q to 28sj Wet OB 1968).
        Oss => "oss",
    }
}

named! {
    /// Legal ground for the exemption of an exempt line.
    Exemption {
        /// Art. 11 Wet OB 1968.
        Article11 => "article11",
        /// Art. 11(1)(a)(b)(i)(j) Wet OB 1968, or insurance: part of the turnover of the small
        /// businesses scheme (art. 25(2)).
        Article11Counted => "article11Counted",
        /// The small businesses scheme (art. 25 Wet OB 1968).
        Kor => "kor",
    }
}

impl Exemption {
    /// Returns the category of a line with this exemption.
    #[must_use]
    pub const fn category(self) -> VatCategory {
        match self {
            Self::Article11 => VatCategory::Exempt,
            Self::Article11Counted => VatCategory::ExemptCounted,
            Self::Kor => VatCategory::SmallBusiness,
        }
    }
}

named! {
    /// Kind of supply.
    Supply {
        /// Services.
        Services => "services",
        /// Goods.
        Goods => "goods",
        /// Goods that go directly from one foreign member state to another (simplified
        /// triangulation, art. 30g Wet OB 1968); only intra-community.
        Triangular => "triangular",
        /// Telecommunications, broadcasting and electronic services (art. 6h Wet OB 1968): services
        /// that are taxed where a customer without a business resides.
        Electronic => "electronic",
    }
}

impl Supply {
    /// Whether goods are supplied.
    #[must_use]
    pub const fn is_goods(self) -> bool {
        matches!(self, Self::Goods | Self::Triangular)
    }

    /// Kind of supply without the distinction of electronic services.
    #[must_use]
    pub const fn without_electronic(self) -> Self {
        match self {
            Self::Electronic => Self::Services,
            other => other,
        }
    }
}

named! {
    /// VAT scheme of an account.
    VatScheme {
        /// Regular scheme: the account charges VAT, deducts input VAT and files returns.
        Normal => "normal",
        /// Small businesses scheme, "kleineondernemersregeling" (art. 25 Wet OB 1968): no VAT is
        /// charged and none deducted.
        Kor => "kor",
    }
}

named! {
    /// Reason for a change of VAT scheme.
    SchemeReason {
        /// By choice.
        Choice => "choice",
        /// The turnover passed the limit of the small businesses scheme (art. 25a(9) Wet OB 1968).
        Limit => "limit",
    }
}

/// Default classification of an account's sales, for lines that do not specify their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SalesDefaults {
    /// Kind of supply.
    pub supply: Supply,
    /// Category of a line at 0 % for a customer in the Netherlands: `zero`, `exempt` or
    /// `reverseCharge`.
    pub zero_means: VatCategory,
    /// Whether the small businesses scheme applies: supplies that would be taxed in the
    /// Netherlands, even at 0 %, are exempt (art. 25 Wet OB 1968).
    pub is_small_business: bool,
}

impl Default for SalesDefaults {
    fn default() -> Self {
        Self { supply: Supply::Services, zero_means: VatCategory::Zero, is_small_business: false }
    }
}

/// Place of a customer for VAT purposes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buyer {
    /// Country of the customer.
    pub country: CountryCode,
    /// Whether the customer has a VAT number of Northern Ireland (`XI`). The rules for other member
    /// states apply to goods for such a customer, but not to services (art. 8 of the Protocol on
    /// Ireland/Northern Ireland).
    pub in_northern_ireland: bool,
}

impl Buyer {
    /// Returns the place of a customer in `country`; a VAT number that starts with `XI` places the
    /// customer in Northern Ireland.
    #[must_use]
    pub fn new(country: CountryCode, vat_number: Option<&str>) -> Self {
        let in_northern_ireland = vat_number.is_some_and(|number| number.starts_with("XI"));
        Self { country, in_northern_ireland }
    }
}

impl From<CountryCode> for Buyer {
    fn from(country: CountryCode) -> Self {
        Self { country, in_northern_ireland: false }
    }
}

impl SalesDefaults {
    /// Returns the category and supply of a line. A line at 0 % without a category gets
    /// `zero_means` if the customer is Dutch. For a customer abroad, such a line, like a
    /// reverse-charged one, becomes an intra-community supply, an export or a service outside the
    /// EU. A line with an exemption is exempt; the default exemption is the small businesses scheme
    /// if it applies, unless `zero_means` is exempt.
    ///
    /// ```
    /// use ledger::{
    ///     calendar::parse_date,
    ///     country::CountryCode,
    ///     vat::{SalesDefaults, Supply, VatCategory, VatRate},
    /// };
    ///
    /// let (on, defaults) = (parse_date("2026-03-15")?, SalesDefaults::default());
    /// let at_zero = |supply, country: &str| {
    ///     let customer = CountryCode::parse(country).expect("a country");
    ///     defaults.classify(VatRate::ZERO, (None, None), Some(supply), customer.into(), on).0
    /// };
    /// assert_eq!(at_zero(Supply::Services, "DE"), VatCategory::IntraCommunity);
    /// assert_eq!(at_zero(Supply::Goods, "US"), VatCategory::Export);
    /// assert_eq!(at_zero(Supply::Services, "US"), VatCategory::ServiceOutsideEu);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn classify(
        self,
        rate: VatRate,
        (category, exemption): (Option<VatCategory>, Option<Exemption>),
        supply: Option<Supply>,
        customer: Buyer,
        on: Date,
    ) -> (VatCategory, Supply) {
        let Buyer { country: customer, in_northern_ireland } = customer;
        let sells_goods = supply.unwrap_or(self.supply).is_goods();
        let abroad = if customer.in_eu(on) || (in_northern_ireland && sells_goods) {
            VatCategory::IntraCommunity
        } else if supply.unwrap_or(self.supply) == Supply::Goods {
            VatCategory::Export
        } else {
            VatCategory::ServiceOutsideEu
        };
        let category = match category.or(exemption.map(|_| VatCategory::Exempt)) {
            Some(VatCategory::ReverseCharge) if !customer.is_dutch() => abroad,
            Some(given) => given,
            None if !rate.is_zero() => VatCategory::Standard,
            None if customer.is_dutch() => self.zero_means,
            None => abroad,
        };
        let usual = if category == VatCategory::Export { Supply::Goods } else { self.supply };
        let supply = supply.unwrap_or(usual);
        let is_taxed_here = match category {
            VatCategory::Zero | VatCategory::ReverseCharge | VatCategory::Export => true,
            // Services are taxed in the customer's country. Goods that go directly from one foreign
            // country to another are not taxed in the Netherlands either.
            VatCategory::IntraCommunity => supply == Supply::Goods,
            _ => false,
        };
        let category = match category {
            VatCategory::Exempt => exemption.unwrap_or_else(|| self.exemption()).category(),
            _ if self.is_small_business && is_taxed_here => VatCategory::SmallBusiness,
            VatCategory::IntraCommunity if self.is_small_business && !supply.is_goods() => {
                VatCategory::SmallBusinessEu
            }
            other => other,
        };
        (category, supply)
    }

    /// Default exemption of a line.
    #[must_use]
    pub fn exemption(self) -> Exemption {
        if self.is_small_business && self.zero_means != VatCategory::Exempt {
            Exemption::Kor
        } else {
            Exemption::Article11
        }
    }
}

impl VatCategory {
    /// Categories in the API, in which the exemption is a separate field.
    pub const PUBLIC: &'static [Self] = &[
        Self::Standard,
        Self::Zero,
        Self::Exempt,
        Self::ReverseCharge,
        Self::IntraCommunity,
        Self::Export,
        Self::ServiceOutsideEu,
        Self::OutOfScope,
        Self::Oss,
    ];

    /// Returns the category under which the API shows this one.
    #[must_use]
    pub const fn public(self) -> Self {
        match self {
            Self::ExemptCounted | Self::SmallBusiness => Self::Exempt,
            Self::SmallBusinessEu => Self::IntraCommunity,
            other => other,
        }
    }

    /// Returns the exemption, if the category is exempt.
    #[must_use]
    pub const fn exemption(self) -> Option<Exemption> {
        match self {
            Self::Exempt => Some(Exemption::Article11),
            Self::ExemptCounted => Some(Exemption::Article11Counted),
            Self::SmallBusiness => Some(Exemption::Kor),
            _ => None,
        }
    }

    /// Whether VAT is charged, so that the rate is above zero.
    #[must_use]
    pub const fn is_taxed(self) -> bool {
        matches!(self, Self::Standard | Self::Oss)
    }

    /// Returns the supply for an intra-community category and for the Union scheme; otherwise
    /// `None`. The VAT return, the EC sales list and the return of the Union scheme distinguish
    /// goods from services only in these categories. All other amounts of an invoice are grouped by
    /// rate and category alone.
    #[must_use]
    pub fn distinguished(self, supply: Supply) -> Option<Supply> {
        let is_distinguished = matches!(self.public(), Self::IntraCommunity | Self::Oss);
        is_distinguished.then_some(supply.without_electronic())
    }

    /// Whether the invoice must state the customer's VAT number, because the customer owes the VAT
    /// (art. 35a(1)(d) Wet OB 1968).
    #[must_use]
    pub fn needs_customer_vat_number(self) -> bool {
        matches!(self.public(), Self::IntraCommunity | Self::ReverseCharge)
    }

    /// Whether the category is impossible for a supply to a customer at this place.
    #[must_use]
    pub fn contradicts(self, supply: Supply, customer: Buyer, on: Date) -> bool {
        let Buyer { country, in_northern_ireland } = customer;
        let has_eu_goods = in_northern_ireland && supply.is_goods();
        let (dutch, eu) = (country.is_dutch(), country.in_eu(on) || has_eu_goods);
        match self.public() {
            Self::IntraCommunity => dutch || !eu,
            Self::Export | Self::ServiceOutsideEu => dutch || eu,
            Self::ReverseCharge => !dutch,
            _ => false,
        }
    }
}

named! {
    /// Box ("rubriek") of the VAT return that a posting can belong to.
    VatBox {
        /// Domestic supplies at the high rate.
        B1a => "1a",
        /// Domestic supplies at the low rate.
        B1b => "1b",
        /// Domestic supplies at other rates, except 0 %.
        B1c => "1c",
        /// Private use.
        B1d => "1d",
        /// Domestic supplies at 0 %, or on which the customer owes the VAT.
        B1e => "1e",
        /// Domestic purchases on which you owe the VAT.
        B2a => "2a",
        /// Supplies to countries outside the EU.
        B3a => "3a",
        /// Goods supplied to EU countries, and services supplied there.
        B3b => "3b",
        /// Installation and distance sales inside the EU.
        B3c => "3c",
        /// Purchases from outside the EU on which you owe the VAT.
        B4a => "4a",
        /// Purchases from EU countries on which you owe the VAT.
        B4b => "4b",
        /// Input VAT.
        B5b => "5b",
    }
}

impl VatBox {
    /// Returns the part of the return that contains the box.
    #[must_use]
    pub const fn side(self) -> Side {
        match self {
            Self::B1a
            | Self::B1b
            | Self::B1c
            | Self::B1d
            | Self::B1e
            | Self::B3a
            | Self::B3b
            | Self::B3c => Side::Sales,
            Self::B2a | Self::B4a | Self::B4b => Side::Purchases,
            Self::B5b => Side::InputVat,
        }
    }

    /// Whether the form asks for VAT in this box as well as for turnover.
    #[must_use]
    pub const fn asks_for_vat(self) -> bool {
        !matches!(self, Self::B1e | Self::B3a | Self::B3b | Self::B3c)
    }

    /// Returns the label of the box on the form: the official text in Dutch, or an English
    /// translation of it.
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

/// Part of the VAT return.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// Your supplies: turnover grows on the credit side.
    Sales,
    /// Purchases on which you owe the VAT: they grow on the debit side.
    Purchases,
    /// VAT that you may deduct.
    InputVat,
}

/// Returns the box of a sale; `None` for sales out of scope, services outside the EU, sales of the
/// Union scheme, whose VAT is not Dutch, and exempt sales. The form has no box for exempt sales: the tax office's SBR taxonomy of 2026 (entry point
/// `bd-rpt-ob-aangifte-2026`) lists every amount of the return, and none is for exempt sales.
///
/// ```
/// use ledger::{
///     calendar::parse_date,
///     vat::{VatBox, VatCategory, VatRate, sales_box},
/// };
///
/// let on = parse_date("2026-03-15")?;
/// let high = VatRate::from_basis_points(2_100);
/// assert_eq!(sales_box(VatCategory::Standard, high, on), Some(VatBox::B1a));
/// assert_eq!(sales_box(VatCategory::ReverseCharge, VatRate::ZERO, on), Some(VatBox::B1e));
/// assert_eq!(sales_box(VatCategory::Exempt, VatRate::ZERO, on), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn sales_box(category: VatCategory, rate: VatRate, on: Date) -> Option<VatBox> {
    match category {
        VatCategory::Standard if rate == VatRate::high_on(on) => Some(VatBox::B1a),
        VatCategory::Standard if rate == VatRate::low_on(on) => Some(VatBox::B1b),
        VatCategory::Standard => Some(VatBox::B1c),
        VatCategory::Zero | VatCategory::ReverseCharge => Some(VatBox::B1e),
        VatCategory::IntraCommunity => Some(VatBox::B3b),
        VatCategory::Export => Some(VatBox::B3a),
        VatCategory::Exempt
        | VatCategory::ExemptCounted
        | VatCategory::SmallBusiness
        | VatCategory::SmallBusinessEu
        | VatCategory::ServiceOutsideEu
        | VatCategory::OutOfScope
        | VatCategory::Oss => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn a_price_without_vat_is_told_to_the_cent() {
        for (gross, points, net) in [
            ("121", 2100, "100"),
            ("10", 2100, "8.26"),
            ("1.09", 900, "1"),
            ("-10", 2100, "-8.26"),
            ("0.05", 2100, "0.04"),
            ("7", 0, "7"),
        ] {
            let net_price = VatRate::from_basis_points(points).net_price(&gross.parse().unwrap());
            assert_eq!(net_price, net.parse().unwrap(), "{gross} at {points}");
        }
    }

    #[test]
    fn vat_on_a_base_tells_its_rate() {
        let on = date(2026, 3, 15);
        let cases = [
            (10_000, 2_100, "21"),
            (9_997, 2_095, "21"),
            (-333, -30, "9"),
            (10_000, 0, "0"),
            (20_000, 3_000, "15"),
            (1_000, 200, "20"),
        ];
        for (base, vat, rate) in cases {
            assert_eq!(
                VatRate::nearest(Cents::new(base), Cents::new(vat), on).to_string(),
                rate,
                "{vat} on {base}"
            );
        }
    }

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
        assert_eq!(
            VatRate::from_percent(&Decimal::new(2100, 2), today),
            Ok(VatRate::high_on(today))
        );
        let unknown = VatRate::from_percent(&Decimal::new(19, 0), today).unwrap_err();
        assert_eq!((unknown.on, &*list(&unknown.valid)), (today, "21, 9, 0"));
        // Each change takes effect on a single day: 21 % replaced 19 %, and 9 % replaced 6 %.
        let changes = [
            (19, date(2012, 9, 30), date(2012, 10, 1), 21),
            (6, date(2018, 12, 31), date(2019, 1, 1), 9),
        ];
        for (percent, last_of_old, first_of_new, came) in changes {
            let known =
                |percent: i64, on| VatRate::from_percent(&Decimal::new(percent, 0), on).is_ok();
            assert_eq!(
                (known(percent, last_of_old), known(came, last_of_old)),
                (true, false),
                "{percent}"
            );
            assert_eq!(
                (known(percent, first_of_new), known(came, first_of_new)),
                (false, true),
                "{came}"
            );
        }
        assert!(VatRate::from_percent(&Decimal::new(-21, 0), today).is_err());
        assert_eq!(VatRate::from_percent(&Decimal::new(0, 5), date(2001, 1, 1)), Ok(VatRate::ZERO));
    }

    #[test]
    fn vat_is_rounded_half_away_from_zero() {
        let rate = VatRate::from_basis_points(2100);
        for (base, vat) in [
            (100, 21),
            (50, 11),
            (-50, -11),
            (2, 0),
            (-2, 0),
            (3, 1),
            (-3, -1),
            (0, 0),
            (150, 32),
            (-150, -32),
        ] {
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
            (VatCategory::ServiceOutsideEu, VatRate::ZERO, None),
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
            assert_ne!(
                vat_box.description(Language::Dutch),
                vat_box.description(Language::English)
            );
        }
    }

    #[test]
    fn names_are_read_back() {
        assert!(
            VatBox::ALL.iter().all(|vat_box| VatBox::parse(vat_box.as_str()) == Some(*vat_box))
        );
        assert!(
            VatCategory::ALL
                .iter()
                .all(|category| VatCategory::parse(category.as_str()) == Some(*category))
        );
        assert_eq!((VatBox::parse("1A"), VatCategory::parse("")), (None, None));
    }

    #[test]
    fn the_line_the_customers_country_and_the_account_decide_the_category() {
        use Supply::{Goods, Services, Triangular};
        use VatCategory::{
            Exempt, Export, IntraCommunity, OutOfScope, ReverseCharge, ServiceOutsideEu,
            SmallBusiness, SmallBusinessEu, Standard, Zero,
        };
        let on = date(2026, 3, 15);
        let (usual, goods) =
            (SalesDefaults::default(), SalesDefaults { supply: Goods, ..SalesDefaults::default() });
        let exempt = SalesDefaults { zero_means: Exempt, ..usual };
        let small = SalesDefaults { is_small_business: true, ..usual };
        let high = VatRate::high_on(on);
        let cases = [
            (usual, high, None, None, "US", (Standard, Services)),
            (usual, VatRate::ZERO, None, None, "NL", (Zero, Services)),
            (exempt, VatRate::ZERO, None, None, "NL", (Exempt, Services)),
            (exempt, VatRate::ZERO, None, None, "DE", (IntraCommunity, Services)),
            (usual, VatRate::ZERO, None, None, "DE", (IntraCommunity, Services)),
            (goods, VatRate::ZERO, None, None, "DE", (IntraCommunity, Goods)),
            (usual, VatRate::ZERO, None, Some(Triangular), "DE", (IntraCommunity, Triangular)),
            (usual, VatRate::ZERO, None, None, "US", (ServiceOutsideEu, Services)),
            (usual, VatRate::ZERO, None, Some(Goods), "GB", (Export, Goods)),
            (goods, VatRate::ZERO, None, None, "GB", (Export, Goods)),
            (goods, VatRate::ZERO, None, Some(Services), "GB", (ServiceOutsideEu, Services)),
            (usual, VatRate::ZERO, Some(Export), None, "US", (Export, Goods)),
            (usual, VatRate::ZERO, Some(ReverseCharge), None, "NL", (ReverseCharge, Services)),
            (usual, VatRate::ZERO, Some(ReverseCharge), None, "DE", (IntraCommunity, Services)),
            (usual, VatRate::ZERO, Some(ReverseCharge), None, "US", (ServiceOutsideEu, Services)),
            (usual, VatRate::ZERO, Some(ReverseCharge), Some(Goods), "US", (Export, Goods)),
            (usual, VatRate::ZERO, Some(OutOfScope), None, "US", (OutOfScope, Services)),
            (small, VatRate::ZERO, None, None, "NL", (SmallBusiness, Services)),
            (small, VatRate::ZERO, Some(Zero), None, "NL", (SmallBusiness, Services)),
            (small, VatRate::ZERO, Some(ReverseCharge), None, "NL", (SmallBusiness, Services)),
            (small, VatRate::ZERO, None, Some(Goods), "DE", (SmallBusiness, Goods)),
            (small, VatRate::ZERO, None, Some(Goods), "US", (SmallBusiness, Goods)),
            (small, VatRate::ZERO, None, None, "DE", (SmallBusinessEu, Services)),
            (small, VatRate::ZERO, None, None, "US", (ServiceOutsideEu, Services)),
            (small, VatRate::ZERO, Some(OutOfScope), None, "NL", (OutOfScope, Services)),
        ];
        for (defaults, rate, category, supply, country, wanted) in cases {
            let customer = CountryCode::parse(country).unwrap();
            assert_eq!(
                defaults.classify(rate, (category, None), supply, customer.into(), on),
                wanted,
                "{rate} {category:?} {supply:?} {country}"
            );
        }
    }

    #[test]
    fn the_ground_of_an_exemption_defaults_to_the_scheme() {
        use Exemption::{Article11, Article11Counted, Kor};
        let usual = SalesDefaults::default();
        let small = SalesDefaults { is_small_business: true, ..usual };
        let writer = SalesDefaults { zero_means: VatCategory::Exempt, ..small };
        let cases = [
            (usual, None, Article11),
            (usual, Some(Article11Counted), Article11Counted),
            (small, None, Kor),
            (small, Some(Article11), Article11),
            (writer, None, Article11),
            (writer, Some(Kor), Kor),
        ];
        for (defaults, given, expected) in cases {
            for category in [Some(VatCategory::Exempt), given.and(None)] {
                if category.is_none() && given.is_none() {
                    continue;
                }
                let country = CountryCode::NL;
                let on = date(2026, 3, 15);
                let (found, _) =
                    defaults.classify(VatRate::ZERO, (category, given), None, country.into(), on);
                assert_eq!(found.exemption(), Some(expected), "{defaults:?} {given:?}");
                assert_eq!(found.public(), VatCategory::Exempt);
            }
        }
    }

    #[test]
    fn a_category_that_speaks_of_another_country_contradicts_it() {
        let on = date(2026, 3, 15);
        let country = |code| CountryCode::parse(code).unwrap();
        use VatCategory::{Export, IntraCommunity, ReverseCharge, ServiceOutsideEu};
        for (category, contradicted) in [
            (IntraCommunity, ["NL", "US"]),
            (Export, ["NL", "DE"]),
            (ServiceOutsideEu, ["NL", "DE"]),
            (ReverseCharge, ["DE", "US"]),
        ] {
            for code in ["NL", "DE", "US"] {
                assert_eq!(
                    category.contradicts(Supply::Services, country(code).into(), on),
                    contradicted.contains(&code),
                    "{category:?} {code}"
                );
            }
        }
        assert!(!VatCategory::Standard.contradicts(Supply::Services, country("US").into(), on));
    }
}
