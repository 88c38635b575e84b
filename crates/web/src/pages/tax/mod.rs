//! Tax: VAT returns, payments of VAT, and the year.

mod settings;
mod vat;
mod vat_list;
mod vat_view;
mod year;
mod year_view;

use crate::{
    AppState,
    pages::page::Authenticated,
    problem::{self, Problem},
};
use axum::{
    Router,
    routing::{get, post},
};
use ledger::calendar::Quarter;
use service::Context;

pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .route("/vat", get(vat_list::show))
        .route("/vat/{year}/{quarter}", get(vat::show))
        .route("/vat/{year}/{quarter}/icp.csv", get(vat::icp))
        .route("/vat/{year}/{quarter}/icp.xlsx", get(vat::icp))
        .route("/vat/{year}/{quarter}/file", post(vat::file))
        .route("/vat/{year}/{quarter}/reopen", post(vat::reopen))
        .route("/vat/{year}/{quarter}/payment", post(vat::pay))
        .route("/vat-payments/{id}/undo", post(vat::undo_payment))
        .route("/year", get(year::this_year))
        .route("/year/{year}", get(year::show))
        .route("/year/{year}/close", post(year::close))
        .route("/year/{year}/reopen", post(year::reopen))
        .route("/settings/vat", get(settings::show).post(settings::send))
}

/// The owner, whose account must be in the Netherlands.
fn owner(page: &Authenticated) -> Result<Context, Problem> {
    let cx = page.context();
    cx.actor.require_dutch()?;
    Ok(cx)
}

/// A quarter in an address.
async fn quarter(year: &str, number: &str) -> Result<Quarter, Problem> {
    let digits = |text: &str, count| text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    let found = if digits(year, 4) && digits(number, 1) {
        year.parse().ok().zip(number.parse().ok()).and_then(|(year, number)| Quarter::new(year, number))
    } else {
        None
    };
    match found {
        Some(quarter) => Ok(quarter),
        None => Err(problem::unknown_route().await),
    }
}

/// Where the return of a quarter is.
fn path_of(quarter: Quarter) -> String {
    format!("/vat/{}/{}", quarter.year(), quarter.number())
}
