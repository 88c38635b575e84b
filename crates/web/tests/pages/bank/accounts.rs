//! Pages of the bank accounts, and the choices of other forms.

use crate::help::{EMAIL, PASSWORD, fault_of, mails, signed_in, value_of};
use jiff::SignedDuration;
use serde_json::json;
use service::environment::Clock;
use testing::{Server, on_both_engines};

const PAGE: &str = "/bank-accounts";
const IBANS: [(&str, &str); 2] = [
    ("NL20INGB0001234567", "NL20 INGB 0001 2345 67"),
    ("NL02ABNA0123456789", "NL02 ABNA 0123 4567 89"),
];

/// Lets the password become too old for changes of a bank account.
fn later(server: &Server) {
    server.clock.set(&(server.clock.now() + SignedDuration::from_secs(20 * 60)).to_string());
}

on_both_engines! {
    fn a_bank_account_is_added_changed_and_archived(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        // Only accounts that are used are shown.
        let page = browser.get(PAGE);
        assert!(page.text.contains("No bank account in use yet"), "{}", page.text);
        let form = browser.get("/bank-accounts/new");
        let wrong = [("name", "Bank"), ("kind", "savings"), ("iban", "NL20INGB0001234568")];
        let refused = browser.submit(&form, PAGE, &wrong);
        assert_eq!(refused.status, 422, "{}", refused.text);
        assert!(fault_of(&refused, "iban").is_some());
        let taken = browser.submit(&form, PAGE, &[("name", "Bank"), ("kind", "savings")]);
        assert!(fault_of(&taken, "name").unwrap().contains("already have a bank account named"));
        assert_eq!(value_of(&taken, "name").as_deref(), Some("Bank"));
        let good = [("name", "Tax"), ("kind", "savings"), ("iban", IBANS[0].1), ("identifiers", "1234567, 89 01")];
        let made = browser.submit(&taken, PAGE, &good);
        assert_eq!(made.header("location"), Some("/bank-accounts/6?done=bank-account-created"), "{}", made.text);
        let page = browser.follow(&made);
        assert!(page.text.contains("The bank account was added.") && page.text.contains(IBANS[0].1), "{}", page.text);
        let stored = server.get(&key, "/api/v1/bank-accounts/6").json();
        assert_eq!(
            [&stored["accountCode"], &stored["iban"], &stored["identifiers"]],
            [&json!("1111"), &json!(IBANS[0].0), &json!(["1234567", "8901"])]
        );
        assert!(browser.get(PAGE).text.contains("href=\"/bank-accounts/6\""));
        // An edit of the name keeps the rest.
        let (edit, older) = (browser.get("/bank-accounts/6/edit"), browser.get("/bank-accounts/6/edit"));
        assert_eq!(value_of(&edit, "iban").as_deref(), Some(IBANS[0].1));
        let saved = browser.submit(&edit, "/bank-accounts/6", &[("name", "Tax reserve")]);
        assert_eq!(saved.header("location"), Some("/bank-accounts/6?done=bank-account-saved"), "{}", saved.text);
        // The older of two windows shows both versions.
        let outdated = browser.submit(&older, "/bank-accounts/6", &[("name", "Reserve")]);
        assert_eq!(outdated.status, 409, "{}", outdated.text);
        assert!(outdated.text.contains("Tax reserve") && outdated.text.contains("Reserve"));
        // With a balance it stays; without one it is archived, and brought back.
        let moved = |from: &str, to: &str| json!({"date": "2026-03-10", "from": from, "to": to, "amount": 50});
        assert_eq!(server.post(&key, "/api/v1/transfers", &moved("bank", "1111")).status, 201);
        let refused = browser.submit(&browser.get("/bank-accounts/6"), "/bank-accounts/6/archive", &[]);
        assert_eq!(refused.status, 409, "{}", refused.text);
        assert!(refused.text.contains("has a balance"));
        assert_eq!(server.post(&key, "/api/v1/transfers", &moved("1111", "bank")).status, 201);
        let archived = browser.submit(&browser.get("/bank-accounts/6"), "/bank-accounts/6/archive", &[]);
        assert_eq!(archived.header("location"), Some("/bank-accounts/6?done=bank-account-archived"));
        let restored = browser.submit(&browser.follow(&archived), "/bank-accounts/6/restore", &[]);
        assert_eq!(restored.header("location"), Some("/bank-accounts/6?done=bank-account-restored"));
        assert_eq!(browser.get("/bank-accounts/7").status, 404);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_set_iban_and_the_default_change_with_a_recent_password_and_a_mail(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        later(&server);
        // The first IBAN needs no password, and is that of the default checking account.
        let settings = [("name", "Anna"), ("iban", IBANS[0].1)];
        let saved = browser.submit(&browser.get("/settings"), "/settings", &settings);
        assert_eq!(saved.header("location"), Some("/settings?done=saved"), "{}", saved.text);
        assert_eq!(server.get(&key, "/api/v1/bank-accounts/1").json()["iban"], json!(IBANS[0].0));
        let feed = server.get(&key, "/api/v1/changes?types=bankAccount").json();
        assert_eq!((&feed["data"][0]["id"], &feed["data"][0]["change"]), (&json!(1), &json!("updated")));
        // Another one needs the password; the form is kept and offered again.
        let other = [("name", "Anna"), ("iban", IBANS[1].1), ("address.city", "Delft")];
        let asked = browser.submit(&browser.get("/settings"), "/settings", &other);
        assert_eq!(asked.status, 403, "{}", asked.text);
        let wrong = browser.submit(&asked, "/password/confirm", &[("password", "wrong")]);
        assert_eq!(wrong.status, 422);
        let offered = browser.submit(&wrong, "/password/confirm", &[("password", PASSWORD)]);
        assert!(offered.status == 200 && offered.text.contains("Delft"), "{}", offered.text);
        assert_eq!(server.get(&key, "/api/v1/bank-accounts/1").json()["iban"], json!(IBANS[0].0));
        let saved = browser.submit(&offered, "/settings", &[]);
        assert_eq!(saved.header("location"), Some("/settings?done=saved"), "{}", saved.text);
        assert_eq!(server.get(&key, "/api/v1/bank-accounts/1").json()["iban"], json!(IBANS[1].0));
        server.deliver_mails();
        let sent = mails(&server, EMAIL, 1);
        assert_eq!(sent[0].subject, "A bank account in Grootboek was changed");
        // So does the page of the account, and another default.
        later(&server);
        let edit = browser.get("/bank-accounts/1/edit");
        let renamed = browser.submit(&edit, "/bank-accounts/1", &[("name", "Main")]);
        assert_eq!(renamed.status, 303, "{}", renamed.text);
        let edit = browser.get("/bank-accounts/1/edit");
        let asked = browser.submit(&edit, "/bank-accounts/1", &[("iban", IBANS[0].1)]);
        assert_eq!(asked.status, 403, "{}", asked.text);
        let second = json!({"name": "Second", "kind": "checking", "iban": IBANS[0].0});
        assert_eq!(server.post(&key, "/api/v1/bank-accounts", &second).status, 201);
        let edit = browser.get("/bank-accounts/6/edit");
        let asked = browser.submit(&edit, "/bank-accounts/6", &[("isDefault", "true")]);
        assert_eq!(asked.status, 403, "{}", asked.text);
        let offered = browser.submit(&asked, "/password/confirm", &[("password", PASSWORD)]);
        let saved = browser.submit(&offered, "/bank-accounts/6", &[]);
        assert_eq!(saved.status, 303, "{}", saved.text);
        // The settings show the IBAN of the new default; the other account keeps its own.
        assert_eq!(value_of(&browser.get("/settings"), "iban").as_deref(), Some(IBANS[0].1));
        assert_eq!(server.get(&key, "/api/v1/bank-accounts/1").json()["iban"], json!(IBANS[1].0));
        let taken = browser.submit(&browser.get("/settings"), "/settings", &[("name", "Anna"), ("iban", IBANS[1].1)]);
        assert!(fault_of(&taken, "iban").unwrap().contains("already belongs"), "{}", taken.text);
        server.deliver_mails();
        mails(&server, EMAIL, 2);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn forms_offer_the_bank_accounts_once_there_are_several(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        assert!(browser.get("/transfers").text.contains("<option value=\"bank\""));
        for (name, kind) in [("Second", "checking"), ("Mollie", "paymentProvider")] {
            let made = server.post(&key, "/api/v1/bank-accounts", &json!({"name": name, "kind": kind}));
            assert_eq!(made.status, 201, "{}", made.text);
        }
        let invoice = json!({"status": "sent", "customer": {"name": "B", "country": "NL"}, "items": [{"description": "x", "unitPrice": 100, "vatRate": 21}]});
        assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).status, 201);
        for path in ["/transfers", "/private-bookings", "/loans", "/vat-payments", "/expenses/new", "/assets/new", "/invoices/1"] {
            let page = browser.get(path).text;
            assert!(page.contains("<option value=\"1101\">Second</option>"), "{path}: {page}");
            assert!(page.contains("<option value=\"1100\""), "{path}");
        }
        let payouts = browser.get("/payouts");
        assert!(payouts.text.contains(">Second</option>") && payouts.text.contains(">Mollie</option>"));
        let today = value_of(&payouts, "date").unwrap();
        let booked = browser.submit(&payouts, "/payouts", &[("amount", "9"), ("bankAccountId", "6"), ("providerAccountId", "7")]);
        assert_eq!(booked.status, 303, "{}", booked.text);
        let payout = server.get(&key, "/api/v1/payouts/1").json();
        assert_eq!((&payout["bankAccountId"], &payout["providerAccountId"]), (&json!(6), &json!(7)));
        // An expense keeps its account when it is edited.
        let bought = json!({"date": today, "supplier": "S", "paidFrom": "1101", "items": [{"category": "4100", "amount": 100, "vatRate": 21}]});
        assert_eq!(server.post(&key, "/api/v1/expenses", &bought).status, 201);
        assert!(browser.get("/expenses/1").text.contains("Second"));
        let edit = browser.get("/expenses/1/edit");
        let saved = browser.submit(&edit, "/expenses/1", &[("description", "Paper")]);
        assert_eq!(saved.status, 303, "{}", saved.text);
        let expense = server.get(&key, "/api/v1/expenses/1").json();
        assert_eq!((&expense["bankAccountId"], &expense["description"]), (&json!(6), &json!("Paper")));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }
}
