//! Input for webhooks.

use super::{Fields, Flag, Parsed, Raw, Reader, SingleLine, readers};
use serde_json::{Value, json};
use service::{
    Reason,
    access::webhook_targets::MOST_CHARACTERS,
    webhooks::{EditWebhook, NewWebhook, WEBHOOK_TYPES, read_type},
};

const URL: &str = "URL that messages are sent to: https, and reachable from the internet.";
const TYPES: &str = "Types of events to send, such as invoice.paid, or invoice.* for all of a \
                     resource. Default or empty: all events.";
const DESCRIPTION: &str = "Your own name for it.";
const MOST_TYPES: usize = 64;

/// List of event types; each item is validated on its own.
struct Types;

impl Reader for Types {
    type Value = Vec<Result<String, Reason>>;

    fn read(&self, raw: &Raw) -> Result<Self::Value, Reason> {
        let items = readers::listed(raw).ok_or(Reason::NotAList)?;
        if items.len() > MOST_TYPES {
            return Err(Reason::TooMany { most: MOST_TYPES, given: items.len() });
        }
        Ok(items.into_iter().map(|name| read_type(name.text().ok_or(Reason::NotAText)?)).collect())
    }

    fn schema(&self) -> Value {
        let names = WEBHOOK_TYPES.iter().map(|known| known.2.to_owned());
        let mut all: Vec<String> = names
            .chain(WEBHOOK_TYPES.iter().map(|known| format!("{}.*", known.0.as_str())))
            .collect();
        all.dedup();
        let mut known: Vec<String> = Vec::with_capacity(all.len());
        for name in all {
            if !known.contains(&name) {
                known.push(name);
            }
        }
        json!({ "type": "array", "maxItems": MOST_TYPES, "items": { "type": "string", "enum": known } })
    }
}

/// Reads the event types without duplicates; reports a fault for each unknown one.
fn types(fields: &mut Fields<'_, '_>) -> Option<Vec<String>> {
    let mut known = Vec::new();
    for (place, name) in fields.optional("types", TYPES, Types)?.into_iter().enumerate() {
        match name {
            Ok(name) if known.contains(&name) => {}
            Ok(name) => known.push(name),
            Err(reason) => fields.fault_of_item("types", place, reason),
        }
    }
    Some(known)
}

/// Reads the fields of a new webhook. The URL is also returned on its own, to be validated against
/// the allowed targets.
pub fn new_webhook(fields: &mut Fields<'_, '_>) -> Parsed<NewWebhook, Option<String>> {
    let url = fields.required("url", URL, SingleLine(MOST_CHARACTERS));
    let types = types(fields).unwrap_or_default();
    let description = fields.optional("description", DESCRIPTION, SingleLine(255));
    Parsed::with_partial(None, url.clone().map(|url| NewWebhook { url, types, description }), url)
}

/// Reads the fields for editing a webhook. The URL is also returned on its own, to be validated
/// against the allowed targets.
pub fn edited_webhook(fields: &mut Fields<'_, '_>) -> Parsed<EditWebhook, Option<String>> {
    let url = fields.changeable("url", URL, SingleLine(MOST_CHARACTERS));
    let everything = fields.is_null("types").then(Vec::new);
    let types = types(fields).or(everything);
    let description = fields.removable("description", DESCRIPTION, SingleLine(255));
    let enabled = fields.changeable("enabled", "Whether messages are sent.", Flag);
    Parsed::with_partial(
        None,
        Some(EditWebhook { url: url.clone(), types, description, enabled }),
        url,
    )
}
