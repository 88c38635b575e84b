//! Export of all data of an account as one JSON document.

use serde_json::{Value, json};
use testing::{Server, on_both_engines};

on_both_engines! {
    fn the_document_has_the_books_and_no_secret(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let other = server.account("bram@example.com");
        for (key, customer) in [(&key, "Bakkerij \"De Korenaar\""), (&other, "Somebody else")] {
            let reply = server.post(key, "/api/v1/invoices", &json!({
                "invoiceDate": "2026-03-13", "status": "sent", "customer": {"name": customer},
                "items": [{"description": "Work", "quantity": 2, "unitPrice": 50, "vatRate": 21}],
            }));
            assert_eq!(reply.status, 201, "{}", reply.text);
        }
        let account = server.owner("anna@example.com").actor.account;
        let document = server.export(account);
        assert_eq!(document["exportedAt"], json!("2026-03-15T11:00:00Z"));
        assert_eq!(document["people"][0]["email"], json!("anna@example.com"));
        assert_eq!(document["contacts"][0]["name"], json!("Bakkerij \"De Korenaar\""));
        let invoice = &document["invoices"][0];
        assert_eq!(
            (&invoice["invoice_date"], &invoice["total"]),
            (&json!("2026-03-13"), &json!(12_100))
        );
        assert_eq!(invoice["created_at"], json!("2026-03-15T11:00:00.000001Z"));
        assert_eq!(document["entries"][0]["hash"].as_str().map(str::len), Some(64));
        assert_eq!(
            (&document["api_keys"][0]["name"], &document["api_keys"][0]["hash"]),
            (&json!("test"), &Value::Null)
        );
        let text = document.to_string();
        assert!(
            !text.contains("Somebody else")
                && !text.contains("bram@")
                && !text.contains("password_hash"),
            "{text}"
        );
    }
}
