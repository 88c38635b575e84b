//! Slowdown of invoice creation caused by webhooks: by writing the messages, and by a long queue of
//! messages.

use super::{Bench, Target, micros, middle};
use crate::server::{Program, Server};
use anyhow::{Context, ensure};
use serde_json::Value;
use std::{fs, path::Path};
use xtask::postgres::{Cluster, Durability};

/// Number of accounts that write at the same time.
const WRITERS: usize = 20;
/// Number of measurements per case. The medians are compared.
const TURNS: usize = 5;
/// Body of a request that creates a webhook whose port has no listener.
const NO_LISTENER: &str = r#"{"url": "http://127.0.0.1:9/"}"#;

impl Bench {
    /// Measures the creation of invoices in three cases: without a webhook, with a webhook for all
    /// events, and with such a webhook and many waiting messages.
    pub(super) fn webhooks(&mut self) -> anyhow::Result<()> {
        let cluster = Cluster::start(Durability::Durable)?;
        for engine in ["SQLite", "PostgreSQL"] {
            let mut served = Vec::new();
            for name in ["without", "with", "waiting"] {
                let database = match engine {
                    "SQLite" => self.program(&format!("webhooks-{name}")).database,
                    _ => cluster.create_database(name)?,
                };
                let program = Program { binary: self.binary.clone(), database };
                let keys =
                    self.accounts(&program, &format!("webhooks-{name}-{engine}"), WRITERS)?;
                served.push((self.serve_with_webhooks(&program, name, &keys)?, keys));
            }
            let mut seconds = [const { Vec::new() }; 3];
            let mut p50 = [const { Vec::new() }; 3];
            let mut p99 = [const { Vec::new() }; 3];
            for turn in 0..=TURNS {
                for (place, (server, keys)) in served.iter().enumerate() {
                    let made = self.wrk.create(
                        &server.origin,
                        keys,
                        &format!("run{turn}"),
                        self.seconds(),
                    )?;
                    // The first turn is a warm-up.
                    if turn > 0 {
                        seconds[place].push(made.per_second());
                        p50[place].push(micros(made.p50));
                        p99[place].push(micros(made.p99));
                    }
                }
            }
            let (server, keys) = &served[2];
            let waited = still_waiting(&server.origin, keys)?;
            ensure!(waited >= self.waiting(), "only {waited} messages waited in the end");
            for (server, _) in served {
                server.stop()?;
            }
            let [without, with, waiting] = seconds.map(middle);
            let [_, alone_p50, beside_p50] = p50.map(middle);
            let [_, alone, beside] = p99.map(middle);
            let what = format!("POST invoices with a webhook for everything, {engine}");
            self.compare(what, with, "/s", ("without one", without), Target::AtLeast(0.9));
            let what = format!("POST invoices with {} messages waiting, {engine}", self.waiting());
            self.compare(&what, waiting, "/s", ("none waiting", with), None);
            self.compare(
                format!("{what}, median"),
                beside_p50,
                "ms",
                ("none waiting", alone_p50),
                None,
            );
            self.compare(
                what + ", p99",
                beside,
                "ms",
                ("none waiting", alone),
                Target::AtMost(1.2),
            );
        }
        Ok(())
    }

    /// Number of waiting messages to create.
    fn waiting(&self) -> usize {
        if self.options.quick { 10_000 } else { 100_000 }
    }

    fn serve_with_webhooks(
        &self,
        program: &Program,
        name: &str,
        keys: &Path,
    ) -> anyhow::Result<Server> {
        let options = ["--rate-limit", "0", "--webhook-allow-private"];
        let server = program.serve_with(&self.log(), &options)?;
        if name == "without" {
            return Ok(server);
        }
        for key in fs::read_to_string(keys)?.lines() {
            let request =
                ureq::post(format!("{}/api/v1/webhooks", server.origin)).header("x-api-key", key);
            request.header("content-type", "application/json").send(NO_LISTENER)?;
        }
        if name == "with" {
            return Ok(server);
        }
        // Each invoice is created and sent, which makes two messages.
        server.stop().context("before it is filled")?;
        let invoices = (self.waiting() / 2).to_string();
        program.run(&[
            "fill",
            "--email",
            "a0@example.com",
            "--invoices",
            &invoices,
            "--year",
            "2026",
        ])?;
        program.serve_with(&self.log(), &options)
    }
}

/// Number of messages that still wait for the webhook of the first key.
fn still_waiting(origin: &str, keys: &Path) -> anyhow::Result<usize> {
    let keys = fs::read_to_string(keys)?;
    let key = keys.lines().next().context("there is no key")?;
    let (mut waiting, mut cursor) = (0, String::new());
    loop {
        let page =
            format!("{origin}/api/v1/webhooks/1/deliveries?status=pending&limit=500{cursor}");
        let text = ureq::get(page).header("x-api-key", key).call()?.body_mut().read_to_string()?;
        let page: Value = serde_json::from_str(&text)?;
        waiting += page["data"].as_array().map_or(0, Vec::len);
        match page["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return Ok(waiting),
        }
    }
}
