//! The listener: connections with limits, and a stop that lets requests finish.

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

/// How long the head of a request may take to arrive.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// How long what was answered may stay unread.
#[cfg(target_os = "linux")]
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);
/// How long requests that are under way may take to finish once the server is told to stop.
const STOP_TIMEOUT: Duration = Duration::from_secs(35);
/// How often it is told that connections cannot be accepted.
const NOT_ACCEPTED_LOGGED: Duration = Duration::from_secs(10);
/// How large the head of a request may be, in bytes.
const HEAD_SIZE: usize = 32 * 1024;

/// One client address has at most the fourth part of the places, and this many if that is less.
const SMALLEST_SHARE: usize = 16;

/// Places for connections. More clients wait to be accepted; one address never has them all, or it alone could keep everybody out with
/// requests that it does not finish.
#[derive(Clone)]
pub struct Places {
    all: Arc<Semaphore>,
    taken: Arc<Mutex<HashMap<IpAddr, usize>>>,
    share: usize,
    trusted: Arc<[TrustedProxy]>,
}

impl Places {
    /// So many places. The proxies speak for others, and have no share.
    #[must_use]
    pub fn new(connections: usize, trusted: &[TrustedProxy]) -> Self {
        let share = (connections / 4).max(SMALLEST_SHARE);
        Self { all: Arc::new(Semaphore::new(connections)), taken: Arc::default(), share, trusted: trusted.into() }
    }

    /// Counts a connection from an address, unless it has its share.
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

/// A connection that counts for its address; given back when it is dropped.
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

/// Serves until `stop` is done, then lets requests that are under way finish.
pub async fn serve(listener: TcpListener, router: Router, places: Places, stop: impl Future<Output = ()>) {
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
            debug!(%peer, "an address has its share of the connections already");
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
                debug!(%error, "a connection ended badly");
            }
            drop((place, share));
        });
    }
    drop(listener);
    if tokio::time::timeout(STOP_TIMEOUT, graceful.shutdown()).await.is_err() {
        warn!("some requests did not finish in time and were cut off");
    }
}

/// Says in the log that connections cannot be accepted: not each time that one is tried.
fn log_not_accepted(error: &std::io::Error) {
    static LAST: Mutex<Option<Instant>> = Mutex::new(None);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if last.is_none_or(|last| last.elapsed() >= NOT_ACCEPTED_LOGGED) {
        *last = Some(Instant::now());
        warn!(%error, "a connection could not be accepted and waits; this is told once in ten seconds at the most");
    }
}

async fn accept(
    listener: &TcpListener,
    places: &Places,
) -> Option<(tokio::net::TcpStream, IpAddr, tokio::sync::OwnedSemaphorePermit)> {
    let place = Arc::clone(&places.all).acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, peer)) => {
            // Answers are small; waiting to fill a packet would only delay them.
            let _ = stream.set_nodelay(true);
            // A client that asks and does not read holds a place and what it is to be answered: it is cut off.
            #[cfg(target_os = "linux")]
            let _ = socket2::SockRef::from(&stream).set_tcp_user_timeout(Some(WRITE_TIMEOUT));
            Some((stream, peer.ip(), place))
        }
        Err(error) => {
            log_not_accepted(&error);
            // Out of file descriptors, most likely: give others time to end.
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

    /// The status line of an answer; empty when there is none.
    async fn ask(mut client: TcpStream) -> String {
        let mut answer = Vec::new();
        let _ = client.write_all(b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").await;
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

    /// As many requests as there are places, each begun and none finished.
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
    async fn one_address_that_finishes_no_request_keeps_nobody_else_out() {
        let server = start(&[]).await;
        let half = flood([127, 0, 0, 2], server).await;
        assert_eq!(ask(connect([127, 0, 0, 3], server).await).await, "HTTP/1.1 200 OK");
        assert_eq!(ask(connect([127, 0, 0, 2], server).await).await, "", "its share is taken");
        drop(half);
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert_eq!(ask(connect([127, 0, 0, 2], server).await).await, "HTTP/1.1 200 OK");
    }

    #[tokio::test]
    async fn a_trusted_proxy_may_have_every_place() {
        let server = start(&["127.0.0.2".parse().unwrap()]).await;
        let mut half = flood([127, 0, 0, 2], server).await;
        drop(half.pop());
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert_eq!(ask(connect([127, 0, 0, 2], server).await).await, "HTTP/1.1 200 OK");
    }
}
