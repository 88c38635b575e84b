//! Variables of the environment that look like ours and are not.

use crate::cli::Cli;
use clap::{Command, CommandFactory};
use std::{collections::BTreeSet, env};

const PREFIX: &str = "GROOTBOEK_";
/// For the tests and for building.
const OTHERS: [&str; 3] = ["GROOTBOEK_TEST_", "GROOTBOEK_PG_BIN", "GROOTBOEK_COMMIT"];

/// A warning for each variable that nobody reads: most likely it is misspelt.
pub(crate) fn unknown() -> Vec<String> {
    let mut known = BTreeSet::new();
    collect(&Cli::command(), &mut known);
    let set = env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let is_meant = |name: &String| name.starts_with(PREFIX) && !OTHERS.iter().any(|other| name.starts_with(other));
    set.filter(is_meant).filter(|name| !known.contains(name)).map(|name| warning(&name, &known)).collect()
}

fn collect(command: &Command, known: &mut BTreeSet<String>) {
    known.extend(command.get_arguments().filter_map(|argument| argument.get_env()?.to_str().map(str::to_owned)));
    command.get_subcommands().for_each(|command| collect(command, known));
}

fn warning(name: &str, known: &BTreeSet<String>) -> String {
    let near = known.iter().map(|other| (distance(name, other), other)).min();
    match near.filter(|(distance, _)| *distance <= 3) {
        Some((_, meant)) => format!("the variable {name} means nothing here; did you mean {meant}?"),
        None => format!("the variable {name} means nothing here; `grootboek serve --help` names those that do"),
    }
}

/// How many letters must be changed, added or left out to make one of the other (Levenshtein).
fn distance(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (above, letter) in one.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = above + 1;
        for (place, its) in other.bytes().enumerate() {
            let changed = diagonal + usize::from(letter != its);
            diagonal = row[place + 1];
            row[place + 1] = changed.min(row[place] + 1).min(diagonal + 1);
        }
    }
    row[other.len()]
}
