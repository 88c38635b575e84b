//! Extractors of page handlers: context, form, signed-in user.

use crate::{context::PageContext, form::Form, render::see_other, return_to, session::SignedIn};
use axum::{
    extract::FromRequestParts,
    http::{Method, request::Parts},
    response::{IntoResponse, Response},
};
use service::{Context, Error};
use std::ops::Deref;
use store::{Lane, Tx};
use web_core::problem::Problem;

/// Response that is returned instead of the page.
pub struct Answer(Box<Response>);

impl Answer {
    /// Wraps a response.
    pub fn of(answer: impl IntoResponse) -> Self {
        Self(Box::new(answer.into_response()))
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        *self.0
    }
}

impl<S: Sync> FromRequestParts<S> for PageContext {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        parts.extensions.get::<Self>().cloned().ok_or_else(Problem::internal)
    }
}

/// Submitted form. It is read, and verified to come from our own page, before the handler runs.
impl<S: Sync> FromRequestParts<S> for Form {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        parts.extensions.remove::<Self>().ok_or_else(Problem::internal)
    }
}

/// Page for signed-in users. Other visitors must first sign in, and are then redirected back.
#[derive(Clone)]
pub struct Authenticated {
    /// Context of the page.
    pub page: PageContext,
    /// Signed-in user.
    pub who: SignedIn,
}

impl Deref for Authenticated {
    type Target = PageContext;

    fn deref(&self) -> &PageContext {
        &self.page
    }
}

impl Authenticated {
    /// Context in which the signed-in user works on their own account.
    pub fn context(&self) -> Context {
        self.context_of(&self.who.account)
    }

    /// Runs a query that may read many rows: a list, a search, a spreadsheet file. It runs off the
    /// runtime's threads, at most two at a time per account, so that it does not delay other users.
    pub async fn list<T, F>(&self, question: F) -> Result<T, Error>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
        T: Send + 'static,
    {
        self.app.query(Lane::of(self.who.account.id).list(), question).await
    }
}

impl<S: Sync> FromRequestParts<S> for Authenticated {
    type Rejection = Answer;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Answer> {
        let page = PageContext::from_request_parts(parts, state).await.map_err(Answer::of)?;
        match page.signed_in().cloned() {
            Some(who) => Ok(Self { page, who }),
            None => {
                // The form's input is not lost: it is carried through sign-in.
                let sent = parts
                    .extensions
                    .get::<Form>()
                    .filter(|_| page.awaiting_second_factor().is_none());
                if let Some(again) = sent.and_then(|form| page.sign_in_again(form)) {
                    return Err(Answer::of(again));
                }
                let first =
                    if page.awaiting_second_factor().is_some() { "/login/code" } else { "/login" };
                let response = see_other(&return_to::with_next(first, page.path_and_query()));
                Err(Answer::of(if parts.method == Method::POST {
                    page.nothing_saved(response)
                } else {
                    response
                }))
            }
        }
    }
}

/// Page for users who have entered their password within the last ten minutes. Other users must
/// enter it again, and are then redirected back.
#[derive(Clone)]
pub struct RecentlyAuthenticated {
    /// Page of the signed-in user.
    pub page: Authenticated,
}

impl Deref for RecentlyAuthenticated {
    type Target = Authenticated;

    fn deref(&self) -> &Authenticated {
        &self.page
    }
}

impl<S: Sync> FromRequestParts<S> for RecentlyAuthenticated {
    type Rejection = Answer;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Answer> {
        let page = Authenticated::from_request_parts(parts, state).await?;
        if page.who.is_fresh(page.app.now()) {
            Ok(Self { page })
        } else {
            Err(Answer::of(see_other(&return_to::with_next(
                "/password/confirm",
                page.path_and_query(),
            ))))
        }
    }
}
