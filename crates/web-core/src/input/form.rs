//! A form as the object that its dotted names make: `customer.name`, `items.0.unitPrice`.

use super::Raw;
use i18n::Language;
use std::collections::BTreeMap;

/// Names deeper than this are no field of ours.
const DEPTH: usize = 8;

/// Fields whose blanks count.
const PASSWORDS: &[&str] = &["password", "new_password"];
/// Boxes that share a name: each that is ticked is a field of its own, as `scope.read`.
const BOXES: &[&str] = &["scope"];
/// What says of such a box that it is ticked.
const TICKED: &str = "true";

/// A field, or the fields whose names begin alike.
enum Node {
    Field(String),
    Group(BTreeMap<String, Node>),
}

/// The object that the fields of a form make. Where a name occurs twice, the first counts.
pub(super) fn object<'p>(pairs: impl IntoIterator<Item = (&'p str, &'p str)>, language: Language) -> Raw {
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
            let inner = group.entry((*name).to_owned()).or_insert_with(|| Node::Group(BTreeMap::new()));
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
    // Browsers end the lines of a field with two characters (WHATWG HTML, "newline normalization").
    text.trim().replace("\r\n", "\n")
}

fn raw(node: Node, language: Language) -> Raw {
    match node {
        Node::Field(text) => Raw::Typed(text, language),
        Node::Group(group) => Raw::Object(group.into_iter().map(|(name, node)| (name, raw(node, language))).collect()),
    }
}
