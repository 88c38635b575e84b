//! Assets and mileage over the API, with the entries that an accountant expects.

use crate::{
    help::ids,
    purchases::expenses::{act, postings, started},
    tax::filing_and_paying::filing_key,
};
use serde_json::{Value, json};
use store::keys::Scopes;
use testing::on_both_engines;

on_both_engines! {
    fn all_assets_are_depreciated_up_to_the_end_of_next_year(engine) {
        let (server, key) = started(engine);
        let until = |day: &str| {
            server.post(&key, "/api/v1/assets/depreciate", &json!({"until": day}))
        };
        assert_eq!(until("2027-12-31").status, 200);
        for day in ["2028-01-01", "2099-12-31"] {
            assert_eq!(until(day).faults(), [("/until".to_owned(), "out_of_range".to_owned())]);
        }
    }

    fn an_asset_is_bought_depreciated_and_sold(engine) {
        let (server, key) = started(engine);
        server.clock.set("2028-02-01T10:00:00Z");
        let laptop = json!({"externalId": "laptop", "date": "2026-01-15", "description": "Laptop", "account": "0200", "cost": 1899, "residualValue": 189.90, "lifeYears": 5});
        let reply = server.post(&key, "/api/v1/assets", &laptop);
        assert_eq!(
            (reply.status, &reply.json()["bookValue"]),
            (201, &json!(1899.00)),
            "{}",
            reply.text
        );
        assert_eq!(
            postings(&server, &key, &json!(1)),
            ["0200 D 189900", "1500 D 39879 5b", "1100 C 229779"]
        );
        let again = server.post(&key, "/api/v1/assets", &json!({"externalId": "laptop"}));
        assert_eq!((again.status, again.json()), (200, reply.json()));
        let depreciate = |until: &str| {
            server.post(&key, "/api/v1/assets/1/depreciate", &json!({"until": until})).json()
        };
        assert_eq!(depreciate("2026-12-31")["depreciated"], json!(341.82));
        assert_eq!(postings(&server, &key, &json!(2)), ["4500 D 34182", "0210 C 34182"]);
        // Depreciating up to an earlier day books nothing.
        assert_eq!(depreciate("2026-12-01")["entryIds"], json!([1, 2]));
        assert_eq!(depreciate("2027-12-31")["bookValue"], json!(1215.36));
        let bill = server.get(&key, "/api/v1/expenses/1").json();
        assert_eq!((&bill["assetId"], &bill["items"][0]["category"]), (&json!(1), &json!("0200")));
        assert_eq!(act(&server, &key, "/api/v1/expenses/1/undo").code(), "is_an_asset");
        let early = server.post(&key, "/api/v1/assets/1/dispose", &json!({"date": "2027-11-30"}));
        assert_eq!(early.faults(), [("/date".to_owned(), "out_of_range".to_owned())]);
        let sold = server.post(
            &key,
            "/api/v1/assets/1/dispose",
            &json!({"date": "2028-01-10", "proceeds": 500}),
        );
        assert_eq!(
            (sold.status, &sold.json()["status"], &sold.json()["bookValue"]),
            (200, &json!("disposed"), &json!(0.00)),
            "{}",
            sold.text
        );
        let expected = [
            "1100 D 60500",
            "0210 D 68364",
            "4530 D 121536",
            "0200 C 189900",
            "4530 C 50000 1a",
            "1700 C 10500 1a",
        ];
        assert_eq!(postings(&server, &key, &json!(4)), expected);
        assert_eq!(
            server
                .post(&key, "/api/v1/assets/1/depreciate", &json!({"until": "2028-12-31"}))
                .code(),
            "already_disposed"
        );
        // Undoing step by step restores the cost of purchase.
        for (value, until) in
            [(1215.36, json!("2027-12-31")), (1557.18, json!("2026-12-31")), (1899.00, Value::Null)]
        {
            let before = act(&server, &key, "/api/v1/assets/1/depreciate/undo").json();
            assert_eq!(
                (&before["status"], &before["bookValue"], &before["depreciatedUntil"]),
                (&json!("held"), &json!(value), &until)
            );
            assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
        }
        assert_eq!(act(&server, &key, "/api/v1/assets/1/depreciate/undo").code(), "not_found");
        let undone = act(&server, &key, "/api/v1/assets/1/undo");
        assert_eq!(
            (undone.status, &undone.json()["status"]),
            (200, &json!("undone")),
            "{}",
            undone.text
        );
        let balance = server.get(&key, "/api/v1/entries?year=2028").json();
        assert_eq!(balance["data"].as_array().unwrap().len(), 2, "{balance}");
        assert_eq!(server.get(&key, "/api/v1/assets/1").json(), undone.json());
        assert_eq!(ids(&server.get(&key, "/api/v1/assets").json()), [1]);
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    /// Depreciation is a cost in each year of use; a closed year gets no more entries (art. 3.30
    /// Wet IB 2001).
    fn each_year_has_its_own_depreciation(engine) {
        let (server, key) = started(engine);
        server.clock.set("2026-11-20T10:00:00Z");
        let buy = |day: &str| {
            let asset = json!({"date": day, "description": "Press", "account": "0200", "cost": 5000, "lifeYears": 5});
            assert_eq!(server.post(&key, "/api/v1/assets", &asset).status, 201);
        };
        let entries = |id: i64| {
            let done = server
                .post(
                    &key,
                    &format!("/api/v1/assets/{id}/depreciate"),
                    &json!({"until": "2026-12-31"}),
                )
                .json();
            let entries = done["entryIds"].as_array().unwrap()[1..].iter().map(|entry| {
                let day =
                    server.get(&key, &format!("/api/v1/entries/{entry}")).json()["date"].clone();
                format!("{} {}", day.as_str().unwrap(), postings(&server, &key, entry)[0])
            });
            entries.collect::<Vec<_>>()
        };
        buy("2024-07-01");
        assert_eq!(
            entries(1),
            ["2024-12-31 4500 D 50000", "2025-12-31 4500 D 100000", "2026-12-31 4500 D 100000"]
        );
        let undone = act(&server, &key, "/api/v1/assets/1/depreciate/undo").json();
        assert_eq!(
            (&undone["depreciated"], &undone["depreciatedUntil"]),
            (&json!(1500.00), &json!("2025-12-31"))
        );
        buy("2025-01-01");
        let closed = act(
            &server,
            &filing_key(&server, Scopes { read: true, write: true, file: true }),
            "/api/v1/years/2025/close",
        );
        assert_eq!(closed.status, 200, "{}", closed.text);
        assert_eq!(entries(2), ["2026-12-31 4500 D 200000"]);
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    /// An asset from the opening balance is not bought again, but depreciated, sold and undone like
    /// any other.
    fn an_asset_of_the_opening_balance_is_depreciated_further(engine) {
        let (server, key) = started(engine);
        server.clock.set("2026-12-31T10:00:00Z");
        let van = |more: Value| {
            let mut body = json!({"date": "2024-01-10", "description": "Van", "account": "0300", "cost": 12000, "lifeYears": 5, "openingDepreciated": 4800});
            body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            server.post(&key, "/api/v1/assets", &body)
        };
        let fault = |path: &str, code: &str| vec![(path.to_owned(), code.to_owned())];
        assert_eq!(van(json!({})).faults(), fault("/openingDepreciated", "out_of_range"));
        let balances = json!([{"account": "0300", "amount": 12000}, {"account": "0310", "amount": -4800}, {"account": "1100", "amount": 100}]);
        let opened = server.post(
            &key,
            "/api/v1/opening-balance",
            &json!({"date": "2026-01-01", "balances": balances}),
        );
        assert_eq!(opened.status, 201, "{}", opened.text);
        assert_eq!(van(json!({"date": "2026-01-02"})).faults(), fault("/date", "out_of_range"));
        for amount in [-1, 12001] {
            assert_eq!(
                van(json!({"openingDepreciated": amount})).faults(),
                fault("/openingDepreciated", "out_of_range")
            );
        }
        assert_eq!(
            van(json!({"residualValue": 8000})).faults(),
            fault("/openingDepreciated", "out_of_range")
        );
        let invented = json!({"date": "2026-02-01", "description": "Chair", "account": "0200", "cost": 1000, "vat": 1000.01});
        assert_eq!(
            server.post(&key, "/api/v1/assets", &invented).faults(),
            fault("/vat", "out_of_range")
        );
        let asset = van(json!({})).json();
        assert_eq!(
            (&asset["bookValue"], &asset["expenseId"], &asset["entryIds"]),
            (&json!(7200.00), &Value::Null, &json!([])),
            "{asset}"
        );
        assert_eq!(ids(&server.get(&key, "/api/v1/expenses").json()), Vec::<i64>::new());
        let undo = |path: &str| act(&server, &key, &format!("/api/v1/assets/1/{path}"));
        // Nothing is booked before the books begin.
        for (path, field) in [("depreciate", "until"), ("dispose", "date")] {
            let early = server.post(
                &key,
                &format!("/api/v1/assets/1/{path}"),
                &json!({field: "2025-12-31"}),
            );
            assert_eq!(
                early.faults(),
                fault(&format!("/{field}"), "out_of_range"),
                "{path}: {}",
                early.text
            );
        }
        assert_eq!(undo("depreciate/undo").status, 404);
        let done = server
            .post(&key, "/api/v1/assets/1/depreciate", &json!({"until": "2026-12-31"}))
            .json();
        assert_eq!(
            (&done["depreciated"], &done["bookValue"]),
            (&json!(7200.00), &json!(4800.00)),
            "{done}"
        );
        assert_eq!(
            postings(&server, &key, &done["entryIds"][0]),
            ["4510 D 240000", "0310 C 240000"]
        );
        assert_eq!(server.post(&key, "/api/v1/assets/1/vat-revision", &json!({})).status, 422);
        let sold = server
            .post(
                &key,
                "/api/v1/assets/1/dispose",
                &json!({"date": "2026-12-31", "proceeds": 5000}),
            )
            .json();
        let expected = [
            "1100 D 605000",
            "0310 D 720000",
            "4530 D 480000",
            "0300 C 1200000",
            "4530 C 500000 1a",
            "1700 C 105000 1a",
        ];
        assert_eq!(postings(&server, &key, &sold["entryIds"][1]).len(), expected.len());
        assert_eq!(undo("depreciate/undo").json()["status"], "held");
        let back = undo("depreciate/undo").json();
        assert_eq!(
            (&back["depreciated"], &back["depreciatedUntil"]),
            (&json!(4800.00), &Value::Null),
            "{back}"
        );
        assert_eq!(undo("undo").json()["status"], "undone");
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
        let sheet =
            server.get(&key, "/api/v1/summary/2026").json()["balanceSheet"]["total"].clone();
        assert_eq!(sheet, json!(7300.00));
    }

    /// Equipment of 20 000.00 with 4 200.00 of VAT, bought in 2025: a fifth of the VAT is adjusted
    /// each year, up to 2029.
    fn the_vat_on_an_asset_is_revised_when_the_small_businesses_scheme_begins_and_when_it_ends(engine) {
        let (server, key) = started(engine);
        server.clock.set("2028-02-01T10:00:00Z");
        let equipment = json!({"date": "2025-06-01", "description": "Camera", "account": "0200", "cost": 20000});
        assert_eq!(server.post(&key, "/api/v1/assets", &equipment).status, 201);
        let revise = |asset: i64, day: &str| {
            server.post(
                &key,
                &format!("/api/v1/assets/{asset}/vat-revision"),
                &json!({"date": day}),
            )
        };
        let refused = |asset: i64, day: &str| {
            assert_eq!(
                revise(asset, day).faults(),
                [("/date".to_owned(), "exceeds_outstanding".to_owned())],
                "{day}"
            )
        };
        // While the use of the asset is unchanged, no VAT is adjusted.
        refused(1, "2026-12-31");
        assert_eq!(
            server
                .post(&key, "/api/v1/vat-scheme", &json!({"scheme": "kor", "from": "2027-01-01"}))
                .status,
            200
        );
        refused(1, "2026-12-31");
        assert_eq!(revise(1, "2027-12-31").status, 200);
        assert_eq!(postings(&server, &key, &json!(2)), ["4450 D 84000", "1500 C 84000 5b"]);
        refused(1, "2027-10-01");
        let filing = server.get(&key, "/api/v1/vat-filings/2027/4").json();
        assert_eq!(filing["declaredPayable"], json!(840));
        // VAT on an asset bought under the scheme is deducted in part when the scheme ends.
        let van =
            json!({"date": "2027-02-01", "description": "Van", "account": "0300", "cost": 20000});
        assert_eq!(server.post(&key, "/api/v1/assets", &van).json()["cost"], json!(24200.00));
        assert_eq!(
            server
                .post(
                    &key,
                    "/api/v1/vat-scheme",
                    &json!({"scheme": "normal", "from": "2028-01-01"})
                )
                .status,
            200
        );
        refused(1, "2028-01-31");
        assert_eq!(revise(2, "2028-01-31").status, 200);
        assert_eq!(postings(&server, &key, &json!(4)), ["4450 C 84000", "1500 D 84000 5b"]);
        assert_eq!(act(&server, &key, "/api/v1/assets/2/undo").status, 200);
        assert_eq!(revise(2, "2029-01-31").code(), "already_undone");
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn an_invalid_asset_is_refused(engine) {
        let (server, key) = started(engine);
        let asset = json!({"date": "2026-01-15", "description": "Van", "cost": 100});
        let cases: [(Value, &[(&str, &str)]); 4] = [
            (
                json!({}),
                &[("/date", "required"), ("/description", "required"), ("/cost", "required")],
            ),
            (
                json!({"account": "4100", "residualValue": 101, "lifeYears": 4}),
                &[
                    ("/account", "unknown_value"),
                    ("/residualValue", "out_of_range"),
                    ("/lifeYears", "out_of_range"),
                ],
            ),
            (json!({"vatRate": 19}), &[("/vatRate", "unknown_vat_rate")]),
            (json!({"cost": -1}), &[("/cost", "out_of_range")]),
        ];
        for (place, (more, expected)) in cases.into_iter().enumerate() {
            let mut body = if place == 0 { json!({}) } else { asset.clone() };
            for (name, value) in more.as_object().unwrap() {
                body[name] = value.clone();
            }
            let expected: Vec<_> =
                expected.iter().map(|(at, code)| ((*at).to_owned(), (*code).to_owned())).collect();
            assert_eq!(server.post(&key, "/api/v1/assets", &body).faults(), expected, "{body}");
        }
        assert_eq!(server.get(&key, "/api/v1/assets/1").status, 404);
        for act in ["depreciate", "depreciate/undo", "dispose", "vat-revision", "undo"] {
            assert_eq!(
                server.post(&key, &format!("/api/v1/assets/1/{act}"), &json!({})).status,
                404,
                "{act}"
            );
        }
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn a_trip_is_booked_by_the_rate_of_its_year(engine) {
        let (server, key) = started(engine);
        let trip = json!({"externalId": "t", "date": "2026-02-10", "from": "Utrecht", "to": "Zwolle", "km": 120});
        let reply = server.post(&key, "/api/v1/mileage", &trip);
        assert_eq!(
            (reply.status, &reply.json()["rate"], &reply.json()["amount"]),
            (201, &json!(0.25), &json!(30.00)),
            "{}",
            reply.text
        );
        assert_eq!(postings(&server, &key, &json!(1)), ["4220 D 3000", "0510 C 3000"]);
        assert_eq!(server.post(&key, "/api/v1/mileage", &json!({"externalId": "t"})).status, 200);
        let older = json!({"date": "2025-02-10", "from": "Utrecht", "to": "Zwolle", "km": 120.5, "purpose": "Visit"});
        assert_eq!(server.post(&key, "/api/v1/mileage", &older).json()["amount"], json!(27.72));
        let refused = |more: Value| {
            let mut body = trip.clone();
            body["externalId"] = Value::Null;
            for (name, value) in more.as_object().unwrap() {
                body[name] = value.clone();
            }
            server.post(&key, "/api/v1/mileage", &body).faults()
        };
        let fault = |at: &str, code: &str| vec![(at.to_owned(), code.to_owned())];
        assert_eq!(refused(json!({"km": 0})), fault("/km", "out_of_range"));
        assert_eq!(refused(json!({"km": 1.234})), fault("/km", "too_many"));
        assert_eq!(refused(json!({"date": "2010-01-01"})), fault("/date", "out_of_range"));
        assert_eq!(refused(json!({"projectId": 5})), fault("/projectId", "unknown_project"));
        assert_eq!(ids(&server.get(&key, "/api/v1/mileage?from=2026-01-01").json()), [1]);
        let undone = act(&server, &key, "/api/v1/mileage/1/undo");
        assert_eq!((undone.status, &undone.json()["status"]), (200, &json!("undone")));
        assert_eq!(act(&server, &key, "/api/v1/mileage/1/undo").json(), undone.json());
        assert_eq!(server.get(&key, "/api/v1/mileage/1").json(), undone.json());
        assert_eq!(ids(&server.get(&key, "/api/v1/mileage").json()), [2, 1]);
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }
}
