//! `crash --failover`: the primary of two PostgreSQL servers is killed while two nodes are using
//! it, and the standby takes over.

use super::{
    Acknowledged, Load, RECOVERY, Seen, Totals, agent, bank, create, identity, numbers_are_gapless,
    random_moment, repeat,
};
use crate::server::Program;
use anyhow::{Context, ensure};
use std::{
    path::Path,
    sync::{Arc, atomic::Ordering},
    thread,
    time::{Duration, Instant},
};
use xtask::postgres::{Cluster, Durability, free_port};

/// Maximum time from the promotion until each node writes again.
const TAKE_OVER: Duration = Duration::from_secs(10);

/// Way in which the primary dies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Death {
    /// `pg_ctl stop -m immediate`
    Immediate,
    /// `kill -9`
    Killed,
}

/// Result of all rounds.
#[derive(Debug, Clone, Copy, Default)]
pub struct Outcome {
    /// Totals, as for the other victims.
    pub totals: Totals,
    /// Longest time from a promotion until each node wrote again.
    pub longest: Duration,
}

/// Kills the primary under load in each round, alternately in two ways, and lets the standby take
/// over. After each round the books must contain all acknowledged invoices, each once. The two
/// nodes are never restarted.
///
/// # Errors
/// An invoice was lost or duplicated, or a node did not write again in time.
pub fn fail_over_repeatedly(binary: &Path, rounds: u32, clients: usize) -> anyhow::Result<Outcome> {
    let folder = tempfile::tempdir()?;
    let mut primary = Cluster::start(Durability::Durable)?;
    primary.create_database("books")?;
    let mut standby = primary.standby(free_port()?)?;
    let program =
        Program { binary: binary.to_owned(), database: primary.url_with(&standby, "books") };
    let key = program.open_account("failover@example.com")?;
    let log = |node: usize| folder.path().join(format!("log{node}"));
    let nodes = [program.serve(&log(0))?, program.serve(&log(1))?];
    let origins: Vec<String> = nodes.iter().map(|node| node.origin.clone()).collect();
    let mut books = Acknowledged::default();
    let mut outcome = Outcome::default();
    let lines = Arc::new(bank::Lines::default());
    for round in 0..rounds {
        let death = if round % 2 == 0 { Death::Immediate } else { Death::Killed };
        let load = Load {
            origins: origins.clone(),
            key: key.clone(),
            round,
            keep_on: true,
            lines: Arc::clone(&lines),
        };
        let (mut took, mut probes) = (Duration::ZERO, Acknowledged::new());
        let driven = load.drive(clients, |seen| {
            (took, probes) = fail_over(&load, seen, &mut primary, &standby, death)?;
            Ok(())
        });
        let (made, unavailable) = driven.with_context(|| format!("round {round}, {death:?}"))?;
        ensure!(!made.is_empty(), "round {round}: nothing was acknowledged, so nothing was tested");
        // The new primary gets a standby on the port of the old primary, so that the nodes' URL
        // still names both servers.
        let port = primary.port();
        drop(std::mem::replace(&mut primary, standby));
        standby = primary.standby(port)?;
        for origin in &origins {
            repeat(origin, &key, &made).with_context(|| format!("round {round}, {death:?}"))?;
        }
        for origin in &origins {
            let checked = lines.check(origin, &key);
            outcome.totals.lines = checked.with_context(|| format!("round {round}, {death:?}"))?;
        }
        outcome.longest = outcome.longest.max(took);
        outcome.totals.acknowledged += made.len() + probes.len();
        outcome.totals.unavailable += unavailable;
        books.extend(made);
        books.extend(probes);
        let (discrepancies, report) = program.verify()?;
        ensure!(discrepancies == 0, "round {round}: {report}");
        let count = numbers_are_gapless(&books, &report)
            .with_context(|| format!("round {round}, {death:?}"))?;
        ensure!(
            count == books.len(),
            "round {round}: the books hold {count} invoices, {} were acknowledged",
            books.len()
        );
    }
    repeat(&origins[0], &key, &books)?;
    for node in nodes {
        node.stop()?;
    }
    Ok(outcome)
}

/// Returns the time until each node wrote again, and the invoices written to measure it.
fn fail_over(
    load: &Load,
    seen: &Seen,
    primary: &mut Cluster,
    standby: &Cluster,
    death: Death,
) -> anyhow::Result<(Duration, Acknowledged)> {
    seen.wait_for_something_to_lose()?;
    thread::sleep(random_moment()?);
    match death {
        Death::Immediate => primary.crash()?,
        Death::Killed => primary.kill()?,
    }
    let away = Instant::now();
    while seen.refused.load(Ordering::Relaxed) == 0 {
        ensure!(
            away.elapsed() < RECOVERY,
            "no request was answered with 503 while there was no primary"
        );
        thread::sleep(Duration::from_millis(5));
    }
    thread::sleep(random_moment()?);
    standby.promote()?;
    let (promoted, agent, mut probes) = (Instant::now(), agent(), Acknowledged::new());
    for (node, origin) in load.origins.iter().enumerate() {
        let external_id = format!("{}-probe-{node}", load.round);
        loop {
            let (status, invoice) = create(&agent, origin, &load.key, &external_id)?;
            if matches!(status, 200 | 201) {
                probes.insert(external_id, identity(&invoice)?);
                break;
            }
            ensure!(
                promoted.elapsed() < TAKE_OVER,
                "{TAKE_OVER:?} after the promotion node {node} answers {status}: {invoice}"
            );
            thread::sleep(Duration::from_millis(20));
        }
    }
    Ok((promoted.elapsed(), probes))
}
