//! Change feed and incremental sync: timestamps increase, and no change is missed.

use crate::{
    help::{ids, patch, walk},
    simple_invoice,
    tax::filing_and_paying::filing_key,
};
use serde_json::{Value, json};
use service::environment::Clock;
use std::{
    collections::{BTreeMap, BTreeSet},
    io::{Read, Write},
    net::TcpStream,
    sync::{
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};
use store::keys::Scopes;
use testing::{Engine, Reply, Server, on_both_engines, year};

const EMAIL: &str = "anna@example.com";

/// All types, including those that the feed reports only if requested by name.
fn types() -> String {
    let names: Vec<&str> =
        store::changes::ResourceKind::ALL.iter().map(|(name, _)| *name).collect();
    names.join(",")
}

/// All rows of the feed after a sequence number, read in small pages.
fn changes(server: &Server, key: &str, after: i64) -> Vec<Value> {
    walk(server, key, &format!("/api/v1/changes?limit=7&after={after}&types={}", types()), || ())
}

fn reported(rows: &[Value]) -> Vec<(String, i64, String)> {
    let text = |row: &Value, name: &str| row[name].as_str().unwrap().to_owned();
    rows.iter()
        .map(|row| (text(row, "type"), row["id"].as_i64().unwrap(), text(row, "change")))
        .collect()
}

fn rows(server: &Server, key: &str, path: &str) -> Vec<Value> {
    let page = server.get(key, &format!("/api/v1/{path}")).json();
    page["data"].as_array().unwrap_or_else(|| panic!("{path}: {page}")).clone()
}

/// Snapshot of every resource in the feed, as the API shows it.
fn snapshot(server: &Server, key: &str) -> BTreeMap<(String, i64), Value> {
    let mut all = BTreeMap::new();
    let mut add = |kind: &str, id: i64, mut row: Value| {
        // Derived fields are left out: hours are reported as changes of time entries, not of the
        // project, bookings do not change a bank account, batches do not change bills, and warnings
        // depend on other resources.
        let derived = ["hoursLogged", "hoursNotInvoiced", "balance", "warnings", "inBatchId"];
        let of_lines = ["bankBalance", "newLines", "firstLineDate", "lastLineDate"];
        let is_account = kind == "bankAccount";
        for name in derived.into_iter().chain(of_lines.into_iter().filter(|_| is_account)) {
            row.as_object_mut().unwrap().remove(name);
        }
        all.insert((kind.to_owned(), id), row);
    };
    for (kind, path) in [
        ("contact", "contacts"),
        ("project", "projects"),
        ("timeEntry", "time-entries"),
        ("hoursLog", "hours-log"),
        ("expense", "expenses"),
        ("bankAccount", "bank-accounts"),
        ("bankStatement", "bank-statements"),
        ("bankLine", "bank-lines"),
        ("paymentBatch", "payment-batches"),
        ("quote", "quotes"),
        ("article", "articles"),
        ("recurringInvoice", "recurring-invoices"),
    ] {
        for row in rows(server, key, path) {
            add(kind, row["id"].as_i64().unwrap(), row);
        }
    }
    for row in rows(server, key, "invoices") {
        let id = row["id"].as_i64().unwrap();
        for payment in rows(server, key, &format!("invoices/{id}/payments")) {
            add("payment", payment["id"].as_i64().unwrap(), payment);
        }
        add(row["kind"].clone().as_str().unwrap(), id, row);
    }
    for row in rows(server, key, "vat-filings") {
        if row["versions"].as_array().is_some_and(|versions| !versions.is_empty()) {
            let id = row["year"].as_i64().unwrap() * 10 + row["quarter"].as_i64().unwrap();
            add("vatFiling", id, json!({"status": row["status"], "versions": row["versions"]}));
            add("vatReturn", id, json!({"status": row["status"], "versions": row["versions"]}));
        }
    }
    for row in rows(server, key, "icp-declarations") {
        if row["versions"].as_array().is_some_and(|versions| !versions.is_empty()) {
            // All periods here are quarters, because the intra-Community supplies of goods in this
            // test stay below the limit for monthly lists.
            let id = row["period"].as_str().unwrap().replace("-Q", "").parse().unwrap();
            add("icp", id, json!({"status": row["status"], "versions": row["versions"]}));
        }
    }
    for row in rows(server, key, "oss-returns") {
        if row["versions"].as_array().is_some_and(|versions| !versions.is_empty()) {
            let id = row["period"].as_str().unwrap().replace("-Q", "").parse().unwrap();
            add("ossReturn", id, json!({"status": row["status"], "versions": row["versions"]}));
        }
    }
    all
}

/// Current date in the Netherlands.
fn today(server: &Server) -> String {
    use service::environment::Clock;
    ledger::calendar::amsterdam_today(server.clock.now()).to_string()
}

/// Account whose feed is compared with snapshots of its resources.
struct Followed<'s> {
    server: &'s Server,
    key: String,
    before: BTreeMap<(String, i64), Value>,
    last: i64,
}

impl Followed<'_> {
    /// Sends a request and compares the feed with the difference between the snapshots before and
    /// after it.
    fn calls(&mut self, method: &str, path: &str, body: &Value) {
        let headers = [("x-api-key", self.key.as_str()), ("content-type", "application/json")];
        let text = body.to_string();
        let body = if body.is_null() { None } else { Some(text.as_bytes()) };
        let headers = if body.is_some() { &headers[..] } else { &headers[..1] };
        let answer = self.server.send(method, &format!("/api/v1/{path}"), headers, body);
        assert!(matches!(answer.status, 200..=204), "{method} {path}: {}", answer.text);
        let now = snapshot(self.server, &self.key);
        let mut expected: BTreeSet<(String, i64, String)> = BTreeSet::new();
        let mut want = |(kind, id): &(String, i64), change: &str| {
            expected.insert((kind.clone(), *id, change.to_owned()))
        };
        for (place, row) in &now {
            match self.before.get(place) {
                None => drop(want(place, "created")),
                Some(before) if before != row => drop(want(place, "updated")),
                Some(_) => {}
            }
        }
        for place in self.before.keys().filter(|place| !now.contains_key(*place)) {
            want(place, "deleted");
        }
        let rows = changes(self.server, &self.key, self.last);
        assert_eq!(
            reported(&rows).into_iter().collect::<BTreeSet<_>>(),
            expected,
            "{method} {path} {text}"
        );
        for row in &rows {
            self.last += 1;
            assert_eq!(row["sequence"], self.last);
            let place = (row["type"].as_str().unwrap().to_owned(), row["id"].as_i64().unwrap());
            let of_payment = now
                .get(&place)
                .map(|resource| resource["invoiceId"].clone())
                .filter(|_| place.0 == "payment");
            assert_eq!(row["invoiceId"], of_payment.unwrap_or(Value::Null), "{row}");
        }
        // The timestamp of a resource's last change equals its `updatedAt`.
        let latest: BTreeMap<_, _> = rows
            .iter()
            .map(|row| ((row["type"].as_str().unwrap(), row["id"].as_i64().unwrap()), row))
            .collect();
        for ((kind, id), row) in latest {
            let updated_at = now
                .get(&(kind.to_owned(), id))
                .map_or(&Value::Null, |resource| &resource["updatedAt"]);
            assert!(updated_at.is_null() || row["at"] == *updated_at, "{row}: {updated_at}");
            assert_eq!(row["at"].as_str().unwrap().len(), "2026-03-15T11:00:00.000000Z".len());
        }
        self.before = now;
    }
}

/// Reads a part of the feed; returns the reply and its duration.
fn timed(server: &Server, key: &str, query: &str) -> (Reply, Duration) {
    let start = Instant::now();
    let reply = server.get(key, &format!("/api/v1/changes?{query}"));
    (reply, start.elapsed())
}

on_both_engines! {
    fn every_change_of_a_resource_is_reported(engine) {
        let server = Server::start(engine);
        server.account_of(EMAIL, "NL", store::accounts::Plan::Pro);
        let key = filing_key(&server, Scopes { read: true, write: true, file: true });
        // Books begin with bank accounts, which no change made.
        let before = snapshot(&server, &key);
        let mut books = Followed { server: &server, key, before, last: 0 };
        for step in year::steps() {
            books.calls("POST", step.call, &step.said);
        }
        let nothing = Value::Null;
        // Contacts: edited, created and replaced by external id, merged, archived.
        books.calls("PATCH", "contacts/1", &json!({"email": "museum@pier.example"}));
        books.calls("PATCH", "contacts/1", &json!({"email": "museum@pier.example"}));
        for name in ["Korenaar", "De Korenaar"] {
            books.calls("PUT", "contacts/external/c-9", &json!({"name": name}));
        }
        books.calls("POST", "contacts", &json!({"name": "Pier"}));
        let newest = |books: &Followed<'_>, kind: &str| {
            books.before.keys().filter(|(its, _)| its == kind).map(|(_, id)| *id).max().unwrap()
        };
        let pier = newest(&books, "contact");
        books.calls(
            "POST",
            "projects",
            &json!({"name": "Leaflet", "contactId": pier, "hourlyRate": 80}),
        );
        books.calls("POST", "invoices", &json!({"customer": {"contactId": pier}, "items": [{"description": "Talk", "unitPrice": 50, "vatRate": 21}]}));
        books.calls("POST", &format!("contacts/{pier}/merge"), &json!({"into": 1}));
        books.calls("POST", "contacts/1/merge", &json!({"into": pier - 1}));
        books.calls("DELETE", "contacts/2", &nothing);
        // Drafts: edited, emailed, withdrawn. Invoices: reminded, credited, paid, payment undone.
        let draft = newest(&books, "invoice");
        books.calls("PATCH", &format!("invoices/{draft}"), &json!({"notes": "Soon"}));
        books.calls("POST", &format!("invoices/{draft}/send"), &json!({"to": "klant@example.com"}));
        books.calls("POST", &format!("invoices/{draft}/send"), &json!({"to": "klant@example.com"}));
        let late = json!({"customer": {"name": "Laat"}, "status": "sent", "invoiceDate": "2026-02-01", "dueDate": "2026-02-15",
            "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
        books.calls("POST", "invoices", &late);
        let late = newest(&books, "invoice");
        books.calls(
            "POST",
            &format!("invoices/{late}/remind"),
            &json!({"to": "klant@example.com"}),
        );
        books.calls(
            "POST",
            &format!("invoices/{late}/payments"),
            &json!({"date": "2026-03-10", "amount": 21}),
        );
        books.calls(
            "POST",
            &format!("invoices/{late}/credit-notes"),
            &json!({"items": [{"description": "Less", "unitPrice": 50, "vatRate": 21}]}),
        );
        let payment = newest(&books, "payment");
        books.calls("DELETE", &format!("invoices/{late}/payments/{payment}"), &nothing);
        books.calls("POST", &format!("invoices/{late}/write-off"), &json!({}));
        let write_off =
            rows(&server, &books.key, &format!("invoices/{late}/write-off"))[0]["id"].clone();
        books.calls("POST", &format!("invoices/{late}/write-off/{write_off}/undo"), &nothing);
        books.calls("POST", "invoices", &json!({"customer": {"name": "Toch niet"}, "items": [{"description": "Work", "unitPrice": 1, "vatRate": 21}]}));
        books.calls("DELETE", &format!("invoices/{}", newest(&books, "invoice")), &nothing);
        // Expenses: edited (with receipts), paid, undone; also the expense of an asset.
        books.calls(
            "PATCH",
            "expenses/1",
            &json!({"description": "Toner and paper", "businessShare": 80}),
        );
        books.calls("POST", "expenses/2/payments", &json!({"date": "2026-03-02", "amount": 10}));
        books.calls("POST", "expenses/2/payments/2/undo", &nothing);
        books.calls("POST", "expenses/2/undo", &nothing);
        books.calls("POST", "assets/1/undo", &nothing);
        // Quotes: sent, decided on, invoiced and replaced.
        let offer = json!({"customer": {"name": "Museum De Kade"}, "items": [{"description": "Work", "unitPrice": 50, "vatRate": 21}]});
        books.calls("POST", "quotes", &offer);
        books.calls("PATCH", "quotes/1", &json!({"notes": "Soon"}));
        for (call, body) in [
            ("mark-sent", json!({})),
            ("refuse", json!({})),
            ("reopen", json!({})),
            ("revise", json!({})),
            ("accept", json!({"name": "Anna"})),
            ("invoice", json!({"kind": "whole"})),
        ] {
            books.calls("POST", &format!("quotes/1/{call}"), &body);
        }
        books.calls("DELETE", &format!("invoices/{}", newest(&books, "invoice")), &nothing);
        books.calls("POST", "quotes/2/withdraw", &nothing);
        // Articles.
        books.calls("POST", "articles", &json!({"number": "A-1", "name": "Work", "unitPrice": 50}));
        books.calls("PATCH", "articles/1", &json!({"unitPrice": 60}));
        books.calls("PUT", "articles/external/a-2", &json!({"name": "Travel"}));
        books.calls("DELETE", "articles/1", &nothing);
        // Recurring invoices: paused and resumed, with occurrences that are skipped and made.
        let offer = json!({"customer": {"name": "Museum De Kade"}, "items": [{"description": "Work", "unitPrice": 50, "vatRate": 21}],
            "every": {"unit": "week"}, "firstDate": today(books.server)});
        books.calls("POST", "recurring-invoices", &offer);
        books.calls("PATCH", "recurring-invoices/1", &json!({"notes": "Soon"}));
        for call in ["occurrences/2/skip", "pause", "occurrences/1/make", "resume", "end"] {
            books.calls("POST", &format!("recurring-invoices/1/{call}"), &json!({}));
        }
        // Hours: edited, replaced, deleted, invoiced and released; also from a timer.
        books.calls("PATCH", "time-entries/1", &json!({"hours": 3}));
        for hours in [1, 2] {
            books.calls("PUT", "time-entries/external/t-1", &json!({"projectId": 1, "date": "2026-03-03", "hours": hours, "description": "Proofs"}));
            books.calls(
                "PUT",
                "hours-log/external/l-1",
                &json!({"date": "2026-03-03", "hours": hours, "description": "Books"}),
            );
        }
        books.calls("POST", "projects/1/invoice", &json!({}));
        books.calls("DELETE", &format!("invoices/{}", newest(&books, "invoice")), &nothing);
        books.calls("DELETE", "time-entries/1", &nothing);
        books.calls("DELETE", "hours-log/1", &nothing);
        books.calls("PATCH", "hours-log/2", &json!({"hours": 4}));
        for timer in [json!({"projectId": 1}), json!({"category": "training"})] {
            books.calls("POST", "timer", &timer);
            books.calls("POST", "timer/stop", &json!({"hours": 0.5}));
        }
        for (method, path, body) in [
            ("PATCH", "projects/1", json!({"status": "archived"})),
            ("PUT", "projects/external/p-1", json!({"name": "Map"})),
        ] {
            books.calls(method, path, &body);
        }
        // VAT returns: filed with their ICP declaration, reopened, filed again.
        books.calls("POST", "invoices", &json!({"status": "sent", "invoiceDate": "2026-03-20", "customer": {"name": "Muster GmbH", "country": "DE", "vatNumber": "DE123456789"}, "items": [{"description": "Work", "unitPrice": 100, "vatRate": 0}]}));
        server.clock.set("2026-04-15T11:00:00Z");
        for what in ["file", "reopen", "file"] {
            books.calls("POST", &format!("vat-filings/2026/1/{what}"), &nothing);
        }
        let oss = json!({"from": "2026-01-01", "ground": "choice"});
        assert_eq!(server.post(&books.key, "/api/v1/oss", &oss).status, 200);
        for what in ["file", "reopen", "file"] {
            books.calls("POST", &format!("oss-returns/2026-Q1/{what}"), &nothing);
        }
        // Bank lines: taken, annotated, ignored, booked, and removed with their statement.
        let lines = json!({"bankAccountId": 1, "from": "2026-03-10", "to": "2026-03-10",
            "lines": [{"date": "2026-03-10", "amount": -4.5}, {"date": "2026-03-10", "amount": 9}]});
        books.calls("POST", "bank-statements", &lines);
        books.calls("PATCH", "bank-lines/1", &json!({"note": "Costs"}));
        books.calls("POST", "bank-lines/1/ignore", &json!({"reason": "other"}));
        books.calls("POST", "bank-lines/1/undo", &json!({}));
        books.calls("POST", "bank-lines/1/book", &json!({"allocations": [{"kind": "bankCosts"}]}));
        books.calls("POST", "bank-lines/1/undo", &json!({}));
        books.calls("POST", "bank-statements/1/undo", &json!({}));
        // Batches of payments: made, cancelled, made again, and paid by a line.
        let account = json!({"name": "Paying", "kind": "checking", "iban": "NL02ABNA0123456789"});
        books.calls("POST", "bank-accounts", &account);
        let account = rows(&server, &books.key, "bank-accounts").last().unwrap()["id"].clone();
        let bill = json!({"date": "2026-04-01", "supplier": "Papierhal", "paidFrom": "unpaid", "payTo": {"iban": "BE68539007547034"},
            "items": [{"category": "4100", "amount": 100, "vatRate": 21}]});
        books.calls("POST", "expenses", &bill);
        let bill = rows(&server, &books.key, "expenses")[0]["id"].clone();
        let batch = json!({"bankAccountId": account, "items": [{"expenseId": bill}]});
        books.calls("POST", "payment-batches", &batch);
        books.calls("POST", "payment-batches/1/cancel", &json!({}));
        books.calls("POST", "payment-batches", &batch);
        let paid = json!({"bankAccountId": account, "from": "2026-04-15", "to": "2026-04-15", "lines": [{"date": "2026-04-15", "amount": -121}]});
        books.calls("POST", "bank-statements", &paid);
        let booking = json!({"allocations": [{"kind": "bill", "expenseId": bill}]});
        books.calls("POST", "bank-lines/3/book", &booking);
        books.calls("POST", "bank-lines/3/undo", &json!({}));
        // The turnover of a year is not a versioned resource; it is reported once it is near the
        // limit.
        let kor = json!({"scheme": "kor", "from": "2026-04-01"});
        assert_eq!(server.post(&books.key, "/api/v1/vat-scheme", &kor).status, 200);
        let sale = json!({"invoiceDate": "2026-04-02", "customer": {"name": "Groot"},
            "items": [{"description": "Work", "unitPrice": 17_000, "vatRate": 0}]});
        assert_eq!(server.post(&books.key, "/api/v1/invoices", &sale).status, 201);
        let all = changes(&server, &books.key, 0);
        let moments: Vec<&str> = all.iter().map(|row| row["at"].as_str().unwrap()).collect();
        assert!(moments.is_sorted(), "{moments:?}");
        let kinds: BTreeSet<&str> = all.iter().map(|row| row["type"].as_str().unwrap()).collect();
        let description = server.get(&books.key, "/api/openapi.json").json();
        let described = &description["components"]["schemas"]["ChangeEntry"]["properties"]["type"];
        let described =
            &description.pointer(&described["$ref"].as_str().unwrap()[1..]).unwrap()["enum"];
        assert_eq!(
            kinds,
            described.as_array().unwrap().iter().map(|kind| kind.as_str().unwrap()).collect()
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn the_feed_is_read_in_parts_and_by_types(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        for name in ["Eins", "Zwei", "Drei"] {
            let mut payload = simple_invoice();
            payload["customer"]["name"] = json!(name);
            assert_eq!(server.post(&key, "/api/v1/invoices", &payload).status, 201);
        }
        let first = server.get(&key, "/api/v1/changes?limit=4");
        let row = |place: i64, kind: &str, id: i64| {
            let at = format!("2026-03-15T11:00:00.00000{}Z", (place - 1) / 2 + 1);
            json!({"sequence": place, "type": kind, "id": id, "period": null, "invoiceId": null, "change": "created", "at": at})
        };
        let expected = json!({"data": [row(1, "contact", 1), row(2, "invoice", 1), row(3, "contact", 2), row(4, "invoice", 2)], "nextCursor": "4"});
        assert_eq!(first.json(), expected);
        assert_eq!(
            first.header("link"),
            Some(
                format!("<http://{}/api/v1/changes?limit=4&after=4>; rel=\"next\"", server.address)
                    .as_str()
            )
        );
        let rest = server.get(&key, "/api/v1/changes?limit=4&after=4").json();
        assert_eq!((ids(&rest), &rest["nextCursor"]), (vec![3, 3], &Value::Null));
        // A full page that is the last one has no next page.
        let last = server.get(&key, "/api/v1/changes?limit=2&after=4").json();
        assert_eq!((ids(&last).len(), &last["nextCursor"]), (2, &Value::Null));
        let empty = json!({"data": [], "nextCursor": null});
        assert_eq!(server.get(&key, "/api/v1/changes?after=6").json(), empty);
        assert_eq!(server.get(&key, "/api/v1/changes?after=9007199254740991").json(), empty);
        let invoices = server.get(&key, "/api/v1/changes?types=creditNote,invoice&limit=2").json();
        assert_eq!((ids(&invoices), &invoices["nextCursor"]), (vec![1, 2], &json!("4")));
        assert_eq!(server.get(&key, "/api/v1/changes?types=payment").json(), empty);
        for (query, parameter, code) in [
            ("after=-1", "after", "out_of_range"),
            ("after=9007199254740992", "after", "out_of_range"),
            ("after=x", "after", "out_of_range"),
            ("limit=0", "limit", "out_of_range"),
            ("limit=501", "limit", "out_of_range"),
            ("wait=31", "wait", "out_of_range"),
            ("types=", "types", "unknown_value"),
            ("types=invoice,bill", "types", "unknown_value"),
            ("cursor=NA", "cursor", "unknown_field"),
        ] {
            let reply = server.get(&key, &format!("/api/v1/changes?{query}"));
            assert_eq!(
                (reply.status, reply.faults()),
                (422, vec![(parameter.into(), code.into())]),
                "{query}"
            );
        }
        // Other accounts do not see the changes; a write-only key cannot read them.
        let other = server.account("bert@example.com");
        assert_eq!(server.get(&other, "/api/v1/changes").json(), empty);
        assert_eq!(
            server.get(&server.key(EMAIL, false, true), "/api/v1/changes").code(),
            "insufficient_scope"
        );
    }

    fn a_sync_by_the_highest_moment_seen_and_by_external_id(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        year::live(&server, &key);
        for list in [
            "invoices",
            "contacts",
            "projects",
            "time-entries",
            "hours-log",
            "expenses",
            "assets",
            "mileage",
        ] {
            let all = rows(&server, &key, list);
            let moments: BTreeSet<&str> =
                all.iter().map(|row| row["updatedAt"].as_str().unwrap()).collect();
            for since in &moments {
                let page = server.get(&key, &format!("/api/v1/{list}?updatedSince={since}")).json();
                let actual: BTreeSet<i64> = ids(&page).into_iter().collect();
                let expected =
                    all.iter().filter(|row| row["updatedAt"].as_str().unwrap() >= *since);
                assert_eq!(
                    actual,
                    expected.map(|row| row["id"].as_i64().unwrap()).collect(),
                    "{list} {since}"
                );
            }
        }
        let named = [
            (
                "transfers",
                json!({"date": "2026-02-27", "from": "bank", "to": "savings", "amount": 1}),
            ),
            (
                "assets",
                json!({"date": "2026-01-15", "description": "Camera", "account": "0200", "cost": 900, "residualValue": 0, "lifeYears": 5, "paidFrom": "bank"}),
            ),
            (
                "mileage",
                json!({"date": "2026-02-12", "from": "Utrecht", "to": "Zwolle", "km": 10, "purpose": "Meeting"}),
            ),
            (
                "loans/4/repayments",
                json!({"date": "2026-03-01", "principal": 1, "interest": 0, "method": "bank"}),
            ),
            ("invoices/1/payments", json!({"date": "2026-02-20", "amount": 1})),
            ("invoices/1/write-off", json!({"date": "2026-03-10", "amount": 1})),
            ("expenses/2/payments", json!({"date": "2026-02-25", "amount": 1})),
        ];
        for (list, mut body) in named {
            body["externalId"] = json!("mine-1");
            let reply = server.post(&key, &format!("/api/v1/{list}"), &body);
            assert_eq!(reply.status, 201, "{list}: {}", reply.text);
            let page = server.get(&key, &format!("/api/v1/{list}?externalId=mine-1")).json();
            assert_eq!(
                (ids(&page), &page["nextCursor"]),
                (vec![reply.json()["id"].as_i64().unwrap()], &Value::Null),
                "{list}"
            );
            assert_eq!(
                ids(&server.get(&key, &format!("/api/v1/{list}?externalId=mine-2")).json()),
                Vec::<i64>::new(),
                "{list}"
            );
        }
        // The payment with this external id belongs to another invoice.
        assert_eq!(
            ids(&server.get(&key, "/api/v1/invoices/3/payments?externalId=mine-1").json()),
            Vec::<i64>::new()
        );
    }

    /// Rows change during pagination, both before and after the current page. The highest timestamp
    /// seen therefore belongs to a row that changed during the walk.
    fn changes_during_a_walk_come_with_the_next_sync(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let drafts = |list: &str, place: i64| match list {
            "invoices" => (
                json!({"customer": {"name": "Pier"}, "items": [{"description": "Work", "unitPrice": place, "vatRate": 21}]}),
                "reference",
            ),
            "projects" => (json!({"name": format!("Project {place}")}), "name"),
            _ => (json!({"name": format!("Customer {place}")}), "name"),
        };
        for list in ["invoices", "contacts", "projects"] {
            for place in 1..=6 {
                assert_eq!(
                    server.post(&key, &format!("/api/v1/{list}"), &drafts(list, place).0).status,
                    201
                );
            }
            let mut here: BTreeMap<i64, Value> = BTreeMap::new();
            let mut since = "2020-01-01T00:00:00Z".to_owned();
            for turn in 0..3 {
                let mut pages = 0;
                let walked = walk(
                    &server,
                    &key,
                    &format!("/api/v1/{list}?limit=2&updatedSince={since}"),
                    || {
                        pages += 1;
                        if turn == 0 && pages < 3 {
                            // Changes a row on the first page and one on the last, whichever way
                            // the list is sorted.
                            for id in [1, 6] {
                                let field = drafts(list, 0).1;
                                let changed = patch(
                                    &server,
                                    &key,
                                    &format!("/api/v1/{list}/{id}"),
                                    &[],
                                    &json!({field: format!("Changed {id} {pages}")}),
                                );
                                assert_eq!(changed.status, 200, "{}", changed.text);
                            }
                        }
                    },
                );
                for row in walked {
                    since = since.max(row["updatedAt"].as_str().unwrap().to_owned());
                    here.insert(row["id"].as_i64().unwrap(), row);
                }
            }
            for row in
                rows(&server, &key, list).into_iter().filter(|row| row["id"].as_i64().unwrap() <= 6)
            {
                assert_eq!(here.get(&row["id"].as_i64().unwrap()), Some(&row), "{list}");
            }
        }
        // Rows undone during the walk are part of the next sync too.
        for amount in 1..=4 {
            let body = json!({"date": "2026-02-27", "kind": "drawing", "amount": amount});
            assert_eq!(server.post(&key, "/api/v1/private-bookings", &body).status, 201);
        }
        let ids_of = |walked: &[Value]| {
            walked.iter().map(|row| row["id"].as_i64().unwrap()).collect::<Vec<_>>()
        };
        let mut undone = BTreeSet::new();
        let all = ids_of(&rows(&server, &key, "private-bookings"));
        let walked = walk(
            &server,
            &key,
            "/api/v1/private-bookings?limit=2&updatedSince=2020-01-01T00:00:00Z",
            || {
                for id in [all[0], all[3]] {
                    if undone.insert(id) {
                        assert_eq!(
                            server
                                .post(
                                    &key,
                                    &format!("/api/v1/private-bookings/{id}/undo"),
                                    &json!({})
                                )
                                .status,
                            200
                        );
                    }
                }
            },
        );
        assert_eq!(ids_of(&walked), all[..3], "the last row was undone before its page");
        let since = walked.iter().map(|row| row["updatedAt"].as_str().unwrap()).max().unwrap();
        let next: BTreeSet<i64> = ids(&server
            .get(&key, &format!("/api/v1/private-bookings?updatedSince={since}"))
            .json())
        .into_iter()
        .collect();
        assert!(next.is_superset(&undone), "{next:?}");
        // The list of webhooks works the same way, although webhooks are not part of the books.
        // Webhook 6 changes first, then webhook 1, and both changes precede the walk.
        for place in 1..=6 {
            let body = json!({"url": format!("https://shop.example/{place}")});
            assert_eq!(server.post(&key, "/api/v1/webhooks", &body).status, 201);
        }
        for (id, moment) in [(6, "2026-05-01T10:00:00.000000Z"), (1, "2026-05-01T10:00:01.000000Z")]
        {
            server.clock.set(moment);
            let changed = patch(
                &server,
                &key,
                &format!("/api/v1/webhooks/{id}"),
                &[],
                &json!({"enabled": false}),
            );
            assert_eq!(
                (changed.status, changed.json()["disabledAt"].as_str()),
                (200, Some(moment)),
                "{}",
                changed.text
            );
        }
        let walked = walk(
            &server,
            &key,
            "/api/v1/webhooks?limit=2&updatedSince=2020-01-01T00:00:00Z",
            || {},
        );
        assert_eq!(ids_of(&walked), [1, 2, 3, 4, 5, 6]);
        let off = walked.iter().filter(|webhook| webhook["enabled"] == false);
        assert_eq!(off.map(|webhook| webhook["id"].as_i64().unwrap()).collect::<Vec<_>>(), [1, 6]);
    }

    fn a_long_poll_waits_for_the_next_change(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let contact = |name: &str| {
            assert_eq!(server.post(&key, "/api/v1/contacts", &json!({"name": name})).status, 201)
        };
        contact("Eins");
        assert!(
            timed(&server, &key, "wait=30").1 < Duration::from_secs(5),
            "a change exists already"
        );
        let (nothing, took) = timed(&server, &key, "after=1&wait=1");
        assert_eq!(
            (nothing.json(), took >= Duration::from_secs(1)),
            (json!({"data": [], "nextCursor": null}), true)
        );
        thread::scope(|scope| {
            let waiting = scope.spawn(|| timed(&server, &key, "after=1&wait=30"));
            // A change of another type does not end the wait.
            let of_type = scope.spawn(|| timed(&server, &key, "after=1&types=project&wait=30"));
            contact("Zwei");
            let (reported, took) = waiting.join().unwrap();
            assert_eq!((ids(&reported.json()), took < Duration::from_secs(10)), (vec![2], true));
            // Writes to the database directly, as another node or a command would.
            let cx = server.owner(EMAIL);
            let now = server.clock.now();
            let project =
                service::projects::NewProject { name: "Book".into(), ..Default::default() };
            server.write(move |tx| service::projects::create(tx, &cx.at(now), &project).map(drop));
            let (reported, took) = of_type.join().unwrap();
            assert_eq!((ids(&reported.json()), took < Duration::from_secs(10)), (vec![1], true));
        });
    }

    fn a_key_revoked_while_waiting_gets_no_changes(engine) {
        let server = Server::start(engine);
        let (key, lost) = (server.account(EMAIL), server.key(EMAIL, true, true));
        let id = 2;
        let (cx, now) = (server.owner(EMAIL), server.clock.now());
        thread::scope(|scope| {
            let waiting = scope.spawn(|| timed(&server, &lost, "wait=30"));
            // Waits until the request has been admitted.
            thread::sleep(Duration::from_millis(300));
            server.write(move |tx| service::access::revoke_key(tx, &cx.at(now), id));
            assert_eq!(server.post(&key, "/api/v1/contacts", &json!({"name": "Eins"})).status, 201);
            let (answer, _) = waiting.join().unwrap();
            assert_eq!((answer.status, answer.code().as_str()), (401, "invalid_api_key"));
        });
    }

    fn an_account_has_a_limit_of_waiting_requests_and_they_end_with_the_server(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let other = server.account("bert@example.com");
        let (answered, answers) = mpsc::channel();
        let start = Instant::now();
        for _ in 0..11 {
            let (address, answered) = (server.address, answered.clone());
            let request = format!(
                "GET /api/v1/changes?wait=30 HTTP/1.1\r\nhost: {address}\r\nx-api-key: {key}\r\nconnection: close\r\n\r\n"
            );
            thread::spawn(move || {
                let mut connection = TcpStream::connect(address).unwrap();
                connection.write_all(request.as_bytes()).unwrap();
                let mut answer = String::new();
                connection.read_to_string(&mut answer).unwrap();
                let _ = answered.send(answer.split(' ').nth(1).unwrap_or_default().to_owned());
            });
        }
        drop(answered);
        assert_eq!(answers.recv().unwrap(), "429", "the eleventh, while the others wait");
        // Other requests of the account and waiting requests of other accounts are not affected.
        assert_eq!(server.get(&key, "/api/v1/account").status, 200);
        assert_eq!(timed(&server, &other, "wait=1").0.status, 200);
        drop(server);
        assert_eq!(answers.iter().collect::<Vec<_>>(), ["200"; 10]);
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    }

    fn continuous_readers_miss_none_of_10_000_changes(engine) {
        const CHANGES: usize = 10_000;
        const ACCOUNTS: usize = 2;
        const WRITERS: usize = 8;
        let server = Server::start(engine);
        let keys: Vec<String> =
            (0..ACCOUNTS).map(|place| server.account(&format!("a{place}@example.com"))).collect();
        for key in &keys {
            assert_eq!(server.post(key, "/api/v1/projects", &json!({"name": "Book"})).status, 201);
        }
        // The other node's clock is a minute slow.
        let other = (engine == Engine::Postgres).then(|| server.beside());
        let nodes = [&server, other.as_ref().unwrap_or(&server)];
        nodes[1].clock.set("2026-03-15T10:59:00Z");
        let (count, writing) = (AtomicUsize::new(0), AtomicBool::new(true));
        let (count, writing) = (&count, &writing);
        let start = Instant::now();
        let (written, read): (Vec<_>, Vec<_>) = thread::scope(|scope| {
            let writers: Vec<_> = (0..WRITERS)
                .map(|writer| {
                    let (node, account) = (nodes[writer % 2], writer / (WRITERS / ACCOUNTS));
                    let key = &keys[account];
                    scope.spawn(move || {
                        (
                            account,
                            write(node, key, writer, || {
                                count.fetch_add(1, Ordering::Relaxed) < CHANGES
                            }),
                        )
                    })
                })
                .collect();
            let readers: Vec<_> = keys
                .iter()
                .map(|key| {
                    (
                        scope.spawn(move || follow(nodes, key, writing)),
                        scope.spawn(move || sync(nodes, key, writing)),
                    )
                })
                .collect();
            let written: Vec<_> =
                writers.into_iter().map(|writer| writer.join().unwrap()).collect();
            writing.store(false, Ordering::Release);
            (
                written,
                readers
                    .into_iter()
                    .map(|(feed, sync)| (feed.join().unwrap(), sync.join().unwrap()))
                    .collect(),
            )
        });
        eprintln!("{engine:?}: {} changes in {:?}", count.load(Ordering::Relaxed), start.elapsed());
        for (account, (feed, synced)) in read.iter().enumerate() {
            let mut acknowledged: Vec<Row> = written
                .iter()
                .filter(|(of, _)| *of == account)
                .flat_map(|(_, rows)| rows.clone())
                .collect();
            let mut reported: Vec<Row> =
                feed.iter().filter(|row| row.0 == "timeEntry").cloned().collect();
            acknowledged.sort();
            reported.sort();
            assert_eq!(reported.len(), acknowledged.len());
            // The response to a deletion has no timestamp to compare.
            assert!(reported.iter().zip(&acknowledged).all(|(reported, written)| (
                &reported.0,
                reported.1,
                &reported.2
            ) == (
                &written.0, written.1, &written.2
            )
                && (written.3.is_empty() || reported.3 == written.3)));
            let moments: BTreeSet<&str> = feed.iter().map(|row| row.3.as_str()).collect();
            assert_eq!(moments.len(), feed.len(), "each command has its own timestamp");
            let entries = walk(&server, &keys[account], "/api/v1/time-entries?limit=500", || ());
            for entry in &entries {
                let (id, updated_at) =
                    (entry["id"].as_i64().unwrap(), entry["updatedAt"].as_str().unwrap());
                assert_eq!(
                    synced.get(&id).map(String::as_str),
                    Some(updated_at),
                    "time entry {id}"
                );
                assert!(
                    feed.iter().any(|row| row.1 == id && row.3 == updated_at),
                    "time entry {id}"
                );
            }
            assert_eq!(
                server.discrepancies(&format!("a{account}@example.com")),
                Vec::<String>::new()
            );
        }
    }
}

/// Change: type, id, kind of change, timestamp.
type Row = (String, i64, String, String);

/// Creates, edits and deletes time entries while `may` returns true; returns the acknowledged
/// changes.
fn write(node: &Server, key: &str, writer: usize, may: impl Fn() -> bool) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut note = |change: &str, reply: &Reply, id: i64| {
        let at = if reply.text.is_empty() {
            String::new()
        } else {
            reply.json()["updatedAt"].as_str().unwrap().to_owned()
        };
        rows.push(("timeEntry".to_owned(), id, change.to_owned(), at));
    };
    for turn in 0.. {
        if !may() {
            break;
        }
        let date = format!("2026-{:02}-{:02}", 1 + writer % 4, 1 + turn % 28);
        let body = json!({"projectId": 1, "date": date, "hours": 0.01, "description": "Work"});
        let response = node.post(key, "/api/v1/time-entries", &body);
        assert_eq!(response.status, 201, "{}", response.text);
        let id = response.json()["id"].as_i64().unwrap();
        note("created", &response, id);
        let path = format!("/api/v1/time-entries/{id}");
        if turn % 2 == 0 && may() {
            let edited = patch(node, key, &path, &[], &json!({"description": "Proofs"}));
            assert_eq!(edited.status, 200, "{}", edited.text);
            note("updated", &edited, id);
        }
        if turn % 4 == 0 && may() {
            let gone = node.send("DELETE", &path, &[("x-api-key", key)], None);
            assert_eq!(gone.status, 204, "{}", gone.text);
            note("deleted", &gone, id);
        }
    }
    rows
}

/// Polls the feed continuously, alternating between the nodes; asserts that sequence numbers have
/// no gaps and timestamps increase.
fn follow(nodes: [&Server; 2], key: &str, writing: &AtomicBool) -> Vec<Row> {
    let (mut rows, mut last): (Vec<Row>, i64) = (Vec::new(), 0);
    for turn in 0.. {
        let at_work = writing.load(Ordering::Acquire);
        let part =
            nodes[turn % 2].get(key, &format!("/api/v1/changes?limit=500&after={last}")).json();
        let data = part["data"].as_array().unwrap();
        for row in data {
            last += 1;
            assert_eq!(row["sequence"], last, "a sequence number is missing or repeated");
            let text = |name: &str| row[name].as_str().unwrap().to_owned();
            let row = (text("type"), row["id"].as_i64().unwrap(), text("change"), text("at"));
            assert!(
                rows.last().is_none_or(|before| before.3 < row.3),
                "{before:?} {row:?}",
                before = rows.last()
            );
            rows.push(row);
        }
        if data.is_empty() && !at_work {
            break;
        }
    }
    rows
}

/// Keeps a copy in sync continuously, by the highest timestamp seen; returns the last `updatedAt`
/// seen of each time entry.
fn sync(nodes: [&Server; 2], key: &str, writing: &AtomicBool) -> BTreeMap<i64, String> {
    let (mut copy, mut highest): (BTreeMap<i64, String>, String) =
        (BTreeMap::new(), "2026-01-01T00:00:00Z".to_owned());
    for turn in 0.. {
        let at_work = writing.load(Ordering::Acquire);
        let changed = walk(
            nodes[turn % 2],
            key,
            &format!("/api/v1/time-entries?limit=500&updatedSince={highest}"),
            || (),
        );
        for row in &changed {
            let updated_at = row["updatedAt"].as_str().unwrap();
            copy.insert(row["id"].as_i64().unwrap(), updated_at.to_owned());
            highest = highest.max(updated_at.to_owned());
        }
        if !at_work {
            break;
        }
    }
    copy
}
