//! `judge`: checks the program with other programs.
//!
//! schemathesis compares the server with its API description, and spectral checks the description
//! itself. Generated clients show that the description is usable. A second program recomputes
//! random years, and another one random cases of the tax calculators. Documents are checked by the
//! rules of their publishers, the balances of bank accounts by hledger, and the lines of bank
//! statements by other readers. dateutil computes the days of schedules. cargo-fuzz tests the parsers of untrusted input.

mod bank;
mod clients;
mod documents;
mod estimates;
mod fuzz;
mod oauth;
mod open_data;
mod schedules;
mod schemathesis;
mod webhooks;
mod years;

use crate::server::{Program, Server};
use anyhow::{Context, ensure};
use clap::ValueEnum;
use rustix::process::Signal;
use std::{
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    time::{Duration, Instant},
};
use xtask::{
    cargo,
    process::{self, Process},
    target, workspace,
};

/// Pinned version; a newer one may report more.
const SPECTRAL: &str = "@stoplight/spectral-cli@6.16.3";
/// Generator, runtime library and compiler. The generator supports TypeScript up to 5 only.
const TYPESCRIPT: &[&str] = &[
    "openapi-typescript@7.13.0",
    "openapi-fetch@0.17.0",
    "typescript@5.9.3",
    "@types/node@20.19.43",
];
/// Generator, formatter and type checker.
const PYTHON: &[&str] = &["openapi-python-client==0.29.1", "ruff==0.17.5", "mypy==2.4.1"];

/// Seed of our own programs in a run without `--seed`, so that chance does not decide the outcome.
const SEED: u128 = 1;

/// Third-party program, or group of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Judge {
    /// The description follows the rules of OpenAPI
    Spectral,
    /// The server behaves as described
    Schemathesis,
    /// A generated client in TypeScript does the bookkeeping of a quarter
    Typescript,
    /// A generated client in Python does the same
    Python,
    /// oauth4webapi, for Node.js, runs the whole OAuth flow
    Oauth4webapi,
    /// openid-client, for Node.js, does the same
    OpenidClient,
    /// simple-oauth2, for Node.js, does the same
    SimpleOauth2,
    /// passport-oauth2, for Node.js, does the same
    PassportOauth2,
    /// Authlib, for Python, does the same
    Authlib,
    /// The libraries of Standard Webhooks, for Python and Node.js, verify messages
    Webhooks,
    /// MCP clients, calendars, csv and pyld read the open data; spectral and schemathesis check it
    OpenData,
    /// A second program recomputes random years of books by the law
    Years,
    /// A second program recomputes random cases of the tax calculators by the law
    Estimates,
    /// Payment files are valid, zbar reads codes of payments, hledger has the balances of banks, and
    /// other readers find the same lines in bank statements
    Bank,
    /// dateutil, for Python, computes the days of random schedules of recurring invoices
    Schedules,
    /// Documents follow the rules of their publishers
    Documents,
    /// No input breaks a parser
    Fuzz,
}

impl Judge {
    fn needs_server(self) -> bool {
        !matches!(self, Self::Schedules | Self::Documents | Self::Fuzz)
    }
}

/// Options of `judge`.
#[derive(Debug, Clone, clap::Args)]
pub struct Options {
    /// Examples that schemathesis generates per operation
    #[arg(long, default_value_t = 2000)]
    pub examples: u32,
    /// Only operations whose path matches, to split them over several runs [default: all]
    #[arg(long, value_name = "REGEX")]
    pub paths: Option<String>,
    /// Exclude operations with this method; may be repeated
    #[arg(long, value_name = "METHOD")]
    pub exclude_method: Vec<String>,
    /// Sent invoices in the books for schemathesis; short lists make read-only runs much faster
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(20..))]
    pub invoices: u32,
    /// Random years that the second program recomputes
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    pub years: u32,
    /// Random tax cases that the second program recomputes
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..))]
    pub cases: u32,
    /// Seed, to repeat a run [default: random for schemathesis, 1 for the years and the estimates]
    #[arg(long)]
    pub seed: Option<u128>,
    /// Duration of each fuzz target
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..))]
    pub fuzz_seconds: u32,
    /// Run only this program; may be repeated
    #[arg(long, value_name = "NAME")]
    pub only: Vec<Judge>,
    /// Binary to check [default: a debug build, which detects overflows]
    #[arg(long)]
    pub binary: Option<PathBuf>,
}

impl Options {
    fn wants(&self, judge: Judge) -> bool {
        self.only.is_empty() || self.only.contains(&judge)
    }
}

/// Outcome of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Pass,
    Fail,
    /// The program is not available.
    NotRun,
}

/// Result of a check.
struct Verdict {
    judge: &'static str,
    about: String,
    outcome: Outcome,
    took: Duration,
}

impl Verdict {
    fn new(judge: &'static str, about: String, well: bool, begun: Instant) -> Self {
        let outcome = if well { Outcome::Pass } else { Outcome::Fail };
        Self { judge, about, outcome, took: begun.elapsed() }
    }
}

/// Runs the command.
///
/// # Errors
/// A program cannot be installed or the server does not start. Failed checks only change the exit
/// code.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let mut verdicts = Vec::new();
    if Judge::value_variants().iter().any(|judge| judge.needs_server() && options.wants(*judge)) {
        judge_server(options, &mut verdicts)?;
    }
    if options.wants(Judge::Schedules) {
        verdicts.push(schedules::run(options)?);
    }
    if options.wants(Judge::Documents) {
        verdicts.extend(documents::run(options.seed)?);
    }
    if options.wants(Judge::Fuzz) {
        verdicts.extend(fuzz::run(options.fuzz_seconds)?);
    }

    println!();
    for Verdict { judge, about, outcome, took } in &verdicts {
        let outcome = match outcome {
            Outcome::Pass => "pass   ",
            Outcome::Fail => "FAIL   ",
            Outcome::NotRun => "not run",
        };
        println!("{outcome} {judge:<15} {:>6.1} s  {about}", took.as_secs_f64());
    }
    // A program requested by name must have run.
    let well = |verdict: &Verdict| match verdict.outcome {
        Outcome::Pass => true,
        Outcome::Fail => false,
        Outcome::NotRun => options.only.is_empty(),
    };
    Ok(if verdicts.iter().all(well) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs the programs that need a running server, and verifies its books afterwards.
// Long: the judges in order.
fn judge_server(options: &Options, verdicts: &mut Vec<Verdict>) -> anyhow::Result<()> {
    // All installations come first, so that a failing one stops the run early.
    let spectral_tool = options.wants(Judge::Spectral).then(install_spectral).transpose()?;
    let schemathesis_tool =
        options.wants(Judge::Schemathesis).then(schemathesis::install).transpose()?;
    let typescript =
        options.wants(Judge::Typescript).then(clients::Typescript::install).transpose()?;
    let python = options.wants(Judge::Python).then(clients::Python::install).transpose()?;
    let mut oauth_clients = Vec::new();
    for (judge, name, package) in oauth::NODE {
        if options.wants(judge) {
            oauth_clients.push(oauth::Client::node(name, package)?);
        }
    }
    if options.wants(Judge::Authlib) {
        oauth_clients.push(oauth::Client::authlib()?);
    }
    let receivers =
        options.wants(Judge::Webhooks).then(webhooks::Receivers::install).transpose()?;
    let open_data = options.wants(Judge::OpenData).then(open_data::Tools::install).transpose()?;
    let folder = tempfile::tempdir()?;
    let program = Program {
        binary: server_binary(options)?,
        database: format!("sqlite:{}", folder.path().join("books.db").display()),
    };
    program.open_account(schemathesis::EMAIL)?;
    let scopes = ["--scope", "read", "--scope", "write", "--scope", "file"];
    let key = program.add_key(schemathesis::EMAIL, &scopes)?;
    let test_key = program.add_key(schemathesis::EMAIL, &[&scopes[..], &["--test"]].concat())?;
    let seeded = options
        .wants(Judge::Schemathesis)
        .then(|| schemathesis::Seeded::sent(&program, options.invoices))
        .transpose()?;
    let log = folder.path().join("log");
    // The webhook receivers have local addresses, which the server rejects by default.
    let server = program.serve_with(&log, &["--rate-limit", "0", "--webhook-allow-private"])?;

    let description = folder.path().join("openapi.json");
    let text = ureq::get(format!("{}/api/openapi.json", server.origin))
        .call()?
        .body_mut()
        .read_to_string()?;
    ensure!(!text.is_empty(), "the server returns no description");
    std::fs::write(&description, text)?;
    if let Some(tool) = spectral_tool {
        verdicts.push(spectral(&tool, "spectral", &description)?);
    }
    // Each client has its own account, because it expects exact amounts.
    if let Some(client) = typescript {
        let key = program.open_account("typescript@example.com")?;
        verdicts.push(client.tour(&description, &server.origin, &key)?);
    }
    if let Some(client) = python {
        let key = program.open_account("python@example.com")?;
        verdicts.push(client.tour(&description, &server.origin, &key)?);
    }
    for client in oauth_clients {
        verdicts.push(client.drive(&program, &server)?);
    }
    if let Some(receivers) = receivers {
        verdicts.extend(receivers.receive(&program, &server)?);
    }
    if let Some(tools) = open_data {
        verdicts.extend(tools.judge(folder.path(), &server.origin, options)?);
    }
    if options.wants(Judge::Years) {
        verdicts.push(years::run(&program, &server, options)?);
    }
    if options.wants(Judge::Estimates) {
        verdicts.push(estimates::run(&server, options)?);
    }
    if options.wants(Judge::Bank) {
        verdicts.extend(bank::run(&program, &server, options)?);
    }
    if let (Some(tool), Some(seeded)) = (schemathesis_tool, seeded) {
        seeded.rest(&server.origin, &key)?;
        verdicts.push(schemathesis::run(
            &tool,
            folder.path(),
            &server.origin,
            (&key, &test_key),
            &seeded,
            options,
        )?);
        schemathesis::print_answers(&std::fs::read_to_string(&log)?);
    }
    server.stop()?;
    let begun = Instant::now();
    let (discrepancies, verification) = program.verify()?;
    if discrepancies > 0 {
        println!("{verification}");
    }
    let about = format!("the books afterwards: {discrepancies} discrepancies");
    verdicts.push(Verdict::new("verify", about, discrepancies == 0, begun));
    Ok(())
}

/// Returns the requested binary, or else builds one.
fn server_binary(options: &Options) -> anyhow::Result<PathBuf> {
    if let Some(binary) = &options.binary {
        return Ok(binary.clone());
    }
    process::run(cargo().args(["build", "--package", "grootboek"]))?;
    Ok(target().join("debug/grootboek"))
}

fn install_spectral() -> anyhow::Result<PathBuf> {
    Ok(node_tools("node", "spectral", &[SPECTRAL])?.join("node_modules/.bin/spectral"))
}

/// Installs Python packages into a folder under `target/judge`, once per version, and returns the
/// folder of their programs.
fn python_tools(folder: &str, name: &str, packages: &[&str]) -> anyhow::Result<PathBuf> {
    let place = target().join("judge").join(folder);
    once(name, packages, || {
        process::run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&place))
            .with_context(|| {
                format!("{name} needs python3 with venv (`apt-get install python3-venv`)")
            })?;
        process::run(
            Command::new(place.join("bin/pip")).args(["install", "--quiet"]).args(packages),
        )
    })?;
    Ok(place.join("bin"))
}

/// Like [`python_tools`], with Node.js packages; returns the folder that contains `node_modules`.
fn node_tools(folder: &str, name: &str, packages: &[&str]) -> anyhow::Result<PathBuf> {
    let place = target().join("judge").join(folder);
    once(name, packages, || {
        let install = ["install", "--silent", "--no-audit", "--no-fund", "--prefix"];
        process::run(Command::new("npm").args(install).arg(&place).args(packages))
            .with_context(|| format!("{name} needs node with npm (`apt-get install npm`)"))
    })?;
    Ok(place)
}

/// Runs an installation unless a file records that these versions are installed.
fn once(
    name: &str,
    packages: &[&str],
    install: impl FnOnce() -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let folder = target().join("judge");
    std::fs::create_dir_all(&folder)?;
    let (mark, versions) = (folder.join(format!("{name}.version")), packages.join(" "));
    if std::fs::read_to_string(&mark).is_ok_and(|there| there == versions) {
        return Ok(());
    }
    eprintln!("installing {versions} under {}", folder.display());
    install()?;
    std::fs::write(mark, versions).map_err(Into::into)
}

fn spectral(tool: &Path, name: &'static str, description: &Path) -> anyhow::Result<Verdict> {
    let mut command = Command::new(tool);
    command
        .args(["lint", "--fail-severity", "hint", "--ruleset"])
        .arg(workspace().join("lab/judge/spectral.yaml"));
    judge(name, "the description follows the rules of OpenAPI".into(), command.arg(description))
}

/// Returns the command that runs the Python program in a folder of `lab/judge` on a running server,
/// with the seed of the run.
fn driver(interpreter: &Path, folder: &str, server: &Server, options: &Options) -> Command {
    let mut command = Command::new(interpreter);
    // Without the folder of compiled files beside the sources.
    command
        .arg("-B")
        .arg(workspace().join("lab/judge").join(folder))
        .args(["--origin", &server.origin])
        .args(["--seed", &options.seed.unwrap_or(SEED).to_string()]);
    command
}

/// Runs a program with visible output as a check.
fn judge(judge: &'static str, about: String, command: &mut Command) -> anyhow::Result<Verdict> {
    let begun = Instant::now();
    let well = step(command)?;
    Ok(Verdict::new(judge, about, well, begun))
}

/// Runs a program with visible output, and returns whether it succeeded.
fn step(command: &mut Command) -> anyhow::Result<bool> {
    Ok(Process::start(command.stdin(Stdio::null()), Signal::TERM)?.wait()?.success())
}

/// Returns the files in a folder whose names end with `kind`, in order.
fn files_of(folder: &Path, kind: &str) -> anyhow::Result<Vec<PathBuf>> {
    let mut files: Vec<_> = std::fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == kind));
    files.sort();
    Ok(files)
}
