//! Validation of the header `Host`, which must occur exactly once (RFC 9112, section 3.2).

use axum::{
    extract::Request,
    http::{Version, header},
};
use web_core::{catalogue, problem::Problem};

/// Checks that there is exactly one `Host` header; before HTTP/1.1 there may be none.
///
/// # Errors
/// The number of `Host` headers is wrong: a proxy and this server could interpret them differently.
pub(super) fn check(request: &Request) -> Result<(), Problem> {
    let hosts = request.headers().get_all(header::HOST).iter().count();
    if hosts == 1 || (hosts == 0 && request.version() < Version::HTTP_11) {
        Ok(())
    } else {
        Err(Problem::new(catalogue::MALFORMED_REQUEST, "Send the header Host exactly once."))
    }
}
