//! The change feed: what happened to the resources of an account, in the order in which it was committed.

use crate::{Context, Error};
use store::{
    Tx,
    changes::{self as rows, ChangeRow, ResourceKind},
};

/// Rows that are looked at in one go where only some kinds are wanted, and in all for one part of the feed.
const CHUNK: i64 = 1_000;
const MOST: usize = 10_000;

/// Which part of the feed is wanted.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// Only what follows this sequence number.
    pub after: i64,
    /// Only changes of these kinds; of all kinds where none is named.
    pub kinds: Vec<ResourceKind>,
    /// So many rows at the most.
    pub limit: i64,
}

/// A part of the feed.
#[derive(Debug, Clone)]
pub struct Part {
    /// The changes that were wanted.
    pub rows: Vec<ChangeRow>,
    /// Up to which sequence number there are no others.
    pub read_to: i64,
    /// Whether there may be more after that.
    pub more: bool,
}

/// Reads a part of the feed. It looks at so many rows at the most that it never takes long, however few are of the wanted kinds.
///
/// # Errors
/// The storage failed.
pub fn read(tx: &mut Tx<'_>, cx: &Context, wanted: &Wanted) -> Result<Part, Error> {
    let limit = usize::try_from(wanted.limit).unwrap_or(usize::MAX);
    // One row more than can be told shows whether there is more.
    let chunk = if wanted.kinds.is_empty() { wanted.limit + 1 } else { CHUNK };
    let mut part = Part { rows: Vec::new(), read_to: wanted.after, more: true };
    let mut looked_at = 0;
    while part.more && part.rows.len() < limit && looked_at < MOST {
        let found = rows::after(tx, cx.actor.account, part.read_to, chunk)?;
        part.more = i64::try_from(found.len()).is_ok_and(|found| found == chunk);
        for row in found {
            if part.rows.len() == limit {
                part.more = true;
                break;
            }
            part.read_to = row.change.sequence;
            looked_at += 1;
            if wanted.kinds.is_empty() || wanted.kinds.contains(&row.change.kind) {
                part.rows.push(row);
            }
        }
    }
    Ok(part)
}
