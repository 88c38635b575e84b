//! Compares this build with an earlier one: creating and reading invoices, alternately.

use super::{Bench, Target, load::Wrk, middle};
use crate::server::{Program, Server};
use anyhow::{Context, ensure};
use std::{
    fs,
    path::{Path, PathBuf},
};
use xtask::postgres::{Cluster, Durability};

/// Number of measurements per build. The medians are compared.
const TURNS: usize = 5;
/// Number of accounts that write at the same time.
const WRITERS: usize = 50;

/// One of the two builds, serving its own books.
struct Build {
    program: Program,
    server: Server,
    keys: PathBuf,
    key: String,
}

impl Build {
    fn serve(bench: &Bench, program: Program, name: &str) -> anyhow::Result<Self> {
        let keys = bench.accounts(&program, name, WRITERS)?;
        let key =
            fs::read_to_string(&keys)?.lines().next().context("no account was made")?.to_owned();
        let server = program.serve(&bench.log())?;
        bench.wrk.create(&server.origin, &keys, "warm", 2)?;
        Ok(Self { program, server, keys, key })
    }

    fn create(&self, wrk: &Wrk, run: &str, seconds: u64) -> anyhow::Result<f64> {
        Ok(wrk.create(&self.server.origin, &self.keys, run, seconds)?.per_second())
    }

    fn read(&self, wrk: &Wrk, seconds: u64) -> anyhow::Result<f64> {
        Ok(wrk
            .read(&format!("{}/api/v1/invoices/1", self.server.origin), &self.key, 64, seconds)?
            .per_second())
    }

    fn stop(self) -> anyhow::Result<()> {
        self.server.stop()?;
        let (discrepancies, report) = self.program.verify()?;
        ensure!(discrepancies == 0, "{report}");
        Ok(())
    }
}

impl Bench {
    /// Measures creating invoices and reading them by id on both engines, alternately with an
    /// earlier binary and with this one.
    pub(super) fn beside_before(&mut self, before: &Path) -> anyhow::Result<()> {
        let cluster = Cluster::start(Durability::Durable)?;
        for engine in ["SQLite", "PostgreSQL"] {
            let program = |binary: &Path, name: &str| -> anyhow::Result<Program> {
                let database = match engine {
                    "SQLite" => self.program(name).database,
                    _ => cluster.create_database(name)?,
                };
                Ok(Program { binary: binary.to_owned(), database })
            };
            let old = Build::serve(self, program(before, "before")?, "before")?;
            let new = Build::serve(self, program(&self.binary, "after")?, "after")?;
            let (mut creates, mut reads) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
            for turn in 0..TURNS {
                for (place, build) in [&old, &new].into_iter().enumerate() {
                    creates[place].push(build.create(
                        &self.wrk,
                        &format!("run{turn}"),
                        self.seconds(),
                    )?);
                    reads[place].push(build.read(&self.wrk, self.seconds())?);
                }
            }
            old.stop()?;
            new.stop()?;
            for (what, [old, new]) in [("POST invoices", creates), ("GET invoices/{id}", reads)] {
                let what = format!("{what}, {engine}, {} (before {})", spread(&new), spread(&old));
                self.compare(
                    what,
                    middle(new),
                    "/s",
                    ("before, median of 5", middle(old)),
                    Target::AtLeast(0.95),
                );
            }
        }
        Ok(())
    }
}

/// Minimum and maximum of the measurements.
fn spread(measured: &[f64]) -> String {
    let least = measured.iter().copied().fold(f64::INFINITY, f64::min);
    let most = measured.iter().copied().fold(0.0, f64::max);
    format!("{least:.0} to {most:.0}")
}
