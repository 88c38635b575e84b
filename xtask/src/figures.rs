//! `cargo xtask figures`: figures of tax law still missing for the coming year.

use crate::cargo;
use clap::Args;
use std::process::ExitCode;

/// Options of `figures`
#[derive(Args)]
pub struct Options {
    /// Today's date, as YYYY-MM-DD
    #[arg(long, value_name = "DATE")]
    on: String,
}

/// Runs the example `figures` of the crate `tax`, so that this program does not depend on the
/// figures.
///
/// # Errors
/// Cargo cannot be started.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let mut figures = cargo();
    figures.args(["run", "--quiet", "--package", "tax", "--example", "figures", "--", &options.on]);
    Ok(if figures.status()?.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
