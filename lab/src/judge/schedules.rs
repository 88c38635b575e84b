//! Random schedules of recurring invoices: dateutil, for Python, computes the same days.

use super::{Options, Verdict, judge, python_tools};
use std::{path::Path, process::Command};
use xtask::{cargo, process, target, workspace};

/// The library that computes the days.
const DATEUTIL: &[&str] = &["python-dateutil==2.9.0.post0"];
/// Number of schedules.
const SCHEDULES: u32 = 10_000;

/// Compares the days of the schedules.
pub(super) fn run(options: &Options) -> anyhow::Result<Verdict> {
    let python = python_tools("schedules", "schedules", DATEUTIL)?.join("python");
    process::run(cargo().args([
        "build",
        "--quiet",
        "--package",
        "ledger",
        "--example",
        "schedule",
    ]))?;
    let mut command = Command::new(python);
    command
        .arg("-B")
        .arg(Path::new(workspace()).join("lab/judge/schedules.py"))
        .args(["--schedules", &SCHEDULES.to_string()])
        .args(["--seed", &options.seed.unwrap_or(super::SEED).to_string()])
        .arg(target().join("debug/examples/schedule"));
    let about = format!("dateutil computes the same days for {SCHEDULES} random schedules");
    judge("schedules", about, &mut command)
}
