//! Cookies of the pages: session, language, and confirmation message.

use axum::http::{HeaderMap, HeaderValue, header};
use cookie::{Cookie, SameSite, time::Duration};

/// Cookies of a server.
#[derive(Clone, Copy)]
pub struct Cookies {
    is_encrypted: bool,
}

impl Cookies {
    /// Returns the cookies of a server with this base URL.
    pub fn at(base_url: &str) -> Self {
        Self { is_encrypted: base_url.starts_with("https:") }
    }

    /// Name of the session cookie. After sign-in it contains the session token; before sign-in it
    /// contains a secret that only binds forms to this browser.
    fn session_name(self) -> &'static str {
        self.name("__Host-session", "grootboek-session")
    }

    /// Name of the cookie with the visitor's language.
    fn language_name(self) -> &'static str {
        self.name("__Host-language", "grootboek-language")
    }

    /// Name of the cookie with the confirmation message to be shown next.
    fn done_name(self) -> &'static str {
        self.name("__Host-done", "grootboek-done")
    }

    /// Returns `encrypted`, a name with the prefix `__Host-`, if the server uses HTTPS, otherwise
    /// `plain`. The prefix prevents other hosts and unencrypted pages from setting the cookie (RFC
    /// 6265bis, section 4.1.3.2). It requires `Secure`, and most clients never send a `Secure`
    /// cookie over an unencrypted connection; some browsers not even to localhost.
    fn name(self, encrypted: &'static str, plain: &'static str) -> &'static str {
        if self.is_encrypted { encrypted } else { plain }
    }

    /// Returns the session token or the visitor's secret that the browser sent.
    pub fn read_session(self, headers: &HeaderMap) -> Option<&str> {
        read(headers, self.session_name())
    }

    /// Returns the language that the browser sent.
    pub fn read_language(self, headers: &HeaderMap) -> Option<&str> {
        read(headers, self.language_name())
    }

    /// Returns the confirmation message that the browser sent.
    pub fn read_done(self, headers: &HeaderMap) -> Option<&str> {
        read(headers, self.done_name())
    }

    /// Returns the `Set-Cookie` value with a session token or a visitor's secret. The cookie
    /// expires when the browser is closed.
    pub fn session(self, value: &str) -> HeaderValue {
        line(self.with_attributes(self.session_name(), value))
    }

    /// Returns the `Set-Cookie` value that removes the session cookie.
    pub fn no_session(self) -> HeaderValue {
        let mut cookie = self.with_attributes(self.session_name(), "");
        cookie.set_max_age(Duration::ZERO);
        line(cookie)
    }

    /// Returns the `Set-Cookie` value that stores a language for a year.
    pub fn language(self, tag: &str) -> HeaderValue {
        let mut cookie = self.with_attributes(self.language_name(), tag);
        cookie.set_max_age(Duration::days(365));
        line(cookie)
    }

    /// Returns the `Set-Cookie` value that stores a confirmation message for two minutes.
    pub fn done(self, what: &str) -> HeaderValue {
        let mut cookie = self.with_attributes(self.done_name(), what);
        cookie.set_max_age(Duration::minutes(2));
        line(cookie)
    }

    /// Returns the `Set-Cookie` value that removes the confirmation message after it has been
    /// shown.
    pub fn no_done(self) -> HeaderValue {
        let mut cookie = self.with_attributes(self.done_name(), "");
        cookie.set_max_age(Duration::ZERO);
        line(cookie)
    }

    fn with_attributes<'c>(self, name: &'c str, value: &'c str) -> Cookie<'c> {
        Cookie::build((name, value))
            .path("/")
            .secure(self.is_encrypted)
            .http_only(true)
            .same_site(SameSite::Lax)
            .build()
    }
}

fn read<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut pairs =
        lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
}

fn line(cookie: Cookie<'_>) -> HeaderValue {
    // Names, tags and tokens are plain ASCII.
    HeaderValue::from_str(&cookie.to_string()).unwrap_or(HeaderValue::from_static(""))
}
