//! Documents of invoices: preview, email, PDF, e-invoice, layout, audit file.

use crate::help::{EMAIL, PASSWORD, fault_of, signed_in, value_of};
use ledger::country::CountryCode;
use serde_json::{Value, json};
use service::accounts;
use store::{
    accounts::Plan,
    people::{Settings, save_settings},
};
use testing::{Engine, Reply, Server, on_both_engines};

/// Settings of a seller with complete details.
pub(crate) fn seller(name: &str) -> Settings {
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
        language: None,
        phone: None,
        website: None,
        bic: None,
    }
}

pub(crate) fn set_seller(server: &Server, settings: &Settings) {
    let settings = settings.clone();
    server.write(move |tx| {
        let account = accounts::by_email(tx, EMAIL)?;
        Ok(save_settings(tx, &account, &settings)?)
    });
}

/// Document shown on the page of an invoice.
fn paper(page: &Reply) -> &str {
    let (_, rest) =
        page.text.split_once("<article class=\"paper\"").unwrap_or_else(|| panic!("{}", page.text));
    rest.split("</article>").next().unwrap()
}

on_both_engines! {
    fn unprintable_characters_are_shown_on_form_draft_and_mail_page(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        const WARNING: &str = "The PDF has no glyphs for";
        for (name, missing) in [("株式会社", true), ("Κατάστημα", false)] {
            let body = json!({"status": "draft", "customer": {"name": name, "email": "klant@example.com"},
                "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
            let id = server.post(&key, "/api/v1/invoices", &body).json()["id"].to_string();
            for page in ["", "/edit", "/send"] {
                let page = browser.get(&format!("/invoices/{id}{page}"));
                let warns = page.text.contains(WARNING) && page.text.contains("株式会社");
                assert_eq!((page.status, warns), (200, missing), "{}", page.text);
            }
        }
        let settings = browser.get("/settings");
        assert!(!settings.text.contains(WARNING), "{}", settings.text);
        set_seller(&server, &seller("花屋"));
        let settings = browser.get("/settings");
        assert!(settings.text.contains(WARNING), "{}", settings.text);
    }

    fn a_sent_invoice_and_its_mails_show_the_seller_at_the_time_of_sending(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        set_seller(&server, &seller("Studio Noord"));
        for status in ["sent", "draft"] {
            let body = json!({"status": status, "invoiceDate": "2026-01-05", "dueDate": "2026-01-19",
                "customer": {"name": "Bram", "email": "klant@example.com"}, "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
            assert_eq!(server.post(&key, "/api/v1/invoices", &body).status, 201);
        }
        let (street, city) = (Some("Kade 1".into()), Some("Amsterdam".into()));
        let later = Settings {
            street,
            city,
            kvk_number: Some("12345678".into()),
            iban: Some("NL39RABO0300065264".into()),
            ..seller("Atelier Zuid")
        };
        set_seller(&server, &later);
        let before =
            ["Studio Noord", "Lange Haven 12", "Schiedam", "68750110", "NL91ABNA0417164300"];
        let now = ["Atelier Zuid", "Kade 1", "Amsterdam", "12345678", "NL39RABO0300065264"];
        for (path, visible, hidden) in [("/invoices/1", before, now), ("/invoices/2", now, before)]
        {
            let page = browser.get(path);
            for text in visible.iter().chain(&["NL002455799B11", EMAIL]) {
                assert!(paper(&page).contains(text), "{path} {text}: {}", paper(&page));
            }
            for text in hidden {
                assert!(!paper(&page).contains(text), "{path} {text}: {}", paper(&page));
            }
            // The email with the document has the same details.
            let mail = browser.get(&format!("{path}/send"));
            let message =
                mail.text.split("<textarea").nth(1).unwrap().split("</textarea>").next().unwrap();
            assert!(value_of(&mail, "subject").unwrap().contains(visible[0]), "{}", mail.text);
            let message = message.replace(' ', "");
            assert!(message.contains(visible[4]) && !message.contains(hidden[4]), "{message}");
        }
        let sent = server.post(&key, "/api/v1/invoices/1/send", &json!({}));
        assert_eq!(sent.status, 202, "{}", sent.text);
        assert_eq!(
            server.mails("klant@example.com")[0].subject,
            "Factuur 2026-0001 van Studio Noord"
        );
        // The second reminder to a consumer names the account number.
        let reminder = browser.get("/invoices/1/remind");
        assert_eq!(
            browser.submit(&reminder, "/invoices/1/remind", &[("to", "klant@example.com")]).status,
            303
        );
        assert!(!reminder.text.contains("You sent a reminder on"), "{}", reminder.text);
        // No letter is possible within a week; the page shows when it is possible.
        let early = browser.get("/invoices/1/remind");
        assert!(
            early.text.contains("The next one can go from") && early.text.contains("22 March 2026"),
            "{}",
            early.text
        );
        assert!(!early.text.contains(">Send reminder</button>"), "{}", early.text);
        let refused = browser.submit(&early, "/invoices/1/remind", &[("to", "klant@example.com")]);
        assert_eq!(refused.status, 409, "{}", refused.text);
        assert!(
            refused.text.contains("got a reminder of this invoice recently"),
            "{}",
            refused.text
        );
        server.clock.set("2026-03-22T12:00:00Z");
        assert_eq!(browser.sign_in(EMAIL, PASSWORD).status, 303);
        let letter = browser.get("/invoices/1/remind");
        assert!(!letter.text.contains("This invoice has no IBAN"), "{}", letter.text);
        assert!(
            letter.text.contains("NL91 ABNA 0417 1643 00 ten name van Studio Noord"),
            "{}",
            letter.text
        );
    }

    fn nothing_is_sent_that_differs_from_the_page_seen(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        // The third invoice has an earlier date, so its page has a different form to mark it as
        // sent.
        for day in ["2026-03-15", "2026-03-15", "2026-03-01"] {
            let body = json!({"invoiceDate": day, "customer": {"name": "Museum De Pier"}, "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
            assert_eq!(server.post(&key, "/api/v1/invoices", &body).status, 201);
        }
        let (mail, page) = (browser.get("/invoices/1/send"), browser.get("/invoices/2"));
        let earlier = browser.get("/invoices/3");
        for id in [1, 2, 3] {
            let items = json!([{"description": "Work", "unitPrice": 9999, "vatRate": 21}]);
            assert_eq!(
                server
                    .send(
                        "PATCH",
                        &format!("/api/v1/invoices/{id}"),
                        &[("x-api-key", &key), ("content-type", "application/json")],
                        Some(json!({"items": items}).to_string().as_bytes())
                    )
                    .status,
                200
            );
        }
        let written = [
            ("to", "klant@example.com"),
            ("subject", "Factuur"),
            ("message", "Hierbij de factuur van € 121,00."),
        ];
        let stale = browser.submit(&mail, "/invoices/1/send", &written);
        assert_eq!(stale.status, 409, "{}", stale.text);
        // The page shows the email with the amount that the user saw, and with the current amount.
        assert!(
            stale.text.contains("Nothing was done")
                && stale.text.contains("121,00")
                && stale.text.contains("12.098,79"),
            "{}",
            stale.text
        );
        let marked = browser.submit(&page, "/invoices/2/mark-sent", &[]);
        assert!(
            marked.status == 409 && marked.text.contains("Nothing was done"),
            "{}",
            marked.text
        );
        assert_eq!(
            browser
                .submit(&earlier, "/invoices/3/mark-sent", &[("invoiceDate", "2026-03-15")])
                .status,
            409
        );
        for id in [1, 2, 3] {
            assert_eq!(
                server.get(&key, &format!("/api/v1/invoices/{id}")).json()["status"],
                "draft"
            );
        }
        // When the form is submitted from the new page, the command runs.
        assert_eq!(browser.submit(&stale, "/invoices/1/send", &written).status, 303);
        assert_eq!(browser.submit(&marked, "/invoices/2/mark-sent", &[]).status, 303);
        // A payment is not an edit.
        let edits = || browser.get("/invoices/2").text.matches("<li><span>Edited").count();
        let before = edits();
        let paid = server.post(
            &key,
            "/api/v1/invoices/2/payments",
            &json!({"amount": 100, "date": "2026-03-15"}),
        );
        assert_eq!((paid.status, edits()), (201, before), "{}", paid.text);
    }

    fn an_e_invoice_is_offered_or_the_page_says_why_not(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let made = |second: &Value| {
            let body = json!({"status": "sent", "customer": {"name": "Museum De Pier"},
                "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}, second]});
            assert_eq!(server.post(&key, "/api/v1/invoices", &body).status, 201);
        };
        let taxed = json!({"description": "More", "unitPrice": 10, "vatRate": 9});
        made(&taxed);
        set_seller(&server, &seller("Studio Noord"));
        made(&taxed);
        for category in ["outOfScope", "reverseCharge"] {
            made(
                &json!({"description": "More", "unitPrice": 10, "vatRate": 0, "vatCategory": category}),
            );
        }
        for (id, reason) in [
            (1, Some("An e-invoice lacks: your address, your KvK number, your VAT ID.")),
            (2, None),
            (3, Some("it mixes lines with and without Dutch VAT")),
            (4, Some("An e-invoice lacks: your customer’s VAT ID.")),
        ] {
            let page = browser.get(&format!("/invoices/{id}"));
            assert_eq!(
                page.text.contains(&format!("/invoices/{id}/ubl\"")),
                reason.is_none(),
                "{id}: {}",
                page.text
            );
            let asked = browser.get(&format!("/invoices/{id}/ubl"));
            assert_eq!(
                asked.status,
                if reason.is_some() { 409 } else { 200 },
                "{id}: {}",
                asked.text
            );
            for reply in [&page, &asked].into_iter().filter(|_| reason.is_some()) {
                assert!(reply.text.contains(reason.unwrap()), "{id}: {}", reply.text);
            }
            assert_eq!(
                page.text.contains("There is no e-invoice (UBL)"),
                matches!(id, 1 | 4),
                "{id}: {}",
                page.text
            );
        }
    }

    fn only_the_letter_to_a_consumer_claims_the_wording_of_the_law(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        for customer in [
            json!({"name": "Bram", "email": "bram@example.com"}),
            json!({"name": "Pier", "email": "pier@example.com", "kvkNumber": "12345678"}),
        ] {
            let body = json!({"status": "sent", "invoiceDate": "2026-01-05", "dueDate": "2026-01-19", "customer": customer,
                "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
            assert_eq!(server.post(&key, "/api/v1/invoices", &body).status, 201);
        }
        const EDITED: &str = "name=\"message\"";
        const LAW: &str = "the law requires this letter (article 6:96 BW)";
        const BY_POST: &str = "by post too";
        for (id, steps) in [
            (1_usize, &[(false, false), (true, true)][..]),
            (2, &[(false, false), (false, false), (false, true)]),
        ] {
            for (step, (is_of_the_law, goes_by_post)) in steps.iter().enumerate() {
                let path = format!("/invoices/{id}/remind");
                let page = browser.get(&path);
                assert!(page.text.contains("This invoice has no IBAN"), "{}", page.text);
                let notices = (
                    page.text.contains(LAW),
                    page.text.contains(EDITED),
                    page.text.contains(BY_POST),
                );
                assert_eq!(
                    notices,
                    (*is_of_the_law, !is_of_the_law, *goes_by_post),
                    "{id} {step}: {}",
                    page.text
                );
                assert_eq!(
                    browser.submit(&page, &path, &[("to", "klant@example.com")]).status,
                    303
                );
                let day = jiff::civil::date(2026, 3, 15 + i8::try_from(id).unwrap());
                let day = day.saturating_add(jiff::Span::new().days(7 * (1 + i64::try_from(step).unwrap() + 2 * (i64::try_from(id).unwrap() - 1))));
                server.clock.set(&format!("{day}T12:00:00Z"));
                assert_eq!(browser.sign_in(EMAIL, PASSWORD).status, 303);
            }
        }
        // A consumer's other overdue invoices belong to the same letter (art. 6:96(7) BW); a
        // business's do not.
        let consumer = json!({"name": "Eva", "email": "eva@example.com"});
        let ids: Vec<Value> = [consumer.clone(), consumer, json!({"contactId": 2})]
            .into_iter()
            .map(|customer| {
                let body = json!({"status": "sent", "invoiceDate": "2026-01-06", "dueDate": "2026-01-20", "customer": customer,
                    "items": [{"description": "More work", "unitPrice": 50, "vatRate": 21}]});
                server.post(&key, "/api/v1/invoices", &body).json()["id"].clone()
            })
            .collect();
        let path = format!("/invoices/{}/remind", ids[0]);
        assert!(!browser.get(&path).text.contains("of this customer"));
        let first = browser.get(&path);
        assert_eq!(browser.submit(&first, &path, &[("to", "eva@example.com")]).status, 303);
        server.clock.set("2026-06-01T12:00:00Z");
        assert_eq!(browser.sign_in(EMAIL, PASSWORD).status, 303);
        let page = browser.get(&path);
        assert!(
            page.text
                .contains("also about another invoice of this customer, <data value=\"60.50\">"),
            "{}",
            page.text
        );
        assert!(!browser.get("/invoices/2/remind").text.contains("of this customer"));
    }
}

#[test]
fn the_page_of_an_invoice_links_to_its_documents() {
    let server = Server::start(Engine::Sqlite);
    let browser = signed_in(&server);
    let key = server.key(EMAIL, true, true);
    for status in ["sent", "draft"] {
        let body = json!({"status": status, "customer": {"name": "Museum De Pier"},
            "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
        assert_eq!(server.post(&key, "/api/v1/invoices", &body).status, 201);
    }
    let page = browser.get("/invoices/1");
    // The seller's details are incomplete, so there is no e-invoice.
    assert!(
        page.text.contains("href=\"/invoices/1/pdf\"")
            && !page.text.contains("href=\"/invoices/1/ubl\""),
        "{}",
        page.text
    );
    let pdf = browser.get("/invoices/1/pdf");
    assert_eq!((pdf.status, pdf.header("content-type")), (200, Some("application/pdf")));
    assert_eq!(pdf.header("content-disposition"), Some("attachment; filename=\"2026-0001.pdf\""));
    // The page serves the same stored document as the API.
    assert_eq!(pdf.header("etag"), server.get(&key, "/api/v1/invoices/1/pdf").header("etag"));
    assert_ne!(pdf.header("etag"), browser.get("/invoices/1/pdf?language=en").header("etag"));
    assert_eq!(browser.get("/invoices/1/ubl").status, 409);
    let draft = browser.get("/invoices/2");
    assert!(
        draft.text.contains("/invoices/2/pdf\"") && !draft.text.contains("/invoices/2/ubl"),
        "{}",
        draft.text
    );
    let refused = browser.get("/invoices/2/ubl");
    assert!(refused.status == 409 && refused.text.contains("still a draft"), "{}", refused.text);
    assert_eq!(browser.get("/invoices/9/pdf").status, 404);
}

#[test]
fn an_invoice_is_mailed_from_its_page_which_shows_the_outcome() {
    let server = Server::start(Engine::Sqlite);
    let browser = signed_in(&server);
    let key = server.key(EMAIL, true, true);
    let body = json!({"status": "sent", "invoiceDate": "2026-01-05", "dueDate": "2026-01-19",
        "customer": {"name": "Museum De Pier", "email": "klant@example.com"},
        "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
    assert_eq!(server.post(&key, "/api/v1/invoices", &body).status, 201);
    let form = browser.get("/invoices/1/send");
    assert!(
        form.text.contains("value=\"klant@example.com\"") && form.text.contains("2026-0001"),
        "{}",
        form.text
    );
    let refused = browser.submit(
        &form,
        "/invoices/1/send",
        &[("to", "nobody"), ("subject", "Mine"), ("message", "Hello")],
    );
    assert_eq!(refused.status, 422);
    assert!(
        refused.text.contains("value=\"Mine\"") && refused.text.contains("value=\"nobody\""),
        "{}",
        refused.text
    );
    let fields = [
        ("to", "klant@example.com"),
        ("subject", "Mine"),
        ("message", "Hello\n\nThere"),
        ("copyToMe", "true"),
    ];
    let sent = browser.submit(&form, "/invoices/1/send", &fields);
    assert_eq!(sent.header("location"), Some("/invoices/1?done=invoice-mailed"), "{}", sent.text);
    // A double click sends one email.
    browser.submit(&form, "/invoices/1/send", &fields);
    let mails = server.mails("klant@example.com");
    assert_eq!((mails.len(), mails[0].subject.as_str()), (1, "Mine"));
    let reminder = browser.get("/invoices/1/remind");
    let reminded = browser.submit(&reminder, "/invoices/1/remind", &[("to", "klant@example.com")]);
    assert_eq!(reminded.status, 303, "{}", reminded.text);
    assert_eq!(server.mails("klant@example.com").len(), 2);
    let page = browser.get("/invoices/1");
    assert!(
        page.text.contains("Sent to")
            && page.text.contains("klant@example.com")
            && page.text.contains("Reminder ·"),
        "{}",
        page.text
    );
}

/// The free plan is limited to 50 emails about invoices a day, so that new accounts cannot send
/// spam.
#[test]
fn an_account_on_the_free_plan_mails_fifty_times_a_day() {
    let server = Server::start(Engine::Sqlite);
    let browser = signed_in(&server);
    let key = server.key(EMAIL, true, true);
    let body = json!({"status": "sent", "invoiceDate": "2026-01-05", "customer": {"name": "Pier"}, "items": [{"description": "Work", "unitPrice": 1, "vatRate": 21}]});
    assert_eq!(server.post(&key, "/api/v1/invoices", &body).status, 201);
    let set_plan =
        |plan: Plan| server.write(move |tx| service::accounts::set_plan(tx, EMAIL, plan));
    let mail = |number: usize| {
        let form = browser.get("/invoices/1/send");
        let to = format!("stranger{number}@example.com");
        browser.submit(
            &form,
            "/invoices/1/send",
            &[("to", to.as_str()), ("subject", "Mine"), ("message", "Hello"), ("copyToMe", "true")],
        )
    };
    set_plan(Plan::Free);
    // Copies to the owner do not count towards the limit.
    for number in 0..50 {
        assert_eq!(mail(number).status, 303);
    }
    let refused = mail(50);
    assert_eq!(
        (refused.status, value_of(&refused, "to").as_deref()),
        (409, Some("stranger50@example.com")),
        "{}",
        refused.text
    );
    assert!(refused.text.contains("50 emails about invoices went out"), "{}", refused.text);
    assert!(server.mails("stranger50@example.com").is_empty());
    // Paid plans have no such limit; an email sent through the API is accepted.
    set_plan(Plan::Starter);
    assert_eq!(
        server.post(&key, "/api/v1/invoices/1/send", &json!({"to": "customer@example.com"})).status,
        202
    );
    server.clock.set("2026-03-16T11:00:01Z");
    set_plan(Plan::Free);
    // The session has expired by then.
    browser.sign_in(EMAIL, PASSWORD);
    assert_eq!(mail(50).status, 303, "a day later");
}

/// PNG image of two by two pixels.
pub(crate) const PICTURE: &[u8] = b"\x89PNG\x0d\x0a\x1a\x0a\x00\x00\x00\x0dIHDR\x00\x00\x00\x02\x00\x00\x00\x02\x08\x02\x00\x00\x00\xfd\xd4\x9as\x00\x00\x00\x10IDATx\xdac\x10\x8c\x8b\x04\x22\x06\x08\x05\x00\x14\xce\x03!WL\x17*\x00\x00\x00\x00IEND\xaeB`\x82";

#[test]
// Long: one scenario in order.
fn the_layout_of_invoices_is_chosen_previewed_and_saved() {
    let server = Server::start(Engine::Sqlite);
    let browser = signed_in(&server);
    let key = server.key(EMAIL, true, true);
    let draft = json!({"status": "draft", "customer": {"name": "Museum De Pier"},
        "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
    assert_eq!(server.post(&key, "/api/v1/invoices", &draft).status, 201);
    let before = browser.get("/invoices/1/pdf");
    let page = browser.get("/settings/invoices");
    let is_chosen = |tile: &str| {
        tile.contains("value=\"none\"")
            && tile.split('>').next().is_some_and(|input| input.contains("checked"))
    };
    assert!(
        page.text.split("name=\"window\"").any(is_chosen),
        "no window unless one is chosen: {}",
        page.text
    );
    let refused = browser.submit(
        &page,
        "/settings/invoices",
        &[
            ("paymentTermDays", "30"),
            ("numberPattern", "{year}-{number:4}"),
            ("accent", "green"),
            ("opening.nl", "Hello"),
        ],
    );
    assert_eq!(refused.status, 422);
    assert!(
        refused.text.contains("value=\"green\"") && refused.text.contains("Hello</textarea>"),
        "{}",
        refused.text
    );
    let form = |page: &testing::Reply| {
        let token = page
            .text
            .split("name=\"csrf\" value=\"")
            .nth(1)
            .map(|rest| rest.split('"').next().unwrap().to_owned());
        token.unwrap_or_default()
    };
    let csrf = form(&page);
    let fields = [
        ("csrf", csrf.as_str()),
        ("paymentTermDays", "30"),
        ("numberPattern", "{year}-{number:4}"),
        ("accent", "#aa0000"),
        ("window", "left"),
        ("opening.nl", "Hello"),
        ("closing.nl", "Bye"),
    ];
    let preview = browser.post("/settings/invoices/preview", &fields);
    assert_eq!(
        (preview.status, preview.header("content-type")),
        (200, Some("application/pdf")),
        "{}",
        preview.text
    );
    assert_eq!(browser.get("/invoices/1/pdf").header("etag"), before.header("etag"));
    let saved = browser.submit(&page, "/settings/invoices", &fields[1..]);
    assert_eq!(saved.header("location"), Some("/settings/invoices?done=saved"), "{}", saved.text);
    assert_ne!(browser.get("/invoices/1/pdf").header("etag"), before.header("etag"));
    let page = browser.get("/settings/invoices");
    assert!(page.text.contains("value=\"#aa0000\""));
    // A logo, and a file that is not one.
    let before = browser.get("/invoices/1/pdf");
    let fields = &fields[1..];
    let wrong = browser.submit_with_file(
        &page,
        "/settings/invoices",
        fields,
        ("logo", "logo.png", b"GIF89a"),
    );
    assert!(wrong.status == 422 && fault_of(&wrong, "logo").is_some(), "{}", wrong.text);
    let kept = browser.submit_with_file(
        &page,
        "/settings/invoices",
        fields,
        ("logo", "logo.png", PICTURE),
    );
    assert_eq!(kept.header("location"), Some("/settings/invoices?done=saved"), "{}", kept.text);
    assert_ne!(browser.get("/invoices/1/pdf").header("etag"), before.header("etag"));
    let page = browser.get("/settings/invoices");
    assert!(page.text.contains("src=\"/settings/invoices/logo\""), "{}", page.text);
    let logo = browser.get("/settings/invoices/logo");
    assert_eq!((logo.status, logo.header("content-type")), (200, Some("image/png")));
    let gone = [fields, &[("withoutLogo", "true")]].concat();
    assert_eq!(browser.submit(&page, "/settings/invoices", &gone).status, 303);
    assert_eq!(browser.get("/settings/invoices/logo").status, 404);
    assert!(!browser.get("/settings/invoices").text.contains("/settings/invoices/logo"));
    assert_eq!(browser.get("/invoices/1/pdf").header("etag"), before.header("etag"));
}

#[test]
fn the_audit_file_is_downloaded_from_its_page() {
    let server = Server::start(Engine::Sqlite);
    let browser = signed_in(&server);
    let key = server.key(EMAIL, true, true);
    let body = json!({"status": "sent", "customer": {"name": "Museum De Pier"},
        "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
    assert_eq!(server.post(&key, "/api/v1/invoices", &body).status, 201);
    assert!(browser.get("/settings/data").text.contains("href=\"/year/2026/audit-file\""));
    let file = browser.get("/year/2026/audit-file");
    assert_eq!(file.status, 200);
    assert!(
        file.text.contains("<totalDebit>121.00</totalDebit>")
            && file.text.contains("XmlauditfileXAF_4.0"),
        "{}",
        file.text
    );
    assert_eq!(
        file.header("content-disposition"),
        Some("attachment; filename=\"auditfile-2026-4.0.xaf\"")
    );
    let older = browser.get("/year/2026/audit-file?version=3.2");
    assert!(older.text.contains("http://www.auditfiles.nl/XAF/3.2"));
    assert_eq!(
        older.header("content-disposition"),
        Some("attachment; filename=\"auditfile-2026-3.2.xaf\"")
    );
    assert_eq!(browser.get("/year/1800/audit-file").status, 404);
}

#[test]
fn documents_beyond_the_queue_limit_are_rejected_on_pages_too() {
    let server = Server::start(Engine::Sqlite);
    let browser = signed_in(&server);
    let key = server.key(EMAIL, true, true);
    let line = json!({"description": "W".repeat(1_000), "unitPrice": 1, "vatRate": 21});
    let body = json!({"status": "draft", "customer": {"name": "Museum De Pier"}, "items": vec![line; 100]});
    assert_eq!(server.post(&key, "/api/v1/invoices", &body).status, 201);
    let cookies = browser.cookies();
    let get = |path: &str| server.send("GET", path, &[("cookie", &cookies)], None);
    let answers: Vec<Reply> = std::thread::scope(|scope| {
        let asked: Vec<_> = (0..40).map(|_| scope.spawn(|| get("/invoices/1/pdf"))).collect();
        asked.into_iter().map(|asked| asked.join().unwrap()).collect()
    });
    let (made, refused): (Vec<&Reply>, Vec<&Reply>) =
        answers.iter().partition(|reply| reply.status == 200);
    assert!(!made.is_empty() && !refused.is_empty(), "{} made", made.len());
    for reply in refused {
        assert_eq!((reply.status, reply.header("retry-after")), (503, Some("1")), "{}", reply.text);
        assert!(reply.text.contains("<html"), "{}", reply.text);
    }
    assert_eq!(get("/invoices/1/pdf").status, 200);
}
