//! Eligibility for the small businesses scheme (KOR), and its financial advantage.

use crate::{
    calculator::{
        Arguments, Calculator, Input, InputKind, Outcome, Output, OutputKind, Run, Step, output,
        required,
    },
    dataset::{self, Row},
    fault::Fault,
    notation::words,
    value::Value,
    words::Words,
    year::{last_day, number, row},
};
use ledger::decimal::Decimal;
use std::sync::LazyLock;

const MOST: i64 = 100_000_000;

static INPUTS: &[Input] = &[
    required(
        "year",
        InputKind::Year(years),
        Words::new("Jaar", "Year"),
        Words::new(
            "Het jaar waarin je de regeling zou gebruiken.",
            "The year in which you would use the scheme.",
        ),
        "2026",
    ),
    required(
        "turnover",
        InputKind::Money { least: 0, most: MOST },
        Words::new("Omzet", "Revenue"),
        Words::new(
            "De hoogste van de omzet van dit jaar en van het vorige, exclusief btw.",
            "The higher of this year's revenue and the previous year's, excluding VAT.",
        ),
        "15000",
    ),
    required(
        "vatOnSales",
        InputKind::Money { least: 0, most: MOST },
        Words::new("Btw over de omzet", "VAT on sales"),
        Words::new(
            "De btw die je zonder de regeling zou rekenen.",
            "The VAT that you would charge without the scheme.",
        ),
        "3150",
    ),
    required(
        "inputVat",
        InputKind::Money { least: 0, most: MOST },
        Words::new("Voorbelasting", "Input VAT"),
        Words::new(
            "De btw op je uitgaven die je zonder de regeling zou terugkrijgen.",
            "The VAT on your purchases that you would deduct without the scheme.",
        ),
        "800",
    ),
];

static OUTPUTS: &[Output] = &[
    output("eligible", OutputKind::Boolean, Words::new("Mag je meedoen", "Open to you")),
    output("threshold", OutputKind::Money, Words::new("Omzetgrens", "Revenue threshold")),
    output(
        "vatNotCharged",
        OutputKind::Money,
        Words::new("Btw die je niet rekent", "VAT not charged"),
    ),
    output(
        "inputVatLost",
        OutputKind::Money,
        Words::new("Voorbelasting die je verliest", "Input VAT lost"),
    ),
    output("advantage", OutputKind::Money, Words::new("Voordeel", "Advantage")),
];

/// The calculator.
pub static CALCULATOR: Calculator = Calculator {
    id: "kor",
    title: Words::new("Kleineondernemersregeling (KOR)", "Small businesses scheme (KOR)"),
    description: Words::new(
        "Of je onder de omzetgrens van de kleineondernemersregeling blijft, en wat die scheelt. Het voordeel is er alleen als je prijzen gelijk blijven, dus vooral bij particuliere klanten: ondernemers trekken de btw toch af. Boven de grens is er geen regeling, dus ook geen voordeel of nadeel.",
        "Whether you stay below the threshold of the small businesses scheme, and what it makes. The advantage is there only if your prices stay the same, so mostly with private customers: businesses deduct the VAT anyway. Above the threshold there is no scheme, and so no advantage or disadvantage.",
    ),
    inputs: INPUTS,
    outputs: OUTPUTS,
    run: Run::Query(run),
};

/// Valid years: from the first year of the current scheme to the year after the last update of the
/// figures.
fn years() -> &'static [i16] {
    static YEARS: LazyLock<Vec<i16>> = LazyLock::new(|| {
        let checked = dataset::find("thresholds").map_or(2020, |dataset| dataset.updated.year());
        (2020..=checked + 1).collect()
    });
    &YEARS
}

/// Turnover limit for a year in euros; `None` before 2020, when the scheme had another form.
#[must_use]
pub fn limit(year: i16) -> Option<Decimal> {
    limit_row(year).map(|row| number(row, "value"))
}

/// Total revision of VAT for a year, in euros, below which it is waived if the scheme caused it;
/// `None` before 2020.
#[must_use]
pub fn revision_waiver(year: i16) -> Option<Decimal> {
    row("thresholds", last_day(year), &[("id", "vatRevisionWaiver")])
        .map(|row| number(row, "value"))
}

fn limit_row(year: i16) -> Option<&'static Row> {
    row("thresholds", last_day(year), &[("id", "korTurnover")])
}

fn run(arguments: &Arguments) -> Result<Outcome, Vec<Fault>> {
    let year = arguments.year("year");
    let row = limit_row(year).ok_or_else(|| vec![Fault::unknown_year("year", years())])?;
    let threshold = number(row, "value");
    let turnover = arguments.number("turnover");
    let eligible = turnover <= threshold;
    let within = |amount: Decimal| if eligible { amount } else { Decimal::ZERO };
    let (charged, lost) =
        (within(arguments.number("vatOnSales")), within(arguments.number("inputVat")));
    let advantage = charged - lost;
    let steps = vec![
        Step::new(
            "threshold",
            words(
                |n| {
                    format!(
                        "De omzet van {} blijft {} de grens",
                        n.euros(turnover),
                        if eligible { "binnen" } else { "niet binnen" }
                    )
                },
                |n| {
                    format!(
                        "Revenue of {} {} the threshold",
                        n.euros(turnover),
                        if eligible { "is within" } else { "is above" }
                    )
                },
            ),
            Value::Money(threshold),
            "wet-ob-25",
        )
        .with_figures([row]),
        Step::new(
            "advantage",
            words(
                |n| {
                    format!(
                        "{} btw die je niet rekent, min {} voorbelasting die je verliest",
                        n.euros(charged),
                        n.euros(lost)
                    )
                },
                |n| {
                    format!(
                        "{} of VAT not charged, less {} of input VAT lost",
                        n.euros(charged),
                        n.euros(lost)
                    )
                },
            ),
            Value::Money(advantage),
            "wet-ob-25",
        ),
    ];
    let fields = vec![
        ("eligible", Value::Boolean(eligible).into()),
        ("threshold", Value::Money(threshold).into()),
        ("vatNotCharged", Value::Money(charged).into()),
        ("inputVatLost", Value::Money(lost).into()),
        ("advantage", Value::Money(advantage).into()),
    ];
    Ok(Outcome { fields, steps })
}
