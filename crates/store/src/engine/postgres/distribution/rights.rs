//! Privileges of the servers' role, and the policies that allow erasing the journal of a closed
//! account.

use super::{
    Server, Step,
    catalogue::{MIGRATIONS, Table},
    refused,
};
use crate::{
    StoreError,
    engine::{
        append_only::{self, journal},
        names::{literal, quoted},
    },
};

/// Function that the journal's policies call.
const MAY_GO: &str = "journal_may_go";

/// Checks that the servers' role can log in, cannot bypass row-level security and does not own the
/// tables, and that the connected role does own them.
pub(super) fn ensure_fit_to_serve(server: &Server, role: &str) -> Result<(), StoreError> {
    let name = literal(role);
    if !server.is_true(&format!(
        "SELECT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = {name} AND rolcanlogin)"
    ))? {
        return Err(refused(format!(
            "there is no role {role} that can log in: make it, as a superuser on the coordinator, with CREATE ROLE {} LOGIN PASSWORD '…'",
            quoted(role)
        )));
    }
    if server
        .is_true(&format!("SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = {name}"))?
    {
        return Err(refused(format!(
            "the role {role} is a superuser or has BYPASSRLS, so it could change the journal: name another role"
        )));
    }
    let owners = "SELECT c.relowner FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace";
    if server.is_true(&format!(
        "SELECT EXISTS ({owners} AND pg_has_role({name}, c.relowner, 'MEMBER'))"
    ))? {
        return Err(refused(format!(
            "the tables belong to the role {role}, which could grant itself every privilege: name another role for the servers, and run this with \
             the one that owns the tables"
        )));
    }
    if server
        .is_true(&format!("SELECT EXISTS ({owners} AND NOT pg_has_role(c.relowner, 'MEMBER'))"))?
    {
        return Err(refused(
            "the tables belong to another role than the one of --database: run this with the role that owns them".into(),
        ));
    }
    Ok(())
}

/// Privileges of the servers' role on a table.
fn privileges(table: &str) -> &'static str {
    if table == MIGRATIONS {
        "SELECT"
    } else if journal().any(|of_journal| of_journal == table) {
        "SELECT, INSERT, DELETE"
    } else {
        "SELECT, INSERT, UPDATE, DELETE"
    }
}

/// Steps that correct the privileges of the servers' role and add missing policies on the journal.
pub(super) fn steps(
    server: &Server,
    tables: &[Table],
    role: &str,
) -> Result<Vec<Step>, StoreError> {
    let mut steps = Vec::new();
    let schema = server.texts("SELECT current_schema()::text")?.pop().unwrap_or_default();
    let (grantee, schema) = (quoted(role), quoted(&schema));
    if !server.is_true(&format!(
        "SELECT has_schema_privilege({}, current_schema(), 'USAGE')",
        literal(role)
    ))? {
        steps.push(Step {
            what: format!("{role} may use the schema"),
            sql: vec![format!("GRANT USAGE ON SCHEMA {schema} TO {grantee}")],
        });
    }
    // A policy must exist before the privilege that it restricts is granted.
    steps.extend(policies(server, tables, &schema)?);
    for name in tables.iter().map(|table| table.name.as_str()).chain([MIGRATIONS]) {
        let (table, required) = (quoted(name), privileges(name));
        let has = format!(
            "SELECT COALESCE(string_agg(a.privilege_type, ', ' ORDER BY strpos('SELECT, INSERT, UPDATE, DELETE', a.privilege_type)), '')
             FROM pg_class c CROSS JOIN aclexplode(c.relacl) a WHERE c.oid = {}::regclass AND a.grantee = {}::regrole",
            literal(&table),
            literal(&grantee)
        );
        if server.texts(&has)?.pop().as_deref() != Some(required) {
            steps.push(Step {
                what: format!("{name}: {role} may {required}"),
                sql: vec![
                    format!("REVOKE ALL ON {table} FROM {grantee}"),
                    format!("GRANT {required} ON {table} TO {grantee}"),
                ],
            });
        }
    }
    Ok(steps)
}

/// Steps that add policies by which journal rows can be deleted only once the owner has closed the
/// account. A policy on a distributed table must not query another table, but may call a function.
/// That function runs on the shard's node, where it reads the local copy of the accounts.
fn policies(server: &Server, tables: &[Table], schema: &str) -> Result<Vec<Step>, StoreError> {
    let mut steps = Vec::new();
    let copy = "SELECT shardid::text FROM pg_dist_shard WHERE logicalrelid = 'accounts'::regclass";
    // Before `accounts` has been copied to every node, it has no shard id, and this name is
    // incomplete.
    let copy = format!("accounts_{}", server.texts(copy)?.pop().unwrap_or_default());
    let known = format!(
        "SELECT EXISTS (SELECT 1 FROM pg_proc WHERE proname = '{MAY_GO}' AND pronamespace = current_schema()::regnamespace
           AND strpos(prosrc, {}) > 0)",
        literal(&format!("{copy} "))
    );
    if !server.is_true(&known)? {
        steps.push(Step {
            what: format!("{MAY_GO}: rejects deleting rows of the journal, except those of an account that its owner closed"),
            sql: vec![format!(
                "CREATE OR REPLACE FUNCTION {schema}.{MAY_GO}(account BIGINT) RETURNS BOOLEAN LANGUAGE plpgsql STABLE
                 SET search_path = pg_catalog, pg_temp AS $$
                 BEGIN
                     IF EXISTS (SELECT 1 FROM {schema}.{copy} WHERE id = account AND closed_at IS NOT NULL) THEN
                         RETURN TRUE;
                     END IF;
                     RAISE EXCEPTION 'journal rows are never changed or deleted';
                 END $$"
            )],
        });
    }
    for table in tables.iter().filter(|table| journal().any(|of_journal| of_journal == table.name))
    {
        let (name, lets_go) = (quoted(&table.name), append_only::LETS_GO);
        let has_policy = format!(
            "SELECT c.relrowsecurity AND EXISTS (SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = '{lets_go}')
             FROM pg_class c WHERE c.oid = {}::regclass",
            literal(&name)
        );
        if !server.is_true(&has_policy)? {
            steps.push(Step {
                what: format!("{}: row-level security that calls {MAY_GO}", table.name),
                sql: vec![
                    format!("ALTER TABLE {name} ENABLE ROW LEVEL SECURITY"),
                    format!("CREATE POLICY journal_reads ON {name} FOR SELECT USING (TRUE)"),
                    format!("CREATE POLICY journal_grows ON {name} FOR INSERT WITH CHECK (TRUE)"),
                    format!(
                        "CREATE POLICY {lets_go} ON {name} FOR DELETE USING ({MAY_GO}(account_id))"
                    ),
                ],
            });
        }
    }
    Ok(steps)
}

/// Checks that no privilege that the role holds, directly or indirectly, allows changes of the
/// journal.
pub(super) fn ensure_append_only(server: &Server, role: &str) -> Result<(), StoreError> {
    let tables: Vec<String> = journal().map(literal).collect();
    let sql = format!(
        "SELECT c.relname::text FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relname IN ({}) AND {}",
        tables.join(", "),
        append_only::can_change(&literal(role))
    );
    let open = server.texts(&sql)?;
    if open.is_empty() {
        return Ok(());
    }
    Err(refused(format!(
        "the role {role} can still change {}, by a privilege of PUBLIC or of a role that it is a member of: revoke that and run this again",
        open.join(", ")
    )))
}
