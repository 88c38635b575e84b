//! `move`: books are moved from one engine to the other, either completely or not at all.

use crate::{INVOICE, Running, account_with_key, command, done, on, program, refused, wait_until};
use serde_json::Value;
use std::{
    path::PathBuf,
    process::{Child, Stdio},
};
use testing::{Database, Engine, Raw, on_both_engines};

const ANNA: &str = "anna@example.com";
/// Number of invoices, large enough for the move to take some time.
const MANY: &str = "2000";

/// A database of the other engine that does not exist yet or is empty.
fn other(engine: Engine) -> Database {
    Database::new(if engine == Engine::Sqlite { Engine::Postgres } else { Engine::Sqlite })
}

fn moving(from: &Database, to: &Database) -> crate::Answer {
    command(&["move", "--from", &from.address(), "--to", &to.address()], "")
}

fn refused_to_move(from: &str, to: &str, reported: &[&str]) {
    let answer = command(&["move", "--from", from, "--to", to], "");
    assert_eq!((answer.code, answer.out.as_str()), (1, ""), "{}", answer.err);
    for part in reported {
        assert!(answer.err.contains(part), "it should say {part:?}: {}", answer.err);
    }
    assert!(!answer.err.contains("s3cret"), "{}", answer.err);
}

/// Output of `verify` for the accounts, including their heads.
fn verification(database: &str) -> Value {
    done(database, &["verify", "--json"]).json()["accounts"].clone()
}

/// Starts a move and waits until it has written rows, but has not finished.
fn half_way(from: &Database, to: &Database) -> Child {
    let mut child = program()
        .args(["move", "--from", &from.address(), "--to", &to.address()])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_until("the move writes", || {
        assert!(child.try_wait().unwrap().is_none(), "the move ended too early");
        match file_of(to) {
            Some(file) => unfinished(&file).metadata().is_ok_and(|found| found.len() > 0),
            None => {
                let sql = "SELECT count(*)::text FROM pg_stat_progress_copy WHERE datname = current_database() AND tuples_processed > 500";
                testing::database::rows(&to.address(), sql)[0][0] != "0"
            }
        }
    });
    child
}

fn file_of(database: &Database) -> Option<PathBuf> {
    database.address().strip_prefix("sqlite:").map(PathBuf::from)
}

fn unfinished(file: &std::path::Path) -> PathBuf {
    PathBuf::from(format!("{}.moving", file.display()))
}

on_both_engines! {
    fn moved_books_can_be_used(engine) {
        let (from, to) = (Database::new(engine), other(engine));
        let (here, there) = (&from.address(), &to.address());
        let key = account_with_key(here, ANNA);
        done(here, &["account", "add", "--email", "bram@example.com", "--name", "Bram"]);
        done(here, &["fill", "--email", ANNA, "--invoices", "20"]);
        let before = verification(here);
        let moved = moving(&from, &to);
        assert_eq!((moved.code, moved.err.as_str()), (0, ""));
        for part in [
            "entries: 20 rows\n",
            "accounts: 2 rows\n",
            "the books of 2 accounts agree with their entries",
            "not moved: the secret file",
            "do not serve it any more",
        ] {
            assert!(moved.out.contains(part), "{part}: {}", moved.out);
        }
        assert_eq!(verification(there), before);
        assert_eq!(before[0]["entries"], 20);
        // The key works, numbers continue, and the next account gets a new id.
        let mut server = Running::serve(there, &[]);
        let (status, invoice) = server.post(&key, "/api/v1/invoices", INVOICE);
        assert_eq!(status, 201, "{invoice}");
        assert!(invoice.contains("\"number\":\"2026-0021\""), "{invoice}");
        server.stop();
        done(there, &["account", "add", "--email", "carla@example.com", "--name", "Carla"]);
        assert_eq!(verification(there)[2]["id"], 3);
        // Back into a database of the first engine.
        let back = Database::new(engine);
        let after = verification(there);
        assert_eq!(moving(&to, &back).code, 0);
        assert_eq!(verification(&back.address()), after);
        assert_eq!(verification(here), before, "the source is unchanged");
    }

    fn a_refused_move_leaves_nothing(engine) {
        let (from, to) = (Database::new(engine), other(engine));
        let (here, there) = (&from.address(), &to.address());
        account_with_key(here, ANNA);
        done(here, &["fill", "--email", ANNA, "--invoices", "3"]);
        let mut server = Running::serve(here, &[]);
        refused_to_move(here, there, &["at work on", "stop"]);
        server.stop();
        refused_to_move(
            here,
            &Database::new(engine).address(),
            &["both are", if engine == Engine::Sqlite { "backup" } else { "pg_dump" }],
        );
        refused_to_move(
            here,
            "mysql://me:s3cret@h/d",
            &["mysql://me@h", "is not a database address"],
        );
        let full = other(engine);
        done(&full.address(), &["account", "add", "--email", "bram@example.com", "--name", "Bram"]);
        let reported = if engine == Engine::Sqlite {
            "is not empty: its table"
        } else {
            "it is there already"
        };
        refused_to_move(here, &full.address(), &[reported]);
        assert!(done(&full.address(), &["account", "list"]).out.contains("bram@example.com"));
        // Books that fail the verification are not moved.
        let raw = Raw::open(&from);
        raw.unprotect();
        raw.run("UPDATE invoices SET total = total + 1 WHERE id = 2").unwrap();
        refused_to_move(
            here,
            there,
            &["nothing was moved", "anna@example.com: ", "`grootboek verify` on"],
        );
        raw.run("UPDATE invoices SET total = total - 1 WHERE id = 2").unwrap();
        let outdated = if engine == Engine::Sqlite {
            "PRAGMA user_version = 0"
        } else {
            "DELETE FROM schema_version"
        };
        raw.run(outdated).unwrap();
        refused_to_move(here, there, &["older than this program", "grootboek migrate"]);
        raw.run(if engine == Engine::Sqlite {
            "PRAGMA user_version = 20"
        } else {
            "INSERT INTO schema_version VALUES (20)"
        })
        .unwrap();
        // The rejected moves left nothing behind.
        assert_eq!(moving(&from, &to).code, 0);
    }

    fn a_killed_move_leaves_nothing_and_can_be_started_again(engine) {
        let (from, to) = (Database::new(engine), other(engine));
        let (here, there) = (&from.address(), &to.address());
        account_with_key(here, ANNA);
        done(here, &["fill", "--email", ANNA, "--invoices", MANY]);
        let mut child = half_way(&from, &to);
        // During the move, neither database can be served, and no other move can run.
        let second = moving(&from, &to);
        assert!(second.code == 1 && second.err.contains("at work on"), "{}", second.err);
        child.kill().unwrap();
        child.wait().unwrap();
        match file_of(&to) {
            Some(file) => assert!(!file.exists() && unfinished(&file).exists()),
            None => {
                // PostgreSQL rolls back once it notices the closed connection.
                wait_until("the rows are gone", || {
                    done(there, &["account", "list"]).out == "0 accounts\n"
                });
            }
        }
        wait_until("the move is done again", || moving(&from, &to).code == 0);
        assert_eq!(verification(there), verification(here));
        assert!(file_of(&to).is_none_or(|file| !unfinished(&file).exists()));
    }
}

#[test]
fn the_source_must_exist_and_passwords_can_be_in_variables() {
    let folder = tempfile::tempdir().unwrap();
    let missing = format!("sqlite:{}", folder.path().join("books.db").display());
    refused_to_move(
        &missing,
        "postgres://me:s3cret@127.0.0.1:1/none",
        &["there is no database at"],
    );
    let from = Database::new(Engine::Sqlite);
    account_with_key(&from.address(), ANNA);
    refused_to_move(
        &from.address(),
        "postgres://me:s3cret@127.0.0.1:1/none?sslmode=disable",
        &["cannot open the database"],
    );
    refused(&from.address(), &["move"], &["--to"]);
    let to = Database::new(Engine::Postgres);
    let mut named = program();
    named
        .env("GROOTBOEK_DATABASE", from.address())
        .env("GROOTBOEK_MOVE_TO", to.address())
        .arg("move");
    let named = named.output().unwrap();
    assert!(named.status.success(), "{}", String::from_utf8_lossy(&named.stderr));
    assert!(on(&to.address(), &["account", "list"]).out.contains(ANNA));
}
