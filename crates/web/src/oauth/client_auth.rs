//! Authentication of client applications by secret, through HTTP Basic or the body (RFC 6749,
//! section 2.3.1).

use super::{OauthError, form::Form};
use axum::http::{HeaderMap, header};
use base64::{Engine, engine::general_purpose::STANDARD};
use service::{
    Environment,
    oauth::clients::{self, Client},
};
use store::Lane;
use web_core::AppState;

/// Authenticates the calling application.
pub(crate) async fn authenticate(
    app: &AppState,
    env: &Environment,
    headers: &HeaderMap,
    form: &Form,
) -> Result<Client, OauthError> {
    let (id, secret) = credentials(headers, form)?;
    let (throttle, now, address) = (app.throttle(), env.now, &env.client.address);
    throttle.admit_client(now, &id, address)?;
    let its_id = id.clone();
    match app
        .query(Lane::NO_ACCOUNT.single(), move |tx| clients::authenticate(tx, &its_id, &secret))
        .await?
    {
        Some(client) => {
            throttle.client_succeeded(now, &id, address);
            Ok(client)
        }
        None => {
            throttle.client_failed(now, &id, address);
            Err(OauthError::invalid_client())
        }
    }
}

/// Returns the client's id and secret, from the header or the body.
fn credentials(headers: &HeaderMap, form: &Form) -> Result<(String, String), OauthError> {
    let mut authorizations = headers.get_all(header::AUTHORIZATION).iter();
    let (id, secret) = (form.field("client_id")?, form.field("client_secret")?);
    match (authorizations.next(), authorizations.next()) {
        (None, _) => match (id, secret) {
            (Some(id), Some(secret)) => Ok((id.to_owned(), secret.to_owned())),
            _ => Err(OauthError::invalid_client()),
        },
        (Some(_), Some(_)) => {
            Err(OauthError::invalid_request("send the header Authorization once"))
        }
        (Some(_), None) if secret.is_some() => Err(OauthError::invalid_request(
            "send the client's secret by HTTP Basic or in the body, not both",
        )),
        (Some(value), None) => {
            let basic = basic(value.as_bytes()).ok_or_else(OauthError::invalid_client)?;
            // Many clients repeat their id in the body; the two must be equal.
            if id.is_some_and(|id| id != basic.0) {
                return Err(OauthError::invalid_request(
                    "send in the body the client_id of the header Authorization, or none",
                ));
            }
            Ok(basic)
        }
    }
}

/// Parses id and secret from `Basic …`. Each is form-urlencoded before the two are joined, so that
/// either may contain a colon (RFC 6749, section 2.3.1).
fn basic(value: &[u8]) -> Option<(String, String)> {
    let (scheme, encoded) = value.split_at_checked(6)?;
    if !scheme.eq_ignore_ascii_case(b"basic ") {
        return None;
    }
    let pair = STANDARD.decode(encoded.trim_ascii()).ok()?;
    let colon = pair.iter().position(|byte| *byte == b':')?;
    let (id, secret) = (decoded(&pair[..colon])?, decoded(&pair[colon + 1..])?);
    (!id.is_empty() && !secret.is_empty()).then_some((id, secret))
}

fn decoded(half: &[u8]) -> Option<String> {
    let spaced: Vec<u8> =
        half.iter().map(|byte| if *byte == b'+' { b' ' } else { *byte }).collect();
    String::from_utf8(percent_encoding::percent_decode(&spaced).collect()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_halves_of_basic_are_form_urlencoded() {
        let read = |pair: &str| basic(format!("Basic {}", STANDARD.encode(pair)).as_bytes());
        let is = |id: &str, secret: &str| Some((id.to_owned(), secret.to_owned()));
        assert_eq!(read("id:secret"), is("id", "secret"));
        assert_eq!(read("i%3Ad:s%25e%2Bc+r%C3%A9t"), is("i:d", "s%e+c rét"));
        // Unencoded text is accepted if it is unambiguous.
        assert_eq!(read("id:se:cr%et"), is("id", "se:cr%et"));
        for bad in ["", "id", ":", "id:", ":secret", "id:%ff"] {
            assert_eq!(read(bad), None, "{bad}");
        }
        for header in ["Basic", "Basic ", "Basic !!!", "Bearer aWQ6c2VjcmV0", "aWQ6c2VjcmV0", ""] {
            assert_eq!(basic(header.as_bytes()), None, "{header}");
        }
        for scheme in ["basic", "BASIC", "bAsIc"] {
            assert_eq!(basic(format!("{scheme} aWQ6c2VjcmV0").as_bytes()), is("id", "secret"));
        }
    }
}
