//! Suggestions for bank lines over the API: what they are derived from, and accepting and refusing
//! them.

use crate::{purchases::expenses::started, tax::filing_and_paying::filing_key};
use serde_json::{Value, json};
use store::keys::Scopes;
use testing::{Server, on_both_engines};

pub(crate) const LINES: &str = "/api/v1/bank-lines";
const EMAIL: &str = "anna@example.com";
const CUSTOMER: &str = "NL91ABNA0417164300";
const STRANGER: &str = "NL02ABNA0123456789";

pub(crate) fn created(server: &Server, key: &str, path: &str, body: &Value) -> Value {
    let reply = server.post(key, &format!("/api/v1/{path}"), body);
    assert_eq!(reply.status, 201, "{path}: {}", reply.text);
    reply.json()
}

/// Takes lines of a feed on the default checking account.
pub(crate) fn take(server: &Server, key: &str, lines: &[Value]) {
    let body =
        json!({"bankAccountId": 1, "from": "2026-01-01", "to": "2026-03-31", "lines": lines});
    created(server, key, "bank-statements", &body);
}

pub(crate) fn line(day: &str, amount: f64, (name, iban): (&str, &str), text: &str) -> Value {
    json!({"date": day, "amount": amount, "counterparty": {"name": name, "iban": iban}, "text": text})
}

/// Sends an invoice of 121.00 to a customer, and returns its id and number.
fn invoice(server: &Server, key: &str, customer: &str) -> (i64, String) {
    let body = json!({
        "status": "sent", "invoiceDate": "2026-03-02", "customer": {"name": customer, "country": "NL"},
        "items": [{"description": "Work", "quantity": 1, "unitPrice": 100, "vatRate": 21}],
    });
    let invoice = created(server, key, "invoices", &body);
    (invoice["id"].as_i64().unwrap(), invoice["number"].as_str().unwrap().to_owned())
}

pub(crate) fn suggestions(server: &Server, key: &str, id: i64) -> Vec<Value> {
    let line = server.get(key, &format!("{LINES}/{id}"));
    assert_eq!(line.status, 200, "{}", line.text);
    line.json()["suggestions"].as_array().unwrap().clone()
}

fn codes(suggestion: &Value) -> Vec<String> {
    let reasons = suggestion["reasons"].as_array().unwrap();
    reasons.iter().map(|reason| reason["code"].as_str().unwrap().to_owned()).collect()
}

fn accept(server: &Server, key: &str, lines: &[(i64, &Value)]) -> Vec<Value> {
    let accepted = lines.iter().map(|(id, of)| json!({"lineId": id, "suggestion": of["id"]}));
    let body = json!({"lines": accepted.collect::<Vec<_>>()});
    let reply = server.post(key, &format!("{LINES}/accept"), &body);
    assert_eq!(reply.status, 200, "{}", reply.text);
    reply.json()["data"].as_array().unwrap().clone()
}

on_both_engines! {
    fn a_named_invoice_with_its_amount_is_certain_and_is_accepted_once(engine) {
        let (server, key) = started(engine);
        let (id, number) = invoice(&server, &key, "Bakkerij Jansen");
        let text = format!("Factuur {number}");
        take(&server, &key, &[
            line("2026-03-10", 121.0, ("Bakkerij Jansen", CUSTOMER), &text),
            line("2026-03-11", 0.01, ("Iemand", STRANGER), &text),
        ]);
        let best = suggestions(&server, &key, 1)[0].clone();
        assert_eq!(json!([best["certain"], best["kind"]]), json!([true, "invoice"]));
        assert!(codes(&best).starts_with(&["number".to_owned(), "amount".to_owned()]), "{best}");
        assert_eq!(best["reasons"][0]["message"], json!(format!("The description contains number {number}.")));
        // The number alone is no certainty: a stranger can know it.
        let small = suggestions(&server, &key, 2);
        assert_eq!(json!([small[0]["certain"], small[0]["allocations"][0]["invoiceId"]]), json!([false, id]));
        let done = accept(&server, &key, &[(1, &best), (2, &best), (77, &best)]);
        assert_eq!(done[0], json!({"lineId": 1, "state": "booked", "code": null, "detail": null}));
        assert_eq!(json!([done[1]["code"], done[2]["code"]]), json!(["stale_suggestion", "not_found"]));
        let line = server.get(&key, &format!("{LINES}/1")).json();
        assert_eq!(json!([line["state"], line["suggestions"], line["allocations"][0]["invoiceId"]]), json!(["booked", [], id]));
        assert_eq!(server.get(&key, &format!("/api/v1/invoices/{id}")).json()["amountDue"], json!(0.0));
        // The same request again answers as the first, and nothing is booked twice.
        let again = accept(&server, &key, &[(1, &best)]);
        assert_eq!(again[0], done[0]);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        // A line that was undone is new, with the same suggestion.
        assert_eq!(server.post(&key, &format!("{LINES}/1/undo"), &json!({})).status, 200);
        assert_eq!(suggestions(&server, &key, 1)[0]["id"], best["id"]);
    }

    fn a_suggestion_whose_invoice_was_paid_meanwhile_is_stale(engine) {
        let (server, key) = started(engine);
        let (id, number) = invoice(&server, &key, "Bakkerij Jansen");
        take(&server, &key, &[line("2026-03-10", 121.0, ("Jansen", CUSTOMER), &number)]);
        let best = suggestions(&server, &key, 1)[0].clone();
        created(&server, &key, &format!("invoices/{id}/payments"), &json!({"date": "2026-03-09", "amount": 21}));
        let done = accept(&server, &key, &[(1, &best)]);
        assert_eq!(json!([done[0]["state"], done[0]["code"]]), json!([null, "stale_suggestion"]));
        assert_eq!(server.get(&key, &format!("{LINES}/1")).json()["state"], json!("new"));
        // Part of the amount is owed back, which is never certain.
        let first = suggestions(&server, &key, 1)[0].clone();
        assert_eq!(json!([first["certain"], first["allocations"][0]["overpayment"]]), json!([false, "keep"]));
    }

    fn suggested_allocations_can_be_booked_as_they_are(engine) {
        let (server, key) = started(engine);
        let (_, number) = invoice(&server, &key, "Bakkerij Jansen");
        take(&server, &key, &[line("2026-03-10", 121.0, ("Jansen", CUSTOMER), &number)]);
        let best = suggestions(&server, &key, 1)[0].clone();
        let reply = server.post(&key, &format!("{LINES}/1/book"), &json!({"allocations": best["allocations"]}));
        assert_eq!((reply.status, &reply.json()["state"]), (200, &json!("booked")), "{}", reply.text);
    }

    fn bookings_are_learned_by_iban_and_unlearned_by_a_refusal(engine) {
        let (server, key) = started(engine);
        let garage = ("Garage De Bolder", STRANGER);
        let lines: Vec<Value> = (1..=5)
            .map(|day| line(&format!("2026-03-0{day}"), f64::from(-10 - day), garage, "Parkeren"))
            .collect();
        take(&server, &key, &lines);
        assert_eq!(suggestions(&server, &key, 1), Vec::<Value>::new());
        for id in 1..=3 {
            let body = json!({"allocations": [{"kind": "ledger", "account": "4210", "description": format!("Dag {id}")}]});
            let reply = server.post(&key, &format!("{LINES}/{id}/book"), &body);
            assert_eq!(reply.status, 200, "{}", reply.text);
            let learned = suggestions(&server, &key, 4);
            assert_eq!(json!([codes(&learned[0]), learned[0]["certain"]]), json!([["learned"], id == 3]));
        }
        let learned = suggestions(&server, &key, 4)[0].clone();
        let allocation = &learned["allocations"][0];
        assert_eq!(json!([allocation["kind"], allocation["account"], allocation["amount"]]), json!(["ledger", "4210", 14.0]));
        let refused = server.post(&key, &format!("{LINES}/4/refuse"), &json!({"suggestion": learned["id"]}));
        assert_eq!((refused.status, &refused.json()["suggestions"]), (200, &json!([])), "{}", refused.text);
        assert_eq!(server.post(&key, &format!("{LINES}/4/refuse"), &json!({"suggestion": learned["id"]})).status, 200);
        // Two of three bookings are left for the next line.
        assert_eq!(suggestions(&server, &key, 5)[0]["certain"], json!(false));
        assert_eq!(accept(&server, &key, &[(4, &learned)])[0]["code"], json!("stale_suggestion"));
        for (body, fault) in [
            (json!({"suggestion": "0".repeat(32)}), "unknown_value"),
            (json!({"suggestion": "12"}), "invalid_format"),
            (json!({}), "required"),
        ] {
            let reply = server.post(&key, &format!("{LINES}/5/refuse"), &body);
            assert_eq!(reply.faults(), [("/suggestion".to_owned(), fault.to_owned())], "{body}");
        }
        assert_eq!(server.post(&key, &format!("{LINES}/1/refuse"), &json!({"suggestion": learned["id"]})).code(), "already_booked");
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn what_is_booked_by_hand_is_suggested_as_existing(engine) {
        let (server, key) = started(engine);
        let (id, _) = invoice(&server, &key, "Bakkerij Jansen");
        created(&server, &key, &format!("invoices/{id}/payments"), &json!({"date": "2026-03-09", "amount": 121}));
        take(&server, &key, &[line("2026-03-10", 121.0, ("Iets", CUSTOMER), "Zonder nummer")]);
        let best = suggestions(&server, &key, 1)[0].clone();
        assert_eq!(json!([best["certain"], best["kind"], codes(&best)]), json!([true, "existing", ["alreadyBooked"]]));
        assert_eq!(accept(&server, &key, &[(1, &best)])[0]["state"], json!("booked"));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn an_account_that_a_person_did_not_confirm_is_not_learned(engine) {
        let (server, key) = started(engine);
        let (_, number) = invoice(&server, &key, "Bakkerij Jansen");
        take(&server, &key, &[
            line("2026-03-10", 121.0, ("Bakkerij Jansen", CUSTOMER), &number),
            line("2026-03-11", 121.0, ("Bakkerij Jansen", CUSTOMER), "Zonder nummer"),
        ]);
        let best = suggestions(&server, &key, 1)[0].clone();
        accept(&server, &key, &[(1, &best)]);
        invoice(&server, &key, "Bakkerij Jansen");
        // A program booked the first line, so name and amount count, and the IBAN does not.
        let next = suggestions(&server, &key, 2)[0].clone();
        assert_eq!(json!([next["certain"], codes(&next)]), json!([false, ["amount", "name"]]));
    }

    fn a_filed_return_is_suggested_for_its_payment(engine) {
        let (server, _) = started(engine);
        let key = filing_key(&server, Scopes { read: true, write: true, file: true });
        invoice(&server, &key, "Bakkerij Jansen");
        let filed = server.post(&key, "/api/v1/vat-returns/2026-Q1/file", &json!({}));
        assert_eq!(filed.status, 200, "{}", filed.text);
        let body = json!({"bankAccountId": 1, "from": "2026-04-01", "to": "2026-04-20", "lines": [
            line("2026-04-18", -21.0, ("Belastingdienst Apeldoorn", "NL86INGB0002445588"), "7123456782601010"),
        ]});
        created(&server, &key, "bank-statements", &body);
        let best = suggestions(&server, &key, 1)[0].clone();
        assert_eq!(json!([best["kind"], best["allocations"][0]["vatPeriod"]]), json!(["vat", "2026-Q1"]), "{best}");
        assert_eq!(accept(&server, &key, &[(1, &best)])[0]["state"], json!("booked"));
    }

    fn an_invoice_that_is_paid_twice_is_owed_back(engine) {
        let (server, key) = started(engine);
        let (id, number) = invoice(&server, &key, "Bakkerij Jansen");
        let text = format!("Factuur {number}");
        take(&server, &key, &[
            line("2026-03-10", 121.0, ("Bakkerij Jansen", CUSTOMER), &text),
            line("2026-03-12", 121.0, ("Bakkerij Jansen", CUSTOMER), &text),
            line("2026-03-13", 121.0, ("Iemand Anders", STRANGER), "Lening"),
        ]);
        let best = suggestions(&server, &key, 1)[0].clone();
        assert_eq!(accept(&server, &key, &[(1, &best)])[0]["state"], json!("booked"));
        let twice = suggestions(&server, &key, 2)[0].clone();
        assert_eq!(json!([twice["certain"], codes(&twice)]), json!([false, ["paidTwice", "number", "name"]]));
        let message = format!("Invoice {number} is already paid, with this same amount. It may have been paid twice.");
        assert_eq!(twice["reasons"][0]["message"], json!(message));
        let allocation = &twice["allocations"][0];
        assert_eq!(json!([allocation["invoiceId"], allocation["overpayment"]]), json!([id, "keep"]));
        assert_eq!(suggestions(&server, &key, 3), Vec::<Value>::new());
        assert_eq!(accept(&server, &key, &[(2, &twice)])[0]["state"], json!("booked"));
        let paid = server.get(&key, &format!("/api/v1/invoices/{id}")).json();
        assert_eq!(json!([paid["amountDue"], paid["amountToRefund"]]), json!([0.0, 121.0]));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn savings_interest_and_private_taxes_are_suggested_by_their_words(engine) {
        let (server, key) = started(engine);
        let office = ("Belastingdienst", "NL86INGB0002445588");
        take(&server, &key, &[
            json!({"date": "2026-03-10", "amount": -500, "text": "Overboeking naar spaarrekening"}),
            json!({"date": "2026-03-11", "amount": 1.23, "text": "Creditrente 4e kwartaal 2025"}),
            line("2026-03-12", -900.0, office, "Inkomstenbelasting 2025"),
            line("2026-03-13", -75.0, office, "Zvw 2026 termijn 3"),
        ]);
        for (id, field, value, expected) in [
            (1, "bankAccountId", json!(2), json!(["transfer", ["ownAccountText"]])),
            (2, "kind", json!("interest"), json!(["interest", ["chargeText"]])),
            (3, "privateKind", json!("incomeTax"), json!(["private", ["taxOffice", "taxText"]])),
            (4, "privateKind", json!("healthInsurance"), json!(["private", ["taxOffice", "taxText"]])),
        ] {
            let all = suggestions(&server, &key, id);
            let best = all.first().unwrap_or_else(|| panic!("line {id} has no suggestion")).clone();
            assert_eq!(json!([best["kind"], codes(&best)]), expected, "{best}");
            assert_eq!(best["allocations"][0][field], value, "{best}");
            assert_eq!(accept(&server, &key, &[(id, &best)])[0]["state"], json!("booked"), "{best}");
        }
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn the_bill_of_another_supplier_is_not_suggested_by_its_amount(engine) {
        let (server, key) = started(engine);
        let bill = json!({"date": "2026-03-01", "supplier": "Cijferkantoor", "paidFrom": "unpaid",
            "items": [{"category": "4410", "amount": 45, "vatRate": 21, "includesVat": true}]});
        created(&server, &key, "expenses", &bill);
        take(&server, &key, &[
            line("2026-03-10", -45.0, ("Mobiel Plus", STRANGER), "Abonnement maart"),
            line("2026-03-11", -45.0, ("Cijferkantoor B.V.", CUSTOMER), "Jaarwerk"),
        ]);
        assert_eq!(suggestions(&server, &key, 1), Vec::<Value>::new());
        let best = suggestions(&server, &key, 2)[0].clone();
        assert_eq!(json!([best["kind"], codes(&best)]), json!(["bill", ["amount", "name"]]));
    }

    fn a_line_that_was_undone_has_the_suggestions_that_it_had(engine) {
        let (server, key) = started(engine);
        let sent = json!({"status": "sent", "invoiceDate": "2025-11-05", "customer": {"name": "De Pier"},
            "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
        created(&server, &key, "invoices", &sent);
        let (_, number) = invoice(&server, &key, "Bakkerij Jansen");
        let bill = json!({"date": "2026-03-01", "supplier": "Cijferkantoor", "paidFrom": "unpaid",
            "items": [{"category": "4410", "amount": 45, "vatRate": 21, "includesVat": true}]});
        created(&server, &key, "expenses", &bill);
        let by_hand = json!({"date": "2026-03-09", "description": "Startgeld",
            "lines": [{"account": "1100", "debit": 77}, {"account": "0510", "credit": 77}]});
        created(&server, &key, "manual-entries", &by_hand);
        let rule = json!({"name": "Hosting", "when": {"textContains": "hosting"},
            "then": {"kind": "expense", "items": [{"category": "4110", "vatRate": 21}]}});
        created(&server, &key, "bank-rules", &rule);
        let office = ("Belastingdienst", "NL86INGB0002445588");
        take(&server, &key, &[
            line("2026-03-10", 121.0, ("Bakkerij Jansen", CUSTOMER), &number),
            line("2026-03-10", -45.0, ("Cijferkantoor", STRANGER), "Jaarwerk"),
            line("2026-03-10", -21.0, office, "BTW 4e kwartaal"),
            line("2026-03-10", -900.0, office, "Inkomstenbelasting 2025"),
            json!({"date": "2026-03-10", "amount": 77, "text": "Startgeld"}),
            json!({"date": "2026-03-10", "amount": -9.95, "text": "Kosten betalingsverkeer"}),
            json!({"date": "2026-03-10", "amount": -500, "text": "Overboeking naar spaarrekening"}),
            json!({"date": "2026-03-10", "amount": -12.1, "text": "Hosting maart"}),
            line("2026-03-10", -30.0, ("Garage De Bolder", "NL20INGB0001234567"), "Olie"),
            line("2026-03-11", -35.0, ("Garage De Bolder", "NL20INGB0001234567"), "Banden"),
        ]);
        let tyres = json!({"allocations": [{"kind": "expense", "items": [{"category": "4202", "vatRate": 21}]}]});
        assert_eq!(server.post(&key, &format!("{LINES}/10/book"), &tyres).status, 200);
        for id in 1..=9 {
            let before = suggestions(&server, &key, id);
            let best = before.first().unwrap_or_else(|| panic!("line {id} has no suggestion"));
            let done = accept(&server, &key, &[(id, best)]);
            assert_eq!(done[0]["state"], json!("booked"), "{best}: {done:?}");
            let undone = server.post(&key, &format!("{LINES}/{id}/undo"), &json!({}));
            assert_eq!(undone.status, 200, "{}", undone.text);
            assert_eq!(suggestions(&server, &key, id), before, "line {id}");
            assert_eq!(undone.json()["suggestions"], json!(before), "the answer to undoing line {id}");
            // The same if it was booked otherwise.
            let other = json!({"allocations": [{"kind": "ledger", "account": "1640"}]});
            assert_eq!(server.post(&key, &format!("{LINES}/{id}/book"), &other).status, 200);
            assert_eq!(server.post(&key, &format!("{LINES}/{id}/undo"), &json!({})).status, 200);
            assert_eq!(suggestions(&server, &key, id), before, "line {id}");
        }
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn lists_show_suggestions_on_request(engine) {
        let (server, key) = started(engine);
        let (_, number) = invoice(&server, &key, "Bakkerij Jansen");
        let mut lines: Vec<Value> =
            (1..=9).map(|day| line(&format!("2026-03-0{day}"), f64::from(-1 - day), ("Kiosk", STRANGER), "Koffie")).collect();
        lines.insert(4, line("2026-03-04", 121.0, ("Jansen", CUSTOMER), &number));
        take(&server, &key, &lines);
        let listed = |query: &str| server.get(&key, &format!("{LINES}?{query}")).json();
        assert_eq!(listed("limit=1")["data"][0]["suggestions"], json!(null));
        let shown = listed("include=suggestions&limit=100");
        let with: Vec<&Value> = shown["data"].as_array().unwrap().iter().filter(|of| of["suggestions"][0] != json!(null)).collect();
        assert_eq!((with.len(), &with[0]["id"]), (1, &json!(5)));
        let ids = |query: &str| -> Vec<i64> {
            listed(query)["data"].as_array().unwrap().iter().map(|of| of["id"].as_i64().unwrap()).collect()
        };
        assert_eq!(ids("suggested=true&limit=3"), [5]);
        assert_eq!(ids("suggested=false&limit=3"), [10, 9, 8]);
        let page = listed("suggested=false&limit=3");
        let next = page["nextCursor"].as_str().unwrap();
        assert_eq!(ids(&format!("suggested=false&limit=4&cursor={next}")), [7, 6, 4, 3]);
        assert_eq!(server.get(&key, &format!("{LINES}?include=lines")).code(), "validation_failed");
    }

    fn a_dry_run_shows_the_best_suggestion(engine) {
        let (server, key) = started(engine);
        let (_, number) = invoice(&server, &key, "Bakkerij Jansen");
        let body = json!({"bankAccountId": 1, "from": "2026-03-01", "to": "2026-03-31", "lines": [
            line("2026-03-10", 121.0, ("Jansen", CUSTOMER), &number),
            line("2026-03-11", -4.5, ("Kiosk", STRANGER), "Koffie"),
        ]});
        let reply = server.post(&key, "/api/v1/bank-statements?dryRun=true", &body);
        assert_eq!(reply.status, 200, "{}", reply.text);
        let lines = reply.json()["lines"].clone();
        assert_eq!(json!([lines[0]["suggestion"]["certain"], lines[1]["suggestion"]]), json!([true, null]));
        assert_eq!(server.get(&key, LINES).json()["data"], json!([]));
    }
}
