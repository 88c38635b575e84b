//! Purchase arithmetic: amounts per line and the treatment of their VAT.

use crate::{
    chart::{self, AccountCode, Class, codes},
    decimal::{Decimal, divide_half_away},
    money::{AmountOutOfRange, Cents},
    named::named,
    vat::{VatBox, VatRate},
};
use jiff::civil::Date;

named! {
    /// VAT treatment of a purchase line.
    VatTreatment {
        /// Dutch VAT on the supplier's invoice.
        Normal => "normal",
        /// Reverse charge by a supplier in the Netherlands, or a service related to Dutch real
        /// estate (box 2a).
        ReverseCharge => "reverseCharge",
        /// Supply from another member state (box 4b).
        Eu => "eu",
        /// Supply from outside the EU: services, or goods with a permit under art. 23 Wet OB 1968
        /// (box 4a).
        Import => "import",
        /// Goods from outside the EU whose VAT was paid to customs, for example by a courier; that
        /// VAT is only deducted.
        ImportVatPaid => "importVatPaid",
        /// No Dutch VAT, or no VAT stated on the document.
        None => "none",
    }
}

impl VatTreatment {
    /// Returns the box of a reverse charge, and the account on which its VAT accumulates until the
    /// return is filed.
    #[must_use]
    pub const fn reverse_charged(self) -> Option<(VatBox, AccountCode)> {
        match self {
            Self::ReverseCharge => Some((VatBox::B2a, codes::VAT_DUE_REVERSE_CHARGED)),
            Self::Import => Some((VatBox::B4a, codes::VAT_DUE_OUTSIDE_EU)),
            Self::Eu => Some((VatBox::B4b, codes::VAT_DUE_EU)),
            Self::Normal | Self::ImportVatPaid | Self::None => None,
        }
    }

    /// Whether the line has a rate.
    #[must_use]
    pub const fn has_rate(self) -> bool {
        !matches!(self, Self::ImportVatPaid | Self::None)
    }

    /// Whether the VAT printed on the document may be entered for the line.
    #[must_use]
    pub const fn has_printed_vat(self) -> bool {
        matches!(self, Self::Normal | Self::ImportVatPaid)
    }
}

named! {
    /// Deduction of the VAT on a purchase.
    Deduction {
        /// Deducted to the extent that the purchase is for the business (art. 15(1) Wet OB 1968).
        Usual => "usual",
        /// Never deducted, so the VAT is a cost: under the small businesses scheme sales are
        /// exempt, and purchases for exempt sales give no right to deduct (art. 15(1) and 25 Wet OB
        /// 1968). VAT under reverse charge is still owed.
        Never => "never",
    }
}

/// Business share of a purchase, in basis points (hundredths of a per cent); the rest is private.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BusinessShare(u16);

impl BusinessShare {
    /// The whole purchase.
    pub const WHOLE: Self = Self(10_000);

    /// Restores a stored share, in basis points (0 to 10 000).
    #[must_use]
    pub fn from_basis_points(basis_points: u16) -> Option<Self> {
        (basis_points <= Self::WHOLE.0).then_some(Self(basis_points))
    }

    /// Creates a share of 0 to 100 per cent with at most two decimals.
    ///
    /// ```
    /// use ledger::{decimal, money::Cents, purchase::BusinessShare};
    ///
    /// let share = BusinessShare::from_percent(&decimal::parse("70")?).expect("at most 100 %");
    /// assert_eq!(share.of(Cents::new(4_132)), Cents::new(2_892));
    /// assert_eq!(BusinessShare::from_percent(&decimal::parse("100.01")?), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn from_percent(percent: &Decimal) -> Option<Self> {
        let hundredths = (*percent * Decimal::ONE_HUNDRED).normalize();
        u16::try_from(hundredths)
            .ok()
            .filter(|_| hundredths.is_integer())
            .and_then(Self::from_basis_points)
    }

    /// Returns the share in basis points (hundredths of a per cent).
    #[must_use]
    pub const fn basis_points(self) -> u16 {
        self.0
    }

    /// Returns the share as a percentage.
    #[must_use]
    pub fn percent(self) -> Decimal {
        Decimal::new(i64::from(self.0), 2).normalize()
    }

    /// Returns the share of an amount, rounded to the cent.
    #[must_use]
    pub fn of(self, amount: Cents) -> Cents {
        proportion(amount, i64::from(self.0), i64::from(Self::WHOLE.0))
    }
}

/// Returns `amount` × `part` ÷ `whole`, rounded to the cent, half away from zero; zero if `whole`
/// is zero.
///
/// ```
/// use ledger::{money::Cents, purchase::proportion};
///
/// // Seven of twelve months of 1 000.00.
/// assert_eq!(proportion(Cents::new(100_000), 7, 12), Cents::new(58_333));
/// ```
#[must_use]
pub fn proportion(amount: Cents, part: i64, whole: i64) -> Cents {
    if whole == 0 {
        return Cents::ZERO;
    }
    let (part, whole) = if whole < 0 {
        (-i128::from(part), -i128::from(whole))
    } else {
        (part.into(), whole.into())
    };
    let exact = divide_half_away(i128::from(amount.get()) * part, whole);
    Cents::new(
        i64::try_from(exact).expect("a part of an amount is no larger than a few times the amount"),
    )
}

/// Purchase line as on the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PurchaseLine {
    /// Account to which the line is booked.
    pub category: AccountCode,
    /// Amount in euro cents; negative for a credit from the supplier.
    pub amount: Cents,
    /// VAT treatment.
    pub treatment: VatTreatment,
    /// Rate; zero if the treatment has none.
    pub rate: VatRate,
    /// Whether the amount includes VAT; only relevant for [`VatTreatment::Normal`].
    pub includes_vat: bool,
    /// VAT printed on the document, in cents.
    pub printed_vat: Option<Cents>,
}

/// Amounts of a purchase line, in cents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineAmounts {
    /// Amount excluding VAT.
    pub net: Cents,
    /// VAT: charged on the document, or owed by the buyer.
    pub vat: Cents,
    /// Deductible part of the VAT.
    pub deductible: Cents,
    /// Amount charged by the supplier.
    pub charged: Cents,
    /// VAT computed from the rate, if the printed VAT differs from it by more than rounding
    /// explains.
    pub expected_vat: Option<Cents>,
}

/// Purchase with its amounts, in cents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PricedPurchase {
    /// Lines with their amounts.
    pub lines: Vec<(PurchaseLine, LineAmounts)>,
    /// Business share.
    pub share: BusinessShare,
    /// Deduction of the VAT.
    pub deduction: Deduction,
    /// Total excluding VAT.
    pub net: Cents,
    /// VAT: charged on the document, or owed by the buyer.
    pub vat: Cents,
    /// Deductible part of the VAT.
    pub deductible: Cents,
    /// Total charged by the supplier.
    pub total: Cents,
}

impl PricedPurchase {
    /// Reverse-charged VAT that the buyer owes on the return, and its deductible part.
    #[must_use]
    pub fn reverse_charged(&self) -> (Cents, Cents) {
        let lines =
            || self.lines.iter().filter(|(line, _)| line.treatment.reverse_charged().is_some());
        (lines().map(|(_, of)| of.vat).sum(), lines().map(|(_, of)| of.deductible).sum())
    }

    /// VAT included in the total, charged by the supplier or by customs.
    #[must_use]
    pub fn charged_vat(&self) -> Cents {
        self.vat - self.reverse_charged().0
    }
}

/// Whether the VAT of a category is never deductible: food and drink served on the premises (art.
/// 15(5) Wet OB 1968), and own accounts that the owner excluded from deduction.
#[must_use]
pub fn is_never_deductible(category: AccountCode) -> bool {
    category == codes::MEALS || !category.allows_deduction()
}

/// Fixed-asset accounts to which a purchase can be booked; each has its own depreciation accounts.
pub const ASSET_ACCOUNTS: [AccountCode; 3] = [codes::INTANGIBLES, codes::EQUIPMENT, codes::CAR];

/// Minimum cost, in cents excluding VAT, at which a durable purchase is an asset rather than a cost
/// (art. 3.30(3) Wet IB 2001).
pub const ASSET_THRESHOLD: Cents = Cents::new(45_000);

/// Cost accounts whose purchases usually carry no VAT, or VAT that is not fully deductible.
const OFTEN_WITHOUT_DEDUCTION: [AccountCode; 9] = [
    codes::CAR_INSURANCE,
    codes::CAR_TAX,
    codes::MEALS,
    codes::GIFTS,
    codes::INSURANCE,
    codes::FINES,
    codes::INTEREST,
    codes::BANK_COSTS,
    codes::EXCHANGE_DIFFERENCES,
];

/// Cost accounts whose purchases usually bear no Dutch VAT.
///
/// Insurance is exempt (art. 11(1)(k) Wet OB 1968), and so are the services of banks and the
/// interest on loans (art. 11(1)(i) and (j)). Fines, motor vehicle tax and exchange differences are
/// no consideration for a supply of goods or services (art. 1(a) Wet OB 1968), so they are outside
/// the scope of VAT.
pub const USUALLY_WITHOUT_VAT: [AccountCode; 7] = [
    codes::CAR_INSURANCE,
    codes::CAR_TAX,
    codes::INSURANCE,
    codes::FINES,
    codes::INTEREST,
    codes::BANK_COSTS,
    codes::EXCHANGE_DIFFERENCES,
];

/// Returns the usual rate of a purchase in a category: none ([`USUALLY_WITHOUT_VAT`]) or the high
/// rate (art. 9(1) Wet OB 1968). It is a proposal; the document decides.
///
/// Some categories have several rates: travel and meals (9 % for passenger transport and food,
/// Table I, b 9 and 12, and a 1), professional literature (9 %, Table I, a 30), housing (rent is
/// exempt unless both parties opt for VAT, art. 11(1)(b)), training (exempt if the institution is
/// registered, art. 11(1)(o)), and postage (the universal service is exempt, art. 11(1)(m)). None is
/// the usual one there, so the high rate is proposed, as for own accounts. Whether the VAT is
/// deducted is another question: see [`is_never_deductible`].
///
/// ```
/// use jiff::civil::date;
/// use ledger::{chart::codes, purchase::usual_rate, vat::VatRate};
///
/// assert_eq!(usual_rate(codes::FINES, date(2026, 3, 1)), VatRate::ZERO);
/// assert_eq!(usual_rate(codes::OFFICE, date(2026, 3, 1)).basis_points(), 2_100);
/// ```
#[must_use]
pub fn usual_rate(category: AccountCode, on: Date) -> VatRate {
    if USUALLY_WITHOUT_VAT.contains(&category) { VatRate::ZERO } else { VatRate::high_on(on) }
}

/// Cost accounts that are used only by bookings other than purchases.
const OF_OTHER_BOOKINGS: [AccountCode; 13] = [
    codes::PRIVATE_USE_TELEPHONE,
    codes::MILEAGE,
    codes::PRIVATE_USE_CAR,
    codes::VAT_PRIVATE_USE_CAR,
    codes::BAD_DEBTS,
    codes::VAT_NOT_DEDUCTIBLE,
    codes::DEPRECIATION,
    codes::CAR_DEPRECIATION,
    codes::AMORTISATION,
    codes::EQUIPMENT_DISPOSAL,
    codes::CAR_DISPOSAL,
    codes::ROUNDING,
    codes::CASH_DIFFERENCES,
];

/// Whether an expense can be booked to the account: a cost account that purchases can use.
#[must_use]
pub fn is_category(code: AccountCode) -> bool {
    code.class() == Some(Class::Cost) && !OF_OTHER_BOOKINGS.contains(&code)
}

/// Returns the program's accounts for expenses, starting with those whose VAT is usually fully deductible.
#[must_use]
pub fn categories() -> Vec<AccountCode> {
    let all = chart::CHART.iter().map(|account| account.code).filter(|code| is_category(*code));
    let (last, mut first): (Vec<_>, Vec<_>) =
        all.partition(|code| OFTEN_WITHOUT_DEDUCTION.contains(code));
    first.extend(last);
    first
}

/// Returns the VAT included in a gross amount.
fn vat_within(rate: VatRate, gross: Cents) -> Cents {
    let points = i64::from(rate.basis_points());
    proportion(gross, points, 10_000 + points)
}

fn amounts(
    line: &PurchaseLine,
    share: BusinessShare,
    deduction: Deduction,
) -> Result<LineAmounts, AmountOutOfRange> {
    let amount = line.amount.within_limit()?;
    let printed = match line.printed_vat {
        Some(vat) => Some(vat.within_limit()?),
        None => None,
    };
    let (net, vat, expected) = match line.treatment {
        VatTreatment::Normal => {
            let reckoned = if line.includes_vat {
                vat_within(line.rate, amount)
            } else {
                line.rate.of(amount)
            };
            let vat = printed.unwrap_or(reckoned);
            (if line.includes_vat { amount - vat } else { amount }, vat, Some(reckoned))
        }
        VatTreatment::ImportVatPaid => (amount, printed.unwrap_or_default(), None),
        VatTreatment::None => (amount, Cents::ZERO, None),
        VatTreatment::ReverseCharge | VatTreatment::Eu | VatTreatment::Import => {
            (amount, line.rate.of(amount), None)
        }
    };
    let charged = if line.treatment.reverse_charged().is_some() { net } else { net + vat };
    let is_cost = deduction == Deduction::Never || is_never_deductible(line.category);
    let deductible = if is_cost { Cents::ZERO } else { share.of(vat) };
    let expected_vat = expected.filter(|expected| (*expected - vat).abs() > tolerance(*expected));
    Ok(LineAmounts {
        net: net.within_limit()?,
        vat: vat.within_limit()?,
        deductible,
        charged: charged.within_limit()?,
        expected_vat,
    })
}

/// Largest difference that rounding on the document explains: 5 cents plus 1 % of the expected VAT.
fn tolerance(expected: Cents) -> Cents {
    Cents::new(5) + proportion(expected.abs(), 1, 100)
}

/// Computes the amounts of a purchase.
///
/// ```
/// use ledger::{
///     chart::codes,
///     money::Cents,
///     purchase::{self, BusinessShare, Deduction, PurchaseLine, VatTreatment},
///     vat::VatRate,
/// };
///
/// let line = PurchaseLine {
///     category: codes::TELEPHONE,
///     amount: Cents::new(4_132),
///     treatment: VatTreatment::Normal,
///     rate: VatRate::from_basis_points(2_100),
///     includes_vat: false,
///     printed_vat: None,
/// };
/// let share = BusinessShare::from_basis_points(7_000).expect("70 % is a share");
/// let priced = purchase::price(&[line], share, Deduction::Usual)?;
/// assert_eq!((priced.vat, priced.deductible), (Cents::new(868), Cents::new(608)));
/// assert_eq!(priced.total, Cents::new(5_000));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// An amount exceeds the limit of a document.
pub fn price(
    lines: &[PurchaseLine],
    share: BusinessShare,
    deduction: Deduction,
) -> Result<PricedPurchase, AmountOutOfRange> {
    let mut priced = PricedPurchase {
        lines: Vec::new(),
        share,
        deduction,
        net: Cents::ZERO,
        vat: Cents::ZERO,
        deductible: Cents::ZERO,
        total: Cents::ZERO,
    };
    for line in lines {
        let of = amounts(line, share, deduction)?;
        priced.net = (priced.net + of.net).within_limit()?;
        priced.vat = (priced.vat + of.vat).within_limit()?;
        priced.deductible = (priced.deductible + of.deductible).within_limit()?;
        priced.total = (priced.total + of.charged).within_limit()?;
        priced.lines.push((line.clone(), of));
    }
    Ok(priced)
}

impl PricedPurchase {
    /// Returns, by account, the deducted part of the VAT charged by the supplier. It has to be
    /// repaid to the extent that the bill remains unpaid (art. 29(7) Wet OB 1968).
    #[must_use]
    pub fn repayable(&self, on: Date) -> Vec<(AccountCode, Cents)> {
        let mut accounts: Vec<(AccountCode, Cents)> = Vec::new();
        for (line, of) in
            self.lines.iter().filter(|(line, _)| line.treatment == VatTreatment::Normal)
        {
            let account = input_account(line, on);
            match accounts.iter_mut().find(|(known, _)| *known == account) {
                Some((_, sum)) => *sum += of.deductible,
                None => accounts.push((account, of.deductible)),
            }
        }
        accounts
    }
}

/// Returns the account on which deducted VAT accumulates until the return is filed.
#[must_use]
pub fn input_account(line: &PurchaseLine, on: Date) -> AccountCode {
    match line.treatment {
        VatTreatment::ReverseCharge | VatTreatment::Eu | VatTreatment::Import => {
            codes::INPUT_VAT_REVERSE_CHARGED
        }
        VatTreatment::Normal if line.rate == VatRate::low_on(on) => codes::INPUT_VAT_LOW,
        VatTreatment::Normal | VatTreatment::ImportVatPaid | VatTreatment::None => {
            codes::INPUT_VAT_HIGH
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn line(amount: i64, percent: u16, includes_vat: bool, vat: Option<i64>) -> PurchaseLine {
        PurchaseLine {
            category: codes::OFFICE,
            amount: Cents::new(amount),
            treatment: VatTreatment::Normal,
            rate: VatRate::from_basis_points(percent * 100),
            includes_vat,
            printed_vat: vat.map(Cents::new),
        }
    }

    #[test]
    fn vat_is_reckoned_or_taken_as_it_is_printed() {
        // Input: amount, rate, whether VAT is included, printed VAT. Expected: net, VAT, whether
        // the document looks wrong.
        let cases = [
            ((10_000, 21, false, None), (10_000, 2_100, false)),
            ((12_100, 21, true, None), (10_000, 2_100, false)),
            ((10_900, 9, true, None), (10_000, 900, false)),
            ((5_000, 21, true, None), (4_132, 868, false)),
            ((-12_100, 21, true, None), (-10_000, -2_100, false)),
            ((10_000, 21, false, Some(2_101)), (10_000, 2_101, false)),
            ((12_100, 21, true, Some(2_098)), (10_002, 2_098, false)),
            // The tolerance for a VAT of 21.00 is 26 cents: 5 cents plus 1 %.
            ((10_000, 21, false, Some(2_126)), (10_000, 2_126, false)),
            ((10_000, 21, false, Some(2_127)), (10_000, 2_127, true)),
            ((10_000, 21, false, Some(900)), (10_000, 900, true)),
            ((10_000, 0, false, None), (10_000, 0, false)),
        ];
        for ((amount, rate, includes, printed), (net, vat, wrong)) in cases {
            let of = amounts(
                &line(amount, rate, includes, printed),
                BusinessShare::WHOLE,
                Deduction::Usual,
            )
            .unwrap();
            let found = (of.net.get(), of.vat.get(), of.expected_vat.is_some());
            assert_eq!(found, (net, vat, wrong), "{amount} {rate} {includes} {printed:?}");
            assert_eq!((of.charged, of.deductible), (of.net + of.vat, of.vat));
        }
    }

    #[test]
    fn food_and_drink_is_never_deductible_and_the_private_part_neither() {
        let meal = PurchaseLine { category: codes::MEALS, ..line(10_900, 9, true, None) };
        assert_eq!(
            amounts(&meal, BusinessShare::WHOLE, Deduction::Usual).unwrap().deductible,
            Cents::ZERO
        );
        let seventy = BusinessShare::from_percent(&Decimal::from(70)).unwrap();
        for (deduction, deductible) in [(Deduction::Usual, 608), (Deduction::Never, 0)] {
            let of = amounts(&line(4_132, 21, false, None), seventy, deduction).unwrap();
            assert_eq!((of.deductible.get(), of.charged.get()), (deductible, 5_000));
        }
    }

    #[test]
    fn a_share_is_nought_to_a_hundred_per_cent() {
        for (hundredths, share) in
            [(0, Some(0)), (10_000, Some(10_000)), (6_250, Some(6_250)), (10_001, None), (-1, None)]
        {
            let found = BusinessShare::from_percent(&Decimal::new(hundredths, 2))
                .map(BusinessShare::basis_points);
            assert_eq!(found, share, "{hundredths}");
        }
        assert_eq!(BusinessShare::from_percent(&Decimal::new(12_345, 3)), None);
    }

    #[test]
    fn categories_are_costs_and_begin_with_those_whose_vat_is_deductible() {
        let all = categories();
        assert!(all.iter().all(|code| is_category(*code)));
        let place = |code| all.iter().position(|other| *other == code);
        assert!(
            place(codes::SUBCONTRACTORS) < place(codes::MEALS) && place(codes::OFFICE).is_some()
        );
        assert!(
            [codes::EQUIPMENT, codes::BANK, codes::REVENUE_HIGH, codes::DEPRECIATION]
                .iter()
                .all(|code| place(*code).is_none())
        );
    }

    #[test]
    fn the_usual_rate_follows_the_category() {
        // Category, and the law by which it bears no VAT; `None` for the high rate.
        let cases = [
            (codes::HOUSING, None),
            (codes::OFFICE, None),
            (codes::SOFTWARE, None),
            (codes::TELEPHONE, None),
            (codes::SMALL_EQUIPMENT, None),
            (codes::CAR_COSTS, None),
            (codes::FUEL, None),
            (codes::CAR_MAINTENANCE, None),
            (codes::CAR_INSURANCE, Some("exempt: art. 11(1)(k) Wet OB 1968")),
            (codes::CAR_TAX, Some("a tax is outside the scope: art. 1(a) Wet OB 1968")),
            (codes::CAR_LEASE, None),
            (codes::TRAVEL, None),
            (codes::MARKETING, None),
            (codes::REPRESENTATION, None),
            (codes::MEALS, None),
            (codes::GIFTS, None),
            (codes::SHIPPING, None),
            (codes::WEBSITE, None),
            (codes::INSURANCE, Some("exempt: art. 11(1)(k) Wet OB 1968")),
            (codes::ACCOUNTANT, None),
            (codes::TRAINING, None),
            (codes::SUBSCRIPTIONS, None),
            (codes::FINES, Some("a fine is outside the scope: art. 1(a) Wet OB 1968")),
            (codes::INTEREST, Some("exempt: art. 11(1)(j) Wet OB 1968")),
            (codes::BANK_COSTS, Some("exempt: art. 11(1)(i) and (j) Wet OB 1968")),
            (codes::OTHER_COSTS, None),
            (codes::EXCHANGE_DIFFERENCES, Some("no supply: art. 1(a) Wet OB 1968")),
            (codes::PURCHASES, None),
            (codes::SUBCONTRACTORS, None),
        ];
        let mut all = categories();
        all.sort_unstable();
        assert_eq!(all, cases.map(|(category, _)| category), "every category has a case");
        let high =
            [(date(2000, 6, 1), 1_750), (date(2012, 9, 30), 1_900), (date(2026, 3, 1), 2_100)];
        for (category, law) in cases {
            for (on, points) in high {
                let expected = if law.is_some() { 0 } else { points };
                let rate = usual_rate(category, on).basis_points();
                assert_eq!(rate, expected, "{category} on {on}: {law:?}");
            }
        }
        let own = AccountCode::own(4777, Class::Cost, false, false);
        assert_eq!(usual_rate(own, date(2026, 3, 1)).basis_points(), 2_100);
    }

    #[test]
    fn amounts_beyond_the_limit_are_refused() {
        for lines in [
            vec![line(Cents::MAX.get() + 1, 21, false, None)],
            vec![line(Cents::MAX.get(), 21, false, None)],
            vec![line(Cents::MAX.get(), 0, false, None), line(1, 0, false, None)],
            vec![line(1, 21, false, Some(Cents::MAX.get() + 1))],
        ] {
            assert_eq!(
                price(&lines, BusinessShare::WHOLE, Deduction::Usual),
                Err(AmountOutOfRange)
            );
        }
    }
}
