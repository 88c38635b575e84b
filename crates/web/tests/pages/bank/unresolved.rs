//! What is left to do with bank lines: amounts without an explanation, money owed to customers, and
//! differences between books and bank.

use super::lines::with_feed;
use crate::help::EMAIL;
use serde_json::json;
use testing::{Server, Visitor, on_both_engines};

/// Books a line as a kind, with more fields of its form.
fn book(browser: &Visitor, id: i64, kind: &str, fields: &[(&str, &str)]) {
    let page = browser.get(&format!("/bank-lines?state=new&line={id}&kind={kind}"));
    let fields = [&[("action", "book")], fields].concat();
    let booked = browser.submit(&page, &format!("/bank-lines/{id}/book"), &fields);
    assert_eq!(booked.status, 303, "{kind}: {}", booked.text);
}

fn undo(browser: &Visitor, id: i64) {
    let page = browser.get(&format!("/bank-lines?state=booked&line={id}"));
    assert_eq!(browser.submit(&page, &format!("/bank-lines/{id}/undo"), &[]).status, 303);
}

/// Sends an invoice of 121.00.
fn invoice(server: &Server, key: &str, day: &str, customer: &str) {
    let body = json!({
        "status": "sent", "invoiceDate": day, "customer": {"name": customer, "country": "NL"},
        "items": [{"description": "Work", "quantity": 1, "unitPrice": 100, "vatRate": 21}],
    });
    assert_eq!(server.post(key, "/api/v1/invoices", &body).status, 201);
}

on_both_engines! {
    fn unexplained_amounts_and_double_payments_wait_on_every_list(engine) {
        let feed = [(6, "2026-03-10", 121.0), (6, "2026-03-11", 121.0), (6, "2026-03-12", -30.0), (6, "2026-03-13", 75.5)];
        let (server, browser, key) = with_feed(engine, &feed);
        invoice(&server, &key, "2026-03-02", "Studio Noord");
        book(&browser, 1, "invoice", &[("allocations.0.invoiceId", "1")]);
        for (path, words) in [("/", "to be explained"), ("/bank", "id=\"unexplained\""), ("/duties", "id=\"to-refund\""), ("/vat/2026/1", "to be explained")] {
            let page = browser.get(path);
            assert!(page.status == 200 && !page.text.contains(words), "{path}: {}", page.text);
        }
        book(&browser, 2, "paidTwice", &[("allocations.0.invoiceId", "1")]);
        book(&browser, 3, "unknown", &[]);
        book(&browser, 4, "unknown", &[]);
        // Each with its amount, the date and text of its line, and a link to book it right.
        for path in ["/bank", "/duties"] {
            let page = browser.get(path).text;
            let part = |id: &str| page.split(&format!("id=\"{id}\"")).nth(1).unwrap().split("</section>").next().unwrap().to_owned();
            let (unexplained, refunds) = (part("unexplained"), part("to-refund"));
            for words in ["Regel van 2026-03-12", "12 Mar 2026", "value=\"-30.00\"", "href=\"/bank-lines/3\"", "Regel van 2026-03-13", "value=\"75.50\"", "href=\"/bank-lines/4\"", "Undo and book again"] {
                assert!(unexplained.contains(words), "{path} {words}: {unexplained}");
            }
            assert!(!unexplained.contains("2026-03-11"), "{path}: {unexplained}");
            for words in ["2026-0001", "Studio Noord", "Regel van 2026-03-11", "href=\"/bank-lines/2\"", "value=\"121.00\""] {
                assert!(refunds.contains(words), "{path} {words}: {refunds}");
            }
        }
        let home = browser.get("/").text;
        for words in ["href=\"/duties#unexplained\">2 amounts to be explained", "value=\"45.50\"", "href=\"/duties#to-refund\""] {
            assert!(home.contains(words), "{words}: {home}");
        }
        assert!(browser.get("/vat/2026/1").text.contains("2 amounts to be explained"));
        let file = browser.get("/duties.csv").text;
        assert!(file.contains("unexplained;") && file.contains("toRefund;1;"), "{file}");
        // Undoing takes it off the lists.
        undo(&browser, 3);
        assert!(browser.get("/").text.contains("1 amount to be explained"));
        // So does an entry by hand that offsets it.
        let fixed = json!({"date": "2026-03-14", "description": "Deposit", "lines": [{"account": "1640", "debit": 75.5}, {"account": "0510", "credit": 75.5}]});
        let made = server.post(&key, "/api/v1/manual-entries", &fixed);
        assert_eq!(made.status, 201, "{}", made.text);
        undo(&browser, 2);
        let page = browser.get("/duties").text;
        assert!(!page.contains("id=\"unexplained\"") && !page.contains("id=\"to-refund\""), "{page}");
        let home = browser.get("/").text;
        assert!(!home.contains("/duties#unexplained") && !home.contains("/duties#to-refund"), "{home}");
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }
}
