//! Year-end steps: `/years/{year}/closing-steps`. Amounts are computed by hand.

use super::filing_and_paying::started_at as started;
use crate::{
    help::{cents, vat_box},
    simple_invoice,
};
use serde_json::{Value, json};
use testing::{Reply, Server, on_both_engines};

const EMAIL: &str = "anna@example.com";

fn create(server: &Server, key: &str, path: &str, body: &Value) -> Value {
    let reply = server.post(key, &format!("/api/v1/{path}"), body);
    assert_eq!(reply.status, 201, "{path}: {}", reply.text);
    reply.json()
}

fn post(server: &Server, key: &str, path: &str, body: &Value) -> Reply {
    server.post(key, &format!("/api/v1/years/2026/closing-steps/{path}"), body)
}

/// Carries out or undoes a step; panics if that fails.
fn act(server: &Server, key: &str, path: &str) -> Value {
    let headers = [("x-api-key", key)];
    let path = format!("/api/v1/years/2026/closing-steps/{path}");
    let reply = server.send("POST", &path, &headers, None);
    assert_eq!(reply.status, 200, "{path}: {}", reply.text);
    reply.json()
}

fn step(server: &Server, key: &str, name: &str) -> Value {
    let reply = server.get(key, "/api/v1/years/2026/closing-steps");
    assert_eq!(reply.status, 200, "{}", reply.text);
    let page = reply.json();
    assert_eq!(page["nextCursor"], Value::Null);
    let steps = page["data"].as_array().unwrap();
    steps.iter().find(|step| step["step"] == name).unwrap().clone()
}

fn status(server: &Server, key: &str, name: &str) -> String {
    step(server, key, name)["status"].as_str().unwrap().to_owned()
}

/// All entries of 2025 to 2027.
fn entries(server: &Server, key: &str) -> Vec<Value> {
    let page = |year| server.get(key, &format!("/api/v1/entries?limit=500&year={year}")).json();
    [2025, 2026, 2027]
        .into_iter()
        .flat_map(|year| page(year)["data"].as_array().unwrap().clone())
        .collect()
}

/// Debit less credit on an account in all entries up to and including a day, in cents.
fn balance(server: &Server, key: &str, account: &str, until: &str) -> i64 {
    let entries = entries(server, key);
    let on_time = entries.iter().filter(|entry| entry["date"].as_str().unwrap() <= until);
    on_time
        .flat_map(|entry| entry["lines"].as_array().unwrap())
        .filter(|line| line["accountCode"] == account)
        .map(|line| cents(&line["debit"]) - cents(&line["credit"]))
        .sum()
}

fn count_of_entries(server: &Server, key: &str) -> usize {
    entries(server, key).len()
}

fn assert_sound(server: &Server) {
    assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
}

/// A sent invoice for work at 21 %.
fn invoice(day: &str, supplied: (&str, Option<&str>), price: i64) -> Value {
    let mut invoice = simple_invoice();
    invoice["invoiceDate"] = json!(day);
    invoice["supplyDate"] = json!(supplied.0);
    if let Some(until) = supplied.1 {
        invoice["supplyUntil"] = json!(until);
    }
    invoice["status"] = json!("sent");
    invoice["items"] = json!([{"description": "Work", "unitPrice": price, "vatRate": 21}]);
    invoice
}

/// A bill without VAT that covers a period.
fn bill(day: &str, account: &str, amount: i64, period: (&str, &str)) -> Value {
    json!({
        "date": day, "supplier": "Verzekeraar", "paidFrom": "unpaid", "periodFrom": period.0, "periodUntil": period.1,
        "items": [{"category": account, "amount": amount, "vatTreatment": "none"}],
    })
}

on_both_engines! {
    /// Art. 3.25 Wet IB 2001: revenue belongs to the year of the supply.
    fn revenue_of_the_year_that_is_invoiced_later_is_accrued_and_reversed(engine) {
        let (server, key) = started(engine, "2027-01-20T10:00:00Z");
        // Supplied entirely in 2026: 1 000.00. From 15 December to 14 January, 17 of the 31 days in
        // 2026: 3 100.00 × 17 / 31 = 1 700.00. Entirely in 2027: none of the 500.00.
        let whole = create(&server, &key, "invoices", &invoice("2027-01-12", ("2026-12-20", None), 1000));
        create(&server, &key, "invoices", &invoice("2027-01-15", ("2026-12-15", Some("2027-01-14")), 3100));
        create(&server, &key, "invoices", &invoice("2027-01-16", ("2027-01-04", None), 500));
        let before = step(&server, &key, "cutOff");
        assert_eq!((&before["status"], cents(&before["amount"])), (&json!("toDo"), 270_000));
        let rows = before["rows"].as_array().unwrap();
        assert_eq!(rows.len(), 2);
        let row = &rows[0];
        assert_eq!(row["kind"], "workToInvoice");
        assert_eq!((&row["sourceType"], &row["sourceId"]), (&json!("invoice"), &whole["id"]));
        assert_eq!((&row["account"], &row["reverseOn"]), (&json!("8000"), &json!("2027-01-12")));
        assert_eq!((cents(&row["amount"]), &row["ticked"]), (100_000, &json!(true)));
        assert_eq!((cents(&rows[1]["amount"]), &rows[1]["reverseOn"]), (170_000, &json!("2027-01-15")));
        let done = act(&server, &key, "cutOff");
        assert_eq!((&done["status"], cents(&done["amount"])), (&json!("done"), 270_000));
        assert_eq!(balance(&server, &key, "1320", "2026-12-31"), 270_000);
        assert_eq!(balance(&server, &key, "8000", "2026-12-31"), -270_000);
        // The reversals are already booked, each dated on the invoice date.
        assert_eq!(balance(&server, &key, "1320", "2027-01-11"), 270_000);
        assert_eq!(balance(&server, &key, "1320", "2027-01-12"), 170_000);
        assert_eq!(balance(&server, &key, "1320", "2027-01-15"), 0);
        assert_eq!(server.get(&key, "/api/v1/accruals").json()["data"].as_array().unwrap().len(), 2);
        // Carrying out the step again books nothing, with or without the ids of the rows.
        let count = count_of_entries(&server, &key);
        act(&server, &key, "cutOff");
        let ids: Vec<&Value> = rows.iter().map(|row| &row["id"]).collect();
        assert_eq!(post(&server, &key, "cutOff", &json!({"rowIds": ids})).status, 200);
        assert_eq!(count_of_entries(&server, &key), count);
        assert_sound(&server);
        // Undoing the step reverses all its bookings; undoing it again does nothing.
        assert_eq!(act(&server, &key, "cutOff/undo")["status"], "toDo");
        for account in ["1320", "8000"] {
            assert_eq!(balance(&server, &key, account, "2026-12-31"), 0, "{account}");
        }
        let count = count_of_entries(&server, &key);
        act(&server, &key, "cutOff/undo");
        assert_eq!(count_of_entries(&server, &key), count);
        assert_sound(&server);
    }

    fn a_source_that_changes_later_leaves_the_difference(engine) {
        let (server, key) = started(engine, "2027-01-20T10:00:00Z");
        let sent = create(&server, &key, "invoices", &invoice("2027-01-12", ("2026-12-20", None), 1000));
        let stale = step(&server, &key, "cutOff")["rows"][0]["id"].clone();
        act(&server, &key, "cutOff");
        // After a credit of 300.00, revenue of 700.00 remains.
        let credit = json!({"date": "2027-01-18", "items": [{"description": "Less", "unitPrice": 300, "vatRate": 21}]});
        create(&server, &key, &format!("invoices/{}/credit-notes", sent["id"]), &credit);
        let changed = step(&server, &key, "cutOff");
        assert_eq!((&changed["status"], cents(&changed["amount"])), (&json!("toDo"), -30_000));
        assert_eq!(cents(&changed["rows"][0]["booked"]), 100_000);
        let refused = post(&server, &key, "cutOff", &json!({"rowIds": [stale]}));
        assert_eq!((refused.status, refused.code()), (409, "row_changed".into()));
        for unknown in ["invoice-999-8000.000000000000", "nonsense", ""] {
            let refused = post(&server, &key, "cutOff", &json!({"rowIds": [unknown]}));
            let expected = if unknown.is_empty() { 422 } else { 404 };
            assert_eq!(refused.status, expected, "{unknown}: {}", refused.text);
        }
        assert_eq!(balance(&server, &key, "1320", "2026-12-31"), 100_000, "nothing is half-written");
        assert_eq!(act(&server, &key, "cutOff")["status"], "done");
        assert_eq!(balance(&server, &key, "1320", "2026-12-31"), 70_000);
        assert_eq!(balance(&server, &key, "1320", "2027-12-31"), 0);
        // After an accrual has been undone by itself, the step can book it again.
        let accruals = server.get(&key, "/api/v1/accruals").json();
        for accrual in accruals["data"].as_array().unwrap() {
            let path = format!("/api/v1/accruals/{}/undo", accrual["id"]);
            assert_eq!(server.post(&key, &path, &json!({})).status, 200);
        }
        let open = step(&server, &key, "cutOff");
        assert_eq!((&open["status"], cents(&open["amount"])), (&json!("toDo"), 70_000));
        assert_sound(&server);
    }

    fn hours_that_are_not_invoiced_count_at_their_rate(engine) {
        let (server, key) = started(engine, "2027-01-10T10:00:00Z");
        let customer = create(&server, &key, "contacts", &json!({"name": "De Pier"}));
        let project = create(&server, &key, "projects", &json!({"name": "Website", "contactId": customer["id"], "hourlyRate": 80}));
        let work = |date: &str, hours: f64| {
            let entry = json!({"projectId": project["id"], "date": date, "hours": hours, "description": "Work"});
            create(&server, &key, "time-entries", &entry);
        };
        work("2026-12-10", 8.0);
        work("2026-12-31", 2.0);
        work("2027-01-02", 5.0);
        let open = step(&server, &key, "cutOff");
        let row = &open["rows"][0];
        // 10 hours of 2026 × 80.00.
        assert_eq!((cents(&row["amount"]), &row["account"]), (80_000, &json!("8000")));
        assert_eq!((&row["sourceType"], &row["sourceId"]), (&json!("project"), &project["id"]));
        assert_eq!(row["reverseOn"], "2027-01-01");
        act(&server, &key, "cutOff");
        assert_eq!(balance(&server, &key, "1320", "2026-12-31"), 80_000);
        assert_eq!(balance(&server, &key, "1320", "2027-01-01"), 0);
        // Two more hours of 2026, entered later: 160.00.
        work("2026-12-30", 2.0);
        let changed = step(&server, &key, "cutOff");
        assert_eq!((&changed["status"], cents(&changed["amount"])), (&json!("toDo"), 16_000));
        act(&server, &key, "cutOff");
        assert_eq!(balance(&server, &key, "1320", "2026-12-31"), 96_000);
        // Invoicing the hours of both years in January does not change the amount for 2026.
        let invoiced = server.post(&key, &format!("/api/v1/projects/{}/invoice", project["id"]), &json!({}));
        assert_eq!(invoiced.status, 201, "{}", invoiced.text);
        let after = step(&server, &key, "cutOff");
        assert_eq!((&after["status"], cents(&after["amount"])), (&json!("done"), 96_000), "{after}");
        assert_sound(&server);
    }

    fn costs_follow_the_period_of_the_expense(engine) {
        let (server, key) = started(engine, "2027-01-20T10:00:00Z");
        // 181 of the 365 days are in 2027, so 181.00 is prepaid.
        create(&server, &key, "expenses", &bill("2026-07-01", "4400", 365, ("2026-07-01", "2027-06-30")));
        // January bills for December: 620.00 is a cost of 2026; 62.00 is too, but is below 100.00.
        create(&server, &key, "expenses", &bill("2027-01-05", "4000", 620, ("2026-12-01", "2026-12-31")));
        create(&server, &key, "expenses", &bill("2027-01-06", "4120", 62, ("2026-12-01", "2026-12-31")));
        let open = step(&server, &key, "cutOff");
        assert_eq!(cents(&open["amount"]), 80_100);
        let rows = open["rows"].as_array().unwrap();
        let of = |account: &str| rows.iter().find(|row| row["account"] == account).unwrap();
        assert_eq!((&of("4400")["kind"], cents(&of("4400")["amount"]), &of("4400")["reverseOn"]), (&json!("prepaidCost"), 18_100, &json!("2027-01-01")));
        assert_eq!((&of("4000")["kind"], cents(&of("4000")["amount"]), &of("4000")["reverseOn"]), (&json!("accruedCost"), 62_000, &json!("2027-01-05")));
        assert_eq!((&of("4120")["ticked"], cents(&of("4120")["amount"])), (&json!(false), 6_200));
        assert_eq!(act(&server, &key, "cutOff")["status"], "done");
        assert_eq!(balance(&server, &key, "1330", "2026-12-31"), 18_100);
        assert_eq!(balance(&server, &key, "4400", "2026-12-31"), 18_400);
        assert_eq!(balance(&server, &key, "1610", "2026-12-31"), -62_000);
        assert_eq!(balance(&server, &key, "4000", "2026-12-31"), 62_000);
        assert_eq!(balance(&server, &key, "4120", "2026-12-31"), 0);
        assert_eq!(balance(&server, &key, "1610", "2027-01-05"), 0);
        // The small row is booked if its id is given.
        let small = json!({"rowIds": [of("4120")["id"]]});
        assert_eq!(post(&server, &key, "cutOff", &small).status, 200);
        assert_eq!(balance(&server, &key, "4120", "2026-12-31"), 6_200);
        // After an expense has been undone, the step reverses its accrual.
        assert_eq!(server.post(&key, "/api/v1/expenses/1/undo", &json!({})).status, 200);
        assert_eq!(cents(&step(&server, &key, "cutOff")["amount"]), -18_100);
        act(&server, &key, "cutOff");
        assert_eq!(balance(&server, &key, "1330", "2026-12-31"), 0);
        assert_sound(&server);
    }

    fn the_period_of_an_expense_has_two_days_in_order(engine) {
        let (server, key) = started(engine, "2026-12-20T10:00:00Z");
        let mut expense = bill("2026-07-01", "4400", 365, ("2026-07-01", "2026-06-30"));
        let refused = server.post(&key, "/api/v1/expenses", &expense);
        assert_eq!(refused.faults(), [("/periodUntil".to_owned(), "out_of_range".to_owned())]);
        for (absent, present) in [("periodUntil", "periodFrom"), ("periodFrom", "periodUntil")] {
            let mut one = expense.clone();
            one[absent] = Value::Null;
            one[present] = json!("2026-07-01");
            let refused = server.post(&key, "/api/v1/expenses", &one);
            assert_eq!(refused.faults(), [(format!("/{absent}"), "required".to_owned())]);
        }
        expense["periodUntil"] = json!("2027-06-30");
        let made = create(&server, &key, "expenses", &expense);
        assert_eq!((&made["periodFrom"], &made["periodUntil"]), (&json!("2026-07-01"), &json!("2027-06-30")));
        let patch = |body: Value| {
            crate::help::patch(&server, &key, "/api/v1/expenses/1", &[], &body)
        };
        assert_eq!(patch(json!({"periodUntil": "2026-12-31"})).json()["periodUntil"], "2026-12-31");
        assert_eq!(step(&server, &key, "cutOff")["rows"], json!([]));
        let refused = patch(json!({"periodFrom": null}));
        assert_eq!(refused.faults(), [("/periodFrom".to_owned(), "required".to_owned())]);
        let none = patch(json!({"periodFrom": null, "periodUntil": null}));
        assert_eq!((none.status, &none.json()["periodFrom"]), (200, &Value::Null), "{}", none.text);
    }

    fn all_assets_are_depreciated_to_the_end_of_the_year(engine) {
        let (server, key) = started(engine, "2026-12-20T10:00:00Z");
        assert_eq!(status(&server, &key, "depreciation"), "notApplicable");
        // (1 899.00 − 189.90) ÷ 5 = 341.82 a year; 1 200.00 ÷ 5 × 6 ÷ 12 = 120.00.
        let laptop = json!({"date": "2026-01-15", "description": "Laptop", "account": "0200", "cost": 1899, "residualValue": 189.90, "lifeYears": 5});
        let desk = json!({"date": "2026-07-01", "description": "Desk", "account": "0200", "cost": 1200, "lifeYears": 5});
        create(&server, &key, "assets", &laptop);
        create(&server, &key, "assets", &desk);
        let open = step(&server, &key, "depreciation");
        assert_eq!((&open["status"], cents(&open["amount"])), (&json!("toDo"), 46_182));
        assert_eq!(open["rows"].as_array().unwrap().len(), 2);
        let done = act(&server, &key, "depreciation");
        assert_eq!((&done["status"], cents(&done["amount"])), (&json!("done"), 46_182));
        assert_eq!(balance(&server, &key, "4500", "2026-12-31"), 46_182);
        assert_eq!(cents(&server.get(&key, "/api/v1/assets/1").json()["bookValue"]), 155_718);
        let count = count_of_entries(&server, &key);
        act(&server, &key, "depreciation");
        assert_eq!(count_of_entries(&server, &key), count);
        assert_eq!(act(&server, &key, "depreciation/undo")["status"], "toDo");
        let laptop = server.get(&key, "/api/v1/assets/1").json();
        assert_eq!((cents(&laptop["bookValue"]), &laptop["depreciatedUntil"]), (189_900, &Value::Null));
        assert_eq!(balance(&server, &key, "4500", "2026-12-31"), 0);
        assert_sound(&server);
        // All assets up to any month: 11 of 12 months of the laptop, 313.34; 5 of the desk, 100.00.
        let month = server.post(&key, "/api/v1/assets/depreciate", &json!({"until": "2026-11-30"}));
        assert_eq!(month.status, 200, "{}", month.text);
        let month = month.json();
        assert_eq!((&month["until"], cents(&month["amount"])), (&json!("2026-11-30"), 41_334));
        assert_eq!(month["assets"].as_array().unwrap().len(), 2);
        // The step then books only December, and undoing it keeps the earlier months.
        assert_eq!(cents(&act(&server, &key, "depreciation")["amount"]), 4_848);
        act(&server, &key, "depreciation/undo");
        let laptop = server.get(&key, "/api/v1/assets/1").json();
        assert_eq!((cents(&laptop["bookValue"]), &laptop["depreciatedUntil"]), (158_566, &json!("2026-11-30")));
        assert_sound(&server);
        assert_eq!(server.post(&key, "/api/v1/assets/depreciate", &json!({})).status, 422);
        // The step cannot be undone after one of its assets has been sold.
        act(&server, &key, "depreciation");
        server.clock.set("2027-02-01T10:00:00Z");
        let sale = json!({"date": "2027-01-15", "proceeds": 500});
        assert_eq!(server.post(&key, "/api/v1/assets/1/dispose", &sale).status, 200);
        let refused = post(&server, &key, "depreciation/undo", &json!({}));
        assert_eq!((refused.status, refused.code()), (409, "already_disposed".into()));
        assert_sound(&server);
    }

    /// Depreciation is undone from the last year back, so that no year lacks its part.
    fn depreciation_of_a_year_is_not_undone_before_that_of_the_next(engine) {
        let (server, key) = started(engine, "2027-12-20T10:00:00Z");
        let laptop = json!({"date": "2026-01-10", "description": "Laptop", "account": "0200", "cost": 10000, "lifeYears": 5});
        create(&server, &key, "assets", &laptop);
        act(&server, &key, "depreciation");
        let of_2027 = "/api/v1/years/2027/closing-steps/depreciation";
        assert_eq!(server.post(&key, of_2027, &json!({})).status, 200);
        let refused = post(&server, &key, "depreciation/undo", &json!({}));
        assert_eq!((refused.status, refused.code()), (409, "has_parts".into()));
        assert_sound(&server);
        assert_eq!(server.post(&key, &format!("{of_2027}/undo"), &json!({})).status, 200);
        assert_eq!(act(&server, &key, "depreciation/undo")["status"], "toDo");
        assert_sound(&server);
    }

    fn steps_of_a_year_that_has_not_begun_are_blocked(engine) {
        let (server, key) = started(engine, "2026-12-20T10:00:00Z");
        let laptop = json!({"date": "2026-01-10", "description": "Laptop", "account": "0200", "cost": 10000, "lifeYears": 5});
        create(&server, &key, "assets", &laptop);
        let path = "/api/v1/years/2027/closing-steps";
        let steps = server.get(&key, path).json();
        let steps = steps["data"].as_array().unwrap();
        let of = |name: &str| steps.iter().find(|step| step["step"] == name).unwrap()["status"].clone();
        assert_eq!((of("depreciation"), of("close")), (json!("blocked"), json!("blocked")));
        let count = count_of_entries(&server, &key);
        let refused = server.post(&key, &format!("{path}/depreciation"), &json!({}));
        assert_eq!((refused.status, refused.code()), (409, "year_not_over".into()));
        assert_eq!(count_of_entries(&server, &key), count);
    }

    /// Goods are valued at the purchase price, and declared in box 1d (art. 3(3)(a) and 8(3) Wet OB
    /// 1968).
    fn goods_for_private_use_are_drawn_with_their_vat(engine) {
        let (server, key) = started(engine, "2027-01-20T10:00:00Z");
        assert_eq!(status(&server, &key, "goodsPrivateUse"), "notApplicable");
        let goods = json!({"rows": [{"description": "Wine", "base": 100, "vatRate": 21}, {"description": "Books", "base": 50, "vatRate": 9}]});
        let done = post(&server, &key, "goodsPrivateUse", &goods);
        assert_eq!(done.status, 200, "{}", done.text);
        let done = done.json();
        assert_eq!((&done["status"], cents(&done["amount"])), (&json!("done"), 17_550));
        let row = &done["rows"][1];
        assert_eq!((&row["description"], cents(&row["base"]), &row["vatRate"]), (&json!("Books"), 5_000, &json!(9)));
        // Base of 150.00, with 21.00 and 4.50 of VAT.
        assert_eq!(vat_box(&server, &key, "2026/4", "1d"), (15_000, 2_550));
        for (account, amount) in [("0550", 17_550), ("8900", -15_000), ("1730", -2_550)] {
            assert_eq!(balance(&server, &key, account, "2026-12-31"), amount, "{account}");
        }
        // Sending an existing and a new row books only the new one.
        let more = json!({"rows": [{"description": "Wine", "base": 100, "vatRate": 21}, {"description": "Wine", "base": 100, "vatRate": 21}]});
        assert_eq!(post(&server, &key, "goodsPrivateUse", &more).status, 200);
        assert_eq!(post(&server, &key, "goodsPrivateUse", &more).status, 200);
        assert_eq!(balance(&server, &key, "8900", "2026-12-31"), -25_000);
        for (rows, field, code) in [
            (json!([{"description": "Wine", "base": 100, "vatRate": 20}]), "/rows/0/vatRate", "unknown_vat_rate"),
            (json!([{"description": "Wine", "base": 0, "vatRate": 21}]), "/rows/0/base", "out_of_range"),
            (json!([{"base": 1, "vatRate": 21}]), "/rows/0/description", "required"),
        ] {
            let refused = post(&server, &key, "goodsPrivateUse", &json!({"rows": rows}));
            assert_eq!(refused.faults(), [(field.to_owned(), code.to_owned())], "{}", refused.text);
        }
        let elsewhere = post(&server, &key, "cutOff", &json!({"rows": []}));
        assert_eq!(elsewhere.faults(), [("/rows".to_owned(), "unknown_field".to_owned())]);
        assert_eq!(act(&server, &key, "goodsPrivateUse/undo")["status"], "notApplicable");
        assert_eq!(vat_box(&server, &key, "2026/4", "1d"), (0, 0));
        // Once the last return is filed, the VAT is a correction on the next return.
        let filed = server.post(&key, "/api/v1/vat-returns/2026-Q4/file", &json!({}));
        assert_eq!(filed.status, 200, "{}", filed.text);
        assert_eq!(post(&server, &key, "goodsPrivateUse", &goods).status, 200);
        assert_eq!(vat_box(&server, &key, "2027/1", "1d"), (15_000, 2_550));
        assert_eq!(balance(&server, &key, "0550", "2026-12-31"), 17_550);
        assert_sound(&server);
        act(&server, &key, "goodsPrivateUse/undo");
        assert_eq!(vat_box(&server, &key, "2027/1", "1d"), (0, 0));
        assert_sound(&server);
    }

    fn a_business_that_buys_goods_states_its_private_use(engine) {
        let (server, key) = started(engine, "2026-12-20T10:00:00Z");
        let stock = json!({"date": "2026-05-01", "supplier": "Groothandel", "items": [{"category": "7000", "amount": 1000, "vatRate": 21}]});
        create(&server, &key, "expenses", &stock);
        assert_eq!(status(&server, &key, "goodsPrivateUse"), "toDo");
        let count = count_of_entries(&server, &key);
        assert_eq!(act(&server, &key, "goodsPrivateUse")["status"], "done");
        assert_eq!(act(&server, &key, "goodsPrivateUse")["status"], "done");
        assert_eq!(count_of_entries(&server, &key), count);
        assert_eq!(act(&server, &key, "goodsPrivateUse/undo")["status"], "toDo");
        // VAT cannot exceed the high rate: 21.00 on 100.00.
        let use_of = |vat: f64| {
            let body = json!({"date": "2026-12-31", "kind": "goods", "base": 100, "vat": vat});
            server.post(&key, "/api/v1/private-use", &body)
        };
        assert_eq!(use_of(21.01).faults(), [("/vat".to_owned(), "out_of_range".to_owned())]);
        assert_eq!(use_of(21.0).status, 201);
        assert_eq!(status(&server, &key, "goodsPrivateUse"), "done");
    }

    fn bank_lines_of_the_year_are_to_be_booked_or_ignored(engine) {
        let (server, key) = started(engine, "2027-01-20T10:00:00Z");
        let lines = json!([{"date": "2026-12-30", "amount": -4.5}, {"date": "2027-01-02", "amount": -5}]);
        create(&server, &key, "bank-statements", &json!({"bankAccountId": 1, "from": "2026-12-01", "to": "2027-01-05", "lines": lines}));
        let waiting = step(&server, &key, "bankLines");
        assert_eq!((&waiting["status"], &waiting["warnings"][0]["code"]), (&json!("toDo"), &json!("bank_lines_waiting")));
        assert_eq!(server.post(&key, "/api/v1/bank-lines/1/ignore", &json!({"reason": "private"})).status, 200);
        assert_eq!(status(&server, &key, "bankLines"), "done");
    }

    fn steps_of_other_pages_say_where_they_are_done(engine) {
        let (server, key) = started(engine, "2027-01-20T10:00:00Z");
        for (step, place) in [
            ("bankLines", "/api/v1/bank-lines/{id}/book"),
            ("receipts", "/api/v1/expenses"),
            ("carPrivateUse", "/api/v1/private-use"),
            ("gifts", "/api/v1/expenses"),
            ("lastReturn", "/api/v1/vat-returns/{period}/file"),
        ] {
            for path in [step.to_owned(), format!("{step}/undo")] {
                let refused = post(&server, &key, &path, &json!({}));
                assert_eq!((refused.status, refused.code()), (404, "not_found".into()), "{path}");
                assert!(refused.text.contains(place), "{}", refused.text);
            }
        }
        assert_eq!(post(&server, &key, "nothing", &json!({})).status, 404);
        // With car costs but no private use, the step is to do; gifts only cause a warning.
        let fuel = json!({"date": "2026-05-01", "supplier": "Shell", "items": [{"category": "4201", "amount": 100, "vatRate": 21}, {"category": "4316", "amount": 50, "vatTreatment": "none"}]});
        create(&server, &key, "expenses", &fuel);
        let car = step(&server, &key, "carPrivateUse");
        assert_eq!((&car["status"], &car["warnings"][0]["code"]), (&json!("toDo"), &json!("car_without_private_use")));
        let gifts = step(&server, &key, "gifts");
        assert_eq!((&gifts["status"], &gifts["warnings"][0]["code"]), (&json!("notApplicable"), &json!("gifts_not_checked")));
        let body = json!({"date": "2026-12-31", "kind": "car", "vat": 21});
        create(&server, &key, "private-use", &body);
        assert_eq!(status(&server, &key, "carPrivateUse"), "done");
        assert_eq!(status(&server, &key, "bankLines"), "notApplicable");
        assert_eq!(status(&server, &key, "lastReturn"), "toDo");
        assert_eq!(server.post(&key, "/api/v1/vat-returns/2026-Q4/file", &json!({})).status, 200);
        let last = step(&server, &key, "lastReturn");
        assert_eq!((&last["status"], &last["warnings"][0]["code"]), (&json!("done"), &json!("returns_open")));
        let message = last["warnings"][0]["message"].as_str().unwrap();
        assert!(message.contains("2026-Q2, 2026-Q3") && !message.contains("2026-Q4"), "{message}");
        for quarter in ["2026-Q2", "2026-Q3"] {
            let path = format!("/api/v1/vat-returns/{quarter}/file");
            assert_eq!(server.post(&key, &path, &json!({})).status, 200, "{quarter}");
        }
        assert_eq!(step(&server, &key, "lastReturn")["warnings"], json!([]));
    }

    fn closing_warns_of_the_steps_that_are_left(engine) {
        let (server, key) = started(engine, "2026-12-20T10:00:00Z");
        let laptop = json!({"date": "2026-01-15", "description": "Laptop", "account": "0200", "cost": 1899, "lifeYears": 5});
        create(&server, &key, "assets", &laptop);
        assert_eq!(status(&server, &key, "close"), "blocked");
        assert_eq!(post(&server, &key, "close", &json!({})).code(), "year_not_over");
        server.clock.set("2027-01-20T10:00:00Z");
        assert_eq!(status(&server, &key, "close"), "toDo");
        let closed = act(&server, &key, "close");
        assert_eq!((&closed["status"], &closed["warnings"][0]["code"]), (&json!("done"), &json!("steps_left")));
        let message = closed["warnings"][0]["message"].as_str().unwrap();
        assert!(message.contains("depreciation") && message.contains("lastReturn"), "{message}");
        assert_eq!(server.get(&key, "/api/v1/years/2026").json()["status"], "closed");
        assert_eq!(status(&server, &key, "depreciation"), "blocked");
        assert_eq!(post(&server, &key, "depreciation", &json!({})).code(), "year_closed");
        // The last return can be filed after the year is closed.
        assert_eq!(status(&server, &key, "lastReturn"), "toDo");
        assert_eq!(act(&server, &key, "close/undo")["status"], "toDo");
        assert_eq!(post(&server, &key, "close/undo", &json!({})).code(), "year_not_closed");
        act(&server, &key, "depreciation");
        assert_eq!(server.post(&key, "/api/v1/vat-returns/2026-Q4/file", &json!({})).status, 200);
        assert_eq!(act(&server, &key, "close")["warnings"], json!([]));
        assert_eq!(server.get(&key, "/api/v1/years/1999/closing-steps").status, 422);
        // A year has one path only.
        for path in ["years/02026", "years/02026/closing-steps", "summary/02026", "vat-revisions/02026"] {
            let refused = server.get(&key, &format!("/api/v1/{path}"));
            assert_eq!((refused.status, refused.code()), (404, "not_found".into()), "{path}");
        }
        assert_sound(&server);
    }

    /// A fifth of the deducted VAT is paid back (art. 15(4) Wet OB 1968, art. 13
    /// Uitvoeringsbeschikking).
    fn the_vat_on_assets_is_revised_as_a_step(engine) {
        let (server, key) = started(engine, "2025-06-01T10:00:00Z");
        let camera = json!({"date": "2025-03-01", "description": "Camera", "account": "0200", "cost": 20_000, "lifeYears": 5});
        create(&server, &key, "assets", &camera);
        assert_eq!(status(&server, &key, "vatRevision"), "notApplicable");
        server.clock.set("2025-11-20T10:00:00Z");
        let kor = json!({"scheme": "kor", "from": "2026-01-01"});
        assert_eq!(server.post(&key, "/api/v1/vat-scheme", &kor).status, 200);
        server.clock.set("2027-01-20T10:00:00Z");
        // 4 200.00 was deducted, a fifth of which is 840.00.
        let open = step(&server, &key, "vatRevision");
        assert_eq!((&open["status"], cents(&open["amount"])), (&json!("toDo"), 84_000));
        let done = act(&server, &key, "vatRevision");
        assert_eq!((&done["status"], cents(&done["amount"])), (&json!("done"), 84_000));
        let before = balance(&server, &key, "1500", "2026-12-31");
        assert_eq!(act(&server, &key, "vatRevision/undo")["status"], "toDo");
        assert_eq!(balance(&server, &key, "1500", "2026-12-31"), before + 84_000);
        act(&server, &key, "vatRevision");
        assert_eq!(balance(&server, &key, "1500", "2026-12-31"), before);
        assert_sound(&server);
    }
}
