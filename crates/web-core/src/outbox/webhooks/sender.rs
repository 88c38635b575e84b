//! Sends webhook messages, each over its own connection to a checked address, without following
//! redirects. Reads only the beginning of the response, which the user can view.

use axum::body::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::{Method, Request, Response, body::Incoming, client::conn::http1, header};
use hyper_util::rt::TokioIo;
use rustls::{ClientConfig, RootCertStore, crypto::ring, pki_types::ServerName};
use service::{access::webhook_targets::WebhookTargets, webhooks::Answer};
use std::{
    fmt,
    future::Future,
    io,
    net::{IpAddr, SocketAddr},
    pin::Pin,
    sync::{Arc, OnceLock},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
    task::AbortHandle,
    time::{Instant, timeout_at},
};
use tokio_rustls::TlsConnector;
use url::{Host, Url};

/// Time limit for a delivery attempt.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum number of bytes of a response that are shown, and maximum size of the read buffer.
const SHOWN: usize = 1_000;
const MOST_READ: usize = 64 * 1024;

/// Resolves host names.
pub trait Resolve: Send + Sync {
    /// Returns the addresses of a host name.
    fn resolve<'r>(
        &'r self,
        name: &'r str,
    ) -> Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'r>>;
}

/// The resolver of the operating system.
struct SystemResolver;

impl Resolve for SystemResolver {
    fn resolve<'r>(
        &'r self,
        name: &'r str,
    ) -> Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'r>> {
        Box::pin(async move {
            Ok(tokio::net::lookup_host((name, 0)).await?.map(|address| address.ip()).collect())
        })
    }
}

/// Sends messages to webhooks; cheap to clone.
#[derive(Clone)]
pub struct WebhookSender {
    targets: WebhookTargets,
    resolver: Arc<dyn Resolve>,
    /// Created on the first encrypted connection, because reading the system's certificates takes a
    /// while.
    tls: Arc<OnceLock<TlsConnector>>,
}

impl fmt::Debug for WebhookSender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WebhookSender").field("targets", &self.targets).finish_non_exhaustive()
    }
}

/// A message to send.
pub struct Message<'m> {
    /// URL of the receiver.
    pub url: &'m str,
    /// Value of the header `webhook-id`.
    pub id: &'m str,
    /// Seconds since 1970.
    pub timestamp: i64,
    /// Value of the header `webhook-signature`.
    pub signature: String,
    /// Body, in JSON.
    pub body: String,
}

impl WebhookSender {
    /// Creates a sender restricted to the targets that the operator allows.
    #[must_use]
    pub fn new(targets: WebhookTargets) -> Self {
        Self { targets, resolver: Arc::new(SystemResolver), tls: Arc::default() }
    }

    /// Returns the sender with another resolver.
    #[must_use]
    pub fn with_resolver(self, resolver: Arc<dyn Resolve>) -> Self {
        Self { resolver, ..self }
    }

    /// Targets that the operator allows.
    #[must_use]
    pub fn targets(&self) -> WebhookTargets {
        self.targets
    }

    /// Sends a message and returns the receiver's answer.
    pub async fn send(&self, message: Message<'_>) -> Answer {
        let until = Instant::now() + ANSWER_TIMEOUT;
        match timeout_at(until, self.exchange(message)).await {
            Ok(Ok((response, connection))) => {
                let answer = read(response, until).await;
                drop(connection);
                answer
            }
            Ok(Err(cause)) => Answer::none(cause),
            Err(_) => {
                Answer::none(format!("no answer within {} seconds", ANSWER_TIMEOUT.as_secs()))
            }
        }
    }

    async fn exchange(
        &self,
        message: Message<'_>,
    ) -> Result<(Response<Incoming>, Connection), String> {
        // The URL is checked for each message, since the operator may have changed the allowed
        // targets after the webhook was created.
        let url = self
            .targets
            .read(message.url)
            .map_err(|_| "the address of the webhook is not allowed any more".to_owned())?;
        let stream = self.connect(&url).await?;
        if url.scheme() == "https" {
            let name = ServerName::try_from(
                url.host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned(),
            );
            let name = name.map_err(|error| error.to_string())?;
            let encrypted = self
                .tls()
                .connect(name, stream)
                .await
                .map_err(|error| format!("no encrypted connection: {error}"))?;
            request(encrypted, &url, message).await
        } else {
            request(stream, &url, message).await
        }
    }

    /// Connects to the first allowed address that accepts the connection.
    async fn connect(&self, url: &Url) -> Result<TcpStream, String> {
        let addresses = match url.host() {
            Some(Host::Ipv4(address)) => vec![address.into()],
            Some(Host::Ipv6(address)) => vec![address.into()],
            Some(Host::Domain(name)) => self
                .resolver
                .resolve(name)
                .await
                .map_err(|error| format!("the name {name} is not known: {error}"))?,
            None => Vec::new(),
        };
        let allowed = addresses.into_iter().filter(|address| self.targets.allows(*address));
        let port = url.port_or_known_default().unwrap_or(443);
        let mut cause = "the name leads to no address that messages may go to".to_owned();
        for address in allowed {
            match TcpStream::connect(SocketAddr::new(address, port)).await {
                Ok(stream) => return Ok(stream),
                Err(error) => cause = format!("no connection: {error}"),
            }
        }
        Err(cause)
    }

    fn tls(&self) -> &TlsConnector {
        self.tls.get_or_init(|| {
            let mut roots = RootCertStore::empty();
            // Without certificates, every connection fails with an error that names this cause.
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
            let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
                .with_safe_default_protocol_versions()
                .expect("the provider supports the default versions")
                .with_root_certificates(roots)
                .with_no_client_auth();
            TlsConnector::from(Arc::new(config))
        })
    }
}

/// Task that drives a connection; aborted on drop.
struct Connection(AbortHandle);

impl Drop for Connection {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn request(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    url: &Url,
    message: Message<'_>,
) -> Result<(Response<Incoming>, Connection), String> {
    let builder =
        http1::Builder::new().max_buf_size(MOST_READ).handshake(TokioIo::new(stream)).await;
    let (mut sender, connection) = builder.map_err(|error| error.to_string())?;
    let connection = Connection(tokio::spawn(connection).abort_handle());
    let request = Request::builder()
        .method(Method::POST)
        .uri(&url[url::Position::BeforePath..url::Position::AfterQuery])
        .header(header::HOST, &url[url::Position::BeforeHost..url::Position::AfterPort])
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::USER_AGENT, concat!("grootboek/", env!("CARGO_PKG_VERSION")))
        .header("webhook-id", message.id)
        .header("webhook-timestamp", message.timestamp)
        .header("webhook-signature", message.signature)
        .body(Full::new(Bytes::from(message.body)));
    let request = request.map_err(|error| error.to_string())?;
    let response =
        sender.send_request(request).await.map_err(|error| format!("no answer: {error}"))?;
    Ok((response, connection))
}

/// Reads the beginning of a response, up to the part that is shown. The status determines the
/// result, however slowly the body arrives.
async fn read(response: Response<Incoming>, until: Instant) -> Answer {
    let status = response.status().as_u16();
    let (mut body, mut read) = (response.into_body(), Vec::new());
    let beginning = async {
        while let Some(Ok(frame)) = body.frame().await {
            read.extend_from_slice(frame.data_ref().map_or(&[][..], |data| data));
            if read.len() >= SHOWN {
                break;
            }
        }
    };
    let _ = timeout_at(until, beginning).await;
    read.truncate(SHOWN);
    // A database accepts no null characters, and a page shows no other control characters.
    let mut text =
        String::from_utf8_lossy(&read).replace(|c: char| c.is_control() && c != '\n', " ");
    text.truncate(text.floor_char_boundary(SHOWN));
    Answer { status: Some(status), beginning: (!text.is_empty()).then_some(text), cause: None }
}
