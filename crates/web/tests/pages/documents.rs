//! Documents of invoices, from their pages.

use crate::browser::{Browser, EMAIL, fault_of};
use serde_json::json;
use testing::{Engine, Server};

#[test]
fn the_page_of_an_invoice_leads_to_its_documents() {
    let server = Server::start(Engine::Sqlite);
    let mut browser = Browser::signed_in(&server);
    let key = server.key(EMAIL, true, true);
    for status in ["sent", "draft"] {
        let body = json!({"status": status, "customer": {"name": "Museum De Pier"},
            "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
        assert_eq!(server.post(&key, "/api/v1/invoices", &body).status, 201);
    }
    let page = browser.get("/invoices/1");
    assert!(page.text.contains("href=\"/invoices/1/pdf\"") && page.text.contains("href=\"/invoices/1/ubl\""), "{}", page.text);
    let pdf = browser.get("/invoices/1/pdf");
    assert_eq!((pdf.status, pdf.header("content-type")), (200, Some("application/pdf")));
    assert_eq!(pdf.header("content-disposition"), Some("attachment; filename=\"2026-0001.pdf\""));
    // The same document as by the API, made once.
    assert_eq!(pdf.header("etag"), server.get(&key, "/api/v1/invoices/1/pdf").header("etag"));
    assert_ne!(pdf.header("etag"), browser.get("/invoices/1/pdf?language=en").header("etag"));
    // The seller's data are not complete.
    assert_eq!(browser.get("/invoices/1/ubl").status, 409);
    let draft = browser.get("/invoices/2");
    assert!(draft.text.contains("/invoices/2/pdf\"") && !draft.text.contains("/invoices/2/ubl"), "{}", draft.text);
    assert_eq!(browser.get("/invoices/2/ubl").status, 409);
    assert_eq!(browser.get("/invoices/9/pdf").status, 404);
}

#[test]
fn an_invoice_is_mailed_from_its_page_and_the_page_says_what_became_of_it() {
    let server = Server::start(Engine::Sqlite);
    let mut browser = Browser::signed_in(&server);
    let key = server.key(EMAIL, true, true);
    let body = json!({"status": "sent", "invoiceDate": "2026-01-05", "dueDate": "2026-01-19",
        "customer": {"name": "Museum De Pier", "email": "klant@example.com"},
        "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
    assert_eq!(server.post(&key, "/api/v1/invoices", &body).status, 201);
    let form = browser.get("/invoices/1/send");
    assert!(form.text.contains("value=\"klant@example.com\"") && form.text.contains("2026-0001"), "{}", form.text);
    let refused = browser.submit(&form, "/invoices/1/send", &[("to", "nobody"), ("subject", "Mine"), ("message", "Hello")]);
    assert_eq!(refused.status, 422);
    assert!(refused.text.contains("value=\"Mine\"") && refused.text.contains("value=\"nobody\""), "{}", refused.text);
    let fields = [("to", "klant@example.com"), ("subject", "Mine"), ("message", "Hello\n\nThere"), ("copyToMe", "true")];
    let sent = browser.submit(&form, "/invoices/1/send", &fields);
    assert_eq!(sent.header("location"), Some("/invoices/1?done=invoice-mailed"), "{}", sent.text);
    // A double click is one mail.
    browser.submit(&form, "/invoices/1/send", &fields);
    let mails = server.mails("klant@example.com");
    assert_eq!((mails.len(), mails[0].subject.as_str()), (1, "Mine"));
    let reminder = browser.get("/invoices/1/remind");
    let reminded = browser.submit(&reminder, "/invoices/1/remind", &[("to", "klant@example.com")]);
    assert_eq!(reminded.status, 303, "{}", reminded.text);
    assert_eq!(server.mails("klant@example.com").len(), 2);
    let page = browser.get("/invoices/1");
    assert!(
        page.text.contains("Sent to") && page.text.contains("klant@example.com") && page.text.contains("Reminder ·"),
        "{}",
        page.text
    );
}

/// A picture of two by two pixels.
pub(crate) const PICTURE: &[u8] = b"\x89PNG\x0d\x0a\x1a\x0a\x00\x00\x00\x0dIHDR\x00\x00\x00\x02\x00\x00\x00\x02\x08\x02\x00\x00\x00\xfd\xd4\x9as\x00\x00\x00\x10IDATx\xdac\x10\x8c\x8b\x04\x22\x06\x08\x05\x00\x14\xce\x03!WL\x17*\x00\x00\x00\x00IEND\xaeB`\x82";

#[test]
fn how_invoices_look_is_chosen_tried_and_kept() {
    let server = Server::start(Engine::Sqlite);
    let mut browser = Browser::signed_in(&server);
    let key = server.key(EMAIL, true, true);
    let draft = json!({"status": "draft", "customer": {"name": "Museum De Pier"},
        "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
    assert_eq!(server.post(&key, "/api/v1/invoices", &draft).status, 201);
    let before = browser.get("/invoices/1/pdf");
    let page = browser.get("/settings/invoices");
    let refused = browser.submit(
        &page,
        "/settings/invoices",
        &[("paymentTermDays", "30"), ("numberPattern", "{year}-{number:4}"), ("accent", "green"), ("opening", "Hello")],
    );
    assert_eq!(refused.status, 422);
    assert!(refused.text.contains("value=\"green\"") && refused.text.contains("Hello</textarea>"), "{}", refused.text);
    let form = |page: &testing::Reply| {
        let token = page.text.split("name=\"csrf\" value=\"").nth(1).map(|rest| rest.split('"').next().unwrap().to_owned());
        token.unwrap_or_default()
    };
    let csrf = form(&page);
    let fields = [
        ("csrf", csrf.as_str()),
        ("paymentTermDays", "30"),
        ("numberPattern", "{year}-{number:4}"),
        ("accent", "#aa0000"),
        ("window", "left"),
        ("opening", "Hello"),
        ("closing", "Bye"),
    ];
    let preview = browser.post("/settings/invoices/preview", &fields);
    assert_eq!((preview.status, preview.header("content-type")), (200, Some("application/pdf")), "{}", preview.text);
    assert_eq!(browser.get("/invoices/1/pdf").header("etag"), before.header("etag"));
    let saved = browser.submit(&page, "/settings/invoices", &fields[1..]);
    assert_eq!(saved.header("location"), Some("/settings/invoices?done=saved"), "{}", saved.text);
    assert_ne!(browser.get("/invoices/1/pdf").header("etag"), before.header("etag"));
    let page = browser.get("/settings/invoices");
    assert!(page.text.contains("value=\"#aa0000\""));
    // A logo, and what is none.
    let before = browser.get("/invoices/1/pdf");
    let fields = &fields[1..];
    let wrong = browser.submit_with_file(&page, "/settings/invoices", fields, ("logo", "logo.png", b"GIF89a"));
    assert!(wrong.status == 422 && fault_of(&wrong, "logo").is_some(), "{}", wrong.text);
    let kept = browser.submit_with_file(&page, "/settings/invoices", fields, ("logo", "logo.png", PICTURE));
    assert_eq!(kept.header("location"), Some("/settings/invoices?done=saved"), "{}", kept.text);
    assert_ne!(browser.get("/invoices/1/pdf").header("etag"), before.header("etag"));
    let page = browser.get("/settings/invoices");
    let gone = [fields, &[("withoutLogo", "true")]].concat();
    assert_eq!(browser.submit(&page, "/settings/invoices", &gone).status, 303);
    assert_eq!(browser.get("/invoices/1/pdf").header("etag"), before.header("etag"));
}

#[test]
fn the_audit_file_is_read_from_its_page() {
    let server = Server::start(Engine::Sqlite);
    let mut browser = Browser::signed_in(&server);
    let key = server.key(EMAIL, true, true);
    let body = json!({"status": "sent", "customer": {"name": "Museum De Pier"},
        "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
    assert_eq!(server.post(&key, "/api/v1/invoices", &body).status, 201);
    assert!(browser.get("/settings/data").text.contains("href=\"/year/2026/audit-file\""));
    let file = browser.get("/year/2026/audit-file");
    assert_eq!(file.status, 200);
    assert!(file.text.contains("<totalDebit>121.00</totalDebit>") && file.text.contains("XmlauditfileXAF_4.0"), "{}", file.text);
    assert_eq!(file.header("content-disposition"), Some("attachment; filename=\"auditfile-2026.xaf\""));
    assert!(browser.get("/year/2026/audit-file?version=3.2").text.contains("http://www.auditfiles.nl/XAF/3.2"));
    assert_eq!(browser.get("/year/1800/audit-file").status, 404);
}
