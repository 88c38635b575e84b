//! Changes every column of every table, and removes a row from every table. Exceptions are listed
//! with their reason.

use super::{Books, NOW, everything};
use jiff::civil::{Date, date};
use ledger::{
    booking::{self, MoneyAccount},
    entry::{Source, SourceType},
    money::Cents,
};
use service::{
    Context, Environment, Error, accounts,
    corrections::IfFiled,
    expenses::{self, EditExpense},
    mileage,
    payments::{self, UndoPayment},
    payouts::{self, UndoPayout},
    vat_payments,
};
use store::{Tx, contacts::Party};
use testing::{
    Engine, on_both_engines,
    raw::{Column, ColumnKind},
};

const NOT_BOOKS: &str = "sign-in, keys, applications and messages: none of it is booked";
const SETTINGS: &str = "a setting for new documents; existing ones have a copy of their own";
const TEXT: &str =
    "a text or a name: sent documents show a copy covered by the chain, and no sum depends on it";
const CODE_OF_ORIGIN: &str = "the origin: nothing depends on it";
const REMARK: &str = "a remark on the input, shown as a warning";
const REMARK_OF_OWNER: &str = "free text that no document shows, and no entry has";
const OWN_IDENTIFIER: &str = "the caller's identifier: unique, and without a meaning here";
const CAN_GO: &str = "the owner can change or delete it: the rest adds up";
const CHANGED_BY_OWNER: &str = "the owner changes it at any time, without an entry";

/// Tables that are not tested, with the reason.
const TABLES_EXCLUDED: &[(&[&str], &str)] = &[
    (
        &[
            "people",
            "memberships",
            "api_keys",
            "sessions",
            "mail_tokens",
            "recovery_codes",
            "person_events",
            "api_calls",
            "mails",
            "reminders",
            "reminder_stops",
            "quote_links",
            "invoice_links",
            "quote_visitors",
            "webhooks",
            "webhook_deliveries",
            "webhook_messages",
            "submissions",
            "unfinished_forms",
            "bank_uploads",
            "idempotency_keys",
            "creating_bodies",
            "request_limits",
            "oauth_clients",
            "oauth_redirect_uris",
            "oauth_grants",
            "oauth_codes",
            "oauth_access_tokens",
            "oauth_refresh_tokens",
            "maintenance",
        ],
        NOT_BOOKS,
    ),
    (&["accounts", "invoice_settings", "logos"], SETTINGS),
    (&["vat_schemes", "vat_methods", "year_closings"], CHANGED_BY_OWNER),
    (
        &["icp_filings", "icp_filing_rows"],
        "what the owner reported to the tax office: no entry has it, and what differs from the books is shown as a correction",
    ),
    (
        &["oss_filings", "oss_filing_rows"],
        "what the owner reported to the tax office: no entry has it, and what differs from the books is shown as a correction",
    ),
    (&["icp_vat_numbers", "oss_registrations"], CHANGED_BY_OWNER),
    (&["vat_revision_requests"], "external ids: nothing in the books follows from them"),
    (&["closing_bookings"], "which step made a booking: the event or the entry is tried itself"),
    (&["due_work"], "when a server looks next: what was made has rows of its own"),
    (&["bank_rules", "bank_mappings", "bank_refusals", "bank_rule_runs"], CHANGED_BY_OWNER),
    (&["timers"], "a running timer, until it is stopped"),
    (&["articles"], "what lines are filled with; a line is a copy"),
    (&["schema_version"], "the schema version: the server does not start with another one"),
    // Another test changes every byte of these tables.
    (
        &["entries", "postings", "document_records"],
        "`a_single_changed_byte_in_any_journal_row_is_found`",
    ),
];

/// Columns that are not tested, with the reason.
const EXCLUDED: &[(&str, &[&str], &str)] = &[
    ("*", &["external_id", "customer_external_id"], OWN_IDENTIFIER),
    ("*", &["date_unusual"], REMARK),
    ("*", &["source"], CODE_OF_ORIGIN),
    (
        "*",
        &["line"],
        "the position among lines: a missing or duplicate one is found by its content",
    ),
    ("books", &["stamped_at"], "the next command is later in any case"),
    (
        "books",
        &[
            "last_receipt",
            "last_time_entry",
            "last_hours_log",
            "last_webhook",
            "last_delivery",
            "last_bank_line",
            "last_bank_rule",
            "last_bank_mapping",
        ],
        CAN_GO,
    ),
    ("time_entries", &["id", "description"], CAN_GO),
    ("hours_log", &["id", "description", "category"], CAN_GO),
    ("changes", &["kind", "resource_id", "event"], "reported to programs, not booked"),
    ("contacts", &["name", "country", "folded", "status"], TEXT),
    ("contacts", Party::DETAILS, TEXT),
    ("contacts", &["iban", "bic"], CHANGED_BY_OWNER),
    (
        "expenses",
        &[
            "supplier_invoice_number",
            "due_date",
            "pay_to_name",
            "pay_to_iban",
            "pay_to_bic",
            "pay_to_reference",
        ],
        CHANGED_BY_OWNER,
    ),
    ("projects", &["name", "status", "hourly_rate", "budget_hours"], SETTINGS),
    ("expenses", &["supplier", "description"], TEXT),
    (
        "expenses",
        &["period_from", "period_until"],
        "a remark of the owner, from which the cut-off is proposed",
    ),
    ("events", &["premium"], "a remark of the owner, from which the income tax is estimated"),
    ("assets", &["description"], TEXT),
    ("trips", &["place_from", "place_to", "purpose"], TEXT),
    ("payouts", &["provider"], TEXT),
    ("invoices", &["icp_vat_number"], TEXT),
    ("payments", &["reference"], REMARK_OF_OWNER),
    ("vat_payments", &["description"], REMARK_OF_OWNER),
    ("write_offs", &["reason"], REMARK_OF_OWNER),
    ("receipts", &["name", "media_type"], TEXT),
    ("receipt_files", &["thumbnail"], "a picture made from the file, whose bytes are tried"),
    (
        "vat_payments",
        &["period", "oss_period"],
        "the return that the owner assigns it to: no entry has it, but the account tells the scheme",
    ),
    ("invoice_documents", &["is_translation"], "follows from the language, which is tried"),
    (
        "opening_items",
        &["due_date"],
        "a bill has none of its own; `opening_items_must_match…` tries that of an invoice",
    ),
    (
        "opening_items",
        &["vat"],
        "the owner's statement about an invoice from before the books began: no entry has it, and \
         it can be unknown",
    ),
];

/// Columns whose exact value does not follow from an entry: references to existing rows, dates on
/// which something must have happened, and rounded numbers. Only values far from the stored ones
/// are tried.
const NEARLY: &[(&str, &[&str])] = &[
    ("contacts", &["merged_into"]),
    ("expenses", &["contact_id"]),
    ("projects", &["contact_id"]),
    ("time_entries", &["invoice_id"]),
    ("trips", &["project_id", "distance"]),
    ("assets", &["residual_value"]),
    ("vat_revision_assets", &["asset_id"]),
    ("invoices", &["paid_at"]),
];

/// Columns that are not changed in open items, because they cannot be derived from anything: the
/// bill was recorded in other books.
const OF_OPENING: &[(&str, &[&str])] = &[("expenses", &["date"])];

/// Columns that are not changed in drafts, because nothing follows from them before the document is
/// sent.
const OF_DRAFTS: &[(&str, &[&str])] = &[("invoices", &["language"])];

/// Columns with two values, both of which are meaningful; the test tries the other value.
const FLAGS: &[(&str, &[&str])] = &[
    ("invoices", &["prices_include_vat", "prepayment"]),
    ("expense_items", &["includes_vat"]),
    ("receipts", &["is_booked"]),
    ("bank_balances", &["is_opening"]),
    ("recurring_invoices", &["own_details"]),
];

/// Whether the column is a timestamp. A nullable timestamp is only set or cleared, and any other is
/// left alone: the hash chain covers the time of each entry.
fn is_moment(column: &Column) -> bool {
    column.kind == ColumnKind::Moment
        || (column.kind == ColumnKind::Number
            && (column.name.ends_with("_at") || column.name == "at"))
}

fn is_of(list: &[(&str, &[&str])], table: &str, column: &str) -> bool {
    list.iter().any(|(of, columns)| *of == table && columns.contains(&column))
}

fn is_excluded(table: &str, column: &str) -> bool {
    EXCLUDED
        .iter()
        .any(|(of, columns, _)| (*of == "*" || *of == table) && columns.contains(&column))
}

fn is_table_left_out(table: &str) -> bool {
    TABLES_EXCLUDED.iter().any(|(tables, _)| tables.contains(&table))
}

/// Values that differ in meaning from the stored value.
fn others(
    table: &str,
    column: &Column,
    value: Option<&str>,
    column_values: &[Option<String>],
) -> Vec<Option<String>> {
    if is_of(NEARLY, table, &column.name) {
        let is_day = column_values.iter().flatten().any(|other| other.parse::<Date>().is_ok());
        return vec![Some(if is_day { "2019-01-01" } else { "1000000" }.into())];
    }
    if is_of(FLAGS, table, &column.name) {
        return vec![Some(if value == Some("0") { "1" } else { "0" }.into())];
    }
    let mut changed: Vec<Option<String>> = Vec::new();
    if is_moment(column) {
        if column.nullable {
            let other = column_values.iter().find(|other| other.is_some() != value.is_some());
            let now = if column.kind == ColumnKind::Moment {
                "2026-05-02 09:30:00Z"
            } else {
                "1777714200123456"
            };
            changed.push(if value.is_some() {
                None
            } else {
                other.cloned().unwrap_or_else(|| Some(now.into()))
            });
        }
        return changed;
    }
    changed.extend(
        column_values
            .iter()
            .filter(|other| other.as_deref() != value && other.is_some())
            .take(1)
            .cloned(),
    );
    match (column.kind, value) {
        (ColumnKind::Number, Some(value)) => {
            let value: i64 = value.parse().unwrap();
            changed.extend([value + 1, value - 1].map(|number| Some(number.to_string())));
        }
        (ColumnKind::Number, None) => changed.push(Some("1".into())),
        (ColumnKind::Bytes, Some(value)) if !value.is_empty() => {
            let first = if value.starts_with('0') { '1' } else { '0' };
            changed.push(Some(format!("{first}{}", &value[1..])));
        }
        (ColumnKind::Text | ColumnKind::Day, Some(value)) => match value.parse::<Date>() {
            Ok(day) => changed.extend(
                [day.tomorrow(), day.yesterday()].map(|day| Some(day.unwrap().to_string())),
            ),
            Err(_) if column.kind == ColumnKind::Text => changed.push(Some(format!("{value} "))),
            Err(_) => {}
        },
        _ => {}
    }
    if column.nullable && value.is_some() {
        changed.push(None);
    }
    changed
}

on_both_engines! {
    fn a_change_of_any_amount_date_or_reference_is_found(engine) {
        let books = filled(engine);
        let (mut unnoticed, mut untried) = (Vec::new(), Vec::new());
        for table in books.tables.iter().filter(|table| !is_table_left_out(table)) {
            let (columns, rows) = (books.raw.columns(table), books.raw.table(table));
            assert!(
                !rows.is_empty(),
                "{table} has no row to change: fill it, or list it as excluded with the reason"
            );
            for (place, column) in
                columns.iter().enumerate().filter(|(_, column)| !is_excluded(table, &column.name))
            {
                let mut values: Vec<Option<String>> =
                    rows.iter().map(|row| row[place].clone()).collect();
                values.sort();
                values.dedup();
                let missing = rows.iter().position(|row| row[place].is_none()).unwrap_or(0);
                let present = rows.iter().position(|row| row[place].is_some()).unwrap_or(0);
                let mut tried = vec![0, rows.len() - 1, missing, present];
                tried.sort_unstable();
                tried.dedup();
                let has = |row: &[Option<String>], wanted: &str| {
                    row.iter().any(|value| value.as_deref() == Some(wanted))
                };
                let is_exempt = |row: &[Option<String>]| {
                    is_of(OF_OPENING, table, &column.name) && has(row, "opening")
                        || is_of(OF_DRAFTS, table, &column.name) && has(row, "draft")
                };
                let tried = tried.into_iter().map(|row| &rows[row]);
                let mut attempts = 0;
                for row in tried.filter(|row| !is_exempt(row)) {
                    for value in others(table, column, row[place].as_deref(), &values) {
                        attempts += 1;
                        if books.changed(table, &columns, row, place, value.as_deref()) == Some(0) {
                            unnoticed.push(format!(
                                "{table}.{} of {}: {:?} instead of {:?}",
                                column.name,
                                books.raw.pick(&columns, row),
                                value,
                                row[place]
                            ));
                        }
                    }
                }
                if attempts == 0 && (column.nullable || !is_moment(column)) {
                    untried.push(format!("{table}.{}", column.name));
                }
            }
        }
        assert!(
            untried.is_empty(),
            "columns without a value to change (fill them, or list them as excluded): {untried:?}"
        );
        assert!(
            unnoticed.is_empty(),
            "undetected changes ({}):\n{}",
            unnoticed.len(),
            unnoticed.join("\n")
        );
        books.expect_none("put back");
    }

    fn a_missing_row_is_found_in_every_table(engine) {
        let books = filled(engine);
        let mut unnoticed = Vec::new();
        for table in books.tables.iter().filter(|table| {
            !is_table_left_out(table) || ["entries", "postings"].contains(&table.as_str())
        }) {
            let (columns, rows) = (books.raw.columns(table), books.raw.table(table));
            let mut tried = vec![0, rows.len() / 2, rows.len() - 1];
            tried.dedup();
            for row in tried.into_iter().map(|row| &rows[row]) {
                let pick = books.raw.pick(&columns, row);
                books.raw.run(&format!("DELETE FROM {table} WHERE {pick}")).unwrap();
                if books.discrepancies().is_empty() {
                    unnoticed.push(format!("{table} where {pick}"));
                }
                books.restore(table);
            }
            books.raw.run(&format!("DELETE FROM {table}")).unwrap();
            if books.discrepancies().is_empty() {
                unnoticed.push(format!("all of {table}"));
            }
            books.restore(table);
        }
        assert!(
            unnoticed.is_empty(),
            "undetected removals ({}):\n{}",
            unnoticed.len(),
            unnoticed.join("\n")
        );
        books.expect_none("put back");
    }

    fn books_of_accounts_without_their_own_row_are_found(engine) {
        let books = filled(engine);
        for table in ["accounts", "memberships", "people"] {
            books.raw.run(&format!("DELETE FROM {table}")).unwrap();
            let lost = books.store.read_blocking(service::verify::lost_accounts).unwrap();
            assert_eq!(
                lost,
                [
                    "account 1 has books, but the row of the account, of its membership or of its owner is gone"
                ],
                "{table}"
            );
            books.restore(table);
        }
        books.raw.run("DELETE FROM accounts; DELETE FROM books").unwrap();
        assert_eq!(books.store.read_blocking(service::verify::lost_accounts).unwrap().len(), 1);
        books.restore("accounts");
        assert_eq!(
            books.discrepancies(),
            ["dora@example.com: the account has no books: their row is gone"]
        );
        books.restore("books");
        assert!(books.store.read_blocking(service::verify::lost_accounts).unwrap().is_empty());
        books.expect_none("put back");
    }

    fn excluded_tables_and_columns_exist(engine) {
        let books = filled(engine);
        let has = |table: &str, column: &str| {
            let tables = books.tables.iter().filter(|of| table == "*" || *of == table);
            tables.flat_map(|table| books.raw.columns(table)).any(|of| of.name == column)
        };
        for table in TABLES_EXCLUDED.iter().flat_map(|(tables, _)| *tables) {
            // SQLite does not store the schema version in a table.
            assert!(
                *table == "schema_version" || books.tables.iter().any(|of| of == table),
                "there is no table {table}"
            );
        }
        let listed = EXCLUDED.iter().map(|(table, columns, _)| (table, columns));
        for (table, columns) in listed.chain(
            NEARLY.iter().chain(OF_OPENING).chain(FLAGS).map(|(table, columns)| (table, columns)),
        ) {
            for column in *columns {
                assert!(has(table, column), "there is no column {table}.{column}");
            }
        }
    }

    fn a_document_that_names_the_entry_of_another_cannot_be_undone(engine) {
        let books = filled(engine);
        let owner =
            books.store.read_blocking(|tx| accounts::by_email(tx, "dora@example.com")).unwrap();
        let cx = Context::of_owner(&owner, Environment::at(NOW.parse().unwrap()));
        type Undo = fn(&mut Tx<'_>, &Context) -> Result<(), Error>;
        let commands: [(&str, &str, Undo); 6] = [
            ("payments", "id = 1", |tx, cx| {
                payments::undo(tx, cx, (2, 1), UndoPayment::default(), &|_| true).map(drop)
            }),
            ("payouts", "id = 1", |tx, cx| {
                payouts::undo(tx, cx, 1, UndoPayout::default()).map(drop)
            }),
            ("trips", "id = 1", |tx, cx| mileage::undo(tx, cx, 1).map(drop)),
            ("vat_payments", "id = 2", |tx, cx| vat_payments::undo(tx, cx, 2).map(drop)),
            ("expense_payments", "expense_id = 2 AND id = 1", |tx, cx| {
                expenses::undo_payment(tx, cx, (2, 1), IfFiled::Refuse).map(drop)
            }),
            ("expenses", "id = 3", |tx, cx| {
                let edit = EditExpense { date: Some(date(2026, 4, 6)), ..EditExpense::default() };
                expenses::edit(tx, cx, 3, &edit, &|_| true).map(drop)
            }),
        ];
        let entries = books.raw.table("entries").len();
        for (table, row, undo) in commands {
            books
                .raw
                .run(&format!("UPDATE {table} SET entry_id = 5 WHERE account_id = 1 AND {row}"))
                .unwrap();
            let its = cx.clone();
            let refused = books.store.write_blocking(move |tx| undo(tx, &its));
            assert!(
                matches!(&refused, Err(Error::Internal(what)) if what.contains("names entry 5")),
                "{table}: {refused:?}"
            );
            assert_eq!(books.raw.table("entries").len(), entries, "{table}");
            books.restore(table);
        }
        books.expect_none("put back");
    }

    fn a_reversal_that_does_not_mirror_its_entry_is_found(engine) {
        let books = filled(engine);
        // The entry is booked as a faulty program would do it, with a valid chain.
        books
            .store
            .write_blocking(|tx| {
                let owner = accounts::by_email(tx, "dora@example.com")?;
                store::books::transact(tx, owner.id, NOW.parse().unwrap(), |tx, books, now| {
                    let source = Source { kind: SourceType::Manual, id: 2 };
                    let entry = booking::vat_payment(
                        source,
                        date(2026, 4, 30),
                        (booking::VatDebt::Dutch, Cents::new(100)),
                        MoneyAccount::Bank,
                    );
                    books.append(tx, &entry.reversal(1, date(2026, 4, 30), date(2026, 4, 30)), now)
                })?;
                Ok::<_, Error>(())
            })
            .unwrap();
        let discrepancies = books.discrepancies();
        assert!(
            discrepancies
                .iter()
                .any(|what| what.ends_with("reverses entry 1, which belongs to another document")),
            "{discrepancies:#?}"
        );
    }

    fn postings_without_their_bank_account_are_reported(engine) {
        let books = filled(engine);
        books.raw.run("UPDATE accounts SET bank_accounts = ''").unwrap();
        let discrepancies = books.discrepancies();
        let expected = "postings on account 1101 belong to no bank account";
        assert!(
            discrepancies.iter().any(|what| what.ends_with(expected)),
            "{discrepancies:#?}"
        );
    }
}

fn filled(engine: Engine) -> Books {
    Books::with(engine, everything::fill).unprotect()
}
