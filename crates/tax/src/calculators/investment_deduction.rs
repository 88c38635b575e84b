//! Small-scale investment deduction (KIA) for a year's investments.

use super::income_tax;
use crate::{
    calculator::{
        Arguments, Calculator, Input, InputKind, Outcome, Output, OutputKind, Run, Step, output,
        required,
    },
    fault::Fault,
    notation::words,
    value::Value,
    words::Words,
    year::{band_of, bands, last_day, years_of},
};
use std::sync::LazyLock;

static INPUTS: &[Input] = &[
    required(
        "year",
        InputKind::Year(years),
        Words::new("Jaar", "Year"),
        Words::new(
            "Het jaar waarin je de verplichting aanging.",
            "The year in which you committed to the purchases.",
        ),
        "2026",
    ),
    required(
        "investments",
        InputKind::Money { least: 0, most: income_tax::MOST },
        Words::new("Investeringen", "Investments"),
        Words::new(
            "Alle bedrijfsmiddelen van het jaar die meetellen, exclusief aftrekbare btw.",
            "All business assets of the year that count, excluding deductible VAT.",
        ),
        "5000",
    ),
];

static OUTPUTS: &[Output] =
    &[output("deduction", OutputKind::Money, Words::new("Aftrek", "Deduction"))];

/// The calculator.
pub static CALCULATOR: Calculator = Calculator {
    id: "investment-deduction",
    title: Words::new(
        "Kleinschaligheidsinvesteringsaftrek (KIA)",
        "Small-scale investment deduction (KIA)",
    ),
    description: Words::new(
        "Wat je over de investeringen van een kalenderjaar extra van de winst mag aftrekken, naast de afschrijving. Bedrijfsmiddelen onder € 450 tellen niet mee, en enkele soorten nooit, zoals grond, woningen en personenauto's zonder beroepsvervoer.",
        "What may be deducted from the profit over the investments of a calendar year, beside depreciation. Assets below €450 do not count, and some kinds never do, such as land, dwellings, and cars that are not for professional transport.",
    ),
    inputs: INPUTS,
    outputs: OUTPUTS,
    run: Run::Query(run),
};

fn years() -> &'static [i16] {
    static YEARS: LazyLock<Vec<i16>> = LazyLock::new(|| years_of(&["investment-deduction"]));
    &YEARS
}

fn run(arguments: &Arguments) -> Result<Outcome, Vec<Fault>> {
    let (year, investments) = (arguments.year("year"), arguments.number("investments"));
    let bands = bands("investment-deduction", last_day(year));
    let deduction = income_tax::investment_deduction(&bands, investments);
    let text = words(
        |n| format!("Aftrek over {} aan investeringen in {year}", n.euros(investments)),
        |n| format!("Deduction over {} of investments in {year}", n.euros(investments)),
    );
    let figures = band_of(&bands, investments).map(|band| band.row);
    let steps = vec![
        Step::new("deduction", text, Value::Money(deduction), "wet-ib-3.41").with_figures(figures),
    ];
    Ok(Outcome { fields: vec![("deduction", Value::Money(deduction).into())], steps })
}
