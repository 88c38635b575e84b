//! The command line of grootboek.

mod cli;
mod database;
mod demo;
mod fill;
mod keep;
mod oauth;
mod people;
mod private;
mod serve;
mod telemetry;
mod verify;

use clap::Parser;
use cli::{Cli, Command};
use std::process::ExitCode;

/// Two threads that serve requests wait for each other inside the system's allocator; in this one they do not (measured: a third more
/// reads a second).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(cli) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("grootboek: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    let given = cli.database;
    let database = given.as_ref().map(|text| text.parse()).transpose()?;
    match cli.command {
        Command::Serve(options) => serve::run(database, &options)?,
        Command::Demo(options) => {
            // The environment may name books that are served otherwise; only what was typed is a mistake.
            let typed = given.filter(|given| std::env::var("GROOTBOEK_DATABASE").ok().as_ref() != Some(given));
            anyhow::ensure!(typed.is_none(), "demo has a fresh database of its own, not --database; to keep it use --keep FILE");
            demo::run(&options)?;
        }
        Command::Account(command) => people::account(database, command)?,
        Command::Key(command) => people::key(database, command)?,
        Command::Project(command) => people::project(database, command)?,
        Command::Oauth(command) => oauth::run(database, command)?,
        Command::Verify(options) => return verify::run(database, &options),
        Command::Backup { file } => keep::backup(database, &file)?,
        Command::Restore { file, replace } => keep::restore(database, &file, replace)?,
        Command::Fill { email, invoices, year } => fill::run(database, &email, invoices, year)?,
    }
    Ok(ExitCode::SUCCESS)
}
