//! Opening an account.

use crate::browser::{Browser, EMAIL, PASSWORD, encoded, fault_of, mailed_path, mails, open, value_of};
use testing::{Engine, Server, on_both_engines};

const GOOD: [(&str, &str); 4] = [("email", "New@Example.com"), ("password", PASSWORD), ("name", "Jan & Zn."), ("country", "NL")];

on_both_engines! {
    fn whoever_signs_up_confirms_by_mail_and_password_and_is_in(engine) {
        let server = Server::start(engine);
        let mut browser = Browser::new(&server);
        let page = browser.get("/signup");
        let sent = browser.submit(&page, "/signup", &GOOD);
        assert_eq!((sent.status, sent.header("location")), (303, Some("/signup/sent")));
        assert!(browser.follow(&sent).text.contains("Check your inbox"));
        let link = mailed_path(&server, "new@example.com", 1);

        // Before that the right password does not let anybody in.
        let early = browser.sign_in("new@example.com", PASSWORD);
        assert_eq!(early.status, 403);
        assert!(early.text.contains("Confirm your e-mail address first"));
        assert!(!browser.is_signed_in());

        let page = browser.get(&link);
        let wrong = browser.submit(&page, "/confirm", &[("password", "something else")]);
        assert_eq!(wrong.status, 422);
        assert!(fault_of(&wrong, "password").unwrap().contains("not the password that you chose"));
        let before = browser.session().unwrap().to_owned();
        let confirmed = browser.submit(&wrong, "/confirm", &[("password", PASSWORD)]);
        assert_eq!(confirmed.header("location"), Some("/?done=confirmed"));
        assert_ne!(browser.session().unwrap(), before);
        let home = browser.follow(&confirmed);
        assert!(home.text.contains("Welcome to Grootboek!") && home.text.contains("Jan &#38; Zn."), "{}", home.text);

        let again = browser.get(&link);
        assert_eq!(again.status, 410);
        assert!(again.text.contains("This link does not work any more"));
    }

    fn a_stranger_who_signs_up_with_the_same_address_changes_nothing_for_its_owner(engine) {
        let theirs = [GOOD[0], ("password", "vier boze wespen"), ("name", "Stranger"), ("country", "BE")];
        for owner_is_first in [true, false] {
            let server = Server::start(engine);
            let (mut owner, mut stranger) = (Browser::new(&server), Browser::new(&server));
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
            // Each link takes the password of its own sign-up, and no other.
            for (link, password) in [(strangers, PASSWORD), (owners, "vier boze wespen")] {
                let page = owner.get(link);
                assert_eq!(owner.submit(&page, "/confirm", &[("password", password)]).status, 422);
            }
            let page = owner.get(owners);
            let confirmed = owner.submit(&page, "/confirm", &[("password", PASSWORD)]);
            let home = owner.follow(&confirmed);
            assert!(home.text.contains("Jan &#38; Zn.") && home.text.contains("Netherlands"), "{}", home.text);
            // The stranger's sign-up is void, and so is their password.
            assert_eq!(stranger.get(strangers).status, 410);
            assert_eq!(stranger.sign_in("new@example.com", "vier boze wespen").status, 422);
            assert_eq!(stranger.sign_in("new@example.com", PASSWORD).status, 303);
        }
    }

    fn whether_an_address_has_an_account_only_its_mailbox_learns(engine) {
        let server = Server::start(engine);
        open(&server, EMAIL);
        let mut browser = Browser::new(&server);
        let page = browser.get("/signup");
        let known = browser.submit(&page, "/signup", &[("email", EMAIL), GOOD[1], GOOD[2], GOOD[3]]);
        let unknown = browser.submit(&page, "/signup", &GOOD);
        let told = |reply: &testing::Reply| {
            let headers = reply.headers.iter().filter(|(name, _)| name != "x-request-id" && name != "date").cloned();
            (reply.status, reply.text.clone(), headers.collect::<Vec<_>>())
        };
        assert_eq!(told(&known), told(&unknown));
        assert_eq!(mails(&server, EMAIL, 1)[0].subject, "You already have an account at Grootboek");
        mails(&server, "new@example.com", 1);
        // The password that was given does not work on the account that was there.
        assert_eq!(browser.sign_in(EMAIL, PASSWORD).status, 303);
    }

    fn another_link_comes_for_who_lost_the_first(engine) {
        let server = Server::start(engine);
        open(&server, EMAIL);
        let mut browser = Browser::new(&server);
        let page = browser.get("/signup");
        let _ = browser.submit(&page, "/signup", &GOOD);
        mails(&server, "new@example.com", 1);
        let page = browser.get("/signup/sent");
        assert!(page.text.contains("href=\"/confirm/again\""));
        let page = browser.get("/confirm/again");
        let mut answers = Vec::new();
        for email in ["nobody@example.com", EMAIL, "new@example.com"] {
            let answer = browser.submit(&page, "/confirm/again", &[("email", email)]);
            answers.push((answer.status, answer.header("location").map(str::to_owned), answer.text));
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
fn each_fault_is_at_its_field_and_all_but_the_password_stays() {
    let server = Server::start(Engine::Sqlite);
    let mut browser = Browser::new(&server);
    let page = browser.get("/signup");
    let cases = [
        ("email", "nobody", "Enter an e-mail address"),
        ("email", "a b@example.com", "Enter an e-mail address"),
        ("password", "short", "at least 8 characters"),
        ("password", "welkom01", "too easy to guess"),
        ("password", "jan & zn.", "not your name or e-mail address"),
        ("name", " ", "Enter a name"),
        ("country", "XX", "Choose something from the list"),
        ("country", "", "Choose something from the list"),
    ];
    for (field, value, message) in cases {
        let fields: Vec<_> = GOOD.iter().map(|(name, good)| (*name, if *name == field { value } else { *good })).collect();
        let again = browser.submit(&page, "/signup", &fields);
        assert_eq!(again.status, 422, "{field} {value}");
        assert!(fault_of(&again, field).unwrap().contains(message), "{field} {value}: {:?}", fault_of(&again, field));
        assert!(again.text.contains(&format!("href=\"#{field}\"")) && again.text.contains("One thing is not right yet"));
        assert!(again.text.contains(&format!("aria-describedby=\"{field}-fault")), "{}", again.text);
        assert_eq!(value_of(&again, "password"), None);
        if field != "email" {
            assert_eq!(value_of(&again, "email").as_deref(), Some("New@Example.com"));
        }
        if field != "name" {
            assert_eq!(value_of(&again, "name").as_deref(), Some("Jan & Zn."));
        }
        assert!(!again.text.contains(PASSWORD));
    }
    let all = browser.submit(&page, "/signup", &[]);
    assert!(all.text.contains("4 things are not right yet"));
    let places = ["email", "password", "name", "country"].map(|field| all.text.find(&format!("href=\"#{field}\"")).unwrap());
    assert!(places.is_sorted(), "{}", all.text);
    assert_eq!(server.mails("new@example.com"), []);
}

#[test]
fn nobody_signs_up_where_the_operator_makes_the_accounts() {
    let server = Server::start_set(Engine::Sqlite, |settings| settings.sign_up_plan = None);
    let mut browser = Browser::new(&server);
    let page = browser.get("/signup");
    assert!(page.text.contains("You cannot create an account here yourself") && !page.text.contains("<form"));
    for path in ["/", "/login"] {
        assert!(!browser.get(path).text.contains("/signup"), "{path}");
    }
    let login = browser.get("/login");
    let csrf = value_of(&login, "csrf").unwrap();
    let fields = [&[("csrf", csrf.as_str())], &GOOD[..]].concat();
    assert_eq!(browser.post_with("/signup", &encoded(&fields), &[]).status, 403);
}

#[test]
fn forms_that_anybody_can_send_get_slower_and_do_not_keep_the_owner_out() {
    let server = Server::start(Engine::Sqlite);
    open(&server, EMAIL);
    let mut stranger = Browser::new(&server);
    let page = stranger.get("/signup");
    let mut statuses = Vec::new();
    for number in 0..8 {
        let email = format!("new{number}@example.com");
        let sent = stranger.submit(&page, "/signup", &[("email", &email), GOOD[1], GOOD[2], GOOD[3]]);
        if sent.status == 429 {
            assert!(sent.header("retry-after").is_some() && sent.text.contains("Try again in"), "{}", sent.text);
        }
        statuses.push(sent.status);
    }
    assert_eq!(statuses, [303, 303, 303, 303, 303, 303, 429, 429]);
    for path in ["/password/forgot", "/confirm/again"] {
        let page = stranger.get(path);
        assert_eq!(stranger.submit(&page, path, &[("email", EMAIL)]).status, 429, "{path}");
    }
    assert_eq!(Browser::new(&server).sign_in(EMAIL, PASSWORD).status, 303);
}
