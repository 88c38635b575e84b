//! `/contacts…`: customers and suppliers.

mod form;
mod list;
mod show;

use crate::AppState;
use axum::{
    Router,
    routing::{get, post},
};

pub(super) fn router() -> Router<AppState> {
    Router::new()
        .route("/contacts", get(list::show).post(form::create))
        .route("/contacts.csv", get(list::download))
        .route("/contacts.xlsx", get(list::download))
        .route("/contacts/new", get(form::show_new))
        .route("/contacts/{id}", get(show::show).post(form::update))
        .route("/contacts/{id}/edit", get(form::show_edit))
        .route("/contacts/{id}/archive", post(show::archive))
        .route("/contacts/{id}/restore", post(show::restore))
        .route("/contacts/{id}/merge", post(show::merge))
}
