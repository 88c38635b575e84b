//! API keys: creation, listing, authentication and revocation.

use super::webhooks;
use crate::{
    Actor, Context, Error, Fault, Reason,
    actor::Credential,
    context,
    people::events,
    secrets::{self, SecretKind},
    text,
};
use jiff::Timestamp;
use store::{
    Tx,
    api_calls::{self, ApiCall},
    books::IdSequence,
    keys::{self, ApiKey, Scopes},
    oauth, people,
    webhooks::Program,
};

/// Maximum length of a key's name, in characters.
const NAME_CHARS: usize = 255;
/// Number of characters after the prefix that stay readable, to identify the key in a list.
const SHOWN_CHARS: usize = 4;

/// A new key with its secret, which cannot be retrieved later.
#[derive(Clone)]
pub struct NewKey {
    /// Secret of the key; it is not stored.
    pub secret: String,
    /// Stored data of the key.
    pub key: ApiKey,
}

/// Command that creates a key, with its name and scopes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateKey {
    name: String,
    scopes: Scopes,
}

impl CreateKey {
    /// Creates the command from a name, which is trimmed, and at least one scope.
    ///
    /// # Errors
    /// Faults at `/name` and `/scopes`: the name is empty, too long or not on one line; no scope
    /// was chosen.
    pub fn new(name: &str, scopes: Scopes) -> Result<Self, Vec<Fault>> {
        let mut faults = Vec::new();
        let name = text::single_line(name, NAME_CHARS).unwrap_or_else(|_| {
            faults.push(Fault::new("/name", Reason::NameRequired { most: NAME_CHARS }));
            String::new()
        });
        if !scopes.read && !scopes.write && !scopes.file {
            faults.push(Fault::new("/scopes", Reason::ScopeRequired));
        }
        if faults.is_empty() { Ok(Self { name, scopes }) } else { Err(faults) }
    }
}

/// Maximum number of active keys of an account.
const MOST: usize = 100;

/// Creates a key for an account.
///
/// # Errors
/// The account has too many keys, the random number generator failed, or the storage failed.
pub fn create_key(tx: &mut Tx<'_>, cx: &Context, command: &CreateKey) -> Result<NewKey, Error> {
    let CreateKey { name, scopes } = command;
    let kind = if cx.actor.test.is_some() { SecretKind::TestKey } else { SecretKind::Key };
    let secret = secrets::draw(cx.env.random(), kind)?;
    let shown = kind.prefix().len() + SHOWN_CHARS;
    // Locks the owner before the books, in the same order as when an account is closed.
    people::lock_owner(tx, cx.actor.account)?;
    if keys::working(tx, cx.actor.account)? >= i64::try_from(MOST).unwrap_or(i64::MAX) {
        return Err(Error::fault("", Reason::TooManyKeys { most: MOST }));
    }
    let made = context::transact(tx, cx, |tx, books, cx| {
        let key = ApiKey {
            id: books.next_id(IdSequence::ApiKey),
            name: name.clone(),
            prefix: secret[..shown].to_owned(),
            scopes: *scopes,
            // Server time even in a test account, whose own clock applies only to its books.
            created_at: if cx.actor.test.is_some() { cx.env.now } else { cx.now() },
            last_used_at: None,
            last_used_address: None,
            revoked_at: None,
        };
        keys::insert(tx, cx.actor.account, &key, &secrets::hash(&secret))?;
        Ok::<_, Error>(NewKey { secret: secret.clone(), key })
    })?;
    events::record_for_owner(tx, &cx.env, cx.actor.account, events::EventKind::KeyCreated, name)?;
    Ok(made)
}

/// Locks the account's owner until the end of the transaction; returns whether the number of keys
/// is still `shown`, the number when the form was displayed. If not, the form may have been
/// submitted already.
///
/// # Errors
/// The storage failed.
pub fn is_first_since(tx: &mut Tx<'_>, cx: &Context, shown: usize) -> Result<bool, Error> {
    people::lock_owner(tx, cx.actor.account)?;
    Ok(keys::all(tx, cx.actor.account)?.len() == shown)
}

/// Lists all keys of the account, including revoked ones.
///
/// # Errors
/// The storage failed.
pub fn list_keys(tx: &mut Tx<'_>, cx: &Context) -> Result<Vec<ApiKey>, Error> {
    Ok(keys::all(tx, cx.actor.account)?)
}

/// Revokes a key at once, and disables the webhooks that belong to it.
///
/// # Errors
/// There is no such key, or it was already revoked.
pub fn revoke_key(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<(), Error> {
    let name = keys::revoke(tx, cx.actor.account, id, cx.now())?
        .ok_or(Error::NotFound("unrevoked API key"))?;
    webhooks::disable_of(tx, &cx.env, cx.actor.account, Program::Key(id))?;
    events::record_for_owner(tx, &cx.env, cx.actor.account, events::EventKind::KeyRevoked, &name)
}

/// Returns the hash under which a presented key is stored; `None` if the text does not have the
/// form of a key.
#[must_use]
pub fn recognise(presented: &str) -> Option<[u8; 32]> {
    secrets::recognise(SecretKind::Key, presented)
        .or_else(|| secrets::recognise(SecretKind::TestKey, presented))
}

/// Returns the caller that the key with this hash authenticates; `None` if the key is unknown or
/// revoked.
///
/// # Errors
/// The storage failed.
pub fn authenticate(tx: &mut Tx<'_>, hash: &[u8; 32]) -> Result<Option<Actor>, Error> {
    Ok(keys::holder(tx, hash)?.map(|holder| Actor::program(holder, Credential::Key)))
}

/// Last use of a key or a connected application.
#[derive(Debug, Clone)]
pub struct Use {
    /// Account to which the key or grant belongs.
    pub account: i64,
    /// Key or grant that was used.
    pub credential: Credential,
    /// Time of the use.
    pub at: Timestamp,
    /// Client address.
    pub address: String,
}

/// Records API calls, each with its account, and the last uses of keys and connected applications.
///
/// # Errors
/// The storage failed.
pub fn record_calls(tx: &mut Tx<'_>, uses: &[Use], calls: &[(i64, ApiCall)]) -> Result<(), Error> {
    for Use { account, credential, at, address } in uses {
        match credential {
            Credential::Owner => {}
            Credential::Key(key) => keys::record_use(tx, *account, *key, *at, address)?,
            Credential::Grant(grant) => oauth::record_use(tx, *account, grant, *at, address)?,
        }
    }
    Ok(api_calls::append(tx, calls)?)
}

/// Lists the last API calls of the account, newest first. Each has the name of the key or
/// application that made it, if that still exists.
///
/// # Errors
/// The storage failed.
pub fn last_calls(tx: &mut Tx<'_>, cx: &Context) -> Result<Vec<(ApiCall, Option<String>)>, Error> {
    Ok(api_calls::last(tx, cx.actor.account)?)
}
