//! Reads an object or a form field by field, and collects all faults.

use super::{Raw, readers::Reader};
use serde_json::{Map, Value, json};
use service::{Fault, Reason};

/// Maximum number of reported faults: a response must not be many times as large as its request.
const MOST_FAULTS: usize = 1_000;

/// An object of a JSON body or a form, whose fields are read one by one. The same code reads bodies
/// of the API and forms of the pages, collects the faults, and generates the schema, so these
/// cannot diverge.
pub struct Fields<'j, 'f> {
    mode: Mode<'j, 'f>,
}

enum Mode<'j, 'f> {
    Parsing {
        source: Source,
        pointer: String,
        members: Vec<(&'j str, Option<&'j Raw>)>,
        faults: &'f mut Vec<Fault>,
    },
    Describing(&'f mut Description),
}

/// Source of the values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    /// JSON body: unknown fields are rejected, since silently dropping a `discount` would book a
    /// wrong amount.
    Json,
    /// Form: an empty field is absent, a blank line is ignored, and unknown fields are left to the
    /// page.
    Form,
}

/// Default values that a page fills in for the fields of a line. A line whose other fields are
/// empty is ignored.
pub type Defaults = &'static [(&'static str, &'static [&'static str])];

/// Description of the fields of an object.
#[derive(Default)]
struct Description {
    properties: Map<String, Value>,
    required: Vec<&'static str>,
}

/// Presence of a field: optional or required.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// The field may be absent or null.
    Optional,
    /// The field must be present.
    Required,
}

/// Reads a JSON object.
pub(super) fn read_json<T>(
    json: &Raw,
    faults: &mut Vec<Fault>,
    take: impl FnOnce(&mut Fields<'_, '_>) -> T,
) -> T {
    read_at(Source::Json, json, String::new(), faults, take)
}

/// Reads the object of a form.
pub(super) fn read_form<T>(
    form: &Raw,
    faults: &mut Vec<Fault>,
    take: impl FnOnce(&mut Fields<'_, '_>) -> T,
) -> T {
    read_at(Source::Form, form, String::new(), faults, take)
}

fn read_at<T>(
    source: Source,
    raw: &Raw,
    pointer: String,
    faults: &mut Vec<Fault>,
    take: impl FnOnce(&mut Fields<'_, '_>) -> T,
) -> T {
    let (members, is_none) = match raw {
        Raw::Object(members) => {
            (members.iter().map(|(name, value)| (name.as_str(), Some(value))).collect(), false)
        }
        _ => {
            if source == Source::Json {
                faults.push(Fault::new(pointer.clone(), Reason::NotAnObject));
            }
            (Vec::new(), source == Source::Json)
        }
    };
    let count = faults.len();
    let mut fields = Fields { mode: Mode::Parsing { source, pointer, members, faults } };
    let taken = take(&mut fields);
    fields.reject_unknown_fields();
    // A value that is not an object lacks every required field: one fault is enough.
    if is_none {
        faults.truncate(count);
    }
    taken
}

/// Whether a form's object contains only empty fields and defaults.
fn is_blank(raw: &Raw, defaults: Defaults) -> bool {
    let is_default = |name: &str, text: &str| {
        defaults.iter().any(|(field, values)| *field == name && values.contains(&text))
    };
    match raw {
        Raw::Object(members) => members.iter().all(|(name, value)| match value {
            Raw::Typed(text, _) => text.is_empty() || is_default(name, text),
            nested => is_blank(nested, &[]),
        }),
        other => other.is_absent(),
    }
}

/// Returns the lines of a form in the order of their numbers, which may have gaps.
fn numbered(raw: &Raw, defaults: Defaults) -> Vec<(&str, &Raw)> {
    let Raw::Object(members) = raw else { return Vec::new() };
    let is_number = |place: &str| place.bytes().all(|byte| byte.is_ascii_digit());
    let mut lines: Vec<(&str, &Raw)> = members
        .iter()
        .filter(|(_, line)| matches!(line, Raw::Object(_)) && !is_blank(line, defaults))
        .map(|(place, line)| (place.as_str(), line))
        .filter(|(place, _)| !place.is_empty() && is_number(place))
        .collect();
    // Numbers of any size: a filled line must not be dropped because its number is large.
    lines.sort_by_key(|(place, _)| {
        let digits = place.trim_start_matches('0');
        (digits.len(), digits)
    });
    lines
}

/// Returns the JSON Schema of the objects that `take` reads.
pub fn schema<T>(take: impl FnOnce(&mut Fields<'_, '_>) -> T) -> Value {
    let mut description = Description::default();
    take(&mut Fields { mode: Mode::Describing(&mut description) });
    let mut schema = json!({ "type": "object", "properties": description.properties, "additionalProperties": false });
    if !description.required.is_empty() {
        schema["required"] = json!(description.required);
    }
    schema
}

impl<'j> Fields<'j, '_> {
    fn take(&mut self, name: &str) -> Option<&'j Raw> {
        match &mut self.mode {
            Mode::Parsing { members, .. } => members
                .iter_mut()
                .find(|(member, _)| *member == name)
                .and_then(|(_, value)| value.take()),
            Mode::Describing(_) => None,
        }
    }

    fn at(&self, name: &str) -> String {
        match &self.mode {
            Mode::Parsing { pointer, .. } => {
                format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"))
            }
            Mode::Describing(_) => String::new(),
        }
    }

    /// If only a description is requested, adds the field to the description and returns true.
    fn describes(
        &mut self,
        name: &'static str,
        meaning: &str,
        presence: Presence,
        schema: impl FnOnce() -> Value,
    ) -> bool {
        let Mode::Describing(description) = &mut self.mode else { return false };
        let mut schema = schema();
        if presence == Presence::Required {
            description.required.push(name);
        } else {
            schema = nullable(schema);
        }
        schema["description"] = json!(meaning);
        description.properties.insert(name.to_owned(), schema);
        true
    }

    /// Reads a field that may be absent or null.
    pub fn optional<R: Reader>(
        &mut self,
        name: &'static str,
        meaning: &str,
        reader: R,
    ) -> Option<R::Value> {
        if self.describes(name, meaning, Presence::Optional, || reader.schema()) {
            return None;
        }
        let value = self.take(name).filter(|value| !value.is_absent())?;
        self.read_value(name, value, &reader)
    }

    /// Reads a field that has a default; `None` if its value has a fault.
    pub fn with_default<R: Reader>(
        &mut self,
        name: &'static str,
        meaning: &str,
        reader: R,
        default: R::Value,
    ) -> Option<R::Value> {
        let is_present = self.has(name);
        let value = self.optional(name, meaning, reader);
        if is_present { value } else { Some(default) }
    }

    /// Reads a required field.
    pub fn required<R: Reader>(
        &mut self,
        name: &'static str,
        meaning: &str,
        reader: R,
    ) -> Option<R::Value> {
        if self.describes(name, meaning, Presence::Required, || reader.schema()) {
            return None;
        }
        match self.take(name).filter(|value| !value.is_absent()) {
            None => {
                self.fault(name, reader.missing());
                None
            }
            Some(value) => self.read_value(name, value, &reader),
        }
    }

    /// Reads a field of an edit whose value can be removed: `None` if the field is absent,
    /// `Some(None)` if it is null, or empty in a form, so that the value is removed.
    pub fn removable<R: Reader>(
        &mut self,
        name: &'static str,
        meaning: &str,
        reader: R,
    ) -> Option<Option<R::Value>> {
        let removed = self.is_null(name);
        self.optional(name, meaning, reader).map(Some).or(removed.then_some(None))
    }

    /// Reads a field of an edit whose value can be changed but not removed.
    pub fn changeable<R: Reader>(
        &mut self,
        name: &'static str,
        meaning: &str,
        reader: R,
    ) -> Option<R::Value> {
        if let Mode::Describing(description) = &mut self.mode {
            let mut schema = reader.schema();
            schema["description"] = json!(meaning);
            description.properties.insert(name.to_owned(), schema);
            return None;
        }
        if self.is_null(name) {
            self.take(name);
            self.fault(name, reader.missing());
            return None;
        }
        self.optional(name, meaning, reader)
    }

    fn read_value<R: Reader>(&mut self, name: &str, value: &Raw, reader: &R) -> Option<R::Value> {
        match reader.read(value) {
            Ok(value) => Some(value),
            Err(reason) => {
                self.fault(name, reason);
                None
            }
        }
    }

    /// Whether the possible bodies are described, and no body is read.
    pub fn is_description(&self) -> bool {
        matches!(self.mode, Mode::Describing(_))
    }

    fn is_form(&self) -> bool {
        matches!(self.mode, Mode::Parsing { source: Source::Form, .. })
    }

    /// Reads a nested object; `None` if the value is not an object.
    pub fn object<T>(
        &mut self,
        name: &'static str,
        meaning: &str,
        presence: Presence,
        take: impl Fn(&mut Fields<'_, '_>) -> T,
    ) -> Option<T> {
        if self.describes(name, meaning, presence, || schema(&take)) {
            return None;
        }
        let is_form = self.is_form();
        let taken =
            self.take(name).filter(|value| !(value.is_absent() || is_form && is_blank(value, &[])));
        let value = match taken {
            Some(value) => value,
            // A form has no field for the object itself, so faults are reported for the object's
            // fields.
            None if is_form && presence == Presence::Required => &Raw::Object(Vec::new()),
            None => {
                if presence == Presence::Required {
                    self.fault(name, Reason::Required);
                }
                return None;
            }
        };
        let pointer = self.at(name);
        let Mode::Parsing { source, faults, .. } = &mut self.mode else { return None };
        let taken = read_at(*source, value, pointer, faults, take);
        matches!(value, Raw::Object(_)).then_some(taken)
    }

    /// Reads a list of `least` to `most` objects; `take` returns `None` for an object with faults.
    /// In a form, lines are skipped if all their fields are empty or have their default values.
    pub fn list<T>(
        &mut self,
        name: &'static str,
        meaning: &str,
        presence: Presence,
        (least, most): (usize, usize),
        defaults: Defaults,
        take: impl Fn(&mut Fields<'_, '_>) -> Option<T>,
    ) -> Option<Vec<T>> {
        let describe = || json!({ "type": "array", "minItems": least, "maxItems": most, "items": schema(&take) });
        if self.describes(name, meaning, presence, describe) {
            return None;
        }
        let is_form = self.is_form();
        let items: Vec<(String, &Raw)> = match self.take(name) {
            Some(Raw::Array(items)) => {
                items.iter().enumerate().map(|(place, item)| (place.to_string(), item)).collect()
            }
            Some(lines) if is_form => numbered(lines, defaults)
                .into_iter()
                .map(|(place, line)| (place.to_owned(), line))
                .collect(),
            None if is_form => Vec::new(),
            Some(Raw::Null) | None => {
                if presence == Presence::Required {
                    self.fault(name, Reason::ListRequired { least, most });
                }
                return None;
            }
            Some(_) => {
                self.fault(name, Reason::NotAList);
                return None;
            }
        };
        if is_form && items.is_empty() && presence == Presence::Optional {
            return None;
        }
        if items.len() < least {
            self.fault(name, Reason::TooFew { least });
            return None;
        }
        if items.len() > most {
            self.fault(name, Reason::TooMany { most, given: items.len() });
            return None;
        }
        let pointer = self.at(name);
        let Mode::Parsing { source, faults, .. } = &mut self.mode else { return None };
        let mut one = |(place, item): (String, &Raw)| {
            let before = faults.len();
            let taken = read_at(*source, item, format!("{pointer}/{place}"), faults, &take);
            taken.filter(|_| faults.len() == before)
        };
        let taken: Vec<Option<T>> = items.into_iter().map(&mut one).collect();
        taken.into_iter().collect()
    }

    /// Reads the readable lines of an unfinished form, with their numbers. Faults are not reported;
    /// `take` returns `None` for an unreadable line.
    pub fn readable<T>(
        &mut self,
        name: &str,
        take: impl Fn(&mut Fields<'_, '_>) -> Option<T>,
    ) -> Vec<(usize, T)> {
        let lines = self.take(name).map(|lines| numbered(lines, &[])).unwrap_or_default();
        let read = |line| read_at(Source::Form, line, String::new(), &mut Vec::new(), &take);
        lines
            .into_iter()
            .filter_map(|(place, line)| Some((place.parse().ok()?, read(line)?)))
            .collect()
    }

    fn peek(&self, name: &str) -> Option<&'j Raw> {
        match &self.mode {
            Mode::Parsing { members, .. } => {
                members.iter().find(|(member, _)| *member == name).and_then(|(_, value)| *value)
            }
            Mode::Describing(_) => None,
        }
    }

    /// Returns the text of a field, or an empty text. Must be called before the field is read.
    pub fn text(&self, name: &str) -> &'j str {
        self.peek(name).and_then(Raw::text).unwrap_or_default()
    }

    /// Whether the field is present and neither null nor empty. Must be called before the field is
    /// read.
    pub fn has(&self, name: &str) -> bool {
        self.peek(name).is_some_and(|value| !value.is_absent())
    }

    /// Whether the field is present as null, or empty in a form; in an edit this removes the value.
    /// Must be called before the field is read.
    pub fn is_null(&self, name: &str) -> bool {
        self.peek(name).is_some_and(Raw::is_absent)
    }

    /// Whether the field is removed with all fields of its object: null in JSON, or only empty
    /// fields in a form. Must be called before the field is read.
    pub fn is_emptied(&self, name: &str) -> bool {
        let is_form = self.is_form();
        self.peek(name).is_some_and(|value| value.is_absent() || is_form && is_blank(value, &[]))
    }

    /// Adds a fault to the field, or to the object itself if the name is empty.
    pub fn fault(&mut self, name: &str, reason: Reason) {
        let at = self.at(name);
        if let Mode::Parsing { pointer, faults, .. } = &mut self.mode
            && faults.len() < MOST_FAULTS
        {
            faults.push(Fault::new(if name.is_empty() { pointer.clone() } else { at }, reason));
        }
    }

    /// Adds a fault to an item of a list.
    pub fn fault_of_item(&mut self, name: &str, place: usize, reason: Reason) {
        let at = format!("{}/{place}", self.at(name));
        if let Mode::Parsing { faults, .. } = &mut self.mode
            && faults.len() < MOST_FAULTS
        {
            faults.push(Fault::new(at, reason));
        }
    }

    /// Adds a fault to a field of an item of a list.
    pub fn fault_in_item(&mut self, name: &str, place: usize, field: &str, reason: Reason) {
        let at = format!("{}/{place}/{field}", self.at(name));
        if let Mode::Parsing { faults, .. } = &mut self.mode
            && faults.len() < MOST_FAULTS
        {
            faults.push(Fault::new(at, reason));
        }
    }

    /// Accepts null in the fields with these names that are not read.
    pub fn pass_nulls(&mut self, names: &[&str]) {
        let Mode::Parsing { members, .. } = &mut self.mode else { return };
        for (name, value) in members {
            if names.contains(name) {
                value.take_if(|value| value.is_absent());
            }
        }
    }

    fn reject_unknown_fields(&mut self) {
        let Mode::Parsing { source: Source::Json, members, .. } = &self.mode else { return };
        let undeclared: Vec<&str> =
            members.iter().filter(|(_, value)| value.is_some()).map(|(name, _)| *name).collect();
        for name in undeclared {
            let shown: String = name.chars().take(100).collect();
            let at = self.at(&shown);
            if let Mode::Parsing { faults, .. } = &mut self.mode
                && faults.len() < MOST_FAULTS
            {
                faults.push(Fault::new(at, Reason::UnknownField { name: shown }));
            }
        }
    }
}

/// Extends a schema with null.
fn nullable(mut schema: Value) -> Value {
    if let Some(Value::String(kind)) = schema.get("type") {
        schema["type"] = json!([kind, "null"]);
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.push(Value::Null);
    }
    schema
}
