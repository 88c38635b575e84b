//! `crash`: kills the server, or PostgreSQL under it, under load, and checks that nothing
//! acknowledged was lost: no invoice, and no booking of a bank line. With `--due`, it checks that
//! everything that fell due meanwhile was made once.

mod bank;
mod due;
mod failover;
mod steps;

pub use due::{Made, kill_while_due};
pub use failover::{Outcome, fail_over_repeatedly};

use crate::server::{Program, Server};
use anyhow::{Context, bail, ensure};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    path::PathBuf,
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};
use xtask::{
    cargo,
    postgres::{Cluster, Durability},
    process,
};

/// Maximum time for the service to recover after its database is back.
const RECOVERY: Duration = Duration::from_secs(30);
/// Maximum time for which a client retries the same invoice.
const RECOVERY_TIMEOUT: Duration = Duration::from_secs(90);

/// Process to kill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Victim {
    /// The server, on an SQLite file.
    Sqlite,
    /// The server, on PostgreSQL.
    Postgres,
    /// PostgreSQL itself (`pg_ctl stop -m immediate`) under a running server.
    PostgresItself,
}

/// Options of `crash`.
#[derive(Debug, Clone, clap::Args)]
pub struct Options {
    /// Rounds per victim
    #[arg(long, default_value_t = 20)]
    pub rounds: u32,
    /// Clients that create invoices concurrently
    #[arg(long, default_value_t = 32)]
    pub clients: usize,
    /// Process to kill [default: each in turn]
    #[arg(long)]
    pub victim: Vec<Victim>,
    /// Instead, fail over this many times: the primary of two PostgreSQL servers is killed while
    /// two nodes are using it, and its standby takes over
    #[arg(long, value_name = "ROUNDS", num_args = 0..=1, default_missing_value = "20", conflicts_with_all = ["victim", "rounds"])]
    pub failover: Option<u32>,
    /// Instead, kill all nodes (three on PostgreSQL, one on SQLite) this many times while recurring
    /// invoices fall due and customers accept quotes, each time at a later message to PostgreSQL
    #[arg(long, value_name = "ROUNDS", num_args = 0..=1, default_missing_value = "60", conflicts_with_all = ["failover", "rounds", "clients"])]
    pub due: Option<u32>,
    /// Binary to test [default: a release build]
    #[arg(long)]
    pub binary: Option<PathBuf>,
}

/// Result of all rounds.
#[derive(Debug, Clone, Copy, Default)]
pub struct Totals {
    /// Acknowledged invoices.
    pub acknowledged: usize,
    /// Responses with 503 while PostgreSQL was down.
    pub unavailable: u64,
    /// Bank lines whose state was acknowledged.
    pub lines: usize,
}

/// Runs the command.
///
/// # Errors
/// Something acknowledged was lost, a number is missing, the verification of the books failed, or
/// the service did not recover.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let binary = match &options.binary {
        Some(binary) => binary.clone(),
        None => release_binary()?,
    };
    if let Some(rounds) = options.failover {
        let Outcome { totals, longest } = fail_over_repeatedly(&binary, rounds, options.clients)?;
        println!(
            "failover: {rounds} rounds, {} acknowledged invoices all there and none twice, books verified, {} answers of 503, at most {} ms from \
             the promotion until both nodes wrote",
            totals.acknowledged,
            totals.unavailable,
            longest.as_millis()
        );
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(rounds) = options.due {
        return run_due(&binary, rounds, &options.victim);
    }
    let all = [Victim::Sqlite, Victim::Postgres, Victim::PostgresItself];
    let victims = if options.victim.is_empty() { &all[..] } else { &options.victim };
    for &victim in victims {
        let totals = kill_repeatedly(&binary, victim, options.rounds, options.clients)?;
        println!(
            "{victim:?}: {} rounds, {} acknowledged invoices and {} bank lines all there, numbers without gaps, books verified, {} answers of 503",
            options.rounds, totals.acknowledged, totals.lines, totals.unavailable
        );
    }
    Ok(ExitCode::SUCCESS)
}

fn run_due(binary: &std::path::Path, rounds: u32, victims: &[Victim]) -> anyhow::Result<ExitCode> {
    let all = [Victim::Sqlite, Victim::Postgres];
    for &victim in if victims.is_empty() { &all[..] } else { victims } {
        let Made { due, made, kills, planned, messages } =
            kill_while_due(binary, victim, rounds, false)?;
        ensure!(made == due, "{victim:?}: {made} invoices of {due} that were due");
        println!(
            "{victim:?}: {rounds} rounds, {kills} kills ({planned} at planned steps of {messages} messages), made ÷ due = {made} ÷ {due} = 1.000, each \
             number used once, one email each, books verified"
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// Builds the release binary and returns its path.
///
/// # Errors
/// The build failed.
pub fn release_binary() -> anyhow::Result<PathBuf> {
    process::run(cargo().args([
        "build",
        "--release",
        "--package",
        "grootboek",
        "--package",
        "lab",
    ]))?;
    Ok(xtask::target().join("release/grootboek"))
}

/// Kills a victim under load in each round; afterwards the books must contain all acknowledged
/// invoices.
///
/// # Errors
/// An invoice was lost, or the service did not recover.
pub fn kill_repeatedly(
    binary: &std::path::Path,
    victim: Victim,
    rounds: u32,
    clients: usize,
) -> anyhow::Result<Totals> {
    let folder = tempfile::tempdir()?;
    let mut cluster = match victim {
        Victim::Sqlite => None,
        Victim::Postgres | Victim::PostgresItself => Some(Cluster::start(Durability::Durable)?),
    };
    let database = match &cluster {
        Some(cluster) => cluster.create_database("books")?,
        None => format!("sqlite:{}", folder.path().join("books.db").display()),
    };
    let program = Program { binary: binary.to_owned(), database };
    let key = program.open_account("crash@example.com")?;
    let log = folder.path().join("log");
    let mut books = Acknowledged::default();
    let mut totals = Totals::default();
    let lines = Arc::new(bank::Lines::default());
    let mut server = program.serve(&log)?;
    for round in 0..rounds {
        let load = Load {
            origins: vec![server.origin.clone()],
            key: key.clone(),
            round,
            keep_on: victim == Victim::PostgresItself,
            lines: Arc::clone(&lines),
        };
        let (made, unavailable);
        (server, made, unavailable) = match &mut cluster {
            Some(cluster) if victim == Victim::PostgresItself => {
                let (made, unavailable) = load.while_postgres_dies(clients, cluster)?;
                recovered(&server, &key)?;
                (server, made, unavailable)
            }
            _ => {
                let (made, unavailable) = load.until_killed(clients, || server.kill())?;
                (program.serve(&log)?, made, unavailable)
            }
        };
        ensure!(!made.is_empty(), "round {round}: nothing was acknowledged, so nothing was tested");
        repeat(&server.origin, &key, &made).with_context(|| format!("round {round}"))?;
        totals.lines =
            lines.check(&server.origin, &key).with_context(|| format!("round {round}"))?;
        totals.acknowledged += made.len();
        totals.unavailable += unavailable;
        books.extend(made);
        let (discrepancies, report) = program.verify()?;
        ensure!(discrepancies == 0, "round {round}: {report}");
        let count =
            numbers_are_gapless(&books, &report).with_context(|| format!("round {round}"))?;
        // A server that survives eventually acknowledges every invoice to its clients.
        ensure!(
            victim != Victim::PostgresItself || count == books.len(),
            "round {round}: {count} invoices, {} acknowledged",
            books.len()
        );
    }
    // Repeats the create requests of all rounds once more at the end.
    repeat(&server.origin, &key, &books)?;
    server.stop()?;
    Ok(totals)
}

/// Acknowledged invoices: id and number by external id.
pub(crate) type Acknowledged = BTreeMap<String, (i64, String)>;

#[derive(Clone)]
struct Load {
    /// Nodes among which the clients are divided.
    origins: Vec<String>,
    key: String,
    round: u32,
    /// Whether clients continue when the server reports that the database is unavailable.
    keep_on: bool,
    /// Bank lines and their acknowledged states.
    lines: Arc<bank::Lines>,
}

/// Shared state of the clients.
#[derive(Default)]
struct Seen {
    stop: AtomicBool,
    acknowledged: AtomicU64,
    /// Acknowledged bookings of bank lines.
    booked: AtomicU64,
    refused: AtomicU64,
}

impl Seen {
    /// Waits for the first invoice and the first bookings of bank lines; before them there is nothing to
    /// lose. One line may be on its way.
    fn wait_for_something_to_lose(&self) -> anyhow::Result<()> {
        let begun = Instant::now();
        let is_enough = || {
            self.acknowledged.load(Ordering::Relaxed) > 0 && self.booked.load(Ordering::Relaxed) > 1
        };
        while !is_enough() {
            ensure!(begun.elapsed() < RECOVERY, "no invoice or bank line was acknowledged");
            thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }
}

impl Load {
    /// Runs clients that create invoices until the server is killed.
    fn until_killed(
        &self,
        clients: usize,
        kill: impl FnOnce() -> anyhow::Result<()>,
    ) -> anyhow::Result<(Acknowledged, u64)> {
        self.drive(clients, |seen| {
            seen.wait_for_something_to_lose()?;
            thread::sleep(random_moment()?);
            kill()
        })
    }

    /// Runs clients that create invoices while PostgreSQL is killed and restarted under the server.
    fn while_postgres_dies(
        &self,
        clients: usize,
        cluster: &mut Cluster,
    ) -> anyhow::Result<(Acknowledged, u64)> {
        self.drive(clients, |seen| {
            seen.wait_for_something_to_lose()?;
            thread::sleep(random_moment()?);
            cluster.crash()?;
            let away = Instant::now();
            while seen.refused.load(Ordering::Relaxed) == 0 {
                ensure!(
                    away.elapsed() < RECOVERY,
                    "no request was answered with 503 while PostgreSQL was down"
                );
                thread::sleep(Duration::from_millis(5));
            }
            cluster.start_again()?;
            thread::sleep(random_moment()?);
            Ok(())
        })
    }

    fn drive(
        &self,
        clients: usize,
        disturb: impl FnOnce(&Seen) -> anyhow::Result<()>,
    ) -> anyhow::Result<(Acknowledged, u64)> {
        let seen = Seen::default();
        thread::scope(|scope| {
            let threads: Vec<_> = (0..clients)
                .map(|client| {
                    let seen = &seen;
                    scope.spawn(move || self.client(client, seen))
                })
                .collect();
            let banking = scope.spawn(|| {
                let client = bank::Client {
                    origin: &self.origins[0],
                    key: &self.key,
                    round: self.round,
                    keep_on: self.keep_on,
                    lines: &self.lines,
                };
                client.run(&seen)
            });
            let disturbed = disturb(&seen);
            seen.stop.store(true, Ordering::Relaxed);
            let mut made = Acknowledged::new();
            for thread in threads {
                made.extend(thread.join().map_err(|_| anyhow::anyhow!("a client panicked"))??);
            }
            banking.join().map_err(|_| anyhow::anyhow!("the client of bank lines panicked"))??;
            disturbed?;
            Ok((made, seen.refused.load(Ordering::Relaxed)))
        })
    }

    fn client(&self, client: usize, seen: &Seen) -> anyhow::Result<Acknowledged> {
        let agent = agent();
        let mut made = Acknowledged::new();
        let origin = &self.origins[client % self.origins.len()];
        for count in 0.. {
            if seen.stop.load(Ordering::Relaxed) {
                break;
            }
            let external_id = format!("{}-{client}-{count}", self.round);
            let (begun, mut refused) = (Instant::now(), false);
            let invoice = loop {
                match create(&agent, origin, &self.key, &external_id) {
                    Ok((201, invoice)) => break Some(invoice),
                    // The request answered with 503 may have been executed, so this is a replay.
                    Ok((200, invoice)) if refused => break Some(invoice),
                    Ok((503, _)) if self.keep_on && begun.elapsed() < RECOVERY_TIMEOUT => {
                        refused = true;
                        seen.refused.fetch_add(1, Ordering::Relaxed);
                        thread::sleep(Duration::from_millis(10));
                    }
                    Ok((status, problem)) => {
                        bail!("{external_id} was answered with {status}: {problem}")
                    }
                    // The server is gone; whether it booked this invoice is unknown.
                    Err(_) if !self.keep_on => break None,
                    Err(error) => {
                        return Err(error.context("the server itself must stay reachable"));
                    }
                }
            };
            let Some(invoice) = invoice else { break };
            made.insert(external_id, identity(&invoice)?);
            seen.acknowledged.fetch_add(1, Ordering::Relaxed);
        }
        Ok(made)
    }
}

fn recovered(server: &Server, key: &str) -> anyhow::Result<()> {
    let (agent, begun) = (agent(), Instant::now());
    loop {
        let ready = agent.get(format!("{}/readyz", server.origin)).call()?.status().as_u16();
        let read = agent
            .get(format!("{}/api/v1/account", server.origin))
            .header("x-api-key", key)
            .call()?
            .status()
            .as_u16();
        if (ready, read) == (200, 200) {
            return Ok(());
        }
        ensure!(
            begun.elapsed() < RECOVERY,
            "after PostgreSQL came back, readyz answers {ready} and account {read}"
        );
        thread::sleep(Duration::from_millis(20));
    }
}

/// Creates every acknowledged invoice again by its external id; the response must be the
/// acknowledged one.
pub(crate) fn repeat(origin: &str, key: &str, made: &Acknowledged) -> anyhow::Result<()> {
    let agent = agent();
    for (external_id, known) in made {
        let (status, invoice) = create(&agent, origin, key, external_id)?;
        ensure!(
            status == 200,
            "{external_id} was acknowledged as {known:?}, but its repeat is answered with {status}: {invoice}"
        );
        let again = identity(&invoice)?;
        ensure!(
            again == *known,
            "{external_id} was acknowledged as {known:?} and is now {again:?}"
        );
    }
    Ok(())
}

/// Checks that all numbers differ and are at most the number of invoices in the verified books,
/// which rules out gaps. Returns the number of invoices.
pub(crate) fn numbers_are_gapless(
    made: &Acknowledged,
    verification: &str,
) -> anyhow::Result<usize> {
    let verification: Value = serde_json::from_str(verification)?;
    let count = verification["accounts"][0]["invoices"]
        .as_u64()
        .context("verify reports no invoice count")?;
    let mut seen = std::collections::BTreeSet::new();
    for (id, number) in made.values() {
        let within: u64 = number.rsplit('-').next().context("a number without parts")?.parse()?;
        ensure!(seen.insert(within), "the number {number} was given twice (invoice {id})");
        ensure!(
            (1..=count).contains(&within),
            "the number {number} is higher than the {count} invoices in the books"
        );
    }
    Ok(usize::try_from(count)?)
}

pub(crate) fn identity(invoice: &Value) -> anyhow::Result<(i64, String)> {
    let id = invoice["id"].as_i64().context("an invoice without id")?;
    Ok((id, invoice["number"].as_str().context("an invoice without number")?.to_owned()))
}

pub(crate) fn create(
    agent: &ureq::Agent,
    origin: &str,
    key: &str,
    external_id: &str,
) -> anyhow::Result<(u16, Value)> {
    let body = json!({
        "externalId": external_id, "invoiceDate": "2026-03-15", "status": "sent",
        "customer": { "externalId": "c-1", "name": "Customer", "country": "NL" },
        "items": [{ "description": "Work", "quantity": 3, "unitPrice": 33.35, "vatRate": 21 }],
    });
    let request = agent
        .post(format!("{origin}/api/v1/invoices"))
        .header("x-api-key", key)
        .header("content-type", "application/json");
    let mut response = request.send(body.to_string())?;
    let again = response.headers().contains_key("retry-after");
    ensure!(response.status() != 503 || again, "an answer of 503 without Retry-After");
    let text = response.body_mut().read_to_string()?;
    Ok((response.status().as_u16(), serde_json::from_str(&text)?))
}

pub(crate) fn agent() -> ureq::Agent {
    let config = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .timeout_global(Some(Duration::from_secs(60)));
    config.build().new_agent()
}

/// Returns a random time from 0.1 to 0.6 seconds.
fn random_moment() -> anyhow::Result<Duration> {
    let mut byte = [0; 1];
    std::io::Read::read_exact(&mut std::fs::File::open("/dev/urandom")?, &mut byte)?;
    Ok(Duration::from_millis(100 + 2 * u64::from(byte[0])))
}
