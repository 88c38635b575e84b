//! Articles, and lines of invoices and quotes that are filled from them.

use serde_json::{Value, json};
use testing::{Engine, Raw, Reply, Server, on_both_engines};

const EMAIL: &str = "anna@example.com";

fn started(engine: Engine) -> (Server, String) {
    let server = Server::start(engine);
    let key = server.account(EMAIL);
    (server, key)
}

fn make(server: &Server, key: &str, path: &str, body: &Value) -> Value {
    let made = server.post(key, &format!("/api/v1/{path}"), body);
    assert_eq!(made.status, 201, "{path} {body}: {}", made.text);
    made.json()
}

fn send(server: &Server, method: &str, key: &str, path: &str, body: &Value) -> Reply {
    let headers = [("x-api-key", key), ("content-type", "application/json")];
    let body = body.to_string();
    server.send(method, path, &headers, Some(body.as_bytes()))
}

fn patch(server: &Server, key: &str, path: &str, body: &Value) -> Reply {
    send(server, "PATCH", key, path, body)
}

/// Ids of the articles in a list.
fn ids(server: &Server, key: &str, query: &str) -> Vec<i64> {
    let list = server.get(key, &format!("/api/v1/articles{query}")).json();
    let rows = list["data"].as_array().unwrap_or_else(|| panic!("{list}")).iter();
    rows.map(|row| row["id"].as_i64().unwrap()).collect()
}

fn advice() -> Value {
    json!({
        "externalId": "p-1", "number": "A-100", "name": "Advies",
        "descriptions": {"nl": "Advies per uur", "en": "Advice per hour"}, "unit": "hour",
        "unitPrice": 95.5, "vatRate": 21, "supply": "services",
    })
}

/// The first line of an invoice of one line.
fn line(server: &Server, key: &str, customer: Value, gross: bool, item: Value) -> Value {
    let invoice = json!({"customer": customer, "pricesIncludeVat": gross, "items": [item]});
    make(server, key, "invoices", &invoice)["items"][0].clone()
}

on_both_engines! {
    fn an_article_is_made_edited_replaced_and_archived(engine) {
        let (server, key) = started(engine);
        let made = make(&server, &key, "articles", &advice());
        for (field, value) in advice().as_object().unwrap() {
            assert_eq!(made[field], *value, "{field}");
        }
        assert_eq!(
            json!([made["id"], made["pricesIncludeVat"], made["vatCategory"], made["exemption"], made["status"]]),
            json!([1, false, null, null, "active"])
        );
        // The same external id is the same article; the number belongs to one.
        let again = server.post(&key, "/api/v1/articles", &advice());
        assert_eq!((again.status, again.json()["id"].clone()), (200, json!(1)));
        let taken = server.post(&key, "/api/v1/articles", &json!({"name": "B", "number": "A-100"}));
        assert_eq!(taken.faults(), [("/number".into(), "taken".into())]);
        let other = make(&server, &key, "articles", &json!({"name": "Boek"}));
        assert_eq!(json!([other["unitPrice"], other["descriptions"]["nl"]]), json!([null, null]));
        let taken = patch(&server, &key, "/api/v1/articles/2", &json!({"number": "A-100"}));
        assert_eq!(taken.faults(), [("/number".into(), "taken".into())]);

        let edit = json!({"unitPrice": 99, "unit": null, "descriptions": {"en": null}});
        let edited = patch(&server, &key, "/api/v1/articles/1", &edit).json();
        assert_eq!(
            json!([edited["unitPrice"], edited["unit"], edited["descriptions"], edited["number"]]),
            json!([99, null, {"nl": "Advies per uur", "en": null}, "A-100"])
        );
        let put = send(&server, "PUT", &key, "/api/v1/articles/external/p-1", &json!({"name": "Advies", "vatRate": 9}));
        assert_eq!((put.status, put.json()["number"].clone()), (200, Value::Null));
        let put = send(&server, "PUT", &key, "/api/v1/articles/external/p-3", &json!({"name": "Reis"}));
        assert_eq!((put.status, put.json()["id"].clone()), (201, json!(3)));

        assert_eq!(ids(&server, &key, ""), [1, 2, 3]);
        assert_eq!(ids(&server, &key, "?q=BOE"), [2]);
        assert_eq!(ids(&server, &key, "?externalId=p-3"), [3]);
        let archived = server.send("DELETE", "/api/v1/articles/2", &[("x-api-key", &key)], None);
        assert_eq!((archived.status, archived.json()["status"].clone()), (200, json!("archived")));
        assert_eq!(ids(&server, &key, "?status=active"), [1, 3]);
        assert_eq!(ids(&server, &key, "?status=archived"), [2]);
        patch(&server, &key, "/api/v1/articles/2", &json!({"status": "active"}));
        assert_eq!(ids(&server, &key, "?status=active"), [1, 2, 3]);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn contradictions_of_an_article_are_rejected(engine) {
        let (server, key) = started(engine);
        for (fields, path, code) in [
            (json!({"name": ""}), "/name", "required"),
            (json!({"number": "x".repeat(41)}), "/number", "too_long"),
            (json!({"unit": "x".repeat(21)}), "/unit", "too_long"),
            (json!({"vatRate": 20.5}), "/vatRate", "unknown_vat_rate"),
            (json!({"vatRate": 21, "vatCategory": "exempt"}), "/vatCategory", "unknown_value"),
            (json!({"vatRate": 0, "vatCategory": "standard"}), "/vatCategory", "unknown_value"),
            (json!({"vatCategory": "standard"}), "/vatRate", "required"),
            (json!({"vatRate": 21, "exemption": "article11"}), "/exemption", "unknown_value"),
            (json!({"status": "gone"}), "/status", "unknown_value"),
            (json!({"discount": 1}), "/discount", "unknown_field"),
        ] {
            let mut body = json!({"name": "Work"});
            body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            let refused = server.post(&key, "/api/v1/articles", &body);
            assert_eq!(refused.faults(), [(path.into(), code.into())], "{fields}");
        }
        // An edit is checked together with what stays.
        make(&server, &key, "articles", &json!({"name": "Les", "vatRate": 0, "vatCategory": "exempt"}));
        let refused = patch(&server, &key, "/api/v1/articles/1", &json!({"vatRate": 21}));
        assert_eq!(refused.faults(), [("/vatCategory".into(), "unknown_value".into())]);
    }

    fn a_line_is_filled_from_its_article(engine) {
        let (server, key) = started(engine);
        make(&server, &key, "articles", &advice());
        let dutch = || json!({"name": "Klant"});
        let by_id = line(&server, &key, dutch(), false, json!({"articleId": 1, "quantity": 2}));
        assert_eq!(
            json!([by_id["description"], by_id["unitPrice"], by_id["vatRate"], by_id["amount"]]),
            json!(["Advies per uur", 95.5, 21, 191.0])
        );
        let english = json!({"name": "Client", "language": "en"});
        let by_number = line(&server, &key, english, false, json!({"articleNumber": "A-100"}));
        assert_eq!(by_number["description"], "Advice per hour");
        // What the line states, stays.
        let stated = json!({"articleId": 1, "description": "Spoed", "unitPrice": 120, "vatRate": 9});
        let stated = line(&server, &key, dutch(), false, stated);
        assert_eq!(
            json!([stated["description"], stated["unitPrice"], stated["vatRate"]]),
            json!(["Spoed", 120, 9])
        );
        // A line is a copy: neither a new price nor archiving changes it, and it can still be named.
        patch(&server, &key, "/api/v1/articles/1", &json!({"unitPrice": 1, "status": "archived"}));
        assert_eq!(server.get(&key, "/api/v1/invoices/1").json()["items"][0]["unitPrice"], 95.5);
        let later = line(&server, &key, dutch(), false, json!({"articleId": 1}));
        assert_eq!(later["unitPrice"], 1);
        // Quotes and edits of drafts too; a dry run makes nothing.
        let offer = json!({"customer": dutch(), "items": [{"articleId": 1}]});
        let quote = make(&server, &key, "quotes", &offer);
        assert_eq!(quote["items"][0]["description"], "Advies per uur");
        let edited = patch(&server, &key, "/api/v1/invoices/1", &json!({"items": [{"articleId": 1}]}));
        assert_eq!(edited.json()["items"][0]["unitPrice"], 1, "{}", edited.text);
        let dry = server.post(&key, "/api/v1/invoices?dryRun=true", &offer);
        assert_eq!((dry.status, dry.json()["items"][0]["unitPrice"].clone()), (200, json!(1)));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_line_needs_what_neither_it_nor_its_article_has(engine) {
        let (server, key) = started(engine);
        make(&server, &key, "articles", &json!({"number": "1", "name": "Maatwerk"}));
        for (item, faults) in [
            (json!({"articleId": 99}), vec![("/items/0/articleId", "unknown_article")]),
            (json!({"articleNumber": "99"}), vec![("/items/0/articleNumber", "unknown_article")]),
            (
                json!({"articleId": 1, "articleNumber": "1", "unitPrice": 1}),
                vec![("/items/0/articleNumber", "conflicting_fields")],
            ),
            (json!({"articleId": 1}), vec![("/items/0/unitPrice", "required")]),
            (
                json!({"quantity": 1}),
                vec![("/items/0/description", "required"), ("/items/0/unitPrice", "required")],
            ),
        ] {
            let body = json!({"customer": {"name": "Klant"}, "items": [item]});
            for path in ["invoices", "quotes"] {
                let refused = server.post(&key, &format!("/api/v1/{path}"), &body);
                let mut found = refused.faults();
                found.sort();
                let expected: Vec<(String, String)> =
                    faults.iter().map(|(path, code)| ((*path).into(), (*code).into())).collect();
                assert_eq!(found, expected, "{path} {body}");
            }
        }
        // Another account has no such article.
        let other = server.account("bob@example.com");
        let body = json!({"customer": {"name": "Klant"}, "items": [{"articleId": 1, "unitPrice": 1}]});
        let refused = server.post(&other, "/api/v1/invoices", &body);
        assert_eq!(refused.faults(), [("/items/0/articleId".into(), "unknown_article".into())]);
        assert_eq!(server.get(&key, "/api/v1/invoices").json()["data"], json!([]));
    }

    fn the_vat_of_an_article_comes_after_the_customer_and_the_law(engine) {
        let (server, key) = started(engine);
        make(&server, &key, "articles", &json!({"name": "Boek", "unitPrice": 10, "vatRate": 9, "supply": "goods"}));
        let exempt = json!({"name": "Les", "unitPrice": 10, "vatRate": 0, "vatCategory": "exempt", "exemption": "article11Counted"});
        make(&server, &key, "articles", &exempt);
        make(&server, &key, "articles", &json!({"name": "Werk", "unitPrice": 10}));
        let german = || json!({"name": "Webhaus GmbH", "country": "DE", "kind": "business"});
        let usual = |vat: Value| json!({"name": "Vast", "vatDefault": vat});
        for (customer, article, rate, category, supply) in [
            (json!({"name": "A"}), 1, 9, "standard", "goods"),
            (json!({"name": "A"}), 2, 0, "exempt", "services"),
            (json!({"name": "A"}), 3, 21, "standard", "services"),
            (german(), 1, 0, "intraCommunity", "goods"),
            (german(), 3, 0, "intraCommunity", "services"),
            (usual(json!({"vatRate": 21})), 1, 21, "standard", "goods"),
            (usual(json!({"vatRate": 9})), 3, 9, "standard", "services"),
        ] {
            let item = line(&server, &key, customer.clone(), false, json!({"articleId": article}));
            assert_eq!(
                json!([item["vatRate"], item["vatCategory"], item["supply"]]),
                json!([rate, category, supply]),
                "{customer} {article}"
            );
        }
        let counted = line(&server, &key, json!({"name": "A"}), false, json!({"articleId": 2}));
        assert_eq!(counted["exemption"], "article11Counted");
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_price_is_converted_to_the_prices_of_the_invoice(engine) {
        let (server, key) = started(engine);
        let gross = json!({"name": "Kaart", "unitPrice": 99.95, "pricesIncludeVat": true, "vatRate": 21});
        make(&server, &key, "articles", &gross);
        make(&server, &key, "articles", &json!({"name": "Netto", "unitPrice": 100, "vatRate": 9}));
        let dutch = || json!({"name": "Klant"});
        let german = json!({"name": "Webhaus GmbH", "country": "DE", "kind": "business"});
        for (customer, is_gross, item, price) in [
            (dutch(), true, json!({"articleId": 1}), "99.95"),
            (dutch(), false, json!({"articleId": 1}), "82.6033057851"),
            // The VAT that the price contains is that of the line or, if none is charged, that of
            // the article.
            (dutch(), false, json!({"articleId": 1, "vatRate": 9}), "91.6972477064"),
            (german, false, json!({"articleId": 1}), "82.6033057851"),
            (dutch(), false, json!({"articleId": 2}), "100"),
            (dutch(), true, json!({"articleId": 2}), "109"),
            (dutch(), true, json!({"articleId": 2, "unitPrice": 50}), "50"),
        ] {
            let shown = format!("{customer} {is_gross} {item}");
            let made = line(&server, &key, customer, is_gross, item);
            assert_eq!(made["unitPrice"].to_string(), price, "{shown}");
        }
        // The total of a net invoice is the price that includes VAT, to the cent.
        let body = json!({"customer": dutch(), "items": [{"articleId": 1}]});
        assert_eq!(make(&server, &key, "invoices", &body)["total"], 99.95);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn an_account_has_at_most_10_000_articles(engine) {
        let (server, key) = started(engine);
        make(&server, &key, "articles", &json!({"name": "First"}));
        let account = server.owner(EMAIL).actor.account;
        let raw = Raw::open(&server.database);
        let others = "WITH RECURSIVE n (id) AS (SELECT 2 UNION ALL SELECT id + 1 FROM n WHERE id < 10000)";
        let columns = "prices_include_vat, status, created_at, updated_at, folded";
        let same = columns.split(", ").map(|column| format!("a.{column}")).collect::<Vec<_>>().join(", ");
        raw.run(&format!(
            "INSERT INTO articles (account_id, id, name, {columns}) {others}
             SELECT a.account_id, n.id, 'Other', {same} FROM n, articles a WHERE a.account_id = {account} AND a.id = 1"
        ))
        .unwrap();
        raw.run(&format!("UPDATE books SET last_article = 10000 WHERE account_id = {account}")).unwrap();
        let refused = server.post(&key, "/api/v1/articles", &json!({"name": "Last"}));
        assert_eq!(refused.faults(), [(String::new(), "too_many".into())]);
        let put = send(&server, "PUT", &key, "/api/v1/articles/external/x", &json!({"name": "Last"}));
        assert_eq!(put.faults(), [(String::new(), "too_many".into())]);
        assert_eq!(patch(&server, &key, "/api/v1/articles/10000", &json!({"name": "Reis"})).status, 200);
    }

    fn the_feed_reports_articles_to_those_who_ask(engine) {
        let (server, key) = started(engine);
        make(&server, &key, "articles", &advice());
        patch(&server, &key, "/api/v1/articles/1", &json!({"unitPrice": 1}));
        patch(&server, &key, "/api/v1/articles/1", &json!({"unitPrice": 1}));
        assert_eq!(server.get(&key, "/api/v1/changes").json()["data"], json!([]));
        let rows = server.get(&key, "/api/v1/changes?types=article").json();
        let events: Vec<Value> = rows["data"].as_array().unwrap().iter()
            .map(|row| json!([row["type"], row["id"], row["change"]])).collect();
        assert_eq!(json!(events), json!([["article", 1, "created"], ["article", 1, "updated"]]));
    }
}
