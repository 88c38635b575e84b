//! Exchange of authorization codes for tokens.

use crate::help::{
    ANNA, CHALLENGE, Shop, Tokens, VERIFIER, error, invalid_grant, invalid_request, names,
    parameter, with,
};
use testing::{Engine, on_both_engines};

fn shop() -> Shop {
    Shop::start(Engine::Sqlite)
}

on_both_engines! {
    fn rfc6749_5_1_a_good_answer_has_its_five_members(engine) {
        let shop = Shop::start(engine);
        let reply = shop.exchange(&shop.code("read write"));
        assert_eq!(reply.status, 200, "{}", reply.text);
        let body = reply.json();
        assert_eq!(
            names(&body),
            ["access_token", "token_type", "expires_in", "refresh_token", "scope"]
        );
        assert_eq!(body["token_type"], "Bearer");
        assert!(body["expires_in"].is_u64() && body["expires_in"] == 3600);
        assert_eq!(body["scope"], "read write");
        assert!(shop.works(body["access_token"].as_str().unwrap()));
    }

    fn rfc6749_4_1_2_a_code_is_used_once(engine) {
        let shop = Shop::start(engine);
        let code = shop.code("read");
        assert_eq!(shop.exchange(&code).status, 200);
        assert_eq!(error(&shop.exchange(&code)), invalid_grant());
    }

    fn rfc6749_4_1_2_a_replayed_code_revokes_its_tokens(engine) {
        let shop = Shop::start(engine);
        let code = shop.code("read");
        let tokens = Tokens::of(&shop.exchange(&code));
        let later = Tokens::of(&shop.refresh(&tokens.refresh));
        assert_eq!(error(&shop.exchange(&code)), invalid_grant());
        assert!(!shop.works(&tokens.access) && !shop.works(&later.access));
        assert_eq!(error(&shop.refresh(&later.refresh)), invalid_grant());
        assert!(
            shop.events(ANNA).contains(&("token_reused".to_owned(), "Example Shop".to_owned()))
        );
    }

    fn rfc6749_4_1_2_a_code_replayed_after_its_minute_still_revokes_its_tokens(engine) {
        let shop = Shop::start(engine);
        let code = shop.code("read");
        let tokens = Tokens::of(&shop.exchange(&code));
        shop.after(3000);
        assert!(shop.works(&tokens.access));
        assert_eq!(error(&shop.exchange(&code)), invalid_grant());
        assert!(!shop.works(&tokens.access));
    }

    fn rfc9700_4_5_an_otherwise_invalid_replay_revokes_nothing(engine) {
        let shop = Shop::start(engine);
        let other = shop.other();
        let code = shop.code("read");
        let tokens = Tokens::of(&shop.exchange(&code));
        let good = shop.exchange_fields(&code);
        let wrong_verifier = with(good.clone(), "code_verifier", Some(&"x".repeat(43)));
        let wrong_uri =
            with(good.clone(), "redirect_uri", Some("https://shop.example.com/callback"));
        let wrong_client = with(
            with(good.clone(), "client_id", Some(&other.client_id)),
            "client_secret",
            Some(&other.client_secret),
        );
        for fields in [wrong_verifier, wrong_uri, wrong_client] {
            assert_eq!(error(&shop.token(&fields)), invalid_grant(), "{fields:?}");
        }
        assert_eq!(
            error(&shop.token(&with(good, "client_secret", Some("wrong")))).1,
            "invalid_client"
        );
        assert!(shop.works(&tokens.access));
        assert_eq!(shop.refresh(&tokens.refresh).status, 200);
    }

    fn rfc6749_4_1_3_the_code_is_bound_to_its_client(engine) {
        let shop = Shop::start(engine);
        let other = shop.other();
        let code = shop.code("read");
        let stolen = with(
            with(shop.exchange_fields(&code), "client_id", Some(&other.client_id)),
            "client_secret",
            Some(&other.client_secret),
        );
        assert_eq!(error(&shop.token(&stolen)), invalid_grant());
        assert_eq!(shop.exchange(&code).status, 200, "the other client used up the code");
    }

    fn rfc6749_10_10_only_hashes_of_tokens_are_stored(engine) {
        let shop = Shop::start(engine);
        let tokens = shop.connect();
        let bytes = shop.database_bytes();
        let holds = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
        assert!(holds("Example Shop"));
        for secret in [&tokens.access, &tokens.refresh, &shop.secret] {
            assert!(!holds(&secret[12..]), "{secret}");
        }
    }
}

#[test]
fn rfc6749_4_1_2_a_code_lives_a_minute() {
    let shop = shop();
    let (early, late) = (shop.code("read"), shop.code("read"));
    shop.after(59);
    assert_eq!(shop.exchange(&early).status, 200);
    shop.after(60);
    assert_eq!(error(&shop.exchange(&late)), invalid_grant());
}

#[test]
fn rfc6749_4_1_3_the_redirect_uri_must_be_the_one_of_the_request() {
    let shop = shop();
    let code = shop.code("read");
    for uri in [
        "https://shop.example.com/callback",
        "https://shop.example.com/callback?tenant=8",
        "https://evil.example/",
    ] {
        assert_eq!(
            error(&shop.token(&with(shop.exchange_fields(&code), "redirect_uri", Some(uri)))),
            invalid_grant(),
            "{uri}"
        );
    }
    assert_eq!(shop.exchange(&code).status, 200);
}

#[test]
fn rfc6749_4_1_3_the_redirect_uri_is_required() {
    let shop = shop();
    assert_eq!(
        error(&shop.token(&with(shop.exchange_fields(&shop.code("read")), "redirect_uri", None))),
        invalid_request()
    );
}

#[test]
fn rfc6749_4_1_3_the_code_is_required() {
    let shop = shop();
    assert_eq!(
        error(&shop.token(&with(shop.exchange_fields("x"), "code", None))),
        invalid_request()
    );
}

#[test]
fn rfc6749_4_1_3_an_unknown_code_is_an_invalid_grant() {
    let shop = shop();
    let code = shop.code("read");
    let (front, last) = code.split_at(code.len() - 1);
    let typo = format!("{front}{}", if last == "x" { "y" } else { "x" });
    for code in ["x", "gb_code_", typo.as_str(), &code.to_uppercase(), &format!("{code} ")] {
        assert_eq!(error(&shop.exchange(code)), invalid_grant(), "{code}");
    }
}

#[test]
fn rfc7636_4_5_the_verifier_is_required() {
    let shop = shop();
    let code = shop.code("read");
    assert_eq!(
        error(&shop.token(&with(shop.exchange_fields(&code), "code_verifier", None))),
        invalid_request()
    );
    assert_eq!(
        error(&shop.token(&with(shop.exchange_fields(&code), "code_verifier", Some("")))),
        invalid_request()
    );
}

#[test]
fn rfc7636_4_6_a_wrong_verifier_is_an_invalid_grant() {
    let shop = shop();
    let code = shop.code("read");
    for verifier in
        [&*VERIFIER.to_lowercase(), &"x".repeat(43), &format!("{VERIFIER}x"), &VERIFIER[1..], " "]
    {
        assert_eq!(
            error(&shop.token(&with(shop.exchange_fields(&code), "code_verifier", Some(verifier)))),
            invalid_grant(),
            "{verifier}"
        );
    }
    assert_eq!(shop.exchange(&code).status, 200);
}

#[test]
fn rfc7636_7_2_the_challenge_itself_is_no_verifier() {
    let shop = shop();
    let fields = with(shop.exchange_fields(&shop.code("read")), "code_verifier", Some(CHALLENGE));
    assert_eq!(error(&shop.token(&fields)), invalid_grant());
}

#[test]
fn rfc7636_4_1_a_verifier_that_is_too_short_is_refused_though_it_hashes_to_the_challenge() {
    let shop = shop();
    // SHA-256 of "short" in base64url.
    let request = with(
        shop.request("read"),
        "code_challenge",
        Some("-bAHi131ltLqGQEMABu9AJ5lHeLFfo-341XzHrnT9zk"),
    );
    let address = shop.approved(ANNA, &request).unwrap();
    let code = parameter(&address, "code").unwrap();
    assert_eq!(
        error(&shop.token(&with(shop.exchange_fields(&code), "code_verifier", Some("short")))),
        invalid_grant()
    );
}

#[test]
fn rfc6749_3_3_the_answer_names_the_granted_scope() {
    let shop = shop();
    for scope in ["read", "write"] {
        assert_eq!(shop.exchange(&shop.code(scope)).json()["scope"], scope);
    }
    let request = with(shop.request("read"), "scope", None);
    let code = parameter(&shop.approved(ANNA, &request).unwrap(), "code").unwrap();
    assert_eq!(shop.exchange(&code).json()["scope"], "read");
}

#[test]
fn rfc6749_5_1_answers_with_tokens_are_not_kept_by_caches() {
    let shop = shop();
    let reply = shop.exchange(&shop.code("read"));
    assert_eq!(
        (reply.header("cache-control"), reply.header("pragma")),
        (Some("no-store"), Some("no-cache"))
    );
}

#[test]
fn rfc6749_5_1_answers_are_json() {
    let shop = shop();
    assert_eq!(shop.exchange(&shop.code("read")).header("content-type"), Some("application/json"));
}

#[test]
fn rfc6750_5_2_tokens_fit_a_header_and_cannot_be_guessed() {
    let shop = shop();
    let (one, other) = (shop.connect(), shop.connect());
    for token in [&one.access, &one.refresh] {
        let random = token.rsplit('_').next().unwrap();
        assert!(
            random.len() == 43 + 6 && random.bytes().all(|byte| byte.is_ascii_alphanumeric()),
            "{token}"
        );
    }
    assert!(one.access.starts_with("gb_access_") && one.refresh.starts_with("gb_refresh_"));
    assert!(one.access != other.access && one.refresh != other.refresh);
}
