//! Backward compatibility of v1: compares the API description with the released baseline and
//! reports breaking changes.

use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Direction of a schema: a request schema may accept more than before, a response schema may
/// contain more.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Request,
    Response,
}

/// Breaking changes from `old` to `new` for a client of `old`.
fn breaks(old: &Value, new: &Value) -> Vec<String> {
    let (old, new) = (written_out(old, old), written_out(new, new));
    let mut comparison = Comparison { old: &old, new: &new, breaks: Vec::new() };
    comparison.paths();
    comparison.breaks
}

struct Comparison<'v> {
    old: &'v Value,
    new: &'v Value,
    breaks: Vec<String>,
}

const METHODS: [&str; 8] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

fn object(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Inlines the references of a schema, and replaces an `anyOf` of a type and null by a list of
/// types, so that equivalent schemas compare as equal.
fn written_out(document: &Value, value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut written: Value = members
                .iter()
                .filter(|(key, _)| *key != "$ref")
                .map(|(key, member)| (key.clone(), written_out(document, member)))
                .collect::<serde_json::Map<_, _>>()
                .into();
            if members.contains_key("$ref") {
                put_under(&mut written, written_out(document, resolve(document, value)));
            }
            if let [one, null] = list(&written["anyOf"])
                && *null == json!({ "type": "null" })
                && one["type"].is_string()
            {
                let mut one = one.clone();
                one["type"] = json!([one["type"], "null"]);
                if let Some(values) = one.get_mut("enum").and_then(Value::as_array_mut) {
                    values.push(Value::Null);
                }
                written.as_object_mut().unwrap().remove("anyOf");
                put_under(&mut written, one);
            }
            written
        }
        Value::Array(parts) => parts.iter().map(|part| written_out(document, part)).collect(),
        other => other.clone(),
    }
}

/// Adds the members of `more` that `target` lacks.
fn put_under(target: &mut Value, more: Value) {
    if let (Value::Object(target), Value::Object(more)) = (target, more) {
        for (key, value) in more {
            target.entry(key).or_insert(value);
        }
    }
}

/// Follows `$ref` inside the document.
fn resolve<'v>(document: &'v Value, value: &'v Value) -> &'v Value {
    match value["$ref"].as_str() {
        Some(reference) => {
            let target = document.pointer(reference.trim_start_matches('#'));
            resolve(document, target.unwrap_or_else(|| panic!("{reference} leads nowhere")))
        }
        None => value,
    }
}

impl<'v> Comparison<'v> {
    fn report(&mut self, text: String) {
        self.breaks.push(text);
    }

    fn paths(&mut self) {
        for (path, item) in object(&self.old["paths"]) {
            let now = &self.new["paths"][path];
            for method in METHODS.iter().filter(|method| item.get(**method).is_some()) {
                let at = format!("{method} {path}");
                match now.get(*method) {
                    Some(_) => self.operation(&at, item, now, method),
                    None => self.report(format!("{at} is gone")),
                }
            }
        }
    }

    fn operation(&mut self, at: &str, old_item: &'v Value, new_item: &'v Value, method: &str) {
        let (old, new) = (&old_item[method], &new_item[method]);
        if old["operationId"] != new["operationId"] {
            self.report(format!("{at}: the operationId changed"));
        }
        let (before, after) =
            (parameters(self.old, old_item, old), parameters(self.new, new_item, new));
        for (name, parameter) in &before {
            let Some(now) = after.get(name) else {
                self.report(format!("{at}: the parameter {name} is gone"));
                continue;
            };
            if now["required"] == true && parameter["required"] != true {
                self.report(format!("{at}: the parameter {name} is now required"));
            }
            self.schema(
                &format!("{at}: parameter {name}"),
                Way::Request,
                &parameter["schema"],
                &now["schema"],
            );
        }
        for (name, parameter) in after.iter().filter(|(name, _)| !before.contains_key(*name)) {
            if parameter["required"] == true {
                self.report(format!("{at}: the parameter {name} is new and required"));
            }
        }
        self.body(
            at,
            resolve(self.old, &old["requestBody"]),
            resolve(self.new, &new["requestBody"]),
        );
        for (status, response) in object(&old["responses"]) {
            let at = format!("{at} {status}");
            match new["responses"].get(status) {
                Some(now) => {
                    self.response(&at, resolve(self.old, response), resolve(self.new, now))
                }
                None => self.report(format!("{at} is gone")),
            }
        }
        let schemes = |operation: &'v Value| {
            list(&operation["security"]).iter().flat_map(object).collect::<Vec<_>>()
        };
        for scheme in schemes(old) {
            if !schemes(new).contains(&scheme) {
                self.report(format!(
                    "{at}: {} with {} is no longer sufficient",
                    scheme.0, scheme.1
                ));
            }
        }
    }

    fn body(&mut self, at: &str, old: &'v Value, new: &'v Value) {
        if old.is_null() && new["required"] == true {
            self.report(format!("{at}: a body is now required"));
        }
        for (kind, content) in object(&old["content"]) {
            match new["content"].get(kind) {
                Some(now) => self.schema(
                    &format!("{at}: body"),
                    Way::Request,
                    &content["schema"],
                    &now["schema"],
                ),
                None => self.report(format!("{at}: {kind} is no longer accepted")),
            }
        }
    }

    fn response(&mut self, at: &str, old: &'v Value, new: &'v Value) {
        for (name, _) in object(&old["headers"]) {
            if new["headers"].get(name).is_none() {
                self.report(format!("{at}: the header {name} is gone"));
            }
        }
        for (kind, content) in object(&old["content"]) {
            match new["content"].get(kind) {
                Some(now) => self.schema(at, Way::Response, &content["schema"], &now["schema"]),
                None => self.report(format!("{at}: {kind} is no longer returned")),
            }
        }
    }

    fn schema(&mut self, at: &str, way: Way, old: &'v Value, new: &'v Value) {
        let (old, new) = (resolve(self.old, old), resolve(self.new, new));
        self.types(at, way, old, new);
        self.values(at, way, old, new);
        if way == Way::Request {
            self.bounds(at, old, new);
        }
        for (name, property) in object(&old["properties"]) {
            match new["properties"].get(name) {
                Some(now) => self.schema(&format!("{at}.{name}"), way, property, now),
                None => self.report(format!("{at}.{name} is gone")),
            }
        }
        let (before, after) = (list(&old["required"]), list(&new["required"]));
        match way {
            Way::Request => {
                for name in after.iter().filter(|name| !before.contains(name)) {
                    self.report(format!("{at}.{} is now required", name.as_str().unwrap()));
                }
            }
            Way::Response => {
                for name in before.iter().filter(|name| !after.contains(name)) {
                    self.report(format!("{at}.{} may now be missing", name.as_str().unwrap()));
                }
            }
        }
        if old.get("items").is_some() {
            self.schema(&format!("{at}[]"), way, &old["items"], &new["items"]);
        }
        for combined in ["allOf", "anyOf", "oneOf"] {
            let (before, after) = (list(&old[combined]), list(&new[combined]));
            // An enumeration that became an `anyOf` is checked by `values` instead.
            if combined == "anyOf"
                && way == Way::Request
                && old.get("enum").is_some()
                && before.is_empty()
            {
                continue;
            }
            // So is a choice of numbers that became one range of numbers.
            if combined == "anyOf" && way == Way::Request && after.is_empty() && is_range(new) {
                for part in before.iter().filter(|part| !is_part_of_range(part, new)) {
                    self.report(format!("{at}: {part} is no longer taken as a whole"));
                }
                continue;
            }
            if before.len() != after.len() {
                self.report(format!(
                    "{at}: {combined} has {} parts instead of {}",
                    after.len(),
                    before.len()
                ));
            }
            for (before, after) in before.iter().zip(after) {
                self.schema(at, way, before, after);
            }
        }
    }

    fn types(&mut self, at: &str, way: Way, old: &Value, new: &Value) {
        let types = |schema: &Value| match &schema["type"] {
            Value::String(one) => vec![one.clone()],
            several => list(several).iter().map(|one| one.as_str().unwrap().to_owned()).collect(),
        };
        let (before, after) = (types(old), types(new));
        let within = |inner: &[String], outer: &[String]| {
            outer.is_empty()
                || (!inner.is_empty()
                    && inner.iter().all(|kind| {
                        outer.contains(kind)
                            || (kind == "integer" && outer.contains(&"number".into()))
                    }))
        };
        let fine = match way {
            Way::Request => within(&before, &after),
            Way::Response => within(&after, &before),
        };
        if !fine {
            self.report(format!("{at}: the type was {before:?} and is {after:?}"));
        }
        if old["format"] != new["format"] {
            self.report(format!("{at}: the format was {} and is {}", old["format"], new["format"]));
        }
    }

    fn values(&mut self, at: &str, way: Way, old: &Value, new: &Value) {
        if old["const"] != new["const"] {
            self.report(format!("{at}: the value was {} and is {}", old["const"], new["const"]));
        }
        match (old["enum"].as_array(), new["enum"].as_array()) {
            (Some(before), Some(after)) => {
                for value in before.iter().filter(|value| !after.contains(value)) {
                    self.report(format!("{at}: the value {value} is gone"));
                }
            }
            (None, Some(_)) if way == Way::Request => {
                self.report(format!("{at}: now takes only some values"))
            }
            (Some(before), None) if way == Way::Request && new.get("anyOf").is_some() => {
                for value in before
                    .iter()
                    .filter(|value| !list(&new["anyOf"]).iter().any(|part| takes(part, value)))
                {
                    self.report(format!("{at}: the value {value} is gone"));
                }
            }
            _ => {}
        }
    }

    /// Reports bounds of a request schema that became stricter.
    fn bounds(&mut self, at: &str, old: &Value, new: &Value) {
        for (bound, least) in [
            ("minimum", true),
            ("minLength", true),
            ("minItems", true),
            ("maximum", false),
            ("maxLength", false),
            ("maxItems", false),
        ] {
            let tighter = match (old[bound].as_f64(), new[bound].as_f64()) {
                (Some(before), Some(after)) => {
                    if least {
                        after > before
                    } else {
                        after < before
                    }
                }
                (None, Some(_)) => true,
                (_, None) => false,
            };
            if tighter {
                self.report(format!("{at}: {bound} was {} and is {}", old[bound], new[bound]));
            }
        }
        if new.get("multipleOf").is_some() && old["multipleOf"] != new["multipleOf"] {
            self.report(format!(
                "{at}: multipleOf was {} and is {}",
                old["multipleOf"], new["multipleOf"]
            ));
        }
        if new.get("pattern").is_some() && old["pattern"] != new["pattern"] {
            self.report(format!("{at}: the pattern changed"));
        }
        if new["additionalProperties"] == false && old["additionalProperties"] != false {
            self.report(format!("{at}: no longer takes unknown fields"));
        }
    }
}

/// Whether an enumeration or a schema with numeric bounds accepts a value; false for other schemas.
fn takes(schema: &Value, value: &Value) -> bool {
    if let Some(values) = schema["enum"].as_array() {
        return values.contains(value);
    }
    match (schema["minimum"].as_f64(), schema["maximum"].as_f64(), value.as_f64()) {
        (Some(least), Some(most), Some(value)) => least <= value && value <= most,
        _ => false,
    }
}

/// Whether a schema takes every number between two bounds.
fn is_range(schema: &Value) -> bool {
    let is_number = schema["type"] == "number" || list(&schema["type"]).contains(&json!("number"));
    is_number
        && schema["minimum"].is_number()
        && schema["maximum"].is_number()
        && schema.get("enum").is_none()
}

/// Whether a range of numbers takes everything that another schema of numbers takes.
fn is_part_of_range(part: &Value, range: &Value) -> bool {
    let bounds = [&part["minimum"], &part["maximum"]];
    let values = part["enum"].as_array().map_or_else(
        || bounds.into_iter().filter(|bound| bound.is_number()).collect::<Vec<_>>(),
        |values| values.iter().collect(),
    );
    let is_bounded = part.get("enum").is_some() || values.len() == 2;
    is_bounded && values.into_iter().all(|value| takes(range, value))
}

/// Parameters of an operation and of its path, by name and location.
fn parameters<'v>(
    document: &'v Value,
    item: &'v Value,
    operation: &'v Value,
) -> BTreeMap<String, &'v Value> {
    let all = list(&item["parameters"]).iter().chain(list(&operation["parameters"]));
    all.map(|parameter| resolve(document, parameter))
        .map(|parameter| (format!("{} in {}", parameter["name"], parameter["in"]), parameter))
        .collect()
}

#[test]
fn v1_has_no_breaking_change() {
    // The baseline is the last released description: on a release, copy openapi.json over it.
    let baseline =
        serde_json::from_str(include_str!("../../../../../docs/openapi-v1-baseline.json")).unwrap();
    let current = serde_json::from_str(include_str!("../../../../../docs/openapi.json")).unwrap();
    assert_eq!(breaks(&baseline, &current), Vec::<String>::new());
}

fn small() -> Value {
    json!({
        "paths": { "/things/{id}": {
            "parameters": [{ "name": "id", "in": "path", "required": true, "schema": { "type": "integer", "minimum": 1 } }],
            "get": {
                "operationId": "readThing",
                "security": [{ "oauth2": ["read"] }],
                "parameters": [{ "$ref": "#/components/parameters/Q" }],
                "responses": {
                    "200": {
                        "headers": { "ETag": {} },
                        "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Thing" } } },
                    },
                    "404": { "content": { "application/problem+json": { "schema": {
                        "allOf": [{ "properties": { "code": { "enum": ["not_found"] } } }],
                    } } } },
                },
            },
            "post": {
                "operationId": "makeThing",
                "requestBody": { "required": true, "content": { "application/json": { "schema": { "$ref": "#/components/schemas/New" } } } },
                "responses": { "201": { "description": "made" } },
            },
        } },
        "components": {
            "parameters": { "Q": { "name": "q", "in": "query", "required": false, "schema": { "type": "string", "maxLength": 10 } } },
            "schemas": {
                "Thing": {
                    "type": "object", "required": ["id", "kind"],
                    "properties": {
                        "id": { "type": "integer", "format": "int64" },
                        "kind": { "type": "string", "enum": ["a", "b"] },
                        "parts": { "type": "array", "items": { "type": "object", "properties": { "size": { "type": "number" } } } },
                    },
                },
                "New": {
                    "type": "object", "required": ["kind"],
                    "properties": {
                        "kind": { "type": "string", "enum": ["a", "b"] },
                        "note": { "type": ["string", "null"], "minLength": 1, "maxLength": 100, "pattern": "^x" },
                        "count": { "type": "number", "minimum": 0, "maximum": 9 },
                    },
                },
            },
        },
    })
}

/// Reported breaking changes after the value at a pointer is replaced, or removed (null).
fn changed(pointer: &str, value: Value) -> Vec<String> {
    let mut new = small();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    let name = name.replace("~1", "/").replace("~0", "~");
    let parent = new.pointer_mut(parent).unwrap();
    match (parent, value) {
        (Value::Object(members), Value::Null) => drop(members.remove(&name).unwrap()),
        (Value::Object(members), value) => drop(members.insert(name, value)),
        _ => panic!("{pointer}"),
    }
    breaks(&small(), &new)
}

#[test]
fn a_range_replaces_a_choice_of_the_numbers_in_it() {
    let rate = |schema: Value| {
        let mut document = small();
        document["components"]["schemas"]["New"]["properties"]["rate"] = schema;
        document
    };
    let choice = json!({
        "type": "number", "minimum": 0, "maximum": 100,
        "anyOf": [{"type": "integer", "enum": [0, 21]}, {"type": "number", "minimum": 17.5, "maximum": 17.5}],
    });
    // Whether the enumeration and the other number are still taken.
    for (range, taken) in [
        (json!({"type": "number", "minimum": 0, "maximum": 100}), [true, true]),
        (json!({"type": ["number", "null"], "minimum": 0, "maximum": 100}), [true, true]),
        (json!({"type": "number", "minimum": 0, "maximum": 20}), [false, true]),
        (json!({"type": "number", "minimum": 18, "maximum": 100}), [false, false]),
    ] {
        let found = breaks(&rate(choice.clone()), &rate(range.clone()));
        let is_taken = |part: &str| !found.iter().any(|text| text.contains(part));
        assert_eq!(["\"enum\"", "17.5"].map(is_taken), taken, "{range}: {found:?}");
    }
    for other in [json!({"type": "number", "maximum": 100}), json!({"type": "string"})] {
        let found = breaks(&rate(choice.clone()), &rate(other.clone()));
        assert!(found.iter().any(|text| text.contains("anyOf has 0 parts")), "{other}: {found:?}");
    }
}

#[test]
// Long: a table of cases.
fn each_kind_of_breaking_change_is_detected() {
    let (path, thing, new) =
        ("/paths/~1things~1{id}", "/components/schemas/Thing", "/components/schemas/New");
    let cases = [
        (path.to_owned(), Value::Null, "get /things/{id} is gone"),
        (format!("{path}/post"), Value::Null, "post /things/{id} is gone"),
        (format!("{path}/get/operationId"), json!("getThing"), "the operationId changed"),
        (format!("{path}/get/parameters"), Value::Null, "\"q\" in \"query\" is gone"),
        ("/components/parameters/Q/required".into(), json!(true), "is now required"),
        (
            "/components/parameters/Q/schema".into(),
            json!({"type": "string", "maxLength": 5}),
            "maxLength was 10 and is 5",
        ),
        (
            format!("{path}/post/parameters"),
            json!([{ "name": "dry", "in": "query", "required": true, "schema": {} }]),
            "is new and required",
        ),
        (
            format!("{path}/get/security"),
            json!([{ "oauth2": ["write"] }]),
            "is no longer sufficient",
        ),
        (format!("{path}/get/requestBody"), json!({ "required": true }), "a body is now required"),
        (format!("{path}/get/responses/404"), Value::Null, "404 is gone"),
        (format!("{path}/get/responses/200/headers"), Value::Null, "the header ETag is gone"),
        (
            format!("{path}/get/responses/200/content"),
            json!({ "text/plain": {} }),
            "application/json is no longer returned",
        ),
        (
            format!("{path}/post/requestBody/content"),
            json!({ "text/plain": {} }),
            "application/json is no longer accepted",
        ),
        (
            format!("{path}/get/responses/404/content/application~1problem+json/schema/allOf"),
            json!([{ "properties": { "code": { "enum": ["missing"] } } }]),
            "the value \"not_found\" is gone",
        ),
        (
            format!("{path}/get/responses/404/content/application~1problem+json/schema/allOf"),
            json!([]),
            "allOf has 0 parts instead of 1",
        ),
        (format!("{thing}/properties/parts"), Value::Null, "200.parts is gone"),
        (
            format!("{thing}/properties/parts/items/properties/size"),
            Value::Null,
            "200.parts[].size is gone",
        ),
        (format!("{thing}/properties/id/type"), json!("string"), "the type was"),
        (format!("{thing}/properties/id/type"), json!(["integer", "null"]), "the type was"),
        (format!("{thing}/properties/id/format"), json!("int32"), "the format was"),
        (format!("{thing}/properties/kind/enum"), json!(["a"]), "the value \"b\" is gone"),
        (format!("{thing}/properties/kind/const"), json!("a"), "the value was"),
        (format!("{thing}/required"), json!(["id"]), "200.kind may now be missing"),
        (format!("{new}/properties/note"), Value::Null, "body.note is gone"),
        (format!("{new}/properties/note/type"), json!("string"), "the type was"),
        (format!("{new}/properties/note/minLength"), json!(2), "minLength was 1 and is 2"),
        (format!("{new}/properties/note/pattern"), json!("^y"), "the pattern changed"),
        (format!("{new}/properties/count/minimum"), json!(1), "minimum was 0 and is 1"),
        (
            format!("{new}/properties/count/multipleOf"),
            json!(0.5),
            "multipleOf was null and is 0.5",
        ),
        (format!("{new}/properties/count/enum"), json!([1]), "now takes only some values"),
        (format!("{new}/properties/kind/enum"), json!(["b"]), "the value \"a\" is gone"),
        (
            format!("{new}/properties/kind"),
            json!({ "anyOf": [{ "enum": ["a"] }] }),
            "the value \"b\" is gone",
        ),
        (format!("{new}/required"), json!(["kind", "note"]), "body.note is now required"),
        (format!("{new}/additionalProperties"), json!(false), "no longer takes unknown fields"),
    ];
    for (pointer, value, expected) in cases {
        let messages = changed(&pointer, value.clone());
        assert!(
            messages.iter().any(|text| text.contains(expected)),
            "{pointer} {value}: {messages:?}"
        );
    }
}

#[test]
fn an_addition_is_not_a_breaking_change() {
    let (path, thing, new) =
        ("/paths/~1things~1{id}", "/components/schemas/Thing", "/components/schemas/New");
    let cases = [
        ("/paths/~1others".to_owned(), json!({ "get": { "responses": {} } })),
        (format!("{path}/delete"), json!({ "responses": {} })),
        (
            format!("{path}/post/parameters"),
            json!([{ "name": "dry", "in": "query", "required": false, "schema": {} }]),
        ),
        (format!("{path}/get/responses/409"), json!({ "description": "no" })),
        (format!("{thing}/properties/more"), json!({ "type": "string" })),
        (format!("{thing}/properties/kind/enum"), json!(["a", "b", "c"])),
        (format!("{thing}/required"), json!(["id", "kind", "parts"])),
        (format!("{new}/properties/more"), json!({ "type": "string" })),
        (format!("{new}/properties/kind/type"), json!(["string", "null"])),
        (format!("{new}/properties/kind/enum"), json!(["a", "b", "c"])),
        (
            format!("{new}/properties/kind"),
            json!({ "anyOf": [{ "enum": ["a"] }, { "enum": ["b"] }] }),
        ),
        (format!("{new}/properties/count/maximum"), json!(10)),
        (format!("{new}/properties/note/pattern"), Value::Null),
        (format!("{new}/required"), json!([])),
    ];
    for (pointer, value) in cases {
        assert_eq!(changed(&pointer, value.clone()), Vec::<String>::new(), "{pointer} {value}");
    }
}

/// A new operation needs a line in the changelog for API clients.
#[test]
fn the_changelog_names_what_was_added_to_the_baseline() {
    let (baseline, now): (Value, Value) = (
        serde_json::from_str(include_str!("../../../../../docs/openapi-v1-baseline.json")).unwrap(),
        serde_json::from_str(include_str!("../../../../../docs/openapi.json")).unwrap(),
    );
    let changelog = include_str!("../../../../../docs/changelog.md");
    let added =
        object(&now["paths"]).filter(|(path, _)| baseline["paths"].get(path.as_str()).is_none());
    // One line per resource: `/expenses` covers all operations on expenses.
    let about = |path: &str| {
        format!("`/{}", path.trim_start_matches("/api/v1/").split('/').next().unwrap())
    };
    let unnamed: Vec<&String> =
        added.map(|(path, _)| path).filter(|path| !changelog.contains(&about(path))).collect();
    assert!(unnamed.is_empty(), "docs/changelog.md does not name {unnamed:?}");
}
