//! `cargo xtask`: development tools.

use clap::{Parser, Subcommand};
use std::process::ExitCode;
use xtask::{dist, figures, leftovers, record, suite, tidy};

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
    #[command(
        after_help = "Examples: cargo xtask test\n          cargo xtask test -- -p store numbers"
    )]
    Test {
        /// Arguments for `cargo test`
        #[arg(last = true)]
        arguments: Vec<String>,
    },
    /// Record the statements and tables of a version, so that later ones can be compared with it
    #[command(after_help = "Example: cargo xtask record v0.2")]
    Record(record::Options),
    /// Run checks beyond the compiler's: module cycles, retired words, citations, routes without a
    /// test, long functions, commit messages
    Tidy,
    /// List the figures of tax law still missing for the coming year; from 1 December on that is an
    /// error
    #[command(after_help = "Example: cargo xtask figures --on 2026-12-01")]
    Figures(figures::Options),
    /// Build the release artifacts in target/dist: an archive, a Debian package, a Containerfile,
    /// checksums
    #[command(
        after_help = "Examples: cargo xtask dist --check\n          cargo xtask dist --binary target/debug/grootboek"
    )]
    Dist(dist::Options),
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
        Command::Record(options) => record::run(&options),
        Command::Tidy => tidy::run(),
        Command::Figures(options) => figures::run(&options),
        Command::Dist(options) => dist::run(&options),
    }
}
