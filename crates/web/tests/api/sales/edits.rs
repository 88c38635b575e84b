//! Editing and sending drafts: the journal is append-only, the number stays, and entity tags
//! prevent lost updates.

use crate::help::{books, cents, file, patch, reopen, vat_box};
use serde_json::{Value, json};
use testing::{Server, on_both_engines};

const FIRST: &str = "/api/v1/invoices/1";

fn draft() -> Value {
    json!({
        "externalId": "o-1", "invoiceDate": "2026-02-10", "reference": "PO 7", "notes": "Thanks",
        "customer": {"externalId": "c-1", "name": "Korenaar", "email": "a@korenaar.nl", "address": {"city": "Utrecht"}},
        "items": [{"description": "Work", "quantity": 2, "unitPrice": 50, "vatRate": 21}, {"description": "Book", "unitPrice": 10, "vatRate": 9}],
    })
}

fn with_draft(engine: testing::Engine) -> (Server, String) {
    let server = Server::start(engine);
    let key = server.account("anna@example.com");
    let reply = server.post(&key, "/api/v1/invoices", &draft());
    assert_eq!(
        (reply.status, reply.json()["status"].clone()),
        (201, json!("draft")),
        "{}",
        reply.text
    );
    (server, key)
}

/// Balance of a ledger account over all entries of a year: debit less credit, in cents.
fn balance(server: &Server, key: &str, year: i16, account: &str) -> i64 {
    let entries = server.get(key, &format!("/api/v1/entries?year={year}&limit=500")).json();
    let lines = entries["data"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|entry| entry["lines"].as_array().unwrap().clone());
    lines
        .filter(|line| line["accountCode"] == account)
        .map(|line| cents(&line["debit"]) - cents(&line["credit"]))
        .sum()
}

on_both_engines! {
    fn each_field_can_be_changed_and_the_rest_stays(engine) {
        let (server, key) = with_draft(engine);
        let before = server.get(&key, FIRST).json();
        let mut expected = before.clone();
        let changes = [
            (json!({}), vec![]),
            (json!({"reference": "PO 8"}), vec![("/reference", json!("PO 8"))]),
            (json!({"reference": null}), vec![("/reference", Value::Null)]),
            (json!({"notes": "a\nb"}), vec![("/notes", json!("a\nb"))]),
            (json!({"notes": null}), vec![("/notes", Value::Null)]),
            (json!({"dueDate": "2026-02-20"}), vec![("/dueDate", json!("2026-02-20"))]),
            (json!({"paymentTermDays": 0}), vec![("/dueDate", json!("2026-02-10"))]),
            (json!({"paymentTermDays": 14}), vec![("/dueDate", json!("2026-02-24"))]),
            // The payment term is kept when the date changes.
            (
                json!({"invoiceDate": "2026-02-11"}),
                vec![
                    ("/invoiceDate", json!("2026-02-11")),
                    ("/vatDate", json!("2026-02-11")),
                    ("/dueDate", json!("2026-02-25")),
                ],
            ),
            (
                json!({"invoiceDate": "2026-02-10", "dueDate": "2026-03-01"}),
                vec![
                    ("/invoiceDate", json!("2026-02-10")),
                    ("/vatDate", json!("2026-02-10")),
                    ("/dueDate", json!("2026-03-01")),
                ],
            ),
            (json!({"status": "draft"}), vec![]),
        ];
        for (change, differences) in changes {
            let reply = patch(&server, &key, FIRST, &[], &change);
            assert_eq!(reply.status, 200, "{change}: {}", reply.text);
            for (pointer, value) in differences {
                *expected.pointer_mut(pointer).unwrap() = value;
            }
            let mut actual = reply.json();
            assert!(actual["updatedAt"].as_str() >= expected["updatedAt"].as_str(), "{change}");
            for name in ["entryIds", "updatedAt"] {
                expected[name] = actual[name].clone();
            }
            assert_eq!(actual, expected, "{change}");
            let read = server.get(&key, FIRST);
            assert_eq!(
                (read.json(), read.header("etag")),
                (actual.take(), reply.header("etag")),
                "{change}"
            );
        }
        let customer = json!({"externalId": "c-1", "name": "Korenaar BV", "country": "be", "contactPerson": "Bas"});
        let reply = patch(&server, &key, FIRST, &[], &json!({"customer": customer})).json();
        assert_eq!(
            (
                &reply["customer"]["contactId"],
                &reply["customer"]["name"],
                &reply["customer"]["country"],
                &reply["customer"]["contactPerson"]
            ),
            (&json!(1), &json!("Korenaar BV"), &json!("BE"), &json!("Bas"))
        );
        let reply =
            patch(&server, &key, FIRST, &[], &json!({"customer": {"name": "Someone else"}})).json();
        assert_eq!(
            (
                &reply["customer"]["contactId"],
                &reply["customer"]["name"],
                &reply["customer"]["email"]
            ),
            (&json!(2), &json!("Someone else"), &Value::Null)
        );
        assert_eq!((&reply["number"], &reply["externalId"]), (&json!("2026-0001"), &json!("o-1")));
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn an_edit_that_changes_nothing_leaves_no_trace(engine) {
        let (server, key) = with_draft(engine);
        let before = server.get(&key, FIRST);
        server.clock.set("2026-03-16T11:00:00Z");
        let all = books(&server, &key);
        for nothing in [
            json!({}),
            json!({"status": "draft"}),
            json!({"reference": "PO 7", "notes": "Thanks"}),
            json!({"items": draft()["items"], "customer": draft()["customer"]}),
        ] {
            let reply = patch(&server, &key, FIRST, &[], &nothing);
            assert_eq!(
                (reply.status, reply.json(), reply.header("etag")),
                (200, before.json(), before.header("etag")),
                "{nothing}"
            );
        }
        assert_eq!(books(&server, &key), all);
        let reply = patch(&server, &key, FIRST, &[], &json!({"notes": "Thank you"})).json();
        assert_eq!(reply["updatedAt"], "2026-03-16T11:00:00.000000Z");
    }

    fn a_derived_category_follows_the_country_and_a_chosen_one_stays(engine) {
        let (server, key) = with_draft(engine);
        let item = |category: Value| json!({"description": "x", "unitPrice": 100, "vatRate": 0, "vatCategory": category});
        let standard = json!({"description": "x", "unitPrice": 100, "vatRate": 21});
        let items = json!([
            item(Value::Null),
            item(json!("exempt")),
            item(json!("reverseCharge")),
            standard
        ]);
        assert_eq!(patch(&server, &key, FIRST, &[], &json!({"items": items})).status, 200);
        let categories = |country: &str| {
            let customer = json!({"externalId": "c-1", "name": "Korenaar", "country": country});
            let reply = patch(&server, &key, FIRST, &[], &json!({"customer": customer})).json();
            let items = reply["items"].as_array().unwrap().clone();
            items
                .iter()
                .map(|item| item["vatCategory"].as_str().unwrap().to_owned())
                .collect::<Vec<_>>()
        };
        // The category of a reverse-charged line follows the customer's country.
        for (country, abroad) in [
            ("BE", "intraCommunity"),
            ("US", "serviceOutsideEu"),
            ("NL", "zero"),
            ("BE", "intraCommunity"),
        ] {
            assert_eq!(categories(country), [abroad, "exempt", abroad, "standard"], "{country}");
        }
        assert_eq!(
            (vat_box(&server, &key, "2026/1", "3b"), vat_box(&server, &key, "2026/1", "1a")),
            ((20_000, 0), (10_000, 2_100))
        );
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn items_are_replaced_as_a_whole_and_the_books_follow(engine) {
        let (server, key) = with_draft(engine);
        let before = server.get(&key, FIRST).json();
        server.clock.set("2026-03-16T11:00:00Z");
        let reply = patch(
            &server,
            &key,
            FIRST,
            &[],
            &json!({"items": [{"description": "Other", "unitPrice": 200, "vatRate": 9}]}),
        );
        assert_eq!(reply.status, 200, "{}", reply.text);
        assert!(
            reply.text.contains("\"subtotal\":200.00,\"vatTotal\":18.00,\"total\":218.00"),
            "{}",
            reply.text
        );
        let invoice = reply.json();
        assert_eq!(
            invoice["items"],
            json!([{"description": "Other", "quantity": 1, "unit": null, "unitPrice": 200, "grossAmount": 200.0, "discountPercent": null, "discountAmount": 0.0, "vatRate": 9, "vatCategory": "standard", "exemption": null, "supply": "services", "taxCountry": null, "account": null, "amount": 200.0, "amountInclVat": 218.0, "invoiceItem": null}])
        );
        assert_eq!(
            (&invoice["number"], &invoice["createdAt"], &invoice["updatedAt"]),
            (&before["number"], &before["createdAt"], &json!("2026-03-16T11:00:00.000000Z"))
        );
        assert_eq!((&before["entryIds"], &invoice["entryIds"]), (&json!([1]), &json!([1, 2, 3])));
        let (first, reversal, again) = (
            server.get(&key, "/api/v1/entries/1").json(),
            server.get(&key, "/api/v1/entries/2").json(),
            server.get(&key, "/api/v1/entries/3").json(),
        );
        assert_eq!(
            (&first["reversesEntryId"], &reversal["reversesEntryId"], &again["reversesEntryId"]),
            (&Value::Null, &json!(1), &Value::Null)
        );
        for entry in [&first, &reversal, &again] {
            assert_eq!(
                (&entry["source"], &entry["date"]),
                (&json!({"type": "invoice", "id": 1}), &json!("2026-02-10"))
            );
        }
        // The reversal has each line of the first entry with debit and credit swapped.
        for (line, back) in
            first["lines"].as_array().unwrap().iter().zip(reversal["lines"].as_array().unwrap())
        {
            assert_eq!(
                (&line["accountCode"], &line["debit"], &line["credit"], &line["vatBox"]),
                (&back["accountCode"], &back["credit"], &back["debit"], &back["vatBox"])
            );
        }
        assert_eq!(
            (vat_box(&server, &key, "2026/1", "1a"), vat_box(&server, &key, "2026/1", "1b")),
            ((0, 0), (20_000, 1_800))
        );
        assert_eq!(
            (
                balance(&server, &key, 2026, "1300"),
                balance(&server, &key, 2026, "8000"),
                balance(&server, &key, 2026, "8010")
            ),
            (21_800, 0, -20_000)
        );
        let summary = server.get(&key, "/api/v1/summary/2026").json();
        assert_eq!(
            (
                cents(&summary["revenue"]),
                cents(&summary["vat"]["charged"]),
                cents(&summary["receivables"]),
                summary["invoices"]["count"].as_i64()
            ),
            (20_000, 1_800, 21_800, Some(1))
        );
        let filing = server.get(&key, "/api/v1/vat-filings/2026/1").json();
        assert_eq!(
            (&filing["draftInvoices"]["count"], cents(&filing["draftInvoices"]["vat"])),
            (&json!(1), 1_800)
        );
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn a_draft_that_moves_takes_its_turnover_to_the_other_quarter_or_year(engine) {
        let (server, key) = with_draft(engine);
        for (date, quarter, old, year) in [
            ("2026-04-01", "2026/2", "2026/1", 2026),
            ("2025-12-31", "2025/4", "2026/2", 2025),
            ("2026-03-31", "2026/1", "2025/4", 2026),
        ] {
            let reply = patch(&server, &key, FIRST, &[], &json!({"invoiceDate": date}));
            assert_eq!(reply.status, 200, "{}", reply.text);
            let invoice = reply.json();
            assert_eq!(
                (
                    &invoice["number"],
                    format!("{}/{}", invoice["vatPeriod"]["year"], invoice["vatPeriod"]["quarter"])
                ),
                (&json!("2026-0001"), quarter.to_owned())
            );
            assert_eq!(
                (vat_box(&server, &key, quarter, "1a"), vat_box(&server, &key, old, "1a")),
                ((10_000, 2_100), (0, 0)),
                "{date}"
            );
            for other in [2025, 2026] {
                let summary = server.get(&key, &format!("/api/v1/summary/{other}")).json();
                let expected = if other == year { (11_000, 1) } else { (0, 0) };
                assert_eq!(
                    (cents(&summary["revenue"]), summary["invoices"]["drafts"].as_i64().unwrap()),
                    expected,
                    "{date} {other}"
                );
            }
            let drafts = |quarter: &str| {
                server.get(&key, &format!("/api/v1/vat-filings/{quarter}")).json()["draftInvoices"]
                    ["count"]
                    .clone()
            };
            assert_eq!((drafts(quarter), drafts(old)), (json!(1), json!(0)));
        }
        // The moved draft keeps its number, so that number is neither missing nor assigned again.
        let numbers: Vec<String> = ["2026-05-01", "2025-05-01"]
            .iter()
            .map(|date| {
                let mut next = draft();
                (next["externalId"], next["invoiceDate"]) = (Value::Null, json!(date));
                server.post(&key, "/api/v1/invoices", &next).json()["number"]
                    .as_str()
                    .unwrap()
                    .to_owned()
            })
            .collect();
        assert_eq!(numbers, ["2026-0002", "2025-0001"]);
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn no_draft_moves_out_of_or_into_a_filed_quarter(engine) {
        let (server, key) = with_draft(engine);
        server.clock.set("2026-12-01T10:00:00Z");
        file(&server, "anna@example.com", 2026, 3);
        let before = books(&server, &key);
        for date in ["2026-07-01", "2026-09-30"] {
            let reply = patch(&server, &key, FIRST, &[], &json!({"invoiceDate": date}));
            assert_eq!((reply.status, reply.code().as_str()), (409, "period_filed"), "{date}");
        }
        assert_eq!(books(&server, &key), before);
        file(&server, "anna@example.com", 2026, 1);
        let before = books(&server, &key);
        for change in [
            json!({"invoiceDate": "2026-04-01"}),
            json!({"items": [{"description": "x", "unitPrice": 1, "vatRate": 21}]}),
        ] {
            let reply = patch(&server, &key, FIRST, &[], &change);
            assert_eq!((reply.status, reply.code().as_str()), (409, "period_filed"), "{change}");
        }
        assert_eq!(books(&server, &key), before);
        reopen(&server, "anna@example.com", 2026, 1);
        assert_eq!(
            patch(&server, &key, FIRST, &[], &json!({"invoiceDate": "2026-04-01"})).status,
            200
        );
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn a_draft_moves_only_to_a_day_on_which_its_rates_exist(engine) {
        let (server, key) = with_draft(engine);
        let before = books(&server, &key);
        let reply = patch(&server, &key, FIRST, &[], &json!({"invoiceDate": "2018-12-31"}));
        assert_eq!(
            (reply.status, reply.code().as_str()),
            (422, "validation_failed"),
            "{}",
            reply.text
        );
        assert!(
            reply.faults().iter().all(|(_, code)| code == "unknown_vat_rate"),
            "{}",
            reply.text
        );
        assert_eq!(books(&server, &key), before);
        let six = json!({"invoiceDate": "2018-12-31", "items": [{"description": "x", "unitPrice": 100, "vatRate": 6}]});
        let moved = patch(&server, &key, FIRST, &[], &six);
        assert_eq!((moved.status, cents(&moved.json()["vatTotal"])), (200, 600));
        assert_eq!(
            patch(&server, &key, FIRST, &[], &json!({"invoiceDate": "2019-01-01"})).status,
            422
        );
        let reply = patch(
            &server,
            &key,
            FIRST,
            &[],
            &json!({"items": [{"description": "x", "unitPrice": 100, "vatRate": 9}]}),
        );
        assert_eq!(
            reply.faults(),
            [("/items/0/vatRate".to_owned(), "unknown_vat_rate".to_owned())]
        );
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn a_sent_invoice_is_no_longer_a_draft(engine) {
        let (server, key) = with_draft(engine);
        let sent =
            patch(&server, &key, FIRST, &[], &json!({"status": "sent", "reference": "Last"}));
        assert_eq!(
            (sent.status, &sent.json()["status"], &sent.json()["reference"]),
            (200, &json!("sent"), &json!("Last"))
        );
        let summary = server.get(&key, "/api/v1/summary/2026").json();
        assert_eq!(
            (&summary["invoices"]["drafts"], &summary["invoices"]["count"]),
            (&json!(0), &json!(1))
        );
        let before = books(&server, &key);
        for change in [json!({"status": "draft"}), json!({"notes": "x"}), json!({})] {
            let reply = patch(&server, &key, FIRST, &[], &change);
            assert_eq!((reply.status, reply.code().as_str()), (409, "not_a_draft"), "{change}");
        }
        let tag = sent.header("etag").unwrap();
        assert_eq!(
            patch(&server, &key, FIRST, &[tag], &json!({"notes": "x"})).code(),
            "not_a_draft"
        );
        assert_eq!(server.post(&key, "/api/v1/invoices/1/credit-notes", &json!({})).status, 201);
        assert_eq!(
            patch(&server, &key, "/api/v1/invoices/2", &[], &json!({"notes": "x"})).code(),
            "not_a_draft"
        );
        assert_ne!(books(&server, &key), before);
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn an_invalid_edit_is_refused_and_nothing_changes(engine) {
        let (server, key) = with_draft(engine);
        let before = books(&server, &key);
        let cases: Vec<(Value, Vec<(&str, &str)>)> = vec![
            (json!({"externalId": "o-2"}), vec![("/externalId", "unknown_field")]),
            (
                json!({"externalId": null, "number": "1", "kind": "invoice"}),
                vec![
                    ("/externalId", "unknown_field"),
                    ("/number", "unknown_field"),
                    ("/kind", "unknown_field"),
                ],
            ),
            (json!({"items": []}), vec![("/items", "required")]),
            (
                json!({"items": [{"description": "x", "unitPrice": -1, "vatRate": 21}]}),
                vec![("/items", "negative_vat_group")],
            ),
            (json!({"dueDate": "2026-02-09"}), vec![("/dueDate", "out_of_range")]),
            (
                json!({"dueDate": "2026-03-09", "paymentTermDays": 3}),
                vec![("/paymentTermDays", "unknown_value")],
            ),
            (json!({"status": "paid"}), vec![("/status", "unknown_value")]),
            (json!({"customer": {}}), vec![("/customer/name", "required")]),
            (json!({"customer": {"externalId": "nobody"}}), vec![("/customer/name", "required")]),
            (
                json!({"customer": {}, "reference": 5}),
                vec![("/customer/name", "required"), ("/reference", "invalid_type")],
            ),
            (
                json!({"invoiceDate": "2026-02-30", "items": [{"description": "x", "unitPrice": 1, "vatRate": 6}]}),
                vec![("/invoiceDate", "invalid_date")],
            ),
            (json!([]), vec![("", "invalid_type")]),
        ];
        for (change, mut expected) in cases {
            let reply = patch(&server, &key, FIRST, &[], &change);
            let faults = reply.faults();
            let mut actual: Vec<(&str, &str)> =
                faults.iter().map(|(place, code)| (place.as_str(), code.as_str())).collect();
            actual.sort_unstable();
            expected.sort_unstable();
            assert_eq!((reply.status, actual), (422, expected), "{change}");
        }
        for id in ["2", "0", "x", "99999999999999999999"] {
            // Existence is checked before the body and the conditions.
            let reply = patch(
                &server,
                &key,
                &format!("/api/v1/invoices/{id}"),
                &["\"x\""],
                &json!({"status": 5}),
            );
            assert_eq!((reply.status, reply.code().as_str()), (404, "not_found"), "{id}");
        }
        assert_eq!(books(&server, &key), before);
    }

    fn an_edit_can_require_an_entity_tag(engine) {
        let (server, key) = with_draft(engine);
        let tag = || server.get(&key, FIRST).header("etag").unwrap().to_owned();
        let old = tag();
        let round = std::cell::Cell::new(0);
        let edit = |conditions: &[&str]| {
            round.set(round.get() + 1);
            let reply = patch(
                &server,
                &key,
                FIRST,
                conditions,
                &json!({"notes": format!("{}", round.get())}),
            );
            (reply.status, if reply.status == 200 { String::new() } else { reply.code() })
        };
        let (done, refused) = ((200, String::new()), (412, "precondition_failed".to_owned()));
        assert_eq!(edit(&[&old]), done);
        let now = tag();
        assert_ne!(now, old);
        for condition in [
            old.as_str(),
            "\"x\"",
            "x",
            &format!("W/{now}"),
            now.trim_matches('"'),
            &format!("{old}, \"x\", W/{now}"),
        ] {
            assert_eq!(edit(&[condition]), refused, "{condition}");
        }
        assert_eq!(tag(), now);
        // The answer to a malformed entity tag explains the syntax.
        for (condition, reported) in [("x", true), (now.trim_matches('"'), true), ("\"x\"", false)]
        {
            let reply = patch(&server, &key, FIRST, &[condition], &json!({"notes": "x"}));
            assert_eq!(
                reply.json()["detail"].as_str().unwrap().contains("quotation marks"),
                reported,
                "{}",
                reply.text
            );
        }
        assert_eq!(edit(&[]), done);
        assert_eq!(edit(&["*"]), done);
        assert_eq!(edit(&[&format!("\"x\", {}", tag())]), done);
        assert_eq!(edit(&["\"x\"", &tag()]), done);
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn exactly_one_of_several_edits_of_the_same_state_succeeds(engine) {
        let (server, key) = with_draft(engine);
        for round in 1..=5 {
            let tag = server.get(&key, FIRST).header("etag").unwrap().to_owned();
            let mut statuses: Vec<u16> = std::thread::scope(|scope| {
                let edit = |worker: usize| {
                    let items = json!([{"description": format!("{round}-{worker}"), "unitPrice": round * 10 + worker, "vatRate": 21}]);
                    patch(&server, &key, FIRST, &[&tag], &json!({"items": items})).status
                };
                let workers: Vec<_> =
                    (0..4).map(|worker| scope.spawn(move || edit(worker))).collect();
                workers.into_iter().map(|worker| worker.join().unwrap()).collect()
            });
            statuses.sort_unstable();
            assert_eq!(statuses, [200, 412, 412, 412]);
        }
        assert_eq!(server.get(&key, FIRST).json()["entryIds"].as_array().unwrap().len(), 11);
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }
}
