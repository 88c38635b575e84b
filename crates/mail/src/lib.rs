//! Emails to people: their texts, and delivery through an SMTP server or into a folder.

mod delivery;
mod texts;
mod trial;

pub use delivery::{Delivery, NotTaken, make_folder};
pub use trial::{Tried, try_out};

use delivery::Postman;
use email_encoding::headers::{rfc2047, writer::EmailWriter};
use jiff::Timestamp;
use ledger::language::Language;
use lettre::{
    Address, Message,
    message::{
        Attachment, Body, Mailbox, MultiPart,
        header::{self, ContentTransferEncoding, ContentType, Header, HeaderName, HeaderValue},
    },
};
use store::outbox::{self, MessageKind};
use thiserror::Error;

/// An attachment to an email.
pub struct Attached {
    /// File name.
    pub name: String,
    /// Media type.
    pub media_type: &'static str,
    /// Content.
    pub bytes: Vec<u8>,
}

/// An email to a person. Links are absolute URLs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mail {
    /// After sign-up: a link to confirm the address.
    ConfirmSignUp {
        /// Page that confirms the address.
        link: String,
    },
    /// To an existing account, after a new sign-up with its address.
    SignUpTaken {
        /// Sign-in page.
        link: String,
    },
    /// After a request for a new password.
    ResetPassword {
        /// Page to set a new password.
        link: String,
    },
    /// The password was changed or reset.
    PasswordChanged {
        /// Page for a forgotten password.
        link: String,
    },
    /// To the new address: a link to confirm the change of address.
    ConfirmEmailChange {
        /// Page that confirms the address.
        link: String,
    },
    /// To an existing account, after another account requested a change to its address.
    EmailChangeTaken,
    /// A webhook was disabled, because its endpoint is gone or kept failing.
    WebhookDisabled {
        /// URL of the endpoint.
        url: String,
        /// Page of the webhook.
        link: String,
    },
    /// To the old address, after the email address was changed.
    EmailChanged {
        /// The new address.
        email: String,
    },
    /// The second factor was enabled.
    SecondFactorOn {
        /// Page for a forgotten password.
        link: String,
    },
    /// The second factor was disabled.
    SecondFactorOff {
        /// Page for a forgotten password.
        link: String,
    },
    /// A recovery code was used to sign in.
    RecoveryCodeUsed {
        /// Page for a forgotten password.
        link: String,
    },
    /// New recovery codes replaced the old ones.
    RecoveryCodesMade {
        /// Page for a forgotten password.
        link: String,
    },
    /// The bank account on invoices, or the IBAN of a bank account, was changed.
    BankAccountChanged {
        /// Page that shows it.
        link: String,
    },
    /// The account was closed.
    AccountClosed,
    /// The turnover is near the limit of the small businesses scheme (KOR).
    KorLimitNear {
        /// Calendar year.
        year: String,
        /// Page of the turnover.
        link: String,
    },
    /// A recurring invoice was paused automatically.
    RecurringStopped {
        /// Name of the customer.
        customer: String,
        /// Code of the refusal; `None` if emails did not reach the customer.
        cause: Option<String>,
        /// Page of the recurring invoice.
        link: String,
    },
    /// Recurring invoices wait for the limit of emails.
    RecurringPostponed {
        /// Page of the recurring invoices.
        link: String,
    },
    /// Reminders wait for the limit of emails.
    RemindersPostponed {
        /// Page of the reminders.
        link: String,
    },
    /// A customer decided on a quote.
    QuoteDecided {
        /// Whether the quote was accepted.
        is_accepted: bool,
        /// Number of the quote.
        number: String,
        /// Name of the customer.
        customer: String,
        /// Total including VAT, as text.
        total: String,
        /// Name of the person who decided.
        name: String,
        /// Note of that person.
        note: Option<String>,
        /// Whether the automatic step after the acceptance was refused.
        is_step_refused: bool,
        /// Page of the quote.
        link: String,
    },
}

/// Invalid configuration of email delivery.
#[derive(Debug, Error)]
pub enum MailError {
    /// The sender is not a valid email address.
    #[error("sender")]
    From,
    /// The recipient is not a valid email address.
    #[error("recipient")]
    To,
    /// The URL of the SMTP server is invalid.
    #[error("smtp: {0:?}")]
    Smtp(SmtpFault),
    /// The folder cannot be created.
    #[error("folder: {0}")]
    Folder(#[from] std::io::Error),
}

/// Fault in the URL of an SMTP server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SmtpFault {
    /// Not a URL.
    NotAnAddress,
    /// No host.
    NoHost,
    /// The port is followed by something other than `?tls=…`, or the password contains an unescaped
    /// special character.
    Rest,
    /// The value of `tls` is unknown.
    Tls,
    /// The scheme is neither `smtp:` nor `smtps:`.
    Scheme,
    /// Rejected by the mail library.
    Unusable,
}

/// Sends emails.
pub struct Mailer {
    from: Mailbox,
    base_url: String,
    postman: Postman,
}

impl Mailer {
    /// Creates a mailer that sends from the address `from` and links to `base_url` in the
    /// signature.
    ///
    /// # Errors
    /// The sender's address or the URL of the SMTP server is invalid, or the folder cannot be
    /// created.
    pub fn new(delivery: &Delivery, from: &str, base_url: &str) -> Result<Self, MailError> {
        let from = from.parse().map_err(|_| MailError::From)?;
        Ok(Self { from, base_url: base_url.to_owned(), postman: Postman::new(delivery)? })
    }

    /// Validates the arguments of [`Mailer::new`] without side effects.
    ///
    /// # Errors
    /// The sender's address or the URL of the SMTP server is invalid.
    pub fn check(smtp: Option<&str>, from: &str) -> Result<(), MailError> {
        from.parse::<Mailbox>().map_err(|_| MailError::From)?;
        smtp.map_or(Ok(()), delivery::check)
    }

    /// Whether an email can be sent to this address.
    #[must_use]
    pub fn accepts(address: &str) -> bool {
        address.parse::<Address>().is_ok()
    }

    /// Returns the subject and text of an email.
    #[must_use]
    pub fn texts(&self, mail: &Mail, language: Language) -> (String, String) {
        texts::of(mail, language, &self.base_url)
    }

    /// Delivers an email from the outbox with its attachments, and waits until it is accepted.
    ///
    /// # Errors
    /// The email cannot be composed, or its delivery failed.
    pub fn deliver(
        &self,
        now: Timestamp,
        mail: &outbox::Mail,
        attachments: Vec<Attached>,
    ) -> Result<(), NotTaken> {
        match self.write(mail, attachments) {
            Ok(message) => self.postman.deliver(now, &message),
            Err(error) => {
                let cause = format!("the mail could not be written: {error}");
                Err(NotTaken { is_final: true, reported: cause.clone(), cause })
            }
        }
    }

    fn write(
        &self,
        mail: &outbox::Mail,
        attachments: Vec<Attached>,
    ) -> Result<Message, lettre::error::Error> {
        // Parsing as the library's address type keeps invalid addresses out of the headers, in
        // particular those with line breaks.
        let to: Address = mail.recipient.parse().map_err(|_| lettre::error::Error::MissingTo)?;
        let from = match &mail.sender {
            Some(sender) => Mailbox::new(Some(one_line(sender)), self.from.email.clone()),
            None => self.from.clone(),
        };
        let mut builder = Message::builder().from(from).to(Mailbox::new(None, to));
        for address in mail.further_recipients() {
            let cc: Address = address.parse().map_err(|_| lettre::error::Error::MissingTo)?;
            builder = builder.cc(Mailbox::new(None, cc));
        }
        let mut builder = builder
            .date(mail.created_at.into())
            // Derived from the id of the email, so that recipients can recognise an email that is
            // sent twice. The library's default would contain the name of the host.
            .message_id(Some(format!("<{}@{}>", mail.id, self.from.email.domain())))
            .raw_header(subject(one_line(&mail.subject)))
            // Without this header, the headers that describe the content (such as the encoding)
            // have no meaning (RFC 2045, section 4).
            .header(header::MIME_VERSION_1_0);
        if let Some(address) =
            mail.reply_to.as_deref().and_then(|address| address.parse::<Address>().ok())
        {
            builder = builder.reply_to(Mailbox::new(None, address));
        }
        if mail.kind == MessageKind::Account {
            // Prevents automatic replies (RFC 3834, section 5).
            let automatic = HeaderName::new_from_ascii_str("Auto-Submitted");
            let builder = builder.raw_header(HeaderValue::new(automatic, "auto-generated".into()));
            return builder.header(ContentType::TEXT_PLAIN).body(self.encoded(mail.body.clone()));
        }
        let texts =
            MultiPart::alternative_plain_html(mail.body.clone(), html(&mail.body, mail.language));
        let mut parts = MultiPart::mixed().multipart(texts);
        for attached in attachments {
            let content_type =
                ContentType::parse(attached.media_type).unwrap_or(ContentType::TEXT_PLAIN);
            parts =
                parts.singlepart(Attachment::new(attached.name).body(attached.bytes, content_type));
        }
        builder.multipart(parts)
    }

    /// Encodes plain text. For a folder, the text is left unencoded if possible, so that links can
    /// be copied from the file. For an SMTP server, which may lack `8BITMIME` (RFC 6152), the
    /// library chooses the encoding.
    fn encoded(&self, text: String) -> Body {
        let lines: Vec<&str> = text.lines().collect();
        // Limits for unencoded text (RFC 5322, section 2.1.1). The library's own limit is lower: it
        // encodes lines longer than 76 characters.
        let fits = lines.iter().all(|line| line.len() <= 998 && !line.contains(['\r', '\0']));
        match &self.postman {
            Postman::Folder(_) if fits => Body::dangerous_pre_encoded(
                lines.join("\r\n").into_bytes(),
                ContentTransferEncoding::EightBit,
            ),
            Postman::Folder(_) | Postman::Smtp { .. } => Body::new(text),
        }
    }
}

/// Replaces line breaks and other control characters, for use in a header.
fn one_line(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}

/// Returns the header for a subject. A subject that looks like an encoded word is encoded, because
/// mail programs would otherwise decode it (RFC 2047, section 5).
fn subject(text: String) -> HeaderValue {
    let name = header::Subject::name();
    if !text.contains("=?") {
        return HeaderValue::new(name, text);
    }
    let mut encoded = String::new();
    let written = rfc2047::encode(
        &text,
        &mut EmailWriter::new(&mut encoded, name.len() + ": ".len(), 0, false),
    );
    written.expect("writing to a string does not fail");
    HeaderValue::dangerous_new_pre_encoded(name, text, encoded)
}

/// Converts a text to a simple HTML page: paragraphs only, without external resources.
#[must_use]
pub fn html(text: &str, language: Language) -> String {
    let escaped = text
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\r', "");
    let paragraphs: Vec<String> = escaped
        .split("\n\n")
        .map(|paragraph| format!("<p>{}</p>", paragraph.trim().replace('\n', "<br>")))
        .collect();
    format!(
        "<!doctype html>\n<html lang=\"{}\"><head><meta charset=\"utf-8\"><title></title></head>\n<body style=\"font-family: sans-serif; \
         line-height: 1.5; max-width: 40em\">\n{}\n</body></html>\n",
        language.as_str(),
        paragraphs.join("\n")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use data_encoding::BASE64;
    use store::outbox::State;

    fn mailer(folder: &std::path::Path) -> Mailer {
        Mailer::new(
            &Delivery::Folder(folder.to_owned()),
            "Books <books@example.com>",
            "https://books.example.com",
        )
        .unwrap()
    }

    fn send(
        mailer: &Mailer,
        now: Timestamp,
        to: &str,
        language: Language,
        mail: &Mail,
    ) -> Result<(), NotTaken> {
        let (subject, body) = mailer.texts(mail, language);
        mailer.deliver(now, &queued(now, to, language, subject, body), Vec::new())
    }

    fn queued(
        now: Timestamp,
        to: &str,
        language: Language,
        subject: String,
        body: String,
    ) -> outbox::Mail {
        outbox::Mail {
            id: "0123456789abcdef0123456789abcdef".into(),
            kind: MessageKind::Account,
            invoice: None,
            quote: None,
            external_id: None,
            recipient: to.into(),
            cc: None,
            language,
            sender: None,
            reply_to: None,
            subject,
            body,
            state: State::Queued,
            cause: None,
            attempts: 0,
            created_at: now,
            sent_at: None,
        }
    }

    #[test]
    fn a_mail_to_a_customer_has_text_and_html_and_names_its_sender() {
        let folder = tempfile::tempdir().unwrap();
        let text = "Hello,\n\n<b>Pay</b> & go.\nSoon.".to_owned();
        let subject = "Invoice 1\r\nBcc: all@example.com".to_owned();
        let mail = outbox::Mail {
            kind: MessageKind::Invoice,
            sender: Some("Studio \"Noord\"\r\nBcc: all@example.com".into()),
            reply_to: Some("anna@example.com".into()),
            ..queued(Timestamp::UNIX_EPOCH, "klant@example.com", Language::English, subject, text)
        };
        let attached = Attached {
            name: "1.pdf".into(),
            media_type: "application/pdf",
            bytes: b"%PDF-1.7 ".to_vec(),
        };
        mailer(folder.path()).deliver(Timestamp::UNIX_EPOCH, &mail, vec![attached]).unwrap();
        let [mail] = &testing::mail::sent_to(folder.path(), "klant@example.com")[..] else {
            panic!()
        };
        for part in [
            "&lt;b&gt;Pay&lt;/b&gt; &amp; go.<br>Soon.</p>",
            "<b>Pay</b> & go.",
            "filename=\"1.pdf\"",
            "application/pdf",
        ] {
            assert!(mail.text.contains(part), "{part}: {}", mail.text);
        }
        assert!(
            mail.headers.contains("Reply-To: anna@example.com") && !mail.headers.contains("\nBcc"),
            "{}",
            mail.headers
        );
        assert!(
            mail.headers
                .lines()
                .any(|line| line.starts_with("From: ") && line.ends_with(" <books@example.com>")),
            "{}",
            mail.headers
        );
    }

    #[test]
    fn a_subject_and_a_name_that_look_like_encoded_words_are_encoded() {
        const WORD: &str = "=?utf-8?q?x=0d=0aBcc:_e@e.nl?=";
        let folder = tempfile::tempdir().unwrap();
        let long = format!("{WORD} {}", "Factuur ".repeat(20));
        for (number, subject) in
            [WORD, "Re: =?UTF-8?B?eA==?=", &long, "Factuur 1"].into_iter().enumerate()
        {
            let to = format!("klant-{number}@example.com");
            let mail = outbox::Mail {
                kind: MessageKind::Invoice,
                sender: Some(WORD.into()),
                ..queued(
                    Timestamp::UNIX_EPOCH,
                    &to,
                    Language::English,
                    subject.to_owned(),
                    "Hello".into(),
                )
            };
            mailer(folder.path()).deliver(Timestamp::UNIX_EPOCH, &mail, Vec::new()).unwrap();
            let [mail] = &testing::mail::sent_to(folder.path(), &to)[..] else { panic!() };
            assert_eq!(decoded(&mail.subject), subject, "{}", mail.headers);
            assert!(
                !mail.headers.contains("=0d=0a") && !mail.headers.contains("eA==?="),
                "{}",
                mail.headers
            );
        }
    }

    /// Decodes a header of encoded words; blanks between them are ignored (RFC 2047, section 6.2).
    fn decoded(header: &str) -> String {
        let words: Vec<&str> = header.split_whitespace().collect();
        let base64 = |word: &&str| {
            word.strip_prefix("=?utf-8?b?")
                .and_then(|word| word.strip_suffix("?="))
                .map(str::to_owned)
        };
        let Some(words) = words.iter().map(base64).collect::<Option<Vec<String>>>() else {
            return header.to_owned();
        };
        let bytes: Vec<u8> =
            words.iter().flat_map(|word| BASE64.decode(word.as_bytes()).unwrap()).collect();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a_mail_is_plain_text_marked_as_automatic() {
        let folder = tempfile::tempdir().unwrap();
        let link = "https://books.example.com/signup/confirm?token=abc".to_owned();
        let now: Timestamp = "2026-11-21T12:00:00Z".parse().unwrap();
        let mail = Mail::ConfirmSignUp { link: link.clone() };
        send(&mailer(folder.path()), now, "anna@example.com", Language::English, &mail).unwrap();
        let mails = testing::mail::sent_to(folder.path(), "anna@example.com");
        let [mail] = &mails[..] else { panic!("{mails:?}") };
        assert_eq!(
            (mail.subject.as_str(), mail.link()),
            ("Confirm your email address for Grootboek", link)
        );
        assert!(mail.text.starts_with("Hello,\n\nSomeone asked"), "{}", mail.text);
        assert!(
            mail.text.trim_end().ends_with("Grootboek\nhttps://books.example.com"),
            "{}",
            mail.text
        );
        let dutch =
            Mail::ResetPassword { link: format!("https://books.example.com/{}", "x".repeat(200)) };
        send(&mailer(folder.path()), now, "bram@example.com", Language::Dutch, &dutch).unwrap();
        for file in std::fs::read_dir(folder.path()).unwrap() {
            let file = std::fs::read_to_string(file.unwrap().path()).unwrap();
            assert!(
                file.contains("Content-Transfer-Encoding: 8bit") && !file.contains("=\r\n"),
                "{file}"
            );
        }
        for header in [
            "From: Books <books@example.com>",
            "Date: Sat, 21 Nov 2026 12:00:00 +0000",
            "Auto-Submitted: auto-generated",
            "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8",
        ] {
            assert!(
                mail.headers.lines().any(|line| line == header),
                "{header} is not in\n{}",
                mail.headers
            );
        }
        let id = mail.headers.lines().find_map(|line| line.strip_prefix("Message-ID: <")).unwrap();
        assert!(id.len() == 32 + "@example.com>".len() && id.ends_with("@example.com>"), "{id}");
    }

    #[test]
    fn only_valid_addresses_reach_a_header() {
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
            assert!(
                send(
                    &mailer,
                    Timestamp::UNIX_EPOCH,
                    address,
                    Language::Dutch,
                    &Mail::AccountClosed
                )
                .unwrap_err()
                .is_final
            );
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        let mail = Mail::EmailChanged { email: "x@example.com\r\nBcc: all@example.com".into() };
        send(&mailer, Timestamp::UNIX_EPOCH, "anna@example.com", Language::Dutch, &mail).unwrap();
        let [mail] = &testing::mail::sent_to(folder.path(), "anna@example.com")[..] else {
            panic!()
        };
        assert!(!mail.headers.contains("Bcc"), "{}", mail.headers);
    }
}
