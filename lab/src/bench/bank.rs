//! Bank statements: time and memory of a file of 100 000 lines, other people's requests meanwhile,
//! and reading lines with and without suggestions.

use super::{Bench, Target, divide, mebibytes, middle, millis};
use crate::{
    crash::Acknowledged,
    faults::crowd::{slowest, writes},
    server::{Program, Server},
};
use anyhow::ensure;
use std::{
    fmt::Write as _,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};
use xtask::postgres::{Cluster, Durability};

/// Number of lines in the file.
const LINES: usize = 100_000;
/// Number of open invoices beside the lines.
const OPEN: usize = 2_000;
/// Number of requests per figure.
const READS: usize = 25;
/// Number of create requests of the other account per turn.
const WRITES: usize = 300;

/// Statement in MT940 with lines to and from many counterparties.
fn statement(lines: usize) -> String {
    let mut text =
        String::from(":20:BENCH\r\n:25:NL02ABNA0123456789\r\n:28:1/1\r\n:60F:C250101EUR0,00\r\n");
    let mut balance: i64 = 0;
    for number in 0..lines {
        let (month, day) = (1 + number * 11 / lines, 1 + number % 28);
        let cents = i64::try_from(100 + number * 7_919 % 90_000).unwrap_or(100);
        let sign = if number % 3 == 0 { "D" } else { "C" };
        balance += if sign == "C" { cents } else { -cents };
        let _ = write!(
            text,
            ":61:25{month:02}{day:02}{month:02}{day:02}{sign}{},{:02}N654NONREF\r\n\
             :86:/TRTP/SEPA OVERBOEKING/NAME/Party {}/IBAN/NL91ABNA0417164300/REMI/Line {number}/EREF/E{number}\r\n",
            cents / 100,
            cents % 100,
            number % 500
        );
    }
    let sign = if balance < 0 { "D" } else { "C" };
    let _ = write!(
        text,
        ":62F:{sign}251130EUR{},{:02}\r\n-\r\n",
        balance.abs() / 100,
        balance.abs() % 100
    );
    text
}

impl Bench {
    /// Measures on both engines.
    pub(super) fn bank(&mut self) -> anyhow::Result<()> {
        self.bank_on("SQLite", &self.program("bank"))?;
        let cluster = Cluster::start(Durability::Durable)?;
        let program =
            Program { binary: self.binary.clone(), database: cluster.create_database("bank")? };
        self.bank_on("PostgreSQL", &program)
    }

    fn bank_on(&mut self, engine: &str, program: &Program) -> anyhow::Result<()> {
        let (quiet, key) =
            (program.open_account("quiet@example.com")?, program.open_account("bank@example.com")?);
        let server = program.serve_with(&self.log(), &["--rate-limit", "0"])?;
        let mut made = Acknowledged::new();
        let alone = writes(&server, &quiet, ("alone", WRITES), &mut made)?;
        let file = statement(if self.options.quick { LINES / 10 } else { LINES });
        let rest = server.resident()?;
        let is_taken = AtomicBool::new(false);
        let (took, peak, beside) = thread::scope(|scope| -> anyhow::Result<_> {
            let peak = scope.spawn(|| -> anyhow::Result<u64> {
                let mut peak = rest;
                while !is_taken.load(Ordering::Relaxed) {
                    peak = peak.max(server.resident()?);
                    thread::sleep(Duration::from_millis(5));
                }
                Ok(peak)
            });
            let others = scope
                .spawn(|| writes(&server, &quiet, ("beside", WRITES), &mut Acknowledged::new()));
            let begun = Instant::now();
            let taken = take(&server, &key, &file);
            let took = begun.elapsed();
            is_taken.store(true, Ordering::Relaxed);
            taken?;
            let joined = |_| anyhow::anyhow!("a measuring thread failed");
            Ok((took, peak.join().map_err(joined)??, others.join().map_err(joined)??))
        })?;
        let what = format!("bank statement of {} lines, {engine}", lines_of(&file));
        self.record(&what, took.as_secs_f64(), "s", Some(Target::AtMost(2.0)));
        let memory = mebibytes(peak.saturating_sub(rest));
        self.record(format!("memory of a {what}"), memory, "MiB", Some(Target::AtMost(64.0)));
        self.compare(
            format!("p99 of a create of another account beside it, {engine}"),
            millis(slowest(&beside)),
            "ms",
            ("alone", millis(slowest(&alone))),
            Target::AtMost(2.0),
        );
        for (name, path, target) in [
            ("list of 50 bank lines", "/api/v1/bank-lines?limit=50", Some(20.0)),
            ("list of 50 new bank lines", "/api/v1/bank-lines?state=new&limit=50", Some(20.0)),
        ] {
            let what = format!("{name} of {}, {engine}", lines_of(&file));
            self.record(what, read(&server, &key, path)?, "ms", target.map(Target::AtMost));
        }
        for number in 0..OPEN {
            invoice(&server, &key, number)?;
        }
        let path = "/api/v1/bank-lines?state=new&limit=50&include=suggestions";
        let per_line = divide(read(&server, &key, path)?, 50.0);
        let what = format!("suggestions per bank line, {OPEN} open invoices, {engine}");
        self.record(what, per_line, "ms", Some(Target::AtMost(5.0)));
        server.stop()
    }
}

fn lines_of(file: &str) -> usize {
    file.matches("\r\n:61:").count()
}

fn take(server: &Server, key: &str, file: &str) -> anyhow::Result<()> {
    let response = ureq::post(format!("{}/api/v1/bank-statements", server.origin))
        .header("x-api-key", key)
        .header("content-type", "text/plain")
        .send(file.as_bytes())?;
    ensure!(response.status() == 201, "a bank statement was answered with {}", response.status());
    Ok(())
}

fn invoice(server: &Server, key: &str, number: usize) -> anyhow::Result<()> {
    let body = serde_json::json!({
        "status": "sent", "invoiceDate": "2026-03-02", "customer": {"name": format!("Customer {}", number % 300), "country": "NL"},
        "items": [{"description": "Work", "quantity": 1, "unitPrice": 100 + number, "vatRate": 21}],
    });
    let response = ureq::post(format!("{}/api/v1/invoices", server.origin))
        .header("x-api-key", key)
        .header("content-type", "application/json")
        .send(body.to_string())?;
    ensure!(response.status() == 201, "an invoice was answered with {}", response.status());
    Ok(())
}

/// Median time of a request, in milliseconds.
fn read(server: &Server, key: &str, path: &str) -> anyhow::Result<f64> {
    let mut times = Vec::new();
    for _ in 0..READS {
        let begun = Instant::now();
        let mut response =
            ureq::get(format!("{}{path}", server.origin)).header("x-api-key", key).call()?;
        ensure!(response.status() == 200, "{path} was answered with {}", response.status());
        response.body_mut().read_to_vec()?;
        times.push(millis(begun.elapsed()));
    }
    Ok(middle(times))
}
