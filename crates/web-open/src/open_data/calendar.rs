//! Deadlines as a calendar feed (RFC 5545).

use super::{Shared, asked_language, borrowed, refused, respond::Document, tag};
use axum::{
    extract::{RawQuery, State},
    http::HeaderMap,
    response::Response,
};
use icalendar::{Calendar, Component, Event, Property};
use jiff::civil::Date;
use ledger::{language::Language, vat_period::VatUnit};
use std::borrow::Cow;
use tax::{
    calculator,
    dataset::{self, ColumnKind, Row},
    fault::Fault,
    value::Value,
    words::Words,
};
use web_core::problem::Problem;

/// Handles `deadlines.ics?vatPeriod=quarter`.
pub(super) async fn deadlines(
    State(shared): Shared,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let (language, parameters) = asked_language(query.as_deref());
    let vat_period = read(&parameters).map_err(|faults| refused(&faults, Language::English))?;
    let make = || {
        let calendar =
            calendar(&shared.base, vat_period, language).ok_or_else(Problem::internal)?;
        Ok(Document::new("text/calendar; charset=utf-8", calendar))
    };
    Ok(shared
        .keep(&format!("deadlines {} {}", vat_period.as_str(), tag(language)), make)?
        .answer(&headers))
}

fn read(parameters: &[(String, String)]) -> Result<VatUnit, Vec<Fault>> {
    let mut faults = calculator::repeated_or_unknown(&borrowed(parameters), &["vatPeriod"]);
    let parameter = parameters.iter().find(|(name, _)| name == "vatPeriod");
    let chosen = parameter.map_or(Some(VatUnit::Quarter), |(_, text)| VatUnit::parse(text));
    if chosen.is_none() {
        faults.push(Fault::unknown_value(
            "vatPeriod",
            VatUnit::ALL.iter().map(|unit| unit.as_str().to_owned()).collect(),
        ));
    }
    chosen.filter(|_| faults.is_empty()).ok_or(faults)
}

/// Returns the calendar as text; `None` if the data set lacks a column, which tests rule out.
fn calendar(base: &str, vat_period: VatUnit, language: Language) -> Option<String> {
    let set = dataset::find("deadlines")?;
    // `Calendar::new` would name the library as the product (PRODID).
    let mut calendar = Calendar::empty();
    calendar
        .append_property(Property::new("VERSION", "2.0"))
        .append_property(Property::new("PRODID", "-//grootboek//open data//NL"))
        .append_property(Property::new("CALSCALE", "GREGORIAN"))
        .name(set.title.get(language))
        .description(set.description.get(language));
    calendar.append_property(
        Property::new("REFRESH-INTERVAL", "P1D").add_parameter("VALUE", "DURATION").done(),
    );
    for row in set.rows().iter().filter(|row| concerns(row, vat_period)) {
        let days = ["fileBy", "payBy"].map(|column| row.get(column));
        let same = days[0] == days[1];
        for (column, day) in ["fileBy", "payBy"].into_iter().zip(days) {
            let Some(Value::Date(day)) = day else { continue };
            if same && column == "payBy" {
                continue;
            }
            calendar.push(event(
                (base, set.updated, row),
                (column, *day),
                &what(column, same),
                language,
            )?);
        }
    }
    Some(calendar.done().to_string())
}

fn event(
    (base, stamp, row): (&str, Date, &Row),
    (column, day): (&str, Date),
    what: &Words,
    language: Language,
) -> Option<Event> {
    let plain = |column: &str| row.get(column).map(|value| value.plain(language));
    let (id, period) = (plain("id")?, plain("period")?);
    let mut event = Event::new();
    event
        // Every server generates the same UID, so a calendar app with several subscriptions shows
        // each deadline once.
        .uid(&format!("{id}-{column}@open-data.grootboek"))
        .append_property(Property::new("DTSTAMP", format!("{}T000000Z", basic(stamp))))
        .append_property(Property::new("DTSTART", basic(day)).add_parameter("VALUE", "DATE").done())
        .append_property(
            Property::new("DTEND", basic(day.tomorrow().ok()?))
                .add_parameter("VALUE", "DATE")
                .done(),
        )
        .append_property(Property::new("TRANSP", "TRANSPARENT"))
        .summary(&format!("{} {period}: {}", kind(row, language)?, what.get(language)))
        .url(&format!("{base}/open-data/deadlines"));
    let rule = format!(
        "{}, {}. {}",
        row.source.title.get(language),
        row.source.reference.get(language),
        row.status.meaning().get(language)
    );
    event.description(
        &[plain("note").map(Cow::into_owned), Some(rule)]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join("\n"),
    );
    Some(event.done())
}

/// Returns the kind of deadline in the reader's language.
fn kind(row: &Row, language: Language) -> Option<String> {
    let value = row.get("kind")?.text()?;
    let columns = &dataset::find("deadlines")?.columns;
    let ColumnKind::Enum(choices) = &columns.iter().find(|column| column.name == "kind")?.kind
    else {
        return Some(value.to_owned());
    };
    choices
        .iter()
        .find(|choice| choice.value == value)
        .map(|choice| choice.label.get(language).to_owned())
}

/// Formats a date in the basic format of ISO 8601: `20260131`.
fn basic(day: Date) -> String {
    day.strftime("%Y%m%d").to_string()
}

fn what(column: &str, same: bool) -> Words {
    match (column, same) {
        (_, true) => Words::new("aangifte doen en betalen", "file and pay"),
        ("payBy", _) => Words::new("betalen", "pay"),
        _ => Words::new("aangifte doen", "file"),
    }
}

/// Whether the deadline applies to a business with this VAT period.
fn concerns(row: &Row, vat_period: VatUnit) -> bool {
    let text = |column: &str| row.get(column).and_then(Value::text).unwrap_or_default();
    let is = match text("period") {
        period if period.contains('Q') => VatUnit::Quarter,
        period if period.contains('-') => VatUnit::Month,
        _ => VatUnit::Year,
    };
    match text("kind") {
        "vatReturn" => is == vat_period,
        // Annual VAT filers submit the EC sales list quarterly.
        "icp" => is == if vat_period == VatUnit::Month { VatUnit::Month } else { VatUnit::Quarter },
        _ => true,
    }
}
