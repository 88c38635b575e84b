//! Timer: at most one runs, every client sees it, and stopping it records hours.

use serde_json::{Value, json};
use store::accounts::Plan;
use testing::{Reply, Server, on_both_engines};

const EMAIL: &str = "anna@example.com";

fn stop(server: &Server, key: &str, body: &Value) -> Reply {
    server.post(key, "/api/v1/timer/stop", body)
}

on_both_engines! {
    fn a_timer_runs_until_its_time_is_written_down(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        assert_eq!(server.post(&key, "/api/v1/projects", &json!({"name": "Website"})).status, 201);
        assert_eq!(server.get(&key, "/api/v1/timer").code(), "not_found");
        assert_eq!(stop(&server, &key, &json!({})).code(), "not_found");
        let started =
            server.post(&key, "/api/v1/timer", &json!({"projectId": 1, "description": "Sketches"}));
        assert_eq!(started.status, 201, "{}", started.text);
        assert_eq!(
            started.json(),
            json!({"startedAt": "2026-03-15T11:00:00.000000Z", "projectId": 1, "description": "Sketches", "category": null})
        );
        // Another client sees the same timer later.
        server.clock.set("2026-03-15T12:30:00Z");
        assert_eq!(
            server.get(&server.key(EMAIL, true, false), "/api/v1/timer").json(),
            started.json()
        );
        assert_eq!(server.post(&key, "/api/v1/timer", &json!({})).code(), "timer_running");
        let stopped = stop(&server, &key, &json!({}));
        assert_eq!(
            (
                stopped.status,
                stopped.header("location").unwrap().ends_with("/api/v1/time-entries/1")
            ),
            (201, true),
            "{}",
            stopped.text
        );
        let entry = stopped.json();
        assert_eq!(
            (
                &entry["type"],
                &entry["projectId"],
                &entry["hours"],
                &entry["date"],
                &entry["description"]
            ),
            (&json!("timeEntry"), &json!(1), &json!(1.5), &json!("2026-03-15"), &json!("Sketches"))
        );
        assert_eq!(server.get(&key, "/api/v1/time-entries/1").json()["hours"], 1.5);
        let missing = server.get(&key, "/api/v1/timer");
        assert_eq!(
            (missing.status, missing.json()["detail"].as_str()),
            (404, Some("No timer runs. Start one with `POST /api/v1/timer`."))
        );
        // Without a project the hours go into the log; the body may be empty.
        let bare = server.send("POST", "/api/v1/timer", &[("x-api-key", &key)], Some(b""));
        assert_eq!(
            (bare.status, &bare.json()["category"]),
            (201, &json!("other")),
            "{}",
            bare.text
        );
        server.clock.set("2026-03-15T12:30:10Z");
        let logged = stop(&server, &key, &json!({"description": "Quarterly bookkeeping"})).json();
        assert_eq!(
            (&logged["type"], &logged["hours"], &logged["description"]),
            (&json!("hoursLog"), &json!(0.01), &json!("Quarterly bookkeeping"))
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_timer_that_ran_too_long_needs_its_hours(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        assert_eq!(server.post(&key, "/api/v1/projects", &json!({"name": "Website"})).status, 201);
        assert_eq!(server.post(&key, "/api/v1/timer", &json!({"projectId": 1})).status, 201);
        // Started at 23:30 in Amsterdam: the hours belong to the day of the start.
        server.clock.set("2026-03-17T09:00:00Z");
        assert_eq!(
            stop(&server, &key, &json!({})).faults(),
            [("/hours".into(), "out_of_range".into())]
        );
        assert_eq!(server.get(&key, "/api/v1/timer").status, 200);
        let stopped = stop(&server, &key, &json!({"hours": 7.5})).json();
        assert_eq!(
            (&stopped["hours"], &stopped["date"], &stopped["description"]),
            (&json!(7.5), &json!("2026-03-15"), &json!("Website"))
        );
        assert_eq!(server.post(&key, "/api/v1/timer", &json!({"projectId": 1})).status, 201);
        let gone = server.send("DELETE", "/api/v1/timer", &[("x-api-key", &key)], None);
        assert_eq!(
            (gone.status, server.get(&key, "/api/v1/timer").status),
            (204, 404),
            "{}",
            gone.text
        );
        assert_eq!(
            server.send("DELETE", "/api/v1/timer", &[("x-api-key", &key)], None).code(),
            "not_found"
        );
        assert_eq!(server.get(&key, "/api/v1/projects/1").json()["hoursLogged"], 7.5);
    }

    fn one_of_many_concurrent_starts_runs(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let statuses: Vec<u16> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..12)
                .map(|_| scope.spawn(|| server.post(&key, "/api/v1/timer", &json!({})).status))
                .collect();
            workers.into_iter().map(|worker| worker.join().unwrap()).collect()
        });
        assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 1, "{statuses:?}");
        assert!(statuses.iter().all(|status| matches!(status, 201 | 409)), "{statuses:?}");
        assert_eq!(
            server
                .post(&key, "/api/v1/timer", &json!({"projectId": 7, "category": "fun"}))
                .faults(),
            [("/category".into(), "unknown_value".into())]
        );
    }

    fn a_timer_of_an_account_abroad_needs_a_project(engine) {
        let server = Server::start(engine);
        server.account_of("paul@example.com", "BE", Plan::Pro);
        let key = server.key("paul@example.com", true, true);
        assert_eq!(
            server.post(&key, "/api/v1/timer", &json!({})).faults(),
            [("/projectId".into(), "required".into())]
        );
        assert_eq!(server.post(&key, "/api/v1/projects", &json!({"name": "P"})).status, 201);
        assert_eq!(server.post(&key, "/api/v1/timer", &json!({"projectId": 1})).status, 201);
        assert_eq!(stop(&server, &key, &json!({})).status, 201);
    }
}
