//! Who asked, for the log and the list of recent calls.

use jiff::Timestamp;
use service::actor::Credential;
use std::sync::{Arc, OnceLock};

/// Who asked, for the logs.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    pub(crate) account: i64,
    pub(crate) credential: Credential,
    /// When they were let in.
    pub(crate) at: Timestamp,
}

/// Where the outermost middleware learns who asks, so that it knows also when there is no answer from further in.
pub(crate) type CallerPlace = Arc<OnceLock<Caller>>;
