//! Options for undoing a booking: the date of the reversal, and whether it may correct a filed VAT
//! return. Every operation that undoes a booking reads them from the query; a POST also from the
//! body.

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

const DATE: &str =
    "Date of the reversal, such as that of a chargeback. Default: the original date.";

/// Options that an operation takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    /// None. The reversal has the date of the booking; such bookings affect no box of the VAT
    /// return.
    Nothing,
    /// `correction`.
    Correction,
    /// `date` and `correction`.
    DayAndCorrection,
}

/// Options of a request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Undoing {
    /// Date of the reversal; `None` for the date of the booking.
    pub(crate) date: Option<Date>,
    /// Action if the VAT return has been filed.
    pub(crate) if_filed: IfFiled,
}

/// Values of `date` and `correction`.
type Options = (Option<Date>, Option<bool>);

/// Reads the options of a request.
///
/// # Errors
/// An option is invalid, unknown to the operation, or given twice.
pub(crate) async fn read(request: Request, takes: Takes) -> Result<Undoing, Problem> {
    let raw = request.uri().query().map(str::to_owned);
    let in_body = if request.method() == Method::DELETE { Takes::Nothing } else { takes };
    let json = body::read_optional(request).await?;
    let query = query::read(raw.as_deref(), |query| from_query(query, takes))?;
    let parsed = input::json(&json, |fields| Parsed::new(None, Some(from_body(fields, in_body))));
    let body = parsed.command.ok_or_else(|| Problem::invalid(parsed.faults))?;
    let date = once("date", query.0, body.0)?;
    let correction = once("correction", query.1, body.1)?;
    Ok(Undoing { date, if_filed: correction.unwrap_or_default().into() })
}

fn once<T>(name: &str, query: Option<T>, body: Option<T>) -> Result<Option<T>, Problem> {
    match (query, body) {
        (Some(_), Some(_)) => Err(Problem::invalid([FaultAt::parameter(
            name,
            "too_many",
            format!("give {name} once, in the query or in the body"),
        )])),
        (query, body) => Ok(query.or(body)),
    }
}

fn from_query(query: &mut Query, takes: Takes) -> Options {
    let date = (takes == Takes::DayAndCorrection).then(|| query.day("date", DATE));
    let correction = (takes != Takes::Nothing).then(|| query.flag("correction", input::CORRECTION));
    (date.flatten(), correction.flatten())
}

fn from_body(fields: &mut Fields<'_, '_>, takes: Takes) -> Options {
    let date =
        (takes == Takes::DayAndCorrection).then(|| fields.optional("date", DATE, CalendarDate));
    let correction =
        (takes != Takes::Nothing).then(|| fields.optional("correction", input::CORRECTION, Flag));
    (date.flatten(), correction.flatten())
}

impl Operation {
    /// Describes the options for undoing.
    pub(crate) fn undoes(self, takes: Takes) -> Self {
        let described = self.with_query(|query| from_query(query, takes));
        if described.method == "delete" || takes == Takes::Nothing {
            return described;
        }
        let schema = input::schema(|fields| Parsed::new(None, Some(from_body(fields, takes))));
        described.with_body(schema, json!({ "correction": true })).or_without_body()
    }
}
