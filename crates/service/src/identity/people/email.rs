//! Change of the email address: a link confirms the new address, and the old address is notified.

use super::{Account, MailToken, Purpose, Refusal, events, hash, make_link, sessions, sign_up};
use crate::{AccessError, EmailAddress, Environment, Error, Reason, accounts};
use store::{
    Tx,
    accounts::{self as account_rows, Owner},
    mail_tokens, people as rows,
};

/// Result of a request to change the email address. Neither the response to the user nor the event
/// in the account depends on whether the address is taken.
pub enum ChangeRequested {
    /// Send this link to the new address.
    Mailed(MailToken),
    /// The address already has a confirmed account; notify its owner by email.
    Taken(Account),
    /// The rate limit for links has been reached; nothing was recorded.
    Enough,
}

/// A completed change of address.
#[derive(Debug, Clone)]
pub struct EmailChanged {
    /// The account with its new address.
    pub account: Account,
    /// Previous address, to be notified.
    pub old: String,
}

/// Checks that an account's address can be changed to `email`, without checking whether another
/// account has that address.
///
/// # Errors
/// The address is already the account's own.
pub fn check(account: &Account, email: &EmailAddress) -> Result<(), Error> {
    if email.as_str() == account.owner.email {
        Err(Error::fault("/email", Reason::EmailUnchanged))
    } else {
        Ok(())
    }
}

/// Makes a link that changes the account's address, to be sent to the new address.
///
/// # Errors
/// Those of [`check`], or the requesting session has ended, so that it may no longer make links.
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
    let requester = sessions::look_up(tx, env, session)?.filter(|it| it.account.id == account.id);
    requester.ok_or(Refusal::SignedOut)?;
    // If the address is taken, the link is not sent but still counts towards the rate limit: the
    // number of links must not reveal who has an account.
    let Some(link) = make_link(tx, env, account, Purpose::ChangeEmail, email)? else {
        return Ok(ChangeRequested::Enough);
    };
    events::record(tx, env, account.owner.id, events::EventKind::EmailChangeRequested, email)?;
    Ok(
        match account_rows::by_email(tx, email)?
            .filter(|other| other.owner.email_confirmed_at.is_some())
        {
            Some(other) => ChangeRequested::Taken(other),
            None => ChangeRequested::Mailed(link),
        },
    )
}

/// Changes the account's address to the one to which the link was sent. All links sent earlier stop
/// working.
///
/// # Errors
/// The link was used or has expired, or another account with the address has been confirmed since.
pub fn change_confirm(
    tx: &mut Tx<'_>,
    env: &Environment,
    token: &str,
) -> Result<EmailChanged, Error> {
    let sent = mail_tokens::find(tx, &hash(token), Purpose::ChangeEmail, env.now)?
        .ok_or(Refusal::LinkSpent)?;
    // Links of one account are serialised: the first one used invalidates the others.
    rows::lock(tx, sent.person)?;
    let sent = mail_tokens::take(tx, &hash(token), Purpose::ChangeEmail, env.now)?
        .ok_or(Refusal::LinkSpent)?;
    let before = account_rows::of(tx, sent.person)?.ok_or(Refusal::LinkSpent)?;
    if let Some(other) = account_rows::by_email(tx, &sent.email)?
        && !sign_up::make_way(tx, env, &other)?
    {
        return Err(AccessError::EmailTaken.into());
    }
    rows::set_email(tx, before.owner.id, &sent.email, env.now)?;
    mail_tokens::remove_all(tx, before.owner.id)?;
    events::record(tx, env, before.owner.id, events::EventKind::EmailChanged, &before.owner.email)?;
    Ok(changed(before, sent.email))
}

fn changed(before: Account, email: String) -> EmailChanged {
    let old = before.owner.email.clone();
    EmailChanged {
        account: Account { owner: Owner { email, ..before.owner.clone() }, ..before },
        old,
    }
}

/// Changes an account's address on behalf of the operator, who has verified that the new address
/// belongs to the owner. All links sent earlier stop working.
///
/// # Errors
/// There is no account with the old address, the new address is already the account's own, or
/// another account has it.
pub fn set_by_operator(
    tx: &mut Tx<'_>,
    env: &Environment,
    old: &str,
    new: &EmailAddress,
) -> Result<EmailChanged, Error> {
    let before = accounts::by_email(tx, old)?;
    check(&before, new)?;
    rows::lock(tx, before.owner.id)?;
    let email = String::from(new.clone());
    if let Some(other) = account_rows::by_email(tx, &email)?
        && !sign_up::make_way(tx, env, &other)?
    {
        return Err(AccessError::EmailTaken.into());
    }
    rows::set_email(tx, before.owner.id, &email, env.now)?;
    mail_tokens::remove_all(tx, before.owner.id)?;
    events::record(tx, env, before.owner.id, events::EventKind::EmailChanged, &before.owner.email)?;
    Ok(changed(before, email))
}

/// Returns the new address that a link confirms.
///
/// # Errors
/// The link was used or has expired.
pub fn change_find(tx: &mut Tx<'_>, env: &Environment, token: &str) -> Result<String, Error> {
    let sent = mail_tokens::find(tx, &hash(token), Purpose::ChangeEmail, env.now)?
        .ok_or(Refusal::LinkSpent)?;
    Ok(sent.email)
}
