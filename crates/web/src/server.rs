//! The listener: connections with limits, and a stop that lets requests finish.

use crate::address::Peer;
use axum::Router;
use hyper::{Request, body::Incoming, server::conn::http1};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use std::{net::IpAddr, sync::Arc, time::Duration};
use tokio::{net::TcpListener, sync::Semaphore};
use tower::util::MapRequest;
use tracing::{debug, warn};

/// How long the head of a request may take to arrive (contract, §9).
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// How long what was answered may stay unread.
#[cfg(target_os = "linux")]
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);
/// How long requests that are under way may take to finish once the server is told to stop.
const STOP_TIMEOUT: Duration = Duration::from_secs(35);
/// How large the head of a request may be, in bytes.
const HEAD_SIZE: usize = 32 * 1024;

/// Serves until `stop` is done, then lets requests that are under way finish.
///
/// At most `connections` are open at once; more wait to be accepted.
pub async fn serve(listener: TcpListener, router: Router, connections: usize, stop: impl Future<Output = ()>) {
    let places = Arc::new(Semaphore::new(connections));
    let graceful = GracefulShutdown::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            biased;
            () = &mut stop => break,
            accepted = accept(&listener, &places) => accepted,
        };
        let Some((stream, peer, place)) = accepted else { continue };
        let service = MapRequest::new(router.clone(), move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(Peer(peer));
            request
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
            drop(place);
        });
    }
    drop(listener);
    if tokio::time::timeout(STOP_TIMEOUT, graceful.shutdown()).await.is_err() {
        warn!("some requests did not finish in time and were cut off");
    }
}

async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> Option<(tokio::net::TcpStream, IpAddr, tokio::sync::OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await.ok()?;
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
            warn!(%error, "a connection could not be accepted");
            // Out of file descriptors, most likely: give others time to end.
            tokio::time::sleep(Duration::from_millis(50)).await;
            None
        }
    }
}
