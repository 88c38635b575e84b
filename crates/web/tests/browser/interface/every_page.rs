//! Accessibility of every page in every state: in an empty account, with full books, and with a
//! rejected form.
//!
//! Each page is checked on a desktop and a phone, alternating between light and dark, and between
//! Dutch and English. Other tests cover the keyboard and all combinations of these settings.

use crate::{KIM, LANGUAGES, Visit, picture, pictures_enabled};
use browser_testing::BrowserOptions;
use ledger::calendar::Quarter;
use serde_json::{Value, json};
use service::{
    bank_mappings::{self, NewMapping},
    bank_statements::{self, BankUpload},
    environment::Clock,
    vat_filings,
};
use sha2::{Digest, Sha256};
use testing::{Server, year};

/// Window widths of a desktop and a phone, in pixels.
const SIZES: [u32; 2] = [1200, 390];

/// CSV file of a bank that is not known, and the page on which its columns are assigned.
const UNKNOWN_CSV: &str = "Boekdatum;Naam;Omschrijving;Bedrag\n02-03-2026;Studio Noord;Factuur 2026-0001;1.210,00\n\
                           03-03-2026;Bakkerij De Korenaar;Brood;-4,50\n";
const UNKNOWN_CSV_PAGE: &str =
    "/bank-mappings/new?upload=7d4904ff2426c88583a0e718f3aada3447382430c559406773324937fac80802";

/// Preview of the file.
const UNKNOWN_CSV_PREVIEW: &str =
    "/bank-statements?upload=7d4904ff2426c88583a0e718f3aada3447382430c559406773324937fac80802";

/// Pages of an empty account.
const EMPTY: &[&str] = &[
    "/",
    "/search",
    "/invoices",
    "/invoices/new",
    "/quotes",
    "/quotes/new",
    "/reminders",
    "/recurring",
    "/recurring/new",
    "/payouts",
    "/unfinished",
    "/articles",
    "/articles/new",
    "/contacts",
    "/contacts/new",
    "/expenses",
    "/expenses/new",
    "/receipts",
    "/assets",
    "/assets/new",
    "/mileage",
    "/projects",
    "/projects/new",
    "/hours",
    "/hours?month=2026-03",
    "/hours/list",
    "/icp",
    "/vat",
    "/kor",
    "/vat/2026/1",
    "/year/2025",
    "/year/2026",
    "/vat-revisions/2026",
    "/journal",
    "/journal/new",
    "/journal/opening",
    "/journal/accounts",
    "/journal/accounts/1100",
    "/duties",
    "/bank",
    "/bank-lines",
    "/bank-statements",
    "/bank-accounts",
    "/bank-accounts/new",
    "/bank-mappings",
    "/bank-rules",
    "/bank-rules/new",
    "/payment-batches",
    "/transfers",
    "/vat-payments",
    "/private-bookings",
    "/accruals",
    "/loans",
    "/private-use",
    "/settings/vat",
    "/settings/invoices",
    "/settings/reminders",
    "/settings/language",
    "/api-access",
    "/api-access/webhooks/new",
    "/docs/integrating",
    "/docs/oauth",
    "/docs/webwinkel",
    "/docs/not-supported",
    "/docs/changelog",
    "/docs/errors",
];

/// Pages of an account with data in every area.
const FULL: &[&str] = &[
    "/",
    "/search?q=pier",
    "/search?q=toner",
    "/search?q=nobody",
    "/invoices",
    "/invoices?state=overdue&sort=-total",
    "/invoices?q=nobody",
    "/invoices/new",
    "/invoices/1",
    "/invoices/2",
    "/invoices/2/edit",
    "/invoices/3",
    "/invoices/4",
    "/invoices/5/remind",
    "/invoices/5/send",
    "/invoices/5/write-off",
    "/invoices/1/credit",
    "/invoices/5",
    "/invoices/6",
    "/invoices/7",
    "/invoices?state=draft",
    "/quotes",
    "/quotes?state=draft",
    "/quotes?q=nobody",
    "/quotes/1",
    "/quotes/2",
    "/quotes/2/edit",
    "/quotes/2/send",
    "/reminders",
    "/reminders?state=stopped",
    "/recurring",
    "/recurring?state=paused",
    "/recurring?q=nobody",
    "/recurring/1",
    "/recurring/1/edit",
    "/payouts",
    "/unfinished",
    "/articles",
    "/articles/1/edit",
    "/contacts",
    "/contacts/1",
    "/contacts/1/edit",
    "/expenses",
    "/expenses/1",
    "/expenses/1/edit",
    "/expenses/2",
    "/expenses/new?receiptId=1",
    "/receipts",
    "/assets",
    "/assets/1",
    "/mileage",
    "/projects",
    "/projects/1",
    "/projects/1/edit",
    "/hours?week=2026-W10",
    "/hours?month=2026-03",
    "/hours/list",
    "/hours/entries/1",
    "/hours/log/1",
    "/vat",
    "/kor",
    "/vat/2026/1",
    "/icp",
    "/icp/2026-Q1",
    "/vat/2026/1?box=1a",
    "/vat/2026/2",
    "/year/2025",
    "/year/2026",
    "/vat-revisions/2026",
    "/journal",
    "/journal/4",
    "/journal/opening",
    "/journal/accounts",
    "/journal/accounts/1100",
    "/duties",
    "/bank",
    "/bank-lines",
    "/bank-lines?state=new&line=2&kind=invoice",
    "/bank-lines?state=new&line=1&kind=payout",
    "/bank-lines?state=new&line=1&kind=expense",
    "/bank-mappings",
    UNKNOWN_CSV_PAGE,
    UNKNOWN_CSV_PREVIEW,
    "/bank-rules",
    "/bank-rules/1",
    "/bank-rules/1/edit",
    "/bank-rules/new?line=3",
    "/bank-lines?state=doubtful",
    "/bank-lines?state=booked",
    "/bank-lines?state=ignored",
    "/bank-statements",
    "/bank-statements/1",
    "/bank-accounts/6?month=2026-03",
    "/bank-accounts",
    "/bank-accounts/1",
    "/bank-accounts/1/edit",
    "/expenses?tab=toPay",
    "/transfers",
    "/transfers/1",
    "/private-bookings",
    "/private-bookings/2",
    "/accruals",
    "/accruals/3",
    "/loans",
    "/loans/4",
    "/private-use",
    "/private-use/6",
    "/settings/vat",
    "/settings/invoices",
    "/settings/reminders",
    "/settings/language",
    "/api-access",
    "/api-access/webhooks/1",
    "/api-access/webhooks/1/edit",
];

/// Forms to submit with invalid fields: the page that shows the form, and the form's action.
const REFUSED: &[(&str, &str)] = &[
    ("/invoices/new", "/invoices"),
    ("/invoices/2/edit", "/invoices/2"),
    ("/invoices/1", "/invoices/1/payments"),
    ("/invoices/1/credit", "/invoices/1/credit"),
    ("/invoices/5/send", "/invoices/5/send"),
    ("/invoices/5/remind", "/invoices/5/remind"),
    ("/quotes/new", "/quotes"),
    ("/quotes/2/send", "/quotes/2/send"),
    ("/recurring/new", "/recurring"),
    ("/invoices/5/write-off", "/invoices/5/write-off"),
    ("/payouts", "/payouts"),
    ("/articles/new", "/articles"),
    ("/articles/1/edit", "/articles/1"),
    ("/contacts/new", "/contacts"),
    ("/contacts/1/edit", "/contacts/1"),
    ("/expenses/new", "/expenses"),
    ("/expenses/1/edit", "/expenses/1"),
    ("/api-access/webhooks/new", "/api-access/webhooks/new"),
    ("/api-access/webhooks/1/edit", "/api-access/webhooks/1/edit"),
    ("/expenses/2", "/expenses/2/payments"),
    ("/receipts", "/receipts"),
    ("/assets/new", "/assets"),
    ("/assets/1", "/assets/1/depreciate"),
    ("/assets/1", "/assets/1/dispose"),
    ("/mileage", "/mileage"),
    ("/projects/new", "/projects"),
    ("/projects/1/edit", "/projects/1"),
    ("/hours?week=2026-W10", "/hours/week"),
    ("/hours/list", "/hours/entries"),
    ("/hours/list", "/hours/log"),
    ("/hours/entries/1", "/hours/entries/1"),
    ("/hours/log/1", "/hours/log/1"),
    ("/vat/2026/1", "/vat/2026/1/payment"),
    ("/journal/new", "/journal"),
    ("/bank-statements", "/bank-statements"),
    ("/bank-lines?line=2&kind=payout", "/bank-lines/2/book"),
    ("/bank-lines?state=booked", "/bank-lines/3/undo"),
    ("/bank-accounts/new", "/bank-accounts"),
    ("/bank-accounts/1/edit", "/bank-accounts/1"),
    (UNKNOWN_CSV_PAGE, "/bank-mappings"),
    ("/bank-rules/new", "/bank-rules"),
    ("/bank-rules/1/edit", "/bank-rules/1"),
    ("/transfers", "/transfers"),
    ("/private-bookings", "/private-bookings"),
    ("/accruals", "/accruals"),
    ("/loans", "/loans"),
    ("/loans/4", "/loans/4/repayments"),
    ("/private-use", "/private-use"),
    ("/settings", "/settings"),
    ("/settings/vat", "/settings/vat"),
    ("/settings/invoices", "/settings/invoices"),
    ("/settings/reminders", "/settings/reminders"),
];

/// Script that finds the form with the given action, fills its text fields with invalid values, and
/// submits it.
const SEND_NONSENSE: &str = "const form = [...document.forms].find((form) => form.getAttribute('method') === 'post' && form.getAttribute('action') === arguments[0]); \
    for (const field of form.querySelectorAll('input:not([type=hidden], [type=file], [type=checkbox], [type=radio], [type=color])')) { \
      const isText = field.type === 'text' && !field.inputMode && !field.classList.contains('amount'); \
      if (field.type === 'date') field.type = 'text'; \
      field.value = isText ? '' : 'nonsense'; \
    } \
    form.noValidate = true; \
    form.requestSubmit(form.querySelector('[data-main]') ?? undefined)";

/// Fills the books: a year of entries, invoices in further states, and a filed return.
// Long: one request for each state.
fn fill_books(visit: &Visit) {
    let server = &visit.server;
    let key = server.key(KIM, true, true);
    year::live(server, &key);
    let line = json!([{"description": "Concert programme for the season, with a cover of its own", "unitPrice": 640, "vatRate": 21}]);
    let customer = json!({"name": "Stichting Zomerconcerten", "email": "post@zomer.example"});
    let calls: [(&str, Value); 17] = [
        // Overdue, with a reminder.
        (
            "invoices",
            json!({"status": "sent", "invoiceDate": "2026-01-04", "customer": customer, "items": line}),
        ),
        ("invoices/5/remind", json!({})),
        // Credited.
        (
            "invoices",
            json!({"status": "sent", "invoiceDate": "2026-01-20", "customer": customer, "items": line}),
        ),
        ("invoices/6/credit-notes", json!({"date": "2026-02-01"})),
        // Paid through a provider that has not paid out yet.
        (
            "invoices",
            json!({"status": "sent", "invoiceDate": "2026-03-01", "customer": customer, "items": line}),
        ),
        ("invoices/8/payments", json!({"date": "2026-03-10", "method": "paypal"})),
        (
            "expenses",
            json!({"date": "2026-03-02", "supplier": "Cadeauhuis", "items": [{"category": "4316", "amount": 300, "vatRate": 21}]}),
        ),
        // Accepted, with a draft that replaces it.
        (
            "quotes",
            json!({"quoteDate": "2026-03-01", "customer": customer, "items": line, "prepaymentPercent": 30}),
        ),
        ("quotes/1/mark-sent", json!({})),
        ("quotes/1/revise", json!({})),
        ("quotes/1/accept", json!({"name": "Kim", "note": "By telephone"})),
        (
            "articles",
            json!({"number": "A-1", "name": "Programme", "unit": "piece", "unitPrice": 1.5, "vatRate": 9, "supply": "goods"}),
        ),
        // Paused, with an occurrence that was skipped.
        (
            "recurring-invoices",
            json!({"firstDate": "2027-01-31", "every": {"unit": "month"}, "supplyPeriod": "current", "customer": customer, "items": line}),
        ),
        ("recurring-invoices/1/occurrences/1/skip", json!({})),
        ("recurring-invoices/1/pause", json!({})),
        ("timer", json!({"projectId": 1, "description": "Proofs"})),
        // No server listens at this address.
        (
            "webhooks",
            json!({"url": "http://127.0.0.1:9/hooks/of/a/shop/with/a/long/address", "types": ["invoice.*", "contact.created"]}),
        ),
    ];
    for (call, body) in calls {
        let answer = server.post(&key, &format!("/api/v1/{call}"), &body);
        assert!(matches!(answer.status, 200..=202), "{call}: {}", answer.text);
    }
    assert_eq!(
        server.send("POST", "/api/v1/webhooks/1/test", &[("x-api-key", &key)], None).status,
        202
    );
    server.deliver_webhooks();
    fill_bank(server, &key);
    let file = [("x-api-key", key.as_str()), ("content-type", "image/png")];
    assert_eq!(server.send("POST", "/api/v1/receipts", &file, Some(&picture())).status, 201);
    // After the end of the first quarter.
    visit.later(26 * 86_400);
    visit.sign_in(KIM);
    let (cx, now) = (server.owner(KIM), server.clock.now());
    keep_unknown_csv(server);
    let last = Quarter::new(2026, 1).unwrap();
    // Filed, reopened and filed again, so that there are versions to compare.
    server.write(move |tx| {
        vat_filings::file(tx, &cx.at(now), last.into())?;
        vat_filings::reopen(tx, &cx.at(now), last.into())?;
        vat_filings::file(tx, &cx.at(now), last.into())
    });
}

/// Stores a CSV file of an unknown bank, as its refused upload does, and a mapping.
fn keep_unknown_csv(server: &Server) {
    let (cx, bytes) = (server.owner(KIM).at(server.clock.now()), UNKNOWN_CSV.as_bytes().to_vec());
    let refusal = bank_files::read(&bytes, &bank_files::Options::new(cx.today())).unwrap_err();
    let bank_files::Cause::UnknownCsv(proposal) = refusal.cause else { panic!("{refusal:?}") };
    let sha256: [u8; 32] = Sha256::digest(&bytes).into();
    let hash: String = sha256.iter().map(|byte| format!("{byte:02x}")).collect();
    assert!(UNKNOWN_CSV_PAGE.ends_with(&hash), "{hash}");
    let upload = BankUpload { sha256, name: Some("bank.csv".into()), bytes };
    let mapping =
        NewMapping { name: "Bank".into(), bank_account_id: Some(6), mapping: proposal.mapping };
    server.write(move |tx| {
        bank_statements::keep_uploads(tx, &cx, std::slice::from_ref(&upload))?;
        bank_mappings::create(tx, &cx, &mapping)
    });
}

/// Adds bank lines in each state to the books: 1 and 2 are new, 3 is booked, 4 is ignored, and 5 may
/// be the same payment as 2.
fn fill_bank(server: &Server, key: &str) {
    let account = json!({"name": "ABN AMRO", "kind": "checking", "iban": crate::bank::lines::IBAN});
    let feed = json!({"bankAccountId": 6, "from": "2026-03-12", "to": "2026-03-12",
        "lines": [{"date": "2026-03-12", "amount": 121, "counterparty": {"name": "Studio Noord"}, "text": "Factuur 2026-0001"}]});
    let calls = [
        ("bank-accounts", account),
        (
            "bank-lines/3/book",
            json!({"allocations": [{"kind": "private", "privateKind": "deposit"}]}),
        ),
        ("bank-lines/4/ignore", json!({"reason": "private", "note": "Paid for a friend"})),
        ("bank-statements", feed),
        (
            "bank-rules",
            json!({"name": "Studio Noord", "when": {"nameContains": "studio"},
            "then": {"kind": "expense", "items": [{"category": "4100", "vatRate": 21}]}}),
        ),
    ];
    for (place, (call, body)) in calls.iter().enumerate() {
        let answer = server.post(key, &format!("/api/v1/{call}"), body);
        assert!(matches!(answer.status, 200 | 201), "{call}: {}", answer.text);
        if place == 0 {
            let kind = [("x-api-key", key), ("content-type", "text/plain")];
            let statement = crate::bank::lines::STATEMENT.as_bytes();
            let path = "/api/v1/bank-statements";
            assert_eq!(server.send("POST", path, &kind, Some(statement)).status, 201);
        }
    }
}

/// Adds the accessibility faults of the current page at both widths to `into`. If
/// `GROOTBOEK_TEST_PICTURES` is set, saves screenshots in all sizes and colour schemes.
fn check(visit: &mut Visit, turn: usize, into: &mut Vec<String>) {
    let before = visit.options();
    for (place, width) in SIZES.into_iter().enumerate() {
        let dark = (turn / 2 + place).is_multiple_of(2);
        if pictures_enabled() {
            visit.set(BrowserOptions { width, dark: !dark, ..before });
            visit.screenshot(&picture_name(visit, turn));
        }
        visit.set(BrowserOptions { width, dark, ..before });
        if pictures_enabled() {
            visit.screenshot(&picture_name(visit, turn));
        }
        let faults = visit.accessibility_faults();
        if !faults.is_empty() {
            into.push(format!("{} {:?}:\n{}", visit.path(), visit.options(), faults.join("\n")));
        }
    }
    visit.set(before);
}

/// File name of a screenshot: the path with dashes, and the colour scheme.
fn picture_name(visit: &Visit, turn: usize) -> String {
    let path: String =
        visit.path().chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    format!("{turn:03}{path}-{}", if visit.options().dark { "dark" } else { "light" })
}

/// Opens pages in alternating languages and returns their accessibility faults.
fn check_all(visit: &mut Visit, paths: &[&str]) -> Vec<String> {
    let mut faults = Vec::new();
    for (turn, path) in paths.iter().enumerate() {
        let before = visit.options();
        visit.set(BrowserOptions { language: LANGUAGES[turn % 2], ..before });
        visit.goto(path);
        assert_eq!(visit.path(), *path);
        check(visit, turn, &mut faults);
    }
    faults
}

#[test]
fn every_page_of_an_empty_account_is_accessible() {
    let mut visit = Visit::signed_in(BrowserOptions::default());
    let faults = check_all(&mut visit, EMPTY);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_page_of_full_books_is_accessible() {
    let mut visit = Visit::signed_in(BrowserOptions::default());
    fill_books(&visit);
    let faults = check_all(&mut visit, FULL);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_rejected_form_is_accessible() {
    let mut visit = Visit::signed_in(BrowserOptions::default());
    fill_books(&visit);
    let mut faults = Vec::new();
    for (turn, (page, action)) in REFUSED.iter().enumerate() {
        let before = visit.options();
        visit.set(BrowserOptions { language: LANGUAGES[turn % 2], ..before });
        visit.goto(page);
        visit.script(SEND_NONSENSE, vec![(*action).into()]);
        assert!(!visit.text_of(".faults li").is_empty(), "{action}");
        assert_eq!(visit.path(), *action);
        check(&mut visit, turn, &mut faults);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert_eq!(visit.server.discrepancies(KIM), Vec::<String>::new());
}
