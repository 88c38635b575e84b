//! `bench`: measures the release binary, and in the same run the references that it is compared
//! with.

mod api;
mod bank;
mod before;
mod documents;
pub mod floor;
mod load;
mod loud;
mod moving;
mod open_data;
mod pages;
mod people;
mod webhooks;

use crate::{crash, server::Program};
use anyhow::{Context, ensure};
use clap::ValueEnum;
use load::{Measured, Request, Wrk};
use rustix::process::Signal;
use serde::Serialize;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    thread,
    time::{Duration, Instant},
};
use xtask::{
    cargo,
    postgres::{Cluster, Durability},
    process::{self, Process, bound_to_us},
};

const ACCOUNTS: usize = 500;
const PGBENCH_CLIENTS: &str = "16";

/// Options of `bench`.
#[derive(Debug, Clone, clap::Args)]
pub struct Options {
    /// Shorter runs with 100,000 entries instead of 1,000,000: a trial of the benchmark, not a
    /// measurement
    #[arg(long)]
    pub quick: bool,
    /// Run only these parts [default: all]
    #[arg(long)]
    pub only: Vec<Part>,
    /// Earlier binary: measure only creating and reading, alternately with it and with this one
    #[arg(long)]
    pub before: Option<PathBuf>,
    /// Binary to measure [default: a release build]
    #[arg(long)]
    pub binary: Option<PathBuf>,
    /// JSON file for the results [default: bench.json in cargo's target folder]
    #[arg(long)]
    pub json: Option<PathBuf>,
    /// Also time a clean release build with two jobs
    #[arg(long)]
    pub clean_build: bool,
}

/// A part of the benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Part {
    /// Binary size, startup time, memory.
    Size,
    /// Creating invoices on SQLite.
    Sqlite,
    /// Creating invoices on PostgreSQL.
    Postgres,
    /// Reading an invoice.
    Read,
    /// Reading from books with many entries.
    Large,
    /// Lists, edits, payments, and reading while writing.
    Api,
    /// An account next to one that sends ten thousand create requests at once.
    Loud,
    /// Bank statements of 100,000 lines, and suggestions.
    Bank,
    /// The data sets and calculators of the open data.
    OpenData,
    /// Tokens of partner applications, and reading while users sign in.
    People,
    /// The pages of the application.
    Pages,
    /// Cost of webhooks for creating invoices.
    Webhooks,
    /// Generating PDFs, e-invoices and audit files.
    Documents,
    /// Moving books from one engine to the other.
    Move,
}

/// A row of the results.
#[derive(Debug, Serialize)]
struct Row {
    what: String,
    measured: f64,
    unit: &'static str,
    /// The reference, if the result is a ratio.
    #[serde(skip_serializing_if = "Option::is_none")]
    compared: Option<Compared>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    met: Option<bool>,
}

#[derive(Debug, Serialize)]
struct Compared {
    with: &'static str,
    measured: f64,
    ratio: f64,
}

#[derive(Clone, Copy)]
enum Target {
    AtLeast(f64),
    AtMost(f64),
}

struct Bench {
    options: Options,
    binary: PathBuf,
    wrk: Wrk,
    folder: tempfile::TempDir,
    rows: Vec<Row>,
}

/// Measures, prints a table and writes it as JSON.
///
/// # Errors
/// The measured program or a measuring tool does not run, or returns wrong results.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    // In the target folder, not in the folder for temporary files: that may be in memory, where an
    // fsync costs nothing.
    fs::create_dir_all(xtask::target())?;
    let folder = tempfile::Builder::new().prefix("bench-").tempdir_in(xtask::target())?;
    let binary = match &options.binary {
        Some(binary) => binary.canonicalize()?,
        None => crash::release_binary()?,
    };
    let mut bench =
        Bench { options: options.clone(), binary, wrk: Wrk::ready()?, folder, rows: Vec::new() };
    bench.all()?;
    print(&bench.rows);
    let file = options.json.clone().unwrap_or_else(|| xtask::target().join("bench.json"));
    fs::write(&file, serde_json::to_string_pretty(&bench.rows)?)?;
    println!("\nwritten to {}", file.display());
    Ok(ExitCode::SUCCESS)
}

impl Bench {
    fn all(&mut self) -> anyhow::Result<()> {
        if self.options.clean_build {
            self.clean_build()?;
        }
        if let Some(before) = self.options.before.clone() {
            return self.beside_before(&before);
        }
        for part in Part::value_variants() {
            if !self.options.only.is_empty() && !self.options.only.contains(part) {
                continue;
            }
            match part {
                Part::Size => self.size(),
                Part::Sqlite => self.create_on_sqlite(),
                Part::Read => self.read(),
                Part::Large => self.large(),
                Part::Api => self.api(),
                Part::Loud => self.loud(),
                Part::Bank => self.bank(),
                Part::OpenData => self.open_data(),
                Part::People => self.people(),
                Part::Pages => self.pages(),
                Part::Webhooks => self.webhooks(),
                Part::Documents => self.documents(),
                Part::Move => self.moving(),
                Part::Postgres => self.create_on_postgres(),
            }?;
        }
        Ok(())
    }

    fn seconds(&self) -> u64 {
        if self.options.quick { 3 } else { 10 }
    }

    fn program(&self, name: &str) -> Program {
        let file = self.folder.path().join(format!("{name}.db"));
        Program { binary: self.binary.clone(), database: format!("sqlite:{}", file.display()) }
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("log")
    }

    fn record(
        &mut self,
        what: impl Into<String>,
        measured: f64,
        unit: &'static str,
        target: Option<Target>,
    ) {
        let (target, met) = judge(measured, target);
        let row = Row { what: what.into(), measured, unit, compared: None, target, met };
        eprintln!("{}", line(&row));
        self.rows.push(row);
    }

    fn compare(
        &mut self,
        what: impl Into<String>,
        measured: f64,
        unit: &'static str,
        with: (&'static str, f64),
        target: impl Into<Option<Target>>,
    ) {
        let ratio = divide(measured, with.1);
        let (target, met) = judge(ratio, target.into());
        let compared = Some(Compared { with: with.0, measured: with.1, ratio });
        let row = Row { what: what.into(), measured, unit, compared, target, met };
        eprintln!("{}", line(&row));
        self.rows.push(row);
    }

    fn clean_build(&mut self) -> anyhow::Result<()> {
        let folder = tempfile::tempdir_in(xtask::target())?;
        let begun = Instant::now();
        let mut build = cargo();
        build
            .args(["build", "--release", "--package", "grootboek", "--jobs", "2", "--target-dir"])
            .arg(folder.path());
        process::run(&mut build)?;
        self.record(
            "clean release build, 2 jobs",
            divide(begun.elapsed().as_secs_f64(), 60.0),
            "min",
            Some(Target::AtMost(12.0)),
        );
        Ok(())
    }

    fn size(&mut self) -> anyhow::Result<()> {
        let bytes = fs::metadata(&self.binary)?.len();
        self.record("release binary", megabytes(bytes), "MB", Some(Target::AtMost(35.0)));
        let program = self.program("size");
        program.open_account("size@example.com")?;
        let mut starts = Vec::new();
        for _ in 0..9 {
            let begun = Instant::now();
            let server = program.serve(&self.log())?;
            ureq::get(format!("{}/healthz", server.origin)).call()?;
            starts.push(begun.elapsed());
            server.stop()?;
        }
        starts.sort();
        self.record(
            "start to first answer, median of 9",
            millis(starts[4]),
            "ms",
            Some(Target::AtMost(300.0)),
        );
        let server = program.serve(&self.log())?;
        ureq::get(format!("{}/healthz", server.origin)).call()?;
        self.record(
            "resident memory, idle",
            mebibytes(server.resident()?),
            "MiB",
            Some(Target::AtMost(40.0)),
        );
        server.stop()
    }

    /// Opens accounts with a key each; returns the file with their keys, one per line.
    fn accounts(&self, program: &Program, name: &str, count: usize) -> anyhow::Result<PathBuf> {
        let keys: Vec<String> = (0..count)
            .map(|number| program.open_account(&format!("a{number}@example.com")))
            .collect::<Result<_, _>>()?;
        let file = self.folder.path().join(format!("{name}.keys"));
        fs::write(&file, keys.join("\n"))?;
        Ok(file)
    }

    fn create_on_sqlite(&mut self) -> anyhow::Result<()> {
        for count in [1, ACCOUNTS] {
            let name = format!("create-{count}");
            let program = self.program(&name);
            let keys = self.accounts(&program, &name, count)?;
            let server = program.serve(&self.log())?;
            self.wrk.create(&server.origin, &keys, "warm", 2)?;
            let made = self.wrk.create(&server.origin, &keys, "run", self.seconds())?;
            let resident = server.resident()?;
            server.stop()?;
            let (discrepancies, report) = program.verify()?;
            ensure!(discrepancies == 0, "{report}");
            let floor = floor_of(&self.folder.path().join(format!("{name}.db")))?;
            let what = format!("POST invoices, SQLite, {count} account(s), 64 connections");
            self.compare(
                what,
                made.per_second(),
                "/s",
                ("rusqlite, 64 per commit", floor),
                Target::AtLeast(0.15),
            );
            let what = format!("POST invoices, SQLite, {count} account(s), p99");
            self.record(what, micros(made.p99), "ms", Some(Target::AtMost(15.0)));
            self.record(
                format!("resident memory after it, {count} account(s)"),
                mebibytes(resident),
                "MiB",
                Some(Target::AtMost(200.0)),
            );
        }
        Ok(())
    }

    fn create_on_postgres(&mut self) -> anyhow::Result<()> {
        let cluster = Cluster::start(Durability::Durable)?;
        let program =
            Program { binary: self.binary.clone(), database: cluster.create_database("books")? };
        let keys = self.accounts(&program, "postgres", ACCOUNTS)?;
        cluster.create_database("pgbench")?;
        process::output(cluster.client("pgbench").args([
            "--initialize",
            "--quiet",
            "--scale",
            "50",
            "pgbench",
        ]))?;
        let server = program.serve(&self.log())?;
        self.wrk.create(&server.origin, &keys, "warm", 2)?;
        let (mut made, mut transactions) = (Vec::new(), Vec::new());
        // Alternately, so that other activity on the machine affects both measurements.
        for turn in 0..3 {
            let seconds = self.seconds();
            transactions.push(pgbench(&cluster, seconds)?);
            made.push(self.wrk.create(&server.origin, &keys, &format!("run{turn}"), seconds)?);
        }
        server.stop()?;
        let (discrepancies, report) = program.verify()?;
        ensure!(discrepancies == 0, "{report}");
        made.sort_by(|a, b| a.per_second().total_cmp(&b.per_second()));
        let what = format!("POST invoices, PostgreSQL, {ACCOUNTS} accounts");
        self.compare(
            what,
            made[1].per_second(),
            "/s",
            ("pgbench, 16 clients", middle(transactions)),
            Target::AtLeast(1.0),
        );
        self.record(
            format!("POST invoices, PostgreSQL, {ACCOUNTS} accounts, p99"),
            micros(made[1].p99),
            "ms",
            None,
        );
        Ok(())
    }

    fn read(&mut self) -> anyhow::Result<()> {
        let program = self.program("read");
        let keys = self.accounts(&program, "read", 1)?;
        let key = fs::read_to_string(&keys)?;
        let server = program.serve(&self.log())?;
        self.wrk.create(&server.origin, &keys, "warm", 1)?;
        let url = format!("{}/api/v1/invoices/1", server.origin);
        let body = ureq::get(&url).header("x-api-key", &key).call()?.body_mut().read_to_vec()?;
        let seconds = self.seconds();
        let what = "GET invoices/{id}, SQLite, 64 connections".to_owned();
        self.beside_bare(
            what,
            ("/api/v1/invoices/1", None),
            &body,
            seconds,
            Target::AtLeast(0.45),
            |wrk| wrk.read(&url, &key, 64, seconds),
        )?;
        let resident = server.resident()?;
        server.stop()?;
        self.record(
            "resident memory after it",
            mebibytes(resident),
            "MiB",
            Some(Target::AtMost(200.0)),
        );
        Ok(())
    }

    /// Measures one of our responses, alternately with a handler on the same web framework that
    /// returns the same bytes.
    fn beside_bare(
        &mut self,
        what: String,
        (path, body): (&str, Option<&str>),
        answer: &[u8],
        seconds: u64,
        target: impl Into<Option<Target>>,
        ask: impl Fn(&Wrk) -> anyhow::Result<Measured>,
    ) -> anyhow::Result<()> {
        let bare = Bare::serve(answer, self.folder.path())?;
        let fixed = Request { url: format!("{}{path}", bare.origin), body };
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..3 {
            ours.push(ask(&self.wrk)?.per_second());
            theirs.push(self.wrk.ask(&fixed, 64, seconds)?.per_second());
        }
        self.compare(what, middle(ours), "/s", ("bare axum, same bytes", middle(theirs)), target);
        Ok(())
    }

    fn large(&mut self) -> anyhow::Result<()> {
        let many = if self.options.quick { "100000" } else { "1000000" };
        let program = self.program("large");
        let (small, large) = (
            program.open_account("small@example.com")?,
            program.open_account("large@example.com")?,
        );
        for (email, count) in [("small@example.com", "1000"), ("large@example.com", many)] {
            program.run(&["fill", "--email", email, "--invoices", count, "--year", "2026"])?;
        }
        let server = program.serve(&self.log())?;
        for path in ["entries?year=2026&limit=100", "summary/2026"] {
            let url = format!("{}/api/v1/{path}", server.origin);
            let (mut of_large, mut of_small) = (Vec::new(), Vec::new());
            for _ in 0..3 {
                of_small.push(self.wrk.read(&url, &small, 1, 2)?.p50);
                of_large.push(self.wrk.read(&url, &large, 1, 2)?.p50);
            }
            of_small.sort_unstable();
            of_large.sort_unstable();
            let what = format!("GET {path}, median, {many} entries");
            self.compare(
                what,
                micros(of_large[1]),
                "ms",
                ("1000 entries", micros(of_small[1])),
                Target::AtMost(1.3),
            );
        }
        server.stop()
    }
}

/// A handler on the same web framework that returns fixed bytes.
struct Bare {
    origin: String,
    _process: Process,
}

impl Bare {
    fn serve(body: &[u8], folder: &Path) -> anyhow::Result<Self> {
        let file = folder.join("body.json");
        fs::write(&file, body)?;
        let address = format!("127.0.0.1:{}", xtask::postgres::free_port()?);
        let mut command = bound_to_us(&xtask::target().join("release/lab"), "KILL");
        command.arg("bare").arg("--body").arg(&file).args(["--listen", &address]);
        let process = Process::start(&mut command, Signal::KILL)?;
        let (origin, begun) = (format!("http://{address}"), Instant::now());
        while ureq::get(&origin).call().is_err() {
            ensure!(begun.elapsed() < Duration::from_secs(10), "the bare server does not answer");
            thread::sleep(Duration::from_millis(10));
        }
        Ok(Self { origin, _process: process })
    }
}

/// Runs `floor` in a release build; a debug build would give too low a bound.
fn floor_of(books: &Path) -> anyhow::Result<f64> {
    let mut command = Command::new(xtask::target().join("release/lab"));
    let printed = process::output(command.arg("floor").arg("--books").arg(books))?;
    printed.trim().parse().with_context(|| format!("the floor printed {printed:?}"))
}

/// Transactions per second of pgbench's default script.
fn pgbench(cluster: &Cluster, seconds: u64) -> anyhow::Result<f64> {
    let mut command = cluster.client("pgbench");
    command.args([
        "--no-vacuum",
        "--client",
        PGBENCH_CLIENTS,
        "--jobs",
        "2",
        "--time",
        &seconds.to_string(),
        "pgbench",
    ]);
    let printed = process::output(&mut command)?;
    let tps = printed
        .lines()
        .find_map(|line| line.strip_prefix("tps = ")?.split(' ').next()?.parse().ok());
    tps.with_context(|| format!("pgbench printed no tps:\n{printed}"))
}

/// Median of several measurements.
fn middle(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn judge(value: f64, target: Option<Target>) -> (Option<f64>, Option<bool>) {
    match target {
        Some(Target::AtLeast(least)) => (Some(least), Some(value >= least)),
        Some(Target::AtMost(most)) => (Some(most), Some(value <= most)),
        None => (None, None),
    }
}

#[expect(clippy::float_arithmetic, reason = "a measurement, not money")]
fn divide(value: f64, by: f64) -> f64 {
    value / by
}

#[expect(clippy::cast_precision_loss, reason = "a measurement, not money")]
fn megabytes(bytes: u64) -> f64 {
    divide(bytes as f64, 1_000_000.0)
}

#[expect(clippy::cast_precision_loss, reason = "a measurement, not money")]
fn mebibytes(bytes: u64) -> f64 {
    divide(bytes as f64, 1_048_576.0)
}

fn millis(duration: Duration) -> f64 {
    divide(duration.as_secs_f64(), 0.001)
}

#[expect(clippy::cast_precision_loss, reason = "a measurement, not money")]
fn micros(count: u64) -> f64 {
    divide(count as f64, 1000.0)
}

fn print(rows: &[Row]) {
    println!();
    for row in rows {
        println!("{}", line(row));
    }
}

fn line(row: &Row) -> String {
    let compared = row
        .compared
        .as_ref()
        .map(|to| format!("{:.2} of {:.2} ({})", to.ratio, to.measured, to.with))
        .unwrap_or_default();
    let target = row.target.map(|target| format!("{target:.2}"));
    let target = target.as_deref().map(|target| target.trim_end_matches('0').trim_end_matches('.'));
    let verdict = match (target, row.met) {
        (Some(target), Some(true)) => format!("target {target}: met"),
        (Some(target), _) => format!("target {target}: MISSED"),
        (None, _) => String::new(),
    };
    format!("{:<58} {:>10.2} {:<4} {:<52} {verdict}", row.what, row.measured, row.unit, compared)
}
