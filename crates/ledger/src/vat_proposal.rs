//! VAT proposed for a line whose rate is left out.

use crate::{
    customer::{CustomerKind, VatChoice},
    oss,
    vat::{Buyer, Supply, VatCategory, VatRate},
};
use jiff::civil::Date;

/// Customer, as far as the place and the debtor of the VAT depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Customer {
    /// Country and, for goods, whether the customer is in Northern Ireland.
    pub buyer: Buyer,
    /// Kind; `None` if it is unknown.
    pub kind: Option<CustomerKind>,
    /// VAT usually charged to this customer. It takes precedence over every rule.
    pub usual: Option<VatChoice>,
}

/// Schemes of the seller on a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schemes {
    /// Whether the small businesses scheme (KOR) applies.
    pub has_kor: bool,
    /// Whether supplies to consumers in other member states are taxed there (Union scheme, OSS).
    pub has_oss: bool,
    /// Day of supply.
    pub on: Date,
}

/// Proposed VAT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proposal {
    /// This rate and category.
    Choice(VatChoice),
    /// The standard rate of the customer's country, declared by the Union scheme.
    CountryOfCustomer,
}

impl Proposal {
    fn untaxed(category: VatCategory) -> Self {
        Self::Choice(VatChoice { rate: VatRate::ZERO, category: Some(category), supply: None })
    }
}

/// Returns the VAT proposed for a supply: that of the customer, else a rule by which no Dutch VAT
/// is charged, else that of the article, else the high rate.
///
/// | customer | services | goods |
/// |---|---|---|
/// | Netherlands | article or high rate | the same |
/// | other member state, business | intra-community (art. 44 and 138 Directive 2006/112/EC) | the same |
/// | other member state, others | high rate, or the Union scheme (art. 6h and 5a Wet OB 1968) | the same |
/// | number of Northern Ireland | outside the EU | intra-community (Protocol, art. 8) |
/// | elsewhere, business | outside the EU (art. 6(1) Wet OB 1968) | export (table II, a, 2) |
/// | elsewhere, others | high rate (art. 6(2)) | export |
///
/// While the small businesses scheme applies, what would be taxed in the Netherlands is exempt, and
/// goods always are (art. 25 Wet OB 1968).
///
/// ```
/// use jiff::civil::date;
/// use ledger::{
///     country::CountryCode,
///     customer::CustomerKind,
///     vat::{Supply, VatCategory},
///     vat_proposal::{Customer, Proposal, Schemes, propose},
/// };
///
/// let german = Customer {
///     buyer: CountryCode::parse("DE")?.into(),
///     kind: Some(CustomerKind::Business),
///     usual: None,
/// };
/// let schemes = Schemes { has_kor: false, has_oss: false, on: date(2026, 3, 15) };
/// let proposal = propose(&german, Supply::Services, None, schemes);
/// let Proposal::Choice(choice) = proposal else { panic!("{proposal:?}") };
/// assert!(choice.rate.is_zero());
/// assert_eq!(choice.category, Some(VatCategory::IntraCommunity));
/// # Ok::<(), ledger::country::UnknownCountry>(())
/// ```
#[must_use]
pub fn propose(
    customer: &Customer,
    supply: Supply,
    article: Option<VatChoice>,
    schemes: Schemes,
) -> Proposal {
    if let Some(usual) = customer.usual {
        return Proposal::Choice(usual);
    }
    let (Buyer { country, in_northern_ireland }, on) = (customer.buyer, schemes.on);
    let is_business = customer.kind == Some(CustomerKind::Business);
    let taxed_abroad = schemes.has_oss
        && !is_business
        && oss::member_state(country, on).is_some()
        && oss::is_counted_kind(supply);
    if taxed_abroad {
        return Proposal::CountryOfCustomer;
    }
    if schemes.has_kor && supply.is_goods() {
        return Proposal::untaxed(VatCategory::Exempt);
    }
    let untaxed = if country.is_dutch() {
        None
    } else if country.in_eu(on) {
        is_business.then_some(VatCategory::IntraCommunity)
    } else if supply.is_goods() {
        let is_eu = in_northern_ireland;
        Some(if is_eu { VatCategory::IntraCommunity } else { VatCategory::Export })
    } else {
        (is_business || in_northern_ireland).then_some(VatCategory::ServiceOutsideEu)
    };
    if let Some(category) = untaxed {
        return Proposal::untaxed(category);
    }
    if schemes.has_kor {
        return Proposal::untaxed(VatCategory::Exempt);
    }
    let high = VatChoice { rate: VatRate::high_on(on), category: None, supply: None };
    Proposal::Choice(article.unwrap_or(high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::country::CountryCode;
    use jiff::civil::date;

    const DAY: Date = date(2026, 3, 15);

    fn customer(country: &str, number: Option<&str>, kind: Option<CustomerKind>) -> Customer {
        let country = CountryCode::parse(country).unwrap();
        Customer { buyer: Buyer::new(country, number), kind, usual: None }
    }

    /// Returns a proposal in short: the rate, and the category if it is stated.
    fn said(proposal: Proposal) -> String {
        match proposal {
            Proposal::CountryOfCustomer => "oss".to_owned(),
            Proposal::Choice(choice) => match choice.category {
                None => choice.rate.to_string(),
                Some(category) => format!("{} {}", choice.rate, category.as_str()),
            },
        }
    }

    #[test]
    // Long: a table of cases for the law.
    fn the_law_decides_who_owes_the_vat_and_where() {
        use CustomerKind::{Business, Consumer};
        let intra = "0 intraCommunity";
        let outside = "0 serviceOutsideEu";
        let export = "0 export";
        let exempt = "0 exempt";
        // Country, VAT number, kind; services, electronic services and goods normally, with OSS,
        // and under KOR.
        let xi = Some("XI123456789");
        type Row<'r> = (
            &'r str,
            Option<&'r str>,
            Option<CustomerKind>,
            [&'r str; 3],
            [&'r str; 3],
            [&'r str; 3],
        );
        let cases: [Row<'_>; 14] = [
            ("NL", None, None, ["21"; 3], ["21"; 3], [exempt; 3]),
            ("NL", None, Some(Business), ["21"; 3], ["21"; 3], [exempt; 3]),
            ("NL", None, Some(Consumer), ["21"; 3], ["21"; 3], [exempt; 3]),
            ("DE", None, Some(Business), [intra; 3], [intra; 3], [intra, intra, exempt]),
            ("DE", None, Some(Consumer), ["21"; 3], ["21", "oss", "oss"], [exempt; 3]),
            ("DE", None, None, ["21"; 3], ["21", "oss", "oss"], [exempt; 3]),
            ("MC", None, Some(Business), [intra; 3], [intra; 3], [intra, intra, exempt]),
            (
                "GB",
                xi,
                Some(Business),
                [outside, outside, intra],
                [outside, outside, intra],
                [outside, outside, exempt],
            ),
            (
                "GB",
                None,
                Some(Business),
                [outside, outside, export],
                [outside, outside, export],
                [outside, outside, exempt],
            ),
            ("GB", None, None, ["21", "21", export], ["21", "21", export], [exempt; 3]),
            (
                "CH",
                None,
                Some(Business),
                [outside, outside, export],
                [outside, outside, export],
                [outside, outside, exempt],
            ),
            ("CH", None, Some(Consumer), ["21", "21", export], ["21", "21", export], [exempt; 3]),
            (
                "US",
                None,
                Some(Business),
                [outside, outside, export],
                [outside, outside, export],
                [outside, outside, exempt],
            ),
            ("US", None, None, ["21", "21", export], ["21", "21", export], [exempt; 3]),
        ];
        for (country, number, kind, normally, with_oss, under_kor) in cases {
            let customer = customer(country, number, kind);
            for (has_oss, has_kor, expected) in
                [(false, false, normally), (true, false, with_oss), (false, true, under_kor)]
            {
                let schemes = Schemes { has_kor, has_oss, on: DAY };
                let supplies = [Supply::Services, Supply::Electronic, Supply::Goods];
                let found = supplies.map(|supply| said(propose(&customer, supply, None, schemes)));
                assert_eq!(found, expected, "{country} {kind:?} OSS {has_oss} KOR {has_kor}");
            }
        }
    }

    #[test]
    fn the_united_kingdom_was_a_member_state_until_the_end_of_2020() {
        let british = customer("GB", None, Some(CustomerKind::Business));
        for (on, expected) in
            [(date(2020, 12, 31), "0 intraCommunity"), (date(2021, 1, 1), "0 serviceOutsideEu")]
        {
            let schemes = Schemes { has_kor: false, has_oss: false, on };
            assert_eq!(said(propose(&british, Supply::Services, None, schemes)), expected, "{on}");
        }
    }

    #[test]
    fn the_customer_comes_before_the_law_and_the_article_after_it() {
        let low = VatChoice { rate: VatRate::low_on(DAY), category: None, supply: None };
        let schemes = Schemes { has_kor: false, has_oss: false, on: DAY };
        let dutch = customer("NL", None, None);
        assert_eq!(propose(&dutch, Supply::Goods, Some(low), schemes), Proposal::Choice(low));
        let german = customer("DE", None, Some(CustomerKind::Business));
        let of_law = propose(&german, Supply::Goods, Some(low), schemes);
        assert_eq!(said(of_law), "0 intraCommunity");
        let usual = Customer { usual: Some(low), ..german };
        assert_eq!(propose(&usual, Supply::Goods, None, schemes), Proposal::Choice(low));
        let kor = Schemes { has_kor: true, ..schemes };
        assert_eq!(said(propose(&dutch, Supply::Services, Some(low), kor)), "0 exempt");
    }

    #[test]
    fn the_high_rate_is_that_of_the_day() {
        let schemes = Schemes { has_kor: false, has_oss: false, on: date(2012, 9, 30) };
        let proposal = propose(&customer("NL", None, None), Supply::Services, None, schemes);
        assert_eq!(said(proposal), "19");
    }
}
