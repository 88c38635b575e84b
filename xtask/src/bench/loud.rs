//! One account next to another that sends as many requests as it can: many small reads, the largest
//! lists, long scans, clients that do not read their responses, and thousands of writes.

use super::{Bench, Target, api::paced, divide, mebibytes, middle, millis};
use crate::{
    crash::Acknowledged,
    faults::crowd::{CROWD, PLACES, Shouting, slowest, writes},
    postgres::{Cluster, Durability},
    process::Process,
    server::{Program, Server},
};
use anyhow::Context;
use std::{
    io::Write,
    net::TcpStream,
    thread,
    time::{Duration, Instant},
};

/// Clients that request a list and do not read the response.
const SILENT: usize = 60;
/// Invoices of the maximum size: 500 lines with descriptions of 1000 characters.
const LARGE: usize = 120;
/// Creates of the quiet account per turn. With 200, the 99th percentile would be the third slowest,
/// which depends on chance.
const WRITES: usize = 1000;
/// Maximum additional delay of an account while another reads as much as it can, in milliseconds,
/// however fast it is alone.
const MOST_DELAY: f64 = 50.0;

impl Bench {
    /// Measures the extra delay of an account while another sends requests without pause, with rate
    /// limits on.
    pub(super) fn loud(&mut self) -> anyhow::Result<()> {
        let program = self.program("loud");
        let (quiet, loud) = (program.open_account("quiet@example.com")?, program.open_account("loud@example.com")?);
        let server = program.serve_with(&self.log(), &["--rate-limit", "6000", "--rate-burst", "1000"])?;
        let url = format!("{}/api/v1/account", server.origin);
        let (mut alone, mut beside) = (Vec::new(), Vec::new());
        // Alternately, so that other activity of the machine affects both.
        for _ in 0..5 {
            alone.push(paced(&url, &quiet)?);
            let shouting = self.wrk.shout(&url, &loud, 60)?;
            thread::sleep(Duration::from_millis(500));
            beside.push(paced(&url, &quiet)?);
            drop(shouting);
        }
        server.stop()?;
        let what = "p99 of an account beside a loud one, median of 5";
        self.compare(what, middle(beside), "ms", ("alone", middle(alone)), Target::AtMost(2.0));
        self.many_writes("SQLite", &self.program("many-writes"))?;
        self.large_reads("SQLite", &self.program("large-reads"))?;
        let cluster = Cluster::start(Durability::Durable)?;
        let on = |name: &str| -> anyhow::Result<Program> {
            Ok(Program { binary: self.binary.clone(), database: cluster.create_database(name)? })
        };
        let (writes, reads) = (on("writes")?, on("reads")?);
        self.many_writes("PostgreSQL", &writes)?;
        self.large_reads("PostgreSQL", &reads)
    }

    /// Measures an account's creates while another sends ten thousand at once, which fill the
    /// queue.
    fn many_writes(&mut self, engine: &str, program: &Program) -> anyhow::Result<()> {
        let (quiet, loud) = (program.open_account("quiet@example.com")?, program.open_account("loud@example.com")?);
        let server = program.serve_with(&self.log(), &["--rate-limit", "0", "--max-clients", PLACES])?;
        let (mut alone, mut beside) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
        for turn in 0..if self.options.quick { 1 } else { 3 } {
            let measure = |name: &str, into: &mut [Vec<f64>; 2]| -> anyhow::Result<()> {
                let took = writes(&server, &quiet, (&format!("{name}{turn}"), WRITES), &mut Acknowledged::new())?;
                into[0].push(millis(took[took.len() / 2]));
                into[1].push(millis(slowest(&took)));
                Ok(())
            };
            measure("alone", &mut alone)?;
            let shouting = Shouting::begin(&server, &loud, &format!("{turn}-"))?;
            measure("beside", &mut beside)?;
            let answers = shouting.end();
            eprintln!("answers to the loud account: {answers:?}");
            // Waits until the requests of disconnected clients are done.
            thread::sleep(Duration::from_secs(2));
        }
        server.stop()?;
        let targets = [("median", None), ("p99", Some(Target::AtMost(2.0)))];
        for ((name, target), (alone, beside)) in targets.into_iter().zip(alone.into_iter().zip(beside)) {
            let what = format!("{name} of a create beside {CROWD} writes of another account, {engine}");
            self.compare(what, middle(beside), "ms", ("alone", middle(alone)), target);
        }
        Ok(())
    }

    /// Measures an account's reads next to lists of the largest invoices, scans of many postings,
    /// and clients that do not read.
    fn large_reads(&mut self, engine: &str, program: &Program) -> anyhow::Result<()> {
        let (quiet, loud) = (program.open_account("quiet@example.com")?, program.open_account("loud@example.com")?);
        let scanning = program.open_account("scanning@example.com")?;
        let many = if self.options.quick { "10000" } else { "100000" };
        program.run(&["fill", "--email", "scanning@example.com", "--invoices", many, "--year", "2026"])?;
        program.run(&["fill", "--email", "quiet@example.com", "--invoices", "100", "--year", "2026"])?;
        // No rate limit: it is not what is measured here.
        let server = program.serve_with(&self.log(), &["--rate-limit", "0"])?;
        make_large_invoices(&server, &loud)?;
        for path in ["account", "invoices/7", "invoices?limit=10"] {
            let url = format!("{}/api/v1/{path}", server.origin);
            let (mut alone, mut beside, mut most) = (Vec::new(), Vec::new(), 0);
            for _ in 0..3 {
                alone.push(paced(&url, &quiet)?);
                let noise = self.noise(&server, &loud, &scanning)?;
                // Waits until the noise uses all resources that it is allowed.
                thread::sleep(Duration::from_secs(2));
                let (paced, memory) = beside_memory(&server, || paced(&url, &quiet))?;
                beside.push(paced);
                most = most.max(memory);
                drop(noise);
            }
            let (alone, beside) = (middle(alone), middle(beside));
            let what = format!("p99 of GET {path} beside large lists, scans and {SILENT} silent clients, {engine}");
            self.compare(&what, beside, "ms", ("alone", alone), Target::AtMost(divide(MOST_DELAY, alone).max(3.0)));
            self.record(format!("resident memory during it, {engine}"), mebibytes(most), "MiB", Some(Target::AtMost(400.0)));
        }
        server.stop()
    }

    fn noise(&self, server: &Server, loud: &str, scanning: &str) -> anyhow::Result<(Vec<Process>, Vec<TcpStream>)> {
        let url = |path: &str| format!("{}/api/v1/{path}", server.origin);
        let shouting = vec![
            self.wrk.shout(&url("invoices?limit=500"), loud, 120)?,
            self.wrk.shout(&url("entries?year=2026&limit=500&accountCode=1100"), scanning, 120)?,
            self.wrk.shout(&url("entries?year=2026&limit=500&sourceType=expense"), scanning, 120)?,
            self.wrk.shout(&url("invoices?status=draft&limit=500"), scanning, 120)?,
        ];
        let silent: anyhow::Result<Vec<TcpStream>> = (0..SILENT)
            .map(|_| {
                let address = server.origin.strip_prefix("http://").context("the server speaks HTTP")?;
                let mut client = TcpStream::connect(address)?;
                write!(client, "GET /api/v1/invoices?limit=500 HTTP/1.1\r\nhost: {address}\r\nx-api-key: {loud}\r\n\r\n")?;
                Ok(client)
            })
            .collect();
        Ok((shouting, silent?))
    }
}

fn make_large_invoices(server: &Server, key: &str) -> anyhow::Result<()> {
    let item = serde_json::json!({ "description": "x".repeat(1000), "unitPrice": 1, "vatRate": 21 });
    let payload = serde_json::json!({ "invoiceDate": "2026-03-15", "customer": { "name": "Large" }, "items": vec![item; 500] });
    for _ in 0..LARGE {
        let request = ureq::post(format!("{}/api/v1/invoices", server.origin)).header("x-api-key", key);
        request.header("content-type", "application/json").send(payload.to_string())?;
    }
    Ok(())
}

/// Returns the result of the measurement and the server's maximum memory during it.
fn beside_memory<T>(server: &Server, measure: impl FnOnce() -> anyhow::Result<T> + Send) -> anyhow::Result<(T, u64)>
where
    T: Send,
{
    thread::scope(|scope| {
        let measuring = scope.spawn(measure);
        let (mut most, begun) = (0, Instant::now());
        while !measuring.is_finished() && begun.elapsed() < Duration::from_secs(300) {
            most = most.max(server.resident()?);
            thread::sleep(Duration::from_millis(50));
        }
        let measured = measuring.join().map_err(|_| anyhow::anyhow!("the measurement panicked"))??;
        Ok((measured, most))
    })
}
