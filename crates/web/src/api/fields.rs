//! The fields of a JSON object, read one by one while every fault is collected.

use super::body::Json;
use jiff::civil::Date;
use ledger::{
    calendar,
    country::CountryCode,
    decimal::{self, Decimal, DecimalError},
};
use serde_json::{Map, Value, json};
use service::Fault;

/// What is wrong with one value: a code and what to do.
pub(crate) type Wrong = (&'static str, String);

/// Faults that are told at once at the most: an answer must not be many times its question.
const MOST_FAULTS: usize = 1_000;

/// How a value is read, and what the description of the API says of it.
pub(crate) trait Reader {
    /// What is read.
    type Value;

    /// Reads a value.
    fn read(&self, json: &Json) -> Result<Self::Value, Wrong>;

    /// The values that can be read, as JSON Schema (2020-12).
    fn schema(&self) -> Value;
}

/// A JSON object of the API: its fields are taken one by one. The same code reads a body while every fault is collected, and
/// describes which bodies there can be, so that the description cannot say anything else than what is read.
pub(crate) struct Fields<'j, 'f> {
    mode: Mode<'j, 'f>,
}

enum Mode<'j, 'f> {
    Reading { pointer: String, members: Vec<(&'j str, Option<&'j Json>)>, faults: &'f mut Vec<Fault> },
    Describing(&'f mut Description),
}

/// What an object can hold.
#[derive(Default)]
struct Description {
    properties: Map<String, Value>,
    required: Vec<&'static str>,
}

/// Whether a field may be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// It may be left out, or be null.
    Optional,
    /// It must be there.
    Required,
}

/// Reads an object; what was not asked for is refused, since silently dropping a `discount` would book a wrong amount.
pub(crate) fn read<T>(json: &Json, faults: &mut Vec<Fault>, take: impl FnOnce(&mut Fields<'_, '_>) -> T) -> T {
    read_at(json, String::new(), faults, take)
}

fn read_at<T>(json: &Json, pointer: String, faults: &mut Vec<Fault>, take: impl FnOnce(&mut Fields<'_, '_>) -> T) -> T {
    let members = match json {
        Json::Object(members) => members.iter().map(|(name, value)| (name.as_str(), Some(value))).collect(),
        _ => {
            faults.push(Fault::new(pointer.clone(), "invalid_type", "give a JSON object"));
            Vec::new()
        }
    };
    let mut fields = Fields { mode: Mode::Reading { pointer, members, faults } };
    let taken = take(&mut fields);
    fields.refuse_what_is_left();
    taken
}

/// Describes the objects that `take` reads.
pub(crate) fn schema<T>(take: impl FnOnce(&mut Fields<'_, '_>) -> T) -> Value {
    let mut description = Description::default();
    take(&mut Fields { mode: Mode::Describing(&mut description) });
    let mut schema = json!({ "type": "object", "properties": description.properties, "additionalProperties": false });
    if !description.required.is_empty() {
        schema["required"] = json!(description.required);
    }
    schema
}

impl<'j> Fields<'j, '_> {
    fn take(&mut self, name: &str) -> Option<&'j Json> {
        match &mut self.mode {
            Mode::Reading { members, .. } => {
                members.iter_mut().find(|(member, _)| *member == name).and_then(|(_, value)| value.take())
            }
            Mode::Describing(_) => None,
        }
    }

    fn at(&self, name: &str) -> String {
        match &self.mode {
            Mode::Reading { pointer, .. } => format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1")),
            Mode::Describing(_) => String::new(),
        }
    }

    /// Notes the field down and says true when only a description is wanted.
    fn describes(&mut self, name: &'static str, meaning: &str, need: Need, schema: impl FnOnce() -> Value) -> bool {
        let Mode::Describing(description) = &mut self.mode else { return false };
        let mut schema = schema();
        if need == Need::Required {
            description.required.push(name);
        } else {
            schema = nullable(schema);
        }
        schema["description"] = json!(meaning);
        description.properties.insert(name.to_owned(), schema);
        true
    }

    /// A field that may be left out, or be null.
    pub(crate) fn optional<R: Reader>(&mut self, name: &'static str, meaning: &str, reader: R) -> Option<R::Value> {
        if self.describes(name, meaning, Need::Optional, || reader.schema()) {
            return None;
        }
        match self.take(name)? {
            Json::Null => None,
            value => self.read_value(name, value, &reader),
        }
    }

    /// A field that must be there.
    pub(crate) fn required<R: Reader>(&mut self, name: &'static str, meaning: &str, reader: R) -> Option<R::Value> {
        if self.describes(name, meaning, Need::Required, || reader.schema()) {
            return None;
        }
        match self.take(name) {
            None | Some(Json::Null) => {
                let form = if reader.schema()["format"] == "date" { " as YYYY-MM-DD" } else { "" };
                self.fault(name, "required", format!("give {name}{form}"));
                None
            }
            Some(value) => self.read_value(name, value, &reader),
        }
    }

    fn read_value<R: Reader>(&mut self, name: &str, value: &Json, reader: &R) -> Option<R::Value> {
        match reader.read(value) {
            Ok(value) => Some(value),
            Err((code, message)) => {
                self.fault(name, code, message);
                None
            }
        }
    }

    /// An object inside this one; none when it is not an object.
    pub(crate) fn object<T>(
        &mut self,
        name: &'static str,
        meaning: &str,
        need: Need,
        take: impl Fn(&mut Fields<'_, '_>) -> T,
    ) -> Option<T> {
        if self.describes(name, meaning, need, || schema(&take)) {
            return None;
        }
        match self.take(name) {
            None | Some(Json::Null) => {
                if need == Need::Required {
                    self.fault(name, "required", format!("give {name}"));
                }
                None
            }
            Some(value) => {
                let pointer = self.at(name);
                let Mode::Reading { faults, .. } = &mut self.mode else { return None };
                let taken = read_at(value, pointer, faults, take);
                matches!(value, Json::Object(_)).then_some(taken)
            }
        }
    }

    /// A list of objects, from `least` to `most` of them; `take` gives none of those that cannot be used.
    pub(crate) fn list<T>(
        &mut self,
        name: &'static str,
        meaning: &str,
        need: Need,
        (least, most): (usize, usize),
        take: impl Fn(&mut Fields<'_, '_>) -> Option<T>,
    ) -> Option<Vec<T>> {
        let describe = || json!({ "type": "array", "minItems": least, "maxItems": most, "items": schema(&take) });
        if self.describes(name, meaning, need, describe) {
            return None;
        }
        let items = match self.take(name) {
            None | Some(Json::Null) => {
                if need == Need::Required {
                    self.fault(name, "required", format!("give {name}, {least} to {most} of them"));
                }
                return None;
            }
            Some(Json::Array(items)) => items,
            Some(_) => {
                self.fault(name, "invalid_type", "give a list");
                return None;
            }
        };
        if items.len() < least {
            self.fault(name, "required", format!("give at least {least}"));
            return None;
        }
        if items.len() > most {
            self.fault(name, "too_many", format!("give at most {most}; there are {}", items.len()));
            return None;
        }
        let pointer = self.at(name);
        let Mode::Reading { faults, .. } = &mut self.mode else { return None };
        let mut one = |(place, item)| {
            let before = faults.len();
            let taken = read_at(item, format!("{pointer}/{place}"), faults, &take);
            taken.filter(|_| faults.len() == before)
        };
        let taken: Vec<Option<T>> = items.iter().enumerate().map(&mut one).collect();
        taken.into_iter().collect()
    }

    /// Whether the field is there, and not null. Ask before it is taken.
    pub(crate) fn has(&self, name: &str) -> bool {
        match &self.mode {
            Mode::Reading { members, .. } => {
                members.iter().any(|(member, value)| *member == name && !matches!(value, None | Some(Json::Null)))
            }
            Mode::Describing(_) => false,
        }
    }

    /// Whether the field is there as null, which takes a value away. Ask before it is taken.
    pub(crate) fn is_null(&self, name: &str) -> bool {
        match &self.mode {
            Mode::Reading { members, .. } => {
                members.iter().any(|(member, value)| *member == name && matches!(value, Some(Json::Null)))
            }
            Mode::Describing(_) => false,
        }
    }

    /// Adds a fault of the field, or of the object itself when the name is empty.
    pub(crate) fn fault(&mut self, name: &str, code: &'static str, message: impl Into<String>) {
        let at = self.at(name);
        if let Mode::Reading { pointer, faults, .. } = &mut self.mode
            && faults.len() < MOST_FAULTS
        {
            faults.push(Fault::new(if name.is_empty() { pointer.clone() } else { at }, code, message));
        }
    }

    fn refuse_what_is_left(&mut self) {
        let Mode::Reading { members, .. } = &self.mode else { return };
        let left: Vec<&str> = members.iter().filter(|(_, value)| value.is_some()).map(|(name, _)| *name).collect();
        for name in left {
            let shown: String = name.chars().take(100).collect();
            let at = self.at(&shown);
            if let Mode::Reading { faults, .. } = &mut self.mode
                && faults.len() < MOST_FAULTS
            {
                faults.push(Fault::new(at, "unknown_field", format!("the API does not know {shown:?} here; leave it out")));
            }
        }
    }
}

/// The same, or null.
fn nullable(mut schema: Value) -> Value {
    if let Some(Value::String(kind)) = schema.get("type") {
        schema["type"] = json!([kind, "null"]);
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.push(Value::Null);
    }
    schema
}

/// Texts that are not blank and hold no control characters, with or without the line feed. White space at the ends is trimmed off.
const ONE_LINE: &str = r"^\s*[^\s\x00-\x1f\x7f-\x9f]([^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f])?\s*$";
const SEVERAL_LINES: &str = r"^\s*[^\s\x00-\x1f\x7f-\x9f]([^\x00-\x09\x0b-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f])?\s*$";

/// The names of choices, for a schema.
pub(crate) fn names<T>(choices: &[(&'static str, T)]) -> Vec<&'static str> {
    choices.iter().map(|(name, _)| *name).collect()
}

/// The same, or null.
pub(crate) fn or_null<'n>(names: impl IntoIterator<Item = &'n str>) -> Vec<Option<&'n str>> {
    names.into_iter().map(Some).chain([None]).collect()
}

/// A text on one line, trimmed, of at most so many characters; it may not be empty.
pub(crate) struct Line(pub(crate) usize);

impl Reader for Line {
    type Value = String;

    fn read(&self, json: &Json) -> Result<String, Wrong> {
        text(json, self.0, false)
    }

    fn schema(&self) -> Value {
        json!({ "type": "string", "minLength": 1, "maxLength": self.0, "pattern": ONE_LINE })
    }
}

/// A text that may have several lines.
pub(crate) struct Lines(pub(crate) usize);

impl Reader for Lines {
    type Value = String;

    fn read(&self, json: &Json) -> Result<String, Wrong> {
        text(json, self.0, true)
    }

    fn schema(&self) -> Value {
        json!({ "type": "string", "minLength": 1, "maxLength": self.0, "pattern": SEVERAL_LINES })
    }
}

fn text(json: &Json, most: usize, newlines: bool) -> Result<String, Wrong> {
    let Json::Text(text) = json else { return Err(("invalid_type", "give a text".into())) };
    let length = text.chars().count();
    let text = text.trim();
    let allowed = |c: char| !c.is_control() || (newlines && c == '\n');
    if text.is_empty() {
        Err(("required", "give a text that is not empty".into()))
    } else if !text.chars().all(allowed) {
        Err(("invalid_format", "leave out control characters".into()))
    } else if length > most {
        Err(("too_long", format!("give at most {most} characters")))
    } else {
        Ok(text.to_owned())
    }
}

/// One of several texts.
pub(crate) struct Choice<T: 'static>(pub(crate) &'static [(&'static str, T)]);

impl<T: Copy> Reader for Choice<T> {
    type Value = T;

    fn read(&self, json: &Json) -> Result<T, Wrong> {
        let Json::Text(text) = json else { return Err(("invalid_type", "give a text".into())) };
        self.0.iter().find(|(name, _)| name == text).map(|(_, value)| *value).ok_or_else(|| {
            let names: Vec<&str> = self.0.iter().map(|(name, _)| *name).collect();
            ("unknown_value", format!("give one of: {}", names.join(", ")))
        })
    }

    fn schema(&self) -> Value {
        let names: Vec<&str> = self.0.iter().map(|(name, _)| *name).collect();
        json!({ "type": "string", "enum": names })
    }
}

/// A calendar day.
pub(crate) struct Day;

impl Reader for Day {
    type Value = Date;

    fn read(&self, json: &Json) -> Result<Date, Wrong> {
        let Json::Text(text) = json else { return Err(("invalid_type", "give a day as a text, YYYY-MM-DD".into())) };
        calendar::parse_date(text).map_err(|error| ("invalid_date", error.to_string()))
    }

    fn schema(&self) -> Value {
        json!({ "type": "string", "format": "date", "minLength": 10, "maxLength": 10, "pattern": "^20[0-9]{2}-[0-9]{2}-[0-9]{2}$",
                "examples": ["2026-03-13"] })
    }
}

/// A country by its code.
pub(crate) struct Country;

impl Reader for Country {
    type Value = CountryCode;

    fn read(&self, json: &Json) -> Result<CountryCode, Wrong> {
        let Json::Text(text) = json else { return Err(("invalid_type", "give a country's code as a text".into())) };
        CountryCode::parse(text.trim()).map_err(|error| ("unknown_value", error.to_string()))
    }

    fn schema(&self) -> Value {
        let codes: Vec<String> = CountryCode::all().map(|country| country.to_string()).collect();
        json!({ "type": "string", "enum": codes, "examples": ["NL"] })
    }
}

/// A number, exactly as it is written.
pub(crate) struct Exact;

impl Reader for Exact {
    type Value = Decimal;

    fn read(&self, json: &Json) -> Result<Decimal, Wrong> {
        let Json::Number(text) = json else { return Err(("invalid_type", "give a number".into())) };
        decimal::parse(text).map_err(|error| (decimal_code(error), error.to_string()))
    }

    fn schema(&self) -> Value {
        json!({ "type": "number", "minimum": -1_000_000_000, "maximum": 1_000_000_000 })
    }
}

fn decimal_code(error: DecimalError) -> &'static str {
    match error {
        DecimalError::NotANumber => "invalid_type",
        DecimalError::TooManyDecimals => "too_many",
        DecimalError::OutOfRange => "out_of_range",
    }
}

/// A whole number within bounds.
pub(crate) struct Whole(pub(crate) i64, pub(crate) i64);

impl Reader for Whole {
    type Value = i64;

    fn read(&self, json: &Json) -> Result<i64, Wrong> {
        let Self(least, most) = *self;
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

    fn schema(&self) -> Value {
        json!({ "type": "integer", "format": "int64", "minimum": self.0, "maximum": self.1 })
    }
}

/// What another reader read, judged further. The schema is completed with what the judgement adds.
pub(crate) struct Judged<R, F> {
    reader: R,
    judge: F,
    adds: fn() -> Value,
}

impl<T, R: Reader, F: Fn(R::Value) -> Result<T, Wrong>> Reader for Judged<R, F> {
    type Value = T;

    fn read(&self, json: &Json) -> Result<T, Wrong> {
        self.reader.read(json).and_then(&self.judge)
    }

    fn schema(&self) -> Value {
        let mut schema = self.reader.schema();
        if let (Value::Object(schema), Value::Object(adds)) = (&mut schema, (self.adds)()) {
            schema.extend(adds);
        }
        schema
    }
}

/// Judges further what a reader read; `adds` says it in the schema, and is asked only for the description.
pub(crate) fn judged<T, R: Reader, F: Fn(R::Value) -> Result<T, Wrong>>(
    reader: R,
    adds: fn() -> Value,
    judge: F,
) -> Judged<R, F> {
    Judged { reader, judge, adds }
}

/// A caller's own identifier: 1 to 255 characters, compared as it is.
pub(crate) const EXTERNAL_ID: Line = Line(255);
/// What is said of it everywhere.
pub(crate) const EXTERNAL_ID_MEANING: &str =
    "Your own identifier. Creating again with one that exists answers with what is there (200) and makes nothing.";
