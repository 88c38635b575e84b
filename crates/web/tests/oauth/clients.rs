//! Registration of applications: validation, ids and secrets.

use crate::help::{CALLBACK, Shop};
use service::{
    Environment, Error,
    environment::Clock,
    oauth::clients::{self, NewClient, Registered},
};
use store::keys::Scopes;
use testing::on_both_engines;

fn good() -> NewClient {
    let scopes = Scopes { read: true, write: false, file: false };
    NewClient {
        name: "Shop".into(),
        redirect_uris: vec![CALLBACK.into()],
        scopes,
        id: None,
        secret: None,
    }
}

fn try_register(shop: &Shop, new: &NewClient) -> Result<Registered, Error> {
    let (new, now) = (new.clone(), shop.server.clock.now());
    shop.server.store.write_blocking(move |tx| clients::register(tx, &Environment::at(now), &new))
}

on_both_engines! {
    fn rfc6749_2_registrations_are_validated(engine) {
        let shop = Shop::start(engine);
        let bad = [
            ("/name", NewClient { name: " ".into(), ..good() }),
            ("/name", NewClient { name: "a\nb".into(), ..good() }),
            ("/redirectUris", NewClient { redirect_uris: vec![], ..good() }),
            (
                "/redirectUris",
                NewClient { redirect_uris: vec!["http://shop.example.com/".into()], ..good() },
            ),
            (
                "/scopes",
                NewClient { scopes: Scopes { read: false, write: false, file: false }, ..good() },
            ),
            ("/clientId", NewClient { id: Some(String::new()), ..good() }),
            ("/clientId", NewClient { id: Some("x".repeat(256)), ..good() }),
            ("/clientId", NewClient { id: Some(shop.id.clone()), ..good() }),
            (
                "/clientSecret",
                NewClient { secret: Some("a long secret with a \0 inside".into()), ..good() },
            ),
            ("/clientSecret", NewClient { secret: Some("x".repeat(256)), ..good() }),
        ];
        for (pointer, new) in bad {
            match try_register(&shop, &new) {
                Err(Error::Invalid(faults)) => assert_eq!(faults[0].path, pointer, "{new:?}"),
                _ => panic!("{new:?} should be rejected at {pointer}"),
            }
        }
        assert_eq!(shop.rows("oauth_clients"), 1);
    }

    fn rfc6749_2_2_ids_are_unique_and_secrets_are_not_guessed(engine) {
        let shop = Shop::start(engine);
        let (one, other) =
            (try_register(&shop, &good()).unwrap(), try_register(&shop, &good()).unwrap());
        assert!(one.client_id != other.client_id && one.client_secret != other.client_secret);
        assert!(one.client_id.starts_with("gb_client_") && one.client_secret.len() == 10 + 43 + 6);
    }
}
