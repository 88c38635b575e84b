//! Change of the password, and reset of a forgotten password by an emailed link.

use super::{
    Account, Credentials, MailToken, PersonId, Purpose, Refusal, SessionToken, credentials, events,
    hash, make_link, make_no_link, sessions,
};
use crate::{EmailAddress, Environment, Error, accounts};
use store::{
    Tx, accounts as account_rows, mail_tokens, people as rows, person_events,
    sessions as session_rows,
};

/// Id that no person has.
const NOBODY: PersonId = PersonId(0);

/// Replaces the password of an owner who has just entered the current one. `verified` contains the
/// credentials that were checked. All other sessions end, and all emailed links stop working, since
/// an attacker may have requested them. The current session gets a new token.
///
/// # Errors
/// The password has been changed, or the session has ended, since `verified` was read.
pub fn change(
    tx: &mut Tx<'_>,
    env: &Environment,
    verified: &Credentials,
    new_hash: &str,
    session: &[u8; 32],
) -> Result<SessionToken, Error> {
    let token = sessions::rotate(tx, env, session, verified)?;
    let person = verified.account.owner.id;
    rows::set_password(tx, person, new_hash)?;
    session_rows::end_others(tx, person, &token.hash())?;
    mail_tokens::remove_all(tx, person)?;
    events::record(tx, env, person, events::EventKind::PasswordChanged, "")?;
    Ok(token)
}

/// Stores a new hash of the same password, made with the current parameters, unless the password
/// has been changed. Sessions continue.
///
/// # Errors
/// The storage failed.
pub fn rehash(tx: &mut Tx<'_>, verified: &Credentials, new_hash: &str) -> Result<(), Error> {
    match &verified.password_hash {
        Some(old) => Ok(rows::rehash(tx, verified.account.owner.id, old, new_hash)?),
        None => Ok(()),
    }
}

/// Makes a link to reset the password; `None` if the address has no account or the rate limit is
/// reached. The response and the number of writes are the same in all cases.
///
/// # Errors
/// The storage failed, or the random number generator failed.
pub fn reset_request(
    tx: &mut Tx<'_>,
    env: &Environment,
    email: &EmailAddress,
) -> Result<Option<MailToken>, Error> {
    let link = match credentials::find(tx, email)? {
        Some(Credentials { account, .. }) if rows::lock(tx, account.owner.id)? => {
            make_link(tx, env, &account, Purpose::Reset, &account.owner.email)?
        }
        _ => None,
    };
    let kind = events::EventKind::PasswordResetRequested;
    match &link {
        Some(link) => events::record(tx, env, link.account.owner.id, kind, "")?,
        None => {
            make_no_link(tx, env, Purpose::Reset)?;
            events::record(tx, env, NOBODY, kind, "")?;
            person_events::remove_all(tx, NOBODY)?;
        }
    }
    Ok(link)
}

/// Returns the account whose password the link resets. The new password is compared with the
/// address and name of this account.
///
/// # Errors
/// The link was used or has expired.
pub fn reset_find(tx: &mut Tx<'_>, env: &Environment, token: &str) -> Result<Account, Error> {
    let sent =
        mail_tokens::find(tx, &hash(token), Purpose::Reset, env.now)?.ok_or(Refusal::LinkSpent)?;
    let account = account_rows::of(tx, sent.person)?.ok_or(Refusal::LinkSpent)?;
    if account.owner.email == sent.email { Ok(account) } else { Err(Refusal::LinkSpent.into()) }
}

/// Resets the password by a link. All sessions end and all other links stop working. A second
/// factor remains, and is required at the next sign-in (OWASP ASVS 5.0, 6.4.3). The link also
/// confirms the owner's address.
///
/// # Errors
/// The link was used or has expired.
pub fn reset(
    tx: &mut Tx<'_>,
    env: &Environment,
    token: &str,
    new_hash: &str,
) -> Result<Account, Error> {
    let sent =
        mail_tokens::find(tx, &hash(token), Purpose::Reset, env.now)?.ok_or(Refusal::LinkSpent)?;
    // Links of one account are serialised: the first one used invalidates the others.
    rows::lock(tx, sent.person)?;
    let sent =
        mail_tokens::take(tx, &hash(token), Purpose::Reset, env.now)?.ok_or(Refusal::LinkSpent)?;
    let account =
        account_rows::of(tx, sent.person)?.filter(|account| account.owner.email == sent.email);
    let account = account.ok_or(Refusal::LinkSpent)?;
    set(tx, account.owner.id, new_hash)?;
    rows::confirm_email(tx, account.owner.id, env.now)?;
    events::record(tx, env, account.owner.id, events::EventKind::PasswordReset, "")?;
    Ok(account)
}

/// Sets the password of an account on behalf of the operator; all sessions end, and emailed links
/// stop working.
///
/// # Errors
/// There is no account with this email address.
pub fn set_by_operator(
    tx: &mut Tx<'_>,
    env: &Environment,
    email: &str,
    new_hash: &str,
) -> Result<(), Error> {
    let person = accounts::by_email(tx, email)?.owner.id;
    rows::lock(tx, person)?;
    set(tx, person, new_hash)?;
    events::record(tx, env, person, events::EventKind::PasswordReset, "operator")
}

fn set(tx: &mut Tx<'_>, person: PersonId, new_hash: &str) -> Result<(), Error> {
    rows::set_password(tx, person, new_hash)?;
    session_rows::end_all(tx, person)?;
    Ok(mail_tokens::remove_all(tx, person)?)
}
