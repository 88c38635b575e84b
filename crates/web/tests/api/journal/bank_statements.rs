//! Bank statements over the API: taken whole or not at all, no line twice, undone.

use super::writers::{self, Payment};
use crate::{help::patch, purchases::expenses::started};
use bank_files::{Cause, Column, Columns, Mapping, Options, read};
use fastrand::Rng;
use jiff::{
    ToSpan,
    civil::{Date, date},
};
use serde_json::{Value, json};
use service::bank_mappings::{self, NewMapping};
use std::num::NonZeroU32;
use testing::{Engine, Reply, Server, on_both_engines};
use web_core::RateLimit;

const STATEMENTS: &str = "/api/v1/bank-statements";
const LINES: &str = "/api/v1/bank-lines";
const EMAIL: &str = "anna@example.com";

fn payment(date: Date, cents: i64, text: &str) -> Payment {
    Payment {
        date,
        cents,
        name: "Bakkerij De Korenaar".into(),
        iban: Some("NL91ABNA0417164300".into()),
        text: text.into(),
        end_to_end_id: None,
    }
}

/// Five lines of March, two of which are equal.
fn march() -> Vec<Payment> {
    vec![
        payment(date(2026, 3, 2), 12_100, "Factuur 2026-0001"),
        payment(date(2026, 3, 2), -450, "Koffie"),
        payment(date(2026, 3, 2), -450, "Koffie"),
        payment(date(2026, 3, 10), -1_999, "Hosting maart"),
        payment(date(2026, 3, 31), 50_000, "Factuur 2026-0002"),
    ]
}

fn mt940(payments: &[Payment]) -> String {
    writers::mt940(payments, 100_000, date(2026, 3, 1), date(2026, 3, 31))
}

fn camt(payments: &[Payment]) -> String {
    writers::camt(payments, 100_000, date(2026, 3, 1), date(2026, 3, 31))
}

fn take(server: &Server, key: &str, query: &str, file: &str) -> Reply {
    let headers = [("x-api-key", key), ("content-type", "application/octet-stream")];
    server.send("POST", &format!("{STATEMENTS}{query}"), &headers, Some(file.as_bytes()))
}

fn taken(server: &Server, key: &str, file: &str) -> Value {
    let reply = take(server, key, "", file);
    assert_eq!(reply.status, 201, "{}", reply.text);
    reply.json()
}

fn data(reply: &Reply) -> Vec<Value> {
    assert_eq!(reply.status, 200, "{}", reply.text);
    reply.json()["data"].as_array().unwrap().clone()
}

/// Books with a second checking account, which has the IBAN of the files.
fn with_account(engine: Engine) -> (Server, String) {
    let (server, key) = started(engine);
    add_account(&server, &key);
    (server, key)
}

fn add_account(server: &Server, key: &str) {
    let body = json!({"name": "ABN AMRO", "kind": "checking", "iban": writers::ACCOUNT});
    assert_eq!(server.post(key, "/api/v1/bank-accounts", &body).status, 201);
}

fn undo(server: &Server, key: &str, id: &Value) -> Reply {
    server.post(key, &format!("{STATEMENTS}/{id}/undo"), &json!({}))
}

on_both_engines! {
    fn a_feed_has_only_lines_of_its_days(engine) {
        let (server, key) = with_account(engine);
        let feed = |days: &[&str]| {
            let lines: Vec<Value> = days.iter().map(|day| json!({"date": day, "amount": 1})).collect();
            let body = json!({"bankAccountId": 6, "from": "2026-03-02", "to": "2026-03-05", "lines": lines});
            server.post(&key, STATEMENTS, &body)
        };
        let refused = feed(&["2026-03-01", "2026-03-02", "2026-03-06", "2025-03-03"]);
        let at = |place: usize| (format!("/lines/{place}/date"), "out_of_range".to_owned());
        assert_eq!(refused.faults(), [at(0), at(2), at(3)], "{}", refused.text);
        assert_eq!(feed(&["2026-03-02", "2026-03-05"]).status, 201);
    }

    fn a_file_is_taken_once_in_any_format(engine) {
        let (server, key) = with_account(engine);
        let file = mt940(&march());
        let reply = take(&server, &key, "?name=march.940&externalId=m-3", &file);
        assert_eq!(reply.status, 201, "{}", reply.text);
        let first = reply.json();
        assert_eq!(
            json!([first["id"], first["name"], first["externalId"], first["format"], first["dialect"], first["status"],
                first["size"], first["taken"], first["known"], first["warnings"], first["dryRun"]]),
            json!([1, "march.940", "m-3", "mt940", "abnAmro", "taken", file.len(), 5, 0, [], false])
        );
        assert_eq!(
            first["statements"],
            json!([{
                "file": null, "bankAccountId": 6, "iban": writers::ACCOUNT, "number": "1/1", "from": "2026-03-02",
                "to": "2026-03-31", "openingBalance": 1000.0, "closingBalance": 1592.01, "count": 5, "taken": 5,
                "known": 0, "ignored": 0, "pending": 0, "doubtful": 0,
            }])
        );
        // The same bytes again create nothing, whatever the file is called.
        let again = take(&server, &key, "?name=other", &file);
        assert_eq!((again.status, again.header("idempotent-replay")), (200, Some("true")));
        assert_eq!(again.json(), first);
        let lines = data(&server.get(&key, LINES));
        assert_eq!(lines.len(), 5);
        let line = &lines[4];
        assert_eq!(
            json!([line["bankAccountId"], line["date"], line["amount"], line["counterparty"], line["text"], line["type"],
                line["state"], line["statementIds"]]),
            json!([6, "2026-03-02", 121.0, {"name": "Bakkerij De Korenaar", "iban": "NL91ABNA0417164300"},
                "Factuur 2026-0001", "transfer", "new", [1]])
        );
        // The same days as CAMT.053, with a line more and an end-to-end id.
        let mut more = march();
        more[0].end_to_end_id = Some("GB-1".into());
        more.push(payment(date(2026, 3, 31), -100, "Kosten"));
        let second = taken(&server, &key, &camt(&more));
        assert_eq!(json!([second["taken"], second["known"]]), json!([1, 5]));
        let line = server.get(&key, &format!("{LINES}/1")).json();
        assert_eq!(json!([line["endToEndId"], line["statementIds"]]), json!(["GB-1", [1, 2]]));
        // A line that another format completed is still known to the first format.
        let third = taken(&server, &key, &mt940(&march()[..3]));
        assert_eq!(json!([third["taken"], third["known"]]), json!([0, 3]));
        let account = server.get(&key, "/api/v1/bank-accounts/6").json();
        assert_eq!(
            json!([account["newLines"], account["firstLineDate"], account["lastLineDate"]]),
            json!([6, "2026-03-02", "2026-03-31"])
        );
        let file_again = server.get(&key, "/api/v1/bank-statements/1/file");
        assert_eq!((file_again.header("content-type"), &file_again.text), (Some("text/plain"), &file));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_dry_run_shows_what_would_be_taken_and_writes_nothing(engine) {
        let (server, key) = with_account(engine);
        let known = taken(&server, &key, &mt940(&march()[..1]));
        let reply = take(&server, &key, "?dryRun=true", &camt(&march()));
        assert_eq!(reply.status, 200, "{}", reply.text);
        let preview = reply.json();
        assert_eq!(
            json!([preview["id"], preview["dryRun"], preview["taken"], preview["known"], preview["createdAt"]]),
            json!([null, true, 4, 1, null])
        );
        let outcomes: Vec<Value> = preview["lines"].as_array().unwrap().iter()
            .map(|line| json!([line["outcome"], line["knownAs"]])).collect();
        assert_eq!(json!(outcomes), json!([["known", 1], ["new", null], ["new", null], ["new", null], ["new", null]]));
        assert_eq!(data(&server.get(&key, STATEMENTS)), [known]);
        assert_eq!(data(&server.get(&key, LINES)).len(), 1);
        assert_eq!(taken(&server, &key, &camt(&march()))["taken"], json!(4));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_file_with_a_fault_is_taken_not_at_all(engine) {
        let (server, key) = with_account(engine);
        let file = mt940(&march());
        let other = |iban: &str| file.replace(writers::ACCOUNT, iban);
        let refused: [(&str, String, &str, &str); 9] = [
            ("", other("NL20INGB0001234567").replace(":60F:C", ":60F:D"), "", "balance_mismatch"),
            ("?bankAccountId=1", file.clone(), "", "bank_account_mismatch"),
            ("?bankAccountId=99", file.clone(), "/bankAccountId", "unknown_value"),
            ("", file.replace("EUR", "USD"), "", "unsupported_currency"),
            ("", file.replace("1000,00", "999,00"), "", "balance_mismatch"),
            ("", file.replace(":61:2603100310", ":61:2613100310"), "/valueDate", "invalid_format"),
            ("", file.replace(":61:2603100310", ":61:2703100310"), "/date", "out_of_range"),
            ("", "%PDF-1.7".into(), "", "no_statement"),
            ("", "Hello".into(), "", "unsupported_file"),
        ];
        for (query, file, pointer, code) in refused {
            let reply = take(&server, &key, query, &file);
            assert_eq!((reply.status, reply.code()), (422, "validation_failed".into()), "{code}: {}", reply.text);
            assert_eq!(reply.faults(), [(pointer.to_owned(), code.to_owned())], "{}", reply.text);
        }
        // A fault names its line.
        let reply = take(&server, &key, "", &file.replace(":61:2603100310", ":61:2613100310"));
        let line = 1 + file.lines().position(|line| line.starts_with(":61:260310")).unwrap();
        assert_eq!(reply.json()["errors"][0]["line"], json!(line));
        // An unknown account is not guessed while the default account has lines.
        let unnamed = taken(&server, &key, &other("NL20INGB0001234567"));
        assert_eq!(unnamed["warnings"][0]["code"], json!("iban_proposed"));
        let reply = take(&server, &key, "", &other("NL69INGB0123456789"));
        assert_eq!(reply.faults(), [(String::new(), "unknown_bank_account".to_owned())]);
        // A file without an account needs one.
        let reply = take(&server, &key, "", &other("XX"));
        assert_eq!(reply.status, 422, "{}", reply.text);
        assert_eq!(data(&server.get(&key, STATEMENTS)).len(), 1);
        let csv = "Datum;Bedrag;Omschrijving\r\n01-03-2026;12,50;Iets\r\n02-03-2026;-3,00;Anders\r\n";
        let reply = take(&server, &key, "", csv);
        assert_eq!(reply.faults(), [(String::new(), "unknown_csv".to_owned())]);
        assert_eq!(reply.json()["proposal"]["rows"][0], json!(["Datum", "Bedrag", "Omschrijving"]));
        assert_eq!(reply.json()["proposal"]["mapping"]["delimiter"], json!(";"));
        // The caller can accept a balance that does not fit.
        let reply = take(&server, &key, "?acceptBalance=true", &file.replace("1000,00", "999,00"));
        assert_eq!((reply.status, &reply.json()["warnings"][0]["code"]), (201, &json!("balance_accepted")));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_csv_of_an_unknown_bank_is_read_with_its_mapping(engine) {
        let (server, key) = with_account(engine);
        let csv = "Boekdatum;Bedrag;Winkel\r\n01-03-2026;12,50;Iets\r\n02-03-2026;-3,00;Anders\r\n";
        let refused = take(&server, &key, "", csv);
        assert_eq!(refused.faults(), [(String::new(), "unknown_csv".to_owned())]);
        let proposal = &refused.json()["proposal"];
        assert_eq!(
            proposal["mapping"]["columns"],
            json!({"date": 0, "amount": 1, "text": [2]}),
        );
        let Cause::UnknownCsv(proposed) = read(csv.as_bytes(), &Options::new(date(2026, 3, 15))).unwrap_err().cause else {
            panic!("{csv}")
        };
        let create = |name: &str, bank_account_id, mapping: &Mapping| {
            let (cx, name, mapping) = (server.owner(EMAIL), name.to_owned(), mapping.clone());
            let new = NewMapping { name, bank_account_id, mapping };
            server.write(move |tx| bank_mappings::create(tx, &cx, &new)).id
        };
        let inverted = Mapping { invert: true, head: None, ..proposed.mapping.clone() };
        let card = create("Card", Some(6), &inverted);
        for id in ["99", "0", "x"] {
            let reply = take(&server, &key, &format!("?mappingId={id}"), csv);
            assert_eq!(reply.status, 422, "{id}: {}", reply.text);
        }
        let unknown = take(&server, &key, "?mappingId=99", csv).faults();
        assert_eq!(unknown, [("/mappingId".to_owned(), "unknown_value".to_owned())]);
        // A mapping without a head is used only if it is named.
        assert_eq!(take(&server, &key, "", csv).faults(), [(String::new(), "unknown_csv".to_owned())]);
        let preview = take(&server, &key, &format!("?dryRun=true&mappingId={card}"), csv).json();
        let amounts: Vec<&Value> = preview["lines"].as_array().unwrap().iter().map(|line| &line["amount"]).collect();
        assert_eq!(json!(amounts), json!([-12.5, 3.0]));
        // Its bank account contradicts another one that the caller names.
        let reply = take(&server, &key, &format!("?bankAccountId=1&mappingId={card}"), csv);
        assert_eq!(reply.faults(), [("/bankAccountId".to_owned(), "bank_account_mismatch".to_owned())]);
        // With a head, the mapping is found by the first row; its bank account is that of the caller.
        create("Shop", None, &proposed.mapping);
        let reply = take(&server, &key, "", csv);
        assert_eq!(reply.faults(), [("/bankAccountId".to_owned(), "required".to_owned())]);
        let reply = take(&server, &key, "?bankAccountId=1", csv);
        assert_eq!(reply.status, 201, "{}", reply.text);
        let statement = reply.json();
        assert_eq!(
            json!([statement["format"], statement["dialect"], statement["taken"], statement["statements"][0]["bankAccountId"]]),
            json!(["csv", null, 2, 1])
        );
        // Another mapping reads the same lines of the next file; they are known by date and amount.
        let named = Columns { name: Some(Column::Name("winkel".into())), text: Vec::new(), ..proposed.mapping.columns.clone() };
        create("Shop 2", Some(1), &Mapping { columns: named, ..proposed.mapping.clone() });
        let next = format!("{csv}03-03-2026;1,00;Nieuw\r\n");
        let statement = taken(&server, &key, &next);
        assert_eq!(json!([statement["taken"], statement["known"]]), json!([1, 2]));
        // A named mapping whose column is absent proposes another one.
        let reply = take(&server, &key, "?mappingId=3", &csv.replace("Winkel", "Shop"));
        assert_eq!(reply.faults(), [(String::new(), "unknown_csv".to_owned())]);
        // Mappings belong to their account.
        let other = server.account("bob@example.com");
        assert_eq!(take(&server, &other, "?mappingId=1", csv).faults(), unknown);
        assert_eq!(take(&server, &other, "", csv).faults(), [(String::new(), "unknown_csv".to_owned())]);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_program_proposes_the_iban_of_the_default_account(engine) {
        let (server, key) = started(engine);
        let first = taken(&server, &key, &mt940(&march()[..2]));
        assert_eq!(first["warnings"][0]["code"], json!("iban_proposed"), "{first}");
        assert_eq!(first["statements"][0]["bankAccountId"], json!(1));
        assert_eq!(server.get(&key, "/api/v1/bank-accounts/1").json()["iban"], json!(null));
        // The next file of the account finds it by the first one.
        let second = taken(&server, &key, &mt940(&march()));
        assert_eq!(json!([second["taken"], second["known"], second["warnings"]]), json!([3, 2, []]));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn lines_of_a_feed_are_compared_with_files(engine) {
        let (server, key) = with_account(engine);
        taken(&server, &key, &mt940(&march()));
        let body = json!({
            "bankAccountId": 6, "from": "2026-03-31", "to": "2026-04-01", "openingBalance": 1092.01, "closingBalance": 1580.01,
            "lines": [
                {"date": "2026-03-31", "amount": 500, "counterparty": {"iban": "NL91ABNA0417164300"}, "text": "Factuur 2026-0002"},
                {"date": "2026-04-01", "amount": -12, "text": "Boek"},
            ],
        });
        let reply = server.post(&key, STATEMENTS, &body);
        assert_eq!(reply.status, 201, "{}", reply.text);
        assert_eq!(json!([reply.json()["format"], reply.json()["taken"], reply.json()["known"]]), json!(["json", 1, 1]));
        assert_eq!(server.post(&key, STATEMENTS, &body).status, 200);
        let mut wrong = body.clone();
        wrong["closingBalance"] = json!(1);
        wrong["lines"][0]["date"] = json!("2098-12-31");
        wrong["lines"][1]["text"] = json!("x".repeat(1001));
        let faults = server.post(&key, STATEMENTS, &wrong).faults();
        let expected = [("/lines/0/date", "out_of_range"), ("/lines/1/text", "too_long")];
        assert_eq!(faults, expected.map(|(path, code)| (path.to_owned(), code.to_owned())));
        let mut wrong = body.clone();
        wrong["closingBalance"] = json!(1);
        assert_eq!(
            server.post(&key, STATEMENTS, &wrong).faults(),
            [("/closingBalance".to_owned(), "balance_mismatch".to_owned())]
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn lines_before_the_books_and_lines_of_nothing_are_ignored(engine) {
        let (server, key) = with_account(engine);
        let opening = json!({"date": "2026-03-05", "balances": [{"account": "1100", "amount": 10}]});
        assert_eq!(server.post(&key, "/api/v1/opening-balance", &opening).status, 201);
        let mut lines = march();
        lines.push(payment(date(2026, 3, 31), 0, "Niets"));
        let statement = taken(&server, &key, &camt(&lines));
        assert_eq!(statement["statements"][0]["ignored"], json!(4));
        let ignored = data(&server.get(&key, &format!("{LINES}?state=ignored")));
        let mut reasons: Vec<&str> = ignored.iter().map(|line| line["stateReason"].as_str().unwrap()).collect();
        reasons.sort_unstable();
        assert_eq!(reasons, ["beforeOpening", "beforeOpening", "beforeOpening", "zeroAmount"]);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn undoing_removes_the_lines_that_only_one_file_brought(engine) {
        let (server, key) = with_account(engine);
        taken(&server, &key, &mt940(&march()[..3]));
        taken(&server, &key, &camt(&march()));
        let undone = undo(&server, &key, &json!(2));
        assert_eq!((undone.status, &undone.json()["status"]), (200, &json!("undone")), "{}", undone.text);
        assert_eq!(data(&server.get(&key, LINES)).len(), 3);
        assert_eq!(undo(&server, &key, &json!(2)).code(), "already_undone");
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        // The same file can come again.
        let again = taken(&server, &key, &camt(&march()));
        assert_eq!(json!([again["id"], again["taken"], again["known"]]), json!([3, 2, 3]));
        assert_eq!(undo(&server, &key, &json!(1)).status, 200);
        assert_eq!(data(&server.get(&key, LINES)).len(), 5);
        assert_eq!(undo(&server, &key, &json!(9)).code(), "not_found");
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_similar_line_of_another_day_is_doubtful(engine) {
        let (server, key) = with_account(engine);
        let one = |day: Date| vec![payment(day, -4_242, "Abonnement krant nummer 12345")];
        taken(&server, &key, &writers::mt940(&one(date(2026, 3, 3)), 0, date(2026, 3, 3), date(2026, 3, 3)));
        let feed = json!({
            "bankAccountId": 6, "from": "2026-03-05", "to": "2026-03-05",
            "lines": [{"date": "2026-03-05", "amount": -42.42, "text": "Abonnement krant nummer 12345"}],
        });
        let reply = server.post(&key, STATEMENTS, &feed);
        assert_eq!(reply.json()["statements"][0]["doubtful"], json!(1), "{}", reply.text);
        let doubtful = data(&server.get(&key, &format!("{LINES}?doubtful=true")));
        assert_eq!(json!([doubtful[0]["id"], doubtful[0]["duplicateOf"], doubtful[0]["state"]]), json!([2, 1, "new"]));
        let cleared = server.post(&key, &format!("{LINES}/2/distinct"), &json!({}));
        assert_eq!((cleared.status, &cleared.json()["duplicateOf"]), (200, &json!(null)));
        assert!(data(&server.get(&key, &format!("{LINES}?doubtful=true"))).is_empty());
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_line_is_ignored_noted_and_found(engine) {
        let (server, key) = with_account(engine);
        taken(&server, &key, &mt940(&march()));
        let post = |path: &str, body: &Value| server.post(&key, &format!("{LINES}/{path}"), body);
        let ignored = post("2/ignore", &json!({"reason": "private", "note": "Zaterdag"}));
        assert_eq!(ignored.status, 200, "{}", ignored.text);
        let line = ignored.json();
        assert_eq!(json!([line["state"], line["stateReason"], line["note"]]), json!(["ignored", "private", "Zaterdag"]));
        assert_eq!(post("2/ignore", &json!({"reason": "other"})).code(), "line_ignored");
        assert_eq!(post("3/undo", &json!({})).code(), "not_booked");
        assert_eq!(post("2/ignore", &json!({})).faults(), [("/reason".to_owned(), "required".to_owned())]);
        let annotated = patch(&server, &key, &format!("{LINES}/3"), &[], &json!({"note": "Zelf"}));
        assert_eq!((annotated.status, &annotated.json()["note"]), (200, &json!("Zelf")));
        let stale = patch(&server, &key, &format!("{LINES}/3"), &["\"0\""], &json!({"note": "x"}));
        assert_eq!(stale.status, 412);
        let found = |query: &str| -> Vec<i64> {
            let lines = data(&server.get(&key, &format!("{LINES}?{query}")));
            lines.iter().map(|line| line["id"].as_i64().unwrap()).collect()
        };
        for (query, ids) in [
            ("state=ignored", vec![2]),
            ("state=new&to=2026-03-02", vec![3, 1]),
            ("from=2026-03-10", vec![5, 4]),
            ("q=HOSTING", vec![4]),
            ("q=zelf", vec![3]),
            ("amountFrom=121", vec![5, 1]),
            ("amountTo=-4.51", vec![4]),
            ("bankAccountId=1", vec![]),
            ("bankAccountId=6&statementId=1&state=ignored", vec![2]),
            ("iban=NL91ABNA0417164300&limit=2", vec![5, 4]),
            ("externalId=x", vec![]),
            ("doubtful=true", vec![]),
        ] {
            assert_eq!(found(query), ids, "{query}");
        }
        let undone = post("2/undo", &json!({}));
        assert_eq!(undone.status, 200, "{}", undone.text);
        assert_eq!(json!([undone.json()["state"], undone.json()["stateReason"]]), json!(["new", null]));
        // Another account does not see the lines.
        let other = server.account("bob@example.com");
        assert_eq!(server.get(&other, &format!("{LINES}/1")).status, 404);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn days_compare_the_balances_of_bank_lines_and_books(engine) {
        let (server, key) = with_account(engine);
        taken(&server, &key, &mt940(&march()[..3]));
        let days = |from: &str, to: &str| {
            let list = data(&server.get(&key, &format!("/api/v1/bank-accounts/6/days?from={from}&to={to}")));
            list.into_iter().map(|day| json!([day["date"], day["bankBalance"], day["booksBalance"], day["difference"], day["newLines"], day["status"]])).collect::<Vec<_>>()
        };
        assert_eq!(
            json!(days("2026-03-01", "2026-03-03")),
            json!([
                ["2026-03-01", 1000.0, 0.0, 1000.0, 0, "unmatched"],
                ["2026-03-02", null, 0.0, 1112.0, 3, "unmatched"],
                ["2026-03-03", null, 0.0, 1112.0, 0, "unmatched"],
            ])
        );
        // With the balance of the bank in the books, only new lines explain the difference.
        let opening = json!({"date": "2026-03-01", "from": "bank", "to": "1101", "amount": 1000});
        assert_eq!(server.post(&key, "/api/v1/transfers", &opening).status, 201);
        assert_eq!(
            json!(days("2026-03-31", "2026-03-31")),
            json!([["2026-03-31", 1112.0, 1000.0, 112.0, 0, "unbooked"]])
        );
        // A statement is missing between these.
        let later = writers::mt940(&[payment(date(2026, 5, 4), 100, "x")], 5_000, date(2026, 5, 4), date(2026, 5, 4));
        taken(&server, &key, &later);
        let gap = data(&server.get(&key, "/api/v1/bank-accounts/6/days?from=2026-05-03&to=2026-05-04"));
        assert_eq!(json!([gap[0]["status"], gap[0]["nextOpeningBalance"], gap[0]["linesBalance"]]), json!(["gap", 50.0, 1112.0]));
        let account = server.get(&key, "/api/v1/bank-accounts/6").json();
        assert_eq!(account["bankBalance"], json!({"date": "2026-05-04", "amount": 51.0, "difference": -949.0}));
        let long = server.get(&key, "/api/v1/bank-accounts/6/days?from=2026-01-01&to=2027-03-01");
        assert_eq!(long.status, 422);
    }

    fn a_bank_account_with_new_lines_is_not_archived(engine) {
        let (server, key) = with_account(engine);
        taken(&server, &key, &mt940(&march()[..1]));
        let archive = || patch(&server, &key, "/api/v1/bank-accounts/6", &[], &json!({"status": "archived"}));
        assert_eq!(archive().code(), "bank_account_in_use");
        assert_eq!(server.post(&key, &format!("{LINES}/1/ignore"), &json!({"reason": "other"})).status, 200);
        assert_eq!(archive().status, 200);
    }

    fn sixty_files_an_hour_are_taken(engine) {
        let limit = RateLimit { per_minute: NonZeroU32::new(60_000).unwrap(), burst: NonZeroU32::new(1_000).unwrap() };
        let server = Server::start_with(engine, Some(limit));
        let key = server.account(EMAIL);
        server.clock.set("2026-11-20T11:00:00Z");
        add_account(&server, &key);
        let file = |number: i64| mt940(&[payment(date(2026, 3, 2), 100 + number, "x")]);
        for number in 0..60 {
            taken(&server, &key, &file(number));
        }
        let refused = take(&server, &key, "", &file(60));
        assert_eq!((refused.status, refused.code(), refused.header("retry-after")), (429, "rate_limited".into(), Some("3600")));
        // The same bytes do not count.
        assert_eq!(take(&server, &key, "", &file(0)).status, 200);
        server.clock.set("2026-11-20T12:01:00Z");
        taken(&server, &key, &file(60));
    }

    fn equal_files_at_once_are_taken_once(engine) {
        let (server, key) = with_account(engine);
        let beside = (engine != Engine::Sqlite).then(|| server.beside());
        let file = camt(&march());
        let statuses: Vec<u16> = std::thread::scope(|scope| {
            let calls: Vec<_> = (0..64)
                .map(|number| {
                    let node = beside.as_ref().filter(|_| number % 2 == 1).unwrap_or(&server);
                    let (key, file) = (&key, &file);
                    scope.spawn(move || take(node, key, "", file).status)
                })
                .collect();
            calls.into_iter().map(|call| call.join().unwrap()).collect()
        });
        assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 1, "{statuses:?}");
        assert!(statuses.iter().all(|status| matches!(status, 200 | 201)), "{statuses:?}");
        assert_eq!(data(&server.get(&key, LINES)).len(), 5);
    }

    fn pieces_of_a_year_in_any_order_lose_and_double_no_line(engine) {
        let mut random = Rng::with_seed(20_261_128);
        for _ in 0..4 {
            let (server, key) = with_account(engine);
            let (payments, mut pieces) = cut_year(&mut random);
            random.shuffle(&mut pieces);
            let mut doubtful = 0;
            for piece in &pieces {
                let reply = take(&server, &key, "", piece);
                assert!(matches!(reply.status, 200 | 201), "{}", reply.text);
                doubtful += reply.json()["statements"][0]["doubtful"].as_i64().unwrap();
            }
            let lines = data(&server.get(&key, &format!("{LINES}?limit=500")));
            let mut stored: Vec<(String, i64)> = lines
                .iter()
                .map(|line| (line["date"].as_str().unwrap().to_owned(), cents(&line["amount"])))
                .collect();
            stored.sort_unstable();
            let mut expected: Vec<(String, i64)> =
                payments.iter().map(|of| (of.date.to_string(), of.cents)).collect();
            expected.sort_unstable();
            assert_eq!(stored, expected);
            assert!(doubtful * 50 <= i64::try_from(lines.len()).unwrap(), "{doubtful}");
            assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        }
    }
}

fn cents(amount: &Value) -> i64 {
    let text = amount.to_string();
    let (euros, rest) = text.split_once('.').unwrap();
    format!("{euros}{rest:0<2}").parse().unwrap()
}

/// Payments of 60 days, and files in three formats that cover each day at least once.
fn cut_year(random: &mut Rng) -> (Vec<Payment>, Vec<String>) {
    let day = |number: i64| date(2026, 1, 1).saturating_add(number.days());
    let mut payments = Vec::new();
    for number in 0..60 {
        for _ in 0..random.usize(1..4) {
            let cents = if random.bool() { -450 } else { 100 * random.i64(1..6) };
            let text = if cents < 0 {
                "Koffie".to_owned()
            } else {
                format!("Factuur {}", random.u32(1..90))
            };
            payments.push(payment(day(number), cents, &text));
        }
    }
    let (mut pieces, mut next) = (Vec::new(), 0);
    while next < 60 {
        let (first, last) = ((next - random.i64(0..15)).max(0), (next + random.i64(1..30)).min(60));
        let (from, to) = (day(first), day(last - 1));
        let before = payments.iter().filter(|of| of.date < from).map(|of| of.cents).sum::<i64>();
        let opening = 100_000 + before;
        let inner: Vec<Payment> =
            payments.iter().filter(|of| (from..=to).contains(&of.date)).cloned().collect();
        pieces.push(match random.u8(0..3) {
            0 => writers::camt(&inner, opening, from, to),
            1 => writers::mt940(&inner, opening, from, to),
            _ => writers::csv(&inner, opening),
        });
        next = last;
    }
    (payments, pieces)
}
