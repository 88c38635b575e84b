//! A throw-away cluster of Citus: a coordinator and workers, all on this machine.

use crate::postgres::{Cluster, Durability, random_password};
use anyhow::ensure;
use std::{
    fs,
    path::Path,
    thread,
    time::{Duration, Instant},
};

/// The database that is distributed, and of which the tests' databases are copies, on every node: distributing takes seconds, copying less than one.
pub(crate) const TEMPLATE: &str = "distributed";
/// The role that owns the tables.
pub(crate) const OWNER: &str = "books_owner";
/// The role with which servers connect.
pub(crate) const SERVER: &str = "books_server";

/// Every database has a process of Citus's own on every node.
const SETTINGS: [&str; 6] = [
    "shared_preload_libraries=citus",
    "wal_level=logical",
    "max_prepared_transactions=300",
    "max_worker_processes=64",
    // All are on this machine, and have no certificates.
    "citus.node_conninfo=sslmode=disable",
    "log_min_error_statement=error",
];
/// What Citus logs of a statement that goes to several shards, for the role of the servers.
const ACROSS: &str = "multi-task query about to be executed";

/// Whether the PostgreSQL of a cluster has Citus.
pub(crate) fn can_be_made(plain: &Cluster) -> anyhow::Result<bool> {
    let found = plain.query("postgres", "SELECT COUNT(*) FROM pg_available_extensions WHERE name = 'citus'")?;
    Ok(found.trim() == "1")
}

/// The nodes.
pub(crate) struct Nodes {
    pub(crate) coordinator: Cluster,
    pub(crate) workers: Vec<Cluster>,
}

impl Nodes {
    /// Starts them, each with its data in a folder of its own in `parent`, and makes the roles and a database that has no tables yet.
    pub(crate) fn start_in(parent: &Path, workers: usize, durability: Durability) -> anyhow::Result<Self> {
        let password = random_password()?;
        let start = || Cluster::start_with(parent, durability, password.clone(), &SETTINGS);
        let coordinator = start()?;
        let workers = (0..workers).map(|_| start()).collect::<anyhow::Result<Vec<_>>>()?;
        let nodes = Self { coordinator, workers };
        for node in nodes.all() {
            node.create_database(TEMPLATE)?;
            node.query(TEMPLATE, "CREATE EXTENSION citus")?;
        }
        let on_coordinator = |sql: &str| nodes.coordinator.query(TEMPLATE, sql);
        on_coordinator(&format!("SELECT citus_set_coordinator_host('127.0.0.1', {})", nodes.coordinator.port()))?;
        for worker in &nodes.workers {
            on_coordinator(&format!("SELECT citus_add_node('127.0.0.1', {})", worker.port()))?;
        }
        // Citus makes roles on every node.
        for role in [OWNER, SERVER] {
            on_coordinator(&format!("CREATE ROLE {role} LOGIN PASSWORD '{password}'"))?;
        }
        on_coordinator(&format!("GRANT CREATE ON SCHEMA public TO {OWNER}"))?;
        on_coordinator(&format!("ALTER ROLE {SERVER} SET citus.multi_task_query_log_level = 'log'"))?;
        Ok(nodes)
    }

    fn all(&self) -> impl Iterator<Item = &Cluster> {
        std::iter::once(&self.coordinator).chain(&self.workers)
    }

    /// The version of Citus.
    pub(crate) fn version(&self) -> anyhow::Result<String> {
        let version = self.coordinator.query(TEMPLATE, "SELECT split_part(citus_version(), ' ', 2)")?;
        Ok(version.trim().to_owned())
    }

    /// Nobody connects to a database any more, so that it can be copied.
    pub(crate) fn freeze(&self, database: &str) -> anyhow::Result<()> {
        for node in self.all() {
            node.query("postgres", &format!("ALTER DATABASE {database} ALLOW_CONNECTIONS false"))?;
            let begun = Instant::now();
            let end = format!("SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '{database}'");
            while node.query("postgres", &end)?.trim() != "0" {
                ensure!(begun.elapsed() < Duration::from_secs(30), "somebody stays connected to {database}");
                thread::sleep(Duration::from_millis(50));
            }
        }
        Ok(())
    }

    /// Copies a database that is frozen, on every node.
    pub(crate) fn copy(&self, from: &str, to: &str) -> anyhow::Result<()> {
        self.all().try_for_each(|node| node.query("postgres", &format!("CREATE DATABASE {to} TEMPLATE {from}")).map(drop))
    }

    /// How long the coordinator's log is.
    pub(crate) fn log_length(&self) -> anyhow::Result<usize> {
        Ok(fs::read(self.coordinator.log())?.len())
    }

    /// The statements of servers that went to several shards since the coordinator's log was so long, each once.
    pub(crate) fn across_shards(&self, since: usize) -> anyhow::Result<Vec<String>> {
        let log = fs::read(self.coordinator.log())?;
        Ok(logged(&String::from_utf8_lossy(log.get(since..).unwrap_or_default())))
    }
}

/// What a statement of another role is answered, or refused with.
pub(crate) fn as_role(node: &Cluster, role: &str, database: &str, sql: &str) -> anyhow::Result<String> {
    let mut command = node.client("psql");
    // Even with what Citus itself would keep it from: only rights count.
    command.env("PGUSER", role).env("PGOPTIONS", "-c citus.enable_manual_changes_to_shards=on");
    command.args(["--no-psqlrc", "--quiet", "--command", sql, database]);
    let output = command.output()?;
    Ok(format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)))
}

/// The statements that a log tells went to several shards; the lines of one begin with a tab, but for its first.
fn logged(log: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut lines = log.lines().peekable();
    while let Some(line) = lines.next() {
        if !line.contains(ACROSS) {
            continue;
        }
        // Its hint comes between.
        while lines.peek().is_some_and(|line| line.contains("HINT:")) {
            lines.next();
        }
        let Some((_, first)) = lines.peek().and_then(|line| line.split_once("STATEMENT:")) else { continue };
        let mut statement = first.trim().to_owned();
        lines.next();
        while let Some(rest) = lines.peek().and_then(|line| line.strip_prefix('\t')) {
            statement = format!("{statement} {}", rest.trim());
            lines.next();
        }
        found.push(statement);
    }
    found.sort();
    found.dedup();
    found
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
