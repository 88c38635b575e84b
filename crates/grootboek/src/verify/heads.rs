//! Heads that were recorded before: the hashes of last entries, which must still be in the chain.

use anyhow::Context;
use serde::Deserialize;
use service::Error;
use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    path::Path,
};
use store::{Tx, accounts::Account, journal};

/// A line of the file: what `verify --json` printed.
#[derive(Deserialize)]
struct Line {
    accounts: Vec<RecordedAccount>,
}

/// What such a line says of an account.
#[derive(Deserialize)]
struct RecordedAccount {
    id: Option<i64>,
    email: String,
    #[serde(default)]
    entries: i64,
    #[serde(default)]
    head: String,
}

/// The heads of a file, by account.
pub(super) struct Heads {
    accounts: BTreeMap<(Option<i64>, String), BTreeSet<String>>,
}

/// Reads a file of heads, one verification a line.
pub(super) fn read(file: &Path) -> anyhow::Result<Heads> {
    let text = std::fs::read_to_string(file).with_context(|| format!("--against: cannot read {}", file.display()))?;
    let mut accounts: BTreeMap<_, BTreeSet<String>> = BTreeMap::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let place = || format!("--against: line {} of {} is not what `verify --json` prints", number + 1, file.display());
        let line: Line = serde_json::from_str(line).with_context(place)?;
        for recorded in line.accounts {
            let heads = accounts.entry((recorded.id, recorded.email)).or_default();
            // Of empty books there is no entry to look for.
            if recorded.entries > 0 {
                heads.insert(recorded.head.to_ascii_lowercase());
            }
        }
    }
    anyhow::ensure!(!accounts.is_empty(), "--against: {} holds no heads", file.display());
    Ok(Heads { accounts })
}

impl Heads {
    /// Those that were recorded of an account: by its id, or by its address where a line has no id.
    pub(super) fn of(&self, account: &Account) -> Vec<String> {
        let is_its = |(id, email): &&(Option<i64>, String)| is(*id, email, account);
        self.accounts.iter().filter(|(key, _)| is_its(key)).flat_map(|(_, heads)| heads.iter().cloned()).collect()
    }

    /// Accounts that were recorded and are not there.
    pub(super) fn without_account(&self, accounts: &[Account]) -> Vec<String> {
        let is_there = |(id, email): &&(Option<i64>, String)| accounts.iter().any(|account| is(*id, email, account));
        let gone: BTreeSet<&String> = self.accounts.keys().filter(|key| !is_there(key)).map(|(_, email)| email).collect();
        gone.into_iter().cloned().collect()
    }
}

fn is(id: Option<i64>, email: &str, account: &Account) -> bool {
    id.map_or(email == account.owner.email, |id| id == account.id)
}

/// What is wrong with the recorded heads: those that are in the books no more.
pub(super) fn missing(tx: &mut Tx<'_>, account: i64, recorded: &[String]) -> Result<Vec<String>, Error> {
    if recorded.is_empty() {
        return Ok(Vec::new());
    }
    let hex = |hash: [u8; 32]| hash.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let there: HashSet<String> = journal::hashes(tx, account)?.into_iter().map(hex).collect();
    let gone = recorded.iter().filter(|head| !there.contains(*head));
    Ok(gone
        .map(|head| format!("the head {head}, which was noted, is not in the books any more: entries were changed since"))
        .collect())
}
