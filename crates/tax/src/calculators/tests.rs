//! Invariants of all calculators, and worked examples of the small ones.

use crate::{
    calculator::{Calculator, Input, InputKind, Node, Outcome, OutputKind, Run, Step},
    calculators,
    dataset::Status,
    value::Value,
};
use ledger::{decimal::Decimal, language::Language};
use proptest::prelude::*;

fn calculate(id: &str, query: &str) -> Result<Outcome, Vec<(String, &'static str)>> {
    let parameters: Vec<(&str, &str)> = query
        .split('&')
        .filter(|pair| !pair.is_empty())
        .filter_map(|pair| pair.split_once('='))
        .collect();
    let outcome = calculators::find(id).expect(id).calculate(&parameters);
    outcome
        .map_err(|faults| faults.into_iter().map(|fault| (fault.parameter, fault.code)).collect())
}

/// Values of the named fields as printed in JSON; `null` for no value.
fn printed(id: &str, query: &str, names: &[&str]) -> Vec<String> {
    let outcome = calculate(id, query).unwrap();
    names
        .iter()
        .map(|name| {
            outcome
                .get(name)
                .map_or("null".to_owned(), |value| value.plain(Language::English).into_owned())
        })
        .collect()
}

/// Values of a row as printed in JSON.
fn row(row: &[(&'static str, Option<Value>)]) -> Vec<String> {
    row.iter()
        .map(|(_, value)| {
            value
                .as_ref()
                .map_or("null".to_owned(), |value| value.plain(Language::English).into_owned())
        })
        .collect()
}

fn faults(id: &str, query: &str) -> Vec<(String, &'static str)> {
    calculate(id, query).unwrap_err()
}

fn with_a_query() -> impl Iterator<Item = &'static Calculator> {
    calculators::all().iter().copied().filter(|calculator| matches!(calculator.run, Run::Query(_)))
}

#[test]
fn every_calculator_is_described_in_both_languages() {
    for it in calculators::all() {
        assert!(!it.title.is_incomplete() && !it.description.is_incomplete(), "{}", it.id);
        for input in it.inputs {
            assert!(
                !input.label.is_incomplete() && !input.hint.is_incomplete(),
                "{} {}",
                it.id,
                input.name
            );
            assert!(!(input.required && input.default.is_some()), "{} {}", it.id, input.name);
        }
        assert!(it.outputs.iter().all(|output| !output.label.is_incomplete()), "{}", it.id);
        assert_eq!(
            calculators::all().iter().filter(|other| other.id == it.id).count(),
            1,
            "{}",
            it.id
        );
    }
}

/// Tests that the answer has exactly the described fields, in the described order and with the
/// described types.
#[test]
fn every_example_returns_the_described_fields() {
    for it in with_a_query() {
        let outcome = it.calculate(&it.example()).unwrap();
        let names: Vec<_> = outcome.fields.iter().map(|(name, _)| *name).collect();
        assert_eq!(
            names,
            it.outputs.iter().map(|output| output.name).collect::<Vec<_>>(),
            "{}",
            it.id
        );
        for (output, (_, node)) in it.outputs.iter().zip(&outcome.fields) {
            match (output.kind, node) {
                (OutputKind::Rows(columns), Node::Rows(rows)) => {
                    assert!(!rows.is_empty(), "{} {}", it.id, output.name);
                    for row in rows {
                        let found: Vec<_> = row.iter().map(|(name, _)| *name).collect();
                        assert_eq!(
                            found,
                            columns.iter().map(|column| column.name).collect::<Vec<_>>(),
                            "{}",
                            it.id
                        );
                        for (column, (_, value)) in columns.iter().zip(row) {
                            assert!(
                                fits(column.kind, value.as_ref(), column.optional),
                                "{} {} {value:?}",
                                it.id,
                                column.name
                            );
                        }
                    }
                }
                (OutputKind::Choices(choices), Node::Choices(codes)) => assert!(
                    codes.iter().all(|code| choices.iter().any(|choice| choice.value == *code)),
                    "{} {}",
                    it.id,
                    output.name
                ),
                (kind, Node::Value(value)) => assert!(
                    fits(kind, value.as_ref(), output.optional),
                    "{} {}",
                    it.id,
                    output.name
                ),
                (kind, Node::Rows(_) | Node::Choices(_)) => {
                    panic!("{} {}: a list for {kind:?}", it.id, output.name)
                }
            }
        }
        assert!(outcome.steps.iter().all(|step| !step.text.is_incomplete()), "{}", it.id);
    }
}

fn fits(kind: OutputKind, value: Option<&Value>, optional: bool) -> bool {
    match (kind, value) {
        (_, None) => optional,
        (OutputKind::Money, Some(Value::Money(_)))
        | (OutputKind::Percent, Some(Value::Percent(_))) => true,
        (OutputKind::Number, Some(Value::Number(_)))
        | (OutputKind::Integer, Some(Value::Integer(_))) => true,
        (OutputKind::Boolean, Some(Value::Boolean(_)))
        | (OutputKind::Date, Some(Value::Date(_))) => true,
        (OutputKind::Text, Some(Value::Text(_))) | (OutputKind::Words, Some(Value::Words(_))) => {
            true
        }
        (OutputKind::Choice(choices), Some(Value::Text(text))) => {
            choices.iter().any(|choice| choice.value == *text)
        }
        _ => false,
    }
}

/// Tests that, if every parameter is invalid, each has a fault with advice in both languages, and
/// with bounds or valid values.
#[test]
fn every_parameter_rejects_invalid_input_and_names_its_bounds() {
    for it in with_a_query() {
        for nonsense in [
            "1e30",
            "-1e30",
            "0.123456789012345",
            "NaN",
            "é",
            "2026-02-30",
            "99999999999999999999999999999999999999",
        ] {
            let validated: Vec<_> = it
                .inputs
                .iter()
                .filter(|input| !matches!(input.kind, InputKind::Text { .. }))
                .flat_map(fields_of)
                .collect();
            let parameters: Vec<_> =
                validated.iter().map(|(name, _)| (name.as_str(), nonsense)).collect();
            let Err(faults) = it.calculate(&parameters) else {
                assert!(validated.is_empty(), "{}", it.id);
                continue;
            };
            for (name, _) in validated {
                let fault = faults
                    .iter()
                    .find(|fault| fault.parameter == name)
                    .unwrap_or_else(|| panic!("{} {name} took {nonsense}", it.id));
                assert!(!fault.message.is_incomplete(), "{} {name}", it.id);
                assert!(
                    fault.bounds.is_some() || !fault.known.is_empty(),
                    "{} {name} {nonsense}",
                    it.id
                );
            }
        }
        let missing: Vec<_> = it
            .calculate(&[])
            .err()
            .unwrap_or_default()
            .into_iter()
            .map(|fault| fault.parameter)
            .collect();
        let wanted: Vec<_> =
            it.inputs.iter().filter(|input| input.required).map(|input| input.name).collect();
        assert_eq!(missing, wanted, "{}", it.id);
    }
}

/// Query parameters for an input, each with its declaration: the input itself or, for rows, the
/// fields of the first row.
fn fields_of(input: &'static Input) -> Vec<(String, &'static Input)> {
    match input.kind {
        InputKind::Rows { columns, .. } => columns
            .iter()
            .map(|column| (format!("{}.0.{}", input.name, column.name), column))
            .collect(),
        _ => vec![(input.name.to_owned(), input)],
    }
}

#[test]
fn rows_are_parameters_with_their_number() {
    let sold = |row: &str| {
        format!(
            "disposals.{row}.year=2024&disposals.{row}.investments=10000&disposals.{row}.cost=5000&disposals.{row}.proceeds=3000"
        )
    };
    let base = "year=2026&profit=60000&hoursCriterion=true";
    let names = ["disinvestmentAddition", "fiscalProfit", "healthInsuranceContribution"];
    // Computed by hand in `provisions_and_additions_come_out_to_the_cent`.
    for row in ["0", "7", "19"] {
        let query = format!("{base}&{}", sold(row));
        assert_eq!(
            printed("income-tax", &query, &names),
            ["840.00", "60840.00", "2525.19"],
            "{row}"
        );
    }
    let two = format!("{base}&{}&{}", sold("0"), sold("1"));
    assert_eq!(printed("income-tax", &two, &names[..1]), ["1680.00"]);
    for row in ["20", "00", "+1", "-1", "1e0"] {
        let found = faults("income-tax", &format!("{base}&{}", sold(row)));
        let unknown = ["year", "investments", "cost", "proceeds"]
            .map(|column| (format!("disposals.{row}.{column}"), "unknown_field"));
        assert_eq!(found, unknown, "{row}");
    }
    let cases = [
        // A year without figures, a purchase after the sale, missing and invalid fields, and so on.
        (
            "disposals.0.year=2019&disposals.0.investments=9000&disposals.0.cost=1&disposals.0.proceeds=1",
            vec![("disposals.0.year", "unknown_value")],
        ),
        (
            "disposals.0.year=2027&disposals.0.investments=9000&disposals.0.cost=1&disposals.0.proceeds=1",
            vec![("disposals.0.year", "out_of_range")],
        ),
        (
            "disposals.3.year=2024&disposals.3.cost=-1",
            vec![
                ("disposals.3.investments", "required"),
                ("disposals.3.cost", "out_of_range"),
                ("disposals.3.proceeds", "required"),
            ],
        ),
        ("disposals.0.colour=1", vec![("disposals.0.colour", "unknown_field")]),
        ("disposals=1", vec![("disposals", "unknown_value")]),
        (
            "disabilityPremiums=-1&annuityPremiums=x&annuityMargin=1.234",
            vec![
                ("disabilityPremiums", "out_of_range"),
                ("annuityPremiums", "invalid_format"),
                ("annuityMargin", "too_many"),
            ],
        ),
    ];
    for (query, wanted) in cases {
        let wanted: Vec<_> =
            wanted.into_iter().map(|(name, code)| (name.to_owned(), code)).collect();
        assert_eq!(faults("income-tax", &format!("{base}&{query}")), wanted, "{query}");
    }
}

/// A step lists every proposed figure on which it depends, directly or through an earlier step.
#[test]
fn every_step_names_the_proposals_on_which_it_depends() {
    let settled = |query: &str| -> Vec<&'static str> {
        let is_settled =
            |step: &Step| step.figures.iter().all(|row| row.status != Status::Proposal);
        let steps = calculate("income-tax", query).unwrap().steps;
        steps.iter().filter(|step| is_settled(step)).map(|step| step.id).collect()
    };
    let all = "profit=110000&hoursCriterion=true&starter=true&investments=5000&otherIncome=1000&disabilityPremiums=2000&disposals.0.year=2024&disposals.0.investments=10000&disposals.0.cost=5000&disposals.0.proceeds=3000";
    assert_eq!(settled(&format!("year=2026&{all}")).len(), 20);
    assert!(settled(&format!("year=2027&{all}")).is_empty());
    // The self-employed person's deduction and the SME profit exemption for 2027 are already law.
    assert_eq!(
        settled("year=2027&profit=50000&hoursCriterion=true"),
        ["fiscalProfit", "selfEmployedDeduction", "smeProfitExemption", "taxableProfit"]
    );
}

#[test]
fn the_estimate_names_its_limits() {
    let outcome = calculate("income-tax", "year=2026&profit=1&hoursCriterion=true").unwrap();
    assert_eq!(
        outcome.choices("notIncluded"),
        ["partner", "box2", "box3", "ownHome", "gifts", "careCosts", "losses"]
    );
}

#[test]
fn faults_of_all_kinds_are_reported_at_once() {
    let found = faults(
        "income-tax",
        "year=2019&profit=-1&hoursCriterion=yes&otherIncome=1.234&x=1&x=2&starter=true&starter=true&investments=abc",
    );
    let wanted = [
        ("x", "unknown_field"),
        ("starter", "too_many"),
        ("year", "unknown_value"),
        ("profit", "out_of_range"),
        ("hoursCriterion", "unknown_value"),
        ("otherIncome", "too_many"),
        ("investments", "invalid_format"),
    ];
    assert_eq!(found, wanted.map(|(parameter, code)| (parameter.to_owned(), code)));
}

#[test]
fn vat_is_added_or_taken_out() {
    let names = ["excluding", "vat", "including"];
    let cases = [
        ("amount=100", ["100.00", "21.00", "121.00"]),
        ("amount=121&mode=including", ["100.00", "21.00", "121.00"]),
        ("amount=100&rate=9&mode=including", ["91.74", "8.26", "100.00"]),
        ("amount=0.03&rate=21&mode=excluding", ["0.03", "0.01", "0.04"]),
        ("amount=100&rate=19&on=2012-09-30", ["100.00", "19.00", "119.00"]),
        ("amount=100&rate=0", ["100.00", "0.00", "100.00"]),
    ];
    for (query, wanted) in cases {
        assert_eq!(printed("vat", query, &names), wanted, "{query}");
    }
    assert_eq!(
        faults("vat", "amount=100&rate=19&on=2026-01-01"),
        [("rate".to_owned(), "unknown_vat_rate")]
    );
}

#[test]
fn the_investment_deduction_follows_its_bands() {
    let cases = [
        (2026, "0", "0.00"),
        (2026, "2900", "0.00"),
        (2026, "2900.01", "812.00"),
        (2026, "5000", "1400.00"),
        (2026, "71683", "20071.24"),
        (2026, "71683.01", "20072.00"),
        (2026, "100000", "20072.00"),
        (2026, "132746", "20072.00"),
        (2026, "200000", "14987.60"),
        (2026, "398236", "0.96"),
        (2026, "398236.01", "0.00"),
        (2024, "2800.01", "784.00"),
        (2025, "70602", "19768.56"),
    ];
    for (year, investments, wanted) in cases {
        assert_eq!(
            printed(
                "investment-deduction",
                &format!("year={year}&investments={investments}"),
                &["deduction"]
            ),
            [wanted],
            "{year} {investments}"
        );
    }
}

#[test]
fn interest_runs_from_the_day_after_the_due_date_at_each_days_rate() {
    let query = "amount=2420&due=2026-05-14&paid=2026-09-15&debtor=business";
    let outcome = calculate("late-payment", query).unwrap();
    let periods: Vec<_> = outcome.rows("periods").iter().map(|period| row(period)).collect();
    assert_eq!(
        periods,
        [
            ["2026-05-15", "2026-06-30", "47", "10.15", "31.63"],
            ["2026-07-01", "2026-09-15", "77", "10.4", "53.09"]
        ]
    );
    assert_eq!(
        printed("late-payment", query, &["days", "interest", "collectionCosts", "total"]),
        ["124", "84.72", "363.00", "2867.72"]
    );
}

#[test]
fn interest_joins_the_principal_after_each_full_year() {
    // Two full years at 7 and 6 %, and one day of the third.
    let outcome =
        calculate("late-payment", "amount=1000&due=2023-12-31&paid=2026-01-01&debtor=consumer")
            .unwrap();
    let periods: Vec<_> = outcome.rows("periods").iter().map(|period| row(period)).collect();
    // 2024 has 366 days at 1/365 of the rate: 1000 × 7 % × 366 ÷ 365 = 70.19;
    // 1070.19178 × 6 % = 64.21; 1134.40329 × 4 % ÷ 365 = 0.12.
    let wanted = [
        ["2024-01-01", "2024-12-31", "366", "7", "70.19"],
        ["2025-01-01", "2025-12-31", "365", "6", "64.21"],
        ["2026-01-01", "2026-01-01", "1", "4", "0.12"],
    ];
    assert_eq!(periods, wanted);
    // Half-years with the same rate form one period. The delay is shorter than a year, so the
    // principal does not change either.
    let outcome =
        calculate("late-payment", "amount=1000&due=2025-07-14&paid=2026-06-30&debtor=business")
            .unwrap();
    assert_eq!(outcome.rows("periods").len(), 1);
}

#[test]
fn a_payment_on_time_costs_the_amount_only() {
    for paid in ["2026-05-14", "2026-05-01"] {
        let query = format!("amount=2420&due=2026-05-14&paid={paid}&debtor=consumer");
        assert_eq!(
            printed("late-payment", &query, &["days", "interest", "collectionCosts", "total"]),
            ["0", "0.00", "0.00", "2420.00"]
        );
    }
}

#[test]
fn days_without_a_published_rate_are_rejected_with_the_last_day() {
    let late = calculators::find("late-payment").unwrap();
    let faults = late
        .calculate(&[
            ("amount", "1"),
            ("due", "2022-12-30"),
            ("paid", "2027-01-01"),
            ("debtor", "business"),
        ])
        .unwrap_err();
    let bounds: Vec<_> = faults
        .iter()
        .map(|fault| {
            (fault.parameter.as_str(), fault.bounds.as_ref().map(|bounds| bounds.most.as_str()))
        })
        .collect();
    assert_eq!(bounds, [("due", Some("2026-12-30")), ("paid", Some("2026-12-31"))]);
    assert!(
        calculate("late-payment", "amount=1&due=2022-12-31&paid=2026-12-31&debtor=business")
            .is_ok()
    );
}

#[test]
fn collection_costs_follow_the_decree() {
    let cases = [
        ("0", "0.00"),
        ("100", "40.00"),
        ("266.67", "40.00"),
        ("2420", "363.00"),
        ("2500", "375.00"),
        ("3630", "488.00"),
        ("10000", "875.00"),
        ("200000", "2775.00"),
        ("1000000", "6775.00"),
        ("5000000", "6775.00"),
    ];
    for (amount, wanted) in cases {
        let query = format!("amount={amount}&due=2026-05-14&paid=2026-06-15&debtor=business");
        assert_eq!(printed("late-payment", &query, &["collectionCosts"]), [wanted], "{amount}");
    }
}

#[test]
fn the_hours_criterion_counts_the_days_that_are_left() {
    let names = ["required", "remaining", "weeksLeft", "hoursPerWeek", "met"];
    let cases = [
        ("on=2026-07-01&hours=600", ["1225", "625", "26.14", "23.91", "false"]),
        ("on=2026-12-31&hours=1224.5", ["1225", "0.5", "0", "null", "false"]),
        ("on=2026-12-31&hours=1225", ["1225", "0", "0", "0", "true"]),
        ("on=2026-01-01&hours=0", ["1225", "1225", "52", "23.56", "false"]),
    ];
    for (query, wanted) in cases {
        assert_eq!(printed("hours-criterion", query, &names), wanted, "{query}");
    }
    let books = ledger::hours::REQUIRED_HOURS.to_decimal().to_string();
    assert_eq!(
        printed("hours-criterion", "on=2026-01-01&hours=0", &["required"]),
        [books],
        "the bookkeeping requires the same hours"
    );
}

#[test]
fn the_small_businesses_scheme_ends_above_its_threshold() {
    let names = ["eligible", "threshold", "vatNotCharged", "inputVatLost", "advantage"];
    let cases = [
        (
            "year=2026&turnover=20000&vatOnSales=4200&inputVat=800",
            ["true", "20000.00", "4200.00", "800.00", "3400.00"],
        ),
        (
            "year=2026&turnover=5000&vatOnSales=450&inputVat=800",
            ["true", "20000.00", "450.00", "800.00", "-350.00"],
        ),
        (
            "year=2026&turnover=20000.01&vatOnSales=4200&inputVat=800",
            ["false", "20000.00", "0.00", "0.00", "0.00"],
        ),
    ];
    for (query, wanted) in cases {
        assert_eq!(printed("kor", query, &names), wanted, "{query}");
    }
}

#[test]
fn an_asset_loses_the_same_each_month_down_to_its_residual_value() {
    let outcome =
        calculate("depreciation", "cost=2000&residual=200&years=5&from=2026-04-15").unwrap();
    let rows: Vec<_> = outcome.rows("perYear").iter().map(|year| row(year)).collect();
    let wanted = [
        ["2026", "270.00", "1730.00"],
        ["2027", "360.00", "1370.00"],
        ["2028", "360.00", "1010.00"],
        ["2029", "360.00", "650.00"],
        ["2030", "360.00", "290.00"],
        ["2031", "90.00", "200.00"],
    ];
    assert_eq!(rows, wanted);
    assert_eq!(outcome.steps.len(), 1);
    assert_eq!(
        calculate("depreciation", "cost=2000&years=3&from=2026-01-01").unwrap().steps.len(),
        2,
        "depreciation above the maximum of tax law is reported"
    );
    assert_eq!(
        faults("depreciation", "cost=100&residual=100.01&years=5&from=2026-01-01"),
        [("residual".to_owned(), "out_of_range")]
    );
}

#[test]
fn kilometres_count_at_the_rate_of_their_year() {
    for (year, wanted) in [(2024, "230.00"), (2025, "230.00"), (2026, "250.00")] {
        assert_eq!(printed("mileage", &format!("year={year}&km=1000"), &["amount"]), [wanted]);
    }
}

#[test]
fn an_electric_car_keeps_the_percentage_of_its_first_year_for_sixty_months() {
    let cases = [
        ("year=2026&catalogueValue=45000&zeroEmission=false", "9900.00"),
        // 18 % of 30 000 and 22 % of 15 000.
        ("year=2026&catalogueValue=45000&zeroEmission=true", "8700.00"),
        ("year=2024&catalogueValue=20000&zeroEmission=true", "3200.00"),
        ("year=2027&catalogueValue=45000&zeroEmission=true", "9300.00"),
        // 2022: 16 % of 35 000 and 22 % of 10 000, through February 2027.
        ("year=2026&catalogueValue=45000&zeroEmission=true&firstAdmission=2022-02-20", "7800.00"),
        // 2020: 8 % of 45 000 through June 2025, then 17 % of 30 000 and 22 % of 15 000.
        ("year=2025&catalogueValue=45000&zeroEmission=true&firstAdmission=2020-06-10", "6000.00"),
        ("year=2026&catalogueValue=45000&zeroEmission=true&firstAdmission=2020-06-10", "8700.00"),
    ];
    for (query, wanted) in cases {
        assert_eq!(printed("car-benefit", query, &["benefit"]), [wanted], "{query}");
    }
    for admitted in ["2016-12-31", "2027-01-01"] {
        let query =
            format!("year=2026&catalogueValue=1&zeroEmission=true&firstAdmission={admitted}");
        assert_eq!(faults("car-benefit", &query), [("firstAdmission".to_owned(), "out_of_range")]);
    }
}

#[test]
fn the_next_deadline_of_each_kind() {
    let next = |query: &str| {
        calculate("deadlines", query)
            .unwrap()
            .rows("next")
            .iter()
            .map(|deadline| row(deadline))
            .collect::<Vec<_>>()
    };
    let wanted = [
        ["vatReturn", "2026-Q4", "2027-01-31", "2027-01-29", "71"],
        ["icp", "2026-Q4", "2027-01-31", "null", "71"],
        ["incomeTaxReturn", "2026", "2027-05-01", "null", "161"],
    ];
    assert_eq!(next("on=2026-11-21"), wanted);
    assert_eq!(
        next("on=2026-10-31&vatPeriod=month")[0],
        ["vatReturn", "2026-09", "2026-10-31", "2026-10-30", "0"]
    );
    assert_eq!(
        next("on=2026-11-21&vatPeriod=month")[0],
        ["vatReturn", "2026-10", "2026-11-30", "2026-11-30", "9"]
    );
    assert_eq!(
        next("on=2026-11-21&vatPeriod=year")[1],
        ["vatReturn", "2026", "2027-03-31", "2027-03-31", "130"]
    );
    assert_eq!(next("on=2099-12-31").len(), 3);
}

#[test]
fn identifiers_are_checked_by_form_and_check_digits() {
    let names = ["valid", "country", "normalised"];
    let cases = [
        ("vat-number", "nl 0024.55.799.B11", ["true", "NL", "NL002455799B11"]),
        ("vat-number", "EL123456789", ["true", "GR", "EL123456789"]),
        ("vat-number", "NL002455799B12", ["false", "null", "null"]),
        ("vat-number", "US1", ["false", "null", "null"]),
        ("kvk-number", "6875 0110", ["true", "NL", "68750110"]),
        ("kvk-number", "687501100000", ["false", "null", "null"]),
        ("iban", "NL91 ABNA 0417 1643 00", ["true", "NL", "NL91ABNA0417164300"]),
        ("iban", "NL92ABNA0417164300", ["false", "null", "null"]),
    ];
    for (id, value, wanted) in cases {
        assert_eq!(printed(id, &format!("value={value}"), &names), wanted, "{value}");
    }
    let overlong = "1".repeat(65);
    for id in ["vat-number", "kvk-number", "iban"] {
        assert_eq!(faults(id, &format!("value={overlong}")), [("value".to_owned(), "too_long")]);
        assert_eq!(faults(id, "value="), [("value".to_owned(), "required")]);
    }
}

proptest! {
    /// Tests that the profit found by `hourly-rate` gives exactly the requested net income in
    /// `income-tax`.
    #[test]
    fn the_hourly_rate_is_the_inverse_of_the_income_tax(
        year in 2024..=2026_i16,
        net in 0..20_000_000_i64,
        hours in 1..250_000_i64,
        costs in 0..5_000_000_i64,
        hours_criterion: bool,
        starter: bool,
    ) {
        let (net, hours, costs) = (Decimal::new(net, 2), Decimal::new(hours.max(100), 2), Decimal::new(costs, 2));
        let query = format!("year={year}&net={net}&billableHours={hours}&costs={costs}&hoursCriterion={hours_criterion}&starter={starter}");
        let found = printed("hourly-rate", &query, &["profit", "turnover", "rate"]);
        let query = format!("year={year}&profit={}&hoursCriterion={hours_criterion}&starter={starter}", found[0]);
        prop_assert_eq!(&printed("income-tax", &query, &["net"])[0], &crate::value::euros(&net));
        let number = |text: &str| ledger::decimal::parse(text).unwrap();
        let cent = Decimal::new(1, 2);
        if number(&found[0]) >= cent {
            let query = format!("year={year}&profit={}&hoursCriterion={hours_criterion}&starter={starter}", number(&found[0]) - cent);
            prop_assert!(number(&printed("income-tax", &query, &["net"])[0]) < net, "a cent less profit leaves the same net income");
        }
        let (turnover, rate) = (number(&found[1]), number(&found[2]));
        prop_assert!(rate * hours >= turnover && (rate - cent) * hours < turnover);
    }

    /// Tests that adding VAT, and then extracting VAT from the total, gives the same three amounts.
    #[test]
    fn vat_added_and_taken_out_again_is_the_same(amount in 0..1_000_000_000_i64, rate in 0..=10_000_i64) {
        let (amount, rate) = (Decimal::new(amount, 2), Decimal::new(rate, 2));
        let added = printed("vat", &format!("amount={amount}&rate={rate}"), &["excluding", "vat", "including"]);
        let back = printed("vat", &format!("amount={}&rate={rate}&mode=including", added[2]), &["excluding", "vat", "including"]);
        prop_assert_eq!(added, back);
    }

    /// Tests that each extra day of delay adds one day to the result and increases the interest.
    #[test]
    fn interest_grows_with_every_day(amount in 1..100_000_000_i64, due in 0..1_400_i32, days in 0..60_i32, business: bool) {
        let amount = Decimal::new(amount, 2);
        let due = jiff::civil::date(2023, 1, 1).checked_add(jiff::Span::new().days(due)).unwrap();
        let query = |late: i32| {
            let paid = due.checked_add(jiff::Span::new().days(late)).unwrap();
            format!("amount={amount}&due={due}&paid={paid}&debtor={}", if business { "business" } else { "consumer" })
        };
        if let (Ok(one), Ok(next)) = (calculate("late-payment", &query(days)), calculate("late-payment", &query(days + 1))) {
            let interest = |outcome: &Outcome| outcome.get("interest").and_then(Value::number).unwrap();
            prop_assert!(interest(&next) > interest(&one));
            prop_assert_eq!(next.get("days"), Some(&Value::Integer(i64::from(days) + 1)));
        }
    }
}
