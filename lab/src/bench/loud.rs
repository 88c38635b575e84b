//! Latency of one account's create requests while another account sends ten thousand at once.

use super::{Bench, Target, middle, millis};
use crate::{
    crash::Acknowledged,
    faults::crowd::{CROWD, PLACES, Shouting, slowest, writes},
    server::Program,
};
use std::{thread, time::Duration};
use xtask::postgres::{Cluster, Durability};

/// Number of create requests by the quiet account per turn. With 200, the 99th percentile would be
/// the third slowest, which depends on chance.
const WRITES: usize = 1000;

impl Bench {
    /// Measures the extra delay on both engines.
    pub(super) fn loud(&mut self) -> anyhow::Result<()> {
        self.many_writes("SQLite", &self.program("loud"))?;
        let cluster = Cluster::start(Durability::Durable)?;
        let program =
            Program { binary: self.binary.clone(), database: cluster.create_database("loud")? };
        self.many_writes("PostgreSQL", &program)
    }

    fn many_writes(&mut self, engine: &str, program: &Program) -> anyhow::Result<()> {
        let (quiet, loud) =
            (program.open_account("quiet@example.com")?, program.open_account("loud@example.com")?);
        let server =
            program.serve_with(&self.log(), &["--rate-limit", "0", "--max-clients", PLACES])?;
        let (mut alone, mut beside) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
        for turn in 0..if self.options.quick { 1 } else { 3 } {
            let measure = |name: &str, into: &mut [Vec<f64>; 2]| -> anyhow::Result<()> {
                let took = writes(
                    &server,
                    &quiet,
                    (&format!("{name}{turn}"), WRITES),
                    &mut Acknowledged::new(),
                )?;
                into[0].push(millis(took[took.len() / 2]));
                into[1].push(millis(slowest(&took)));
                Ok(())
            };
            measure("alone", &mut alone)?;
            let shouting = Shouting::begin(&server, &loud, &format!("{turn}-"))?;
            measure("beside", &mut beside)?;
            let answers = shouting.end();
            eprintln!("answers to the loud account: {answers:?}");
            // Waits until the requests of disconnected clients are done.
            thread::sleep(Duration::from_secs(2));
        }
        server.stop()?;
        let targets = [("median", None), ("p99", Some(Target::AtMost(2.0)))];
        for ((name, target), (alone, beside)) in
            targets.into_iter().zip(alone.into_iter().zip(beside))
        {
            let what =
                format!("{name} of a create beside {CROWD} writes of another account, {engine}");
            self.compare(what, middle(beside), "ms", ("alone", middle(alone)), target);
        }
        Ok(())
    }
}
