//! Token endpoint: client authentication, throttling and error responses.

use crate::help::{
    Fields, Shop, basic, encoded, error, fields, invalid_grant, invalid_request, names, with,
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use service::{
    Environment,
    environment::Clock,
    oauth::clients::{self, NewClient},
};
use store::keys::Scopes;
use testing::{Engine, Reply, on_both_engines};

const PATH: &str = "/api/oauth/token";

fn shop() -> Shop {
    Shop::start(Engine::Sqlite)
}

fn invalid_client() -> (u16, String) {
    (401, "invalid_client".into())
}

/// Form fields of a code exchange without client credentials.
fn bare(shop: &Shop) -> Fields {
    with(with(shop.exchange_fields(&shop.code("read")), "client_id", None), "client_secret", None)
}

fn by_basic(shop: &Shop, authorization: &str) -> Reply {
    shop.post(PATH, &[("authorization", authorization)], &bare(shop))
}

/// Posts a body of any media type.
fn raw(shop: &Shop, headers: &[(&str, &str)], body: &[u8]) -> Reply {
    shop.server.send("POST", PATH, headers, Some(body))
}

on_both_engines! {
    fn rfc6749_2_3_1_a_client_authenticates_with_basic(engine) {
        let shop = Shop::start(engine);
        assert_eq!(by_basic(&shop, &basic(&shop.id, &shop.secret)).status, 200);
    }

    fn rfc6749_2_3_1_a_client_authenticates_in_the_body(engine) {
        let shop = Shop::start(engine);
        assert_eq!(shop.exchange(&shop.code("read")).status, 200);
    }

    fn rfc6749_2_3_1_id_and_secret_are_form_urlencoded_inside_basic(engine) {
        let shop = Shop::start(engine);
        let (id, secret) = ("shop:42 é+%&=", "p@ss: \"w%2Brd\"+é\\;'");
        let new = NewClient {
            name: "Moved".into(),
            redirect_uris: vec![crate::help::CALLBACK.into()],
            scopes: Scopes { read: true, write: true, file: false },
            id: Some(id.into()),
            secret: Some(secret.into()),
        };
        let now = shop.server.clock.now();
        shop.server.write(move |tx| clients::register(tx, &Environment::at(now), &new));
        let code = || shop.code_for(id, crate::help::ANNA, "read");
        let without = |code: &str| {
            with(with(shop.exchange_fields(code), "client_id", None), "client_secret", None)
        };
        assert_eq!(
            shop.post(PATH, &[("authorization", &basic(id, secret))], &without(&code())).status,
            200
        );
        // Percent-encoding every byte gives the same value.
        let all = |text: &str| text.bytes().map(|byte| format!("%{byte:02x}")).collect::<String>();
        let header = format!("Basic {}", STANDARD.encode(format!("{}:{}", all(id), all(secret))));
        assert_eq!(shop.post(PATH, &[("authorization", &header)], &without(&code())).status, 200);
        let in_body =
            with(with(without(&code()), "client_id", Some(id)), "client_secret", Some(secret));
        assert_eq!(shop.token(&in_body).status, 200);
        // Without form encoding, the percent and plus signs decode to something else.
        let header = format!("Basic {}", STANDARD.encode(format!("{id}:{secret}")));
        assert_eq!(
            error(&shop.post(PATH, &[("authorization", &header)], &without(&code()))),
            invalid_client()
        );
    }

    fn rfc6749_5_2_failed_client_authentication_gets_401_and_uses_up_no_code(engine) {
        let shop = Shop::start(engine);
        let code = shop.code("read");
        let reply = shop.token(&with(shop.exchange_fields(&code), "client_secret", Some("wrong")));
        assert_eq!(error(&reply), invalid_client());
        assert!(reply.header("www-authenticate").unwrap().starts_with("Basic realm="));
        assert_eq!(shop.exchange(&code).status, 200);
    }

    fn rfc6749_2_3_1_guessing_secrets_is_throttled(engine) {
        let shop = Shop::start(engine);
        let guess = || shop.token(&with(shop.refresh_fields("x"), "client_secret", Some("wrong")));
        for _ in 0..11 {
            assert_eq!(error(&guess()), invalid_client());
        }
        let refused = guess();
        assert_eq!(
            (refused.status, refused.header("retry-after"), refused.header("content-type")),
            (429, Some("1"), Some("application/json"))
        );
        // The right secret is refused as well, at either endpoint, so that guessing cannot
        // continue.
        assert_eq!(shop.refresh("x").status, 429);
        assert_eq!(shop.revoke("x").status, 429);
        // Another application is not affected.
        let other = shop.other();
        let its = with(
            with(shop.refresh_fields("x"), "client_id", Some(&other.client_id)),
            "client_secret",
            Some(&other.client_secret),
        );
        assert_eq!(error(&shop.token(&its)), invalid_grant());
        // The delay doubles with each further failure, up to a minute.
        let mut now = 0;
        for wait in [1, 2, 4, 8, 16, 32, 60, 60] {
            assert_eq!(guess().header("retry-after"), Some(wait.to_string().as_str()));
            now += wait;
            shop.after(now);
            assert_eq!(error(&guess()), invalid_client());
        }
        shop.after(now + 60);
        assert_eq!(error(&shop.refresh("x")), invalid_grant());
        // Successful authentication resets the count.
        assert_eq!(error(&guess()), invalid_client());
        assert_eq!(error(&guess()), invalid_client());
    }

    fn rfc6749_2_3_1_trying_many_client_ids_does_not_help(engine) {
        let shop = Shop::start(engine);
        let named = |id: &str| shop.token(&with(shop.refresh_fields("x"), "client_id", Some(id)));
        assert_eq!(error(&shop.refresh("x")), invalid_grant());
        for number in 0..51 {
            assert_eq!(error(&named(&format!("client-{number}"))), invalid_client());
        }
        assert_eq!(named("one-more").status, 429);
        // A client that authenticated from this address before is exempt from the address's limit.
        assert_eq!(error(&shop.refresh("x")), invalid_grant());
    }
}

#[test]
fn rfc6749_2_3_a_correct_client_is_never_throttled() {
    let shop = shop();
    for _ in 0..60 {
        assert_eq!(error(&shop.refresh("x")), invalid_grant());
    }
}

#[test]
fn rfc9110_11_1_the_scheme_basic_is_written_in_any_case() {
    let shop = shop();
    let credentials = basic(&shop.id, &shop.secret);
    for scheme in ["basic", "BASIC", "bAsIc"] {
        assert_eq!(by_basic(&shop, &credentials.replace("Basic", scheme)).status, 200, "{scheme}");
    }
}

#[test]
fn rfc6749_2_3_two_authentication_methods_at_once_are_an_invalid_request() {
    let shop = shop();
    let reply = shop.post(
        PATH,
        &[("authorization", &basic(&shop.id, &shop.secret))],
        &shop.exchange_fields(&shop.code("read")),
    );
    assert_eq!(error(&reply), invalid_request());
}

#[test]
fn rfc6749_3_2_1_a_client_may_repeat_its_id_in_the_body_but_not_name_another() {
    let shop = shop();
    let header = basic(&shop.id, &shop.secret);
    let same = with(bare(&shop), "client_id", Some(&shop.id));
    assert_eq!(shop.post(PATH, &[("authorization", &header)], &same).status, 200);
    let other = with(bare(&shop), "client_id", Some("other"));
    assert_eq!(error(&shop.post(PATH, &[("authorization", &header)], &other)), invalid_request());
}

#[test]
fn rfc6749_2_3_1_credentials_in_the_address_are_refused() {
    let shop = shop();
    let address = format!("{PATH}?client_id={}&client_secret={}", shop.id, shop.secret);
    assert_eq!(error(&shop.post(&address, &[], &bare(&shop))), invalid_request());
    let reply = shop.post(
        &format!("{PATH}?grant_type=authorization_code"),
        &[],
        &shop.exchange_fields(&shop.code("read")),
    );
    assert_eq!(error(&reply), invalid_request());
}

#[test]
fn rfc6749_5_2_credentials_that_are_missing_or_malformed_are_an_invalid_client() {
    let shop = shop();
    assert_eq!(error(&shop.token(&bare(&shop))), invalid_client());
    assert_eq!(
        error(&shop.token(&with(bare(&shop), "client_id", Some(&shop.id)))),
        invalid_client()
    );
    assert_eq!(
        error(&shop.token(&with(bare(&shop), "client_secret", Some(&shop.secret)))),
        invalid_client()
    );
    let plain = STANDARD.encode(&shop.id);
    for header in [
        "Basic",
        "Basic !!!",
        &format!("Basic {plain}"),
        &format!("Bearer {}", shop.secret),
        "Digest x",
        "",
    ] {
        let reply = by_basic(&shop, header);
        assert_eq!(error(&reply), invalid_client(), "{header}");
        assert!(reply.header("www-authenticate").is_some(), "{header}");
    }
}

#[test]
fn rfc6749_5_2_an_unknown_client_and_a_wrong_secret_get_the_same_answer() {
    let shop = shop();
    let unknown = shop.token(&with(shop.refresh_fields("x"), "client_id", Some("nobody")));
    let wrong = shop.token(&with(shop.refresh_fields("x"), "client_secret", Some("wrong")));
    assert_eq!(
        (unknown.status, &unknown.text, unknown.header("www-authenticate")),
        (wrong.status, &wrong.text, wrong.header("www-authenticate"))
    );
    for id in ["a\0b", &"x".repeat(1000)] {
        assert_eq!(
            error(&shop.token(&with(shop.refresh_fields("x"), "client_id", Some(id)))),
            invalid_client()
        );
    }
}

#[test]
fn rfc6749_3_2_two_authorization_headers_are_an_invalid_request() {
    let shop = shop();
    let header = basic(&shop.id, &shop.secret);
    let reply =
        shop.post(PATH, &[("authorization", &header), ("authorization", &header)], &bare(&shop));
    assert_eq!(error(&reply), invalid_request());
}

#[test]
fn rfc6749_3_2_only_post_is_known() {
    let shop = shop();
    for method in ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"] {
        let reply = shop.server.send(method, PATH, &[], None);
        assert_eq!((reply.status, reply.header("allow")), (405, Some("POST")), "{method}");
        assert_eq!(reply.header("content-type"), Some("application/json"), "{method}");
    }
}

#[test]
fn rfc6749_3_2_only_a_form_is_read() {
    let shop = shop();
    let good = encoded(&shop.exchange_fields(&shop.code("read")));
    for kind in [
        "application/json",
        "text/plain",
        "multipart/form-data; boundary=x",
        "application/x-www-form-urlencoded2",
        "",
    ] {
        assert_eq!(
            error(&raw(&shop, &[("content-type", kind)], good.as_bytes())),
            invalid_request(),
            "{kind}"
        );
    }
    assert_eq!(error(&raw(&shop, &[], good.as_bytes())), invalid_request());
    assert_eq!(
        error(&raw(
            &shop,
            &[("content-type", "application/json")],
            b"{\"grant_type\":\"authorization_code\"}"
        )),
        invalid_request()
    );
    let form = ("content-type", "Application/X-WWW-Form-Urlencoded; charset=UTF-8");
    assert_eq!(
        error(&raw(&shop, &[form, ("content-encoding", "gzip")], good.as_bytes())),
        invalid_request()
    );
    assert_eq!(raw(&shop, &[form], good.as_bytes()).status, 200);
}

#[test]
fn rfc6749_3_2_a_parameter_may_not_be_repeated() {
    let shop = shop();
    let code = shop.code("read");
    for name in
        ["grant_type", "code", "redirect_uri", "code_verifier", "client_id", "client_secret"]
    {
        let mut fields = shop.exchange_fields(&code);
        let again = fields.iter().find(|(field, _)| field == name).cloned().unwrap();
        fields.push(again);
        assert_eq!(error(&shop.token(&fields)), invalid_request(), "{name}");
    }
    assert_eq!(shop.exchange(&code).status, 200);
}

#[test]
fn rfc6749_3_2_an_unknown_parameter_is_ignored_and_an_empty_one_left_out() {
    let shop = shop();
    let mut form = shop.exchange_fields(&shop.code("read"));
    form.extend(fields(&[("audience", "x"), ("scope", ""), ("resource", "")]));
    assert_eq!(shop.token(&form).status, 200);
    assert_eq!(
        error(&shop.token(&with(shop.exchange_fields(&shop.code("read")), "code", Some("")))),
        invalid_request()
    );
}

#[test]
fn rfc6749_5_2_a_missing_grant_type_is_an_invalid_request() {
    let shop = shop();
    assert_eq!(
        error(&shop.token(&with(shop.refresh_fields("x"), "grant_type", None))),
        invalid_request()
    );
}

#[test]
fn rfc6749_5_2_other_grant_types_are_not_supported() {
    let shop = shop();
    for kind in [
        "password",
        "client_credentials",
        "implicit",
        "urn:ietf:params:oauth:grant-type:device_code",
        "urn:ietf:params:oauth:grant-type:jwt-bearer",
        "AUTHORIZATION_CODE",
        "x",
    ] {
        let reply = shop.token(&with(shop.refresh_fields("x"), "grant_type", Some(kind)));
        assert_eq!(error(&reply), (400, "unsupported_grant_type".into()), "{kind}");
    }
}

#[test]
fn rfc9700_2_4_the_password_grant_is_not_supported() {
    let shop = shop();
    let mut form = with(shop.refresh_fields("x"), "grant_type", Some("password"));
    form.extend(fields(&[("username", "anna@example.com"), ("password", "x")]));
    assert_eq!(error(&shop.token(&form)), (400, "unsupported_grant_type".into()));
}

#[test]
fn rfc6749_5_2_an_error_has_a_code_and_a_description_and_is_json() {
    let shop = shop();
    for reply in [
        shop.exchange("x"),
        shop.token(&bare(&shop)),
        shop.server.send("GET", PATH, &[], None),
        shop.server.send("POST", "/api/oauth/nothing", &[], None),
    ] {
        assert_eq!(names(&reply.json()), ["error", "error_description"]);
        assert_eq!(reply.header("content-type"), Some("application/json"));
        assert_eq!(
            (reply.header("cache-control"), reply.header("pragma")),
            (Some("no-store"), Some("no-cache"))
        );
        assert!(reply.header("x-request-id").is_some());
        let description = reply.json()["error_description"].as_str().unwrap().to_owned();
        assert!(
            description.chars().all(|c| matches!(c, ' '..='~') && c != '"' && c != '\\'),
            "{description}"
        );
    }
}

#[test]
fn rfc6749_3_2_a_body_that_is_too_large_is_refused() {
    let shop = shop();
    let mut form = shop.refresh_fields("x");
    form.extend(fields(&[("x", &"x".repeat(70_000))]));
    assert_eq!(error(&shop.token(&form)), invalid_request());
}

#[test]
fn rfc9700_2_6_no_other_site_may_read_the_answers() {
    let shop = shop();
    let reply = shop.post(
        PATH,
        &[("origin", "https://evil.example")],
        &shop.exchange_fields(&shop.code("read")),
    );
    assert_eq!((reply.status, reply.header("access-control-allow-origin")), (200, None));
}
