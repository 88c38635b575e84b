//! The program as seen by an operator: commands, exit codes and output; servers run as separate
//! processes.

#![expect(clippy::unwrap_used, reason = "a failure is a failed test")]

mod audit_file;
mod bank;
mod demo;
mod due;
mod keep;
mod mails;
mod manual;
mod moving;
mod oauth;
mod operating;
mod outbox;
mod package;
mod people;
mod pipes;
mod proxies;
mod secret;
mod serving;
mod smtp;
mod vat;

use serde_json::Value;
use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Arc, Mutex, mpsc},
    thread::JoinHandle,
    time::{Duration, Instant},
};
use testing::Visitor;

/// Time limit of each wait and request.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Owner of the account with a password.
const EMAIL: &str = "anna@example.com";
const PASSWORD: &str = "drie grote vlinders";

/// Result of a command.
struct Answer {
    code: i32,
    out: String,
    err: String,
}

impl Answer {
    /// Standard output as JSON.
    fn json(&self) -> Value {
        serde_json::from_str(&self.out)
            .unwrap_or_else(|error| panic!("{error}: {}{}", self.out, self.err))
    }
}

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grootboek"));
    for (name, _) in
        std::env::vars().filter(|(name, _)| name.starts_with("GROOTBOEK_") || name == "RUST_LOG")
    {
        command.env_remove(name);
    }
    // Makes the output show any backtrace.
    command.env("RUST_BACKTRACE", "1");
    command
}

/// Runs a command to its end.
fn command(arguments: &[&str], input: &str) -> Answer {
    let mut child = program()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that does not read closes the pipe, which is not a failure.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    for panic in ["panicked", "stack backtrace", "RUST_BACKTRACE"] {
        assert!(!err.contains(panic), "{arguments:?}: {err}");
    }
    Answer {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err,
    }
}

/// Runs a command on a database.
fn on(database: &str, arguments: &[&str]) -> Answer {
    command(&[&["--database", database], arguments].concat(), "")
}

/// Runs a command on a database; it must succeed.
fn done(database: &str, arguments: &[&str]) -> Answer {
    let answer = on(database, arguments);
    assert_eq!((answer.code, answer.err.as_str()), (0, ""), "{arguments:?}");
    answer
}

/// Runs a command that must fail, print each of `reported` on standard error, and print nothing on
/// standard output.
fn refused(database: &str, arguments: &[&str], reported: &[&str]) {
    let answer = on(database, arguments);
    assert_ne!(answer.code, 0, "{arguments:?}: {}", answer.out);
    assert_eq!(answer.out, "", "{arguments:?}");
    for part in reported {
        assert!(answer.err.contains(part), "{arguments:?} should say {part:?}: {}", answer.err);
    }
}

/// Opens an account on the starter plan and creates a key with both scopes.
fn account_with_key(database: &str, email: &str) -> String {
    done(database, &["account", "add", "--email", email, "--name", "Anna", "--plan", "starter"]);
    key(database, email).1
}

/// Creates a key with both scopes; returns its id and the key itself.
fn key(database: &str, email: &str) -> (String, String) {
    let made = done(
        database,
        &[
            "key", "add", "--email", email, "--name", "k", "--scope", "read", "--scope", "write",
            "--json",
        ],
    )
    .json();
    (made["id"].to_string(), made["key"].as_str().unwrap().to_owned())
}

/// Opens an account with a password.
fn account_with_password(database: &str, email: &str) {
    let add = [
        "account",
        "add",
        "--email",
        email,
        "--name",
        "Anna",
        "--plan",
        "starter",
        "--password-stdin",
    ];
    let made = command(&[&["--database", database], &add[..]].concat(), PASSWORD);
    assert_eq!((made.code, made.err.as_str()), (0, ""));
}

/// A visitor with a browser in English.
fn visitor(server: &Running) -> Visitor {
    Visitor::at(&server.url).speaking("en")
}

/// Signs up; an email with a link is sent.
fn sign_up(visitor: &Visitor, email: &str) {
    let fields = [("email", email), ("password", PASSWORD), ("name", "Anna"), ("country", "NL")];
    assert_eq!(
        visitor.submit(&visitor.get("/signup"), "/signup", &fields).location(),
        "/signup/sent"
    );
}

/// Encodes a value for a form or URL by escaping every byte.
fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// Waits until a condition holds.
fn wait_until(what: &str, mut so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !so() {
        assert!(begun.elapsed() < TIMEOUT, "waited too long until {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A process that runs until it is stopped; killed when the test ends.
struct Running {
    child: Child,
    lines: Mutex<mpsc::Receiver<String>>,
    log: Arc<Mutex<String>>,
    readers: Vec<JoinHandle<()>>,
    /// Output so far.
    printed: String,
    /// Listen address: `http://127.0.0.1:…`.
    url: String,
}

impl Running {
    /// Starts `serve` on a free port.
    fn serve(database: &str, options: &[&str]) -> Self {
        Self::serving(
            program()
                .args(["--database", database, "serve", "--listen", "127.0.0.1:0"])
                .args(options),
        )
    }

    /// Starts a program that serves.
    fn serving(program: &mut Command) -> Self {
        let mut server = Self::spawn(program);
        let line = server.read_until("listening on ");
        server.url = line.split(' ').nth(2).unwrap().to_owned();
        server
    }

    fn spawn(program: &mut Command) -> Self {
        let mut child = program
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, lines) = mpsc::channel();
        let out = BufReader::new(child.stdout.take().unwrap());
        let mut err = child.stderr.take().unwrap();
        let log = Arc::new(Mutex::new(String::new()));
        let its_log = Arc::clone(&log);
        let readers = vec![
            std::thread::spawn(move || {
                out.lines().map_while(Result::ok).for_each(|line| drop(sender.send(line)))
            }),
            std::thread::spawn(move || {
                let mut buffer = [0; 4096];
                while let Ok(length @ 1..) = err.read(&mut buffer) {
                    its_log.lock().unwrap().push_str(&String::from_utf8_lossy(&buffer[..length]));
                }
            }),
        ];
        Self {
            child,
            lines: Mutex::new(lines),
            log,
            readers,
            printed: String::new(),
            url: String::new(),
        }
    }

    /// Reads the output up to the line with this beginning, and returns that line.
    fn read_until(&mut self, beginning: &str) -> String {
        loop {
            let line = self.lines.get_mut().unwrap().recv_timeout(TIMEOUT).unwrap_or_else(|_| {
                panic!("it did not print {beginning}: {}{}", self.printed, self.log())
            });
            self.printed += &line;
            self.printed.push('\n');
            if line.starts_with(beginning) {
                return line;
            }
        }
    }

    fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    fn signal(&self, name: &str) {
        let sent =
            Command::new("kill").args([name, &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    /// Waits until the process ends; returns the exit status and the log.
    fn ended(&mut self) -> (ExitStatus, String) {
        let mut status = None;
        wait_until("the process ends", || {
            status = self.child.try_wait().unwrap();
            status.is_some()
        });
        for reader in self.readers.drain(..) {
            reader.join().unwrap();
        }
        while let Ok(line) = self.lines.get_mut().unwrap().try_recv() {
            self.printed += &line;
            self.printed.push('\n');
        }
        (status.unwrap(), self.log())
    }

    /// Stops the process and waits for its end, which must be successful; returns the log.
    fn stop(&mut self) -> String {
        self.signal("-TERM");
        let (status, log) = self.ended();
        assert_eq!(status.code(), Some(0), "{log}");
        log
    }

    /// Sends a request; returns status, headers and body.
    fn send(
        &self,
        method: &str,
        path: &str,
        key: Option<&str>,
        body: Option<&str>,
    ) -> (u16, Vec<(String, String)>, String) {
        self.send_as(method, path, key, "application/json", body.map(str::as_bytes))
    }

    /// Like [`Self::send`], with a body of another media type.
    fn send_as(
        &self,
        method: &str,
        path: &str,
        key: Option<&str>,
        kind: &str,
        body: Option<&[u8]>,
    ) -> (u16, Vec<(String, String)>, String) {
        let mut request =
            ureq::http::Request::builder().method(method).uri(format!("{}{path}", self.url));
        if let Some(key) = key {
            request = request.header("x-api-key", key);
        }
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(TIMEOUT))
            .build()
            .new_agent();
        let mut response = match body {
            Some(body) => agent.run(request.header("content-type", kind).body(body).unwrap()),
            None => agent.run(request.body(()).unwrap()),
        }
        .unwrap();
        let headers = response
            .headers()
            .iter()
            .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
            .collect();
        // Documents such as PDF files are not text.
        let text =
            String::from_utf8_lossy(&response.body_mut().read_to_vec().unwrap()).into_owned();
        (response.status().as_u16(), headers, text)
    }

    fn get(&self, key: &str, path: &str) -> (u16, String) {
        let (status, _, text) = self.send("GET", path, Some(key), None);
        (status, text)
    }

    fn post(&self, key: &str, path: &str, body: &str) -> (u16, String) {
        let (status, _, text) = self.send("POST", path, Some(key), Some(body));
        (status, text)
    }

    /// Uploads a receipt; returns status and body.
    fn hand_in(&self, key: &str, file: &[u8]) -> (u16, String) {
        let (status, _, text) =
            self.send_as("POST", "/api/v1/receipts", Some(key), "application/pdf", Some(file));
        (status, text)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// An invoice with one line.
const INVOICE: &str = r#"{"status": "sent", "invoiceDate": "2026-03-15", "customer": {"name": "Bakkerij De Korenaar"},
    "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]}"#;
