//! The caller of a request, for the log and the list of recent calls.

use jiff::Timestamp;
use service::actor::Credential;
use std::sync::{Arc, OnceLock};

/// An authenticated caller.
#[derive(Debug, Clone)]
pub struct Caller {
    /// Id of the account.
    pub account: i64,
    /// Credential of the request.
    pub credential: Credential,
    /// Time of authentication.
    pub at: Timestamp,
}

/// Slot through which authentication reports the caller to the outermost middleware, even if the
/// inner layers return no response.
pub type CallerPlace = Arc<OnceLock<Caller>>;
