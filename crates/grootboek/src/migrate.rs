//! `migrate`: checks the version of the tables, and migrates them.

use crate::{commands::counted, database};
use anyhow::bail;
use std::process::ExitCode;
use store::{DatabaseUrl, Store, known_schema};

pub(crate) fn run(
    given: Option<DatabaseUrl>,
    check: bool,
    while_serving: bool,
) -> anyhow::Result<ExitCode> {
    let url = database::existing(given)?;
    let (version, due) = due(&url)?;
    if due == 0 {
        say!("the tables have version {version}, as this program requires: nothing is due")?;
        return Ok(ExitCode::SUCCESS);
    }
    if check {
        say!(
            "the tables have version {version}, this program works with version {}: {} due",
            known_schema(),
            counted(due, "step")
        )?;
        return Ok(ExitCode::FAILURE);
    }
    // With `--while-serving`, opens the database as a server does at startup.
    let opened = if while_serving { Store::open_to_serve(&url, 1) } else { Store::open(&url, 1) };
    drop(database::explained(opened)?);
    say!("the tables were migrated from version {version} to {}", known_schema())?;
    Ok(ExitCode::SUCCESS)
}

/// Version of the tables, and number of migrations that are due.
fn due(url: &DatabaseUrl) -> anyhow::Result<(i64, i64)> {
    let version = database::explained(store::schema(url))?;
    let due = known_schema() - version;
    if due < 0 {
        bail!(
            "the tables have version {version}, of a newer version of grootboek; this one works with version {}: start that version, or \
             restore a backup",
            known_schema()
        );
    }
    Ok((version, due))
}

/// Fails if a migration is due; called when the options of the server do not allow it to migrate.
pub(crate) fn ensure_nothing_is_due(url: &DatabaseUrl) -> anyhow::Result<()> {
    let (version, due) = due(&database::existing(Some(url.clone()))?)?;
    if due > 0 {
        bail!(
            "the tables have version {version}, this program works with version {}: run `grootboek migrate` first (with \
             --while-serving if other nodes are running), or start without --migrate never",
            known_schema()
        );
    }
    Ok(())
}
