//! The header `Idempotency-Key`: a POST that is repeated with it is carried out once, and answered again as it was.
//!
//! The key of a request stands beside the handler, so that no handler reads it: `middleware/idempotency.rs` around every POST notes it, the
//! readers of bodies note what was sent, and [`answer`] keeps what was answered in the transaction of the command. A body that names itself by an
//! `externalId` needs no key, and the key is not looked at then.

use super::reply::Reply;
use crate::{AppState, problem::Problem};
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use service::{
    Error,
    idempotency::{self, Keyed},
};
use sha2::{Digest, Sha256};
use std::sync::{Arc, OnceLock};
use store::{Tx, books};

/// The header.
pub(crate) const HEADER: &str = "Idempotency-Key";
/// Characters of a key.
pub(crate) const LONGEST: usize = 255;

tokio::task_local! {
    static ASKED: Arc<Asked>;
}

/// A request with a key.
pub(crate) struct Asked {
    account: i64,
    key: String,
    path: String,
    at: Timestamp,
    /// The SHA-256 of path and body once the body was read; nothing when the body names itself.
    request: OnceLock<Option<[u8; 32]>>,
}

impl Asked {
    /// A request of an account whose body was not read yet.
    pub(crate) fn new(account: i64, key: String, path: String, at: Timestamp) -> Arc<Self> {
        Arc::new(Self { account, key, path, at, request: OnceLock::new() })
    }

    /// The answer, while the key stands beside whatever makes it.
    pub(crate) async fn during<T>(self: &Arc<Self>, answering: impl Future<Output = T>) -> T {
        ASKED.scope(Arc::clone(self), answering).await
    }

    /// The request as it is known by its key, unless it names itself or its body could not be read.
    pub(crate) fn keyed(&self) -> Option<Keyed> {
        let request = (*self.request.get()?)?;
        Some(Keyed { account: self.account, key: self.key.clone(), request, at: self.at })
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
