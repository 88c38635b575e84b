//! Where to connect, and how.

use crate::{
    StoreError,
    engine::{Purpose, migrations, status::Counted},
    error::chain,
};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tokio_postgres::{Client, Config, config::SslMode};
use tokio_postgres_rustls::MakeRustlsConnect;
use tracing::{info, warn};

/// How long to wait for a server that does not answer.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// How long a server's machine may leave what we sent without a receipt, or a quiet connection without a sign of life: one that lost its
/// power says nothing, and whoever waits for it would not find the one that took over.
const SILENCE: Duration = Duration::from_secs(6);
/// How often a quiet connection is asked for a sign of life.
const SIGN_OF_LIFE: Duration = Duration::from_secs(2);
/// Waiting for another's lock ends before a query has taken too long: the one who waits is not the trouble.
const SETTINGS: &str = "SET statement_timeout = 0; SET lock_timeout = '8s'; SET idle_in_transaction_session_timeout = '60s'";

/// Where to connect, and how.
#[derive(Clone)]
pub(crate) struct Target {
    config: Config,
    tls: Option<MakeRustlsConnect>,
    /// Whether each connection tells that a server is at work.
    serves: bool,
    /// Whether the last try to connect failed.
    away: Arc<AtomicBool>,
    /// Connections that are there.
    pub(super) open: Counted,
    /// Connections that are at work.
    pub(super) busy: Counted,
}

impl Target {
    /// Reads a connection string.
    pub(crate) fn parse(url: &str, purpose: Purpose) -> Result<Self, StoreError> {
        let mut config: Config = url.parse().map_err(|error: tokio_postgres::Error| {
            let reported = chain(&error);
            // What this parameter holds in libpq's words is refused without a word on what would be taken.
            let allowed = if reported.contains("sslmode") { "; sslmode is one of disable, prefer, require" } else { "" };
            StoreError::Open(format!("{reported}{allowed}"))
        })?;
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(SILENCE);
        }
        // Two hours unless given: no sign of life at all.
        if config.get_keepalives_idle() == Config::new().get_keepalives_idle() {
            config.keepalives_idle(SIGN_OF_LIFE).keepalives_interval(SIGN_OF_LIFE);
        }
        if config.get_application_name().is_none() {
            config.application_name("grootboek");
        }
        let tls = match (config.get_ssl_mode(), MakeRustlsConnect::with_native_certs()) {
            (SslMode::Disable, _) => None,
            (_, Ok((tls, _unreadable))) => Some(tls),
            // Without the machine's certificates no server can be trusted; the default mode then goes on without TLS, as libpq does.
            (SslMode::Prefer, Err(_)) => None,
            (_, Err(errors)) => return Err(StoreError::Open(format!("no certificates to trust: {errors:?}"))),
        };
        Ok(Self {
            config,
            tls,
            serves: purpose == Purpose::Serve,
            away: Arc::default(),
            open: Counted::default(),
            busy: Counted::default(),
        })
    }

    /// Whether the last try to connect failed, which was told then.
    pub(super) fn is_away(&self) -> bool {
        self.away.load(Ordering::Relaxed)
    }

    /// Opens a connection, within the runtime that is to drive it. That the server is away, and that it is back, is told once.
    pub(crate) async fn connect(&self) -> Result<Client, StoreError> {
        let connected = self.try_to_connect().await;
        match &connected {
            Err(trouble) if !self.away.swap(true, Ordering::Relaxed) => warn!(%trouble, "PostgreSQL cannot be reached"),
            Ok(_) if self.away.swap(false, Ordering::Relaxed) => info!("PostgreSQL can be reached again"),
            _ => {}
        }
        connected
    }

    async fn try_to_connect(&self) -> Result<Client, StoreError> {
        let client = match &self.tls {
            None => {
                let (client, connection) = self.config.connect(tokio_postgres::NoTls).await?;
                tokio::spawn(connection);
                client
            }
            Some(tls) => {
                let connected = self.config.connect(tls.clone()).await;
                let (client, connection) = connected.map_err(|error| untrusted(StoreError::from(error)))?;
                tokio::spawn(connection);
                client
            }
        };
        if self.serves {
            client.execute("SELECT pg_advisory_lock_shared($1)", &[&migrations::POSTGRES_SERVING]).await?;
        }
        client.batch_execute(SETTINGS).await?;
        info!("connected to PostgreSQL");
        Ok(client)
    }
}

/// Says what to do about a certificate that the machine does not trust.
fn untrusted(error: StoreError) -> StoreError {
    match error {
        StoreError::Unavailable(why) if why.contains("certificate") => StoreError::Unavailable(format!(
            "{why}; name a file with the certificate of an authority to trust in SSL_CERT_FILE, or, on this machine, add sslmode=disable \
             to the address"
        )),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_that_says_nothing_any_more_is_given_up_unless_the_address_says_otherwise() {
        let config = |parameters: &str| {
            let url = format!("postgres://me@127.0.0.1/books?sslmode=disable{parameters}");
            Target::parse(&url, Purpose::Serve).unwrap().config
        };
        let usual = config("");
        assert_eq!(usual.get_tcp_user_timeout(), Some(&SILENCE));
        assert_eq!((usual.get_keepalives_idle(), usual.get_keepalives_interval()), (SIGN_OF_LIFE, Some(SIGN_OF_LIFE)));
        let given = config("&tcp_user_timeout=20&keepalives_idle=30");
        assert_eq!(given.get_tcp_user_timeout(), Some(&Duration::from_secs(20)));
        assert_eq!((given.get_keepalives_idle(), given.get_keepalives_interval()), (Duration::from_secs(30), None));
    }
}
