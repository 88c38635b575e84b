//! Rows of the steps for assets and private use.

use super::{RowSource, StepRow, Why, YearBooks};
use crate::{
    Context, Error, assets, events,
    vat_revisions::{self, AssetRevision},
};
use ledger::{
    closing_step::ClosingStep, entry::SourceType, event::Event, money::Cents, vat::VatRate,
};
use store::{
    Tx,
    assets::{Asset, AssetColumn, AssetState},
};

/// Assets in use that were bought on or before the last day of the year.
fn in_use(tx: &mut Tx<'_>, cx: &Context, books: &YearBooks) -> Result<Vec<Asset>, Error> {
    let (order, all) = ((AssetColumn::Date, false), (0, i64::MAX));
    let (assets, _) = assets::table(tx, cx, (Some(AssetState::InUse), None), order, all)?;
    let assets = assets.into_iter().map(|details| details.asset);
    Ok(assets.filter(|asset| asset.date <= books.last()).collect())
}

fn row_of(asset: &Asset, amount: Cents, booked: Cents, why: Why) -> Option<StepRow> {
    let is_anything = !amount.is_zero() || !booked.is_zero();
    is_anything.then(|| StepRow {
        key: key_of(asset.id),
        source: Some((RowSource::Asset, asset.id)),
        kind: None,
        account: asset.account,
        description: asset.description.clone(),
        amount,
        booked,
        reverse_on: None,
        goods: None,
        why,
    })
}

pub(super) fn key_of(asset: i64) -> String {
    format!("asset-{asset}")
}

/// Depreciation of each asset up to the end of the year, and whether any assets are in use.
pub(super) fn depreciation(
    tx: &mut Tx<'_>,
    cx: &Context,
    books: &YearBooks,
) -> Result<(Vec<StepRow>, bool), Error> {
    let (mut rows, until) = (Vec::new(), books.last());
    let assets = in_use(tx, cx, books)?;
    for asset in &assets {
        let amount = assets::to_depreciate(tx, cx, asset, until)?;
        let booked = books.booked(ClosingStep::Depreciation, &key_of(asset.id));
        rows.extend(row_of(asset, amount, booked, Why::Depreciation { until }));
    }
    Ok((rows, !assets.is_empty()))
}

/// Revision of the VAT on each asset for the year.
pub(super) fn vat_revision(
    tx: &mut Tx<'_>,
    cx: &Context,
    books: &YearBooks,
) -> Result<Vec<StepRow>, Error> {
    let revision = vat_revisions::read(tx, cx, books.last().year())?;
    let row = |of: &AssetRevision| row_of(&of.asset, of.outstanding(), of.booked, Why::VatRevision);
    Ok(revision.assets.iter().filter_map(row).collect())
}

/// Private use of goods that the step has booked.
pub(super) fn goods(
    tx: &mut Tx<'_>,
    cx: &Context,
    books: &YearBooks,
) -> Result<Vec<StepRow>, Error> {
    let mut rows = Vec::new();
    for booking in books.of(ClosingStep::GoodsPrivateUse) {
        let Some(event) = booking.event_id else { continue };
        let stored = events::read(tx, cx, SourceType::PrivateUse, event)?.stored;
        let Event::PrivateUse { base, .. } = stored.event else { continue };
        // The key is `goods/rate/base/number/description`, with the rate in basis points.
        let points = booking.row_key.split('/').nth(1).and_then(|points| points.parse().ok());
        rows.push(StepRow {
            key: format!("goods-{event}/{}", booking.row_key),
            source: Some((RowSource::PrivateUse, event)),
            kind: None,
            account: ledger::chart::codes::PRIVATE_USE,
            description: stored.description.unwrap_or_default(),
            amount: Cents::ZERO,
            booked: booking.amount,
            reverse_on: None,
            goods: Some((
                base.unwrap_or_default(),
                VatRate::from_basis_points(points.unwrap_or_default()),
            )),
            why: Why::PrivateUse,
        });
    }
    Ok(rows)
}
