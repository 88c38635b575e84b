//! Journal entries: read one by one, listed and hashed.

use crate::{
    help::{cents, walk},
    simple_invoice,
};
use serde_json::json;
use testing::{Server, on_both_engines};

on_both_engines! {
    fn each_entry_is_read_by_its_id_as_it_is_listed(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        for date in ["2026-01-10", "2026-06-30", "2025-12-31", "2026-01-01"] {
            let mut payload = simple_invoice();
            payload["invoiceDate"] = json!(date);
            assert_eq!(server.post(&key, "/api/v1/invoices", &payload).status, 201);
        }
        assert_eq!(
            server.post(&key, "/api/v1/invoices/1/payments", &json!({"date": "2026-02-01"})).status,
            201
        );
        assert_eq!(
            server
                .post(&key, "/api/v1/invoices/2/credit-notes", &json!({"date": "2026-07-01"}))
                .status,
            201
        );
        let mut listed = walk(&server, &key, "/api/v1/entries?year=2026&limit=1", || ());
        let days: Vec<&str> = listed.iter().map(|entry| entry["date"].as_str().unwrap()).collect();
        assert_eq!(days, ["2026-01-01", "2026-01-10", "2026-02-01", "2026-06-30", "2026-07-01"]);
        listed.extend(walk(&server, &key, "/api/v1/entries?year=2025", || ()));
        assert_eq!(listed.len(), 6);
        let mut hashes: Vec<&str> =
            listed.iter().map(|entry| entry["hash"].as_str().unwrap()).collect();
        assert!(
            hashes
                .iter()
                .all(|hash| hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()))
        );
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), 6, "each entry has its own hash");
        for entry in &listed {
            let lines = entry["lines"].as_array().unwrap();
            let sum = |side: &str| lines.iter().map(|line| cents(&line[side])).sum::<i64>();
            assert_eq!(sum("debit"), sum("credit"));
            assert!(
                lines
                    .iter()
                    .all(|line| (cents(&line["debit"]) == 0) != (cents(&line["credit"]) == 0))
            );
            assert!(
                lines
                    .iter()
                    .all(|line| line["rgsCode"].is_string() && line["accountName"].is_string())
            );
            assert_eq!(
                (
                    &entry["date"].as_str().unwrap()[..4],
                    ((entry["date"].as_str().unwrap()[5..7].parse::<i64>().unwrap() + 2) / 3)
                ),
                (entry["year"].to_string().as_str(), entry["quarter"].as_i64().unwrap())
            );
            assert_eq!(
                &server.get(&key, &format!("/api/v1/entries/{}", entry["id"])).json(),
                entry
            );
        }
        for id in ["7", "0", "-1", "x", "1.0", "99999999999999999999"] {
            let reply = server.get(&key, &format!("/api/v1/entries/{id}"));
            assert_eq!((reply.status, reply.code().as_str()), (404, "not_found"), "{id}");
        }
        for (query, count) in [
            ("sourceType=payment", 1),
            ("sourceType=creditNote", 1),
            ("sourceType=invoice", 3),
            ("sourceType=manual", 0),
            ("sourceType=vatFiling", 0),
            ("accountCode=1100", 1),
            ("accountCode=8000", 4),
            ("accountCode=1300&sourceType=creditNote", 1),
            ("quarter=3", 1),
            ("quarter=1&accountCode=1100", 1),
            ("accountCode=0200", 0),
        ] {
            assert_eq!(
                walk(&server, &key, &format!("/api/v1/entries?year=2026&limit=2&{query}"), || ())
                    .len(),
                count,
                "{query}"
            );
        }
    }

    fn the_hash_depends_on_what_came_before(engine) {
        // Hash of an invoice's entry that is booked after an entry for the customer `before`.
        let hash = |before: &str| {
            let server = Server::start(engine);
            let key = server.account("anna@example.com");
            let mut payload = simple_invoice();
            for name in [before, "Same"] {
                payload["customer"]["name"] = json!(name);
                assert_eq!(server.post(&key, "/api/v1/invoices", &payload).status, 201);
            }
            server.get(&key, "/api/v1/entries/2").json()["hash"].as_str().unwrap().to_owned()
        };
        assert_eq!(hash("One"), hash("One"));
        assert_ne!(hash("One"), hash("Other"));
    }
}
