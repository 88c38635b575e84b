//! Ids in the addresses of pages.

use axum::{
    extract::{FromRequestParts, Path},
    http::request::Parts,
};
use web_core::problem::{self, Problem};

/// How long an id is at the most.
const LONGEST: usize = 64;

/// An id that could be one of ours; with anything else there is no such page. (PostgreSQL takes no NUL in a text.)
pub struct Id(pub String);

impl<S: Sync + Send> FromRequestParts<S> for Id {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match Path::<String>::from_request_parts(parts, state).await {
            Ok(Path(id)) if is_id(&id) => Ok(Self(id)),
            _ => Err(problem::unknown_route().await),
        }
    }
}

fn is_id(text: &str) -> bool {
    (1..=LONGEST).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}
