//! How many shards each statement goes to, as Citus plans it.

use anyhow::{Context, ensure};
use std::collections::BTreeSet;
use tokio_postgres::{Client, NoTls, SimpleQueryMessage};

/// Statements that are not about one account, by how they begin: of background tasks, which no request waits for.
const OF_ALL_ACCOUNTS: &[&str] = &include!("../../../crates/testing/src/of_all_accounts.in");
/// What a test asks of all accounts itself.
const ASKED_BY_TESTS: &str = "SELECT count(*) FROM api_calls";

/// Whether a statement is one of a background task.
pub(super) fn is_of_background(sql: &str) -> bool {
    OF_ALL_ACCOUNTS.iter().chain([&ASKED_BY_TESTS]).any(|beginning| sql.starts_with(beginning))
}

/// How many statements go where.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) one_shard: usize,
    /// To tables that are whole on every node, or to none.
    pub(super) no_shard: usize,
    /// To several, from background tasks.
    pub(super) background: usize,
}

/// Has each statement planned, with the same account for every parameter that is a number.
///
/// # Errors
/// One cannot be planned, or goes to several shards and is not of a background task.
pub(super) fn look_at(url: &str, statements: &BTreeSet<String>) -> anyhow::Result<Counts> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
        tokio::spawn(connection);
        let spread = names(&client, "SELECT table_name::text FROM citus_tables WHERE citus_table_type = 'distributed'").await?;
        let (mut counts, mut faults) = (Counts::default(), Vec::new());
        for sql in statements {
            match tasks(&client, sql, &spread).await {
                Ok(0) => counts.no_shard += 1,
                Ok(1) => counts.one_shard += 1,
                Ok(_) if is_of_background(sql) => counts.background += 1,
                Ok(tasks) => faults.push(format!("goes to {tasks} shards: {sql}")),
                Err(error) => faults.push(format!("{error:#}: {sql}")),
            }
        }
        ensure!(faults.is_empty(), "{}", faults.join("\n"));
        Ok(counts)
    })
}

async fn names(client: &Client, sql: &str) -> anyhow::Result<Vec<String>> {
    Ok(client.query(sql, &[]).await?.iter().map(|row| row.get(0)).collect())
}

/// The most shards that a part of the statement goes to; none if it names no table that is divided.
async fn tasks(client: &Client, sql: &str, spread: &[String]) -> anyhow::Result<usize> {
    let statement = client.prepare(&sql.replace('?', "$")).await.map_err(reported)?;
    let values = statement.params().iter().map(|kind| value(kind.name())).collect::<anyhow::Result<Vec<_>>>()?;
    // Citus explains no prepared INSERT that selects, so the values stand in the statement; the last first, as ?1 begins ?10 too.
    let with_values = values
        .iter()
        .enumerate()
        .rev()
        .fold(sql.to_owned(), |sql, (place, value)| sql.replace(&format!("?{}", place + 1), value));
    let explained = client.simple_query(&format!("EXPLAIN {with_values}")).await.map_err(reported)?;
    let words: BTreeSet<&str> = sql.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
    // What asks the catalogue of them reads none of them.
    if words.contains("pg_class") || !spread.iter().any(|table| words.contains(table.as_str())) {
        return Ok(0);
    }
    let lines: Vec<String> = explained.iter().filter_map(line).collect();
    let counts = lines.iter().filter_map(|line| line.trim().strip_prefix("Task Count: ")?.parse().ok());
    counts.max().with_context(|| format!("its plan counts no tasks: {}", lines.join(" / ")))
}

/// A value for a parameter: of all accounts the first.
fn value(kind: &str) -> anyhow::Result<&'static str> {
    Ok(match kind {
        "int8" => "1::BIGINT",
        "int4" => "1",
        "text" => "'x'::TEXT",
        "bytea" => "'\\x00'::BYTEA",
        "date" => "DATE '2026-01-01'",
        "timestamptz" => "TIMESTAMPTZ '2026-01-01Z'",
        other => anyhow::bail!("a parameter of the type {other}"),
    })
}

fn line(message: &SimpleQueryMessage) -> Option<String> {
    let SimpleQueryMessage::Row(row) = message else { return None };
    row.get(0).map(str::to_owned)
}

/// What the server said, which the error itself leaves out.
fn reported(error: tokio_postgres::Error) -> anyhow::Error {
    match error.as_db_error() {
        Some(reported) => anyhow::anyhow!("{}", reported.message()),
        None => error.into(),
    }
}
