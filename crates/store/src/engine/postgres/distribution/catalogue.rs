//! Tables and the placement of their rows, derived from the catalogue.

use crate::{StoreError, engine::append_only::GUARD};
use std::collections::BTreeSet;
use tokio_postgres::Client;

/// Table with the schema version; it stays local to the coordinator.
pub(super) const MIGRATIONS: &str = "schema_version";

/// Placement of a table's rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Distributed by account.
    Account,
    /// On every node (reference table).
    Everywhere,
    /// Distributed by another column.
    Elsewhere,
}

/// A table of this program.
#[derive(Debug, Clone)]
pub(super) struct Table {
    pub(super) name: String,
    /// Columns of the primary key, in order.
    pub(super) key: Vec<String>,
    /// Referenced tables, each with a flag for whether the reference includes the account.
    references: Vec<(String, bool)>,
    /// Current placement, if the table is distributed.
    pub(super) place: Option<Place>,
    /// Triggers that reject changes.
    pub(super) triggers: Vec<String>,
}

impl Table {
    /// Whether each row belongs to exactly one account: the key starts with the account, and all
    /// references include it. A row that also belongs to a person or an application does not
    /// qualify, because it is also looked up by that person or application.
    pub(super) fn is_of_one_account(&self) -> bool {
        self.key.first().is_some_and(|column| column == "account_id")
            && self.references.iter().all(|(_, by_account)| *by_account)
    }

    pub(super) fn required_place(&self) -> Place {
        if self.is_of_one_account() { Place::Account } else { Place::Everywhere }
    }
}

/// All tables of this program, sorted so that referenced tables precede referencing ones, and
/// reference tables precede distributed ones.
pub(super) async fn tables(client: &Client) -> Result<Vec<Table>, StoreError> {
    let is_citus = client
        .query_one("SELECT to_regclass('pg_dist_partition') IS NOT NULL", &[])
        .await?
        .try_get(0)?;
    // Citus also lists tables that are not distributed but refer to a reference table. These have
    // the method 'n' but not the replication model 't'.
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

/// Sorts referenced tables before the tables that refer to them; expects no cycles.
fn in_order(mut tables: Vec<Table>) -> Vec<Table> {
    tables.sort_by_key(Table::is_of_one_account);
    let mut ordered: Vec<Table> = Vec::with_capacity(tables.len());
    while !tables.is_empty() {
        let waiting: BTreeSet<String> = tables.iter().map(|table| table.name.clone()).collect();
        let is_ready = |table: &Table| {
            table.references.iter().all(|(to, _)| *to == table.name || !waiting.contains(to))
        };
        // If references form a cycle, no table is ready. The first one is then taken, and the
        // server will reject it.
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
            references: references
                .iter()
                .map(|&(to, by_account)| (to.into(), by_account))
                .collect(),
            place: None,
            triggers: Vec::new(),
        }
    }

    #[test]
    fn tables_of_accounts_are_distributed_and_referenced_tables_come_first() {
        let tables = vec![
            table("a", &["account_id", "id"], &[("b", true)]),
            table("b", &["account_id"], &[("who", true)]),
            table("members", &["account_id", "person_id"], &[("who", true), ("people", false)]),
            table("keys", &["hash"], &[("who", true)]),
            table("people", &["id"], &[]),
            table("who", &["id"], &[]),
        ];
        let ordered: Vec<_> = in_order(tables)
            .into_iter()
            .map(|table| (table.required_place(), table.name))
            .collect();
        let (all, one) = (Place::Everywhere, Place::Account);
        let expected = [
            (all, "people"),
            (all, "who"),
            (all, "members"),
            (all, "keys"),
            (one, "b"),
            (one, "a"),
        ];
        assert_eq!(ordered.len(), expected.len());
        for (place, name) in expected {
            assert!(ordered.contains(&(place, name.to_owned())), "{name}: {ordered:?}");
        }
        let at = |name: &str| ordered.iter().position(|(_, other)| other == name);
        assert!(
            at("b") < at("a")
                && at("who") < at("members")
                && at("people") < at("members")
                && at("keys") < at("b"),
            "{ordered:?}"
        );
    }
}
