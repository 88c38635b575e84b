//! Password hashing on a small dedicated thread pool, with bounded queues.
//!
//! Each hash deliberately takes 19 MiB and tens of milliseconds of processor time. Without a limit,
//! a few hundred concurrent sign-ins would starve all other requests of memory and processor time.

use prometheus_client::metrics::counter::Counter;
use rayon::{ThreadPool, ThreadPoolBuilder};
use service::{
    Error,
    environment::Random,
    passwords::{self, Verdict},
};
use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};
use tokio::sync::oneshot;

/// Maximum queue length; further jobs are rejected with [`Error::Busy`].
const WAITING: usize = 64;
/// Maximum queue length for known clients, whose address has been used for a successful sign-in.
/// Their queue is separate, so a flood of unknown clients cannot fill it.
const KNOWN_CLIENTS: usize = 16;
/// Maximum queue length for sign-ups. Their queue is separate, so they cannot crowd out sign-ins.
const STRANGERS: usize = 8;

/// Hashes and verifies passwords.
pub struct Hasher {
    random: Arc<dyn Random>,
    count: Counter,
    threads: ThreadPool,
    waiting: AtomicUsize,
    known_clients: AtomicUsize,
    strangers: AtomicUsize,
}

impl Hasher {
    /// Creates a hasher that draws salts from `random` and counts its jobs in `count`.
    ///
    /// # Errors
    /// The operating system could not create the threads.
    pub fn new(random: Arc<dyn Random>, count: Counter) -> io::Result<Self> {
        // Half of the processors remain free for requests that only read.
        let turns =
            std::thread::available_parallelism().map_or(1, |count| (count.get() / 2).clamp(1, 4));
        let threads = ThreadPoolBuilder::new()
            .num_threads(turns)
            .thread_name(|_| "passwords".to_owned())
            .start_handler(|_| store::give_way())
            // The caller notices a panic because its channel closes without a result.
            .panic_handler(|_| ())
            .build()
            .map_err(io::Error::other)?;
        Ok(Self {
            random,
            count,
            threads,
            waiting: AtomicUsize::new(0),
            known_clients: AtomicUsize::new(0),
            strangers: AtomicUsize::new(0),
        })
    }

    /// Hashes a password that has passed the strength check.
    ///
    /// # Errors
    /// The queue is full, the random number generator failed, or memory ran out.
    pub async fn hash(&self, password: &str) -> Result<String, Error> {
        let (random, password) = (Arc::clone(&self.random), password.to_owned());
        self.run(&self.waiting, WAITING, move || passwords::hash(&*random, &password)).await?
    }

    /// Like [`Hasher::hash`], for a visitor without an account. Anyone can trigger such a job, so
    /// these jobs have a short queue of their own.
    ///
    /// # Errors
    /// As for [`Hasher::hash`].
    pub async fn hash_for_stranger(&self, password: &str) -> Result<String, Error> {
        let (random, password) = (Arc::clone(&self.random), password.to_owned());
        self.run(&self.strangers, STRANGERS, move || passwords::hash(&*random, &password)).await?
    }

    /// Verifies a password against the stored hash. Takes the same time if there is no stored hash.
    /// Known clients, whose address has been used for a successful sign-in, have a queue of their
    /// own.
    ///
    /// # Errors
    /// The queue is full.
    pub async fn verify(
        &self,
        password: &str,
        stored: Option<&str>,
        known_clients: bool,
    ) -> Result<Verdict, Error> {
        let (password, stored) = (password.to_owned(), stored.map(str::to_owned));
        let (line, length) = if known_clients {
            (&self.known_clients, KNOWN_CLIENTS)
        } else {
            (&self.waiting, WAITING)
        };
        self.run(line, length, move || passwords::verify(&password, stored.as_deref())).await
    }

    async fn run<T: Send + 'static>(
        &self,
        line: &AtomicUsize,
        length: usize,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        let _place = Place::take(line, length).ok_or(Error::Busy("passwords"))?;
        let (answer, answered) = oneshot::channel();
        let count = self.count.clone();
        self.threads.spawn_fifo(move || {
            // Skips jobs whose caller has disconnected.
            if !answer.is_closed() {
                count.inc();
                let _ = answer.send(work());
            }
        });
        answered.await.map_err(|_| Error::Internal("hashing a password failed".to_owned()))
    }
}

/// A place in a queue; released on drop, even if the caller disconnects.
struct Place<'h>(&'h AtomicUsize);

impl<'h> Place<'h> {
    fn take(line: &'h AtomicUsize, length: usize) -> Option<Self> {
        let place = Self(line);
        (line.fetch_add(1, Ordering::Relaxed) < length).then_some(place)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::future::join_all;
    use service::environment::System;

    #[tokio::test]
    async fn a_full_queue_rejects_jobs_and_then_empties() {
        let hasher = Hasher::new(Arc::new(System), Counter::default()).unwrap();
        let all =
            join_all((0..WAITING + 10).map(|_| hasher.run(&hasher.waiting, WAITING, || ()))).await;
        let rejected = all.iter().filter(|done| matches!(done, Err(Error::Busy(_)))).count();
        assert_eq!(rejected, 10);
        assert_eq!(hasher.waiting.load(Ordering::Relaxed), 0);
        assert!(hasher.run(&hasher.waiting, WAITING, || ()).await.is_ok());
    }

    #[tokio::test]
    async fn strangers_do_not_crowd_out_sign_ins() {
        let hasher = Hasher::new(Arc::new(System), Counter::default()).unwrap();
        let strangers =
            join_all((0..WAITING * 2).map(|_| hasher.hash_for_stranger("a long passphrase")));
        let (strangers, owner) =
            tokio::join!(strangers, hasher.verify("a long passphrase", None, false));
        assert_eq!(strangers.iter().filter(|done| done.is_ok()).count(), STRANGERS);
        assert_eq!(owner.unwrap(), Verdict::Mismatch);
    }

    #[tokio::test]
    async fn a_known_client_is_not_rejected_during_a_flood_of_strangers() {
        let hasher = Hasher::new(Arc::new(System), Counter::default()).unwrap();
        let strangers =
            join_all((0..WAITING * 2).map(|_| hasher.run(&hasher.waiting, WAITING, || ())));
        let (strangers, owner) =
            tokio::join!(strangers, hasher.verify("a long passphrase", None, true));
        assert_eq!(strangers.iter().filter(|done| done.is_ok()).count(), WAITING);
        assert_eq!(owner.unwrap(), Verdict::Mismatch);
    }

    #[tokio::test]
    async fn a_password_is_hashed_and_compared() {
        let hasher = Hasher::new(Arc::new(System), Counter::default()).unwrap();
        let made = hasher.hash("a long passphrase").await.unwrap();
        assert_eq!(
            hasher.verify("a long passphrase", Some(&made), false).await.unwrap(),
            Verdict::Right
        );
        assert_eq!(
            hasher.verify("another passphrase", Some(&made), false).await.unwrap(),
            Verdict::Mismatch
        );
        assert_eq!(
            hasher.verify("a long passphrase", None, false).await.unwrap(),
            Verdict::Mismatch
        );
    }
}
