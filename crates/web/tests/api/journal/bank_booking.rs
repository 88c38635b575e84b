//! Booking of bank lines over the API: each allocation is the booking that the other operations
//! make, and undoing a line undoes all of them.

use super::writers::{self, Payment};
use crate::purchases::expenses::started;
use jiff::civil::{Date, date};
use serde_json::{Value, json};
use testing::{Engine, Reply, Server, on_both_engines};

pub(super) const LINES: &str = "/api/v1/bank-lines";
pub(super) const EMAIL: &str = "anna@example.com";
const DAY: Date = date(2026, 3, 10);

/// Books whose second checking account (1101) has a line for each amount, with the ids from 1.
pub(super) fn with_lines(engine: Engine, cents: &[i64]) -> (Server, String) {
    let (server, key) = started(engine);
    let body = json!({"name": "ABN AMRO", "kind": "checking", "iban": writers::ACCOUNT});
    assert_eq!(server.post(&key, "/api/v1/bank-accounts", &body).status, 201);
    let payment = |(place, cents): (usize, &i64)| Payment {
        date: DAY,
        cents: *cents,
        name: format!("Partij {place}"),
        iban: None,
        text: format!("Omschrijving {place}"),
        end_to_end_id: None,
    };
    let payments: Vec<Payment> = cents.iter().enumerate().map(payment).collect();
    let file = writers::camt(&payments, 0, DAY, DAY);
    let headers = [("x-api-key", key.as_str()), ("content-type", "application/xml")];
    let reply = server.send("POST", "/api/v1/bank-statements", &headers, Some(file.as_bytes()));
    assert_eq!(reply.status, 201, "{}", reply.text);
    (server, key)
}

pub(super) fn book(server: &Server, key: &str, id: i64, allocations: &Value) -> Reply {
    server.post(key, &format!("{LINES}/{id}/book"), &json!({"allocations": allocations}))
}

pub(super) fn booked(server: &Server, key: &str, id: i64, allocations: &Value) -> Value {
    let reply = book(server, key, id, allocations);
    assert_eq!(reply.status, 200, "{allocations}: {}", reply.text);
    assert_eq!(reply.json()["state"], json!("booked"));
    reply.json()
}

pub(super) fn undo(server: &Server, key: &str, id: i64) -> Reply {
    server.post(key, &format!("{LINES}/{id}/undo"), &json!({}))
}

/// Balance of every ledger account of the year, in cents.
pub(super) fn balances(server: &Server, key: &str) -> Vec<(String, String)> {
    let entries = server.get(key, "/api/v1/entries?year=2026&limit=500").json();
    let mut sums: std::collections::BTreeMap<String, i64> = std::collections::BTreeMap::new();
    let cents = |value: &Value| -> i64 {
        let text = value.to_string();
        let (euros, rest) = text.split_once('.').unwrap();
        format!("{euros}{rest:0<2}").parse().unwrap()
    };
    for line in entries["data"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|entry| entry["lines"].as_array().unwrap())
    {
        *sums.entry(line["accountCode"].as_str().unwrap().to_owned()).or_default() +=
            cents(&line["debit"]) - cents(&line["credit"]);
    }
    sums.into_iter()
        .filter(|(_, sum)| *sum != 0)
        .map(|(code, sum)| (code, sum.to_string()))
        .collect()
}

pub(super) fn expected(sums: &[(&str, &str)]) -> Vec<(String, String)> {
    sums.iter().map(|(code, sum)| ((*code).to_owned(), (*sum).to_owned())).collect()
}

pub(super) fn created(server: &Server, key: &str, path: &str, body: &Value) -> Value {
    let reply = server.post(key, &format!("/api/v1/{path}"), body);
    assert_eq!(reply.status, 201, "{path}: {}", reply.text);
    reply.json()
}

pub(super) fn invoice(server: &Server, key: &str) -> i64 {
    let body = json!({
        "status": "sent", "invoiceDate": "2026-03-02", "customer": {"name": "B", "country": "NL"},
        "items": [{"description": "Work", "quantity": 1, "unitPrice": 100, "vatRate": 21}],
    });
    created(server, key, "invoices", &body)["id"].as_i64().unwrap()
}

/// Undoes a payment on an invoice.
pub(super) fn take_back(server: &Server, key: &str, invoice: i64, payment: &Value) -> Reply {
    let path = format!("/api/v1/invoices/{invoice}/payments/{payment}");
    server.send("DELETE", &path, &[("x-api-key", key)], None)
}

pub(super) fn bill(server: &Server, key: &str) -> i64 {
    let body = json!({"date": "2026-03-03", "description": "Toner", "paidFrom": "unpaid", "items": [{"category": "4100", "amount": 10, "vatRate": 21}]});
    created(server, key, "expenses", &body)["id"].as_i64().unwrap()
}

/// Amount of a line in cents, its allocation, and the balances after it by account.
type Booked = (i64, Value, &'static [(&'static str, &'static str)]);

on_both_engines! {
    fn each_kind_books_its_command_and_is_undone(engine) {
        let kinds: [Booked; 12] = [
            (-450, json!({"kind": "bankCosts"}), &[("1101", "-450"), ("4610", "450")]),
            (450, json!({"kind": "bankCosts"}), &[("1101", "450"), ("4610", "-450")]),
            (-300, json!({"kind": "interest"}), &[("1101", "-300"), ("4600", "300")]),
            (300, json!({"kind": "interest"}), &[("1101", "300"), ("8920", "-300")]),
            (-5_000, json!({"kind": "private", "privateKind": "drawing"}), &[("0520", "5000"), ("1101", "-5000")]),
            (5_000, json!({"kind": "private", "privateKind": "deposit"}), &[("0510", "-5000"), ("1101", "5000")]),
            (2_000, json!({"kind": "private", "privateKind": "incomeTax"}), &[("0530", "-2000"), ("1101", "2000")]),
            (-9_900, json!({"kind": "vat", "vatPeriod": "2026-Q1"}), &[("1101", "-9900"), ("1780", "9900")]),
            (9_900, json!({"kind": "vat"}), &[("1101", "9900"), ("1780", "-9900")]),
            (-7_000, json!({"kind": "transfer", "bankAccountId": 2}), &[("1101", "-7000"), ("1110", "7000")]),
            (100_000, json!({"kind": "loan", "account": "0700"}), &[("0700", "-100000"), ("1101", "100000")]),
            (-1_234, json!({"kind": "ledger", "account": "4100", "description": "Kantoor"}), &[("1101", "-1234"), ("4100", "1234")]),
        ];
        let cents: Vec<i64> = kinds.iter().map(|(cents, ..)| *cents).collect();
        let (server, key) = with_lines(engine, &cents);
        for (id, (cents, allocation, sums)) in (1..).zip(&kinds) {
            let line = booked(&server, &key, id, &json!([allocation]));
            assert_eq!(balances(&server, &key), expected(sums), "{allocation}");
            let own = &line["allocations"][0];
            assert_eq!(json!([own["kind"], line["bookedBy"]]), json!([allocation["kind"], "api"]));
            assert_eq!(crate::help::cents(&own["amount"]), cents.abs());
            assert_eq!(book(&server, &key, id, &json!([allocation])).code(), "already_booked");
            assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new(), "{allocation}");
            let undone = undo(&server, &key, id);
            assert_eq!((undone.status, &undone.json()["state"]), (200, &json!("new")), "{}", undone.text);
            assert_eq!(balances(&server, &key), expected(&[]), "{allocation}");
            assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new(), "{allocation}");
        }
    }

    fn invoices_and_bills_are_paid_by_their_lines(engine) {
        let (server, key) = with_lines(engine, &[12_100, -1_210, 13_000, -900]);
        let (first, second) = (invoice(&server, &key), invoice(&server, &key));
        let expense = bill(&server, &key);
        let line = booked(&server, &key, 1, &json!([{"kind": "invoice", "invoiceId": first}]));
        assert_eq!(line["allocations"][0]["invoiceId"], json!(first));
        assert_eq!(server.get(&key, &format!("/api/v1/invoices/{first}")).json()["amountDue"], json!(0.0));
        let payment = server.get(&key, &format!("/api/v1/invoices/{first}/payments")).json();
        assert_eq!(json!([payment["data"][0]["date"], payment["data"][0]["bankAccountId"]]), json!(["2026-03-10", 6]));
        booked(&server, &key, 2, &json!([{"kind": "bill", "expenseId": expense}]));
        assert_eq!(server.get(&key, &format!("/api/v1/expenses/{expense}")).json()["amountDue"], json!(0.0));
        // More than is due is kept if the caller says so, and paid back by another line.
        let surplus = json!([{"kind": "invoice", "invoiceId": second}]);
        assert_eq!(book(&server, &key, 3, &surplus).faults(), [("/allocations/0/amount".to_owned(), "exceeds_outstanding".to_owned())]);
        booked(&server, &key, 3, &json!([{"kind": "invoice", "invoiceId": second, "overpayment": "keep"}]));
        booked(&server, &key, 4, &json!([{"kind": "refund", "invoiceId": second}]));
        assert_eq!(server.get(&key, &format!("/api/v1/invoices/{second}")).json()["amountToRefund"], json!(0.0));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        // A payment that is undone elsewhere makes its line new again.
        let undone = take_back(&server, &key, first, &payment["data"][0]["id"]);
        assert_eq!(undone.status, 200, "{}", undone.text);
        assert_eq!(server.get(&key, &format!("{LINES}/1")).json()["state"], json!("new"));
        for id in [4, 3, 2] {
            assert_eq!(undo(&server, &key, id).status, 200);
        }
        assert_eq!(server.get(&key, &format!("/api/v1/expenses/{expense}")).json()["amountDue"], json!(12.1));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn the_interest_of_a_repayment_is_at_most_the_amount(engine) {
        let (server, key) = with_lines(engine, &[-1_000]);
        let loan = json!({"account": "0700", "amount": 100, "date": "2026-03-01"});
        let loan = server.post(&key, "/api/v1/loans", &loan).json()["id"].clone();
        let repayment = |interest: i64| json!([{"kind": "loanRepayment", "loanId": loan, "interest": interest}]);
        let refused = book(&server, &key, 1, &repayment(11));
        assert_eq!(refused.faults(), [("/allocations/0/interest".to_owned(), "out_of_range".to_owned())], "{}", refused.text);
        let unknown = json!([{"kind": "loanRepayment", "loanId": 999}]);
        assert_eq!(book(&server, &key, 1, &unknown).faults(), [("/allocations/0/loanId".to_owned(), "unknown_value".to_owned())]);
        booked(&server, &key, 1, &repayment(10));
        assert_eq!(server.get(&key, &format!("/api/v1/loans/{loan}")).json()["amountOwed"], json!(100.0));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_line_is_split_and_undone_as_a_whole(engine) {
        let (server, key) = with_lines(engine, &[11_900]);
        let id = invoice(&server, &key);
        // A provider kept a fee of 2.00.
        let split = json!([{"kind": "invoice", "invoiceId": id, "amount": 121}, {"kind": "bankCosts"}]);
        let line = booked(&server, &key, 1, &split);
        let amounts: Vec<&Value> = line["allocations"].as_array().unwrap().iter().map(|of| &of["amount"]).collect();
        assert_eq!(json!(amounts), json!([121.0, -2.0]));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        let payment = server.get(&key, &format!("/api/v1/invoices/{id}/payments")).json()["data"][0]["id"].clone();
        let undone = take_back(&server, &key, id, &payment);
        assert_eq!((undone.status, undone.code()), (409, "booked_from_bank_line".into()));
        assert_eq!(server.post(&key, "/api/v1/bank-statements/1/undo", &json!({})).code(), "lines_booked");
        assert_eq!(undo(&server, &key, 1).status, 200);
        assert_eq!(server.get(&key, &format!("/api/v1/invoices/{id}")).json()["amountDue"], json!(121.0));
        // Nothing is booked if one allocation is refused.
        for (allocations, path, code) in [
            (json!([{"kind": "invoice", "invoiceId": id, "amount": 100}]), "/allocations", "unbalanced"),
            (json!([{"kind": "bankCosts"}, {"kind": "interest"}]), "/allocations/1/amount", "required"),
            (json!([{"kind": "bankCosts", "amount": 19}, {"kind": "refund", "invoiceId": id}]), "/allocations/1/kind", "unknown_value"),
            (json!([{"kind": "bankCosts", "amount": 19}, {"kind": "ledger", "account": "1300"}]), "/allocations/1/account", "kept_by_program"),
            (json!([{"kind": "ledger", "account": "1110"}]), "/allocations/0/account", "kept_by_program"),
            (json!([{"kind": "invoice"}]), "/allocations/0/invoiceId", "required"),
            (json!([{"kind": "invoice", "invoiceId": "x"}]), "/allocations/0/invoiceId", "invalid_type"),
            (json!([{"kind": "private", "privateKind": "x"}]), "/allocations/0/privateKind", "unknown_value"),
            (json!([{"kind": "transfer", "bankAccountId": null}]), "/allocations/0/bankAccountId", "required"),
            (json!([{"kind": "invoice", "invoiceId": 999}]), "/allocations/0/invoiceId", "unknown_value"),
            (json!([{"kind": "interest", "amount": 1}, {"kind": "bill", "expenseId": 999}]), "/allocations/1/expenseId", "unknown_value"),
            (json!([{"kind": "payout", "fee": 99_999_999_999.99}]), "/allocations/0/fee", "out_of_range"),
            (json!([{"kind": "bankCosts", "invoiceId": id}]), "/allocations/0/invoiceId", "unknown_field"),
            (json!([{"kind": "existing", "entryId": 999}]), "/allocations/0/entryId", "unknown_value"),
            (json!([{"kind": "existing", "entryId": 1, "amount": 60}, {"kind": "existing", "entryId": 1}]), "/allocations/1/entryId", "already_linked"),
            (json!([{"kind": "interest", "amount": 99_999_999_999.99}, {"kind": "interest", "amount": 99_999_999_999.99}, {"kind": "bankCosts"}]), "/allocations", "unbalanced"),
            (json!([]), "/allocations", "required"),
        ] {
            let refused = book(&server, &key, 1, &allocations);
            assert_eq!(refused.status, 422, "{allocations}: {}", refused.text);
            assert_eq!(refused.faults(), [(path.to_owned(), code.to_owned())], "{allocations}");
        }
        assert_eq!(server.get(&key, &format!("{LINES}/1")).json()["state"], json!("new"));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn an_entry_that_was_booked_by_hand_is_tied_to_its_line(engine) {
        let (server, key) = with_lines(engine, &[-7_000, -7_000]);
        let moved = json!({"date": "2026-03-09", "from": "1101", "to": "1110", "amount": 70});
        let transfer = created(&server, &key, "transfers", &moved);
        let entry = transfer["entryIds"][0].clone();
        let before = balances(&server, &key);
        booked(&server, &key, 1, &json!([{"kind": "existing", "entryId": entry}]));
        assert_eq!(balances(&server, &key), before);
        let refused = |code: &str| [("/allocations/0/entryId".to_owned(), code.to_owned())];
        assert_eq!(book(&server, &key, 2, &json!([{"kind": "existing", "entryId": entry}])).faults(), refused("already_linked"));
        let other = created(&server, &key, "transfers", &json!({"date": "2026-03-09", "from": "1101", "to": "1110", "amount": 71}));
        assert_eq!(book(&server, &key, 2, &json!([{"kind": "existing", "entryId": other["entryIds"][0]}])).faults(), refused("not_this_amount"));
        let elsewhere = created(&server, &key, "transfers", &json!({"date": "2026-03-09", "from": "1100", "to": "1110", "amount": 70}));
        assert_eq!(book(&server, &key, 2, &json!([{"kind": "existing", "entryId": elsewhere["entryIds"][0]}])).faults(), refused("wrong_bank_account"));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        // Undoing the line only unties it; undoing the transfer makes the line new.
        assert_eq!(undo(&server, &key, 1).status, 200);
        assert_eq!(balances(&server, &key)[0], ("1100".to_owned(), "-7000".to_owned()));
        booked(&server, &key, 1, &json!([{"kind": "existing", "entryId": entry}]));
        assert_eq!(server.post(&key, &format!("/api/v1/transfers/{}/undo", transfer["id"]), &json!({})).status, 200);
        assert_eq!(server.get(&key, &format!("{LINES}/1")).json()["state"], json!("new"));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_transfer_books_the_lines_of_both_accounts(engine) {
        let (server, key) = with_lines(engine, &[-7_000]);
        let feed = json!({"bankAccountId": 2, "from": "2026-03-11", "to": "2026-03-11", "lines": [{"date": "2026-03-11", "amount": 70}]});
        assert_eq!(server.post(&key, "/api/v1/bank-statements", &feed).status, 201);
        let unfit = book(&server, &key, 1, &json!([{"kind": "transfer", "bankAccountId": 2, "lineId": 1}]));
        assert_eq!(unfit.faults(), [("/allocations/0/lineId".to_owned(), "unknown_value".to_owned())]);
        let itself = book(&server, &key, 1, &json!([{"kind": "transfer", "bankAccountId": 6}]));
        assert_eq!(itself.faults(), [("/allocations/0/bankAccountId".to_owned(), "unknown_value".to_owned())]);
        booked(&server, &key, 1, &json!([{"kind": "transfer", "bankAccountId": 2, "lineId": 2}]));
        assert_eq!(server.get(&key, &format!("{LINES}/2")).json()["state"], json!("booked"));
        assert_eq!(balances(&server, &key), expected(&[("1101", "-7000"), ("1110", "7000")]));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        assert_eq!(undo(&server, &key, 2).status, 200);
        assert_eq!(server.get(&key, &format!("{LINES}/1")).json()["state"], json!("new"));
        assert_eq!(balances(&server, &key), expected(&[]));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_booking_is_repeated_by_its_external_id(engine) {
        let (server, key) = with_lines(engine, &[-450, -500]);
        let body = json!({"externalId": "b-1", "allocations": [{"kind": "bankCosts"}]});
        let call = |id: i64| server.post(&key, &format!("{LINES}/{id}/book"), &body);
        let first = call(1);
        assert_eq!((first.status, first.header("idempotent-replay")), (200, None), "{}", first.text);
        let again = call(1);
        assert_eq!((again.status, again.header("idempotent-replay"), &again.text), (200, Some("true"), &first.text));
        let found = server.get(&key, &format!("{LINES}?externalId=b-1")).json();
        assert_eq!(json!([found["data"][0]["id"], found["data"].as_array().unwrap().len()]), json!([1, 1]));
        // With another body, even an invalid one, the line is returned as it is.
        for allocations in [json!([{"kind": "interest"}]), json!([{"kind": "none"}])] {
            let other = json!({"externalId": "b-1", "allocations": allocations});
            let other = server.post(&key, &format!("{LINES}/1/book"), &other);
            assert_eq!((other.status, other.header("idempotent-replay-differs"), &other.text), (200, Some("true"), &first.text));
        }
        // On another line it is taken, until the first is undone.
        let taken = [("/externalId".to_owned(), "taken".to_owned())];
        assert_eq!(call(2).faults(), taken);
        assert_eq!(server.get(&key, &format!("{LINES}/2")).json()["state"], json!("new"));
        assert_eq!(undo(&server, &key, 1).status, 200);
        assert_eq!((call(2).status, call(1).faults()), (200, taken.to_vec()));
        assert_eq!(call(2).header("idempotent-replay-differs"), None);
        assert_eq!(undo(&server, &key, 2).status, 200);
        let ignored = server.post(&key, &format!("{LINES}/2/ignore"), &json!({"reason": "other"}));
        assert_eq!(ignored.status, 200);
        assert_eq!(book(&server, &key, 2, &json!([{"kind": "bankCosts"}])).code(), "line_ignored");
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn loans_are_repaid_and_payouts_arrive_by_lines(engine) {
        let (server, key) = with_lines(engine, &[100_000, -11_000, 9_800]);
        let line = booked(&server, &key, 1, &json!([{"kind": "loan", "account": "0700"}]));
        let loan = &line["allocations"][0]["targetId"];
        booked(&server, &key, 2, &json!([{"kind": "loanRepayment", "loanId": loan, "interest": 10}]));
        booked(&server, &key, 3, &json!([{"kind": "payout", "fee": 2, "provider": "Mollie"}]));
        assert_eq!(
            balances(&server, &key),
            expected(&[("0700", "-90000"), ("1101", "98800"), ("1130", "-10000"), ("4600", "1000"), ("4610", "200")])
        );
        assert_eq!(undo(&server, &key, 1).code(), "has_parts");
        assert_eq!(server.get(&key, &format!("{LINES}/1")).json()["state"], json!("booked"));
        for id in [3, 2, 1] {
            assert_eq!(undo(&server, &key, id).status, 200);
        }
        assert_eq!(balances(&server, &key), expected(&[]));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }
}
