//! Runs cargo-fuzz on the targets in `fuzz`.

use super::{Outcome, Verdict, judge};
use std::{
    process::{Command, Stdio},
    time::Duration,
};
use xtask::{target, workspace};

const TARGETS: [&str; 3] = ["bodies", "numbers", "statements"];

/// Runs each target for a number of seconds, or reports that it cannot.
pub(super) fn run(seconds: u32) -> anyhow::Result<Vec<Verdict>> {
    if let Some(missing) = missing() {
        let not_run = |target: &&str| Verdict {
            judge: "fuzz",
            about: format!("{target}: {missing}"),
            outcome: Outcome::NotRun,
            took: Duration::ZERO,
        };
        return Ok(TARGETS.iter().map(not_run).collect());
    }
    TARGETS.iter().map(|name| fuzz(name, seconds)).collect()
}

fn fuzz(name: &str, seconds: u32) -> anyhow::Result<Verdict> {
    let folder = target().join("judge/fuzz");
    // cargo-fuzz writes to the first folder; the corpus in the repository is only read.
    let (found, failures) = (folder.join("corpus").join(name), folder.join("failures").join(name));
    std::fs::create_dir_all(&found)?;
    std::fs::create_dir_all(&failures)?;
    let mut command = nightly();
    command
        .args(["fuzz", "run", "--sanitizer", "none", "--target-dir"])
        .arg(folder.join("target"))
        .arg(name);
    command.arg(&found).arg(workspace().join("fuzz/corpus").join(name)).arg("--");
    command.args([
        format!("-max_total_time={seconds}"),
        format!("-artifact_prefix={}/", failures.display()),
    ]);
    judge(
        "fuzz",
        format!("{name}: {seconds} s of inputs, failures are kept in {}", failures.display()),
        &mut command,
    )
}

/// Returns the missing tool, if any.
fn missing() -> Option<&'static str> {
    let there = |arguments: &[&str]| {
        let mut command = nightly();
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    if !there(&["--version"]) {
        Some("there is no nightly toolchain (`rustup toolchain install nightly`)")
    } else if !there(&["fuzz", "--version"]) {
        Some("there is no cargo-fuzz (`cargo install cargo-fuzz`)")
    } else {
        None
    }
}

/// Command for the nightly toolchain's cargo, which the cargo of another toolchain cannot select.
fn nightly() -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", "cargo"]).current_dir(workspace().join("fuzz"));
    command
}
