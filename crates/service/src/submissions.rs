//! Forms that people send: each is carried out once, however often it is sent.

use crate::{Context, Error};
use jiff::SignedDuration;
use store::{Tx, books, people, submissions};

/// How long it is known that a form was carried out.
pub(crate) const KEPT: SignedDuration = SignedDuration::from_hours(24);

/// Where a form led to that was carried out; nothing when it was not.
///
/// # Errors
/// The storage failed.
pub fn known(tx: &mut Tx<'_>, cx: &Context, id: &str) -> Result<Option<String>, Error> {
    Ok(submissions::known(tx, cx.actor.account, id)?)
}

/// What became of a form that was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// Where it leads, now or when it was carried out before.
    pub location: String,
    /// Whether it was carried out before with other content, of which nothing was saved.
    pub is_dropped: bool,
}

/// [`once`] for a form whose content, as a fingerprint, may have been changed since it was carried out: by a browser that went back to it.
///
/// # Errors
/// Those of the command.
pub fn once_as_filled(
    tx: &mut Tx<'_>,
    cx: &Context,
    (id, content): (&str, &str),
    command: impl FnOnce(&mut Tx<'_>) -> Result<String, Error>,
) -> Result<Sent, Error> {
    let filled = format!("{id} {content}");
    let mut is_first = false;
    let location = once(tx, cx, id, |tx| {
        is_first = true;
        let location = command(tx)?;
        once(tx, cx, &filled, |_| Ok(location))
    })?;
    let is_dropped = !is_first && known(tx, cx, &filled)?.is_none();
    Ok(Sent { location, is_dropped })
}

/// Locks the books until the end of the transaction, for a command that is to find what its form was filled from: nobody changes that between the
/// look at it and the change.
///
/// # Errors
/// The storage failed.
pub fn lock(tx: &mut Tx<'_>, cx: &Context) -> Result<(), Error> {
    books::lock(tx, cx.actor.account)?;
    Ok(())
}

/// Carries a form out, unless the same one was carried out before: then only where that led to is given. A command that fails uses
/// nothing up, so that the form can be mended and sent again.
///
/// # Errors
/// Those of the command.
pub fn once(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: &str,
    command: impl FnOnce(&mut Tx<'_>) -> Result<String, Error>,
) -> Result<String, Error> {
    if let Some(location) = submissions::begin(tx, cx.actor.account, id, cx.now())? {
        return Ok(location);
    }
    let location = command(tx)?;
    submissions::finish(tx, cx.actor.account, id, &location)?;
    Ok(location)
}

/// Ends something of the account, once: what is ended again, as by a double click, leads to the same place, and what never was is not found.
///
/// # Errors
/// Those of the command.
pub fn end_once(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: &str,
    command: impl FnOnce(&mut Tx<'_>) -> Result<String, Error>,
) -> Result<String, Error> {
    people::lock_owner(tx, cx.actor.account)?;
    once(tx, cx, id, command)
}
