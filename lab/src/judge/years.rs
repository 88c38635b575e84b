//! Random years: a second program, in Python, recomputes them by the law from its own inputs and
//! compares every cell with the API. hledger reads their journals, and the schemas of the tax office
//! and pyxaf their audit files.

use super::{Options, Verdict, documents, judge};
use crate::server::{Program, Server};
use std::{path::Path, process::Command};
use xtask::{install, workspace};

/// Seed of a run without `--seed`, so that chance does not decide the outcome.
const SEED: u128 = 1;

/// Runs the program on a running server. It opens an account for each year.
pub(super) fn run(
    program: &Program,
    server: &Server,
    options: &Options,
) -> anyhow::Result<Verdict> {
    install::ensure("hledger", "hledger", || install::find("hledger"))?;
    let mut command = Command::new(documents::python()?);
    // Without the folder of compiled files beside the sources.
    command
        .arg("-B")
        .arg(Path::new(workspace()).join("lab/judge/years"))
        .args([
            "--origin",
            &server.origin,
            "--database",
            &program.database,
            "--no-verify",
            "--judges",
        ])
        .arg("--binary")
        .arg(&program.binary)
        .args(["--years", &options.years.to_string()])
        .args(["--seed", &options.seed.unwrap_or(SEED).to_string()]);
    let about = format!("a second program computes the same for {} random years", options.years);
    judge("years", about, &mut command)
}
