//! Where webhooks may lead: nobody can make the server ask what only it can reach, whatever a name says and whenever it says something else.

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

/// What a name leads to the first time, the second time, and so on.
type InTurn = Vec<Vec<IpAddr>>;

/// Names.
#[derive(Default)]
struct Names {
    answers: Mutex<Vec<(&'static str, InTurn)>>,
    asked: AtomicUsize,
}

impl Resolve for Names {
    fn resolve<'r>(&'r self, name: &'r str) -> Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'r>> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let mut answers = self.answers.lock().unwrap();
        let found = answers.iter_mut().find(|(known, _)| *known == name).map(|(_, in_turn)| match in_turn.len() {
            1 => in_turn[0].clone(),
            _ => in_turn.remove(0),
        });
        Box::pin(async move { found.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound)) })
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
    fn what_can_be_judged_is_refused_at_once(engine) {
        let names = Arc::new(Names::default());
        let server = server(engine, false, &names);
        let key = server.account(EMAIL);
        for url in [
            "http://shop.example/", "https://localhost/", "https://127.0.0.1/", "https://0x7f000001/", "https://[::1]/", "https://10.0.0.1/",
            "https://169.254.169.254/latest/meta-data/", "https://[::ffff:169.254.169.254]/", "https://user@shop.example/",
        ] {
            let refused = server.post(&key, "/api/v1/webhooks", &json!({"url": url}));
            assert_eq!((refused.status, &refused.json()["errors"][0]["pointer"]), (422, &json!("/url")), "{url}: {}", refused.text);
        }
        // A name that leads nowhere yet is judged when something is sent.
        webhook(&server, &key, "https://not-yet.example/", &[]);
        assert_eq!(names.asked.load(Ordering::SeqCst), 0);
    }

    fn a_name_is_judged_by_the_address_that_is_connected_to(engine) {
        let names = Arc::new(Names::default());
        let receiver = Receiver::start();
        let server = server(engine, false, &names);
        let key = server.account(EMAIL);
        let leads = |name: &'static str, answers: Vec<Vec<IpAddr>>| names.answers.lock().unwrap().push((name, answers));
        leads("own.example", vec![vec![ip("127.0.0.1")]]);
        leads("own6.example", vec![vec![ip("::1"), ip("::ffff:127.0.0.1")]]);
        leads("cloud.example", vec![vec![ip("169.254.169.254"), ip("fd00:ec2::254")]]);
        leads("none.example", vec![vec![]]);
        // The first time somewhere in documentation, where nobody is; then here.
        leads("rebound.example", vec![vec![ip("192.0.2.1")], vec![ip("127.0.0.1")]]);
        for name in ["own.example", "own6.example", "cloud.example", "none.example", "rebound.example", "unknown.example"] {
            webhook(&server, &key, &format!("https://{name}:{}/", receiver.port()), &["contact.created"]);
        }
        assert_eq!(server.post(&key, "/api/v1/contacts", &json!({"name": "One"})).status, 201);
        for moment in ["2026-03-15T11:00:00Z", "2026-03-15T11:00:05Z", "2026-03-15T11:00:25Z"] {
            server.clock.set(moment);
            server.deliver_webhooks();
        }
        assert_eq!(receiver.connections(), 0);
        assert_eq!(names.asked.load(Ordering::SeqCst), 18, "each name once for each attempt");
        for id in 1..=6 {
            let shown = server.get(&key, &format!("/api/v1/webhooks/{id}/deliveries")).json()["data"][0].clone();
            assert_eq!((&shown["attempts"], &shown["responseStatus"]), (&json!(3), &json!(null)), "{shown}");
            assert!(shown["error"].as_str().unwrap().starts_with("the name "), "{shown}");
        }
    }

    fn the_own_network_is_allowed_by_the_operator_and_never_what_is_on_the_link(engine) {
        let names = Arc::new(Names::default());
        let receiver = Receiver::start();
        let server = server(engine, true, &names);
        let key = server.account(EMAIL);
        names.answers.lock().unwrap().push(("cloud.example", vec![vec![ip("169.254.169.254")]]));
        // The first address is not allowed, the second is.
        names.answers.lock().unwrap().push(("own.example", vec![vec![ip("169.254.169.254"), ip("127.0.0.1")]]));
        for name in ["cloud.example", "own.example"] {
            webhook(&server, &key, &format!("http://{name}:{}/", receiver.port()), &["contact.created"]);
        }
        assert_eq!(server.post(&key, "/api/v1/webhooks", &json!({"url": "http://169.254.169.254/"})).status, 422);
        assert_eq!(server.post(&key, "/api/v1/contacts", &json!({"name": "One"})).status, 201);
        server.deliver_webhooks();
        let received = receiver.take();
        assert_eq!((received.len(), received[0].header("host")), (1, format!("own.example:{}", receiver.port()).as_str()));
        // Encrypted, where nobody answers so: no connection that could be used, and nothing was said on it.
        webhook(&server, &key, &format!("https://own.example:{}/", receiver.port()), &["contact.updated"]);
        let edited = server.send("PATCH", "/api/v1/contacts/1", &[("x-api-key", &key), ("content-type", "application/json")], Some(br#"{"name": "Two"}"#));
        assert_eq!(edited.status, 200);
        drop(receiver);
        server.deliver_webhooks();
        let shown = server.get(&key, "/api/v1/webhooks/3/deliveries").json()["data"][0].clone();
        assert_eq!(shown["responseStatus"], json!(null), "{shown}");
    }
}
