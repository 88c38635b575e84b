//! `GET /account`: the account that the credentials belong to.

use crate::{moment::Moment, operation::Operation, query, reply};
use axum::{Extension, extract::RawQuery, http::HeaderMap, response::Response};
use ledger::{language::Language, vat_period::VatUnit};
use schemars::JsonSchema;
use serde::Serialize;
use service::{Context, accounts};
use web_core::{
    ReadContext,
    input::{names_of, or_null},
    problem::Problem,
};

/// Account that the credentials belong to.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Account")]
struct AccountBody {
    /// Name of the owner or company.
    #[schemars(example = &"Studio Voorbeeld")]
    name: String,
    /// Country of the business, ISO 3166-1 alpha-2.
    #[schemars(example = &"NL")]
    country: String,
    /// IBAN to which customers pay.
    #[schemars(example = &"NL91ABNA0417164300")]
    iban: Option<String>,
    /// BIC of its bank, shown to customers abroad.
    #[schemars(example = &"ABNANL2A")]
    bic: Option<String>,
    /// Telephone number shown on documents.
    #[schemars(example = &"+31 30 123 45 67")]
    phone: Option<String>,
    /// Website shown on documents.
    #[schemars(example = &"https://studio-voorbeeld.example")]
    website: Option<String>,
    /// Default language of documents and emails: `nl` or `en`; null for Dutch ones.
    #[schemars(extend("enum" = or_null(names_of(Language::ALL))))]
    language: Option<String>,
    /// `free`, `starter` or `pro`.
    #[schemars(extend("enum" = ["free", "starter", "pro"]))]
    plan: &'static str,
    /// Scopes of the credentials: `read`, `write`, `file`.
    #[schemars(extend("items" = { "type": "string", "enum": ["read", "write", "file"] }))]
    scopes: Vec<&'static str>,
    /// Length of the current VAT period: `month`, `quarter` or `year`. Values may be added.
    #[schemars(extend("enum" = names_of(VatUnit::ALL)))]
    vat_period: &'static str,
    /// Whether the account is a test account.
    #[schemars(example = &false)]
    test_mode: bool,
    /// Time of creation.
    created_at: Moment,
}

pub(crate) fn operations() -> Vec<Operation> {
    vec![Operation::read::<AccountBody, _, _>("/account", "readAccount", read).says(
        "Read the account",
        "Returns the account, its plan and the scopes of the credentials. Call this first to \
         check your credentials.",
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
    let unit = cx.actor.vat_units.on(cx.today());
    let account = books.query(cx.actor.account, move |tx| accounts::own(tx, &cx)).await?;
    let body = AccountBody {
        name: account.name,
        country: account.country.to_string(),
        iban: account.iban,
        bic: account.bic,
        phone: account.phone,
        website: account.website,
        language: account.language,
        plan: account.plan.as_str(),
        scopes,
        vat_period: unit.as_str(),
        test_mode: account.test.is_some(),
        created_at: Moment(account.created_at),
    };
    Ok(reply::resource(&headers, &body))
}
