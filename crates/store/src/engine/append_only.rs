//! How the journal is kept from being changed: by triggers, or where the tables are distributed by the rights of the servers' role.

use super::migrations;
use crate::{StoreError, Tx, params};

/// The policy of the journal's tables that lets the rows of a closed account go.
pub(crate) const LETS_GO: &str = "journal_goes";

/// What a trigger of the journal runs.
pub(crate) const GUARD: &str = "journal_only_grows";

/// The tables of the journal: those that a migration made with a trigger that lets them only grow. The trigger itself may be gone.
pub(crate) fn journal() -> impl Iterator<Item = &'static str> {
    let statements = migrations::POSTGRES.iter().flat_map(|migration| migration.split(';'));
    statements.filter(|statement| statement.contains("CREATE TRIGGER") && statement.contains(GUARD)).filter_map(|statement| {
        let (_, after) = statement.split_once(" ON ")?;
        after.split_ascii_whitespace().next()
    })
}

/// What keeps the rows of the journal from being changed and deleted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AppendOnly {
    /// Triggers refuse it.
    Triggers,
    /// This role, with which we are connected, has no right to, but for what row-level security lets go with a closed account.
    Rights(String),
    /// Nothing does: this role, with which we are connected, can.
    Nothing(String),
}

/// Whether a role, an expression, can change rows of the table `c` or delete others than our policy lets go, or come to the right.
pub(crate) fn can_change(role: &str) -> String {
    format!(
        "(has_table_privilege({role}, c.oid, 'UPDATE, TRUNCATE') OR has_any_column_privilege({role}, c.oid, 'UPDATE')
          OR pg_has_role({role}, c.relowner, 'MEMBER') OR EXISTS (SELECT 1 FROM pg_roles r WHERE r.rolname = {role} AND r.rolbypassrls)
          OR (has_table_privilege({role}, c.oid, 'DELETE') AND NOT (c.relrowsecurity AND NOT EXISTS (
                SELECT 1 FROM pg_policy p
                WHERE p.polrelid = c.oid AND p.polpermissive AND p.polcmd IN ('d', '*') AND p.polname <> '{LETS_GO}'))))"
    )
}

/// What keeps the journal on PostgreSQL.
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
    fn the_journal_is_what_the_migrations_say() {
        assert_eq!(journal().collect::<Vec<_>>(), ["entries", "postings", "document_records"]);
    }
}
