//! Throughput of several servers on one PostgreSQL, and of one server on a Citus cluster. All run
//! on this machine and share its processors: this shows the overhead of more nodes, not the gain of
//! more machines.

use super::{Bench, load::Measured, micros, middle};
use crate::{
    postgres::{Cluster, Durability},
    scale::nodes::{self, Nodes, OWNER, SERVER, TEMPLATE},
    server::{Program, Server},
};
use anyhow::{Context, ensure};
use std::{
    path::{Path, PathBuf},
    thread,
};

/// Maximum number of servers on one PostgreSQL.
const SERVERS: usize = 3;
/// Numbers of Citus workers in addition to the coordinator.
const WORKERS: [usize; 2] = [1, 2];
/// Accounts that write at the same time.
const WRITERS: usize = 50;
/// Total number of connections, divided among the servers.
const CONNECTIONS: u32 = 64;
/// Number of measurements each. The medians are compared.
const TURNS: usize = 3;

/// Servers under a common load.
struct Loaded<'s> {
    name: String,
    servers: &'s [Server],
    keys: &'s Path,
    per_second: Vec<f64>,
    p99: Vec<f64>,
}

impl<'s> Loaded<'s> {
    fn new(name: String, servers: &'s [Server], keys: &'s Path) -> Self {
        Self { name, servers, keys, per_second: Vec::new(), p99: Vec::new() }
    }
}

/// A Citus cluster with a server.
struct OnCitus {
    workers: usize,
    program: Program,
    server: [Server; 1],
    keys: PathBuf,
    _nodes: Nodes,
}

impl Bench {
    /// Creates invoices alternately on one, two and three servers, and on Citus clusters.
    pub(super) fn nodes(&mut self) -> anyhow::Result<()> {
        let cluster = Cluster::start(Durability::Durable)?;
        let program = Program { binary: self.binary.clone(), database: cluster.create_database("nodes")? };
        let keys = self.accounts(&program, "nodes", WRITERS)?;
        let servers = (0..SERVERS).map(|_| program.serve(&self.log())).collect::<anyhow::Result<Vec<_>>>()?;
        let mut distributed = Vec::new();
        if nodes::can_be_made(&cluster)? {
            for workers in WORKERS {
                distributed.push(self.on_citus(workers)?);
            }
        } else {
            eprintln!("Citus is not installed: only several servers on one PostgreSQL are measured");
        }
        let mut all: Vec<Loaded<'_>> = (1..=SERVERS)
            .map(|count| Loaded::new(format!("{} on one PostgreSQL", counted(count, "server")), &servers[..count], &keys))
            .chain(
                distributed
                    .iter()
                    .map(|on| Loaded::new(format!("Citus, {}", counted(on.workers, "worker")), &on.server, &on.keys)),
            )
            .collect();
        for turn in 0..=TURNS {
            for (place, loaded) in all.iter_mut().enumerate() {
                let measured = self.create_on(loaded, &format!("run{turn}-{place}"))?;
                // The first turn is a warm-up.
                if turn > 0 {
                    loaded.per_second.push(measured.iter().map(Measured::per_second).sum());
                    loaded.p99.push(micros(measured.iter().map(|one| one.p99).max().unwrap_or_default()));
                }
            }
        }
        let figures: Vec<(String, f64, f64)> =
            all.into_iter().map(|loaded| (loaded.name, middle(loaded.per_second), middle(loaded.p99))).collect();
        let alone = figures.first().context("nothing was measured")?.1;
        for (name, per_second, p99) in figures {
            self.compare(format!("POST invoices, {name}"), per_second, "/s", ("one server", alone), None);
            self.record(format!("POST invoices, {name}, p99"), p99, "ms", None);
        }
        for server in servers {
            server.stop()?;
        }
        verify(&program)?;
        for OnCitus { program, server: [server], _nodes: nodes, .. } in distributed {
            server.stop()?;
            verify(&program)?;
            drop(nodes);
        }
        Ok(())
    }

    /// Creates invoices on all servers at once.
    fn create_on(&self, loaded: &Loaded<'_>, run: &str) -> anyhow::Result<Vec<Measured>> {
        let connections = CONNECTIONS / u32::try_from(loaded.servers.len())?;
        thread::scope(|scope| {
            let mut started = Vec::new();
            for (place, server) in loaded.servers.iter().enumerate() {
                let run = format!("{run}-{place}");
                started.push(
                    scope.spawn(move || self.wrk.create_over(connections, &server.origin, loaded.keys, &run, self.seconds())),
                );
            }
            started.into_iter().map(|load| load.join().map_err(|_| anyhow::anyhow!("the load panicked"))?).collect()
        })
    }

    fn on_citus(&self, workers: usize) -> anyhow::Result<OnCitus> {
        let nodes = Nodes::start_in(&std::env::temp_dir(), workers, Durability::Durable)?;
        let program = |role: &str| Program { binary: self.binary.clone(), database: nodes.coordinator.url_of(role, TEMPLATE) };
        let owner = program(OWNER);
        owner.run(&["migrate"])?;
        owner.run(&["distribute", "--role", SERVER])?;
        let program = program(SERVER);
        let keys = self.accounts(&program, &format!("citus-{workers}"), WRITERS)?;
        let server = [program.serve(&self.log())?];
        Ok(OnCitus { workers, program, server, keys, _nodes: nodes })
    }
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn verify(program: &Program) -> anyhow::Result<()> {
    let (discrepancies, report) = program.verify()?;
    ensure!(discrepancies == 0, "{report}");
    Ok(())
}
