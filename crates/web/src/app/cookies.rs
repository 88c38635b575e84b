//! The cookies of the pages: the session's, the language's, and what was just done.

use axum::http::{HeaderMap, HeaderValue, header};
use cookie::{Cookie, SameSite, time::Duration};

/// Holds a session's token, or before sign-in a secret that only binds forms to this browser. The prefix `__Host-` lets no other host
/// and no unencrypted page set it (RFC 6265bis, section 4.1.3.2); browsers take it on loopback without TLS too.
pub(crate) const SESSION: &str = "__Host-session";
/// The language that a visitor chose.
pub(crate) const LANGUAGE: &str = "__Host-language";
/// What was just done, until it is told.
pub(crate) const DONE: &str = "__Host-done";

/// What the browser sent under that name.
pub(crate) fn read<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(found, _)| *found == name).map(|(_, value)| value)
}

/// The line that gives the browser a session's token or a visitor's secret. It goes when the browser is closed.
pub(crate) fn session(value: &str) -> HeaderValue {
    line(dressed(SESSION, value))
}

/// The line that makes the browser forget.
pub(crate) fn no_session() -> HeaderValue {
    let mut cookie = dressed(SESSION, "");
    cookie.set_max_age(Duration::ZERO);
    line(cookie)
}

/// The line that makes the browser remember a language for a year.
pub(crate) fn language(tag: &str) -> HeaderValue {
    let mut cookie = dressed(LANGUAGE, tag);
    cookie.set_max_age(Duration::days(365));
    line(cookie)
}

/// The line that says for two minutes what was just done.
pub(crate) fn done(what: &str) -> HeaderValue {
    let mut cookie = dressed(DONE, what);
    cookie.set_max_age(Duration::minutes(2));
    line(cookie)
}

/// The line that makes the browser forget it, once it was told.
pub(crate) fn no_done() -> HeaderValue {
    let mut cookie = dressed(DONE, "");
    cookie.set_max_age(Duration::ZERO);
    line(cookie)
}

fn dressed<'c>(name: &'c str, value: &'c str) -> Cookie<'c> {
    Cookie::build((name, value)).path("/").secure(true).http_only(true).same_site(SameSite::Lax).build()
}

fn line(cookie: Cookie<'_>) -> HeaderValue {
    // Names, tags and tokens are plain characters.
    HeaderValue::from_str(&cookie.to_string()).unwrap_or(HeaderValue::from_static(""))
}
