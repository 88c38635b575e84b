//! The audit file of a year.

use crate::{operation::Operation, query, query::Query};
use axum::{
    Extension,
    extract::{Path, RawQuery, State},
    response::Response,
};
use service::{Context, audit_files::Version};
use web_core::{AppState, audit_files, catalogue::NOT_FOUND, problem::Problem};

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
