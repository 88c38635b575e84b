//! A temporary Citus cluster: a coordinator and workers, all on this machine.

use anyhow::ensure;
use std::{
    fs,
    path::Path,
    thread,
    time::{Duration, Instant},
};
use xtask::postgres::{Cluster, Durability, random_password};

/// Distributed template of the tests' databases, on every node: distributing takes seconds, copying
/// less than one.
pub(super) const TEMPLATE: &str = "distributed";
/// Role that owns the tables.
pub(super) const OWNER: &str = "books_owner";
/// Role with which servers connect.
pub(super) const SERVER: &str = "books_server";

/// Settings of a node. Citus runs a process per database on every node, hence the number of worker
/// processes.
const SETTINGS: [&str; 6] = [
    "shared_preload_libraries=citus",
    "wal_level=logical",
    "max_prepared_transactions=300",
    "max_worker_processes=64",
    // All nodes are on this machine and have no certificates.
    "citus.node_conninfo=sslmode=disable",
    "log_min_error_statement=error",
];
/// Citus's log message for a statement that goes to several shards, enabled for the role of the
/// servers.
const ACROSS: &str = "multi-task query about to be executed";

/// Whether the PostgreSQL of a cluster has the extension Citus.
pub(super) fn can_be_made(plain: &Cluster) -> anyhow::Result<bool> {
    let count = plain
        .query("postgres", "SELECT COUNT(*) FROM pg_available_extensions WHERE name = 'citus'")?;
    Ok(count.trim() == "1")
}

/// The nodes of a cluster.
pub(super) struct Nodes {
    pub(super) coordinator: Cluster,
    pub(super) workers: [Cluster; 2],
}

impl Nodes {
    /// Starts the nodes, each with its data in a new folder in `parent`, and creates the roles and
    /// a database without tables.
    pub(super) fn start_in(parent: &Path) -> anyhow::Result<Self> {
        let password = random_password()?;
        let start =
            || Cluster::start_with(parent, Durability::Throwaway, password.clone(), &SETTINGS);
        let coordinator = start()?;
        let nodes = Self { coordinator, workers: [start()?, start()?] };
        for node in nodes.all() {
            node.create_database(TEMPLATE)?;
            node.query(TEMPLATE, "CREATE EXTENSION citus")?;
        }
        let on_coordinator = |sql: &str| nodes.coordinator.query(TEMPLATE, sql);
        on_coordinator(&format!(
            "SELECT citus_set_coordinator_host('127.0.0.1', {})",
            nodes.coordinator.port()
        ))?;
        for worker in &nodes.workers {
            on_coordinator(&format!("SELECT citus_add_node('127.0.0.1', {})", worker.port()))?;
        }
        // Citus creates roles on every node.
        for role in [OWNER, SERVER] {
            on_coordinator(&format!("CREATE ROLE {role} LOGIN PASSWORD '{password}'"))?;
        }
        on_coordinator(&format!("GRANT CREATE ON SCHEMA public TO {OWNER}"))?;
        on_coordinator(&format!(
            "ALTER ROLE {SERVER} SET citus.multi_task_query_log_level = 'log'"
        ))?;
        Ok(nodes)
    }

    fn all(&self) -> impl Iterator<Item = &Cluster> {
        std::iter::once(&self.coordinator).chain(&self.workers)
    }

    /// Version of Citus.
    pub(super) fn version(&self) -> anyhow::Result<String> {
        let version =
            self.coordinator.query(TEMPLATE, "SELECT split_part(citus_version(), ' ', 2)")?;
        Ok(version.trim().to_owned())
    }

    /// Blocks connections to a database, so that it can be copied.
    pub(super) fn freeze(&self, database: &str) -> anyhow::Result<()> {
        for node in self.all() {
            node.query("postgres", &format!("ALTER DATABASE {database} ALLOW_CONNECTIONS false"))?;
            let begun = Instant::now();
            let end = format!(
                "SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '{database}'"
            );
            while node.query("postgres", &end)?.trim() != "0" {
                ensure!(
                    begun.elapsed() < Duration::from_secs(30),
                    "a client stays connected to {database}"
                );
                thread::sleep(Duration::from_millis(50));
            }
        }
        Ok(())
    }

    /// Copies a frozen database on every node.
    pub(super) fn copy(&self, from: &str, to: &str) -> anyhow::Result<()> {
        self.all().try_for_each(|node| {
            node.query("postgres", &format!("CREATE DATABASE {to} TEMPLATE {from}")).map(drop)
        })
    }

    /// Length of the coordinator's log.
    pub(super) fn log_length(&self) -> anyhow::Result<usize> {
        Ok(fs::read(self.coordinator.log())?.len())
    }

    /// Distinct statements of servers that went to several shards since the log had this length.
    pub(super) fn across_shards(&self, since: usize) -> anyhow::Result<Vec<String>> {
        let log = fs::read(self.coordinator.log())?;
        Ok(logged(&String::from_utf8_lossy(log.get(since..).unwrap_or_default())))
    }
}

/// Returns the output or error message of a statement run as another role.
pub(super) fn as_role(
    node: &Cluster,
    role: &str,
    database: &str,
    sql: &str,
) -> anyhow::Result<String> {
    let mut command = node.client("psql");
    // Switches off Citus's own protection of shards, so that only privileges can reject the
    // statement.
    command.env("PGUSER", role).env("PGOPTIONS", "-c citus.enable_manual_changes_to_shards=on");
    command.args(["--no-psqlrc", "--quiet", "--command", sql, database]);
    let output = command.output()?;
    Ok(format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    ))
}

/// Parses the log for statements that went to several shards. All lines of a statement but the
/// first start with a tab.
fn logged(log: &str) -> Vec<String> {
    let mut statements: Vec<String> = Vec::new();
    let mut lines = log.lines().peekable();
    while let Some(line) = lines.next() {
        if !line.contains(ACROSS) {
            continue;
        }
        // The log has the hint between the message and the statement.
        while lines.peek().is_some_and(|line| line.contains("HINT:")) {
            lines.next();
        }
        let Some((_, first)) = lines.peek().and_then(|line| line.split_once("STATEMENT:")) else {
            continue;
        };
        let mut statement = first.trim().to_owned();
        lines.next();
        while let Some(rest) = lines.peek().and_then(|line| line.strip_prefix('\t')) {
            statement = format!("{statement} {}", rest.trim());
            lines.next();
        }
        statements.push(statement);
    }
    statements.sort();
    statements.dedup();
    statements
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_read_from_the_log() {
        let log = "2026 [1] LOG:  multi-task query about to be executed\n\
            2026 [1] HINT:  Queries are split to multiple tasks if they have to be split into several queries on the workers.\n\
            2026 [1] STATEMENT:  SELECT a\n\t         FROM b\n\
            2026 [2] ERROR:  something\n2026 [2] STATEMENT:  SELECT c\n";
        assert_eq!(logged(log), ["SELECT a FROM b"]);
        assert_eq!(logged(&format!("{log}{log}")).len(), 1);
    }
}
