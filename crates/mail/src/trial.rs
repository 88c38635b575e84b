//! A mail that an operator sends to see whether mails go out.

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

/// Where a trial mail went.
#[derive(Debug, PartialEq, Eq)]
pub enum Tried {
    /// The SMTP server at this place took it.
    Taken(String),
    /// It was written into the folder.
    Written,
    /// It was not taken, for this reason, in the server's own words where it said some.
    Refused(String),
}

/// Hands a mail over now, and tells what came of it.
///
/// # Errors
/// The sender, the recipient or the SMTP server is not an address, or the folder cannot be made.
pub fn try_out(delivery: &Delivery, from: &str, to: &str, base_url: &str, now: Timestamp) -> Result<Tried, MailError> {
    let from: Mailbox = from.parse().map_err(|_| MailError::From)?;
    let to = Mailbox::new(None, to.parse().map_err(|_| MailError::To)?);
    let text = format!("Hello,\n\nmails from Grootboek arrive: this one was sent to try that out.\n\nGrootboek\n{base_url}\n");
    let builder = Message::builder().from(from.clone()).to(to).date(now.into()).subject("Grootboek: mails arrive");
    let id = format!("<trial-{}@{}>", now.as_microsecond(), from.email.domain());
    let message = builder.message_id(Some(id)).header(ContentType::TEXT_PLAIN).body(text);
    let message = message.map_err(|_| MailError::From)?;
    Ok(match delivery {
        Delivery::Folder(folder) => {
            make_folder(folder)?;
            write(folder, now, &message.formatted()).map_or_else(|error| Tried::Refused(error.to_string()), |()| Tried::Written)
        }
        Delivery::Smtp(url) => {
            let (transport, place) = transport(url)?;
            match transport.send(&message) {
                Ok(_) => Tried::Taken(place),
                Err(error) => {
                    let said = error.source().map(|source| format!(": {source}")).unwrap_or_default();
                    Tried::Refused(format!("{place}: {error}{said}"))
                }
            }
        }
    })
}
