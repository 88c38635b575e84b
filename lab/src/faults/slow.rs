//! Clients that send byte by byte, and clients that do not read.

use super::{
    clients::{Operation, Phase, watch},
    scene::Scene,
};
use anyhow::ensure;
use std::{
    io::{ErrorKind, Read, Write},
    net::TcpStream,
    path::Path,
    thread,
    time::{Duration, Instant},
};
use tokio::net::TcpSocket;

/// Number of clients of each kind.
const EACH: usize = 150;
/// Time for which a slow client pauses between two bytes.
const PAUSE: Duration = Duration::from_millis(500);
/// Time by which all slow clients must be disconnected: a response may wait 30 seconds for its
/// turn, and an unread one is given up after another 30.
const CLIENT_TIMEOUT: Duration = Duration::from_secs(75);
/// Maximum response time for other clients.
const PROMPT: Duration = Duration::from_secs(2);

/// Runs hundreds of slow clients next to ordinary ones.
// Long: one scenario in order.
pub(super) fn crawl(binary: &Path) -> anyhow::Result<()> {
    let scene = Scene::new(binary)?;
    let slow = scene.program.open_account("slow@example.com")?;
    scene.program.run(&[
        "fill",
        "--email",
        "slow@example.com",
        "--invoices",
        "1000",
        "--year",
        "2025",
    ])?;
    let server = scene.serve()?;
    let address = server.origin.trim_start_matches("http://");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    // The receive buffer is too small for a response.
    let connect = || -> anyhow::Result<TcpStream> {
        let stream = runtime.block_on(async {
            let socket = TcpSocket::new_v4()?;
            socket.set_recv_buffer_size(4096)?;
            socket.connect(address.parse().map_err(std::io::Error::other)?).await?.into_std()
        })?;
        Ok(stream)
    };
    let head =
        format!("POST /api/v1/invoices HTTP/1.1\r\nhost: {address}\r\nx-api-key: {slow}\r\n");
    let with_body = format!("{head}content-type: application/json\r\ncontent-length: 1000\r\n\r\n");
    let list = format!(
        "GET /api/v1/invoices?limit=500 HTTP/1.1\r\nhost: {address}\r\nx-api-key: {slow}\r\n\r\n"
    );
    let seen = watch(&server, &scene.key, |clients| {
        clients.begin(Phase::During);
        let mut of_kinds = Vec::new();
        for (kind, at_once) in [
            ("heads byte by byte", ""),
            ("bodies byte by byte", &*with_body),
            ("unread answers", &*list),
        ] {
            let streams = (0..EACH).map(|_| connect()).collect::<anyhow::Result<Vec<_>>>()?;
            for mut stream in &streams {
                stream.write_all(at_once.as_bytes())?;
            }
            of_kinds.push((kind, streams));
        }
        let begun = Instant::now();
        for byte in head.as_bytes().iter().cycle() {
            for (_, streams) in &of_kinds[..2] {
                for mut stream in streams {
                    // The client may have been disconnected.
                    let _ = stream.write(std::slice::from_ref(byte));
                }
            }
            thread::sleep(PAUSE);
            if begun.elapsed() > CLIENT_TIMEOUT {
                break;
            }
        }
        for (kind, streams) in of_kinds {
            let open = streams.into_iter().filter(is_open).count();
            println!(
                "  {kind}: {open} of {EACH} are still connected after {} s",
                begun.elapsed().as_secs()
            );
            ensure!(open == 0, "{open} clients with {kind} were not cut off");
        }
        Ok(())
    })?;
    seen.only(Phase::During, Operation::Write, &[201], PROMPT)?;
    seen.only(Phase::During, Operation::Read, &[200], PROMPT)?;
    seen.only(Phase::During, Operation::Ready, &[200], PROMPT)?;
    scene.verify(server, &seen)
}

/// Whether the peer keeps the connection open, after reading all data that it sent.
fn is_open(mut stream: &TcpStream) -> bool {
    let mut buffer = [0; 64 * 1024];
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => return false,
            Ok(_) => {}
            Err(error) => return error.kind() == ErrorKind::WouldBlock,
        }
    }
}
