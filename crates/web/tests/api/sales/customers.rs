//! Details of a customer: kind, language, term, usual VAT, addresses by use, and numbers.

use crate::help::{patch, put};
use serde_json::{Value, json};
use testing::{Engine, Server, on_both_engines};

const EMAIL: &str = "anna@example.com";

fn started(engine: Engine) -> (Server, String) {
    let server = Server::start(engine);
    let key = server.account(EMAIL);
    (server, key)
}

fn contact(server: &Server, key: &str, body: &Value) -> Value {
    let reply = server.post(key, "/api/v1/contacts", body);
    assert_eq!(reply.status, 201, "{body}: {}", reply.text);
    reply.json()
}

on_both_engines! {
    fn the_details_of_a_customer_are_stored_changed_and_removed(engine) {
        let (server, key) = started(engine);
        let details = json!({
            "kind": "business", "language": "en", "phone": "+31 (0)30 123-45.67", "paymentTermDays": 0,
            "vatDefault": {"vatRate": 0, "vatCategory": "reverseCharge", "supply": "goods"},
            "peppolId": "0190:00000001234567890123",
        });
        let mut body = json!({"name": "Gemeente Utrecht", "address": {"postalCode": "3511ab"}});
        body.as_object_mut().unwrap().extend(details.as_object().unwrap().clone());
        let made = contact(&server, &key, &body);
        for (name, value) in details.as_object().unwrap() {
            assert_eq!(&made[name], value, "{name}");
        }
        assert_eq!(made["address"]["postalCode"], "3511 AB");
        assert_eq!(server.get(&key, "/api/v1/contacts/1").json(), made);
        let edit = |body: Value| patch(&server, &key, "/api/v1/contacts/1", &[], &body).json();
        let edited = edit(json!({"phone": null, "vatDefault": {"vatRate": 9}, "paymentTermDays": 365}));
        assert_eq!(
            (&edited["phone"], &edited["vatDefault"], &edited["paymentTermDays"], &edited["kind"]),
            (
                &Value::Null,
                &json!({"vatRate": 9, "vatCategory": null, "supply": null}),
                &json!(365),
                &json!("business")
            )
        );
        let edited = edit(json!({"vatDefault": null, "kind": null, "peppolId": null}));
        for name in ["vatDefault", "kind", "peppolId"] {
            assert_eq!(edited[name], Value::Null, "{name}");
        }
        let replaced = put(&server, &key, "/api/v1/contacts/external/c-1", &body).json();
        assert_eq!(replaced["vatDefault"], details["vatDefault"]);
        let bare = put(&server, &key, "/api/v1/contacts/external/c-1", &json!({"name": "X"})).json();
        assert_eq!((&bare["vatDefault"], &bare["emails"]), (&Value::Null, &json!([])));
    }

    fn wrong_details_are_refused_at_their_field(engine) {
        let (server, key) = started(engine);
        let usual = |rest: Value| json!({"vatDefault": rest});
        let cases = [
            (json!({"kind": "company"}), "/kind", "unknown_value"),
            (json!({"kind": "consumer", "vatNumber": "DE136695976"}), "/kind", "conflicting_fields"),
            (json!({"language": "de"}), "/language", "unknown_value"),
            (json!({"phone": "call me"}), "/phone", "invalid_format"),
            (json!({"phone": "1".repeat(41)}), "/phone", "too_long"),
            (json!({"paymentTermDays": 366}), "/paymentTermDays", "out_of_range"),
            (usual(json!({"vatCategory": "zero"})), "/vatDefault/vatRate", "required"),
            (usual(json!({"vatRate": 26})), "/vatDefault/vatRate", "unknown_vat_rate"),
            (usual(json!({"vatRate": 101})), "/vatDefault/vatRate", "out_of_range"),
            (usual(json!({"vatRate": 0, "vatCategory": "standard"})), "/vatDefault/vatCategory", "unknown_value"),
            (usual(json!({"vatRate": 21, "supply": "gold"})), "/vatDefault/supply", "unknown_value"),
            (json!({"peppolId": "0106"}), "/peppolId", "invalid_format"),
            (json!({"peppolId": "0106:123"}), "/peppolId", "invalid_format"),
            (json!({"peppolId": "0001:123"}), "/peppolId", "unknown_value"),
            (json!({"vatNumber": "DE12345678"}), "/vatNumber", "invalid_format"),
            (json!({"vatNumber": "US123456789"}), "/vatNumber", "invalid_format"),
            (json!({"emails": [{"uses": ["invoice"]}]}), "/emails/0/email", "required"),
            (json!({"emails": [{"email": "a@b.nl", "uses": []}]}), "/emails/0/uses", "required"),
            (json!({"emails": [{"email": "a@b.nl", "uses": ["spam"]}]}), "/emails/0/uses", "unknown_value"),
            (json!({"emails": [{"email": "a@localhost"}]}), "/emails/0/email", "invalid_format"),
            (json!({"email": "c@b.nl", "emails": [{"email": "a@b.nl"}]}), "/email", "conflicting_fields"),
        ];
        for (mut body, path, code) in cases {
            body["name"] = json!("A");
            let refused = server.post(&key, "/api/v1/contacts", &body);
            assert_eq!(refused.faults(), [(path.to_owned(), code.to_owned())], "{body}");
        }
        let many = vec![json!({"email": "a@b.nl"}); 11];
        let refused = server.post(&key, "/api/v1/contacts", &json!({"name": "A", "emails": many}));
        assert_eq!(refused.faults(), [("/emails".to_owned(), "too_many".to_owned())]);
        // On an invoice the same faults stand at the customer.
        let invoice = json!({
            "customer": {"name": "A", "kind": "consumer", "vatNumber": "DE136695976"},
            "items": [{"description": "x", "unitPrice": 1, "vatRate": 21}],
        });
        let refused = server.post(&key, "/api/v1/invoices", &invoice);
        assert_eq!(
            refused.faults(),
            [("/customer/kind".to_owned(), "conflicting_fields".to_owned())]
        );
    }

    fn the_first_address_of_a_use_is_the_recipient_and_the_others_get_a_copy(engine) {
        let (server, key) = started(engine);
        let emails = json!([
            {"email": "boss@müller.example", "uses": ["quote"]},
            {"email": "bills@pier.example", "uses": ["invoice"]},
            {"email": "copy@pier.example", "uses": ["invoice", "reminder"]},
        ]);
        let made = contact(&server, &key, &json!({"name": "De Pier", "emails": emails}));
        assert_eq!(made["email"], "bills@pier.example");
        assert_eq!(made["emails"][0]["email"], "boss@xn--mller-kva.example");
        let edit = |body: Value| patch(&server, &key, "/api/v1/contacts/1", &[], &body).json();
        // Writing the address replaces the first one for invoices.
        let edited = edit(json!({"email": "new@pier.example"}));
        assert_eq!(
            (&edited["email"], &edited["emails"][1]),
            (&json!("new@pier.example"), &json!({"email": "new@pier.example", "uses": ["invoice"]}))
        );
        let invoice = json!({
            "customer": {"contactId": 1}, "status": "sent", "invoiceDate": "2026-01-10",
            "items": [{"description": "x", "unitPrice": 1, "vatRate": 21}],
        });
        assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).status, 201);
        let to = |path: &str, body: Value| {
            let mail = server.post(&key, &format!("/api/v1/invoices/1/{path}"), &body).json();
            json!([mail["to"], mail["cc"]])
        };
        assert_eq!(to("send", json!({})), json!(["new@pier.example", ["copy@pier.example"]]));
        assert_eq!(to("remind", json!({})), json!(["copy@pier.example", []]));
        assert_eq!(to("send", json!({"to": "x@pier.example"})), json!(["x@pier.example", []]));
        let both = json!({"cc": ["a@pier.example", "new@pier.example", "a@pier.example"]});
        assert_eq!(to("send", both), json!(["new@pier.example", ["a@pier.example"]]));
        let refused = server.post(&key, "/api/v1/invoices/1/send", &json!({"cc": ["nobody"]}));
        assert_eq!(refused.faults(), [("/cc".to_owned(), "invalid_format".to_owned())]);
        server.deliver_mails();
        // Without addresses by use, the one address is for everything.
        let alone = contact(&server, &key, &json!({"name": "B", "email": "b@b.example"}));
        let uses = json!(["invoice", "quote", "reminder", "thanks"]);
        assert_eq!(alone["emails"], json!([{"email": "b@b.example", "uses": uses}]));
    }

    fn documents_and_terms_are_those_of_the_customer(engine) {
        let (server, key) = started(engine);
        contact(&server, &key, &json!({"name": "Smith", "language": "en", "paymentTermDays": 7, "email": "s@smith.example"}));
        let invoice = |rest: Value| {
            let mut body = json!({
                "customer": {"contactId": 1}, "invoiceDate": "2026-03-10", "status": "sent",
                "items": [{"description": "x", "unitPrice": 1, "vatRate": 21}],
            });
            body.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
            let reply = server.post(&key, "/api/v1/invoices", &body);
            assert_eq!(reply.status, 201, "{}", reply.text);
            reply.json()
        };
        assert_eq!(invoice(json!({}))["dueDate"], "2026-03-17");
        assert_eq!(invoice(json!({"paymentTermDays": 3}))["dueDate"], "2026-03-13");
        assert_eq!(invoice(json!({"dueDate": "2026-03-31"}))["dueDate"], "2026-03-31");
        let own = json!({"contactId": 1, "language": "nl", "paymentTermDays": 1});
        let made = invoice(json!({"customer": own}));
        assert_eq!((&made["dueDate"], &made["customer"]["language"]), (&json!("2026-03-11"), &json!("nl")));
        let subject = |id: i64| {
            let path = format!("/api/v1/invoices/{id}/send");
            server.post(&key, &path, &json!({})).json()["subject"].as_str().unwrap().to_owned()
        };
        assert!(subject(1).starts_with("Invoice"), "{}", subject(1));
        assert!(subject(4).starts_with("Factuur"), "{}", subject(4));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn vat_numbers_of_customers_are_checked_for_their_form_and_warned_of(engine) {
        let (server, key) = started(engine);
        let warned = |country: &str, number: &str| {
            let body = json!({
                "customer": {"name": "A", "country": country, "vatNumber": number},
                "items": [{"description": "x", "unitPrice": 1}],
            });
            let made = server.post(&key, "/api/v1/invoices", &body);
            assert_eq!(made.status, 201, "{}", made.text);
            let made = made.json();
            let codes = made["warnings"].as_array().unwrap().iter();
            let codes: Vec<String> = codes
                .map(|warning| warning["code"].as_str().unwrap().to_owned())
                .filter(|code| code.starts_with("vat_number_"))
                .collect();
            (made["customer"]["vatNumber"].as_str().unwrap().to_owned(), codes.join(" "))
        };
        for (country, number, stored, codes) in [
            ("CH", "CHE-107.787.577 MWST", "CHE107787577", ""),
            ("GB", "gb 980 7806 84", "GB980780684", ""),
            ("GB", "XI980780684", "XI980780684", ""),
            ("GR", "EL094012834", "EL094012834", ""),
            ("MC", "FR16000063601", "FR16000063601", ""),
            ("DE", "DE136695975", "DE136695975", "vat_number_suspicious"),
            ("NL", "NL002455799B12", "NL002455799B12", "vat_number_suspicious"),
            ("BE", "DE136695976", "DE136695976", "vat_number_contradicts_country"),
        ] {
            assert_eq!(warned(country, number), (stored.to_owned(), codes.to_owned()), "{number}");
        }
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }
}
