//! The body of a request to an OAuth endpoint: form fields, each at most once (RFC 6749, section 3.2).

use super::OauthError;
use axum::{
    body::Body,
    http::{HeaderMap, Uri, header},
};
use http_body_util::{BodyExt, Limited};
use std::time::Duration;

/// The largest body, in bytes; the longest request of a client has a few hundred.
const LIMIT: usize = 64 * 1024;
/// How long a body may take to arrive.
const TIMEOUT: Duration = Duration::from_secs(20);

/// The fields of a form.
#[derive(Debug)]
pub(crate) struct Form(Vec<(String, String)>);

impl Form {
    /// Reads the whole body. What a client must keep to itself counts only there: addresses end up in logs.
    pub(crate) async fn read(uri: &Uri, headers: &HeaderMap, body: Body) -> Result<Self, OauthError> {
        if uri.query().is_some_and(|query| !query.is_empty()) {
            return Err(OauthError::invalid_request("send the parameters in the body; the address takes none"));
        }
        require_form(headers)?;
        let collected = tokio::time::timeout(TIMEOUT, Limited::new(body, LIMIT).collect()).await;
        let bytes = collected
            .map_err(|_| OauthError::invalid_request("the body did not arrive within 20 seconds; send the request again"))?
            .map_err(|_| OauthError::invalid_request("send the body whole, and of at most 64 KiB"))?
            .to_bytes();
        Ok(Self(form_urlencoded::parse(&bytes).into_owned().collect()))
    }

    /// A field; one without a value counts as left out (RFC 6749, section 3.2).
    pub(crate) fn field(&self, name: &str) -> Result<Option<&str>, OauthError> {
        let mut values = self.0.iter().filter(|(given, _)| given == name).map(|(_, value)| value.as_str());
        match (values.next(), values.next()) {
            (_, Some(_)) => Err(OauthError::invalid_request(format!("send {name} once"))),
            (value, None) => Ok(value.filter(|value| !value.is_empty())),
        }
    }

    /// A field that must be there.
    pub(crate) fn required(&self, name: &str) -> Result<&str, OauthError> {
        self.field(name)?.ok_or_else(|| OauthError::invalid_request(format!("send {name}, which is missing")))
    }
}

fn require_form(headers: &HeaderMap) -> Result<(), OauthError> {
    let mut types = headers.get_all(header::CONTENT_TYPE).iter();
    let kind = match (types.next(), types.next()) {
        (Some(value), None) => value.to_str().unwrap_or("").split(';').next().unwrap_or("").trim(),
        _ => "",
    };
    if !kind.eq_ignore_ascii_case("application/x-www-form-urlencoded") || headers.contains_key(header::CONTENT_ENCODING) {
        return Err(OauthError::invalid_request(
            "send the body with Content-Type: application/x-www-form-urlencoded, not encoded further",
        ));
    }
    Ok(())
}
