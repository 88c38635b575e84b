//! Changing the e-mail address: the new one is confirmed by a link, and the old one is told.

use super::{Account, MailToken, Purpose, Refusal, events, hash, make_link, sessions, sign_up};
use crate::{EmailAddress, Environment, Error, Reason, accounts};
use store::{
    Tx,
    accounts::{self as account_rows, Owner},
    mail_tokens, people as rows,
};

/// What came of asking for another address. The visitor is told the same, and finds the same in the account's events.
pub enum ChangeRequested {
    /// Send this link to the new address.
    Mailed(MailToken),
    /// The address has an account; tell so by a mail to it.
    Taken(Account),
    /// Too many links were sent already.
    Enough,
}

/// An address that was changed.
#[derive(Debug, Clone)]
pub struct EmailChanged {
    /// The account with its new address.
    pub account: Account,
    /// The address before; it is to be told.
    pub old: String,
}

/// Checks that the account can change to an address; whether another account has it is not looked at.
///
/// # Errors
/// It is the account's own.
pub fn check(account: &Account, email: &EmailAddress) -> Result<(), Error> {
    if email.as_str() == account.owner.email { Err(Error::fault("/email", Reason::EmailUnchanged)) } else { Ok(()) }
}

/// A link that gives the account another address, to be sent to that address.
///
/// # Errors
/// As of [`check`]; the session that asks for it ended meanwhile, so that its links are to be no more.
pub fn change_request(
    tx: &mut Tx<'_>,
    env: &Environment,
    account: &Account,
    session: &[u8; 32],
    email: &EmailAddress,
) -> Result<ChangeRequested, Error> {
    check(account, email)?;
    let email = email.as_str();
    rows::lock(tx, account.owner.id)?;
    let asker = sessions::look_up(tx, env, session)?.filter(|it| it.account.id == account.id);
    asker.ok_or(Refusal::SignedOut)?;
    // Where the address is taken the link is sent to nobody, but counts: how many links there were must not tell who has an account.
    let Some(link) = make_link(tx, env, account, Purpose::ChangeEmail, email)? else {
        return Ok(ChangeRequested::Enough);
    };
    events::record(tx, env, account.owner.id, events::EventKind::EmailChangeRequested, email)?;
    Ok(match account_rows::by_email(tx, email)?.filter(|other| other.owner.email_confirmed_at.is_some()) {
        Some(other) => ChangeRequested::Taken(other),
        None => ChangeRequested::Mailed(link),
    })
}

/// Gives the account the address that the link was sent to. All links that were sent before stop working.
///
/// # Errors
/// The link was used or is too old; somebody else confirmed the address meanwhile.
pub fn change_confirm(tx: &mut Tx<'_>, env: &Environment, token: &str) -> Result<EmailChanged, Error> {
    let sent = mail_tokens::find(tx, &hash(token), Purpose::ChangeEmail, env.now)?.ok_or(Refusal::LinkSpent)?;
    // Links of one account follow one another: the first ends the others.
    rows::lock(tx, sent.person)?;
    let sent = mail_tokens::take(tx, &hash(token), Purpose::ChangeEmail, env.now)?.ok_or(Refusal::LinkSpent)?;
    let before = account_rows::of(tx, sent.person)?.ok_or(Refusal::LinkSpent)?;
    if let Some(other) = account_rows::by_email(tx, &sent.email)?
        && !sign_up::make_way(tx, env, &other)?
    {
        return Err(Error::EmailTaken);
    }
    rows::set_email(tx, before.owner.id, &sent.email, env.now)?;
    mail_tokens::remove_all(tx, before.owner.id)?;
    events::record(tx, env, before.owner.id, events::EventKind::EmailChanged, &before.owner.email)?;
    Ok(changed(before, sent.email))
}

fn changed(before: Account, email: String) -> EmailChanged {
    let old = before.owner.email.clone();
    EmailChanged { account: Account { owner: Owner { email, ..before.owner.clone() }, ..before }, old }
}

/// Gives an account another address, as its operator may who knows that it is the owner's. All links that were sent before stop working.
///
/// # Errors
/// There is no account with the old address, the new one is the account's own, or another account has it.
pub fn set_by_operator(tx: &mut Tx<'_>, env: &Environment, old: &str, new: &EmailAddress) -> Result<EmailChanged, Error> {
    let before = accounts::by_email(tx, old)?;
    check(&before, new)?;
    rows::lock(tx, before.owner.id)?;
    let email = String::from(new.clone());
    if let Some(other) = account_rows::by_email(tx, &email)?
        && !sign_up::make_way(tx, env, &other)?
    {
        return Err(Error::EmailTaken);
    }
    rows::set_email(tx, before.owner.id, &email, env.now)?;
    mail_tokens::remove_all(tx, before.owner.id)?;
    events::record(tx, env, before.owner.id, events::EventKind::EmailChanged, &before.owner.email)?;
    Ok(changed(before, email))
}

/// The address that a link gives to its account.
///
/// # Errors
/// The link was used or is too old.
pub fn change_find(tx: &mut Tx<'_>, env: &Environment, token: &str) -> Result<String, Error> {
    let sent = mail_tokens::find(tx, &hash(token), Purpose::ChangeEmail, env.now)?.ok_or(Refusal::LinkSpent)?;
    Ok(sent.email)
}
