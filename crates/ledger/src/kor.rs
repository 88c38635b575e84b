//! Turnover for the small businesses scheme, "kleineondernemersregeling" (art. 25 to 25d Wet OB
//! 1968): the supplies that are included, and the supply that takes the turnover over the limit.

use crate::{
    money::Cents,
    vat::{Supply, VatCategory},
};
use jiff::civil::Date;

/// Kind of supply, as distinguished by the scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum KorKind {
    /// Taxed at a rate above zero.
    Standard,
    /// Taxed at the zero rate in the Netherlands.
    Zero,
    /// Reverse charge: a Dutch customer owes the VAT.
    ReverseCharge,
    /// Goods to a business in another member state.
    EuGoods,
    /// Exported goods.
    Export,
    /// Exempt under the scheme.
    Kor,
    /// Exempt under art. 11, but included in the turnover.
    Article11Counted,
    /// Exempt under art. 11, and not included in the turnover.
    Article11,
    /// Services to businesses in other member states, and triangular supplies.
    EuServices,
    /// Services outside the European Union.
    ServicesOutsideEu,
    /// Outside the scope of VAT.
    OutOfScope,
    /// Taxed in another member state under the Union scheme.
    Oss,
}

impl KorKind {
    /// All kinds.
    pub const ALL: [Self; 12] = [
        Self::Standard,
        Self::Zero,
        Self::ReverseCharge,
        Self::EuGoods,
        Self::Export,
        Self::Kor,
        Self::Article11Counted,
        Self::Article11,
        Self::EuServices,
        Self::ServicesOutsideEu,
        Self::OutOfScope,
        Self::Oss,
    ];

    /// Kind of supply for the VAT category and supply type of an invoice line.
    #[must_use]
    pub fn of(category: VatCategory, supply: Supply) -> Self {
        match category {
            VatCategory::Standard => Self::Standard,
            VatCategory::Zero => Self::Zero,
            VatCategory::ReverseCharge => Self::ReverseCharge,
            VatCategory::IntraCommunity if supply == Supply::Goods => Self::EuGoods,
            VatCategory::IntraCommunity | VatCategory::SmallBusinessEu => Self::EuServices,
            VatCategory::Export => Self::Export,
            VatCategory::SmallBusiness => Self::Kor,
            VatCategory::ExemptCounted => Self::Article11Counted,
            VatCategory::Exempt => Self::Article11,
            VatCategory::ServiceOutsideEu => Self::ServicesOutsideEu,
            VatCategory::OutOfScope => Self::OutOfScope,
            VatCategory::Oss => Self::Oss,
        }
    }

    /// Name in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Zero => "zero",
            Self::ReverseCharge => "reverseCharge",
            Self::EuGoods => "intraCommunityGoods",
            Self::Export => "export",
            Self::Kor => "kor",
            Self::Article11Counted => "article11Counted",
            Self::Article11 => "article11",
            Self::EuServices => "intraCommunityServices",
            Self::ServicesOutsideEu => "serviceOutsideEu",
            Self::OutOfScope => "outOfScope",
            Self::Oss => "oss",
        }
    }

    /// Whether the supply is part of the turnover (art. 25(1) and (2) Wet OB 1968). The turnover
    /// includes supplies that are or would be taxed in the Netherlands at any rate, and the exempt
    /// supplies that the law names. It excludes goods that go directly from one other member state
    /// to another.
    #[must_use]
    pub const fn counts(self) -> bool {
        !matches!(
            self,
            Self::Article11
                | Self::EuServices
                | Self::ServicesOutsideEu
                | Self::OutOfScope
                | Self::Oss
        )
    }
}

/// Whether a supply is part of the turnover; see [`KorKind::counts`].
///
/// ```
/// use ledger::{
///     kor,
///     vat::{Supply, VatCategory},
/// };
///
/// assert!(kor::counts(VatCategory::IntraCommunity, Supply::Goods));
/// assert!(!kor::counts(VatCategory::IntraCommunity, Supply::Services));
/// assert!(!kor::counts(VatCategory::Exempt, Supply::Services));
/// ```
#[must_use]
pub fn counts(category: VatCategory, supply: Supply) -> bool {
    KorKind::of(category, supply).counts()
}

/// Counted supplies of an invoice, less the credited amounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountedInvoice {
    /// Id of the invoice.
    pub id: i64,
    /// Last day of supply, or else the invoice date.
    pub day: Date,
    /// Counted amount, excluding VAT.
    pub amount: Cents,
}

/// Turnover of a calendar year, in the order of supply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turnover {
    /// Limit of the year (art. 25(1) Wet OB 1968).
    pub limit: Cents,
    /// Invoices, by day and id.
    invoices: Vec<CountedInvoice>,
}

impl Turnover {
    /// Creates the turnover of a year.
    #[must_use]
    pub fn new(limit: Cents, mut invoices: Vec<CountedInvoice>) -> Self {
        invoices.sort_by_key(|invoice| (invoice.day, invoice.id));
        Self { limit, invoices }
    }

    /// Total turnover.
    #[must_use]
    pub fn total(&self) -> Cents {
        self.invoices.iter().map(|invoice| invoice.amount).sum()
    }

    /// Turnover of the invoices before a place in the order of supply: that of the invoice `id` on
    /// `day` or, without an id, of a new invoice, which comes last on its day. The stored amount of
    /// the invoice `id` itself is not included.
    #[must_use]
    pub fn before(&self, day: Date, id: Option<i64>) -> Cents {
        let place = (day, id.unwrap_or(i64::MAX));
        let earlier = self.invoices.iter().filter(|invoice| Some(invoice.id) != id);
        earlier
            .filter(|invoice| (invoice.day, invoice.id) < place)
            .map(|invoice| invoice.amount)
            .sum()
    }

    /// Counted amount of an invoice.
    #[must_use]
    pub fn of(&self, id: i64) -> Cents {
        let own = self.invoices.iter().filter(|invoice| invoice.id == id);
        own.map(|invoice| invoice.amount).sum()
    }

    /// Turnover up to and including an invoice, in the order of supply.
    #[must_use]
    pub fn until(&self, id: i64) -> Cents {
        let Some(place) = self.invoices.iter().position(|invoice| invoice.id == id) else {
            return Cents::ZERO;
        };
        self.invoices[..=place].iter().map(|invoice| invoice.amount).sum()
    }

    /// Whether a supply of `amount` on a given day takes the turnover over the limit (art. 25a(9)
    /// Wet OB 1968). A turnover of exactly the limit does not exceed it.
    #[must_use]
    pub fn is_passed_by(&self, day: Date, id: Option<i64>, amount: Cents) -> bool {
        amount > Cents::ZERO && self.before(day, id) + amount > self.limit
    }

    /// Returns the first invoice, in the order of supply, that takes the turnover over the limit.
    #[must_use]
    pub fn passing(&self) -> Option<CountedInvoice> {
        let mut sum = Cents::ZERO;
        self.invoices.iter().copied().find(|invoice| {
            sum += invoice.amount;
            sum > self.limit
        })
    }

    /// Whether an invoice makes another invoice pass the limit, one that was numbered earlier but
    /// supplied later.
    #[must_use]
    pub fn makes_another_pass(&self, id: i64) -> bool {
        let Some(own) = self.invoices.iter().find(|invoice| invoice.id == id) else { return false };
        let is_later = |other: &CountedInvoice| (other.day, other.id) > (own.day, own.id);
        self.passing().is_some_and(|passing| passing.id < id && is_later(&passing))
    }

    /// Turnover as a whole percentage of the limit, rounded down.
    #[must_use]
    pub fn percent(&self) -> i64 {
        percent(self.total(), self.limit)
    }
}

/// Amount as a whole percentage of a limit, rounded down.
#[must_use]
pub fn percent(amount: Cents, limit: Cents) -> i64 {
    amount.get().saturating_mul(100).checked_div(limit.get()).unwrap_or(0)
}

/// Amount that remains until a limit is reached, in cents; zero above the limit.
#[must_use]
pub fn remaining(amount: Cents, limit: Cents) -> Cents {
    (limit - amount).max(Cents::ZERO)
}

/// First day on which the scheme can begin again after it ended on `ended`: 1 January of the second
/// year after the year of `ended` (art. 25a(7) and (9) Wet OB 1968).
#[must_use]
pub fn barred_until(ended: Date) -> Date {
    Date::new(ended.year() + 2, 1, 1).unwrap_or(Date::MAX)
}

/// Percentage of the limit from which invoices have a warning.
pub const NEAR: i64 = 80;
/// Percentage of the limit from which a warning is shown before every new invoice.
pub const VERY_NEAR: i64 = 95;

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    const LIMIT: Cents = Cents::new(2_000_000);

    fn turnover(invoices: &[(i64, Date, i64)]) -> Turnover {
        let counted = |(id, day, euros): &(i64, Date, i64)| CountedInvoice {
            id: *id,
            day: *day,
            amount: Cents::new(euros * 100),
        };
        Turnover::new(LIMIT, invoices.iter().map(counted).collect())
    }

    #[test]
    fn the_law_names_the_supplies_that_count() {
        use Supply::{Goods, Services, Triangular};
        use VatCategory::{
            Exempt, ExemptCounted, Export, IntraCommunity, Oss, OutOfScope, ReverseCharge,
            ServiceOutsideEu, SmallBusiness, SmallBusinessEu, Standard, Zero,
        };
        let cases = [
            (Standard, Services, true),
            (Standard, Goods, true),
            (Zero, Goods, true),
            (ReverseCharge, Services, true),
            (IntraCommunity, Goods, true),
            (IntraCommunity, Services, false),
            (IntraCommunity, Triangular, false),
            (SmallBusinessEu, Services, false),
            (Export, Goods, true),
            (ServiceOutsideEu, Services, false),
            (SmallBusiness, Services, true),
            (ExemptCounted, Services, true),
            (Exempt, Services, false),
            (OutOfScope, Services, false),
            (Oss, Goods, false),
        ];
        for (category, supply, counted) in cases {
            assert_eq!(counts(category, supply), counted, "{category:?} {supply:?}");
        }
    }

    #[test]
    fn the_supply_that_passes_the_limit_is_the_first_above_it() {
        let march = date(2026, 3, 1);
        let (april, may) = (date(2026, 4, 1), date(2026, 5, 1));
        // 19 950 + 50 is exactly the limit.
        let full = turnover(&[(1, march, 19_950), (2, april, 50)]);
        assert_eq!((full.passing(), full.percent()), (None, 100));
        assert!(!full.is_passed_by(may, None, Cents::ZERO));
        assert!(full.is_passed_by(may, None, Cents::new(1)));
        let near = turnover(&[(1, march, 15_999)]);
        assert_eq!(near.percent(), 79);
        assert!(!near.is_passed_by(april, None, Cents::new(400_100)));
        assert!(near.is_passed_by(april, None, Cents::new(400_101)));
    }

    #[test]
    fn the_order_of_supply_decides_and_not_that_of_numbers() {
        let (march, may) = (date(2026, 3, 1), date(2026, 5, 1));
        // A backdated invoice does not pass the limit itself.
        let before = turnover(&[(1, may, 19_950)]);
        assert!(!before.is_passed_by(march, None, Cents::new(10_000)));
        let after = turnover(&[(1, may, 19_950), (2, march, 100)]);
        assert_eq!(after.passing().map(|invoice| invoice.id), Some(1));
        assert!(after.makes_another_pass(2) && !after.makes_another_pass(1));
        // Invoices supplied on the same day are ordered by id.
        let same = turnover(&[(1, may, 19_950), (2, may, 100)]);
        assert_eq!(same.passing().map(|invoice| invoice.id), Some(2));
        assert_eq!(same.before(may, Some(2)), Cents::new(1_995_000));
        assert_eq!(same.before(may, Some(1)), Cents::ZERO);
    }

    #[test]
    fn the_scheme_is_barred_until_a_whole_year_has_passed() {
        for (ended, until) in [
            (date(2026, 1, 1), date(2028, 1, 1)),
            (date(2026, 10, 1), date(2028, 1, 1)),
            (date(2026, 12, 31), date(2028, 1, 1)),
            (date(2027, 1, 1), date(2029, 1, 1)),
        ] {
            assert_eq!(barred_until(ended), until, "{ended}");
        }
    }
}
