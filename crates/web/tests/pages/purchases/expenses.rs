//! Expenses, receipts and assets as pages, with the same bookings as through the API: creating,
//! editing, paying and undoing them.

use crate::help::{EMAIL, PASSWORD, fault_of, signed_in, value_of, visit};
use serde_json::{Value, json};
use testing::{Server, Visitor, on_both_engines, page::form_to};

const TONER: [(&str, &str); 7] = [
    ("date", "2026-02-10"),
    ("supplier", "Papierhal"),
    ("description", "Toner"),
    ("items.0.category", "4100"),
    ("items.0.amount", "€ 121,00"),
    ("items.0.vatRate", "21"),
    ("items.0.includesVat", "true"),
];

fn by_api(server: &Server, key: &str, id: i64) -> Value {
    server.get(key, &format!("/api/v1/expenses/{id}")).json()
}

/// Date, amount and other fields of a form; expected text of its panel; whether it offers a
/// correction.
type PanelCase<'c> =
    (&'static str, &'static str, &'c [(&'static str, &'static str)], &'static str, bool);

on_both_engines! {
    fn a_bill_is_entered_with_its_number_due_date_and_payee(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let page = browser.get("/expenses/new");
        let bill = |due, iban| {
            let number = ("supplierInvoiceNumber", "F-12");
            let own = [("paidFrom", "unpaid"), number, ("dueDate", due), ("payTo.iban", iban)];
            [TONER.as_slice(), &own].concat()
        };
        let refused = browser.submit(&page, "/expenses", &bill("2026-02-24", "NL91"));
        assert_eq!(refused.status, 422);
        assert!(fault_of(&refused, "payTo.iban").is_some(), "{}", refused.text);
        let iban = "NL91 ABNA 0417 1643 00";
        let early = browser.submit(&refused, "/expenses", &bill("2026-02-01", iban));
        assert!(fault_of(&early, "dueDate").is_some(), "{}", early.text);
        let answer = browser.submit(&early, "/expenses", &bill("24-02-2026", iban));
        assert_eq!(answer.status, 303, "{}", answer.text);
        let made = by_api(&server, &key, 1);
        assert_eq!(
            (&made["supplierInvoiceNumber"], &made["dueDate"], &made["payTo"]["iban"]),
            (&json!("F-12"), &json!("2026-02-24"), &json!("NL91ABNA0417164300"))
        );
        let shown = browser.get("/expenses/1");
        for text in ["F-12", "NL91ABNA0417164300"] {
            assert!(shown.text.contains(text), "{text}: {}", shown.text);
        }
        let form = browser.get("/expenses/1/edit");
        assert_eq!(value_of(&form, "payTo.iban").as_deref(), Some("NL91ABNA0417164300"));
        let emptied = [("payTo.iban", ""), ("supplierInvoiceNumber", ""), ("dueDate", "")];
        let answer = browser.submit(&form, "/expenses/1", &emptied);
        assert_eq!(answer.status, 303, "{}", answer.text);
        let made = by_api(&server, &key, 1);
        assert_eq!(
            (&made["supplierInvoiceNumber"], &made["dueDate"], &made["payTo"]),
            (&Value::Null, &json!("2026-03-12"), &Value::Null)
        );
    }

    fn an_expense_is_booked_with_its_receipt_as_the_api_books_it(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let browser = browser.speaking("nl");
        let key = server.key(EMAIL, true, true);
        let empty = browser.get("/expenses");
        assert!(
            empty.text.contains("Nog geen uitgaven")
                && empty.text.contains("href=\"/expenses/new\""),
            "{}",
            empty.text
        );
        let page = browser.get("/expenses/new");
        assert!(page.text.contains("<option value=\"4100\""), "{}", page.text);
        // A rejected form keeps its input and the uploaded file.
        let file = ("receipt", "C:\\bonnen\\toner.pdf", b"%PDF-1.7 toner".as_slice());
        let refused = browser.submit_with_file(
            &page,
            "/expenses",
            &[("items.0.amount", "veel"), ("date", "2026-02-10")],
            file,
        );
        assert_eq!(
            (refused.status, value_of(&refused, "items.0.amount").as_deref()),
            (422, Some("veel")),
            "{}",
            refused.text
        );
        assert!(
            fault_of(&refused, "items.0.amount").is_some()
                && refused.text.contains("/receipts/1/file")
                && refused.text.contains("toner.pdf")
        );
        let heic = ("receipt", "foto.jpg", b"\0\0\0\x18ftypheic\0\0\0\0".as_slice());
        let unreadable = browser.submit_with_file(&refused, "/expenses", &TONER, heic);
        assert!(
            unreadable.status == 422 && fault_of(&unreadable, "receipt").unwrap().contains("HEIC"),
            "{}",
            unreadable.text
        );
        // The form is submitted without a new file, and keeps the first one.
        let answer = browser.submit(&refused, "/expenses", &TONER);
        assert_eq!(
            answer.header("location"),
            Some("/expenses/1?done=expense-recorded"),
            "{}",
            answer.text
        );
        let twice = browser.submit(&refused, "/expenses", &TONER);
        assert_eq!(twice.header("location"), answer.header("location"));
        let mine = by_api(&server, &key, 1);
        let body = json!({"date": "2026-02-10", "supplier": "Papierhal", "description": "Toner", "receiptIds": [1],
            "items": [{"category": "4100", "amount": 121.00, "vatRate": 21, "includesVat": true}]});
        let theirs = server.post(&key, "/api/v1/expenses", &body).json();
        for field in [
            "items",
            "paidFrom",
            "businessShare",
            "receiptIds",
            "subtotal",
            "vatTotal",
            "total",
            "description",
            "supplier",
        ] {
            assert_eq!(mine[field], theirs[field], "{field}");
        }
        let entry = |expense: &Value| {
            server.get(&key, &format!("/api/v1/entries/{}", expense["entryIds"][0])).json()["postings"].clone()
        };
        assert_eq!((entry(&mine), &mine["source"]), (entry(&theirs), &json!("app")));
        let page = browser.follow(&answer);
        for text in [
            "<h1>Toner",
            "Papierhal",
            "<data value=\"121.00\">",
            "Uitgave van ",
            "1500 ",
            "/receipts/1/file",
        ] {
            assert!(page.text.contains(text), "{text}: {}", page.text);
        }
        let list = browser.get("/expenses?q=papier");
        assert!(
            list.text.contains("data-id=\"1\"") && list.text.contains("<data value=\"242.00\">"),
            "{}",
            list.text
        );
        assert!(
            browser.get("/expenses.csv").text.contains(
                "\r\n1;2026-02-10;Papierhal;Toner;bank;100,00;21,00;21,00;121,00;0,00;;\r\n"
            )
        );
        let file = browser.get("/receipts/1/file");
        assert_eq!(
            (file.status, file.text.as_str(), file.header("content-type")),
            (200, "%PDF-1.7 toner", Some("application/pdf"))
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_file_lost_with_the_session_is_asked_for_again(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let (form, look) = (browser.get("/expenses/new"), browser.get("/settings/invoices"));
        let other_browser = browser.clone();
        let late = browser.clone();
        let settings = other_browser.get("/settings");
        other_browser.submit(&settings, "/logout", &[]);
        let sent = |browser: &Visitor, page, action: &str, filled: &[(&str, &str)], file| {
            let mut again = browser.submit_with_file(page, action, filled, file);
            assert_eq!(again.status, 401, "{}", again.text);
            again = browser.submit(&again, "/login", &[("email", EMAIL), ("password", PASSWORD)]);
            let offered = again.text.contains("The file bon.pdf doesn’t go along");
            (browser.submit(&again, action, &[]), offered)
        };
        let file = ("receipt", "bon.pdf", b"%PDF-1.7 bon".as_slice());
        let asked = browser.submit_with_file(&form, "/expenses", &TONER, file);
        assert_eq!(asked.status, 401, "{}", asked.text);
        let back = browser.submit(&asked, "/login", &[("email", EMAIL), ("password", PASSWORD)]);
        let retry_form = browser.follow(&back);
        assert_eq!(
            (retry_form.status, value_of(&retry_form, "description").as_deref()),
            (200, Some("Toner"))
        );
        assert!(
            fault_of(&retry_form, "receipt").unwrap().contains("Choose bon.pdf again"),
            "{}",
            retry_form.text
        );
        let booked = browser.submit_with_file(&retry_form, "/expenses", &TONER, file);
        assert_eq!(
            booked.header("location"),
            Some("/expenses/1?done=expense-recorded"),
            "{}",
            booked.text
        );
        assert!(browser.get("/expenses/1").text.contains("/receipts/1/file"));
        let (retry_form, offered) = sent(
            &late,
            &look,
            "/settings/invoices",
            &[("paymentTermDays", "21")],
            ("logo", "bon.pdf", b"x"),
        );
        assert!(offered);
        assert_eq!(
            (retry_form.status, value_of(&retry_form, "paymentTermDays").as_deref()),
            (422, Some("21"))
        );
        assert!(fault_of(&retry_form, "logo").is_some(), "{}", retry_form.text);
    }

    fn an_expense_is_edited_and_a_conflict_is_shown(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let page = browser.get("/expenses/new");
        assert_eq!(browser.submit(&page, "/expenses", &TONER).status, 303);
        let (form, other) = (browser.get("/expenses/1/edit"), browser.get("/expenses/1/edit"));
        let edited = browser.submit(
            &form,
            "/expenses/1",
            &[
                ("description", "Paper"),
                ("date", "2026-02-11"),
                ("supplier", ""),
                ("businessShare", "50"),
                ("items.0.category", "4110"),
                ("items.0.amount", "121.00"),
                ("items.0.vatRate", "21"),
                ("items.0.includesVat", "true"),
            ],
        );
        assert_eq!(
            edited.header("location"),
            Some("/expenses/1?done=expense-edited"),
            "{}",
            edited.text
        );
        let now = by_api(&server, &key, 1);
        assert_eq!(
            (&now["description"], &now["supplier"], &now["vatDeductible"], &now["entryIds"]),
            (&json!("Paper"), &Value::Null, &json!(10.50), &json!([1, 2, 3]))
        );
        // This form was opened before the edit.
        let stale = browser.submit(&other, "/expenses/1", &TONER);
        assert!(
            stale.status == 409 && stale.text.contains("Toner") && stale.text.contains("Paper"),
            "{}",
            stale.text
        );
        let undone = browser.post(
            "/expenses/1/undo",
            &[("csrf", form_to(&form.text, "/expenses/1").value("csrf"))],
        );
        assert_eq!(undone.header("location"), Some("/expenses/1?done=expense-undone"));
        assert!(browser.follow(&undone).text.contains("undone"));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn private_use_payouts_and_recovered_debts_are_offered_as_corrections(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let invoice = json!({"invoiceDate": "2025-10-05", "status": "sent", "customer": {"name": "De Pier"}, "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
        assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).status, 201);
        assert_eq!(
            server
                .post(&key, "/api/v1/invoices/1/write-off", &json!({"date": "2025-11-20"}))
                .status,
            201
        );
        let page = browser.get("/vat/2025/4");
        assert_eq!(browser.submit(&page, "/vat/2025/4/file", &[]).status, 303);
        let offers = |reply: &testing::Reply| {
            assert!(
                reply.status == 409 && reply.text.contains("name=\"correction\""),
                "{}",
                reply.text
            );
        };
        let forms = [
            (
                "/private-use",
                "/private-use",
                &[("date", "2025-12-31"), ("kind", "goods"), ("vat", "21"), ("base", "100")][..],
            ),
            (
                "/payouts",
                "/payouts",
                &[
                    ("date", "2025-12-30"),
                    ("amount", "100"),
                    ("fee", "12.10"),
                    ("feeVatTreatment", "normal"),
                ][..],
            ),
            (
                "/invoices/1",
                "/invoices/1/payments",
                &[("date", "2025-12-20"), ("amount", "121.00"), ("method", "bank")][..],
            ),
        ];
        for (path, form, fields) in forms {
            let page = browser.get(path);
            assert!(!page.text.contains("name=\"correction\""), "{}", page.text);
            let refused = browser.submit(&page, form, fields);
            offers(&refused);
            let response =
                browser.submit(&refused, form, &[fields, &[("correction", "true")]].concat());
            assert_eq!(response.status, 303, "{form}: {}", response.text);
            assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        }
        // The page that rejects undoing in a filed quarter offers a correction.
        let (cx, later) = (server.owner(EMAIL), "2026-04-10T10:00:00Z".parse().unwrap());
        server.write(move |tx| {
            service::vat_filings::file(
                tx,
                &cx.at(later),
                ledger::calendar::Quarter::new(2026, 1).unwrap().into(),
            )
        });
        for (path, undo) in [
            ("/private-use/1", "/private-use/1/undo"),
            ("/payouts", "/payouts/1/undo"),
            ("/invoices/1", "/invoices/1/payments/1/undo"),
        ] {
            let page = browser.get(path);
            let refused = browser.submit(&page, undo, &[]);
            offers(&refused);
            let undone = browser.post(
                undo,
                &[("csrf", form_to(&refused.text, undo).value("csrf")), ("correction", "true")],
            );
            assert_eq!(undone.status, 303, "{undo}: {}", undone.text);
            assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        }
    }

    fn an_entry_in_a_filed_quarter_is_offered_as_a_correction(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let invoice = |status: &str| json!({"invoiceDate": "2025-10-05", "status": status, "customer": {"name": "De Pier"}, "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
        for status in ["draft", "sent"] {
            assert_eq!(server.post(&key, "/api/v1/invoices", &invoice(status)).status, 201);
        }
        let page = browser.get("/vat/2025/4");
        assert_eq!(browser.submit(&page, "/vat/2025/4/file", &[]).status, 303);
        // The form of an expense offers the correction only after a rejection.
        let form = browser.get("/expenses/new");
        assert!(!form.text.contains("name=\"correction\""));
        let mut fields = TONER;
        fields[0].1 = "2025-11-20";
        let refused = browser.submit(&form, "/expenses", &fields);
        assert!(
            refused.status == 409 && refused.text.contains("name=\"correction\""),
            "{}",
            refused.text
        );
        let response = browser.submit(
            &refused,
            "/expenses",
            &[&fields[..], &[("correction", "true")]].concat(),
        );
        assert_eq!(response.status, 303, "{}", response.text);
        let page = browser.follow(&response);
        assert_eq!(by_api(&server, &key, 1)["entryIds"].as_array().unwrap().len(), 2);
        // The page names the return that includes the correction, not the one for the expense's
        // date.
        assert!(
            page.text.contains("<dd>Q1 2026</dd>") && !page.text.contains("<dd>Q4 2025</dd>"),
            "{}",
            page.text
        );
        // When an invoice's page rejects a button or a form, it offers the correction too.
        let invoices = ["/invoices/1/cancel", "/invoices/2/write-off"];
        let draft = browser.get("/invoices/1");
        let refused = browser.submit(&draft, invoices[0], &[]);
        assert!(
            refused.status == 409 && refused.text.contains("name=\"correction\""),
            "{}",
            refused.text
        );
        let taken_back = browser.post(
            invoices[0],
            &[("csrf", form_to(&refused.text, invoices[0]).value("csrf")), ("correction", "true")],
        );
        assert_eq!(taken_back.status, 303, "{}", taken_back.text);
        let fields = [("date", "2025-12-20"), ("amount", "121.00")];
        let form = browser.get(invoices[1]);
        let refused = browser.submit(&form, invoices[1], &fields);
        assert!(
            refused.status == 409 && refused.text.contains("name=\"correction\""),
            "{}",
            refused.text
        );
        let written_off = browser.submit(
            &refused,
            invoices[1],
            &[&fields[..], &[("correction", "true")]].concat(),
        );
        assert_eq!(written_off.status, 303, "{}", written_off.text);
        let undo = "/invoices/2/write-off/1/undo";
        let sent = browser.follow(&written_off);
        let refused = browser.submit(&sent, undo, &[]);
        assert!(
            refused.status == 409 && refused.text.contains("name=\"correction\""),
            "{}",
            refused.text
        );
        assert_eq!(
            browser
                .post(
                    undo,
                    &[("csrf", form_to(&refused.text, undo).value("csrf")), ("correction", "true")]
                )
                .status,
            303
        );
        // Undoing an expense whose VAT is in a later return is allowed while that return is open.
        // Once the return is filed, a correction is offered.
        let (cx, later) = (server.owner(EMAIL), "2026-04-10T10:00:00Z".parse().unwrap());
        server.write(move |tx| {
            service::vat_filings::file(
                tx,
                &cx.at(later),
                ledger::calendar::Quarter::new(2026, 1).unwrap().into(),
            )
        });
        let refused = browser.submit(&page, "/expenses/1/undo", &[]);
        assert!(
            refused.status == 409 && refused.text.contains("name=\"correction\""),
            "{}",
            refused.text
        );
        let undone = browser.post(
            "/expenses/1/undo",
            &[
                ("csrf", form_to(&refused.text, "/expenses/1/undo").value("csrf")),
                ("correction", "true"),
            ],
        );
        assert_eq!(
            undone.header("location"),
            Some("/expenses/1?done=expense-undone"),
            "{}",
            undone.text
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    /// The server does not accept the file without a session; it keeps the other input and shows
    /// the form again after sign-in.
    fn input_survives_the_end_of_the_session_during_an_upload(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let form = browser.get("/expenses/new");
        let other_browser = browser.clone();
        let page = other_browser.get("/settings");
        other_browser.submit(&page, "/logout", &[]);
        let file = ("receipt", "toner.pdf", b"%PDF-1.7 toner".as_slice());
        let again = browser.submit_with_file(&form, "/expenses", &TONER, file);
        assert!(
            again.status == 401 && again.text.contains("name=\"kept\""),
            "{} {}",
            again.status,
            again.text
        );
        let back = browser.submit(&again, "/login", &[("email", EMAIL), ("password", PASSWORD)]);
        let result_page = browser.follow(&back);
        assert_eq!(
            (result_page.status, value_of(&result_page, "supplier").as_deref()),
            (200, Some("Papierhal")),
            "{}",
            result_page.text
        );
        assert_eq!(server.get(&key, "/api/v1/expenses").json()["data"], json!([]));
        assert_eq!(browser.submit_with_file(&result_page, "/expenses", &TONER, file).status, 303);
        assert_eq!(by_api(&server, &key, 1)["receiptIds"], json!([1]));
    }

    /// An edit conflict with another window shows differences in lines beyond the first and in
    /// fields that are not on the form.
    fn an_edit_conflict_shows_every_difference(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let second = |amount: &'static str| {
            [
                &TONER[..],
                &[
                    ("paidFrom", "unpaid"),
                    ("items.1.category", "4110"),
                    ("items.1.amount", amount),
                    ("items.1.vatRate", "9"),
                ],
            ]
            .concat()
        };
        let page = browser.get("/expenses/new");
        assert_eq!(browser.submit(&page, "/expenses", &second("50")).status, 303);
        let (form, other) = (browser.get("/expenses/1/edit"), browser.get("/expenses/1/edit"));
        assert_eq!(browser.submit(&form, "/expenses/1", &second("60")).status, 303);
        let stale = browser.submit(&other, "/expenses/1", &second("50"));
        assert!(
            stale.status == 409
                && stale.text.contains(
                    "<tr><th scope=\"row\">Amount (2)</th><td>50</td><td>60.00</td></tr>"
                ),
            "{}",
            stale.text
        );
        // Values of a select are shown as their labels.
        let chosen = [
            &TONER[..],
            &[
                ("paidFrom", "private"),
                ("items.1.category", "4110"),
                ("items.1.amount", "60"),
                ("items.1.vatRate", "21"),
                ("items.1.vatTreatment", "eu"),
            ],
        ]
        .concat();
        let stale = browser.submit(&other, "/expenses/1", &chosen);
        for row in [
            "Paid from</th><td>Paid privately</td><td>Unpaid",
            "VAT on this line (2)</th><td>From another EU country</td>",
        ] {
            assert!(stale.status == 409 && stale.text.contains(row), "{row}: {}", stale.text);
        }
        let (form, page) = (browser.get("/expenses/1/edit"), browser.get("/expenses/1"));
        assert_eq!(
            browser
                .submit(
                    &page,
                    "/expenses/1/payments",
                    &[("date", "2026-02-20"), ("amount", "10"), ("method", "bank")]
                )
                .status,
            303
        );
        let stale = browser.submit(&form, "/expenses/1", &second("60"));
        assert!(
            stale.status == 303 || stale.text.contains("role=\"alert\""),
            "{} {}",
            stale.status,
            stale.text
        );
    }

    fn an_archived_contact_is_not_offered_as_a_supplier(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        for name in ["Papierhal", "Drukkerij"] {
            assert_eq!(server.post(&key, "/api/v1/contacts", &json!({"name": name})).status, 201);
        }
        let page = browser.get("/contacts/1");
        assert_eq!(browser.submit(&page, "/contacts/1/archive", &[]).status, 303);
        let form = browser.get("/expenses/new");
        assert!(
            form.text.contains(">Drukkerij</option>") && !form.text.contains(">Papierhal</option>"),
            "{}",
            form.text
        );
        // An archived contact is offered only if it is already selected.
        assert!(browser.get("/expenses/new?contactId=1").text.contains(">Papierhal</option>"));
    }

    fn a_bill_is_paid_from_its_page(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let page = browser.get("/expenses/new");
        let fields = [&TONER[..], &[("paidFrom", "unpaid")]].concat();
        let answer = browser.submit(&page, "/expenses", &fields);
        let page = browser.follow(&answer);
        let too_much = browser.submit(
            &page,
            "/expenses/1/payments",
            &[("date", "2026-02-20"), ("amount", "500"), ("method", "bank")],
        );
        assert!(
            too_much.status == 422
                && fault_of(&too_much, "amount").is_some_and(|fault| fault.contains("121.00")),
            "{}",
            too_much.text
        );
        let paid = browser.submit(
            &too_much,
            "/expenses/1/payments",
            &[("date", "2026-02-20"), ("amount", "121.00"), ("method", "bank")],
        );
        assert_eq!(
            paid.header("location"),
            Some("/expenses/1?done=expense-paid-whole"),
            "{}",
            paid.text
        );
        assert_eq!(by_api(&server, &key, 1)["paid"], json!(true));
        let page = browser.follow(&paid);
        let undone = browser.submit(&page, "/expenses/1/payments/1/undo", &[]);
        assert_eq!(undone.status, 303);
        assert_eq!(by_api(&server, &key, 1)["amountDue"], json!(121.00));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn the_vat_on_an_unpaid_bill_is_repaid_from_its_page(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let page = browser.get("/expenses/new");
        let answer =
            browser.submit(&page, "/expenses", &[&TONER[..], &[("paidFrom", "unpaid")]].concat());
        assert_eq!(answer.status, 303, "{}", answer.text);
        server.clock.set("2027-03-01T10:00:00Z");
        assert_eq!(browser.sign_in(EMAIL, PASSWORD).status, 303);
        let page = browser.get("/expenses/1");
        let repaid = browser.submit(&page, "/expenses/1/vat-repayment", &[]);
        assert_eq!(
            repaid.header("location"),
            Some("/expenses/1?done=expense-vat-repaid"),
            "{}",
            repaid.text
        );
        assert_eq!(by_api(&server, &key, 1)["vatRepaid"], json!(21.00));
        // A double click repays the VAT once.
        let entries = by_api(&server, &key, 1)["entryIds"].clone();
        let again = browser.submit(&page, "/expenses/1/vat-repayment", &[]);
        assert!(matches!(again.status, 303 | 409 | 422), "{}", again.text);
        assert_eq!(by_api(&server, &key, 1)["entryIds"], entries);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    /// A form without the field `receiptIds` keeps the existing receipts and adds new files.
    fn an_edit_without_the_field_of_receipts_keeps_them(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let page = browser.get("/expenses/new");
        assert_eq!(
            browser
                .submit_with_file(&page, "/expenses", &TONER, ("receipt", "a.pdf", b"%PDF-1.7 a"))
                .status,
            303
        );
        let without_field = |browser: &Visitor| {
            let mut form = browser.get("/expenses/1/edit");
            form.text = form.text.replace("name=\"receiptIds\"", "name=\"other\"");
            form
        };
        let form = without_field(&browser);
        let edited = browser.submit(
            &form,
            "/expenses/1",
            &[&TONER[..2], &[("description", "Paper")], &TONER[3..]].concat(),
        );
        assert_eq!(edited.status, 303, "{}", edited.text);
        let now = by_api(&server, &key, 1);
        assert_eq!((&now["description"], &now["receiptIds"]), (&json!("Paper"), &json!([1])));
        let form = without_field(&browser);
        let added = browser.submit_with_file(
            &form,
            "/expenses/1",
            &TONER,
            ("receipt", "b.pdf", b"%PDF-1.7 b"),
        );
        assert_eq!(
            (added.status, &by_api(&server, &key, 1)["receiptIds"]),
            (303, &json!([1, 2])),
            "{}",
            added.text
        );
        // The field lists the receipts that the expense keeps.
        let form = browser.get("/expenses/1/edit");
        assert_eq!(value_of(&form, "receiptIds").as_deref(), Some("1,2"));
        assert_eq!(
            browser
                .submit(&form, "/expenses/1", &[&TONER[..], &[("receiptIds", "2")]].concat())
                .status,
            303
        );
        assert_eq!(by_api(&server, &key, 1)["receiptIds"], json!([2]));
        // Two windows: the first adds a file, which the second keeps along with its own change.
        let (first, second) = (browser.get("/expenses/1/edit"), browser.get("/expenses/1/edit"));
        assert_eq!(
            browser
                .submit_with_file(
                    &first,
                    "/expenses/1",
                    &TONER,
                    ("receipt", "c.pdf", b"%PDF-1.7 c")
                )
                .status,
            303
        );
        let stale = browser.submit(&second, "/expenses/1", &[("description", "Paper")]);
        assert_eq!(
            (stale.status, value_of(&stale, "receiptIds").as_deref()),
            (409, Some("2,3")),
            "{}",
            stale.text
        );
        assert_eq!(browser.submit(&stale, "/expenses/1", &[]).status, 303);
        let now = by_api(&server, &key, 1);
        assert_eq!((&now["description"], &now["receiptIds"]), (&json!("Paper"), &json!([2, 3])));
    }

    /// Fields after a file that is too large are still read, so no input is lost.
    fn a_file_that_is_too_large_is_a_fault_of_its_field(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let page = browser.get("/expenses/new");
        let csrf = value_of(&page, "csrf").unwrap();
        let mut body = b"--x\r\nContent-Disposition: form-data; name=\"receipt\"; filename=\"bon.pdf\"\r\nContent-Type: application/pdf\r\n\r\n".to_vec();
        body.extend(vec![b'%'; 12 * 1024 * 1024]);
        for (name, value) in [&TONER[..], &[("csrf", csrf.as_str()), ("action", "book")]].concat() {
            body.extend(
                format!(
                    "\r\n--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}"
                )
                .bytes(),
            );
        }
        body.extend(b"\r\n--x--\r\n");
        let headers = [
            ("content-type", "multipart/form-data; boundary=x"),
            ("sec-fetch-site", "same-origin"),
        ];
        let refused = browser.send("POST", "/expenses", &headers, Some(&body));
        assert!(
            refused.status == 422
                && fault_of(&refused, "receipt").is_some_and(|fault| fault.contains("10 MB")),
            "{} {}",
            refused.status,
            refused.text
        );
        for (field, typed) in [("supplier", "Papierhal"), ("items.0.amount", "€ 121,00")] {
            assert_eq!(value_of(&refused, field).as_deref(), Some(typed), "{field}");
        }
        // With a smaller file, the expense is booked.
        assert_eq!(
            browser
                .submit_with_file(
                    &refused,
                    "/expenses",
                    &TONER,
                    ("receipt", "bon.pdf", b"%PDF-1.7 bon")
                )
                .status,
            303
        );
    }

    /// A date field can display only ISO 8601, so a valid date in another notation is converted
    /// when the form is shown again because of a fault in another field.
    fn a_typed_date_comes_back_in_the_format_of_its_field(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let page = browser.get("/expenses/new");
        let with_day = |day: &'static str| {
            [&[("date", day)], &TONER[1..4], &[("items.0.amount", "veel")]].concat()
        };
        let refused = browser.submit(&page, "/expenses", &with_day("10-2-2026"));
        assert_eq!(
            (refused.status, value_of(&refused, "date").as_deref()),
            (422, Some("2026-02-10")),
            "{}",
            refused.text
        );
        let refused = browser.submit(&page, "/expenses", &with_day("31-4-2026"));
        assert_eq!(
            (refused.status, value_of(&refused, "date").as_deref()),
            (422, Some("31-4-2026")),
            "{}",
            refused.text
        );
        assert!(refused.text.contains("name=\"date\" type=\"text\""), "{}", refused.text);
        let page = browser.get("/mileage");
        let refused = browser.submit(
            &page,
            "/mileage",
            &[("date", "10-2-2026"), ("from", "Utrecht"), ("to", "Zwolle"), ("km", "-1")],
        );
        assert!(
            fault_of(&refused, "km").is_some_and(|fault| fault.contains("above 0, at most 10,000")),
            "{:?}",
            fault_of(&refused, "km")
        );
    }

    fn receipts_wait_for_an_expense(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let page = browser.get("/receipts");
        let kept =
            browser.submit_with_file(&page, "/receipts", &[], ("file", "a.pdf", b"%PDF-1.7 a"));
        assert_eq!(kept.header("location"), Some("/receipts?done=receipts-kept"), "{}", kept.text);
        let page = browser.follow(&kept);
        assert!(
            page.text.contains("data-id=\"1\"") && page.text.contains("/expenses/new?receiptId=1"),
            "{}",
            page.text
        );
        let other = browser.submit_with_file(&page, "/receipts", &[], ("file", "a.gif", b"GIF89a"));
        assert!(
            other.status == 422 && fault_of(&other, "file").unwrap().contains("PDF"),
            "{}",
            other.text
        );
        for bytes in [10 * 1024 * 1024 + 1, 14 * 1024 * 1024] {
            let large = vec![b'%'; bytes];
            let refused =
                browser.submit_with_file(&page, "/receipts", &[], ("file", "b.pdf", &large));
            assert!(
                refused.status == 422
                    && fault_of(&refused, "file").is_some_and(|fault| fault.contains("10 MB")),
                "{} {}",
                refused.status,
                refused.text
            );
        }
        let form = browser.get("/expenses/new?receiptId=1");
        assert_eq!(browser.submit(&form, "/expenses", &TONER).status, 303);
        assert!(!browser.get("/receipts").text.contains("receiptId=1"));
        let kept =
            browser.submit_with_file(&page, "/receipts", &[], ("file", "b.pdf", b"%PDF-1.7 b"));
        let page = browser.follow(&kept);
        assert_eq!(browser.submit(&page, "/receipts/2/delete", &[]).status, 303);
        assert_eq!(browser.get("/receipts/2/file").status, 404);
        // An image has a thumbnail; a PDF has none.
        let kept = browser.submit_with_file(
            &page,
            "/receipts",
            &[],
            ("file", "a.png", crate::sales::documents::PICTURE),
        );
        assert!(browser.follow(&kept).text.contains("/receipts/3/thumbnail"));
        let small = browser.get("/receipts/3/thumbnail");
        assert!(
            small.status == 200
                && small.header("content-type").is_some_and(|kind| kind.starts_with("image/"))
        );
        assert_eq!(browser.get("/receipts/1/thumbnail").status, 404);
        // Without a session, receipts can be neither read nor uploaded.
        let stranger = visit(&server);
        assert_eq!(stranger.get("/receipts/1/file").status, 303);
        assert_eq!(
            stranger
                .submit_with_file(&page, "/receipts", &[], ("file", "c.pdf", b"%PDF-1.7 c"))
                .status,
            303
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    /// Art. 3.30 Wet IB 2001: a durable good of 450.00 or more is an asset, not a cost of the year.
    fn an_expense_is_converted_into_an_asset(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let item = |amount: f64| json!({"category": "4100", "amount": amount, "vatRate": 21, "includesVat": false});
        for (description, items) in [
            ("Cable", json!([item(449.99)])),
            ("Laptop", json!([item(450.0)])),
            ("Order", json!([item(600.0), item(5.0)])),
        ] {
            let body = json!({"date": "2026-02-03", "supplier": "Shop", "description": description, "paidFrom": "private", "items": items});
            assert_eq!(server.post(&key, "/api/v1/expenses", &body).status, 201);
        }
        let page = |path: &str| browser.get(path).text;
        assert!(!page("/expenses/1").contains("/assets/new"));
        assert!(
            page("/expenses/3").contains("href=\"/assets/new\""),
            "one of its lines can still be converted"
        );
        assert!(page("/expenses/2").contains("href=\"/assets/new?expense=2\""));
        let form = browser.get("/assets/new?expense=2");
        let filled = ["date", "description", "supplier", "cost", "vatRate", "paidFrom", "expense"]
            .map(|name| value_of(&form, name).unwrap_or_default());
        assert_eq!(filled[..4], ["2026-02-03", "Laptop", "Shop", "450.00"], "{}", form.text);
        assert_eq!(filled[6], "2");
        // A rejected form leaves the expense unchanged, and can still be submitted afterwards.
        let refused = browser.submit(&form, "/assets", &[("lifeYears", "3")]);
        assert_eq!(
            (refused.status, server.get(&key, "/api/v1/expenses/2").json()["status"].clone()),
            (422, server.get(&key, "/api/v1/expenses/1").json()["status"].clone())
        );
        // A converted expense is never part of the opening balance, whatever the form says.
        let bought =
            browser.submit(&refused, "/assets", &[("lifeYears", "5"), ("openingDepreciated", "0")]);
        assert_eq!(
            bought.header("location"),
            Some("/assets/1?done=asset-bought"),
            "{}",
            bought.text
        );
        assert_eq!(server.get(&key, "/api/v1/expenses/2").json()["status"], "undone");
        let asset = server.get(&key, "/api/v1/assets/1").json();
        assert_eq!((&asset["cost"], &asset["description"]), (&json!(450.00), &json!("Laptop")));
        let filing = server.get(&key, "/api/v1/vat-filings/2026/1").json();
        let input_vat =
            filing["boxes"].as_array().unwrap().iter().find(|line| line["box"] == "5b").unwrap();
        // Input VAT on 449.99, 450.00 and 605.00, each deducted once.
        assert_eq!(input_vat["vat"], json!(316.05), "{filing}");
        // An expense with payments or a private share cannot be converted. A form that was opened
        // before the payment is rejected.
        let [bill, camera] = [("Bill", "unpaid", 100), ("Camera", "bank", 60)].map(|(description, paid, share)| {
            let body = json!({"date": "2026-02-04", "supplier": "Shop", "description": description, "paidFrom": paid, "businessShare": share, "items": [item(500.0)]});
            server.post(&key, "/api/v1/expenses", &body).json()["id"].as_i64().unwrap()
        });
        let early = browser.get(&format!("/assets/new?expense={bill}"));
        assert_eq!(value_of(&early, "expense"), Some(bill.to_string()));
        let payments = format!("/api/v1/expenses/{bill}/payments");
        assert_eq!(
            server.post(&key, &payments, &json!({"date": "2026-02-05", "amount": 1})).status,
            201
        );
        let late = browser.submit(&early, "/assets", &[("lifeYears", "5")]);
        assert_eq!(late.status, 409, "{}", late.text);
        assert_eq!(
            server.get(&key, &format!("/api/v1/expenses/{bill}")).json()["amountPaid"],
            json!(1.0)
        );
        for expense in [bill, camera] {
            assert!(
                page(&format!("/expenses/{expense}")).contains("href=\"/assets/new\""),
                "{expense}"
            );
            let form = browser.get(&format!("/assets/new?expense={expense}"));
            assert_eq!(value_of(&form, "expense").unwrap_or_default(), "", "{expense}");
        }
        let strange = browser.get("/assets/new?expense=99");
        assert_eq!(strange.status, 404);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn an_asset_and_a_trip_are_booked_from_their_pages(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        assert!(browser.get("/assets").text.contains("href=\"/assets/new\""));
        let page = browser.get("/assets/new");
        let short = browser.submit(
            &page,
            "/assets",
            &[
                ("description", "Laptop"),
                ("cost", "1899"),
                ("lifeYears", "3"),
                ("date", "2026-01-15"),
            ],
        );
        assert!(short.status == 422 && fault_of(&short, "lifeYears").is_some(), "{}", short.text);
        let fields = [
            ("description", "Laptop"),
            ("cost", "1899"),
            ("lifeYears", "5"),
            ("residualValue", "189.90"),
            ("date", "2026-01-15"),
        ];
        let bought = browser.submit(&short, "/assets", &fields);
        assert_eq!(
            bought.header("location"),
            Some("/assets/1?done=asset-bought"),
            "{}",
            bought.text
        );
        let page = browser.follow(&bought);
        assert!(page.text.contains("<data value=\"341.82\">"), "{}", page.text);
        let depreciated = browser.submit(&page, "/assets/1/depreciate", &[("until", "2026-12-31")]);
        assert_eq!(
            depreciated.header("location"),
            Some("/assets/1?done=asset-depreciated"),
            "{}",
            depreciated.text
        );
        let page = browser.follow(&depreciated);
        let sold = browser.submit(
            &page,
            "/assets/1/dispose",
            &[("date", "2026-12-31"), ("proceeds", "500")],
        );
        assert_eq!(sold.header("location"), Some("/assets/1?done=asset-disposed"), "{}", sold.text);
        let asset = server.get(&key, "/api/v1/assets/1").json();
        assert_eq!(
            (&asset["status"], &asset["proceeds"], &asset["source"]),
            (&json!("disposed"), &json!(500.00), &json!("app"))
        );
        let page = browser.follow(&sold);
        assert_eq!(browser.submit(&page, "/assets/1/undo", &[]).status, 303);
        assert!(browser.get("/assets").text.contains("data-id=\"1\""));
        let page = browser.get("/mileage");
        let wrong = browser.submit(
            &page,
            "/mileage",
            &[("date", "2026-02-10"), ("from", "Utrecht"), ("to", ""), ("km", "far")],
        );
        assert!(
            wrong.status == 422
                && fault_of(&wrong, "to").is_some()
                && fault_of(&wrong, "km").is_some(),
            "{}",
            wrong.text
        );
        let booked = browser.submit(
            &wrong,
            "/mileage",
            &[("date", "2026-02-10"), ("from", "Utrecht"), ("to", "Zwolle"), ("km", "120")],
        );
        assert_eq!(
            booked.header("location"),
            Some("/mileage?done=trip-recorded"),
            "{}",
            booked.text
        );
        let page = browser.follow(&booked);
        assert!(
            page.text.contains("<data value=\"30.00\">") && page.text.contains("Zwolle"),
            "{}",
            page.text
        );
        assert_eq!(browser.submit(&page, "/mileage/1/undo", &[]).status, 303);
        assert_eq!(server.get(&key, "/api/v1/mileage/1").json()["status"], json!("undone"));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn the_vat_on_an_asset_is_revised_from_its_page_when_it_is_due(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let camera = json!({"date": "2025-06-01", "description": "Camera", "cost": 20000});
        assert_eq!(server.post(&key, "/api/v1/assets", &camera).status, 201);
        assert!(
            !browser.get("/assets/1").text.contains("/assets/1/vat-revision"),
            "nothing is due"
        );
        assert_eq!(
            server
                .post(&key, "/api/v1/vat-scheme", &json!({"scheme": "kor", "from": "2026-01-01"}))
                .status,
            200
        );
        let page = browser.get("/assets/1");
        assert!(page.text.contains("<data value=\"840.00\">"), "{}", page.text);
        let revised = browser.submit(&page, "/assets/1/vat-revision", &[]);
        assert_eq!(
            revised.header("location"),
            Some("/assets/1?done=asset-vat-revised"),
            "{}",
            revised.text
        );
        assert!(
            !browser.follow(&revised).text.contains("/assets/1/vat-revision"),
            "at most once a year"
        );
        assert_eq!(server.get(&key, "/api/v1/assets/1").json()["entryIds"], json!([1, 2]));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    /// The panel next to the form names the return in which the VAT is reclaimed.
    fn the_form_names_the_return_in_which_the_vat_is_reclaimed(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let sold = json!({"invoiceDate": "2025-10-05", "status": "sent", "customer": {"name": "De Pier"}, "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
        assert_eq!(server.post(&key, "/api/v1/invoices", &sold).status, 201);
        let page = browser.get("/vat/2025/4");
        assert_eq!(browser.submit(&page, "/vat/2025/4/file", &[]).status, 303);
        let form = browser.get("/expenses/new");
        let panel =
            |day: &'static str, amount: &'static str, more: &[(&'static str, &'static str)]| {
                let mut fields = TONER.to_vec();
                fields.retain(|(name, _)| !["date", "items.0.amount"].contains(name));
                fields.extend([("date", day), ("items.0.amount", amount), ("action", "calculate")]);
                fields.extend(more);
                let page = browser.submit(&form, "/expenses", &fields);
                assert_eq!(page.status, 200, "{}", page.text);
                let sums = page
                    .text
                    .split("id=\"sums\"")
                    .nth(1)
                    .unwrap()
                    .split("</section>")
                    .next()
                    .unwrap()
                    .to_owned();
                (sums, page.text.contains("name=\"correction\""))
            };
        let correction = [("correction", "true")];
        let none = [("items.0.vatTreatment", "none")];
        let cases: [PanelCase<'_>; 6] = [
            ("2026-03-01", "121", &[], "Input VAT in the return of Q1 2026", false),
            ("2025-11-20", "121", &[], "Tick “Book as a correction”", true),
            (
                "2025-11-20",
                "121",
                &correction,
                "comes back as a correction in the return of Q1 2026",
                true,
            ),
            ("2025-11-20", "121000", &[], "too much for a correction", false),
            ("2025-11-20", "121000", &correction, "too much for a correction", true),
            ("2025-11-20", "121", &none, "", false),
        ];
        for (day, amount, more, text, is_offered) in cases {
            let (sums, offered) = panel(day, amount, more);
            assert_eq!(
                (sums.contains(text), offered),
                (true, is_offered),
                "{day} {amount} {more:?}: {sums}"
            );
            assert!(day > "2026" || !sums.contains("in the return of Q4 2025"), "{day}: {sums}");
        }
        let refused =
            browser.submit(&form, "/expenses", &[&TONER[1..], &[("date", "2025-11-20")]].concat());
        assert!(
            refused.status == 409 && !refused.text.contains("in the return of Q4 2025"),
            "{}",
            refused.text
        );
    }

    fn reverse_charged_vat_is_due_and_deducted_and_not_part_of_the_total(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let form = browser.get("/expenses/new");
        let fields = [
            ("date", "2026-03-01"),
            ("supplier", "Adobe"),
            ("items.0.category", "4100"),
            ("items.0.amount", "60"),
            ("items.0.vatTreatment", "eu"),
            ("items.0.includesVat", ""),
        ];
        let live =
            browser.submit(&form, "/expenses", &[&fields[..], &[("action", "calculate")]].concat());
        let booked = browser.submit(&form, "/expenses", &fields);
        assert_eq!(booked.status, 303, "{}", booked.text);
        let facts = |text: &str| {
            let rows = text.split("<dt>").skip(1).filter_map(|row| {
                let (name, rest) = row.split_once("</dt>")?;
                Some((
                    name.to_owned(),
                    rest.split("<data value=\"").nth(1)?.split('"').next()?.to_owned(),
                ))
            });
            rows.filter(|(name, _)| {
                [
                    "Excl. VAT",
                    "VAT",
                    "Total",
                    "VAT due on your return",
                    "VAT deducted on your return",
                ]
                .contains(&name.as_str())
            })
            .collect::<Vec<_>>()
        };
        let of = |rows: &[(&str, &str)]| {
            rows.iter()
                .map(|(name, amount)| ((*name).to_owned(), (*amount).to_owned()))
                .collect::<Vec<_>>()
        };
        let own = [
            ("Total", "60.00"),
            ("VAT due on your return", "12.60"),
            ("VAT deducted on your return", "-12.60"),
        ];
        assert_eq!(
            facts(&live.text),
            of(&[&[("Excl. VAT", "60.00"), ("VAT", "0.00")], &own[..]].concat()),
            "{}",
            live.text
        );
        let page = browser.follow(&booked);
        assert_eq!(facts(&page.text), of(&own), "{}", page.text);
    }

    fn a_duplicate_bill_is_reported_before_and_after_it_is_booked(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let form = browser.get("/expenses/new");
        let is_shown = |text: &str| {
            text.contains(
                "You already have an expense from this supplier with the same date and amount",
            )
        };
        let live =
            browser.submit(&form, "/expenses", &[&TONER[..], &[("action", "calculate")]].concat());
        assert!(!is_shown(&live.text), "{}", live.text);
        assert_eq!(browser.submit(&form, "/expenses", &TONER).status, 303);
        let form = browser.get("/expenses/new");
        let live =
            browser.submit(&form, "/expenses", &[&TONER[..], &[("action", "calculate")]].concat());
        assert!(
            is_shown(&live.text) && live.text.contains("href=\"/expenses/1\""),
            "{}",
            live.text
        );
        let booked = browser.submit(&form, "/expenses", &TONER);
        let page = browser.follow(&booked);
        assert!(
            is_shown(&page.text) && page.text.contains("href=\"/expenses/1\""),
            "{}",
            page.text
        );
        // An expense is not a duplicate of itself: its own form shows no warning.
        assert_eq!(browser.submit(&page, "/expenses/2/undo", &[]).status, 303);
        assert!(
            !is_shown(&browser.get("/expenses/1/edit").text)
                && !is_shown(&browser.get("/expenses/2").text)
        );
    }
}
