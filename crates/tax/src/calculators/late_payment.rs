//! Statutory interest and collection costs for an invoice that is paid late.

use crate::{
    calculator::{
        Arguments, Calculator, Input, InputKind, Node, Outcome, Output, OutputKind, Run, Step,
        output, required,
    },
    dataset::{self, Row},
    fault::Fault,
    notation::words,
    value::Value,
    words::{Choice, Words},
    year::{Band, bands, number},
};
use jiff::{Span, ToSpan, civil::Date};
use ledger::decimal::Decimal;

static INPUTS: &[Input] = &[
    required(
        "amount",
        InputKind::Money { least: 0, most: 1_000_000_000 },
        Words::new("Bedrag", "Amount"),
        Words::new("Wat er openstaat, inclusief btw.", "What is outstanding, including VAT."),
        "2420",
    ),
    required(
        "due",
        InputKind::Date,
        Words::new("Vervaldatum", "Due date"),
        Words::new(
            "De laatste dag waarop de klant op tijd zou zijn.",
            "The last day on which the customer would be in time.",
        ),
        "2026-05-14",
    ),
    required(
        "paid",
        InputKind::Date,
        Words::new("Betaald op", "Paid on"),
        Words::new("De dag van betaling, of vandaag.", "The day of payment, or today."),
        "2026-09-15",
    ),
    required(
        "debtor",
        InputKind::Choice(DEBTORS),
        Words::new("De klant is", "The customer is"),
        Words::new(
            "Ondernemers betalen wettelijke handelsrente, particulieren wettelijke rente.",
            "Businesses pay statutory commercial interest, consumers statutory interest.",
        ),
        "business",
    ),
];

static DEBTORS: &[Choice] = &[
    Choice::new("business", "ondernemer", "a business"),
    Choice::new("consumer", "particulier", "a consumer"),
];

static PERIOD: &[Output] = &[
    output("from", OutputKind::Date, Words::new("Vanaf", "From")),
    output("to", OutputKind::Date, Words::new("Tot en met", "Until")),
    output("days", OutputKind::Integer, Words::new("Dagen", "Days")),
    output("rate", OutputKind::Percent, Words::new("Rente per jaar", "Rate a year")),
    output("interest", OutputKind::Money, Words::new("Rente", "Interest")),
];

static OUTPUTS: &[Output] = &[
    output("days", OutputKind::Integer, Words::new("Dagen te laat", "Days late")),
    output("periods", OutputKind::Rows(PERIOD), Words::new("Per tijdvak", "By period")),
    output("interest", OutputKind::Money, Words::new("Rente", "Interest")),
    output("collectionCosts", OutputKind::Money, Words::new("Incassokosten", "Collection costs")),
    output("total", OutputKind::Money, Words::new("Te vorderen", "To claim")),
];

/// The calculator.
pub static CALCULATOR: Calculator = Calculator {
    id: "late-payment",
    title: Words::new("Rente en incassokosten", "Interest and collection costs"),
    description: Words::new(
        "Wat je van een klant die te laat betaalt mag vorderen. De rente loopt vanaf de dag na de vervaldatum tot en met de dag van betaling, met 365 dagen per jaar; na elk vol jaar komt die bij de hoofdsom. Een particulier is de incassokosten pas verschuldigd na een aanmaning (veertiendagenbrief) die dit bedrag noemt en veertien dagen geeft, vanaf de dag na ontvangst.",
        "What may be claimed from a customer who pays late. Interest runs from the day after the due date up to and including the day of payment, with 365 days a year; after each full year it joins the principal. A consumer owes collection costs only after a reminder (14-day letter) that names this amount gave fourteen days, from the day after its receipt.",
    ),
    inputs: INPUTS,
    outputs: OUTPUTS,
    run: Run::Query(run),
};

/// Earliest day on which a consumer may owe collection costs, as a number of days after the due
/// date. If a reminder is sent and received on the day after the due date, its term of fourteen
/// days runs from the day after its receipt (art. 6:96(6) BW).
const CONSUMER_EARLIEST: i64 = 16;

/// Consecutive days of delay with the same rate and principal.
struct Period {
    from: Date,
    to: Date,
    rate: Decimal,
    principal: Decimal,
}

impl Period {
    fn days(&self) -> i32 {
        (self.to - self.from).get_days() + 1
    }

    /// Interest in euros, unrounded: 1/365 of the annual rate per day, even in leap years.
    fn interest(&self) -> Decimal {
        self.principal * self.rate * Decimal::from(self.days()) / Decimal::from(36_500)
    }
}

fn run(arguments: &Arguments) -> Result<Outcome, Vec<Fault>> {
    let amount = arguments.number("amount");
    let (Some(due), Some(paid)) = (arguments.date("due"), arguments.date("paid")) else {
        return Err(vec![Fault::required("due"), Fault::required("paid")]);
    };
    let business = arguments.text("debtor") == "business";
    let rates = rates(if business { "commercial" } else { "consumer" });
    let late = paid > due;
    let periods = if late { periods(amount, due, paid, &rates)? } else { Vec::new() };
    let interest: Decimal = periods.iter().map(Period::interest).sum();
    let bands = if late { bands("collection-costs", paid) } else { Vec::new() };
    let owed_from = (!business).then(|| due.saturating_add(CONSUMER_EARLIEST.days()));
    let may_be_owed = owed_from.is_none_or(|earliest| paid >= earliest);
    let costs = if may_be_owed { collection_costs(&bands, amount) } else { Decimal::ZERO };
    let total = amount + interest + costs;
    let days = periods.iter().map(|period| i64::from(period.days())).sum();
    let rows = periods.iter().map(|period| {
        vec![
            ("from", Some(Value::Date(period.from))),
            ("to", Some(Value::Date(period.to))),
            ("days", Some(Value::Integer(period.days().into()))),
            ("rate", Some(Value::Percent(period.rate))),
            ("interest", Some(Value::Money(period.interest()))),
        ]
    });
    let fields = vec![
        ("days", Value::Integer(days).into()),
        ("periods", Node::Rows(rows.collect())),
        ("interest", Value::Money(interest).into()),
        ("collectionCosts", Value::Money(costs).into()),
        ("total", Value::Money(total).into()),
    ];
    let mut steps: Vec<Step> = periods.iter().map(|period| interest_step(period, &rates)).collect();
    steps.push(costs_step(&bands, costs, owed_from));
    let text =
        Words::new("Bedrag, rente en incassokosten", "Amount, interest and collection costs");
    steps.push(Step::new("total", text, Value::Money(total), "bw-6-96"));
    Ok(Outcome { fields, steps })
}

/// A rate with its period of validity.
struct Rate {
    from: Date,
    to: Date,
    rate: Decimal,
    row: &'static Row,
}

/// Rates of a kind, oldest first.
fn rates(kind: &str) -> Vec<Rate> {
    let rows = dataset::find("statutory-interest").map(dataset::Dataset::rows).unwrap_or_default();
    let of_kind = rows.iter().filter(|row| row.get("kind").and_then(Value::text) == Some(kind));
    let rate = |row: &'static Row| Rate {
        from: row.valid_from,
        to: row.valid_to.unwrap_or(Date::MAX),
        rate: number(row, "rate"),
        row,
    };
    let mut rates: Vec<Rate> = of_kind.map(rate).collect();
    rates.sort_by_key(|rate| rate.from);
    rates
}

/// Splits the days of delay where the rate changes and after each full year of delay.
fn periods(
    amount: Decimal,
    due: Date,
    paid: Date,
    rates: &[Rate],
) -> Result<Vec<Period>, Vec<Fault>> {
    let start = due.tomorrow().map_err(|_| vec![Fault::invalid_date("due")])?;
    within(start, paid, rates)?;
    let mut periods: Vec<Period> = Vec::new();
    let (mut from, mut principal, mut years, mut accrued) = (start, amount, 1, Decimal::ZERO);
    while from <= paid {
        let anniversary = start.checked_add(Span::new().years(years)).unwrap_or(Date::MAX);
        let Some(Rate { rate, .. }) =
            rates.iter().find(|rate| (rate.from..=rate.to).contains(&from))
        else {
            break;
        };
        // Half-years with the same rate form one period.
        let changes = rates
            .iter()
            .find(|other| other.from > from && other.rate != *rate)
            .map_or(Date::MAX, |other| other.from);
        let to = paid.min(before(anniversary)).min(before(changes));
        let period = Period { from, to, rate: *rate, principal };
        accrued += period.interest();
        periods.push(period);
        let Ok(next) = to.tomorrow() else { break };
        if next == anniversary {
            principal += accrued;
            (accrued, years) = (Decimal::ZERO, years + 1);
        }
        from = next;
    }
    Ok(periods)
}

fn before(day: Date) -> Date {
    day.yesterday().unwrap_or(day)
}

/// Rejects a period that includes days without a published rate. Reports the faults in both dates
/// at once, with the first and last valid day.
fn within(start: Date, paid: Date, rates: &[Rate]) -> Result<(), Vec<Fault>> {
    let (Some(Rate { from: first, .. }), Some(Rate { to: last, .. })) =
        (rates.first(), rates.last())
    else {
        return Err(vec![Fault::required("due")]);
    };
    let mut faults = Vec::new();
    if start < *first || start > *last {
        faults.push(Fault::out_of_range("due", before(*first), before(*last)));
    }
    if paid > *last {
        let words = Words::owned(
            format!(
                "De wettelijke rente is bekend tot en met {last}. Geef voor paid een dag tot en met {last}."
            ),
            format!("Statutory interest is known up to {last}. Give a day up to {last} for paid."),
        );
        faults.push(Fault::new("paid", "out_of_range", words).with_bounds(first, last));
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

/// Collection costs for an amount in euros, under the figures in force on the given day.
pub(crate) fn collection_costs_of(amount: Decimal, on: Date) -> Decimal {
    collection_costs(&bands("collection-costs", on), amount)
}

/// Maximum collection costs (art. 2 Besluit vergoeding voor buitengerechtelijke incassokosten).
fn collection_costs(bands: &[Band], amount: Decimal) -> Decimal {
    let exact: Decimal =
        bands.iter().map(|band| band.part_of(amount) * band.percent / Decimal::ONE_HUNDRED).sum();
    let least = bands.iter().map(|band| band.minimum).max().unwrap_or_default();
    let most = bands.iter().map(|band| band.maximum).max().unwrap_or_default();
    if amount.is_zero() { Decimal::ZERO } else { exact.clamp(least, most) }
}

fn interest_step(period: &Period, rates: &[Rate]) -> Step {
    let (days, from, to) = (period.days(), period.from, period.to);
    let text = words(
        |n| {
            let days = if days == 1 { "1 dag".to_owned() } else { format!("{days} dagen") };
            let (from, to, rate) = (n.date(from), n.date(to), n.rate(period.rate));
            format!(
                "{days} ({from} tot en met {to}) {rate} per jaar over {}, gedeeld door 365",
                n.euros(period.principal)
            )
        },
        |n| {
            let days = if days == 1 { "1 day".to_owned() } else { format!("{days} days") };
            let (from, to, rate) = (n.date(from), n.date(to), n.rate(period.rate));
            format!(
                "{days} ({from} to {to}) at {rate} a year on {}, divided by 365",
                n.euros(period.principal)
            )
        },
    );
    let figures =
        rates.iter().filter(|rate| rate.from <= to && rate.to >= from).map(|rate| rate.row);
    Step::new("interest", text, Value::Money(period.interest()), "bw-6-119a").with_figures(figures)
}

/// Step with the collection costs and, for a consumer, the earliest date on which they are owed.
fn costs_step(bands: &[Band], costs: Decimal, owed_from: Option<Date>) -> Step {
    let (text, rule) = match owed_from {
        None => {
            let text = Words::new(
                "Incassokosten; een ondernemer is ze zonder aanmaning verschuldigd",
                "Collection costs; a business owes them without a reminder",
            );
            (text, "besluit-bik")
        }
        Some(earliest) => {
            let text = words(
                |n| {
                    format!(
                        "Incassokosten; een particulier is ze pas verschuldigd na een aanmaning (veertiendagenbrief) die dit bedrag noemt en veertien dagen geeft, dus op zijn vroegst vanaf {}",
                        n.date(earliest)
                    )
                },
                |n| {
                    format!(
                        "Collection costs; a consumer owes them only after a reminder (14-day letter) that names this amount and gives fourteen days, so from {} at the earliest",
                        n.date(earliest)
                    )
                },
            );
            (text, "bw-6-96")
        }
    };
    Step::new("collectionCosts", text, Value::Money(costs), rule)
        .with_figures(bands.iter().map(|band| band.row))
}
