//! Environment for a fault: a program with its books, and the verification of the books afterwards.

use super::clients::Seen;
use crate::{
    crash::{numbers_are_gapless, repeat},
    server::{Program, Server},
};
use anyhow::ensure;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A program with an account.
pub(super) struct Scene {
    pub(super) folder: TempDir,
    pub(super) program: Program,
    pub(super) key: String,
}

impl Scene {
    /// Opens an account in an SQLite database in a temporary folder.
    pub(super) fn new(binary: &Path) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let database = format!("sqlite:{}", folder.path().join("books.db").display());
        Self::on(binary, folder, database)
    }

    /// Opens an account in a database.
    pub(super) fn on(binary: &Path, folder: TempDir, database: String) -> anyhow::Result<Self> {
        let program = Program { binary: binary.to_owned(), database };
        let key = program.open_account("faults@example.com")?;
        Ok(Self { folder, program, key })
    }

    /// Path of the server's log.
    pub(super) fn log(&self) -> PathBuf {
        self.folder.path().join("log")
    }

    /// Starts the server.
    pub(super) fn serve(&self) -> anyhow::Result<Server> {
        self.program.serve(&self.log())
    }

    /// Stops the server. The books must contain all acknowledged invoices, each once, and pass
    /// verification.
    pub(super) fn verify(&self, server: Server, seen: &Seen) -> anyhow::Result<()> {
        repeat(&server.origin, &self.key, &seen.acknowledged)?;
        server.stop()?;
        let (discrepancies, report) = self.program.verify()?;
        ensure!(discrepancies == 0, "the verification failed: {report}");
        let count = numbers_are_gapless(&seen.acknowledged, &report)?;
        let most = seen.acknowledged.len() + seen.abandoned;
        ensure!(count <= most, "the books hold {count} invoices, but only {most} were sent");
        println!(
            "  {} acknowledged invoices all there and none twice, books verified",
            seen.acknowledged.len()
        );
        Ok(())
    }
}
