//! `due list` and `due run`, and servers that are killed while they make recurring invoices.

use crate::{EMAIL, Running, account_with_key, done, refused, wait_until};
use jiff::{
    ToSpan,
    civil::{Date, Weekday, date},
};
use ledger::{
    calendar::{amsterdam_hour, amsterdam_today},
    decimal::Decimal,
    discount::Discount,
    invoice::Prices,
    reminder::{ReminderMode, ReminderPlan},
    schedule::{Deliver, Rhythm, RhythmUnit, SupplyPeriod},
    vat::VatRate,
};
use serde_json::{Value, json};
use service::{
    Context, Environment, accounts,
    contacts::CustomerInput,
    corrections::IfFiled,
    environment::{Clock, System},
    invoices::{self, Due, InvoiceTerms, LineInput, NewInvoice, SupplyDays, TaxPlace},
    recurring::{self, NewRecurring},
    reminders, test_accounts,
};
use std::{collections::BTreeMap, time::Duration};
use store::invoices::{Particulars, Status};
use testing::{Database, Engine, Raw};

/// Number of recurring invoices of the servers that are killed.
const MANY: usize = 60;

fn today() -> Date {
    amsterdam_today(System.now())
}

fn line() -> LineInput {
    LineInput {
        description: "Hosting".into(),
        quantity: Decimal::ONE,
        unit_price: Decimal::ONE_HUNDRED,
        vat_rate: VatRate::from_basis_points(2_100),
        vat_category: None,
        exemption: None,
        supply: None,
        place: TaxPlace { country: None, standard_rate: false },
        account: None,
        unit: None,
        discount: Discount::None,
        credits: None,
        article: None,
    }
}

/// Creates recurring invoices that begin today, or whose first day is far in the past by now.
fn subscriptions(database: &Database, number: usize, begun: Date, deliver: Deliver) {
    let store = database.open();
    let made = store.write_blocking(move |tx| {
        let account = accounts::by_email(tx, EMAIL)?;
        let cx = Context::of_owner(&account, Environment::at(System.now()));
        // The first day may not be in the past of the command.
        let then = begun.at(10, 0, 0, 0).to_zoned(jiff::tz::TimeZone::UTC).unwrap().timestamp();
        let cx = if begun < today() { cx.at(then) } else { cx };
        for number in 0..number {
            let mut customer = CustomerInput::named(format!("Customer {number}"));
            customer.party.email = Some(Some("klant@example.com".into()));
            let command = NewRecurring {
                external_id: None,
                customer,
                lines: vec![line()],
                prices: Prices::Net,
                payment_term_days: None,
                reference: None,
                notes: None,
                particulars: Particulars::default(),
                language: None,
                rhythm: Rhythm { unit: RhythmUnit::Year, count: 12, last_day_of_month: false },
                first_date: begun,
                last_date: None,
                count: None,
                deliver,
                supply_period: SupplyPeriod::None,
            };
            recurring::create(tx, &cx, &command)?;
        }
        Ok::<_, service::Error>(())
    });
    made.unwrap();
}

#[test]
fn due_work_is_listed_and_done_once() {
    let database = Database::new(Engine::Sqlite);
    let address = database.address();
    account_with_key(&address, EMAIL);
    assert_eq!(done(&address, &["due", "list"]).out, "nothing is due\n");
    subscriptions(&database, 2, today(), Deliver::Sent);
    subscriptions(&database, 1, date(2026, 1, 2), Deliver::Sent);
    let listed = done(&address, &["due", "list", "--json"]).json();
    let rows = listed.as_array().unwrap();
    assert_eq!(rows.len(), 3, "{listed}");
    // The longest due comes first: it is so late that it waits for the owner.
    let expected = json!({"account": EMAIL, "isTest": false, "kind": "recurringInvoice", "recurringInvoiceId": 3,
        "n": 1, "date": "2026-01-02", "customer": "Customer 0", "action": "wait"});
    assert_eq!(rows[0], expected);
    assert_eq!((&rows[1]["action"], &rows[1]["date"]), (&json!("make"), &json!(today())));
    let printed = done(&address, &["due", "list", "--account", EMAIL]).out;
    assert_eq!(printed.lines().count(), 3, "{printed}");
    let ran = done(&address, &["due", "run", "--account", EMAIL, "--json"]).json();
    let results: Vec<&Value> = ran.as_array().unwrap().iter().map(|row| &row["result"]).collect();
    assert_eq!(results, ["waiting", "made", "made"]);
    assert_eq!(ran[1]["invoiceId"], 1, "{ran}");
    for command in ["list", "run"] {
        let again = done(&address, &["due", command]).out;
        assert!(again.starts_with("nothing"), "{again}");
    }
    done(&address, &["verify"]);
    refused(
        &address,
        &["due", "list", "--account", "nobody@example.com"],
        &["there is no account with that e-mail address"],
    );
}

#[test]
fn mails_of_due_work_have_the_link_if_the_address_and_the_secret_are_known() {
    let database = Database::new(Engine::Sqlite);
    let address = database.address();
    account_with_key(&address, EMAIL);
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret");
    std::fs::write(&secret, [7; 32]).unwrap();
    let named =
        ["--base-url", "https://books.example.com", "--secret-file", secret.to_str().unwrap()];
    for (options, has_link) in [(&named[..], true), (&[][..], false)] {
        subscriptions(&database, 1, today(), Deliver::Mail);
        done(&address, &[&["due", "run"], options].concat());
        let sql = "SELECT body FROM mails ORDER BY created_at DESC LIMIT 1";
        let mail = Raw::open(&database).rows(sql)[0][0].clone().unwrap();
        assert_eq!(mail.contains("https://books.example.com/i/"), has_link, "{mail}");
        assert_eq!(mail.contains("hier bekijken"), has_link, "{mail}");
    }
}

/// Opens a test account with automatic reminders, an invoice that is a month late, and a clock at ten
/// o'clock on a Wednesday. Returns the number of the invoice.
fn overdue_in_test_account(database: &Database) -> String {
    let store = database.open();
    let now = System.now();
    let made = store.write_blocking(move |tx| {
        let live = accounts::by_email(tx, EMAIL)?;
        let account = test_accounts::open(tx, &Environment::at(now), live.id)?;
        let cx = Context::of_owner(&account, Environment::at(now));
        let mut customer = CustomerInput::named("Customer");
        customer.party.email = Some(Some("klant@example.com".into()));
        let command = NewInvoice {
            external_id: None,
            invoice_date: today(),
            supply: SupplyDays::default(),
            status: Status::Sent,
            customer,
            lines: vec![line()],
            terms: InvoiceTerms::default(),
            due: Due::AccountTerm,
            reference: None,
            notes: None,
            particulars: Particulars::default(),
            language: None,
            if_filed: IfFiled::Refuse,
        };
        let invoice = invoices::create(tx, &cx, &command)?.into_inner().invoice;
        let plan = ReminderPlan { mode: ReminderMode::Automatic, ..ReminderPlan::default() };
        reminders::update_settings(tx, &cx, &plan)?;
        let mut day = invoice.due_date.saturating_add(30.days());
        while day.weekday() != Weekday::Wednesday {
            day = day.tomorrow().unwrap();
        }
        test_accounts::set_clock(tx, &cx, amsterdam_hour(day, 10))?;
        Ok::<_, service::Error>(invoice.number)
    });
    made.unwrap()
}

#[test]
fn due_reminders_are_listed_and_sent_once() {
    let database = Database::new(Engine::Sqlite);
    let address = database.address();
    account_with_key(&address, EMAIL);
    let number = overdue_in_test_account(&database);
    let listed = done(&address, &["due", "list", "--json"]).json();
    let expected = json!([{"account": EMAIL, "isTest": true, "kind": "reminder", "invoiceId": 1, "step": 1,
        "reminder": "friendly", "customer": "Customer", "action": "send"}]);
    assert_eq!(listed, expected);
    let printed = done(&address, &["due", "list"]).out;
    let line = format!(
        "{EMAIL} (test account)  reminder 1 (friendly) of invoice {number} to Customer: to send\n"
    );
    assert_eq!(printed, line);
    let ran = done(&address, &["due", "run", "--json"]).json();
    assert_eq!((ran.as_array().unwrap().len(), &ran[0]["result"]), (1, &json!("sent")), "{ran}");
    for command in ["list", "run"] {
        let again = done(&address, &["due", command]).out;
        assert!(again.starts_with("nothing"), "{again}");
    }
    done(&address, &["verify"]);
}

/// Kills servers at random moments until everything that is due was made.
fn killed_servers_make_each_once(engine: Engine, nodes: usize) {
    let database = Database::new(engine);
    let address = database.address();
    let key = account_with_key(&address, EMAIL);
    subscriptions(&database, MANY, today(), Deliver::Sent);
    let made = |server: &Running| -> BTreeMap<i64, usize> {
        let (status, text) = server.get(&key, "/api/v1/invoices?limit=500");
        assert_eq!(status, 200, "{text}");
        let page: Value = serde_json::from_str(&text).unwrap();
        let mut made = BTreeMap::new();
        for invoice in page["data"].as_array().unwrap() {
            *made.entry(invoice["recurringInvoiceId"].as_i64().unwrap()).or_default() += 1;
        }
        made
    };
    let mut killed = 0;
    for round in 0..12_u64 {
        let servers: Vec<Running> = (0..nodes).map(|_| Running::serve(&address, &[])).collect();
        std::thread::sleep(Duration::from_millis(fastrand::u64(0..300) + round));
        for server in &servers {
            // A lease of a killed server keeps the others waiting; here they take it at once.
            server.signal("-KILL");
            killed += 1;
        }
        drop(servers);
        let store = database.open();
        let release = |tx: &mut store::Tx<'_>| {
            let account = accounts::by_email(tx, EMAIL)?.id;
            let sql = "UPDATE due_work SET leased_until = NULL WHERE account_id = ?1";
            tx.execute(sql, &store::params![account])?;
            Ok::<_, service::Error>(())
        };
        store.write_blocking(release).unwrap();
    }
    assert!(killed >= 12);
    let mut server = Running::serve(&address, &[]);
    wait_until("everything that is due is made", || made(&server).len() == MANY);
    assert!(made(&server).values().all(|count| *count == 1), "{:?}", made(&server));
    server.stop();
    done(&address, &["verify"]);
}

#[test]
fn a_killed_server_makes_each_invoice_once_on_sqlite() {
    killed_servers_make_each_once(Engine::Sqlite, 1);
}

#[test]
fn three_killed_servers_make_each_invoice_once_on_postgresql() {
    killed_servers_make_each_once(Engine::Postgres, 3);
}
