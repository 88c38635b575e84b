//! A PostgreSQL server of our own in a folder of its own, gone when it is no longer needed.

mod replication;

use crate::{
    install,
    leftovers::Leftover,
    process::{self, Process, bound_to_us},
};
use anyhow::{Context, bail};
use rustix::process::Signal;
use std::{
    fs::{self, File},
    io::Read,
    net::{Ipv4Addr, TcpListener},
    os::unix::{
        fs::{PermissionsExt, chown},
        process::CommandExt,
    },
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// Names the folder of the PostgreSQL programs, for those that are not where packages put them.
pub const BIN_VARIABLE: &str = "GROOTBOEK_PG_BIN";

/// The database user of our clusters.
const USER: &str = "postgres";
/// How long starting and stopping may take; crash recovery is part of starting.
const SERVER_TIMEOUT: Duration = Duration::from_secs(60);
/// Below the ports that systems give to outgoing connections: a client that tries again and again while the server is away could
/// otherwise be given the very port and connect to itself.
const PORTS: std::ops::Range<u16> = 21_000..32_000;

/// Whether what is committed survives a crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// For tests: nothing is flushed, many connections.
    Throwaway,
    /// PostgreSQL's defaults, as in earnest.
    Durable,
}

/// A running cluster. It ends with the thread that started it.
pub struct Cluster {
    bin: PathBuf,
    folder: TempDir,
    port: u16,
    password: String,
    durability: Durability,
    /// Settings beside those that every cluster of ours has.
    settings: Vec<String>,
    owner: Option<Owner>,
    server: Option<Process>,
    _leftover: Leftover,
}

/// Who runs the server when we are root, as whom PostgreSQL refuses to run.
#[derive(Debug, Clone, Copy)]
struct Owner {
    user: u32,
    group: u32,
}

impl Cluster {
    /// Makes a cluster and starts it, installing PostgreSQL if it must and may.
    ///
    /// # Errors
    /// PostgreSQL is missing, or does not start.
    pub fn start(durability: Durability) -> anyhow::Result<Self> {
        Self::start_in(&std::env::temp_dir(), durability)
    }

    /// The same, with its data in a folder of its own in another.
    ///
    /// # Errors
    /// As for [`Cluster::start`].
    pub fn start_in(parent: &Path, durability: Durability) -> anyhow::Result<Self> {
        Self::start_with(parent, durability, random_password()?, &[])
    }

    /// The same with a password of the caller's and settings, such as `wal_level=logical`.
    ///
    /// # Errors
    /// As for [`Cluster::start`].
    pub fn start_with(parent: &Path, durability: Durability, password: String, settings: &[&str]) -> anyhow::Result<Self> {
        let bin = install::ensure("PostgreSQL", "postgresql", find_programs)?;
        let mut cluster = Self::in_folder(parent, bin, free_port()?, password, durability)?;
        cluster.settings = settings.iter().map(|&setting| setting.to_owned()).collect();
        cluster.initialize()?;
        cluster.start_again()?;
        Ok(cluster)
    }

    /// A cluster that has no data yet.
    fn in_folder(parent: &Path, bin: PathBuf, port: u16, password: String, durability: Durability) -> anyhow::Result<Self> {
        let owner = owner()?;
        let folder = tempfile::Builder::new().prefix("grootboek-postgres-").tempdir_in(parent)?;
        if let Some(Owner { user, group }) = owner {
            chown(folder.path(), Some(user), Some(group))?;
        }
        let path = folder.path().to_owned();
        // Undone after the server itself, which registers later.
        let leftover = Leftover::new(move || remove_when_quiet(&path));
        Ok(Self { bin, folder, port, password, durability, settings: Vec::new(), owner, server: None, _leftover: leftover })
    }

    /// The address of one of its databases.
    #[must_use]
    pub fn url(&self, database: &str) -> String {
        format!("postgres://{USER}:{}@127.0.0.1:{}/{database}", self.password, self.port)
    }

    /// The folder of the PostgreSQL programs.
    #[must_use]
    pub fn bin(&self) -> &Path {
        &self.bin
    }

    /// One of PostgreSQL's client programs, pointed at this cluster.
    #[must_use]
    pub fn client(&self, program: &str) -> Command {
        let mut command = Command::new(self.bin.join(program));
        command.env("PGHOST", "127.0.0.1").env("PGPORT", self.port.to_string());
        command.env("PGUSER", USER).env("PGPASSWORD", &self.password);
        command
    }

    /// The address of one of its databases for another role with the same password.
    #[must_use]
    pub fn url_of(&self, role: &str, database: &str) -> String {
        format!("postgres://{role}:{}@127.0.0.1:{}/{database}?sslmode=disable", self.password, self.port)
    }

    /// Runs statements in a database, and gives what they answer: a line a row, with a bar between columns.
    ///
    /// # Errors
    /// The server is away, or refused one.
    pub fn query(&self, database: &str, sql: &str) -> anyhow::Result<String> {
        let options =
            ["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1", "--command", sql, database];
        process::output(self.client("psql").args(options))
    }

    /// Makes a database and gives its address.
    ///
    /// # Errors
    /// It exists already, or the server is away.
    pub fn create_database(&self, name: &str) -> anyhow::Result<String> {
        process::output(self.client("createdb").arg(name))?;
        Ok(self.url(name))
    }

    /// Ends the server as a crash would: sessions are cut, nothing is written out (what `pg_ctl stop -m immediate` does).
    ///
    /// # Errors
    /// It does not end.
    pub fn crash(&mut self) -> anyhow::Result<()> {
        match self.server.take() {
            Some(mut server) => server.stop(Signal::QUIT, SERVER_TIMEOUT).map(drop),
            None => bail!("the PostgreSQL server does not run"),
        }
    }

    /// Starts the server on the data and the port that it had, and waits until it answers.
    ///
    /// # Errors
    /// It does not start; the error holds the end of its log.
    pub fn start_again(&mut self) -> anyhow::Result<()> {
        let log = File::options().create(true).append(true).open(self.log())?;
        let mut command = bound_to_us(&self.bin.join("postgres"), "QUIT");
        command.arg("-D").arg(self.data()).args(["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="]);
        command.arg("-c").arg(format!("port={}", self.port));
        if self.durability == Durability::Throwaway {
            for setting in ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=300"] {
                command.args(["-c", setting]);
            }
        }
        for setting in &self.settings {
            command.args(["-c", setting]);
        }
        // For servers that connect to each other with the same password.
        command.env("PGPASSFILE", self.folder.path().join("passwords"));
        self.as_owner(&mut command);
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        let mut server = Process::start(&mut command, Signal::QUIT)?;
        let begun = Instant::now();
        while !self.answers()? {
            if server.ended()?.is_some() || begun.elapsed() > SERVER_TIMEOUT {
                bail!("PostgreSQL does not start:\n{}", fs::read_to_string(self.log()).unwrap_or_default());
            }
            thread::sleep(Duration::from_millis(20));
        }
        self.server = Some(server);
        Ok(())
    }

    /// Starts it again if it ended by itself.
    ///
    /// # Errors
    /// It does not start.
    pub fn ensure_running(&mut self) -> anyhow::Result<()> {
        let ended = self.server.as_mut().map_or(Ok(true), |server| server.ended().map(|ended| ended.is_some()))?;
        if ended { self.start_again() } else { Ok(()) }
    }

    fn initialize(&self) -> anyhow::Result<()> {
        let password_file = self.folder.path().join("password");
        fs::write(&password_file, &self.password)?;
        let mut command = Command::new(self.bin.join("initdb"));
        command.arg("-D").arg(self.data()).arg("--pwfile").arg(&password_file);
        // Passwords are kept as MD5: with SCRAM each of the thousands of connections costs 4096 rounds of SHA-256.
        command.args(["--username", USER, "--auth", "md5", "--encoding", "UTF8", "--locale", "C"]);
        if self.durability == Durability::Throwaway {
            command.arg("--no-sync");
        }
        let passwords = self.folder.path().join("passwords");
        fs::write(&passwords, format!("*:*:*:*:{}\n", self.password))?;
        for file in [&password_file, &passwords] {
            fs::set_permissions(file, fs::Permissions::from_mode(0o600))?;
            if let Some(Owner { user, group }) = self.owner {
                chown(file, Some(user), Some(group))?;
            }
        }
        self.as_owner(&mut command);
        process::output(&mut command).map(drop).context("PostgreSQL cannot make a cluster")
    }

    fn answers(&self) -> anyhow::Result<bool> {
        Ok(self.client("pg_isready").stdout(Stdio::null()).status()?.success())
    }

    fn as_owner(&self, command: &mut Command) {
        command.current_dir(self.folder.path());
        if let Some(Owner { user, group }) = self.owner {
            command.uid(user).gid(group);
        }
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// The file that it logs to.
    #[must_use]
    pub fn log(&self) -> PathBuf {
        self.folder.path().join("log")
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // Its data go anyway, so there is nothing to write out; if it does not end by itself it is killed when `server` goes.
        if let Some(mut server) = self.server.take() {
            let _ = server.stop(Signal::QUIT, SERVER_TIMEOUT);
        }
    }
}

/// The newest version in the folder where Debian puts them, else the one in PATH.
fn find_programs() -> Option<PathBuf> {
    let complete = |folder: &PathBuf| folder.join("initdb").is_file();
    if let Some(folder) = std::env::var_os(BIN_VARIABLE).map(PathBuf::from).filter(complete) {
        return Some(folder);
    }
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let newest = versions.map(|version| version.path().join("bin")).filter(complete).max_by_key(|bin| {
        bin.parent().and_then(Path::file_name).and_then(|name| name.to_str()).and_then(|name| name.parse::<u32>().ok())
    });
    newest.or_else(|| install::find("initdb").and_then(|file| file.parent().map(Path::to_owned)))
}

fn owner() -> anyhow::Result<Option<Owner>> {
    if !rustix::process::geteuid().is_root() {
        return Ok(None);
    }
    let users = fs::read_to_string("/etc/passwd")?;
    let find = |name: &str| {
        let fields = users.lines().map(|line| line.split(':').collect::<Vec<_>>()).find(|fields| fields[0] == name)?;
        Some(Owner { user: fields.get(2)?.parse().ok()?, group: fields.get(3)?.parse().ok()? })
    };
    let owner = find("postgres").or_else(|| find("nobody"));
    owner.map(Some).context("PostgreSQL does not run as root, and there is no user `postgres` or `nobody` to run it as")
}

pub(crate) fn random_password() -> anyhow::Result<String> {
    let mut bytes = [0; 16];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A port that nobody listens on, different for processes that ask at the same time.
///
/// # Errors
/// All are taken.
pub(crate) fn free_port() -> anyhow::Result<u16> {
    use std::sync::atomic::{AtomicU32, Ordering};
    static ASKED: AtomicU32 = AtomicU32::new(0);
    let count = u32::from(PORTS.end - PORTS.start);
    for _ in 0..count {
        let step = std::process::id().wrapping_mul(31).wrapping_add(ASKED.fetch_add(1, Ordering::Relaxed)) % count;
        let port = PORTS.start + u16::try_from(step)?;
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return Ok(port);
        }
    }
    bail!("no port from {} to {} is free", PORTS.start, PORTS.end)
}

/// Removes the folder of a server that was just told to end, once it has.
fn remove_when_quiet(folder: &Path) {
    let begun = Instant::now();
    while folder.join("data/postmaster.pid").exists() && begun.elapsed() < Duration::from_secs(10) {
        thread::sleep(Duration::from_millis(20));
    }
    // What cannot be removed stays in the system's folder for temporary files.
    let _ = fs::remove_dir_all(folder);
}
