//! Access control for pages.

use axum::{
    extract::{FromRequestParts, Request},
    middleware::Next,
    response::{IntoResponse, Response},
};
use service::{AccessError, Error};
use web_core::problem::Problem;
use web_pages::{
    Access,
    frame::{
        extractors::{Answer, Authenticated, RecentlyAuthenticated},
        form::Form,
    },
};

/// Calls the handler if access is granted; otherwise redirects to sign-in or password confirmation,
/// or answers 403.
pub(super) async fn admit(access: Access, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let admitted = match Authenticated::from_request_parts(&mut parts, &()).await {
        Ok(page) if access == Access::Dutch && !page.who.account.country.is_dutch() => {
            Err(Answer::of(Problem::from(Error::from(AccessError::DutchAccountRequired))))
        }
        Ok(_) if access == Access::RecentPassword => {
            RecentlyAuthenticated::from_request_parts(&mut parts, &()).await.map(drop)
        }
        // The button *keep* is the same on every form that is saved unfinished.
        Ok(page) => match parts.extensions.get::<Form>() {
            Some(form) => {
                page.keep_pressed(form).await.map_or(Ok(()), |kept| Err(Answer::of(kept)))
            }
            None => Ok(()),
        },
        Err(answer) => Err(answer),
    };
    match admitted {
        Ok(()) => next.run(Request::from_parts(parts, body)).await,
        Err(answer) => answer.into_response(),
    }
}
