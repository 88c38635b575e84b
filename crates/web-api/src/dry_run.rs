//! Dry runs: `?dryRun=true` answers what a request would do, and nothing is written.

use crate::query::{self, Query};
use axum::http::Uri;
use web_core::problem::Problem;

/// Reads the parameter, and describes it.
pub(crate) fn parameter(query: &mut Query) -> bool {
    let meaning = "Whether nothing is written: the response shows what the request would do. \
                   Default: false.";
    query.flag("dryRun", meaning).unwrap_or(false)
}

/// Whether a request asks for a dry run.
///
/// # Errors
/// The query has another parameter, or the value is not a boolean.
pub(crate) fn is_asked(uri: &Uri) -> Result<bool, Problem> {
    query::read(uri.query(), parameter)
}
