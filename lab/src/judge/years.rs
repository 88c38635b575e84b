//! Random years: a second program, in Python, recomputes them by the law from its own inputs and
//! compares every cell with the API. hledger reads their journals, and the schemas of the tax office
//! and pyxaf their audit files.

use super::{Options, Verdict, documents, driver, judge};
use crate::server::{Program, Server};
use xtask::install;

/// Runs the program on a running server. It opens an account for each year.
pub(super) fn run(
    program: &Program,
    server: &Server,
    options: &Options,
) -> anyhow::Result<Verdict> {
    install::ensure("hledger", "hledger", || install::find("hledger"))?;
    let mut command = driver(&documents::python()?, "years", server, options);
    command
        .args(["--database", &program.database, "--no-verify", "--judges"])
        .arg("--binary")
        .arg(&program.binary)
        .args(["--years", &options.years.to_string()]);
    let about = format!("a second program computes the same for {} random years", options.years);
    judge("years", about, &mut command)
}
