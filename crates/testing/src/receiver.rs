//! Webhook receiver that records deliveries and responds as the test specifies.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread::JoinHandle,
    time::Duration,
};

/// A received delivery.
#[derive(Debug, Clone)]
pub struct Received {
    /// Path and query.
    pub target: String,
    /// Headers, with names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: String,
}

impl Received {
    /// Returns the value of a header; empty if it is missing.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(header, _)| header == name).map_or("", |(_, value)| value)
    }
}

/// Behaviour of a receiver.
#[derive(Debug, Clone)]
pub enum Behaviour {
    /// Responds with a status and a body.
    Answers(u16, String),
    /// Redirects to a URL.
    LeadsTo(String),
    /// Responds with 200 and an endless body.
    NeverEnds,
    /// Never responds.
    Hangs,
    /// Closes the connection.
    Closes,
}

/// A receiver on its own port.
pub struct Receiver {
    address: SocketAddr,
    received: Arc<Mutex<Vec<Received>>>,
    connections: Arc<AtomicUsize>,
    behaviour: Arc<Mutex<Behaviour>>,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Receiver {
    /// Starts a receiver that accepts everything.
    #[must_use]
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let mut receiver = Self {
            address,
            received: Arc::default(),
            connections: Arc::default(),
            behaviour: Arc::new(Mutex::new(Behaviour::Answers(204, String::new()))),
            over: Arc::default(),
            thread: None,
        };
        let (received, behaviour) =
            (Arc::clone(&receiver.received), Arc::clone(&receiver.behaviour));
        let (over, connections) = (Arc::clone(&receiver.over), Arc::clone(&receiver.connections));
        receiver.thread = Some(std::thread::spawn(move || {
            for stream in listener.incoming() {
                if over.load(Ordering::SeqCst) {
                    break;
                }
                connections.fetch_add(1, Ordering::SeqCst);
                let (received, behaviour) = (Arc::clone(&received), Arc::clone(&behaviour));
                let over = Arc::clone(&over);
                std::thread::spawn(move || serve(&stream?, &received, &behaviour, &over));
            }
        }));
        receiver
    }

    /// Returns the URL of the receiver: `http://127.0.0.1:1234/hooks`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/hooks", self.address)
    }

    /// Returns the port of the receiver.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Changes the behaviour.
    pub fn behave(&self, behaviour: Behaviour) {
        *locked(&self.behaviour) = behaviour;
    }

    /// Removes and returns the deliveries received since the last call.
    #[must_use]
    pub fn take(&self) -> Vec<Received> {
        std::mem::take(&mut *locked(&self.received))
    }

    /// Returns the number of connections so far.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn serve(
    stream: &TcpStream,
    received: &Mutex<Vec<Received>>,
    behaviour: &Mutex<Behaviour>,
    over: &AtomicBool,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        lines.push(line.trim().to_owned());
    }
    let Some(first) = lines.first() else { return Ok(()) };
    let target = first.split(' ').nth(1).unwrap_or_default().to_owned();
    let pairs = lines.iter().skip(1).filter_map(|line| line.split_once(": "));
    let headers: Vec<_> =
        pairs.map(|(name, value)| (name.to_lowercase(), value.to_owned())).collect();
    let length = headers
        .iter()
        .find(|(name, _)| name == "content-length")
        .and_then(|(_, value)| value.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body)?;
    locked(received).push(Received {
        target,
        headers,
        body: String::from_utf8_lossy(&body).into_owned(),
    });
    let behaviour = locked(behaviour).clone();
    let mut out = stream;
    match behaviour {
        Behaviour::Answers(status, text) => {
            write!(
                out,
                "HTTP/1.1 {status} Answer\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{text}",
                text.len()
            )
        }
        Behaviour::LeadsTo(address) => {
            write!(
                out,
                "HTTP/1.1 307 Elsewhere\r\nlocation: {address}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
            )
        }
        Behaviour::NeverEnds => {
            write!(out, "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n")?;
            while !over.load(Ordering::SeqCst) {
                out.write_all(&[b'x'; 4096])?;
            }
            Ok(())
        }
        Behaviour::Hangs => {
            while !over.load(Ordering::SeqCst) {
                std::thread::sleep(Duration::from_millis(20));
            }
            Ok(())
        }
        Behaviour::Closes => Ok(()),
    }
}
