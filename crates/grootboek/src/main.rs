//! Command line of grootboek.

/// Prints a line. Unlike `println!`, it returns an error if the reader has closed the pipe, as
/// `head` does.
macro_rules! say {
    ($($text:tt)*) => {
        std::io::Write::write_fmt(&mut std::io::stdout(), format_args!("{}\n", format_args!($($text)*)))
    };
}

mod account_help;
mod audit_file;
mod bank;
mod cli;
mod commands;
mod database;
mod demo;
mod distribute;
mod due;
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
mod vat;
mod verify;
mod version;

use clap::Parser;
use cli::{Cli, Command};
use std::{
    io::{self, ErrorKind, Write},
    process::ExitCode,
};

/// mimalloc, because threads that serve requests wait for each other in the system's allocator
/// (measured: mimalloc serves a third more reads per second). Huge pages are off (`no_thp`): with
/// them, an idle server uses 47 MiB instead of 27 MiB and is not faster.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = Cli::parse();
    // `serve` logs these warnings itself.
    if !matches!(cli.command, Command::Serve(_)) {
        for warning in variables::unknown() {
            let _ = writeln!(io::stderr(), "grootboek: warning: {warning}");
        }
    }
    match run(cli) {
        Ok(code) => code,
        // A closed pipe is no failure: the command did its work, and nobody reads the rest of its
        // output.
        Err(error)
            if error
                .downcast_ref::<io::Error>()
                .is_some_and(|error| error.kind() == ErrorKind::BrokenPipe) =>
        {
            ExitCode::SUCCESS
        }
        Err(error) => {
            let _ = writeln!(io::stderr(), "grootboek: {}", commands::in_words(&error));
            ExitCode::FAILURE
        }
    }
}

fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    let url = cli.database;
    let database = url.as_ref().map(|text| text.parse()).transpose()?;
    match cli.command {
        Command::Serve(options) => serve::run(database, &options)?,
        Command::Demo(options) => {
            // `GROOTBOEK_DATABASE` may be set for other commands, so only an explicit option is an
            // error.
            let typed =
                url.filter(|url| std::env::var("GROOTBOEK_DATABASE").ok().as_ref() != Some(url));
            anyhow::ensure!(
                typed.is_none(),
                "demo creates a database of its own and does not accept --database; use --keep FILE to keep it"
            );
            demo::run(&options)?;
        }
        Command::Account(command) => people::account(database, command)?,
        Command::Mail(command) => mail::run(database, command)?,
        Command::Key(command) => people::key(database, command)?,
        Command::Project(command) => people::project(database, command)?,
        Command::Oauth(command) => oauth::run(database, command)?,
        Command::Verify(options) => return verify::run(database, &options),
        Command::Bank(command) => bank::run(database, command)?,
        Command::Vat(command) => vat::run(database, command)?,
        Command::Due(command) => due::run(database, command)?,
        Command::AuditFile(options) => audit_file::run(database, &options)?,
        Command::Migrate { check, while_serving } => {
            return migrate::run(database, check, while_serving);
        }
        Command::Distribute(options) => distribute::run(database, &options)?,
        Command::Move(options) => moving::run(database, &options)?,
        Command::Backup(options) => keep::backup(database, &options)?,
        Command::Restore { file, replace, secret_file } => {
            keep::restore(database, &file, replace, secret_file)?
        }
        Command::Completions { shell } => manual::completions(shell)?,
        Command::Manual { folder } => manual::pages(&folder)?,
        Command::Fill { email, invoices, year } => fill::run(database, &email, invoices, year)?,
    }
    Ok(ExitCode::SUCCESS)
}
