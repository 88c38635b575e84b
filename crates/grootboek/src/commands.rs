//! Access to the books for the operator's commands, and the error messages of these commands.

use service::{
    Environment, Error,
    environment::{Clock, System},
};
use std::fmt::Display;
use store::{NotADatabaseUrl, Store, StoreError, Tx};

/// Notice after a change about which the owner would normally get an email: only a server sends
/// emails, commands do not.
pub(crate) const NOT_MAILED: &str = "no mail was sent: tell the owner yourself";

/// Command-line option for a field, given by its JSON pointer.
fn option(pointer: &str) -> &str {
    match pointer.trim_start_matches('/') {
        "email" => "--email",
        "name" => "--name",
        "to" => "--to",
        "redirectUris" => "--redirect-uri",
        "clientId" => "--client-id",
        "clientSecret" => "--client-secret",
        "bankAccountId" => "--bank-account",
        other => other,
    }
}

/// Error message that names every fault in a rejected command.
pub(crate) fn explain(error: Error) -> anyhow::Error {
    match error {
        Error::Invalid(faults) => {
            let reported: Vec<String> = faults
                .iter()
                .map(|fault| format!("{}: {}", option(&fault.path), web::english::message(fault)))
                .collect();
            anyhow::anyhow!("{}", reported.join("; "))
        }
        Error::NotFound("account") => {
            anyhow::anyhow!(
                "there is no account with that e-mail address; `grootboek account list` shows them all"
            )
        }
        Error::NotFound("application") => {
            anyhow::anyhow!(
                "there is no application with that client id; `grootboek oauth list` shows them all"
            )
        }
        Error::NotFound(what) => {
            anyhow::anyhow!(
                "there is no such {what} in this account; the command `list` shows what there is"
            )
        }
        other => other.into(),
    }
}

/// An error and its causes in words.
pub(crate) fn in_words(error: &anyhow::Error) -> String {
    let words = error.chain().map(|cause| {
        if let Some(error) = cause.downcast_ref::<Error>() {
            web::refusal(error)
        } else if let Some(error) = cause.downcast_ref::<StoreError>() {
            web::english::storage(error)
        } else if let Some(error) = cause.downcast_ref::<NotADatabaseUrl>() {
            web::english::database_url(error)
        } else {
            cause.to_string()
        }
    });
    words.collect::<Vec<_>>().join(": ")
}

/// Count with its unit: `1 key`, `2 keys`.
pub(crate) fn counted(count: impl Display, what: &str) -> String {
    let count = count.to_string();
    let s = if count == "1" { "" } else { "s" };
    format!("{count} {what}{s}")
}

/// Environment of a command: the system's clock and random numbers, and no client.
pub(crate) fn environment() -> Environment {
    Environment::at(System.now())
}

pub(crate) fn write<T: Send + 'static>(
    store: &Store,
    command: impl FnMut(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
) -> anyhow::Result<T> {
    store.write_blocking(command).map_err(explain)
}

pub(crate) fn read<T: Send + 'static>(
    store: &Store,
    question: impl FnMut(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
) -> anyhow::Result<T> {
    store.read_blocking(question).map_err(explain)
}
