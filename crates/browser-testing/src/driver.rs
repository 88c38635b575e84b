//! A chromedriver of one's own, and no trace of it afterwards.

use std::{
    env,
    io::{BufRead, BufReader},
    os::unix::process::CommandExt,
    process::{Child, ChildStdin, Command, Stdio},
    sync::{Condvar, Mutex, PoisonError},
    thread,
};
use tempfile::TempDir;

/// The variables that name the programs; the test command sets them.
const BROWSER: &str = "GROOTBOEK_TEST_CHROMIUM";
const DRIVER: &str = "GROOTBOEK_TEST_CHROMEDRIVER";

/// Runs its arguments in the background until its input ends, which it does when the test drops it or dies, by whatever signal.
/// Then everything in its process group goes at once: the driver, and the browser, which the driver starts in the same group.
const UNTIL_INPUT_ENDS: &str = r#""$@" </dev/null & cat; kill -KILL 0"#;

/// A running chromedriver.
pub(crate) struct Driver {
    /// Where it listens.
    pub(crate) url: String,
    /// The browser that it is to start.
    pub(crate) browser: String,
    /// A folder for the browser's profile and whatever else it writes.
    pub(crate) folder: TempDir,
    input: Option<ChildStdin>,
    shell: Child,
    _turn: Turn,
}

impl Driver {
    pub(crate) fn start() -> Self {
        let turn = Turn::take();
        let folder = tempfile::Builder::new().prefix("grootboek-browser-").tempdir().unwrap();
        let program = |variable: &str, usual: &str| env::var(variable).unwrap_or_else(|_| usual.to_owned());
        let mut shell = Command::new("sh")
            .args(["-c", UNTIL_INPUT_ENDS, "sh", &program(DRIVER, "chromedriver"), "--port=0"])
            .env("HOME", folder.path())
            .env("TMPDIR", folder.path())
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let input = shell.stdin.take();
        let mut reported = BufReader::new(shell.stdout.take().expect("its output is a pipe"));
        let port = port(&mut reported).unwrap_or_else(|| {
            panic!("no chromedriver: run the tests with `cargo xtask test`, which installs chromium and chromium-driver, or set {BROWSER} and {DRIVER}")
        });
        // What it says later is of no interest, but somebody must read it.
        thread::spawn(move || std::io::copy(&mut reported, &mut std::io::sink()));
        Self {
            url: format!("http://127.0.0.1:{port}"),
            browser: program(BROWSER, "/usr/bin/chromium"),
            folder,
            input,
            shell,
            _turn: turn,
        }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.shell.wait();
    }
}

/// Waits for `ChromeDriver was started successfully on port 34567.`
fn port(reported: &mut impl BufRead) -> Option<u16> {
    reported
        .lines()
        .map_while(Result::ok)
        .find_map(|line| line.split_once("was started successfully on port ")?.1.trim_end_matches('.').parse().ok())
}

/// A turn of one of as many browsers as there are processors: more of them at once only make each other late.
struct Turn;

static TAKEN: Mutex<usize> = Mutex::new(0);
static GIVEN_BACK: Condvar = Condvar::new();

impl Turn {
    fn take() -> Self {
        let most = thread::available_parallelism().map_or(1, usize::from);
        let taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
        *GIVEN_BACK.wait_while(taken, |taken| *taken >= most).unwrap_or_else(PoisonError::into_inner) += 1;
        Self
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        *TAKEN.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        GIVEN_BACK.notify_one();
    }
}
