//! Parses every statement that a test sends: each bookkeeping table in a statement must be bound to
//! one account by a parameter. On a distributed database, an unbound statement goes to all nodes;
//! on any database, it may leak rows of other accounts.

use sqlparser::{
    ast::{
        BinaryOperator, Delete, Expr, FromTable, Insert, Join, JoinConstraint, JoinOperator, Query,
        Select, SelectItem, SetExpr, Statement, TableFactor, TableObject, TableWithJoins, Value,
        Visit, Visitor,
    },
    dialect::SQLiteDialect,
    parser::Parser,
};
use std::{
    collections::{BTreeSet, HashMap, HashSet},
    fs::File,
    io::Write,
    ops::ControlFlow,
    path::Path,
    sync::{LazyLock, Mutex, MutexGuard, PoisonError},
};
use store::param::Param;

/// Tables that have an account per row but are not bookkeeping tables: their rows are found by a
/// secret, an application or an expiry time. On a distributed database all except `api_calls` are
/// reference tables, which every node has.
const NO_BOOKS: [&str; 6] = [
    "api_keys",
    "oauth_access_tokens",
    "oauth_codes",
    "oauth_grants",
    "oauth_refresh_tokens",
    // Distributed by account, but saved in batches that contain the calls of many accounts.
    "api_calls",
];

/// Prefixes of statements that concern more than one account.
const OF_ALL_ACCOUNTS: &[&str] = &include!("of_all_accounts.in");

/// Comment at the end of the statements written by a test itself.
const OF_A_TEST: &str = "/* of a test */";

/// Environment variable with the folder in which each process records its statements, for
/// `cargo xtask record`.
const FOLDER: &str = "GROOTBOEK_TEST_STATEMENTS";

/// Observed statements, and the faults found in them.
#[derive(Default)]
struct Seen {
    /// Each distinct statement, and whether it was sent to PostgreSQL.
    statements: HashSet<(String, bool)>,
    faults: Vec<String>,
    /// Statements sent since [`collect`]; `None` unless collecting.
    collected: Option<Vec<Sent>>,
}

/// A statement that was sent.
#[derive(Debug, Clone)]
pub struct Sent {
    /// SQL as written in the program.
    pub sql: String,
    /// Parameters.
    pub params: Vec<Param<'static>>,
    /// Number of the transaction that sent the statement.
    pub transaction: u64,
}

static SEEN: LazyLock<Mutex<Seen>> = LazyLock::new(Mutex::default);

fn seen() -> MutexGuard<'static, Seen> {
    SEEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts observing the statements of this process.
pub(crate) fn watch() {
    store::observe::statements(|sent| {
        let mut seen = seen();
        if let Some(collected) = &mut seen.collected {
            let params = sent.params.iter().cloned().map(Param::into_owned).collect();
            collected.push(Sent {
                sql: sent.sql.to_owned(),
                params,
                transaction: sent.transaction,
            });
        }
        if seen.statements.insert((sent.sql.to_owned(), sent.postgres)) {
            record(sent.sql, sent.postgres);
            seen.faults.extend(faults(sent.sql));
        }
    });
}

/// Starts collecting the statements of this process, for [`collected`].
pub fn collect() {
    seen().collected = Some(Vec::new());
}

/// Returns the statements sent since [`collect`] and stops collecting.
#[must_use]
pub fn collected() -> Vec<Sent> {
    seen().collected.take().unwrap_or_default()
}

/// Records a statement on one line if [`FOLDER`] is set, unless a test itself wrote the statement.
fn record(sql: &str, postgres: bool) {
    let Some(folder) = std::env::var_os(FOLDER).filter(|_| !sql.ends_with(OF_A_TEST)) else {
        return;
    };
    let name =
        format!("{}-{}.sql", if postgres { "postgres" } else { "sqlite" }, std::process::id());
    let mut file =
        File::options().create(true).append(true).open(Path::new(&folder).join(name)).unwrap();
    writeln!(file, "{};", sql.split_whitespace().collect::<Vec<_>>().join(" ")).unwrap();
}

/// Returns the accounts whose books a statement reads or writes: the values of the parameters that
/// bind its tables.
#[must_use]
pub fn accounts(sent: &Sent) -> BTreeSet<i64> {
    let mut walk = Walk::default();
    let _ = parsed(&sent.sql).visit(&mut walk);
    let value = |place: &String| {
        sent.params.get(place.trim_start_matches('?').parse::<usize>().ok()?.checked_sub(1)?)
    };
    let values = walk.bound.iter().filter_map(value);
    values
        .filter_map(|value| if let Param::Int(account) = value { Some(*account) } else { None })
        .collect()
}

/// Returns the table that a statement writes to, and whether it is a bookkeeping table.
#[must_use]
pub fn written(sent: &Sent) -> Option<(String, bool)> {
    let table = match parsed(&sent.sql).into_iter().next()? {
        Statement::Insert(Insert { table: TableObject::TableName(name), .. }) => name.to_string(),
        Statement::Update(update) => named(&update.table.relation)?.0,
        Statement::Delete(Delete {
            from: FromTable::WithFromKeyword(tables) | FromTable::WithoutKeyword(tables),
            ..
        }) => named(&tables.first()?.relation)?.0,
        _ => return None,
    };
    let is_of_books = is_of_books(&table);
    Some((table, is_of_books))
}

fn parsed(sql: &str) -> Vec<Statement> {
    Parser::parse_sql(&SQLiteDialect {}, sql).unwrap_or_default()
}

/// Fails the test if a statement was faulty.
pub(crate) fn check() {
    let faults = seen().faults.join("\n");
    assert!(faults.is_empty(), "statements that are not bound to one account:\n{faults}");
}

/// Returns the faults found in a statement.
fn faults(sql: &str) -> Vec<String> {
    if sql.ends_with(OF_A_TEST)
        || OF_ALL_ACCOUNTS.iter().any(|beginning| sql.starts_with(beginning))
    {
        return Vec::new();
    }
    let statements = match Parser::parse_sql(&SQLiteDialect {}, sql) {
        Ok(statements) => statements,
        Err(error) => return vec![format!("cannot be parsed ({error}): {sql}")],
    };
    let mut walk = Walk::default();
    // The result is always `Continue`, because the visitor never stops early.
    let _ = statements.visit(&mut walk);
    walk.unbound.into_iter().map(|table| format!("{table} in {sql}")).collect()
}

/// Collects bookkeeping tables that are not bound to an account.
#[derive(Default)]
struct Walk {
    unbound: Vec<String>,
    /// Parameters to which bookkeeping tables are bound.
    bound: HashSet<String>,
}

impl Visitor for Walk {
    type Break = ();

    fn pre_visit_statement(&mut self, statement: &Statement) -> ControlFlow<()> {
        match statement {
            Statement::Insert(insert) => self.insert(insert),
            Statement::Update(update) => {
                self.scope(std::slice::from_ref(&update.table), update.selection.as_ref())
            }
            Statement::Delete(Delete { from, selection, .. }) => {
                let (FromTable::WithFromKeyword(tables) | FromTable::WithoutKeyword(tables)) = from;
                self.scope(tables, selection.as_ref());
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    /// Visits every query, including nested ones.
    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        self.set(&query.body);
        ControlFlow::Continue(())
    }
}

impl Walk {
    fn set(&mut self, body: &SetExpr) {
        match body {
            SetExpr::Select(select) => {
                let Select { from, selection, .. } = &**select;
                self.scope(from, selection.as_ref());
            }
            SetExpr::SetOperation { left, right, .. } => {
                self.set(left);
                self.set(right);
            }
            // A nested query is visited separately; a list of values has no tables.
            _ => {}
        }
    }

    /// Checks that the tables of one `FROM` clause are bound by the conditions that apply to all
    /// rows.
    fn scope(&mut self, from: &[TableWithJoins], selection: Option<&Expr>) {
        let (mut tables, mut bound) = (Vec::new(), HashMap::new());
        if let Some(selection) = selection {
            conjuncts(selection, &mut bound);
        }
        for TableWithJoins { relation, joins } in from {
            tables.extend(named(relation));
            for Join { relation, join_operator, .. } in joins {
                tables.extend(named(relation));
                if let JoinOperator::Join(constraint)
                | JoinOperator::Inner(constraint)
                | JoinOperator::LeftOuter(constraint)
                | JoinOperator::Left(constraint) = join_operator
                    && let JoinConstraint::On(condition) = constraint
                {
                    conjuncts(condition, &mut bound);
                }
            }
        }
        for (table, alias) in &tables {
            if !is_of_books(table) {
                continue;
            }
            match bound.get(alias).or_else(|| bound.get("").filter(|_| tables.len() == 1)) {
                Some(parameter) => drop(self.bound.insert(parameter.clone())),
                None => self.unbound.push(table.clone()),
            }
        }
    }

    fn insert(&mut self, insert: &Insert) {
        let TableObject::TableName(name) = &insert.table else { return };
        let table = name.to_string();
        let place = insert.columns.iter().position(|column| column.to_string() == "account_id");
        let rows = insert.source.as_ref().map(|source| &*source.body);
        let bound: Option<Vec<String>> = match (place, rows) {
            (Some(place), Some(SetExpr::Values(values))) => {
                values.rows.iter().map(|row| row.get(place).and_then(parameter)).collect()
            }
            (Some(place), Some(SetExpr::Select(select))) => match select.projection.get(place) {
                Some(SelectItem::UnnamedExpr(value)) => {
                    parameter(value).map(|parameter| vec![parameter])
                }
                _ => None,
            },
            _ => None,
        };
        match bound {
            _ if !is_of_books(&table) => {}
            Some(bound) => self.bound.extend(bound),
            None => self.unbound.push(table),
        }
    }
}

/// Returns a table's name and its alias in the statement.
fn named(relation: &TableFactor) -> Option<(String, String)> {
    let TableFactor::Table { name, alias, .. } = relation else { return None };
    let table = name.to_string();
    let called = alias.as_ref().map_or_else(|| table.clone(), |alias| alias.name.value.clone());
    Some((table, called))
}

fn is_of_books(table: &str) -> bool {
    store::closing::TABLES.iter().any(|(name, _)| *name == table) && !NO_BOOKS.contains(&table)
}

/// Finds the comparisons in a condition that require `account_id` to equal a parameter, and adds
/// each parameter under its table; the key is "" for an unqualified column.
fn conjuncts(condition: &Expr, bound: &mut HashMap<String, String>) {
    match condition {
        Expr::Nested(inner) => conjuncts(inner, bound),
        Expr::BinaryOp { left, op: BinaryOperator::And, right } => {
            conjuncts(left, bound);
            conjuncts(right, bound);
        }
        Expr::BinaryOp { left, op: BinaryOperator::Eq, right } => {
            let Some(parameter) = parameter(right) else { return };
            match &**left {
                Expr::Identifier(column) if column.value == "account_id" => {
                    bound.insert(String::new(), parameter);
                }
                Expr::CompoundIdentifier(path) => {
                    if let [table, column] = &path[..]
                        && column.value == "account_id"
                    {
                        bound.insert(table.value.clone(), parameter);
                    }
                }
                _ => {}
            }
        }
        _ => {}
    }
}

/// Returns the placeholder, such as `?1`, if the value is a parameter.
fn parameter(value: &Expr) -> Option<String> {
    let Expr::Value(value) = value else { return None };
    if let Value::Placeholder(parameter) = &value.value { Some(parameter.clone()) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Database, Engine};

    #[test]
    fn statements_that_are_sent_are_checked() {
        let sql = "SELECT id FROM projects WHERE name = ?1";
        let database = Database::new(Engine::Sqlite);
        let rows = database
            .open()
            .read_blocking(|tx| tx.query(sql, &store::params!["x"], |row| row.int(0)));
        assert_eq!(rows.unwrap(), [0; 0]);
        // The observed faults are removed, because dropping the database would otherwise fail the
        // test.
        let faults = std::mem::take(&mut seen().faults);
        assert_eq!(faults, [format!("projects in {sql}")]);
    }

    #[test]
    fn every_bookkeeping_table_in_a_statement_must_be_bound() {
        let cases = [
            ("SELECT id FROM invoices WHERE account_id = ?1 AND id = ?2", 0),
            ("SELECT id FROM invoices WHERE id = ?1", 1),
            ("SELECT id FROM invoices WHERE account_id = ?1 OR id = ?2", 1),
            ("SELECT id FROM invoices WHERE account_id = id", 1),
            (
                "SELECT 1 FROM entries e JOIN postings p ON p.account_id = ?1 AND p.entry_id = e.id WHERE e.account_id = ?1",
                0,
            ),
            (
                "SELECT 1 FROM entries e JOIN postings p ON p.account_id = e.account_id WHERE e.account_id = ?1",
                1,
            ),
            (
                "SELECT 1 FROM entries e JOIN postings p ON p.entry_id = e.id WHERE account_id = ?1",
                2,
            ),
            (
                "SELECT (SELECT MAX(i.line) FROM invoice_items i WHERE i.invoice_id = n.id) FROM invoices n WHERE n.account_id = ?1",
                1,
            ),
            ("SELECT 1 FROM (SELECT id FROM entries WHERE id > ?1 ORDER BY id LIMIT ?2) e", 1),
            (
                "SELECT date FROM time_entries WHERE account_id = ?1 UNION ALL SELECT date FROM hours_log",
                1,
            ),
            (
                "SELECT id FROM projects WHERE account_id = ?1 AND NOT EXISTS (SELECT 1 FROM time_entries t WHERE t.date = ?2)",
                1,
            ),
            ("SELECT id FROM invoices WHERE account_id = ?1 FOR UPDATE", 0),
            ("INSERT INTO payments (account_id, id) VALUES (?1, ?2), (?3, ?4)", 0),
            ("INSERT INTO payments (account_id, id) VALUES (?1, ?2), (7, ?4)", 1),
            ("INSERT INTO payments VALUES (?1, ?2)", 1),
            (
                "INSERT INTO payments (account_id, id) SELECT ?1, id FROM invoices WHERE account_id = ?1",
                0,
            ),
            (
                "INSERT INTO payments (account_id, id) SELECT account_id, id FROM invoices WHERE account_id = ?1",
                1,
            ),
            (
                "INSERT INTO books (account_id) VALUES (?1) ON CONFLICT (account_id) DO UPDATE SET last_entry = excluded.last_entry",
                0,
            ),
            ("UPDATE invoices SET status = ?3 WHERE account_id = ?1 AND id = ?2", 0),
            ("UPDATE invoices SET account_id = ?1 WHERE id = ?2", 1),
            ("DELETE FROM contacts WHERE id = ?1 RETURNING account_id", 1),
            (
                "DELETE FROM contacts WHERE (account_id, id) IN (SELECT account_id, id FROM contacts WHERE account_id = ?1 LIMIT ?2)",
                1,
            ),
            // Not bookkeeping tables.
            ("SELECT id FROM accounts WHERE email = ?1", 0),
            ("DELETE FROM sessions WHERE hash = ?1", 0),
            ("CREATE TABLE something (id INTEGER)", 0),
            ("SELEKT", 1),
        ];
        for (sql, count) in cases {
            let faults = faults(sql);
            assert_eq!(faults.len(), count, "{sql}: {faults:?}");
        }
    }

    #[test]
    fn accounts_and_written_table_of_a_statement() {
        let sent = |sql: &str, params: &[i64]| Sent {
            sql: sql.into(),
            params: params.iter().copied().map(Param::Int).collect(),
            transaction: 1,
        };
        let two =
            sent("INSERT INTO payments (account_id, id) VALUES (?1, ?2), (?3, ?4)", &[7, 1, 8, 1]);
        assert_eq!(accounts(&two), [7, 8].into());
        assert_eq!(written(&two), Some(("payments".into(), true)));
        let joined = sent(
            "SELECT 1 FROM entries e JOIN postings p ON p.account_id = ?1 WHERE e.account_id = ?2",
            &[7, 8],
        );
        assert_eq!(accounts(&joined), [7, 8].into());
        assert_eq!(written(&joined), None);
        let key = sent("UPDATE api_keys SET last_used_at = ?2 WHERE account_id = ?1", &[7, 9]);
        assert!(accounts(&key).is_empty());
        assert_eq!(written(&key), Some(("api_keys".into(), false)));
        assert_eq!(
            written(&sent("DELETE FROM timers WHERE account_id = ?1", &[7])),
            Some(("timers".into(), true))
        );
    }
}
