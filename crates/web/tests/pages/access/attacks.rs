//! Attacks on consent and on tokens, which must all fail.

use super::{
    CALLBACK, VERIFIER, address, changed, connect, decide, exchange, later, newcomer, parameter,
    partner, read_with, register, right, sign_out, stranger,
};
use service::people::sessions;
use service::{Environment, environment::Clock};
use store::keys::Scopes;
use testing::{
    Reply, Server, Visitor, on_both_engines,
    page::{Form, encoded, forms_like, the_form},
};

/// Asserts that the response contains no authorization code.
fn gave_no_code(reply: &Reply) {
    assert!(
        !reply.header("location").unwrap_or("").contains("code="),
        "{:?}",
        reply.header("location")
    );
    assert!(!reply.text.contains("gb_code"), "{}", reply.text);
}

fn consent_form(person: &Visitor, request: &str) -> Form {
    the_form(&person.get(request), "/oauth/authorize")
}

const APPROVE: &[(&str, &str)] = &[("decision", "approve")];

/// Modification of the fields of a form.
type Tampering<'f> = &'f dyn Fn(&mut Vec<(String, String)>);

on_both_engines! {
    fn a_form_of_another_session_decides_nothing(engine) {
        let server = Server::start(engine);
        let client = partner(&server);
        let (victim, attacker) =
            (newcomer(&server, "v@example.com"), newcomer(&server, "x@example.com"));
        let request = address(&right(&client));
        let (own, foreign) = (consent_form(&victim, &request), consent_form(&attacker, &request));
        for form in [
            foreign.clone(),
            own.clone().with("csrf", foreign.value("csrf")),
            own.clone().with("seal", foreign.value("seal")),
            own.clone().with("csrf", ""),
            own.clone().with("seal", ""),
            own.clone().with("seal", own.value("csrf")),
            own.clone().with("csrf", own.value("seal")),
        ] {
            let answer = victim.submit_form(&form, APPROVE);
            assert_eq!(answer.status, 403, "{form:?}");
            gave_no_code(&answer);
        }
        assert!(forms_like(&victim.get("/api-access"), "disconnect").is_empty());
        assert_eq!(victim.submit_form(&own, APPROVE).status, 303, "the right form still works");
    }

    fn the_decision_applies_to_the_request_shown(engine) {
        let server = Server::start(engine);
        let client = partner(&server);
        let other = register(
            &server,
            "Ander",
            "https://other.example/cb",
            Scopes { read: true, write: true, file: false },
        );
        let person = newcomer(&server, "v@example.com");
        let form = consent_form(&person, &address(&right(&client)));
        let query = |request: String| request.split_once('?').unwrap().1.to_owned();
        for swapped in [
            query(changed(&client, &[("scope", Some("read write"))])),
            query(changed(
                &client,
                &[("code_challenge", Some("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"))],
            )),
            query(changed(&client, &[("state", Some("other"))])),
            query(changed(&other, &[("redirect_uri", Some("https://other.example/cb"))])),
            format!("{}&", form.value("request")),
            String::new(),
        ] {
            let answer = person.submit_form(&form.clone().with("request", &swapped), APPROVE);
            assert_eq!(answer.status, 403, "{swapped}");
            gave_no_code(&answer);
        }
        // Parameters in the query of the action, and extra fields next to the signed request,
        // are ignored.
        let hidden: Vec<_> =
            form.hidden.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let fields = [
            &hidden[..],
            APPROVE,
            &[("scope", "read write"), ("redirect_uri", "https://other.example/cb")],
        ]
        .concat();
        let answer = person
            .post(&changed(&other, &[("redirect_uri", Some("https://other.example/cb"))]), &fields);
        let target = answer.header("location").unwrap();
        assert!(target.starts_with(&format!("{CALLBACK}?code=")), "{target}");
        let tokens = exchange(&server, &client, &[("code", &parameter(target, "code").unwrap())]);
        assert_eq!(tokens.json()["scope"], "read");
    }

    fn a_page_of_another_site_decides_nothing(engine) {
        let server = Server::start(engine);
        let client = partner(&server);
        let person = newcomer(&server, "v@example.com");
        let form = consent_form(&person, &address(&right(&client)));
        let hidden: Vec<_> =
            form.hidden.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let fields = [&hidden[..], APPROVE].concat();
        for header in [
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
            ("origin", "https://partner.example"),
            ("origin", "null"),
        ] {
            let answer = person.post_with("/oauth/authorize", &encoded(&fields), &[header]);
            assert_eq!(answer.status, 403, "{header:?}");
            gave_no_code(&answer);
        }
        // Neither a link (GET) nor another media type or method can submit a decision.
        let linked = person.get(&format!(
            "{}&decision=approve&csrf={}",
            address(&right(&client)),
            form.value("csrf")
        ));
        assert_eq!(linked.status, 200);
        gave_no_code(&linked);
        let cookie = person.cookies();
        let json = [("cookie", cookie.as_str()), ("content-type", "application/json")];
        assert_eq!(
            server
                .send("POST", "/oauth/authorize", &json, Some(b"{\"decision\":\"approve\"}"))
                .status,
            415
        );
        for method in ["PUT", "DELETE", "PATCH"] {
            assert_eq!(server.send(method, "/oauth/authorize", &json, Some(b"{}")).status, 405);
        }
    }

    fn a_decision_with_tampered_fields_is_rejected(engine) {
        let server = Server::start(engine);
        let client = partner(&server);
        let person = newcomer(&server, "a@example.com");
        let _ = server.test_key("a@example.com");
        let page = person.get(&address(&right(&client)));
        let form = the_form(&page, "/oauth/authorize");
        let fields: Vec<(String, String)> = ["csrf", "books", "request", "seal"]
            .iter()
            .map(|name| ((*name).to_owned(), form.value(name).to_owned()))
            .collect();
        assert!(fields.iter().all(|(_, value)| !value.is_empty()), "{fields:?}");
        let decide = |changed: Tampering<'_>| {
            let mut fields = fields.clone();
            for (name, value) in [("decision", "approve"), ("account", "live")] {
                fields.push((name.to_owned(), value.to_owned()));
            }
            changed(&mut fields);
            let fields: Vec<(&str, &str)> =
                fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            person.post("/oauth/authorize", &fields)
        };
        let set = |name: &'static str, value: &'static str| {
            move |fields: &mut Vec<(String, String)>| {
                fields
                    .iter_mut()
                    .filter(|(field, _)| field == name)
                    .for_each(|(_, field)| *field = value.to_owned());
            }
        };
        let add = |name: &'static str, value: &'static str| {
            move |fields: &mut Vec<(String, String)>| {
                fields.push((name.to_owned(), value.to_owned()));
            }
        };
        let before = |name: &'static str, value: &'static str| {
            move |fields: &mut Vec<(String, String)>| {
                fields.insert(0, (name.to_owned(), value.to_owned()));
            }
        };
        let tampered: [(&str, Tampering<'_>); 13] = [
            ("account empty", &set("account", "")),
            ("account blank", &set("account", " ")),
            ("account foreign", &set("account", "2")),
            ("account twice", &add("account", "live")),
            ("account twice, two values", &add("account", "test")),
            ("account twice, first empty", &before("account", "")),
            ("books of another account", &set("books", "x")),
            ("books empty", &set("books", "")),
            ("books twice", &add("books", "x")),
            ("decision twice", &add("decision", "approve")),
            ("decision twice, two values", &add("decision", "deny")),
            ("request twice", &add("request", "x")),
            ("seal twice", &add("seal", "x")),
        ];
        for (what, changed) in tampered {
            let reply = decide(changed);
            gave_no_code(&reply);
            assert_eq!(reply.status, 403, "{what}");
        }
        // Without modification the form is accepted, for the test account too.
        for account in ["live", "test"] {
            let allowed = decide(&set("account", account));
            assert!(allowed.header("location").unwrap().contains("?code="), "{account}");
        }
    }

    fn no_decision_is_no_consent(engine) {
        let server = Server::start(engine);
        let client = partner(&server);
        let person = newcomer(&server, "v@example.com");
        let form = consent_form(&person, &address(&right(&client)));
        for decision in [
            &[][..],
            &[("decision", "")],
            &[("decision", "yes")],
            &[("decision", "APPROVE")],
            &[("decision", "deny"), ("decision", "approve")],
        ] {
            let answer = person.submit_form(&form, decision);
            let is_denied =
                answer.header("location").is_some_and(|target| target.contains("access_denied"));
            assert!(matches!(answer.status, 403 | 422) || is_denied, "{decision:?}");
            gave_no_code(&answer);
        }
    }

    fn a_decision_after_sign_out_requires_sign_in(engine) {
        let server = Server::start(engine);
        let client = partner(&server);
        let person = newcomer(&server, "v@example.com");
        let request = address(&right(&client));
        let form = consent_form(&person, &request);
        sign_out(&server, &person);
        let answer = person.submit_form(&form, APPROVE);
        gave_no_code(&answer);
        assert_eq!(
            (answer.status, parameter(answer.header("location").unwrap(), "next").unwrap()),
            (303, request)
        );
    }

    fn a_stolen_session_ends_with_all_others(engine) {
        // Ends the other sessions, as a password change does.
        let server = Server::start(engine);
        let client = partner(&server);
        let owner = newcomer(&server, "v@example.com");
        let thief = server.signed_in("v@example.com");
        let form = consent_form(&thief, &address(&right(&client)));
        let (person, kept, now) = (
            server.person("v@example.com"),
            sessions::hash(&owner.cookie(server.session_cookie()).unwrap()),
            server.clock.now(),
        );
        server.write(move |tx| sessions::end_others(tx, &Environment::at(now), person, &kept));
        let answer = thief.submit_form(&form, APPROVE);
        gave_no_code(&answer);
        assert!(answer.header("location").unwrap().starts_with("/login?next="));
        assert_eq!((thief.get("/api-access").status, owner.get("/api-access").status), (303, 200));
    }

    fn an_expired_session_decides_nothing(engine) {
        let server = Server::start(engine);
        let client = partner(&server);
        let person = newcomer(&server, "v@example.com");
        let form = consent_form(&person, &address(&right(&client)));
        later(&server, 25 * 3600);
        let answer = person.submit_form(&form, APPROVE);
        gave_no_code(&answer);
        assert!(answer.header("location").unwrap().starts_with("/login?next="));
    }

    fn an_application_removed_by_the_operator_gets_nothing(engine) {
        let server = Server::start(engine);
        let client = partner(&server);
        let person = newcomer(&server, "v@example.com");
        let form = consent_form(&person, &address(&right(&client)));
        let id = client.client_id.clone();
        let now = server.clock.now();
        server.write(move |tx| {
            service::oauth::clients::remove(tx, &service::Environment::at(now), &id)
        });
        let answer = person.submit_form(&form, APPROVE);
        assert_eq!((answer.status, answer.header("location")), (400, None));
    }

    fn a_redirect_uri_that_only_looks_registered_is_rejected(engine) {
        let server = Server::start(engine);
        let client = partner(&server);
        let person = newcomer(&server, "v@example.com");
        for uri in [
            "//partner.example/callback",
            "https:partner.example/callback",
            "https:/partner.example/callback",
            "https:///partner.example/callback",
            "https://partner.example@evil.example/callback",
            "https://user@partner.example/callback",
            "https://partner.example:443/callback",
            "https://partner.example:8443/callback",
            "http://partner.example/callback",
            "https://PARTNER.example/callback",
            "HTTPS://partner.example/callback",
            "https://partner.example/Callback",
            "https://partner.example/callback/",
            "https://partner.example/callback/..",
            "https://partner.example/x/../callback",
            "https://partner.example/./callback",
            "https://partner.example//callback",
            "https://partner.example/callbac%6b",
            "https://partner.example/%2e%2e/callback",
            "https://partner.example/callback?",
            "https://partner.example/callback?x=1",
            "https://partner.example/callback#",
            "https://partner.example/callback#x",
            "https://partner.example/callback%23",
            "https://partner.example\\@evil.example/callback",
            "https://partner.example%00.evil.example/callback",
            "https://partner.example.evil.example/callback",
            "https://evil.example/https://partner.example/callback",
            "https://evil.example?https://partner.example/callback",
            "https://partner\u{3002}example/callback",
            " https://partner.example/callback",
            "https://partner.example/callback ",
            "https://partner.example/callback\n",
            "https://partner.example/callback\r\nSet-Cookie: a=b",
            "\thttps://partner.example/callback",
            "https://partner.example/callback\0",
            "javascript:alert(1)",
            "data:text/html,x",
            "https://evil.example/callback",
            "/callback",
            "*",
        ] {
            let answer = person.get(&changed(&client, &[("redirect_uri", Some(uri))]));
            assert_eq!((answer.status, answer.header("location")), (400, None), "{uri:?}");
            assert_eq!(answer.header("set-cookie"), None, "{uri:?}");
            assert!(!answer.text.contains("evil.example"), "{uri:?}");
        }
    }

    fn state_cannot_write_headers(engine) {
        let server = Server::start(engine);
        let client = partner(&server);
        let person = newcomer(&server, "v@example.com");
        for state in [
            "\r\nSet-Cookie: a=b",
            "\n\n<script>",
            "x\r\nLocation: https://evil.example",
            "\u{0}",
            "&code=forged&iss=https://evil.example",
            "#x",
            "\u{2028}é\u{1f600}",
        ] {
            let request = changed(&client, &[("state", Some(state))]);
            for decision in ["approve", "deny"] {
                let answer = decide(&person, &person.get(&request), decision);
                let target = answer.header("location").unwrap();
                assert_eq!(
                    parameter(target, "state").unwrap(),
                    state,
                    "the state comes back unchanged"
                );
                assert_eq!(
                    (
                        answer.header("set-cookie"),
                        target.matches("iss=").count(),
                        target.contains('#')
                    ),
                    (None, 1, false),
                    "{target}"
                );
            }
            let broken =
                person.get(&changed(&client, &[("state", Some(state)), ("scope", Some("admin"))]));
            assert_eq!(parameter(broken.header("location").unwrap(), "state").unwrap(), state);
            assert_eq!(broken.header("set-cookie"), None);
        }
    }

    fn no_redirect_to_an_application_before_sign_in(engine) {
        let server = Server::start(engine);
        let client = partner(&server);
        let stranger = stranger(&server);
        for changes in [
            &[][..],
            &[("response_type", Some("token"))],
            &[("scope", Some("admin"))],
            &[("code_challenge", None)],
            &[("code_challenge_method", Some("plain"))],
            &[("prompt", Some("none"))],
        ] {
            let answer = stranger.get(&changed(&client, changes));
            assert!(answer.header("location").unwrap().starts_with("/login?next="), "{changes:?}");
        }
    }

    fn the_issuer_is_the_configured_one_whatever_a_request_says(engine) {
        // Defence against mix-up (RFC 9207): the client compares `iss` with the server that it
        // started with.
        let server = Server::start_set(engine, |settings| {
            settings.base_url = "https://books.example".into()
        });
        let client = partner(&server);
        let person = newcomer(&server, "v@example.com");
        let lies = [
            ("x-forwarded-host", "evil.example"),
            ("forwarded", "host=evil.example"),
            ("x-forwarded-proto", "http"),
        ];
        let page =
            person.get_with(&changed(&client, &[("iss", Some("https://evil.example"))]), &lies);
        for decision in ["approve", "deny"] {
            let target = decide(&person, &page, decision).header("location").unwrap().to_owned();
            assert_eq!(parameter(&target, "iss").unwrap(), "https://books.example");
            assert_eq!(target.matches("iss=").count(), 1);
        }
    }

    fn a_code_is_useless_to_anyone_but_its_requester(engine) {
        let server = Server::start(engine);
        let client = partner(&server);
        let other =
            register(&server, "Ander", CALLBACK, Scopes { read: true, write: true, file: false });
        let person = newcomer(&server, "v@example.com");
        let allowed = decide(&person, &person.get(&address(&right(&client))), "approve");
        let code = parameter(allowed.header("location").unwrap(), "code").unwrap();
        let wrong = "a".repeat(43);
        for (who, changes) in [
            // The code is injected into another application, or into another session of the same
            // application (RFC 9700, section 4.5).
            (&other, &[("code", code.as_str())][..]),
            (&client, &[("code", &code), ("code_verifier", &wrong)]),
            (
                &client,
                &[
                    ("code", &code),
                    ("code_verifier", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
                ],
            ),
            (&client, &[("code", &code), ("code_verifier", "")]),
            (&client, &[("code", &code), ("redirect_uri", "https://evil.example/callback")]),
            (&client, &[("code", &code), ("client_secret", &wrong)]),
        ] {
            let answer = exchange(&server, who, changes);
            assert!(matches!(answer.status, 400 | 401), "{changes:?} {}", answer.text);
            assert!(!answer.text.contains("access_token"), "{changes:?}");
        }
        // The code is not accepted as a key, a token or a session either.
        assert_eq!(
            (read_with(&server, &code), server.get(&code, "/api/v1/account").status),
            (401, 401)
        );
        assert_eq!(
            exchange(&server, &client, &[("code", &code), ("code_verifier", VERIFIER)]).status,
            200
        );
    }

    fn tokens_of_one_application_are_useless_to_another(engine) {
        let server = Server::start(engine);
        let client = partner(&server);
        let other =
            register(&server, "Ander", CALLBACK, Scopes { read: true, write: true, file: false });
        let person = newcomer(&server, "v@example.com");
        let (access, refresh) = connect(&server, &person, &client);
        let fields = [("grant_type", "refresh_token"), ("refresh_token", refresh.as_str())];
        let stolen = exchange(&server, &other, &fields);
        assert_eq!((stolen.status, stolen.json()["error"].as_str()), (400, Some("invalid_grant")));
        // The attempt revokes nothing: otherwise anyone who saw a token could disconnect the
        // application.
        assert_eq!(read_with(&server, &access), 200);
        for crossed in [refresh.as_str(), &client.client_secret, &client.client_id] {
            assert_eq!(read_with(&server, crossed), 401);
        }
        assert_eq!(exchange(&server, &client, &fields).status, 200);
    }
}
