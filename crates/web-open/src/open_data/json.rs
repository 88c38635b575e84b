//! Data sets and results of calculators as JSON. Numbers keep their exact text and never pass
//! through a binary float.

use ledger::language::Language;
use serde_json::{Value as Json, json};
use std::fmt::Write;
use tax::{
    calculator::{Node, Outcome},
    dataset::{Dataset, LICENCE, Row, Selection},
    source::Source,
    value::Value,
};

/// Returns a data set with the selected rows.
pub(super) fn dataset(dataset: &Dataset, selection: Selection, language: Language) -> String {
    let mut out = String::with_capacity(16 * 1024);
    out.push('{');
    text_member(&mut out, "id", &dataset.id);
    out.push(',');
    text_member(&mut out, "title", dataset.title.get(language));
    out.push(',');
    text_member(&mut out, "description", dataset.description.get(language));
    out.push(',');
    text_member(&mut out, "licence", LICENCE);
    let _ = write!(
        out,
        ",\"version\":{},\"updated\":\"{}\",\"sources\":",
        dataset.version, dataset.updated
    );
    let sources: Vec<Json> =
        dataset.sources().into_iter().map(|entry| source(entry, language)).collect();
    out.push_str(&Json::from(sources).to_string());
    out.push_str(",\"data\":[");
    for (place, row) in dataset.select(selection).enumerate() {
        if place > 0 {
            out.push(',');
        }
        write_row(&mut out, dataset, row, language);
    }
    out.push_str("]}");
    out
}

fn write_row(out: &mut String, dataset: &Dataset, row: &Row, language: Language) {
    let fields = dataset
        .columns
        .iter()
        .zip(row.values())
        .map(|(column, value)| (column.name.as_str(), value.as_ref()));
    write_object(out, fields, language);
}

/// Returns a source as listed by a data set.
pub(super) fn source(source: &Source, language: Language) -> Json {
    json!({
        "id": source.id,
        "title": source.title.get(language),
        "reference": source.reference.get(language),
        "url": source.url,
        "checked": source.checked.to_string(),
    })
}

/// Returns the result of a calculator: its fields, then every step.
pub(super) fn outcome(outcome: &Outcome, language: Language) -> String {
    let mut out = String::with_capacity(4 * 1024);
    out.push('{');
    for (name, node) in &outcome.fields {
        write_text(&mut out, name);
        out.push(':');
        write_node(&mut out, node, language);
        out.push(',');
    }
    out.push_str("\"steps\":[");
    for (place, step) in outcome.steps.iter().enumerate() {
        if place > 0 {
            out.push(',');
        }
        out.push('{');
        text_member(&mut out, "id", step.id);
        out.push(',');
        text_member(&mut out, "text", step.text.get(language));
        out.push_str(",\"amount\":");
        write_value(&mut out, Some(&step.amount), language);
        out.push(',');
        text_member(&mut out, "source", &step.source.id);
        out.push_str(",\"figures\":[");
        for (place, row) in step.figures.iter().enumerate() {
            if place > 0 {
                out.push(',');
            }
            out.push('{');
            text_member(&mut out, "source", &row.source.id);
            out.push(',');
            text_member(&mut out, "status", row.status.as_str());
            out.push_str(",\"note\":");
            write_value(&mut out, row.get("note"), language);
            out.push('}');
        }
        out.push_str("]}");
    }
    out.push_str("]}");
    out
}

fn write_node(out: &mut String, node: &Node, language: Language) {
    match node {
        Node::Value(value) => write_value(out, value.as_ref(), language),
        Node::Choices(codes) => out.push_str(&json!(codes).to_string()),
        Node::Rows(rows) => {
            out.push('[');
            for (place, row) in rows.iter().enumerate() {
                if place > 0 {
                    out.push(',');
                }
                write_object(
                    out,
                    row.iter().map(|(name, value)| (*name, value.as_ref())),
                    language,
                );
            }
            out.push(']');
        }
    }
}

fn write_object<'v>(
    out: &mut String,
    fields: impl Iterator<Item = (&'v str, Option<&'v Value>)>,
    language: Language,
) {
    out.push('{');
    for (place, (name, value)) in fields.enumerate() {
        if place > 0 {
            out.push(',');
        }
        write_text(out, name);
        out.push(':');
        write_value(out, value, language);
    }
    out.push('}');
}

fn write_value(out: &mut String, value: Option<&Value>, language: Language) {
    match value {
        None => out.push_str("null"),
        Some(value) if value.is_bare() => out.push_str(&value.plain(language)),
        Some(value) => write_text(out, &value.plain(language)),
    }
}

fn text_member(out: &mut String, name: &str, text: &str) {
    write_text(out, name);
    out.push(':');
    write_text(out, text);
}

fn write_text(out: &mut String, text: &str) {
    // A string always serialises.
    out.push_str(&serde_json::to_string(text).unwrap_or_else(|_| "\"\"".to_owned()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_data_set_is_valid_json_with_its_columns_in_order() {
        for set in tax::dataset::all() {
            let written: Json =
                serde_json::from_str(&dataset(set, Selection::All, Language::Dutch)).unwrap();
            let rows = written["data"].as_array().unwrap();
            assert_eq!(rows.len(), set.rows().len(), "{}", set.id);
            let names: Vec<&str> = set.columns.iter().map(|column| column.name.as_str()).collect();
            for row in rows {
                assert_eq!(
                    row.as_object().unwrap().keys().collect::<Vec<_>>(),
                    names,
                    "{}",
                    set.id
                );
            }
        }
    }
}
