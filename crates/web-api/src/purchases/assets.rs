//! Assets: bought, depreciated, sold or written off, undone.

use crate::{
    body,
    moment::Moment,
    number::Amount,
    once,
    operation::{Answer, Operation},
    query::{self, Listing, Query},
    reply,
    resource::page,
    undoing::{self, Takes},
};
use axum::{
    Extension,
    extract::{Path, RawQuery, Request, State},
    http::HeaderMap,
    response::Response,
};
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Context, Error,
    assets::{self, AssetDetails},
    corrections::IfFiled,
};
use store::{Lane, SyncFilter};
use web_core::{
    AppState, ReadContext,
    catalogue::{ALREADY_DISPOSED, ALREADY_UNDONE, CORRECTION_TOO_LARGE, NOT_FOUND, PERIOD_FILED},
    input::{self, Fields, Parsed, depreciate_asset, dispose_asset, new_asset, revise_asset_vat},
    problem::Problem,
};

/// A fixed asset.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Asset")]
struct AssetBody<'a> {
    /// Id, unique within the account.
    id: i64,
    /// Your own identifier.
    #[schemars(example = &"order-1001")]
    external_id: Option<&'a str>,
    /// Date of purchase.
    date: Date,
    /// Description.
    #[schemars(example = &"Laptop")]
    description: &'a str,
    /// Ledger account of the asset.
    #[schemars(example = &"0200")]
    account: String,
    /// Cost, excluding deducted VAT.
    cost: Amount,
    /// Value at the end of its life.
    residual_value: Amount,
    /// Useful life in years.
    life_years: i64,
    /// Amount depreciated so far.
    depreciated: Amount,
    /// Date up to which it is depreciated.
    depreciated_until: Option<Date>,
    /// Current book value.
    book_value: Amount,
    /// `held`, `disposed` or `undone`.
    #[schemars(extend("enum" = ["held", "disposed", "undone"]))]
    status: &'static str,
    /// Date of sale or write-off.
    disposed_on: Option<Date>,
    /// Proceeds of the sale, excluding VAT.
    proceeds: Option<Amount>,
    /// Id of the expense of its purchase, whose bill is paid there. Null for an asset in the
    /// opening balance.
    expense_id: Option<i64>,
    /// Ids of its journal entries, oldest first.
    entry_ids: &'a [i64],
    /// Origin: `api` or `app`.
    #[schemars(extend("enum" = ["api", "app"]))]
    source: &'static str,
    /// Time of creation.
    created_at: Moment,
    /// Time of the last change.
    updated_at: Moment,
}

impl<'a> From<&'a AssetDetails> for AssetBody<'a> {
    fn from(details: &'a AssetDetails) -> Self {
        let asset = &details.asset;
        let status = match (asset.undone_at, asset.disposed_on) {
            (Some(_), _) => "undone",
            (None, Some(_)) => "disposed",
            (None, None) => "held",
        };
        Self {
            id: asset.id,
            external_id: asset.external_id.as_deref(),
            date: asset.date,
            description: &asset.description,
            account: asset.account.to_string(),
            cost: Amount(asset.cost),
            residual_value: Amount(asset.residual_value),
            life_years: asset.life_years,
            depreciated: Amount(asset.depreciated),
            depreciated_until: asset.depreciated_until,
            book_value: Amount(details.book_value()),
            status,
            disposed_on: asset.disposed_on,
            proceeds: asset.proceeds.map(Amount),
            expense_id: asset.expense_id,
            entry_ids: &details.entry_ids,
            source: asset.source.as_str(),
            created_at: Moment(asset.created_at),
            updated_at: Moment(asset.updated_at),
        }
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::list::<AssetBody<'_>, _, _>("/assets", "listAssets", list).says("List assets", "Oldest first.").with_query(filter),
        Operation::create::<AssetBody<'_>, _, _>("/assets", "createAsset", create)
            .says(
                "Create an asset",
                "What costs 450.00 or more excluding VAT and is used for several years (art. 3.30 Wet IB 2001). Its purchase is booked at once, \
                 as an expense of its own on the account of the asset. Without `vatRate` the VAT is that of the high rate. With \
                 `openingDepreciated` it is one that stands in the opening balance: nothing is booked, and it is depreciated further.",
            )
            .with_body(
                input::schema(new_asset),
                json!({
                    "externalId": "laptop-1", "date": "2026-01-15", "description": "Laptop", "account": "0200", "cost": 1899.00,
                    "residualValue": 189.90, "lifeYears": 5,
                }),
            )
            .or(&[PERIOD_FILED, CORRECTION_TOO_LARGE])
            .for_dutch_accounts(),
        Operation::read::<AssetBody<'_>, _, _>("/assets/{id}", "readAsset", read).says("Read an asset", "").or(&[NOT_FOUND]),
        Operation::act::<AssetBody<'_>, _, _>("/assets/{id}/depreciate", "depreciateAsset", Answer::Changed, depreciate)
            .says(
                "Depreciate an asset",
                "Books what is to be depreciated up to the end of the month of `until` and was not yet: as much each month, from the month of \
                 the purchase on, each year in an entry of its own; what belongs to a closed year goes to the first that is not. Where nothing is, nothing is booked.",
            )
            .with_body(input::schema(depreciate_asset), json!({ "until": "2026-12-31" }))
            .or(&[NOT_FOUND, ALREADY_UNDONE, ALREADY_DISPOSED])
            .for_dutch_accounts(),
        Operation::act::<AssetBody<'_>, _, _>("/assets/{id}/depreciate/undo", "undoAssetDepreciation", Answer::Changed, undo_last)
            .says(
                "Undo what was booked last of an asset",
                "Its disposal is reversed, or else its last depreciation; then the asset is as it was before. Each call takes back one step.",
            )
            .undoes(Takes::Correction)
            .or(&[NOT_FOUND, ALREADY_UNDONE, PERIOD_FILED, CORRECTION_TOO_LARGE])
            .for_dutch_accounts(),
        Operation::act::<AssetBody<'_>, _, _>("/assets/{id}/dispose", "disposeAsset", Answer::Changed, dispose)
            .says(
                "Sell an asset, or write it off",
                "Its book value goes to the result on disposal, and so do the proceeds, as turnover with VAT. Without proceeds it is written off.",
            )
            .with_body(input::schema(dispose_asset), json!({ "date": "2027-12-31", "proceeds": 500.00 }))
            .or(&[NOT_FOUND, ALREADY_UNDONE, ALREADY_DISPOSED, PERIOD_FILED, CORRECTION_TOO_LARGE])
            .for_dutch_accounts(),
        Operation::act::<AssetBody<'_>, _, _>("/assets/{id}/vat-revision", "reviseAssetVat", Answer::Changed, revise_vat)
            .says(
                "Revise the VAT on an asset",
                "Where the small businesses scheme (KOR) began after an asset was bought, a fifth of the VAT that was deducted is paid back in \
                 each of the four years after the purchase; where it ended, a fifth is deducted after all (art. 15(4) Wet OB 1968). Booked once a \
                 year, in box 5b.",
            )
            .with_body(input::schema(revise_asset_vat), json!({ "date": "2027-12-31" }))
            .or(&[NOT_FOUND, ALREADY_UNDONE, ALREADY_DISPOSED, PERIOD_FILED, CORRECTION_TOO_LARGE])
            .for_dutch_accounts(),
        Operation::act::<AssetBody<'_>, _, _>("/assets/{id}/undo", "undoAsset", Answer::Changed, undo)
            .says("Undo an asset", "Purchase, depreciation and disposal are reversed, each on its own day. Once more changes nothing.")
            .undoes(Takes::Correction)
            .or(&[NOT_FOUND, PERIOD_FILED, CORRECTION_TOO_LARGE])
            .for_dutch_accounts(),
    ]
}

fn filter(query: &mut Query) -> (SyncFilter, (i64, i64)) {
    (query.sync_filter(), page(query))
}

async fn list(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    listing: Listing,
) -> Result<Response, Problem> {
    let (filter, (after, limit)) = listing.read(filter)?;
    let account = cx.actor.account;
    let list = move |tx: &mut store::Tx<'_>| {
        let page = assets::list(tx, &cx, &filter, after, limit)?;
        reply::rows(&page, |last| last.asset.id.to_string(), |row| reply::body(&AssetBody::from(row))).of_changes(
            tx,
            account,
            filter.updated,
        )
    };
    let page = books.query(Lane::of(account).list(), list).await?;
    Ok(reply::page(page, &app.config().base_url, &listing))
}

async fn read(
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path(id): Path<String>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let id = query::id(&id, "asset")?;
    let details = books.query(cx.actor.account, move |tx| assets::read(tx, &cx, id)).await?;
    Ok(reply::resource(&headers, &AssetBody::from(&details)))
}

async fn create(State(app): State<AppState>, Extension(cx): Extension<Context>, request: Request) -> Result<Response, Problem> {
    let json = body::read(request).await?;
    let parsed = input::json(&json, new_asset);
    let base = app.config().base_url.clone();
    let location = move |details: &AssetDetails| format!("{base}/api/v1/assets/{}", details.asset.id);
    let show = move |outcome| reply::created(outcome, &location, |details| reply::body(&AssetBody::from(&details)));
    let account = cx.actor.account;
    let creation = once::creation(account, "asset", "/assets", &json);
    match parsed.command {
        Some(command) => once::create(&app, account, creation, move |tx| assets::buy(tx, &cx, &command), show).await,
        None => {
            let known = move |tx: &mut store::Tx<'_>| {
                let known = assets::find_by_external_id(tx, &cx, parsed.external_id.as_deref())?;
                known.ok_or_else(|| Error::Invalid(parsed.faults.clone()))
            };
            once::existing(&app, account, creation, known, show).await
        }
    }
}

/// What is done with an asset: read from the body, and carried out.
async fn act<C: Send + 'static>(
    (app, cx, id): (AppState, Context, String),
    request: Request,
    reader: fn(&mut Fields<'_, '_>) -> Parsed<C>,
    run: fn(&mut store::Tx<'_>, &Context, i64, &C) -> Result<AssetDetails, Error>,
) -> Result<Response, Problem> {
    let json = body::read_optional(request).await?;
    let id = query::id(&id, "asset")?;
    let parsed = input::json(&json, reader);
    let Some(command) = parsed.command else {
        app.query(cx.actor.account, move |tx| assets::read(tx, &cx, id)).await?;
        return Err(Problem::invalid(parsed.faults));
    };
    once::answer(
        &app,
        cx.actor.account,
        move |tx| run(tx, &cx, id, &command),
        move |details| reply::changed(&AssetBody::from(&details)),
    )
    .await
}

async fn depreciate(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    act((app, cx, id), request, depreciate_asset, |tx, cx, id, until| assets::depreciate(tx, cx, id, *until)).await
}

async fn dispose(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    act((app, cx, id), request, dispose_asset, assets::dispose).await
}

async fn revise_vat(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    act((app, cx, id), request, revise_asset_vat, |tx, cx, id, how| assets::revise_vat(tx, cx, id, *how)).await
}

async fn undo(state: State<AppState>, cx: Extension<Context>, id: Path<String>, request: Request) -> Result<Response, Problem> {
    take_back(state, cx, id, request, assets::undo).await
}

async fn undo_last(
    state: State<AppState>,
    cx: Extension<Context>,
    id: Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    take_back(state, cx, id, request, assets::undo_last).await
}

async fn take_back(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    request: Request,
    run: fn(&mut store::Tx<'_>, &Context, i64, IfFiled) -> Result<AssetDetails, Error>,
) -> Result<Response, Problem> {
    let if_filed = undoing::read(request, Takes::Correction).await?.if_filed;
    let id = query::id(&id, "asset")?;
    once::answer(
        &app,
        cx.actor.account,
        move |tx| run(tx, &cx, id, if_filed),
        move |details| reply::changed(&AssetBody::from(&details)),
    )
    .await
}
