//! Queries for journal entries.

use crate::{Context, Error};
use ledger::entry::{Source, SourceType};
use store::{
    Page, Tx,
    journal::{self, EntryFilter, StoredEntry},
};

/// Returns a page of the entries of a period, by date and id.
///
/// # Errors
/// The storage failed.
pub fn list(
    tx: &mut Tx<'_>,
    cx: &Context,
    filter: &EntryFilter,
) -> Result<Page<StoredEntry>, Error> {
    Ok(journal::in_period(tx, cx.actor.account, filter)?)
}

/// Like [`list`], restricted to events and manual entries whose description contains `text`.
///
/// # Errors
/// The storage failed.
pub fn search(
    tx: &mut Tx<'_>,
    cx: &Context,
    filter: &EntryFilter,
    text: Option<&str>,
) -> Result<Page<StoredEntry>, Error> {
    Ok(journal::of_events_in_period(tx, cx.actor.account, filter, text)?)
}

/// Returns the id of the latest entry of a document or event.
///
/// # Errors
/// The storage failed.
pub fn last_of(
    tx: &mut Tx<'_>,
    cx: &Context,
    kind: SourceType,
    id: i64,
) -> Result<Option<i64>, Error> {
    Ok(journal::ids_by_source(tx, cx.actor.account, Source { kind, id })?.pop())
}

/// Returns an entry by its id.
///
/// # Errors
/// There is no such entry in this account.
pub fn read(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<StoredEntry, Error> {
    journal::by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("entry"))
}
