//! Mails to people: what they say, and getting them out, through an SMTP server or into a folder.

mod delivery;
mod texts;

pub use delivery::{Delivery, make_folder};

use delivery::Postman;
use jiff::Timestamp;
use lettre::{
    Address, Message,
    message::{
        Body, Mailbox,
        header::{self, ContentTransferEncoding, ContentType, HeaderName, HeaderValue},
    },
};
use service::{outside::Random, people::Language};
use std::fmt::Write as _;
use thiserror::Error;
use tracing::warn;

/// A mail to a person. Links are whole addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mail {
    /// To who signed up: follow the link to confirm the address.
    ConfirmSignUp {
        /// The page that confirms.
        link: String,
    },
    /// To who has an account, when somebody signs up with their address.
    SignUpTaken {
        /// The page to sign in.
        link: String,
    },
    /// To who forgot the password.
    ResetPassword {
        /// The page to set another.
        link: String,
    },
    /// The password was changed, or set by a link.
    PasswordChanged {
        /// The page for who forgot the password.
        link: String,
    },
    /// To the new address: follow the link to use it.
    ConfirmEmailChange {
        /// The page that confirms.
        link: String,
    },
    /// To who has an account, when another wants their address.
    EmailChangeTaken,
    /// To the old address.
    EmailChanged {
        /// The new address.
        email: String,
    },
    /// A second factor was set up.
    SecondFactorOn {
        /// The page for who forgot the password.
        link: String,
    },
    /// The second factor was taken away.
    SecondFactorOff {
        /// The page for who forgot the password.
        link: String,
    },
    /// Somebody signed in with a recovery code.
    RecoveryCodeUsed {
        /// The page for who forgot the password.
        link: String,
    },
    /// New recovery codes took the place of the old ones.
    RecoveryCodesMade {
        /// The page for who forgot the password.
        link: String,
    },
    /// The account was closed.
    AccountClosed,
}

/// Why mails cannot be sent as the operator wants.
#[derive(Debug, Error)]
pub enum MailError {
    /// The sender is not an address.
    #[error("the sender must be an e-mail address, such as books@example.com or \"Books <books@example.com>\"")]
    From,
    /// The address of the SMTP server is not one.
    #[error(
        "the SMTP server must be given as smtp://user:password@host:587 (encrypted by STARTTLS) or smtps://user:password@host:465: {0}"
    )]
    Smtp(String),
    /// The folder cannot be made.
    #[error("the folder for mails cannot be made: {0}")]
    Folder(#[from] std::io::Error),
}

/// Sends mails.
pub struct Mailer {
    from: Mailbox,
    base_url: String,
    postman: Postman,
}

impl Mailer {
    /// A mailer that sends from this address; links in the signature go to `base_url`.
    ///
    /// # Errors
    /// The sender or the SMTP server is not an address, or the folder cannot be made.
    pub fn new(delivery: &Delivery, from: &str, base_url: &str) -> Result<Self, MailError> {
        let from = from.parse().map_err(|_| MailError::From)?;
        Ok(Self { from, base_url: base_url.to_owned(), postman: Postman::new(delivery)? })
    }

    /// Checks what [`Mailer::new`] will be given, before anything is made.
    ///
    /// # Errors
    /// The sender or the SMTP server is not an address.
    pub fn check(smtp: Option<&str>, from: &str) -> Result<(), MailError> {
        from.parse::<Mailbox>().map_err(|_| MailError::From)?;
        smtp.map_or(Ok(()), delivery::check)
    }

    /// Whether a mail can be sent to what somebody gave as their address.
    #[must_use]
    pub fn accepts(address: &str) -> bool {
        address.parse::<Address>().is_ok()
    }

    /// Sends a mail, in the background. That it could not be sent stands in the log.
    pub fn send(&self, now: Timestamp, random: &dyn Random, to: &str, language: Language, mail: &Mail) {
        match self.write(now, random, to, language, mail) {
            Ok(message) => self.postman.take(now, message),
            Err(error) => warn!(%error, "a mail could not be written"),
        }
    }

    fn write(
        &self,
        now: Timestamp,
        random: &dyn Random,
        to: &str,
        language: Language,
        mail: &Mail,
    ) -> Result<Message, lettre::error::Error> {
        // An address type of the library's: what is no address, line breaks above all, never reaches a header.
        let to: Address = to.parse().map_err(|_| lettre::error::Error::MissingTo)?;
        let (subject, text) = texts::of(mail, language, &self.base_url);
        let message = Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            .date(now.into())
            .message_id(Some(self.message_id(random)))
            // Answering machines must not answer (RFC 3834, section 5).
            .raw_header(HeaderValue::new(HeaderName::new_from_ascii_str("Auto-Submitted"), "auto-generated".into()))
            .subject(subject)
            // Without it the two headers after it, and with them the encoding, mean nothing (RFC 2045, section 4).
            .header(header::MIME_VERSION_1_0)
            .header(ContentType::TEXT_PLAIN);
        message.body(self.encoded(text))
    }

    /// In a folder a link must stand as it is, to be copied out; an SMTP server may not know `8BITMIME` (RFC 6152), so for one the
    /// library chooses.
    fn encoded(&self, text: String) -> Body {
        let lines: Vec<&str> = text.lines().collect();
        // What a mail may hold as it is (RFC 5322, section 2.1.1). The library already encodes lines longer than 76.
        let fits = lines.iter().all(|line| line.len() <= 998 && !line.contains(['\r', '\0']));
        match &self.postman {
            Postman::Folder(_) if fits => {
                Body::dangerous_pre_encoded(lines.join("\r\n").into_bytes(), ContentTransferEncoding::EightBit)
            }
            Postman::Folder(_) | Postman::Smtp(_) => Body::new(text),
        }
    }

    /// Made here, because the library would put this machine's name into it.
    fn message_id(&self, random: &dyn Random) -> String {
        let mut bytes = [0; 16];
        // It need not be secret: without randomness two mails share one at worst.
        let _ = random.fill(&mut bytes);
        let mut id = String::from("<");
        for byte in bytes {
            // Writing to a String cannot fail.
            let _ = write!(id, "{byte:02x}");
        }
        format!("{id}@{}>", self.from.email.domain())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use service::outside::Machine;

    fn mailer(folder: &std::path::Path) -> Mailer {
        Mailer::new(&Delivery::Folder(folder.to_owned()), "Books <books@example.com>", "https://books.example.com").unwrap()
    }

    #[test]
    fn a_mail_is_a_plain_text_with_the_headers_of_a_machine() {
        let folder = tempfile::tempdir().unwrap();
        let link = "https://books.example.com/signup/confirm?token=abc".to_owned();
        let now: Timestamp = "2026-11-21T12:00:00Z".parse().unwrap();
        let mail = Mail::ConfirmSignUp { link: link.clone() };
        mailer(folder.path()).send(now, &Machine, "anna@example.com", Language::English, &mail);
        let mails = testing::mail::sent_to(folder.path(), "anna@example.com");
        let [mail] = &mails[..] else { panic!("{mails:?}") };
        assert_eq!((mail.subject.as_str(), mail.link()), ("Confirm your e-mail address for Grootboek", link));
        assert!(mail.text.starts_with("Hello,\n\nAn account"), "{}", mail.text);
        assert!(mail.text.trim_end().ends_with("Grootboek\nhttps://books.example.com"), "{}", mail.text);
        let dutch = Mail::ResetPassword { link: format!("https://books.example.com/{}", "x".repeat(200)) };
        mailer(folder.path()).send(now, &Machine, "bram@example.com", Language::Dutch, &dutch);
        for file in std::fs::read_dir(folder.path()).unwrap() {
            let file = std::fs::read_to_string(file.unwrap().path()).unwrap();
            assert!(file.contains("Content-Transfer-Encoding: 8bit") && !file.contains("=\r\n"), "{file}");
        }
        for header in [
            "From: Books <books@example.com>",
            "Date: Sat, 21 Nov 2026 12:00:00 +0000",
            "Auto-Submitted: auto-generated",
            "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8",
        ] {
            assert!(mail.headers.lines().any(|line| line == header), "{header} is not in\n{}", mail.headers);
        }
        let id = mail.headers.lines().find_map(|line| line.strip_prefix("Message-ID: <")).unwrap();
        assert!(id.len() == 32 + "@example.com>".len() && id.ends_with("@example.com>"), "{id}");
    }

    #[test]
    fn nothing_that_is_given_reaches_a_header_but_an_address() {
        let folder = tempfile::tempdir().unwrap();
        let mailer = mailer(folder.path());
        let bad = [
            "anna@example.com\r\nBcc: all@example.com",
            "anna@example.com\nBcc: all@example.com",
            "anna@example.com, all@example.com",
            "Anna <anna@example.com>",
            "anna@example.com\0",
            "anna",
            "",
        ];
        for address in bad {
            assert!(!Mailer::accepts(address), "{address:?}");
            mailer.send(Timestamp::UNIX_EPOCH, &Machine, address, Language::Dutch, &Mail::AccountClosed);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        let mail = Mail::EmailChanged { email: "x@example.com\r\nBcc: all@example.com".into() };
        mailer.send(Timestamp::UNIX_EPOCH, &Machine, "anna@example.com", Language::Dutch, &mail);
        let [mail] = &testing::mail::sent_to(folder.path(), "anna@example.com")[..] else { panic!() };
        assert!(!mail.headers.contains("Bcc"), "{}", mail.headers);
    }
}
