//! Requests with the header `Idempotency-Key`: the key, and the digest of path and body.

use jiff::Timestamp;
use service::idempotency::Keyed;
use sha2::{Digest, Sha256};
use std::sync::{Arc, OnceLock};

/// Name of the header.
pub const HEADER: &str = "Idempotency-Key";
/// Maximum length of a key in characters.
pub const LONGEST: usize = 255;

tokio::task_local! {
    static ASKED: Arc<Asked>;
}

/// A request with an idempotency key.
pub struct Asked {
    account: i64,
    key: String,
    path: String,
    at: Timestamp,
    /// SHA-256 of path and body, set once the body has been read; `None` if the body contains an
    /// external id.
    request: OnceLock<Option<[u8; 32]>>,
}

impl Asked {
    /// Creates a request whose body has yet to be read.
    pub fn new(account: i64, key: String, path: String, at: Timestamp) -> Arc<Self> {
        Arc::new(Self { account, key, path, at, request: OnceLock::new() })
    }

    /// Runs `answering` with this request as the current one.
    pub async fn during<T>(self: &Arc<Self>, answering: impl Future<Output = T>) -> T {
        ASKED.scope(Arc::clone(self), answering).await
    }

    /// Returns the key with the digest of the request; `None` if the request has an external id or
    /// its body could not be read.
    pub fn keyed(&self) -> Option<Keyed> {
        let request = (*self.request.get()?)?;
        Some(Keyed { account: self.account, key: self.key.clone(), request, at: self.at })
    }
}

/// Records the body of the current request if the request has a key. `names_itself` returns
/// whether the body has an external id.
pub fn record_body(bytes: &[u8], names_itself: impl FnOnce() -> bool) {
    let note = |asked: &Arc<Asked>| {
        asked.request.get_or_init(|| {
            let digest = || {
                Sha256::new_with_prefix(&asked.path)
                    .chain_update([0])
                    .chain_update(bytes)
                    .finalize()
                    .into()
            };
            (!names_itself()).then(digest)
        });
    };
    // Fails only if the current request has no key.
    let _ = ASKED.try_with(note);
}

/// Returns the key of the current request, if it has one and its body has been read.
pub fn current() -> Option<Keyed> {
    ASKED.try_with(|asked| asked.keyed()).ok().flatten()
}
