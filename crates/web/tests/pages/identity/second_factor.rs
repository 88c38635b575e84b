//! Second factor: setup, sign-in, recovery codes, removal, and attempts to bypass it.

use crate::help::{
    EMAIL, PASSWORD, fault_of, mailed_path, mails, session, signed_in, unescaped, value_of, visit,
};
use service::environment::Clock;
use testing::{Engine, Reply, Server, Visitor, on_both_engines};
use totp_rs::{Algorithm, Builder, Secret};
use web::pages::Route;

/// Text of an element.
fn element(page: &Reply, id: &str) -> String {
    let rest = page
        .text
        .split_once(&format!("id=\"{id}\""))
        .unwrap_or_else(|| panic!("{} {}", page.status, page.text))
        .1;
    unescaped(rest.split_once('>').unwrap().1.split('<').next().unwrap())
}

/// Code that an authenticator app shows.
pub(crate) fn code(server: &Server, secret: &str) -> String {
    let mut seed = Vec::new();
    let (mut bits, mut count) = (0_u32, 0);
    for letter in secret.bytes().filter(u8::is_ascii_alphanumeric) {
        let digit = if letter.is_ascii_digit() { letter - b'2' + 26 } else { letter - b'A' };
        (bits, count) = (bits << 5 | u32::from(digit), count + 5);
        if count >= 8 {
            count -= 8;
            seed.push((bits >> count) as u8);
        }
    }
    let seed: [u8; 20] = seed.try_into().unwrap();
    let builder = Builder::new()
        .with_algorithm(Algorithm::SHA1)
        .with_digits(6)
        .with_skew(1)
        .with_step_duration(30);
    let totp = builder.with_secret(Secret::new_stack(seed)).build().unwrap();
    totp.generate(server.clock.now().as_second().unsigned_abs()).to_string()
}

/// Sets up a second factor; returns its secret and the recovery codes.
pub(crate) fn set_up(server: &Server, browser: &Visitor) -> (String, Vec<String>) {
    let page = browser.get("/settings/second-factor");
    assert!(page.text.contains("<svg") && page.text.contains("QR code"));
    let secret = element(&page, "secret");
    let wrong = browser.submit(&page, "/settings/second-factor", &[("code", "000000")]);
    assert_eq!(wrong.status, 422);
    assert!(fault_of(&wrong, "code").unwrap().contains("wrong or was used before"));
    assert_eq!(element(&wrong, "secret"), secret);
    let done =
        browser.submit(&wrong, "/settings/second-factor", &[("code", &code(server, &secret))]);
    assert_eq!(done.status, 200, "{}", done.text);
    let codes: Vec<String> = element(&done, "codes").lines().map(str::to_owned).collect();
    assert_eq!(codes.len(), 10);
    // Waits for this email, because later emails have the same time: the test's clock does not
    // advance.
    assert_eq!(mails(server, EMAIL, 1)[0].subject, "Two-step verification for Grootboek is on");
    (secret, codes)
}

on_both_engines! {
    fn with_a_second_factor_the_password_alone_opens_no_page(engine) {
        let server = Server::start(engine);
        let owner = signed_in(&server);
        let (secret, _) = set_up(&server, &owner);
        assert_eq!(
            owner.get("/settings/second-factor").header("location"),
            Some("/settings/security")
        );

        let browser = visit(&server);
        let half = browser.sign_in(EMAIL, PASSWORD);
        assert_eq!(half.header("location"), Some("/login/code"));
        assert!(!browser.get("/").text.contains("Anna Ontwerp"));
        let page = browser.get("/login/code?next=%2Fsettings");
        let csrf = value_of(&page, "csrf").unwrap();
        for Route { path, methods, .. } in crate::interface::routes::for_signed_in() {
            for method in methods {
                let answer = match method {
                    "get" => browser.get(&path),
                    _ => browser.post(&path, &[("csrf", csrf.as_str())]),
                };
                assert!(
                    answer.header("location").unwrap().starts_with("/login/code?next="),
                    "{method} {path}"
                );
            }
        }
        let wrong = browser.submit(&page, "/login/code", &[("code", "123456")]);
        assert_eq!((wrong.status, value_of(&wrong, "code").as_deref()), (422, Some("")));
        assert_eq!(value_of(&wrong, "next").as_deref(), Some("/settings"));
        server.clock.set("2026-03-15T11:02:00Z");
        let before = session(&browser).unwrap();
        let code = code(&server, &secret);
        let inside = browser.submit(&wrong, "/login/code", &[("code", &code)]);
        assert_eq!(inside.header("location"), Some("/settings"));
        assert_ne!(session(&browser).unwrap(), before);
        assert!(browser.is_signed_in());

        // A code works only once.
        let thief = visit(&server);
        let _ = thief.sign_in(EMAIL, PASSWORD);
        let page = thief.get("/login/code");
        assert_eq!(thief.submit(&page, "/login/code", &[("code", &code)]).status, 422);
        assert!(!thief.is_signed_in());
    }

    fn a_recovery_code_works_once_and_new_ones_replace_the_old(engine) {
        let server = Server::start(engine);
        let owner = signed_in(&server);
        let (secret, codes) = set_up(&server, &owner);
        let enter = |code: &str| {
            let browser = visit(&server);
            let half = browser.sign_in(EMAIL, PASSWORD);
            let page = browser.follow(&half);
            browser.submit(&page, "/login/code", &[("code", code)]).status
        };
        assert_eq!(enter(&codes[0].to_uppercase()), 303);
        assert_eq!(
            mails(&server, EMAIL, 2)[1].subject,
            "A recovery code was used to sign in to Grootboek"
        );
        assert_eq!(enter(&codes[0]), 422);
        assert!(owner.get("/settings/security").text.contains("9 recovery codes left"));
        let page = owner.get("/settings/recovery-codes");
        let wrong = owner.submit(&page, "/settings/recovery-codes", &[("code", &codes[0])]);
        assert_eq!(wrong.status, 422);
        assert!(fault_of(&wrong, "code").unwrap().contains("Try another one from your list"));
        server.clock.set("2026-03-15T11:02:00Z");
        let new =
            owner.submit(&wrong, "/settings/recovery-codes", &[("code", &code(&server, &secret))]);
        assert_eq!(element(&new, "codes").lines().count(), 10);
        assert_eq!(mails(&server, EMAIL, 3)[2].subject, "New recovery codes for Grootboek");
        assert_eq!(enter(&codes[1]), 422);
        assert_eq!(enter(element(&new, "codes").lines().next().unwrap()), 303);
    }

    fn removing_it_requires_a_code(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let other = visit(&server);
        assert_eq!(other.sign_in(EMAIL, PASSWORD).status, 303);
        let (_, codes) = set_up(&server, &browser);
        assert!(browser.is_signed_in() && !other.is_signed_in());
        let page = browser.get("/settings/second-factor/off");
        // The password, entered a moment ago, is not enough.
        let wrong = browser.submit(&page, "/settings/second-factor/off", &[("code", "000000")]);
        assert_eq!(wrong.status, 422);
        assert!(fault_of(&wrong, "code").unwrap().contains("wrong or was used before"));
        let off = browser.submit(&wrong, "/settings/second-factor/off", &[("code", &codes[3])]);
        assert!(browser.follow(&off).text.contains("Two-step verification is off."));
        assert_eq!(
            mails(&server, EMAIL, 2)[1].subject,
            "Two-step verification for Grootboek is off"
        );
        assert_eq!(visit(&server).sign_in(EMAIL, PASSWORD).header("location"), Some("/"));
    }

    fn a_mailed_link_does_not_bypass_it(engine) {
        let server = Server::start(engine);
        let owner = signed_in(&server);
        let _ = set_up(&server, &owner);
        let browser = visit(&server);
        let page = browser.get("/password/forgot");
        let _ = browser.submit(&page, "/password/forgot", &[("email", EMAIL)]);
        let link = mailed_path(&server, EMAIL, 2);
        let page = browser.get(&link);
        assert_eq!(
            browser.submit(&page, "/password/reset", &[("password", "vier kleine kevers")]).status,
            303
        );
        assert_eq!(
            browser.sign_in(EMAIL, "vier kleine kevers").header("location"),
            Some("/login/code")
        );
    }
}

#[test]
fn the_fault_of_a_code_depends_on_the_input() {
    let server = Server::start(Engine::Sqlite);
    let owner = signed_in(&server);
    let _ = set_up(&server, &owner);
    let browser = visit(&server);
    let half = browser.sign_in(EMAIL, PASSWORD);
    let page = browser.follow(&half);
    let cases = [
        ("000 000", "Wait for the next code"),
        ("abcd-efgh-abcd-efgh-abcd-efgh", "each one works once"),
        ("12345", "Enter the 6 digits from your app"),
        ("welcome", "Enter the 6 digits from your app"),
    ];
    for (typed, expected) in cases {
        let wrong = browser.submit(&page, "/login/code", &[("code", typed)]);
        assert!(
            fault_of(&wrong, "code").unwrap().contains(expected),
            "{typed}: {:?}",
            fault_of(&wrong, "code")
        );
    }
    // An empty code is not a guess, so it is never throttled.
    for _ in 0..10 {
        let empty = browser.submit(&page, "/login/code", &[("code", " ")]);
        assert_eq!(
            (empty.status, fault_of(&empty, "code").as_deref()),
            (422, Some("Enter a code."))
        );
    }
    for path in ["/settings/second-factor/off", "/settings/recovery-codes"] {
        let page = owner.get(path);
        assert_eq!(
            fault_of(&owner.submit(&page, path, &[("code", "")]), "code").as_deref(),
            Some("Enter a code."),
            "{path}"
        );
    }
}

#[test]
fn guessing_codes_is_throttled() {
    let server = Server::start(Engine::Sqlite);
    let owner = signed_in(&server);
    let _ = set_up(&server, &owner);
    let browser = visit(&server);
    let half = browser.sign_in(EMAIL, PASSWORD);
    let page = browser.follow(&half);
    let statuses: Vec<u16> = (0..8)
        .map(|_| browser.submit(&page, "/login/code", &[("code", "000000")]).status)
        .collect();
    assert_eq!(statuses.last(), Some(&429), "{statuses:?}");
    for path in ["/settings/second-factor/off", "/settings/recovery-codes"] {
        let page = owner.get(path);
        assert_eq!(owner.submit(&page, path, &[("code", "000000")]).status, 429, "{path}");
    }
}

#[test]
fn a_password_reset_resets_the_count_of_wrong_codes() {
    let server = Server::start(Engine::Sqlite);
    let owner = signed_in(&server);
    let _ = set_up(&server, &owner);
    // Signs in; returns a function that submits wrong codes and returns the last status.
    let guess = |password: &str| {
        let browser = visit(&server);
        let half = browser.sign_in(EMAIL, password);
        let page = browser.follow(&half);
        move |count: usize| {
            (0..count)
                .map(|_| browser.submit(&page, "/login/code", &[("code", "000000")]).status)
                .last()
        }
    };
    assert_eq!(guess(PASSWORD)(8), Some(429));
    let page = owner.get("/password/forgot");
    let _ = owner.submit(&page, "/password/forgot", &[("email", EMAIL)]);
    let page = owner.get(&mailed_path(&server, EMAIL, 2));
    assert_eq!(
        owner.submit(&page, "/password/reset", &[("password", "vier kleine kevers")]).status,
        303
    );
    let again = guess("vier kleine kevers");
    assert_eq!((again(6), again(2)), (Some(422), Some(429)));
}

#[test]
fn without_an_encryption_key_the_page_says_so() {
    let server = Server::start_set(Engine::Sqlite, |settings| settings.encryption_key = None);
    let browser = signed_in(&server);
    let page = browser.get("/settings/security");
    assert!(
        page.text.contains("isn’t set up on this server")
            && !page.text.contains("href=\"/settings/second-factor\"")
    );
    assert_eq!(
        browser.get("/settings/second-factor").header("location"),
        Some("/settings/security")
    );
}
