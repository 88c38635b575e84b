//! `verify`, `backup`, `restore`.

use crate::{
    INVOICE, PASSWORD, Running, account_with_key, account_with_password, done, key,
    oauth::{self, CALLBACK},
    on, refused, visitor, wait_until,
};
use std::{
    path::PathBuf,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
};
use store::DatabaseUrl;
use testing::{Database, Engine, Raw, on_both_engines};

const ANNA: &str = "anna@example.com";
/// Account with a password.
const EMAIL: &str = "bram@example.com";

/// A folder with the books of one account, and the path of their backup.
struct Books {
    folder: tempfile::TempDir,
    db: String,
    backup: String,
}

impl Books {
    /// Books with the given number of invoices, and a backup of them.
    fn backed_up(invoices: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let db = format!("sqlite:{}", folder.path().join("books.db").display());
        let books =
            Self { db, backup: folder.path().join("backup.db").display().to_string(), folder };
        fill(&books.db, invoices);
        books.back_up();
        books
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// URL of another database in the folder.
    fn at(&self, name: &str) -> String {
        format!("sqlite:{}", self.path(name).display())
    }

    /// Makes a backup that replaces the last one.
    fn back_up(&self) {
        drop(std::fs::remove_file(&self.backup));
        done(&self.db, &["backup", &self.backup]);
    }

    /// Replaces the books with the backup.
    fn restore(&self) {
        done(&self.db, &["restore", &self.backup, "--replace"]);
    }
}

/// Creates books with invoices.
fn fill(db: &str, invoices: &str) {
    account_with_key(db, ANNA);
    done(db, &["fill", "--email", ANNA, "--invoices", invoices]);
}

/// Runs the verification, which must find nothing wrong, and returns the number of invoices.
fn verified(db: &str) -> u64 {
    let verification = done(db, &["verify", "--json"]).json();
    assert_eq!(verification["discrepancies"], 0);
    verification["accounts"][0]["invoices"].as_u64().unwrap()
}

on_both_engines! {
    fn the_exit_code_of_verify_shows_whether_the_books_are_right(engine) {
        let database = Database::new(engine);
        let db = &database.address();
        fill(db, "20");
        let verification = done(db, &["verify"]);
        assert!(
            verification.out.contains("20 entries, 20 invoices, head ")
                && verification.out.contains("everything agrees with the entries: 1 account\n"),
            "{}",
            verification.out
        );
        let json = done(db, &["verify", "--json", "--email", ANNA]).json();
        assert_eq!(
            (&json["accounts"][0]["entries"], json["accounts"][0]["head"].as_str().unwrap().len()),
            (&20.into(), 64)
        );

        let raw = Raw::open(&database);
        raw.unprotect();
        raw.run("UPDATE postings SET debit = debit + 1 WHERE entry_id = 7 AND line = 1").unwrap();
        let verification = on(db, &["verify"]);
        assert_eq!((verification.code, verification.err.as_str()), (1, ""));
        assert!(
            verification.out.contains("WRONG: entry 7:")
                && verification.out.contains("discrepancies"),
            "{}",
            verification.out
        );
        let json = on(db, &["verify", "--json"]);
        assert_eq!(json.code, 1);
        assert!(
            json.json()["accounts"][0]["discrepancies"][0]
                .as_str()
                .unwrap()
                .starts_with("entry 7:"),
            "{}",
            json.out
        );
        raw.run("UPDATE postings SET debit = debit - 1 WHERE entry_id = 7 AND line = 1").unwrap();
        assert_eq!(verified(db), 20);
    }
}

#[test]
fn a_backup_is_taken_while_a_server_serves_writes() {
    let books = Books::backed_up("0");
    let (db, backup) = (&books.db, books.path("while-serving.db"));
    let (_, key) = key(db, ANNA);
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
    let kept = verified(&books.at("while-serving.db"));
    // The backup contains all invoices acknowledged before it began, and at most three more that
    // were in progress when it ended.
    assert!(
        (before..=after + 3).contains(&kept),
        "{kept} invoices in the backup, {before} before it, {after} after it"
    );
    server.stop();
    assert_eq!(verified(db), made.load(Ordering::SeqCst));

    let bytes = std::fs::read(&backup).unwrap();
    refused(db, &["backup", backup.to_str().unwrap()], &["exists already"]);
    assert!(std::fs::read(&backup).unwrap() == bytes);
    refused(
        &books.at("none.db"),
        &["backup", books.path("x").to_str().unwrap()],
        &["there is no database"],
    );
    assert!(!books.path("none.db").exists() && !books.path("x").exists());
    refused(db, &["backup", books.path("nowhere/x").to_str().unwrap()], &["nowhere/x"]);
}

#[test]
fn a_backup_is_restored() {
    let books = Books::backed_up("5");
    let db = &books.db;
    done(db, &["fill", "--email", ANNA, "--invoices", "4"]);

    done(&books.at("fresh.db"), &["restore", &books.backup]);
    assert_eq!(verified(&books.at("fresh.db")), 5);
    refused(db, &["restore", &books.backup], &["--replace"]);
    assert_eq!(verified(db), 9);
    books.restore();
    assert_eq!(verified(db), 5);
    // The backup is still valid, and a restored database accepts bookings.
    assert_eq!(verified(&books.at("backup.db")), 5);
    done(db, &["fill", "--email", ANNA, "--invoices", "1"]);
    assert_eq!(verified(db), 6);
}

#[test]
fn the_files_missing_from_a_backup_are_reported() {
    let books = Books::backed_up("1");
    let (secret, backup) = (books.path("books.db.secret"), books.path("another.db"));
    let copied = done(&books.db, &["backup", backup.to_str().unwrap()]).out;
    let restored = done(&books.db, &["restore", &books.backup, "--replace"]).out;
    assert!(restored.contains("everybody has to sign in again"), "{restored}");
    for reported in [copied, restored] {
        let line = reported.lines().find(|line| line.starts_with("not in the copy: ")).unwrap();
        for part in ["the secret file", "the folder of mails", secret.to_str().unwrap()] {
            assert!(line.contains(part), "{part} is not in {line}");
        }
    }
}

/// Checks the statements in docs/operating.md about a restore: it ends sessions, links and codes,
/// and makes connections, passwords and revoked keys work again.
#[test]
fn sessions_links_and_codes_of_a_backup_do_not_work_and_what_was_revoked_since_does() {
    let books = Books::backed_up("1");
    let db = &books.db;
    account_with_password(db, EMAIL);
    let (id, secret) = oauth::register(db, "Example Shop");
    let (key_id, key) = key(db, EMAIL);
    let mut server = Running::serve(db, &[]);
    let mut owner = visitor(&server);
    assert_eq!(owner.sign_in(EMAIL, PASSWORD).location(), "/");
    let tokens = oauth::exchange(&server, &id, &secret, &oauth::allows(&owner, &id, CALLBACK));
    let code = oauth::allows(&owner, &id, CALLBACK);
    let page = owner.get("/password/forgot");
    owner.submit(&page, "/password/forgot", &[("email", EMAIL)]);
    let mut mails = Vec::new();
    wait_until("the mail comes", || {
        mails = testing::mail::sent_to(&books.path("mail"), EMAIL);
        !mails.is_empty()
    });
    let link = mails[0].link();
    server.stop();
    books.back_up();

    // A restart alone ends no session and no link.
    let mut server = Running::serve(db, &[]);
    owner.moves_to(&server.url);
    assert!(owner.is_signed_in());
    assert_eq!(visitor(&server).open(&link).status, 200);
    done(db, &["key", "revoke", "--email", EMAIL, "--id", &key_id]);
    assert_eq!(server.get(&key, "/api/v1/account").0, 401);
    server.stop();

    books.restore();
    let mut server = Running::serve(db, &[]);
    owner.moves_to(&server.url);
    assert!(!owner.is_signed_in());
    assert_eq!(visitor(&server).open(&link).status, 410);
    assert_eq!(oauth::exchange(&server, &id, &secret, &code)["error"], "invalid_grant");
    // Connections, passwords and the revoked key work again.
    let token = format!("Bearer {}", tokens["access_token"].as_str().unwrap());
    let account =
        ureq::get(format!("{}/api/v1/account", server.url)).header("authorization", token).call();
    assert_eq!(account.unwrap().status().as_u16(), 200);
    assert_eq!(server.get(&key, "/api/v1/account").0, 200);
    assert_eq!(owner.sign_in(EMAIL, PASSWORD).location(), "/");
    server.stop();
}

#[test]
fn files_of_a_killed_server_do_not_damage_a_restored_database() {
    let books = Books::backed_up("5");
    let db = &books.db;
    let (_, key) = key(db, ANNA);
    let server = Running::serve(db, &[]);
    assert_eq!(server.post(&key, "/api/v1/invoices", INVOICE).0, 201);
    // The killed server leaves its write-ahead log next to the database; only the main file of the
    // database is then removed.
    drop(server);
    std::fs::remove_file(books.path("books.db")).unwrap();
    assert!(books.path("books.db-wal").exists());
    refused(db, &["restore", &books.backup], &["books.db-", "--replace"]);
    books.restore();
    assert_eq!(verified(db), 5);
}

/// An emptied file is not treated as a database without accounts, and is not overwritten, so that
/// it can be examined.
#[test]
fn a_file_from_which_the_books_are_gone_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("books.db");
    std::fs::write(&file, b"").unwrap();
    refused(&format!("sqlite:{}", file.display()), &["verify"], &["is empty: no books are in it"]);
    assert_eq!(std::fs::metadata(&file).unwrap().len(), 0);
}

#[test]
fn a_replaced_damaged_database_is_kept() {
    let books = Books::backed_up("5");
    std::fs::write(books.path("books.db"), "damaged beyond reading ".repeat(1000)).unwrap();
    books.restore();
    assert_eq!(verified(&books.db), 5);
    assert!(std::fs::read(books.path("books.db.damaged")).unwrap().starts_with(b"damaged beyond"));
}

#[test]
fn a_backup_is_readable_by_its_owner_only_and_follows_no_link() {
    let books = Books::backed_up("1");
    let mode = std::os::unix::fs::MetadataExt::mode(&std::fs::metadata(&books.backup).unwrap());
    assert_eq!(mode & 0o777, 0o600);
    std::os::unix::fs::symlink(books.path("elsewhere.db"), books.path("link.db")).unwrap();
    refused(&books.db, &["backup", books.path("link.db").to_str().unwrap()], &["exists already"]);
    assert!(!books.path("elsewhere.db").exists());
    refused(
        &books.at("link.db"),
        &["account", "add", "--email", ANNA, "--name", "Anna"],
        &["symbolic link"],
    );
    assert!(!books.path("elsewhere.db").exists());
}

#[test]
fn an_invalid_backup_is_not_restored() {
    let books = Books::backed_up("40");
    let (db, path) = (&books.db, |name: &str| books.path(name));
    let good = std::fs::read(&books.backup).unwrap();
    std::fs::write(path("empty.db"), "").unwrap();
    std::fs::write(path("text.db"), "no database at all\n".repeat(500)).unwrap();
    std::fs::write(path("half.db"), &good[..good.len() / 2 / 4096 * 4096]).unwrap();
    let mut torn = good.clone();
    torn[good.len() / 2 / 4096 * 4096..][..4096].fill(0xa5);
    std::fs::write(path("torn.db"), torn).unwrap();
    Raw::at(&DatabaseUrl::Sqlite(path("other.db"))).run("CREATE TABLE notes (text TEXT)").unwrap();
    std::fs::write(path("newer.db"), &good).unwrap();
    Raw::at(&DatabaseUrl::Sqlite(path("newer.db"))).run("PRAGMA user_version = 99").unwrap();
    for (name, reported) in [
        ("none.db", "no such file"),
        ("empty.db", "backup"),
        ("text.db", "backup"),
        ("half.db", "backup"),
        ("torn.db", "backup"),
        ("other.db", "backup"),
        ("newer.db", "newer version"),
    ] {
        refused(db, &["restore", path(name).to_str().unwrap(), "--replace"], &[reported]);
        assert_eq!(verified(db), 40, "after {name}");
    }
    let names = std::fs::read_dir(&books.folder).unwrap().map(|entry| entry.unwrap().file_name());
    let leftover: Vec<_> =
        names.filter(|name| name.to_string_lossy().contains("restoring")).collect();
    assert!(leftover.is_empty(), "{leftover:?}");
}

#[test]
fn a_database_in_use_is_not_replaced() {
    let books = Books::backed_up("0");
    let db = &books.db;
    let (_, key) = key(db, ANNA);
    let mut server = Running::serve(db, &[]);
    assert_eq!(server.post(&key, "/api/v1/invoices", INVOICE).0, 201);
    refused(db, &["restore", &books.backup, "--replace"], &["in use", "stop the server"]);
    assert_eq!(server.post(&key, "/api/v1/invoices", INVOICE).0, 201);
    server.stop();
    assert_eq!(verified(db), 2);
    books.restore();
    assert_eq!(verified(db), 0);
}

#[test]
fn postgresql_has_its_own_tools_for_copies() {
    let database = Database::new(Engine::Postgres);
    let db = &database.address();
    refused(db, &["backup", "x.db"], &["pg_dump"]);
    refused(db, &["restore", "x.db"], &["pg_restore"]);
}
