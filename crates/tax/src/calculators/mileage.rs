//! Deduction for business kilometres with a private vehicle.

use crate::{
    calculator::{
        Arguments, Calculator, Input, InputKind, Outcome, Output, OutputKind, Run, Step, output,
        required,
    },
    fault::Fault,
    notation::words,
    value::Value,
    words::Words,
    year::{last_day, number, rows, years_of},
};
use std::sync::LazyLock;

static INPUTS: &[Input] = &[
    required(
        "year",
        InputKind::Year(years),
        Words::new("Jaar", "Year"),
        Words::new("Het belastingjaar.", "The tax year."),
        "2026",
    ),
    required(
        "km",
        InputKind::Number { least: 0, most: 1_000_000 },
        Words::new("Zakelijke kilometers", "Business kilometres"),
        Words::new(
            "Met eigen vervoer, woon-werkverkeer inbegrepen.",
            "With private transport, commuting included.",
        ),
        "4000",
    ),
];

static OUTPUTS: &[Output] =
    &[output("amount", OutputKind::Money, Words::new("Aftrek", "Deduction"))];

/// The calculator.
pub static CALCULATOR: Calculator = Calculator {
    id: "mileage",
    title: Words::new("Kilometervergoeding", "Mileage allowance"),
    description: Words::new(
        "Wat je voor zakelijke kilometers met je eigen (privé)auto, motor of fiets van de winst mag aftrekken.",
        "What may be deducted from the profit for business kilometres with a private car, motorcycle or bicycle.",
    ),
    inputs: INPUTS,
    outputs: OUTPUTS,
    run: Run::Query(run),
};

fn years() -> &'static [i16] {
    static YEARS: LazyLock<Vec<i16>> = LazyLock::new(|| years_of(&["mileage-allowance"]));
    &YEARS
}

fn run(arguments: &Arguments) -> Result<Outcome, Vec<Fault>> {
    let (year, km) = (arguments.year("year"), arguments.number("km"));
    let rows = rows("mileage-allowance", last_day(year));
    let row = *rows.first().ok_or_else(|| vec![Fault::unknown_year("year", years())])?;
    let each = number(row, "amountPerKm");
    let amount = km * each;
    let text = words(
        |n| format!("{} km maal {} per kilometer", n.number(km), n.euros(each)),
        |n| format!("{} km times {} a kilometre", n.number(km), n.euros(each)),
    );
    let steps = vec![Step::of("amount", text, Value::Money(amount), row)];
    Ok(Outcome { fields: vec![("amount", Value::Money(amount).into())], steps })
}
