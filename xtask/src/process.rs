//! Child processes that do not outlive their owner.

use crate::leftovers::Leftover;
use anyhow::{Context, bail};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::{
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, Command, ExitStatus, Output},
    thread,
    time::{Duration, Instant},
};

/// A running process. It is killed when this value is dropped, and signalled when this program is
/// interrupted.
pub struct Process {
    child: Child,
    _leftover: Leftover,
}

impl Process {
    /// Starts a process in its own process group, so that Ctrl-C reaches only this program, which
    /// then ends everything in order and sends `end` to the group.
    ///
    /// # Errors
    /// The process cannot be started.
    pub fn start(command: &mut Command, end: Signal) -> anyhow::Result<Self> {
        let child = command
            .process_group(0)
            .spawn()
            .with_context(|| format!("cannot start {}", command.get_program().display()))?;
        let group = pid_of(&child)?;
        let leftover = Leftover::new(move || {
            // The group may be gone already.
            let _ = kill_process_group(group, end);
        });
        Ok(Self { child, _leftover: leftover })
    }

    /// Process id.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Takes the process's standard output, if that is piped.
    pub fn take_stdout(&mut self) -> Option<std::process::ChildStdout> {
        self.child.stdout.take()
    }

    /// Sends a signal to the process.
    ///
    /// # Errors
    /// The process is gone, or may not be signalled.
    pub fn signal(&self, signal: Signal) -> anyhow::Result<()> {
        kill_process(pid_of(&self.child)?, signal).context("cannot signal the process")
    }

    /// Sends a signal to the whole process group.
    ///
    /// # Errors
    /// The processes are gone, or may not be signalled.
    pub fn signal_group(&self, signal: Signal) -> anyhow::Result<()> {
        kill_process_group(pid_of(&self.child)?, signal).context("cannot signal the processes")
    }

    /// Returns the exit status of the process, if it has ended.
    ///
    /// # Errors
    /// The status cannot be queried.
    pub fn ended(&mut self) -> anyhow::Result<Option<ExitStatus>> {
        Ok(self.child.try_wait()?)
    }

    /// Waits for the process to end.
    ///
    /// # Errors
    /// The status cannot be queried.
    pub fn wait(&mut self) -> anyhow::Result<ExitStatus> {
        Ok(self.child.wait()?)
    }

    /// Sends a signal and waits for the process to end.
    ///
    /// # Errors
    /// The process did not end in time.
    pub fn stop(&mut self, signal: Signal, timeout: Duration) -> anyhow::Result<ExitStatus> {
        if let Some(status) = self.ended()? {
            return Ok(status);
        }
        self.signal(signal)?;
        let begun = Instant::now();
        while begun.elapsed() < timeout {
            if let Some(status) = self.ended()? {
                return Ok(status);
            }
            thread::sleep(Duration::from_millis(2));
        }
        bail!("process {} did not end within {timeout:?}", self.id())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn pid_of(child: &Child) -> anyhow::Result<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw).context("the process has an invalid id")
}

/// A command that receives a signal when the thread that started it ends, so that not even
/// `kill -9` of this program leaves it running. Systems without `setpriv` get the plain command.
#[must_use]
pub fn bound_to_us(program: &Path, signal: &str) -> Command {
    let setpriv = Path::new("/usr/bin/setpriv");
    if !setpriv.exists() {
        return Command::new(program);
    }
    let mut command = Command::new(setpriv);
    command.args(["--pdeathsig", signal, "--"]).arg(program);
    command
}

/// Runs a command and returns its output.
///
/// # Errors
/// The command cannot be started or fails; the error contains its output.
pub fn output(command: &mut Command) -> anyhow::Result<String> {
    let name = command.get_program().to_owned();
    let Output { status, stdout, stderr } =
        command.output().with_context(|| format!("cannot start {}", name.display()))?;
    let printed = String::from_utf8_lossy(&stdout).into_owned();
    if !status.success() {
        bail!(
            "{} failed ({status}):\n{printed}{}",
            name.display(),
            String::from_utf8_lossy(&stderr)
        );
    }
    Ok(printed)
}

/// Runs a command with its output visible.
///
/// # Errors
/// The command cannot be started or fails.
pub fn run(command: &mut Command) -> anyhow::Result<()> {
    let name = command.get_program().to_owned();
    let status = command.status().with_context(|| format!("cannot start {}", name.display()))?;
    if status.success() { Ok(()) } else { bail!("{} failed ({status})", name.display()) }
}
