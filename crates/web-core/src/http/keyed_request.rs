//! A request with the header `Idempotency-Key`: its key, and the digest of its path and body.

use jiff::Timestamp;
use service::idempotency::Keyed;
use sha2::{Digest, Sha256};
use std::sync::{Arc, OnceLock};

/// The header.
pub const HEADER: &str = "Idempotency-Key";
/// Characters of a key.
pub const LONGEST: usize = 255;

tokio::task_local! {
    static ASKED: Arc<Asked>;
}

/// A request with a key.
pub struct Asked {
    account: i64,
    key: String,
    path: String,
    at: Timestamp,
    /// The SHA-256 of path and body once the body was read; nothing when the body names itself.
    request: OnceLock<Option<[u8; 32]>>,
}

impl Asked {
    /// A request of an account whose body was not read yet.
    pub fn new(account: i64, key: String, path: String, at: Timestamp) -> Arc<Self> {
        Arc::new(Self { account, key, path, at, request: OnceLock::new() })
    }

    /// The answer, while the key stands beside whatever makes it.
    pub async fn during<T>(self: &Arc<Self>, answering: impl Future<Output = T>) -> T {
        ASKED.scope(Arc::clone(self), answering).await
    }

    /// The request as it is known by its key, unless it names itself or its body could not be read.
    pub fn keyed(&self) -> Option<Keyed> {
        let request = (*self.request.get()?)?;
        Some(Keyed { account: self.account, key: self.key.clone(), request, at: self.at })
    }
}

/// Notes the body of the request that is being answered, if it has a key; `names_itself` tells whether the body has an external id.
pub fn record_body(bytes: &[u8], names_itself: impl FnOnce() -> bool) {
    let note = |asked: &Arc<Asked>| {
        asked.request.get_or_init(|| {
            let digest = || Sha256::new_with_prefix(&asked.path).chain_update([0]).chain_update(bytes).finalize().into();
            (!names_itself()).then(digest)
        });
    };
    // There is no key where none was recorded.
    let _ = ASKED.try_with(note);
}

/// Returns the key of the request that is being answered, if it has one and its body was read.
pub fn current() -> Option<Keyed> {
    ASKED.try_with(|asked| asked.keyed()).ok().flatten()
}
