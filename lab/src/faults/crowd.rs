//! Ten thousand connections at once: either nearly idle, or all writing to the same account.

use super::{Lacking, scene::Scene};
use crate::{
    crash::{Acknowledged, agent, create, identity, repeat},
    server::Server,
};
use anyhow::{Context, ensure};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::{
    collections::BTreeMap,
    fs,
    io::ErrorKind,
    net::{Ipv4Addr, SocketAddr},
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};
use tokio::net::{TcpSocket, TcpStream};
use xtask::postgres::{Cluster, Durability};

/// Number of connections.
pub(crate) const CROWD: u16 = 10_000;
/// Number of client addresses, as one address may use at most a quarter of the connections.
const ADDRESSES: u16 = 10;
/// Client limit with which the server is started; it leaves room for clients besides the crowd.
pub(crate) const PLACES: &str = "12000";
/// Number of open files that the server and the test each need.
const FILES: u64 = 12_200;
/// Interval between requests on a connection: idle connections are closed after ten seconds.
const ASKS_EVERY: Duration = Duration::from_secs(7);
/// Time until the requests beyond the capacity have been refused.
const SETTLING: Duration = Duration::from_secs(12);
/// Time for which a client pauses after a refusal: the test measures how long requests wait behind
/// others, not how many refusals the machine can send.
const REFUSED: Duration = Duration::from_secs(60);
/// Maximum time until all connections are open.
const GATHERING: Duration = Duration::from_secs(60);
/// Latency (p99) of another client that is always acceptable. A higher latency may be at most twice
/// the latency without the crowd.
const SANE: Duration = Duration::from_millis(100);
/// Lowest priority of a thread (`nice`).
const LOWEST: i32 = 19;
/// Number of writes by the other client.
const WRITES: usize = 200;
/// Maximum memory per connection, in bytes.
const MEMORY: u64 = 32 << 10;

/// Opens ten thousand keep-alive connections, and measures another client next to them.
pub(super) fn gather(binary: &Path) -> anyhow::Result<()> {
    raise_limit()?;
    let scene = Scene::new(binary)?;
    let server =
        scene.program.serve_with(&scene.log(), &["--rate-limit", "0", "--max-clients", PLACES])?;
    let address: SocketAddr = server.origin.trim_start_matches("http://").parse()?;
    let (alone, at_first) = (slowest_of_a_hundred(&server, &scene.key)?, server.resident()?);
    let failures = Arc::new(Mutex::new(Vec::new()));
    let first_failure = || {
        failures.lock().unwrap_or_else(PoisonError::into_inner).first().cloned().unwrap_or_default()
    };
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let begun = Instant::now();
    for client in 0..CROWD {
        let failures = Arc::clone(&failures);
        runtime.spawn(async move {
            // Staggered, so that they do not all connect at once.
            tokio::time::sleep(Duration::from_micros(500) * u32::from(client)).await;
            if let Err(error) = stay(client, address).await {
                failures.lock().unwrap_or_else(PoisonError::into_inner).push(error.to_string());
            }
        });
    }
    while open_files(&server)? < usize::from(CROWD) {
        let open = open_files(&server)?;
        ensure!(
            begun.elapsed() < GATHERING,
            "{open} connections after {GATHERING:?}: {}",
            first_failure()
        );
        thread::sleep(Duration::from_millis(100));
    }
    println!("  {CROWD} connections after {} ms", begun.elapsed().as_millis());
    let (beside, memory) = (slowest_of_a_hundred(&server, &scene.key)?, server.resident()?);
    let open = open_files(&server)?;
    ensure!(
        open >= usize::from(CROWD),
        "{} connections were lost: {}",
        usize::from(CROWD) - open,
        first_failure()
    );
    runtime.shutdown_background();
    println!(
        "  p99 of another client: {} ms alone, {} ms beside them",
        alone.as_millis(),
        beside.as_millis()
    );
    println!("  memory: {} MB at first, {} beside them", at_first >> 20, memory >> 20);
    ensure!(
        beside <= SANE.max(alone * 2),
        "another client waits {beside:?} beside them, {alone:?} alone"
    );
    ensure!(
        memory <= at_first + u64::from(CROWD) * MEMORY,
        "a connection takes more than {MEMORY} bytes"
    );
    server.stop()
}

/// Raises the limit on open files for this process and the server.
fn raise_limit() -> anyhow::Result<()> {
    let limit = getrlimit(Resource::Nofile);
    if limit.maximum.is_some_and(|maximum| maximum < FILES) {
        return Err(Lacking(format!(
            "it takes {FILES} open files, and this process may have {:?}",
            limit.maximum
        ))
        .into());
    }
    Ok(setrlimit(Resource::Nofile, Rlimit { current: Some(FILES), maximum: limit.maximum })?)
}

/// Keeps a connection alive.
async fn stay(client: u16, address: SocketAddr) -> anyhow::Result<()> {
    let stream = connect(client, address).await?;
    let request = format!("GET /healthz HTTP/1.1\r\nhost: {address}\r\n\r\n");
    loop {
        let status = ask(&stream, &request).await?;
        ensure!(status == 200, "answered with {status}");
        tokio::time::sleep(ASKS_EVERY).await;
    }
}

/// Opens a client's connection, from an address shared with others.
async fn connect(client: u16, address: SocketAddr) -> anyhow::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    let [_, last] = (client % ADDRESSES).to_be_bytes();
    socket.bind((Ipv4Addr::new(127, 0, 1, last), 0).into())?;
    Ok(socket.connect(address).await?)
}

/// Sends a small request and returns the status of its small response.
async fn ask(stream: &TcpStream, request: &str) -> anyhow::Result<u16> {
    stream.writable().await?;
    ensure!(
        stream.try_write(request.as_bytes())? == request.len(),
        "the request was not taken as a whole"
    );
    let mut answer = [0; 8192];
    let length = loop {
        stream.readable().await?;
        match stream.try_read(&mut answer) {
            // Readiness may be spurious.
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            read => break read?,
        }
    };
    let status = answer[..length]
        .strip_prefix(b"HTTP/1.1 ")
        .and_then(|rest| rest.get(..3))
        .context("no answer")?;
    Ok(std::str::from_utf8(status)?.parse()?)
}

/// One account writes over ten thousand connections while another account writes.
pub(super) fn shout(binary: &Path) -> anyhow::Result<()> {
    shout_at("SQLite", &Scene::new(binary)?)?;
    let cluster = Cluster::start(Durability::Durable)?;
    shout_at(
        "PostgreSQL",
        &Scene::on(binary, tempfile::tempdir()?, cluster.create_database("books")?)?,
    )
}

fn shout_at(engine: &str, scene: &Scene) -> anyhow::Result<()> {
    let loud = scene.program.open_account("loud@example.com")?;
    let server =
        scene.program.serve_with(&scene.log(), &["--rate-limit", "0", "--max-clients", PLACES])?;
    let mut made = Acknowledged::new();
    let alone = slowest(&writes(&server, &scene.key, ("alone", WRITES), &mut made)?);
    let shouting = Shouting::begin(&server, &loud, "")?;
    let beside = slowest(&writes(&server, &scene.key, ("beside", WRITES), &mut made)?);
    let answers = shouting.end();
    println!("  {engine}, answers to the loud account: {answers:?}");
    println!(
        "  {engine}, p99 of a write of another account: {} ms alone, {} ms beside",
        alone.as_millis(),
        beside.as_millis()
    );
    ensure!(
        beside <= SANE.max(alone * 2),
        "another account waits {beside:?} beside a loud one, {alone:?} alone"
    );
    repeat(&server.origin, &scene.key, &made)?;
    server.stop()?;
    let (discrepancies, report) = scene.program.verify()?;
    ensure!(discrepancies == 0, "the verification failed: {report}");
    Ok(())
}

/// Ten thousand connections from one account that each write.
pub(crate) struct Shouting {
    runtime: tokio::runtime::Runtime,
    answers: Arc<Mutex<BTreeMap<String, usize>>>,
}

impl Shouting {
    /// Starts the connections and waits until the queue is full. `run` makes the external ids
    /// unique to this run.
    pub(crate) fn begin(server: &Server, key: &str, run: &str) -> anyhow::Result<Self> {
        raise_limit()?;
        let address: SocketAddr = server.origin.trim_start_matches("http://").parse()?;
        // The clients stand in for other machines, so their threads give way to the server's.
        let step_back = || {
            let _ = rustix::process::nice(LOWEST);
        };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .on_thread_start(step_back)
            .enable_all()
            .build()?;
        let answers = Arc::new(Mutex::new(BTreeMap::<String, usize>::new()));
        for client in 0..CROWD {
            let (key, run, answers) = (key.to_owned(), run.to_owned(), Arc::clone(&answers));
            runtime.spawn(async move {
                tokio::time::sleep(Duration::from_micros(500) * u32::from(client)).await;
                let ended = write_on(client, address, (&key, &run), &answers).await;
                count(&answers, format!("ended: {:?}", ended.err().map(|error| error.to_string())));
            });
        }
        thread::sleep(SETTLING);
        Ok(Self { runtime, answers })
    }

    /// Stops the connections; returns the number of responses by status.
    pub(crate) fn end(self) -> BTreeMap<String, usize> {
        self.runtime.shutdown_background();
        std::mem::take(&mut *self.answers.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Sends writes one after another, each after the response to the previous write, with a pause
/// after a refusal.
async fn write_on(
    client: u16,
    address: SocketAddr,
    (key, run): (&str, &str),
    answers: &Mutex<BTreeMap<String, usize>>,
) -> anyhow::Result<()> {
    let stream = connect(client, address).await?;
    for number in 0_u64.. {
        let body = format!(
            r#"{{"externalId":"{run}{client}-{number}","invoiceDate":"2026-03-15","status":"sent","customer":{{"name":"Loud"}},"items":[{{"description":"Work","unitPrice":10,"vatRate":21}}]}}"#
        );
        let head = format!(
            "POST /api/v1/invoices HTTP/1.1\r\nhost: {address}\r\nx-api-key: {key}\r\ncontent-type: application/json"
        );
        let status =
            ask(&stream, &format!("{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len()))
                .await?;
        count(answers, status.to_string());
        if status == 503 {
            tokio::time::sleep(REFUSED).await;
        }
    }
    Ok(())
}

fn count(answers: &Mutex<BTreeMap<String, usize>>, answer: String) {
    *answers.lock().unwrap_or_else(PoisonError::into_inner).entry(answer).or_default() += 1;
}

/// Durations of `count` sequential writes at fifty per second, in ascending order.
pub(crate) fn writes(
    server: &Server,
    key: &str,
    (name, count): (&str, usize),
    made: &mut Acknowledged,
) -> anyhow::Result<Vec<Duration>> {
    let (agent, mut took) = (agent(), Vec::new());
    for number in 0..count {
        let (external_id, begun) = (format!("{name}-{number}"), Instant::now());
        let (status, invoice) = create(&agent, &server.origin, key, &external_id)?;
        ensure!(status == 201, "a write {name} was answered with {status}: {invoice}");
        took.push(begun.elapsed());
        made.insert(external_id, identity(&invoice)?);
        thread::sleep(Duration::from_millis(20).saturating_sub(begun.elapsed()));
    }
    took.sort();
    Ok(took)
}

/// 99th percentile.
pub(crate) fn slowest(took: &[Duration]) -> Duration {
    took.get(took.len() * 99 / 100 - 1).copied().unwrap_or_default()
}

fn open_files(server: &Server) -> anyhow::Result<usize> {
    Ok(fs::read_dir(format!("/proc/{}/fd", server.id()))?.count())
}

/// 99th percentile of 300 requests at fifty per second.
fn slowest_of_a_hundred(server: &Server, key: &str) -> anyhow::Result<Duration> {
    let (agent, url) = (agent(), format!("{}/api/v1/account", server.origin));
    let mut took = Vec::new();
    for _ in 0..300 {
        let begun = Instant::now();
        let status = agent.get(&url).header("x-api-key", key).call()?.status().as_u16();
        ensure!(status == 200, "answered with {status}");
        took.push(begun.elapsed());
        thread::sleep(Duration::from_millis(20).saturating_sub(begun.elapsed()));
    }
    took.sort();
    Ok(took[297])
}
