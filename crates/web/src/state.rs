//! What every handler can reach: the books, the clock, the settings.

use crate::{
    address::TrustedProxy,
    api::{self, openapi},
    app::cookies::Cookies,
    calls::RecentCalls,
    export::Exports,
    limits::{Limiter, RateLimit},
    mail::{Mail, Mailer},
    metrics::Metrics,
    passwords::Hasher,
};
use axum::body::Bytes;
use jiff::Timestamp;
use service::{
    Error, oauth,
    outside::{Clock, Random},
    people::{self, Language, SealKey, throttle::Throttle},
};
use std::{
    io,
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};
use store::{Snapshot, Store, Tx, accounts::Plan};
use tracing::warn;

/// What the operator decides.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The origin that people and programs reach the server by, without a trailing slash. Links and issuer come from it and never
    /// from what a request says of itself.
    pub base_url: String,
    /// The lowest plan that may use the API.
    pub api_min_plan: Plan,
    /// How many requests an account may make.
    pub rate_limit: Option<RateLimit>,
    /// Proxies whose word is taken on where a request comes from.
    pub trusted_proxies: Vec<TrustedProxy>,
    /// The plan of those who sign up by themselves; nobody can when there is none.
    pub sign_up_plan: Option<Plan>,
    /// What second factors are sealed with; without it there are none.
    pub seal_key: Option<SealKey>,
}

/// What every handler can reach; cheap to clone.
#[derive(Clone)]
pub struct App {
    inner: Arc<Inner>,
}

struct Inner {
    store: Store,
    clock: Box<dyn Clock>,
    random: Arc<dyn Random>,
    mailer: Mailer,
    hasher: Hasher,
    throttle: Throttle,
    exports: Arc<Exports>,
    /// Whether something was swept away that is still in the database's log.
    to_fold: AtomicBool,
    settings: Settings,
    limiter: Option<Limiter>,
    metrics: Metrics,
    /// The description of the API, once it was asked for.
    description: OnceLock<Bytes>,
    /// Begins at a random place, so that the ids of two nodes, or of two runs, do not meet.
    requests: AtomicU64,
    /// What callers of the API did since it was last written down.
    recent_calls: RecentCalls,
}

/// What a request reads with: on SQLite one picture of the books, from its credentials to its answer.
#[derive(Clone)]
pub(crate) struct Reading {
    app: App,
    snapshot: Arc<Mutex<Option<Snapshot>>>,
}

impl Reading {
    pub(crate) fn of(app: &App, snapshot: Option<Snapshot>) -> Self {
        Self { app: app.clone(), snapshot: Arc::new(Mutex::new(snapshot)) }
    }

    /// Runs a question.
    pub(crate) async fn ask<T, F>(&self, mut question: F) -> Result<T, Error>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
        T: Send + 'static,
    {
        if let Some(snapshot) = self.snapshot.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            return snapshot.read(&mut question);
        }
        self.app.read(question).await
    }
}

impl App {
    /// Puts the parts together.
    ///
    /// # Errors
    /// The system gives no threads to hash passwords.
    pub fn new(
        store: Store,
        clock: Box<dyn Clock>,
        random: Arc<dyn Random>,
        mailer: Mailer,
        settings: Settings,
    ) -> io::Result<Self> {
        let limiter = settings.rate_limit.map(Limiter::new);
        let metrics = Metrics::default();
        let mut start = [0; 8];
        // Without randomness the ids begin at nought; they are for finding a request in the log, not for keeping a secret.
        let _ = random.fill(&mut start);
        let requests = AtomicU64::new(u64::from_le_bytes(start));
        let description = OnceLock::new();
        let hasher = Hasher::new(Arc::clone(&random), metrics.password_hashes())?;
        let inner = Inner {
            store,
            clock,
            random,
            mailer,
            hasher,
            throttle: Throttle::default(),
            exports: Arc::default(),
            to_fold: AtomicBool::new(true),
            settings,
            limiter,
            metrics,
            description,
            requests,
            recent_calls: RecentCalls::default(),
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// What the operator decided.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.inner.settings
    }

    /// The cookies of the pages.
    pub(crate) fn cookies(&self) -> Cookies {
        Cookies::at(&self.settings().base_url)
    }

    /// What is counted.
    #[must_use]
    pub fn metrics(&self) -> &Metrics {
        &self.inner.metrics
    }

    /// The description of the API as JSON, made when it is first asked for.
    pub(crate) fn description(&self) -> Bytes {
        let make = || {
            let document = openapi::document(&self.settings().base_url, &api::operations());
            Bytes::from(document.to_string())
        };
        self.inner.description.get_or_init(make).clone()
    }

    pub(crate) fn now(&self) -> Timestamp {
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

    /// What second factors are sealed with, if there is anything.
    #[must_use]
    pub fn seal_key(&self) -> Option<&SealKey> {
        self.settings().seal_key.as_ref()
    }

    /// Slows down those who guess.
    #[must_use]
    pub fn throttle(&self) -> &Throttle {
        &self.inner.throttle
    }

    /// Room for exports.
    pub(crate) fn exports(&self) -> &Arc<Exports> {
        &self.inner.exports
    }

    /// What sends mails.
    #[must_use]
    pub fn mailer(&self) -> &Mailer {
        &self.inner.mailer
    }

    /// Sends a mail, in the background. That it could not be sent stands in the log.
    pub fn mail(&self, to: &str, language: Language, mail: &Mail) {
        self.mailer().send(self.now(), &*self.inner.random, to, language, mail);
    }

    /// Removes what nobody needs any more (ended sessions, links and tokens, rows of closed accounts), a few at a time so that others get their
    /// turn in between.
    ///
    /// # Errors
    /// The storage failed; what is left goes the next time.
    pub async fn sweep(&self) -> Result<(), Error> {
        const ROWS: i64 = 200;
        loop {
            let now = self.now();
            let people = self.write(move |tx| people::sweep(tx, now, ROWS)).await?;
            let connections = self.write(move |tx| oauth::sweep(tx, now, ROWS)).await?;
            if people + connections > 0 {
                self.inner.to_fold.store(true, Ordering::Relaxed);
            }
            if people < ROWS && connections < ROWS {
                return self.fold().await;
            }
        }
    }

    /// Takes what was swept away out of the database's log; what cannot be done now is done the next time.
    async fn fold(&self) -> Result<(), Error> {
        if self.inner.to_fold.load(Ordering::Relaxed) {
            let app = self.clone();
            let folded = tokio::task::spawn_blocking(move || app.inner.store.fold()).await;
            let folded = folded.map_err(|trouble| Error::Broken(trouble.to_string()))??;
            self.inner.to_fold.store(!folded, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Sixteen hexadecimal digits that no other request has.
    pub(crate) fn next_request_id(&self) -> String {
        // An odd factor maps different numbers to different numbers, and neighbours far apart.
        let number = self.inner.requests.fetch_add(1, Ordering::Relaxed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        format!("{number:016x}")
    }

    pub(crate) fn limiter(&self) -> Option<&Limiter> {
        self.inner.limiter.as_ref()
    }

    /// Runs a command in one durable transaction.
    pub(crate) async fn write<T, F>(&self, command: F) -> Result<T, Error>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
        T: Send + 'static,
    {
        self.inner.store.write(command).await
    }

    /// Runs a command in one durable transaction, which writes into the books of one account only.
    pub(crate) async fn write_for<T, F>(&self, account: i64, command: F) -> Result<T, Error>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
        T: Send + 'static,
    {
        self.inner.store.write_for(account, command).await
    }

    /// Runs a question on one picture of the books.
    pub(crate) async fn read<T, F>(&self, question: F) -> Result<T, Error>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
        T: Send + 'static,
    {
        self.inner.store.read(question).await
    }

    /// Runs a question on one picture of the books, on this thread or while it waits.
    pub(crate) fn read_blocking<T, F>(&self, question: F) -> Result<T, Error>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
        T: Send + 'static,
    {
        self.inner.store.read_blocking(question)
    }

    /// One picture of the books, if the engine gives them away.
    pub(crate) fn snapshot(&self) -> Result<Option<Snapshot>, Error> {
        Ok(self.inner.store.snapshot()?)
    }

    /// Runs a question of a single query.
    pub(crate) async fn look_up<T, F>(&self, question: F) -> Result<T, Error>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
        T: Send + 'static,
    {
        self.inner.store.look_up(question).await
    }

    pub(crate) fn recent_calls(&self) -> &RecentCalls {
        &self.inner.recent_calls
    }

    /// Writes down the last calls, and when keys and connections were last used. Called every now and then, so that a call does not
    /// cost a write.
    ///
    /// # Errors
    /// The storage failed; what could not be written down is kept for the next time.
    pub async fn save_calls(&self) -> Result<(), Error> {
        self.save(None).await
    }

    /// Writes down one account's last calls, for its owner to see them. A failure is no reason to show nothing.
    pub(crate) async fn save_calls_of(&self, account: i64) {
        let app = self.clone();
        // By itself, so that a person who leaves does not take the calls along.
        let saved = tokio::spawn(async move { app.save(Some(account)).await });
        if let Ok(Err(error)) = saved.await {
            warn!(%error, "the last calls were not written down");
        }
    }

    async fn save(&self, account: Option<i64>) -> Result<(), Error> {
        let recent = self.recent_calls();
        let _saving = recent.saving.lock().await;
        let mut saved = Ok(());
        for batch in recent.take(account) {
            let (uses, calls) = (batch.uses(), batch.calls());
            let written = self.write(move |tx| service::access::note_calls(tx, &uses, &calls)).await;
            if written.is_err() {
                recent.put_back(&batch);
                saved = written;
            }
        }
        saved
    }

    /// Forgets what the rate limiter no longer needs to know.
    pub fn tidy(&self) {
        if let Some(limiter) = self.limiter() {
            limiter.tidy();
        }
    }
}
