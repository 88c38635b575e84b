//! `distribute`: distributes the tables of a PostgreSQL database over its nodes, with the Citus
//! extension.

use crate::{cli::DistributeOptions, commands::counted, database};
use store::{DatabaseUrl, Distribution};

pub(crate) fn run(given: Option<DatabaseUrl>, options: &DistributeOptions) -> anyhow::Result<()> {
    let url = database::existing(given)?;
    let DistributeOptions { role, shards, dry_run, while_serving } = options;
    let distribution = Distribution {
        role: role.clone(),
        shards: *shards,
        dry_run: *dry_run,
        while_serving: *while_serving,
    };
    let steps = store::distribute(&url, &distribution, |step| -> anyhow::Result<()> {
        Ok(say!("{step}")?)
    })?;
    match (steps, dry_run) {
        (0, _) => say!("the tables are distributed, and {role} has its rights: nothing to do")?,
        (steps, true) => say!("{} to take; nothing was changed", counted(steps, "step"))?,
        (steps, false) => {
            say!("done, in {}; serve with the role {role} from now on", counted(steps, "step"))?
        }
    }
    Ok(())
}
