//! Receipts: files that are kept as they came, found by their hash.

use crate::{Context, Created, Error, Reason, context};
use documents::receipt::{self, ReceiptKind};
use ledger::description::ReceiptHash;
use sha2::{Digest, Sha256};
use store::{
    Page, Tx, Updated,
    accounts::Plan,
    books::IdSequence,
    documents as document_rows,
    receipts::{self as rows, Receipt, ReceiptColumn, ReceiptFilter},
};

pub use documents::receipt::{MAX_BYTES, ReceiptError};

/// A file that was looked at and can be kept.
#[derive(Debug, Clone)]
pub struct ReceiptFile {
    /// The name that it came with.
    pub name: Option<String>,
    sha256: ReceiptHash,
    kind: ReceiptKind,
    bytes: Vec<u8>,
    thumbnail: Option<Vec<u8>>,
}

/// Looks at a file that somebody handed in; a picture is made smaller, which takes its time.
///
/// # Errors
/// It is too large, of another kind, damaged, or a picture of too many pixels.
pub fn look_at(bytes: Vec<u8>, name: Option<String>) -> Result<ReceiptFile, ReceiptError> {
    let looked_at = receipt::look_at(&bytes)?;
    let sha256 = Sha256::digest(&bytes).into();
    Ok(ReceiptFile { name, sha256, kind: looked_at.kind, bytes, thumbnail: looked_at.thumbnail })
}

/// GiB of files that an account can keep, receipts and documents of invoices together: nobody fills the disk that is everybody's.
#[must_use]
pub const fn most_gib(plan: Plan) -> i64 {
    match plan {
        Plan::Free => 2,
        Plan::Starter | Plan::Pro => 20,
    }
}

/// Keeps a receipt's file; the same file is kept once.
///
/// # Errors
/// The account is not Dutch, or its receipts and the documents of its invoices take as many bytes as its plan allows.
pub fn keep(tx: &mut Tx<'_>, cx: &Context, file: &ReceiptFile) -> Result<Created<Receipt>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        if let Some(known) = rows::by_hash(tx, cx.actor.account, &file.sha256)? {
            return Ok(Created::Existing(known));
        }
        let (size, most) = (i64::try_from(file.bytes.len()).unwrap_or(i64::MAX), most_gib(cx.actor.plan));
        let kept = rows::bytes_in_all(tx, cx.actor.account)? + document_rows::bytes_in_all(tx, cx.actor.account)?;
        if kept.saturating_add(size) > most << 30 {
            return Err(Error::fault("", Reason::ReceiptsFull { most: usize::try_from(most).unwrap_or(usize::MAX) }));
        }
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

/// A receipt by its id.
///
/// # Errors
/// There is no such receipt in this account.
pub fn read(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Receipt, Error> {
    rows::by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("receipt"))
}

/// A receipt with its file.
///
/// # Errors
/// There is no such receipt in this account.
pub fn file(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<(Receipt, Vec<u8>), Error> {
    let receipt = read(tx, cx, id)?;
    let bytes = rows::bytes(tx, cx.actor.account, id)?.ok_or(Error::NotFound("receipt"))?;
    Ok((receipt, bytes))
}

/// A small JPEG picture of a receipt.
///
/// # Errors
/// There is no such receipt in this account, or it is no picture.
pub fn thumbnail(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Vec<u8>, Error> {
    rows::thumbnail(tx, cx.actor.account, id)?.ok_or(Error::NotFound("receipt"))
}

/// A page of receipts, newest first, those with an id below `before`; only those that wait for an expense, or only others, where that is
/// asked.
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

/// A list of receipts: a part of it, and how many there are in it, in all and waiting for an expense.
#[derive(Debug, Clone)]
pub struct ReceiptTable {
    /// The part, in its order.
    pub rows: Vec<Receipt>,
    /// How many the filter lets through.
    pub found: i64,
    /// How many there are.
    pub all: i64,
    /// How many of them wait.
    pub waiting: i64,
}

/// A part of the receipts that a filter lets through: what it is ordered by and whether downwards, how many come before, and how many there
/// are at the most.
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

/// Deletes a receipt that no expense ever had. `expected` looks at what is there while nobody else can change it.
///
/// # Errors
/// There is no such receipt in this account, it is not as expected, or its hash stands in the journal.
pub fn delete(tx: &mut Tx<'_>, cx: &Context, id: i64, expected: &dyn Fn(&Receipt) -> bool) -> Result<Receipt, Error> {
    context::transact(tx, cx, |tx, _books, cx| {
        cx.actor.require_dutch()?;
        let receipt = read(tx, cx, id)?;
        if !expected(&receipt) {
            return Err(Error::Changed);
        }
        if receipt.is_booked {
            return Err(Error::ReceiptInUse);
        }
        rows::delete(tx, cx.actor.account, id)?;
        Ok(receipt)
    })
}
