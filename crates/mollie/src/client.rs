//! Calls over HTTP, each on its own connection, without following redirects.

use crate::{
    Answer, CreatedPayment, Host, Mollie, MollieError, NewPayment, Secret, Settlements, is_id, read,
};
use http_body_util::{BodyExt, Full, Limited};
use hyper::{
    Method, Request, Response, StatusCode,
    body::{Bytes, Incoming},
    client::conn::http1,
    header,
};
use hyper_util::rt::TokioIo;
use ledger::{
    language::Language,
    money::Cents,
    provider_payment::{FetchedPayment, FetchedSettlement, SettledPart},
};
use rustls::{ClientConfig, RootCertStore, crypto::ring, pki_types::ServerName};
use serde_json::json;
use std::{
    fmt,
    sync::{Arc, OnceLock},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
    task::AbortHandle,
    time::timeout,
};
use tokio_rustls::TlsConnector;

/// Time limit of a call.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum size of an answer.
const MOST_READ: usize = 256 * 1024;
/// Number of items per page of a list; more would not fit into an answer.
const PAGE: usize = 50;
/// Maximum number of pages of a list.
const MOST_PAGES: usize = 200;

/// Client of Mollie; cheap to clone.
#[derive(Clone)]
pub struct Client {
    host: Host,
    timeout: Duration,
    /// Created on the first encrypted connection, because reading the system's certificates takes a
    /// while.
    tls: Arc<OnceLock<TlsConnector>>,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("host", &self.host).finish_non_exhaustive()
    }
}

/// Call to Mollie.
struct Call<'c> {
    secret: &'c Secret,
    method: Method,
    /// Path and query.
    target: String,
    idempotency_key: Option<&'c str>,
    body: String,
}

impl<'c> Call<'c> {
    fn get(secret: &'c Secret, target: String) -> Self {
        let (method, body) = (Method::GET, String::new());
        Self { secret, method, target, idempotency_key: None, body }
    }
}

impl Client {
    /// Creates a client of the API at a host.
    #[must_use]
    pub fn new(host: Host) -> Self {
        Self { host, timeout: TIMEOUT, tls: Arc::default() }
    }

    /// Returns the client with another time limit, for tests.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// Makes a call; returns the body of a successful answer.
    async fn call(&self, call: Call<'_>) -> Result<Bytes, MollieError> {
        let exchange = async {
            let (response, _connection) = self.exchange(call).await?;
            let status = response.status();
            let body = Limited::new(response.into_body(), MOST_READ).collect().await;
            let body = body.map_err(|error| match error.downcast::<hyper::Error>() {
                Ok(error) => MollieError::Away(error.to_string()),
                Err(_) => MollieError::Unreadable("more than 256 KiB".into()),
            })?;
            body_of(status, body.to_bytes())
        };
        let late = || MollieError::Away(format!("no answer within {:?}", self.timeout));
        timeout(self.timeout, exchange).await.unwrap_or_else(|_| Err(late()))
    }

    async fn exchange(
        &self,
        call: Call<'_>,
    ) -> Result<(Response<Incoming>, Connection), MollieError> {
        let url = self.host.url();
        let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned();
        let port = url.port_or_known_default().unwrap_or(443);
        let away = |error: &dyn fmt::Display| MollieError::Away(error.to_string());
        let stream =
            TcpStream::connect((host.as_str(), port)).await.map_err(|error| away(&error))?;
        if url.scheme() != "https" {
            return self.request(stream, call).await;
        }
        let name = ServerName::try_from(host).map_err(|error| away(&error))?;
        let encrypted = self.tls().connect(name, stream).await.map_err(|error| away(&error))?;
        self.request(encrypted, call).await
    }

    async fn request(
        &self,
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        call: Call<'_>,
    ) -> Result<(Response<Incoming>, Connection), MollieError> {
        let away = |error: hyper::Error| MollieError::Away(error.to_string());
        let (mut sender, connection) =
            http1::Builder::new().handshake(TokioIo::new(stream)).await.map_err(away)?;
        let connection = Connection(tokio::spawn(connection).abort_handle());
        let url = self.host.url();
        let mut authorization =
            header::HeaderValue::try_from(format!("Bearer {}", call.secret.expose()))
                .map_err(|_| MollieError::KeyRefused("it has signs that no key has".into()))?;
        authorization.set_sensitive(true);
        let mut request = Request::builder()
            .method(call.method)
            .uri(call.target)
            .header(header::HOST, &url[url::Position::BeforeHost..url::Position::AfterPort])
            .header(header::ACCEPT, "application/hal+json")
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::USER_AGENT, concat!("grootboek/", env!("CARGO_PKG_VERSION")))
            .header(header::AUTHORIZATION, authorization);
        if let Some(key) = call.idempotency_key {
            request = request.header("Idempotency-Key", key);
        }
        let request = request
            .body(Full::new(Bytes::from(call.body)))
            .map_err(|error| MollieError::Refused(error.to_string()))?;
        Ok((sender.send_request(request).await.map_err(away)?, connection))
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

    /// Reads all pages of a list of a settlement.
    async fn all_parts(
        &self,
        token: &Secret,
        id: &str,
        kind: (&str, &str),
    ) -> Result<Vec<SettledPart>, MollieError> {
        let (mut parts, mut from) = (Vec::new(), None::<String>);
        for _ in 0..MOST_PAGES {
            let from_query = from.map(|id| format!("&from={id}")).unwrap_or_default();
            let target = format!("/v2/settlements/{id}/{}?limit={PAGE}{from_query}", kind.0);
            let body = self.call(Call::get(token, target)).await?;
            let (page, next) = read::parts(&body, kind)?;
            parts.extend(page);
            match next {
                Some(next) => from = Some(next),
                None => return Ok(parts),
            }
        }
        Err(MollieError::Unreadable(format!("{} have no last page", kind.0)))
    }
}

/// Task that drives a connection; aborted on drop.
struct Connection(AbortHandle);

impl Drop for Connection {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Returns the body of a successful answer, or the reason of the failure.
fn body_of(status: StatusCode, body: Bytes) -> Result<Bytes, MollieError> {
    let detail = || {
        let problem: Option<serde_json::Value> = serde_json::from_slice(&body).ok();
        let detail = problem.as_ref().and_then(|problem| problem["detail"].as_str());
        let shown = detail.unwrap_or_default().chars().filter(|sign| !sign.is_control());
        format!("{} {}", status.as_u16(), shown.take(200).collect::<String>()).trim().to_owned()
    };
    match status {
        StatusCode::OK | StatusCode::CREATED => Ok(body),
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Err(MollieError::KeyRefused(detail())),
        StatusCode::NOT_FOUND | StatusCode::GONE => Err(MollieError::NotFound),
        StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT | StatusCode::CONFLICT => {
            Err(MollieError::Away(detail()))
        }
        _ if status.is_server_error() => Err(MollieError::Away(detail())),
        // A redirect, too: the API has none.
        _ => Err(MollieError::Refused(detail())),
    }
}

/// Amount in the notation of the API: `1210.00`.
fn euros(amount: Cents) -> String {
    let cents = amount.get().unsigned_abs();
    let sign = if amount.is_negative() { "-" } else { "" };
    format!("{sign}{}.{:02}", cents / 100, cents % 100)
}

/// Rejects a text that is not an id, before it becomes part of an address.
fn require_id(prefix: &str, id: &str) -> Result<(), MollieError> {
    if is_id(prefix, id) { Ok(()) } else { Err(MollieError::NotFound) }
}

impl Mollie for Client {
    fn create<'a>(&'a self, key: &'a Secret, new: &'a NewPayment) -> Answer<'a, CreatedPayment> {
        Box::pin(async move {
            let locale = match new.language {
                Language::Dutch => "nl_NL",
                Language::English => "en_US",
            };
            let mut body = json!({
                "amount": {"currency": "EUR", "value": euros(new.amount)},
                "description": new.description,
                "redirectUrl": new.redirect_url,
                "locale": locale,
            });
            if let Some(url) = &new.webhook_url {
                body["webhookUrl"] = json!(url);
            }
            let call = Call {
                secret: key,
                method: Method::POST,
                target: "/v2/payments".into(),
                idempotency_key: Some(&new.idempotency_key),
                body: body.to_string(),
            };
            let created = read::created(&self.call(call).await?)?;
            if !self.host.is_checkout(&created.checkout_url) {
                return Err(MollieError::Unreadable("its checkout is not at Mollie".into()));
            }
            Ok(created)
        })
    }

    fn payment<'a>(&'a self, key: &'a Secret, id: &'a str) -> Answer<'a, FetchedPayment> {
        Box::pin(async move {
            require_id("tr_", id)?;
            let target = format!("/v2/payments/{id}?embed=refunds,chargebacks");
            read::payment(&self.call(Call::get(key, target)).await?)
        })
    }

    fn settlements<'a>(
        &'a self,
        token: &'a Secret,
        from: Option<&'a str>,
    ) -> Answer<'a, Settlements> {
        Box::pin(async move {
            if let Some(id) = from {
                require_id("stl_", id)?;
            }
            let from = from.map(|id| format!("&from={id}")).unwrap_or_default();
            let target = format!("/v2/settlements?limit={PAGE}{from}");
            read::settlements(&self.call(Call::get(token, target)).await?)
        })
    }

    fn settlement<'a>(&'a self, token: &'a Secret, id: &'a str) -> Answer<'a, FetchedSettlement> {
        Box::pin(async move {
            require_id("stl_", id)?;
            let call = Call::get(token, format!("/v2/settlements/{id}"));
            read::settlement(&self.call(call).await?)
        })
    }

    fn parts<'a>(&'a self, token: &'a Secret, id: &'a str) -> Answer<'a, Vec<SettledPart>> {
        Box::pin(async move {
            require_id("stl_", id)?;
            let mut parts = Vec::new();
            for kind in [("payments", "tr_"), ("refunds", "re_"), ("chargebacks", "chb_")] {
                parts.extend(self.all_parts(token, id, kind).await?);
            }
            Ok(parts)
        })
    }

    fn check_key<'a>(&'a self, key: &'a Secret) -> Answer<'a, ()> {
        Box::pin(
            async move { self.call(Call::get(key, "/v2/payments?limit=1".into())).await.map(drop) },
        )
    }

    fn check_token<'a>(&'a self, token: &'a Secret) -> Answer<'a, ()> {
        Box::pin(async move {
            self.call(Call::get(token, "/v2/settlements?limit=1".into())).await.map(drop)
        })
    }
}
