//! Random cases of the tax calculators: a second program, in Python, recomputes them by the law and
//! compares every field of the answer.

use super::{Options, Verdict, judge};
use crate::server::Server;
use std::{path::Path, process::Command};
use xtask::workspace;

/// Seed of a run without `--seed`, so that chance does not decide the outcome.
const SEED: u128 = 1;

/// Runs the program on a running server. The calculators are public and need no account.
pub(super) fn run(server: &Server, options: &Options) -> anyhow::Result<Verdict> {
    let mut command = Command::new("python3");
    // Without the folder of compiled files beside the sources.
    command
        .arg("-B")
        .arg(Path::new(workspace()).join("lab/judge/estimates"))
        .args(["--origin", &server.origin])
        .args(["--cases", &options.cases.to_string()])
        .args(["--seed", &options.seed.unwrap_or(SEED).to_string()]);
    let about =
        format!("a second program computes the same for {} random tax cases", options.cases);
    judge("estimates", about, &mut command)
}
