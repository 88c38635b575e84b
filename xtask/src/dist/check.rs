//! Checks the package in a fresh Debian installation: installs, upgrades and removes it, and runs
//! the server with the command line of its unit.

use crate::{install, leftovers::Leftover, process, process::Process};
use anyhow::{Context, bail, ensure};
use rustix::process::Signal;
use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    os::unix::{fs::PermissionsExt, net::UnixDatagram},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

/// Timeout for the server to report readiness, and to stop.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Listening address in the shipped configuration.
const ADDRESS: &str = "127.0.0.1:8080";
const DATABASE: &str = "var/lib/grootboek/grootboek.db";

/// Root folder of the fresh Debian installation.
struct Root {
    folder: PathBuf,
}

/// Installs, serves, upgrades, serves, removes and purges; the books must survive.
pub(super) fn run(
    package: &Path,
    newer: &Path,
    fresh: Option<&Path>,
    mirror: &str,
) -> anyhow::Result<()> {
    ensure!(
        rustix::process::geteuid().is_root(),
        "the check changes its root, which requires root privileges"
    );
    let temporary = tempfile::Builder::new().prefix("grootboek-debian-").tempdir()?;
    let root = Root { folder: temporary.path().join("root") };
    match fresh {
        Some(fresh) => {
            process::run(Command::new("cp").arg("--archive").arg(fresh).arg(&root.folder))?
        }
        None => bootstrap(&root.folder, mirror)?,
    }
    // Programs read information about their own process from `/proc`.
    let proc = root.folder.join("proc");
    process::run(Command::new("mount").args(["-t", "proc", "proc"]).arg(&proc))?;
    let _mounted = Leftover::new(move || {
        let _ = Command::new("umount").arg(&proc).status();
    });

    root.dpkg("--install", package)?;
    root.expect_file("etc/grootboek/grootboek.env", 0o640)?;
    root.expect_file("lib/systemd/system/grootboek.service", 0o644)?;
    root.expect_file("usr/share/man/man1/grootboek-serve.1.gz", 0o644)?;
    root.expect_file("var/lib/grootboek", 0o700)?;
    root.serve()?;
    root.admin(&["account", "add", "--email", "anna@example.com", "--name", "Anna"])?;
    // Local changes of the configuration must survive an upgrade.
    let configuration = root.folder.join("etc/grootboek/grootboek.env");
    let changed = fs::read_to_string(&configuration)? + "GROOTBOEK_SIGN_UP_PLAN=starter\n";
    fs::write(&configuration, &changed)?;

    root.dpkg("--install", newer)?;
    ensure!(
        fs::read_to_string(&configuration)? == changed,
        "the upgrade changed the configuration"
    );
    ensure!(
        fs::read_dir(root.folder.join("var/backups/grootboek"))?.count() > 0,
        "the upgrade made no backup"
    );
    root.serve()?;
    ensure!(
        root.admin(&["account", "list"])?.contains("anna@example.com"),
        "the account is gone after the upgrade"
    );
    root.run_backup_unit()?;

    root.dpkg("--remove", Path::new("grootboek"))?;
    ensure!(!root.folder.join("usr/bin/grootboek").exists(), "the program is still there");
    root.dpkg("--purge", Path::new("grootboek"))?;
    ensure!(root.folder.join(DATABASE).exists(), "the books are gone after the purge");
    ensure!(!configuration.exists(), "the configuration is still there after the purge");
    eprintln!(
        "installed, served, upgraded, backed up and verified, removed and purged; the books are kept"
    );
    Ok(())
}

/// Creates a fresh Debian installation.
fn bootstrap(folder: &Path, mirror: &str) -> anyhow::Result<()> {
    let debootstrap =
        install::ensure("debootstrap", "debootstrap", || install::find("debootstrap"))?;
    eprintln!("making a fresh Debian in {}", folder.display());
    let mut command = Command::new(debootstrap);
    process::run(
        command
            .args(["--variant=minbase", "bookworm"])
            .arg(folder)
            .arg(mirror)
            .stdout(Stdio::null()),
    )
}

impl Root {
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new("chroot");
        command
            .arg(&self.folder)
            .arg(program)
            .env_clear()
            .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
            .env("LANG", "C.UTF-8");
        command
    }

    fn dpkg(&self, what: &str, package: &Path) -> anyhow::Result<()> {
        let mut command = self.command("dpkg");
        if package.exists() {
            fs::copy(package, self.folder.join("package.deb"))?;
            command.args([what, "/package.deb"]);
        } else {
            command.arg(what).arg(package);
        }
        process::run(&mut command)
    }

    fn admin(&self, arguments: &[&str]) -> anyhow::Result<String> {
        process::output(self.command("/usr/sbin/grootboek-admin").args(arguments))
    }

    fn expect_file(&self, path: &str, mode: u32) -> anyhow::Result<()> {
        let metadata = fs::metadata(self.folder.join(path))
            .with_context(|| format!("/{path} does not exist"))?;
        ensure!(
            metadata.permissions().mode() & 0o777 == mode,
            "/{path} does not have the mode {mode:o}"
        );
        Ok(())
    }

    /// Values of a setting of a unit, in order.
    fn settings(&self, unit: &str, name: &str) -> anyhow::Result<Vec<String>> {
        let text = fs::read_to_string(self.folder.join("lib/systemd/system").join(unit))?;
        let beginning = format!("{name}=");
        Ok(text
            .lines()
            .filter_map(|line| line.strip_prefix(&beginning))
            .map(str::to_owned)
            .collect())
    }

    /// A command line of a unit, run as systemd would: as its user, in its folder, with its
    /// environment.
    fn of_unit(&self, unit: &str, line: &str) -> anyhow::Result<Command> {
        ensure!(self.settings(unit, "User")? == ["grootboek"], "{unit} names another user");
        let environment = self.settings(unit, "EnvironmentFile")?;
        let [environment] = &environment[..] else { bail!("{unit} names no environment file") };
        let mut command = self.command("setpriv");
        command.args([
            "--reuid=grootboek",
            "--regid=grootboek",
            "--clear-groups",
            "--no-new-privs",
            "--",
        ]);
        // The shell reads the unit's file as systemd does, as long as it contains only assignments.
        let script = format!(
            "set -a; eval \"$CONFIGURATION\"; cd /var/lib/grootboek; umask 077; exec {line}"
        );
        let configuration =
            fs::read_to_string(self.folder.join(environment.trim_start_matches('/')))?;
        command.args(["/bin/sh", "-c", &script]).env("CONFIGURATION", configuration);
        Ok(command)
    }

    /// Starts the unit's command, waits until it reports readiness, sends a request, and stops it.
    fn serve(&self) -> anyhow::Result<()> {
        ensure!(
            self.settings("grootboek.service", "Type")? == ["notify"],
            "the unit does not wait for the server to be ready"
        );
        let lines = self.settings("grootboek.service", "ExecStart")?;
        let [line] = &lines[..] else { bail!("the unit has no command line, or more than one") };
        let path = self.folder.join("run/notify");
        if path.exists() {
            fs::remove_file(&path)?;
        }
        let socket = UnixDatagram::bind(&path)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o777))?;
        socket.set_read_timeout(Some(TIMEOUT))?;
        let mut command = self.of_unit("grootboek.service", line)?;
        command.env("NOTIFY_SOCKET", "/run/notify").stdout(Stdio::null());
        let mut server = Process::start(&mut command, Signal::KILL)?;
        let mut message = [0; 4096];
        let length =
            socket.recv(&mut message).context("the server did not report that it is ready")?;
        let message = String::from_utf8_lossy(&message[..length]).into_owned();
        ensure!(message.contains("READY=1"), "the server sent {message:?}");
        let mut connection = TcpStream::connect(ADDRESS)?;
        connection.set_read_timeout(Some(TIMEOUT))?;
        connection
            .write_all(b"GET /readyz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")?;
        let mut answer = String::new();
        connection.read_to_string(&mut answer)?;
        let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        ensure!(body.starts_with("ready\n"), "/readyz answered {answer:?}");
        eprint!("{body}");
        let status = server.stop(Signal::TERM, TIMEOUT)?;
        ensure!(status.success(), "the server ended with {status}");
        Ok(())
    }

    /// Runs the commands that the timer starts each night.
    fn run_backup_unit(&self) -> anyhow::Result<()> {
        for line in self.settings("grootboek-backup.service", "ExecStart")? {
            process::run(&mut self.of_unit("grootboek-backup.service", &line)?)?;
        }
        Ok(())
    }
}
