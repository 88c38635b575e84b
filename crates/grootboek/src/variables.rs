//! Finds unknown environment variables whose names begin like those of grootboek.

use crate::cli::Cli;
use clap::{Command, CommandFactory};
use std::{collections::BTreeSet, env};

const PREFIX: &str = "GROOTBOEK_";
/// Prefixes of the variables that only the tests and the build use.
const OTHERS: [&str; 3] = ["GROOTBOEK_TEST_", "GROOTBOEK_PG_BIN", "GROOTBOEK_COMMIT"];

/// Warnings for variables that have no effect, most likely because of a typo.
pub(crate) fn unknown() -> Vec<String> {
    let mut known = BTreeSet::new();
    collect(&Cli::command(), &mut known);
    let set = env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let is_meant = |name: &String| {
        name.starts_with(PREFIX) && !OTHERS.iter().any(|other| name.starts_with(other))
    };
    set.filter(is_meant)
        .filter(|name| !known.contains(name))
        .map(|name| warning(&name, &known))
        .collect()
}

fn collect(command: &Command, known: &mut BTreeSet<String>) {
    known.extend(
        command
            .get_arguments()
            .filter_map(|argument| argument.get_env()?.to_str().map(str::to_owned)),
    );
    command.get_subcommands().for_each(|command| collect(command, known));
}

fn warning(name: &str, known: &BTreeSet<String>) -> String {
    let near = known.iter().map(|other| (strsim::levenshtein(name, other), other)).min();
    match near.filter(|(distance, _)| *distance <= 3) {
        Some((_, meant)) => {
            format!("the variable {name} means nothing here; did you mean {meant}?")
        }
        None => format!(
            "the variable {name} means nothing here; `grootboek serve --help` names those that do"
        ),
    }
}
