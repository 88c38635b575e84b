//! `judge`: lets others' programs judge the API: schemathesis the server against its description, spectral the description itself,
//! clients that are generated from the description whether one can work with it, the publishers' rules the documents, and cargo-fuzz the
//! readers of what strangers send.

mod clients;
mod documents;
mod fuzz;
mod oauth;
mod open_data;
mod schemathesis;
mod webhooks;

use crate::server::Program;
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

/// The versions that judge; a newer one may find more.
const SPECTRAL: &str = "@stoplight/spectral-cli@6.16.3";
/// The generator, what it generates for, and what compiles it. The generator knows TypeScript up to 5 only.
const TYPESCRIPT: &[&str] = &["openapi-typescript@7.13.0", "openapi-fetch@0.17.0", "typescript@5.9.3", "@types/node@20.19.43"];
/// The generator, what it formats with, and what checks the types.
const PYTHON: &[&str] = &["openapi-python-client==0.29.1", "ruff==0.17.5", "mypy==2.4.1"];

/// Who judges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Judge {
    /// The description keeps the rules of OpenAPI
    Spectral,
    /// The server does what the description says
    Schemathesis,
    /// A generated client in TypeScript does the books of a quarter
    Typescript,
    /// A generated client in Python does the same
    Python,
    /// oauth4webapi, for Node.js, drives the whole OAuth flow
    Oauth4webapi,
    /// openid-client, for Node.js, does the same
    OpenidClient,
    /// simple-oauth2, for Node.js, does the same
    SimpleOauth2,
    /// passport-oauth2, for Node.js, does the same
    PassportOauth2,
    /// Authlib, for Python, does the same
    Authlib,
    /// The libraries of Standard Webhooks, for Python and Node.js, check what is sent
    Webhooks,
    /// The open data is read by clients of MCP, by calendars, csv and pyld, and judged by spectral and schemathesis
    OpenData,
    /// E-invoices are valid by the rules of their publishers
    Documents,
    /// Nothing that is sent breaks a reader
    Fuzz,
}

impl Judge {
    fn needs_server(self) -> bool {
        !matches!(self, Self::Documents | Self::Fuzz)
    }
}

/// What to run.
#[derive(Debug, Clone, clap::Args)]
pub struct Options {
    /// Examples per operation that schemathesis makes
    #[arg(long, default_value_t = 2000)]
    pub examples: u32,
    /// Only operations whose path matches, so that several runs can share them [default: all]
    #[arg(long, value_name = "REGEX")]
    pub paths: Option<String>,
    /// No operations with this method; may be repeated
    #[arg(long, value_name = "METHOD")]
    pub exclude_method: Vec<String>,
    /// Sent invoices in the books that schemathesis judges; reading is judged much sooner where lists are short
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(20..))]
    pub invoices: u32,
    /// What schemathesis begins from, to see the same again [default: random]
    #[arg(long)]
    pub seed: Option<u128>,
    /// How long each fuzz target runs
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..))]
    pub fuzz_seconds: u32,
    /// Only this judge; may be repeated
    #[arg(long, value_name = "NAME")]
    pub only: Vec<Judge>,
    /// The binary to judge [default: a debug build, which notices overflows]
    #[arg(long)]
    pub binary: Option<PathBuf>,
}

impl Options {
    fn wants(&self, judge: Judge) -> bool {
        self.only.is_empty() || self.only.contains(&judge)
    }
}

/// How a judgement went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Pass,
    Fail,
    /// The judge is not there.
    NotRun,
}

/// What a judge said.
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
/// A judge cannot be installed or the server does not start. What a judge finds is in the exit code.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let mut verdicts = Vec::new();
    if Judge::value_variants().iter().any(|judge| judge.needs_server() && options.wants(*judge)) {
        judge_server(options, &mut verdicts)?;
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
    // What was asked for by name must have run.
    let well = |verdict: &Verdict| match verdict.outcome {
        Outcome::Pass => true,
        Outcome::Fail => false,
        Outcome::NotRun => options.only.is_empty(),
    };
    Ok(if verdicts.iter().all(well) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Lets those judge that need a running server, and verifies its books afterwards.
fn judge_server(options: &Options, verdicts: &mut Vec<Verdict>) -> anyhow::Result<()> {
    // What cannot be installed is known before anything runs.
    let spectral_tool = options.wants(Judge::Spectral).then(install_spectral).transpose()?;
    let schemathesis_tool = options.wants(Judge::Schemathesis).then(schemathesis::install).transpose()?;
    let typescript = options.wants(Judge::Typescript).then(clients::Typescript::install).transpose()?;
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
    let receivers = options.wants(Judge::Webhooks).then(webhooks::Receivers::install).transpose()?;
    let open_data = options.wants(Judge::OpenData).then(open_data::Tools::install).transpose()?;
    let folder = tempfile::tempdir()?;
    let program =
        Program { binary: server_binary(options)?, database: format!("sqlite:{}", folder.path().join("books.db").display()) };
    program.open_account(schemathesis::EMAIL)?;
    let scopes = ["--scope", "read", "--scope", "write", "--scope", "file"];
    let key = program.add_key(schemathesis::EMAIL, &scopes)?;
    let test_key = program.add_key(schemathesis::EMAIL, &[&scopes[..], &["--test"]].concat())?;
    let seeded =
        options.wants(Judge::Schemathesis).then(|| schemathesis::Seeded::sent(&program, options.invoices)).transpose()?;
    let log = folder.path().join("log");
    // Webhooks lead to this machine.
    let server = program.serve_with(&log, &["--rate-limit", "0", "--webhook-allow-private"])?;

    let description = folder.path().join("openapi.json");
    let text = ureq::get(format!("{}/api/openapi.json", server.origin)).call()?.body_mut().read_to_string()?;
    ensure!(!text.is_empty(), "the server gives no description");
    std::fs::write(&description, text)?;
    if let Some(tool) = spectral_tool {
        verdicts.push(spectral(&tool, "spectral", &description)?);
    }
    // Each client has an account of its own: it knows every amount in it.
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
    if let (Some(tool), Some(seeded)) = (schemathesis_tool, seeded) {
        seeded.rest(&server.origin, &key)?;
        verdicts.push(schemathesis::run(&tool, folder.path(), &server.origin, (&key, &test_key), &seeded, options)?);
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

/// The program that is asked for, or else the one that is built from here.
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

/// Puts packages of Python in a folder of their own under `target/judge`, once per version, and gives where their programs are.
fn python_tools(folder: &str, name: &str, packages: &[&str]) -> anyhow::Result<PathBuf> {
    let place = target().join("judge").join(folder);
    once(name, packages, || {
        process::run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&place))
            .with_context(|| format!("{name} needs python3 with venv (`apt-get install python3-venv`)"))?;
        process::run(Command::new(place.join("bin/pip")).args(["install", "--quiet"]).args(packages))
    })?;
    Ok(place.join("bin"))
}

/// The same with packages of node; gives the folder that holds `node_modules`.
fn node_tools(folder: &str, name: &str, packages: &[&str]) -> anyhow::Result<PathBuf> {
    let place = target().join("judge").join(folder);
    once(name, packages, || {
        let install = ["install", "--silent", "--no-audit", "--no-fund", "--prefix"];
        process::run(Command::new("npm").args(install).arg(&place).args(packages))
            .with_context(|| format!("{name} needs node with npm (`apt-get install npm`)"))
    })?;
    Ok(place)
}

/// Runs an installation unless a mark says that these versions are there.
fn once(name: &str, packages: &[&str], install: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
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
    command.args(["lint", "--fail-severity", "hint", "--ruleset"]).arg(workspace().join("lab/judge/spectral.yaml"));
    judge(name, "the description keeps the rules of OpenAPI".into(), command.arg(description))
}

/// Runs a judge; what it says is seen.
fn judge(judge: &'static str, about: String, command: &mut Command) -> anyhow::Result<Verdict> {
    let begun = Instant::now();
    let well = step(command)?;
    Ok(Verdict::new(judge, about, well, begun))
}

/// Runs a program to its end and gives whether it went well; what it says is seen.
fn step(command: &mut Command) -> anyhow::Result<bool> {
    Ok(Process::start(command.stdin(Stdio::null()), Signal::TERM)?.wait()?.success())
}
