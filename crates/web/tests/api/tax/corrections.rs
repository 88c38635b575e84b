//! Corrections to a filed quarter by bookings other than invoices: expenses, assets, write-offs,
//! withdrawn drafts, private use, payouts, and payments of written-off debts.

use crate::{
    help::{cents, file, patch, reopen, vat_box, walk},
    purchases::expenses::postings,
    simple_invoice,
};
use serde_json::{Value, json};
use testing::{Engine, Reply, Server, on_both_engines};

const EMAIL: &str = "anna@example.com";

/// Creates an account; today is 20 February 2026.
fn started(engine: Engine) -> (Server, String) {
    let server = Server::start(engine);
    let key = server.account(EMAIL);
    server.clock.set("2026-02-20T10:00:00Z");
    (server, key)
}

fn expense(day: &str, amount: i64) -> Value {
    let items = json!([{"category": "4110", "amount": amount, "vatRate": 21}]);
    json!({"date": day, "supplier": "Papierhal", "paidFrom": "bank", "items": items})
}

fn with(mut body: Value, more: &Value) -> Value {
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

fn entries(body: &Value) -> usize {
    body["entryIds"].as_array().unwrap().len()
}

/// Balance of a ledger account: debit less credit, in cents.
fn balance(server: &Server, key: &str, code: &str) -> i64 {
    let lines = |entry: &Value| {
        let on_it =
            entry["lines"].as_array().unwrap().iter().filter(|line| line["accountCode"] == code);
        on_it.map(|line| cents(&line["debit"]) - cents(&line["credit"])).sum::<i64>()
    };
    [2025, 2026]
        .iter()
        .flat_map(|year| walk(server, key, &format!("/api/v1/entries?year={year}"), || ()))
        .map(|entry| lines(&entry))
        .sum()
}

fn refused(reply: &Reply) {
    assert_eq!((reply.status, reply.code()), (409, "period_filed".into()), "{}", reply.text);
}

on_both_engines! {
    fn a_forgotten_purchase_is_cost_of_its_own_year_and_its_vat_is_deducted_on_the_next_return(engine) {
        let (server, key) = started(engine);
        file(&server, EMAIL, 2025, 4);
        let body = expense("2025-11-20", 400);
        refused(&server.post(&key, "/api/v1/expenses", &body));
        let reply =
            server.post(&key, "/api/v1/expenses", &with(body, &json!({"correction": true})));
        assert_eq!((reply.status, entries(&reply.json())), (201, 2), "{}", reply.text);
        assert_eq!(server.get(&key, "/api/v1/expenses/1").json(), reply.json());
        // One entry books the cost of 400 and parks the VAT of 84; the other deducts that VAT in
        // the first quarter of 2026.
        assert_eq!(
            postings(&server, &key, &reply.json()["entryIds"][0]),
            ["4110 D 40000", "1100 C 48400", "1785 D 8400"]
        );
        assert_eq!(
            postings(&server, &key, &reply.json()["entryIds"][1]),
            ["1500 D 8400 5b", "1785 C 8400"]
        );
        assert_eq!(
            (vat_box(&server, &key, "2025/4", "5b").1, vat_box(&server, &key, "2026/1", "5b").1),
            (0, 8_400)
        );
        assert_eq!(cents(&server.get(&key, "/api/v1/summary/2025").json()["costs"]), 40_000);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        // The limit applies to the sum of an edit's reversal and its new booking, so that a
        // purchase near the limit can be corrected.
        let path = "/api/v1/expenses/1";
        let amount = |amount: i64| json!({"items": [{"category": "4110", "amount": amount, "vatRate": 21}], "correction": true});
        refused(&patch(&server, &key, path, &[], &json!({"date": "2025-11-21"})));
        for (euros, vat) in [(4_700, 98_700), (4_600, 96_600), (300, 6_300)] {
            let edited = patch(&server, &key, path, &[], &amount(euros));
            assert_eq!(
                (
                    edited.status,
                    vat_box(&server, &key, "2026/1", "5b").1,
                    balance(&server, &key, "1785")
                ),
                (200, vat, 0),
                "{}",
                edited.text
            );
            assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        }
        assert_eq!(patch(&server, &key, path, &[], &amount(4_763)).code(), "correction_too_large");
        // An edit of the description changes no return and needs no correction.
        let edited = patch(&server, &key, path, &[], &json!({"description": "Licence"}));
        assert_eq!(
            (edited.status, &edited.json()["description"]),
            (200, &json!("Licence")),
            "{}",
            edited.text
        );
        // Undoing removes the expense from every return.
        let undone = server.post(&key, "/api/v1/expenses/1/undo", &json!({"correction": true}));
        assert_eq!(
            (undone.status, &undone.json()["status"]),
            (200, &json!("undone")),
            "{}",
            undone.text
        );
        assert_eq!(
            (
                vat_box(&server, &key, "2026/1", "5b").1,
                balance(&server, &key, "1785"),
                balance(&server, &key, "4110")
            ),
            (0, 0, 0)
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn an_expense_of_a_filed_quarter_is_edited_and_undone_as_a_correction(engine) {
        let (server, key) = started(engine);
        assert_eq!(
            server.post(&key, "/api/v1/expenses", &expense("2025-11-20", 4_700)).status,
            201
        );
        file(&server, EMAIL, 2025, 4);
        let filed = server.get(&key, "/api/v1/vat-filings/2025/4").json()["boxes"].clone();
        let items = json!({"items": [{"category": "4110", "amount": 4_600, "vatRate": 21}], "correction": true});
        let edited = patch(&server, &key, "/api/v1/expenses/1", &[], &items);
        assert_eq!(
            (edited.status, vat_box(&server, &key, "2026/1", "5b").1),
            (200, -2_100),
            "{}",
            edited.text
        );
        // The part in the next return, which is open, is removed without the flag `correction`; the
        // part in the filed return needs the flag.
        let undone = server.post(&key, "/api/v1/expenses/1/undo", &json!({}));
        assert_eq!(
            (undone.status, vat_box(&server, &key, "2026/1", "5b").1),
            (200, -98_700),
            "{}",
            undone.text
        );
        assert_eq!(server.get(&key, "/api/v1/vat-filings/2025/4").json()["boxes"], filed);
        assert_eq!(
            (
                balance(&server, &key, "1785"),
                balance(&server, &key, "4110"),
                balance(&server, &key, "1100")
            ),
            (0, 0, 0)
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn an_expense_of_a_filed_quarter_is_undone_only_as_a_correction(engine) {
        let (server, key) = started(engine);
        assert_eq!(server.post(&key, "/api/v1/expenses", &expense("2025-11-20", 400)).status, 201);
        file(&server, EMAIL, 2025, 4);
        refused(&server.post(&key, "/api/v1/expenses/1/undo", &json!({})));
        let undone = server.post(&key, "/api/v1/expenses/1/undo", &json!({"correction": true}));
        assert_eq!(
            (undone.status, vat_box(&server, &key, "2026/1", "5b").1),
            (200, -8_400),
            "{}",
            undone.text
        );
        // After reopening, neither return contains the expense.
        reopen(&server, EMAIL, 2025, 4);
        assert_eq!(
            (vat_box(&server, &key, "2025/4", "5b").1, vat_box(&server, &key, "2026/1", "5b").1),
            (0, 0)
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn an_expense_returns_to_its_reopened_quarter_and_can_be_edited(engine) {
        let (server, key) = started(engine);
        file(&server, EMAIL, 2025, 4);
        let body =
            with(expense("2025-11-20", 400), &json!({"correction": true, "paidFrom": "unpaid"}));
        assert_eq!(server.post(&key, "/api/v1/expenses", &body).status, 201);
        reopen(&server, EMAIL, 2025, 4);
        assert_eq!(
            (vat_box(&server, &key, "2025/4", "5b").1, vat_box(&server, &key, "2026/1", "5b").1),
            (8_400, 0)
        );
        let edited = patch(&server, &key, "/api/v1/expenses/1", &[], &json!({"businessShare": 50}));
        assert_eq!(
            (edited.status, vat_box(&server, &key, "2025/4", "5b").1),
            (200, 4_200),
            "{}",
            edited.text
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        assert_eq!(server.post(&key, "/api/v1/expenses/1/undo", &json!({})).status, 200);
        assert_eq!(
            (vat_box(&server, &key, "2025/4", "5b").1, balance(&server, &key, "1600")),
            (0, 0)
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn vat_on_an_unpaid_bill_and_an_asset_are_corrections_too(engine) {
        let (server, key) = started(engine);
        let bill = with(expense("2024-09-01", 500), &json!({"paidFrom": "unpaid"}));
        assert_eq!(server.post(&key, "/api/v1/expenses", &bill).status, 201);
        file(&server, EMAIL, 2025, 4);
        let repayment = json!({"date": "2025-10-01"});
        refused(&server.post(&key, "/api/v1/expenses/1/vat-repayment", &repayment));
        let repaid = server.post(
            &key,
            "/api/v1/expenses/1/vat-repayment",
            &with(repayment, &json!({"correction": true})),
        );
        assert_eq!(
            (repaid.status, vat_box(&server, &key, "2026/1", "5b").1),
            (200, -10_500),
            "{}",
            repaid.text
        );
        let payment = json!({"date": "2025-12-30", "method": "bank"});
        refused(&server.post(&key, "/api/v1/expenses/1/payments", &payment));
        let paid = server.post(
            &key,
            "/api/v1/expenses/1/payments",
            &with(payment, &json!({"correction": true})),
        );
        assert_eq!(
            (paid.status, cents(&paid.json()["vatRecovered"])),
            (201, 10_500),
            "{}",
            paid.text
        );
        assert_eq!(
            (vat_box(&server, &key, "2026/1", "5b").1, balance(&server, &key, "1785")),
            (0, 0)
        );
        assert_eq!(
            server
                .post(&key, "/api/v1/expenses/1/payments/1/undo", &json!({"correction": true}))
                .status,
            200
        );
        assert_eq!(vat_box(&server, &key, "2026/1", "5b").1, -10_500);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        let laptop = json!({"date": "2025-12-15", "description": "Laptop", "cost": 1_000, "correction": true});
        let bought = server.post(&key, "/api/v1/assets", &laptop);
        assert_eq!((bought.status, entries(&bought.json())), (201, 2), "{}", bought.text);
        let sale = json!({"date": "2025-12-31", "proceeds": 500, "correction": true});
        assert_eq!(server.post(&key, "/api/v1/assets/1/dispose", &sale).status, 200);
        assert_eq!(
            (vat_box(&server, &key, "2026/1", "1a"), vat_box(&server, &key, "2026/1", "5b").1),
            ((50_000, 10_500), 10_500)
        );
        assert_eq!(server.post(&key, "/api/v1/assets/1/undo", &json!({})).status, 200);
        assert_eq!(
            (
                vat_box(&server, &key, "2026/1", "1a").1,
                balance(&server, &key, "0200"),
                balance(&server, &key, "1785")
            ),
            (0, 0, 0)
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_write_off_of_a_filed_quarter_is_made_and_undone_as_a_correction(engine) {
        let (server, key) = started(engine);
        let mut invoice = simple_invoice();
        (invoice["invoiceDate"], invoice["status"]) = (json!("2025-10-05"), json!("sent"));
        assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).status, 201);
        file(&server, EMAIL, 2025, 4);
        let path = "/api/v1/invoices/1/write-off";
        let body = json!({"date": "2025-12-20"});
        refused(&server.post(&key, path, &body));
        let reply = server.post(&key, path, &with(body, &json!({"correction": true})));
        assert_eq!(
            (reply.status, vat_box(&server, &key, "2026/1", "1a")),
            (201, (-10_000, -2_100)),
            "{}",
            reply.text
        );
        assert_eq!((balance(&server, &key, "1300"), balance(&server, &key, "1785")), (0, 0));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        let undo = format!("{path}/1/undo");
        refused(&server.post(&key, &undo, &json!({})));
        assert_eq!(server.post(&key, &format!("{undo}?correction=true"), &json!({})).status, 200);
        assert_eq!(
            (vat_box(&server, &key, "2026/1", "1a"), balance(&server, &key, "1300")),
            ((0, 0), 12_100)
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        // The invoice is written off again. When the quarter of the write-off is reopened, the
        // correction moves into that quarter.
        assert_eq!(
            server.post(&key, path, &json!({"date": "2025-12-21", "correction": true})).status,
            201
        );
        reopen(&server, EMAIL, 2025, 4);
        assert_eq!(
            (vat_box(&server, &key, "2025/4", "1a").1, vat_box(&server, &key, "2026/1", "1a").1),
            (0, 0)
        );
        assert_eq!(server.post(&key, &format!("{path}/2/undo"), &json!({})).status, 200);
        assert_eq!(
            (vat_box(&server, &key, "2025/4", "1a").1, balance(&server, &key, "1300")),
            (2_100, 12_100)
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_draft_of_a_filed_quarter_is_withdrawn_as_a_correction(engine) {
        let (server, key) = started(engine);
        let mut draft = simple_invoice();
        (draft["invoiceDate"], draft["status"]) = (json!("2025-10-05"), json!("draft"));
        assert_eq!(server.post(&key, "/api/v1/invoices", &draft).status, 201);
        file(&server, EMAIL, 2025, 4);
        let delete = |path: &str| server.send("DELETE", path, &[("x-api-key", &key)], None);
        refused(&delete("/api/v1/invoices/1"));
        assert_eq!(
            delete("/api/v1/invoices/1?correction=perhaps").faults()[0],
            ("correction".into(), "unknown_value".into())
        );
        let taken_back = delete("/api/v1/invoices/1?correction=true");
        assert_eq!(
            (taken_back.status, &taken_back.json()["status"]),
            (200, &json!("cancelled")),
            "{}",
            taken_back.text
        );
        assert_eq!(
            (vat_box(&server, &key, "2026/1", "1a"), balance(&server, &key, "1785")),
            ((-10_000, -2_100), 0)
        );
        assert_eq!(delete("/api/v1/invoices/1").status, 200);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn private_use_of_a_filed_quarter_is_a_correction(engine) {
        let (server, key) = started(engine);
        file(&server, EMAIL, 2025, 4);
        let path = "/api/v1/private-use";
        let body = json!({"date": "2025-12-31", "kind": "goods", "vat": 21, "base": 100});
        refused(&server.post(&key, path, &body));
        let reply = server.post(&key, path, &with(body.clone(), &json!({"correction": true})));
        assert_eq!((reply.status, entries(&reply.json())), (201, 2), "{}", reply.text);
        assert_eq!(
            (vat_box(&server, &key, "2025/4", "1d"), vat_box(&server, &key, "2026/1", "1d")),
            ((0, 0), (10_000, 2_100))
        );
        assert_eq!((balance(&server, &key, "1785"), balance(&server, &key, "0550")), (0, 12_100));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        // The return with the correction is open, so undoing needs no flag.
        let undone = server.post(&key, &format!("{path}/1/undo"), &json!({}));
        assert_eq!(
            (undone.status, vat_box(&server, &key, "2026/1", "1d"), balance(&server, &key, "0550")),
            (200, (0, 0), 0),
            "{}",
            undone.text
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        // When the booking's own quarter is reopened, the booking moves into that quarter and is
        // undone there.
        assert_eq!(
            server.post(&key, path, &with(body.clone(), &json!({"correction": true}))).status,
            201
        );
        reopen(&server, EMAIL, 2025, 4);
        assert_eq!(
            (vat_box(&server, &key, "2025/4", "1d"), vat_box(&server, &key, "2026/1", "1d")),
            ((10_000, 2_100), (0, 0))
        );
        file(&server, EMAIL, 2025, 4);
        refused(&server.post(&key, &format!("{path}/2/undo"), &json!({})));
        assert_eq!(
            server.post(&key, &format!("{path}/2/undo"), &json!({"correction": 1})).faults(),
            [("/correction".into(), "invalid_type".into())]
        );
        let undone = server.post(&key, &format!("{path}/2/undo"), &json!({"correction": true}));
        assert_eq!(
            (undone.status, vat_box(&server, &key, "2026/1", "1d"), balance(&server, &key, "1785")),
            (200, (-10_000, -2_100), 0),
            "{}",
            undone.text
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        let large =
            json!({"date": "2025-12-31", "kind": "car", "vat": 1_021.01, "correction": true});
        assert_eq!(server.post(&key, path, &large).code(), "correction_too_large");
        // Events without a VAT box do not accept the flag `correction`.
        let transfer = json!({"date": "2025-12-31", "from": "bank", "to": "savings", "amount": 1, "correction": true});
        assert_eq!(
            server.post(&key, "/api/v1/transfers", &transfer).faults(),
            [("/correction".into(), "unknown_field".into())]
        );
    }

    fn every_undo_takes_the_correction_flag_in_the_same_places(engine) {
        let (server, key) = started(engine);
        let mut draft = simple_invoice();
        (draft["invoiceDate"], draft["status"]) = (json!("2025-11-20"), json!("draft"));
        let bill = with(expense("2025-11-20", 10), &json!({"paidFrom": "unpaid"}));
        let asset = json!({"date": "2025-11-20", "description": "Desk", "cost": 500});
        let payout =
            json!({"date": "2025-12-30", "amount": 100, "fee": 12.1, "feeVatTreatment": "normal"});
        let private = json!({"date": "2025-12-31", "kind": "goods", "vat": 2.1, "base": 10});
        let mut sent = draft.clone();
        sent["status"] = json!("sent");
        for (path, body) in [
            ("invoices", draft),
            ("invoices", sent),
            ("expenses", bill),
            ("assets", asset),
            ("payouts", payout),
            ("private-use", private),
        ] {
            for _ in 0..2 {
                let reply = server.post(&key, &format!("/api/v1/{path}"), &body);
                assert_eq!(reply.status, 201, "{path}: {}", reply.text);
            }
        }
        for id in [3, 4] {
            let gone = server.post(
                &key,
                &format!("/api/v1/invoices/{id}/write-off"),
                &json!({"date": "2025-12-01"}),
            );
            assert_eq!(gone.status, 201, "{}", gone.text);
        }
        let paid = server.post(
            &key,
            "/api/v1/invoices/3/payments",
            &json!({"date": "2025-12-02", "amount": 12.1}),
        );
        assert_eq!(paid.status, 201, "{}", paid.text);
        file(&server, EMAIL, 2025, 4);
        let headers = [("x-api-key", key.as_str()), ("content-type", "application/json")];
        let act = |method: &str, path: &str, body: Option<&str>| {
            server.send(method, &format!("/api/v1/{path}"), &headers, body.map(str::as_bytes))
        };
        let body = Some(r#"{"correction": true}"#);
        // Every operation that undoes something accepts the flag as a query parameter. An operation
        // with a body accepts it in the body as well, but not in both places at once.
        for path in ["invoices/1", "invoices/3/payments/1"] {
            refused(&act("DELETE", path, None));
            assert_eq!(
                act("DELETE", path, body).faults(),
                [("/correction".into(), "unknown_field".into())],
                "{path}"
            );
            assert_eq!(
                act("DELETE", &format!("{path}?correction=true"), None).status,
                200,
                "{path}"
            );
        }
        for (path, other) in [
            ("private-use/1", "private-use/2"),
            ("payouts/1", "payouts/2"),
            ("expenses/1", "expenses/2"),
            ("assets/1", "assets/2"),
            ("invoices/4/write-off/2", "invoices/3/write-off/1"),
        ] {
            let (path, other) = (format!("{path}/undo"), format!("{other}/undo"));
            refused(&act("POST", &path, None));
            refused(&act("POST", &format!("{path}?correction=false"), None));
            refused(&act("POST", &path, Some(r#"{"correction": false}"#)));
            let twice = act("POST", &format!("{path}?correction=true"), body);
            assert_eq!(
                (twice.status, twice.faults()),
                (422, vec![("correction".into(), "too_many".into())]),
                "{path}"
            );
            assert_eq!(
                act("POST", &path, Some(r#"{"corection": true}"#)).faults(),
                [("/corection".into(), "unknown_field".into())],
                "{path}"
            );
            assert_eq!(
                act("POST", &format!("{path}?corection=true"), None).faults(),
                [("corection".into(), "unknown_field".into())],
                "{path}"
            );
            for done in
                [act("POST", &format!("{path}?correction=true"), None), act("POST", &other, body)]
            {
                assert_eq!(done.status, 200, "{path}: {}", done.text);
            }
        }
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        // An event without a VAT box rejects the flag.
        let transfer = json!({"date": "2026-01-02", "from": "bank", "to": "savings", "amount": 1});
        assert_eq!(server.post(&key, "/api/v1/transfers", &transfer).status, 201);
        let id = server.get(&key, "/api/v1/transfers").json()["data"][0]["id"].to_string();
        assert_eq!(
            act("POST", &format!("transfers/{id}/undo"), body).faults(),
            [("/correction".into(), "unknown_field".into())]
        );
        assert_eq!(
            act("POST", &format!("transfers/{id}/undo?correction=true"), None).faults(),
            [("correction".into(), "unknown_field".into())]
        );
        assert_eq!(act("POST", &format!("transfers/{id}/undo"), None).status, 200);
        // A manual entry accepts the flag but is booked unchanged.
        let by_hand = json!({"date": "2025-12-31", "description": "Bank costs", "correction": true, "lines": [{"account": "4610", "debit": 1}, {"account": "1100", "credit": 1}]});
        let reply = server.post(&key, "/api/v1/manual-entries", &by_hand);
        assert_eq!((reply.status, entries(&reply.json())), (201, 1), "{}", reply.text);
        let id = reply.json()["id"].to_string();
        assert_eq!(act("POST", &format!("manual-entries/{id}/reverse"), body).status, 200);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn the_vat_on_the_fee_of_a_payout_is_a_correction(engine) {
        let (server, key) = started(engine);
        file(&server, EMAIL, 2025, 4);
        let body =
            json!({"date": "2025-12-30", "amount": 100, "fee": 12.1, "feeVatTreatment": "normal"});
        refused(&server.post(&key, "/api/v1/payouts", &body));
        let reply =
            server.post(&key, "/api/v1/payouts", &with(body.clone(), &json!({"correction": true})));
        assert_eq!(
            (reply.status, vat_box(&server, &key, "2026/1", "5b").1),
            (201, 210),
            "{}",
            reply.text
        );
        assert_eq!(
            (
                balance(&server, &key, "4610"),
                balance(&server, &key, "1130"),
                balance(&server, &key, "1785")
            ),
            (1_000, -11_210, 0)
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        // Undoing on another day of the filed quarter is a new correction. Undoing on the payout's
        // own date is not, because the return that contains the correction is still open.
        refused(&server.post(&key, "/api/v1/payouts/1/undo?date=2025-12-31", &json!({})));
        assert_eq!(
            server.post(&key, "/api/v1/payouts/1/undo?correction=perhaps", &json!({})).faults()[0],
            ("correction".into(), "unknown_value".into())
        );
        assert_eq!(server.post(&key, "/api/v1/payouts/1/undo", &json!({})).status, 200);
        assert_eq!(
            (
                vat_box(&server, &key, "2026/1", "5b").1,
                balance(&server, &key, "1130"),
                balance(&server, &key, "1100")
            ),
            (0, 0, 0)
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        assert_eq!(
            server.post(&key, "/api/v1/payouts", &with(body, &json!({"correction": true}))).status,
            201
        );
        let undone =
            server.post(&key, "/api/v1/payouts/2/undo?date=2025-12-31&correction=true", &json!({}));
        assert_eq!(
            (
                undone.status,
                vat_box(&server, &key, "2026/1", "5b").1,
                balance(&server, &key, "4610")
            ),
            (200, 0, 0),
            "{}",
            undone.text
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        reopen(&server, EMAIL, 2025, 4);
        assert_eq!(
            (vat_box(&server, &key, "2025/4", "5b").1, vat_box(&server, &key, "2026/1", "5b").1),
            (0, 0)
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_payment_that_recovers_a_write_off_is_a_correction(engine) {
        let (server, key) = started(engine);
        let mut invoice = simple_invoice();
        (invoice["invoiceDate"], invoice["status"]) = (json!("2025-10-05"), json!("sent"));
        assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).status, 201);
        assert_eq!(
            server
                .post(&key, "/api/v1/invoices/1/write-off", &json!({"date": "2025-11-20"}))
                .status,
            201
        );
        file(&server, EMAIL, 2025, 4);
        let path = "/api/v1/invoices/1/payments";
        let body = json!({"date": "2025-12-20", "amount": 60.5});
        refused(&server.post(&key, path, &body));
        let reply = server.post(&key, path, &with(body.clone(), &json!({"correction": true})));
        assert_eq!(
            (reply.status, vat_box(&server, &key, "2026/1", "1a")),
            (201, (5_000, 1_050)),
            "{}",
            reply.text
        );
        assert_eq!(
            (
                balance(&server, &key, "1100"),
                balance(&server, &key, "4340"),
                balance(&server, &key, "1785")
            ),
            (6_050, 5_000, 0)
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        let delete = |path: String| server.send("DELETE", &path, &[("x-api-key", &key)], None);
        refused(&delete(format!("{path}/1")));
        assert_eq!(
            delete(format!("{path}/1?correction=perhaps")).faults()[0],
            ("correction".into(), "unknown_value".into())
        );
        let undone = delete(format!("{path}/1?correction=true"));
        assert_eq!(
            (undone.status, vat_box(&server, &key, "2026/1", "1a"), balance(&server, &key, "4340")),
            (200, (0, 0), 10_000),
            "{}",
            undone.text
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        // The payment is received again. When its own quarter is reopened, the payment moves into
        // that quarter and is undone there.
        assert_eq!(server.post(&key, path, &with(body, &json!({"correction": true}))).status, 201);
        reopen(&server, EMAIL, 2025, 4);
        assert_eq!(
            (vat_box(&server, &key, "2025/4", "1a").1, vat_box(&server, &key, "2026/1", "1a").1),
            (1_050, 0)
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        assert_eq!(delete(format!("{path}/2")).status, 200);
        assert_eq!(
            (vat_box(&server, &key, "2025/4", "1a").1, balance(&server, &key, "1100")),
            (0, 0)
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        // A payment that recovers no written-off debt needs no flag.
        file(&server, EMAIL, 2025, 4);
        let mut other = simple_invoice();
        other["invoiceDate"] = json!("2026-01-05");
        assert_eq!(server.post(&key, "/api/v1/invoices", &other).status, 201);
        assert_eq!(
            server.post(&key, "/api/v1/invoices/2/payments", &json!({"date": "2025-12-20"})).status,
            201
        );
    }
}
