//! Journal entries, read.

use crate::{Actor, Error};
use store::{
    Page, Tx,
    journal::{self, EntryFilter, StoredEntry},
};

/// A page of the entries of a period, by date and id.
///
/// # Errors
/// The storage failed.
pub fn list(tx: &mut Tx<'_>, actor: &Actor, filter: &EntryFilter) -> Result<Page<StoredEntry>, Error> {
    Ok(journal::in_period(tx, actor.account, filter)?)
}

/// An entry by its id.
///
/// # Errors
/// There is no such entry in this account.
pub fn read(tx: &mut Tx<'_>, actor: &Actor, id: i64) -> Result<StoredEntry, Error> {
    journal::by_id(tx, actor.account, id)?.ok_or(Error::NotFound("entry"))
}
