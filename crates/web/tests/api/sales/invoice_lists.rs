//! Lists of invoices: every filter, alone and combined, and pagination during writes.

use crate::{
    help::{ids, patch, walk},
    simple_invoice,
};
use serde_json::{Value, json};
use testing::{Server, on_both_engines};

/// Creates five invoices and credit notes, an hour apart, that differ in every filtered field.
fn five(server: &Server, key: &str) {
    let make = |hour: usize, path: &str, payload: &Value| {
        server.clock.set(&format!("2026-05-01T{hour:02}:00:00Z"));
        let reply = server.post(key, path, payload);
        assert_eq!(reply.status, 201, "{}", reply.text);
    };
    let invoice = |extra: Value| {
        let mut payload = simple_invoice();
        payload.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        payload
    };
    let first = json!({"externalId": "c-1", "name": "A"});
    make(
        1,
        "/api/v1/invoices",
        &invoice(json!({"externalId": "o-1", "invoiceDate": "2026-01-10", "customer": first})),
    );
    make(
        2,
        "/api/v1/invoices",
        &invoice(
            json!({"invoiceDate": "2026-02-10", "status": "draft", "customer": {"externalId": "c-1"}}),
        ),
    );
    make(
        3,
        "/api/v1/invoices",
        &invoice(json!({"externalId": "o-3", "invoiceDate": "2026-04-10"})),
    );
    make(
        4,
        "/api/v1/invoices/1/credit-notes",
        &json!({"externalId": "o-1", "date": "2026-04-11",
        "items": [{"description": "Back", "unitPrice": 10, "vatRate": 21}]}),
    );
    let nought = json!([{"description": "Gift", "unitPrice": 0, "vatRate": 21}]);
    make(5, "/api/v1/invoices", &invoice(json!({"invoiceDate": "2025-12-31", "items": nought})));
    make(6, "/api/v1/invoices/3/payments", &json!({"date": "2026-04-20"}));
}

/// Whether a document matches a filter, according to the API description.
fn fits(row: &Value, name: &str, value: &str) -> bool {
    let text = |field: &str| row[field].as_str().unwrap_or("-").to_owned();
    match name {
        "paid" => row["paid"] == (value == "true"),
        "from" => text("invoiceDate").as_str() >= value,
        "to" => text("invoiceDate").as_str() <= value,
        "contactId" => row["customer"]["contactId"].as_i64() == value.parse().ok(),
        "updatedSince" => text("updatedAt").as_str() >= value,
        field => text(field) == value,
    }
}

on_both_engines! {
    fn each_filter_gives_its_documents_newest_first_alone_and_with_others(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        five(&server, &key);
        let all = server.get(&key, "/api/v1/invoices").json();
        assert_eq!((ids(&all), &all["nextCursor"]), (vec![5, 4, 3, 2, 1], &Value::Null));
        let by_hand: &[(&str, &[i64])] = &[
            ("status=draft", &[2]),
            ("status=sent", &[5, 4, 3, 1]),
            ("paid=true", &[5, 4, 3]),
            ("paid=false", &[2, 1]),
            ("kind=creditNote", &[4]),
            ("kind=invoice", &[5, 3, 2, 1]),
            ("from=2026-04-10", &[4, 3]),
            ("to=2026-01-10", &[5, 1]),
            ("from=2026-01-10&to=2026-02-10", &[2, 1]),
            ("from=2026-02-01&to=2026-01-31", &[]),
            ("externalId=o-1", &[4, 1]),
            ("externalId=O-1", &[]),
            ("externalId=o-1&kind=creditNote", &[4]),
            ("number=2026-0003", &[3]),
            ("number=2026-0004", &[4]),
            ("number=2025-0001", &[5]),
            ("number=2026-1", &[]),
            ("contactId=1", &[4, 2, 1]),
            ("contactId=2", &[5, 3]),
            ("contactId=99", &[]),
            ("updatedSince=2026-05-01T05:00:00Z", &[5, 3]),
            ("updatedSince=2026-05-01T06:00:00.000001Z", &[]),
            // The credit note changed the first invoice, and the payment changed the third.
            ("updatedSince=2026-05-01T04:00:00Z", &[5, 4, 3, 1]),
            ("updatedSince=2026-05-01T08:00:00%2B02:00", &[3]),
            ("updatedSince=2026-05-01T08:00:00+02:00", &[3]),
        ];
        for (query, expected) in by_hand {
            let reply = server.get(&key, &format!("/api/v1/invoices?{query}"));
            assert_eq!(reply.status, 200, "{query}: {}", reply.text);
            assert_eq!(ids(&reply.json()), *expected, "{query}");
        }
        let choices: [(&str, &[&str]); 8] = [
            ("status", &["draft", "sent"]),
            ("paid", &["true", "false"]),
            ("kind", &["invoice", "creditNote"]),
            ("from", &["2026-01-10", "2026-04-11"]),
            ("to", &["2026-02-10", "2026-04-10"]),
            ("externalId", &["o-1", "o-3"]),
            ("contactId", &["1", "2"]),
            ("updatedSince", &["2026-05-01T03:00:00.000000Z", "2026-05-01T06:00:00.000000Z"]),
        ];
        // Every pair of filters, and many triples.
        let mut requests = 0;
        for (place, (first, firsts)) in choices.iter().enumerate() {
            for (other, (second, seconds)) in choices.iter().enumerate().skip(place + 1) {
                let (third, thirds) = choices[(place + other + 1) % choices.len()];
                for which in 0..8_usize {
                    let mut filters =
                        vec![(*first, firsts[which % 2]), (*second, seconds[which / 2 % 2])];
                    if which >= 4 && third != *first && third != *second {
                        filters.push((third, thirds[(place + which) % 2]));
                    }
                    let query: Vec<String> =
                        filters.iter().map(|(name, value)| format!("{name}={value}")).collect();
                    let query = query.join("&");
                    let reply = server.get(&key, &format!("/api/v1/invoices?{query}")).json();
                    let expected: Vec<&Value> = all["data"]
                        .as_array()
                        .unwrap()
                        .iter()
                        .filter(|row| filters.iter().all(|(name, value)| fits(row, name, value)))
                        .collect();
                    // Each row is the same as without filters.
                    assert_eq!(
                        reply["data"].as_array().unwrap().iter().collect::<Vec<_>>(),
                        expected,
                        "{query}"
                    );
                    requests += 1;
                }
            }
        }
        assert_eq!(requests, 224);
    }

    fn a_listed_invoice_looks_as_it_does_by_itself(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        five(&server, &key);
        assert_eq!(
            patch(&server, &key, "/api/v1/invoices/2", &[], &json!({"invoiceDate": "2026-02-11"}))
                .status,
            200
        );
        for row in walk(&server, &key, "/api/v1/invoices?limit=2", || ()) {
            assert_eq!(server.get(&key, &format!("/api/v1/invoices/{}", row["id"])).json(), row);
        }
    }

    fn a_walk_sees_each_invoice_once_while_others_are_made_and_changed(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let mut draft = simple_invoice();
        draft["status"] = json!("draft");
        for day in 1..=9 {
            draft["invoiceDate"] = json!(format!("2026-01-0{}", 10 - day));
            assert_eq!(server.post(&key, "/api/v1/invoices", &draft).status, 201);
        }
        for (query, expected) in [
            ("limit=2", 9),
            ("limit=1&from=2026-01-05", 5),
            ("limit=3&status=draft&kind=invoice", 9),
        ] {
            let mut round = 0;
            let rows = walk(&server, &key, &format!("/api/v1/invoices?{query}"), || {
                round += 1;
                assert_eq!(server.post(&key, "/api/v1/invoices", &draft).status, 201);
                assert_eq!(
                    patch(
                        &server,
                        &key,
                        "/api/v1/invoices/5",
                        &[],
                        &json!({"notes": format!("{query} {round}")})
                    )
                    .status,
                    200
                );
            });
            let seen: Vec<i64> = rows.iter().map(|row| row["id"].as_i64().unwrap()).collect();
            let old: Vec<i64> = seen.iter().copied().filter(|id| *id <= 9).collect();
            assert_eq!(old.len(), expected, "{query}: {seen:?}");
            assert!(seen.windows(2).all(|pair| pair[0] > pair[1]), "{query}: {seen:?}");
        }
    }

    fn a_page_has_1_to_500_rows_and_100_unless_asked(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..26 {
                        assert_eq!(
                            server.post(&key, "/api/v1/invoices", &simple_invoice()).status,
                            201
                        );
                    }
                });
            }
        });
        for (query, rows, more) in [
            ("", 100, true),
            ("?limit=1", 1, true),
            ("?limit=103", 103, true),
            ("?limit=104", 104, false),
            ("?limit=500", 104, false),
        ] {
            let page = server.get(&key, &format!("/api/v1/invoices{query}")).json();
            assert_eq!((ids(&page).len(), page["nextCursor"].is_string()), (rows, more), "{query}");
        }
        for limit in ["0", "501", "-1", "1.5", "", "x", "99999999999999999999"] {
            let reply = server.get(&key, &format!("/api/v1/invoices?limit={limit}"));
            assert_eq!(
                (reply.status, reply.faults()),
                (422, vec![("limit".into(), "out_of_range".into())]),
                "{limit}"
            );
        }
    }
}
