//! What every handler can reach: the books, the clock, the configuration. It imports no interface.

use crate::{
    answers::{Answers, Share},
    calls::RecentCalls,
    capacity::Capacity,
    config::Config,
    cookies::Cookies,
    limits::Limiter,
    metrics::Metrics,
    outbox::{Outbox, webhooks::sending::Sending},
    passwords::Hasher,
};
use jiff::Timestamp;
use mail::Mailer;
use service::{
    Context, Environment, Error,
    environment::{Clock, Random, Visitor},
    people::{EncryptionKey, throttle::Throttle},
};
use std::{
    io,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};
use store::{Lane, Snapshot, Store, Tx, accounts::Account};
use tokio::sync::watch;

/// What every handler can reach; cheap to clone.
#[derive(Clone)]
pub struct AppState {
    inner: Arc<Inner>,
}

struct Inner {
    store: Store,
    clock: Box<dyn Clock>,
    random: Arc<dyn Random>,
    mailer: Mailer,
    outbox: Outbox,
    sending: Arc<Sending>,
    hasher: Hasher,
    throttle: Throttle,
    capacity: Capacity,
    answers: Arc<Answers>,
    /// Whether something was swept away that is still in the database's log.
    checkpoint_due: AtomicBool,
    config: Config,
    limiter: Option<Limiter>,
    /// Of forms of pages, counted apart from what programs ask.
    form_limiter: Option<Limiter>,
    metrics: Metrics,
    /// Begins at a random place, so that the ids of two nodes, or of two runs, do not meet.
    requests: AtomicU64,
    /// What callers of the API did since it was last written down.
    recent_calls: RecentCalls,
    /// Whether the server is told to stop.
    stopping: watch::Sender<bool>,
}

/// What a request reads with: on SQLite one snapshot of the books, from its credentials to its answer.
#[derive(Clone)]
pub struct ReadContext {
    app: AppState,
    snapshot: Arc<Mutex<Option<Snapshot>>>,
    /// What was taken for the answer of a list.
    room: Arc<Mutex<Option<Share>>>,
}

impl ReadContext {
    /// That of a request that begins.
    pub fn new(app: &AppState) -> Result<Self, Error> {
        let snapshot = app.inner.store.snapshot()?;
        Ok(Self { app: app.clone(), snapshot: Arc::new(Mutex::new(snapshot)), room: Arc::default() })
    }

    /// Answers a question. That of a list is not answered on a thread of the runtime, few of one account at once, and only when there is
    /// room for its answer: it gives its snapshot of the books back first, as it may have to wait, and gets one of its own.
    pub async fn query<T, F>(&self, of: impl Into<Lane>, mut question: F) -> Result<T, Error>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
        T: Send + 'static,
    {
        let of = of.into();
        match of.account().filter(|_| of.is_list()) {
            Some(account) => {
                self.give_back();
                drop(self.take_room());
                let room = self.app.answers().page(account).await;
                *self.room.lock().unwrap_or_else(PoisonError::into_inner) = Some(room);
            }
            None => {
                if let Some(snapshot) = self.snapshot.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
                    return snapshot.read(&mut question);
                }
            }
        }
        self.app.query(of, question).await
    }

    /// Gives the snapshot of the books back before something is waited for.
    pub fn give_back(&self) {
        drop(self.snapshot.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    /// The room that was taken for the answer of a list, which passes to the bytes of that answer.
    pub fn take_room(&self) -> Option<Share> {
        self.room.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl AppState {
    /// Puts the parts together.
    ///
    /// # Errors
    /// The system gives no threads to hash passwords.
    pub fn new(store: Store, clock: Box<dyn Clock>, random: Arc<dyn Random>, mailer: Mailer, config: Config) -> io::Result<Self> {
        let limiter = config.rate_limit.map(|limit| Limiter::new(limit, config.shared_limits && store.has_nodes()));
        let form_limiter = config.rate_limit.map(|limit| Limiter::new(limit, false));
        let metrics = Metrics::new(config.build);
        let mut start = [0; 8];
        // Without randomness the ids begin at nought; they are for finding a request in the log, not for keeping a secret.
        let _ = random.fill(&mut start);
        let requests = AtomicU64::new(u64::from_le_bytes(start));
        let mut node = [0; 8];
        // Two nodes that are called alike would only take each other's notes for their own.
        let _ = random.fill(&mut node);
        let outbox = Outbox::new(format!("{:016x}", u64::from_le_bytes(node)));
        let hasher = Hasher::new(Arc::clone(&random), metrics.password_hashes())?;
        let inner = Inner {
            store,
            clock,
            random,
            mailer,
            outbox,
            sending: Arc::default(),
            hasher,
            throttle: Throttle::default(),
            capacity: Capacity::default(),
            answers: Arc::default(),
            checkpoint_due: AtomicBool::new(true),
            config,
            limiter,
            form_limiter,
            metrics,
            requests,
            recent_calls: RecentCalls::default(),
            stopping: watch::Sender::new(false),
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// What the operator decided.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.inner.config
    }

    /// The cookies of the pages.
    pub fn cookies(&self) -> Cookies {
        Cookies::at(&self.config().base_url)
    }

    /// What is counted.
    #[must_use]
    pub fn metrics(&self) -> &Metrics {
        &self.inner.metrics
    }

    /// What commands and queries for a client are told of what is outside of the books, as of now.
    pub fn environment(&self, client: Visitor) -> Environment {
        Environment { now: self.now(), random: self.random(), client }
    }

    /// The context of what the server does by itself for an account's owner.
    pub fn context_of(&self, account: &Account) -> Context {
        Context::of_owner(account, self.environment(Visitor::default()))
    }

    /// Current time of the clock of the server.
    pub fn now(&self) -> Timestamp {
        self.inner.clock.now()
    }

    /// Draws random bytes; to be handed into commands, which may outlive the request.
    #[must_use]
    pub fn random(&self) -> Arc<dyn Random> {
        Arc::clone(&self.inner.random)
    }

    /// Hashes and compares passwords.
    #[must_use]
    pub fn hasher(&self) -> &Hasher {
        &self.inner.hasher
    }

    /// What second factors are encrypted with, if there is anything.
    #[must_use]
    pub fn encryption_key(&self) -> Option<&EncryptionKey> {
        self.config().encryption_key.as_ref()
    }

    /// Slows down those who guess.
    #[must_use]
    pub fn throttle(&self) -> &Throttle {
        &self.inner.throttle
    }

    /// Answers that are on their way.
    pub fn answers(&self) -> &Arc<Answers> {
        &self.inner.answers
    }

    /// Bytes of large answers that wait for clients to read them.
    #[must_use]
    pub fn answer_bytes(&self) -> usize {
        self.answers().bytes()
    }

    /// Room for what takes long or holds much.
    pub fn capacity(&self) -> &Capacity {
        &self.inner.capacity
    }

    /// What sends mails.
    #[must_use]
    pub fn mailer(&self) -> &Mailer {
        &self.inner.mailer
    }

    /// Mails on their way.
    pub fn outbox(&self) -> &Outbox {
        &self.inner.outbox
    }

    /// What is sent to webhooks at this moment.
    pub fn sending(&self) -> &Arc<Sending> {
        &self.inner.sending
    }

    /// Whether something was swept away that is still in the database's log.
    pub fn checkpoint_due(&self) -> &AtomicBool {
        &self.inner.checkpoint_due
    }

    /// The books.
    pub fn store(&self) -> &Store {
        &self.inner.store
    }

    /// Sixteen hexadecimal digits that no other request has.
    pub fn next_request_id(&self) -> String {
        // An odd factor maps different numbers to different numbers, and neighbours far apart.
        let number = self.inner.requests.fetch_add(1, Ordering::Relaxed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        format!("{number:016x}")
    }

    /// Counts the forms that people send from pages.
    pub fn form_limiter(&self) -> Option<&Limiter> {
        self.inner.form_limiter.as_ref()
    }

    /// Rate limiter of the API, unless rate limits are off.
    pub fn limiter(&self) -> Option<&Limiter> {
        self.inner.limiter.as_ref()
    }

    /// Carries out a command in one durable transaction, in the lane of the account whose books it writes into.
    pub async fn execute<T, F>(&self, of: impl Into<Lane>, command: F) -> Result<T, Error>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
        T: Send + 'static,
    {
        self.inner.store.execute(of, command).await
    }

    /// Answers a question on one snapshot of the books, in the lane of the account that it is about.
    pub async fn query<T, F>(&self, of: impl Into<Lane>, question: F) -> Result<T, Error>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
        T: Send + 'static,
    {
        self.inner.store.query(of, question).await
    }

    /// Lets requests end that wait for something to happen, as the server is to stop.
    pub fn stop_waiting(&self) {
        self.inner.stopping.send_replace(true);
    }

    /// Ends when the server is told to stop.
    pub async fn stopping(&self) {
        // The sender lives as long as this state.
        let _ = self.inner.stopping.subscribe().wait_for(|stopping| *stopping).await;
    }

    /// What callers of the API did since it was last written down.
    pub fn recent_calls(&self) -> &RecentCalls {
        &self.inner.recent_calls
    }
}
