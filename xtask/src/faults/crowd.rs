//! Ten thousand connections at once.

use super::{Lacking, scene::Scene};
use crate::{crash::agent, server::Server};
use anyhow::ensure;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::{
    fs,
    io::ErrorKind,
    net::{Ipv4Addr, SocketAddr},
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};
use tokio::net::TcpSocket;

/// Connections.
const CROWD: u16 = 10_000;
/// Addresses that they come from: one alone has a quarter of the places at the most.
const ADDRESSES: u16 = 10;
/// Places, with some for others.
const PLACES: &str = "12000";
/// Files that the server and we need.
const FILES: u64 = 12_200;
/// How often each of them asks something: idle ones are closed after ten seconds.
const ASKS_EVERY: Duration = Duration::from_secs(7);
/// How long it may take until they are all there.
const GATHERING: Duration = Duration::from_secs(60);
/// How long one request in a hundred of another client may take beside them, however short it is alone.
const SANE: Duration = Duration::from_millis(100);
/// How much memory a connection may take, in bytes.
const MEMORY: u64 = 32 << 10;

/// Ten thousand connections that are kept alive, beside which somebody else asks.
pub(super) fn gather(binary: &Path) -> anyhow::Result<()> {
    let limit = getrlimit(Resource::Nofile);
    if limit.maximum.is_some_and(|maximum| maximum < FILES) {
        return Err(Lacking(format!("it takes {FILES} open files, and this process may have {:?}", limit.maximum)).into());
    }
    setrlimit(Resource::Nofile, Rlimit { current: Some(FILES), maximum: limit.maximum })?;
    let scene = Scene::new(binary)?;
    let server = scene.program.serve_with(&scene.log(), &["--rate-limit", "0", "--max-clients", PLACES])?;
    let address: SocketAddr = server.origin.trim_start_matches("http://").parse()?;
    let (alone, at_first) = (slowest_of_a_hundred(&server, &scene.key)?, server.resident()?);
    let failures = Arc::new(Mutex::new(Vec::new()));
    let first_failure = || failures.lock().unwrap_or_else(PoisonError::into_inner).first().cloned().unwrap_or_default();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let begun = Instant::now();
    for client in 0..CROWD {
        let failures = Arc::clone(&failures);
        runtime.spawn(async move {
            // In turns, so that they do not all knock at once.
            tokio::time::sleep(Duration::from_micros(500) * u32::from(client)).await;
            if let Err(error) = stay(client, address).await {
                failures.lock().unwrap_or_else(PoisonError::into_inner).push(error.to_string());
            }
        });
    }
    while open_files(&server)? < usize::from(CROWD) {
        let there = open_files(&server)?;
        ensure!(begun.elapsed() < GATHERING, "{there} connections after {GATHERING:?}: {}", first_failure());
        thread::sleep(Duration::from_millis(100));
    }
    println!("  {CROWD} connections after {} ms", begun.elapsed().as_millis());
    let (beside, memory) = (slowest_of_a_hundred(&server, &scene.key)?, server.resident()?);
    let there = open_files(&server)?;
    ensure!(there >= usize::from(CROWD), "{} connections were lost meanwhile: {}", usize::from(CROWD) - there, first_failure());
    runtime.shutdown_background();
    println!("  p99 of another client: {} ms alone, {} ms beside them", alone.as_millis(), beside.as_millis());
    println!("  memory: {} MB at first, {} beside them", at_first >> 20, memory >> 20);
    ensure!(beside <= SANE.max(alone * 2), "another client waits {beside:?} beside them, {alone:?} alone");
    ensure!(memory <= at_first + u64::from(CROWD) * MEMORY, "a connection takes more than {MEMORY} bytes");
    server.stop()
}

/// A connection that is kept alive.
async fn stay(client: u16, address: SocketAddr) -> anyhow::Result<()> {
    let socket = TcpSocket::new_v4()?;
    let [_, last] = (client % ADDRESSES).to_be_bytes();
    socket.bind((Ipv4Addr::new(127, 0, 1, last), 0).into())?;
    let stream = socket.connect(address).await?;
    let request = format!("GET /healthz HTTP/1.1\r\nhost: {address}\r\n\r\n");
    let mut answer = [0; 4096];
    loop {
        stream.writable().await?;
        ensure!(stream.try_write(request.as_bytes())? == request.len(), "the request was not taken as a whole");
        let length = loop {
            stream.readable().await?;
            match stream.try_read(&mut answer) {
                // Readiness may be a false alarm.
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                read => break read?,
            }
        };
        ensure!(answer[..length].starts_with(b"HTTP/1.1 200"), "not answered well");
        tokio::time::sleep(ASKS_EVERY).await;
    }
}

fn open_files(server: &Server) -> anyhow::Result<usize> {
    Ok(fs::read_dir(format!("/proc/{}/fd", server.id()))?.count())
}

/// The 99th percentile of 300 requests, fifty a second.
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
