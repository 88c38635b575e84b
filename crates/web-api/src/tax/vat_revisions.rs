//! `/vat-revisions/{year}`: revision of the VAT deducted on assets.

use crate::{
    body,
    number::{Amount, Number},
    once,
    operation::{Answer, Operation},
    query,
    reply::{self, Reply},
    undoing::{self, Takes},
};
use axum::{
    Extension,
    extract::{Path, RawQuery, Request, State},
    http::HeaderMap,
    response::Response,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Context, Created, Error,
    vat_revisions::{self, AssetRevision, YearRevision},
};
use store::Tx;
use web_core::{
    AppState, ReadContext,
    catalogue::{CORRECTION_TOO_LARGE, NOTHING_TO_REVISE, PERIOD_FILED, YEAR_CLOSED},
    input::{self, revise_vat},
    problem::Problem,
};

/// Revision of the VAT on assets for a year.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "VatRevision")]
struct RevisionBody {
    /// Calendar year.
    year: i16,
    /// Turnover with the right to deduct VAT, as a percentage of all turnover; shown with at most
    /// six decimals, calculated without rounding. Without turnover 0 under the small businesses
    /// scheme on 31 December, otherwise 100.
    #[schemars(example = &25)]
    share: Number,
    /// Assets in the term: bought in the year, or in one of the four years before it.
    assets: Vec<AssetBody>,
    /// Sum of what is due.
    total: Amount,
    /// Whether something is due, but the law waives all of it.
    #[schemars(example = &false)]
    waived: bool,
    /// Id of the journal entry, once the revision is booked.
    entry_id: Option<i64>,
}

/// Revision of the VAT on an asset for a year.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AssetVatRevision")]
struct AssetBody {
    /// Id of the asset.
    asset_id: i64,
    /// VAT on the purchase, as far as it was for the business.
    vat: Amount,
    /// Deducted part of it: as deducted when the asset was bought or, after that year, as revised
    /// in it.
    deducted: Amount,
    /// Amount due for the year: positive to pay back, negative to deduct after all. After the year
    /// of first use, 0.00 if the difference is at most a tenth of the deducted VAT.
    due: Amount,
}

impl From<&YearRevision> for RevisionBody {
    fn from(revision: &YearRevision) -> Self {
        Self {
            year: revision.year,
            share: Number(revision.share.percent()),
            assets: revision.assets.iter().map(AssetBody::from).collect(),
            total: Amount(revision.total),
            waived: revision.waived,
            entry_id: revision.entry_id,
        }
    }
}

impl From<&AssetRevision> for AssetBody {
    fn from(of: &AssetRevision) -> Self {
        Self {
            asset_id: of.asset.id,
            vat: Amount(of.vat),
            deducted: Amount(of.deducted),
            due: Amount(of.due),
        }
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::read::<RevisionBody, _, _>("/vat-revisions/{year}", "readVatRevision", read)
            .says(
                "Read the revision of VAT on assets for a year",
                "Compares the VAT deducted on each asset with the part of the year's turnover \
                 that has the right to deduct: all of it in the year of purchase, a fifth in the \
                 four years after it (art. 15(4) Wet OB 1968, art. 11 to 13 \
                 Uitvoeringsbeschikking). In those four years a difference of at most a tenth is \
                 waived, and so is a total below 500.00 if the small businesses scheme (KOR) \
                 began or ended.",
            )
            .for_dutch_accounts(),
        Operation::act::<RevisionBody, _, _>(
            "/vat-revisions/{year}",
            "reviseVat",
            Answer::Created,
            revise,
        )
        .says(
            "Book the revision of VAT on assets for a year",
            "One entry on 31 December, in box 5b of the last return of the year. If the turnover \
             or the assets change later, another call books the revision again in place of the \
             entry.",
        )
        .with_body(
            input::schema(revise_vat),
            json!({ "externalId": "revision-2026", "description": "Revision 2026" }),
        )
        .or_without_body()
        .or(&[NOTHING_TO_REVISE, PERIOD_FILED, CORRECTION_TOO_LARGE, YEAR_CLOSED])
        .for_dutch_accounts(),
        Operation::act::<RevisionBody, _, _>(
            "/vat-revisions/{year}/undo",
            "undoVatRevision",
            Answer::Changed,
            undo,
        )
        .says(
            "Undo the revision of VAT on assets for a year",
            "Reverses its entry. If none is booked, nothing happens.",
        )
        .undoes(Takes::Correction)
        .or(&[PERIOD_FILED, CORRECTION_TOO_LARGE, YEAR_CLOSED])
        .for_dutch_accounts(),
    ]
}

async fn read(
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path(year): Path<String>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let year = query::year(&year)?;
    let revision =
        books.query(cx.actor.account, move |tx| vat_revisions::read(tx, &cx, year)).await?;
    Ok(reply::resource(&headers, &RevisionBody::from(&revision)))
}

fn made(base: &str, outcome: Created<YearRevision>) -> Reply {
    let location =
        |revision: &YearRevision| format!("{base}/api/v1/vat-revisions/{}", revision.year);
    reply::created(outcome, location, |revision| reply::body(&RevisionBody::from(&revision)))
}

async fn revise(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(year): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let json = body::read_optional(request).await?;
    let year = query::year(&year)?;
    let parsed = input::json(&json, revise_vat);
    let account = cx.actor.account;
    let base = app.config().base_url.clone();
    let show = move |outcome| made(&base, outcome);
    let creation =
        once::creation(account, "VAT revision", &format!("/vat-revisions/{year}"), &json);
    match parsed.command {
        Some(command) => {
            let revise = move |tx: &mut Tx<'_>| vat_revisions::revise(tx, &cx, year, &command);
            once::create(&app, account, creation, revise, show).await
        }
        None => {
            let known = move |tx: &mut Tx<'_>| {
                let external_id = parsed.external_id.as_deref();
                let known = vat_revisions::find_by_external_id(tx, &cx, external_id)?;
                known.ok_or_else(|| Error::Invalid(parsed.faults.clone()))
            };
            once::existing(&app, account, creation, known, show).await
        }
    }
}

async fn undo(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(year): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let year = query::year(&year)?;
    let how = undoing::read(request, Takes::Correction).await?;
    once::answer(
        &app,
        cx.actor.account,
        move |tx| vat_revisions::undo(tx, &cx, year, how.if_filed),
        move |revision| reply::changed(&RevisionBody::from(&revision)),
    )
    .await
}
