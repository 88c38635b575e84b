//! Invoice documents (PDF and UBL): created once and immutable from then on.

use crate::simple_invoice;
use ledger::country::CountryCode;
use serde_json::{Value, json};
use service::{accounts, environment::Clock};
use std::{sync::mpsc, thread};
use store::{
    documents::{Look, set_look},
    people::{Settings, save_settings},
};
use testing::{Engine, Reply, Server, on_both_engines};

const PDF: &str = "/api/v1/invoices/1/pdf";
const UBL: &str = "/api/v1/invoices/1/ubl";

fn settings(name: &str) -> Settings {
    Settings {
        name: name.into(),
        street: Some("Lange Haven 12".into()),
        postal_code: Some("3111 CD".into()),
        city: Some("Schiedam".into()),
        country: CountryCode::NL,
        kvk_number: Some("68750110".into()),
        vat_number: Some("NL002455799B11".into()),
        iban: Some("NL91ABNA0417164300".into()),
        payment_term_days: 30,
        number_pattern: "{year}-{number:4}".into(),
        language: Some("nl".into()),
        phone: None,
        website: None,
        bic: None,
    }
}

fn set(server: &Server, name: &str) {
    let settings = settings(name);
    server.write(move |tx| {
        let account = accounts::by_email(tx, "anna@example.com")?;
        Ok(save_settings(tx, &account, &settings)?)
    });
}

/// Changes every setting that a document could show.
fn change_everything(server: &Server) {
    let person = server.person("anna@example.com");
    let settings = Settings {
        name: "Another name".into(),
        street: Some("Kade 1".into()),
        postal_code: Some("1011 AB".into()),
        city: Some("Amsterdam".into()),
        country: CountryCode::NL,
        kvk_number: Some("12345678".into()),
        vat_number: Some("NL001234567B13".into()),
        iban: None,
        payment_term_days: 7,
        number_pattern: "F{year}/{number:6}".into(),
        language: Some("en".into()),
        phone: Some("+31 10 123 45 67".into()),
        website: Some("https://another.example".into()),
        bic: None,
    };
    let look = Look {
        accent: Some("#aa0000".into()),
        window: Some("left".into()),
        opening_nl: Some("Hallo".into()),
        opening_en: Some("Hello".into()),
        closing_nl: Some("Bedankt".into()),
        closing_en: Some("Thank you".into()),
        logo: None,
        quote_pattern: None,
    };
    let now = server.clock.now();
    server.write(move |tx| {
        let account = accounts::by_email(tx, "anna@example.com")?;
        save_settings(tx, &account, &settings)?;
        set_look(tx, account.id, &look)?;
        Ok(store::people::set_email(tx, person, "other@example.com", now)?)
    });
    server.write(move |tx| Ok(store::people::set_email(tx, person, "anna@example.com", now)?));
}

fn invoice(status: &str, items: &Value) -> Value {
    let customer = json!({"name": "Korenaar", "kvkNumber": "12345678", "address": {"street": "Markt 1", "postalCode": "3111 AA", "city": "Schiedam"}});
    json!({"status": status, "customer": customer, "items": items, "reference": "PO 7"})
}

fn with_invoice(engine: testing::Engine, status: &str, items: &Value) -> (Server, String) {
    let server = Server::start(engine);
    let key = server.account("anna@example.com");
    set(&server, "Studio Noorderlicht");
    let reply = server.post(&key, "/api/v1/invoices", &invoice(status, items));
    assert_eq!(reply.status, 201, "{}", reply.text);
    (server, key)
}

on_both_engines! {
    fn characters_that_the_pdf_cannot_print_are_named_before_it_is_sent(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let warning = |invoice: &Value| {
            let warnings = invoice["warnings"].as_array().unwrap().iter();
            warnings
                .filter(|warning| warning["code"] == "text_not_printable")
                .map(|warning| warning["message"].to_string())
                .collect::<String>()
        };
        let cases = [
            ("株式会社サンプル", "/customer/name (株式会社サンプル)"),
            ("مكتبة", "/customer/name (مكتبة)"),
            ("שלום B.V.", "/customer/name (שלום)"),
            ("한국", "/customer/name (한국)"),
            ("ไทย", "/customer/name (ไทย)"),
            ("हिन्दी", "/customer/name (हिन्दी)"),
            ("Bloemen 🌷🌷", "/customer/name (🌷)"),
            ("Χαίρετε", ""),
            ("Привет", ""),
            ("Nguyễn Łódź", ""),
        ];
        for (name, named) in cases {
            let body = json!({"status": "draft", "customer": {"name": name},
                "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
            let draft = server.post(&key, "/api/v1/invoices", &body).json();
            let message = warning(&draft);
            assert_eq!(message.is_empty(), named.is_empty(), "{name}: {draft}");
            assert!(message.contains(named), "{name}: {message}");
        }
        let everywhere = json!({"status": "draft", "reference": "参照", "notes": "谢谢谢",
            "customer": {"name": "A", "contactPerson": "王", "address": {"street": "街 1", "city": "市"}},
            "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}, {"description": "工", "unitPrice": 1, "vatRate": 21}]});
        let draft = server.post(&key, "/api/v1/invoices", &everywhere).json();
        let message = warning(&draft);
        let fields = [
            "/customer/contactPerson (王)",
            "/customer/address/street (街)",
            "/customer/address/city (市)",
            "/reference (参照)",
            "/notes (谢)",
            "/items/1/description (工)",
        ];
        for field in fields {
            assert!(message.contains(field), "{field}: {message}");
        }
        assert!(!message.contains("/customer/name") && !message.contains("/items/0"), "{message}");
    }

    fn a_sent_document_never_changes(engine) {
        let work = json!([{"description": "Work", "unitPrice": 100, "vatRate": 21}]);
        let (server, key) = with_invoice(engine, "sent", &work);
        let ubl = server.get(&key, UBL);
        assert_eq!(
            (ubl.status, ubl.header("content-type")),
            (200, Some("application/xml")),
            "{}",
            ubl.text
        );
        assert!(
            ubl.text.contains("<cbc:PayableAmount currencyID=\"EUR\">121.00</cbc:PayableAmount>"),
            "{}",
            ubl.text
        );
        assert!(ubl.header("content-disposition").unwrap().ends_with(".xml\""));
        let pdf = server.get(&key, PDF);
        assert_eq!(
            (pdf.status, pdf.header("content-type")),
            (200, Some("application/pdf")),
            "{}",
            pdf.text
        );
        assert!(pdf.text.starts_with("%PDF-"));
        let translation = server.get(&key, &format!("{PDF}?language=en"));
        assert_ne!(translation.header("etag"), pdf.header("etag"));
        set(&server, "Another name");
        assert_eq!(server.get(&key, UBL).text, ubl.text);
        assert_eq!(server.get(&key, PDF).header("etag"), pdf.header("etag"));
        assert_eq!(
            server.get(&key, &format!("{PDF}?language=en")).header("etag"),
            translation.header("etag")
        );
        let tag = pdf.header("etag").unwrap();
        assert_eq!(
            server.send("GET", PDF, &[("x-api-key", &key), ("if-none-match", tag)], None).status,
            304
        );
        assert_eq!(
            server
                .send("GET", PDF, &[("x-api-key", &key), ("accept", "application/pdf")], None)
                .status,
            200
        );
        assert_eq!(server.get(&key, &format!("{PDF}?language=fr")).status, 422);
        assert_eq!(server.get(&key, "/api/v1/invoices/9/pdf").status, 404);
        assert!(server.discrepancies("anna@example.com").is_empty());
    }

    fn sent_documents_ignore_later_settings(engine) {
        let work = json!([{"description": "Work", "unitPrice": 100, "vatRate": 21}]);
        let documents = |changed: bool| {
            let (server, key) = with_invoice(engine, "sent", &work);
            assert_eq!(server.post(&key, "/api/v1/invoices", &invoice("draft", &work)).status, 201);
            let sent = server.send(
                "PATCH",
                "/api/v1/invoices/2",
                &[("x-api-key", &key), ("content-type", "application/json")],
                Some(br#"{"status": "sent"}"#),
            );
            assert_eq!(sent.status, 200, "{}", sent.text);
            assert_eq!(
                server
                    .post(&key, "/api/v1/invoices/1/credit-notes", &json!({"reason": "Too much"}))
                    .status,
                201
            );
            if changed {
                change_everything(&server);
            }
            let paths = [1, 2, 3].map(|id| {
                [format!("/api/v1/invoices/{id}/pdf"), format!("/api/v1/invoices/{id}/ubl")]
            });
            let tags = paths.as_flattened().iter().map(|path| {
                let reply = server.get(&key, path);
                assert_eq!(reply.status, 200, "{path}: {}", reply.text);
                reply.header("etag").unwrap().to_owned()
            });
            let tags: Vec<String> = tags.collect();
            assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
            tags
        };
        assert_eq!(documents(true), documents(false));
    }

    fn a_draft_has_a_page_that_follows_it_and_no_e_invoice(engine) {
        let work = json!([{"description": "Work", "unitPrice": 100, "vatRate": 21}]);
        let (server, key) = with_invoice(engine, "draft", &work);
        let before = server.get(&key, PDF);
        assert_eq!(before.status, 200);
        set(&server, "Another name");
        assert_ne!(server.get(&key, PDF).header("etag"), before.header("etag"));
        let ubl = server.get(&key, UBL);
        assert_eq!((ubl.status, ubl.code().as_str()), (409, "is_a_draft"));
    }

    fn an_inexpressible_e_invoice_says_what_to_do(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        assert_eq!(server.post(&key, "/api/v1/invoices", &simple_invoice()).status, 201);
        let ubl = server.get(&key, UBL);
        assert_eq!((ubl.status, ubl.code().as_str()), (409, "not_expressible"), "{}", ubl.text);
        assert!(ubl.json()["detail"].as_str().unwrap().contains("KvK number"), "{}", ubl.text);
        let pdf = server.get(&key, PDF);
        assert_eq!(pdf.status, 200, "{}", pdf.text);
    }

    fn every_reason_against_an_e_invoice_is_a_warning_before_sending(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let make = |country: &str, lines: Value| {
            let invoice = json!({"status": "draft", "customer": {"name": "Someone", "country": country}, "items": lines});
            let reply = server.post(&key, "/api/v1/invoices", &invoice);
            assert_eq!(reply.status, 201, "{}", reply.text);
            reply.json()
        };
        let reported = |invoice: &Value| {
            let warnings = invoice["warnings"].as_array().unwrap();
            let warning = warnings.iter().find(|warning| warning["code"] == "ubl_not_possible");
            warning.map(|warning| warning["message"].as_str().unwrap().to_owned())
        };
        let line = |rate: i64, category: &str| json!({"description": "Work", "unitPrice": 100, "vatRate": rate, "vatCategory": category});
        let seller =
            ["complete your own address", "add your own KvK number", "add your own VAT number"];
        let message = reported(&make("NL", json!([line(21, "standard")]))).unwrap();
        assert!(
            seller.iter().all(|cause| message.contains(cause))
                && message.contains("before it is sent"),
            "{message}"
        );
        set(&server, "Studio Noord");
        assert_eq!(reported(&server.get(&key, "/api/v1/invoices/1").json()), None);
        let mixed = json!([line(21, "standard"), line(0, "outOfScope")]);
        for (country, lines, cause) in [
            ("DE", json!([line(0, "intraCommunity")]), Some("add the customer's VAT number")),
            ("NL", json!([line(0, "reverseCharge")]), Some("add the customer's VAT number")),
            ("NL", mixed, Some("split the invoice in two")),
            ("NL", json!([line(0, "outOfScope")]), None),
            ("US", json!([line(0, "export")]), None),
        ] {
            let document = make(country, lines);
            let message = reported(&document);
            assert_eq!(message.is_some(), cause.is_some(), "{document}");
            assert!(cause.is_none_or(|cause| message.unwrap().contains(cause)), "{document}");
            // The warning and the e-invoice agree after sending.
            let path = format!("/api/v1/invoices/{}", document["id"]);
            assert_eq!(
                server
                    .post(&key, &format!("{path}/send"), &json!({"to": "klant@example.com"}))
                    .status,
                202
            );
            let (ubl, sent) =
                (server.get(&key, &format!("{path}/ubl")), server.get(&key, &path).json());
            assert_eq!(ubl.status, if cause.is_some() { 409 } else { 200 }, "{}", ubl.text);
            assert!(cause.is_none_or(|cause| ubl.text.contains(cause)), "{}", ubl.text);
            assert_eq!(
                reported(&sent).map(|message| message.contains("credit it and make it again")),
                cause.map(|_| true),
                "{sent}"
            );
        }
    }

    fn a_credit_note_is_a_credit_note_in_ubl_too(engine) {
        let work = json!([{"description": "Work", "unitPrice": 100, "vatRate": 21}]);
        let (server, key) = with_invoice(engine, "sent", &work);
        assert_eq!(
            server
                .post(&key, "/api/v1/invoices/1/credit-notes", &json!({"reason": "Too much"}))
                .status,
            201
        );
        let ubl = server.get(&key, "/api/v1/invoices/2/ubl");
        assert_eq!(ubl.status, 200, "{}", ubl.text);
        assert!(
            ubl.text.contains("<CreditNote ") && ubl.text.contains("<cbc:Note>Too much</cbc:Note>"),
            "{}",
            ubl.text
        );
        assert_eq!(server.get(&key, "/api/v1/invoices/2/pdf").status, 200);
    }

    fn a_document_under_the_small_businesses_scheme_says_so_and_mentions_no_vat(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        set(&server, "Studio Noord");
        let line = |rate: i64| json!([{"description": "Piano lesson", "quantity": 4, "unitPrice": 35, "vatRate": rate}]);
        let dated = |mut invoice: Value, day: &str| {
            invoice["invoiceDate"] = json!(day);
            invoice
        };
        assert_eq!(
            server
                .post(&key, "/api/v1/invoices", &dated(invoice("sent", &line(21)), "2026-03-31"))
                .status,
            201
        );
        assert_eq!(
            server
                .post(&key, "/api/v1/vat-scheme", &json!({"scheme": "kor", "from": "2026-04-01"}))
                .status,
            200
        );
        assert_eq!(
            server
                .post(&key, "/api/v1/invoices", &dated(invoice("sent", &line(0)), "2026-04-01"))
                .status,
            201
        );
        let note =
            server.post(&key, "/api/v1/invoices/2/credit-notes", &json!({"date": "2026-04-02"}));
        assert_eq!(note.status, 201, "{}", note.text);
        let of_before =
            server.post(&key, "/api/v1/invoices/1/credit-notes", &json!({"date": "2026-04-02"}));
        assert_eq!(of_before.status, 201, "{}", of_before.text);
        // The scheme ends; documents sent under it do not change.
        assert_eq!(
            server
                .post(
                    &key,
                    "/api/v1/vat-scheme",
                    &json!({"scheme": "normal", "from": "2026-07-01"})
                )
                .status,
            200
        );
        const SENTENCE: &str = "Vrijgesteld: kleineondernemersregeling (artikel 25a)";
        for (id, is_exempt) in [(1, false), (2, true), (3, true), (4, false)] {
            let ubl = server.get(&key, &format!("/api/v1/invoices/{id}/ubl"));
            assert_eq!(
                (ubl.status, ubl.text.contains(SENTENCE)),
                (200, is_exempt),
                "{id}: {}",
                ubl.text
            );
            assert!(!ubl.text.contains("artikel 11"), "{id}: {}", ubl.text);
            assert_eq!(server.get(&key, &format!("/api/v1/invoices/{id}/pdf")).status, 200);
        }
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    /// Under the scheme, an invoice may not mention VAT (art. 25a(4) Wet OB 1968), not even for
    /// lines exempt by art. 11.
    fn lines_exempt_by_article_11_mention_no_vat_under_the_scheme(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        set(&server, "Studio Noord");
        let kor = json!({"scheme": "kor", "from": "2026-04-01"});
        assert_eq!(server.post(&key, "/api/v1/vat-scheme", &kor).status, 200);
        for (id, day, reason) in [
            (1, "2026-04-02", "Vrijgesteld (artikel 11)"),
            (2, "2026-03-31", "Vrijgesteld van btw (artikel 11 Wet OB 1968)"),
        ] {
            let lesson = json!([{"description": "Piano lesson", "unitPrice": 35, "vatRate": 0,
                "vatCategory": "exempt", "exemption": "article11"}]);
            let mut lesson = invoice("sent", &lesson);
            lesson["invoiceDate"] = json!(day);
            let made = server.post(&key, "/api/v1/invoices", &lesson);
            assert_eq!(made.status, 201, "{}", made.text);
            let ubl = server.get(&key, &format!("/api/v1/invoices/{id}/ubl"));
            let element = format!("<cbc:TaxExemptionReason>{reason}</cbc:TaxExemptionReason>");
            assert!(ubl.text.contains(&element), "{}", ubl.text);
        }
    }

    fn the_largest_possible_document_stays_small(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let lines = |text: &str| -> Vec<Value> {
            (0..500).map(|_| json!({"description": text, "unitPrice": 1, "vatRate": 21})).collect()
        };
        // The limits: 1 000 characters, of which 20 are line breaks.
        let full = format!("{}{}", "x\n".repeat(20), "m".repeat(960));
        let mut largest = invoice("sent", &json!(lines(&full)));
        largest["notes"] = json!(format!("{}{}", "y\n".repeat(100), "m".repeat(4_800)));
        let reply = server.post(&key, "/api/v1/invoices", &largest);
        assert_eq!(reply.status, 201, "{}", reply.text);
        let pdf = server.get(&key, PDF);
        assert_eq!(pdf.status, 200, "{}", pdf.text);
        let bytes: usize = pdf.header("content-length").unwrap().parse().unwrap();
        println!("the largest document has {bytes} bytes");
        assert!(bytes < 4_000_000, "{bytes} bytes");
        let one = |text: String| {
            invoice("sent", &json!([{"description": text, "unitPrice": 1, "vatRate": 21}]))
        };
        for (refused, pointer) in [
            (one("x\n".repeat(21) + "x"), "/items/0/description"),
            (one(format!("{full}m")), "/items/0/description"),
        ] {
            let reply = server.post(&key, "/api/v1/invoices", &refused);
            assert_eq!(
                (reply.status, reply.faults()),
                (422, vec![(pointer.to_owned(), "too_long".to_owned())]),
                "{}",
                reply.text
            );
        }
    }

    fn documents_count_towards_the_quota_and_receipts_never_stop_an_invoice(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        for _ in 0..2 {
            assert_eq!(server.post(&key, "/api/v1/invoices", &simple_invoice()).status, 201);
        }
        let pdf = |id: i64| server.get(&key, &format!("/api/v1/invoices/{id}/pdf"));
        let before = pdf(1);
        assert_eq!(before.status, 200);
        let hand_in = || {
            let headers = [("x-api-key", key.as_str()), ("content-type", "application/pdf")];
            server.send("POST", "/api/v1/receipts", &headers, Some(b"%PDF-1.7 a"))
        };
        let set = |sql: &'static str, size: i64| {
            server.write(move |tx| {
                tx.execute(sql, &[1_i64.into(), size.into()]).map_err(service::Error::from)
            });
        };
        // Documents fill the quota: new receipts and documents are refused; stored documents and
        // bookings still work.
        set("UPDATE invoice_documents SET size = ?2 WHERE account_id = ?1", 20 << 30);
        let refused = pdf(2);
        assert_eq!(
            (refused.status, refused.code().as_str()),
            (422, "validation_failed"),
            "{}",
            refused.text
        );
        assert!(
            refused.text.contains("at most 20 GiB of documents")
                && refused.text.contains("is booked"),
            "{}",
            refused.text
        );
        let receipt = hand_in();
        assert!(
            receipt.status == 422
                && receipt.text.contains("at most 20 GiB of receipts and documents"),
            "{}",
            receipt.text
        );
        assert_eq!((pdf(1).status, pdf(1).text == before.text), (200, true));
        assert_eq!(server.post(&key, "/api/v1/invoices", &simple_invoice()).status, 201);
        // Documents are still created when receipts have used up the quota.
        set("UPDATE invoice_documents SET size = ?2 WHERE account_id = ?1", 100);
        let receipt = hand_in();
        assert_eq!(receipt.status, 201, "{}", receipt.text);
        set("UPDATE receipts SET size = ?2 WHERE account_id = ?1", 20 << 30);
        assert_eq!(pdf(2).status, 200);
    }
}
#[test]
fn an_account_with_many_document_requests_delays_no_other_and_its_mails_go_out() {
    let server = Server::start(Engine::Sqlite);
    let (loud, quiet) = (server.account("anna@example.com"), server.account("bram@example.com"));
    let line = |number: usize| json!({"description": format!("{number}{}", "a\u{ad}".repeat(490)), "unitPrice": 1, "vatRate": 21});
    let long: Vec<Value> = (0..100).map(line).collect();
    assert_eq!(server.post(&loud, "/api/v1/invoices", &invoice("draft", &json!(long))).status, 201);
    let mut mailed = invoice("sent", &json!([line(1)]));
    mailed["customer"]["email"] = json!("klant@example.com");
    assert_eq!(server.post(&loud, "/api/v1/invoices", &mailed).status, 201);
    assert_eq!(server.post(&loud, "/api/v1/invoices/2/send", &json!({})).status, 202);
    assert_eq!(server.post(&quiet, "/api/v1/invoices", &simple_invoice()).status, 201);
    let (sender, answers) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..40 {
            let (sender, server, loud) = (sender.clone(), &server, &loud);
            scope.spawn(move || sender.send(server.get(loud, PDF)).unwrap());
        }
        drop(sender);
        // The first refusal shows that the queue is full.
        let mut of_loud = Vec::new();
        while of_loud.iter().all(|reply: &Reply| reply.status == 200) {
            of_loud.push(answers.recv().expect("some requests are refused"));
        }
        let of_quiet = server.get(&quiet, PDF);
        assert_eq!(of_quiet.status, 200, "{}", of_quiet.text);
        assert_eq!(server.mails("klant@example.com").len(), 1);
        of_loud.extend(answers.try_iter());
        let completed = |of: &[Reply]| of.iter().filter(|reply| reply.status == 200).count();
        let before = completed(&of_loud);
        of_loud.extend(answers.iter());
        assert!(
            before < completed(&of_loud),
            "the other account waited for all {before} documents"
        );
        for refused in of_loud.iter().filter(|reply| reply.status != 200) {
            assert_eq!(
                (refused.status, refused.code().as_str()),
                (503, "unavailable"),
                "{}",
                refused.text
            );
            assert_eq!(refused.header("retry-after"), Some("1"));
        }
    });
    assert_eq!(server.get(&loud, PDF).status, 200);
}
