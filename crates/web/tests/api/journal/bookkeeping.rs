//! Generator of `docs/bookkeeping.md`: every event with its entry, VAT box and article of law.
//!
//! The page is generated from the entries that the API books, so the two always agree;
//! `UPDATE_EXPECT=1` rewrites it.

use crate::help::{cents, file};
use ledger::{
    chart::{CHART, SHARED_RGS},
    money::Cents,
};
use serde_json::{Value, json};
use std::fmt::Write as _;
use testing::{Engine, Server};

/// Event on the page: title, legal basis, preceding requests, and the request that books it.
struct Case {
    title: &'static str,
    law: &'static str,
    before: Vec<(&'static str, Value)>,
    request: (&'static str, Value),
}

fn case(title: &'static str, law: &'static str, path: &'static str, body: Value) -> Case {
    Case { title, law, before: Vec::new(), request: (path, body) }
}

impl Case {
    fn after(self, path: &'static str, body: Value) -> Self {
        let mut before = self.before;
        before.push((path, body));
        Self { before, ..self }
    }
}

fn sale(country: &str, rate: i64, more: &Value) -> Value {
    let mut line = json!({"description": "Work", "unitPrice": 1000, "vatRate": rate});
    for (name, value) in more.as_object().unwrap() {
        line[name] = value.clone();
    }
    json!({"status": "sent", "invoiceDate": "2026-02-10", "customer": {"name": "Museum De Pier", "country": country}, "items": [line]})
}

/// Bookings that only bank lines have. The others are those of the commands that they are.
fn bank_lines() -> Vec<Case> {
    let booked = |title, law, cents: i64, allocations: Value| {
        let euros = json!(cents / 100);
        let lines = json!({"bankAccountId": 1, "from": "2026-03-10", "to": "2026-03-10", "lines": [{"date": "2026-03-10", "amount": euros, "text": title}]});
        case(title, law, "bank-lines/1/book", json!({"allocations": allocations}))
            .after("bank-statements", lines)
    };
    vec![
        booked(
            "Bank costs",
            "Exempt from VAT (art. 11(1)(i) and (j) Wet OB 1968).",
            -900,
            json!([{"kind": "bankCosts"}]),
        ),
        booked("Interest paid", "Exempt from VAT; a cost.", -1200, json!([{"kind": "interest"}])),
        booked("Interest received", "Exempt from VAT.", 300, json!([{"kind": "interest"}])),
        booked(
            "Invoice paid, less a fee",
            "Each allocation is the booking of its kind.",
            120_000,
            json!([{"kind": "invoice", "invoiceId": 1, "amount": 1210}, {"kind": "bankCosts"}]),
        )
        .after("invoices", sale("NL", 21, &json!({}))),
        booked(
            "Any other ledger account",
            "An entry between the bank account and the ledger account, in no box.",
            -2500,
            json!([{"kind": "ledger", "account": "4100"}]),
        ),
    ]
}

// Long: a table of cases.
fn sales() -> Vec<Case> {
    let empty = json!({});
    let plain = || sale("NL", 21, &json!({}));
    let surplus = || json!({"date": "2026-03-01", "amount": 1300, "overpayment": "keep"});
    let prepayment = || {
        let mut invoice = plain();
        invoice["prepayment"] = json!(true);
        invoice
    };
    let final_invoice = || {
        let mut invoice = sale("NL", 21, &json!({"unitPrice": 3000}));
        invoice["prepaymentInvoiceIds"] = json!([1]);
        invoice["invoiceDate"] = json!("2026-03-10");
        invoice
    };
    vec![
        case(
            "Invoice, 21 % VAT",
            "VAT is due when the invoice is issued, at the latest on the 15th of the month after the supply (art. 13(1)(a) and 34g Wet OB 1968). Box 1a.",
            "invoices",
            plain(),
        ),
        case("Invoice, 9 % VAT", "Art. 9(2)(a) Wet OB 1968. Box 1b.", "invoices", sale("NL", 9, &empty)),
        case(
            "Invoice, zero rate",
            "Art. 9(2)(b) Wet OB 1968. Box 1e.",
            "invoices",
            sale("NL", 0, &json!({"vatCategory": "zero"})),
        ),
        case("Invoice, exempt", "Art. 11 Wet OB 1968. No box.", "invoices", sale("NL", 0, &json!({"vatCategory": "exempt"}))),
        case(
            "Invoice, VAT reverse-charged inside the Netherlands",
            "Art. 12(5) Wet OB 1968. Box 1e.",
            "invoices",
            sale("NL", 0, &json!({"vatCategory": "reverseCharge"})),
        ),
        case(
            "Invoice, service to a business in another EU country",
            "Art. 6(1) and 37a Wet OB 1968: in the listing of the period of supply too. Box 3b.",
            "invoices",
            sale("DE", 0, &json!({"vatCategory": "intraCommunity", "supply": "services"})),
        ),
        case(
            "Invoice, goods to a business in another EU country",
            "Art. 9(2)(b) and table II.a.6 Wet OB 1968. Box 3b.",
            "invoices",
            sale("DE", 0, &json!({"vatCategory": "intraCommunity", "supply": "goods"})),
        ),
        case(
            "Invoice, export of goods",
            "Art. 9(2)(b) and table II.a.2 Wet OB 1968. Box 3a.",
            "invoices",
            sale("US", 0, &json!({"vatCategory": "export", "supply": "goods"})),
        ),
        case(
            "Invoice, service to a business outside the EU",
            "Art. 6(1) Wet OB 1968: the place of supply is abroad. No box.",
            "invoices",
            sale("US", 0, &json!({"vatCategory": "serviceOutsideEu"})),
        ),
        case(
            "Invoice, goods to a consumer in another EU country, under the Union scheme (OSS)",
            "Art. 5a and 28q Wet OB 1968: the VAT is that of the other country. No box; in the OSS return of the quarter of supply.",
            "invoices",
            sale("DE", 19, &json!({"vatCategory": "oss", "supply": "goods"})),
        )
        .after("oss", json!({"from": "2026-01-01", "ground": "choice"})),
        case(
            "Payment on an invoice",
            "No VAT; it was due with the invoice.",
            "invoices/1/payments",
            json!({"date": "2026-03-01", "amount": 1210}),
        )
        .after("invoices", plain()),
        case(
            "Credit note on an unpaid invoice",
            "Refund in the period of its own date, when the cancellation is certain (art. 29(1) and (4) Wet OB 1968).",
            "invoices/1/credit-notes",
            json!({"date": "2026-03-01"}),
        )
        .after("invoices", plain()),
        case(
            "Credit note on a paid invoice",
            "The same; what is to be paid back stands on 1630.",
            "invoices/1/credit-notes",
            json!({"date": "2026-03-02"}),
        )
        .after("invoices", plain())
        .after("invoices/1/payments", json!({"date": "2026-03-01", "amount": 1210})),
        case(
            "Payment above what is due, kept for the customer",
            "No VAT. Only with `overpayment: \"keep\"`; what is too much is owed to the customer (1630).",
            "invoices/1/payments",
            surplus(),
        )
        .after("invoices", plain()),
        case(
            "What was paid too much, paid back",
            "No VAT. The payment is not undone before this is.",
            "invoices/1/payments",
            json!({"date": "2026-03-02", "amount": -90}),
        )
        .after("invoices", plain())
        .after("invoices/1/payments", surplus()),
        case(
            "Prepayment invoice",
            "VAT is due when it is received, or invoiced before (art. 13(2) Wet OB 1968); the revenue comes with the supply. Box 1a.",
            "invoices",
            prepayment(),
        ),
        case(
            "Final invoice, less the prepayment",
            "What was prepaid becomes revenue, and only the rest of the VAT is due. Box 1a.",
            "invoices",
            final_invoice(),
        )
        .after("invoices", prepayment()),
        case(
            "Invoice of a later year than its VAT",
            "The VAT is due on the 15th of the month after the supply (art. 13(1)(a) Wet OB 1968), in an entry of that day; 1325 holds it until the invoice. Box 1a.",
            "invoices",
            json!({"status": "sent", "invoiceDate": "2027-01-20", "supplyDate": "2026-11-20", "customer": {"name": "Klant"},
                "items": [{"description": "Work", "unitPrice": 1000, "vatRate": 21}]}),
        ),
        case(
            "Payment in an earlier VAT period than that of the invoice",
            "The VAT is due on receipt (art. 13(2) Wet OB 1968), so it is moved to the day of the payment. Box 1a of both periods.",
            "invoices/1/payments",
            json!({"date": "2025-12-20", "amount": 1210}),
        )
        .after("invoices", plain()),
        case(
            "Less than a euro written off",
            "A payment difference; its VAT stays due. No box.",
            "invoices/1/write-off",
            json!({"date": "2026-03-10"}),
        )
        .after("invoices", plain())
        .after("invoices/1/payments", json!({"date": "2026-03-01", "amount": 1209.5})),
        case(
            "Invoice written off",
            "Cost, and its VAT comes back when it is certain that it is not paid, at the latest a year after it was due (art. 29(1) and (2) Wet OB 1968). Box 1a, less.",
            "invoices/1/write-off",
            json!({"date": "2026-03-10"}),
        )
        .after("invoices", plain()),
        case(
            "Half of it received after it was written off",
            "What was written off is recovered, and its VAT is due again at once (art. 29 Wet OB 1968). Box 1a.",
            "invoices/1/payments",
            json!({"date": "2026-03-12", "amount": 605}),
        )
        .after("invoices", plain())
        .after("invoices/1/write-off", json!({"date": "2026-03-10"})),
        case(
            "Payment on an invoice of which a part was written off and the rest is still due",
            "The same: what was written off comes first, here 605 of 1000, since its VAT is due again as soon as it is received; what is above it pays the rest. Where the payment was for the rest, undo the write-off, book the payment, and write off what is left. Box 1a.",
            "invoices/1/payments",
            json!({"date": "2026-03-12", "amount": 1000}),
        )
        .after("invoices", plain())
        .after("invoices/1/write-off", json!({"date": "2026-03-10", "amount": 605})),
    ]
}

// Long: a table of cases.
fn purchases() -> Vec<Case> {
    let expense = |category: &str, treatment: &str, more: &Value| {
        let items = json!([{"category": category, "amount": 100, "vatRate": 21, "vatTreatment": treatment}]);
        let mut body = json!({"date": "2026-02-10", "description": "Bought", "items": items});
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        body
    };
    let empty = json!({});
    let kor = || ("vat-scheme", json!({"scheme": "kor", "from": "2026-01-01"}));
    let laptop = || json!({"date": "2026-01-15", "description": "Laptop", "cost": 1899});
    let unpaid =
        |date: &str| expense("4110", "normal", &json!({"date": date, "paidFrom": "unpaid"}));
    vec![
        case("Expense, Dutch VAT", "Deducted (art. 15(1)(a) Wet OB 1968). Box 5b.", "expenses", expense("4110", "normal", &empty)),
        case(
            "Expense, from another EU country",
            "Due by the buyer (art. 12(2) or 17a Wet OB 1968) and deducted. Boxes 4b and 5b.",
            "expenses",
            expense("4110", "eu", &empty),
        ),
        case(
            "Expense, partly private",
            "The private part is drawn, and its VAT is not deducted (art. 15(1) Wet OB 1968).",
            "expenses",
            expense("4120", "normal", &json!({"businessShare": 70})),
        ),
        case(
            "Expense, food and drink",
            "Its VAT is never deducted (art. 15(5) Wet OB 1968). No box.",
            "expenses",
            expense("4315", "normal", &empty),
        ),
        case(
            "Expense under the small businesses scheme",
            "Sales are exempt, so VAT on purchases is cost (art. 15(1) and 25 Wet OB 1968). No box.",
            "expenses",
            expense("4110", "normal", &empty),
        )
        .after(kor().0, kor().1),
        case(
            "Expense under the small businesses scheme, from another EU country",
            "The VAT is due, and cost: it puts the quarter on the list of returns to file. Box 4b.",
            "expenses",
            expense("4110", "eu", &empty),
        )
        .after(kor().0, kor().1),
        case(
            "Import of goods with a permit of art. 23, or a service from outside the EU",
            "Due by the buyer (art. 12(2), 22 and 23 Wet OB 1968) and deducted. Boxes 4a and 5b.",
            "expenses",
            expense("7000", "import", &empty),
        ),
        case(
            "Bill to be paid later",
            "VAT is deducted by the date of the bill (art. 15(1)(a) Wet OB 1968). Box 5b.",
            "expenses",
            unpaid("2026-02-10"),
        ),
        case(
            "Bill paid",
            "No VAT; it was deducted with the bill.",
            "expenses/1/payments",
            json!({"date": "2026-03-01", "method": "bank"}),
        )
        .after("expenses", unpaid("2026-02-10")),
        case(
            "VAT on a bill that is not paid a year after it was due",
            "Deducted VAT is owed again (art. 29(7) Wet OB 1968). Box 5b, less.",
            "expenses/1/vat-repayment",
            json!({"date": "2026-02-10"}),
        )
        .after("expenses", unpaid("2025-01-10")),
        case(
            "… and the bill paid after all",
            "Deducted again (art. 29(8) Wet OB 1968). Box 5b.",
            "expenses/1/payments",
            json!({"date": "2026-03-01", "method": "bank"}),
        )
        .after("expenses", unpaid("2025-01-10"))
        .after("expenses/1/vat-repayment", json!({"date": "2026-02-10"})),
        case(
            "Asset bought",
            "From 450 excluding VAT, used for several years (art. 3.30 Wet IB 2001). Box 5b.",
            "assets",
            laptop(),
        ),
        case(
            "Asset depreciated",
            "At most 20 % of its cost a year, by the month (art. 3.30 Wet IB 2001). No box.",
            "assets/1/depreciate",
            json!({"until": "2026-02-28"}),
        )
        .after("assets", laptop()),
        case(
            "Asset sold",
            "The proceeds with their VAT, and what it was still worth, go to the result on disposal. Box 1a.",
            "assets/1/dispose",
            json!({"date": "2026-02-28", "proceeds": 1500}),
        )
        .after("assets", laptop())
        .after("assets/1/depreciate", json!({"until": "2026-02-28"})),
        case(
            "VAT on assets revised, under the small businesses scheme",
            "By the part of the year's turnover with the right to deduct: in each of the four years after the purchase a fifth of the \
             difference with what was deducted, in the year of purchase all of it (art. 15(4) Wet OB 1968; art. 11 to 13 \
             Uitvoeringsbeschikking). Positive or negative, in box 5b of the last return of the year.",
            "vat-revisions/2026",
            json!({}),
        )
        .after("assets", json!({"date": "2025-06-01", "description": "Camera", "account": "0200", "cost": 20000}))
        .after("vat-scheme", json!({"scheme": "kor", "from": "2026-01-01"})),
        case(
            "Asset sold exempt within four years after its purchase",
            "The VAT of all years that remain is revised at once (art. 13a Uitvoeringsbeschikking), in the return of the sale. Box 5b.",
            "assets/1/dispose",
            json!({"date": "2026-02-28", "proceeds": 1500, "vatRate": 0}),
        )
        .after("assets", json!({"date": "2025-06-01", "description": "Camera", "account": "0200", "cost": 2000})),
        case(
            "Business trip with the owner's own vehicle",
            "By the rate of the year per kilometre; cost, and put in by the owner. No box.",
            "mileage",
            json!({"date": "2026-02-10", "from": "Utrecht", "to": "Zwolle", "km": 120, "purpose": "Meeting"}),
        ),
    ]
}

fn opening_with_items() -> Value {
    json!({"date": "2026-01-01", "balances": [{"account": "1100", "amount": 8000}], "openItems": [
        {"kind": "receivable", "contact": "Museum De Pier", "number": "2025-0041", "date": "2025-12-02", "dueDate": "2026-01-01", "amount": 605},
        {"kind": "payable", "contact": "Papierhal", "number": "88104", "date": "2025-12-15", "dueDate": "2026-01-14", "amount": 121}]})
}

// Long: a table of cases.
fn events() -> Vec<Case> {
    let private =
        |kind: &str, amount: i64| json!({"date": "2026-03-31", "kind": kind, "amount": amount});
    let accrual = |kind: &str, account: &str, amount: i64| json!({"date": "2026-12-31", "kind": kind, "account": account, "amount": amount, "reverseOn": "2027-01-01"});
    vec![
        case(
            "Transfer between own accounts",
            "Through 1190, so that both days are right. Paying the credit card is a transfer to it.",
            "transfers",
            json!({"date": "2026-12-31", "from": "bank", "to": "card", "amount": 121, "arrived": "2027-01-02"}),
        ),
        case("Private drawing", "Equity, no cost.", "private-bookings", private("drawing", 1800)),
        case("Private deposit", "Equity, no revenue.", "private-bookings", private("deposit", 5000)),
        case(
            "Income tax of the owner",
            "Not deductible (art. 3.14 Wet IB 2001).",
            "private-bookings",
            private("incomeTax", 2500),
        ),
        case(
            "Health insurance contribution of the owner",
            "Not deductible (art. 3.16(2)(e) Wet IB 2001).",
            "private-bookings",
            private("healthInsurance", 900),
        ),
        case(
            "Disability or annuity premium of the owner",
            "Deducted in the income tax return, not from profit (art. 3.124 Wet IB 2001).",
            "private-bookings",
            json!({"date": "2026-03-31", "kind": "premium", "premium": "disability", "amount": 215}),
        ),
        case(
            "Work done, invoiced next year",
            "Profit belongs to the year of the work (art. 3.25 Wet IB 2001). No box before the invoice.",
            "accruals",
            accrual("workToInvoice", "8000", 1600),
        ),
        case("Costs of this year, billed next year", "Art. 3.25 Wet IB 2001.", "accruals", accrual("accruedCost", "4120", 50)),
        case("Costs of next year, paid this year", "Art. 3.25 Wet IB 2001.", "accruals", accrual("prepaidCost", "4400", 300)),
        case("Loan drawn", "A debt, no revenue.", "loans", json!({"date": "2026-01-02", "account": "0700", "amount": 10000})),
        case(
            "Loan repaid, with interest",
            "Only interest is a cost.",
            "loans/1/repayments",
            json!({"date": "2026-02-02", "principal": 200, "interest": 41.67}),
        )
        .after("loans", json!({"date": "2026-01-02", "account": "0700", "amount": 10000})),
        case(
            "Private use of a car",
            "2,7 % of its list price in the last return of the year (art. 15 Uitvoeringsbeschikking omzetbelasting 1968); the VAT is a cost. In box 1d the amount that it is 21 % of is told without being revenue. The addition to the profit (art. 3.20 Wet IB 2001) takes costs away.",
            "private-use",
            json!({"date": "2026-12-31", "kind": "car", "vat": 1080, "base": 8800}),
        ),
        case(
            "Private use of goods",
            "Art. 3(3)(a) Wet OB 1968. Box 1d.",
            "private-use",
            json!({"date": "2026-12-31", "kind": "goods", "vat": 21, "base": 100}),
        ),
        case(
            "Private use of a car under the small businesses scheme",
            "No VAT is due, and it stands in no box (art. 25 Wet OB 1968); the addition to the profit stays.",
            "private-use",
            json!({"date": "2026-12-31", "kind": "car", "base": 8800}),
        )
        .after("vat-scheme", json!({"scheme": "kor", "from": "2026-01-01"})),
        case(
            "Payout of a payment provider",
            "What customers paid to it waits on 1130; its fee is cost, with the VAT that it charges. Box 5b.",
            "payouts",
            json!({"date": "2026-03-05", "amount": 118.5, "fee": 2.5, "feeVatTreatment": "normal"}),
        ),
        case(
            "VAT paid to the tax office",
            "What the return says, from 1780.",
            "vat-payments",
            json!({"date": "2026-03-15", "amount": 1708}),
        ),
        case(
            "VAT of other EU countries paid to the tax office",
            "What the return of the Union scheme (OSS) says, from 1725; filing it books nothing.",
            "vat-payments",
            json!({"date": "2026-03-16", "amount": 190, "ossPeriod": "2026-Q1"}),
        )
        .after("oss", json!({"from": "2026-01-01", "ground": "choice"})),
        case(
            "Opening balance",
            "On the day on which the books begin, with nothing booked before. No box and no revenue; what is left between the accounts is equity (0500).",
            "opening-balance",
            json!({"date": "2026-01-01", "balances": [{"account": "1100", "amount": 8000}, {"account": "0200", "amount": 1899},
                {"account": "0210", "amount": -341.82}, {"account": "1780", "amount": -1150}]}),
        ),
        case(
            "Opening balance with open items",
            "Each invoice that a customer still owed, and each bill that was still to be paid, is an entry of its own; their VAT was declared in the books before. No box.",
            "opening-balance",
            opening_with_items(),
        ),
        case(
            "Open invoice of the opening balance paid",
            "No VAT; it was due with the invoice.",
            "invoices/1/payments",
            json!({"date": "2026-01-20", "amount": 605}),
        )
        .after("opening-balance", opening_with_items()),
        case(
            "Open invoice of the opening balance written off",
            "Cost as a whole: its VAT is not known here, so the refund of art. 29(2) Wet OB 1968 is asked for by the owner, with a letter or on the return, and not computed. No box.",
            "invoices/1/write-off",
            json!({"date": "2026-01-20"}),
        )
        .after("opening-balance", opening_with_items()),
        case(
            "Open bill of the opening balance paid",
            "No VAT; it was deducted in the books before.",
            "expenses/1/payments",
            json!({"date": "2026-01-20", "method": "bank"}),
        )
        .after("opening-balance", opening_with_items()),
        case(
            "Entry by hand",
            "On every account but those that the program keeps: 1300, 1600, 1620, 1630, 1770, 1785, VAT due and input VAT, and 0590.",
            "manual-entries",
            json!({"date": "2026-03-31", "description": "Bank costs", "lines": [{"account": "4610", "debit": 12.5}, {"account": "1100", "credit": 12.5}]}),
        ),
    ]
}

/// Cash accounting, from the beginning of the year.
fn cash_accounting() -> Vec<Case> {
    let sold = || sale("NL", 21, &json!({}));
    let change = |method: &str, from: &str, ground: Option<&str>| json!({"method": method, "from": from, "ground": ground});
    let cash = || change("cash", "2026-01-01", Some("listedTrade"));
    let paid = |amount: i64| json!({"date": "2026-03-01", "amount": amount});
    let half = json!({"date": "2026-03-05", "items": [{"description": "Half", "quantity": 0.5, "unitPrice": 1000, "vatRate": 21}]});
    vec![
        case(
            "Invoice under cash accounting",
            "VAT is due when the customer pays (art. 26 Wet OB 1968, art. 26 Uitvoeringsbeschikking omzetbelasting 1968); 1770 holds it until then. So it is for what belongs in boxes 1a, 1b, 1c and 1e; 3a and 3b, prepayments and purchases stay by invoice. No box.",
            "invoices",
            sold(),
        )
        .after("vat-accounting", cash()),
        case(
            "Half of it received",
            "Base and VAT of each rate × paid ÷ gross, half a cent away from zero; the payment that settles the invoice takes the rest, and a surplus has no VAT. Box 1a.",
            "invoices/1/payments",
            paid(605),
        )
        .after("vat-accounting", cash())
        .after("invoices", sold()),
        case(
            "Credit note under cash accounting",
            "No box: what was not paid was not due either. What was paid is taken back when it is paid back.",
            "invoices/1/credit-notes",
            half.clone(),
        )
        .after("vat-accounting", cash())
        .after("invoices", sold()),
        case(
            "What was credited paid back under cash accounting",
            "The VAT is no longer due, on the day of the refund. Box 1a, less.",
            "invoices/1/payments",
            json!({"date": "2026-03-10", "amount": -605}),
        )
        .after("vat-accounting", cash())
        .after("invoices", sold())
        .after("invoices/1/payments", paid(1210))
        .after("invoices/1/credit-notes", half),
        case(
            "Invoice written off under cash accounting",
            "Cost; no VAT comes back, because none was paid (art. 29 Wet OB 1968). No box.",
            "invoices/1/write-off",
            json!({"date": "2026-03-10"}),
        )
        .after("vat-accounting", cash())
        .after("invoices", sold()),
        case(
            "Cash accounting ends",
            "Invoices of before keep their method, but what customers still owe on that day becomes due then, in one entry for each invoice. Box 1a.",
            "vat-accounting",
            change("invoice", "2026-04-01", None),
        )
        .after("vat-accounting", cash())
        .after("invoices", sold())
        .after("invoices/1/payments", paid(605)),
    ]
}

/// Cases for the year-end steps.
fn year_end() -> Vec<Case> {
    let nothing = || json!({});
    let mut late = sale("NL", 21, &json!({}));
    (late["invoiceDate"], late["supplyDate"]) = (json!("2027-01-12"), json!("2026-12-20"));
    let insurance = json!({"date": "2026-07-01", "supplier": "Verzekeraar", "periodFrom": "2026-07-01", "periodUntil": "2027-06-30",
        "items": [{"category": "4400", "amount": 365, "vatTreatment": "none"}]});
    let laptop = json!({"date": "2026-01-15", "description": "Laptop", "account": "0200", "cost": 1899, "residualValue": 189.9, "lifeYears": 5});
    vec![
        case(
            "Revenue of the year, invoiced later",
            "Accrued on 31 December and reversed on the day of the invoice (art. 3.25 Wet IB 2001), by days if the supply crosses the year. Hours that are not invoiced count at their rate. No box.",
            "years/2026/closing-steps/cutOff",
            nothing(),
        )
        .after("invoices", late),
        case(
            "Costs of the next year, by the period of the expense",
            "181 of 365 days are of 2027 (art. 3.25 Wet IB 2001). No box.",
            "years/2026/closing-steps/cutOff",
            nothing(),
        )
        .after("expenses", insurance),
        case(
            "Depreciation of all assets",
            "To 31 December (art. 3.30 Wet IB 2001).",
            "years/2026/closing-steps/depreciation",
            nothing(),
        )
        .after("assets", laptop),
        case(
            "Goods for private use",
            "At the purchase price (art. 3(3)(a) and 8(3) Wet OB 1968). Box 1d.",
            "years/2026/closing-steps/goodsPrivateUse",
            json!({"rows": [{"description": "Wine", "base": 100, "vatRate": 21}]}),
        ),
    ]
}

/// Id of the latest entry, or 0.
fn last(server: &Server, key: &str) -> i64 {
    let years = [2025, 2026, 2027]
        .map(|year| server.get(key, &format!("/api/v1/entries?year={year}")).json());
    years
        .iter()
        .flat_map(|page| page["data"].as_array().unwrap())
        .filter_map(|entry| entry["id"].as_i64())
        .max()
        .unwrap_or(0)
}

/// Formats the entries of a response as tables: those with an id after `before`.
fn entries(server: &Server, key: &str, answer: &Value, before: i64) -> String {
    let ids = match &answer["entryIds"] {
        Value::Array(ids) => ids.clone(),
        // A step at the end of a year, and a change of method, book entries of several resources.
        _ if answer["allocations"].is_array() => {
            (before + 1..=last(server, key)).map(Value::from).collect()
        }
        _ if answer["changes"].is_array() || answer["rows"].is_array() => {
            (before + 1..=last(server, key)).map(Value::from).collect()
        }
        _ => vec![answer["entryId"].clone()],
    };
    let mut text = String::new();
    for id in ids.iter().filter(|id| id.as_i64() > Some(before)) {
        let entry = server.get(key, &format!("/api/v1/entries/{id}")).json();
        writeln!(
            text,
            "\n{}: {}\n\n| account | debit | credit | box |\n|---|--:|--:|---|",
            entry["date"].as_str().unwrap(),
            entry["description"].as_str().unwrap()
        )
        .unwrap();
        for line in entry["lines"].as_array().unwrap() {
            let amount = |side: &str| match cents(&line[side]) {
                0 => String::new(),
                amount => Cents::new(amount).to_string(),
            };
            let (code, name) =
                (line["accountCode"].as_str().unwrap(), line["accountName"].as_str().unwrap());
            writeln!(
                text,
                "| {code} {name} | {} | {} | {} |",
                amount("debit"),
                amount("credit"),
                line["vatBox"].as_str().unwrap_or("")
            )
            .unwrap();
        }
    }
    text
}

const INTRODUCTION: &str = "# Bookkeeping\n\n\
    What is booked when, for whoever judges the books: each event with its entry, the box of the VAT return that a line counts in, and the law\n\
    behind it. A test makes this page from what the API books.\n\n\
    Entries are never changed or deleted. What is taken back is reversed: the same amounts and boxes on the other side, on the same day. A line\n\
    with a box counts in the return of the quarter in which its VAT is due (`vatDate`), which may be another than that of its day. On VAT\n\
    accounts a box's lines are its VAT, on others its turnover. Revenue, costs and the owner's private accounts begin each year at nought: what\n\
    stood on them is part of equity (0500), without an entry. The chart has the RGS 3.7 code of every account.\n";

#[test]
fn the_page_for_accountants_says_what_is_booked() {
    let server = Server::start(Engine::Sqlite);
    let mut page = INTRODUCTION.to_owned();
    let groups = [
        ("Sales", "invoices", sales()),
        ("Cash accounting", "cash", cash_accounting()),
        ("Purchases", "purchases", purchases()),
        ("Everything else", "events", events()),
        ("Bank lines", "lines", bank_lines()),
        ("Year end", "years", year_end()),
    ];
    for (heading, group, cases) in groups {
        writeln!(page, "\n## {heading}").unwrap();
        for (place, case) in cases.into_iter().enumerate() {
            let email = format!("{group}{place}@example.com");
            let key = server.account(&email);
            let send = |(path, body): &(&str, Value)| {
                let reply = server.post(&key, &format!("/api/v1/{path}"), body);
                assert!(matches!(reply.status, 200 | 201), "{}: {}", case.title, reply.text);
                reply.json()
            };
            case.before.iter().for_each(|step| drop(send(step)));
            let before = last(&server, &key);
            let answer = send(&case.request);
            let booked = entries(&server, &key, &answer, before);
            write!(
                page,
                "\n### {}\n\n{} `POST /api/v1/{}`.\n{booked}",
                case.title, case.law, case.request.0
            )
            .unwrap();
            assert_eq!(server.discrepancies(&email), Vec::<String>::new());
        }
    }
    page.push_str("\n## VAT return filed\n\nWhat stands on each VAT account moves to 1780, in whole euros as declared; the rest is rounding (4990). The lines of a filing carry no box. \
         It is booked on the last day of the quarter, or where that year is closed on the first day after the closed years, so that these stay as they are.\n");
    let key = server.account("filing@example.com");
    assert_eq!(
        server.post(&key, "/api/v1/invoices", &sale("NL", 21, &json!({"unitPrice": 101.9}))).status,
        201
    );
    file(&server, "filing@example.com", 2026, 1);
    let filed = server.get(&key, "/api/v1/entries?year=2026&sourceType=vatFiling").json()["data"]
        [0]["id"]
        .clone();
    page.push_str(&entries(&server, &key, &json!({"entryId": filed}), 0));
    page.push_str(
        "\n## Correction of a filed quarter\n\nA purchase that was forgotten (`correction: true`): cost stays in its own year, without a box; the VAT waits on 1785 for the first open return\n\
         after it, up to 1000.00 of VAT for all corrections of the quarter together (art. 10a AWR, art. 15 Uitvoeringsbesluit omzetbelasting 1968).\n\
         `POST /api/v1/expenses`.\n",
    );
    let forgotten = json!({"date": "2026-03-20", "description": "Forgotten", "correction": true, "items": [{"category": "4110", "amount": 400, "vatRate": 21}]});
    let reply = server.post(&key, "/api/v1/expenses", &forgotten);
    assert_eq!(reply.status, 201, "{}", reply.text);
    page.push_str(&entries(&server, &key, &reply.json(), 0));
    page.push_str(
        "\n## Accounts with one RGS code\n\nThe chart is finer than RGS in these; a reader that maps by RGS adds them up.\n\n| RGS | accounts | why |\n|---|---|---|\n",
    );
    for (rgs, reason) in SHARED_RGS {
        let accounts: Vec<String> = CHART
            .iter()
            .filter(|account| account.rgs == *rgs)
            .map(|account| account.code.to_string())
            .collect();
        writeln!(page, "| `{rgs}` | {} | {reason} |", accounts.join(", ")).unwrap();
    }
    expect_test::expect_file!["../../../../../docs/bookkeeping.md"].assert_eq(&page);
}
