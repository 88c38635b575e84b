//! Load generation with wrk, scripted in Lua.

use anyhow::Context;
use serde::Deserialize;
use std::{
    io::Write,
    path::{Path, PathBuf},
    process::Command,
};
use xtask::{install, process};

/// Prints wrk's results as one line of JSON.
const REPORT: &str = r#"
function done(summary, latency, requests)
  local e = summary.errors
  print(string.format('RESULT {"requests":%d,"micros":%d,"p50":%d,"p99":%d,"failed":%d}', summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), e.status + e.connect + e.read + e.write + e.timeout))
end
"#;

/// Creates invoices with three lines and a unique external id, using each API key in turn.
const CREATE: &str = r#"
local keys = {}
for line in io.lines(KEYS) do keys[#keys + 1] = line end
local n = 0
request = function()
  n = n + 1
  local body = string.format('{"externalId":"%s-%d","invoiceDate":"2026-03-15","status":"sent",' ..
    '"customer":{"externalId":"c-%d","name":"Customer","country":"NL"},"items":[' ..
    '{"description":"Design","quantity":8,"unitPrice":95.5,"vatRate":21},' ..
    '{"description":"Hosting","quantity":1,"unitPrice":12.5,"vatRate":21},' ..
    '{"description":"Guide","quantity":2,"unitPrice":10,"vatRate":9}]}', RUN, n, n % 50)
  return wrk.format("POST", "/api/v1/invoices",
    {["X-API-Key"] = keys[n % #keys + 1], ["Content-Type"] = "application/json"}, body)
end
"#;

/// Replaces the lines of the drafts in turn. 49 and the number of drafts are coprime, so that each
/// draft gets another price in each round: an edit without changes would cost nothing.
const EDIT: &str = r#"
local n = 0
request = function()
  n = n + 1
  local body = string.format('{"items":[{"description":"Design","quantity":8,"unitPrice":%d,"vatRate":21}]}', 10 + n % 49)
  return wrk.format("PATCH", "/api/v1/invoices/" .. (FIRST + n % COUNT), {["X-API-Key"] = KEY, ["Content-Type"] = "application/json"}, body)
end
"#;

/// Registers a payment of one cent on the invoices in turn.
const PAY: &str = r#"
local n = 0
request = function()
  n = n + 1
  return wrk.format("POST", "/api/v1/invoices/" .. (FIRST + n % COUNT) .. "/payments",
    {["X-API-Key"] = KEY, ["Content-Type"] = "application/json"}, '{"date":"2026-03-20","amount":0.01}')
end
"#;

/// Creates and reads invoices alternately.
const MIX: &str = r#"
local create = request
local turn = 0
request = function()
  turn = turn + 1
  if turn % 2 == 0 then return create() end
  return wrk.format("GET", "/api/v1/invoices/" .. (1 + turn % 1000), {["X-API-Key"] = KEY})
end
"#;

/// A request without a key; with a body it is a POST.
pub(super) struct Request<'r> {
    pub(super) url: String,
    pub(super) body: Option<&'r str>,
}

/// The load generator.
pub(super) struct Wrk {
    program: PathBuf,
    folder: tempfile::TempDir,
}

/// Result of a measurement.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(super) struct Measured {
    requests: u64,
    micros: u64,
    /// Median latency in microseconds.
    pub(super) p50: u64,
    /// 99th percentile of the latency, in microseconds.
    pub(super) p99: u64,
    /// Requests without a 2xx response.
    pub(super) failed: u64,
}

impl Measured {
    /// Requests per second.
    #[expect(
        clippy::cast_precision_loss,
        clippy::float_arithmetic,
        reason = "a measurement, not money"
    )]
    pub(super) fn per_second(&self) -> f64 {
        self.requests as f64 / (self.micros as f64 / 1e6)
    }
}

impl Wrk {
    pub(super) fn ready() -> anyhow::Result<Self> {
        let program = install::ensure("wrk, the load generator,", "wrk", || install::find("wrk"))?;
        Ok(Self { program, folder: tempfile::tempdir()? })
    }

    /// Creates invoices over 64 connections. `run` makes the external ids unique to this run.
    pub(super) fn create(
        &self,
        origin: &str,
        keys: &Path,
        run: &str,
        seconds: u64,
    ) -> anyhow::Result<Measured> {
        let head = format!("local KEYS = {:?}\nlocal RUN = {run:?}\n", keys.display().to_string());
        self.drive(&format!("{head}{CREATE}"), origin, 64, seconds)
    }

    /// Reads one URL with an API key.
    pub(super) fn read(
        &self,
        url: &str,
        key: &str,
        connections: u32,
        seconds: u64,
    ) -> anyhow::Result<Measured> {
        self.drive(&format!("wrk.headers[\"X-API-Key\"] = {key:?}\n"), url, connections, seconds)
    }

    /// Sends the same request without a key repeatedly.
    pub(super) fn ask(
        &self,
        request: &Request<'_>,
        connections: u32,
        seconds: u64,
    ) -> anyhow::Result<Measured> {
        let script = request.body.map_or_else(String::new, |body| {
            format!("wrk.method = \"POST\"\nwrk.body = [==[{body}]==]\nwrk.headers[\"Content-Type\"] = \"application/json\"\n")
        });
        self.drive(&script, &request.url, connections, seconds)
    }

    /// Reads one URL with an access token.
    pub(super) fn read_with_token(
        &self,
        url: &str,
        token: &str,
        connections: u32,
        seconds: u64,
    ) -> anyhow::Result<Measured> {
        self.drive(
            &format!("wrk.headers[\"Authorization\"] = \"Bearer {token}\"\n"),
            url,
            connections,
            seconds,
        )
    }

    /// Opens one page with a session cookie.
    pub(super) fn look(
        &self,
        url: &str,
        cookie: &str,
        connections: u32,
        seconds: u64,
    ) -> anyhow::Result<Measured> {
        self.drive(&format!("wrk.headers[\"Cookie\"] = {cookie:?}\n"), url, connections, seconds)
    }

    /// Edits `count` drafts, starting at the id `first`.
    pub(super) fn edit(
        &self,
        origin: &str,
        key: &str,
        (first, count): (i64, i64),
        connections: u32,
        seconds: u64,
    ) -> anyhow::Result<Measured> {
        self.drive(
            &format!("KEY, FIRST, COUNT = {key:?}, {first}, {count}\n{EDIT}"),
            origin,
            connections,
            seconds,
        )
    }

    /// Pays `count` invoices, starting at the id `first`.
    pub(super) fn pay(
        &self,
        origin: &str,
        key: &str,
        (first, count): (i64, i64),
        connections: u32,
        seconds: u64,
    ) -> anyhow::Result<Measured> {
        self.drive(
            &format!("KEY, FIRST, COUNT = {key:?}, {first}, {count}\n{PAY}"),
            origin,
            connections,
            seconds,
        )
    }

    /// Creates and reads invoices alternately over 64 connections.
    pub(super) fn mix(
        &self,
        origin: &str,
        keys: &Path,
        key: &str,
        seconds: u64,
    ) -> anyhow::Result<Measured> {
        let head = format!(
            "local KEYS = {:?}\nlocal RUN = \"mix\"\nKEY = {key:?}\n",
            keys.display().to_string()
        );
        self.drive(&format!("{head}{CREATE}{MIX}"), origin, 64, seconds)
    }

    fn drive(
        &self,
        script: &str,
        url: &str,
        connections: u32,
        seconds: u64,
    ) -> anyhow::Result<Measured> {
        // A file per run, because several may run at the same time.
        let mut file = tempfile::Builder::new().suffix(".lua").tempfile_in(&self.folder)?;
        write!(file, "{script}{REPORT}")?;
        let mut command = Command::new(&self.program);
        command.args([
            "--threads",
            "1",
            "--timeout",
            "20s",
            "--connections",
            &connections.to_string(),
        ]);
        command.args(["--duration", &format!("{seconds}s"), "--script"]).arg(file.path()).arg(url);
        let printed = process::output(&mut command)?;
        let result = printed
            .lines()
            .find_map(|line| line.strip_prefix("RESULT "))
            .with_context(|| printed.clone())?;
        let measured: Measured = serde_json::from_str(result)?;
        anyhow::ensure!(
            measured.failed == 0,
            "{} of {} requests to {url} failed",
            measured.failed,
            measured.requests
        );
        Ok(measured)
    }
}
