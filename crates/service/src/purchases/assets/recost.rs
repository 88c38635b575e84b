//! Rebooking of the depreciation and the disposal of an asset whose cost changes.

use super::{accumulated, source};
use crate::{
    Context, Error,
    corrections::{self, Booking, IfFiled},
};
use ledger::{
    booking, correction,
    description::DescriptionKind,
    entry::{JournalEntry, Posting},
    money::Cents,
};
use store::{
    Tx,
    assets::{self as rows, Asset},
    books::Books,
    closing_steps, journal,
};

/// Adds `difference` to the cost of an asset, whose purchase has been rebooked. Every depreciation
/// entry is replaced on its own date by one that agrees with the new cost, and so is the disposal.
pub(crate) fn recost(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    (id, difference): (i64, Cents),
    if_filed: IfFiled,
) -> Result<(), Error> {
    let account = cx.actor.account;
    let mut asset = rows::by_id(tx, account, id)?.ok_or(Error::NotFound("asset"))?;
    asset.cost += difference;
    let (mut depreciations, mut disposals) = (Vec::new(), Vec::new());
    let own = journal::ids_by_source(tx, account, source(id))?;
    for entry_id in corrections::not_taken_back(tx, account, &own)? {
        let booking = Booking::of(tx, account, entry_id)?;
        match booking.entry().description().kind {
            DescriptionKind::Depreciation => depreciations.push((entry_id, booking.entry())),
            DescriptionKind::Disposal => disposals.push((entry_id, booking.entry())),
            _ => {}
        }
    }
    depreciate_again(tx, books, cx, &mut asset, depreciations)?;
    for (entry_id, entry) in disposals {
        let amounts = (asset.cost, asset.depreciated);
        let new = booking::disposal_at(&entry, asset.accounts(), amounts);
        if !correction::posts_the_same(&entry, &new) {
            corrections::replace(tx, books, cx, entry_id, new, if_filed)?;
        }
    }
    asset.updated_at = cx.now();
    rows::replace(tx, account, &asset)?;
    Ok(())
}

/// Replaces the depreciation entries from the first one whose amount changes, so that the entries
/// in force stay in the order of their dates. An entry whose amount becomes zero is reversed.
fn depreciate_again(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    asset: &mut Asset,
    depreciations: Vec<(i64, JournalEntry)>,
) -> Result<(), Error> {
    let (account, accounts) = (cx.actor.account, asset.accounts());
    let total_until = accumulated(asset, books.terms().opening);
    let mut is_changed = false;
    (asset.depreciated, asset.depreciated_until) = (asset.opening_depreciated, None);
    for (entry_id, entry) in depreciations {
        let (day, total) = (entry.date(), total_until(entry.date()));
        let amount = total - asset.depreciated;
        let booked: Cents = entry.postings().iter().map(Posting::debited).sum();
        is_changed |= amount != booked;
        if is_changed && amount.is_zero() {
            corrections::reverse(tx, books, cx, (source(asset.id), entry_id), IfFiled::Refuse)?;
        } else if is_changed {
            let what = &asset.description;
            let new = booking::asset_depreciation(source(asset.id), what, day, accounts, amount);
            let replaced = corrections::replace(tx, books, cx, entry_id, new, IfFiled::Refuse)?;
            let by = Booking::last_of(tx, account, &replaced)?.id();
            closing_steps::rebooked(tx, account, entry_id, (by, amount))?;
        }
        if !amount.is_zero() {
            (asset.depreciated, asset.depreciated_until) = (total, Some(day));
        }
    }
    Ok(())
}
