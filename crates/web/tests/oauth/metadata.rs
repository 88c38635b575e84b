//! Metadata documents from which clients configure themselves.

use crate::help::Shop;
use serde_json::{Value, json};
use testing::{Engine, Reply};

const SERVER: &str = "/.well-known/oauth-authorization-server";
const RESOURCE: &str = "/.well-known/oauth-protected-resource";

fn read(path: &str) -> (Shop, Reply, Value) {
    let shop = Shop::start(Engine::Sqlite);
    let reply = shop.server.send(
        "GET",
        path,
        &[("host", "evil.example"), ("x-forwarded-host", "evil.example")],
        None,
    );
    assert_eq!(reply.status, 200);
    let body = reply.json();
    (shop, reply, body)
}

#[test]
fn rfc8414_3_2_the_metadata_is_json() {
    assert_eq!(read(SERVER).1.header("content-type"), Some("application/json"));
}

#[test]
fn rfc8414_3_3_the_issuer_is_the_base_url_whatever_the_request_says() {
    let (shop, _, body) = read(SERVER);
    assert_eq!(body["issuer"], shop.issuer());
}

#[test]
fn rfc8414_2_the_endpoints_are_named() {
    let (shop, _, body) = read(SERVER);
    for (name, path) in [
        ("authorization_endpoint", "/oauth/authorize"),
        ("token_endpoint", "/api/oauth/token"),
        ("revocation_endpoint", "/api/oauth/revoke"),
    ] {
        assert_eq!(body[name], format!("{}{path}", shop.issuer()));
    }
    assert_eq!(body.get("introspection_endpoint"), None);
    assert_eq!(body.get("registration_endpoint"), None);
}

#[test]
fn rfc8414_2_only_the_code_flow_is_supported() {
    let (_, _, body) = read(SERVER);
    assert_eq!(body["response_types_supported"], json!(["code"]));
    assert_eq!(body["response_modes_supported"], json!(["query"]));
}

#[test]
fn rfc8414_2_the_grant_types_are_named_because_the_default_includes_implicit() {
    assert_eq!(
        read(SERVER).2["grant_types_supported"],
        json!(["authorization_code", "refresh_token"])
    );
}

#[test]
fn rfc8414_2_client_authentication_is_named_for_both_endpoints() {
    let (_, _, body) = read(SERVER);
    let methods = json!(["client_secret_basic", "client_secret_post"]);
    assert_eq!(
        (
            &body["token_endpoint_auth_methods_supported"],
            &body["revocation_endpoint_auth_methods_supported"]
        ),
        (&methods, &methods)
    );
}

#[test]
fn rfc8414_2_pkce_is_supported_by_s256_alone() {
    assert_eq!(read(SERVER).2["code_challenge_methods_supported"], json!(["S256"]));
}

#[test]
fn rfc8414_2_the_scopes_are_named() {
    assert_eq!(read(SERVER).2["scopes_supported"], json!(["read", "write", "file"]));
}

#[test]
fn rfc9207_3_the_issuer_in_answers_is_announced() {
    assert_eq!(read(SERVER).2["authorization_response_iss_parameter_supported"], true);
}

#[test]
fn rfc8414_3_1_every_named_endpoint_exists() {
    let (shop, _, body) = read(SERVER);
    for name in ["token_endpoint", "revocation_endpoint"] {
        let path = body[name].as_str().unwrap().strip_prefix(&shop.issuer()).unwrap().to_owned();
        assert_eq!(
            shop.server.send("POST", &path, &[], None).json()["error"],
            "invalid_request",
            "{name}"
        );
    }
    let documentation = body["service_documentation"]
        .as_str()
        .unwrap()
        .strip_prefix(&shop.issuer())
        .unwrap()
        .to_owned();
    assert_eq!(shop.server.send("GET", &documentation, &[], None).status, 200);
}

#[test]
fn rfc9728_2_the_resource_names_itself_and_its_authorization_server() {
    let (shop, _, body) = read(RESOURCE);
    assert_eq!(
        (&body["resource"], &body["authorization_servers"]),
        (&json!(shop.issuer()), &json!([shop.issuer()]))
    );
}

#[test]
fn rfc9728_2_tokens_are_sent_in_the_header_alone() {
    assert_eq!(read(RESOURCE).2["bearer_methods_supported"], json!(["header"]));
}

#[test]
fn rfc9728_3_3_the_resource_matches_the_address_of_its_metadata() {
    let (shop, reply, body) = read(RESOURCE);
    assert_eq!(
        format!("{}{RESOURCE}", body["resource"].as_str().unwrap()),
        format!("{}{RESOURCE}", shop.issuer())
    );
    assert_eq!(reply.header("content-type"), Some("application/json"));
}
