//! Calls to a server that answers like Mollie, wrongly, or not at all.

#![expect(clippy::unwrap_used, reason = "this is test code: a failure here is a failed test")]

use ledger::{
    language::Language,
    money::Cents,
    provider_payment::{BackState, ProviderStatus},
};
use mollie::{
    Client, Host, Mollie, MollieError, NewPayment, Secret,
    stand_in::{Lie, StandIn, TEST_KEY, TOKEN},
};
use serde_json::json;
use std::time::Duration;

fn client(server: &StandIn) -> Client {
    Client::new(Host::parse(&server.url()).unwrap())
}

fn key() -> Secret {
    Secret::new(TEST_KEY)
}

fn new(idempotency_key: &str, cents: i64) -> NewPayment {
    NewPayment {
        idempotency_key: idempotency_key.into(),
        amount: Cents::new(cents),
        description: "2026-0001".into(),
        redirect_url: "https://example.com/i/token/paid".into(),
        webhook_url: Some("https://example.com/hooks/mollie/hook".into()),
        language: Language::Dutch,
    }
}

fn run<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

#[test]
fn a_payment_is_created_once_per_key_with_an_exact_amount() {
    let server = StandIn::start();
    let client = client(&server);
    let created = run(client.create(&key(), &new("first", 121_005))).unwrap();
    assert_eq!(run(client.create(&key(), &new("first", 121_005))).unwrap(), created);
    assert_ne!(run(client.create(&key(), &new("second", 121_005))).unwrap().id, created.id);
    assert!(created.checkout_url.starts_with(&server.url()));
    let calls = server.calls();
    assert_eq!(calls[0].line, "POST /v2/payments");
    assert_eq!((calls[0].secret.as_str(), calls[0].idempotency_key.as_str()), (TEST_KEY, "first"));
    assert_eq!(
        calls[0].body,
        json!({
            "amount": {"currency": "EUR", "value": "1210.05"},
            "description": "2026-0001",
            "redirectUrl": "https://example.com/i/token/paid",
            "locale": "nl_NL",
            "webhookUrl": "https://example.com/hooks/mollie/hook",
        })
    );
}

#[test]
fn a_payment_is_fetched_with_what_went_back() {
    let server = StandIn::start();
    let client = client(&server);
    let id = run(client.create(&key(), &new("one", 1_000))).unwrap().id;
    assert_eq!(run(client.payment(&key(), &id)).unwrap().status, ProviderStatus::Open);
    server.pay(&id, "creditcard", "2026-03-15T12:00:00+00:00");
    server.refund(&id, 400, "refunded", "2026-03-16T12:00:00+00:00");
    server.charge_back(&id, 600, "2026-03-17T12:00:00+00:00");
    let paid = run(client.payment(&key(), &id)).unwrap();
    assert_eq!((paid.status, paid.amount), (ProviderStatus::Paid, Some(Cents::new(1_000))));
    let backs: Vec<_> = paid.backs.iter().map(|of| (of.amount.get(), of.state)).collect();
    assert_eq!(backs, [(400, BackState::Done), (600, BackState::Done)]);
    let line = format!("GET /v2/payments/{id}?embed=refunds,chargebacks");
    assert_eq!(server.calls().last().unwrap().line, line);
}

#[test]
fn all_pages_of_a_settlement_are_read() {
    let server = StandIn::start();
    let client = client(&server);
    for _ in 0..120 {
        server.pay_elsewhere(1_000, "2026-03-15T12:00:00+00:00");
    }
    let back = server.payments()[7].clone();
    server.refund(&back, 400, "refunded", "2026-03-16T12:00:00+00:00");
    let (id, amount) = server.settle(2_900, "2026-03-20T08:00:00+00:00");
    let token = Secret::new(TOKEN);
    let listed = run(client.settlements(&token, None)).unwrap();
    assert_eq!(listed.settlements.len(), 1);
    assert_eq!(listed.next, None);
    let settlement = run(client.settlement(&token, &id)).unwrap();
    assert_eq!(settlement.amount, Cents::new(amount));
    let parts = run(client.parts(&token, &id)).unwrap();
    assert_eq!(parts.len(), 121);
    let sum: i64 = parts.iter().map(|part| part.amount.unwrap().get()).sum();
    assert_eq!(sum, amount + settlement.costs.get() + settlement.costs_vat.get());
    assert_eq!(run(client.check_token(&token)), Ok(()));
    assert!(matches!(run(client.check_token(&key())), Err(MollieError::KeyRefused(_))));
}

#[test]
fn every_wrong_answer_is_an_error_of_its_kind() {
    let server = StandIn::start();
    let other = StandIn::start();
    let client = client(&server).with_timeout(Duration::from_millis(500));
    let id = run(client.create(&key(), &new("one", 1_000))).unwrap().id;
    let kind = |lie: Lie| {
        server.behave(lie);
        match run(client.payment(&key(), &id)).unwrap_err() {
            MollieError::Away(_) => "away",
            MollieError::KeyRefused(_) => "key",
            MollieError::NotFound => "missing",
            MollieError::Refused(_) => "refused",
            MollieError::Unreadable(_) => "unreadable",
        }
    };
    assert_eq!(kind(Lie::Status(500)), "away");
    assert_eq!(kind(Lie::Status(503)), "away");
    assert_eq!(kind(Lie::Status(429)), "away");
    assert_eq!(kind(Lie::Status(401)), "key");
    assert_eq!(kind(Lie::Status(403)), "key");
    assert_eq!(kind(Lie::Status(404)), "missing");
    assert_eq!(kind(Lie::Status(410)), "missing");
    assert_eq!(kind(Lie::Status(422)), "refused");
    assert_eq!(kind(Lie::Status(204)), "refused");
    assert_eq!(kind(Lie::LeadsTo(other.url())), "refused");
    assert_eq!(kind(Lie::Hangs), "away");
    assert_eq!(kind(Lie::Closes), "away");
    assert_eq!(kind(Lie::NotJson), "unreadable");
    assert_eq!(kind(Lie::Replaces(vec![("amount", json!(10.0))])), "unreadable");
    assert_eq!(other.calls(), []);
    // Without a time limit, the size of an answer is limited.
    server.behave(Lie::NeverEnds);
    let slow = Client::new(Host::parse(&server.url()).unwrap());
    let error = run(slow.payment(&key(), &id)).unwrap_err();
    assert_eq!(error, MollieError::Unreadable("more than 256 KiB".into()));
    drop(server);
    assert!(run(client.payment(&key(), &id)).unwrap_err().is_away());
}

#[test]
fn a_customer_is_never_sent_elsewhere_to_pay() {
    let server = StandIn::start();
    let checkout = |href: &str| {
        let links = json!({"checkout": {"href": href, "type": "text/html"}});
        server.behave(Lie::Replaces(vec![("_links", links)]));
        run(client(&server).create(&key(), &new("", 1_000)))
    };
    assert!(checkout("https://www.mollie.com/checkout/select-method/1").is_ok());
    for href in ["https://example.com/", "http://www.mollie.com/", "javascript:alert(1)"] {
        assert!(matches!(checkout(href), Err(MollieError::Unreadable(_))), "{href}");
    }
}

#[test]
fn a_secret_is_not_printed_and_an_id_is_checked_before_it_is_called() {
    let server = StandIn::start();
    let client = client(&server);
    assert_eq!(format!("{:?}", key()), "Secret");
    for id in ["", "tr_", "../settlements", "tr_1?embed=captures", "stl_1"] {
        assert_eq!(run(client.payment(&key(), id)), Err(MollieError::NotFound), "{id}");
    }
    let broken = Secret::new("test_\r\nHost: example.com");
    assert!(matches!(run(client.payment(&broken, "tr_1")), Err(MollieError::KeyRefused(_))));
    assert_eq!(server.calls(), []);
}
