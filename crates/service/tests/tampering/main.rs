//! Tamper detection: the verification of the books finds every change in the journal made outside
//! the program, even of a single byte; and the triggers of the database reject such changes.

#![expect(clippy::unwrap_used, reason = "a failure is a failed test")]

mod columns;
mod everything;

use jiff::{
    Timestamp,
    civil::{Date, date},
};
use ledger::{
    booking::{self, MoneyAccount, VatDebt},
    calendar::Quarter,
    chart::codes,
    country::CountryCode,
    decimal::Decimal,
    entry::{Source, SourceType},
    event::Event,
    hours::Hours,
    money::Cents,
    purchase::{BusinessShare, VatTreatment},
    vat::{VatCategory, VatRate},
};
use service::{
    Context, Created, Environment, Error, access,
    accounts::{self, OpenAccount},
    contacts::CustomerInput,
    corrections::IfFiled,
    environment::{Clock, System},
    events::{self, NewEvent},
    expenses::{self, ExpenseLine, NewExpense, NewExpensePayment, Supplier},
    hours_log::{self, NewLoggedHours},
    invoice_documents::{self, Asked},
    invoices::{
        self, Due, EditInvoice, InvoiceTerms, LineInput, NewCreditNote, NewInvoice, SupplyDays,
        TaxPlace,
    },
    manual_entries::{self, ManualBooking},
    open_items::{NewOpenItem, OpenItemContact},
    payments::{self, NewPayment},
    projects::{self, NewProject},
    receipts,
    time_entries::{self, NewTimeEntry},
    vat_filings, verify,
};
use store::{
    Store, Tx, accounts::Plan, books::IdSequence, contacts::PartialParty, documents::Format,
    invoices::Status, keys::Scopes, opening_items::OpenItemKind,
};
use testing::{
    Database, Engine, Raw, on_both_engines,
    raw::{Column, ColumnKind},
};

/// Tables of the journal, whose rows the tests change, delete and forge.
const JOURNAL: [&str; 2] = ["entries", "postings"];
/// Time at which the accounts are filled, after the end of the first quarter.
const NOW: &str = "2026-05-02T09:30:00.123456Z";

/// Customer with a value in every detail, except that a Dutch one (without a category) has no VAT
/// number.
fn customer(category: Option<VatCategory>) -> PartialParty {
    let text = |text: &str| Some(Some(text.to_owned()));
    let mut customer = PartialParty {
        name: Some("Bakkerij De Korenaar".into()),
        country: category.and_then(|_| CountryCode::parse("DE").ok()),
        vat_number: Some(category.map(|_| "DE136695976".into())),
        email: text("boeken@korenaar.example"),
        kvk_number: text("12345678"),
        postal_code: text("1234 AB"),
        kind: text("business"),
        payment_term_days: text("21"),
        vat_default_rate: text("21"),
        emails: text("boeken@korenaar.example invoice,reminder"),
        ..PartialParty::default()
    };
    for (path, detail) in customer.details_mut().filter(|(_, detail)| detail.is_none()) {
        *detail = text(&format!("{path} of the baker"));
    }
    customer
}

fn sale(on: Date, price: i64, status: Status, category: Option<VatCategory>) -> NewInvoice {
    let vat_rate = if category.is_some() { VatRate::ZERO } else { VatRate::high_on(on) };
    let line = |price: i64, vat_rate| LineInput {
        description: "Design".into(),
        quantity: Decimal::new(3, 0),
        unit_price: Decimal::new(price, 2),
        vat_rate,
        vat_category: category,
        exemption: None,
        supply: None,
        place: TaxPlace::default(),
        account: None,
        unit: None,
        discount: ledger::discount::Discount::None,
        credits: None,
        article: None,
    };
    NewInvoice {
        if_filed: IfFiled::Refuse,
        external_id: None,
        invoice_date: on,
        supply: SupplyDays { first: on.yesterday().ok(), last: Some(on) },
        status,
        customer: CustomerInput { contact_id: None, party: customer(category) },
        lines: vec![
            line(price, vat_rate),
            line(1250, if category.is_some() { VatRate::ZERO } else { VatRate::low_on(on) }),
        ],
        terms: InvoiceTerms::default(),
        due: Due::AccountTerm,
        reference: Some("PO-17".into()),
        notes: None,
        particulars: store::invoices::Particulars::default(),
        language: None,
    }
}

/// Opens an account and fills it with every kind of data.
// Long: it fills one account in order.
fn fill(tx: &mut Tx<'_>, email: &str) -> Result<(), Error> {
    let now: Timestamp = NOW.parse().unwrap();
    let open = OpenAccount {
        email: email.into(),
        name: "Anna".into(),
        country: CountryCode::NL,
        plan: Plan::Pro,
        password: None,
    };
    accounts::open(tx, &Environment::at(now), &open)?;
    let cx = &Context::of_owner(&accounts::by_email(tx, email)?, Environment::at(System.now()));
    access::create_key(
        tx,
        &cx.at(now),
        &access::CreateKey::new("key", Scopes { read: true, write: true, file: false }).unwrap(),
    )?;
    let mut made = Vec::new();
    for (on, price, status, category) in [
        (date(2025, 12, 30), 9_550, Status::Sent, None),
        (date(2026, 1, 15), 9_550, Status::Sent, None),
        (date(2026, 2, 15), 65_000, Status::Sent, Some(VatCategory::IntraCommunity)),
        (date(2026, 4, 1), 12_345, Status::Draft, None),
        (date(2026, 4, 2), 4_000, Status::Draft, None),
    ] {
        made.push(
            invoices::create(tx, &cx.at(now), &sale(on, price, status, category))?
                .into_inner()
                .invoice,
        );
    }
    // Editing the lines of a draft reverses its entry, so the journal contains a reversal.
    let edit = EditInvoice {
        status: Some(Status::Sent),
        lines: Some(sale(date(2026, 4, 1), 777, Status::Sent, None).lines),
        ..EditInvoice::default()
    };
    invoices::edit(tx, &cx.at(now), made[3].id, &edit, &|_| true)?;
    let payment = NewPayment {
        external_id: None,
        invoice_id: made[0].id,
        date: date(2026, 1, 20),
        amount: Some(Cents::new(10_000)),
        method: MoneyAccount::Bank,
        reference: None,
        keeps_surplus: false,
        if_filed: IfFiled::Refuse,
    };
    payments::record(tx, &cx.at(now), &payment)?;
    let credit = NewCreditNote {
        if_filed: IfFiled::Refuse,
        external_id: None,
        invoice_id: made[1].id,
        date: Some(date(2026, 3, 1)),
        lines: None,
        reason: Some("Returned".into()),
    };
    invoices::credit(tx, &cx.at(now), &credit)?;
    let receipt =
        receipts::look_at(b"%PDF-1.7 a receipt".to_vec(), Some("paper.pdf".into())).unwrap();
    let receipt = receipts::keep(tx, &cx.at(now), &receipt)?.into_inner();
    let line = ExpenseLine {
        category: codes::OFFICE,
        amount: Cents::new(100_000),
        treatment: VatTreatment::Normal,
        rate: Some(VatRate::high_on(date(2026, 1, 1))),
        includes_vat: false,
        vat: None,
    };
    let purchase = NewExpense {
        external_id: None,
        date: date(2026, 2, 2),
        supplier: Supplier { contact_id: None, name: Some("Papierhal".into()) },
        description: Some("Paper".into()),
        lines: vec![line],
        paid_from: None,
        business_share: BusinessShare::WHOLE,
        receipt_ids: vec![receipt.id],
        period: service::expenses::Covered::default(),
        bill: service::expenses::Bill::default(),
        if_filed: IfFiled::Refuse,
    };
    let bill = expenses::record(tx, &cx.at(now), &purchase)?.into_inner().expense.id;
    let part = NewExpensePayment {
        external_id: None,
        expense_id: bill,
        date: None,
        amount: Some(Cents::new(21_000)),
        method: MoneyAccount::Bank,
        if_filed: IfFiled::Refuse,
    };
    expenses::pay(tx, &cx.at(now), &part)?;
    let drawing =
        ManualBooking::PrivateDrawing { amount: Cents::new(50_000), from: MoneyAccount::Bank };
    manual_entries::record(tx, &cx.at(now), date(2026, 3, 3), &drawing)?;
    vat_filings::file(tx, &cx.at(now), Quarter::new(2025, 4).unwrap().into())?;
    vat_filings::file(tx, &cx.at(now), Quarter::new(2026, 1).unwrap().into())?;
    let style = NewProject {
        external_id: None,
        name: "House style".into(),
        contact_id: None,
        hourly_rate: None,
        budget_hours: None,
        archived: false,
    };
    let Created::New(project) = projects::create(tx, &cx.at(now), &style)? else {
        panic!("nothing has this external id yet")
    };
    let project = project.id;
    let hours = Hours::new(250);
    let worked = NewTimeEntry {
        external_id: None,
        project_id: project,
        date: date(2026, 4, 1),
        hours,
        description: "Sketches".into(),
    };
    time_entries::create(tx, &cx.at(now), &worked)?;
    let category = hours_log::CATEGORIES[0];
    let logged = NewLoggedHours {
        external_id: None,
        date: date(2026, 4, 2),
        hours,
        description: "Books".into(),
        category,
    };
    hours_log::create(tx, &cx.at(now), &logged)?;
    let (_, document) = invoice_documents::ask(tx, cx, made[0].id, Format::Pdf, None)?;
    let Asked::Unmade(unmade) = document else { panic!("it was not requested before") };
    invoice_documents::keep(tx, &cx.at(now), &invoice_documents::make(&unmade)?, Format::Pdf)?;
    // The journal ends with an entry that has no VAT box.
    let deposit =
        ManualBooking::PrivateDeposit { amount: Cents::new(700), into: MoneyAccount::Cash };
    manual_entries::record(tx, &cx.at(now), date(2026, 4, 30), &deposit)?;
    Ok(())
}

/// Opens a third account, whose opening balance has an open invoice and an open bill.
fn begin_with_open_items(tx: &mut Tx<'_>) -> Result<(), Error> {
    let now: Timestamp = NOW.parse().unwrap();
    let email = "cas@example.com".to_owned();
    let open = OpenAccount {
        email: email.clone(),
        name: "Cas".into(),
        country: CountryCode::NL,
        plan: Plan::Pro,
        password: None,
    };
    accounts::open(tx, &Environment::at(now), &open)?;
    let cx = &Context::of_owner(&accounts::by_email(tx, &email)?, Environment::at(System.now()));
    let item = |kind, contact: &str, number: &str, amount| NewOpenItem {
        kind,
        contact: OpenItemContact::Name(contact.to_owned()),
        number: number.to_owned(),
        date: date(2025, 12, 1),
        due_date: date(2025, 12, 31),
        amount: Cents::new(amount),
        total: None,
        supply_date: None,
        vat: Vec::new(),
    };
    let opening = NewEvent {
        external_id: None,
        date: date(2026, 1, 1),
        description: None,
        event: Event::OpeningBalance { balances: vec![(codes::BANK, Cents::new(800_000))] },
        parent_id: None,
        open_items: vec![
            item(OpenItemKind::Receivable, "Museum De Pier", "F-41", 60_500),
            item(OpenItemKind::Payable, "Papierhal", "88104", 12_100),
        ],
        if_filed: IfFiled::Refuse,
    };
    events::record(tx, &cx.at(now), &opening)?;
    Ok(())
}

/// Books of two accounts, with direct access to the database.
struct Books {
    // Fields are dropped in this order: the store, which uses the database, goes first.
    store: Store,
    raw: Raw,
    tables: Vec<String>,
    _database: Database,
}

impl Books {
    fn new(engine: Engine) -> Self {
        Self::with(engine, |tx| {
            ["anna@example.com", "bram@example.com"]
                .into_iter()
                .try_for_each(|email| fill(tx, email))
        })
    }

    /// Creates books filled by `fill`.
    fn with(
        engine: Engine,
        fill: impl FnMut(&mut Tx<'_>) -> Result<(), Error> + Send + 'static,
    ) -> Self {
        let database = Database::new(engine);
        let store = database.open();
        store.write_blocking(fill).unwrap();
        let raw = Raw::open(&database);
        let tables = raw.tables();
        let books = Self { store, raw, tables, _database: database };
        books.expect_none("as they were made");
        books
    }

    /// Creates the books with the protecting triggers removed and a copy of each table.
    fn unprotected(engine: Engine) -> Self {
        Self::new(engine).unprotect()
    }

    fn unprotect(self) -> Self {
        let books = self;
        books.raw.unprotect();
        for table in &books.tables {
            books.raw.run(&format!("CREATE TABLE kept_{table} AS SELECT * FROM {table}")).unwrap();
        }
        books
    }

    fn discrepancies(&self) -> Vec<String> {
        let verifications = self.store.read_blocking(|tx| {
            let mut all = Vec::new();
            for account in accounts::list(tx)? {
                let verification = verify::verify_books(
                    tx,
                    &Context::of_owner(&account, Environment::at(System.now())),
                    &|_| {},
                )?;
                all.extend(
                    verification
                        .discrepancies
                        .into_iter()
                        .map(|what| format!("{}: {what}", account.owner.email)),
                );
            }
            Ok::<_, Error>(all)
        });
        verifications.unwrap_or_else(|error| {
            panic!("the verification should report discrepancies, not fail: {error}")
        })
    }

    fn expect_none(&self, when: &str) {
        assert_eq!(self.discrepancies(), Vec::<String>::new(), "{when}");
    }

    /// Restores the rows of a table.
    fn restore(&self, table: &str) {
        let columns = self.raw.columns(table);
        let names =
            columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(", ");
        let identity = if ["accounts", "people"].contains(&table) && self.raw.is_postgres() {
            " OVERRIDING SYSTEM VALUE"
        } else {
            ""
        };
        self.raw
            .run(&format!("DELETE FROM {table}; INSERT INTO {table} ({names}){identity} SELECT {names} FROM kept_{table}"))
            .unwrap();
    }

    /// Runs SQL on tables and expects a discrepancy that contains all of `reported`; then restores
    /// the tables.
    fn expect_reported(&self, sql: &str, tables: &[&str], reported: &[&str]) {
        self.raw.run(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
        let discrepancies = self.discrepancies();
        assert!(
            discrepancies.iter().any(|what| reported.iter().all(|part| what.contains(part))),
            "{sql}: no discrepancy contains {reported:?}: {discrepancies:#?}"
        );
        for table in tables {
            self.restore(table);
        }
    }

    /// Changes one value of a row, unless that would duplicate a key, and expects a discrepancy;
    /// returns whether the value was changed.
    fn change_one(
        &self,
        table: &str,
        columns: &[Column],
        row: &[Option<String>],
        place: usize,
        value: Option<&str>,
    ) -> bool {
        let count = self.changed(table, columns, row, place, value);
        if count == Some(0) {
            panic!(
                "not detected: {table}.{} is {value:?} instead of {:?}",
                columns[place].name, row[place]
            );
        }
        count.is_some()
    }

    /// Changes one value of a row and returns the number of discrepancies; `None` if the change
    /// would duplicate a key.
    fn changed(
        &self,
        table: &str,
        columns: &[Column],
        row: &[Option<String>],
        place: usize,
        value: Option<&str>,
    ) -> Option<usize> {
        let column = &columns[place];
        let (name, new) = (&column.name, self.raw.literal(column, value));
        let sql =
            format!("UPDATE {table} SET {name} = {new} WHERE {}", self.raw.pick(columns, row));
        if let Err(refused) = self.raw.run(&sql) {
            let refused = refused.to_lowercase();
            // Only a change that would duplicate a key may be rejected.
            assert!(refused.contains("unique"), "{sql}: {refused}");
            return None;
        }
        let count = self.discrepancies().len();
        self.restore(table);
        Some(count)
    }
}

/// Returns other values for a column: minimal changes of `value`, and up to two of `others`.
fn changes(column: &Column, value: Option<&str>, others: &[Option<String>]) -> Vec<Option<String>> {
    let mut changed: Vec<Option<String>> =
        others.iter().filter(|other| other.as_deref() != value).take(2).cloned().collect();
    match (column.kind, value) {
        (ColumnKind::Number, None) => changed.push(Some("1".into())),
        (ColumnKind::Number, Some(value)) => {
            let value: i64 = value.parse().unwrap();
            changed.extend(
                [value + 1, value - 1, value + 1_000_000].map(|number| Some(number.to_string())),
            );
        }
        // An empty value has no byte to change.
        (ColumnKind::Bytes, Some("")) => {}
        (ColumnKind::Bytes, Some(value)) => {
            for place in [0, value.len() / 2, value.len() - 1] {
                changed.push(Some(flipped(
                    value,
                    place,
                    if value.as_bytes()[place] == b'0' { b'1' } else { b'0' },
                )));
            }
        }
        (ColumnKind::Text, Some("")) => changed.extend([Some("1".into()), Some(" ".into())]),
        (ColumnKind::Text, Some(value)) => {
            for place in [0, value.len() / 2, value.len() - 1] {
                let byte = value.as_bytes()[place];
                // Flips the lowest bit, and the bit that changes the case of a letter.
                changed.extend(
                    [byte ^ 1, byte ^ 0x20]
                        .into_iter()
                        .filter(|byte| (b' '..0x7f).contains(byte))
                        .map(|byte| Some(flipped(value, place, byte))),
                );
            }
            changed.push(Some(format!("{value} ")));
        }
        (ColumnKind::Day, Some(value)) => {
            let day: Date = value.parse().unwrap();
            changed.extend(
                [day.tomorrow(), day.yesterday()].map(|day| Some(day.unwrap().to_string())),
            );
        }
        (ColumnKind::Moment, Some(value)) => {
            let moment: Timestamp = value.parse().unwrap();
            changed.extend([1, -1].map(|by| {
                Some(Timestamp::from_microsecond(moment.as_microsecond() + by).unwrap().to_string())
            }));
        }
        (ColumnKind::Text, None) => changed.extend(["2026-Q1", "x"].map(|text| Some(text.into()))),
        (_, None) => {}
    }
    if column.nullable && value.is_some() {
        changed.push(None);
    }
    changed
}

fn flipped(text: &str, place: usize, byte: u8) -> String {
    let mut bytes = text.as_bytes().to_vec();
    bytes[place] = byte;
    String::from_utf8(bytes).unwrap()
}

on_both_engines! {
    fn a_single_changed_byte_in_any_journal_row_is_found(engine) {
        let books = Books::unprotected(engine);
        for table in JOURNAL {
            let (columns, rows) = (books.raw.columns(table), books.raw.table(table));
            assert!(
                columns.len() >= 7 && rows.len() > 20,
                "{table} has {} columns and {} rows",
                columns.len(),
                rows.len()
            );
            for (place, column) in columns.iter().enumerate() {
                let mut others: Vec<Option<String>> =
                    rows.iter().map(|row| row[place].clone()).collect();
                others.sort();
                others.dedup();
                let mut done = 0;
                // First, middle and last row of the table, and the row with the last value of the
                // column in sort order, which is often unusual.
                let unusual =
                    rows.iter().position(|row| row[place] == others[others.len() - 1]).unwrap();
                for row in [0, rows.len() / 2, rows.len() - 1, unusual] {
                    let row = &rows[row];
                    for change in changes(column, row[place].as_deref(), &others) {
                        done += usize::from(books.change_one(
                            table,
                            &columns,
                            row,
                            place,
                            change.as_deref(),
                        ));
                    }
                }
                assert!(done >= 4, "{table}.{} was changed {done} times only", column.name);
            }
            books.expect_none("put back");
        }
    }

    fn missing_forged_and_swapped_rows_are_found(engine) {
        let books = Books::unprotected(engine);
        let rows = books.raw.table("entries").len() / 2;
        for id in [1, rows / 2, rows] {
            books.expect_reported(
                &format!("DELETE FROM entries WHERE account_id = 1 AND id = {id}"),
                &["entries"],
                &["anna@", "entr"],
            );
            let both = format!(
                "DELETE FROM postings WHERE account_id = 1 AND entry_id = {id}; DELETE FROM entries WHERE account_id = 1 AND id = {id}"
            );
            books.expect_reported(&both, &JOURNAL, &["anna@", "entr"]);
            let last = format!(
                "DELETE FROM postings WHERE account_id = 1 AND entry_id = {id} AND line = (SELECT MAX(line) FROM postings WHERE account_id = 1 AND entry_id = {id})"
            );
            books.expect_reported(&last, &["postings"], &["anna@", &format!("entry {id}:")]);
            let first = format!(
                "DELETE FROM postings WHERE account_id = 1 AND entry_id = {id} AND line = 1"
            );
            books.expect_reported(&first, &["postings"], &["anna@", &format!("entry {id}:")]);
        }
        books.expect_reported(
            "DELETE FROM postings WHERE account_id = 1; DELETE FROM entries WHERE account_id = 1",
            &JOURNAL,
            &["anna@", "entries, but 0 were found"],
        );
        // Swaps two neighbouring entries, with and without their postings, and two postings of one
        // entry.
        let swap = |table: &str, column: &str, own: &str, one: i64, other: i64| {
            format!(
                "UPDATE {table} SET {column} = -1 WHERE {own} AND {column} = {one}; \
                 UPDATE {table} SET {column} = {one} WHERE {own} AND {column} = {other}; \
                 UPDATE {table} SET {column} = {other} WHERE {own} AND {column} = -1"
            )
        };
        let (one, other) = (2, 3);
        let entries = swap("entries", "id", "account_id = 1", one, other);
        books.expect_reported(&entries, &["entries"], &["anna@", "entry 2:"]);
        let whole =
            format!("{entries}; {}", swap("postings", "entry_id", "account_id = 1", one, other));
        books.expect_reported(&whole, &JOURNAL, &["anna@", "entry 2:"]);
        books.expect_reported(
            &swap("postings", "line", "account_id = 1 AND entry_id = 2", 1, 2),
            &["postings"],
            &["anna@", "entry 2:"],
        );
        // Forged rows: entries after the last and before the first, and postings without an entry.
        let copy = |id: &str| {
            format!(
                "INSERT INTO entries SELECT account_id, {id}, date, vat_date, corrects_period, description_kind, description_number, description_related_number, description_party, description_period, description_text, description_receipts, source_type, source_id, reverses_entry_id, hash, created_at FROM kept_entries WHERE account_id = 1 AND id = 2; \
                     INSERT INTO postings SELECT account_id, {id}, line, account_code, debit, credit, vat_box, date FROM kept_postings WHERE account_id = 1 AND entry_id = 2"
            )
        };
        for id in ["0", "-5", "1000", &(rows + 1).to_string()] {
            books.expect_reported(&copy(id), &JOURNAL, &["anna@", &format!("entry {id}:")]);
        }
        for entry in ["0", "-1", "1000"] {
            let orphan = format!(
                "INSERT INTO postings VALUES (1, {entry}, 1, 1100, 100, 0, '', '2026-01-01'), (1, {entry}, 2, 8000, 0, 100, '', '2026-01-01')"
            );
            books.expect_reported(&orphan, &["postings"], &["anna@", "postings"]);
        }
        books.expect_reported(
            "INSERT INTO postings VALUES (1, 2, 100, 1100, 0, 0, '', '2026-01-01')",
            &["postings"],
            &["anna@", "entry 2:"],
        );
        books.expect_reported(
            "INSERT INTO postings VALUES (1, 2, 0, 1100, 0, 0, '', '2026-01-01')",
            &["postings"],
            &["anna@", "entry 2:"],
        );
        books.expect_none("put back");
    }

    fn all_derived_data_is_recomputed(engine) {
        let books = Books::unprotected(engine);
        // Changes every column of the stored sums and counters, up and down by one.
        for (table, reported) in [
            ("period_totals", "the totals of"),
            ("vat_totals", "the VAT totals of"),
            ("document_totals", "of 20"),
            ("sales_totals", "are kept as"),
            ("number_series", " of 202"),
            ("books", "the books say"),
            ("vat_filing_boxes", "was filed with"),
            ("day_hours", "the hours of"),
        ] {
            let (columns, rows) = (books.raw.columns(table), books.raw.table(table));
            // The time of the last command (`stamped_at`) is left out: it is not recorded
            // elsewhere, so a change to it cannot be detected.
            let counted = columns.iter().filter(|column| {
                column.key == 0 && column.kind == ColumnKind::Number && column.name != "stamped_at"
            });
            for column in counted {
                let place = columns.iter().position(|other| other == column).unwrap();
                for row in [0, rows.len() / 2, rows.len() - 1] {
                    let pick = books.raw.pick(&columns, &rows[row]);
                    let by = if rows[row][place].is_some() {
                        format!("{} + 1", column.name)
                    } else {
                        "1".into()
                    };
                    // A higher value of these counters is not reported, as the last row may have
                    // been deleted.
                    let can_go = [
                        "last_receipt",
                        "last_time_entry",
                        "last_hours_log",
                        "last_webhook",
                        "last_delivery",
                        "last_bank_line",
                        "last_bank_mapping",
                    ]
                    .contains(&column.name.as_str());
                    if !can_go {
                        books.expect_reported(
                            &format!("UPDATE {table} SET {} = {by} WHERE {pick}", column.name),
                            &[table],
                            &[reported],
                        );
                    }
                    let by = if rows[row][place].is_some() {
                        format!("{} - 1", column.name)
                    } else {
                        "0".into()
                    };
                    books.expect_reported(
                        &format!("UPDATE {table} SET {} = {by} WHERE {pick}", column.name),
                        &[table],
                        &[reported],
                    );
                }
            }
            if table != "books" {
                for row in [0, rows.len() / 2, rows.len() - 1] {
                    let pick = books.raw.pick(&columns, &rows[row]);
                    books.expect_reported(
                        &format!("DELETE FROM {table} WHERE {pick}"),
                        &[table],
                        &[reported],
                    );
                }
            }
        }
        for (sql, table, reported) in [
            (
                "UPDATE books SET head_hash = (SELECT hash FROM entries WHERE account_id = 1 AND id = 1) WHERE account_id = 1",
                "books",
                "head of the chain",
            ),
            (
                "UPDATE period_totals SET account_code = 9999 WHERE account_id = 1 AND account_code = 8000 AND year = 2025",
                "period_totals",
                "9999",
            ),
            (
                "UPDATE vat_totals SET vat_box = '1c' WHERE account_id = 1 AND account_code = 8000 AND year = 2025",
                "vat_totals",
                "the VAT totals of 2025-1",
            ),
            (
                "UPDATE vat_totals SET month = month + 1 WHERE account_id = 1 AND account_code = 1500",
                "vat_totals",
                "the VAT totals of 2026-",
            ),
            (
                "UPDATE period_totals SET month = month + 1 WHERE account_id = 1 AND account_code = 1000",
                "period_totals",
                "the totals of 2026",
            ),
            (
                "INSERT INTO period_totals VALUES (1, 2027, 1, 8000, 0, 1)",
                "period_totals",
                "the totals of 2027-01",
            ),
            (
                "INSERT INTO document_totals VALUES (1, 2027, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)",
                "document_totals",
                "of 2027-01",
            ),
            (
                "INSERT INTO sales_totals VALUES (1, 'dueDate', '2027-01-01', 0, 1, 0, 0, 0, 0)",
                "sales_totals",
                "the invoices due on 2027-01-01 are kept as",
            ),
            (
                "UPDATE sales_totals SET member = 'unknown' WHERE dimension = 'standing' AND member = 'open'",
                "sales_totals",
                "the totals of sales cannot be read",
            ),
            ("INSERT INTO number_series VALUES (1, 2027, 0, 1)", "number_series", "number series"),
            (
                "UPDATE vat_filing_boxes SET vat_box = '1c' WHERE account_id = 1 AND vat_box = '1a'",
                "vat_filing_boxes",
                "was filed with",
            ),
            (
                "UPDATE vat_filings SET payable = payable + 1 WHERE account_id = 1",
                "vat_filings",
                "was filed with",
            ),
            (
                "UPDATE vat_filings SET declared_payable = declared_payable + 1 WHERE account_id = 1",
                "vat_filings",
                "was filed with",
            ),
            (
                "UPDATE vat_filings SET reopened_at = filed_at WHERE account_id = 1 AND period = '2026-Q1'",
                "vat_filings",
                "2026-Q1",
            ),
            (
                "DELETE FROM vat_filings WHERE account_id = 1 AND period = '2026-Q1'",
                "vat_filings",
                "2026-Q1",
            ),
            (
                "UPDATE vat_filings SET period = '2026-Q2' WHERE account_id = 1 AND period = '2026-Q1'",
                "vat_filings",
                "2026-Q2",
            ),
            (
                "UPDATE projects SET hours_logged = hours_logged + 1 WHERE account_id = 1",
                "projects",
                "project 1",
            ),
            (
                "UPDATE time_entries SET hours = hours + 1 WHERE account_id = 1",
                "time_entries",
                "project 1",
            ),
            (
                "UPDATE hours_log SET hours = hours + 1 WHERE account_id = 1",
                "hours_log",
                "the hours of 2026-04-02",
            ),
        ] {
            books.expect_reported(sql, &[table], &["anna@", reported]);
        }
        books.expect_none("put back");
    }

    fn invoices_must_match_their_entries_and_be_numbered_without_gaps(engine) {
        let books = Books::unprotected(engine);
        let own = "WHERE account_id = 1 AND id = 2";
        for (sql, reported) in [
            ("UPDATE invoices SET number_in_year = 1000", "has number 1000 of 2026"),
            ("UPDATE invoices SET number_year = 2024", "number series"),
            ("UPDATE invoices SET number = '2026-0009'", "2026-0009"),
            ("UPDATE invoices SET number = '2036-0001'", "2036-0001"),
            ("UPDATE invoices SET number = '2026-1001'", "2026-1001"),
            ("UPDATE invoices SET total = total + 1", "totals"),
            ("UPDATE invoices SET subtotal = subtotal + 1", "totals"),
            ("UPDATE invoices SET vat_total = vat_total + 1", "totals"),
            ("UPDATE invoices SET invoice_date = '2026-04-15'", "of 2026"),
            ("UPDATE invoices SET vat_date = '2026-03-15'", "is due on"),
            ("UPDATE invoices SET amount_written_off = amount_written_off + 1", "to be received"),
            ("UPDATE invoices SET status = 'draft'", "of 2026"),
            ("UPDATE invoices SET amount_paid = amount_paid + 1", "was paid"),
            ("UPDATE invoices SET amount_credited = amount_credited + 1", "was credited"),
            ("UPDATE invoices SET amount_credited = 0", "was credited"),
            ("DELETE FROM invoices", "invoice"),
        ] {
            books.expect_reported(&format!("{sql} {own}"), &["invoices"], &["anna@", reported]);
        }
        books.expect_reported(
            "UPDATE invoices SET amount_paid = 0 WHERE account_id = 1 AND id = 1",
            &["invoices"],
            &["anna@", "of 2025"],
        );
        books.expect_reported(
            "DELETE FROM invoices WHERE account_id = 1 AND id = 6",
            &["invoices"],
            &["anna@", "6 invoices, but 5"],
        );
        // Moves a credit note to another invoice, which charged no such VAT.
        let moved = "UPDATE invoices SET credited_invoice_id = 3 WHERE account_id = 1 AND id = 6";
        books.expect_reported(
            moved,
            &["invoices"],
            &[
                "anna@",
                "the credit notes on invoice 2026-0002 leave",
                "of VAT at 21 per cent (standard)",
            ],
        );
        books.expect_reported(
            "UPDATE payments SET amount = amount - 1 WHERE account_id = 1",
            &["payments"],
            &["anna@", "was paid"],
        );
        books.expect_reported(
            "DELETE FROM payments WHERE account_id = 1",
            &["payments"],
            &["anna@", "was paid"],
        );
        for (sql, reported) in [
            ("UPDATE invoice_items SET quantity = '4'", "its lines"),
            ("UPDATE invoice_items SET unit_price = '95.51'", "its lines"),
            ("UPDATE invoice_items SET vat_basis_points = 900", "its lines"),
            ("UPDATE invoice_items SET amount = amount + 1", "lines"),
            ("UPDATE invoice_items SET rounding = 1", "its lines"),
            ("DELETE FROM invoice_items", "its lines"),
        ] {
            books.expect_reported(
                &format!("{sql} WHERE account_id = 1 AND invoice_id = 2 AND line = 1"),
                &["invoice_items"],
                &["anna@", reported],
            );
        }
        books.expect_none("put back");
    }

    fn opening_items_must_match_their_entries(engine) {
        let books = Books::new(engine);
        books.store.write_blocking(begin_with_open_items).unwrap();
        let books = books.unprotect();
        books.expect_none("as it was made");
        let (invoice, bill) =
            ("WHERE account_id = 3 AND id = 1", "WHERE account_id = 3 AND id = 1");
        for (sql, table, reported) in [
            (format!("UPDATE invoices SET total = total + 1 {invoice}"), "invoices", "totals"),
            (format!("UPDATE invoices SET number = 'F-42' {invoice}"), "invoices", "F-42"),
            (
                format!("UPDATE invoices SET number_in_year = 1 {invoice}"),
                "invoices",
                "has no place in a series",
            ),
            (
                format!("UPDATE invoices SET due_date = '2026-06-01' {invoice}"),
                "invoices",
                "was changed after it was sent",
            ),
            (
                format!("UPDATE invoices SET customer_name = 'De Punt' {invoice}"),
                "invoices",
                "was changed after it was sent",
            ),
            (
                format!("UPDATE invoices SET source = 'app' {invoice}"),
                "invoices",
                "its document is not an opening item",
            ),
            (
                format!("UPDATE invoices SET status = 'cancelled' {invoice}"),
                "invoices",
                "not undone together with its opening balance",
            ),
            (format!("UPDATE expenses SET total = total + 1 {bill}"), "expenses", "expense 1"),
            (
                format!("UPDATE expenses SET description = '88105' {bill}"),
                "expenses",
                "differs from the document's",
            ),
            (
                format!("UPDATE expenses SET source = 'api' {bill}"),
                "expenses",
                "its document is not an opening item",
            ),
            (
                "UPDATE opening_items SET number = 'F-42' WHERE account_id = 3 AND line = 1"
                    .to_owned(),
                "opening_items",
                "differs from the document's",
            ),
            (
                "UPDATE opening_items SET document_id = 7 WHERE account_id = 3 AND line = 2"
                    .to_owned(),
                "opening_items",
                "its expense is gone",
            ),
            (
                "DELETE FROM opening_items WHERE account_id = 3 AND line = 1".to_owned(),
                "opening_items",
                "no opening balance lists it",
            ),
            (
                "DELETE FROM events WHERE account_id = 3".to_owned(),
                "events",
                "its opening balance is gone",
            ),
            (
                "UPDATE events SET undone_at = created_at WHERE account_id = 3".to_owned(),
                "events",
                "not undone together with its opening balance",
            ),
        ] {
            books.expect_reported(&sql, &[table], &["cas@", reported]);
        }
        books.expect_none("put back");
    }

    fn an_entry_on_the_vat_of_other_countries_belongs_to_a_document_or_payment(engine) {
        let books = Books::new(engine);
        books.expect_none("before");
        let account = books.store.read_blocking(accounts::list).unwrap().remove(0);
        let cx = Context::of_owner(&account, Environment::at(NOW.parse().unwrap()));
        let debt = (VatDebt::Union, Cents::new(1_000));
        let book = move |tx: &mut Tx<'_>| {
            service::context::transact(tx, &cx, |tx, books, cx| {
                let source = Source { kind: SourceType::Manual, id: books.next_id(IdSequence::Manual) };
                let entry = booking::vat_payment(source, date(2026, 4, 1), debt, MoneyAccount::Bank);
                books.append(tx, &entry, cx.now())?;
                Ok::<_, Error>(())
            })
        };
        books.store.write_blocking(book).unwrap();
        let found = books.discrepancies();
        let is_sum = |what: &&String| what.contains("0.00 of VAT of other member states is owed");
        assert_eq!(found.iter().filter(is_sum).count(), 1, "{found:?}");
    }

    fn a_changed_or_missing_document_is_found_and_named(engine) {
        let books = Books::unprotected(engine);
        let pdf = "the PDF of invoice 2025-0001 (nl)";
        let bytes = if books.raw.is_postgres() { "'\\x25504446'" } else { "x'25504446'" };
        for (sql, table, reported) in [
            (format!("UPDATE invoice_documents SET bytes = {bytes} WHERE account_id = 1"), "invoice_documents", pdf),
            ("UPDATE invoice_documents SET language = 'en' WHERE account_id = 1".to_owned(), "invoice_documents", pdf),
            ("UPDATE invoice_documents SET sha256 = (SELECT hash FROM entries WHERE account_id = 1 AND id = 1) WHERE account_id = 1".to_owned(), "invoice_documents", pdf),
            ("DELETE FROM invoice_documents WHERE account_id = 1".to_owned(), "invoice_documents", pdf),
            ("UPDATE document_settings SET settings = 'name Somebody else' WHERE account_id = 1".to_owned(), "document_settings", "settings that documents show"),
            ("DELETE FROM document_settings WHERE account_id = 1".to_owned(), "document_settings", "settings that documents show are gone"),
            ("DELETE FROM document_records WHERE account_id = 1 AND id = 1".to_owned(), "document_records", "record 1 of a document is missing"),
            ("DELETE FROM document_records WHERE account_id = 1".to_owned(), "document_records", "no record of what invoice 2025-0001 showed"),
            ("UPDATE invoices SET customer_name = 'Somebody else' WHERE account_id = 1 AND id = 1".to_owned(), "invoices", "invoice 2025-0001 was changed after it was sent"),
            ("UPDATE invoices SET due_date = '2027-01-01' WHERE account_id = 1 AND id = 1".to_owned(), "invoices", "invoice 2025-0001 was changed after it was sent"),
            ("UPDATE invoice_items SET description = 'Advice' WHERE account_id = 1 AND invoice_id = 1 AND line = 1".to_owned(), "invoice_items", "invoice 2025-0001 was changed after it was sent"),
        ] {
            books.expect_reported(&sql, &[table], &["anna@", reported]);
        }
        let (columns, rows) =
            (books.raw.columns("document_records"), books.raw.table("document_records"));
        for (place, column) in columns.iter().enumerate() {
            let others: Vec<Option<String>> = rows.iter().map(|row| row[place].clone()).collect();
            for row in [&rows[0], &rows[rows.len() - 1]] {
                for change in changes(column, row[place].as_deref(), &others) {
                    books.change_one("document_records", &columns, row, place, change.as_deref());
                }
            }
        }
        books.expect_none("put back");
    }

    fn the_database_itself_rejects_changes_of_the_journal(engine) {
        let books = Books::new(engine);
        for table in JOURNAL.into_iter().chain(["document_records"]) {
            for column in books.raw.columns(table) {
                let name = &column.name;
                let refused =
                    books.raw.run(&format!("UPDATE {table} SET {name} = {name}")).unwrap_err();
                assert!(refused.contains("never changed"), "{table}.{name}: {refused}");
            }
            let refused = books.raw.run(&format!("DELETE FROM {table}")).unwrap_err();
            assert!(refused.contains("never") && refused.contains("deleted"), "{table}: {refused}");
            let one = format!("DELETE FROM {table} WHERE account_id = 1");
            assert!(books.raw.run(&one).is_err(), "{one}");
        }
        books.expect_none("nothing was changed");
    }
}
