//! `verify`, `backup`, `restore`.

use crate::{INVOICE, Running, account_with_key, done, on, refused, wait_until};
use std::{
    path::Path,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
};
use store::DatabaseUrl;
use testing::{Database, Engine, Raw, on_both_engines};

const ANNA: &str = "anna@example.com";

fn at(path: &Path) -> String {
    format!("sqlite:{}", path.display())
}

/// Books with some invoices.
fn fill(db: &str, invoices: &str) {
    account_with_key(db, ANNA);
    done(db, &["fill", "--email", ANNA, "--invoices", invoices]);
}

/// How many invoices the proof counts; it must find nothing wrong.
fn proven(db: &str) -> u64 {
    let proof = done(db, &["verify", "--json"]).json();
    assert_eq!(proof["discrepancies"], 0);
    proof["accounts"][0]["invoices"].as_u64().unwrap()
}

on_both_engines! {
    fn verify_tells_by_its_exit_code_whether_the_books_are_right(engine) {
        let database = Database::new(engine);
        let db = &database.address();
        fill(db, "20");
        let proof = done(db, &["verify"]);
        assert!(proof.out.contains("20 entries, 20 invoices, head ") && proof.out.contains("all is as the entries say: 1 account\n"), "{}", proof.out);
        let json = done(db, &["verify", "--json", "--email", ANNA]).json();
        assert_eq!((&json["accounts"][0]["entries"], json["accounts"][0]["head"].as_str().unwrap().len()), (&20.into(), 64));

        let raw = Raw::open(&database);
        raw.unprotect();
        raw.run("UPDATE postings SET debit = debit + 1 WHERE entry_id = 7 AND line = 1").unwrap();
        let proof = on(db, &["verify"]);
        assert_eq!((proof.code, proof.err.as_str()), (1, ""));
        assert!(proof.out.contains("WRONG: entry 7:") && proof.out.contains("discrepancies"), "{}", proof.out);
        let json = on(db, &["verify", "--json"]);
        assert_eq!(json.code, 1);
        assert!(json.json()["accounts"][0]["discrepancies"][0].as_str().unwrap().starts_with("entry 7:"), "{}", json.out);
        raw.run("UPDATE postings SET debit = debit - 1 WHERE entry_id = 7 AND line = 1").unwrap();
        assert_eq!(proven(db), 20);
    }
}

#[test]
fn a_backup_is_taken_while_a_server_serves_writes() {
    let folder = tempfile::tempdir().unwrap();
    let (books, backup) = (folder.path().join("books.db"), folder.path().join("backup.db"));
    let db = &at(&books);
    let key = account_with_key(db, ANNA);
    let mut server = Running::serve(db, &["--rate-limit", "0"]);
    let (enough, made) = (AtomicBool::new(false), AtomicU64::new(0));
    let (before, after) = std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while !enough.load(Ordering::SeqCst) {
                    assert_eq!(server.post(&key, "/api/v1/invoices", INVOICE).0, 201);
                    made.fetch_add(1, Ordering::SeqCst);
                }
            });
        }
        wait_until("invoices come in", || made.load(Ordering::SeqCst) > 20);
        let before = made.load(Ordering::SeqCst);
        let copied = on(db, &["backup", backup.to_str().unwrap()]);
        let after = made.load(Ordering::SeqCst);
        wait_until("invoices still come in", || made.load(Ordering::SeqCst) > after);
        enough.store(true, Ordering::SeqCst);
        assert_eq!((copied.code, copied.err.as_str()), (0, ""));
        assert!(copied.out.contains("bytes"), "{}", copied.out);
        (before, after)
    });
    let kept = proven(&at(&backup));
    // What was answered before the backup began is in it; three more may have been on their way when it ended.
    assert!((before..=after + 3).contains(&kept), "{kept} invoices in the backup, {before} before it, {after} after it");
    server.stop();
    assert_eq!(proven(db), made.load(Ordering::SeqCst));

    let bytes = std::fs::read(&backup).unwrap();
    refused(db, &["backup", backup.to_str().unwrap()], &["exists already"]);
    assert!(std::fs::read(&backup).unwrap() == bytes);
    refused(
        &at(&folder.path().join("none.db")),
        &["backup", folder.path().join("x").to_str().unwrap()],
        &["there is no database"],
    );
    assert!(!folder.path().join("none.db").exists() && !folder.path().join("x").exists());
    refused(db, &["backup", folder.path().join("nowhere/x").to_str().unwrap()], &["nowhere/x"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&backup).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn a_backup_is_put_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (db, backup) = (&at(&path("books.db")), path("backup.db"));
    let backup = backup.to_str().unwrap();
    fill(db, "5");
    done(db, &["backup", backup]);
    done(db, &["fill", "--email", ANNA, "--invoices", "4"]);

    done(&at(&path("fresh.db")), &["restore", backup]);
    assert_eq!(proven(&at(&path("fresh.db"))), 5);
    refused(db, &["restore", backup], &["--replace"]);
    assert_eq!(proven(db), 9);
    done(db, &["restore", backup, "--replace"]);
    assert_eq!(proven(db), 5);
    // The backup is still good, and a restored database takes bookings.
    assert_eq!(proven(&at(Path::new(backup))), 5);
    done(db, &["fill", "--email", ANNA, "--invoices", "1"]);
    assert_eq!(proven(db), 6);
}

#[test]
fn what_a_killed_server_left_behind_does_not_spoil_what_is_put_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (db, backup) = (&at(&path("books.db")), path("backup.db"));
    let backup = backup.to_str().unwrap();
    fill(db, "5");
    done(db, &["backup", backup]);
    let key = account_with_key(db, "hans@example.com");
    let server = Running::serve(db, &[]);
    assert_eq!(server.post(&key, "/api/v1/invoices", INVOICE).0, 201);
    // Killed: the log stays beside the database, and then the database alone is moved away.
    drop(server);
    std::fs::remove_file(path("books.db")).unwrap();
    assert!(path("books.db-wal").exists());
    refused(db, &["restore", backup], &["books.db-", "--replace"]);
    done(db, &["restore", backup, "--replace"]);
    assert_eq!(proven(db), 5);
}

#[test]
fn a_damaged_database_is_kept_aside() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (db, backup) = (&at(&path("books.db")), path("backup.db"));
    fill(db, "5");
    done(db, &["backup", backup.to_str().unwrap()]);
    std::fs::write(path("books.db"), "damaged beyond reading ".repeat(1000)).unwrap();
    done(db, &["restore", backup.to_str().unwrap(), "--replace"]);
    assert_eq!(proven(db), 5);
    assert!(std::fs::read(path("books.db.damaged")).unwrap().starts_with(b"damaged beyond"));
}

#[test]
fn a_backup_is_its_owners_alone_and_follows_no_link() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let db = &at(&path("books.db"));
    fill(db, "1");
    std::os::unix::fs::symlink(path("elsewhere.db"), path("link.db")).unwrap();
    refused(db, &["backup", path("link.db").to_str().unwrap()], &["exists already"]);
    assert!(!path("elsewhere.db").exists());
    refused(&at(&path("link.db")), &["account", "add", "--email", ANNA, "--name", "Anna"], &["symbolic link"]);
    assert!(!path("elsewhere.db").exists());
}

#[test]
fn what_is_not_a_sound_backup_is_not_put_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (db, backup) = (&at(&path("books.db")), path("backup.db"));
    fill(db, "40");
    done(db, &["backup", backup.to_str().unwrap()]);
    let good = std::fs::read(&backup).unwrap();
    std::fs::write(path("empty.db"), "").unwrap();
    std::fs::write(path("text.db"), "no database at all\n".repeat(500)).unwrap();
    std::fs::write(path("half.db"), &good[..good.len() / 2 / 4096 * 4096]).unwrap();
    let mut torn = good.clone();
    torn[good.len() / 2 / 4096 * 4096..][..4096].fill(0xa5);
    std::fs::write(path("torn.db"), torn).unwrap();
    Raw::at(&DatabaseUrl::Sqlite(path("other.db"))).run("CREATE TABLE notes (text TEXT)").unwrap();
    std::fs::write(path("newer.db"), &good).unwrap();
    Raw::at(&DatabaseUrl::Sqlite(path("newer.db"))).run("PRAGMA user_version = 99").unwrap();
    for (name, told) in [
        ("none.db", "no such file"),
        ("empty.db", "backup"),
        ("text.db", "backup"),
        ("half.db", "backup"),
        ("torn.db", "backup"),
        ("other.db", "backup"),
        ("newer.db", "newer version"),
    ] {
        refused(db, &["restore", path(name).to_str().unwrap(), "--replace"], &[told]);
        assert_eq!(proven(db), 40, "after {name}");
    }
    let left: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .filter(|name| name.to_string_lossy().contains("restoring"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_database_in_use_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let (books, backup) = (folder.path().join("books.db"), folder.path().join("backup.db"));
    let (db, backup) = (&at(&books), backup.to_str().unwrap());
    let key = account_with_key(db, ANNA);
    done(db, &["backup", backup]);
    let mut server = Running::serve(db, &[]);
    assert_eq!(server.post(&key, "/api/v1/invoices", INVOICE).0, 201);
    refused(db, &["restore", backup, "--replace"], &["in use", "stop the server"]);
    assert_eq!(server.post(&key, "/api/v1/invoices", INVOICE).0, 201);
    server.stop();
    assert_eq!(proven(db), 2);
    done(db, &["restore", backup, "--replace"]);
    assert_eq!(proven(db), 0);
}

#[test]
fn postgresql_has_its_own_tools_for_copies() {
    let database = Database::new(Engine::Postgres);
    let db = &database.address();
    refused(db, &["backup", "x.db"], &["pg_dump"]);
    refused(db, &["restore", "x.db"], &["pg_restore"]);
}
