//! A PostgreSQL that hangs: it is frozen, or packets to it are dropped.

use super::{
    clients::{Operation, Phase, watch},
    scene::Scene,
};
use rustix::process::{Signal, kill_process};
use std::{
    io::{Read, Write},
    net::{Ipv4Addr, Shutdown, TcpListener, TcpStream},
    path::Path,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};
use xtask::postgres::{Cluster, Durability};

/// Duration of the fault: longer than any request may take.
const FAULT: Duration = Duration::from_secs(40);
/// Maximum time until writes succeed again.
const RECOVERY: Duration = Duration::from_secs(20);
/// Maximum response time during the fault: the time limit of a query, plus a margin.
const BOUND: Duration = Duration::from_secs(25);
/// Maximum response time of a readiness check.
const READINESS: Duration = Duration::from_secs(4);

/// Stops all processes of PostgreSQL, and later continues them.
pub(super) fn freeze(binary: &Path) -> anyhow::Result<()> {
    let cluster = Cluster::start(Durability::Durable)?;
    let database = cluster.create_database("books")?;
    let frozen = Frozen(&cluster);
    hang(binary, database, || frozen.signal(Signal::STOP), || frozen.signal(Signal::CONT))
}

/// Drops all packets in both directions. Afterwards new connections work; old ones stay dead.
pub(super) fn cut_off(binary: &Path) -> anyhow::Result<()> {
    let cluster = Cluster::start(Durability::Durable)?;
    let database = cluster.create_database("books")?;
    let relay = Relay::to(cluster.port())?;
    let through = database.replace(&format!(":{}/", cluster.port()), &format!(":{}/", relay.port));
    let set = |swallows: bool| {
        relay.state.swallows.store(swallows, Ordering::SeqCst);
        Ok(())
    };
    hang(binary, through, || set(true), || set(false))
}

fn hang(
    binary: &Path,
    database: String,
    begin: impl FnOnce() -> anyhow::Result<()>,
    end: impl FnOnce() -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let scene = Scene::on(binary, tempfile::tempdir()?, database)?;
    let server = scene.serve()?;
    let seen = watch(&server, &scene.key, |clients| {
        clients.begin(Phase::During);
        begin()?;
        thread::sleep(FAULT);
        end()?;
        clients.begin(Phase::After);
        let took = clients.wait(Phase::After, Operation::Write, 201, RECOVERY)?;
        println!("  writing again {} ms after PostgreSQL was back", took.as_millis());
        clients.wait(Phase::After, Operation::Ready, 200, RECOVERY).map(drop)
    })?;
    seen.only(Phase::During, Operation::Write, &[200, 201, 503], BOUND)?;
    seen.only(Phase::During, Operation::Read, &[200, 503], BOUND)?;
    seen.only(Phase::During, Operation::Ready, &[200, 503], READINESS)?;
    seen.says(Phase::During, Operation::Ready, 503, "")?;
    scene.verify(server, &seen)
}

/// Cluster whose processes are continued when this value is dropped, because a stopped process does
/// not react to the signal that shuts it down.
struct Frozen<'c>(&'c Cluster);

impl Frozen<'_> {
    fn signal(&self, signal: Signal) -> anyhow::Result<()> {
        for process in self.0.processes()? {
            // The process may have ended in the meantime.
            let _ = kill_process(process, signal);
        }
        Ok(())
    }
}

impl Drop for Frozen<'_> {
    fn drop(&mut self) {
        let _ = self.signal(Signal::CONT);
    }
}

/// Relays connections to a port, and can drop their data.
struct Relay {
    port: u16,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    swallows: AtomicBool,
    /// Connections with dropped data: they stay open and are never used again.
    dead: Mutex<Vec<TcpStream>>,
}

impl Relay {
    fn to(target: u16) -> anyhow::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = listener.local_addr()?.port();
        let state = Arc::new(State::default());
        let its = Arc::clone(&state);
        // The thread ends with the program.
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                // If relaying fails, the client's connection is dropped, and thereby closed.
                let _ = its.relay(client, target);
            }
        });
        Ok(Self { port, state })
    }
}

impl State {
    fn relay(self: &Arc<Self>, client: TcpStream, target: u16) -> anyhow::Result<()> {
        if self.swallows.load(Ordering::SeqCst) {
            self.bury(client);
            return Ok(());
        }
        let server = TcpStream::connect((Ipv4Addr::LOCALHOST, target))?;
        for (from, to) in [(client.try_clone()?, server.try_clone()?), (server, client)] {
            let state = Arc::clone(self);
            thread::spawn(move || state.pass_on(from, to));
        }
        Ok(())
    }

    fn pass_on(&self, mut from: TcpStream, mut to: TcpStream) {
        let mut buffer = [0; 16 * 1024];
        loop {
            let read = from.read(&mut buffer);
            if self.swallows.load(Ordering::SeqCst) {
                self.bury(from);
                self.bury(to);
                return;
            }
            match read {
                Ok(length) if length > 0 && to.write_all(&buffer[..length]).is_ok() => {}
                _ => break,
            }
        }
        // The other direction may have closed the connection already.
        let _ = to.shutdown(Shutdown::Both);
        let _ = from.shutdown(Shutdown::Both);
    }

    fn bury(&self, stream: TcpStream) {
        self.dead.lock().unwrap_or_else(PoisonError::into_inner).push(stream);
    }
}
