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
use service::{Context, Error, summary, year_report, years};
use store::Tx;
use web_core::{input::Parsed, problem::Problem};

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
        Ok((now, before, report, years::read(tx, &cx, year)?))
    };
    let (now, before, report, state) = page.list(question).await?;
    let assumptions = Assumptions::read(page, &now, &report);
    let form = form.with(SUBMISSION, page.new_submission()?);
    page.show_as(status, &View { page, form, now, before, report, state, assumptions, today })
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
