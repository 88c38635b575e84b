//! Mails that a server wrote into its folder.

use std::path::Path;

/// A mail as its reader sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentMail {
    /// Its headers, one a line, as they were sent.
    pub headers: String,
    /// Its subject.
    pub subject: String,
    /// Its text.
    pub text: String,
}

impl SentMail {
    /// The first address in the text: the link that the mail is about.
    #[must_use]
    pub fn link(&self) -> String {
        let start = self.text.find("http").unwrap_or_else(|| panic!("there is no link in {self:?}"));
        self.text[start..].split_whitespace().next().unwrap_or_default().to_owned()
    }
}

/// The mails in a folder that were sent to an address, the oldest first.
#[must_use]
pub fn sent_to(folder: &Path, address: &str) -> Vec<SentMail> {
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "eml"));
    files.sort();
    let all = files.iter().map(|file| read(&std::fs::read_to_string(file).unwrap()));
    let to = format!("To: {address}");
    all.filter(|mail| mail.headers.lines().any(|line| line == to)).collect()
}

fn read(mail: &str) -> SentMail {
    let (headers, body) = mail.split_once("\r\n\r\n").expect("a mail has headers and a body");
    // A long header goes on in the next line (RFC 5322, section 2.2.3).
    let headers = headers.replace("\r\n ", " ");
    let header = |name: &str| headers.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().trim().to_owned();
    // A link can be copied out of the file as it stands there.
    let is_whole = !header("Content-Type:").starts_with("multipart/");
    assert!(!is_whole || header("Content-Transfer-Encoding:") == "8bit", "{mail}");
    SentMail { subject: header("Subject:"), text: body.replace("\r\n", "\n"), headers }
}
