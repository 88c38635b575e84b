//! Addresses of pages as a mail needs them: whole, and never from what a request says of itself.

use crate::AppState;

/// Path of the OAuth 2.0 protected resource metadata (RFC 9728, section 3).
pub const RESOURCE_METADATA: &str = "/.well-known/oauth-protected-resource";

impl AppState {
    /// The whole address of a page.
    pub fn address(&self, path: &str) -> String {
        format!("{}{path}", self.config().base_url)
    }

    /// The whole address of a page with the secret of a mailed link.
    pub fn link(&self, path: &str, secret: &str) -> String {
        format!("{}{path}?token={secret}", self.config().base_url)
    }
}
