//! Idempotency keys (`Idempotency-Key`): a request with a key is executed once, and repeats within
//! a day get the same answer.

use crate::{Created, Error};
use jiff::{SignedDuration, Timestamp};
use store::{StoreError, Tx, idempotency};

pub use store::idempotency::Kept;

/// Period during which the answer to a request with a key is stored.
pub(crate) const KEPT: SignedDuration = SignedDuration::from_hours(24);

/// A request with an idempotency key.
#[derive(Debug, Clone)]
pub struct Keyed {
    /// Account whose books the request uses.
    pub account: i64,
    /// The idempotency key.
    pub key: String,
    /// SHA-256 of the request.
    pub request: [u8; 32],
    /// Time of the request.
    pub at: Timestamp,
}

/// Body of a request that creates a resource with an external id.
#[derive(Debug, Clone)]
pub struct Creation {
    /// Account of the resource.
    pub account: i64,
    /// Kind of resource, within which external ids are unique.
    pub resource: &'static str,
    /// Identifier chosen by the caller.
    pub external_id: String,
    /// SHA-256 of the body in canonical form.
    pub body: [u8; 32],
}

impl Creation {
    /// Stores the digest of the body, in the transaction that creates the resource.
    ///
    /// # Errors
    /// The storage failed.
    pub fn keep(&self, tx: &mut Tx<'_>) -> Result<(), Error> {
        Ok(idempotency::keep_creating_body(
            tx,
            self.account,
            self.resource,
            &self.external_id,
            &self.body,
        )?)
    }

    /// Whether the resource with this external id was created by a different body.
    ///
    /// # Errors
    /// The storage failed.
    pub fn differs(&self, tx: &mut Tx<'_>) -> Result<bool, Error> {
        let made_by =
            idempotency::creating_body(tx, self.account, self.resource, &self.external_id)?;
        Ok(made_by.as_ref() != Some(&self.body))
    }

    /// Handles the outcome of a creation: stores the digest for a new resource; for an existing
    /// one, returns whether a different body created it.
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

/// Returns the stored answer to an earlier identical request; `None` if the key is new.
///
/// # Errors
/// The key was used for a different request, or the storage failed.
pub fn known(tx: &mut Tx<'_>, keyed: &Keyed) -> Result<Option<Kept>, Error> {
    match idempotency::find(tx, keyed.account, &keyed.key, keyed.at - KEPT)? {
        Some(kept) if kept.request != keyed.request => Err(Error::IdempotencyKeyReused),
        kept => Ok(kept),
    }
}

/// Executes a request unless it was executed before. Its answer is stored in the same transaction,
/// under the account that the command returns. `lock` locks the books and returns whether they
/// exist; `kept` returns the location of the created resource and the answer to store; `again`
/// converts a stored answer into the result. A failed command does not use up the key.
///
/// # Errors
/// The key was used for a different request, or the command failed.
pub fn once<A>(
    tx: &mut Tx<'_>,
    keyed: &Keyed,
    lock: impl FnOnce(&mut Tx<'_>) -> Result<bool, Error>,
    command: impl FnOnce(&mut Tx<'_>) -> Result<(A, i64), Error>,
    kept: impl FnOnce(&A) -> (Option<String>, Vec<u8>),
    again: impl FnOnce(Kept) -> A,
) -> Result<A, Error> {
    // The lock precedes the lookup: of concurrent requests with the same key, on any node, one
    // proceeds and the others then find its stored answer.
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
