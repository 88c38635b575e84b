//! How something is taken back: on which day, and what is to be done where a return that it would change is filed. Every operation that takes
//! something back reads it here, from the query, and those that are no `DELETE` from the body too.

use super::{
    body,
    operation::Operation,
    query::{self, Query},
};
use axum::{extract::Request, http::Method};
use jiff::civil::Date;
use serde_json::json;
use service::corrections::IfFiled;
use web_core::{
    input::{self, CalendarDate, Fields, Flag, Parsed},
    problem::{FaultAt, Problem},
};

const DATE: &str = "The day on which it is taken back, such as that of a chargeback. Default: its own day.";

/// What of it an operation can be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    /// Nothing: it is taken back on its own day, and stands in no box.
    Nothing,
    /// Whether it is a correction.
    Correction,
    /// That, and the day.
    DayAndCorrection,
}

/// How something is taken back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Undoing {
    /// The day; its own unless given.
    pub(crate) date: Option<Date>,
    /// What is to be done where the return is filed.
    pub(crate) if_filed: IfFiled,
}

type Said = (Option<Date>, Option<bool>);

/// Reads it from a request.
///
/// # Errors
/// Something cannot be used, is not asked for, or is said twice.
pub(crate) async fn read(request: Request, takes: Takes) -> Result<Undoing, Problem> {
    let raw = request.uri().query().map(str::to_owned);
    let in_body = if request.method() == Method::DELETE { Takes::Nothing } else { takes };
    let json = body::read_optional(request).await?;
    let asked = query::read(raw.as_deref(), |query| from_query(query, takes))?;
    let parsed = input::json(&json, |fields| Parsed::new(None, Some(from_body(fields, in_body))));
    let given = parsed.command.ok_or_else(|| Problem::invalid(parsed.faults))?;
    let date = once("date", asked.0, given.0)?;
    let correction = once("correction", asked.1, given.1)?;
    Ok(Undoing { date, if_filed: correction.unwrap_or_default().into() })
}

fn once<T>(name: &str, asked: Option<T>, given: Option<T>) -> Result<Option<T>, Problem> {
    match (asked, given) {
        (Some(_), Some(_)) => Err(Problem::invalid([FaultAt::parameter(
            name,
            "too_many",
            format!("give {name} once, in the query or in the body"),
        )])),
        (asked, given) => Ok(asked.or(given)),
    }
}

fn from_query(query: &mut Query, takes: Takes) -> Said {
    let date = (takes == Takes::DayAndCorrection).then(|| query.day("date", DATE));
    let correction = (takes != Takes::Nothing).then(|| query.flag("correction", input::CORRECTION));
    (date.flatten(), correction.flatten())
}

fn from_body(fields: &mut Fields<'_, '_>, takes: Takes) -> Said {
    let date = (takes == Takes::DayAndCorrection).then(|| fields.optional("date", DATE, CalendarDate));
    let correction = (takes != Takes::Nothing).then(|| fields.optional("correction", input::CORRECTION, Flag));
    (date.flatten(), correction.flatten())
}

impl Operation {
    /// It takes something back and can be given how.
    pub(crate) fn undoes(self, takes: Takes) -> Self {
        let described = self.with_query(|query| from_query(query, takes));
        if described.method == "delete" || takes == Takes::Nothing {
            return described;
        }
        let schema = input::schema(|fields| Parsed::new(None, Some(from_body(fields, takes))));
        described.with_body(schema, json!({ "correction": true })).or_without_body()
    }
}
