//! Addresses of pages as a mail needs them: whole, and never from what a request says of itself.

use crate::AppState;

impl AppState {
    /// The whole address of a page.
    pub(crate) fn address(&self, path: &str) -> String {
        format!("{}{path}", self.config().base_url)
    }

    /// The whole address of a page with the secret of a mailed link.
    pub(crate) fn link(&self, path: &str, secret: &str) -> String {
        format!("{}{path}?token={secret}", self.config().base_url)
    }
}
