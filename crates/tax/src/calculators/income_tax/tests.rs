//! Worked examples and properties of the income tax.

use super::*;
use crate::value::euros;
use ledger::decimal::Decimal;
use proptest::prelude::*;

fn number(text: &str) -> Decimal {
    ledger::decimal::parse(text).unwrap()
}

fn input(year: i16, profit: &str, hours_criterion: bool, starter: bool) -> Input {
    let nil = Decimal::ZERO;
    Input {
        year,
        profit: number(profit),
        hours_criterion,
        starter,
        other_income: nil,
        investments: nil,
    }
}

fn assess(input: &Input) -> Assessment {
    Tariff::of(input.year).unwrap().assess(input)
}

/// A–E are published examples (bonnetjesbaas.nl, jortt.nl); F–J were computed by hand from the law.
/// Intermediate results must not be rounded. If rounded credits were subtracted from a rounded
/// levy, the tax of D (6793.3753) and E (6715.0642) would change by one cent; if a rounded income
/// were taxed, the levy of G (8325.8250075) would change by as much. The taxable profit of J is
/// 79104.625.
#[test]
// Long: a table of examples.
fn worked_examples_come_out_to_the_cent() {
    // Case, year, profit, hours criterion, starter; deductions, exemption, taxable, before credits,
    // cap, general, labour, tax, health.
    type Case = (&'static str, i16, &'static str, bool, bool, [&'static str; 9]);
    let cases: [Case; 10] = [
        (
            "A",
            2026,
            "50000",
            true,
            false,
            [
                "1200.00", "6197.60", "42602.40", "15297.68", "0.00", "2291.81", "5398.04",
                "7607.83", "2066.22",
            ],
        ),
        (
            "B",
            2025,
            "65000",
            true,
            false,
            [
                "2470.00", "7941.31", "54588.69", "19821.72", "0.00", "1408.80", "4171.42",
                "14241.50", "2871.37",
            ],
        ),
        (
            "C",
            2026,
            "65000",
            true,
            false,
            [
                "1200.00", "8102.60", "55697.40", "20216.16", "0.00", "1453.99", "4421.54",
                "14340.63", "2701.32",
            ],
        ),
        (
            "D",
            2024,
            "50000",
            true,
            true,
            [
                "5873.00", "5873.30", "38253.70", "14142.39", "0.00", "2470.82", "4878.20",
                "6793.38", "2035.10",
            ],
        ),
        (
            "E",
            2025,
            "50000",
            true,
            true,
            [
                "4593.00", "5766.69", "39640.31", "14219.07", "0.00", "2356.08", "5147.92",
                "6715.06", "2085.08",
            ],
        ),
        (
            "F",
            2024,
            "40000",
            true,
            true,
            [
                "5873.00", "4542.30", "29584.70", "10937.46", "0.00", "3045.57", "5529.20",
                "2362.69", "1573.91",
            ],
        ),
        (
            "G",
            2026,
            "30000",
            true,
            true,
            [
                "3323.00", "3387.98", "23289.02", "8325.83", "0.00", "3115.00", "5381.02", "0.00",
                "1129.52",
            ],
        ),
        (
            "H",
            2026,
            "20000",
            false,
            false,
            [
                "0.00", "2540.00", "17460.00", "6241.95", "0.00", "3115.00", "3487.57", "0.00",
                "846.81",
            ],
        ),
        (
            "I",
            2026,
            "110000",
            true,
            false,
            [
                "1200.00", "13817.60", "94982.40", "36948.44", "1793.10", "0.00", "1492.04",
                "37249.50", "3851.34",
            ],
        ),
        (
            "J",
            2024,
            "95000",
            true,
            false,
            [
                "3750.00", "12145.38", "79104.63", "29694.38", "1991.69", "0.00", "1948.70",
                "29737.37", "3810.61",
            ],
        ),
    ];
    for (case, year, profit, hours, starter, wanted) in cases {
        let it = assess(&input(year, profit, hours, starter));
        let found = [
            it.self_employed_deduction + it.starter_deduction,
            it.sme_profit_exemption,
            it.taxable_profit,
            it.before_credits,
            it.deduction_rate_cap,
            it.general_tax_credit,
            it.labour_tax_credit,
            it.income_tax,
            it.health_insurance_contribution,
        ];
        assert_eq!(found.map(|amount| euros(&amount)), wanted.map(str::to_owned), "{case}");
    }
    assert_eq!(euros(&assess(&input(2026, "50000", true, false)).total()), "9674.05");
}

#[test]
fn a_starters_loss_is_reduced_by_the_exemption_too() {
    let it = assess(&input(2026, "0", true, true));
    assert_eq!(
        (euros(&it.taxable_profit).as_str(), euros(&it.sme_profit_exemption).as_str()),
        ("-2900.98", "-422.02")
    );
    assert_eq!(it.total(), Decimal::ZERO);
}

#[test]
fn without_the_starters_deduction_the_self_employed_deduction_stops_at_the_profit() {
    let it = assess(&input(2026, "500", true, false));
    assert_eq!(
        (euros(&it.self_employed_deduction).as_str(), euros(&it.taxable_profit).as_str()),
        ("500.00", "0.00")
    );
    let it = assess(&Input { investments: number("5000"), ..input(2026, "2000", true, false) });
    assert_eq!(
        (euros(&it.fiscal_profit).as_str(), euros(&it.self_employed_deduction).as_str()),
        ("600.00", "600.00")
    );
    let without_hours = assess(&input(2026, "30000", false, true));
    assert_eq!(
        without_hours,
        assess(&input(2026, "30000", false, false)),
        "starter has no effect without the hours criterion"
    );
}

#[test]
fn wages_come_first_under_the_ceiling_of_the_contribution_and_count_for_the_labour_tax_credit() {
    let it = assess(&Input { other_income: number("79409"), ..input(2026, "50000", true, false) });
    assert_eq!(
        (it.health_insurance_contribution, euros(&it.labour_tax_credit).as_str()),
        (Decimal::ZERO, "228.51")
    );
    let it = assess(&Input { other_income: number("60000"), ..input(2026, "50000", true, false) });
    // 79 409 − 60 000 = 19 409 at 4.85 %.
    assert_eq!(euros(&it.health_insurance_contribution), "941.34");
}

#[test]
fn the_years_are_those_with_known_law() {
    assert_eq!(years(), [2024, 2025, 2026]);
    assert!(Tariff::of(2023).is_none() && Tariff::of(2027).is_none());
}

fn cents_up_to(euros: i64) -> impl Strategy<Value = Decimal> {
    (0..=euros * 100).prop_map(|cents| Decimal::new(cents, 2))
}

prop_compose! {
    fn any_input()(
        year in prop::sample::select(years()),
        profit in cents_up_to(300_000),
        hours_criterion: bool,
        starter: bool,
        other_income in cents_up_to(150_000),
        investments in cents_up_to(450_000),
    ) -> Input {
        Input { year, profit, hours_criterion, starter, other_income, investments }
    }
}

proptest! {
    #[test]
    fn the_tax_is_between_zero_and_the_income(input in any_input()) {
        let it = assess(&input);
        let nil = Decimal::ZERO;
        prop_assert!(it.income_tax >= nil && it.health_insurance_contribution >= nil);
        prop_assert!(it.general_tax_credit >= nil && it.labour_tax_credit >= nil && it.deduction_rate_cap >= nil);
        prop_assert!(it.total() <= input.profit + input.other_income);
        prop_assert_eq!(it.taxable_profit, it.fiscal_profit - it.self_employed_deduction - it.starter_deduction - it.sme_profit_exemption);
    }

    #[test]
    fn a_higher_profit_never_lowers_the_net_income(input in any_input(), more in cents_up_to(1_000)) {
        let richer = Input { profit: input.profit + more, ..input };
        prop_assert!(assess(&richer).net(&richer) >= assess(&input).net(&input));
    }
}

/// The tax has no jumps: crossing one of the thresholds of 2024–2026 never changes it abruptly.
#[test]
fn one_euro_more_profit_never_costs_more_than_one_euro_twenty() {
    for year in years() {
        for (hours, starter) in [(false, false), (true, false), (true, true)] {
            let mut before = Decimal::ZERO;
            for profit in 0..=200_000 {
                let profit = Decimal::from(profit);
                let at = Input { profit, ..input(*year, "0", hours, starter) };
                let total = assess(&at).total();
                let step = total - before;
                assert!(
                    (Decimal::ZERO..=Decimal::new(120, 2)).contains(&step),
                    "{year} {profit}: {step}"
                );
                before = total;
            }
        }
    }
}
