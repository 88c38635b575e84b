//! Occasional tasks of an operator: upgrading, verifying against recorded heads, keeping backups,
//! monitoring.

use crate::{
    INVOICE, PASSWORD, Running, account_with_key, command, done, key, on, program, refused,
    serving::{OPENMETRICS, metrics, refused_to_serve},
    sign_up, visitor, wait_until,
};
use std::{
    fs,
    io::Write,
    process::{Command, Stdio},
    thread,
    time::Duration,
};
use testing::{Database, Engine, Raw, by_quarter, on_both_engines};

const ANNA: &str = "anna@example.com";

/// Makes the tables look as if a migration were due.
fn outdate(database: &Database, engine: Engine) {
    let raw = Raw::open(database);
    raw.run(if engine == Engine::Sqlite {
        "PRAGMA user_version = 0"
    } else {
        "DELETE FROM schema_version"
    })
    .unwrap();
}

on_both_engines! {
    fn tables_are_brought_up_to_date_neither_unasked_nor_under_a_server(engine) {
        let database = Database::new(engine);
        let db = &database.address();
        account_with_key(db, ANNA);
        assert!(done(db, &["migrate", "--check"]).out.contains("nothing is due"));
        let mut server = Running::serve(db, &[]);
        outdate(&database, engine);
        let check = on(db, &["migrate", "--check"]);
        assert_eq!((check.code, check.err.as_str()), (1, ""));
        assert!(check.out.contains("20 steps due"), "{}", check.out);
        for arguments in [&["migrate"][..], &["account", "list"], &["verify"]] {
            refused(
                db,
                arguments,
                &["older than this program", "a server is at work", "stop the server"],
            );
        }
        // Like a newer server, `migrate --while-serving` tries to migrate although another server
        // is running; this is possible on PostgreSQL only.
        let reported = if engine == Engine::Sqlite {
            "a server has it open already"
        } else {
            "already exists"
        };
        refused(db, &["migrate", "--while-serving"], &[reported]);
        assert_eq!(
            server.send("GET", "/readyz", None, None).0,
            200,
            "the server was not disturbed"
        );
        server.stop();
    }

    fn a_server_that_must_not_migrate_names_the_command_that_does(engine) {
        let database = Database::new(engine);
        let db = &database.address();
        let never = ["--listen", "127.0.0.1:0", "--migrate", "never"];
        let reported = if engine == Engine::Sqlite {
            "there is no database at"
        } else {
            "run `grootboek migrate` first"
        };
        refused_to_serve(db, &never, &[reported]);
        account_with_key(db, ANNA);
        Running::serve(db, &["--migrate", "never"]).stop();
        outdate(&database, engine);
        refused_to_serve(
            db,
            &never,
            &["the tables have version 0", "run `grootboek migrate` first"],
        );
        assert_eq!(on(db, &["migrate", "--check"]).code, 1, "nothing was changed");
        assert_eq!(on(db, &["serve", "--migrate", "later"]).code, 2);
        let raw = Raw::open(&database);
        raw.run(if engine == Engine::Sqlite {
            "PRAGMA user_version = 9999"
        } else {
            "INSERT INTO schema_version VALUES (9999)"
        })
        .unwrap();
        refused_to_serve(db, &never, &["of a newer version of grootboek"]);
    }

    /// Each kill leaves the migrations that were done, and the next command does the rest.
    fn a_killed_migration_begins_again(engine) {
        for pause in [0, 1, 2, 3, 5, 8, 13, 21, 34, 55] {
            let database = Database::new(engine);
            by_quarter::fill(&database);
            let db = &database.address();
            let mut migration = program()
                .args(["--database", db, "migrate"])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            thread::sleep(Duration::from_millis(pause));
            // It may have ended before.
            let _ = migration.kill();
            migration.wait().unwrap();
            // PostgreSQL notices a lost connection a moment later.
            wait_until("the rest is migrated", || on(db, &["migrate"]).code == 0);
            assert!(done(db, &["migrate", "--check"]).out.contains("nothing is due"));
            done(db, &["verify"]);
        }
    }

    fn commands_fail_where_there_are_no_books(engine) {
        let database = Database::new(engine);
        let db = &database.address();
        let reported = if engine == Engine::Sqlite {
            "there is no database at"
        } else {
            "there are no books in this database"
        };
        for arguments in [
            &["verify"][..],
            &["account", "show", "--email", ANNA],
            &["mail", "list"],
            &["move", "--to", "sqlite:nowhere.db"],
        ] {
            refused(db, arguments, &[reported]);
        }
        assert_eq!(on(db, &["migrate", "--check"]).code, 1, "nothing was made");
    }

    fn a_recorded_head_must_remain_in_the_books(engine) {
        let database = Database::new(engine);
        let db = &database.address();
        account_with_key(db, ANNA);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("heads.jsonl");
        let against = ["verify", "--against", file.to_str().unwrap()];
        refused(db, &against, &["heads.jsonl"]);
        done(db, &["account", "add", "--email", "bram@example.com", "--name", "Bram"]);
        let mut recorded = done(db, &["verify", "--json"]).out;
        for _ in 0..2 {
            done(db, &["fill", "--email", ANNA, "--invoices", "3"]);
            recorded += &done(db, &["verify", "--json"]).out;
        }
        fs::write(&file, &recorded).unwrap();
        done(db, &["fill", "--email", ANNA, "--invoices", "2"]);
        assert!(done(db, &against).out.contains("everything agrees with the entries: 2 accounts"));
        // A chain that was rewritten from some entry onwards passes the verification itself, but
        // lacks the recorded head.
        let first: serde_json::Value =
            serde_json::from_str(recorded.lines().nth(1).unwrap()).unwrap();
        let head = first["accounts"][0]["head"].as_str().unwrap();
        fs::write(&file, recorded.replace(head, &head.replace(['0', '1', '2', '3'], "f"))).unwrap();
        let found = on(db, &against);
        assert_eq!((found.code, found.err.as_str()), (1, ""));
        assert!(
            found.out.contains("is no longer in the books") && found.out.contains("1 discrepancy"),
            "{}",
            found.out
        );
        // An account that was removed is reported too.
        fs::write(
            &file,
            recorded
                .replace("bram@example.com", "carla@example.com")
                .replace("\"id\":2", "\"id\":3"),
        )
        .unwrap();
        let found = on(db, &against);
        assert!(
            found.code == 1 && found.out.contains("carla@example.com is recorded"),
            "{}",
            found.out
        );
        fs::write(&file, "no proof\n").unwrap();
        refused(db, &against, &["line 1 of", "verify --json"]);
    }

    fn an_owner_who_never_got_the_mail_can_be_helped(engine) {
        let database = Database::new(engine);
        let db = &database.address();
        let folder = tempfile::tempdir().unwrap();
        let mut server = Running::serve(db, &["--mail-folder", folder.path().to_str().unwrap()]);
        let person = visitor(&server);
        sign_up(&person, "typo@example.com");
        // The account is opened after the response, so that the response time does not reveal
        // whether the account existed.
        wait_until("the mail comes", || {
            !testing::mail::sent_to(folder.path(), "typo@example.com").is_empty()
        });
        assert!(
            done(db, &["account", "show", "--email", "typo@example.com"])
                .out
                .contains("emailConfirmedAt     –")
        );
        assert!(
            done(db, &["account", "set-email", "--email", "typo@example.com", "--to", ANNA])
                .out
                .contains(ANNA)
        );
        refused(db, &["account", "set-email", "--email", ANNA, "--to", "anna"], &["--email"]);
        refused(db, &["account", "confirm", "--email", "typo@example.com"], &["no account"]);
        sign_up(&person, "waits@example.com");
        wait_until("the mail comes", || {
            !testing::mail::sent_to(folder.path(), "waits@example.com").is_empty()
        });
        assert!(
            done(db, &["account", "confirm", "--email", "waits@example.com"])
                .out
                .contains("is confirmed")
        );
        assert!(
            done(db, &["account", "confirm", "--email", "waits@example.com"])
                .out
                .contains("already")
        );
        let waiting = visitor(&server);
        assert_eq!(waiting.sign_in("waits@example.com", PASSWORD).location(), "/");
        assert!(waiting.get("/settings/security").text.contains("by the operator"));
        let shown = done(db, &["account", "show", "--email", "waits@example.com", "--json"]).json();
        assert_eq!(
            (&shown["hasPassword"], &shown["sessions"], &shown["events"][0]["kind"]),
            (&true.into(), &1.into(), &"signed_in".into())
        );
        assert!(shown["emailConfirmedAt"].is_string() && shown["secondFactor"] == false, "{shown}");
        // An address confirmed by another account is not reassigned.
        refused(
            db,
            &["account", "set-email", "--email", "waits@example.com", "--to", ANNA],
            &["another address"],
        );
        server.stop();
    }

    fn the_metrics_cover_monitoring_and_the_alerts_use_nothing_else(engine) {
        let database = Database::new(engine);
        let db = &database.address();
        let key = account_with_key(db, ANNA);
        done(db, &["verify"]);
        let mut server = Running::serve(db, &["--metrics-listen", "127.0.0.1:0"]);
        assert_eq!(server.get(&key, "/api/v1/account").0, 200);
        assert_eq!(server.get("gb_live_x", "/api/v1/account").0, 401);
        assert_eq!(visitor(&server).sign_in(ANNA, "a wrong password").status, 422);
        let page = metrics(&server, OPENMETRICS);
        let schema = store::known_schema();
        for part in [
            &format!("grootboek_build_info{{version=\"{}\",commit=\"", env!("CARGO_PKG_VERSION")),
            &format!("schema=\"{schema}\"}} 1\n"),
            "grootboek_refusals_total{code=\"invalid_api_key\"} 1\n",
            "grootboek_sign_ins_total{result=\"wrong_password\"} 1\n",
            "grootboek_database_up 1\n",
            "grootboek_database_connections{state=\"busy\"} ",
            "grootboek_database_waiting{queue=\"commands\"} ",
            "grootboek_last_done_timestamp_seconds{task=\"verify\"} 1",
            "grootboek_refusals_total{code=\"internal\"} 0\n",
            "grootboek_mails_total{result=\"failed\"} 0\n",
            "le=\"5.0\"",
            "process_resident_memory_bytes ",
            "process_open_fds ",
            "process_cpu_seconds_total ",
        ] {
            assert!(page.contains(part), "{part} is not in\n{page}");
        }
        // PostgreSQL has its own backup tools.
        assert_eq!(
            page.contains("grootboek_last_done_timestamp_seconds{task=\"backup\"} 0\n"),
            engine == Engine::Sqlite,
            "{page}"
        );
        let rules =
            fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/alerts.yml"))
                .unwrap();
        let words = rules.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        for name in
            words.filter(|word| word.starts_with("grootboek_") || word.starts_with("process_"))
        {
            assert!(
                page.contains(&format!("\n{name}"))
                    || page.contains(&format!("# TYPE {} ", name.trim_end_matches("_total"))),
                "no metric {name}"
            );
        }
        server.stop();
    }
}

/// Runs promtool, which must succeed; `cargo xtask test` installs Debian's package `prometheus`.
fn promtool(arguments: &[&str], input: &str) {
    let program =
        std::env::var("GROOTBOEK_TEST_PROMTOOL").unwrap_or_else(|_| "promtool".to_owned());
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let missing = "promtool is missing; install it: `apt-get install prometheus` on Debian, or run `cargo xtask test`";
    let mut running = command.spawn().expect(missing);
    running.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = running.wait_with_output().unwrap();
    let printed = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success(), "{arguments:?}: {printed}\n{input}");
}

/// The alert rules fire when they should, in particular if a metric is 0 or absent from the start.
#[test]
fn the_alert_rules_fire_for_what_was_never_done() {
    promtool(
        &["check", "rules", concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/alerts.yml")],
        "",
    );
    promtool(&["test", "rules", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/alerts.yml")], "");
}

#[test]
fn the_default_format_of_metrics_is_the_text_format_of_prometheus() {
    let database = Database::new(Engine::Sqlite);
    let db = &database.address();
    let key = account_with_key(db, ANNA);
    let mut server = Running::serve(db, &["--metrics-listen", "127.0.0.1:0"]);
    assert_eq!(server.get(&key, "/api/v1/account").0, 200);
    assert_eq!(server.get("gb_live_x", "/api/v1/account").0, 401);
    for accept in ["text/plain", "*/*", "text/plain;version=0.0.4"] {
        let answer = metrics(&server, accept);
        let (head, page) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.contains("content-type: text/plain; version=0.0.4; charset=utf-8"), "{head}");
        promtool(&["check", "metrics"], page);
    }
    // Both formats have the same samples.
    let samples = |page: &str| {
        let of = |line: &&str| {
            line.starts_with("grootboek_")
                && !line.contains("_timestamp_")
                && !line.contains("database_")
        };
        page.lines().filter(of).map(str::to_owned).collect::<Vec<_>>()
    };
    let (open, plain) = (metrics(&server, OPENMETRICS), metrics(&server, "text/plain"));
    assert!(samples(&open).len() > 20 && samples(&open) == samples(&plain), "{open}\n{plain}");
    server.stop();
}

#[test]
fn a_second_server_on_the_same_file_is_refused() {
    let database = Database::new(Engine::Sqlite);
    let db = &database.address();
    account_with_key(db, ANNA);
    let mut server = Running::serve(db, &[]);
    refused_to_serve(db, &["--listen", "127.0.0.1:0"], &["a server has it open already"]);
    done(db, &["account", "list"]);
    server.signal("-KILL");
    server.ended();
    Running::serve(db, &[]).stop();
}

#[test]
fn backups_in_a_folder_are_named_kept_and_complete() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let db = format!("sqlite:{}", at("books.db").display());
    let (_, secret) = (account_with_key(&db, ANNA), at("books.db.secret"));
    Running::serve(&db, &["--mail-folder", at("mail").to_str().unwrap()]).stop();
    let backups = at("backups");
    refused(&db, &["backup", "-"], &["standard output"]);
    refused(&db, &["backup", backups.to_str().unwrap(), "--keep", "2"], &["--keep"]);
    refused(
        &db,
        &["backup", &format!("{}/", backups.display())],
        &["there is no folder", "create it first"],
    );
    fs::create_dir(&backups).unwrap();
    // Other files in the folder remain, even if their names resemble those of backups.
    for name in [
        "grootboek-2026-01-01T000000.db",
        "grootboek-2026-01-01T000000.db.secret",
        "grootboek-2026-01-02T000000.db",
        "grootboek-old.db",
        "notes.txt",
    ] {
        fs::write(backups.join(name), name).unwrap();
    }
    let made = done(&db, &["backup", backups.to_str().unwrap(), "--keep", "2"]).out;
    assert!(
        made.contains("and the secret file")
            && made.contains("not in the copy: the folder of mails"),
        "{made}"
    );
    let mut names: Vec<String> = fs::read_dir(&backups)
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let [_, new, new_secret, _, _] = &names[..] else { panic!("{names:?}") };
    assert_eq!(
        names,
        [
            "grootboek-2026-01-02T000000.db",
            new,
            &format!("{new}.secret"),
            "grootboek-old.db",
            "notes.txt"
        ]
    );
    assert_eq!(fs::read(backups.join(new_secret)).unwrap(), fs::read(&secret).unwrap());
    // On another host, everything is restored.
    let other = format!("sqlite:{}", at("other.db").display());
    let restored = done(&other, &["restore", backups.join(new).to_str().unwrap()]).out;
    assert!(
        restored.contains("the secret file") && restored.contains("was restored too"),
        "{restored}"
    );
    assert_eq!(fs::read(at("other.db.secret")).unwrap(), fs::read(&secret).unwrap());
    assert!(done(&other, &["verify"]).out.contains("1 account"));
    let apart = done(&db, &["backup", at("apart.db").to_str().unwrap(), "--without-secret"]).out;
    assert!(
        apart.contains("which you keep elsewhere") && !at("apart.db.secret").exists(),
        "{apart}"
    );
}

#[test]
fn a_misspelt_variable_and_invalid_numbers_are_reported() {
    let database = Database::new(Engine::Sqlite);
    let db = &database.address();
    done(db, &["account", "add", "--email", ANNA, "--name", "Anna"]);
    let mut reported = program();
    reported
        .args(["--database", db, "account", "list"])
        .env("GROOTBOEK_LISTN", "1")
        .env("GROOTBOEK_COLOUR", "red");
    let reported = String::from_utf8(reported.output().unwrap().stderr).unwrap();
    assert!(
        reported.contains("GROOTBOEK_LISTN means nothing here; did you mean GROOTBOEK_LISTEN?"),
        "{reported}"
    );
    assert!(
        reported.contains("GROOTBOEK_COLOUR means nothing here; `grootboek serve --help`"),
        "{reported}"
    );
    let mut serve = program();
    serve
        .args(["--database", db, "serve", "--listen", "127.0.0.1:0"])
        .env("GROOTBOEK_RATELIMIT", "1");
    let log = Running::serving(&mut serve).stop();
    assert!(
        log.lines()
            .any(|line| line.contains("\"WARN\"")
                && line.contains("did you mean GROOTBOEK_RATE_LIMIT?")),
        "{log}"
    );
    refused(db, &["serve", "--rate-burst", "0"], &["--rate-burst", "1 or more"]);
    refused(
        db,
        &["serve", "--rate-limit", "abc"],
        &["--rate-limit", "write a whole number, 0 or more"],
    );
}

#[test]
fn the_help_of_serve_is_in_groups_and_fits() {
    let help = command(&["serve", "--help"], "").out;
    for group in ["Network:", "Mail:", "People and plans:", "Database:", "Limits:"] {
        assert!(help.lines().any(|line| line == group), "{group}: {help}");
    }
    for line in help.lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
    for shell in ["bash", "zsh", "fish"] {
        let completions = command(&["completions", shell], "");
        assert!(completions.code == 0 && completions.out.contains("--rate-limit"), "{shell}");
    }
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(command(&["manual", folder.path().to_str().unwrap()], "").code, 0);
    assert!(
        fs::read_to_string(folder.path().join("grootboek-serve.1"))
            .unwrap()
            .contains("Address to listen on")
    );
}

#[test]
fn manual_pages_have_the_sections_of_manual_pages() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(command(&["manual", folder.path().to_str().unwrap()], "").code, 0);
    let help = command(&["serve", "--help"], "").out;
    let words = help.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let variables: Vec<&str> = words.filter(|word| word.starts_with("GROOTBOEK_")).collect();
    assert!(variables.len() > 15, "{variables:?}");
    let mut pages = 0;
    for file in fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()) {
        let page = fs::read_to_string(&file).unwrap();
        let sections: Vec<&str> = page
            .lines()
            .filter_map(|line| line.strip_prefix(".SH "))
            .map(|name| name.trim_matches('"'))
            .collect();
        for section in
            ["NAME", "SYNOPSIS", "DESCRIPTION", "ENVIRONMENT", "FILES", "EXIT STATUS", "SEE ALSO"]
        {
            assert_eq!(
                sections.iter().filter(|name| **name == section).count(),
                1,
                "{section} of {}: {sections:?}",
                file.display()
            );
        }
        assert!(!sections.contains(&"EXTRA"), "{}", file.display());
        let (_, environment) = page.split_once(".SH ENVIRONMENT").unwrap();
        let (environment, rest) = environment.split_once(".SH FILES").unwrap();
        // The demo has its own database.
        assert_eq!(
            environment.contains("GROOTBOEK_DATABASE"),
            !file.ends_with("grootboek-demo.1"),
            "{page}"
        );
        assert!(rest.contains("/etc/grootboek/grootboek.env"), "{page}");
        if file.ends_with("grootboek-serve.1") {
            variables.iter().for_each(|name| {
                assert!(environment.contains(&name.replace('-', "\\-")), "{name}: {environment}")
            });
        } else if file.ends_with("grootboek-verify.1") {
            assert!(
                page.contains(".SH EXAMPLES")
                    && rest.contains("grootboek(1)")
                    && !rest.contains("Example:"),
                "{page}"
            );
        }
        pages += 1;
    }
    assert!(pages > 30, "{pages}");
}

#[test]
fn a_database_outage_is_logged_once_and_not_for_each_request() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("books.db");
    let db = format!("sqlite:{}", file.display());
    let (_, key) = (account_with_key(&db, ANNA), key(&db, ANNA).1);
    let mut server = Running::serve(&db, &[]);
    fs::rename(&file, folder.path().join("away.db")).unwrap();
    crate::wait_until("the server notices", || server.send("GET", "/readyz", None, None).0 == 503);
    for _ in 0..30 {
        assert_eq!(server.post(&key, "/api/v1/invoices", INVOICE).0, 503);
    }
    fs::rename(folder.path().join("away.db"), &file).unwrap();
    crate::wait_until("the server goes on", || {
        server.post(&key, "/api/v1/invoices", INVOICE).0 == 201
    });
    let log = server.stop();
    let troubles =
        log.lines().filter(|line| line.contains("\"ERROR\"") || line.contains("\"WARN\"")).count();
    assert!((1..=6).contains(&troubles), "{troubles}: {log}");
}
