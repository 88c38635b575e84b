//! What a password is compared with, and that it is still the same when something follows from the comparison.

use super::{Credentials, PersonId, Refusal};
use crate::{EmailAddress, Error};
use store::{Tx, people as rows};

/// The account with that e-mail address, and what its password is compared with.
///
/// # Errors
/// The storage failed.
pub fn find(tx: &mut Tx<'_>, email: &EmailAddress) -> Result<Option<Credentials>, Error> {
    Ok(rows::by_email(tx, email.as_str())?)
}

/// The credentials of a person who is signed in, for asking the password again.
///
/// # Errors
/// The account was closed meanwhile.
pub fn own(tx: &mut Tx<'_>, person: PersonId) -> Result<Credentials, Error> {
    rows::by_id(tx, person)?.ok_or(Error::NotFound("account"))
}

/// The credentials as they are now, locked until the end of the transaction; refused when the password is not what was compared: a session
/// must not outlive the password that it was begun with.
pub(super) fn require_unchanged(tx: &mut Tx<'_>, verified: &Credentials) -> Result<Credentials, Error> {
    if !rows::lock(tx, verified.account.owner.id)? {
        return Err(Error::NotFound("account"));
    }
    let now = own(tx, verified.account.owner.id)?;
    if now.password_hash.is_none() || now.password_hash != verified.password_hash {
        return Err(Refusal::PasswordChanged.into());
    }
    Ok(now)
}
