//! The command line of grootboek.

/// Prints a line. Unlike `println!` it gives an error when nobody reads any more, as `head` does not after ten lines.
macro_rules! say {
    ($($text:tt)*) => {
        std::io::Write::write_fmt(&mut std::io::stdout(), format_args!("{}\n", format_args!($($text)*)))
    };
}

mod account_help;
mod audit_file;
mod cli;
mod commands;
mod database;
mod demo;
mod distribute;
mod fill;
mod keep;
mod mail;
mod manual;
mod migrate;
mod moving;
mod oauth;
mod people;
mod private;
mod serve;
mod telemetry;
mod variables;
mod verify;
mod version;

use clap::Parser;
use cli::{Cli, Command};
use std::{
    io::{self, ErrorKind, Write},
    process::ExitCode,
};

/// Two threads that serve requests wait for each other inside the system's allocator; in this one they do not (measured: a third more
/// reads a second). Without huge pages (`no_thp`): with them an idle server holds 47 MiB instead of 27, and is not faster.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = Cli::parse();
    // A server says it in its log.
    if !matches!(cli.command, Command::Serve(_)) {
        for warning in variables::unknown() {
            let _ = writeln!(io::stderr(), "grootboek: warning: {warning}");
        }
    }
    match run(cli) {
        Ok(code) => code,
        // What was asked is done; nobody wants to read more about it.
        Err(error) if error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe) => {
            ExitCode::SUCCESS
        }
        Err(error) => {
            let _ = writeln!(io::stderr(), "grootboek: {}", commands::in_words(&error));
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
        Command::Mail(command) => mail::run(database, command)?,
        Command::Key(command) => people::key(database, command)?,
        Command::Project(command) => people::project(database, command)?,
        Command::Oauth(command) => oauth::run(database, command)?,
        Command::Verify(options) => return verify::run(database, &options),
        Command::AuditFile(options) => audit_file::run(database, &options)?,
        Command::Migrate { check, while_serving } => return migrate::run(database, check, while_serving),
        Command::Distribute(options) => distribute::run(database, &options)?,
        Command::Move(options) => moving::run(database, &options)?,
        Command::Backup(options) => keep::backup(database, &options)?,
        Command::Restore { file, replace, secret_file } => keep::restore(database, &file, replace, secret_file)?,
        Command::Completions { shell } => manual::completions(shell)?,
        Command::Manual { folder } => manual::pages(&folder)?,
        Command::Fill { email, invoices, year } => fill::run(database, &email, invoices, year)?,
    }
    Ok(ExitCode::SUCCESS)
}
