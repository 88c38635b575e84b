//! Invalid requests to every resource: the problem that each request causes, and unchanged books,
//! byte for byte.

mod table;

use crate::help::{books, one_of_everything};
use serde_json::json;
use std::{
    io::{Read, Write},
    net::TcpStream,
};
use table::TABLE;
use testing::{Server, on_both_engines};
on_both_engines! {
    fn each_bad_request_gets_its_faults_and_the_books_stay_unchanged(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        one_of_everything(&server, "anna@example.com", &key);
        let before = books(&server, &key);
        assert!(TABLE.len() >= 200, "{}", TABLE.len());
        let mut wrong = Vec::new();
        for (method, path, body, status, code, faults) in TABLE {
            let mut headers = vec![("x-api-key", key.as_str())];
            if matches!(*method, "POST" | "PATCH" | "PUT") {
                headers.push(("content-type", "application/json"));
            }
            let sent = (headers.len() == 2).then_some(body.as_bytes());
            let reply = server.send(method, &format!("/api/v1/{path}"), &headers, sent);
            let actual = reply.faults();
            let actual: Vec<(&str, &str)> =
                actual.iter().map(|(place, code)| (place.as_str(), code.as_str())).collect();
            if (reply.status, reply.code().as_str(), actual.as_slice()) != (*status, *code, *faults)
            {
                let code = if reply.status < 300 { String::new() } else { reply.code() };
                wrong.push(format!(
                    "{method} {path} {body}: {} {code} {actual:?}, not {status} {faults:?}",
                    reply.status
                ));
                continue;
            }
            assert_eq!(
                reply.header("content-type"),
                Some("application/problem+json"),
                "{method} {path}"
            );
            let problem = reply.json();
            assert!(
                problem["detail"].as_str().is_some_and(|detail| detail.len() > 8
                    && detail.ends_with('.')
                    && !detail.starts_with(char::is_lowercase))
                    && problem["title"].is_string()
                    && problem["status"] == *status,
                "{}",
                reply.text
            );
            assert_eq!(problem["requestId"].as_str(), reply.header("x-request-id"));
        }
        assert_eq!(wrong, Vec::<String>::new(), "{}", wrong.join("\n"));
        assert_eq!(books(&server, &key), before);
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn every_operation_with_a_json_body_refuses_other_bodies(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        one_of_everything(&server, "anna@example.com", &key);
        let before = books(&server, &key);
        let operations = [
            ("POST", "invoices"),
            ("PATCH", "invoices/2"),
            ("POST", "invoices/1/payments"),
            ("POST", "invoices/1/credit-notes"),
            ("POST", "contacts"),
            ("POST", "time-entries"),
            ("POST", "hours-log"),
        ];
        let types = [
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "application/json; charset=utf-16",
            "application/jsonx",
            "application/xml",
            "text/json",
            "",
        ];
        let deep = format!("{{\"a\":{}1{}}}", "[".repeat(32), "]".repeat(32));
        let objects = format!("{}1{}", "{\"a\":".repeat(33), "}".repeat(33));
        let bottomless = "[".repeat(500_000);
        let malformed: [&[u8]; 12] = [
            b"{\"notes\":\"\xff\xfe\"}",
            b"\xff\xfe{\0}\0",
            b"\xc3\x28",
            b"{\"a\":\"\xed\xa0\x80\"}",
            b"{\"a\":\"\\udc00\"}",
            b"{\"a\":-}",
            b"{\"a\":1.e5}",
            b"{\"a\":1}\0",
            b"{\"\\u0061\":1,\"a\":2}",
            deep.as_bytes(),
            objects.as_bytes(),
            bottomless.as_bytes(),
        ];
        for (method, path) in operations {
            let send = |kind: Option<&str>, body: &[u8]| {
                let mut headers = vec![("x-api-key", key.as_str())];
                headers.extend(kind.map(|kind| ("content-type", kind)));
                let reply = server.send(method, &format!("/api/v1/{path}"), &headers, Some(body));
                (reply.status, reply.code())
            };
            for kind in types {
                assert_eq!(
                    send(Some(kind), b"{}"),
                    (415, "unsupported_media_type".into()),
                    "{method} {path} {kind}"
                );
            }
            assert_eq!(
                send(None, b"{}"),
                (415, "unsupported_media_type".into()),
                "{method} {path}"
            );
            for body in malformed {
                assert_eq!(
                    send(Some("application/json"), body),
                    (400, "malformed_json".into()),
                    "{method} {path} {}",
                    String::from_utf8_lossy(&body[..body.len().min(40)])
                );
            }
            // Refused by its `Content-Length`, before the body is sent.
            let mut stream = TcpStream::connect(server.address).unwrap();
            write!(stream, "{method} /api/v1/{path} HTTP/1.1\r\nhost: x\r\nx-api-key: {key}\r\ncontent-type: application/json\r\ncontent-length: 1048577\r\n\r\n").unwrap();
            let mut status = [0; 12];
            stream.read_exact(&mut status).unwrap();
            assert_eq!(&status, b"HTTP/1.1 413", "{method} {path}");
        }
        assert_eq!(books(&server, &key), before);
    }

    fn texts_of_the_maximum_length_are_accepted_and_longer_ones_are_not(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        one_of_everything(&server, "anna@example.com", &key);
        // Limits count characters, not bytes.
        let text = |length: usize| "é".repeat(length);
        let items = json!([{"description": "x", "unitPrice": 1, "vatRate": 21}]);
        let cases = [
            ("contacts", json!({"name": "A"}), "name", 255),
            ("contacts", json!({"name": "A"}), "externalId", 255),
            ("contacts", json!({"name": "A"}), "contactPerson", 255),
            (
                "time-entries",
                json!({"projectId": 1, "date": "2026-03-01", "hours": 1, "description": "x"}),
                "description",
                1000,
            ),
            (
                "time-entries",
                json!({"projectId": 1, "date": "2026-03-01", "hours": 1, "description": "x"}),
                "externalId",
                255,
            ),
            (
                "hours-log",
                json!({"date": "2026-03-01", "hours": 1, "description": "x"}),
                "description",
                1000,
            ),
            (
                "hours-log",
                json!({"date": "2026-03-01", "hours": 1, "description": "x"}),
                "externalId",
                255,
            ),
            ("invoices", json!({"customer": {"name": "A"}, "items": items}), "notes", 5000),
            ("invoices", json!({"customer": {"name": "A"}, "items": items}), "externalId", 255),
            ("invoices/1/payments", json!({"date": "2026-03-01", "amount": 1}), "externalId", 255),
            ("invoices/1/credit-notes", json!({"items": items}), "externalId", 255),
        ];
        for (path, payload, field, most) in cases {
            let path = format!("/api/v1/{path}");
            let mut payload = payload;
            payload[field] = json!(text(most + 1));
            let refused = server.post(&key, &path, &payload);
            assert_eq!(
                (refused.status, refused.faults()),
                (422, vec![(format!("/{field}"), "too_long".to_owned())]),
                "{path} {field}"
            );
            payload[field] = json!(text(most));
            let reply = server.post(&key, &path, &payload);
            assert_eq!(
                (reply.status, &reply.json()[field]),
                (201, &json!(text(most))),
                "{path} {field}"
            );
        }
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn strange_texts_come_back_as_they_were_given(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        one_of_everything(&server, "anna@example.com", &key);
        let texts = [
            "\u{200f}olleh\u{200e}",
            "a\u{200f}",
            "e\u{301} é",
            "😀\u{1f468}\u{200d}\u{1f469}",
            "\u{feff}x",
            "%00 %s {0} $(x)",
            "'; DROP TABLE contacts;--",
            "\\u0041 \\ \"",
            "\u{10ffff}\u{fffd}",
        ];
        for (place, text) in texts.into_iter().enumerate() {
            let external_id = format!("{text} {place}");
            let items = json!([{"description": text, "unitPrice": 0.01, "vatRate": 21}]);
            let creates = [
                (
                    "contacts",
                    json!({"externalId": external_id, "name": text, "contactPerson": text}),
                    "name",
                ),
                (
                    "time-entries",
                    json!({"externalId": external_id, "projectId": 1, "date": "2026-03-01", "hours": 0.01, "description": text}),
                    "description",
                ),
                (
                    "hours-log",
                    json!({"externalId": external_id, "date": "2026-03-01", "hours": 0.01, "description": text}),
                    "description",
                ),
                (
                    "invoices",
                    json!({"externalId": external_id, "customer": {"name": text}, "items": items, "notes": text}),
                    "notes",
                ),
                (
                    "invoices/1/payments",
                    json!({"externalId": external_id, "date": "2026-03-01", "amount": 0.01, "reference": text}),
                    "reference",
                ),
                (
                    "invoices/1/credit-notes",
                    json!({"externalId": external_id, "items": items, "reason": text}),
                    "notes",
                ),
            ];
            for (path, payload, field) in creates {
                let reply = server.post(&key, &format!("/api/v1/{path}"), &payload);
                assert_eq!(
                    (reply.status, &reply.json()[field], &reply.json()["externalId"]),
                    (201, &json!(text), &json!(external_id)),
                    "{path} {text:?}: {}",
                    reply.text
                );
                assert_eq!(
                    server.post(&key, &format!("/api/v1/{path}"), &payload).status,
                    200,
                    "{path} {text:?}"
                );
            }
        }
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }
}
