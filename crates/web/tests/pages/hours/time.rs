//! Projects, weeks, lists and the timer as pages, and hours on invoices.

use crate::help::{EMAIL, PASSWORD, fault_of, signed_in, value_of, visit};
use serde_json::{Value, json};
use service::{
    Environment,
    accounts::{self, OpenAccount},
    environment::Clock,
};
use store::accounts::Plan;
use testing::{Reply, Server, Visitor, on_both_engines};

fn location(answer: &Reply) -> String {
    assert_eq!(answer.status, 303, "{}", answer.text);
    answer.header("location").unwrap().to_owned()
}

/// Creates a customer with a project at 95.50 an hour and a budget of ten hours.
fn with_project(server: &Server) -> (Visitor, String) {
    let browser = signed_in(server);
    let key = server.key(EMAIL, true, true);
    let page = browser.get("/contacts/new");
    assert_eq!(
        location(&browser.submit(&page, "/contacts", &[("name", "Museum De Pier")])),
        "/contacts/1?done=contact-created"
    );
    let page = browser.get("/projects/new?contactId=1");
    let fields = [
        ("name", "Year book"),
        ("contactId", "1"),
        ("hourlyRate", "€ 95,50"),
        ("budgetHours", "10"),
    ];
    assert_eq!(
        location(&browser.submit(&page, "/projects", &fields)),
        "/projects/1?done=project-created"
    );
    (browser, key)
}

fn hours_of(server: &Server, key: &str) -> Vec<(String, Value)> {
    let rows = server.get(key, "/api/v1/time-entries").json()["data"].as_array().unwrap().clone();
    rows.iter()
        .map(|row| (row["date"].as_str().unwrap().to_owned(), row["hours"].clone()))
        .collect()
}

on_both_engines! {
    fn a_week_is_filled_in_as_a_grid(engine) {
        let server = Server::start(engine);
        let (browser, key) = with_project(&server);
        let week = browser.get("/hours?week=2026-W11");
        for text in [
            "Year book",
            "Museum De Pier",
            "name=\"rows.0.monday\"",
            "value=\"administration\"",
            "data-grid",
        ] {
            assert!(week.text.contains(text), "{text}: {}", week.text);
        }
        let fields = [
            ("rows.0.monday", "1:30"),
            ("rows.0.tuesday", "1,5"),
            ("rows.0.sunday", "90m"),
            ("rows.1.friday", "0:45"),
            ("action", "save"),
        ];
        assert_eq!(
            location(&browser.submit(&week, "/hours/week", &fields)),
            "/hours?week=2026-W11&done=week-saved"
        );
        let expected = [("2026-03-09", 1.5), ("2026-03-10", 1.5), ("2026-03-15", 1.5)];
        assert_eq!(
            hours_of(&server, &key),
            expected.map(|(day, hours)| (day.to_owned(), json!(hours)))
        );
        let log = server.get(&key, "/api/v1/hours-log").json()["data"][0].clone();
        assert_eq!(
            (&log["category"], &log["hours"], &log["date"]),
            (&json!("administration"), &json!(0.75), &json!("2026-03-13"))
        );
        let week = browser.get("/hours?week=2026-W11");
        assert_eq!(value_of(&week, "rows.0.monday").as_deref(), Some("1:30"));
        assert!(week.text.contains("<time datetime=\"2026-03-09\">9</time>"), "{}", week.text);
        assert!(week.text.contains("<data value=\"5.25\">5:15</data>"), "{}", week.text);
        // One entry is increased, one removed, and one moved to the log on the same day.
        let fields = [
            ("rows.0.monday", "2:15"),
            ("rows.0.tuesday", ""),
            ("rows.0.sunday", ""),
            ("rows.1.friday", "0:45"),
            ("rows.2.sunday", "1:30"),
        ];
        assert_eq!(
            location(&browser.submit(&week, "/hours/week", &fields)),
            "/hours?week=2026-W11&done=week-saved"
        );
        assert_eq!(hours_of(&server, &key), [("2026-03-09".to_owned(), json!(2.25))]);
        // Last week's hours are filled in but not saved yet.
        let next = browser.get("/hours?week=2026-W12");
        let copied = browser.submit(
            &next,
            "/hours/week",
            &[("rows.0.monday", ""), ("rows.0.friday", "4"), ("action", "copyLastWeek")],
        );
        assert_eq!(
            (
                copied.status,
                value_of(&copied, "rows.0.monday").as_deref(),
                value_of(&copied, "rows.0.friday").as_deref()
            ),
            (200, Some("2:15"), Some("4"))
        );
        assert_eq!(hours_of(&server, &key).len(), 1);
        let month = browser.get("/hours?month=2026-03");
        assert!(
            month.text.contains("datetime=\"2026-03-09\"")
                && month.text.contains("<data value=\"4.5\">4:30</data>"),
            "{}",
            month.text
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_rejected_week_keeps_its_input(engine) {
        let server = Server::start(engine);
        let (browser, key) = with_project(&server);
        let week = browser.get("/hours?week=2026-W11");
        let refused = browser.submit(
            &week,
            "/hours/week",
            &[("rows.0.monday", "20"), ("rows.1.monday", "5"), ("rows.0.friday", "later")],
        );
        assert_eq!(refused.status, 422);
        assert!(fault_of(&refused, "rows.0.friday").unwrap().contains("“later” isn’t a time"));
        let refused = browser.submit(
            &refused,
            "/hours/week",
            &[("rows.0.monday", "20"), ("rows.1.monday", "5"), ("rows.0.friday", "1")],
        );
        assert_eq!(
            (refused.status, value_of(&refused, "rows.0.monday").as_deref()),
            (422, Some("20"))
        );
        assert!(
            fault_of(&refused, "rows.1.monday").unwrap().contains("already has 20 hours"),
            "{}",
            refused.text
        );
        assert_eq!(hours_of(&server, &key), []);
        // A concurrent edit: the API books time on the Tuesday.
        assert_eq!(server.post(&key, "/api/v1/time-entries", &json!({"projectId": 1, "date": "2026-03-10", "hours": 1, "description": "Calls"})).status, 201);
        let changed = browser.submit(&week, "/hours/week", &[("rows.0.tuesday", "2")]);
        assert_eq!(
            (changed.status, value_of(&changed, "rows.0.tuesday").as_deref()),
            (409, Some("2"))
        );
        assert!(changed.text.contains("<td>1:00</td>"), "{}", changed.text);
        assert_eq!(
            location(&browser.submit(&changed, "/hours/week", &[("rows.0.tuesday", "2")])),
            "/hours?week=2026-W11&done=week-saved"
        );
        assert_eq!(hours_of(&server, &key), [("2026-03-10".to_owned(), json!(2))]);
        // A day with two entries can be increased in the grid; to reduce it, each entry is edited.
        assert_eq!(server.post(&key, "/api/v1/time-entries", &json!({"projectId": 1, "date": "2026-03-10", "hours": 1, "description": "More"})).status, 201);
        let week = browser.get("/hours?week=2026-W11");
        let refused = browser.submit(&week, "/hours/week", &[("rows.0.tuesday", "1")]);
        assert!(
            fault_of(&refused, "rows.0.tuesday").unwrap().contains("in parts"),
            "{}",
            refused.text
        );
        assert_eq!(browser.submit(&week, "/hours/week", &[("rows.0.tuesday", "4")]).status, 303);
        assert_eq!(server.get(&key, "/api/v1/projects/1").json()["hoursLogged"], 4);
    }

    fn hours_are_added_edited_and_deleted_one_by_one(engine) {
        let server = Server::start(engine);
        let (browser, key) = with_project(&server);
        let page = browser.get("/hours/list");
        let fields = [
            ("projectId", "1"),
            ("date", "12-03-2026"),
            ("hours", "2,5"),
            ("description", "Sketches"),
        ];
        assert_eq!(
            location(&browser.submit(&page, "/hours/entries", &fields)),
            "/hours/list?from=2026-03-01&to=2026-03-31&done=hours-saved"
        );
        // Submitting the same form again adds nothing.
        assert_eq!(browser.submit(&page, "/hours/entries", &fields).status, 303);
        let page = browser.get("/hours/list");
        assert_eq!(
            browser
                .submit(
                    &page,
                    "/hours/log",
                    &[
                        ("category", "training"),
                        ("date", "2026-03-12"),
                        ("hours", "1"),
                        ("description", "Course")
                    ]
                )
                .status,
            303
        );
        let refused = browser.submit(
            &page,
            "/hours/entries",
            &[("projectId", "1"), ("date", "2026-03-12"), ("hours", "21"), ("description", "")],
        );
        assert_eq!((refused.status, value_of(&refused, "hours").as_deref()), (422, Some("21")));
        assert!(
            fault_of(&refused, "hours").is_some() && fault_of(&refused, "description").is_some()
        );
        let list = browser.get("/hours/list?sort=hours");
        assert!(
            list.text.contains("Sketches")
                && list.text.contains("Course")
                && list.text.contains("<data value=\"3.5\">"),
            "{}",
            list.text
        );
        let csv = browser.get("/hours/list.csv?projectId=1");
        assert_eq!(csv.text.lines().nth(1), Some("2026-03-12;Year book;Sketches;2,5;timeEntry;"));
        let page = browser.get("/hours/entries/1");
        assert_eq!(value_of(&page, "hours").as_deref(), Some("2.5"));
        let fields = [
            ("projectId", "1"),
            ("date", "2026-03-12"),
            ("hours", "1:15"),
            ("description", "Proofs"),
        ];
        assert_eq!(browser.submit(&page, "/hours/entries/1", &fields).status, 303);
        let late = browser.submit(
            &page,
            "/hours/entries/1",
            &[
                ("projectId", "1"),
                ("date", "2026-03-12"),
                ("hours", "3"),
                ("description", "Late"),
                ("submission", "another"),
            ],
        );
        assert_eq!(
            (late.status, server.get(&key, "/api/v1/time-entries/1").json()["description"].clone()),
            (409, json!("Proofs"))
        );
        let page = browser.get("/hours/log/1");
        assert_eq!(
            browser
                .submit(
                    &page,
                    "/hours/log/1",
                    &[
                        ("category", "travel"),
                        ("date", "2026-03-12"),
                        ("hours", "2"),
                        ("description", "Train")
                    ]
                )
                .status,
            303
        );
        assert_eq!(server.get(&key, "/api/v1/hours-log/1").json()["category"], "travel");
        assert_eq!(
            location(&browser.submit(&page, "/hours/log/1/delete", &[])),
            "/hours/list?done=hours-deleted"
        );
        let page = browser.get("/hours/entries/1");
        assert_eq!(browser.submit(&page, "/hours/entries/1/delete", &[]).status, 303);
        assert_eq!(browser.get("/hours/entries/1").status, 404);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn hours_of_a_project_fill_one_draft_with_two_windows_open(engine) {
        let server = Server::start(engine);
        let (browser, key) = with_project(&server);
        for (day, hours) in [("2026-03-02", 2.5), ("2026-03-04", 1.5)] {
            assert_eq!(server.post(&key, "/api/v1/time-entries", &json!({"projectId": 1, "date": day, "hours": hours, "description": "Design"})).status, 201);
        }
        let (one, two) = (browser.get("/projects/1"), browser.get("/projects/1"));
        // 4 × 95.50 of a budget of 10 × 95.50.
        for text in
            ["<data value=\"382.00\">", "<data value=\"955.00\">", "action=\"/projects/1/invoice\""]
        {
            assert!(one.text.contains(text), "{text}: {}", one.text);
        }
        assert!(browser.get("/projects").text.contains("<data value=\"382.00\">"));
        let csv = browser.get("/projects.csv");
        assert!(
            csv.text.contains("\r\nYear book;Museum De Pier;active;95,50;10;4;4;382,00\r\n"),
            "{}",
            csv.text
        );
        assert_eq!(
            location(&browser.submit(&one, "/projects/1/invoice", &[])),
            "/invoices/1?done=hours-invoiced"
        );
        let late = browser.submit(&two, "/projects/1/invoice", &[]);
        assert_eq!(
            (late.status, late.text.contains("are on an invoice already")),
            (409, true),
            "{}",
            late.text
        );
        let draft = server.get(&key, "/api/v1/invoices/1").json();
        assert_eq!(
            (&draft["status"], &draft["subtotal"], &draft["items"][0]["quantity"]),
            (&json!("draft"), &json!(382.0), &json!(4))
        );
        assert_eq!(draft["customer"]["name"], "Museum De Pier");
        assert!(!browser.get("/invoices/1").text.contains("none of its lines"));
        // Hours removed from a draft are reported, because they would not be invoiced otherwise.
        let items =
            json!([{"description": "Design", "quantity": 2.5, "unitPrice": 95.5, "vatRate": 21}]);
        assert_eq!(
            server
                .send(
                    "PATCH",
                    "/api/v1/invoices/1",
                    &[("x-api-key", &key), ("content-type", "application/json")],
                    Some(json!({"items": items}).to_string().as_bytes())
                )
                .status,
            200
        );
        let fewer = browser.get("/invoices/1").text;
        assert!(fewer.contains("<data value=\"1.5\">1:30</data> hours belong to this draft but are on none of its lines"), "{fewer}");
        let page = browser.get("/hours/entries/1");
        assert!(page.text.contains("no longer change"), "{}", page.text);
        let fields =
            [("projectId", "1"), ("date", "2026-03-02"), ("hours", "1"), ("description", "Less")];
        assert_eq!(browser.submit(&page, "/hours/entries/1", &fields).status, 409);
        let week = browser.get("/hours?week=2026-W10");
        let less = browser.submit(
            &week,
            "/hours/week",
            &[("rows.0.monday", "1"), ("rows.0.wednesday", "1:30")],
        );
        assert!(fault_of(&less, "rows.0.monday").is_some(), "{}", less.text);
        // Hours added after the page was shown are not invoiced.
        let seen = browser.get("/projects/1");
        assert!(!seen.text.contains("action=\"/projects/1/invoice\""));
        assert_eq!(server.post(&key, "/api/v1/time-entries", &json!({"projectId": 1, "date": "2026-03-05", "hours": 1, "description": "Calls"})).status, 201);
        let seen = browser.get("/projects/1");
        assert_eq!(server.post(&key, "/api/v1/time-entries", &json!({"projectId": 1, "date": "2026-03-06", "hours": 1, "description": "Calls"})).status, 201);
        let changed = browser.submit(&seen, "/projects/1/invoice", &[]);
        assert_eq!(
            (changed.status, changed.text.contains("have changed in the meantime")),
            (409, true)
        );
        assert_eq!(
            location(&browser.submit(&changed, "/projects/1/invoice", &[("until", "2026-03-05")])),
            "/invoices/2?done=hours-invoiced"
        );
        assert_eq!(server.get(&key, "/api/v1/projects/1").json()["hoursNotInvoiced"], 1);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_project_is_edited_and_archived(engine) {
        let server = Server::start(engine);
        let (browser, key) = with_project(&server);
        let form = browser.get("/projects/1/edit");
        assert_eq!(
            (value_of(&form, "hourlyRate").as_deref(), value_of(&form, "budgetHours").as_deref()),
            (Some("95.50"), Some("10"))
        );
        let refused = browser.submit(
            &form,
            "/projects/1",
            &[("name", ""), ("contactId", "9"), ("hourlyRate", "much"), ("budgetHours", "-1")],
        );
        assert_eq!(refused.status, 422);
        for field in ["name", "contactId", "hourlyRate", "budgetHours"] {
            assert!(fault_of(&refused, field).is_some(), "{field}: {}", refused.text);
        }
        let right =
            [("name", "Book"), ("contactId", "1"), ("hourlyRate", ""), ("budgetHours", "12,5")];
        assert_eq!(
            location(&browser.submit(&form, "/projects/1", &right)),
            "/projects/1?done=project-edited"
        );
        let project = server.get(&key, "/api/v1/projects/1").json();
        assert_eq!(
            (&project["name"], &project["hourlyRate"], &project["budgetHours"]),
            (&json!("Book"), &Value::Null, &json!(12.5))
        );
        let late =
            browser.submit(&form, "/projects/1", &[("name", "Late"), ("submission", "another")]);
        assert_eq!(
            (late.status, late.text.contains("<td>Late</td>")),
            (409, true),
            "{}",
            late.text
        );
        let page = browser.get("/projects/1");
        assert_eq!(
            location(&browser.submit(&page, "/projects/1/archive", &[])),
            "/projects/1?done=project-archived"
        );
        assert!(browser.get("/projects?state=archived").text.contains("data-id=\"1\""));
        let page = browser.get("/projects/1");
        assert_eq!(
            location(&browser.submit(&page, "/projects/1/restore", &[])),
            "/projects/1?done=project-restored"
        );
    }

    fn the_timer_keeps_running_without_a_session(engine) {
        let server = Server::start(engine);
        let (browser, key) = with_project(&server);
        let page = browser.get("/hours");
        assert_eq!(
            location(&browser.submit(
                &page,
                "/hours/timer/start",
                &[("projectId", "1"), ("description", "Proofs")]
            )),
            "/hours?done=timer-started"
        );
        server.clock.set("2026-03-15T12:12:00Z");
        let other = visit(&server);
        other.sign_in(EMAIL, PASSWORD);
        for path in ["/hours", "/"] {
            let page = other.get(path);
            assert!(
                page.text.contains("Proofs")
                    && page.text.contains("data-since=\"2026-03-15T11:00:00Z\"")
                    && page.text.contains("1:12"),
                "{path}: {}",
                page.text
            );
        }
        assert_eq!(other.post("/hours/timer/start", &[]).status, 403);
        let twice = other.submit(&page, "/hours/timer/start", &[("projectId", "1")]);
        assert!(matches!(twice.status, 403 | 409), "{}", twice.status);
        let page = other.get("/hours");
        assert_eq!(
            location(&other.submit(&page, "/hours/timer/stop", &[])),
            "/hours?done=timer-stopped"
        );
        assert_eq!(hours_of(&server, &key), [("2026-03-15".to_owned(), json!(1.2))]);
        let page = other.get("/hours");
        assert_eq!(other.submit(&page, "/hours/timer/start", &[("projectId", "")]).status, 303);
        // For a forgotten timer, the page asks how long the work took.
        server.clock.set("2026-03-17T12:00:00Z");
        other.sign_in(EMAIL, PASSWORD);
        let page = other.get("/hours");
        let response = other.submit(&page, "/hours/timer/stop", &[]);
        assert_eq!(
            (response.status, response.text.contains("longer than a day")),
            (422, true),
            "{}",
            response.text
        );
        assert_eq!(
            location(&other.submit(&response, "/hours/timer/discard", &[])),
            "/hours?done=timer-discarded"
        );
        assert!(!other.get("/").text.contains("data-since"));
        // A window opened earlier still shows the timer; using the timer there causes a conflict.
        let late = other.submit(&response, "/hours/timer/discard", &[("submission", "another")]);
        assert!(
            late.status == 409 && late.text.contains("No timer is running any more"),
            "{}",
            late.text
        );
    }

    fn accounts_abroad_have_hours_but_no_books(engine) {
        let server = Server::start(engine);
        let country = ledger::country::CountryCode::parse("BE").unwrap();
        let open = OpenAccount {
            email: EMAIL.into(),
            name: "Paul".into(),
            country,
            plan: Plan::Starter,
            password: Some(PASSWORD.into()),
        };
        let now = server.clock.now();
        server.write(move |tx| accounts::open(tx, &Environment::at(now), &open));
        let browser = visit(&server);
        browser.sign_in(EMAIL, PASSWORD);
        let home = browser.get("/");
        for (path, has) in [
            ("/hours", true),
            ("/projects", true),
            ("/api-access", true),
            ("/settings", true),
            ("/invoices", false),
            ("/contacts", false),
        ] {
            assert_eq!(home.text.contains(&format!("<a href=\"{path}\"")), has, "{path}");
        }
        for path in ["/contacts", "/contacts/new", "/invoices"] {
            let refused = browser.get(path);
            assert!(
                refused.status == 403
                    && refused.text.contains("Only for businesses in the Netherlands"),
                "{path}: {}",
                refused.text
            );
        }
        let page = browser.get("/projects/new");
        assert_eq!(browser.submit(&page, "/projects", &[("name", "P")]).status, 303);
        let week = browser.get("/hours");
        assert!(
            week.text.contains("rows.0.monday") && !week.text.contains("administration"),
            "{}",
            week.text
        );
        assert_eq!(browser.submit(&week, "/hours/week", &[("rows.0.monday", "1")]).status, 303);
    }
}
