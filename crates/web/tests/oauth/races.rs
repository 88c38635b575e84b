//! Concurrent requests: one of several equal requests succeeds; a request that loses to a
//! revocation or a removal gets a defined error, never an internal one.

use crate::help::{
    ANNA, CALLBACK, Fields, Shop, Tokens, VERIFIER, error, invalid_grant, parameter,
};
use service::{
    Environment, Error,
    environment::Clock,
    oauth::{
        authorize::{self, Approval, Validated},
        clients, grants,
        tokens::{self, Exchange, Refusal},
    },
    people::data,
};
use std::{
    io::{Read, Write},
    net::TcpStream,
    sync::Barrier,
};
use store::accounts::Plan;
use testing::{Reply, Server, on_both_engines};

const AT_ONCE: usize = 16;

/// Action that returns its outcome in a few words.
type Step<'d> = Box<dyn FnOnce() -> String + Send + 'd>;

/// Runs all steps at the same moment, each on its own thread.
fn at_once<T: Send, D: FnOnce() -> T + Send>(steps: Vec<D>) -> Vec<T> {
    let barrier = &Barrier::new(steps.len());
    std::thread::scope(|scope| {
        let run = |step: D| {
            scope.spawn(move || {
                barrier.wait();
                step()
            })
        };
        let doing: Vec<_> = steps.into_iter().map(run).collect();
        doing.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

fn all_at_once(shop: &Shop, fields: &Fields) -> Vec<Reply> {
    at_once((0..AT_ONCE).map(|_| || shop.token(fields)).collect())
}

/// Tokens of the only successful response; asserts that all other responses are `invalid_grant`.
fn winner(replies: &[Reply]) -> Tokens {
    let (won, lost): (Vec<_>, Vec<_>) = replies.iter().partition(|reply| reply.status == 200);
    assert_eq!(won.len(), 1);
    for reply in lost {
        assert_eq!(error(reply), invalid_grant());
    }
    Tokens::of(won[0])
}

/// `done`, or the status and error code of a response.
fn word(reply: &Reply) -> String {
    if reply.status == 200 {
        "done".into()
    } else {
        format!("{} {}", reply.status, reply.json()["error"].as_str().unwrap_or(""))
    }
}

/// Looks up the connected application at once; the returned closure disconnects it.
fn disconnecting(shop: &Shop) -> impl FnOnce() -> String + use<'_> {
    let (account, now) = (shop.server.owner(ANNA).actor.account, shop.server.clock.now());
    let id =
        shop.server.write(move |tx| grants::list(tx, &Environment::at(now), account))[0].id.clone();
    move || match shop
        .server
        .store
        .write_blocking(move |tx| grants::disconnect(tx, &Environment::at(now), account, &id))
    {
        Ok(()) => "done".into(),
        Err(Error::NotFound("connected application")) => "not connected".into(),
        Err(error) => error.to_string(),
    }
}

fn remove(shop: &Shop) -> Result<(), Error> {
    let (id, now) = (shop.id.clone(), shop.server.clock.now());
    shop.server.store.write_blocking(move |tx| clients::remove(tx, &Environment::at(now), &id))
}

/// Starts a write to the API without its body; the closure sends the body and returns the response.
fn start_write(
    server: &Server,
    credentials: &str,
    path: &str,
    body: &str,
) -> impl FnOnce() -> String + use<> {
    let mut stream = TcpStream::connect(server.address).unwrap();
    let head = format!(
        "POST /api/v1/{path} HTTP/1.1\r\nhost: x\r\n{credentials}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
         expect: 100-continue\r\nconnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut go_on = [0; 25];
    stream.read_exact(&mut go_on).unwrap();
    assert_eq!(&go_on, b"HTTP/1.1 100 Continue\r\n\r\n");
    let body = body.to_owned();
    move || {
        stream.write_all(body.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }
}

on_both_engines! {
    fn rfc6749_10_5_of_16_exchanges_of_a_code_at_once_one_wins_and_its_grant_ends(engine) {
        let shop = Shop::start(engine);
        let code = shop.code("read write");
        let tokens = winner(&all_at_once(&shop, &shop.exchange_fields(&code)));
        assert!(!shop.works(&tokens.access));
        assert_eq!(error(&shop.refresh(&tokens.refresh)), invalid_grant());
        assert_eq!(
            ["oauth_grants", "oauth_access_tokens", "oauth_refresh_tokens"]
                .map(|table| shop.rows(table)),
            [0, 0, 0]
        );
    }

    fn rfc9700_4_14_2_of_16_refreshes_at_once_one_wins_and_the_grant_ends(engine) {
        let shop = Shop::start(engine);
        let first = shop.connect();
        let tokens = winner(&all_at_once(&shop, &shop.refresh_fields(&first.refresh)));
        assert!(!shop.works(&tokens.access) && !shop.works(&first.access));
        assert_eq!(error(&shop.refresh(&tokens.refresh)), invalid_grant());
        assert_eq!(
            ["oauth_grants", "oauth_access_tokens", "oauth_refresh_tokens"]
                .map(|table| shop.rows(table)),
            [0, 0, 0]
        );
        // One security event for the owner.
        assert_eq!(shop.events(ANNA).iter().filter(|(kind, _)| kind == "token_reused").count(), 1);
    }

    fn disconnecting_an_application_wins_over_exchanges_at_the_same_time(engine) {
        let shop = Shop::start(engine);
        for _ in 0..5 {
            shop.connect();
            let mut steps: Vec<Step<'_>> = vec![Box::new(disconnecting(&shop))];
            for code in (0..7).map(|_| shop.code("read")) {
                let shop = &shop;
                steps.push(Box::new(move || word(&shop.exchange(&code))));
            }
            let words = at_once(steps);
            assert_eq!(words[0], "done");
            assert!(
                words[1..]
                    .iter()
                    .all(|word| ["done", "400 invalid_grant"].contains(&word.as_str())),
                "{words:?}"
            );
            assert_eq!(
                ["oauth_grants", "oauth_codes", "oauth_access_tokens", "oauth_refresh_tokens"]
                    .map(|table| shop.rows(table)),
                [0, 0, 0, 0]
            );
        }
    }

    fn refreshing_revoking_and_disconnecting_at_once_end_the_grant_and_none_fails(engine) {
        let shop = Shop::start(engine);
        for _ in 0..5 {
            let tokens = shop.connect();
            let mut steps: Vec<Step<'_>> = vec![Box::new(disconnecting(&shop))];
            for _ in 0..4 {
                steps.push(Box::new(|| word(&shop.refresh(&tokens.refresh))));
                steps.push(Box::new(|| word(&shop.revoke(&tokens.refresh))));
                steps.push(Box::new(|| word(&shop.revoke(&tokens.access))));
            }
            let words = at_once(steps);
            assert!(
                words
                    .iter()
                    .all(|word| ["done", "400 invalid_grant", "not connected"]
                        .contains(&word.as_str())),
                "{words:?}"
            );
            assert_eq!(
                ["oauth_grants", "oauth_access_tokens", "oauth_refresh_tokens"]
                    .map(|table| shop.rows(table)),
                [0, 0, 0]
            );
        }
    }

    fn an_application_removed_after_authentication_gets_invalid_client(engine) {
        let shop = Shop::start(engine);
        let (code, token_pair, now) = (shop.code("read"), shop.connect(), shop.server.clock.now());
        let Validated::Ask(request) = shop.validate(&shop.request("read")) else { panic!() };
        let id = shop.id.clone();
        let client = shop.server.write(move |tx| clients::by_id(tx, &id)).unwrap();
        remove(&shop).unwrap();
        let exchange = Exchange { code, redirect_uri: CALLBACK.into(), verifier: VERIFIER.into() };
        let refusals = shop.server.write(move |tx| {
            let exchanged = tokens::exchange(tx, &Environment::at(now), &client, &exchange)?.err();
            let refreshed =
                tokens::refresh(tx, &Environment::at(now), &client, &token_pair.refresh, None)?
                    .err();
            tokens::revoke(tx, &Environment::at(now), &client, &token_pair.refresh)?;
            Ok([exchanged, refreshed])
        });
        assert_eq!(refusals, [Some(Refusal::InvalidClient), Some(Refusal::InvalidClient)]);
        let approved = shop.server.store.write_blocking(move |tx| {
            let account = &service::accounts::by_email(tx, ANNA)?;
            let approval = Approval {
                account,
                request: &request,
                min_plan: Plan::Starter,
                issuer: "https://x",
            };
            authorize::approve(tx, &Environment::at(now), &approval)
        });
        assert!(matches!(approved, Err(Error::Changed)), "{approved:?}");
    }

    fn requests_of_an_application_during_its_removal_succeed_or_get_invalid_client(engine) {
        let shop = Shop::start(engine);
        let mut steps: Vec<Step<'_>> = vec![Box::new(|| format!("{:?}", remove(&shop)))];
        for _ in 0..5 {
            let (shop, code, tokens, request) =
                (&shop, shop.code("read"), shop.connect(), shop.request("read"));
            steps.push(Box::new(move || word(&shop.exchange(&code))));
            steps.push(Box::new(move || word(&shop.refresh(&tokens.refresh))));
            let Validated::Ask(request) = shop.validate(&request) else { panic!() };
            steps.push(Box::new(move || {
                let now = shop.server.clock.now();
                let approved = shop.server.store.write_blocking(move |tx| {
                    let account = &service::accounts::by_email(tx, ANNA)?;
                    let approval = Approval {
                        account,
                        request: &request,
                        min_plan: Plan::Starter,
                        issuer: "https://x",
                    };
                    authorize::approve(tx, &Environment::at(now), &approval)
                });
                match approved {
                    Ok(address) => {
                        parameter(&address, "code").map_or("no code".into(), |_| "done".into())
                    }
                    Err(Error::Changed) => "401 invalid_client".into(),
                    Err(error) => error.to_string(),
                }
            }));
        }
        let words = at_once(steps);
        assert_eq!(words[0], "Ok(())");
        assert!(
            words[1..].iter().all(|word| ["done", "401 invalid_client"].contains(&word.as_str())),
            "{words:?}"
        );
        assert_eq!(
            ["oauth_clients", "oauth_redirect_uris", "oauth_grants", "oauth_codes"]
                .map(|table| shop.rows(table)),
            [0, 0, 0, 0]
        );
    }

    fn a_write_under_way_gets_401_when_its_account_is_closed(engine) {
        let shop = Shop::start(engine);
        let server = &shop.server;
        let (key, token) = (
            format!("x-api-key: {}", server.key(ANNA, true, true)),
            format!("authorization: Bearer {}", shop.connect().access),
        );
        let invoice =
            r#"{"customer":{"name":"A"},"items":[{"description":"x","unitPrice":1,"vatRate":21}]}"#;
        let endpoints = [
            ("invoices", invoice),
            ("contacts", r#"{"name":"A"}"#),
            ("hours-log", r#"{"date":"2026-03-01","hours":1,"description":"x"}"#),
            ("time-entries", r#"{"projectId":1,"date":"2026-03-01","hours":1,"description":"x"}"#),
            ("invoices/1/payments", r#"{"date":"2026-03-01","amount":1}"#),
            ("invoices/1/credit-notes", "{}"),
        ];
        let begin = |credentials: &str| {
            endpoints.map(|(path, body)| (path, start_write(server, credentials, path, body)))
        };
        let (by_key, by_token) = (begin(&key), begin(&token));
        let (anna, now) = (server.person(ANNA), server.clock.now());
        server.write(move |tx| data::close(tx, &Environment::at(now), anna));
        for (under_way, code, challenge) in [
            (by_key, "invalid_api_key", "ApiKey realm="),
            (by_token, "invalid_token", "error=\"invalid_token\""),
        ] {
            for (path, end) in under_way {
                let answer = end();
                let expected = [" 401 ", code, challenge].iter().all(|part| answer.contains(part));
                assert!(expected, "{path}: {answer}");
            }
        }
    }
}
