//! What the browser has to complain about.

use crate::Browser;

impl Browser {
    /// The errors and warnings since the last time somebody asked, which takes them away.
    ///
    /// That a page itself was answered with 4xx is not among them: a form with a mistake in it is. That something on a page was not
    /// found is.
    pub fn console(&self) -> Vec<String> {
        let entries = self.run(self.driver.browser_log()).into_iter();
        let bad = entries.filter(|entry| matches!(entry.level.as_str(), "SEVERE" | "WARNING"));
        bad.map(|entry| entry.message).filter(|message| !is_page_with_4xx(message) && !is_of_the_browser(message)).collect()
    }

    /// The same, once there is one.
    #[must_use]
    pub fn wait_for_console(&self) -> Vec<String> {
        self.wait("an error or warning", || Some(self.console()).filter(|console| !console.is_empty()))
    }
}

/// Whether the browser complains of a page of its own, such as the one for a new tab.
fn is_of_the_browser(message: &str) -> bool {
    message.starts_with("chrome://")
}

/// Whether it is about a page, whose path has no dot, as those of styles, scripts and pictures do.
fn is_page_with_4xx(message: &str) -> bool {
    let Some((url, complaint)) = message.split_once(" - ") else { return false };
    let path = url.split('?').next().unwrap_or_default();
    let file = path.rsplit('/').next().unwrap_or_default();
    complaint.starts_with("Failed to load resource: the server responded with a status of 4") && !file.contains('.')
}
