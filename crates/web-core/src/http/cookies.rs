//! The cookies of the pages: the session's, the language's, and what was just done.

use axum::http::{HeaderMap, HeaderValue, header};
use cookie::{Cookie, SameSite, time::Duration};

/// The cookies of a server.
#[derive(Clone, Copy)]
pub struct Cookies {
    is_encrypted: bool,
}

impl Cookies {
    /// Those of a server that people reach at this address.
    pub fn at(base_url: &str) -> Self {
        Self { is_encrypted: base_url.starts_with("https:") }
    }

    /// Of the session's token, or before sign-in of a secret that only binds forms to this browser.
    fn session_name(self) -> &'static str {
        self.name("__Host-session", "grootboek-session")
    }

    /// Of the language that a visitor chose.
    fn language_name(self) -> &'static str {
        self.name("__Host-language", "grootboek-language")
    }

    /// Of what was just done, until it is told.
    fn done_name(self) -> &'static str {
        self.name("__Host-done", "grootboek-done")
    }

    /// The prefix `__Host-` lets no other host and no unencrypted page set a cookie (RFC 6265bis, section 4.1.3.2). It goes with `Secure`,
    /// and most programs send such a cookie to no address without encryption, some browsers not even to this machine.
    fn name(self, encrypted: &'static str, plain: &'static str) -> &'static str {
        if self.is_encrypted { encrypted } else { plain }
    }

    /// The session's token or the visitor's secret that the browser sent.
    pub fn read_session(self, headers: &HeaderMap) -> Option<&str> {
        read(headers, self.session_name())
    }

    /// The language that the browser remembered.
    pub fn read_language(self, headers: &HeaderMap) -> Option<&str> {
        read(headers, self.language_name())
    }

    /// What was just done, as the browser remembered it.
    pub fn read_done(self, headers: &HeaderMap) -> Option<&str> {
        read(headers, self.done_name())
    }

    /// The line that gives the browser a session's token or a visitor's secret. It goes when the browser is closed.
    pub fn session(self, value: &str) -> HeaderValue {
        line(self.with_attributes(self.session_name(), value))
    }

    /// The line that makes the browser forget.
    pub fn no_session(self) -> HeaderValue {
        let mut cookie = self.with_attributes(self.session_name(), "");
        cookie.set_max_age(Duration::ZERO);
        line(cookie)
    }

    /// The line that makes the browser remember a language for a year.
    pub fn language(self, tag: &str) -> HeaderValue {
        let mut cookie = self.with_attributes(self.language_name(), tag);
        cookie.set_max_age(Duration::days(365));
        line(cookie)
    }

    /// The line that says for two minutes what was just done.
    pub fn done(self, what: &str) -> HeaderValue {
        let mut cookie = self.with_attributes(self.done_name(), what);
        cookie.set_max_age(Duration::minutes(2));
        line(cookie)
    }

    /// The line that makes the browser forget it, once it was told.
    pub fn no_done(self) -> HeaderValue {
        let mut cookie = self.with_attributes(self.done_name(), "");
        cookie.set_max_age(Duration::ZERO);
        line(cookie)
    }

    fn with_attributes<'c>(self, name: &'c str, value: &'c str) -> Cookie<'c> {
        Cookie::build((name, value)).path("/").secure(self.is_encrypted).http_only(true).same_site(SameSite::Lax).build()
    }
}

fn read<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(found, _)| *found == name).map(|(_, value)| value)
}

fn line(cookie: Cookie<'_>) -> HeaderValue {
    // Names, tags and tokens are plain characters.
    HeaderValue::from_str(&cookie.to_string()).unwrap_or(HeaderValue::from_static(""))
}
