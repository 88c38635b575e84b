//! What is left of a closed account: nothing, in no file.

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

/// Writes a word wherever an account holds words.
fn leave_marks(server: &Server, word: &str) {
    let address = format!("{word}@example.com");
    let key = server.account(&address);
    one_of_everything(server, &address, &key);
    let invoice = json!({
        "externalId": word, "customer": {"name": word, "email": address}, "reference": word, "notes": word,
        "items": [{"description": word, "unitPrice": 1, "vatRate": 21}],
    });
    let hours = json!({"date": "2026-03-01", "hours": 1, "description": word, "externalId": word});
    for (path, payload) in [("contacts", &json!({"name": word})), ("invoices", &invoice), ("hours-log", &hours)] {
        assert_eq!(server.post(&key, &format!("/api/v1/{path}"), payload).status, 201);
    }
    server.save_calls();
    let (now, word) = (server.clock.now(), word.to_owned());
    server.write(move |tx| {
        let env = Environment::at(now).from_client(Visitor::new("192.0.2.1", &word));
        let account = accounts::by_email(tx, &address)?;
        let given = UpdateSettings { name: word.clone(), street: Some(word.clone()), ..UpdateSettings::of(&account) };
        let account = settings::update(tx, &env, account.id, &given)?;
        store::people::set_password(tx, account.owner.id, &word)?;
        let both = Scopes { read: true, write: true, file: false };
        access::create_key(tx, &Context::of_owner(&account, env.clone()), &access::CreateKey::new(&word, both).unwrap())?;
        let credentials = sign_in::find(tx, &EmailAddress::parse(&address).unwrap())?.unwrap();
        let (session, _) = sign_in::begin(tx, &env, &credentials)?;
        let new = format!("{word}@example.org");
        email::change_request(tx, &env, &account, &session.hash(), &EmailAddress::parse(&new).unwrap()).map(drop)
    });
}

/// Does what the server does each minute, twice: an account's own row goes after all others.
fn sweep(server: &Server) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for _ in 0..2 {
        runtime.block_on(server.app.sweep()).unwrap();
    }
}

/// How often a word is in a file, whatever SQLite takes the bytes for.
fn count(file: &Path, word: &str) -> usize {
    std::fs::read(file).unwrap().windows(word.len()).filter(|bytes| bytes.eq_ignore_ascii_case(word.as_bytes())).count()
}

#[test]
fn of_a_closed_account_no_file_keeps_a_word() {
    let (gone, kept) = ("qzvanna7f3", "qzvbram5d9");
    let server = Server::start(Engine::Sqlite);
    for word in [gone, kept] {
        leave_marks(&server, word);
    }
    let DatabaseUrl::Sqlite(database) = &server.database.url else { panic!() };
    let log = database.with_extension("db-wal");
    let marks = |word| count(database, word) + count(&log, word);
    sweep(&server);
    assert!(marks(gone) > 20 && marks(kept) > 20, "{} {}", marks(gone), marks(kept));

    let (owner, now) = (server.person(&format!("{gone}@example.com")), server.clock.now());
    server.write(move |tx| data::close(tx, &Environment::at(now), owner));
    server.clock.set("2026-03-15T11:10:00Z");
    sweep(&server);
    assert_eq!(marks(gone), 0);
    assert!(marks(kept) > 20);
    // Nor beside them.
    let folder = database.parent().unwrap();
    for file in std::fs::read_dir(folder).unwrap() {
        assert_eq!(count(&file.unwrap().path(), gone), 0);
    }
    let other = server.key(&format!("{kept}@example.com"), true, true);
    assert_eq!(server.post(&other, "/api/v1/invoices", &simple_invoice()).status, 201);
    assert_eq!(server.discrepancies(&format!("{kept}@example.com")), Vec::<String>::new());
}
