//! Expenses that a bank line pays: booked with the line, undone with it, and edited afterwards.

use super::bank_booking::{
    EMAIL, LINES, balances, book, booked, created, expected, undo, with_lines,
};
use crate::tax::filing_and_paying::filing_key;
use serde_json::{Value, json};
use store::keys::Scopes;
use testing::{Server, on_both_engines};

fn expense(server: &Server, key: &str, id: &Value) -> Value {
    server.get(key, &format!("/api/v1/expenses/{id}")).json()
}

/// A bill that waits to be paid.
fn bill_of(server: &Server, key: &str, euros: i64) -> Value {
    let body = json!({"date": "2026-03-03", "description": "Toner", "paidFrom": "unpaid", "items": [{"category": "4100", "amount": euros, "vatRate": 21}]});
    created(server, key, "expenses", &body)["id"].clone()
}

fn settled(server: &Server) {
    assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
}

on_both_engines! {
    fn an_expense_is_paid_by_its_line(engine) {
        let (server, key) = with_lines(engine, &[-12_100, -5_000, 2_420]);
        let toner = json!({"kind": "expense", "description": "Toner", "items": [{"category": "4100", "vatRate": 21}]});
        let line = booked(&server, &key, 1, &json!([toner]));
        let own = &line["allocations"][0];
        assert_eq!(json!([own["kind"], own["amount"], own["invoiceId"], own["targetId"]]), json!(["expense", 121.0, null, null]));
        assert_eq!(balances(&server, &key), expected(&[("1101", "-12100"), ("1500", "2100"), ("4100", "10000")]));
        let bought = expense(&server, &key, &own["expenseId"]);
        assert_eq!(
            json!([bought["date"], bought["paidFrom"], bought["bankAccountId"], bought["paid"], bought["total"], bought["entryIds"]]),
            json!(["2026-03-10", "bank", 6, true, 121.0, own["entryIds"]])
        );
        assert_eq!(json!([bought["items"][0]["includesVat"], bought["items"][0]["amount"]]), json!([true, 121.0]));
        settled(&server);
        // Abroad no VAT is paid to the supplier: the whole amount is the cost.
        let hosting = json!({"kind": "expense", "items": [{"category": "4200", "vatTreatment": "import", "vatRate": 21}]});
        let line = booked(&server, &key, 2, &json!([hosting]));
        let bought = expense(&server, &key, &line["allocations"][0]["expenseId"]);
        assert_eq!(json!([bought["supplier"], bought["total"], bought["vatTotal"]]), json!(["Partij 1", 50.0, 10.5]));
        // Money back is a credit of the supplier.
        let credit = json!({"kind": "expense", "description": "Toner back", "externalId": "credit-1", "items": [{"category": "4100", "vatRate": 21}]});
        let line = booked(&server, &key, 3, &json!([credit]));
        let back = expense(&server, &key, &line["allocations"][0]["expenseId"]);
        assert_eq!(json!([back["total"], back["paid"], back["externalId"]]), json!([-24.2, true, "credit-1"]));
        settled(&server);
        for id in [3, 2, 1] {
            assert_eq!(undo(&server, &key, id).json()["state"], json!("new"));
        }
        assert_eq!(expense(&server, &key, &back["id"])["status"], json!("undone"));
        assert_eq!(balances(&server, &key), expected(&[]));
        settled(&server);
    }

    fn an_expense_of_another_day_is_a_bill_that_the_line_pays(engine) {
        let (server, key) = with_lines(engine, &[-12_100, 6_050]);
        let toner = |date: &str, amount: i64| json!({"kind": "expense", "date": date, "description": "Toner", "items": [{"category": "4100", "vatRate": 21, "amount": amount, "includesVat": false}]});
        let line = booked(&server, &key, 1, &json!([toner("2026-02-20", 100)]));
        let own = &line["allocations"][0];
        let bought = expense(&server, &key, &own["expenseId"]);
        assert_eq!(json!([bought["date"], bought["paidFrom"], bought["paid"]]), json!(["2026-02-20", "unpaid", true]));
        let paid = server.get(&key, &format!("/api/v1/expenses/{}/payments", bought["id"])).json()["data"][0].clone();
        assert_eq!(json!([paid["id"], paid["date"], paid["amount"], paid["bankAccountId"]]), json!([own["targetId"], "2026-03-10", 121.0, 6]));
        let line = booked(&server, &key, 2, &json!([toner("2026-03-12", -50)]));
        assert_eq!(balances(&server, &key), expected(&[("1101", "-6050"), ("1500", "1050"), ("4100", "5000")]));
        settled(&server);
        assert_eq!(undo(&server, &key, 2).status, 200);
        assert_eq!(expense(&server, &key, &line["allocations"][0]["expenseId"])["status"], json!("undone"));
        assert_eq!(undo(&server, &key, 1).status, 200);
        assert_eq!(balances(&server, &key), expected(&[]));
        settled(&server);
    }

    fn an_expense_of_a_line_has_the_faults_of_an_expense(engine) {
        let (server, key) = with_lines(engine, &[-12_100]);
        let item = |amount: i64| json!({"category": "4100", "vatRate": 21, "amount": amount});
        let bought = |items: Value| json!([{"kind": "expense", "description": "Toner", "items": items}]);
        for (allocations, path, code) in [
            (bought(json!([item(120)])), "/allocations/0/items", "unbalanced"),
            (bought(json!([item(-121)])), "/allocations/0/items", "unbalanced"),
            (bought(json!([item(60), {"category": "4100", "vatRate": 21}])), "/allocations/0/items/1/amount", "required"),
            (bought(json!([{"category": "4100"}])), "/allocations/0/items/0/vatRate", "required"),
            (bought(json!([{"category": "1100", "vatRate": 21}])), "/allocations/0/items/0/category", "unknown_value"),
            (json!([{"kind": "expense"}]), "/allocations/0/items", "required"),
            (json!([{"kind": "expense", "items": [item(121)], "paidFrom": "cash"}]), "/allocations/0/paidFrom", "unknown_field"),
            (json!([{"kind": "bankCosts", "amount": 1}, {"kind": "expense", "items": [item(120)], "receiptIds": [99]}]), "/allocations/1/receiptIds", "unknown_receipt"),
        ] {
            let refused = book(&server, &key, 1, &allocations);
            assert_eq!(refused.status, 422, "{allocations}: {}", refused.text);
            assert_eq!(refused.faults(), [(path.to_owned(), code.to_owned())], "{allocations}");
        }
        let before = json!({"externalId": "toner-1", "date": "2026-03-01", "description": "Toner", "paidFrom": "private", "items": [item(121)]});
        assert_eq!(server.post(&key, "/api/v1/expenses", &before).status, 201);
        let taken = json!([{"kind": "expense", "externalId": "toner-1", "items": [item(121)]}]);
        assert_eq!(book(&server, &key, 1, &taken).faults(), [("/allocations/0/externalId".to_owned(), "taken".to_owned())]);
        assert_eq!(server.get(&key, &format!("{LINES}/1")).json()["state"], json!("new"));
        // Two expenses and a charge of the bank in one line.
        let split = json!([
            {"kind": "expense", "amount": 60.5, "description": "Paper", "items": [{"category": "4100", "vatRate": 21}]},
            {"kind": "expense", "amount": 59.5, "description": "Train", "items": [item(40), {"category": "4400", "vatRate": 9, "amount": 19.5}]},
            {"kind": "bankCosts"},
        ]);
        booked(&server, &key, 1, &split);
        settled(&server);
        assert_eq!(undo(&server, &key, 1).status, 200);
        settled(&server);
    }

    fn an_expense_of_a_line_changes_in_all_but_its_total(engine) {
        let (server, key) = with_lines(engine, &[-12_100, -12_100, -12_100, -6_050]);
        let edit = |id: &Value, body: &Value| {
            let headers = [("x-api-key", key.as_str()), ("content-type", "application/json")];
            let path = format!("/api/v1/expenses/{id}");
            server.send("PATCH", &path, &headers, Some(body.to_string().as_bytes()))
        };
        let refused = |id: &Value, line: i64| {
            for body in [
                json!({"items": [{"category": "4100", "vatRate": 21, "amount": 120, "includesVat": true}]}),
                json!({"paidFrom": "private"}),
            ] {
                let reply = edit(id, &body);
                assert_eq!((reply.status, reply.code()), (409, "booked_from_bank_line".into()), "{body}: {}", reply.text);
                assert!(reply.json()["detail"].as_str().unwrap().contains(&format!("Bank line {line} paid")), "{}", reply.text);
            }
        };
        let toner = json!([{"kind": "expense", "description": "Toner", "items": [{"category": "4100", "vatRate": 21}]}]);
        let bought = booked(&server, &key, 1, &toner)["allocations"][0]["expenseId"].clone();
        refused(&bought, 1);
        // Another category and description: the entries that replace the first one belong to the line.
        let office = json!({"description": "Paper", "items": [{"category": "4200", "vatRate": 21, "amount": 121, "includesVat": true}]});
        let edited = edit(&bought, &office);
        assert_eq!(edited.status, 200, "{}", edited.text);
        let line = server.get(&key, &format!("{LINES}/1")).json();
        assert_eq!(json!([line["state"], line["allocations"][0]["entryIds"]]), json!(["booked", edited.json()["entryIds"]]));
        settled(&server);
        // An expense that was entered before and is tied to its line.
        let before = json!({"date": "2026-03-09", "description": "Toner", "paidFrom": "1101", "items": [{"category": "4100", "vatRate": 21, "amount": 100}]});
        let tied = created(&server, &key, "expenses", &before);
        booked(&server, &key, 2, &json!([{"kind": "existing", "entryId": tied["entryIds"][0]}]));
        refused(&tied["id"], 2);
        assert_eq!(edit(&tied["id"], &json!({"description": "Ink"})).status, 200);
        settled(&server);
        // A bill may grow while it is not wholly paid.
        let waiting = bill_of(&server, &key, 100);
        booked(&server, &key, 4, &json!([{"kind": "bill", "expenseId": waiting}]));
        let grown = json!({"items": [{"category": "4100", "vatRate": 21, "amount": 150}]});
        assert_eq!(edit(&waiting, &grown).status, 200);
        booked(&server, &key, 3, &json!([{"kind": "bill", "expenseId": waiting}]));
        refused(&waiting, 4);
        settled(&server);
        // Undone elsewhere, the line is new again.
        for (id, line) in [(&bought, 1), (&tied["id"], 2)] {
            assert_eq!(server.post(&key, &format!("/api/v1/expenses/{id}/undo"), &json!({})).status, 200);
            assert_eq!(server.get(&key, &format!("{LINES}/{line}")).json()["state"], json!("new"));
        }
        assert_eq!(server.post(&key, &format!("/api/v1/expenses/{waiting}/undo"), &json!({})).status, 200);
        assert_eq!(server.get(&key, &format!("{LINES}/3")).json()["state"], json!("new"));
        assert_eq!(balances(&server, &key), expected(&[]));
        settled(&server);
    }

    fn what_belongs_to_a_split_line_is_only_undone_with_it(engine) {
        let (server, key) = with_lines(engine, &[-12_600]);
        let toner = json!({"kind": "expense", "amount": 121, "description": "Toner", "items": [{"category": "4100", "vatRate": 21}]});
        let drawing = json!({"kind": "private", "privateKind": "drawing"});
        let line = booked(&server, &key, 1, &json!([toner, drawing]));
        let own = &line["allocations"];
        for path in [format!("expenses/{}", own[0]["expenseId"]), format!("private-bookings/{}", own[1]["targetId"])] {
            let refused = server.post(&key, &format!("/api/v1/{path}/undo"), &json!({}));
            assert_eq!((refused.status, refused.code()), (409, "booked_from_bank_line".into()), "{}", refused.text);
            assert!(refused.json()["detail"].as_str().unwrap().contains("bank line 1"), "{}", refused.text);
        }
        settled(&server);
        assert_eq!(undo(&server, &key, 1).status, 200);
        settled(&server);
    }

    fn corrections_of_a_filed_quarter_stay_with_their_line(engine) {
        let (server, key) = with_lines(engine, &[-12_100]);
        server.clock.set("2026-04-05T11:00:00Z");
        let filing = filing_key(&server, Scopes { read: true, write: true, file: true });
        assert_eq!(server.post(&filing, "/api/v1/vat-filings/2026/1/file", &json!({})).status, 200);
        let toner = json!({"kind": "expense", "description": "Toner", "items": [{"category": "4100", "vatRate": 21}]});
        assert_eq!(book(&server, &key, 1, &json!([toner])).code(), "period_filed");
        let mut corrected = toner;
        corrected["correction"] = json!(true);
        let line = booked(&server, &key, 1, &json!([corrected]));
        assert_eq!(line["allocations"][0]["entryIds"].as_array().unwrap().len(), 2);
        settled(&server);
        // Reopened, the expense is booked on its own date again.
        assert_eq!(server.post(&filing, "/api/v1/vat-filings/2026/1/reopen", &json!({})).status, 200);
        settled(&server);
        assert_eq!(undo(&server, &key, 1).status, 200);
        assert_eq!(balances(&server, &key), expected(&[]));
        settled(&server);
    }

    fn entries_name_the_line_that_they_book(engine) {
        let (server, key) = with_lines(engine, &[-12_100, -450]);
        let toner = json!({"kind": "expense", "date": "2026-03-01", "description": "Toner", "items": [{"category": "4100", "vatRate": 21}]});
        let line = booked(&server, &key, 1, &json!([toner]));
        for entry in line["allocations"][0]["entryIds"].as_array().unwrap() {
            assert_eq!(server.get(&key, &format!("/api/v1/entries/{entry}")).json()["bankLineId"], json!(1));
        }
        created(&server, &key, "transfers", &json!({"date": "2026-03-09", "from": "1101", "to": "1110", "amount": 70}));
        let entries = server.get(&key, "/api/v1/entries?year=2026").json();
        let lines: Vec<&Value> = entries["data"].as_array().unwrap().iter().map(|entry| &entry["bankLineId"]).collect();
        assert_eq!(json!(lines), json!([1, null, null, 1]));
        assert_eq!(undo(&server, &key, 1).status, 200);
        assert_eq!(server.get(&key, "/api/v1/entries/1").json()["bankLineId"], json!(null));
        // Revenue on a ledger account is in no box.
        let (server, key) = with_lines(engine, &[10_000, 10_000]);
        let revenue = booked(&server, &key, 1, &json!([{"kind": "ledger", "account": "8000"}]));
        assert_eq!(revenue["warnings"][0]["code"], json!("revenue_without_vat"));
        assert_eq!(server.get(&key, &format!("{LINES}/1")).json()["warnings"], revenue["warnings"]);
        let interest = booked(&server, &key, 2, &json!([{"kind": "interest"}]));
        assert_eq!(interest["warnings"], json!([]));
        assert_eq!(undo(&server, &key, 1).json()["warnings"], json!([]));
    }

    fn days_name_the_entries_without_a_line(engine) {
        let (server, key) = with_lines(engine, &[-7_000]);
        let moved = json!({"date": "2026-03-09", "from": "1101", "to": "1110", "amount": 70});
        let by_hand = created(&server, &key, "transfers", &moved);
        let undone = created(&server, &key, "transfers", &moved);
        assert_eq!(server.post(&key, &format!("/api/v1/transfers/{}/undo", undone["id"]), &json!({})).status, 200);
        let days = || {
            let path = "/api/v1/bank-accounts/6/days?from=2026-03-09&to=2026-03-10";
            let days = server.get(&key, path).json()["data"].clone();
            json!([0, 1].map(|day: usize| json!([days[day]["status"], days[day]["unlinkedEntries"]])))
        };
        let entry = &by_hand["entryIds"][0];
        let without_line = json!([{"entryId": entry, "date": "2026-03-09", "amount": -70.0}]);
        assert_eq!(days(), json!([["unmatched", without_line], ["ok", []]]));
        booked(&server, &key, 1, &json!([{"kind": "existing", "entryId": entry}]));
        assert_eq!(days(), json!([["unmatched", []], ["ok", []]]));
        assert_eq!(undo(&server, &key, 1).status, 200);
        booked(&server, &key, 1, &json!([{"kind": "bankCosts"}]));
        assert_eq!(days(), json!([["unmatched", without_line], ["unmatched", []]]));
    }
}
