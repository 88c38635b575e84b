//! Turns objects and enumerations nested in bodies, responses and parameters into named components.
//! Equal schemas share a component: client generators make one type for each name, and a separate
//! type for every schema without a name.

use super::{capitalised, reference};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Members that describe a field rather than its type, and so are not moved to the component.
const OF_THE_FIELD: [&str; 4] = ["description", "examples", "default", "deprecated"];

/// Names that types would get from an owner that shares them since a later version, and the names
/// that they keep, because generated clients use them.
const KEPT: [(&str, &str); 1] = [("VatDefaultSupply", "InvoiceItemSupply")];

/// Names the schemas nested in components and in parameters of the paths.
pub(super) fn share(schemas: &mut Map<String, Value>, paths: &mut Map<String, Value>) {
    let mut seen = Seen::default();
    each(&mut schemas.clone(), &mut paths.clone(), |owner, name, schema| {
        seen.look(owner, name, schema, true)
    });
    let taken = schemas.keys().cloned().collect();
    let mut names = Names { seen, taken, assigned: BTreeMap::new(), named: Map::new() };
    each(schemas, paths, |owner, name, schema| names.inside(owner, name, schema));
    schemas.append(&mut names.named);
}

/// Visits the schema of every component and of every parameter of an operation.
fn each(
    schemas: &mut Map<String, Value>,
    paths: &mut Map<String, Value>,
    mut visit: impl FnMut(&str, &str, &mut Value),
) {
    for (owner, schema) in schemas {
        visit(owner, "", schema);
    }
    let operations = paths.values_mut().filter_map(Value::as_object_mut).flat_map(Map::values_mut);
    for operation in operations {
        let owner = capitalised(operation["operationId"].as_str().unwrap_or(""));
        for parameter in
            operation.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten()
        {
            if let Some(name) = parameter["name"].as_str().map(str::to_owned) {
                // The schema is wrapped in an object, so that the component is named after the
                // parameter, just as it would be named after a field.
                let mut schema =
                    json!({ "properties": { name.clone(): parameter["schema"].take() } });
                visit(&owner, "", &mut schema);
                parameter["schema"] = schema["properties"][&name].take();
            }
        }
    }
}

/// Returns the schemas directly nested in a schema, with their names.
fn children<'v>(name: &str, schema: &'v mut Value) -> Vec<(String, &'v mut Value)> {
    let mut nested = Vec::new();
    for (key, part) in schema.as_object_mut().into_iter().flatten() {
        match (key.as_str(), part) {
            ("properties", Value::Object(members)) => {
                nested.extend(members.iter_mut().map(|(field, member)| (field.clone(), member)));
            }
            ("items", items) => nested.push((singular(name).to_owned(), items)),
            ("anyOf", Value::Array(parts)) => {
                nested.extend(parts.iter_mut().map(|part| (name.to_owned(), part)))
            }
            _ => {}
        }
    }
    nested
}

fn singular(name: &str) -> &str {
    match name.strip_suffix('s') {
        Some(one) if !one.ends_with(['s', 'u']) => one,
        _ => name,
    }
}

/// Whether client generators make a type for the schema.
fn is_a_type(schema: &Value) -> bool {
    schema.get("properties").is_some()
        || schema["enum"].as_array().is_some_and(|values| values.len() > 1)
}

/// Returns the schema of the type, without the members that describe the field, and whether the
/// field is nullable.
fn core(schema: &Value) -> (Value, bool) {
    let mut core = schema.clone();
    if let Some(members) = core.as_object_mut() {
        members.retain(|key, _| !OF_THE_FIELD.contains(&key.as_str()));
    }
    let Some(types) = core
        .get_mut("type")
        .and_then(Value::as_array_mut)
        .filter(|types| types.contains(&json!("null")))
    else {
        return (core, false);
    };
    types.retain(|kind| kind != "null");
    if let [one] = types.as_slice() {
        core["type"] = one.clone();
    }
    if let Some(values) = core.get_mut("enum").and_then(Value::as_array_mut) {
        values.retain(|value| !value.is_null());
    }
    (core, true)
}

/// Returns the name that a type gets if no other type would get the same name.
fn plain_name(owner: &str, name: &str, core: &Value) -> String {
    let is_input = core.get("properties").is_some() && owner.ends_with("Request");
    format!("{}{}", capitalised(name), if is_input { "Input" } else { "" })
}

/// Types by plain name. Shows which names would be given to several types.
#[derive(Default)]
struct Seen(BTreeMap<String, BTreeSet<String>>);

impl Seen {
    fn look(&mut self, owner: &str, name: &str, schema: &mut Value, top: bool) {
        if !top && is_a_type(schema) {
            let (core, _) = core(schema);
            self.0.entry(plain_name(owner, name, &core)).or_default().insert(core.to_string());
        }
        for (name, child) in children(name, schema) {
            self.look(owner, &name, child, false);
        }
    }
}

struct Names {
    seen: Seen,
    /// Names of components.
    taken: BTreeSet<String>,
    /// Name of the component for each plain name and type. The type is as it was before its nested
    /// types were replaced with references.
    assigned: BTreeMap<(String, String), String>,
    named: Map<String, Value>,
}

impl Names {
    fn inside(&mut self, owner: &str, name: &str, schema: &mut Value) {
        for (name, child) in children(name, schema) {
            let key = is_a_type(child).then(|| core(child).0);
            self.inside(owner, &name, child);
            if let Some(key) = key {
                self.put(owner, &name, &key, child);
            }
        }
    }

    /// Replaces a schema with a reference to its component.
    fn put(&mut self, owner: &str, name: &str, key: &Value, place: &mut Value) {
        let plain = plain_name(owner, name, key);
        let (core, nullable) = core(place);
        let component =
            self.assigned.get(&(plain.clone(), key.to_string())).cloned().unwrap_or_else(|| {
                let is_alone = self.seen.0.get(&plain).is_none_or(|kinds| kinds.len() == 1);
                let mut new = plain.clone();
                if !is_alone || self.taken.contains(&new) {
                    new = format!("{}{plain}", owner.trim_end_matches("Request"));
                }
                if let Some((_, kept)) = KEPT.iter().find(|(given, _)| *given == new) {
                    (*kept).clone_into(&mut new);
                }
                while !self.taken.insert(new.clone()) {
                    new.push_str("Value");
                }
                self.assigned.insert((plain, key.to_string()), new.clone());
                self.named.insert(new.clone(), core);
                new
            });
        let mut here = reference(&component);
        if nullable {
            here = json!({ "anyOf": [here, { "type": "null" }] });
        }
        for key in OF_THE_FIELD {
            if let Some(value) = place.get_mut(key) {
                here[key] = value.take();
            }
        }
        *place = here;
    }
}
