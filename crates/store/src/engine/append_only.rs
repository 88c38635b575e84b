//! Protection of the journal against changes: triggers, or the privileges of the servers' role if
//! the tables are distributed.

use super::migrations;
use crate::{StoreError, Tx, params};

/// Name of the policy on the journal's tables that allows deleting the rows of a closed account.
pub(crate) const LETS_GO: &str = "journal_goes";

/// Function that the journal's triggers call.
pub(crate) const GUARD: &str = "journal_only_grows";

/// Tables of the journal, derived from the migrations: a table belongs to the journal if a
/// migration added a trigger that makes it append-only, even if that trigger has been dropped
/// since.
pub(crate) fn journal() -> impl Iterator<Item = &'static str> {
    let statements = migrations::POSTGRES.iter().flat_map(|migration| migration.split(';'));
    statements
        .filter(|statement| statement.contains("CREATE TRIGGER") && statement.contains(GUARD))
        .filter_map(|statement| {
            let (_, after) = statement.split_once(" ON ")?;
            after.split_ascii_whitespace().next()
        })
}

/// Protection of the journal against updates and deletions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AppendOnly {
    /// Triggers reject updates and deletions.
    Triggers,
    /// The connected role, named here, lacks the privilege to change the journal. Row-level
    /// security lets it delete only the rows of closed accounts.
    Rights(String),
    /// No protection: the connected role, named here, can change the journal.
    Nothing(String),
}

/// SQL condition: whether `role` (an SQL expression) can update rows of the table `c`, delete more
/// rows than our policy allows, or acquire such a privilege.
pub(crate) fn can_change(role: &str) -> String {
    format!(
        "(has_table_privilege({role}, c.oid, 'UPDATE, TRUNCATE') OR has_any_column_privilege({role}, c.oid, 'UPDATE')
          OR pg_has_role({role}, c.relowner, 'MEMBER') OR EXISTS (SELECT 1 FROM pg_roles r WHERE r.rolname = {role} AND r.rolbypassrls)
          OR (has_table_privilege({role}, c.oid, 'DELETE') AND NOT (c.relrowsecurity AND NOT EXISTS (
                SELECT 1 FROM pg_policy p
                WHERE p.polrelid = c.oid AND p.polpermissive AND p.polcmd IN ('d', '*') AND p.polname <> '{LETS_GO}'))))"
    )
}

/// Determines the protection of the journal on PostgreSQL.
pub(crate) fn on_postgres(tx: &mut Tx<'_>) -> Result<AppendOnly, StoreError> {
    let tables: Vec<String> = journal().map(|table| format!("'{table}'")).collect();
    let guarded = format!(
        "EXISTS (SELECT 1 FROM pg_trigger g JOIN pg_proc p ON p.oid = g.tgfoid
                            WHERE g.tgrelid = c.oid AND p.proname = '{GUARD}' AND g.tgenabled IN ('O', 'A'))"
    );
    let sql = format!(
        "SELECT CAST(CURRENT_USER AS TEXT), COUNT(CASE WHEN {} THEN 1 END), COUNT(CASE WHEN {guarded} THEN 1 END) FROM pg_class c
         WHERE c.relnamespace = to_regnamespace(current_schema()) AND c.relname IN ({})",
        can_change("CURRENT_USER"),
        tables.join(", ")
    );
    tx.query_one(&sql, &params![], |row| {
        let role = row.text(0)?;
        Ok(match (row.int(1)?, row.int(2)?) {
            (_, guarded) if guarded == tables.len() as i64 => AppendOnly::Triggers,
            (0, _) => AppendOnly::Rights(role),
            _ => AppendOnly::Nothing(role),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_of_the_journal_are_read_from_the_migrations() {
        assert_eq!(journal().collect::<Vec<_>>(), ["entries", "postings", "document_records"]);
    }
}
