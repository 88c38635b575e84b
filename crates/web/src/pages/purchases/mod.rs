//! Costs: expenses, the bills among them, receipts, assets, mileage.

mod actions;
mod assets;
mod form;
mod lines;
mod list;
mod mileage;
mod receipts;
mod show;

use crate::{AppState, pages::page::Authenticated, problem::Problem};
use axum::{
    Router,
    routing::{get, post},
};
use ledger::chart::{self, AccountCode};
use service::Context;

pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .route("/expenses", get(list::show).post(form::create))
        .route("/expenses.csv", get(list::download))
        .route("/expenses.xlsx", get(list::download))
        .route("/expenses/new", get(form::show_new))
        .route("/expenses/{id}", get(show::show).post(form::update))
        .route("/expenses/{id}/edit", get(form::show_edit))
        .route("/expenses/{id}/undo", post(actions::undo))
        .route("/expenses/{id}/payments", get(show::show).post(actions::pay))
        .route("/expenses/{id}/payments/{payment}/undo", post(actions::undo_payment))
        .route("/expenses/{id}/vat-repayment", post(actions::repay_vat))
        .route("/assets", get(assets::show_list).post(assets::buy))
        .route("/assets.csv", get(assets::download))
        .route("/assets.xlsx", get(assets::download))
        .route("/assets/new", get(assets::show_new))
        .route("/assets/{id}", get(assets::show))
        .route("/assets/{id}/depreciate", post(assets::depreciate))
        .route("/assets/{id}/vat-revision", post(assets::revise_vat))
        .route("/assets/{id}/dispose", post(assets::dispose))
        .route("/assets/{id}/undo", post(assets::undo))
        .route("/mileage", get(mileage::show).post(mileage::record))
        .route("/mileage.csv", get(mileage::download))
        .route("/mileage.xlsx", get(mileage::download))
        .route("/mileage/{id}/undo", post(mileage::undo))
        .route("/receipts", get(receipts::show).post(receipts::keep))
        .route("/receipts/{id}/file", get(receipts::file))
        .route("/receipts/{id}/thumbnail", get(receipts::thumbnail))
        .route("/receipts/{id}/delete", post(receipts::delete))
}

/// The owner, whose account must be in the Netherlands.
fn owner(page: &Authenticated) -> Result<Context, Problem> {
    let cx = page.context();
    cx.actor.require_dutch()?;
    Ok(cx)
}

/// The id in an address.
async fn id(text: &str) -> Result<i64, Problem> {
    match text.parse() {
        Ok(id) if id > 0 => Ok(id),
        _ => Err(crate::problem::unknown_route().await),
    }
}

/// An account by its code and what it is called.
fn account_name(page: &Authenticated, code: AccountCode) -> String {
    let account = chart::account(code);
    let name = if page.tag() == "nl" { account.dutch } else { account.english };
    format!("{code} {name}")
}
