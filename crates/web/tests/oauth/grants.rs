//! Connected applications: listed, disconnected, ended with their application or account, forgotten when they expired.

use crate::help::{ANNA, Shop, Tokens, error, invalid_grant, register};
use service::{
    Environment, Error,
    environment::{Clock, Visitor},
    oauth::{
        self, clients,
        grants::{self, Connected},
    },
};
use store::{accounts::Plan, keys::Scopes};
use testing::{Raw, on_both_engines};

const DAY: i64 = 24 * 3600;

fn connected(shop: &Shop, email: &str) -> Vec<Connected> {
    let (account, now) = (shop.server.owner(email).actor.account, shop.server.clock.now());
    shop.server.write(move |tx| grants::list(tx, &Environment::at(now), account))
}

fn disconnect(shop: &Shop, email: &str, id: &str) -> Result<(), Error> {
    let (account, now, id) = (shop.server.owner(email).actor.account, shop.server.clock.now(), id.to_owned());
    shop.server.store.write_blocking(move |tx| {
        let env = Environment::at(now).from_client(Visitor::new("192.0.2.1", ""));
        grants::disconnect(tx, &env, account, &id)
    })
}

fn sweep(shop: &Shop, limit: i64) -> i64 {
    let now = shop.server.clock.now();
    shop.server.write(move |tx| oauth::sweep(tx, &Environment::at(now), limit))
}

on_both_engines! {
    fn disconnected_an_application_stops_at_once(engine) {
        let shop = Shop::start(engine);
        let (first, second) = (shop.connect(), Tokens::of(&shop.exchange(&shop.code("read"))));
        let waiting = shop.code("read");
        let listed = connected(&shop, ANNA);
        assert_eq!(listed.len(), 1);
        assert_eq!((listed[0].client_name.as_str(), listed[0].client_id.as_str(), listed[0].scopes), ("Example Shop", shop.id.as_str(), Scopes { read: true, write: true, file: false }));
        disconnect(&shop, ANNA, &listed[0].id).unwrap();
        assert!(!shop.works(&first.access) && !shop.works(&second.access));
        for refresh in [&first.refresh, &second.refresh] {
            assert_eq!(error(&shop.refresh(refresh)), invalid_grant());
        }
        // A code that was under way is no way back.
        assert_eq!(error(&shop.exchange(&waiting)), invalid_grant());
        assert_eq!(connected(&shop, ANNA), []);
        assert!(shop.events(ANNA).contains(&("application_disconnected".to_owned(), "Example Shop".to_owned())));
        assert!(matches!(disconnect(&shop, ANNA, &listed[0].id), Err(Error::NotFound(_))));
    }

    fn webhooks_of_an_application_end_with_it(engine) {
        type Ending = fn(&Shop, &Tokens);
        let endings: [(&str, Ending); 4] = [
            ("disconnected", |shop, _| disconnect(shop, ANNA, &connected(shop, ANNA)[0].id).unwrap()),
            ("revoked", |shop, tokens| assert_eq!(shop.revoke(&tokens.refresh).status, 200)),
            ("used again", |shop, tokens| {
                assert_eq!(shop.refresh(&tokens.refresh).status, 200);
                assert_eq!(error(&shop.refresh(&tokens.refresh)), invalid_grant());
            }),
            ("removed", |shop, _| {
                let (id, now) = (shop.id.clone(), shop.server.clock.now());
                shop.server.write(move |tx| clients::remove(tx, &Environment::at(now), &id));
            }),
        ];
        for (how, end) in endings {
            let shop = Shop::start(engine);
            let tokens = shop.connect();
            let (bearer, key) = (format!("Bearer {}", tokens.access), shop.server.key(ANNA, true, true));
            let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
            let made = shop.server.send("POST", "/api/v1/webhooks", &headers, Some(br#"{"url": "https://shop.example/hooks"}"#));
            assert_eq!(made.status, 201, "{}", made.text);
            let kept = shop.server.post(&key, "/api/v1/webhooks", &serde_json::json!({"url": "https://own.example/hooks"}));
            assert_eq!(kept.status, 201, "{}", kept.text);
            end(&shop, &tokens);
            let shown = |id: i64| shop.server.get(&key, &format!("/api/v1/webhooks/{id}")).json();
            assert_eq!((&shown(1)["enabled"], &shown(1)["disabledBecause"]), (&false.into(), &"disconnected".into()), "{how}");
            assert_eq!(shown(2)["enabled"], true, "{how}");
        }
    }

    fn nobody_disconnects_anothers_applications(engine) {
        let shop = Shop::start(engine);
        shop.server.account_of("bob@example.com", "NL", Plan::Starter);
        let tokens = shop.connect();
        let id = connected(&shop, ANNA)[0].id.clone();
        assert!(matches!(disconnect(&shop, "bob@example.com", &id), Err(Error::NotFound(_))));
        assert_eq!(connected(&shop, "bob@example.com"), []);
        assert!(shop.works(&tokens.access));
    }

    fn disconnecting_one_application_leaves_the_others(engine) {
        let shop = Shop::start(engine);
        let other = shop.other();
        let mine = shop.connect();
        shop.after(1);
        let code = shop.code_for(&other.client_id, ANNA, "read");
        let fields = crate::help::with(crate::help::with(shop.exchange_fields(&code), "client_id", Some(&other.client_id)), "client_secret", Some(&other.client_secret));
        let others = Tokens::of(&shop.token(&fields));
        let listed = connected(&shop, ANNA);
        assert_eq!(listed.iter().map(|connected| connected.client_name.as_str()).collect::<Vec<_>>(), ["Example Shop", "Other"]);
        disconnect(&shop, ANNA, &listed[0].id).unwrap();
        assert!(!shop.works(&mine.access) && shop.works(&others.access));
    }

    fn an_application_that_is_removed_takes_its_grants_along(engine) {
        let shop = Shop::start(engine);
        let tokens = shop.connect();
        let (code, id) = (shop.code("read"), shop.id.clone());
        let now = shop.server.clock.now();
        shop.server.write(move |tx| clients::remove(tx, &Environment::at(now), &id));
        assert!(!shop.works(&tokens.access));
        assert_eq!(error(&shop.refresh(&tokens.refresh)), (401, "invalid_client".into()));
        assert_eq!(error(&shop.exchange(&code)), (401, "invalid_client".into()));
        for table in ["oauth_clients", "oauth_redirect_uris", "oauth_grants", "oauth_codes", "oauth_access_tokens", "oauth_refresh_tokens"] {
            assert_eq!(shop.rows(table), 0, "{table}");
        }
    }

    fn with_a_new_secret_the_old_one_is_dead_and_tokens_live_on(engine) {
        let shop = Shop::start(engine);
        let tokens = shop.connect();
        let (id, now) = (shop.id.clone(), shop.server.clock.now());
        let renewed = shop.server.write(move |tx| clients::rotate_secret(tx, &Environment::at(now), &id));
        assert_eq!(error(&shop.refresh(&tokens.refresh)), (401, "invalid_client".into()));
        assert!(shop.works(&tokens.access));
        let fields = crate::help::with(shop.refresh_fields(&tokens.refresh), "client_secret", Some(&renewed.client_secret));
        assert_eq!(shop.token(&fields).status, 200);
    }

    fn a_closed_accounts_tokens_are_dead(engine) {
        let shop = Shop::start(engine);
        let (tokens, code) = (shop.connect(), shop.code("read"));
        let closed = if Raw::open(&shop.server.database).is_postgres() { "'2026-03-15T11:00:00Z'" } else { "1773572400000000" };
        Raw::open(&shop.server.database).run(&format!("UPDATE accounts SET closed_at = {closed}")).unwrap();
        assert!(!shop.works(&tokens.access));
        assert_eq!(error(&shop.refresh(&tokens.refresh)), invalid_grant());
        assert_eq!(error(&shop.exchange(&code)), invalid_grant());
    }

    fn what_has_expired_is_forgotten_in_small_batches(engine) {
        let shop = Shop::start(engine);
        for _ in 0..5 {
            let _ = shop.connect();
        }
        let tables = || ["oauth_codes", "oauth_access_tokens", "oauth_refresh_tokens", "oauth_grants"].map(|table| shop.rows(table));
        assert_eq!((sweep(&shop, 100), tables()), (0, [5, 5, 5, 5]));
        // Codes are remembered for a day, so that a second use is noticed.
        shop.after(DAY);
        assert_eq!((sweep(&shop, 3), tables()), (3, [5, 2, 5, 5]));
        assert_eq!((sweep(&shop, 3), tables()), (2, [5, 0, 5, 5]));
        shop.after(DAY + 60);
        assert_eq!((sweep(&shop, 100), tables()), (5, [0, 0, 5, 5]));
        assert_eq!(connected(&shop, ANNA).len(), 1);
        shop.after(90 * DAY);
        assert_eq!(connected(&shop, ANNA), []);
        assert_eq!((sweep(&shop, 100), tables()), (5, [0, 0, 0, 5]));
        shop.after(365 * DAY);
        assert_eq!((sweep(&shop, 3), tables()), (3, [0, 0, 0, 2]));
        assert_eq!((sweep(&shop, 3), sweep(&shop, 3), tables()), (2, 0, [0, 0, 0, 0]));
    }

    fn connecting_is_written_down_for_the_owner(engine) {
        let shop = Shop::start(engine);
        let _ = shop.connect();
        assert!(shop.events(ANNA).contains(&("application_connected".to_owned(), "Example Shop".to_owned())));
        register(&shop.server, "Unused", "https://unused.example.com/", Scopes { read: true, write: false, file: false });
        assert_eq!(connected(&shop, ANNA).len(), 1);
    }
}
