//! Allowed webhook targets (SSRF protection): no webhook makes the server call an internal address,
//! even if the name resolves to another address later (DNS rebinding).

use crate::access::webhooks::webhook;
use serde_json::json;
use service::access::webhook_targets::WebhookTargets;
use std::{
    future::Future,
    io,
    net::IpAddr,
    pin::Pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};
use testing::{Engine, Receiver, Server, on_both_engines};
use web::{Resolve, WebhookSender};

const EMAIL: &str = "anna@example.com";

/// Answers to successive lookups of a name, each a list of addresses; the last answer repeats.
type InTurn = Vec<Vec<IpAddr>>;

/// Resolver with fixed answers that counts its lookups.
#[derive(Default)]
struct Names {
    answers: Mutex<Vec<(&'static str, InTurn)>>,
    lookups: AtomicUsize,
}

impl Resolve for Names {
    fn resolve<'r>(
        &'r self,
        name: &'r str,
    ) -> Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'r>> {
        self.lookups.fetch_add(1, Ordering::SeqCst);
        let mut answers = self.answers.lock().unwrap();
        let addresses =
            answers.iter_mut().find(|(candidate, _)| *candidate == name).map(|(_, in_turn)| {
                match in_turn.len() {
                    1 => in_turn[0].clone(),
                    _ => in_turn.remove(0),
                }
            });
        Box::pin(async move { addresses.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound)) })
    }
}

fn server(engine: Engine, allow_private: bool, names: &Arc<Names>) -> Server {
    let names = Arc::clone(names);
    Server::start_set(engine, move |config| {
        config.webhooks = WebhookSender::new(WebhookTargets { allow_private }).with_resolver(names);
    })
}

fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

on_both_engines! {
    fn targets_that_need_no_lookup_are_checked_at_creation(engine) {
        let names = Arc::new(Names::default());
        let server = server(engine, false, &names);
        let key = server.account(EMAIL);
        for url in [
            "http://shop.example/",
            "https://localhost/",
            "https://127.0.0.1/",
            "https://0x7f000001/",
            "https://[::1]/",
            "https://10.0.0.1/",
            "https://169.254.169.254/latest/meta-data/",
            "https://[::ffff:169.254.169.254]/",
            "https://user@shop.example/",
        ] {
            let refused = server.post(&key, "/api/v1/webhooks", &json!({"url": url}));
            assert_eq!(
                (refused.status, &refused.json()["errors"][0]["pointer"]),
                (422, &json!("/url")),
                "{url}: {}",
                refused.text
            );
        }
        // A name that does not resolve yet is checked at delivery.
        webhook(&server, &key, "https://not-yet.example/", &[]);
        assert_eq!(names.lookups.load(Ordering::SeqCst), 0);
    }

    fn a_name_is_checked_by_the_address_that_it_connects_to(engine) {
        let names = Arc::new(Names::default());
        let receiver = Receiver::start();
        let server = server(engine, false, &names);
        let key = server.account(EMAIL);
        let leads = |name: &'static str, answers: Vec<Vec<IpAddr>>| {
            names.answers.lock().unwrap().push((name, answers))
        };
        leads("own.example", vec![vec![ip("127.0.0.1")]]);
        leads("own6.example", vec![vec![ip("::1"), ip("::ffff:127.0.0.1")]]);
        leads("cloud.example", vec![vec![ip("169.254.169.254"), ip("fd00:ec2::254")]]);
        leads("none.example", vec![vec![]]);
        // First an address of TEST-NET-1 (RFC 5737), where no host answers; then this machine.
        leads("rebound.example", vec![vec![ip("192.0.2.1")], vec![ip("127.0.0.1")]]);
        for name in [
            "own.example",
            "own6.example",
            "cloud.example",
            "none.example",
            "rebound.example",
            "unknown.example",
        ] {
            webhook(
                &server,
                &key,
                &format!("https://{name}:{}/", receiver.port()),
                &["contact.created"],
            );
        }
        assert_eq!(server.post(&key, "/api/v1/contacts", &json!({"name": "One"})).status, 201);
        for moment in ["2026-03-15T11:00:00Z", "2026-03-15T11:00:05Z", "2026-03-15T11:00:25Z"] {
            server.clock.set(moment);
            server.deliver_webhooks();
        }
        assert_eq!(receiver.connections(), 0);
        assert_eq!(names.lookups.load(Ordering::SeqCst), 18, "one lookup per name and attempt");
        for id in 1..=6 {
            let delivery =
                server.get(&key, &format!("/api/v1/webhooks/{id}/deliveries")).json()["data"][0]
                    .clone();
            assert_eq!(
                (&delivery["attempts"], &delivery["responseStatus"]),
                (&json!(3), &json!(null)),
                "{delivery}"
            );
            assert!(delivery["error"].as_str().unwrap().starts_with("the name "), "{delivery}");
        }
    }

    fn the_operator_can_allow_private_but_not_link_local_addresses(engine) {
        let names = Arc::new(Names::default());
        let receiver = Receiver::start();
        let server = server(engine, true, &names);
        let key = server.account(EMAIL);
        names.answers.lock().unwrap().push(("cloud.example", vec![vec![ip("169.254.169.254")]]));
        // The first address is not allowed, the second is.
        names
            .answers
            .lock()
            .unwrap()
            .push(("own.example", vec![vec![ip("169.254.169.254"), ip("127.0.0.1")]]));
        for name in ["cloud.example", "own.example"] {
            webhook(
                &server,
                &key,
                &format!("http://{name}:{}/", receiver.port()),
                &["contact.created"],
            );
        }
        assert_eq!(
            server
                .post(&key, "/api/v1/webhooks", &json!({"url": "http://169.254.169.254/"}))
                .status,
            422
        );
        assert_eq!(server.post(&key, "/api/v1/contacts", &json!({"name": "One"})).status, 201);
        server.deliver_webhooks();
        let received = receiver.take();
        assert_eq!(
            (received.len(), received[0].header("host")),
            (1, format!("own.example:{}", receiver.port()).as_str())
        );
        // The receiver is gone by the time of the delivery, so there is no response.
        webhook(
            &server,
            &key,
            &format!("https://own.example:{}/", receiver.port()),
            &["contact.updated"],
        );
        let edited = server.send(
            "PATCH",
            "/api/v1/contacts/1",
            &[("x-api-key", &key), ("content-type", "application/json")],
            Some(br#"{"name": "Two"}"#),
        );
        assert_eq!(edited.status, 200);
        drop(receiver);
        server.deliver_webhooks();
        let delivery = server.get(&key, "/api/v1/webhooks/3/deliveries").json()["data"][0].clone();
        assert_eq!(delivery["responseStatus"], json!(null), "{delivery}");
    }
}
