//! Amount added to profit for the private use of a business car in a year.

use crate::{
    calculator::{
        Arguments, Calculator, Input, InputKind, Outcome, Output, OutputKind, Run, Step, optional,
        output, required,
    },
    dataset::Row,
    fault::Fault,
    notation::words,
    value::Value,
    words::Words,
    year::{last_day, number, row, years_of},
};
use jiff::civil::{Date, date};
use ledger::decimal::Decimal;
use std::sync::LazyLock;

/// Months during which an electric car keeps the percentage of its first year (art. 3.20 Wet IB
/// 2001).
const KEPT_MONTHS: i32 = 60;

static INPUTS: &[Input] = &[
    required(
        "year",
        InputKind::Year(years),
        Words::new("Jaar", "Year"),
        Words::new("Het belastingjaar.", "The tax year."),
        "2026",
    ),
    required(
        "catalogueValue",
        InputKind::Money { least: 0, most: 10_000_000 },
        Words::new("Cataloguswaarde", "List price"),
        Words::new(
            "Inclusief btw en bpm, bij de eerste toelating.",
            "Including VAT and car tax (bpm), at first admission.",
        ),
        "45000",
    ),
    required(
        "zeroEmission",
        InputKind::Boolean,
        Words::new("Zonder uitstoot", "Zero emission"),
        Words::new("Volledig elektrisch.", "Fully electric."),
        "true",
    ),
    optional(
        "firstAdmission",
        InputKind::Date,
        None,
        Words::new("Eerste toelating", "First admission"),
        Words::new(
            "De dag waarop de auto voor het eerst op de weg mocht; zonder: in dit jaar.",
            "The day on which the car was first admitted to the road; this year when left out.",
        ),
        "",
    ),
];

static OUTPUTS: &[Output] =
    &[output("benefit", OutputKind::Money, Words::new("Bijtelling", "Addition to the profit"))];

/// The calculator.
pub static CALCULATOR: Calculator = Calculator {
    id: "car-benefit",
    title: Words::new("Bijtelling auto van de zaak", "Private use of a business car"),
    description: Words::new(
        "Wat bij de winst komt omdat een auto van de zaak het hele jaar ook privé beschikbaar is. Nooit meer dan de kosten van de auto zelf; dat rekent dit niet na. Auto's van vóór 2017, youngtimers en auto's op waterstof of zonnecellen hebben andere regels.",
        "What is added to the profit because a business car is at your private disposal all year. Never more than the car itself costs; that is not checked here. Cars from before 2017, older cars (youngtimers) and cars on hydrogen or solar cells have other rules.",
    ),
    inputs: INPUTS,
    outputs: OUTPUTS,
    run: Run::Query(run),
};

fn years() -> &'static [i16] {
    static YEARS: LazyLock<Vec<i16>> = LazyLock::new(|| {
        years_of(&["car-benefit"]).into_iter().filter(|year| *year >= 2024).collect()
    });
    &YEARS
}

fn run(arguments: &Arguments) -> Result<Outcome, Vec<Fault>> {
    let (year, value) = (arguments.year("year"), arguments.number("catalogueValue"));
    let kind = if arguments.flag("zeroEmission") { "zeroEmission" } else { "standard" };
    let admitted = arguments.date("firstAdmission").unwrap_or(date(year, 1, 1));
    let (earliest, latest) = (date(2017, 1, 1), last_day(year));
    if !(earliest..=latest).contains(&admitted) {
        return Err(vec![Fault::out_of_range("firstAdmission", earliest, latest)]);
    }
    let of_year = |on| row("car-benefit", on, &[("kind", kind)]);
    let now = of_year(last_day(year)).ok_or_else(|| vec![Fault::unknown_year("year", years())])?;
    // For a number of whole months, the percentage of the year of first admission still applies;
    // for the other months, the percentage of this year.
    let kept = if kind == "zeroEmission" { of_year(admitted) } else { None };
    let kept_months = kept.map_or(0, |_| months_kept(admitted, year));
    let mut benefit = Decimal::ZERO;
    let mut steps = Vec::new();
    for (row, months) in
        kept.map(|row| (row, kept_months)).into_iter().chain([(now, 12 - kept_months)])
    {
        if months > 0 {
            let part = of_value(row, value) * Decimal::from(months) / Decimal::from(12);
            benefit += part;
            steps.push(step(row, value, months, part));
        }
    }
    Ok(Outcome { fields: vec![("benefit", Value::Money(benefit).into())], steps })
}

/// Number of months of the year that fall within the sixty months beginning with the month after
/// first admission. In the year of first admission the result is 12, because the same percentage
/// applies to the earlier months.
fn months_kept(admitted: Date, year: i16) -> i32 {
    let since_year_zero = |year: i16, month: i8| i32::from(year) * 12 + i32::from(month) - 1;
    let ends = since_year_zero(admitted.year(), admitted.month()) + 1 + KEPT_MONTHS;
    (ends - since_year_zero(year, 1)).clamp(0, 12)
}

/// Benefit for a whole year under the percentages of a row.
fn of_value(row: &Row, value: Decimal) -> Decimal {
    let limit = row.get("upTo").and_then(Value::number).unwrap_or(value);
    let (below, above) = (value.min(limit), (value - limit).max(Decimal::ZERO));
    (below * number(row, "percent") + above * number(row, "percentAbove")) / Decimal::ONE_HUNDRED
}

fn step(row: &'static Row, value: Decimal, months: i32, part: Decimal) -> Step {
    let (percent, above) = (number(row, "percent"), number(row, "percentAbove"));
    let text = match row.get("upTo").and_then(Value::number).filter(|limit| value > *limit) {
        Some(limit) => words(
            |n| {
                format!(
                    "{} over {} en {} over de rest, {months} van 12 maanden",
                    n.rate(percent),
                    n.euros(limit),
                    n.rate(above)
                )
            },
            |n| {
                format!(
                    "{} of {} and {} of the rest, {months} of 12 months",
                    n.rate(percent),
                    n.euros(limit),
                    n.rate(above)
                )
            },
        ),
        None => words(
            |n| format!("{} over {}, {months} van 12 maanden", n.rate(percent), n.euros(value)),
            |n| format!("{} of {}, {months} of 12 months", n.rate(percent), n.euros(value)),
        ),
    };
    Step::of("benefit", text, Value::Money(part), row)
}
