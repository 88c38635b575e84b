//! Tests that the store correctly detects how the journal is protected, and that a role with only
//! the privileges of a server cannot change the journal.

#![expect(clippy::unwrap_used, reason = "a failure is a failed test")]

use store::{AppendOnly, Distribution, Store, StoreError, distribute};
use testing::{Database, Engine, Raw, on_both_engines};

const JOURNAL: [&str; 3] = ["entries", "postings", "document_records"];

/// A role that may read the journal and append to it; dropped with this value.
struct Role<'r> {
    name: String,
    raw: &'r Raw,
}

impl<'r> Role<'r> {
    fn named(suffix: &str, raw: &'r Raw) -> Self {
        let name = format!("server_{}_{suffix}", std::process::id());
        raw.run(&format!("CREATE ROLE {name}; GRANT SELECT ON schema_version TO {name}")).unwrap();
        for table in JOURNAL {
            raw.run(&format!("GRANT SELECT, INSERT ON {table} TO {name}")).unwrap();
        }
        Self { name, raw }
    }

    /// Opens the database with this role.
    fn open(&self, database: &Database) -> Result<Store, StoreError> {
        let address = database.address();
        let separator = if address.contains('?') { '&' } else { '?' };
        Store::open_to_serve(
            &format!("{address}{separator}options=-crole%3D{}", self.name).parse().unwrap(),
            1,
        )
    }
}

impl Drop for Role<'_> {
    fn drop(&mut self) {
        // A role that still has privileges cannot be dropped, so the privileges are dropped first.
        self.raw.run(&format!("DROP OWNED BY {0}; DROP ROLE {0}", self.name)).unwrap();
    }
}

fn wanted() -> Distribution {
    Distribution { role: "nobody".into(), shards: 4, dry_run: false, while_serving: false }
}

fn without_triggers(raw: &Raw) {
    for table in JOURNAL {
        raw.run(&format!("DROP TRIGGER {table}_only_grow ON {table}")).unwrap();
    }
}

on_both_engines! {
    fn triggers_keep_the_journal(engine) {
        let database = Database::new(engine);
        assert_eq!(database.open().append_only().unwrap(), AppendOnly::Triggers);
    }

    fn a_database_that_cannot_be_distributed_is_not_changed(engine) {
        let database = Database::new(engine);
        drop(database.open());
        let refused = distribute(&database.url, &wanted(), |step| -> Result<(), StoreError> {
            panic!("{step}")
        })
        .unwrap_err();
        let why = match engine {
            Engine::Sqlite => "this is an SQLite file",
            // The message depends on whether the extension is available on the server.
            Engine::Postgres => "the extension citus is not ",
        };
        assert!(refused.to_string().contains(why), "{refused}");
        assert_eq!(database.open().append_only().unwrap(), AppendOnly::Triggers);
    }
}

#[test]
fn rights_protect_the_journal_on_postgresql_without_triggers() {
    let database = Database::new(Engine::Postgres);
    drop(database.open());
    let raw = Raw::open(&database);
    let role = Role::named("kept", &raw);
    let kept = || role.open(&database).unwrap().append_only().unwrap();
    assert_eq!(kept(), AppendOnly::Triggers);
    raw.run("ALTER TABLE postings DISABLE TRIGGER postings_only_grow").unwrap();
    assert_eq!(kept(), AppendOnly::Rights(role.name.clone()));
    assert!(
        matches!(database.open().append_only().unwrap(), AppendOnly::Nothing(_)),
        "the owner has the rights"
    );
    raw.run("ALTER TABLE postings ENABLE TRIGGER postings_only_grow").unwrap();
    assert_eq!(kept(), AppendOnly::Triggers);
    without_triggers(&raw);
    assert_eq!(kept(), AppendOnly::Rights(role.name.clone()));
    for right in ["UPDATE (date)", "UPDATE", "DELETE", "TRUNCATE"] {
        raw.run(&format!("GRANT {right} ON entries TO {}", role.name)).unwrap();
        assert_eq!(kept(), AppendOnly::Nothing(role.name.clone()), "{right}");
        raw.run(&format!("REVOKE {right} ON entries FROM {}", role.name)).unwrap();
        assert_eq!(kept(), AppendOnly::Rights(role.name.clone()), "{right}");
    }
    // Row-level security counts as protection only with our own policy.
    raw.run(&format!(
        "ALTER TABLE entries ENABLE ROW LEVEL SECURITY; GRANT DELETE ON entries TO {}",
        role.name
    ))
    .unwrap();
    raw.run("CREATE POLICY journal_goes ON entries FOR DELETE USING (FALSE)").unwrap();
    assert_eq!(kept(), AppendOnly::Rights(role.name.clone()));
    raw.run("CREATE POLICY everything ON entries USING (TRUE)").unwrap();
    assert_eq!(kept(), AppendOnly::Nothing(role.name.clone()));
}

#[test]
fn a_serving_role_on_postgresql_is_referred_to_the_role_that_migrates() {
    let database = Database::new(Engine::Postgres);
    drop(database.open());
    let raw = Raw::open(&database);
    let role = Role::named("due", &raw);
    drop(role.open(&database).unwrap());
    raw.run("DELETE FROM schema_version").unwrap();
    let refused = role.open(&database).err().unwrap().to_string();
    assert!(refused.contains("run `grootboek migrate` with the role that owns them"), "{refused}");
}
