//! Requirements that a request must meet before its handler runs.

use crate::operations;
use axum::http::Method;
use service::actor::Scope;
use std::sync::OnceLock;

/// Prefix of every path of the API.
const PREFIX: &str = "/api/v1";

/// Requirements of an operation.
#[derive(Debug, Clone, Copy)]
pub struct Requirements {
    /// Required scopes.
    pub scopes: &'static [Scope],
    /// Whether the account must be Dutch.
    pub dutch: bool,
    /// Possible media types of the response.
    pub media_types: &'static [&'static str],
}

/// Requirements with the method and path of their operation.
struct Row {
    method: &'static str,
    path: &'static str,
    requirements: Requirements,
}

/// Returns the requirements of a request. `route` is the matched path of the operation, with its
/// parameters.
///
/// For a request that matches no operation, the requirements are those of comparable operations, so
/// that an unauthorised caller does not learn which operations exist. A request that reads requires
/// the scope `read`. A request that writes requires the scopes of the first write operation on the
/// same path, or `write` if the path has no write operation. It requires a Dutch account if all
/// write operations on the path do; if the path has none, all write operations on the resource must
/// require one.
pub fn requirements(method: &Method, route: Option<&str>, path: &str) -> Requirements {
    static ROWS: OnceLock<Vec<Row>> = OnceLock::new();
    let rows = ROWS.get_or_init(|| {
        let row = |operation: crate::operation::Operation| Row {
            method: operation.method,
            path: operation.path,
            requirements: Requirements {
                scopes: operation.scopes,
                dutch: operation.dutch,
                media_types: operation.answer.media_types(),
            },
        };
        operations().into_iter().map(row).collect()
    });
    let reads = matches!(*method, Method::GET | Method::HEAD);
    let name = if *method == Method::HEAD { "get" } else { &method.as_str().to_ascii_lowercase() };
    let at_route = || rows.iter().filter(|row| route.and_then(below) == Some(row.path));
    if let Some(row) = at_route().find(|row| row.method == name) {
        return row.requirements;
    }
    let media_types =
        at_route().next().map_or(&["application/json"][..], |row| row.requirements.media_types);
    if reads {
        return Requirements { scopes: &[Scope::Read], dutch: false, media_types };
    }
    let first = below(path).and_then(resource);
    let mut writes: Vec<&Row> = at_route().filter(|row| row.method != "get").collect();
    let scopes = writes.first().map_or(&[Scope::Write][..], |row| row.requirements.scopes);
    if writes.is_empty() {
        writes =
            rows.iter().filter(|row| row.method != "get" && resource(row.path) == first).collect();
    }
    let dutch = !writes.is_empty() && writes.iter().all(|row| row.requirements.dutch);
    Requirements { scopes, dutch, media_types }
}

/// Returns the part of a path after the API's prefix.
fn below(path: &str) -> Option<&str> {
    path.strip_prefix(PREFIX).filter(|rest| rest.starts_with('/'))
}

/// Returns the first segment of a path, which names the resource.
fn resource(path: &str) -> Option<&str> {
    path.split('/').nth(1)
}
