//! Bank lines with something to do: amounts without an explanation, money owed to customers, and
//! differences between books and bank.

use super::lines::{line, with_feed, with_lines};
use crate::help::{EMAIL, fault_of, value_of};
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
        // The line itself says what to do, and undoing takes it off the lists.
        let page = browser.get("/bank-lines?state=booked&line=3");
        assert!(page.text.contains("This amount is on Suspense"), "{}", page.text);
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

    fn entries_on_another_day_than_at_the_bank_are_named(engine) {
        let (server, browser, key) = with_lines(engine);
        // The first entry is what the account began with; the second comes to the bank on 11 March.
        for (day, amount) in [("2026-03-08", 100), ("2026-03-09", 50)] {
            let deposit = json!({"date": day, "kind": "deposit", "amount": amount, "method": "1101"});
            assert_eq!(server.post(&key, "/api/v1/private-bookings", &deposit).status, 201);
        }
        book(&browser, 1, "bankCosts", &[]);
        book(&browser, 2, "private", &[("allocations.0.privateKind", "deposit")]);
        let month = || browser.get("/bank-accounts/6?month=2026-03").text;
        let of_day = |page: &str, day: &str| page.split(&format!("data-id=\"{day}\"")).nth(1).unwrap().split("</tr>").next().unwrap().to_owned();
        let row = of_day(&month(), "2026-03-09");
        assert!(row.contains("Entry 2 of 9 Mar 2026, €50.00 in, not at the bank yet") && row.contains("href=\"/journal/2\""), "{row}");
        book(&browser, 3, "existing", &[("allocations.0.entryId", "2")]);
        let page = month();
        for day in ["2026-03-09", "2026-03-10"] {
            let row = of_day(&page, day);
            assert!(row.contains("Only the day differs"), "{row}");
            assert!(row.contains("Entry 2 of 9 Mar 2026, €50.00 in, at the bank only on 11 Mar 2026"), "{row}");
        }
        assert!(!of_day(&page, "2026-03-11").contains("Entry 2"), "{page}");
        // The list of accounts names what makes up its difference.
        assert!(!browser.get("/bank").text.contains("Entry "));
        let deposit = json!({"date": "2026-03-10", "kind": "drawing", "amount": 30, "method": "1101"});
        assert_eq!(server.post(&key, "/api/v1/private-bookings", &deposit).status, 201);
        let page = browser.get("/bank").text;
        assert!(page.contains("of 10 Mar 2026, €30.00 out, not at the bank yet"), "{page}");
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_payment_without_a_return_is_for_the_first_unpaid_one(engine) {
        let (server, browser, key) = with_feed(engine, &[(6, "2026-01-29", -10.0), (6, "2026-01-30", -11.0)]);
        invoice(&server, &key, "2025-11-05", "Studio Noord");
        let vat = browser.get("/vat/2025/4");
        assert_eq!(browser.submit(&vat, "/vat/2025/4/file", &[]).status, 303);
        let task = "Pay VAT of Q4 2025";
        let home = browser.get("/").text;
        assert!(home.contains(task) && home.contains("VAT of earlier returns"), "{home}");
        // The form begins with the unpaid return, and shows what is due on it.
        let page = browser.get("/bank-lines?state=new&line=1&kind=vat");
        assert_eq!(value_of(&page, "allocations.0.vatPeriod").as_deref(), Some("2025-Q4"), "{}", page.text);
        assert!(page.text.contains("· €21.00"), "{}", page.text);
        book(&browser, 1, "vat", &[("allocations.0.vatPeriod", "")]);
        let home = browser.get("/").text;
        assert!(home.contains(task) && home.contains("value=\"11.00\""), "{home}");
        book(&browser, 2, "vat", &[("allocations.0.vatPeriod", "")]);
        let home = browser.get("/").text;
        assert!(!home.contains(task) && !home.contains("VAT of earlier returns"), "{home}");
        undo(&browser, 2);
        assert!(browser.get("/").text.contains(task));
        // A payment for a return counts once.
        book(&browser, 2, "vat", &[("allocations.0.vatPeriod", "2025-Q4")]);
        assert!(!browser.get("/").text.contains(task));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_prepayment_and_an_invoice_of_another_customer_are_explained(engine) {
        let (server, browser, key) = with_lines(engine);
        for customer in ["Studio Noord B.V.", "Museum De Pier"] {
            invoice(&server, &key, "2026-03-02", customer);
        }
        let page = browser.get("/bank-lines?state=new&line=2&kind=invoice").text;
        assert!(page.contains("<optgroup label=\"Studio Noord\">") && page.contains("<optgroup label=\"Other customers\">"), "{page}");
        assert!(page.contains("<option value=\"2\" class=\"other\"") && !page.contains("<option value=\"1\" class=\"other\""), "{page}");
        assert!(page.contains("The bank line is from Studio Noord, the invoice you chose is for another customer."), "{page}");
        let page = browser.get("/bank-lines?state=new&line=3&kind=prepaid");
        assert!(page.text.contains("A prepayment needs an invoice.") && page.text.contains("href=\"/invoices/new\""), "{}", page.text);
        assert!(!browser.get("/bank-lines?state=new&line=1").text.contains("Prepayment"));
        book(&browser, 3, "prepaid", &[]);
        let entry = line(&server, &key, 3)["allocations"][0]["entryIds"][0].to_string();
        let entry = server.get(&key, &format!("/api/v1/entries/{entry}")).json();
        assert_eq!(entry["lines"][1]["accountCode"], json!("1640"), "{entry}");
        assert!(browser.get("/bank").text.contains("href=\"/bank-lines/3\""));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_fault_of_the_only_part_has_no_number(engine) {
        let (_server, browser, _key) = with_lines(engine);
        let page = browser.get("/bank-lines?state=new&line=3&kind=private");
        let wrong = [("action", "book"), ("allocations.0.privateKind", "")];
        let refused = browser.submit(&page, "/bank-lines/3/book", &wrong);
        assert_eq!(refused.status, 422, "{}", refused.text);
        assert!(fault_of(&refused, "allocations.0.privateKind").is_some(), "{}", refused.text);
        assert!(refused.text.contains("href=\"#allocations.0.privateKind\"") && !refused.text.contains(" (1): "), "{}", refused.text);
    }

    fn a_provider_that_paid_out_too_much_asks_for_payments(engine) {
        let (server, browser, key) = with_feed(engine, &[(6, "2026-03-10", 95.0)]);
        invoice(&server, &key, "2026-03-02", "Studio Noord");
        book(&browser, 1, "payout", &[]);
        let page = browser.get("/duties").text;
        assert!(page.contains("More was paid out than reached your payment provider") && !page.contains("Record the payout"), "{page}");
        let paid = server.post(&key, "/api/v1/invoices/1/payments", &json!({"date": "2026-03-09", "amount": 95, "method": "provider"}));
        assert_eq!(paid.status, 201, "{}", paid.text);
        assert!(!browser.get("/duties").text.contains("More was paid out"));
    }
}
