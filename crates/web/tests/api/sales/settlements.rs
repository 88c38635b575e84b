//! Events after the invoice: withdrawn drafts, undone payments, refunds, bad debts and payouts.
//! Also prices including VAT, and prepayments.

use crate::{
    help::{cents, file, vat_box},
    simple_invoice,
};
use serde_json::{Value, json};
use testing::{Reply, Server, on_both_engines};

const ANNA: &str = "anna@example.com";

fn create(server: &Server, key: &str, path: &str, body: &Value) -> Value {
    let reply = server.post(key, path, body);
    assert_eq!(reply.status, 201, "{body}: {}", reply.text);
    reply.json()
}

fn delete(server: &Server, key: &str, path: &str) -> Reply {
    server.send("DELETE", path, &[("x-api-key", key)], None)
}

/// Amounts of an invoice in cents: paid, due, to be refunded, written off.
fn state(server: &Server, key: &str, id: i64) -> [i64; 4] {
    let invoice = server.get(key, &format!("/api/v1/invoices/{id}")).json();
    ["amountPaid", "amountDue", "amountToRefund", "amountWrittenOff"]
        .map(|field| cents(&invoice[field]))
}

/// Lines of an entry: ledger account, debit less credit in cents, VAT box.
fn lines(server: &Server, key: &str, entry: &Value) -> Vec<(String, i64, Option<String>)> {
    let entry = server.get(key, &format!("/api/v1/entries/{entry}")).json();
    let line = |line: &Value| {
        let amount = cents(&line["debit"]) - cents(&line["credit"]);
        (
            line["accountCode"].as_str().unwrap().to_owned(),
            amount,
            line["vatBox"].as_str().map(str::to_owned),
        )
    };
    entry["lines"].as_array().unwrap().iter().map(line).collect()
}

fn on(account: &str, amount: i64, vat_box: &str) -> (String, i64, Option<String>) {
    (account.to_owned(), amount, Some(vat_box.to_owned()).filter(|name| !name.is_empty()))
}

on_both_engines! {
    fn a_withdrawn_draft_keeps_its_number_used(engine) {
        let server = Server::start(engine);
        let key = server.account(ANNA);
        let mut draft = simple_invoice();
        draft["status"] = json!("draft");
        draft["externalId"] = json!("order-1");
        create(&server, &key, "/api/v1/invoices", &draft);
        let answer = delete(&server, &key, "/api/v1/invoices/1");
        let cancelled = answer.json();
        assert_eq!(
            (answer.status, &cancelled["status"], &cancelled["paid"], &cancelled["warnings"]),
            (200, &json!("cancelled"), &json!(false), &json!([]))
        );
        assert_eq!(
            (&cancelled["amountDue"], &cancelled["entryIds"]),
            (&json!(0.0), &json!([1, 2]))
        );
        assert_eq!(vat_box(&server, &key, "2026/1", "1a"), (0, 0));
        let again = server.post(&key, "/api/v1/invoices", &draft);
        assert_eq!((again.status, &again.json()["status"]), (200, &json!("cancelled")));
        assert_eq!(delete(&server, &key, "/api/v1/invoices/1").json(), cancelled);
        for refused in [
            server.send(
                "PATCH",
                "/api/v1/invoices/1",
                &[("x-api-key", &key), ("content-type", "application/json")],
                Some(br#"{"status": "sent"}"#),
            ),
            server.post(&key, "/api/v1/invoices/1/payments", &json!({"date": "2026-03-15"})),
            server.post(&key, "/api/v1/invoices/1/credit-notes", &json!({})),
            server.post(&key, "/api/v1/invoices/1/write-off", &json!({})),
        ] {
            assert_eq!(
                (refused.status, refused.code().as_str()),
                (409, "not_a_draft"),
                "{}",
                refused.text
            );
            assert!(
                refused.json()["detail"].as_str().unwrap().starts_with("The draft was cancelled, "),
                "{}",
                refused.text
            );
        }
        let next = create(&server, &key, "/api/v1/invoices", &simple_invoice());
        assert_eq!(next["number"], "2026-0002");
        assert_eq!(
            (
                delete(&server, &key, "/api/v1/invoices/2").status,
                delete(&server, &key, "/api/v1/invoices/9").status
            ),
            (409, 404)
        );
        let listed = server.get(&key, "/api/v1/invoices?status=cancelled").json();
        assert_eq!(listed["data"].as_array().unwrap().len(), 1);
        let summary = server.get(&key, "/api/v1/summary/2026").json();
        assert_eq!(
            (&summary["invoices"]["count"], cents(&summary["receivables"])),
            (&json!(1), 12_100)
        );
        // A draft in a filed return cannot be withdrawn.
        draft["externalId"] = json!("order-2");
        create(&server, &key, "/api/v1/invoices", &draft);
        server.clock.set("2026-04-20T11:00:00Z");
        file(&server, ANNA, 2026, 1);
        assert_eq!(delete(&server, &key, "/api/v1/invoices/3").code(), "period_filed");
        assert_eq!(server.discrepancies(ANNA), Vec::<String>::new());
    }

    fn payments_are_undone_and_refunded(engine) {
        let server = Server::start(engine);
        let key = server.account(ANNA);
        create(&server, &key, "/api/v1/invoices", &simple_invoice());
        const PAY: &str = "/api/v1/invoices/1/payments";
        let first = create(
            &server,
            &key,
            PAY,
            &json!({"date": "2026-03-10", "amount": 100, "method": "ideal", "externalId": "p-1"}),
        );
        assert_eq!(
            lines(&server, &key, &first["entryId"]),
            [on("1130", 10_000, ""), on("1300", -10_000, "")]
        );
        // An overpayment needs `overpayment: "keep"`. A refund needs an amount up to the surplus.
        assert_eq!(
            server.post(&key, PAY, &json!({"date": "2026-03-11", "amount": 50})).faults(),
            [("/amount".into(), "exceeds_outstanding".into())]
        );
        assert_eq!(
            server.post(&key, PAY, &json!({"date": "2026-03-11", "amount": -1})).faults(),
            [("/amount".into(), "exceeds_outstanding".into())]
        );
        assert_eq!(
            server
                .post(&key, PAY, &json!({"date": "2026-03-11", "amount": 1, "overpayment": "x"}))
                .faults(),
            [("/overpayment".into(), "unknown_value".into())]
        );
        let surplus = create(
            &server,
            &key,
            PAY,
            &json!({"date": "2026-03-11", "amount": 50, "overpayment": "keep", "method": "directDebit"}),
        );
        assert_eq!(
            lines(&server, &key, &surplus["entryId"]),
            [on("1100", 5_000, ""), on("1300", -2_100, ""), on("1630", -2_900, "")]
        );
        assert_eq!(state(&server, &key, 1), [15_000, 0, 2_900, 0]);
        assert_eq!(
            server.post(&key, PAY, &json!({"date": "2026-03-12"})).faults(),
            [("/amount".into(), "exceeds_outstanding".into())]
        );
        assert_eq!(
            server.post(&key, PAY, &json!({"date": "2026-03-12", "amount": -29.01})).faults(),
            [("/amount".into(), "exceeds_outstanding".into())]
        );
        let refund = create(
            &server,
            &key,
            PAY,
            &json!({"date": "2026-03-12", "amount": -29, "method": "paypal"}),
        );
        assert_eq!(
            lines(&server, &key, &refund["entryId"]),
            [on("1130", -2_900, ""), on("1630", 2_900, "")]
        );
        let entry = server.get(&key, &format!("/api/v1/entries/{}", refund["entryId"])).json();
        assert_eq!(
            (&entry["source"]["type"], state(&server, &key, 1)),
            (&json!("refund"), [12_100, 0, 0, 0])
        );
        // A chargeback is booked on its own date.
        for (query, code) in [
            ("?date=2026-03-09", "out_of_range"),
            ("?date=2026-05-01", "out_of_range"),
            ("?date=x", "invalid_date"),
        ] {
            let refused = delete(&server, &key, &format!("{PAY}/1{query}"));
            assert_eq!(
                (refused.status, refused.json()["errors"][0]["code"].as_str().unwrap().to_owned()),
                (422, code.to_owned()),
                "{query}"
            );
        }
        let late = delete(&server, &key, &format!("{PAY}/1?date=2026-05-01")).json();
        assert_eq!(
            late["detail"],
            "`date`: give the day on which it was undone, 2026-03-16 at the latest."
        );
        let undone = delete(&server, &key, &format!("{PAY}/1?date=2026-03-14"));
        assert_eq!(
            (undone.status, &undone.json()["undoneAt"], &undone.json()["id"]),
            (200, &json!("2026-03-15T11:00:00.000005Z"), &json!(1))
        );
        assert_eq!(delete(&server, &key, &format!("{PAY}/1")).json(), undone.json());
        assert_eq!(state(&server, &key, 1), [2_100, 10_000, 0, 0]);
        let reversal =
            server.get(&key, "/api/v1/entries?year=2026&sourceType=payment").json()["data"]
                .as_array()
                .unwrap()
                .last()
                .unwrap()
                .clone();
        assert_eq!(
            (&reversal["reversesEntryId"], &reversal["date"]),
            (&first["entryId"], &json!("2026-03-14"))
        );
        assert_eq!(
            (&undone.json()["undoneOn"], &undone.json()["undoingEntryId"]),
            (&reversal["date"], &reversal["id"])
        );
        assert_eq!(server.get(&key, &format!("{PAY}/1")).json(), undone.json());
        assert_eq!(
            lines(&server, &key, &reversal["id"]),
            [on("1130", -10_000, ""), on("1300", 10_000, "")]
        );
        assert_eq!(server.get(&key, PAY).json()["data"].as_array().unwrap().len(), 3);
        assert_eq!(
            server.post(&key, PAY, &json!({"externalId": "p-1", "date": "2026-03-15"})).status,
            200
        );
        // After the credit note, the payments received are owed to the customer.
        create(&server, &key, "/api/v1/invoices/1/credit-notes", &json!({}));
        assert_eq!(state(&server, &key, 1), [2_100, 0, 2_100, 0]);
        // The refund of a payment must be undone before the payment.
        let refused = delete(&server, &key, &format!("{PAY}/2"));
        assert_eq!((refused.status, refused.code()), (409, "has_parts".into()), "{}", refused.text);
        assert!(refused.text.contains("undo that refund first"), "{}", refused.text);
        assert_eq!(
            (delete(&server, &key, &format!("{PAY}/3")).status, state(&server, &key, 1)),
            (200, [5_000, 0, 5_000, 0])
        );
        assert_eq!(
            (delete(&server, &key, &format!("{PAY}/2")).status, state(&server, &key, 1)),
            (200, [0, 0, 0, 0])
        );
        assert_eq!(server.discrepancies(ANNA), Vec::<String>::new());
    }

    fn the_vat_on_a_recovered_debt_is_due_no_earlier_than_its_write_off(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let invoice = json!({"status": "sent", "invoiceDate": "2026-01-10", "customer": {"name": "Museum De Pier"},
            "items": [{"description": "Work", "unitPrice": 1000, "vatRate": 21}]});
        assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).status, 201);
        assert_eq!(
            server
                .post(&key, "/api/v1/invoices/1/write-off", &json!({"date": "2026-03-10"}))
                .status,
            201
        );
        // After the write-off nothing is due, so `amount` has no default: a repeated payment
        // without it does not recover the debt.
        let nothing =
            server.post(&key, "/api/v1/invoices/1/payments", &json!({"date": "2026-03-12"}));
        assert_eq!(
            (nothing.status, nothing.faults()),
            (422, vec![("/amount".into(), "exceeds_outstanding".into())]),
            "{}",
            nothing.text
        );
        // The payment may be dated before the write-off. The VAT is then due again as of the day of
        // the write-off, because no earlier return has deducted it.
        let paid = create(
            &server,
            &key,
            "/api/v1/invoices/1/payments",
            &json!({"date": "2026-02-01", "amount": 1210}),
        );
        let entry = server.get(&key, &format!("/api/v1/entries/{}", paid["entryId"])).json();
        assert_eq!(
            (&entry["date"], &entry["vatDate"]),
            (&json!("2026-02-01"), &json!("2026-03-10"))
        );
        assert_eq!(state(&server, &key, 1), [121_000, 0, 0, 0]);
        let undone = delete(&server, &key, "/api/v1/invoices/1/payments/1");
        assert_eq!(
            (undone.status, state(&server, &key, 1)),
            (200, [0, 0, 0, 121_000]),
            "{}",
            undone.text
        );
        // Once the write-off is undone, the payment is an ordinary payment.
        assert_eq!(
            server.post(&key, "/api/v1/invoices/1/write-off/1/undo", &json!({})).status,
            200
        );
        let paid = create(
            &server,
            &key,
            "/api/v1/invoices/1/payments",
            &json!({"date": "2026-02-01", "amount": 1210}),
        );
        assert_eq!(
            server.get(&key, &format!("/api/v1/entries/{}", paid["entryId"])).json()["vatDate"],
            "2026-02-01"
        );
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn an_unpaid_invoice_is_written_off_and_recovered(engine) {
        let server = Server::start(engine);
        let key = server.account(ANNA);
        create(&server, &key, "/api/v1/invoices", &simple_invoice());
        const GONE: &str = "/api/v1/invoices/1/write-off";
        assert_eq!(
            server.post(&key, GONE, &json!({"amount": 121.01})).faults(),
            [("/amount".into(), "exceeds_outstanding".into())]
        );
        let part = create(
            &server,
            &key,
            GONE,
            &json!({"externalId": "w-1", "amount": 60.50, "reason": "Half of it"}),
        );
        assert_eq!(
            lines(&server, &key, &part["entryId"]),
            [on("4340", 5_000, "1a"), on("1700", 1_050, "1a"), on("1300", -6_050, "")]
        );
        assert_eq!(vat_box(&server, &key, "2026/1", "1a"), (5_000, 1_050));
        assert_eq!(server.post(&key, GONE, &json!({"externalId": "w-1"})).status, 200);
        create(&server, &key, GONE, &json!({}));
        assert_eq!(state(&server, &key, 1), [0, 0, 0, 12_100]);
        let invoice = server.get(&key, "/api/v1/invoices/1").json();
        assert_eq!((&invoice["paid"], &invoice["paidAt"]), (&json!(false), &Value::Null));
        assert_eq!(
            server.post(&key, "/api/v1/invoices/1/credit-notes", &json!({})).code(),
            "is_written_off"
        );
        let recovered = create(
            &server,
            &key,
            "/api/v1/invoices/1/payments",
            &json!({"date": "2026-03-15", "amount": 60.50}),
        );
        assert_eq!(
            lines(&server, &key, &recovered["entryId"]),
            [on("1100", 6_050, ""), on("4340", -5_000, "1a"), on("1700", -1_050, "1a")]
        );
        assert_eq!(state(&server, &key, 1), [6_050, 0, 0, 6_050]);
        let undo = |id: i64| {
            server.send("POST", &format!("{GONE}/{id}/undo"), &[("x-api-key", &key)], None)
        };
        assert_eq!(undo(2).status, 200);
        assert_eq!((undo(1).status, state(&server, &key, 1)), (422, [6_050, 6_050, 0, 0]));
        delete(&server, &key, "/api/v1/invoices/1/payments/1");
        assert_eq!((undo(1).status, undo(1).status, undo(9).status), (200, 200, 404));
        let gone = server.get(&key, &format!("{GONE}/1")).json();
        let undoing =
            server.get(&key, &format!("/api/v1/entries/{}", gone["undoingEntryId"])).json();
        assert_eq!(
            (&undoing["reversesEntryId"], &undoing["date"]),
            (&gone["entryId"], &gone["undoneOn"])
        );
        assert_eq!(
            (state(&server, &key, 1), vat_box(&server, &key, "2026/1", "1a")),
            ([0, 12_100, 0, 0], (10_000, 2_100))
        );
        assert_eq!(server.get(&key, GONE).json()["data"].as_array().unwrap().len(), 2);
        assert_eq!(server.get(&key, &format!("{GONE}/1")).json()["reason"], "Half of it");
        assert_eq!(server.discrepancies(ANNA), Vec::<String>::new());
    }

    fn a_payment_recovers_the_write_off_before_it_pays_the_rest(engine) {
        let server = Server::start(engine);
        let key = server.account(ANNA);
        create(&server, &key, "/api/v1/invoices", &simple_invoice());
        create(&server, &key, "/api/v1/invoices/1/write-off", &json!({"amount": 60.50}));
        const PAY: &str = "/api/v1/invoices/1/payments";
        let first = create(&server, &key, PAY, &json!({"date": "2026-03-15", "amount": 40}));
        assert_eq!(
            lines(&server, &key, &first["entryId"]),
            [on("1100", 4_000, ""), on("4340", -3_306, "1a"), on("1700", -694, "1a")]
        );
        assert_eq!(state(&server, &key, 1), [4_000, 6_050, 0, 2_050]);
        // A payment recovers the write-off first, and what remains of it settles the amount due.
        // The payment may not exceed the sum of the two amounts.
        assert_eq!(
            server.post(&key, PAY, &json!({"date": "2026-03-15", "amount": 81.01})).faults(),
            [("/amount".into(), "exceeds_outstanding".into())]
        );
        let second = create(&server, &key, PAY, &json!({"date": "2026-03-15", "amount": 81}));
        assert_eq!(
            lines(&server, &key, &second["entryId"]),
            [
                on("1100", 8_100, ""),
                on("4340", -1_694, "1a"),
                on("1700", -356, "1a"),
                on("1300", -6_050, "")
            ]
        );
        assert_eq!(state(&server, &key, 1), [12_100, 0, 0, 0]);
        assert_eq!(vat_box(&server, &key, "2026/1", "1a"), (10_000, 2_100));
        assert_eq!(server.discrepancies(ANNA), Vec::<String>::new());
    }

    fn an_invoice_with_nothing_due_has_no_write_off_and_no_reminder(engine) {
        let server = Server::start(engine);
        let key = server.account(ANNA);
        let invoice = json!({"status": "sent", "invoiceDate": "2026-01-10", "customer": {"name": "Museum De Pier", "email": "post@pier.example"},
            "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
        create(&server, &key, "/api/v1/invoices", &invoice);
        create(&server, &key, "/api/v1/invoices/1/write-off", &json!({"amount": 21}));
        // The reminder asks for the amount still due.
        assert_eq!(server.post(&key, "/api/v1/invoices/1/remind", &json!({})).status, 202);
        assert!(server.mails("post@pier.example")[0].text.contains("100,00"));
        create(
            &server,
            &key,
            "/api/v1/invoices/1/payments",
            &json!({"date": "2026-03-15", "amount": 121}),
        );
        for (what, why) in [
            ("write-off", "there is nothing to write off"),
            ("remind", "there is nothing to remind the customer of"),
        ] {
            let refused = server.post(&key, &format!("/api/v1/invoices/1/{what}"), &json!({}));
            assert_eq!(
                (refused.status, refused.faults()[0].1.as_str()),
                (422, "exceeds_outstanding"),
                "{}",
                refused.text
            );
            let message = format!("nothing of invoice 2026-0001 is due any more, so {why}");
            assert!(
                refused.text.contains(&message) && !refused.text.contains("another invoice"),
                "{}",
                refused.text
            );
        }
        assert_eq!(server.discrepancies(ANNA), Vec::<String>::new());
    }

    fn providers_pay_out_less_their_fee(engine) {
        let server = Server::start(engine);
        let key = server.account(ANNA);
        const PATH: &str = "/api/v1/payouts";
        let body = json!({"externalId": "po-1", "date": "2026-03-14", "amount": 118.50, "fee": 2.50, "feeVatTreatment": "normal", "provider": "Mollie"});
        let payout = create(&server, &key, PATH, &body);
        assert_eq!((cents(&payout["feeVat"]), server.post(&key, PATH, &body).status), (43, 200));
        assert_eq!(
            lines(&server, &key, &payout["entryId"]),
            [
                on("1100", 11_850, ""),
                on("4610", 207, ""),
                on("1500", 43, "5b"),
                on("1130", -12_100, "")
            ]
        );
        let back = create(&server, &key, PATH, &json!({"date": "2026-03-15", "amount": -10}));
        assert_eq!(
            lines(&server, &key, &back["entryId"]),
            [on("1100", -1_000, ""), on("1130", 1_000, "")]
        );
        for (body, fault) in [
            (json!({"date": "2026-03-14", "amount": 0}), ("/amount", "out_of_range")),
            (json!({"date": "2026-03-14", "amount": 1, "fee": -1}), ("/fee", "out_of_range")),
            (
                json!({"date": "2026-03-14", "amount": 1, "fee": 1, "feeVat": 0.5}),
                ("/feeVat", "unknown_value"),
            ),
            (
                json!({"date": "2026-03-14", "amount": 1, "fee": 1, "feeVat": 2, "feeVatTreatment": "normal"}),
                ("/feeVat", "out_of_range"),
            ),
            (json!({"date": "2026-04-14", "amount": 1}), ("/date", "out_of_range")),
        ] {
            assert_eq!(
                server.post(&key, PATH, &body).faults(),
                [(fault.0.to_owned(), fault.1.to_owned())],
                "{body}"
            );
        }
        let undo = || server.send("POST", "/api/v1/payouts/1/undo", &[("x-api-key", &key)], None);
        assert_eq!(
            (undo().status, undo().json()),
            (200, server.get(&key, "/api/v1/payouts/1").json())
        );
        let listed = server.get(&key, PATH).json();
        assert_eq!(
            (&listed["data"][0], &listed["data"][1]["undoneAt"]),
            (&back, &json!("2026-03-15T11:00:00.000003Z"))
        );
        let undoing = server
            .get(&key, &format!("/api/v1/entries/{}", listed["data"][1]["undoingEntryId"]))
            .json();
        assert_eq!(
            (&undoing["reversesEntryId"], &undoing["date"], &back["undoneOn"]),
            (&payout["entryId"], &listed["data"][1]["undoneOn"], &Value::Null)
        );
        assert_eq!(server.get(&key, "/api/v1/payouts?externalId=po-1").json()["data"][0]["id"], 1);
        assert_eq!(server.discrepancies(ANNA), Vec::<String>::new());
    }

    fn prices_include_vat_to_the_cent(engine) {
        let server = Server::start(engine);
        let key = server.account(ANNA);
        let mut body = simple_invoice();
        body["pricesIncludeVat"] = json!(true);
        body["items"] = json!([
            {"description": "A", "unitPrice": 10, "vatRate": 21}, {"description": "B", "unitPrice": 10, "vatRate": 21},
            {"description": "C", "unitPrice": 10, "vatRate": 21}, {"description": "D", "unitPrice": 10.90, "vatRate": 9},
        ]);
        let invoice = create(&server, &key, "/api/v1/invoices", &body);
        let amounts = |field: &str| {
            invoice["items"]
                .as_array()
                .unwrap()
                .iter()
                .map(|item| cents(&item[field]))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            (amounts("amount"), amounts("amountInclVat")),
            (vec![827, 826, 826, 1_000], vec![1_000, 1_000, 1_000, 1_090])
        );
        assert_eq!(
            (cents(&invoice["subtotal"]), cents(&invoice["vatTotal"]), cents(&invoice["total"])),
            (3_479, 611, 4_090)
        );
        assert_eq!(invoice["pricesIncludeVat"], true);
        for _ in 0..3 {
            let note = create(
                &server,
                &key,
                "/api/v1/invoices/1/credit-notes",
                &json!({"items": [{"description": "One", "unitPrice": 10, "vatRate": 21}]}),
            );
            assert_eq!((cents(&note["total"]), &note["pricesIncludeVat"]), (-1_000, &json!(true)));
        }
        let rest = create(&server, &key, "/api/v1/invoices/1/credit-notes", &json!({}));
        assert_eq!(
            (
                cents(&rest["total"]),
                vat_box(&server, &key, "2026/1", "1a"),
                vat_box(&server, &key, "2026/1", "1b")
            ),
            (-1_090, (0, 0), (0, 0))
        );
        // The same prices read as excluding VAT give a higher total.
        let mut draft = body.clone();
        draft["status"] = json!("draft");
        let id = create(&server, &key, "/api/v1/invoices", &draft)["id"].clone();
        let edited = crate::help::patch(
            &server,
            &key,
            &format!("/api/v1/invoices/{id}"),
            &[],
            &json!({"pricesIncludeVat": false}),
        )
        .json();
        assert_eq!((cents(&edited["subtotal"]), cents(&edited["total"])), (4_090, 4_818));
        assert_eq!(server.discrepancies(ANNA), Vec::<String>::new());
    }

    fn prepayments_wait_for_the_final_invoice(engine) {
        let server = Server::start(engine);
        let key = server.account(ANNA);
        let invoice = |price: i64, more: Value| {
            let mut body = simple_invoice();
            body["items"][0]["unitPrice"] = json!(price);
            for (name, value) in more.as_object().unwrap() {
                body[name] = value.clone();
            }
            body
        };
        let advance =
            create(&server, &key, "/api/v1/invoices", &invoice(1_000, json!({"prepayment": true})));
        assert_eq!(
            lines(&server, &key, &advance["entryIds"][0]),
            [on("1300", 121_000, ""), on("1620", -100_000, "1a"), on("1700", -21_000, "1a")]
        );
        let refused = |body: &Value| server.post(&key, "/api/v1/invoices", body).faults();
        let at_first = |code: &str| vec![("/prepaymentInvoiceIds/0".to_owned(), code.to_owned())];
        assert_eq!(
            refused(&invoice(3_000, json!({"prepaymentInvoiceIds": [9]}))),
            at_first("unknown_value")
        );
        assert_eq!(
            refused(&invoice(
                3_000,
                json!({"prepaymentInvoiceIds": [1], "customer": {"name": "Another"}})
            )),
            at_first("unknown_value")
        );
        assert_eq!(
            refused(&invoice(999, json!({"prepaymentInvoiceIds": [1]}))),
            [("/items".to_owned(), "negative_vat_group".to_owned())]
        );
        let last = create(
            &server,
            &key,
            "/api/v1/invoices",
            &invoice(3_000, json!({"status": "draft", "prepaymentInvoiceIds": [1]})),
        );
        assert_eq!(
            (
                cents(&last["total"]),
                &last["prepaymentInvoiceIds"],
                last["items"].as_array().unwrap().len()
            ),
            (242_000, &json!([1]), 2)
        );
        assert_eq!(
            (&last["items"][1]["quantity"], &last["items"][1]["unitPrice"]),
            (&json!(-1), &json!(1000))
        );
        assert_eq!(
            lines(&server, &key, &last["entryIds"][0]),
            [
                on("1300", 242_000, ""),
                on("8000", -300_000, "1a"),
                on("1620", 100_000, "1a"),
                on("1700", -42_000, "1a")
            ]
        );
        // A prepayment that is set off cannot be set off again or credited.
        assert_eq!(
            refused(&invoice(3_000, json!({"prepaymentInvoiceIds": [1]}))),
            at_first("exceeds_outstanding")
        );
        assert_eq!(
            server.post(&key, "/api/v1/invoices/1/credit-notes", &json!({})).code(),
            "already_credited"
        );
        // An edit keeps or releases the prepayment; withdrawing the draft releases it too.
        let edit = |body: Value| {
            crate::help::patch(&server, &key, "/api/v1/invoices/2", &[], &body).json()
        };
        assert_eq!(
            cents(
                &edit(
                    json!({"items": [{"description": "All", "unitPrice": 2_000, "vatRate": 21}]})
                )["total"]
            ),
            121_000
        );
        assert_eq!(cents(&edit(json!({"prepaymentInvoiceIds": []}))["total"]), 242_000);
        assert_eq!(cents(&edit(json!({"prepaymentInvoiceIds": [1]}))["total"]), 121_000);
        assert_eq!(delete(&server, &key, "/api/v1/invoices/2").status, 200);
        let sent = create(
            &server,
            &key,
            "/api/v1/invoices",
            &invoice(3_000, json!({"prepaymentInvoiceIds": [1]})),
        );
        // Crediting the whole invoice, in two parts, releases the prepayment, which can then be
        // credited.
        let path = format!("/api/v1/invoices/{}/credit-notes", sent["id"]);
        create(
            &server,
            &key,
            &path,
            &json!({"items": [{"description": "Part", "unitPrice": 500, "vatRate": 21}]}),
        );
        assert_eq!(
            server.post(&key, "/api/v1/invoices/1/credit-notes", &json!({})).code(),
            "already_credited"
        );
        let rest = create(&server, &key, &path, &json!({}));
        assert_eq!(cents(&rest["total"]), -181_500);
        assert_eq!(
            cents(&create(&server, &key, "/api/v1/invoices/1/credit-notes", &json!({}))["total"]),
            -121_000
        );
        assert_eq!(vat_box(&server, &key, "2026/1", "1a"), (0, 0));
        assert_eq!(server.discrepancies(ANNA), Vec::<String>::new());
    }

    fn a_prepayment_covers_a_whole_invoice_or_is_lost(engine) {
        let server = Server::start(engine);
        let key = server.account(ANNA);
        let invoice = |price: i64, more: Value| {
            let mut body = simple_invoice();
            body["invoiceDate"] = json!("2026-03-01");
            body["items"] = json!([{"description": "Work", "unitPrice": price, "vatRate": 21}]);
            body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            body
        };
        let made = |path: &str, body: &Value| create(&server, &key, &format!("/api/v1/{path}"), body);
        let (advance, final_invoice) =
            (json!({"prepayment": true}), json!({"prepaymentInvoiceIds": [1]}));
        made("invoices", &invoice(1_000, advance.clone()));
        let covered = made("invoices", &invoice(1_000, final_invoice.clone()));
        assert_eq!((cents(&covered["total"]), &covered["paid"]), (0, &json!(true)), "{covered}");
        assert_eq!(
            lines(&server, &key, &covered["entryIds"][0]),
            [on("8000", -100_000, "1a"), on("1620", 100_000, "1a")]
        );
        // Crediting it in full reverses all lines, so the prepayment can be set off again.
        let note = made("invoices/2/credit-notes", &json!({}));
        assert_eq!((cents(&note["total"]), note["items"].as_array().unwrap().len()), (0, 2), "{note}");
        made("invoices", &invoice(1_000, final_invoice));

        // An unpaid prepayment is no cost: nothing was supplied.
        let lost = made("invoices", &invoice(1_000, advance));
        let path = format!("invoices/{}", lost["id"]);
        let written_off = made(&format!("{path}/write-off"), &json!({"date": "2026-03-10"}));
        assert_eq!(
            lines(&server, &key, &written_off["entryId"]),
            [on("1620", 100_000, "1a"), on("1700", 21_000, "1a"), on("1300", -121_000, "")]
        );
        let again = invoice(3_000, json!({"prepaymentInvoiceIds": [lost["id"]]}));
        let refused = server.post(&key, "/api/v1/invoices", &again).faults();
        assert_eq!(refused, [("/prepaymentInvoiceIds/0".into(), "exceeds_outstanding".into())]);
        // Half of it is received after all, and can be set off.
        let half = json!({"date": "2026-03-12", "amount": 605, "method": "bank"});
        let paid = made(&format!("{path}/payments"), &half);
        assert_eq!(
            lines(&server, &key, &paid["entryId"]),
            [on("1100", 60_500, ""), on("1620", -50_000, "1a"), on("1700", -10_500, "1a")]
        );
        let rest = made("invoices", &again);
        assert_eq!(cents(&rest["total"]), 302_500);
        // The write-off cannot be undone, because part of it was received since.
        let undone =
            server.post(&key, &format!("/api/v1/{path}/write-off/1/undo"), &json!({}));
        assert_eq!(undone.status, 422, "{}", undone.text);
        assert!(undone.text.contains("was received since"), "{}", undone.text);
        assert_eq!(server.discrepancies(ANNA), Vec::<String>::new());
    }

    /// A prepayment of 1 000.00 above what was supplied in the end, or one with VAT for a supply
    /// that is exempt under the small businesses scheme, is credited first.
    fn a_prepayment_above_its_final_invoice_is_credited_first(engine) {
        let server = Server::start(engine);
        let key = server.account(ANNA);
        let made = |path: &str, body: &Value| create(&server, &key, &format!("/api/v1/{path}"), body);
        let invoice = |day: &str, price: i64, rate: i64, more: Value| {
            let mut body = simple_invoice();
            body["invoiceDate"] = json!(day);
            body["items"] = json!([{"description": "Work", "unitPrice": price, "vatRate": rate}]);
            body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            body
        };
        let refused = |body: &Value| {
            let refused = server.post(&key, "/api/v1/invoices", body);
            assert_eq!(refused.faults(), [("/items".to_owned(), "negative_vat_group".to_owned())]);
            assert!(refused.text.contains("credit a prepayment"), "{}", refused.text);
        };
        made("invoices", &invoice("2026-02-01", 1_000, 21, json!({"prepayment": true})));
        let lower = invoice("2026-03-01", 900, 21, json!({"prepaymentInvoiceIds": [1]}));
        refused(&lower);
        let less = json!({"date": "2026-03-01", "items": [{"description": "Less", "unitPrice": 100, "vatRate": 21}]});
        made("invoices/1/credit-notes", &less);
        let covered = made("invoices", &lower);
        assert_eq!((cents(&covered["total"]), &covered["paid"]), (0, &json!(true)), "{covered}");
        assert_eq!(vat_box(&server, &key, "2026/1", "1a"), (90_000, 18_900));
        // The second prepayment has VAT, the supply does not.
        let second = made("invoices", &invoice("2026-03-02", 1_000, 21, json!({"prepayment": true})));
        let scheme = json!({"scheme": "kor", "from": "2026-04-01"});
        assert_eq!(server.post(&key, "/api/v1/vat-scheme", &scheme).status, 200);
        let supplied = |more: Value| invoice("2026-04-10", 2_000, 0, more);
        refused(&supplied(json!({"prepaymentInvoiceIds": [second["id"]]})));
        let path = format!("invoices/{}/credit-notes", second["id"]);
        made(&path, &json!({"date": "2026-04-10"}));
        assert_eq!(cents(&made("invoices", &supplied(json!({})))["total"]), 200_000);
        assert_eq!(vat_box(&server, &key, "2026/2", "1a"), (-100_000, -21_000));
        assert_eq!(server.discrepancies(ANNA), Vec::<String>::new());
    }

    /// The lines of a credit note take first the amount due, then the prepayments, which can be set
    /// off again, and then what the customer paid.
    fn credited_lines_release_prepayments(engine) {
        let server = Server::start(engine);
        let key = server.account(ANNA);
        let made = |path: &str, body: &Value| create(&server, &key, &format!("/api/v1/{path}"), body);
        let invoice = |price: i64, more: Value| {
            let mut body = simple_invoice();
            body["invoiceDate"] = json!("2026-03-01");
            body["items"] = json!([{"description": "Work", "unitPrice": price, "vatRate": 21}]);
            body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            made("invoices", &body)["id"].as_i64().unwrap()
        };
        let advance = |price| invoice(price, json!({"prepayment": true}));
        let after = |price, advance: i64| invoice(price, json!({"prepaymentInvoiceIds": [advance]}));
        let part = |price: i64| json!({"items": [{"description": "Less", "unitPrice": price, "vatRate": 21}]});
        let credit = |id: i64, body: &Value| made(&format!("invoices/{id}/credit-notes"), body);
        let refused = |id: i64, body: &Value| {
            server.post(&key, &format!("/api/v1/invoices/{id}/credit-notes"), body)
        };

        // A final invoice of which nothing is due.
        let prepaid = advance(1_000);
        let covered = after(1_000, prepaid);
        let note = credit(covered, &part(100));
        assert_eq!((cents(&note["total"]), note["items"].as_array().unwrap().len()), (0, 2), "{note}");
        assert_eq!(
            lines(&server, &key, &note["entryIds"][0]),
            [on("8000", 10_000, "1a"), on("1620", -10_000, "1a")]
        );
        let too_much = refused(covered, &part(901));
        assert_eq!(too_much.faults(), [("/items".into(), "exceeds_outstanding".into())]);
        assert!(too_much.text.contains("900.00"), "{}", too_much.text);
        let again = after(100, prepaid);
        let again = server.get(&key, &format!("/api/v1/invoices/{again}")).json();
        assert_eq!((cents(&again["total"]), &again["paid"]), (0, &json!(true)));
        let rest = credit(covered, &json!({}));
        assert_eq!((cents(&rest["total"]), rest["items"].as_array().unwrap().len()), (0, 2), "{rest}");
        let nothing = refused(covered, &json!({}));
        assert_eq!((nothing.status, nothing.code().as_str()), (409, "already_credited"));

        // 600 and 126 of VAT are due; 100 of the prepayment is released.
        let prepaid = advance(400);
        let unpaid = after(1_000, prepaid);
        let note = credit(unpaid, &part(700));
        assert_eq!(cents(&note["total"]), -72_600, "{note}");
        assert_eq!(
            lines(&server, &key, &note["entryIds"][0]),
            [on("1300", -72_600, ""), on("8000", 70_000, "1a"), on("1620", -10_000, "1a"), on("1700", 12_600, "1a")]
        );
        // Paid: the prepayment first, and the rest is to be refunded.
        let prepaid = advance(400);
        let paid = after(1_000, prepaid);
        made(&format!("invoices/{paid}/payments"), &json!({"date": "2026-03-12", "amount": 726}));
        let note = credit(paid, &part(700));
        assert_eq!(cents(&note["total"]), -36_300, "{note}");
        let paid = server.get(&key, &format!("/api/v1/invoices/{paid}")).json();
        assert_eq!(cents(&paid["amountToRefund"]), 36_300, "{paid}");
        assert_eq!(server.discrepancies(ANNA), Vec::<String>::new());
    }

    fn an_old_draft_is_sent_on_a_new_day_with_warnings(engine) {
        let server = Server::start(engine);
        let key = server.account(ANNA);
        let mut draft = simple_invoice();
        draft["status"] = json!("draft");
        draft["invoiceDate"] = json!("2026-02-10");
        draft["customer"] = json!({"name": "Monsieur Dupont", "country": "FR"});
        let codes = |invoice: &Value| {
            invoice["warnings"]
                .as_array()
                .unwrap()
                .iter()
                .map(|warning| warning["code"].as_str().unwrap().to_owned())
                .collect::<Vec<_>>()
        };
        let missing = [
            "supplier_address_missing",
            "supplier_kvk_missing",
            "supplier_vat_number_missing",
            "ubl_not_possible",
        ];
        let made_draft = create(&server, &key, "/api/v1/invoices", &draft);
        assert_eq!(
            codes(&made_draft),
            [&["consumer_abroad", "customer_kind_unknown"], &missing[..], &["draft_on_return"]].concat()
        );
        let send = |id: i64, body: Value| {
            crate::help::patch(&server, &key, &format!("/api/v1/invoices/{id}"), &[], &body).json()
        };
        let sent = send(1, json!({"status": "sent", "invoiceDate": "2026-03-14"}));
        assert_eq!(
            (&sent["supplyDate"], &sent["invoiceDate"], &sent["vatDate"]),
            (&json!("2026-02-10"), &json!("2026-03-14"), &json!("2026-03-14"))
        );
        let entry = server.get(&key, &format!("/api/v1/entries/{}", sent["entryIds"][2])).json();
        assert_eq!(
            (&entry["date"], sent["entryIds"].as_array().unwrap().len()),
            (&json!("2026-03-14"), 3)
        );
        // A draft in a filed return keeps its VAT date and its entries when it is sent.
        draft["customer"] = json!({"name": "Pier", "country": "US"});
        let second = create(&server, &key, "/api/v1/invoices", &draft);
        assert_eq!(codes(&second)[0], "category_contradicts_country");
        server.clock.set("2026-04-20T11:00:00Z");
        file(&server, ANNA, 2026, 1);
        let sent = send(2, json!({"status": "sent", "invoiceDate": "2026-04-20"}));
        assert_eq!(
            (&sent["status"], &sent["invoiceDate"], &sent["vatDate"], &sent["entryIds"]),
            (&json!("sent"), &json!("2026-04-20"), &json!("2026-02-10"), &second["entryIds"])
        );
        // A payment dated in a quarter before the one in which the VAT is due causes a warning.
        let mut late = simple_invoice();
        late["invoiceDate"] = json!("2026-04-19");
        create(&server, &key, "/api/v1/invoices", &late);
        let third = || codes(&server.get(&key, "/api/v1/invoices/3").json());
        assert_eq!(third(), missing);
        create(
            &server,
            &key,
            "/api/v1/invoices/3/payments",
            &json!({"date": "2026-03-31", "amount": 10}),
        );
        assert_eq!(third(), [&missing[..], &["paid_before_invoice"]].concat());
        delete(&server, &key, "/api/v1/invoices/3/payments/1");
        assert_eq!(third(), missing);
        assert_eq!(server.discrepancies(ANNA), Vec::<String>::new());
    }
}
