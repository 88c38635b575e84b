//! `cargo lab`: measurements and judges.

use clap::{Parser, Subcommand};
use lab::{bare, bench, crash, faults, judge, scale};
use std::process::ExitCode;

/// Measurements and judges of grootboek
#[derive(Parser)]
#[command(name = "cargo lab", bin_name = "cargo lab")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Measure a release build against its targets (needs wrk and PostgreSQL; a few minutes)
    #[command(
        after_help = "Examples: cargo lab bench --quick\n          cargo lab bench --only sqlite --only read\n          \
                            cargo lab bench --before ../before/target/release/grootboek"
    )]
    Bench(bench::Options),
    /// Kill the server and the database under load, and check that nothing acknowledged was lost
    #[command(after_help = "Example: cargo lab crash --rounds 5 --victim sqlite")]
    Crash(crash::Options),
    /// Cause real faults (a full disk, a hanging database, …) and check what clients experience
    /// (Linux, best as root)
    #[command(after_help = "Example: cargo lab faults --only disk-full --only database")]
    Faults(faults::Options),
    /// Check the API and its description with third-party programs: spectral, schemathesis,
    /// generated clients, cargo-fuzz (needs python3 and npm)
    #[command(
        after_help = "Examples: cargo lab judge --examples 100 --fuzz-seconds 60\n          cargo lab judge --only typescript --only python"
    )]
    Judge(judge::Options),
    /// Distribute the tables over a temporary Citus cluster, run the API tests on it, and check
    /// that requests go to one node
    #[command(after_help = "Example: cargo lab scale")]
    Scale(scale::Options),
    /// Respond to every request with a file: the reference for reads
    #[command(hide = true)]
    Bare(bare::Options),
    /// Write the invoices of a database again with plain rusqlite: the reference for creating
    /// invoices
    #[command(hide = true)]
    Floor(bench::floor::Options),
}

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("lab: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<ExitCode> {
    let cli = Cli::parse();
    xtask::leftovers::undo_on_signals()?;
    match cli.command {
        Command::Bench(options) => bench::run(&options),
        Command::Crash(options) => crash::run(&options),
        Command::Faults(options) => faults::run(&options),
        Command::Judge(options) => judge::run(&options),
        Command::Scale(options) => scale::run(&options),
        Command::Bare(options) => bare::run(&options).map(|()| ExitCode::SUCCESS),
        Command::Floor(options) => bench::floor::run(&options).map(|()| ExitCode::SUCCESS),
    }
}
