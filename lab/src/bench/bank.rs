//! Bank statements: time and memory of a file of 100 000 lines and of hostile files, other people's
//! requests meanwhile, and reading lines with and without suggestions.

use super::{Bench, Target, divide, mebibytes, middle, millis};
use crate::{
    crash::{Acknowledged, agent},
    faults::crowd::{slowest, writes},
    server::{Program, Server},
};
use anyhow::ensure;
use std::{
    fmt::Write as _,
    io::{Cursor, Write as _},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};
use xtask::postgres::{Cluster, Durability};
use zip::{ZipWriter, write::SimpleFileOptions};

/// Number of lines in the file.
const LINES: usize = 100_000;
/// Number of open items beside the lines: invoices, and a bill for every two of them.
const OPEN: usize = 10_000;
/// Number of requests per figure.
const READS: usize = 25;
/// Number of create requests of the other account per turn.
const WRITES: usize = 300;
/// Largest file that is accepted, in bytes.
const MOST_BYTES: usize = 20 << 20;

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

/// Files that no bank sends, which cost the most, with what each is.
fn hostile() -> anyhow::Result<Vec<(&'static str, Vec<u8>)>> {
    let archive = |files: &[Vec<u8>]| -> anyhow::Result<Vec<u8>> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (number, file) in files.iter().enumerate() {
            writer.start_file(format!("{number}.940"), SimpleFileOptions::default())?;
            writer.write_all(file)?;
        }
        Ok(writer.finish()?.into_inner())
    };
    let inner = archive(&[statement(100).into_bytes()])?;
    let within = |inner: String| format!("<Document><BkToCstmrStmt>{inner}").into_bytes();
    Ok(vec![
        ("zip bomb of 108 MiB", archive(&vec![vec![b'\n'; 18 << 20]; 6])?),
        ("zip bomb of one file", archive(&[vec![b'\n'; 1 << 30]])?),
        ("zip of zips", archive(&vec![inner; 200])?),
        ("zip of 201 files", archive(&vec![statement(10).into_bytes(); 201])?),
        ("file with 1 000 000 empty statements", within("<Stmt/>".repeat(1_000_000))),
        ("file with 1 000 000 elements within each other", within("<Stmt>".repeat(1_000_000))),
        (
            "file with 900 000 empty messages",
            ":20:\n:60F:C260101EUR,\n".repeat(900_000).into_bytes(),
        ),
        ("line of 20 MiB", vec![b'x'; MOST_BYTES]),
        ("file with a character too many", vec![b'\n'; MOST_BYTES + 1]),
        ("file that is cut", {
            let file = statement(100_000).into_bytes();
            let most = file.len().min(MOST_BYTES) - 100;
            file[..most].to_vec()
        }),
    ])
}

impl Bench {
    /// Measures on both engines.
    pub(super) fn bank(&mut self) -> anyhow::Result<()> {
        self.hostile_statements()?;
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
        let (beside, took, growth) = thread::scope(|scope| -> anyhow::Result<_> {
            let others = scope
                .spawn(|| writes(&server, &quiet, ("beside", WRITES), &mut Acknowledged::new()));
            let (taken, took, growth) = watched(&server, || take(&server, &key, &file))?;
            taken?;
            Ok((others.join().map_err(|_| failed())??, took, growth))
        })?;
        let what = format!("bank statement of {} lines, {engine}", lines_of(&file));
        self.record(&what, took.as_secs_f64(), "s", Some(Target::AtMost(2.0)));
        let memory = mebibytes(growth);
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
        let open = if self.options.quick { OPEN / 10 } else { OPEN };
        for number in 0..open {
            open_item(&server, &key, number)?;
        }
        let path = "/api/v1/bank-lines?state=new&limit=50&include=suggestions";
        let per_line = divide(read(&server, &key, path)?, 50.0);
        let what = format!("suggestions per bank line, {open} open items, {engine}");
        self.record(what, per_line, "ms", Some(Target::AtMost(5.0)));
        server.stop()
    }

    /// Measures files that are refused. Nothing is written, so that the engine does not matter.
    fn hostile_statements(&mut self) -> anyhow::Result<()> {
        let program = self.program("hostile");
        let key = program.open_account("hostile@example.com")?;
        let server = program.serve(&self.log())?;
        for (what, file) in hostile()? {
            let (status, took, growth) = watched(&server, || refuse(&server, &key, &file))?;
            let status = status?;
            let expected = if file.len() > MOST_BYTES { 413 } else { 422 };
            ensure!(status == expected, "a {what} was answered with {status}");
            let target = Some(Target::AtMost(2.0));
            self.record(format!("refusal of a {what}"), took.as_secs_f64(), "s", target);
            let target = Some(Target::AtMost(64.0));
            self.record(format!("memory of a {what}"), mebibytes(growth), "MiB", target);
        }
        let mut list = ureq::get(format!("{}/api/v1/bank-statements", server.origin))
            .header("x-api-key", &key)
            .call()?;
        let list: serde_json::Value = serde_json::from_str(&list.body_mut().read_to_string()?)?;
        ensure!(list["data"] == serde_json::json!([]), "a refused statement was stored");
        server.stop()
    }
}

fn failed() -> anyhow::Error {
    anyhow::anyhow!("a measuring thread failed")
}

/// Returns the result of an action, its duration, and the growth of the server's memory in bytes.
fn watched<T>(server: &Server, act: impl FnOnce() -> T) -> anyhow::Result<(T, Duration, u64)> {
    let rest = server.resident()?;
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        let peak = scope.spawn(|| -> anyhow::Result<u64> {
            let mut peak = rest;
            while !is_done.load(Ordering::Relaxed) {
                peak = peak.max(server.resident()?);
                thread::sleep(Duration::from_millis(5));
            }
            Ok(peak)
        });
        let begun = Instant::now();
        let result = act();
        let took = begun.elapsed();
        is_done.store(true, Ordering::Relaxed);
        Ok((result, took, peak.join().map_err(|_| failed())??.saturating_sub(rest)))
    })
}

/// Sends a file that is refused; returns the status.
fn refuse(server: &Server, key: &str, file: &[u8]) -> anyhow::Result<u16> {
    let response = agent()
        .post(format!("{}/api/v1/bank-statements", server.origin))
        .header("x-api-key", key)
        .header("content-type", "application/octet-stream")
        .send(file)?;
    Ok(response.status().as_u16())
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

/// Sends an invoice or records a bill, which nobody has paid.
fn open_item(server: &Server, key: &str, number: usize) -> anyhow::Result<()> {
    let party = format!("Party {}", number % 300);
    let amount = 100 + number;
    let (path, body) = if number % 3 == 2 {
        let items = serde_json::json!([{"category": "4100", "amount": amount, "vatRate": 21}]);
        let body = serde_json::json!({
            "date": "2026-03-02", "supplier": party, "supplierInvoiceNumber": format!("F-{number}"),
            "paidFrom": "unpaid", "items": items,
        });
        ("expenses", body)
    } else {
        let items = serde_json::json!([
            {"description": "Work", "quantity": 1, "unitPrice": amount, "vatRate": 21},
        ]);
        let body = serde_json::json!({
            "status": "sent", "invoiceDate": "2026-03-02",
            "customer": {"name": party, "country": "NL"}, "items": items,
        });
        ("invoices", body)
    };
    let response = ureq::post(format!("{}/api/v1/{path}", server.origin))
        .header("x-api-key", key)
        .header("content-type", "application/json")
        .send(body.to_string())?;
    ensure!(response.status() == 201, "POST /{path} was answered with {}", response.status());
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
