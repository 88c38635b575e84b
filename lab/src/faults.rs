//! `faults`: causes real faults under a running server, and checks what its clients experience. The
//! guarantees are in docs/operating.md, "Guarantees when something fails".

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

/// A fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Fault {
    /// The disk of an SQLite database is full.
    DiskFull,
    /// The disk of PostgreSQL is full.
    PostgresDiskFull,
    /// The file system of an SQLite database has become read-only.
    ReadOnly,
    /// The machine's clock jumps a year forward, and a day backward.
    Clock,
    /// The process cannot open more files.
    Descriptors,
    /// The mail server accepts connections and does not respond.
    Mail,
    /// PostgreSQL is frozen: it accepts connections and does not respond.
    Database,
    /// Packets to PostgreSQL are dropped, and connections stay open.
    Network,
    /// Clients that send byte by byte, or do not read.
    SlowClients,
    /// Ten thousand connections.
    Connections,
    /// Ten thousand connections from one account, each with a write request.
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

/// Options of `faults`.
#[derive(Debug, Clone, clap::Args)]
pub struct Options {
    /// Fault to cause [default: each in turn]
    #[arg(long, value_name = "NAME")]
    pub only: Vec<Fault>,
    /// Binary to test [default: a release build]
    #[arg(long)]
    pub binary: Option<PathBuf>,
}

/// The fault cannot be caused on this machine.
#[derive(Debug)]
struct Lacking(String);

impl fmt::Display for Lacking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Lacking {}

/// Runs the command. A fault that cannot be caused on this machine is an error only if it was
/// requested by name.
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
