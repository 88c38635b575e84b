//! Connected applications: list, disconnection, removal, closed accounts, expiry.

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

fn connections(shop: &Shop, email: &str) -> Vec<Connected> {
    let (account, now) = (shop.server.owner(email).actor.account, shop.server.clock.now());
    shop.server.write(move |tx| grants::list(tx, &Environment::at(now), account))
}

fn disconnect(shop: &Shop, email: &str, id: &str) -> Result<(), Error> {
    let (account, now, id) =
        (shop.server.owner(email).actor.account, shop.server.clock.now(), id.to_owned());
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
    fn a_disconnected_application_loses_access_at_once(engine) {
        let shop = Shop::start(engine);
        let (first, second) = (shop.connect(), Tokens::of(&shop.exchange(&shop.code("read"))));
        let waiting = shop.code("read");
        let applications = connections(&shop, ANNA);
        assert_eq!(applications.len(), 1);
        assert_eq!(
            (
                applications[0].client_name.as_str(),
                applications[0].client_id.as_str(),
                applications[0].scopes
            ),
            ("Example Shop", shop.id.as_str(), Scopes { read: true, write: true, file: false })
        );
        disconnect(&shop, ANNA, &applications[0].id).unwrap();
        assert!(!shop.works(&first.access) && !shop.works(&second.access));
        for refresh in [&first.refresh, &second.refresh] {
            assert_eq!(error(&shop.refresh(refresh)), invalid_grant());
        }
        // A pending code cannot restore access.
        assert_eq!(error(&shop.exchange(&waiting)), invalid_grant());
        assert_eq!(connections(&shop, ANNA), []);
        assert!(
            shop.events(ANNA)
                .contains(&("application_disconnected".to_owned(), "Example Shop".to_owned()))
        );
        assert!(matches!(disconnect(&shop, ANNA, &applications[0].id), Err(Error::NotFound(_))));
    }

    fn webhooks_of_an_application_end_with_it(engine) {
        type Ending = fn(&Shop, &Tokens);
        let endings: [(&str, Ending); 4] = [
            ("disconnected", |shop, _| {
                disconnect(shop, ANNA, &connections(shop, ANNA)[0].id).unwrap()
            }),
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
            let (bearer, key) =
                (format!("Bearer {}", tokens.access), shop.server.key(ANNA, true, true));
            let headers =
                [("authorization", bearer.as_str()), ("content-type", "application/json")];
            let created = shop.server.send(
                "POST",
                "/api/v1/webhooks",
                &headers,
                Some(br#"{"url": "https://shop.example/hooks"}"#),
            );
            assert_eq!(created.status, 201, "{}", created.text);
            let own = shop.server.post(
                &key,
                "/api/v1/webhooks",
                &serde_json::json!({"url": "https://own.example/hooks"}),
            );
            assert_eq!(own.status, 201, "{}", own.text);
            end(&shop, &tokens);
            let webhook = |id: i64| shop.server.get(&key, &format!("/api/v1/webhooks/{id}")).json();
            assert_eq!(
                (&webhook(1)["enabled"], &webhook(1)["disabledBecause"]),
                (&false.into(), &"disconnected".into()),
                "{how}"
            );
            assert_eq!(webhook(2)["enabled"], true, "{how}");
        }
    }

    fn users_cannot_disconnect_applications_of_others(engine) {
        let shop = Shop::start(engine);
        shop.server.account_of("bob@example.com", "NL", Plan::Starter);
        let tokens = shop.connect();
        let id = connections(&shop, ANNA)[0].id.clone();
        assert!(matches!(disconnect(&shop, "bob@example.com", &id), Err(Error::NotFound(_))));
        assert_eq!(connections(&shop, "bob@example.com"), []);
        assert!(shop.works(&tokens.access));
    }

    fn disconnecting_one_application_leaves_the_others(engine) {
        let shop = Shop::start(engine);
        let other = shop.other();
        let mine = shop.connect();
        shop.after(1);
        let code = shop.code_for(&other.client_id, ANNA, "read");
        let fields = crate::help::with(
            crate::help::with(shop.exchange_fields(&code), "client_id", Some(&other.client_id)),
            "client_secret",
            Some(&other.client_secret),
        );
        let others = Tokens::of(&shop.token(&fields));
        let applications = connections(&shop, ANNA);
        assert_eq!(
            applications
                .iter()
                .map(|application| application.client_name.as_str())
                .collect::<Vec<_>>(),
            ["Example Shop", "Other"]
        );
        disconnect(&shop, ANNA, &applications[0].id).unwrap();
        assert!(!shop.works(&mine.access) && shop.works(&others.access));
    }

    fn removing_an_application_deletes_its_grants(engine) {
        let shop = Shop::start(engine);
        let tokens = shop.connect();
        let (code, id) = (shop.code("read"), shop.id.clone());
        let now = shop.server.clock.now();
        shop.server.write(move |tx| clients::remove(tx, &Environment::at(now), &id));
        assert!(!shop.works(&tokens.access));
        assert_eq!(error(&shop.refresh(&tokens.refresh)), (401, "invalid_client".into()));
        assert_eq!(error(&shop.exchange(&code)), (401, "invalid_client".into()));
        for table in [
            "oauth_clients",
            "oauth_redirect_uris",
            "oauth_grants",
            "oauth_codes",
            "oauth_access_tokens",
            "oauth_refresh_tokens",
        ] {
            assert_eq!(shop.rows(table), 0, "{table}");
        }
    }

    fn a_new_secret_replaces_the_old_one_and_keeps_the_tokens(engine) {
        let shop = Shop::start(engine);
        let tokens = shop.connect();
        let (id, now) = (shop.id.clone(), shop.server.clock.now());
        let registration =
            shop.server.write(move |tx| clients::rotate_secret(tx, &Environment::at(now), &id));
        assert_eq!(error(&shop.refresh(&tokens.refresh)), (401, "invalid_client".into()));
        assert!(shop.works(&tokens.access));
        let fields = crate::help::with(
            shop.refresh_fields(&tokens.refresh),
            "client_secret",
            Some(&registration.client_secret),
        );
        assert_eq!(shop.token(&fields).status, 200);
    }

    fn closing_an_account_invalidates_its_tokens(engine) {
        let shop = Shop::start(engine);
        let (tokens, code) = (shop.connect(), shop.code("read"));
        let closed_at = if Raw::open(&shop.server.database).is_postgres() {
            "'2026-03-15T11:00:00Z'"
        } else {
            "1773572400000000"
        };
        Raw::open(&shop.server.database)
            .run(&format!("UPDATE accounts SET closed_at = {closed_at}"))
            .unwrap();
        assert!(!shop.works(&tokens.access));
        assert_eq!(error(&shop.refresh(&tokens.refresh)), invalid_grant());
        assert_eq!(error(&shop.exchange(&code)), invalid_grant());
    }

    fn expired_rows_are_deleted_in_small_batches(engine) {
        let shop = Shop::start(engine);
        for _ in 0..5 {
            let _ = shop.connect();
        }
        let tables = || {
            ["oauth_codes", "oauth_access_tokens", "oauth_refresh_tokens", "oauth_grants"]
                .map(|table| shop.rows(table))
        };
        assert_eq!((sweep(&shop, 100), tables()), (0, [5, 5, 5, 5]));
        // Codes are kept for a day, so that a replay is detected.
        shop.after(DAY);
        assert_eq!((sweep(&shop, 3), tables()), (3, [5, 2, 5, 5]));
        assert_eq!((sweep(&shop, 3), tables()), (2, [5, 0, 5, 5]));
        shop.after(DAY + 60);
        assert_eq!((sweep(&shop, 100), tables()), (5, [0, 0, 5, 5]));
        assert_eq!(connections(&shop, ANNA).len(), 1);
        shop.after(90 * DAY);
        assert_eq!(connections(&shop, ANNA), []);
        assert_eq!((sweep(&shop, 100), tables()), (5, [0, 0, 0, 5]));
        shop.after(365 * DAY);
        assert_eq!((sweep(&shop, 3), tables()), (3, [0, 0, 0, 2]));
        assert_eq!((sweep(&shop, 3), sweep(&shop, 3), tables()), (2, 0, [0, 0, 0, 0]));
    }

    fn connecting_is_recorded_for_the_owner(engine) {
        let shop = Shop::start(engine);
        let _ = shop.connect();
        assert!(
            shop.events(ANNA)
                .contains(&("application_connected".to_owned(), "Example Shop".to_owned()))
        );
        register(
            &shop.server,
            "Unused",
            "https://unused.example.com/",
            Scopes { read: true, write: false, file: false },
        );
        assert_eq!(connections(&shop, ANNA).len(), 1);
    }
}
