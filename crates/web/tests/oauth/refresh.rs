//! Refresh tokens: rotation on each use; reuse revokes the grant.

use crate::help::{ANNA, Shop, Tokens, error, fields, invalid_grant, invalid_request, names, with};
use testing::{Engine, on_both_engines};

const DAY: i64 = 24 * 3600;

fn shop() -> Shop {
    Shop::start(Engine::Sqlite)
}

on_both_engines! {
    fn rfc6749_6_a_refresh_gives_new_tokens(engine) {
        let shop = Shop::start(engine);
        let first = shop.connect();
        let reply = shop.refresh(&first.refresh);
        assert_eq!(
            names(&reply.json()),
            ["access_token", "token_type", "expires_in", "refresh_token", "scope"]
        );
        assert_eq!(
            (&reply.json()["scope"], &reply.json()["expires_in"]),
            (&"read write".into(), &3600.into())
        );
        let second = Tokens::of(&reply);
        assert!(second.access != first.access && second.refresh != first.refresh);
        assert!(shop.works(&second.access));
    }

    fn rfc9700_4_14_2_a_refresh_token_is_used_once_and_reuse_ends_the_grant(engine) {
        let shop = Shop::start(engine);
        let first = shop.connect();
        let second = Tokens::of(&shop.refresh(&first.refresh));
        assert_eq!(error(&shop.refresh(&first.refresh)), invalid_grant());
        assert!(!shop.works(&first.access) && !shop.works(&second.access));
        assert_eq!(error(&shop.refresh(&second.refresh)), invalid_grant());
        let reuse = ("token_reused".to_owned(), "Example Shop".to_owned());
        assert_eq!(shop.events(ANNA).iter().filter(|event| **event == reuse).count(), 1);
    }

    fn rfc9700_4_14_2_reuse_is_noticed_however_deep_in_the_chain(engine) {
        let shop = Shop::start(engine);
        let first = shop.connect();
        let mut last = first.clone();
        for _ in 0..5 {
            last = Tokens::of(&shop.refresh(&last.refresh));
        }
        assert_eq!(error(&shop.refresh(&first.refresh)), invalid_grant());
        assert!(!shop.works(&last.access));
        assert_eq!(error(&shop.refresh(&last.refresh)), invalid_grant());
    }

    fn rfc9700_4_14_2_reuse_leaves_other_grants_alone(engine) {
        let shop = Shop::start(engine);
        shop.server.account_of("bob@example.com", "NL", store::accounts::Plan::Starter);
        let (one, other) = (shop.connect(), shop.connect());
        let bob = Tokens::of(&shop.exchange(&shop.code_for(&shop.id, "bob@example.com", "read")));
        let _ = shop.refresh(&one.refresh);
        assert_eq!(error(&shop.refresh(&one.refresh)), invalid_grant());
        assert!(!shop.works(&one.access) && shop.works(&other.access) && shop.works(&bob.access));
        assert_eq!(shop.refresh(&other.refresh).status, 200);
        assert_eq!(shop.refresh(&bob.refresh).status, 200);
    }

    fn rfc6749_6_a_refresh_token_is_bound_to_its_client(engine) {
        let shop = Shop::start(engine);
        let other = shop.other();
        let tokens = shop.connect();
        let stolen = |token: &str| {
            let fields = with(
                with(shop.refresh_fields(token), "client_id", Some(&other.client_id)),
                "client_secret",
                Some(&other.client_secret),
            );
            error(&shop.token(&fields))
        };
        assert_eq!(stolen(&tokens.refresh), invalid_grant());
        let next = Tokens::of(&shop.refresh(&tokens.refresh));
        // Reuse by another client revokes nothing either.
        assert_eq!(stolen(&tokens.refresh), invalid_grant());
        assert!(shop.works(&next.access));
    }

    fn a_refresh_token_lives_90_days_from_its_issue(engine) {
        let shop = Shop::start(engine);
        let (early, late) = (shop.connect(), shop.connect());
        shop.after(90 * DAY - 1);
        let next = Tokens::of(&shop.refresh(&early.refresh));
        shop.after(90 * DAY);
        assert_eq!(error(&shop.refresh(&late.refresh)), invalid_grant());
        shop.after(180 * DAY - 2);
        assert_eq!(shop.refresh(&next.refresh).status, 200);
    }

    fn a_grant_ends_a_year_after_the_consent_however_often_it_is_refreshed(engine) {
        let shop = Shop::start(engine);
        let mut last = shop.connect();
        for quarter in 1..=4 {
            shop.after(quarter * 89 * DAY);
            last = Tokens::of(&shop.refresh(&last.refresh));
        }
        shop.after(365 * DAY - 600);
        let reply = shop.refresh(&last.refresh);
        assert_eq!(reply.json()["expires_in"], 600);
        let tokens = Tokens::of(&reply);
        assert!(shop.works(&tokens.access));
        shop.after(365 * DAY);
        assert!(!shop.works(&tokens.access));
        assert_eq!(error(&shop.refresh(&tokens.refresh)), invalid_grant());
    }
}

#[test]
fn rfc6749_6_the_refresh_token_is_required() {
    let shop = shop();
    assert_eq!(
        error(&shop.token(&with(shop.refresh_fields("x"), "refresh_token", None))),
        invalid_request()
    );
}

#[test]
fn rfc6749_5_2_an_unknown_refresh_token_is_an_invalid_grant() {
    let shop = shop();
    let tokens = shop.connect();
    for token in
        ["x", &tokens.access, &tokens.refresh.to_lowercase(), &format!("{}x", tokens.refresh)]
    {
        assert_eq!(error(&shop.refresh(token)), invalid_grant(), "{token}");
    }
    assert_eq!(shop.refresh(&tokens.refresh).status, 200);
}

#[test]
fn rfc6749_6_the_client_authenticates_at_a_refresh_too() {
    let shop = shop();
    let tokens = shop.connect();
    let bare = fields(&[("grant_type", "refresh_token"), ("refresh_token", &tokens.refresh)]);
    assert_eq!(error(&shop.token(&bare)), (401, "invalid_client".into()));
    assert_eq!(shop.refresh(&tokens.refresh).status, 200);
}

#[test]
fn rfc6749_6_a_narrower_scope_limits_the_access_token_but_not_the_refresh_token() {
    let shop = shop();
    let tokens = shop.connect();
    let reply = shop.token(&with(shop.refresh_fields(&tokens.refresh), "scope", Some("read")));
    assert_eq!(reply.json()["scope"], "read");
    let narrow = Tokens::of(&reply);
    assert_eq!(shop.get(&narrow.access).json()["scopes"].to_string(), "[\"read\"]");
    assert_eq!(shop.refresh(&narrow.refresh).json()["scope"], "read write");
}

#[test]
fn rfc6749_6_a_wider_scope_is_rejected_and_uses_up_no_token() {
    let shop = shop();
    let tokens = Tokens::of(&shop.exchange(&shop.code("read")));
    for scope in ["write", "read write", "admin", "read  "] {
        let reply = shop.token(&with(shop.refresh_fields(&tokens.refresh), "scope", Some(scope)));
        assert_eq!(error(&reply), (400, "invalid_scope".into()), "{scope}");
    }
    assert_eq!(shop.refresh(&tokens.refresh).status, 200);
}

#[test]
fn rfc9700_2_3_tokens_of_one_kind_are_not_accepted_as_another() {
    let shop = shop();
    let key = shop.server.key(ANNA, true, true);
    let (tokens, code) = (shop.connect(), shop.code("read"));
    for wrong in [&tokens.access, &code, &key, &shop.secret] {
        assert_eq!(error(&shop.refresh(wrong)), invalid_grant(), "{wrong}");
    }
    for wrong in [&tokens.access, &tokens.refresh, &key, &shop.secret] {
        assert_eq!(error(&shop.exchange(wrong)), invalid_grant(), "{wrong}");
    }
    for wrong in [&tokens.refresh, &code, &shop.secret] {
        assert_eq!(shop.get(wrong).code(), "invalid_token", "{wrong}");
    }
    for wrong in [&tokens.access, &tokens.refresh, &code, &shop.secret] {
        assert_eq!(shop.server.get(wrong, "/api/v1/account").code(), "invalid_api_key", "{wrong}");
    }
}
