//! A form as the object that its dotted names make: `customer.name`, `items.0.unitPrice`.

use super::Raw;
use i18n::Language;
use std::collections::BTreeMap;

/// Names deeper than this are no field of ours.
const DEPTH: usize = 8;

/// A field, or the fields whose names begin alike.
enum Node {
    Field(String),
    Group(BTreeMap<String, Node>),
}

/// The object that the fields of a form make. Where a name occurs twice, the first counts.
pub(super) fn object<'p>(pairs: impl IntoIterator<Item = (&'p str, &'p str)>, language: Language) -> Raw {
    let mut fields = BTreeMap::new();
    for (name, text) in pairs {
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
            // Browsers end the lines of a field with two characters (WHATWG HTML, "newline normalization").
            group.entry((*name).to_owned()).or_insert_with(|| Node::Field(text.trim().replace("\r\n", "\n")));
        }
        [name, rest @ ..] => {
            let inner = group.entry((*name).to_owned()).or_insert_with(|| Node::Group(BTreeMap::new()));
            if let Node::Group(inner) = inner {
                insert(inner, rest, text);
            }
        }
    }
}

fn raw(node: Node, language: Language) -> Raw {
    match node {
        Node::Field(text) => Raw::Typed(text, language),
        Node::Group(group) => Raw::Object(group.into_iter().map(|(name, node)| (name, raw(node, language))).collect()),
    }
}
