//! Requests under a key of the caller's (`Idempotency-Key`): each is carried out once, and its repeats are answered as it was, for a day.

use crate::{Created, Error};
use jiff::{SignedDuration, Timestamp};
use store::{StoreError, Tx, idempotency};

pub use store::idempotency::Kept;

/// How long it is known what was carried out under a key.
pub(crate) const KEPT: SignedDuration = SignedDuration::from_hours(24);

/// A request under a key.
#[derive(Debug, Clone)]
pub struct Keyed {
    /// Whose books.
    pub account: i64,
    /// The key.
    pub key: String,
    /// The SHA-256 of what is asked.
    pub request: [u8; 32],
    /// When it is asked.
    pub at: Timestamp,
}

/// A body that makes a resource with an external id.
#[derive(Debug, Clone)]
pub struct Creation {
    /// Account of the resource.
    pub account: i64,
    /// Kind of resource, within which external ids are unique.
    pub resource: &'static str,
    /// The caller's own identifier.
    pub external_id: String,
    /// SHA-256 of the body in canonical form.
    pub body: [u8; 32],
}

impl Creation {
    /// Stores the digest of the body, in the transaction that makes the resource.
    ///
    /// # Errors
    /// The storage failed.
    pub fn keep(&self, tx: &mut Tx<'_>) -> Result<(), Error> {
        Ok(idempotency::keep_creating_body(tx, self.account, self.resource, &self.external_id, &self.body)?)
    }

    /// Whether another body made the resource with this external id.
    ///
    /// # Errors
    /// The storage failed.
    pub fn differs(&self, tx: &mut Tx<'_>) -> Result<bool, Error> {
        let made_by = idempotency::creating_body(tx, self.account, self.resource, &self.external_id)?;
        Ok(made_by.as_ref() != Some(&self.body))
    }

    /// Does either for the outcome of a create; returns whether the outcome is a resource that another body made.
    ///
    /// # Errors
    /// The storage failed.
    pub fn compare<T>(&self, tx: &mut Tx<'_>, outcome: &Created<T>) -> Result<bool, Error> {
        match outcome {
            Created::New(_) => self.keep(tx).map(|()| false),
            Created::Existing(_) => self.differs(tx),
        }
    }
}

/// What was answered to the same request before; nothing when there was none under its key.
///
/// # Errors
/// There was another request under the key; or the storage failed.
pub fn known(tx: &mut Tx<'_>, keyed: &Keyed) -> Result<Option<Kept>, Error> {
    match idempotency::find(tx, keyed.account, &keyed.key, keyed.at - KEPT)? {
        Some(kept) if kept.request != keyed.request => Err(Error::IdempotencyKeyReused),
        kept => Ok(kept),
    }
}

/// Carries a request out unless it was before, and keeps its answer in the same transaction, in the account that the command names. `lock`
/// locks the books, and tells whether there are any; `kept` gives where what was made is, and the answer. A command that fails uses nothing up.
///
/// # Errors
/// There was another request under the key; or those of the command.
pub fn once<A>(
    tx: &mut Tx<'_>,
    keyed: &Keyed,
    lock: impl FnOnce(&mut Tx<'_>) -> Result<bool, Error>,
    command: impl FnOnce(&mut Tx<'_>) -> Result<(A, i64), Error>,
    kept: impl FnOnce(&A) -> (Option<String>, Vec<u8>),
    again: impl FnOnce(Kept) -> A,
) -> Result<A, Error> {
    // Before looking: of several at once under the same key, on whatever node, one goes first and the others see what it kept.
    if !lock(tx)? {
        return Err(StoreError::AccountClosed.into());
    }
    if let Some(kept) = known(tx, keyed)? {
        return Ok(again(kept));
    }
    let (answer, account) = command(tx)?;
    let (location, bytes) = kept(&answer);
    let kept = Kept { request: keyed.request, location, answer: bytes };
    idempotency::keep(tx, account, &keyed.key, &kept, keyed.at)?;
    Ok(answer)
}
