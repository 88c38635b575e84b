//! Bank accounts over the API: their ledger accounts, the bookings on them, and what only the owner
//! may change.

use crate::{
    help::patch,
    purchases::expenses::{postings, started},
};
use jiff::civil::date;
use serde_json::{Value, json};
use testing::{Reply, Server, on_both_engines};

const ACCOUNTS: &str = "/api/v1/bank-accounts";
const EMAIL: &str = "anna@example.com";
const IBANS: [&str; 2] = ["NL20INGB0001234567", "NL02ABNA0123456789"];

fn add(server: &Server, key: &str, kind: &str, name: &str) -> Value {
    let reply = server.post(key, ACCOUNTS, &json!({"kind": kind, "name": name}));
    assert_eq!(reply.status, 201, "{}", reply.text);
    reply.json()
}

fn change(server: &Server, key: &str, id: i64, body: &Value) -> Reply {
    patch(server, key, &format!("{ACCOUNTS}/{id}"), &[], body)
}

/// Creates with a POST; returns the resource.
fn created(server: &Server, key: &str, path: &str, body: &Value) -> Value {
    let reply = server.post(key, &format!("/api/v1/{path}"), body);
    assert_eq!(reply.status, 201, "{path}: {}", reply.text);
    reply.json()
}

fn fault(path: &str, code: &str) -> (String, String) {
    (path.to_owned(), code.to_owned())
}

fn invoice(server: &Server, key: &str) -> String {
    let body = json!({
        "status": "sent", "invoiceDate": "2026-03-02", "customer": {"name": "B", "country": "NL"},
        "items": [{"description": "Work", "quantity": 1, "unitPrice": 100, "vatRate": 21}],
    });
    format!("invoices/{}/payments", created(server, key, "invoices", &body)["id"])
}

on_both_engines! {
    fn books_begin_with_five_bank_accounts(engine) {
        let (server, key) = started(engine);
        let list = server.get(&key, ACCOUNTS).json();
        let rows: Vec<Value> = list["data"].as_array().unwrap().clone();
        let shown = |row: &Value| json!([row["id"], row["name"], row["kind"], row["accountCode"], row["isDefault"]]);
        assert_eq!(
            json!(rows.iter().map(shown).collect::<Vec<_>>()),
            json!([
                [1, "Bank", "checking", "1100", true],
                [2, "Spaarrekening", "savings", "1110", true],
                [3, "Creditcard", "creditCard", "1120", true],
                [4, "Kas", "cash", "1000", true],
                [5, "Betaalprovider", "paymentProvider", "1130", true],
            ])
        );
        let at = rows[0]["createdAt"].clone();
        let one = json!({
            "id": 1, "externalId": null, "name": "Bank", "kind": "checking", "accountCode": "1100", "iban": null,
            "identifiers": [], "isDefault": true, "status": "active", "balance": 0.0, "bankBalance": null,
            "newLines": 0, "firstLineDate": null, "lastLineDate": null, "createdAt": at, "updatedAt": at,
        });
        assert_eq!(server.get(&key, &format!("{ACCOUNTS}/1")).json(), one);
        assert_eq!(server.get(&key, &format!("{ACCOUNTS}/6")).status, 404);
        let page = server.get(&key, &format!("{ACCOUNTS}?limit=2")).json();
        let next = page["nextCursor"].as_str().unwrap();
        let rest = server.get(&key, &format!("{ACCOUNTS}?cursor={next}")).json();
        assert_eq!(rest["data"][0]["id"], json!(3));
        // Accounts of other countries have none.
        server.account_of("berta@example.com", "BE", store::accounts::Plan::Starter);
        let foreign = server.key("berta@example.com", true, true);
        for reply in [server.get(&foreign, ACCOUNTS), server.post(&foreign, ACCOUNTS, &json!({"name": "B", "kind": "cash"}))] {
            assert_eq!((reply.status, reply.code()), (403, "dutch_account_required".into()));
        }
    }

    fn an_archived_bank_account_takes_nothing(engine) {
        let (server, key) = started(engine);
        let body = json!({"name": "ABN AMRO", "kind": "checking", "iban": super::writers::ACCOUNT});
        assert_eq!(server.post(&key, ACCOUNTS, &body).status, 201);
        let line = |id: i64, amount: i64| json!({"bankAccountId": id, "from": "2026-03-10", "to": "2026-03-10", "lines": [{"date": "2026-03-10", "amount": amount}]});
        let feed = |id: i64, amount: i64| server.post(&key, "/api/v1/bank-statements", &line(id, amount));
        assert_eq!(feed(1, -70).status, 201);
        assert_eq!(change(&server, &key, 6, &json!({"status": "archived"})).status, 200);
        let unknown = |path: &str| [(path.to_owned(), "unknown_value".to_owned())];
        assert_eq!(feed(6, 70).faults(), unknown("/bankAccountId"));
        let file = super::writers::camt(&[], 0, date(2026, 3, 10), date(2026, 3, 10));
        let headers = [("x-api-key", key.as_str()), ("content-type", "application/xml")];
        let named = server.send("POST", "/api/v1/bank-statements", &headers, Some(file.as_bytes()));
        assert_eq!((named.status, &named.json()["errors"][0]["code"]), (422, &json!("unknown_value")), "{}", named.text);
        assert!(named.text.contains("is archived"), "{}", named.text);
        let by_hand = |from: &str, to: &str| server.post(&key, "/api/v1/transfers", &json!({"date": "2026-03-09", "from": from, "to": to, "amount": 70}));
        assert_eq!(by_hand("1100", "1101").faults(), unknown("/to"));
        assert_eq!(by_hand("1101", "1100").faults(), unknown("/from"));
        let by_line = json!({"allocations": [{"kind": "transfer", "bankAccountId": 6}]});
        assert_eq!(server.post(&key, "/api/v1/bank-lines/1/book", &by_line).faults(), unknown("/allocations/0/bankAccountId"));
        let rule = json!({"name": "Sparen", "when": {"textContains": "spaar"}, "then": {"kind": "transfer", "bankAccountId": 6}});
        assert_eq!(server.post(&key, "/api/v1/bank-rules", &rule).faults(), unknown("/then/bankAccountId"));
        // Of a feed and the archiving at once, one is refused.
        for round in 0..3 {
            assert_eq!(change(&server, &key, 6, &json!({"status": "active"})).status, 200);
            let (fed, archived) = std::thread::scope(|scope| {
                let fed = scope.spawn(|| feed(6, 100 + round));
                let archived = scope.spawn(|| change(&server, &key, 6, &json!({"status": "archived"})));
                (fed.join().unwrap(), archived.join().unwrap())
            });
            assert!(matches!((fed.status, archived.status), (201, 409) | (422, 200)), "{} {}", fed.text, archived.text);
            let lines = server.get(&key, "/api/v1/bank-lines?bankAccountId=6&state=new").json();
            for line in lines["data"].as_array().unwrap() {
                assert_eq!(server.post(&key, &format!("/api/v1/bank-lines/{}/ignore", line["id"]), &json!({"reason": "other"})).status, 200);
            }
        }
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn a_bank_account_is_created_changed_and_archived(engine) {
        let (server, key) = started(engine);
        let body = json!({
            "externalId": "ing-2", "name": "Tax", "kind": "savings", "iban": "nl20 ingb 0001 2345 67",
            "identifiers": ["12 34", "567890"],
        });
        let reply = server.post(&key, ACCOUNTS, &body);
        assert_eq!(reply.status, 201, "{}", reply.text);
        let made = reply.json();
        assert_eq!(
            [&made["id"], &made["accountCode"], &made["iban"], &made["identifiers"], &made["isDefault"]],
            [&json!(6), &json!("1111"), &json!(IBANS[0]), &json!(["1234", "567890"]), &json!(false)]
        );
        // The same again creates nothing.
        let again = server.post(&key, ACCOUNTS, &body);
        assert_eq!((again.status, again.header("idempotent-replay")), (200, Some("true")));
        assert_eq!(again.json(), made);
        assert_eq!(server.get(&key, &format!("{ACCOUNTS}?externalId=ing-2")).json()["data"], json!([made]));
        // Faults at their fields.
        for (body, faults) in [
            (json!({}), vec![fault("/name", "required"), fault("/kind", "required")]),
            (json!({"name": "tax", "kind": "cash"}), vec![fault("/name", "taken")]),
            (json!({"name": "Savings account", "kind": "cash"}), vec![fault("/name", "taken")]),
            (json!({"name": "Till", "kind": "cash", "iban": IBANS[1]}), vec![fault("/iban", "unknown_value")]),
            (json!({"name": "X", "kind": "checking", "iban": IBANS[0]}), vec![fault("/iban", "taken")]),
            (json!({"name": "X", "kind": "bank"}), vec![fault("/kind", "unknown_value")]),
            (json!({"name": "X", "kind": "cash", "identifiers": ["123"]}), vec![fault("/identifiers", "invalid_format")]),
            (json!({"name": "x".repeat(61), "kind": "cash"}), vec![fault("/name", "too_long")]),
        ] {
            let refused = server.post(&key, ACCOUNTS, &body);
            assert_eq!(refused.status, 422, "{body}: {}", refused.text);
            assert_eq!(refused.faults(), faults, "{body}");
        }
        // A default of another kind than checking may change, and takes it off the other.
        let changed = change(&server, &key, 6, &json!({"name": "Tax 2", "isDefault": true}));
        assert_eq!(changed.status, 200, "{}", changed.text);
        assert_eq!(server.get(&key, &format!("{ACCOUNTS}/2")).json()["isDefault"], json!(false));
        let refused = change(&server, &key, 6, &json!({"status": "archived"}));
        assert_eq!((refused.status, refused.code()), (409, "is_default".into()));
        let refused = change(&server, &key, 6, &json!({"isDefault": false}));
        assert_eq!((refused.status, refused.code()), (409, "is_default".into()));
        // An account with a balance cannot be archived; without one it can.
        let moved = |from: &str, to: &str| json!({"date": "2026-03-10", "from": from, "to": to, "amount": 50});
        created(&server, &key, "transfers", &moved("1100", "1110"));
        let refused = change(&server, &key, 2, &json!({"status": "archived"}));
        assert_eq!((refused.status, refused.code()), (409, "bank_account_in_use".into()));
        created(&server, &key, "transfers", &moved("1110", "savings"));
        let archived = change(&server, &key, 2, &json!({"status": "archived"}));
        assert_eq!((archived.status, &archived.json()["status"]), (200, &json!("archived")));
        // Its name is free, its code is not; with the name taken it stays archived.
        assert_eq!(add(&server, &key, "savings", "Spaarrekening")["accountCode"], json!("1112"));
        let refused = change(&server, &key, 2, &json!({"status": "active"}));
        assert_eq!(refused.faults(), [fault("/name", "taken")]);
        let restored = change(&server, &key, 2, &json!({"status": "active", "name": "Old savings"}));
        assert_eq!(restored.status, 200, "{}", restored.text);
        // An eleventh of a kind is too many.
        for number in 0..9 {
            add(&server, &key, "cash", &format!("Till {number}"));
        }
        let refused = server.post(&key, ACCOUNTS, &json!({"name": "One more", "kind": "cash"}));
        assert_eq!(refused.faults(), [fault("/kind", "too_many")]);
        let outdated = patch(&server, &key, &format!("{ACCOUNTS}/6"), &["\"0000\""], &json!({"name": "X"}));
        assert_eq!(outdated.status, 412, "{}", outdated.text);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn only_the_owner_changes_what_invoices_print(engine) {
        let (server, key) = started(engine);
        let second = json!({"name": "Second", "kind": "checking", "iban": IBANS[0]});
        assert_eq!(server.post(&key, ACCOUNTS, &second).status, 201);
        let mut default = second.clone();
        default["name"] = json!("Third");
        default["iban"] = json!(IBANS[1]);
        default["isDefault"] = json!(true);
        let refusals = [
            server.post(&key, ACCOUNTS, &default),
            change(&server, &key, 6, &json!({"isDefault": true})),
            change(&server, &key, 6, &json!({"iban": IBANS[1]})),
            change(&server, &key, 6, &json!({"iban": null})),
            // The first IBAN that invoices print comes from a page, too.
            change(&server, &key, 1, &json!({"iban": IBANS[1]})),
        ];
        for refused in refusals {
            assert_eq!((refused.status, refused.code()), (403, "page_only".into()), "{}", refused.text);
        }
        // The same IBAN again changes nothing, and a first one of another account is possible.
        assert_eq!(change(&server, &key, 6, &json!({"iban": IBANS[0]})).status, 200);
        assert_eq!(change(&server, &key, 2, &json!({"iban": IBANS[1]})).status, 200);
        assert_eq!(server.get(&key, &format!("{ACCOUNTS}/1")).json()["iban"], json!(null));
    }

    // Long: a booking of each kind.
    fn money_goes_to_the_account_that_is_named(engine) {
        let (server, key) = started(engine);
        add(&server, &key, "checking", "Second");
        add(&server, &key, "paymentProvider", "Mollie");
        let payments = invoice(&server, &key);
        let pay = |method: Value, amount: f64| {
            let mut body = json!({"date": "2026-03-03", "amount": amount});
            if !method.is_null() {
                body["method"] = method;
            }
            let paid = created(&server, &key, &payments, &body);
            let booked = postings(&server, &key, &paid["entryId"]);
            (paid["method"].clone(), paid["bankAccountId"].clone(), booked[0].clone())
        };
        for (method, word, id, posting) in [
            (json!("1101"), "bank", json!(6), "1101 D 1000"),
            (json!("1100"), "bank", json!(1), "1100 D 1000"),
            (json!("bank"), "bank", json!(1), "1100 D 1000"),
            (json!("directDebit"), "directDebit", json!(1), "1100 D 1000"),
            (json!("1131"), "provider", json!(7), "1131 D 1000"),
            (json!("ideal"), "ideal", json!(5), "1130 D 1000"),
            (Value::Null, "bank", json!(1), "1100 D 1000"),
            (json!("private"), "private", Value::Null, "0520 D 1000"),
        ] {
            assert_eq!(pay(method.clone(), 10.0), (json!(word), id, posting.to_owned()), "{method}");
        }
        // A code that no bank account has is a fault at its field.
        for (path, body, at) in [
            (payments.as_str(), json!({"date": "2026-03-03", "amount": 1, "method": "1102"}), "/method"),
            ("expenses", json!({"date": "2026-03-03", "supplier": "S", "paidFrom": "1121", "items": [{"category": "4100", "amount": 1, "vatRate": 21}]}), "/paidFrom"),
            ("transfers", json!({"date": "2026-03-03", "from": "bank", "to": "1119", "amount": 1}), "/to"),
            ("transfers", json!({"date": "2026-03-03", "from": "4100", "to": "bank", "amount": 1}), "/from"),
            ("private-bookings", json!({"date": "2026-03-03", "kind": "drawing", "amount": 1, "method": "1001"}), "/method"),
            ("vat-payments", json!({"date": "2026-03-03", "amount": 1, "method": "1139"}), "/method"),
            ("manual-entries", json!({"date": "2026-03-03", "description": "x", "lines": [{"account": "1102", "debit": 1}, {"account": "1100", "credit": 1}]}), "/lines/0/account"),
            ("payouts", json!({"date": "2026-03-03", "amount": 1, "bankAccountId": 7}), "/bankAccountId"),
            ("payouts", json!({"date": "2026-03-03", "amount": 1, "providerAccountId": 99}), "/providerAccountId"),
        ] {
            let refused = server.post(&key, &format!("/api/v1/{path}"), &body);
            assert_eq!(refused.faults(), [fault(at, "unknown_value")], "{body}: {}", refused.text);
        }
        let refused = server.post(&key, "/api/v1/transfers", &json!({"date": "2026-03-03", "from": "bank", "to": "1100", "amount": 1}));
        assert_eq!(refused.faults(), [fault("/to", "unknown_value")]);
        // Expenses, payments of bills, assets.
        let bought = |source: &str| json!({"date": "2026-03-04", "supplier": "S", "paidFrom": source, "items": [{"category": "4100", "amount": 100, "vatRate": 0, "vatTreatment": "none"}]});
        let expense = created(&server, &key, "expenses", &bought("1101"));
        assert_eq!((&expense["paidFrom"], &expense["bankAccountId"]), (&json!("bank"), &json!(6)));
        assert_eq!(postings(&server, &key, &expense["entryIds"][0])[1], "1101 C 10000");
        // A kind that the answer has no word for is `bank`; the id names the account.
        let by_savings = created(&server, &key, "expenses", &bought("1110"));
        assert_eq!((&by_savings["paidFrom"], &by_savings["bankAccountId"]), (&json!("bank"), &json!(2)));
        let path = format!("/api/v1/expenses/{}", expense["id"]);
        let edited = patch(&server, &key, &path, &[], &json!({"description": "Paper"})).json();
        assert_eq!(edited["bankAccountId"], json!(6));
        let moved = patch(&server, &key, &path, &[], &json!({"paidFrom": "bank"})).json();
        assert_eq!(moved["bankAccountId"], json!(1));
        let unpaid = created(&server, &key, "expenses", &bought("unpaid"));
        assert_eq!(unpaid["bankAccountId"], Value::Null);
        let bill = format!("expenses/{}/payments", unpaid["id"]);
        let paid = created(&server, &key, &bill, &json!({"date": "2026-03-05", "method": "1101"}));
        assert_eq!((&paid["method"], &paid["bankAccountId"]), (&json!("bank"), &json!(6)));
        let asset = json!({"date": "2026-03-06", "description": "Desk", "cost": 900, "vatTreatment": "none", "paidFrom": "1101"});
        let asset = created(&server, &key, "assets", &asset);
        assert_eq!(postings(&server, &key, &asset["entryIds"][0])[1], "1101 C 90000");
        let sold = json!({"date": "2026-03-07", "proceeds": 100, "method": "1101", "vatRate": 21});
        let reply = server.post(&key, &format!("/api/v1/assets/{}/dispose", asset["id"]), &sold);
        assert_eq!(reply.status, 200, "{}", reply.text);
        // A bank account is no account of assets.
        let wrong = json!({"date": "2026-03-06", "description": "Desk", "cost": 900, "account": "1101"});
        assert_eq!(server.post(&key, "/api/v1/assets", &wrong).faults(), [fault("/account", "unknown_value")]);
        // Events.
        let transfer = created(&server, &key, "transfers", &json!({"date": "2026-03-08", "from": "1100", "to": "1101", "amount": 25}));
        assert_eq!(
            [&transfer["from"], &transfer["to"], &transfer["fromBankAccountId"], &transfer["toBankAccountId"]],
            [&json!("bank"), &json!("bank"), &json!(1), &json!(6)]
        );
        assert_eq!(postings(&server, &key, &transfer["entryIds"][1]), ["1101 D 2500", "1190 C 2500"]);
        let drawing = created(&server, &key, "private-bookings", &json!({"date": "2026-03-08", "kind": "drawing", "amount": 5, "method": "1101"}));
        assert_eq!((&drawing["method"], &drawing["bankAccountId"]), (&json!("bank"), &json!(6)));
        let loan = created(&server, &key, "loans", &json!({"date": "2026-03-08", "account": "0700", "amount": 500, "method": "1101"}));
        assert_eq!(loan["bankAccountId"], json!(6));
        let repaid = created(&server, &key, &format!("loans/{}/repayments", loan["id"]), &json!({"date": "2026-03-09", "principal": 50, "method": "1101"}));
        assert_eq!(repaid["bankAccountId"], json!(6));
        let vat = created(&server, &key, "vat-payments", &json!({"date": "2026-03-09", "amount": 7, "method": "1101"}));
        assert_eq!((&vat["method"], &vat["bankAccountId"]), (&json!("bank"), &json!(6)));
        let payout = created(&server, &key, "payouts", &json!({"date": "2026-03-09", "amount": 9, "fee": 1, "bankAccountId": 6, "providerAccountId": 7}));
        assert_eq!((&payout["bankAccountId"], &payout["providerAccountId"]), (&json!(6), &json!(7)));
        assert_eq!(postings(&server, &key, &payout["entryId"]), ["1101 D 900", "4610 D 100", "1131 C 1000"]);
        let usual = created(&server, &key, "payouts", &json!({"date": "2026-03-09", "amount": 9}));
        assert_eq!((&usual["bankAccountId"], &usual["providerAccountId"]), (&json!(1), &json!(5)));
        let manual = json!({"date": "2026-03-09", "description": "x", "lines": [{"account": "4610", "debit": 1}, {"account": "1101", "credit": 1}]});
        assert_eq!(created(&server, &key, "manual-entries", &manual)["lines"][1]["accountName"], json!("Second"));
        // Entries have the account's name, also once the first one has got one.
        assert_eq!(change(&server, &key, 1, &json!({"name": "Main"})).status, 200);
        let entry = server.get(&key, &format!("/api/v1/entries/{}", usual["entryId"])).json();
        let line = &entry["lines"][0];
        assert_eq!((&line["accountName"], &line["accountCode"], &line["rgsCode"]), (&json!("Main"), &json!("1100"), &json!("BLimBanRba")));
        let ledger = server.get(&key, "/api/v1/ledger-accounts/1101").json();
        assert_eq!((&ledger["name"], &ledger["origin"], &ledger["class"]), (&json!("Second"), &json!("program"), &json!("asset")));
        let balance = server.get(&key, &format!("{ACCOUNTS}/6")).json()["balance"].clone();
        assert_eq!(ledger["balance"], balance);
        // The balance sheet and the audit file show each account apart.
        let sheet = server.get(&key, "/api/v1/summary/2026").json()["balanceSheet"].clone();
        let of = |side: &str| sheet[side].as_array().unwrap().iter().map(|of| of["accountCode"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
        let lines = [of("assets"), of("liabilities")].concat();
        assert!(lines.contains(&"1100".to_owned()) && lines.contains(&"1101".to_owned()), "{lines:?}");
        let file = server.get(&key, "/api/v1/audit-files/2026").text;
        assert!(file.contains("<accID>1101</accID>") && file.contains("Second"), "{}", &file[..2_000]);
        // Undoing reverses on the same account, whatever the default is now.
        let undo = |path: String| {
            let reply = server.post(&key, &format!("/api/v1/{path}"), &json!({}));
            assert_eq!(reply.status, 200, "{path}: {}", reply.text);
            reply.json()
        };
        undo(format!("payouts/{}/undo", payout["id"]));
        undo(format!("transfers/{}/undo", transfer["id"]));
        undo(format!("expenses/{}/undo", expense["id"]));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn words_mean_the_default_and_earlier_bookings_stay(engine) {
        let (server, key) = started(engine);
        let payments = invoice(&server, &key);
        let before = created(&server, &key, &payments, &json!({"date": "2026-03-03", "amount": 10, "method": "provider"}));
        let made = add(&server, &key, "paymentProvider", "Stripe");
        assert_eq!(change(&server, &key, 6, &json!({"isDefault": true})).status, 200);
        let after = created(&server, &key, &payments, &json!({"date": "2026-03-03", "amount": 10, "method": "ideal"}));
        assert_eq!((&after["method"], &after["bankAccountId"]), (&json!("ideal"), &made["id"]));
        let first = server.get(&key, &format!("/api/v1/{payments}/{}", before["id"])).json();
        assert_eq!((&first["method"], &first["bankAccountId"]), (&json!("provider"), &json!(5)));
        let payout = created(&server, &key, "payouts", &json!({"date": "2026-03-09", "amount": 9}));
        assert_eq!(payout["providerAccountId"], made["id"]);
        let undone = server.send("DELETE", &format!("/api/v1/{payments}/{}", before["id"]), &[("x-api-key", &key)], None).json();
        assert!(postings(&server, &key, &undone["undoingEntryId"]).contains(&"1130 C 1000".to_owned()));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn the_feed_has_bank_accounts_only_when_they_are_named(engine) {
        let (server, key) = started(engine);
        add(&server, &key, "savings", "Tax");
        assert_eq!(change(&server, &key, 6, &json!({"isDefault": true})).status, 200);
        let feed = server.get(&key, "/api/v1/changes?types=bankAccount").json();
        let rows = feed["data"].as_array().unwrap();
        let seen: Vec<Value> = rows.iter().map(|row| json!([row["id"], row["change"]])).collect();
        assert_eq!(seen, [json!([6, "created"]), json!([2, "updated"]), json!([6, "updated"])]);
        assert_eq!(server.get(&key, "/api/v1/changes").json()["data"], json!([]));
        let at = server.get(&key, &format!("{ACCOUNTS}/6")).json()["updatedAt"].as_str().unwrap().to_owned();
        let since = server.get(&key, &format!("{ACCOUNTS}?updatedSince={at}")).json();
        let ids: Vec<&Value> = since["data"].as_array().unwrap().iter().map(|row| &row["id"]).collect();
        assert_eq!(ids, [&json!(2), &json!(6)]);
    }
}
