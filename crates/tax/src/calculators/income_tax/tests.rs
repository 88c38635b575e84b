//! Worked examples and properties of the income tax.

use super::*;
use crate::value::euros;
use ledger::decimal::Decimal;
use proptest::prelude::*;

fn number(text: &str) -> Decimal {
    ledger::decimal::parse(text).unwrap()
}

fn input(year: i16, profit: &str, hours_criterion: bool, starter: bool) -> Input {
    Input { year, profit: number(profit), hours_criterion, starter, ..Input::default() }
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

/// Computed by hand from art. 2.10, 3.47, 3.76, 3.79a, 3.124, 3.127, 8.10 and 8.11 Wet IB 2001 and
/// art. 43 Zvw.
#[test]
// Long: a table of examples.
fn provisions_and_additions_come_out_to_the_cent() {
    let yes = |profit: &str| input(2026, profit, true, false);
    // Input; provisions, taxable profit, taxable income, before credits, cap, general, labour, tax,
    // health.
    let cases: [(Input, [&str; 9]); 8] = [
        // Annuities are deductible up to the margin: 3 000 + 4 000.
        (
            Input {
                disability_premiums: number("3000"),
                annuity_premiums: number("5000"),
                annuity_margin: number("4000"),
                ..yes("60000")
            },
            [
                "7000.00", "51332.40", "44332.40", "15947.47", "0.00", "2181.12", "4747.04",
                "9019.31", "2489.62",
            ],
        ),
        // Without a margin, annuities are not deductible.
        (
            Input { annuity_premiums: number("5000"), ..yes("60000") },
            [
                "0.00", "51332.40", "51332.40", "18576.67", "0.00", "1733.26", "4747.04",
                "12096.37", "2489.62",
            ],
        ),
        // The premium is not one of the capped deductions (1 200 + 11 912.60), but reduces the
        // income above 78 426: 71 887.40 + 13 112.60 − 78 426 = 6 574 at 11.94 %.
        (
            Input { disability_premiums: number("10000"), ..yes("95000") },
            [
                "10000.00", "81887.40", "71887.40", "26297.13", "784.94", "418.15", "2468.54",
                "24195.37", "3851.34",
            ],
        ),
        // The addition is part of the profit, also for the exemption, the labour credit and the
        // Zvw.
        (
            Input { disinvestment_addition: number("840"), ..yes("60000") },
            [
                "0.00", "52065.72", "52065.72", "18852.10", "0.00", "1686.34", "4692.36",
                "12473.40", "2525.19",
            ],
        ),
        (
            Input {
                disability_premiums: number("1500"),
                other_income: number("10000"),
                ..input(2025, "20000", true, true)
            },
            [
                "1500.00", "13450.31", "21950.31", "7862.60", "0.00", "3068.00", "5303.82", "0.00",
                "707.49",
            ],
        ),
        // Premiums that exceed the income make it negative.
        (
            Input { disability_premiums: number("8000"), ..input(2026, "5000", false, false) },
            [
                "8000.00", "4365.00", "-3635.00", "0.00", "0.00", "3115.00", "416.20", "0.00",
                "211.70",
            ],
        ),
        // Proposed figures for 2027.
        (
            input(2027, "50000", true, false),
            [
                "0.00", "42864.30", "42864.30", "15599.55", "0.00", "2360.47", "5787.99",
                "7451.08", "2151.79",
            ],
        ),
        (
            Input {
                investments: number("5000"),
                disinvestment_addition: number("560"),
                disability_premiums: number("2000"),
                annuity_premiums: number("3000"),
                annuity_margin: number("9000"),
                ..input(2027, "110000", true, true)
            },
            [
                "5000.00", "94502.25", "89502.25", "34652.64", "1662.19", "0.00", "1936.68",
                "34378.15", "4143.86",
            ],
        ),
    ];
    for (input, wanted) in cases {
        let it = assess(&input);
        let found = [
            it.income_provisions,
            it.taxable_profit,
            it.taxable_income,
            it.before_credits,
            it.deduction_rate_cap,
            it.general_tax_credit,
            it.labour_tax_credit,
            it.income_tax,
            it.health_insurance_contribution,
        ];
        assert_eq!(found.map(|amount| euros(&amount)), wanted.map(str::to_owned), "{input:?}");
    }
}

/// A disposal: year of purchase, investments in that year, cost and proceeds.
type Sold = (i16, &'static str, &'static str, &'static str);

/// Art. 3.45, 3.47 and 3.51 Wet IB 2001, with the bands of art. 3.41.
#[test]
fn a_disposal_within_five_years_takes_the_deduction_back() {
    let cases: [(i16, &[Sold], &str); 15] = [
        // 28 % of the proceeds of 3 000.
        (2026, &[(2024, "10000", "5000", "3000")], "840.00"),
        // Proceeds of at most 2 900 in a year: no addition. With one cent more, it is on all
        // proceeds.
        (2026, &[(2024, "10000", "5000", "2900")], "0.00"),
        (2026, &[(2024, "10000", "5000", "2900.01")], "812.00"),
        // In 2024 the limit was 2 800.
        (2024, &[(2024, "10000", "5000", "2850")], "798.00"),
        // The base is at most the cost.
        (2026, &[(2024, "10000", "5000", "6000")], "1400.00"),
        // In 2025 the deduction was a fixed amount: 30 000 × 19 769 ÷ 100 000.
        (2026, &[(2025, "100000", "50000", "30000")], "5930.70"),
        // Above 132 746 in 2026: 14 987.60 of 200 000 was deducted, so 40 000 × 7.4938 %.
        (2026, &[(2026, "200000", "50000", "40000")], "2997.52"),
        // Nothing was deducted: too little was invested, or too much.
        (2026, &[(2024, "2500", "2500", "3000")], "0.00"),
        (2026, &[(2025, "400000", "50000", "30000")], "0.00"),
        // An asset that cost less than 450 has no addition, but its proceeds count towards the
        // limit.
        (2026, &[(2024, "10000", "449.99", "2000"), (2024, "10000", "2000", "1000")], "280.00"),
        (2026, &[(2024, "10000", "450", "2500"), (2024, "10000", "2000", "1000")], "406.00"),
        // A car or goodwill has no addition either, but its proceeds count towards the limit.
        (2026, &[(2024, "0", "20000", "9000"), (2024, "10000", "2000", "1000")], "280.00"),
        // Years of purchase with different percentages.
        (2027, &[(2024, "10000", "5000", "2000"), (2025, "100000", "5000", "1000")], "757.69"),
        // Bought in 2021: the five years ended on 31 December 2025. The proceeds still count
        // towards the limit.
        (2026, &[(2021, "10000", "5000", "5000")], "0.00"),
        (2026, &[(2021, "10000", "5000", "5000"), (2024, "10000", "2000", "500")], "140.00"),
    ];
    for (year, sold, wanted) in cases {
        let disposals: Vec<Disposal> = sold
            .iter()
            .map(|(year, investments, cost, proceeds)| Disposal {
                year: *year,
                investments: number(investments),
                cost: number(cost),
                proceeds: number(proceeds),
            })
            .collect();
        let it = Disinvestment::of(year, &disposals);
        assert_eq!(euros(&it.total()), wanted, "{year} {sold:?}");
        assert!(it.parts.iter().all(|part| part.amount.is_some()), "{year} {sold:?}");
    }
    let nil = Decimal::ZERO;
    let unknown = Disposal {
        year: 2022,
        investments: number("10000"),
        cost: number("5000"),
        proceeds: number("5000"),
    };
    let it = Disinvestment::of(2026, &[unknown]);
    assert_eq!((it.parts[0].amount, it.total()), (None, nil), "2022 has no figures");
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
fn the_years_are_those_with_figures_and_only_the_coming_one_is_proposed() {
    assert_eq!(years(), [2024, 2025, 2026, 2027]);
    assert!(Tariff::of(2023).is_none() && Tariff::of(2028).is_none());
    let proposed = |year: &i16| Tariff::of(*year).unwrap().is_proposed();
    assert_eq!(years().iter().filter(|year| proposed(year)).collect::<Vec<_>>(), [&2027]);
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
        disinvestment_addition in cents_up_to(20_000),
        disability_premiums in cents_up_to(15_000),
        annuity_premiums in cents_up_to(15_000),
        annuity_margin in cents_up_to(15_000),
    ) -> Input {
        Input {
            year, profit, hours_criterion, starter, other_income, investments,
            disinvestment_addition, disability_premiums, annuity_premiums, annuity_margin,
        }
    }
}

proptest! {
    #[test]
    fn the_tax_is_between_zero_and_the_income(input in any_input()) {
        let it = assess(&input);
        let nil = Decimal::ZERO;
        prop_assert!(it.income_tax >= nil && it.health_insurance_contribution >= nil);
        prop_assert!(it.general_tax_credit >= nil && it.labour_tax_credit >= nil && it.deduction_rate_cap >= nil);
        prop_assert!(it.total() <= input.profit + input.other_income + input.disinvestment_addition);
        prop_assert_eq!(it.taxable_profit, it.fiscal_profit - it.self_employed_deduction - it.starter_deduction - it.sme_profit_exemption);
    }

    /// Expenses for income provisions reduce the income in box 1, but not the profit, the labour
    /// tax credit or the health insurance contribution (art. 3.124 and 8.1 Wet IB 2001, art. 43
    /// Zvw).
    #[test]
    fn income_provisions_lower_the_income_only(input in any_input()) {
        let nil = Decimal::ZERO;
        let without =
            Input { disability_premiums: nil, annuity_premiums: nil, annuity_margin: nil, ..input };
        let (it, other) = (assess(&input), assess(&without));
        prop_assert_eq!(it.taxable_income, other.taxable_income - it.income_provisions);
        prop_assert_eq!(
            (it.taxable_profit, it.labour_tax_credit, it.health_insurance_contribution),
            (other.taxable_profit, other.labour_tax_credit, other.health_insurance_contribution)
        );
        prop_assert!(it.income_tax <= other.income_tax);
    }

    #[test]
    fn a_second_computation_agrees(input in any_input()) {
        // The second computation implements only the 28 % band of the investment deduction.
        let investments = input.investments.min(Decimal::from(69_000));
        let input = Input { investments, ..input };
        if input.year > 2024 {
            let it = assess(&input);
            let first = [it.taxable_income, it.income_tax, it.health_insurance_contribution];
            prop_assert_eq!(first.map(|amount| euros(&amount)), second::tax(&input));
        }
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

/// Independent computation of the tax, in whole numbers of 10⁻¹² euro, with its own copy of the
/// figures of the law.
mod second {
    use super::*;

    /// One euro, in units of 10⁻¹² euro.
    const EURO: i128 = 1_000_000_000_000;

    /// Figures for a year: upper bounds and rates of the brackets, deductions, rate and threshold
    /// of the cap, Zvw, general credit, and build-up of the labour credit. Rates are in units of
    /// 10⁻⁵.
    struct Law {
        brackets: [(i128, i128); 3],
        self_employed: i128,
        starter: i128,
        cap: (i128, i128),
        health: (i128, i128),
        general: (i128, i128, i128),
        labour: [(i128, i128, i128); 4],
    }

    fn law(year: i16) -> Law {
        match year {
            2025 => Law {
                brackets: [(38_441, 35_820), (76_817, 37_480), (i128::MAX / EURO, 49_500)],
                self_employed: 2_470,
                starter: 2_123,
                cap: (37_480, 76_817),
                health: (5_260, 75_864),
                general: (3_068, 28_406, 6_337),
                labour: [
                    (0, 8_053, 980),
                    (12_169, 30_030, 5_220),
                    (26_288, 2_258, 5_599),
                    (43_071, -6_510, 0),
                ],
            },
            2026 => Law {
                brackets: [(38_883, 35_750), (78_426, 37_560), (i128::MAX / EURO, 49_500)],
                self_employed: 1_200,
                starter: 2_123,
                cap: (37_560, 78_426),
                health: (4_850, 79_409),
                general: (3_115, 29_736, 6_398),
                labour: [
                    (0, 8_324, 996),
                    (11_965, 31_009, 5_300),
                    (25_845, 1_950, 5_685),
                    (45_592, -6_510, 0),
                ],
            },
            _ => Law {
                brackets: [(39_247, 36_230), (78_426, 38_160), (i128::MAX / EURO, 49_500)],
                self_employed: 900,
                starter: 10,
                cap: (38_160, 78_426),
                health: (5_020, 82_547),
                general: (3_154, 30_910, 6_638),
                labour: [
                    (0, 9_503, 1_182),
                    (12_438, 30_207, 5_540),
                    (26_865, 1_855, 5_929),
                    (47_834, -6_510, 0),
                ],
            },
        }
    }

    /// Taxable income, income tax and Zvw contribution, rounded to cents.
    pub(super) fn tax(input: &Input) -> [String; 3] {
        let law = law(input.year);
        let of =
            |amount: Decimal| i128::try_from(amount * Decimal::from(100)).unwrap() * (EURO / 100);
        let (wages, invested) = (of(input.other_income), of(input.investments));
        let deducted = if invested > 2_900 * EURO { invested * 28 / 100 } else { 0 };
        let profit = of(input.profit) - deducted + of(input.disinvestment_addition);
        let mut deductions = 0;
        if input.hours_criterion && input.starter {
            deductions = (law.self_employed + law.starter) * EURO;
        } else if input.hours_criterion {
            deductions = (law.self_employed * EURO).min(profit).max(0);
        }
        let exemption = (profit - deductions) * 127 / 1_000;
        let taxable = profit - deductions - exemption;
        let annuities = of(input.annuity_premiums).min(of(input.annuity_margin));
        let income = taxable + wages - of(input.disability_premiums) - annuities;
        let (mut levy, mut from) = (0, 0);
        for (to, rate) in law.brackets {
            let to = to * EURO;
            levy += (income.min(to) - from).max(0) * rate / 100_000;
            from = to;
        }
        let capped = deductions + exemption.max(0);
        let above = (income + capped - law.cap.1 * EURO).max(0);
        levy += capped.min(above) * (49_500 - law.cap.0) / 100_000;
        let (most, start, rate) = law.general;
        let general = (most * EURO - (income - start * EURO).max(0) * rate / 100_000).max(0);
        let work = (profit + wages).max(0);
        let (mut labour, mut reached) = (0, 0);
        for (start, rate, most) in law.labour {
            if work > start * EURO {
                let exact = reached + (work - start * EURO) * rate / 100_000;
                labour = if rate > 0 { exact.min(most * EURO) } else { exact.max(0) };
            }
            reached = most * EURO;
        }
        let room = (law.health.1 * EURO - wages).max(0);
        let health = taxable.max(0).min(room) * law.health.0 / 100_000;
        [income, (levy - general - labour).max(0), health].map(cents)
    }

    /// Rounds to cents, half away from zero.
    fn cents(amount: i128) -> String {
        let cent = EURO / 100;
        let whole = (amount.abs() + cent / 2) / cent;
        let sign = if amount < 0 && whole > 0 { "-" } else { "" };
        format!("{sign}{}.{:02}", whole / 100, whole % 100)
    }
}
