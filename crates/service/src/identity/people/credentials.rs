//! Stored credentials, and the check that they have not changed between verification and use.

use super::{Credentials, PersonId, Refusal};
use crate::{EmailAddress, Error};
use store::{Tx, people as rows};

/// Returns the account with the given email address, and its password hash.
///
/// # Errors
/// The storage failed.
pub fn find(tx: &mut Tx<'_>, email: &EmailAddress) -> Result<Option<Credentials>, Error> {
    Ok(rows::by_email(tx, email.as_str())?)
}

/// Returns the credentials of a signed-in person who has to enter the password again.
///
/// # Errors
/// The account has been closed.
pub fn own(tx: &mut Tx<'_>, person: PersonId) -> Result<Credentials, Error> {
    rows::by_id(tx, person)?.ok_or(Error::NotFound("account"))
}

/// Returns the current credentials, locked until the end of the transaction. Fails if the password
/// is no longer the one that was verified: a session must not outlive the password with which it
/// was started.
pub(super) fn require_unchanged(
    tx: &mut Tx<'_>,
    verified: &Credentials,
) -> Result<Credentials, Error> {
    if !rows::lock(tx, verified.account.owner.id)? {
        return Err(Error::NotFound("account"));
    }
    let now = own(tx, verified.account.owner.id)?;
    if now.password_hash.is_none() || now.password_hash != verified.password_hash {
        return Err(Refusal::PasswordChanged.into());
    }
    Ok(now)
}
