//! What a handler of a page asks for: the context, the form, somebody who is signed in.

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

/// An answer given before the page's own.
pub struct Answer(Box<Response>);

impl Answer {
    /// Wraps an answer.
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

/// The form that was sent. It is read, and known to come from our own page, before the handler begins.
impl<S: Sync> FromRequestParts<S> for Form {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        parts.extensions.remove::<Self>().ok_or_else(Problem::internal)
    }
}

/// A page for those who are signed in; others sign in first and are led back.
#[derive(Clone)]
pub struct Authenticated {
    /// Context of the page.
    pub page: PageContext,
    /// Signed-in person.
    pub who: SignedIn,
}

impl Deref for Authenticated {
    type Target = PageContext;

    fn deref(&self) -> &PageContext {
        &self.page
    }
}

impl Authenticated {
    /// The context in which whoever is signed in asks something of their own account.
    pub fn context(&self) -> Context {
        self.context_of(&self.who.account)
    }

    /// Answers a question that may read many rows: a list, a search, a file for a spreadsheet. It runs beside the threads of the runtime, two
    /// of one account at once, so that nobody else waits for it.
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
                // What was filled in is not lost: it goes along.
                let sent = parts.extensions.get::<Form>().filter(|_| page.awaiting_second_factor().is_none());
                if let Some(again) = sent.and_then(|form| page.sign_in_again(form)) {
                    return Err(Answer::of(again));
                }
                let first = if page.awaiting_second_factor().is_some() { "/login/code" } else { "/login" };
                let response = see_other(&return_to::with_next(first, page.path_and_query()));
                Err(Answer::of(if parts.method == Method::POST { page.nothing_saved(response) } else { response }))
            }
        }
    }
}

/// A page for those who gave their password within the last ten minutes; others give it again and are led back.
#[derive(Clone)]
pub struct RecentlyAuthenticated {
    /// Signed-in page.
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
            Err(Answer::of(see_other(&return_to::with_next("/password/confirm", page.path_and_query()))))
        }
    }
}
