//! `/unfinished`: forms that a person has begun and not yet submitted.

use crate::{
    done::Done,
    form::Form,
    form_problems::{INVALID_UNFINISHED, OUTDATED_UNFINISHED},
    frame::{opening::Offer, unfinished::SaveOutcome},
    id::Name,
    page::Authenticated,
    return_to,
    table::Page,
};
use askama::Template;
use axum::{
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use service::unfinished;
use web_core::{catalogue::RATE_LIMITED, problem::Problem};

pub(crate) fn pages() -> Vec<Page> {
    vec![
        Page::at("/unfinished").get(show).post(save),
        Page::at("/unfinished/{id}/discard").post(discard),
        Page::at("/unfinished/{id}/undo").post(restore),
    ]
}

#[derive(Template)]
#[template(path = "unfinished.html")]
struct View<'a> {
    page: &'a Authenticated,
    offers: Vec<Offer>,
    discarded: Vec<Offer>,
}

/// `GET /unfinished`
async fn show(page: Authenticated) -> Result<Response, Problem> {
    let (offers, discarded) = page.unfinished().await?;
    page.show(&View { page: &page, offers, discarded })
}

/// `POST /unfinished`: a script saves a form while it is filled in.
async fn save(page: Authenticated, form: Form) -> Result<Response, Problem> {
    if let Err(seconds) = page.app.saves().take(page.who.account.owner.id.0, page.app.now()) {
        return Err(Problem::new(RATE_LIMITED, "too many forms were saved")
            .with_header(header::RETRY_AFTER, &seconds.to_string()));
    }
    match page.save_unfinished(&form).await? {
        SaveOutcome::Saved => Ok(StatusCode::NO_CONTENT.into_response()),
        SaveOutcome::Outdated => {
            Err(Problem::new(OUTDATED_UNFINISHED, "another window saved the form"))
        }
        SaveOutcome::Invalid => {
            Err(Problem::new(INVALID_UNFINISHED, "the form cannot be saved unfinished"))
        }
    }
}

/// Page to return to: the one whose button was pressed.
fn next(form: &Form) -> &str {
    return_to::local(form.raw("next")).unwrap_or("/unfinished")
}

/// `POST /unfinished/{id}/discard`
async fn discard(page: Authenticated, Name(id): Name, form: Form) -> Result<Response, Problem> {
    let undo = Some(format!("/unfinished/{id}/undo"));
    let (cx, person) = page.unfinished_context();
    page.app
        .execute(page.who.account.id, move |tx| unfinished::discard(tx, &cx, person, &id))
        .await?;
    let done = Done { code: "unfinished-discarded".into(), undo, ..Done::default() };
    Ok(page.see_done(next(&form), &done))
}

/// `POST /unfinished/{id}/undo`: takes back that a form was discarded.
async fn restore(page: Authenticated, Name(id): Name, form: Form) -> Result<Response, Problem> {
    let (cx, person) = page.unfinished_context();
    page.app
        .execute(page.who.account.id, move |tx| unfinished::restore(tx, &cx, person, &id))
        .await?;
    let done = Done { code: "unfinished-undone".into(), ..Done::default() };
    Ok(page.see_done(next(&form), &done))
}
