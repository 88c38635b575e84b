//! Pages for VAT returns: check, copy, file, pay and reopen; also corrections from the invoice
//! form.

use crate::help::{EMAIL, fault_of, signed_in, value_of};
use jiff::civil::Date;
use ledger::{
    booking,
    chart::codes,
    entry::{Posting, Source, SourceType},
    money::Cents,
    vat::VatBox,
};
use serde_json::json;
use service::{Error, environment::Clock};
use store::books::{self, IdSequence};
use testing::{Server, on_both_engines};

/// Worked example of a return: path of the quarter, a date in the quarter, sales at 21 % and input
/// VAT in euros, and the expected amounts of the boxes.
type Example = (&'static str, &'static str, i64, i64, &'static [(&'static str, i64)]);

/// Published examples of returns. zzpservicedesk.nl, "Btw-aangifte voorbeeld" (read 2026-11-22):
/// 6 000 invoiced at 21 % is 1 260 of VAT; less 200 of input VAT, 1 060 is payable. zzpdaily.nl,
/// "Btw aangifte voorbeeld": 5 300 of turnover at 21 %.
const EXAMPLES: [Example; 2] = [
    (
        "/vat/2026/1",
        "2026-01-15",
        6_000,
        200,
        &[("1a", 1_260), ("5a", 1_260), ("5b", 200), ("5g", 1_060)],
    ),
    (
        "/vat/2025/4",
        "2025-10-15",
        5_300,
        0,
        &[("1a", 1_113), ("5a", 1_113), ("5b", 0), ("5g", 1_113)],
    ),
];

/// Books input VAT on a purchase.
fn buy(server: &Server, day: Date, vat: i64) {
    let (cx, now) = (server.owner(EMAIL), server.clock.now());
    server.write(move |tx| {
        books::transact(tx, cx.actor.account, now, |tx, books, now| {
            let source = Source { kind: SourceType::Manual, id: books.next_id(IdSequence::Manual) };
            let lines = vec![
                Posting::debit(codes::INPUT_VAT_HIGH, Cents::new(vat * 100), Some(VatBox::B5b)),
                Posting::credit(codes::BANK, Cents::new(vat * 100), None),
            ];
            let entry = booking::manual(source, day, "Bought", lines)
                .map_err(|error| Error::Internal(error.to_string()))?;
            Ok::<_, Error>(books.append(tx, &entry, now)?)
        })
    });
}

fn shows(page: &str, id: &str, euros: i64) -> bool {
    page.contains(&format!("id=\"copy-{id}\" data-value=\"{euros}\""))
}

on_both_engines! {
    fn worked_returns_are_shown_as_they_are_declared(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        for (path, day, sales, input, boxes) in EXAMPLES {
            let items = json!([{"description": "Work", "unitPrice": sales, "vatRate": 21}]);
            let invoice = json!({"invoiceDate": day, "status": "sent", "customer": {"name": "De Pier"}, "items": items});
            assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).status, 201);
            buy(&server, day.parse().unwrap(), input);
            let page = browser.get(path);
            assert!(shows(&page.text, "1a-turnover", sales), "{path}: {}", page.text);
            for (name, vat) in boxes {
                assert!(
                    shows(&page.text, &format!("{name}-vat"), *vat),
                    "{path} {name}: {}",
                    page.text
                );
            }
        }
    }

    fn a_quarter_is_filed_paid_and_reopened(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let browser = browser.speaking("nl");
        let key = server.key(EMAIL, true, true);
        let items = json!([{"description": "Work", "unitPrice": 1000.5, "vatRate": 21}]);
        for status in ["sent", "draft"] {
            let invoice = json!({"invoiceDate": "2025-11-20", "status": status, "customer": {"name": "De Pier"}, "items": items});
            assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).status, 201);
        }
        let list = browser.get("/vat");
        assert!(
            list.text.contains("data-id=\"2025-Q4\"")
                && list.text.contains("href=\"/vat/2025/4\"")
                && list.text.contains("Te laat"),
            "{}",
            list.text
        );
        let page = browser.get("/vat/2025/4?box=1a");
        for text in [
            "Btw 4e kwartaal 2025",
            "Leveringen/diensten belast met hoog tarief",
            "1 concept telt al mee",
            "vrijdag 30 januari 2026",
            "href=\"/invoices/1\"",
            "4 boekingen, gelijk aan rubriek 1a",
            "<data value=\"2001.00\">",
        ] {
            assert!(page.text.contains(text), "{text}: {}", page.text);
        }
        let filed = browser.submit(&page, "/vat/2025/4/file", &[]);
        assert_eq!(
            (filed.status, filed.header("location")),
            (303, Some("/vat/2025/4?done=vat-filed")),
            "{}",
            filed.text
        );
        let page = browser.follow(&filed);
        assert!(page.text.contains("<data value=\"1000\">"), "{}", page.text);
        // The payment is overdue by now.
        let home = browser.get("/").text;
        assert!(home.contains("Het geld had er op <time datetime=\"2026-01-30\">"), "{home}");
        assert!(
            page.text.contains("Ingediend")
                && value_of(&page, "amount").as_deref() == Some("420,00"),
            "{}",
            page.text
        );
        // The rounding difference is booked, and the advice about the Friday before the weekend is
        // gone.
        assert!(
            page.text.contains("is bij het indienen als afrondingsverschil geboekt")
                && !page.text.contains("wordt bij het indienen"),
            "{}",
            page.text
        );
        assert!(!page.text.contains("op de vrijdag ervoor"), "{}", page.text);
        let unpaid = browser.get("/vat").text;
        assert!(
            unpaid.contains("<span class=\"second late\">nog <data value=\"420.00\">")
                && unpaid.contains(" te betalen</span>"),
            "{unpaid}"
        );
        // A second filing is rejected.
        let again =
            browser.post("/vat/2025/4/file", &[("csrf", &value_of(&page, "csrf").unwrap())]);
        assert_eq!(again.status, 409, "{}", again.text);
        let wrong = browser.submit(&page, "/vat/2025/4/payment", &[("amount", "x")]);
        assert_eq!(
            (wrong.status, fault_of(&wrong, "amount").is_some()),
            (422, true),
            "{}",
            wrong.text
        );
        let paid = browser.submit(
            &page,
            "/vat/2025/4/payment",
            &[("date", "2026-01-28"), ("amount", "€ 420")],
        );
        let page = browser.follow(&paid);
        assert!(
            page.text.contains("genoteerd en geboekt")
                && !page.text.contains("/vat/2025/4/payment"),
            "{}",
            page.text
        );
        assert!(browser.get("/vat").text.contains("<span class=\"second\">betaald</span>"));
        // The page of a paid return still shows the payment form after a rejection.
        let twice = browser.post(
            "/vat/2025/4/payment",
            &[("csrf", &value_of(&page, "csrf").unwrap()), ("date", "2026-01-28"), ("amount", "y")],
        );
        assert!(
            twice.status == 422
                && fault_of(&twice, "amount").is_some()
                && value_of(&twice, "amount").as_deref() == Some("y"),
            "{}",
            twice.text
        );
        let undone = browser.submit(&page, "/vat-payments/1/undo", &[]);
        let page = browser.follow(&undone);
        assert!(
            page.text.contains("ongedaan gemaakt") && page.text.contains("/vat/2025/4/payment"),
            "{}",
            page.text
        );
        // An invoice dated in the filed quarter is rejected, and a correction is offered.
        let form = browser.get("/invoices/new");
        let fields = [
            ("invoiceDate", "2025-12-01"),
            ("customer.name", "De Pier"),
            ("items.0.description", "Rest"),
            ("items.0.unitPrice", "100"),
            ("items.0.vatRate", "21"),
            ("action", "sent"),
        ];
        let refused = browser.submit(&form, "/invoices", &fields);
        assert!(
            refused.status == 409 && refused.text.contains("name=\"correction\""),
            "{}",
            refused.text
        );
        let response = browser.submit(
            &refused,
            "/invoices",
            &[&fields[..], &[("correction", "true")]].concat(),
        );
        assert_eq!(response.status, 303, "{}", response.text);
        assert!(browser.get("/vat/2026/1?box=1a").text.contains("Correctie over 4e kwartaal 2025"));
        let page = browser.get("/vat/2025/4");
        assert!(page.text.contains("Correctie op dit tijdvak"), "{}", page.text);
        let opened = browser.submit(&page, "/vat/2025/4/reopen", &[]);
        let page = browser.follow(&opened);
        for text in [
            "Aangifte",
            "Wat er veranderde",
            "data-id=\"1a-vat\"",
            "<data value=\"420\">",
            "<data value=\"441\">",
            "<data value=\"21\">",
        ] {
            assert!(page.text.contains(text), "{text}: {}", page.text);
        }
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_month_is_filed_paid_and_reopened_on_its_page(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let settings = browser.get("/settings/vat");
        let period = |from| {
            [("action", "period"), ("vatPeriod.unit", "month"), ("vatPeriod.from", from)]
        };
        let refused = browser.submit(&settings, "/settings/vat", &period("2026-02-01"));
        assert_eq!(
            (refused.status, fault_of(&refused, "vatPeriod.from").is_some()),
            (422, true),
            "{}",
            refused.text
        );
        let changed = browser.submit(&settings, "/settings/vat", &period("2026-01-01"));
        assert_eq!(changed.status, 303, "{}", changed.text);
        let items = json!([{"description": "Work", "unitPrice": 1000, "vatRate": 21}]);
        let invoice = json!({"invoiceDate": "2026-01-20", "status": "sent", "customer": {"name": "De Pier"}, "items": items});
        assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).status, 201);
        let list = browser.get("/vat");
        assert!(
            list.text.contains("href=\"/vat/2026-01\"") && list.text.contains("January 2026"),
            "{}",
            list.text
        );
        let page = browser.get("/vat/2026-01");
        assert!(shows(&page.text, "1a-vat", 210), "{}", page.text);
        // The page of the quarter shows the sum of its months, without a button to file.
        let sum = browser.get("/vat/2026/1");
        assert!(
            shows(&sum.text, "1a-vat", 210)
                && sum.text.contains("href=\"/vat/2026-01\"")
                && !sum.text.contains("/vat/2026/1/file"),
            "{}",
            sum.text
        );
        let csrf = value_of(&page, "csrf").unwrap();
        assert_eq!(browser.post("/vat/2026/1/file", &[("csrf", &csrf)]).status, 409);
        assert_eq!(browser.get("/vat/2026-13").status, 404);
        let filed = browser.submit(&page, "/vat/2026-01/file", &[]);
        assert_eq!(filed.header("location"), Some("/vat/2026-01?done=vat-filed"), "{}", filed.text);
        let page = browser.follow(&filed);
        let paid =
            browser.submit(&page, "/vat/2026-01/payment", &[("date", "2026-02-27"), ("amount", "210")]);
        assert_eq!(paid.status, 303, "{}", paid.text);
        let page = browser.follow(&paid);
        let opened = browser.submit(&page, "/vat/2026-01/reopen", &[]);
        assert_eq!(opened.status, 303, "{}", opened.text);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    /// A return is filed with the figures shown on the page; later entries cause a conflict. Filed
    /// returns stay on the overview until paid.
    fn a_return_is_filed_as_shown_and_stays_on_the_overview_until_paid(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let items = json!([{"description": "Work", "unitPrice": 1000, "vatRate": 21}]);
        let invoice = json!({"invoiceDate": "2025-11-20", "status": "sent", "customer": {"name": "De Pier"}, "items": items});
        assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).status, 201);
        let looked_at = browser.get("/vat/2025/4");
        buy(&server, "2025-12-01".parse().unwrap(), 60);
        let refused = browser.submit(&looked_at, "/vat/2025/4/file", &[]);
        assert!(
            refused.status == 409 && refused.text.contains("The figures have changed"),
            "{} {}",
            refused.status,
            refused.text
        );
        assert!(shows(&refused.text, "5g-vat", 150), "{}", refused.text);
        assert_eq!(browser.submit(&refused, "/vat/2025/4/file", &[]).status, 303);
        let overview = browser.get("/");
        assert!(
            overview.text.contains("Pay VAT of Q4 2025")
                && overview.text.contains("<data value=\"150.00\">"),
            "{}",
            overview.text
        );
        let page = browser.get("/vat/2025/4");
        assert_eq!(
            browser
                .submit(
                    &page,
                    "/vat/2025/4/payment",
                    &[("date", "2026-01-29"), ("amount", "150"), ("method", "bank")]
                )
                .status,
            303
        );
        let overview = browser.get("/");
        assert!(!overview.text.contains("Pay VAT of"), "{}", overview.text);
    }

    fn an_invalid_quarter_is_not_found(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        for path in ["/vat/2026/5", "/vat/26/1", "/vat/2026/x", "/vat/1999/1"] {
            assert_eq!(browser.get(path).status, 404, "{path}");
        }
        let running = browser.get("/vat/2026/1");
        let refused =
            browser.post("/vat/2026/1/file", &[("csrf", &value_of(&running, "csrf").unwrap())]);
        assert!(
            refused.status == 409 && refused.text.contains("role=\"alert\""),
            "{}",
            refused.text
        );
    }

    /// A refund is called a refund everywhere, and its amount is entered without a sign.
    fn a_refund_is_not_called_a_payment(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server).speaking("nl");
        let items = json!([{"category": "4100", "amount": 1757.14, "vatRate": 21}]);
        let bought = json!({"date": "2025-11-20", "supplier": "Papierhal", "items": items});
        assert_eq!(
            server.post(&server.key(EMAIL, true, true), "/api/v1/expenses", &bought).status,
            201
        );
        let page = browser.get("/vat/2025/4");
        let filed = browser.submit(&page, "/vat/2025/4/file", &[]);
        let page = browser.follow(&filed);
        assert_eq!(value_of(&page, "amount").as_deref(), Some("369,00"), "{}", page.text);
        let wrong = browser.submit(&page, "/vat/2025/4/payment", &[("amount", "x")]);
        assert!(
            wrong.status == 422 && wrong.text.contains("Teruggave ontvangen</button>"),
            "{}",
            wrong.text
        );
        let received = browser.submit(
            &page,
            "/vat/2025/4/payment",
            &[("date", "2026-02-20"), ("amount", "369")],
        );
        assert_eq!(
            received.header("location"),
            Some("/vat/2025/4?done=vat-received"),
            "{}",
            received.text
        );
        let page = browser.follow(&received);
        for text in [
            "Teruggave van <data value=\"369.00\">",
            "<dt>Teruggave ontvangen op <time datetime=\"2026-02-20\">",
            "<dt>Nog terug te krijgen</dt><dd><data value=\"0.00\">",
        ] {
            assert!(page.text.contains(text), "{text}: {}", page.text);
        }
        for text in ["Betaald op", "Nog te betalen", "Zet er een min voor"] {
            assert!(!page.text.contains(text), "{text}: {}", page.text);
        }
        let key = server.key(EMAIL, true, true);
        assert_eq!(server.get(&key, "/api/v1/vat-payments/1").json()["amount"], json!(-369.00));
        let journal = browser.get("/journal?year=2026").text;
        assert!(
            journal.contains("Teruggave btw") && journal.contains("Btw-teruggave"),
            "{journal}"
        );
        assert!(!journal.contains("<span class=\"second\">Handmatige boeking</span>"), "{journal}");
        let list = browser.get("/vat-payments");
        assert!(
            list.text.contains("Teruggave ontvangen · Zakelijke bankrekening"),
            "{}",
            list.text
        );
        let undone = browser.submit(&page, "/vat-payments/1/undo", &[]);
        assert_eq!(
            undone.header("location"),
            Some("/vat/2025/4?done=vat-refund-undone"),
            "{}",
            undone.text
        );
        // The page of all payments lets the user choose a refund; a minus sign also means a refund.
        for amount in ["12,50", "-12,50"] {
            let response = browser.submit(
                &browser.get("/vat-payments"),
                "/vat-payments",
                &[("refund", "true"), ("date", "2026-02-21"), ("amount", amount)],
            );
            assert_eq!(
                response.header("location"),
                Some("/vat-payments?done=vat-received"),
                "{}",
                response.text
            );
        }
        let minus = browser.submit(
            &browser.get("/vat-payments"),
            "/vat-payments",
            &[("date", "2026-02-21"), ("amount", "-12,50")],
        );
        assert_eq!(
            minus.header("location"),
            Some("/vat-payments?done=vat-received"),
            "{}",
            minus.text
        );
        for id in [2, 3, 4] {
            assert_eq!(
                server.get(&key, &format!("/api/v1/vat-payments/{id}")).json()["amount"],
                json!(-12.50),
                "{id}"
            );
        }
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    /// A return that was filed and reopened is not called late: the page shows the next step.
    fn a_reopened_return_says_what_to_do(engine) {
        let server = Server::start(engine);
        server.clock.set("2026-01-20T10:00:00Z");
        let browser = signed_in(&server).speaking("nl");
        buy(&server, "2025-11-20".parse().unwrap(), 100);
        for (moment, state, is_late) in [
            ("2026-01-20T10:00:00Z", "Opnieuw in te dienen", false),
            ("2026-02-10T10:00:00Z", "Suppletie te doen", true),
        ] {
            server.clock.set(moment);
            if is_late {
                assert_eq!(
                    browser.sign_in(EMAIL, crate::help::PASSWORD).status,
                    303,
                    "the session has expired"
                );
            }
            let page = browser.get("/vat/2025/4");
            assert_eq!(browser.submit(&page, "/vat/2025/4/file", &[]).status, 303);
            let page = browser.get("/vat/2025/4");
            let opened = browser.submit(&page, "/vat/2025/4/reopen", &[]);
            for text in [browser.follow(&opened).text, browser.get("/vat").text] {
                assert!(text.contains(state) && !text.contains("Te laat"), "{moment}: {text}");
            }
            let home = browser.get("/").text;
            assert!(
                home.contains("Btw-aangifte 4e kwartaal 2025 opnieuw indienen"),
                "{moment}: {home}"
            );
            assert_eq!(
                (home.contains("binnen acht weken"), home.contains("De laatste dag was")),
                (is_late, false),
                "{moment}: {home}"
            );
        }
    }

    /// The return shows bills and receivables unpaid for a year (art. 29(2) and (7) Wet OB 1968).
    fn amounts_unpaid_for_a_year_are_shown_on_the_return_and_the_overview(engine) {
        let server = Server::start(engine);
        server.clock.set("2024-03-01T10:00:00Z");
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let items = json!([{"description": "Work", "unitPrice": 100, "vatRate": 21}]);
        let invoice = json!({"invoiceDate": "2024-01-30", "dueDate": "2024-02-29", "status": "sent", "customer": {"name": "Bouwbedrijf Laat"}, "items": items});
        assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).status, 201);
        let bill = json!({"date": "2024-02-29", "supplier": "Papierhal", "paidFrom": "unpaid", "items": [{"category": "4100", "amount": 100, "vatRate": 21}]});
        assert_eq!(server.post(&key, "/api/v1/expenses", &bill).status, 201);
        // A year after 29 February is 28 February.
        for (moment, is_shown) in [("2025-02-27T12:00:00Z", false), ("2025-02-28T12:00:00Z", true)]
        {
            server.clock.set(moment);
            assert_eq!(browser.sign_in(EMAIL, crate::help::PASSWORD).status, 303);
            for path in ["/", "/vat/2025/1", "/duties"] {
                let page = browser.get(path).text;
                let (debtors, bills) = match path {
                    "/duties" => ("id=\"old-debtors\"", "id=\"old-bills\""),
                    _ => ("href=\"/duties#old-debtors\"", "href=\"/duties#old-bills\""),
                };
                assert_eq!(
                    (page.contains(debtors), page.contains(bills)),
                    (is_shown, is_shown),
                    "{path} {moment}: {page}"
                );
            }
        }
        let page = browser.get("/vat/2025/1").text;
        assert!(
            page.contains("href=\"/invoices/1/write-off\"")
                && page.contains("href=\"/expenses/1\"")
                && page.contains("<data value=\"21.00\">"),
            "{page}"
        );
        // Earlier returns, returns for future periods, and filed returns do not show such amounts.
        for path in ["/vat/2024/4", "/vat/2025/2"] {
            let page = browser.get(path).text;
            assert!(!page.contains("/duties#old"), "{path}: {page}");
        }
        server.clock.set("2025-04-10T12:00:00Z");
        assert_eq!(browser.sign_in(EMAIL, crate::help::PASSWORD).status, 303);
        assert!(browser.get("/vat/2025/2").text.contains("/duties#old-bills"));
        let page = browser.get("/vat/2025/1");
        assert_eq!(browser.submit(&page, "/vat/2025/1/file", &[]).status, 303);
        assert!(!browser.get("/vat/2025/1").text.contains("/duties#old"));
        assert!(browser.get("/vat/2025/2").text.contains("/duties#old-debtors"));
        assert_eq!(
            server.post(&key, "/api/v1/expenses/1/payments", &json!({"date": "2025-04-01"})).status,
            201
        );
        assert_eq!(
            server.post(&key, "/api/v1/invoices/1/payments", &json!({"date": "2025-04-01"})).status,
            201
        );
        for path in ["/", "/vat/2025/2"] {
            assert!(!browser.get(path).text.contains("/duties#old"), "{path}");
        }
    }
}
