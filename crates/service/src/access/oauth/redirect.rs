//! Redirect URIs: validation, comparison, and added parameters.

use url::{Host, Url};

/// Maximum length of a URI, in characters.
const LONGEST: usize = 2000;
/// Parameters that a response adds to the URI, and that a registered URI therefore must not contain
/// (RFC 6749, section 3.1).
const OURS: &[&str] = &["code", "state", "iss", "error", "error_description", "error_uri"];
/// Origins of applications on the user's own device (RFC 8252, section 7.3). `localhost` is
/// excluded, because DNS may resolve it to another host (section 8.3).
const LOOPBACK: &[&str] = &["http://127.0.0.1", "http://[::1]"];

/// Reason why a redirect URI cannot be registered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UriFault {
    /// More than 2000 characters.
    TooLong,
    /// Characters that RFC 3986 does not allow.
    Characters,
    /// The URI has a fragment (RFC 6749, section 3.1.2).
    Fragment,
    /// The URI is not absolute.
    NotWhole,
    /// The URI has a user name or a password.
    User,
    /// The query has a parameter that the response would add.
    Parameters,
    /// `localhost` instead of a loopback address (RFC 8252, section 8.3).
    Localhost,
    /// `http` to a host other than the user's own device.
    NotEncrypted,
    /// A scheme that is neither `https` nor a reversed domain name (RFC 8252, section 7.1).
    Scheme,
}

impl UriFault {
    /// All reasons.
    pub const ALL: [Self; 9] = [
        Self::TooLong,
        Self::Characters,
        Self::Fragment,
        Self::NotWhole,
        Self::User,
        Self::Parameters,
        Self::Localhost,
        Self::NotEncrypted,
        Self::Scheme,
    ];

    /// Stable name, in the form of the message ids.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::TooLong => "too-long",
            Self::Characters => "characters",
            Self::Fragment => "fragment",
            Self::NotWhole => "not-whole",
            Self::User => "user",
            Self::Parameters => "parameters",
            Self::Localhost => "localhost",
            Self::NotEncrypted => "not-encrypted",
            Self::Scheme => "scheme",
        }
    }
}

/// Checks that a URI may be registered.
///
/// # Errors
/// The reason why the URI may not be registered.
pub fn check(uri: &str) -> Result<(), UriFault> {
    if uri.len() > LONGEST {
        return Err(UriFault::TooLong);
    }
    if !uri.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&byte)) {
        return Err(UriFault::Characters);
    }
    if uri.contains('#') {
        return Err(UriFault::Fragment);
    }
    let parsed = Url::parse(uri).map_err(|_| UriFault::NotWhole)?;
    if !parsed.username().is_empty() || parsed.password().is_some() {
        return Err(UriFault::User);
    }
    if parsed.query_pairs().any(|(name, _)| OURS.contains(&&*name)) {
        return Err(UriFault::Parameters);
    }
    match parsed.scheme() {
        "https" if uri.starts_with("https://") => Ok(()),
        "http" if LOOPBACK.iter().any(|origin| behind_port(uri, origin).is_some()) => Ok(()),
        "http" if matches!(parsed.host(), Some(Host::Domain("localhost"))) => {
            Err(UriFault::Localhost)
        }
        "http" => Err(UriFault::NotEncrypted),
        scheme if scheme.contains('.') && uri.starts_with(scheme) => Ok(()),
        _ => Err(UriFault::Scheme),
    }
}

/// Whether the requested URI matches the registered one: exactly (RFC 9700, section 4.1.3), except
/// for the port of a loopback address, because a native application listens on any free port (RFC
/// 8252, section 7.3).
#[must_use]
pub fn matches(registered: &str, requested: &str) -> bool {
    let loopback =
        |origin: &&str| match (behind_port(registered, origin), behind_port(requested, origin)) {
            (Some(registered), Some(requested)) => registered == requested,
            _ => false,
        };
    registered == requested || LOOPBACK.iter().any(loopback)
}

/// Returns the rest of a URI after an origin and its optional port; `None` if the URI has another
/// origin.
fn behind_port<'u>(uri: &'u str, origin: &str) -> Option<&'u str> {
    let rest = uri.strip_prefix(origin)?;
    let Some(port) = rest.strip_prefix(':') else {
        return (rest.is_empty() || rest.starts_with(['/', '?'])).then_some(rest);
    };
    let end = port.find(['/', '?']).unwrap_or(port.len());
    let (port, rest) = port.split_at(end);
    let sound = port.bytes().all(|byte| byte.is_ascii_digit())
        && port.parse::<u16>().is_ok_and(|port| port > 0);
    sound.then_some(rest)
}

/// Appends parameters to the query of a URI (RFC 6749, section 4.1.2).
#[must_use]
pub fn with_parameters(uri: &str, parameters: &[(&str, &str)]) -> String {
    let mut whole = uri.to_owned();
    for (name, value) in parameters {
        if !whole.contains('?') {
            whole.push('?');
        } else if !whole.ends_with(['?', '&']) {
            whole.push('&');
        }
        whole.push_str(name);
        whole.push('=');
        for part in url::form_urlencoded::byte_serialize(value.as_bytes()) {
            // Every parser reads `%20` as a space, but only form decoders read `+` as one.
            whole.push_str(if part == "+" { "%20" } else { part });
        }
    }
    whole
}

/// Destination of the redirect after the person's decision, for the consent page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Destination {
    /// Host and port, or the scheme of a native application.
    pub host: String,
    /// Source for `form-action` in the page's Content-Security-Policy, which Chromium enforces on
    /// redirects too.
    pub csp_source: String,
}

/// Returns the destination of a registered URI.
#[must_use]
pub fn destination(uri: &str) -> Destination {
    let scheme = || uri.split(':').next().unwrap_or("").to_ascii_lowercase();
    let Ok(parsed) = Url::parse(uri) else {
        return Destination { host: scheme(), csp_source: scheme() + ":" };
    };
    match (parsed.scheme(), parsed.host()) {
        // A Content-Security-Policy source cannot name an IPv6 address (CSP Level 3, section
        // 2.3.1).
        ("http" | "https", Some(Host::Ipv6(_))) => {
            Destination { host: host(&parsed), csp_source: scheme() + ":" }
        }
        ("http" | "https", Some(_)) => {
            Destination { host: host(&parsed), csp_source: parsed.origin().ascii_serialization() }
        }
        _ => Destination { host: scheme(), csp_source: scheme() + ":" },
    }
}

fn host(url: &Url) -> String {
    let host = url.host_str().unwrap_or("");
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_safe_redirect_uris_may_be_registered() {
        for good in [
            "https://app.example.com/callback",
            "https://app.example.com",
            "https://app.example.com:8443/cb?tenant=7",
            "https://xn--bcher-kva.example/cb",
            "http://127.0.0.1/cb",
            "http://127.0.0.1:9000/cb",
            "http://[::1]:9000/cb?x=1",
            "com.example.app:/callback",
            "com.example.app://callback",
        ] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for (bad, fault) in [
            ("", UriFault::NotWhole),
            ("app.example.com/callback", UriFault::NotWhole),
            ("/callback", UriFault::NotWhole),
            ("https://", UriFault::NotWhole),
            ("https:app.example.com/cb", UriFault::Scheme),
            ("https://app.example.com/cb#", UriFault::Fragment),
            ("https://app.example.com/cb#part", UriFault::Fragment),
            ("https://me@app.example.com/cb", UriFault::User),
            ("https://me:pw@app.example.com/cb", UriFault::User),
            ("https://app.example.com/a b", UriFault::Characters),
            ("https://app.example.com\\cb", UriFault::Characters),
            ("https://bücher.example/cb", UriFault::Characters),
            ("https://app.example.com/cb?code=1", UriFault::Parameters),
            ("https://app.example.com/cb?a=1&%73tate=1", UriFault::Parameters),
            ("http://app.example.com/cb", UriFault::NotEncrypted),
            ("http://localhost:3000/cb", UriFault::Localhost),
            ("http://127.1/cb", UriFault::NotEncrypted),
            ("http://0x7f000001/cb", UriFault::NotEncrypted),
            ("http://127.0.0.1.example.com/cb", UriFault::NotEncrypted),
            ("http://127.0.0.1:0/cb", UriFault::NotEncrypted),
            ("http://192.168.0.1/cb", UriFault::NotEncrypted),
            ("myapp:/cb", UriFault::Scheme),
            ("javascript:alert(1)", UriFault::Scheme),
            ("data:text/html,x", UriFault::Scheme),
            ("file:///etc/passwd", UriFault::Scheme),
            ("ftp://app.example.com/cb", UriFault::Scheme),
        ] {
            assert_eq!(check(bad), Err(fault), "{bad}");
        }
        assert_eq!(
            check(&format!("https://a.example/{}", "x".repeat(2000))),
            Err(UriFault::TooLong)
        );
    }

    #[test]
    fn redirect_uris_are_compared_exactly() {
        let registered = "https://app.example.com/cb?tenant=7";
        assert!(matches(registered, registered));
        for other in [
            "https://app.example.com/cb",
            "https://app.example.com/cb?tenant=7&x=1",
            "https://app.example.com/cb?tenant=8",
            "https://app.example.com/cb/?tenant=7",
            "https://app.example.com/CB?tenant=7",
            "https://APP.example.com/cb?tenant=7",
            "HTTPS://app.example.com/cb?tenant=7",
            "https://app.example.com:443/cb?tenant=7",
            "http://app.example.com/cb?tenant=7",
            "https://app.example.com/%63b?tenant=7",
            "https://app.example.com/x/../cb?tenant=7",
            "https://app.example.com/cb?tenant=7#",
            "https://app.example.com/cb?tenant=7#x",
            "https://app.example.com.evil.example/cb?tenant=7",
            "https://app.example.com@evil.example/cb?tenant=7",
            "https://evil.example/https://app.example.com/cb?tenant=7",
            "https://user@app.example.com/cb?tenant=7",
            "https://app.example.com\\@evil.example/cb?tenant=7",
            "//app.example.com/cb?tenant=7",
            " https://app.example.com/cb?tenant=7",
            "https://app.example.com/cb?tenant=7 ",
            "https://app.example.com/cb?tenant=7\n",
            "",
        ] {
            assert!(!matches(registered, other), "{other:?}");
        }
    }

    #[test]
    fn only_the_port_of_a_loopback_address_may_differ() {
        for (registered, requested) in [
            ("http://127.0.0.1/cb", "http://127.0.0.1:49152/cb"),
            ("http://127.0.0.1:8000/cb", "http://127.0.0.1:49152/cb"),
            ("http://127.0.0.1:8000/cb", "http://127.0.0.1/cb"),
            ("http://[::1]:8000/cb?x=1", "http://[::1]:65535/cb?x=1"),
            ("http://127.0.0.1", "http://127.0.0.1:1"),
        ] {
            assert!(matches(registered, requested), "{requested}");
        }
        for requested in [
            "http://127.0.0.1:49152/other",
            "http://127.0.0.1:49152/cb?x=1",
            "http://127.0.0.1:49152/cb/",
            "https://127.0.0.1:49152/cb",
            "http://[::1]:49152/cb",
            "http://localhost:49152/cb",
            "http://127.0.0.2:49152/cb",
            "http://127.0.0.1:/cb",
            "http://127.0.0.1:0/cb",
            "http://127.0.0.1:65536/cb",
            "http://127.0.0.1:+1/cb",
            "http://127.0.0.1:80@evil.example/cb",
            "http://127.0.0.1:1:2/cb",
            "http://127.0.0.1.evil.example/cb",
            "http://127.0.0.1@evil.example/cb",
        ] {
            assert!(!matches("http://127.0.0.1:8000/cb", requested), "{requested}");
        }
        assert!(!matches("https://127.0.0.1:8000/cb", "https://127.0.0.1:8001/cb"));
        assert!(!matches("com.example.app:/cb", "com.example.app:1/cb"));
    }

    #[test]
    fn parameters_are_appended_to_the_query() {
        let all = |uri| with_parameters(uri, &[("code", "c"), ("state", "a b&=+%\u{1f600}\0\"")]);
        let tail = "code=c&state=a%20b%26%3D%2B%25%F0%9F%98%80%00%22";
        for (uri, joined) in [
            ("https://a.example/cb", '?'),
            ("https://a.example/cb?tenant=7", '&'),
            ("https://a.example", '?'),
            ("com.example.app:/cb", '?'),
        ] {
            assert_eq!(all(uri), format!("{uri}{joined}{tail}"));
        }
        assert_eq!(all("https://a.example/cb?"), format!("https://a.example/cb?{tail}"));
        assert_eq!(all("https://a.example/cb?x&"), format!("https://a.example/cb?x&{tail}"));
    }

    #[test]
    fn destination_gives_the_host_and_the_csp_source() {
        for (uri, host, csp_source) in [
            ("https://app.example.com/cb?x=1", "app.example.com", "https://app.example.com"),
            (
                "https://app.example.com:8443/cb",
                "app.example.com:8443",
                "https://app.example.com:8443",
            ),
            ("http://127.0.0.1:9000/cb", "127.0.0.1:9000", "http://127.0.0.1:9000"),
            ("http://[::1]:9000/cb", "[::1]:9000", "http:"),
            ("com.example.app:/cb", "com.example.app", "com.example.app:"),
        ] {
            assert_eq!(
                destination(uri),
                Destination { host: host.into(), csp_source: csp_source.into() }
            );
        }
    }
}
