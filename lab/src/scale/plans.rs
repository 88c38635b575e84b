//! Number of shards that each statement goes to, according to its plan.

use anyhow::{Context, ensure};
use std::collections::BTreeSet;
use tokio_postgres::{Client, NoTls, SimpleQueryMessage};

/// Prefixes of statements that concern more than one account: those of background tasks, which no
/// request waits for.
const OF_ALL_ACCOUNTS: &[&str] = &include!("../../../crates/testing/src/of_all_accounts.in");
/// A query over all accounts that only a test sends.
const ASKED_BY_TESTS: &str = "SELECT count(*) FROM api_calls";

/// Whether a statement belongs to a background task.
pub(super) fn is_of_background(sql: &str) -> bool {
    OF_ALL_ACCOUNTS.iter().chain([&ASKED_BY_TESTS]).any(|beginning| sql.starts_with(beginning))
}

/// Statements by destination.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) one_shard: usize,
    /// Statements on reference tables, or on no table.
    pub(super) no_shard: usize,
    /// Statements of background tasks that go to several shards.
    pub(super) background: usize,
}

/// Plans each statement, with the same account for every numeric parameter.
///
/// # Errors
/// A statement cannot be planned, or goes to several shards without being one of a background task.
pub(super) fn look_at(url: &str, statements: &BTreeSet<String>) -> anyhow::Result<Counts> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
        tokio::spawn(connection);
        let spread = names(
            &client,
            "SELECT table_name::text FROM citus_tables WHERE citus_table_type = 'distributed'",
        )
        .await?;
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

/// Maximum number of shards that any part of the statement goes to; zero if the statement uses no
/// distributed table.
async fn tasks(client: &Client, sql: &str, spread: &[String]) -> anyhow::Result<usize> {
    let statement = client.prepare(&sql.replace('?', "$")).await.map_err(reported)?;
    let values = statement
        .params()
        .iter()
        .map(|kind| value(kind.name()))
        .collect::<anyhow::Result<Vec<_>>>()?;
    // Citus cannot explain a prepared `INSERT … SELECT`, so the values are substituted, starting
    // with the last parameter, because ?1 is also a prefix of ?10.
    let with_values =
        values.iter().enumerate().rev().fold(sql.to_owned(), |sql, (place, value)| {
            sql.replace(&format!("?{}", place + 1), value)
        });
    let explained =
        client.simple_query(&format!("EXPLAIN {with_values}")).await.map_err(reported)?;
    let words: BTreeSet<&str> =
        sql.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
    // A catalogue query names tables but does not read them, so it goes to no shard.
    if words.contains("pg_class") || !spread.iter().any(|table| words.contains(table.as_str())) {
        return Ok(0);
    }
    let lines: Vec<String> = explained.iter().filter_map(line).collect();
    let counts =
        lines.iter().filter_map(|line| line.trim().strip_prefix("Task Count: ")?.parse().ok());
    counts.max().with_context(|| format!("its plan has no task count: {}", lines.join(" / ")))
}

/// Returns a value for a parameter of the given type; an account id is always 1.
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

/// Returns the server's message, which the error's own text omits.
fn reported(error: tokio_postgres::Error) -> anyhow::Error {
    match error.as_db_error() {
        Some(reported) => anyhow::anyhow!("{}", reported.message()),
        None => error.into(),
    }
}
