//! `/year/{year}`: result, balance sheet, cash flow, the estimated income tax, and closing the
//! year.

use super::{
    Year,
    year_view::{Assumptions, View},
};
use crate::{
    form::Form,
    page::{Authenticated, see_other},
    submit::SUBMISSION,
};
use axum::{http::StatusCode, response::Response};
use ledger::calendar::amsterdam_today;
use ledger::closing_step::ClosingStep;
use service::{
    Context, Error,
    closing_steps::{self, DoStep},
    estimate, summary, year_report, years,
};
use store::Tx;
use web_core::{
    input::{self, Parsed, closing_step},
    problem::Problem,
};

/// `GET /year`: redirects to the current year.
pub(super) async fn this_year(page: Authenticated) -> Response {
    see_other(&format!("/year/{}", amsterdam_today(page.app.now()).year()))
}

/// `GET /year/{year}`
pub(super) async fn show(page: Authenticated, Year(year): Year) -> Result<Response, Problem> {
    show_with(&page, year, Form::default(), StatusCode::OK).await
}

async fn show_with(
    page: &Authenticated,
    year: i16,
    form: Form,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let today = cx.today();
    let question = move |tx: &mut Tx<'_>| {
        let now = summary::read(tx, &cx, year, today, None)?;
        let before = summary::read(tx, &cx, year - 1, today, None)?;
        let report = year_report::read(tx, &cx, year)?;
        let estimate = estimate::read(tx, &cx, year)?;
        let steps = closing_steps::read(tx, &cx, year)?;
        Ok((now, before, report, estimate, years::read(tx, &cx, year)?, steps))
    };
    let (now, before, report, estimate, state, closing) = page.list(question).await?;
    let assumptions = Assumptions::read(page, &now, estimate);
    let form = form.with(SUBMISSION, page.new_submission()?);
    let view = View { page, form, now, before, report, state, closing, assumptions, today };
    page.show_as(status, &view)
}

async fn carry_out(
    page: &Authenticated,
    year: i16,
    form: Form,
    done: &'static str,
    command: impl Fn(&mut Tx<'_>, &Context, i16) -> Result<(), Error> + Send + 'static,
) -> Result<Response, Problem> {
    let run = move |tx: &mut Tx<'_>, cx: &Context, year: &i16| {
        command(tx, cx, *year)?;
        Ok(format!("/year/{year}?done={done}"))
    };
    page.carry_out(form, Parsed::new(None, Some(year)), run, async |form, status| {
        show_with(page, year, form, status).await
    })
    .await
}

/// `POST /year/{year}/close`
pub(super) async fn close(
    page: Authenticated,
    Year(year): Year,
    form: Form,
) -> Result<Response, Problem> {
    carry_out(&page, year, form, "year-closed", |tx, cx, year| years::close(tx, cx, year).map(drop))
        .await
}

/// `POST /year/{year}/reopen`
pub(super) async fn reopen(
    page: Authenticated,
    Year(year): Year,
    form: Form,
) -> Result<Response, Problem> {
    carry_out(&page, year, form, "year-reopened", |tx, cx, year| {
        years::reopen(tx, cx, year).map(drop)
    })
    .await
}

/// `POST /year/{year}`: carries out or undoes a year-end step.
pub(super) async fn act(
    page: Authenticated,
    Year(year): Year,
    form: Form,
) -> Result<Response, Problem> {
    let (verb, name) = form.value("action").split_once('.').unwrap_or_default();
    let step = ClosingStep::parse(name).filter(|_| matches!(verb, "do" | "undo"));
    let step = step.ok_or(Error::NotFound("closing step"))?;
    if verb == "undo" {
        let done = if step == ClosingStep::Close { "year-reopened" } else { "step-undone" };
        return carry_out(&page, year, form, done, move |tx, cx, year| {
            closing_steps::undo(tx, cx, (year, step)).map(drop)
        })
        .await;
    }
    let done = if step == ClosingStep::Close { "year-closed" } else { "step-done" };
    let read = |fields: &mut input::Fields<'_, '_>| closing_step(fields, year, step);
    let fields = form.pairs().filter(|(name, _)| *name != "rowIds");
    let mut parsed = input::form(fields, page.texts.language, read);
    if form.has("chosen", "true") {
        let row_ids = Some(form.all("rowIds").map(str::to_owned).collect());
        parsed.command = parsed.command.map(|command| DoStep { row_ids, ..command });
    }
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &DoStep| {
        closing_steps::carry_out(tx, cx, (year, step), command)?;
        Ok(format!("/year/{year}?done={done}"))
    };
    page.carry_out(form, parsed, run, async |form, status| {
        show_with(&page, year, form, status).await
    })
    .await
}
