//! The audit file of a year, and the ICP declaration of a quarter.

use serde_json::json;
use testing::{Server, on_both_engines};

on_both_engines! {
    fn the_audit_file_has_every_entry_of_the_year_and_what_customers_owe(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        for (day, price) in [("2025-12-30", 1000), ("2026-01-15", 500)] {
            let body = json!({"status": "sent", "invoiceDate": day, "customer": {"name": "Museum & Pier", "kvkNumber": "12345678"},
                "items": [{"description": "Work", "unitPrice": price, "vatRate": 21}]});
            assert_eq!(server.post(&key, "/api/v1/invoices", &body).status, 201);
        }
        assert_eq!(server.post(&key, "/api/v1/invoices/1/payments", &json!({"date": "2026-01-20", "amount": 210})).status, 201);
        let file = server.get(&key, "/api/v1/audit-files/2026");
        assert_eq!((file.status, file.header("content-type")), (200, Some("application/xml")), "{}", file.text);
        let transactions = &file.text[file.text.find("<transactions>").unwrap()..];
        // An invoice of three lines and a payment of two.
        for part in ["<linesCount>5</linesCount>", "<totalDebit>815.00</totalDebit>", "<totalCredit>815.00</totalCredit>", "<jrnID>VRK</jrnID>", "<jrnID>BET</jrnID>"] {
            assert!(transactions.contains(part), "{part}: {transactions}");
        }
        // 1210.00 of 2025, of which 210.00 was paid, and 605.00.
        for part in ["<opBalDesc>1210.00</opBalDesc>", "<clBalDesc>1605.00</clBalDesc>", "Museum &amp; Pier", "<RGScode>BVorDebHad</RGScode>"] {
            assert!(file.text.contains(part), "{part}: {}", file.text);
        }
        // The result of the year before is equity.
        let opening = &file.text[file.text.find("<openingBalance>").unwrap()..file.text.find("<transactions>").unwrap()];
        assert!(opening.contains("<accID>0500</accID>") && opening.contains("<totalDebit>1210.00</totalDebit>"), "{opening}");
        let older = server.get(&key, "/api/v1/audit-files/2025?version=3.2");
        assert!(older.text.contains("http://www.auditfiles.nl/XAF/3.2") && older.text.contains("<linesCount>3</linesCount>"), "{}", older.text);
        assert!(server.get(&key, "/api/v1/audit-files/2024").text.contains("<linesCount>0</linesCount>"));
        assert_eq!(server.get(&key, "/api/v1/audit-files/1800").status, 422);
        assert_eq!(server.get(&key, "/api/v1/audit-files/2026?version=5").status, 422);
    }

    fn what_went_to_other_member_states_is_declared_per_number(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        for (number, supply, price) in [(Some("DE123456788"), "services", 1000.5), (Some("DE123456788"), "goods", 200.0), (None, "services", 50.0)] {
            let mut customer = json!({"name": format!("Kunde {number:?}"), "country": "DE"});
            if let Some(number) = number {
                customer["vatNumber"] = json!(number);
            }
            let body = json!({"status": "sent", "invoiceDate": "2026-02-15", "customer": customer,
                "items": [{"description": "Work", "unitPrice": price, "vatRate": 0, "vatCategory": "intraCommunity", "supply": supply}]});
            let made = server.post(&key, "/api/v1/invoices", &body);
            assert_eq!(made.status, 201, "{}", made.text);
        }
        let icp = server.get(&key, "/api/v1/vat-filings/2026/1/icp").json();
        assert_eq!(icp["rows"], json!([{"vatNumber": "DE123456788", "goods": 200, "services": 1000, "triangular": 0}]), "{icp}");
        assert_eq!((&icp["total"], &icp["box3b"], &icp["difference"]), (&json!(1200), &json!(1250.50), &json!(50.00)));
        assert_eq!(icp["withoutNumber"], json!([{"number": "2026-0003", "amount": 50.00}]));
        assert_eq!(server.get(&key, "/api/v1/vat-filings/2026/2/icp").json()["rows"], json!([]));
        assert_eq!(server.get(&key, "/api/v1/vat-filings/2026/5/icp").status, 422);
    }
}
