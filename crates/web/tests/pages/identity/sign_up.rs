//! Sign-up.

use crate::help::{
    EMAIL, PASSWORD, encoded, fault_of, mailed_path, mails, open, session, value_of, visit,
    without_tokens,
};
use testing::{Engine, Server, on_both_engines, page::form_to};

const GOOD: [(&str, &str); 4] = [
    ("email", "New@Example.com"),
    ("password", PASSWORD),
    ("name", "Jan & Zn."),
    ("country", "NL"),
];

on_both_engines! {
    fn a_sign_up_is_confirmed_by_mail_and_password(engine) {
        let server = Server::start(engine);
        let browser = visit(&server);
        let page = browser.get("/signup");
        let sent = browser.submit(&page, "/signup", &GOOD);
        assert_eq!((sent.status, sent.header("location")), (303, Some("/signup/sent")));
        assert!(browser.follow(&sent).text.contains("Check your inbox"));
        let link = mailed_path(&server, "new@example.com", 1);

        // Before confirmation the right password does not sign in, but sends the email again.
        let early = browser.sign_in("new@example.com", PASSWORD);
        assert_eq!(early.status, 422);
        assert!(
            early.text.contains("Account not confirmed yet?")
                && early.text.contains("href=\"/confirm/again\"")
        );
        assert!(!browser.is_signed_in());
        mails(&server, "new@example.com", 2);

        let page = browser.get(&link);
        let wrong = browser.submit(&page, "/confirm", &[("password", "something else")]);
        assert_eq!(wrong.status, 422);
        assert!(
            fault_of(&wrong, "password").unwrap().contains("isn’t the password you just chose")
        );
        let before = session(&browser).unwrap();
        let confirmed = browser.submit(&wrong, "/confirm", &[("password", PASSWORD)]);
        assert_eq!(confirmed.header("location"), Some("/?done=confirmed"));
        assert_ne!(session(&browser).unwrap(), before);
        let home = browser.follow(&confirmed);
        assert!(
            home.text.contains("Welcome to Grootboek!") && home.text.contains("Jan &#38; Zn."),
            "{}",
            home.text
        );

        let again = browser.get(&link);
        assert_eq!(again.status, 410);
        assert!(again.text.contains("This link doesn’t work any more"));
    }

    fn a_stranger_who_signs_up_with_the_same_address_changes_nothing_for_its_owner(engine) {
        let theirs =
            [GOOD[0], ("password", "vier boze wespen"), ("name", "Stranger"), ("country", "BE")];
        for owner_is_first in [true, false] {
            let server = Server::start(engine);
            let (owner, stranger) = (visit(&server), visit(&server));
            let forms = if owner_is_first { [&GOOD, &theirs] } else { [&theirs, &GOOD] };
            let mut links = Vec::new();
            for form in forms {
                let page = stranger.get("/signup");
                let _ = stranger.submit(&page, "/signup", form);
                links.push(mailed_path(&server, "new@example.com", links.len() + 1));
            }
            if !owner_is_first {
                links.reverse();
            }
            let [owners, strangers] = &links[..] else { panic!() };
            // Each link accepts the password of its own sign-up only.
            for (link, password) in [(strangers, PASSWORD), (owners, "vier boze wespen")] {
                let page = owner.get(link);
                assert_eq!(owner.submit(&page, "/confirm", &[("password", password)]).status, 422);
            }
            let page = owner.get(owners);
            let confirmed = owner.submit(&page, "/confirm", &[("password", PASSWORD)]);
            let home = owner.follow(&confirmed);
            assert!(
                home.text.contains("Jan &#38; Zn.")
                    && owner.get("/settings").text.contains("Netherlands"),
                "{}",
                home.text
            );
            // The stranger's sign-up is void, and so is its password.
            assert_eq!(stranger.get(strangers).status, 410);
            assert_eq!(stranger.sign_in("new@example.com", "vier boze wespen").status, 422);
            assert_eq!(stranger.sign_in("new@example.com", PASSWORD).status, 303);
        }
    }

    fn only_the_mailbox_learns_whether_an_address_has_an_account(engine) {
        let server = Server::start(engine);
        open(&server, EMAIL);
        let browser = visit(&server);
        let page = browser.get("/signup");
        let known =
            browser.submit(&page, "/signup", &[("email", EMAIL), GOOD[1], GOOD[2], GOOD[3]]);
        let unknown = browser.submit(&page, "/signup", &GOOD);
        let outcome = |reply: &testing::Reply| {
            let headers = reply
                .headers
                .iter()
                .filter(|(name, _)| name != "x-request-id" && name != "date")
                .cloned();
            (reply.status, reply.text.clone(), headers.collect::<Vec<_>>())
        };
        assert_eq!(outcome(&known), outcome(&unknown));
        assert_eq!(mails(&server, EMAIL, 1)[0].subject, "You already have an account at Grootboek");
        mails(&server, "new@example.com", 1);
        // The existing account keeps its password.
        assert_eq!(browser.sign_in(EMAIL, PASSWORD).status, 303);
    }

    fn a_sign_up_does_not_reveal_who_had_an_account(engine) {
        let server = Server::start(engine);
        open(&server, EMAIL);
        let browser = visit(&server);
        let mut responses = Vec::new();
        for (email, password) in [
            (EMAIL, "vier boze wespen"),
            ("new@example.com", "vier boze wespen"),
            ("new@example.com", "wrong"),
        ] {
            if responses.len() < 2 {
                let page = browser.get("/signup");
                let _ = browser.submit(
                    &page,
                    "/signup",
                    &[("email", email), ("password", "vier boze wespen"), GOOD[2], GOOD[3]],
                );
                mails(&server, email, 1);
            }
            let before = server.password_hashes();
            let reply = browser.sign_in(email, password);
            assert_eq!(server.password_hashes() - before, 1, "{email}");
            let text = without_tokens(&reply).replace(email, "");
            let headers: Vec<_> = reply
                .headers
                .into_iter()
                .filter(|(name, _)| {
                    !["x-request-id", "date", "content-length"].contains(&name.as_str())
                })
                .collect();
            responses.push((reply.status, text, headers));
        }
        assert!(responses.iter().all(|one| *one == responses[0]), "{responses:?}");
        // Attempts with the right password are throttled too: otherwise they would reveal that the
        // account exists.
        let mut statuses = Vec::new();
        for _ in 0..5 {
            statuses.push(browser.sign_in("new@example.com", "vier boze wespen").status);
        }
        assert_eq!(statuses, [422, 422, 422, 422, 429]);
        // The mailbox received the maximum number of links, and no more.
        mails(&server, "new@example.com", 5);
    }

    fn a_stranger_cannot_keep_an_owner_from_signing_up(engine) {
        let server = Server::start_set(engine, |settings| {
            settings.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()]
        });
        let sign_up = |from: &str, password: &str, country: &str| {
            let browser = visit(&server);
            let page = browser.get("/signup");
            let body = form_to(&page.text, "/signup").filled(&[
                GOOD[0],
                ("password", password),
                GOOD[2],
                ("country", country),
            ]);
            browser
                .post_with(
                    "/signup",
                    &body,
                    &[("sec-fetch-site", "same-origin"), ("x-forwarded-for", from)],
                )
                .status
        };
        for sent in [1, 2, 2, 2, 2, 2] {
            assert_eq!(sign_up("198.51.100.1", "vier boze wespen", "US"), 303);
            mails(&server, "new@example.com", sent);
        }
        assert_eq!(sign_up("192.0.2.1", PASSWORD, "NL"), 303);
        let link = mailed_path(&server, "new@example.com", 3);
        let owner = visit(&server);
        let page = owner.get(&link);
        let confirmed = owner.submit(&page, "/confirm", &[("password", PASSWORD)]);
        assert_eq!(owner.follow(&confirmed).status, 200);
        assert!(owner.get("/settings").text.contains("Netherlands"));
    }

    fn an_owner_can_change_the_country_that_a_stranger_entered(engine) {
        let server = Server::start_set(engine, |settings| {
            settings.sign_up_plan = Some(store::accounts::Plan::Starter)
        });
        let browser = visit(&server);
        let page = browser.get("/signup");
        let _ = browser.submit(
            &page,
            "/signup",
            &[GOOD[0], ("password", "vier boze wespen"), ("name", "Stranger"), ("country", "US")],
        );
        mails(&server, "new@example.com", 1);
        let page = browser.get("/password/forgot");
        let _ = browser.submit(&page, "/password/forgot", &[GOOD[0]]);
        let page = browser.get(&mailed_path(&server, "new@example.com", 2));
        assert_eq!(browser.submit(&page, "/password/reset", &[("password", PASSWORD)]).status, 303);
        assert_eq!(browser.sign_in("new@example.com", PASSWORD).status, 303);
        let key = server.key("new@example.com", true, true);
        let invoice = serde_json::json!({"customer": {"name": "X"}, "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
        assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).status, 403);
        let page = browser.get("/settings");
        assert!(page.text.contains("<option value=\"US\" selected>"));
        let fields = [("name", "Mine"), ("country", "NL")];
        assert_eq!(
            browser.submit(&page, "/settings", &fields).header("location"),
            Some("/settings?done=saved")
        );
        assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).status, 201);
        // After that the country is fixed.
        let page = browser.get("/settings");
        let late = browser.submit(&page, "/settings", &[fields[0], ("country", "US")]);
        assert_eq!(late.status, 422);
        assert!(fault_of(&late, "country").unwrap().contains("no longer be changed"));
        let page = browser.get("/settings");
        assert!(!page.text.contains("name=\"country\"") && page.text.contains("Netherlands"));
        assert_eq!(browser.submit(&page, "/settings", &[fields[0]]).status, 303);
    }

    fn a_lost_link_can_be_sent_again(engine) {
        let server = Server::start(engine);
        open(&server, EMAIL);
        let browser = visit(&server);
        let page = browser.get("/signup");
        let _ = browser.submit(&page, "/signup", &GOOD);
        mails(&server, "new@example.com", 1);
        let page = browser.get("/signup/sent");
        assert!(page.text.contains("href=\"/confirm/again\""));
        let page = browser.get("/confirm/again");
        let mut answers = Vec::new();
        for email in ["nobody@example.com", EMAIL, "new@example.com"] {
            let answer = browser.submit(&page, "/confirm/again", &[("email", email)]);
            answers.push((
                answer.status,
                answer.header("location").map(str::to_owned),
                answer.text,
            ));
        }
        assert!(answers.iter().all(|answer| *answer == answers[0]));
        let link = mailed_path(&server, "new@example.com", 2);
        let page = browser.get(&link);
        assert_eq!(browser.submit(&page, "/confirm", &[("password", PASSWORD)]).status, 303);
        assert_eq!(server.mails("nobody@example.com"), []);
        assert_eq!(server.mails(EMAIL), []);
    }
}

#[test]
fn each_fault_is_at_its_field_and_all_input_but_the_password_is_kept() {
    let server = Server::start(Engine::Sqlite);
    let browser = visit(&server);
    let page = browser.get("/signup");
    let cases = [
        ("email", "nobody", "Enter an email address"),
        ("email", "a b@example.com", "Before the @ use only letters"),
        ("email", "ab@localhost", "After the @ enter the whole domain"),
        ("password", "short", "at least 8 characters"),
        ("password", "welkom01", "too easy to guess"),
        ("password", "jan & zn.", "not your name or email address"),
        ("name", " ", "Enter your name or company name"),
        ("country", "XX", "Choose something from the list"),
        ("country", "", "Choose something from the list"),
    ];
    for (field, value, message) in cases {
        let fields: Vec<_> = GOOD
            .iter()
            .map(|(name, good)| (*name, if *name == field { value } else { *good }))
            .collect();
        let again = browser.submit(&page, "/signup", &fields);
        assert_eq!(again.status, 422, "{field} {value}");
        assert!(
            fault_of(&again, field).unwrap().contains(message),
            "{field} {value}: {:?}",
            fault_of(&again, field)
        );
        assert!(
            again.text.contains(&format!("href=\"#{field}\""))
                && again.text.contains("Check this field")
        );
        assert!(
            again.text.contains(&format!("aria-describedby=\"{field}-fault")),
            "{}",
            again.text
        );
        assert_eq!(value_of(&again, "password"), None);
        if field != "email" {
            assert_eq!(value_of(&again, "email").as_deref(), Some("New@Example.com"));
        }
        if field != "name" {
            assert_eq!(value_of(&again, "name").as_deref(), Some("Jan & Zn."));
        }
        assert!(!again.text.contains(PASSWORD));
    }
    let all = browser.submit(&page, "/signup", &[("country", "")]);
    assert!(all.text.contains("Check these 4 fields"));
    let places = ["email", "password", "name", "country"]
        .map(|field| all.text.find(&format!("href=\"#{field}\"")).unwrap());
    assert!(places.is_sorted(), "{}", all.text);
    assert_eq!(server.mails("new@example.com"), []);
}

#[test]
fn sign_up_is_closed_if_the_operator_creates_the_accounts() {
    let server = Server::start_set(Engine::Sqlite, |settings| settings.sign_up_plan = None);
    let browser = visit(&server);
    let page = browser.get("/signup");
    assert!(
        page.text.contains("You can’t create an account here yourself")
            && !page.text.contains("<form")
    );
    for path in ["/", "/login"] {
        assert!(!browser.get(path).text.contains("/signup"), "{path}");
    }
    let login = browser.get("/login");
    let csrf = value_of(&login, "csrf").unwrap();
    let fields = [&[("csrf", csrf.as_str())], &GOOD[..]].concat();
    assert_eq!(browser.post_with("/signup", &encoded(&fields), &[]).status, 403);
}

#[test]
fn public_forms_are_throttled_without_locking_the_owner_out() {
    let server = Server::start(Engine::Sqlite);
    open(&server, EMAIL);
    let stranger = visit(&server);
    let page = stranger.get("/signup");
    let mut statuses = Vec::new();
    for number in 0..8 {
        let email = format!("new{number}@example.com");
        let sent =
            stranger.submit(&page, "/signup", &[("email", &email), GOOD[1], GOOD[2], GOOD[3]]);
        if sent.status == 429 {
            assert!(
                sent.header("retry-after").is_some() && sent.text.contains("Try again in"),
                "{}",
                sent.text
            );
        }
        statuses.push(sent.status);
    }
    assert_eq!(statuses, [303, 303, 303, 303, 303, 303, 429, 429]);
    for path in ["/password/forgot", "/confirm/again"] {
        let page = stranger.get(path);
        assert_eq!(stranger.submit(&page, path, &[("email", EMAIL)]).status, 429, "{path}");
    }
    assert_eq!(visit(&server).sign_in(EMAIL, PASSWORD).status, 303);
}
