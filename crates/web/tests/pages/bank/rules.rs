//! Rules for bank lines.

use super::with_account;
use crate::help::{EMAIL, fault_of, value_of};
use serde_json::{Value, json};
use testing::{Engine, Server, Visitor, on_both_engines};

const HOST: &str = "NL91ABNA0417164300";

/// Books with two lines that pay a host, 1 and 2, and one without an IBAN, 3.
fn with_lines(engine: Engine) -> (Server, Visitor, String) {
    let (server, browser, key) = with_account(engine);
    let host = json!({"name": "TransIP", "iban": HOST});
    let feed = json!({"bankAccountId": 6, "from": "2026-02-01", "to": "2026-03-31", "lines": [
        {"date": "2026-02-10", "amount": -12.1, "counterparty": host, "text": "Hosting februari"},
        {"date": "2026-03-10", "amount": -12.1, "counterparty": host, "text": "Hosting maart"},
        {"date": "2026-03-12", "amount": -3, "text": "Pakketkosten"},
    ]});
    assert_eq!(server.post(&key, "/api/v1/bank-statements", &feed).status, 201);
    (server, browser, key)
}

fn rule(server: &Server, key: &str) -> Value {
    server.get(key, "/api/v1/bank-rules/1").json()
}

on_both_engines! {
    fn a_rule_is_made_from_a_line_and_books_by_itself_after_its_preview(engine) {
        let (server, browser, key) = with_lines(engine);
        let page = browser.get("/bank-lines?state=new&line=1&kind=expense");
        let fields = [("action", "rule"), ("allocations.0.items.0.category", "4110"), ("allocations.0.businessShare", "80")];
        let booked = browser.submit(&page, "/bank-lines/1/book", &fields);
        assert_eq!(booked.header("location"), Some("/bank-rules/new?line=1&done=bank-line-booked"), "{}", booked.text);
        let form = browser.follow(&booked);
        for (field, value) in [
            ("name", "TransIP"), ("when.iban", HOST), ("when.nameContains", ""), ("then.supplier", "TransIP"), ("then.businessShare", "80"),
        ] {
            assert_eq!(value_of(&form, field).as_deref(), Some(value), "{field}");
        }
        let made = browser.submit(&form, "/bank-rules", &[("action", "save"), ("automatic", "true")]);
        assert_eq!(made.header("location"), Some("/bank-rules/1?done=bank-rule-created"), "{}", made.text);
        let stored = rule(&server, &key);
        assert_eq!(
            json!([stored["automatic"], stored["when"]["iban"], stored["when"]["direction"], stored["then"]["kind"], stored["then"]["items"][0]["category"], stored["then"]["businessShare"]]),
            json!([false, HOST, "out", "expense", "4110", 80]),
        );
        let shown = browser.follow(&made);
        let facts = shown.text.replace("<dd>", "");
        assert!(facts.contains("To be booked</dt>1") && facts.contains("Booked like this</dt>1"), "{}", shown.text);
        assert!(shown.text.contains("href=\"/bank-lines/2\"") && !shown.text.contains("href=\"/bank-lines/1\""), "{}", shown.text);
        // A rule that was changed after its preview was shown is previewed again first.
        let elsewhere = browser.get("/bank-rules/1/edit");
        assert_eq!(browser.submit(&elsewhere, "/bank-rules/1", &[("action", "save"), ("when.amountTo", "20")]).status, 303);
        let refused = browser.submit(&shown, "/bank-rules/1", &[]);
        assert!(refused.status == 409 && refused.text.contains("just changed"), "{}", refused.text);
        let switched = browser.submit(&refused, "/bank-rules/1", &[]);
        assert_eq!(switched.header("location"), Some("/bank-rules/1?done=bank-rule-automatic"), "{}", switched.text);
        assert_eq!(rule(&server, &key)["automatic"], json!(true));
        let off = browser.submit(&browser.follow(&switched), "/bank-rules/1", &[]);
        assert_eq!(off.header("location"), Some("/bank-rules/1?done=bank-rule-manual"), "{}", off.text);
        assert_eq!(rule(&server, &key)["automatic"], json!(false));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_rule_of_a_line_takes_over_no_number_that_is_no_iban(engine) {
        let (_server, browser, _key) = super::with_account(engine);
        let file = super::FILE.replace("IBAN/NL91ABNA0417164300", "IBAN/0417164300");
        let page = browser.get("/bank-statements");
        let taken = browser.submit_with_file(&page, "/bank-statements", &[("action", "take")], ("file", "march.940", file.as_bytes()));
        assert_eq!(taken.status, 303, "{}", taken.text);
        let page = browser.get("/bank-lines?line=1&kind=bankCosts");
        let form = browser.follow(&browser.submit(&page, "/bank-lines/1/book", &[("action", "rule")]));
        for (field, value) in [("when.iban", ""), ("when.nameContains", "Bakkerij De Korenaar")] {
            assert_eq!(value_of(&form, field).as_deref(), Some(value), "{field}: {}", form.text);
        }
        assert_eq!(browser.submit(&form, "/bank-rules", &[("action", "save")]).status, 303);
    }

    fn a_rule_is_changed_and_archived(engine) {
        let (server, browser, key) = with_lines(engine);
        let new = json!({"name": "Pakket", "automatic": true, "when": {"textContains": "pakket"}, "then": {"kind": "bankCosts"}});
        assert_eq!(server.post(&key, "/api/v1/bank-rules", &new).status, 201);
        let list = browser.get("/bank-rules");
        assert!(list.text.contains("description contains “pakket”") && list.text.contains("Bank charges"), "{}", list.text);
        let (edit, later) = (browser.get("/bank-rules/1/edit"), browser.get("/bank-rules/1/edit"));
        let renamed = browser.submit(&edit, "/bank-rules/1", &[("action", "save"), ("name", "Pakketkosten")]);
        assert_eq!(renamed.status, 303, "{}", renamed.text);
        assert_eq!(json!([rule(&server, &key)["name"], rule(&server, &key)["automatic"]]), json!(["Pakketkosten", true]));
        let conflict = browser.submit(&later, "/bank-rules/1", &[("action", "save"), ("name", "Kosten")]);
        assert!(conflict.status == 409 && conflict.text.contains("Pakketkosten") && conflict.text.contains("Kosten"), "{}", conflict.text);
        // Another booking has not been previewed, so the rule only suggests.
        let edit = browser.get("/bank-rules/1/edit");
        let kind = browser.submit(&edit, "/bank-rules/1", &[("action", "calculate"), ("then.kind", "private")]);
        assert!(kind.status == 200 && kind.text.contains("name=\"then.privateKind\""), "{}", kind.text);
        let saved = browser.submit(&kind, "/bank-rules/1", &[("action", "save"), ("then.privateKind", "drawing"), ("when.textContains", ""), ("when.nameContains", "pakket")]);
        assert_eq!(saved.status, 303, "{}", saved.text);
        let stored = rule(&server, &key);
        assert_eq!(
            json!([stored["automatic"], stored["then"]["kind"], stored["then"]["privateKind"], stored["when"]["textContains"], stored["when"]["nameContains"]]),
            json!([false, "private", "drawing", null, "pakket"]),
        );
        let archived = browser.submit(&browser.get("/bank-rules/1"), "/bank-rules/1/archive", &[]);
        assert_eq!(archived.header("location"), Some("/bank-rules/1?done=bank-rule-archived"), "{}", archived.text);
        assert_eq!(rule(&server, &key)["status"], json!("archived"));
        let page = browser.follow(&archived);
        assert!(!page.text.contains("name=\"automatic\""), "{}", page.text);
        assert_eq!(browser.submit(&page, "/bank-rules/1/restore", &[]).status, 303);
        assert_eq!(rule(&server, &key)["status"], json!("active"));
    }

    fn the_form_of_a_rule_names_its_faults(engine) {
        let (server, browser, key) = with_lines(engine);
        let page = browser.get("/bank-rules/new");
        let empty = browser.submit(&page, "/bank-rules", &[("action", "save")]);
        assert_eq!(empty.status, 422, "{}", empty.text);
        assert!(fault_of(&empty, "name").is_some() && fault_of(&empty, "then.kind").is_some(), "{}", empty.text);
        let ignored = browser.submit(&empty, "/bank-rules", &[("action", "calculate"), ("name", "Alles"), ("then.kind", "ignore")]);
        let unlimited = browser.submit(&ignored, "/bank-rules", &[("action", "save"), ("then.reason", "private")]);
        assert_eq!(unlimited.status, 422, "{}", unlimited.text);
        assert!(fault_of(&unlimited, "when").is_some(), "{}", unlimited.text);
        // A line that is not booked gives the conditions only.
        let of_line = browser.get("/bank-rules/new?line=3");
        assert_eq!(value_of(&of_line, "when.textContains").as_deref(), Some("Pakketkosten"));
        let expense = browser.submit(&of_line, "/bank-rules", &[("action", "calculate"), ("then.kind", "expense")]);
        let unchosen = browser.submit(&expense, "/bank-rules", &[("action", "save")]);
        assert!(fault_of(&unchosen, "then.items.0.category").is_some(), "{}", unchosen.text);
        let made = browser.submit(&unchosen, "/bank-rules", &[("action", "save"), ("then.items.0.category", "4100")]);
        assert_eq!(made.status, 303, "{}", made.text);
        assert_eq!(rule(&server, &key)["when"]["textContains"], json!("Pakketkosten"));
        // The suggestion for the line names the rule.
        let line = browser.get("/bank-lines?state=new&line=3");
        assert!(line.text.contains("Booking rule Pakketkosten says so."), "{}", line.text);
        assert_eq!(browser.get("/bank-rules/new?line=99").status, 404);
        assert_eq!(browser.get("/bank-rules/9").status, 404);
    }
}
