//! What a command did, on its way through a cookie to the page that says it.

use crate::return_to;
use axum::http::{HeaderMap, Uri};
use ledger::money::Cents;
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use web_core::cookies::Cookies;

/// What the cookie says when a form came from somebody whose session had ended. The sign-in pages say it.
pub const NOTHING_SAVED: &str = "nothing-saved";

/// What the cookie says when a form was sent a second time with other content. Whichever page comes next says it.
pub const DROPPED: &str = "dropped";

/// What a command did, for the page that its answer leads to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Which sentence says it: the `done` of the address.
    pub code: String,
    /// The amount that the sentence names, in euros.
    pub amount: Option<Cents>,
    /// The name or number that the sentence names.
    pub name: String,
    /// The journal entry that was made, for a link to it.
    pub entry: Option<i64>,
    /// Where *Undo* is posted, where it can be undone.
    pub undo: Option<String>,
}

impl Done {
    /// The address of a page that says it, for [`super::submit`]: the cookie takes all of it, and the address keeps its code.
    pub fn at(&self, path: &str) -> String {
        format!("{path}?done={}", self.encode())
    }

    /// As the value of a cookie: its parts with a tilde between them.
    pub(super) fn encode(&self) -> String {
        let part = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
        let amount = self.amount.map(|amount| amount.get().to_string()).unwrap_or_default();
        let entry = self.entry.map(|entry| entry.to_string()).unwrap_or_default();
        let name: String = self.name.chars().take(100).collect();
        [self.code.clone(), amount, part(&name), entry, part(self.undo.as_deref().unwrap_or(""))].join("~")
    }

    /// Reads the value of a cookie; what cannot be read is left out.
    fn decode(value: &str) -> Self {
        let mut parts = value.split('~');
        let code = parts.next().unwrap_or("").to_owned();
        let mut text = || percent_decode_str(parts.next().unwrap_or("")).decode_utf8_lossy().into_owned();
        let (amount, name, entry, undo) = (text(), text(), text(), text());
        Self {
            code,
            amount: amount.parse().ok().map(Cents::new),
            name,
            entry: entry.parse().ok(),
            undo: return_to::local(&undo).map(str::to_owned),
        }
    }
}

/// What the page at an address is to say, going by the cookie that came.
pub fn message_from(cookies: Cookies, address: &Uri, headers: &HeaderMap) -> Option<Done> {
    let done = Done::decode(cookies.read_done(headers)?);
    let is_here = match done.code.as_str() {
        NOTHING_SAVED => matches!(address.path(), "/login" | "/login/code"),
        DROPPED => true,
        code => address.query().is_some_and(|query| query.split('&').any(|pair| pair.strip_prefix("done=") == Some(code))),
    };
    is_here.then_some(done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_done_travels_in_a_cookie() {
        let done = Done {
            code: "payment-recorded".into(),
            amount: Some(Cents::new(-150_000)),
            name: "Café ~ 'De Pier'; \u{627}".into(),
            entry: Some(45),
            undo: Some("/invoices/12/payments/1/undo".into()),
        };
        let value = done.encode();
        assert!(value.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b';' | b',' | b'"' | b'\\')), "{value}");
        assert_eq!(Done::decode(&value), done);
        assert_eq!(Done::decode("saved"), Done { code: "saved".into(), ..Done::default() });
    }

    #[test]
    fn undo_leads_nowhere_else() {
        for elsewhere in ["https://evil.example", "//evil.example", "javascript:alert(1)"] {
            assert_eq!(Done::decode(&Done { undo: Some(elsewhere.into()), ..Done::default() }.encode()).undo, None);
        }
        assert_eq!(Done::decode("a~b~%FF~c~~~").entry, None);
    }
}
