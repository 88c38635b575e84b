//! Users and partners: reading with a token, refreshing tokens, and reading while users sign in.

use super::{Bench, Target, api::paced, divide, mebibytes, middle};
use crate::partner::{self, Partner};
use anyhow::{Context, ensure};
use std::{
    fs,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    thread,
    time::{Duration, Instant},
};
use visitor::Visitor;

const EMAIL: &str = "person@example.com";
const PASSWORD: &str = "a passphrase to measure with";
/// Number of users who sign in at the same time.
const SIGN_INS: usize = 16;
/// Number of partner applications that refresh their tokens at the same time.
const GRANTS: usize = 16;

impl Bench {
    pub(super) fn people(&mut self) -> anyhow::Result<()> {
        let program = self.program("people");
        program.open_person(EMAIL, PASSWORD)?;
        for number in 0..SIGN_INS {
            program.open_person(&signing_in(number), PASSWORD)?;
        }
        let keys = self.folder.path().join("people.keys");
        let made = program.run(&[
            "key", "add", "--email", EMAIL, "--name", "load", "--scope", "read", "--scope",
            "write", "--json",
        ])?;
        let made: serde_json::Value = serde_json::from_str(&made)?;
        let key = made["key"].as_str().context("the command printed no key")?.to_owned();
        fs::write(&keys, &key)?;
        let partner = program.register_partner("measured")?;
        let server = program.serve(&self.log())?;
        let person = Visitor::at(&server.origin);
        partner::sign_in(&person, EMAIL, PASSWORD)?;
        let tokens = (0..GRANTS)
            .map(|_| partner::connect(&person, &server.origin, &partner))
            .collect::<Result<Vec<_>, _>>()?;

        self.wrk.create(&server.origin, &keys, "warm", 1)?;
        let url = format!("{}/api/v1/invoices/1", server.origin);
        let (mut by_key, mut by_token) = (Vec::new(), Vec::new());
        for _ in 0..3 {
            by_key.push(self.wrk.read(&url, &key, 64, self.seconds())?.per_second());
            by_token.push(
                self.wrk.read_with_token(&url, &tokens[0].access, 64, self.seconds())?.per_second(),
            );
        }
        let what = "GET invoices/{id} with an access token, 64 connections";
        self.compare(
            what,
            middle(by_token),
            "/s",
            ("with a key", middle(by_key)),
            Target::AtLeast(0.95),
        );

        let first = tokens.iter().map(|tokens| tokens.refresh.clone()).collect();
        let refreshed =
            refreshes(&server.origin, &partner, first, Duration::from_secs(self.seconds()))?;
        self.record(format!("token refreshes, {GRANTS} at once"), refreshed, "/s", None);

        let account = format!("{}/api/v1/account", server.origin);
        let alone = paced(&account, &key)?;
        let (beside, sign_ins) = while_signing_in(&server.origin, || paced(&account, &key))?;
        let what = format!("p99 of reads while {SIGN_INS} people sign in");
        self.compare(what, beside, "ms", ("alone", alone), Target::AtMost(3.0));
        self.record(format!("sign-ins, {SIGN_INS} at once"), sign_ins, "/s", None);
        let resident = mebibytes(server.resident()?);
        self.record("resident memory after it", resident, "MiB", Some(Target::AtMost(200.0)));
        server.stop()
    }
}

/// Token refreshes per second. The chains of tokens run in parallel; the refreshes within a chain
/// run one after the other.
fn refreshes(
    origin: &str,
    partner: &Partner,
    tokens: Vec<String>,
    during: Duration,
) -> anyhow::Result<f64> {
    let begun = Instant::now();
    let chains: Vec<anyhow::Result<u64>> = thread::scope(|scope| {
        let chain = |mut token: String| {
            let agent = visitor::agent(None);
            let mut count = 0;
            while begun.elapsed() < during {
                token = partner::refresh(&agent, origin, partner, &token)?.refresh;
                count += 1;
            }
            Ok(count)
        };
        let threads: Vec<_> =
            tokens.into_iter().map(|token| scope.spawn(move || chain(token))).collect();
        threads
            .into_iter()
            .map(|thread| {
                thread.join().unwrap_or_else(|_| Err(anyhow::anyhow!("a client panicked")))
            })
            .collect()
    });
    let mut all = 0;
    for chain in chains {
        all += chain?;
    }
    Ok(per_second(all, begun.elapsed()))
}

/// Email address of a user who signs in. Each has their own account, because attempts at one
/// account wait for each other.
fn signing_in(number: usize) -> String {
    format!("person{number}@example.com")
}

/// Returns the result of `measure` while users sign in repeatedly, and the number of sign-ins per
/// second.
fn while_signing_in(
    origin: &str,
    measure: impl FnOnce() -> anyhow::Result<f64>,
) -> anyhow::Result<(f64, f64)> {
    let (stop, count) = (AtomicBool::new(false), AtomicU64::new(0));
    let begun = Instant::now();
    let measured = thread::scope(|scope| {
        let people: Vec<_> = (0..SIGN_INS)
            .map(|number| {
                let (stop, count) = (&stop, &count);
                scope.spawn(move || {
                    while !stop.load(Ordering::Relaxed) {
                        partner::sign_in(&Visitor::at(origin), &signing_in(number), PASSWORD)?;
                        count.fetch_add(1, Ordering::Relaxed);
                    }
                    anyhow::Ok(())
                })
            })
            .collect();
        let measured = measure();
        stop.store(true, Ordering::Relaxed);
        for person in people {
            person.join().map_err(|_| anyhow::anyhow!("a client panicked"))??;
        }
        measured
    })?;
    let signed_in = count.load(Ordering::Relaxed);
    ensure!(signed_in > 0, "no user could sign in");
    Ok((measured, per_second(signed_in, begun.elapsed())))
}

#[expect(clippy::cast_precision_loss, reason = "a measurement, not money")]
fn per_second(count: u64, during: Duration) -> f64 {
    divide(count as f64, during.as_secs_f64())
}
