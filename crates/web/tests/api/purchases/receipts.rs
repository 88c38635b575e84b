//! Receipts over the API: type detected from the bytes, stored unchanged, part of the hash chain.

use crate::help::{ids, patch};
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};
use testing::{Engine, Reply, Server, on_both_engines};

const PDF: &[u8] = b"%PDF-1.7 a receipt for toner";
/// PNG image of two by two pixels.
pub(crate) const PNG: &[u8] = b"\x89PNG\x0d\x0a\x1a\x0a\x00\x00\x00\x0dIHDR\x00\x00\x00\x02\x00\x00\x00\x02\x08\x02\x00\x00\x00\xfd\xd4\x9as\x00\x00\x00\x10IDATx\xdac\x10\x8c\x8b\x04\x22\x06\x08\x05\x00\x14\xce\x03!WL\x17*\x00\x00\x00\x00IEND\xaeB`\x82";

fn hand_in(server: &Server, key: &str, media_type: &str, bytes: &[u8]) -> Reply {
    server.send(
        "POST",
        "/api/v1/receipts",
        &[("x-api-key", key), ("content-type", media_type)],
        Some(bytes),
    )
}

fn delete(server: &Server, key: &str, id: i64) -> Reply {
    server.send("DELETE", &format!("/api/v1/receipts/{id}"), &[("x-api-key", key)], None)
}

on_both_engines! {
    fn a_receipt_is_kept_unchanged_and_is_part_of_the_entry(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let reply = hand_in(&server, &key, "application/pdf", PDF);
        assert_eq!(
            (reply.status, &reply.json()["mediaType"], &reply.json()["size"]),
            (201, &json!("application/pdf"), &json!(PDF.len())),
            "{}",
            reply.text
        );
        let again = hand_in(&server, &key, "application/octet-stream", PDF);
        assert_eq!((again.status, again.json()), (200, reply.json()));
        let file = server.get(&key, "/api/v1/receipts/1/file");
        assert_eq!(
            (file.text.as_bytes(), file.header("content-type")),
            (PDF, Some("application/pdf"))
        );
        let body = json!({"date": "2026-02-10", "description": "Toner", "receiptIds": [1], "items": [{"category": "4100", "amount": 10, "vatRate": 21}]});
        assert_eq!(server.post(&key, "/api/v1/expenses", &body).json()["receiptIds"], json!([1]));
        assert_eq!(server.get(&key, "/api/v1/receipts/1").json()["expenseIds"], json!([1]));
        assert_eq!(
            ids(&server.get(&key, "/api/v1/receipts?waiting=true").json()),
            Vec::<i64>::new()
        );
        assert_eq!(delete(&server, &key, 1).code(), "receipt_in_use");
        // A receipt removed from its expense is unassigned again, but cannot be deleted any more,
        // because the journal contains its hash.
        assert_eq!(
            patch(&server, &key, "/api/v1/expenses/1", &[], &json!({"receiptIds": []})).status,
            200
        );
        assert_eq!(ids(&server.get(&key, "/api/v1/receipts?waiting=true").json()), [1]);
        assert_eq!(delete(&server, &key, 1).code(), "receipt_in_use");
        assert_eq!(hand_in(&server, &key, "application/pdf", b"%PDF-1.4 unused").status, 201);
        assert_eq!((delete(&server, &key, 2).status, delete(&server, &key, 2).status), (204, 404));
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
        let export = server.export(1);
        let rows = |table: &str| export[table].as_array().map_or(0, Vec::len);
        assert_eq!(
            (rows("receipts"), rows("receipt_files"), rows("expenses")),
            (1, 1, 1),
            "{:?}",
            export.as_object().map(|all| all.keys().collect::<Vec<_>>())
        );
    }

    fn the_receipts_of_an_account_have_a_limit(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        assert_eq!(hand_in(&server, &key, "application/pdf", PDF).status, 201);
        // Simulates a large receipt: the limit applies to the sum of the recorded sizes.
        let set_size = |size: i64| {
            server.write(move |tx| {
                tx.execute(
                    "UPDATE receipts SET size = ?2 WHERE account_id = ?1 AND id = 1",
                    &[1_i64.into(), size.into()],
                )
                .map_err(service::Error::from)
            })
        };
        let other = b"%PDF-1.7 another";
        set_size((20 << 30) - i64::try_from(other.len()).unwrap() + 1);
        let refused = hand_in(&server, &key, "application/pdf", other);
        assert_eq!(
            (refused.status, refused.faults()),
            (422, vec![(String::new(), "too_many".into())]),
            "{}",
            refused.text
        );
        assert!(refused.text.contains("at most 20 GiB of receipts"), "{}", refused.text);
        assert_eq!(
            hand_in(&server, &key, "application/pdf", PDF).status,
            200,
            "a file that is already stored takes no room"
        );
        set_size((20 << 30) - i64::try_from(other.len()).unwrap());
        assert_eq!(hand_in(&server, &key, "application/pdf", other).status, 201);
        assert_eq!(hand_in(&server, &key, "application/pdf", b"%PDF-1.7 a third").status, 422);
    }

    fn media_types_of_receipts_match_the_description(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let document = server.send("GET", "/api/openapi.json", &[], None).json();
        let kinds = |content: &Value| {
            let binary = |(kind, described): (&String, &Value)| {
                assert_eq!(
                    described["schema"],
                    json!({"type": "string", "format": "binary", "contentMediaType": kind})
                );
                kind.clone()
            };
            content.as_object().unwrap().iter().map(binary).collect::<Vec<_>>()
        };
        let body = &document["paths"]["/api/v1/receipts"]["post"]["requestBody"];
        assert_eq!(body["required"], json!(true));
        let sent_as = kinds(&body["content"]);
        let read_as = kinds(
            &document["paths"]["/api/v1/receipts/{id}/file"]["get"]["responses"]["200"]["content"],
        );
        assert_eq!(
            sent_as.iter().filter(|kind| !read_as.contains(kind)).collect::<Vec<_>>(),
            ["application/octet-stream"]
        );
        let mut seen = BTreeSet::new();
        for kind in &sent_as {
            for bytes in [PDF, PNG] {
                let reply = hand_in(&server, &key, kind, bytes);
                assert!([200, 201].contains(&reply.status), "{kind}: {}", reply.text);
                let file =
                    server.get(&key, &format!("/api/v1/receipts/{}/file", reply.json()["id"]));
                assert!(
                    read_as.iter().any(|kind| Some(kind.as_str()) == file.header("content-type")),
                    "{:?}",
                    file.header("content-type")
                );
                seen.insert(file.header("content-type").unwrap().to_owned());
            }
        }
        assert_eq!(seen.into_iter().collect::<Vec<_>>(), ["application/pdf", "image/png"]);
        for other in
            ["multipart/form-data; boundary=x", "application/json", "text/plain", "image/gif"]
        {
            assert_eq!(hand_in(&server, &key, other, PDF).status, 415, "{other}");
        }
    }

    fn an_invalid_receipt_is_refused_with_the_reason(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let heic = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic";
        let refused =
            |reply: Reply| (reply.status, reply.faults().first().map(|(_, code)| code.clone()));
        assert_eq!(
            refused(hand_in(&server, &key, "image/jpeg", heic)),
            (422, Some("unsupported_file".into()))
        );
        assert_eq!(
            refused(hand_in(&server, &key, "image/png", b"GIF89a")),
            (422, Some("unsupported_file".into()))
        );
        assert_eq!(
            refused(hand_in(&server, &key, "image/png", b"")),
            (422, Some("unsupported_file".into()))
        );
        let named = hand_in(&server, &key, "image/heic", heic);
        assert!(named.status == 415 && named.text.contains("JPEG"), "{}", named.text);
        assert_eq!(hand_in(&server, &key, "application/json", b"{}").status, 415);
        let most = 10 * 1024 * 1024;
        let mut large = b"%PDF-1.7 ".to_vec();
        large.resize(most + 1, b' ');
        assert_eq!(hand_in(&server, &key, "application/pdf", &large).status, 413);
        large.truncate(most);
        assert_eq!(hand_in(&server, &key, "application/pdf", &large).status, 201);
        assert_eq!(ids(&server.get(&key, "/api/v1/receipts").json()), [1]);
        let page = server.get(&key, "/api/v1/receipts").json();
        assert_eq!(page["nextCursor"], Value::Null);
    }
}

#[test]
fn an_account_that_sends_files_slowly_delays_no_other() {
    let server = Server::start(Engine::Sqlite);
    let (slow, quick) = (server.account("slow@example.com"), server.account("quick@example.com"));
    let head = format!(
        "POST /api/v1/receipts HTTP/1.1\r\nHost: x\r\nX-API-Key: {slow}\r\nContent-Type: application/pdf\r\nContent-Length: 99\r\n\
         Expect: 100-continue\r\n\r\n"
    );
    // The server accepts a body with 100 Continue (RFC 9110, section 10.1.1).
    let is_taken_in = |stream: &mut TcpStream, timeout| {
        stream.set_read_timeout(Some(timeout)).unwrap();
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).is_ok_and(|()| &answer == b"HTTP/1.1 100")
    };
    let mut connections: Vec<TcpStream> = (0..8)
        .map(|_| {
            let mut stream = TcpStream::connect(server.address).unwrap();
            stream.write_all(head.as_bytes()).unwrap();
            stream
        })
        .collect();
    let accepted = connections
        .iter_mut()
        .filter_map(|stream| is_taken_in(stream, Duration::from_millis(500)).then_some(()))
        .count();
    assert_eq!(accepted, 2);
    assert_eq!(hand_in(&server, &quick, "application/pdf", PDF).status, 201);
    drop(connections);
    // Closed connections release their permits.
    assert_eq!(hand_in(&server, &slow, "application/pdf", PDF).status, 201);
}
