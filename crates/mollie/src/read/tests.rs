use super::*;

/// Example of the published description, with a refund and chargebacks.
const PAYMENT: &str = r#"{
    "resource": "payment", "id": "tr_5B8cwPMGnU6qLbRvo7qEZo", "mode": "live", "status": "paid",
    "amount": {"value": "75.00", "currency": "EUR"}, "description": "Order 12345",
    "method": "ideal", "metadata": null, "details": null, "profileId": "pfl_QkEhN94Ba",
    "createdAt": "2024-02-12T11:58:35+00:00", "paidAt": "2024-02-12T12:01:35+00:00",
    "_embedded": {
        "refunds": [{"resource": "refund", "id": "re_4qqhO89gsT", "status": "queued",
            "amount": {"currency": "EUR", "value": "5.95"}, "createdAt": "2023-03-14T17:09:02.0Z",
            "description": "", "metadata": {}, "paymentId": "tr_5B8cwPMGnU6qLbRvo7qEZo"}],
        "chargebacks": [
            {"resource": "chargeback", "id": "chb_xFzwUN4ci8HAmSGUACS4J",
             "amount": {"value": "10.00", "currency": "EUR"},
             "createdAt": "2022-01-03T13:20:37+00:00", "paymentId": "tr_5B8cwPMGnU6qLbRvo7qEZo"},
            {"resource": "chargeback", "id": "chb_n9z0tp",
             "amount": {"value": "43.38", "currency": "EUR"},
             "settlementAmount": {"currency": "EUR", "value": "-35.07"},
             "createdAt": "2022-01-03T13:20:37+00:00", "reversedAt": "2022-01-21T09:13:37+00:00"}]
    },
    "_links": {"self": {"href": "...", "type": "application/hal+json"}}
}"#;

fn with(from: &str, to: &str) -> String {
    assert!(PAYMENT.contains(from));
    PAYMENT.replacen(from, to, 1)
}

#[test]
fn the_published_payment_is_read() {
    let read = payment(PAYMENT.as_bytes()).unwrap();
    assert_eq!((read.status, read.amount), (ProviderStatus::Paid, Some(Cents::new(7_500))));
    assert_eq!(read.method, MoneyAccount::Ideal);
    assert_eq!(read.paid_at, Some("2024-02-12T12:01:35Z".parse().unwrap()));
    let backs: Vec<_> =
        read.backs.iter().map(|of| (of.id.as_str(), of.amount.get(), of.state)).collect();
    let reversed = BackState::TakenBack(Some("2022-01-21T09:13:37Z".parse().unwrap()));
    assert_eq!(
        backs,
        [
            ("re_4qqhO89gsT", 595, BackState::Waiting),
            ("chb_xFzwUN4ci8HAmSGUACS4J", 1_000, BackState::Done),
            ("chb_n9z0tp", 4_338, reversed),
        ]
    );
}

#[test]
fn states_of_payments_and_refunds_are_known_or_wait() {
    use ProviderStatus::{Canceled, Expired, Failed, Open, Paid, Pending};
    let states = [
        ("open", Open),
        ("pending", Pending),
        ("authorized", Pending),
        ("paid", Paid),
        ("canceled", Canceled),
        ("expired", Expired),
        ("failed", Failed),
        ("something-new", Pending),
    ];
    for (name, status) in states {
        let read =
            payment(with(r#""status": "paid""#, &format!(r#""status": "{name}""#)).as_bytes());
        assert_eq!(read.unwrap().status, status, "{name}");
    }
    let (waits, failed) = (BackState::Waiting, BackState::TakenBack(None));
    let states = [
        ("queued", waits),
        ("pending", waits),
        ("processing", waits),
        ("refunded", BackState::Done),
        ("failed", failed),
        ("canceled", failed),
    ];
    for (name, state) in states {
        let read =
            payment(with(r#""status": "queued""#, &format!(r#""status": "{name}""#)).as_bytes());
        assert_eq!(read.unwrap().backs[0].state, state, "{name}");
    }
}

#[test]
fn amounts_are_exact_or_refused() {
    let read = |value: &str| {
        payment(with(r#""value": "75.00""#, &format!(r#""value": {value}"#)).as_bytes())
            .map(|read| read.amount.map(Cents::get))
    };
    let read_ok = [("\"0.01\"", 1), ("\"100000.10\"", 10_000_010), ("\"75\"", 7_500)];
    for (value, cents) in read_ok.into_iter().chain([("\"75.0000\"", 7_500), ("\"0.29\"", 29)]) {
        assert_eq!(read(value), Ok(Some(cents)), "{value}");
    }
    for value in ["75.00", "\"75.005\"", "\"75.00000000000000001\"", "\"\"", "\"NaN\"", "\"1,00\""]
    {
        assert!(matches!(read(value), Err(MollieError::Unreadable(_))), "{value}");
    }
    let dollars = with(r#""currency": "EUR""#, r#""currency": "USD""#);
    assert_eq!(payment(dollars.as_bytes()).unwrap().amount, None);
    // Money that goes back is above zero and in euros.
    for (from, to) in
        [("5.95", "-5.95"), ("5.95", "0.00"), (r#""EUR", "value": "5"#, r#""USD", "value": "5"#)]
    {
        assert!(payment(with(from, to).as_bytes()).is_err(), "{to}");
    }
}

#[test]
fn an_id_that_is_no_id_is_unreadable() {
    for id in ["", "tr_", "tr_/..", "ord_1", "tr_a b", &format!("tr_{}", "a".repeat(65))] {
        let read = payment(with("tr_5B8cwPMGnU6qLbRvo7qEZo", id).as_bytes());
        assert!(matches!(read, Err(MollieError::Unreadable(_))), "{id}");
    }
}

/// Example of the published description.
const SETTLEMENT: &str = r#"{
    "resource": "settlement", "id": "stl_jDk30akdN", "reference": "1234567.2404.03",
    "createdAt": "2024-04-06T06:00:01.0Z", "settledAt": "2024-04-06T09:41:44.0Z",
    "amount": {"currency": "EUR", "value": "39.75"}, "status": "paidout",
    "periods": {"2024": {"04": {
        "revenue": [],
        "costs": [
            {"description": "iDEAL", "method": "ideal", "count": 6,
             "rate": {"fixed": {"currency": "EUR", "value": "0.3500"}, "percentage": null},
             "amountNet": {"currency": "EUR", "value": "2.1000"},
             "amountVat": {"currency": "EUR", "value": "0.4410"},
             "amountGross": {"currency": "EUR", "value": "2.5410"}},
            {"description": "Refunds iDEAL", "method": "refund", "count": 2,
             "rate": {"fixed": {"currency": "EUR", "value": "0.2500"}, "percentage": null},
             "amountNet": {"currency": "EUR", "value": "0.5000"},
             "amountVat": {"currency": "EUR", "value": "0.1050"},
             "amountGross": {"currency": "EUR", "value": "0.6050"}}],
        "invoiceId": "inv_FrvewDA3Pr"}}},
    "_links": {}
}"#;

#[test]
fn the_costs_of_a_settlement_are_summed_before_they_are_rounded() {
    let read = settlement(SETTLEMENT.as_bytes()).unwrap();
    assert_eq!((read.id.as_str(), read.status), ("stl_jDk30akdN", SettlementStatus::PaidOut));
    assert_eq!(read.amount, Cents::new(3_975));
    // 3.1460 with 0.5460 VAT.
    assert_eq!((read.costs.get(), read.costs_vat.get()), (260, 55));
    for (state, status) in [
        ("open", SettlementStatus::Open),
        ("processing-at-bank", SettlementStatus::Pending),
        ("failed", SettlementStatus::Failed),
    ] {
        let text = SETTLEMENT.replace("paidout", state);
        assert_eq!(settlement(text.as_bytes()).unwrap().status, status);
    }
    let wrong = SETTLEMENT.replace("0.6050", "0.6051");
    assert!(settlement(wrong.as_bytes()).is_err());
    for empty in ["{}", "[]", "null"] {
        let text = format!(
            r#"{{"id": "stl_1", "status": "open", "amount": {{"currency": "EUR", "value": "-1.00"}}, "periods": {empty}}}"#
        );
        let read = settlement(text.as_bytes()).unwrap();
        assert_eq!((read.amount.get(), read.costs.get(), read.settled_at), (-100, 0, None));
    }
}

#[test]
fn refunds_and_chargebacks_lower_a_settlement() {
    let list = |name: &str, id: &str, next: &str| {
        let of = if name == "payments" { "null" } else { r#""tr_1""# };
        format!(
            r#"{{"count": 1, "_embedded": {{"{name}": [{{"id": "{id}", "paymentId": {of},
                "amount": {{"currency": "EUR", "value": "5.95"}}}}]}},
                "_links": {{"next": {next}}}}}"#
        )
    };
    let next =
        r#"{"href": "https://api.mollie.com/v2/settlements/stl_1/payments?from=tr_2&limit=5"}"#;
    let read = parts(list("payments", "tr_1", next).as_bytes(), ("payments", "tr_")).unwrap();
    let part = |id: &str, cents| SettledPart {
        id: id.into(),
        payment_id: "tr_1".into(),
        amount: Some(Cents::new(cents)),
    };
    assert_eq!(read, (vec![part("tr_1", 595)], Some("tr_2".into())));
    let read = parts(list("refunds", "re_1", "null").as_bytes(), ("refunds", "re_")).unwrap();
    assert_eq!(read, (vec![part("re_1", -595)], None));
    // An address elsewhere is not called: only its id is used, if it is one.
    let elsewhere = r#"{"href": "https://example.com/?from=../payments"}"#;
    let read = parts(list("payments", "tr_1", elsewhere).as_bytes(), ("payments", "tr_")).unwrap();
    assert_eq!(read.1, None);
}
