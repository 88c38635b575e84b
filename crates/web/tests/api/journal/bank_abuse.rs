//! Hostile statements, and two nodes that want the same line, entry or quota.

use super::{
    bank_booking::{EMAIL, LINES, balances, book, created, with_lines},
    writers::{self, Payment},
};
use crate::{help::ids, purchases::expenses::started};
use jiff::civil::{Date, date};
use serde_json::{Value, json};
use std::{
    io::{Cursor, Write},
    thread,
};
use testing::{Engine, Reply, Server, on_both_engines};
use zip::{ZipWriter, write::SimpleFileOptions};

const STATEMENTS: &str = "/api/v1/bank-statements";
const DAY: Date = date(2026, 3, 2);
/// Largest file that is accepted, in bytes.
const MOST_BYTES: usize = 20 << 20;

fn send(server: &Server, key: &str, file: &[u8]) -> Reply {
    let headers = [("x-api-key", key), ("content-type", "application/octet-stream")];
    server.send("POST", STATEMENTS, &headers, Some(file))
}

/// Books with a bank account that has the IBAN of the files.
fn with_account(engine: Engine) -> (Server, String) {
    let (server, key) = started(engine);
    let body = json!({"name": "ABN AMRO", "kind": "checking", "iban": writers::ACCOUNT});
    created(&server, &key, "bank-accounts", &body);
    (server, key)
}

fn payment(cents: i64, name: &str, text: &str) -> Payment {
    let (iban, end_to_end_id) = (None, None);
    Payment { date: DAY, cents, name: name.into(), iban, text: text.into(), end_to_end_id }
}

fn coffee() -> Vec<Payment> {
    vec![payment(-450, "Koffie", "Kop"), payment(12_100, "Bakkerij", "Factuur 2026-0001")]
}

fn camt() -> String {
    writers::camt(&coffee(), 100_000, DAY, DAY)
}

fn mt940() -> String {
    writers::mt940(&coffee(), 100_000, DAY, DAY)
}

fn archive<'f>(files: impl IntoIterator<Item = (String, &'f [u8])>) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(name, SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Archive whose file is marked as encrypted (general purpose bit 0).
fn with_password(file: &[u8]) -> Vec<u8> {
    let mut bytes = archive([("a.940".to_owned(), file)]);
    let directory = bytes.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    bytes[6] |= 1;
    bytes[directory + 8] |= 1;
    bytes
}

/// Files that no bank sends, with what each is.
fn hostile() -> Vec<(&'static str, Vec<u8>)> {
    let (camt, mt940) = (camt(), mt940());
    let blank = vec![b'\n'; 18 << 20];
    let one = archive([("a.940".to_owned(), mt940.as_bytes())]);
    let many = (0..201).map(|number| (format!("{number}.940"), mt940.as_bytes()));
    // 108 MiB in some 100 KiB; each file alone is allowed.
    let bomb = archive((0..6).map(|number| (format!("{number}.940"), &*blank)));
    assert!(bomb.len() < 1 << 20, "{}", bomb.len());
    let laughs = "<?xml version=\"1.0\"?><!DOCTYPE d [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;\">]><Document><BkToCstmrStmt>&b;</BkToCstmrStmt></Document>";
    let outside = "<!DOCTYPE d SYSTEM \"file:///etc/passwd\"><Document><BkToCstmrStmt/></Document>";
    let entity = camt.replace("Koffie", "&koffie;");
    let empty = format!(
        "<Document><BkToCstmrStmt>{}</BkToCstmrStmt></Document>",
        "<Stmt/>".repeat(1_000_000)
    );
    let deep = format!("<Document><BkToCstmrStmt>{}", "<Stmt>".repeat(1_000_000));
    let messages = ":20:\n:60F:C260101EUR,\n".repeat(900_000);
    let half = |bytes: &[u8]| bytes[..bytes.len() / 2].to_vec();
    vec![
        ("a zip bomb", bomb),
        ("a zip of zips", archive([("a.zip".to_owned(), &*one)])),
        ("a zip with a password", with_password(mt940.as_bytes())),
        ("201 files", archive(many)),
        ("a zip that is cut", half(&one)),
        ("a file in a zip that is cut", archive([("a.xml".to_owned(), &*half(camt.as_bytes()))])),
        (
            "a statement and a picture in a zip",
            archive([("a.940".to_owned(), mt940.as_bytes()), ("b.png".to_owned(), b"\x89PNG\0\0")]),
        ),
        ("entities of its own", laughs.into()),
        ("an entity outside", outside.into()),
        ("an unknown entity", entity.into()),
        ("1 000 000 empty statements", empty.into()),
        ("1 000 000 elements within each other", deep.into()),
        ("900 000 empty messages", messages.into()),
        ("a line of 20 MiB", vec![b'x'; MOST_BYTES]),
        ("a field of 20 MiB", [b":20:".to_vec(), vec![b'x'; MOST_BYTES - 4]].concat()),
        ("a file that is cut", half(camt.as_bytes())),
        ("two files of CAMT.053", format!("{camt}{camt}").into()),
        ("CAMT.053 and MT940", format!("{camt}{mt940}").into()),
        ("MT940 and CAMT.053", format!("{mt940}{camt}").into()),
        ("MT940 and a zip", [mt940.as_bytes(), &one].concat()),
        ("zeros in a text", mt940.replace("Koffie", "Kof\0fie").into()),
    ]
}

/// Sends a request `count` times at once, by turns to two nodes if the engine allows it.
fn at_once(
    engine: Engine,
    server: &Server,
    count: usize,
    call: impl Fn(&Server, usize) -> Reply + Sync,
) -> Vec<Reply> {
    let beside = (engine != Engine::Sqlite).then(|| server.beside());
    thread::scope(|scope| {
        let calls: Vec<_> = (0..count)
            .map(|number| {
                let node = beside.as_ref().filter(|_| number % 2 == 1).unwrap_or(server);
                let call = &call;
                scope.spawn(move || call(node, number))
            })
            .collect();
        calls.into_iter().map(|call| call.join().unwrap()).collect()
    })
}

on_both_engines! {
    fn hostile_files_are_refused_and_nothing_is_written(engine) {
        let (server, key) = with_account(engine);
        for (what, file) in hostile() {
            assert!(file.len() <= MOST_BYTES, "{what}");
            let refused = send(&server, &key, &file);
            assert_eq!((refused.status, refused.code()), (422, "validation_failed".into()), "{what}: {}", refused.text);
            assert_eq!(refused.faults(), [(String::new(), "unsupported_file".to_owned())], "{what}: {}", refused.text);
            // The value is not repeated, whatever it is.
            assert!(refused.text.len() < 2_000, "{what}: {}", refused.text.len());
        }
        let large = send(&server, &key, &vec![b'\n'; MOST_BYTES + 1]);
        assert_eq!(large.status, 413, "{}", large.text);
        // A message that ends before its closing balance is a fault at its line.
        let cut = mt940();
        let cut = &cut[..cut.find(":62F:").unwrap()];
        let refused = send(&server, &key, cut.as_bytes());
        assert_eq!((refused.status, refused.code()), (422, "validation_failed".into()), "{}", refused.text);
        for list in [STATEMENTS, LINES] {
            assert_eq!(server.get(&key, list).json()["data"], json!([]), "{list}");
        }
        assert_eq!(server.get(&key, "/api/v1/bank-accounts/6").json()["lastLineDate"], Value::Null);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn names_in_an_archive_are_words(engine) {
        let (server, key) = with_account(engine);
        let file = mt940();
        let long = "x".repeat(2_000);
        let names = ["../../../etc/passwd\u{202e}", "C:\\Windows\\<b>.940", &long, "__MACOSX/._a.940"];
        let zip = archive(names.map(|name| (name.to_owned(), file.as_bytes())));
        let taken = send(&server, &key, &zip);
        assert_eq!(taken.status, 201, "{}", taken.text);
        let parts = taken.json()["statements"].as_array().unwrap().clone();
        let named: Vec<&str> = parts.iter().map(|part| part["file"].as_str().unwrap()).collect();
        assert_eq!(named, ["../../../etc/passwd", "C:\\Windows\\<b>.940", &long[..1_000]]);
        // The same days three times are the same lines.
        assert_eq!(json!([taken.json()["taken"], taken.json()["known"]]), json!([2, 4]));
        let kept = server.get(&key, &format!("{STATEMENTS}/1/file"));
        assert!(kept.header("content-disposition").unwrap().contains("bank-statement-1.zip"), "{:?}", kept.headers);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn texts_of_banks_lose_what_disguises_them(engine) {
        let (server, key) = with_account(engine);
        let name = "=HYPERLINK(\"https://evil.example\";\"open\")";
        let payments = [payment(-450, &format!("{name}\u{202e}"), "<script>alert(1)</script>\u{2066}\u{200b} a")];
        let file = writers::camt(&payments, 0, DAY, DAY);
        assert_eq!(send(&server, &key, file.as_bytes()).status, 201);
        let feed = json!({"bankAccountId": 6, "from": "2026-03-03", "to": "2026-03-03", "lines": [
            {"date": "2026-03-03", "amount": -1, "text": "a\u{7}b\u{202e}c\u{200f}", "endToEndId": "E\u{2067}1", "counterparty": {"name": "\u{1b}[31mRood"}},
        ]});
        let sent = server.post(&key, STATEMENTS, &feed);
        let first = server.get(&key, &format!("{LINES}/1")).json();
        assert_eq!(json!([first["counterparty"]["name"], first["text"]]), json!([name, "<script>alert(1)</script> a"]));
        // A feed is refused at each field, as other input is.
        let faults = ["counterparty/name", "text", "endToEndId"].map(|field| (format!("/lines/0/{field}"), "invalid_format".to_owned()));
        assert_eq!((sent.status, sent.faults()), (422, faults.to_vec()), "{}", sent.text);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn one_of_two_nodes_books_a_line(engine) {
        let (server, key) = with_lines(engine, &[-450]);
        let replies = at_once(engine, &server, 16, |node, number| {
            let kind = if number % 4 < 2 { "bankCosts" } else { "interest" };
            book(node, &key, 1, &json!([{"kind": kind}]))
        });
        let (won, lost): (Vec<&Reply>, Vec<&Reply>) = replies.iter().partition(|reply| reply.status == 200);
        assert_eq!(won.len(), 1, "{replies:?}");
        for reply in lost {
            assert_eq!((reply.status, reply.code()), (409, "already_booked".into()), "{}", reply.text);
        }
        // What the response says is what is in the books.
        let kind = won[0].json()["allocations"][0]["kind"].clone();
        let account = if kind == "bankCosts" { "4610" } else { "4600" };
        assert_eq!(balances(&server, &key), [("1101".to_owned(), "-450".to_owned()), (account.to_owned(), "450".to_owned())]);
        // So do undoing and ignoring.
        let undone = at_once(engine, &server, 8, |node, _| node.post(&key, &format!("{LINES}/1/undo"), &json!({})));
        assert_eq!(undone.iter().filter(|reply| reply.status == 200).count(), 1, "{undone:?}");
        assert!(undone.iter().all(|reply| reply.status == 200 || reply.code() == "not_booked"), "{undone:?}");
        let mixed = at_once(engine, &server, 8, |node, number| match number {
            0..4 => book(node, &key, 1, &json!([{"kind": "bankCosts"}])),
            _ => node.post(&key, &format!("{LINES}/1/ignore"), &json!({"reason": "other"})),
        });
        assert_eq!(mixed.iter().filter(|reply| reply.status == 200).count(), 1, "{mixed:?}");
        for reply in mixed.iter().filter(|reply| reply.status != 200) {
            assert!(matches!(reply.code().as_str(), "already_booked" | "line_ignored") && reply.status == 409, "{}", reply.text);
        }
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn one_of_two_nodes_links_an_entry(engine) {
        let (server, key) = with_lines(engine, &[-7_000, -7_000]);
        let moved = json!({"date": "2026-03-10", "from": "1101", "to": "1110", "amount": 70});
        let entry = created(&server, &key, "transfers", &moved)["entryIds"][0].clone();
        let before = balances(&server, &key);
        let linked = json!([{"kind": "existing", "entryId": entry}]);
        let line = |number: usize| i64::try_from(number / 2 % 2).unwrap() + 1;
        let replies = at_once(engine, &server, 16, |node, number| book(node, &key, line(number), &linked));
        let won: Vec<usize> = (0..replies.len()).filter(|number| replies[*number].status == 200).collect();
        assert_eq!(won.len(), 1, "{replies:?}");
        for (number, reply) in replies.iter().enumerate().filter(|(number, _)| *number != won[0]) {
            if line(number) == line(won[0]) {
                assert_eq!((reply.status, reply.code()), (409, "already_booked".into()), "{}", reply.text);
            } else if reply.status == 422 {
                assert_eq!(reply.faults(), [("/allocations/0/entryId".to_owned(), "already_linked".to_owned())]);
            } else {
                assert_eq!((reply.status, reply.code()), (409, "already_linked".into()), "{}", reply.text);
            }
        }
        assert_eq!(balances(&server, &key), before);
        let booked = server.get(&key, &format!("{LINES}?state=booked")).json();
        assert_eq!(ids(&booked), [line(won[0])]);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn one_of_two_nodes_pays_an_invoice_by_two_lines(engine) {
        let (server, key) = with_lines(engine, &[12_100, 12_100]);
        let invoice = super::bank_booking::invoice(&server, &key);
        let paid = json!([{"kind": "invoice", "invoiceId": invoice}]);
        let line = |number: usize| i64::try_from(number / 2 % 2).unwrap() + 1;
        let replies = at_once(engine, &server, 16, |node, number| book(node, &key, line(number), &paid));
        let won: Vec<usize> = (0..replies.len()).filter(|number| replies[*number].status == 200).collect();
        assert_eq!(won.len(), 1, "{replies:?}");
        for (number, reply) in replies.iter().enumerate().filter(|(number, _)| *number != won[0]) {
            if line(number) == line(won[0]) {
                assert_eq!((reply.status, reply.code()), (409, "already_booked".into()), "{}", reply.text);
            } else {
                assert!(matches!(reply.status, 409 | 422), "{}", reply.text);
            }
        }
        let due = server.get(&key, &format!("/api/v1/invoices/{invoice}")).json();
        assert_eq!(json!([due["amountDue"], due["amountToRefund"]]), json!([0.0, 0.0]));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn without_a_rate_limit_files_are_not_counted(engine) {
        let (server, key) = with_account(engine);
        for number in 0..61 {
            let file = writers::mt940(&[payment(100 + number, "x", "x")], 0, DAY, DAY);
            let taken = send(&server, &key, file.as_bytes());
            assert_eq!(taken.status, 201, "{number}: {}", taken.text);
        }
    }
}
