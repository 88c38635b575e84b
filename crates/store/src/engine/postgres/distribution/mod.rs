//! Distribution of the tables over the nodes of a PostgreSQL cluster with the extension Citus. The
//! tables of the books are distributed by account, so that all rows of an account are on one node;
//! tables that are looked up by other keys are on every node (reference tables).
//!
//! A trigger on a distributed table needs a setting that Citus calls unsafe. The journal's triggers
//! are therefore dropped and replaced by privileges and row-level security: the tables belong to
//! one role, and the servers connect with another, which may only read and append to the journal.

mod catalogue;
mod rights;

use super::{
    target::{Driver, Target},
    worker::Worker,
};
use crate::{
    DatabaseUrl, StoreError,
    engine::{
        Purpose, migrations,
        names::{literal, quoted},
    },
    error::chain,
};
use catalogue::Table;
use std::sync::Arc;
use tokio::runtime::Runtime;
use tokio_postgres::Client;

/// Oldest major version of Citus known to apply the requested isolation level on all nodes.
const OLDEST_CITUS: u32 = 13;
/// Part of error messages: refers to the instructions for setting up the database servers.
const MANUAL: &str = "see docs/scaling.md";

/// Parameters of the distribution.
#[derive(Debug, Clone)]
pub struct Distribution {
    /// Role with which servers connect.
    pub role: String,
    /// Number of shards for the accounts. It takes effect only when the first table is distributed,
    /// because all later tables are colocated with that one.
    pub shards: u32,
    /// Whether to report the steps without running them.
    pub dry_run: bool,
    /// Whether servers may be active while tables that a migration added are distributed. The first
    /// distribution always requires that no server is active.
    pub while_serving: bool,
}

/// Distributes the tables that are not distributed yet. Reports each step before running it, and
/// returns the number of steps. Each step is a transaction of its own, so an interrupted run
/// resumes on the next call.
///
/// # Errors
/// The database cannot be distributed, its schema version differs, servers are using it, the role
/// is unsuitable for servers, or a step failed.
pub fn distribute<E: From<StoreError>>(
    url: &DatabaseUrl,
    distribution: &Distribution,
    mut report: impl FnMut(&str) -> Result<(), E>,
) -> Result<usize, E> {
    let DatabaseUrl::Postgres(url) = url else {
        return Err(refused(
            "only tables on PostgreSQL with the extension Citus can be distributed, and this is an SQLite file".into(),
        )
        .into());
    };
    let server = Server::connect(url)?;
    server.ensure_citus()?;
    server.ensure_schema(url)?;
    rights::ensure_fit_to_serve(&server, &distribution.role)?;
    let tables = server.tables()?;
    // The lock lasts as long as the connection. It keeps migrations from starting and, unless
    // `while_serving` is set, servers too.
    server.lock(&tables, distribution.while_serving)?;
    let mut taken = 0;
    let mut take = |steps: Vec<Step>| -> Result<(), E> {
        for step in steps {
            report(&step.what)?;
            if !distribution.dry_run {
                server.run(&step)?;
            }
            taken += 1;
        }
        Ok(())
    };
    take(distributing(&tables, distribution.shards)?)?;
    // Determined only now, because these steps depend on the placement of the tables.
    take(rights::steps(&server, &tables, &distribution.role)?)?;
    if !distribution.dry_run {
        rights::ensure_append_only(&server, &distribution.role)?;
    }
    Ok(taken)
}

/// Rejects a database in which only some tables are distributed: a migration has added the others,
/// and `distribute` has not been run since.
pub(super) async fn ensure_complete(client: &Client) -> Result<(), StoreError> {
    if !is_true(client, "SELECT to_regclass('pg_dist_partition') IS NOT NULL").await? {
        return Ok(());
    }
    let tables = catalogue::tables(client).await?;
    let (done, missing): (Vec<_>, Vec<_>) = tables.iter().partition(|table| table.place.is_some());
    if done.is_empty() || missing.is_empty() {
        return Ok(());
    }
    let missing: Vec<&str> = missing.iter().map(|table| table.name.as_str()).collect();
    Err(StoreError::Open(format!(
        "its tables are distributed, but not {}: run `grootboek distribute` with the role that owns them first",
        missing.join(", ")
    )))
}

/// A step: its description, and its statements, which form one transaction.
struct Step {
    what: String,
    sql: Vec<String>,
}

/// Steps that distribute the tables that are not distributed yet.
fn distributing(tables: &[Table], shards: u32) -> Result<Vec<Step>, StoreError> {
    let is_spread = |table: &&Table| table.is_of_one_account();
    let first = tables
        .iter()
        .filter(is_spread)
        .find(|table| table.place.is_some())
        .or_else(|| tables.iter().find(is_spread));
    let mut steps = Vec::new();
    for table in tables {
        let (name, text) = (&table.name, literal(&quoted(&table.name)));
        match table.place {
            Some(place) if place == table.required_place() => continue,
            Some(_) => {
                return Err(refused(format!(
                    "the table {name} is distributed in a way that this program cannot use; undo that with undistribute_table('{name}')"
                )));
            }
            None => {}
        }
        let Some(first) = first.filter(|_| table.is_of_one_account()) else {
            steps.push(Step {
                what: format!("{name}: reference table, on every node"),
                sql: vec![format!("SELECT create_reference_table({text})")],
            });
            continue;
        };
        let (how, with) = if first.name == *name {
            (
                format!("{shards} shards"),
                format!("colocate_with => 'none', shard_count => {shards}"),
            )
        } else {
            (
                format!("colocated with {}", first.name),
                format!("colocate_with => {}", literal(&quoted(&first.name))),
            )
        };
        let mut sql: Vec<String> = table
            .triggers
            .iter()
            .map(|trigger| format!("DROP TRIGGER {} ON {}", quoted(trigger), quoted(name)))
            .collect();
        let without = if sql.is_empty() { "" } else { ", without its trigger" };
        sql.push(format!("SELECT create_distributed_table({text}, 'account_id', {with})"));
        steps.push(Step { what: format!("{name}: by account_id, {how}{without}"), sql });
    }
    Ok(steps)
}

/// A dedicated connection.
struct Server {
    runtime: Arc<Runtime>,
    client: Client,
    _driver: Driver,
}

impl Server {
    fn connect(url: &str) -> Result<Self, StoreError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| StoreError::Open(error.to_string()))?;
        let target = Target::parse(url, Purpose::Command)?;
        let (client, driver) = runtime
            .block_on(target.connect(None))
            .map_err(|trouble| StoreError::Connect(Box::new(trouble)))?;
        let server = Self { runtime: Arc::new(runtime), client, _driver: driver };
        // Moving rows to their shards can take arbitrarily long.
        server.batch("SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0")?;
        Ok(server)
    }

    fn batch(&self, sql: &str) -> Result<(), StoreError> {
        Ok(self.runtime.block_on(self.client.batch_execute(sql))?)
    }

    fn is_true(&self, sql: &str) -> Result<bool, StoreError> {
        self.runtime.block_on(is_true(&self.client, sql))
    }

    fn texts(&self, sql: &str) -> Result<Vec<String>, StoreError> {
        let rows = self.runtime.block_on(self.client.query(sql, &[]))?;
        rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
    }

    fn tables(&self) -> Result<Vec<Table>, StoreError> {
        self.runtime.block_on(catalogue::tables(&self.client))
    }

    fn run(&self, step: &Step) -> Result<(), StoreError> {
        // The statements are sent one by one: Citus rejects a policy sent with other statements.
        let statements =
            ["BEGIN"].into_iter().chain(step.sql.iter().map(String::as_str)).chain(["COMMIT"]);
        let done = self.runtime.block_on(async {
            for statement in statements {
                self.client.batch_execute(statement).await?;
            }
            Ok(())
        });
        // An unfinished transaction ends with the connection.
        done.map_err(|error: tokio_postgres::Error| {
            refused(format!("{}: {}", step.what, chain(&error)))
        })
    }

    fn ensure_schema(&self, url: &str) -> Result<(), StoreError> {
        let version = Worker::new(Target::parse(url, Purpose::Command)?)?.schema()?.unwrap_or(0);
        let known = migrations::known();
        if version > known {
            return Err(StoreError::Open(format!(
                "the tables have schema version {version}, of a newer version of grootboek; this program works with version {known}: use `distribute` of the newer one"
            )));
        }
        if version < known {
            return Err(StoreError::Open(format!(
                "the tables have schema version {version}, this program works with version {known}: run `grootboek migrate` first"
            )));
        }
        Ok(())
    }

    /// Checks that the extension is installed in a supported version, and that this server is the
    /// coordinator of at least one node that accepts shards.
    fn ensure_citus(&self) -> Result<(), StoreError> {
        let Some(version) =
            self.texts("SELECT extversion FROM pg_extension WHERE extname = 'citus'")?.pop()
        else {
            let available = self.is_true(
                "SELECT EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'citus')",
            )?;
            return Err(refused(if available {
                format!(
                    "the extension citus is not created in this database: run CREATE EXTENSION citus in it on every node; {MANUAL}"
                )
            } else {
                format!(
                    "the extension citus is not available on this PostgreSQL server: install Citus on every node; {MANUAL}"
                )
            }));
        };
        let major: Option<u32> =
            version.split(['.', '-']).next().and_then(|major| major.parse().ok());
        if major.is_none_or(|major| major < OLDEST_CITUS) {
            return Err(refused(format!(
                "the extension citus has version {version}; this program needs {OLDEST_CITUS} or newer"
            )));
        }
        if !self.is_true("SELECT groupid = 0 FROM pg_dist_local_group")? {
            return Err(refused(
                "this is a worker of Citus: name the coordinator with --database".into(),
            ));
        }
        if !self
            .is_true("SELECT EXISTS (SELECT 1 FROM pg_dist_node WHERE noderole = 'primary' AND isactive AND shouldhaveshards)")?
        {
            return Err(refused(format!("Citus has no node that takes shards: add one with citus_add_node; {MANUAL}")));
        }
        Ok(())
    }

    /// Locks out migrations and servers.
    fn lock(&self, tables: &[Table], while_serving: bool) -> Result<(), StoreError> {
        self.batch(&format!("SELECT pg_advisory_lock({})", migrations::POSTGRES_LOCK))?;
        // Running servers do not know the tables that a migration added, so these can be
        // distributed meanwhile. Distributing other tables would lock them or drop their triggers.
        if while_serving && tables.iter().any(|table| table.place.is_some()) {
            return Ok(());
        }
        if self
            .is_true(&format!("SELECT pg_try_advisory_lock({})", migrations::POSTGRES_SERVING))?
        {
            return Ok(());
        }
        Err(StoreError::Open(
            "servers are using the database: stop them first; once its tables are distributed, those that a migration adds can be \
             distributed with --while-serving"
                .into(),
        ))
    }
}

async fn is_true(client: &Client, sql: &str) -> Result<bool, StoreError> {
    Ok(client.query_one(sql, &[]).await?.try_get(0)?)
}

fn refused(why: String) -> StoreError {
    StoreError::Unsupported(why)
}
