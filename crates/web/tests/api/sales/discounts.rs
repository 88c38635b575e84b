//! Units and discounts of lines, discounts on all lines, numbers of the customer, and languages.

use crate::help::{cents, patch};
use serde_json::{Value, json};
use testing::{Reply, Server, on_both_engines};

const INVOICES: &str = "/api/v1/invoices";

fn with_books(engine: testing::Engine) -> (Server, String) {
    let server = Server::start(engine);
    let key = server.account("anna@example.com");
    (server, key)
}

fn invoice(items: &Value, more: &Value) -> Value {
    let mut body =
        json!({"invoiceDate": "2026-02-10", "customer": {"name": "Korenaar"}, "items": items});
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

fn made(reply: &Reply) -> Value {
    assert_eq!(reply.status, 201, "{}", reply.text);
    reply.json()
}

fn amounts<const N: usize>(value: &Value, fields: [&str; N]) -> [i64; N] {
    fields.map(|field| cents(&value[field]))
}

fn code_at(reply: &Reply, field: &str) -> String {
    assert_eq!(reply.status, 422, "{}", reply.text);
    let fault = reply.faults().into_iter().find(|(path, _)| path == field);
    fault.unwrap_or_else(|| panic!("{}", reply.text)).1
}

on_both_engines! {
    fn discounts_lower_the_amounts_on_which_vat_is_due(engine) {
        let (server, key) = with_books(engine);
        // Each case: lines, fields of the invoice, and linesTotal, discountAmount, subtotal, VAT and
        // total.
        let line = |price: f64, rate: i64, more: Value| {
            let mut line = json!({"description": "Work", "unitPrice": price, "vatRate": rate});
            for (name, value) in more.as_object().unwrap() {
                line[name] = value.clone();
            }
            line
        };
        let none = json!({});
        let cases = [
            (json!([line(100.0, 21, json!({"quantity": 8, "unit": "hour", "discountPercent": 10}))]),
                none.clone(), [72_000, 0, 72_000, 15_120, 87_120]),
            (json!([line(100.0, 21, json!({"discountAmount": 12.34}))]), none.clone(),
                [8_766, 0, 8_766, 1_841, 10_607]),
            // Half a cent is rounded away from zero.
            (json!([line(0.05, 21, json!({"discountPercent": 10}))]), none,
                [4, 0, 4, 1, 5]),
            (json!([line(100.0, 21, json!({})), line(50.0, 9, json!({}))]), json!({"discountPercent": 10}),
                [15_000, 1_500, 13_500, 2_295, 15_795]),
            // 10.00 over 66.66 and 33.34: 6.666 and 3.334, the cent to the largest remainder.
            (json!([line(66.66, 21, json!({})), line(33.34, 9, json!({}))]), json!({"discountAmount": 10}),
                [10_000, 1_000, 9_000, 1_530, 10_530]),
            (json!([line(121.0, 21, json!({"discountPercent": 10}))]),
                json!({"discountAmount": 8.90, "pricesIncludeVat": true}),
                [10_890, 890, 8_264, 1_736, 10_000]),
            (json!([line(100.0, 21, json!({"discountPercent": 100}))]), json!({}), [0, 0, 0, 0, 0]),
            (json!([line(100.0, 21, json!({})), line(-20.0, 21, json!({}))]), json!({"discountPercent": 50}),
                [8_000, 4_000, 4_000, 840, 4_840]),
        ];
        for (items, more, expected) in cases {
            let body = invoice(&items, &more);
            let draft = made(&server.post(&key, INVOICES, &body));
            let fields = ["linesTotal", "discountAmount", "subtotal", "vatTotal", "total"];
            assert_eq!(amounts(&draft, fields), expected, "{body}");
            let path = format!("{INVOICES}/{}", draft["id"]);
            assert_eq!(server.get(&key, &path).json(), draft);
            // A quote has the same amounts.
            let mut quote = body.clone();
            let fields_of_quote = quote.as_object_mut().unwrap();
            fields_of_quote.remove("invoiceDate");
            quote["quoteDate"] = json!("2026-02-10");
            let quote = made(&server.post(&key, "/api/v1/quotes", &quote));
            assert_eq!(amounts(&quote, fields), expected, "{body}");
            assert_eq!(quote["items"], draft["items"]);
        }
        assert_eq!(server.discrepancies("anna@example.com"), [""; 0]);
    }

    fn a_line_tells_its_unit_and_its_discount(engine) {
        let (server, key) = with_books(engine);
        let items = json!([
            {"description": "Work", "quantity": 8, "unit": "hour", "unitPrice": 100, "vatRate": 21, "discountPercent": 12.5},
            {"description": "Boxes", "quantity": 3, "unit": "doos", "unitPrice": 10, "vatRate": 9, "discountAmount": 1.50},
            {"description": "Back", "quantity": -1, "unitPrice": 5, "vatRate": 9, "discountAmount": 0},
        ]);
        let draft = made(&server.post(&key, INVOICES, &invoice(&items, &json!({}))));
        let of = |place: usize| draft["items"][place].clone();
        assert_eq!((&of(0)["unit"], &of(1)["unit"], &of(2)["unit"]), (&json!("hour"), &json!("doos"), &Value::Null));
        assert_eq!(of(0)["discountPercent"], json!(12.5));
        assert_eq!(of(1)["discountPercent"], Value::Null);
        let fields = ["grossAmount", "discountAmount", "amount"];
        assert_eq!(amounts(&of(0), fields), [80_000, 10_000, 70_000]);
        assert_eq!(amounts(&of(1), fields), [3_000, 150, 2_850]);
        assert_eq!(amounts(&of(2), fields), [-500, 0, -500]);
        assert_eq!(of(0)["invoiceItem"], Value::Null);
        // Revenue is booked net of the discounts.
        let entry = server.get(&key, &format!("/api/v1/entries/{}", draft["entryIds"][0])).json();
        let revenue: i64 = entry["lines"].as_array().unwrap().iter()
            .filter(|line| line["accountCode"].as_str().is_some_and(|account| account.starts_with('8')))
            .map(|line| cents(&line["credit"])).sum();
        assert_eq!(revenue, cents(&draft["subtotal"]));
    }

    fn impossible_discounts_are_refused(engine) {
        let (server, key) = with_books(engine);
        let line = |more: Value| {
            let mut line = json!({"description": "Work", "quantity": 2, "unitPrice": 10, "vatRate": 21});
            for (name, value) in more.as_object().unwrap() {
                line[name] = value.clone();
            }
            json!([line])
        };
        let cases = [
            (line(json!({"discountPercent": 10, "discountAmount": 1})), json!({}), "/items/0/discountAmount", "conflicting_fields"),
            (line(json!({"discountPercent": 101})), json!({}), "/items/0/discountPercent", "out_of_range"),
            (line(json!({"discountPercent": -1})), json!({}), "/items/0/discountPercent", "out_of_range"),
            (line(json!({"discountPercent": 10.12345})), json!({}), "/items/0/discountPercent", "too_many"),
            (line(json!({"discountAmount": 20.01})), json!({}), "/items/0/discountAmount", "out_of_range"),
            (line(json!({"discountAmount": -1})), json!({}), "/items/0/discountAmount", "out_of_range"),
            (line(json!({"quantity": -2, "discountPercent": 10})), json!({}), "/items/0/discountPercent", "out_of_range"),
            (line(json!({"quantity": -2, "discountAmount": 1})), json!({}), "/items/0/discountAmount", "out_of_range"),
            (line(json!({"unit": "x".repeat(21)})), json!({}), "/items/0/unit", "too_long"),
            (line(json!({})), json!({"discountPercent": 10, "discountAmount": 1}), "/discountAmount", "conflicting_fields"),
            (line(json!({})), json!({"discountPercent": 100.1}), "/discountPercent", "out_of_range"),
            (line(json!({})), json!({"discountAmount": -1}), "/discountAmount", "out_of_range"),
            (line(json!({})), json!({"discountAmount": 20.01}), "/items", "negative_vat_group"),
            (line(json!({"quantity": 0})), json!({"discountAmount": 1}), "/discountAmount", "out_of_range"),
            (line(json!({})), json!({"discountDescription": "x".repeat(101)}), "/discountDescription", "too_long"),
            (line(json!({})), json!({"orderNumber": "x".repeat(101)}), "/orderNumber", "too_long"),
            (line(json!({})), json!({"buyerReference": "x".repeat(101)}), "/buyerReference", "too_long"),
            (line(json!({})), json!({"language": "fr"}), "/language", "unknown_value"),
        ];
        for (items, more, field, code) in cases {
            let body = invoice(&items, &more);
            let reply = server.post(&key, INVOICES, &body);
            assert_eq!(code_at(&reply, field), code, "{body}: {}", reply.text);
        }
    }

    fn a_credit_note_takes_the_share_of_each_line(engine) {
        let (server, key) = with_books(engine);
        for gross in [false, true] {
            let items = json!([
                {"description": "Work", "quantity": 3, "unit": "hour", "unitPrice": 10, "vatRate": 21, "discountPercent": 10},
                {"description": "Work", "quantity": 3, "unitPrice": 10, "vatRate": 21},
                {"description": "Book", "quantity": 1, "unitPrice": 33.33, "vatRate": 9},
            ]);
            let more = json!({"status": "sent", "discountAmount": 10, "discountDescription": "Hello", "orderNumber": "PO 9",
                "pricesIncludeVat": gross});
            let sold = made(&server.post(&key, INVOICES, &invoice(&items, &more)));
            let path = format!("{INVOICES}/{}/credit-notes", sold["id"]);
            let credit = |items: Value| server.post(&key, &path, &json!({"date": "2026-02-11", "items": items}));
            // 27.00, 30.00 and 33.33 less 2.99, 3.32 and 3.69.
            let first = made(&credit(json!([{"invoiceItem": 1, "quantity": 1}])));
            let item = &first["items"][0];
            assert_eq!((&item["description"], &item["unit"], &item["invoiceItem"]), (&json!("Work"), &json!("hour"), &json!(1)));
            let asked = if gross { "amountInclVat" } else { "amount" };
            assert_eq!(amounts(item, ["grossAmount", "discountAmount", asked]), [-1_000, -200, -800]);
            assert_eq!((&first["discountAmount"], &first["orderNumber"]), (&json!(0.0), &json!("PO 9")));
            // The rest of the line, and a part of the second one, which has the same words.
            let second = made(&credit(json!([{"invoiceItem": 1}, {"invoiceItem": 2, "quantity": 1, "description": "Less"}])));
            let of = |place: usize| cents(&second["items"][place][asked]);
            let (rest, part) = (of(0), of(1));
            assert_eq!((cents(&second["items"][0]["grossAmount"]), &second["items"][1]["description"]), (-2_000, &json!("Less")));
            for (items, field, code) in [
                (json!([{"invoiceItem": 1}]), "/items/0/quantity", "out_of_range"),
                (json!([{"invoiceItem": 2, "quantity": 3}]), "/items/0/quantity", "out_of_range"),
                (json!([{"invoiceItem": 4}]), "/items/0/invoiceItem", "out_of_range"),
                (json!([{"invoiceItem": 0}]), "/items/0/invoiceItem", "out_of_range"),
                (json!([{"invoiceItem": 2, "unitPrice": 9}]), "/items/0/unitPrice", "conflicting_fields"),
                (json!([{"invoiceItem": 2, "vatRate": 9}]), "/items/0/vatRate", "conflicting_fields"),
                (json!([{"invoiceItem": 2, "amount": 9}]), "/items/0/amount", "conflicting_fields"),
                (json!([{"quantity": 1}]), "/items/0/unitPrice", "required"),
            ] {
                assert_eq!(code_at(&credit(items.clone()), field), code, "{items}");
            }
            // Today's form finds the line by its words and its price.
            let third = made(&credit(json!([{"description": "Book", "unitPrice": 33.33, "vatRate": 9}])));
            let book = cents(&third["items"][0][asked]);
            // Without lines, what is left.
            let last = made(&server.post(&key, &path, &json!({"date": "2026-02-11"})));
            let others: i64 = last["items"].as_array().unwrap().iter().map(|item| cents(&item[asked])).sum();
            let lines: i64 = ["linesTotal"].map(|field| cents(&sold[field])).iter().sum();
            assert_eq!(-800 + rest + part + book + others, 1_000 - lines);
            let after = server.get(&key, &format!("{INVOICES}/{}", sold["id"])).json();
            assert_eq!(amounts(&after, ["amountCredited", "amountDue"]), [cents(&sold["total"]), 0]);
        }
        assert_eq!(server.discrepancies("anna@example.com"), [""; 0]);
    }

    fn numbers_and_the_language_are_free_while_a_draft(engine) {
        let (server, key) = with_books(engine);
        let items = json!([{"description": "Work", "unitPrice": 100, "vatRate": 21}]);
        let more = json!({"customer": {"name": "Webhaus", "language": "en", "email": "post@webhaus.example"}});
        let draft = made(&server.post(&key, INVOICES, &invoice(&items, &more)));
        assert_eq!(draft["language"], json!("en"));
        let path = format!("{INVOICES}/{}", draft["id"]);
        let edit = |body: &Value| {
            let reply = patch(&server, &key, &path, &[], body);
            assert_eq!(reply.status, 200, "{}", reply.text);
            reply.json()
        };
        let edited = edit(&json!({"language": "nl", "orderNumber": "PO 9", "buyerReference": "Department 12",
            "discountPercent": 10, "discountDescription": "Hello"}));
        let given = ["language", "orderNumber", "buyerReference", "discountPercent", "discountDescription"];
        assert_eq!(given.map(|field| edited[field].clone()),
            [json!("nl"), json!("PO 9"), json!("Department 12"), json!(10), json!("Hello")]);
        assert_eq!(cents(&edited["subtotal"]), 9_000);
        let kept = edit(&json!({"notes": "Thank you"}));
        assert_eq!(given.map(|field| &kept[field]), given.map(|field| &edited[field]));
        let amount = edit(&json!({"discountAmount": 25}));
        assert_eq!((&amount["discountPercent"], cents(&amount["subtotal"])), (&Value::Null, 7_500));
        let bare = edit(&json!({"language": null, "orderNumber": null, "buyerReference": null, "discountAmount": null,
            "discountDescription": null}));
        assert_eq!(given.map(|field| bare[field].clone()),
            [json!("en"), Value::Null, Value::Null, Value::Null, Value::Null]);
        assert_eq!(cents(&bare["subtotal"]), 10_000);
        // The mail that sends the draft sets the language.
        let sent = server.post(&key, &format!("{path}/send"), &json!({"language": "nl"}));
        assert_eq!(sent.status, 202, "{}", sent.text);
        let sent = server.get(&key, &path).json();
        assert_eq!((&sent["status"], &sent["language"]), (&json!("sent"), &json!("nl")));
        assert_eq!(server.discrepancies("anna@example.com"), [""; 0]);
    }

    fn a_quote_passes_its_discounts_and_numbers_on(engine) {
        let (server, key) = with_books(engine);
        let body = json!({"quoteDate": "2026-03-10", "customer": {"name": "Korenaar"}, "discountAmount": 30, "orderNumber": "PO 9",
            "language": "en", "items": [
                {"description": "Work", "quantity": 2, "unit": "day", "unitPrice": 500, "vatRate": 21, "discountPercent": 10},
                {"description": "Book", "unitPrice": 100, "vatRate": 9}]});
        let quote = made(&server.post(&key, "/api/v1/quotes", &body));
        let path = format!("/api/v1/quotes/{}", quote["id"]);
        assert_eq!(quote["language"], json!("en"));
        assert_eq!(server.post(&key, &format!("{path}/mark-sent"), &json!({})).status, 200);
        let part = made(&server.post(&key, &format!("{path}/invoice"), &json!({"kind": "prepayment", "percent": 30,
            "status": "sent", "invoiceDate": "2026-03-10"})));
        // A part of what is left after the discounts, per rate: 30 % of 873.00.
        assert_eq!(amounts(&part["vat"][0], ["base"]), [26_190]);
        assert_eq!(amounts(&part, ["discountAmount"]), [0]);
        let last = made(&server.post(&key, &format!("{path}/invoice"), &json!({"kind": "final", "invoiceDate": "2026-03-11"})));
        assert_eq!(cents(&last["total"]) + cents(&part["total"]), cents(&quote["total"]));
        assert_eq!((&last["orderNumber"], &last["language"]), (&json!("PO 9"), &json!("en")));
        assert_eq!(amounts(&last, ["discountAmount"]), amounts(&quote, ["discountAmount"]));
        assert_eq!(last["items"][0]["unit"], json!("day"));
        assert_eq!(server.discrepancies("anna@example.com"), [""; 0]);
    }

    fn a_dry_run_has_the_discounts_too(engine) {
        let (server, key) = with_books(engine);
        let items = json!([{"description": "Work", "unitPrice": 100, "vatRate": 21, "discountPercent": 10}]);
        let body = invoice(&items, &json!({"discountPercent": 10, "language": "en"}));
        let reply = server.post(&key, &format!("{INVOICES}?dryRun=true"), &body);
        assert_eq!(reply.status, 200, "{}", reply.text);
        let preview = reply.json();
        assert_eq!(amounts(&preview, ["linesTotal", "discountAmount", "subtotal", "total"]), [9_000, 900, 8_100, 9_801]);
        assert_eq!(preview["language"], json!("en"));
    }
}
