//! Getting mails out: into a folder at once, or to an SMTP server in the background.

use super::MailError;
use jiff::Timestamp;
use lettre::{Message, SmtpTransport, Transport};
use std::{
    error::Error as _,
    fs,
    io::{self, Write},
    net::IpAddr,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread::JoinHandle,
    time::Duration,
};
use tracing::{info, warn};
use url::Url;

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
            Delivery::Smtp(url) => {
                let (transport, place) = transport(url)?;
                Ok(Self::Smtp(Smtp::start(transport, place)?))
            }
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

/// Makes a folder that only its owner can look into, unless it is there.
///
/// # Errors
/// It cannot be made.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

/// Files sort by when they were written. A mail gets its name once it is whole, so that nobody reads half of one.
fn write(folder: &Path, now: Timestamp, mail: &[u8]) -> io::Result<()> {
    for number in 0..1_000_000 {
        let file = folder.join(format!("{:017}-{number:06}.eml", now.as_microsecond()));
        let unfinished = file.with_extension("part");
        match store::create_private(&unfinished) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
            // Whoever has the unfinished file has the name too, so the two tries of one moment do not meet.
            Ok(_) if file.exists() => fs::remove_file(&unfinished)?,
            Ok(mut part) => return part.write_all(mail).and_then(|()| fs::rename(&unfinished, &file)),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// The transport for an address, and its host and port, for the log: without the user and the password. `smtps:` is encrypted from the
/// first byte; `smtp:` by STARTTLS, which must succeed unless the server is this machine. `?tls=none`, `?tls=opportunistic` and
/// `?tls=required` say otherwise.
fn transport(url: &str) -> Result<(SmtpTransport, String), MailError> {
    // The library's message would tell the address, and a password with it.
    let refused = |why: &str| MailError::Smtp(why.to_owned());
    let mut parsed = Url::parse(url).map_err(|_| refused("this is not an address"))?;
    let host = parsed.host_str().filter(|host| !host.is_empty()).ok_or_else(|| refused("it has no host"))?;
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    let local = host == "localhost" || address.is_ok_and(|address| address.is_loopback());
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
    // The ports that the library takes when none is given.
    let usual = match (parsed.scheme(), parsed.query()) {
        ("smtps", _) => 465,
        (_, Some(_)) => 587,
        (_, None) => 25,
    };
    let place = format!("{}:{}", parsed.host_str().unwrap_or_default(), parsed.port().unwrap_or(usual));
    Ok((builder.timeout(Some(PATIENCE)).build(), place))
}

/// Whether mails can go to the server at this address, as far as the address tells.
pub(super) fn check(url: &str) -> Result<(), MailError> {
    transport(url).map(|_| ())
}

/// Why a mail was not taken. The server's own words may name the recipient, so only its code is told; what this side found out by itself
/// names nobody.
fn cause(error: &lettre::transport::smtp::Error, place: &str) -> String {
    if let Some(code) = error.status() {
        return format!("{place} answered {code}");
    }
    if error.is_response() {
        return format!("{place} gave no answer that makes sense");
    }
    let why = error.source().map_or_else(|| "the connection was closed".to_owned(), ToString::to_string);
    if error.is_client() { format!("{place}: {why}") } else { format!("cannot connect to {place}: {why}") }
}

/// A thread that hands mails to a server.
pub(super) struct Smtp {
    queue: Option<SyncSender<Message>>,
    stopping: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Smtp {
    fn start(transport: SmtpTransport, place: String) -> io::Result<Self> {
        let (queue, waiting) = sync_channel(QUEUE);
        let stopping = Arc::new(AtomicBool::new(false));
        let its_stopping = Arc::clone(&stopping);
        let deliver = move || deliver(&waiting, &its_stopping, &place, &mut |message| transport.send(message).map(|_| ()));
        let thread = std::thread::Builder::new().name("mail".into()).spawn(deliver)?;
        Ok(Self { queue: Some(queue), stopping, thread: Some(thread) })
    }

    fn take(&self, message: Message) {
        if let Some(queue) = &self.queue
            && queue.try_send(message).is_err()
        {
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
    place: &str,
    send: &mut dyn FnMut(&Message) -> Result<(), lettre::transport::smtp::Error>,
) {
    while let Ok(message) = waiting.recv() {
        for pause in PAUSES.into_iter().map(Some).chain([None]) {
            let Err(error) = send(&message) else { break };
            let cause = cause(&error, place);
            match pause.filter(|_| !error.is_permanent() && !stopping.load(Ordering::Relaxed)) {
                Some(pause) => {
                    warn!(cause, "the SMTP server did not take a mail; it is tried again");
                    std::thread::park_timeout(pause);
                }
                None => {
                    warn!(cause, "the SMTP server did not take a mail; it is dropped");
                    break;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        io::{BufRead, BufReader},
        net::TcpListener,
        thread,
    };

    fn message(to: &str) -> Message {
        let builder = Message::builder().from("books@example.com".parse().unwrap()).to(to.parse().unwrap());
        builder.subject("Hello").body("a text\n".to_owned()).unwrap()
    }

    /// A server that takes one conversation, and answers a recipient with `answer`; gives what it was told.
    fn server(answer: &'static str) -> (String, JoinHandle<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("smtp://{}", listener.local_addr().unwrap());
        let talk = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let mut told = String::new();
            let mut in_text = false;
            stream.write_all(b"220 ready\r\n").unwrap();
            while let Some(Ok(line)) = lines.next() {
                told += &format!("{line}\n");
                let reply = match line.split([' ', ':']).next().unwrap_or_default() {
                    "." => {
                        in_text = false;
                        "250 taken"
                    }
                    _ if in_text => continue,
                    "RCPT" => answer,
                    "DATA" => {
                        in_text = true;
                        "354 go on"
                    }
                    "QUIT" => break,
                    _ => "250 good",
                };
                stream.write_all(format!("{reply}\r\n").as_bytes()).unwrap();
            }
            told
        });
        (url, talk)
    }

    #[test]
    fn a_mail_reaches_the_server() {
        let (url, talk) = server("250 good");
        let postman = Postman::new(&Delivery::Smtp(url)).unwrap();
        postman.take(Timestamp::UNIX_EPOCH, message("anna@example.com"));
        // What was taken over is sent before the end.
        drop(postman);
        let told = talk.join().unwrap();
        for line in ["MAIL FROM:<books@example.com>", "RCPT TO:<anna@example.com>", "Subject: Hello", "a text"] {
            assert!(told.lines().any(|it| it.starts_with(line)), "{line}: {told}");
        }
    }

    #[test]
    fn a_recipient_that_the_server_does_not_know_is_not_tried_again() {
        let (url, talk) = server("550 who is anna@example.com?");
        let postman = Postman::new(&Delivery::Smtp(url)).unwrap();
        postman.take(Timestamp::UNIX_EPOCH, message("anna@example.com"));
        drop(postman);
        assert_eq!(talk.join().unwrap().matches("RCPT").count(), 1);
    }

    #[test]
    fn a_server_that_is_not_there_holds_nobody_up_at_the_end() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("smtp://{}", listener.local_addr().unwrap());
        drop(listener);
        let postman = Postman::new(&Delivery::Smtp(url)).unwrap();
        let begun = std::time::Instant::now();
        for _ in 0..20 {
            postman.take(Timestamp::UNIX_EPOCH, message("anna@example.com"));
        }
        drop(postman);
        assert!(begun.elapsed() < PAUSES[0] + PAUSES[1], "the pauses between tries are cut short");
    }

    #[test]
    fn why_a_mail_was_not_taken_is_told_without_what_is_in_it() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("smtp://me:s3cret@{}", listener.local_addr().unwrap());
        drop(listener);
        let (transport, place) = super::transport(&url).unwrap();
        let error = transport.send(&message("anna@example.com")).unwrap_err();
        let told = cause(&error, &place).to_lowercase();
        assert!(told.starts_with(&format!("cannot connect to {place}: ")) && told.contains("refused"), "{told}");
        let (url, talk) = server("550 who is anna@example.com?");
        let (transport, place) = super::transport(&url).unwrap();
        let error = transport.send(&message("anna@example.com")).unwrap_err();
        assert_eq!(cause(&error, &place), format!("{place} answered 550"));
        drop((transport, talk));
        for (url, place_of) in [
            ("smtps://u:s3cret@mail.example.com", "mail.example.com:465"),
            ("smtp://mail.example.com:2525?tls=none", "mail.example.com:2525"),
            ("smtp://mail.example.com", "mail.example.com:587"),
            ("smtp://localhost", "localhost:25"),
            ("smtp://localhost?tls=required", "localhost:587"),
        ] {
            assert_eq!(super::transport(url).unwrap().1, place_of);
        }
    }

    #[test]
    fn addresses_of_servers_are_read() {
        for good in [
            "smtp://user:pass@mail.example.com:587",
            "smtps://user:p%40ss@mail.example.com:465",
            "smtps://mail.example.com",
            "smtp://localhost:25",
            "smtp://localhost:25?tls=required",
            "smtp://mail.example.com?tls=none",
            "smtp://[::1]:25",
        ] {
            assert!(transport(good).is_ok(), "{good}");
        }
        let bad = [
            "",
            "mail.example.com",
            "http://user:s3cret@host",
            "smtp://",
            "smtp://u:s3cret@h?tls=perhaps",
            "smtps://u:s3cret@h?tls=none",
        ];
        for bad in bad {
            let error = transport(bad).err().unwrap_or_else(|| panic!("{bad}")).to_string();
            assert!(error.contains("smtp://user:password@host") && !error.contains("s3cret"), "{error}");
        }
    }

    #[test]
    fn a_folder_is_for_its_owner_only_and_its_files_sort_by_time() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("new").join("mail");
        let postman = Postman::new(&Delivery::Folder(folder.clone())).unwrap();
        let later = Timestamp::UNIX_EPOCH + jiff::SignedDuration::from_secs(1);
        for (at, to) in
            [(later, "c@example.com"), (Timestamp::UNIX_EPOCH, "a@example.com"), (Timestamp::UNIX_EPOCH, "b@example.com")]
        {
            postman.take(at, message(to));
        }
        let mut files: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()).collect();
        files.sort();
        for (file, to) in files.iter().zip(["a@example.com", "b@example.com", "c@example.com"]) {
            assert!(fs::read_to_string(file).unwrap().contains(&format!("To: {to}\r\n")), "{}", file.display());
        }
        #[cfg(unix)]
        for (path, mode) in [(&folder, 0o700), (&files[0], 0o600)] {
            assert_eq!(std::os::unix::fs::MetadataExt::mode(&fs::metadata(path).unwrap()) & 0o777, mode, "{}", path.display());
        }
    }
}
