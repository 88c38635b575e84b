//! The audit file of a year, and the ICP declaration of a quarter.

use crate::{number::Amount, operation::Operation, query, query::Query, reply};
use axum::{
    Extension,
    extract::{Path, RawQuery, State},
    http::HeaderMap,
    response::Response,
};
use schemars::JsonSchema;
use serde::Serialize;
use service::{
    Context,
    audit_files::Version,
    icp::{self, Declaration},
};
use web_core::{AppState, ReadContext, audit_files, catalogue::NOT_FOUND, problem::Problem};

/// Supplies to businesses in other EU countries in a quarter, for the ICP declaration (EC sales
/// list).
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "IcpDeclaration")]
struct IcpBody {
    /// Rows by VAT number.
    rows: Vec<IcpRow>,
    /// Total of the rows in whole euros.
    #[schemars(example = &1500)]
    total: i64,
    /// Box 3b of the VAT return.
    #[schemars(with = "Amount", extend("examples" = [1500.0]))]
    box3b: Amount,
    /// Box 3b less the exact supplies in the rows; 0.00 if the two agree.
    #[schemars(with = "Amount", extend("examples" = [0.0]))]
    difference: Amount,
    /// Documents that cause a difference because their customers have no VAT number.
    without_number: Vec<IcpMissing>,
}

/// A row of the declaration. Amounts are in euros, rounded down.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "IcpRow")]
struct IcpRow {
    /// VAT number of the customer.
    #[schemars(example = &"DE123456789")]
    vat_number: String,
    /// Goods.
    #[schemars(example = &0)]
    goods: i64,
    /// Services.
    #[schemars(example = &1500)]
    services: i64,
    /// Simplified triangular transactions.
    #[schemars(example = &0)]
    triangular: i64,
}

/// A document whose customer has no VAT number.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "IcpMissing")]
struct IcpMissing {
    /// Number of the document.
    number: String,
    /// Amount excluding VAT.
    amount: Amount,
}

impl From<Declaration> for IcpBody {
    fn from(declaration: Declaration) -> Self {
        let row = |row: icp::Row| IcpRow {
            vat_number: row.vat_number.as_str().to_owned(),
            goods: row.goods,
            services: row.services,
            triangular: row.triangular,
        };
        let missing =
            declaration.without_number.into_iter().filter(|(number, _)| !number.is_empty());
        Self {
            rows: declaration.rows.into_iter().map(row).collect(),
            total: declaration.total,
            box3b: Amount(declaration.box_3b),
            difference: Amount(declaration.difference),
            without_number: missing
                .map(|(number, amount)| IcpMissing { number, amount: Amount(amount) })
                .collect(),
        }
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::stream("/audit-files/{year}", "readAuditFile", &["application/xml"], audit_file)
            .says(
                "Read the audit file of a year",
                "Returns the XML Auditfile Financieel (XAF) 4.0 or 3.2: every entry, the opening \
                 balance, RGS codes, customers and suppliers with their opening and closing \
                 balances, and the box, rate and VAT of each line in the VAT return. The file is \
                 generated while it is sent; one at a time.",
            )
            .with_query(version)
            .or(&[NOT_FOUND])
            .for_dutch_accounts(),
        Operation::read::<IcpBody, _, _>(
            "/vat-filings/{year}/{quarter}/icp",
            "readIcpDeclaration",
            declaration,
        )
        .says(
            "Read the ICP declaration of a quarter",
            "Returns the supplies to businesses in other EU countries per VAT number, from \
                 the current books. Their total equals box 3b; otherwise `difference` is not 0.00.",
        )
        .for_dutch_accounts(),
    ]
}

fn version(query: &mut Query) -> Option<Version> {
    query.choice(
        "version",
        "Version of the format. Default: 4.0.",
        &[("4.0", Version::V4_0), ("3.2", Version::V3_2)],
    )
}

async fn audit_file(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(year): Path<String>,
    RawQuery(raw): RawQuery,
) -> Result<Response, Problem> {
    let version = query::read(raw.as_deref(), version)?.unwrap_or(Version::V4_0);
    cx.actor.require_dutch()?;
    let year = query::year(&year)?;
    audit_files::answer(&app, cx, year, version)
}

async fn declaration(
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path((year, quarter)): Path<(String, String)>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let quarter = query::quarter(&year, &quarter)?;
    let declaration =
        books.query(cx.actor.account, move |tx| icp::declaration(tx, &cx, quarter.into())).await?;
    Ok(reply::resource(&headers, &IcpBody::from(declaration)))
}
