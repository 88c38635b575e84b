//! Random cases of the tax calculators: a second program, in Python, recomputes them by the law and
//! compares every field of the answer.

use super::{Options, Verdict, driver, judge};
use crate::server::Server;

/// Runs the program on a running server. The calculators are public and need no account.
pub(super) fn run(server: &Server, options: &Options) -> anyhow::Result<Verdict> {
    let mut command = driver("python3".as_ref(), "estimates", server, options);
    command.args(["--cases", &options.cases.to_string()]);
    let about =
        format!("a second program computes the same for {} random tax cases", options.cases);
    judge("estimates", about, &mut command)
}
