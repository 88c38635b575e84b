//! The fields of a JSON object, read one by one while every fault is collected.

use super::body::Json;
use jiff::civil::Date;
use ledger::{
    calendar,
    country::CountryCode,
    decimal::{self, Decimal, DecimalError},
};
use service::Fault;

/// What is wrong with one value: a code and what to do.
pub(crate) type Wrong = (&'static str, String);

/// An object whose fields are taken one by one; what is left over is unknown.
pub(crate) struct Fields<'j, 'f> {
    pointer: String,
    members: Vec<(&'j str, Option<&'j Json>)>,
    faults: &'f mut Vec<Fault>,
}

impl<'j, 'f> Fields<'j, 'f> {
    /// The fields of a value that should be an object; none, and a fault, when it is not.
    pub(crate) fn of(json: &'j Json, pointer: impl Into<String>, faults: &'f mut Vec<Fault>) -> Self {
        let pointer = pointer.into();
        let members = match json {
            Json::Object(members) => members.iter().map(|(name, value)| (name.as_str(), Some(value))).collect(),
            _ => {
                faults.push(Fault::new(pointer.clone(), "invalid_type", "give a JSON object"));
                Vec::new()
            }
        };
        Self { pointer, members, faults }
    }

    fn take(&mut self, name: &str) -> Option<&'j Json> {
        self.members.iter_mut().find(|(member, _)| *member == name).and_then(|(_, value)| value.take())
    }

    fn at(&self, name: &str) -> String {
        format!("{}/{}", self.pointer, name.replace('~', "~0").replace('/', "~1"))
    }

    /// A field that may be left out, or be null.
    pub(crate) fn optional<T>(&mut self, name: &str, read: impl FnOnce(&'j Json) -> Result<T, Wrong>) -> Option<T> {
        match self.take(name)? {
            Json::Null => None,
            value => match read(value) {
                Ok(value) => Some(value),
                Err((code, message)) => {
                    self.fault(name, code, message);
                    None
                }
            },
        }
    }

    /// A field that must be there.
    pub(crate) fn required<T>(&mut self, name: &str, read: impl FnOnce(&'j Json) -> Result<T, Wrong>) -> Option<T> {
        match self.take(name) {
            None | Some(Json::Null) => {
                self.fault(name, "required", format!("give {name}"));
                None
            }
            Some(value) => match read(value) {
                Ok(value) => Some(value),
                Err((code, message)) => {
                    self.fault(name, code, message);
                    None
                }
            },
        }
    }

    /// A field that is read with faults of its own, such as an object or a list.
    pub(crate) fn nested<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&'j Json, String, &mut Vec<Fault>) -> Option<T>,
    ) -> Option<T> {
        match self.take(name)? {
            Json::Null => None,
            value => read(value, self.at(name), self.faults),
        }
    }

    /// Whether the field is there, though perhaps null.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.members.iter().any(|(member, value)| *member == name && !matches!(value, None | Some(Json::Null)))
    }

    pub(crate) fn fault(&mut self, name: &str, code: &'static str, message: impl Into<String>) {
        let pointer = self.at(name);
        self.faults.push(Fault::new(pointer, code, message));
    }

    /// Ends the reading: what was not asked for is refused, since silently dropping a `discount` would book a wrong amount.
    pub(crate) fn finish(self) {
        let left: Vec<&str> = self.members.iter().filter(|(_, value)| value.is_some()).map(|(name, _)| *name).collect();
        for name in left {
            let shown: String = name.chars().take(100).collect();
            let pointer = self.at(name);
            self.faults.push(Fault::new(pointer, "unknown_field", format!("the API does not know {shown:?} here; leave it out")));
        }
    }
}

/// Reads the elements of a list, from `least` to `most` of them.
pub(crate) fn list<T>(
    json: &Json,
    pointer: String,
    faults: &mut Vec<Fault>,
    (least, most): (usize, usize),
    mut read: impl FnMut(&Json, String, &mut Vec<Fault>) -> Option<T>,
) -> Option<Vec<T>> {
    let Json::Array(items) = json else {
        faults.push(Fault::new(pointer, "invalid_type", "give a list"));
        return None;
    };
    if items.len() < least {
        faults.push(Fault::new(pointer, "required", format!("give at least {least}")));
        return None;
    }
    if items.len() > most {
        faults.push(Fault::new(pointer, "too_many", format!("give at most {most}; there are {}", items.len())));
        return None;
    }
    let read: Vec<Option<T>> =
        items.iter().enumerate().map(|(place, item)| read(item, format!("{pointer}/{place}"), faults)).collect();
    read.into_iter().collect()
}

/// A text on one line, trimmed, of at most so many characters; it may not be empty.
pub(crate) fn line(most: usize) -> impl Fn(&Json) -> Result<String, Wrong> {
    move |json| text(json, most, false)
}

/// A text that may have several lines.
pub(crate) fn lines(most: usize) -> impl Fn(&Json) -> Result<String, Wrong> {
    move |json| text(json, most, true)
}

fn text(json: &Json, most: usize, newlines: bool) -> Result<String, Wrong> {
    let Json::Text(text) = json else { return Err(("invalid_type", "give a text".into())) };
    let text = text.trim();
    let allowed = |c: char| !c.is_control() || (newlines && c == '\n');
    if text.is_empty() {
        Err(("required", "give a text that is not empty".into()))
    } else if !text.chars().all(allowed) {
        Err(("invalid_format", "leave out control characters".into()))
    } else if text.chars().count() > most {
        Err(("too_long", format!("give at most {most} characters")))
    } else {
        Ok(text.to_owned())
    }
}

/// A caller's own identifier: 1 to 255 characters, compared as it is.
pub(crate) fn external_id(json: &Json) -> Result<String, Wrong> {
    text(json, 255, false)
}

/// One of several texts.
pub(crate) fn choice<T: Copy>(choices: &'static [(&'static str, T)]) -> impl Fn(&Json) -> Result<T, Wrong> {
    move |json| {
        let Json::Text(text) = json else { return Err(("invalid_type", "give a text".into())) };
        choices.iter().find(|(name, _)| name == text).map(|(_, value)| *value).ok_or_else(|| {
            let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
            ("unknown_value", format!("give one of: {}", names.join(", ")))
        })
    }
}

/// A calendar day.
pub(crate) fn date(json: &Json) -> Result<Date, Wrong> {
    let Json::Text(text) = json else { return Err(("invalid_type", "give a day as a text, YYYY-MM-DD".into())) };
    calendar::parse_date(text).map_err(|error| ("invalid_date", error.to_string()))
}

/// A country by its code.
pub(crate) fn country(json: &Json) -> Result<CountryCode, Wrong> {
    let Json::Text(text) = json else { return Err(("invalid_type", "give a country's code as a text".into())) };
    CountryCode::parse(text.trim()).map_err(|error| ("unknown_value", error.to_string()))
}

/// A number, exactly as it is written.
pub(crate) fn number(json: &Json) -> Result<Decimal, Wrong> {
    let Json::Number(text) = json else { return Err(("invalid_type", "give a number".into())) };
    decimal::parse(text).map_err(|error| (decimal_code(error), error.to_string()))
}

fn decimal_code(error: DecimalError) -> &'static str {
    match error {
        DecimalError::NotANumber => "invalid_type",
        DecimalError::TooManyDecimals => "too_many",
        DecimalError::OutOfRange => "out_of_range",
    }
}

/// A whole number within bounds.
pub(crate) fn integer(least: i64, most: i64) -> impl Fn(&Json) -> Result<i64, Wrong> {
    move |json| {
        let range = || ("out_of_range", format!("give a whole number from {least} to {most}"));
        let Json::Number(text) = json else { return Err(("invalid_type", "give a whole number".into())) };
        if text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') {
            return text.parse::<i64>().ok().filter(|value| (least..=most).contains(value)).ok_or_else(range);
        }
        // 1e2 and 100.0 are whole numbers too.
        let value = decimal::parse(text).map_err(|_| range())?.normalize();
        if value.scale() > 0 {
            return Err(("invalid_type", "give a whole number".into()));
        }
        i64::try_from(value.mantissa()).ok().filter(|value| (least..=most).contains(value)).ok_or_else(range)
    }
}
