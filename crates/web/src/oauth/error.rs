//! Error responses of the OAuth endpoints (RFC 6749, section 5.2).

use axum::{
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::json;
use service::{Error, oauth::tokens::Refusal, people::throttle::RetryAfter};
use web_core::{input::english, problem::Problem};

/// An error response.
#[derive(Debug)]
pub(crate) struct OauthError {
    status: StatusCode,
    error: &'static str,
    description: String,
    headers: Vec<(HeaderName, HeaderValue)>,
}

/// Error code, passed to the access log as a response extension.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OauthErrorCode(pub(crate) &'static str);

impl OauthError {
    fn new(status: StatusCode, error: &'static str, description: impl Into<String>) -> Self {
        Self { status, error, description: description.into(), headers: Vec::new() }
    }

    pub(crate) fn invalid_request(description: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_request", description)
    }

    /// Returns the error for failed client authentication.
    pub(crate) fn invalid_client() -> Self {
        let mut error = Self::new(
            StatusCode::UNAUTHORIZED,
            "invalid_client",
            english::token_refusal(Refusal::InvalidClient),
        );
        error.headers.push((
            header::WWW_AUTHENTICATE,
            HeaderValue::from_static("Basic realm=\"grootboek\", charset=\"UTF-8\""),
        ));
        error
    }

    pub(crate) fn unsupported_grant_type() -> Self {
        Self::new(
            StatusCode::BAD_REQUEST,
            "unsupported_grant_type",
            "send grant_type authorization_code or refresh_token; no other is known",
        )
    }
}

/// The application failed to authenticate too often.
impl From<RetryAfter> for OauthError {
    fn from(RetryAfter { retry_after }: RetryAfter) -> Self {
        let mut error = Self::new(
            StatusCode::TOO_MANY_REQUESTS,
            "temporarily_unavailable",
            format!(
                "the client failed to authenticate too often; check its secret, and try again in {retry_after} s"
            ),
        );
        error.headers.push((header::RETRY_AFTER, HeaderValue::from(retry_after)));
        error
    }
}

impl From<Refusal> for OauthError {
    fn from(refusal: Refusal) -> Self {
        let error = match refusal {
            Refusal::UnknownCode
            | Refusal::UsedCode
            | Refusal::OtherRedirectUri
            | Refusal::WrongVerifier
            | Refusal::UnknownRefreshToken
            | Refusal::UsedRefreshToken => "invalid_grant",
            Refusal::ScopeTooWide => "invalid_scope",
            Refusal::InvalidClient => return Self::invalid_client(),
        };
        Self::new(StatusCode::BAD_REQUEST, error, english::token_refusal(refusal))
    }
}

/// Failures outside the endpoints: an unknown path or method, an unavailable database, a timeout.
impl From<&Problem> for OauthError {
    fn from(problem: &Problem) -> Self {
        let status =
            StatusCode::from_u16(problem.kind.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let error = match status {
            StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS => {
                "temporarily_unavailable"
            }
            status if status.is_server_error() => "server_error",
            _ => "invalid_request",
        };
        Self { headers: problem.headers().to_vec(), ..Self::new(status, error, problem.detail()) }
    }
}

impl From<Error> for OauthError {
    fn from(error: Error) -> Self {
        Self::from(&Problem::from(error))
    }
}

impl IntoResponse for OauthError {
    fn into_response(self) -> Response {
        // Characters that RFC 6749, section 5.2 allows in a description.
        let allowed = |c: char| matches!(c, ' '..='~') && c != '"' && c != '\\';
        let description: String =
            self.description.chars().map(|c| if allowed(c) { c } else { '\'' }).collect();
        let body = json!({ "error": self.error, "error_description": description });
        let mut response = (self.status, NEVER_STORED, body.to_string()).into_response();
        for (name, value) in self.headers {
            response.headers_mut().append(name, value);
        }
        response.extensions_mut().insert(OauthErrorCode(self.error));
        response
    }
}

/// Headers of responses that may contain tokens (RFC 6749, section 5.1).
pub(super) const NEVER_STORED: [(HeaderName, &str); 3] = [
    (header::CONTENT_TYPE, "application/json"),
    (header::CACHE_CONTROL, "no-store"),
    (header::PRAGMA, "no-cache"),
];
