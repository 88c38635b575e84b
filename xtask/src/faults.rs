//! `faults`: causes what goes wrong in earnest under a running server, and looks what its clients see. What is promised is in
//! docs/operating.md, "What is promised when something fails".

mod clients;
mod clock;
pub(crate) mod crowd;
mod database;
mod descriptors;
mod mail;
mod scene;
mod slow;
mod storage;
mod volume;

use crate::crash::release_binary;
use std::{
    fmt,
    path::{Path, PathBuf},
    process::ExitCode,
};

/// What goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Fault {
    /// The disk of an SQLite database is full.
    DiskFull,
    /// The disk of PostgreSQL is full.
    PostgresDiskFull,
    /// The file system of an SQLite database has become read-only.
    ReadOnly,
    /// The machine's clock goes a year forwards, and a day backwards.
    Clock,
    /// The process may open no more files.
    Descriptors,
    /// The mail server takes connections and says nothing.
    Mail,
    /// PostgreSQL is frozen: it takes connections and says nothing.
    Database,
    /// What is sent to PostgreSQL is not delivered any more, and the connections never end.
    Network,
    /// Clients that send byte by byte, or do not read.
    SlowClients,
    /// Ten thousand connections.
    Connections,
    /// Ten thousand connections of one account, each with a write.
    LoudAccount,
}

impl Fault {
    const ALL: [Self; 11] = [
        Self::DiskFull,
        Self::PostgresDiskFull,
        Self::ReadOnly,
        Self::Clock,
        Self::Descriptors,
        Self::Mail,
        Self::Database,
        Self::Network,
        Self::SlowClients,
        Self::Connections,
        Self::LoudAccount,
    ];

    fn cause(self, binary: &Path) -> anyhow::Result<()> {
        match self {
            Self::DiskFull => storage::disk_full(binary),
            Self::PostgresDiskFull => storage::postgres_disk_full(binary),
            Self::ReadOnly => storage::read_only(binary),
            Self::Clock => clock::jump(binary),
            Self::Descriptors => descriptors::run_out(binary),
            Self::Mail => mail::hang(binary),
            Self::Database => database::freeze(binary),
            Self::Network => database::cut_off(binary),
            Self::SlowClients => slow::crawl(binary),
            Self::Connections => crowd::gather(binary),
            Self::LoudAccount => crowd::shout(binary),
        }
    }
}

/// What to run.
#[derive(Debug, Clone, clap::Args)]
pub struct Options {
    /// The fault to cause [default: each in turn]
    #[arg(long, value_name = "NAME")]
    pub only: Vec<Fault>,
    /// The binary to test [default: a release build]
    #[arg(long)]
    pub binary: Option<PathBuf>,
}

/// This machine cannot cause the fault.
#[derive(Debug)]
struct Lacking(String);

impl fmt::Display for Lacking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Lacking {}

/// Runs the command. A fault that this machine cannot cause is an error only where it was asked for by name.
///
/// # Errors
/// The binary cannot be built.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let binary = match &options.binary {
        Some(binary) => binary.canonicalize()?,
        None => release_binary()?,
    };
    let faults = if options.only.is_empty() { &Fault::ALL[..] } else { &options.only };
    let (mut failed, mut lacking) = (0, 0);
    for fault in faults {
        println!("{fault:?}");
        match fault.cause(&binary) {
            Ok(()) => println!("  held"),
            Err(error) if options.only.is_empty() && error.is::<Lacking>() => {
                lacking += 1;
                println!("  not run: {error}");
            }
            Err(error) => {
                failed += 1;
                println!("  FAILED: {error:#}");
            }
        }
    }
    println!("{} held, {failed} failed, {lacking} not run", faults.len() - failed - lacking);
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
