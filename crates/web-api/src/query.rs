//! Parameters of the query and of the path, read one by one while every fault is collected.

use axum::{extract::FromRequestParts, http::request::Parts};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jiff::{Timestamp, civil::Date};
use ledger::{calendar::Quarter, chart::AccountCode};
use serde_json::{Value, json};
use service::Fault;
use sha2::{Digest, Sha256};
use std::convert::Infallible;
use store::{SyncFilter, Updated};
use web_core::{
    catalogue,
    input::{self, CalendarDate, Raw, Reader, SingleLine},
    problem::{FaultAt, Problem},
};

/// Parameters that are looked at.
const MOST_PARAMETERS: usize = 100;
/// Rows on a page unless asked otherwise.
const PAGE: i64 = 100;
/// Rows on a page at the most.
const PAGE_MOST: i64 = 500;

/// What is wrong with a parameter: a code and what to do.
type ParameterError = (&'static str, String);

/// The query's parameters, each at most once. The same code reads a query while every fault is collected, and describes which
/// parameters there are.
pub(crate) struct Query {
    parameters: Vec<(String, String)>,
    faults: Vec<FaultAt>,
    broken_cursor: bool,
    /// The [`Listing::mark`] that a cursor must have.
    mark: Mark,
    /// The last change before the first page was read, as the cursor of a later page tells it.
    until: Option<Timestamp>,
    /// What is described instead, as parameter objects of OpenAPI.
    described: Option<Vec<Value>>,
}

/// Reads a query; parameters that were not asked for are refused.
///
/// # Errors
/// A parameter cannot be used, or the cursor is not one of ours.
pub(crate) fn read<T>(raw: Option<&str>, take: impl FnOnce(&mut Query) -> T) -> Result<T, Problem> {
    read_marked(raw, Mark::default(), take)
}

/// Hash of a list and its filters.
type Mark = [u8; 6];

/// The path of a list under `/api/v1` and the query that it was asked for with. A cursor continues
/// this list with these filters and no other: rows would be skipped or repeated in silence.
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
    /// A parameter cannot be used, or the cursor is not one of this list with these filters.
    pub(crate) fn read<T>(&self, take: impl FnOnce(&mut Query) -> T) -> Result<T, Problem> {
        read_marked(self.query.as_deref(), self.mark(), take)
    }

    /// Hashes the path and all parameters but those that may differ from page to page. The order of
    /// parameters and how they are encoded does not matter.
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

    /// The cursor of a place in the list. Opaque to clients; only [`Query::cursor`] and [`Query::updated`] read it.
    pub(super) fn cursor_text(&self, place: &str, until: Option<Timestamp>) -> String {
        let until = until.map_or_else(String::new, |until| format!("{UNTIL}{}", until.as_microsecond()));
        URL_SAFE_NO_PAD.encode([&self.mark(), place.as_bytes(), until.as_bytes()].concat())
    }
}

fn read_marked<T>(raw: Option<&str>, mark: Mark, take: impl FnOnce(&mut Query) -> T) -> Result<T, Problem> {
    let given = form_urlencoded::parse(raw.unwrap_or("").as_bytes()).into_owned();
    // No operation has as many parameters; so many are a mistake or an attack, and the first of them tell enough.
    let parameters: Vec<(String, String)> = given.take(MOST_PARAMETERS).collect();
    let mut faults = Vec::new();
    for (place, (name, _)) in parameters.iter().enumerate() {
        if parameters[..place].iter().any(|(earlier, _)| earlier == name) {
            let shown: String = name.chars().take(100).collect();
            faults.push(FaultAt::parameter(&shown, "too_many", format!("give {shown} once")));
        }
    }
    let cursor = parameters.iter().find(|(name, _)| name == "cursor");
    let until = cursor.and_then(|(_, text)| read_cursor(text, mark)?.1);
    let mut query = Query { parameters, faults, broken_cursor: false, mark, until, described: None };
    let taken = take(&mut query);
    if query.broken_cursor {
        let detail = "Send cursor exactly as nextCursor gave it, to the same list with the same filters, or leave it out.";
        return Err(Problem::new(catalogue::INVALID_CURSOR, detail));
    }
    for (name, _) in std::mem::take(&mut query.parameters) {
        let shown: String = name.chars().take(100).collect();
        query.faults.push(FaultAt::parameter(&shown, "unknown_field", "the API does not know this parameter here; leave it out"));
    }
    if query.faults.is_empty() { Ok(taken) } else { Err(Problem::invalid(query.faults)) }
}

/// A query without parameters.
///
/// # Errors
/// There are some.
pub(crate) fn none(raw: Option<&str>) -> Result<(), Problem> {
    read(raw, |_| ())
}

/// The parameters that `take` reads, as OpenAPI describes them.
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

    /// A parameter that is read by `read`; `schema` says which texts can be. None when only a description is wanted.
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

    /// A whole number within bounds.
    pub(crate) fn integer(&mut self, name: &'static str, meaning: &str, least: i64, most: i64) -> Option<i64> {
        self.parameter(name, meaning, false, whole_schema(least, most), |text| whole_within(name, text, least, most))
    }

    /// The same, when it must be given.
    pub(crate) fn required_integer(&mut self, name: &'static str, meaning: &str, least: i64, most: i64) -> Option<i64> {
        self.parameter(name, meaning, true, whole_schema(least, most), |text| whole_within(name, text, least, most))
    }

    /// One of several texts.
    pub(crate) fn choice<T: Copy>(&mut self, name: &'static str, meaning: &str, choices: &[(&'static str, T)]) -> Option<T> {
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        let schema = json!({ "type": "string", "enum": names });
        self.parameter(name, meaning, false, schema, |text| {
            let found = choices.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
            found.ok_or_else(|| ("unknown_value", format!("give one of: {}", names.join(", "))))
        })
    }

    /// Several of a few texts, with commas between.
    pub(crate) fn choices<T: Copy>(
        &mut self,
        name: &'static str,
        meaning: &str,
        choices: &[(&'static str, T)],
    ) -> Option<Vec<T>> {
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        let schema = json!({ "type": "array", "items": { "type": "string", "enum": names }, "minItems": 1 });
        let read = self.parameter(name, meaning, false, schema, |text| {
            let one = |part: &str| choices.iter().find(|(name, _)| *name == part).map(|(_, value)| *value);
            let all: Option<Vec<T>> = text.split(',').map(one).collect();
            all.ok_or_else(|| ("unknown_value", format!("give one or more of these, with commas between: {}", names.join(", "))))
        });
        if let Some(described) = self.described.as_mut().and_then(|described| described.last_mut()) {
            // Otherwise OpenAPI would have the parameter once for each.
            described["explode"] = json!(false);
        }
        read
    }

    /// `true` or `false`.
    pub(crate) fn flag(&mut self, name: &'static str, meaning: &str) -> Option<bool> {
        self.parameter(name, meaning, false, json!({ "type": "boolean" }), |text| match text {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(("unknown_value", "give true or false".into())),
        })
    }

    /// A text of at most so many characters.
    pub(crate) fn text(&mut self, name: &'static str, meaning: &str, most: usize) -> Option<String> {
        let reader = SingleLine(most);
        self.parameter(name, meaning, false, reader.schema(), |text| read_with(name, &reader, text))
    }

    /// A calendar day.
    pub(crate) fn day(&mut self, name: &'static str, meaning: &str) -> Option<Date> {
        self.parameter(name, meaning, false, CalendarDate.schema(), |text| read_with(name, &CalendarDate, text))
    }

    /// A moment.
    pub(crate) fn moment(&mut self, name: &'static str, meaning: &str) -> Option<Timestamp> {
        let schema = json!({ "type": "string", "format": "date-time", "maxLength": 40, "examples": ["2026-03-15T11:00:00Z"] });
        self.parameter(name, meaning, false, schema, |text| {
            // A plus sign in a query is a space, as forms write it.
            let moment = text.replace(' ', "+").parse::<Timestamp>().ok();
            // A year with a sign is not of RFC 3339, and some are before all that a database can hold.
            let moment = moment.filter(|_| text.starts_with(|first: char| first.is_ascii_digit()));
            let message = "give a moment such as 2026-03-15T11:00:00Z (RFC 3339)";
            moment.ok_or_else(|| ("invalid_format", message.to_owned()))
        })
    }

    /// Only what changed lately.
    pub(crate) fn updated(&mut self) -> Option<Updated> {
        let since = self.moment(
            "updatedSince",
            "Only those that were made or changed at this moment or later. The highest `updatedAt` that you saw misses nothing; the time \
             of your own clock does. What changes while you read page after page is left out of the pages that follow, and comes the next time.",
        )?;
        Some(Updated { since, until: self.until })
    }

    /// What can be asked of every list of things that have an identifier of the caller's own.
    pub(crate) fn sync_filter(&mut self) -> SyncFilter {
        SyncFilter { external_id: self.external_id(), updated: self.updated() }
    }

    /// Only what has an identifier of the caller's own.
    pub(crate) fn external_id(&mut self) -> Option<String> {
        self.text("externalId", "Only the one with this identifier of yours.", 255)
    }

    /// Of things that have no identifier of the caller's own: whether one is asked for all the same. None of them has it.
    pub(crate) fn wants_external_id(&mut self) -> bool {
        self.text("externalId", "These have no identifier of yours: with one the list is empty.", 255).is_some()
    }

    /// The code of an account of the chart.
    pub(crate) fn account_code(&mut self, name: &'static str, meaning: &str) -> Option<AccountCode> {
        let schema = json!({ "type": "string", "pattern": "^[0-9]{4}$", "minLength": 4, "maxLength": 4, "examples": ["8000"] });
        self.parameter(name, meaning, false, schema, |text| {
            let message = "give the code of an account of the chart, four digits";
            AccountCode::parse(text).ok_or_else(|| ("unknown_value", message.to_owned()))
        })
    }

    /// A VAT period such as `2026-Q1`.
    pub(crate) fn vat_period(&mut self, name: &'static str, meaning: &str) -> Option<Quarter> {
        let schema = json!({ "type": "string", "pattern": "^20[0-9]{2}-Q[1-4]$", "examples": ["2026-Q1"] });
        self.parameter(name, meaning, false, schema, |text| {
            Quarter::parse(text).ok_or_else(|| ("invalid_format", "give a year and a quarter, such as 2026-Q1".to_owned()))
        })
    }

    /// Whether a parameter is there; in a description none is.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.parameters.iter().any(|(parameter, _)| parameter == name)
    }

    /// Rows on a page.
    pub(crate) fn limit(&mut self) -> i64 {
        self.integer("limit", "Rows on a page at the most; it ends at 4 MiB too. Default: 100.", 1, PAGE_MOST).unwrap_or(PAGE)
    }

    /// Where the page begins, as `next_cursor` gave it.
    pub(crate) fn cursor<T>(&mut self, parse: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        let schema = json!({ "type": "string", "maxLength": 200 });
        let meaning = "nextCursor of the page before this one, of the same list with the same filters; opaque.";
        let text = self.parameter("cursor", meaning, false, schema, |text| Ok(text.to_owned()))?;
        let place = read_cursor(&text, self.mark).and_then(|(place, _)| parse(&place));
        self.broken_cursor = place.is_none();
        place
    }
}

/// Reads a parameter as a body's text.
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
    value.ok_or_else(|| ("out_of_range", format!("give {name} as a whole number from {least} to {most}")))
}

/// What stands between the place in a list and the moment up to which it is read.
const UNTIL: char = '~';

/// The place and the moment in a cursor of the list with that mark.
fn read_cursor(text: &str, mark: Mark) -> Option<(String, Option<Timestamp>)> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    let text = String::from_utf8(bytes.strip_prefix(&mark)?.to_vec()).ok()?;
    match text.split_once(UNTIL) {
        Some((place, until)) => Some((place.to_owned(), Some(Timestamp::from_microsecond(whole(until)?).ok()?))),
        None => Some((text, None)),
    }
}

/// Digits only: no sign, no spaces.
pub(crate) fn whole(text: &str) -> Option<i64> {
    (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok()).flatten()
}

/// A year in the path.
pub(crate) fn year(text: &str) -> Result<i16, Problem> {
    let year = whole(text).filter(|year| (2000..=2099).contains(year)).and_then(|year| i16::try_from(year).ok());
    year.ok_or_else(|| {
        Problem::invalid([FaultAt::parameter("year", "out_of_range", "give the year as four digits, from 2000 to 2099")])
    })
}

/// A quarter in the path.
pub(crate) fn quarter(year_text: &str, text: &str) -> Result<Quarter, Problem> {
    let year = year(year_text)?;
    let quarter = whole(text).and_then(|quarter| Quarter::new(year, u8::try_from(quarter).ok()?));
    quarter.ok_or_else(|| Problem::invalid([FaultAt::parameter("quarter", "out_of_range", "give the quarter, 1 to 4")]))
}

/// An id in the path; what is not a number names nothing.
pub(crate) fn id(text: &str, what: &'static str) -> Result<i64, Problem> {
    whole(text).filter(|id| *id > 0).ok_or_else(|| service::Error::NotFound(what).into())
}
