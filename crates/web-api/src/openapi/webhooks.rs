//! The messages of webhooks, in the description's section `webhooks`.

use super::reference;
use serde_json::{Map, Value, json};
use store::changes::{ResourceKind, WEBHOOK_TYPES};

/// One message for each type, by the type's name.
pub(super) fn messages() -> Map<String, Value> {
    let reported = WEBHOOK_TYPES.iter().map(|(kind, _, name)| (*name, resource(*kind)));
    reported
        .chain([(service::webhooks::TEST_TYPE, "Webhook")])
        .map(|(name, data)| (name.to_owned(), message(name, data)))
        .collect()
}

/// The component that the API shows a kind of resource as.
fn resource(kind: ResourceKind) -> &'static str {
    match kind {
        ResourceKind::Invoice | ResourceKind::CreditNote => "Invoice",
        ResourceKind::Payment => "Payment",
        ResourceKind::Contact => "Contact",
        ResourceKind::Project => "Project",
        ResourceKind::TimeEntry => "TimeEntry",
        ResourceKind::HoursLog => "LoggedHours",
        ResourceKind::Expense => "Expense",
        ResourceKind::VatFiling => "VatFiling",
    }
}

fn message(name: &str, data: &str) -> Value {
    let header = |name: &str, about: &str, example: &str| json!({ "name": name, "in": "header", "required": true, "description": about, "schema": { "type": "string", "examples": [example] } });
    let gone = json!({
        "type": "object",
        "description": "What is gone by the first attempt.",
        "properties": { "id": { "type": "integer", "format": "int64", "description": "Its number in the account." } },
        "required": ["id"],
    });
    json!({
        "post": {
            "operationId": format!("receive {name}"),
            "summary": format!("A message that says `{name}`"),
            "description": "Sent to the address of each webhook that asks for it, at least once, signed by Standard Webhooks. The guide at \
                            `/docs/integrating` tells how to check the signature, and when a message comes again.",
            "tags": ["Webhooks"],
            "parameters": [
                header("webhook-id", "The same for every attempt at a message.", "msg_0000000000000000000000000000002a"),
                header("webhook-timestamp", "When this attempt was made, in seconds since 1970.", "1773568800"),
                header(
                    "webhook-signature",
                    "`v1,` and the base64 of HMAC-SHA256 over id, timestamp and body; several while a secret is exchanged, with spaces between.",
                    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
                ),
            ],
            "requestBody": {
                "required": true,
                "content": { "application/json": { "schema": {
                    "type": "object",
                    "properties": {
                        "type": { "const": name, "type": "string", "description": "What happened." },
                        "timestamp": { "type": "string", "format": "date-time", "description": "When it happened." },
                        "sequence": { "type": "integer", "format": "int64", "description": "The number of the change in `GET /changes`." },
                        "data": { "anyOf": [reference(data), gone], "description": "The resource as it was at the first attempt." },
                    },
                    "required": ["type", "timestamp", "sequence", "data"],
                } } },
            },
            "responses": {
                "2XX": { "description": "It was taken. Anything else but 410 brings it again." },
                "410": { "description": "Nothing is wanted any more: the webhook is switched off." },
            },
        },
    })
}
