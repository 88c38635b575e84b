//! Expenses that a bank line pays: booked with the line, undone with it, and edited afterwards.

use super::bank_booking::{EMAIL, LINES, balances, book, booked, expected, undo, with_lines};
use serde_json::{Value, json};
use testing::{Server, on_both_engines};

fn expense(server: &Server, key: &str, id: &Value) -> Value {
    server.get(key, &format!("/api/v1/expenses/{id}")).json()
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
}
