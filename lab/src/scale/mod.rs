//! `scale`: distributes the tables over a temporary Citus cluster and runs the API tests on it.
//! Each request must go to one node.

mod nodes;
mod plans;

use crate::server::Program;
use anyhow::{Context, bail, ensure};
use nodes::{Nodes, OWNER, SERVER, TEMPLATE};
use rustix::process::Signal;
use std::{
    collections::BTreeSet,
    process::{Command, ExitCode, Stdio},
    time::Instant,
};
use xtask::{
    cargo,
    postgres::{BIN_VARIABLE, Cluster, Durability},
    process::{self, Process},
    record::{self, FOLDER_VARIABLE},
    suite::{self, Scratch},
    target,
};

/// Environment variable for the tests with the template database, the role of the servers, and the
/// URLs of the other nodes.
const DISTRIBUTED_VARIABLE: &str = "GROOTBOEK_TEST_DISTRIBUTED";
/// Number of shards: few, as each test's database has all of them, but enough for two accounts to
/// be on two nodes.
const SHARDS: &str = "4";
/// Number of accounts whose books are moved.
const ACCOUNTS: u32 = 4;
/// Tests that are skipped because they observe a single server.
const OF_ONE_SERVER: [&str; 3] = [
    // This test waits for locks that it cannot see, because they are on another node.
    "waiting_writers_of_one_account_leave_connections_to_others",
    // These tests replace a table by an endless view, which is not distributed.
    "a_query_that_takes_too_long_is_stopped_with_503",
    "lists_of_one_account_queue_and_delay_no_other_account",
];
/// Tables of the journal, each with a column that the checks try to change.
const JOURNAL: [(&str, &str); 3] =
    [("entries", "date"), ("postings", "debit"), ("document_records", "after_entry")];

/// Options of `scale`.
#[derive(clap::Args)]
pub struct Options {
    /// Names, or parts of names, of the API tests to run
    #[arg(last = true)]
    names: Vec<String>,
}

/// Runs all checks.
///
/// # Errors
/// PostgreSQL lacks the extension Citus, or a check failed.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let plain = Cluster::start(Durability::Throwaway)?;
    if !nodes::can_be_made(&plain)? {
        eprintln!(
            "not run: the PostgreSQL in {} has no extension citus. Install Citus 13 or newer for it (https://docs.citusdata.com), or name \
             the programs of a PostgreSQL that has it in {BIN_VARIABLE}",
            plain.bin().display()
        );
        return Ok(ExitCode::FAILURE);
    }
    drop(plain);
    process::run(cargo().args(["build", "--quiet", "--workspace"]))?;
    let begun = Instant::now();
    let folder = Scratch::new()?;
    let nodes = Nodes::start_in(folder.path())?;
    println!("3 nodes: a coordinator and 2 workers, Citus {}", nodes.version()?);
    let program = Program {
        binary: target().join("debug/grootboek"),
        database: nodes.coordinator.url_of(OWNER, TEMPLATE),
    };
    distribute(&nodes, &program)?;
    nodes.freeze(TEMPLATE)?;
    books_are_kept(&nodes, &program)?;
    let statements = tempfile::tempdir()?;
    let before = nodes.log_length()?;
    let passed = api_tests(&nodes, &options.names, statements.path())?;
    println!("tests of the API on the distributed database: {passed} passed");
    let across = nodes.across_shards(before)?;
    let (of_background, of_requests): (Vec<_>, Vec<_>) =
        across.iter().partition(|sql| plans::is_of_background(sql));
    println!(
        "statements that went to several shards: {} of background tasks, {} of requests",
        of_background.len(),
        of_requests.len()
    );
    ensure!(
        of_requests.is_empty(),
        "a request went to several shards:\n{}",
        of_requests.iter().map(|sql| sql.as_str()).collect::<Vec<_>>().join("\n")
    );
    let mut sent = record::statements(statements.path(), "postgres")?;
    ensure!(
        sent.len() > 100 || !options.names.is_empty(),
        "the tests sent {} statements: too few to be conclusive",
        sent.len()
    );
    // Adds the statements of all other tests, as recorded for the latest version.
    sent.extend(record::recorded("postgres")?);
    nodes.copy(TEMPLATE, "planned")?;
    let counts = plans::look_at(&nodes.coordinator.url_of(SERVER, "planned"), &sent)?;
    println!(
        "plans of the {} statements that these and, when it was recorded, all other tests sent: {} go to one shard, {} to a table that every node has or none, {} of background tasks to several",
        sent.len(),
        counts.one_shard,
        counts.no_shard,
        counts.background
    );
    println!("all is well, in {} s", begun.elapsed().as_secs());
    Ok(ExitCode::SUCCESS)
}

/// Creates and distributes the tables: first as a dry run, then for real, then again with nothing
/// left to do.
fn distribute(nodes: &Nodes, program: &Program) -> anyhow::Result<()> {
    let arguments = ["distribute", "--role", SERVER, "--shards", SHARDS];
    let before = refusal(program, &arguments)?;
    ensure!(
        before.contains("run `grootboek migrate` first"),
        "a database without tables: {before}"
    );
    program.run(&["migrate"])?;
    let owner = refusal(program, &["distribute", "--role", OWNER])?;
    ensure!(
        owner.contains("the tables belong to the role"),
        "the owner as the role of the servers: {owner}"
    );
    let dry = program.run(&[&arguments[..], &["--dry-run"]].concat())?;
    let distributed = "SELECT COUNT(*) FROM citus_tables";
    ensure!(
        nodes.coordinator.query(TEMPLATE, distributed)?.trim() == "0",
        "--dry-run did something"
    );
    let done = program.run(&arguments)?;
    ensure!(
        dry.lines().rev().skip(1).eq(done.lines().rev().skip(1)),
        "--dry-run reported other steps than those taken:\n{dry}\n{done}"
    );
    let again = program.run(&arguments)?;
    ensure!(again.contains("nothing to do"), "a second time: {again}");
    let kinds = nodes.coordinator.query(
        TEMPLATE,
        "SELECT citus_table_type, COUNT(*) FROM citus_tables GROUP BY 1 ORDER BY 1",
    )?;
    println!(
        "distributed in {} steps: {}",
        done.lines().count() - 1,
        kinds.trim().replace('\n', ", ").replace('|', " ")
    );
    let count = "SELECT string_agg(g.tgname, ', ') FROM pg_trigger g JOIN pg_proc p ON p.oid = g.tgfoid WHERE p.proname = 'journal_only_grows'";
    ensure!(nodes.coordinator.query(TEMPLATE, count)?.trim().is_empty(), "triggers are left");
    Ok(())
}

/// Returns the error message of a command that must fail.
fn refusal(program: &Program, arguments: &[&str]) -> anyhow::Result<String> {
    let output = program.command(arguments).output()?;
    ensure!(!output.status.success(), "{arguments:?} did not fail");
    Ok(String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Checks that the servers' role cannot change the journal, through the coordinator or directly on
/// a worker; returns the number of attempts.
fn journal_is_kept(nodes: &Nodes, books: &str) -> anyhow::Result<usize> {
    let (mut refused, mut seen) = (0, BTreeSet::new());
    for (table, column) in JOURNAL {
        let mut places = vec![(&nodes.coordinator, table.to_owned())];
        for account in 1..=ACCOUNTS {
            let sql = format!(
                "SELECT shard_name, nodeport FROM citus_shards
                 WHERE shardid = get_shard_id_for_distribution_column('{table}', {account}::bigint)"
            );
            let shard = nodes.coordinator.query(books, &sql)?;
            let (shard, port) =
                shard.trim().split_once('|').with_context(|| format!("no shard of {table}"))?;
            let worker = nodes
                .workers
                .iter()
                .find(|worker| worker.port().to_string() == port)
                .context("a shard on no worker")?;
            seen.insert(worker.port());
            places.push((worker, shard.to_owned()));
        }
        for (node, name) in places {
            let ways = [
                (format!("UPDATE {name} SET {column} = {column}"), "permission denied"),
                (format!("DELETE FROM {name}"), "journal rows are never changed or deleted"),
                (format!("TRUNCATE {name}"), "permission denied"),
            ];
            for (sql, message) in ways {
                let answer = nodes::as_role(node, SERVER, books, &sql)?;
                ensure!(answer.contains(message), "{sql}: {answer}");
                refused += 1;
            }
        }
    }
    ensure!(!seen.is_empty(), "no shard was tried");
    Ok(refused)
}

/// Checks that the books are protected, and that they are still protected and complete after their
/// shards moved to another node.
fn books_are_kept(nodes: &Nodes, program: &Program) -> anyhow::Result<()> {
    let books = "books";
    nodes.copy(TEMPLATE, books)?;
    let serving = Program {
        binary: program.binary.clone(),
        database: nodes.coordinator.url_of(SERVER, books),
    };
    for account in 1..=ACCOUNTS {
        let email = format!("{account}@example.com");
        serving.run(&["account", "add", "--email", &email, "--name", "Moved", "--plan", "pro"])?;
        serving.run(&["fill", "--email", &email, "--invoices", "20"])?;
    }
    let (discrepancies, before) = serving.verify()?;
    ensure!(discrepancies == 0, "{before}");
    println!(
        "append-only: {} statements of the servers' role were refused",
        journal_is_kept(nodes, books)?
    );
    let (begun, last) = (Instant::now(), &nodes.workers[1]);
    nodes.coordinator.query(
        books,
        &format!("SELECT citus_drain_node('127.0.0.1', {}, 'block_writes')", last.port()),
    )?;
    let count = format!(
        "SELECT COUNT(*) FROM citus_shards WHERE citus_table_type = 'distributed' AND nodeport = {}",
        last.port()
    );
    let count = nodes.coordinator.query(books, &count)?;
    ensure!(count.trim() == "0", "{} shards are left on the node that was drained", count.trim());
    ensure!(serving.verify()?.1 == before, "the books changed when their shards moved");
    let took = begun.elapsed().as_secs();
    println!(
        "a node was drained in {took} s: the books of {ACCOUNTS} accounts are unchanged, and {} statements were refused",
        journal_is_kept(nodes, books)?
    );
    Ok(())
}

/// Runs the API tests, each on a copy of the distributed database; returns the number that passed.
fn api_tests(nodes: &Nodes, names: &[String], statements: &std::path::Path) -> anyhow::Result<u64> {
    let mut tests: Command = cargo();
    tests.args(["test", "--workspace", "--test", "api", "--"]);
    if names.is_empty() {
        tests.arg("on_postgres");
    }
    tests.args(names);
    for name in OF_ONE_SERVER {
        tests.args(["--skip", name]);
    }
    let workers: Vec<String> = nodes.workers.iter().map(|worker| worker.url("postgres")).collect();
    tests
        .env(suite::SERVER_VARIABLE, nodes.coordinator.url("postgres"))
        .env(FOLDER_VARIABLE, statements);
    tests.env(DISTRIBUTED_VARIABLE, format!("{TEMPLATE} {SERVER} {}", workers.join(" ")));
    let mut tests =
        Process::start(tests.stdin(Stdio::null()).stdout(Stdio::piped()), Signal::KILL)?;
    let counts = suite::watch(&mut tests)?;
    if !tests.wait()?.success() || counts.failed > 0 || counts.passed == 0 {
        bail!(
            "tests of the API on the distributed database: {} passed, {} failed",
            counts.passed,
            counts.failed
        );
    }
    Ok(counts.passed)
}
