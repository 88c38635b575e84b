//! Access tokens as credentials of the API.

use crate::help::{ANNA, Shop, Tokens};
use serde_json::json;
use service::Environment;
use store::accounts::Plan;
use testing::{Engine, Reply, on_both_engines};

fn shop() -> Shop {
    Shop::start(Engine::Sqlite)
}

fn challenges(reply: &Reply) -> Vec<&str> {
    reply
        .headers
        .iter()
        .filter(|(name, _)| name == "www-authenticate")
        .map(|(_, value)| value.as_str())
        .collect()
}

on_both_engines! {
    fn rfc6750_2_1_a_token_in_the_header_is_accepted(engine) {
        let shop = Shop::start(engine);
        let reply = shop.get(&shop.connect().access);
        assert_eq!((reply.status, &reply.json()["scopes"]), (200, &json!(["read", "write"])));
    }

    fn a_token_books_an_invoice_in_its_own_account(engine) {
        let shop = Shop::start(engine);
        shop.server.account_of("bob@example.com", "NL", Plan::Starter);
        let bob =
            Tokens::of(&shop.exchange(&shop.code_for(&shop.id, "bob@example.com", "read write")));
        let anna = shop.connect();
        let invoice = json!({"customer": {"name": "Korenaar"}, "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]}).to_string();
        let send = |method: &str, path: &str, token: &str, body: Option<&str>| {
            let bearer = format!("Bearer {token}");
            shop.server.send(
                method,
                path,
                &[("authorization", &bearer), ("content-type", "application/json")],
                body.map(str::as_bytes),
            )
        };
        assert_eq!(send("POST", "/api/v1/invoices", &anna.access, Some(&invoice)).status, 201);
        assert_eq!(send("GET", "/api/v1/invoices/1", &anna.access, None).json()["source"], "api");
        assert_eq!(send("GET", "/api/v1/invoices/1", &bob.access, None).code(), "not_found");
        assert_eq!(shop.server.discrepancies(ANNA), Vec::<String>::new());
    }

    fn rfc6750_3_1_a_token_works_for_exactly_an_hour(engine) {
        let shop = Shop::start(engine);
        let tokens = shop.connect();
        shop.after(3599);
        assert!(shop.works(&tokens.access));
        shop.after(3600);
        assert!(!shop.works(&tokens.access));
    }

    fn rfc6750_3_1_the_challenge_names_the_missing_scope(engine) {
        let shop = Shop::start(engine);
        let reader = Tokens::of(&shop.exchange(&shop.code("read")));
        let reply = shop.server.send(
            "POST",
            "/api/v1/invoices",
            &[("authorization", &format!("Bearer {}", reader.access))],
            Some(b"not json"),
        );
        assert_eq!((reply.status, reply.code().as_str()), (403, "insufficient_scope"));
        let headers = challenges(&reply);
        assert!(
            headers.len() == 1
                && headers[0].starts_with(
                    "Bearer realm=\"grootboek\", error=\"insufficient_scope\", scope=\"write\""
                ),
            "{headers:?}"
        );
        let writer = Tokens::of(&shop.exchange(&shop.code("write")));
        let reply = shop.get(&writer.access);
        assert_eq!((reply.status, reply.code().as_str()), (403, "insufficient_scope"));
        assert!(challenges(&reply)[0].contains("scope=\"read\""));
    }

    fn the_plan_is_checked_on_each_request(engine) {
        let shop = Shop::start(engine);
        let tokens = shop.connect();
        for (plan, status) in [(Plan::Free, 403), (Plan::Pro, 200)] {
            shop.server.write(move |tx| service::accounts::set_plan(tx, ANNA, plan));
            let reply = shop.get(&tokens.access);
            assert_eq!(reply.status, status);
            if status == 403 {
                assert_eq!(reply.code(), "plan_required");
            }
        }
    }

    fn the_last_use_of_an_application_is_recorded(engine) {
        let shop = Shop::start(engine);
        let tokens = shop.connect();
        let connection = || {
            let (account, now) =
                (shop.server.owner(ANNA).actor.account, "2026-03-15T11:30:00Z".parse().unwrap());
            shop.server
                .write(move |tx| service::oauth::grants::list(tx, &Environment::at(now), account))
                .remove(0)
        };
        assert_eq!(connection().last_used_at, None);
        shop.after(60);
        assert!(shop.works(&tokens.access));
        shop.server.save_calls();
        assert_eq!(connection().last_used_at, Some("2026-03-15T11:01:00Z".parse().unwrap()));
        assert_eq!(connection().last_used_address.as_deref(), Some("127.0.0.1"));
    }
}

#[test]
fn rfc9110_11_1_the_scheme_bearer_is_written_in_any_case() {
    let shop = shop();
    let tokens = shop.connect();
    for scheme in ["bearer", "BEARER", "bEaReR", "Bearer  "] {
        let header = format!("{scheme} {}", tokens.access);
        assert_eq!(
            shop.server.send("GET", "/api/v1/account", &[("authorization", &header)], None).status,
            200,
            "{scheme}"
        );
    }
}

#[test]
fn rfc6750_3_without_credentials_the_challenge_names_no_error() {
    let shop = shop();
    let reply = shop.server.send("GET", "/api/v1/account", &[], None);
    assert_eq!(reply.status, 401);
    let headers = challenges(&reply);
    assert_eq!(
        headers.iter().filter(|header| header.starts_with("Bearer realm=")).count(),
        1,
        "{headers:?}"
    );
    assert!(headers.iter().all(|header| !header.contains("error")), "{headers:?}");
}

#[test]
fn rfc6750_3_1_a_bad_token_gets_invalid_token() {
    let shop = shop();
    let tokens = shop.connect();
    let (front, last) = tokens.access.split_at(tokens.access.len() - 1);
    let typo = format!("{front}{}", if last == "x" { "y" } else { "x" });
    for token in [
        "",
        "x",
        "gb_access_",
        typo.as_str(),
        &tokens.access.to_uppercase(),
        &format!("{} x", tokens.access),
        &format!("\"{}\"", tokens.access),
    ] {
        let reply = shop.get(token);
        assert_eq!(
            (reply.status, reply.code().as_str()),
            (401, if token.is_empty() { "missing_credentials" } else { "invalid_token" }),
            "{token}"
        );
        if !token.is_empty() {
            let headers = challenges(&reply);
            assert!(
                headers.len() == 1
                    && headers[0]
                        .starts_with("Bearer realm=\"grootboek\", error=\"invalid_token\""),
                "{headers:?}"
            );
        }
    }
}

#[test]
fn rfc6750_2_a_token_and_a_key_together_are_refused() {
    let shop = shop();
    let (key, tokens) = (shop.server.key(ANNA, true, true), shop.connect());
    let bearer = format!("Bearer {}", tokens.access);
    let reply = shop.server.send(
        "GET",
        "/api/v1/account",
        &[("authorization", &bearer), ("x-api-key", &key)],
        None,
    );
    assert_eq!((reply.status, reply.code().as_str()), (400, "multiple_credentials"));
}

#[test]
fn rfc6750_2_3_a_token_in_the_address_does_not_count() {
    let shop = shop();
    let tokens = shop.connect();
    let reply = shop.server.send(
        "GET",
        &format!("/api/v1/account?access_token={}", tokens.access),
        &[],
        None,
    );
    assert_eq!((reply.status, reply.code().as_str()), (401, "missing_credentials"));
}

#[test]
fn rfc6750_2_2_a_token_in_a_form_does_not_count() {
    let shop = shop();
    let tokens = shop.connect();
    let reply = shop.post(
        "/api/v1/contacts",
        &[],
        &crate::help::fields(&[("access_token", &tokens.access)]),
    );
    assert_eq!((reply.status, reply.code().as_str()), (401, "missing_credentials"));
}

#[test]
fn rfc6750_5_3_a_token_in_a_cookie_does_not_count() {
    let shop = shop();
    let cookie = format!("access_token={}", shop.connect().access);
    assert_eq!(
        shop.server.send("GET", "/api/v1/account", &[("cookie", &cookie)], None).code(),
        "missing_credentials"
    );
}

#[test]
fn rfc6750_2_1_a_repeated_header_is_refused() {
    let shop = shop();
    let bearer = format!("Bearer {}", shop.connect().access);
    let reply = shop.server.send(
        "GET",
        "/api/v1/account",
        &[("authorization", &bearer), ("authorization", &bearer)],
        None,
    );
    assert_eq!((reply.status, reply.code().as_str()), (401, "invalid_token"));
}

#[test]
fn rfc6750_5_3_answers_to_a_token_are_not_kept_by_caches() {
    let shop = shop();
    assert_eq!(shop.get(&shop.connect().access).header("cache-control"), Some("no-store"));
}

#[test]
fn rfc9728_5_1_the_challenge_names_the_address_of_the_metadata() {
    let shop = shop();
    let expected =
        format!("resource_metadata=\"{}/.well-known/oauth-protected-resource\"", shop.issuer());
    for reply in [shop.server.send("GET", "/api/v1/account", &[], None), shop.get("x")] {
        assert!(
            challenges(&reply).iter().any(|header| header.contains(&expected)),
            "{:?}",
            challenges(&reply)
        );
    }
}

#[test]
fn without_a_valid_token_every_path_gives_the_same_answer() {
    let shop = shop();
    for (method, path) in [
        ("GET", "/api/v1/account"),
        ("GET", "/api/v1/nothing"),
        ("DELETE", "/api/v1/invoices/1"),
        ("POST", "/api/v1/invoices"),
    ] {
        let reply =
            shop.server.send(method, path, &[("authorization", "Bearer gb_access_x")], None);
        assert_eq!(
            (reply.status, reply.code().as_str()),
            (401, "invalid_token"),
            "{method} {path}"
        );
    }
}
