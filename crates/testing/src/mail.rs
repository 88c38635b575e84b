//! Emails that a server wrote to its folder.

use std::path::Path;

/// An email as its reader sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentMail {
    /// Headers as sent, one per line.
    pub headers: String,
    /// Subject.
    pub subject: String,
    /// Text of the email.
    pub text: String,
}

impl SentMail {
    /// Returns the first URL in the text.
    #[must_use]
    pub fn link(&self) -> String {
        let start =
            self.text.find("http").unwrap_or_else(|| panic!("there is no link in {self:?}"));
        self.text[start..].split_whitespace().next().unwrap_or_default().to_owned()
    }
}

/// Returns the emails in a folder that were sent to the given address, oldest first.
#[must_use]
pub fn sent_to(folder: &Path, address: &str) -> Vec<SentMail> {
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "eml"));
    files.sort();
    let all = files.iter().map(|file| read(&std::fs::read_to_string(file).unwrap()));
    let to = format!("To: {address}");
    all.filter(|mail| mail.headers.lines().any(|line| line == to)).collect()
}

fn read(mail: &str) -> SentMail {
    let (headers, body) = mail.split_once("\r\n\r\n").expect("a mail has headers and a body");
    // Long headers continue on the next line (RFC 5322, section 2.2.3).
    let headers = headers.replace("\r\n ", " ");
    let header = |name: &str| {
        headers
            .lines()
            .find_map(|line| line.strip_prefix(name))
            .unwrap_or_default()
            .trim()
            .to_owned()
    };
    // Users copy links from the file, so the text must not be encoded.
    let is_whole = !header("Content-Type:").starts_with("multipart/");
    assert!(!is_whole || header("Content-Transfer-Encoding:") == "8bit", "{mail}");
    SentMail { subject: header("Subject:"), text: body.replace("\r\n", "\n"), headers }
}
