//! Hours still needed this year for the hours criterion.

use crate::{
    calculator::{
        Arguments, Calculator, Input, InputKind, Node, Outcome, Output, OutputKind, Run, Step,
        optional_output, output, required,
    },
    fault::Fault,
    notation::words,
    value::{Value, round},
    words::Words,
    year::{last_day, number, row},
};
use ledger::decimal::Decimal;

static INPUTS: &[Input] = &[
    required(
        "on",
        InputKind::Date,
        Words::new("Op", "On"),
        Words::new(
            "Tot en met deze dag heb je de uren geteld.",
            "The day up to and including which the hours were counted.",
        ),
        "2026-07-01",
    ),
    required(
        "hours",
        InputKind::Number { least: 0, most: 8784 },
        Words::new("Uren tot nu toe", "Hours so far"),
        Words::new(
            "Alle uren van dit jaar voor je bedrijf, ook offertes, administratie en reistijd.",
            "All hours of this year for your business, quotes, bookkeeping and travelling included.",
        ),
        "600",
    ),
];

static OUTPUTS: &[Output] = &[
    output("required", OutputKind::Number, Words::new("Nodig", "Required")),
    output("remaining", OutputKind::Number, Words::new("Nog te gaan", "Remaining")),
    output(
        "weeksLeft",
        OutputKind::Number,
        Words::new("Weken tot het jaareinde", "Weeks left in the year"),
    ),
    optional_output(
        "hoursPerWeek",
        OutputKind::Number,
        Words::new("Uren per week", "Hours a week"),
    ),
    output("met", OutputKind::Boolean, Words::new("Gehaald", "Met")),
];

/// The calculator.
pub static CALCULATOR: Calculator = Calculator {
    id: "hours-criterion",
    title: Words::new("Urencriterium", "Hours criterion"),
    description: Words::new(
        "Hoeveel uren je dit kalenderjaar nog nodig hebt voor het urencriterium. Het aantal wordt niet verlaagd als je in de loop van het jaar begint. Ben je langer dan vijf jaar ondernemer, dan moet je ook meer dan de helft van je werktijd aan je bedrijf besteden; dat rekent dit niet na.",
        "How many hours this calendar year still needs for the hours criterion. The number is not lowered if you start during the year. After more than five years as an entrepreneur you must also spend more than half of your working time on the business; that is not checked here.",
    ),
    inputs: INPUTS,
    outputs: OUTPUTS,
    run: Run::Query(run),
};

fn run(arguments: &Arguments) -> Result<Outcome, Vec<Fault>> {
    let on = arguments.date("on").ok_or_else(|| vec![Fault::required("on")])?;
    let hours = arguments.number("hours");
    let criterion = row("thresholds", on, &[("id", "hoursCriterion")])
        .ok_or_else(|| vec![Fault::invalid_date("on")])?;
    let required = number(criterion, "value");
    let remaining = (required - hours).max(Decimal::ZERO);
    let days = (last_day(on.year()) - on).get_days();
    let seven = Decimal::from(7);
    let weeks = round(&(Decimal::from(days) / seven), 2);
    // On 31 December no days remain, so there are no hours per week to compute.
    let per_week = if remaining.is_zero() {
        Some(Decimal::ZERO)
    } else {
        (days > 0).then(|| round(&(remaining * seven / Decimal::from(days)), 2))
    };
    let text = words(
        |n| format!("{} uur nodig, {} uur gemaakt", n.number(required), n.number(hours)),
        |n| format!("{} hours required, {} hours made", n.number(required), n.number(hours)),
    );
    let steps = vec![
        Step::new("remaining", text, Value::Number(remaining), "wet-ib-3.6")
            .with_figures([criterion]),
    ];
    let fields = vec![
        ("required", Value::Number(required).into()),
        ("remaining", Value::Number(remaining).into()),
        ("weeksLeft", Value::Number(weeks).into()),
        ("hoursPerWeek", Node::Value(per_week.map(Value::Number))),
        ("met", Value::Boolean(remaining.is_zero()).into()),
    ];
    Ok(Outcome { fields, steps })
}
