//! Getting mails out: into a folder at once, or to an SMTP server in the background.

use super::MailError;
use jiff::Timestamp;
use lettre::{Message, SmtpTransport, Transport};
use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, SyncSender, TrySendError, sync_channel},
    },
    thread::JoinHandle,
    time::Duration,
};
use tracing::{info, warn};
use url::{Host, Url};

/// Mails that may wait; more are dropped, with a line in the log.
const QUEUE: usize = 1_000;
/// How long to wait before each further try.
const PAUSES: [Duration; 3] = [Duration::from_secs(2), Duration::from_secs(10), Duration::from_secs(60)];
/// How long the server may take to answer.
const PATIENCE: Duration = Duration::from_secs(15);

/// Where mails go.
#[derive(Clone, PartialEq, Eq)]
pub enum Delivery {
    /// Each into a file of this folder, readable by its owner only.
    Folder(PathBuf),
    /// To the SMTP server at this address, which may hold a password.
    Smtp(String),
}

/// Gets mails out.
pub(super) enum Postman {
    Folder(PathBuf),
    Smtp(Smtp),
}

impl Postman {
    pub(super) fn new(delivery: &Delivery) -> Result<Self, MailError> {
        match delivery {
            Delivery::Folder(folder) => {
                make_folder(folder)?;
                info!(folder = %folder.display(), "no SMTP server is configured: mails are written into the folder");
                Ok(Self::Folder(folder.clone()))
            }
            Delivery::Smtp(url) => Ok(Self::Smtp(Smtp::start(transport(url)?)?)),
        }
    }

    /// Takes a mail over. Nothing of it is put into the log: whoever reads that must not be able to follow its link.
    pub(super) fn take(&self, now: Timestamp, message: Message) {
        match self {
            Self::Folder(folder) => {
                if let Err(error) = write(folder, now, &message.formatted()) {
                    warn!(%error, "a mail could not be written into the folder");
                }
            }
            Self::Smtp(smtp) => smtp.take(message),
        }
    }
}

fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

/// Files sort by when they were written.
fn write(folder: &Path, now: Timestamp, mail: &[u8]) -> io::Result<()> {
    for number in 0..1_000_000 {
        let name = format!("{:017}-{number:06}.eml", now.as_microsecond());
        match store::create_private(&folder.join(name)) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
            Ok(mut file) => return file.write_all(mail),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// The transport for an address. `smtps:` is encrypted from the first byte; `smtp:` by STARTTLS, which must succeed unless the server is
/// this machine. `?tls=none`, `?tls=opportunistic` and `?tls=required` say otherwise.
fn transport(url: &str) -> Result<SmtpTransport, MailError> {
    // The library's message would tell the address, and a password with it.
    let refused = |why: &str| MailError::Smtp(why.to_owned());
    let mut parsed = Url::parse(url).map_err(|_| refused("this is not an address"))?;
    let host = parsed.host().map(|host| host.to_owned()).ok_or_else(|| refused("it has no host"))?;
    let local = match host {
        Host::Domain(name) => name == "localhost",
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => address.is_loopback(),
    };
    let asked = parsed.query_pairs().find(|(name, _)| name == "tls").map(|(_, value)| value.into_owned());
    match (parsed.scheme(), asked.as_deref()) {
        ("smtps", None) => {}
        ("smtp", None) if local => {}
        ("smtp", None) => parsed.set_query(Some("tls=required")),
        ("smtp", Some("none")) => parsed.set_query(None),
        ("smtp", Some("opportunistic" | "required")) => {}
        ("smtp" | "smtps", Some(_)) => return Err(refused("with smtp: tls can be none, opportunistic or required")),
        _ => return Err(refused("it begins with neither smtp: nor smtps:")),
    }
    let builder = SmtpTransport::from_url(parsed.as_str()).map_err(|_| refused("it cannot be used"))?;
    Ok(builder.timeout(Some(PATIENCE)).build())
}

/// A thread that hands mails to a server.
pub(super) struct Smtp {
    queue: Option<SyncSender<Message>>,
    stopping: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Smtp {
    fn start(transport: SmtpTransport) -> io::Result<Self> {
        let (queue, waiting) = sync_channel(QUEUE);
        let stopping = Arc::new(AtomicBool::new(false));
        let its_stopping = Arc::clone(&stopping);
        let deliver = move || deliver(&waiting, &its_stopping, &mut |message| transport.send(message).map(|_| ()));
        let thread = std::thread::Builder::new().name("mail".into()).spawn(deliver)?;
        Ok(Self { queue: Some(queue), stopping, thread: Some(thread) })
    }

    fn take(&self, message: Message) {
        let sent = self.queue.as_ref().map(|queue| queue.try_send(message));
        if let Some(Err(TrySendError::Full(_) | TrySendError::Disconnected(_))) = sent {
            warn!("a mail was dropped: too many are waiting for the SMTP server");
        }
    }
}

/// Gives each mail that still waits one try.
impl Drop for Smtp {
    fn drop(&mut self) {
        self.queue = None;
        self.stopping.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            drop(thread.join());
        }
    }
}

fn deliver(
    waiting: &Receiver<Message>,
    stopping: &AtomicBool,
    send: &mut dyn FnMut(&Message) -> Result<(), lettre::transport::smtp::Error>,
) {
    while let Ok(message) = waiting.recv() {
        for pause in PAUSES.into_iter().map(Some).chain([None]) {
            let Err(error) = send(&message) else { break };
            // The server's own words may name the recipient, so only its code is told.
            let told = error.status().map_or_else(|| "no answer that makes sense".to_owned(), |code| code.to_string());
            match pause.filter(|_| !error.is_permanent() && !stopping.load(Ordering::Relaxed)) {
                Some(pause) => {
                    warn!(answer = told, "the SMTP server did not take a mail; it is tried again");
                    std::thread::park_timeout(pause);
                }
                None => {
                    warn!(answer = told, "the SMTP server did not take a mail; it is dropped");
                    break;
                }
            }
        }
    }
}
