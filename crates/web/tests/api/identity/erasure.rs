//! Erasure of a closed account: no data remains in any file.

use crate::{help::one_of_everything, simple_invoice};
use serde_json::json;
use service::{
    Context, EmailAddress, Environment, access, accounts,
    environment::{Clock, Visitor},
    people::{
        data, email,
        settings::{self, UpdateSettings},
        sign_in,
    },
};
use std::path::Path;
use store::{DatabaseUrl, keys::Scopes};
use testing::{Engine, Server};

/// Writes `word` into every text field of a new account.
fn leave_marks(server: &Server, word: &str) {
    let address = format!("{word}@example.com");
    let key = server.account(&address);
    one_of_everything(server, &address, &key);
    let invoice = json!({
        "externalId": word, "customer": {"name": word, "email": address}, "reference": word, "notes": word,
        "items": [{"description": word, "unitPrice": 1, "vatRate": 21}],
    });
    let hours = json!({"date": "2026-03-01", "hours": 1, "description": word, "externalId": word});
    for (path, payload) in
        [("contacts", &json!({"name": word})), ("invoices", &invoice), ("hours-log", &hours)]
    {
        assert_eq!(server.post(&key, &format!("/api/v1/{path}"), payload).status, 201);
    }
    server.save_calls();
    let (now, word) = (server.clock.now(), word.to_owned());
    server.write(move |tx| {
        let env = Environment::at(now).from_client(Visitor::new("192.0.2.1", &word));
        let account = accounts::by_email(tx, &address)?;
        let command = UpdateSettings {
            name: word.clone(),
            street: Some(word.clone()),
            ..UpdateSettings::of(&account)
        };
        let account = settings::update(tx, &env, account.id, &command)?;
        store::people::set_password(tx, account.owner.id, &word)?;
        let both = Scopes { read: true, write: true, file: false };
        access::create_key(
            tx,
            &Context::of_owner(&account, env.clone()),
            &access::CreateKey::new(&word, both).unwrap(),
        )?;
        let credentials = sign_in::find(tx, &EmailAddress::parse(&address).unwrap())?.unwrap();
        let (session, _) = sign_in::begin(tx, &env, &credentials)?;
        let new = format!("{word}@example.org");
        email::change_request(
            tx,
            &env,
            &account,
            &session.hash(),
            &EmailAddress::parse(&new).unwrap(),
        )
        .map(drop)
    });
}

/// Runs the periodic cleanup twice, since the account's own row is deleted after all others.
fn sweep(server: &Server) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for _ in 0..2 {
        runtime.block_on(server.app.sweep()).unwrap();
    }
}

/// Number of occurrences of `word` in the raw bytes of a file, free pages included.
fn count(file: &Path, word: &str) -> usize {
    std::fs::read(file)
        .unwrap()
        .windows(word.len())
        .filter(|bytes| bytes.eq_ignore_ascii_case(word.as_bytes()))
        .count()
}

#[test]
fn no_file_keeps_a_word_of_a_closed_account() {
    let (closed, open) = ("qzvanna7f3", "qzvbram5d9");
    let server = Server::start(Engine::Sqlite);
    for word in [closed, open] {
        leave_marks(&server, word);
    }
    let DatabaseUrl::Sqlite(database) = &server.database.url else { panic!() };
    let log = database.with_extension("db-wal");
    let marks = |word| count(database, word) + count(&log, word);
    sweep(&server);
    assert!(marks(closed) > 20 && marks(open) > 20, "{} {}", marks(closed), marks(open));

    let (owner, now) = (server.person(&format!("{closed}@example.com")), server.clock.now());
    server.write(move |tx| data::close(tx, &Environment::at(now), owner));
    server.clock.set("2026-03-15T11:10:00Z");
    sweep(&server);
    assert_eq!(marks(closed), 0);
    assert!(marks(open) > 20);
    // The files next to the database have no trace either.
    let folder = database.parent().unwrap();
    for file in std::fs::read_dir(folder).unwrap() {
        assert_eq!(count(&file.unwrap().path(), closed), 0);
    }
    let other = server.key(&format!("{open}@example.com"), true, true);
    assert_eq!(server.post(&other, "/api/v1/invoices", &simple_invoice()).status, 201);
    assert_eq!(server.discrepancies(&format!("{open}@example.com")), Vec::<String>::new());
}
