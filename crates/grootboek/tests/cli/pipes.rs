//! Behaviour if the reader closes the pipe, as `head` does after a few lines.

use crate::{done, on, program};
use serde_json::Value;
use service::{
    Environment, Error,
    accounts::{self, OpenAccount},
    environment::{Clock, System},
};
use std::{
    io::{BufRead, BufReader, Read},
    process::{Command, Stdio},
};
use store::{Tx, accounts::Plan};
use testing::{Database, Engine, Raw};

/// Number of lines, large enough to exceed the capacity of a pipe.
const MANY: usize = 2_000;

fn open(database: &Database, count: usize) {
    let account = |number: usize| OpenAccount {
        email: format!("person-{number:06}@example.com"),
        name: format!("Person number {number}"),
        country: ledger::country::CountryCode::NL,
        plan: Plan::Starter,
        password: None,
    };
    let open = move |tx: &mut Tx<'_>| -> Result<(), Error> {
        (0..count).try_for_each(|number| {
            accounts::open(tx, &Environment::at(System.now()), &account(number)).map(drop)
        })
    };
    database.open().write_blocking(open).unwrap();
}

/// The program with a standard output whose reader has closed the pipe.
fn unread(database: &str, arguments: &[&str]) -> Command {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut program = program();
    program.args(["--database", database]).args(arguments).stdin(Stdio::null()).stdout(writer);
    program
}

#[test]
fn a_list_ends_quietly_if_only_its_first_line_is_read() {
    let database = Database::new(Engine::Sqlite);
    open(&database, MANY);
    let mut list = program();
    list.args(["--database", &database.address(), "account", "list"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut list = list.spawn().unwrap();
    let mut first = String::new();
    BufReader::with_capacity(64, list.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert!(first.contains("person-000000@example.com"), "{first}");
    let mut err = String::new();
    list.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert_eq!((list.wait().unwrap().code(), err.as_str()), (Some(0), ""));
}

#[test]
fn no_command_reports_a_closed_pipe() {
    let database = Database::new(Engine::Sqlite);
    let db = database.address();
    open(&database, 2);
    let email = ["--email", "person-000000@example.com"];
    for command in [
        &["account", "list"][..],
        &["account", "list", "--json"],
        &[&["account", "set-plan", "--plan", "pro"], &email[..]].concat(),
        &[&["key", "add", "--name", "k", "--scope", "read"], &email[..]].concat(),
        &[&["key", "list"], &email[..]].concat(),
        &[&["project", "add", "--name", "P"], &email[..]].concat(),
        &[&["project", "list"], &email[..]].concat(),
        &["oauth", "register", "--name", "Shop", "--redirect-uri", "https://shop.example.com/"],
        &["oauth", "list"],
        &["verify"],
        &["verify", "--json"],
        &[&["audit-file", "--year", "2026"], &email[..]].concat(),
        &["--help"],
    ] {
        let output = unread(&db, command).output().unwrap();
        assert_eq!(
            (output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()),
            (Some(0), ""),
            "{command:?}"
        );
    }
    // The commands were executed nevertheless.
    assert!(done(&db, &["account", "list"]).out.contains("pro "));
    assert!(done(&db, &[&["key", "list"], &email[..]].concat()).out.contains("1 key\n"));
}

/// Writing the output fails because its disk is full, although the database is on another disk.
#[test]
fn an_audit_file_that_does_not_fit_on_the_disk_says_so() {
    let database = Database::new(Engine::Sqlite);
    let db = database.address();
    open(&database, 1);
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut program = program();
    program.args([
        "--database",
        &db,
        "audit-file",
        "--email",
        "person-000000@example.com",
        "--year",
        "2026",
    ]);
    let output = program.stdout(full).output().unwrap();
    let reported = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{reported}");
    assert!(
        reported.contains("No space left on device") && !reported.contains("database"),
        "{reported}"
    );
}

#[test]
fn a_verification_without_reader_still_sets_the_exit_code() {
    let database = Database::new(Engine::Sqlite);
    let db = database.address();
    open(&database, 2);
    done(&db, &["fill", "--email", "person-000001@example.com", "--invoices", "2"]);
    let raw = Raw::open(&database);
    raw.unprotect();
    raw.run("UPDATE postings SET debit = debit + 1 WHERE entry_id = 1 AND line = 1").unwrap();
    assert_eq!(on(&db, &["verify"]).code, 1);
    for options in [&["verify"][..], &["verify", "--json"]] {
        let output = unread(&db, options).output().unwrap();
        assert_eq!(
            (output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()),
            (Some(1), ""),
            "{options:?}"
        );
    }
}

#[test]
fn a_server_continues_if_its_output_is_closed() {
    let database = Database::new(Engine::Sqlite);
    let db = database.address();
    let mut server =
        unread(&db, &["serve", "--listen", "127.0.0.1:0"]).stderr(Stdio::piped()).spawn().unwrap();
    let mut log = BufReader::new(server.stderr.take().unwrap())
        .lines()
        .map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap());
    let line = log.find(|line| line["message"] == "listening").unwrap();
    let answered =
        ureq::get(format!("http://{}/healthz", line["address"].as_str().unwrap())).call();
    server.kill().unwrap();
    server.wait().unwrap();
    assert_eq!(answered.unwrap().status().as_u16(), 200);
}
