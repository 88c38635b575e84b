//! `cargo xtask`: development tools.

use clap::{Parser, Subcommand};
use std::process::ExitCode;
use xtask::{bare, bench, crash, dist, faults, figures, judge, leftovers, record, scale, suite, tidy};

/// Development tools of grootboek
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run all tests, on a PostgreSQL server of their own, and count them
    #[command(after_help = "Examples: cargo xtask test\n          cargo xtask test -- -p store numbers")]
    Test {
        /// Arguments for `cargo test`
        #[arg(last = true)]
        arguments: Vec<String>,
    },
    /// Measure a release build against its targets (needs wrk and PostgreSQL; a few minutes)
    #[command(after_help = "Examples: cargo xtask bench --quick\n          cargo xtask bench --only sqlite --only read")]
    Bench(bench::Options),
    /// Kill the server and the database under load, and check that nothing acknowledged was lost
    #[command(after_help = "Example: cargo xtask crash --rounds 5 --victim sqlite")]
    Crash(crash::Options),
    /// Cause real faults (a full disk, a hanging database, …) and check what clients experience
    /// (Linux, best as root)
    #[command(after_help = "Example: cargo xtask faults --only disk-full --only database")]
    Faults(faults::Options),
    /// Check the API and its description with third-party programs: spectral, schemathesis,
    /// generated clients, cargo-fuzz (needs python3 and npm)
    #[command(
        after_help = "Examples: cargo xtask judge --examples 100 --fuzz-seconds 60\n          cargo xtask judge --only typescript --only python"
    )]
    Judge(judge::Options),
    /// Distribute the tables over a temporary Citus cluster, run the API tests on it, and check
    /// that requests go to one node
    #[command(after_help = "Example: cargo xtask scale")]
    Scale(scale::Options),
    /// Record the statements and tables of a version, so that later ones can be compared with it
    #[command(after_help = "Example: cargo xtask record v0.2")]
    Record(record::Options),
    /// Run checks beyond the compiler's: module cycles, retired words, citations, routes without a
    /// test, long functions
    Tidy,
    /// List the figures of tax law still missing for the coming year; from 1 December on that is an
    /// error
    #[command(after_help = "Example: cargo xtask figures --on 2026-12-01")]
    Figures(figures::Options),
    /// Build the release artifacts in target/dist: an archive, a Debian package, a Containerfile,
    /// checksums
    #[command(after_help = "Examples: cargo xtask dist --check\n          cargo xtask dist --binary target/debug/grootboek")]
    Dist(dist::Options),
    /// Respond to every request with a file: the reference for reads
    #[command(hide = true)]
    Bare(bare::Options),
    /// Write the invoices of a database again with plain rusqlite: the reference for creates
    #[command(hide = true)]
    Floor(bench::floor::Options),
}

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<ExitCode> {
    let cli = Cli::parse();
    leftovers::undo_on_signals()?;
    match cli.command {
        Command::Test { arguments } => suite::run(&arguments),
        Command::Bench(options) => bench::run(&options),
        Command::Crash(options) => crash::run(&options),
        Command::Faults(options) => faults::run(&options),
        Command::Judge(options) => judge::run(&options),
        Command::Scale(options) => scale::run(&options),
        Command::Record(options) => record::run(&options),
        Command::Tidy => tidy::run(),
        Command::Figures(options) => Ok(figures::run(&options)),
        Command::Dist(options) => dist::run(&options),
        Command::Bare(options) => bare::run(&options).map(|()| ExitCode::SUCCESS),
        Command::Floor(options) => bench::floor::run(&options).map(|()| ExitCode::SUCCESS),
    }
}
