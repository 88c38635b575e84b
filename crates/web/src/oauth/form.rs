//! Form bodies of requests to OAuth endpoints; each field occurs at most once (RFC 6749, section
//! 3.2).

use super::OauthError;
use axum::{
    body::Body,
    http::{HeaderMap, Uri, header},
};
use http_body_util::{BodyExt, Limited};
use std::time::Duration;

/// Maximum size of a body, in bytes; the longest request from a client has only a few hundred.
const LIMIT: usize = 64 * 1024;
/// Maximum time to receive a body.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Fields of a form.
#[derive(Debug)]
pub(crate) struct Form(Vec<(String, String)>);

impl Form {
    /// Reads the body. Rejects parameters in the URL, because they would include secrets, and URLs
    /// end up in logs.
    pub(crate) async fn read(
        uri: &Uri,
        headers: &HeaderMap,
        body: Body,
    ) -> Result<Self, OauthError> {
        if uri.query().is_some_and(|query| !query.is_empty()) {
            return Err(OauthError::invalid_request(
                "send the parameters in the body; the address takes none",
            ));
        }
        require_form(headers)?;
        let collected = tokio::time::timeout(TIMEOUT, Limited::new(body, LIMIT).collect()).await;
        let bytes = collected
            .map_err(|_| {
                OauthError::invalid_request(
                    "the body did not arrive within 20 seconds; send the request again",
                )
            })?
            .map_err(|_| OauthError::invalid_request("send the body whole, and of at most 64 KiB"))?
            .to_bytes();
        Ok(Self(form_urlencoded::parse(&bytes).into_owned().collect()))
    }

    /// Returns a field; a field without a value is treated as absent (RFC 6749, section 3.2).
    pub(crate) fn field(&self, name: &str) -> Result<Option<&str>, OauthError> {
        let mut values =
            self.0.iter().filter(|(field, _)| field == name).map(|(_, value)| value.as_str());
        match (values.next(), values.next()) {
            (_, Some(_)) => Err(OauthError::invalid_request(format!("send {name} once"))),
            (value, None) => Ok(value.filter(|value| !value.is_empty())),
        }
    }

    /// Returns a required field.
    pub(crate) fn required(&self, name: &str) -> Result<&str, OauthError> {
        self.field(name)?
            .ok_or_else(|| OauthError::invalid_request(format!("send {name}, which is missing")))
    }
}

fn require_form(headers: &HeaderMap) -> Result<(), OauthError> {
    let mut types = headers.get_all(header::CONTENT_TYPE).iter();
    let kind = match (types.next(), types.next()) {
        (Some(value), None) => value.to_str().unwrap_or("").split(';').next().unwrap_or("").trim(),
        _ => "",
    };
    if !kind.eq_ignore_ascii_case("application/x-www-form-urlencoded")
        || headers.contains_key(header::CONTENT_ENCODING)
    {
        return Err(OauthError::invalid_request(
            "send the body with Content-Type: application/x-www-form-urlencoded, not encoded further",
        ));
    }
    Ok(())
}
