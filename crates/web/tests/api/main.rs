//! API tests over HTTP, as an integrator uses it, on both database engines.

#![expect(clippy::unwrap_used, reason = "a failure is a failed test")]

mod access;
mod help;
mod hours;
mod identity;
mod interface;
mod journal;
mod purchases;
mod sales;
mod tax;

use serde_json::{Value, json};

/// Sent invoice with one line of €100.00 at 21 % VAT.
fn simple_invoice() -> Value {
    json!({
        "status": "sent",
        "customer": {"name": "Bakkerij De Korenaar"},
        "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}],
    })
}
