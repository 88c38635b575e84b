//! The listener: connection limits and graceful shutdown.

use axum::Router;
use hyper::{Request, body::Incoming, header, server::conn::http1};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use tokio::{net::TcpListener, sync::Semaphore};
use tower::util::MapRequest;
use tracing::{debug, warn};
use web_core::{
    address::{Peer, TrustedProxy, subscriber},
    http::request_body::RequestBody,
};

/// Maximum time to receive the head of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum time that sent data may stay unacknowledged.
#[cfg(target_os = "linux")]
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);
/// Maximum time that requests in progress may take to finish after shutdown begins.
const STOP_TIMEOUT: Duration = Duration::from_secs(35);
/// Minimum interval between log messages about connections that could not be accepted.
const NOT_ACCEPTED_LOGGED: Duration = Duration::from_secs(10);
/// Maximum size of the head of a request, in bytes.
const HEAD_SIZE: usize = 32 * 1024;

/// Minimum connection limit per client address; normally the limit is a quarter of all connections.
const SMALLEST_SHARE: usize = 16;

/// Connection limits, in total and per client address. At the total limit, further clients wait; at
/// the limit of an address, its connections are rejected. A single address therefore cannot block
/// all other clients with unfinished requests.
#[derive(Clone)]
pub struct Places {
    all: Arc<Semaphore>,
    taken: Arc<Mutex<HashMap<IpAddr, usize>>>,
    share: usize,
    trusted: Arc<[TrustedProxy]>,
}

impl Places {
    /// Creates limits with this total. Trusted proxies act for many clients and have no limit of
    /// their own.
    #[must_use]
    pub fn new(connections: usize, trusted: &[TrustedProxy]) -> Self {
        let share = (connections / 4).max(SMALLEST_SHARE);
        Self {
            all: Arc::new(Semaphore::new(connections)),
            taken: Arc::default(),
            share,
            trusted: trusted.into(),
        }
    }

    /// Counts a connection from an address; `None` if the address has reached its limit.
    fn share_for(&self, peer: IpAddr) -> Option<Share> {
        if self.trusted.iter().any(|proxy| proxy.is_at(peer)) {
            return Some(Share { places: None });
        }
        let client = subscriber(peer);
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let count = taken.entry(client).or_default();
        if *count >= self.share {
            return None;
        }
        *count += 1;
        drop(taken);
        Some(Share { places: Some((self.clone(), client)) })
    }
}

/// A counted connection from an address; released on drop.
struct Share {
    places: Option<(Places, IpAddr)>,
}

impl Drop for Share {
    fn drop(&mut self) {
        let Some((places, client)) = &self.places else { return };
        let mut taken = places.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = taken.get_mut(client) {
            *count -= 1;
            if *count == 0 {
                taken.remove(client);
            }
        }
    }
}

/// Serves until `stop` completes, then lets requests in progress finish.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    places: Places,
    stop: impl Future<Output = ()>,
) {
    let graceful = GracefulShutdown::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            biased;
            () = &mut stop => break,
            accepted = accept(&listener, &places) => accepted,
        };
        let Some((stream, peer, place)) = accepted else { continue };
        let Some(share) = places.share_for(peer) else {
            debug!(%peer, "connection limit of an address reached; rejecting a connection");
            continue;
        };
        let service = MapRequest::new(router.clone(), move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(Peer(peer));
            let is_announced = request.headers().contains_key(header::EXPECT);
            request.map(|body| RequestBody::new(body, is_announced))
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_TIMEOUT)
            .max_buf_size(HEAD_SIZE)
            .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                debug!(%error, "a connection ended with an error");
            }
            drop((place, share));
        });
    }
    drop(listener);
    if tokio::time::timeout(STOP_TIMEOUT, graceful.shutdown()).await.is_err() {
        warn!("some requests did not finish in time and were cut off");
    }
}

/// Logs that connections cannot be accepted, at most once per interval.
fn log_not_accepted(error: &std::io::Error) {
    static LAST: Mutex<Option<Instant>> = Mutex::new(None);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if last.is_none_or(|last| last.elapsed() >= NOT_ACCEPTED_LOGGED) {
        *last = Some(Instant::now());
        warn!(%error, "a connection could not be accepted and waits; logged at most once in ten seconds");
    }
}

async fn accept(
    listener: &TcpListener,
    places: &Places,
) -> Option<(tokio::net::TcpStream, IpAddr, tokio::sync::OwnedSemaphorePermit)> {
    let place = Arc::clone(&places.all).acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, peer)) => {
            // Responses are small; waiting to fill a packet would only delay them.
            let _ = stream.set_nodelay(true);
            // Cuts off a client that does not read its response, and so occupies a connection and
            // memory.
            #[cfg(target_os = "linux")]
            let _ = socket2::SockRef::from(&stream).set_tcp_user_timeout(Some(WRITE_TIMEOUT));
            Some((stream, peer.ip(), place))
        }
        Err(error) => {
            log_not_accepted(&error);
            // Most likely the process has run out of file descriptors; waits for other connections
            // to end.
            tokio::time::sleep(Duration::from_millis(50)).await;
            None
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
#[expect(clippy::unwrap_used, reason = "a failure is a failed test")]
mod tests {
    use super::*;
    use std::net::{Ipv4Addr, SocketAddr};
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::{TcpSocket, TcpStream},
    };

    const PLACES: usize = 64;

    async fn connect(from: [u8; 4], to: SocketAddr) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(SocketAddr::from((Ipv4Addr::from(from), 0))).unwrap();
        socket.connect(to).await.unwrap()
    }

    /// Returns the status line of a response; empty if there is none.
    async fn ask(mut client: TcpStream) -> String {
        let mut answer = Vec::new();
        let _ = client
            .write_all(b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
            .await;
        let _ = tokio::time::timeout(Duration::from_secs(3), client.read_to_end(&mut answer)).await;
        String::from_utf8_lossy(&answer).lines().next().unwrap_or_default().to_owned()
    }

    async fn start(trusted: &[TrustedProxy]) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().route("/", axum::routing::get(|| async { "here" }));
        tokio::spawn(serve(listener, router, Places::new(PLACES, trusted), std::future::pending()));
        address
    }

    /// Opens as many connections as the server allows, and sends an unfinished request on each.
    async fn flood(from: [u8; 4], to: SocketAddr) -> Vec<TcpStream> {
        let mut half = Vec::new();
        for _ in 0..PLACES {
            let mut client = connect(from, to).await;
            let _ = client.write_all(b"GET / HTTP/1.1\r\nhost: ").await;
            half.push(client);
        }
        half
    }

    #[tokio::test]
    async fn an_address_with_unfinished_requests_does_not_block_others() {
        let server = start(&[]).await;
        let half = flood([127, 0, 0, 2], server).await;
        assert_eq!(ask(connect([127, 0, 0, 3], server).await).await, "HTTP/1.1 200 OK");
        assert_eq!(ask(connect([127, 0, 0, 2], server).await).await, "", "its limit is reached");
        drop(half);
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert_eq!(ask(connect([127, 0, 0, 2], server).await).await, "HTTP/1.1 200 OK");
    }

    #[tokio::test]
    async fn a_trusted_proxy_may_use_all_connections() {
        let server = start(&["127.0.0.2".parse().unwrap()]).await;
        let mut half = flood([127, 0, 0, 2], server).await;
        drop(half.pop());
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert_eq!(ask(connect([127, 0, 0, 2], server).await).await, "HTTP/1.1 200 OK");
    }
}
