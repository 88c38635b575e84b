//! Audit file for a year, and EC sales list (ICP) for a quarter.

use serde_json::{Value, json};
use testing::{Server, on_both_engines};

/// Contents of each XML element with the given name.
fn elements<'t>(text: &'t str, name: &str) -> Vec<&'t str> {
    let (open, close) = (format!("<{name}>"), format!("</{name}>"));
    text.split(&open).skip(1).map(|rest| rest.split(&close).next().unwrap()).collect()
}

on_both_engines! {
    fn the_audit_file_has_every_entry_of_the_year_and_what_customers_owe(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        for (day, price) in [("2025-12-30", 1000), ("2026-01-15", 500)] {
            let body = json!({"status": "sent", "invoiceDate": day, "customer": {"name": "Museum & Pier", "kvkNumber": "12345678"},
                "items": [{"description": "Work", "unitPrice": price, "vatRate": 21}]});
            assert_eq!(server.post(&key, "/api/v1/invoices", &body).status, 201);
        }
        assert_eq!(
            server
                .post(
                    &key,
                    "/api/v1/invoices/1/payments",
                    &json!({"date": "2026-01-20", "amount": 210})
                )
                .status,
            201
        );
        let file = server.get(&key, "/api/v1/audit-files/2026");
        assert_eq!(
            (file.status, file.header("content-type")),
            (200, Some("application/xml")),
            "{}",
            file.text
        );
        let transactions = &file.text[file.text.find("<transactions>").unwrap()..];
        // The entry for an invoice, with three lines, and the entry for a payment, with two.
        for part in [
            "<linesCount>5</linesCount>",
            "<totalDebit>815.00</totalDebit>",
            "<totalCredit>815.00</totalCredit>",
            "<jrnID>VRK</jrnID>",
            "<jrnID>BET</jrnID>",
        ] {
            assert!(transactions.contains(part), "{part}: {transactions}");
        }
        // Receivables: 1210.00 from 2025, less a payment of 210.00, plus the new invoice of 605.00.
        for part in [
            "<opBalDesc>1210.00</opBalDesc>",
            "<clBalDesc>1605.00</clBalDesc>",
            "Museum &amp; Pier",
            "<RGScode>BVorDebHad</RGScode>",
        ] {
            assert!(file.text.contains(part), "{part}: {}", file.text);
        }
        // The result of the previous year is part of equity.
        let opening = &file.text[file.text.find("<openingBalance>").unwrap()
            ..file.text.find("<transactions>").unwrap()];
        assert!(
            opening.contains("<accID>0500</accID>")
                && opening.contains("<totalDebit>1210.00</totalDebit>"),
            "{opening}"
        );
        let older = server.get(&key, "/api/v1/audit-files/2025?version=3.2");
        assert!(
            older.text.contains("http://www.auditfiles.nl/XAF/3.2")
                && older.text.contains("<linesCount>3</linesCount>"),
            "{}",
            older.text
        );
        assert!(
            server
                .get(&key, "/api/v1/audit-files/2024")
                .text
                .contains("<linesCount>0</linesCount>")
        );
        for (version, named) in [("", "4.0"), ("?version=4.0", "4.0"), ("?version=3.2", "3.2")] {
            let name = format!("attachment; filename=\"auditfile-2026-{named}.xaf\"");
            assert_eq!(
                server
                    .get(&key, &format!("/api/v1/audit-files/2026{version}"))
                    .header("content-disposition"),
                Some(&*name)
            );
        }
        assert_eq!(server.get(&key, "/api/v1/audit-files/1800").status, 422);
        assert_eq!(server.get(&key, "/api/v1/audit-files/2026?version=5").status, 422);
        // `Accept` with only the described media type is fine; another type is not.
        for (accepted, status) in [("application/xml", 200), ("text/csv", 406)] {
            let headers = [("x-api-key", key.as_str()), ("accept", accepted)];
            assert_eq!(
                server.send("GET", "/api/v1/audit-files/2026", &headers, None).status,
                status,
                "{accepted}"
            );
        }
    }

    fn a_later_year_begins_with_capital_and_nothing_private(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let sale = json!({"status": "sent", "invoiceDate": "2025-03-01", "customer": {"name": "Museum De Pier"},
            "items": [{"description": "Work", "unitPrice": 1000, "vatRate": 0, "vatCategory": "exempt"}]});
        assert_eq!(server.post(&key, "/api/v1/invoices", &sale).status, 201);
        for (kind, amount) in
            [("drawing", 200), ("deposit", 50), ("incomeTax", 30), ("premium", 20)]
        {
            let booking = json!({"date": "2025-06-01", "kind": kind, "amount": amount});
            let reply = server.post(&key, "/api/v1/private-bookings", &booking);
            assert_eq!(reply.status, 201, "{}", reply.text);
        }
        for version in ["3.2", "4.0"] {
            let balances = |year: i16| {
                let file =
                    server.get(&key, &format!("/api/v1/audit-files/{year}?version={version}")).text;
                elements(&file, "obLine")
                    .iter()
                    .map(|line| {
                        let part = |name| elements(line, name)[0].to_owned();
                        format!("{} {} {}", part("accID"), part("amntTp"), part("amnt"))
                    })
                    .collect::<Vec<_>>()
            };
            assert_eq!(balances(2025), [""; 0]);
            // Capital: 1000.00 of profit plus 50.00 deposited, less 250.00 withdrawn.
            for year in [2026, 2027] {
                assert_eq!(
                    balances(year),
                    ["0500 C 800.00", "1100 C 200.00", "1300 D 1000.00"],
                    "{version}"
                );
            }
        }
    }

    fn suppliers_have_a_subledger_and_every_line_with_a_box_a_vat_code(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let post = |path: &str, body: Value| {
            let reply = server.post(&key, &format!("/api/v1/{path}"), &body);
            assert_eq!(reply.status, 201, "{path}: {}", reply.text);
            reply.json()
        };
        // A contact that is both customer and supplier, and a supplier without a contact.
        let both = post("contacts", json!({"name": "Atelier Noord"}))["id"].clone();
        let sale = |day: &str| {
            json!({"status": "sent", "invoiceDate": day, "customer": {"name": "Atelier Noord"},
            "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]})
        };
        let bill = |day: &str, supplier: Value, item: Value| {
            let mut bill = json!({"date": day, "description": "Bought", "paidFrom": "unpaid", "items": [item]});
            bill.as_object_mut().unwrap().extend(supplier.as_object().unwrap().clone());
            bill
        };
        let line = |treatment: &str, amount: i64| json!({"category": "4100", "amount": amount, "vatTreatment": treatment, "vatRate": 21});
        post("invoices", sale("2025-11-01"));
        post("expenses", bill("2025-11-02", json!({"contactId": both}), line("normal", 50)));
        post("expenses", bill("2025-11-03", json!({"supplier": "Papierhal"}), line("eu", 300)));
        post("expenses", bill("2025-11-04", json!({}), line("import", 10)));
        let second = post(
            "expenses",
            bill("2026-02-01", json!({"supplier": "Papierhal"}), line("reverseCharge", 40)),
        );
        post(
            &format!("expenses/{}/payments", second["id"]),
            json!({"date": "2026-02-02", "amount": 15}),
        );
        for version in ["3.2", "4.0"] {
            let [first, next] = [2025, 2026].map(|year| {
                server.get(&key, &format!("/api/v1/audit-files/{year}?version={version}")).text
            });
            let relations = |file: &str| {
                elements(file, "customerSupplier")
                    .iter()
                    .map(|relation| {
                        let part = |name| {
                            elements(relation, name).first().map_or("", |text| text).to_owned()
                        };
                        ["custSupName", "custSupTp", "opBalDesc", "opBalTp", "clBalDesc", "clBalTp"]
                            .map(part)
                            .join(" ")
                    })
                    .collect::<Vec<_>>()
            };
            let owed = |balances: [&str; 3]| match version {
                "4.0" => {
                    [("Atelier Noord B", 0), ("Leverancier onbekend S", 1), ("Papierhal S", 2)]
                        .map(|(name, place)| format!("{name} {}", balances[place]))
                }
                _ => ["Atelier Noord B", "Leverancier onbekend S", "Papierhal S"]
                    .map(|name| format!("{name}    ")),
            };
            assert_eq!(
                relations(&first),
                owed(["0.00 D 60.50 D", "0.00 D 10.00 C", "0.00 D 300.00 C"])
            );
            assert_eq!(
                relations(&next),
                owed(["60.50 D 60.50 D", "10.00 C 10.00 C", "300.00 C 325.00 C"])
            );
            if version == "3.2" {
                let lines: Vec<_> = elements(&next, "obSbLine")
                    .iter()
                    .map(|line| ["amnt", "amntTp"].map(|name| elements(line, name)[0]).join(" "))
                    .collect();
                assert_eq!(lines, ["121.00 D", "60.50 C", "10.00 C", "300.00 C"]);
            }
            // The supplier has the same identifier in both years.
            let of_bill = |file: &str, amount: &str| {
                let its = |line: &&&str| {
                    line.contains("<accID>1600</accID>")
                        && line.contains(&format!("<amnt>{amount}</amnt>"))
                };
                elements(elements(file, "trLine").iter().find(its).unwrap(), "custSupID")[0]
                    .to_owned()
            };
            assert_eq!(of_bill(&first, "300.00"), of_bill(&next, "40.00"));
            let codes = |file: &str| {
                elements(file, "trLine")
                    .iter()
                    .filter(|line| line.contains("<vat>"))
                    .map(|line| {
                        ["accID", "vatID", "vatPerc", "vatAmnt", "vatAmntTp"]
                            .map(|name| elements(line, name)[0])
                            .join(" ")
                    })
                    .collect::<Vec<_>>()
            };
            assert_eq!(
                codes(&first),
                [
                    "8000 1a 21 21.00 C",
                    "1700 1a 21 21.00 C",
                    "1500 5b 21 10.50 D",
                    "4100 4b 21 63.00 C",
                    "1520 5b 21 63.00 D",
                    "1760 4b 21 63.00 C",
                    "4100 4a 21 2.10 C",
                    "1520 5b 21 2.10 D",
                    "1750 4a 21 2.10 C",
                ],
                "{version}"
            );
            assert_eq!(
                codes(&next),
                ["4100 2a 21 8.40 C", "1520 5b 21 8.40 D", "1740 2a 21 8.40 C"],
                "{version}"
            );
        }
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    /// Private use is in box 1d; what was drawn in kind belongs to the capital of the next year.
    fn private_use_has_the_vat_code_of_its_box(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        for (kind, vat, base) in [("car", 540, 4400), ("goods", 21, 100)] {
            let body = json!({"date": "2025-12-31", "kind": kind, "vat": vat, "base": base});
            let reply = server.post(&key, "/api/v1/private-use", &body);
            assert_eq!(reply.status, 201, "{}", reply.text);
        }
        for version in ["3.2", "4.0"] {
            let [file, next] = [2025, 2026].map(|year| {
                server.get(&key, &format!("/api/v1/audit-files/{year}?version={version}")).text
            });
            let lines = elements(&file, "trLine");
            let coded = lines.iter().filter(|line| line.contains("<vat>"));
            let codes: Vec<String> = coded
                .map(|line| {
                    ["accID", "vatID", "vatAmnt", "vatAmntTp"].map(|name| elements(line, name)[0]).join(" ")
                })
                .collect();
            // 540.00 of VAT on the car, whose base is no revenue, and 21 % of goods of 100.00.
            let car = ["1730 1d 540.00 C", "4240 1d 540.00 C"];
            let goods = ["8900 1d 21.00 C", "1730 1d 21.00 C"];
            assert_eq!(codes, [car, goods].concat(), "{version}");
            let balances: Vec<String> = elements(&next, "obLine")
                .iter()
                .map(|line| ["accID", "amntTp", "amnt"].map(|name| elements(line, name)[0]).join(" "))
                .collect();
            // A profit of 100.00 and 4 400.00 less 540.00, less 121.00 and 4 400.00 drawn in kind.
            assert_eq!(balances, ["0500 D 561.00", "1730 C 561.00"], "{version}");
        }
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn supplies_to_other_member_states_are_declared_per_vat_number(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        for (number, supply, price) in [
            (Some("DE123456788"), "services", 1000.5),
            (Some("DE123456788"), "goods", 200.0),
            (None, "services", 50.0),
        ] {
            let mut customer = json!({"name": format!("Kunde {number:?}"), "country": "DE"});
            if let Some(number) = number {
                customer["vatNumber"] = json!(number);
            }
            let body = json!({"status": "sent", "invoiceDate": "2026-02-15", "customer": customer,
                "items": [{"description": "Work", "unitPrice": price, "vatRate": 0, "vatCategory": "intraCommunity", "supply": supply}]});
            let reply = server.post(&key, "/api/v1/invoices", &body);
            assert_eq!(reply.status, 201, "{}", reply.text);
        }
        let icp = server.get(&key, "/api/v1/vat-filings/2026/1/icp").json();
        assert_eq!(
            icp["rows"],
            json!([{"vatNumber": "DE123456788", "goods": 200, "services": 1000, "triangular": 0}]),
            "{icp}"
        );
        assert_eq!(
            (&icp["total"], &icp["box3b"], &icp["difference"]),
            (&json!(1200), &json!(1250.50), &json!(50.00))
        );
        assert_eq!(icp["withoutNumber"], json!([{"number": "2026-0003", "amount": 50.00}]));
        assert_eq!(server.get(&key, "/api/v1/vat-filings/2026/2/icp").json()["rows"], json!([]));
        assert_eq!(server.get(&key, "/api/v1/vat-filings/2026/5/icp").status, 422);
    }
}
