//! Straight-line depreciation of a business asset, year by year.

use crate::{
    calculator::{
        Arguments, Calculator, Input, InputKind, Node, Outcome, Output, OutputKind, Run, Step,
        optional, output, required,
    },
    fault::Fault,
    notation::words,
    value::{Value, cents},
    words::{Choice, Words},
    year::{last_day, number, row},
};
use ledger::decimal::Decimal;

const MOST: i64 = 100_000_000;

static INPUTS: &[Input] = &[
    required(
        "cost",
        InputKind::Money { least: 0, most: MOST },
        Words::new("Aanschafkosten", "Cost"),
        Words::new("Exclusief aftrekbare btw.", "Excluding deductible VAT."),
        "2000",
    ),
    optional(
        "residual",
        InputKind::Money { least: 0, most: MOST },
        Some("0"),
        Words::new("Restwaarde", "Residual value"),
        Words::new(
            "Wat het na de gebruiksduur nog waard is.",
            "What it is still worth at the end.",
        ),
        "200",
    ),
    required(
        "years",
        InputKind::Integer { least: 1, most: 50 },
        Words::new("Gebruiksduur in jaren", "Years of use"),
        Words::new("Meestal minstens vijf jaar.", "Usually at least five years."),
        "5",
    ),
    required(
        "from",
        InputKind::Date,
        Words::new("In gebruik vanaf", "In use from"),
        Words::new(
            "De maand van deze dag telt helemaal mee.",
            "The month of this day counts in full.",
        ),
        "2026-04-01",
    ),
    optional(
        "method",
        InputKind::Choice(METHODS),
        Some("linear"),
        Words::new("Methode", "Method"),
        Words::new("Elk jaar evenveel.", "The same each year."),
        "linear",
    ),
];

static METHODS: &[Choice] = &[Choice::new("linear", "lineair", "straight-line")];

static ROW: &[Output] = &[
    output("year", OutputKind::Integer, Words::new("Jaar", "Year")),
    output("amount", OutputKind::Money, Words::new("Afschrijving", "Depreciation")),
    output(
        "bookValue",
        OutputKind::Money,
        Words::new("Boekwaarde aan het einde", "Book value at the end"),
    ),
];

static OUTPUTS: &[Output] =
    &[output("perYear", OutputKind::Rows(ROW), Words::new("Per jaar", "By year"))];

/// The calculator.
pub static CALCULATOR: Calculator = Calculator {
    id: "depreciation",
    title: Words::new("Afschrijving", "Depreciation"),
    description: Words::new(
        "Hoe een bedrijfsmiddel elk jaar in waarde daalt: elke maand evenveel, vanaf de maand van ingebruikname, tot de restwaarde. Fiscaal is hoogstens 20% van de aanschafkosten per jaar toegestaan, tenzij je willekeurig mag afschrijven.",
        "How the value of a business asset falls each year: the same each month, from the month in which it is taken into use, down to the residual value. For tax at most 20% of the cost a year is allowed, unless discretionary depreciation applies.",
    ),
    inputs: INPUTS,
    outputs: OUTPUTS,
    run: Run::Query(run),
};

fn run(arguments: &Arguments) -> Result<Outcome, Vec<Fault>> {
    let (cost, residual, years) =
        (arguments.number("cost"), arguments.number("residual"), arguments.integer("years"));
    let from = arguments.date("from").ok_or_else(|| vec![Fault::required("from")])?;
    if residual > cost {
        return Err(vec![Fault::out_of_range("residual", 0, cost)]);
    }
    let months = years * 12;
    // Cumulative depreciation after a number of months. It is rounded to cents, so that the years
    // add up to the total.
    let written_off =
        |month: i64| cents(&((cost - residual) * Decimal::from(month) / Decimal::from(months)));
    let (mut rows, mut passed, mut year) = (Vec::new(), 0, from.year());
    let mut in_year = i64::from(13 - from.month());
    while passed < months {
        let reached = (passed + in_year).min(months);
        let amount = written_off(reached) - written_off(passed);
        rows.push(vec![
            ("year", Some(Value::Integer(year.into()))),
            ("amount", Some(Value::Money(amount))),
            ("bookValue", Some(Value::Money(cost - written_off(reached)))),
        ]);
        (passed, year, in_year) = (reached, year + 1, 12);
    }
    let whole_year = (cost - residual) / Decimal::from(years);
    let mut steps = vec![Step::new(
        "perYear",
        words(
            |n| {
                format!(
                    "({} − {}) ÷ {years} jaar: zoveel in een heel jaar",
                    n.euros(cost),
                    n.euros(residual)
                )
            },
            |n| {
                format!(
                    "({} − {}) ÷ {years} years: as much in a whole year",
                    n.euros(cost),
                    n.euros(residual)
                )
            },
        ),
        Value::Money(whole_year),
        "wet-ib-3.30",
    )];
    steps.extend(cap(cost, whole_year, from));
    Ok(Outcome { fields: vec![("perYear", Node::Rows(rows))], steps })
}

/// Returns a step that states the maximum under tax law, if the depreciation of a whole year
/// exceeds it.
fn cap(cost: Decimal, whole_year: Decimal, from: jiff::civil::Date) -> Option<Step> {
    let row = row("thresholds", from.max(last_day(2024)), &[("id", "depreciationPercent")])?;
    let percent = number(row, "value");
    let most = cost * percent / Decimal::ONE_HUNDRED;
    (whole_year > most).then(|| {
        let text = words(
            |n| {
                format!(
                    "Fiscaal hoogstens {} per jaar, tenzij je willekeurig mag afschrijven: kies een langere gebruiksduur",
                    n.rate(percent)
                )
            },
            |n| {
                format!(
                    "For tax {} a year at most, unless discretionary depreciation applies: choose more years",
                    n.rate(percent)
                )
            },
        );
        Step::of("maximum", text, Value::Money(most), row)
    })
}
