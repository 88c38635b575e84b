//! CSRF protection: checks that a form comes from one of our own pages, in this browser (OWASP ASVS
//! 5.0, 3.5.1 to 3.5.3).

use axum::http::{HeaderMap, header};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Name of the hidden field in every form.
pub const FIELD: &str = "csrf";

/// Number of random bytes at the start of a token.
const SALT: usize = 8;

/// Random bytes, different in each page: pages are compressed, and a constant token could be
/// guessed from their size (BREACH).
pub type Salt = [u8; SALT];

/// Value of the hidden field. It is derived from the cookie, which other sites cannot read.
pub fn token(secret: &str, salt: Salt) -> String {
    let mac = mac(secret, b"csrf").chain_update(salt).finalize().into_bytes();
    URL_SAFE_NO_PAD.encode([&salt[..], &mac[..]].concat())
}

/// Signature of a text that a form carries. It is bound to this browser, so the text cannot be
/// forged.
pub fn sign(secret: &str, text: &str) -> String {
    URL_SAFE_NO_PAD.encode(mac(secret, b"sign").chain_update(text).finalize().into_bytes())
}

/// Whether the signature of a text is valid, compared in constant time.
pub fn is_signed(secret: &str, text: &str, signature: &str) -> bool {
    let signature = URL_SAFE_NO_PAD.decode(signature);
    signature.is_ok_and(|signature| {
        mac(secret, b"sign").chain_update(text).verify_slice(&signature).is_ok()
    })
}

/// Whether the field matches the cookie, compared in constant time.
pub fn is_token(secret: &str, presented: &str) -> bool {
    let presented = URL_SAFE_NO_PAD.decode(presented).unwrap_or_default();
    let Some((salt, presented)) = presented.split_first_chunk::<SALT>() else { return false };
    mac(secret, b"csrf").chain_update(salt).verify_slice(presented).is_ok()
}

/// HMAC keyed with the cookie and prefixed with its purpose.
fn mac(secret: &str, purpose: &[u8; 4]) -> Hmac<Sha256> {
    // An HMAC key may have any length (RFC 2104, section 3), so the fallback to an empty key never
    // occurs.
    let mut mac =
        Hmac::new_from_slice(secret.as_bytes()).unwrap_or_else(|_| Hmac::new(&Default::default()));
    mac.update(purpose);
    mac
}

/// Whether, according to the browser, the request was sent by a page of another site or of another
/// host of this site.
pub fn is_foreign(headers: &HeaderMap, base_url: &str) -> bool {
    if let Some(site) = headers.get("sec-fetch-site") {
        return !matches!(site.as_bytes(), b"same-origin" | b"none");
    }
    // Browsers before 2023 do not send `Sec-Fetch-Site`.
    headers.get(header::ORIGIN).is_some_and(|origin| origin.as_bytes() != base_url.as_bytes())
}

/// Whether the browser confirms that one of our pages sent the request. Stricter than the negation
/// of [`is_foreign`]: without a header from the browser, the result is `false`.
pub fn is_own(headers: &HeaderMap, base_url: &str) -> bool {
    match headers.get("sec-fetch-site") {
        Some(site) => site.as_bytes() == b"same-origin",
        None => headers
            .get(header::ORIGIN)
            .is_some_and(|origin| origin.as_bytes() == base_url.as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_fits_its_cookie_only() {
        let good = token("one", [1; SALT]);
        assert!(is_token("one", &good) && is_token("one", &token("one", [2; SALT])));
        assert_ne!(good, token("one", [2; SALT]));
        for (secret, presented) in
            [("two", good.as_str()), ("one", ""), ("one", &good[1..]), ("one", "one"), ("", &good)]
        {
            assert!(!is_token(secret, presented), "{secret} {presented}");
        }
    }

    #[test]
    fn a_signature_fits_its_cookie_and_its_text_only() {
        let good = sign("one", "text");
        assert!(is_signed("one", "text", &good));
        assert_ne!(sign("one", ""), token("one", [1; SALT]));
        for (secret, text, presented) in [
            ("two", "text", good.as_str()),
            ("one", "texts", &good),
            ("one", "", &good),
            ("one", "text", ""),
            ("one", "", &token("one", [1; SALT])),
        ] {
            assert!(!is_signed(secret, text, presented), "{secret} {text} {presented}");
        }
    }

    #[test]
    fn a_request_is_foreign_when_the_browser_says_so() {
        let cases: [(&[(&str, &str)], bool); 10] = [
            (&[], false),
            (&[("sec-fetch-site", "same-origin")], false),
            (&[("sec-fetch-site", "none")], false),
            (&[("sec-fetch-site", "same-site")], true),
            (&[("sec-fetch-site", "cross-site")], true),
            (&[("sec-fetch-site", "")], true),
            // A page with a no-referrer policy sends this origin, even to its own server.
            (&[("sec-fetch-site", "same-origin"), ("origin", "null")], false),
            (&[("origin", "https://b.example")], false),
            (&[("origin", "null")], true),
            (&[("origin", "https://b.example.evil.example")], true),
        ];
        for (given, foreign) in cases {
            let headers: HeaderMap = given
                .iter()
                .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
                .collect();
            assert_eq!(is_foreign(&headers, "https://b.example"), foreign, "{given:?}");
        }
    }
}
