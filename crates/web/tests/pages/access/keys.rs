//! API keys on `/api-access`: creation, display, list, revocation; and the recent calls.

use super::{later, newcomer, sign_out, stranger};
use service::access;
use store::accounts::Plan;
use testing::{
    Server, on_both_engines,
    page::{encoded, forms_like, the_form, unescaped, with_test_id},
};

/// Number of valid keys of an account.
fn keys(server: &Server, email: &str) -> usize {
    let cx = server.owner(email);
    let all = server.store.read_blocking(move |tx| access::list_keys(tx, &cx)).unwrap();
    all.iter().filter(|key| key.revoked_at.is_none()).count()
}

on_both_engines! {
    fn a_key_is_created_shown_once_and_limited_to_its_scopes(engine) {
        let server = Server::start(engine);
        server.account_of("a@example.com", "NL", Plan::Starter);
        let person = server.signed_in("a@example.com");
        let form = the_form(&person.get("/api-access"), "/api-access");
        let response = person.submit_form(&form, &[("name", " Webwinkel <b> "), ("scope", "read")]);
        assert_eq!((response.status, response.header("cache-control")), (200, Some("no-store")));
        let key = with_test_id(&response, "new-key").unwrap();
        assert!(key.starts_with("gb_live_"), "{key}");
        let curl =
            format!("curl -s http://{}/api/v1/account -H 'X-API-Key: {key}'", server.address);
        assert!(unescaped(&response.text).contains(&curl), "{}", response.text);
        assert_eq!(
            server.get(&key, "/api/v1/account").json()["scopes"],
            serde_json::json!(["read"])
        );
        assert_eq!(
            server.post(&key, "/api/v1/contacts", &serde_json::json!({"name": "X"})).code(),
            "insufficient_scope"
        );
        let listed = person.get("/api-access");
        assert!(!listed.text.contains(&key) && listed.text.contains(&key[..12]), "{}", listed.text);
        assert!(
            listed.text.contains("Webwinkel &#60;b&#62;") && !listed.text.contains("<b>"),
            "{}",
            listed.text
        );
    }

    fn a_form_submitted_again_creates_no_second_key(engine) {
        let server = Server::start(engine);
        server.account_of("a@example.com", "NL", Plan::Starter);
        let person = server.signed_in("a@example.com");
        let form = the_form(&person.get("/api-access"), "/api-access");
        let filled = [("name", "Webwinkel"), ("scope", "read")];
        // A double click.
        let mut statuses: Vec<u16> = std::thread::scope(|scope| {
            let clicks: Vec<_> =
                (0..4).map(|_| scope.spawn(|| person.submit_form(&form, &filled).status)).collect();
            clicks.into_iter().map(|click| click.join().unwrap()).collect()
        });
        statuses.sort_unstable();
        assert_eq!((statuses, keys(&server, "a@example.com")), (vec![200, 409, 409, 409], 1));
        // A reload of the response.
        let again = person.submit_form(&form, &filled);
        assert_eq!((again.status, keys(&server, "a@example.com")), (409, 1));
        assert!(
            again.text.contains("is er al een sleutel aangemaakt")
                && with_test_id(&again, "new-key").is_none(),
            "{}",
            again.text
        );
        // A second key needs a new form, or a submission without the form's hidden field `keys`.
        assert_eq!(person.submit_form(&the_form(&again, "/api-access"), &filled).status, 200);
        let plain = [&[("csrf", form.value("csrf"))], &filled[..]].concat();
        assert_eq!(person.post("/api-access", &plain).status, 200);
        assert_eq!(keys(&server, "a@example.com"), 3);
    }

    fn accounts_abroad_see_which_operations_are_not_available(engine) {
        let server = Server::start(engine);
        for (email, country, expected, untold) in [
            (
                "nl@example.com",
                "NL",
                "Koppel je Grootboek in een andere app",
                "alleen accounts in Nederland",
            ),
            ("de@example.com", "DE", "alleen accounts in Nederland", "Koppel je Grootboek"),
        ] {
            server.account_of(email, country, Plan::Starter);
            let page = server.signed_in(email).get("/api-access").text;
            assert!(page.contains(expected) && !page.contains(untold), "{page}");
        }
    }

    fn each_choice_of_scopes_is_a_key_with_a_command_that_works(engine) {
        let server = Server::start(engine);
        server.account_of("a@example.com", "NL", Plan::Starter);
        server.account_of("de@example.com", "DE", Plan::Starter);
        for (email, scopes, expected) in [
            ("a@example.com", &[("scope", "write")][..], "/api/v1/contacts"),
            ("a@example.com", &[("scope", "read"), ("scope", "write")], "/api/v1/account"),
            ("de@example.com", &[("scope", "read")], "/api/v1/account"),
            // Accounts abroad have no write request that works in empty books, so no command is
            // shown.
            ("de@example.com", &[("scope", "write")], ""),
        ] {
            let person = server.signed_in(email);
            let form = the_form(&person.get("/api-access"), "/api-access");
            let response = person.submit_form(&form, &[&[("name", "x")], scopes].concat());
            let key = with_test_id(&response, "new-key").unwrap();
            let text = unescaped(&response.text);
            assert_eq!(text.contains("curl -s "), !expected.is_empty(), "{email} {scopes:?}");
            assert!(text.contains(expected));
            if expected == "/api/v1/contacts" {
                let body = text.split("-d '").nth(1).unwrap().split('\'').next().unwrap();
                assert_eq!(server.post_text(&key, expected, body).status, 201);
                assert_eq!(server.post_text(&key, expected, body).status, 200);
            }
        }
    }

    fn invalid_input_is_reported_at_its_field(engine) {
        let server = Server::start(engine);
        server.account_of("a@example.com", "NL", Plan::Starter);
        let person = server.signed_in("a@example.com");
        let long = "x".repeat(256);
        for (fields, faults, kept) in [
            (&[("name", ""), ("scope", "read")][..], &["#name"][..], " checked"),
            (&[("name", "  "), ("scope", "read")], &["#name"], " checked"),
            (&[("name", &long), ("scope", "write")], &["#name"], " checked"),
            (&[("name", "a\u{0}b"), ("scope", "write")], &["#name"], " checked"),
            (&[("name", "shop")], &["#scope"], "value=\"shop\""),
            (&[("name", "shop"), ("scope", "admin")], &["#scope"], "value=\"shop\""),
            (&[], &["#name", "#scope"], "value=\"\""),
        ] {
            let form = the_form(&person.get("/api-access"), "/api-access");
            let refused = person.submit_form(&form, fields);
            assert_eq!(refused.status, 422, "{fields:?}");
            for fault in faults {
                assert!(
                    refused.text.contains(&format!("<a href=\"{fault}\">")),
                    "{fields:?} {}",
                    refused.text
                );
            }
            assert!(
                refused.text.contains(kept) && refused.text.contains("role=\"alert\""),
                "{fields:?}"
            );
        }
        assert_eq!(keys(&server, "a@example.com"), 0);
    }

    fn a_plan_without_the_api_shows_the_required_plan(engine) {
        let server = Server::start(engine);
        server.account_of("free@example.com", "NL", Plan::Free);
        let _ = server.key("free@example.com", true, true);
        let person = server.signed_in("free@example.com");
        let page = person.get("/api-access");
        assert_eq!(page.status, 200);
        assert!(
            page.text.contains("abonnement Starter nodig; jij hebt nu Gratis")
                && !page.text.contains("name=\"scope\"")
        );
        assert!(
            page.text.contains("werken de sleutels en apps die hier staan weer")
                && !page.text.contains("curl")
        );
        let revoke = the_form(&page, "revoke");
        let refused = person.post(
            "/api-access",
            &[("csrf", revoke.value("csrf")), ("name", "x"), ("scope", "read")],
        );
        assert_eq!(refused.status, 403);
        assert!(refused.text.contains("Starter") && with_test_id(&refused, "new-key").is_none());
        assert_eq!(keys(&server, "free@example.com"), 1);
        // An old key can still be revoked.
        assert_eq!(person.submit_form(&revoke, &[]).status, 303);
        assert_eq!(keys(&server, "free@example.com"), 0);
        let empty = person.get("/api-access").text;
        assert!(
            empty.contains("dus je kunt er nu geen aanmaken")
                && !empty.contains("die hier staan weer")
        );
    }

    fn a_key_needs_a_password_given_within_ten_minutes(engine) {
        let server = Server::start(engine);
        server.account_of("a@example.com", "NL", Plan::Starter);
        let person = server.signed_in("a@example.com");
        let form = the_form(&person.get("/api-access"), "/api-access");
        later(&server, 600);
        assert_eq!(
            person.submit_form(&form, &[("name", "in time"), ("scope", "read")]).status,
            200
        );
        later(&server, 1);
        let response = person
            .submit_form(&form, &[("name", "Web & winkel"), ("scope", "read"), ("scope", "write")]);
        assert_eq!((response.status, keys(&server, "a@example.com")), (303, 1));
        let target = response.header("location").unwrap();
        assert!(target.starts_with("/password/confirm?next="), "{target}");
        // After the confirmation the form has its input again.
        let back = super::parameter(target, "next").unwrap();
        assert_eq!(back, "/api-access?name=Web+%26+winkel&scope=read&scope=write");
        let page = person.get(&back);
        assert!(page.text.contains("value=\"Web &#38; winkel\""), "{}", page.text);
        assert_eq!(page.text.matches(" checked").count(), 2);
    }

    fn a_revoked_key_is_refused_at_once(engine) {
        let server = Server::start(engine);
        let key = server.account("a@example.com");
        let other = server.account("b@example.com");
        let (person, stranger) =
            (server.signed_in("a@example.com"), server.signed_in("b@example.com"));
        assert_eq!(server.get(&key, "/api/v1/account").status, 200);
        let form = the_form(&person.get("/api-access"), "revoke");
        // Another user's session cannot revoke the key with this form.
        assert_eq!(stranger.submit_form(&form, &[]).status, 403);
        let looked_at = person.get(&form.action);
        assert_eq!((looked_at.status, looked_at.header("location")), (303, Some("/api-access")));
        assert_eq!(server.get(&key, "/api/v1/account").status, 200);
        let done = person.submit_form(&form, &[]);
        assert_eq!(
            (done.status, done.header("location")),
            (303, Some("/api-access?done=key-revoked"))
        );
        assert_eq!(server.get(&key, "/api/v1/account").code(), "invalid_api_key");
        assert_eq!(server.get(&other, "/api/v1/account").status, 200);
        let page = person
            .get_with("/api-access?done=key-revoked", &[("cookie", "grootboek-done=key-revoked")]);
        assert!(
            page.text.contains("role=\"status\"") && forms_like(&page, "revoke").is_empty(),
            "{}",
            page.text
        );
        // A double click revokes the key once; an unknown key gets 404.
        assert_eq!(person.submit_form(&form, &[]).status, 303);
        for unknown in ["/api-access/keys/4711/revoke", "/api-access/connections/4711/disconnect"] {
            assert_eq!(
                person.post(unknown, &[("csrf", form.value("csrf"))]).status,
                404,
                "{unknown}"
            );
        }
        assert_eq!(
            person.post("/api-access/keys/x/revoke", &[("csrf", form.value("csrf"))]).status,
            404
        );
    }

    fn the_page_requires_sign_in(engine) {
        let server = Server::start(engine);
        let _ = server.account("a@example.com");
        let stranger = stranger(&server);
        let response = stranger.get("/api-access");
        assert_eq!(
            (response.status, response.header("location")),
            (303, Some("/login?next=%2Fapi%2Daccess"))
        );
        let person = server.signed_in("a@example.com");
        let form = the_form(&person.get("/api-access"), "revoke");
        sign_out(&server, &person);
        assert_eq!(person.submit_form(&form, &[]).status, 303);
        assert_eq!(keys(&server, "a@example.com"), 1);
    }

    fn without_the_token_of_the_session_nothing_is_done(engine) {
        let server = Server::start(engine);
        let _ = server.account("a@example.com");
        let person = server.signed_in("a@example.com");
        let again = server.signed_in("a@example.com");
        let form = the_form(&again.get("/api-access"), "revoke");
        let fields = [("name", "x"), ("scope", "read")];
        for csrf in ["", "x", form.value("csrf")] {
            let with = [&[("csrf", csrf)], &fields[..]].concat();
            assert_eq!(person.post("/api-access", &with).status, 403);
            assert_eq!(person.post(&form.action, &with).status, 403);
            assert_eq!(person.post("/api-access/connections/x/disconnect", &with).status, 403);
        }
        let own = the_form(&person.get("/api-access"), "revoke");
        let with = [("csrf", own.value("csrf"))];
        assert_eq!(
            person
                .post_with(&own.action, &encoded(&with), &[("sec-fetch-site", "cross-site")])
                .status,
            403
        );
        assert_eq!(
            person
                .post_with(&own.action, &encoded(&with), &[("origin", "https://evil.example")])
                .status,
            403
        );
        assert_eq!(keys(&server, "a@example.com"), 1);
    }

    fn the_recent_calls_are_shown_with_status_and_code(engine) {
        let server = Server::start_set(engine, |settings| {
            settings.trusted_proxies = vec!["127.0.0.1".parse().unwrap()]
        });
        let key = server.account("a@example.com");
        let _ = server.account("b@example.com");
        let (person, other) =
            (server.signed_in("a@example.com"), server.signed_in("b@example.com"));
        let before = unescaped(&person.get("/api-access").text);
        assert!(
            before.contains("curl -s http://") && !before.contains("<ol class=\"log calls\""),
            "{before}"
        );
        let from = [("x-api-key", key.as_str()), ("x-forwarded-for", "203.0.113.9")];
        assert_eq!(server.send("GET", "/api/v1/invoices/1", &from, None).status, 404);
        // The call is shown at once, without waiting for the periodic save of calls.
        let page = person.get("/api-access").text;
        for expected in [
            "GET /api/v1/invoices/{id}",
            ">404<",
            "<a href=\"/docs/errors#not_found\">",
            "203.0.113.9",
            "<bdi>test</bdi>",
        ] {
            assert!(page.contains(expected), "{expected}: {page}");
        }
        assert!(page.contains("15 mrt 2026 12:00 vanaf 203.0.113.9"), "{page}");
        assert!(!other.get("/api-access").text.contains("203.0.113.9"));
    }

    fn the_page_speaks_both_languages(engine) {
        let server = Server::start(engine);
        let person = newcomer(&server, "a@example.com");
        for (language, expected) in [("nl", "API-toegang"), ("en", "API access")] {
            let page = person.get_with("/api-access", &[("accept-language", language)]);
            assert!(
                page.text.contains(&format!("<html lang=\"{language}\">"))
                    && page.text.contains(expected)
            );
        }
    }
}
