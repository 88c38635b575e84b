//! Transfers between two bank accounts with statements: each line books its half, on its own day.

use super::bank_booking::{EMAIL, LINES, balances, booked, created, expected, undo, with_lines};
use serde_json::{Value, json};
use testing::{Server, on_both_engines};

/// Takes a line of the savings account (2, 1110); returns its id.
fn savings_line(server: &Server, key: &str, date: &str, euros: i64) -> i64 {
    let feed = json!({"bankAccountId": 2, "from": date, "to": date, "lines": [{"date": date, "amount": euros, "bankReference": format!("{date} {euros}")}]});
    let reply = server.post(key, "/api/v1/bank-statements", &feed);
    assert_eq!(reply.status, 201, "{}", reply.text);
    server.get(key, &format!("{LINES}?bankAccountId=2&limit=1")).json()["data"][0]["id"]
        .as_i64()
        .unwrap()
}

fn line(server: &Server, key: &str, id: i64) -> Value {
    server.get(key, &format!("{LINES}/{id}")).json()
}

fn transfer(server: &Server, key: &str, id: &Value) -> Value {
    server.get(key, &format!("/api/v1/transfers/{id}")).json()
}

/// The transfer's dates, whether a half is awaited, and its number of entries.
fn state(server: &Server, key: &str, id: &Value) -> Value {
    let of = transfer(server, key, id);
    json!([of["date"], of["arrived"], of["awaited"], of["entryIds"].as_array().unwrap().len()])
}

fn to(bank_account: i64) -> Value {
    json!([{"kind": "transfer", "bankAccountId": bank_account}])
}

fn settled(server: &Server) {
    assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
}

on_both_engines! {
    fn the_other_half_of_a_transfer_is_awaited(engine) {
        let (server, key) = with_lines(engine, &[-7_000, 7_000]);
        savings_line(&server, &key, "2026-01-05", 1);
        let first = booked(&server, &key, 1, &to(2));
        let id = &first["transferId"];
        assert_eq!(state(&server, &key, id), json!(["2026-03-10", "2026-03-10", true, 1]));
        let own = &first["allocations"][0];
        assert_eq!(json!([own["targetId"], own["bankAccountId"], own["invoiceId"]]), json!([id, 2, null]));
        assert_eq!(balances(&server, &key), expected(&[("1101", "-7000"), ("1190", "7000")]));
        settled(&server);
        // Another amount is another transfer; so is one of eleven days later.
        for (day, euros) in [("2026-03-11", 71), ("2026-03-21", 70)] {
            let other = savings_line(&server, &key, day, euros);
            assert_ne!(booked(&server, &key, other, &to(6))["transferId"], *id);
            assert_eq!(undo(&server, &key, other).status, 200);
        }
        let second = savings_line(&server, &key, "2026-03-12", 70);
        let completed = booked(&server, &key, second, &to(6));
        assert_eq!(completed["transferId"], *id);
        assert_eq!(state(&server, &key, id), json!(["2026-03-10", "2026-03-12", false, 2]));
        assert_eq!(balances(&server, &key), expected(&[("1101", "-7000"), ("1110", "7000")]));
        settled(&server);
        // Each entry belongs to the line of its bank account.
        let entries = transfer(&server, &key, id)["entryIds"].clone();
        for (entry, line) in [(&entries[0], 1), (&entries[1], second)] {
            assert_eq!(server.get(&key, &format!("/api/v1/entries/{entry}")).json()["bankLineId"], json!(line));
        }
        // Undoing one half undoes the transfer, and makes both lines new.
        assert_eq!(undo(&server, &key, 1).status, 200);
        for id in [1, second] {
            assert_eq!(json!([line(&server, &key, id)["state"], line(&server, &key, id)["transferId"]]), json!(["new", null]));
        }
        assert_eq!(balances(&server, &key), expected(&[]));
        settled(&server);
        // The money can arrive first, and each bank has a date of its own.
        let first = booked(&server, &key, second, &to(6));
        let id = &first["transferId"];
        assert_eq!(state(&server, &key, id), json!(["2026-03-12", "2026-03-12", true, 1]));
        assert_eq!(balances(&server, &key), expected(&[("1110", "7000"), ("1190", "-7000")]));
        assert_eq!(booked(&server, &key, 1, &to(2))["transferId"], *id);
        assert_eq!(state(&server, &key, id), json!(["2026-03-10", "2026-03-12", false, 2]));
        settled(&server);
        assert_eq!(undo(&server, &key, second).status, 200);
        let back = savings_line(&server, &key, "2026-03-09", -70);
        assert_eq!(booked(&server, &key, 2, &to(2))["state"], json!("booked"));
        let id = booked(&server, &key, back, &to(6))["transferId"].clone();
        assert_eq!(state(&server, &key, &id), json!(["2026-03-09", "2026-03-10", false, 2]));
        // Undone as a transfer, both lines are new too.
        assert_eq!(server.post(&key, &format!("/api/v1/transfers/{id}/undo"), &json!({})).status, 200);
        assert_eq!(json!([line(&server, &key, 2)["state"], line(&server, &key, back)["state"]]), json!(["new", "new"]));
        settled(&server);
    }

    fn money_may_arrive_before_it_leaves(engine) {
        let (server, key) = with_lines(engine, &[-7_000]);
        let early = savings_line(&server, &key, "2026-03-08", 70);
        let both = json!([{"kind": "transfer", "bankAccountId": 2, "lineId": early}]);
        let id = booked(&server, &key, 1, &both)["transferId"].clone();
        assert_eq!(state(&server, &key, &id), json!(["2026-03-10", "2026-03-08", false, 2]));
        settled(&server);
        assert_eq!(undo(&server, &key, 1).status, 200);
        assert_eq!(state(&server, &key, &booked(&server, &key, early, &to(6))["transferId"]), json!(["2026-03-08", "2026-03-08", true, 1]));
        let id = booked(&server, &key, 1, &to(2))["transferId"].clone();
        assert_eq!(state(&server, &key, &id), json!(["2026-03-10", "2026-03-08", false, 2]));
        settled(&server);
    }

    fn undoing_a_half_undoes_all_of_both_lines(engine) {
        let (server, key) = with_lines(engine, &[-7_050]);
        let second = savings_line(&server, &key, "2026-03-10", 70);
        booked(&server, &key, 1, &json!([{"kind": "transfer", "bankAccountId": 2, "amount": 70}, {"kind": "bankCosts"}]));
        let id = booked(&server, &key, second, &to(6))["transferId"].clone();
        assert_eq!(balances(&server, &key), expected(&[("1101", "-7050"), ("1110", "7000"), ("4610", "50")]));
        // The transfer alone cannot be undone: its line has more.
        let alone = server.post(&key, &format!("/api/v1/transfers/{id}/undo"), &json!({}));
        assert_eq!(alone.code(), "booked_from_bank_line");
        assert!(alone.json()["detail"].as_str().unwrap().contains("bank line 1"), "{}", alone.text);
        settled(&server);
        assert_eq!(undo(&server, &key, second).status, 200);
        assert_eq!(line(&server, &key, 1)["state"], json!("new"));
        assert_eq!(balances(&server, &key), expected(&[]));
        settled(&server);
    }

    fn a_transfer_by_hand_is_tied_to_both_lines(engine) {
        let (server, key) = with_lines(engine, &[-7_000]);
        let second = savings_line(&server, &key, "2026-03-12", 70);
        let moved = json!({"date": "2026-03-10", "arrived": "2026-03-12", "from": "1101", "to": "1110", "amount": 70});
        let by_hand = created(&server, &key, "transfers", &moved);
        assert_eq!(by_hand["awaited"], json!(false));
        for (place, id) in [(0, 1), (1, second)] {
            let tied = booked(&server, &key, id, &json!([{"kind": "existing", "entryId": by_hand["entryIds"][place]}]));
            assert_eq!(tied["transferId"], by_hand["id"]);
        }
        settled(&server);
        assert_eq!(undo(&server, &key, 1).status, 200);
        assert_eq!(line(&server, &key, second)["state"], json!("booked"));
        assert_eq!(transfer(&server, &key, &by_hand["id"])["undoneAt"], json!(null));
        assert_eq!(server.post(&key, &format!("/api/v1/transfers/{}/undo", by_hand["id"]), &json!({})).status, 200);
        assert_eq!(line(&server, &key, second)["state"], json!("new"));
        settled(&server);
    }
}
