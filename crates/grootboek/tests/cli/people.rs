//! `account`, `key`, `project`, and the errors of mistaken commands.

use crate::{
    EMAIL, PASSWORD, Running, account_with_key, account_with_password, command, done, on, refused,
    visitor,
};
use serde_json::json;
use store::DatabaseUrl;
use testing::{Database, Engine, Raw, on_both_engines};

/// Commands listed in a command's help.
fn listed(path: &[&str]) -> Vec<String> {
    let help = command(&[path, &["--help"]].concat(), "");
    assert_eq!((help.code, help.err.as_str()), (0, ""), "{path:?}");
    assert!(help.out.contains("\nExample"), "the help of {path:?} shows no example:\n{}", help.out);
    let Some((_, commands)) = help.out.split_once("\nCommands:\n") else { return Vec::new() };
    let names = commands
        .lines()
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  "));
    names
        .filter(|line| !line.starts_with(' '))
        .map(|line| line.split(' ').next().unwrap().to_owned())
        .filter(|name| name != "help")
        .collect()
}

#[test]
fn every_command_has_a_help_with_an_example() {
    let mut waiting: Vec<Vec<String>> = vec![Vec::new(), vec!["fill".into()]];
    let mut seen = Vec::new();
    while let Some(path) = waiting.pop() {
        let names: Vec<&str> = path.iter().map(String::as_str).collect();
        waiting.extend(listed(&names).into_iter().map(|name| [path.clone(), vec![name]].concat()));
        seen.push(path.join(" "));
    }
    for command in [
        "",
        "serve",
        "demo",
        "verify",
        "migrate",
        "backup",
        "restore",
        "account add",
        "account set-plan",
        "account confirm",
        "account set-email",
        "account show",
        "mail test",
        "mail list",
        "account set-password",
        "account reset-second-factor",
        "account close",
        "account list",
        "key add",
        "key list",
        "key revoke",
        "project add",
        "project list",
        "oauth register",
        "oauth list",
        "oauth rotate-secret",
        "oauth remove",
    ] {
        assert!(seen.iter().any(|path| path == command), "{command} is not among {seen:?}");
    }
    let version = command(&["--version"], "");
    let (number, rest) = version.out.trim().split_once(" (").unwrap();
    assert_eq!((version.code, number), (0, concat!("grootboek ", env!("CARGO_PKG_VERSION"))));
    assert!(rest.ends_with(&format!(", schema {})", store::known_schema())), "{}", version.out);
}

on_both_engines! {
    fn accounts_keys_and_projects_are_made_and_listed(engine) {
        let database = Database::new(engine);
        let db = database.address();
        let anna = ["--email", "anna@example.com"];
        let with = |command: &[&str], rest: &[&str]| done(&db, &[command, &anna, rest].concat());

        // Read-only commands create neither a database nor tables: empty ones would pass every
        // check.
        let lacking =
            if engine == Engine::Sqlite { "no database" } else { "no books in this database" };
        for command in
            [&["account", "list"][..], &["verify"], &["key", "list", "--email", "anna@example.com"]]
        {
            refused(&db, command, &[lacking, "account add"]);
        }
        let made = with(&["account", "add"], &["--name", "Anna Ontwerp", "--json"]);
        assert_eq!(made.out, "{\"id\":1}\n");
        let more = done(
            &db,
            &[
                "account",
                "add",
                "--email",
                "Hans@Example.COM",
                "--name",
                "Hans",
                "--country",
                "DE",
                "--plan",
                "pro",
            ],
        );
        assert!(more.out.contains("account 2 is open"), "{}", more.out);
        assert!(with(&["account", "set-plan"], &["--plan", "starter"]).out.contains("starter"));
        let mut all = done(&db, &["account", "list", "--json"]).json();
        for account in all.as_array_mut().unwrap() {
            let at = account.as_object_mut().unwrap().remove("createdAt").unwrap();
            assert!(at.as_str().unwrap().parse::<jiff::Timestamp>().is_ok(), "{at}");
        }
        assert_eq!(
            all,
            json!([
                {"id": 1, "email": "anna@example.com", "name": "Anna Ontwerp", "country": "NL", "plan": "starter"},
                {"id": 2, "email": "hans@example.com", "name": "Hans", "country": "DE", "plan": "pro"},
            ])
        );
        let reported = done(&db, &["account", "list"]).out;
        assert!(
            reported.contains("anna@example.com") && reported.contains("2 accounts"),
            "{reported}"
        );

        let made = with(&["key", "add"], &["--name", "webshop", "--scope", "read", "--json"]);
        let (id, key) =
            (made.json()["id"].clone(), made.json()["key"].as_str().unwrap().to_owned());
        assert_eq!(id, json!(1));
        assert!(key.starts_with("gb_live_") && key.len() == 57, "{key}");
        assert_eq!(made.out, format!("{{\"id\":1,\"key\":\"{key}\"}}\n"));
        let shown =
            with(&["key", "add"], &["--name", "both", "--scope", "read", "--scope", "write"]).out;
        assert!(
            shown.starts_with("key 2 with the scopes read write")
                && shown.lines().nth(1).unwrap().starts_with("gb_live_"),
            "{shown}"
        );
        assert!(with(&["key", "revoke"], &["--id", "1"]).out.contains("key 1 is revoked"));
        let keys = with(&["key", "list"], &["--json"]).json();
        assert_eq!(
            (&keys[0]["name"], &keys[0]["scopes"], keys[0]["revokedAt"].is_string()),
            (&json!("webshop"), &json!(["read"]), true)
        );
        assert_eq!(
            (&keys[1]["scopes"], &keys[1]["revokedAt"], &keys[1]["lastUsedAt"]),
            (&json!(["read", "write"]), &json!(null), &json!(null))
        );
        let list = with(&["key", "list"], &[]).out;
        assert!(
            list.contains("2 keys")
                && list.contains("revoked")
                && list.contains("never used")
                && !list.contains(&key),
            "{list}"
        );

        let missing = command(
            &["--database", &db, "key", "list", "--email", "anna@example.com", "--test"],
            "",
        );
        assert!(missing.code == 1 && missing.err.contains("test account"), "{}", missing.err);
        let test =
            with(&["key", "add"], &["--name", "trial", "--scope", "read", "--test", "--json"])
                .json();
        let key = test["key"].as_str().unwrap();
        assert!(key.starts_with("gb_test_") && key.len() == 57, "{key}");
        let tested = || with(&["key", "list"], &["--test", "--json"]).json();
        assert_eq!(
            (tested().as_array().unwrap().len(), &tested()[0]["name"], &tested()[0]["revokedAt"]),
            (1, &json!("trial"), &json!(null))
        );
        let id = test["id"].to_string();
        let of_the_live = command(
            &["--database", &db, "key", "revoke", "--email", "anna@example.com", "--id", &id],
            "",
        );
        assert_ne!(
            of_the_live.code, 0,
            "a key of the test account does not belong to the live one: {}",
            of_the_live.out
        );
        assert!(with(&["key", "revoke"], &["--id", &id, "--test"]).out.contains("is revoked"));
        assert!(tested()[0]["revokedAt"].is_string());
        assert_eq!(with(&["key", "list"], &["--json"]).json().as_array().unwrap().len(), 2);

        let verification = done(&db, &["verify", "--test"]).out;
        assert!(
            verification.starts_with("anna@example.com: 0 entries, ")
                && verification.ends_with("everything agrees with the entries: 1 test account\n"),
            "{verification}"
        );
        assert!(
            with(&["verify"], &["--test", "--json"]).json()["accounts"][0]["id"].as_i64() > Some(1)
        );
        let none =
            command(&["--database", &db, "verify", "--test", "--email", "hans@example.com"], "");
        assert!(none.code == 1 && none.err.contains("test account"), "{}", none.err);

        assert_eq!(
            with(
                &["project", "add"],
                &["--name", "Website Bakker", "--hourly-rate", "95.50", "--json"]
            )
            .out,
            "{\"id\":1}\n"
        );
        assert!(
            with(&["project", "add"], &["--name", "Huisstijl"])
                .out
                .contains("project 2: Huisstijl")
        );
        assert_eq!(
            with(&["project", "list"], &["--json"]).json(),
            json!([
                {"id": 1, "name": "Website Bakker", "status": "active", "hourlyRate": "95.50", "hoursLogged": "0"},
                {"id": 2, "name": "Huisstijl", "status": "active", "hourlyRate": null, "hoursLogged": "0"},
            ])
        );
        let reported = with(&["project", "list"], &[]).out;
        assert!(
            reported.contains("2 projects")
                && reported.contains("95.50 an hour")
                && reported.contains("no rate"),
            "{reported}"
        );
    }

    fn a_password_is_read_from_standard_input_and_kept_as_a_hash(engine) {
        let database = Database::new(engine);
        let db = database.address();
        let add = |email: &str, input: &str| {
            command(
                &[
                    "--database",
                    &db,
                    "account",
                    "add",
                    "--email",
                    email,
                    "--name",
                    "A",
                    "--password-stdin",
                ],
                input,
            )
        };
        let made = add("anna@example.com", "correct horse battery\n");
        assert_eq!((made.code, made.err.as_str()), (0, ""));
        let hash =
            Raw::open(&database).rows("SELECT password_hash FROM people")[0][0].clone().unwrap();
        assert!(hash.starts_with("$argon2id$") && !hash.contains("horse"), "{hash}");
        for (input, reported) in [("", "no password"), ("\n", "no password"), ("short", "password")]
        {
            let refused = add("bram@example.com", input);
            assert!(
                refused.code != 0 && refused.err.contains(reported),
                "{input:?}: {}",
                refused.err
            );
        }
    }

    fn a_password_is_replaced_and_common_ones_are_refused(engine) {
        let database = Database::new(engine);
        let db = database.address();
        account_with_key(&db, "anna@example.com");
        let set = |email: &str, input: &str| {
            command(
                &[
                    "--database",
                    &db,
                    "account",
                    "set-password",
                    "--email",
                    email,
                    "--password-stdin",
                ],
                input,
            )
        };
        let hash = || Raw::open(&database).rows("SELECT password_hash FROM people")[0][0].clone();
        assert_eq!(hash(), None);
        let done = set("Anna@example.com", "correct horse battery\n");
        assert_eq!((done.code, done.err.as_str()), (0, ""));
        assert!(hash().unwrap().starts_with("$argon2id$"));
        let kept = hash();
        for (email, input, reported) in [
            ("anna@example.com", "password1", "everybody"),
            ("anna@example.com", "Anna@Example.com", "address"),
            ("anna@example.com", "short", "8 characters"),
            (
                "anna@example.com",
                "",
                "no password; for example: printf %s 'a long passphrase' | grootboek account set-password",
            ),
            ("nobody@example.com", "correct horse battery", "account list"),
        ] {
            let refused = set(email, input);
            assert!(
                refused.code != 0 && refused.err.contains(reported),
                "{input:?}: {}",
                refused.err
            );
        }
        assert_eq!(hash(), kept);
        refused(
            &db,
            &["account", "set-password", "--email", "anna@example.com"],
            &["--password-stdin"],
        );
    }

    fn an_account_without_a_password_says_how_to_set_one(engine) {
        let database = Database::new(engine);
        let db = &database.address();
        let reported =
            done(db, &["account", "add", "--email", "anna@example.com", "--name", "Anna"]).out;
        for part in [
            "no password yet",
            "`grootboek account set-password --email anna@example.com --password-stdin`",
            "/password/forgot",
        ] {
            assert!(reported.contains(part), "{part}: {reported}");
        }
        let with =
            ["account", "add", "--email", "bram@example.com", "--name", "Bram", "--password-stdin"];
        let reported = command(&[&["--database", db], &with[..]].concat(), PASSWORD).out;
        assert!(
            reported.contains("is open for") && !reported.contains("no password"),
            "{reported}"
        );
    }

    fn the_owner_sees_actions_of_the_operator_but_gets_no_mail(engine) {
        let database = Database::new(engine);
        let db = &database.address();
        account_with_password(db, EMAIL);
        let mut server = Running::serve(db, &[]);
        let anna = visitor(&server);
        assert_eq!(anna.sign_in(EMAIL, PASSWORD).location(), "/");
        let set = command(
            &["--database", db, "account", "set-password", "--email", EMAIL, "--password-stdin"],
            "vier kleine kevers",
        );
        assert!(
            set.out.contains("sessions are ended")
                && set.out.contains("no mail was sent: tell the owner yourself"),
            "{}",
            set.out
        );
        assert!(!anna.is_signed_in());
        assert_eq!(anna.sign_in(EMAIL, "vier kleine kevers").location(), "/");
        let page = anna.get("/settings/security").text;
        assert!(page.contains("by the operator"), "{page}");
        let closed = done(db, &["account", "close", "--email", EMAIL, "--yes"]).out;
        assert!(closed.contains("no mail was sent: tell the owner yourself"), "{closed}");
        assert!(!anna.is_signed_in());
        server.stop();
    }

    fn closing_an_account_erases_its_books(engine) {
        let database = Database::new(engine);
        let db = database.address();
        account_with_key(&db, "anna@example.com");
        account_with_key(&db, "bram@example.com");
        done(&db, &["fill", "--email", "anna@example.com", "--invoices", "200"]);
        done(&db, &["fill", "--email", "bram@example.com", "--invoices", "2"]);
        refused(&db, &["account", "close", "--email", "anna@example.com"], &["--yes", "backup"]);
        assert_eq!(done(&db, &["account", "list", "--json"]).json().as_array().unwrap().len(), 2);
        let closed = done(&db, &["account", "close", "--email", "Anna@example.com", "--yes"]).out;
        assert!(closed.contains("closed") && closed.contains("erased"), "{closed}");
        let listed = done(&db, &["account", "list", "--json"]).json();
        assert_eq!(
            (listed.as_array().unwrap().len(), &listed[0]["email"]),
            (1, &json!("bram@example.com"))
        );
        for (command, reported) in [
            (&["key", "list"][..], "no account"),
            (&["verify"], "no account"),
            (&["account", "close", "--yes"], "no account"),
        ] {
            refused(&db, &[command, &["--email", "anna@example.com"]].concat(), &[reported]);
        }
        assert!(done(&db, &["verify"]).out.contains("bram@example.com"));
        let raw = Raw::open(&database);
        for table in [
            "entries",
            "postings",
            "invoices",
            "invoice_items",
            "contacts",
            "period_totals",
            "api_keys",
            "books",
        ] {
            let owners =
                raw.rows(&format!("SELECT DISTINCT CAST(account_id AS TEXT) FROM {table}"));
            assert_eq!(owners, [[Some("2".to_owned())]], "{table}");
        }
        // The address is available again.
        assert!(
            done(&db, &["account", "add", "--email", "anna@example.com", "--name", "Anna"])
                .out
                .contains("account 3")
        );
    }

    fn a_mistaken_command_fails_and_says_what_to_do(engine) {
        let database = Database::new(engine);
        let db = &database.address();
        account_with_key(db, "anna@example.com");
        let nobody = ["--email", "nobody@example.com"];
        for command in [
            &["key", "list"][..],
            &["key", "revoke", "--id", "1"],
            &["key", "add", "--name", "k", "--scope", "read"],
            &["project", "list"],
            &["project", "add", "--name", "P"],
            &["account", "set-plan", "--plan", "pro"],
            &["verify"],
            &["fill", "--invoices", "1"],
        ] {
            refused(
                db,
                &[command, &nobody].concat(),
                &["no account with that e-mail address", "account list"],
            );
        }
        let add = |email: &'static str, rest: &[&'static str]| {
            [&["account", "add", "--email", email, "--name", "A"], rest].concat()
        };
        refused(db, &add("anna@example.com", &[]), &["already"]);
        refused(db, &add("ANNA@example.com", &[]), &["already"]);
        refused(db, &add("anna", &[]), &["--email: give", "name@example.com"]);
        refused(db, &add("b@example.com", &["--country", "ZZ"]), &["two-letter"]);
        refused(db, &add("b@example.com", &["--country", "Nederland"]), &["two-letter"]);
        refused(db, &add("b@example.com", &["--plan", "gold"]), &["free, starter, pro"]);
        refused(
            db,
            &["account", "add", "--email", "b@example.com", "--name", " "],
            &["--name: give"],
        );
        refused(db, &["account", "add", "--email", "b@example.com"], &["--name"]);
        refused(
            db,
            &["account", "set-plan", "--email", "anna@example.com", "--plan", "gold"],
            &["free, starter, pro"],
        );
        let key = ["key", "add", "--email", "anna@example.com", "--name", "k"];
        refused(db, &key, &["--scope"]);
        refused(db, &[&key[..], &["--scope", "admin"]].concat(), &["read, write"]);
        refused(
            db,
            &["key", "add", "--email", "anna@example.com", "--name", "", "--scope", "read"],
            &["name"],
        );
        refused(
            db,
            &["key", "revoke", "--email", "anna@example.com", "--id", "99"],
            &["no such", "list"],
        );
        done(db, &["key", "revoke", "--email", "anna@example.com", "--id", "1"]);
        refused(
            db,
            &["key", "revoke", "--email", "anna@example.com", "--id", "1"],
            &["no such", "list"],
        );
        let project =
            ["project", "add", "--email", "anna@example.com", "--name", "P", "--hourly-rate"];
        for rate in ["abc", "1.234", "99999999999999999999", "1e2", ""] {
            refused(db, &[&project[..], &[rate]].concat(), &["--hourly-rate"]);
        }
        refused(db, &["project", "add", "--email", "anna@example.com", "--name", ""], &["name"]);
        refused(db, &["books"], &["--help"]);
        // None of these commands had an effect.
        assert_eq!(done(db, &["account", "list", "--json"]).json().as_array().unwrap().len(), 1);
        assert_eq!(
            done(db, &["project", "list", "--email", "anna@example.com", "--json"]).json(),
            json!([])
        );
    }

    fn a_database_of_a_newer_version_is_not_changed(engine) {
        let database = Database::new(engine);
        let db = &database.address();
        account_with_key(db, "anna@example.com");
        let raw = Raw::open(&database);
        if raw.is_postgres() {
            raw.run("INSERT INTO schema_version VALUES (99)").unwrap();
        } else {
            raw.run("PRAGMA user_version = 99").unwrap();
        }
        for command in
            [&["account", "list"][..], &["serve", "--listen", "127.0.0.1:0"], &["verify"]]
        {
            refused(db, command, &["newer version", "--database"]);
        }
    }
}

#[test]
fn a_database_that_cannot_be_opened_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| format!("sqlite:{}", folder.path().join(name).display());
    std::fs::write(folder.path().join("text.db"), "this is a text, not a database. ".repeat(100))
        .unwrap();
    for command in [&["account", "list"][..], &["serve", "--listen", "127.0.0.1:0"], &["verify"]] {
        refused(&at("text.db"), command, &["text.db", "not a database", "--database"]);
        refused(&at("nowhere/books.db"), command, &["nowhere/books.db"]);
        refused(&at(""), command, &["cannot open the database", "--database"]);
        refused(
            "postgres://test@127.0.0.1:1/books",
            command,
            &["cannot open the database", "--database"],
        );
    }
    let serve = ["serve", "--listen", "127.0.0.1:0"];
    refused(&at("nowhere/books.db"), &serve, &["nowhere/books.db", "folder", "--database"]);
    let other = DatabaseUrl::Sqlite(folder.path().join("other.db"));
    Raw::at(&other).run("CREATE TABLE notes (text TEXT)").unwrap();
    refused(&at("other.db"), &["account", "list"], &["another program's database"]);
    assert_eq!(Raw::at(&other).tables(), ["notes"]);
    for bad in ["verify-full", "verify-ca", "maybe"] {
        let url = format!("postgres://me:s3cret@127.0.0.1:1/books?sslmode={bad}");
        refused(&url, &["account", "list"], &["sslmode", "one of disable, prefer, require"]);
        assert!(!on(&url, &["account", "list"]).err.contains("s3cret"));
    }
    for bad in ["books.db", "mysql://me:s3cret@host/books", "sqlite:", ""] {
        refused(bad, &["account", "list"], &["sqlite:PATH", "postgres://"]);
        assert!(!on(bad, &["account", "list"]).err.contains("s3cret"));
    }
}
