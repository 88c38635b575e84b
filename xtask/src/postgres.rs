//! Temporary PostgreSQL servers, each in its own folder.

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

/// Environment variable with the folder of the PostgreSQL programs, if they are not in the usual
/// place.
pub const BIN_VARIABLE: &str = "GROOTBOEK_PG_BIN";

/// Database user of our clusters.
const USER: &str = "postgres";
/// Timeout for starting and stopping; starting includes crash recovery.
const SERVER_TIMEOUT: Duration = Duration::from_secs(60);
/// Range below the ephemeral ports: a client that retries while the server is down could otherwise
/// be assigned the same port and connect to itself.
const PORTS: std::ops::Range<u16> = 21_000..32_000;

/// Durability of commits in a crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// For tests: no flushes, many connections.
    Throwaway,
    /// PostgreSQL's defaults, as in production.
    Durable,
}

/// A running cluster. It ends with the thread that started it.
pub struct Cluster {
    bin: PathBuf,
    folder: TempDir,
    port: u16,
    password: String,
    durability: Durability,
    /// Settings in addition to those of every cluster.
    settings: Vec<String>,
    owner: Option<Owner>,
    server: Option<Process>,
    _leftover: Leftover,
}

/// User that runs the server if this program runs as root, under which PostgreSQL refuses to run.
#[derive(Debug, Clone, Copy)]
struct Owner {
    user: u32,
    group: u32,
}

impl Cluster {
    /// Creates and starts a cluster, installing PostgreSQL if necessary and permitted.
    ///
    /// # Errors
    /// PostgreSQL is missing, or does not start.
    pub fn start(durability: Durability) -> anyhow::Result<Self> {
        Self::start_in(&std::env::temp_dir(), durability)
    }

    /// Like [`Cluster::start`], with its data in a new folder in `parent`.
    ///
    /// # Errors
    /// As for [`Cluster::start`].
    pub fn start_in(parent: &Path, durability: Durability) -> anyhow::Result<Self> {
        Self::start_with(parent, durability, random_password()?, &[])
    }

    /// Like [`Cluster::start_in`], with a given password and settings, such as `wal_level=logical`.
    ///
    /// # Errors
    /// As for [`Cluster::start`].
    pub fn start_with(
        parent: &Path,
        durability: Durability,
        password: String,
        settings: &[&str],
    ) -> anyhow::Result<Self> {
        let bin = install::ensure("PostgreSQL", "postgresql", find_programs)?;
        let mut cluster = Self::in_folder(parent, bin, free_port()?, password, durability)?;
        cluster.settings = settings.iter().map(|&setting| setting.to_owned()).collect();
        cluster.initialize()?;
        cluster.start_again()?;
        Ok(cluster)
    }

    /// Creates a cluster without data.
    fn in_folder(
        parent: &Path,
        bin: PathBuf,
        port: u16,
        password: String,
        durability: Durability,
    ) -> anyhow::Result<Self> {
        let owner = owner()?;
        let folder = tempfile::Builder::new().prefix("grootboek-postgres-").tempdir_in(parent)?;
        if let Some(Owner { user, group }) = owner {
            chown(folder.path(), Some(user), Some(group))?;
        }
        let path = folder.path().to_owned();
        // Leftovers are undone in reverse order: the server registers later, so it is stopped
        // first.
        let leftover = Leftover::new(move || remove_when_quiet(&path));
        Ok(Self {
            bin,
            folder,
            port,
            password,
            durability,
            settings: Vec::new(),
            owner,
            server: None,
            _leftover: leftover,
        })
    }

    /// URL of one of the cluster's databases.
    #[must_use]
    pub fn url(&self, database: &str) -> String {
        format!("postgres://{USER}:{}@127.0.0.1:{}/{database}", self.password, self.port)
    }

    /// Folder of the PostgreSQL programs.
    #[must_use]
    pub fn bin(&self) -> &Path {
        &self.bin
    }

    /// Command for one of PostgreSQL's client programs, connected to this cluster.
    #[must_use]
    pub fn client(&self, program: &str) -> Command {
        let mut command = Command::new(self.bin.join(program));
        command.env("PGHOST", "127.0.0.1").env("PGPORT", self.port.to_string());
        command.env("PGUSER", USER).env("PGPASSWORD", &self.password);
        command
    }

    /// URL of one of the cluster's databases for another role with the same password.
    #[must_use]
    pub fn url_of(&self, role: &str, database: &str) -> String {
        format!(
            "postgres://{role}:{}@127.0.0.1:{}/{database}?sslmode=disable",
            self.password, self.port
        )
    }

    /// Runs statements in a database, and returns their output: one line per row, with a bar
    /// between columns.
    ///
    /// # Errors
    /// The server is unavailable, or rejects a statement.
    pub fn query(&self, database: &str, sql: &str) -> anyhow::Result<String> {
        let options = [
            "--no-psqlrc",
            "--quiet",
            "--tuples-only",
            "--no-align",
            "--set=ON_ERROR_STOP=1",
            "--command",
            sql,
            database,
        ];
        process::output(self.client("psql").args(options))
    }

    /// Creates a database and returns its URL.
    ///
    /// # Errors
    /// The database exists already, or the server is unavailable.
    pub fn create_database(&self, name: &str) -> anyhow::Result<String> {
        process::output(self.client("createdb").arg(name))?;
        Ok(self.url(name))
    }

    /// Stops the server like a crash: sessions are cut and nothing is written out (as with
    /// `pg_ctl stop -m immediate`).
    ///
    /// # Errors
    /// The server does not end.
    pub fn crash(&mut self) -> anyhow::Result<()> {
        match self.server.take() {
            Some(mut server) => server.stop(Signal::QUIT, SERVER_TIMEOUT).map(drop),
            None => bail!("the PostgreSQL server does not run"),
        }
    }

    /// Starts the server on the same data and port, and waits until it accepts connections.
    ///
    /// # Errors
    /// The server does not start; the error contains its log.
    pub fn start_again(&mut self) -> anyhow::Result<()> {
        let log = File::options().create(true).append(true).open(self.log())?;
        let mut command = bound_to_us(&self.bin.join("postgres"), "QUIT");
        command.arg("-D").arg(self.data()).args([
            "-c",
            "listen_addresses=127.0.0.1",
            "-c",
            "unix_socket_directories=",
        ]);
        command.arg("-c").arg(format!("port={}", self.port));
        if self.durability == Durability::Throwaway {
            for setting in [
                "fsync=off",
                "synchronous_commit=off",
                "full_page_writes=off",
                "max_connections=300",
            ] {
                command.args(["-c", setting]);
            }
        }
        for setting in &self.settings {
            command.args(["-c", setting]);
        }
        // Servers that connect to each other read the common password from this file.
        command.env("PGPASSFILE", self.folder.path().join("passwords"));
        self.as_owner(&mut command);
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        let mut server = Process::start(&mut command, Signal::QUIT)?;
        let begun = Instant::now();
        while !self.answers()? {
            if server.ended()?.is_some() || begun.elapsed() > SERVER_TIMEOUT {
                bail!(
                    "PostgreSQL does not start:\n{}",
                    fs::read_to_string(self.log()).unwrap_or_default()
                );
            }
            thread::sleep(Duration::from_millis(20));
        }
        self.server = Some(server);
        Ok(())
    }

    /// Restarts the server if it has ended by itself.
    ///
    /// # Errors
    /// The server does not start.
    pub fn ensure_running(&mut self) -> anyhow::Result<()> {
        let ended = self
            .server
            .as_mut()
            .map_or(Ok(true), |server| server.ended().map(|ended| ended.is_some()))?;
        if ended { self.start_again() } else { Ok(()) }
    }

    fn initialize(&self) -> anyhow::Result<()> {
        let password_file = self.folder.path().join("password");
        fs::write(&password_file, &self.password)?;
        let mut command = Command::new(self.bin.join("initdb"));
        command.arg("-D").arg(self.data()).arg("--pwfile").arg(&password_file);
        // Passwords are stored as MD5: with SCRAM, each of the thousands of connections would cost
        // 4096 rounds of SHA-256.
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

    /// Path of the server's log.
    #[must_use]
    pub fn log(&self) -> PathBuf {
        self.folder.path().join("log")
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // The data are deleted anyway, so nothing needs to be written out. A server that does not
        // stop is killed when `server` is dropped.
        if let Some(mut server) = self.server.take() {
            let _ = server.stop(Signal::QUIT, SERVER_TIMEOUT);
        }
    }
}

/// Folder of the PostgreSQL programs: the one in [`BIN_VARIABLE`], else the one of the newest
/// version in Debian's folder, else the one in PATH.
fn find_programs() -> Option<PathBuf> {
    let complete = |folder: &PathBuf| folder.join("initdb").is_file();
    if let Some(folder) = std::env::var_os(BIN_VARIABLE).map(PathBuf::from).filter(complete) {
        return Some(folder);
    }
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let newest =
        versions.map(|version| version.path().join("bin")).filter(complete).max_by_key(|bin| {
            bin.parent()
                .and_then(Path::file_name)
                .and_then(|name| name.to_str())
                .and_then(|name| name.parse::<u32>().ok())
        });
    newest.or_else(|| install::find("initdb").and_then(|file| file.parent().map(Path::to_owned)))
}

fn owner() -> anyhow::Result<Option<Owner>> {
    if !rustix::process::geteuid().is_root() {
        return Ok(None);
    }
    let users = fs::read_to_string("/etc/passwd")?;
    let find = |name: &str| {
        let fields = users
            .lines()
            .map(|line| line.split(':').collect::<Vec<_>>())
            .find(|fields| fields[0] == name)?;
        Some(Owner { user: fields.get(2)?.parse().ok()?, group: fields.get(3)?.parse().ok()? })
    };
    let owner = find("postgres").or_else(|| find("nobody"));
    owner.map(Some).context(
        "PostgreSQL does not run as root, and there is no user `postgres` or `nobody` to run it as",
    )
}

/// Returns a random password.
///
/// # Errors
/// The system provides no random bytes.
pub fn random_password() -> anyhow::Result<String> {
    let mut bytes = [0; 16];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Returns a free port; concurrent processes get different ones.
///
/// # Errors
/// All ports are in use.
pub fn free_port() -> anyhow::Result<u16> {
    use std::sync::atomic::{AtomicU32, Ordering};
    static ASKED: AtomicU32 = AtomicU32::new(0);
    let count = u32::from(PORTS.end - PORTS.start);
    for _ in 0..count {
        let step =
            std::process::id().wrapping_mul(31).wrapping_add(ASKED.fetch_add(1, Ordering::Relaxed))
                % count;
        let port = PORTS.start + u16::try_from(step)?;
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return Ok(port);
        }
    }
    bail!("no port from {} to {} is free", PORTS.start, PORTS.end)
}

/// Waits for a stopping server and removes its folder.
fn remove_when_quiet(folder: &Path) {
    let begun = Instant::now();
    while folder.join("data/postmaster.pid").exists() && begun.elapsed() < Duration::from_secs(10) {
        thread::sleep(Duration::from_millis(20));
    }
    // A folder that cannot be removed stays among the system's temporary files.
    let _ = fs::remove_dir_all(folder);
}
