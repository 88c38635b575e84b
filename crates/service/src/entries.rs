//! Journal entries, read.

use crate::{Actor, Error};
use store::{
    Tx,
    journal::{self, EntryFilter, StoredEntry},
};

/// Entries of a period, by date and id.
///
/// # Errors
/// The storage failed.
pub fn list(tx: &mut Tx<'_>, actor: &Actor, filter: &EntryFilter) -> Result<Vec<StoredEntry>, Error> {
    Ok(journal::in_period(tx, actor.account, filter)?)
}
