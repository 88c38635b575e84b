//! Twenty cases of the small businesses scheme, derived from the law (art. 25 to 25a Wet OB 1968):
//! the turnover under the scheme, the supply that exceeds the limit, and the return to the scheme.

use jiff::civil::{Date, date};
use ledger::{
    kor::{CountedInvoice, Turnover, barred_until, counts, remaining},
    money::Cents,
    vat::{Supply, VatCategory},
};

/// Turnover limit of the scheme, in cents (art. 25(1)).
const LIMIT: i64 = 2_000_000;

/// A supply: its category, whether goods or services, last day of supply, and amount in cents.
type Sale = (VatCategory, Supply, Date, i64);

/// A case: article, situation, supplies in order of their numbers, turnover under the scheme in
/// cents, and number of the supply that exceeds the limit and is therefore taxed.
type Case = (&'static str, &'static str, Vec<Sale>, i64, Option<i64>);

fn day(month: i8) -> Date {
    date(2026, month, 10)
}

/// A supply that is exempt under the scheme.
fn kor(month: i8, cents: i64) -> Sale {
    (VatCategory::SmallBusiness, Supply::Services, day(month), cents)
}

fn of(category: VatCategory, supply: Supply) -> Vec<Sale> {
    vec![kor(2, 1_000_000), (category, supply, day(3), 1_000_001)]
}

fn turnover(sales: &[Sale]) -> Turnover {
    let counted = |(id, (category, supply, day, amount)): (i64, &Sale)| {
        let amount = Cents::new(*amount);
        counts(*category, *supply).then_some(CountedInvoice { id, day: *day, amount })
    };
    Turnover::new(Cents::new(LIMIT), (1..).zip(sales).filter_map(counted).collect())
}

fn cases() -> Vec<Case> {
    use Supply::{Goods, Services, Triangular};
    use VatCategory::{
        Exempt, ExemptCounted, Export, IntraCommunity, OutOfScope, ReverseCharge, ServiceOutsideEu,
        SmallBusinessEu, Standard, Zero,
    };
    let (all, half) = (2_000_001, 1_000_000);
    vec![
        ("25(1)", "taxed in the Netherlands", of(Standard, Services), all, Some(2)),
        ("25(2)", "at the zero rate", of(Zero, Goods), all, Some(2)),
        ("25(2)", "VAT owed by the customer", of(ReverseCharge, Services), all, Some(2)),
        ("25(2)", "goods to a business in the EU", of(IntraCommunity, Goods), all, Some(2)),
        ("25(2)", "exported goods", of(Export, Goods), all, Some(2)),
        ("25(2)", "exempt, but named by the law", of(ExemptCounted, Services), all, Some(2)),
        ("25(2)", "exempt by art. 11 otherwise", of(Exempt, Services), half, None),
        ("25(2)", "service to a business in the EU", of(IntraCommunity, Services), half, None),
        ("25(2)", "the same under the scheme", of(SmallBusinessEu, Services), half, None),
        (
            "25(2)",
            "goods from one EU country to another",
            of(IntraCommunity, Triangular),
            half,
            None,
        ),
        ("25(2)", "service outside the EU", of(ServiceOutsideEu, Services), half, None),
        ("25(2)", "outside the scope of VAT", of(OutOfScope, Services), half, None),
        ("25(1)", "exactly the limit", vec![kor(2, 1_995_000), kor(3, 5_000)], LIMIT, None),
        ("25a(9)", "a cent more", vec![kor(2, 1_995_000), kor(3, 5_001)], LIMIT + 1, Some(2)),
        ("25a(9)", "one supply above the limit", vec![kor(2, 2_500_000)], 2_500_000, Some(1)),
        (
            "25a(9)",
            "supplied earlier, numbered later: the later supply passes",
            vec![kor(5, 1_990_000), kor(3, 20_000)],
            2_010_000,
            Some(1),
        ),
        (
            "25a(9)",
            "on the same day the lower number comes first",
            vec![kor(5, 1_990_000), kor(5, 20_000), kor(5, 1)],
            2_010_001,
            Some(2),
        ),
        (
            "25(1)",
            "a supply that was credited counts for what is left",
            vec![kor(2, 1_500_000), kor(3, 0), kor(4, 500_000)],
            LIMIT,
            None,
        ),
    ]
}

#[test]
fn the_turnover_and_the_supply_that_passes_the_limit_are_those_of_the_law() {
    let cases = cases();
    for (law, what, sales, counted, passing) in &cases {
        let turnover = turnover(sales);
        assert_eq!(turnover.total().get(), *counted, "art. {law}: {what}");
        let passed = turnover.passing().map(|invoice| invoice.id);
        assert_eq!(passed, *passing, "art. {law}: {what}");
        let below = remaining(turnover.total(), turnover.limit).get();
        assert_eq!(below, (LIMIT - counted).max(0), "art. {law}: {what}");
    }
    assert_eq!(cases.len() + RETURNS.len(), 20);
}

/// Situation, first day without the scheme, and first day on which the scheme may begin again (art.
/// 25a(7) and (9)). A whole calendar year lies between the two days.
const RETURNS: [(&str, Date, Date); 2] = [
    ("ended by choice", date(2026, 10, 1), date(2028, 1, 1)),
    ("ended by the limit on the last day of the year", date(2026, 12, 31), date(2028, 1, 1)),
];

#[test]
fn the_scheme_begins_again_after_a_whole_year() {
    for (what, ended, again) in RETURNS {
        assert_eq!(barred_until(ended), again, "{what}");
    }
}
