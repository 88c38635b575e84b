//! Editing, deleting and replacing hours: the daily limit holds, and invoiced hours are locked.

use crate::help::{ids, patch, put};
use serde_json::{Value, json};
use testing::{Engine, Server, on_both_engines};

const EMAIL: &str = "anna@example.com";

fn with_projects(engine: Engine) -> (Server, String) {
    let server = Server::start(engine);
    let key = server.account(EMAIL);
    for name in ["Website", "Book"] {
        assert_eq!(server.post(&key, "/api/v1/projects", &json!({"name": name})).status, 201);
    }
    (server, key)
}

fn delete(server: &Server, key: &str, path: &str) -> testing::Reply {
    server.send("DELETE", path, &[("x-api-key", key)], None)
}

fn logged_on(server: &Server, key: &str, project: i64) -> Value {
    server.get(key, &format!("/api/v1/projects/{project}")).json()["hoursLogged"].clone()
}

on_both_engines! {
    fn time_entries_are_edited_and_deleted(engine) {
        let (server, key) = with_projects(engine);
        let body = json!({"externalId": "t-1", "projectId": 1, "date": "2026-03-02", "hours": 20, "description": "Sketches"});
        let reply = server.post(&key, "/api/v1/time-entries", &body);
        assert_eq!(
            server
                .post(
                    &key,
                    "/api/v1/hours-log",
                    &json!({"date": "2026-03-02", "hours": 2, "description": "Admin"})
                )
                .status,
            201
        );
        server.clock.set("2026-03-15T12:00:00Z");
        let path = "/api/v1/time-entries/1";
        let edited = patch(
            &server,
            &key,
            path,
            &[],
            &json!({"projectId": 2, "hours": 21.5, "description": "Proofs"}),
        );
        assert_eq!(edited.status, 200, "{}", edited.text);
        let entry = edited.json();
        assert_eq!(
            (&entry["projectId"], &entry["hours"], &entry["externalId"], &entry["updatedAt"]),
            (&json!(2), &json!(21.5), &json!("t-1"), &json!("2026-03-15T12:00:00.000000Z"))
        );
        assert_eq!(
            (logged_on(&server, &key, 1), logged_on(&server, &key, 2)),
            (json!(0), json!(21.5))
        );
        // The log already has two hours on that day: another 22.01 would exceed 24 hours.
        assert_eq!(
            patch(&server, &key, path, &[], &json!({"hours": 22.01})).faults(),
            [("/hours".into(), "out_of_range".into())]
        );
        assert_eq!(patch(&server, &key, path, &[], &json!({"hours": 22})).status, 200);
        assert_eq!(
            patch(&server, &key, path, &[], &json!({"date": "2026-03-03", "hours": 24})).status,
            200
        );
        assert_eq!(
            patch(&server, &key, path, &[], &json!({"projectId": 9, "date": null})).faults(),
            [("/date".into(), "required".into()), ("/projectId".into(), "unknown_project".into())]
        );
        // Faults of the request and conflicts with the books are reported together.
        assert_eq!(
            patch(
                &server,
                &key,
                path,
                &[],
                &json!({"hours": 24, "date": "2026-03-02", "description": 1})
            )
            .faults(),
            [
                ("/description".into(), "invalid_type".into()),
                ("/hours".into(), "out_of_range".into())
            ]
        );
        assert_eq!(
            patch(&server, &key, path, &[], &json!({"projectId": 9})).faults(),
            [("/projectId".into(), "unknown_project".into())]
        );
        assert_eq!(
            patch(&server, &key, path, &[reply.header("etag").unwrap()], &json!({"hours": 1}))
                .status,
            412
        );
        patch(&server, &key, "/api/v1/projects/1", &[], &json!({"status": "archived"}));
        assert_eq!(
            patch(&server, &key, path, &[], &json!({"projectId": 1})).code(),
            "project_archived"
        );
        assert_eq!(delete(&server, &key, path).status, 204);
        assert_eq!(delete(&server, &key, path).code(), "not_found");
        assert_eq!(logged_on(&server, &key, 2), 0);
        assert_eq!(server.get(&key, "/api/v1/summary/2026").json()["hoursCriterion"]["total"], 2);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn the_hours_log_is_edited_and_deleted(engine) {
        let (server, key) = with_projects(engine);
        assert_eq!(server.post(&key, "/api/v1/hours-log", &json!({"date": "2026-03-02", "hours": 2, "description": "Admin", "externalId": "h-1"})).status, 201);
        let edited = patch(
            &server,
            &key,
            "/api/v1/hours-log/1",
            &[],
            &json!({"date": "2026-03-04", "category": "training", "externalId": null}),
        );
        assert_eq!(
            (edited.status, &edited.json()["category"], &edited.json()["externalId"]),
            (200, &json!("training"), &Value::Null),
            "{}",
            edited.text
        );
        assert_eq!(
            patch(&server, &key, "/api/v1/hours-log/1", &[], &json!({"hours": 24.5})).faults(),
            [("/hours".into(), "out_of_range".into())]
        );
        assert_eq!(
            server.get(&key, "/api/v1/summary/2026").json()["hoursCriterion"]["loggedHours"],
            2
        );
        assert_eq!(delete(&server, &key, "/api/v1/hours-log/1").status, 204);
        assert_eq!(
            server.get(&key, "/api/v1/summary/2026").json()["hoursCriterion"]["loggedHours"],
            0
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_time_tracker_sends_a_corrected_entry_again(engine) {
        let (server, key) = with_projects(engine);
        let entry = |hours: f64| json!({"projectId": 1, "date": "2026-03-02", "hours": hours, "description": "Sketches"});
        let path = "/api/v1/time-entries/external/toggl-88";
        let reply = put(&server, &key, path, &entry(2.0));
        assert_eq!(
            (reply.status, &reply.json()["externalId"]),
            (201, &json!("toggl-88")),
            "{}",
            reply.text
        );
        let again = put(&server, &key, path, &entry(3.5));
        assert_eq!(
            (again.status, &again.json()["hours"], &again.json()["id"]),
            (200, &json!(3.5), &json!(1))
        );
        assert_eq!(ids(&server.get(&key, "/api/v1/time-entries?externalId=toggl-88").json()), [1]);
        assert_eq!(
            ids(&server.get(&key, "/api/v1/time-entries?externalId=toggl-8").json()),
            [0; 0]
        );
        assert_eq!(
            put(&server, &key, path, &entry(25.0)).faults(),
            [("/hours".into(), "out_of_range".into())]
        );
        let log = "/api/v1/hours-log/external/l-1";
        let logged =
            json!({"date": "2026-03-02", "hours": 1, "description": "Admin", "category": "travel"});
        assert_eq!(put(&server, &key, log, &logged).status, 201);
        // A missing field gets its default.
        let replaced = put(
            &server,
            &key,
            log,
            &json!({"date": "2026-03-02", "hours": 1, "description": "Admin"}),
        );
        assert_eq!((replaced.status, &replaced.json()["category"]), (200, &json!("other")));
        assert_eq!(ids(&server.get(&key, "/api/v1/hours-log?externalId=l-1").json()), [1]);
        let project = put(
            &server,
            &key,
            "/api/v1/projects/external/p-1",
            &json!({"name": "Site", "hourlyRate": 95.5, "budgetHours": 60}),
        );
        assert_eq!(
            (project.status, &project.json()["budgetAmount"], &project.json()["id"]),
            (201, &json!(5730.0), &json!(3)),
            "{}",
            project.text
        );
        let bare =
            put(&server, &key, "/api/v1/projects/external/p-1", &json!({"name": "Site"})).json();
        assert_eq!(
            (&bare["hourlyRate"], &bare["budgetHours"], &bare["id"]),
            (&Value::Null, &Value::Null, &json!(3))
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn concurrent_edits_never_exceed_24_hours_a_day(engine) {
        let (server, key) = with_projects(engine);
        for number in 1..=6 {
            let body = json!({"projectId": 1, "date": format!("2026-03-0{number}"), "hours": 7, "description": "x"});
            assert_eq!(server.post(&key, "/api/v1/time-entries", &body).status, 201);
        }
        let moved = std::thread::scope(|scope| {
            let (server, key) = (&server, &key);
            let workers: Vec<_> = (1..=6)
                .map(|id| {
                    scope.spawn(move || {
                        patch(
                            server,
                            key,
                            &format!("/api/v1/time-entries/{id}"),
                            &[],
                            &json!({"date": "2026-03-20"}),
                        )
                        .status
                    })
                })
                .collect();
            workers
                .into_iter()
                .map(|worker| worker.join().unwrap())
                .filter(|status| *status == 200)
                .count()
        });
        assert_eq!(moved, 3);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }
}
