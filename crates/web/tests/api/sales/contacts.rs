//! Contacts: created, found, merged, and copied onto invoices.

use crate::help::{ids, patch, put, walk};
use serde_json::{Value, json};
use testing::{Server, on_both_engines};

on_both_engines! {
    fn a_contact_is_created_read_and_found(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let reply = server.post(&key, "/api/v1/contacts", &json!({"externalId": "c-1", "name": " Bakkerij De Korenaar ", "country": "be", "email": "Info@Korenaar.be",
            "vatNumber": "BE 0123.456.749", "kvkNumber": "12345678", "contactPerson": "Bas", "address": {"street": "Dorpsstraat 1", "postalCode": "1000", "city": "Brussel"},
            "iban": "be68 5390 0754 7034", "bic": "kredbebb"}));
        assert_eq!(reply.status, 201, "{}", reply.text);
        assert_eq!(
            reply.header("location").unwrap(),
            format!("http://{}/api/v1/contacts/1", server.address)
        );
        assert_eq!(
            reply.json(),
            json!({"id": 1, "externalId": "c-1", "name": "Bakkerij De Korenaar", "country": "BE", "email": "Info@korenaar.be",
            "vatNumber": "BE0123456749", "kvkNumber": "12345678", "contactPerson": "Bas",
            "address": {"street": "Dorpsstraat 1", "postalCode": "1000", "city": "Brussel"},
            "iban": "BE68539007547034", "bic": "KREDBEBB",
            "kind": null, "language": null, "phone": null, "paymentTermDays": null, "vatDefault": null, "peppolId": null,
            "emails": [{"email": "Info@korenaar.be", "uses": ["invoice", "quote", "reminder", "thanks"]}],
            "remindersStopped": false, "status": "active", "mergedInto": null, "createdAt": "2026-03-15T11:00:00.000001Z", "updatedAt": "2026-03-15T11:00:00.000001Z"})
        );
        assert_eq!(server.get(&key, "/api/v1/contacts/1").json(), reply.json());
        let bare = server.post(&key, "/api/v1/contacts", &json!({"name": "A"})).json();
        assert_eq!(
            (&bare["id"], &bare["country"], &bare["externalId"]),
            (&json!(2), &json!("NL"), &Value::Null)
        );
        for body in [
            json!({"externalId": "c-1"}),
            json!({"externalId": "c-1", "name": "", "country": "XX", "x": 1}),
        ] {
            let again = server.post(&key, "/api/v1/contacts", &body);
            assert_eq!(
                (again.status, again.header("idempotent-replay"), again.json()),
                (200, Some("true"), reply.json()),
                "{body}"
            );
        }
        assert_eq!(ids(&server.get(&key, "/api/v1/contacts").json()), [1, 2]);
        for id in ["3", "0", "x"] {
            assert_eq!(
                server.get(&key, &format!("/api/v1/contacts/{id}")).code(),
                "not_found",
                "{id}"
            );
        }
    }

    fn the_bank_account_of_a_contact_is_checked_changed_and_removed(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        for (field, value) in [("iban", "NL91ABNA0417164301"), ("iban", "NL91"), ("bic", "ABNA")] {
            let refused =
                server.post(&key, "/api/v1/contacts", &json!({"name": "A", field: value}));
            assert_eq!(refused.faults(), [(format!("/{field}"), "invalid_format".to_owned())]);
        }
        let iban = "NL91ABNA0417164300";
        let made = server.post(&key, "/api/v1/contacts", &json!({"name": "A", "iban": iban})).json();
        assert_eq!((&made["iban"], &made["bic"]), (&json!(iban), &Value::Null));
        let edit = |body: Value| patch(&server, &key, "/api/v1/contacts/1", &[], &body).json();
        let renamed = edit(json!({"name": "B", "bic": "ABNANL2A"}));
        assert_eq!((&renamed["iban"], &renamed["bic"]), (&json!(iban), &json!("ABNANL2A")));
        let same = edit(json!({"iban": "nl91 abna 0417 1643 00"}));
        assert_eq!(same["updatedAt"], renamed["updatedAt"]);
        let without = edit(json!({"iban": null}));
        assert_eq!((&without["iban"], &without["bic"]), (&Value::Null, &json!("ABNANL2A")));
        let body = json!({"name": "C", "iban": iban});
        let replaced = put(&server, &key, "/api/v1/contacts/external/c-1", &body).json();
        assert_eq!(replaced["iban"], json!(iban));
        let replaced = put(&server, &key, "/api/v1/contacts/external/c-1", &json!({"name": "C"}));
        assert_eq!((replaced.status, &replaced.json()["iban"]), (200, &Value::Null));
    }

    fn contacts_are_found_by_external_id_and_by_any_part_of_name_or_address(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let contacts = [
            ("c-1", "Bakkerij De Korenaar", "info@korenaar.nl"),
            ("c-2", "Café Étoile", "etoile@example.com"),
            ("c_3", "100% Wol_BV", "wol@example.com"),
            ("c-4", "Back\\slash", "x@KORENAAR.nl"),
            ("C-1", "ÖZGÜR & zonen", "o@example.com"),
        ];
        for (external_id, name, email) in contacts {
            assert_eq!(
                server
                    .post(
                        &key,
                        "/api/v1/contacts",
                        &json!({"externalId": external_id, "name": name, "email": email})
                    )
                    .status,
                201
            );
        }
        let cases: &[(&str, &[i64])] = &[
            ("externalId=c-1", &[1]),
            ("externalId=C-1", &[5]),
            ("externalId=c", &[]),
            ("q=korenaar", &[1, 4]),
            ("q=KOREN", &[1, 4]),
            ("q=%25", &[3]),
            ("q=_", &[3]),
            ("q=%5C", &[4]),
            ("q=example.com", &[2, 3, 5]),
            ("q=caf%C3%A9", &[2]),
            ("q=CAF%C3%89", &[2]),
            ("q=%C3%A9toile", &[2]),
            ("q=%C3%89TOILE", &[2]),
            ("q=%C3%B6zg%C3%BCr", &[5]),
            ("q=%C3%96ZG%C3%9CR", &[5]),
            ("q=nobody", &[]),
            ("q=korenaar&externalId=c-4", &[4]),
            ("q='", &[]),
            ("q=De+Kor", &[1]),
        ];
        for (query, expected) in cases {
            let reply = server.get(&key, &format!("/api/v1/contacts?{query}"));
            assert_eq!(reply.status, 200, "{query}: {}", reply.text);
            assert_eq!(ids(&reply.json()), *expected, "{query}");
        }
        let walked = walk(&server, &key, "/api/v1/contacts?limit=1&q=example.com", || {
            assert_eq!(
                server.post(&key, "/api/v1/contacts", &json!({"name": "Later"})).status,
                201
            );
        });
        assert_eq!(
            walked.iter().map(|row| row["id"].as_i64().unwrap()).collect::<Vec<_>>(),
            [2, 3, 5]
        );
    }

    fn invoices_find_contacts_by_the_rules_and_keep_their_own_copy(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let existing = json!({"externalId": "c-1", "name": "Korenaar", "country": "BE", "email": "a@b.be", "address": {"city": "Gent"}});
        assert_eq!(server.post(&key, "/api/v1/contacts", &existing).json()["id"], 1);
        assert_eq!(
            server.post(&key, "/api/v1/contacts", &json!({"name": "Molen"})).json()["id"],
            2
        );
        let contacts = || server.get(&key, "/api/v1/contacts").text;
        let make = |customer: Value| {
            let reply = server.post(&key, "/api/v1/invoices", &json!({"customer": customer, "items": [{"description": "x", "unitPrice": 5, "vatRate": 21}]}));
            assert_eq!(reply.status, 201, "{}", reply.text);
            (reply.json()["customer"]["contactId"].as_i64().unwrap(), reply.json())
        };
        let before = contacts();
        let (contact, first) = make(json!({"externalId": "c-1"}));
        assert_eq!(
            (
                contact,
                &first["customer"]["name"],
                &first["customer"]["country"],
                &first["customer"]["email"],
                &first["customer"]["address"]["city"]
            ),
            (1, &json!("Korenaar"), &json!("BE"), &json!("a@b.be"), &json!("Gent"))
        );
        // A name in an invoice that differs from the contact's applies to that invoice only.
        let (contact, second) =
            make(json!({"externalId": "c-1", "name": "Korenaar BV", "country": "DE"}));
        assert_eq!(
            (contact, &second["customer"]["name"], &second["customer"]["country"]),
            (1, &json!("Korenaar BV"), &json!("DE"))
        );
        // Without an external id, only a contact without one is matched, by exact name and country.
        assert_eq!(make(json!({"name": "Molen"})).0, 2);
        assert_eq!(make(json!({"name": "Molen", "country": "nl"})).0, 2);
        assert_eq!(contacts(), before);
        assert_eq!(make(json!({"name": "molen"})).0, 3);
        assert_eq!(make(json!({"name": "Molen", "country": "BE"})).0, 4);
        assert_eq!(make(json!({"name": "Korenaar", "country": "BE"})).0, 5);
        // A new external id creates a contact, even if one without external id has the same name.
        assert_eq!(make(json!({"externalId": "c-2", "name": "Molen"})).0, 6);
        assert_eq!(make(json!({"externalId": "c-2"})).1["customer"]["name"], "Molen");
        assert_eq!(server.get(&key, "/api/v1/invoices/1").json()["customer"], first["customer"]);
        assert_eq!(server.get(&key, "/api/v1/invoices/2").json()["customer"], second["customer"]);
        assert_eq!(ids(&server.get(&key, "/api/v1/invoices?contactId=1").json()), [2, 1]);
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn concurrent_equal_contacts_create_one(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let statuses: Vec<u16> = std::thread::scope(|scope| {
            let make = || {
                server
                    .post(&key, "/api/v1/contacts", &json!({"externalId": "c", "name": "A"}))
                    .status
            };
            let workers: Vec<_> = (0..16).map(|_| scope.spawn(make)).collect();
            workers.into_iter().map(|worker| worker.join().unwrap()).collect()
        });
        assert_eq!(
            (
                statuses.iter().filter(|status| **status == 201).count(),
                statuses.iter().filter(|status| **status == 200).count()
            ),
            (1, 15)
        );
        // Concurrent invoices for the same new customer create one contact too.
        std::thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| {
                    let payload = json!({"customer": {"name": "New"}, "items": [{"description": "x", "unitPrice": 5, "vatRate": 21}]});
                    assert_eq!(server.post(&key, "/api/v1/invoices", &payload).json()["customer"]["contactId"], 2);
                });
            }
        });
        assert_eq!(ids(&server.get(&key, "/api/v1/contacts").json()), [1, 2]);
    }

    fn a_dutch_postal_code_is_kept_as_the_post_writes_it(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let code = |body: &Value| body["address"]["postalCode"].clone();
        for (country, input, expected) in [
            ("NL", "3511ab", "3511 AB"),
            ("NL", " 3511  aB", "3511 AB"),
            // Invalid and foreign postal codes are stored unchanged.
            ("NL", "Postbus 7", "Postbus 7"),
            ("BE", "1000ab", "1000ab"),
        ] {
            let contact =
                json!({"name": "K", "country": country, "address": {"postalCode": input}});
            let reply = server.post(&key, "/api/v1/contacts", &contact);
            assert_eq!((reply.status, code(&reply.json())), (201, json!(expected)), "{input}");
            let customer = json!({"name": format!("{country} {input}"), "country": country, "address": {"postalCode": input}});
            let invoice = server.post(&key, "/api/v1/invoices", &json!({"customer": customer,
                "items": [{"description": "x", "unitPrice": 5, "vatRate": 0, "vatCategory": "exempt"}]}));
            assert_eq!(
                (invoice.status, code(&invoice.json()["customer"])),
                (201, json!(expected)),
                "{}",
                invoice.text
            );
        }
        // Edits of the postal code or of the country normalize it too.
        let edited = patch(
            &server,
            &key,
            "/api/v1/contacts/1",
            &[],
            &json!({"address": {"postalCode": "1011cd"}}),
        );
        assert_eq!(code(&edited.json()), "1011 CD", "{}", edited.text);
        let belgian = server.post(
            &key,
            "/api/v1/contacts",
            &json!({"name": "B", "country": "BE", "address": {"postalCode": "1000ab"}}),
        );
        let path = format!("/api/v1/contacts/{}", belgian.json()["id"]);
        assert_eq!(
            code(&patch(&server, &key, &path, &[], &json!({"country": "NL"})).json()),
            "1000 AB"
        );
    }

    fn a_contact_is_edited_archived_and_restored(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let full = json!({"externalId": "c-1", "name": "Korenaar", "email": "a@b.nl", "contactPerson": "Bas", "address": {"street": "Dorpsstraat 1", "city": "Utrecht"}});
        let reply = server.post(&key, "/api/v1/contacts", &full);
        assert_eq!(
            server
                .post(&key, "/api/v1/contacts", &json!({"externalId": "c-2", "name": "Other"}))
                .status,
            201
        );
        server.clock.set("2026-03-15T12:00:00Z");
        let edit = json!({"name": "De Korenaar", "email": null, "address": {"city": "Gent", "street": null}, "country": "be"});
        let edited = patch(&server, &key, "/api/v1/contacts/1", &[], &edit);
        assert_eq!(edited.status, 200, "{}", edited.text);
        let body = edited.json();
        assert_eq!(
            (&body["name"], &body["email"], &body["contactPerson"], &body["country"]),
            (&json!("De Korenaar"), &Value::Null, &json!("Bas"), &json!("BE"))
        );
        assert_eq!(
            (&body["address"], &body["updatedAt"]),
            (
                &json!({"street": null, "postalCode": null, "city": "Gent"}),
                &json!("2026-03-15T12:00:00.000000Z")
            )
        );
        assert_eq!(server.get(&key, "/api/v1/contacts/1").json(), body);
        // An edit without changes keeps the entity tag; an older tag is rejected.
        server.clock.set("2026-03-15T13:00:00Z");
        let tag = edited.header("etag").unwrap();
        assert_eq!(
            patch(&server, &key, "/api/v1/contacts/1", &[tag], &json!({"name": "De Korenaar"}))
                .header("etag"),
            Some(tag)
        );
        let late = patch(
            &server,
            &key,
            "/api/v1/contacts/1",
            &[reply.header("etag").unwrap()],
            &json!({"name": "X"}),
        );
        assert_eq!((late.status, late.code().as_str()), (412, "precondition_failed"));
        assert_eq!(
            patch(&server, &key, "/api/v1/contacts/1", &[], &json!({"address": null})).json()["address"],
            Value::Null
        );
        let cases = [
            (
                json!({"name": null, "x": 1, "email": "a"}),
                vec![("/name", "required"), ("/email", "invalid_format"), ("/x", "unknown_field")],
            ),
            (json!({"externalId": "c-2"}), vec![("/externalId", "taken")]),
        ];
        for (body, faults) in cases {
            let expected: Vec<_> =
                faults.into_iter().map(|(at, code)| (at.to_owned(), code.to_owned())).collect();
            assert_eq!(
                patch(&server, &key, "/api/v1/contacts/1", &[], &body).faults(),
                expected,
                "{body}"
            );
        }
        assert_eq!(
            patch(&server, &key, "/api/v1/contacts/9", &[], &json!({"name": null})).code(),
            "not_found"
        );
        let gone = server.send("DELETE", "/api/v1/contacts/1", &[("x-api-key", &key)], None);
        assert_eq!(
            (gone.status, &gone.json()["status"]),
            (200, &json!("archived")),
            "{}",
            gone.text
        );
        assert_eq!(ids(&server.get(&key, "/api/v1/contacts?status=active").json()), [2]);
        assert_eq!(ids(&server.get(&key, "/api/v1/contacts").json()), [1, 2]);
        assert_eq!(
            patch(&server, &key, "/api/v1/contacts/1", &[], &json!({"status": "active"})).json()["status"],
            "active"
        );
    }

    fn a_contact_is_put_by_external_id(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let path = "/api/v1/contacts/external/shop%2F7%20a";
        let reply = put(&server, &key, path, &json!({"name": "Korenaar", "email": "a@b.nl"}));
        assert_eq!(
            (reply.status, &reply.json()["externalId"], &reply.json()["id"]),
            (201, &json!("shop/7 a"), &json!(1)),
            "{}",
            reply.text
        );
        assert!(reply.header("location").unwrap().ends_with("/api/v1/contacts/1"));
        let replaced = put(
            &server,
            &key,
            path,
            &json!({"externalId": "shop/7 a", "name": "De Korenaar", "country": "BE"}),
        );
        assert_eq!(
            (replaced.status, &replaced.json()["email"], &replaced.json()["country"]),
            (200, &Value::Null, &json!("BE")),
            "{}",
            replaced.text
        );
        assert_eq!(ids(&server.get(&key, "/api/v1/contacts").json()), [1]);
        let other = put(&server, &key, path, &json!({"externalId": "shop/8"}));
        assert_eq!(
            other.faults(),
            [("/name".into(), "required".into()), ("/externalId".into(), "unknown_value".into())]
        );
        let long = format!("/api/v1/contacts/external/{}", "x".repeat(256));
        assert_eq!(
            put(&server, &key, &long, &json!({"name": "X"})).faults(),
            [("externalId".into(), "too_long".into())]
        );
        let (status, count) = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..16)
                .map(|_| {
                    scope.spawn(|| {
                        put(&server, &key, "/api/v1/contacts/external/c", &json!({"name": "C"}))
                            .status
                    })
                })
                .collect();
            let all: Vec<u16> = workers.into_iter().map(|worker| worker.join().unwrap()).collect();
            (
                all.iter().all(|status| matches!(status, 200 | 201)),
                all.iter().filter(|status| **status == 201).count(),
            )
        });
        assert!(status && count == 1);
    }

    fn a_merged_contact_is_replaced_by_its_target(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        for (external_id, name) in [("c-1", "Korenaar"), ("c-2", "Bakkerij De Korenaar")] {
            assert_eq!(
                server
                    .post(
                        &key,
                        "/api/v1/contacts",
                        &json!({"externalId": external_id, "name": name})
                    )
                    .status,
                201
            );
        }
        let invoice = |customer: Value| json!({"status": "sent", "customer": customer, "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
        assert_eq!(
            server.post(&key, "/api/v1/invoices", &invoice(json!({"externalId": "c-1"}))).json()["customer"]
                ["contactId"],
            1
        );
        assert_eq!(
            server.post(&key, "/api/v1/projects", &json!({"name": "Site", "contactId": 1})).status,
            201
        );
        let merged = server.post(&key, "/api/v1/contacts/1/merge", &json!({"into": 2}));
        assert_eq!((merged.status, &merged.json()["id"]), (200, &json!(2)), "{}", merged.text);
        let gone = server.get(&key, "/api/v1/contacts/1").json();
        assert_eq!((&gone["status"], &gone["mergedInto"]), (&json!("archived"), &json!(2)));
        // The invoice keeps its copy of the customer's details.
        let moved = server.get(&key, "/api/v1/invoices/1").json();
        assert_eq!(
            (&moved["customer"]["contactId"], &moved["customer"]["name"]),
            (&json!(2), &json!("Korenaar"))
        );
        assert_eq!(server.get(&key, "/api/v1/projects/1").json()["contactId"], 2);
        for customer in [json!({"externalId": "c-1"}), json!({"contactId": 1})] {
            assert_eq!(
                server.post(&key, "/api/v1/invoices", &invoice(customer)).json()["customer"]["contactId"],
                2
            );
        }
        for into in [1, 2, 9] {
            let refused = server.post(&key, "/api/v1/contacts/2/merge", &json!({"into": into}));
            assert_eq!(refused.faults(), [("/into".into(), "unknown_contact".into())], "{into}");
        }
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }
}
