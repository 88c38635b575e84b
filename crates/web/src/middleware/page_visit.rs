//! Middleware for every page: determines the visitor, reads the form of a POST, adds the headers.
//! Handlers cannot bypass it.

use axum::{
    body::Body,
    extract::{Request, State},
    http::{Method, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use web_core::{AppState, problem::Problem};
use web_pages::{
    PageContext,
    frame::{
        extractors::Answer,
        headers::set_default_headers,
        read_form::{ReadForm, stale, takes_files},
        render::see_other,
        return_to, visit,
    },
};

/// Determines the visitor, rejects forms from other origins, and adds the default headers of pages.
pub(super) async fn visit(State(app): State<AppState>, request: Request, next: Next) -> Response {
    let mut response = match begin(app, request).await {
        Ok((page, request)) => {
            let response = next.run(request).await;
            if response.extensions().get::<Problem>().is_some() && page.has_ended().await {
                see_other(&return_to::with_next("/login", page.path_and_query()))
            } else {
                page.finish(response)
            }
        }
        Err(answer) => answer.into_response(),
    };
    set_default_headers(response.headers_mut());
    response
}

async fn begin(app: AppState, request: Request) -> Result<(PageContext, Request), Answer> {
    let (mut parts, body) = request.into_parts();
    let page = visit::find(app, &parts).await?;
    // POST is the only method of pages that changes data; the router rejects all others.
    if parts.method == Method::POST {
        let content_type =
            parts.headers.get(header::CONTENT_TYPE).map_or(&b""[..], |kind| kind.as_bytes());
        let has_files =
            content_type.get(..9).is_some_and(|kind| kind.eq_ignore_ascii_case(b"multipart"));
        if has_files && takes_files(page.path()) && page.signed_in().is_none() {
            let form = page
                .read_form(&parts.headers, body)
                .await
                .ok()
                .filter(|_| page.awaiting_second_factor().is_none());
            let sign_in = || see_other(&return_to::with_next("/login", page.path_and_query()));
            let form = form.map(|(ReadForm::Trusted(form) | ReadForm::OfEndedSession(form))| form);
            return Err(Answer::of(match form.and_then(|form| page.sign_in_again(&form)) {
                Some(again) => page.finish(again.into_response()),
                None => page.nothing_saved(sign_in()),
            }));
        }
        let read = page.read_form(&parts.headers, body).await;
        match read.map_err(|problem| Answer::of(page.finish(problem.into_response())))? {
            ReadForm::Trusted(form) => parts.extensions.insert(form),
            // The input is not lost: the response offers to submit the form again.
            ReadForm::OfEndedSession(form) => {
                if let Some(kept) = page.keep_of_other_session(&form).await {
                    return Err(Answer::of(page.finish(kept)));
                }
                let offered = page.offer_again(&form).unwrap_or_else(|| Err(stale()));
                return Err(Answer::of(page.finish(offered.into_response())));
            }
        };
        parts.extensions.insert(page.clone());
        return Ok((page, Request::from_parts(parts, Body::empty())));
    }
    parts.extensions.insert(page.clone());
    Ok((page, Request::from_parts(parts, body)))
}
