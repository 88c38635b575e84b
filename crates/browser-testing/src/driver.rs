//! A chromedriver owned by one test; dropping it ends its processes and removes its files.

use std::{
    env,
    io::{BufRead, BufReader},
    os::unix::process::CommandExt,
    process::{Child, ChildStdin, Command, Stdio},
    sync::{Condvar, Mutex, PoisonError, mpsc},
    thread,
    time::Duration,
};
use tempfile::TempDir;

/// Environment variables with the paths of the programs; the test command sets them.
const BROWSER: &str = "GROOTBOEK_TEST_CHROMIUM";
const DRIVER: &str = "GROOTBOEK_TEST_CHROMEDRIVER";

/// Shell script that runs its arguments in the background until its input ends, which happens when
/// the test drops [`Shell`] or dies, even by a signal. The script then kills its process group: the
/// driver, and the browser started by the driver. Only the driver keeps the output open, so the
/// output ends with the driver.
const UNTIL_INPUT_ENDS: &str = r#""$@" </dev/null & exec >/dev/null; cat; kill -KILL 0"#;

/// Timeout for a driver to report its port.
const START_TIMEOUT: Duration = Duration::from_mins(1);

/// Maximum number of attempts to start a driver. A driver picks a free IPv4 port and then the same
/// IPv6 port, and exits if another program has already taken the latter.
const ATTEMPTS: usize = 5;

/// A running chromedriver.
pub(crate) struct Driver {
    /// URL on which the driver listens.
    pub(crate) url: String,
    /// Path of the browser that the driver starts.
    pub(crate) browser: String,
    _shell: Shell,
    /// Folder for the browser's profile and other files; dropped after all processes that use the
    /// folder have ended.
    pub(crate) folder: TempDir,
    _turn: Turn,
}

impl Driver {
    pub(crate) fn start() -> Self {
        let turn = Turn::take();
        let folder = tempfile::Builder::new().prefix("grootboek-browser-").tempdir().unwrap();
        let driver = program(DRIVER, "chromedriver");
        let Some((shell, port)) = (0..ATTEMPTS).find_map(|_| start(&driver, &folder)) else {
            panic!(
                "{driver} does not start: run the tests with `cargo xtask test`, which installs chromium and chromium-driver, or set {BROWSER} and {DRIVER}"
            )
        };
        Self {
            url: format!("http://127.0.0.1:{port}"),
            browser: program(BROWSER, "/usr/bin/chromium"),
            _shell: shell,
            folder,
            _turn: turn,
        }
    }
}

fn program(variable: &str, default: &str) -> String {
    env::var(variable).unwrap_or_else(|_| default.to_owned())
}

/// Starts a driver; returns its shell and port, or `None` on failure.
fn start(driver: &str, folder: &TempDir) -> Option<(Shell, u16)> {
    let mut child = Command::new("sh")
        .args(["-c", UNTIL_INPUT_ENDS, "sh", driver, "--port=0"])
        .env("HOME", folder.path())
        .env("TMPDIR", folder.path())
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut reported = BufReader::new(child.stdout.take().expect("the output is piped"));
    let shell = Shell { input: child.stdin.take(), child };
    let (sender, ports) = mpsc::channel();
    thread::spawn(move || {
        let _ = sender.send(port(&mut reported));
        // The rest of the output is read but discarded, so that a full pipe never stops the driver.
        std::io::copy(&mut reported, &mut std::io::sink())
    });
    Some((shell, ports.recv_timeout(START_TIMEOUT).ok().flatten()?))
}

/// Shell that runs the driver until dropped.
struct Shell {
    input: Option<ChildStdin>,
    child: Child,
}

impl Drop for Shell {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.child.wait();
    }
}

/// Reads the port from `ChromeDriver was started successfully on port 34567.`
fn port(reported: &mut impl BufRead) -> Option<u16> {
    reported.lines().map_while(Result::ok).find_map(|line| {
        line.split_once("was started successfully on port ")?.1.trim_end_matches('.').parse().ok()
    })
}

/// Permit to run a browser. There are as many permits as processors, because more browsers at once
/// only slow each other down.
struct Turn;

static TAKEN: Mutex<usize> = Mutex::new(0);
static GIVEN_BACK: Condvar = Condvar::new();

impl Turn {
    fn take() -> Self {
        let most = thread::available_parallelism().map_or(1, usize::from);
        let taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
        *GIVEN_BACK
            .wait_while(taken, |taken| *taken >= most)
            .unwrap_or_else(PoisonError::into_inner) += 1;
        Self
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        *TAKEN.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        GIVEN_BACK.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_driver_that_exits_before_listening_fails_at_once() {
        let folder = tempfile::tempdir().unwrap();
        assert!(start("/bin/false", &folder).is_none());
    }

    #[test]
    fn the_port_is_read_from_the_output_of_the_driver() {
        let output = "Starting ChromeDriver 156.0\nOnly local connections are allowed.\n\
            ChromeDriver was started successfully on port 34567.\n";
        assert_eq!(port(&mut output.as_bytes()), Some(34567));
        assert_eq!(port(&mut "IPv6 port not available. Exiting...\n".as_bytes()), None);
    }
}
