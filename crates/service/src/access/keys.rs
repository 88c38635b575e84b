//! API keys: made, shown once, recognised, revoked.

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

/// Characters of a key's name at the most.
const NAME_CHARS: usize = 255;
/// Characters of a key that are kept readable after its prefix, to recognise it by in a list.
const SHOWN_CHARS: usize = 4;

/// A key at the only moment at which it is known.
#[derive(Clone)]
pub struct NewKey {
    /// The key itself; not stored anywhere.
    pub secret: String,
    /// What is stored of it.
    pub key: ApiKey,
}

/// What a new key is called, and what it may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateKey {
    name: String,
    scopes: Scopes,
}

impl CreateKey {
    /// A key of that name, with blanks around it or without, and at least one scope.
    ///
    /// # Errors
    /// The faults, at `/name` and `/scopes`: the name is empty, too long or not on one line; no scope was chosen.
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

/// Keys of an account that are not revoked, at the most.
const MOST: usize = 100;

/// Makes a key for an account.
///
/// # Errors
/// There are too many already, there is no randomness, or the storage failed.
pub fn create_key(tx: &mut Tx<'_>, cx: &Context, command: &CreateKey) -> Result<NewKey, Error> {
    let CreateKey { name, scopes } = command;
    let kind = if cx.actor.test.is_some() { SecretKind::TestKey } else { SecretKind::Key };
    let secret = secrets::draw(cx.env.random(), kind)?;
    let shown = kind.prefix().len() + SHOWN_CHARS;
    // Before the books, as whoever closes the account takes them in this order.
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
            // By the server's clock: the one of a test account moves its books alone.
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

/// Locks out whoever else makes a key for the account until the end of the transaction; tells whether there are `shown` keys still, so that a
/// form that was shown then has not been sent before.
///
/// # Errors
/// The storage failed.
pub fn is_first_since(tx: &mut Tx<'_>, cx: &Context, shown: usize) -> Result<bool, Error> {
    people::lock_owner(tx, cx.actor.account)?;
    Ok(keys::all(tx, cx.actor.account)?.len() == shown)
}

/// All keys of the account, also the revoked ones.
///
/// # Errors
/// The storage failed.
pub fn list_keys(tx: &mut Tx<'_>, cx: &Context) -> Result<Vec<ApiKey>, Error> {
    Ok(keys::all(tx, cx.actor.account)?)
}

/// Ends a key at once, and switches off the webhooks that were made with it.
///
/// # Errors
/// There is no such key, or it was revoked before.
pub fn revoke_key(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<(), Error> {
    let name = keys::revoke(tx, cx.actor.account, id, cx.now())?.ok_or(Error::NotFound("unrevoked API key"))?;
    webhooks::disable_of(tx, &cx.env, cx.actor.account, Program::Key(id))?;
    events::record_for_owner(tx, &cx.env, cx.actor.account, events::EventKind::KeyRevoked, &name)
}

/// The hash by which a presented key is found; nothing when it cannot be one of ours.
#[must_use]
pub fn recognise(presented: &str) -> Option<[u8; 32]> {
    secrets::recognise(SecretKind::Key, presented).or_else(|| secrets::recognise(SecretKind::TestKey, presented))
}

/// Who the key with this hash speaks for; nothing when it is unknown or revoked.
///
/// # Errors
/// The storage failed.
pub fn authenticate(tx: &mut Tx<'_>, hash: &[u8; 32]) -> Result<Option<Actor>, Error> {
    Ok(keys::holder(tx, hash)?.map(|holder| Actor::program(holder, Credential::Key)))
}

/// The last use of a key or a connection.
#[derive(Debug, Clone)]
pub struct Use {
    /// Whose it is.
    pub account: i64,
    /// What was used.
    pub credential: Credential,
    /// When.
    pub at: Timestamp,
    /// From where.
    pub address: String,
}

/// Notes the last calls of the API, each with its account, and when keys and connections were last used.
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

/// The last calls of the account, the latest first; each with what its caller is called, if that is still known.
///
/// # Errors
/// The storage failed.
pub fn last_calls(tx: &mut Tx<'_>, cx: &Context) -> Result<Vec<(ApiCall, Option<String>)>, Error> {
    Ok(api_calls::last(tx, cx.actor.account)?)
}
