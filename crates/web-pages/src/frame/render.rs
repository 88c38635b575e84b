//! Rendering of templates, and redirects.

use crate::{context::PageContext, frame::named_faults};
use askama::Template;
use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use web_core::problem::Problem;

/// Redirects to another page, which is fetched with GET.
pub fn see_other(location: &str) -> Response {
    // The location is always ASCII: a path of our own, or a URL taken from a request.
    let location = HeaderValue::from_str(location).unwrap_or(HeaderValue::from_static("/"));
    (StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response()
}

impl PageContext {
    /// Renders the page.
    pub fn show(&self, view: &impl Template) -> Result<Response, Problem> {
        self.show_as(StatusCode::OK, view)
    }

    /// Renders the page again, with the faults of its form.
    pub fn show_refused(&self, view: &impl Template) -> Result<Response, Problem> {
        self.show_as(StatusCode::UNPROCESSABLE_ENTITY, view)
    }

    /// Renders the page with another status.
    pub fn show_as(&self, status: StatusCode, view: &impl Template) -> Result<Response, Problem> {
        let html = view.render().map_err(|trouble| {
            tracing::error!(%trouble, "failed to render a page");
            Problem::internal()
        })?;
        let html = named_faults::complete(html);
        Ok((status, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], html).into_response())
    }
}
