//! The page of bank lines: lists, booking, ignoring, undoing.

use super::{FILE, with_account};
use crate::help::{EMAIL, fault_of, value_of};
use serde_json::{Value, json};
use testing::{Engine, Server, Visitor, on_both_engines};

/// Books with the lines of the file: 1 goes out, 2 and 3 come in.
pub(super) fn with_lines(engine: Engine) -> (Server, Visitor, String) {
    let (server, browser, key) = with_account(engine);
    let file = ("file", "march.940", FILE.as_bytes());
    let page = browser.get("/bank-statements");
    let taken = browser.submit_with_file(&page, "/bank-statements", &[("action", "take")], file);
    assert_eq!(taken.status, 303, "{}", taken.text);
    (server, browser, key)
}

/// Books with these lines of a feed: bank account, day, amount. Bank account 6 has 1101.
pub(super) fn with_feed(engine: Engine, lines: &[(i64, &str, f64)]) -> (Server, Visitor, String) {
    let (server, browser, key) = with_account(engine);
    for (bank_account, day, amount) in lines {
        let feed = json!({"bankAccountId": bank_account, "from": day, "to": day,
            "lines": [{"date": day, "amount": amount, "text": format!("Regel van {day}")}]});
        assert_eq!(server.post(&key, "/api/v1/bank-statements", &feed).status, 201);
    }
    (server, browser, key)
}

pub(super) fn line(server: &Server, key: &str, id: i64) -> Value {
    server.get(key, &format!("/api/v1/bank-lines/{id}")).json()
}

/// Line, kind of booking, and the fields of its form.
type OfKind = (i64, &'static str, &'static [(&'static str, &'static str)]);

on_both_engines! {
    fn a_line_is_booked_on_an_invoice_and_undone(engine) {
        let (server, browser, key) = with_lines(engine);
        let invoice = json!({
            "status": "sent", "invoiceDate": "2026-03-02", "customer": {"name": "Studio Noord", "country": "NL"},
            "items": [{"description": "Work", "quantity": 1, "unitPrice": 100, "vatRate": 21}],
        });
        assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).status, 201);
        // Latest first; the first line is shown next to the list.
        let page = browser.get("/bank-lines?state=new");
        let place = |id: i64| page.text.find(&format!("data-id=\"{id}\"")).unwrap();
        assert!(place(3) < place(2) && place(3) < place(1), "{}", page.text);
        assert!(page.text.contains("action=\"/bank-lines/3/ignore\""), "{}", page.text);
        let form = browser.get("/bank-lines?state=new&line=2&kind=invoice");
        assert!(form.text.contains("2026-0001") && form.text.contains("Studio Noord"), "{}", form.text);
        // The form begins with the invoice that is suggested.
        assert_eq!(value_of(&form, "allocations.0.invoiceId").as_deref(), Some("1"), "{}", form.text);
        let unchosen = browser.submit(&form, "/bank-lines/2/book", &[("action", "book"), ("allocations.0.invoiceId", "")]);
        assert_eq!(unchosen.status, 422, "{}", unchosen.text);
        assert!(fault_of(&unchosen, "allocations.0.invoiceId").is_some(), "{}", unchosen.text);
        let filled = [("action", "book"), ("allocations.0.invoiceId", "1")];
        let booked = browser.submit(&unchosen, "/bank-lines/2/book", &filled);
        assert_eq!(booked.status, 303, "{}", booked.text);
        let next = browser.follow(&booked);
        assert!(next.text.contains("is booked") && next.text.contains("/bank-lines/2/undo"), "{}", next.text);
        assert!(next.text.contains("action=\"/bank-lines/1/ignore\""), "the line below comes next: {}", next.text);
        let stored = line(&server, &key, 2);
        assert_eq!(json!([stored["state"], stored["bookedBy"], stored["allocations"][0]["kind"]]), json!(["booked", "person", "invoice"]));
        assert_eq!(server.get(&key, "/api/v1/invoices/1").json()["amountDue"], json!(0.0));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        let shown = browser.get("/bank-lines?state=booked&line=2");
        assert!(shown.text.contains("/journal/"), "{}", shown.text);
        let undone = browser.submit(&shown, "/bank-lines/2/undo", &[]);
        assert_eq!(undone.header("location"), Some("/bank-lines?state=new&line=2&done=bank-line-undone"), "{}", undone.text);
        assert_eq!(line(&server, &key, 2)["state"], json!("new"));
        assert_eq!(server.get(&key, "/api/v1/invoices/1").json()["amountDue"], json!(121.0));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn the_form_of_each_kind_books_its_line(engine) {
        let (server, browser, key) = with_lines(engine);
        let of_kinds: [OfKind; 8] = [
            (1, "bankCosts", &[]),
            (1, "interest", &[]),
            (1, "private", &[("allocations.0.privateKind", "drawing")]),
            (1, "vat", &[("allocations.0.vatPeriod", "2026-Q1")]),
            (1, "transfer", &[("allocations.0.bankAccountId", "2")]),
            (1, "ledger", &[("allocations.0.account", "4100"), ("allocations.0.description", "Brood")]),
            (3, "loan", &[("allocations.0.account", "0700")]),
            (3, "payout", &[("allocations.0.fee", "1.25")]),
        ];
        for (id, kind, fields) in of_kinds {
            let page = browser.get(&format!("/bank-lines?line={id}&kind={kind}"));
            let fields = [&[("action", "book")], fields].concat();
            let booked = browser.submit(&page, &format!("/bank-lines/{id}/book"), &fields);
            assert_eq!(booked.status, 303, "{kind}: {}", booked.text);
            let stored = line(&server, &key, id);
            assert_eq!(stored["allocations"][0]["kind"], json!(kind));
            assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new(), "{kind}");
            let page = browser.get(&format!("/bank-lines?state=booked&line={id}"));
            let undone = browser.submit(&page, &format!("/bank-lines/{id}/undo"), &[]);
            assert_eq!(undone.status, 303, "{kind}: {}", undone.text);
        }
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn revenue_on_a_ledger_account_is_warned_of(engine) {
        let (_server, browser, _key) = with_lines(engine);
        let warning = "is in no box of your VAT return";
        let booked = |account: &str| {
            let page = browser.get("/bank-lines?line=3&kind=ledger");
            let fields = [("action", "book"), ("allocations.0.account", account)];
            assert_eq!(browser.submit(&page, "/bank-lines/3/book", &fields).status, 303);
            browser.get("/bank-lines?state=booked&line=3")
        };
        let page = booked("8000");
        assert!(page.text.contains(warning), "{}", page.text);
        assert_eq!(browser.submit(&page, "/bank-lines/3/undo", &[]).status, 303);
        let page = booked("4100");
        assert!(!page.text.contains(warning), "{}", page.text);
    }

    fn an_expense_is_booked_from_its_line_and_undone(engine) {
        let (server, browser, key) = with_lines(engine);
        let book = "/bank-lines/1/book";
        let page = browser.get("/bank-lines?state=new&line=1&kind=expense");
        assert!(page.text.contains("name=\"allocations.0.supplier\"") && page.text.contains("value=\"Bakkerij De Korenaar\""), "{}", page.text);
        let unchosen = browser.submit(&page, book, &[("action", "book")]);
        assert_eq!(unchosen.status, 422, "{}", unchosen.text);
        assert!(fault_of(&unchosen, "allocations.0.items.0.category").is_some(), "{}", unchosen.text);
        // A category of which all other fields have their usual values is no empty line.
        let share = [("action", "book"), ("allocations.0.items.0.category", "4100"), ("allocations.0.businessShare", "101")];
        let refused = browser.submit(&unchosen, book, &share);
        assert_eq!(refused.status, 422, "{}", refused.text);
        assert!(fault_of(&refused, "allocations.0.businessShare").is_some(), "{}", refused.text);
        let booked = browser.submit(&refused, book, &[share[0], ("allocations.0.businessShare", "100")]);
        assert_eq!(booked.status, 303, "{}", booked.text);
        let expense = server.get(&key, "/api/v1/expenses/1").json();
        let item = &expense["items"][0];
        assert_eq!(
            json!([expense["supplier"], expense["date"], expense["total"], expense["amountDue"], item["category"], expense["vatTotal"], item["includesVat"]]),
            json!(["Bakkerij De Korenaar", "2026-03-10", 4.5, 0.0, "4100", 0.78, true])
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        let shown = browser.get("/bank-lines?state=booked&line=1");
        let undone = browser.submit(&shown, "/bank-lines/1/undo", &[]);
        assert_eq!(undone.status, 303, "{}", undone.text);
        assert_eq!(line(&server, &key, 1)["state"], json!("new"));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn an_expense_is_a_part_of_a_line_or_a_credit_from_abroad(engine) {
        let (server, browser, key) = with_lines(engine);
        // The kind of the second part is chosen in the form, which then shows the fields of an expense.
        let page = browser.get("/bank-lines?state=new&line=1&kind=private");
        let two = browser.submit(&page, "/bank-lines/1/book", &[("action", "addAllocation"), ("allocations.0.privateKind", "drawing"), ("allocations.0.amount", "1.50")]);
        let chosen = [("action", "calculate"), ("allocations.1.kind", "expense")];
        let shown = browser.submit(&two, "/bank-lines/1/book", &chosen);
        assert_eq!(shown.status, 200, "{}", shown.text);
        let part = [("action", "book"), ("allocations.1.items.0.category", "4100"), ("allocations.1.items.0.vatRate", "9"), ("allocations.1.businessShare", "50"), ("allocations.1.date", "2026-03-08")];
        let booked = browser.submit(&shown, "/bank-lines/1/book", &part);
        assert_eq!(booked.status, 303, "{}", booked.text);
        let expense = server.get(&key, "/api/v1/expenses/1").json();
        assert_eq!(json!([expense["total"], expense["date"], expense["businessShare"], expense["items"][0]["vatRate"]]), json!([3.0, "2026-03-08", 50, 9]));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        let page = browser.get("/bank-lines?state=new&line=3&kind=expense");
        let credit = [("action", "book"), ("allocations.0.items.0.category", "4100"), ("allocations.0.items.0.vatTreatment", "eu"), ("allocations.0.supplier", "Papier & Co")];
        let booked = browser.submit(&page, "/bank-lines/3/book", &credit);
        assert_eq!(booked.status, 303, "{}", booked.text);
        let expense = server.get(&key, "/api/v1/expenses/2").json();
        assert_eq!(json!([expense["total"], expense["supplier"], expense["items"][0]["vatTreatment"]]), json!([-50.0, "Papier & Co", "eu"]));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        for id in [1, 3] {
            let page = browser.get(&format!("/bank-lines?state=booked&line={id}"));
            assert_eq!(browser.submit(&page, &format!("/bank-lines/{id}/undo"), &[]).status, 303);
        }
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_line_is_divided_without_scripts(engine) {
        let (server, browser, key) = with_lines(engine);
        let page = browser.get("/bank-lines?state=new&line=3&kind=private");
        assert_eq!(value_of(&page, "allocations.0.privateKind").as_deref(), Some("deposit"));
        let book = "/bank-lines/3/book";
        let two = browser.submit(&page, book, &[("action", "addAllocation"), ("allocations.0.privateKind", "deposit")]);
        assert_eq!(two.status, 200, "{}", two.text);
        let chosen = [("action", "calculate"), ("allocations.0.amount", "30"), ("allocations.1.kind", "interest"), ("allocations.1.amount", "5")];
        let shown = browser.submit(&two, book, &chosen);
        assert!(shown.text.contains("<data value=\"15.00\""), "15.00 is left: {}", shown.text);
        let unbalanced = browser.submit(&shown, book, &[("action", "book")]);
        assert_eq!(unbalanced.status, 422, "{}", unbalanced.text);
        let removed = browser.submit(&shown, book, &[("action", "removeAllocation.0")]);
        assert!(removed.status == 200 && !removed.text.contains("allocations.1.kind"), "{}", removed.text);
        let booked = browser.submit(&unbalanced, book, &[("action", "book"), ("allocations.1.amount", "")]);
        assert_eq!(booked.status, 303, "{}", booked.text);
        let allocations = &line(&server, &key, 3)["allocations"];
        assert_eq!(
            json!([allocations[0]["kind"], allocations[0]["amount"], allocations[1]["kind"], allocations[1]["amount"]]),
            json!(["private", 30.0, "interest", 20.0])
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn an_entry_booked_before_is_offered_and_linked(engine) {
        let (server, browser, key) = with_lines(engine);
        let deposit = json!({"date": "2026-03-09", "kind": "deposit", "amount": 50, "method": "1101"});
        let made = server.post(&key, "/api/v1/private-bookings", &deposit);
        assert_eq!(made.status, 201, "{}", made.text);
        let page = browser.get("/bank-lines?state=new&line=3&kind=existing");
        let filled = [("action", "book"), ("allocations.0.entryId", "1")];
        assert!(page.text.contains("<option value=\"1\""), "{}", page.text);
        let booked = browser.submit(&page, "/bank-lines/3/book", &filled);
        assert_eq!(booked.status, 303, "{}", booked.text);
        assert_eq!(line(&server, &key, 3)["allocations"][0]["entryIds"], json!([1]));
        // No entry is left that fits the line.
        let undone = browser.submit(&browser.get("/bank-lines?state=booked&line=3"), "/bank-lines/3/undo", &[]);
        assert_eq!(undone.status, 303, "{}", undone.text);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn lines_are_ignored_listed_summed_and_exported(engine) {
        let (server, browser, key) = with_lines(engine);
        let page = browser.get("/bank-lines?state=new&line=1&kind=bankCosts");
        let ignored = browser.submit(&page, "/bank-lines/1/ignore", &[("reason", "private"), ("note", "Eigen pas")]);
        assert_eq!(ignored.status, 303, "{}", ignored.text);
        let stored = line(&server, &key, 1);
        assert_eq!(json!([stored["state"], stored["stateReason"], stored["note"]]), json!(["ignored", "private", "Eigen pas"]));
        let again = browser.submit(&page, "/bank-lines/1/book", &[("action", "book")]);
        assert_eq!(again.status, 409, "{}", again.text);
        let list = browser.get("/bank-lines?state=ignored");
        assert!(list.text.contains("Eigen pas") && list.text.contains("Bakkerij De Korenaar"), "{}", list.text);
        let waiting = browser.get("/bank-lines?state=new");
        assert!(!waiting.text.contains("Bakkerij De Korenaar") && waiting.text.contains("<data value=\"171.00\""), "{}", waiting.text);
        let found = browser.get("/bank-lines?state=all&q=studio");
        assert!(found.text.contains("data-id=\"2\"") && !found.text.contains("data-id=\"3\""), "{}", found.text);
        let csv = browser.get("/bank-lines.csv?state=all");
        assert_eq!(csv.status, 200);
        assert_eq!(csv.text.lines().count(), 4, "{}", csv.text);
        let to_line = browser.get("/bank-lines/1");
        assert_eq!(to_line.header("location"), Some("/bank-lines?state=ignored&line=1"));
        let undone = browser.submit(&browser.follow(&to_line), "/bank-lines/1/undo", &[]);
        assert_eq!(undone.status, 303, "{}", undone.text);
        assert_eq!(line(&server, &key, 1)["state"], json!("new"));
    }

    fn a_doubtful_line_is_the_same_payment_or_another(engine) {
        let (server, browser, key) = with_lines(engine);
        // The same payment two days later in a file of another format.
        let feed = json!({
            "bankAccountId": 6, "from": "2026-03-12", "to": "2026-03-13",
            "lines": [{"date": "2026-03-13", "amount": 50, "counterparty": {"name": "Anna"}, "text": "Eigen geld"}],
        });
        let taken = server.post(&key, "/api/v1/bank-statements", &feed);
        assert_eq!(taken.status, 201, "{}", taken.text);
        assert_eq!(line(&server, &key, 4)["duplicateOf"], json!(3));
        let page = browser.get("/bank-lines?state=doubtful");
        assert!(page.text.contains("data-id=\"4\"") && page.text.contains("Perhaps a duplicate"), "{}", page.text);
        let distinct = browser.submit(&page, "/bank-lines/4/distinct", &[]);
        assert_eq!(distinct.status, 303, "{}", distinct.text);
        assert_eq!(line(&server, &key, 4)["duplicateOf"], json!(null));
        assert!(!browser.get("/bank-lines?state=doubtful").text.contains("data-id=\"4\""));
    }

    fn the_same_payment_is_ignored_as_a_duplicate(engine) {
        let (server, browser, key) = with_lines(engine);
        let feed = json!({
            "bankAccountId": 6, "from": "2026-03-12", "to": "2026-03-13",
            "lines": [{"date": "2026-03-13", "amount": 50, "counterparty": {"name": "Anna"}, "text": "Eigen geld"}],
        });
        assert_eq!(server.post(&key, "/api/v1/bank-statements", &feed).status, 201);
        let page = browser.get("/bank-lines?state=doubtful");
        assert!(page.text.contains("Same payment") && page.text.contains("Two payments"), "{}", page.text);
        assert!(page.text.contains("href=\"/bank-lines/3\""), "it names the other line: {}", page.text);
        // The first form that ignores the line is that of the button.
        let ignored = browser.submit(&page, "/bank-lines/4/ignore", &[]);
        assert_eq!(ignored.status, 303, "{}", ignored.text);
        let stored = line(&server, &key, 4);
        assert_eq!(json!([stored["state"], stored["stateReason"]]), json!(["ignored", "duplicate"]));
        assert_eq!(line(&server, &key, 3)["state"], json!("new"));
    }
    fn invoices_bills_loans_and_refunds_are_settled_by_their_lines(engine) {
        let (server, browser, key) = with_feed(engine, &[(6, "2026-03-10", 130.0), (6, "2026-03-11", -12.1), (6, "2026-03-12", -9.0), (6, "2026-03-13", 1000.0), (6, "2026-03-14", -110.0)]);
        let invoice = json!({
            "status": "sent", "invoiceDate": "2026-03-02", "customer": {"name": "Studio Noord", "country": "NL"},
            "items": [{"description": "Work", "quantity": 1, "unitPrice": 100, "vatRate": 21}],
        });
        assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).status, 201);
        let bill = json!({"date": "2026-03-03", "supplier": "Papierhal", "paidFrom": "unpaid", "items": [{"category": "4100", "amount": 10, "vatRate": 21}]});
        assert_eq!(server.post(&key, "/api/v1/expenses", &bill).status, 201);
        let choose = |id: i64, kind: &str, offered: &str, fields: &[(&str, &str)]| {
            let page = browser.get(&format!("/bank-lines?state=new&line={id}&kind={kind}"));
            assert!(page.text.contains(offered), "{kind} offers {offered}: {}", page.text);
            browser.submit(&page, &format!("/bank-lines/{id}/book"), &[&[("action", "book")], fields].concat())
        };
        // 130 for an invoice of 121: the surplus of 9 is kept only on request.
        let paid = [("allocations.0.invoiceId", "1")];
        let surplus = choose(1, "invoice", "Studio Noord", &paid);
        assert_eq!(surplus.status, 422, "{}", surplus.text);
        assert!(fault_of(&surplus, "allocations.0.amount").is_some(), "{}", surplus.text);
        let kept = [paid[0], ("action", "book"), ("allocations.0.overpayment", "keep")];
        assert_eq!(browser.submit(&surplus, "/bank-lines/1/book", &kept).status, 303);
        let due = |path: &str, field: &str| server.get(&key, path).json()[field].clone();
        assert_eq!(due("/api/v1/invoices/1", "amountToRefund"), json!(9.0));
        assert_eq!(choose(2, "bill", "Papierhal", &[("allocations.0.expenseId", "1")]).status, 303);
        assert_eq!(due("/api/v1/expenses/1", "amountDue"), json!(0.0));
        assert_eq!(choose(3, "refund", "Studio Noord", &paid).status, 303);
        assert_eq!(due("/api/v1/invoices/1", "amountToRefund"), json!(0.0));
        assert_eq!(choose(4, "loan", "0700", &[("allocations.0.account", "0700")]).status, 303);
        let loan = line(&server, &key, 4)["allocations"][0]["targetId"].to_string();
        let repaid = [("allocations.0.loanId", &*loan), ("allocations.0.interest", "10")];
        let offered = format!("<option value=\"{loan}\"");
        assert_eq!(choose(5, "loanRepayment", &offered, &repaid).status, 303);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        // A loan that is repaid in part is undone only after the repayment.
        let page = browser.get("/bank-lines?state=booked&line=4");
        let refused = browser.submit(&page, "/bank-lines/4/undo", &[]);
        assert_eq!(refused.status, 409, "{}", refused.text);
        for id in [5, 4, 3, 2, 1] {
            let page = browser.get(&format!("/bank-lines?state=booked&line={id}"));
            assert_eq!(browser.submit(&page, &format!("/bank-lines/{id}/undo"), &[]).status, 303);
        }
        assert_eq!(due("/api/v1/invoices/1", "amountDue"), json!(121.0));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn both_halves_of_a_transfer_are_booked_and_undone_together(engine) {
        let (server, browser, key) = with_feed(engine, &[(6, "2026-03-10", -500.0), (2, "2026-03-11", 500.0)]);
        let page = browser.get("/bank-lines?state=new&line=1&kind=transfer");
        assert!(page.text.contains("<option value=\"2\""), "{}", page.text);
        let half = [("action", "book"), ("allocations.0.bankAccountId", "2"), ("allocations.0.lineId", "2")];
        let booked = browser.submit(&page, "/bank-lines/1/book", &half);
        assert_eq!(booked.status, 303, "{}", booked.text);
        let states = || [1, 2].map(|id| line(&server, &key, id)["state"].clone());
        assert_eq!(states(), [json!("booked"), json!("booked")]);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        let page = browser.get("/bank-lines?state=booked&line=2");
        assert_eq!(browser.submit(&page, "/bank-lines/2/undo", &[]).status, 303);
        assert_eq!(states(), [json!("new"), json!("new")]);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_booking_in_a_filed_quarter_is_undone_as_a_correction(engine) {
        let (server, browser, key) = with_feed(engine, &[(6, "2025-11-10", 95.0)]);
        let invoice = json!({"status": "sent", "invoiceDate": "2025-10-05", "customer": {"name": "De Pier"},
            "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
        assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).status, 201);
        let page = browser.get("/bank-lines?line=1&kind=payout");
        // A fee whose VAT is charged back to the customer stands in two boxes.
        let fee = [("action", "book"), ("allocations.0.fee", "5"), ("allocations.0.feeVatTreatment", "eu")];
        let booked = browser.submit(&page, "/bank-lines/1/book", &fee);
        assert_eq!(booked.status, 303, "{}", booked.text);
        let vat = browser.get("/vat/2025/4");
        assert_eq!(browser.submit(&vat, "/vat/2025/4/file", &[]).status, 303);
        let page = browser.get("/bank-lines?state=booked&line=1");
        assert!(!page.text.contains("name=\"correction\""), "{}", page.text);
        let refused = browser.submit(&page, "/bank-lines/1/undo", &[]);
        assert!(refused.status == 409 && refused.text.contains("name=\"correction\""), "{}", refused.text);
        assert_eq!(line(&server, &key, 1)["state"], json!("booked"));
        let undone = browser.submit(&refused, "/bank-lines/1/undo", &[("correction", "true")]);
        assert_eq!(undone.status, 303, "{}", undone.text);
        assert_eq!(line(&server, &key, 1)["state"], json!("new"));
        // So is the booking itself.
        let page = browser.get("/bank-lines?line=1&kind=payout");
        let refused = browser.submit(&page, "/bank-lines/1/book", &fee);
        assert!(refused.status == 409 && refused.text.contains("name=\"allocations.0.correction\""), "{}", refused.text);
        let corrected = [&fee[..], &[("allocations.0.correction", "true")]].concat();
        let booked = browser.submit(&refused, "/bank-lines/1/book", &corrected);
        assert_eq!(booked.status, 303, "{}", booked.text);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_note_is_written_and_two_windows_do_not_overwrite_it(engine) {
        let (server, browser, key) = with_lines(engine);
        let page = browser.get("/bank-lines?state=new&line=2");
        let later = browser.get("/bank-lines?state=new&line=2");
        let saved = browser.submit(&page, "/bank-lines/2", &[("note", "Bellen & vragen")]);
        assert_eq!(saved.header("location"), Some("/bank-lines?state=new&line=2&done=bank-line-noted"), "{}", saved.text);
        assert_eq!(line(&server, &key, 2)["note"], json!("Bellen & vragen"));
        let conflict = browser.submit(&later, "/bank-lines/2", &[("note", "Betaald")]);
        assert_eq!(conflict.status, 409, "{}", conflict.text);
        // Both notes are shown, and saving again replaces the stored one.
        assert!(fault_of(&conflict, "note").unwrap().contains("Bellen"), "{}", conflict.text);
        assert!(conflict.text.contains("Betaald</textarea>"), "{}", conflict.text);
        assert_eq!(browser.submit(&conflict, "/bank-lines/2", &[]).status, 303);
        assert_eq!(line(&server, &key, 2)["note"], json!("Betaald"));
        let page = browser.get("/bank-lines?state=new&line=2");
        assert_eq!(browser.submit(&page, "/bank-lines/2", &[("note", "")]).status, 303);
        assert_eq!(line(&server, &key, 2)["note"], json!(null));
        let long = "x".repeat(1001);
        let refused = browser.submit(&browser.get("/bank-lines?line=2"), "/bank-lines/2", &[("note", &long)]);
        assert_eq!(refused.status, 422, "{}", refused.text);
        assert!(fault_of(&refused, "note").is_some(), "{}", refused.text);
    }

    fn texts_of_a_bank_are_shown_as_text(engine) {
        let (server, browser, key) = with_account(engine);
        let (name, link) = ("=HYPERLINK(\"https://evil.example\";\"open\")", "https://evil.example/a");
        let text = format!("<script>alert(1)</script> <a href={link}>{link}</a> \u{202e}omgekeerd\u{2066}");
        let file = FILE.replace("NAME/Bakkerij De Korenaar/REMI/Brood", &format!("NAME/{name}/REMI/{text}"));
        let page = browser.get("/bank-statements");
        let hostile = ("file", "<b>\u{202e}march.940", file.as_bytes());
        let taken = browser.submit_with_file(&page, "/bank-statements", &[("action", "take")], hostile);
        assert_eq!(taken.status, 303, "{}", taken.text);
        assert!(line(&server, &key, 1)["text"].as_str().unwrap().contains("<script>"), "{}", line(&server, &key, 1));
        for path in ["/bank-lines?state=new&line=1&kind=expense", "/bank-lines?state=all&q=evil", "/bank-statements", "/bank-statements/1", "/bank"] {
            let shown = browser.get(path);
            assert_eq!(shown.status, 200, "{path}: {}", shown.text);
            for bad in ["<script>alert", "<a href=https:", "href=\"https://evil", "<b>\u{202e}", "\u{202e}", "\u{2066}"] {
                assert!(!shown.text.contains(bad), "{path} has {bad:?}: {}", shown.text);
            }
        }
        let shown = browser.get("/bank-lines?state=new&line=1");
        assert!(shown.text.contains("=HYPERLINK(") && shown.text.contains("script&#62;alert(1)"), "{}", shown.text);
        // A booking takes the words over, and its pages show them as text too.
        let page = browser.get("/bank-lines?line=1&kind=expense");
        let booked = browser.submit(&page, "/bank-lines/1/book", &[("action", "book"), ("allocations.0.items.0.category", "4100")]);
        assert_eq!(booked.status, 303, "{}", booked.text);
        for path in ["/expenses", "/expenses/1", "/journal?year=2026", "/bank-lines?state=booked&line=1"] {
            let shown = browser.get(path);
            assert!(shown.status == 200 && !shown.text.contains("<script>alert") && !shown.text.contains("href=\"https://evil"), "{path}: {}", shown.text);
        }
        let csv = browser.get("/bank-lines.csv?state=all").text;
        assert!(csv.contains(";\"'=HYPERLINK(\"\"https://evil.example\"\";\"\"open\"\")\";"), "{csv}");
        assert!(!csv.contains('\u{202e}') && !csv.contains('\u{2066}'), "{csv}");
    }

    fn kinds_in_the_words_of_people_fill_in_their_form(engine) {
        let (server, browser, key) = with_feed(engine, &[(6, "2026-03-10", 121.0), (6, "2026-03-11", 121.0), (6, "2026-03-12", -30.0), (6, "2026-03-13", 36.3)]);
        let invoice = json!({
            "status": "sent", "invoiceDate": "2026-03-02", "customer": {"name": "Studio Noord", "country": "NL"},
            "items": [{"description": "Work", "quantity": 1, "unitPrice": 100, "vatRate": 21}],
        });
        assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).status, 201);
        let book = |id: i64, kind: &str, fields: &[(&str, &str)]| {
            let page = browser.get(&format!("/bank-lines?state=new&line={id}&kind={kind}"));
            let booked = browser.submit(&page, &format!("/bank-lines/{id}/book"), &[&[("action", "book")], fields].concat());
            assert_eq!(booked.status, 303, "{kind}: {}", booked.text);
            line(&server, &key, id)["allocations"][0].clone()
        };
        book(1, "invoice", &[("allocations.0.invoiceId", "1")]);
        // The invoice is paid, so only the choice for a second payment offers it.
        assert!(!browser.get("/bank-lines?state=new&line=2&kind=invoice").text.contains("2026-0001"));
        let page = browser.get("/bank-lines?state=new&line=2");
        for words in ["Customer paid twice", "Money back, not recorded yet", "Money back on a recorded credit note", "I don’t know yet"] {
            assert!(page.text.contains(words), "{words}: {}", page.text);
        }
        let twice = book(2, "paidTwice", &[("allocations.0.invoiceId", "1")]);
        assert_eq!(json!([twice["kind"], twice["amount"]]), json!(["invoice", 121.0]));
        assert_eq!(server.get(&key, "/api/v1/invoices/1").json()["amountToRefund"], json!(121.0));
        let page = browser.get("/bank-lines?state=new&line=3");
        assert!(!page.text.contains("Customer paid twice") && !page.text.contains("Money back"), "{}", page.text);
        assert_eq!(book(3, "unknown", &[])["kind"], json!("ledger"));
        let entry = line(&server, &key, 3)["allocations"][0]["entryIds"][0].to_string();
        let entry = server.get(&key, &format!("/api/v1/entries/{entry}")).json();
        assert_eq!(entry["lines"][1]["accountCode"], json!("1640"), "{entry}");
        assert_eq!(book(4, "expense", &[("allocations.0.items.0.category", "4100")])["kind"], json!("expense"));
        assert_eq!(server.get(&key, "/api/v1/expenses/1").json()["total"], json!(-36.3));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn parts_and_kinds_keep_their_place_on_the_page(engine) {
        let (_server, browser, _key) = with_lines(engine);
        let page = browser.get("/bank-lines?state=new&line=3&kind=private");
        assert!(page.text.contains("formaction=\"/bank-lines/3/book#part-1\""), "{}", page.text);
        let two = browser.submit(&page, "/bank-lines/3/book", &[("action", "addAllocation"), ("allocations.0.privateKind", "deposit")]);
        for part in ["id=\"part-0\"", "id=\"part-1\"", "#part-2", "value=\"removeAllocation.1\" formaction=\"/bank-lines/3/book#book\""] {
            assert!(two.text.contains(part), "{part}: {}", two.text);
        }
    }

    fn an_entry_leads_to_its_bank_line(engine) {
        let (server, browser, key) = with_lines(engine);
        let page = browser.get("/bank-lines?line=1&kind=bankCosts");
        assert_eq!(browser.submit(&page, "/bank-lines/1/book", &[("action", "book")]).status, 303);
        let entry = line(&server, &key, 1)["allocations"][0]["entryIds"][0].to_string();
        let page = browser.get(&format!("/journal/{entry}"));
        assert!(page.text.contains("href=\"/bank-lines/1\""), "{}", page.text);
    }

    fn a_page_of_many_lines_is_small(engine) {
        let days: Vec<Value> = (0..120).map(|n| json!({
            "date": format!("2026-02-{:02}", n % 28 + 1), "amount": -10 - n,
            "counterparty": {"name": format!("Leverancier van kantoorartikelen {n}"), "iban": "NL91ABNA0417164300"},
            "text": format!("Factuur {n}, klantnummer 1234567890, met dank voor uw bestelling bij onze winkel in Amsterdam"),
        })).collect();
        let (server, browser, key) = with_account(engine);
        let feed = json!({"bankAccountId": 6, "from": "2026-02-01", "to": "2026-02-28", "lines": days});
        assert_eq!(server.post(&key, "/api/v1/bank-statements", &feed).status, 201);
        let page = browser.get("/bank-lines?state=new&kind=bill");
        // Compressed, this is a sixth.
        assert!(page.text.len() < 42_000, "{} bytes", page.text.len());
    }
}
