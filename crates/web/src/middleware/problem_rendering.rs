//! Rendering of problems in the form that the client expects: a page, an OAuth error, or a problem
//! document.

use crate::oauth::{self, OauthError, OauthErrorCode};
use axum::{
    extract::Request,
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use web_core::{AppState, problem::Problem};
use web_pages::{PageContext, error_page};

/// Format of a failure response.
pub(super) enum Form {
    /// A page, for browsers.
    PageContext(Box<PageContext>),
    /// An OAuth error (RFC 6749, section 5.2).
    Oauth,
    /// A problem document (RFC 9457).
    Problem,
}

impl Form {
    /// Determines the format from the path of the request.
    pub(super) fn of(app: &AppState, request: &Request) -> Self {
        let path = request.uri().path();
        if error_page::is_rendered_as_page(path) {
            Self::PageContext(Box::new(PageContext::of_stranger(app, request)))
        } else if path.starts_with(oauth::PREFIX) {
            Self::Oauth
        } else {
            Self::Problem
        }
    }

    /// Renders the problem of the response, if there is one. Returns the response and the error
    /// code for the log.
    pub(super) fn render(
        self,
        mut response: Response,
        app: &AppState,
        request_id: &str,
    ) -> (Response, &'static str) {
        let Some(problem) = response.extensions_mut().remove::<Problem>() else {
            let code = response.extensions().get().map_or("", |OauthErrorCode(code)| code);
            return (response, code);
        };
        let mut rendered = match self {
            // If the page's middleware left a context in the response, that context is used,
            // because it includes the signed-in user.
            Self::PageContext(stranger) => error_page::render(
                &problem,
                &response.extensions_mut().remove().unwrap_or(*stranger),
                request_id,
            ),
            Self::Oauth => OauthError::from(&problem).into_response(),
            Self::Problem => problem.render(&app.config().base_url, request_id),
        };
        keep_headers(response.headers(), rendered.headers_mut());
        (rendered, problem.kind.code)
    }
}

/// Copies headers set by inner layers, such as `Allow` and the rate-limit headers.
fn keep_headers(from: &HeaderMap, to: &mut HeaderMap) {
    for (name, value) in from {
        if *name != header::CONTENT_TYPE
            && *name != header::CONTENT_LENGTH
            && !to.contains_key(name)
        {
            to.insert(name.clone(), value.clone());
        }
    }
}
