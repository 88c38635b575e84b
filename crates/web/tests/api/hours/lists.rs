//! Lists and sums of hours: project, summary and lists agree.

use crate::help::{cents, ids, project, walk};
use serde_json::{Value, json};
use testing::{Server, on_both_engines};

fn worked(project: i64, date: &str, hours: &str) -> Value {
    json!({"projectId": project, "date": date, "hours": hours.parse::<serde_json::Number>().unwrap(), "description": "Sketches\nand more"})
}

fn logged(date: &str, hours: &str, category: &str) -> Value {
    json!({"date": date, "hours": hours.parse::<serde_json::Number>().unwrap(), "description": "Books", "category": category})
}

fn create(server: &Server, key: &str, path: &str, payload: &Value) -> Value {
    let reply = server.post(key, path, payload);
    assert_eq!(reply.status, 201, "{payload}: {}", reply.text);
    let origin = format!("http://{}", server.address);
    let place = reply.header("location").unwrap().strip_prefix(&origin).unwrap();
    assert_eq!(place, format!("{path}/{}", reply.json()["id"]));
    let read = server.get(key, place);
    assert_eq!(
        (read.status, &read.json(), read.header("etag")),
        (200, &reply.json(), reply.header("etag"))
    );
    reply.json()
}

on_both_engines! {
    fn hours_are_listed_by_project_and_day(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        project(&server, "anna@example.com");
        project(&server, "anna@example.com");
        for (project, date) in [
            (1, "2026-03-02"),
            (2, "2026-03-02"),
            (1, "2026-02-28"),
            (1, "2025-12-31"),
            (2, "2026-03-31"),
            (1, "2026-04-01"),
        ] {
            create(&server, &key, "/api/v1/time-entries", &worked(project, date, "1.25"));
        }
        let cases: &[(&str, &[i64])] = &[
            ("", &[1, 2, 3, 4, 5, 6]),
            ("projectId=1", &[1, 3, 4, 6]),
            ("projectId=2", &[2, 5]),
            ("projectId=3", &[]),
            ("from=2026-03-02", &[1, 2, 5, 6]),
            ("to=2026-03-02", &[1, 2, 3, 4]),
            ("from=2026-03-02&to=2026-03-02", &[1, 2]),
            ("from=2026-03-03&to=2026-03-02", &[]),
            ("projectId=2&from=2026-03-03&to=2026-03-31", &[5]),
            ("projectId=1&to=2025-12-31&limit=1", &[4]),
        ];
        for (query, expected) in cases {
            let reply = server.get(&key, &format!("/api/v1/time-entries?{query}"));
            assert_eq!((reply.status, ids(&reply.json())), (200, expected.to_vec()), "{query}");
        }
        let mut day = 0;
        let rows =
            walk(&server, &key, "/api/v1/time-entries?limit=1&projectId=1&to=2026-03-31", || {
                day += 1;
                create(
                    &server,
                    &key,
                    "/api/v1/time-entries",
                    &worked(2, &format!("2026-05-0{day}"), "2"),
                );
            });
        assert_eq!(
            rows.iter().map(|row| row["id"].as_i64().unwrap()).collect::<Vec<_>>(),
            [1, 3, 4]
        );
        for row in rows {
            assert_eq!(
                server.get(&key, &format!("/api/v1/time-entries/{}", row["id"])).json(),
                row
            );
        }
        for id in ["99", "0", "x"] {
            assert_eq!(server.get(&key, &format!("/api/v1/time-entries/{id}")).code(), "not_found");
        }
    }

    fn the_log_is_listed_by_year(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let categories = ["administration", "acquisition", "travel", "training", "other"];
        for (date, category) in
            ["2026-01-01", "2025-12-31", "2026-12-31", "2027-01-01", "2026-06-06"]
                .iter()
                .zip(categories)
        {
            assert_eq!(
                create(&server, &key, "/api/v1/hours-log", &logged(date, "24", category))["category"],
                category
            );
        }
        for (query, expected) in [
            ("", vec![1, 2, 3, 4, 5]),
            ("year=2026", vec![1, 3, 5]),
            ("year=2025", vec![2]),
            ("year=2027", vec![4]),
            ("year=2024", vec![]),
            ("year=2026&limit=2", vec![1, 3]),
        ] {
            let reply = server.get(&key, &format!("/api/v1/hours-log?{query}"));
            assert_eq!((reply.status, ids(&reply.json())), (200, expected), "{query}");
        }
        let rows = walk(&server, &key, "/api/v1/hours-log?limit=2&year=2026", || ());
        assert_eq!(
            rows.iter().map(|row| row["id"].as_i64().unwrap()).collect::<Vec<_>>(),
            [1, 3, 5]
        );
        for id in ["99", "0", "x"] {
            assert_eq!(server.get(&key, &format!("/api/v1/hours-log/{id}")).code(), "not_found");
        }
    }

    fn project_criterion_and_lists_agree(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        project(&server, "anna@example.com");
        project(&server, "anna@example.com");
        let hours = ["0.01", "7.5", "2.33", "1e0", "3.10", "0.25", "4", "11.99"];
        for (place, text) in hours.iter().enumerate() {
            let date = format!("202{}-0{}-11", 5 + place % 2, place + 1);
            create(
                &server,
                &key,
                "/api/v1/time-entries",
                &worked(1 + i64::try_from(place % 3 / 2).unwrap(), &date, text),
            );
            create(&server, &key, "/api/v1/hours-log", &logged(&date, text, "other"));
        }
        let listed = |path: &str| -> i64 {
            let rows = server.get(&key, &format!("/api/v1/{path}")).json();
            rows["data"].as_array().unwrap().iter().map(|row| cents(&row["hours"])).sum()
        };
        for project in 1..=2 {
            let body = server.get(&key, &format!("/api/v1/projects/{project}")).json();
            assert_eq!(
                cents(&body["hoursLogged"]),
                listed(&format!("time-entries?projectId={project}"))
            );
        }
        server.clock.set("2026-12-31T11:00:00Z");
        for year in [2025, 2026] {
            let criterion =
                server.get(&key, &format!("/api/v1/summary/{year}")).json()["hoursCriterion"]
                    .clone();
            let worked = listed(&format!("time-entries?from={year}-01-01&to={year}-12-31"));
            let logged = listed(&format!("hours-log?year={year}"));
            assert_eq!(
                (
                    cents(&criterion["projectHours"]),
                    cents(&criterion["loggedHours"]),
                    cents(&criterion["total"])
                ),
                (worked, logged, worked + logged),
                "{year}"
            );
            assert!(worked > 0 && logged > 0);
        }
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn the_hours_criterion_is_met_at_1225(engine) {
        let server = Server::start(engine);
        server.clock.set("2026-12-31T11:00:00Z");
        let key = server.account("anna@example.com");
        for day in 0..51 {
            let date = format!("2026-{:02}-{:02}", day / 28 + 1, day % 28 + 1);
            create(&server, &key, "/api/v1/hours-log", &logged(&date, "24", "other"));
        }
        let criterion =
            || server.get(&key, "/api/v1/summary/2026").json()["hoursCriterion"].clone();
        create(&server, &key, "/api/v1/hours-log", &logged("2026-12-31", "0.99", "other"));
        assert_eq!(
            (cents(&criterion()["total"]), &criterion()["reached"]),
            (122_499, &json!(false))
        );
        create(&server, &key, "/api/v1/hours-log", &logged("2026-12-31", "0.01", "other"));
        assert_eq!(
            (cents(&criterion()["total"]), &criterion()["reached"]),
            (122_500, &json!(true))
        );
    }

    fn concurrent_hours_on_projects_and_log_never_exceed_24_a_day(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        project(&server, "anna@example.com");
        let statuses: Vec<u16> = std::thread::scope(|scope| {
            let write = |place: usize| match place % 2 {
                0 => {
                    server
                        .post(&key, "/api/v1/time-entries", &worked(1, "2026-03-02", "3.5"))
                        .status
                }
                _ => {
                    server
                        .post(&key, "/api/v1/hours-log", &logged("2026-03-02", "3.5", "other"))
                        .status
                }
            };
            let workers: Vec<_> = (0..16).map(|place| scope.spawn(move || write(place))).collect();
            workers.into_iter().map(|worker| worker.join().unwrap()).collect()
        });
        assert_eq!(
            (
                statuses.iter().filter(|status| **status == 201).count(),
                statuses.iter().filter(|status| **status == 422).count()
            ),
            (6, 10)
        );
        assert_eq!(
            cents(&server.get(&key, "/api/v1/summary/2026").json()["hoursCriterion"]["total"]),
            2_100
        );
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }
}
