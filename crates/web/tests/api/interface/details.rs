//! The `detail` of a problem can be understood without the other members: it names the field and
//! the remedy.

use crate::help::{one_of_everything, put};
use serde_json::{Value, json};
use store::accounts::Plan;
use testing::{Server, on_both_engines};

on_both_engines! {
    fn a_problem_says_which_field_it_is_about_and_what_to_do(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        one_of_everything(&server, "anna@example.com", &key);
        let post = |path: &str, body: &Value| server.post(&key, &format!("/api/v1/{path}"), body);
        let pay = |body: Value| {
            post("invoices/1/payments", &body).json()["detail"].as_str().unwrap().to_owned()
        };
        let expected = "`method`: give one of: bank, savings, cash, card, private, directDebit, ideal, paypal, provider.";
        assert_eq!(pay(json!({"date": "2026-03-01", "method": "x"})), expected);
        assert_eq!(
            pay(json!({})),
            "Give `date` as YYYY-MM-DD.",
            "the message names the field already"
        );
        assert_eq!(
            pay(json!({"date": "2026-03-01", "amount": 1.005})),
            "`amount`: give at most 2 decimals."
        );
        let much = "Give an amount above 0.00 and at most what is outstanding: 58.90; where the customer did pay more, add overpayment: \"keep\".";
        assert_eq!(pay(json!({"date": "2026-03-01", "amount": 59})), much);
        assert_eq!(post("invoices/1/payments", &json!({"date": "2026-03-01"})).status, 201);
        let all = pay(json!({"date": "2026-03-01", "amount": 1}));
        assert!(
            all.ends_with(
                "or keep it for the customer: give its amount with overpayment: \"keep\"."
            ),
            "{all}"
        );
        let without_amount = pay(json!({"date": "2026-03-01", "overpayment": "keep"}));
        assert_eq!(
            without_amount,
            "Give the amount that came in: nothing of invoice 2026-0001 is outstanding any more, so there is no default."
        );
        let items = json!([{"description": "", "unitPrice": 1, "vatRate": 21}]);
        let nested = post("invoices", &json!({"customer": {"name": "B"}, "items": items})).json();
        assert_eq!(nested["detail"], "`items/0/description`: give a text that is not empty.");
        assert_eq!(
            server.get(&key, "/api/v1/contacts?nam=x").json()["detail"],
            "`nam`: the API does not know this parameter here; leave it out."
        );
        // Fields and headers known from other APIs are rejected with a hint about this API.
        let with = |more: (&str, Value)| {
            let mut body = json!({"customer": {"name": "B"}, "items": [{"description": "x", "unitPrice": 1, "vatRate": 21}]});
            body[more.0] = more.1;
            post("invoices", &body).json()["detail"].as_str().unwrap().to_owned()
        };
        assert!(
            with(("currency", json!("EUR")))
                .ends_with("leave it out, as every amount is in euros.")
        );
        assert!(
            with(("metadata", json!({})))
                .ends_with("leave it out, and see /api/docs for the fields that there are.")
        );
        assert!(
            pay(json!({"date": "2026-03-01", "amount": "12,50"}))
                .ends_with("give a number, without quotes and with a point, such as 12.50.")
        );
        let basic = server.send("GET", "/api/v1/account", &[("authorization", "Basic YTpi")], None);
        assert!(
            basic.status == 401 && basic.text.contains("an API key goes into the header X-API-Key"),
            "{}",
            basic.text
        );
        // A conflict with the state of the books names the record concerned.
        let sent = json!({"invoiceDate": "2026-03-10", "status": "sent", "customer": {"name": "B", "email": "b@example.com"}, "items": [{"description": "x", "unitPrice": 1, "vatRate": 21}]});
        let id = post("invoices", &sent).json()["id"].clone();
        let early = post(&format!("invoices/{id}/remind"), &json!({})).json();
        assert!(
            early["detail"].as_str().unwrap().starts_with("Invoice 2026-0004 can be paid until "),
            "{early}"
        );
        let final_one = server.send("DELETE", "/api/v1/invoices/1", &[("x-api-key", &key)], None);
        assert_eq!(
            (
                final_one.code(),
                final_one.text.contains(
                    "edited or withdrawn, a sent invoice is corrected with a credit note"
                )
            ),
            ("not_a_draft".into(), true)
        );
        let transfer = post(
            "transfers",
            &json!({"date": "2026-03-01", "from": "bank", "to": "savings", "amount": 1}),
        )
        .json()["id"]
            .clone();
        let undo = || post(&format!("transfers/{transfer}/undo"), &json!({}));
        assert_eq!(undo().status, 200);
        let again = undo();
        assert!(
            again.code() == "already_undone" && again.text.contains("there is nothing left to do"),
            "{}",
            again.text
        );
        server.account_of("bea@example.com", "BE", Plan::Starter);
        let abroad = server.key("bea@example.com", true, true);
        let refused = server.post(&abroad, "/api/v1/contacts", &json!({"name": "B"}));
        assert!(
            refused.code() == "dutch_account_required"
                && refused.text.contains("projects and the hours on them"),
            "{}",
            refused.text
        );
    }

    fn a_nearly_correct_address_is_answered_with_a_hint(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let hinted = |reply: testing::Reply, hint: &str| {
            assert_eq!((reply.status, reply.code()), (404, "unknown_route".into()));
            assert_eq!(
                reply.json()["detail"],
                format!("There is nothing at this address; {hint}.")
            );
        };
        hinted(server.get(&key, "/api/v1/invoices/26/"), "leave out the slash at its end");
        hinted(server.get(&key, "/api/v1/contacts/"), "leave out the slash at its end");
        hinted(
            put(&server, &key, "/api/v1/contacts/external/a/b", &json!({"name": "B"})),
            "a slash in an externalId is written as %2F in the address",
        );
        assert_eq!(
            put(&server, &key, "/api/v1/contacts/external/a%2Fb", &json!({"name": "B"})).json()["externalId"],
            "a/b"
        );
    }
}
