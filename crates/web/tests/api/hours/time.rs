//! Time entries and the hours log: each hour counts once, and a day has at most 24.

use serde_json::{Value, json};
use service::projects::{self, NewProject};
use testing::{Server, on_both_engines};

fn with_project(engine: testing::Engine) -> (Server, String) {
    let server = Server::start(engine);
    let key = server.account("anna@example.com");
    let cx = server.owner("anna@example.com");
    let now = "2026-03-15T12:00:00Z".parse().unwrap();
    let project = NewProject {
        name: "Website".into(),
        hourly_rate: Some(ledger::money::Cents::new(9550)),
        ..NewProject::default()
    };
    server.write(move |tx| projects::create(tx, &cx.at(now), &project));
    (server, key)
}

fn worked(date: &str, hours: Value) -> Value {
    json!({"projectId": 1, "date": date, "hours": hours, "description": "Sketches"})
}

fn logged(date: &str, hours: Value) -> Value {
    json!({"date": date, "hours": hours, "description": "Administration"})
}

on_both_engines! {
    fn hours_are_written_and_counted_once(engine) {
        let (server, key) = with_project(engine);
        let reply = server.post(&key, "/api/v1/time-entries", &worked("2026-03-02", json!(7.25)));
        assert_eq!(reply.status, 201, "{}", reply.text);
        assert_eq!(
            reply.json(),
            json!({"id": 1, "externalId": null, "projectId": 1, "date": "2026-03-02", "hours": 7.25,
            "description": "Sketches", "invoiceId": null, "createdAt": "2026-03-15T12:00:00.000001Z", "updatedAt": "2026-03-15T12:00:00.000001Z"})
        );
        let reply = server.post(&key, "/api/v1/hours-log", &logged("2026-03-02", json!(1.5)));
        assert_eq!((reply.status, &reply.json()["category"]), (201, &json!("other")));
        let mut travel = logged("2026-12-31", json!(2));
        travel["category"] = json!("travel");
        assert_eq!(server.post(&key, "/api/v1/hours-log", &travel).json()["category"], "travel");
        let project = server.get(&key, "/api/v1/projects/1").text;
        assert!(
            project.contains("\"hourlyRate\":95.50,") && project.contains("\"hoursLogged\":7.25,"),
            "{project}"
        );
        let summary = server.get(&key, "/api/v1/summary/2026").json();
        assert_eq!(
            summary["hoursCriterion"],
            json!({"required": 1225, "projectHours": 7.25, "loggedHours": 1.5, "total": 8.75, "futureHours": 2, "reached": false, "majorityOfTime": null, "met": false})
        );
        assert_eq!(server.get(&key, "/api/v1/summary/2025").json()["hoursCriterion"]["total"], 0);
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn the_same_external_id_is_the_same_hours(engine) {
        let (server, key) = with_project(engine);
        for (path, mut payload) in [
            ("/api/v1/time-entries", worked("2026-03-02", json!(2))),
            ("/api/v1/hours-log", logged("2026-03-02", json!(2))),
        ] {
            payload["externalId"] = json!("t-1");
            let first = server.post(&key, path, &payload);
            let again = server.post(&key, path, &json!({"externalId": "t-1", "hours": 99}));
            assert_eq!(
                (first.status, again.status, again.header("idempotent-replay")),
                (201, 200, Some("true"))
            );
            assert_eq!(first.json(), again.json());
        }
    }

    fn a_day_has_24_hours_over_projects_and_log_together(engine) {
        let (server, key) = with_project(engine);
        assert_eq!(
            server.post(&key, "/api/v1/time-entries", &worked("2026-03-02", json!(20))).status,
            201
        );
        assert_eq!(
            server.post(&key, "/api/v1/hours-log", &logged("2026-03-02", json!(4))).status,
            201
        );
        for (path, payload) in [
            ("/api/v1/time-entries", worked("2026-03-02", json!(0.01))),
            ("/api/v1/hours-log", logged("2026-03-02", json!(0.01))),
        ] {
            assert_eq!(
                server.post(&key, path, &payload).faults(),
                [("/hours".into(), "out_of_range".into())]
            );
        }
        assert_eq!(
            server.post(&key, "/api/v1/hours-log", &logged("2026-03-03", json!(24))).status,
            201
        );
    }

    fn concurrent_hours_never_exceed_24_a_day(engine) {
        let (server, key) = with_project(engine);
        let count = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..20)
                .map(|_| {
                    scope.spawn(|| {
                        server
                            .post(&key, "/api/v1/time-entries", &worked("2026-03-02", json!(5)))
                            .status
                    })
                })
                .collect();
            workers
                .into_iter()
                .map(|worker| worker.join().unwrap())
                .filter(|status| *status == 201)
                .count()
        });
        assert_eq!(count, 4);
        assert_eq!(server.get(&key, "/api/v1/projects/1").json()["hoursLogged"], 20);
    }

    fn every_fault_is_reported_and_nothing_is_written(engine) {
        let (server, key) = with_project(engine);
        let fault = |pointer: &str, code: &str| (pointer.to_owned(), code.to_owned());
        let cases = [
            (
                json!({}),
                vec![
                    fault("/projectId", "required"),
                    fault("/date", "required"),
                    fault("/hours", "required"),
                    fault("/description", "required"),
                ],
            ),
            (
                json!({"projectId": 7, "date": "2026-02-30", "hours": 0, "description": " "}),
                vec![
                    fault("/date", "invalid_date"),
                    fault("/hours", "out_of_range"),
                    fault("/description", "required"),
                    fault("/projectId", "unknown_project"),
                ],
            ),
            (worked("2026-03-02", json!(24.01)), vec![fault("/hours", "out_of_range")]),
            (worked("2026-03-02", json!(-1)), vec![fault("/hours", "out_of_range")]),
            (worked("2026-03-02", json!(1.001)), vec![fault("/hours", "too_many")]),
            (worked("2026-03-02", json!("1")), vec![fault("/hours", "invalid_type")]),
            (
                json!({"projectId": 1.5, "date": 5, "hours": [], "description": {}, "x": 1}),
                vec![
                    fault("/projectId", "invalid_type"),
                    fault("/date", "invalid_type"),
                    fault("/hours", "invalid_type"),
                    fault("/description", "invalid_type"),
                    fault("/x", "unknown_field"),
                ],
            ),
            (json!([]), vec![fault("", "invalid_type")]),
        ];
        for (payload, faults) in cases {
            let reply = server.post(&key, "/api/v1/time-entries", &payload);
            assert_eq!((reply.status, reply.faults()), (422, faults), "{payload}");
        }
        assert_eq!(server.get(&key, "/api/v1/projects/1").json()["hoursLogged"], 0);
    }

    fn an_archived_project_takes_no_hours(engine) {
        let (server, key) = with_project(engine);
        let cx = server.owner("anna@example.com");
        server.write(move |tx| {
            projects::set_archived(tx, &cx.at("2026-03-15T11:00:00Z".parse().unwrap()), 1, true)
        });
        let reply = server.post(&key, "/api/v1/time-entries", &worked("2026-03-02", json!(1)));
        assert_eq!((reply.status, reply.code().as_str()), (409, "project_archived"));
        assert_eq!(server.get(&key, "/api/v1/projects/1").json()["status"], "archived");
    }
}
