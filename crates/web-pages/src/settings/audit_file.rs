//! `/year/{year}/audit-file`: the audit file, for the tax office and accountants.

use crate::page::Authenticated;
use axum::{extract::Path, response::Response};
use service::{Error, audit_files::Version};
use web_core::{audit_files, problem::Problem};

/// `GET /year/{year}/audit-file`; `?version=3.2` selects the older version.
pub(crate) async fn show(
    page: Authenticated,
    Path(year): Path<String>,
) -> Result<Response, Problem> {
    let cx = page.context();
    let version =
        page.query("version").as_deref().and_then(Version::parse).unwrap_or(Version::V4_0);
    let year = year
        .parse()
        .ok()
        .filter(|year| (2000..=2099).contains(year))
        .ok_or(Error::NotFound("year"))?;
    audit_files::answer(&page.app, cx, year, version)
}
