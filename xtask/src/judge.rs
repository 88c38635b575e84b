//! `judge`: lets others' programs judge the API: schemathesis the server against its description, spectral the description itself.

use crate::{
    cargo,
    process::{self, Process},
    server::Program,
    target, workspace,
};
use anyhow::{Context, ensure};
use rustix::process::Signal;
use std::{
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    time::{Duration, Instant},
};

/// The versions that judge; a newer one may find more.
const SCHEMATHESIS: &str = "schemathesis==4.32.5";
const SPECTRAL: &str = "@stoplight/spectral-cli@6.16.3";

/// What to run.
#[derive(Debug, Clone, clap::Args)]
pub struct Options {
    /// Examples per operation that schemathesis makes
    #[arg(long, default_value_t = 2000)]
    pub examples: u32,
    /// What schemathesis begins from, to see the same again [default: random]
    #[arg(long)]
    pub seed: Option<u64>,
    /// The binary to judge [default: a debug build, which notices overflows]
    #[arg(long)]
    pub binary: Option<PathBuf>,
}

/// What a judge said.
struct Verdict {
    judge: &'static str,
    about: String,
    well: bool,
    took: Duration,
}

/// Runs the command.
///
/// # Errors
/// A judge cannot be installed or the server does not start. What a judge finds is in the exit code.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let tools = install()?;
    let binary = match &options.binary {
        Some(binary) => binary.clone(),
        None => {
            process::run(cargo().args(["build", "--package", "grootboek"]))?;
            target().join("debug/grootboek")
        }
    };
    let folder = tempfile::tempdir()?;
    let program = Program { binary, database: format!("sqlite:{}", folder.path().join("books.db").display()) };
    let key = program.open_account("judge@example.com")?;
    program.run(&["project", "add", "--email", "judge@example.com", "--name", "Judged"])?;
    let server = program.serve(&folder.path().join("log"))?;

    let mut verdicts = vec![
        spectral(&tools, folder.path(), &server.origin)?,
        schemathesis(&tools, folder.path(), &server.origin, &key, options)?,
    ];
    server.stop()?;
    let begun = Instant::now();
    let (discrepancies, proof) = program.verify()?;
    if discrepancies > 0 {
        println!("{proof}");
    }
    let about = format!("the books afterwards: {discrepancies} discrepancies");
    verdicts.push(Verdict { judge: "verify", about, well: discrepancies == 0, took: begun.elapsed() });

    println!();
    for Verdict { judge, about, well, took } in &verdicts {
        println!("{} {judge:<12} {:>6.1} s  {about}", if *well { "pass" } else { "FAIL" }, took.as_secs_f64());
    }
    Ok(if verdicts.iter().all(|verdict| verdict.well) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

struct Tools {
    schemathesis: PathBuf,
    spectral: PathBuf,
}

/// Puts both judges under `target/judge`, once per version.
fn install() -> anyhow::Result<Tools> {
    let folder = target().join("judge");
    std::fs::create_dir_all(&folder)?;
    let (python, node) = (folder.join("python"), folder.join("node"));
    let schemathesis = python.join("bin/schemathesis");
    once(&folder.join("schemathesis.version"), SCHEMATHESIS, || {
        process::run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&python))
            .context("schemathesis needs python3 with venv (`apt-get install python3-venv`)")?;
        process::run(Command::new(python.join("bin/pip")).args(["install", "--quiet", SCHEMATHESIS]))
    })?;
    let spectral = node.join("node_modules/.bin/spectral");
    once(&folder.join("spectral.version"), SPECTRAL, || {
        let install = ["install", "--silent", "--no-audit", "--no-fund", "--prefix"];
        process::run(Command::new("npm").args(install).arg(&node).arg(SPECTRAL))
            .context("spectral needs node with npm (`apt-get install npm`)")
    })?;
    Ok(Tools { schemathesis, spectral })
}

/// Runs an installation unless `mark` says that this version is there.
fn once(mark: &Path, version: &str, install: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
    if std::fs::read_to_string(mark).is_ok_and(|there| there == version) {
        return Ok(());
    }
    eprintln!("installing {version} under {}", target().join("judge").display());
    install()?;
    std::fs::write(mark, version).map_err(Into::into)
}

fn spectral(tools: &Tools, folder: &Path, origin: &str) -> anyhow::Result<Verdict> {
    let description = folder.join("openapi.json");
    let text = ureq::get(format!("{origin}/api/openapi.json")).call()?.body_mut().read_to_string()?;
    ensure!(!text.is_empty(), "the server gives no description");
    std::fs::write(&description, text)?;
    let mut command = Command::new(&tools.spectral);
    command.args(["lint", "--fail-severity", "hint", "--ruleset"]).arg(workspace().join("xtask/judge/spectral.yaml"));
    judge("spectral", "the description keeps the rules of OpenAPI".into(), command.arg(&description))
}

fn schemathesis(tools: &Tools, folder: &Path, origin: &str, key: &str, options: &Options) -> anyhow::Result<Verdict> {
    let mut command = Command::new(&tools.schemathesis);
    command.arg("--config-file").arg(workspace().join("xtask/judge/schemathesis.toml"));
    command.args(["run", &format!("{origin}/api/openapi.json"), "--header", &format!("X-API-Key: {key}")]);
    // One worker: Python 3.11 fails now and then when several threads parse ("AST constructor recursion depth mismatch").
    command.args(["--checks", "all", "--continue-on-failure", "--workers", "1"]);
    command.args(["--max-examples", &options.examples.to_string()]);
    if let Some(seed) = options.seed {
        command.args(["--seed", &seed.to_string()]);
    }
    // It keeps what it learned beside where it runs.
    let about = format!("the server does what it describes: all checks, {} examples per operation", options.examples);
    judge("schemathesis", about, command.current_dir(folder))
}

/// Runs a judge; what it says is seen.
fn judge(judge: &'static str, about: String, command: &mut Command) -> anyhow::Result<Verdict> {
    let begun = Instant::now();
    let mut running = Process::start(command.stdin(Stdio::null()), Signal::TERM)?;
    let well = running.wait()?.success();
    Ok(Verdict { judge, about, well, took: begun.elapsed() })
}
