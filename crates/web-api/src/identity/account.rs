//! `GET /account`: what a partner calls first, to see that its credentials work.

use crate::{moment::Moment, operation::Operation, query, reply};
use axum::{Extension, extract::RawQuery, http::HeaderMap, response::Response};
use schemars::JsonSchema;
use serde::Serialize;
use service::{Context, accounts};
use web_core::{ReadContext, problem::Problem};

/// The account that the credentials belong to.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Account")]
struct AccountBody {
    /// The owner's or company's name.
    #[schemars(example = &"Studio Voorbeeld")]
    name: String,
    /// Where it is established, ISO 3166-1 alpha-2.
    #[schemars(example = &"NL")]
    country: String,
    /// `free`, `starter` or `pro`.
    #[schemars(extend("enum" = ["free", "starter", "pro"]))]
    plan: &'static str,
    /// What the credentials may do: `read`, `write`, `file`.
    #[schemars(extend("items" = { "type": "string", "enum": ["read", "write", "file"] }))]
    scopes: Vec<&'static str>,
    /// How often VAT is declared: `quarter`.
    #[schemars(extend("enum" = ["quarter"]))]
    vat_period: &'static str,
    /// Whether it is a test account, whose books are nobody's real ones.
    #[schemars(example = &false)]
    test_mode: bool,
    /// When the account was opened.
    created_at: Moment,
}

pub(crate) fn operations() -> Vec<Operation> {
    vec![Operation::read::<AccountBody, _, _>("/account", "readAccount", read).says(
        "Read the account",
        "What to call first: it shows that the credentials work, which scopes they carry, and on which plan the account is.",
    )]
}

async fn read(
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let scopes = cx.actor.scopes.as_str().split_ascii_whitespace().collect();
    let account = books.query(cx.actor.account, move |tx| accounts::own(tx, &cx)).await?;
    let body = AccountBody {
        name: account.name,
        country: account.country.to_string(),
        plan: account.plan.as_str(),
        scopes,
        vat_period: "quarter",
        test_mode: account.test.is_some(),
        created_at: Moment(account.created_at),
    };
    Ok(reply::resource(&headers, &body))
}
