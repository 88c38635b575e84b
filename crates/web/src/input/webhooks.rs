//! The fields of webhooks.

use super::{Fields, Flag, Parsed, Raw, Reader, SingleLine, readers};
use serde_json::{Value, json};
use service::{
    Reason,
    access::webhook_targets::MOST_CHARACTERS,
    webhooks::{EditWebhook, NewWebhook, WEBHOOK_TYPES, read_types},
};

const URL: &str = "Where messages are sent: an address with https:, that can be reached from the internet.";
const TYPES: &str =
    "What is sent: names such as invoice.paid, or invoice.* for all of a kind. Default: everything, an empty list too.";
const DESCRIPTION: &str = "What you call it.";
const MOST_TYPES: usize = 64;

/// Names of what is sent.
struct Types;

impl Reader for Types {
    type Value = Vec<String>;

    fn read(&self, raw: &Raw) -> Result<Vec<String>, Reason> {
        let given = readers::listed(raw).ok_or(Reason::NotAList)?;
        if given.len() > MOST_TYPES {
            return Err(Reason::TooMany { most: MOST_TYPES, given: given.len() });
        }
        let names: Option<Vec<&str>> = given.into_iter().map(Raw::text).collect();
        read_types(&names.ok_or(Reason::NotAText)?)
    }

    fn schema(&self) -> Value {
        let names = WEBHOOK_TYPES.iter().map(|known| known.2.to_owned());
        let mut all: Vec<String> = names.chain(WEBHOOK_TYPES.iter().map(|known| format!("{}.*", known.0.as_str()))).collect();
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

/// The fields of a new webhook.
pub(crate) fn new_webhook(fields: &mut Fields<'_, '_>) -> Parsed<NewWebhook> {
    let url = fields.required("url", URL, SingleLine(MOST_CHARACTERS));
    let types = fields.optional("types", TYPES, Types).unwrap_or_default();
    let description = fields.optional("description", DESCRIPTION, SingleLine(255));
    Parsed::new(None, url.map(|url| NewWebhook { url, types, description }))
}

/// The fields of an edit of a webhook.
pub(crate) fn edited_webhook(fields: &mut Fields<'_, '_>) -> Parsed<EditWebhook> {
    let url = fields.changeable("url", URL, SingleLine(MOST_CHARACTERS));
    let everything = fields.is_null("types").then(Vec::new);
    let types = fields.optional("types", TYPES, Types).or(everything);
    let description = fields.removable("description", DESCRIPTION, SingleLine(255));
    let enabled = fields.changeable("enabled", "Whether anything is sent.", Flag);
    Parsed::new(None, Some(EditWebhook { url, types, description, enabled }))
}
