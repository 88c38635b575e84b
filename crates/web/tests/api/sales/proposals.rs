//! VAT proposed where an invoice leaves the rate out, and dry runs before anything leaves.

use crate::help::patch;
use serde_json::{Value, json};
use service::people;
use testing::{Engine, Server, on_both_engines};

const EMAIL: &str = "anna@example.com";

fn started(engine: Engine) -> (Server, String) {
    let server = Server::start(engine);
    let key = server.account(EMAIL);
    (server, key)
}

/// Invoice over €200.00 without a rate, for a customer with these details.
fn invoice(customer: &Value, supply: &str) -> Value {
    // A customer with the same name and country would be the same contact, with its details.
    let details = customer.to_string();
    let mut party = json!({"name": format!("Klant {}", details.replace(['{', '}', '"'], ""))});
    party.as_object_mut().unwrap().extend(customer.as_object().unwrap().clone());
    json!({
        "customer": party,
        "items": [{"description": "Work", "quantity": 2, "unitPrice": 100, "supply": supply}],
    })
}

/// Rate and category of the first line.
fn vat_of(body: &Value) -> String {
    let item = &body["items"][0];
    format!("{} {}", item["vatRate"], item["vatCategory"].as_str().unwrap_or_default())
}

fn codes(body: &Value) -> Vec<String> {
    let warnings = body["warnings"].as_array().unwrap_or_else(|| panic!("{body}")).iter();
    warnings.map(|warning| warning["code"].as_str().unwrap().to_owned()).collect()
}

/// Removes what a preview lacks.
fn without_identity(mut invoice: Value) -> Value {
    let own =
        ["id", "number", "publicUrl", "entryIds", "createdAt", "updatedAt", "dryRun", "entries"];
    for name in own {
        invoice.as_object_mut().unwrap().remove(name);
    }
    invoice["customer"]["contactId"] = Value::Null;
    invoice
}

/// Everything that the account has, as its owner can download it.
fn everything(server: &Server) -> Value {
    let account = server.owner(EMAIL).actor.account;
    server.export(account)
}

on_both_engines! {
    fn the_rate_left_out_is_the_one_that_the_customer_and_the_law_propose(engine) {
        let (server, key) = started(engine);
        let business = |country: &str| json!({"country": country, "kind": "business"});
        let consumer = |country: &str| json!({"country": country, "kind": "consumer"});
        let number = |country: &str, number: &str| json!({"country": country, "vatNumber": number});
        let usual = |country: &str, usual: Value| json!({"country": country, "vatDefault": usual});
        for (customer, services, goods) in [
            (json!({}), "21 standard", "21 standard"),
            (json!({"kvkNumber": "12345678"}), "21 standard", "21 standard"),
            (number("DE", "DE136695976"), "0 intraCommunity", "0 intraCommunity"),
            (business("DE"), "0 intraCommunity", "0 intraCommunity"),
            (consumer("DE"), "21 standard", "21 standard"),
            (json!({"country": "DE"}), "21 standard", "21 standard"),
            (number("GB", "XI980780684"), "0 serviceOutsideEu", "0 intraCommunity"),
            (number("GB", "GB980780684"), "0 serviceOutsideEu", "0 export"),
            (number("CH", "CHE107787577"), "0 serviceOutsideEu", "0 export"),
            (business("US"), "0 serviceOutsideEu", "0 export"),
            (consumer("US"), "21 standard", "0 export"),
            (json!({"country": "US"}), "21 standard", "0 export"),
            (usual("NL", json!({"vatRate": 9})), "9 standard", "9 standard"),
            (usual("DE", json!({"vatRate": 21})), "21 standard", "21 standard"),
            (
                usual("NL", json!({"vatRate": 0, "vatCategory": "reverseCharge"})),
                "0 reverseCharge",
                "0 reverseCharge",
            ),
        ] {
            for (supply, expected) in [("services", services), ("goods", goods)] {
                let made = server.post(&key, "/api/v1/invoices", &invoice(&customer, supply));
                assert_eq!(made.status, 201, "{customer}: {}", made.text);
                assert_eq!(vat_of(&made.json()), expected, "{customer} {supply}");
            }
        }
        // A stated rate or category stays.
        for (stated, expected) in [
            (json!({"vatRate": 21}), "21 standard"),
            (json!({"vatCategory": "exempt"}), "0 exempt"),
            (json!({"vatCategory": "standard"}), "21 standard"),
            (json!({"taxCountry": "NL"}), "21 standard"),
        ] {
            let mut body = invoice(&business("DE"), "services");
            body["items"][0].as_object_mut().unwrap().extend(stated.as_object().unwrap().clone());
            let made = server.post(&key, "/api/v1/invoices", &body);
            assert_eq!(vat_of(&made.json()), expected, "{stated}: {}", made.text);
        }
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_business_abroad_at_the_dutch_rate_is_warned_of(engine) {
        let (server, key) = started(engine);
        let warned = |customer: Value, line: Value| {
            let mut body = invoice(&customer, "services");
            body["items"][0].as_object_mut().unwrap().extend(line.as_object().unwrap().clone());
            let made = server.post(&key, "/api/v1/invoices", &body);
            assert_eq!(made.status, 201, "{}", made.text);
            let new = [
                "eu_business_at_dutch_rate", "non_eu_at_dutch_rate", "customer_kind_unknown",
                "customer_address_missing", "buyer_reference_missing", "consumer_abroad",
            ];
            let found = codes(&made.json());
            found.into_iter().filter(|code| new.contains(&code.as_str())).collect::<Vec<_>>().join(" ")
        };
        let at = |country: &str, kind: &str| {
            json!({"country": country, "kind": kind, "address": {"street": "A 1", "city": "B"}})
        };
        let dutch = || json!({"vatRate": 21});
        for (customer, line, expected) in [
            (at("DE", "business"), dutch(), "eu_business_at_dutch_rate"),
            (at("DE", "business"), json!({"vatRate": 21, "taxCountry": "NL"}), ""),
            (at("DE", "business"), json!({}), ""),
            (at("US", "business"), dutch(), "non_eu_at_dutch_rate"),
            (at("US", "consumer"), dutch(), ""),
            (at("US", "consumer"), json!({"vatRate": 21, "supply": "goods"}), "non_eu_at_dutch_rate"),
            (json!({"country": "US"}), dutch(), "non_eu_at_dutch_rate customer_kind_unknown"),
            (json!({"country": "DE"}), dutch(), "consumer_abroad customer_kind_unknown"),
            (json!({"kind": "business"}), dutch(), "customer_address_missing"),
            (json!({"kind": "consumer"}), dutch(), ""),
            (json!({}), dutch(), ""),
            (json!({"peppolId": "0106:12345678"}), dutch(), "buyer_reference_missing"),
        ] {
            assert_eq!(warned(customer.clone(), line.clone()), expected, "{customer} {line}");
        }
        // A simplified invoice, up to €100, need not name the customer.
        let small = json!({"vatRate": 21, "quantity": 1, "unitPrice": 50});
        assert_eq!(warned(json!({"kind": "business"}), small), "");
    }

    /// A dry run equals the invoice that is then made, and writes nothing.
    fn a_dry_run_shows_the_invoice_and_writes_nothing(engine) {
        let (server, key) = started(engine);
        let _ = server.post(&key, "/api/v1/contacts", &json!({"externalId": "c-1", "name": "Known", "country": "DE", "kind": "business"}));
        let bodies = [
            invoice(&json!({"country": "DE", "vatNumber": "DE136695976"}), "goods"),
            invoice(&json!({"externalId": "c-1"}), "services"),
            json!({"customer": {"name": "New"}, "status": "sent", "items": [
                {"description": "a", "quantity": 3, "unitPrice": 33.335, "vatRate": 21},
                {"description": "b", "quantity": -1, "unitPrice": 5, "vatRate": 9},
                {"description": "c", "unitPrice": 100, "vatRate": 9},
            ], "pricesIncludeVat": true, "supplyDate": "2026-01-02", "invoiceDate": "2026-03-10"}),
            json!({"customer": {"name": "New"}, "prepayment": true, "items": [
                {"description": "a", "unitPrice": 50, "vatRate": 21}]}),
        ];
        for body in bodies {
            let before = everything(&server);
            let dry = server.post(&key, "/api/v1/invoices?dryRun=true", &body);
            assert_eq!((dry.status, dry.header("location")), (200, None), "{}", dry.text);
            assert_eq!(everything(&server), before, "{body}");
            let dry = dry.json();
            for name in ["id", "number", "publicUrl", "entryIds", "createdAt", "updatedAt"] {
                assert!(dry.get(name).is_none(), "{name}");
            }
            assert_eq!(dry["dryRun"], true);
            let made = server.post(&key, "/api/v1/invoices", &body);
            assert_eq!(made.status, 201, "{}", made.text);
            let made = made.json();
            assert_eq!(without_identity(dry.clone()), without_identity(made.clone()));
            let booked: Vec<Value> = made["entryIds"].as_array().unwrap().iter().map(|id| {
                let entry = server.get(&key, &format!("/api/v1/entries/{id}")).json();
                json!({"date": entry["date"], "lines": entry["lines"]})
            }).collect();
            assert_eq!(dry["entries"], json!(booked));
        }
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_dry_run_tells_whether_the_contact_is_new(engine) {
        let (server, key) = started(engine);
        let body = invoice(&json!({}), "services");
        let preview = || server.post(&key, "/api/v1/invoices?dryRun=true", &body).json();
        assert_eq!(preview()["customer"]["contactId"], Value::Null);
        assert_eq!(server.post(&key, "/api/v1/invoices", &body).status, 201);
        assert_eq!(preview()["customer"]["contactId"], 1);
    }

    fn a_dry_run_refuses_as_in_earnest_and_knows_external_ids(engine) {
        let (server, key) = started(engine);
        let path = "/api/v1/invoices?dryRun=true";
        let mut body = invoice(&json!({}), "services");
        body["invoiceDate"] = json!("nonsense");
        let refused = server.post(&key, path, &body);
        assert_eq!(
            (refused.status, refused.faults()),
            (422, vec![("/invoiceDate".to_owned(), "invalid_date".to_owned())])
        );
        let nobody = json!({"customer": {"externalId": "c-9"}, "items": body["items"]});
        assert_eq!(
            server.post(&key, path, &nobody).faults(),
            [("/customer/name".to_owned(), "required".to_owned())]
        );
        let wrong = server.post(&key, "/api/v1/invoices?dryRun=maybe", &nobody);
        assert_eq!(wrong.status, 422, "{}", wrong.text);
        let mut body = invoice(&json!({}), "services");
        body["externalId"] = json!("order-1");
        let preview = server.post(&key, path, &body);
        assert_eq!((preview.status, preview.header("idempotent-replay")), (200, None));
        let made = server.post(&key, "/api/v1/invoices", &body).json();
        let again = server.post(&key, path, &body);
        assert_eq!(
            (again.status, again.header("idempotent-replay"), again.json()),
            (200, Some("true"), made)
        );
        // A key is not used up.
        let keyed = |path: &str| {
            let headers = [
                ("x-api-key", key.as_str()),
                ("content-type", "application/json"),
                ("idempotency-key", "k-1"),
            ];
            let body = invoice(&json!({}), "services").to_string();
            server.send("POST", path, &headers, Some(body.as_bytes()))
        };
        assert_eq!(keyed(path).status, 200);
        assert_eq!(keyed("/api/v1/invoices").status, 201);
    }

    fn a_dry_run_of_an_edit_shows_the_draft_as_it_would_be(engine) {
        let (server, key) = started(engine);
        let _ = server.post(&key, "/api/v1/invoices", &invoice(&json!({}), "services"));
        let edit = json!({"status": "sent", "items": [{"description": "y", "unitPrice": 70}]});
        let before = everything(&server);
        let dry = patch(&server, &key, "/api/v1/invoices/1?dryRun=true", &[], &edit);
        assert_eq!(dry.status, 200, "{}", dry.text);
        assert_eq!(everything(&server), before);
        let dry = dry.json();
        assert_eq!((&dry["status"], &dry["total"]), (&json!("sent"), &json!(84.7)));
        // The old booking is reversed, and the new one made.
        assert_eq!(dry["entries"].as_array().unwrap().len(), 2);
        let stale = patch(&server, &key, "/api/v1/invoices/1?dryRun=true", &["\"x\""], &edit);
        assert_eq!(stale.status, 412, "{}", stale.text);
        let sent = patch(&server, &key, "/api/v1/invoices/1", &[], &edit).json();
        let mut expected = without_identity(sent);
        let contact = json!(1);
        expected["customer"]["contactId"] = contact.clone();
        let mut shown = without_identity(dry);
        shown["customer"]["contactId"] = contact;
        assert_eq!(shown, expected);
        let again = patch(&server, &key, "/api/v1/invoices/1?dryRun=true", &[], &edit);
        assert_eq!(again.code(), "not_a_draft");
    }

    fn a_dry_run_of_a_mail_shows_it_with_its_documents(engine) {
        let (server, key) = started(engine);
        let env = server.env();
        server.write(move |tx| {
            let account = service::accounts::by_email(tx, EMAIL)?;
            let command = people::settings::UpdateSettings {
                street: Some("Werkpad 2".into()),
                postal_code: Some("3512 CD".into()),
                city: Some("Utrecht".into()),
                kvk_number: ledger::identifiers::KvkNumber::parse("12345678").ok(),
                vat_number: ledger::identifiers::VatNumber::parse("NL000099998B57").ok(),
                ..people::settings::UpdateSettings::of(&account)
            };
            people::settings::update(tx, &env, account.id, &command)
        });
        let mut body = invoice(&json!({"country": "US", "emails": [
            {"email": "a@us.example"}, {"email": "b@us.example", "uses": ["invoice"]}]}), "services");
        body["invoiceDate"] = json!("2026-01-10");
        assert_eq!(server.post(&key, "/api/v1/invoices", &body).status, 201);
        let before = everything(&server);
        let dry = server.post(&key, "/api/v1/invoices/1/send?dryRun=true", &json!({}));
        assert_eq!(dry.status, 200, "{}", dry.text);
        assert_eq!(everything(&server), before);
        let dry = dry.json();
        assert_eq!((&dry["to"], &dry["cc"]), (&json!("a@us.example"), &json!(["b@us.example"])));
        let html = dry["html"].as_str().unwrap();
        assert!(html.starts_with("<!doctype html>") && html.contains("2026-0001"), "{html}");
        let names: Vec<&str> = dry["attachments"].as_array().unwrap().iter()
            .map(|attachment| attachment["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["2026-0001.pdf", "2026-0001.xml"]);
        let found = codes(&dry);
        assert!(found.contains(&"non_eu_at_dutch_rate".to_owned()), "{found:?}");
        assert!(!found.contains(&"draft_on_return".to_owned()), "{found:?}");
        // In earnest the mail is the same.
        let sent = server.post(&key, "/api/v1/invoices/1/send", &json!({}));
        assert_eq!((sent.status, &sent.json()["subject"]), (202, &dry["subject"]), "{}", sent.text);
        for (attachment, path) in dry["attachments"].as_array().unwrap().iter().zip(["pdf", "ubl"]) {
            let document = server.get(&key, &format!("/api/v1/invoices/1/{path}"));
            let size = document.header("content-length").unwrap().parse::<usize>().unwrap();
            assert_eq!(attachment["size"], json!(size), "{path}");
        }
        let dry = server.post(&key, "/api/v1/invoices/1/remind?dryRun=true", &json!({}));
        assert_eq!((dry.status, &dry.json()["to"]), (200, &json!("a@us.example")), "{}", dry.text);
        let messages = server.get(&key, "/api/v1/invoices/1/messages").json();
        assert_eq!(messages["data"].as_array().unwrap().len(), 1);
        assert_eq!(server.post(&key, "/api/v1/invoices/2/send?dryRun=true", &json!({})).status, 404);
    }

    fn the_account_shows_what_its_documents_do(engine) {
        let (server, key) = started(engine);
        let account = server.get(&key, "/api/v1/account").json();
        for name in ["iban", "bic", "phone", "website", "language"] {
            assert_eq!(account.get(name), Some(&Value::Null), "{name}");
        }
        let env = server.env();
        server.write(move |tx| {
            let account = service::accounts::by_email(tx, EMAIL)?;
            let command = people::settings::UpdateSettings {
                bic: ledger::identifiers::Bic::parse("ABNANL2A").ok(),
                phone: Some("030 123".into()),
                website: Some("https://anna.example".into()),
                ..people::settings::UpdateSettings::of(&account)
            };
            people::settings::update(tx, &env, account.id, &command)
        });
        let account = server.get(&key, "/api/v1/account").json();
        assert_eq!(
            json!([account["bic"], account["phone"], account["website"]]),
            json!(["ABNANL2A", "030 123", "https://anna.example"])
        );
    }
}
