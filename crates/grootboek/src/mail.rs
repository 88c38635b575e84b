//! `mail`: test emails, and undelivered emails.

use crate::{
    cli::{MailCommand, MailOptions},
    commands::{counted, read},
    database,
    private::{self, mail_from},
    serve::of_mails,
};
use ::mail::{Delivery, Tried, try_out};
use anyhow::bail;
use serde_json::{Value, json};
use service::{
    accounts,
    environment::{Clock, System},
    mails,
};
use std::path::PathBuf;
use store::{DatabaseUrl, outbox::Mail};

/// Maximum number of listed emails.
const MOST: i64 = 1_000;

pub(crate) fn run(given: Option<DatabaseUrl>, command: MailCommand) -> anyhow::Result<()> {
    match command {
        MailCommand::Test { to, mail, base_url } => test(given, &to, &mail, base_url.as_deref()),
        MailCommand::List { email, json } => list(given, email, json),
    }
}

fn test(
    given: Option<DatabaseUrl>,
    to: &str,
    mail: &MailOptions,
    base_url: Option<&str>,
) -> anyhow::Result<()> {
    let delivery = private::delivery(&database::choose(given)?, mail)?;
    let base_url = base_url.unwrap_or("http://localhost");
    let from = mail_from(mail, base_url);
    // The mail folder is created if missing, but its parent, by default the folder of the
    // database, is not.
    let folder =
        if let Delivery::Folder(folder) = &delivery { folder.clone() } else { PathBuf::new() };
    if let Some(parent) =
        folder.parent().filter(|parent| !parent.as_os_str().is_empty() && !parent.is_dir())
    {
        bail!("there is no folder {}; check the name of the database", parent.display());
    }
    match try_out(&delivery, &from, to, base_url, System.now()).map_err(of_mails)? {
        Tried::Taken(place) => say!(
            "{place} accepted a mail from {from} to {to}; check that it arrives, and not in the spam folder"
        )?,
        Tried::Written => say!(
            "there is no --smtp: a mail was written to {}, like all mails, and sent to nobody",
            folder.display()
        )?,
        Tried::Refused(why) => bail!("the mail was rejected: {why}"),
    }
    Ok(())
}

fn list(given: Option<DatabaseUrl>, email: Option<String>, json: bool) -> anyhow::Result<()> {
    let store = database::open_existing(given)?;
    let mails = read(&store, move |tx| match &email {
        Some(email) => {
            let account = accounts::by_email(tx, email)?;
            let mails = mails::undelivered(tx, account.id, MOST)?;
            Ok(mails.into_iter().map(|mail| (Some(account.owner.email.clone()), mail)).collect())
        }
        None => mails::undelivered_of_all(tx, MOST),
    })?;
    if json {
        let all: Vec<Value> =
            mails.iter().map(|(account, mail)| described(account.as_deref(), mail)).collect();
        say!("{}", Value::Array(all))?;
        return Ok(());
    }
    if mails.is_empty() {
        say!("no mail is waiting, and none failed")?;
        return Ok(());
    }
    for (account, mail) in &mails {
        say!("{}  {}", account.as_deref().unwrap_or("(closed account)"), line(mail))?;
    }
    if i64::try_from(mails.len()).is_ok_and(|count| count >= MOST) {
        say!("there may be more: only {MOST} are listed; select an account with --email")?;
    }
    Ok(())
}

/// Formats an email as one line: creation time, status, recipient, subject, attempts, and the cause
/// of the last failure.
pub(crate) fn line(mail: &Mail) -> String {
    let tried = counted(mail.attempts, "try").replace("trys", "tries");
    let cause = mail
        .cause
        .as_deref()
        .map(|cause| format!(": {}", cause.replace(['\r', '\n'], " ")))
        .unwrap_or_default();
    let subject = mail.subject.replace(['\r', '\n'], " ");
    format!(
        "{:.0}  {:<6}  to {}  \"{subject}\"  {tried}{cause}",
        mail.created_at,
        mail.state.as_str(),
        mail.recipient
    )
}

/// An email as JSON, without its text.
pub(crate) fn described(account: Option<&str>, mail: &Mail) -> Value {
    json!({
        "id": mail.id, "account": account, "kind": mail.kind.as_str(), "invoiceId": mail.invoice, "to": mail.recipient,
        "subject": mail.subject, "status": mail.state.as_str(), "attempts": mail.attempts, "cause": mail.cause,
        "createdAt": format!("{:.0}", mail.created_at),
    })
}
