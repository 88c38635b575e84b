//! Authorization requests: validation, approval, and the redirect with a code or an error.

use crate::help::{ANNA, CALLBACK, CHALLENGE, Fields, Shop, VERIFIER, parameter, register, with};
use service::{
    AccessError, Error,
    oauth::{
        authorize::{self, PageFault, Validated},
        redirect::{self, UriFault},
    },
};
use store::{accounts::Plan, keys::Scopes};
use testing::{Engine, on_both_engines};
use web::oauth::authorize::error_address;

/// Outcome of a request: consent with its scopes, an error redirect, or an error page.
fn outcome(shop: &Shop, request: &Fields) -> String {
    match shop.validate(request) {
        Validated::Page(fault) => format!("page {}", fault.code()),
        Validated::Redirect(error) => format!("redirect {}", error.fault.error()),
        Validated::Ask(request) => format!("ask {}", request.scopes.as_str()),
    }
}

/// Outcome of a valid request with one parameter replaced or removed.
fn with_other(shop: &Shop, name: &str, value: Option<&str>) -> String {
    outcome(shop, &with(shop.request("read"), name, value))
}

/// Outcome of a valid request with one parameter repeated.
fn with_again(shop: &Shop, name: &str, value: &str) -> String {
    let mut request = shop.request("read");
    request.push((name.into(), value.into()));
    outcome(shop, &request)
}

/// Redirect URL for a rejected request.
fn error_redirect(shop: &Shop, request: &Fields) -> String {
    let Validated::Redirect(error) = shop.validate(request) else {
        panic!("not rejected: {request:?}")
    };
    error_address(&error, &shop.issuer())
}

fn shop() -> Shop {
    Shop::start(Engine::Sqlite)
}

on_both_engines! {
    fn rfc6749_4_1_1_a_valid_request_asks_for_consent(engine) {
        let shop = Shop::start(engine);
        assert_eq!(outcome(&shop, &shop.request("read write")), "ask read write");
    }

    fn rfc6749_4_1_2_approval_redirects_with_code_state_and_iss_alone(engine) {
        let shop = Shop::start(engine);
        let address = shop.approved(ANNA, &shop.request("read")).unwrap();
        let (front, query) = address.split_at(CALLBACK.len());
        assert_eq!(front, CALLBACK);
        let names: Vec<_> = form_urlencoded::parse(&query.as_bytes()[1..])
            .map(|(name, _)| name.into_owned())
            .collect();
        assert_eq!(names, ["code", "state", "iss"]);
        assert_eq!(parameter(&address, "state").as_deref(), Some("xyz"));
    }

    fn rfc6749_10_5_a_code_is_stored_as_a_hash(engine) {
        let shop = Shop::start(engine);
        let code = shop.code("read");
        assert!(code.starts_with("gb_code_") && code.len() == 8 + 43 + 6, "{code}");
        let bytes = shop.database_bytes();
        let holds = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
        assert!(holds(CHALLENGE) && !holds(&code[8..]));
    }

    fn only_dutch_accounts_on_a_paid_plan_can_allow_it(engine) {
        let shop = Shop::start(engine);
        shop.server.account_of("free@example.com", "NL", Plan::Free);
        shop.server.account_of("paul@example.com", "BE", Plan::Pro);
        assert!(matches!(
            shop.approved("free@example.com", &shop.request("read")),
            Err(Error::Access(AccessError::PlanRequired { minimum: Plan::Starter }))
        ));
        assert!(matches!(
            shop.approved("paul@example.com", &shop.request("read")),
            Err(Error::Access(AccessError::DutchAccountRequired))
        ));
        assert_eq!(shop.rows("oauth_codes"), 0);
    }
}

#[test]
fn rfc6749_3_1_a_parameter_without_a_value_counts_as_omitted() {
    let shop = shop();
    assert_eq!(with_other(&shop, "scope", Some("")), "ask read");
    assert_eq!(with_other(&shop, "response_type", Some("")), "redirect invalid_request");
    assert_eq!(with_other(&shop, "client_id", Some("")), "page missing_client");
    let request = with(shop.request("read"), "state", Some(""));
    assert_eq!(parameter(&shop.approved(ANNA, &request).unwrap(), "state"), None);
}

#[test]
fn rfc6749_3_1_an_unknown_parameter_is_ignored() {
    let shop = shop();
    for name in ["nonce", "prompt", "resource", "x"] {
        assert_eq!(with_again(&shop, name, "none"), "ask read", "{name}");
    }
    let mut twice = shop.request("read");
    twice.extend([("x".into(), "1".into()), ("x".into(), "2".into())]);
    assert_eq!(outcome(&shop, &twice), "ask read");
}

#[test]
fn rfc6749_3_1_a_repeated_response_type_is_an_invalid_request() {
    assert_eq!(with_again(&shop(), "response_type", "code"), "redirect invalid_request");
}

#[test]
fn rfc6749_3_1_a_repeated_scope_is_an_invalid_request() {
    assert_eq!(with_again(&shop(), "scope", "read"), "redirect invalid_request");
}

#[test]
fn rfc6749_3_1_a_repeated_code_challenge_is_an_invalid_request() {
    assert_eq!(with_again(&shop(), "code_challenge", CHALLENGE), "redirect invalid_request");
}

#[test]
fn rfc6749_3_1_a_repeated_code_challenge_method_is_an_invalid_request() {
    assert_eq!(with_again(&shop(), "code_challenge_method", "S256"), "redirect invalid_request");
}

#[test]
fn rfc6749_3_1_a_repeated_state_is_an_invalid_request_and_neither_is_sent_back() {
    let shop = shop();
    let mut request = shop.request("read");
    request.push(("state".into(), "other".into()));
    let address = error_redirect(&shop, &request);
    assert_eq!(parameter(&address, "error").as_deref(), Some("invalid_request"));
    assert_eq!(parameter(&address, "state"), None);
}

#[test]
fn rfc6749_3_1_1_response_type_is_required() {
    assert_eq!(with_other(&shop(), "response_type", None), "redirect invalid_request");
}

#[test]
fn rfc6749_3_1_1_no_other_response_type_is_known() {
    let shop = shop();
    for kind in
        ["token", "id_token", "code token", "code id_token", "none", "CODE", "code ", "password"]
    {
        assert_eq!(
            with_other(&shop, "response_type", Some(kind)),
            "redirect unsupported_response_type",
            "{kind}"
        );
    }
}

#[test]
fn rfc9700_2_1_2_the_implicit_grant_is_not_supported() {
    assert_eq!(
        with_other(&shop(), "response_type", Some("token")),
        "redirect unsupported_response_type"
    );
}

#[test]
fn rfc6749_3_1_2_the_query_of_the_redirect_uri_is_kept() {
    let shop = shop();
    let address = shop.approved(ANNA, &shop.request("read")).unwrap();
    assert!(address.starts_with("https://shop.example.com/callback?tenant=7&code="), "{address}");
}

#[test]
fn rfc6749_3_1_2_a_redirect_uri_with_a_fragment_cannot_be_registered_nor_asked_for() {
    assert!(redirect::check(&format!("{CALLBACK}#x")).is_err());
    assert_eq!(
        with_other(&shop(), "redirect_uri", Some(&format!("{CALLBACK}#x"))),
        "page unregistered_redirect_uri"
    );
}

#[test]
fn rfc6749_3_1_2_3_a_redirect_uri_is_required() {
    assert_eq!(with_other(&shop(), "redirect_uri", None), "page missing_redirect_uri");
}

#[test]
fn rfc6749_3_1_2_4_an_unregistered_redirect_uri_gets_no_redirect() {
    let shop = shop();
    for uri in [
        "https://shop.example.com/callback",
        "https://shop.example.com/callback?tenant=8",
        "https://shop.example.com/callback?tenant=7&x=1",
        "https://shop.example.com/callback/?tenant=7",
        "https://shop.example.com/callback/../callback?tenant=7",
        "https://shop.example.com/%63allback?tenant=7",
        "https://SHOP.example.com/callback?tenant=7",
        "HTTPS://shop.example.com/callback?tenant=7",
        "https://shop.example.com:443/callback?tenant=7",
        "http://shop.example.com/callback?tenant=7",
        "https://shop.example.com@evil.example/callback?tenant=7",
        "https://shop.example.com.evil.example/callback?tenant=7",
        "https://evil.example/?x=https://shop.example.com/callback?tenant=7",
        "//shop.example.com/callback?tenant=7",
        "//evil.example",
        "https:\\\\evil.example",
        "javascript:alert(1)",
        "data:text/html,x",
        "https://shop.example.com/callback?tenant=7\r\nx: y",
        "https://shop.example.com/callback?tenant=7\0",
        "*",
    ] {
        assert_eq!(
            with_other(&shop, "redirect_uri", Some(uri)),
            "page unregistered_redirect_uri",
            "{uri:?}"
        );
    }
}

#[test]
fn rfc9700_4_1_1_a_uri_of_another_application_does_not_count() {
    let shop = shop();
    register(
        &shop.server,
        "Other",
        "https://other.example.com/cb",
        Scopes { read: true, write: false, file: false },
    );
    assert_eq!(
        with_other(&shop, "redirect_uri", Some("https://other.example.com/cb")),
        "page unregistered_redirect_uri"
    );
}

#[test]
fn rfc6749_3_3_without_a_scope_it_is_read() {
    assert_eq!(with_other(&shop(), "scope", None), "ask read");
}

#[test]
fn rfc6749_3_3_scopes_are_separated_by_one_space_in_any_order() {
    let shop = shop();
    for (scope, expected) in [
        ("read write", "ask read write"),
        ("write read", "ask read write"),
        ("write", "ask write"),
        ("read,write", "redirect invalid_scope"),
        ("read  write", "redirect invalid_scope"),
        (" read", "redirect invalid_scope"),
        ("read\twrite", "redirect invalid_scope"),
    ] {
        assert_eq!(with_other(&shop, "scope", Some(scope)), expected, "{scope:?}");
    }
}

#[test]
fn rfc6749_3_3_scopes_are_case_sensitive() {
    assert_eq!(with_other(&shop(), "scope", Some("READ")), "redirect invalid_scope");
}

#[test]
fn rfc6749_4_1_2_1_an_unknown_scope_is_an_invalid_scope() {
    let shop = shop();
    for scope in ["admin", "read admin", "offline_access", "openid"] {
        assert_eq!(with_other(&shop, "scope", Some(scope)), "redirect invalid_scope", "{scope}");
    }
}

#[test]
fn rfc6749_4_1_2_1_a_scope_beyond_the_registration_is_refused_and_not_narrowed() {
    let shop = shop();
    let reader = register(
        &shop.server,
        "Reader",
        CALLBACK,
        Scopes { read: true, write: false, file: false },
    );
    let outcome_for =
        |scope| outcome(&shop, &with(shop.request(scope), "client_id", Some(&reader.client_id)));
    assert_eq!(outcome_for("read"), "ask read");
    assert_eq!(outcome_for("write"), "redirect invalid_scope");
    assert_eq!(outcome_for("read write"), "redirect invalid_scope");
}

#[test]
fn rfc6749_4_1_1_client_id_is_required() {
    assert_eq!(with_other(&shop(), "client_id", None), "page missing_client");
}

#[test]
fn rfc6749_4_1_2_1_an_unknown_client_gets_an_error_page() {
    let shop = shop();
    let upper = shop.id.to_uppercase();
    for id in
        ["nobody", "gb_client_0000000000000000000000", " ", "a\0b", "' OR 1=1 --", upper.as_str()]
    {
        assert_eq!(with_other(&shop, "client_id", Some(id)), "page unknown_client", "{id:?}");
    }
    assert_eq!(with_other(&shop, "client_id", Some(&"x".repeat(10_000))), "page unknown_client");
}

#[test]
fn rfc6749_3_1_a_repeated_client_id_or_redirect_uri_gets_an_error_page() {
    let shop = shop();
    assert_eq!(with_again(&shop, "client_id", &shop.id), "page repeated_client");
    assert_eq!(with_again(&shop, "redirect_uri", CALLBACK), "page repeated_redirect_uri");
    assert_eq!(with_again(&shop, "client_id", ""), "page repeated_client");
}

#[test]
fn rfc6749_4_1_2_1_a_bad_client_or_redirect_uri_gets_an_error_page_whatever_else_is_wrong() {
    let shop = shop();
    for (name, value, expected) in [
        ("client_id", "nobody", "page unknown_client"),
        ("redirect_uri", "https://evil.example/", "page unregistered_redirect_uri"),
    ] {
        for (other, wrong) in [
            ("response_type", "token"),
            ("scope", "admin"),
            ("code_challenge", ""),
            ("code_challenge_method", "plain"),
        ] {
            let request = with(with(shop.request("read"), name, Some(value)), other, Some(wrong));
            assert_eq!(outcome(&shop, &request), expected, "{name} {other}");
        }
    }
}

#[test]
fn rfc6749_4_1_2_1_every_other_fault_is_sent_back_with_error_state_and_description() {
    let shop = shop();
    for (name, value, error) in [
        ("response_type", Some("token"), "unsupported_response_type"),
        ("response_type", None, "invalid_request"),
        ("scope", Some("admin"), "invalid_scope"),
        ("code_challenge", None, "invalid_request"),
        ("code_challenge_method", Some("plain"), "invalid_request"),
    ] {
        let address = error_redirect(&shop, &with(shop.request("read"), name, value));
        assert!(
            address.starts_with(&format!("{CALLBACK}&error={error}&error_description=")),
            "{address}"
        );
        assert_eq!(parameter(&address, "state").as_deref(), Some("xyz"), "{address}");
        assert_eq!(parameter(&address, "code"), None);
    }
}

#[test]
fn rfc6749_4_1_2_1_a_description_holds_printable_ascii_without_quotes_and_backslashes() {
    let shop = shop();
    let mut count = 0;
    for (name, value) in [
        ("response_type", Some("token")),
        ("response_type", None),
        ("scope", Some("admin")),
        ("code_challenge", None),
        ("code_challenge", Some("x")),
        ("code_challenge_method", None),
        ("code_challenge_method", Some("plain")),
    ] {
        let description = parameter(
            &error_redirect(&shop, &with(shop.request("read"), name, value)),
            "error_description",
        )
        .unwrap();
        assert!(
            !description.is_empty()
                && description.chars().all(|c| matches!(c, ' '..='~') && c != '"' && c != '\\'),
            "{description}"
        );
        count += 1;
    }
    assert_eq!(count, 7);
}

#[test]
fn rfc6749_4_1_2_1_a_refusal_is_access_denied() {
    let shop = shop();
    let Validated::Ask(request) = shop.validate(&shop.request("read")) else { panic!() };
    let address = error_address(&authorize::deny(&request), &shop.issuer());
    assert_eq!(parameter(&address, "error").as_deref(), Some("access_denied"));
    assert_eq!(parameter(&address, "state").as_deref(), Some("xyz"));
    assert_eq!(shop.rows("oauth_codes"), 0);
}

#[test]
fn rfc6749_4_1_1_without_a_state_no_state_is_sent_back() {
    let shop = shop();
    let request = with(shop.request("read"), "state", None);
    assert_eq!(parameter(&shop.approved(ANNA, &request).unwrap(), "state"), None);
    let request = with(request, "response_type", None);
    assert_eq!(parameter(&error_redirect(&shop, &request), "state"), None);
}

#[test]
fn rfc6749_4_1_2_the_state_is_sent_back_as_it_came() {
    let shop = shop();
    let long = "s".repeat(500);
    for state in [
        "a b",
        "a+b",
        "%00",
        "\0",
        "\u{1f600}",
        "\"'<script>",
        "a&code=evil#x",
        "\r\nLocation: evil",
        "e\u{301}",
        long.as_str(),
    ] {
        let request = with(shop.request("read"), "state", Some(state));
        let address = shop.approved(ANNA, &request).unwrap();
        assert_eq!(parameter(&address, "state").as_deref(), Some(state));
        assert!(address.bytes().all(|byte| byte.is_ascii_graphic()), "{address}");
        assert!(parameter(&address, "code").unwrap().starts_with("gb_code_"), "{address}");
        let address = error_redirect(&shop, &with(request, "response_type", None));
        assert_eq!(parameter(&address, "state").as_deref(), Some(state));
    }
}

#[test]
fn rfc6749_appendix_b_parameters_are_utf_8() {
    let parameters = web::oauth::authorize::parameters("state=%F0%9F%98%80&x=a+b").unwrap();
    assert_eq!(
        parameters,
        [("state".to_owned(), "\u{1f600}".to_owned()), ("x".to_owned(), "a b".to_owned())]
    );
    assert_eq!(web::oauth::authorize::parameters("state=%ff"), None);
    assert_eq!(PageFault::Unreadable.code(), "unreadable");
}

#[test]
fn rfc7636_4_3_a_code_challenge_is_required() {
    assert_eq!(with_other(&shop(), "code_challenge", None), "redirect invalid_request");
}

#[test]
fn rfc7636_4_3_without_a_method_it_would_be_plain_and_is_refused() {
    assert_eq!(with_other(&shop(), "code_challenge_method", None), "redirect invalid_request");
}

#[test]
fn rfc7636_4_4_1_no_other_method_is_accepted() {
    let shop = shop();
    for method in ["plain", "s256", "S512", "S256 ", "none"] {
        assert_eq!(
            with_other(&shop, "code_challenge_method", Some(method)),
            "redirect invalid_request",
            "{method}"
        );
    }
}

#[test]
fn rfc7636_4_2_a_challenge_is_43_characters_of_base64url() {
    let shop = shop();
    let (short, long, padded) =
        (&CHALLENGE[1..], format!("{CHALLENGE}A"), format!("{}=", &CHALLENGE[1..]));
    for challenge in [
        short,
        &long,
        &padded,
        &CHALLENGE.replace('-', "+"),
        &CHALLENGE.replace('-', "/"),
        &CHALLENGE.replace('-', "~"),
        "x",
    ] {
        assert_eq!(
            with_other(&shop, "code_challenge", Some(challenge)),
            "redirect invalid_request",
            "{challenge}"
        );
    }
    assert_eq!(with_other(&shop, "code_challenge", Some(VERIFIER)), "ask read");
}

#[test]
fn rfc9700_2_1_1_pkce_cannot_be_left_out() {
    let shop = shop();
    let request =
        with(with(shop.request("read"), "code_challenge", None), "code_challenge_method", None);
    assert_eq!(outcome(&shop, &request), "redirect invalid_request");
}

#[test]
fn rfc9207_2_a_good_answer_names_the_issuer() {
    let shop = shop();
    let address = shop.approved(ANNA, &shop.request("read")).unwrap();
    assert_eq!(parameter(&address, "iss"), Some(shop.issuer()));
}

#[test]
fn rfc9207_2_an_error_names_the_issuer() {
    let shop = shop();
    let address = error_redirect(&shop, &with(shop.request("read"), "scope", Some("admin")));
    assert_eq!(parameter(&address, "iss"), Some(shop.issuer()));
}

#[test]
fn rfc8252_7_3_the_port_of_a_loopback_address_may_differ() {
    let shop = shop();
    let native = register(
        &shop.server,
        "Native",
        "http://127.0.0.1/cb",
        Scopes { read: true, write: false, file: false },
    );
    let outcome_for = |uri: &str| {
        let request = with(
            with(shop.request("read"), "client_id", Some(&native.client_id)),
            "redirect_uri",
            Some(uri),
        );
        outcome(&shop, &request)
    };
    assert_eq!(outcome_for("http://127.0.0.1:49152/cb"), "ask read");
    assert_eq!(outcome_for("http://127.0.0.1/cb"), "ask read");
    for uri in [
        "http://127.0.0.1:49152/",
        "http://127.0.0.1:49152/cb?x=1",
        "http://localhost:49152/cb",
        "http://[::1]:49152/cb",
        "http://127.0.0.1:1@evil.example/cb",
    ] {
        assert_eq!(outcome_for(uri), "page unregistered_redirect_uri", "{uri}");
    }
}

#[test]
fn rfc8252_8_3_localhost_cannot_be_registered() {
    assert_eq!(redirect::check("http://localhost:3000/cb"), Err(UriFault::Localhost));
}

#[test]
fn rfc8252_7_1_a_private_scheme_is_a_reversed_domain_name() {
    assert!(redirect::check("com.example.app:/cb").is_ok());
    assert!(redirect::check("app:/cb").is_err());
}

#[test]
fn rfc9700_2_6_http_cannot_be_registered() {
    assert!(redirect::check("http://shop.example.com/cb").is_err());
}

#[test]
fn rfc9700_4_12_the_browser_is_sent_back_with_303() {
    let response = web::oauth::authorize::send_back(CALLBACK);
    assert_eq!(
        (response.status().as_u16(), response.headers()["location"].to_str().unwrap()),
        (303, CALLBACK)
    );
}

#[test]
fn rfc9700_4_2_4_the_code_does_not_travel_on_as_a_referrer() {
    assert_eq!(
        web::oauth::authorize::send_back(CALLBACK).headers()["referrer-policy"],
        "no-referrer"
    );
}

#[test]
fn rfc6749_4_1_2_the_answer_with_the_code_is_not_kept_by_caches() {
    assert_eq!(web::oauth::authorize::send_back(CALLBACK).headers()["cache-control"], "no-store");
}
