//! The VAT rate of an expense follows its category until a person chooses one, without scripts: a
//! form whose rate changes is shown again before it is booked.

use crate::help::{EMAIL, fault_of, signed_in, value_of};
use serde_json::{Value, json};
use testing::{Engine, Server, Visitor, on_both_engines};

/// A traffic fine on the form for an expense; the rate is left as the form has it.
const FINE: [(&str, &str); 4] = [
    ("date", "2026-02-10"),
    ("supplier", "CJIB"),
    ("items.0.category", "4440"),
    ("items.0.amount", "104,00"),
];

fn started(engine: Engine) -> (Server, Visitor, String) {
    let server = Server::start(engine);
    let browser = signed_in(&server);
    let key = server.key(EMAIL, true, true);
    (server, browser, key)
}

/// Books with a payment of € 104 to a bank line.
fn with_line(engine: Engine) -> (Server, Visitor, String) {
    let (server, browser, key) = started(engine);
    let account = json!({"name": "ABN AMRO", "kind": "checking", "iban": "NL02ABNA0123456789"});
    assert_eq!(server.post(&key, "/api/v1/bank-accounts", &account).status, 201);
    let feed = json!({"bankAccountId": 6, "from": "2026-03-01", "to": "2026-03-31", "lines": [
        {"date": "2026-03-10", "amount": -104, "text": "Beschikking", "counterparty": {"name": "CJIB"}}]});
    assert_eq!(server.post(&key, "/api/v1/bank-statements", &feed).status, 201);
    (server, browser, key)
}

/// Rate of the first item, VAT and total of an expense.
fn vat_of(server: &Server, key: &str, id: i64) -> Value {
    let expense = server.get(key, &format!("/api/v1/expenses/{id}")).json();
    json!([expense["items"][0]["vatRate"], expense["vatTotal"], expense["total"]])
}

on_both_engines! {
    fn a_fine_is_shown_without_vat_before_it_is_booked(engine) {
        let (server, browser, key) = started(engine);
        let form = browser.get("/expenses/new");
        assert_eq!(value_of(&form, "items.0.vatRate").as_deref(), Some("21"));
        let shown = browser.submit(&form, "/expenses", &FINE);
        assert_eq!(shown.status, 422, "{}", shown.text);
        assert_eq!(value_of(&shown, "items.0.vatRate").as_deref(), Some("0"), "{}", shown.text);
        let fault = fault_of(&shown, "items.0.vatRate").unwrap();
        assert!(fault.contains("VAT rate is now 0%"), "{fault}");
        let list = server.get(&key, "/api/v1/expenses").json();
        assert_eq!(list["data"], json!([]), "nothing is booked at a rate that was not shown");
        let booked = browser.submit(&shown, "/expenses", &[]);
        assert_eq!(booked.status, 303, "{}", booked.text);
        assert_eq!(vat_of(&server, &key, 1), json!([0, 0.0, 104.0]));
        // The same form again leads to the same expense.
        let again = browser.submit(&shown, "/expenses", &[]);
        assert_eq!(again.header("location"), booked.header("location"));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn recalculating_a_form_adapts_its_rate_and_says_so(engine) {
        let (server, browser, key) = started(engine);
        let form = browser.get("/expenses/new");
        let calculated = browser.submit(&form, "/expenses", &[&FINE[..], &[("action", "calculate")]].concat());
        assert_eq!(calculated.status, 200, "{}", calculated.text);
        assert_eq!(value_of(&calculated, "items.0.vatRate").as_deref(), Some("0"));
        assert!(calculated.text.contains("VAT rate is now 0%"), "{}", calculated.text);
        // Another category has its own rate, and a blank line stays blank.
        let office = [("items.0.category", "4100"), ("action", "addLine")];
        let office = browser.submit(&calculated, "/expenses", &office);
        assert_eq!(value_of(&office, "items.0.vatRate").as_deref(), Some("21"), "{}", office.text);
        assert_eq!(browser.submit(&office, "/expenses", &[]).status, 303);
        assert_eq!(vat_of(&server, &key, 1), json!([21, 18.05, 104.0]));
        // The rate of that day.
        let form = browser.get("/expenses/new");
        let old = [("date", "2012-09-30"), ("items.0.category", "4100"), ("items.0.amount", "119"), ("action", "calculate")];
        let old = browser.submit(&form, "/expenses", &old);
        assert_eq!(value_of(&old, "items.0.vatRate").as_deref(), Some("19"), "{}", old.text);
    }

    fn a_rate_that_was_chosen_stays(engine) {
        let (server, browser, key) = started(engine);
        let untouched: [&[(&str, &str)]; 4] = [
            &[("items.0.vatRate", "9")],
            // The script empties the field once a rate is chosen, even the one that was shown.
            &[("items.0.vatRate", "21"), ("items.0.vatProposed", "")],
            &[("items.0.vat", "18,05")],
            &[("items.0.vatTreatment", "reverseCharge"), ("items.0.includesVat", "")],
        ];
        for (id, chosen) in (1..).zip(untouched) {
            let form = browser.get("/expenses/new");
            let booked = browser.submit(&form, "/expenses", &[&FINE[..], chosen].concat());
            assert_eq!(booked.status, 303, "{chosen:?}: {}", booked.text);
            let expense = server.get(&key, &format!("/api/v1/expenses/{id}")).json();
            assert_ne!(expense["vatTotal"], json!(0.0), "{chosen:?}: {expense}");
        }
        // An expense that is edited keeps its rate with another category; a new line has its own.
        let form = browser.get("/expenses/1/edit");
        let more = browser.submit(&form, "/expenses/1", &[("items.0.category", "4400"), ("action", "addLine")]);
        assert_eq!(value_of(&more, "items.0.vatRate").as_deref(), Some("9"), "{}", more.text);
        let second = [("items.1.category", "4400"), ("items.1.amount", "10")];
        let shown = browser.submit(&more, "/expenses/1", &second);
        assert_eq!(shown.status, 422, "{}", shown.text);
        assert_eq!(value_of(&shown, "items.1.vatRate").as_deref(), Some("0"), "{}", shown.text);
        assert_eq!(browser.submit(&shown, "/expenses/1", &[]).status, 303);
        let edited = server.get(&key, "/api/v1/expenses/1").json();
        assert_eq!(json!([edited["items"][0]["vatRate"], edited["items"][1]["vatRate"]]), json!([9, 0]));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_bank_line_is_booked_at_the_usual_rate_of_its_category(engine) {
        let (server, browser, key) = with_line(engine);
        let rate = "allocations.0.items.0.vatRate";
        let fine = [("action", "book"), ("allocations.0.items.0.category", "4440")];
        let form = browser.get("/bank-lines?state=new&line=1&kind=expense");
        assert_eq!(value_of(&form, rate).as_deref(), Some("21"));
        let shown = browser.submit(&form, "/bank-lines/1/book", &fine);
        assert_eq!(shown.status, 422, "{}", shown.text);
        assert_eq!(value_of(&shown, rate).as_deref(), Some("0"), "{}", shown.text);
        assert!(fault_of(&shown, rate).unwrap().contains("VAT rate is now 0%"));
        let booked = browser.submit(&shown, "/bank-lines/1/book", &[("action", "book")]);
        assert_eq!(booked.status, 303, "{}", booked.text);
        assert_eq!(vat_of(&server, &key, 1), json!([0, 0.0, 104.0]));
        // The next fine is suggested without VAT, and its form begins with that.
        let feed = json!({"bankAccountId": 6, "from": "2026-03-11", "to": "2026-03-31", "lines": [
            {"date": "2026-03-12", "amount": -70, "text": "Beschikking", "counterparty": {"name": "CJIB"}}]});
        assert_eq!(server.post(&key, "/api/v1/bank-statements", &feed).status, 201);
        let form = browser.get("/bank-lines?state=new&line=2&kind=expense");
        for (field, value) in [("category", "4440"), ("vatRate", "0"), ("vatProposed", "true")] {
            let name = format!("allocations.0.items.0.{field}");
            assert_eq!(value_of(&form, &name).as_deref(), Some(value), "{field}: {}", form.text);
        }
        let chosen = browser.submit(&form, "/bank-lines/2/book", &[("action", "book"), (rate, "9")]);
        assert_eq!(chosen.status, 303, "{}", chosen.text);
        assert_eq!(vat_of(&server, &key, 2), json!([9, 5.78, 70.0]));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_rule_for_bank_lines_has_the_usual_rate_of_its_category(engine) {
        let (server, browser, key) = with_line(engine);
        let page = browser.get("/bank-rules/new?line=1");
        let kind = [("action", "calculate"), ("then.kind", "expense")];
        let form = browser.submit(&page, "/bank-rules", &kind);
        assert_eq!(value_of(&form, "then.items.0.vatRate").as_deref(), Some("21"), "{}", form.text);
        let fine = [("action", "save"), ("then.items.0.category", "4440")];
        let shown = browser.submit(&form, "/bank-rules", &fine);
        assert_eq!(shown.status, 422, "{}", shown.text);
        assert_eq!(value_of(&shown, "then.items.0.vatRate").as_deref(), Some("0"), "{}", shown.text);
        assert!(fault_of(&shown, "then.items.0.vatRate").is_some(), "{}", shown.text);
        let made = browser.submit(&shown, "/bank-rules", &[("action", "save")]);
        assert_eq!(made.status, 303, "{}", made.text);
        let rule = server.get(&key, "/api/v1/bank-rules/1").json();
        assert_eq!(rule["then"]["items"][0]["vatRate"], json!(0), "{rule}");
        // A rule that is edited keeps its rate.
        let form = browser.get("/bank-rules/1/edit");
        let other = [("action", "save"), ("then.items.0.category", "4100")];
        assert_eq!(browser.submit(&form, "/bank-rules/1", &other).status, 303);
        let rule = server.get(&key, "/api/v1/bank-rules/1").json();
        assert_eq!(rule["then"]["items"][0]["vatRate"], json!(0), "{rule}");
    }
}
