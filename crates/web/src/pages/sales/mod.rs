//! Sales: invoices and what follows them, contacts.

mod actions;
mod contacts;
mod credit;
mod documents;
mod form;
pub(crate) mod lines;
mod list;
mod payouts;
mod send;
mod show;
mod status;
mod write_off;

use crate::{
    AppState,
    pages::{
        page::Authenticated,
        texts::{Phrase, Texts},
    },
    problem::Problem,
};
use axum::{
    Router,
    routing::{get, post},
};
use service::Context;

pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .route("/invoices", get(list::show).post(form::create))
        .route("/invoices.csv", get(list::download))
        .route("/invoices.xlsx", get(list::download))
        .route("/invoices/new", get(form::show_new))
        .route("/invoices/{id}", get(show::show).post(form::update))
        .route("/invoices/{id}/edit", get(form::show_edit))
        .route("/invoices/{id}/pdf", get(documents::pdf))
        .route("/invoices/{id}/ubl", get(documents::ubl))
        .route("/invoices/{id}/send", get(send::show).post(send::send))
        .route("/invoices/{id}/remind", get(send::show_reminder).post(send::remind))
        .route("/invoices/{id}/mark-sent", post(actions::mark_sent))
        .route("/invoices/{id}/cancel", post(actions::cancel))
        .route("/invoices/{id}/copy", post(actions::copy))
        .route("/invoices/{id}/payments", get(show::show).post(actions::record_payment))
        .route("/invoices/{id}/payments/{n}/undo", post(actions::undo_payment))
        .route("/invoices/{id}/write-off", get(write_off::show).post(write_off::send))
        .route("/invoices/{id}/write-off/{n}/undo", post(actions::undo_write_off))
        .route("/payouts", get(payouts::show).post(payouts::send))
        .route("/payouts.csv", get(payouts::download))
        .route("/payouts.xlsx", get(payouts::download))
        .route("/payouts/{id}/undo", post(payouts::undo))
        .route("/invoices/{id}/credit", get(credit::show).post(credit::send))
        .merge(contacts::router())
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

/// What of its seller is known to an invoice, or is missing on it.
#[derive(Debug, Clone, Copy)]
struct SellerData {
    address: bool,
    kvk_number: bool,
    vat_number: bool,
    iban: bool,
}

impl SellerData {
    /// What is missing.
    fn missing(self, texts: Texts) -> Vec<Phrase<'static>> {
        let all = [
            (self.address, texts.t("invoice-missing-address")),
            (self.kvk_number, texts.t("invoice-missing-kvk")),
            (self.vat_number, texts.t("invoice-missing-vat-number")),
            (self.iban, texts.t("invoice-missing-iban")),
        ];
        all.into_iter().filter_map(|(is_known, what)| (!is_known).then_some(what)).collect()
    }
}
