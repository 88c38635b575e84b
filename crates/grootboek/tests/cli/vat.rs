//! `vat periods`: VAT returns and ICP declarations with their deadlines.

use crate::{Running, account_with_key, done, refused};
use serde_json::json;
use testing::{Database, Engine};

#[test]
fn returns_and_declarations_are_listed_with_their_deadlines() {
    let database = Database::new(Engine::Sqlite);
    let address = database.address();
    let key = account_with_key(&address, "anna@example.com");
    let mut server = Running::serve(&address, &[]);
    let body = json!({"status": "sent", "invoiceDate": "2026-01-20",
        "customer": {"name": "Muster GmbH", "country": "DE", "vatNumber": "DE123456789"},
        "items": [{"description": "Work", "unitPrice": 100, "vatRate": 0}]});
    assert_eq!(server.post(&key, "/api/v1/invoices", &body.to_string()).0, 201);
    server.stop();
    let arguments = ["vat", "periods", "--account", "anna@example.com"];
    let printed = done(&address, &arguments).out;
    assert!(printed.contains("2026-Q1   vatReturn  due 2026-04-30  open"), "{printed}");
    assert!(printed.contains("2026-Q1   icp        due 2026-04-30  open"), "{printed}");
    let printed = done(&address, &[&arguments[..], &["--json"]].concat()).out;
    let rows: Vec<serde_json::Value> = serde_json::from_str(&printed).unwrap();
    let expected =
        json!({"kind": "icp", "period": "2026-Q1", "due": "2026-04-30", "state": "open"});
    assert!(rows.contains(&expected), "{printed}");
    refused(
        &address,
        &["vat", "periods", "--account", "nobody@example.com"],
        &["there is no account with that e-mail address"],
    );
}
