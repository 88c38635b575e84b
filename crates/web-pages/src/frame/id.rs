//! Parameters in the paths of pages. A malformed parameter results in a 404.

use axum::{
    extract::{FromRequestParts, RawPathParams},
    http::request::Parts,
};
use web_core::problem::{self, Problem};

/// Maximum length of a name, in bytes.
const LONGEST: usize = 64;

/// Id of a record: the first parameter of the path.
pub struct Id(pub i64);

/// Id of a record and number of one of its parts: the first two parameters of the path.
pub struct Ids(pub i64, pub i64);

/// Name, such as the id of a session or a connection: the last parameter of the path.
pub struct Name(pub String);

impl<S: Sync + Send> FromRequestParts<S> for Id {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        read(parts, state, |values| number(values.first()?).map(Self)).await
    }
}

impl<S: Sync + Send> FromRequestParts<S> for Ids {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        read(parts, state, |values| Some(Self(number(values.first()?)?, number(values.get(1)?)?)))
            .await
    }
}

impl<S: Sync + Send> FromRequestParts<S> for Name {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        read(parts, state, |values| {
            values.last().filter(|text| is_name(text)).map(|name| Self((*name).to_owned()))
        })
        .await
    }
}

/// Reads the parameters of a path.
///
/// # Errors
/// `read` returned `None`, or a parameter is not UTF-8. The problem is the same as for an unknown
/// route.
pub async fn read<S: Sync + Send, T>(
    parts: &mut Parts,
    state: &S,
    read: impl FnOnce(&[&str]) -> Option<T>,
) -> Result<T, Problem> {
    let parameters = RawPathParams::from_request_parts(parts, state).await;
    let found = parameters
        .ok()
        .and_then(|all| read(&all.iter().map(|(_, value)| value).collect::<Vec<_>>()));
    match found {
        Some(value) => Ok(value),
        None => Err(problem::unknown_route().await),
    }
}

fn number(text: &str) -> Option<i64> {
    let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number| is_digits && *number > 0)
}

/// Whether a text can be a name. (PostgreSQL accepts no NUL in a text.)
fn is_name(text: &str) -> bool {
    (1..=LONGEST).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}
