//! A full disk, and one that has become read-only.

use super::{
    clients::{Operation, Phase, watch},
    scene::Scene,
    volume::Volume,
};
use anyhow::ensure;
use std::{path::Path, thread, time::Duration};
use xtask::postgres::{Cluster, Durability};

/// Duration of the fault.
const FAULT: Duration = Duration::from_secs(6);
/// Maximum time until writes succeed again.
const RECOVERY: Duration = Duration::from_secs(10);
/// Maximum response time.
const PROMPT: Duration = Duration::from_secs(5);

/// The disk of an SQLite database is full for a while.
pub(super) fn disk_full(binary: &Path) -> anyhow::Result<()> {
    let volume = Volume::mount(96)?;
    let database = format!("sqlite:{}", volume.files().join("books.db").display());
    let scene = Scene::on(binary, tempfile::tempdir()?, database)?;
    let server = scene.serve()?;
    let seen = watch(&server, &scene.key, |clients| {
        volume.fill()?;
        clients.begin(Phase::During);
        clients.wait(Phase::During, Operation::Write, 503, RECOVERY)?;
        thread::sleep(FAULT);
        volume.free()?;
        clients.begin(Phase::After);
        let took = clients.wait(Phase::After, Operation::Write, 201, RECOVERY)?;
        println!("  writing again {} ms after there was room", took.as_millis());
        thread::sleep(Duration::from_secs(1));
        Ok(())
    })?;
    seen.only(Phase::During, Operation::Write, &[201, 503], PROMPT)?;
    seen.only(Phase::During, Operation::Read, &[200], PROMPT)?;
    seen.says(Phase::During, Operation::Ready, 200, "ready for reading only")?;
    seen.says(Phase::After, Operation::Ready, 200, "ready")?;
    scene.verify(server, &seen)
}

/// The disk of PostgreSQL is full for a while.
pub(super) fn postgres_disk_full(binary: &Path) -> anyhow::Result<()> {
    let volume = Volume::mount(256)?;
    let mut cluster = Cluster::start_in(&volume.files(), Durability::Durable)?;
    let database = cluster.create_database("books")?;
    let scene = Scene::on(binary, tempfile::tempdir()?, database)?;
    let server = scene.serve()?;
    let seen = watch(&server, &scene.key, |clients| {
        volume.fill()?;
        clients.begin(Phase::During);
        clients.wait(Phase::During, Operation::Write, 503, Duration::from_secs(60))?;
        thread::sleep(FAULT);
        volume.free()?;
        // PostgreSQL stops if its log cannot be written, and its operator has to restart it.
        cluster.ensure_running()?;
        clients.begin(Phase::After);
        let took = clients.wait(Phase::After, Operation::Write, 201, RECOVERY)?;
        println!("  writing again {} ms after there was room", took.as_millis());
        Ok(())
    })?;
    seen.only(Phase::During, Operation::Write, &[201, 503], PROMPT)?;
    seen.only(Phase::During, Operation::Read, &[200, 503], PROMPT)?;
    scene.verify(server, &seen)
}

/// The file system of an SQLite database becomes read-only; it is repaired, and the server
/// restarted.
pub(super) fn read_only(binary: &Path) -> anyhow::Result<()> {
    let volume = Volume::mount(96)?;
    let database = format!("sqlite:{}", volume.files().join("books.db").display());
    let scene = Scene::on(binary, tempfile::tempdir()?, database)?;
    let server = scene.serve()?;
    let mut seen = watch(&server, &scene.key, |clients| {
        volume.break_down()?;
        clients.begin(Phase::During);
        clients.wait(Phase::During, Operation::Write, 503, RECOVERY)?;
        thread::sleep(FAULT);
        clients.give_up();
        Ok(())
    })?;
    seen.only(Phase::During, Operation::Write, &[503], PROMPT)?;
    seen.only(Phase::During, Operation::Read, &[200], PROMPT)?;
    seen.says(Phase::During, Operation::Ready, 200, "ready for reading only")?;
    server.stop()?;
    let refused = scene.program.serve(&scene.log());
    ensure!(refused.is_err(), "a server starts on a read-only file system");
    let log = std::fs::read_to_string(scene.log())?;
    println!("  started on it, the program reports: {}", log.lines().last().unwrap_or_default());
    volume.repair()?;
    let server = scene.serve()?;
    let again = watch(&server, &scene.key, |clients| {
        clients.begin(Phase::After);
        clients.wait(Phase::After, Operation::Write, 201, RECOVERY).map(drop)
    })?;
    again.only(Phase::After, Operation::Write, &[200, 201], PROMPT)?;
    seen.acknowledged.extend(again.acknowledged);
    scene.verify(server, &seen)
}
