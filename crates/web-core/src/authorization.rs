//! `/oauth/authorize` without its page: the parameters, their validation, and the redirect to the
//! application.
//!
//! Without a valid redirect URI, the server itself shows the error, even to a visitor who is not
//! signed in. All other outcomes wait until the person has signed in, so that the server cannot be
//! used as an open redirector (RFC 9700, section 4.11.2).

use crate::{AppState, input::english, problem::Problem};
use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use service::oauth::authorize::{self, ErrorRedirect, PageFault, Request, Validated};
use store::Lane;

/// Outcome of an authorization request.
pub enum Shown {
    /// An error page, because there is no valid redirect URI.
    ErrorPage(PageFault),
    /// After sign-in, a redirect to the application with an error.
    SendBack(ErrorRedirect),
    /// After sign-in, the consent page.
    Consent(Box<Request>),
}

/// Validates an authorization request with this query.
pub async fn shown(app: &AppState, query: Option<&str>) -> Result<Shown, Problem> {
    let Some(parameters) = parameters(query.unwrap_or("")) else {
        return Ok(Shown::ErrorPage(PageFault::Unreadable));
    };
    Ok(match app.query(Lane::NO_ACCOUNT, move |tx| authorize::validate(tx, &parameters)).await? {
        Validated::Page(fault) => Shown::ErrorPage(fault),
        Validated::Redirect(error) => Shown::SendBack(error),
        Validated::Ask(request) => Shown::Consent(Box::new(request)),
    })
}

/// Parses the parameters of a query, in order. Returns `None` if one is not UTF-8 (RFC 6749,
/// appendix B), because it could not be sent back unchanged.
#[must_use]
pub fn parameters(query: &str) -> Option<Vec<(String, String)>> {
    let decoded = |text: &str| {
        let spaced = text.replace('+', " ");
        percent_encoding::percent_decode_str(&spaced)
            .decode_utf8()
            .ok()
            .map(std::borrow::Cow::into_owned)
    };
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            Some((decoded(name)?, decoded(value)?))
        })
        .collect()
}

/// Returns the redirect URL for an error; `issuer` is the server's own URL (RFC 9207).
#[must_use]
pub fn error_address(error: &ErrorRedirect, issuer: &str) -> String {
    error.address(english::request_fault(error.fault), issuer)
}

/// Redirects the browser to the application: with 303, so that the browser never forwards a form
/// (RFC 9700, section 4.12), and without a referrer (section 4.2.4).
#[must_use]
pub fn send_back(address: &str) -> Response {
    // The registered part is printable ASCII and the rest is percent-encoded.
    let Ok(location) = HeaderValue::from_str(address) else {
        return Problem::internal().into_response();
    };
    let headers = [
        (header::LOCATION, location),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    ];
    (StatusCode::SEE_OTHER, headers).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_decoded_as_forms_are() {
        let pairs = |query| {
            parameters(query).map(|pairs| {
                pairs.into_iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>()
            })
        };
        assert_eq!(
            pairs("a=1&b=%F0%9F%98%80+%2B&a=2&c&=x&&d=e=f"),
            Some(vec![
                "a=1".into(),
                "b=\u{1f600} +".into(),
                "a=2".into(),
                "c=".into(),
                "=x".into(),
                "d=e=f".into()
            ])
        );
        assert_eq!(pairs(""), Some(vec![]));
        assert_eq!(pairs("state=%00%22"), Some(vec!["state=\0\"".into()]));
        assert_eq!(pairs("state=%ff"), None);
        assert_eq!(pairs("%ff=1"), None);
    }

    #[test]
    fn the_browser_is_redirected_without_a_referrer() {
        let response = send_back("https://app.example.com/cb?code=1");
        assert_eq!(response.status(), 303);
        for (name, value) in [
            ("location", "https://app.example.com/cb?code=1"),
            ("cache-control", "no-store"),
            ("referrer-policy", "no-referrer"),
        ] {
            assert_eq!(response.headers()[name], value);
        }
    }
}
