//! Next filing and payment deadlines from a given date.

use crate::{
    calculator::{
        Arguments, Calculator, Input, InputKind, Node, Outcome, Output, OutputKind, Run, Step,
        optional, optional_output, output, required,
    },
    deadline::{self, DeadlineKind, KINDS, VAT_PERIODS},
    fault::Fault,
    notation::words,
    value::Value,
    words::Words,
};
use jiff::civil::Date;
use ledger::vat_period::VatUnit;
use std::borrow::Cow;

static INPUTS: &[Input] = &[
    required(
        "on",
        InputKind::Date,
        Words::new("Vanaf", "From"),
        Words::new("Meestal vandaag.", "Usually today."),
        "2026-11-21",
    ),
    optional(
        "vatPeriod",
        InputKind::Choice(VAT_PERIODS),
        Some("quarter"),
        Words::new("Btw-aangifte per", "VAT return by"),
        Words::new("Hoe vaak je btw-aangifte doet.", "How often you file VAT."),
        "quarter",
    ),
];

static ROW: &[Output] = &[
    output("kind", OutputKind::Choice(KINDS), Words::new("Soort", "Kind")),
    output("period", OutputKind::Text, Words::new("Tijdvak", "Period")),
    output("fileBy", OutputKind::Date, Words::new("Aangifte uiterlijk", "File by")),
    optional_output(
        "payBy",
        OutputKind::Date,
        Words::new("Betaling binnen uiterlijk", "Payment due by"),
    ),
    output(
        "daysLeft",
        OutputKind::Integer,
        Words::new("Dagen tot de aangifte", "Days left to file"),
    ),
];

static OUTPUTS: &[Output] =
    &[output("next", OutputKind::Rows(ROW), Words::new("Eerstvolgende", "Next"))];

/// The calculator.
pub static CALCULATOR: Calculator = Calculator {
    id: "deadlines",
    title: Words::new("Eerstvolgende termijnen", "Next deadlines"),
    description: Words::new(
        "Van elke soort aangifte de eerstvolgende uiterste dag. Geld moet op tijd binnen zijn: in een weekend komt het niet aan, dus betaal je dan op de vrijdag daarvoor. De datum in de brief van de Belastingdienst gaat vóór. Een opgaaf ICP is alleen nodig als je aan ondernemers in andere EU-landen hebt geleverd.",
        "The next last day of each kind of return. Money must arrive in time: it does not in a weekend, so you pay on the Friday before. The date in the letter of the tax office (Belastingdienst) takes precedence. An ICP declaration is needed only if you supplied businesses in other EU countries.",
    ),
    inputs: INPUTS,
    outputs: OUTPUTS,
    run: Run::Query(run),
};

fn run(arguments: &Arguments) -> Result<Outcome, Vec<Fault>> {
    let on = arguments.date("on").ok_or_else(|| vec![Fault::required("on")])?;
    let vat_period = VatUnit::parse(arguments.text("vatPeriod")).unwrap_or(VatUnit::Quarter);
    let until = on.checked_add(jiff::Span::new().years(2)).unwrap_or(Date::MAX);
    let coming = deadline::between(vat_period, on, until);
    let first = |kind| coming.iter().find(|deadline| deadline.kind == kind);
    let mut next: Vec<_> =
        [DeadlineKind::VatReturn, DeadlineKind::Icp, DeadlineKind::IncomeTaxReturn]
            .into_iter()
            .filter_map(first)
            .collect();
    next.sort_by_key(|deadline| deadline.file_by);
    let days_remaining = |day: Date| Value::Integer(i64::from((day - on).get_days()));
    let rows = next.iter().map(|deadline| {
        vec![
            ("kind", Some(Value::Text(Cow::Borrowed(deadline.kind.as_str())))),
            ("period", Some(Value::Text(Cow::Owned(deadline.period.to_string())))),
            ("fileBy", Some(Value::Date(deadline.file_by))),
            ("payBy", deadline.pay_by.map(Value::Date)),
            ("daysLeft", Some(days_remaining(deadline.file_by))),
        ]
    });
    let fields = vec![("next", Node::Rows(rows.collect()))];
    let steps = next.iter().map(|deadline| {
        let (label, period) = (deadline.kind.label(), deadline.period);
        let text = words(
            |_| format!("{} over {period}", label.nl),
            |_| format!("{} for {period}", label.en),
        );
        Step::new(
            deadline.kind.as_str(),
            text,
            Value::Date(deadline.file_by),
            deadline.kind.source(period),
        )
    });
    let steps = steps.collect();
    Ok(Outcome { fields, steps })
}
