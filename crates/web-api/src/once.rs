//! Idempotency keys: a POST with `Idempotency-Key` is executed once, and a repeated request gets
//! the stored response.
//!
//! Handlers do not read the key: `middleware/idempotency.rs` around every POST records the key, the
//! readers of bodies record the body, and [`answer`] stores the response in the transaction of the
//! command. A body with an `externalId` needs no key, and its key is ignored.

use super::reply::Reply;
use axum::response::{IntoResponse, Response};
use ledger::decimal;
use service::{
    Created, Error,
    idempotency::{self, Creation},
};
use sha2::{Digest, Sha256};
use store::{Tx, books};
use web_core::{
    AppState,
    http::keyed_request,
    input::{self, Raw},
    problem::Problem,
};

/// Executes the command of a POST in one durable transaction and responds with its result. If the
/// request has a key, the same transaction stores the response for repeated requests.
pub async fn answer<T, F, S>(
    app: &AppState,
    account: i64,
    mut command: F,
    show: S,
) -> Result<Response, Problem>
where
    F: FnMut(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
    S: Fn(T) -> Reply + Send + 'static,
    T: Send + 'static,
{
    let lock = move |tx: &mut Tx<'_>| Ok(books::lock(tx, account)?);
    answer_of_another(app, account, lock, move |tx| Ok((command(tx)?, account)), show).await
}

/// Refuses a key that a different request used, before a handler that executes several commands calls
/// [`answer`] after them.
pub async fn refuse_reused(app: &AppState, account: i64) -> Result<(), Problem> {
    if let Some(keyed) = keyed_request::current() {
        app.query(account, move |tx| idempotency::known(tx, &keyed).map(drop)).await?;
    }
    Ok(())
}

/// Digest of a body that creates a resource with an external id; `None` if the body has no external
/// id. The digest includes `place`, the path of the list to which the body is sent.
pub fn creation(account: i64, resource: &'static str, place: &str, body: &Raw) -> Option<Creation> {
    let Raw::Object(members) = body else { return None };
    let (_, external_id) = members.iter().find(|(name, _)| name == EXTERNAL_ID_FIELD)?;
    let external_id = input::external_id(external_id).ok()?;
    Some(creation_as(account, resource, place, body, external_id))
}

/// Like [`creation`], for an external id in the path.
pub fn creation_as(
    account: i64,
    resource: &'static str,
    place: &str,
    body: &Raw,
    external_id: String,
) -> Creation {
    let mut hash = Sha256::new_with_prefix(place);
    let members: &[(String, Raw)] = if let Raw::Object(members) = body { members } else { &[] };
    digest_members(&mut hash, members.iter().filter(|(name, _)| name != EXTERNAL_ID_FIELD));
    Creation { account, resource, external_id, body: hash.finalize().into() }
}

/// Field with the caller's own identifier.
const EXTERNAL_ID_FIELD: &str = "externalId";

/// Adds an object in canonical form: sorted by name, and without nulls, because a null is the same
/// as an omitted field.
fn digest_members<'r>(hash: &mut Sha256, members: impl Iterator<Item = &'r (String, Raw)>) {
    let mut members: Vec<_> = members.filter(|(_, value)| *value != Raw::Null).collect();
    members.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    hash.update([b'{']);
    for (name, value) in members {
        digest_text(hash, b'"', name);
        digest(hash, value);
    }
    hash.update([b'}']);
}

/// Adds a value in canonical form: a number by its value (`1e2` equals `100.00`), a text without
/// surrounding blanks.
fn digest(hash: &mut Sha256, value: &Raw) {
    match value {
        Raw::Null => hash.update([b'n']),
        Raw::Bool(true) => hash.update([b't']),
        Raw::Bool(false) => hash.update([b'f']),
        Raw::Number(text) => match decimal::parse(text) {
            Ok(number) => digest_text(hash, b'0', &decimal::plain(&number)),
            Err(_) => digest_text(hash, b'0', text),
        },
        Raw::Text(text) | Raw::Typed(text, _) => digest_text(hash, b'"', text.trim()),
        Raw::Array(items) => {
            hash.update([b'[']);
            items.iter().for_each(|item| digest(hash, item));
            hash.update([b']']);
        }
        Raw::Object(members) => digest_members(hash, members.iter()),
    }
}

/// Adds a text, prefixed with its kind and length, so that adjacent values cannot be confused.
fn digest_text(hash: &mut Sha256, kind: u8, text: &str) {
    hash.update([kind]);
    hash.update(text.len().to_be_bytes());
    hash.update(text);
}

/// Like [`answer`], for a command that creates a resource: the response to a repeated request
/// reports whether its body differs from the original one.
pub async fn create<T, F, S>(
    app: &AppState,
    account: i64,
    creation: Option<Creation>,
    mut command: F,
    show: S,
) -> Result<Response, Problem>
where
    F: FnMut(&mut Tx<'_>) -> Result<Created<T>, Error> + Send + 'static,
    S: Fn(Created<T>) -> Reply + Send + 'static,
    T: Send + 'static,
{
    let compared = move |tx: &mut Tx<'_>| {
        let outcome = command(tx)?;
        let differs =
            creation.as_ref().map_or(Ok(false), |creation| creation.compare(tx, &outcome))?;
        Ok((outcome, differs))
    };
    answer(app, account, compared, move |(outcome, differs)| show(outcome).differing(differs)).await
}

/// Responds to a POST that would create a resource but whose body has faults. If a resource with
/// the same external id exists, the response contains that resource. `find` returns it, or the
/// faults as an error.
pub async fn existing<T, F>(
    app: &AppState,
    account: i64,
    creation: Option<Creation>,
    mut find: F,
    show: impl Fn(Created<T>) -> Reply,
) -> Result<Response, Problem>
where
    F: FnMut(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
    T: Send + 'static,
{
    let compared = move |tx: &mut Tx<'_>| {
        let existing = find(tx)?;
        let differs = creation.as_ref().map_or(Ok(false), |creation| creation.differs(tx))?;
        Ok((existing, differs))
    };
    let (existing, differs) = app.query(account, compared).await?;
    Ok(show(Created::Existing(existing)).differing(differs).into_response())
}

/// Like [`answer`], for a command that moves the caller to a new account: `command` also returns
/// the id of that account. `lock` locks the books and everything that must be locked before them,
/// and returns whether the books exist.
pub async fn answer_of_another<T, F, S>(
    app: &AppState,
    account: i64,
    lock: impl Fn(&mut Tx<'_>) -> Result<bool, Error> + Send + 'static,
    mut command: F,
    show: S,
) -> Result<Response, Problem>
where
    F: FnMut(&mut Tx<'_>) -> Result<(T, i64), Error> + Send + 'static,
    S: Fn(T) -> Reply + Send + 'static,
    T: Send + 'static,
{
    let Some(keyed) = keyed_request::current() else {
        let (done, _) = app.execute(account, command).await?;
        return Ok(show(done).into_response());
    };
    let once = move |tx: &mut Tx<'_>| {
        let kept = |reply: &Reply| (reply.location.clone(), reply.kept());
        let shown = |tx: &mut Tx<'_>| command(tx).map(|(done, account)| (show(done), account));
        idempotency::once(tx, &keyed, &lock, shown, kept, Reply::again)
    };
    Ok(app.execute(account, once).await?.into_response())
}
