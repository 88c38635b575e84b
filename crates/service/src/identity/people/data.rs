//! All data of an account: export for its owner, and erasure after the account is closed.

use super::{
    Credentials, EncryptionKey,
    credentials::require_unchanged,
    second_factor::{self, Code},
};
use crate::{Environment, Error};
use jiff::SignedDuration;
use store::{
    Tx, closing,
    people::{self, PersonId},
};

pub use store::{closing::Field, row::Value};

/// Columns excluded from the export: secrets that would let a thief impersonate the owner or test
/// guesses of the password.
pub const SECRETS: [(&str, &str); 15] = [
    ("people", "password_hash"),
    ("people", "totp_seed"),
    ("api_keys", "hash"),
    ("sessions", "hash"),
    ("mail_tokens", "hash"),
    ("mail_tokens", "password_hash"),
    // A queued email may contain a sign-in link.
    ("mails", "body"),
    // A stored answer may contain a secret that is shown only once; its other content is also in
    // the exported books.
    ("idempotency_keys", "answer"),
    ("idempotency_keys", "request"),
    ("recovery_codes", "hash"),
    ("webhooks", "secret"),
    ("webhooks", "former_secret"),
    ("oauth_codes", "hash"),
    ("oauth_access_tokens", "hash"),
    ("oauth_refresh_tokens", "hash"),
];

/// Maximum number of closed accounts, and of closed people, considered per batch.
const CLOSED_AT_ONCE: i64 = 50;
/// Period for which the row of a closed account remains. During this period, requests that were in
/// progress when the account was closed, and pending writes to the call log, can still add rows;
/// these rows are erased too.
const LINGER: SignedDuration = SignedDuration::from_mins(10);

/// Callback that receives a table's name and one of its rows.
pub type RowSink<'t> = dyn FnMut(&'static str, &[Field]) -> Result<(), Error> + 't;

/// Exports all data of the account and its owner, row by row with column names: first the account
/// and its owner, then table by table. Amounts are in cents, hours in hundredths. Secrets are
/// excluded.
///
/// # Errors
/// The storage failed, or `sink` returned an error.
pub fn export(tx: &mut Tx<'_>, account: i64, sink: &mut RowSink<'_>) -> Result<(), Error> {
    let owner = people::owner(tx, account)?.ok_or(Error::NotFound("account"))?;
    closing::export_rows(tx, (account, owner), &mut |table, mut row| {
        row.retain(|(column, _)| !SECRETS.contains(&(table, column.as_str())));
        sink(table, &row)
    })
}

/// Closes a person's account permanently: sign-in, keys and tokens stop working at once, and the
/// email address becomes available for a new account. The rows are erased in the background
/// ([`erase_batch`]). For the operator; owners use [`close_own`].
///
/// # Errors
/// The account is already closed.
pub fn close(tx: &mut Tx<'_>, env: &Environment, person: PersonId) -> Result<(), Error> {
    if closing::close(tx, person, env.now)? { Ok(()) } else { Err(Error::NotFound("account")) }
}

/// Closes the account of an owner who has just entered the password; see [`close`]. `verified`
/// contains the credentials that were checked. If the account has a second factor, a code is
/// required too; returns false, and leaves the account open, if the code is wrong.
///
/// # Errors
/// The password has been changed or the account closed since `verified` was read, or the server has
/// no key for the second factor.
pub fn close_own(
    tx: &mut Tx<'_>,
    env: &Environment,
    key: Option<&EncryptionKey>,
    verified: &Credentials,
    code: &Code,
) -> Result<bool, Error> {
    let owner = require_unchanged(tx, verified)?.account.owner;
    if owner.second_factor && !second_factor::is_shown(tx, env, key, owner.id, code)? {
        return Ok(false);
    }
    close(tx, env, owner.id)?;
    Ok(true)
}

/// Erases up to `limit` rows of closed accounts; returns their number.
///
/// # Errors
/// The storage failed.
pub fn erase_batch(tx: &mut Tx<'_>, env: &Environment, limit: i64) -> Result<i64, Error> {
    let mut erased_rows = 0;
    for (account, closed_at) in closing::closed(tx, CLOSED_AT_ONCE)? {
        if erased_rows >= limit {
            break;
        }
        let erased = closing::erase(tx, account, limit - erased_rows)?;
        erased_rows += erased;
        if erased == 0 && closed_at + LINGER <= env.now {
            closing::erase_account(tx, account)?;
            erased_rows += 1;
        }
    }
    for person in closing::closed_people(tx, CLOSED_AT_ONCE)? {
        if erased_rows >= limit {
            break;
        }
        erased_rows += closing::erase_person(tx, person, limit - erased_rows)?;
    }
    Ok(erased_rows)
}
