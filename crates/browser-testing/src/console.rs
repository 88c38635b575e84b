//! Messages of the browser's console.

use crate::Browser;

impl Browser {
    /// Returns the errors and warnings since the last call.
    ///
    /// A 4xx response to the request for the page itself is left out, because a form with invalid
    /// input gets such a response. A missing resource of a page is reported.
    pub fn console(&self) -> Vec<String> {
        let entries = self.run(self.driver.browser_log()).into_iter();
        let bad = entries.filter(|entry| matches!(entry.level.as_str(), "SEVERE" | "WARNING"));
        bad.map(|entry| entry.message)
            .filter(|message| !is_page_with_4xx(message) && !is_of_the_browser(message))
            .collect()
    }

    /// Waits until the console contains an error or a warning, and returns the messages.
    #[must_use]
    pub fn wait_for_console(&self) -> Vec<String> {
        self.wait("an error or warning", || {
            Some(self.console()).filter(|console| !console.is_empty())
        })
    }
}

/// Whether the message is about a page of the browser itself, such as the new-tab page.
fn is_of_the_browser(message: &str) -> bool {
    message.starts_with("chrome://")
}

/// Whether the message reports a 4xx response to a page. The path of a page has no dot, unlike
/// those of styles, scripts and pictures.
fn is_page_with_4xx(message: &str) -> bool {
    let Some((url, complaint)) = message.split_once(" - ") else { return false };
    let path = url.split('?').next().unwrap_or_default();
    let file = path.rsplit('/').next().unwrap_or_default();
    complaint.starts_with("Failed to load resource: the server responded with a status of 4")
        && !file.contains('.')
}
