//! Messages of the browser's console.

use crate::Browser;

impl Browser {
    /// Returns the errors and warnings since the last call.
    ///
    /// A 4xx response to the page itself is left out, because a form with invalid input gets one. A
    /// missing resource of a page is included.
    pub fn console(&self) -> Vec<String> {
        let entries = self.run(self.driver.browser_log()).into_iter();
        let bad = entries.filter(|entry| matches!(entry.level.as_str(), "SEVERE" | "WARNING"));
        bad.map(|entry| entry.message)
            .filter(|message| !is_page_with_4xx(message) && !is_of_the_browser(message))
            .collect()
    }

    /// Waits until there is an error or warning, and returns the messages.
    #[must_use]
    pub fn wait_for_console(&self) -> Vec<String> {
        self.wait("an error or warning", || {
            Some(self.console()).filter(|console| !console.is_empty())
        })
    }
}

/// Whether the message is about a page of the browser itself, such as that of a new tab.
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
