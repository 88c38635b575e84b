//! Helpers shared by the tests: amounts in cents, pagination, and a snapshot of an account.

use jiff::Timestamp;
use ledger::calendar::Quarter;
use serde_json::{Value, json};
use service::vat_filings;
use testing::{Reply, Server};

/// Converts an amount in a response to cents, without floating point.
pub(crate) fn cents(amount: &Value) -> i64 {
    let text = amount.to_string();
    let (whole, decimals) = text.split_once('.').unwrap_or((&text, ""));
    assert!(amount.is_number() && decimals.len() <= 2, "not an amount: {text}");
    let (sign, whole) = whole.strip_prefix('-').map_or((1, whole), |whole| (-1, whole));
    sign * (whole.parse::<i64>().unwrap() * 100 + format!("{decimals:0<2}").parse::<i64>().unwrap())
}

pub(crate) fn ids(page: &Value) -> Vec<i64> {
    page["data"].as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect()
}

/// Greatest id in a list.
pub(crate) fn last(server: &Server, key: &str, path: &str) -> i64 {
    *ids(&server.get(key, &format!("/api/v1/{path}")).json()).iter().max().unwrap()
}

/// Request body for an operation, from its description: the first example, or an empty object for
/// an operation without a body.
pub(crate) fn example(operation: &Value) -> Value {
    let body = &operation["requestBody"];
    let examples = body["content"]["application/json"]["examples"].as_object();
    match examples.and_then(|examples| examples.values().next()) {
        Some(example) => example["value"].clone(),
        None => {
            assert!(body.is_null(), "{} has no example", operation["operationId"]);
            json!({})
        }
    }
}

/// Described path under `/api/v1/` with its parameters filled in: the last resource in each list,
/// or the first VAT period of 2026.
pub(crate) fn filled(server: &Server, key: &str, path: &str) -> String {
    let mut filled = String::new();
    for part in path.trim_start_matches("/api/v1/").split('/') {
        let value = match part {
            "{year}" => "2026".to_owned(),
            "{quarter}" => "1".to_owned(),
            "{period}" => "2026-Q1".to_owned(),
            "{step}" => "depreciation".to_owned(),
            "{code}" => "4105".to_owned(),
            _ if part.starts_with('{') => last(server, key, &filled).to_string(),
            _ => part.to_owned(),
        };
        filled = if filled.is_empty() { value } else { format!("{filled}/{value}") };
    }
    filled
}

/// Sends a PATCH with a JSON body and an `If-Match` header for each condition.
pub(crate) fn patch(
    server: &Server,
    key: &str,
    path: &str,
    conditions: &[&str],
    body: &Value,
) -> Reply {
    let mut headers = vec![("x-api-key", key), ("content-type", "application/json")];
    headers.extend(conditions.iter().map(|condition| ("if-match", *condition)));
    server.send("PATCH", path, &headers, Some(body.to_string().as_bytes()))
}

/// Returns all rows of a list by following the Link headers; `between` runs after each page.
pub(crate) fn walk(
    server: &Server,
    key: &str,
    path: &str,
    mut between: impl FnMut(),
) -> Vec<Value> {
    let origin = format!("<http://{}", server.address);
    let (mut path, mut rows) = (path.to_owned(), Vec::new());
    for _ in 0..200 {
        let reply = server.get(key, &path);
        assert_eq!(reply.status, 200, "{path}: {}", reply.text);
        let page = reply.json();
        rows.extend(page["data"].as_array().unwrap().iter().cloned());
        between();
        let Some(link) = reply.header("link") else {
            assert_eq!(page["nextCursor"], Value::Null);
            return rows;
        };
        let next = link
            .strip_prefix(&origin)
            .and_then(|link| link.strip_suffix(">; rel=\"next\""))
            .unwrap();
        assert!(next.contains(page["nextCursor"].as_str().unwrap()), "{link}");
        next.clone_into(&mut path);
    }
    panic!("{path} has more than 200 pages")
}

/// Snapshot of the books of an account: the responses of its lists and summaries.
pub(crate) fn books(server: &Server, key: &str) -> String {
    let mut snapshot = String::new();
    for list in [
        "invoices",
        "quotes",
        "articles",
        "recurring-invoices",
        "contacts",
        "projects",
        "time-entries",
        "hours-log",
    ] {
        snapshot += &server.get(key, &format!("/api/v1/{list}?limit=500")).text;
    }
    for year in [2018, 2025, 2026] {
        for path in [
            format!("entries?year={year}&limit=500"),
            format!("summary/{year}"),
            format!("vat-filings?year={year}"),
        ] {
            let reply = server.get(key, &format!("/api/v1/{path}"));
            assert_eq!(reply.status, 200, "{path}");
            snapshot += &reply.text;
        }
    }
    snapshot
}

/// Turnover and VAT, in cents, in a box of the quarter's VAT return.
pub(crate) fn vat_box(server: &Server, key: &str, quarter: &str, name: &str) -> (i64, i64) {
    let filing = server.get(key, &format!("/api/v1/vat-filings/{quarter}")).json();
    let vat_line = filing["boxes"]
        .as_array()
        .unwrap()
        .iter()
        .find(|line| line["box"] == name)
        .cloned()
        .unwrap();
    let amount = |field: &str| if vat_line[field].is_null() { 0 } else { cents(&vat_line[field]) };
    (amount("turnover"), amount("vat"))
}

/// Files the VAT return of a quarter.
pub(crate) fn file(server: &Server, email: &str, year: i16, quarter: u8) {
    let cx = server.owner(email);
    let now: Timestamp = "2026-12-01T10:00:00Z".parse().unwrap();
    let quarter = Quarter::new(year, quarter).unwrap();
    server.write(move |tx| vat_filings::file(tx, &cx.at(now), quarter.into()));
}

/// Reopens a filed VAT return.
pub(crate) fn reopen(server: &Server, email: &str, year: i16, quarter: u8) {
    let cx = server.owner(email);
    let now: Timestamp = "2026-12-01T10:00:00Z".parse().unwrap();
    let quarter = Quarter::new(year, quarter).unwrap();
    server.write(move |tx| vat_filings::reopen(tx, &cx.at(now), quarter.into()));
}

/// Creates a project through the service instead of the API.
pub(crate) fn project(server: &Server, email: &str) {
    let cx = server.owner(email);
    let now: Timestamp = "2026-03-15T11:00:00Z".parse().unwrap();
    let project = service::projects::NewProject { name: "Website".into(), ..Default::default() };
    server.write(move |tx| service::projects::create(tx, &cx.at(now), &project));
}

/// Fills the books with one of everything: invoice 1 sent, partly paid and partly credited,
/// invoice 2 a draft, credit note 3, project 1 active, project 2 archived, hours on project 1 and
/// in the log, and the last quarter of 2025 filed.
pub(crate) fn one_of_everything(server: &Server, email: &str, key: &str) {
    for _ in 0..2 {
        project(server, email);
    }
    let cx = server.owner(email);
    server.write(move |tx| {
        service::projects::set_archived(
            tx,
            &cx.at("2026-03-15T11:00:00Z".parse().unwrap()),
            2,
            true,
        )
    });
    let items = json!([{"description": "Work", "unitPrice": 100, "vatRate": 21}]);
    let customer = json!({"externalId": "c-1", "name": "Korenaar"});
    let sent = json!({"externalId": "o-1", "invoiceDate": "2026-02-10", "status": "sent", "customer": customer, "items": items});
    let draft = json!({"externalId": "o-2", "invoiceDate": "2026-02-11", "customer": customer, "items": items});
    let back = json!([{"description": "Back", "unitPrice": 10, "vatRate": 21}]);
    let requests = [
        ("invoices", sent),
        ("invoices", draft),
        ("quotes", json!({"externalId": "q-1", "customer": customer, "items": items})),
        (
            "articles",
            json!({"externalId": "a-1", "number": "A-1", "name": "Work", "unitPrice": 50}),
        ),
        (
            "recurring-invoices",
            json!({"externalId": "r-1", "customer": customer, "items": items, "every": {"unit": "month"}, "firstDate": "2027-02-01"}),
        ),
        (
            "invoices/1/credit-notes",
            json!({"externalId": "n-1", "date": "2026-02-12", "items": back}),
        ),
        ("invoices/1/payments", json!({"externalId": "p-1", "date": "2026-02-13", "amount": 50})),
        (
            "time-entries",
            json!({"externalId": "t-1", "projectId": 1, "date": "2026-02-14", "hours": 20, "description": "x"}),
        ),
        (
            "hours-log",
            json!({"externalId": "h-1", "date": "2026-02-15", "hours": 2, "description": "x"}),
        ),
    ];
    for (path, payload) in requests {
        let reply = server.post(key, &format!("/api/v1/{path}"), &payload);
        assert_eq!(reply.status, 201, "{path}: {}", reply.text);
    }
    file(server, email, 2025, 4);
}

/// Sends a PUT with a JSON body.
pub(crate) fn put(server: &Server, key: &str, path: &str, body: &Value) -> Reply {
    server.send(
        "PUT",
        path,
        &[("x-api-key", key), ("content-type", "application/json")],
        Some(body.to_string().as_bytes()),
    )
}

/// Codes of the warnings in a resource.
pub(crate) fn codes(of: &Value) -> Vec<&str> {
    let warnings = of["warnings"].as_array().unwrap();
    warnings.iter().map(|warning| warning["code"].as_str().unwrap()).collect()
}
