//! PostgreSQL: a pool of worker threads, each with its own connection, which it reopens after a
//! loss.
//!
//! Each thread drives its connection itself, so that a query is one write and one read on the
//! socket, without a handover between threads. Statements without results are sent with the next
//! query (pipelining).

pub(crate) mod distribution;
mod merge;
pub(crate) mod session;
pub(crate) mod target;
pub(crate) mod worker;

use crate::{
    Access, SCANNERS, StoreError,
    engine::{
        Purpose,
        fair_queue::{FairQueue, Limits},
        job::Job,
        status::Status,
    },
};
use std::{
    sync::{Arc, atomic::Ordering},
    thread::JoinHandle,
};
use target::Target;
use worker::Worker;

/// Maximum number of concurrent writes per account: one that runs, and one that waits for the
/// account's lock so that it can follow immediately.
const WRITES_PER_ACCOUNT: usize = 2;

/// An open PostgreSQL database with its threads.
pub(crate) struct Postgres {
    jobs: Arc<FairQueue<Job>>,
    /// Queries that may scan many rows; they have their own threads and connections.
    scans: Arc<FairQueue<Job>>,
    threads: Vec<JoinHandle<()>>,
    target: Target,
}

impl Postgres {
    pub(crate) fn open(
        url: &str,
        connections: usize,
        purpose: Purpose,
    ) -> Result<Self, StoreError> {
        let target = Target::parse(url, purpose)?;
        let mut first = Worker::new(target.clone())?;
        first.migrate(purpose)?;
        if purpose == Purpose::Serve {
            first.look(distribution::ensure_complete)?;
        }
        let scanners = (connections / 4).clamp(2, SCANNERS);
        let jobs = Arc::new(FairQueue::new(limits(connections), crate::QUEUE_LENGTH));
        let scans = Arc::new(FairQueue::new(Limits::both(scanners / 2), crate::QUEUE_LENGTH));
        let mut threads = vec![first.start(&jobs)?];
        for _ in 1..connections.max(1) {
            threads.push(Worker::new(target.clone())?.start(&jobs)?);
        }
        for _ in 0..scanners {
            threads.push(Worker::new(target.clone())?.start_scanning(&scans)?);
        }
        Ok(Self { jobs, scans, threads, target })
    }

    /// Reads the schema version of a database without changing it; `None` if it has no tables.
    pub(crate) fn schema(url: &str) -> Result<Option<i64>, StoreError> {
        Worker::new(Target::parse(url, Purpose::Command)?)?.schema()
    }

    /// Current load.
    pub(crate) fn status(&self) -> Status {
        Status {
            commands_waiting: self.jobs.waiting(),
            lists_waiting: self.scans.waiting(),
            connections_open: self.target.open.count(),
            connections_busy: self.target.busy.count(),
            reads_only: self.target.reads_only.load(Ordering::Relaxed),
        }
    }

    /// Queues a job for the workers; `account` is the account whose books it uses, if any.
    pub(crate) fn put(&self, account: Option<i64>, job: Job) -> Result<(), StoreError> {
        let queue = if job.access == Access::Scan { &self.scans } else { &self.jobs };
        queue.put(account.map(|account| job.access.key(account)), job)
    }
}

/// Maximum number of connections that one account may use at once. With three or more connections,
/// the reads and writes of an account together leave some to other accounts.
fn limits(connections: usize) -> Limits {
    let writes = (connections / 2).clamp(1, WRITES_PER_ACCOUNT);
    Limits { reads: (connections.saturating_sub(writes) / 2).max(1), writes }
}

impl Drop for Postgres {
    /// Finishes the waiting commands, then closes the connections.
    fn drop(&mut self) {
        self.jobs.close();
        self.scans.close();
        for thread in self.threads.drain(..) {
            drop(thread.join());
        }
    }
}
