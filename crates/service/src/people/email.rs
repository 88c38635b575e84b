//! Changing the e-mail address: the new one is proved by a link, and the old one is told.

use super::{Account, MailToken, Purpose, Refusal, Visitor, events, hash, make_link, sign_up};
use crate::{Error, accounts, outside::Random};
use jiff::Timestamp;
use store::{Tx, accounts as account_rows, mail_tokens, people as rows};

/// What came of asking for another address. The visitor is told the same.
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

/// A link that gives the account another address, to be sent to that address.
///
/// # Errors
/// It is not an address, or the account's own.
pub fn change_request(
    tx: &mut Tx<'_>,
    random: &dyn Random,
    now: Timestamp,
    account: &Account,
    email: &str,
    visitor: &Visitor,
) -> Result<ChangeRequested, Error> {
    let email = accounts::normalise_email(email).ok_or_else(|| Error::Invalid(vec![accounts::email_fault()]))?;
    if email == account.email {
        return Err(Error::fault("/email", "unknown_value", "give another address: this is the one that the account has"));
    }
    if let Some(other) = account_rows::by_email(tx, &email)?
        && other.email_confirmed_at.is_some()
    {
        return Ok(ChangeRequested::Taken(other));
    }
    let Some(link) = make_link(tx, random, now, account, Purpose::ChangeEmail, &email)? else {
        return Ok(ChangeRequested::Enough);
    };
    events::note(tx, random, account.id, now, events::Kind::EmailChangeRequested, &email, &visitor.address)?;
    Ok(ChangeRequested::Mailed(link))
}

/// Gives the account the address that the link was sent to. All links that were sent before stop working.
///
/// # Errors
/// The link was used or is too old; somebody else confirmed the address meanwhile.
pub fn change_confirm(
    tx: &mut Tx<'_>,
    random: &dyn Random,
    now: Timestamp,
    token: &str,
    visitor: &Visitor,
) -> Result<EmailChanged, Error> {
    let sent = mail_tokens::take(tx, &hash(token), Purpose::ChangeEmail, now)?.ok_or(Refusal::LinkSpent)?;
    let before = account_rows::by_id(tx, sent.account)?.ok_or(Refusal::LinkSpent)?;
    if let Some(other) = account_rows::by_email(tx, &sent.email)?
        && !sign_up::make_way(tx, now, &other)?
    {
        return Err(Error::EmailTaken);
    }
    rows::set_email(tx, before.id, &sent.email, now)?;
    mail_tokens::remove_all(tx, before.id)?;
    events::note(tx, random, before.id, now, events::Kind::EmailChanged, &before.email, &visitor.address)?;
    Ok(EmailChanged { account: Account { email: sent.email, ..before.clone() }, old: before.email })
}
