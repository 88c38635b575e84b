//! A process that does not outlive its owner.

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

/// A running process; it is killed when this value goes, and when this program is told to stop.
pub struct Process {
    child: Child,
    _leftover: Leftover,
}

impl Process {
    /// Starts it, alone in a process group of its own, so that Ctrl-C reaches only us and we end things in order. `end` is the signal
    /// that the group gets then.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start(command: &mut Command, end: Signal) -> anyhow::Result<Self> {
        let child =
            command.process_group(0).spawn().with_context(|| format!("cannot start {}", command.get_program().display()))?;
        let group = pid_of(&child)?;
        let leftover = Leftover::new(move || {
            // It may be gone already.
            let _ = kill_process_group(group, end);
        });
        Ok(Self { child, _leftover: leftover })
    }

    /// Its process id.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// What it writes to standard output, if that was piped.
    pub fn take_stdout(&mut self) -> Option<std::process::ChildStdout> {
        self.child.stdout.take()
    }

    /// Sends it a signal.
    ///
    /// # Errors
    /// It is gone, or may not be signalled.
    pub fn signal(&self, signal: Signal) -> anyhow::Result<()> {
        kill_process(pid_of(&self.child)?, signal).context("cannot signal the process")
    }

    /// Sends a signal to it and to all that it started.
    ///
    /// # Errors
    /// They are gone, or may not be signalled.
    pub fn signal_group(&self, signal: Signal) -> anyhow::Result<()> {
        kill_process_group(pid_of(&self.child)?, signal).context("cannot signal the processes")
    }

    /// How it ended, if it has.
    ///
    /// # Errors
    /// The system does not tell.
    pub fn ended(&mut self) -> anyhow::Result<Option<ExitStatus>> {
        Ok(self.child.try_wait()?)
    }

    /// Waits for its end.
    ///
    /// # Errors
    /// The system does not tell.
    pub fn wait(&mut self) -> anyhow::Result<ExitStatus> {
        Ok(self.child.wait()?)
    }

    /// Asks it to end with a signal, and waits.
    ///
    /// # Errors
    /// It did not end in time.
    pub fn stop(&mut self, signal: Signal, timeout: Duration) -> anyhow::Result<ExitStatus> {
        if let Some(status) = self.ended()? {
            return Ok(status);
        }
        self.signal(signal)?;
        let asked = Instant::now();
        while asked.elapsed() < timeout {
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
        // Both fail when it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn pid_of(child: &Child) -> anyhow::Result<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw).context("the process has an id that is none")
}

/// A command that gets a signal when the thread that started it is gone, so that not even `kill -9` on us leaves it running.
/// Where the system has no such tool it is the plain command.
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

/// Runs a command to its end and gives what it printed.
///
/// # Errors
/// It cannot be started or fails; the error holds what it printed.
pub fn output(command: &mut Command) -> anyhow::Result<String> {
    let name = command.get_program().to_owned();
    let Output { status, stdout, stderr } = command.output().with_context(|| format!("cannot start {}", name.display()))?;
    let printed = String::from_utf8_lossy(&stdout).into_owned();
    if !status.success() {
        bail!("{} failed ({status}):\n{printed}{}", name.display(), String::from_utf8_lossy(&stderr));
    }
    Ok(printed)
}

/// Runs a command to its end; what it prints is seen.
///
/// # Errors
/// It cannot be started or fails.
pub fn run(command: &mut Command) -> anyhow::Result<()> {
    let name = command.get_program().to_owned();
    let status = command.status().with_context(|| format!("cannot start {}", name.display()))?;
    if status.success() { Ok(()) } else { bail!("{} failed ({status})", name.display()) }
}
