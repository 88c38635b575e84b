//! Connection settings, and opening connections.

use crate::{
    StoreError,
    engine::{Purpose, migrations, status::Counted},
    error::chain,
};
use std::{
    sync::{
        Arc, Mutex, TryLockError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};
use tokio::{task::JoinHandle, time::timeout};
use tokio_postgres::{
    Client, Config,
    config::{Host, LoadBalanceHosts, SslMode},
};
use tokio_postgres_rustls::MakeRustlsConnect;
use tracing::{info, warn};

/// Timeout for connecting to a server.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// Extra time for authentication once the connection has been accepted, needed because a hanging
/// server still accepts connections.
const ADMISSION: Duration = Duration::from_secs(5);
/// Maximum time for which sent data may stay unacknowledged, or keepalives unanswered. A host that
/// has lost power does not close its connections. Without this limit, clients would keep waiting
/// for that host instead of connecting to its successor.
const SILENCE: Duration = Duration::from_secs(6);
/// Interval between keepalives on an idle connection.
const SIGN_OF_LIFE: Duration = Duration::from_secs(2);
/// Settings for a new connection. The lock timeout is shorter than the time limit for queries, so
/// that a statement that only waits for a lock fails because of the lock, not because it took too
/// long.
const SETTINGS: &str = "SET statement_timeout = 0; SET lock_timeout = '8s'; SET idle_in_transaction_session_timeout = '60s'";

/// Connection settings and shared connection state.
#[derive(Clone)]
pub(crate) struct Target {
    /// One configuration per host, as each has its own timeout.
    hosts: Vec<Config>,
    tls: Option<MakeRustlsConnect>,
    /// Whether each connection takes the lock that marks the database as being served.
    serves: bool,
    /// Whether the last connection attempt failed, or a query was left unanswered.
    away: Arc<AtomicBool>,
    /// Number of queries left unanswered. Connections that were opened before the latest such query
    /// are no longer trusted.
    silences: Arc<AtomicU64>,
    /// Whether the last write failed because the server's disk is full.
    pub(super) reads_only: Arc<AtomicBool>,
    /// Lock held by the caller that checks whether an unavailable server is back.
    trying: Arc<Mutex<()>>,
    /// Number of open connections.
    pub(super) open: Counted,
    /// Number of connections in use.
    pub(super) busy: Counted,
}

impl Target {
    /// Parses a connection string.
    pub(crate) fn parse(url: &str, purpose: Purpose) -> Result<Self, StoreError> {
        let mut config: Config = url.parse().map_err(|error: tokio_postgres::Error| {
            let reported = chain(&error);
            // The parser rejects the values of `sslmode` that only libpq supports, without naming
            // the values that it does support.
            let allowed = if reported.contains("sslmode") {
                "; sslmode is one of disable, prefer, require"
            } else {
                ""
            };
            StoreError::Open(format!("{reported}{allowed}"))
        })?;
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(SILENCE);
        }
        // With the default of two hours, keepalives would have no practical effect.
        if config.get_keepalives_idle() == Config::new().get_keepalives_idle() {
            config.keepalives_idle(SIGN_OF_LIFE).keepalives_interval(SIGN_OF_LIFE);
        }
        if config.get_application_name().is_none() {
            config.application_name("grootboek");
        }
        let tls = match (config.get_ssl_mode(), MakeRustlsConnect::with_native_certs()) {
            (SslMode::Disable, _) => None,
            (_, Ok((tls, _unreadable))) => Some(tls),
            // Without the system's certificates no server can be trusted. The mode `prefer` then
            // continues without TLS, as it does in libpq.
            (SslMode::Prefer, Err(_)) => None,
            (_, Err(errors)) => {
                return Err(StoreError::Open(format!("no certificates to trust: {errors:?}")));
            }
        };
        Ok(Self {
            hosts: each_host(config),
            tls,
            serves: purpose == Purpose::Serve,
            away: Arc::default(),
            silences: Arc::default(),
            reads_only: Arc::default(),
            trying: Arc::default(),
            open: Counted::default(),
            busy: Counted::default(),
        })
    }

    /// Whether the last connection attempt failed, or a query was left unanswered. The failure
    /// itself was logged when it occurred.
    pub(super) fn is_away(&self) -> bool {
        self.away.load(Ordering::Relaxed)
    }

    /// Records that the server left a query unanswered.
    pub(super) fn is_silent(&self, trouble: &StoreError) {
        self.silences.fetch_add(1, Ordering::Relaxed);
        if !self.away.swap(true, Ordering::Relaxed) {
            warn!(%trouble, "PostgreSQL does not answer");
        }
    }

    /// Number of queries left unanswered.
    pub(super) fn silences(&self) -> u64 {
        self.silences.load(Ordering::Relaxed)
    }

    /// Opens a connection for a command with this time limit, in the runtime that drives the
    /// connection. An outage and its end are logged once. During an outage, one caller at a time
    /// tries to connect; the others fail at once.
    pub(crate) async fn connect(
        &self,
        limit: Option<Duration>,
    ) -> Result<(Client, Driver), StoreError> {
        let _trying = match self.trying.try_lock() {
            Ok(trying) if self.is_away() => Some(trying),
            Err(TryLockError::WouldBlock) if self.is_away() && limit.is_some() => {
                return Err(StoreError::Unavailable("PostgreSQL cannot be reached".into()));
            }
            _ => None,
        };
        let connected = self.try_hosts(limit).await;
        match &connected {
            Err(trouble) if !self.away.swap(true, Ordering::Relaxed) => {
                warn!(%trouble, "PostgreSQL cannot be reached")
            }
            Ok(_) if self.away.swap(false, Ordering::Relaxed) => {
                info!("PostgreSQL is reachable again")
            }
            _ => {}
        }
        connected
    }

    async fn try_hosts(&self, limit: Option<Duration>) -> Result<(Client, Driver), StoreError> {
        let mut trouble = StoreError::Unavailable("the address names no host".into());
        for config in &self.hosts {
            let within =
                config.get_connect_timeout().copied().unwrap_or(CONNECT_TIMEOUT) + ADMISSION;
            let connected = match timeout(within, self.open_connection(config)).await {
                Ok(Ok(connected)) => connected,
                Ok(Err(why)) => {
                    trouble = why;
                    continue;
                }
                Err(_) => {
                    trouble = silent();
                    continue;
                }
            };
            let prepared = self.prepare(&connected.0);
            // At startup and on the command line there is no time limit, so that the program can
            // wait while another process migrates the schema.
            match limit {
                Some(limit) => timeout(limit, prepared).await.map_err(|_| silent())??,
                None => prepared.await?,
            }
            info!("connected to PostgreSQL");
            return Ok(connected);
        }
        Err(trouble)
    }

    async fn open_connection(&self, config: &Config) -> Result<(Client, Driver), StoreError> {
        Ok(match &self.tls {
            None => {
                let (client, connection) = config.connect(tokio_postgres::NoTls).await?;
                (client, Driver(tokio::spawn(connection)))
            }
            Some(tls) => {
                let connected = config.connect(tls.clone()).await;
                let (client, connection) =
                    connected.map_err(|error| untrusted(StoreError::from(error)))?;
                (client, Driver(tokio::spawn(connection)))
            }
        })
    }

    async fn prepare(&self, client: &Client) -> Result<(), StoreError> {
        if self.serves {
            client
                .execute("SELECT pg_advisory_lock_shared($1)", &[&migrations::POSTGRES_SERVING])
                .await?;
        }
        Ok(client.batch_execute(SETTINGS).await?)
    }
}

/// Task that drives a connection. Dropping it closes the connection, even if an answer is
/// outstanding.
pub(crate) struct Driver(JoinHandle<Result<(), tokio_postgres::Error>>);

impl Drop for Driver {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Error for a server that has accepted a request but does not answer it.
pub(super) fn silent() -> StoreError {
    StoreError::Unavailable("PostgreSQL does not answer".into())
}

/// Splits the configuration into one per host, in order; hosts that are load-balanced stay
/// together.
fn each_host(config: Config) -> Vec<Config> {
    let count = config.get_hosts().len().max(config.get_hostaddrs().len());
    if count < 2 || config.get_load_balance_hosts() == LoadBalanceHosts::Random {
        return vec![config];
    }
    (0..count).map(|place| only_host(&config, place)).collect()
}

fn only_host(all: &Config, place: usize) -> Config {
    let mut one = Config::new();
    match all.get_hosts().get(place) {
        Some(Host::Tcp(host)) => drop(one.host(host)),
        #[cfg(unix)]
        Some(Host::Unix(folder)) => drop(one.host_path(folder)),
        None => {}
    }
    if let Some(address) = all.get_hostaddrs().get(place) {
        one.hostaddr(*address);
    }
    if let Some(port) = all.get_ports().get(place).or_else(|| all.get_ports().first()) {
        one.port(*port);
    }
    one.ssl_mode(all.get_ssl_mode())
        .ssl_negotiation(all.get_ssl_negotiation())
        .channel_binding(all.get_channel_binding());
    one.target_session_attrs(all.get_target_session_attrs());
    one.keepalives(all.get_keepalives()).keepalives_idle(all.get_keepalives_idle());
    macro_rules! copy_if_given {
        ($($get:ident => $set:ident),*) => {
            $(if let Some(value) = all.$get() {
                one.$set(value.to_owned());
            })*
        };
    }
    copy_if_given!(
        get_user => user, get_password => password, get_dbname => dbname, get_options => options,
        get_application_name => application_name, get_connect_timeout => connect_timeout,
        get_tcp_user_timeout => tcp_user_timeout, get_keepalives_interval => keepalives_interval,
        get_keepalives_retries => keepalives_retries
    );
    one
}

/// Adds advice to an error about an untrusted certificate.
fn untrusted(error: StoreError) -> StoreError {
    match error {
        StoreError::Unavailable(why) if why.contains("certificate") => {
            StoreError::Unavailable(format!(
                "{why}; name a file with the certificate of an authority to trust in SSL_CERT_FILE, or, on this machine, add sslmode=disable \
             to the address"
            ))
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silent_host_is_given_up_unless_the_address_sets_other_timeouts() {
        let config = |parameters: &str| {
            let url = format!("postgres://me@127.0.0.1/books?sslmode=disable{parameters}");
            Target::parse(&url, Purpose::Serve).unwrap().hosts.remove(0)
        };
        let defaults = config("");
        assert_eq!(defaults.get_tcp_user_timeout(), Some(&SILENCE));
        assert_eq!(
            (defaults.get_keepalives_idle(), defaults.get_keepalives_interval()),
            (SIGN_OF_LIFE, Some(SIGN_OF_LIFE))
        );
        let custom = config("&tcp_user_timeout=20&keepalives_idle=30");
        assert_eq!(custom.get_tcp_user_timeout(), Some(&Duration::from_secs(20)));
        assert_eq!(
            (custom.get_keepalives_idle(), custom.get_keepalives_interval()),
            (Duration::from_secs(30), None)
        );
    }

    #[test]
    fn each_host_keeps_all_settings_of_the_address() {
        let parse = |hosts: &str, more: &str| {
            let settings = "user=u password=p dbname=d options=o application_name=n sslmode=disable connect_timeout=1 tcp_user_timeout=2 \
                         keepalives=0 keepalives_idle=3 keepalives_interval=4 keepalives_retries=5 target_session_attrs=read-write \
                         channel_binding=disable";
            format!("{hosts} {settings} {more}").parse::<Config>().unwrap()
        };
        let several = parse("host=a,b hostaddr=10.0.0.1,10.0.0.2 port=1,2", "");
        assert_eq!(
            each_host(several),
            [
                parse("host=a hostaddr=10.0.0.1 port=1", ""),
                parse("host=b hostaddr=10.0.0.2 port=2", "")
            ]
        );
        let of_one_port = parse("host=a,/run/b port=7", "");
        assert_eq!(
            each_host(of_one_port),
            [parse("host=a port=7", ""), parse("host=/run/b port=7", "")]
        );
        let any_first = parse("host=a,b", "load_balance_hosts=random");
        assert_eq!(each_host(any_first.clone()), [any_first]);
    }
}
