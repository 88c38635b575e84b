//! A standby that follows a cluster by streaming replication, and can be promoted.

use super::{Cluster, Durability, SERVER_TIMEOUT};
use crate::process;
use anyhow::{bail, ensure};
use rustix::process::{Pid, Signal};
use std::{
    fs::{self, OpenOptions},
    io::Write,
    thread,
    time::{Duration, Instant},
};

impl Cluster {
    /// Creates and starts a standby of this cluster on a port. From then on, each commit on this
    /// cluster waits for the standby (`synchronous_standby_names`).
    ///
    /// # Errors
    /// The standby cannot be created, or does not catch up in time.
    pub fn standby(&self, port: u16) -> anyhow::Result<Self> {
        let mut standby = Self::in_folder(
            &std::env::temp_dir(),
            self.bin.clone(),
            port,
            self.password.clone(),
            Durability::Durable,
        )?;
        let mut copy = self.client("pg_basebackup");
        copy.arg("--pgdata").arg(standby.data()).args([
            "--write-recovery-conf",
            "--wal-method=stream",
            "--checkpoint=fast",
        ]);
        standby.as_owner(&mut copy);
        process::output(&mut copy)?;
        // The standby has no standby of its own, so after a promotion it must not wait for one. The
        // last value of a setting in the file applies.
        let mut settings =
            OpenOptions::new().append(true).open(standby.data().join("postgresql.auto.conf"))?;
        settings.write_all(b"synchronous_standby_names = ''\n")?;
        drop(settings);
        standby.start_again()?;
        self.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")?;
        self.sql("SELECT pg_reload_conf()")?;
        let begun = Instant::now();
        while self.sql("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'")?.trim()
            != "1"
        {
            ensure!(begun.elapsed() < SERVER_TIMEOUT, "the standby does not follow");
            thread::sleep(Duration::from_millis(20));
        }
        Ok(standby)
    }

    /// URL of a database on two clusters; connections go to the one that accepts writes.
    #[must_use]
    pub fn url_with(&self, other: &Self, database: &str) -> String {
        let hosts = format!("127.0.0.1:{},127.0.0.1:{}", self.port, other.port);
        format!(
            "postgres://{}:{}@{hosts}/{database}?target_session_attrs=read-write",
            super::USER,
            self.password
        )
    }

    /// Port on which the server listens.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Promotes a standby (`pg_ctl promote`), and waits until it accepts writes.
    ///
    /// # Errors
    /// The cluster is not a standby, or is not ready in time.
    pub fn promote(&self) -> anyhow::Result<()> {
        let mut promote = std::process::Command::new(self.bin.join("pg_ctl"));
        promote.arg("promote").arg("--pgdata").arg(self.data()).arg("--wait");
        self.as_owner(&mut promote);
        process::output(&mut promote).map(drop)
    }

    /// Kills the server as `kill -9` does, and waits until all of its processes have ended.
    ///
    /// # Errors
    /// The server does not run, or its processes do not end.
    pub fn kill(&mut self) -> anyhow::Result<()> {
        let Some(mut server) = self.server.take() else {
            bail!("the PostgreSQL server does not run")
        };
        server.stop(Signal::KILL, SERVER_TIMEOUT)?;
        let begun = Instant::now();
        while !self.processes()?.is_empty() {
            ensure!(
                begun.elapsed() < SERVER_TIMEOUT,
                "the processes of the server that was killed do not end"
            );
            thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    /// Processes whose working folder is the cluster's data folder.
    ///
    /// # Errors
    /// The processes cannot be listed.
    pub fn processes(&self) -> anyhow::Result<Vec<Pid>> {
        let data = self.data();
        // A process may end during the search.
        let ours = fs::read_dir("/proc")?
            .flatten()
            .filter(|process| {
                fs::read_link(process.path().join("cwd")).is_ok_and(|cwd| cwd == data)
            })
            .filter_map(|process| {
                process.file_name().to_str()?.parse().ok().and_then(Pid::from_raw)
            });
        Ok(ours.collect())
    }

    fn sql(&self, statement: &str) -> anyhow::Result<String> {
        self.query("postgres", statement)
    }
}
