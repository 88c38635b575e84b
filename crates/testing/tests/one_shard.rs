//! What the API does with the database while a request waits: each transaction has the books of one account, and writes nothing that is whole on every
//! node of a distributed database.

use std::collections::{BTreeMap, BTreeSet};
use testing::{
    Engine, Server,
    statements::{Sent, accounts, collect, collected, written},
    year,
};

/// The transactions, and what each sent.
fn transactions(sent: Vec<Sent>) -> BTreeMap<u64, Vec<Sent>> {
    let mut found: BTreeMap<u64, Vec<Sent>> = BTreeMap::new();
    for statement in sent {
        found.entry(statement.transaction).or_default().push(statement);
    }
    found
}

/// Tables with rows of other than one account that were written.
fn written_everywhere(sent: &[Sent]) -> BTreeSet<String> {
    sent.iter().filter_map(written).filter(|(_, is_of_books)| !is_of_books).map(|(table, _)| table).collect()
}

// Alone in this process, which collects whatever it sends.
#[test]
fn a_request_has_the_books_of_one_account_and_writes_nothing_that_is_on_every_node() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let server = Server::start(engine);
        let keys = [server.account("a@example.com"), server.account("b@example.com")];
        collect();
        for key in &keys {
            year::live(&server, key);
        }
        for key in &keys {
            for path in ["invoices", "expenses", "entries?year=2026", "contacts", "changes", "vat-filings", "projects"] {
                let reply = server.get(key, &format!("/api/v1/{path}"));
                assert_eq!(reply.status, 200, "{path}: {}", reply.text);
            }
        }
        let sent = collected();
        assert_eq!(written_everywhere(&sent), BTreeSet::new());
        let (mut seen, mut writes) = (BTreeSet::new(), 0);
        for sent in transactions(sent).values() {
            let accounts: BTreeSet<i64> = sent.iter().flat_map(accounts).collect();
            assert!(accounts.len() <= 1, "{accounts:?}: {sent:#?}");
            seen.extend(accounts);
            writes += usize::from(sent.iter().any(|sent| written(sent).is_some()));
        }
        assert!(seen.len() == 2 && writes > 50, "{seen:?}, {writes} transactions that write: too few to tell anything");

        // When keys were last used is written down by the server's half-minutely task, for many calls at once.
        collect();
        server.save_calls();
        let sent = collected();
        assert!(written_everywhere(&sent).contains("api_keys"), "{sent:#?}");
        assert!(sent.iter().filter_map(written).any(|(table, _)| table == "api_calls"), "{sent:#?}");
    }
}
