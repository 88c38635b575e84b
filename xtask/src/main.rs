//! `cargo xtask`: what a person who works on the code runs.

use clap::{Parser, Subcommand};
use std::process::ExitCode;
use xtask::{bare, bench, crash, dist, faults, figures, judge, leftovers, record, scale, suite, tidy};

/// What a person who works on grootboek runs
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run all tests, with a PostgreSQL server of their own, and count them
    #[command(after_help = "Examples: cargo xtask test\n          cargo xtask test -- -p store numbers")]
    Test {
        /// Handed to `cargo test`
        #[arg(last = true)]
        arguments: Vec<String>,
    },
    /// Measure a release build against its targets (needs wrk and PostgreSQL; a few minutes)
    #[command(after_help = "Examples: cargo xtask bench --quick\n          cargo xtask bench --only sqlite --only read")]
    Bench(bench::Options),
    /// Kill the server and the database under load, and check that nothing acknowledged was lost
    #[command(after_help = "Example: cargo xtask crash --rounds 5 --victim sqlite")]
    Crash(crash::Options),
    /// Cause what goes wrong in earnest (a full disk, a database that hangs, …) and look what clients see (Linux, best as root)
    #[command(after_help = "Example: cargo xtask faults --only disk-full --only database")]
    Faults(faults::Options),
    /// Let others' programs judge the API and its description: spectral, schemathesis, generated clients, cargo-fuzz (needs python3 and npm)
    #[command(
        after_help = "Examples: cargo xtask judge --examples 100 --fuzz-seconds 60\n          cargo xtask judge --only typescript --only python"
    )]
    Judge(judge::Options),
    /// Distribute the tables over a throw-away cluster of Citus, run the tests of the API on it, and check that requests go to one node
    #[command(after_help = "Example: cargo xtask scale")]
    Scale(scale::Options),
    /// Record which statements and tables a version has, so that later ones can be compared with it
    #[command(after_help = "Example: cargo xtask record v0.2")]
    Record(record::Options),
    /// Check what no compiler checks: module cycles, retired words, citations, routes without a test, long functions
    Tidy,
    /// List the figures of tax law that the year to come still lacks; from 1 December on that is an error
    #[command(after_help = "Example: cargo xtask figures --on 2026-12-01")]
    Figures(figures::Options),
    /// Make what is given out, in target/dist: an archive, a Debian package, a Containerfile, checksums
    #[command(after_help = "Examples: cargo xtask dist --check\n          cargo xtask dist --binary target/debug/grootboek")]
    Dist(dist::Options),
    /// Answer every request with a file and do nothing else: what reading is measured against
    #[command(hide = true)]
    Bare(bare::Options),
    /// Write the invoices of a database again with plain rusqlite: what creating is measured against
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
