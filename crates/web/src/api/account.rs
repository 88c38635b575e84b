//! `GET /account`: what a partner calls first, to see that its credentials work.

use super::{query::Query, reply};
use crate::{Reading, problem::Problem};
use axum::{Extension, extract::RawQuery, http::HeaderMap, response::Response};
use jiff::Timestamp;
use serde::Serialize;
use service::{Actor, accounts};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AccountBody {
    name: String,
    country: String,
    plan: &'static str,
    scopes: Vec<&'static str>,
    vat_period: &'static str,
    created_at: Timestamp,
}

pub(super) async fn read(
    Extension(actor): Extension<Actor>,
    Extension(books): Extension<Reading>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    Query::of(query.as_deref()).finish()?;
    let scopes = actor.scopes.as_str().split_ascii_whitespace().collect();
    let account = books.ask(move |tx| accounts::own(tx, &actor)).await?;
    let body = AccountBody {
        name: account.name,
        country: account.country.to_string(),
        plan: account.plan.as_str(),
        scopes,
        vat_period: "quarter",
        created_at: account.created_at,
    };
    Ok(reply::resource(&headers, &body))
}
