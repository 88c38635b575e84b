//! Delivery of emails: into a folder, or to an SMTP server.

use super::{MailError, SmtpFault};
use jiff::Timestamp;
use lettre::{Message, SmtpTransport, Transport};
use std::{
    error::Error as _,
    fs,
    io::{self, Write},
    net::IpAddr,
    path::{Path, PathBuf},
    time::Duration,
};
use tracing::info;
use url::Url;

/// Timeout for responses from the server.
const SMTP_TIMEOUT: Duration = Duration::from_secs(15);

/// Destination of outgoing emails.
#[derive(Clone, PartialEq, Eq)]
pub enum Delivery {
    /// A folder that receives each email as a file that only its owner can read.
    Folder(PathBuf),
    /// The SMTP server at this URL, which may contain a password.
    Smtp(String),
}

/// Transport of emails.
pub(super) enum Postman {
    Folder(PathBuf),
    Smtp { transport: Box<SmtpTransport>, place: String },
}

/// A failed delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotTaken {
    /// Whether the failure is permanent, so that a retry is useless.
    pub is_final: bool,
    /// Reason for the log, without personal data.
    pub cause: String,
    /// Reason shown to the sender: the server's own words, if it gave any.
    pub reported: String,
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
                Ok(Self::Smtp { transport: Box::new(transport), place })
            }
        }
    }

    /// Delivers an email and waits until it is accepted. Never logs the text of an email, because
    /// readers of the log must not be able to follow the email's links.
    pub(super) fn deliver(&self, now: Timestamp, message: &Message) -> Result<(), NotTaken> {
        match self {
            Self::Folder(folder) => write(folder, now, &message.formatted()).map_err(|error| {
                let cause = format!("the mail could not be written into the folder: {error}");
                NotTaken { is_final: false, reported: cause.clone(), cause }
            }),
            Self::Smtp { transport, place } => match transport.send(message) {
                Ok(_) => Ok(()),
                Err(error) => {
                    let cause = cause(&error, place);
                    let reported = match error.status() {
                        Some(_) => error.source().map_or_else(
                            || error.to_string(),
                            |source| format!("{error}: {source}"),
                        ),
                        None => cause.clone(),
                    };
                    Err(NotTaken {
                        is_final: error.is_permanent(),
                        cause,
                        reported: reported.chars().take(500).collect(),
                    })
                }
            },
        }
    }
}

/// Creates a folder that only its owner can access, if it does not exist.
///
/// # Errors
/// The folder cannot be created.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

/// Writes an email to a file whose name sorts by time. The file gets its final name when it is
/// complete, so that readers never see an incomplete email.
pub(super) fn write(folder: &Path, now: Timestamp, mail: &[u8]) -> io::Result<()> {
    for number in 0..1_000_000 {
        let file = folder.join(format!("{:017}-{number:06}.eml", now.as_microsecond()));
        let unfinished = file.with_extension("part");
        match store::create_private(&unfinished) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
            // The unfinished file also reserves the final name, so that emails written at the same
            // moment do not overwrite each other.
            Ok(_) if file.exists() => fs::remove_file(&unfinished)?,
            Ok(mut part) => {
                return part.write_all(mail).and_then(|()| fs::rename(&unfinished, &file));
            }
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Returns the transport for a URL, and the host and port for the log, without user and password.
/// `smtps:` uses TLS from the first byte. `smtp:` requires STARTTLS, but connects to a local server
/// without TLS; `?tls=none`, `?tls=opportunistic` and `?tls=required` override this.
pub(super) fn transport(url: &str) -> Result<(SmtpTransport, String), MailError> {
    // The library's error message would contain the URL, and with it the password.
    let mut parsed = Url::parse(url).map_err(|_| MailError::Smtp(SmtpFault::NotAnAddress))?;
    // An unescaped `/`, `?` or `#` in a password would end the authority part of the URL early, and
    // the URL would name another host.
    let has_rest = !matches!(parsed.path(), "" | "/")
        || parsed.fragment().is_some()
        || parsed.query_pairs().any(|(name, _)| name != "tls")
        || url.matches('@').count() > 1;
    if has_rest {
        return Err(MailError::Smtp(SmtpFault::Rest));
    }
    let host = parsed
        .host_str()
        .filter(|host| !host.is_empty())
        .ok_or(MailError::Smtp(SmtpFault::NoHost))?;
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    let local = host == "localhost" || address.is_ok_and(|address| address.is_loopback());
    let tls =
        parsed.query_pairs().find(|(name, _)| name == "tls").map(|(_, value)| value.into_owned());
    match (parsed.scheme(), tls.as_deref()) {
        ("smtps", None) => {}
        ("smtp", None) if local => {}
        ("smtp", None) => parsed.set_query(Some("tls=required")),
        ("smtp", Some("none")) => parsed.set_query(None),
        ("smtp", Some("opportunistic" | "required")) => {}
        ("smtp" | "smtps", Some(_)) => return Err(MailError::Smtp(SmtpFault::Tls)),
        _ => return Err(MailError::Smtp(SmtpFault::Scheme)),
    }
    let builder = SmtpTransport::from_url(parsed.as_str())
        .map_err(|_| MailError::Smtp(SmtpFault::Unusable))?;
    // The library's default ports, to name the port for the log.
    let default_port = match (parsed.scheme(), parsed.query()) {
        ("smtps", _) => 465,
        (_, Some(_)) => 587,
        (_, None) => 25,
    };
    let place = format!(
        "{}:{}",
        parsed.host_str().unwrap_or_default(),
        parsed.port().unwrap_or(default_port)
    );
    Ok((builder.timeout(Some(SMTP_TIMEOUT)).build(), place))
}

/// Validates the URL of an SMTP server.
pub(super) fn check(url: &str) -> Result<(), MailError> {
    transport(url).map(|_| ())
}

/// Describes a failed delivery for the log. The server's own words may name the recipient, so only
/// the response code is included. Local errors contain no personal data.
fn cause(error: &lettre::transport::smtp::Error, place: &str) -> String {
    if let Some(code) = error.status() {
        return format!("{place} answered {code}");
    }
    if error.is_response() {
        return format!("{place} sent an invalid response");
    }
    let why = error.source().map_or_else(|| "the connection was closed".to_owned(), reason);
    if error.is_client() {
        format!("{place}: {why}")
    } else {
        format!("cannot connect to {place}: {why}")
    }
}

/// Describes a local error. The system's text for a timeout ("Resource temporarily unavailable") is
/// replaced by a clearer one.
fn reason(source: &(dyn std::error::Error + 'static)) -> String {
    let kind = source.downcast_ref::<io::Error>().map(io::Error::kind);
    match kind {
        Some(io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
            format!("no answer within {} s", SMTP_TIMEOUT.as_secs())
        }
        _ => source.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        io::{BufRead, BufReader},
        net::TcpListener,
        thread::{self, JoinHandle},
    };

    fn message(to: &str) -> Message {
        let builder =
            Message::builder().from("books@example.com".parse().unwrap()).to(to.parse().unwrap());
        builder.subject("Hello").body("a text\n".to_owned()).unwrap()
    }

    /// Starts a server that accepts one conversation and answers `RCPT` with `answer`; returns its
    /// URL and the thread, which yields the lines received.
    fn server(answer: &'static str) -> (String, JoinHandle<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("smtp://{}", listener.local_addr().unwrap());
        let talk = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let mut reported = String::new();
            let mut in_text = false;
            stream.write_all(b"220 ready\r\n").unwrap();
            while let Some(Ok(line)) = lines.next() {
                reported += &format!("{line}\n");
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
            reported
        });
        (url, talk)
    }

    #[test]
    fn a_mail_reaches_the_server() {
        let (url, talk) = server("250 good");
        let postman = Postman::new(&Delivery::Smtp(url)).unwrap();
        postman.deliver(Timestamp::UNIX_EPOCH, &message("anna@example.com")).unwrap();
        drop(postman);
        let reported = talk.join().unwrap();
        for line in [
            "MAIL FROM:<books@example.com>",
            "RCPT TO:<anna@example.com>",
            "Subject: Hello",
            "a text",
        ] {
            assert!(reported.lines().any(|it| it.starts_with(line)), "{line}: {reported}");
        }
    }

    #[test]
    fn an_unknown_recipient_is_not_retried() {
        let (url, talk) = server("550 who is anna@example.com?");
        let postman = Postman::new(&Delivery::Smtp(url)).unwrap();
        let refused =
            postman.deliver(Timestamp::UNIX_EPOCH, &message("anna@example.com")).unwrap_err();
        assert!(
            refused.is_final && refused.reported.contains("who is anna@example.com?"),
            "{refused:?}"
        );
        assert!(!refused.cause.contains("anna"), "{refused:?}");
        drop(postman);
        assert_eq!(talk.join().unwrap().matches("RCPT").count(), 1);
    }

    #[test]
    fn an_unreachable_server_is_retried() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("smtp://{}", listener.local_addr().unwrap());
        drop(listener);
        let postman = Postman::new(&Delivery::Smtp(url)).unwrap();
        assert!(
            !postman
                .deliver(Timestamp::UNIX_EPOCH, &message("anna@example.com"))
                .unwrap_err()
                .is_final
        );
    }

    #[test]
    fn a_timeout_is_reported_as_such() {
        let of = |kind: io::ErrorKind| reason(&io::Error::from(kind));
        for kind in [io::ErrorKind::WouldBlock, io::ErrorKind::TimedOut] {
            assert_eq!(of(kind), "no answer within 15 s");
        }
        assert!(of(io::ErrorKind::ConnectionRefused).contains("refused"));
    }

    #[test]
    fn the_reason_of_a_failed_delivery_contains_nothing_of_the_mail() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("smtp://me:s3cret@{}", listener.local_addr().unwrap());
        drop(listener);
        let (transport, place) = super::transport(&url).unwrap();
        let error = transport.send(&message("anna@example.com")).unwrap_err();
        let reported = cause(&error, &place).to_lowercase();
        assert!(
            reported.starts_with(&format!("cannot connect to {place}: "))
                && reported.contains("refused"),
            "{reported}"
        );
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
    fn urls_of_servers_are_parsed() {
        for good in [
            "smtp://user:pass@mail.example.com:587",
            "smtps://user:p%40ss@mail.example.com:465",
            "smtps://mail.example.com",
            "smtp://localhost:25",
            "smtp://localhost:25?tls=required",
            "smtp://mail.example.com?tls=none",
            "smtp://mail.example.com:587/",
            "smtp://user:p%2Fs%3Fs%23%40@mail.example.com:587",
            "smtp://[::1]:25",
        ] {
            assert!(transport(good).is_ok(), "{good}");
        }
        let bad = [
            ("", SmtpFault::NotAnAddress),
            ("mail.example.com", SmtpFault::NotAnAddress),
            ("http://user:s3cret@host", SmtpFault::Scheme),
            ("smtp://", SmtpFault::NoHost),
            ("smtp://user:p@ss/word@mail.example.com", SmtpFault::Rest),
            ("smtp://user:p@ss@mail.example.com", SmtpFault::Rest),
            ("smtp://user:12/3@mail.example.com", SmtpFault::Rest),
            ("smtp://user:12?3@mail.example.com", SmtpFault::Rest),
            ("smtps://user:12#3@mail.example.com", SmtpFault::Rest),
            ("smtp://user:s3cret@mail.example.com/inbox", SmtpFault::Rest),
            ("smtp://user:s3cret@mail.example.com?tsl=required", SmtpFault::Rest),
            ("smtp://user:s/cret@mail.example.com", SmtpFault::NotAnAddress),
            ("smtp://u:s3cret@h?tls=perhaps", SmtpFault::Tls),
            ("smtps://u:s3cret@h?tls=none", SmtpFault::Tls),
        ];
        for (bad, expected) in bad {
            let error = transport(bad).err().unwrap_or_else(|| panic!("{bad}"));
            assert!(
                matches!(error, MailError::Smtp(fault) if fault == expected),
                "{bad}: {error:?}"
            );
        }
    }

    #[test]
    fn a_folder_is_for_its_owner_only_and_its_files_sort_by_time() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("new").join("mail");
        let postman = Postman::new(&Delivery::Folder(folder.clone())).unwrap();
        let later = Timestamp::UNIX_EPOCH + jiff::SignedDuration::from_secs(1);
        for (at, to) in [
            (later, "c@example.com"),
            (Timestamp::UNIX_EPOCH, "a@example.com"),
            (Timestamp::UNIX_EPOCH, "b@example.com"),
        ] {
            postman.deliver(at, &message(to)).unwrap();
        }
        let mut files: Vec<PathBuf> =
            fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()).collect();
        files.sort();
        for (file, to) in files.iter().zip(["a@example.com", "b@example.com", "c@example.com"]) {
            assert!(
                fs::read_to_string(file).unwrap().contains(&format!("To: {to}\r\n")),
                "{}",
                file.display()
            );
        }
        #[cfg(unix)]
        for (path, mode) in [(&folder, 0o700), (&files[0], 0o600)] {
            assert_eq!(
                std::os::unix::fs::MetadataExt::mode(&fs::metadata(path).unwrap()) & 0o777,
                mode,
                "{}",
                path.display()
            );
        }
    }
}
