//! Queries for journal entries.

use crate::{Context, Error, bank_lines};
use ledger::entry::{Source, SourceType};
use store::{
    Page, Tx, bank_allocations,
    journal::{self, EntryFilter, StoredEntry},
};

/// Entry with the line of a bank statement that it books.
#[derive(Debug, Clone)]
pub struct EntryDetails {
    /// The entry.
    pub stored: StoredEntry,
    /// Line whose booking includes the entry. Of both lines of a transfer, the one whose bank account
    /// the entry moves.
    pub bank_line_id: Option<i64>,
}

/// Returns entries with their lines.
fn detailed(
    tx: &mut Tx<'_>,
    cx: &Context,
    entries: Vec<StoredEntry>,
) -> Result<Vec<EntryDetails>, Error> {
    let ids: Vec<i64> = entries.iter().map(|stored| stored.id).collect();
    let linked = bank_allocations::lines_of_entries(tx, cx.actor.account, &ids)?;
    let details = |stored: StoredEntry| {
        let mut lines = linked.iter().filter(|of| of.entry_id == stored.id);
        let moved = lines
            .clone()
            .find(|of| bank_lines::moves_money_of(cx, &stored, of.bank_account_id))
            .or_else(|| lines.next());
        EntryDetails { bank_line_id: moved.map(|of| of.line_id), stored }
    };
    Ok(entries.into_iter().map(details).collect())
}

/// Returns an entry with its line.
///
/// # Errors
/// There is no such entry in this account.
pub fn details(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<EntryDetails, Error> {
    let stored = read(tx, cx, id)?;
    detailed(tx, cx, vec![stored])?.pop().ok_or(Error::NotFound("entry"))
}

/// Like [`list`], with the lines of the entries.
///
/// # Errors
/// The storage failed.
pub fn list_details(
    tx: &mut Tx<'_>,
    cx: &Context,
    filter: &EntryFilter,
) -> Result<Page<EntryDetails>, Error> {
    let Page { rows, more } = list(tx, cx, filter)?;
    Ok(Page { rows: detailed(tx, cx, rows)?, more })
}

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
