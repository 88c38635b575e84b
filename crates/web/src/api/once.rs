//! The header `Idempotency-Key`: a POST that is repeated with it is carried out once, and answered again as it was.
//!
//! The key of a request stands beside the handler, so that no handler reads it: [`remember`] around every POST notes it, the readers of
//! bodies note what was sent, and [`answer`] keeps what was answered in the transaction of the command. A body that names itself by an
//! `externalId` needs no key, and the key is not looked at then.

use super::reply::Reply;
use crate::{
    AppState,
    problem::{FaultAt, Problem},
};
use axum::{
    Extension,
    extract::{Request, State},
    http::{HeaderMap, StatusCode},
    middleware::Next,
    response::{IntoResponse, Response},
};
use jiff::Timestamp;
use service::{
    Context, Error,
    idempotency::{self, Keyed},
};
use sha2::{Digest, Sha256};
use std::sync::{Arc, OnceLock};
use store::{Tx, books};

/// The header.
pub(super) const HEADER: &str = "Idempotency-Key";
/// Characters of a key.
pub(super) const LONGEST: usize = 255;

tokio::task_local! {
    static ASKED: Arc<Asked>;
}

/// A request with a key.
struct Asked {
    account: i64,
    key: String,
    path: String,
    at: Timestamp,
    /// The SHA-256 of path and body once the body was read; nothing when the body names itself.
    request: OnceLock<Option<[u8; 32]>>,
}

impl Asked {
    /// The request as it is known by its key, unless it names itself or its body could not be read.
    fn keyed(&self) -> Option<Keyed> {
        let request = (*self.request.get()?)?;
        Some(Keyed { account: self.account, key: self.key.clone(), request, at: self.at })
    }
}

/// Around every POST: notes the key of a request that has one.
pub(super) async fn remember(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    request: Request,
    next: Next,
) -> Result<Response, Problem> {
    let Some(key) = key(request.headers())? else { return Ok(next.run(request).await) };
    let path = request.uri().path_and_query().map_or("", |path| path.as_str()).to_owned();
    let asked = Arc::new(Asked { account: cx.actor.account, key, path, at: cx.env.now, request: OnceLock::new() });
    let response = ASKED.scope(Arc::clone(&asked), next.run(request)).await;
    // What was carried out changed the books: the same request may be refused by now before it comes to its command.
    let refused = [StatusCode::NOT_FOUND, StatusCode::CONFLICT, StatusCode::UNPROCESSABLE_ENTITY];
    match asked.keyed().filter(|_| refused.contains(&response.status())) {
        None => Ok(response),
        Some(keyed) => {
            let known = app.query(cx.actor.account, move |tx| idempotency::known(tx, &keyed)).await?;
            Ok(known.map_or(response, |kept| Reply::again(kept).into_response()))
        }
    }
}

/// The key of a request: visible ASCII characters, taken as they are.
fn key(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let mut values = headers.get_all(HEADER).iter();
    let Some(value) = values.next() else { return Ok(None) };
    let invalid = |code, message: String| Problem::invalid([FaultAt::parameter(HEADER, code, message)]);
    if values.next().is_some() {
        return Err(invalid("too_many", format!("send the header {HEADER} once")));
    }
    if value.len() > LONGEST {
        return Err(invalid("too_long", format!("use at most {LONGEST} characters in the header {HEADER}")));
    }
    let key = value.to_str().ok().filter(|key| !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_graphic()));
    match key {
        Some(key) => Ok(Some(key.to_owned())),
        None => {
            let message = format!("write 1 to {LONGEST} visible ASCII characters, without spaces, in the header {HEADER}");
            Err(invalid("invalid_format", message))
        }
    }
}

/// Notes the body of the request that is being answered, if it has a key; `names_itself` tells whether the body has an external id.
pub(super) fn record_body(bytes: &[u8], names_itself: impl FnOnce() -> bool) {
    let note = |asked: &Arc<Asked>| {
        asked.request.get_or_init(|| {
            let digest = || Sha256::new_with_prefix(&asked.path).chain_update([0]).chain_update(bytes).finalize().into();
            (!names_itself()).then(digest)
        });
    };
    // There is no key where none was recorded.
    let _ = ASKED.try_with(note);
}

/// Carries out the command of a POST in one durable transaction, and shows what came of it. Under a key the answer is kept in that
/// transaction, and given again to whoever repeats the request.
pub(super) async fn answer<T, F, S>(app: &AppState, account: i64, mut command: F, show: S) -> Result<Response, Problem>
where
    F: FnMut(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
    S: Fn(T) -> Reply + Send + 'static,
    T: Send + 'static,
{
    let lock = move |tx: &mut Tx<'_>| Ok(books::lock(tx, account)?);
    answer_of_another(app, account, lock, move |tx| Ok((command(tx)?, account)), show).await
}

/// The same for a command after which whoever asked has another account, which it gives beside what came of it. `lock` locks the books, and
/// what is to be locked before them, and tells whether there are any.
pub(super) async fn answer_of_another<T, F, S>(
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
    let Some(keyed) = ASKED.try_with(|asked| asked.keyed()).ok().flatten() else {
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
