//! Parameters in the query and the path. They are read one by one, and all faults are collected.

use axum::{extract::FromRequestParts, http::request::Parts};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jiff::{Timestamp, civil::Date};
use ledger::{
    calendar::Quarter, chart::AccountCode, decimal, money::Cents, own_account::OwnAccounts,
    vat_period::VatPeriod,
};
use serde_json::{Value, json};
use service::Fault;
use sha2::{Digest, Sha256};
use std::convert::Infallible;
use store::{SyncFilter, Updated};
use web_core::{
    catalogue,
    input::{self, AnyEuros, CalendarDate, Raw, Reader, SingleLine},
    problem::{FaultAt, Problem},
};

/// Maximum number of parameters that are read from a query.
const MOST_PARAMETERS: usize = 100;
/// Default number of rows per page.
const PAGE: i64 = 100;
/// Maximum number of rows per page.
const PAGE_MOST: i64 = 500;

/// Message about a parameter that is not the code of a ledger account.
const UNKNOWN_ACCOUNT: &str = "give the code of an account of the chart, four digits";

/// Returns the code of the account of the books that the parameter `name` contains.
///
/// # Errors
/// Neither the program nor the owner has an account with the code.
pub(crate) fn account_of_books(
    name: &'static str,
    code: AccountCode,
    own: &OwnAccounts,
) -> Result<AccountCode, Problem> {
    let code = own.resolve(code);
    let unknown = || FaultAt::parameter(name, "unknown_value", UNKNOWN_ACCOUNT.to_owned());
    if code.is_known() { Ok(code) } else { Err(Problem::invalid(vec![unknown()])) }
}

/// Fault in a parameter: its code and message.
type ParameterError = (&'static str, String);

/// Parameters of a query, none of which may be repeated. The same code reads the parameters of a
/// request, collecting all faults, and describes them for OpenAPI.
pub(crate) struct Query {
    parameters: Vec<(String, String)>,
    faults: Vec<FaultAt>,
    broken_cursor: bool,
    /// The [`Listing::mark`] that must be in the cursor.
    mark: Mark,
    /// Time of the latest change that later pages include. Only the cursor of a later page contains
    /// this time.
    until: Option<Timestamp>,
    /// Parameter objects of OpenAPI, if only a description is requested.
    described: Option<Vec<Value>>,
}

/// Reads a query.
///
/// # Errors
/// If a parameter is unknown or invalid, or the cursor is invalid.
pub(crate) fn read<T>(raw: Option<&str>, take: impl FnOnce(&mut Query) -> T) -> Result<T, Problem> {
    read_marked(raw, Mark::default(), take)
}

/// Hash of a list and its filters.
type Mark = [u8; 6];

/// Path of a list under `/api/v1`, and its query. A cursor is only valid for the same list with the
/// same filters; otherwise rows would be silently skipped or repeated.
pub(crate) struct Listing {
    pub(super) path: String,
    pub(super) query: Option<String>,
}

impl<S: Sync> FromRequestParts<S> for Listing {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self { path: parts.uri.path().to_owned(), query: parts.uri.query().map(str::to_owned) })
    }
}

impl Listing {
    /// Reads the query like [`read`].
    ///
    /// # Errors
    /// If a parameter is unknown or invalid, or the cursor belongs to another list or other
    /// filters.
    pub(crate) fn read<T>(&self, take: impl FnOnce(&mut Query) -> T) -> Result<T, Problem> {
        read_marked(self.query.as_deref(), self.mark(), take)
    }

    /// Hashes the path and the parameters that must be the same on all pages. The order and the
    /// encoding of parameters do not matter.
    fn mark(&self) -> Mark {
        let query = self.query.as_deref().unwrap_or("");
        let mut filters: Vec<_> = form_urlencoded::parse(query.as_bytes()).collect();
        filters.retain(|(name, _)| !matches!(name.as_ref(), "cursor" | "limit"));
        filters.sort_unstable();
        let mut hash = Sha256::new_with_prefix(&self.path);
        for (name, value) in filters {
            hash.update([&[0], name.as_bytes(), &[0], value.as_bytes()].concat());
        }
        let hash: [u8; 32] = hash.finalize().into();
        std::array::from_fn(|place| hash[place])
    }

    /// Returns the cursor for a position in the list. Cursors are opaque to clients.
    pub(super) fn cursor_text(&self, place: &str, until: Option<Timestamp>) -> String {
        let until =
            until.map_or_else(String::new, |until| format!("{UNTIL}{}", until.as_microsecond()));
        URL_SAFE_NO_PAD.encode([&self.mark(), place.as_bytes(), until.as_bytes()].concat())
    }
}

fn read_marked<T>(
    raw: Option<&str>,
    mark: Mark,
    take: impl FnOnce(&mut Query) -> T,
) -> Result<T, Problem> {
    let pairs = form_urlencoded::parse(raw.unwrap_or("").as_bytes()).into_owned();
    // No operation has this many parameters, and the first ones suffice to report the mistake.
    let parameters: Vec<(String, String)> = pairs.take(MOST_PARAMETERS).collect();
    let mut faults = Vec::new();
    for (place, (name, _)) in parameters.iter().enumerate() {
        if parameters[..place].iter().any(|(earlier, _)| earlier == name) {
            let short: String = name.chars().take(100).collect();
            faults.push(FaultAt::parameter(&short, "too_many", format!("give {short} once")));
        }
    }
    let cursor = parameters.iter().find(|(name, _)| name == "cursor");
    let until = cursor.and_then(|(_, text)| read_cursor(text, mark)?.1);
    let mut query =
        Query { parameters, faults, broken_cursor: false, mark, until, described: None };
    let result = take(&mut query);
    if query.broken_cursor {
        let detail = "Send cursor exactly as nextCursor gave it, to the same list with the same filters, or leave it out.";
        return Err(Problem::new(catalogue::INVALID_CURSOR, detail));
    }
    for (name, _) in std::mem::take(&mut query.parameters) {
        let short: String = name.chars().take(100).collect();
        query.faults.push(FaultAt::parameter(
            &short,
            "unknown_field",
            "the API does not know this parameter here; leave it out",
        ));
    }
    if query.faults.is_empty() { Ok(result) } else { Err(Problem::invalid(query.faults)) }
}

/// Rejects a query that has parameters.
///
/// # Errors
/// If there is a parameter.
pub(crate) fn none(raw: Option<&str>) -> Result<(), Problem> {
    read(raw, |_| ())
}

/// Returns the OpenAPI description of the parameters that `take` reads.
pub(crate) fn describe<T>(take: impl FnOnce(&mut Query) -> T) -> Vec<Value> {
    let mut query = Query {
        parameters: Vec::new(),
        faults: Vec::new(),
        broken_cursor: false,
        mark: Mark::default(),
        until: None,
        described: Some(Vec::new()),
    };
    take(&mut query);
    query.described.unwrap_or_default()
}

impl Query {
    fn take(&mut self, name: &str) -> Option<String> {
        let place = self.parameters.iter().position(|(parameter, _)| parameter == name)?;
        let value = self.parameters.remove(place).1;
        self.parameters.retain(|(parameter, _)| parameter != name);
        Some(value)
    }

    fn fault(&mut self, name: &str, code: &'static str, message: impl Into<String>) {
        self.faults.push(FaultAt::parameter(name, code, message));
    }

    /// Reads a parameter with `read`; `schema` describes the accepted values. Returns `None` if the
    /// parameter is absent or invalid, or if only a description is requested.
    fn parameter<T>(
        &mut self,
        name: &'static str,
        meaning: &str,
        required: bool,
        schema: Value,
        read: impl FnOnce(&str) -> Result<T, ParameterError>,
    ) -> Option<T> {
        if let Some(described) = &mut self.described {
            described
                .push(json!({ "name": name, "in": "query", "required": required, "description": meaning, "schema": schema }));
            return None;
        }
        let Some(text) = self.take(name) else {
            if required {
                self.fault(name, "required", format!("give `{name}`"));
            }
            return None;
        };
        match read(&text) {
            Ok(value) => Some(value),
            Err((code, message)) => {
                self.fault(name, code, message);
                None
            }
        }
    }

    /// Reads an integer within bounds.
    pub(crate) fn integer(
        &mut self,
        name: &'static str,
        meaning: &str,
        least: i64,
        most: i64,
    ) -> Option<i64> {
        self.parameter(name, meaning, false, whole_schema(least, most), |text| {
            whole_within(name, text, least, most)
        })
    }

    /// Reads a required integer within bounds.
    pub(crate) fn required_integer(
        &mut self,
        name: &'static str,
        meaning: &str,
        least: i64,
        most: i64,
    ) -> Option<i64> {
        self.parameter(name, meaning, true, whole_schema(least, most), |text| {
            whole_within(name, text, least, most)
        })
    }

    /// Reads one of several names.
    pub(crate) fn choice<T: Copy>(
        &mut self,
        name: &'static str,
        meaning: &str,
        choices: &[(&'static str, T)],
    ) -> Option<T> {
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        let schema = json!({ "type": "string", "enum": names });
        self.parameter(name, meaning, false, schema, |text| {
            let value = choices.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
            value.ok_or_else(|| ("unknown_value", format!("give one of: {}", names.join(", "))))
        })
    }

    /// Reads a comma-separated list of names.
    pub(crate) fn choices<T: Copy>(
        &mut self,
        name: &'static str,
        meaning: &str,
        choices: &[(&'static str, T)],
    ) -> Option<Vec<T>> {
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        let schema =
            json!({ "type": "array", "items": { "type": "string", "enum": names }, "minItems": 1 });
        let read = self.parameter(name, meaning, false, schema, |text| {
            let one = |part: &str| {
                choices.iter().find(|(name, _)| *name == part).map(|(_, value)| *value)
            };
            let all: Option<Vec<T>> = text.split(',').map(one).collect();
            all.ok_or_else(|| {
                (
                    "unknown_value",
                    format!("give one or more of these, with commas between: {}", names.join(", ")),
                )
            })
        });
        if let Some(described) = self.described.as_mut().and_then(|described| described.last_mut())
        {
            // By default, OpenAPI expects the parameter to be repeated for each value.
            described["explode"] = json!(false);
        }
        read
    }

    /// Reads `true` or `false`.
    pub(crate) fn flag(&mut self, name: &'static str, meaning: &str) -> Option<bool> {
        self.parameter(name, meaning, false, json!({ "type": "boolean" }), |text| match text {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(("unknown_value", "give true or false".into())),
        })
    }

    /// Reads a text with a maximum number of characters.
    pub(crate) fn text(
        &mut self,
        name: &'static str,
        meaning: &str,
        most: usize,
    ) -> Option<String> {
        let reader = SingleLine(most);
        self.parameter(name, meaning, false, reader.schema(), |text| read_with(name, &reader, text))
    }

    /// Reads a calendar date.
    pub(crate) fn day(&mut self, name: &'static str, meaning: &str) -> Option<Date> {
        self.parameter(name, meaning, false, CalendarDate.schema(), |text| {
            read_with(name, &CalendarDate, text)
        })
    }

    /// Reads an amount in euros, possibly negative.
    pub(crate) fn amount(&mut self, name: &'static str, meaning: &str) -> Option<Cents> {
        self.parameter(name, meaning, false, AnyEuros.schema(), |text| {
            decimal::parse_euros(text).map_err(|_| {
                ("invalid_format", format!("give {name} with at most two decimals, such as 12.50"))
            })
        })
    }

    /// Reads a timestamp.
    pub(crate) fn moment(&mut self, name: &'static str, meaning: &str) -> Option<Timestamp> {
        let schema = json!({ "type": "string", "format": "date-time", "maxLength": 40, "examples": ["2026-03-15T11:00:00Z"] });
        self.parameter(name, meaning, false, schema, |text| {
            // Decoding the query turns a plus sign into a space, which is undone here.
            let moment = text.replace(' ', "+").parse::<Timestamp>().ok();
            // RFC 3339 allows no sign before the year, and databases cannot store the earliest
            // negative years.
            let moment = moment.filter(|_| text.starts_with(|first: char| first.is_ascii_digit()));
            let message = "give a moment such as 2026-03-15T11:00:00Z (RFC 3339)";
            moment.ok_or_else(|| ("invalid_format", message.to_owned()))
        })
    }

    /// Reads `updatedSince`.
    pub(crate) fn updated(&mut self) -> Option<Updated> {
        let since = self.moment(
            "updatedSince",
            "Returns only resources created or changed at or after this time. To miss nothing, \
             send the highest `updatedAt` that you have seen rather than the time of your own \
             clock. Changes made while you page through the list are left out of the later pages \
             and are returned by the next synchronisation.",
        )?;
        Some(Updated { since, until: self.until })
    }

    /// Reads the filters that all lists of resources with external ids have.
    pub(crate) fn sync_filter(&mut self) -> SyncFilter {
        SyncFilter { external_id: self.external_id(), updated: self.updated() }
    }

    /// Reads the filter by external id.
    pub(crate) fn external_id(&mut self) -> Option<String> {
        self.text("externalId", "Returns only the resource with this external identifier.", 255)
    }

    /// Whether the query filters by external id. Called for lists of resources that have no
    /// external ids; the result is then an empty list.
    pub(crate) fn wants_external_id(&mut self) -> bool {
        self.text(
            "externalId",
            "These resources have no external identifier: with this parameter the list is empty.",
            255,
        )
        .is_some()
    }

    /// Reads the code of a ledger account, which [`account_of_books`] finds in the books.
    pub(crate) fn account_code(
        &mut self,
        name: &'static str,
        meaning: &str,
    ) -> Option<AccountCode> {
        let schema = json!({ "type": "string", "pattern": "^[0-9]{4}$", "minLength": 4, "maxLength": 4, "examples": ["8000"] });
        self.parameter(name, meaning, false, schema, |text| {
            AccountCode::named(text).ok_or_else(|| ("unknown_value", UNKNOWN_ACCOUNT.to_owned()))
        })
    }

    /// Reads the id of a VAT period, such as `2026-05`, `2026-Q1` or `2026`.
    pub(crate) fn vat_period(&mut self, name: &'static str, meaning: &str) -> Option<VatPeriod> {
        let examples = ["2026-05", "2026-Q1", "2026"];
        let schema = json!({ "type": "string", "examples": examples });
        self.parameter(name, meaning, false, schema, |text| {
            VatPeriod::parse(text).ok_or_else(|| {
                ("invalid_format", "give a VAT period, such as 2026-05, 2026-Q1 or 2026".to_owned())
            })
        })
    }

    /// Whether the parameter is present; always false if only a description is requested.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.parameters.iter().any(|(parameter, _)| parameter == name)
    }

    /// Reads the number of rows per page.
    pub(crate) fn limit(&mut self) -> i64 {
        self.integer(
            "limit",
            "Maximum number of rows per page. A page also ends at 4 MiB. Default: 100.",
            1,
            PAGE_MOST,
        )
        .unwrap_or(PAGE)
    }

    /// Reads the position where the page begins, from the `nextCursor` of the previous page.
    pub(crate) fn cursor<T>(&mut self, parse: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        let schema = json!({ "type": "string", "maxLength": 200 });
        let meaning = "Opaque cursor: `nextCursor` of the previous page of the same list with the same filters.";
        let text = self.parameter("cursor", meaning, false, schema, |text| Ok(text.to_owned()))?;
        let place = read_cursor(&text, self.mark).and_then(|(place, _)| parse(&place));
        self.broken_cursor = place.is_none();
        place
    }
}

/// Reads a parameter with the reader for a text in a body.
fn read_with<R: Reader>(name: &str, reader: &R, text: &str) -> Result<R::Value, ParameterError> {
    reader.read(&Raw::Text(text.to_owned())).map_err(|reason| {
        let fault = Fault::new(name, reason);
        (fault.reason.code(), input::message(&fault))
    })
}

fn whole_schema(least: i64, most: i64) -> Value {
    json!({ "type": "integer", "format": "int64", "minimum": least, "maximum": most })
}

fn whole_within(name: &str, text: &str, least: i64, most: i64) -> Result<i64, ParameterError> {
    let value = whole(text).filter(|value| (least..=most).contains(value));
    value.ok_or_else(|| {
        ("out_of_range", format!("give {name} as a whole number from {least} to {most}"))
    })
}

/// Separator in a cursor between the position and the time up to which changes are included.
const UNTIL: char = '~';

/// Returns the position and the time in a cursor; `None` if the cursor does not have this mark.
fn read_cursor(text: &str, mark: Mark) -> Option<(String, Option<Timestamp>)> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    let text = String::from_utf8(bytes.strip_prefix(&mark)?.to_vec()).ok()?;
    match text.split_once(UNTIL) {
        Some((place, until)) => {
            Some((place.to_owned(), Some(Timestamp::from_microsecond(whole(until)?).ok()?)))
        }
        None => Some((text, None)),
    }
}

/// Parses a number that consists of digits only, without a sign or spaces.
pub(crate) fn whole(text: &str) -> Option<i64> {
    (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()))
        .then(|| text.parse().ok())
        .flatten()
}

/// Parses the year in a path.
///
/// # Errors
/// 404 for a year with leading zeros, which would give one resource two paths; 422 for other texts.
pub(crate) fn year(text: &str) -> Result<i16, Problem> {
    let year = whole(text)
        .filter(|year| (2000..=2099).contains(year))
        .and_then(|year| i16::try_from(year).ok());
    if year.is_some() && text.starts_with('0') {
        return Err(service::Error::NotFound("year").into());
    }
    year.ok_or_else(|| {
        Problem::invalid([FaultAt::parameter(
            "year",
            "out_of_range",
            "give the year as four digits, from 2000 to 2099",
        )])
    })
}

/// Parses the VAT period in a path.
///
/// # Errors
/// 404 if the text is not the id of a VAT period.
pub(crate) fn period(text: &str) -> Result<VatPeriod, Problem> {
    VatPeriod::parse(text).ok_or_else(|| {
        let detail = "This is no VAT period: write a month as 2026-05, a quarter as 2026-Q2, or a \
                      year as 2026.";
        Problem::new(catalogue::NOT_FOUND, detail)
    })
}

/// Parses the quarter in a path.
pub(crate) fn quarter(year_text: &str, text: &str) -> Result<Quarter, Problem> {
    let year = year(year_text)?;
    let quarter = whole(text).and_then(|quarter| Quarter::new(year, u8::try_from(quarter).ok()?));
    quarter.ok_or_else(|| {
        Problem::invalid([FaultAt::parameter(
            "quarter",
            "out_of_range",
            "give the quarter, 1 to 4",
        )])
    })
}

/// Parses the id in a path; 404 if the text is not a positive number.
pub(crate) fn id(text: &str, what: &'static str) -> Result<i64, Problem> {
    whole(text).filter(|id| *id > 0).ok_or_else(|| service::Error::NotFound(what).into())
}
