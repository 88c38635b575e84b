//! The journal: entries, ledger cards, the trial balance, entries by hand, and events that no invoice and no receipt tells of.

mod by_hand;
mod cards;
mod duties;
mod entry;
mod events;
mod kinds;
mod lines;
mod list;
mod opening;

use crate::{AppState, pages::page::Authenticated, problem::Problem};
use axum::{
    Router,
    routing::{get, post},
};
use ledger::chart::{self, AccountCode};
use service::Context;

pub(crate) fn router() -> Router<AppState> {
    let journal = Router::new()
        .route("/journal", get(list::show).post(by_hand::send))
        .route("/journal.csv", get(list::download))
        .route("/journal.xlsx", get(list::download))
        .route("/duties", get(duties::show))
        .route("/journal/new", get(by_hand::show))
        .route("/journal/opening", get(opening::show).post(opening::send))
        .route("/journal/opening/undo", post(opening::undo))
        .route("/journal/accounts", get(cards::trial_balance))
        .route("/journal/accounts.csv", get(cards::download_trial_balance))
        .route("/journal/accounts.xlsx", get(cards::download_trial_balance))
        .route("/journal/accounts/{code}", get(cards::card))
        .route("/journal/{id}", get(entry::show))
        .route("/journal/{id}/reverse", post(entry::reverse))
        .route("/loans/{id}/repayments", get(events::show).post(events::repay))
        .route("/loans/{id}/repayments/{repayment}/undo", post(events::undo_repayment));
    kinds::PATHS.iter().fold(journal, |router, kind| {
        let [csv, xlsx] = kind.files;
        let router = router.route(kind.list, get(events::list).post(events::send)).route(kind.one, get(events::show));
        router.route(kind.undo, post(events::undo)).route(csv, get(events::download)).route(xlsx, get(events::download))
    })
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

/// What an account is called, with its code.
fn account_name(page: &Authenticated, code: AccountCode) -> String {
    let account = chart::account(code);
    let name = if page.tag() == "nl" { account.dutch } else { account.english };
    format!("{code} {name}")
}
