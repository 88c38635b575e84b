//! Filing over the API, VAT payments, corrections to a filed quarter, and closed years.

use crate::{
    help::{books, cents, patch, vat_box, walk},
    purchases::expenses::postings,
    simple_invoice,
};
use serde_json::{Value, json};
use service::{access, environment::Clock};
use store::{accounts::Plan, keys::Scopes};
use testing::{Engine, Reply, Server, on_both_engines};

const EMAIL: &str = "anna@example.com";

/// Creates an API key with the given scopes.
pub(crate) fn filing_key(server: &Server, scopes: Scopes) -> String {
    let (cx, now) = (server.owner(EMAIL), server.clock.now());
    server.write(move |tx| {
        Ok(access::create_key(tx, &cx.at(now), &access::CreateKey::new("files", scopes).unwrap())?
            .secret)
    })
}

/// Starts a server at a time, with an account whose key has all scopes.
pub(super) fn started_at(engine: Engine, now: &str) -> (Server, String) {
    let server = Server::start(engine);
    server.clock.set(now);
    server.account_of(EMAIL, "NL", Plan::Starter);
    let key = filing_key(&server, Scopes { read: true, write: true, file: true });
    (server, key)
}

fn started(engine: Engine) -> (Server, String) {
    let server = Server::start(engine);
    server.account_of(EMAIL, "NL", Plan::Starter);
    let key = filing_key(&server, Scopes { read: true, write: true, file: true });
    (server, key)
}

fn act(server: &Server, key: &str, path: &str) -> Reply {
    server.send("POST", &format!("/api/v1/{path}"), &[("x-api-key", key)], None)
}

fn invoice(day: &str, price: &str, correction: bool) -> Value {
    let mut invoice = simple_invoice();
    invoice["invoiceDate"] = json!(day);
    invoice["items"][0]["unitPrice"] = price.parse::<serde_json::Number>().unwrap().into();
    if correction {
        invoice["correction"] = json!(true);
    }
    invoice
}

/// Balance of a ledger account: debit less credit, in cents.
fn balance(server: &Server, key: &str, code: &str) -> i64 {
    let lines = |entry: &Value| {
        let on_it =
            entry["lines"].as_array().unwrap().iter().filter(|line| line["accountCode"] == code);
        on_it.map(|line| cents(&line["debit"]) - cents(&line["credit"])).sum::<i64>()
    };
    let years = [2025, 2026, 2027]
        .map(|year| walk(server, key, &format!("/api/v1/entries?year={year}"), || ()));
    years.iter().flatten().map(lines).sum()
}

on_both_engines! {
    /// Regression test: reopening the return booked the draft's reversal again, as the draft's last
    /// entry, so the next edit reversed that reversal.
    fn a_corrected_draft_is_edited_once_after_its_return_is_reopened(engine) {
        let (server, key) = started(engine);
        let mut draft = invoice("2026-02-10", "1000", false);
        draft["status"] = json!("draft");
        let id = server.post(&key, "/api/v1/invoices", &draft).json()["id"].clone();
        let path = format!("/api/v1/invoices/{id}");
        server.clock.set("2026-07-02T10:00:00Z");
        assert_eq!(act(&server, &key, "vat-filings/2026/1/file").status, 200);
        let moved = patch(
            &server,
            &key,
            &path,
            &[],
            &json!({"invoiceDate": "2026-05-10", "correction": true}),
        );
        assert_eq!(moved.status, 200, "{}", moved.text);
        assert_eq!(act(&server, &key, "vat-filings/2026/1/reopen").status, 200);
        let price = json!({"items": [{"description": "Work", "quantity": 1, "unitPrice": 300, "vatRate": 21}]});
        assert_eq!(patch(&server, &key, &path, &[], &price).status, 200);
        assert_eq!(
            (balance(&server, &key, "8000"), balance(&server, &key, "1300")),
            (-30_000, 36_300)
        );
        assert_eq!(server.send("DELETE", &path, &[("x-api-key", &key)], None).status, 200);
        assert_eq!((balance(&server, &key, "8000"), balance(&server, &key, "1300")), (0, 0));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    /// The limit applies to the sum of the corrections. While reopening moves them back one by one,
    /// the remaining ones may together exceed the limit.
    fn corrections_with_a_small_sum_do_not_block_reopening(engine) {
        let (server, key) = started(engine);
        assert_eq!(
            server.post(&key, "/api/v1/invoices", &invoice("2026-01-20", "9000", false)).status,
            201
        );
        server.clock.set("2026-04-02T10:00:00Z");
        assert_eq!(act(&server, &key, "vat-filings/2026/1/file").status, 200);
        // VAT rises by 945.00, then falls by 1 890.00.
        assert_eq!(
            server.post(&key, "/api/v1/invoices", &invoice("2026-02-20", "4500", true)).status,
            201
        );
        let items =
            json!([{"description": "Work", "quantity": 1, "unitPrice": 9000, "vatRate": 21}]);
        let credit = json!({"items": items, "date": "2026-02-21", "correction": true});
        let reply = server.post(&key, "/api/v1/invoices/1/credit-notes", &credit);
        assert_eq!(reply.status, 201, "{}", reply.text);
        let opened = act(&server, &key, "vat-filings/2026/1/reopen");
        assert_eq!(opened.status, 200, "{}", opened.text);
        assert_eq!((balance(&server, &key, "8000"), balance(&server, &key, "1785")), (-450_000, 0));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn filing_and_reopening_a_return_need_the_scope_file(engine) {
        let (server, key) = started(engine);
        assert_eq!(
            server.post(&key, "/api/v1/invoices", &invoice("2026-01-20", "1000.50", false)).status,
            201
        );
        let early = act(&server, &key, "vat-filings/2026/1/file");
        assert_eq!((early.status, early.code()), (409, "period_not_over".into()));
        server.clock.set("2026-04-02T10:00:00Z");
        for scopes in [
            Scopes { read: true, write: true, file: false },
            Scopes { read: true, write: false, file: false },
        ] {
            let other = filing_key(&server, scopes);
            let refused = act(&server, &other, "vat-filings/2026/1/file");
            assert_eq!((refused.status, refused.code()), (403, "insufficient_scope".into()));
            assert!(
                refused.json()["detail"].as_str().unwrap().contains("`file`"),
                "{}",
                refused.text
            );
        }
        // A key with only the scope `file`.
        let files = filing_key(&server, Scopes { read: false, write: false, file: true });
        assert_eq!(
            server.post(&files, "/api/v1/contacts", &json!({"name": "A"})).code(),
            "insufficient_scope"
        );
        assert_eq!(server.get(&files, "/api/v1/vat-filings/2026/1").code(), "insufficient_scope");
        let filed = act(&server, &files, "vat-filings/2026/1/file");
        assert_eq!(
            (filed.status, &filed.json()["status"], &filed.json()["declaredPayable"]),
            (200, &json!("filed"), &json!(210))
        );
        assert_eq!(server.get(&key, "/api/v1/vat-filings/2026/1").json(), filed.json());
        assert_eq!(act(&server, &files, "vat-filings/2026/1/file").code(), "period_filed");
        assert_eq!(
            server.post(&files, "/api/v1/vat-filings/2026/2/file", &json!({"x": 1})).faults()[0].1,
            "unknown_field"
        );
        let opened = server.post(&files, "/api/v1/vat-filings/2026/1/reopen", &json!({}));
        assert_eq!(
            (
                opened.status,
                &opened.json()["status"],
                opened.json()["versions"].as_array().unwrap().len()
            ),
            (200, &json!("open"), 1)
        );
        assert_eq!(act(&server, &files, "vat-filings/2026/1/reopen").code(), "period_not_filed");
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn vat_is_paid_refunded_and_undone(engine) {
        let (server, key) = started(engine);
        let path = "/api/v1/vat-payments";
        let payment = json!({"externalId": "bank-1", "date": "2026-03-01", "amount": 210, "vatPeriod": "2025-Q4"});
        let reply = server.post(&key, path, &payment);
        assert_eq!(
            (reply.status, &reply.json()["vatPeriod"]),
            (201, &json!({"year": 2025, "quarter": 4})),
            "{}",
            reply.text
        );
        assert_eq!(
            (server.post(&key, path, &payment).status, balance(&server, &key, "1780")),
            (200, 21_000)
        );
        assert_eq!(
            server
                .post(
                    &key,
                    path,
                    &json!({"date": "2026-03-02", "amount": -10.5, "method": "savings"})
                )
                .status,
            201
        );
        assert_eq!(
            (balance(&server, &key, "1780"), balance(&server, &key, "1110")),
            (19_950, 1_050)
        );
        for (body, fault) in [
            (json!({}), ("/date", "required")),
            (json!({"date": "2026-03-01", "amount": 0}), ("/amount", "out_of_range")),
            (json!({"date": "2026-03-18", "amount": 1}), ("/date", "out_of_range")),
            (
                json!({"date": "2026-03-01", "amount": 1, "vatPeriod": "2026-5"}),
                ("/vatPeriod", "invalid_format"),
            ),
        ] {
            let refused = server.post(&key, path, &body);
            assert_eq!(
                (refused.status, refused.faults()[0].clone()),
                (422, (fault.0.into(), fault.1.into())),
                "{body}"
            );
        }
        let id = reply.json()["id"].clone();
        let undone = act(&server, &key, &format!("vat-payments/{id}/undo"));
        assert_eq!(
            (undone.status, undone.json()["undoneAt"].is_string(), balance(&server, &key, "1780")),
            (200, true, -1_050),
            "{}",
            undone.text
        );
        assert_eq!(act(&server, &key, &format!("vat-payments/{id}/undo")).json(), undone.json());
        assert_eq!(server.get(&key, &format!("{path}/{id}")).json(), undone.json());
        let listed = server.get(&key, path).json();
        assert_eq!(
            (listed["data"].as_array().unwrap().len(), &listed["data"][0]),
            (2, &undone.json())
        );
        assert_eq!(
            server.get(&key, &format!("{path}?externalId=bank-1")).json()["data"],
            json!([undone.json()])
        );
        assert_eq!(act(&server, &key, "vat-payments/99/undo").code(), "not_found");
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_correction_stays_on_its_day_and_the_next_open_return_carries_it(engine) {
        let (server, key) = started(engine);
        assert_eq!(
            server.post(&key, "/api/v1/invoices", &invoice("2025-11-20", "1000", false)).status,
            201
        );
        assert_eq!(act(&server, &key, "vat-filings/2025/4/file").status, 200);
        let filed = server.get(&key, "/api/v1/vat-filings/2025/4").json()["boxes"].clone();
        let before = books(&server, &key);
        let refused = server.post(&key, "/api/v1/invoices", &invoice("2025-12-01", "400", false));
        assert_eq!(refused.code(), "period_filed");
        assert!(
            refused.json()["detail"].as_str().unwrap().contains("correction: true"),
            "{}",
            refused.text
        );
        assert_eq!(books(&server, &key), before);
        let reply = server.post(&key, "/api/v1/invoices", &invoice("2025-12-01", "400", true));
        assert_eq!(
            (reply.status, reply.json()["entryIds"].as_array().unwrap().len()),
            (201, 2),
            "{}",
            reply.text
        );
        // The revenue belongs to 2025, the VAT boxes to the first quarter of 2026. The filed return
        // is unchanged.
        assert_eq!(cents(&server.get(&key, "/api/v1/summary/2025").json()["revenue"]), 140_000);
        assert_eq!(vat_box(&server, &key, "2026/1", "1a"), (40_000, 8_400));
        assert_eq!(
            (
                &server.get(&key, "/api/v1/vat-filings/2025/4").json()["boxes"],
                balance(&server, &key, "1785")
            ),
            (&filed, 0)
        );
        let own =
            server.get(&key, &format!("/api/v1/entries/{}", reply.json()["entryIds"][0])).json();
        let carrying =
            server.get(&key, &format!("/api/v1/entries/{}", reply.json()["entryIds"][1])).json();
        let period = json!({"year": 2025, "quarter": 4});
        assert_eq!(
            (&own["date"], &own["correctsPeriod"], &carrying["date"], &carrying["correctsPeriod"]),
            (&json!("2025-12-01"), &period, &json!("2026-01-01"), &period)
        );
        assert!(own["lines"].as_array().unwrap().iter().all(|line| line["vatBox"].is_null()));
        // The postings in a box of the next return belong to the entry that carries the correction.
        let postings = walk(&server, &key, "/api/v1/vat-filings/2026/1/boxes/1a", || ());
        assert!(
            postings.iter().all(|row| row["entryId"] == carrying["id"]) && postings.len() == 2,
            "{postings:?}"
        );
        // 84.00 + 916.02 of VAT exceeds the limit of 1000.00, and 84.00 + 916.00 does not. A credit
        // note makes room again.
        let large = server.post(&key, "/api/v1/invoices", &invoice("2025-12-02", "4362.00", true));
        assert_eq!(
            (large.status, large.code()),
            (409, "correction_too_large".into()),
            "{}",
            large.text
        );
        assert_eq!(
            server.post(&key, "/api/v1/invoices", &invoice("2025-12-02", "4361.90", true)).status,
            201
        );
        assert_eq!(
            server.post(&key, "/api/v1/invoices", &invoice("2025-12-02", "1", true)).code(),
            "correction_too_large"
        );
        let note = json!({"date": "2025-12-03", "correction": true, "items": [{"description": "x", "unitPrice": 100, "vatRate": 21}]});
        assert_eq!(
            server
                .post(&key, "/api/v1/invoices/1/credit-notes", &json!({"date": "2025-12-03"}))
                .code(),
            "period_filed"
        );
        assert_eq!(server.post(&key, "/api/v1/invoices/1/credit-notes", &note).status, 201);
        assert_eq!(
            server.post(&key, "/api/v1/invoices", &invoice("2025-12-02", "100", true)).status,
            201
        );
        assert_eq!(
            (vat_box(&server, &key, "2026/1", "1a").1, balance(&server, &key, "1785")),
            (100_000, 0)
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        // Reopening moves the corrections back into their own quarter.
        assert_eq!(act(&server, &key, "vat-filings/2025/4/reopen").status, 200);
        assert_eq!(
            (vat_box(&server, &key, "2026/1", "1a"), vat_box(&server, &key, "2025/4", "1a").1),
            ((0, 0), 121_000)
        );
        assert_eq!(
            (
                balance(&server, &key, "1785"),
                cents(&server.get(&key, "/api/v1/summary/2025").json()["revenue"])
            ),
            (0, 576_190)
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        // Corrections in a filed return stay there.
        assert_eq!(act(&server, &key, "vat-filings/2025/4/file").status, 200);
        assert_eq!(
            server.post(&key, "/api/v1/invoices", &invoice("2025-12-05", "100", true)).status,
            201
        );
        server.clock.set("2026-04-02T10:00:00Z");
        assert_eq!(act(&server, &key, "vat-filings/2026/1/file").status, 200);
        assert_eq!(act(&server, &key, "vat-filings/2025/4/reopen").status, 200);
        assert_eq!(vat_box(&server, &key, "2026/1", "1a"), (10_000, 2_100));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_draft_of_a_filed_quarter_is_changed_as_a_correction(engine) {
        let (server, key) = started(engine);
        let mut draft = invoice("2025-11-20", "1000", false);
        draft["status"] = json!("draft");
        assert_eq!(server.post(&key, "/api/v1/invoices", &draft).status, 201);
        assert_eq!(act(&server, &key, "vat-filings/2025/4/file").status, 200);
        let change = |price: i64, correction: bool| {
            let mut body =
                json!({"items": [{"description": "Work", "unitPrice": price, "vatRate": 21}]});
            if correction {
                body["correction"] = json!(true);
            }
            patch(&server, &key, "/api/v1/invoices/1", &[], &body)
        };
        assert_eq!(change(1200, false).code(), "period_filed");
        for (price, vat) in [(1200, 4_200), (900, -2_100), (1000, 0)] {
            let changed = change(price, true);
            assert_eq!(
                (changed.status, cents(&changed.json()["subtotal"])),
                (200, price * 100),
                "{}",
                changed.text
            );
            assert_eq!(
                (vat_box(&server, &key, "2026/1", "1a").1, balance(&server, &key, "1785")),
                (vat, 0),
                "{price}"
            );
            assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        }
        // Sending the draft unchanged needs no `correction` and leaves the VAT in its quarter.
        let sent = patch(
            &server,
            &key,
            "/api/v1/invoices/1",
            &[],
            &json!({"status": "sent", "invoiceDate": "2026-02-01"}),
        );
        assert_eq!((sent.status, &sent.json()["status"]), (200, &json!("sent")), "{}", sent.text);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_closed_year_takes_nothing_until_it_is_opened_again(engine) {
        let (server, key) = started(engine);
        assert_eq!(
            server.post(&key, "/api/v1/invoices", &invoice("2025-11-20", "1000", false)).status,
            201
        );
        assert_eq!(act(&server, &key, "years/2026/close").code(), "year_not_over");
        assert_eq!(act(&server, &key, "years/2025/reopen").code(), "year_not_closed");
        let before = walk(&server, &key, "/api/v1/entries?year=2025", || ()).len();
        let closed = act(&server, &key, "years/2025/close");
        assert_eq!(
            (closed.status, &closed.json()["status"]),
            (200, &json!("closed")),
            "{}",
            closed.text
        );
        assert_eq!(act(&server, &key, "years/2025/close").code(), "year_closed");
        for body in [invoice("2025-12-31", "1", false), invoice("2024-02-01", "1", false)] {
            assert_eq!(server.post(&key, "/api/v1/invoices", &body).code(), "year_closed");
        }
        assert_eq!(
            server.post(&key, "/api/v1/invoices/1/payments", &json!({"date": "2025-12-30"})).code(),
            "year_closed"
        );
        assert_eq!(
            server
                .post(&key, "/api/v1/vat-payments", &json!({"date": "2025-12-30", "amount": 1}))
                .code(),
            "year_closed"
        );
        assert_eq!(
            server.post(&key, "/api/v1/invoices/1/payments", &json!({"date": "2026-01-02"})).status,
            201
        );
        assert_eq!(walk(&server, &key, "/api/v1/entries?year=2025", || ()).len(), before);
        let opened = act(&server, &key, "years/2025/reopen");
        assert_eq!(
            (
                opened.status,
                &opened.json()["status"],
                opened.json()["closings"][0]["reopenedAt"].is_string()
            ),
            (200, &json!("open"), true)
        );
        assert_eq!(
            server.post(&key, "/api/v1/invoices", &invoice("2025-12-31", "1", false)).status,
            201
        );
        assert_eq!(server.get(&key, "/api/v1/years/2025").json(), opened.json());
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_return_of_a_closed_year_is_filed_and_the_year_stays_as_it_is(engine) {
        let (server, key) = started(engine);
        assert_eq!(
            server.post(&key, "/api/v1/invoices", &invoice("2025-11-20", "1000.50", false)).status,
            201
        );
        assert_eq!(act(&server, &key, "years/2025/close").status, 200);
        // Everything but the reconciliation with the returns, which has a line per filed return.
        let stood = || {
            let mut summary = server.get(&key, "/api/v1/summary/2025").json();
            let sheet = summary["balanceSheet"].as_object_mut().unwrap();
            let reconciled = sheet.remove("vatReconciliation").unwrap();
            let entries = walk(&server, &key, "/api/v1/entries?year=2025", || ()).len();
            (summary, entries, reconciled)
        };
        let line = |period: Value, declared: Value, open: f64| json!({"period": period, "declared": declared, "paid": 0.0, "open": open});
        let before = stood();
        assert_eq!(before.2, json!([line(json!("2025-Q4"), json!(null), 210.11)]));
        let filed = act(&server, &key, "vat-filings/2025/4/file");
        assert_eq!(
            (filed.status, &filed.json()["status"], &filed.json()["entryCount"]),
            (200, &json!("filed"), &json!(1)),
            "{}",
            filed.text
        );
        assert_eq!(server.get(&key, "/api/v1/vat-filings/2025/4").json(), filed.json());
        // The VAT due and its rounding are booked on the first day after the closed year.
        let moved = server.get(&key, "/api/v1/entries?year=2026").json()["data"][0].clone();
        assert_eq!(
            (&moved["date"], &moved["source"]["type"]),
            (&json!("2026-01-01"), &json!("vatFiling"))
        );
        assert_eq!(
            (
                balance(&server, &key, "1700"),
                balance(&server, &key, "1780"),
                balance(&server, &key, "4990")
            ),
            (0, -21_000, -11)
        );
        let after = stood();
        assert_eq!((&after.0, after.1), (&before.0, before.1));
        // The rounding of the return is booked after the closed year.
        assert_eq!(
            after.2,
            json!([line(json!("2025-Q4"), json!(210.0), 210.0), line(json!(null), json!(0.11), 0.11)])
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        let again = act(&server, &key, "vat-filings/2025/4/file");
        assert_eq!((again.status, again.code()), (409, "period_filed".into()));
        assert!(
            again.text.contains("is filed already; reopen it first")
                && !again.text.contains("correction"),
            "{}",
            again.text
        );
        // Reopening and filing again gives the same result.
        assert_eq!(act(&server, &key, "vat-filings/2025/4/reopen").status, 200);
        assert_eq!((balance(&server, &key, "1780"), stood() == before), (0, true));
        assert_eq!(act(&server, &key, "vat-filings/2025/4/file").status, 200);
        assert_eq!((balance(&server, &key, "1780"), stood() == after), (-21_000, true));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_summary_can_end_with_any_day_of_its_year(engine) {
        let (server, key) = started(engine);
        for (day, price) in [("2026-02-10", "100"), ("2026-02-11", "10"), ("2026-12-31", "1")] {
            assert_eq!(
                server.post(&key, "/api/v1/invoices", &invoice(day, price, false)).status,
                201
            );
        }
        for (query, revenue, as_of) in [
            ("", 11_100, "2026-12-31"),
            ("?asOf=2026-02-10", 10_000, "2026-02-10"),
            ("?asOf=2026-02-11", 11_000, "2026-02-11"),
            ("?asOf=2026-01-31", 0, "2026-01-31"),
        ] {
            let summary = server.get(&key, &format!("/api/v1/summary/2026{query}")).json();
            assert_eq!(
                (cents(&summary["revenue"]), &summary["asOf"]),
                (revenue, &json!(as_of)),
                "{query}"
            );
            assert_eq!(cents(&summary["balanceSheet"]["total"]), revenue * 121 / 100, "{query}");
        }
        assert_eq!(
            server.get(&key, "/api/v1/summary/2026?asOf=2025-12-31").faults()[0],
            ("asOf".into(), "out_of_range".into())
        );
    }

    fn under_the_small_businesses_scheme_no_vat_is_charged(engine) {
        let (server, key) = started(engine);
        assert_eq!(
            server
                .post(&key, "/api/v1/vat-scheme", &json!({"scheme": "kor", "from": "2026-04-15"}))
                .faults()[0],
            ("/from".into(), "out_of_range".into())
        );
        let changed = server.post(
            &key,
            "/api/v1/vat-scheme",
            &json!({"scheme": "kor", "from": "2026-04-01"}),
        );
        assert_eq!(
            (changed.status, &changed.json()["changes"][0]["scheme"]),
            (200, &json!("kor")),
            "{}",
            changed.text
        );
        assert_eq!(server.get(&key, "/api/v1/vat-scheme").json(), changed.json());
        let refused = server.post(&key, "/api/v1/invoices", &invoice("2026-04-10", "100", false));
        assert_eq!(
            (refused.status, refused.faults()),
            (422, vec![("/items/0/vatRate".into(), "kor_applies".into())])
        );
        // The supply date of an invoice, if present, decides which scheme applies.
        let mut earlier = invoice("2026-04-10", "100", false);
        earlier["supplyDate"] = json!("2026-03-31");
        assert_eq!(server.post(&key, "/api/v1/invoices", &earlier).status, 201);
        let mut exempt = invoice("2026-04-10", "100", false);
        exempt["items"][0]["vatRate"] = json!(0);
        let reply = server.post(&key, "/api/v1/invoices", &exempt);
        assert_eq!(
            (reply.status, &reply.json()["items"][0]["vatCategory"]),
            (201, &json!("exempt")),
            "{}",
            reply.text
        );
        // Supplies taxed in the Netherlands at 0 % are exempt too, whatever category the line has.
        // Services to customers abroad are taxed there, and are not declared (art. 37a(1)).
        for (country, line, category) in [
            ("NL", json!({"vatCategory": "zero"}), "exempt"),
            ("NL", json!({"vatCategory": "reverseCharge"}), "exempt"),
            ("DE", json!({"supply": "goods"}), "exempt"),
            ("US", json!({"supply": "goods"}), "exempt"),
            ("DE", json!({"supply": "services"}), "intraCommunity"),
            ("US", json!({"supply": "services"}), "serviceOutsideEu"),
        ] {
            let mut sale = exempt.clone();
            sale["customer"]["country"] = json!(country);
            for (name, value) in line.as_object().unwrap() {
                sale["items"][0][name] = value.clone();
            }
            let reply = server.post(&key, "/api/v1/invoices", &sale);
            assert_eq!(
                (reply.status, &reply.json()["items"][0]["vatCategory"]),
                (201, &json!(category)),
                "{country} {line}: {}",
                reply.text
            );
        }
        for (vat_box_name, base) in [("1e", 0), ("3a", 0), ("3b", 0)] {
            assert_eq!(vat_box(&server, &key, "2026/2", vat_box_name), (base, 0), "{vat_box_name}");
        }
        assert_eq!(
            server
                .post(
                    &key,
                    "/api/v1/vat-scheme",
                    &json!({"scheme": "normal", "from": "2027-01-01"})
                )
                .status,
            200
        );
        assert_eq!(
            server.post(&key, "/api/v1/invoices", &invoice("2027-01-01", "100", false)).status,
            201
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn the_scheme_cannot_change_within_a_filed_return(engine) {
        let (server, key) = started(engine);
        server.clock.set("2026-08-02T10:00:00Z");
        assert_eq!(act(&server, &key, "vat-filings/2026/2/file").status, 200);
        let change = |scheme: &str, from: &str| {
            server.post(&key, "/api/v1/vat-scheme", &json!({"scheme": scheme, "from": from}))
        };
        for from in ["2026-01-01", "2026-04-01"] {
            let refused = change("kor", from);
            assert_eq!(
                (refused.status, refused.code().as_str()),
                (409, "period_filed"),
                "{}",
                refused.text
            );
        }
        // The current scheme may be set again. Another scheme can begin in the next quarter.
        assert_eq!(
            (change("normal", "2026-04-01").status, change("kor", "2026-07-01").status),
            (200, 200)
        );
    }

    fn under_the_small_businesses_scheme_no_vat_is_due_on_private_use(engine) {
        let (server, key) = started(engine);
        assert_eq!(
            server
                .post(&key, "/api/v1/vat-scheme", &json!({"scheme": "kor", "from": "2026-01-01"}))
                .status,
            200
        );
        let with = |day: &str, kind: &str, more: &Value| {
            let mut body = json!({"date": day, "kind": kind});
            more.as_object().unwrap().iter().for_each(|(name, value)| body[name] = value.clone());
            server.post(&key, "/api/v1/private-use", &body)
        };
        let refused = with("2026-01-31", "car", &json!({"vat": 1080, "base": 8800}));
        assert_eq!(
            (refused.status, refused.faults()),
            (422, vec![("/vat".into(), "kor_applies".into())])
        );
        assert!(refused.text.contains("used since 2026-01-01; leave vat out"), "{}", refused.text);
        assert_eq!(
            with("2026-01-31", "goods", &json!({})).faults(),
            [("/base".into(), "required".into())]
        );
        let car = with("2026-01-31", "car", &json!({"base": 8800}));
        assert_eq!((car.status, cents(&car.json()["vat"])), (201, 0), "{}", car.text);
        assert!(!car.text.contains("not_last_period"), "{}", car.text);
        assert_eq!(
            postings(&server, &key, &car.json()["entryIds"][0]),
            ["0550 D 880000", "4230 C 880000"]
        );
        let goods = with("2026-01-31", "goods", &json!({"base": 100, "vat": 0}));
        assert_eq!(
            postings(&server, &key, &goods.json()["entryIds"][0]),
            ["0550 D 10000", "8900 C 10000"]
        );
        assert_eq!(vat_box(&server, &key, "2026/1", "1d"), (0, 0));
        // Before the scheme begins, VAT is due as usual.
        assert_eq!(
            with("2025-12-31", "car", &json!({"base": 8800})).faults(),
            [("/vat".into(), "required".into())]
        );
        assert_eq!(with("2025-12-31", "car", &json!({"vat": 1080})).status, 201);
        assert_eq!(vat_box(&server, &key, "2025/4", "1d").1, 108_000);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn under_the_small_businesses_scheme_vat_on_purchases_is_cost(engine) {
        let (server, key) = started(engine);
        server.clock.set("2026-05-02T10:00:00Z");
        assert_eq!(
            server
                .post(&key, "/api/v1/vat-scheme", &json!({"scheme": "kor", "from": "2026-04-01"}))
                .status,
            200
        );
        let expense = |day: &str, treatment: &str| {
            let items = json!([{"category": "4110", "amount": 100, "vatRate": 21, "vatTreatment": treatment}]);
            json!({"date": day, "description": "Licence", "paidFrom": "bank", "items": items})
        };
        let cases: [(&str, &str, &[&str]); 5] = [
            ("2026-03-31", "normal", &["4110 D 10000", "1500 D 2100 5b", "1100 C 12100"]),
            ("2026-04-01", "normal", &["4110 D 12100", "1100 C 12100"]),
            // Reverse-charged VAT (2a, 4a, 4b) remains due, and is a cost.
            (
                "2026-04-02",
                "eu",
                &["4110 D 10000 4b", "4110 D 2100", "1760 C 2100 4b", "1100 C 10000"],
            ),
            (
                "2026-04-03",
                "import",
                &["4110 D 10000 4a", "4110 D 2100", "1750 C 2100 4a", "1100 C 10000"],
            ),
            (
                "2026-04-04",
                "reverseCharge",
                &["4110 D 10000 2a", "4110 D 2100", "1740 C 2100 2a", "1100 C 10000"],
            ),
        ];
        for (day, treatment, expected) in cases {
            let reply = server.post(&key, "/api/v1/expenses", &expense(day, treatment));
            assert_eq!(reply.status, 201, "{}", reply.text);
            assert_eq!(
                postings(&server, &key, &reply.json()["entryIds"][0]),
                expected,
                "{day} {treatment}"
            );
            let deducted = if day < "2026-04-01" { 2_100 } else { 0 };
            assert_eq!(
                (cents(&reply.json()["vatTotal"]), cents(&reply.json()["vatDeductible"])),
                (2_100, deducted)
            );
        }
        for name in ["2a", "4a", "4b"] {
            assert_eq!(vat_box(&server, &key, "2026/2", name), (10_000, 2_100), "{name}");
        }
        assert_eq!(
            (vat_box(&server, &key, "2026/2", "5b").1, vat_box(&server, &key, "2026/1", "5b").1),
            (0, 2_100)
        );
        // If an expense moves to a date under the other scheme, its VAT follows that scheme.
        let moved = patch(&server, &key, "/api/v1/expenses/2", &[], &json!({"date": "2026-03-30"}));
        assert_eq!(
            (moved.status, cents(&moved.json()["vatDeductible"])),
            (200, 2_100),
            "{}",
            moved.text
        );
        // Under the scheme, the cost of an asset includes its VAT, and its sale is without VAT.
        let laptop = server.post(
            &key,
            "/api/v1/assets",
            &json!({"date": "2026-04-10", "description": "Laptop", "cost": 1_000, "vatRate": 21}),
        );
        assert_eq!(
            (laptop.status, cents(&laptop.json()["cost"])),
            (201, 121_000),
            "{}",
            laptop.text
        );
        assert_eq!(
            postings(&server, &key, &laptop.json()["entryIds"][0]),
            ["0200 D 121000", "1100 C 121000"]
        );
        let sale = |rate: i64| json!({"date": "2026-04-30", "proceeds": 500, "vatRate": rate});
        assert_eq!(
            server.post(&key, "/api/v1/assets/1/dispose", &sale(21)).faults(),
            [("/vatRate".into(), "kor_applies".into())]
        );
        assert_eq!(
            server
                .post(
                    &key,
                    "/api/v1/assets/1/dispose",
                    &json!({"date": "2026-04-30", "proceeds": 500})
                )
                .status,
            200
        );
        assert_eq!(
            (vat_box(&server, &key, "2026/2", "1a"), balance(&server, &key, "0200")),
            ((0, 0), 0)
        );
        // The VAT on a provider's fee is a cost too.
        let payout = json!({"date": "2026-04-20", "amount": 118.50, "fee": 2.50, "feeVatTreatment": "normal"});
        let paid = server.post(&key, "/api/v1/payouts", &payout);
        assert_eq!(
            postings(&server, &key, &paid.json()["entryId"]),
            ["1100 D 11850", "4610 D 207", "4610 D 43", "1130 C 12100"]
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }
}
