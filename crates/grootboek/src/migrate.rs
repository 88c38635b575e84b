//! `migrate`: whether the tables are those of this program, and bringing them up to date.

use crate::{commands::counted, database};
use anyhow::bail;
use std::process::ExitCode;
use store::{DatabaseUrl, known_schema};

pub(crate) fn run(given: Option<DatabaseUrl>, check: bool) -> anyhow::Result<ExitCode> {
    let url = database::existing(given)?;
    let found = database::explained(store::schema(&url))?;
    let due = known_schema() - found;
    if due < 0 {
        bail!(
            "the tables have version {found}, of a newer version of grootboek; this one works with version {}: start that version, or \
             restore a backup",
            known_schema()
        );
    }
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
    database::open_store(&url, 1)?;
    say!("the tables were brought from version {found} to {}", known_schema())?;
    Ok(ExitCode::SUCCESS)
}
