//! Webhook messages: the section `webhooks` of the description.

use super::reference;
use serde_json::{Map, Value, json};
use store::changes::{ResourceKind, WEBHOOK_TYPES};

/// Returns one message per type of event, by the name of the type.
pub(super) fn messages() -> Map<String, Value> {
    let reported = WEBHOOK_TYPES.iter().map(|(kind, _, name)| (*name, resource(*kind)));
    reported
        .chain([(service::webhooks::TEST_TYPE, "Webhook")])
        .map(|(name, data)| (name.to_owned(), message(name, data)))
        .collect()
}

/// Returns the name of the schema component for a kind of resource.
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
        ResourceKind::VatReturn => "VatReturn",
        ResourceKind::Icp => "IcpList",
        ResourceKind::Kor => "Kor",
        ResourceKind::OssReturn => "OssReturn",
        ResourceKind::BankAccount => "BankAccount",
        ResourceKind::BankStatement => "BankStatement",
        ResourceKind::BankLine => "BankLine",
        ResourceKind::PaymentBatch => "PaymentBatch",
        ResourceKind::Quote => "Quote",
        ResourceKind::Article => "Article",
        ResourceKind::RecurringInvoice => "RecurringInvoice",
    }
}

fn message(name: &str, data: &str) -> Value {
    let header = |name: &str, about: &str, example: &str| json!({ "name": name, "in": "header", "required": true, "description": about, "schema": { "type": "string", "examples": [example] } });
    let gone = json!({
        "type": "object",
        "description": "A resource that was deleted before the first attempt.",
        "properties": {
            "id": { "type": "integer", "format": "int64", "description": "Id of the resource, unique within the account." },
        },
        "required": ["id"],
    });
    json!({
        "post": {
            "operationId": format!("receive {name}"),
            "summary": format!("`{name}` event"),
            "description": "Sent to each enabled webhook that subscribes to the type, at least \
                            once, signed according to Standard Webhooks. The guide at \
                            `/docs/integrating` explains how to verify the signature and when a \
                            message is retried.",
            "tags": ["Webhooks"],
            "parameters": [
                header("webhook-id", "Id of the message, the same for every attempt.", "msg_0000000000000000000000000000002a"),
                header("webhook-timestamp", "Time of this attempt, in seconds since 1970.", "1773568800"),
                header(
                    "webhook-signature",
                    "`v1,` followed by the base64 of the HMAC-SHA256 over id, timestamp and body. \
                     Several, separated by spaces, while a secret is rotated.",
                    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
                ),
            ],
            "requestBody": {
                "required": true,
                "content": { "application/json": { "schema": {
                    "type": "object",
                    "properties": {
                        "type": { "const": name, "type": "string", "description": "Type of the event." },
                        "timestamp": { "type": "string", "format": "date-time", "description": "Time of the event." },
                        "sequence": {
                            "type": "integer",
                            "format": "int64",
                            "description": "Sequence number of the change in `GET /changes`.",
                        },
                        "data": { "anyOf": [reference(data), gone], "description": "The resource as of the first attempt." },
                    },
                    "required": ["type", "timestamp", "sequence", "data"],
                } } },
            },
            "responses": {
                "2XX": { "description": "Received. Any other status except 410 causes a retry." },
                "410": { "description": "Not wanted any more: the webhook is disabled." },
            },
        },
    })
}
