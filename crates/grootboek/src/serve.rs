//! `serve`: the server, from opening the books to the last response.

use crate::{
    cli::{Migrations, ServeOptions, Switch},
    database, migrate,
    private::{Private, mail_from},
    telemetry, variables,
};
use anyhow::{Context, bail};
use axum::{
    Router,
    http::{HeaderMap, header},
    routing::get,
};
use jiff::SignedDuration;
use mail::{MailError, Mailer};
use sd_notify::NotifyState;
use service::{
    access::webhook_targets::WebhookTargets,
    environment::{Clock, System},
    people::EncryptionKey,
};
use std::{
    future::Future,
    io::{self, IsTerminal},
    net::SocketAddr,
    num::NonZeroU32,
    sync::Arc,
    time::{Duration, Instant},
};
use store::{AppendOnly, DatabaseUrl, Store};
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
    sync::Notify,
};
use tracing::{info, warn};
use web::{AppState, Build, Config, RateLimit, WebhookSender, server::Places};

/// Default number of idle read connections on SQLite.
const SQLITE_READERS: usize = 8;
/// Default number of connections to PostgreSQL.
const POSTGRES_CONNECTIONS: usize = 16;
/// Number of files that are open besides the client connections, such as the database and the log.
const OTHER_FILES: u64 = 64;
/// Interval at which the latest API calls are stored and unneeded rate-limit counters are removed.
const TIDY: Duration = Duration::from_secs(30);
/// Time limit for sending due emails at shutdown.
const LAST_MAILS: Duration = Duration::from_secs(5);
/// Interval at which the clock is checked; `CLOCK_SLACK` is the tolerated deviation from elapsed
/// time.
const LOOK_AT_CLOCK: Duration = Duration::from_secs(1);
const CLOCK_SLACK: SignedDuration = SignedDuration::from_mins(1);
/// Interval at which expired rows, and rows of closed accounts, are removed.
const SWEEP: Duration = Duration::from_secs(60);

pub(crate) fn run(given: Option<DatabaseUrl>, options: &ServeOptions) -> anyhow::Result<()> {
    check(options)?;
    let _logging = telemetry::start()?;
    for warning in variables::unknown() {
        warn!("{warning}");
    }
    let url = database::choose(given)?;
    if options.migrate == Migrations::Never {
        migrate::ensure_nothing_is_due(&url)?;
    }
    Private::check(&url, options)?;
    let store = open(&url, options.connections)?;
    info!(database = %url, version = crate::version::text(), "the books are open");
    report_append_only(&store)?;
    let private = Private::open(&url, options, &store)?;
    serve(store, options, private, |address, base_url| {
        // The server runs even if nobody reads this output.
        let _ =
            say!("grootboek keeps the books in {url}\nlistening on http://{address} as {base_url}");
        Ok(())
    })
}

/// Logs the mechanism that protects the journal from changes.
fn report_append_only(store: &Store) -> anyhow::Result<()> {
    match store.append_only()? {
        AppendOnly::Triggers => info!("the journal is append-only: triggers refuse every change"),
        AppendOnly::Rights(role) => {
            info!(%role, "the journal is append-only: the role has no right to change it")
        }
        AppendOnly::Nothing(role) => warn!(
            %role,
            "the journal is not protected from changes: it has no triggers, and the role may change it; serve with the role that was given to \
             `grootboek distribute`"
        ),
    }
    Ok(())
}

/// Checks everything that can be checked before a file is opened or created. This includes the
/// port, so that a second server started by mistake does not migrate the tables of a running one.
pub(crate) fn check(options: &ServeOptions) -> anyhow::Result<()> {
    let base_url = base_url(options, options.listen)?;
    Mailer::check(options.mail.smtp.as_deref(), &mail_from(&options.mail, &base_url))
        .map_err(of_mails)?;
    for (address, option) in
        [(Some(options.listen), "--listen"), (options.metrics_listen, "--metrics-listen")]
    {
        if let Some(address) = address {
            std::net::TcpListener::bind(address).with_context(|| cannot_listen(address, option))?;
        }
    }
    Ok(())
}

/// Error about the email configuration that names the option to correct.
pub(crate) fn of_mails(error: MailError) -> anyhow::Error {
    let option = match error {
        MailError::From => "--mail-from",
        MailError::To => "--to",
        MailError::Smtp(_) => "--smtp",
        MailError::Folder(_) => "--mail-folder",
    };
    anyhow::anyhow!("{option}: {}", web::english::mail(&error))
}

pub(crate) fn open(url: &DatabaseUrl, connections: Option<usize>) -> anyhow::Result<Store> {
    let default = match url {
        DatabaseUrl::Sqlite(_) => SQLITE_READERS,
        DatabaseUrl::Postgres(_) => POSTGRES_CONNECTIONS,
    };
    database::explained(Store::open_to_serve(url, connections.unwrap_or(default)))
}

/// Serves until SIGTERM or SIGINT; calls `ready` once the server listens.
pub(crate) fn serve(
    store: Store,
    options: &ServeOptions,
    private: Private,
    ready: impl FnOnce(SocketAddr, &str) -> io::Result<()>,
) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        let listener = bind(options.listen, "--listen").await?;
        let address = listener.local_addr()?;
        let base_url = base_url(options, address)?;
        let mailer =
            Mailer::new(&private.delivery, &mail_from(&options.mail, &base_url), &base_url)
                .map_err(of_mails)?;
        let settings = settings(options, base_url.clone(), private.encryption_key);
        let app = AppState::new(store, Box::new(System), Arc::new(System), mailer, settings)?;
        let stop = stop_signal()?;
        if let Some(address) = options.metrics_listen {
            let listener = bind(address, "--metrics-listen").await?;
            info!(address = %listener.local_addr()?, "metrics are served");
            tokio::spawn(serve_metrics(listener, app.clone()));
        }
        tokio::spawn(tidy(app.clone()));
        tokio::spawn(sweep(app.clone()));
        tokio::spawn(watch_clock());
        tokio::spawn(app.clone().run_outbox());
        tokio::spawn(app.clone().run_bank_rules());
        tokio::spawn(app.clone().run_due_work());
        tokio::spawn(web::run_webhooks(app.clone()));
        ready(address, &base_url)?;
        report_to_manager(&[NotifyState::Ready]);
        info!(%address, %base_url, "listening");
        let places = Places::new(places_for(options.max_clients), &options.trusted_proxies);
        let waiting = app.clone();
        let stop = async move {
            stop.await;
            waiting.stop_waiting();
        };
        web::server::serve(listener, web::router(&app), places, stop).await;
        if let Err(error) = app.save_calls().await {
            warn!(%error, "the last API calls were not stored");
        }
        // Due emails get one more attempt; all others remain queued until the next start.
        let _ = tokio::time::timeout(LAST_MAILS, app.deliver_mails()).await;
        info!("stopped");
        anyhow::Ok(())
    });
    // Background tasks keep the books open; they end with the runtime, and then the books are
    // closed.
    runtime.shutdown_timeout(Duration::from_secs(1));
    served
}

async fn bind(address: SocketAddr, option: &str) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).await.with_context(|| cannot_listen(address, option))
}

fn cannot_listen(address: SocketAddr, option: &str) -> String {
    format!(
        "cannot listen on {address}: another program may use the port; choose another with {option}, or port 0 for a free one"
    )
}

/// Raises the limit of open files and returns the possible number of clients: each needs a file
/// descriptor, and the books need some too.
fn places_for(clients: usize) -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let required = clients as u64 + OTHER_FILES;
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_some_and(|current| current < required) {
        let current = Some(limit.maximum.map_or(required, |maximum| maximum.min(required)));
        // If that fails, the old limit remains and applies.
        let _ = setrlimit(Resource::Nofile, Rlimit { current, maximum: limit.maximum });
    }
    let available = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    if available >= required {
        return clients;
    }
    let places = usize::try_from(available.saturating_sub(OTHER_FILES)).unwrap_or(clients).max(1);
    warn!(
        max_clients = clients,
        open_files = available,
        places,
        "the system allows fewer open files than --max-clients needs"
    );
    places
}

fn settings(
    options: &ServeOptions,
    base_url: String,
    encryption_key: Option<EncryptionKey>,
) -> Config {
    let rate_limit = NonZeroU32::new(options.rate_limit).map(|per_minute| RateLimit {
        per_minute,
        burst: NonZeroU32::new(options.rate_burst).unwrap_or(NonZeroU32::MIN),
    });
    // Without a general rate limit, open data has no limit either, so that a benchmark can
    // cover the whole server.
    let open_data = if options.rate_limit == 0 { 0 } else { options.open_data_rate_limit };
    let open_data_rate_limit =
        NonZeroU32::new(open_data).map(|limit| RateLimit { per_minute: limit, burst: limit });
    let sign_up_plan = (options.sign_up == Switch::On).then_some(options.sign_up_plan.into());
    let trusted_proxies = options.trusted_proxies.clone();
    Config {
        base_url,
        api_min_plan: options.api_min_plan.into(),
        rate_limit,
        shared_limits: options.shared_limits,
        open_data_rate_limit,
        trusted_proxies,
        sign_up_plan,
        encryption_key,
        webhooks: WebhookSender::new(WebhookTargets {
            allow_private: options.webhook_allow_private,
        }),
        build: Build { version: env!("CARGO_PKG_VERSION"), commit: crate::version::COMMIT },
    }
}

/// Origin of the links. It must use https, or be local, unless the options allow http.
fn base_url(options: &ServeOptions, address: SocketAddr) -> anyhow::Result<String> {
    let origin = match &options.base_url {
        Some(url) => url.trim_end_matches('/').to_owned(),
        None if address.ip().is_loopback() => format!("http://{address}"),
        None => bail!(
            "listening on {address} needs --base-url: the origin that people and programs will use, such as https://books.example.com"
        ),
    };
    let Some((scheme, rest)) = origin.split_once("://") else {
        bail!("--base-url {origin} has no scheme: write https://{origin}");
    };
    let sound = matches!(scheme, "http" | "https")
        && !rest.is_empty()
        && !rest.contains(['/', '?', '#', '@', ' ']);
    if !sound {
        bail!("--base-url must be an origin without a path, such as https://books.example.com");
    }
    let host = rest
        .strip_prefix('[')
        .and_then(|v6| v6.split(']').next())
        .unwrap_or_else(|| rest.split(':').next().unwrap_or(rest));
    let local =
        host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback());
    if scheme == "http" && !local && !options.allow_http {
        bail!(
            "--base-url {origin} is not encrypted: keys would be sent in the clear. Use https:, or add --allow-http if that is intended"
        );
    }
    Ok(origin)
}

/// Returns a future that completes once a signal stops the server: SIGTERM, SIGINT or, if standard
/// input is a terminal, SIGHUP, which a terminal sends when it is closed. Otherwise, SIGHUP,
/// SIGUSR1 and SIGUSR2 are requests to reload the configuration or to reopen a log. The server
/// supports neither, and ignores these signals with a warning.
fn stop_signal() -> anyhow::Result<impl Future<Output = ()>> {
    let stop = Arc::new(Notify::new());
    for (name, kind, stops) in [
        ("SIGTERM", SignalKind::terminate(), true),
        ("SIGINT", SignalKind::interrupt(), true),
        ("SIGHUP", SignalKind::hangup(), io::stdin().is_terminal()),
        ("SIGUSR1", SignalKind::user_defined1(), false),
        ("SIGUSR2", SignalKind::user_defined2(), false),
    ] {
        let (mut received, stop) = (signal(kind)?, Arc::clone(&stop));
        tokio::spawn(async move {
            while received.recv().await.is_some() {
                if stops {
                    stop.notify_one();
                } else {
                    warn!(
                        signal = name,
                        "the signal is ignored; restart the server to change its configuration"
                    );
                }
            }
        });
    }
    Ok(async move {
        stop.notified().await;
        info!("stopping: requests in progress may finish");
        report_to_manager(&[NotifyState::Stopping]);
    })
}

/// Notifies systemd of the server's state, if systemd started it (`Type=notify`).
fn report_to_manager(state: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(state) {
        warn!(%error, "systemd was not notified");
    }
}

async fn serve_metrics(listener: TcpListener, app: AppState) {
    let page = move |headers: HeaderMap| {
        let app = app.clone();
        async move {
            web::observe(&app).await;
            let accept = headers
                .get(header::ACCEPT)
                .and_then(|value| value.to_str().ok())
                .unwrap_or_default();
            let (kind, text) = app.metrics().render(accept);
            ([(header::CONTENT_TYPE, kind)], text)
        }
    };
    let router = Router::new().route("/metrics", get(page));
    if let Err(error) = axum::serve(listener, router).await {
        warn!(%error, "metrics are no longer served");
    }
}

async fn tidy(app: AppState) {
    let mut every = tokio::time::interval(TIDY);
    loop {
        every.tick().await;
        app.tidy();
        if let Err(error) = app.save_calls().await {
            warn!(%error, "the last API calls were not stored");
        }
    }
}

/// Logs jumps of the system clock, on which sessions, leases and emails depend.
async fn watch_clock() {
    let mut every = tokio::time::interval(LOOK_AT_CLOCK);
    let (mut looked, mut before) = (Instant::now(), System.now());
    loop {
        every.tick().await;
        let (now, current) = (Instant::now(), System.now());
        let passed = SignedDuration::try_from(now - looked).unwrap_or(SignedDuration::MAX);
        let jump = current.duration_since(before).saturating_sub(passed);
        if jump.abs() > CLOCK_SLACK {
            warn!(seconds = jump.as_secs(), "the system clock jumped: check that it is correct");
        }
        (looked, before) = (now, current);
    }
}

/// Removes expired rows, and rows of closed accounts, in the background.
async fn sweep(app: AppState) {
    let mut every = tokio::time::interval(SWEEP);
    loop {
        every.tick().await;
        if let Err(error) = app.sweep().await {
            warn!(%error, "expired rows were not removed");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        options: ServeOptions,
    }

    fn base(arguments: &[&str], address: &str) -> anyhow::Result<String> {
        let line = Line::try_parse_from([&["serve"], arguments].concat())?;
        base_url(&line.options, address.parse()?)
    }

    #[test]
    fn the_base_url_is_an_encrypted_or_local_origin() {
        assert_eq!(base(&[], "127.0.0.1:8080").unwrap(), "http://127.0.0.1:8080");
        assert_eq!(
            base(&["--base-url", "https://b.example/"], "0.0.0.0:80").unwrap(),
            "https://b.example"
        );
        for good in ["http://localhost:1", "http://[::1]:8080", "http://127.0.0.1"] {
            assert_eq!(base(&["--base-url", good], "127.0.0.1:1").unwrap(), good);
        }
        for bad in [
            "b.example",
            "ftp://b.example",
            "https://b.example/path",
            "http://b.example",
            "https://",
            "https://u@b.example",
        ] {
            assert!(base(&["--base-url", bad], "127.0.0.1:1").is_err(), "{bad}");
        }
        assert!(base(&[], "0.0.0.0:8080").is_err());
        assert!(base(&["--allow-http", "--base-url", "http://b.example"], "0.0.0.0:80").is_ok());
    }
}
