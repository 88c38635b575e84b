//! Consent page: its text, its decisions, and the requests that do not reach it.

use super::{
    CALLBACK, address, changed, decide, exchange, newcomer, parameter, partner, read_with,
    register, right, stranger,
};
use ledger::country::CountryCode;
use service::{
    Environment,
    accounts::{self, OpenAccount},
    environment::Clock,
};
use store::{accounts::Plan, keys::Scopes};
use testing::{
    Reply, Server, on_both_engines,
    page::{forms_like, the_form, unescaped},
};

/// Redirect target of a response.
fn location(reply: &Reply) -> &str {
    reply.header("location").unwrap_or_else(|| panic!("{} {}", reply.status, reply.text))
}

on_both_engines! {
    fn the_page_names_the_application_its_scopes_and_the_duration(engine) {
        let server = Server::start(engine);
        let client = partner(&server);
        let person = newcomer(&server, "a@example.com");
        let page = person.get(&changed(&client, &[("scope", Some("read write"))]));
        assert_eq!(page.status, 200, "{}", page.text);
        let text = unescaped(&page.text);
        for expected in [
            "Webwinkel Plus",
            "a@example.com",
            "<bdi>Test</bdi>",
            "partner.example",
            "Lezen",
            "Schrijven",
            "15 maart 2027",
            "/api-access",
        ] {
            assert!(text.contains(expected), "{expected}: {text}");
        }
        let only_reads = unescaped(&person.get(&changed(&client, &[("scope", None)])).text);
        assert!(
            only_reads.contains("Lezen") && !only_reads.contains("Schrijven"),
            "no scope means read: {only_reads}"
        );
        let english = person.get_with(&address(&right(&client)), &[("accept-language", "en")]).text;
        assert!(
            english.contains("Connect Webwinkel Plus?") && english.contains("15 March 2027"),
            "{english}"
        );
        // Both decisions are buttons of one form, with the same style.
        assert_eq!(page.text.matches("<button class=\"secondary\" name=\"decision\"").count(), 2);
    }

    fn the_page_has_protective_headers(engine) {
        let server = Server::start(engine);
        let client = partner(&server);
        let person = newcomer(&server, "a@example.com");
        let page = person.get(&address(&right(&client)));
        let policy = page.header("content-security-policy").unwrap();
        // Chromium checks the redirect after the form against this policy: only the redirect URI's
        // origin.
        assert!(policy.contains("form-action 'self' https://partner.example https:;"), "{policy}");
        for part in [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "frame-ancestors 'none'",
            "base-uri 'none'",
        ] {
            assert!(policy.contains(part) && !policy.contains("unsafe"), "{policy}");
        }
        for (name, value) in [
            ("x-frame-options", "DENY"),
            ("cache-control", "no-store"),
            ("referrer-policy", "no-referrer"),
            ("x-content-type-options", "nosniff"),
        ] {
            assert_eq!(page.header(name), Some(value));
        }
        for header in ["access-control-allow-origin", "location"] {
            assert_eq!(page.header(header), None);
        }
        assert!(
            !page.text.contains("<script>")
                && !page.text.contains(" onclick")
                && !page.text.contains(" style=")
        );
    }

    fn approval_returns_a_code_that_opens_the_books(engine) {
        let server = Server::start(engine);
        let client = partner(&server);
        let person = newcomer(&server, "a@example.com");
        let allowed = decide(&person, &person.get(&address(&right(&client))), "approve");
        let target = location(&allowed);
        assert_eq!(
            (allowed.status, allowed.header("cache-control"), allowed.header("referrer-policy")),
            (303, Some("no-store"), Some("no-referrer"))
        );
        assert!(target.starts_with(&format!("{CALLBACK}?code=gb_")), "{target}");
        assert_eq!(target.matches(['?', '&']).count(), 3, "code, state and iss only: {target}");
        assert_eq!(parameter(target, "state").unwrap(), "s-1");
        assert_eq!(parameter(target, "iss").unwrap(), format!("http://{}", server.address));
        let tokens = exchange(&server, &client, &[("code", &parameter(target, "code").unwrap())]);
        assert_eq!((tokens.status, tokens.json()["scope"].as_str()), (200, Some("read")));
        assert_eq!(read_with(&server, tokens.json()["access_token"].as_str().unwrap()), 200);
    }

    fn denial_is_reported_to_the_application(engine) {
        let server = Server::start(engine);
        let client = partner(&server);
        let person = newcomer(&server, "a@example.com");
        let refused = decide(&person, &person.get(&address(&right(&client))), "deny");
        let target = location(&refused);
        assert_eq!(refused.status, 303);
        assert!(target.starts_with(&format!("{CALLBACK}?error=access_denied&")), "{target}");
        assert_eq!(
            (parameter(target, "state").unwrap(), parameter(target, "code")),
            ("s-1".into(), None)
        );
        assert_eq!(parameter(target, "iss").unwrap(), format!("http://{}", server.address));
        assert!(forms_like(&person.get("/api-access"), "disconnect").is_empty());
    }

    fn consent_is_required_every_time(engine) {
        let server = Server::start(engine);
        let client = partner(&server);
        let person = newcomer(&server, "a@example.com");
        let _ = super::connect(&server, &person, &client);
        for prompt in [None, Some("none"), Some("login"), Some("consent")] {
            let page = person.get(&changed(&client, &[("prompt", prompt)]));
            assert_eq!(page.status, 200, "{prompt:?}");
            assert!(!the_form(&page, "/oauth/authorize").value("csrf").is_empty());
        }
    }

    fn sign_in_comes_first_and_returns_to_the_request(engine) {
        let server = Server::start(engine);
        let client = partner(&server);
        let stranger = stranger(&server);
        let state = "\u{1f600} a&b=c+%\"'<>";
        for request in [
            changed(&client, &[("state", Some(state))]),
            changed(&client, &[("response_type", Some("token"))]),
        ] {
            let answer = stranger.get(&request);
            let target = location(&answer);
            assert_eq!(answer.status, 303);
            assert!(target.starts_with("/login?next="), "{target}");
            assert_eq!(parameter(target, "next").unwrap(), request, "the whole request is kept");
        }
        let person = newcomer(&server, "a@example.com");
        let back = parameter(
            location(&stranger.get(&changed(&client, &[("state", Some(state))]))),
            "next",
        )
        .unwrap();
        let allowed = decide(&person, &person.get(&back), "approve");
        assert_eq!(parameter(location(&allowed), "state").unwrap(), state);
    }

    fn sign_in_leads_to_the_consent_page_and_the_code(engine) {
        let server = Server::start(engine);
        let client = partner(&server);
        let password = "zeven paarden eten geen soep";
        let open = OpenAccount {
            email: "kim@example.com".into(),
            name: "Kim".into(),
            country: CountryCode::NL,
            plan: Plan::Starter,
            password: Some(password.into()),
        };
        let now = server.clock.now();
        server.write(move |tx| accounts::open(tx, &Environment::at(now), &open));
        let stranger = stranger(&server);
        let target = location(&stranger.get(&address(&right(&client)))).to_owned();
        let form = the_form(&stranger.get(&target), "/login");
        let before = stranger.clone();
        let signed_in =
            stranger.submit_form(&form, &[("email", "kim@example.com"), ("password", password)]);
        assert_eq!(
            (signed_in.status, location(&signed_in)),
            (303, address(&right(&client)).as_str())
        );
        assert_ne!(
            stranger.cookies(),
            before.cookies(),
            "the cookie from before is invalid (session fixation)"
        );
        assert_eq!(before.get(location(&signed_in)).status, 303);
        let allowed = decide(&stranger, &stranger.get(location(&signed_in)), "approve");
        assert!(location(&allowed).starts_with(&format!("{CALLBACK}?code=gb_")));
    }

    fn a_fault_of_the_application_is_reported_to_it_after_sign_in(engine) {
        let server = Server::start(engine);
        let client = partner(&server);
        let reader =
            register(&server, "Lezer", CALLBACK, Scopes { read: true, write: false, file: false });
        let person = newcomer(&server, "a@example.com");
        let twice =
            |name: &str, value: &str| format!("{}&{name}={value}", address(&right(&client)));
        for (request, error) in [
            (changed(&client, &[("response_type", Some("token"))]), "unsupported_response_type"),
            (changed(&client, &[("response_type", None)]), "invalid_request"),
            (changed(&client, &[("code_challenge", None)]), "invalid_request"),
            (changed(&client, &[("code_challenge", Some(""))]), "invalid_request"),
            (changed(&client, &[("code_challenge", Some("short"))]), "invalid_request"),
            (changed(&client, &[("code_challenge_method", None)]), "invalid_request"),
            (changed(&client, &[("code_challenge_method", Some("plain"))]), "invalid_request"),
            (changed(&client, &[("code_challenge_method", Some("s256"))]), "invalid_request"),
            (twice("state", "other"), "invalid_request"),
            (twice("scope", "write"), "invalid_request"),
            (twice("code_challenge_method", "plain"), "invalid_request"),
            (changed(&client, &[("scope", Some("admin"))]), "invalid_scope"),
            (changed(&reader, &[("scope", Some("read write"))]), "invalid_scope"),
        ] {
            let answer = person.get(&request);
            let target = location(&answer);
            assert_eq!(
                (answer.status, answer.header("referrer-policy")),
                (303, Some("no-referrer")),
                "{request}"
            );
            assert!(
                target.starts_with(&format!("{CALLBACK}?error={error}&")),
                "{request} {target}"
            );
            assert_eq!(parameter(target, "iss").unwrap(), format!("http://{}", server.address));
            assert_eq!(parameter(target, "code"), None);
        }
    }

    fn after_the_sign_in_form_a_page_redirects_to_the_application(engine) {
        // Chromium would block a direct redirect to the application, because the policy of the
        // sign-in page does not allow it.
        let server = Server::start(engine);
        let client = partner(&server);
        let person = newcomer(&server, "a@example.com");
        let request = changed(&client, &[("scope", Some("admin"))]);
        let answer = person.get_with(&request, &[("sec-fetch-site", "same-origin")]);
        assert_eq!(
            (answer.status, answer.header("location"), answer.header("referrer-policy")),
            (200, None, Some("no-referrer"))
        );
        let direct = person.get_with(&request, &[("sec-fetch-site", "cross-site")]);
        let text = unescaped(&answer.text);
        assert!(
            text.contains(&format!(
                "<meta http-equiv=\"refresh\" content=\"0;url={}\">",
                location(&direct)
            )),
            "{text}"
        );
        assert!(text.contains(&format!("href=\"{}\"", location(&direct))), "{text}");
    }

    fn an_account_that_may_not_connect_sees_why_and_returns(engine) {
        let server = Server::start(engine);
        let client = partner(&server);
        server.account_of("free@example.com", "NL", Plan::Free);
        server.account_of("de@example.com", "DE", Plan::Pro);
        server.account_of("be@example.com", "BE", Plan::Free);
        let abroad = "Alleen voor accounts in Nederland";
        for (email, expected) in [
            ("free@example.com", "Starter"),
            ("de@example.com", abroad),
            ("be@example.com", abroad),
        ] {
            let person = server.signed_in(email);
            let page = person.get(&address(&right(&client)));
            assert_eq!((page.status, page.header("location")), (200, None));
            let text = unescaped(&page.text);
            assert!(text.contains(expected) && !text.contains("value=\"approve\""), "{text}");
            // Submitting an approval anyway returns no code.
            let allowed = decide(&person, &page, "approve");
            assert_eq!((allowed.status, allowed.header("location")), (403, None));
            assert!(unescaped(&allowed.text).contains(expected));
            let denied = decide(&person, &allowed, "deny");
            assert!(location(&denied).starts_with(&format!("{CALLBACK}?error=access_denied&")));
        }
    }

    fn a_bad_client_or_redirect_uri_gets_an_error_page(engine) {
        let server = Server::start(engine);
        let client = partner(&server);
        let person = newcomer(&server, "a@example.com");
        let stranger = stranger(&server);
        let twice = |name: &str| format!("{}&{name}=x", address(&right(&client)));
        for (request, code) in [
            ("/oauth/authorize".to_owned(), "missing_client"),
            (changed(&client, &[("client_id", None)]), "missing_client"),
            (changed(&client, &[("client_id", Some(""))]), "missing_client"),
            (changed(&client, &[("client_id", Some("unknown"))]), "unknown_client"),
            (twice("client_id"), "repeated_client"),
            (changed(&client, &[("redirect_uri", None)]), "missing_redirect_uri"),
            (
                changed(&client, &[("redirect_uri", Some("https://evil.example/callback"))]),
                "unregistered_redirect_uri",
            ),
            (twice("redirect_uri"), "repeated_redirect_uri"),
            (format!("{}%FF", changed(&client, &[])), "unreadable"),
        ] {
            for visitor in [&person, &stranger] {
                let answer = visitor.get(&request);
                assert_eq!(
                    (answer.status, answer.header("location"), answer.header("refresh")),
                    (400, None, None),
                    "{request}"
                );
                assert!(
                    answer.text.contains(&format!("<code>{code}</code>")),
                    "{request} {}",
                    answer.text
                );
                assert!(
                    !answer.text.contains("http-equiv=\"refresh\"")
                        && !answer.text.contains("evil.example"),
                    "{request}"
                );
                assert!(
                    answer
                        .header("content-security-policy")
                        .unwrap()
                        .contains("frame-ancestors 'none'")
                );
                assert_eq!(answer.header("x-frame-options"), Some("DENY"));
            }
        }
    }

    fn native_applications_may_use_any_loopback_port(engine) {
        let server = Server::start(engine);
        let client = register(
            &server,
            "Thuis",
            "http://127.0.0.1/cb",
            Scopes { read: true, write: false, file: false },
        );
        let person = newcomer(&server, "a@example.com");
        let page =
            person.get(&changed(&client, &[("redirect_uri", Some("http://127.0.0.1:49152/cb"))]));
        assert!(
            page.header("content-security-policy")
                .unwrap()
                .contains("form-action 'self' http://127.0.0.1:49152 https:;")
        );
        assert!(
            location(&decide(&person, &page, "approve"))
                .starts_with("http://127.0.0.1:49152/cb?code=")
        );
        assert_eq!(
            person
                .get(&changed(&client, &[("redirect_uri", Some("http://127.0.0.1:49152/other"))]))
                .status,
            400
        );
    }

    fn a_query_of_the_redirect_uri_is_kept(engine) {
        let server = Server::start(engine);
        let uri = "https://partner.example/callback?tenant=7";
        let client =
            register(&server, "Huurder", uri, Scopes { read: true, write: false, file: false });
        let person = newcomer(&server, "a@example.com");
        let page = person.get(&changed(&client, &[("redirect_uri", Some(uri))]));
        assert!(location(&decide(&person, &page, "approve")).starts_with(&format!("{uri}&code=")));
    }

    fn names_and_requests_are_text_on_the_page(engine) {
        let server = Server::start(engine);
        let client = register(
            &server,
            "<script>alert(1)</script>",
            CALLBACK,
            Scopes { read: true, write: false, file: false },
        );
        let person = newcomer(&server, "a@example.com");
        let page =
            person.get(&changed(&client, &[("state", Some("\"><script>alert(2)</script>"))]));
        assert_eq!(page.status, 200);
        assert!(!page.text.contains("<script>"), "{}", page.text);
    }
}
