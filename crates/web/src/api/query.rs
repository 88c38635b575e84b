//! Parameters of the query and of the path, read one by one while every fault is collected.

use crate::{
    catalogue,
    problem::{FaultAt, Problem},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};

/// Rows on a page unless asked otherwise.
const PAGE: i64 = 100;
/// Rows on a page at the most.
const PAGE_MOST: i64 = 500;

/// The query's parameters, each at most once; what is left over is unknown.
pub(crate) struct Query {
    parameters: Vec<(String, String)>,
    faults: Vec<FaultAt>,
}

impl Query {
    pub(crate) fn of(query: Option<&str>) -> Self {
        let pairs = form_urlencoded::parse(query.unwrap_or("").as_bytes());
        let parameters: Vec<(String, String)> = pairs.into_owned().collect();
        let mut faults = Vec::new();
        for (place, (name, _)) in parameters.iter().enumerate() {
            if parameters[..place].iter().any(|(earlier, _)| earlier == name) {
                faults.push(FaultAt::parameter(name, "too_many", format!("give {name} once")));
            }
        }
        Self { parameters, faults }
    }

    pub(crate) fn take(&mut self, name: &str) -> Option<String> {
        let place = self.parameters.iter().position(|(parameter, _)| parameter == name)?;
        let value = self.parameters.remove(place).1;
        self.parameters.retain(|(parameter, _)| parameter != name);
        Some(value)
    }

    pub(crate) fn fault(&mut self, name: &str, code: &'static str, message: impl Into<String>) {
        self.faults.push(FaultAt::parameter(name, code, message));
    }

    /// A whole number within bounds.
    pub(crate) fn integer(&mut self, name: &str, least: i64, most: i64) -> Option<i64> {
        let text = self.take(name)?;
        let value = whole(&text).filter(|value| (least..=most).contains(value));
        if value.is_none() {
            self.fault(name, "out_of_range", format!("give {name} as a whole number from {least} to {most}"));
        }
        value
    }

    /// A value that some texts stand for.
    pub(crate) fn parsed<T>(&mut self, name: &str, parse: impl FnOnce(&str) -> Option<T>, message: &str) -> Option<T> {
        let text = self.take(name)?;
        let value = parse(&text);
        if value.is_none() {
            self.fault(name, "unknown_value", message);
        }
        value
    }

    /// Rows on a page.
    pub(crate) fn limit(&mut self) -> i64 {
        self.integer("limit", 1, PAGE_MOST).unwrap_or(PAGE)
    }

    /// Where the page begins, as `next_cursor` gave it.
    pub(crate) fn cursor<T>(&mut self, parse: impl FnOnce(&str) -> Option<T>) -> Result<Option<T>, Problem> {
        let Some(text) = self.take("cursor") else { return Ok(None) };
        let bytes = URL_SAFE_NO_PAD.decode(&text).ok();
        let place = bytes.and_then(|bytes| String::from_utf8(bytes).ok()).and_then(|text| parse(&text));
        place
            .map(Some)
            .ok_or_else(|| Problem::new(catalogue::INVALID_CURSOR, "Send cursor exactly as nextCursor gave it, or leave it out."))
    }

    /// Ends the reading.
    pub(crate) fn finish(mut self) -> Result<(), Problem> {
        for (name, _) in std::mem::take(&mut self.parameters) {
            let shown: String = name.chars().take(100).collect();
            self.faults.push(FaultAt::parameter(
                &shown,
                "unknown_field",
                "the API does not know this parameter here; leave it out",
            ));
        }
        if self.faults.is_empty() { Ok(()) } else { Err(Problem::invalid(self.faults)) }
    }
}

/// Opaque to clients; only what [`Query::cursor`] reads back.
pub(crate) fn cursor_text(place: &str) -> String {
    URL_SAFE_NO_PAD.encode(place)
}

/// Digits only: no sign, no spaces.
pub(crate) fn whole(text: &str) -> Option<i64> {
    (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok()).flatten()
}

/// An id in the path; what is not a number names nothing.
pub(crate) fn id(text: &str, what: &'static str) -> Result<i64, Problem> {
    whole(text).filter(|id| *id > 0).ok_or_else(|| service::Error::NotFound(what).into())
}
