//! Application state shared by all handlers: the store, the clock, the configuration. Depends on no
//! interface.

use crate::{
    answers::{Answers, Share},
    calls::RecentCalls,
    capacity::Capacity,
    config::Config,
    cookies::Cookies,
    customer_links::{self, Misses},
    limits::{Limiter, PerMinute},
    metrics::Metrics,
    outbox::{self, Outbox, webhooks::sending::Sending},
    passwords::Hasher,
};
use jiff::Timestamp;
use mail::Mailer;
use service::{
    Context, Environment, Error, context,
    environment::{Clock, Letters, Links, Random, Visitor},
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

/// Maximum number of times per minute that a person can save unfinished forms.
const SAVES_PER_MINUTE: u32 = 60;
/// Maximum number of previews of documents per minute for a person.
const PREVIEWS_PER_MINUTE: u32 = 30;

/// Application state shared by all handlers; cheap to clone.
#[derive(Clone)]
pub struct AppState {
    inner: Arc<Inner>,
}

struct Inner {
    store: Store,
    clock: Box<dyn Clock>,
    random: Arc<dyn Random>,
    mailer: Arc<Mailer>,
    /// Texts of the emails that commands of the books send.
    letters: Arc<dyn Letters>,
    /// Links to the pages of customers.
    links: Option<Arc<dyn Links>>,
    outbox: Outbox,
    sending: Arc<Sending>,
    hasher: Hasher,
    throttle: Throttle,
    capacity: Capacity,
    answers: Arc<Answers>,
    /// Whether the database's log still contains swept rows.
    checkpoint_due: AtomicBool,
    config: Config,
    limiter: Option<Limiter>,
    /// Rate limiter for forms on pages, separate from the one for the API.
    form_limiter: Option<Limiter>,
    /// Rate limiter for saving unfinished forms, per person.
    saves: PerMinute,
    /// Rate limiter for previews of documents, per person.
    previews: PerMinute,
    /// Misses of links of customers, per address.
    misses: Option<Misses>,
    metrics: Metrics,
    /// Counter for request ids. Starts at a random number, so that the ids of two nodes or two runs
    /// do not collide.
    requests: AtomicU64,
    /// Calls and uses of API credentials that have yet to be saved.
    recent_calls: RecentCalls,
    /// Whether the server is shutting down.
    stopping: watch::Sender<bool>,
}

/// Read access of a request: on SQLite, one snapshot from its credentials to its response.
#[derive(Clone)]
pub struct ReadContext {
    app: AppState,
    snapshot: Arc<Mutex<Option<Snapshot>>>,
    /// Reservation of bytes for a response with a list.
    room: Arc<Mutex<Option<Share>>>,
}

impl ReadContext {
    /// Creates the context of a new request.
    pub fn new(app: &AppState) -> Result<Self, Error> {
        let snapshot = app.inner.store.snapshot()?;
        Ok(Self {
            app: app.clone(),
            snapshot: Arc::new(Mutex::new(snapshot)),
            room: Arc::default(),
        })
    }

    /// Runs a query. A query for a list may have to wait: it needs a reservation for its response,
    /// and an account can run only a few such queries at once. It therefore releases the snapshot
    /// of the request and uses a new one, and runs off the runtime's threads.
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
                if let Some(snapshot) =
                    self.snapshot.lock().unwrap_or_else(PoisonError::into_inner).as_mut()
                {
                    return snapshot.read(&mut question);
                }
            }
        }
        self.app.query(of, question).await
    }

    /// Releases the snapshot before the request waits for something.
    pub fn give_back(&self) {
        drop(self.snapshot.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    /// Takes the reservation for a response with a list, so that it can be held until the bytes of
    /// the response have been sent.
    pub fn take_room(&self) -> Option<Share> {
        self.room.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl AppState {
    /// Creates the state from its parts.
    ///
    /// # Errors
    /// The operating system could not create the threads for hashing passwords.
    pub fn new(
        store: Store,
        clock: Box<dyn Clock>,
        random: Arc<dyn Random>,
        mailer: Mailer,
        config: Config,
    ) -> io::Result<Self> {
        let limiter = config
            .rate_limit
            .map(|limit| Limiter::new(limit, config.shared_limits && store.has_nodes()));
        let form_limiter = config.rate_limit.map(|limit| Limiter::new(limit, false));
        let misses = config.rate_limit.map(|_| Misses::default());
        let metrics = Metrics::new(config.build);
        let mut start = [0; 8];
        // If the random number generator fails, the ids start at zero: they only identify requests
        // in the log and need not be secret.
        let _ = random.fill(&mut start);
        let requests = AtomicU64::new(u64::from_le_bytes(start));
        let mut node = [0; 8];
        // A failure is harmless: nodes with the same name only mistake each other's records for
        // their own.
        let _ = random.fill(&mut node);
        let outbox = Outbox::new(format!("{:016x}", u64::from_le_bytes(node)));
        let hasher = Hasher::new(Arc::clone(&random), metrics.password_hashes())?;
        let mailer = Arc::new(mailer);
        let inner = Inner {
            store,
            clock,
            random,
            letters: outbox::letters(&mailer, &config.base_url),
            links: customer_links::of(&config),
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
            saves: PerMinute::new(SAVES_PER_MINUTE),
            previews: PerMinute::new(PREVIEWS_PER_MINUTE),
            misses,
            metrics,
            requests,
            recent_calls: RecentCalls::default(),
            stopping: watch::Sender::new(false),
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// The operator's configuration.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.inner.config
    }

    /// Returns the cookies of the pages.
    pub fn cookies(&self) -> Cookies {
        Cookies::at(&self.config().base_url)
    }

    /// Metrics of the server.
    #[must_use]
    pub fn metrics(&self) -> &Metrics {
        &self.inner.metrics
    }

    /// Returns the environment for a client's commands and queries, with the current time.
    pub fn environment(&self, client: Visitor) -> Environment {
        let letters = Some(Arc::clone(&self.inner.letters));
        let links = self.inner.links.clone();
        Environment { now: self.now(), random: self.random(), letters, links, client }
    }

    /// Returns the context of background work on behalf of an account's owner.
    pub fn context_of(&self, account: &Account) -> Context {
        Context::of_owner(account, self.environment(Visitor::default()))
    }

    /// Current time of the server's clock.
    pub fn now(&self) -> Timestamp {
        self.inner.clock.now()
    }

    /// Source of random bytes; shared, since commands may outlive the request.
    #[must_use]
    pub fn random(&self) -> Arc<dyn Random> {
        Arc::clone(&self.inner.random)
    }

    /// Password hasher.
    #[must_use]
    pub fn hasher(&self) -> &Hasher {
        &self.inner.hasher
    }

    /// Key that encrypts second factors, if one is configured.
    #[must_use]
    pub fn encryption_key(&self) -> Option<&EncryptionKey> {
        self.config().encryption_key.as_ref()
    }

    /// Throttle that slows down guessing of passwords and codes.
    #[must_use]
    pub fn throttle(&self) -> &Throttle {
        &self.inner.throttle
    }

    /// Responses that clients have yet to receive.
    pub fn answers(&self) -> &Arc<Answers> {
        &self.inner.answers
    }

    /// Bytes of large responses that clients have yet to read.
    #[must_use]
    pub fn answer_bytes(&self) -> usize {
        self.answers().bytes()
    }

    /// Concurrency limits for expensive work.
    pub fn capacity(&self) -> &Capacity {
        &self.inner.capacity
    }

    /// Sender of emails.
    #[must_use]
    pub fn mailer(&self) -> &Mailer {
        &self.inner.mailer
    }

    /// Outbox for emails and webhook messages.
    pub fn outbox(&self) -> &Outbox {
        &self.inner.outbox
    }

    /// Webhook messages being sent.
    pub fn sending(&self) -> &Arc<Sending> {
        &self.inner.sending
    }

    /// Whether the database's log still contains swept rows.
    pub fn checkpoint_due(&self) -> &AtomicBool {
        &self.inner.checkpoint_due
    }

    /// Store of the books.
    pub fn store(&self) -> &Store {
        &self.inner.store
    }

    /// Returns a unique request id of sixteen hexadecimal digits.
    pub fn next_request_id(&self) -> String {
        // Multiplication by an odd factor is a bijection, and spreads consecutive numbers.
        let number =
            self.inner.requests.fetch_add(1, Ordering::Relaxed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        format!("{number:016x}")
    }

    /// Rate limiter for forms on pages, unless rate limits are off.
    pub fn form_limiter(&self) -> Option<&Limiter> {
        self.inner.form_limiter.as_ref()
    }

    /// Rate limiter for saving unfinished forms, per person.
    pub fn saves(&self) -> &PerMinute {
        &self.inner.saves
    }

    /// Rate limiter for previews of documents, per person.
    pub fn previews(&self) -> &PerMinute {
        &self.inner.previews
    }

    /// Misses of links of customers, unless rate limits are off.
    pub fn misses(&self) -> Option<&Misses> {
        self.inner.misses.as_ref()
    }

    /// Rate limiter for the API, unless rate limits are off.
    pub fn limiter(&self) -> Option<&Limiter> {
        self.inner.limiter.as_ref()
    }

    /// Executes a command in one durable transaction, in the lane of the account whose books it
    /// changes.
    pub async fn execute<T, F>(&self, of: impl Into<Lane>, command: F) -> Result<T, Error>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
        T: Send + 'static,
    {
        self.inner.store.execute(of, command).await
    }

    /// Executes a command in a transaction that is rolled back, and returns its result.
    pub async fn rehearse<T, F>(&self, of: impl Into<Lane>, command: F) -> Result<T, Error>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
        T: Send + 'static,
    {
        let (failing, result) = context::rehearse(command);
        context::rehearsed(self.inner.store.execute(of, failing).await, &result)
    }

    /// Runs a query on one snapshot of the books, in the lane of the account that it concerns.
    pub async fn query<T, F>(&self, of: impl Into<Lane>, question: F) -> Result<T, Error>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
        T: Send + 'static,
    {
        self.inner.store.query(of, question).await
    }

    /// Signals that the server is shutting down, which ends the requests that are waiting for an
    /// event.
    pub fn stop_waiting(&self) {
        self.inner.stopping.send_replace(true);
    }

    /// Resolves once the server begins to shut down.
    pub async fn stopping(&self) {
        // Cannot fail, because the sender lives as long as this state.
        let _ = self.inner.stopping.subscribe().wait_for(|stopping| *stopping).await;
    }

    /// Calls and uses of API credentials that have yet to be saved.
    pub fn recent_calls(&self) -> &RecentCalls {
        &self.inner.recent_calls
    }
}
