//! Hashing passwords away from the threads that serve requests, and only a few at a time.
//!
//! Each hash takes 19 MiB and tens of milliseconds of a processor on purpose. Without a limit a few hundred sign-ins at once would take all
//! memory and every processor from the rest.

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

/// How many may wait for their turn; more are sent away, to come back later.
const WAITING: usize = 64;
/// How many of those may wait who signed in from their address before: a flood of strangers never fills their line.
const KNOWN_CLIENTS: usize = 16;
/// How many of strangers who sign up may wait: they never fill the line of those who sign in.
const STRANGERS: usize = 8;

/// Hashes and compares passwords.
pub struct Hasher {
    random: Arc<dyn Random>,
    count: Counter,
    threads: ThreadPool,
    waiting: AtomicUsize,
    known_clients: AtomicUsize,
    strangers: AtomicUsize,
}

impl Hasher {
    /// A hasher that draws salts from here, and counts what it did.
    ///
    /// # Errors
    /// The system gives no threads.
    pub fn new(random: Arc<dyn Random>, count: Counter) -> io::Result<Self> {
        // Half of the processors are left to those who only want to read.
        let turns = std::thread::available_parallelism().map_or(1, |count| (count.get() / 2).clamp(1, 4));
        let threads = ThreadPoolBuilder::new()
            .num_threads(turns)
            .thread_name(|_| "passwords".to_owned())
            .start_handler(|_| store::give_way())
            // Who asked is told by the answer that does not come.
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

    /// Hashes a password that was found good enough.
    ///
    /// # Errors
    /// Too many wait already, or the machine has no randomness or memory to give.
    pub async fn hash(&self, password: &str) -> Result<String, Error> {
        let (random, password) = (Arc::clone(&self.random), password.to_owned());
        self.run(&self.waiting, WAITING, move || passwords::hash(&*random, &password)).await?
    }

    /// [`Hasher::hash`] for who has no account yet: anybody can ask for it, so they have a short line of their own.
    ///
    /// # Errors
    /// As for [`Hasher::hash`].
    pub async fn hash_for_stranger(&self, password: &str) -> Result<String, Error> {
        let (random, password) = (Arc::clone(&self.random), password.to_owned());
        self.run(&self.strangers, STRANGERS, move || passwords::hash(&*random, &password)).await?
    }

    /// Compares a password with what is stored; takes as long when nothing is. Whoever is a known client, by an address from which they signed
    /// in before, stands in a line of their own.
    ///
    /// # Errors
    /// Too many wait already.
    pub async fn verify(&self, password: &str, stored: Option<&str>, known_clients: bool) -> Result<Verdict, Error> {
        let (password, stored) = (password.to_owned(), stored.map(str::to_owned));
        let (line, length) = if known_clients { (&self.known_clients, KNOWN_CLIENTS) } else { (&self.waiting, WAITING) };
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
            // A visitor who went away while waiting costs nothing.
            if !answer.is_closed() {
                count.inc();
                let _ = answer.send(work());
            }
        });
        answered.await.map_err(|_| Error::Internal("hashing a password failed".to_owned()))
    }
}

/// A place in the line; given back when it is dropped, also by a visitor who goes away.
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
    async fn who_finds_the_line_full_is_sent_away_and_the_line_empties() {
        let hasher = Hasher::new(Arc::new(System), Counter::default()).unwrap();
        let all = join_all((0..WAITING + 10).map(|_| hasher.run(&hasher.waiting, WAITING, || ()))).await;
        let away = all.iter().filter(|done| matches!(done, Err(Error::Busy(_)))).count();
        assert_eq!(away, 10);
        assert_eq!(hasher.waiting.load(Ordering::Relaxed), 0);
        assert!(hasher.run(&hasher.waiting, WAITING, || ()).await.is_ok());
    }

    #[tokio::test]
    async fn strangers_do_not_stand_in_the_way_of_who_signs_in() {
        let hasher = Hasher::new(Arc::new(System), Counter::default()).unwrap();
        let strangers = join_all((0..WAITING * 2).map(|_| hasher.hash_for_stranger("a long passphrase")));
        let (strangers, owner) = tokio::join!(strangers, hasher.verify("a long passphrase", None, false));
        assert_eq!(strangers.iter().filter(|done| done.is_ok()).count(), STRANGERS);
        assert_eq!(owner.unwrap(), Verdict::Mismatch);
    }

    #[tokio::test]
    async fn whoever_signed_in_before_is_not_sent_away_for_a_flood_of_strangers() {
        let hasher = Hasher::new(Arc::new(System), Counter::default()).unwrap();
        let strangers = join_all((0..WAITING * 2).map(|_| hasher.run(&hasher.waiting, WAITING, || ())));
        let (strangers, owner) = tokio::join!(strangers, hasher.verify("a long passphrase", None, true));
        assert_eq!(strangers.iter().filter(|done| done.is_ok()).count(), WAITING);
        assert_eq!(owner.unwrap(), Verdict::Mismatch);
    }

    #[tokio::test]
    async fn a_password_is_hashed_and_compared() {
        let hasher = Hasher::new(Arc::new(System), Counter::default()).unwrap();
        let made = hasher.hash("a long passphrase").await.unwrap();
        assert_eq!(hasher.verify("a long passphrase", Some(&made), false).await.unwrap(), Verdict::Right);
        assert_eq!(hasher.verify("another passphrase", Some(&made), false).await.unwrap(), Verdict::Mismatch);
        assert_eq!(hasher.verify("a long passphrase", None, false).await.unwrap(), Verdict::Mismatch);
    }
}
