//! Statutory interest and collection costs on an invoice that is paid late.

use super::{output, required};
use crate::{
    calculator::{Arguments, Calculator, Input, InputKind, Node, Outcome, Output, OutputKind, Run, Step},
    dataset,
    fault::Fault,
    notation::words,
    value::Value,
    words::{Choice, Words},
    year::{bands, number},
};
use jiff::{Span, civil::Date};
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
        Words::new("De laatste dag waarop de klant op tijd zou zijn.", "The last day on which the customer would be in time."),
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

static DEBTORS: &[Choice] =
    &[Choice::new("business", "ondernemer", "a business"), Choice::new("consumer", "particulier", "a consumer")];

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

/// Days that follow one another with one rate and one principal.
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

    /// In euros, unrounded: a year has 365 days, a leap year too.
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
    let costs = if late { collection_costs(amount, paid) } else { Decimal::ZERO };
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
    Ok(Outcome { fields, steps: steps(&periods, costs, total, business) })
}

/// The rates of a kind, each with its first and last day, oldest first.
fn rates(kind: &str) -> Vec<(Date, Date, Decimal)> {
    let rows = dataset::find("statutory-interest").map(dataset::Dataset::rows).unwrap_or_default();
    let of_kind = rows.iter().filter(|row| row.get("kind").and_then(Value::text) == Some(kind));
    let mut rates: Vec<_> = of_kind.map(|row| (row.valid_from, row.valid_to.unwrap_or(Date::MAX), number(row, "rate"))).collect();
    rates.sort();
    rates
}

/// The days of delay, cut where the rate changes and where a full year ends.
fn periods(amount: Decimal, due: Date, paid: Date, rates: &[(Date, Date, Decimal)]) -> Result<Vec<Period>, Vec<Fault>> {
    let start = due.tomorrow().map_err(|_| vec![Fault::invalid_date("due")])?;
    within(start, paid, rates)?;
    let mut periods: Vec<Period> = Vec::new();
    let (mut from, mut principal, mut years, mut accrued) = (start, amount, 1, Decimal::ZERO);
    while from <= paid {
        let anniversary = start.checked_add(Span::new().years(years)).unwrap_or(Date::MAX);
        let rate_at = |day: Date| rates.iter().find(|(first, last, _)| (*first..=*last).contains(&day));
        let Some((_, _, rate)) = rate_at(from) else { break };
        // Half-years with the same rate are one period.
        let changes =
            rates.iter().find(|(first, _, other)| *first > from && other != rate).map_or(Date::MAX, |(first, ..)| *first);
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

/// Refuses days without a published rate: both faults at once, with the first and the last day that there are.
fn within(start: Date, paid: Date, rates: &[(Date, Date, Decimal)]) -> Result<(), Vec<Fault>> {
    let (Some((first, ..)), Some((_, last, _))) = (rates.first(), rates.last()) else { return Err(vec![Fault::required("due")]) };
    let mut faults = Vec::new();
    if start < *first || start > *last {
        faults.push(Fault::out_of_range("due", before(*first), before(*last)));
    }
    if paid > *last {
        let words = Words::owned(
            format!("De wettelijke rente is bekend tot en met {last}. Geef voor paid een dag tot en met {last}."),
            format!("Statutory interest is known up to {last}. Give a day up to {last} for paid."),
        );
        faults.push(Fault::new("paid", "out_of_range", words).with_bounds(first, last));
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

/// The most that may be charged for collection (art. 2 Besluit vergoeding voor buitengerechtelijke incassokosten).
fn collection_costs(amount: Decimal, on: Date) -> Decimal {
    let bands = bands("collection-costs", on);
    let exact: Decimal = bands.iter().map(|band| band.part_of(amount) * band.percent / Decimal::ONE_HUNDRED).sum();
    let least = bands.iter().map(|band| band.minimum).max().unwrap_or_default();
    let most = bands.iter().map(|band| band.maximum).max().unwrap_or_default();
    if amount.is_zero() { Decimal::ZERO } else { exact.clamp(least, most) }
}

fn steps(periods: &[Period], costs: Decimal, total: Decimal, business: bool) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for period in periods {
        let (days, from, to) = (period.days(), period.from, period.to);
        let text = words(
            |n| {
                format!(
                    "{days} dagen ({} tot en met {}) {} per jaar over {}, gedeeld door 365",
                    n.date(from),
                    n.date(to),
                    n.rate(period.rate),
                    n.euros(period.principal)
                )
            },
            |n| {
                format!(
                    "{days} days ({} to {}) at {} a year on {}, divided by 365",
                    n.date(from),
                    n.date(to),
                    n.rate(period.rate),
                    n.euros(period.principal)
                )
            },
        );
        steps.push(Step::new("interest", text, Value::Money(period.interest()), "bw-6-119a"));
    }
    let text = if business {
        Words::new(
            "Incassokosten; een ondernemer is ze zonder aanmaning verschuldigd",
            "Collection costs; a business owes them without a reminder",
        )
    } else {
        Words::new(
            "Incassokosten, na een aanmaning die veertien dagen geeft",
            "Collection costs, after a reminder that gives fourteen days",
        )
    };
    steps.push(Step::new("collectionCosts", text, Value::Money(costs), if business { "besluit-bik" } else { "bw-6-96" }));
    steps.push(Step::new(
        "total",
        Words::new("Bedrag, rente en incassokosten", "Amount, interest and collection costs"),
        Value::Money(total),
        "bw-6-96",
    ));
    steps
}
