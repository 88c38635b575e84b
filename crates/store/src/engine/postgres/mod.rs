//! PostgreSQL: a pool of threads, each with a connection of its own that it makes again when it is lost.
//!
//! Each thread drives its connection itself, so that a question is one write and one read on the socket without a hop to
//! another thread, and statements that give no rows travel with the next question (pipelining).

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

/// How many writes of one account may be with the workers at once: one that works, and one that waits for its lock to follow at its
/// heels.
const WRITES_PER_ACCOUNT: usize = 2;

/// An open PostgreSQL database with its threads.
pub(crate) struct Postgres {
    jobs: Arc<FairQueue<Job>>,
    /// What may have to look at many rows; it has threads and connections of its own.
    scans: Arc<FairQueue<Job>>,
    threads: Vec<JoinHandle<()>>,
    target: Target,
}

impl Postgres {
    pub(crate) fn open(url: &str, connections: usize, purpose: Purpose) -> Result<Self, StoreError> {
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

    /// The number of the last migration that was applied to a database, which is not changed; none where it has no tables.
    pub(crate) fn schema(url: &str) -> Result<Option<i64>, StoreError> {
        Worker::new(Target::parse(url, Purpose::Command)?)?.schema()
    }

    /// What waits, and who works.
    pub(crate) fn status(&self) -> Status {
        Status {
            commands_waiting: self.jobs.waiting(),
            lists_waiting: self.scans.waiting(),
            connections_open: self.target.open.count(),
            connections_busy: self.target.busy.count(),
            reads_only: self.target.reads_only.load(Ordering::Relaxed),
        }
    }

    /// Lets a worker do it; `account` is the one whose books it is of, if it is one.
    pub(crate) fn put(&self, account: Option<i64>, job: Job) -> Result<(), StoreError> {
        let queue = if job.access == Access::Scan { &self.scans } else { &self.jobs };
        queue.put(account.map(|account| job.access.key(account)), job)
    }
}

/// How many of the connections one account may have at once. What it writes and what it reads together leave some to others, unless there
/// are less than three.
fn limits(connections: usize) -> Limits {
    let writes = (connections / 2).clamp(1, WRITES_PER_ACCOUNT);
    Limits { reads: (connections.saturating_sub(writes) / 2).max(1), writes }
}

impl Drop for Postgres {
    /// Finishes the commands that wait, then closes the connections.
    fn drop(&mut self) {
        self.jobs.close();
        self.scans.close();
        for thread in self.threads.drain(..) {
            drop(thread.join());
        }
    }
}
