//! Conversion of form fields with dotted names to an object: `customer.name`, `items.0.unitPrice`.

use super::Raw;
use i18n::Language;
use std::collections::BTreeMap;

/// Maximum depth of a field name; deeper names are ignored.
const DEPTH: usize = 8;

/// Fields that keep surrounding white space.
const PASSWORDS: &[&str] = &["password", "new_password"];
/// Checkboxes that share a name: each ticked one becomes a field of its own, such as `scope.read`.
const BOXES: &[&str] = &["scope"];
/// Value of a ticked checkbox.
const TICKED: &str = "true";

/// A field, or a group of fields with a common prefix.
enum Node {
    Field(String),
    Group(BTreeMap<String, Node>),
}

/// Builds an object from the fields of a form. If a name occurs twice, the first value is used.
pub(super) fn object<'p>(
    pairs: impl IntoIterator<Item = (&'p str, &'p str)>,
    language: Language,
) -> Raw {
    let mut fields = BTreeMap::new();
    for (name, text) in pairs {
        if BOXES.contains(&name) {
            insert(&mut fields, &[name, text], TICKED);
            continue;
        }
        let path: Vec<&str> = name.split('.').collect();
        if path.len() <= DEPTH && path.iter().all(|part| !part.is_empty()) {
            insert(&mut fields, &path, text);
        }
    }
    raw(Node::Group(fields), language)
}

fn insert(group: &mut BTreeMap<String, Node>, path: &[&str], text: &str) {
    match path {
        [] => {}
        [name] => {
            group.entry((*name).to_owned()).or_insert_with(|| Node::Field(typed(name, text)));
        }
        [name, rest @ ..] => {
            let inner =
                group.entry((*name).to_owned()).or_insert_with(|| Node::Group(BTreeMap::new()));
            if let Node::Group(inner) = inner {
                insert(inner, rest, text);
            }
        }
    }
}

fn typed(name: &str, text: &str) -> String {
    if PASSWORDS.contains(&name) {
        return text.to_owned();
    }
    // Browsers send line breaks as CR LF (WHATWG HTML, "newline normalization").
    text.trim().replace("\r\n", "\n")
}

fn raw(node: Node, language: Language) -> Raw {
    match node {
        Node::Field(text) => Raw::Typed(text, language),
        Node::Group(group) => {
            Raw::Object(group.into_iter().map(|(name, node)| (name, raw(node, language))).collect())
        }
    }
}
