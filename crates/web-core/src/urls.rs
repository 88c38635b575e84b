//! Absolute URLs of pages, for emails. Built from the configuration, never from headers of a
//! request.

use crate::AppState;

/// Path of the OAuth 2.0 protected resource metadata (RFC 9728, section 3).
pub const RESOURCE_METADATA: &str = "/.well-known/oauth-protected-resource";

impl AppState {
    /// Returns the absolute URL of a page.
    pub fn address(&self, path: &str) -> String {
        format!("{}{path}", self.config().base_url)
    }

    /// Returns the absolute URL of a page, including the secret of a mailed link.
    pub fn link(&self, path: &str, secret: &str) -> String {
        format!("{}{path}?token={secret}", self.config().base_url)
    }
}
