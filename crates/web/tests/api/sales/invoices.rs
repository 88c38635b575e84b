//! Creating invoices: booking, numbering, VAT return and idempotency.

use crate::simple_invoice;
use ledger::calendar::Quarter;
use serde_json::{Value, json};
use service::{
    manual_entries::{self, ManualBooking},
    projects, vat_filings,
};
use testing::{Server, on_both_engines};

on_both_engines! {
    fn numbers_printed_from_doubles_are_accepted(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let headers = [("x-api-key", key.as_str()), ("content-type", "application/json")];
        // Results that JavaScript and Python give for 1.99 / 1.21, 0.1 + 0.2 and 1 / 3000.
        for (quantity, price, total) in [
            ("1", "1.6446280991735538", "1.98"),
            ("0.30000000000000004", "100", "36.30"),
            ("3000", "0.00033333333333333335", "1.21"),
        ] {
            let body = format!(
                r#"{{"customer": {{"name": "A"}}, "items": [{{"description": "x", "quantity": {quantity}, "unitPrice": {price}, "vatRate": 21}}]}}"#
            );
            let reply = server.send("POST", "/api/v1/invoices", &headers, Some(body.as_bytes()));
            assert_eq!(reply.status, 201, "{}", reply.text);
            for member in [
                format!("\"quantity\":{quantity},"),
                format!("\"unitPrice\":{price},"),
                format!("\"total\":{total},"),
            ] {
                assert!(reply.text.contains(&member), "{member}: {}", reply.text);
            }
            let path = format!("/api/v1/invoices/{}", reply.json()["id"]);
            assert_eq!(server.get(&key, &path).text, reply.text);
            assert_eq!(server.get(&key, &format!("{path}/pdf")).status, 200);
        }
        let too_fine = br#"{"customer": {"name": "A"}, "items": [{"description": "x", "unitPrice": 0.123456789012345678901, "vatRate": 21}]}"#;
        assert_eq!(
            server.send("POST", "/api/v1/invoices", &headers, Some(too_fine)).faults(),
            [("/items/0/unitPrice".into(), "too_many".into())]
        );
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn an_invoice_is_booked_numbered_and_placed_on_the_return(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let reply = server.post(&key, "/api/v1/invoices", &json!({
            "externalId": "order-1", "invoiceDate": "2026-03-31", "status": "sent", "reference": "PO 7", "paymentTermDays": 14,
            "customer": {"externalId": "c-1", "name": "Bakkerij De Korenaar", "country": "nl", "kvkNumber": "12345678",
                         "address": {"street": "Dorpsstraat 1", "city": "Utrecht"}},
            "items": [
                {"description": "Design", "quantity": 8, "unitPrice": 95.50, "vatRate": 21},
                {"description": "Discount", "quantity": -1, "unitPrice": 14.00, "vatRate": 21.0},
                {"description": "Guide", "quantity": 2, "unitPrice": 12.50, "vatRate": 9},
                {"description": "Course", "unitPrice": 10, "vatRate": 0, "vatCategory": "exempt"},
            ],
        }));
        assert_eq!(reply.status, 201, "{}", reply.text);
        let invoice = reply.json();
        assert_eq!(
            reply.header("location").unwrap(),
            format!("http://{}/api/v1/invoices/1", server.address)
        );
        assert_eq!(invoice["number"], "2026-0001");
        assert_eq!(invoice["vatPeriod"], json!({"year": 2026, "quarter": 1}));
        assert_eq!(invoice["dueDate"], "2026-04-14");
        assert_eq!(invoice["customer"]["country"], "NL");
        assert_eq!(
            (&invoice["paid"], &invoice["source"], &invoice["currency"]),
            (&json!(false), &json!("api"), &json!("EUR"))
        );
        assert!(
            reply.text.contains("\"subtotal\":785.00,\"vatTotal\":159.75,\"total\":944.75"),
            "{}",
            reply.text
        );
        let vat: Vec<_> = invoice["vat"]
            .as_array()
            .unwrap()
            .iter()
            .map(|group| (group["box"].clone(), group["category"].clone()))
            .collect();
        assert_eq!(
            vat,
            [
                (json!("1a"), json!("standard")),
                (json!("1b"), json!("standard")),
                (Value::Null, json!("exempt"))
            ]
        );

        let read = server.get(&key, "/api/v1/invoices/1");
        assert_eq!((read.status, read.json()), (200, invoice.clone()));

        let entries = server.get(&key, "/api/v1/entries?year=2026&quarter=1").json();
        let entry = &entries["data"][0];
        assert_eq!(entry["id"], invoice["entryIds"][0]);
        assert_eq!(entry["source"], json!({"type": "invoice", "id": 1}));
        let lines: Vec<_> = entry["lines"]
            .as_array()
            .unwrap()
            .iter()
            .map(|line| {
                (
                    line["accountCode"].as_str().unwrap(),
                    line["debit"].to_string(),
                    line["credit"].to_string(),
                    line["vatBox"].as_str(),
                )
            })
            .collect();
        assert_eq!(
            lines,
            [
                ("1300", "944.75".into(), "0.0".into(), None),
                ("8000", "0.0".into(), "750.0".into(), Some("1a")),
                ("1700", "0.0".into(), "157.5".into(), Some("1a")),
                ("8010", "0.0".into(), "25.0".into(), Some("1b")),
                ("1710", "0.0".into(), "2.25".into(), Some("1b")),
                ("8070", "0.0".into(), "10.0".into(), None),
            ]
        );

        let summary = server.get(&key, "/api/v1/summary/2026").text;
        for part in [
            "\"revenue\":785.00",
            "\"profit\":785.00",
            "\"charged\":159.75",
            "\"receivables\":944.75",
            "\"outstandingAmount\":944.75",
            "\"count\":1,\"drafts\":0",
        ] {
            assert!(summary.contains(part), "{part} in {summary}");
        }
        let cx = server.owner("anna@example.com");
        let quarter = Quarter::new(2026, 1).unwrap();
        let filing =
            server.store.read_blocking(move |tx| vat_filings::read(tx, &cx, quarter.into())).unwrap();
        let line =
            |name: &str| *filing.vat_return.lines.iter().find(|line| line.vat_box == name).unwrap();
        assert_eq!(
            (line("1a").turnover.unwrap().get(), line("1a").vat.unwrap().get()),
            (75_000, 15_750)
        );
        assert_eq!(
            (line("1b").turnover.unwrap().get(), line("1b").vat.unwrap().get()),
            (2_500, 225)
        );
        assert_eq!(filing.vat_return.declared_payable, 159);
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn a_draft_has_its_number_entry_and_place_on_the_return_too(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let mut draft = simple_invoice();
        draft.as_object_mut().unwrap().remove("status");
        let invoice = server.post(&key, "/api/v1/invoices", &draft).json();
        assert_eq!(
            (&invoice["status"], &invoice["number"], &invoice["invoiceDate"]),
            (&json!("draft"), &json!("2026-0001"), &json!("2026-03-15"))
        );
        let summary = server.get(&key, "/api/v1/summary/2026").json();
        assert_eq!(
            (&summary["invoices"]["drafts"], summary["vat"]["charged"].to_string()),
            (&json!(1), "21.0".into())
        );
        let cx = server.owner("anna@example.com");
        let filing = server
            .store
            .read_blocking(move |tx| vat_filings::read(tx, &cx, Quarter::new(2026, 1).unwrap().into()))
            .unwrap();
        assert_eq!(
            (
                filing.totals.due_drafts.count,
                filing.totals.due_drafts.vat.get(),
                filing.totals.entries
            ),
            (1, 2_100, 1)
        );
    }

    fn the_same_external_id_names_the_same_invoice_whatever_the_body(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let mut payload = simple_invoice();
        payload["externalId"] = json!("order-1");
        let first = server.post(&key, "/api/v1/invoices", &payload);
        assert_eq!((first.status, first.header("idempotent-replay")), (201, None));
        for repeat in [
            payload.clone(),
            json!({"externalId": "order-1"}),
            json!({"externalId": " order-1 ", "items": "nonsense", "discount": 5, "status": 7}),
        ] {
            let again = server.post(&key, "/api/v1/invoices", &repeat);
            assert_eq!(
                (again.status, again.header("idempotent-replay"), again.json()),
                (200, Some("true"), first.json())
            );
        }
        // External ids are unique per account.
        let other = server.account("bob@example.com");
        assert_eq!(server.post(&other, "/api/v1/invoices", &payload).status, 201);
        // External ids are compared byte by byte.
        payload["externalId"] = json!("ORDER-1");
        assert_eq!(server.post(&key, "/api/v1/invoices", &payload).status, 201);
        // A replay needs the same scope as the original request.
        let reader = server.key("anna@example.com", true, false);
        assert_eq!(server.post(&reader, "/api/v1/invoices", &payload).code(), "insufficient_scope");
    }

    fn one_of_64_concurrent_equal_creates_creates_and_the_rest_replay(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let mut payload = simple_invoice();
        payload["externalId"] = json!("order-1");
        let replies: Vec<_> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..64)
                .map(|_| scope.spawn(|| server.post(&key, "/api/v1/invoices", &payload)))
                .collect();
            workers.into_iter().map(|worker| worker.join().unwrap()).collect()
        });
        let count = |status| replies.iter().filter(|reply| reply.status == status).count();
        assert_eq!((count(201), count(200)), (1, 63));
        assert!(replies.iter().all(|reply| reply.json()["id"] == 1));
        assert_eq!(server.get(&key, "/api/v1/summary/2026").json()["invoices"]["count"], 1);
    }

    fn the_numbers_of_500_concurrent_creates_have_no_gap(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let mut numbers: Vec<String> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..25)
                .map(|worker| {
                    let (server, key) = (&server, &key);
                    scope.spawn(move || {
                        (0..20)
                            .map(|round| {
                                let mut payload = simple_invoice();
                                payload["externalId"] = json!(format!("{worker}-{round}"));
                                // Refused requests in between must not use up numbers.
                                assert_eq!(
                                    server
                                        .post(key, "/api/v1/invoices", &json!({"status": "sent"}))
                                        .status,
                                    422
                                );
                                server.post(key, "/api/v1/invoices", &payload).json()["number"]
                                    .as_str()
                                    .unwrap()
                                    .to_owned()
                            })
                            .collect::<Vec<_>>()
                    })
                })
                .collect();
            workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
        });
        numbers.sort();
        let expected: Vec<String> = (1..=500).map(|number| format!("2026-{number:04}")).collect();
        assert_eq!(numbers, expected);
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn each_year_has_its_own_series(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let number = |date: &str| {
            let mut payload = simple_invoice();
            payload["invoiceDate"] = json!(date);
            server.post(&key, "/api/v1/invoices", &payload).json()["number"]
                .as_str()
                .unwrap()
                .to_owned()
        };
        let numbers = ["2026-01-01", "2025-12-31", "2026-05-05", "2027-01-01"].map(number);
        assert_eq!(numbers, ["2026-0001", "2025-0001", "2026-0002", "2027-0001"]);
    }

    fn numbers_are_read_exactly_as_they_are_written(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let cases = [
            ("8.264462809917356", "121", "1000.00"),
            ("1e2", "0.1", "10.00"),
            ("3", "33.335", "100.01"),
            ("1", "0.005", "0.01"),
            ("-1.50E+1", "-2", "30.00"),
            ("0.1", "0.2", "0.02"),
            ("1000000000", "0.000000001", "1.00"),
            ("0", "5", "0.00"),
            ("999999999.999999999999999", "1", "1000000000.00"),
        ];
        for (quantity, price, amount) in cases {
            let body = format!(
                r#"{{"customer":{{"name":"A"}},"items":[{{"description":"x","quantity":{quantity},"unitPrice":{price},"vatRate":0}}]}}"#
            );
            let reply = server.post_text(&key, "/api/v1/invoices", &body);
            assert_eq!(reply.status, 201, "{}", reply.text);
            assert!(
                reply.text.contains(&format!("\"amount\":{amount},")),
                "{quantity} x {price}: {}",
                reply.text
            );
        }
        let read = server.get(&key, "/api/v1/invoices/1").text;
        assert!(read.contains("\"quantity\":8.264462809917356,\"unit\":null,\"unitPrice\":121,"), "{read}");
    }

    fn the_category_follows_from_rate_and_country_unless_it_is_given(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let cases = [
            ("NL", json!({}), "zero", json!("1e")),
            ("DE", json!({}), "intraCommunity", json!("3b")),
            ("US", json!({}), "serviceOutsideEu", Value::Null),
            ("US", json!({"supply": "goods"}), "export", json!("3a")),
            ("US", json!({"vatCategory": "reverseCharge"}), "serviceOutsideEu", Value::Null),
            ("DE", json!({"vatCategory": "reverseCharge"}), "intraCommunity", json!("3b")),
            ("NL", json!({"vatCategory": "reverseCharge"}), "reverseCharge", json!("1e")),
            ("NL", json!({"vatCategory": "exempt"}), "exempt", Value::Null),
            ("DE", json!({"vatCategory": "outOfScope"}), "outOfScope", Value::Null),
        ];
        for (country, extra, category, vat_box) in cases {
            let mut payload = json!({"customer": {"name": "A", "country": country}, "items": [{"description": "x", "unitPrice": 5, "vatRate": 0}]});
            payload["items"][0].as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
            let invoice = server.post(&key, "/api/v1/invoices", &payload).json();
            assert_eq!(
                (&invoice["items"][0]["vatCategory"], &invoice["vat"][0]["box"]),
                (&json!(category), &vat_box),
                "{country}"
            );
            let warned = matches!(category, "intraCommunity" | "reverseCharge");
            // Warnings about the draft, the e-invoice, and the seller's address and numbers; abroad
            // also about the kind of customer.
            assert_eq!(
                invoice["warnings"].as_array().unwrap().len(),
                5 + usize::from(warned) + usize::from(country != "NL"),
                "{invoice}"
            );
        }
    }

    fn a_customer_is_found_again_and_the_invoice_keeps_its_own_details(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let make = |customer: Value| {
            let reply = server.post(&key, "/api/v1/invoices", &json!({"customer": customer, "items": [{"description": "x", "unitPrice": 5, "vatRate": 21}]}));
            assert_eq!(reply.status, 201, "{}", reply.text);
            reply.json()["customer"].clone()
        };
        let first = make(
            json!({"externalId": "c-1", "name": "Korenaar", "country": "BE", "vatNumber": "BE0123456789"}),
        );
        let again = make(json!({"externalId": "c-1"}));
        assert_eq!(again, first);
        let renamed = make(json!({"externalId": "c-1", "name": "Korenaar BV", "country": "NL"}));
        assert_eq!(
            (&renamed["contactId"], &renamed["name"], &renamed["country"]),
            (&first["contactId"], &json!("Korenaar BV"), &json!("NL"))
        );
        assert_eq!(make(json!({"externalId": "c-1"}))["name"], "Korenaar");
        // A customer without an external id matches only contacts without an external id.
        let by_name = make(json!({"name": "Korenaar", "country": "BE"}));
        assert_ne!(by_name["contactId"], first["contactId"]);
        assert_eq!(
            make(json!({"name": "Korenaar", "country": "BE"}))["contactId"],
            by_name["contactId"]
        );
        assert_ne!(make(json!({"name": "Korenaar"}))["contactId"], by_name["contactId"]);
    }

    fn a_filed_period_takes_no_invoice_on_any_of_its_days(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        server.clock.set("2026-04-20T10:00:00Z");
        let mut payload = simple_invoice();
        payload["invoiceDate"] = json!("2026-02-10");
        assert_eq!(server.post(&key, "/api/v1/invoices", &payload).status, 201);
        let cx = server.owner("anna@example.com");
        let now = "2026-04-20T10:00:00Z".parse().unwrap();
        let who = cx.clone();
        server.write(move |tx| vat_filings::file(tx, &who.at(now), Quarter::new(2026, 1).unwrap().into()));
        for (date, status) in
            [("2025-12-31", 201), ("2026-01-01", 409), ("2026-03-31", 409), ("2026-04-01", 201)]
        {
            payload["invoiceDate"] = json!(date);
            let reply = server.post(&key, "/api/v1/invoices", &payload);
            assert_eq!(reply.status, status, "{date}: {}", reply.text);
            if status == 409 {
                assert_eq!(reply.code(), "period_filed");
            }
        }
        let who = cx.clone();
        server
            .write(move |tx| vat_filings::reopen(tx, &who.at(now), Quarter::new(2026, 1).unwrap().into()));
        payload["invoiceDate"] = json!("2026-03-31");
        assert_eq!(server.post(&key, "/api/v1/invoices", &payload).json()["number"], "2026-0003");
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn today_is_the_day_in_amsterdam(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        for (moment, date) in
            [("2026-03-31T21:59:59Z", "2026-03-31"), ("2026-03-31T22:00:00Z", "2026-04-01")]
        {
            server.clock.set(moment);
            assert_eq!(
                server.post(&key, "/api/v1/invoices", &simple_invoice()).json()["invoiceDate"],
                date
            );
        }
    }

    fn a_failing_command_rolls_back_only_itself(engine) {
        let server = Server::start(engine);
        server.account_of("anna@example.com", "NL", store::accounts::Plan::Pro);
        let cx = server.owner("anna@example.com");
        let now = "2026-03-15T11:00:00Z".parse().unwrap();
        let date = jiff::civil::date(2026, 3, 15);
        let outcomes: Vec<bool> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..40_i64)
                .map(|place| {
                    let (server, cx) = (&server, cx.clone());
                    scope.spawn(move || {
                        server
                            .store
                            .write_blocking(move |tx| {
                                let amount = ledger::money::Cents::new(100);
                                let deposit = ManualBooking::PrivateDeposit {
                                    amount,
                                    into: ledger::booking::MoneyAccount::Bank,
                                };
                                manual_entries::record(tx, &cx.at(now), date, &deposit)?;
                                match place % 4 {
                                    0 => Err(service::Error::from(service::InvoiceError::IsADraft)),
                                    1 => panic!(
                                        "a command that panics (this is meant to be printed)"
                                    ),
                                    _ => Ok(()),
                                }
                            })
                            .is_ok()
                    })
                })
                .collect();
            workers.into_iter().map(|worker| worker.join().unwrap()).collect()
        });
        assert_eq!(outcomes.iter().filter(|done| **done).count(), 20);
        let who = cx.clone();
        assert_eq!(
            server
                .store
                .read_blocking(move |tx| service::verify::size(tx, who.actor.account))
                .unwrap(),
            20
        );
        assert!(
            server
                .store
                .read_blocking(move |tx| projects::list(
                    tx,
                    &cx,
                    &store::projects::ProjectFilter::default(),
                    0,
                    10
                ))
                .unwrap()
                .is_empty()
        );
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }
}
