//! Which tables there are, and where the rows of each belong: all that is derived from the catalogue.

use crate::{StoreError, engine::append_only::GUARD};
use std::collections::BTreeSet;
use tokio_postgres::Client;

/// The table with the number of the last migration: the coordinator's own.
pub(super) const MIGRATIONS: &str = "schema_version";

/// Where the rows of a table are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Each on the node of its account.
    Account,
    /// All on every node.
    Everywhere,
    /// Divided, but not by account.
    Elsewhere,
}

/// A table of ours.
#[derive(Debug, Clone)]
pub(super) struct Table {
    pub(super) name: String,
    /// The columns of its primary key, in order.
    pub(super) key: Vec<String>,
    /// The tables that it refers to, and whether by the account too.
    references: Vec<(String, bool)>,
    /// Where it is, if it is distributed.
    pub(super) place: Option<Place>,
    /// Triggers that refuse changes.
    pub(super) triggers: Vec<String>,
}

impl Table {
    /// Whether its rows are an account's and nobody else's: its key begins with the account, and it refers to nothing but by the account. A
    /// row that belongs to a person or an application too is looked up by either.
    pub(super) fn is_of_one_account(&self) -> bool {
        self.key.first().is_some_and(|column| column == "account_id") && self.references.iter().all(|(_, by_account)| *by_account)
    }

    pub(super) fn wanted_place(&self) -> Place {
        if self.is_of_one_account() { Place::Account } else { Place::Everywhere }
    }
}

/// All tables of ours; whatever is referred to comes first, and what is everywhere before what is divided.
pub(super) async fn tables(client: &Client) -> Result<Vec<Table>, StoreError> {
    let is_citus = client.query_one("SELECT to_regclass('pg_dist_partition') IS NOT NULL", &[]).await?.try_get(0)?;
    // Tables that Citus knows only because they refer to one that is everywhere are 'n' and not 't'.
    let place = if is_citus {
        "(SELECT CASE WHEN p.partmethod = 'h' AND column_to_column_name(c.oid, p.partkey) = 'account_id' THEN 'account'
                      WHEN p.partmethod = 'n' AND p.repmodel = 't' THEN 'everywhere'
                      WHEN p.partmethod <> 'n' THEN 'elsewhere' END
          FROM pg_dist_partition p WHERE p.logicalrelid = c.oid)"
    } else {
        "NULL::text"
    };
    let sql = format!(
        "SELECT c.relname::text, {place},
           ARRAY(SELECT a.attname::text FROM pg_constraint p CROSS JOIN unnest(p.conkey) WITH ORDINALITY AS k (number, place)
                 JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number WHERE p.conrelid = c.oid AND p.contype = 'p' ORDER BY k.place),
           ARRAY(SELECT t.relname::text FROM pg_constraint f JOIN pg_class t ON t.oid = f.confrelid
                 WHERE f.conrelid = c.oid AND f.contype = 'f' ORDER BY f.conname),
           ARRAY(SELECT EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'account_id' AND a.attnum = ANY (f.conkey))
                 FROM pg_constraint f WHERE f.conrelid = c.oid AND f.contype = 'f' ORDER BY f.conname),
           ARRAY(SELECT g.tgname::text FROM pg_trigger g JOIN pg_proc p ON p.oid = g.tgfoid
                 WHERE g.tgrelid = c.oid AND p.proname = '{GUARD}' ORDER BY g.tgname)
         FROM pg_class c
         WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND c.relname <> '{MIGRATIONS}' ORDER BY c.relname"
    );
    let mut tables = Vec::new();
    for row in client.query(&sql, &[]).await? {
        let (to, by_account): (Vec<String>, Vec<bool>) = (row.try_get(3)?, row.try_get(4)?);
        let place: Option<&str> = row.try_get(1)?;
        tables.push(Table {
            name: row.try_get(0)?,
            key: row.try_get(2)?,
            references: to.into_iter().zip(by_account).collect(),
            place: place.map(|place| match place {
                "account" => Place::Account,
                "everywhere" => Place::Everywhere,
                _ => Place::Elsewhere,
            }),
            triggers: row.try_get(5)?,
        });
    }
    Ok(in_order(tables))
}

/// Whatever is referred to comes first. No table refers to another in a circle.
fn in_order(mut tables: Vec<Table>) -> Vec<Table> {
    tables.sort_by_key(Table::is_of_one_account);
    let mut ordered: Vec<Table> = Vec::with_capacity(tables.len());
    while !tables.is_empty() {
        let waiting: BTreeSet<String> = tables.iter().map(|table| table.name.clone()).collect();
        let is_ready = |table: &Table| table.references.iter().all(|(to, _)| *to == table.name || !waiting.contains(to));
        // In a circle, which the server will refuse, the first goes first.
        let next = tables.iter().position(is_ready).unwrap_or(0);
        ordered.push(tables.remove(next));
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(name: &str, key: &[&str], references: &[(&str, bool)]) -> Table {
        Table {
            name: name.into(),
            key: key.iter().map(|&column| column.into()).collect(),
            references: references.iter().map(|&(to, by_account)| (to.into(), by_account)).collect(),
            place: None,
            triggers: Vec::new(),
        }
    }

    #[test]
    fn what_belongs_to_an_account_alone_is_divided_and_whatever_is_referred_to_comes_first() {
        let tables = vec![
            table("a", &["account_id", "id"], &[("b", true)]),
            table("b", &["account_id"], &[("who", true)]),
            table("members", &["account_id", "person_id"], &[("who", true), ("people", false)]),
            table("keys", &["hash"], &[("who", true)]),
            table("people", &["id"], &[]),
            table("who", &["id"], &[]),
        ];
        let ordered: Vec<_> = in_order(tables).into_iter().map(|table| (table.wanted_place(), table.name)).collect();
        let (all, one) = (Place::Everywhere, Place::Account);
        let wanted = [(all, "people"), (all, "who"), (all, "members"), (all, "keys"), (one, "b"), (one, "a")];
        assert_eq!(ordered.len(), wanted.len());
        for (place, name) in wanted {
            assert!(ordered.contains(&(place, name.to_owned())), "{name}: {ordered:?}");
        }
        let at = |name: &str| ordered.iter().position(|(_, other)| other == name);
        assert!(
            at("b") < at("a") && at("who") < at("members") && at("people") < at("members") && at("keys") < at("b"),
            "{ordered:?}"
        );
    }
}
