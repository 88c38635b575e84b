//! All data of an account: exported for its owner, and erased after the account is closed.

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

/// Columns that are kept from the export: by them somebody could pretend to be the owner, or try passwords.
pub const SECRETS: [(&str, &str); 15] = [
    ("people", "password_hash"),
    ("people", "totp_seed"),
    ("api_keys", "hash"),
    ("sessions", "hash"),
    ("mail_tokens", "hash"),
    ("mail_tokens", "password_hash"),
    // A mail that is on its way may hold a link that lets somebody in.
    ("mails", "body"),
    // An answer may hold what is shown once; everything else of it stands in the books, which are told.
    ("idempotency_keys", "answer"),
    ("idempotency_keys", "request"),
    ("recovery_codes", "hash"),
    ("webhooks", "secret"),
    ("webhooks", "former_secret"),
    ("oauth_codes", "hash"),
    ("oauth_access_tokens", "hash"),
    ("oauth_refresh_tokens", "hash"),
];

/// Accounts that are looked at for rows to erase in one go.
const CLOSED_AT_ONCE: i64 = 50;
/// How long the row of a closed account stays: what was under way when it was closed (a request, a line of the log of calls) can still
/// write until then, and is erased too.
const LINGER: SignedDuration = SignedDuration::from_mins(10);

/// Gets a table's name and a row of it.
pub type RowSink<'t> = dyn FnMut(&'static str, &[Field]) -> Result<(), Error> + 't;

/// Gives everything that the account and its owner have, row by row with the columns' names: first the account and its owner, then table by table. Amounts
/// are cents, hours are hundredths. Secrets are left out.
///
/// # Errors
/// The storage failed, or `sink` says to stop.
pub fn export(tx: &mut Tx<'_>, account: i64, sink: &mut RowSink<'_>) -> Result<(), Error> {
    let owner = people::owner(tx, account)?.ok_or(Error::NotFound("account"))?;
    closing::export_rows(tx, (account, owner), &mut |table, mut row| {
        row.retain(|(column, _)| !SECRETS.contains(&(table, column.as_str())));
        sink(table, &row)
    })
}

/// Closes a person's account for good: nobody can sign in, no key and no token works, from this moment on; its address is free. The rows go in the
/// background ([`erase_batch`]). For the operator; owners use [`close_own`].
///
/// # Errors
/// The account is closed already.
pub fn close(tx: &mut Tx<'_>, env: &Environment, person: PersonId) -> Result<(), Error> {
    if closing::close(tx, person, env.now)? { Ok(()) } else { Err(Error::NotFound("account")) }
}

/// Closes the account of an owner who just gave the password `verified`, as [`close`] does. With a second factor it
/// needs a code too; returns whether that is right.
///
/// # Errors
/// The password was changed or the account closed meanwhile; the server has no key for the second factor.
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

/// Erases rows of closed accounts, `limit` at the most; returns how many.
///
/// # Errors
/// The storage failed.
pub fn erase_batch(tx: &mut Tx<'_>, env: &Environment, limit: i64) -> Result<i64, Error> {
    let mut gone = 0;
    for (account, closed_at) in closing::closed(tx, CLOSED_AT_ONCE)? {
        if gone >= limit {
            break;
        }
        let erased = closing::erase(tx, account, limit - gone)?;
        gone += erased;
        if erased == 0 && closed_at + LINGER <= env.now {
            closing::erase_account(tx, account)?;
            gone += 1;
        }
    }
    for person in closing::closed_people(tx, CLOSED_AT_ONCE)? {
        if gone >= limit {
            break;
        }
        gone += closing::erase_person(tx, person, limit - gone)?;
    }
    Ok(gone)
}
