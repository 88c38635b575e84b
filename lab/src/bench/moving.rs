//! Moving books with many entries from SQLite to PostgreSQL and back.

use super::{Bench, Target};
use std::time::Instant;
use xtask::postgres::{Cluster, Durability};

/// Maximum number of seconds for a million entries; smaller moves have no target.
const ENOUGH: f64 = 180.0;

impl Bench {
    pub(super) fn moving(&mut self) -> anyhow::Result<()> {
        let (many, target) = if self.options.quick {
            ("100000", None)
        } else {
            ("1000000", Some(Target::AtMost(ENOUGH)))
        };
        let cluster = Cluster::start(Durability::Durable)?;
        let program = self.program("moving");
        program.open_account("moving@example.com")?;
        program.run(&[
            "fill",
            "--email",
            "moving@example.com",
            "--invoices",
            many,
            "--year",
            "2026",
        ])?;
        let (there, back) = (cluster.create_database("books")?, self.program("moved").database);
        for (from, to, what) in [
            (&program.database, &there, "SQLite to PostgreSQL"),
            (&there, &back, "PostgreSQL to SQLite"),
        ] {
            let begun = Instant::now();
            program.run(&["move", "--from", from, "--to", to])?;
            self.record(
                format!("move {many} entries, {what}, compared and proved"),
                begun.elapsed().as_secs_f64(),
                "s",
                target,
            );
        }
        Ok(())
    }
}
