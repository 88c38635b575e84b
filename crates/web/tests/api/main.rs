//! The API as a partner sees it: over HTTP, on both engines.

#![expect(clippy::unwrap_used, reason = "a failure is a failed test")]

mod access;
mod additive;
mod api_docs;
mod bad_requests;
mod calls;
mod conditional;
mod contacts;
mod credit_notes;
mod edits;
mod entries;
mod erasure;
mod export;
mod filings;
mod help;
mod hours;
mod hours_lists;
mod invoice_lists;
mod invoices;
mod lists;
mod openapi;
mod payments;
mod refusals;
mod strangers;
mod transport;

use serde_json::{Value, json};

/// An invoice of one line of 100.00 at 21 %.
fn simple_invoice() -> Value {
    json!({
        "status": "sent",
        "customer": {"name": "Bakkerij De Korenaar"},
        "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}],
    })
}
