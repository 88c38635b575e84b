//! schemathesis: generates valid and invalid requests from the description, and checks that the
//! responses match it.

use super::{Options, Verdict, judge, python_tools};
use crate::server::Program;
use anyhow::Context;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::Command,
};
use xtask::workspace;

/// Pinned version; a newer one may report more.
const SCHEMATHESIS: &str = "schemathesis==4.32.5";

/// Email address of the account.
pub(super) const EMAIL: &str = "judge@example.com";
/// Number of records of each kind other than sent invoices.
const OTHERS: u32 = 20;

pub(super) fn install() -> anyhow::Result<PathBuf> {
    Ok(python_tools("python", "schemathesis", &[SCHEMATHESIS])?.join("schemathesis"))
}

/// Books that contain most ids that schemathesis generates (see `lab/judge/hooks.py`).
pub(super) struct Seeded {
    /// Number of sent invoices, which have the first ids.
    invoices: u32,
}

impl Seeded {
    /// Creates sent invoices and projects with the program's commands, before the server runs.
    pub(super) fn sent(program: &Program, invoices: u32) -> anyhow::Result<Self> {
        program.run(&[
            "fill",
            "--email",
            EMAIL,
            "--invoices",
            &invoices.to_string(),
            "--year",
            "2026",
        ])?;
        for number in 1..=OTHERS {
            program.run(&[
                "project",
                "add",
                "--email",
                EMAIL,
                "--name",
                &format!("Project {number}"),
            ])?;
        }
        Ok(Self { invoices })
    }

    /// Number of drafts, which follow the sent invoices.
    fn drafts(&self) -> u32 {
        self.invoices / 5
    }

    /// Creates all other records through the API. The contacts are the customers of the invoices.
    pub(super) fn rest(&self, origin: &str, key: &str) -> anyhow::Result<()> {
        let post = |path: &str, body: &str| {
            let request = ureq::post(format!("{origin}/api/v1/{path}")).header("x-api-key", key);
            request
                .header("content-type", "application/json")
                .send(body)
                .map(drop)
                .context(path.to_owned())
        };
        let draft = r#"{"customer":{"name":"Customer 1"},"items":[{"description":"Work","unitPrice":10,"vatRate":21}]}"#;
        for _ in 0..self.drafts() {
            post("invoices", draft)?;
        }
        for number in 1..=OTHERS {
            post(&format!("invoices/{number}/payments"), r#"{"date":"2026-01-02","amount":1}"#)?;
            let hours = r#""date":"2026-03-13","hours":0.25,"description":"Work"}"#;
            post("time-entries", &format!(r#"{{"projectId":{number},{hours}"#))?;
            post("hours-log", &format!("{{{hours}"))?;
        }
        Ok(())
    }
}

/// Prints how often each operation answered with each status, according to the server's log: this
/// shows whether schemathesis got beyond rejected requests.
pub(super) fn print_answers(log: &str) {
    let mut answers: BTreeMap<(String, String), BTreeMap<u64, u32>> = BTreeMap::new();
    for line in log.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
    {
        if let (Some(route), Some(method), Some(status)) =
            (line["route"].as_str(), line["method"].as_str(), line["status"].as_u64())
        {
            *answers
                .entry((route.to_owned(), method.to_owned()))
                .or_default()
                .entry(status)
                .or_default() += 1;
        }
    }
    println!("\nanswers by operation:");
    // Leaves out methods that a path does not support, which schemathesis tries too.
    answers.retain(|_, by_status| !by_status.keys().all(|status| *status == 405));
    for ((route, method), by_status) in answers
        .iter()
        .filter(|((_, method), _)| ["GET", "POST", "PATCH"].contains(&method.as_str()))
    {
        let counts: Vec<String> =
            by_status.iter().map(|(status, count)| format!("{status}: {count}")).collect();
        println!("  {method:<5} {route}  {}", counts.join(", "));
    }
}

/// Runs schemathesis on the account of the first key; the second key belongs to its test account.
pub(super) fn run(
    tool: &Path,
    folder: &Path,
    origin: &str,
    (key, test_key): (&str, &str),
    seeded: &Seeded,
    options: &Options,
) -> anyhow::Result<Verdict> {
    let mut command = Command::new(tool);
    command.arg("--config-file").arg(workspace().join("lab/judge/schemathesis.toml"));
    command.args(["run", &format!("{origin}/api/openapi.json")]);
    command.env("JUDGE_KEY", key).env("JUDGE_TEST_KEY", test_key);
    // One worker: Python 3.11 sometimes fails if several threads parse at once ("AST constructor
    // recursion depth mismatch").
    command.args(["--checks", "all", "--continue-on-failure", "--workers", "1"]);
    command.args(["--max-examples", &options.examples.to_string()]);
    if let Some(paths) = &options.paths {
        command.args(["--include-path-regex", paths]);
    }
    for method in &options.exclude_method {
        command.args(["--exclude-method", method]);
    }
    if let Some(seed) = options.seed {
        command.args(["--seed", &seed.to_string()]);
    }
    command.env("SCHEMATHESIS_HOOKS", workspace().join("lab/judge/hooks.py"));
    for (name, count) in
        [("INVOICES", seeded.invoices), ("DRAFTS", seeded.drafts()), ("OTHERS", OTHERS)]
    {
        command.env(format!("JUDGE_{name}"), count.to_string());
    }
    // schemathesis writes its cache to the current folder.
    let of = options
        .paths
        .as_ref()
        .map_or_else(String::new, |paths| format!(" whose path matches {paths}"));
    let about = format!(
        "the server matches its description: all checks, {} examples per operation{of}",
        options.examples
    );
    judge("schemathesis", about, command.current_dir(folder))
}
