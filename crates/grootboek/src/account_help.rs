//! `account confirm`, `account set-email`, `account show`: support for account owners.

use crate::{
    commands::{NOT_MAILED, counted, environment, read, write},
    mail,
};
use jiff::Timestamp;
use serde_json::{Value, json};
use service::{
    Context, EmailAddress, Error, Fault, access, accounts, mails, oauth,
    people::{email, events, second_factor, sessions, sign_up},
    verify,
};
use store::{Store, Tx, outbox::Mail, people as rows};

/// Number of events shown.
const EVENTS: i64 = 10;
/// Maximum number of undelivered emails shown.
const MAILS: i64 = 20;

pub(crate) fn confirm(store: &Store, address: String) -> anyhow::Result<()> {
    let email = address.clone();
    if write(store, move |tx| sign_up::confirm_by_operator(tx, &environment(), &email))? {
        say!("{address} is confirmed: its owner can sign in with the password chosen at sign-up")?;
        say!("{NOT_MAILED}, and that their security page shows it")?;
    } else {
        say!("{address} was confirmed already")?;
    }
    Ok(())
}

pub(crate) fn set_email(store: &Store, old: String, new: String) -> anyhow::Result<()> {
    let changed = write(store, move |tx| {
        let new = EmailAddress::parse(&new)
            .map_err(|reason| Error::Invalid(vec![Fault::new("/email", reason)]))?;
        email::set_by_operator(tx, &environment(), &old, &new)
    })?;
    say!("the account of {} now has the address {}", changed.old, changed.account.owner.email)?;
    say!("{NOT_MAILED}, and that their security page shows it")?;
    Ok(())
}

pub(crate) fn show(store: &Store, address: String, json: bool) -> anyhow::Result<()> {
    let (mut reported, undelivered) = read(store, move |tx| gather(tx, &address))?;
    if json {
        let described: Vec<Value> =
            undelivered.iter().map(|it| mail::described(reported["email"].as_str(), it)).collect();
        reported["undeliveredMails"] = Value::Array(described);
        say!("{reported}")?;
        return Ok(());
    }
    for (name, value) in
        reported.as_object().into_iter().flatten().filter(|(name, _)| *name != "events")
    {
        match value {
            Value::Null => say!("{name:<20} –")?,
            Value::String(text) => say!("{name:<20} {text}")?,
            other => say!("{name:<20} {other}")?,
        }
    }
    let happened = reported["events"].as_array().map(Vec::as_slice).unwrap_or_default();
    say!("last {}:", counted(happened.len(), "event"))?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    for event in happened {
        say!("  {}  {}  {}", text(&event["at"]), text(&event["kind"]), text(&event["detail"]))?;
    }
    if !undelivered.is_empty() {
        say!("{} not delivered:", counted(undelivered.len(), "mail"))?;
    }
    for mail in &undelivered {
        say!("  {}", mail::line(mail))?;
    }
    Ok(())
}

/// Gathers the support summary: sign-in methods, usage and undelivered emails, but no bookkeeping
/// data.
fn gather(tx: &mut Tx<'_>, address: &str) -> Result<(Value, Vec<Mail>), Error> {
    let account = accounts::by_email(tx, address)?;
    let cx = Context::of_owner(&account, environment());
    let time = |moment: Option<Timestamp>| moment.map(|moment| format!("{moment:.0}"));
    let has_password =
        rows::by_id(tx, account.owner.id)?.is_some_and(|person| person.password_hash.is_some());
    let signed_in = sessions::list(tx, &cx.env, account.owner.id)?.len();
    let keys = access::list_keys(tx, &cx)?.iter().filter(|key| key.revoked_at.is_none()).count();
    let connected = oauth::grants::list(tx, &cx.env, account.id)?.len();
    let codes = second_factor::remaining_recovery_codes(tx, account.owner.id)?;
    let entries = verify::size(tx, account.id)?;
    let happened: Vec<Value> = events::list(tx, account.owner.id, EVENTS)?
        .iter()
        .map(|event| json!({ "at": format!("{:.0}", event.at), "kind": event.kind, "detail": event.detail }))
        .collect();
    let undelivered = mails::undelivered(tx, account.id, MAILS)?;
    let reported = json!({
        "id": account.id, "email": account.owner.email, "name": account.name, "country": account.country.as_str(),
        "plan": account.plan.as_str(), "language": account.owner.language, "createdAt": time(Some(account.created_at)),
        "emailConfirmedAt": time(account.owner.email_confirmed_at), "hasPassword": has_password, "secondFactor": account.owner.second_factor,
        "recoveryCodesLeft": codes, "sessions": signed_in, "keys": keys, "connections": connected, "entries": entries, "events": happened,
    });
    Ok((reported, undelivered))
}
