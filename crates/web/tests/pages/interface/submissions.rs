//! Form submissions as commands: idempotent, unaffected by rejection, and checked for edit
//! conflicts.

use crate::{
    help::{EMAIL, fault_of, signed_in, value_of},
    interface::routes,
};
use serde_json::json;
use service::accounts;
use std::collections::BTreeSet;
use testing::{
    Server, Visitor, on_both_engines,
    page::{form_to, forms},
    year,
};

/// Every edit form: its page, its action, a field, the value that each of two windows gives the
/// field, and the value of the save button.
const EDITS: [(&str, &str, &str, [&str; 2], &str); 15] = [
    ("/contacts/1/edit", "/contacts/1", "name", ["From A", "From B"], ""),
    ("/articles/1/edit", "/articles/1", "name", ["From A", "From B"], ""),
    ("/invoices/2/edit", "/invoices/2", "reference", ["From A", "From B"], "draft"),
    ("/expenses/1/edit", "/expenses/1", "description", ["From A", "From B"], ""),
    ("/projects/1/edit", "/projects/1", "name", ["From A", "From B"], ""),
    ("/bank-accounts/1/edit", "/bank-accounts/1", "name", ["From A", "From B"], ""),
    ("/hours/entries/1", "/hours/entries/1", "description", ["From A", "From B"], ""),
    ("/hours/log/1", "/hours/log/1", "description", ["From A", "From B"], ""),
    ("/hours?week=2026-W10", "/hours/week", "rows.0.wednesday", ["1:15", "2:45"], "save"),
    ("/settings", "/settings", "name", ["From A", "From B"], ""),
    ("/settings/invoices", "/settings/invoices", "opening.nl", ["From A", "From B"], ""),
    ("/settings/reminders", "/settings/reminders", "minimumDays", ["5", "10"], ""),
    ("/settings/vat", "/settings/vat", "supply", ["goods", "services"], ""),
    (
        "/api-access/webhooks/1/edit",
        "/api-access/webhooks/1/edit",
        "description",
        ["From A", "From B"],
        "",
    ),
    (
        "/api-access/test-account/webhooks/1/edit",
        "/api-access/test-account/webhooks/1/edit",
        "description",
        ["From A", "From B"],
        "",
    ),
];

/// Forms that have a version but edit nothing: this one invoices the hours shown on the page.
const SHOWN_AS_SEEN: [&str; 1] = ["/projects/1/invoice"];

/// Browser signed in to an account that has a record of every editable kind.
fn with_everything(server: &Server) -> Visitor {
    let browser = signed_in(server);
    let key = server.key(EMAIL, true, true);
    year::live(server, &key);
    let article = json!({"name": "Work", "unitPrice": 50});
    assert_eq!(server.post(&key, "/api/v1/articles", &article).status, 201);
    for key in [key, server.test_key(EMAIL)] {
        let response = server.post(
            &key,
            "/api/v1/webhooks",
            &json!({"url": "https://shop.example/hook", "types": ["invoice.*"]}),
        );
        assert_eq!(response.status, 201, "{}", response.text);
    }
    browser
}

/// Button: its page, its action, and the other fields of its form.
type Button<'a> = (&'a str, &'a str, &'a [(&'a str, &'a str)]);

/// Form fields that set only a name.
fn named(name: &str) -> [(&str, &str); 1] {
    [("name", name)]
}

/// Number of changes to the settings.
fn changes(server: &Server) -> usize {
    let events = server.write(|tx| {
        let account = accounts::by_email(tx, EMAIL)?;
        Ok::<_, service::Error>(store::person_events::last(tx, account.owner.id, 100)?)
    });
    events.iter().filter(|event| event.kind == "settings_changed").count()
}

on_both_engines! {
    /// Edit conflict between two windows: the second window shows the stored values, and overwrites
    /// them only if its form is submitted again.
    fn every_edit_form_shows_the_values_of_another_window(engine) {
        let server = Server::start(engine);
        let browser = with_everything(&server);
        for (page, action, field, [from_a, from_b], button) in EDITS {
            let in_form = |reply: &testing::Reply| {
                let fields = form_to(&reply.text, action).fields;
                fields.into_iter().find(|(name, _)| name == field).map(|(_, value)| value)
            };
            let typed = |text: &'static str| {
                let pressed = (!button.is_empty()).then_some(("action", button));
                [(field, text)].into_iter().chain(pressed).collect::<Vec<_>>()
            };
            let (a, b) = (browser.get(page), browser.get(page));
            assert_eq!((a.status, b.status), (200, 200), "{page}: {}", a.text);
            let saved = browser.submit(&a, action, &typed(from_a));
            assert_eq!(saved.status, 303, "{page}: {}", saved.text);
            let both = browser.submit(&b, action, &typed(from_b));
            assert_eq!(both.status, 409, "{page}: {}", both.text);
            // The table shows both values, and the form keeps the input.
            let (_, table) = both
                .text
                .split_once("aria-labelledby=\"changed-title\"")
                .unwrap_or_else(|| panic!("{page}: {}", both.text));
            let rows = table.split("</table>").next().unwrap().to_lowercase();
            let cells: Vec<_> = rows
                .split("<td>")
                .skip(1)
                .map(|cell| cell.split("</td>").next().unwrap())
                .collect();
            assert!(
                cells.contains(&from_b.to_lowercase().as_str())
                    && cells.contains(&from_a.to_lowercase().as_str()),
                "{page}: {rows}"
            );
            assert_eq!(in_form(&both).as_deref(), Some(from_b), "{page}");
            assert_eq!(
                in_form(&browser.get(page)).as_deref(),
                Some(from_a),
                "{page}: the values of the first window are lost"
            );
            // A submission from the page with both values overwrites the stored value.
            let meant = browser.submit(&both, action, &typed(from_b));
            assert_eq!(meant.status, 303, "{page}: {}", meant.text);
            assert_eq!(in_form(&browser.get(page)).as_deref(), Some(from_b), "{page}");
        }
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    /// Every form with a version is in [`EDITS`], and every form on an edit page has a version.
    fn every_edit_form_is_in_the_table(engine) {
        let server = Server::start(engine);
        let browser = with_everything(&server);
        // The second record of a kind has the same form as the first.
        let of_first = |action: &str| {
            action
                .split('/')
                .map(|part| if part == "2" { "1" } else { part })
                .collect::<Vec<_>>()
                .join("/")
        };
        let known: BTreeSet<String> = EDITS
            .iter()
            .map(|(_, action, ..)| of_first(action))
            .chain(SHOWN_AS_SEEN.map(of_first))
            .collect();
        let mut seen = BTreeSet::new();
        for route in routes::all().into_iter().filter(|route| route.methods.contains(&"get")) {
            for id in ["1", "2"] {
                let path: Vec<&str> = route
                    .path
                    .split('/')
                    .map(|part| match part {
                        "{year}" => "2026",
                        "{quarter}" => "1",
                        "{code}" => "1100",
                        part if part.starts_with('{') => id,
                        part => part,
                    })
                    .collect();
                let path = path.join("/");
                let page = browser.get(&path);
                let is_page = page.status == 200
                    && page
                        .header("content-type")
                        .is_some_and(|kind| kind.starts_with("text/html"));
                for form in if is_page { forms(&page.text) } else { Vec::new() } {
                    if !form.value("version").is_empty() {
                        seen.insert(of_first(&form.action));
                    } else {
                        assert!(
                            !(path.ends_with("/edit")
                                && form.fields.len() > 3
                                && form.action != "/logout"),
                            "{path}: {} has no version",
                            form.action
                        );
                    }
                }
            }
        }
        assert_eq!(seen, known);
    }

    fn a_form_submitted_twice_runs_once(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let page = browser.get("/settings");
        let first = browser.submit(&page, "/settings", &named("Once"));
        let again = browser.submit(&page, "/settings", &named("Twice"));
        assert_eq!((first.status, again.status), (303, 303), "{}", again.text);
        assert_eq!(first.header("location"), again.header("location"));
        // A resubmission with other input is not saved, and the page says so once; the same input
        // again gets the usual message.
        let note = "This form was sent before. What you changed in it since is not saved.";
        let result_page = browser.follow(&again);
        assert!(result_page.text.contains(note), "{}", result_page.text);
        assert_eq!(value_of(&result_page, "name").as_deref(), Some("Once"));
        assert!(!browser.get("/settings").text.contains(note));
        let same = browser.submit(&page, "/settings", &named("Once"));
        assert!(!browser.follow(&same).text.contains(note));
        assert_eq!(changes(&server), 1);
        // An invalid resubmission is not rejected either: the command already ran.
        let wrong = browser.submit(&page, "/settings", &[("name", "Once"), ("iban", "NL00")]);
        assert_eq!(
            (wrong.status, wrong.header("location")),
            (303, first.header("location")),
            "{}",
            wrong.text
        );
        assert!(browser.follow(&wrong).text.contains(note));
        // A new form is a new command.
        let page = browser.get("/settings");
        assert_eq!(browser.submit(&page, "/settings", &named("Twice")).status, 303);
        assert_eq!(changes(&server), 2);
    }

    fn a_rejected_form_can_be_submitted_again_and_keeps_its_input(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let page = browser.get("/settings");
        let refused = browser.submit(
            &page,
            "/settings",
            &[("name", "Mended"), ("iban", "NL00"), ("kvkNumber", "twelve")],
        );
        assert_eq!(refused.status, 422);
        assert_eq!(value_of(&refused, "submission"), value_of(&page, "submission"));
        assert_eq!(value_of(&refused, "name").as_deref(), Some("Mended"));
        for field in ["iban", "kvkNumber"] {
            assert!(fault_of(&refused, field).is_some(), "{field}");
            assert!(
                refused.text.contains(&format!("href=\"#{field}\"")),
                "{field} is not listed above the form"
            );
        }
        let saved = browser.submit(
            &refused,
            "/settings",
            &[("name", "Mended"), ("iban", ""), ("kvkNumber", "")],
        );
        assert_eq!(saved.status, 303, "{}", saved.text);
        assert_eq!(value_of(&browser.get("/settings"), "name").as_deref(), Some("Mended"));
    }

    fn a_conflict_shows_stored_and_submitted_values(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let (first_page, second_page) = (browser.get("/settings"), browser.get("/settings"));
        assert_ne!(value_of(&first_page, "submission"), value_of(&second_page, "submission"));
        assert_eq!(browser.submit(&second_page, "/settings", &named("From there")).status, 303);
        let both = browser.submit(&first_page, "/settings", &named("From here"));
        assert_eq!(both.status, 409);
        assert!(both.text.contains("<td>From here</td><td>From there</td>"), "{}", both.text);
        assert_eq!(value_of(&both, "name").as_deref(), Some("From here"));
        assert_eq!(value_of(&browser.get("/settings"), "name").as_deref(), Some("From there"));
        // A submission from the page with both values overwrites the stored value.
        assert_eq!(browser.submit(&both, "/settings", &named("From here")).status, 303);
        assert_eq!(value_of(&browser.get("/settings"), "name").as_deref(), Some("From here"));
    }

    fn a_conflict_in_the_vat_settings_is_shown(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let (first_page, second_page) =
            (browser.get("/settings/vat"), browser.get("/settings/vat"));
        let settings = |supply: &'static str| {
            [("scheme", "normal"), ("zeroMeans", "reverseCharge"), ("supply", supply)]
        };
        assert_eq!(browser.submit(&second_page, "/settings/vat", &settings("goods")).status, 303);
        let both = browser.submit(&first_page, "/settings/vat", &settings("services"));
        assert_eq!(both.status, 409, "{}", both.text);
        assert!(both.text.contains("<td>Services</td><td>Goods</td>"), "{}", both.text);
        assert_eq!(browser.submit(&both, "/settings/vat", &settings("services")).status, 303);
    }

    /// 422 is for a field with an invalid value; a conflict with the state of the books is 409
    /// (api.md, 5).
    fn a_refusal_by_the_state_of_the_books_is_a_conflict_and_keeps_the_input(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let invoice = |status: &str| json!({"invoiceDate": "2026-02-05", "status": status, "customer": {"name": "De Pier"}, "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
        for status in ["draft", "sent"] {
            assert_eq!(server.post(&key, "/api/v1/invoices", &invoice(status)).status, 201);
        }
        let page = browser.get("/year/2025");
        assert_eq!(browser.submit(&page, "/year/2025/close", &[]).status, 303);
        let expense = |date: &'static str, amount: &'static str| {
            vec![
                ("date", date),
                ("supplier", "Papierhal"),
                ("description", "As typed"),
                ("items.0.category", "4100"),
                ("items.0.amount", amount),
                ("items.0.vatRate", "21"),
            ]
        };
        let in_2025 =
            |fields: &[(&'static str, &'static str)]| [&[("date", "2025-12-30")], fields].concat();
        let forms = [
            ("/expenses/new", "/expenses", expense("2025-12-30", "121")),
            (
                "/journal/new",
                "/journal",
                in_2025(&[
                    ("description", "As typed"),
                    ("lines.0.account", "1100"),
                    ("lines.0.debit", "1"),
                    ("lines.1.account", "8000"),
                    ("lines.1.credit", "1"),
                ]),
            ),
            (
                "/transfers",
                "/transfers",
                in_2025(&[
                    ("from", "bank"),
                    ("to", "savings"),
                    ("amount", "1"),
                    ("description", "As typed"),
                ]),
            ),
            (
                "/mileage",
                "/mileage",
                in_2025(&[("from", "As typed"), ("to", "Zwolle"), ("km", "12")]),
            ),
            ("/assets/new", "/assets", in_2025(&[("description", "As typed"), ("cost", "1899")])),
            (
                "/payouts",
                "/payouts",
                in_2025(&[("provider", "As typed"), ("amount", "100"), ("fee", "1")]),
            ),
        ];
        for (page_path, action, filled) in &forms {
            let page = browser.get(page_path);
            let refused = browser.submit(&page, action, filled);
            assert!(
                refused.status == 409 && refused.text.contains("2025 is closed"),
                "{action}: {} {}",
                refused.status,
                refused.text
            );
            assert!(
                form_to(&refused.text, action).fields.iter().any(|(_, value)| value == "As typed"),
                "{action}: {}",
                refused.text
            );
            // In the same form, an unreadable value is reported as a fault on its field.
            let wrong: Vec<_> = filled
                .iter()
                .map(|(name, value)| (*name, if *name == "date" { "soon" } else { *value }))
                .collect();
            let wrong = browser.submit(&refused, action, &wrong);
            assert!(
                wrong.status == 422 && fault_of(&wrong, "date").is_some(),
                "{action}: {} {}",
                wrong.status,
                wrong.text
            );
        }
        // In a filed quarter of an open year, the response offers a correction. A correction above
        // the limit is rejected.
        let page = browser.get("/year/2025");
        assert_eq!(browser.submit(&page, "/year/2025/reopen", &[]).status, 303);
        let page = browser.get("/vat/2025/4");
        assert_eq!(browser.submit(&page, "/vat/2025/4/file", &[]).status, 303);
        let page = browser.get("/expenses/new");
        let refused = browser.submit(&page, "/expenses", &expense("2025-12-30", "12.100"));
        assert!(
            refused.status == 409 && refused.text.contains("name=\"correction\""),
            "{} {}",
            refused.status,
            refused.text
        );
        let large = [expense("2025-12-30", "12100"), vec![("correction", "true")]].concat();
        let refused = browser.submit(&refused, "/expenses", &large);
        assert!(
            refused.status == 409
                && refused.text.contains("name=\"correction\"")
                && refused.text.contains("1,000"),
            "{} {}",
            refused.status,
            refused.text
        );
        // A draft can be neither paid nor credited, and a sent invoice cannot be edited.
        let page = browser.get("/invoices/1/edit");
        let csrf = value_of(&page, "csrf").unwrap();
        for (path, fields) in [
            ("/invoices/1/payments", &[("date", "2026-03-01"), ("amount", "1")]),
            ("/invoices/1/credit", &[("date", "2026-03-01"), ("reason", "x")]),
        ] {
            let refused = browser.post(path, &[&[("csrf", csrf.as_str())], &fields[..]].concat());
            assert_eq!(refused.status, 409, "{path}: {}", refused.text);
        }
        let refused = browser.post(
            "/invoices/2",
            &[("csrf", csrf.as_str()), ("reference", "As typed"), ("action", "draft")],
        );
        assert!(
            refused.status == 409 && value_of(&refused, "reference").as_deref() == Some("As typed"),
            "{} {}",
            refused.status,
            refused.text
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    /// Every button is one command: a second press leads to the result of the first.
    fn a_button_pressed_twice_is_one_command(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let make = |path: &str, body: serde_json::Value| {
            let response = server.post(&key, &format!("/api/v1/{path}"), &body);
            assert_eq!(response.status, 201, "{path}: {}", response.text);
        };
        for name in ["De Pier", "Lindenhof", "Pier"] {
            make("contacts", json!({"name": name}));
        }
        make("articles", json!({"name": "Work", "unitPrice": 50}));
        make("projects", json!({"name": "Year book", "hourlyRate": 90}));
        let invoice = |status: &str| json!({"status": status, "invoiceDate": "2026-03-02", "customer": {"contactId": 1}, "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
        for status in ["draft", "draft", "sent", "sent"] {
            make("invoices", invoice(status));
        }
        for id in [3, 4] {
            make(&format!("invoices/{id}/payments"), json!({"date": "2026-03-03", "amount": 1}));
        }
        make(
            "expenses",
            json!({"date": "2026-03-02", "supplier": "Papierhal", "description": "Toner", "paidFrom": "unpaid", "items": [{"category": "4100", "amount": 121, "vatRate": 21}]}),
        );
        make("expenses/1/payments", json!({"date": "2026-03-03", "amount": 1}));
        make("mileage", json!({"date": "2026-03-02", "from": "Utrecht", "to": "Zwolle", "km": 12}));
        make("assets", json!({"date": "2026-03-02", "description": "Laptop", "cost": 1000}));
        make("payouts", json!({"date": "2026-03-02", "amount": 10, "fee": 1}));
        make(
            "hours-log",
            json!({"date": "2026-03-02", "hours": 1, "category": "administration", "description": "Calls"}),
        );
        make(
            "time-entries",
            json!({"projectId": 1, "date": "2026-03-02", "hours": 1, "description": "Work"}),
        );
        make("vat-payments", json!({"date": "2026-03-02", "amount": 10, "vatPeriod": "2025-Q4"}));
        let receipts = browser.get("/receipts");
        assert_eq!(
            browser
                .submit_with_file(&receipts, "/receipts", &[], ("file", "a.pdf", b"%PDF-1.7 a"))
                .status,
            303
        );
        make("webhooks", json!({"url": "https://shop.example/hook", "types": ["invoice.*"]}));
        let buttons: [Button<'_>; 24] = [
            ("/hours", "/hours/timer/start", &[("projectId", "1"), ("description", "Work")]),
            ("/hours", "/hours/timer/stop", &[("hours", "1")]),
            ("/hours", "/hours/timer/start", &[("projectId", "1"), ("description", "More")]),
            ("/hours", "/hours/timer/discard", &[]),
            ("/hours/log/1", "/hours/log/1/delete", &[]),
            ("/hours/entries/1", "/hours/entries/1/delete", &[]),
            ("/invoices/1", "/invoices/1/mark-sent", &[]),
            ("/invoices/2", "/invoices/2/cancel", &[]),
            ("/invoices/3", "/invoices/3/copy", &[]),
            ("/invoices/3", "/invoices/3/payments/1/undo", &[]),
            ("/expenses/1", "/expenses/1/payments/1/undo", &[]),
            ("/expenses/1", "/expenses/1/undo", &[]),
            ("/receipts", "/receipts/1/delete", &[]),
            ("/mileage", "/mileage/1/undo", &[]),
            ("/assets/1", "/assets/1/undo", &[]),
            ("/payouts", "/payouts/1/undo", &[]),
            ("/vat/2025/4", "/vat-payments/1/undo", &[]),
            ("/projects/1", "/projects/1/archive", &[]),
            ("/articles/1/edit", "/articles/1/archive", &[]),
            ("/articles/1/edit", "/articles/1/restore", &[]),
            ("/contacts/2", "/contacts/2/archive", &[]),
            ("/contacts/3", "/contacts/3/merge", &[("into", "1")]),
            ("/api-access/webhooks/1", "/api-access/webhooks/1/test", &[]),
            ("/api-access/webhooks/1", "/api-access/webhooks/1/delete", &[]),
        ];
        for (page_path, action, filled) in buttons {
            let page = browser.get(page_path);
            assert!(
                !form_to(&page.text, action).value("submission").is_empty(),
                "{action} has no submission"
            );
            let (first, again) =
                (browser.submit(&page, action, filled), browser.submit(&page, action, filled));
            assert_eq!(
                (first.status, again.status),
                (303, 303),
                "{action}: {} {}",
                first.text,
                again.text
            );
            assert_eq!(first.header("location"), again.header("location"), "{action}");
            if action.ends_with("/test") {
                let sent = server.get(&key, "/api/v1/webhooks/1/deliveries").json();
                assert_eq!(
                    sent["data"]
                        .as_array()
                        .unwrap()
                        .iter()
                        .filter(|one| one["type"] == "webhook.test")
                        .count(),
                    1,
                    "{sent}"
                );
            }
        }
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    /// Every form of the books detects resubmission. Passwords, keys and sessions have other
    /// protection, and a choice of language is not a command.
    fn every_form_of_the_books_has_a_submission(engine) {
        let server = Server::start(engine);
        let browser = with_everything(&server);
        for route in routes::all().into_iter().filter(|route| route.methods.contains(&"get")) {
            let path: Vec<&str> = route
                .path
                .split('/')
                .map(|part| match part {
                    "{year}" => "2026",
                    "{quarter}" => "1",
                    "{code}" => "1100",
                    part if part.starts_with('{') => "1",
                    part => part,
                })
                .collect();
            let path = path.join("/");
            let page = browser.get(&path);
            let is_page = page.status == 200
                && page.header("content-type").is_some_and(|kind| kind.starts_with("text/html"));
            for form in if is_page { forms(&page.text) } else { Vec::new() } {
                let is_post = form.fields.iter().any(|(name, _)| name == "csrf");
                let has_other_way = [
                    "/logout",
                    "/login",
                    "/settings/",
                    "/password/",
                    "/signup",
                    "/confirm",
                    "/email/",
                    "/oauth/",
                    "/api-access",
                ]
                .iter()
                .any(|other| form.action.starts_with(other));
                // The same file twice is one receipt.
                let is_upload = form.action == "/receipts";
                assert!(
                    !is_post || has_other_way || is_upload || !form.value("submission").is_empty(),
                    "{path}: {} has none",
                    form.action
                );
            }
        }
    }

    /// Concurrent edits from the same state: one is saved, the other edits are conflicts.
    fn one_of_two_concurrent_edits_is_a_conflict(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let at_once = |path: &str, bodies: &[String]| -> Vec<u16> {
            let cookies = browser.cookies();
            let headers = [
                ("content-type", "application/x-www-form-urlencoded"),
                ("sec-fetch-site", "same-origin"),
                ("cookie", cookies.as_str()),
            ];
            std::thread::scope(|scope| {
                let sent: Vec<_> = bodies
                    .iter()
                    .map(|body| {
                        scope.spawn(|| {
                            server.send("POST", path, &headers, Some(body.as_bytes())).status
                        })
                    })
                    .collect();
                let mut statuses: Vec<u16> =
                    sent.into_iter().map(|answer| answer.join().unwrap()).collect();
                statuses.sort_unstable();
                statuses
            })
        };
        for round in 0..3 {
            let forms = [browser.get("/settings"), browser.get("/settings")];
            let bodies = [
                form_to(&forms[0].text, "/settings")
                    .filled(&[("name", format!("Name {round}").as_str())]),
                form_to(&forms[1].text, "/settings")
                    .filled(&[("address.street", format!("Street {round}").as_str())]),
            ];
            assert_eq!(at_once("/settings", &bodies), [303, 409]);
        }
        // Several concurrent conversions of an expense create one asset. A conversion from a form
        // opened before an edit of the expense creates none.
        let expense = |amount: f64| {
            let body = json!({"date": "2026-02-03", "supplier": "Shop", "paidFrom": "bank", "items": [{"category": "4100", "amount": amount, "vatRate": 21}]});
            server.post(&key, "/api/v1/expenses", &body).json()["id"].as_i64().unwrap()
        };
        let first = expense(1000.0);
        let bodies: Vec<String> = (0..4)
            .map(|_| {
                let form = browser.get(&format!("/assets/new?expense={first}"));
                form_to(&form.text, "/assets")
                    .filled(&[("description", "Camera"), ("lifeYears", "5")])
            })
            .collect();
        assert_eq!(at_once("/assets", &bodies), [303, 409, 409, 409]);
        let second = expense(2000.0);
        let form = browser.get(&format!("/assets/new?expense={second}"));
        let items = json!({"items": [{"category": "4100", "amount": 2500, "vatRate": 21}]});
        let headers = [("x-api-key", key.as_str()), ("content-type", "application/json")];
        assert_eq!(
            server
                .send(
                    "PATCH",
                    &format!("/api/v1/expenses/{second}"),
                    &headers,
                    Some(items.to_string().as_bytes())
                )
                .status,
            200
        );
        let late =
            browser.submit(&form, "/assets", &[("description", "Camera"), ("lifeYears", "5")]);
        assert_eq!(late.status, 409, "{}", late.text);
        let damaged = browser.submit(
            &browser.get(&format!("/assets/new?expense={second}")),
            "/assets",
            &[("description", "Camera"), ("lifeYears", "5"), ("expense", "2x")],
        );
        assert!(damaged.status == 404 || damaged.status == 409, "{}", damaged.text);
        assert_eq!(server.get(&key, "/api/v1/assets").json()["data"].as_array().unwrap().len(), 1);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_form_submitted_eight_times_at_once_runs_once(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let page = browser.get("/settings");
        let body = form_to(&page.text, "/settings").filled(&named("At once"));
        let cookies = browser.cookies();
        let headers = [
            ("content-type", "application/x-www-form-urlencoded"),
            ("sec-fetch-site", "same-origin"),
            ("cookie", cookies.as_str()),
        ];
        std::thread::scope(|scope| {
            let sent: Vec<_> = (0..8)
                .map(|_| {
                    scope
                        .spawn(|| server.send("POST", "/settings", &headers, Some(body.as_bytes())))
                })
                .collect();
            for answer in sent {
                assert_eq!(answer.join().unwrap().status, 303);
            }
        });
        assert_eq!(changes(&server), 1);
    }
}

#[test]
fn forms_are_rate_limited_and_keys_are_limited_in_number() {
    let burst = std::num::NonZeroU32::new(3).unwrap();
    let limit = web::RateLimit { per_minute: std::num::NonZeroU32::MIN, burst };
    let server = Server::start_with(testing::Engine::Sqlite, Some(limit));
    let browser = signed_in(&server);
    let page = browser.get("/settings");
    let sent: Vec<u16> = (0..4)
        .map(|turn| browser.submit(&page, "/settings", &named(&format!("Name {turn}"))).status)
        .collect();
    assert_eq!(sent, [303, 303, 303, 429]);
    // Page views are not rate-limited.
    assert_eq!(browser.get("/settings").status, 200);
    let cx = server.owner(EMAIL);
    let result = server.write(move |tx| {
        for number in 0..100 {
            let command = service::access::CreateKey::new(
                &format!("Key {number}"),
                store::keys::Scopes { read: true, write: false, file: false },
            )
            .unwrap();
            service::access::create_key(tx, &cx, &command)?;
        }
        let one_more = service::access::CreateKey::new(
            "One more",
            store::keys::Scopes { read: true, write: false, file: false },
        )
        .unwrap();
        Ok(service::access::create_key(tx, &cx, &one_more)
            .map(drop)
            .map_err(|error| error.to_string()))
    });
    assert!(result.is_err(), "the hundred and first");
}
