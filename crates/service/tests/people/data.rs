//! Export and erasure of an account: the export is complete, the erasure leaves nothing behind, and
//! other accounts are not affected.

use crate::{ANNA, BRAM, Command, House, SECOND, env, key, noon};
use jiff::{SignedDuration, Timestamp};
use service::{
    Context, Error, access,
    environment::{Random, System},
    people::{Account, data},
    verify,
};
use std::collections::{BTreeMap, BTreeSet};
use store::{
    StoreError,
    accounts::Plan,
    closing::{TABLES, TABLES_OF_PEOPLE},
    keys::Scopes,
    people::PersonId,
};
use testing::{
    Raw, on_both_engines,
    raw::{Column, ColumnKind},
};

/// Rows per table and account. A few tables get [`MANY`], more than one page of the export.
const ROWS: i64 = 3;
const MANY: i64 = 2_300;

/// Tables of the schema with rows of accounts or people, except memberships, which link the two.
fn tables(raw: &Raw) -> BTreeMap<String, Vec<Column>> {
    let all = raw.tables().into_iter().map(|table| (table.clone(), raw.columns(&table)));
    all.filter(|(table, columns)| table != "memberships" && columns.iter().any(is_whose)).collect()
}

/// Whether the column identifies the account or person to which a row belongs.
fn is_whose(column: &Column) -> bool {
    ["account_id", "person_id"].contains(&column.name.as_str())
}

/// SQL condition for the rows of an account and its owner.
fn condition(columns: &[Column], account: &Account) -> String {
    match columns.iter().find(|column| is_whose(column)).unwrap().name.as_str() {
        "account_id" => format!("account_id = {}", account.id),
        _ => format!("person_id = {}", account.owner.id.0),
    }
}

/// A value for a column; rows with the same number refer to one another.
fn value(raw: &Raw, table: &str, column: &Column, account: &Account, number: i64) -> String {
    let text = match (column.name.as_str(), column.kind) {
        ("account_id", _) => account.id.to_string(),
        ("person_id", _) => account.owner.id.0.to_string(),
        ("client_id", _) => "client".into(),
        // SQLite stores times as numbers.
        (name, ColumnKind::Number) if name == "at" || name.ends_with("_at") => number.to_string(),
        (_, ColumnKind::Number) => number.to_string(),
        (_, ColumnKind::Bytes) => {
            let hash = service::people::sessions::hash(&format!("{table} {} {number}", account.id));
            hash.iter().map(|byte| format!("{byte:02x}")).collect()
        }
        (name, ColumnKind::Text)
            if ["date", "due_date", "invoice_date", "paid_at"].contains(&name) =>
        {
            day(number)
        }
        (_, ColumnKind::Text) => format!("text {number}"),
        (_, ColumnKind::Day) => day(number),
        (_, ColumnKind::Moment) => Timestamp::from_microsecond(number).unwrap().to_string(),
    };
    raw.literal(column, Some(&text))
}

fn day(number: i64) -> String {
    (jiff::civil::date(2020, 1, 1) + SignedDuration::from_hours(24 * number)).to_string()
}

/// Inserts rows into every table with SQL, not necessarily rows that the program would write.
fn fill(house: &House, account: &Account) {
    let raw = house.raw();
    let all = tables(&raw);
    for (table, key) in
        TABLES.iter().rev().chain(TABLES_OF_PEOPLE).filter(|(table, _)| *table != "books")
    {
        let columns = &all[*table];
        let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        let rows = match *table {
            "entries" | "api_calls" => MANY,
            // One row per account.
            _ if key.is_empty() => 1,
            _ => ROWS,
        };
        let values: Vec<String> = (1..=rows)
            .map(|number| {
                let row: Vec<String> = columns
                    .iter()
                    .map(|column| value(&raw, table, column, account, number))
                    .collect();
                format!("({})", row.join(", "))
            })
            .collect();
        raw.run(&format!(
            "INSERT INTO {table} ({}) VALUES {}",
            names.join(", "),
            values.join(", ")
        ))
        .unwrap_or_else(|error| panic!("{table}: {error}"));
    }
}

impl House {
    /// Opens three accounts with rows in every table.
    fn filled(engine: testing::Engine) -> (Self, [Account; 3]) {
        let house = Self::new(engine);
        let accounts = [house.open(ANNA), house.open(BRAM), house.open("carla@example.com")];
        let raw = house.raw();
        let columns = raw.columns("oauth_clients");
        let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        let values: Vec<String> = columns
            .iter()
            .map(|column| {
                if column.name == "id" {
                    "'client'".into()
                } else {
                    value(&raw, "oauth_clients", column, &accounts[0], 1)
                }
            })
            .collect();
        raw.run(&format!(
            "INSERT INTO oauth_clients ({}) VALUES ({})",
            names.join(", "),
            values.join(", ")
        ))
        .unwrap();
        for account in &accounts {
            fill(&house, account);
        }
        (house, accounts)
    }

    /// Number of rows of an account and its owner per table.
    fn rows_of(&self, account: &Account) -> BTreeMap<String, i64> {
        let raw = self.raw();
        let mut counts: BTreeMap<String, i64> = tables(&raw)
            .iter()
            .map(|(table, columns)| {
                (
                    table.clone(),
                    self.count(&format!("{table} WHERE {}", condition(columns, account))),
                )
            })
            .collect();
        counts
            .insert("accounts".into(), self.count(&format!("accounts WHERE id = {}", account.id)));
        counts.insert(
            "memberships".into(),
            self.count(&format!("memberships WHERE account_id = {}", account.id)),
        );
        counts.insert(
            "people".into(),
            self.count(&format!("people WHERE id = {}", account.owner.id.0)),
        );
        counts
    }

    fn close(&self, person: PersonId, now: Timestamp) {
        self.write(move |tx| data::close(tx, &env(now), person)).unwrap();
    }

    fn erase(&self, now: Timestamp, limit: i64) -> i64 {
        self.write(move |tx| data::erase_batch(tx, &env(now), limit)).unwrap()
    }
}

#[test]
fn the_list_of_tables_is_complete() {
    let house = House::new(testing::Engine::Sqlite);
    let raw = house.raw();
    let listed: BTreeSet<String> =
        TABLES.iter().chain(TABLES_OF_PEOPLE).map(|(table, _)| (*table).to_owned()).collect();
    let all = tables(&raw);
    assert_eq!(listed, all.keys().cloned().collect());
    let of_accounts = TABLES.iter().map(|table| ("account_id", table));
    let of_people = TABLES_OF_PEOPLE.iter().map(|table| ("person_id", table));
    for (whose, (table, key)) in of_accounts.chain(of_people) {
        let mut reported: Vec<&Column> =
            all[*table].iter().filter(|column| column.key > 0 && column.name != whose).collect();
        reported.sort_by_key(|column| column.key);
        assert_eq!(
            reported.iter().map(|column| column.name.as_str()).collect::<Vec<_>>(),
            *key,
            "{table}"
        );
    }
}

on_both_engines! {
    fn the_export_has_every_row_and_every_column_except_secrets(engine) {
        let (house, [anna, ..]) = House::filled(engine);
        let reported = house.read(move |tx| {
            let mut reported: BTreeMap<&str, Vec<Vec<(String, data::Value)>>> = BTreeMap::new();
            data::export(tx, anna.id, &mut |table, row| {
                reported.entry(table).or_default().push(row.to_vec());
                Ok(())
            })?;
            Ok(reported)
        });
        let counted: BTreeMap<String, i64> =
            reported.iter().map(|(table, rows)| ((*table).to_owned(), rows.len() as i64)).collect();
        assert_eq!(counted, house.rows_of(&anna));
        let raw = house.raw();
        for (table, rows) in &reported {
            let secret = |column: &str| data::SECRETS.contains(&(*table, column));
            let columns: Vec<String> = raw
                .columns(table)
                .into_iter()
                .map(|column| column.name)
                .filter(|name| !secret(name))
                .collect();
            for row in rows {
                assert_eq!(
                    row.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>(),
                    columns,
                    "{table}"
                );
                let whose = |name: &str| {
                    row.iter().find(|(column, _)| column == name).map(|(_, value)| value.clone())
                };
                let (account, person) =
                    (data::Value::Int(anna.id), data::Value::Int(anna.owner.id.0));
                match *table {
                    "accounts" => assert_eq!(whose("id"), Some(account)),
                    "people" => assert_eq!(whose("id"), Some(person)),
                    _ => assert!(
                        whose("account_id") == Some(account) || whose("person_id") == Some(person),
                        "{table}"
                    ),
                }
            }
        }
        // Across pages of the export, each row occurs exactly once, in key order. On both engines,
        // times are exported as times and not as numbers.
        let ids: Vec<_> = reported["entries"]
            .iter()
            .map(|row| row.iter().find(|(name, _)| name == "id").unwrap().1.clone())
            .collect();
        assert_eq!(ids, (1..=MANY).map(data::Value::Int).collect::<Vec<_>>());
        let (_, at) = reported["api_calls"][1].iter().find(|(name, _)| name == "at").unwrap();
        assert_eq!(*at, data::Value::Time(Timestamp::from_microsecond(2).unwrap()));
    }

    fn every_credential_column_is_listed_as_a_secret(engine) {
        let house = House::new(engine);
        let raw = house.raw();
        // Stored bytes that an export includes: the hash chain, the hashes of documents, the
        // digests of bodies that created resources, and statements of the bank with checksums.
        let bytes: BTreeSet<(String, String)> = tables(&raw)
            .into_iter()
            .flat_map(|(table, columns)| {
                columns
                    .into_iter()
                    .filter(|column| column.kind == ColumnKind::Bytes)
                    .map(move |column| (table.clone(), column.name))
            })
            .collect();
        let secret = |(table, column): &(String, String)| {
            data::SECRETS.contains(&(table.as_str(), column.as_str()))
        };
        let reported: Vec<_> =
            bytes.into_iter().filter(|column| !secret(column)).map(|(table, _)| table).collect();
        assert_eq!(
            reported,
            [
                "bank_allocations",
                "bank_lines",
                "bank_statement_files",
                "bank_statements",
                "bank_statements",
                "bank_uploads",
                "bank_uploads",
                "books",
                "creating_bodies",
                "document_records",
                "document_records",
                "document_records",
                "document_settings",
                "entries",
                "invoice_documents",
                "invoice_documents",
                "invoice_settings",
                "logos",
                "logos",
                "payment_batches",
                "quote_documents",
                "quote_documents",
                "quotes",
                "quotes",
                "quotes",
                "receipt_files",
                "receipt_files",
                "receipts",
                "recurring_invoices",
                "recurring_occurrences"
            ]
        );
        // Every column that is listed as a secret exists.
        for (table, column) in data::SECRETS {
            assert!(raw.columns(table).iter().any(|it| it.name == column), "{table}.{column}");
        }
    }

    fn an_export_stops_when_its_sink_fails(engine) {
        let (house, [anna, ..]) = House::filled(engine);
        let (seen, stopped) = house.read(move |tx| {
            let mut seen = 0;
            let stopped = data::export(tx, anna.id, &mut |_, _| {
                seen += 1;
                if seen == 5 { Err(Error::Changed) } else { Ok(()) }
            });
            Ok((seen, stopped.is_err()))
        });
        assert_eq!((seen, stopped), (5, true));
    }

    fn a_closed_account_is_inaccessible_at_once(engine) {
        let (house, [anna, bram, _]) = House::filled(engine);
        let secret = house
            .write({
                let cx = Context::of_owner(&anna, env(noon()));
                move |tx| {
                    tx.execute("UPDATE books SET last_api_key = 100 /* of a test */", &[])?;
                    Ok(access::create_key(
                        tx,
                        &cx.at(noon()),
                        &access::CreateKey::new(
                            "key",
                            Scopes { read: true, write: true, file: false },
                        )
                        .unwrap(),
                    )?
                    .secret)
                }
            })
            .unwrap();
        let hash = access::recognise(&secret).unwrap();
        let knows = || house.read(move |tx| access::authenticate(tx, &hash)).is_some();
        assert!(knows());
        house.close(anna.owner.id, noon());
        assert!(!knows());
        let again = house.write(move |tx| data::close(tx, &env(noon()), anna.owner.id));
        assert!(matches!(again, Err(Error::NotFound("account"))));
        let listed = house.read(service::accounts::list);
        assert_eq!(
            listed.iter().map(|account| account.owner.email.as_str()).collect::<Vec<_>>(),
            [BRAM, "carla@example.com"]
        );
        let leftover = house.rows_of(&anna);
        for table in [
            "sessions",
            "mail_tokens",
            "recovery_codes",
            "api_keys",
            "oauth_grants",
            "oauth_codes",
            "oauth_access_tokens",
            "oauth_refresh_tokens",
        ] {
            assert_eq!(leftover[table], 0, "{table}");
            assert_eq!(house.rows_of(&bram)[table], ROWS, "{table}");
        }
        // The email address can be used again, and the personal data is gone.
        assert_eq!(house.open(ANNA).plan, Plan::Pro);
        let raw = house.raw();
        let columns = raw.columns("accounts");
        let row = raw
            .table("accounts")
            .into_iter()
            .find(|row| row[0] == Some(anna.id.to_string()))
            .unwrap();
        let kept: Vec<String> = columns
            .into_iter()
            .zip(row)
            .filter(|(_, value)| value.as_deref().is_some_and(|it| !it.is_empty()))
            .map(|(column, _)| column.name)
            .collect();
        assert_eq!(
            kept,
            [
                "id",
                "country",
                "plan",
                "payment_term_days",
                "number_pattern",
                "created_at",
                "closed_at"
            ]
        );
        let columns = raw.columns("people");
        let row = raw
            .table("people")
            .into_iter()
            .find(|row| row[0] == Some(anna.owner.id.0.to_string()))
            .unwrap();
        let kept: Vec<String> = columns
            .into_iter()
            .zip(row)
            .filter(|(_, value)| value.is_some())
            .map(|(column, _)| column.name)
            .collect();
        assert_eq!(kept, ["id", "email", "created_at", "email_confirmed_at", "closed_at"]);
    }

    fn no_booking_outlives_its_account(engine) {
        let house = House::new(engine);
        let anna = house.open(ANNA);
        let cx = Context::of_owner(&anna, env(noon()));
        house.close(anna.owner.id, noon());
        let late = house.write(move |tx| {
            access::create_key(
                tx,
                &cx.at(noon()),
                &access::CreateKey::new("key", Scopes { read: true, write: true, file: false })
                    .unwrap(),
            )
            .map(drop)
        });
        assert!(matches!(late, Err(Error::Store(StoreError::AccountClosed))), "{late:?}");
        assert_eq!(house.count("api_keys"), 0);
    }

    fn writes_concurrent_with_closing_fail_with_account_closed(engine) {
        let house = House::new(engine);
        let anna = house.open(ANNA);
        let mut commands: Vec<Command<()>> =
            vec![Box::new(move |tx| data::close(tx, &env(noon()), anna.owner.id))];
        for _ in 0..15 {
            let cx = Context::of_owner(&anna, env(noon()));
            commands.push(Box::new(move |tx| {
                access::create_key(
                    tx,
                    &cx.at(noon()),
                    &access::CreateKey::new("key", Scopes { read: true, write: true, file: false })
                        .unwrap(),
                )
                .map(drop)
            }));
        }
        for outcome in house.at_once(commands) {
            assert!(
                matches!(outcome, Ok(()) | Err(Error::Store(StoreError::AccountClosed))),
                "{outcome:?}"
            );
        }
        // Keys created just before the account was closed were removed with it.
        assert_eq!(house.count("api_keys"), 0);
    }

    fn a_closed_account_is_erased_completely_in_small_batches(engine) {
        let (house, [anna, bram, carla]) = House::filled(engine);
        let others = || [house.rows_of(&bram), house.rows_of(&carla)];
        let before = others();
        house.close(anna.owner.id, noon());
        let mut batches = 0;
        loop {
            let erased = house.erase(noon() + SECOND, 400);
            assert!(erased <= 400);
            batches += 1;
            if erased < 400 {
                break;
            }
        }
        assert!(batches > 10, "{batches}");
        // The rows of the account itself remain for a while, because of requests in progress.
        let lingering = house.rows_of(&anna);
        assert_eq!(
            lingering.iter().filter(|(_, rows)| **rows > 0).collect::<Vec<_>>(),
            [
                (&"accounts".to_owned(), &1),
                (&"memberships".to_owned(), &1),
                (&"people".to_owned(), &1)
            ]
        );
        let raw = house.raw();
        let columns = raw.columns("api_calls");
        let values: Vec<String> =
            columns.iter().map(|column| value(&raw, "api_calls", column, &anna, 1)).collect();
        raw.run(&format!("INSERT INTO api_calls VALUES ({})", values.join(", "))).unwrap();
        let later = noon() + SignedDuration::from_mins(10);
        assert_eq!(
            [
                house.erase(later - SECOND, 400),
                house.erase(later - SECOND, 400),
                house.erase(later, 400),
                house.erase(later, 400)
            ],
            [1, 0, 2, 0]
        );
        assert!(house.rows_of(&anna).values().all(|rows| *rows == 0), "{:?}", house.rows_of(&anna));
        assert_eq!(others(), before);
    }

    fn an_open_accounts_rows_are_never_erased(engine) {
        let (house, [anna, ..]) = House::filled(engine);
        let before = house.rows_of(&anna);
        assert_eq!(house.erase(noon() + SignedDuration::from_hours(10_000), 1_000), 0);
        let erased = house.write(move |tx| Ok(store::closing::erase(tx, anna.id, 1_000)?)).unwrap();
        house.write(move |tx| Ok(store::closing::erase_account(tx, anna.id)?)).unwrap();
        assert_eq!((erased, house.rows_of(&anna)), (0, before));
        // Triggers on the journal tables reject direct deletions as well.
        for table in ["entries", "postings"] {
            let refused =
                house.raw().run(&format!("DELETE FROM {table} WHERE account_id = {}", anna.id));
            assert!(refused.unwrap_err().contains("never"), "{table}");
        }
    }

    fn the_books_of_others_verify_after_an_erasure(engine) {
        let house = House::new(engine);
        let (anna, bram) = (house.open(ANNA), house.open(BRAM));
        house.close(anna.owner.id, noon());
        while house.erase(noon() + SignedDuration::from_hours(1), 100) > 0 {}
        assert_eq!(house.count("accounts"), 1);
        let cx = Context::of_owner(&bram, env(noon()));
        assert!(
            house.read(move |tx| verify::verify_books(tx, &cx, &|_| {})).discrepancies.is_empty()
        );
        // The id of a closed account is not reused.
        let mut bytes = [0; 1];
        System.fill(&mut bytes).unwrap();
        let new = house.open("dirk@example.com");
        assert!(new.id > bram.id && new.id != anna.id);
        assert!(format!("{:?}", key()).len() < 20);
    }
}
