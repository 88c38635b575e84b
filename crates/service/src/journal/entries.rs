//! Journal entries, read.

use crate::{Context, Error};
use store::{
    Page, Tx,
    journal::{self, EntryFilter, StoredEntry},
};

/// A page of the entries of a period, by date and id.
///
/// # Errors
/// The storage failed.
pub fn list(tx: &mut Tx<'_>, cx: &Context, filter: &EntryFilter) -> Result<Page<StoredEntry>, Error> {
    Ok(journal::in_period(tx, cx.actor.account, filter)?)
}

/// An entry by its id.
///
/// # Errors
/// There is no such entry in this account.
pub fn read(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<StoredEntry, Error> {
    journal::by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("entry"))
}
