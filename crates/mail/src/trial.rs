//! Trial email by which an operator checks that emails are delivered.

use super::{
    Delivery, MailError,
    delivery::{make_folder, transport, write},
};
use jiff::Timestamp;
use lettre::{
    Message, Transport,
    message::{Mailbox, header::ContentType},
};
use std::error::Error as _;

/// Result of a trial email.
#[derive(Debug, PartialEq, Eq)]
pub enum Tried {
    /// Accepted by the SMTP server at this host and port.
    Taken(String),
    /// Written into the folder.
    Written,
    /// Delivery failed, with the reason: the server's own words, if it gave any.
    Refused(String),
}

/// Sends a trial email immediately and reports the result.
///
/// # Errors
/// The address of the sender or recipient or the URL of the SMTP server is invalid, or the folder
/// cannot be created.
pub fn try_out(
    delivery: &Delivery,
    from: &str,
    to: &str,
    base_url: &str,
    now: Timestamp,
) -> Result<Tried, MailError> {
    let from: Mailbox = from.parse().map_err(|_| MailError::From)?;
    let to = Mailbox::new(None, to.parse().map_err(|_| MailError::To)?);
    let text = format!(
        "Hello,\n\nmails from Grootboek arrive: this one was sent to try that out.\n\nGrootboek\n{base_url}\n"
    );
    let builder = Message::builder()
        .from(from.clone())
        .to(to)
        .date(now.into())
        .subject("Grootboek: mails arrive");
    let id = format!("<trial-{}@{}>", now.as_microsecond(), from.email.domain());
    let message = builder.message_id(Some(id)).header(ContentType::TEXT_PLAIN).body(text);
    let message = message.map_err(|_| MailError::From)?;
    Ok(match delivery {
        Delivery::Folder(folder) => {
            make_folder(folder)?;
            write(folder, now, &message.formatted())
                .map_or_else(|error| Tried::Refused(error.to_string()), |()| Tried::Written)
        }
        Delivery::Smtp(url) => {
            let (transport, place) = transport(url)?;
            match transport.send(&message) {
                Ok(_) => Tried::Taken(place),
                Err(error) => {
                    let reason =
                        error.source().map(|source| format!(": {source}")).unwrap_or_default();
                    Tried::Refused(format!("{place}: {error}{reason}"))
                }
            }
        }
    })
}
