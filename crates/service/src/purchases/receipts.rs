//! Receipts: files that are stored unchanged and deduplicated by hash.

use crate::{BookingError, Context, Created, Error, Reason, context};
use documents::receipt::{self, ReceiptKind};
use ledger::description::ReceiptHash;
use sha2::{Digest, Sha256};
use store::{
    Page, Tx, Updated,
    accounts::Plan,
    bank_statements, bank_uploads,
    books::IdSequence,
    documents as document_rows,
    receipts::{self as rows, Receipt, ReceiptColumn, ReceiptFilter},
};

pub use documents::receipt::{MAX_BYTES, ReceiptError};

/// Validated file of a receipt.
#[derive(Debug, Clone)]
pub struct ReceiptFile {
    /// Original file name.
    pub name: Option<String>,
    sha256: ReceiptHash,
    kind: ReceiptKind,
    bytes: Vec<u8>,
    thumbnail: Option<Vec<u8>>,
}

/// Validates an uploaded file and, if it is a picture, creates a thumbnail, which is slow.
///
/// # Errors
/// The file is empty, too large, of an unsupported kind or damaged, or a picture has too many
/// pixels.
pub fn look_at(bytes: Vec<u8>, name: Option<String>) -> Result<ReceiptFile, ReceiptError> {
    let checked = receipt::look_at(&bytes)?;
    let sha256 = Sha256::digest(&bytes).into();
    Ok(ReceiptFile { name, sha256, kind: checked.kind, bytes, thumbnail: checked.thumbnail })
}

/// Storage quota of an account in GiB, for receipts, invoice documents and bank statements together. It keeps one
/// account from filling the shared disk.
#[must_use]
pub const fn most_gib(plan: Plan) -> i64 {
    match plan {
        Plan::Free => 2,
        Plan::Starter | Plan::Pro => 20,
    }
}

/// Requires room for a file in the quota of the account.
pub(crate) fn require_room(tx: &mut Tx<'_>, cx: &Context, size: usize) -> Result<(), Error> {
    let most = most_gib(cx.actor.plan);
    let used = rows::bytes_in_all(tx, cx.actor.account)?
        + document_rows::bytes_in_all(tx, cx.actor.account)?
        + bank_statements::bytes_in_all(tx, cx.actor.account)?
        + bank_uploads::bytes_in_all(tx, cx.actor.account)?;
    if used.saturating_add(i64::try_from(size).unwrap_or(i64::MAX)) > most << 30 {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        return Err(Error::fault("", Reason::ReceiptsFull { most }));
    }
    Ok(())
}

/// Stores the file of a receipt, unless the account already has a receipt with the same file.
///
/// # Errors
/// The account is not Dutch, or its receipts and invoice documents have reached the quota of its
/// plan.
pub fn keep(tx: &mut Tx<'_>, cx: &Context, file: &ReceiptFile) -> Result<Created<Receipt>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        if let Some(existing) = rows::by_hash(tx, cx.actor.account, &file.sha256)? {
            return Ok(Created::Existing(existing));
        }
        require_room(tx, cx, file.bytes.len())?;
        let size = i64::try_from(file.bytes.len()).unwrap_or(i64::MAX);
        let receipt = Receipt {
            id: books.next_id(IdSequence::Receipt),
            sha256: file.sha256,
            name: file.name.clone(),
            media_type: file.kind.media_type().to_owned(),
            size,
            is_booked: false,
            source: cx.actor.origin,
            created_at: cx.now(),
            updated_at: cx.now(),
            expense_ids: Vec::new(),
        };
        rows::insert(tx, cx.actor.account, &receipt, &file.bytes, file.thumbnail.as_deref())?;
        Ok(Created::New(receipt))
    })
}

/// Returns a receipt by its id.
///
/// # Errors
/// There is no such receipt in this account.
pub fn read(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Receipt, Error> {
    rows::by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("receipt"))
}

/// Returns a receipt with its file.
///
/// # Errors
/// There is no such receipt in this account.
pub fn file(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<(Receipt, Vec<u8>), Error> {
    let receipt = read(tx, cx, id)?;
    let bytes = rows::bytes(tx, cx.actor.account, id)?.ok_or(Error::NotFound("receipt"))?;
    Ok((receipt, bytes))
}

/// Returns the thumbnail of a receipt, a JPEG.
///
/// # Errors
/// There is no such receipt in this account, or it is not a picture.
pub fn thumbnail(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Vec<u8>, Error> {
    rows::thumbnail(tx, cx.actor.account, id)?.ok_or(Error::NotFound("receipt"))
}

/// Returns a page of receipts with an id below `before`, newest first. The first element of
/// `filter` selects receipts that belong to an expense (`true`) or to none (`false`).
///
/// # Errors
/// The storage failed.
pub fn list(
    tx: &mut Tx<'_>,
    cx: &Context,
    filter: (Option<bool>, Option<Updated>),
    before: i64,
    limit: i64,
) -> Result<Page<Receipt>, Error> {
    Ok(rows::list(tx, cx.actor.account, filter, before, limit)?)
}

/// Part of a list of receipts, with counts.
#[derive(Debug, Clone)]
pub struct ReceiptTable {
    /// Rows of this part, in the order of the list.
    pub rows: Vec<Receipt>,
    /// Number of receipts that match the filter.
    pub found: i64,
    /// Number of receipts in the account.
    pub all: i64,
    /// Number of receipts without an expense.
    pub waiting: i64,
}

/// Returns part of the receipts that match a filter. `order` is the sort column and whether to sort
/// in descending order; `rows` is the offset and the maximum number of rows.
///
/// # Errors
/// The storage failed.
pub fn table(
    tx: &mut Tx<'_>,
    cx: &Context,
    filter: &ReceiptFilter,
    order: (ReceiptColumn, bool),
    rows: (i64, i64),
) -> Result<ReceiptTable, Error> {
    let account = cx.actor.account;
    Ok(ReceiptTable {
        rows: rows::table(tx, account, filter, order, rows)?,
        found: rows::count_of(tx, account, filter)?,
        all: rows::count(tx, account)?,
        waiting: rows::count_waiting(tx, account)?,
    })
}

/// Deletes a receipt that never belonged to an expense. `expected` is called on the stored receipt
/// while the books are locked; if it returns false, there is a conflict.
///
/// # Errors
/// The account is not Dutch, there is no such receipt in this account, it is not as expected, or
/// its hash is in the journal.
pub fn delete(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    expected: &dyn Fn(&Receipt) -> bool,
) -> Result<Receipt, Error> {
    context::transact(tx, cx, |tx, _books, cx| {
        cx.actor.require_dutch()?;
        let receipt = read(tx, cx, id)?;
        if !expected(&receipt) {
            return Err(Error::Changed);
        }
        if receipt.is_booked {
            return Err(BookingError::ReceiptInUse.into());
        }
        rows::delete(tx, cx.actor.account, id)?;
        Ok(receipt)
    })
}
