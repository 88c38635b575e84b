//! Forms that people send: each is carried out once, however often it is sent.

use crate::{Actor, Error};
use jiff::{SignedDuration, Timestamp};
use store::{Tx, submissions};

/// How long it is known that a form was carried out.
pub(crate) const KEPT: SignedDuration = SignedDuration::from_hours(24);

/// Where a form led to that was carried out; nothing when it was not.
///
/// # Errors
/// The storage failed.
pub fn known(tx: &mut Tx<'_>, account: i64, id: &str) -> Result<Option<String>, Error> {
    Ok(submissions::known(tx, account, id)?)
}

/// Carries a form out, unless the same one was carried out before: then only where that led to is given. A command that fails uses
/// nothing up, so that the form can be mended and sent again.
///
/// # Errors
/// Those of the command.
pub fn once(
    tx: &mut Tx<'_>,
    actor: &Actor,
    now: Timestamp,
    id: &str,
    command: impl FnOnce(&mut Tx<'_>) -> Result<String, Error>,
) -> Result<String, Error> {
    if let Some(location) = submissions::begin(tx, actor.account, id, now)? {
        return Ok(location);
    }
    let location = command(tx)?;
    submissions::finish(tx, actor.account, id, &location)?;
    Ok(location)
}
