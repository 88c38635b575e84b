//! A year of bookkeeping as a series of steps, each of which can be taken on a page or through the
//! API. For tests that need an account with data of every kind.

use crate::Server;
use serde_json::{Value, json};

/// A step, taken on a page or through the API.
#[derive(Debug, Clone)]
pub struct Step {
    /// Page with the form.
    pub page: &'static str,
    /// Action of the form.
    pub form: &'static str,
    /// Path of the API call, under `/api/v1/`.
    pub call: &'static str,
    /// Body of the API call.
    pub said: Value,
}

impl Step {
    /// Whether the step changes a setting of the account instead of booking something.
    #[must_use]
    pub fn is_setting(&self) -> bool {
        self.call == "bank-accounts"
    }

    /// Takes the step through the API.
    ///
    /// # Panics
    /// The step is rejected.
    pub fn carry_out(&self, server: &Server, key: &str) {
        let Self { call, said, .. } = self;
        let answer = server.post(key, &format!("/api/v1/{call}"), said);
        assert!(matches!(answer.status, 200 | 201), "{call} {said}: {}", answer.text);
    }
}

fn step(page: &'static str, form: &'static str, call: &'static str, said: Value) -> Step {
    Step { page, form, call, said }
}

/// Returns the steps of a year, for an account that is still empty. Together they use every kind of
/// form at least once.
#[must_use]
// Long: a table of steps.
pub fn steps() -> Vec<Step> {
    let line = |description: &str, price: &str| json!({"description": description, "quantity": 2, "unitPrice": price.parse::<f64>().unwrap(), "vatRate": 21});
    vec![
        step(
            "/contacts/new",
            "/contacts",
            "contacts",
            json!({"name": "Museum De Pier", "country": "NL", "email": "post@pier.example", "address": {"street": "Kade 1", "postalCode": "1011 AB", "city": "Amsterdam"}}),
        ),
        step(
            "/projects/new",
            "/projects",
            "projects",
            json!({"name": "Year book", "contactId": 1, "hourlyRate": 95.5, "budgetHours": 40}),
        ),
        step(
            "/invoices/new",
            "/invoices",
            "invoices",
            json!({"customer": {"contactId": 1}, "invoiceDate": "2026-02-02", "reference": "PO 7", "notes": "Thank you.", "items": [line("Design", "95.5"), {"description": "Guide", "quantity": 3, "unitPrice": 12.35, "vatRate": 9}], "status": "sent"}),
        ),
        step(
            "/invoices/new",
            "/invoices",
            "invoices",
            json!({"customer": {"name": "Verlag Lindenhof", "country": "DE", "vatNumber": "DE136695976"}, "invoiceDate": "2026-02-03", "items": [{"description": "Cover", "quantity": 1, "unitPrice": 650, "vatRate": 0}], "status": "draft"}),
        ),
        step(
            "/invoices/new",
            "/invoices",
            "invoices",
            json!({"customer": {"contactId": 1}, "invoiceDate": "2026-02-04", "pricesIncludeVat": true, "items": [line("Talk", "121")], "status": "sent"}),
        ),
        step(
            "/invoices/1",
            "/invoices/1/payments",
            "invoices/1/payments",
            json!({"date": "2026-02-20", "amount": 100, "method": "bank", "reference": "2026-0001"}),
        ),
        step(
            "/invoices/1",
            "/invoices/1/payments",
            "invoices/1/payments",
            json!({"date": "2026-02-21", "amount": 20, "method": "ideal"}),
        ),
        step(
            "/payouts",
            "/payouts",
            "payouts",
            json!({"date": "2026-02-24", "amount": 19.5, "fee": 0.5, "feeVatTreatment": "normal", "provider": "Betaalbrug"}),
        ),
        step(
            "/invoices/3/write-off",
            "/invoices/3/write-off",
            "invoices/3/write-off",
            json!({"date": "2026-03-10", "amount": 42, "reason": "Bankrupt"}),
        ),
        step(
            "/expenses/new",
            "/expenses",
            "expenses",
            json!({"date": "2026-02-10", "supplier": "Papierhal", "description": "Toner", "paidFrom": "bank", "businessShare": 75, "items": [{"category": "4100", "amount": 121, "vatRate": 21, "includesVat": true}, {"category": "4110", "amount": 60, "vatTreatment": "eu", "vatRate": 21}]}),
        ),
        step(
            "/expenses/new",
            "/expenses",
            "expenses",
            json!({"date": "2026-02-11", "supplier": "Drukkerij", "paidFrom": "unpaid", "items": [{"category": "7000", "amount": 500, "vatRate": 9, "includesVat": false}]}),
        ),
        step(
            "/expenses/2",
            "/expenses/2/payments",
            "expenses/2/payments",
            json!({"date": "2026-02-25", "amount": 45, "method": "bank"}),
        ),
        step(
            "/assets/new",
            "/assets",
            "assets",
            json!({"date": "2026-01-15", "description": "Laptop", "account": "0200", "cost": 1899, "residualValue": 189.9, "lifeYears": 5, "paidFrom": "bank"}),
        ),
        step(
            "/assets/1",
            "/assets/1/depreciate",
            "assets/1/depreciate",
            json!({"until": "2026-02-28"}),
        ),
        step(
            "/mileage",
            "/mileage",
            "mileage",
            json!({"date": "2026-02-12", "from": "Utrecht", "to": "Zwolle", "km": 120.5, "purpose": "Meeting", "projectId": 1}),
        ),
        step(
            "/hours/list",
            "/hours/entries",
            "time-entries",
            json!({"projectId": 1, "date": "2026-03-02", "hours": 2.5, "description": "Sketches"}),
        ),
        step(
            "/hours/list",
            "/hours/log",
            "hours-log",
            json!({"date": "2026-03-02", "hours": 1.25, "description": "Books", "category": "administration"}),
        ),
        step(
            "/transfers",
            "/transfers",
            "transfers",
            json!({"date": "2026-02-27", "from": "bank", "to": "savings", "amount": 1000, "arrived": "2026-02-28"}),
        ),
        step(
            "/private-bookings",
            "/private-bookings",
            "private-bookings",
            json!({"date": "2026-02-25", "kind": "drawing", "amount": 1800, "method": "bank"}),
        ),
        step(
            "/accruals",
            "/accruals",
            "accruals",
            json!({"date": "2026-02-28", "kind": "workToInvoice", "account": "8000", "amount": 1600, "reverseOn": "2026-03-01"}),
        ),
        step(
            "/loans",
            "/loans",
            "loans",
            json!({"date": "2026-02-01", "account": "0700", "amount": 10000, "method": "bank"}),
        ),
        step(
            "/loans/4",
            "/loans/4/repayments",
            "loans/4/repayments",
            json!({"date": "2026-03-01", "principal": 200, "interest": 41.67, "method": "bank"}),
        ),
        step(
            "/private-use",
            "/private-use",
            "private-use",
            json!({"date": "2026-02-28", "kind": "goods", "vat": 21, "base": 100}),
        ),
        step(
            "/journal/new",
            "/journal",
            "manual-entries",
            json!({"date": "2026-02-20", "description": "Bank costs", "lines": [{"account": "4610", "debit": 12.5}, {"account": "1100", "credit": 12.5}]}),
        ),
        step(
            "/journal/opening",
            "/journal/opening",
            "opening-balance",
            json!({"date": "2026-01-01", "balances": [{"account": "1100", "amount": 8000}, {"account": "0200", "amount": 1200}], "openItems": [
                {"kind": "receivable", "contact": "Museum De Pier", "number": "F-2025-41", "date": "2025-11-20", "dueDate": "2025-12-20", "amount": 605.5},
                {"kind": "payable", "contact": "Drukkerij", "number": "88104", "date": "2025-12-10", "dueDate": "2026-01-09", "amount": 121}]}),
        ),
        step(
            "/invoices/4",
            "/invoices/4/payments",
            "invoices/4/payments",
            json!({"date": "2026-03-01", "amount": 500, "method": "bank"}),
        ),
        step(
            "/invoices/4/write-off",
            "/invoices/4/write-off",
            "invoices/4/write-off",
            json!({"date": "2026-03-10", "amount": 105.5, "reason": "Bankrupt"}),
        ),
        step(
            "/expenses/4",
            "/expenses/4/payments",
            "expenses/4/payments",
            json!({"date": "2026-03-01", "amount": 21, "method": "bank"}),
        ),
        step(
            "/bank-accounts/new",
            "/bank-accounts",
            "bank-accounts",
            json!({"name": "Tax reserve", "kind": "savings", "iban": "NL20INGB0001234567"}),
        ),
    ]
}

/// Converts a JSON value to form fields, named by path: `items.0.unitPrice`. Amounts are formatted
/// as users type them.
#[must_use]
pub fn fields(said: &Value) -> Vec<(String, String)> {
    fn flatten(path: &str, value: &Value, into: &mut Vec<(String, String)>) {
        let below =
            |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        match value {
            Value::Object(members) => {
                members.iter().for_each(|(name, value)| flatten(&below(name), value, into))
            }
            Value::Array(rows) => rows
                .iter()
                .enumerate()
                .for_each(|(place, value)| flatten(&below(&place.to_string()), value, into)),
            Value::String(text) => into.push((path.to_owned(), text.clone())),
            Value::Number(number) => {
                into.push((path.to_owned(), number.to_string().replace('.', ",")))
            }
            other => into.push((path.to_owned(), other.to_string())),
        }
    }
    let mut into = Vec::new();
    flatten("", said, &mut into);
    // The API's `status` corresponds to the button that submits the form.
    for (name, _) in &mut into {
        if name == "status" {
            "action".clone_into(name);
        }
    }
    into
}

/// Takes all steps through the API.
///
/// # Panics
/// A step is rejected.
pub fn live(server: &Server, key: &str) {
    for step in steps() {
        step.carry_out(server, key);
    }
}
