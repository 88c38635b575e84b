//! A form is one command: sent twice it is carried out once, refused it uses nothing up, and it saves nothing over what changed meanwhile.

use crate::browser::{Browser, EMAIL, fault_of, value_of};
use service::accounts;
use testing::{
    Server, on_both_engines,
    page::form_to,
    year::{Step, fields, steps},
};

/// What a browser sends of the form beside its hidden fields.
fn named(name: &str) -> [(&str, &str); 1] {
    [("name", name)]
}

/// How often the settings were changed.
fn changes(server: &Server) -> usize {
    let events = server.write(|tx| {
        let account = accounts::by_email(tx, EMAIL)?;
        Ok::<_, service::Error>(store::person_events::last(tx, account.owner.id, 100)?)
    });
    events.iter().filter(|event| event.kind == "settings_changed").count()
}

on_both_engines! {
    fn a_form_that_is_sent_twice_is_carried_out_once(engine) {
        let server = Server::start(engine);
        let mut browser = Browser::signed_in(&server);
        let page = browser.get("/settings");
        let first = browser.submit(&page, "/settings", &named("Once"));
        let again = browser.submit(&page, "/settings", &named("Twice"));
        assert_eq!((first.status, again.status), (303, 303), "{}", again.text);
        assert_eq!(first.header("location"), again.header("location"));
        // What was changed by going back is not saved, and the page says so, once; the same again says what it said.
        let note = "This form was sent before. What you changed in it since is not saved.";
        let shown = browser.follow(&again);
        assert!(shown.text.contains(note), "{}", shown.text);
        assert_eq!(value_of(&shown, "name").as_deref(), Some("Once"));
        assert!(!browser.get("/settings").text.contains(note));
        let same = browser.submit(&page, "/settings", &named("Once"));
        assert!(!browser.follow(&same).text.contains(note));
        assert_eq!(changes(&server), 1);
        // Another form is another command.
        let page = browser.get("/settings");
        assert_eq!(browser.submit(&page, "/settings", &named("Twice")).status, 303);
        assert_eq!(changes(&server), 2);
    }

    fn a_refused_form_uses_nothing_up_and_keeps_what_was_typed(engine) {
        let server = Server::start(engine);
        let mut browser = Browser::signed_in(&server);
        let page = browser.get("/settings");
        let refused = browser.submit(&page, "/settings", &[("name", "Mended"), ("iban", "NL00"), ("kvkNumber", "twelve")]);
        assert_eq!(refused.status, 422);
        assert_eq!(value_of(&refused, "submission"), value_of(&page, "submission"));
        assert_eq!(value_of(&refused, "name").as_deref(), Some("Mended"));
        for field in ["iban", "kvkNumber"] {
            assert!(fault_of(&refused, field).is_some(), "{field}");
            assert!(refused.text.contains(&format!("href=\"#{field}\"")), "{field} is not listed above the form");
        }
        let saved = browser.submit(&refused, "/settings", &named("Mended"));
        assert_eq!(saved.status, 303, "{}", saved.text);
        assert_eq!(value_of(&browser.get("/settings"), "name").as_deref(), Some("Mended"));
    }

    fn what_changed_meanwhile_is_shown_beside_what_was_typed(engine) {
        let server = Server::start(engine);
        let mut browser = Browser::signed_in(&server);
        let (here, there) = (browser.get("/settings"), browser.get("/settings"));
        assert_ne!(value_of(&here, "submission"), value_of(&there, "submission"));
        assert_eq!(browser.submit(&there, "/settings", &named("From there")).status, 303);
        let both = browser.submit(&here, "/settings", &named("From here"));
        assert_eq!(both.status, 409);
        assert!(both.text.contains("<td>From here</td><td>From there</td>"), "{}", both.text);
        assert_eq!(value_of(&both, "name").as_deref(), Some("From here"));
        assert_eq!(value_of(&browser.get("/settings"), "name").as_deref(), Some("From there"));
        // Sent again from there, it is meant.
        assert_eq!(browser.submit(&both, "/settings", &named("From here")).status, 303);
        assert_eq!(value_of(&browser.get("/settings"), "name").as_deref(), Some("From here"));
    }

    /// Two windows with one resource: the second that saves is shown both, keeps what it typed, and saves it when it is sent again.
    fn every_form_that_edits_shows_what_changed_meanwhile(engine) {
        let server = Server::start(engine);
        let mut browser = Browser::signed_in(&server);
        browser.language = "nl";
        for Step { page, form, said, .. } in steps() {
            let filled = fields(&said);
            let filled: Vec<(&str, &str)> = filled.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
            let shown = browser.get(page);
            assert_eq!(browser.submit(&shown, form, &filled).status, 303, "{form}");
        }
        browser.language = "en";
        // The page, where its form goes to, a field, what is typed in it first and second, and how each is said.
        let cases: &[(&str, &str, &str, [&str; 2], [&str; 2])] = &[
            ("/settings", "/settings", "address.city", ["Delft", "Gouda"], ["Delft", "Gouda"]),
            ("/settings/vat", "/settings/vat", "supply", ["goods", "services"], ["Goods", "Services"]),
            ("/settings/vat", "/settings/vat", "from", ["2027-01-01", "2027-04-01"], ["1 January 2027", "1 April 2027"]),
            ("/settings/invoices", "/settings/invoices", "closing", ["There", "Here"], ["There", "Here"]),
            ("/contacts/1/edit", "/contacts/1", "address.city", ["Delft", "Gouda"], ["Delft", "Gouda"]),
            ("/projects/1/edit", "/projects/1", "name", ["There", "Here"], ["There", "Here"]),
            ("/hours?week=2026-W10", "/hours/week", "rows.0.friday", ["1:30", "2:30"], ["1:30", "2:30"]),
            ("/hours/entries/1", "/hours/entries/1", "description", ["There", "Here"], ["There", "Here"]),
            ("/hours/log/1", "/hours/log/1", "description", ["There", "Here"], ["There", "Here"]),
            ("/expenses/1/edit", "/expenses/1", "description", ["There", "Here"], ["There", "Here"]),
            ("/invoices/2/edit", "/invoices/2", "items.0.description", ["There", "Here"], ["There", "Here"]),
            ("/api-access/webhooks/1/edit", "/api-access/webhooks/1/edit", "description", ["There", "Here"], ["There", "Here"]),
        ];
        let key = server.key(EMAIL, true, true);
        let webhook = serde_json::json!({"url": "http://127.0.0.1:9/hooks", "types": ["invoice.*"]});
        let made = server.post(&key, "/api/v1/webhooks", &webhook);
        assert_eq!(made.status, 201, "{}", made.text);
        for (page, action, field, typed, said) in cases {
            let (there, here) = (browser.get(page), browser.get(page));
            let saved = browser.submit(&there, action, &[(field, typed[0])]);
            assert_eq!(saved.status, 303, "{page} {field}: {}", saved.text);
            let both = browser.submit(&here, action, &[(field, typed[1])]);
            assert_eq!(both.status, 409, "{page} {field}: {}", both.text);
            let row = format!("<td>{}</td><td>{}</td>", said[1], said[0]);
            assert!(both.text.contains(&row), "{page} {field}: {}", both.text);
            let again = browser.submit(&both, action, &[]);
            assert_eq!(again.status, 303, "{page} {field}: {}", again.text);
            let last = browser.get(page);
            if *field != "from" {
                assert_eq!(form_to(&last.text, action).value(field).trim(), typed[1], "{page} {field}");
            }
        }
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn of_a_form_sent_eight_times_at_once_one_is_carried_out(engine) {
        let server = Server::start(engine);
        let mut browser = Browser::signed_in(&server);
        let page = browser.get("/settings");
        let body = testing::page::form_to(&page.text, "/settings").filled(&named("At once"));
        let cookies: Vec<_> = browser.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let cookies = cookies.join("; ");
        let headers =
            [("content-type", "application/x-www-form-urlencoded"), ("sec-fetch-site", "same-origin"), ("cookie", cookies.as_str())];
        std::thread::scope(|scope| {
            let sent: Vec<_> = (0..8).map(|_| scope.spawn(|| server.send("POST", "/settings", &headers, Some(body.as_bytes())))).collect();
            for answer in sent {
                assert_eq!(answer.join().unwrap().status, 303);
            }
        });
        assert_eq!(changes(&server), 1);
    }
}
