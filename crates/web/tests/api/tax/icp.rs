//! ICP declarations (EC sales lists): periods, filing, corrections, and VAT numbers added later.

use super::filing_and_paying::filing_key;
use serde_json::{Value, json};
use store::{accounts::Plan, keys::Scopes};
use testing::{Engine, Reply, Server, on_both_engines};

const EMAIL: &str = "anna@example.com";
const GERMAN: &str = "DE123456789";
const BELGIAN: &str = "BE0428759497";

fn started(engine: Engine) -> (Server, String) {
    let server = Server::start(engine);
    server.account_of(EMAIL, "NL", Plan::Starter);
    let key = filing_key(&server, Scopes { read: true, write: true, file: true });
    (server, key)
}

fn act(server: &Server, key: &str, path: &str) -> Reply {
    server.send("POST", &format!("/api/v1/{path}"), &[("x-api-key", key)], None)
}

fn read(server: &Server, key: &str, path: &str) -> Value {
    let reply = server.get(key, &format!("/api/v1/{path}"));
    assert_eq!(reply.status, 200, "{path}: {}", reply.text);
    reply.json()
}

/// Creates a sent invoice at 0 % to a business abroad; returns its id.
fn sold(
    server: &Server,
    key: &str,
    day: &str,
    number: Option<&str>,
    euros: i64,
    supply: &str,
) -> i64 {
    let country =
        number.map_or("DE", |number| if number.starts_with("XI") { "GB" } else { &number[..2] });
    let invoice = json!({
        "invoiceDate": day, "supplyDate": day, "status": "sent",
        "customer": {"externalId": format!("c-{country}"), "name": format!("Customer in {country}"), "country": country, "vatNumber": number},
        "items": [{"description": "Supply", "quantity": 1, "unitPrice": euros, "vatRate": 0, "supply": supply}],
    });
    let reply = server.post(key, "/api/v1/invoices", &invoice);
    assert_eq!(reply.status, 201, "{}", reply.text);
    reply.json()["id"].as_i64().unwrap()
}

fn row(number: &str, goods: i64, services: i64) -> Value {
    json!({"vatNumber": number, "goods": goods, "services": services, "triangular": 0})
}

fn correction(period: &str, number: &str, services: i64) -> Value {
    json!({"period": period, "vatNumber": number, "goods": 0, "services": services, "triangular": 0})
}

fn give(server: &Server, key: &str, invoice: i64, body: &Value) -> Reply {
    server.post(key, &format!("/api/v1/invoices/{invoice}/vat-number"), body)
}

on_both_engines! {
    fn a_list_is_filed_with_its_return_and_reopened(engine) {
        let (server, key) = started(engine);
        server.clock.set("2026-02-20T11:00:00Z");
        sold(&server, &key, "2026-02-10", Some(GERMAN), 1500, "services");
        let early = act(&server, &key, "icp-declarations/2026-Q1/file");
        assert_eq!((early.status, early.code().as_str()), (409, "period_not_over"));
        server.clock.set("2026-04-10T11:00:00Z");
        let list = read(&server, &key, "icp-declarations/2026-Q1");
        assert_eq!(list["periodStart"], "2026-01-01");
        assert_eq!(list["periodEnd"], "2026-03-31");
        assert_eq!(list["dueDate"], "2026-04-30");
        assert_eq!(list["status"], "open");
        assert_eq!(list["rows"], json!([row(GERMAN, 0, 1500)]));
        assert_eq!((&list["box3b"], &list["difference"]), (&json!(1500.0), &json!(0.0)));
        let filed = server.post(&key, "/api/v1/vat-returns/2026-Q1/file", &json!({"icp": false}));
        assert_eq!(filed.status, 200, "{}", filed.text);
        assert_eq!(read(&server, &key, "icp-declarations/2026-Q1")["status"], "open");
        assert_eq!(act(&server, &key, "vat-returns/2026-Q1/reopen").status, 200);
        assert_eq!(act(&server, &key, "vat-filings/2026/1/file").status, 200);
        let list = read(&server, &key, "icp-declarations/2026-Q1");
        assert_eq!(list["status"], "filed");
        assert_eq!(list["versions"][0]["rows"], json!([row(GERMAN, 0, 1500)]));
        let again = act(&server, &key, "icp-declarations/2026-Q1/file");
        assert_eq!((again.status, again.code().as_str()), (409, "period_filed"));
        assert_eq!(act(&server, &key, "icp-declarations/2026-Q1/reopen").status, 200);
        let again = act(&server, &key, "icp-declarations/2026-Q1/reopen");
        assert_eq!((again.status, again.code().as_str()), (409, "period_not_filed"));
        assert_eq!(act(&server, &key, "icp-declarations/2026-Q1/file").json()["versions"][1]["version"], 2);
        for (path, detail) in [("2026-02", "2026-Q1"), ("2026", "2026-Q4")] {
            let missing = server.get(&key, &format!("/api/v1/icp-declarations/{path}"));
            assert_eq!(missing.status, 404);
            assert!(missing.text.contains(detail), "{}", missing.text);
        }
        let all = read(&server, &key, "icp-declarations?year=2026&status=filed");
        assert_eq!(all["data"].as_array().unwrap().len(), 1);
        assert_eq!(read(&server, &key, "icp-declarations?status=open")["data"], json!([]));
        let changes = read(&server, &key, "changes?types=icp");
        assert_eq!(changes["data"][0]["period"], "2026-Q1");
        assert_eq!(changes["data"][0]["id"], 20_261);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn goods_above_50_000_in_the_second_month_make_the_list_begin_with_the_first(engine) {
        let (server, key) = started(engine);
        server.clock.set("2026-07-10T11:00:00Z");
        sold(&server, &key, "2026-04-10", Some(GERMAN), 30_000, "goods");
        assert_eq!(read(&server, &key, "icp-declarations/2026-Q2")["rows"], json!([row(GERMAN, 30_000, 0)]));
        sold(&server, &key, "2026-05-10", Some(GERMAN), 20_001, "goods");
        sold(&server, &key, "2026-05-11", Some(BELGIAN), 700, "services");
        assert_eq!(server.get(&key, "/api/v1/icp-declarations/2026-Q2").status, 404);
        let may = read(&server, &key, "icp-declarations/2026-05");
        assert_eq!(may["periodStart"], "2026-04-01");
        assert_eq!(may["dueDate"], "2026-06-30");
        assert_eq!(may["rows"], json!([row(BELGIAN, 0, 700), row(GERMAN, 50_001, 0)]));
        assert_eq!(read(&server, &key, "icp-declarations/2026-06")["rows"], json!([]));
        // The lists remain monthly for the next four quarters.
        assert_eq!(server.get(&key, "/api/v1/icp-declarations/2027-Q2").status, 404);
        assert_eq!(server.get(&key, "/api/v1/icp-declarations/2027-Q3").status, 200);
    }

    fn a_number_that_comes_after_filing_is_a_correction_of_the_next_list(engine) {
        let (server, key) = started(engine);
        server.clock.set("2026-04-10T11:00:00Z");
        let first = sold(&server, &key, "2026-02-10", None, 700, "services");
        let second = sold(&server, &key, "2026-03-10", None, 50, "services");
        let list = read(&server, &key, "icp-declarations/2026-Q1");
        assert_eq!(list["difference"], 750.0);
        assert_eq!(list["withoutNumber"][0]["invoiceId"], first);
        assert_eq!(give(&server, &key, second, &json!({"vatNumber": BELGIAN})).status, 200);
        assert_eq!(read(&server, &key, "icp-declarations/2026-Q1")["rows"], json!([row(BELGIAN, 0, 50)]));
        assert_eq!(act(&server, &key, "vat-returns/2026-Q1/file").status, 200);
        let given = give(&server, &key, first, &json!({"vatNumber": "de 123.456.789", "sameCustomer": true}));
        assert_eq!(given.status, 200, "{}", given.text);
        assert_eq!(given.json()["icpVatNumber"], GERMAN);
        assert_eq!(given.json()["customer"]["vatNumber"], Value::Null);
        let warnings = given.json()["warnings"].as_array().unwrap().clone();
        let has = |code: &str| warnings.iter().any(|warning| warning["code"] == code);
        assert!(has("document_lacks_vat_number") && !has("customer_vat_number_missing"));
        let next = read(&server, &key, "icp-declarations/2026-Q2");
        let expected = [correction("2026-Q1", BELGIAN, -50), correction("2026-Q1", GERMAN, 750)];
        assert_eq!(next["corrections"], json!(expected));
        assert_eq!((&next["rows"], &next["box3b"], &next["difference"]), (&json!([]), &json!(0.0), &json!(0.0)));
        assert_eq!(read(&server, &key, "icp-declarations/2026-Q1")["difference"], 0.0);
        // Giving the same number again changes nothing; undoing it applies to both invoices.
        assert_eq!(give(&server, &key, first, &json!({"vatNumber": GERMAN})).status, 200);
        assert_eq!(act(&server, &key, &format!("invoices/{second}/vat-number/undo")).status, 200);
        let undone = read(&server, &key, &format!("invoices/{first}"));
        assert_eq!(undone["icpVatNumber"], Value::Null);
        assert_eq!(read(&server, &key, &format!("invoices/{second}"))["icpVatNumber"], BELGIAN);
        assert_eq!(read(&server, &key, "icp-declarations/2026-Q2")["corrections"], json!([]));
        let again = act(&server, &key, &format!("invoices/{first}/vat-number/undo"));
        assert_eq!((again.status, again.code().as_str()), (409, "already_undone"));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn an_undo_takes_back_the_other_invoices_of_a_customer_whose_named_invoice_had_the_number(engine) {
        let (server, key) = started(engine);
        server.clock.set("2026-04-10T11:00:00Z");
        let first = sold(&server, &key, "2026-02-10", None, 700, "services");
        let second = sold(&server, &key, "2026-03-10", None, 50, "services");
        let number = |id| read(&server, &key, &format!("invoices/{id}"))["icpVatNumber"].clone();
        assert_eq!(give(&server, &key, first, &json!({"vatNumber": GERMAN})).status, 200);
        server.clock.set("2026-04-10T11:01:00Z");
        let all = json!({"vatNumber": GERMAN, "sameCustomer": true});
        assert_eq!(give(&server, &key, first, &all).status, 200);
        assert_eq!((number(first), number(second)), (json!(GERMAN), json!(GERMAN)));
        let undo = format!("invoices/{first}/vat-number/undo");
        assert_eq!(act(&server, &key, &undo).status, 200);
        assert_eq!((number(first), number(second)), (json!(GERMAN), Value::Null));
        assert_eq!(act(&server, &key, &undo).status, 200);
        assert_eq!(number(first), Value::Null);
        assert_eq!(act(&server, &key, &undo).code(), "already_undone");
    }

    fn a_correction_of_a_filed_return_corrects_its_list(engine) {
        let (server, key) = started(engine);
        server.clock.set("2027-01-10T11:00:00Z");
        sold(&server, &key, "2026-11-10", Some(GERMAN), 1000, "services");
        assert_eq!(act(&server, &key, "vat-returns/2026-Q4/file").status, 200);
        let late = json!({
            "invoiceDate": "2026-11-20", "status": "sent", "correction": true,
            "customer": {"name": "Muster GmbH", "country": "DE", "vatNumber": GERMAN},
            "items": [{"description": "Design", "quantity": 1, "unitPrice": 700, "vatRate": 0}],
        });
        assert_eq!(server.post(&key, "/api/v1/invoices", &late).status, 201);
        sold(&server, &key, "2027-01-05", Some(BELGIAN), 200, "services");
        let next = read(&server, &key, "icp-declarations/2027-Q1");
        assert_eq!(next["rows"], json!([row(BELGIAN, 0, 200)]));
        assert_eq!(next["corrections"], json!([correction("2026-Q4", GERMAN, 700)]));
        assert_eq!((&next["box3b"], &next["difference"]), (&json!(200.0), &json!(0.0)));
        let filed = read(&server, &key, "icp-declarations/2026-Q4");
        assert_eq!(filed["rows"], json!([row(GERMAN, 0, 1000)]));
        assert_eq!((&filed["box3b"], &filed["difference"]), (&json!(1700.0), &json!(0.0)));
        // A credit note is not a correction, but an ordinary row in the period of its own date.
        let credited = act(&server, &key, "invoices/1/credit-notes");
        assert_eq!(credited.status, 201, "{}", credited.text);
        let next = read(&server, &key, "icp-declarations/2027-Q1");
        assert_eq!(next["rows"], json!([row(BELGIAN, 0, 200), row(GERMAN, 0, -1000)]));
    }

    /// The limit of 1 000.00 is one of VAT: corrections of supplies without VAT have none, and a
    /// correction with more VAT is refused.
    fn supplies_without_vat_are_corrected_without_a_limit(engine) {
        let (server, key) = started(engine);
        server.clock.set("2027-01-10T11:00:00Z");
        sold(&server, &key, "2026-11-10", Some(GERMAN), 1000, "services");
        assert_eq!(act(&server, &key, "vat-returns/2026-Q4/file").status, 200);
        let late = |customer: Value, euros: f64, rate: i64| {
            let items = json!([{"description": "Design", "unitPrice": euros, "vatRate": rate}]);
            let body = json!({"invoiceDate": "2026-11-20", "status": "sent", "correction": true,
                "customer": customer, "items": items});
            server.post(&key, "/api/v1/invoices", &body)
        };
        let german = json!({"name": "Muster GmbH", "country": "DE", "vatNumber": GERMAN});
        let many = late(german, 50_000.0, 0);
        assert_eq!(many.status, 201, "{}", many.text);
        // 21 % of 4 761.91 is 1 000.0011, which rounds to 1 000.00; of 0.05 more it is 1 000.01.
        let dutch = json!({"name": "De Pier"});
        let beyond = late(dutch.clone(), 4_761.96, 21);
        assert_eq!((beyond.status, beyond.code().as_str()), (409, "correction_too_large"));
        assert_eq!(late(dutch, 4_761.91, 21).status, 201);
        let next = read(&server, &key, "icp-declarations/2027-Q1");
        assert_eq!(next["corrections"], json!([correction("2026-Q4", GERMAN, 50_000)]));
        let errors = server.send("GET", "/docs/errors.md", &[], None).text;
        let errors = errors.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(errors.contains("turnover without VAT has no limit"), "{errors}");
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn goods_to_northern_ireland_are_intra_community_and_services_are_british(engine) {
        let (server, key) = started(engine);
        server.clock.set("2026-04-10T11:00:00Z");
        let goods = sold(&server, &key, "2026-02-10", Some("XI123456782"), 900, "goods");
        let services = sold(&server, &key, "2026-02-11", Some("XI123456782"), 40, "services");
        let category = |id| read(&server, &key, &format!("invoices/{id}"))["items"][0]["vatCategory"].clone();
        assert_eq!(category(goods), "intraCommunity");
        assert_eq!(category(services), "serviceOutsideEu");
        let list = read(&server, &key, "icp-declarations/2026-Q1");
        assert_eq!(list["rows"], json!([row("XI123456782", 900, 0)]));
        assert_eq!((&list["box3b"], &list["difference"]), (&json!(900.0), &json!(0.0)));
        let by_hand = json!({
            "invoiceDate": "2026-03-01", "status": "sent",
            "customer": {"name": "Ulster Ltd", "country": "GB", "vatNumber": "XI123456782"},
            "items": [{"description": "Advice", "quantity": 1, "unitPrice": 10, "vatRate": 0, "vatCategory": "intraCommunity", "supply": "services"}],
        });
        let by_hand = server.post(&key, "/api/v1/invoices", &by_hand);
        assert!(by_hand.text.contains("category_contradicts_country"), "{}", by_hand.text);
        let list = read(&server, &key, "icp-declarations/2026-Q1");
        assert_eq!(list["rows"], json!([row("XI123456782", 900, 0)]));
        assert_eq!(list["difference"], 10.0);
    }

    fn a_number_is_given_to_sent_invoices_to_the_eu_only(engine) {
        let (server, key) = started(engine);
        server.clock.set("2026-04-10T11:00:00Z");
        let german = sold(&server, &key, "2026-02-10", Some(GERMAN), 100, "services");
        let good = json!({"vatNumber": BELGIAN});
        for (body, pointer, code) in [
            (json!({}), "/vatNumber", "required"),
            (json!({"vatNumber": "ZZ1"}), "/vatNumber", "invalid_format"),
            (json!({"vatNumber": "NL002455799B11"}), "/vatNumber", "unknown_value"),
            (json!({"vatNumber": BELGIAN, "sameCustomer": "x"}), "/sameCustomer", "invalid_type"),
        ] {
            let refused = give(&server, &key, german, &body);
            assert_eq!(refused.status, 422, "{body}: {}", refused.text);
            assert_eq!(refused.json()["errors"][0]["pointer"], pointer);
            assert_eq!(refused.json()["errors"][0]["code"], code);
        }
        let mut dutch = crate::simple_invoice();
        dutch["status"] = json!("draft");
        let id_of = |invoice: &Value| {
            server.post(&key, "/api/v1/invoices", invoice).json()["id"].as_i64().unwrap()
        };
        assert_eq!(give(&server, &key, id_of(&dutch), &good).code(), "is_a_draft");
        dutch["status"] = json!("sent");
        let sent = id_of(&dutch);
        let refused = give(&server, &key, sent, &good);
        assert_eq!(refused.json()["errors"][0]["code"], "unknown_value");
        let note = act(&server, &key, &format!("invoices/{german}/credit-notes")).json()["id"].as_i64().unwrap();
        assert_eq!(give(&server, &key, note, &good).code(), "is_a_credit_note");
        assert_eq!(give(&server, &key, 999, &good).status, 404);
        // The credit note gets the VAT number of its invoice.
        assert_eq!(give(&server, &key, german, &good).status, 200);
        let list = read(&server, &key, "icp-declarations/2026-Q2");
        assert_eq!(list["rows"], json!([row(BELGIAN, 0, -100)]));
    }
}
