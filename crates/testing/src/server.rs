//! A server in the test's process, on a free port, with a clock set by the test.

use crate::{
    Database, Engine,
    mail::{self, SentMail},
};
use ::mail::{Delivery, Mailer};
use jiff::Timestamp;
use ledger::country::CountryCode;
use serde_json::Value;
use service::{
    Context, EmailAddress, Environment, Error, access,
    access::webhook_targets::WebhookTargets,
    accounts::{self, OpenAccount},
    environment::{Clock, System, Visitor as Client},
    people::{EncryptionKey, sign_in},
    test_accounts, verify,
};
use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};
use store::{Store, Tx, accounts::Plan, keys::Scopes, params, people::PersonId};
use tokio::sync::oneshot;
use visitor::{Reply, Visitor};
use web::{AppState, Build, Config, RateLimit, WebhookSender};

/// A clock that stands still until it is set.
#[derive(Clone)]
pub struct TestClock(Arc<AtomicI64>);

impl TestClock {
    /// Sets the clock.
    pub fn set(&self, moment: &str) {
        let moment: Timestamp = moment.parse().unwrap();
        self.0.store(moment.as_microsecond(), Ordering::SeqCst);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_microsecond(self.0.load(Ordering::SeqCst)).unwrap()
    }
}

/// A running server with its own database.
pub struct Server {
    /// Address on which the server listens.
    pub address: SocketAddr,
    /// Clock of the server, initially 2026-03-15 12:00 in Amsterdam.
    pub clock: TestClock,
    /// Another handle on the same database, like the one used by the command line.
    pub store: Store,
    /// Internal state of the server.
    pub app: AppState,
    agent: ureq::Agent,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
    mails: tempfile::TempDir,
    /// Database of the server; dropped last.
    pub database: Database,
}

impl Server {
    /// Starts a server without a rate limit.
    #[must_use]
    pub fn start(engine: Engine) -> Self {
        Self::start_with(engine, None)
    }

    /// Starts a server with a rate limit.
    #[must_use]
    pub fn start_with(engine: Engine, rate_limit: Option<RateLimit>) -> Self {
        Self::start_set(engine, |settings| settings.rate_limit = rate_limit)
    }

    /// Starts a server with a modified configuration.
    #[must_use]
    pub fn start_set(engine: Engine, set: impl FnOnce(&mut Config)) -> Self {
        Self::start_opened(engine, set, |store| store)
    }

    /// Starts a server with this time limit for queries.
    #[must_use]
    pub fn start_with_query_limit(engine: Engine, limit: Duration) -> Self {
        Self::start_opened(engine, |_| (), |store| store.with_query_limit(limit))
    }

    /// Makes every query for a list of projects run forever.
    pub fn make_projects_endless(&self) {
        for sql in [
            "ALTER TABLE projects RENAME TO real_projects",
            "CREATE VIEW projects AS
             WITH RECURSIVE n (x, y) AS (SELECT CAST(1 AS BIGINT), CAST(1 AS BIGINT) UNION ALL SELECT x, 1 - y FROM n)
             SELECT x AS account_id, x AS id, CAST('' AS TEXT) AS name, x AS contact_id, CAST('' AS TEXT) AS status, x AS hourly_rate,
                    x AS hours_logged, x AS created_at, CAST(NULL AS TEXT) AS external_id, x AS budget_hours, x AS hours_invoiced,
                    x AS updated_at FROM n WHERE y < 0",
        ] {
            self.write(move |tx| Ok(tx.execute(sql, &[])?));
        }
    }

    /// Starts another node on the same database, with a separate clock that shows the same time.
    #[must_use]
    pub fn beside(&self) -> Self {
        let settings = Config { base_url: String::new(), ..self.app.config().clone() };
        let clock = TestClock(Arc::new(AtomicI64::new(self.clock.0.load(Ordering::SeqCst))));
        Self::listening(self.database.shared(), clock, settings, |store| store)
    }

    fn start_opened(
        engine: Engine,
        set: impl FnOnce(&mut Config),
        opened: impl FnOnce(Store) -> Store,
    ) -> Self {
        let mut settings = Config {
            base_url: String::new(),
            api_min_plan: Plan::Starter,
            rate_limit: None,
            shared_limits: false,
            open_data_rate_limit: None,
            trusted_proxies: Vec::new(),
            sign_up_plan: Some(Plan::Free),
            encryption_key: Some(EncryptionKey::new([7; 32])),
            webhooks: WebhookSender::new(WebhookTargets { allow_private: true }),
            build: Build { version: "0.0.0", commit: "test" },
        };
        set(&mut settings);
        let clock = TestClock(Arc::new(AtomicI64::new(0)));
        clock.set("2026-03-15T11:00:00Z");
        Self::listening(Database::begun(engine), clock, settings, opened)
    }

    fn listening(
        database: Database,
        clock: TestClock,
        mut settings: Config,
        opened: impl FnOnce(Store) -> Store,
    ) -> Self {
        let (store, serving) = (database.open(), opened(database.open()));
        let (stop, stopped) = oneshot::channel::<()>();
        let (ready, listening) = std::sync::mpsc::channel();
        let its_clock = clock.clone();
        let mails = tempfile::tempdir().unwrap();
        let mail_folder = mails.path().to_owned();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async move {
                let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
                let address = listener.local_addr().unwrap();
                if settings.base_url.is_empty() {
                    settings.base_url = format!("http://{address}");
                }
                let mailer = Mailer::new(
                    &Delivery::Folder(mail_folder),
                    "grootboek <books@example.com>",
                    &settings.base_url,
                )
                .unwrap();
                let app =
                    AppState::new(serving, Box::new(its_clock), Arc::new(System), mailer, settings)
                        .unwrap();
                let waiting = app.clone();
                ready.send((address, app.clone())).unwrap();
                web::server::serve(
                    listener,
                    web::router(&app),
                    web::server::Places::new(1024, &[]),
                    async {
                        let _ = stopped.await;
                        waiting.stop_waiting();
                    },
                )
                .await;
            });
        });
        let agent = visitor::agent(None);
        let (address, app) = listening.recv().expect("the server starts");
        Self {
            address,
            clock,
            store,
            app,
            agent,
            stop: Some(stop),
            thread: Some(thread),
            mails,
            database,
        }
    }

    /// Saves the buffered calls and uses of credentials, as the server does every half minute.
    pub fn save_calls(&self) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(self.app.save_calls()).unwrap();
    }

    /// Name of the session cookie. If the server uses HTTPS, the name has a prefix that prevents
    /// other hosts from setting the cookie.
    #[must_use]
    pub fn session_cookie(&self) -> &'static str {
        if self.app.config().base_url.starts_with("https:") {
            "__Host-session"
        } else {
            "grootboek-session"
        }
    }

    /// Number of passwords hashed or verified so far.
    #[must_use]
    pub fn password_hashes(&self) -> u64 {
        let (_, page) = self.app.metrics().render("");
        let line =
            page.lines().find_map(|line| line.strip_prefix("grootboek_password_hashes_total "));
        line.unwrap().parse().unwrap()
    }

    /// Runs a command on the books, bypassing the API.
    pub fn write<T: Send + 'static>(
        &self,
        command: impl FnMut(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
    ) -> T {
        self.store.write_blocking(command).unwrap()
    }

    /// Opens a Dutch account on the starter plan. Returns an API key that may read and write.
    #[must_use]
    pub fn account(&self, email: &str) -> String {
        self.account_of(email, "NL", Plan::Starter);
        self.key(email, true, true)
    }

    /// Opens an account in this country, on this plan.
    pub fn account_of(&self, email: &str, country: &str, plan: Plan) {
        let country = CountryCode::parse(country).unwrap();
        let open =
            OpenAccount { email: email.into(), name: "Test".into(), country, plan, password: None };
        let env = self.env();
        self.write(move |tx| accounts::open(tx, &env, &open));
    }

    /// Creates an API key.
    #[must_use]
    pub fn key(&self, email: &str, read: bool, write: bool) -> String {
        let (email, env) = (email.to_owned(), self.env());
        self.write(move |tx| {
            let cx = Context::of_owner(&accounts::by_email(tx, &email)?, env.clone());
            Ok(access::create_key(
                tx,
                &cx,
                &access::CreateKey::new("test", Scopes { read, write, file: false }).unwrap(),
            )?
            .secret)
        })
    }

    /// Creates a key for the test account of a live account, and opens the test account if it does
    /// not exist yet.
    #[must_use]
    pub fn test_key(&self, email: &str) -> String {
        let (email, env) = (email.to_owned(), self.env());
        self.write(move |tx| {
            let live = accounts::by_email(tx, &email)?.id;
            let cx = Context::of_owner(&test_accounts::open(tx, &env, live)?, env.clone());
            let scopes = Scopes { read: true, write: true, file: true };
            Ok(access::create_key(tx, &cx, &access::CreateKey::new("test", scopes).unwrap())?
                .secret)
        })
    }

    /// Returns the environment in which a command runs, with the server's current time.
    #[must_use]
    pub fn env(&self) -> Environment {
        Environment::at(self.clock.now())
    }

    /// Returns the context in which an account's owner acts, with the current time.
    #[must_use]
    pub fn owner(&self, email: &str) -> Context {
        let (email, env) = (email.to_owned(), self.env());
        self.write(move |tx| Ok(Context::of_owner(&accounts::by_email(tx, &email)?, env.clone())))
    }

    /// Returns the person with this email address.
    #[must_use]
    pub fn person(&self, email: &str) -> PersonId {
        let email = email.to_owned();
        self.write(move |tx| Ok(accounts::by_email(tx, &email)?.owner.id))
    }

    /// Returns all discrepancies in an account's books.
    #[must_use]
    pub fn discrepancies(&self, email: &str) -> Vec<String> {
        let cx = self.owner(email);
        self.store
            .read_blocking(move |tx| verify::verify_books(tx, &cx, &|_| {}))
            .unwrap()
            .discrepancies
    }

    /// Returns the export of an account, as its owner downloads it.
    #[must_use]
    pub fn export(&self, account: i64) -> Value {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let bytes = runtime.block_on(async {
            let body = self.app.export(account).unwrap();
            axum::body::to_bytes(body, usize::MAX).await.unwrap()
        });
        serde_json::from_slice(&bytes).unwrap()
    }

    /// Delivers the emails that are due, as the server does continuously.
    pub fn deliver_mails(&self) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(self.app.deliver_mails()).unwrap();
    }

    /// Applies the automatic rules for bank lines.
    pub fn apply_bank_rules(&self) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(self.app.apply_bank_rules()).unwrap();
    }

    /// Does the work that is due by itself, as the server does continuously.
    pub fn do_due_work(&self) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(self.app.do_due_work()).unwrap();
    }

    /// Delivers the webhooks that are due, as the server does continuously.
    pub fn deliver_webhooks(&self) {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(web::deliver_webhooks(&self.app)).unwrap();
    }

    /// Makes the folder for emails available or unavailable.
    pub fn mails_are_taken(&self, taken: bool) {
        let away = self.mails.path().with_extension("away");
        let (from, to) = if taken {
            (away.as_path(), self.mails.path())
        } else {
            (self.mails.path(), away.as_path())
        };
        std::fs::rename(from, to).unwrap();
    }

    /// Delivers the emails that are due, and returns those sent to an address, oldest first.
    #[must_use]
    pub fn mails(&self, address: &str) -> Vec<SentMail> {
        self.deliver_mails();
        mail::sent_to(self.mails.path(), address)
    }

    /// Sends a request.
    #[must_use]
    pub fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&[u8]>,
    ) -> Reply {
        visitor::send(&self.agent, &format!("http://{}", self.address), method, path, headers, body)
    }

    /// Returns a client without cookies.
    #[must_use]
    pub fn visitor(&self) -> Visitor {
        Visitor::with(&self.agent, &format!("http://{}", self.address))
    }

    /// Returns a client signed in as an account's owner. Bypasses the password, because verifying
    /// one is slow.
    #[must_use]
    pub fn signed_in(&self, email: &str) -> Visitor {
        let (email, now) = (email.to_owned(), self.clock.now());
        let token = self.write(move |tx| {
            // Only a person with a password hash can sign in.
            let password = "UPDATE people SET password_hash = COALESCE(password_hash, 'not a hash') WHERE email = ?1";
            tx.execute(password, &params![&email])?;
            let credentials = sign_in::find(tx, &EmailAddress::parse(&email).unwrap())?.unwrap();
            Ok(sign_in::begin(tx, &Environment::at(now).from_client(Client::new("127.0.0.1", "test")), &credentials)?.0)
        });
        let visitor = self.visitor();
        visitor.set_cookie(self.session_cookie(), token.as_str());
        visitor
    }

    /// Sends a GET with an API key.
    #[must_use]
    pub fn get(&self, key: &str, path: &str) -> Reply {
        self.send("GET", path, &[("x-api-key", key)], None)
    }

    /// Sends a POST with JSON and an API key.
    #[must_use]
    pub fn post(&self, key: &str, path: &str, body: &Value) -> Reply {
        self.post_text(key, path, &body.to_string())
    }

    /// Sends a POST with a JSON text, which may be invalid, and an API key.
    #[must_use]
    pub fn post_text(&self, key: &str, path: &str, body: &str) -> Reply {
        self.send(
            "POST",
            path,
            &[("x-api-key", key), ("content-type", "application/json")],
            Some(body.as_bytes()),
        )
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
