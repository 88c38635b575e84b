//! `cargo xtask tidy`: checks beyond the compiler's.
//!
//! Rejects module cycles, retired words, odd grammar in comments, citations of missing files and
//! members, routes without a test, handlers that access the store directly, long functions whose
//! length no comment justifies, and commit messages that break the rules. Lists the long functions
//! whose length is justified.

mod citations;
mod commits;
mod cycles;
mod functions;
mod members;
mod modules;
mod prose;
mod routes;
mod store;
mod words;

use anyhow::Context;
use std::{
    collections::BTreeMap,
    path::Path,
    process::{Command, ExitCode},
};

/// Files of the repository with their text, by path from its root.
type Files = BTreeMap<String, String>;

/// Checks the work tree.
///
/// # Errors
/// Git does not list the files, or a Rust file cannot be parsed.
pub fn run() -> anyhow::Result<ExitCode> {
    let files = files(crate::workspace())?;
    let long = functions::find(&files)?;
    let refused = [
        ("module cycles", cycles::find(&files)?),
        ("retired words", words::find(&files)?),
        ("grammar that stops a reader", prose::find(&files)?),
        ("citations of what is not in the repository", citations::find(&files)),
        ("members in documents that do not exist", members::find(&files)?),
        ("routes that no test visits", routes::find(&files)?),
        ("direct uses of the store by handlers", store::find(&files)?),
        ("functions that are long without a reason", long.refused),
        ("commits that break the rules for messages", commits::find(crate::workspace())?),
    ];
    let mut faults = 0;
    for (what, found) in &refused {
        println!("{what}: {}", found.len());
        found.iter().for_each(|line| println!("  {line}"));
        faults += found.len();
    }
    println!(
        "functions of more than {} lines, with a reason (not refused): {}",
        functions::MOST_LINES,
        long.listed.len()
    );
    long.listed.iter().for_each(|line| println!("  {line}"));
    Ok(if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Returns the text files that git tracks or would add.
fn files(root: &Path) -> anyhow::Result<Files> {
    let listed = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .context("git lists the files")?;
    let names = String::from_utf8(listed.stdout)?;
    let texts = names
        .lines()
        .filter_map(|name| Some((name.to_owned(), std::fs::read_to_string(root.join(name)).ok()?)));
    Ok(texts.collect())
}
