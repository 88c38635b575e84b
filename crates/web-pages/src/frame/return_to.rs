//! Return path after sign-in: always a page of this server.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use url::Url;

/// Maximum length of the return path in bytes. In practice, the longest return path is the path of
/// an application's authorization request.
const LONGEST: usize = 8 * 1024;

/// Returns the text if it is a path on this server (OWASP ASVS 5.0, 3.7.2).
///
/// Browsers drop tabs and line ends from a URL and treat a backslash as a slash, so `/⇥/host` and
/// `/\host` lead to another host. Only printable ASCII characters are accepted.
pub fn local(next: &str) -> Option<&str> {
    let plain = next.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    if !plain || next.len() > LONGEST || !next.starts_with('/') || next.starts_with("//") {
        return None;
    }
    // Finally apply the browsers' own rules (WHATWG URL): reject a path that resolves to a host.
    let here = Url::parse("https://here.invalid/").ok()?;
    let there = here.join(next).ok()?;
    (there.origin() == here.origin() && !there.path().starts_with("//")).then_some(next)
}

/// Adds the return path to a path, as the query parameter `next`.
pub fn with_next(path: &str, next: &str) -> String {
    match local(next).filter(|next| *next != "/") {
        Some(next) => format!("{path}?next={}", utf8_percent_encode(next, NON_ALPHANUMERIC)),
        None => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_of_this_server_are_gone_to() {
        for good in [
            "/",
            "/settings",
            "/oauth/authorize?client_id=a&state=%00%F0%9F%98%80&redirect_uri=https%3A%2F%2Fp.example%2F",
            "/a//b",
            "/a?next=//b",
        ] {
            assert_eq!(local(good), Some(good));
        }
        for bad in [
            "",
            "settings",
            "//evil.example",
            "///evil.example",
            "/\\evil.example",
            "\\\\evil.example",
            "/\t/evil.example",
            "/\n/evil.example",
            "\t//evil.example",
            " //evil.example",
            "https://evil.example",
            "HTTPS://evil.example",
            "https:evil.example",
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            "data:text/html,x",
            "//user@evil.example",
            "@evil.example",
            "/a\u{0}b",
            "/é",
            "/a b",
            "/.//evil.example",
            "/..//evil.example",
            "/%2e//evil.example",
            "%2F%2Fevil.example",
        ] {
            assert_eq!(local(bad), None, "{bad:?}");
        }
        assert_eq!(local(&format!("/{}", "a".repeat(LONGEST))), None);
    }

    #[test]
    fn the_way_on_survives_in_the_address() {
        assert_eq!(
            with_next("/login", "/oauth/authorize?a=1&b=%20"),
            "/login?next=%2Foauth%2Fauthorize%3Fa%3D1%26b%3D%2520"
        );
        for dropped in ["/", "//evil.example"] {
            assert_eq!(with_next("/login", dropped), "/login");
        }
    }
}
