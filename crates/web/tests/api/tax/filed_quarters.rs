//! Filed quarters: postings with a VAT box are rejected, all other postings still work.

use crate::{
    help::{books, cents, file, patch, reopen, vat_box, walk},
    simple_invoice,
};
use jiff::{Timestamp, civil::date};
use ledger::{
    booking::MoneyAccount,
    chart::codes,
    money::Cents,
    purchase::{BusinessShare, VatTreatment},
    vat::VatRate,
};
use serde_json::{Value, json};
use service::{
    Error, PeriodError,
    expenses::{self, ExpenseLine, NewExpense, Supplier},
    manual_entries::{self, ManualBooking},
};
use testing::{Engine, Server, on_both_engines};

/// Creates invoice 1 (sent) and invoices 2 and 3 (drafts) in the first quarter of 2026, and files
/// that quarter.
fn filed(engine: Engine) -> (Server, String) {
    let server = Server::start(engine);
    let key = server.account("anna@example.com");
    for status in ["sent", "draft", "draft"] {
        let mut invoice = simple_invoice();
        (invoice["invoiceDate"], invoice["status"]) = (json!("2026-02-10"), json!(status));
        assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).status, 201);
    }
    server.clock.set("2026-12-01T10:00:00Z");
    file(&server, "anna@example.com", 2026, 1);
    (server, key)
}

on_both_engines! {
    fn money_without_vat_moves_in_a_filed_quarter(engine) {
        let (server, key) = filed(engine);
        let declared = server.get(&key, "/api/v1/vat-filings/2026/1").json();
        let paid = server.post(&key, "/api/v1/invoices/1/payments", &json!({"date": "2026-03-01"}));
        assert_eq!((paid.status, cents(&paid.json()["amount"])), (201, 12_100), "{}", paid.text);
        let cx = server.owner("anna@example.com");
        let now: Timestamp = "2026-12-01T10:00:00Z".parse().unwrap();
        server.write(move |tx| {
            let on = date(2026, 3, 31);
            let amount = Cents::new(5_000);
            for booking in [
                ManualBooking::PrivateDrawing { amount, from: MoneyAccount::Bank },
                ManualBooking::PrivateDeposit { amount, into: MoneyAccount::Bank },
                ManualBooking::Depreciation { amount },
            ] {
                manual_entries::record(tx, &cx.at(now), on, &booking)?;
            }
            let rate = VatRate::high_on(on);
            let filed = manual_entries::record(
                tx,
                &cx.at(now),
                on,
                &ManualBooking::PrivateUse { base: amount, rate },
            );
            assert!(matches!(filed, Err(Error::Period(PeriodError::Filed(_)))), "{filed:?}");
            // A purchase without deductible VAT is in no box.
            let purchase = |treatment| NewExpense {
                external_id: None,
                date: on,
                supplier: Supplier::default(),
                description: Some("Bought".into()),
                lines: vec![ExpenseLine {
                    category: codes::SOFTWARE,
                    amount,
                    treatment,
                    rate: Some(rate),
                    includes_vat: false,
                    vat: None,
                }],
                paid_from: Some(MoneyAccount::Bank),
                business_share: BusinessShare::WHOLE,
                receipt_ids: vec![],
                period: service::expenses::Covered::default(),
                bill: service::expenses::Bill::default(),
                if_filed: service::corrections::IfFiled::Refuse,
            };
            expenses::record(tx, &cx.at(now), &purchase(VatTreatment::None))?;
            let filed = expenses::record(tx, &cx.at(now), &purchase(VatTreatment::Normal));
            assert!(matches!(filed, Err(Error::Period(PeriodError::Filed(_)))), "{filed:?}");
            Ok(())
        });
        let after = server.get(&key, "/api/v1/vat-filings/2026/1").json();
        assert_eq!(
            (&after["boxes"], &after["payable"], &after["status"]),
            (&declared["boxes"], &declared["payable"], &json!("filed"))
        );
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn a_draft_of_a_filed_quarter_is_sent_as_it_is(engine) {
        let (server, key) = filed(engine);
        let boxes = vat_box(&server, &key, "2026/1", "1a");
        let sent = patch(&server, &key, "/api/v1/invoices/2", &[], &json!({"status": "sent"}));
        assert_eq!(
            (sent.status, &sent.json()["status"], &sent.json()["entryIds"]),
            (200, &json!("sent"), &json!([2])),
            "{}",
            sent.text
        );
        // Printed fields may change too, since that books nothing.
        let edited = patch(
            &server,
            &key,
            "/api/v1/invoices/3",
            &[],
            &json!({"reference": "PO 8", "status": "sent"}),
        );
        assert_eq!(
            (edited.status, &edited.json()["reference"]),
            (200, &json!("PO 8")),
            "{}",
            edited.text
        );
        assert_eq!(vat_box(&server, &key, "2026/1", "1a"), boxes);
        assert_eq!(
            cents(&server.get(&key, "/api/v1/vat-filings/2026/1").json()["draftInvoices"]["vat"]),
            0
        );
        assert_eq!(
            server.post(&key, "/api/v1/invoices/2/payments", &json!({"date": "2026-03-01"})).status,
            201
        );
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn bookings_with_a_box_are_refused_and_nothing_changes(engine) {
        let (server, key) = filed(engine);
        let before = books(&server, &key);
        let item = json!([{"description": "Work", "unitPrice": 1, "vatRate": 21}]);
        let mut invoice = simple_invoice();
        invoice["invoiceDate"] = json!("2026-03-31");
        assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).code(), "period_filed");
        assert_eq!(
            server
                .post(&key, "/api/v1/invoices/1/credit-notes", &json!({"date": "2026-03-31"}))
                .code(),
            "period_filed"
        );
        for change in [
            json!({"items": item}),
            json!({"invoiceDate": "2026-02-11"}),
            json!({"invoiceDate": "2026-04-01"}),
        ] {
            assert_eq!(
                patch(&server, &key, "/api/v1/invoices/2", &[], &change).code(),
                "period_filed",
                "{change}"
            );
        }
        assert_eq!(books(&server, &key), before);
    }

    fn without_a_year_all_periods_with_something_in_them_are_listed_newest_first(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let list = |query: &str| {
            let reply = server.get(&key, &format!("/api/v1/vat-filings{query}"));
            assert_eq!(reply.status, 200, "{}", reply.text);
            reply.json()
        };
        let periods = |page: &Value| -> Vec<(i64, i64)> {
            page["data"]
                .as_array()
                .unwrap()
                .iter()
                .map(|row| (row["year"].as_i64().unwrap(), row["quarter"].as_i64().unwrap()))
                .collect()
        };
        assert_eq!(list(""), json!({"data": [], "nextCursor": null}));
        for day in ["2025-12-31", "2026-05-01", "2024-01-01", "2026-06-30"] {
            let mut invoice = simple_invoice();
            invoice["invoiceDate"] = json!(day);
            assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).status, 201);
        }
        server.clock.set("2026-12-01T10:00:00Z");
        // Empty quarters, filed; one of them is reopened.
        file(&server, "anna@example.com", 2025, 2);
        file(&server, "anna@example.com", 2024, 4);
        reopen(&server, "anna@example.com", 2024, 4);
        let all = [(2026, 2), (2025, 4), (2025, 2), (2024, 4), (2024, 1)];
        assert_eq!(periods(&list("")), all);
        let rows = walk(&server, &key, "/api/v1/vat-filings?limit=2", || ());
        assert_eq!(rows, list("")["data"].as_array().unwrap().clone());
        for row in &rows {
            let one = format!("/api/v1/vat-filings/{}/{}", row["year"], row["quarter"]);
            assert_eq!(&server.get(&key, &one).json(), row);
        }
    }
}
