//! Who asked, for the log and the list of recent calls.

use jiff::Timestamp;
use service::actor::Credential;
use std::sync::{Arc, OnceLock};

/// Who asked, for the logs.
#[derive(Debug, Clone)]
pub struct Caller {
    /// Id of the account.
    pub account: i64,
    /// Credential of the request.
    pub credential: Credential,
    /// When they were let in.
    pub at: Timestamp,
}

/// Where the outermost middleware learns who asks, so that it knows also when there is no answer from further in.
pub type CallerPlace = Arc<OnceLock<Caller>>;
