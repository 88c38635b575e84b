//! The tables of a PostgreSQL with the extension Citus, spread over its nodes: those of the books by account, all of one account on one node;
//! those that are looked up by something else whole on every node.
//!
//! A trigger on a distributed table needs a setting that Citus calls unsafe, so the triggers of the journal go, and rights and row-level security
//! take their place: the tables belong to one role, and the servers connect with another, which may read the journal and append to it.

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

/// The oldest major version of Citus that is known to give the transactions on all nodes the isolation that was asked for.
const OLDEST_CITUS: u32 = 13;
/// Where it is written what to do on the servers.
const MANUAL: &str = "docs/scaling.md tells how";

/// How the tables are to be distributed.
#[derive(Debug, Clone)]
pub struct Distribution {
    /// The role with which servers connect.
    pub role: String,
    /// Into how many shards the accounts are divided. It counts when the first table is distributed; the others follow that one.
    pub shards: u32,
    /// Only tell what would be done.
    pub dry_run: bool,
    /// Do it though servers are at work, for tables that a migration made.
    pub while_serving: bool,
}

/// Distributes what is not distributed yet; tells of each step before it is taken, and gives how many there were. Each is a transaction of its own:
/// what was broken off is gone on with by the next call.
///
/// # Errors
/// The database is none that can be distributed, its tables are those of another version, servers are at work on it, the role cannot be
/// the servers', or a step was refused.
pub fn distribute<E: From<StoreError>>(
    url: &DatabaseUrl,
    wanted: &Distribution,
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
    rights::ensure_fit_to_serve(&server, &wanted.role)?;
    let tables = server.tables()?;
    // Their lock lasts as long as the connection: no migration comes between, and unless it is wanted no server starts.
    server.lock(&tables, wanted.while_serving)?;
    let mut taken = 0;
    let mut take = |steps: Vec<Step>| -> Result<(), E> {
        for step in steps {
            report(&step.what)?;
            if !wanted.dry_run {
                server.run(&step)?;
            }
            taken += 1;
        }
        Ok(())
    };
    take(distributing(&tables, wanted.shards)?)?;
    // What they say depends on where the tables are by now.
    take(rights::steps(&server, &tables, &wanted.role)?)?;
    if !wanted.dry_run {
        rights::ensure_append_only(&server, &wanted.role)?;
    }
    Ok(taken)
}

/// Refuses a database of which some tables are distributed and others not: what a migration made, and `distribute` did not see yet.
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

/// Something to do, in words and in statements, which are one transaction.
struct Step {
    what: String,
    sql: Vec<String>,
}

/// What distributes the tables that are not distributed yet.
fn distributing(tables: &[Table], shards: u32) -> Result<Vec<Step>, StoreError> {
    let is_spread = |table: &&Table| table.is_of_one_account();
    let first = tables.iter().filter(is_spread).find(|table| table.place.is_some()).or_else(|| tables.iter().find(is_spread));
    let mut steps = Vec::new();
    for table in tables {
        let (name, text) = (&table.name, literal(&quoted(&table.name)));
        match table.place {
            Some(place) if place == table.wanted_place() => continue,
            Some(_) => {
                return Err(refused(format!(
                    "the table {name} is distributed in another way than this program needs; undistribute_table('{name}') takes that back"
                )));
            }
            None => {}
        }
        let Some(first) = first.filter(|_| table.is_of_one_account()) else {
            steps.push(Step {
                what: format!("{name}: whole on every node (reference table)"),
                sql: vec![format!("SELECT create_reference_table({text})")],
            });
            continue;
        };
        let (how, with) = if first.name == *name {
            (format!("{shards} shards"), format!("colocate_with => 'none', shard_count => {shards}"))
        } else {
            (format!("beside {}", first.name), format!("colocate_with => {}", literal(&quoted(&first.name))))
        };
        let mut sql: Vec<String> =
            table.triggers.iter().map(|trigger| format!("DROP TRIGGER {} ON {}", quoted(trigger), quoted(name))).collect();
        let without = if sql.is_empty() { "" } else { ", without its trigger" };
        sql.push(format!("SELECT create_distributed_table({text}, 'account_id', {with})"));
        steps.push(Step { what: format!("{name}: by account_id, {how}{without}"), sql });
    }
    Ok(steps)
}

/// A connection of one's own.
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
        let (client, driver) =
            runtime.block_on(target.connect(None)).map_err(|trouble| StoreError::Connect(Box::new(trouble)))?;
        let server = Self { runtime: Arc::new(runtime), client, _driver: driver };
        // Moving rows to their shards takes as long as it takes.
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
        // One by one: Citus takes no policy that comes together with other statements.
        let statements = ["BEGIN"].into_iter().chain(step.sql.iter().map(String::as_str)).chain(["COMMIT"]);
        let done = self.runtime.block_on(async {
            for statement in statements {
                self.client.batch_execute(statement).await?;
            }
            Ok(())
        });
        // What was begun ends with the connection.
        done.map_err(|error: tokio_postgres::Error| refused(format!("{}: {}", step.what, chain(&error))))
    }

    fn ensure_schema(&self, url: &str) -> Result<(), StoreError> {
        let found = Worker::new(Target::parse(url, Purpose::Command)?)?.schema()?.unwrap_or(0);
        let known = migrations::known();
        if found > known {
            return Err(StoreError::Open(format!(
                "the tables have version {found}, of a newer version of grootboek; this one works with version {known}: use that one's `distribute`"
            )));
        }
        if found < known {
            return Err(StoreError::Open(format!(
                "the tables have version {found}, this program works with version {known}: run `grootboek migrate` first"
            )));
        }
        Ok(())
    }

    /// The extension is there, in a version that will do; this is its coordinator, and it has nodes for shards.
    fn ensure_citus(&self) -> Result<(), StoreError> {
        let Some(version) = self.texts("SELECT extversion FROM pg_extension WHERE extname = 'citus'")?.pop() else {
            let available = self.is_true("SELECT EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'citus')")?;
            return Err(refused(if available {
                format!(
                    "the extension citus is not created in this database: run CREATE EXTENSION citus in it on every node; {MANUAL}"
                )
            } else {
                format!("the extension citus is not available on this PostgreSQL server: install Citus on every node; {MANUAL}")
            }));
        };
        let major: Option<u32> = version.split(['.', '-']).next().and_then(|major| major.parse().ok());
        if major.is_none_or(|major| major < OLDEST_CITUS) {
            return Err(refused(format!(
                "the extension citus has version {version}; this program needs {OLDEST_CITUS} or newer"
            )));
        }
        if !self.is_true("SELECT groupid = 0 FROM pg_dist_local_group")? {
            return Err(refused("this is a worker of Citus: name the coordinator with --database".into()));
        }
        if !self
            .is_true("SELECT EXISTS (SELECT 1 FROM pg_dist_node WHERE noderole = 'primary' AND isactive AND shouldhaveshards)")?
        {
            return Err(refused(format!("Citus has no node that takes shards: add one with citus_add_node; {MANUAL}")));
        }
        Ok(())
    }

    /// Keeps migrations off, and servers.
    fn lock(&self, tables: &[Table], while_serving: bool) -> Result<(), StoreError> {
        self.batch(&format!("SELECT pg_advisory_lock({})", migrations::POSTGRES_LOCK))?;
        // Tables that no running server knows can be distributed under it; others it would find locked, or without its triggers.
        if while_serving && tables.iter().any(|table| table.place.is_some()) {
            return Ok(());
        }
        if self.is_true(&format!("SELECT pg_try_advisory_lock({})", migrations::POSTGRES_SERVING))? {
            return Ok(());
        }
        Err(StoreError::Open(
            "servers are at work on the database: stop them first; once its tables are distributed, those that a migration adds can be \
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
