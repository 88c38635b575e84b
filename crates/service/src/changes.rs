//! Change feed: changes to the resources of an account, in commit order.

use crate::{Context, Error};
use store::{
    Tx,
    changes::{self as rows, ChangeRow, ResourceKind},
};

/// Number of rows read per query if only some kinds are requested. One call of [`read`] scans at
/// most about `MOST` rows.
const CHUNK: i64 = 1_000;
const MOST: usize = 10_000;

/// Selection of a part of the feed.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// Only changes after this sequence number.
    pub after: i64,
    /// Only changes of these kinds; empty means all kinds.
    pub kinds: Vec<ResourceKind>,
    /// Maximum number of changes returned.
    pub limit: i64,
}

/// Part of the feed.
#[derive(Debug, Clone)]
pub struct Part {
    /// Matching changes.
    pub rows: Vec<ChangeRow>,
    /// Sequence number up to which the feed has been scanned: the cursor for the next part.
    pub read_to: i64,
    /// Whether there may be more changes after `read_to`.
    pub more: bool,
}

/// Reads a part of the feed. The number of rows scanned is bounded, so the query is fast even if
/// few changes match.
///
/// # Errors
/// The storage failed.
pub fn read(tx: &mut Tx<'_>, cx: &Context, wanted: &Wanted) -> Result<Part, Error> {
    let limit = usize::try_from(wanted.limit).unwrap_or(usize::MAX);
    // One extra row shows whether there are more changes.
    let chunk = if wanted.kinds.is_empty() { wanted.limit + 1 } else { CHUNK };
    let mut part = Part { rows: Vec::new(), read_to: wanted.after, more: true };
    let mut looked_at = 0;
    while part.more && part.rows.len() < limit && looked_at < MOST {
        let scanned = rows::after(tx, cx.actor.account, part.read_to, chunk)?;
        part.more = i64::try_from(scanned.len()).is_ok_and(|count| count == chunk);
        for row in scanned {
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
