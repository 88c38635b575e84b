//! Result of a command, carried in a cookie to the page that reports it.

use crate::return_to;
use axum::http::{HeaderMap, Uri};
use ledger::money::Cents;
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use web_core::cookies::Cookies;

/// Cookie value set after a form has been submitted in an ended session. The sign-in pages show the
/// message.
pub const NOTHING_SAVED: &str = "nothing-saved";

/// Cookie value set after a form has been submitted a second time with different content. The next
/// page that is opened shows the message.
pub const DROPPED: &str = "dropped";

/// Result of a command, for the page to which its response redirects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Key of the message; also the query parameter `done` of the page's URL.
    pub code: String,
    /// Amount in the message.
    pub amount: Option<Cents>,
    /// Name or number in the message.
    pub name: String,
    /// Journal entry created, for a link to it.
    pub entry: Option<i64>,
    /// Path to which *Undo* is posted, if the command can be undone.
    pub undo: Option<String>,
}

impl Done {
    /// URL of the page that reports the result, with the encoded result in `done`.
    /// [`super::submit`] moves the result to the cookie and keeps only its code in the URL.
    pub fn at(&self, path: &str) -> String {
        let mark = if path.contains('?') { '&' } else { '?' };
        format!("{path}{mark}done={}", self.encode())
    }

    /// Encodes the result as a cookie value: the parts, separated by tildes.
    pub(super) fn encode(&self) -> String {
        let part = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
        let amount = self.amount.map(|amount| amount.get().to_string()).unwrap_or_default();
        let entry = self.entry.map(|entry| entry.to_string()).unwrap_or_default();
        let name: String = self.name.chars().take(100).collect();
        [self.code.clone(), amount, part(&name), entry, part(self.undo.as_deref().unwrap_or(""))]
            .join("~")
    }

    /// Decodes a cookie value; unreadable parts are omitted.
    fn decode(value: &str) -> Self {
        let mut parts = value.split('~');
        let code = parts.next().unwrap_or("").to_owned();
        let mut text =
            || percent_decode_str(parts.next().unwrap_or("")).decode_utf8_lossy().into_owned();
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

/// Message from the received cookie, if it belongs to the page at this URL.
pub fn message_from(cookies: Cookies, address: &Uri, headers: &HeaderMap) -> Option<Done> {
    let done = Done::decode(cookies.read_done(headers)?);
    let is_here = match done.code.as_str() {
        NOTHING_SAVED => matches!(address.path(), "/login" | "/login/code"),
        DROPPED => true,
        code => address.query().is_some_and(|query| {
            query.split('&').any(|pair| pair.strip_prefix("done=") == Some(code))
        }),
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
        assert!(
            value
                .bytes()
                .all(|byte| byte.is_ascii_graphic() && !matches!(byte, b';' | b',' | b'"' | b'\\')),
            "{value}"
        );
        assert_eq!(Done::decode(&value), done);
        assert_eq!(Done::decode("saved"), Done { code: "saved".into(), ..Done::default() });
    }

    #[test]
    fn undo_leads_nowhere_else() {
        for elsewhere in ["https://evil.example", "//evil.example", "javascript:alert(1)"] {
            assert_eq!(
                Done::decode(&Done { undo: Some(elsewhere.into()), ..Done::default() }.encode())
                    .undo,
                None
            );
        }
        assert_eq!(Done::decode("a~b~%FF~c~~~").entry, None);
    }
}
