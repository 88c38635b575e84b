//! Bank lines under load: a client imports lines, books and undoes them until the server is killed.

use super::{RECOVERY_TIMEOUT, Seen, agent};
use anyhow::{Context, bail, ensure};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError, atomic::Ordering},
    thread,
    time::{Duration, Instant},
};

/// Acknowledged state of each line. A line whose last request was not answered is left out, since
/// either state is right.
#[derive(Debug, Default)]
pub(crate) struct Lines(Mutex<BTreeMap<i64, &'static str>>);

impl Lines {
    fn known(&self) -> BTreeMap<i64, &'static str> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, id: i64, state: Option<&'static str>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match state {
            Some(state) => known.insert(id, state),
            None => known.remove(&id),
        };
    }

    /// Checks that each line has its acknowledged state; returns the number of lines.
    ///
    /// # Errors
    /// A line has another state.
    pub(crate) fn check(&self, origin: &str, key: &str) -> anyhow::Result<usize> {
        let (agent, known) = (agent(), self.known());
        for (id, state) in &known {
            let mut response = agent
                .get(format!("{origin}/api/v1/bank-lines/{id}"))
                .header("x-api-key", key)
                .call()?;
            let line: Value = serde_json::from_str(&response.body_mut().read_to_string()?)?;
            ensure!(
                line["state"].as_str() == Some(*state),
                "bank line {id} was acknowledged as {state} and is now {line}"
            );
        }
        Ok(known.len())
    }
}

/// Client that imports, books and undoes lines.
pub(super) struct Client<'c> {
    pub(super) origin: &'c str,
    pub(super) key: &'c str,
    pub(super) round: u32,
    /// Whether it continues when the server reports that the database is unavailable.
    pub(super) keep_on: bool,
    pub(super) lines: &'c Lines,
}

impl Client<'_> {
    /// Runs until the load ends or the server is gone.
    pub(super) fn run(&self, seen: &Seen) -> anyhow::Result<()> {
        let agent = agent();
        // Once in a round: an account may send 60 statements in an hour. The second account has
        // statements too, so transfers to it await their other half.
        for (bank_account, amounts) in
            [(1, [-4.5, -12.1, 100.0, -70.0]), (2, [70.0, -3.5, 9.0, -70.0])]
        {
            let line = |amount: &f64| json!({ "date": "2026-03-15", "amount": amount, "text": self.round.to_string() });
            let lines: Vec<Value> = amounts.iter().map(line).collect();
            let feed = json!({ "bankAccountId": bank_account, "from": "2026-03-15", "to": "2026-03-15", "lines": lines });
            if self.send(&agent, seen, "/bank-statements", &feed, &[200, 201])?.is_none() {
                return Ok(());
            }
        }
        while !seen.stop.load(Ordering::Relaxed) {
            let Some(new) = self.new_lines(&agent)? else { return Ok(()) };
            for line in &new {
                let id = line["id"].as_i64().context("a line without id")?;
                self.lines.set(id, None);
                let body =
                    json!({ "externalId": format!("line-{id}"), "allocations": allocations(line) });
                let path = format!("/bank-lines/{id}/book");
                let Some(booked) = self.send(&agent, seen, &path, &body, &[200])? else {
                    return Ok(());
                };
                self.lines.set(id, Some("booked"));
                seen.booked.fetch_add(1, Ordering::Relaxed);
                if seen.stop.load(Ordering::Relaxed) {
                    return Ok(());
                }
                // A transfer stays, so that its other half finds it.
                if id % 3 == 0 && booked["transferId"].is_null() {
                    self.lines.set(id, None);
                    let path = format!("/bank-lines/{id}/undo");
                    let undone = self.send(&agent, seen, &path, &json!({}), &[200, 409])?;
                    if undone.is_none() {
                        return Ok(());
                    }
                    self.lines.set(id, Some("new"));
                }
            }
            thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }

    fn new_lines(&self, agent: &ureq::Agent) -> anyhow::Result<Option<Vec<Value>>> {
        let request = agent
            .get(format!("{}/api/v1/bank-lines?state=new&limit=50", self.origin))
            .header("x-api-key", self.key);
        let mut response = match request.call() {
            Ok(response) if response.status() == 200 => response,
            Ok(response) if response.status() == 503 && self.keep_on => {
                return Ok(Some(Vec::new()));
            }
            Ok(response) => bail!("the list of bank lines was answered with {}", response.status()),
            Err(_) if !self.keep_on => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let list: Value = serde_json::from_str(&response.body_mut().read_to_string()?)?;
        Ok(Some(list["data"].as_array().context("a list without data")?.clone()))
    }

    /// Sends a command until it is answered; `None` if the server is gone.
    fn send(
        &self,
        agent: &ureq::Agent,
        seen: &Seen,
        path: &str,
        body: &Value,
        fine: &[u16],
    ) -> anyhow::Result<Option<Value>> {
        let begun = Instant::now();
        loop {
            let request = agent
                .post(format!("{}/api/v1{path}", self.origin))
                .header("x-api-key", self.key)
                .header("content-type", "application/json");
            let sent = request.send(body.to_string()).and_then(|mut response| {
                Ok((response.status().as_u16(), response.body_mut().read_to_string()?))
            });
            match sent {
                Ok((503, _)) if self.keep_on && begun.elapsed() < RECOVERY_TIMEOUT => {
                    seen.refused.fetch_add(1, Ordering::Relaxed);
                    thread::sleep(Duration::from_millis(10));
                }
                Ok((status, text)) if fine.contains(&status) => {
                    return Ok(Some(serde_json::from_str(&text)?));
                }
                Ok((status, text)) => {
                    bail!("{path} with {body} was answered with {status}: {text}")
                }
                Err(_) if !self.keep_on => return Ok(None),
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// Allocations of a line, by its amount.
fn allocations(line: &Value) -> Value {
    let other = if line["bankAccountId"] == json!(1) { 2 } else { 1 };
    match line["amount"].to_string().as_str() {
        "70.0" | "-70.0" => json!([{ "kind": "transfer", "bankAccountId": other }]),
        "-12.1" => {
            json!([{ "kind": "expense", "description": "Toner", "items": [{ "category": "4100", "vatRate": 21 }] }])
        }
        "100.0" => json!([{ "kind": "private", "privateKind": "deposit" }]),
        _ => json!([{ "kind": "bankCosts" }]),
    }
}
