//! The server behaves as its API description says.

use crate::tax::filing_and_paying::filing_key;
use serde_json::{Value, json};
use store::{accounts::Plan, keys::Scopes};
use testing::{Engine, Server, description};

fn described(server: &Server) -> Value {
    let reply = server.send("GET", "/api/openapi.json", &[], None);
    assert_eq!((reply.status, reply.header("content-type")), (200, Some("application/json")));
    reply.json()
}

/// Creates an account with a project, a contact and a sent invoice; returns its key.
fn books(server: &Server) -> String {
    server.account_of("anna@example.com", "NL", Plan::Pro);
    let key = server.key("anna@example.com", true, true);
    let cx = server.owner("anna@example.com");
    let customer = server.post(&key, "/api/v1/contacts", &json!({"name": "Museum De Pier"})).json();
    let project = service::projects::NewProject {
        name: "P".into(),
        contact_id: customer["id"].as_i64(),
        ..Default::default()
    };
    server.write(move |tx| {
        service::projects::create(tx, &cx.at("2026-03-15T11:00:00Z".parse().unwrap()), &project)
    });
    key
}

fn resolve<'d>(document: &'d Value, value: &'d Value) -> &'d Value {
    match value["$ref"].as_str() {
        Some(reference) => document.pointer(&reference[1..]).unwrap(),
        None => value,
    }
}

/// Asserts that a response has exactly the described fields.
fn compare(document: &Value, schema: &Value, answer: &Value, at: &str) {
    let schema = resolve(document, schema);
    let schema = match schema["anyOf"].as_array() {
        Some(either) => resolve(document, &either[0]),
        None => schema,
    };
    match answer {
        Value::Object(members) => {
            let mut described: Vec<&String> =
                schema["properties"].as_object().unwrap().keys().collect();
            let mut names: Vec<&String> = members.keys().collect();
            described.sort();
            names.sort();
            assert_eq!(names, described, "{at}");
            for (name, member) in members {
                compare(document, &schema["properties"][name], member, &format!("{at}.{name}"));
            }
        }
        Value::Array(items) => items
            .iter()
            .for_each(|item| compare(document, &schema["items"], item, &format!("{at}[]"))),
        Value::String(_) => {
            let values = schema["enum"].as_array();
            assert!(values.is_none_or(|values| values.contains(answer)), "{at}: {answer}");
        }
        _ => {}
    }
}

#[test]
fn the_server_gives_the_checked_in_description_with_its_own_address() {
    let server = Server::start(Engine::Sqlite);
    let checked_in = include_str!("../../../../../docs/openapi.json");
    let here =
        checked_in.replace("https://books.example.com", &format!("http://{}", server.address));
    let mut here: Value = serde_json::from_str(&here).unwrap();
    let mut served = described(&server);
    // The examples of headers contain a fixed origin, so they are not compared.
    for document in [&mut here, &mut served] {
        document["components"]["headers"] = json!(null);
    }
    assert_eq!(served, here);
}

#[test]
// Long: one scenario in order, because later examples need the resources of earlier ones.
fn every_example_can_be_sent_and_every_answer_matches_its_description() {
    let server = Server::start(Engine::Sqlite);
    let key = books(&server);
    // The examples contain this date.
    server.clock.set("2026-11-21T10:00:00Z");
    let document = described(&server);
    let body = |path: &str, method: &str| {
        let examples = &document["paths"][path][method]["requestBody"]["content"]["application/json"]
            ["examples"];
        examples.as_object().unwrap().values().next().unwrap()["value"].clone()
    };
    let created = [
        "/api/v1/bank-statements",
        "/api/v1/contacts",
        "/api/v1/expenses",
        "/api/v1/invoices",
        "/api/v1/invoices/{id}/credit-notes",
        "/api/v1/invoices/{id}/write-off",
        "/api/v1/invoices/{id}/payments",
        "/api/v1/payouts",
        "/api/v1/time-entries",
        "/api/v1/hours-log",
        "/api/v1/vat-payments",
    ];
    let mut sent = 0;
    for path in created {
        let mut example = body(path, "post");
        if path.ends_with("/payments") {
            // The example's amount is too high here, because the invoice has credit notes.
            example["amount"] = json!(100);
        }
        if path.ends_with("/write-off") {
            example["amount"] = json!(1);
        }
        let reply = server.post(&key, &path.replace("{id}", "1"), &example);
        assert_eq!(reply.status, 201, "{path} {}", reply.text);
        let described = &document["paths"][path]["post"]["responses"]["201"]["content"]["application/json"]
            ["schema"];
        compare(&document, described, &reply.json(), path);
        sent += 1;
    }
    let late = json!({"status": "sent", "invoiceDate": "2026-01-05", "customer": {"name": "B", "email": "b@example.com"},
        "items": [{"description": "x", "unitPrice": 1, "vatRate": 0}]});
    let late = server.post(&key, "/api/v1/invoices", &late).json()["id"].to_string();
    for path in ["/api/v1/invoices/{id}/send", "/api/v1/invoices/{id}/remind"] {
        let reply = server.post(&key, &path.replace("{id}", &late), &body(path, "post"));
        assert_eq!(reply.status, 202, "{path} {}", reply.text);
        let described = &document["paths"][path]["post"]["responses"]["202"]["content"]["application/json"]
            ["schema"];
        compare(&document, described, &reply.json(), path);
        sent += 1;
    }
    let draft = json!({"customer": {"name": "A"}, "items": [{"description": "x", "unitPrice": 1, "vatRate": 0}]});
    let draft = server.post(&key, "/api/v1/invoices", &draft).json();
    let path = format!("/api/v1/invoices/{}", draft["id"]);
    let example = body("/api/v1/invoices/{id}", "patch").to_string();
    let headers = [("x-api-key", key.as_str()), ("content-type", "application/json")];
    assert_eq!(server.send("PATCH", &path, &headers, Some(example.as_bytes())).status, 200);
    sent += 1;
    let scheme = server.post(&key, "/api/v1/vat-scheme", &body("/api/v1/vat-scheme", "post"));
    assert_eq!(scheme.status, 200, "{}", scheme.text);
    sent += 1;
    let german = json!({"status": "sent", "customer": {"name": "Muster GmbH", "country": "DE"},
        "items": [{"description": "x", "unitPrice": 1, "vatRate": 0}]});
    let german = server.post(&key, "/api/v1/invoices", &german).json()["id"].to_string();
    let filing = filing_key(&server, Scopes { read: true, write: true, file: true });
    for (path, key) in [
        ("/api/v1/vat-filings/{year}/{quarter}/file", &filing),
        ("/api/v1/vat-returns/{period}/file", &filing),
        ("/api/v1/invoices/{id}/vat-number", &key),
    ] {
        let target = path
            .replace("{year}", "2026")
            .replace("{quarter}", "2")
            .replace("{period}", "2026-Q3")
            .replace("{id}", &german);
        let reply = server.post(key, &target, &body(path, "post"));
        assert_eq!(reply.status, 200, "{target} {}", reply.text);
        sent += 1;
    }
    // A recurring invoice with an occurrence.
    let path = "/api/v1/recurring-invoices";
    let id = server.post(&key, path, &body(path, "post")).json()["id"].to_string();
    let skipped = format!("{path}/{id}/occurrences/1/skip");
    assert_eq!(server.post(&key, &skipped, &json!({})).status, 200);
    let bill = json!({"date": "2026-11-20", "supplier": "Papierhal B.V.", "paidFrom": "unpaid",
        "items": [{"category": 4100, "amount": 500, "vatRate": 21}]});
    let bill = server.post(&key, "/api/v1/expenses", &bill).json();
    let part = server.post(
        &key,
        &format!("/api/v1/expenses/{}/payments", bill["id"]),
        &json!({"amount": 1}),
    );
    assert_eq!(part.status, 201, "{}", part.text);
    // The example's bill is one of the demo.
    let account = json!({"name": "Paying", "kind": "checking", "iban": "BE68539007547034"});
    let account = server.post(&key, "/api/v1/bank-accounts", &account).json()["id"].clone();
    let batch = || {
        let bill = json!({"date": "2026-11-20", "supplier": "Papierhal B.V.", "paidFrom": "unpaid",
            "payTo": {"iban": "NL02ABNA0123456789"}, "items": [{"category": 4100, "amount": 500, "vatRate": 21}]});
        let bill = server.post(&key, "/api/v1/expenses", &bill).json()["id"].clone();
        let mut example = body("/api/v1/payment-batches", "post");
        example["externalId"] = Value::Null;
        example["bankAccountId"] = account.clone();
        example["items"][0]["expenseId"] = bill;
        let batch = server.post(&key, "/api/v1/payment-batches", &example);
        assert_eq!(batch.status, 201, "{}", batch.text);
        batch.json()
    };
    let described = &document["paths"]["/api/v1/payment-batches"]["post"]["responses"]["201"]["content"]
        ["application/json"]["schema"];
    compare(&document, described, &batch(), "/api/v1/payment-batches");
    sent += 1;
    // The example's suggestion is one of another line.
    let invoice = server.get(&key, &format!("/api/v1/invoices/{german}")).json();
    let line =
        json!({"date": "2026-11-20", "amount": invoice["amountDue"], "text": invoice["number"]});
    let feed = json!({"bankAccountId": account, "from": "2026-11-20", "to": "2026-11-20", "lines": [line]});
    assert_eq!(server.post(&key, "/api/v1/bank-statements", &feed).status, 201);
    let line = server.get(&key, "/api/v1/bank-lines?include=suggestions&limit=1").json()["data"][0]
        .clone();
    let mut example = body("/api/v1/bank-lines/{id}/refuse", "post");
    example["suggestion"] = line["suggestions"][0]["id"].clone();
    let refused = server.post(&key, &format!("/api/v1/bank-lines/{}/refuse", line["id"]), &example);
    assert_eq!(refused.status, 200, "{}", refused.text);
    sent += 1;
    let file = [("x-api-key", key.as_str()), ("content-type", "application/pdf")];
    assert_eq!(server.send("POST", "/api/v1/receipts", &file, Some(b"%PDF-1.7 a")).status, 201);
    let fill_ids = |path: &str| {
        let mut list = |list: &str| {
            let answer = server.get(
                &key,
                &if list.ends_with("/entries") {
                    format!("{list}?year=2026")
                } else {
                    list.to_owned()
                },
            );
            assert_eq!(answer.status, 200, "{list} {}", answer.text);
            answer.json()
        };
        description::existing(path, &mut list).unwrap_or_else(|| panic!("nothing for {path}"))
    };
    // Sends the examples of the other operations in path order, in which a collection precedes
    // its items.
    let own = |path: &str| {
        created.contains(&path)
            || path == "/api/v1/invoices/{id}/send"
            || path.ends_with("/remind")
            || path.ends_with("/vat-scheme")
            || path.ends_with("/file")
            || path.ends_with("/vat-number")
            || path.ends_with("/payment-batches")
            || path == "/api/v1/bank-lines/{id}/refuse"
    };
    let (mut refused, test) = (Vec::new(), server.test_key("anna@example.com"));
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            if operation["requestBody"]["content"].get("application/json").is_none()
                || (method == "post" && own(path))
            {
                continue;
            }
            if path == "/api/v1/invoices/{id}" {
                continue;
            }
            let example = body(path, method);
            let external = example["externalId"].as_str().unwrap_or("x-1").to_owned();
            let target = path
                .replace("{externalId}", &external)
                .replace("{year}", "2026")
                .replace("{quarter}", "1")
                .replace("{step}", "depreciation");
            let target = fill_ids(&target);
            let key = if path.starts_with("/api/v1/test/") { &test } else { &key };
            let headers = [("x-api-key", key.as_str()), ("content-type", "application/json")];
            let reply = server.send(
                &method.to_uppercase(),
                &target,
                &headers,
                Some(example.to_string().as_bytes()),
            );
            if !(200..300).contains(&reply.status)
                && !description::is_in_the_way(reply.status, &reply.text)
            {
                refused.push(format!("{method} {target} {} {}", reply.status, reply.text));
            }
            sent += 1;
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    let json =
        |operation: &&Value| operation["requestBody"]["content"].get("application/json").is_some();
    let bodies = document["paths"]
        .as_object()
        .unwrap()
        .values()
        .flat_map(|item| item.as_object().unwrap().values());
    assert_eq!(sent, bodies.filter(json).count());

    // The timer was stopped above; it is restarted so that the read below finds a running one.
    assert_eq!(server.post(&key, "/api/v1/timer", &body("/api/v1/timer", "post")).status, 201);
    let mut read = 0;
    // A bill to pay, in a batch that is not cancelled.
    batch();
    assert_eq!(
        server.send("POST", "/api/v1/webhooks/1/test", &[("x-api-key", &key)], None).status,
        202
    );
    for (path, item) in
        document["paths"].as_object().unwrap().iter().filter(|(_, item)| item.get("get").is_some())
    {
        // The example of a registration for the Union scheme begins with the fourth quarter.
        let period = if path.contains("/oss-returns/") { "2026-Q4" } else { "2026-Q1" };
        let target = fill_ids(
            &path
                .replace("{year}", "2026")
                .replace("{quarter}", "1")
                .replace("{period}", period)
                .replace("{box}", "1a"),
        );
        let parameters = item["get"]["parameters"].as_array().unwrap();
        // The last invoice is an open item from the opening balance, which has no document.
        let target = match path.strip_prefix("/api/v1/invoices/{id}/") {
            Some(form @ ("pdf" | "ubl")) => format!("/api/v1/invoices/{}/{form}", draft["id"]),
            Some("link") => {
                let all = server.get(&key, "/api/v1/invoices?limit=500").json();
                let linked = |row: &&Value| row["publicUrl"].is_string();
                let sent = all["data"].as_array().unwrap().iter().find(linked).unwrap();
                format!("/api/v1/invoices/{}/link", sent["id"])
            }
            _ => target,
        };
        let query = if parameters.iter().any(|parameter| parameter["required"] == true) {
            "?year=2026"
        } else {
            ""
        };
        let key = if path.starts_with("/api/v1/test/") { &test } else { &key };
        let reply = server.get(key, &format!("{target}{query}"));
        if path.ends_with("/ubl") {
            // A draft, or an invoice from a seller without an address, has no e-invoice: 409.
            assert!(
                reply.status == 409
                    && ["is_a_draft", "not_expressible"].contains(&reply.code().as_str()),
                "{}",
                reply.text
            );
            continue;
        }
        assert_eq!(reply.status, 200, "{target} {}", reply.text);
        let content = &item["get"]["responses"]["200"]["content"];
        match content.get("application/json") {
            Some(json) => compare(&document, &json["schema"], &reply.json(), path),
            // A document has its described media type, or application/octet-stream.
            None => {
                let media = reply.header("content-type").unwrap().split(';').next().unwrap();
                let described = [media, "application/octet-stream"]
                    .iter()
                    .any(|media| content.get(media).is_some());
                assert!(described, "{path} answers {media}");
            }
        }
        read += 1;
    }
    assert!(read >= 15, "{read}");
}

#[test]
fn an_optional_body_may_be_missing() {
    let server = Server::start(Engine::Sqlite);
    let key = books(&server);
    let description = described(&server);
    let mut tried = 0;
    for (path, operations) in description["paths"].as_object().unwrap() {
        let body = &operations["post"]["requestBody"];
        if body.is_null() || body["required"] == json!(true) {
            continue;
        }
        let path = path
            .split('/')
            .map(|part| if part.starts_with('{') { "1" } else { part })
            .collect::<Vec<_>>()
            .join("/");
        let reply = server.send("POST", &path, &[("x-api-key", key.as_str())], None);
        assert!(!matches!(reply.status, 400 | 415), "{path}: {}", reply.text);
        tried += 1;
    }
    assert!(tried > 10, "only {tried} operations have an optional body");
}
