//! Response times of lists, edits, payments, the change feed and mixed load in large books.

use super::{
    Bench, Target,
    load::{Measured, Wrk},
    micros, middle, millis,
};
use anyhow::{Context, ensure};
use serde_json::Value;
use std::{
    fs, thread,
    time::{Duration, Instant},
};

/// Median of several measurements.
fn median(mut values: Vec<u64>) -> f64 {
    values.sort_unstable();
    micros(values[values.len() / 2])
}

impl Bench {
    /// Compares lists, edits and payments in large and in small books, one request at a time, and
    /// measures the change feed and mixed load.
    // Long: one measurement in order.
    pub(super) fn api(&mut self) -> anyhow::Result<()> {
        const DRAFTS: i64 = 200;
        let many = if self.options.quick { 10_000 } else { 100_000 };
        let program = self.program("api");
        let accounts = [("small@example.com", 1_000_i64), ("large@example.com", many)];
        let mut keys = Vec::new();
        for (email, count) in accounts {
            keys.push(program.open_account(email)?);
            program.run(&[
                "fill",
                "--email",
                email,
                "--invoices",
                &count.to_string(),
                "--year",
                "2026",
            ])?;
        }
        let server = program.serve(&self.log())?;
        let origin = server.origin.clone();
        for key in &keys {
            for _ in 0..DRAFTS {
                let body = r#"{"invoiceDate":"2026-03-15","customer":{"name":"Customer 1"},"items":[{"description":"Work","unitPrice":10,"vatRate":21}]}"#;
                let request =
                    ureq::post(format!("{origin}/api/v1/invoices")).header("x-api-key", key);
                request.header("content-type", "application/json").send(body)?;
            }
        }
        type Measure<'m> = Box<dyn Fn(&Wrk, usize) -> anyhow::Result<Measured> + 'm>;
        let sizes = accounts.map(|(_, count)| count);
        let measures: [(&str, Measure<'_>); 4] = [
            (
                "GET invoices?limit=100",
                Box::new(|wrk, place| {
                    wrk.read(&format!("{origin}/api/v1/invoices?limit=100"), &keys[place], 1, 2)
                }),
            ),
            (
                "POST invoices/{id}/payments",
                Box::new(|wrk, place| wrk.pay(&origin, &keys[place], (1, 900), 1, 2)),
            ),
            (
                "PATCH invoices/{id}, a draft",
                Box::new(|wrk, place| {
                    wrk.edit(&origin, &keys[place], (sizes[place] + 1, DRAFTS), 1, 2)
                }),
            ),
            (
                "GET invoices?externalId=none",
                Box::new(|wrk, place| {
                    wrk.read(
                        &format!("{origin}/api/v1/invoices?externalId=none"),
                        &keys[place],
                        1,
                        2,
                    )
                }),
            ),
        ];
        let mut results = Vec::new();
        for (what, measure) in &measures {
            let (mut small, mut large) = (Vec::new(), Vec::new());
            for _ in 0..3 {
                small.push(measure(&self.wrk, 0)?.p50);
                large.push(measure(&self.wrk, 1)?.p50);
            }
            results.push((
                format!("{what}, median, {many} invoices"),
                median(large),
                median(small),
            ));
        }
        drop(measures);
        for (what, large, small) in results {
            self.compare(what, large, "ms", ("1000 invoices", small), Target::AtMost(1.3));
        }
        self.changes(&origin, &keys[1])?;
        let file = self.folder.path().join("api.keys");
        fs::write(&file, &keys[1])?;
        let mixed = self.wrk.mix(&origin, &file, &keys[1], self.seconds())?;
        self.record("creating and reading in turn, 64 connections", mixed.per_second(), "/s", None);
        self.record("creating and reading in turn, p99", micros(mixed.p99), "ms", None);
        server.stop()?;
        let (discrepancies, report) = program.verify()?;
        ensure!(discrepancies == 0, "{report}");
        Ok(())
    }
}

impl Bench {
    /// Cost of polling the change feed of large books when nothing has changed, compared with the
    /// smallest response.
    fn changes(&mut self, origin: &str, key: &str) -> anyhow::Result<()> {
        let nothing_new = format!("{origin}/api/v1/changes?after={}", last_change(origin, key)?);
        let account = format!("{origin}/api/v1/account");
        let (mut heard, mut read) = (Vec::new(), Vec::new());
        for _ in 0..3 {
            heard.push(self.wrk.read(&nothing_new, key, 64, self.seconds())?.per_second());
            read.push(self.wrk.read(&account, key, 64, self.seconds())?.per_second());
        }
        let what = "GET changes with nothing new, 64 connections";
        self.compare(
            what,
            middle(heard),
            "/s",
            ("GET account", middle(read)),
            Target::AtLeast(0.8),
        );
        Ok(())
    }
}

/// Sequence number of the last change.
fn last_change(origin: &str, key: &str) -> anyhow::Result<i64> {
    let mut last = 0;
    loop {
        let request = ureq::get(format!("{origin}/api/v1/changes?limit=500&after={last}"))
            .header("x-api-key", key);
        let page: Value = serde_json::from_str(&request.call()?.body_mut().read_to_string()?)?;
        match page["data"].as_array().and_then(|rows| rows.last()) {
            Some(row) => last = row["sequence"].as_i64().context("a change has no sequence")?,
            None => return Ok(last),
        }
    }
}

/// 99th percentile, in milliseconds, of 500 requests at fifty per second.
pub(super) fn paced(url: &str, key: &str) -> anyhow::Result<f64> {
    let agent = ureq::Agent::new_with_defaults();
    let mut took = Vec::new();
    for _ in 0..500 {
        let begun = Instant::now();
        agent.get(url).header("x-api-key", key).call()?.body_mut().read_to_vec()?;
        took.push(begun.elapsed());
        thread::sleep(Duration::from_millis(20).saturating_sub(begun.elapsed()));
    }
    took.sort();
    Ok(millis(took[495]))
}
