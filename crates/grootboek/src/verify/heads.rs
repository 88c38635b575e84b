//! Recorded heads: hashes with which an account's chain ended when they were recorded, and which
//! must still be part of it.

use anyhow::Context;
use serde::Deserialize;
use service::Error;
use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    path::Path,
};
use store::{Tx, accounts::Account, journal};

/// A line of the file, as printed by `verify --json`.
#[derive(Deserialize)]
struct Line {
    accounts: Vec<RecordedAccount>,
}

/// Account recorded in a line.
#[derive(Deserialize)]
struct RecordedAccount {
    id: Option<i64>,
    email: String,
    #[serde(default)]
    entries: i64,
    #[serde(default)]
    head: String,
}

/// Heads in a file, by account.
pub(super) struct Heads {
    accounts: BTreeMap<(Option<i64>, String), BTreeSet<String>>,
}

/// Reads a file of heads with one verification per line.
pub(super) fn read(file: &Path) -> anyhow::Result<Heads> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("--against: cannot read {}", file.display()))?;
    let mut accounts: BTreeMap<_, BTreeSet<String>> = BTreeMap::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let place = || {
            format!(
                "--against: line {} of {} is not what `verify --json` prints",
                number + 1,
                file.display()
            )
        };
        let line: Line = serde_json::from_str(line).with_context(place)?;
        for recorded in line.accounts {
            let heads = accounts.entry((recorded.id, recorded.email)).or_default();
            // Empty books have no entry to look for.
            if recorded.entries > 0 {
                heads.insert(recorded.head.to_ascii_lowercase());
            }
        }
    }
    anyhow::ensure!(!accounts.is_empty(), "--against: {} contains no heads", file.display());
    Ok(Heads { accounts })
}

impl Heads {
    /// Recorded heads of an account, by id, or by email address if a line has no id.
    pub(super) fn of(&self, account: &Account) -> Vec<String> {
        let is_its = |(id, email): &&(Option<i64>, String)| is(*id, email, account);
        self.accounts
            .iter()
            .filter(|(key, _)| is_its(key))
            .flat_map(|(_, heads)| heads.iter().cloned())
            .collect()
    }

    /// Recorded accounts that no longer exist.
    pub(super) fn without_account(&self, accounts: &[Account]) -> Vec<String> {
        let exists = |(id, email): &&(Option<i64>, String)| {
            accounts.iter().any(|account| is(*id, email, account))
        };
        let gone: BTreeSet<&String> =
            self.accounts.keys().filter(|key| !exists(key)).map(|(_, email)| email).collect();
        gone.into_iter().cloned().collect()
    }
}

fn is(id: Option<i64>, email: &str, account: &Account) -> bool {
    id.map_or(email == account.owner.email, |id| id == account.id)
}

/// Discrepancies: recorded heads that are no longer in the books.
pub(super) fn missing(
    tx: &mut Tx<'_>,
    account: i64,
    recorded: &[String],
) -> Result<Vec<String>, Error> {
    if recorded.is_empty() {
        return Ok(Vec::new());
    }
    let hex = |hash: [u8; 32]| hash.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let existing: HashSet<String> = journal::hashes(tx, account)?.into_iter().map(hex).collect();
    let gone = recorded.iter().filter(|head| !existing.contains(*head));
    Ok(gone
        .map(|head| {
            format!(
                "the recorded head {head} is no longer in the books: entries were changed since"
            )
        })
        .collect())
}
