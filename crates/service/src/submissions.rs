//! Idempotency of form submissions: each form is processed once, no matter how often it is
//! submitted.

use crate::{Context, Error};
use jiff::SignedDuration;
use store::{Tx, books, people, submissions};

/// Period during which a processed form is remembered.
pub(crate) const KEPT: SignedDuration = SignedDuration::from_hours(24);

/// Returns the location to which a processed form redirected; `None` if the form has not been
/// processed.
///
/// # Errors
/// The storage failed.
pub fn known(tx: &mut Tx<'_>, cx: &Context, id: &str) -> Result<Option<String>, Error> {
    Ok(submissions::known(tx, cx.actor.account, id)?)
}

/// Result of a form submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// Location to redirect to, returned now or when the form was processed earlier.
    pub location: String,
    /// Whether the form was processed before with different content. The content of this submission
    /// was then discarded.
    pub is_dropped: bool,
}

/// Like [`once`], for a form whose content may have changed since it was processed, because the
/// user navigated back to it. `content` is a fingerprint of the submitted content.
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

/// Locks the books until the end of the transaction. A command uses this to compare the stored
/// values with the values that the form was filled from, before another command can change them.
///
/// # Errors
/// The storage failed.
pub fn lock(tx: &mut Tx<'_>, cx: &Context) -> Result<(), Error> {
    books::lock(tx, cx.actor.account)?;
    Ok(())
}

/// Processes a form, unless it was processed before: in that case, only the earlier location is
/// returned. A failed attempt is not recorded, so that the user can correct the form and submit it
/// again.
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

/// Processes, only once, a form that ends a resource of the account, such as a session or an API
/// key. A repeated request, such as a double click, leads to the same location; an unknown resource
/// is reported as not found.
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
