//! The program under test: the `grootboek` binary with a database.

use crate::partner::{Partner, REDIRECT_URI};
use anyhow::{Context, bail, ensure};
use rustix::process::Signal;
use std::{
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};
use xtask::process::{self, Process, bound_to_us};

/// Timeout of a graceful stop.
const STOP_TIMEOUT: Duration = Duration::from_secs(30);

/// The binary with its database.
#[derive(Debug, Clone)]
pub struct Program {
    /// Path of the `grootboek` binary.
    pub binary: PathBuf,
    /// Database URL.
    pub database: String,
}

impl Program {
    /// Returns one of the program's commands, configured to use its database.
    #[must_use]
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        command.env("GROOTBOEK_DATABASE", &self.database).args(arguments);
        command
    }

    /// Runs one of the program's commands and returns the output.
    ///
    /// # Errors
    /// The command failed; the error contains its output.
    pub fn run(&self, arguments: &[&str]) -> anyhow::Result<String> {
        process::output(&mut self.command(arguments))
    }

    /// Opens an account and creates a key with both scopes; returns the key.
    ///
    /// # Errors
    /// A command failed.
    pub fn open_account(&self, email: &str) -> anyhow::Result<String> {
        self.run(&["account", "add", "--email", email, "--name", "Measured", "--plan", "pro"])?;
        self.add_key(email, &["--scope", "read", "--scope", "write"])
    }

    /// Creates a key of an account and returns it.
    ///
    /// # Errors
    /// The command failed.
    pub fn add_key(&self, email: &str, options: &[&str]) -> anyhow::Result<String> {
        let made = self.run(
            &[&["key", "add", "--email", email, "--name", "load", "--json"], options].concat(),
        )?;
        let made: serde_json::Value = serde_json::from_str(&made)?;
        Ok(made["key"].as_str().context("the command printed no key")?.to_owned())
    }

    /// Opens an account on a paid plan, with a password.
    ///
    /// # Errors
    /// The command failed.
    pub fn open_person(&self, email: &str, password: &str) -> anyhow::Result<()> {
        let arguments = [
            "account",
            "add",
            "--email",
            email,
            "--name",
            "Measured",
            "--plan",
            "pro",
            "--password-stdin",
        ];
        let mut command = self.command(&arguments);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        // The input is dropped, and thereby closed, at the end of the statement.
        child.stdin.take().context("the input is not piped")?.write_all(password.as_bytes())?;
        let output = child.wait_with_output()?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Ok(())
    }

    /// Registers a partner application with both scopes.
    ///
    /// # Errors
    /// The command failed.
    pub fn register_partner(&self, name: &str) -> anyhow::Result<Partner> {
        let scopes = ["--scope", "read", "--scope", "write", "--json"];
        let made = self.run(
            &[&["oauth", "register", "--name", name, "--redirect-uri", REDIRECT_URI][..], &scopes]
                .concat(),
        )?;
        let made: serde_json::Value = serde_json::from_str(&made)?;
        let text = |name: &str| {
            made[name]
                .as_str()
                .map(str::to_owned)
                .with_context(|| format!("the command printed no {name}"))
        };
        Ok(Partner { id: text("clientId")?, secret: text("clientSecret")? })
    }

    /// Returns the number of discrepancies that `verify` finds, with its output.
    ///
    /// # Errors
    /// The command cannot be run or prints no JSON.
    pub fn verify(&self) -> anyhow::Result<(u64, String)> {
        let output = self.command(&["verify", "--json"]).output()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let verification: serde_json::Value = serde_json::from_str(&text)
            .with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())?;
        Ok((
            verification["discrepancies"]
                .as_u64()
                .context("verify reports no number of discrepancies")?,
            text,
        ))
    }

    /// Starts the server on a free port, without a rate limit, and waits until it listens.
    ///
    /// # Errors
    /// The server does not start.
    pub fn serve(&self, log: &Path) -> anyhow::Result<Server> {
        self.serve_with(log, &["--rate-limit", "0"])
    }

    /// Starts the server on a free port with options, and waits until it listens.
    ///
    /// # Errors
    /// The server does not start.
    pub fn serve_with(&self, log: &Path, options: &[&str]) -> anyhow::Result<Server> {
        self.serve_in(log, options, &[])
    }

    /// Like [`Program::serve_with`], with environment variables.
    ///
    /// # Errors
    /// The server does not start.
    pub fn serve_in(
        &self,
        log: &Path,
        options: &[&str],
        variables: &[(&str, &Path)],
    ) -> anyhow::Result<Server> {
        let mut command = bound_to_us(&self.binary, "KILL");
        command.env("GROOTBOEK_DATABASE", &self.database).envs(variables.iter().copied());
        command.args(["serve", "--listen", "127.0.0.1:0"]).args(options);
        let log = std::fs::File::options().create(true).append(true).open(log)?;
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log);
        let mut process = Process::start(&mut command, Signal::KILL)?;
        let lines =
            BufReader::new(process.take_stdout().context("the output is not piped")?).lines();
        for line in lines {
            let line = line?;
            if let Some((_, rest)) = line.split_once("listening on ") {
                let origin = rest.split(' ').next().unwrap_or(rest).to_owned();
                return Ok(Server { origin, process });
            }
        }
        bail!("the server did not start; see its log")
    }
}

/// A running server.
pub struct Server {
    /// Origin of its URLs, such as `http://127.0.0.1:41234`.
    pub origin: String,
    process: Process,
}

impl Server {
    /// Kills the server, as `kill -9` does.
    ///
    /// # Errors
    /// The server cannot be killed.
    pub fn kill(mut self) -> anyhow::Result<()> {
        self.process.stop(Signal::KILL, STOP_TIMEOUT).map(drop)
    }

    /// Stops the server gracefully.
    ///
    /// # Errors
    /// The server does not end, or exits with a failure.
    pub fn stop(mut self) -> anyhow::Result<()> {
        let status = self.process.stop(Signal::TERM, STOP_TIMEOUT)?;
        if status.success() { Ok(()) } else { bail!("the server exited with {status}") }
    }

    /// Sends the signal of `kill -9`, without waiting for the end of the server.
    ///
    /// # Errors
    /// The server is gone.
    pub fn signal_kill(&self) -> anyhow::Result<()> {
        self.process.signal(Signal::KILL)
    }

    /// Whether the server has ended.
    ///
    /// # Errors
    /// Its status cannot be queried.
    pub fn has_ended(&mut self) -> anyhow::Result<bool> {
        Ok(self.process.ended()?.is_some())
    }

    /// Process id.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Resident memory of the server, in bytes.
    ///
    /// # Errors
    /// The system does not report the memory.
    pub fn resident(&self) -> anyhow::Result<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id()))?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))
            .context("no VmRSS in its status")?;
        let kibibytes: u64 = line.trim().trim_end_matches(" kB").parse()?;
        Ok(kibibytes * 1024)
    }
}
