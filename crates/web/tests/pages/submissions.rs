//! A form is one command: sent twice it is carried out once, refused it uses nothing up, and it saves nothing over what changed meanwhile.

use crate::browser::{Browser, EMAIL, fault_of, value_of};
use service::accounts;
use testing::{Server, on_both_engines};

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

    fn settings_about_vat_that_changed_meanwhile_are_shown(engine) {
        let server = Server::start(engine);
        let mut browser = Browser::signed_in(&server);
        let (here, there) = (browser.get("/settings/vat"), browser.get("/settings/vat"));
        let said = |supply: &'static str| [("scheme", "normal"), ("zeroMeans", "reverseCharge"), ("supply", supply)];
        assert_eq!(browser.submit(&there, "/settings/vat", &said("goods")).status, 303);
        let both = browser.submit(&here, "/settings/vat", &said("services"));
        assert_eq!(both.status, 409, "{}", both.text);
        assert!(both.text.contains("<td>Services</td><td>Goods</td>"), "{}", both.text);
        assert_eq!(browser.submit(&both, "/settings/vat", &said("services")).status, 303);
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
