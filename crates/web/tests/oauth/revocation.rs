//! Token revocation by the application.

use crate::help::{ANNA, Shop, basic, error, fields, invalid_grant, invalid_request, with};
use testing::{Engine, on_both_engines};

const PATH: &str = "/api/oauth/revoke";

fn shop() -> Shop {
    Shop::start(Engine::Sqlite)
}

on_both_engines! {
    fn rfc7009_2_1_revoking_a_refresh_token_revokes_its_grant(engine) {
        let shop = Shop::start(engine);
        let tokens = shop.connect();
        let reply = shop.revoke(&tokens.refresh);
        assert_eq!(
            (reply.status, reply.text.as_str(), reply.header("content-type")),
            (200, "{}", Some("application/json"))
        );
        assert!(!shop.works(&tokens.access));
        assert_eq!(error(&shop.refresh(&tokens.refresh)), invalid_grant());
        assert!(shop.events(ANNA).iter().any(|(kind, _)| kind == "application_disconnected"));
    }

    fn rfc7009_2_1_revoking_an_access_token_revokes_nothing_else(engine) {
        let shop = Shop::start(engine);
        let tokens = shop.connect();
        assert_eq!(shop.revoke(&tokens.access).status, 200);
        assert!(!shop.works(&tokens.access));
        assert_eq!(shop.refresh(&tokens.refresh).status, 200);
    }

    fn rfc7009_2_1_a_client_can_neither_revoke_nor_detect_a_token_of_another(engine) {
        let shop = Shop::start(engine);
        let other = shop.other();
        let tokens = shop.connect();
        for token in [&tokens.access, &tokens.refresh] {
            let form = fields(&[
                ("token", token),
                ("client_id", &other.client_id),
                ("client_secret", &other.client_secret),
            ]);
            let reply = shop.post(PATH, &[], &form);
            assert_eq!((reply.status, reply.text.as_str()), (200, "{}"));
        }
        assert!(shop.works(&tokens.access));
        assert_eq!(shop.refresh(&tokens.refresh).status, 200);
    }
}

#[test]
fn rfc7009_2_2_an_unknown_token_counts_as_revoked() {
    let shop = shop();
    let tokens = shop.connect();
    for token in ["x", "gb_access_", &format!("{}x", tokens.access), &tokens.refresh.to_uppercase()]
    {
        let reply = shop.revoke(token);
        assert_eq!((reply.status, reply.text.as_str()), (200, "{}"), "{token}");
    }
    assert!(shop.works(&tokens.access));
}

#[test]
fn rfc7009_2_2_a_token_can_be_revoked_again() {
    let shop = shop();
    let tokens = shop.connect();
    for token in [&tokens.refresh, &tokens.refresh, &tokens.access] {
        assert_eq!(shop.revoke(token).status, 200);
    }
}

#[test]
fn rfc7009_2_1_a_used_refresh_token_ends_its_grant_as_well() {
    let shop = shop();
    let tokens = shop.connect();
    let next = crate::help::Tokens::of(&shop.refresh(&tokens.refresh));
    assert_eq!(shop.revoke(&tokens.refresh).status, 200);
    assert!(!shop.works(&next.access));
}

#[test]
fn rfc7009_2_1_a_wrong_hint_is_ignored() {
    let shop = shop();
    for (hint, refresh) in
        [("access_token", true), ("refresh_token", false), ("nonsense", true), ("", true)]
    {
        let tokens = shop.connect();
        let token = if refresh { &tokens.refresh } else { &tokens.access };
        let form = fields(&[
            ("token", token),
            ("token_type_hint", hint),
            ("client_id", &shop.id),
            ("client_secret", &shop.secret),
        ]);
        assert_eq!(shop.post(PATH, &[], &form).status, 200, "{hint}");
        assert!(!shop.works(&tokens.access), "{hint}");
    }
}

#[test]
fn rfc7009_2_1_the_token_is_required_once() {
    let shop = shop();
    let form = fields(&[("client_id", &shop.id), ("client_secret", &shop.secret)]);
    assert_eq!(error(&shop.post(PATH, &[], &form)), invalid_request());
    let mut twice = form;
    twice.extend(fields(&[("token", "x"), ("token", "y")]));
    assert_eq!(error(&shop.post(PATH, &[], &twice)), invalid_request());
}

#[test]
fn rfc7009_2_1_the_client_authenticates_with_basic_or_in_the_body() {
    let shop = shop();
    let tokens = shop.connect();
    let form = fields(&[("token", &tokens.refresh)]);
    assert_eq!(error(&shop.post(PATH, &[], &form)), (401, "invalid_client".into()));
    let wrong =
        with(with(form.clone(), "client_id", Some(&shop.id)), "client_secret", Some("wrong"));
    assert_eq!(error(&shop.post(PATH, &[], &wrong)), (401, "invalid_client".into()));
    assert!(shop.works(&tokens.access));
    assert_eq!(
        shop.post(PATH, &[("authorization", &basic(&shop.id, &shop.secret))], &form).status,
        200
    );
    assert!(!shop.works(&tokens.access));
}

#[test]
fn rfc7009_2_only_a_form_by_post_is_read() {
    let shop = shop();
    let reply = shop.server.send("GET", PATH, &[], None);
    assert_eq!(
        (reply.status, reply.header("allow"), reply.header("content-type")),
        (405, Some("POST"), Some("application/json"))
    );
    let json = shop.server.send(
        "POST",
        PATH,
        &[("content-type", "application/json")],
        Some(b"{\"token\":\"x\"}"),
    );
    assert_eq!(error(&json), invalid_request());
    let tokens = shop.connect();
    let in_address = format!(
        "{PATH}?token={}&client_id={}&client_secret={}",
        tokens.refresh, shop.id, shop.secret
    );
    assert_eq!(error(&shop.post(&in_address, &[], &Vec::new())), invalid_request());
    assert!(shop.works(&tokens.access));
}
