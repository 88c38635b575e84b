//! Projects: created, edited, archived; their hours are invoiced once.

use crate::help::{ids, patch};
use serde_json::{Value, json};
use store::accounts::Plan;
use testing::{Engine, Server, on_both_engines};

const EMAIL: &str = "anna@example.com";

/// Creates a customer, a project for them at €100 an hour, and three time entries on it.
fn with_hours(engine: Engine) -> (Server, String) {
    let server = Server::start(engine);
    let key = server.account(EMAIL);
    assert_eq!(
        server.post(&key, "/api/v1/contacts", &json!({"name": "Museum De Pier"})).status,
        201
    );
    assert_eq!(
        server
            .post(
                &key,
                "/api/v1/projects",
                &json!({"name": "Year book", "contactId": 1, "hourlyRate": 100})
            )
            .status,
        201
    );
    for (date, hours, description) in [
        ("2026-03-02", 2.5, "Sketches"),
        ("2026-03-04", 1.25, "Proofs"),
        ("2026-03-09", 3.0, "Sketches"),
    ] {
        let body =
            json!({"projectId": 1, "date": date, "hours": hours, "description": description});
        assert_eq!(server.post(&key, "/api/v1/time-entries", &body).status, 201);
    }
    (server, key)
}

fn remaining(server: &Server, key: &str) -> Value {
    server.get(key, "/api/v1/projects/1").json()["hoursNotInvoiced"].clone()
}

on_both_engines! {
    fn a_project_is_created_and_edited(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let full =
            json!({"externalId": "p-1", "name": " Site ", "hourlyRate": 95.50, "budgetHours": 60});
        let reply = server.post(&key, "/api/v1/projects", &full);
        assert_eq!(
            (reply.status, reply.text.contains("\"hourlyRate\":95.50")),
            (201, true),
            "{}",
            reply.text
        );
        assert_eq!(reply.json()["name"], "Site");
        let again = server.post(&key, "/api/v1/projects", &json!({"externalId": "p-1"}));
        assert_eq!(
            (again.status, again.header("idempotent-replay"), again.json()),
            (200, Some("true"), reply.json())
        );
        server.clock.set("2026-03-15T12:00:00Z");
        let edited = patch(
            &server,
            &key,
            "/api/v1/projects/1",
            &[],
            &json!({"hourlyRate": null, "budgetHours": 12.5, "status": "archived"}),
        );
        let project = edited.json();
        assert_eq!(
            (&project["hourlyRate"], &project["budgetHours"], &project["budgetAmount"]),
            (&Value::Null, &json!(12.5), &Value::Null),
            "{}",
            edited.text
        );
        assert_eq!(
            (&project["status"], &project["updatedAt"]),
            (&json!("archived"), &json!("2026-03-15T12:00:00.000000Z"))
        );
        let faults = [
            (json!({"contactId": 9}), "/contactId", "unknown_contact"),
            (json!({"hourlyRate": -1}), "/hourlyRate", "out_of_range"),
            (json!({"hourlyRate": 1.005}), "/hourlyRate", "too_many"),
            (json!({"budgetHours": 100_001}), "/budgetHours", "out_of_range"),
            (json!({"name": " "}), "/name", "required"),
            (json!({"status": "done"}), "/status", "unknown_value"),
            (json!({"hours": 1}), "/hours", "unknown_field"),
        ];
        for (body, at, code) in faults {
            assert_eq!(
                patch(&server, &key, "/api/v1/projects/1", &[], &body).faults(),
                [(at.to_owned(), code.to_owned())],
                "{body}"
            );
        }
        assert_eq!(
            server
                .post(&key, "/api/v1/projects", &json!({"name": "Other", "externalId": "p-2"}))
                .status,
            201
        );
        // Faults of the request and conflicts with the books are reported together.
        let everything = [
            ("/status", "unknown_value"),
            ("/contactId", "unknown_contact"),
            ("/externalId", "taken"),
        ]
        .map(|(at, code)| (at.to_owned(), code.to_owned()));
        assert_eq!(
            patch(
                &server,
                &key,
                "/api/v1/projects/1",
                &[],
                &json!({"contactId": 9, "status": "done", "externalId": "p-2"})
            )
            .faults(),
            everything
        );
        assert_eq!(
            patch(
                &server,
                &key,
                "/api/v1/projects/1",
                &[],
                &json!({"contactId": 9, "externalId": "p-2"})
            )
            .faults(),
            everything[1..]
        );
        assert_eq!(ids(&server.get(&key, "/api/v1/projects?status=active").json()), [2]);
        assert_eq!(ids(&server.get(&key, "/api/v1/projects?externalId=p-1").json()), [1]);
        // Accounts of any country can have projects.
        server.account_of("paul@example.com", "BE", Plan::Pro);
        let abroad = server.key("paul@example.com", true, true);
        assert_eq!(server.post(&abroad, "/api/v1/projects", &json!({"name": "P"})).status, 201);
        assert_eq!(
            server.post(&abroad, "/api/v1/projects/1/invoice", &json!({})).code(),
            "dutch_account_required"
        );
    }

    fn hours_fill_a_draft_and_are_locked_until_it_is_credited(engine) {
        let (server, key) = with_hours(engine);
        let reply = server.post(
            &key,
            "/api/v1/projects/1/invoice",
            &json!({"externalId": "i-1", "until": "2026-03-08"}),
        );
        assert_eq!(reply.status, 201, "{}", reply.text);
        let invoice = reply.json();
        assert_eq!(
            (&invoice["status"], &invoice["subtotal"], &invoice["total"]),
            (&json!("draft"), &json!(375.0), &json!(453.75))
        );
        assert_eq!(
            (&invoice["supplyDate"], &invoice["supplyUntil"]),
            (&json!("2026-03-02"), &json!("2026-03-04"))
        );
        assert_eq!(
            (&invoice["items"][0]["description"], &invoice["items"][1]["quantity"]),
            (&json!("Sketches"), &json!(1.25))
        );
        assert_eq!(
            (
                remaining(&server, &key),
                ids(&server.get(&key, "/api/v1/time-entries?invoiced=false").json())
            ),
            (json!(3), vec![3])
        );
        let again = server.post(&key, "/api/v1/projects/1/invoice", &json!({"externalId": "i-1"}));
        assert_eq!((again.status, &again.json()["id"]), (200, &json!(1)));
        assert_eq!(server.get(&key, "/api/v1/time-entries/1").json()["invoiceId"], 1);
        for (method, path) in [
            ("PATCH", "/api/v1/time-entries/1"),
            ("PUT", "/api/v1/time-entries/external/t"),
            ("DELETE", "/api/v1/time-entries/1"),
        ] {
            let body =
                json!({"projectId": 1, "date": "2026-03-02", "hours": 9, "description": "x"})
                    .to_string();
            if method == "PUT" {
                assert_eq!(
                    patch(
                        &server,
                        &key,
                        "/api/v1/time-entries/3",
                        &[],
                        &json!({"externalId": "t"})
                    )
                    .status,
                    200
                );
                assert_eq!(server.post(&key, "/api/v1/projects/1/invoice", &json!({})).status, 201);
            }
            let body = if method == "DELETE" { None } else { Some(body.as_bytes()) };
            let refused = server.send(
                method,
                path,
                &[("x-api-key", &key), ("content-type", "application/json")],
                body,
            );
            assert_eq!(
                (refused.status, refused.code().as_str()),
                (409, "already_invoiced"),
                "{method}"
            );
        }
        assert_eq!(
            server.post(&key, "/api/v1/projects/1/invoice", &json!({})).code(),
            "already_invoiced"
        );
        let idle = server
            .post(
                &key,
                "/api/v1/projects",
                &json!({"name": "Idle", "contactId": 1, "hourlyRate": 95}),
            )
            .json()["id"]
            .clone();
        let empty = server.post(&key, &format!("/api/v1/projects/{idle}/invoice"), &json!({}));
        assert_eq!(
            (empty.status, empty.code().as_str()),
            (409, "nothing_to_invoice"),
            "{}",
            empty.text
        );
        assert_eq!(
            patch(&server, &key, "/api/v1/invoices/1", &[], &json!({"status": "sent"})).status,
            200
        );
        // A partial credit note releases no hours; a full one releases all.
        let part = json!({"items": [{"description": "Back", "unitPrice": 75, "vatRate": 21}]});
        assert_eq!(server.post(&key, "/api/v1/invoices/1/credit-notes", &part).status, 201);
        assert_eq!(remaining(&server, &key), 0);
        assert_eq!(server.post(&key, "/api/v1/invoices/1/credit-notes", &json!({})).status, 201);
        assert_eq!(
            (
                remaining(&server, &key),
                server.get(&key, "/api/v1/time-entries/1").json()["invoiceId"].clone()
            ),
            (json!(3.75), Value::Null)
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn one_of_many_concurrent_invoices_gets_the_hours(engine) {
        let (server, key) = with_hours(engine);
        let statuses: Vec<u16> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..12)
                .map(|_| {
                    scope.spawn(|| {
                        server.post(&key, "/api/v1/projects/1/invoice", &json!({})).status
                    })
                })
                .collect();
            workers.into_iter().map(|worker| worker.join().unwrap()).collect()
        });
        assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 1, "{statuses:?}");
        assert!(statuses.iter().all(|status| matches!(status, 201 | 409)), "{statuses:?}");
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn only_a_project_with_a_customer_and_a_rate_is_invoiced(engine) {
        let (server, key) = with_hours(engine);
        patch(
            &server,
            &key,
            "/api/v1/projects/1",
            &[],
            &json!({"contactId": null, "hourlyRate": null}),
        );
        let refused = server.post(&key, "/api/v1/projects/1/invoice", &json!({}));
        assert_eq!(
            refused.faults(),
            [("/contactId".into(), "required".into()), ("/hourlyRate".into(), "required".into())]
        );
        assert_eq!(server.post(&key, "/api/v1/projects/9/invoice", &json!({})).code(), "not_found");
        assert_eq!(
            server.post(&key, "/api/v1/projects/1/invoice", &json!({"until": "x"})).faults(),
            [("/until".into(), "invalid_date".into())]
        );
        // Nothing was created.
        assert_eq!(
            (remaining(&server, &key), server.get(&key, "/api/v1/invoices").json()["data"].clone()),
            (json!(6.75), json!([]))
        );
    }
}
