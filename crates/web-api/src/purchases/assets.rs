//! Fixed assets: purchase, depreciation, disposal.

use crate::{
    body,
    moment::Moment,
    number::Amount,
    once,
    operation::{Answer, Operation},
    reply,
    resource::{Creatable, Listed, Resource, Undoable},
    undoing::{Takes, Undoing},
};
use axum::{
    Extension,
    extract::{Request, State},
    response::Response,
};
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Context, Created, Error,
    assets::{self, AssetDetails, NewAsset},
};
use store::{Page, SyncFilter, Tx};
use web_core::{
    AppState,
    catalogue::{
        ALREADY_DISPOSED, ALREADY_UNDONE, BOOKED_FROM_BANK_LINE, CORRECTION_TOO_LARGE, NOT_FOUND,
        PERIOD_FILED,
    },
    input::{self, Fields, Parsed, depreciate_asset, dispose_asset, new_asset, revise_asset_vat},
    problem::Problem,
};

/// A fixed asset.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Asset")]
pub(crate) struct AssetBody<'a> {
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
    /// Ledger account of the accumulated depreciation.
    #[schemars(regex(pattern = "^[0-9]{4}$"))]
    #[schemars(example = &"0210")]
    accumulated_account: String,
    /// Ledger account of the cost of depreciation.
    #[schemars(regex(pattern = "^[0-9]{4}$"))]
    #[schemars(example = &"4500")]
    depreciation_account: String,
    /// Cost, excluding deducted VAT.
    cost: Amount,
    /// Value at the end of the asset's life.
    residual_value: Amount,
    /// Useful life in years.
    life_years: i64,
    /// Amount depreciated so far.
    depreciated: Amount,
    /// Date up to which the asset has been depreciated.
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
    /// Id of the expense that recorded the purchase; the bill is paid through that expense. Null
    /// for an asset in the opening balance.
    expense_id: Option<i64>,
    /// Revision of the VAT because the asset was sold within the term. Null if it was not, or if
    /// nothing had to be revised.
    vat_revision: Option<SaleRevisionBody>,
    /// Ids of the journal entries, oldest first. An entry that revises the VAT on several assets for
    /// a year is listed with each of these assets.
    entry_ids: &'a [i64],
    /// Origin: `api` or `app`.
    #[schemars(extend("enum" = ["api", "app"]))]
    source: &'static str,
    /// Time of creation.
    created_at: Moment,
    /// Time of the last change.
    updated_at: Moment,
}

/// Revision of the VAT on an asset that was sold.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SaleVatRevision")]
struct SaleRevisionBody {
    /// Amount for all years that remain: positive if it is paid back, negative if it is deducted.
    amount: Amount,
    /// Id of the journal entry.
    entry_id: i64,
}

impl Resource for AssetDetails {
    type Key = i64;
    type Body<'r> = AssetBody<'r>;
    const PATH: &'static str = "/assets/{id}";
    const NAME: &'static str = "asset";

    fn key(&self) -> i64 {
        self.asset.id
    }

    fn body(&self, _: &Context) -> AssetBody<'_> {
        let asset = &self.asset;
        let status = match (asset.undone_at, asset.disposed_on) {
            (Some(_), _) => "undone",
            (None, Some(_)) => "disposed",
            (None, None) => "held",
        };
        AssetBody {
            id: asset.id,
            external_id: asset.external_id.as_deref(),
            date: asset.date,
            description: &asset.description,
            account: asset.account.to_string(),
            accumulated_account: asset.accounts().accumulated.to_string(),
            depreciation_account: asset.accounts().depreciation.to_string(),
            cost: Amount(asset.cost),
            residual_value: Amount(asset.residual_value),
            life_years: asset.life_years,
            depreciated: Amount(asset.depreciated),
            depreciated_until: asset.depreciated_until,
            book_value: Amount(self.book_value()),
            status,
            disposed_on: asset.disposed_on,
            proceeds: asset.proceeds.map(Amount),
            expense_id: asset.expense_id,
            vat_revision: self
                .vat_revision
                .map(|(amount, entry_id)| SaleRevisionBody { amount: Amount(amount), entry_id }),
            entry_ids: &self.entry_ids,
            source: asset.source.as_str(),
            created_at: Moment(asset.created_at),
            updated_at: Moment(asset.updated_at),
        }
    }

    fn find(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Self, Error> {
        assets::read(tx, cx, id)
    }
}

impl Listed for AssetDetails {
    type Filter = SyncFilter;

    fn list(
        tx: &mut Tx<'_>,
        cx: &Context,
        (): (),
        filter: &SyncFilter,
        after: i64,
        limit: i64,
    ) -> Result<Page<Self>, Error> {
        assets::list(tx, cx, filter, after, limit)
    }
}

impl Creatable for AssetDetails {
    type New = NewAsset;
    type Partial = ();

    fn read_new(fields: &mut Fields<'_, '_>, (): ()) -> Parsed<NewAsset> {
        new_asset(fields)
    }

    fn create(tx: &mut Tx<'_>, cx: &Context, new: &NewAsset) -> Result<Created<Self>, Error> {
        assets::buy(tx, cx, new)
    }

    fn find_by_external_id(
        tx: &mut Tx<'_>,
        cx: &Context,
        external_id: Option<&str>,
    ) -> Result<Option<Self>, Error> {
        assets::find_by_external_id(tx, cx, external_id)
    }
}

impl Undoable for AssetDetails {
    const TAKES: Takes = Takes::Correction;

    fn undo(tx: &mut Tx<'_>, cx: &Context, id: i64, how: Undoing) -> Result<Self, Error> {
        assets::undo(tx, cx, id, how.if_filed)
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    let example = json!({
        "externalId": "laptop-1", "date": "2026-01-15", "description": "Laptop", "account": "0200", "cost": 1899.00,
        "residualValue": 189.90, "lifeYears": 5,
    });
    let mut operations = vec![
        Operation::list_of::<AssetDetails>("listAssets").says("List assets", "Oldest first."),
        Operation::create_of::<AssetDetails>("createAsset", example)
            .says(
                "Create an asset",
                "Records an asset: a purchase of 450.00 or more excluding VAT that is used for \
                 several years (art. 3.30 Wet IB 2001). Its purchase is booked at once, as a \
                 separate expense on the account of the asset. Without `vatRate` the high rate \
                 applies. With `openingDepreciated` the asset is one in the opening balance: \
                 nothing is booked, and its depreciation continues.",
            )
            .or(&[PERIOD_FILED, CORRECTION_TOO_LARGE])
            .for_dutch_accounts(),
        Operation::read_of::<AssetDetails>("readAsset").says("Read an asset", ""),
    ];
    operations.extend(commands());
    operations.push(
        Operation::act::<DepreciationBody, _, _>(
            "/assets/depreciate",
            "depreciateAssets",
            Answer::Changed,
            depreciate_all,
        )
        .says(
            "Depreciate all assets",
            "Books for every asset in use the depreciation up to the end of the month of `until` \
             that is not booked yet. Assets bought later are left out.",
        )
        .with_body(input::schema(depreciate_asset), json!({ "until": "2026-12-31" }))
        .for_dutch_accounts(),
    );
    operations
}

/// Depreciation booked for all assets.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "AssetDepreciation")]
struct DepreciationBody {
    /// Date up to which the assets are depreciated.
    #[schemars(example = &"2026-12-31")]
    until: Date,
    /// Total that was booked.
    amount: Amount,
    /// Assets for which something was booked.
    assets: Vec<DepreciatedBody>,
}

/// Depreciation booked for an asset.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "DepreciatedAsset")]
struct DepreciatedBody {
    /// Id of the asset.
    asset_id: i64,
    /// Amount that was booked.
    amount: Amount,
}

async fn depreciate_all(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    request: Request,
) -> Result<Response, Problem> {
    let json = body::read(request).await?;
    let parsed = input::json(&json, depreciate_asset);
    let Some(until) = parsed.command else { return Err(Error::Invalid(parsed.faults).into()) };
    once::answer(
        &app,
        cx.actor.account,
        move |tx| assets::depreciate_all(tx, &cx, until),
        move |depreciated| {
            reply::changed(&DepreciationBody {
                until,
                amount: Amount(depreciated.iter().map(|(_, amount)| *amount).sum()),
                assets: depreciated
                    .iter()
                    .map(|(details, amount)| DepreciatedBody {
                        asset_id: details.asset.id,
                        amount: Amount(*amount),
                    })
                    .collect(),
            })
        },
    )
    .await
}

/// Operations that book something for an existing asset.
// Long: a table of operations.
fn commands() -> Vec<Operation> {
    vec![
        Operation::act_on::<AssetDetails, _>(
            "/assets/{id}/depreciate",
            "depreciateAsset",
            json!({ "until": "2026-12-31" }),
            depreciate_asset,
            |tx, cx, id, until| assets::depreciate(tx, cx, id, *until),
        )
        .says(
            "Depreciate an asset",
            "Books the depreciation up to the end of the month of `until` that is not booked yet: \
             the same amount per month from the month of purchase, with one entry per year. \
             Amounts of closed years are booked in the first open one. If nothing is due, nothing \
             is booked.",
        )
        .or(&[NOT_FOUND, ALREADY_UNDONE, ALREADY_DISPOSED])
        .for_dutch_accounts(),
        Operation::undo_by::<AssetDetails>(
            "/assets/{id}/depreciate/undo",
            "undoAssetDepreciation",
            Takes::Correction,
            |tx, cx, id, how| assets::undo_last(tx, cx, id, how.if_filed),
        )
        .says(
            "Undo the last step of an asset",
            "Reverses the disposal, with its `vatRevision`, or else the last depreciation: one step \
             per call.",
        )
        .or(&[NOT_FOUND, ALREADY_UNDONE, PERIOD_FILED, CORRECTION_TOO_LARGE])
        .for_dutch_accounts(),
        Operation::act_on::<AssetDetails, _>(
            "/assets/{id}/dispose",
            "disposeAsset",
            json!({ "date": "2027-12-31", "proceeds": 500.00 }),
            dispose_asset,
            assets::dispose,
        )
        .says(
            "Sell or write off an asset",
            "Moves the book value to the result on disposal, and books the proceeds as turnover \
             with VAT. Without proceeds the asset is written off. A sale within four years after \
             the year of purchase revises the VAT for all years that remain, as used for taxed \
             supplies if the sale has VAT, otherwise for exempt ones: `vatRevision` (art. 13a \
             Uitvoeringsbeschikking omzetbelasting 1968).",
        )
        .or(&[NOT_FOUND, ALREADY_UNDONE, ALREADY_DISPOSED, PERIOD_FILED, CORRECTION_TOO_LARGE])
        .for_dutch_accounts(),
        Operation::act_on::<AssetDetails, _>(
            "/assets/{id}/vat-revision",
            "reviseAssetVat",
            json!({ "date": "2027-12-31" }),
            revise_asset_vat,
            |tx, cx, id, how| assets::revise_vat(tx, cx, id, *how),
        )
        .says(
            "Revise the VAT on an asset",
            "Deprecated: use `/vat-revisions/{year}`, which revises all assets. Books the asset's \
             part of that revision for the year of `date`, on 31 December.",
        )
        .or(&[NOT_FOUND, ALREADY_UNDONE, ALREADY_DISPOSED, PERIOD_FILED, CORRECTION_TOO_LARGE])
        .for_dutch_accounts(),
        Operation::undo_of::<AssetDetails>("/assets/{id}/undo", "undoAsset")
            .says(
                "Undo an asset",
                "Reverses purchase, depreciation and disposal, each on its own date. Repeating it \
                 changes nothing.",
            )
            .or(&[NOT_FOUND, PERIOD_FILED, CORRECTION_TOO_LARGE, BOOKED_FROM_BANK_LINE])
            .for_dutch_accounts(),
    ]
}
