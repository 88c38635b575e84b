//! `test`: the whole test suite, on its own PostgreSQL server.

use crate::{
    cargo, install,
    leftovers::Leftover,
    postgres::{BIN_VARIABLE, Cluster, Durability},
    process::Process,
};
use anyhow::Context;
use rustix::process::Signal;
use std::{
    fs::Permissions,
    io::{BufRead, BufReader, Write},
    ops::AddAssign,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{ExitCode, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::Duration,
};
use tempfile::TempDir;

/// Environment variable for the tests: the URL of their PostgreSQL server.
pub const SERVER_VARIABLE: &str = "GROOTBOEK_TEST_POSTGRES";
/// Environment variable for the tests: the path of the browser.
const BROWSER_VARIABLE: &str = "GROOTBOEK_TEST_CHROMIUM";
/// Environment variables with the paths of other programs that the tests run, each with the program
/// and its Debian package.
const PROGRAM_VARIABLES: [(&str, &str, &str); 4] = [
    ("GROOTBOEK_TEST_CHROMEDRIVER", "chromedriver", "chromium-driver"),
    ("GROOTBOEK_TEST_HLEDGER", "hledger", "hledger"),
    ("GROOTBOEK_TEST_NGINX", "nginx", "nginx"),
    ("GROOTBOEK_TEST_PROMTOOL", "promtool", "prometheus"),
];

/// Environment variable with the number of concurrent tests.
const THREADS_VARIABLE: &str = "RUST_TEST_THREADS";
/// A file system in memory, on Linux.
const MEMORY: &str = "/dev/shm";
/// Maximum size of the tests' databases, with a reserve, in bytes.
const ROOM: u64 = 4 << 30;

/// Maximum time in which no test ends. All tests are then aborted: otherwise a test that hangs
/// would prevent the other tests from being counted.
const SILENCE_TIMEOUT: Duration = Duration::from_mins(15);

/// Numbers of tests by result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Tests that passed.
    pub passed: u64,
    /// Tests that failed.
    pub failed: u64,
    ignored: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.ignored += other.ignored;
    }
}

/// Runs the tests and prints their number on the last line. An ignored test counts as a failure.
///
/// # Errors
/// PostgreSQL or cargo cannot be started, or a program that the tests need is missing.
pub fn run(arguments: &[String]) -> anyhow::Result<ExitCode> {
    run_with(arguments, None)
}

/// Like [`run`], with an additional environment variable for the tests.
///
/// # Errors
/// As for [`run`].
pub(crate) fn run_with(
    arguments: &[String],
    variable: Option<(&str, &Path)>,
) -> anyhow::Result<ExitCode> {
    let mut build = cargo();
    let mut command = cargo();
    if std::env::var_os(BROWSER_VARIABLE).is_none() {
        command.env(BROWSER_VARIABLE, browser()?);
    }
    for (variable, program, package) in PROGRAM_VARIABLES {
        if std::env::var_os(variable).is_none() {
            command.env(variable, install::ensure(program, package, || install::find(program))?);
        }
    }
    let folder = Scratch::new()?;
    let cluster = Cluster::start_in(folder.path(), Durability::Throwaway)?;
    for command in [&mut build, &mut command] {
        command.arg("test").stdin(Stdio::null());
        if !names_packages(arguments) {
            command.arg("--workspace");
        }
    }
    // The build comes first, because it writes nothing to the watched output. If it fails, the run
    // below reports that.
    build.args(["--no-run", "--no-fail-fast"]).args(for_cargo(arguments));
    Process::start(&mut build, Signal::KILL)?.wait()?;
    command.arg("--no-fail-fast").args(arguments);
    command.env("TMPDIR", folder.path());
    // Most tests often wait for a server, a browser or a deadline, so two run per processor.
    if std::env::var_os(THREADS_VARIABLE).is_none() {
        command.env(THREADS_VARIABLE, (2 * thread::available_parallelism()?.get()).to_string());
    }
    command.env(SERVER_VARIABLE, cluster.url("postgres")).env(BIN_VARIABLE, cluster.bin());
    command.envs(variable);
    let mut tests = Process::start(command.stdout(Stdio::piped()), Signal::KILL)?;
    let counts = watch(&mut tests)?;
    let status = tests.wait()?;
    drop((cluster, folder));
    if counts.ignored > 0 {
        eprintln!("{} tests were ignored, which counts as a failure", counts.ignored);
    }
    if !status.success() {
        eprintln!("cargo test failed ({status})");
    }
    println!("{} passed, {} failed", counts.passed, counts.failed);
    let good = status.success() && counts.failed == 0 && counts.ignored == 0;
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Forwards the output of `cargo test`, and counts the tests. Tests that hang are killed.
///
/// # Errors
/// The output was not piped, or cannot be forwarded.
pub fn watch(tests: &mut Process) -> anyhow::Result<Counts> {
    let lines = lines(tests.take_stdout().context("the output of the tests was piped")?);
    let mut counts = Counts::default();
    if !pass_on(&lines, SILENCE_TIMEOUT, &mut counts, &mut std::io::stdout())? {
        eprintln!(
            "no test ended for {} minutes: the last ones above hang, and the rest did not run",
            SILENCE_TIMEOUT.as_secs() / 60
        );
        tests.signal_group(Signal::KILL)?;
        counts.failed += 1;
    }
    Ok(counts)
}

/// Folder for the tests' databases: in memory if there is enough, because the tests would otherwise
/// wait for the disk.
pub struct Scratch {
    folder: TempDir,
    _leftover: Leftover,
}

impl Scratch {
    /// Creates the folder.
    ///
    /// # Errors
    /// The folder cannot be created.
    pub fn new() -> anyhow::Result<Self> {
        let memory = Path::new(MEMORY);
        let has_room = rustix::fs::statvfs(memory)
            .is_ok_and(|there| there.f_bavail.saturating_mul(there.f_frsize) >= ROOM);
        let parent = if has_room { memory.to_owned() } else { std::env::temp_dir() };
        let folder = tempfile::Builder::new()
            .prefix("grootboek-tests-")
            .permissions(Permissions::from_mode(0o755))
            .tempdir_in(parent)?;
        let path = folder.path().to_owned();
        let leftover = Leftover::new(move || {
            let _ = std::fs::remove_dir_all(path);
        });
        Ok(Self { folder, _leftover: leftover })
    }

    /// Path of the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Returns the headless Chromium, or else the full one, which takes twice as long for the tests of
/// the pages.
fn browser() -> anyhow::Result<PathBuf> {
    let (shell, whole) = ("chromium-headless-shell", "chromium");
    install::ensure(shell, shell, || install::find(shell)).or_else(|error| {
        eprintln!("{error:#} Until then {whole} is used.");
        install::ensure(whole, whole, || install::find(whole))
    })
}

fn names_packages(arguments: &[String]) -> bool {
    for_cargo(arguments)
        .iter()
        .any(|argument| argument.starts_with("-p") || argument.starts_with("--package"))
}

/// Returns the arguments for cargo, which precede those for the tests.
fn for_cargo(arguments: &[String]) -> &[String] {
    arguments.split(|argument| argument == "--").next().unwrap_or_default()
}

/// Returns the lines of an output as they arrive.
fn lines(output: impl std::io::Read + Send + 'static) -> Receiver<std::io::Result<Vec<u8>>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        BufReader::new(output).split(b'\n').try_for_each(|line| sender.send(line))
    });
    receiver
}

/// Prints each line as it arrives, and sums the results. Returns false if no line arrives in time.
fn pass_on(
    lines: &Receiver<std::io::Result<Vec<u8>>>,
    timeout: Duration,
    counts: &mut Counts,
    out: &mut impl Write,
) -> std::io::Result<bool> {
    loop {
        let line = match lines.recv_timeout(timeout) {
            Ok(line) => line?,
            Err(RecvTimeoutError::Disconnected) => return Ok(true),
            Err(RecvTimeoutError::Timeout) => return Ok(false),
        };
        out.write_all(&line)?;
        out.write_all(b"\n")?;
        out.flush()?;
        if let Some(more) = std::str::from_utf8(&line).ok().and_then(read_result) {
            *counts += more;
        }
    }
}

/// Reads `test result: ok. 5 passed; 0 failed; 0 ignored; …`.
fn read_result(line: &str) -> Option<Counts> {
    let (_, results) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let count = |name: &str| {
        results.split("; ").find_map(|part| part.strip_suffix(name)?.trim().parse().ok())
    };
    Some(Counts { passed: count("passed")?, failed: count("failed")?, ignored: count("ignored")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_and_added_up() {
        let output = "running 3 tests\n\
            test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
            test result: FAILED. 12 passed; 2 failed; 1 ignored; 0 measured; 3 filtered out; finished in 1.20s\n\
            a test printed test result: ok. 9 passed; 9 failed; 9 ignored\n\
            test result: nonsense\n";
        let (mut passed_on, mut counts) = (Vec::new(), Counts::default());
        assert!(
            pass_on(&lines(output.as_bytes()), SILENCE_TIMEOUT, &mut counts, &mut passed_on)
                .unwrap()
        );
        assert_eq!(passed_on, output.as_bytes());
        assert_eq!(counts, Counts { passed: 17, failed: 2, ignored: 1 });
    }

    #[test]
    fn tests_that_hang_are_not_waited_for() {
        let (sender, silent) = mpsc::channel();
        sender.send(Ok(b"test result: ok. 3 passed; 0 failed; 0 ignored".to_vec())).unwrap();
        let mut counts = Counts::default();
        assert!(!pass_on(&silent, Duration::from_millis(1), &mut counts, &mut Vec::new()).unwrap());
        assert_eq!(counts.passed, 3);
    }

    #[test]
    fn packages_are_looked_for_before_the_arguments_of_the_tests() {
        let named = |arguments: &[&str]| {
            names_packages(&arguments.iter().map(|&a| a.to_owned()).collect::<Vec<_>>())
        };
        assert!(named(&["-p", "ledger"]) && named(&["--package=ledger"]));
        assert!(!named(&["numbers", "--", "-p"]) && !named(&[]));
    }
}
