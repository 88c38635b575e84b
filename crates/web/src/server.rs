//! The listener: connections with limits, and a stop that lets requests finish.

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use std::{sync::Arc, time::Duration};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot},
};
use tracing::{debug, error, warn};

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
/// At most `connections` are open at once; more wait to be accepted. Each core has a lane of its own: a thread that drives its
/// share of the connections, without handing requests between threads.
pub async fn serve(listener: TcpListener, router: Router, connections: usize, stop: impl Future<Output = ()>) {
    let places = Arc::new(Semaphore::new(connections));
    let lanes = std::thread::available_parallelism().map_or(1, usize::from);
    let lanes: Vec<Lane> = (0..lanes).filter_map(|_| Lane::start(router.clone())).collect();
    let mut turn = lanes.iter().cycle();
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            biased;
            () = &mut stop => break,
            accepted = accept(&listener, &places) => accepted,
        };
        if let (Some(accepted), Some(lane)) = (accepted, turn.next()) {
            // A lane ends only when its sender goes.
            let _ = lane.connections.send(accepted);
        }
    }
    drop((listener, turn));
    let ended: Vec<_> = lanes.into_iter().map(|lane| lane.ended).collect();
    for lane in ended {
        // A lane that panicked has nothing left to finish.
        let _ = lane.await;
    }
}

type Accepted = (std::net::TcpStream, OwnedSemaphorePermit);

/// A thread that drives connections.
struct Lane {
    connections: mpsc::UnboundedSender<Accepted>,
    ended: oneshot::Receiver<()>,
}

impl Lane {
    fn start(router: Router) -> Option<Self> {
        let (connections, accepted) = mpsc::unbounded_channel();
        let (end, ended) = oneshot::channel();
        let run = move || match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => {
                runtime.block_on(drive(accepted, router));
                let _ = end.send(());
            }
            Err(error) => error!(%error, "a lane for connections cannot be started"),
        };
        match std::thread::Builder::new().name("http".into()).spawn(run) {
            Ok(_) => Some(Self { connections, ended }),
            Err(error) => {
                error!(%error, "a lane for connections cannot be started");
                None
            }
        }
    }
}

/// Drives what is accepted until no more comes and all of it is done.
async fn drive(mut accepted: mpsc::UnboundedReceiver<Accepted>, router: Router) {
    let graceful = GracefulShutdown::new();
    while let Some((stream, place)) = accepted.recv().await {
        let Ok(stream) = TcpStream::from_std(stream) else { continue };
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_TIMEOUT)
            .max_buf_size(HEAD_SIZE)
            .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router.clone()));
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                debug!(%error, "a connection ended badly");
            }
            drop(place);
        });
    }
    if tokio::time::timeout(STOP_TIMEOUT, graceful.shutdown()).await.is_err() {
        warn!("some requests did not finish in time and were cut off");
    }
}

async fn accept(listener: &TcpListener, places: &Arc<Semaphore>) -> Option<Accepted> {
    let place = Arc::clone(places).acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, _)) => {
            // Answers are small; waiting to fill a packet would only delay them.
            let _ = stream.set_nodelay(true);
            // A client that asks and does not read holds a place and what it is to be answered: it is cut off.
            #[cfg(target_os = "linux")]
            let _ = socket2::SockRef::from(&stream).set_tcp_user_timeout(Some(WRITE_TIMEOUT));
            // Taken out of this runtime, to be driven by that of a lane.
            stream.into_std().ok().map(|stream| (stream, place))
        }
        Err(error) => {
            warn!(%error, "a connection could not be accepted");
            // Out of file descriptors, most likely: give others time to end.
            tokio::time::sleep(Duration::from_millis(50)).await;
            None
        }
    }
}
