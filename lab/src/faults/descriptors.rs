//! A process that cannot open more files.

use super::{
    clients::{Operation, Phase, watch},
    scene::Scene,
};
use crate::{crash::agent, server::Server};
use anyhow::{Context, ensure};
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use std::{
    fs,
    io::Write,
    net::TcpStream,
    path::Path,
    thread,
    time::{Duration, Instant},
};

/// Number of additional files that the process may open.
const SPARE: u64 = 4;
/// Number of idle connections that use up the remaining descriptors.
const IDLE: usize = 40;
/// Duration of the fault: longer than an idle connection is kept.
const FAULT: Duration = Duration::from_secs(15);
/// Maximum response time: as long as idle connections are kept, plus a margin.
const BOUND: Duration = Duration::from_secs(25);

/// Lowers the limit on open files to the number in use; connections use up the rest.
pub(super) fn run_out(binary: &Path) -> anyhow::Result<()> {
    let scene = Scene::new(binary)?;
    let server = scene.serve()?;
    let pid = i32::try_from(server.id()).ok().and_then(Pid::from_raw).context("no process id")?;
    let before = limit(&server)?;
    let seen = watch(&server, &scene.key, |clients| {
        clients.begin(Phase::During);
        let few = open_files(&server)? + SPARE;
        prlimit(
            Some(pid),
            Resource::Nofile,
            Rlimit { current: Some(few), maximum: Some(before.1) },
        )?;
        let idle =
            (0..IDLE).map(|_| half_a_request(&server)).collect::<anyhow::Result<Vec<_>>>()?;
        let begun = Instant::now();
        let mut most = 0;
        while begun.elapsed() < FAULT {
            most = most.max(open_files(&server)?);
            thread::sleep(Duration::from_millis(50));
        }
        ensure!(most >= few, "there were {most} open files, fewer than the {few} that are allowed");
        prlimit(
            Some(pid),
            Resource::Nofile,
            Rlimit { current: Some(before.0), maximum: Some(before.1) },
        )?;
        drop(idle);
        clients.begin(Phase::After);
        let ended = Instant::now();
        let status = agent().get(format!("{}/readyz", server.origin)).call()?.status().as_u16();
        println!(
            "  a new connection was answered with {status}, {} ms after the limit was raised",
            ended.elapsed().as_millis()
        );
        ensure!(
            status == 200 && ended.elapsed() < Duration::from_secs(5),
            "new connections are not served"
        );
        clients.wait(Phase::After, Operation::Write, 201, BOUND).map(drop)
    })?;
    seen.only(Phase::During, Operation::Write, &[200, 201, 503], BOUND)?;
    seen.only(Phase::During, Operation::Read, &[200, 503], BOUND)?;
    seen.only(Phase::During, Operation::Ready, &[200, 503], BOUND)?;
    let recorded = fs::read_to_string(scene.log())?.matches("could not be accepted").count();
    println!("  the log reports {recorded} times that a connection could not be accepted");
    ensure!((1..=5).contains(&recorded), "the log reports that {recorded} times");
    scene.verify(server, &seen)
}

/// Opens a connection and keeps it open with half a request.
fn half_a_request(server: &Server) -> anyhow::Result<TcpStream> {
    let mut stream = TcpStream::connect(server.origin.trim_start_matches("http://"))?;
    stream.write_all(b"GET /readyz HTTP/1.1\r\n")?;
    Ok(stream)
}

fn open_files(server: &Server) -> anyhow::Result<u64> {
    Ok(fs::read_dir(format!("/proc/{}/fd", server.id()))?.count().try_into()?)
}

/// Soft and hard limit on open files.
fn limit(server: &Server) -> anyhow::Result<(u64, u64)> {
    let limits = fs::read_to_string(format!("/proc/{}/limits", server.id()))?;
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max open files"))
        .context("no limit on open files")?;
    let mut numbers = line.split_whitespace().map(str::parse::<u64>);
    let mut next = || numbers.next().context("no number")?.context("not a number");
    Ok((next()?, next()?))
}
