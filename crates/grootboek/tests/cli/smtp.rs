//! A minimal mail server (RFC 5321, RFC 3207, RFC 4954).

use rustls::{
    ServerConfig, ServerConnection, StreamOwned,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

/// Certificate of the server, for a program that should trust it.
pub(crate) const CERTIFICATE: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/localhost/certificate.pem");

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encryption {
    No,
    StartTls,
    FromTheStart,
}

/// A line received by the server.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) encrypted: bool,
    pub(crate) text: String,
}

pub(crate) struct MailServer {
    /// Host and port.
    pub(crate) place: String,
    talk: Arc<Talk>,
}

struct Talk {
    encryption: Encryption,
    tls: Arc<ServerConfig>,
    /// Responses to the first recipients; later recipients are accepted.
    answers: Vec<&'static str>,
    recipients: AtomicUsize,
    reported: Mutex<Vec<Line>>,
    /// Message-IDs of the accepted emails.
    delivered: Mutex<Vec<String>>,
    /// Milliseconds between the end of an email and the response.
    pause: AtomicU64,
}

impl MailServer {
    pub(crate) fn start(encryption: Encryption, answers: &[&'static str]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let place = listener.local_addr().unwrap().to_string();
        let certificate = CertificateDer::from_pem_file(CERTIFICATE).unwrap();
        let key = PrivateKeyDer::from_pem_slice(include_bytes!("localhost/key.pem")).unwrap();
        let tls =
            ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
                .with_safe_default_protocol_versions()
                .unwrap()
                .with_no_client_auth()
                .with_single_cert(vec![certificate], key)
                .unwrap();
        let talk = Arc::new(Talk {
            encryption,
            tls: Arc::new(tls),
            answers: answers.to_vec(),
            recipients: AtomicUsize::new(0),
            reported: Mutex::new(Vec::new()),
            delivered: Mutex::new(Vec::new()),
            pause: AtomicU64::new(0),
        });
        let its_talk = Arc::clone(&talk);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let talk = Arc::clone(&its_talk);
                std::thread::spawn(move || talk.take(stream.unwrap()));
            }
        });
        Self { place, talk }
    }

    /// All lines received so far.
    pub(crate) fn reported(&self) -> Vec<Line> {
        self.talk.reported.lock().unwrap().clone()
    }

    /// Message-IDs of the accepted emails, in order.
    pub(crate) fn delivered(&self) -> Vec<String> {
        self.talk.delivered.lock().unwrap().clone()
    }

    /// Sets the delay of the responses to emails.
    pub(crate) fn pause(&self, milliseconds: u64) {
        self.talk.pause.store(milliseconds, Ordering::Relaxed);
    }

    /// Number of accepted emails.
    pub(crate) fn taken(&self) -> usize {
        self.reported().iter().filter(|line| line.text == ".").count()
    }
}

impl Talk {
    fn take(&self, stream: TcpStream) {
        let encrypted = |stream| {
            StreamOwned::new(ServerConnection::new(Arc::clone(&self.tls)).unwrap(), stream)
        };
        if self.encryption == Encryption::FromTheStart {
            self.converse(encrypted(stream), true, "220 mail.example.com\r\n");
        } else if self.converse(&stream, false, "220 mail.example.com\r\n") {
            self.converse(encrypted(stream), true, "");
        }
    }

    /// Converses until the connection ends or the client requests encryption; returns whether the
    /// client requested encryption.
    fn converse(&self, stream: impl Read + Write, encrypted: bool, greeting: &str) -> bool {
        let mut stream = BufReader::new(stream);
        let mut in_text = false;
        let mut message_id = String::new();
        let mut reply = greeting.to_owned();
        loop {
            // A client that rejects the certificate disconnects.
            if stream
                .get_mut()
                .write_all(reply.as_bytes())
                .and_then(|()| stream.get_mut().flush())
                .is_err()
            {
                return false;
            }
            if reply == "220 go on\r\n" {
                return true;
            }
            let mut line = String::new();
            let Ok(1..) = stream.read_line(&mut line) else { return false };
            let text = line.trim_end_matches(['\r', '\n']).to_owned();
            let answer = match text.split([' ', ':']).next().unwrap_or_default() {
                "." => "250 taken",
                _ if in_text => "",
                "EHLO" if self.encryption == Encryption::StartTls && !encrypted => {
                    "250-mail.example.com\r\n250 STARTTLS"
                }
                "EHLO" => "250-mail.example.com\r\n250 AUTH PLAIN",
                "STARTTLS" => "220 go on",
                "AUTH" => "235 welcome",
                "RCPT" => self
                    .answers
                    .get(self.recipients.fetch_add(1, Ordering::Relaxed))
                    .copied()
                    .unwrap_or("250 good"),
                "DATA" => "354 go on",
                "QUIT" => "221 good bye",
                _ => "250 good",
            };
            if in_text && let Some(id) = text.strip_prefix("Message-ID: ") {
                message_id = id.to_owned();
            }
            let is_whole = in_text && text == ".";
            in_text = answer.is_empty() || answer.starts_with("354");
            self.reported.lock().unwrap().push(Line { encrypted, text });
            if is_whole {
                self.delivered.lock().unwrap().push(std::mem::take(&mut message_id));
                std::thread::sleep(Duration::from_millis(self.pause.load(Ordering::Relaxed)));
            }
            reply = if answer.is_empty() { String::new() } else { format!("{answer}\r\n") };
        }
    }
}
