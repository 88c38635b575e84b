//! `migrate`: whether the tables are those of this program, and bringing them up to date.

use crate::{commands::counted, database};
use anyhow::bail;
use std::process::ExitCode;
use store::{DatabaseUrl, Store, known_schema};

pub(crate) fn run(given: Option<DatabaseUrl>, check: bool, while_serving: bool) -> anyhow::Result<ExitCode> {
    let url = database::existing(given)?;
    let (found, due) = due(&url)?;
    if due == 0 {
        say!("the tables have version {found}, as this program wants: nothing is due")?;
        return Ok(ExitCode::SUCCESS);
    }
    if check {
        say!(
            "the tables have version {found}, this program works with version {}: {} due",
            known_schema(),
            counted(due, "step")
        )?;
        return Ok(ExitCode::FAILURE);
    }
    // What a server may do when it starts.
    let opened = if while_serving { Store::open_to_serve(&url, 1) } else { Store::open(&url, 1) };
    drop(database::explained(opened)?);
    say!("the tables were brought from version {found} to {}", known_schema())?;
    Ok(ExitCode::SUCCESS)
}

/// The version of the tables, and how many steps are due.
fn due(url: &DatabaseUrl) -> anyhow::Result<(i64, i64)> {
    let found = database::explained(store::schema(url))?;
    let due = known_schema() - found;
    if due < 0 {
        bail!(
            "the tables have version {found}, of a newer version of grootboek; this one works with version {}: start that version, or \
             restore a backup",
            known_schema()
        );
    }
    Ok((found, due))
}

/// For a server that is not to bring the tables up to date itself.
pub(crate) fn ensure_nothing_is_due(url: &DatabaseUrl) -> anyhow::Result<()> {
    let (found, due) = due(&database::existing(Some(url.clone()))?)?;
    if due > 0 {
        bail!(
            "the tables have version {found}, this program works with version {}: run `grootboek migrate` first (with \
             --while-serving if other nodes are at work), or start without --migrate never",
            known_schema()
        );
    }
    Ok(())
}
