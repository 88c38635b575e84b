//! The API as a partner sees it: over HTTP, on both engines.

#![expect(clippy::unwrap_used, reason = "a failure is a failed test")]

mod access;
mod additive;
mod api_docs;
mod assets;
mod audit_files;
mod bad_requests;
mod bookkeeping;
mod calls;
mod changes;
mod conditional;
mod contacts;
mod corrections;
mod credit_note_limits;
mod credit_notes;
mod edits;
mod entries;
mod erasure;
mod events;
mod expenses;
mod export;
mod filed_quarters;
mod filings;
mod help;
mod hours;
mod hours_edits;
mod hours_lists;
mod idempotency;
mod invoice_documents;
mod invoice_lists;
mod invoices;
mod large_reads;
mod lists;
mod messages;
mod openapi;
mod opening_items;
mod payments;
mod projects;
mod receipts;
mod refusals;
mod settlements;
mod shared_limits;
mod strangers;
mod tax_filing;
mod timer;
mod transport;
mod unusual_days;
mod webhook_targets;
mod webhooks;

use serde_json::{Value, json};

/// An invoice of one line of 100.00 at 21 %.
fn simple_invoice() -> Value {
    json!({
        "status": "sent",
        "customer": {"name": "Bakkerij De Korenaar"},
        "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}],
    })
}
