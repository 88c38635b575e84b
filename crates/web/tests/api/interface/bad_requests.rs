//! Invalid bodies for an invoice: each is rejected with its faults, and the books do not change.

use crate::simple_invoice;
use serde_json::{Value, json};
use testing::{Server, on_both_engines};

/// Simple invoice with the value at a JSON pointer replaced; `null` removes it.
fn with(pointer: &str, value: Value) -> Value {
    let mut payload = simple_invoice();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    let parent = payload.pointer_mut(parent).unwrap();
    match parent {
        Value::Object(members) => drop(members.insert(name.to_owned(), value)),
        Value::Array(items) => items[name.parse::<usize>().unwrap()] = value,
        _ => panic!("{pointer}"),
    }
    payload
}

fn long(count: usize) -> Value {
    json!("x".repeat(count))
}

// Long: a table of cases.
fn cases() -> Vec<(Value, Vec<(&'static str, &'static str)>)> {
    let item = || json!({"description": "x", "unitPrice": 1, "vatRate": 21});
    vec![
        (json!({}), vec![("/customer", "required"), ("/items", "required")]),
        (json!([]), vec![("", "invalid_type")]),
        (json!("x"), vec![("", "invalid_type")]),
        (with("/externalId", json!("")), vec![("/externalId", "required")]),
        (with("/externalId", json!(5)), vec![("/externalId", "invalid_type")]),
        (with("/externalId", long(256)), vec![("/externalId", "too_long")]),
        (with("/externalId", json!("a\u{0}b")), vec![("/externalId", "invalid_format")]),
        (with("/externalId", json!("a\nb")), vec![("/externalId", "invalid_format")]),
        (with("/invoiceDate", json!("2026-02-29")), vec![("/invoiceDate", "invalid_date")]),
        (with("/invoiceDate", json!("1999-12-31")), vec![("/invoiceDate", "invalid_date")]),
        (with("/invoiceDate", json!("2100-01-01")), vec![("/invoiceDate", "invalid_date")]),
        (with("/invoiceDate", json!("15-03-2026")), vec![("/invoiceDate", "invalid_date")]),
        (
            with("/invoiceDate", json!("2026-03-15T00:00:00Z")),
            vec![("/invoiceDate", "invalid_date")],
        ),
        // Without a valid date the VAT rates are unknown, so the rate is not checked.
        (
            json!({"invoiceDate": "2018-13-01", "customer": {"name": "A"}, "items": [{"description": "x", "unitPrice": 1, "vatRate": 6}]}),
            vec![("/invoiceDate", "invalid_date")],
        ),
        (
            json!({"customer": {"externalId": "nobody"}, "items": [{"description": "x", "unitPrice": -1, "vatRate": 21}]}),
            vec![("/customer/name", "required"), ("/items", "negative_vat_group")],
        ),
        (
            json!({"customer": {"name": "A"}, "invoiceDate": "2099-12-30", "items": [item()]}),
            vec![("/invoiceDate", "out_of_range")],
        ),
        (
            json!({"customer": {"name": "A"}, "invoiceDate": "2099-12-30", "paymentTermDays": 14, "items": [item()]}),
            vec![("/paymentTermDays", "out_of_range")],
        ),
        (with("/invoiceDate", json!(20260315)), vec![("/invoiceDate", "invalid_type")]),
        (with("/status", json!("paid")), vec![("/status", "unknown_value")]),
        (with("/status", json!("Sent")), vec![("/status", "unknown_value")]),
        (with("/status", json!(true)), vec![("/status", "invalid_type")]),
        (with("/customer", json!("Anna")), vec![("/customer", "invalid_type")]),
        (with("/customer", json!({})), vec![("/customer/name", "required")]),
        (with("/customer", json!({"externalId": "nobody"})), vec![("/customer/name", "required")]),
        (
            with("/customer", json!({"country": "XX"})),
            vec![("/customer/country", "unknown_value"), ("/customer/name", "required")],
        ),
        (with("/customer/name", json!("  ")), vec![("/customer/name", "required")]),
        (with("/customer/name", long(256)), vec![("/customer/name", "too_long")]),
        (with("/customer/name", json!("a\u{7}")), vec![("/customer/name", "invalid_format")]),
        (with("/customer/name", json!(["a"])), vec![("/customer/name", "invalid_type")]),
        (with("/customer/country", json!("NLD")), vec![("/customer/country", "unknown_value")]),
        (with("/customer/country", json!("UK")), vec![("/customer/country", "unknown_value")]),
        (with("/customer/country", json!(31)), vec![("/customer/country", "invalid_type")]),
        (with("/customer/email", json!("anna")), vec![("/customer/email", "invalid_format")]),
        (
            with("/customer/email", json!("a@b\r\nBcc: c@d")),
            vec![("/customer/email", "invalid_format")],
        ),
        (
            with("/customer/vatNumber", json!("12345")),
            vec![("/customer/vatNumber", "invalid_format")],
        ),
        (
            with("/customer/kvkNumber", json!("1234567")),
            vec![("/customer/kvkNumber", "invalid_format")],
        ),
        (
            with("/customer/kvkNumber", json!(12345678)),
            vec![("/customer/kvkNumber", "invalid_type")],
        ),
        (with("/customer/fax", json!("06")), vec![("/customer/fax", "unknown_field")]),
        (with("/customer/phone", json!("call me")), vec![("/customer/phone", "invalid_format")]),
        (with("/customer/kind", json!("company")), vec![("/customer/kind", "unknown_value")]),
        (
            with("/customer/address", json!("Dorpsstraat 1")),
            vec![("/customer/address", "invalid_type")],
        ),
        (
            with("/customer/address", json!({"zip": "1"})),
            vec![("/customer/address/zip", "unknown_field")],
        ),
        (with("/items", json!([])), vec![("/items", "required")]),
        (with("/items", json!({})), vec![("/items", "invalid_type")]),
        (with("/items", Value::Array(vec![item(); 501])), vec![("/items", "too_many")]),
        (with("/items/0", json!(5)), vec![("/items/0", "invalid_type")]),
        (
            with("/items/0", json!({})),
            vec![("/items/0/description", "required"), ("/items/0/unitPrice", "required")],
        ),
        (with("/items/0/description", long(1001)), vec![("/items/0/description", "too_long")]),
        (
            with("/items/0/description", json!("tab\there")),
            vec![("/items/0/description", "invalid_format")],
        ),
        (with("/items/0/quantity", json!("8")), vec![("/items/0/quantity", "invalid_type")]),
        (
            with("/items/0/quantity", json!(1_000_000_001)),
            vec![("/items/0/quantity", "out_of_range")],
        ),
        (with("/items/0/unitPrice", json!(null)), vec![("/items/0/unitPrice", "required")]),
        (with("/items/0/unitPrice", json!(true)), vec![("/items/0/unitPrice", "invalid_type")]),
        (with("/items/0/unitPrice", json!(-1)), vec![("/items", "negative_vat_group")]),
        (with("/items/0/vatRate", json!(19)), vec![("/items/0/vatRate", "unknown_vat_rate")]),
        (with("/items/0/vatRate", json!(0.21)), vec![("/items/0/vatRate", "unknown_vat_rate")]),
        (with("/items/0/vatRate", json!(-21)), vec![("/items/0/vatRate", "unknown_vat_rate")]),
        (with("/items/0/vatRate", json!("21")), vec![("/items/0/vatRate", "invalid_type")]),
        (
            with("/items/0/vatCategory", json!("exempt")),
            vec![("/items/0/vatCategory", "unknown_value")],
        ),
        (
            with("/items/0/vatCategory", json!("vrijgesteld")),
            vec![("/items/0/vatCategory", "unknown_value")],
        ),
        (with("/items/0/discount", json!(10)), vec![("/items/0/discount", "unknown_field")]),
        (with("/items/0/a~1b~0c", json!(10)), vec![("/items/0/a~01b~00c", "unknown_field")]),
        (with("/dueDate", json!("2026-03-14")), vec![("/dueDate", "out_of_range")]),
        (with("/dueDate", json!("soon")), vec![("/dueDate", "invalid_date")]),
        (with("/paymentTermDays", json!(-1)), vec![("/paymentTermDays", "out_of_range")]),
        (with("/paymentTermDays", json!(366)), vec![("/paymentTermDays", "out_of_range")]),
        (with("/paymentTermDays", json!(1.5)), vec![("/paymentTermDays", "invalid_type")]),
        (with("/reference", long(256)), vec![("/reference", "too_long")]),
        (with("/notes", long(5001)), vec![("/notes", "too_long")]),
        (with("/notes", json!("a\u{1b}[31m")), vec![("/notes", "invalid_format")]),
        (with("/total", json!(121)), vec![("/total", "unknown_field")]),
        (with("/number", json!("2026-9999")), vec![("/number", "unknown_field")]),
        (with("/accountId", json!(2)), vec![("/accountId", "unknown_field")]),
        (
            json!({"status": "x", "invoiceDate": "2018-12-31", "customer": {"name": "", "x": 1}, "items": [item(), {"quantity": 0.5, "vatRate": 9}], "y": 2}),
            vec![
                ("/status", "unknown_value"),
                ("/customer/name", "required"),
                ("/customer/x", "unknown_field"),
                ("/items/1/description", "required"),
                ("/items/1/unitPrice", "required"),
                ("/items/1/vatRate", "unknown_vat_rate"),
                ("/y", "unknown_field"),
            ],
        ),
    ]
}

/// Numbers that a JSON library would not preserve.
const NUMBERS: &[(&str, &str)] = &[
    ("1e400", "out_of_range"),
    ("1e99999999999999999999", "out_of_range"),
    ("0.000000000000000000001", "too_many"),
    ("1e-400", "too_many"),
    ("100000000000000000000000000000000000000000", "out_of_range"),
    ("1.234567890123456789012", "too_many"),
    ("1000000000.000000000000001", "out_of_range"),
];

const MALFORMED: &[&[u8]] = &[
    b"",
    b"{",
    b"nope",
    b"{} {}",
    b"{'status': 'sent'}",
    b"{\"status\":\"sent\",}",
    b"{\"status\":\"sent\",\"status\":\"draft\"}",
    b"{\"customer\":{\"name\":\"A\",\"name\":\"B\"}}",
    b"{\"items\":NaN}",
    b"{\"items\":[1,2",
    b"{\"notes\":\"\xff\"}",
    b"{\"notes\":\"\\ud800\"}",
    b"{\"items\":01}",
    b"{\"items\":+1}",
    b"\xef\xbb\xbf{}",
    b"{\"x\":\"a\x00b\"}",
];

on_both_engines! {
    fn each_fault_is_named_by_its_place_and_the_books_stay_as_they_were(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        assert_eq!(server.post(&key, "/api/v1/invoices", &simple_invoice()).status, 201);
        let books = || {
            (
                server.get(&key, "/api/v1/entries?year=2026").text,
                server.get(&key, "/api/v1/summary/2026").text,
                server.get(&key, "/api/v1/invoices/1").text,
            )
        };
        let before = books();
        for (payload, expected) in cases() {
            let reply = server.post(&key, "/api/v1/invoices", &payload);
            let excerpt: String = payload.to_string().chars().take(300).collect();
            assert_eq!(
                (reply.status, reply.code().as_str()),
                (422, "validation_failed"),
                "{excerpt}: {}",
                reply.text
            );
            let faults = reply.faults();
            let actual: Vec<(&str, &str)> =
                faults.iter().map(|(place, code)| (place.as_str(), code.as_str())).collect();
            assert_eq!(actual, expected, "{excerpt}");
        }
        for (number, code) in NUMBERS {
            let body = format!(
                r#"{{"customer":{{"name":"A"}},"items":[{{"description":"x","unitPrice":{number},"vatRate":21}}]}}"#
            );
            let reply = server.post_text(&key, "/api/v1/invoices", &body);
            assert_eq!(
                reply.faults(),
                [("/items/0/unitPrice".to_owned(), (*code).to_owned())],
                "{number}"
            );
        }
        let too_much = r#"{"customer":{"name":"A"},"items":[{"description":"x","quantity":1000000000,"unitPrice":100,"vatRate":21}]}"#;
        assert_eq!(
            server.post_text(&key, "/api/v1/invoices", too_much).faults(),
            [("/items/0".to_owned(), "out_of_range".to_owned())]
        );
        for body in MALFORMED {
            for path in ["/api/v1/invoices", "/api/v1/time-entries", "/api/v1/hours-log"] {
                let reply = server.send(
                    "POST",
                    path,
                    &[("x-api-key", &key), ("content-type", "application/json")],
                    Some(body),
                );
                assert_eq!(
                    (reply.status, reply.code().as_str()),
                    (400, "malformed_json"),
                    "{path} {}",
                    String::from_utf8_lossy(body)
                );
            }
        }
        let deep = format!("{}{}", "[".repeat(33), "]".repeat(33));
        assert_eq!(server.post_text(&key, "/api/v1/invoices", &deep).code(), "malformed_json");
        assert_eq!(books(), before);
        assert_eq!(
            server.post(&key, "/api/v1/invoices", &simple_invoice()).json()["number"],
            "2026-0002"
        );
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn a_message_says_what_to_give_instead(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        for nothing in ["", " \n"] {
            let refused = server.post_text(&key, "/api/v1/invoices", nothing);
            let detail = "The body cannot be read as JSON: it is empty; send a JSON object.";
            assert_eq!(
                (refused.code().as_str(), refused.json()["detail"].as_str()),
                ("malformed_json", Some(detail))
            );
        }
        let item =
            json!({"description": "x", "unitPrice": 1, "vatRate": 0, "vatCategory": "standard"});
        let refused = server
            .post(&key, "/api/v1/invoices", &json!({"customer": {"name": "A"}, "items": [item]}))
            .json();
        let message = refused["errors"][0]["message"].as_str().unwrap();
        for part in [
            "with vatRate 0",
            "zero",
            "intraCommunity",
            "export",
            "reverseCharge",
            "exempt",
            "leave vatCategory out",
        ] {
            assert!(message.contains(part) && !message.contains("standard"), "{message}");
        }
        let refused = server.post(&key, "/api/v1/hours-log", &json!({})).json();
        assert_eq!(refused["errors"][0]["message"], "give `date` as YYYY-MM-DD", "{refused}");
    }

    fn text_comes_back_as_it_was_given(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let name = "Ünïcode \u{200f}bidi\u{200b} 😀 e\u{301} <b>&amp;'\"; DROP TABLE invoices;--";
        let mut payload = with("/customer/name", json!(format!("  {name}\n")));
        payload["notes"] = json!("two\nlines");
        let reply = server.post(&key, "/api/v1/invoices", &payload);
        assert_eq!(
            (&reply.json()["customer"]["name"], &reply.json()["notes"]),
            (&json!(name), &json!("two\nlines"))
        );
        assert_eq!(server.get(&key, "/api/v1/invoices/1").json()["customer"]["name"], json!(name));
    }

    fn the_largest_invoice_is_accepted(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let mut payload = simple_invoice();
        payload["items"] = Value::Array(vec![
            json!({"description": "x".repeat(1000), "quantity": 1, "unitPrice": 0.02, "vatRate": 21});
            500
        ]);
        let reply = server.post(&key, "/api/v1/invoices", &payload);
        assert_eq!(reply.status, 201);
        assert!(reply.text.contains("\"subtotal\":10.00,\"vatTotal\":2.10,\"total\":12.10"));
        assert_eq!(
            server.get(&key, "/api/v1/invoices/1").json()["items"].as_array().unwrap().len(),
            500
        );
    }
}
