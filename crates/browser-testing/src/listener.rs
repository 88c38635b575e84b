//! A third-party website that sends a fixed response and records its requests.

use std::{
    io::{BufRead, BufReader, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread::JoinHandle,
};

/// A website on its own port.
pub struct Listener {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<Request>>>,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// A recorded request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// `GET` or `POST`.
    pub method: String,
    /// Path and query.
    pub target: String,
    /// Headers, with names in lower case.
    pub headers: Vec<(String, String)>,
}

impl Request {
    /// Returns the value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(header, _)| header == name).map(|(_, value)| value.as_str())
    }
}

impl Listener {
    /// Starts a website that answers every request with this page and additional header lines (each
    /// ending in CR LF).
    #[must_use]
    pub fn start(headers: &str, body: &str) -> Self {
        Self::answering("200 OK", headers, body)
    }

    /// Starts a website that redirects every request to a URL.
    #[must_use]
    pub fn leading_to(address: &str) -> Self {
        Self::answering("302 Found", &format!("location: {address}\r\n"), "")
    }

    fn answering(status: &str, headers: &str, body: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (requests, over) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(false)));
        let answer = format!(
            "HTTP/1.1 {status}\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: {}\r\nconnection: close\r\n{headers}\r\n{body}",
            body.len()
        );
        let (its_requests, its_over) = (Arc::clone(&requests), Arc::clone(&over));
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if its_over.load(Ordering::SeqCst) {
                    break;
                }
                // A browser opens connections in advance and may never use them, so each has its
                // own thread.
                let (answer, requests) = (answer.clone(), Arc::clone(&its_requests));
                std::thread::spawn(move || serve(&stream?, &answer, &requests));
            }
        });
        Self { address, requests, over, thread: Some(thread) }
    }

    /// Returns the website's URL, without a slash at the end.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the requests so far, except those for an icon.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn serve(stream: &TcpStream, answer: &str, requests: &Mutex<Vec<Request>>) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    let mut words = first.split(' ').map(str::to_owned);
    let (Some(method), Some(target)) = (words.next(), words.next()) else { return Ok(()) };
    let mut headers = Vec::new();
    for line in lines {
        match line?.split_once(": ") {
            Some((name, value)) => headers.push((name.to_lowercase(), value.to_owned())),
            None => break,
        }
    }
    if !target.starts_with("/favicon") {
        requests.lock().unwrap().push(Request { method, target, headers });
    }
    (&*stream).write_all(answer.as_bytes())
}
